"""A rough look at whether footprints and terrain may be near each other, before anything is measured."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import hypot
from typing import TypeAlias

from battletape.table.areas import Area
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE, Point

Box: TypeAlias = tuple[float, float, float, float]
"""West, south, east and north."""


def box_of_points(points: Iterable[Point], margin: float = 0.0) -> Box:
    """Return the box around points, wider by a margin on all sides."""
    xs, ys = zip(*((point.x, point.y) for point in points), strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


@lru_cache(4096)  # most units stand where they stood
def box_of(shapes: tuple[Base | Hull | Area, ...]) -> Box:
    """Return the box around bases, hulls and areas."""
    wests, souths, easts, norths = zip(*map(_box_of_shape, shapes), strict=True)
    return min(wests), min(souths), max(easts), max(norths)


def meet(box: Box, other: Box, inches: float = 0.0) -> bool:
    """Return whether two boxes overlap or are at most this far apart."""
    reach = inches + TOLERANCE
    return (
        box[0] <= other[2] + reach
        and other[0] <= box[2] + reach
        and box[1] <= other[3] + reach
        and other[1] <= box[3] + reach
    )


def half_diagonal(hull: Hull) -> float:
    """Return how far the corners of a hull are from its middle."""
    return hypot(hull.length, hull.width) / 2


def _box_of_shape(shape: Base | Hull | Area) -> Box:
    if isinstance(shape, Area):
        return box_of_points(shape.outline)
    return box_of_points((shape.centre,), shape.radius if isinstance(shape, Base) else half_diagonal(shape))
