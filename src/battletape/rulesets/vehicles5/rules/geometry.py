"""The table as these rules see it: arcs, sight and cover, templates, and how to measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from battletape.rulebook import Refused, clause
from battletape.rulesets.vehicles5.profiles.book import fitting_mount, label_of
from battletape.rulesets.vehicles5.profiles.types import Fitting
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table import mounts, sight
from battletape.table.bases import Base
from battletape.table.distances import Thing, gap
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE, Point
from battletape.table.sight import Eye
from battletape.table.teardrops import FLAMER, Flame, aimed_flame, flame_coverage, flame_touches, fullest_flame

HIDDEN_SHARE = 0.5  # of a facing must be hidden
COVER = 4  # the usual save of a vehicle in cover
Target: TypeAlias = Hull | Sequence[Base]  # a vehicle, or soldiers
Part: TypeAlias = Literal["hull", "turret", "gun_barrel", "antenna", "banner", "ornament", "nothing"]


@clause("V5-LOS-6", "V5-LOS-2", "V5-LOS-3", "V5-LOS-4", "V5-LOS-5")
def bears(fitting: Fitting, relative_bearing: float, elevation: float = 0, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a weapon can point so far off the hull's heading, and so steeply."""
    return mounts.in_arc(fitting_mount(fitting, rulings), relative_bearing, elevation)


@clause("V5-LOS-1")
def weapons_bearing(
    fittings: Iterable[Fitting], relative_bearing: float, elevation: float = 0, rulings: Rulings = DEFAULT
) -> tuple[str, ...]:
    """Return the weapons of a vehicle that can point there."""
    return tuple(label_of(fitting) for fitting in fittings if bears(fitting, relative_bearing, elevation, rulings))


@clause("V5-LOS-6", "V5-LOS-1", "V5-LOS-2", "V5-LOS-3", "V5-LOS-4", "V5-LOS-5")
def refuse_arc(
    hull: Hull, fitting: Fitting, target: Thing, rise: float = 0, rulings: Rulings = DEFAULT
) -> Refused | None:
    """Refuse a target that a weapon cannot point at; `rise` is how much higher its middle is."""
    mount = fitting_mount(fitting, rulings)
    away = mounts.reach_in_arc(hull, mount, target)
    if away is None:
        arc = f"{_bearing_words(mount.lo)} to {_bearing_words(mount.hi)}"
        reason = f"{label_of(fitting)} points {arc} only, and no part of the target is there"
        return Refused(reason, _clause_of_mount(fitting), "arc")
    if not mounts.bears_on(hull, mount, target, rise=rise):
        steep = abs(mounts.elevation(rise, away))
        reason = f"{label_of(fitting)} would have to point {steep:.0f} degrees {'up' if rise > 0 else 'down'}"
        return Refused(f"{reason}; {mounts.ELEVATION:g} is the most", "V5-LOS-6", "elevation")
    return None


def _bearing_words(bearing: float) -> str:
    side = "left" if bearing < 0 else "right"
    return f"{abs(bearing):g} degrees {side}" if bearing % 180 else "dead ahead" if not bearing % 360 else "dead astern"


def _clause_of_mount(fitting: Fitting) -> str:
    return {"hull": "V5-LOS-3", "sponson": "V5-LOS-4", "pintle": "V5-LOS-5"}.get(fitting.mount, "V5-LOS-2")


@clause("V5-LOS-1")
def eye_of(hull: Hull, fitting: Fitting, rulings: Rulings = DEFAULT) -> Eye:
    """Return where a weapon's line of sight starts: its mounting point."""
    mount = fitting_mount(fitting, rulings)
    return Eye(mounts.muzzle(hull, mount), mount.height)


@clause("V5-SHOT-1")
def counts_as_seen(part: Part) -> bool:
    """Return whether sight to this part of a vehicle is enough."""
    return part in ("hull", "turret")


@clause("V5-SHOT-2")
def claims_cover(hidden: Sequence[float], rulings: Rulings = DEFAULT) -> bool:
    """Return whether half of the facing is hidden from a majority of the firers."""
    if rulings.cover_majority == "more_than_half" or not hidden:
        return sight.claims_cover(hidden, HIDDEN_SHARE)
    return 2 * sum(part >= HIDDEN_SHARE - TOLERANCE for part in hidden) >= len(hidden)


@clause("V5-SHOT-3")
def refuse_go_to_ground(traits: Traits) -> Refused:
    """Refuse to let a vehicle go to ground."""
    kind = "walker" if traits.walker else "vehicle"
    return Refused(f"a {kind} never goes to ground; troops may", "V5-SHOT-3", "cover")


@clause("V5-SHOT-6")
def refuse_flame(touches_friend: bool) -> Refused | None:
    """Refuse a template that touches a friend."""
    reason = "a template may not touch friendly models; lay it so that it spares them"
    return Refused(reason, "V5-SHOT-6", "friend") if touches_friend else None


@clause("V5-SHOT-6")
def lay_template(
    apex: Point, target: Target, friends: Sequence[Base | Hull] = (), name: str = "the vehicle"
) -> Flame | Refused:
    """Lay the template over as much of a target as possible without touching a friend."""
    if isinstance(target, Hull):
        flame = fullest_flame(FLAMER, apex, target, friends)
    else:
        flames = (aimed_flame(FLAMER, Base(apex, 0.0), model) for model in target)
        touching = ((flame, any(flame_touches(flame, friend) for friend in friends)) for flame in flames)
        free = [flame for flame, touches in touching if refuse_flame(touches) is None]
        flame = max(free, key=lambda flame: len(models_under(flame, target)), default=None)
        flame = flame if flame is not None and models_under(flame, target) else None
    reason = f"however the template is laid, it misses {name} or touches a friend"
    return flame or Refused(reason, "V5-SHOT-6", "friend" if friends else "range")


def models_under(flame: Flame, models: Sequence[Base]) -> tuple[int, ...]:
    """Return the models under a template, wholly or in part."""
    return tuple(index for index, model in enumerate(models) if flame_coverage(flame, model) != "missed")


@clause("V5-CORE-22", "V5-LOS-1")
def range_of(hull: Hull, fitting: Fitting, target: Thing, rulings: Rulings = DEFAULT) -> float:
    """Return how far a target is from a weapon's mounting point."""
    return gap(mounts.muzzle(hull, fitting_mount(fitting, rulings)), target)
