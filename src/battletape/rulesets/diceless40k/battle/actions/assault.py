"""The Assault phase: `charge`, `fight`, `assault_vehicle`, `hit_and_run`, and `consolidate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from battletape.cards import Inputs
from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Procedure, Refused, Tape, clause, listed, replace
from battletape.rulebook import inches as told_inches
from battletape.rulesets.diceless40k.battle.actions._orders import ENEMY, ENEMY_MACHINE, OWN_UNIT
from battletape.rulesets.diceless40k.battle.actions.drive import suffer_ground
from battletape.rulesets.diceless40k.battle.actions.move import cross_terrain, spring_a_trap, walk
from battletape.rulesets.diceless40k.battle.assault import fight_round, hack
from battletape.rulesets.diceless40k.battle.board import (
    MoveOrder,
    Way,
    all_of,
    known_distance,
    moved_by,
    refuse_hood,
    refuse_null_zone,
    refuse_room,
    refuse_through,
    straight_way,
    way_of,
)
from battletape.rulesets.diceless40k.battle.charge import charge_way, refuse_reach
from battletape.rulesets.diceless40k.battle.deed import (
    ATTACK_MEASURES,
    HP,
    REMOVED,
    Deed,
    Walk,
    begin_deed,
    finish_deed,
    headline,
    merged,
    subject,
)
from battletape.rulesets.diceless40k.battle.ground import hurt_by_terrain, spring_mines_on, spring_mines_under
from battletape.rulesets.diceless40k.battle.start import Distance, Heading, Hood, Inches, NullZone
from battletape.rulesets.diceless40k.battle.state import Machine, State, Troop, Unitlike, things_of
from battletape.rulesets.diceless40k.battle.turn import refuse_over, refuse_troop, refuse_turn
from battletape.rulesets.diceless40k.rules.close_combat import consolidation, hit_and_run_inches, refuse_hit_and_run
from battletape.rulesets.diceless40k.rules.damage_rows import refuse_drive, refuse_target
from battletape.rulesets.diceless40k.rules.movement import (
    refuse_assault_after_run,
)
from battletape.table.distances import gap
from battletape.table.points import bearing, step

TURNS = (0, *(sign * turn for turn in range(15, 180, 15) for sign in (1, -1)), 180)
"""Degrees to either side of the way that leads straight from the enemy."""


class Charge(Inputs, frozen=True):
    """A unit charges an enemy; distance and terrain are said where there is no board."""

    unit: str = OWN_UNIT
    target: str = ENEMY
    distance: Distance = None
    terrain: Annotated[str, Meta(title="Terrain on the way, where there is no board")] = ""
    inside: Annotated[Inches, Meta(title="Inches of the move in it")] = 0.0


# --- charging --------------------------------------------------------------------------------------------------------


def _charge_way(state: State, unit: Unitlike, target: Unitlike, order: Charge) -> Way | Refused:
    """The way of a charge: by the board if both stand on it, else as it is said."""
    known = known_distance(state, unit, target, order.distance, "DL-14.1")
    if isinstance(known, Refused):
        return known
    if things_of(unit) and any(things_of(foe) for foe in all_of(state, target)):
        return charge_way(state, unit.name, target.name)
    if order.distance is None:
        return Refused("nobody has said how far away the enemy is; say distance=…", "DL-14.1", "distance")
    if order.inside > order.distance:
        return Refused("more of the way is in terrain than there is", "DL-14.1", "distance")
    off_board = replace(unit, models=()) if isinstance(unit, Troop) else replace(unit, hull=None)
    said = MoveOrder(inches=order.distance, terrain=order.terrain, inside=order.inside)
    return way_of(state, off_board, said)


def _at_end(unit: Unitlike, way: Way) -> Unitlike:
    """A unit at the end of a way."""
    return _rolled(unit, way) if isinstance(unit, Machine) else replace(unit, models=moved_by(unit.models, way))


def _refuse_assault(state: State, order: Charge, target: Unitlike) -> Refused | None:
    """Why a unit may not assault that one."""
    refused = refuse_turn(state, order.unit, "assault")
    if refused is not None:
        return refused
    unit = state.find(order.unit)
    if isinstance(unit, Troop):
        refused = refuse_troop(state, unit)
        if refused is None and unit.ran:
            refused = refuse_assault_after_run(merged(state.company(unit)))
        if refused is None and unit.fired_slow and unit.type not in ("bike", "jetbike", "monstrous_creature"):
            refused = Refused(f"{unit.name} fired weapons after which nobody assaults", "DL-0.1", "fired")
        if refused is None and (unit.exit or unit.boosted):
            refused = Refused(f"{unit.name} came on, got out or turbo-boosted and does not assault", "DL-0.1", "exit")
    elif not unit.is_walker:
        refused = Refused(f"{unit.name} is no walker and does not assault", "DL-0.1", "type")
    else:
        refused = refuse_drive(unit.damage)
        if refused is None and unit.ran:
            refused = Refused(f"{unit.name} has run and does not assault", "DL-16.1", "ran")
        if refused is None and unit.combat:
            refused = Refused(f"{unit.name} is locked in combat", "DL-0.1", "locked")
    if refused is not None:
        return refused
    if unit.fought or unit.charged:
        return Refused(f"{unit.name} has assaulted in this turn", "DL-0.1", "charged")
    if unit.fired_at and unit.fired_at != target.name:
        return Refused(f"{unit.name} fired at {unit.fired_at} and may assault nobody else", "DL-0.1", "fired")
    if target.side == unit.side:
        return Refused(f"{target.name} is on the same side; nobody assaults friends", "DL-0.1", "target")
    if isinstance(target, Troop) and target.where == "aboard" and not target.is_gone:
        return Refused(f"{target.name} rides in {target.aboard}; assault {target.aboard}", "DL-0.1", "target")
    if target.is_gone or target.where != "table":
        left = "nobody is left of it" if target.is_gone else "assault somebody who is"
        return Refused(f"{target.name} is not on the table; {left}", "DL-0.1", "target")
    if isinstance(target, Troop) and target.joined:
        return Refused(f"{target.name} is with {target.joined}; charge {target.joined}", "DL-0.1", "joined")
    way = _charge_way(state, unit, target, order)
    return way if isinstance(way, Refused) else refuse_reach(state, all_of(state, unit), way)


@clause("DL-38.1", "DL-16.1")
def refuse_charge(state: State, order: Charge) -> Refused | None:
    """Why a unit may not charge that enemy."""
    target = state.find(order.target)
    refused = _refuse_assault(state, order, target)
    if refused is not None:
        return refused
    if isinstance(target, Machine) and not target.is_walker:
        return Refused(f"{target.name} is a vehicle; use assault_vehicle", "DL-63.1", "vehicle")
    return refuse_target(target.damage) if isinstance(target, Machine) else None


def begin_charge(state: State, order: Charge) -> Walk:
    """A charge before the first step."""
    way = _charge_way(state, state.find(order.unit), state.find(order.target), order)
    if isinstance(way, Refused):
        raise way
    return Walk(state, order, way=way)


@clause("DL-14.2", "DL-57.1", "DL-SM-67.1")
def come_near(tape: Tape, deed: Walk) -> Walk:
    """The charge move, with the terrain on it and what lies hidden there; a walker suffers as a vehicle."""
    unit, target = deed.state.find(deed.order.unit), deed.state.find(deed.order.target)
    members = all_of(deed.state, unit)
    tape.tell("{} {} {}", *subject(members, "charges", "charge"), target.name, clause="DL-38.1")
    if isinstance(unit, Machine):
        return suffer_ground(tape, deed.with_units(_rolled(unit, deed.way)))
    return spring_a_trap(tape, walk(tape, cross_terrain(tape, deed)))


def _rolled(machine: Machine, way: Way) -> Machine:
    """A walker at the end of a way."""
    if machine.hull is None or not way.points:
        return machine
    return replace(machine, hull=replace(machine.hull, centre=way.points[-1]))


@clause("DL-38.1")
def lock(tape: Tape, deed: Walk) -> Walk:
    """Chargers and charged are locked in a fight."""
    state = deed.state
    unit, target = state.find(deed.order.unit), state.find(deed.order.target)
    if unit.is_gone:
        return deed
    number = target.combat or state.combats + 1
    slowed = any(ground == "difficult" and inches > 0 for ground, inches in deed.way.pieces)
    chargers = state.company(unit) if isinstance(unit, Troop) else (unit,)
    charged = state.company(target) if isinstance(target, Troop) else (target,)
    locked: list[Unitlike] = []
    for charger in chargers:
        now = replace(charger, combat=number, charged=True)
        locked.append(replace(now, slowed=slowed) if isinstance(now, Troop) else now)
    for foe in charged:
        now = replace(foe, combat=number)
        locked.append(replace(now, gone_to_ground=False) if isinstance(now, Troop) else now)
    tape.tell("{} are locked in combat", listed([member.name for member in (*chargers, *charged)]))
    for foe in charged:
        if isinstance(foe, Troop) and foe.gone_to_ground:
            tape.tell("{} gets up again", foe.name, clause="DL-20.1")
    return replace(deed.with_units(*locked), state=replace(state.changed(*locked), combats=max(state.combats, number)))


CHARGE = Action(
    "charge",
    "Charge",
    Charge,
    refuse_charge,
    begin_charge,
    Procedure("charge", (come_near, lock)),
    finish_deed,
    measures=(HP, REMOVED),
    headline=headline,
    clauses=("DL-14.1", "DL-38.1"),
)


# --- fighting --------------------------------------------------------------------------------------------------------


ExtraWounds = Annotated[
    int, Meta(ge=0, le=50, title="Wounds that special rules add to a result", extra={"clause": "DL-44.3"})
]


class FightOrder(Inputs, frozen=True):
    """A fight is fought; any unit in it names it, and extra wounds are those of its side and of the enemy's."""

    unit: Annotated[str, Meta(title="A unit in the fight", extra={"role": "combat"})] = ""
    extra_wounds: ExtraWounds = 0
    enemy_extra_wounds: ExtraWounds = 0
    hood: Hood = None
    null_zone: NullZone = None


