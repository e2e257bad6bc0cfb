"""Turn order: which unit may act, which side is next, and when a new turn begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from battletape.cards import last_side
from battletape.field import score
from battletape.rulebook import Refused, Tape, clause, need, replace
from battletape.rulesets.attack_dice.battle import positions
from battletape.rulesets.attack_dice.battle.state import BattleUnit, Done, State, living_unit


@clause("AD-82")
def refuse_after_end(state: State) -> Refused | None:
    """Refuse everything once the battle is over."""
    ended = battle_end(state)
    return None if ended is None else Refused(f"the battle is over: {ended}", "AD-82", "over")


@clause("AD-4", "AD-82")
def acting_unit(state: State, name: str) -> BattleUnit:
    """Return the unit of this name; refuse it unless it may act now."""
    need(state.phase == "running", "the game has not started; use start first", "AD-4", at_all=True)
    unit = living_unit(state, name)
    need(
        unit.side == state.active_side,
        f"it is the turn of {state.active_side}; {unit.name} belongs to {unit.side}",
        "AD-82",
    )
    need(not unit.done.activated, f"{unit.name} has already been activated this turn", "AD-82")
    need(state.active_unit in ("", unit.name), f"{state.active_unit} is acting; end its activation first", "AD-82")
    return unit


@clause("AD-80", "AD-82")
def apply_consequences(tape: Tape, state: State) -> State:
    """Take units out of Melees and transports that losses have ended, and pass the turn on if no unit can act."""
    fighting = Counter(unit.melee for unit in state.units if not unit.is_gone)
    transports = {position.name: position.aboard for position in state.field.positions if position.aboard}
    for unit in state.units:
        if unit.melee and (unit.is_gone or fighting[unit.melee] < 2):
            state = tape.call(positions.leave_melee, state, unit.name)
        transport = transports.get(unit.name)
        if transport and (unit.is_gone or state.unit(transport).is_gone):
            state = tape.call(positions.disembark, state, unit.name)
    if state.active_unit and state.unit(state.active_unit).is_gone:
        state = replace(state, active_unit="")
    if state.phase == "running" and state.active_side not in _sides_to_act(state):
        state = tape.call(pass_on, state)
    return state


@clause("AD-82")
def end_activation(tape: Tape, state: State, unit: BattleUnit) -> State:
    """End the activation of a unit; it may not act again this turn."""
    return pass_on(tape, state.with_units(replace(unit, done=Done(activated=True))))


@clause("AD-82")
def pass_on(tape: Tape, state: State) -> State:
    """Let the next side act; once every unit has been activated, begin a new turn."""
    waiting = _sides_to_act(state)
    at = state.sides.index(state.active_side)
    following = next((side for side in state.sides[at + 1 :] + state.sides[: at + 1] if side in waiting), None)
    if following is None:
        return begin_turn(tape, state)
    if following != state.active_side:
        tape.tell("{} is next", following)
    return replace(state, active_side=following, active_unit="")


@clause("AD-82")
def begin_turn(tape: Tape, state: State) -> State:
    """Make every unit ready to act again, beginning with the first side that has models left, or end the game."""
    if state.turn == state.turns:
        tape.tell("The game ends with turn {}", state.turns)
        return replace(state, phase="over", active_unit="")
    alive = {unit.side for unit in state.units if not unit.is_gone}
    first = next((side for side in state.sides if side in alive), state.active_side)
    ready = tuple(replace(unit, done=Done()) for unit in state.units)
    tape.tell("Turn {} begins with {}", state.turn + 1, first)
    return replace(state, units=ready, active_side=first, active_unit="", turn=state.turn + 1)


def _sides_to_act(state: State) -> set[str]:
    """Return the sides with a unit that may still act this turn."""
    return {unit.side for unit in state.units if not unit.done.activated and not unit.is_gone}


def points(state: State) -> Mapping[str, int]:
    """Return the victory points of each side now; none without a mission."""
    return score.standings(state.field, state.mission, state.units)


def battle_end(state: State) -> str | None:
    """Return how the battle has ended: by the loss of all other sides, or by points after its last turn."""
    if state.phase == "over":
        return score.verdict(points(state)) if state.mission else "Time is up"
    return last_side(state)


def waiting(state: State) -> list[str]:
    """Return the unit that acts, or those of the active side that may still be activated."""
    ready = [
        unit.name
        for unit in state.units
        if unit.side == state.active_side and not (unit.done.activated or unit.is_gone)
    ]
    return [] if state.phase != "running" else [state.active_unit] if state.active_unit else ready


def where(state: State) -> Mapping[str, str]:
    """Return turn, phase and active side, as tables show them."""
    running = f"{state.active_unit} acts" if state.active_unit else "activation"
    phase = {"before": "before the game", "running": running, "over": "after the game"}[state.phase]
    return {"turn": str(state.turn), "phase": phase, "side": state.active_side}
