"""The law of the lens: with and without what it forgets, every measure that is asked has equal odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from battletape.conformance.cases import Case, small
from battletape.conformance.plugin import fail_if
from battletape.conformance.situations import situations
from battletape.conformance.subjects import Subject
from battletape.odds import Odds
from battletape.system import Action, Lens, Measure, nothing_forgotten
from battletape.tape.exact import Exact
from battletape.tape.limits import Budget

SMALL = Budget(branches=2_000)


def test_a_question_has_the_same_odds_with_and_without_its_lens(case: Case) -> None:
    question = case.question
    if question.lens is not nothing_forgotten:
        few, _ = small(case)
        every, usual = question.measures, question.shown_measures(few.start)
        one_by_one = () if case.change else ((measure,) for measure in every)
        fail_if(changed_by(question.lens, few.stages, few.start, (every, usual, *one_by_one)))


def test_an_action_has_the_same_odds_with_and_without_its_lens(subject: Subject, action: Action) -> None:
    if action.lens is not nothing_forgotten:
        fail_if(
            f"{situation}: {text}"
            for situation in situations(subject, action)
            for text in changed_by(action.lens, situation.stages(), situation.work(), (action.measures,))
        )


def changed_by(lens: Lens, stages: Sequence[Any], start: Any, asked: Iterable[Sequence[Measure]]) -> Iterator[str]:
    """Yield the measures whose odds a lens changes; a case too large without the lens is checked by plays."""
    whole = Exact(budget=SMALL).run(stages, start)
    if whole.is_exact:
        for measures in asked:
            names = [measure.name for measure in measures]
            try:
                seen = Exact(forget=lens(frozenset(names))).run(stages, start)
            except Exception as error:
                yield f"With its lens, asked for {', '.join(names)}, it fails: {error!r}. The lens forgets too much."
                continue
            for measure in measures:
                value, with_lens, without = worst(seen, whole, measure)
                if with_lens != without:
                    yield (
                        f"Asked for {', '.join(names)}, the lens changes {measure.name}: {value} has the chance "
                        f"{with_lens} with it and {without} without. It forgets something that is still needed."
                    )


def worst(seen: Odds[Any], whole: Odds[Any], measure: Measure) -> tuple[Any, Fraction, Fraction]:
    """Return the value of a measure whose chances differ most, with both chances."""
    with_lens, without = seen.project(measure.of), whole.project(measure.of)
    values = dict.fromkeys((*without.weights, *with_lens.weights))
    chances = [(value, with_lens.chance(value), without.chance(value)) for value in values]
    return max(chances, key=lambda chance: abs(chance[1] - chance[2]))
