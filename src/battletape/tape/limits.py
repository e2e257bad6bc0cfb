"""The budget of a reader, which bounds its time and memory; a reader says what it left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput

BRANCHES_SPENT = "more than its branches or seconds allow"
"""What an answer says if the budget ran out first."""
SECONDS_SPENT = "more than its seconds allow"
"""What it says if the seconds did."""
NEGLIGIBLE = Fraction(1, 2000)
"""Less than this may be left out without saying so: it changes no figure in the sentence."""

# These numbers tune the readers. None of them changes a chance. They change how fast an answer comes and, if a budget
# is too small for a question, which part of it is explored.

# Limits on what a rule may ask.
MAX_POOL = 1_000_000  # dice in one pool: more must be a typing error
MAX_FORCED_ANSWERS = 100_000  # questions with one answer in a row: a rule that asks more of them never ends

# How work is counted against a budget.
CLOCK_CHECK_STEPS = 64
"""Steps between two looks at the clock at most: one costs as much as a step, and steps may become slow."""
SLOW_STEP_SECONDS = 0.002  # seconds after which the next look at the clock comes sooner, because steps are slow
RESULTS_PER_BRANCH = 4  # combining this many results is as much work as walking a branch
RESULTS_PER_CHECK = 4_096  # how many results are combined between two looks at the budget
GRACE_SECONDS = 0.1  # seconds past the end of a budget in which results may still be combined, at most
GRACE_SHARE = 0.25  # share of a budget that those seconds are at most, because it may be divided among many options
OPTION_COST = 50  # to see where one option of a goal leads is as much work as walking this many branches
LONG_BRANCH_QUESTIONS = 16  # a branch of this many questions is as much work as two short ones
WIDE_WEIGHT_BITS = 16_384  # adding up weights of this many binary digits is twice as much work as adding up short ones
PRODUCT_BITS_PER_STEP = 10_000_000
"""Multiplying two weights, the product of whose binary digits is this, takes as long as a step."""
HEAVY_TALLY_BITS = 20_000  # a tally of a pool whose weight has this many binary digits counts as two states

# What a reader may take, if it is given no budget or has to divide one.
DEFAULT_SECONDS = 30.0  # seconds that an answer or advice may take if it is given no budget
ADVICE_BRANCHES = 500_000  # branches that advice on decisions may follow
LATER_CHOICE_BRANCHES = 100_000  # branches that may be followed to make the later choices of a question for its goal
PREVIEW_SECONDS = 10.0  # seconds that the odds of an action may take in a battle
SEEDED_ROLL_BRANCHES = 60_000
"""Branches that the choices of a seeded roll on the page may follow: no clock, so a seed is a roll."""
OUTCOME_BRANCHES = 5_000  # branches that are followed to list everything that choices can lead to
OUTCOME_SECONDS = 0.05  # seconds that such a list may take if none are left
MAX_OUTCOME_LISTS = 256  # such lists that are kept before they begin anew
OPTIONS_ALWAYS_OPENED = 3
"""Options of the first choice that are opened even if there is no time left; of later ones the first is."""
WEIGHING_SHARE = 0.5
"""Share of the seconds that weighing the options of a goal may take; the answer itself has the rest."""
OPTION_RUNS = 1_500
"""How often the stage that asks is walked to see what each option is worth, before they are estimated instead."""
OPTION_LATER_BRANCHES = 30_000  # branches that the stages after it may follow from each of their starts
OPTION_LATER_STATES = 2_000  # states that those stages may keep
OPTION_ROLLS = 300  # rolls that estimate what an option is worth

# What is explored first, if there may not be time for everything.
SORT_STATES_FROM = 256  # from this many states on, the likeliest go first; fewer are quick in any order
RESTART_SHARE = 0.3  # with less than this share of a budget left, it is not worth beginning again
RESTART_SHARES = (4, 16)  # a procedure that was cut short begins again, with this many shares for a stage
FOLD_STATES_SHARE = 0.4
"""If each step of a fold has a share, this part of it goes to its states, or to closing its ends."""
USUAL_DEPTH = 6  # most rules ask no more questions than this in a branch, and are walked to their end at once
DEPTHS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # if a rule asks more, its short branches go first
BRANCHES_PER_STATE = 100  # for every this many branches left for a step of a fold, one more state is folded with others
MIN_STATES_TOGETHER = 8  # however little is left of a budget, up to this many states are folded together

# What is kept, and how folds are shared.
MEMO_RESULTS = 50_000  # results of rules that a memo holds before it begins anew
MEMO_POOLS = 512  # pools as dice that are kept before they begin anew
MEMO_BEST_PLAYS = 64  # procedures followed by best play that a memo holds before it begins anew
READINGS = 2_000  # ways of reading (a policy, a lens) that a memo tells apart before it begins anew
MEMO_TREES = 2_000  # trees of sub-rules with choices that a memo holds before it begins anew
MEMO_PROCEDURES = 1_000  # finished procedures that a memo holds before it begins anew
KEEP_PER_STATE_AFTER = 4  # work asked for more often than this is kept for each state, because it will come again
FOLD_TOGETHER_FROM = 64
"""With more states than this, folding all of them together is quicker than keeping work for each."""
SHORT_FOLD_ITEMS = 24  # a fold over at most this many items continues from a shorter one
CHAIN_RUN_LENGTH = 6  # a fold in which more equal items than this follow each other is worked out by `chain`
MAX_MATRIX_STATES = 1_000  # folds in floats: with more states than this, no matrix is made
LONG_RUN_FACTOR = 2  # a run counts as long if it is this many times longer than any way through its states


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
        """Return what is left of it after this many seconds."""
        return self if self.seconds is None else replace(self, seconds=max(self.seconds - seconds, 0.0))


class Spent:
    """How much of a budget has been used; each stage gets a share, so that a large stage leaves some for the next."""

    __slots__ = (
        "budget", "closed", "deadline", "every", "grace", "last", "late", "limit", "look", "over", "stop", "steps",
    )  # fmt: skip

    def __init__(self, budget: Budget) -> None:
        if not isinstance(budget, Budget):
            raise BadInput(f"a budget must be a Budget(branches=…, seconds=…), got {budget!r}")
        self.budget = budget
        self.every = CLOCK_CHECK_STEPS  # work between two looks at the clock
        self.steps = 0
        self.over = self.late = False
        self.closed = 0  # work that is no step, since the last look at the clock
        self.limit = budget.branches
        self.last, self.deadline, self.grace = 0.0, None, 0.0
        if budget.seconds is not None:
            self.last = monotonic()
            self.deadline = self.last + budget.seconds
            self.grace = min(GRACE_SECONDS, budget.seconds * GRACE_SHARE)
            self.every = CLOCK_CHECK_STEPS // 4 if budget.seconds >= GRACE_SECONDS else 1
        self.stop: float | None = self.deadline
        self.look = self.every  # the step at which to look at the clock

    @property
    def is_gone(self) -> bool:
        """Whether too little is left to begin again."""
        late = self.deadline is not None and monotonic() > self.deadline - (self.budget.seconds or 0) * RESTART_SHARE
        return late or self.steps > self.budget.branches * (1 - RESTART_SHARE)

    @property
    def is_late(self) -> bool:
        """Whether the seconds ran out before the branches did."""
        return self.deadline is not None and self.steps <= self.budget.branches

    @property
    def left(self) -> int:
        """What may still be spent."""
        return max(self.limit - self.steps, 0)

    def share(self, parts: int) -> None:
        """Spend at most one part of what is left, from here on."""
        self.limit = self.steps + max(self.budget.branches - self.steps, 0) // parts
        if self.deadline is not None:
            now = monotonic()
            self.stop = now + max(self.deadline - now, 0) / parts
            self.over = self.late = now > self.deadline + self.grace
        else:
            self.over = self.late = False

    @contextmanager
    def part(self, share: float) -> Iterator[None]:
        """Spend at most this share of what is left within this block; what follows has the rest."""
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

    def is_over(self, work: int = 1) -> bool:
        """Count work that is no step; True when the time is over."""
        if self.stop is None:
            return False
        self.closed += work
        if self.closed >= self.every:
            self._look()
        return self.over

    def spend_past_end(self, work: int = 1) -> bool:
        """Count the work of combining results; True if there is no time even for that."""
        if self.stop is not None:
            self.closed += work
            if self.closed >= self.every:
                self._look()
        return self.late

    def spend_steps(self, steps: int = 1) -> bool:
        """Count work done; True when the budget is over."""
        self.steps += steps
        if self.steps > self.limit:
            self.over = True
        if self.stop is not None and self.steps >= self.look:
            self._look()
        return self.over

    def _look(self) -> None:
        """Look at the clock; where the work since the last look took long, the next one comes sooner."""
        assert self.stop is not None
        assert self.deadline is not None
        now = monotonic()
        if now - self.last > SLOW_STEP_SECONDS:
            self.every = max(self.every // 2, 1)
        elif self.every < CLOCK_CHECK_STEPS:
            self.every *= 2
        self.last, self.closed, self.look = now, 0, self.steps + self.every
        self.over, self.late = self.over or now > self.stop, now > min(self.stop, self.deadline) + self.grace
