"""Vectors of deathwatch, package by package: a function for each question, and the words they all share."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from battletape.inputs import parse_inputs
from battletape.rulesets.deathwatch.rulings import Rulings

Given = dict[str, Any]


def text(chance: Fraction | int) -> str:
    """A chance as the vectors write it: 1/2, 0/1."""
    exact = Fraction(chance)
    return f"{exact.numerator}/{exact.denominator}"


def texts(chances: Mapping[Any, Fraction]) -> dict[str, str]:
    """A distribution as the vectors write it."""
    return {str(value): text(chance) for value, chance in chances.items()}


def rules(given: Given) -> Rulings:
    """The rulings that a vector asks for."""
    return parse_inputs(Rulings, given.get("options", {}))


def is_legal(answer: object) -> bool:
    """Whether the rules do not refuse."""
    return not isinstance(answer, Exception)
