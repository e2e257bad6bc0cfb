"""Variants laid over each other: one measure on one scale, and every measure in a number with its difference.

A variant that could not be worked out has no odds; its place stays empty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from msgspec import Struct

from battletape.answer import Answer
from battletape.odds import Odds, percent, plain
from battletape.system import Measure
from battletape.views import chances
from battletape.views.chances import Chance, Cut

SHARES = (
    (Fraction(1, 10), "9 times of 10 at least"),
    (Fraction(1, 2), "half the time at least"),
    (Fraction(9, 10), "1 time of 10 at least"),
)
"""The percentiles as a player says them."""


class Point(Struct, frozen=True):
    """One variant at one value: the chance of exactly this, and of this or more (or of this by then)."""

    exactly: Chance
    summed: Chance | None


class OverlayRow(Struct, frozen=True):
    """One value, or several put together, with a point for each variant that was worked out."""

    label: str
    points: tuple[Point | None, ...]
    low: str = ""  # the first and the last value, where several are put together
    high: str = ""


class OverlayView(Struct, frozen=True):
    """A measure of every variant on one scale."""

    measure: str
    title: str
    unit: str
    kind: str  # number for values in order, yes_no, other
    sums: str  # at least, by then, or nothing where there is no order
    rows: tuple[OverlayRow, ...]
    cut: Cut | None


class FigureView(Struct, frozen=True):
    """A measure in a number or word, and how it differs from the first variant."""

    text: str
    difference: str  # +0.4, or +12 percentage points; empty if there is none


class OverlayLine(Struct, frozen=True):
    """One line of the table: its title, and a figure for each variant."""

    title: str
    figures: tuple[FigureView | None, ...]
    measure: str = ""  # the name of the measure, if it is one
    unit: str = ""


def overlay(measure: Measure, odds: Sequence[Odds[Any] | None], most: int | None = None) -> OverlayView:
    """Return a measure of several variants on one scale, with at most `most` values."""
    kind = shared_kind(measure, odds)
    shown = [None if variant is None else variant.project(bool) if kind == "yes_no" else variant for variant in odds]
    if kind == "yes_no":
        rows = tuple(_named(shown, value, "yes" if value else "no") for value in (True, False))
        return OverlayView(measure.name, measure.title, measure.unit, kind, "", rows, None)
    if kind == "other":
        values = sorted({value for variant in shown if variant for value in variant.weights}, key=_likelihood(shown))
        few = values[:most]
        rows = tuple(_named(shown, value, _words(measure, value)) for value in few)
        return OverlayView(measure.name, measure.title, measure.unit, kind, "", rows, None)
    mixed = _mixed([variant for variant in shown if variant])
    never = measure.never if measure.words is not None else None
    bars, cut = chances.rows_of(mixed, most)
    exact = {plain(value): value for value in mixed.weights}  # bars hold fractions as texts
    both = [(bar.value, bar.value if bar.to is None else bar.to) for bar in bars if bar.value != never or never is None]
    ends = [(exact.get(low, low), exact.get(high, high)) for low, high in both]
    sums = "by then" if measure.adds_up == "at_most" else "at least"
    placed = [_placed(variant, ends, sums, never) for variant in shown]
    rows = tuple(
        _row(measure, low, high, tuple(None if points_of is None else points_of[at] for points_of in placed))
        for at, (low, high) in enumerate(ends)
    )
    if never is not None and any(never in variant.weights for variant in shown if variant):
        rows = (*rows, _named(shown, never, _words(measure, never)))
    return OverlayView(measure.name, measure.title, measure.unit, kind, sums, rows, cut)


def shared_kind(measure: Measure, odds: Sequence[Odds[Any] | None]) -> str:
    """Return what the measure is in all variants together: numbers in order, yes or no, or names."""
    kinds = [chances.kind_of(variant, measure.unit) for variant in odds if variant]
    if "other" in kinds or not kinds:
        return "other"
    return "number" if "number" in kinds else "yes_no"


def lines(measures: Sequence[Measure], answers: Sequence[Answer | None]) -> tuple[OverlayLine, ...]:
    """Return every measure in a number for each variant: averages, chances, or the likeliest."""
    views = []
    for measure in measures:
        odds = [None if answer is None else answer.odds(measure.name) for answer in answers]
        kind = "other" if measure.words is not None else shared_kind(measure, odds)
        if kind == "number":
            figures = figure_line(odds, lambda variant: variant.mean)
        elif kind == "yes_no":
            figures = chance_line(odds, lambda variant: variant.chance(bool))
        else:
            figures = tuple(
                None if variant is None else FigureView(_words(measure, variant.mode), "") for variant in odds
            )
        note = {"number": "on average", "yes_no": ""}.get(kind, "likeliest")
        views.append(
            OverlayLine(
                measure.title,
                figures,
                measure.name,
                " ".join(filter(None, ("" if measure.unit == measure.title.lower() else measure.unit, note))),
            )
        )
    return tuple(views)


def spread_lines(odds: Sequence[Odds[Any] | None], thresholds: Sequence[Any]) -> tuple[OverlayLine, ...]:
    """Return more about a measure in numbers: chances at the thresholds, percentiles, and which variant gets more."""
    views = [
        OverlayLine(f"{chances.value_text(value)} or more", chance_line(odds, partial(Odds.at_least, value=value)))
        for value in thresholds
    ]
    views += [OverlayLine(title, figure_line(odds, partial(Odds.quantile, share=share))) for share, title in SHARES]
    first = next((variant for variant in odds if variant), None)
    if first is not None and sum(variant is not None for variant in odds) > 1:
        beats = tuple(
            None
            if variant is None
            else FigureView("" if variant is first else percent(variant.compare(first)["more"]), "")
            for variant in odds
        )
        views.append(OverlayLine("gets more than the first", beats))
    return tuple(views)


def figure_line(odds: Sequence[Odds[Any] | None], of: Callable[[Any], Any]) -> tuple[FigureView | None, ...]:
    """Return a number of each variant, and how far it is from the first."""
    return _line(odds, of, lambda value: chances.number_text(float(value)), signed)


def chance_line(odds: Sequence[Odds[Any] | None], of: Callable[[Any], Any]) -> tuple[FigureView | None, ...]:
    """Return a chance of each variant, and its difference from the first in percentage points."""
    return _line(odds, of, percent, points)


def _line(
    odds: Sequence[Odds[Any] | None],
    of: Callable[[Any], Any],
    text: Callable[[Any], str],
    apart: Callable[[float], str],
) -> tuple[FigureView | None, ...]:
    values = [None if variant is None else of(variant) for variant in odds]
    first = next((at for at, value in enumerate(values) if value is not None), 0)
    return tuple(
        None
        if value is None
        else FigureView(text(value), "" if at == first else apart(float(value - (values[first] or 0))))
        for at, value in enumerate(values)
    )


def signed(number: float) -> str:
    """Return a difference with its sign: +0.4, −12; “=” if it is negligible."""
    text = chances.number_text(abs(number))
    return "=" if text == "0" else ("+" if number > 0 else "−") + text


def points(share: float) -> str:
    """Return a difference of chances in percentage points, with the digits of a chance: +12, −6.3."""
    text = percent(abs(share)).removesuffix(" %")
    return "=" if text == "0" else ("+" if share > 0 else "−") + text


def _mixed(odds: Sequence[Odds[Any]]) -> Odds[Any]:
    """Return all variants mixed in equal parts, so that the scale covers each of them."""
    weights: dict[Any, int] = {}
    whole = 1
    for variant in odds:
        whole *= variant.total
    for variant in odds:
        for value, weight in variant.weights.items():
            weights[value] = weights.get(value, 0) + weight * (whole // variant.total)
    return Odds(weights, whole * len(odds))


def _placed(odds: Odds[Any] | None, ends: Sequence[tuple[Any, Any]], sums: str, never: Any) -> tuple[Point, ...] | None:
    """Return the points of a variant at the values of the scale."""
    if odds is None:
        return None
    values = sorted((value, weight) for value, weight in odds.weights.items() if value != never or never is None)
    whole = sum(weight for _, weight in values)
    placed, at, before = [], 0, 0
    for low, high in ends:
        while at < len(values) and values[at][0] < low:
            before += values[at][1]
            at += 1
        here = 0
        while at < len(values) and values[at][0] <= high:
            here += values[at][1]
            at += 1
        summed = before + here if sums == "by then" else whole - before
        placed.append(Point(chances.chance(Fraction(here, odds.total)), chances.chance(Fraction(summed, odds.total))))
        before += here
    return tuple(placed)


def _row(measure: Measure, low: Any, high: Any, points: tuple[Point | None, ...]) -> OverlayRow:
    if low == high:
        return OverlayRow(_words(measure, low), points)
    first, last = chances.value_text(low), chances.value_text(high)
    return OverlayRow(f"{first}–{last}", points, first, last)


def _named(odds: Sequence[Odds[Any] | None], value: Any, label: str) -> OverlayRow:
    return OverlayRow(
        label,
        tuple(None if variant is None else Point(chances.chance(variant.chance(value)), None) for variant in odds),
    )


def _likelihood(odds: Sequence[Odds[Any] | None]) -> Callable[[Any], tuple[float, str]]:
    """Return the order of names: the likeliest of all variants together first."""
    return lambda value: (-sum(float(variant.chance(value)) for variant in odds if variant), str(value))


def _words(measure: Measure, value: Any) -> str:
    return measure.words(value) if measure.words is not None else chances.value_text(value).replace("_", " ")


def named_headline(measure: Measure, named: Sequence[tuple[str, Odds[Any]]]) -> str:
    """Return the likeliest result of each variant in one sentence, for a measure that names results."""
    parts = [
        f"{_words(measure, own_odds.mode)} with {name} ({percent(own_odds.chance(own_odds.mode))})"
        for name, own_odds in named
    ]
    return f"{measure.title}, likeliest: {', '.join(parts)}."
