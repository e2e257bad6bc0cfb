"""The flamer template: a teardrop whose point is held at the firer."""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, asin, cos, degrees, hypot, sin, sqrt
from typing import Literal, TypeAlias

from msgspec import Struct

from battletape.errors import BadInput
from battletape.table import points
from battletape.table.areas import clip, is_inside, shared_size, size_in_disc, spans
from battletape.table.bases import Base
from battletape.table.bearings import Arcs, arcs, circle_cuts
from battletape.table.hulls import Hull, corners, footprint, hull_gap
from battletape.table.markers import Coverage
from battletape.table.points import Inches, Point
from battletape.table.scatter import hull_marks

Nearest: TypeAlias = Literal["apex", "edge", "arc"]


class Teardrop(Struct, frozen=True, forbid_unknown_fields=True):
    """The hull of a point and a disc: how far the disc's centre is from the point, and its radius."""

    to_disc: float
    radius: float

    def __post_init__(self) -> None:
        if not 0 < self.radius < self.to_disc:
            raise BadInput(
                f"a teardrop needs a disc that does not hold the point: 0 < radius < {self.to_disc:g}, "
                f"got {self.radius:g}"
            )


class Flame(Struct, frozen=True, forbid_unknown_fields=True):
    """A teardrop laid on the table: its point, and the heading of its axis."""

    template: Teardrop
    apex: Point
    heading: float


FLAMER = Teardrop(6.25, 1.75)
"""The 8-inch template."""


def teardrop(length: Inches, radius: Inches) -> Teardrop:
    """Return a teardrop by its whole length and the radius of its round end."""
    return Teardrop(float(length - radius), float(radius))


def disc(flame: Flame) -> Base:
    """Return the round end."""
    return Base(points.step(flame.apex, flame.heading, flame.template.to_disc), flame.template.radius)


def signed_distance(template: Teardrop, along: float, aside: float) -> tuple[float, Nearest]:
    """Return how far a spot is from the rim, negative inside, and which part of the rim is nearest (SE-84)."""
    sine = template.radius / template.to_disc
    cosine = sqrt(1 - sine**2)
    ahead = along * cosine + abs(aside) * sine
    if ahead <= 0:
        return hypot(along, aside), "apex"
    if ahead < template.to_disc * cosine - points.TOLERANCE:
        return abs(aside) * cosine - along * sine, "edge"
    return hypot(along - template.to_disc, aside) - template.radius, "arc"


def teardrop_coverage(template: Teardrop, along: float, aside: float, radius: float) -> Coverage:
    """Return how much of a base lies under the template, by its place along and beside the axis."""
    away = signed_distance(template, along, aside)[0]
    if away <= -radius + points.TOLERANCE:
        return "entirely"
    return "partially" if away < radius - points.TOLERANCE else "missed"


def flame_coverage(flame: Flame, base: Base) -> Coverage:
    """Return how much of a base lies under a template on the table."""
    return teardrop_coverage(flame.template, *on_axis(flame, base.centre), base.radius)


def flame_touches_hull(flame: Flame, hull: Hull) -> bool:
    """Return whether any part of a hull lies under a template."""
    if hull_gap(hull, disc(flame).centre) < flame.template.radius - points.TOLERANCE:
        return True
    ground = footprint(hull)
    if is_inside(ground, flame.apex, rim=False) or any(_holds(flame, spot) for spot in corners(hull)):
        return True
    return any(spans(flame.apex, end, ground, rim=False) for end in (*_tangents(flame), disc(flame).centre))


def flame_touches(flame: Flame, thing: Base | Hull) -> bool:
    """Return whether any part of a base or hull lies under a template."""
    return flame_touches_hull(flame, thing) if isinstance(thing, Hull) else flame_coverage(flame, thing) != "missed"


def covered_size(flame: Flame, hull: Hull) -> float:
    """Return how many square inches of a hull lie under a template: the kite up to the round end's centre, and the
    rest.
    """
    end, (left, right) = disc(flame), _tangents(flame)
    outline = corners(hull)
    kite = shared_size(outline, (flame.apex, left, end.centre, right))
    wedge = clip(clip(outline, end.centre, left), right, end.centre)  # the slice of the disc inside the kite
    return kite + size_in_disc(outline, end) - size_in_disc(wedge, end)


def turn_limit(template: Teardrop, away: float, limit: float) -> float:
    """Return how far the axis turns off a spot that far from the point until its rim is `limit` away (inside: below 0).

    0 if it never comes that near, 180 if it always is: SE-84 solved for the angle.
    """
    if away < limit - points.TOLERANCE:
        return 180.0
    edge, tangent = degrees(asin(template.radius / template.to_disc)), template.to_disc**2 - template.radius**2
    if away > points.TOLERANCE and abs(limit) - points.TOLERANCE <= away and away**2 - limit**2 < tangent:
        return max(0.0, edge + degrees(asin(min(1.0, max(-1.0, limit / away)))))
    reach = template.radius + limit
    if away <= points.TOLERANCE or reach < 0:
        return 0.0
    cosine = (away**2 + template.to_disc**2 - reach**2) / (2 * away * template.to_disc)
    return degrees(acos(cosine)) if -1 < cosine < 1 else 0.0


def flame_arcs(template: Teardrop, apex: Point, bases: Sequence[Base]) -> Arcs[tuple[Coverage, ...]]:
    """Return how much of every base a template covers, for every heading of its axis."""
    marks: list[float] = []
    for base in bases:
        marks += _base_marks(template, apex, base)
    return arcs(marks, lambda heading: tuple(flame_coverage(Flame(template, apex, heading), base) for base in bases))


