"""The action `repair`: a techmarine blesses a vehicle, with its servitors and its harness."""

from __future__ import annotations

from typing import Annotated

from battletape.cards import Inputs
from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Procedure, Refused, Tape, clause, listed, replace
from battletape.rulebook import inches as told_inches
from battletape.rulesets.diceless40k.battle.actions._orders import OWN_MACHINE, OWN_TROOP
from battletape.rulesets.diceless40k.battle.actions.drive import repaired
from battletape.rulesets.diceless40k.battle.board import known_distance
from battletape.rulesets.diceless40k.battle.deed import UNDONE, Deed, begin_deed, finish_deed, headline
from battletape.rulesets.diceless40k.battle.start import Distance
from battletape.rulesets.diceless40k.battle.state import State, Troop
from battletape.rulesets.diceless40k.battle.turn import refuse_away, refuse_troop, refuse_turn
from battletape.rulesets.diceless40k.rules.characteristics import SERVO_ARM, SERVO_HARNESS
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, refuse_line
from battletape.rulesets.diceless40k.rules.repairs import Repair, refuse_repair, repair_points

CONTACT = 2  # inches: a model of the unit touches the hull


class RepairOrder(Inputs, frozen=True):
    """A techmarine repairs a vehicle; which line is asked, unless it is said."""

    unit: str = OWN_TROOP
    machine: str = OWN_MACHINE
    line: Annotated[str, Meta(title="Line A to F", extra={"clause": "DL-SM-71.1"})] = ""
    distance: Distance = None


@clause("DL-SM-71.1", "DL-SM-72.1")
def refuse_blessing(state: State, order: RepairOrder) -> Refused | None:
    """Why a unit may not repair that vehicle."""
    refused = refuse_turn(state, order.unit, "shooting")
    if refused is not None:
        return refused
    unit, machine = state.troop(order.unit), state.machine(order.machine)
    refused = refuse_troop(state, unit) or refuse_repair(machine.damage)
    if refused is not None:
        return refused
    if not state.has_techmarine(unit):
        return Refused(f"{unit.name} has no techmarine", "DL-SM-71.1", "techmarine")
    if unit.fired_at or unit.ran or unit.cast or unit.mended:
        done = "fired" if unit.fired_at else "run" if unit.ran else "used a power" if unit.cast else "made a repair"
        return Refused(f"{unit.name} has {done} in this turn; a repair comes instead of firing", "DL-SM-71.1", "fired")
    if machine.side != unit.side:
        reason = f"{machine.name} belongs to {machine.side}; {unit.name} repairs vehicles of {unit.side}"
        return Refused(reason, "DL-SM-71.1", "machine")
    refused = refuse_away(machine)
    if refused is not None:
        return refused
    near = known_distance(state, unit, machine, order.distance, "DL-SM-71.1")
    if isinstance(near, Refused):
        return near
    if near is not None and near > CONTACT:
        return Refused(f"{machine.name} is {told_inches(near)} away; it has to be in contact", "DL-SM-71.1", "distance")
    line = order.line.strip().upper()
    refused = refuse_line(line) if line else None
    if refused is None and line and not machine.damage.line(line):
        held = listed([name for name in LINES if machine.damage.line(name)])
        return Refused(f"line {line} of {machine.name} holds no damage; {held} would do", "DL-SM-71.1", "line")
    return refused


@clause("DL-SM-71.1", "DL-SM-71.2", "DL-SM-71.3", "DL-SM-71.4")
def bless(tape: Tape, deed: Deed) -> Deed:
    """The owner picks a line; points come off it, hits that it made are undone, and the unit does not fire."""
    state, order = deed.state, deed.order
    unit, machine = state.troop(order.unit), state.machine(order.machine)
    points = repair_points(*_helpers(state, unit))
    repair = Repair(machine.damage, points, machine.side, state.rulings, order.line.strip().upper())
    deed = repaired(tape, deed, machine, repair)
    members = deed.state.company(deed.state.troop(unit.name))
    return deed.with_units(*(replace(member, mended=machine.name) for member in members))


def _helpers(state: State, unit: Troop) -> tuple[int, bool]:
    """Servitors with servo-arms in the unit, and whether somebody wears a harness."""
    members = state.company(unit)
    arms = sum(group.models for member in members for group in member.having(SERVO_ARM))
    return arms, any(member.having(SERVO_HARNESS) for member in members)


REPAIR = Action(
    "repair",
    "Repair a vehicle",
    RepairOrder,
    refuse_blessing,
    begin_deed,
    Procedure("repair", (bless,)),
    finish_deed,
    measures=(UNDONE,),
    headline=headline,
    clauses=("DL-SM-71.1",),
)
