"""The actions `end_phase` and `end_turn`."""

from __future__ import annotations

from battletape.cards import Nothing, at_once
from battletape.rulebook import Refused, clause, replace
from battletape.rulesets.vehicles5.battle.state import State
from battletape.rulesets.vehicles5.battle.turn import clear_smoke, fresh, recovered, refuse_over
from battletape.rulesets.vehicles5.rules.traits import PHASES


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


@clause("V5-CORE-16")
def end_phase(state: State, order: Nothing) -> State:
    """The next phase, or the other player's turn after the last."""
    at = PHASES.index(state.phase) + 1
    if at == len(PHASES):
        return end_turn(state, order)
    return clear_smoke(replace(state, phase=PHASES[at]))


@clause("V5-CORE-16", "V5-DMG-1", "V5-DMG-2", "V5-SMOKE-3")
def end_turn(state: State, order: Nothing) -> State:
    """The turn passes to the other player, whose units are fresh."""
    following = state.other_side(state.active)
    state = state.changed(*(recovered(unit, state.turn) for unit in state.units))
    state = replace(state, active=following, turn=state.turn + 1, phase="movement")
    rested = (fresh(unit) for unit in state.units if unit.side == following and not unit.is_gone)
    return clear_smoke(state.changed(*rested))


END_PHASE = at_once("end_phase", "End the phase", Nothing, _refuse_end, end_phase, "V5-CORE-16", "V5-SMOKE-3")
END_TURN = at_once(
    "end_turn", "End the player turn", Nothing, _refuse_end_turn, end_turn, "V5-CORE-16", "V5-DMG-1", "V5-DMG-2"
)
