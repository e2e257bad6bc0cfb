"""Grenades: how far they are thrown, how far they scatter, and what a misfire costs."""

from __future__ import annotations

from battletape.rulebook import clause
from battletape.rulesets.second_edition.tables.page import THROWS

GRENADES_EACH = 3
"""Grenades of each kind that a model carries, unless players say otherwise."""


@clause("SE-57")
def throw_range(strength: int) -> float:
    """Return how far a model of this Strength throws; beyond the end of the table no model throws farther."""
    return float(dict(THROWS).get(strength, THROWS[-1][1] if strength > THROWS[-1][0] else THROWS[0][1]))


@clause("SE-57", "SE-16")
def throw_bands(strength: int, short: float = 0.0, far: float = 0.0) -> tuple[float, float]:
    """Return where short and long range of a throw end: half way and as far as the Strength allows, unless given."""
    reach = far or throw_range(strength)
    return min(short, reach) or reach / 2, reach


@clause("SE-55")
def half_scatter(number: int) -> float:
    """Return how far a grenade scatters: half the number of the Artillery dice."""
    return number / 2


@clause("SE-58", "SE-48")
def grenades_left(carried: int, fate: str) -> int:
    """Return how many grenades of the kind the thrower has left: none after one went off in the hand."""
    return 0 if fate == "on_shooter" else max(carried - 1, 0)
