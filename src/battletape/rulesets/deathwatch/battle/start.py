"""How a battle is set up: sides with their fighters and mobs, and in which state they begin."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from battletape.cards import Inputs, ProfileBook, asked, entry_value, pick_fields, written_out
from battletape.field import setup
from battletape.field.clock import Clock
from battletape.field.score import mission
from battletape.field.state import Battlefield, Position
from battletape.rulebook import BadInput, by_name, clause, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, position_of
from battletape.rulesets.deathwatch.profiles.book import (
    ammunition_of,
    as_second_barrel,
    is_combi,
    refuse_use,
    worn_together,
)
from battletape.rulesets.deathwatch.profiles.types import Armour, Character, Horde, WeaponProfile
from battletape.rulesets.deathwatch.rules import actions, talents, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import modifiers
from battletape.rulesets.deathwatch.rules.conditions import Conditions, add_fatigue, fatigue_after_rest, wake
from battletape.rulesets.deathwatch.rules.terrain import Terrain
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.sheet import parse_cover
from battletape.table.board import Board
from battletape.table.points import Point

PHASES = ("turn",)
"""Each unit has a turn in each round, and nothing divides it."""
PLACE: float = asked(0.0, unit="metres", ge=-5000, le=5000)
INITIATIVE: int = asked(0, "Initiative, 0 to roll for it", ge=0, le=40)
COVER: str = asked("", "Cover", "DW-COVER-2", about=": a material or its AP")
bearing = partial(asked, 0.0, unit="degrees", ge=0, le=360)


class FighterStart(Character, frozen=True):
    """A fighter at the start: by the name of a profile, or with numbers of its own."""

    profile: str = ""
    x: float = PLACE
    y: float = PLACE
    facing: float = bearing()
    cover: str = COVER
    hidden: tuple[str, ...] = asked((), "Places behind the cover", "DW-COVER-1", about="all if none is named")
    damage_taken: int = asked(0, clause="DW-DMG-1", ge=0, le=500)
    critical: int = asked(0, "Critical damage", "DW-DMG-2", ge=0, le=9)
    fatigue: int = asked(0, clause="DW-FAT-1", ge=0, le=40)
    woken: bool = asked(False, "Woken after being unconscious", "DW-FAT-2")
    rested: int = asked(0, "Hours of complete rest since then", "DW-FAT-3", unit="hours", ge=0, le=100)
    stunned: int = asked(0, "Rounds stunned", "DW-STUN-1", ge=0, le=99)
    prone: bool = False
    pinned: bool = False
    on_fire: bool = False
    blood_loss: bool = False
    surprised: bool = False
    initiative: int = INITIATIVE
    suit: tuple[Armour, ...] = ()
    barrels: tuple[str, ...] = asked((), "Second barrels of its combi-weapons, by their profiles", "DW-RWEP-04")
    arsenal: tuple[WeaponProfile, ...] = ()


class MobStart(Horde, frozen=True):
    """A mob at the start."""

    profile: str = ""
    x: float = PLACE
    y: float = PLACE
    cover: str = COVER
    lost: int = asked(0, "Magnitude lost already", "DW-HORDE-3", ge=0, le=199)
    pinned: bool = False
    surprised: bool = False
    initiative: int = INITIATIVE
    arsenal: tuple[WeaponProfile, ...] = ()


class SideStart(Inputs, frozen=True):
    """A side."""

    name: str = ""
    fighters: tuple[FighterStart, ...] = ()
    mobs: tuple[MobStart, ...] = ()
    cohesion: int = asked(0, clause="DW-COND-COHESION", ge=0, le=50)


class TerrainStart(Inputs, frozen=True):
    """A piece of terrain: three corners or more, or one and a radius; it covers units in it and behind it."""

    name: str = ""
    corners: tuple[setup.Spot, ...] = ()
    radius: float = asked(0.0, unit="metres", ge=0, le=240)
    top: float = asked(0.0, "Height", unit="metres", ge=0, le=60)
    cover: str = COVER
    hidden: tuple[str, ...] = asked((), "Places of a body behind it", "DW-COVER-1", about="all if none is named")
    impassable: bool = False


class Start(setup.MissionStart, frozen=True):
    """A battle before its first round; it has edges if width and depth are given."""

    unwritten: ClassVar = ("width", "depth", "zone", "terrain", *setup.MissionStart.unwritten)

    sides: tuple[SideStart, ...] = ()
    most_rounds: int = asked(20, "Rounds", ge=1, le=1000)
    width: float = asked(0.0, "Width of the table", about="(0 = no edges)", unit="metres", ge=0, le=5000)
    depth: float = asked(0.0, "Depth of the table", about="(0 = no edges)", unit="metres", ge=0, le=5000)
    zone: float = asked(0.0, "Depth of the deployment zones", about="(0 = none)", unit="metres", ge=0, le=240)
    terrain: tuple[TerrainStart, ...] = ()


# --- profiles written out ---------------------------------------------------------------------------------------------


def fill_unit(kind: str, given: Mapping[str, Any], book: ProfileBook) -> Mapping[str, Any]:
    """Fill in a character or horde with the numbers of its profile, its weapons and its armour."""
    raise_if_refused(talents.refuse_unknown(given, book))
    filled = written_out(given, kind, book)
    own = given.get("arsenal", ())
    if isinstance(own, (list, tuple)):
        known = {entry_value(weapon, "name").lower() for weapon in own}
        carried = (*filled.get("weapons", ()), *filled.get("barrels", ()))
        named = (str(name) for name in carried if str(name).lower() not in known)
        weapons = [book.find("weapon", name) for name in named]
        rounds = [round for weapon in weapons for round in ammunition_of(weapon, book)]
        filled["arsenal"] = (*own, *dict.fromkeys([*weapons, *rounds]))
    if kind == "character":
        filled.setdefault("suit", tuple(book.find("armour", str(name)) for name in filled.get("armour", ())))
    return filled


# --- the battle -------------------------------------------------------------------------------------------------------


@clause("DW-ECON-1")
def begin_battle(start: Start, rulings: Rulings) -> State:
    """Set the sides up; every unit needs a name of its own."""
    sides, fighters, mobs, positions = setup.check_sides([side.name for side in start.sides]), [], [], []
    for side in start.sides:
        if not (side.fighters or side.mobs):
            raise BadInput(f"{side.name} needs a fighter or a mob; got none.", field="fighters")
        for fighter in side.fighters:
            fighters.append(_fighter(fighter, side.name, rulings))
            positions.append(position_of(fighters[-1], Point(fighter.x, fighter.y)))
        for mob in side.mobs:
            mobs.append(_mob(mob, side.name))
            positions.append(position_of(mobs[-1], Point(mob.x, mob.y)))
    state = State(
        rulings=rulings,
        field=_field(start, sides, positions),
        fighters=tuple(fighters),
        mobs=tuple(mobs),
        cohesion=tuple((side.name, side.cohesion) for side in start.sides),
        clock=Clock((), PHASES, turns=(start.turns or start.most_rounds) + 1, turn=0),
        mission=start.mission,
    )
    setup.check_names("unit", [unit.name for unit in state.units])
    return with_turn_order(state) if all(unit.initiative for unit in state.units) else state


@clause("DW-MOVE-1")
def _field(start: Start, sides: tuple[str, ...], positions: list[Position]) -> Battlefield[Terrain]:
    """Lay everything out, in metres between middles."""
    board = Board(start.width, start.depth) if start.width and start.depth else None
    objectives = setup.start_objectives(start, board)
    if start.mission and mission(start.mission).held and not objectives:
        needs = f"{start.mission} needs objectives, or a table of some width and depth for them."
        raise BadInput(needs, field="mission")
    field = Battlefield[Terrain](
        sides=sides,
        positions=tuple(positions),
        terrain=_terrain(start.terrain),
        board=board,
        zones=setup.edge_zones(sides, board, start.zone) if board is not None and start.zone else (),
        objectives=objectives,
        unit="metres",
        cover_is="bonus",
        between="middles",
    )
    setup.check_places(field, crowded=True)
    return field


@clause("DW-COVER-1", "DW-COVER-2")
def _terrain(starts: tuple[TerrainStart, ...]) -> tuple[Terrain, ...]:
    """Lay the terrain; pieces without a name are numbered."""
    pieces = []
    for number, start in enumerate(starts, 1):
        corners, (ap, hidden) = setup.points_of(start.corners), parse_cover(start.cover, start.hidden)
        setup.check_outline(corners, start.radius)
        name, kind = start.name or f"Terrain {number}", "impassable" if start.impassable else ""
        pieces.append(Terrain(name, kind, corners, start.radius, start.top, ap, hidden))
    setup.check_names("piece of terrain", [piece.name for piece in pieces])
    return tuple(pieces)


def with_turn_order(state: State) -> State:
    """Return the battle in turn order: by initiative, then Agility bonus, then name; the turn goes on, or the first."""
    ranked = sorted(state.units, key=lambda unit: actions.rank(unit.initiative, unit.ab, unit.name))
    order, active = tuple(unit.name for unit in ranked), state.active
    place = order.index(active) if active else 0
    return replace(state, clock=replace(state.clock, order=order, place=place, turn=max(1, state.round)))


@clause("DW-FAT-1", "DW-DMG-1")
def _fighter(start: FighterStart, side: str, rulings: Rulings) -> Fighter:
    if start.damage_taken > start.wounds:
        raise BadInput(f"damage_taken must be {start.wounds} or less; got {start.damage_taken}", clause="DW-DMG-1")
    if start.critical and start.damage_taken < start.wounds:
        raise BadInput.of("critical", f"damage needs all {start.wounds} wounds lost first", clause="DW-DMG-1")
    suit = worn_together(start.suit)
    cover, hidden = parse_cover(start.cover, start.hidden)
    conditions = Conditions(**pick_fields(start, "stunned", "prone", "pinned", "on_fire", "blood_loss"))
    fighter = Fighter(
        **pick_fields(start, "facing", "surprised", "initiative"),
        **pick_fields(suit, "primitive", "sealed"),
        name=start.name or start.profile or "Fighter",
        side=side,
        profile=Character(**pick_fields(start, *Character.__struct_fields__)),
        armour=tuple(getattr(suit, traits.place_of(spot)) for spot in traits.SPOTS),
        cover_ap=cover,
        hidden=hidden,
        health=start.wounds - start.damage_taken - start.critical,
        by_spot=wounds.NONE_BY_SPOT if rulings.critical_track == "by_location" else (),
        conditions=conditions,
        weapons=_carried_weapons(start),
    )
    return replace(fighter, conditions=starting_conditions(conditions, start, fighter.tb))


@clause("DW-FAT-1", "DW-FAT-2", "DW-FAT-3")
def starting_conditions(conditions: Conditions, start: FighterStart, tb: int) -> Conditions:
    """Return conditions with the fatigue of the start: too much means unconscious, rest takes some away."""
    tired = add_fatigue(conditions, start.fatigue, tb)
    if tired.unconscious and (start.woken or start.rested):
        tired = replace(wake(tired, tb), prone=start.prone)
    return replace(tired, fatigue=fatigue_after_rest(tired.fatigue, start.rested))


def _carried_weapons(start: FighterStart) -> tuple[CarriedWeapon, ...]:
    """Return the weapons carried: as many of the first in hand as two hands hold, the others put away.

    One named again is another of its kind, with a number in its name and its own clip.
    """
    carried: dict[str, CarriedWeapon] = {}
    known, free = {weapon.name.lower(): weapon for weapon in start.arsenal}, 2

    def carry(weapon: WeaponProfile, of: CarriedWeapon | None = None) -> CarriedWeapon:
        rounds = tuple(known[round.lower()] for round in weapon.ammunition if round.lower() in known)
        trained = not start.profile or modifiers.is_trained(weapon, start.talents)  # with numbers of its own it is
        name, number = weapon.name, 1
        while name.lower() in carried:
            number += 1
            name = f"{weapon.name} ({number})"
        first = rounds[0].name if rounds else ""
        made = CarriedWeapon(replace(weapon, name=name), rounds, first, clip=weapon.clip, trained=trained)
        made = replace(made, barrel_of=of.profile if of else None)
        carried[name.lower()] = replace(made, ready=of.ready if of else made.hands <= free)
        return carried[name.lower()]

    barrels = iter(_barrels(start))
    for weapon in _weapons_named(start, start.weapons):
        made = carry(weapon)
        free -= made.hands if made.ready else 0
        if is_combi(weapon) and (barrel := next(barrels, None)) is not None:
            carry(barrel, made)
    return tuple(carried.values())


@clause("DW-RWEP-04")
def _barrels(start: FighterStart) -> tuple[WeaponProfile, ...]:
    """Return the second barrels of a fighter's combi-weapons, in their order; refuse more than there are weapons."""
    barrels, combi_weapons = (
        _weapons_named(start, start.barrels),
        sum(map(is_combi, _weapons_named(start, start.weapons))),
    )
    if len(barrels) > combi_weapons:
        needs = (
            f"barrels needs a combi-weapon for each; got {len(barrels)} for {plural(combi_weapons, 'combi-weapon')} of"
        )
        raise BadInput(f"{needs} {start.name or start.profile}", field="barrels", clause="DW-RWEP-04")
    for barrel in barrels:
        raise_if_refused(refuse_use(barrel, False))
    return tuple(map(as_second_barrel, barrels))


def _weapons_named(start: FighterStart | MobStart, names: tuple[str, ...]) -> tuple[WeaponProfile, ...]:
    """Return the weapons of these names; refuse names that the unit has no profile for."""
    return tuple(by_name("weapon", name, start.arsenal, source=start.name or start.profile) for name in names)


def _mob(start: MobStart, side: str) -> Mob:
    return Mob(
        **pick_fields(start, "initiative", "surprised", "pinned"),
        name=start.name or start.profile or "Mob",
        side=side,
        profile=Horde(**pick_fields(start, *Horde.__struct_fields__)),
        arsenal=_weapons_named(start, start.weapons),
        cover_ap=parse_cover(start.cover, ())[0],
        magnitude=max(1, start.magnitude - start.lost),
        starting=start.magnitude,
    )
