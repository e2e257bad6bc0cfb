"""The budget of a reader, which bounds its time and memory; a reader says what it left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput

OVER = "more than its branches or seconds allow"
"""What an answer says if the budget ran out first."""

# What follows tunes the readers. None of it changes a chance; it changes how soon an answer comes, and, where a budget
# is too small for a question, which part of it is explored.

# Bounds of what a rule may ask.
MAX_POOL = 1_000_000  # dice in one pool: more are a slip of the pen
IDLE = 100_000  # questions with one answer in a row: a rule that asks more of them never ends

# How work is counted against a budget.
LOOK = 256  # steps between two looks at the clock, which costs as much as a step
GATHERED = 4  # so many results put together are as much work as a branch walked
CHUNK = 4_096  # so many results are put together between two looks at the budget
GRACE = 0.1  # seconds past the end of a budget in which what was found by then may still be put together
LONG = 16  # a branch of so many questions is as much work as two short ones

# What is explored first, where there may not be time for all.
MANY = 256  # from so many states on, the likeliest go first; fewer are soon done in any order
LITTLE = 0.3  # with less than this share of a budget left, beginning again would find no more
AGAIN = (4, 16)  # a procedure that was cut short begins again, a stage then getting so many shares of what is left
EARLY = 0.4  # where each step of a fold has its share, so much of that goes to its states, or to closing its ends
SOON = 6  # most rules ask no more questions than this in a branch: they are walked at once to their end
DEPTHS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # of a rule that asks more, the short branches go first
PART = 100  # for each so many branches that are left for a step of a fold, one state more is folded with others
FEWEST = 8  # but never fewer than these

# What is kept, and how folds are shared.
KEPT = 50_000  # results of rules that a memo holds before it begins anew
WHOLE = 1_000  # finished procedures that a memo holds before it begins anew
OFTEN = 4  # what was asked more often than this is kept for each state it is done to: it will be asked again
APART = 64  # but of more states than these the folds of all together are quicker than those of each
SHORT = 24  # a fold over at most so many items goes on from where a shorter one ended
RUN = 6  # unless more equal items than these follow each other, for which there is `chain`
DENSE = 1_000  # folds in floats: more states than this do without a matrix
HELD = 2  # a run so many times longer than any way through its states counts as a long one


class Budget(Struct, frozen=True):
    """How much may be explored: all branches, states kept at once, questions deep, sub-rules nested, seconds."""

    branches: int = 3_000_000
    states: int = 100_000
    depth: int = 96
    nesting: int = 60
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("branches", 1), ("states", 0), ("depth", 0), ("nesting", 0)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise BadInput(
                    f"{name} of a budget must be a whole number of {least} or more, got {value!r}", field=name
                )
        seconds = self.seconds
        fits = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds >= 0  # NaN is not
        if not fits and seconds is not None:
            raise BadInput(
                f"seconds of a budget must be a number of 0 or more, or None, got {seconds!r}", field="seconds"
            )

    def after(self, seconds: float) -> Budget:
        """What is left of it after this many seconds."""
        return self if self.seconds is None else replace(self, seconds=max(self.seconds - seconds, 0.0))


class Spent:
    """How much of a budget has been used; each stage gets a share, so that a large stage leaves some for the next."""

    __slots__ = ("budget", "closed", "deadline", "late", "limit", "look", "over", "stop", "steps")

    def __init__(self, budget: Budget) -> None:
        if not isinstance(budget, Budget):
            raise BadInput(f"a budget must be a Budget(branches=…, seconds=…), got {budget!r}")
        self.budget = budget
        self.steps, self.look = 0, LOOK  # so far, and when to look at the clock
        self.over = self.late = False
        self.closed = 0  # since the last look at the clock
        self.limit = budget.branches
        self.deadline = self.stop = None if budget.seconds is None else monotonic() + budget.seconds

    @property
    def is_gone(self) -> bool:
        """Whether too little is left to begin again."""
        late = self.deadline is not None and monotonic() > self.deadline - (self.budget.seconds or 0) * LITTLE
        return late or self.steps > self.budget.branches * (1 - LITTLE)

    @property
    def left(self) -> int:
        """What may still be spent."""
        return max(self.limit - self.steps, 0)

    def share(self, parts: int) -> None:
        """From here on, spend at most one part of what is left."""
        self.limit = self.steps + max(self.budget.branches - self.steps, 0) // parts
        if self.deadline is not None:
            now = monotonic()
            self.stop = now + max(self.deadline - now, 0) / parts
        self.over = self.late = False

    @contextmanager
    def part(self, share: float) -> Iterator[None]:
        """Within this block, spend at most this share of what is left; what follows has the rest."""
        limit, stop = self.limit, self.stop
        self.limit = self.steps + int(self.left * share)
        if stop is not None:
            now = monotonic()
            self.stop = now + max(stop - now, 0) * share
        try:
            yield
        finally:
            self.limit, self.stop = limit, stop
            self.over = self.steps > limit or (stop is not None and monotonic() > stop)
            self.late = self.late and self.over

    def too_late(self, closed: int) -> bool:
        """Count the work of combining results; True if there is no time even for that."""
        self.closed += closed
        if self.closed >= LOOK and self.stop is not None:
            self.closed, now = 0, monotonic()
            self.over, self.late = self.over or now > self.stop, now > self.stop + GRACE
        return self.late

    def one_more(self, steps: int = 1) -> bool:
        """Count work done; True when the budget is over."""
        self.steps += steps
        if self.steps > self.limit:
            self.over = True
        if self.stop is not None and self.steps >= self.look:
            self.look = self.steps + LOOK
            self.over = self.over or monotonic() > self.stop
        return self.over
