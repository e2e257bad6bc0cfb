"""Random things on the table, and the table turned or seen in a mirror."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from battletape.table.areas import Area
from battletape.table.bases import Base
from battletape.table.bearings import Arcs
from battletape.table.hulls import Hull
from battletape.table.markers import HullBlast
from battletape.table.points import Point, unit
from battletape.table.scatter import landing_arcs


def numbers(low: float, high: float) -> SearchStrategy[float]:
    """Numbers with two decimals, as people measure."""
    return st.integers(int(low * 100), int(high * 100)).map(lambda whole: whole / 100)


HEADINGS = numbers(0, 359.99)
POINTS = st.builds(Point, numbers(-15, 15), numbers(-15, 15))
BASES = st.builds(Base, POINTS, numbers(0.25, 2))
HULLS = st.builds(Hull, POINTS, HEADINGS, numbers(2, 7), numbers(1, 5))


@st.composite
def _area(draw: st.DrawFn) -> Area:
    """A star-shaped patch: corners at rising bearings around a middle, convex or not."""
    middle = draw(POINTS)
    bearings = draw(st.lists(st.integers(0, 71), min_size=4, max_size=9, unique=True).map(sorted))
    fixed = sorted({*bearings, 0, 18, 36, 54})  # so that the middle is inside
    radii = [draw(numbers(0.8, 5)) for _ in fixed]
    spots = [(unit(5 * at), far) for at, far in zip(fixed, radii, strict=True)]
    return Area(tuple(Point(middle.x + east * far, middle.y + north * far) for (east, north), far in spots))


AREAS = _area()
THINGS = st.one_of(POINTS, BASES, HULLS, AREAS)


def rotated(thing: Any, angle: float) -> Any:
    """The thing after the whole table has been turned clockwise around its origin."""
    east, north = unit(angle)
    if isinstance(thing, Point):
        return Point(thing.x * north + thing.y * east, thing.y * north - thing.x * east)
    if isinstance(thing, Base):
        return Base(rotated(thing.centre, angle), thing.radius)
    if isinstance(thing, Hull):
        return Hull(rotated(thing.centre, angle), thing.heading + angle, thing.length, thing.width)
    return Area(tuple(rotated(corner, angle) for corner in thing.outline))


def mirrored(thing: Any) -> Any:
    """The thing with east and west exchanged."""
    if isinstance(thing, Point):
        return Point(-thing.x, thing.y)
    if isinstance(thing, Base):
        return Base(mirrored(thing.centre), thing.radius)
    if isinstance(thing, Hull):
        return Hull(mirrored(thing.centre), -thing.heading, thing.length, thing.width)
    return Area(tuple(mirrored(corner) for corner in thing.outline))


def hull_arcs(aim: Point, scatter: float, marker: float, hull: Hull) -> Arcs[HullBlast]:
    """How a marker lies on one hull after scattering so far, for every direction."""
    ways = landing_arcs(aim, scatter, marker, hulls=[hull])
    return Arcs(ways.cuts, tuple(lies.hulls[0] for lies in ways.statuses))
