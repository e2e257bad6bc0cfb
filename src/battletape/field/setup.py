"""Setting up: placements as players write them, formations, zones, edges, and what a start has to keep to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar

from battletape.cards import Inputs, asked
from battletape.field.score import MISSIONS, mission, objectives_of
from battletape.field.state import EDGES, Battlefield, Edge, Footprint, Objective, Position, TerrainPiece, Zone
from battletape.rulebook import BadInput, Meta
from battletape.table.areas import Area, is_inside, rectangle, rim_gap
from battletape.table.bases import Base
from battletape.table.board import Board, is_on_board
from battletape.table.distances import overlaps
from battletape.table.formations import formation
from battletape.table.hulls import Hull, corners, footprint
from battletape.table.points import TOLERANCE, Placed, Point, step, wrap

T = TypeVar("T", bound=TerrainPiece)

Place: TypeAlias = Annotated[float, Meta(ge=-240, le=240, extra={"unit": "inches"})]
Heading: TypeAlias = Annotated[float, Meta(ge=0, le=360, extra={"unit": "degrees"})]
Formation: TypeAlias = Literal["block", "rings", "line", "ranks", "cluster", "ring"]
SPACING = 0.5  # inches between two bases of a block
HAIR = 1e-5  # inches by which rounded places may be nearer; bases that touch stand so far apart
Seen: TypeAlias = Literal["own", "left", "right", "far"]
"""An edge as the owner of a unit sees it from the seat at the own edge."""


class Spot(Inputs, frozen=True):
    """A place on the table: inches east and north of its south-west corner."""

    x: Place = 0.0
    y: Place = 0.0


class Placement(Inputs, frozen=True):
    """A place for a unit: x and y are the middle of its formation, of its front rank in a block, or its first model.

    Each model may have a place of its own instead. Without any place players say what a board would show.
    """

    unwritten: ClassVar[tuple[str, ...]] = ("x", "y", "heading", "formation", "spacing", "abreast", "spots")

    x: Place | None = asked(None, "East", unit="inches")
    y: Place | None = asked(None, "North", unit="inches")
    heading: Heading = 0.0
    formation: Formation = asked("block", "How its models stand")
    spacing: float = asked(SPACING, "Inches between two bases", ge=0, le=6)
    abreast: int = asked(5, "Models in a rank of a block", ge=1, le=100)
    spots: tuple[Spot, ...] = asked((), "A place for each model")


class ObjectiveStart(Inputs, frozen=True):
    """A point to hold; without a name it is numbered."""

    name: str = ""
    x: Place = 0.0
    y: Place = 0.0
    reach: float = asked(3.0, "Held within", unit="inches", ge=0, le=60)
    worth: int = asked(1, "Worth", ge=0, le=100)


class MissionStart(Inputs, frozen=True):
    """What a game is about: its mission, its objectives, and how many turns it lasts."""

    unwritten: ClassVar[tuple[str, ...]] = ("mission", "objectives", "turns")

    mission: str = asked(
        "", "Mission", note=f"one of {', '.join(mission.name for mission in MISSIONS)}; empty for none"
    )
    objectives: tuple[ObjectiveStart, ...] = asked((), "Points to hold, instead of those of the mission")
    turns: int = asked(0, "Turns of the game", about="(0 = as many as the rules have)", ge=0, le=100)


class TableStart(MissionStart, frozen=True):
    """A table with edges, with deployment zones along those of the sides, and a mission."""

    unwritten: ClassVar = ("width", "depth", "zone", *MissionStart.unwritten)

    width: float = asked(72.0, "Width of the table", ge=12, le=240)
    depth: float = asked(48.0, "Depth of the table", ge=12, le=240)
    zone: float = asked(0.0, "Depth of the deployment zones", about="(0 = none)", unit="inches", ge=0, le=60)


def lay_out(
    start: TableStart,
    sides: Sequence[str],
    positions: Iterable[Position],
    terrain: Iterable[T],
    cover_is: Literal["save", "bonus"] = "save",
) -> Battlefield[T]:
    """Return the field of a start: its table with zones and objectives, and everything that stands and lies on it."""
    board = Board(start.width, start.depth)
    return Battlefield(
        sides=tuple(sides),
        positions=tuple(positions),
        terrain=tuple(terrain),
        board=board,
        zones=edge_zones(sides, board, start.zone) if start.zone else (),
        objectives=start_objectives(start, board),
        cover_is=cover_is,
    )


def start_objectives(start: MissionStart, board: Board | None) -> tuple[Objective, ...]:
    """Return the objectives of a start, else those of its mission on this table; refuse an unknown mission."""
    planned = mission(start.mission) if start.mission else None
    objectives = tuple(
        Objective(each.name or f"Objective {number}", Point(each.x, each.y), each.reach, each.worth)
        for number, each in enumerate(start.objectives, 1)
    )
    if not objectives and planned is not None and board is not None:
        objectives = objectives_of(planned, board)
    check_names("objective", [each.name for each in objectives])
    for each in objectives:
        if board is not None and not is_on_board(board, Base(each.at, 0.0)):
            raise BadInput(f"{each.name} does not lie on the table.", field="objectives")
    return objectives


def point_of(placement: Placement) -> Point | None:
    """Return the place of a placement, if both numbers are known."""
    return None if placement.x is None or placement.y is None else Point(placement.x, placement.y)


def points_of(spots: Iterable[Placed]) -> tuple[Point, ...]:
    """Return places as points."""
    return tuple(Point(spot.x, spot.y) for spot in spots)


# --- formations -------------------------------------------------------------------------------------------------------


def arranged(placement: Placement, count: int, radius: float) -> tuple[Base, ...]:
    """Return the models of a unit as it is set up; none without a place."""
    if placement.spots:
        return single_places(placement.spots, count, radius)
    at, spacing = point_of(placement), placement.spacing
    if at is None or not count:
        return ()
    if placement.formation == "block":
        return block(at, placement.heading, count, placement.abreast, radius, spacing)
    if placement.formation == "rings":
        return rings(at, count, radius, spacing)
    places = formation(placement.formation, count, at, spacing=spacing, facing=placement.heading, base=2 * radius)
    return tuple(Base(place, radius) for place in places)


def block(
    front: Point, heading: float, count: int, abreast: int, radius: float, spacing: float = SPACING
) -> tuple[Base, ...]:
    """Return models in ranks one behind the other, with the middle of the first rank at a point."""
    apart = 2 * radius + max(spacing, HAIR)
    right, back = wrap(heading + 90), wrap(heading + 180)
    placed = []
    for at in range(count):
        rank, file = divmod(at, abreast)
        in_rank = min(abreast, count - rank * abreast)
        spot = step(step(front, back, rank * apart), right, (file - (in_rank - 1) / 2) * apart)
        placed.append(Base(Point(round(spot.x, 6), round(spot.y, 6)), radius))
    return tuple(placed)


def rings(at: Point, count: int, radius: float, spacing: float = 0.0) -> tuple[Base, ...]:
    """Return models in circles around the first one, at a point."""
    placed = [Base(at, radius)]
    ring = 1
    while len(placed) < count:
        places = 6 * ring
        in_ring = min(places, count - len(placed))
        apart = (2 * radius + spacing) * ring
        placed += [Base(step(at, 360 * place / places, apart), radius) for place in range(in_ring)]
        ring += 1
    return tuple(placed[:count])


def single_places(spots: Sequence[Placed], count: int, radius: float) -> tuple[Base, ...]:
    """Return models at a place each; there must be one for every model."""
    if len(spots) != count:
        raise BadInput(
            f"spots must name a place for every model: there are {count}, and {len(spots)} spots.", field="spots"
        )
    return tuple(Base(point, radius) for point in points_of(spots))


# --- what a start has to keep to --------------------------------------------------------------------------------------


def check_sides(names: Sequence[str], most: int | None = None) -> tuple[str, ...]:
    """Return the names of the sides; refuse fewer than two, more than `most`, and names that are empty or shared."""
    if len(names) < 2 or (most is not None and len(names) > most):
        wanted = "two sides" if most == 2 else "two sides or more"
        raise BadInput(f"a battle needs {wanted}; got {len(names)}.", field="sides")
    if not all(names):
        raise BadInput("a side needs a name.", field="sides")
    check_names("side", names)
    return tuple(names)


def check_names(what: str, names: Sequence[str]) -> None:
    """Refuse names that are used twice, for actions go by name."""
    known = set[str]()
    for name in names:
        if name.lower() in known:
            raise BadInput(f"every {what} needs a name of its own; {name!r} is used twice.", field="name")
        known.add(name.lower())


def check_outline(corners: Sequence[Point], radius: float, needed: bool = True) -> None:
    """Refuse terrain whose outline holds no ground."""
    if len(corners) > 2:
        Area(tuple(corners))
    elif not (len(corners) == 1 and radius) and (corners or needed):
        ways = "three corners or more, or one and a radius"
        raise BadInput(f"a piece of terrain needs {ways}{'' if needed else ', or no outline'}.", field="corners")


def check_places(field: Battlefield[Any], crowded: bool = False, cites: str = "", impassable: bool = True) -> None:
    """Refuse a start with units beyond the edge, on one another, in impassable terrain or outside their zones.

    Where they may be `crowded`, several may stand on the same ground; with impassable=False they may stand in such
    terrain, as skimmers do. `cites` is the clause of the system for it.
    """
    placed = [(position, each) for position in field.on_table() for each in position.footprints]
    for position, each in placed:
        if not field.is_on_board(each):
            raise BadInput(f"{position.name} does not stand wholly on the table.", field="x", clause=cites)
        for piece in field.laid_terrain if impassable else ():
            if piece.is_impassable and overlaps(each, piece.shape):
                raise BadInput(f"{position.name} stands in {piece.name}, which is impassable.", field="x", clause=cites)
    for (position, each), (other, its) in () if crowded else combinations(placed, 2):
        if overlaps(each, its):
            raise BadInput(f"{position.name} and {other.name} stand on the same ground.", field="x", clause=cites)
    for position in field.on_table():
        if not is_deployed(field, position):
            raise BadInput(
                f"{position.name} stands outside the deployment zone of {position.side}.", field="x", clause=cites
            )


# --- zones and edges --------------------------------------------------------------------------------------------------


def edge_zones(sides: Sequence[str], board: Board, depth: float) -> tuple[Zone, ...]:
    """Return a deployment zone along the home edge of each side, that of the first in the south."""
    return tuple(Zone(side, _strip(board, edge, depth)) for side, edge in zip(sides, EDGES, strict=False))


def _strip(board: Board, edge: Edge, depth: float) -> Area:
    """Return the ground along an edge of the table."""
    west = max(0.0, board.width - depth) if edge == "east" else 0.0
    south = max(0.0, board.depth - depth) if edge == "north" else 0.0
    east = min(depth, board.width) if edge == "west" else board.width
    north = min(depth, board.depth) if edge == "south" else board.depth
    return rectangle(west, south, east, north)


def is_deployed(field: Battlefield[Any], position: Position) -> bool:
    """Return whether a unit stands wholly in the zones of its side; without zones it may stand anywhere."""
    areas = [zone.area for zone in field.zones if zone.side == position.side]
    return not areas or all(any(is_wholly_in(each, area) for area in areas) for each in position.footprints)


def is_wholly_in(each: Footprint, area: Area) -> bool:
    """Return whether no part of a footprint lies outside an area."""
    rim = area.outline
    if isinstance(each, Hull):
        return all(is_inside(area, corner) for corner in corners(each)) and not any(
            is_inside(footprint(each), corner, rim=False) for corner in rim
        )
    return is_inside(area, each.centre) and rim_gap(rim, each.centre) >= each.radius - TOLERANCE


def edge_seen(field: Battlefield[Any], side: str, seen: Seen) -> Edge:
    """Return the edge that a side calls its own, left, right or far one from its own seat."""
    home = field.home_edge(side)
    turn = {"own": 180, "left": 270, "right": 90, "far": 0}[seen]
    return BY_BEARING[(inward(home) + turn) % 360]


def inward(edge: Edge) -> int:
    """Return the bearing from an edge onto the table."""
    return {"south": 0, "west": 90, "north": 180, "east": 270}[edge]


BY_BEARING: dict[int, Edge] = {0: "north", 90: "east", 180: "south", 270: "west"}


def point_at_edge(board: Board, edge: Edge, along: float, inches: float) -> Point:
    """Return the point so many inches from an edge, and so far along it from the west or south."""
    if edge in ("south", "north"):
        return Point(along, inches if edge == "south" else board.depth - inches)
    return Point(inches if edge == "west" else board.width - inches, along)


def inches_from_edge(board: Board, edge: Edge, point: Placed) -> float:
    """Return how far a place is from an edge of the table."""
    return {"south": point.y, "north": board.depth - point.y, "west": point.x, "east": board.width - point.x}[edge]
