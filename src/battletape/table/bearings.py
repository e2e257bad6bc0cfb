"""The compass cut where a result changes: the closed forms behind `tape.direction`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import acos, degrees, pi
from typing import Generic, TypeVar

from msgspec import Struct

from battletape.table import points
from battletape.table.points import Inches, Point

T = TypeVar("T")

_WHOLE = {Fraction(1): 0.0, Fraction(1, 2): 60.0, Fraction(0): 90.0, Fraction(-1, 2): 120.0, Fraction(-1): 180.0}
"""The only rational cosines of whole angles (Niven), so that a third of the circle is exactly a third."""


class Arcs(Struct, Generic[T], frozen=True):
    """Cuts and the status between them: `arcs.statuses[tape.direction(arcs.cuts, label=...)]`."""

    cuts: tuple[float, ...]
    statuses: tuple[T, ...]

    def at(self, angle: float) -> T:
        """Return the status on a bearing."""
        return self.statuses[bisect_right(self.cuts, points.wrap(angle)) % len(self.statuses)]

    def widths(self) -> tuple[float, ...]:
        """Return how many degrees each status spans; the first is the arc across north."""
        if not self.cuts:
            return (360.0,)
        before = (self.cuts[-1] - 360, *self.cuts[:-1])
        return tuple(cut - last for last, cut in zip(before, self.cuts, strict=True))

    def middles(self) -> tuple[float, ...]:
        """Return a bearing in the middle of each arc."""
        ends = self.cuts or (180.0,)
        return tuple(points.wrap(end - width / 2) for end, width in zip(ends, self.widths(), strict=True))

    def degrees(self, wanted: Callable[[T], bool]) -> float:
        """Return how many degrees have a status of the wanted kind."""
        return sum(width for width, status in zip(self.widths(), self.statuses, strict=True) if wanted(status))


def arcs(marks: Iterable[float], status: Callable[[float], T]) -> Arcs[T]:
    """Cut the compass at those marks where the status really changes; it is read in the middle between marks."""
    cuts: list[float] = []
    for mark in sorted(points.wrap(mark) for mark in marks):
        if not cuts or mark - cuts[-1] > points.TOLERANCE:
            cuts.append(mark)
    if len(cuts) > 1 and cuts[0] + 360 - cuts[-1] <= points.TOLERANCE:
        cuts.pop()
    if len(cuts) < 2:
        return Arcs((), (status(points.wrap(cuts[0] + 180) if cuts else 0.0),))
    ends = (*cuts[1:], cuts[0] + 360)
    after = [status(points.wrap((cut + end) / 2)) for cut, end in zip(cuts, ends, strict=True)]
    kept = [at for at in range(len(cuts)) if after[at] != after[at - 1]]
    if not kept:
        return Arcs((), (after[0],))
    return Arcs(tuple(cuts[at] for at in kept), (after[kept[-1]], *(after[at] for at in kept[:-1])))


def arc_cosine(cosine: Inches) -> float:
    """Return the angle of a cosine, in degrees from 0 to 180; a cosine past either end counts as that end."""
    held = min(Fraction(1), max(Fraction(-1), points.exact(cosine)))
    return _WHOLE[held] if held in _WHOLE else degrees(acos(held))


def reach_cosine(away: Inches, moved: Inches, reach: Inches) -> Fraction:
    """Return the cosine of the half-angle within which a point moved so far comes within reach of one that is so
    far away.
    """
    distance, way, limit = points.exact(away), points.exact(moved), points.exact(reach)
    return (distance**2 + way**2 - limit**2) / (2 * distance * way)


def reach_angle(away: Inches, moved: Inches, reach: Inches) -> float:
    """Return that half-angle in degrees: 0 if no direction comes within reach, 180 if every direction does."""
    points.check_length("distance", away)
    points.check_length("move", moved)
    if reach < 0:
        return 0.0
    if not away or not moved:
        return 180.0 if float(away) + float(moved) <= reach + points.TOLERANCE else 0.0
    return arc_cosine(reach_cosine(away, moved, reach))


def reach_share(away: float, moved: float, reach: float) -> float:
    """Return the share of all directions in which a point moved so far comes within reach, in floats.

    >>> reach_share(2.0, 2.0, 2.0), reach_share(1.0, 1.0, 2.0), reach_share(5.0, 2.0, 2.0)
    (0.3333333333333333, 1.0, 0.0)
    """
    if reach < 0 or abs(away - moved) >= reach:
        return 0.0
    if away + moved <= reach:
        return 1.0
    return acos((away * away + moved * moved - reach * reach) / (2 * away * moved)) / pi


def circle_cuts(start: Point, moved: Inches, centre: Point, reach: Inches) -> tuple[float, ...]:
    """Return the bearings on which a point moved so far from the start lies exactly `reach` from a centre."""
    square = points.apart_squared(start, centre)
    if not square or not moved or reach < 0:
        return ()
    over, away = square + points.exact(moved) ** 2 - points.exact(reach) ** 2, points.exact_root(square)
    cosine: Inches = float(over) / (2 * float(away) * float(moved))
    if isinstance(away, Fraction):
        cosine = over / (2 * away * points.exact(moved))
    if not -1 - points.TOLERANCE <= cosine <= 1 + points.TOLERANCE:
        return ()
    middle, half = points.bearing(start, centre), arc_cosine(cosine)
    return points.wrap(middle - half), points.wrap(middle + half)


def line_cuts(start: Point, moved: Inches, normal: float, through: Point) -> tuple[float, ...]:
    """Return the bearings on which a point moved so far meets the line through a point, square to the bearing
    `normal`.
    """
    if not moved:
        return ()
    east, north = points.unit(normal)
    away = (through.x - start.x) * east + (through.y - start.y) * north
    cosine = away / float(moved)
    if abs(cosine) > 1 + points.TOLERANCE:  # a bare touch is a mark too, so that the status is never read exactly there
        return ()
    half = arc_cosine(cosine)
    return points.wrap(normal - half), points.wrap(normal + half)
