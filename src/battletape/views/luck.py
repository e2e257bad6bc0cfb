"""How lucky was that: where a result lies among all possible results."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from battletape.answer import Answer
from battletape.odds import Odds, percent, plain
from battletape.system import Measure
from battletape.views.chances import Chance, chance, kind_of, value_text, worded

EXPECTED, USUAL, RARE = Fraction(1, 4), Fraction(1, 10), Fraction(1, 100)
NEGLIGIBLE = Fraction(1, 1000)
"""How much the odds may leave out and still say how lucky a roll was."""


class LuckView(Struct, frozen=True):
    """One measure of a result, and the chances of less, the same and more."""

    name: str
    title: str
    text: str
    unit: str
    verdict: str = ""
    words: str = ""
    less: Chance | None = None
    same: Chance | None = None
    more: Chance | None = None
    rank: float | None = None  # the share that is lower, plus half of the equal ones; None if there is no order


def luck_view(measure: Measure, value: Any, odds: Odds[Any] | None) -> LuckView:
    """Return one measure of a result; its luck is left out if the odds are not known well enough."""
    if measure.words is not None:
        value = measure.words(value)
    if odds is None:
        return LuckView(measure.name, measure.title, _text(value), measure.unit)
    odds = worded(measure, odds)
    kind = kind_of(odds, measure.unit)
    value = bool(value) if kind == "yes_no" and value in (0, 1) else value
    text = _text(value)
    if odds.unexplored > NEGLIGIBLE:
        return LuckView(measure.name, measure.title, text, measure.unit)
    if kind != "number":
        same = odds.chance(lambda result: result == value)
        verdict = "It could not be otherwise." if same == 1 else ""
        words = "" if same == 1 else f"“{text}” happens {percent(same)} of the time."
        return LuckView(measure.name, measure.title, text, measure.unit, verdict, words, same=chance(same))
    low, high, same = odds.at_most(value), odds.at_least(value), odds.chance(lambda result: result == value)
    return LuckView(
        name=measure.name,
        title=measure.title,
        text=text,
        unit=measure.unit,
        verdict=verdict_of(low, high),
        words=_words(low - same, same, high - same),
        less=chance(low - same),
        same=chance(same),
        more=chance(high - same),
        rank=float(low - same / 2),
    )


def luck_views(results: dict[str, Any], answer: Answer | None, measures: tuple[Measure, ...]) -> tuple[LuckView, ...]:
    """Return every measure of a result."""
    return tuple(
        luck_view(
            measure,
            results[measure.name],
            answer.odds(measure.name) if answer and answer.includes(measure.name) else None,
        )
        for measure in measures
    )


def verdict_of(low: Fraction, high: Fraction) -> str:
    """Return how lucky that was, given the chances of as little or less and of as much or more."""
    if low == high == 1:
        return "It could not be otherwise."
    share, side = (low, "low") if low <= high else (high, "high")
    if share >= EXPECTED:
        return "About what to expect."
    if share >= USUAL:
        return f"On the {side} side."
    often = f"1 roll in {round(1 / share):,} is as {side}" if share else f"nothing as {side} could come"
    return f"{'Rare' if share < RARE else f'Very {side}' if share < 3 * RARE else side.capitalize()}: {often}."


def _words(less: Fraction, same: Fraction, more: Fraction) -> str:
    if same == 1:
        return ""
    parts = [f"{percent(share)} give {word}" for share, word in ((less, "less"), (same, "the same"), (more, "more"))]
    return f"Of all such rolls {parts[0]}, {parts[1]} and {parts[2]}."


def _text(value: Any) -> str:
    return value_text(plain(value)).replace("_", " ")
