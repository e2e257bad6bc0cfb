"""The action `end_phase`: shaken units test, and the next phase or the enemy's turn begins."""

from __future__ import annotations

from battletape.cards import Action, Nothing, Plan
from battletape.rulebook import Procedure, Tape, clause, replace
from battletape.rulesets.diceless40k.battle import turn
from battletape.rulesets.diceless40k.battle.pending import FAILED, PendingAction, begin_action, headline
from battletape.rulesets.diceless40k.battle.state import State


@clause("DL-94.2", "DL-45.1")
def plan_end_of_phase(state: State, order: Nothing) -> Plan:
    """Refuse to end a phase before everything is done that has to be."""
    turn.need_all_done(state)
    return Plan(begin_action, state, order)


@clause("DL-8.1")
def take_morale_tests(tape: Tape, work: PendingAction) -> PendingAction:
    """Test every unit that lost a quarter of its models in this phase."""
    return turn.end_of_phase_morale(tape, work)


@clause("DL-0.1", "DL-PREP.8")
def begin_next_phase(tape: Tape, work: PendingAction) -> PendingAction:
    """Begin the next phase, or the enemy's turn."""
    return replace(work, state=tape.call(turn.next_phase, work.state))


END_PHASE = Action(
    "end_phase",
    "End the phase",
    Nothing,
    plan_end_of_phase,
    Procedure("end of the phase", (take_morale_tests, begin_next_phase)),
    measures=(FAILED,),
    headline=headline,
    closed=turn.refuse_over,
    clauses=("DL-8.1",),
)
