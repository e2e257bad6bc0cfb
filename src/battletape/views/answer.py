"""An answer to show: the sentence, the bars, the steps, the rulings and how it was computed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer, rulings_used
from battletape.errors import BattletapeError, BudgetSpent
from battletape.inputs import Inputs, fields
from battletape.odds import Odds, plain
from battletape.steps import Step
from battletape.system import Measure, Table
from battletape.views import chances
from battletape.views.chances import Amount, Chance, Cut, Row
from battletape.views.picture import PictureView, picture_view

MOST_WORDS = 3
"""How many results in words a range lists."""


class RungView(Struct, frozen=True):
    """A rung of a ladder: a result with its chance, and that of anything as bad or worse."""

    title: str
    about: str
    sign: str
    group: str
    grave: bool
    exactly: Chance
    or_worse: Chance


class MeasureView(Struct, frozen=True):
    """The odds of one measure; `low` to `high` holds four results of five."""

    name: str
    title: str
    unit: str
    kind: str  # number, yes_no, other
    mean: Amount | None
    deviation: float | None
    error: float | None  # of the mean, where it was sampled
    low: Any
    high: Any
    likeliest: Any
    chance: Chance | None  # of yes, where the measure is yes or no
    rows: tuple[Row, ...]
    cut: Cut | None
    ladder: tuple[RungView, ...] = ()  # from the worst down


class StepView(Struct, frozen=True):
    """One step of the rules: what a die needs, its chance, and the clauses."""

    title: str
    needed: str
    chance: Chance | None
    clauses: tuple[str, ...]
    why: str = ""  # the end of `needed` that gives its reason: against Toughness 4


class RulingView(Struct, frozen=True):
    """A ruling that was used: its value, the default, and whether the two differ."""

    name: str
    title: str
    value: str
    default: str
    changed: bool
    clause: str


class HowView(Struct, frozen=True):
    """How an answer was computed, and how much work it was."""

    method: str  # exact, floats, sampled
    exact: bool
    path: str
    policy: str
    branches: int
    states: int
    milliseconds: float
    unexplored: Chance


class AnswerView(Struct, frozen=True):
    """A question worked out, with everything a reader needs to know about it."""

    ruleset: str
    question: str
    title: str
    headline: str
    inputs: dict[str, Any]
    understood: tuple[str, ...]
    warnings: tuple[str, ...]
    measures: tuple[MeasureView, ...]
    steps: tuple[StepView, ...]
    rulings: tuple[RulingView, ...]
    how: HowView
    table: Table | None
    ranges: Table | None = None  # what choices can make of it, where nothing is left to luck
    picture: PictureView | None = None  # what lies on the table
    usual: str = ""  # what was chosen as players usually do, and what else there was


def answer_view(answer: Answer, measures: Sequence[str] = (), most: int | None = None) -> AnswerView:
    """Return an answer to show: only `measures`, if given, and at most `most` bars for each."""
    question = answer.question
    wanted = [question.measure(name) for name in measures] or answer.measures
    return AnswerView(
        ruleset=answer.ruleset.name,
        question=question.name,
        title=question.title,
        headline=answer.headline,
        inputs=plain_inputs(answer.inputs),
        understood=answer.understood,
        warnings=answer.warnings,
        measures=tuple(measure_view(measure, answer.odds(measure.name), most) for measure in wanted),
        steps=tuple(map(step_view, answer.steps)),
        rulings=ruling_views(answer.rulings),
        how=how_view(answer.states, answer.seconds),
        table=table_view(answer.table),
        ranges=ranges_view(answer, wanted),
        picture=picture_view(answer.picture),
        usual=answer.usual,
    )


def step_view(step: Step) -> StepView:
    """Return a step to show."""
    share = None if step.chance is None else chances.chance(step.chance)
    return StepView(step.title, step.needed, share, step.clauses, step.why)


def ranges_view(answer: Answer, measures: Sequence[Measure]) -> Table | None:
    """Return the measures that choices change: as answered, and the least and the most for the choices of each side.

    Where the question has a goal, the answer has every side play for it, so all their choices count together.
    """
    if not answer.is_chosen:
        return None
    (state,) = answer.states.weights
    try:
        whole = answer.outcomes()
        each = {f"{side} chooses": answer.outcomes(side).states for side in whole.sides}
        reached = {"whatever is chosen": whole.states} if answer.question.goal else each
    except BudgetSpent:
        return None
    rows = []
    for measure in measures:
        values = [_values(measure, states) for states in ((state,), *reached.values())]
        if any(len(found) > 1 for found in values):
            rows.append((measure.title, *(_span(measure, found) for found in values)))
    how = "at best" if answer.question.goal else "by default"
    head = ("", how, *reached)
    return Table("What choices can make of it", head, tuple(rows)) if rows else None


def _values(measure: Measure, states: Iterable[Any]) -> list[Any]:
    """Return the values of a measure in some states, each once and in order."""
    values = {measure.of(state) for state in states}
    number = all(isinstance(value, (int, float, Fraction)) for value in values)
    return sorted(values) if number else sorted(values, key=str)


def _span(measure: Measure, values: Sequence[Any]) -> str:
    """Return values in a few words: 3 to 5, yes or no."""
    numbers = not any(isinstance(value, (bool, str)) for value in values) and (measure.unit or max(values) > 1)
    if measure.words is not None:
        numbers = False
    elif numbers:
        values = [values[0], values[-1]] if len(values) > 1 else values
    elif not any(isinstance(value, str) for value in values):
        values = [bool(value) for value in values]
    words = [(measure.words or chances.value_text)(value) for value in values]
    return (" to " if numbers else " or ").join(words) if len(words) <= MOST_WORDS else f"{len(words)} ways"


def measure_view(measure: Measure, odds: Odds[Any], most: int | None = None) -> MeasureView:
    """Return the odds of a measure to show."""
    ladder = ladder_of(measure, odds)
    shown = chances.worded(measure, odds)
    kind = chances.kind_of(shown, measure.unit)
    rows, cut = chances.rows_of(odds.project(bool) if kind == "yes_no" else shown, most)
    if measure.words is not None and cut is None:
        rows = chances.worded_rows(measure, odds)
    odds = odds.project(bool) if kind == "yes_no" else shown
    counts = kind == "number"
    return MeasureView(
        name=measure.name,
        title=measure.title,
        unit=measure.unit,
        kind=kind,
        mean=chances.amount(odds.mean) if counts else None,
        deviation=odds.deviation if counts else None,
        error=odds.error if counts and odds.how.method == "sampled" else None,
        low=plain(odds.quantile(Fraction(1, 10))) if counts else None,
        high=plain(odds.quantile(Fraction(9, 10))) if counts else None,
        likeliest=plain(odds.mode),
        chance=chances.chance(odds.chance(lambda value: value is True)) if kind == "yes_no" else None,
        rows=rows,
        cut=cut,
        ladder=ladder,
    )


def ladder_of(measure: Measure, odds: Odds[Any]) -> tuple[RungView, ...]:
    """Return the results of a measure from the worst down; every value stands on the first rung that holds it."""
    shares = [Fraction(0)] * len(measure.ladder)
    for value, share in odds.fractions().items() if measure.ladder else ():
        at = next((at for at, rung in enumerate(measure.ladder) if rung.holds(value)), None)
        if at is None:
            raise BattletapeError(f"no rung of the ladder of {measure.name} holds {value!r}; the last one could")
        shares[at] += share
    so_far = accumulate(shares)
    return tuple(
        RungView(
            rung.title, rung.about, rung.sign, rung.group, rung.grave, chances.chance(share), chances.chance(worse)
        )
        for rung, share, worse in zip(measure.ladder, shares, so_far, strict=True)
    )


def how_view(odds: Odds[Any], seconds: float) -> HowView:
    """Return how odds were computed."""
    how = odds.how
    left = chances.chance(odds.unexplored)
    milliseconds = round(seconds * 1000, 3)
    return HowView(how.method, odds.is_exact, how.path, how.policy, how.branches, how.states, milliseconds, left)


def ruling_views(rulings: Inputs) -> tuple[RulingView, ...]:
    """Return every ruling used, changed ones marked."""
    used = rulings_used(rulings)
    return tuple(
        RulingView(
            field.name,
            field.title,
            used[field.name][0],
            field.show(field.default),
            not used[field.name][1],
            field.clause,
        )
        for field in fields(type(rulings))
    )


def table_view(table: Table | None) -> Table | None:
    """Return a table to show, with long fractions as decimals."""
    if table is None:
        return None
    rows = tuple(
        tuple(_LONG.sub(lambda number: f"{float(Fraction(number[0])):.2f}", cell) for cell in row) for row in table.rows
    )
    return replace(table, rows=rows)


_LONG = re.compile(r"-?\d+\.\d{4,}|(?<![\w/.])-?\d+/[1-9]\d{3,}(?![\w/])")
"""A measurement too fine for a table, or a long fraction; 16/16 are hit points."""


def plain_inputs(inputs: Inputs) -> dict[str, Any]:
    """Return inputs as plain values by name."""
    plain: dict[str, Any] = msgspec.to_builtins(inputs)
    return plain
