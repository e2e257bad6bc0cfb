"""Gaps between whatever stands on the table, contact, overlap and coherency."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot
from typing import TypeAlias

from battletape.table import points
from battletape.table.areas import Area, edges, is_inside, rim_gap, spans
from battletape.table.bases import Base
from battletape.table.hulls import Hull, corners, in_frame
from battletape.table.points import Inches, Point

Thing: TypeAlias = Point | Base | Hull | Area
"""Anything that distances are measured to."""


def gap(thing: Thing, other: Thing) -> float:
    """Return the distance from edge to edge; 0 for things that touch or overlap."""
    if isinstance(thing, (Point, Base)):
        return max(0.0, _from_point(_centre(thing), other) - _radius(thing))
    if isinstance(other, (Point, Base)):
        return gap(other, thing)
    outlines = outline(thing), outline(other)
    if is_inside(Area(outlines[1]), outlines[0][0]) or is_inside(Area(outlines[0]), outlines[1][0]):
        return 0.0
    return min(points.segment_gap(*a, *b) for a in edges(outlines[0]) for b in edges(outlines[1]))


def is_within(thing: Thing, other: Thing, inches: Inches) -> bool:
    """Return whether the gap is at most this many inches."""
    return gap(thing, other) <= inches + points.TOLERANCE


def touches(thing: Thing, other: Thing) -> bool:
    """Return whether two things are in contact or overlap."""
    return is_within(thing, other, 0)


def overlaps(thing: Thing, other: Thing) -> bool:
    """Return whether two things share ground; mere contact shares none."""
    if isinstance(thing, (Point, Base)):
        return _signed(_centre(thing), other) < _radius(thing) - points.TOLERANCE
    if isinstance(other, (Point, Base)):
        return overlaps(other, thing)
    areas = Area(outline(thing)), Area(outline(other))
    for mine, yours in (areas, areas[::-1]):
        if any(spans(*edge, yours, rim=False) for edge in edges(mine.outline)):
            return True
    return is_inside(areas[1], inner_point(areas[0]), rim=False)


def within(thing: Thing, others: Sequence[Thing], inches: Inches) -> tuple[int, ...]:
    """Return which of the others (by place in the list) are within this many inches, such as an explosion's reach."""
    return tuple(at for at, other in enumerate(others) if is_within(thing, other, inches))


def closer_than(thing: Thing, others: Sequence[Thing], inches: Inches) -> tuple[int, ...]:
    """Return which of the others are nearer than the limit; exactly at the limit is far enough."""
    return tuple(at for at, other in enumerate(others) if gap(thing, other) < inches - points.TOLERANCE)


def is_coherent(unit: Sequence[Thing], inches: Inches = 2, *, chain: bool = False) -> bool:
    """Return whether every model is close to another of its unit; as a `chain`, whether all hang together."""
    if len(unit) < 2:
        return True
    if not chain:
        return all(any(is_within(a, b, inches) for b in unit if b is not a) for a in unit)
    reached, rest = [unit[0]], list(unit[1:])
    while rest:
        near = [model for model in rest if any(is_within(model, other, inches) for other in reached)]
        if not near:
            return False
        reached += near
        rest = [model for model in rest if all(model is not other for other in near)]
    return True


def outline(thing: Hull | Area) -> tuple[Point, ...]:
    """Return the corners of a hull or area."""
    return corners(thing) if isinstance(thing, Hull) else thing.outline


def nearest_point(point: Point, thing: Thing) -> Point:
    """Return the part of a thing that is nearest to a point: the point itself if it lies on the thing."""
    if isinstance(thing, Point):
        return thing
    if isinstance(thing, Base):
        way = points.apart(point, thing.centre)
        return point if way <= thing.radius else points.between(thing.centre, point, thing.radius / way)
    if is_inside(Area(outline(thing)), point):
        return point
    candidates = (points.nearest_on_segment(point, *edge) for edge in edges(outline(thing)))
    return min(candidates, key=lambda candidate: points.apart(point, candidate))


def inner_point(area: Area) -> Point:
    """Return some point well inside an area: the middle of the widest cut half-way up its tallest band."""
    heights = sorted({corner.y for corner in area.outline})
    low, high = max(pairwise(heights), key=lambda band: band[1] - band[0])
    level, west, east = (low + high) / 2, *_sides(area)
    widest = max(spans(Point(west, level), Point(east, level), area), key=lambda span: span[1] - span[0])
    return Point(west + (widest[0] + widest[1]) / 2, level)


def _sides(area: Area) -> tuple[float, float]:
    return min(corner.x for corner in area.outline), max(corner.x for corner in area.outline)


def _centre(thing: Point | Base) -> Point:
    return thing.centre if isinstance(thing, Base) else thing


def _radius(thing: Point | Base) -> float:
    return thing.radius if isinstance(thing, Base) else 0.0


def _from_point(point: Point, thing: Thing) -> float:
    """Return the distance from a point to the edge of a thing; 0 on hulls and areas."""
    return _signed(point, thing) if isinstance(thing, (Point, Base)) else max(0.0, _signed(point, thing))


def _signed(point: Point, thing: Thing) -> float:
    """Return the distance from a point to the edge of a thing, negative inside."""
    if isinstance(thing, (Point, Base)):
        return points.apart(point, _centre(thing)) - _radius(thing)
    if isinstance(thing, Hull):
        ahead, right = in_frame(thing, point)
        over = abs(ahead) - thing.length / 2, abs(right) - thing.width / 2
        return hypot(max(0.0, over[0]), max(0.0, over[1])) + min(0.0, max(over))
    away = rim_gap(outline(thing), point)
    return -away if is_inside(Area(outline(thing)), point) else away
