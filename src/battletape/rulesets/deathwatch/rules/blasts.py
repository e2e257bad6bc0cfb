"""Blasts and flames: the units they reach, and where a missed blast lands."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, dist, radians, sin
from typing import NamedTuple, TypeAlias

from battletape.rulebook import D10, Die, Reading, Tape, at_most, cites, clause, d, labelled, plain, replace
from battletape.rulesets.deathwatch.rules import d100_tests
from battletape.rulesets.deathwatch.rules.attack.records import Attack, PreparedAttack
from battletape.rulesets.deathwatch.rulings import DEFAULT

SCATTER: tuple[tuple[Sequence[int], str, int], ...] = (
    (range(1, 2), "forward_left", -45),
    (range(2, 3), "forward", 0),
    (range(3, 4), "forward_right", 45),
    (range(4, 5), "left", -90),
    (range(5, 6), "right", 90),
    (range(6, 8), "back_left", -135),
    (range(8, 9), "back", 180),
    (range(9, 11), "back_right", 135),
)
"""The scatter diagram: the faces of a d10 for each direction, and its degrees clockwise from the line of fire."""
cites("DW-SCAT-1", where=f"{__name__}.SCATTER")
FLAME_ARC = 15.0  # degrees to either side
GroundPoint: TypeAlias = tuple[float, float]
Places: TypeAlias = tuple[tuple[str, GroundPoint], ...]  # units and their places


class Drift(NamedTuple):
    """How far and in which direction a missed blast lands from its mark."""

    direction: str
    metres: int


@clause("DW-SCAT-1", "DW-SCAT-2")
def landing(x: float, y: float, bearing: float, drift: Drift) -> GroundPoint:
    """Return where a missed blast fired along a bearing lands, in degrees clockwise from the y axis."""
    way = radians(bearing + next(degrees for _, direction, degrees in SCATTER if direction == drift.direction))
    return x + drift.metres * sin(way), y + drift.metres * cos(way)


def off_axis(bearing: float) -> float:
    """Return how many degrees a bearing lies off the line of aim, to either side."""
    return abs((bearing + 180) % 360 - 180)


@clause("DW-QUAL-FLAME")
def in_flames(distance: float, bearing: float, range_m: float) -> bool:
    """Return whether a point lies in the arc of a flame weapon: 15 degrees to either side, out to its range."""
    return 0 <= distance <= range_m and off_axis(bearing) <= FLAME_ARC


SCATTER_READING = Reading(
    {face: direction for faces, direction, _ in SCATTER for face in faces}.__getitem__,
    "scatter diagram",
    {direction: plain(direction) for _, direction, _ in SCATTER},
)


@clause("DW-SCAT-2", "DW-SCAT-1")
def roll_drift(tape: Tape, distance: str = DEFAULT.scatter_distance, name: str = "") -> Drift:
    """Roll where a missed blast lands: a direction and some metres."""
    direction = tape.roll(D10, SCATTER_READING, label=labelled(name, "scatter direction"))
    return Drift(direction, int(tape.roll(_die(distance), label=_metres(distance, name))))


@clause("DW-QUAL-BLAST")
def in_reach_of(blast: int) -> Reading:
    """Return a reading of metres: within a blast, or beyond it."""
    return at_most(blast)


@clause("DW-QUAL-BLAST")
def names_within(blast: int, centre: GroundPoint, places: Places) -> tuple[str, ...]:
    """Return the names of the units within a blast that lands there."""
    return tuple(name for name, place in places if in_reach_of(blast)(round(dist(place, centre), 6)))


@clause("DW-SCAT-1", "DW-SCAT-2")
def units_hit_by_scatter(
    tape: Tape, aimed_at: GroundPoint, bearing: float, spec: PreparedAttack, places: Places
) -> tuple[str, ...]:
    """Roll where a missed blast lands, and return the names of the units within it."""
    return names_within(spec.blast, landing(*aimed_at, bearing, tape.call(roll_drift, spec.scatter, spec.name)), places)


@clause("DW-SCAT-2")
def is_still_hit(tape: Tape, blast: int, distance: str = DEFAULT.scatter_distance, name: str = "") -> bool:
    """Roll whether the target of a missed blast is within it all the same."""
    die, reach = _die(distance), in_reach_of(blast)
    if reach(die.faces[0]) == reach(die.faces[-1]):
        return bool(reach(die.faces[0]))
    return bool(tape.roll(die, reach, label=_metres(distance, name)))


def _die(distance: str) -> Die:
    """Return the die of a distance such as 1d5."""
    return d(int(distance.rpartition("d")[2]))


def _metres(distance: str, name: str = "") -> str:
    return labelled(name, f"scatter metres ({distance.removeprefix('1')})")


@clause("DW-QUAL-BLAST", "DW-SCAT-2", "DW-QUAL-OVERHEATS")
def scatters(attack: Attack) -> bool:
    """Return whether a blast misses and scatters; with a jam, or an overheating that misses, it does not."""
    fired = attack.status == "miss" or (attack.status == "overheat" and attack.spec.overheat_may_hit)
    return fired and not attack.hits


@clause("DW-SCAT-2", "DW-QUAL-BLAST")
def scatter(tape: Tape, attack: Attack) -> Attack:
    """Let a blast that misses land some metres off; a target still within it is hit at a random place."""
    spec = attack.spec
    if not scatters(attack) or not is_still_hit(tape, spec.blast, spec.scatter, spec.name):
        return attack
    tape.tell("The blast still reaches the target")
    status = "struck" if attack.status == "miss" else attack.status
    return replace(attack, status=status, degrees=0, hits=1, first_spot="", landed=1)


@clause("DW-QUAL-FLAME", "DW-UNTR-2")
def dodge_flames(tape: Tape, attack: Attack) -> Attack:
    """Test Agility of the target in place of a roll to hit, easier if the attacker is untrained."""
    spec, defender = attack.spec, attack.spec.defender
    if d100_tests.roll_success(
        tape,
        defender.agility + spec.flame_bonus,
        labelled(defender.name, "agility (flames)"),
        spec.test_rulings,
        by="defender",
    ):
        return replace(attack, status="miss")
    return replace(attack, status="struck", hits=1, landed=1)
