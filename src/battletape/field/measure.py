"""How a target lies to a unit, measured once: by the board, or as players claim where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import Any, Literal

from battletape.errors import Refused, raise_if_refused
from battletape.field.sight import Cover, cover_of, is_in_sight
from battletape.field.state import Battlefield, Between, Footprint, Position
from battletape.rulebook import State
from battletape.table.distances import gap
from battletape.table.facings import Facing, angle_off, face_towards, facing
from battletape.table.hulls import Hull
from battletape.table.points import Point, apart
from battletape.words import inches, listed

ROUNDING = 0.5  # inches by which players may round a distance that the board shows
ASLANT = 45.0  # degrees off the perpendicular of a face, where the angle is unknown
DECIMALS = 6  # of a distance between middles
UNKNOWN = inf  # the distance that neither board nor players give, where a system can do without it


class Claim(State, frozen=True):
    """What players say of a shot or a charge; the board shows what they leave out."""

    distance: float | None = None
    facing: Facing | None = None
    angle: float | None = None
    sees: bool | None = None
    cover: int | None = None
    hits: tuple[int, ...] = ()


class Measurement(State, frozen=True):
    """How a target lies to a unit: every number is there, whether or not there is a board."""

    distance: float
    facing: Facing = "front"
    angle: float = ASLANT  # degrees between the line of sight and the perpendicular of the face it meets
    sees: bool = True
    cover: int = 0  # 0 is none
    covered_by: str = ""  # the terrain or unit that gives the cover, if the board shows it
    hits: tuple[int, ...] = ()
    by: Literal["board", "players"] = "board"


def least_gap(footprints: Sequence[Footprint], others: Sequence[Footprint], between: Between = "rims") -> float | None:
    """Return the inches between the nearest two footprints of two units; None if either has no place."""
    return _least_gap(tuple(footprints), tuple(others), between)


@lru_cache(4096)  # asked again for the same places
def _least_gap(footprints: tuple[Footprint, ...], others: tuple[Footprint, ...], between: Between) -> float | None:
    if between == "middles":
        return min(
            (between_middles(footprint.centre, other.centre) for footprint in footprints for other in others),
            default=None,
        )
    return min((gap(footprint, other) for footprint in footprints for other in others), default=None)


def between_middles(start: Point, goal: Point) -> float:
    """Return the distance of two middles, so rounded that places written in decimals are as far apart as they say."""
    return round(apart(start, goal), DECIMALS)


def distance(field: Battlefield[Any], unit: str, target: str) -> float | None:
    """Return the inches between two units as the board shows them; None if either has no place."""
    return least_gap(field.measured_from(unit).footprints, field.measured_from(target).footprints, field.between)


def measure(
    field: Battlefield[Any],
    unit: str,
    target: str,
    claim: Claim = Claim(),
    cites: Mapping[str, str] = {},
    company: tuple[Sequence[str], Sequence[str]] = ((), ()),
    unstated: float | None = None,
) -> Measurement:
    """Measure a target from a unit, by the board if both have places, else as claimed; refuse contradictions.

    `cites` names the clause of each number, `company` the characters that count as part of unit and target. A distance
    that neither board nor claim gives is refused, or taken to be `unstated`.
    """
    firer, aim = field.measured_from(unit), field.measured_from(target)
    near = field.footprints(firer.name, *company[0]) if company[0] else firer.footprints
    far = field.footprints(aim.name, *company[1]) if company[1] else aim.footprints
    shown = _least_gap(near, far, field.between) if near and far else None
    if shown is None:
        return _as_claimed(claim, cites, unstated)
    if claim.distance is not None and abs(claim.distance - shown) > ROUNDING:
        reason = f"{aim.name} is {inches(shown)} from {firer.name} on the board, not {inches(claim.distance)}"
        raise_if_refused(Refused(reason, cites.get("distance", ""), "distance"))
        shown = claim.distance  # a move that an earlier version allowed went by the players
    face, angle = _face_met(firer, aim, claim, cites)
    # players see more at the table than the board knows: a ruin has windows
    seen = is_in_sight(field, firer, aim) if claim.sees is None else claim.sees
    cover = cover_of(field, firer, aim) if claim.cover is None else Cover(claim.cover)
    return Measurement(shown, face, angle, seen, cover.worth, cover.by, claim.hits)


def _as_claimed(claim: Claim, cites: Mapping[str, str], unstated: float | None) -> Measurement:
    """Return a measurement in the words of the players."""
    distance = unstated if claim.distance is None else claim.distance
    if distance is None:
        reason = "the distance to the target is not known; say distance=…"
        raise Refused(reason, cites.get("distance", ""), "range")
    return Measurement(
        distance,
        claim.facing or "front",
        ASLANT if claim.angle is None else claim.angle,
        claim.sees is not False,
        claim.cover or 0,
        "",
        claim.hits,
        "players",
    )


def looks_at(firer: Position, target: Position) -> tuple[Facing, float]:
    """Return the facing that the first model of a unit looks at, and the angle; front and aslant if unknown."""
    if not target.hulls or not firer.footprints:
        return "front", ASLANT
    return look_from(firer.footprints[0].centre, target.hulls[0])


def look_from(eye: Point, hull: Hull) -> tuple[Facing, float]:
    """Return the facing of a hull that is looked at from a place, and the angle off the perpendicular of its face."""
    return facing(hull, eye), min(90.0, angle_off(hull, face_towards(hull, eye), eye))


def _face_met(firer: Position, target: Position, claim: Claim, cites: Mapping[str, str]) -> tuple[Facing, float]:
    """Return the facing and angle of a shot; players may claim any facing that some model looks at."""
    face, angle = looks_at(firer, target)
    if claim.facing is not None and target.hulls:
        faces = list(dict.fromkeys(facing(target.hulls[0], each.centre) for each in firer.footprints))
        if claim.facing not in faces:
            looks = (
                f"on the board {firer.name} looks at the {listed(faces)} of {target.name}, not at the {claim.facing}"
            )
            raise_if_refused(Refused(f"{looks}; leave out facing", cites.get("facing", ""), "facing"))
    return claim.facing or face, angle if claim.angle is None else claim.angle
