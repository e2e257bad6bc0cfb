"""What machines do without driving: turning on the spot, standing still, and setting off smoke."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.vehicles5.driving import stands_on
from battletape.rulesets.vehicles5.field import Field, Machine
from battletape.rulesets.vehicles5.movement import refuse_move
from battletape.rulesets.vehicles5.moving import refuse_moving
from battletape.rulesets.vehicles5.orders import Heading, OneUnit, at_once, machine_of, mine, refuse_turn
from battletape.rulesets.vehicles5.profiles import has_smoke
from battletape.rulesets.vehicles5.smoke import refuse_smoke
from battletape.table.board import is_on_board
from battletape.table.hulls import turned
from battletape.table.points import wrap


class Turn(Inputs, frozen=True):
    """A machine turns on the spot."""

    unit: str = ""
    heading: Heading = 0.0


# --- turning and standing -------------------------------------------------------------------------------------------


@clause("V5-MOVE-1", "V5-TERR-4")
def refuse_turning(field: Field, order: Turn) -> Refused | None:
    """Why a machine may not turn on the spot."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "turn on the spot", "V5-MOVE-1")
    if isinstance(machine, Refused):
        return machine
    refused = refuse_move("pivot", machine.traits, field.condition(machine).state, field.rules)
    if refused is not None:
        return refused
    if machine.locked_with or machine.exit_after_move:
        return refuse_moving(field, machine)
    if machine.smoke_turn == field.turn:
        reason = f"{machine.name} has set off its smoke, which ends its move; it turns before that"
        return Refused(reason, "V5-SMOKE-1", "smoke")
    if machine.declared != "normal":
        return Refused(f"{machine.name} turns before it charges straight on, not after", "V5-TANK-2", "declared")
    after = turned(machine.hull, order.heading)
    if stands_on(after, field.bodies(machine.name)):
        return Refused(f"{machine.name} would stand on a model", "V5-TERR-4", "model")
    if not is_on_board(field.board, after):
        return Refused(f"{machine.name} would reach over the edge of the table", "V5-TANK-4", "edge")
    return None


def _turn(field: Field, order: Turn) -> Field:
    machine = field.machine(order.unit)
    return field.changed(replace(machine, hull=turned(machine.hull, order.heading), pivoted=True))


@clause("V5-MOVE-1")
def refuse_standing(field: Field, order: OneUnit) -> Refused | None:
    """Why a machine cannot be declared stationary."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "are declared stationary", "V5-MOVE-1")
    return machine if isinstance(machine, Refused) else refuse_moving(field, machine)


def _stand(field: Field, order: OneUnit) -> Field:
    return field.changed(replace(field.machine(order.unit), finished_move=True))


# --- smoke ----------------------------------------------------------------------------------------------------------


@clause("V5-SMOKE-1", "V5-WALK-4")
def refuse_smoking(field: Field, order: OneUnit) -> Refused | None:
    """Why a machine may not set off its smoke."""
    refused = refuse_turn(field, order.unit)
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "have smoke launchers", "V5-SMOKE-1")
    if isinstance(machine, Refused):
        return machine
    if machine.fired_at:
        return Refused(f"{machine.name} has fired this turn", "V5-SMOKE-2", "fired")
    return refuse_smoke(
        machine.traits,
        has_smoke(machine.profile),
        machine.smoke_used,
        field.phase,
        machine.moved,
        machine.finished_move,
        machine.ran,
        field.rules,
        field.condition(machine).state,
    )


def _smoke(field: Field, order: OneUnit) -> Field:
    machine = field.machine(order.unit)
    return field.changed(replace(machine, smoke_used=True, smoke_turn=field.turn, finished_move=True))


# --- the cards ------------------------------------------------------------------------------------------------------


def _turns(field: Field) -> Iterator[Turn]:
    for one in mine(field, "movement"):
        if isinstance(one, Machine) and not one.pivoted:
            yield from (Turn(unit=one.name, heading=wrap(one.hull.heading + by)) for by in (-90, 90, 180))


def each_machine(field: Field) -> Iterable[OneUnit]:
    """Every machine of the active side."""
    return (OneUnit(unit=one.name) for one in mine(field) if isinstance(one, Machine))


TURN = at_once(
    "turn_on_spot", "Turn a machine on the spot", Turn, refuse_turning, _turn, _turns, "V5-MOVE-1", "V5-TERR-4"
)
STAND = at_once("stand", "Declare a machine stationary", OneUnit, refuse_standing, _stand, each_machine, "V5-MOVE-1")
SMOKE = at_once("smoke", "Set off smoke", OneUnit, refuse_smoking, _smoke, each_machine, "V5-SMOKE-1", "V5-SMOKE-3")
