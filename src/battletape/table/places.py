"""Where a model may stand: the shortest way out of trouble, room to get out, access points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import sqrt
from typing import TypeAlias

from msgspec import Struct

from battletape.table import points
from battletape.table.areas import Area, edges
from battletape.table.bases import Base
from battletape.table.distances import Thing, gap, is_within, outline, overlaps
from battletape.table.hulls import Hull, on_table
from battletape.table.points import Inches, Point

ACCESS = 2.0


class KeepOff(Struct, frozen=True):
    """Something to stay this many inches away from; with 0 it may be touched."""

    thing: Base | Hull | Area
    inches: float = 0.0


class Near(Struct, frozen=True):
    """Things of which at least one must be within this many inches: access points, comrades, a hull."""

    any_of: tuple[Thing, ...]
    inches: float = ACCESS


_Circle: TypeAlias = tuple[Point, float]
_Line: TypeAlias = tuple[Point, Point]


def is_place(base: Base, keep_off: Iterable[KeepOff] = (), near: Iterable[Near] = ()) -> bool:
    """Return whether a model may stand there."""
    for rule in keep_off:
        if overlaps(base, rule.thing) or gap(base, rule.thing) < rule.inches - points.TOLERANCE:
            return False
    return all(any(is_within(base, thing, rule.inches) for thing in rule.any_of) for rule in near)


def shortest_ways(base: Base, keep_off: Sequence[KeepOff], near: Sequence[Near] = ()) -> tuple[Point, ...]:
    """Return the nearest places where a model may stand, all that are equally near; none without room.

    Exact: the nearest place lies on the rim of something to keep off (or be near to), or where two rims cross.
    """
    spots = [base.centre, *_spots(base.centre, base.radius, keep_off, near)]
    ways: list[Point] = []
    for spot in sorted(spots, key=lambda spot: points.apart(base.centre, spot)):
        if ways and points.apart(base.centre, spot) > points.apart(base.centre, ways[0]) + points.TOLERANCE:
            break
        known = any(points.apart(spot, other) <= points.TOLERANCE for other in ways)
        if not known and is_place(Base(spot, base.radius), keep_off, near):
            ways.append(spot)
    return tuple(sorted(ways, key=lambda spot: points.bearing(base.centre, spot) if spot != base.centre else 0.0))


def access_points(hull: Hull, spots: Iterable[tuple[float, float]]) -> tuple[Point, ...]:
    """Return access points on the table, from inches ahead and to the right of the hull's centre."""
    return tuple(on_table(hull, ahead, right) for ahead, right in spots)


def is_at_access(base: Base, access: Sequence[Thing], inches: Inches = ACCESS) -> bool:
    """Return whether the nearest part of a base is close enough to an access point, or to the hull if that is given."""
    return any(is_within(base, point, inches) for point in access)


def find_room(
    count: int,
    radius: float,
    access: Sequence[Thing],
    keep_off: Sequence[KeepOff] = (),
    *,
    inches: Inches = ACCESS,
    coherency: Inches = 2,
) -> tuple[Base, ...]:
    """Return places for up to this many models at access points (or a hull), packed one against the other.

    A good packing but not always the fullest: fewer places than asked for do not prove that there is no room.
    """
    placed: list[Base] = []
    for _ in range(count if access else 0):
        rules = [*keep_off, *(KeepOff(base) for base in placed)]
        near = [Near(tuple(access), float(inches))]
        if placed:
            near.append(Near(tuple(placed), float(coherency)))
        spots = [Base(spot, radius) for spot in _spots(_middle(access[0]), radius, rules, near)]
        spots.sort(key=lambda base: _order(base, access, placed))
        free = next((base for base in spots if is_place(base, rules, near)), None)
        if free is None:
            break
        placed.append(free)
    return tuple(placed)


