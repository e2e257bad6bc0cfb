"""What is seen from where, what hides it, and the cover that it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import Struct

from battletape.field.state import Field, Footprint, Stand
from battletape.table import sight
from battletape.table.areas import Ground, is_inside
from battletape.table.distances import gap, overlaps
from battletape.table.facings import FacingModel
from battletape.table.hulls import Hull
from battletape.table.points import TOLERANCE
from battletape.table.sight import Eye, Wall

HALF = 0.5  # of a face, the usual share that must be hidden
Claims: TypeAlias = Callable[[Sequence[float]], bool]
"""Whether the hidden shares of all that is looked at, from every eye, make cover."""


class Screen(Struct, frozen=True):
    """A wall and the cover save of what it hides; 0 is none."""

    wall: Wall
    save: int = 4


def eyes_of(stand: Stand) -> tuple[Eye, ...]:
    """Where a unit looks from: the middle of each of its models."""
    return tuple(Eye(thing.centre, stand.top) for thing in stand.footprints)


@lru_cache(512)  # by the field alone: damage and dice do not change it
def _high(field: Field[Any], firer: str, target: str, through: bool) -> tuple[tuple[Ground | Hull, float, int], ...]:
    """What stands high between others, with its cover; a look may go `through` the ground that a target stands in."""
    own = field.stand(target).footprints if through else ()
    high: list[tuple[Ground | Hull, float, int]] = []
    for piece in field.outlined_terrain:
        if piece.top > 0 and not any(overlaps(thing, piece.shape) for thing in own):
            high.append((piece.shape, piece.top, piece.cover))
    for stand in field.on_table(firer, target):
        if stand.cover:
            high += ((hull, stand.top, stand.cover) for hull in stand.hulls)
    return tuple(high)


def screens(field: Field[Any], eye: Eye, firer: str, target: str) -> tuple[Screen, ...]:
    """What may give a target cover from an eye."""
    high = _high(field, firer, target, False)
    return tuple(Screen(wall, save) for thing, top, save in high for wall in sight.walls_of(eye, (thing,), top))


def sees(field: Field[Any], eye: Eye, firer: str, target: str) -> bool:
    """Whether any part of a target is in sight."""
    high = _high(field, firer, target, True)
    walls = tuple(wall for thing, top, _ in high for wall in sight.walls_of(eye, (thing,), top))
    stand = field.stand(target)
    if stand.hulls:
        return any(sight.can_see_vehicle(eye, hull, walls, height=stand.top) for hull in stand.hulls)
    for base in stand.bases:
        if gap(eye.at, base) <= TOLERANCE or sight.can_see(eye, [sight.round_face(eye, base, 0.0, stand.top)], walls):
            return True
    return False


def hidden_cover(
    field: Field[Any],
    eyes: Sequence[Eye],
    firer: str,
    target: str,
    claims: Claims = sight.claims_cover,
    model: FacingModel = "quarters",
) -> int:
    """The best cover save of a target by what stands before these eyes; 0 if there is none."""
    stand = field.stand(target)
    before = [screens(field, eye, firer, target) for eye in eyes]
    return best_screen(eyes, stand.hulls or stand.bases, stand.top, before, claims, model)


def best_screen(
    eyes: Sequence[Eye],
    things: Sequence[Footprint],
    top: float,
    before: Sequence[Sequence[Screen]],
    claims: Claims = sight.claims_cover,
    model: FacingModel = "quarters",
) -> int:
    """The best save of the screens before each eye that hide enough of these things; 0 if none does."""
    for save in sorted({screen.save for its in before for screen in its if screen.save}):
        walls = [tuple(screen.wall for screen in its if 0 < screen.save <= save) for its in before]
        pairs = zip(eyes, walls, strict=True)
        if claims([part for eye, its in pairs for part in _hidden(eye, things, top, its, model)]):
            return save
    return 0


def _hidden(
    eye: Eye, things: Sequence[Footprint], top: float, walls: Sequence[Wall], model: FacingModel
) -> Iterator[float]:
    for thing in things:
        if isinstance(thing, Hull):
            yield sight.hidden_facing(eye, thing, walls, height=top, model=model)
        elif gap(eye.at, thing) > TOLERANCE:
            yield sight.hidden_fraction(eye, sight.round_face(eye, thing, 0.0, top), walls)


def ground_cover(field: Field[Any], stand: Stand, middles: bool = False) -> int:
    """The best save of terrain that most of a unit stands in, by its bases or by their middles; 0 if there is none."""
    saves, things = [], stand.footprints
    for piece in field.outlined_terrain if things else ():
        if piece.cover:
            shape = piece.shape
            inside = sum(is_inside(shape, it.centre) if middles else overlaps(it, shape) for it in things)
            saves += [piece.cover] if 2 * inside > len(things) else []
    return min(saves, default=0)
