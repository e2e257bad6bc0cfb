"""Squads: equal models under fire, who of them is aimed at, and who is left."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from battletape.rulebook import clause
from battletape.rulesets.second_edition.rules.attack import Condition

Line = tuple[tuple[Condition, int], ...]
"""The models still standing, alike ones together: in which condition, and how many; the most hurt come first."""
Way = Literal["one_by_one", "spread"]
"""Whom the next shot is aimed at: the model most hurt, or the one least hurt."""


def standing(line: Line) -> int:
    """How many models are left."""
    return sum(models for _, models in line)


def wounds_left(line: Line) -> int:
    """How many wounds they have between them."""
    return sum(state.wounds * models for state, models in line)


def set_on_fire(line: Line) -> int:
    """How many of them were set on fire just now."""
    return sum(models for state, models in line if state.lit)


def hits_on_vehicles(line: Line) -> int:
    """How many hits they have taken for armour penetration."""
    return sum(state.vehicle_hits * models for state, models in line)


@clause("SE-24")
def put(line: Line, state: Condition, models: int = 1) -> Line:
    """The line with these models in it as well; the dead are left out, and take nothing with them to the next."""
    if state.is_dead or not models:
        return line
    counts = dict(line)
    counts[state] = counts.get(state, 0) + models
    return tuple(sorted(counts.items(), key=hurt_first))


@lru_cache(4096)
def joined(line: Line, others: Line) -> Line:
    """Two lines as one."""
    for state, models in others:
        line = put(line, state, models)
    return line


def take_out(line: Line, state: Condition) -> Line:
    """The line without one model that is in this condition."""
    return tuple((other, models - (other == state)) for other, models in line if other != state or models > 1)


def aimed_at(line: Line, way: Way = "one_by_one") -> Condition:
    """The condition of the model that the next shot is aimed at."""
    return line[0][0] if way == "one_by_one" else line[-1][0]


def hurt_first(group: tuple[Condition, int]) -> tuple[int, int, int, int, str]:
    """The order of the line: fewest wounds, then the stronger fire, then more hits on the hull."""
    state = group[0]
    flame = state.on_fire
    if flame is None:
        return (state.wounds, 1, 0, -state.vehicle_hits, "")
    return (state.wounds, 0, -(flame.strength or 0), -state.vehicle_hits, flame.weapon)