def _order(base: Base, access: Sequence[Thing], placed: Sequence[Base]) -> tuple[float, float, float, float]:
    """Return closest to the access first, snug against those placed already, then any fixed order."""
    close = min(gap(base, point) for point in access)
    snug = min((gap(base, other) for other in placed), default=0.0)
    return round(close, 6), round(snug, 6), round(base.centre.y, 6), round(base.centre.x, 6)


def _middle(thing: Thing) -> Point:
    if isinstance(thing, Point):
        return thing
    return thing.outline[0] if isinstance(thing, Area) else thing.centre


def _spots(start: Point, radius: float, keep_off: Sequence[KeepOff], near: Sequence[Near]) -> Iterator[Point]:
    """Yield the nearest point of every rim, and the points where two rims cross."""
    circles: list[_Circle] = []
    lines: list[_Line] = []
    rims: list[tuple[Thing, float]] = [(rule.thing, rule.inches) for rule in keep_off]
    rims += [(thing, rule.inches) for rule in near for thing in rule.any_of]
    for thing, inches in rims:
        _add_rims(thing, inches + radius, circles, lines)
    for centre, reach in circles:
        yield from _on_circle(start, centre, reach)
    for a, b in lines:
        yield _foot(start, a, b)
    for line, other in combinations(lines, 2):
        met = points.line_crossing(*line, *other)
        if met is not None:
            yield Point(line[0].x + (line[1].x - line[0].x) * met[0], line[0].y + (line[1].y - line[0].y) * met[0])
    for centre, reach in circles:
        for a, b in lines:
            yield from _line_meets(centre, reach, a, b)
    for (centre, reach), (other_centre, other_reach) in combinations(circles, 2):
        yield from _circles_meet(centre, reach, other_centre, other_reach)


def _add_rims(thing: Thing, reach: float, circles: list[_Circle], lines: list[_Line]) -> None:
    """Add the rim of all places whose centre is exactly so far from a thing."""
    if isinstance(thing, Point):
        circles.append((thing, reach))
    elif isinstance(thing, Base):
        circles.append((thing.centre, thing.radius + reach))
    else:
        corners = outline(thing)
        circles += ((corner, reach) for corner in corners)
        for a, b in edges(corners):
            for side in (90, -90):
                shift = points.bearing(a, b) + side
                lines.append((points.step(a, shift, reach), points.step(b, shift, reach)))


def _on_circle(start: Point, centre: Point, reach: float) -> Iterator[Point]:
    """Yield the nearest point of a circle.

    From its very middle all are equal, and the four main bearings stand for them.
    """
    if points.apart(start, centre) > points.TOLERANCE:
        yield points.step(centre, points.bearing(centre, start), reach)
    else:
        yield from (points.step(centre, points.wrap(heading), reach) for heading in (0, 90, 180, 270))


def _foot(start: Point, a: Point, b: Point) -> Point:
    east, north = b.x - a.x, b.y - a.y
    share = ((start.x - a.x) * east + (start.y - a.y) * north) / (east * east + north * north)
    return Point(a.x + east * share, a.y + north * share)


def _line_meets(centre: Point, reach: float, a: Point, b: Point) -> Iterator[Point]:
    foot = _foot(centre, a, b)
    off = points.apart(centre, foot)
    if off <= reach:
        half, heading = sqrt(reach * reach - off * off), points.bearing(a, b)
        yield points.step(foot, heading, half)
        yield points.step(foot, heading, -half)


def _circles_meet(point: Point, reach: float, other: Point, far: float) -> Iterator[Point]:
    way = points.apart(point, other)
    if points.TOLERANCE < way <= reach + far and way >= abs(reach - far):
        along = (way * way + reach * reach - far * far) / (2 * way)
        half, heading = sqrt(max(0.0, reach * reach - along * along)), points.bearing(point, other)
        foot = points.step(point, heading, along)
        yield points.step(foot, heading + 90, half)
        yield points.step(foot, heading - 90, half)