@clause("DL-38.1")
def refuse_fight(state: State, order: FightOrder) -> Refused | None:
    """A fight is fought once in each Assault phase."""
    refused = refuse_over(state)
    unit = state.find(order.unit)
    if refused is not None:
        return refused
    if state.phase != "assault":
        return Refused("fights are fought in the Assault phase", "DL-38.1", "phase")
    if not unit.combat:
        return Refused(f"{unit.name} is in no fight", "DL-38.1", "combat")
    if unit.fought:
        return Refused(f"the fight of {unit.name} has been fought in this phase", "DL-38.1", "fought")
    units = state.in_combat(unit.combat)
    troops = [troop for troop in units if isinstance(troop, Troop)]
    return refuse_hood(state, troops, order.hood) or refuse_null_zone(state, units, order.null_zone)


@clause("DL-38.1", "DL-63.1", "DL-44.1")
def strike_blows(tape: Tape, deed: Deed) -> Deed:
    """Blows in order of Initiative, at troops and at walkers, and what follows from them."""
    number = deed.state.find(deed.order.unit).combat
    deed = fight_round(tape, deed, number)
    done = [replace(unit, fought=True) for unit in deed.state.units if unit.combat == number]
    return deed.with_units(*done)


FIGHTING = Action(
    "fight",
    "Fight a round",
    FightOrder,
    refuse_fight,
    begin_deed,
    Procedure("fight", (strike_blows,)),
    finish_deed,
    measures=ATTACK_MEASURES,
    headline=headline,
    clauses=("DL-38.1", "DL-44.1"),
)


