"""Pushed and drawn back: one player moves a marker off its aim, the other draws it back along the same straight line.

The first player may leave it anywhere within his reach, in any direction; so there are infinitely many places, but
what lies under the marker changes only where its centre crosses one of finitely many curves: a circle around each base
(its radius and the marker's together), and for each hull its sides, its rim swollen by the marker, and its facing
lines. Seen from the aim, every such curve has the same form: at `ρ` inches on the bearing with unit vector `e`

    v · e = (k ρ² + m) / 2ρ          a circle: v its centre, k = 1, m = |v|² - radius²; a line: v its normal, k = 0

The compass is cut (`ray_marks`) where two breaks on the ray change places, where one meets an end of a reach, and where
two of them are just as far apart as the marker may be drawn back. For the first two the cut is a root of a quadratic
in ρ²; for the last one it is a root of a polynomial of degree 6 in ρ (of degree 3, if the two are in line with the
aim), which is isolated between the roots of its derivative. Between two cuts the breaks keep their order, so one ray,
the one in the middle, stands for them all; on it the inches are cut in the same way. What is left (`pushes`) is a list
of places, each with the few things that the second player can make of it; those that leave him more than another does
are dropped, because no first player would choose them whatever the two play for.

Places exactly on a curve are not looked at, apart from the aim itself: no marker lies to a billionth of an inch.
In a large crowd the compass is cut into thousands of arcs. Then only the widest are looked at (`MOST_RAYS`), and
`compass` says how many are left out, and how many degrees they span together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import acos, asin, ceil, degrees, hypot, inf, radians, sqrt
from typing import NamedTuple

from msgspec import Struct

from battletape.errors import BadInput
from battletape.table import points
from battletape.table.bases import Base
from battletape.table.bearings import Arcs, arc_cosine, arcs
from battletape.table.facings import Border, FacingModel, facing_border
from battletape.table.hulls import Hull, corners
from battletape.table.markers import HullBlast, bases_touched, hull_blast
from battletape.table.points import Inches, Point
from battletape.table.scatter import base_marks, hull_marks

PARALLEL = 1e-9  # of the product of two lengths: below it they are in line
STEP_MIDDLE = 1e-12  # inches: roots are found to this
SAME_WITHIN_INCHES = 1e-6  # inches: leeways that differ by less are the same
MOST_RAYS = 1500
"""How many bearings are looked at; of more arcs the narrowest are left out."""


class Cover(Struct, frozen=True):
    """What lies under a marker: which bases (by place in the list) it touches, and how it lies on every hull."""

    bases: tuple[int, ...] = ()
    hulls: tuple[HullBlast, ...] = ()


class Spot(Struct, frozen=True):
    """A place on a ray, so many inches from the aim, and what lies under the marker there."""

    inches: float
    cover: Cover


class Push(Struct, frozen=True):
    """A place where the marker may be left: its bearing and inches from the aim, and what can be made of it.

    The first of its spots is the place itself; the others lie nearer to the aim, as far as it may be drawn back.
    """

    bearing: float
    inches: float
    spots: tuple[Spot, ...]
    leeway: float = 0.0  # inches by which it may be missed without any change


class Curve(NamedTuple):
    """A circle or a line as seen from the aim."""

    x: float
    y: float
    k: int
    m: float


class Compass(NamedTuple):
    """The bearings cut where something changes: the arcs that are looked at, and those that are too many."""

    arcs: tuple[tuple[float, float], ...]
    left_out: int = 0
    degrees: float = 0.0  # of all that are left out together


def cover(
    marker: Base,
    bases: Sequence[Base] = (),
    hulls: Sequence[Hull] = (),
    *,
    model: FacingModel = "quarters",
    border: Border = "ends",
) -> Cover:
    """Return what lies under a marker where it is; the bare rim counts."""
    return Cover(
        bases_touched(marker, bases), tuple(hull_blast(marker, hull, model=model, border=border) for hull in hulls)
    )


@lru_cache(64)
def pushes(
    aim: Point,
    steps: int,
    inches: float,
    pull: float,
    marker: float,
    bases: tuple[Base, ...] = (),
    hulls: tuple[Hull, ...] = (),
    model: FacingModel = "quarters",
) -> tuple[tuple[Push, ...], ...]:
    """Return where a marker may be left by 0, 1, 2 … steps of so many inches each, and what drawing back makes of it.

    Steps may go in different directions: one leads to a circle, two or more to any place within their sum. Every
    player who would rather leave his opponent less finds his best place among those listed for his number of steps.
    """
    for name, length in (("inches of a step", inches), ("pull", pull), ("marker", marker)):
        points.check_length(name, length)
    if steps < 0:
        raise BadInput.of("steps", f"want 0 or more, got {steps}")
    walk = _Walk(aim, inches, pull, marker, bases, hulls, model)
    walk.look(steps)
    return walk.places()


@lru_cache(64)
def compass(curves: tuple[Curve, ...], reaches: tuple[float, ...], pull: float, most: int = MOST_RAYS) -> Compass:
    """Return the arcs between which the breaks of a ray keep their order, no more than so many: the widest of them."""
    cuts = _distinct(ray_marks(curves, reaches, pull)) or [0.0]
    arcs = list(pairwise((*cuts, cuts[0] + 360)))
    if len(arcs) <= most:
        return Compass(tuple(arcs))
    arcs.sort(key=lambda arc: arc[0] - arc[1])
    narrow = arcs[most:]
    return Compass(tuple(sorted(arcs[:most])), len(narrow), sum(high - low for low, high in narrow))


def ray_marks(curves: Sequence[Curve], reaches: Sequence[float], pull: float) -> tuple[float, ...]:
    """Return the bearings between which the breaks of a ray keep their order, up to the longest reach."""
    longest = max(reaches, default=0.0)
    radii = {reach for reach in reaches if reach > 0} | {reach - pull for reach in reaches if reach > pull} | {pull}
    marks: list[float] = []
    for at, curve in enumerate(curves):
        marks += _tangents(curve)
        for radius in radii - {0.0}:
            marks += _at_radius(curve, radius)
        for other in curves[:at]:
            marks += _meetings(curve, other, 0.0, longest)
        if pull:
            for other in curves:
                marks += _meetings(curve, other, pull, longest)
    return tuple(marks)


def ray_curves(
    aim: Point, marker: float, bases: Sequence[Base], hulls: Sequence[Hull] = (), model: FacingModel = "quarters"
) -> tuple[Curve, ...]:
    """Return the curves on which the centre of a marker begins or ends to touch something."""
    curves = [_circle(aim, base.centre, base.radius + marker) for base in bases]
    for hull in hulls:
        near, _, far, _ = spots = corners(hull)
        for across, spot in ((0, near), (90, far), (180, far), (270, near)):
            normal = hull.heading + across
            curves += (_line(aim, normal, spot), _line(aim, normal, points.step(spot, normal, marker)))
        curves += (_circle(aim, spot, marker) for spot in spots)
        line = facing_border(model, hull.length, hull.width)
        curves += (_line(aim, hull.heading + turned + 90, hull.centre) for turned in (line, -line))
    return tuple(dict.fromkeys(curves))


def ray_breaks(curves: Iterable[Curve], angle: float, reach: float) -> tuple[float, ...]:
    """Return the inches on a bearing, up to a reach, at which the curves are crossed."""
    east, north = points.unit(angle)
    breaks: list[float] = []
    for curve in curves:
        along = curve.x * east + curve.y * north
        if curve.k:
            under = along * along - curve.m
            if under > 0:
                half = sqrt(under)
                breaks += (along - half, along + half)
        elif along:
            breaks.append(curve.m / (2 * along))
    return tuple(sorted(inches for inches in breaks if 0 < inches < reach))


def step_bearings(steps: int, angle: float, inches: Inches, length: Inches) -> tuple[float, ...]:
    """Return bearings of so many steps of this length that lead so far together: half to the left of the way, half
    right.
    """
    total = float(length) * steps
    if not steps and not inches:
        return ()
    if inches > total + points.TOLERANCE or inches < 0 or (steps == 1 and inches < total - points.TOLERANCE):
        only = f"exactly {total:g}" if steps == 1 else f"{total:g} or less"
        raise BadInput(f"{steps} steps of {float(length):g} inches lead {only} in all, got {float(inches):g}")
    odd = steps % 2
    sides = steps - odd
    if not sides:
        return (points.wrap(angle),)
    aside = arc_cosine((float(inches) - odd * float(length)) / (float(length) * sides))
    turned = [points.wrap(angle + side * aside) for side in (-1, 1) for _ in range(sides // 2)]
    return (*([points.wrap(angle)] * odd), *turned)


def steps_from(aim: Point, bearings: Iterable[float], length: Inches) -> Point:
    """Return where steps of this length lead, one after the other."""
    spot = aim
    for angle in bearings:
        spot = points.step(spot, angle, length)
    return spot


def beside_arcs(
    first: Base, bases: Sequence[Base] = (), hulls: Sequence[Hull] = (), *, model: FacingModel = "quarters"
) -> Arcs[Cover]:
    """Return what lies under a marker that is laid against another one of its size, for every direction."""
    away = 2 * first.radius
    marks: list[float] = []
    for base in bases:
        marks += base_marks(first.centre, away, first.radius, base)
    for hull in hulls:
        marks += hull_marks(first.centre, away, first.radius, hull, model=model)
    return arcs(
        marks,
        lambda angle: cover(Base(points.step(first.centre, angle, away), first.radius), bases, hulls, model=model),
    )


# --- the walk around the compass ------------------------------------------------------------------------------------


class _Menu(NamedTuple):
    """What can be made of a place, as bits by the number of each cover; and the widest place of this kind."""

    leeway: float
    angle: float
    inches: float
    spots: tuple[tuple[float, int], ...]


class _Walk:
    """One look at every ray that counts; covers are numbered, and a menu is the set of their bits."""

    def __init__(
        self,
        aim: Point,
        inches: float,
        pull: float,
        marker: float,
        bases: tuple[Base, ...],
        hulls: tuple[Hull, ...],
        model: FacingModel,
    ) -> None:
        self.aim, self.inches, self.pull, self.marker = aim, inches, pull, marker
        self.bases, self.hulls, self.model = bases, hulls, model
        self.numbers: dict[Cover, int] = {}
        self.covers: list[Cover] = []
        self.menus: list[dict[int, _Menu]] = []
        self.at_aim = self._number(0.0, 0.0)

    def look(self, steps: int) -> None:
        """Find the menus that each number of steps adds."""
        self.menus = [{} for _ in range(steps + 1)]
        self.menus[0][1 << self.at_aim] = _Menu(0.0, 0.0, 0.0, ((0.0, self.at_aim),))
        reaches = tuple(self.inches * count for count in range(1, steps + 1))
        if not reaches or not self.inches:
            return
        if steps > 1:  # two steps may cancel each other
            self.menus[2].update(self.menus[0])
        curves = ray_curves(self.aim, self.marker, self.bases, self.hulls, self.model)
        for low, high in compass(curves, reaches, self.pull).arcs:
            self._ray(points.wrap((low + high) / 2), (high - low) / 2, curves, reaches)

    def places(self) -> tuple[tuple[Push, ...], ...]:
        """Return the places that 0, 1, 2 … steps lead to, without those that leave the other player more than
        another does.
        """
        listed, known, least = [], dict[int, _Menu](), list[int]()
        for steps, menus in enumerate(self.menus):
            if steps < 2:
                listed.append(tuple(self._push(menus[menu]) for menu in _least(menus)))
                continue
            for menu, place in menus.items():  # what fewer steps lead to, two and more do as well
                if _is_wider(place.leeway, known.get(menu)):
                    known[menu] = place
            least = _least({*least, *menus})
            listed.append(tuple(self._push(known[menu]) for menu in least))
        return tuple(listed)

    def _push(self, place: _Menu) -> Push:
        spots = tuple(Spot(inches, self.covers[number]) for inches, number in place.spots)
        return Push(place.angle, place.inches, spots, place.leeway)

    def _ray(self, angle: float, half: float, curves: tuple[Curve, ...], reaches: tuple[float, ...]) -> None:
        """Return the places of one ray: for every stretch on which the marker may be left, what may be made of it."""
        longest = reaches[-1]
        breaks = (0.0, *ray_breaks(curves, angle, longest), longest)
        stretches = [
            (low, high, self._number(angle, (low + high) / 2))
            for low, high in pairwise(breaks)
            if high - low > points.TOLERANCE
        ]
        cuts = {self.pull, *reaches, *breaks, *(mark + self.pull for mark in breaks)}
        marks = sorted(cut for cut in cuts if 0 <= cut <= longest)
        starts = [low for low, _, _ in stretches]
        for low, high in pairwise(marks):
            if high - low > 3 * points.TOLERANCE:
                place = (low + high) / 2
                needs = max(2, ceil(place / self.inches))
                if needs < len(self.menus):
                    at = bisect_right(starts, place)
                    leeway = min((high - low) / 2, _turned(place, half))
                    self._keep(needs, angle, place, leeway, stretches[at - 1][2], stretches[:at])
        first = reaches[0]  # a single step ends just there, be it on a rim or not
        own, at = self._number(angle, first), bisect_right(starts, first - points.TOLERANCE)
        self._keep(1, angle, first, _turned(first, half), own, stretches[:at])

    def _keep(
        self,
        steps: int,
        angle: float,
        place: float,
        leeway: float,
        own: int,
        stretches: list[tuple[float, float, int]],
    ) -> None:
        """Write down what can be made of a place: its own cover, and those of the stretches on the way back."""
        nearest = max(0.0, place - self.pull)
        spots = {own: place}
        for low, high, number in reversed(stretches):
            if high <= nearest + points.TOLERANCE:
                break
            spots.setdefault(number, (max(low, nearest) + min(high, place)) / 2)
        if place <= self.pull and spots.get(self.at_aim) != place:
            spots[self.at_aim] = 0.0
        menu = 0
        for number in spots:
            menu |= 1 << number
        if _is_wider(leeway, self.menus[steps].get(menu)):
            self.menus[steps][menu] = _Menu(
                leeway, angle, place, tuple((inches, number) for number, inches in spots.items())
            )

    def _number(self, angle: float, inches: float) -> int:
        """Return the number of what lies under the marker so many inches away."""
        placed = Base(points.step(self.aim, angle, inches) if inches else self.aim, self.marker)
        lies = cover(placed, self.bases, self.hulls, model=self.model)
        if lies not in self.numbers:
            self.numbers[lies] = len(self.covers)
            self.covers.append(lies)
        return self.numbers[lies]


def _least(menus: Collection[int]) -> list[int]:
    """Return the sets of covers that hold no other one.

    Each is filed under the cover that the fewest sets have.
    """
    often = Counter(bit for menu in menus for bit in _bits(menu))
    least: list[int] = []
    filed: dict[int, list[int]] = {}
    for menu in sorted(menus, key=lambda menu: (menu.bit_count(), menu)):
        bits = _bits(menu)
        if not any(other & menu == other for bit in bits for other in filed.get(bit, ())):
            least.append(menu)
            filed.setdefault(min(bits, key=often.__getitem__), []).append(menu)
    return least


def _bits(menu: int) -> list[int]:
    """Return the covers of a set, each as its bit."""
    bits = []
    while menu:
        bits.append(menu & -menu)
        menu &= menu - 1
    return bits


def _is_wider(leeway: float, known: _Menu | None) -> bool:
    """Return whether a place is wider than the one known; of two alike the first one stays, on every machine."""
    return known is None or known.leeway < leeway - SAME_WITHIN_INCHES


def _distinct(marks: Iterable[float]) -> list[float]:
    """Return marks in order, each of them once."""
    cuts: list[float] = []
    for mark in sorted(points.wrap(mark) for mark in marks):
        if not cuts or mark - cuts[-1] > points.TOLERANCE:
            cuts.append(mark)
    if len(cuts) > 1 and cuts[0] + 360 - cuts[-1] <= points.TOLERANCE:
        cuts.pop()
    return cuts


def _turned(inches: float, half: float) -> float:
    """Return how far a place moves if its bearing turns by half the arc.

    A very wide arc gives no more than the way itself.
    """
    return inches * min(1.0, radians(half))


# --- curves and where they change places ----------------------------------------------------------------------------


def _circle(aim: Point, centre: Point, radius: float) -> Curve:
    x, y = centre.x - aim.x, centre.y - aim.y
    return Curve(x, y, 1, x * x + y * y - radius * radius)


def _line(aim: Point, normal: float, through: Point) -> Curve:
    east, north = points.unit(normal)
    return Curve(east, north, 0, 2 * ((through.x - aim.x) * east + (through.y - aim.y) * north))


def _tangents(curve: Curve) -> tuple[float, ...]:
    """Return the bearings of the rays that just touch a circle."""
    away = hypot(curve.x, curve.y)
    if not curve.k or curve.m < 0 or away <= points.TOLERANCE:
        return ()
    return _around(curve, sqrt(curve.m))


def _at_radius(curve: Curve, radius: float) -> tuple[float, ...]:
    """Return the bearings on which a curve is crossed at so many inches."""
    return _around(curve, (curve.k * radius * radius + curve.m) / (2 * radius))


def _around(curve: Curve, along: float) -> tuple[float, ...]:
    """Return the bearings whose unit vector reaches so far along the curve's own vector."""
    away = hypot(curve.x, curve.y)
    if away <= points.TOLERANCE or abs(along) > away * (1 + points.TOLERANCE):
        return ()
    middle = points.bearing(Point(0, 0), Point(curve.x, curve.y))
    half = degrees(acos(min(1.0, max(-1.0, along / away))))
    return points.wrap(middle - half), points.wrap(middle + half)


