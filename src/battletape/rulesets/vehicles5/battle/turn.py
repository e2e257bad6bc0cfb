"""The turn: when the battle is over, who may act and move now, and what ends with a phase or a player turn."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.battle.state import Field, Machine, Squad, Unitlike
from battletape.rulesets.vehicles5.rules.traits import Band, Phase


def over(field: Field) -> str | None:
    """Who has won: the only side with anything left, or nobody when the turns are over."""
    alive = {one.side for one in field.units if not one.is_gone}
    if len(alive) == 1:
        return f"{alive.pop()} holds the field"
    if not alive:
        return "Nobody is left on the table"
    return f"The battle ends after {field.most_turns} player turns" if field.turn > field.most_turns else None


@clause("V5-CORE-16")
def refuse_turn(field: Field, name: str, *phases: Phase) -> Refused | None:
    """Why a unit may not act now: the battle is over, it is not its turn, it is another phase, or it is gone."""
    ended, unit = over(field), field.find(name)
    if ended is not None:
        return Refused(f"the battle is over: {ended}", "V5-CORE-16", "over")
    if unit.side != field.active:
        return Refused(f"it is the turn of {field.active}; {unit.name} belongs to {unit.side}", "V5-CORE-16", "turn")
    if phases and field.phase not in phases:
        wanted = " or ".join(phases)
        return Refused(f"this belongs to the {wanted} phase; it is the {field.phase} phase", "V5-CORE-16", "phase")
    return refuse_gone(unit)


@clause("V5-DMG-5", "V5-DMG-6", "V5-CORE-8", "V5-CORE-20")
def refuse_gone(unit: Unitlike) -> Refused | None:
    """Why nothing can be done with what is destroyed or has fled."""
    if not unit.is_gone:
        return None
    if isinstance(unit, Squad) and unit.fled:
        return Refused(f"{unit.name}: fled off the table", "V5-CORE-20", "fled")
    if isinstance(unit, Squad):
        return Refused(f"nobody is left of {unit.name}", "V5-CORE-8", "gone")
    by = "V5-DMG-5" if unit.condition.status == "wrecked" else "V5-DMG-6"
    return Refused(f"{unit.name} is {unit.condition.status}", by, "gone")


@clause("V5-CORE-6", "V5-CORE-20", "V5-TRAN-2", "V5-WALK-8")
def refuse_squad(field: Field, squad: Squad, aboard: bool = False) -> Refused | None:
    """Why a squad may not act of its own will: pinned, on the run, locked in a fight, or inside a transport."""
    if squad.pinned_until >= field.turn:
        return Refused(f"{squad.name}: pinned, and so without this turn", "V5-CORE-6", "pinned")
    if squad.falling_back:
        return Refused(f"{squad.name}: falling back, and so able to do nothing else", "V5-CORE-20", "falling_back")
    if squad.locked_with:
        return Refused(f"{squad.name}: locked in a fight with {squad.locked_with[0]}", "V5-WALK-8", "locked")
    if squad.aboard and not aboard:
        return Refused(f"{squad.name}: aboard {squad.aboard}, and so to get out first", "V5-TRAN-2", "aboard")
    if squad.left == "emergency":
        return Refused(f"{squad.name} got out in an emergency and does nothing more this turn", "V5-TRAN-7", "exit")
    return None


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


@clause("V5-DMG-1", "V5-DMG-2")
def expired(machine: Machine, turn: int) -> Machine:
    """A machine when a player turn ends: shaken and stunned are over if this was the turn they lasted to."""
    shaken = machine.shaken_until if machine.shaken_until > turn else 0
    stunned = machine.stunned_until if machine.stunned_until > turn else 0
    return replace(machine, shaken_until=shaken, stunned_until=stunned, fought=False, consolidates=False)


@clause("V5-CORE-6")
def risen(squad: Squad, turn: int) -> Squad:
    """A squad when a player turn ends: pinned soldiers stand up after the turn they lost."""
    until = squad.pinned_until if squad.pinned_until > turn else 0
    return replace(squad, pinned_until=until, fought=False, consolidates=False)


@clause("V5-SMOKE-3")
def clear_smoke(field: Field) -> Field:
    """Smoke that has blown away is forgotten; the launchers stay empty."""
    gone = [one for one in field.machines if one.smoke_turn and not field.in_smoke(one)]
    return field.changed(*(replace(one, smoke_turn=0) for one in gone)) if gone else field


def fresh(unit: Machine | Squad) -> Machine | Squad:
    """A unit at the beginning of its own turn: what it did in the last one no longer counts."""
    if isinstance(unit, Machine):
        return replace(
            unit,
            band="stationary",
            assault_band="stationary",
            path=0.0,
            displacement=0.0,
            on_road=False,
            moved=False,
            pivoted=False,
            declared="normal",
            ran=False,
            fired_at="",
            exit_after_move=False,
            finished_move=False,
        )
    return replace(
        unit,
        boarded=False,
        left="",
        left_from="",
        moved=False,
        ran=False,
        fired_at="",
        fired_slow="",
        fell_back=False,
    )
