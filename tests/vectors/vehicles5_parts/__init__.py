"""Vectors of vehicles5, package by package: a function for each question, and the words they all share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from battletape.inputs import parse_inputs
from battletape.odds import Odds
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.traits import State, Traits
from battletape.tape.exact import Exact

Given = dict[str, Any]
DICE = {"d6": "d6", "ordnance": "higher_of_two", "melta": "2d6", "rending": "six_adds_d3"}
"""What the vectors call the dice of a penetration, and what we do."""


def text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def traits(given: Given, key: str = "vehicle") -> Traits:
    return Traits(**given.get(key, {}))


def state(given: Given, key: str = "state") -> State:
    own = State.__struct_fields__
    return State(**{name: value for name, value in given.get(key, {}).items() if name in own})


def dice_in_our_words(weapon: Given) -> Given:
    return {**weapon, "dice": DICE[weapon["dice"]]} if "dice" in weapon else weapon


def rules(given: Given) -> Rulings:
    return parse_inputs(Rulings, given.get("options", {}))


def odds_of(rule: Callable[..., Any], *args: Any) -> Odds[Any]:
    reader = Exact()
    return reader.odds(reader.outcomes(rule, *args))


def is_legal(answer: object) -> bool:
    return not isinstance(answer, Exception)
