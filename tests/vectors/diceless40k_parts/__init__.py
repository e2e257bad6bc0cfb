"""Vectors of diceless40k, chapter by chapter: a function for each calculation, and what they all share.

Everything is asked as a player asks it, by `ask` and `roll` of the ruleset.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from battletape.answer import Answer
from battletape.registry import ruleset
from battletape.tape.path import Path
from battletape.tape.question import Ask
from tests.diceless40k.log_lines import Share, shares
from tests.vectors.given import Given

Said = dict[str, Any]
RULES = ruleset("diceless40k")
LINES = "ABCDEF"
AN_HP = 1000
"""More HP than anything takes off a model, where a vector does not say how many there are."""


class Chosen(Path):
    """A tape that answers choices as a vector says; of others the first option."""

    def __init__(self, choose: Callable[[Ask], Any] = lambda ask: None) -> None:
        super().__init__()
        self.wanted = choose

    def answer(self, ask: Ask) -> Any:
        """The option named for this question, or the first."""
        wanted = self.wanted(ask)
        if wanted is None:
            return ask.options[0]
        if wanted not in ask.options:
            raise AssertionError(f"{ask.label} offers {ask.options}, not {wanted!r}")
        return wanted


def ask(question: str, **inputs: Any) -> Answer:
    """A question of the ruleset."""
    return RULES.ask(question, **inputs)


def play(question: str, choose: Callable[[Ask], Any] = lambda ask: None, **inputs: Any) -> Any:
    """How a question ends when choices are made so."""
    return RULES.roll(question, tape=Chosen(choose), **inputs).state


def play_told(question: str, choose: Callable[[Ask], Any] = lambda ask: None, **inputs: Any) -> tuple[Any, list[Share]]:
    """Return how a question ends when choices are made so, and the shares that its log tells of."""
    tape = Chosen(choose)
    end = RULES.roll(question, tape=tape, **inputs).state
    return end, shares(tape)


def value(answer: Answer, measure: str) -> Any:
    """What a measure comes to; nothing is rolled."""
    (only,) = answer.odds(measure).fractions()
    return only


def measured(question: str, end: Any, **measures: str) -> Said:
    """Measures of how a question ended, by the names of a vector."""
    asked = RULES.question(question)
    return {name: asked.measure(measure).of(end) for name, measure in measures.items()}


def values(answer: Answer, **measures: str) -> Said:
    """Several measures by the names of a vector."""
    return {name: value(answer, measure) for name, measure in measures.items()}


def yes(answer: Answer, measure: str) -> bool:
    """Whether a measure is so."""
    return {0: False, 1: True}[value(answer, measure)]


def named(given: Given, **names: str) -> Said:
    """What a vector gives, by our own names for it."""
    return {ours: given[theirs] for ours, theirs in names.items() if theirs in given}


def lines_of(given: Given, key: str = "lines") -> Said:
    """Damage on the lines of a sheet, as the questions take it."""
    lines = given[key].plain() if key in given else {}
    for line in lines:
        if line not in LINES:
            raise AssertionError(f"a sheet has no line {line}")
    return {f"line_{line.lower()}": lines.get(line, 0) for line in LINES}
