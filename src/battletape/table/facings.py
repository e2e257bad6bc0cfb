"""Which armour a shot meets: front, side or rear."""

from __future__ import annotations

from math import atan2, degrees
from typing import Literal, Protocol, TypeAlias

from battletape.errors import BadInput, echo
from battletape.table.hulls import FLANKS, Flank, Hull, in_frame, open_flanks
from battletape.table.points import TOLERANCE, Point, relative_bearing, signed

Facing: TypeAlias = Literal["front", "side", "rear"]
FacingModel: TypeAlias = Literal["quarters", "corner"]
"""Lines at 45 degrees through the hull's centre, or lines through its corners."""
Border: TypeAlias = Literal["ends", "sides"]
"""Whether exactly on the line belongs to front and rear, or to the sides."""


class Armoured(Protocol):
    """Anything with armour on three sides: a profile, a vehicle on the table, or what a player says of one."""

    @property
    def front(self) -> int:
        """The armour of its front."""

    @property
    def side(self) -> int:
        """The armour of both its sides."""

    @property
    def rear(self) -> int:
        """The armour of its rear."""


def armour_at(vehicle: Armoured, facing: Facing) -> int:
    """Return the armour of a facing."""
    if facing == "front":
        return vehicle.front
    if facing == "side":
        return vehicle.side
    if facing == "rear":
        return vehicle.rear
    raise BadInput(f"a vehicle has armour at its front, side and rear; got {echo(str(facing))}", field="facing")


def facing_border(model: FacingModel = "quarters", length: float = 1, width: float = 1) -> float:
    """Return how many degrees off the heading the front ends."""
    if model == "quarters":
        return 45.0
    if length <= 0 or width <= 0:
        raise BadInput(f"facings by corners need a hull with length and width, got {length:g} by {width:g}")
    return degrees(atan2(width, length))


def flank_at(
    bearing: float, *, model: FacingModel = "quarters", length: float = 1, width: float = 1, border: Border = "ends"
) -> Flank:
    """Return the face in whose quarter a bearing lies (0 is dead ahead, right positive)."""
    line = facing_border(model, length, width)
    aside = signed(bearing)
    slack = TOLERANCE if border == "ends" else -TOLERANCE
    if abs(aside) <= line + slack:
        return "front"
    if abs(aside) >= 180 - line - slack:
        return "rear"
    return "right" if aside > 0 else "left"


def facing_at(
    bearing: float, *, model: FacingModel = "quarters", length: float = 1, width: float = 1, border: Border = "ends"
) -> Facing:
    """Return the facing in whose quarter a bearing lies; both sides share one armour."""
    return facing_of(flank_at(bearing, model=model, length=length, width=width, border=border))


def facing_of(flank: Flank) -> Facing:
    """Return the facing of a face: left and right are both the side."""
    return "front" if flank == "front" else "rear" if flank == "rear" else "side"


def flank(hull: Hull, point: Point, *, model: FacingModel = "quarters", border: Border = "ends") -> Flank:
    """Return the face in whose quarter a point stands."""
    aside = relative_bearing(hull.centre, hull.heading, point)
    return flank_at(aside, model=model, length=hull.length, width=hull.width, border=border)


def facing(hull: Hull, point: Point, *, model: FacingModel = "quarters", border: Border = "ends") -> Facing:
    """Return the facing in whose quarter a point stands: a firer, the hole of a marker, the spot of an impact."""
    return facing_of(flank(hull, point, model=model, border=border))


def face_towards(hull: Hull, point: Point, *, model: FacingModel = "quarters", border: Border = "ends") -> Flank:
    """Return the face a firer looks at: that of its quarter, unless the firer is so close beside it that it is
    turned away.
    """
    wanted = flank(hull, point, model=model, border=border)
    seen = open_flanks(hull, point)
    return wanted if wanted in seen or not seen else seen[0]


def angle_off(hull: Hull, face: Flank, firer: Point, struck: Point | None = None) -> float:
    """Return degrees between the line of sight and the perpendicular of a face, at the spot struck or the face's
    middle.
    """
    ahead, right = in_frame(hull, firer)
    if struck is None:
        middles = ((hull.length / 2, 0.0), (0.0, hull.width / 2), (-hull.length / 2, 0.0), (0.0, -hull.width / 2))
        spot = middles[FLANKS.index(face)]
    else:
        spot = in_frame(hull, struck)
    towards = degrees(atan2(right - spot[1], ahead - spot[0]))
    return abs(signed(towards - 90 * FLANKS.index(face)))
