"""Moves on a board and without one: how far, through which terrain, and whether there is room at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.diceless40k.battle.start import Inches, Spot
from battletape.rulesets.diceless40k.battle.state import Ground, State, Unitlike, things_of
from battletape.rulesets.diceless40k.rules.movement import Path
from battletape.table.areas import is_inside
from battletape.table.bases import Base
from battletape.table.board import is_on_board
from battletape.table.distances import Thing, closer_than, overlaps
from battletape.table.paths import inches_inside, path_length, spans_along
from battletape.table.points import TOLERANCE, Point
from battletape.words import inches as told_inches

CLEAR_OF_ENEMIES = 1  # inch


class MoveOrder(Inputs, frozen=True):
    """How far somebody moves: by a path on the board, or by inches and the terrain among them."""

    path: Annotated[tuple[Spot, ...], Meta(title="Where the first model, or the middle of the hull, goes")] = ()
    inches: Inches = 0.0
    terrain: Annotated[str, Meta(title="Terrain on the way, where there is no board")] = ""
    inside: Annotated[Inches, Meta(title="Inches of the move in it")] = 0.0
    starts: Annotated[bool, Meta(title="It starts in that terrain", extra={"clause": "DL-57.1"})] = False
    ends: Annotated[bool, Meta(title="It ends in that terrain", extra={"clause": "DL-57.1"})] = False


class Crossing(Struct, frozen=True, cache_hash=True):
    """Terrain that a move goes through: how far, and whether it starts or ends there."""

    ground: str
    inches: float
    starts: bool = False
    ends: bool = False


class Way(Struct, frozen=True, cache_hash=True):
    """A move: its length, its pieces by ground, the terrain it goes through, and its last point on the board."""

    inches: float
    pieces: Path
    crossings: tuple[Crossing, ...] = ()
    points: tuple[Point, ...] = ()  # from where it starts


@clause("DL-14.1", "DL-0.1")
def way_of(state: State, unit: Unitlike, order: MoveOrder) -> Way | Refused:
    """The way of a move, or why it cannot be told."""
    start = next((thing.centre for thing in things_of(unit) if not isinstance(thing, Point)), None)  # type: ignore[union-attr]
    if order.path:
        if start is None:
            return Refused(f"{unit.name} has no place on the board; say inches=… instead of a path", "DL-0.1", "path")
        return _on_board(state, (start, *(Point(spot.x, spot.y) for spot in order.path)))
    if start is not None and order.inches:
        return Refused(f"{unit.name} stands on the board; say where it goes, path=…", "DL-0.1", "path")
    if order.inside > order.inches + TOLERANCE:
        reason = f"{told_inches(order.inside)} of a move of {told_inches(order.inches)} cannot be in terrain"
        return Refused(reason, "DL-14.1", "distance")
    pieces: Path = (("open", order.inches - order.inside), ("difficult", order.inside))
    if not order.terrain:
        return Way(order.inches, pieces)
    ground = state.ground(order.terrain)
    if ground.impassable:
        return Refused(f"{ground.name} is impassable", "DL-0.1", "impassable")
    crossing = Crossing(ground.name, order.inside, order.starts, order.ends)
    return Way(order.inches, pieces if ground.difficult else (("open", order.inches),), (crossing,))


def _on_board(state: State, points: Sequence[Point]) -> Way | Refused:
    """A way over the board, with every piece of terrain under it."""
    length = path_length(points)
    crossings, slow = [], []
    for ground in state.grounds:
        shape = ground.shape
        if shape is None:
            continue
        inside = inches_inside(spans_along(points, (shape,)))
        ends = is_inside(shape, points[-1])
        if ground.impassable and (inside > TOLERANCE or ends):
            return Refused(f"{ground.name} is impassable", "DL-0.1", "impassable")
        if inside > TOLERANCE:
            crossings.append(Crossing(ground.name, inside, is_inside(shape, points[0]), ends))
            slow += [shape] if ground.difficult else []
    pieces: list[tuple[str, float]] = []
    at = 0.0
    for begin, end in spans_along(points, slow) if slow else ():
        pieces += [("open", begin - at), ("difficult", end - begin)]
        at = end
    pieces.append(("open", length - at))
    return Way(length, tuple(pieces), tuple(crossings), tuple(points))  # type: ignore[arg-type]


def moved_by(bases: Sequence[Base], way: Way) -> tuple[Base, ...]:
    """Models in the same formation at the end of a way."""
    if not way.points or not bases:
        return tuple(bases)
    east, north = way.points[-1].x - way.points[0].x, way.points[-1].y - way.points[0].y
    return tuple(Base(Point(base.centre.x + east, base.centre.y + north), base.radius) for base in bases)


def crosses(base: Base, way: Way, ground: Ground) -> bool:
    """Whether a model of the formation comes through terrain on its own way."""
    shape = ground.shape
    if shape is None or not way.points:
        return True
    east, north = base.centre.x - way.points[0].x, base.centre.y - way.points[0].y
    own = tuple(Point(point.x + east, point.y + north) for point in way.points)
    return inches_inside(spans_along(own, (shape,))) > TOLERANCE or is_inside(shape, own[-1])


@clause("DL-0.1")
def refuse_place(state: State, unit: Unitlike, things: Sequence[Thing], *but: str) -> Refused | None:
    """Why a unit may not stand there: off the table, on somebody, or within an inch of an enemy."""
    if not things:
        return None
    if state.board is not None and not all(is_on_board(state.board, thing) for thing in things):
        return Refused(f"{unit.name} would leave the table", "DL-0.1", "edge")
    for other in state.on_table("", unit.name, *but):
        standing = things_of(other)
        if other.side != unit.side and any(closer_than(thing, standing, CLEAR_OF_ENEMIES) for thing in things):
            return Refused(f"{unit.name} would come within an inch of {other.name}", "DL-0.1", "enemy")
        if any(overlaps(thing, there) for thing in things for there in standing):
            return Refused(f"{unit.name} would stand on {other.name}", "DL-0.1", "model")
    return None
