"""The budget of a reader: it stops in bounded time and memory, and says what it left out."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be explored: branches and steps in all, states kept at once, questions deep, sub-rules nested, seconds."""

    branches: int = 3_000_000
    states: int = 100_000
    depth: int = 96
    nesting: int = 60
    seconds: float | None = None


class Spent:
    """What has been used of a budget."""

    __slots__ = ("budget", "deadline", "over", "steps")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.steps = 0
        self.over = False
        self.deadline = None if budget.seconds is None else monotonic() + budget.seconds

    def one_more(self, steps: int = 1) -> bool:
        """Count work done; True when the budget is over."""
        self.steps += steps
        if self.steps > self.budget.branches:
            self.over = True
        elif self.deadline is not None and (steps > 1 or self.steps % 256 == 0) and monotonic() > self.deadline:
            self.over = True
        return self.over
