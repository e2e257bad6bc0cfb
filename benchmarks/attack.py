"""Topic attack: the full attack sequence of attack_dice through the public API, cold and warm."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import _lru_cache_wrapper
from math import comb
from typing import Any

from battletape.answer import Answer
from battletape.registry import ruleset
from benchmarks.race import Differs, Pace, race
from benchmarks.table import Table

INPUTS: dict[str, Any] = {
    "attacks": 20,
    "power": 6,
    "defence": 4,
    "armour": 5,
    "aegis": 6,
    "models": 5,
    "hp": 2,
    "dice": "dual",  # saves on D6s, as when the first times were taken
}
THROUGH = Fraction(7, 10) * Fraction(4, 6) * Fraction(5, 6)  # 3+ on a D10 numbered from 0, no 5+, no 6+
COLD_LIMIT, WARM_LIMIT = 0.005, 0.0005
KEPT = ("d", "_die", "fields", "read_clauses", "_own_book")  # what dice, types and files are: once in a process


def run(pace: Pace) -> Table:
    """Check the casualties against a binomial worked out by hand, then time both."""
    table = Table(
        "attack",
        "20 attack dice, Armour 5+ and AEGIS 6+, five two-HP models: ruleset.ask",
        "part of the time allowed",
    )
    check()
    cold = race({"": ask}, pace, before=forget)[""]
    warm = race({"": ask}, pace)[""]
    table.within("cold: no memo, no cache of a rule", "5 ms", cold, COLD_LIMIT)
    table.within("warm: asked before", "0.5 ms", warm, WARM_LIMIT)
    return table


def ask() -> Answer:
    """The question."""
    return ruleset("attack_dice").ask("attack", **INPUTS)


def check() -> None:
    """Each die takes one HP with the same chance, so casualties follow from a binomial."""
    dice, models, hp = INPUTS["attacks"], INPUTS["models"], INPUTS["hp"]
    expected: dict[int, Fraction] = {}
    for lost in range(dice + 1):
        fallen = min(lost // hp, models)
        chance = comb(dice, lost) * THROUGH**lost * (1 - THROUGH) ** (dice - lost)
        expected[fallen] = expected.get(fallen, Fraction(0)) + chance
    found = ask().odds("casualties").fractions()
    if found != expected:
        raise Differs(f"casualties of {INPUTS} are {found}, by hand {expected}")


def forget(system: str = "attack_dice") -> None:
    """Empty the memo and every cache of the rules, so that the next answer is worked out anew."""
    ruleset(system).memo.clear()
    for name, cache in caches():
        if name not in KEPT:
            cache.cache_clear()


def caches() -> Iterator[tuple[str, Any]]:
    """Every cache in the package, by name."""
    for home, module in list(sys.modules.items()):
        if home.partition(".")[0] == "battletape":
            named = vars(module).items()
            yield from ((name, found) for name, found in named if isinstance(found, _lru_cache_wrapper))
