"""Setting up: places as players write them, formations with spacing, terrain, zones, and what a start must keep to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta

from battletape.errors import BadInput
from battletape.field.state import Field, Stand, Zone
from battletape.inputs import Inputs
from battletape.table.areas import Area, rectangle
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import overlaps
from battletape.table.formations import formation
from battletape.table.points import Point

Place = Annotated[float, Meta(ge=-240, le=240, extra={"unit": "inches"})]
Heading = Annotated[float, Meta(ge=0, le=360, extra={"unit": "degrees"})]
Shape: TypeAlias = Literal["line", "ranks", "cluster", "ring"]


class Spot(Inputs, frozen=True):
    """A place on the table: inches east and north of its south-west corner."""

    x: Place = 0.0
    y: Place = 0.0


class Placement(Inputs, frozen=True):
    """A place for a unit: the middle of its formation; without x and y the unit has none."""

    unwritten: ClassVar[frozenset[str]] = frozenset({"x", "y", "heading", "formation", "spacing"})

    x: Place | None = None
    y: Place | None = None
    heading: Heading = 0.0
    formation: Annotated[Shape, Meta(title="How its models stand")] = "ranks"
    spacing: Annotated[float, Meta(title="Inches between two bases", ge=0, le=6)] = 0.5


def spots(given: Iterable[Any]) -> tuple[Point, ...]:
    """Places as points."""
    return tuple(Point(spot.x, spot.y) for spot in given)


def arranged(placing: Placement, count: int, radius: float) -> tuple[Base, ...]:
    """The models of a unit as it is set up; none without a place."""
    if placing.x is None or placing.y is None:
        return ()
    at = Point(placing.x, placing.y)
    places = formation(placing.formation, count, at, spacing=placing.spacing, facing=placing.heading, base=2 * radius)
    return tuple(Base(place, radius) for place in places)


def check_outline(corners: Sequence[Point], radius: float, needed: bool = True) -> None:
    """An outline around nothing is refused at the start and not in the middle of a battle."""
    if len(corners) > 2:
        Area(tuple(corners))
    elif not (len(corners) == 1 and radius) and (corners or needed):
        ways = (
            "three corners or more, or one and a radius" if needed else "three corners or more, one corner and a radius"
        )
        raise BadInput(f"a piece of ground needs {ways}{'' if needed else ', or no outline'}.", field="grounds")


def two_sides(names: Sequence[str]) -> tuple[str, str]:
    """The names of the two sides, the first to play first."""
    if len(names) != 2:
        raise BadInput(f"a battle needs two sides; got {len(names)}.", field="sides")
    first, second = names
    if not first or not second or first.lower() == second.lower():
        raise BadInput("the two sides need names of their own.", field="sides")
    return first, second


def check_names(names: Iterable[str]) -> None:
    """Actions go by name."""
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            raise BadInput(f"every unit needs a name of its own; {name.lower()!r} is given twice.", field="name")
        seen.add(name.lower())


def check_places(field: Field[Any]) -> None:
    """Everything stands wholly on the table, and nothing on anything else."""
    placed = [(stand, thing) for stand in field.on_table() for thing in stand.footprints]
    for stand, thing in placed:
        if not field.is_on(thing):
            raise BadInput(f"{stand.name} does not stand wholly on the table.", field="x")
    for (stand, thing), (other, its) in combinations(placed, 2):
        if overlaps(thing, its):
            raise BadInput(f"{stand.name} and {other.name} stand on the same ground.", field="x")


def edge_zones(sides: Sequence[str], board: Board, depth: float) -> tuple[Zone, Zone]:
    """A deployment zone along each long edge, the first side's in the south."""
    south = rectangle(0, 0, board.width, depth)
    north = rectangle(0, board.depth - depth, board.width, board.depth)
    return Zone(sides[0], south), Zone(sides[1], north)


def outside_zone(field: Field[Any], stand: Stand) -> bool:
    """Whether a unit is set up beyond its side's zones; a field without zones has room everywhere."""
    areas = [zone.area for zone in field.zones if zone.side == stand.side]
    return bool(areas) and not all(any(_within(thing, area) for area in areas) for thing in stand.footprints)


def _within(thing: Any, area: Area) -> bool:
    xs, ys = [corner.x for corner in area.outline], [corner.y for corner in area.outline]
    inner = Board(max(xs) - min(xs), max(ys) - min(ys))
    moved = Point(thing.centre.x - min(xs), thing.centre.y - min(ys))
    return Field(sides=(), board=inner).is_on(type(thing)(moved, *_rest(thing)))


def _rest(thing: Any) -> tuple[float, ...]:
    return (thing.radius,) if isinstance(thing, Base) else (thing.heading, thing.length, thing.width)
