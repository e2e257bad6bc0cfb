"""A quick look at whether things are near each other at all, before anything is measured."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import hypot
from typing import TypeAlias, TypeVar

from battletape.table.areas import Area
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE, Point

Box: TypeAlias = tuple[float, float, float, float]
"""West, south, east and north."""
S = TypeVar("S", bound=Base | Hull | Area)


def box(points: Iterable[Point], margin: float = 0.0) -> Box:
    """The box around points, and so many inches more."""
    xs, ys = zip(*((point.x, point.y) for point in points), strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


@lru_cache(4096)  # most things stand where they stood
def box_of(things: tuple[Base | Hull | Area, ...]) -> Box:
    """The box around bases, hulls and ground."""
    boxes = [_around(thing) for thing in things]
    wests, souths, easts, norths = zip(*boxes, strict=True)
    return min(wests), min(souths), max(easts), max(norths)


def meet(one: Box, other: Box, apart: float = 0.0) -> bool:
    """Whether two boxes meet, or come so near to each other."""
    apart += TOLERANCE
    return (
        one[0] <= other[2] + apart
        and other[0] <= one[2] + apart
        and one[1] <= other[3] + apart
        and other[1] <= one[3] + apart
    )


def nearby(things: tuple[Base | Hull | Area, ...], apart: float, others: Iterable[S]) -> list[S]:
    """Those of the others that may be within so many inches: a rough look, before any is measured."""
    around = box_of(things)
    return [other for other in others if meet(around, box_of((other,)), apart)]


def _around(thing: Base | Hull | Area) -> Box:
    if isinstance(thing, Area):
        return box(thing.outline)
    reach = thing.radius if isinstance(thing, Base) else hypot(thing.length, thing.width) / 2
    return box((thing.centre,), reach)