# --- vehicles --------------------------------------------------------------------------------------------------------


class HullCharge(Charge, frozen=True):
    """A unit assaults a vehicle that does not fight."""

    target: str = ENEMY_MACHINE


@clause("DL-63.1")
def refuse_hull_charge(state: State, order: HullCharge) -> Refused | None:
    """Why a unit may not assault that vehicle."""
    target = state.machine(order.target)
    refused = refuse_target(target.damage) or _refuse_assault(state, order, target)
    if refused is not None:
        return refused
    if target.is_walker:
        return Refused(f"{target.name} is a walker; charge it and fight", "DL-63.4", "walker")
    return None


@clause("DL-63.1", "DL-63.4", "DL-63.5")
def hack_at_hull(tape: Tape, deed: Walk) -> Walk:
    """All strike at once, with their weapons or with grenades."""
    unit = deed.state.find(deed.order.unit)
    if unit.is_gone:
        return deed
    members = deed.state.company(unit) if isinstance(unit, Troop) else (unit,)
    charging = [replace(member, charged=True) for member in members]
    deed = deed.with_units(*charging)
    return hack(tape, deed, tuple(charging), deed.order.target)


ASSAULT_VEHICLE = Action(
    "assault_vehicle",
    "Assault a vehicle",
    HullCharge,
    refuse_hull_charge,
    begin_charge,
    Procedure("assault on a vehicle", (come_near, hack_at_hull)),
    finish_deed,
    measures=ATTACK_MEASURES,
    headline=headline,
    clauses=("DL-63.1",),
)


