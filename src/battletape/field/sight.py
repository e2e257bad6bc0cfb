"""Lines of sight between units: what is seen, what hides it, and the cover that this gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from battletape.field.boxes import box_of, meet
from battletape.field.state import Battlefield, Footprint, Position, TerrainPiece
from battletape.rulebook import State
from battletape.table import sight
from battletape.table.areas import Ground, is_inside
from battletape.table.bases import Base
from battletape.table.distances import gap, overlaps
from battletape.table.facings import FacingModel
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE
from battletape.table.sight import Eye, Wall

T = TypeVar("T", bound=TerrainPiece)
IsCover: TypeAlias = Callable[[Sequence[float]], bool]
"""A rule that says whether hidden shares of a target, one from each eye, make cover."""
Obstruction: TypeAlias = "tuple[Ground | Hull, float, Cover]"
"""A shape that rises from the table, its top, and the cover that it gives."""


class Cover(NamedTuple):
    """What cover is worth, and the terrain or unit that gives it."""

    worth: int = 0  # 0 is none
    by: str = ""


NO_COVER = Cover()


class Screen(State, frozen=True):
    """A wall in a line of sight, and the cover it gives to what it hides."""

    wall: Wall
    cover: Cover = NO_COVER


def eyes_of(position: Position) -> tuple[Eye, ...]:
    """Return the eyes of a unit: one above the middle of each footprint."""
    return tuple(Eye(footprint.centre, position.top) for footprint in position.footprints)


def obstructions(
    field: Battlefield[T], firer: Position, target: Position, *eyes: Eye, through: bool = False
) -> tuple[Obstruction, ...]:
    """Return what rises between two units, or between these eyes of the first and the second.

    Sight may go `through` the terrain that the target stands in.
    """
    terrain, hiding = _rising(field)
    if not terrain and not hiding:
        return ()  # as on most tables without terrain
    names = (firer.name, target.name)
    others = tuple([each for each in hiding if each.name not in names])
    return _between(terrain, others, firer, target, eyes, through)


@lru_cache(64)  # asked for every shot that could be fired
def _rising(field: Battlefield[T]) -> tuple[tuple[T, ...], tuple[Position, ...]]:
    """Return the terrain and the units that rise into lines of sight."""
    terrain = tuple(piece for piece in field.terrain if piece.top > 0 and piece.corners)
    return terrain, tuple(each for each in field.positions if each.cover and each.hulls)


@lru_cache(2048)  # damage and dice change nothing of it, nor does a unit elsewhere
def _between(
    terrain: tuple[TerrainPiece, ...],
    hiding: tuple[Position, ...],
    firer: Position,
    target: Position,
    eyes: tuple[Eye, ...],
    through: bool,
) -> tuple[Obstruction, ...]:
    """Return what rises in the box around both units, for no line of sight leaves it."""
    ends = (*firer.footprints, *firer.hulls, *target.footprints, *target.hulls)
    around = box_of((*ends, *(Base(eye.at, 0.0) for eye in eyes)))
    found: list[Obstruction] = []
    for piece in terrain:
        if not meet(around, box_of((piece.shape,))):
            continue
        if not (through and any(overlaps(each, piece.shape) for each in target.footprints)):
            found.append((piece.shape, piece.top, Cover(piece.cover, piece.name)))
    for position in hiding:
        if meet(around, box_of(position.hulls)):
            cover = Cover(position.cover, position.name)
            found += ((hull, position.top, cover) for hull in position.hulls)
    return tuple(found)


def screens(field: Battlefield[Any], eye: Eye, firer: str, target: str) -> tuple[Screen, ...]:
    """Return the walls that may hide a target from an eye of a unit."""
    return _screens(eye, obstructions(field, field.position(firer), field.position(target), eye))


def _screens(eye: Eye, found: Sequence[Obstruction]) -> tuple[Screen, ...]:
    return tuple(Screen(wall, cover) for shape, top, cover in found for wall in sight.walls_of(eye, (shape,), top))


def sees(field: Battlefield[Any], eye: Eye, firer: str, target: str) -> bool:
    """Return whether any part of a target is in sight of an eye of a unit."""
    aim = field.position(target)
    return _sees(eye, obstructions(field, field.position(firer), aim, eye, through=True), aim)


def _sees(eye: Eye, found: Sequence[Obstruction], target: Position) -> bool:
    walls = tuple(wall for shape, top, _ in found for wall in sight.walls_of(eye, (shape,), top))
    if target.hulls:
        return any(sight.can_see_vehicle(eye, hull, walls, height=target.top) for hull in target.hulls)
    for base in target.bases:
        if gap(eye.at, base) <= TOLERANCE or sight.can_see(eye, [sight.round_face(eye, base, 0.0, target.top)], walls):
            return True
    return False


def is_in_sight(field: Battlefield[Any], firer: Position, target: Position) -> bool:
    """Return whether any model of a unit sees any part of another."""
    return _is_in_sight(obstructions(field, firer, target, through=True), firer, target)


@lru_cache(2048)
def _is_in_sight(found: tuple[Obstruction, ...], firer: Position, target: Position) -> bool:
    return not found or any(_sees(eye, found, target) for eye in eyes_of(firer))


# --- cover ------------------------------------------------------------------------------------------------------------


def best_cover(field: Battlefield[Any], covers: Iterable[Cover]) -> Cover:
    """Return the best of several covers: the lowest save, or the highest bonus."""
    return min((cover for cover in covers if cover.worth), key=_rank(field.cover_is), default=NO_COVER)


def _rank(cover_is: str) -> Callable[[Cover], int]:
    """Return the order in which covers are better."""
    return lambda cover: cover.worth if cover_is == "save" else -cover.worth


def cover_of(field: Battlefield[Any], firer: Position, target: Position, by: str = "middles") -> Cover:
    """Return the best cover of a target: of the terrain it stands in, or of what hides it."""
    hidden = _hidden_cover(obstructions(field, firer, target), firer, target, field.cover_is)
    return best_cover(field, (terrain_cover(field, target, by), hidden))


@lru_cache(2048)
def _hidden_cover(found: tuple[Obstruction, ...], firer: Position, target: Position, cover_is: str) -> Cover:
    """Return the best cover that a target has by what stands between it and the eyes of a unit."""
    if not any(cover.worth for _, _, cover in found):
        return NO_COVER
    eyes = eyes_of(firer)
    before = [_screens(eye, found) for eye in eyes]
    return best_screen(eyes, target.hulls or target.bases, target.top, before, cover_is=cover_is)


def terrain_cover(field: Battlefield[Any], position: Position, by: str = "bases") -> Cover:
    """Return the best cover of the terrain that most of a unit stands in, by its `bases` or their `middles`."""
    footprints = position.footprints
    found = []
    for piece in field.laid_terrain if footprints else ():
        if piece.cover:
            shape = piece.shape
            touching = (
                is_inside(shape, each.centre) if by == "middles" else overlaps(each, shape) for each in footprints
            )
            if 2 * sum(touching) > len(footprints):
                found.append(Cover(piece.cover, piece.name))
    return best_cover(field, found)


def hidden_cover(
    field: Battlefield[Any],
    eyes: Sequence[Eye],
    firer: str,
    target: str,
    is_cover: IsCover = sight.claims_cover,
    model: FacingModel = "quarters",
) -> Cover:
    """Return the best cover that a target has by what stands between it and these eyes."""
    position = field.position(target)
    before = [screens(field, eye, firer, target) for eye in eyes]
    seen = position.hulls or position.bases
    return best_screen(eyes, seen, position.top, before, is_cover, model, field.cover_is)


def best_screen(
    eyes: Sequence[Eye],
    footprints: Sequence[Footprint],
    top: float,
    before: Sequence[Sequence[Screen]],
    is_cover: IsCover = sight.claims_cover,
    model: FacingModel = "quarters",
    cover_is: str = "save",
) -> Cover:
    """Return the best cover by the screens before each eye, of those that together hide enough of a target."""
    rank = _rank(cover_is)
    known = {screen.cover for screens in before for screen in screens if screen.cover.worth}
    for cover in sorted(known, key=lambda cover: (rank(cover), cover.by)):
        walls = [tuple(each.wall for each in screens if _counts(each.cover, cover, rank)) for screens in before]
        pairs = zip(eyes, walls, strict=True)
        if is_cover([share for eye, its in pairs for share in _hidden_shares(eye, footprints, top, its, model)]):
            return cover
    return NO_COVER


def _counts(cover: Cover, wanted: Cover, rank: Callable[[Cover], int]) -> bool:
    """Return whether a screen gives this cover or a better one."""
    return cover.worth > 0 and rank(cover) <= rank(wanted)


def _hidden_shares(
    eye: Eye, footprints: Sequence[Footprint], top: float, walls: Sequence[Wall], model: FacingModel
) -> Iterator[float]:
    """Return the hidden share of each footprint."""
    for footprint in footprints:
        if isinstance(footprint, Hull):
            yield sight.hidden_facing(eye, footprint, walls, height=top, model=model)
        elif gap(eye.at, footprint) > TOLERANCE:
            yield sight.hidden_fraction(eye, sight.round_face(eye, footprint, 0.0, top), walls)
