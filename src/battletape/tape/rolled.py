"""Rolled: seeded dice, recorded."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from types import NoneType
from typing import Any

from battletape.dice import Die, Face
from battletape.errors import BadInput
from battletape.tape.path import Path
from battletape.tape.question import Ask

Luck = Path | int | str | None
"""A tape of one path, or the seed of rolled dice; without either the dice are rolled anew."""
EXACT_FLOATS = 2**53  # heavier dice are thrown in whole numbers


class Rolled(Path):
    """Rolls real faces, keeps them for the log and shows the rule their meaning; choices take the first option.

    Unless a policy makes them: a function from the question to one of its options.
    """

    def __init__(self, seed: int | str | None = None, policy: Callable[[Ask], Any] | None = None) -> None:
        super().__init__()
        self.policy = policy
        if not isinstance(seed, (int, str, float, NoneType)):
            raise BadInput(f"a seed must be a whole number or a text, got {seed!r}")
        self.seed = seed
        self.luck = random.Random(seed)

    def begin(self, at: int, state: Any) -> None:
        """Tell the policy where play stands."""
        super().begin(at, state)
        policy_begin = getattr(self.policy, "begin", None)
        if policy_begin is not None:
            policy_begin(at, state)

    def answer(self, ask: Ask) -> Any:
        """Throw the dice, draw the bearing, or take an option."""
        if ask.die is not None:
            return self.throw(ask.die, ask.count) if ask.kind == "pool" else self.throw(ask.die, 1)[0]
        if ask.kind == "direction":
            return round(self.luck.random() * 360, 4) % 360
        if self.policy is not None:
            return self.policy(ask)
        self.by_default = True
        return ask.options[0]

    def throw(self, die: Die, count: int) -> tuple[Face, ...]:
        """Throw a number of dice."""
        if die.total == len(die.faces):
            return tuple(self.luck.choices(die.faces, k=count))
        if die.total < EXACT_FLOATS:
            return tuple(self.luck.choices(die.faces, die.weights, k=count))
        ends = tuple(accumulate(die.weights))
        return tuple(die.faces[bisect_right(ends, self.luck.randrange(die.total))] for _ in range(count))


def tape_of(luck: Luck) -> Path:
    """Return the tape that was given, or dice rolled with this seed."""
    return luck if isinstance(luck, Path) else Rolled(luck)