def _meetings(one: Curve, other: Curve, apart_by: float, reach: float) -> tuple[float, ...]:
    """Return the bearings on which the first curve is crossed at ρ and the other one at ρ + so many inches."""
    first, second = [one.m, 0.0, float(one.k)], _shifted([other.m, 0.0, float(other.k)], apart_by)
    near, far = [0.0, 1.0], [apart_by, 1.0]
    across = one.x * other.y - one.y * other.x
    lengths = hypot(one.x, one.y), hypot(other.x, other.y)
    if min(lengths) <= points.TOLERANCE:  # a circle around the aim is crossed at the same inches everywhere
        return _centred(one, other, apart_by, lengths[0] <= points.TOLERANCE)
    (nearest, farthest), (near_other, far_other) = _span(one, lengths[0]), _span(other, lengths[1])
    low, high = max(nearest, near_other - apart_by), min(farthest, far_other - apart_by, reach)
    if low > high or _never_on_one_ray(one, other, lengths):
        return ()
    if abs(across) <= PARALLEL * lengths[0] * lengths[1]:
        share = (one.x * other.x + one.y * other.y) / lengths[0] ** 2
        equation = _sum((1.0, _times(second, near)), (-share, _times(first, far)))
        places = _roots(equation, low, high)
        return tuple(mark for place in places if place > points.TOLERANCE for mark in _at_radius(one, place))
    square = _sum(
        (lengths[1] ** 2, _times(_times(first, first), _times(far, far))),
        (-2 * (one.x * other.x + one.y * other.y), _times(_times(first, near), _times(second, far))),
        (lengths[0] ** 2, _times(_times(second, second), _times(near, near))),
        (-4 * across * across, _times(_times(near, near), _times(far, far))),
    )
    marks = []
    for place in _roots(square, low, high):
        if place > points.TOLERANCE:
            along = _value(first, place) / (2 * place), _value(second, place) / (2 * (place + apart_by))
            east = (along[0] * other.y - along[1] * one.y) / across
            north = (one.x * along[1] - other.x * along[0]) / across
            marks.append(points.bearing(Point(0, 0), Point(east, north)))
    return tuple(marks)


