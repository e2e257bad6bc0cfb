"""Moves: their length, the legs a hull drives, and the terrain and roads along them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from battletape.table import points
from battletape.table.areas import Area, Ground, Spans, edges, join, spans
from battletape.table.bases import Base
from battletape.table.distances import outline, overlaps
from battletape.table.hulls import Hull, driven, turned
from battletape.table.points import Point
from battletape.table.sweeps import Obstacle, contact_spans

_Way: TypeAlias = tuple[Callable[..., Spans], tuple[Any, ...], float]
"""How to measure one leg, the leg, and its inches."""


def path_length(path: Sequence[Point]) -> float:
    """Return the inches along a path; turning on the spot costs nothing."""
    return sum(points.apart(a, b) for a, b in pairwise(path))


def legs(hull: Hull, goals: Sequence[Point], *, reverse: bool = False) -> tuple[tuple[Hull, float], ...]:
    """Return the straight drives of a hull from goal to goal: where it stands, turned the way it drives, and how
    far.
    """
    drives = []
    for start, goal in pairwise((hull.centre, *goals)):
        if (inches := points.apart(start, goal)) > points.TOLERANCE:
            heading = points.bearing(start, goal)
            drives.append(
                (Hull(start, points.wrap(heading + 180) if reverse else heading, hull.length, hull.width), inches)
            )
    return tuple(drives)


def arrived(hull: Hull, goals: Sequence[Point], heading: float | None = None, *, reverse: bool = False) -> Hull:
    """Return the hull at the end of its path, turned as it drove or to a last heading."""
    drives = legs(hull, goals, reverse=reverse)
    if drives:
        last, inches = drives[-1]
        hull = driven(last, -inches if reverse else inches)
    return hull if heading is None else turned(hull, heading)


def spans_along(path: Sequence[Point], grounds: Iterable[Ground]) -> Spans:
    """Return the stretches of a path (its line, not a base or hull) that lie on any of these grounds."""
    return _along([(spans, (a, b), points.apart(a, b)) for a, b in pairwise(path)], grounds)


def base_spans_along(base: Base, goals: Sequence[Point], grounds: Iterable[Ground]) -> Spans:
    """Return the stretches of a model's path on which its base overlaps any of these grounds."""
    ways = pairwise((base.centre, *goals))
    return _along([(_base_spans, (base.radius, a, b), points.apart(a, b)) for a, b in ways], grounds)


def hull_spans_along(hull: Hull, goals: Sequence[Point], grounds: Iterable[Ground]) -> Spans:
    """Return the stretches of a hull's path on which any part of it overlaps any of these grounds."""
    return _along([(contact_spans, leg, leg[1]) for leg in legs(hull, goals)], grounds)


def inches_inside(stretches: Spans) -> float:
    """Return how many inches these stretches make."""
    return sum(end - start for start, end in stretches)


def is_wholly_on(path: Sequence[Point], grounds: Iterable[Ground]) -> bool:
    """Return whether a whole path lies on these grounds, such as the pieces of a road."""
    return path_length(path) - inches_inside(spans_along(path, grounds)) <= points.TOLERANCE


def driven_through(mover: Base | Hull, goals: Sequence[Point], things: Sequence[Obstacle]) -> tuple[int, ...]:
    """Return which things (by place in the list) a hull or a base would go into or through on its way."""
    if isinstance(mover, Base):
        grounds = [Area(outline(thing)) if isinstance(thing, Hull) else thing for thing in things]
        ways = [base_spans_along(mover, goals, (ground,)) for ground in grounds]
        return tuple(at for at, way in enumerate(ways) if inches_inside(way) > points.TOLERANCE)
    drives = legs(mover, goals)
    return tuple(at for at, thing in enumerate(things) if any(contact_spans(*leg, thing) for leg in drives))


def stood_on(thing: Base | Hull, others: Sequence[Obstacle]) -> tuple[int, ...]:
    """Return which of the others a base or hull overlaps where it stands."""
    return tuple(at for at, other in enumerate(others) if overlaps(thing, other))


def _along(ways: Iterable[_Way], grounds: Iterable[Ground]) -> Spans:
    """Return stretches of leg after leg, counted from the start of the first."""
    stretches, before, pieces = [], 0.0, tuple(grounds)
    for measure, leg, inches in ways:
        for ground in pieces:
            stretches += [(before + start, before + end) for start, end in measure(*leg, ground)]
        before += inches
    return join(stretches)


def _base_spans(radius: float, start: Point, end: Point, ground: Ground) -> Spans:
    """Return the way of a disc over some ground: the way of its centre over the ground grown by its radius."""
    if isinstance(ground, Base):
        return spans(start, end, Base(ground.centre, ground.radius + radius))
    way = points.apart(start, end)
    marks = [0.0, way]
    for corner in ground.outline:
        for low, high in spans(start, end, Base(corner, radius)):
            marks += (low, high)
    for a, b in edges(ground.outline):
        for side in (90, -90):
            shift = points.bearing(a, b) + side
            met = points.line_crossing(start, end, points.step(a, shift, radius), points.step(b, shift, radius))
            marks += (met[0] * way,) if met else ()
    stretches = []
    for low, high in pairwise(sorted(mark for mark in marks if 0 <= mark <= way)):
        if high - low > points.TOLERANCE and overlaps(
            Base(points.between(start, end, (low + high) / 2 / way), radius), ground
        ):
            stretches.append((low, high))
    return join(stretches)
