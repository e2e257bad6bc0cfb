"""Ground: polygons, what is inside them, and how much of a disc or of another polygon they hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, sqrt
from typing import TypeAlias

from msgspec import Struct

from battletape.errors import BadInput
from battletape.table import points
from battletape.table.bases import Base
from battletape.table.points import Point

Edge: TypeAlias = tuple[Point, Point]
Spans: TypeAlias = tuple[tuple[float, float], ...]
"""Stretches of a straight way, in inches from its start."""


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of ground: its corners in order, clockwise or not; the outline may not cross itself."""

    outline: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.outline) < 3 or abs(_doubled(self.outline)) <= points.TOLERANCE:
            raise BadInput(f"an area needs three or more corners around some ground, got {len(self.outline)}")


Ground: TypeAlias = Area | Base


def rectangle(west: float, south: float, east: float, north: float) -> Area:
    """Return an upright rectangle."""
    return Area((Point(west, south), Point(west, north), Point(east, north), Point(east, south)))


def edges(outline: Sequence[Point]) -> tuple[Edge, ...]:
    """Return the sides of an outline, the last one back to the first corner."""
    return tuple(zip(outline, (*outline[1:], *outline[:1]), strict=True))


def size(outline: Sequence[Point]) -> float:
    """Return the ground inside an outline, in square inches."""
    return abs(_doubled(outline)) / 2


def rim_gap(outline: Sequence[Point], point: Point) -> float:
    """Return how far a point is from the outline itself."""
    return min(points.apart(point, points.nearest_on_segment(point, *edge)) for edge in edges(outline))


def _is_clear_of(outline: Sequence[Point], start: Point, end: Point) -> bool:
    """Return whether a straight way lies wholly to one side of an outline: a quick look that spares a long one."""
    xs, ys = [corner.x for corner in outline], [corner.y for corner in outline]
    return (
        max(start.x, end.x) < min(xs) - points.TOLERANCE
        or min(start.x, end.x) > max(xs) + points.TOLERANCE
        or max(start.y, end.y) < min(ys) - points.TOLERANCE
        or min(start.y, end.y) > max(ys) + points.TOLERANCE
    )


def is_inside(ground: Ground, point: Point, *, rim: bool = True) -> bool:
    """Return whether a point lies on this ground; `rim` says whether the outline itself belongs to it."""
    if isinstance(ground, Base):
        reach = ground.radius + (points.TOLERANCE if rim else -points.TOLERANCE)
        return points.apart(ground.centre, point) <= reach
    if _is_clear_of(ground.outline, point, point):
        return False
    if rim_gap(ground.outline, point) <= points.TOLERANCE:
        return rim
    inside = False
    for a, b in edges(ground.outline):
        if (a.y > point.y) != (b.y > point.y) and point.x < a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y):
            inside = not inside
    return inside


def spans(start: Point, end: Point, ground: Ground, *, rim: bool = True) -> Spans:
    """Return the stretches of a straight way that lie on this ground."""
    way = points.apart(start, end)
    if way <= points.TOLERANCE:
        return ()
    if isinstance(ground, Base):
        return _disc_spans(start, end, ground)
    if _is_clear_of(ground.outline, start, end):
        return ()
    cuts = [0.0, way]
    for edge in edges(ground.outline):
        met = points.line_crossing(start, end, *edge)
        if met is not None:
            cuts.append(met[0] * way)
        else:  # a side along the way starts and ends a stretch at its corners
            cuts += (points.apart(start, corner) for corner in edge)
    marks = sorted(cut for cut in cuts if 0 <= cut <= way)
    stretches = [(a, b) for a, b in pairwise(marks) if b - a > points.TOLERANCE]
    return join(
        (a, b) for a, b in stretches if is_inside(ground, points.between(start, end, (a + b) / 2 / way), rim=rim)
    )


def join(stretches: Iterable[tuple[float, float]]) -> Spans:
    """Return stretches in order, with those that meet or overlap made one."""
    joined: list[tuple[float, float]] = []
    for start, end in sorted(stretches):
        if joined and start <= joined[-1][1] + points.TOLERANCE:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def clip(outline: Sequence[Point], start: Point, end: Point) -> tuple[Point, ...]:
    """Return the part of a convex outline that lies to the left of a line."""
    kept: list[Point] = []
    for a, b in edges(outline):
        before, after = points.cross(start, end, a), points.cross(start, end, b)
        if before >= 0:
            kept.append(a)
        if before * after < 0:
            kept.append(points.between(a, b, before / (before - after)))
    return tuple(kept)


def shared_size(outline: Sequence[Point], convex: Sequence[Point]) -> float:
    """Return the ground that two convex outlines share."""
    shared = tuple(outline)
    for edge in edges(convex if _doubled(convex) > 0 else convex[::-1]):
        shared = clip(shared, *edge)
    return size(shared) if len(shared) > 2 else 0.0


def size_in_disc(outline: Sequence[Point], disc: Base) -> float:
    """Return the ground of an outline that lies under a disc: exact, by triangles and slices around the disc's
    centre.
    """
    if len(outline) < 3:
        return 0.0
    return abs(sum(_slice(a, b, disc) for a, b in edges(outline)))


def _doubled(outline: Sequence[Point]) -> float:
    """Twice the signed size: positive if the corners run anticlockwise."""
    return sum(a.x * b.y - b.x * a.y for a, b in edges(outline))


def _disc_spans(start: Point, end: Point, disc: Base) -> Spans:
    way = points.apart(start, end)
    along = ((disc.centre.x - start.x) * (end.x - start.x) + (disc.centre.y - start.y) * (end.y - start.y)) / way
    aside = points.cross(start, end, disc.centre) / way
    if abs(aside) >= disc.radius - points.TOLERANCE:
        return ()
    half = sqrt(disc.radius**2 - aside**2)
    low, high = max(0.0, along - half), min(way, along + half)
    return ((low, high),) if high - low > points.TOLERANCE else ()


def _slice(a: Point, b: Point, disc: Base) -> float:
    """Return the signed ground under the disc of the triangle from its centre over one side."""
    centre, radius = disc.centre, disc.radius
    inside = _disc_spans(a, b, disc)
    if not inside:
        return _sector(a, b, centre) * radius**2 / 2
    way = points.apart(a, b)
    enter, leave = (points.between(a, b, mark / way) for mark in inside[0])
    wings = _sector(a, enter, centre) + _sector(leave, b, centre)
    return wings * radius**2 / 2 + points.cross(centre, enter, leave) / 2


def _sector(a: Point, b: Point, centre: Point) -> float:
    """Return the signed angle between two points as seen from a centre, in radians."""
    along = (a.x - centre.x) * (b.x - centre.x) + (a.y - centre.y) * (b.y - centre.y)
    return atan2(points.cross(centre, a, b), along)
