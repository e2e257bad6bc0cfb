"""The straight line of a tank in a battle: who and what is on it, and who may stand in its way for glory."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5 import terrain, walkers
from battletape.rulesets.vehicles5.driving import (
    grounds_about,
    on_road,
    stands_on,
)
from battletape.rulesets.vehicles5.field import Field, Machine, Squad, things_of
from battletape.rulesets.vehicles5.glory import Glory
from battletape.rulesets.vehicles5.melee import grenade_of, walker_of
from battletape.rulesets.vehicles5.movement import refuse_move
from battletape.rulesets.vehicles5.moving import refuse_flat_out, refuse_moving
from battletape.rulesets.vehicles5.orders import close_to, half_diagonal
from battletape.rulesets.vehicles5.profiles import is_fearless, rules_of
from battletape.rulesets.vehicles5.tables import GRENADES
from battletape.rulesets.vehicles5.tank_shock import Drive, Line, OnLine, Rough, Shocked, line, look_ahead
from battletape.rulesets.vehicles5.traits import Band, State
from battletape.rulesets.vehicles5.troops import APART, capped
from battletape.rulesets.vehicles5.walker_fight import fists
from battletape.table.board import board_distance, is_on_board
from battletape.table.distances import overlaps
from battletape.table.hulls import Hull, driven, turned
from battletape.table.points import TOLERANCE, step
from battletape.table.sweeps import Contact, contact_spans, swept


def road_ahead(field: Field, hull: Hull, inches: float) -> bool:
    """Whether a straight drive stays on a road."""
    return on_road(field, (hull.centre, step(hull.centre, hull.heading, inches)))


@clause("V5-TANK-2", "V5-RAM-1", "V5-FAST-5")
def refuse_aim(field: Field, machine: Machine, heading: float, speed: Band, ram: bool = False) -> Refused | None:
    """Why a tank may not turn there and charge straight on at this speed."""
    state = field.condition(machine).state
    refused = refuse_move("ram" if ram else "tank_shock", machine.traits, state, field.rules)
    refused = refused or refuse_moving(field, machine) or refuse_flat_out(field, machine, speed)
    if refused is not None:
        return refused
    hull = turned(machine.hull, heading)
    if stands_on(hull, field.bodies(machine.name)):
        return Refused(f"{machine.name} would stand on a model as it turns", "V5-TERR-4", "model")
    if not is_on_board(field.board, hull):
        return Refused(f"{machine.name} would reach over the edge of the table as it turns", "V5-TANK-4", "edge")
    return None


@clause("V5-TANK-3", "V5-TANK-4")
def on_line(field: Field, machine: Machine, hull: Hull, inches: float, *but: str) -> tuple[OnLine, ...]:
    """Everything on the lane ahead, but for the machines named."""
    reach = inches + half_diagonal(hull) + APART
    near = [one for one in field.on_table(machine.name) if close_to(hull.centre, reach, things_of(one))]
    foes = [one for one in near if one.side != machine.side]
    squads = [one for one in foes if isinstance(one, Squad)]
    own = [one for one in near if one.side == machine.side]
    found = look_ahead(
        hull,
        inches,
        {one.name: one.models for one in squads if not one.locked_with},
        engaged={one.name: one.models for one in squads if one.locked_with},
        vehicles={one.name: one.hull for one in foes if isinstance(one, Machine) and one.name not in but},
        friends={f"{one.name} {at}": thing for one in own for at, thing in enumerate(things_of(one))},
    )
    if machine.traits.skimmer:  # it flies over friends and walls, and has only to come down elsewhere
        found = tuple(one for one in found if one.kind != "friendly")
    solid = [one for one in grounds_about(field, hull, inches) if one.kind == "impassable"]
    walls = [contact_spans(hull, inches, one.ground) for one in solid]
    found += tuple(OnLine("impassable", spans[0][0]) for spans in walls if spans)
    edge = board_distance(field.board, hull)
    return (*found, OnLine("edge", edge)) if edge < inches else found


@clause("V5-TANK-3", "V5-TANK-5", "V5-DOG-1")
def drive_of(
    field: Field,
    machine: Machine,
    hull: Hull,
    inches: float,
    going: Line,
    target_at: float | None = None,
    ram: bool = False,
) -> Drive:
    """A tank about to charge along its line, up to the target of a ram if there is one."""
    condition = field.fresh(machine)
    reach = going.moved if target_at is None else min(going.moved, target_at)
    reached = target_at is not None and target_at <= going.moved + TOLERANCE
    met = ((field.squad(name), swept(hull, reach, field.squad(name).models)) for name in going.shocked)
    units = [_shocked(squad, contacts) for squad, contacts in met if contacts]
    return Drive(
        start=condition,
        tank=condition,
        front=machine.profile.front,
        traits=machine.traits,
        declared=inches,
        stop_at=reach,
        end="" if reached else going.stopped_by,
        on_road=road_ahead(field, hull, inches),
        ram=ram,
        units=(*units, *_rough(field, machine, hull, reach)),
        by=field.other_side(machine.side),
        rules=field.rules,
    )


def line_of(
    field: Field, machine: Machine, hull: Hull, inches: float, ram: bool, *but: str, going_on: bool = False
) -> Line | Refused:
    """How far the tank gets if nobody stops it, or why it may not be tried; one that is going on may, however short."""
    path, state, rules = on_line(field, machine, hull, inches, *but), field.condition(machine).state, field.rules
    if going_on:
        state, rules = State(), replace(rules, tank_shock_least="above_zero")
    road = road_ahead(field, hull, inches)
    return line(machine.traits, state, inches, path, on_road=road, ram=ram, rules=rules)


@clause("V5-TERR-2", "V5-SKIM-3")
def _rough(field: Field, machine: Machine, hull: Hull, reach: float) -> tuple[Rough, ...]:
    """Where the ground has to be tested for."""
    found: list[float] = []
    skims = machine.traits.skimmer
    for one in grounds_about(field, hull, reach):
        if not terrain.tests(machine.traits, [one.kind], "landing" if skims else "through", field.rules):
            continue
        if overlaps(hull, one.ground):
            found.append(0.0)
        elif skims:
            found += [reach] if overlaps(driven(hull, reach), one.ground) else []
        else:
            found += [spans[0][0] for spans in [contact_spans(hull, reach, one.ground)] if spans]
    found.sort()
    return tuple(Rough(at) for at in (found[:1] if field.rules.terrain_tests == "one_per_move" else found))


def _shocked(squad: Squad, met: Sequence[Contact]) -> Shocked:
    one = squad.profile
    return Shocked(squad.name, met[0].inches, one.ld, squad.falling_back, is_fearless(one), arms(squad, met))


@clause("V5-DOG-1", "V5-DOG-2")
def arms(squad: Squad, met: Sequence[Contact]) -> tuple[Glory, ...]:
    """What the models in the path of a tank may strike it with: their guns, a grenade, or a blow.

    Of several models with the same weapon it is the first that the tank comes to.
    """
    one, carried, blades = squad.profile, carried_by_model(squad), carried_by_model(squad, melee=True)
    found: dict[str, Glory] = {}
    for contact in met:
        for weapon in squad.ways(carried[contact.model]) if contact.model < len(carried) else ():
            rules = (*rules_of(weapon), *one.rules)
            arm = Glory(weapon.name, weapon.strength or 1, weapon.ap, hits=weapon.shots, rules=rules)
            found.setdefault(weapon.name, replace(arm, model=contact.model, at=contact.inches))
    model, at = met[0].model, met[0].inches
    for name in one.grenades:
        strength, dice = GRENADES[grenade_of(squad, name)]
        found[name] = Glory(name, strength, dice=dice, rules=one.rules, model=model, at=at)
    for contact in met:
        blade = squad.ways(blades[contact.model])[0] if contact.model < len(blades) else None
        heavy = blade is not None and blade.times > 1
        name = blade.name if blade is not None and heavy else "blow"
        strength = capped(2 * one.strength) if heavy else one.strength
        found.setdefault(name, Glory(name, strength, rules=one.rules, model=contact.model, at=contact.inches))
    return tuple(sorted(found.values(), key=lambda arm: (-arm.strength, arm.name)))


def carried_by_model(squad: Squad, melee: bool = False) -> list[str]:
    """What each model shoots or strikes with; those without come last."""
    return [name for name, count in squad.bearers(melee) for _ in range(count)]


@clause("V5-WALK-15", "V5-DOG-2", "V5-DMG-1", "V5-DMG-2")
def walker_arms(field: Field, machine: Machine) -> tuple[Glory, ...]:
    """What a walker may strike a ramming tank with: its blow, or an intact gun."""
    walker, own = walker_of(machine), field.condition(machine)
    blow = Glory("blow", walkers.strength(walker.strength, fists(walker, own, field.rules)))
    guns = [one for gun in machine.guns if gun.label in own.weapons and not gun.spent for one in gun.weapons]
    if own.shaken or own.stunned:  # such a crew does not shoot, but its machine strikes
        guns = []
    shots = [
        Glory(one.name, one.strength or 1, one.ap, hits=one.shots, rules=rules_of(one))
        for one in guns
        if one.type != "melee"
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
    return tuple(at for at, one in enumerate(squad.models) if overlaps(one, hull))
