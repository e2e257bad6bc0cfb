"""Moves on a board and without one: how far, through which terrain, past which units, and the room at the end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import TypeAlias

from battletape import rulebook
from battletape.cards import Inputs, asked
from battletape.rulebook import Refused, clause, need, replace
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.battle.start import Inches, Spot
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Squad, State, TerrainPiece, Vehicle, footprints
from battletape.rulesets.diceless40k.rules.deep_strike import formation
from battletape.rulesets.diceless40k.rules.movement import MovePieces, Passage, is_in_danger
from battletape.rulesets.diceless40k.rules.space_marines import AURA
from battletape.table import points as geometry
from battletape.table.areas import Area, edges, is_inside
from battletape.table.bases import Base
from battletape.table.board import Board, is_on_board
from battletape.table.distances import Thing, closer_than, is_within, outline, overlaps
from battletape.table.hulls import Hull, in_frame
from battletape.table.paths import inches_inside, path_length, spans_along
from battletape.table.sweeps import contact_spans

CLEAR_OF_ENEMIES = 1  # inch
COHERENCY = 2  # inches
ROUNDING_INCHES = 0.5  # inches by which players may round a distance that the board knows
MAX_PLACES_TRIED = 400  # seats that are tried for models as near to a point as there is room


class MoveOrder(Inputs, frozen=True):
    """A move of a unit: a path on the board, or inches and the terrain among them."""

    path: tuple[Spot, ...] = asked((), "Where the first model, or the middle of the hull, goes")
    inches: Inches = 0.0
    terrain: str = asked("", "Terrain on the way, where there is no board")
    inside: Inches = asked(0.0, "Inches of the move in it")
    starts: bool = asked(False, "It starts in that terrain", "DL-57.1")
    ends: bool = asked(False, "It ends in that terrain", "DL-57.1")


class Crossing(rulebook.State, frozen=True):
    """Terrain that a move goes through: how far, and whether it starts or ends there."""

    terrain: str
    inches: float
    starts: bool = False
    ends: bool = False


class MovePath(rulebook.State, frozen=True):
    """A move: its length, its pieces by ground, the terrain it goes through, and its points on the board."""

    inches: float
    pieces: MovePieces
    crossings: tuple[Crossing, ...] = ()
    points: tuple[geometry.Point, ...] = ()  # of its first model, from where it starts
    model_paths: tuple[
        tuple[geometry.Point, geometry.Point], ...
    ] = ()  # from where to where each model goes, if not in formation

    def path_of_model(self, centre: geometry.Point) -> tuple[geometry.Point, ...]:
        """Return the path of the model that stands there: its own, or beside that of the first."""
        if self.model_paths:
            return next((leg for leg in self.model_paths if leg[0] == centre), (centre, centre))
        return _beside_first_model(self.points, centre)


@clause("DL-14.1", "DL-0.1")
def move_path(state: State, unit: BattleUnit, order: MoveOrder) -> MovePath | Refused:
    """Return the path of a move, or why there is none."""
    centres = [thing.centre for thing in footprints(unit)]
    start = centres[0] if centres else None
    if order.path:
        if start is None:
            return Refused(f"{unit.name} has no place on the board; say inches=… instead of a path", "DL-0.1", "path")
        points = (start, *(geometry.Point(spot.x, spot.y) for spot in order.path))
        return _path_in_formation(state.terrain, points, tuple(centres))
    if start is not None and order.inches:
        return Refused(f"{unit.name} stands on the board; say where it goes, path=…", "DL-0.1", "path")
    if order.inside > order.inches + geometry.TOLERANCE:
        reason = f"{inches_text(order.inside)} of a move of {inches_text(order.inches)} cannot be in terrain"
        return Refused(reason, "DL-14.1", "distance")
    pieces: MovePieces = (("open", order.inches - order.inside), ("difficult", order.inside))
    if not order.terrain:
        return MovePath(order.inches, pieces)
    piece = state.terrain_piece(order.terrain)
    if piece.impassable:
        return Refused(f"{piece.name} is impassable", "DL-0.1", "impassable")
    crossing = Crossing(piece.name, order.inside, order.starts, order.ends)
    return MovePath(order.inches, pieces if piece.difficult else (("open", order.inches),), (crossing,))


@clause("DL-45.1", "DL-75.2")
def straight_path(state: State, members: Sequence[Squad], towards: float, inches: float) -> MovePath | Refused:
    """Return the path of a unit and its characters straight on in formation; impassable terrain bars it."""
    centres = tuple(base.centre for member in members for base in member.models)
    return _path_in_formation(state.terrain, (centres[0], geometry.step(centres[0], towards, inches)), centres)


@clause("DL-0.1")
def separate_paths(state: State, members: Sequence[BattleUnit], placed: Sequence[BattleUnit]) -> MovePath | Refused:
    """Return the path of models that each go straight to a place of their own."""
    before, after = ([thing.centre for unit in units for thing in footprints(unit)] for units in (members, placed))
    model_paths = tuple(zip(before, after, strict=True))
    terrain = _terrain_near(state.terrain, _box([*before, *after]))
    return _path_through_terrain(
        terrain, model_paths, max(model_paths, key=lambda leg: geometry.apart(*leg)), model_paths
    )


def _path_in_formation(
    terrain: tuple[TerrainPiece, ...], points: tuple[geometry.Point, ...], centres: tuple[geometry.Point, ...]
) -> MovePath | Refused:
    """Return a path over the board, with the terrain under any of the models that go it in formation."""
    nearby = _terrain_near(terrain, _swept_box(points, centres))
    return _path_through_terrain(
        nearby, tuple(_beside_first_model(points, centre) for centre in centres) if nearby else (), points
    )


def _terrain_near(terrain: Sequence[TerrainPiece], box: Box) -> tuple[TerrainPiece, ...]:
    """Return the terrain with an outline that may lie in a box."""
    return tuple(piece for piece in terrain if piece.corners and _boxes_touch(box, _terrain_box(piece)))


def _path_through_terrain(
    terrain: tuple[TerrainPiece, ...],
    paths: Sequence[tuple[geometry.Point, ...]],
    points: tuple[geometry.Point, ...],
    model_paths: tuple[tuple[geometry.Point, geometry.Point], ...] = (),
) -> MovePath | Refused:
    """Return a move by the paths of its models, with the terrain under them.

    The pieces of the move are those of the model with the longest way in difficult terrain, for it has to keep up.
    """
    crossings, slow = [], []
    for piece in terrain:
        shape = piece.shape
        assert shape is not None
        inside = max(inches_inside(spans_along(path, (shape,))) for path in paths)
        ends = any(is_inside(shape, path[-1]) for path in paths)
        if piece.impassable and (inside > geometry.TOLERANCE or ends):
            return Refused(f"{piece.name} is impassable", "DL-0.1", "impassable")
        if inside > geometry.TOLERANCE:
            crossings.append(Crossing(piece.name, inside, any(is_inside(shape, path[0]) for path in paths), ends))
            slow += [shape] if piece.difficult else []
    slowest = max(paths, key=lambda path: inches_inside(spans_along(path, slow))) if slow else points
    pieces: list[tuple[str, float]] = []
    at = 0.0
    for begin, end in spans_along(slowest, slow) if slow else ():
        pieces += [("open", begin - at), ("difficult", end - begin)]
        at = end
    pieces.append(("open", max(0.0, path_length(slowest) - at)))  # one that ends in terrain may end a hair beyond
    return MovePath(path_length(points), tuple(pieces), tuple(crossings), tuple(points), model_paths)  # type: ignore[arg-type]


def _beside_first_model(points: Sequence[geometry.Point], centre: geometry.Point) -> tuple[geometry.Point, ...]:
    """Return the path of a model of the formation, beside that of the first."""
    east, north = centre.x - points[0].x, centre.y - points[0].y
    return tuple(geometry.Point(point.x + east, point.y + north) for point in points)


def moved_by(bases: tuple[Base, ...], path: MovePath) -> tuple[Base, ...]:
    """Return the models at the end of a path."""
    if not path.points:
        return bases
    return tuple([Base(path.path_of_model(base.centre)[-1], base.radius) for base in bases])


def at_end(unit: BattleUnit, path: MovePath) -> BattleUnit:
    """Return a unit, or a walker, at the end of a path."""
    if isinstance(unit, Squad):
        return replace(unit, models=moved_by(unit.models, path))
    if unit.hull is None or not path.points:
        return unit
    return replace(unit, hull=replace(unit.hull, centre=path.points[-1]))


@clause("DL-14.2", "DL-14.4")
def passage_of(base: Base, path: MovePath, piece: TerrainPiece, unit_type: str) -> Passage | None:
    """Return how a model comes through terrain on its own path, if that hurts it."""
    shape = piece.shape
    if shape is None or not path.points:
        return None
    own = path.path_of_model(base.centre)
    stretches = spans_along(own, (shape,))
    inside = inches_inside(stretches)
    starts, ends = is_inside(shape, own[0]), is_inside(shape, own[-1])
    if inside <= geometry.TOLERANCE or not is_in_danger(unit_type, piece.dangerous, starts or ends):
        return None
    crossings = sum(
        (begin > geometry.TOLERANCE) + (end < path_length(own) - geometry.TOLERANCE) for begin, end in stretches
    )
    return Passage(inside, max(1, crossings))


@clause("DL-0.1")
def refuse_place(
    state: State, unit: BattleUnit, things: Sequence[Thing], *except_names: str, may_touch: Collection[str] = ()
) -> Refused | None:
    """Refuse a place off the table, on another unit, or within an inch of an enemy.

    A charge may touch the enemies named in `may_touch`.
    """
    if not things:
        return None
    box, board = _box_around(tuple(things)), state.board
    if board is not None and not (_is_within(box, board) or all(is_on_board(board, thing) for thing in things)):
        return Refused(f"{unit.name} would leave the table", "DL-0.1", "edge")
    for other in state.units:
        obstacles = footprints(other)
        if not obstacles or not _boxes_touch(box, _box_around(obstacles), CLEAR_OF_ENEMIES):
            continue
        if other.is_gone or other.name in (unit.name, *except_names):
            continue
        touchable = other.name in may_touch
        if (
            other.side != unit.side
            and not touchable
            and any(closer_than(thing, obstacles, CLEAR_OF_ENEMIES) for thing in things)
        ):
            return Refused(f"{unit.name} would come within an inch of {other.name}", "DL-0.1", "enemy")
        if any(overlaps(thing, obstacle) for thing in things for obstacle in obstacles):
            return Refused(f"{unit.name} would stand on {other.name}", "DL-0.1", "model")
    for piece in state.terrain:
        shape = piece.shape if piece.impassable else None
        if shape is not None and any(overlaps(thing, shape) for thing in things):
            return Refused(f"{unit.name} would stand in {piece.name}, which is impassable", "DL-0.1", "impassable")
    return None


@clause("DL-0.1")
def refuse_room(state: State, members: Sequence[BattleUnit], may_touch: Collection[str] = ()) -> Refused | None:
    """Refuse to set up a unit and its characters together where they are now."""
    names = [member.name for member in members]
    for member in members:
        refused = refuse_place(state, member, footprints(member), *names, may_touch=may_touch)
        if refused is not None:
            return refused
    return None


@clause("DL-0.1")
def refuse_through(
    state: State, members: Sequence[BattleUnit], path: MovePath, may_touch: Collection[str] = ()
) -> Refused | None:
    """Refuse a path within an inch of an enemy, or through a friendly vehicle. Flyers pass over.

    A unit may move away from an enemy that is nearer than that at the start, but not through it.
    """
    names = [member.name for member in members]
    for member in members:
        things = footprints(member)
        if len(path.points) < 2 or not things or _is_flyer(member):
            continue
        margin = max(thing.radius if isinstance(thing, Base) else hypot(thing.length, thing.width) for thing in things)
        centres = [thing.centre for thing in things]
        swept = (
            _box([point for centre in centres for point in path.path_of_model(centre)])
            if path.model_paths
            else _swept_box(path.points, centres)
        )
        for other in state.on_table("", *names, *may_touch):
            obstacles = footprints(other)
            friend = other.side == member.side
            if not obstacles or (friend and isinstance(other, Squad)):
                continue
            clear = 0 if friend else CLEAR_OF_ENEMIES
            if not _boxes_touch(swept, _box_around(obstacles), margin + clear):
                continue
            if any(
                _is_barred(thing, path.path_of_model(thing.centre), obstacle, clear)
                for thing in things
                for obstacle in obstacles
            ):
                how = "through" if friend else "through or within an inch of"
                return Refused(f"{member.name} would pass {how} {other.name}", "DL-0.1", "way")
    return None


def _is_flyer(unit: BattleUnit) -> bool:
    """Return whether a unit passes over others, as in the base game."""
    if isinstance(unit, Vehicle):
        return "skimmer" in unit.profile.types
    return unit.type in ("jump_infantry", "jetbike")


def _is_barred(thing: Base | Hull, points: Sequence[geometry.Point], obstacle: Base | Hull, clear: float) -> bool:
    """Return whether a unit stands in the path of a model or of a hull, which turns into each leg of its path."""
    legs = [(a, b) for a, b in pairwise(points) if geometry.apart(a, b) > geometry.TOLERANCE]
    if isinstance(thing, Base):
        reach = thing.radius + (0 if closer_than(thing, (obstacle,), clear) else clear)
        return any(_inches_from_leg(a, b, obstacle) < reach - geometry.TOLERANCE for a, b in legs)
    for a, b in legs:
        turned = replace(thing, centre=a, heading=geometry.bearing(a, b))
        is_near = bool(closer_than(turned, (obstacle,), clear))
        contacts = contact_spans(turned, geometry.apart(a, b), obstacle, 0 if is_near else clear)
        behind = is_near and in_frame(turned, obstacle.centre)[0] <= 0  # touched only because it turns
        if any(start > geometry.TOLERANCE or not behind for start, _ in contacts):
            return True
    return False


def blocks_path(
    thing: Base | Hull, segment: tuple[geometry.Point, geometry.Point], others: Sequence[Base | Hull]
) -> bool:
    """Return whether one of the others stands in the way of a model that goes straight to a place."""
    return any(_is_barred(thing, segment, other, 0) for other in others)


def _inches_from_leg(start: geometry.Point, end: geometry.Point, thing: Base | Hull) -> float:
    """Return the inches between a straight leg of a path and the rim of a base or hull."""
    if isinstance(thing, Base):
        return geometry.apart(geometry.nearest_on_segment(thing.centre, start, end), thing.centre) - thing.radius
    corners = outline(thing)
    return (
        0.0
        if is_inside(Area(corners), start)
        else min(geometry.segment_gap(start, end, *edge) for edge in edges(corners))
    )


@clause("DL-0.1")
def measure(state: State, unit: BattleUnit, other: BattleUnit, given: float | None, clause_id: str) -> float | None:
    """Return the inches between two units as the board shows them, else as they are given.

    What contradicts the board is refused. Characters in a unit count as its models.
    """
    pairs = ((mine, yours) for mine in unit_and_characters(state, unit) for yours in unit_and_characters(state, other))
    found = (state.distance(mine, yours) for mine, yours in pairs)
    inches = min((gap for gap in found if gap is not None), default=None)
    if inches is None:
        return given
    if given is not None and abs(given - inches) > ROUNDING_INCHES:
        reason = f"{other.name} is {inches_text(inches)} from {unit.name} on the board, not {inches_text(given)}"
        need(False, reason, clause_id, "distance")
    return inches


@clause("DL-SM-57.2")
def need_null_zone(state: State, units: Sequence[BattleUnit], given: bool | None) -> None:
    """Refuse to put units into a null zone, or out of one, against the board."""
    shown = any(state.in_null_zone(unit, False) for unit in units)
    _need_aura(given, shown, any(map(state.in_null_zone, units)), "null_zone", "a null zone", "DL-SM-57.2")


@clause("DL-SM-56.1")
def need_hood(state: State, psykers: Sequence[Squad], given: bool | None) -> None:
    """Refuse to put a hood near psykers, or far from them, against the board."""
    shown = any(state.in_hood(psyker, False) for psyker in psykers)
    _need_aura(given, shown, any(map(state.in_hood, psykers)), "hood", "a psychic hood", "DL-SM-56.1")


def _need_aura(given: bool | None, shown: bool, possible: bool, name: str, what: str, clause_id: str) -> None:
    """Refuse an aura of 24 inches that is given or denied against the board."""
    near = f"on the board {what} of the enemy is within {AURA} inches; leave out {name}"
    need(given is not False or not shown, near, clause_id, name)
    need(
        not given or possible, f"{what} of the enemy is nowhere within {AURA} inches; leave out {name}", clause_id, name
    )


def unit_and_characters(state: State, unit: BattleUnit) -> tuple[BattleUnit, ...]:
    """Return a vehicle, or a unit with its characters."""
    return state.joined_units(unit) if isinstance(unit, Squad) else (unit,)


# --- setting up -------------------------------------------------------------------------------------------------------


def placed_around(members: Sequence[Squad], at: geometry.Point) -> tuple[Squad, ...]:
    """Return a unit and its characters set up around a point, without overlaps."""
    return _on_seats(members, formation(at, _models_in(members), _largest_base(members)))


@clause("DL-0.1")
def placed_near(
    state: State, members: Sequence[Squad], at: geometry.Point, hull: Hull | None = None
) -> tuple[Squad, ...] | None:
    """Return a unit and its characters as near to a point as there is room, within 2 inches of the hull if any."""
    names = [member.name for member in members]
    seats: list[Base] = []
    rest = [
        seat
        for seat in formation(at, MAX_PLACES_TRIED, _largest_base(members))
        if (hull is None or is_within(seat, hull, COHERENCY))
        and refuse_place(state, members[0], (seat,), *names) is None
    ]
    while rest and len(seats) < _models_in(members):
        near = (seat for seat in rest if not seats or any(is_within(seat, other, COHERENCY) for other in seats))
        seat = next(near, None)
        if seat is None:
            return None
        seats.append(seat)
        rest.remove(seat)
    return _on_seats(members, seats) if len(seats) == _models_in(members) else None


def _models_in(members: Sequence[Squad]) -> int:
    return sum(squad.count for squad in members)


def _largest_base(members: Sequence[Squad]) -> float:
    return max(squad.base for squad in members)


def _on_seats(members: Sequence[Squad], seats: Sequence[Base]) -> tuple[Squad, ...]:
    """Return the units on these seats, a seat for each model."""
    starts = [_models_in(members[:number]) for number in range(len(members))]
    return tuple(
        replace(squad, models=tuple(Base(seat.centre, squad.base) for seat in seats[start : start + squad.count]))
        for squad, start in zip(members, starts, strict=True)
    )


Box: TypeAlias = tuple[float, float, float, float]
"""West, south, east and north of what stands together: a quick look at whether things are near each other at all."""


def _box(points: Sequence[geometry.Point], margin: float = 0.0) -> Box:
    xs, ys = [point.x for point in points], [point.y for point in points]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


@lru_cache(256)
def _terrain_box(piece: TerrainPiece) -> Box:
    return _box(piece.corners, piece.radius)


def _swept_box(points: Sequence[geometry.Point], centres: Sequence[geometry.Point]) -> Box:
    """Return the box around the path of a formation."""
    west, south, east, north = _box(centres)
    left, low, right, high = _box(points)
    x, y = points[0].x, points[0].y
    return west + left - x, south + low - y, east + right - x, north + high - y


@lru_cache(4096)
def _box_around(things: tuple[Thing, ...]) -> Box:
    """Return the box around bases and hulls; cached, as most units stand still."""
    solid = [thing for thing in things if isinstance(thing, (Base, Hull))]
    rims = [thing.radius if isinstance(thing, Base) else hypot(thing.length, thing.width) / 2 for thing in solid]
    return _box([thing.centre for thing in solid], max(rims))


def _is_within(box: Box, board: Board) -> bool:
    """Return whether a box is wholly on the board."""
    west, south, east, north = box
    return west >= 0 and south >= 0 and east <= board.width and north <= board.depth


def _boxes_touch(box: Box, other: Box, apart: float = 0.0) -> bool:
    """Return whether two boxes meet, or come so near to each other."""
    apart += geometry.TOLERANCE
    return (
        box[0] <= other[2] + apart
        and other[0] <= box[2] + apart
        and box[1] <= other[3] + apart
        and other[1] <= box[3] + apart
    )