# --- after the fight -------------------------------------------------------------------------------------------------


class Away(Inputs, frozen=True):
    """A unit leaves its fight, in a direction where there is a board."""

    unit: Annotated[str, Meta(title="Who", extra={"role": "any troop"})] = ""
    bearing: Annotated[Heading | None, Meta(title="Direction; straight from the enemy if none")] = None


@clause("DL-75.2")
def refuse_away(state: State, order: Away) -> Refused | None:
    """Why a unit may not leave its fight: it does so at the end of any Assault phase, its own or the enemy's."""
    refused = refuse_over(state)
    if refused is not None:
        return refused
    if state.phase != "assault":
        return Refused("units hit and run in the Assault phase", "DL-75.2", "phase")
    unit = state.troop(order.unit)
    if not unit.combat or not unit.fought or unit.joined:
        return Refused(f"{unit.name} leaves a fight once it has been fought", "DL-75.2", "combat")
    refused = refuse_hit_and_run(merged(state.company(unit)), state.rulings)
    if refused is not None:
        return refused
    out = _out_of_fight(state, order)
    return out if isinstance(out, Refused) else None


@clause("DL-75.2", "DL-0.1")
def _out_of_fight(state: State, order: Away) -> Way | Refused:
    """The way of a unit out of its fight: as it is said, or else as straight from the enemy as there is room."""
    unit = state.troop(order.unit)
    inches = hit_and_run_inches()
    if not unit.models:
        return Way(inches, (("open", inches),))
    members = state.company(unit)
    fighting = state.in_combat(unit.combat)
    foes = [thing for foe in fighting if foe.side != unit.side for thing in things_of(foe)]
    start = unit.models[0].centre
    front = step(start, 0.0 if unit.side == state.sides[0] else 180.0, 1)  # where enemies are, if nobody knows
    if order.bearing is not None:
        bearings = [order.bearing]
    else:
        nearest = min(foes, key=lambda foe: gap(foe, unit.models[0])).centre if foes else front
        bearings = [bearing(nearest, start) + turn for turn in TURNS]
    barred: Refused | None = None
    for towards in bearings:
        way = straight_way(state, members, towards, inches)
        refused = way if isinstance(way, Refused) else _refuse_leaving(state, members, way, fighting)
        if refused is None:
            return way
        barred = barred or refused
    assert barred is not None
    return Refused(f"{barred.reason}; say another bearing=…", "DL-75.2", barred.kind)


