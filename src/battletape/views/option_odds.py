"""The odds beside the options at the table: a figure each, the best one marked."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.answer import Answer
from battletape.battle import Battle
from battletape.battle.luck import LIKELY
from battletape.errors import BattletapeError
from battletape.inputs import value_of
from battletape.system import Measure
from battletape.tape.limits import Budget
from battletape.views.answer_summary import measure_summary
from battletape.views.question_text import lower
from battletape.views.table_talk import Choice

BRANCHES = 20_000
"""How much the odds of each option may explore."""


def figures(battle: Battle, choices: Sequence[Choice]) -> list[str]:
    """Return the figure of each option, against one target all by one measure; the best by a measure is marked."""
    answers = [odds_of(battle, choice) for choice in choices]
    names = [kind_of(choice, answer) for choice, answer in zip(choices, answers, strict=True)]
    groups = {name: [a for n, a in zip(names, answers, strict=True) if a and n == name] for name in names}
    told = {name[0] for name, group in groups.items() if tells_anything(group)}
    shared = {name: shared_measure(group) for name, group in groups.items() if group and name[0] in told}
    measures = [shared.get(name) for name in names]
    means = [mean(answer, m) if answer and m else None for answer, m in zip(answers, measures, strict=True)]
    best = best_of_each(choices, measures, means)
    return [
        figure_words(answer, measure) + "  ← best" * (at in best) if answer and measure else ""
        for at, (answer, measure) in enumerate(zip(answers, measures, strict=True))
    ]


def best_of_each(
    choices: Sequence[Choice], measures: Sequence[Measure | None], means: Sequence[float | None]
) -> set[int]:
    """Return which options are the best of an action of a unit by one measure, where several can be compared."""
    groups: dict[tuple[str, str, str], list[int]] = {}
    for at, (choice, measure, value) in enumerate(zip(choices, measures, means, strict=True)):
        if measure is not None and value is not None:
            groups.setdefault((choice.unit, choice.option.action.name, measure.name), []).append(at)
    best = {max(group, key=lambda at: means[at] or 0) for group in groups.values() if len(group) > 1}
    return {at for at in best if (means[at] or 0) > 0}


def kind_of(choice: Choice, answer: Answer | None) -> tuple[str, ...]:
    """Return what options are compared by: the action, its target, and what is measured of it."""
    about = value_of(choice.option.params, "target") or ""
    return (choice.option.action.name, about, *(measure.name for measure in answer.measures)) if answer else ("",)


def odds_of(battle: Battle, choice: Choice) -> Answer | None:
    """Return the odds of an option, as far as a small budget goes; None where nothing is left to luck or measured."""
    if not choice.option.action.measures or choice.option.action.goes_on:
        return None
    try:
        answer = battle.odds(choice.option, budget=Budget(branches=BRANCHES))
    except BattletapeError:
        return None
    return answer if answer.states.weights else None


def shared_measure(answers: Sequence[Answer]) -> Measure:
    """Return the measure that tells options apart: a number that luck changes, else one that is not 0.

    What hardly ever happens, such as that a large model falls, is passed over for what does: the HP it loses.
    """
    known = [measure for measure in answers[0].measures if all(answer.includes(measure.name) for answer in answers)]
    several = [m for m in known if any(len(answer.odds(m.name).weights) > 1 for answer in answers)]
    numbers = [m for m in several if m.words is None and all(is_numeric(answer, m) for answer in answers)]
    likely = [m for m in numbers if any((mean(answer, m) or 0) >= LIKELY for answer in answers)]
    counted = [m for m in known if any(mean(answer, m) for answer in answers)]
    return next(iter(likely or numbers or several or counted or answers[0].measures))


def tells_anything(answers: Sequence[Answer]) -> bool:
    """Return whether luck or the measures tell anything of options: not of moves that are sure and hurt nothing."""
    return any(
        len(answer.odds(measure.name).weights) > 1 or mean(answer, measure)
        for answer in answers
        for measure in answer.measures
    )


def is_numeric(answer: Answer, measure: Measure) -> bool:
    """Return whether a measure counts something, or happens or not."""
    return not any(isinstance(value, str) for value in answer.odds(measure.name).weights)


def mean(answer: Answer, measure: Measure) -> float | None:
    """Return what is expected of a measure, if it is a number."""
    try:
        return float(answer.odds(measure.name).mean)
    except (TypeError, ValueError, BattletapeError):
        return None


def figure_words(answer: Answer, measure: Measure) -> str:
    """Return a figure in a few words."""
    summary = measure_summary(measure, answer.odds(measure.name))
    part = " (not all explored)" if answer.states.unexplored_weight else ""
    return f"{summary.text} {lower(measure.title)}{part}"
