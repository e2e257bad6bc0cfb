"""Where a weapon can point: turrets, hull mounts, sponsons, pintles and elevation; and sectors in general."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, degrees, radians, sin, sqrt

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput
from battletape.table import points
from battletape.table.areas import edges
from battletape.table.bases import Base
from battletape.table.distances import Thing, gap, nearest_point, outline
from battletape.table.hulls import Hull, on_table
from battletape.table.points import Point

HULL_ARC = 45.0
ELEVATION = 45.0


class Mount(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon's mounting point on the hull and the bearings it can reach, from `lo` clockwise to `hi`."""

    lo: float = -180.0
    hi: float = 180.0
    ahead: float = 0.0
    right: float = 0.0
    height: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.hi - self.lo <= 360:
            raise BadInput(f"an arc needs bearings from low to high within 360 degrees, got {self.lo:g} to {self.hi:g}")


def turret(ahead: float = 0, right: float = 0, height: float = 0) -> Mount:
    """Return all around."""
    return Mount(ahead=ahead, right=right, height=height)


def hull_mount(
    direction: float = 0, width: float = HULL_ARC, ahead: float = 0, right: float = 0, height: float = 0
) -> Mount:
    """Return an arc of this width in degrees, half of it to each side of the mount's direction."""
    return Mount(direction - width / 2, direction + width / 2, ahead, right, height)


def sponson(lo: float, hi: float, ahead: float = 0, right: float = 0, height: float = 0) -> Mount:
    """Return a mount that swings between two bearings: 0 to 180 is the whole right."""
    return Mount(lo, hi, ahead, right, height)


def pintle(place: Mount, ahead: float = 0, right: float = 0, height: float = 0) -> Mount:
    """Return the mount of a pintle or bolt-on gun, with the arc of the place it is fixed to."""
    return replace(place, ahead=ahead, right=right, height=height)


def in_sweep(angle: float, lo: float, hi: float) -> bool:
    """Return whether a bearing lies from `lo` clockwise to `hi`, both included."""
    past = points.wrap(angle - lo)
    return past <= hi - lo + points.TOLERANCE or past >= 360 - points.TOLERANCE


def elevation(rise: float, distance: float) -> float:
    """Return how steeply a gun must point, up (+) or down (-)."""
    return degrees(atan2(rise, distance))


def in_arc(mount: Mount, relative: float, raised: float = 0, *, limit: float = ELEVATION) -> bool:
    """Return whether a weapon reaches a bearing relative to the hull's heading, at this elevation."""
    return in_sweep(relative, mount.lo, mount.hi) and abs(raised) <= limit + points.TOLERANCE


def muzzle(hull: Hull, mount: Mount) -> Point:
    """Return where the weapon's line of sight starts."""
    return on_table(hull, mount.ahead, mount.right)


@lru_cache(4096)  # asked for each weapon at each target
def reach_in_arc(hull: Hull, mount: Mount, target: Thing) -> float | None:
    """Return how far the nearest part of a target in the weapon's arc is from the mount; none if no part is in it."""
    return sector_gap(muzzle(hull, mount), hull.heading + mount.lo, hull.heading + mount.hi, target)


def bears_on(hull: Hull, mount: Mount, target: Thing, *, rise: float = 0, limit: float = ELEVATION) -> bool:
    """Return whether any part of a target that stands so much higher is in the weapon's arc and elevation."""
    reach = reach_in_arc(hull, mount, target)
    return reach is not None and abs(elevation(rise, reach)) <= limit + points.TOLERANCE


def sector_gap(apex: Point, lo: float, hi: float, target: Thing) -> float | None:
    """Return how far the nearest part of a target between two bearings is from the apex; none if there is none."""
    close = nearest_point(apex, target)
    way = gap(apex, target)
    if way <= points.TOLERANCE or in_sweep(points.bearing(apex, close), lo, hi):
        return way
    met = [distance for side in (lo, hi) if (distance := _along_ray(apex, side, target)) is not None]
    return min(met, default=None)


def _along_ray(apex: Point, heading: float, target: Thing) -> float | None:
    """Return how far along a ray a target that does not hold its start is first met."""
    if isinstance(target, Point):
        return None  # a point on the ray is in the sweep already
    if isinstance(target, Base):
        way = points.apart(apex, target.centre)
        aside = radians(points.signed(points.bearing(apex, target.centre) - heading))
        off = abs(way * sin(aside))
        if cos(aside) <= 0 or off > target.radius + points.TOLERANCE:
            return None
        return way * cos(aside) - sqrt(max(0.0, target.radius**2 - off**2))
    met = []
    for edge in edges(outline(target)):
        crossing = points.line_crossing(apex, points.step(apex, heading, 1), *edge)
        if crossing is not None and crossing[0] >= 0 and -points.TOLERANCE <= crossing[1] <= 1 + points.TOLERANCE:
            met.append(crossing[0])
    return min(met, default=None)