def _refuse_leaving(state: State, members: Sequence[Troop], way: Way, fighting: Sequence[Unitlike]) -> Refused | None:
    there = [_at_end(member, way) for member in members]
    return refuse_room(state, there) or refuse_through(state, members, way, [foe.name for foe in fighting])


def begin_away(state: State, order: Away) -> Walk:
    """A unit that is about to leave its fight."""
    way = _out_of_fight(state, order)
    if isinstance(way, Refused):
        raise way
    return Walk(state, order, way=way)


@clause("DL-75.2", "DL-14.2", "DL-SM-67.1")
def run_away(tape: Tape, deed: Walk) -> Walk:
    """A unit leaves its fight; what is dangerous on its way hurts it, as on any other."""
    members = deed.state.company(deed.state.troop(deed.order.unit))
    tape.tell("{} {} the fight and {} {}", *_leaving(members), told_inches(round(deed.way.inches, 1)))
    deed = hurt_by_terrain(
        tape, deed.with_units(*(replace(member, combat=0) for member in members)), deed.order.unit, deed.way
    )
    members = deed.state.company(deed.state.troop(deed.order.unit))
    deed = deed.with_units(*(_at_end(member, deed.way) for member in members))
    return spring_mines_on(tape, deed, deed.order.unit, deed.way)


def _leaving(members: Sequence[Troop]) -> tuple[str, str, str]:
    names, leave = subject(members, "leaves", "leave")
    return names, leave, "moves" if leave == "leaves" else "move"


HIT_AND_RUN = Action(
    "hit_and_run",
    "Hit and run",
    Away,
    refuse_away,
    begin_away,
    Procedure("hit and run", (run_away,)),
    finish_deed,
    clauses=("DL-75.2",),
)


class Consolidate(MoveOrder, frozen=True):
    """A victorious unit that is free moves a little, in its own turn or in the enemy's."""

    unit: Annotated[str, Meta(title="Who", extra={"role": "any unit"})] = ""


@clause("DL-40.2")
def refuse_consolidate(state: State, order: Consolidate) -> Refused | None:
    """Only who has won and is free consolidates, up to 4 inches, whatever the terrain."""
    refused = refuse_over(state)
    unit = state.find(order.unit)
    if refused is not None:
        return refused
    if state.phase != "assault" or not unit.free or unit.is_gone:
        return Refused(f"{unit.name} has won no fight that it could leave", "DL-40.2", "free")
    way = way_of(state, unit, order)
    if isinstance(way, Refused):
        return way
    if way.inches > consolidation():
        return Refused(
            f"a unit consolidates {consolidation()} inches; got {told_inches(way.inches)}", "DL-40.2", "distance"
        )
    if not way.points:
        return None
    members = all_of(state, unit)
    return refuse_room(state, [_at_end(member, way) for member in members]) or refuse_through(state, members, way)


def begin_consolidation(state: State, order: Consolidate) -> Walk:
    """A unit that is about to consolidate."""
    way = way_of(state, state.find(order.unit), order)
    if isinstance(way, Refused):
        raise way
    return Walk(state, order, way=way)


@clause("DL-40.2", "DL-SM-67.1")
def move_on(tape: Tape, deed: Walk) -> Walk:
    """A free unit moves; no terrain slows or hurts it, but mines that lie hidden there do not care."""
    unit = deed.state.find(deed.order.unit)
    members = all_of(deed.state, unit)
    verb = subject(members, "consolidates", "consolidate")
    tape.tell("{} {} {}", *verb, told_inches(round(deed.way.inches, 1)))
    moved = [replace(_at_end(member, deed.way), free=False) for member in members]
    deed = deed.with_units(*moved)
    if isinstance(unit, Machine):
        return spring_mines_under(tape, deed, unit.name, deed.way)
    return spring_mines_on(tape, deed, unit.name, deed.way)


CONSOLIDATE = Action(
    "consolidate",
    "Consolidate",
    Consolidate,
    refuse_consolidate,
    begin_consolidation,
    Procedure("consolidation", (move_on,)),
    finish_deed,
    clauses=("DL-40.2",),
)
