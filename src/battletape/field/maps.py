"""The map: the picture of a field, one for all systems, on the page and in letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from battletape.field.score import every_unit, holder
from battletape.field.state import Battlefield, Position
from battletape.rulebook import State, plain, replace
from battletape.table import picture
from battletape.table.bases import Base
from battletape.table.mounts import Mount, muzzle


class Reach(State, frozen=True):
    """How far a unit moves, or a weapon of it fires, within its arc."""

    name: str
    inches: float
    mount: Mount | None = None  # of a weapon on a hull


class Chosen(State, frozen=True):
    """A unit that is thought about: what it reaches, and the odds on each target by name."""

    unit: str
    reaches: tuple[Reach, ...] = ()
    odds: tuple[tuple[str, Fraction], ...] = ()
    says: str = ""  # what the odds are: “chance to be destroyed”


def draw_map(
    field: Battlefield[Any],
    active: str,
    chosen: Chosen | None = None,
    *,
    about: Mapping[str, str] = {},
    scores: Callable[[Position], bool] = every_unit,
    title: str = "The table",
) -> picture.Picture | None:
    """Draw everything that has a place; nothing if no unit has one. `about` says more of a unit or terrain."""
    units = [drawn for each in field.on_table() for drawn in _units(each, active, chosen, about.get(each.name, ""))]
    if not units:
        return None
    drawn_shapes: list[picture.Thing] = [*_zones(field), *_terrain(field, about), *_objectives(field, scores), *units]
    drawn_shapes += _reaches(field, chosen) if chosen is not None else ()
    says = chosen.says if chosen is not None else ""
    return picture.Picture(
        title, tuple(drawn_shapes), field.board, whole=field.board is not None, says=says, unit=field.unit
    )


def _units(
    position: Position, active: str, chosen: Chosen | None, about: str
) -> Iterable[picture.Figure | picture.Machine]:
    """Draw a unit: the chosen one can be dragged, the others tapped as its target."""
    tone: picture.Tone = "acts" if position.side == active else "target"
    for drawn in picture.standing(position.name, position.side, position.footprints, tone, about):
        if chosen is None:
            yield drawn
        elif position.name == chosen.unit:
            yield replace(drawn, drag=("x", "y"))
        else:
            chance = dict(chosen.odds).get(position.name)
            tap = {"tap": f"target={position.name}"} if isinstance(drawn, picture.Figure) else {}
            yield replace(drawn, chance=chance, **tap)


def _terrain(field: Battlefield[Any], about: Mapping[str, str]) -> Iterable[picture.Ground]:
    return (
        picture.lying(piece.name, piece.shape, about.get(piece.name, plain(piece.kind))) for piece in field.laid_terrain
    )


def _zones(field: Battlefield[Any]) -> Iterable[picture.Ground]:
    return (picture.Ground(zone.area.outline, name=f"zone of {zone.side}", tone="plain") for zone in field.zones)


def _objectives(field: Battlefield[Any], scores: Callable[[Position], bool]) -> Iterable[picture.Marker]:
    for objective in field.objectives:
        side = holder(field, objective, scores)
        held = f"held by {side}" if side else ""
        yield picture.Marker(Base(objective.at, objective.reach), objective.name, "around", about=held, hole=True)


def _reaches(field: Battlefield[Any], chosen: Chosen) -> Iterable[picture.Ring | picture.Arc]:
    """Draw how far the first model of the chosen unit reaches: a ring, or the slice of a mounted weapon."""
    if not chosen.reaches:  # such as of several units together
        return
    position = field.position(chosen.unit)
    for reach in chosen.reaches:
        if reach.mount is not None and position.hulls:
            hull = position.hulls[0]
            start, end = hull.heading + reach.mount.lo, hull.heading + reach.mount.hi
            yield picture.Arc(Base(muzzle(hull, reach.mount), reach.inches), start, end, reach.name)
        elif position.footprints:
            yield picture.Ring(Base(position.footprints[0].centre, reach.inches), reach.name, "acts")
