"""The odds beside the options at the table: a figure each, the best one marked."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.answer import Answer
from battletape.battle import Battle
from battletape.cli.drawing import MAX_BARS, draw_answer
from battletape.cli.terminal import Page
from battletape.errors import BattletapeError
from battletape.system import Measure
from battletape.tape.budget import Budget
from battletape.views.answer import answer_view
from battletape.views.answer_summary import measure_summary
from battletape.views.table_talk import Choice

BRANCHES = 20_000
"""How much the odds of each option may explore."""


def figures(battle: Battle, choices: Sequence[Choice]) -> list[str]:
    """The figure of each option; the best of several with the same measure is marked."""
    answers = [odds_of(battle, choice) for choice in choices]
    values = [None if answer is None else mean(answer) for answer in answers]
    known = [(answer.question.measures, value) for answer, value in zip(answers, values, strict=True) if answer]
    told: list[str] = []
    for answer, value in zip(answers, values, strict=True):
        alike = [other for measures, other in known if answer and measures == answer.question.measures and other]
        best = value is not None and len(alike) > 1 and value == max(alike)
        told.append("" if answer is None else figure_words(answer) + "  ← best" * best)
    return told


def odds_of(battle: Battle, choice: Choice) -> Answer | None:
    """The odds of an option, as far as a small budget goes; None where nothing is left to luck or measured."""
    if not choice.option.action.measures or choice.option.action.goes_on:
        return None
    try:
        answer = battle.odds(choice.option, budget=Budget(branches=BRANCHES))
    except BattletapeError:
        return None
    return answer if answer.states.weights else None


def mean(answer: Answer) -> float | None:
    """What is expected of the first measure that is a number."""
    measure = open_measure(answer)
    try:
        return float(answer.odds(measure.name).mean)
    except (TypeError, ValueError, BattletapeError):
        return None


def open_measure(answer: Answer) -> Measure:
    """The measure that tells most: a number that can come out in several ways, else whatever leads."""
    several = [measure for measure in answer.measures if len(answer.odds(measure.name).weights) > 1]
    plain = [measure for measure in several if measure.words is None]
    return next(iter(plain or several or answer.measures))


def figure_words(answer: Answer) -> str:
    """A figure in a few words."""
    measure = open_measure(answer)
    glance = measure_summary(measure, answer.odds(measure.name))
    part = " (not all explored)" if answer.states.unexplored_weight else ""
    return f"{glance.text} {measure.title[0].lower()}{measure.title[1:]}{part}"


def draw_one(shown: Page, battle: Battle, choice: Choice) -> None:
    """The odds of one option in full."""
    answer = battle.odds(choice.option)
    shown.heading(choice.words, choice.unit)
    draw_answer(shown, answer_view(answer, (), MAX_BARS), first=1, fractions=False, all_rulings=False)
