"""What keeps a machine from moving in a battle, or from moving so fast, whatever its crew has suffered."""

from __future__ import annotations

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.field import Field, Machine
from battletape.rulesets.vehicles5.traits import Band


@clause("V5-MOVE-1", "V5-TRAN-8", "V5-WALK-8")
def refuse_moving(field: Field, machine: Machine) -> Refused | None:
    """Why a machine has no move left this turn."""
    if machine.locked_with:
        return Refused(f"{machine.name} is locked in a fight with {machine.locked_with[0]}", "V5-WALK-8", "locked")
    if machine.exit_after_move:
        return Refused(f"a unit got out of {machine.name} after its move; it stays as it is", "V5-TRAN-8", "exit")
    if machine.moved:
        return Refused(f"{machine.name} has moved {machine.path:g} inches this turn already", "V5-MOVE-2", "moved")
    if machine.finished_move:
        return Refused(f"{machine.name} was declared stationary this turn", "V5-MOVE-1", "stationary")
    return None


@clause("V5-FAST-5")
def refuse_flat_out(field: Field, machine: Machine, speed: Band) -> Refused | None:
    """Why a machine may not go flat out: somebody got in or out of it, and a ruling minds that."""
    if speed != "flat_out" or not field.rules.flat_out_symmetric:
        return None
    for one in field.squads:
        if (one.boarded and one.aboard == machine.name) or (one.left and one.left_from == machine.name):
            reason = f"{one.name} got in or out of {machine.name}, so that it may not go flat out"
            return Refused(f"{reason} by flat_out_symmetric", "V5-FAST-5", "flat_out")
    return None