def _span(curve: Curve, away: float) -> tuple[float, float]:
    """Return the least and the most inches at which a curve is crossed on any ray, with a little to spare."""
    if not curve.k:
        return max(0.0, abs(curve.m) / 2 - points.TOLERANCE), inf
    radius = sqrt(max(0.0, away * away - curve.m))
    return max(0.0, abs(away - radius) - points.TOLERANCE), away + radius + points.TOLERANCE


def _never_on_one_ray(one: Curve, other: Curve, lengths: tuple[float, float]) -> bool:
    """Return whether two circles lie so far apart, seen from the aim, that no ray crosses both."""
    if not (one.k and other.k and one.m > 0 and other.m > 0):
        return False
    halves = (asin(sqrt(max(0.0, 1 - curve.m / away**2))) for curve, away in zip((one, other), lengths, strict=True))
    between = acos(min(1.0, max(-1.0, (one.x * other.x + one.y * other.y) / (lengths[0] * lengths[1]))))
    return between > sum(halves) + points.TOLERANCE


def _centred(one: Curve, other: Curve, apart_by: float, first: bool) -> tuple[float, ...]:
    around, curve, away = (one, other, apart_by) if first else (other, one, -apart_by)
    radius = sqrt(-around.m) + away if around.m < 0 else 0.0
    return _at_radius(curve, radius) if radius > points.TOLERANCE else ()


