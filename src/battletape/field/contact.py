"""The paths of a charge: one model goes into contact with the enemy, then each of the others as near as it can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from battletape.field.moves import Path, separate_paths
from battletape.field.state import Footprint
from battletape.rulebook import replace
from battletape.table.bases import Base
from battletape.table.distances import gap, is_within, nearest_point, overlaps
from battletape.table.points import TOLERANCE, Point, apart, bearing, step

TOUCH = 0.01  # inches between bases that are in contact, so that none stands on another
PATHS_TRIED = 40  # by which the first model might come into contact
AROUND = (0, *(sign * turn for turn in range(20, 180, 20) for sign in (1, -1)), 180)
"""Degrees around a footprint, from the side that a model comes from, at which it may stand beside it."""
SHORTER = 0.5  # inches by which a model that finds no room goes less far
OUTSIDE = 100.0  # inches; from so far out the nearest point of a hull lies on the side that is looked at

R = TypeVar("R")
Refuses: TypeAlias = Callable[[int, Point], R | None]
"""Why the charger of this number may not go straight to a place: too far, barred, no room there; None if it may."""


def into_contact(
    chargers: Sequence[Footprint],
    enemies: Sequence[Footprint],
    inches: float,
    refuse: Refuses[R],
    coherency: float = 2.0,
) -> tuple[Path, ...] | R:
    """Return the paths of a charge of at most these inches, or why no charger comes into contact.

    The first goes straight at the nearest enemy that it can reach. The others follow, the nearest first: into contact
    with an enemy that is still free, else with any, else beside those in contact, else as far as they can.
    """
    pairs = sorted(
        ((gap(charger, enemy), at, enemy) for at, charger in enumerate(chargers) for enemy in enemies),
        key=lambda pair: pair[0],
    )
    reasons: list[R] = []
    for between, at, enemy in pairs[:PATHS_TRIED]:
        end = place_in_contact(chargers[at], enemy, between)
        reason = refuse(at, end)
        if reason is None:
            return separate_paths(chargers, _all_ends(chargers, enemies, inches, refuse, coherency, (at, end)))
        reasons.append(reason)
    return reasons[0]


def formation_into_contact(chargers: Sequence[Footprint], enemies: Sequence[Footprint]) -> tuple[Path, ...]:
    """Return the paths of chargers that go straight on side by side until the first of them touches an enemy."""
    charger, enemy = min(((a, b) for a in chargers for b in enemies), key=lambda pair: gap(*pair))
    goal = nearest_point(charger.centre, enemy)
    heading = 0.0 if apart(charger.centre, goal) <= TOLERANCE else bearing(charger.centre, goal)
    way = gap(charger, enemy)
    return separate_paths(chargers, [step(each.centre, heading, way) for each in chargers])


def place_in_contact(charger: Footprint, enemy: Footprint, between: float) -> Point:
    """Return where a charger stands that has gone straight at an enemy this far away."""
    goal = nearest_point(charger.centre, enemy) if isinstance(charger, Base) else enemy.centre
    if between <= TOUCH:
        return charger.centre
    return step(charger.centre, bearing(charger.centre, goal), between - TOUCH)


def _all_ends(
    chargers: Sequence[Footprint],
    enemies: Sequence[Footprint],
    inches: float,
    refuse: Refuses[R],
    coherency: float,
    first: tuple[int, Point],
) -> list[Point]:
    """Return where all chargers end once the first has come into contact."""
    ends = {first[0]: first[1]}
    placed = [replace(chargers[first[0]], centre=first[1])]
    waiting = [at for at in range(len(chargers)) if at != first[0]]
    waiting.sort(key=lambda at: min(gap(chargers[at], enemy) for enemy in enemies))
    for number, at in enumerate(waiting):
        charger = chargers[at]
        taken = [*placed, *(chargers[later] for later in waiting[number + 1 :])]
        ends[at] = charger.centre  # it stays if there is no better place
        for end in _wanted_places(charger, placed, enemies, inches):
            if apart(charger.centre, end) > inches + TOLERANCE:
                continue
            there = replace(charger, centre=end)
            if (
                not any(overlaps(there, other) for other in taken)
                and any(is_within(there, other, coherency) for other in placed)
                and refuse(at, end) is None
            ):
                ends[at] = end
                break
        placed.append(replace(charger, centre=ends[at]))
    return [ends[at] for at in range(len(chargers))]


def _wanted_places(
    charger: Footprint, placed: Sequence[Footprint], enemies: Sequence[Footprint], inches: float
) -> Iterator[Point]:
    """Return where a charger should end, the best place first."""
    in_reach = [enemy for enemy in enemies if gap(charger, enemy) <= inches]
    free = [enemy for enemy in in_reach if not any(is_within(friend, enemy, TOUCH) for friend in placed)]
    for some in (free, [enemy for enemy in in_reach if enemy not in free]):
        for enemy in sorted(some, key=lambda enemy: gap(charger, enemy)):
            yield from places_beside(charger, enemy)
    friends = [friend for friend in placed if gap(charger, friend) <= inches]
    for friend in sorted(friends, key=lambda friend: _least(friend, enemies)):
        yield from sorted(places_beside(charger, friend), key=lambda end: _least(end, enemies))
    goal = min(enemies, key=lambda enemy: gap(charger, enemy))
    far = min(inches, gap(charger, goal) - TOUCH)
    while far > 0:
        yield step(charger.centre, bearing(charger.centre, goal.centre), far)
        far -= SHORTER


def _least(footprint: Footprint | Point, enemies: Sequence[Footprint]) -> float:
    return min(gap(footprint, enemy) for enemy in enemies)


def places_beside(charger: Footprint, other: Footprint) -> Iterator[Point]:
    """Return places in contact with a footprint, from the side that the charger comes from round to the other."""
    radius = charger.radius if isinstance(charger, Base) else max(charger.length, charger.width) / 2
    towards = bearing(other.centre, charger.centre)
    for turn in AROUND:
        out = step(other.centre, towards + turn, OUTSIDE)
        rim = nearest_point(out, other)
        yield step(rim, bearing(rim, out), radius + TOUCH)
