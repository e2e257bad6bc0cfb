"""What properties compare: whole distributions, amount by amount, as exact fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from battletape.answer import Answer
from battletape.odds import Odds


def never_less(less: Answer, more: Answer, *measures: str) -> bool:
    """Return whether, for every amount of each measure, the chance of that much or more does not fall."""
    return all(is_at_most(less.odds(measure), more.odds(measure)) for measure in measures)


def is_at_most(less: Odds[Any], more: Odds[Any]) -> bool:
    """Return whether no amount is reached more often by the first."""
    amounts = {*less.weights, *more.weights}
    return all(at_least(less, amount) <= at_least(more, amount) for amount in amounts)


def at_least(odds: Odds[Any], amount: Any) -> Fraction:
    """Return the chance of an amount or more."""
    return sum((chance for value, chance in odds.fractions().items() if not value < amount), Fraction(0))


def alike(first: Answer, second: Answer, measures: Iterable[str] = ()) -> bool:
    """Return whether two answers have the same chances: those of these measures, or of all."""
    names = tuple(measures) or tuple(measure.name for measure in first.measures)
    return all(first.odds(name).fractions() == second.odds(name).fractions() for name in names)
