"""Exact: walks every branch of a rule and merges equal results; whole numbers only, nothing is rounded.

A rule is run again and again. Each run follows an odometer over the questions the rule asked: the last question
takes its next answer, and when it has no more, the one before it does. Sub-rules (`call`) and folds (`each`) are
worked out once for each argument and then count as one die.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from math import gcd, lcm, log
from typing import Any

from battletape.odds import How, Odds
from battletape.tape import Rule
from battletape.tape.budget import GATHERED, MANY, OVER, Budget, Spent
from battletape.tape.folds import chain_from, fold_together, is_short, one_more
from battletape.tape.kernel import Asked, Kernel, StageCount, Tail
from battletape.tape.question import Ask, check_stages, frozen_states
from battletape.tape.volleys import volley_together
from battletape.tape.walk import Unexplored, Walk

Policy = Callable[[Ask], Any]
WHOLE = 1_000  # finished procedures kept
LONG = 16  # a branch of so many questions is as much work as two
AGAIN = (4, 16)  # a procedure that was cut short begins again with so many shares for a stage, if enough is left
SOON = 6  # most rules ask no more questions than this in one branch
DEPTHS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)


def first_option(ask: Ask) -> Any:
    """The policy that takes the first option."""
    return ask.options[0]


class Memo(dict[Any, Kernel]):
    """Kernels by rule and arguments, and whole procedures; forgets everything when it holds too many."""

    def __init__(self, most: int = 50_000) -> None:
        super().__init__()
        self.most = most
        self.whole: dict[Any, tuple[Kernel, tuple[StageCount, ...]]] = {}  # procedures run from start to end
        self.done: dict[Any, dict[Any, Any]] = {}  # of steps in two: what luck does to a state, and their kernels

    def clear(self) -> None:
        """Forget everything."""
        super().clear()
        self.whole.clear()
        self.done.clear()

    def keep(self, key: Any, kernel: Kernel) -> None:
        """Remember a kernel."""
        if len(self) >= self.most:
            self.clear()
        self[key] = kernel


class Exact:
    """The reader; `run` gives the odds of a procedure, `outcomes` those of a single rule."""

    def __init__(
        self,
        memo: Memo | None = None,
        budget: Budget | None = None,
        policy: Policy = first_option,
        *,
        floats: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.memo = Memo() if memo is None else memo
        self.cut_short = Memo()  # kernels the budget cut short stay with this reader: a larger budget finds more
        self.budget = budget or Budget()
        self.policy = policy
        self.floats = floats
        self.progress = progress
        self.spent = Spent(self.budget)
        self.idle: Walk | None = None
        self.depth = 0
        self.why = ""  # what the budget left out last

    def run(self, stages: Collection[Rule], state: Hashable) -> Odds[Any]:
        """The odds of the state after all stages."""
        check_stages(stages)
        with frozen_states():
            kernel, counts = self.stages(stages, state)
        return self.odds(kernel, counts)

    def odds(self, kernel: Kernel, counts: Sequence[StageCount] = ()) -> Odds[Any]:
        """A kernel as odds that say how they were computed."""
        how = How(
            "floats" if "floats" in kernel.paths else "exact",
            path=", ".join(sorted(kernel.paths - {"floats"})),
            branches=kernel.branches,
            states=sum(count.states for count in counts) or len(kernel.results),
            policy=_policy_words(self.policy) if kernel.chose else "",
            left_out=self.why if kernel.lost else "",
        )
        return Odds(kernel.results, kernel.total, how)

    def stages(self, stages: Collection[Rule], state: Hashable) -> tuple[Kernel, tuple[StageCount, ...]]:
        """Stage by stage, equal states merging between them; with branches and states counted for each."""
        key = (tuple(stages), state, self.policy, self.floats)
        known = self.memo.whole.get(key)
        if known is None:
            self.spent = Spent(self.budget)
            self.why = self.why if self.cut_short else ""
            known = self._stages(stages, state)
            for shares in AGAIN:  # what some stages did not need of theirs goes to those that need more
                if not known[0].lost or self.why != OVER or self.spent.is_gone:
                    break
                self.cut_short.clear()
                known = _fuller_of(known, self._stages(stages, state, shares))
            if not known[0].lost:  # a larger budget would find more
                if len(self.memo.whole) >= WHOLE:
                    self.memo.whole.clear()
                self.memo.whole[key] = known
        return known

    def _stages(
        self, stages: Collection[Rule], state: Hashable, shares: int = 1
    ) -> tuple[Kernel, tuple[StageCount, ...]]:
        now: dict[Any, int] = {state: 1}
        total, branches, chose = 1, 0, False
        paths: frozenset[str] = frozenset()
        counts: list[StageCount] = []
        for at, stage in enumerate(stages):
            self.spent.share(max((len(stages) - at) // shares, 1))
            if len(now) > MANY:  # where the budget ends early, the likeliest states have been explored
                now = dict(sorted(now.items(), key=lambda one: one[1], reverse=True))
            kernels, after, size = self._stage(stage, now, total)
            if not after and now and self.spent.over:  # too little for any of it: half of all that is left may do
                self.cut_short.clear()
                self.spent.share(2)
                kernels, after, size = self._stage(stage, now, total)
            now, total = self.prune(after), size
            asked = dict.fromkeys(raw for kernel in kernels for raw in kernel.asked)
            paths = paths.union(*(kernel.paths for kernel in kernels))
            walked = sum(kernel.branches for kernel in kernels)
            branches += walked
            chose = chose or any(kernel.chose for kernel in kernels)
            only = next(iter(now)) if len(now) == 1 else None
            counts.append(StageCount(stage, walked, len(now), tuple(Asked(*raw) for raw in asked), only))
            if self.progress is not None:
                self.progress(at + 1, len(stages))
        return Kernel(now, total, total - sum(now.values()), (), chose, branches, paths), tuple(counts)

    def _stage(self, stage: Rule, now: dict[Any, int], total: int) -> tuple[list[Kernel], dict[Any, int], int]:
        """One stage for all states: the kernels, and the states after it with their weights and total."""
        parts = self._together(stage, now, total)
        if parts is None:
            kernels = [self.outcomes(stage, one) for one in now]
            return (kernels, *_spread(now, kernels, total))
        return ([kernel for kernel, _ in parts], *_gathered(parts))

    def _together(self, stage: Rule, now: dict[Any, int], total: int) -> list[tuple[Kernel, dict[Any, int]]] | None:
        """All states of a stage at once, where it says how."""
        fold, volley = getattr(stage, "__fold__", None), getattr(stage, "__volley__", None)
        if fold is not None:
            return fold_together(self, stage, fold, now, total)
        return None if volley is None else volley_together(self, stage, volley, now, total)

    def outcomes(self, rule: Rule, *args: Hashable) -> Kernel:
        """Every result of a rule with its weight."""
        key = (rule, args, self.policy, self.floats)
        known = self._known(key)
        if known is not None:
            return known
        if self.spent.over or self.depth >= self.budget.nesting:
            self.left_out(OVER if self.spent.over else f"sub-rules nested deeper than nesting={self.budget.nesting:,}")
            return Kernel({}, 1, 1)
        self.depth += 1
        try:
            kernel = self._explore(rule, args)
        finally:
            self.depth -= 1
        self._keep(key, kernel)
        return kernel

    def chain(self, step: Rule, state: Hashable, items: tuple[Hashable, ...]) -> Kernel:
        """Fold a step over items; runs of equal items share their kernels."""
        key = (step, state, items, self.policy, self.floats)
        known = self._known(key)
        if known is not None:
            return known
        if is_short(items) and not self.floats:
            kernel = one_more(self, step, self.chain(step, state, items[:-1]), items[-1])
        else:
            kernel = chain_from(self, step, Kernel({state: 1}, 1, branches=0), items)
        kernel.lost = kernel.total - sum(kernel.results.values())
        self._keep(key, kernel)
        return kernel

    def _known(self, key: Any) -> Kernel | None:
        known = self.memo.get(key)
        return self.cut_short.get(key) if known is None and self.cut_short else known

    def _keep(self, key: Any, kernel: Kernel) -> None:
        if not self.spent.over:
            (self.cut_short if kernel.lost else self.memo).keep(key, kernel)

    def _explore(self, rule: Rule, args: tuple[Hashable, ...]) -> Kernel:
        """Every branch; of a rule that may go on for ever the short branches first, as they are the likely ones."""
        most = self.budget.depth
        kernel, cut = self._walk(rule, args, min(SOON, most), give_up=most > SOON)
        if not cut or most <= SOON:
            return kernel
        best, reached, wide, growth = Kernel({}, 1, 1), 0, 0.0, 0.0  # wide: branches, as a logarithm
        for depth in (*(one for one in DEPTHS if one < most), most):
            if wide + growth * (depth - reached) > log(
                max(self.spent.left // 2, 1)
            ):  # if it goes on widening as it did
                kernel, _ = self._walk(rule, args, most, give_up=bool(best.results))
                return _fuller(best, kernel)
            kernel, cut = self._walk(rule, args, depth)
            best = _fuller(best, kernel)
            if not cut or self.spent.over:
                break
            growth = (log(kernel.branches) - wide) / (depth - reached)
            wide, reached = log(kernel.branches), depth
        return best

    def _walk(
        self, rule: Rule, args: tuple[Hashable, ...], depth: int, *, give_up: bool = False
    ) -> tuple[Kernel, bool]:
        """The branches of so many questions, and whether one had more; `give_up` ends at the first that has."""
        walk = Walk(self, getattr(rule, "__clauses__", ())[:1], depth)
        results: dict[Any, int] = {}
        branches, total = 0, 1
        spent, advance, deep = self.spent, walk.advance, depth >= LONG
        limit, timed = spent.limit, spent.stop is not None
        while True:
            walk.at = 0
            try:
                value = rule(walk, *args)
            except Unexplored:
                if walk.cut and give_up:
                    branches += 1
                    break
            else:
                weight, scale = walk.weight, walk.scale
                tail = value if type(value) is Tail else None
                if tail is not None:
                    scale *= tail.kernel.total
                if scale != total:
                    if total % scale:  # finer than any branch so far: what was found moves onto that scale
                        finer = lcm(total, scale) // total
                        total *= finer
                        for other in results:
                            results[other] *= finer
                    weight *= total // scale
                if tail is None:
                    results[value] = results.get(value, 0) + weight
                else:
                    more = _gather(tail, weight, results)
                    branches += more
                    spent.steps += more // GATHERED
            branches += 1
            if not advance():
                break
            spent.steps += 1 + len(walk.frames) // LONG if deep else 1  # here: a call for every branch would be felt
            if (spent.steps > limit or timed) and spent.one_more(0):
                self.left_out(OVER)
                break
        if walk.cut and not give_up:
            self.left_out(f"branches of more questions than depth={depth:,}")
        shared = gcd(total, *results.values())
        if shared > 1:
            total //= shared
            results = {value: weight // shared for value, weight in results.items()}
        lost = total - sum(results.values())
        return Kernel(results, total, lost, tuple(walk.asked), walk.chose, branches, walk.paths), walk.cut

    def left_out(self, why: str) -> None:
        """Note what the budget left out; the first reason is the one that is told."""
        self.why = self.why or why

    def prune(self, now: dict[Any, int]) -> dict[Any, int]:
        """Past the budget of states only the heaviest go on; the rest counts as unexplored."""
        most = self.budget.states
        if len(now) <= most:
            return now
        self.left_out(f"{len(now):,} states, of which states={most:,} are kept")
        kept = sorted(now, key=now.__getitem__, reverse=True)[:most]
        return {value: now[value] for value in kept}


def _gather(tail: Tail, weight: int, results: dict[Any, int]) -> int:
    """Add what a rule makes of the results of its last question; how many branches these are beside the first."""
    closed, found = tail.closed, tail.kernel.results
    for one, ways in found.items():
        value = closed(one)
        results[value] = results.get(value, 0) + weight * ways
    return max(len(found) - 1, 0)


def _fuller_of(a: tuple[Kernel, Any], b: tuple[Kernel, Any]) -> tuple[Kernel, Any]:
    """Of two runs of one procedure the one that left out less."""
    return a if _fuller(a[0], b[0]) is a[0] else b


def _fuller(a: Kernel, b: Kernel) -> Kernel:
    """Of two walks of one rule the one that left out less."""
    return a if a.lost * b.total < b.lost * a.total else b


def _spread(now: dict[Any, int], kernels: Sequence[Kernel], total: int) -> tuple[dict[Any, int], int]:
    """One stage for every state: weights on a common scale, equal results merged."""
    common = lcm(*(kernel.total for kernel in kernels))
    after: dict[Any, int] = {}
    for weight, kernel in zip(now.values(), kernels, strict=True):
        factor = weight * (common // kernel.total)
        for value, ways in kernel.results.items():
            after[value] = after.get(value, 0) + factor * ways
    return after, total * common


def _gathered(parts: Sequence[tuple[Kernel, dict[Any, int]]]) -> tuple[dict[Any, int], int]:
    """The states of several kernels that already carry their weights, on a common scale as small as it can be."""
    common = lcm(*(kernel.total for kernel, _ in parts))
    after: dict[Any, int] = {}
    for kernel, states in parts:
        factor = common // kernel.total
        for value, weight in states.items():
            after[value] = after.get(value, 0) + weight * factor
    shared = gcd(common, *after.values())
    return {value: weight // shared for value, weight in after.items()}, common // shared


def _policy_words(policy: Policy) -> str:
    return f"choices by {getattr(policy, '__name__', 'policy').replace('_', ' ')}"
