"""Lines of sight between units: what is seen, what hides it, and the cover that this gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from battletape.field.state import Battlefield, Footprint, Position
from battletape.rulebook import State
from battletape.table import sight
from battletape.table.areas import Ground, is_inside
from battletape.table.distances import gap, overlaps
from battletape.table.facings import FacingModel
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE
from battletape.table.sight import Eye, Wall

IsCover: TypeAlias = Callable[[Sequence[float]], bool]
"""Return whether the hidden shares of a target, from every eye, make cover."""


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


def is_flat(field: Battlefield[Any]) -> bool:
    """Return whether nothing can hide anything; a quick look that spares a long one."""
    return not any(piece.top for piece in field.terrain) and not any(each.cover for each in field.positions)


@lru_cache(512)  # damage and dice do not change it
def _obstructions(
    field: Battlefield[Any], firer: str, target: str, through: bool
) -> tuple[tuple[Ground | Hull, float, Cover], ...]:
    """Return what rises between two units; sight may go `through` the terrain that the target stands in."""
    own = field.position(target).footprints if through else ()
    found: list[tuple[Ground | Hull, float, Cover]] = []
    for piece in field.laid_terrain:
        if piece.top > 0 and not any(overlaps(footprint, piece.shape) for footprint in own):
            found.append((piece.shape, piece.top, Cover(piece.cover, piece.name)))
    for position in field.on_table(firer, target):
        if position.cover:
            cover = Cover(position.cover, position.name)
            found += ((hull, position.top, cover) for hull in position.hulls)
    return tuple(found)


def screens(field: Battlefield[Any], eye: Eye, firer: str, target: str) -> tuple[Screen, ...]:
    """Return the walls that may hide a target from an eye."""
    found = _obstructions(field, firer, target, False)
    return tuple(Screen(wall, cover) for shape, top, cover in found for wall in sight.walls_of(eye, (shape,), top))


def sees(field: Battlefield[Any], eye: Eye, firer: str, target: str) -> bool:
    """Return whether any part of a target is in sight of an eye."""
    found = _obstructions(field, firer, target, True)
    walls = tuple(wall for shape, top, _ in found for wall in sight.walls_of(eye, (shape,), top))
    position = field.position(target)
    if position.hulls:
        return any(sight.can_see_vehicle(eye, hull, walls, height=position.top) for hull in position.hulls)
    for base in position.bases:
        if gap(eye.at, base) <= TOLERANCE or sight.can_see(
            eye, [sight.round_face(eye, base, 0.0, position.top)], walls
        ):
            return True
    return False


def is_in_sight(field: Battlefield[Any], firer: Position, target: Position) -> bool:
    """Return whether any model of a unit sees any part of another; on flat ground every unit is seen."""
    return is_flat(field) or any(sees(field, eye, firer.name, target.name) for eye in eyes_of(firer))


# --- cover ------------------------------------------------------------------------------------------------------------


def best_cover(field: Battlefield[Any], covers: Iterable[Cover]) -> Cover:
    """Return the best of several covers: the lowest save, or the highest bonus."""
    return min((cover for cover in covers if cover.worth), key=_rank(field.cover_is), default=NO_COVER)


def _rank(cover_is: str) -> Callable[[Cover], int]:
    """Return the order in which covers are better."""
    return lambda cover: cover.worth if cover_is == "save" else -cover.worth


def cover_of(field: Battlefield[Any], firer: Position, target: Position, by: str = "middles") -> Cover:
    """Return the best cover of a target: of the terrain it stands in, or of what hides it."""
    hidden = NO_COVER if is_flat(field) else hidden_cover(field, eyes_of(firer), firer.name, target.name)
    return best_cover(field, (terrain_cover(field, target, by), hidden))


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
