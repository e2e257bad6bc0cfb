"""Penetration: what a hit rolls and whether it glances or goes through."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from battletape.clauses import clause
from battletape.dice import D3, D6, Reading, highest
from battletape.dice import dice as sum_of
from battletape.rulesets.vehicles5.tables import PAIR
from battletape.rulesets.vehicles5.traits import Hit, PenDice
from battletape.tape import Tape

TWO_DICE = sum_of("2d6")
MORE_ON = 6
"""The face to which rending adds a D3."""
HIGHEST: Mapping[PenDice, int] = {"d6": 6, "higher_of_two": 6, "2d6": 12, "six_adds_d3": 9}
"""The most that the dice can show."""


@clause("V5-PEN-3", "V5-PEN-1", "V5-PEN-2", "V5-CORE-11", "V5-CORE-12")
def penetrate(tape: Tape, name: str, dice: PenDice, gap: int) -> Hit:
    """Roll the penetration of one hit against armour that is this much more than its strength."""
    label = labelled(name, "penetration")
    if dice == "higher_of_two":
        better: Hit = tape.pool(2, PAIR, higher_reading(gap), label=label, whole=highest)
        return better
    if dice == "2d6":
        both: Hit = tape.roll(TWO_DICE, hit_reading(gap), label=label)
        return both
    if dice == "d6":
        one: Hit = tape.roll(D6, hit_reading(gap), label=label)
        return one
    first: Hit | None = tape.roll(D6, _first_reading(gap), label=label)
    if first is not None:
        return first
    rest: Hit = tape.roll(D3, hit_reading(gap - MORE_ON), label=labelled(name, "D3 more"))
    return rest


@clause("V5-PEN-3")
def hit_of(gap: int, total: int) -> Hit:
    """What the dice do: less than the gap nothing, the gap itself a glance, more a penetration."""
    return "penetrate" if total > gap else "glance" if total == gap else "none"


@clause("V5-PEN-1")
def gap_between(av: int, strength: int, bonus: int = 0) -> int:
    """What the dice must show for a glance."""
    return av - strength - bonus


def halved(strength: int) -> int:
    """Half the strength, rounded down."""
    return strength // 2


@lru_cache(256)
def hit_reading(gap: int) -> Reading:
    """A die against the gap."""
    return Reading(lambda value: hit_of(gap, value), _needed(gap), good=("glance", "penetrate"))


@lru_cache(256)
def higher_reading(gap: int) -> Reading:
    """Each of two dice against the gap, of which the higher counts."""
    return Reading(lambda value: hit_of(gap, value), f"higher one: {_needed(gap)}")


@lru_cache(256)
def _first_reading(gap: int) -> Reading:
    """The first die of rending; a 6 says nothing yet."""
    needed = f"{_needed(gap)}; {MORE_ON} and a D3 more"
    return Reading(lambda value: None if value == MORE_ON else hit_of(gap, value), needed, {None: "and a D3"})


def _needed(gap: int) -> str:
    return f"glance {gap}, penetrate {gap + 1}+" if gap > 0 else "penetrates"


def labelled(name: str, what: str) -> str:
    """A question about one weapon."""
    return f"{name}: {what}" if name else what