def held_flame(template: Teardrop, firer: Base, heading: float) -> Flame:
    """Return a template held at arm's length: its point on the firer's rim, its axis straight away from the firer."""
    return Flame(template, points.step(firer.centre, heading, firer.radius), points.wrap(heading))


def swing_arcs(template: Teardrop, firer: Base, bases: Sequence[Base]) -> Arcs[tuple[Coverage, ...]]:
    """Return how much of every base a template covers, for every heading, while its point goes round the firer's
    rim.
    """
    marks = [mark for base in bases for mark in _swing_marks(template, firer, base)]
    return arcs(
        marks, lambda heading: tuple(flame_coverage(held_flame(template, firer, heading), base) for base in bases)
    )


def flame_hull_arcs(
    template: Teardrop, apex: Point, hull: Hull, friends: Sequence[Base | Hull] = ()
) -> Arcs[tuple[bool, bool]]:
    """Return for every heading: whether the template touches a hull, and whether it touches any friend."""
    marks: list[float] = []
    for thing in (hull, *friends):
        spots = (thing,) if isinstance(thing, Base) else tuple(Base(corner, 0) for corner in corners(thing))
        marks += () if isinstance(thing, Base) else hull_marks(apex, template.to_disc, template.radius, thing)
        marks += (mark for spot in spots for mark in _base_marks(template, apex, spot))

    def status(heading: float) -> tuple[bool, bool]:
        flame = Flame(template, apex, heading)
        return flame_touches_hull(flame, hull), any(flame_touches(flame, friend) for friend in friends)

    return arcs(marks, status)


def aimed_flame(template: Teardrop, firer: Base, target: Base) -> Flame:
    """Return the plain way to lay a template: its point on the firer's rim, its axis through the middle of the
    target.
    """
    return Flame(
        template, points.towards(firer.centre, target.centre, firer.radius), points.bearing(firer.centre, target.centre)
    )


def fullest_flame(template: Teardrop, apex: Point, hull: Hull, friends: Sequence[Base | Hull] = ()) -> Flame | None:
    """Return the heading that covers most of a hull without touching a friend.

    None if every heading spares the hull.
    """
    arcs = flame_hull_arcs(template, apex, hull, friends)
    best: tuple[float, Flame] | None = None
    ends = arcs.cuts or (360.0,)
    for end, width, (hits, burns) in zip(ends, arcs.widths(), arcs.statuses, strict=True):
        if hits and not burns:
            flame = _fullest(template, apex, hull, end - width, end)
            ground = covered_size(flame, hull)
            if best is None or ground > best[0] + points.TOLERANCE:
                best = ground, flame
    return best[1] if best else None


def _fullest(template: Teardrop, apex: Point, hull: Hull, low: float, high: float) -> Flame:
    """Return the best heading between two: a search by ever finer steps, to a millionth of a degree."""
    while high - low > 1e-6:
        pace = (high - low) / 24
        steps = [low + pace * at for at in range(25)]
        best = max(steps, key=lambda heading: covered_size(Flame(template, apex, heading), hull))
        low, high = max(low, best - pace), min(high, best + pace)
    return Flame(template, apex, points.wrap((low + high) / 2))


def _base_marks(template: Teardrop, apex: Point, base: Base) -> tuple[float, ...]:
    way = points.apart(apex, base.centre)
    if way <= points.TOLERANCE:
        return ()
    middle = points.bearing(apex, base.centre)
    limits = (turn_limit(template, way, base.radius), turn_limit(template, way, -base.radius))
    return tuple(middle + side * limit for limit in limits if 0 < limit < 180 for side in (-1, 1))


def _swing_marks(template: Teardrop, firer: Base, base: Base) -> list[float]:
    """Return the headings on which a template held at a firer's rim may begin or cease to touch or cover a base.

    Seen from the firer, the rim of the template is two straight edges, the round end and the point. Each of them is the
    base's radius away from its centre on the bearings given here, though another part may be nearer then.
    """
    centre, hold, radius = firer.centre, firer.radius, base.radius
    marks = list(circle_cuts(centre, hold, base.centre, radius))
    for limit in (radius, -radius):
        marks += circle_cuts(centre, hold + template.to_disc, base.centre, template.radius + limit)
    way = points.apart(centre, base.centre)
    if way <= points.TOLERANCE:
        return marks
    middle, edge = points.bearing(centre, base.centre), asin(template.radius / template.to_disc)
    for limit in (radius, -radius):
        sine = (limit - hold * sin(edge)) / way
        if abs(sine) <= 1:
            off = degrees(asin(sine))
            marks += (middle + side * (degrees(edge) + turn) for turn in (off, 180 - off) for side in (-1, 1))
    return marks


def on_axis(flame: Flame, point: Point) -> tuple[float, float]:
    """Return how far a point lies along the axis and to its right."""
    east, north = points.unit(flame.heading)
    x, y = point.x - flame.apex.x, point.y - flame.apex.y
    return x * east + y * north, x * north - y * east


def _holds(flame: Flame, point: Point) -> bool:
    return signed_distance(flame.template, *on_axis(flame, point))[0] < -points.TOLERANCE


def _tangents(flame: Flame) -> tuple[Point, Point]:
    """Return where the straight edges meet the round end, left and right of the axis."""
    edge = asin(flame.template.radius / flame.template.to_disc)
    way = flame.template.to_disc * cos(edge)
    left, right = (points.step(flame.apex, flame.heading + side * degrees(edge), way) for side in (-1, 1))
    return left, right
