"""A tape of dice in one flat list, in the order they are thrown, and how many of them were used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battletape.tape.path import Path
from battletape.tape.question import Ask


class FlatDice(Path):
    """Answers each question with the next dice of the list."""

    def __init__(self, dice: Sequence[int]) -> None:
        super().__init__()
        self.dice = tuple(dice)
        self.used = 0

    def answer(self, ask: Ask) -> Any:
        """The next die, or as many as a pool needs."""
        count = ask.count if ask.kind == "pool" else 1
        found = self.dice[self.used : self.used + count]
        if len(found) < count:
            raise AssertionError(f"{ask.label} needs {count} dice, and only {len(found)} are left")
        self.used += count
        return found if ask.kind == "pool" else found[0]
