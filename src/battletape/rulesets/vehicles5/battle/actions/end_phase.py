"""The actions `end_phase` and `end_turn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from battletape.cards import Action, Nothing
from battletape.rulebook import Procedure, Refused, Tape, clause, replace
from battletape.rulesets.vehicles5.battle import losses
from battletape.rulesets.vehicles5.battle.state import Squad, State
from battletape.rulesets.vehicles5.battle.turn import clear_smoke, fresh, recovered, refuse_over
from battletape.rulesets.vehicles5.rules import shooting, troops
from battletape.rulesets.vehicles5.rules.traits import PHASES

Refuse: TypeAlias = Callable[[State, Nothing], Refused | None]


@clause("V5-CORE-16", "V5-CORE-20")
def _refuse_end(state: State, order: Nothing) -> Refused | None:
    ended = refuse_over(state)
    if ended is not None:
        return ended
    for squad in state.squads:
        waits = squad.side == state.active and squad.falling_back and not squad.fell_back and not squad.is_gone
        if waits and state.phase == "movement":
            return Refused(f"{squad.name} is on the run and has to fall back first", "V5-CORE-20", "falling_back")
    for unit in state.units:
        if state.phase == "assault" and unit.locked_with and not unit.fought and not unit.is_gone:
            return Refused(f"{unit.name}: locked in a fight, which comes first", "V5-CORE-16", "fight")
    return None


@clause("V5-CORE-16")
def _refuse_end_turn(state: State, order: Nothing) -> Refused | None:
    refused = _refuse_end(state, order)
    if refused is None and state.phase != "assault" and any(unit.locked_with for unit in state.units):
        return Refused("there are fights to fight in the Assault phase; end this phase first", "V5-CORE-16", "fight")
    return refused


@clause("V5-CORE-5", "V5-CORE-20")
def shake_squads(tape: Tape, state: State) -> State:
    """At the end of a Shooting phase, squads that were shot at too much test their morale, if players say so."""
    shaken = (squad.name for squad in state.squads if _is_shaken(state, squad))
    return tape.each(_test_squad, state, tuple(shaken)) if state.phase == "shooting" else state


def _is_shaken(state: State, squad: Squad) -> bool:
    idle = squad.falling_back or squad.aboard or squad.locked_with
    return not idle and troops.shaken_by_losses(squad.stood, len(squad.models), state.rules)


def _test_squad(tape: Tape, state: State, name: str) -> State:
    its = state.squad(name).profile
    fearless = shooting.FEARLESS in its.rules
    if tape.call(troops.test_morale, name, its.ld, False, fearless):
        return state
    fled: State = tape.call(losses.fall_back, state, name)
    return fled


def _counted(state: State) -> State:
    """The squads at the beginning of a Shooting phase, or after it, where losses count."""
    if state.rules.shooting_morale == "none":
        return state
    begins = state.phase == "shooting"
    return state.changed(*(replace(squad, stood=len(squad.models) if begins else 0) for squad in state.squads))


@clause("V5-CORE-16")
def end_phase(state: State, order: Nothing) -> State:
    """The next phase, or the other player's turn after the last."""
    at = PHASES.index(state.phase) + 1
    if at == len(PHASES):
        return end_turn(state, order)
    return _counted(clear_smoke(replace(state, phase=PHASES[at])))


@clause("V5-CORE-16", "V5-DMG-1", "V5-DMG-2", "V5-SMOKE-3")
def end_turn(state: State, order: Nothing) -> State:
    """The turn passes to the other player, whose units are fresh."""
    following = state.other_side(state.active)
    state = state.changed(*(recovered(unit, state.turn) for unit in state.units))
    state = replace(state, active=following, turn=state.turn + 1, phase="movement")
    rested = (fresh(unit) for unit in state.units if unit.side == following and not unit.is_gone)
    return _counted(clear_smoke(state.changed(*rested)))


def _ending(name: str, title: str, refuse: Refuse, end: Callable[[State, Nothing], State], *clauses: str) -> Action:
    """An action that ends something, after the tests that come before."""
    return Action(
        name,
        title,
        Nothing,
        refuse,
        procedure=Procedure("end of a phase", (shake_squads,)),
        finish=lambda _, order, state: end(state, order),
        clauses=clauses,
    )


END_PHASE = _ending("end_phase", "End the phase", _refuse_end, end_phase, "V5-CORE-16", "V5-SMOKE-3")
END_TURN = _ending("end_turn", "End the player turn", _refuse_end_turn, end_turn, "V5-CORE-16", "V5-DMG-1", "V5-DMG-2")
