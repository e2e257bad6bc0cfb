"""Blast markers: which bases they cover, and where the hole lies on a hull."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from battletape.table.bases import Base
from battletape.table.facings import Border, Facing, FacingModel, facing
from battletape.table.hulls import Hull, hull_gap, is_on_hull
from battletape.table.points import TOLERANCE, Inches, apart

BLAST = 1.5
LARGE_BLAST = 2.5
"""Radii of the 3-inch and the 5-inch marker."""

Coverage: TypeAlias = Literal["entirely", "partially", "missed"]


class HullBlast(Struct, frozen=True):
    """How a marker lies on a hull: its hole on it, only its edge (then the facing towards the hole), or clear of it."""

    part: Literal["hole", "edge", "clear"]
    facing: Facing | None = None


def coverage(away: Inches, radius: Inches, marker: Inches) -> Coverage:
    """Return how much of a base lies under a marker whose centre is so far away; touching from outside is a miss."""
    whole, touched = marker_reach(marker, radius)
    if away <= whole + TOLERANCE:
        return "entirely"
    return "partially" if away < touched - TOLERANCE else "missed"


def marker_reach(marker: Inches, radius: Inches) -> tuple[Inches, Inches]:
    """Return how far from a marker's centre a base may stand to be covered entirely (negative: nowhere), and to be
    touched.
    """
    return marker - radius, marker + radius


def base_coverage(marker: Base, base: Base) -> Coverage:
    """Return how much of a base lies under a marker."""
    return coverage(apart(marker.centre, base.centre), base.radius, marker.radius)


def bases_touched(marker: Base, bases: Sequence[Base]) -> tuple[int, ...]:
    """Return which bases (by place in the list) a marker touches; the bare rim counts."""
    return tuple(
        at
        for at, base in enumerate(bases)
        if apart(marker.centre, base.centre) <= marker.radius + base.radius + TOLERANCE
    )


def hull_blast(marker: Base, hull: Hull, *, model: FacingModel = "quarters", border: Border = "ends") -> HullBlast:
    """Return whether the hole is on the hull, or only the marker's edge, and then which facing looks at the hole."""
    if is_on_hull(hull, marker.centre):
        return HullBlast("hole")
    if hull_gap(hull, marker.centre) > marker.radius + TOLERANCE:
        return HullBlast("clear")
    return HullBlast("edge", facing(hull, marker.centre, model=model, border=border))
