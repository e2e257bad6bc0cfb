"""Overlays: several variants in one picture, told apart by dashes and markers, not by colour alone.

The upper part of the picture shows “at least”, the lower one “exactly”; both stand on the same values. The shapes are
in percent of the picture, as in charts.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from msgspec import Struct

from battletape.views.overlay import OverlayRow, OverlayView, Point
from battletape.web.charts import NARROW, WIDE, Segment, every, shown_at

LETTERS = "ABCD"
UPPER, LOWER = (0.0, 55.0), (66.0, 100.0)
"""From where to where the two parts of the picture go, in percent of its height."""
MARKERS = 9
"""About how many markers a line has, so that they can be told apart."""


class Dot(Struct, frozen=True):
    """A marker on a line."""

    x: float
    y: float


class Trace(Struct, frozen=True):
    """One variant in one part of the picture."""

    at: int
    line: tuple[Segment, ...]
    dots: tuple[Dot, ...]


class Foot(Struct, frozen=True):
    """One value below the picture, and what is read out when it is touched."""

    label: str
    middle: float
    left: float
    step: float
    shown: str
    words: str


class NamedBar(Struct, frozen=True):
    """One variant at one name: a bar."""

    at: int
    letter: str
    width: float
    text: str


class Overlay(Struct, frozen=True):
    """What to draw."""

    kind: str  # lines for numbers in order, bars for names
    title: str
    sums: str
    upper: tuple[Trace, ...]
    lower: tuple[Trace, ...]
    feet: tuple[Foot, ...]
    grid: tuple[tuple[float, str], ...]
    bars: tuple[tuple[str, tuple[NamedBar, ...]], ...]
    read: int
    note: str


def draw(view: OverlayView) -> Overlay:
    """Return the picture of a measure of several variants."""
    if view.kind != "number":
        rows = view.rows[:1] if view.kind == "yes_no" else view.rows
        bars = tuple((row.label, _bars(row)) for row in rows)
        return Overlay("bars", view.title, "", (), (), (), (), bars, 0, "")
    count = max(len(view.rows), 1)
    longest = max((len(row.label) for row in view.rows), default=1)
    narrow, wide = every(count, longest, NARROW), every(count, longest, WIDE)
    feet = tuple(
        Foot(
            row.label,
            _middle(at, count),
            _round(at * 100 / count),
            _round(100 / count),
            shown_at(at, narrow, wide),
            _words(row, view.sums),
        )
        for at, row in enumerate(view.rows)
    )
    highest = max((point.exactly.value for row in view.rows for point in row.points if point), default=1.0)
    top = next(level for level in (0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0) if highest <= level)
    grid = (
        *((_level(share, 1.0, UPPER), f"{share:.0%}".replace("%", " %")) for share in (0.0, 0.5, 1.0)),
        *((_level(share, top, LOWER), f"{share * 100:g} %") for share in (0.0, top)),
    )
    return Overlay(
        "lines",
        view.title,
        view.sums,
        _traces(view, lambda point: point.summed.value if point.summed else None, 1.0, UPPER),
        _traces(view, lambda point: point.exactly.value, top, LOWER),
        feet,
        grid,
        (),
        _telling(view),
        _note(view),
    )


def _telling(view: OverlayView) -> int:
    """Return the value that is read out first: where the variants are furthest apart."""
    if not view.rows:
        return 0
    shares = [[(point.summed or point.exactly).value for point in row.points if point] for row in view.rows]
    if len(shares[0]) < 2:
        return max(
            range(len(shares)), key=lambda at: max(point.exactly.value for point in view.rows[at].points if point)
        )
    return max(range(len(shares)), key=lambda at: max(shares[at]) - min(shares[at]))


def _traces(
    view: OverlayView, of: Callable[[Point], float | None], top: float, part: tuple[float, float]
) -> tuple[Trace, ...]:
    count = len(view.rows)
    apart = -(-count // MARKERS)
    traces = []
    for at in range(len(view.rows[0].points) if view.rows else 0):
        spots: list[Dot | None] = []
        for place, row in enumerate(view.rows):
            point = row.points[at]
            height = None if point is None else of(point)
            spots.append(None if height is None else Dot(_middle(place, count), _level(height, top, part)))
        line = tuple(Segment(a.x, a.y, b.x, b.y) for a, b in pairwise(spots) if a and b)
        # on a long line each variant sets its markers at other values, so that they do not hide each other
        dots = tuple(spot for place, spot in enumerate(spots) if spot and (place + at * apart // 4) % apart == 0)
        if line or dots:
            traces.append(Trace(at, line, dots))
    return tuple(traces)


def _bars(row: OverlayRow) -> tuple[NamedBar, ...]:
    return tuple(
        NamedBar(at, LETTERS[at], _round(point.exactly.value * 100), point.exactly.percent)
        for at, point in enumerate(row.points)
        if point
    )


def _words(row: OverlayRow, sums: str) -> str:
    """Return what is read out: 3 or more: A 52 %, B 40 %. Exactly: A 20 %, B 18 %."""
    points = [(LETTERS[at], point) for at, point in enumerate(row.points) if point]
    exactly = ", ".join(f"{letter} {point.exactly.percent}" for letter, point in points)
    summed = ", ".join(f"{letter} {point.summed.percent}" for letter, point in points if point.summed)
    if not summed:
        return f"{row.label}: {exactly}".replace(" %", "\u00a0%")
    summed_words = f"By {row.label}" if sums == "by then" else f"{row.low or row.label} or more"
    which = f"From {row.low} to {row.high}" if row.high else f"Exactly {row.label}"
    return f"{summed_words}: {summed} · {which}: {exactly}".replace(" %", "\u00a0%")


def _note(view: OverlayView) -> str:
    """Return what a long scale leaves out."""
    if view.cut is None:
        return ""
    parts = [f"{view.cut.step} values to a point"] if view.cut.step > 1 else []
    if view.cut.below.value or view.cut.above.value:
        parts.append("rare ends are left out")
    return ", ".join(parts)


def _middle(at: int, count: int) -> float:
    return _round((at + 0.5) * 100 / count)


def _level(share: float, top: float, part: tuple[float, float]) -> float:
    """Return how far down a share of the top stands."""
    return _round(part[1] - share / top * (part[1] - part[0]))


def _round(number: float) -> float:
    return round(number, 2)
