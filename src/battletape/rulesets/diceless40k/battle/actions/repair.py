"""The action `repair`: a techmarine repairs a vehicle, with its servitors and its harness."""

from __future__ import annotations

from battletape.cards import Action, Inputs, Plan, asked
from battletape.rulebook import Procedure, Tape, clause, inches, listed, need, raise_if_refused, replace
from battletape.rulesets.diceless40k.battle import turn
from battletape.rulesets.diceless40k.battle.actions._orders import OWN_SQUAD, OWN_VEHICLE
from battletape.rulesets.diceless40k.battle.actions.drive import apply_repair
from battletape.rulesets.diceless40k.battle.moves import distance_to
from battletape.rulesets.diceless40k.battle.pending import UNDONE, PendingAction, begin_action, headline
from battletape.rulesets.diceless40k.battle.start import Distance
from battletape.rulesets.diceless40k.battle.state import Squad, State, Vehicle
from battletape.rulesets.diceless40k.rules.characteristics import SERVO_ARM, SERVO_HARNESS
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, refuse_line
from battletape.rulesets.diceless40k.rules.repairs import Repair, refuse_repair, repair_points

CONTACT = 2  # inches: a model of the unit touches the hull


class RepairOrder(Inputs, frozen=True):
    """A techmarine repairs a vehicle; its player is asked for the line, unless it is given."""

    aliases = (("machine", "target"),)
    unit: str = OWN_SQUAD
    target: str = OWN_VEHICLE
    line: str = asked("", "Line A to F", "DL-SM-71.1")
    distance: Distance = None


@clause("DL-SM-71.1", "DL-SM-72.1")
def plan_repair(state: State, order: RepairOrder) -> Plan:
    """Refuse units without a techmarine or that have fired, and vehicles that are whole, far away or of the enemy."""
    turn.need_vehicle(state, order.target, state.active)
    unit = turn.acting_squad(state, order.unit, otherwise="techmarines repair it")
    vehicle = turn.of_kind(Vehicle, state.find(order.target), "is no vehicle and cannot be repaired")
    turn.need_free(state, unit)
    need(state.has_techmarine(unit), f"{unit.name} has no techmarine", "DL-SM-71.1", "techmarine")
    if unit.fired_at or unit.ran or unit.cast or unit.repaired:
        done = "fired" if unit.fired_at else "run" if unit.ran else "used a power" if unit.cast else "made a repair"
        reason = f"{unit.name} has {done} in this turn; a repair comes instead of firing"
        need(False, reason, "DL-SM-71.1", "fired")
    foreign = f"{vehicle.name} belongs to {vehicle.side}; {unit.name} repairs vehicles of {unit.side}"
    need(vehicle.side == unit.side, foreign, "DL-SM-71.1", "machine")
    turn.need_in_play(state, vehicle)
    raise_if_refused(refuse_repair(vehicle.damage))
    distance = distance_to(state, unit, vehicle, order.distance, "DL-SM-71.1")
    reason = f"{vehicle.name} is {inches(distance)} away; it has to be in contact"
    need(distance <= CONTACT, reason, "DL-SM-71.1", "distance")
    line = order.line.strip().upper()
    if line:
        raise_if_refused(refuse_line(line))
        held = listed([name for name in LINES if vehicle.damage.line(name)])
        whole = f"line {line} of {vehicle.name} holds no damage; {held} would do"
        need(vehicle.damage.line(line), whole, "DL-SM-71.1", "line")
    return Plan(begin_action, state, order)


@clause("DL-SM-71.1", "DL-SM-71.2", "DL-SM-71.3", "DL-SM-71.4")
def repair_vehicle(tape: Tape, work: PendingAction) -> PendingAction:
    """Let the owner pick a line; points come off it, hits that it made are undone, and the unit does not fire."""
    state, order = work.state, work.order
    unit, vehicle = state.squad(order.unit), state.vehicle(order.target)
    points = repair_points(*_helpers(state, unit))
    repair = Repair(vehicle.damage, points, vehicle.side, state.rulings, order.line.strip().upper())
    work = apply_repair(tape, work, vehicle, repair)
    members = work.state.joined_units(work.state.squad(unit.name))
    return work.with_units(*(replace(member, repaired=vehicle.name) for member in members))


def _helpers(state: State, unit: Squad) -> tuple[int, bool]:
    """Return the number of servitors with servo-arms in the unit, and if a model wears a harness."""
    members = state.joined_units(unit)
    arms = sum(group.models for member in members for group in member.groups_with(SERVO_ARM))
    return arms, any(member.groups_with(SERVO_HARNESS) for member in members)


REPAIR = Action(
    "repair",
    "Repair a vehicle",
    RepairOrder,
    plan_repair,
    Procedure("repair", (repair_vehicle,)),
    measures=(UNDONE,),
    headline=headline,
    closed=turn.closed_but_in("shooting"),
    clauses=("DL-SM-71.1",),
)
