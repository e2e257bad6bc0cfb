"""Moves on a board and without one: how far, through which terrain, past which units, and the room at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import ClassVar, TypeAlias

from battletape import rulebook
from battletape.cards import Inputs, asked
from battletape.field import moves as field_moves
from battletape.field import setup
from battletape.field.measure import Claim, measure
from battletape.field.moves import Obstacle, Path
from battletape.field.state import Footprint
from battletape.rulebook import Line, Refused, clause, granted, need, plural, raise_if_refused, replace
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.battle.start import Inches
from battletape.rulesets.diceless40k.battle.state import COHERENCY, BattleUnit, Places, Squad, State, Terrain, Vehicle
from battletape.rulesets.diceless40k.rules.movement import MovePieces, Passage, is_in_danger
from battletape.rulesets.diceless40k.rules.space_marines import AURA
from battletape.table import points as geometry
from battletape.table.areas import is_inside, join
from battletape.table.bases import Base
from battletape.table.distances import gap, is_coherent, overlaps
from battletape.table.hulls import Hull
from battletape.table.paths import inches_inside, path_length, spans_along

CLEAR_OF_ENEMIES = 1.0  # inch
WORTH_MOVING = 1.0  # inch: shorter moves towards something are allowed, but not proposed
GRAIN = 0.25  # inches by which a move towards something is shortened where it may not be taken


class MoveOrder(Inputs, frozen=True):
    """A move of a unit on the board: a path, a place for each model, or towards something, at most so many inches.

    Without a board it is inches, and the terrain among them.
    """

    unwritten: ClassVar = ("towards", "spots")

    path: tuple[setup.Spot, ...] = asked((), "Where the first model, or the middle of the hull, goes")
    spots: tuple[setup.Spot, ...] = asked((), "A place for each model, those of its characters last")
    towards: str = asked("", "Towards this unit, terrain or objective", about="(into the middle of the last two)")
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
    points: Path = ()  # of its first model, from where it starts
    model_paths: tuple[Path, ...] = ()  # from where to where each model goes, if not in formation
    stopped: str = ""  # why it ends before the place that it goes towards

    def path_of_model(self, centre: geometry.Point) -> Path:
        """Return the path of the model that stands there: its own, or beside that of the first."""
        if self.model_paths:
            return next((path for path in self.model_paths if path[0] == centre), (centre, centre))
        east, north = centre.x - self.points[0].x, centre.y - self.points[0].y
        return tuple(geometry.Point(point.x + east, point.y + north) for point in self.points)


Refuse: TypeAlias = Callable[[MovePath], Refused | None]
"""Why a unit may not take a path: too far, barred, no room at its end; None if it may."""


@clause("DL-14.1", "DL-0.1")
def free_path(state: State, unit: BattleUnit, order: MoveOrder, most: float, refuse: Refuse) -> MovePath:
    """Return the path of a move; refuse one that may not be taken. Towards something it is as long as it may be."""
    if order.towards:
        return _path_towards(state, unit, order, most, refuse)
    path = granted(move_path(state, unit, order))
    raise_if_refused(refuse(path))
    return path


@clause("DL-14.1", "DL-0.1")
def _path_towards(state: State, unit: BattleUnit, order: MoveOrder, most: float, refuse: Refuse) -> MovePath:
    """Return the path straight towards what an order names, as far as nothing is in the way."""
    footprints = state.footprints(unit)
    need(footprints, f"{unit.name} has no place on the board; say inches=… instead of towards", "DL-0.1", "path")
    there = field_moves.destination(state.field, order.towards, "DL-0.1")
    need(there.name != unit.name, f"{unit.name} cannot move towards itself", "DL-0.1", "target")

    def path_after(inches: float) -> MovePath | Refused:
        return path_over(state, footprints, there.paths_from(footprints, inches))

    def refused(inches: float) -> Refused | None:
        path = path_after(inches)
        return path if isinstance(path, Refused) else refuse(path)

    wanted = min(order.inches or most, there.inches_from(footprints))
    need(wanted > geometry.TOLERANCE, f"{unit.name} is at {there.name} already", "DL-0.1", "near")
    far = field_moves.farthest(wanted, refused, GRAIN)
    if not far:
        raise_if_refused(refused(min(wanted, GRAIN)))
    path = granted(path_after(far))
    bar = refused(min(wanted, far + GRAIN)) if far < wanted - geometry.TOLERANCE else None
    return path if bar is None else replace(path, stopped=bar.reason)


@clause("DL-14.1", "DL-0.1")
def move_path(state: State, unit: BattleUnit, order: MoveOrder) -> MovePath | Refused:
    """Return the path of a move, or why there is none."""
    footprints = state.footprints(unit)
    if order.path:
        if not footprints:
            return Refused(f"{unit.name} has no place on the board; say inches=… instead of a path", "DL-0.1", "path")
        return path_over(state, footprints, field_moves.in_formation(footprints, setup.points_of(order.path)))
    if order.spots:
        return _path_to_spots(state, unit, order.spots)
    if footprints and order.inches:
        return Refused(f"{unit.name} stands on the board; say where it goes, path=… or towards=…", "DL-0.1", "path")
    return path_as_said(state, order)


@clause("DL-0.1")
def _path_to_spots(state: State, unit: BattleUnit, spots: Sequence[setup.Spot]) -> MovePath | Refused:
    """Return the path of a unit and its characters whose models each go straight to a place, in coherency."""
    footprints = state.footprints(*unit_and_characters(state, unit))
    if not footprints:
        return Refused(f"{unit.name} has no place on the board; say inches=… instead of spots", "DL-0.1", "path")
    goals = setup.points_of(spots)
    if len(goals) != len(footprints):
        wanted = f"{plural(len(footprints), 'model')} of {unit.name} and {plural(len(goals), 'place')}"
        return Refused(f"there are {wanted}; spots names one for each", "DL-0.1", "spots")
    paths = field_moves.separate_paths(footprints, goals)
    ends = field_moves.ends_of(footprints, paths)
    if any(overlaps(each, other) for each, other in combinations(ends, 2)):
        return Refused(f"models of {unit.name} would stand on each other", "DL-0.1", "own")
    if not is_coherent(ends, COHERENCY):
        reason = f"models of {unit.name} would stand more than {COHERENCY} inches from the others"
        return Refused(reason, "DL-0.1", "coherency")
    return path_over(state, footprints, paths, separate=True)


@clause("DL-14.1", "DL-0.1")
def path_as_said(state: State, order: MoveOrder) -> MovePath | Refused:
    """Return a move where there is no board: so many inches, of which so many in terrain."""
    if order.inside > order.inches + geometry.TOLERANCE:
        reason = f"{inches_text(order.inside)} of a move of {inches_text(order.inches)} cannot be in terrain"
        return Refused(reason, "DL-14.1", "distance")
    pieces: MovePieces = (("open", order.inches - order.inside), ("difficult", order.inside))
    if not order.terrain:
        return MovePath(order.inches, pieces)
    piece = state.field.terrain_piece(order.terrain)
    if piece.is_impassable:
        return Refused(f"{piece.name} is impassable", "DL-0.1", "impassable")
    crossing = Crossing(piece.name, order.inside, order.starts, order.ends)
    return MovePath(order.inches, pieces if piece.difficult else (("open", order.inches),), (crossing,))


@clause("DL-45.1", "DL-75.2")
def straight_path(state: State, members: Iterable[BattleUnit], heading: float, inches: float) -> MovePath | Refused:
    """Return the path of a unit and its characters straight on in formation; impassable terrain bars it."""
    footprints = state.footprints(*members)
    return path_over(state, footprints, field_moves.straight_paths(footprints, heading, inches))


@clause("DL-0.1", "DL-14.1")
def path_over(
    state: State, footprints: Sequence[Footprint], paths: Sequence[Path], separate: bool = False
) -> MovePath | Refused:
    """Return a move by the paths of its models, in formation or `separate`, with the terrain under them.

    The pieces of the move are those of the model with the longest way in difficult terrain, for it has to keep up.
    """
    crossings, slow = [], []
    for crossing in field_moves.crossings(state.field, footprints, paths, "middles"):
        piece, ends, inside = crossing.terrain, any(crossing.ends), crossing.inches
        if piece.is_impassable and (inside > geometry.TOLERANCE or ends):
            return Refused(f"{piece.name} is impassable", "DL-0.1", "impassable")
        if inside > geometry.TOLERANCE and not piece.is_mark:
            crossings.append(Crossing(piece.name, inside, any(crossing.starts), ends))
            slow += [crossing.spans] if piece.difficult else []
    points = max(paths, key=path_length) if separate else paths[0]
    slowest, slowed = points, join(())
    if slow:
        of_models = [join(chain.from_iterable(spans)) for spans in zip(*slow, strict=True)]
        at = max(range(len(paths)), key=lambda at: inches_inside(of_models[at]))
        slowest, slowed = paths[at], of_models[at]
    pieces: list[tuple[str, float]] = []
    walked = 0.0
    for begin, end in slowed:
        pieces += [("open", begin - walked), ("difficult", end - begin)]
        walked = end
    pieces.append(("open", max(0.0, path_length(slowest) - walked)))  # one that ends in terrain may end a hair beyond
    own = tuple(paths) if separate else ()
    return MovePath(path_length(points), tuple(pieces), tuple(crossings), points, own)  # type: ignore[arg-type]


def end_line(name: str, path: MovePath) -> Line | None:
    """Say where the first model of a unit ends, and why it stops short of the place that it goes towards."""
    if not path.points:
        return None
    text = f"{name} stops at {path.points[-1].x:.1f}, {path.points[-1].y:.1f}"
    return Line(f"{text}: {path.stopped}" if path.stopped else text, ("DL-14.1",))


def propose_goals(state: State, unit: BattleUnit) -> Iterator[str]:
    """Yield what a unit may go an inch towards at least: every objective, and the nearest enemy."""
    footprints = state.footprints(unit)
    if not footprints:
        return
    enemies = state.field.enemies_of(unit.side)
    ways = {each.name: min(gap(a, b) for a in footprints for b in each.footprints) for each in enemies}
    nearest = sorted(ways, key=lambda name: ways[name])[:1]
    members = unit_and_characters(state, unit)
    for name in (*(objective.name for objective in state.field.objectives), *nearest):
        there = field_moves.destination(state.field, name, "DL-0.1")
        if there.inches_from(footprints) < WORTH_MOVING:
            continue
        path = path_over(state, footprints, there.paths_from(footprints, WORTH_MOVING))
        if not isinstance(path, Refused) and refuse_path_taken(state, members, path) is None:
            yield name


def places_at_end(state: State, units: Iterable[BattleUnit], path: MovePath) -> Places:
    """Return where units stand at the end of a path; nothing of units that have no place."""
    return tuple((unit.name, _at_end(state.footprints(unit), path)) for unit in units if path.points)


def _at_end(footprints: Sequence[Footprint], path: MovePath) -> tuple[Footprint, ...]:
    return tuple([replace(each, centre=path.path_of_model(each.centre)[-1]) for each in footprints])


@clause("DL-14.2", "DL-14.4")
def passage_of(footprint: Footprint, path: MovePath, piece: Terrain, unit_type: str) -> Passage | None:
    """Return how a model comes through terrain on its own path, if that hurts it."""
    if not piece.corners or not path.points:
        return None
    own, shape = path.path_of_model(footprint.centre), piece.shape
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
def refuse_room(
    state: State, places: Places, may_touch: Collection[str] = (), but: Iterable[str] = ()
) -> Refused | None:
    """Refuse places off the table, on another unit, in impassable terrain, or within an inch of an enemy.

    A charge may touch the enemies named in `may_touch`; the units named in `but` are not in the way.
    """
    names = [name for name, _ in places]
    for name, footprints in places:
        side = state.field.position(name).side
        obstacle = field_moves.room(
            state.field, footprints, side, *names, *but, clear=CLEAR_OF_ENEMIES, foes=may_touch, own=False
        )
        if obstacle is not None:
            return _refuse_place(name, obstacle)
    return None


def _refuse_place(name: str, obstacle: Obstacle) -> Refused:
    """Refuse a place in the words of the table."""
    by = {
        "edge": ("edge", "leave the table"),
        "enemy": ("enemy", f"come within an inch of {obstacle.name}"),
        "terrain": ("impassable", f"stand in {obstacle.name}, which is impassable"),
        "model": ("model", f"stand on {obstacle.name}"),
    }
    kind, what = by[obstacle.by]
    return Refused(f"{name} would {what}", "DL-0.1", kind)


@clause("DL-0.1")
def refuse_through(
    state: State, members: Iterable[BattleUnit], path: MovePath, may_touch: Collection[str] = ()
) -> Refused | None:
    """Refuse a path within an inch of an enemy, or through a friendly vehicle. Flyers pass over.

    A unit may move away from an enemy that is nearer than that at the start, but not through it.
    """
    members = tuple(members)
    names = [member.name for member in members]
    for member in members:
        footprints = state.footprints(member)
        if len(path.points) < 2 or not footprints or is_flyer(member):
            continue
        paths = [path.path_of_model(each.centre) for each in footprints]
        refused = refuse_way(state, member, footprints, paths, (*names, *may_touch))
        if refused is not None:
            return refused
    return None


@clause("DL-0.1")
def refuse_path_taken(state: State, members: Sequence[BattleUnit], path: MovePath) -> Refused | None:
    """Refuse a path that ends where there is no room for all, or leads through others."""
    return refuse_room(state, places_at_end(state, members, path)) or refuse_through(state, members, path)


@clause("DL-0.1")
def refuse_way(
    state: State, unit: BattleUnit, footprints: Sequence[Footprint], paths: Sequence[Path], but: Iterable[str]
) -> Refused | None:
    """Refuse the paths of models within an inch of an enemy, or through a friendly vehicle."""
    obstacle = field_moves.barred(state.field, footprints, paths, unit.side, *but, clear=CLEAR_OF_ENEMIES)
    if obstacle is None:
        return None
    how = "through" if obstacle.by == "model" else "through or within an inch of"
    return Refused(f"{unit.name} would pass {how} {obstacle.name}", "DL-0.1", "way")


def is_flyer(unit: BattleUnit) -> bool:
    """Return whether a unit passes over others, as in the base game."""
    if isinstance(unit, Vehicle):
        return "skimmer" in unit.profile.types
    return unit.type in ("jump_infantry", "jetbike")


@clause("DL-0.1")
def distance_to(
    state: State, unit: BattleUnit, other: BattleUnit, given: float | None, clause_id: str, unstated: float = 0.0
) -> float:
    """Return the inches between two units as the board shows them, else as they are given, else as `unstated`.

    What contradicts the board is refused. Characters in a unit count as its models.
    """
    claim = Claim(distance=given, sees=True, cover=0)
    company = characters_with(state, unit), characters_with(state, other)
    return measure(state.field, unit.name, other.name, claim, {"distance": clause_id}, company, unstated).distance


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


def characters_with(state: State, unit: BattleUnit) -> tuple[str, ...]:
    """Return the names of the characters in a unit."""
    return tuple(member.name for member in unit_and_characters(state, unit)[1:])


# --- setting up -------------------------------------------------------------------------------------------------------


def places_around(members: Sequence[Squad], at: geometry.Point) -> Places:
    """Return where a unit and its characters stand around a point, without overlaps."""
    return _shared(members, setup.rings(at, _models_in(members), _largest_base(members)))


@clause("DL-0.1")
def places_near(state: State, members: Sequence[Squad], at: geometry.Point, *hulls: Hull) -> Places:
    """Return where a unit and its characters stand as near to a point as there is room, within 2 inches of a hull.

    Without room for all of them there is nothing.
    """
    names = [member.name for member in members]
    count, side = _models_in(members), members[0].side
    bases = field_moves.nearest_room(
        state.field,
        at,
        count,
        _largest_base(members),
        side,
        *names,
        clear=CLEAR_OF_ENEMIES,
        coherency=COHERENCY,
        near=hulls,
    )
    return _shared(members, bases) if bases else ()


def _models_in(members: Sequence[Squad]) -> int:
    return sum(squad.count for squad in members)


def _largest_base(members: Sequence[Squad]) -> float:
    return max(squad.base for squad in members)


def _shared(members: Sequence[Squad], bases: Sequence[Base]) -> Places:
    """Return these places shared out among the models of a unit and its characters."""
    left = iter(bases)
    return tuple(
        (squad.name, tuple([Base(next(left).centre, squad.base) for _ in range(squad.count)])) for squad in members
    )
