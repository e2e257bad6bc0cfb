"""The question pinning: whether a unit that has been shelled, or got out of a wreck, loses its next turn."""

from __future__ import annotations

from battletape.cards import Inputs, Lead, Measure, Question, asked
from battletape.rulebook import Procedure, State, Tape, clause, replace
from battletape.rulesets.vehicles5.questions._inputs import UnitName, fill_unit
from battletape.rulesets.vehicles5.rules.troops import Source, effective_ld, roll_pinning


class PinningInputs(Inputs, frozen=True):
    """A unit that has to take a pinning test."""

    unit: UnitName = ""
    ld: int = asked(8, "Ld", "V5-CORE-6", group="target", ge=2, le=10)
    barrage: bool = asked(False, "By an ordnance barrage, not aimed directly", "V5-ORD-5", group="circumstances")


class PinningState(State, frozen=True):
    """The state of the question."""

    ld: int
    source: Source = ""
    pinned: bool = False


@clause("V5-CORE-6", "V5-ORD-5")
def take_pinning_test(tape: Tape, state: PinningState) -> PinningState:
    """Take the test."""
    return replace(state, pinned=tape.call(roll_pinning, state.ld, state.source))


PINNING = Question(
    "pinning",
    "Is a unit pinned?",
    PinningInputs,
    lambda inputs, rulings: PinningState(inputs.ld, "ordnance_barrage" if inputs.barrage else ""),
    Procedure("pinning", (take_pinning_test,)),
    (
        Measure("pinned", "Pinned", lambda state: int(state.pinned)),
        Measure("ld_that_counts", "Ld that counts", lambda state: effective_ld(state.ld, state.source)),
    ),
    lambda answer: f"Pinned {answer.chance('pinned')}.",
    fill=lambda given, book: fill_unit(given, book, PinningInputs),
    rulings=(),
    example={"unit": "Harbour watch", "barrage": True},
    small={"ld": 8, "barrage": True},
    lead=(Lead("pinned", "pinned"),),
)
