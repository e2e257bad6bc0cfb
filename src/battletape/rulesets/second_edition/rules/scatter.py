"""Scatter: the two dice of a shot that missed, how far the marker may go, and what it covers on every bearing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from battletape.rulebook import Face, Line, Reading, State, Tape, clause
from battletape.rulesets.second_edition.rules.dice import ARROW, ARTILLERY, HIT, MISFIRE, SCATTER
from battletape.rulesets.second_edition.rules.grenades import half_scatter
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.bearings import Arcs, arcs
from battletape.table.markers import Coverage, base_coverage
from battletape.table.points import Inches, Point, apart, step
from battletape.table.scatter import base_arcs

Fate: TypeAlias = Literal["", "hit", "stays", "moves", "dud", "on_shooter", "no_effect"]
"""The result for the marker; empty before the dice are rolled."""
FATES: dict[Fate, str] = {
    "hit": "on its aim",
    "stays": "missed, but the marker stays on its aim",
    "moves": "scatters",
    "dud": "a dud",
    "on_shooter": "goes off on the shooter",
    "no_effect": "out of range: no effect",
}
WHOLE_DEGREES = tuple(degree + 0.5 for degree in range(360))
"""The cuts between one whole degree and the next, where a new place has to be written down."""
NUMBER = Reading(lambda face: face, "")
MISFIRES = Reading(lambda face: MISFIRE if face == MISFIRE else 0, "")


class ScatterResult(State, frozen=True):
    """The result of the two dice: what becomes of a marker, and how far it moves."""

    fate: Fate
    inches: float = 0.0


class Landing(State, frozen=True):
    """The resting place of a marker: how much of every base it covers, and its bearing, if that is needed."""

    bases: tuple[Coverage, ...]
    bearing: int | None = None


@clause("SE-42", "SE-43", "SE-44", "SE-45", "SE-46", "SE-47", "SE-62")
def roll_scatter(tape: Tape, distance: float, thrown: bool = False, at_ground: bool = False) -> ScatterResult:
    """Roll both dice: an arrow with a number moves the marker, a Hit leaves it, a Misfire is a dud or worse."""
    face = tape.roll(SCATTER, label="scatter dice")
    number = tape.roll(ARTILLERY, NUMBER if face == ARROW else MISFIRES, label="artillery dice")
    result = scatter_result(face, number, distance, thrown, at_ground)
    if result.fate == "moves" and result.inches < number:
        tape.tell(shortened_line, number, result.inches, thrown)
    return result


@clause("SE-43", "SE-44", "SE-45", "SE-46", "SE-62")
def scatter_result(
    face: Face, number: Face, distance: float, thrown: bool = False, at_ground: bool = False
) -> ScatterResult:
    """Read the chart of the two dice; aimed at the ground, a Hit with a Misfire is a dud as well."""
    if number == MISFIRE:
        return ScatterResult("on_shooter" if face == HIT and not at_ground else "dud")
    if face == HIT:
        return ScatterResult("stays")
    return ScatterResult("moves", scatter_inches(int(number), distance, thrown))


@clause("SE-49", "SE-56")
def scatter_inches(number: int, distance: float, thrown: bool = False) -> float:
    """Return how far a marker moves: half the distance to the target at most; a grenade half the number."""
    return half_scatter(number) if thrown else min(float(number), distance / 2)


@clause("SE-10")
def distance_between(base: Base, other: Base, rulings: Rulings = DEFAULT) -> float:
    """Return the distance of two models: from edge to edge of their bases, unless middles are measured."""
    away = apart(base.centre, other.centre)
    return away if rulings.measuring == "centres" else max(0.0, away - base.radius - other.radius)


@clause("SE-39", "SE-40")
def coverage_at(marker: Base, bases: Sequence[Base]) -> tuple[Coverage, ...]:
    """Return how much of every base a marker covers where it lies, whosever model it is."""
    return tuple(base_coverage(marker, base) for base in bases)


@clause("SE-43", "SE-50", "SE-51", "SE-52", "SE-54")
def land_marker(
    tape: Tape,
    aim: Point,
    inches: float,
    marker: float,
    bases: tuple[Base, ...],
    placed: bool = False,
    label: str = "scatter direction",
) -> Landing:
    """Move a marker so far in a random direction; the compass is cut where a base becomes touched or covered.

    The cuts are exact, so are the odds of the models under it. With `placed` the place itself is wanted, and
    the bearing is told to the whole degree.
    """
    if not inches:
        return Landing(coverage_at(Base(aim, marker), bases))
    ways = landings(aim, inches, marker, bases, placed)
    return ways.statuses[tape.direction(ways.cuts, label=label)]


@lru_cache(4096)
def landings(aim: Point, inches: float, marker: float, bases: tuple[Base, ...], placed: bool = False) -> Arcs[Landing]:
    """Return what a marker covers after moving so far, for every direction."""
    ways = base_arcs(aim, inches, marker, bases)
    if not placed:
        return Arcs(ways.cuts, tuple(map(Landing, ways.statuses)))
    return arcs((*ways.cuts, *WHOLE_DEGREES), lambda angle: Landing(ways.at(angle), round(angle) % 360))


@clause("SE-43")
def marker_place(aim: Point, inches: Inches, landing: Landing) -> Point:
    """Return the place of a marker that went on a bearing given to the whole degree."""
    return aim if landing.bearing is None else step(aim, landing.bearing, inches)


# --- what is told ----------------------------------------------------------------------------------------------------


def shortened_line(number: int, moved: float, thrown: bool) -> Line:
    """Say why a marker scatters less far than the number of the die."""
    if thrown:
        return Line(f"{moved:g} of {number} inches: grenades scatter half as far", ("SE-55",))
    return Line(f"{round(moved, 2):g} of {number} inches: no farther than half the distance", ("SE-49",))
