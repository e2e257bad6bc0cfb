"""Charts: a distribution as shapes in percent of the picture, so that it can stretch without its text.

Results that go from bad to worse are a ladder: a row for each, the worst first, with a bar (exactly) and a tick (this
or worse) on one scale.

Bars (exactly) and line (at least) share one scale. No label stands in the picture: the numbers stand in rows below it,
and where there are too many for the width, every second, fifth, … is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from battletape.odds import percent
from battletape.views.answer import MeasureView, RungView
from battletape.views.chances import Chance, Row, decimal_text, short_share, value_text

BARS = 24
"""How many bars at most, so that a thumb can hit each."""
LETTER = 9.8
GAP = 7.0
NARROW, WIDE = 220.0, 560.0
"""The widths of the picture on a small phone and beside the form, and of a letter of its labels in a wide font:
in pixels, where text is 16 pixels high."""
BAR, WIDEST = 0.72, 20.0
"""How much of its column a bar fills, and how much of the picture at most."""


TICK = 1.2
"""How wide the tick of a rung is, in percent of its track."""


class Column(Struct, frozen=True):
    """One value: its bar and dot, its labels, and what is read out when it is touched."""

    label: str
    exactly: str
    summed: str  # the chance of this or more, or of this by then
    x: float
    middle: float
    width: float
    left: float
    step: float
    bar_top: float
    bar_height: float
    dot: float | None
    likeliest: bool
    shown: str  # where its labels fit: both, narrow or wide pictures, or none
    words: str


class Segment(Struct, frozen=True):
    """A piece of the line, from one dot to the next."""

    x1: float
    y1: float
    x2: float
    y2: float


class Rung(Struct, frozen=True):
    """A row of a ladder: a heading above it where a group begins, its sign, its words, its bar and its tick."""

    heading: str
    summed: str  # the chance of the whole group, beside its heading
    sign: str
    title: str
    about: str
    exactly: str
    worse: str
    bar: float
    tick: float  # where the tick begins, so that it stays within the track
    grave: bool


class Chart(Struct, frozen=True):
    """What to draw."""

    kind: str  # columns for numbers in order, rows for names, ladder, yes_no, single
    title: str
    columns: tuple[Column, ...]
    line: tuple[Segment, ...]
    note: str
    read: int  # the column that is read out first
    sums: str  # at least, by then, or nothing where there is no order
    rungs: tuple[Rung, ...] = ()
    grid: tuple[tuple[float, str], ...] = tuple((100.0 - share, f"{share} %") for share in (0, 25, 50, 75, 100))


def chart(measure: MeasureView) -> Chart:
    """Return the chart of a measure."""
    rows = measure.rows
    kind = _kind(measure)
    count = max(len(rows), 1)
    longest = max((len(text) for row in rows for text in _labels(row)), default=1)
    narrow, wide = every(count, longest, NARROW), every(count, longest, WIDE)
    likeliest = max(range(len(rows)), key=lambda at: rows[at].exactly.value, default=0)
    columns = tuple(_column(row, at, count, at == likeliest, shown_at(at, narrow, wide)) for at, row in enumerate(rows))
    line = tuple(
        Segment(first.middle, first.dot, second.middle, second.dot)
        for first, second in pairwise(columns)
        if first.dot is not None and second.dot is not None
    )
    sums = "by then" if any(row.at_most for row in rows) else "at least" if any(row.at_least for row in rows) else ""
    return Chart(kind, measure.title, columns, line, _note(measure), likeliest, sums, _rungs(measure.ladder))


def _rungs(ladder: Sequence[RungView]) -> tuple[Rung, ...]:
    groups: dict[str, float] = {}
    for rung in ladder:
        groups[rung.group] = groups.get(rung.group, 0.0) + rung.exactly.value
    return tuple(
        Rung(
            heading=rung.group if at == 0 or ladder[at - 1].group != rung.group else "",
            summed=percent(groups[rung.group]),
            sign=rung.sign,
            title=rung.title,
            about=rung.about,
            exactly=_share(rung.exactly),
            worse=_share(rung.or_worse),
            bar=_round(rung.exactly.value * 100),
            tick=_round(rung.or_worse.value * (100 - TICK)),
            grave=rung.grave,
        )
        for at, rung in enumerate(ladder)
    )


def _share(chance: Chance) -> str:
    """Return a chance in whole percent, as there is little room: 39 %, <1 %."""
    return f"{short_share(chance.value)} %"


def _kind(measure: MeasureView) -> str:
    if len(measure.rows) == 1:
        return "single" if measure.rows[0].exactly.fraction == "1" else "nearly"
    if measure.ladder:
        return "ladder"
    return {"number": "columns", "yes_no": "yes_no"}.get(measure.kind, "rows")


def _column(row: Row, at: int, count: int, likeliest: bool, shown: str) -> Column:
    step = 100 / count
    summed = row.at_least or row.at_most
    height = _round(row.exactly.value * 100)
    width = min(step * BAR, WIDEST)
    return Column(
        label=decimal_text(row.label.replace("_", " ")),
        exactly=short_share(row.exactly.value),
        summed="" if summed is None else short_share(summed.value),
        x=_round((at + 0.5) * step - width / 2),
        middle=_round((at + 0.5) * step),
        width=_round(width),
        left=_round(at * step),
        step=_round(step),
        bar_top=_round(100 - height),
        bar_height=height,
        dot=None if summed is None else _round(100 - summed.value * 100),
        likeliest=likeliest,
        shown=shown,
        words=_words(row).replace(" %", "\u00a0%"),
    )


def _words(row: Row) -> str:
    """Return what is read out: Exactly 3: 38 %. 3 or more: 52 %."""
    label = row.label.replace("_", " ")
    if row.at_most is not None:
        return f"{label}: {row.exactly.percent} · by then: {row.at_most.percent}"
    if row.at_least is None:
        return f"{label}: {row.exactly.percent}"
    first = value_text(row.value)
    which = f"From {label.replace('–', ' to ')}" if row.to is not None else f"Exactly {label}"
    more = f" · {first} or more: {row.at_least.percent}" if row.at_least.fraction != "1" else ""
    return f"{which}: {row.exactly.percent}{more}"


def _note(measure: MeasureView) -> str:
    """Return what a long distribution leaves out."""
    cut = measure.cut
    if cut is None:
        return ""
    parts = []
    if cut.step > 1 and measure.kind == "number":
        parts.append(f"{cut.step} values to a bar")
    if cut.below.value:
        parts.append(f"{cut.below.percent} lie below")
    if cut.above.value:
        parts.append(f"{cut.above.percent} " + ("lie above" if measure.kind == "number" else "are other results"))
    return ", ".join(parts)


def _labels(row: Row) -> tuple[str, ...]:
    summed = row.at_least or row.at_most
    return row.label, short_share(row.exactly.value), "" if summed is None else short_share(summed.value)


def every(count: int, longest: int, room: float) -> int:
    """Return how many columns each label needs."""
    fit = max(int(room / (longest * LETTER + GAP)), 1)
    needed = -(-count // fit)
    return next(step for step in (1, 2, 5, 10, 20, 50) if step >= needed)


def shown_at(at: int, narrow: int, wide: int) -> str:
    fits = (at % narrow == 0, at % wide == 0)
    return {(True, True): "both", (True, False): "narrow", (False, True): "wide"}.get(fits, "none")


def _round(number: float) -> float:
    return round(number, 2)
