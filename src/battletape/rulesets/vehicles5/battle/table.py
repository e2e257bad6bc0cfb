"""The table in a battle: places and ground, the straight line of a tank, and whoever stands on it to strike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.rulesets.vehicles5.battle.start import Spot
from battletape.rulesets.vehicles5.battle.state import Machine, Marker, Squad, State, things_of
from battletape.rulesets.vehicles5.profiles.book import is_fearless, is_walker_weapon, rules_of
from battletape.rulesets.vehicles5.rules import legality, tank_shock, terrain, traits, troops, walkers
from battletape.rulesets.vehicles5.rules.assault import grenade_kind
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.movement import refuse_flat_out
from battletape.rulesets.vehicles5.rules.tank_shock import Drive, Glory, Line, OnLine, Rough, Shocked
from battletape.rulesets.vehicles5.rules.transports import Solid
from battletape.rulesets.vehicles5.tables.printed import GRENADES
from battletape.table import bases, board, distances, paths
from battletape.table.areas import Area, rectangle
from battletape.table.hulls import Hull, driven, turned
from battletape.table.points import Point, step
from battletape.table.sweeps import Contact, contact_spans, swept

OUTSIDE = 60.0  # how far the ground beyond the edge is taken to reach


# --- places ---------------------------------------------------------------------------------------------------------


def points(spots: Iterable[Spot]) -> tuple[Point, ...]:
    """Places as points."""
    return tuple(Point(spot.x, spot.y) for spot in spots)


def spots(places: Iterable[Point]) -> tuple[Spot, ...]:
    """Points as places."""
    return tuple(Spot(x=place.x, y=place.y) for place in places)


def close_to(point: Point, reach: float, things: Iterable[Solid]) -> list[Solid]:
    """Those things that may be so close to a point; a rough look that spares exact measuring of all the others."""
    return [thing for thing in things if _at_least(point, thing) <= reach]


def _at_least(point: Point, thing: Solid) -> float:
    """No more than the true distance."""
    if isinstance(thing, Area):
        xs, ys = [corner.x for corner in thing.outline], [corner.y for corner in thing.outline]
        east, north = max(min(xs) - point.x, 0, point.x - max(xs)), max(min(ys) - point.y, 0, point.y - max(ys))
        return hypot(east, north)
    size = thing.radius if isinstance(thing, bases.Base) else half_diagonal(thing)
    return hypot(thing.centre.x - point.x, thing.centre.y - point.y) - size


def half_diagonal(hull: Hull) -> float:
    """How far the corners of a hull are from its middle."""
    return hypot(hull.length, hull.width) / 2


def borders(field: State) -> tuple[Area, ...]:
    """The ground beyond the four edges of the table."""
    wide, deep = field.board.width, field.board.depth
    return (
        rectangle(-OUTSIDE, -OUTSIDE, 0, deep + OUTSIDE),
        rectangle(wide, -OUTSIDE, wide + OUTSIDE, deep + OUTSIDE),
        rectangle(-OUTSIDE, -OUTSIDE, wide + OUTSIDE, 0),
        rectangle(-OUTSIDE, deep, wide + OUTSIDE, deep + OUTSIDE),
    )


def in_the_way(field: State, *but: str, side: str = "") -> list[Solid]:
    """What nobody can stand on: models (of one side, if it is named), impassable ground, and what is off the table."""
    solid: list[Solid] = list(field.bodies(*but, side=side))
    return [*solid, *(ground.ground for ground in field.kinds("impassable")), *borders(field)]


def stands_on(hull: Hull, things: Iterable[Solid]) -> bool:
    """Whether a hull would stand on any of these."""
    return bool(paths.stood_on(hull, close_to(hull.centre, half_diagonal(hull), things)))


def grounds_about(field: State, hull: Hull, way: float) -> list[Marker]:
    """The ground that a hull may come to on a way of so many inches."""
    reach = way + half_diagonal(hull)
    return [ground for ground in field.grounds if close_to(hull.centre, reach, (ground.ground,))]


def on_road(field: State, path: Sequence[Point]) -> bool:
    """Whether a whole path lies on roads."""
    road = [ground.ground for ground in field.kinds("road")]
    return bool(road) and paths.is_wholly_on(path, road)


@clause("V5-GREN-1", "V5-GREN-2", "V5-GREN-3")
def grenade_of(squad: Squad, name: str) -> str:
    """The kind of a grenade by the name of its profile: “Krak grenade” is krak."""
    kind = grenade_kind(name)
    if kind not in GRENADES:
        raise UnknownName("grenade", name, squad.profile.grenades, source=squad.name)
    return kind


def walker_of(machine: Machine) -> walkers.Walker:
    """What does not change of a walker in a fight."""
    fists = tuple(gun.label for gun in machine.guns if any(map(is_walker_weapon, gun.weapons)))
    return walkers.walker_with(machine.profile, fists, machine.traits.open_topped, machine.name)


def road_ahead(field: State, hull: Hull, inches: float) -> bool:
    """Whether a straight drive stays on a road."""
    return on_road(field, (hull.centre, step(hull.centre, hull.heading, inches)))


@clause("V5-TANK-2", "V5-RAM-1", "V5-FAST-5")
def refuse_charge_at(
    field: State, machine: Machine, heading: float, speed: traits.Band, ram: bool = False
) -> Refused | None:
    """Why a tank may not turn there and charge straight on at this speed."""
    now = field.situation(machine)
    refused = legality.refuse_now("ram" if ram else "tank_shock", now) or refuse_flat_out(now, speed)
    return refused or refuse_heading(field, machine, heading)


@clause("V5-TERR-4", "V5-MOVE-1")
def refuse_heading(field: State, machine: Machine, heading: float) -> Refused | None:
    """Why a machine has no room to turn there."""
    hull = turned(machine.hull, heading)
    if stands_on(hull, field.bodies(machine.name)):
        return Refused(f"{machine.name} would stand on a model as it turns", "V5-TERR-4", "model")
    if not board.is_on_board(field.board, hull):
        return Refused(f"{machine.name} would reach over the edge of the table as it turns", "V5-TANK-4", "edge")
    return None


@clause("V5-TANK-3", "V5-TANK-4")
def on_line(field: State, machine: Machine, hull: Hull, inches: float, *but: str) -> tuple[OnLine, ...]:
    """Everything on the lane ahead, but for the machines named."""
    reach = inches + half_diagonal(hull) + troops.APART
    near = [unit for unit in field.on_table(machine.name) if close_to(hull.centre, reach, things_of(unit))]
    foes = [thing for thing in near if thing.side != machine.side]
    squads = [foe for foe in foes if isinstance(foe, Squad)]
    own = [unit for unit in near if unit.side == machine.side]
    ahead = tank_shock.look_ahead(
        hull,
        inches,
        {squad.name: squad.models for squad in squads if not squad.locked_with},
        engaged={squad.name: squad.models for squad in squads if squad.locked_with},
        vehicles={foe.name: foe.hull for foe in foes if isinstance(foe, Machine) and foe.name not in but},
        friends={f"{unit.name} {at}": thing for unit in own for at, thing in enumerate(things_of(unit))},
    )
    if machine.traits.skimmer:  # it flies over friends and walls, and has only to come down elsewhere
        ahead = tuple(thing for thing in ahead if thing.kind != "friendly")
    solid = [ground for ground in grounds_about(field, hull, inches) if ground.kind == "impassable"]
    walls = [contact_spans(hull, inches, ground.ground) for ground in solid]
    ahead += tuple(OnLine("impassable", spans[0][0]) for spans in walls if spans)
    edge = board.board_distance(field.board, hull)
    return (*ahead, OnLine("edge", edge)) if edge < inches else ahead


@clause("V5-TANK-3", "V5-TANK-5", "V5-DOG-1")
def drive_of(
    field: State, machine: Machine, hull: Hull, inches: float, ram: bool, going_on: bool, target_at: float | None = None
) -> Drive | Refused:
    """A tank about to charge along its line, up to the target of a ram if there is one; or why it cannot go on."""
    others = () if target_at is None else [other.name for other in field.machines]
    way = line_of(field, machine, hull, inches, target_at is not None, *others, going_on=going_on)
    if isinstance(way, Refused):
        return way
    way = way if target_at is None else tank_shock.up_to(way, target_at)
    contacts = ((field.squad(name), swept(hull, way.moved, field.squad(name).models)) for name in way.shocked)
    met: list[Shocked | Rough] = [_shocked(squad, touched) for squad, touched in contacts if touched]
    met += _rough(field, machine, hull, way.moved)
    more = {"on_road": road_ahead(field, hull, inches), "ram": ram, "by": field.other_side(machine.side)}
    tank, front = field.fresh(machine), machine.profile.front
    return tank_shock.drive_along(way, tank, front, machine.traits, inches, met, rules=field.rules, **more)


def line_of(
    field: State, machine: Machine, hull: Hull, inches: float, ram: bool, *but: str, going_on: bool = False
) -> Line | Refused:
    """How far the tank gets if nobody stops it, or why it may not be tried; one that is going on may, however short."""
    path, state, rules = on_line(field, machine, hull, inches, *but), field.condition(machine), field.rules
    if going_on:
        state, rules = Condition(), replace(rules, tank_shock_least="above_zero")
    road = road_ahead(field, hull, inches)
    return tank_shock.line(machine.traits, state, inches, path, on_road=road, ram=ram, rules=rules)


@clause("V5-TERR-2", "V5-SKIM-3")
def _rough(field: State, machine: Machine, hull: Hull, reach: float) -> Iterator[Rough]:
    """Where the ground has to be tested for."""
    skims = machine.traits.skimmer
    for ground in grounds_about(field, hull, reach):
        if not terrain.is_feared(machine.traits, ground.kind, field.rules):
            continue
        if distances.overlaps(hull, ground.ground):
            yield Rough(0.0)
        elif skims:
            yield from [Rough(reach)] if distances.overlaps(driven(hull, reach), ground.ground) else []
        else:
            yield from (Rough(spans[0][0]) for spans in [contact_spans(hull, reach, ground.ground)] if spans)


def _shocked(squad: Squad, met: Sequence[Contact]) -> Shocked:
    profile = squad.profile
    return Shocked(squad.name, met[0].inches, profile.ld, squad.falling_back, is_fearless(profile), arms(squad, met))


@clause("V5-DOG-1", "V5-DOG-2")
def arms(squad: Squad, met: Sequence[Contact]) -> tuple[Glory, ...]:
    """What the models in the path of a tank may strike it with: their guns, a grenade, or a blow.

    Of several models with the same weapon it is the first that the tank comes to.
    """
    profile, carried, blades = squad.profile, carried_by_model(squad), carried_by_model(squad, melee=True)
    weapons: dict[str, Glory] = {}
    for contact in met:
        for weapon in squad.ways(carried[contact.model]) if contact.model < len(carried) else ():
            rules = (*rules_of(weapon), *profile.rules)
            arm = Glory(weapon.name, weapon.strength or 1, weapon.ap, hits=weapon.shots, rules=rules)
            weapons.setdefault(weapon.name, replace(arm, model=contact.model, at=contact.inches))
    model, at = met[0].model, met[0].inches
    for name in profile.grenades:
        strength, dice = GRENADES[grenade_of(squad, name)]
        weapons[name] = Glory(name, strength, dice=dice, rules=profile.rules, model=model, at=at)
    for contact in met:
        blade = squad.ways(blades[contact.model])[0] if contact.model < len(blades) else None
        heavy = blade is not None and blade.times > 1
        name = blade.name if blade is not None and heavy else "blow"
        strength = troops.capped(2 * profile.strength) if heavy else profile.strength
        weapons.setdefault(name, Glory(name, strength, rules=profile.rules, model=contact.model, at=contact.inches))
    return tuple(sorted(weapons.values(), key=lambda arm: (-arm.strength, arm.name)))


def carried_by_model(squad: Squad, melee: bool = False) -> list[str]:
    """What each model shoots or strikes with; those without come last."""
    return [name for name, count in squad.bearers(melee) for _ in range(count)]


@clause("V5-WALK-15", "V5-DOG-2", "V5-DMG-1", "V5-DMG-2")
def walker_arms(field: State, machine: Machine) -> tuple[Glory, ...]:
    """What a walker may strike a ramming tank with: its blow, or an intact gun."""
    walker, own = walker_of(machine), field.condition(machine)
    blow = Glory("blow", walkers.strength(walker.strength, walkers.fists(walker, own, field.rules)))
    guns = [weapon for gun in machine.guns if gun.label in own.weapons and not gun.spent for weapon in gun.weapons]
    if own.shaken or own.stunned:  # such a crew does not shoot, but its machine strikes
        guns = []
    shots = [
        Glory(gun.name, gun.strength or 1, gun.ap, hits=gun.shots, rules=rules_of(gun))
        for gun in guns
        if gun.type != "melee"
    ]
    return tuple({arm.name: arm for arm in (blow, *shots)}.values())


@clause("V5-DOG-4")
def cleared(squad: Squad, at: int) -> Squad:
    """A squad without one of its models and what that carried."""
    models = squad.models[:at] + squad.models[at + 1 :]
    gun, blade = (([*carried_by_model(squad, melee), *[""] * (at + 1)])[at] for melee in (False, True))
    fallen = (*squad.fallen_with, (gun, blade))
    return replace(squad, models=models, fallen_with=fallen, wounds_lost=squad.wounds_lost if models else 0)


def under(hull: Hull, squad: Squad) -> tuple[int, ...]:
    """Which models would be under a hull."""
    return tuple(at for at, model in enumerate(squad.models) if distances.overlaps(model, hull))
