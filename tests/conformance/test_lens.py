"""The law of the lens: with and without what it forgets, every measure of a question or an action has equal odds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from inspect import signature
from typing import Any

import pytest

from battletape.system import Measure
from battletape.tape.budget import Budget
from battletape.tape.exact import Exact
from tests.conformance.cases import Case, examples, small, variants
from tests.conformance.situations import Situation, actions, situations

SMALL = Budget(branches=6_000)
pytestmark = pytest.mark.skipif(
    "forget" not in signature(Exact).parameters, reason="this exact reader takes no lens yet: Exact(..., forget=lens)"
)


@pytest.mark.parametrize("case", (*examples(), *variants()), ids=str)
def test_a_question_has_the_same_odds_with_and_without_its_lens(case):
    if lens_of(case) is not None:
        few, _ = small(case)
        check(few.stages, few.start, few.question.measures, lens_of(few))


@pytest.mark.parametrize("card, action", actions(), ids=[f"{card.name}-{action.name}" for card, action in actions()])
def test_an_action_has_the_same_odds_with_and_without_its_lens(card, action):
    for situation in situations(card, action.name):
        if lens_of(situation) is not None:
            check(situation.stages(), situation.work(), action.measures, lens_of(situation))


def test_some_lens_is_tried():
    asked = [*examples(), *(one for card, action in actions() for one in situations(card, action.name))]
    assert any(lens_of(one) is not None for one in asked)


def lens_of(asked: Case | Situation) -> Callable[[Any], Any] | None:
    """What a question or an action lets the exact reader forget."""
    return getattr(asked.question if isinstance(asked, Case) else asked.action, "lens", None)


def check(stages: Sequence[Any], start: Any, measures: tuple[Measure, ...], lens: Any) -> None:
    """Equal fractions for each measure; what is too large without the lens is left to the plays."""
    whole = Exact(budget=SMALL).run(stages, start)
    seen = Exact(budget=SMALL, forget=lens).run(stages, start)  # type: ignore[call-arg]
    if whole.is_exact:
        assert odds_of(seen, measures) == odds_of(whole, measures)


def odds_of(odds: Any, measures: tuple[Measure, ...]) -> dict[str, dict[Any, Fraction]]:
    return {measure.name: odds.project(measure.of).fractions() for measure in measures}
