"""Lines of sight: walls with a height, the hidden part of a face, and cover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import acos, degrees, inf
from typing import TypeAlias

from msgspec import Struct

from battletape.errors import BadInput
from battletape.table import hulls, points
from battletape.table.areas import Ground, edges, is_inside
from battletape.table.bases import Base
from battletape.table.distances import outline
from battletape.table.facings import Border, FacingModel, face_towards
from battletape.table.hulls import Flank, Hull
from battletape.table.points import Point


class Eye(Struct, frozen=True):
    """Where a look starts: a muzzle or a model's head."""

    at: Point
    height: float = 0.0


class Wall(Struct, frozen=True):
    """What stands in the way: corners of its outline (two make a fence) and its top; without a top it hides all."""

    outline: tuple[Point, ...]
    top: float | None = None


class Face(Struct, frozen=True):
    """An upright surface that is looked at, from one end to the other and from bottom to top."""

    left: Point
    right: Point
    bottom: float = 0.0
    top: float = 1.0

    def __post_init__(self) -> None:
        if self.top <= self.bottom:
            raise BadInput(f"a face needs its top above its bottom, got {self.bottom:g} to {self.top:g}")


_Line: TypeAlias = tuple[float, float]
"""The top of a shadow on the face: at its left end, and how much it changes towards the right end."""


def walls_of(eye: Eye, things: Sequence[Ground | Hull], top: float | None = None) -> tuple[Wall, ...]:
    """Return terrain, hulls and bases as walls; what the eye itself stands in does not hinder it."""
    return tuple(wall for thing in things if (wall := _wall(eye.at, thing, top)) is not None)


def faces(hull: Hull, height: float = 1.0) -> dict[Flank, Face]:
    """Return the four faces of a hull."""
    sides = zip(hulls.FLANKS, edges(hulls.corners(hull)), strict=True)
    return {flank: Face(*edge, 0.0, height) for flank, edge in sides}


def round_face(eye: Eye, base: Base, bottom: float, top: float) -> Face:
    """Return the side of a turret (or of a model) that is turned towards the eye."""
    ends = _horizon(eye.at, base)
    if ends is None:
        raise BadInput("a round face needs an eye outside of it")
    return Face(*ends, bottom, top)


def hidden_fraction(eye: Eye, face: Face, walls: Iterable[Wall]) -> float:
    """Return the part of a face that walls hide, by area; a face seen edge-on is all hidden.

    The top of a wall's shadow is a straight line on the face between the walls' corners, so this is exact.
    """
    if abs(points.cross(face.left, face.right, eye.at)) <= points.TOLERANCE:
        return 1.0
    marks, shades = {0.0, 1.0}, []
    for wall in walls:
        for corner, other in edges(wall.outline) if len(wall.outline) > 2 else (wall.outline,):
            shade = _shade(eye, face, corner, other, wall.top)
            if shade is not None:
                shades.append((corner, other, *shade))
                marks.update(_marks(eye.at, face, corner, other))
    inner = sorted(mark for mark in marks if 0 <= mark <= 1)
    hidden = sum(_hidden_between(eye, face, shades, low, high) for low, high in pairwise(inner))
    return min(1.0, max(0.0, hidden / (face.top - face.bottom)))


def can_see(eye: Eye, parts: Iterable[Face], walls: Sequence[Wall]) -> bool:
    """Return whether any bit of these faces is in sight."""
    return any(hidden_fraction(eye, face, walls) < 1 - points.TOLERANCE for face in parts)


def can_see_vehicle(
    eye: Eye,
    hull: Hull,
    walls: Sequence[Wall],
    *,
    height: float = 1.0,
    turret: Base | None = None,
    turret_top: float = 2.0,
) -> bool:
    """Return whether hull or turret is in sight; the turret stands on the hull and ends at `turret_top`."""
    if hulls.is_on_hull(hull, eye.at):
        return True
    sides = faces(hull, height)
    parts = [sides[flank] for flank in hulls.open_flanks(hull, eye.at)]
    if turret is not None:
        parts.append(round_face(eye, turret, height, turret_top))
    return can_see(eye, parts, walls)


