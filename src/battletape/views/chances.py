"""Chances and distributions as people read them: fraction, number and percentage, without the rare ends."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from battletape.odds import Odds, Share, fraction_text, percent, plain, shares
from battletape.system import Measure

TAIL = Fraction(1, 1000)
"""A long distribution leaves out up to this share at either end."""


class Chance(Struct, frozen=True):
    """A chance three ways: exact, as a number, and as people say it."""

    fraction: str
    value: float
    percent: str


class Amount(Struct, frozen=True):
    """An average: exact, as a number, and as people say it."""

    fraction: str
    value: float
    text: str


class Row(Struct, frozen=True, omit_defaults=True):
    """One bar: a value (or the first of several, up to `to`), and the chances of exactly this and of at least this."""

    value: Any
    exactly: Chance
    at_least: Chance | None = None
    to: Any = None
    at_most: Chance | None = None  # in place of at_least, where that is what people ask

    @property
    def label(self) -> str:
        """The value as text: 3, yes, 40–44."""
        return value_text(self.value) if self.to is None else f"{value_text(self.value)}–{value_text(self.to)}"


class Cut(Struct, frozen=True):
    """What a long distribution leaves out of the picture."""

    values: int
    step: int
    below: Chance
    above: Chance


def chance(share: Fraction | Share) -> Chance:
    """Return a chance to show."""
    text = str(share) if isinstance(share, Share) else fraction_text(share)
    return Chance(text, float(share), percent(share))


def short_share(share: float) -> str:
    """Return a chance in two or three letters, in percent: 38, <1, 100."""
    if share in (0.0, 1.0):
        return f"{share * 100:.0f}"
    return "<1" if share < 0.005 else ">99" if share > 0.995 else f"{share * 100:.0f}"


def amount(number: Fraction | int) -> Amount:
    """Return an average to show."""
    exact = Fraction(number)
    return Amount(fraction_text(exact), float(exact), number_text(float(exact)))


def number_text(value: float) -> str:
    """Return a number with as many digits as it deserves: 2.47, 24.7, 247."""
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def decimal_text(text: str) -> str:
    """Return a number as people say it: a fraction becomes a decimal, words stay.

    >>> decimal_text("25001/2500"), decimal_text("volley 3")
    ('10', 'volley 3')
    """
    return number_text(float(Fraction(text))) if re.fullmatch(r"-?\d+/[1-9]\d*", text) else text


def value_text(value: Any) -> str:
    """Return a value of a measure as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (float, Fraction)):
        return number_text(float(value))
    return str(value)


def kind_of(odds: Odds[Any], unit: str = "things") -> str:
    """Return whether a measure counts (number), happens or not (yes_no), or names something (other).

    A measure without a unit that is always 0 or 1 counts nothing: it happens or not.
    """
    values = list(odds.weights)
    if all(isinstance(value, bool) for value in values) or (not unit and set(values) <= {0, 1}):
        return "yes_no"
    return "number" if all(isinstance(value, (int, float, Fraction)) for value in values) else "other"


def worded(measure: Measure, odds: Odds[Any]) -> Odds[Any]:
    """Return the odds of a measure in the words for its values, if it has any."""
    return odds if measure.words is None else odds.project(measure.words)


def worded_rows(measure: Measure, odds: Odds[Any]) -> tuple[Row, ...]:
    """Return the bars of a measure with words: in the order of its values, “did not happen” last."""
    assert measure.words is not None
    rows: list[Row] = []
    last: list[Row] = []
    so_far = 0
    for value, exactly, at_least, _ in shares(odds):
        if value == measure.never and measure.never is not None:
            last.append(Row(measure.words(value), chance(exactly)))
            continue
        so_far += exactly.part
        if measure.adds_up == "at_most":
            rows.append(Row(measure.words(value), chance(exactly), at_most=chance(Share(so_far, odds.total))))
        else:
            rows.append(Row(measure.words(value), chance(exactly), chance(at_least)))
    return (*rows, *last)


def rows_of(odds: Odds[Any], most: int | None = None) -> tuple[tuple[Row, ...], Cut | None]:
    """Return the bars of a distribution, at most `most`: rare ends are left out, neighbours put together."""
    if most is None or len(odds) <= most:
        ordered = kind_of(odds) == "number"
        rows = (Row(plain(v), chance(e), chance(a) if ordered else None) for v, e, a, _ in shares(odds))
        return tuple(rows), None
    if kind_of(odds) != "number":
        return _likeliest(odds, most)
    return _window(odds, most)


def _likeliest(odds: Odds[Any], most: int) -> tuple[tuple[Row, ...], Cut]:
    """Return the likeliest values of a distribution without an order."""
    kept = sorted(odds.weights, key=odds.weights.__getitem__, reverse=True)[:most]
    total, shown = odds.total, sum(odds.weights[value] for value in kept)
    rest = Share(total - odds.unexplored_weight - shown, total)
    rows = tuple(Row(plain(value), chance(Share(odds.weights[value], total))) for value in kept)
    return rows, Cut(len(odds), 1, chance(Fraction(0)), chance(rest))


def _window(odds: Odds[Any], most: int) -> tuple[tuple[Row, ...], Cut]:
    """Return the bars without the rare ends, in even steps."""
    values = odds.values()
    sums = [0]
    for value in values:
        sums.append(sums[-1] + odds.weights[value])
    whole = sums[-1]
    first = max(bisect_right(sums, whole * TAIL) - 1, 0)
    last = min(bisect_left(sums, whole * (1 - TAIL)) - 1, len(values) - 1)
    step, edges = _edges(values[first : last + 1], most)
    rows = []
    for low, high in edges:
        start, end = bisect_left(values, low), bisect_right(values, high)
        if start < end:
            share = Share(sums[end] - sums[start], odds.total)
            at_least = chance(Share(whole - sums[start], odds.total))
            rows.append(Row(plain(low), chance(share), at_least, None if low == high else plain(high)))
    below = sums[bisect_left(values, edges[0][0])]
    above = whole - sums[bisect_right(values, edges[-1][1])]
    return tuple(rows), Cut(len(values), step, chance(Share(below, odds.total)), chance(Share(above, odds.total)))


def _edges(values: Sequence[Any], most: int) -> tuple[int, list[tuple[Any, Any]]]:
    """Return the first and last value of each bar: whole numbers in round steps, anything else in equal parts."""
    if not all(isinstance(value, int) for value in values):
        size = -(-len(values) // most)
        parts = [values[at : at + size] for at in range(0, len(values), size)]
        return size, [(part[0], part[-1]) for part in parts]
    if len(values) <= most:
        return 1, [(value, value) for value in values]
    low, high = values[0], values[-1]
    if most == 1:  # no step puts numbers on both sides of 0 together
        return high - low + 1, [(low, high)]
    step = next(s for s in _round_steps() if high // s - low // s < most)
    starts = range(low // step * step, high + 1, step)
    return step, [(start, start + step - 1) for start in starts]


def _round_steps() -> Any:
    size = 1
    while True:
        yield from (2 * size, 5 * size, 10 * size)
        size *= 10
