"""Round things: the base of a model, a marker, a crater."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from battletape.table.points import Inches, Point, check_length, exact


class Base(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A disc on the table; a radius of 0 is a mere point."""

    centre: Point
    radius: float = 0.5

    def __post_init__(self) -> None:
        check_length("radius", self.radius)


def base_radius(millimetres: Inches) -> Fraction:
    """Return the radius in inches of a base whose diameter is given in millimetres: 25 mm is 125/254 inch."""
    check_length("base diameter", millimetres)
    return exact(millimetres) * 5 / 254
