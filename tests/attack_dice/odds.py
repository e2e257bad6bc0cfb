"""The odds of one Attack, read off the tape."""

from __future__ import annotations

from fractions import Fraction

from battletape import ruleset
from battletape.rulesets.attack_dice.rules.attack import successes
from battletape.rulesets.attack_dice.rules.requirement import Requirement
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings


def chance(entry: Requirement, modifier: int = 0, rulings: Rulings = DEFAULT) -> Fraction:
    """The chance that one Attack succeeds."""
    return successes(entry, modifier, rulings).at_least(1)


def expected(entry: Requirement, rulings: Rulings = DEFAULT) -> Fraction:
    """The successes that one Attack may expect."""
    return successes(entry, 0, rulings).mean


def chances(entry: str, **given: object) -> list[Fraction]:
    """The chance of each roll that one Attack needs, from the steps of the answer."""
    steps = ruleset("attack_dice").ask("chart", entry=entry, **given).steps
    return [step.chance for step in steps if step.chance is not None]
