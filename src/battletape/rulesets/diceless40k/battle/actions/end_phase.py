"""The action `end_phase`: shaken units test, and the next phase or the enemy's turn begins."""

from __future__ import annotations

from battletape.cards import Nothing
from battletape.cards import refusing as Action
from battletape.rulebook import Procedure, Refused, Tape, clause, replace
from battletape.rulesets.diceless40k.battle.deed import FAILED, Deed, begin_deed, finish_deed, headline
from battletape.rulesets.diceless40k.battle.state import State
from battletape.rulesets.diceless40k.battle.turn import next_phase, refuse_end, shake


@clause("DL-94.2", "DL-45.1")
def refuse_end_phase(state: State, order: Nothing) -> Refused | None:
    """What has to be done first."""
    return refuse_end(state)


@clause("DL-8.1")
def take_morale_tests(tape: Tape, deed: Deed) -> Deed:
    """Whoever lost a quarter of its models in this phase tests."""
    return shake(tape, deed)


@clause("DL-0.1", "DL-PREP.8")
def go_on(tape: Tape, deed: Deed) -> Deed:
    """The next phase begins, or the enemy's turn."""
    return replace(deed, state=next_phase(deed.state))


END_PHASE = Action(
    "end_phase",
    "End the phase",
    Nothing,
    refuse_end_phase,
    begin_deed,
    Procedure("end of the phase", (take_morale_tests, go_on)),
    finish_deed,
    measures=(FAILED,),
    headline=headline,
    clauses=("DL-8.1",),
)
