"""A roll to show: the log, the result and how lucky it was; and many rolls beside the exact odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from battletape.answer import Answer, Roll
from battletape.log import thrown_lines
from battletape.odds import Odds, percent, plain
from battletape.system import Measure
from battletape.tape.story import Line
from battletape.views import chances
from battletape.views.answer import RulingView, plain_inputs, ruling_views
from battletape.views.chances import Amount, Chance

SURE = "The only result there is"


class ResultView(Struct, frozen=True):
    """One measure of the result, with the chances of as little or less and of as much or more."""

    name: str
    title: str
    value: Any
    at_most: Chance | None
    at_least: Chance | None
    luck: str


class RollView(Struct, frozen=True):
    """One result of a question."""

    ruleset: str
    question: str
    title: str
    headline: str
    inputs: dict[str, Any]
    seed: int | str | None
    log: tuple[Line, ...]
    results: tuple[ResultView, ...]
    recording: tuple[str, ...]
    rulings: tuple[RulingView, ...]
    warnings: tuple[str, ...]


class SeriesRow(Struct, frozen=True, omit_defaults=True):
    """A value (or several, up to `to`): how often it came up, its share, and the exact chance."""

    value: Any
    count: int
    share: float
    exactly: Chance
    to: Any = None


class SeriesMeasure(Struct, frozen=True):
    """One measure over many rolls, beside the exact odds."""

    name: str
    title: str
    kind: str
    mean: float | None
    error: float | None
    exact_mean: Amount | None
    rows: tuple[SeriesRow, ...]
    verdict: str


class SeriesView(Struct, frozen=True):
    """Many rolls of one question."""

    ruleset: str
    question: str
    title: str
    inputs: dict[str, Any]
    times: int
    seed: int | str | None
    milliseconds: float
    measures: tuple[SeriesMeasure, ...]


def roll_view(roll: Roll, odds: Answer | None = None, seed: int | str | None = None) -> RollView:
    """Return a roll to show; with the odds it also says how lucky it was."""
    question = roll.question
    results = tuple(
        result_view(
            measure,
            roll.results[measure.name],
            odds.odds(measure.name) if odds and odds.includes(measure.name) else None,
        )
        for measure in roll.measures
    )
    return RollView(
        ruleset=roll.ruleset.name,
        question=question.name,
        title=question.title,
        headline=roll.headline,
        inputs=plain_inputs(roll.inputs),
        seed=seed,
        log=tuple(thrown_lines(roll.played)),
        results=results,
        recording=tuple(map(str, roll.entries)),
        rulings=ruling_views(roll.rulings),
        warnings=odds.warnings if odds else (),
    )


def result_view(measure: Measure, value: Any, odds: Odds[Any] | None) -> ResultView:
    """Return one measure of a result, with its luck where the odds are known."""
    if odds is None:
        words = value if measure.words is None else measure.words(value)
        return ResultView(measure.name, measure.title, plain(words), None, None, "")
    if measure.words is not None:
        value, odds = measure.words(value), chances.worded(measure, odds)
    kind = chances.kind_of(odds, measure.unit)
    value = bool(value) if kind == "yes_no" else value
    if kind == "number":
        less, more = odds.at_most(value), odds.at_least(value)
        return ResultView(
            measure.name,
            measure.title,
            plain(value),
            chances.chance(less),
            chances.chance(more),
            luck_words(less, more),
        )
    luck = f"{percent(odds.chance(lambda result: result == value))} of the time"
    return ResultView(measure.name, measure.title, plain(value), None, None, luck)


def luck_words(less: Fraction, more: Fraction) -> str:
    """Return how lucky a number was, in the words of the rarer side."""
    if less == more == 1:
        return SURE
    return f"As few or fewer: {percent(less)}" if less <= more else f"As many or more: {percent(more)}"


def series_view(
    rolled: Answer, exact: Answer, times: int, seed: int | str | None, most: int | None = None
) -> SeriesView:
    """Many rolls to show beside the exact odds."""
    question = rolled.question
    return SeriesView(
        ruleset=rolled.ruleset.name,
        question=question.name,
        title=question.title,
        inputs=plain_inputs(rolled.inputs),
        times=times,
        seed=seed,
        milliseconds=round(rolled.seconds * 1000, 3),
        measures=tuple(
            _series(measure, rolled.odds(measure.name), exact.odds(measure.name), times, most)
            for measure in exact.measures
        ),
    )


def _series(measure: Measure, rolled: Odds[Any], exact: Odds[Any], times: int, most: int | None) -> SeriesMeasure:
    rolled, exact = chances.worded(measure, rolled), chances.worded(measure, exact)
    kind = chances.kind_of(exact, measure.unit)
    if kind == "yes_no":
        rolled, exact = rolled.project(bool), exact.project(bool)
    rows = []
    shown, _ = chances.rows_of(exact, most)
    for row in shown:
        in_row = _between(row.value, row.to)
        count = int(rolled.chance(in_row) * times)
        rows.append(SeriesRow(row.value, count, count / times, row.exactly, row.to))
    if kind != "number":
        likely = max(rows, key=lambda row: (row.value is True, row.exactly.value))
        value = "yes" if likely.value is True else str(likely.value)
        sentence = f"{value} {percent(likely.share)} of the time, exactly {likely.exactly.percent}"
        return SeriesMeasure(measure.name, measure.title, kind, None, None, None, tuple(rows), sentence)
    mean, error = float(rolled.mean), exact.deviation / times**0.5
    away = abs(mean - float(exact.mean))
    verdict = _verdict(mean, exact, away, error)
    return SeriesMeasure(
        measure.name, measure.title, kind, mean, error, chances.amount(exact.mean), tuple(rows), verdict
    )


def _between(low: Any, high: Any) -> Any:
    return lambda value: plain(value) == low if high is None else low <= value <= high


def _verdict(mean: float, exact: Odds[Any], away: float, error: float) -> str:
    sentence = f"{chances.number_text(mean)} on average, exactly {chances.number_text(float(exact.mean))}"
    return f"{sentence} ({away / error:.1f} standard errors apart)" if error else sentence
