"""Hulls: a rectangle with a heading, and its own frame of inches ahead and to the right."""

from __future__ import annotations

from math import hypot
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.table.areas import Area
from battletape.table.points import TOLERANCE, Inches, Point, check_length, step, unit

Flank: TypeAlias = Literal["front", "right", "rear", "left"]
FLANKS: tuple[Flank, ...] = ("front", "right", "rear", "left")


class Hull(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A vehicle's hull on the table; turrets, barrels and aerials do not count."""

    centre: Point
    heading: float = 0.0
    length: float = 4.0
    width: float = 3.0

    def __post_init__(self) -> None:
        check_length("heading", self.heading, at_least=None)
        check_length("length", self.length)
        check_length("width", self.width)


def in_frame(hull: Hull, point: Point) -> tuple[float, float]:
    """Return how far a point lies ahead of the hull's centre and to its right."""
    east, north = unit(hull.heading)
    x, y = point.x - hull.centre.x, point.y - hull.centre.y
    return x * east + y * north, x * north - y * east


def on_table(hull: Hull, ahead: float, right: float) -> Point:
    """Return the place on the table of a spot on (or around) the hull."""
    east, north = unit(hull.heading)
    return Point(hull.centre.x + ahead * east + right * north, hull.centre.y + ahead * north - right * east)


def corners(hull: Hull) -> tuple[Point, Point, Point, Point]:
    """Return front left, front right, rear right, rear left: so side i of `edges` is FLANKS[i]."""
    long, wide = hull.length / 2, hull.width / 2
    return (
        on_table(hull, long, -wide),
        on_table(hull, long, wide),
        on_table(hull, -long, wide),
        on_table(hull, -long, -wide),
    )


def footprint(hull: Hull) -> Area:
    """Return the ground under a hull, such as the crater it leaves."""
    return Area(corners(hull))


def is_on_hull(hull: Hull, point: Point) -> bool:
    """Return whether a point lies on the hull; its edge belongs to it."""
    ahead, right = in_frame(hull, point)
    return abs(ahead) <= hull.length / 2 + TOLERANCE and abs(right) <= hull.width / 2 + TOLERANCE


def hull_gap(hull: Hull, point: Point) -> float:
    """Return how far a point is from the hull; 0 on it."""
    ahead, right = in_frame(hull, point)
    return hypot(max(0.0, abs(ahead) - hull.length / 2), max(0.0, abs(right) - hull.width / 2))


def open_flanks(hull: Hull, point: Point) -> tuple[Flank, ...]:
    """Return the faces that are turned towards a point: one or two from outside, none from within."""
    ahead, right = in_frame(hull, point)
    beyond = (
        ahead - hull.length / 2,
        right - hull.width / 2,
        -ahead - hull.length / 2,
        -right - hull.width / 2,
    )
    return tuple(flank for flank, over in zip(FLANKS, beyond, strict=True) if over > TOLERANCE)


def turned(hull: Hull, heading: float) -> Hull:
    """Return the hull turned on the spot."""
    return replace(hull, heading=heading)


def driven(hull: Hull, inches: Inches) -> Hull:
    """Return the hull this many inches straight ahead (or back, if negative)."""
    return replace(hull, centre=step(hull.centre, hull.heading, inches))