def _times(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the product of two polynomials, lowest power first."""
    product = [0.0] * (len(one) + len(other) - 1)
    for at, left in enumerate(one):
        for by, right in enumerate(other):
            product[at + by] += left * right
    return product


def _sum(*terms: tuple[float, Sequence[float]]) -> list[float]:
    """Return the sum of polynomials, each times its factor."""
    total = [0.0] * max(len(term) for _, term in terms)
    for factor, term in terms:
        for at, part in enumerate(term):
            total[at] += factor * part
    return total


def _shifted(square: Sequence[float], by: float) -> list[float]:
    """Return a polynomial of degree 2 in ρ + by, written in ρ."""
    return [square[0] + square[1] * by + square[2] * by * by, square[1] + 2 * square[2] * by, square[2]]


def _value(polynomial: Sequence[float], at: float) -> float:
    total = 0.0
    for part in reversed(polynomial):
        total = total * at + part
    return total


def _roots(polynomial: Sequence[float], low: float, high: float) -> list[float]:
    """Return the real roots between two numbers: one at most between neighbouring roots of the derivative."""
    largest = max(map(abs, polynomial), default=0.0)
    parts = list(polynomial)
    while parts and abs(parts[-1]) <= 1e-14 * largest:
        parts.pop()
    if len(parts) < 2:
        return []
    if len(parts) == 2:
        only = -parts[0] / parts[1]
        return [only] if low <= only <= high else []
    slopes = [at * part for at, part in enumerate(parts)][1:]
    ends = [low, *_roots(slopes, low, high), high]
    roots: list[float] = []
    for start, end in pairwise(ends):
        root = _root_between(parts, start, end)
        if root is not None and (not roots or root - roots[-1] > STEP_MIDDLE):
            roots.append(root)
    return roots


def _root_between(polynomial: Sequence[float], low: float, high: float) -> float | None:
    """Return the root of a polynomial that only rises or only falls between two numbers."""
    at_low, at_high = _value(polynomial, low), _value(polynomial, high)
    if at_low == 0:
        return low
    if at_high == 0:
        return high
    if (at_low > 0) == (at_high > 0):
        return None
    slopes = [at * part for at, part in enumerate(polynomial)][1:]
    place = (low + high) / 2
    while high - low > STEP_MIDDLE:  # Newton's way, and the middle where it would leave the stretch
        value = _value(polynomial, place)
        if value == 0:
            return place
        if (value > 0) == (at_low > 0):
            low = place
        else:
            high = place
        slope = _value(slopes, place)
        further = place - value / slope if slope else low
        if not low < further < high:
            further = (low + high) / 2
        if abs(further - place) <= STEP_MIDDLE:
            return further
        place = further
    return place
