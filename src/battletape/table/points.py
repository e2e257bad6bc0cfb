"""Points, bearings and segments: inches, and degrees clockwise from north."""

from __future__ import annotations

from fractions import Fraction
from math import atan2, ceil, cos, degrees, floor, hypot, isfinite, isqrt, radians, sin, sqrt
from typing import Protocol, TypeAlias

from msgspec import Struct

from battletape.errors import BadInput

Inches: TypeAlias = float | Fraction
"""A length. Fractions stay exact wherever a closed form allows it."""

TOLERANCE = 1e-9
"""Lengths and angles closer than this are equal."""

_QUARTERS = {0: (0, 1), 90: (1, 0), 180: (0, -1), 270: (-1, 0)}


class Placed(Protocol):
    """Anything that is at a place: a point, a model, an order to go there."""

    @property
    def x(self) -> float:
        """How far east."""

    @property
    def y(self) -> float:
        """How far north."""


class Point(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A place on the table: inches east and north of its south-west corner."""

    x: float
    y: float

    def __post_init__(self) -> None:
        if not (isfinite(self.x) and isfinite(self.y)):
            check_length("x", self.x, at_least=None)
            check_length("y", self.y, at_least=None)


def check_length(name: str, value: Inches, *, at_least: float | None = 0) -> None:
    """Refuse a length that no ruler shows."""
    if not isfinite(value) or (at_least is not None and value < at_least):
        wanted = "a number" if at_least is None else f"{at_least:g} inches or more"
        raise BadInput.of(name, f"must be {wanted}, got {value}")


def exact(value: Inches) -> Fraction:
    """Return the number that was written: 0.1 is one tenth, not the nearest binary fraction."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def exact_root(square: Fraction) -> Fraction | float:
    """Return the square root, as a fraction where it is one."""
    over, under = isqrt(square.numerator), isqrt(square.denominator)
    if over * over == square.numerator and under * under == square.denominator:
        return Fraction(over, under)
    return sqrt(square)


def wrap(angle: float) -> float:
    """Return the bearing from 0 up to 360."""
    turned = angle % 360
    return turned if turned < 360 else 0.0


def signed(angle: float) -> float:
    """Return the bearing above -180 and up to 180: right is positive, left negative."""
    turned = wrap(angle)
    return turned - 360 if turned > 180 else turned


def unit(heading: float) -> tuple[float, float]:
    """Return how far east and north one inch on this heading leads; exact along the axes."""
    turned = wrap(heading)
    if turned in _QUARTERS:
        return _QUARTERS[int(turned)]
    return sin(radians(turned)), cos(radians(turned))


def apart(point: Placed, other: Placed) -> float:
    """Return the distance of two points."""
    return hypot(other.x - point.x, other.y - point.y)


def apart_squared(point: Point, other: Point) -> Fraction:
    """Return the square of the distance, exact."""
    return (exact(other.x) - exact(point.x)) ** 2 + (exact(other.y) - exact(point.y)) ** 2


def bearing(start: Placed, goal: Placed) -> float:
    """Return the bearing of one point from another."""
    if (start.x, start.y) == (goal.x, goal.y):
        raise BadInput(f"a bearing needs two different points, got ({start.x:g}, {start.y:g}) twice")
    return wrap(degrees(atan2(goal.x - start.x, goal.y - start.y)))


def relative_bearing(centre: Point, heading: float, point: Point) -> float:
    """Return how far a point lies to the right (+) or left (-) of a heading; dead ahead if it is the centre itself."""
    return 0.0 if point == centre else signed(bearing(centre, point) - heading)


def step(start: Point, heading: float, inches: Inches) -> Point:
    """Return the point this many inches away on a heading."""
    east, north = unit(heading)
    return Point(start.x + east * float(inches), start.y + north * float(inches))


def nearer(start: Point, goal: Point, digits: int = 2) -> Point:
    """Return a goal in round numbers that is no farther away than the goal itself, for a move that people type."""
    scale = 10**digits

    def rounded(here: float, there: float) -> float:
        down = floor if there > here else ceil
        close = round(there, digits)
        return close if abs(close - there) < TOLERANCE else down(there * scale) / scale

    return Point(rounded(start.x, goal.x), rounded(start.y, goal.y))


def towards(start: Point, goal: Point, inches: Inches) -> Point:
    """Return a step towards a goal that never goes past it."""
    way = apart(start, goal)
    if way <= inches:
        return goal
    share = float(inches) / way
    return Point(start.x + (goal.x - start.x) * share, start.y + (goal.y - start.y) * share)


def between(start: Placed, end: Placed, share: float) -> Point:
    """Return the point that lies at this share of the way (0 the start, 1 the end)."""
    return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)


def cross(origin: Point, point: Point, other: Point) -> float:
    """Return a number that is positive if `other` lies left of `point`: twice the triangle's area."""
    return (point.x - origin.x) * (other.y - origin.y) - (point.y - origin.y) * (other.x - origin.x)


def nearest_on_segment(point: Point, start: Point, end: Point) -> Point:
    """Return the point of a segment that is nearest."""
    east, north = end.x - start.x, end.y - start.y
    length = east * east + north * north
    if length == 0:
        return start
    share = ((point.x - start.x) * east + (point.y - start.y) * north) / length
    return between(start, end, min(1.0, max(0.0, share)))


def line_crossing(start: Point, end: Point, point: Point, other: Point) -> tuple[float, float] | None:
    """Return where two lines cross, as a share of each segment; none if they are parallel."""
    east, north = end.x - start.x, end.y - start.y
    along, up = other.x - point.x, other.y - point.y
    across = east * up - north * along
    if abs(across) <= 1e-12 * hypot(east, north) * hypot(along, up):
        return None
    away, over = point.x - start.x, point.y - start.y
    return (away * up - over * along) / across, (away * north - over * east) / across


def segment_gap(start: Point, end: Point, first: Point, other: Point) -> float:
    """Return the distance of two segments; 0 if they meet."""
    met = line_crossing(start, end, first, other)
    if met is not None and 0 <= met[0] <= 1 and 0 <= met[1] <= 1:
        return 0.0
    ends = ((start, first, other), (end, first, other), (first, start, end), (other, start, end))
    return min(apart(point, nearest_on_segment(point, a, b)) for point, a, b in ends)
