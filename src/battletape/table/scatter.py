"""Where a marker may come down: cuts of the compass for bases and hulls at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from battletape.table import points
from battletape.table.bases import Base
from battletape.table.bearings import Arcs, arcs, circle_cuts, line_cuts
from battletape.table.facings import Border, FacingModel, facing_border
from battletape.table.hulls import Hull, corners
from battletape.table.markers import Coverage, HullBlast, base_coverage, hull_blast, marker_reach
from battletape.table.points import Inches, Point


class Landing(Struct, frozen=True):
    """What a marker does where it comes down: to every base and to every hull, in the order given."""

    bases: tuple[Coverage, ...] = ()
    hulls: tuple[HullBlast, ...] = ()


def landing(
    marker: Base,
    bases: Sequence[Base] = (),
    hulls: Sequence[Hull] = (),
    *,
    model: FacingModel = "quarters",
    border: Border = "ends",
) -> Landing:
    """Return what a marker does where it lies."""
    return Landing(
        tuple(base_coverage(marker, base) for base in bases),
        tuple(hull_blast(marker, hull, model=model, border=border) for hull in hulls),
    )


def landing_arcs(
    aim: Point,
    scatter: Inches,
    marker: Inches,
    bases: Sequence[Base] = (),
    hulls: Sequence[Hull] = (),
    *,
    model: FacingModel = "quarters",
    border: Border = "ends",
) -> Arcs[Landing]:
    """Return what a marker of this radius does after scattering so far from the aim, for every direction."""
    points.check_length("scatter", scatter)
    points.check_length("marker", marker)

    def status(angle: float) -> Landing:
        placed = Base(points.step(aim, angle, scatter), float(marker))
        return landing(placed, bases, hulls, model=model, border=border)

    marks: list[float] = []
    for base in bases:
        marks += base_marks(aim, scatter, marker, base)
    for hull in hulls:
        marks += hull_marks(aim, scatter, marker, hull, model=model)
    return arcs(marks, status)


def base_arcs(aim: Point, scatter: Inches, marker: Inches, bases: Sequence[Base]) -> Arcs[tuple[Coverage, ...]]:
    """Return how much of every base a marker covers after scattering so far, for every direction."""
    points.check_length("scatter", scatter)
    points.check_length("marker", marker)
    reach = float(scatter) + float(marker)
    near = [base if points.apart(aim, base.centre) < reach + base.radius + points.TOLERANCE else None for base in bases]
    marks = [mark for base in near if base is not None for mark in base_marks(aim, scatter, marker, base)]

    def status(angle: float) -> tuple[Coverage, ...]:
        placed = Base(points.step(aim, angle, scatter), float(marker))
        return tuple("missed" if base is None else base_coverage(placed, base) for base in near)

    return arcs(marks, status)


@lru_cache(4096)  # while one base is moved, the others stay
def base_marks(aim: Point, scatter: Inches, marker: Inches, base: Base) -> tuple[float, ...]:
    """Return the bearings on which a base becomes touched or entirely covered."""
    limits = marker_reach(points.exact(marker), points.exact(base.radius))
    return tuple(mark for limit in limits for mark in circle_cuts(aim, scatter, base.centre, limit))


def hull_marks(
    aim: Point, scatter: Inches, marker: Inches, hull: Hull, *, model: FacingModel = "quarters"
) -> tuple[float, ...]:
    """Return the bearings on which the hole crosses the hull's sides or facing lines, or the marker meets the hull."""
    marks: list[float] = []
    near, _, far, _ = spots = corners(hull)
    for across, spot in ((0, near), (90, far), (180, far), (270, near)):
        normal = hull.heading + across
        marks += line_cuts(aim, scatter, normal, spot)
        marks += line_cuts(aim, scatter, normal, points.step(spot, normal, marker))
    for spot in spots:
        marks += circle_cuts(aim, scatter, spot, marker)
    line = facing_border(model, hull.length, hull.width)
    for turned in (line, -line):
        marks += line_cuts(aim, scatter, hull.heading + turned + 90, hull.centre)
    return tuple(marks)
