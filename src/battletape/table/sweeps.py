"""A hull driven straight ahead: what it meets, in order, and how far it may go."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot, sqrt
from typing import TypeAlias

from msgspec import Struct

from battletape.table.areas import Area, Spans, clip, edges, join, spans
from battletape.table.bases import Base
from battletape.table.distances import closer_than, outline
from battletape.table.hulls import Hull, in_frame, on_table
from battletape.table.points import TOLERANCE, Inches, Point, check_length

Obstacle: TypeAlias = Base | Hull | Area


class Contact(Struct, frozen=True):
    """A model on the way: its place in the list, and how far the hull has driven when it touches it."""

    model: int
    inches: float


class Impact(Struct, frozen=True):
    """A collision: how far the hull has driven, and where the two meet."""

    inches: float
    at: Point


def swept(hull: Hull, distance: Inches, bases: Sequence[Base]) -> tuple[Contact, ...]:
    """Return the models that touch the lane ahead of the hull, in order of contact; a bare touch counts."""
    check_length("distance", distance)
    met = []
    for model, base in enumerate(bases):
        ahead, right = in_frame(hull, base.centre)
        start, aside = ahead - hull.length / 2, max(0.0, abs(right) - hull.width / 2)
        past = max(0.0, -start, start - float(distance))
        if hypot(past, aside) <= base.radius + TOLERANCE:
            first = start - sqrt(max(0.0, base.radius**2 - aside**2))
            met.append(Contact(model, min(float(distance), max(0.0, first))))
    return tuple(sorted(met, key=lambda contact: (contact.inches, contact.model)))


def contact_spans(hull: Hull, distance: Inches, thing: Obstacle, margin: Inches = 0) -> Spans:
    """Return the stretches of a straight drive on which the hull overlaps a thing, or is nearer to it than the
    margin.
    """
    check_length("distance", distance)
    stretches: list[tuple[float, float]] = []
    for piece in _swollen(thing, float(margin)):
        stretches += _disc_spans(hull, piece) if isinstance(piece, Base) else _area_spans(hull, piece)
    held = ((max(0.0, start), min(float(distance), end)) for start, end in join(stretches))
    return tuple((start, end) for start, end in held if end - start > TOLERANCE)


def free_distance(hull: Hull, distance: Inches, things: Sequence[Obstacle], margin: Inches = 0) -> float:
    """Return how far a hull may drive before it would run into a thing, or come nearer to one than the margin.

    A thing that is nearer than the margin from the start only stops it by contact.
    """
    free = float(distance)
    close = closer_than(hull, things, margin)
    for at, thing in enumerate(things):
        met = contact_spans(hull, free, thing, 0 if at in close else margin)
        free = met[0][0] if met else free
    return free


def impact(hull: Hull, distance: Inches, target: Obstacle) -> Impact | None:
    """Return where a hull driven straight ahead runs into a target.

    The middle of the touching sides if they meet flat.
    """
    met = contact_spans(hull, distance, target)
    if not met:
        return None
    inches, nose, wide = met[0][0], hull.length / 2, hull.width / 2
    if isinstance(target, Base):
        _, right = in_frame(hull, target.centre)
        return Impact(inches, on_table(hull, nose + inches, min(wide, max(-wide, right))))
    touching = [spot for spot in _in_lane(hull, target) if spot.x <= nose + inches + TOLERANCE]
    sides = sorted(spot.y for spot in touching) or [0.0]
    return Impact(inches, on_table(hull, nose + inches, (sides[0] + sides[-1]) / 2))


def _swollen(thing: Obstacle, margin: float) -> tuple[Base | Area, ...]:
    """Return a thing and all ground nearer to it than the margin, in pieces."""
    if isinstance(thing, Base):
        return (Base(thing.centre, thing.radius + margin),)
    ground = outline(thing)
    if not margin:
        return (Area(ground),)
    pieces: list[Base | Area] = [Area(ground), *(Base(corner, margin) for corner in ground)]
    for a, b in edges(ground):
        east, north = b.x - a.x, b.y - a.y
        x, y = (margin * part / hypot(east, north) for part in (-north, east))
        ends = Point(a.x + x, a.y + y), Point(b.x + x, b.y + y), Point(b.x - x, b.y - y), Point(a.x - x, a.y - y)
        pieces.append(Area(ends))
    return tuple(pieces)


def _disc_spans(hull: Hull, disc: Base) -> Spans:
    ahead, right = in_frame(hull, disc.centre)
    aside = max(0.0, abs(right) - hull.width / 2)
    if aside >= disc.radius - TOLERANCE:
        return ()
    reach = hull.length / 2 + sqrt(disc.radius**2 - aside**2)
    return ((ahead - reach, ahead + reach),)


def _area_spans(hull: Hull, area: Area) -> Spans:
    ground, wide, nose = _frame(hull, area), hull.width / 2, hull.length / 2
    marks = {corner.x for corner in ground.outline}
    for a, b in edges(ground.outline):
        for side in (-wide, wide):
            if (a.y - side) * (b.y - side) < 0:
                marks.add(a.x + (b.x - a.x) * (side - a.y) / (b.y - a.y))
    stretches = []
    for low, high in pairwise(sorted(marks)):
        middle = (low + high) / 2
        if spans(Point(middle, -wide), Point(middle, wide), ground, rim=False):
            stretches.append((low - nose, high + nose))
    return join(stretches)


def _frame(hull: Hull, thing: Hull | Area) -> Area:
    """Return a thing's outline in the frame of a hull: ahead as x, right as y."""
    return Area(tuple(Point(*in_frame(hull, corner)) for corner in outline(thing)))


def _in_lane(hull: Hull, thing: Hull | Area) -> tuple[Point, ...]:
    """Return the corners of what a hull's lane holds of a thing, in the hull's frame."""
    wide = hull.width / 2
    kept = clip(_frame(hull, thing).outline, Point(0, -wide), Point(1, -wide))
    return clip(kept, Point(1, wide), Point(0, wide))
