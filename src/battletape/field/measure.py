"""One unit measured from another, once, at the door: by the board, or as the players say where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct

from battletape.errors import Refused, raise_if_refused
from battletape.field.sight import eyes_of, ground_cover, hidden_cover, sees
from battletape.field.state import Field, Footprint, Stand
from battletape.table.distances import gap
from battletape.table.facings import Facing, angle_off, face_towards, facing
from battletape.words import inches, listed

ROUNDED = 0.5  # inches by which players may round what the board knows


ASLANT = 45.0  # degrees off the perpendicular, where nobody knows better


class Claim(Struct, frozen=True):
    """What players say of a shot or a charge; what is left out, the board shows."""

    distance: float | None = None
    facing: Facing | None = None
    angle: float | None = None
    sees: bool | None = None
    cover: int | None = None
    hits: tuple[int, ...] = ()


class Measurement(Struct, frozen=True, cache_hash=True):
    """How a target lies to a unit: every number there, so that no rule asks whether there is a board."""

    distance: float
    facing: Facing = "front"
    angle: float = ASLANT  # degrees between the look and the perpendicular of the face it meets
    sees: bool = True
    cover: int = 0  # the best save of what hides it and of the ground under it; 0 is none
    hits: tuple[int, ...] = ()
    by: Literal["board", "players"] = "board"


def least_gap(mine: Sequence[Footprint], yours: Sequence[Footprint]) -> float | None:
    """Inches between the nearest of two lots of things; None if either has no place."""
    return _least_gap(tuple(mine), tuple(yours))


@lru_cache(4096)  # asked again for the same places
def _least_gap(mine: tuple[Footprint, ...], yours: tuple[Footprint, ...]) -> float | None:
    return min((gap(a, b) for a in mine for b in yours), default=None)


def measure(
    field: Field[Any],
    unit: str,
    target: str,
    said: Claim = Claim(),
    cites: Mapping[str, str] = {},
    company: tuple[Sequence[str], Sequence[str]] = ((), ()),
    unstated: float | None = None,
) -> Measurement:
    """Measure a target from a unit: by the board if both have places, else as said. A contradiction is refused.

    `company` names the units that count as part of each, such as characters; `cites` the clause of each number.
    `unstated` is the distance where neither board nor players give one; None: that is refused.
    """
    seat, mark = field.measured_from(unit), field.measured_from(target)
    mine = [thing for name in (seat.name, *company[0]) for thing in field.stand(name).footprints]
    yours = [thing for name in (mark.name, *company[1]) for thing in field.stand(name).footprints]
    shown = least_gap(mine, yours)
    if shown is None:
        distance = unstated if said.distance is None else said.distance
        if distance is None:
            reason = "nobody has said how far away the target is; say distance=…"
            raise Refused(reason, cites.get("distance", ""), "range")
        return Measurement(
            distance,
            said.facing or "front",
            ASLANT if said.angle is None else said.angle,
            said.sees is not False,
            said.cover or 0,
            said.hits,
            "players",
        )
    if said.distance is not None and abs(said.distance - shown) > ROUNDED:
        reason = f"{mark.name} is {inches(shown)} from {seat.name} on the board, not {inches(said.distance)}"
        raise_if_refused(Refused(reason, cites.get("distance", ""), "distance"))
    face, angle = _face(seat, mark, said, cites)
    seen = in_sight(field, seat, mark) if said.sees is None else said.sees  # who sits at the table sees more than we do
    cover = cover_from(field, seat, mark) if said.cover is None else said.cover
    return Measurement(shown, face, angle, seen, cover, said.hits)


def in_sight(field: Field[Any], seat: Stand, mark: Stand) -> bool:
    """Whether any model of a unit sees any of another; where nothing is high, all are seen."""
    return not _is_hilly(field) or any(sees(field, eye, seat.name, mark.name) for eye in eyes_of(seat))


def cover_from(field: Field[Any], seat: Stand, mark: Stand, middles: bool = True) -> int:
    """The best of the ground under a target and of what hides it."""
    hidden = hidden_cover(field, eyes_of(seat), seat.name, mark.name) if _is_hilly(field) else 0
    return min(filter(None, (ground_cover(field, mark, middles), hidden)), default=0)


def _is_hilly(field: Field[Any]) -> bool:
    """Whether anything stands in the way of sight: a quick look that spares a long one."""
    return any(piece.top for piece in field.terrain) or any(stand.cover for stand in field.stands)


def looks_at(seat: Stand, mark: Stand) -> tuple[Facing, float]:
    """The facing that the first model of a unit looks at, and how slantwise; front, aslant, if none is known."""
    if not mark.hulls or not seat.footprints:
        return "front", ASLANT
    hull, eye = mark.hulls[0], seat.footprints[0].centre
    return facing(hull, eye), min(90.0, angle_off(hull, face_towards(hull, eye), eye))


def _face(seat: Stand, mark: Stand, said: Claim, cites: Mapping[str, str]) -> tuple[Facing, float]:
    """The facing and angle that are met; players may say any facing that some model looks at."""
    face, angle = looks_at(seat, mark)
    if said.facing is not None and mark.hulls:
        faces = list(dict.fromkeys(facing(mark.hulls[0], thing.centre) for thing in seat.footprints))
        if said.facing not in faces:
            reason = f"on the board {seat.name} looks at the {listed(faces)} of {mark.name}, not at the {said.facing}"
            raise_if_refused(Refused(f"{reason}; leave out facing", cites.get("facing", ""), "facing"))
    return said.facing or face, angle if said.angle is None else said.angle
