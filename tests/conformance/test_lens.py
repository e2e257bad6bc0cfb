"""The law of the lens: with and without what it forgets, every measure that is asked has equal odds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from battletape.odds import Odds
from battletape.system import Lens, Measure, nothing_forgotten
from battletape.tape.budget import Budget
from battletape.tape.exact import Exact
from tests.conformance.cases import examples, small, variants
from tests.conformance.situations import actions, situations

SMALL = Budget(branches=6_000)


@pytest.mark.parametrize("case", (*examples(), *variants()), ids=str)
def test_a_question_has_the_same_odds_with_and_without_its_lens(case):
    question = case.question
    if question.lens is not nothing_forgotten:
        few, _ = small(case)
        every, usual = question.measures, question.told(few.start)
        one_by_one = () if case.change else ((measure,) for measure in every)
        check(few.stages, few.start, question.lens, (every, usual, *one_by_one))


@pytest.mark.parametrize("card, action", actions(), ids=[f"{card.name}-{action.name}" for card, action in actions()])
def test_an_action_has_the_same_odds_with_and_without_its_lens(card, action):
    if action.lens is not nothing_forgotten:
        for situation in situations(card, action.name):
            check(situation.stages(), situation.work(), action.lens, (action.measures,))


def test_lenses_are_tried():
    assert any(case.question.lens is not nothing_forgotten for case in examples())
    assert any(action.lens is not nothing_forgotten for _, action in actions())


def check(stages: Sequence[Any], start: Any, lens: Lens, asked: Iterable[Sequence[Measure]]) -> None:
    """Equal fractions for each measure; what is too large without the lens is left to the plays."""
    whole = Exact(budget=SMALL).run(stages, start)
    if whole.is_exact:
        for measures in asked:
            forget = lens(frozenset(measure.name for measure in measures))
            assert odds_of(Exact(forget=forget).run(stages, start), measures) == odds_of(whole, measures)


def odds_of(odds: Odds[Any], measures: Sequence[Measure]) -> dict[str, dict[Any, Fraction]]:
    return {measure.name: odds.project(measure.of).fractions() for measure in measures}
