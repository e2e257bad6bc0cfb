"""Moves: the tracks of all that moves together, the ground on them, what bars them, and room where they end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, hypot
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from battletape.field.boxes import box, box_of, meet
from battletape.field.state import Field, Footprint, Terrain
from battletape.table.areas import Area, Spans, edges, is_inside
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import closer_than, is_coherent, outline, overlaps
from battletape.table.hulls import in_frame
from battletape.table.paths import base_spans_along, hull_spans_along, inches_inside, path_length, spans_along
from battletape.table.points import TOLERANCE, Point, apart, bearing, nearest_on_segment, segment_gap, step, towards
from battletape.table.sweeps import contact_spans

Track: TypeAlias = tuple[Point, ...]
"""The way of one base or hull, from where its middle stands."""
T = TypeVar("T", bound=Terrain)
By: TypeAlias = Literal["middles", "bases"]
"""What counts as going through terrain: the middle of a model, or any part of its base."""


class Crossing(Struct, Generic[T], frozen=True, cache_hash=True):
    """Terrain on the way: the stretches of each track in it, and which tracks start or end there."""

    terrain: T
    spans: tuple[Spans, ...]
    starts: tuple[bool, ...]
    ends: tuple[bool, ...]

    @property
    def inches(self) -> float:
        """The longest way through it."""
        return max(map(inches_inside, self.spans))

    @property
    def crossed_by(self) -> tuple[int, ...]:
        """Which of those that move go through it."""
        return tuple(at for at, spans in enumerate(self.spans) if inches_inside(spans) > TOLERANCE)


class Obstacle(Struct, frozen=True):
    """What is in the way of a move or a set-up; a ruleset says it in its words, with its clause."""

    by: Literal["edge", "model", "enemy", "terrain", "own", "coherency"]
    name: str = ""  # of the unit or terrain
    at: int = 0  # the place in the list of what cannot stand or go there
    count: int = 1  # of those that are too near


# --- tracks ----------------------------------------------------------------------------------------------------------


def in_formation(things: Sequence[Footprint], path: Sequence[Point]) -> tuple[Track, ...]:
    """All beside the first, which goes from point to point."""
    start = things[0].centre
    steps = [(point.x - start.x, point.y - start.y) for point in path]
    return tuple((one.centre, *(Point(one.centre.x + x, one.centre.y + y) for x, y in steps)) for one in things)


def straight(things: Sequence[Footprint], heading: float, inches: float) -> tuple[Track, ...]:
    """All straight on, in formation."""
    return tuple((thing.centre, step(thing.centre, heading, inches)) for thing in things)


def each_to(things: Sequence[Footprint], goals: Sequence[Point]) -> tuple[Track, ...]:
    """Each straight to a place of its own."""
    return tuple((thing.centre, goal) for thing, goal in zip(things, goals, strict=True))


def straight_to(things: Sequence[Footprint], goal: Point, inches: float, stop: float = 0.0) -> tuple[Track, ...]:
    """In formation towards a goal, as far as the inches go; the first stops so far before it."""
    start = things[0].centre
    far = max(0.0, min(inches, apart(start, goal) - stop))
    return in_formation(things, (towards(start, goal, far),))


def straight_from(things: Sequence[Footprint], danger: Point, inches: float) -> tuple[Track, ...]:
    """In formation away from a place; from that very place to the north."""
    start = things[0].centre
    return straight(things, 0.0 if start == danger else bearing(danger, start), inches)


@lru_cache(512)  # asked before a move, and then for it
def at_end(
    things: tuple[Footprint, ...], tracks: tuple[Track, ...], inches: float | None = None
) -> tuple[Footprint, ...]:
    """Where all stand at the end of their tracks, or after so many inches of them."""
    if inches is None:
        ends: Sequence[Point] = [track[-1] for track in tracks]
    else:
        ends = [_along(track, inches) for track in tracks]
    return tuple([replace(thing, centre=end) for thing, end in zip(things, ends, strict=True)])


def _along(track: Track, inches: float) -> Point:
    here = track[0]
    for goal in track[1:]:
        way = apart(here, goal)
        if way >= inches:
            return towards(here, goal, inches)
        here, inches = goal, inches - way
    return here


def farthest(most: float, refused: Callable[[float], Any], grain: float = 1.0) -> float:
    """The longest way that nothing refuses, shortened grain by grain; 0 if there is none."""
    inches = most
    while inches > TOLERANCE:
        if not refused(inches):
            return inches
        inches = (ceil(inches / grain - TOLERANCE) - 1) * grain
    return 0.0


# --- the ground on the way --------------------------------------------------------------------------------------------


def crossings(field: Field[T], things: Sequence[Footprint], tracks: Sequence[Track], by: By) -> tuple[Crossing[T], ...]:
    """The terrain that any of them goes through or ends in, in the order in which it lies on the table."""
    return _crossings(field.outlined_terrain, tuple(things), tuple(tracks), by)


@lru_cache(512)
def _crossings(
    terrain: tuple[T, ...], things: tuple[Footprint, ...], tracks: tuple[Track, ...], by: By
) -> tuple[Crossing[T], ...]:
    around, found = swept(things, tracks, by), []
    for piece in terrain:
        shape = piece.shape
        if not meet(around, box_of((shape,))):
            continue
        spans = tuple(_spans(thing, track, shape, by) for thing, track in zip(things, tracks, strict=True))
        starts = tuple(is_inside(shape, track[0]) for track in tracks)
        ends = tuple(is_inside(shape, track[-1]) for track in tracks)
        if any(map(inches_inside, spans)) or any(ends):
            found.append(Crossing(piece, spans, starts, ends))
    return tuple(found)


def _spans(thing: Footprint, track: Track, shape: Area | Base, by: By) -> Spans:
    if by == "middles":
        return spans_along(track, (shape,))
    if path_length(track) <= TOLERANCE:
        return ()
    spans = base_spans_along if isinstance(thing, Base) else hull_spans_along
    return spans(thing, track[1:], (shape,))  # type: ignore[arg-type]


def swept(things: Sequence[Footprint], tracks: Sequence[Track], by: By = "bases") -> tuple[float, float, float, float]:
    """The box of everything that a move may touch."""
    reach = 0.0 if by == "middles" else max(_radius(thing) for thing in things)
    return box((point for track in tracks for point in track), reach)


def _radius(thing: Footprint) -> float:
    return thing.radius if isinstance(thing, Base) else hypot(thing.length, thing.width) / 2


# --- what bars it -----------------------------------------------------------------------------------------------------


def barred(
    field: Field[Any],
    things: Sequence[Footprint],
    tracks: Sequence[Track],
    side: str,
    *but: str,
    clear: float | None = 1.0,
    by: By | None = None,
) -> Obstacle | None:
    """Who stands in the way: hulls, and enemies nearer than `clear` inches (None: their models may be passed).

    What is nearer than that from the start may be left, but not gone through. With `by` terrain bars the way as well.
    """
    for crossing in crossings(field, things, tracks, by) if by is not None else ():
        if crossing.terrain.bars and crossing.crossed_by:
            return Obstacle("terrain", crossing.terrain.name, crossing.crossed_by[0])
    around = swept(things, tracks)
    for stand in field.on_table(*but):
        friend = stand.side == side
        solid, keep = stand.footprints, 0.0 if friend or clear is None else clear
        if stand.bases and (friend or clear is None):
            continue  # models may be passed
        if not meet(around, box_of(solid), keep):
            continue
        for at, (thing, track) in enumerate(zip(things, tracks, strict=True)):
            if any(passes(thing, track, there, keep) for there in solid):
                return Obstacle("model" if friend else "enemy", stand.name, at)
    return None


def passes(thing: Footprint, track: Track, there: Footprint, clear: float = 0.0) -> bool:
    """Whether a model or a hull, which turns into each leg of its track, comes through somebody or so near."""
    legs = [(a, b) for a, b in pairwise(track) if apart(a, b) > TOLERANCE]
    if isinstance(thing, Base):
        reach = thing.radius + (0 if closer_than(thing, (there,), clear) else clear)
        return any(_from_leg(a, b, there) < reach - TOLERANCE for a, b in legs)
    for a, b in legs:
        turned = replace(thing, centre=a, heading=bearing(a, b))
        near = bool(closer_than(turned, (there,), clear))
        met = contact_spans(turned, apart(a, b), there, 0 if near else clear)
        behind = near and in_frame(turned, there.centre)[0] <= 0  # touched only because it turns
        if any(start > TOLERANCE or not behind for start, _ in met):
            return True
    return False


def _from_leg(start: Point, end: Point, thing: Footprint) -> float:
    """Inches between a straight leg and a rim."""
    if isinstance(thing, Base):
        return apart(nearest_on_segment(thing.centre, start, end), thing.centre) - thing.radius
    rim = outline(thing)
    return 0.0 if is_inside(Area(rim), start) else min(segment_gap(start, end, *edge) for edge in edges(rim))


# --- room at the end --------------------------------------------------------------------------------------------------


def room(
    field: Field[Any],
    things: Sequence[Footprint],
    side: str,
    *but: str,
    clear: float = 1.0,
    foes: Collection[str] = (),
    own: bool = True,
    coherency: float | None = None,
) -> Obstacle | None:
    """Why things of a side may not stand there: the edge, others, terrain that bars, enemies who are no foes of it.

    `own` asks whether they stand on each other, `coherency` how far apart they may be.
    """
    if not things:
        return None
    around = box_of(tuple(things))
    if not _holds(field.board, around):
        for at, thing in enumerate(things):
            if not field.is_on(thing):
                return Obstacle("edge", at=at)
    near = [stand for stand in field.on_table(*but) if meet(around, box_of(stand.footprints), clear)]
    solid = [(piece.name, piece.shape) for piece in field.outlined_terrain if piece.bars]
    for at, thing in enumerate(things):
        for stand in near:
            if any(overlaps(thing, there) for there in stand.footprints):
                return Obstacle("model", stand.name, at)
        for name, shape in solid:
            if meet(around, box_of((shape,))) and overlaps(thing, shape):
                return Obstacle("terrain", name, at)
        if own and any(overlaps(thing, other) for other in things[:at]):
            return Obstacle("own", at=at)
    enemies = [stand for stand in near if stand.side != side and stand.name not in foes]
    for at, thing in enumerate(things):
        close = [(stand.name, len(closer_than(thing, stand.footprints, clear))) for stand in enemies]
        number = sum(count for _, count in close)
        if number:
            return Obstacle("enemy", next(name for name, count in close if count), at, number)
    if coherency is not None and not is_coherent(things, coherency):
        return Obstacle("coherency")
    return None


def _holds(board: Board | None, around: tuple[float, float, float, float]) -> bool:
    if board is None:
        return True
    west, south, east, north = around
    return west >= 0 and south >= 0 and east <= board.width and north <= board.depth


def reachable(field: Field[Any], name: str, goal: Point, most: float, clear: float = 1.0) -> float:
    """How far a unit may go in formation towards a goal before something bars it: for “towards”, drags and advice."""
    stand = field.stand(name)
    things = stand.footprints

    def blocked(inches: float) -> Obstacle | None:
        tracks = straight_to(things, goal, inches)
        ends = at_end(things, tracks)
        by = barred(field, things, tracks, stand.side, name, clear=clear, by="bases")
        return by or room(field, ends, stand.side, name, clear=clear)

    return farthest(min(most, apart(things[0].centre, goal)), blocked, 0.25) if things else 0.0


def leaves(field: Field[Any], things: Sequence[Footprint], tracks: Sequence[Track]) -> bool:
    """Whether any of them ends beyond the edge."""
    return not all(field.is_on(thing) for thing in at_end(tuple(things), tuple(tracks)))
