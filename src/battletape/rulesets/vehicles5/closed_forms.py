"""The chances of single dice as plain sums, for what is expected of a volley and for the table of penetration."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from battletape.rulesets.vehicles5.tables import NEVER
from battletape.rulesets.vehicles5.traits import PenDice

SIXTH = Fraction(1, 6)


@lru_cache(64)
def reaches(needs: int, again: bool = False) -> Fraction:
    """The chance that a D6 shows the number needed (0: certain, 7: never), or does so when a miss is rolled again."""
    chance = Fraction(1) if needs == 0 else Fraction(max(0, NEVER - max(needs, 1)), 6)
    return 1 - (1 - chance) ** 2 if again else chance


@lru_cache(512)
def penetration(dice: PenDice, gap: int, again: bool = False) -> tuple[Fraction, Fraction]:
    """The chances of a glance and of a penetration of armour this much above the strength."""
    if dice == "six_adds_d3":
        steps = {**dict.fromkeys(range(1, 6), SIXTH), **dict.fromkeys((7, 8, 9), SIXTH / 3)}
    elif dice == "2d6":
        steps = {sum_: Fraction(6 - abs(7 - sum_), 36) for sum_ in range(2, 13)}
    elif dice == "higher_of_two":
        steps = {high: Fraction(2 * high - 1, 36) for high in range(1, 7)}
    else:
        steps = dict.fromkeys(range(1, 7), SIXTH)
    glance = steps.get(gap, Fraction(0))
    through = sum((chance for total, chance in steps.items() if total > gap), Fraction(0))
    spared = 1 - glance - through if again else Fraction(0)
    return glance * (1 + spared), through * (1 + spared)
