"""The budget of a reader: it stops in bounded time and memory, and says what it left out."""

from __future__ import annotations

from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput

OVER = "more than its branches or seconds allow"
MANY = 256  # where the budget may end early, states as many as this go on likeliest first
LITTLE = 0.3  # such a share of a budget is not worth a new beginning
LOOK = 256  # steps between two looks at the clock
GATHERED, CHUNK = 4, 4_096  # so many results gathered are as much work as a branch, and so many go between two looks


class Budget(Struct, frozen=True):
    """How much may be explored: branches in all, states kept at once, questions deep, sub-rules nested, seconds."""

    branches: int = 3_000_000
    states: int = 100_000
    depth: int = 96
    nesting: int = 60
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("branches", 1), ("states", 0), ("depth", 0), ("nesting", 0)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise BadInput(f"{name} of a budget wants a whole number of {least} or more, got {value!r}", field=name)
        seconds = self.seconds
        fits = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds >= 0  # NaN is not
        if not fits and seconds is not None:
            raise BadInput(
                f"seconds of a budget wants a number of 0 or more, or None, got {seconds!r}", field="seconds"
            )

    def after(self, seconds: float) -> Budget:
        """What is left of it when so much time has passed."""
        return self if self.seconds is None else replace(self, seconds=max(self.seconds - seconds, 0.0))


class Spent:
    """What has been used of a budget; each stage gets its share, so that a stage too large leaves some for the next."""

    __slots__ = ("budget", "deadline", "limit", "look", "over", "stop", "steps")

    def __init__(self, budget: Budget) -> None:
        if not isinstance(budget, Budget):
            raise BadInput(f"a budget wants to be a Budget(branches=…, seconds=…), got {budget!r}")
        self.budget = budget
        self.steps, self.look = 0, LOOK  # so far, and when to look at the clock
        self.over = False
        self.limit = budget.branches
        self.deadline = self.stop = None if budget.seconds is None else monotonic() + budget.seconds

    @property
    def is_gone(self) -> bool:
        """Whether too little is left of the whole to begin again."""
        late = self.deadline is not None and monotonic() > self.deadline - (self.budget.seconds or 0) * LITTLE
        return late or self.steps > self.budget.branches * (1 - LITTLE)

    @property
    def left(self) -> int:
        """What may still be spent."""
        return max(self.limit - self.steps, 0)

    def share(self, parts: int) -> None:
        """From here on, spend at most this part of what is left."""
        self.limit = self.steps + max(self.budget.branches - self.steps, 0) // parts
        if self.deadline is not None:
            now = monotonic()
            self.stop = now + max(self.deadline - now, 0) / parts
        self.over = False

    def one_more(self, steps: int = 1) -> bool:
        """Count work done; True when the budget is over."""
        self.steps += steps
        if self.steps > self.limit:
            self.over = True
        if self.stop is not None and self.steps >= self.look:
            self.look = self.steps + LOOK
            self.over = self.over or monotonic() > self.stop
        return self.over
