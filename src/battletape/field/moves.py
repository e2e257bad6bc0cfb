"""Moves: the paths of everything that moves together, the terrain on them, what bars them, and room at their end.

    paths = straight_paths(footprints, bearing, 6)               # or in_formation, paths_towards, separate_paths, …
    barred(field, footprints, paths, side, name) or room(field, ends_of(footprints, paths), side, name)

What is in the way is returned as an `Obstacle`; a ruleset refuses it in its own words, with its clause.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from math import ceil
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from battletape.errors import Refused, by_name
from battletape.field.boxes import Box, box_of, box_of_points, half_diagonal, meet
from battletape.field.setup import Placement, arranged, inward, is_deployed, point_at_edge, rings
from battletape.field.state import Battlefield, Footprint, Objective, Position, TerrainPiece
from battletape.rulebook import State, replace
from battletape.table.areas import Area, Spans, edges, is_inside, rectangle
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import (
    closer_than,
    gap,
    inner_point,
    is_coherent,
    is_within,
    nearest_point,
    outline,
    overlaps,
)
from battletape.table.hulls import Hull, in_frame
from battletape.table.paths import arrived, base_spans_along, hull_spans_along, inches_inside, path_length, spans_along
from battletape.table.points import TOLERANCE, Point, apart, bearing, nearest_on_segment, segment_gap, step, towards
from battletape.table.sweeps import contact_spans

Path: TypeAlias = tuple[Point, ...]
"""Where one base or hull goes, from where its middle is."""
T = TypeVar("T", bound=TerrainPiece)
By: TypeAlias = Literal["middles", "bases"]
"""What counts as going through terrain: the middle of a model, or any part of its base."""
ASIDE = (0, *(sign * turn for turn in range(10, 90, 10) for sign in (1, -1)))
"""Degrees by which a unit that falls back goes round others."""
OUTSIDE = 60.0  # inches that the ground beyond the edges reaches
HOME_ROWS = (6.0, 3.0, 1.5)  # inches from its edge at which a unit is set up
CROWD = 400  # places that are tried for models that stand as near to a point as they can


class Crossing(State, Generic[T], frozen=True):
    """Terrain on the way: the stretches of each path in it, and which paths start or end there."""

    terrain: T
    spans: tuple[Spans, ...]
    starts: tuple[bool, ...]
    ends: tuple[bool, ...]

    @property
    def inches(self) -> float:
        """The inches of the longest way through it."""
        return max(map(inches_inside, self.spans))

    @property
    def crossed_by(self) -> tuple[int, ...]:
        """The numbers of the footprints that go through it."""
        return tuple(at for at, spans in enumerate(self.spans) if inches_inside(spans) > TOLERANCE)


class Obstacle(State, frozen=True):
    """What is in the way of a move or a set-up."""

    by: Literal["edge", "model", "enemy", "terrain", "own", "coherency"]
    name: str = ""  # of the unit or terrain
    at: int = 0  # the number of the footprint that cannot stand or go there
    count: int = 1  # of the models that are too near


# --- paths ------------------------------------------------------------------------------------------------------------


def in_formation(footprints: Sequence[Footprint], goals: Sequence[Point]) -> tuple[Path, ...]:
    """Return the paths of a formation whose first model goes from goal to goal."""
    start = footprints[0].centre
    aside = [(each.centre.x - start.x, each.centre.y - start.y) for each in footprints]  # so the first arrives exactly
    return tuple(
        (each.centre, *(Point(goal.x + east, goal.y + north) for goal in goals))
        for each, (east, north) in zip(footprints, aside, strict=True)
    )


def straight_paths(footprints: Sequence[Footprint], heading: float, inches: float) -> tuple[Path, ...]:
    """Return the paths of a formation that goes straight on."""
    return tuple((each.centre, step(each.centre, heading, inches)) for each in footprints)


def separate_paths(footprints: Sequence[Footprint], goals: Sequence[Point]) -> tuple[Path, ...]:
    """Return the paths of models that each go straight to a place of their own."""
    return tuple((each.centre, goal) for each, goal in zip(footprints, goals, strict=True))


def paths_to(footprints: Sequence[Footprint], goal: Point, inches: float) -> tuple[Path, ...]:
    """Return the paths of a formation whose first model goes towards a goal, as far as these inches."""
    return in_formation(footprints, (towards(footprints[0].centre, goal, inches),))


def paths_towards(
    footprints: Sequence[Footprint], others: Sequence[Footprint | Area], inches: float
) -> tuple[Path, ...]:
    """Return the paths of a formation that goes at the nearest of others, at most until the two touch."""
    mover, target = min(((a, b) for a in footprints for b in others), key=lambda pair: gap(*pair))
    goal = nearest_point(mover.centre, target) if isinstance(mover, Base) or isinstance(target, Area) else target.centre
    if apart(mover.centre, goal) <= TOLERANCE:
        return straight_paths(footprints, 0.0, 0.0)
    return straight_paths(footprints, bearing(mover.centre, goal), min(inches, gap(mover, target)))


def paths_away(footprints: Sequence[Footprint], danger: Point, inches: float) -> tuple[Path, ...]:
    """Return the paths of a formation that goes straight away from a place; from that very place to the north."""
    start = footprints[0].centre
    return straight_paths(footprints, 0.0 if start == danger else bearing(danger, start), inches)


class Destination(State, frozen=True):
    """What a move goes towards: a unit or impassable terrain until it touches it, else the middle of a place."""

    name: str
    shapes: tuple[Footprint | Area, ...]
    middle: Point | None = None  # where the middle of the unit ends: of terrain that it may enter, or an objective

    def inches_from(self, footprints: Sequence[Footprint]) -> float:
        """Return how far footprints have to go until they are there."""
        if self.middle is not None:
            return apart(middle_of(footprints), self.middle)
        return min(gap(each, shape) for each in footprints for shape in self.shapes)

    def paths_from(self, footprints: Sequence[Footprint], inches: float) -> tuple[Path, ...]:
        """Return the paths of a formation that goes there straight, as far as these inches."""
        if self.middle is None:
            return paths_towards(footprints, self.shapes, inches)
        start = middle_of(footprints)
        way = apart(start, self.middle)
        heading = 0.0 if way <= TOLERANCE else bearing(start, self.middle)
        return straight_paths(footprints, heading, min(inches, way))


def destination(field: Battlefield[Any], name: str, cites: str = "") -> Destination:
    """Return what a move towards or into a unit, a piece of terrain or an objective goes to, by its name in any case.

    Raise UnknownName with the nearest name, and Refused with this clause for what has no place on the table.
    """
    known = (*field.positions, *field.terrain, *field.objectives)
    goal = by_name("unit, terrain or objective", name, known)
    if isinstance(goal, Objective):
        return Destination(goal.name, (Base(goal.at, 0.0),), goal.at)
    if isinstance(goal, Position):
        shapes: tuple[Footprint | Area, ...] = field.measured_from(goal.name).footprints
        middle = None
    else:
        shapes = (goal.shape,) if goal.corners else ()
        middle = _inner_point(goal.shape) if shapes and not goal.is_impassable else None
    if not shapes:
        raise Refused(f"{goal.name} has no place on the table", cites, "place")
    return Destination(goal.name, shapes, middle)


def _inner_point(shape: Area | Base) -> Point:
    return shape.centre if isinstance(shape, Base) else inner_point(shape)


def middle_of(footprints: Sequence[Footprint]) -> Point:
    """Return the middle of a formation: the mean of the middles of its models."""
    centres = [each.centre for each in footprints]
    return Point(sum(at.x for at in centres) / len(centres), sum(at.y for at in centres) / len(centres))


@lru_cache(512)  # asked before a move, and then for it
def ends_of(
    footprints: tuple[Footprint, ...], paths: tuple[Path, ...], inches: float | None = None
) -> tuple[Footprint, ...]:
    """Return footprints at the end of their paths, or after so many inches of them."""
    ends = [path[-1] if inches is None else _point_along(path, inches) for path in paths]
    return tuple([replace(each, centre=end) for each, end in zip(footprints, ends, strict=True)])


def _point_along(path: Path, inches: float) -> Point:
    for here, goal in pairwise(path):
        way = apart(here, goal)
        if way >= inches:
            return towards(here, goal, inches)
        inches -= way
    return path[-1]


def longest(paths: Iterable[Path]) -> float:
    """Return the inches of the longest path."""
    return max(map(path_length, paths), default=0.0)


def farthest(inches: float, refused: Callable[[float], Any], grain: float = 1.0) -> float:
    """Return the longest way up to these inches that is not refused, in whole grains; 0 if there is none."""
    while inches > TOLERANCE:
        if not refused(inches):
            return inches
        inches = (ceil(inches / grain - TOLERANCE) - 1) * grain
    return 0.0


# --- terrain on the way -----------------------------------------------------------------------------------------------


def crossings(
    field: Battlefield[T], footprints: Sequence[Footprint], paths: Sequence[Path], by: By
) -> tuple[Crossing[T], ...]:
    """Return the terrain that any of the paths starts in, goes through or ends in, in the order of the field."""
    return _crossings(field.laid_terrain, tuple(footprints), tuple(paths), by)


@lru_cache(512)
def _crossings(
    terrain: tuple[T, ...], footprints: tuple[Footprint, ...], paths: tuple[Path, ...], by: By
) -> tuple[Crossing[T], ...]:
    around, found = box_of_paths(footprints, paths, by), []
    for piece in terrain:
        shape = piece.shape
        if not meet(around, box_of((shape,))):
            continue
        spans = tuple(_spans(each, path, shape, by) for each, path in zip(footprints, paths, strict=True))
        starts = tuple(_is_in(each, path[0], shape, by) for each, path in zip(footprints, paths, strict=True))
        arriving = (_arrived(each, path) for each, path in zip(footprints, paths, strict=True))
        ends = tuple(_is_in(each, each.centre, shape, by) for each in arriving)
        if any(map(inches_inside, spans)) or any(starts) or any(ends):
            found.append(Crossing(piece, spans, starts, ends))
    return tuple(found)


def _is_in(footprint: Footprint, middle: Point, shape: Area | Base, by: By) -> bool:
    """Return whether a footprint, or its middle, is in terrain."""
    return is_inside(shape, middle) if by == "middles" else overlaps(footprint, shape)


def _arrived(footprint: Footprint, path: Path) -> Footprint:
    """Return a footprint at the end of its path; a hull is turned as it drove."""
    return arrived(footprint, path[1:]) if isinstance(footprint, Hull) else replace(footprint, centre=path[-1])


def _spans(footprint: Footprint, path: Path, shape: Area | Base, by: By) -> Spans:
    """Return the stretches of a path that lie on a piece of terrain."""
    if by == "middles":
        return spans_along(path, (shape,))
    if path_length(path) <= TOLERANCE:
        return ()
    if isinstance(footprint, Base):
        return base_spans_along(footprint, path[1:], (shape,))
    return hull_spans_along(footprint, path[1:], (shape,))


def box_of_paths(footprints: Sequence[Footprint], paths: Sequence[Path], by: By = "bases") -> Box:
    """Return the box of everything that footprints may touch on their paths."""
    margin = 0.0 if by == "middles" else max(map(_reach, footprints))
    return box_of_points((point for path in paths for point in path), margin)


def _reach(footprint: Footprint) -> float:
    return footprint.radius if isinstance(footprint, Base) else half_diagonal(footprint)


# --- what bars the way ------------------------------------------------------------------------------------------------


def barred(
    field: Battlefield[Any],
    footprints: Sequence[Footprint],
    paths: Sequence[Path],
    side: str,
    *but: str,
    clear: float | None = 1.0,
    by: By | None = None,
) -> Obstacle | None:
    """Find what stands in the way: hulls, and enemies nearer than `clear` inches (None: their models may be passed).

    Enemies nearer than that at the start may be left, but not gone through. With `by`, impassable terrain bars as well.
    """
    if by is not None and any(piece.is_impassable for piece in field.terrain):
        for crossing in crossings(field, footprints, paths, by):
            if crossing.terrain.is_impassable and crossing.crossed_by:
                return Obstacle("terrain", crossing.terrain.name, crossing.crossed_by[0])
    barring = [
        position
        for position in field.on_table(*but)
        if not (position.bases and (clear is None or position.side == side))  # those models may be passed
    ]
    if not barring:
        return None
    around = box_of_paths(footprints, paths)
    for position in barring:
        friend = position.side == side
        keep = 0.0 if friend or clear is None else clear
        others = position.footprints
        if not meet(around, box_of(others), keep):
            continue
        for at, (each, path) in enumerate(zip(footprints, paths, strict=True)):
            if any(comes_near(each, path, other, keep) for other in others):
                return Obstacle("model" if friend else "enemy", position.name, at)
    return None


def comes_near(footprint: Footprint, path: Path, other: Footprint, clear: float = 0.0) -> bool:
    """Return whether a path leads through another footprint or nearer to it than this; hulls turn into each leg."""
    legs = [(start, end) for start, end in pairwise(path) if apart(start, end) > TOLERANCE]
    if isinstance(footprint, Base):
        reach = footprint.radius + (0 if closer_than(footprint, (other,), clear) else clear)
        return any(_gap_to_leg(start, end, other) < reach - TOLERANCE for start, end in legs)
    for start, end in legs:
        turned = replace(footprint, centre=start, heading=bearing(start, end))
        near = bool(closer_than(turned, (other,), clear))
        met = contact_spans(turned, apart(start, end), other, 0 if near else clear)
        behind = near and in_frame(turned, other.centre)[0] <= 0  # touched only because it turns
        if any(begin > TOLERANCE or not behind for begin, _ in met):
            return True
    return False


def _gap_to_leg(start: Point, end: Point, footprint: Footprint) -> float:
    """Return the inches between a straight leg and a rim."""
    if isinstance(footprint, Base):
        return apart(nearest_on_segment(footprint.centre, start, end), footprint.centre) - footprint.radius
    rim = outline(footprint)
    return 0.0 if is_inside(Area(rim), start) else min(segment_gap(start, end, *edge) for edge in edges(rim))


def run_into(
    field: Battlefield[Any], footprints: Sequence[Footprint], paths: Sequence[Path], *but: str
) -> tuple[Position, ...]:
    """Return every unit that a move leads through, such as those a tank shock meets."""
    around, ways = box_of_paths(footprints, paths), list(zip(footprints, paths, strict=True))
    return tuple(
        position
        for position in field.on_table(*but)
        if meet(around, box_of(position.footprints))
        and any(comes_near(each, path, other) for each, path in ways for other in position.footprints)
    )


# --- room at the end --------------------------------------------------------------------------------------------------


def room(
    field: Battlefield[Any],
    footprints: Sequence[Footprint],
    side: str,
    *but: str,
    clear: float = 1.0,
    foes: Collection[str] = (),
    own: bool = True,
    coherency: float | None = None,
) -> Obstacle | None:
    """Find why footprints cannot stand there: the edge, other units, impassable terrain, enemies within `clear` inches.

    Enemies among the `foes` may be touched. `own` asks whether the footprints stand on each other, and `coherency` how
    far apart they may be.
    """
    if not footprints:
        return None
    around = box_of(tuple(footprints))
    if not _holds(field.board, around):
        for at, each in enumerate(footprints):
            if not field.is_on_board(each):
                return Obstacle("edge", at=at)
    near = [position for position in field.on_table(*but) if meet(around, box_of(position.footprints), clear)]
    solid = [(piece.name, piece.shape) for piece in field.laid_terrain if piece.is_impassable]
    for at, each in enumerate(footprints):
        for position in near:
            if any(overlaps(each, other) for other in position.footprints):
                return Obstacle("model", position.name, at)
        for name, shape in solid:
            if meet(around, box_of((shape,))) and overlaps(each, shape):
                return Obstacle("terrain", name, at)
        if own and any(overlaps(each, other) for other in footprints[:at]):
            return Obstacle("own", at=at)
    enemies = [position for position in near if position.side != side and position.name not in foes]
    for at, each in enumerate(footprints):
        counts = [(position.name, len(closer_than(each, position.footprints, clear))) for position in enemies]
        close = sum(count for _, count in counts)
        if close:
            return Obstacle("enemy", next(name for name, count in counts if count), at, close)
    if coherency is not None and not is_coherent(footprints, coherency):
        return Obstacle("coherency")
    return None


def _holds(board: Board | None, box: Box) -> bool:
    """Return whether a box is wholly on the table, and with it everything in it."""
    west, south, east, north = box
    return board is None or (west >= 0 and south >= 0 and east <= board.width and north <= board.depth)


def solid_shapes(field: Battlefield[Any], *but: str, side: str = "") -> tuple[Footprint | Area, ...]:
    """Return everything that no model can stand on: units of a side or of all, impassable terrain, the edges."""
    units = [footprint for position in field.on_table(*but, side=side) for footprint in position.footprints]
    terrain = [piece.shape for piece in field.laid_terrain if piece.is_impassable]
    return (*units, *terrain, *(beyond_edges(field.board) if field.board is not None else ()))


def beyond_edges(board: Board) -> tuple[Area, ...]:
    """Return the ground beyond the four edges of the table."""
    east, north = board.width + OUTSIDE, board.depth + OUTSIDE
    return (
        rectangle(-OUTSIDE, -OUTSIDE, 0, north),
        rectangle(board.width, -OUTSIDE, east, north),
        rectangle(-OUTSIDE, -OUTSIDE, east, 0),
        rectangle(-OUTSIDE, board.depth, east, north),
    )


def nearest_room(
    field: Battlefield[Any],
    at: Point,
    count: int,
    radius: float,
    side: str,
    *but: str,
    clear: float = 1.0,
    coherency: float = 2.0,
    near: Sequence[Footprint] = (),
) -> tuple[Base, ...]:
    """Return places for models as near to a point as there is room, in coherency; none if they do not all fit.

    With `near`, each of them is also that close to one of these, such as a transport or comrades that stand.
    """
    free = [
        base
        for base in rings(at, CROWD, radius)
        if (not near or any(is_within(base, other, coherency) for other in near))
        and room(field, (base,), side, *but, clear=clear) is None
    ]
    chosen: list[Base] = []
    while free and len(chosen) < count:
        fits = (base for base in free if not chosen or any(is_within(base, other, coherency) for other in chosen))
        base = next(fits, None)
        if base is None:
            return ()
        chosen.append(base)
        free.remove(base)
    return tuple(chosen) if len(chosen) == count else ()


def home_placements(field: Battlefield[Any], side: str, count: int, radius: float) -> Iterator[Placement]:
    """Yield where a unit has room along the home edge of its side and in its zone, from the middle outwards."""
    board, edge = field.board, field.home_edge(side)
    if board is None:
        return
    middle = (board.width if edge in ("south", "north") else board.depth) / 2
    for inches, aside in product(HOME_ROWS, sorted(range(-int(middle), int(middle) + 1, 2), key=abs)):
        at = point_at_edge(board, edge, middle + aside, inches)
        placement = Placement(x=at.x, y=at.y, heading=float(inward(edge)))
        bases = arranged(placement, count, radius)
        if room(field, bases, side, clear=0) is None and is_deployed(field, Position("", side, bases)):
            yield placement


def with_count(field: Battlefield[T], name: str, count: int) -> Battlefield[T]:
    """Return the field with this many models of a unit that has a place.

    The last ones leave the table first; those that come back stand as near to the others as they can. Where there is
    no room for them, the place of the unit is unknown.
    """
    position = field.position(name)
    bases = position.bases
    if not bases or count == len(bases):
        return field
    if count < len(bases):
        return field.with_models(name, count)
    more, radius = count - len(bases), bases[0].radius
    places = nearest_room(field, bases[0].centre, more, radius, position.side, near=bases)
    return field.with_place(name, *bases, *places) if places else field.with_place(name)


# --- how far ----------------------------------------------------------------------------------------------------------


def reachable(
    field: Battlefield[Any], name: str, goal: Point, inches: float, clear: float = 1.0, by: By | None = "bases"
) -> float:
    """Return how far a unit may go in formation towards a goal; the way there is straight."""
    position = field.position(name)
    footprints = position.footprints

    def refused(far: float) -> Obstacle | None:
        paths = paths_to(footprints, goal, far)
        found = barred(field, footprints, paths, position.side, name, clear=clear, by=by)
        return found or room(field, ends_of(footprints, paths), position.side, name, clear=clear)

    return farthest(min(inches, apart(footprints[0].centre, goal)), refused, 0.25) if footprints else 0.0


def leaves_table(field: Battlefield[Any], footprints: Sequence[Footprint], paths: Sequence[Path]) -> bool:
    """Return whether any path ends beyond the edge of the table."""
    return not all(field.is_on_board(each) for each in ends_of(tuple(footprints), tuple(paths)))


def retreat(
    field: Battlefield[Any],
    footprints: Sequence[Base],
    side: str,
    *but: str,
    heading: float,
    inches: float,
    clear: float = 1.0,
    by: By = "middles",
) -> tuple[Path, ...]:
    """Return the paths of models that fall back, in formation or else in a crowd; none if they are hemmed in.

    They go aside only as far as they must. Others may be passed, impassable terrain may not.
    """

    def is_open(paths: tuple[Path, ...]) -> bool:
        through = crossings(field, footprints, paths, by)
        return not any(crossing.terrain.is_impassable for crossing in through)

    for turn in ASIDE:
        paths = in_formation(footprints, (step(footprints[0].centre, heading + turn, inches),))
        ends = ends_of(tuple(footprints), paths)
        if is_open(paths) and room(field, ends, side, *but, clear=clear, own=False) is None:
            return paths
    radius = max(base.radius for base in footprints)
    for turn in ASIDE:
        goal = step(footprints[0].centre, heading + turn, inches)
        there = nearest_room(field, goal, len(footprints), radius, side, *but, clear=clear)
        if there and there[0].centre == goal:
            paths = separate_paths(footprints, [base.centre for base in there])
            if is_open(paths):
                return paths
    return ()
