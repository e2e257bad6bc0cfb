"""The picture of a field: one for all systems, on the page and in letters; with it what the chosen unit can do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.field.state import Field, Stand
from battletape.table.bases import Base
from battletape.table.mounts import Mount, muzzle
from battletape.table.picture import Arc, Figure, Ground, Machine, Marker, Picture, Ring, Thing, Tone, lying, standing


class Reach(Struct, frozen=True):
    """How far something of the chosen unit goes: its move, or a weapon with its arc."""

    name: str
    inches: float
    mount: Mount | None = None


class Selection(Struct, frozen=True):
    """The unit whose turn it is to be thought about: what it reaches, and the odds on each target by name."""

    unit: str
    reaches: tuple[Reach, ...] = ()
    odds: Mapping[str, Fraction] = {}
    says: str = ""  # what the odds are: “chance to be destroyed”


def picture(
    field: Field[Any],
    acting: str,
    chosen: Selection | None = None,
    *,
    about: Mapping[str, str] = {},
    title: str = "The table",
) -> Picture | None:
    """Everything that has a place; None if nothing has. `about` says more of a unit or terrain in a few words."""
    units = [thing for stand in field.on_table() for thing in _drawn(stand, acting, chosen, about.get(stand.name, ""))]
    if not units:
        return None
    things: list[Thing] = [*_zones(field), *_grounds(field, about), *_objectives(field), *units]
    things += _reaches(field, chosen) if chosen is not None else ()
    says = chosen.says if chosen is not None else ""
    return Picture(title, tuple(things), field.board, whole=field.board is not None, says=says, unit=field.unit)


def _drawn(stand: Stand, acting: str, chosen: Selection | None, about: str) -> Iterable[Figure | Machine]:
    tone: Tone = "acts" if stand.side == acting else "target"
    chance = chosen.odds.get(stand.name) if chosen is not None else None
    for thing in standing(stand.name, stand.side, stand.footprints, tone, about):
        own = chosen is not None and stand.name == chosen.unit
        drag = ("x", "y") if own else None
        tap = f"target={stand.name}" if chosen is not None and not own else ""
        more = {"tap": tap} if isinstance(thing, Figure) else {}
        yield replace(thing, chance=chance, drag=drag, **more)


def _grounds(field: Field[Any], about: Mapping[str, str]) -> Iterable[Ground]:
    return (lying(piece.name, piece.shape, about.get(piece.name, piece.kind)) for piece in field.outlined_terrain)


def _zones(field: Field[Any]) -> Iterable[Ground]:
    return (Ground(zone.area.outline, name=f"zone of {zone.side}", tone="plain") for zone in field.zones)


def _objectives(field: Field[Any]) -> Iterable[Marker]:
    return (Marker(Base(it.at, it.reach), it.name, "around", hole=True) for it in field.objectives)


def _reaches(field: Field[Any], chosen: Selection) -> Iterable[Ring | Arc]:
    stand = field.stand(chosen.unit)
    for reach in chosen.reaches:
        for thing in stand.footprints[:1]:
            if reach.mount is None or isinstance(thing, Base):
                yield Ring(Base(thing.centre, reach.inches), reach.name, "acts")
            else:
                lo, hi = thing.heading + reach.mount.lo, thing.heading + reach.mount.hi
                yield Arc(Base(muzzle(thing, reach.mount), reach.inches), lo, hi, reach.name)