def hidden_facing(
    eye: Eye,
    hull: Hull,
    walls: Iterable[Wall],
    *,
    height: float = 1.0,
    model: FacingModel = "quarters",
    border: Border = "ends",
) -> float:
    """Return the hidden part of the facing that a firer shoots at."""
    face = face_towards(hull, eye.at, model=model, border=border)
    return hidden_fraction(eye, faces(hull, height)[face], walls)


def claims_cover(hidden: Sequence[float], share: float = 0.5) -> bool:
    """Return whether the facing is hidden by that share or more from more than half of the firers."""
    return 2 * sum(part >= share - points.TOLERANCE for part in hidden) > len(hidden)


def _wall(eye: Point, thing: Ground | Hull, top: float | None) -> Wall | None:
    if isinstance(thing, Base):
        ends = _horizon(eye, thing)
        return None if ends is None else Wall(ends, top)
    ground = hulls.footprint(thing) if isinstance(thing, Hull) else thing
    return None if is_inside(ground, eye, rim=False) else Wall(outline(ground), top)


def _horizon(eye: Point, base: Base) -> tuple[Point, Point] | None:
    """Return the two points where looks graze a disc; a fence between them hides just as much."""
    way = points.apart(eye, base.centre)
    if way <= base.radius + points.TOLERANCE:
        return None
    half, middle = degrees(acos(base.radius / way)), points.bearing(base.centre, eye)
    left, right = (points.step(base.centre, middle + side * half, base.radius) for side in (1, -1))
    return left, right


def _shade(eye: Eye, face: Face, point: Point, other: Point, top: float | None) -> tuple[_Line, _Line] | None:
    """Return how much farther away than this side of a wall the face is, and the top of its shadow: lines along the
    face.
    """
    along = Point(eye.at.x + other.x - point.x, eye.at.y + other.y - point.y)
    depth = points.cross(eye.at, point, along)
    if abs(depth) <= points.TOLERANCE:
        return None  # seen end-on it hides nothing
    left, right = points.cross(eye.at, face.left, along) / depth, points.cross(eye.at, face.right, along) / depth
    far = (left, right - left)
    if top is None:
        return far, (inf, 0.0)
    rise = top - eye.height
    return far, (eye.height + rise * far[0], rise * far[1])


def _marks(eye: Point, face: Face, point: Point, other: Point) -> Iterable[float]:
    """Return where along the face the shadow of a side may begin or end: behind its ends, and where it meets the
    face.
    """
    for end in (point, other):
        met = points.line_crossing(face.left, face.right, eye, end)
        if met is not None:
            yield met[0]
    met = points.line_crossing(face.left, face.right, point, other)
    if met is not None:
        yield met[0]


def _hidden_between(
    eye: Eye, face: Face, shades: Sequence[tuple[Point, Point, _Line, _Line]], low: float, high: float
) -> float:
    """Return hidden area of one strip of the face, in units of its width."""
    middle = (low + high) / 2
    look = points.between(face.left, face.right, middle)
    lines = []
    for corner, other, far, line in shades:
        straddles = points.cross(eye.at, look, corner) * points.cross(eye.at, look, other) < 0
        if straddles and far[0] + far[1] * middle > 1 + points.TOLERANCE:
            lines.append(line)
    if not lines:
        return 0.0
    if any(start == inf for start, _ in lines):
        return (high - low) * (face.top - face.bottom)
    bends = {low, high}
    levels = [*lines, (face.bottom, 0.0), (face.top, 0.0)]
    for at, (start, slope) in enumerate(levels):
        for start2, slope2 in levels[:at]:
            if slope != slope2 and low < (bend := (start2 - start) / (slope - slope2)) < high:
                bends.add(bend)
    area = 0.0
    for a, b in pairwise(sorted(bends)):
        shadow = max(start + slope * (a + b) / 2 for start, slope in lines)
        area += (b - a) * (min(face.top, max(face.bottom, shadow)) - face.bottom)
    return area
