"""Exact: walks every branch of a rule and merges equal results; whole numbers only, nothing is rounded.

A rule is run again and again. Each run follows an odometer over the questions the rule asked: the last question
takes its next answer, and when it has no more, the one before it does. Sub-rules (`call`) and folds (`each`) are
worked out once for each argument and then count as one die.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from fractions import Fraction
from math import comb, gcd, lcm
from typing import Any, TypeVar

from battletape.dice import Die, face, seen
from battletape.errors import BattletapeError
from battletape.odds import How, Odds
from battletape.tape import Read, Rule
from battletape.tape.budget import Budget, Spent
from battletape.tape.chain import repeat
from battletape.tape.kernel import Asked, Kernel, RawAsk, StageCount
from battletape.tape.question import Ask, Tally, check_count, check_cuts

S = TypeVar("S", bound=Hashable)
Policy = Callable[[Ask], Any]
BEARING_PARTS = 2**32
WHOLE = 1_000  # finished procedures kept


def first_option(ask: Ask) -> Any:
    """The policy that takes the first option."""
    return ask.options[0]


class _Unexplored(Exception):  # noqa: N818  (a signal between tape and reader, not an error)
    """This branch is too deep to follow."""


class Memo(dict[Any, Kernel]):
    """Kernels by rule and arguments, and whole procedures; forgets everything when it holds too many."""

    def __init__(self, most: int = 50_000) -> None:
        super().__init__()
        self.most = most
        self.whole: dict[Any, tuple[Kernel, tuple[StageCount, ...]]] = {}  # procedures run from start to end

    def clear(self) -> None:
        """Forget everything."""
        super().clear()
        self.whole.clear()

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
        self.depth = 0

    def run(self, stages: Sequence[Rule], state: Hashable) -> Odds[Any]:
        """The odds of the state after all stages."""
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
        )
        return Odds(kernel.results, kernel.total, how)

    def stages(self, stages: Sequence[Rule], state: Hashable) -> tuple[Kernel, tuple[StageCount, ...]]:
        """Stage by stage, equal states merging between them; with branches and states counted for each."""
        key = (tuple(stages), state, self.policy, self.floats)
        known = self.memo.whole.get(key)
        if known is None:
            known = self._stages(stages, state)
            if not known[0].lost:  # a larger budget would find more
                if len(self.memo.whole) >= WHOLE:
                    self.memo.whole.clear()
                self.memo.whole[key] = known
        return known

    def _stages(self, stages: Sequence[Rule], state: Hashable) -> tuple[Kernel, tuple[StageCount, ...]]:
        now: dict[Any, int] = {state: 1}
        total, branches, chose = 1, 0, False
        paths: frozenset[str] = frozenset()
        counts: list[StageCount] = []
        for at, stage in enumerate(stages):
            kernels = [self.outcomes(stage, one) for one in now]
            now, total = _spread(now, kernels, total)
            now = self._prune(now)
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

    def outcomes(self, rule: Rule, *args: Hashable) -> Kernel:
        """Every result of a rule with its weight."""
        key = (rule, args, self.policy, self.floats)
        known = self._known(key)
        if known is not None:
            return known
        if self.spent.over or self.depth >= self.budget.nesting:
            return Kernel({}, 1, 1)
        self.depth += 1
        try:
            kernel = self._walk(rule, args)
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
        kernel = Kernel({state: 1}, 1, branches=0)
        for item, times in _runs(items):
            kernel = repeat(self, step, kernel, item, times)
            kernel.results = self._prune(kernel.results)
        kernel.lost = kernel.total - sum(kernel.results.values())
        self._keep(key, kernel)
        return kernel

    def _known(self, key: Any) -> Kernel | None:
        known = self.memo.get(key)
        return self.cut_short.get(key) if known is None and self.cut_short else known

    def _keep(self, key: Any, kernel: Kernel) -> None:
        if not self.spent.over:
            (self.cut_short if kernel.lost else self.memo).keep(key, kernel)

    def _walk(self, rule: Rule, args: tuple[Hashable, ...]) -> Kernel:
        walk = _Walk(self, getattr(rule, "__clauses__", ())[:1])
        results: dict[Any, int] = {}
        branches, total = 0, 1
        spent = self.spent
        while True:
            walk.at = 0
            try:
                value = rule(walk, *args)
            except _Unexplored:
                pass
            else:
                weight, scale = walk.weight, walk.scale
                if scale != total:
                    if total % scale:  # finer than any branch so far: what was found moves onto that scale
                        finer = lcm(total, scale) // total
                        total *= finer
                        for other in results:
                            results[other] *= finer
                    weight *= total // scale
                results[value] = results.get(value, 0) + weight
            branches += 1
            if not walk.advance() or spent.one_more():
                break
        shared = gcd(total, *results.values())
        if shared > 1:
            total //= shared
            results = {value: weight // shared for value, weight in results.items()}
        lost = total - sum(results.values())
        return Kernel(results, total, lost, tuple(walk.asked), walk.chose, branches, walk.paths)

    def _prune(self, now: dict[Any, int]) -> dict[Any, int]:
        """Past the budget of states only the heaviest go on; the rest counts as unexplored."""
        most = self.budget.states
        if len(now) <= most:
            return now
        kept = sorted(now, key=now.__getitem__, reverse=True)[:most]
        return {value: now[value] for value in kept}


class _Walk:
    """The tape of one walk: an odometer over the questions asked."""

    __slots__ = ("answers", "asked", "at", "chose", "clauses", "frames", "most", "paths", "reader", "scale", "weight")

    def __init__(self, reader: Exact, clauses: tuple[str, ...]) -> None:
        self.reader, self.clauses = reader, clauses
        self.answers: list[Any] = []
        self.frames: list[list[Any]] = []  # faces, weights, digit, weight before, scale after
        self.weight = self.scale = 1
        self.asked: dict[RawAsk, None] = {}
        self.paths: frozenset[str] = frozenset()
        self.chose = False
        self.at = 0
        self.most = reader.budget.depth

    def advance(self) -> bool:
        """Turn the odometer to the next branch; False when all are done."""
        frames, answers = self.frames, self.answers
        while frames:
            frame = frames[-1]
            faces, weights, digit, before, scale = frame
            digit += 1
            if digit < len(faces):
                frame[2] = digit
                answers[-1] = faces[digit]
                self.weight, self.scale = before * weights[digit], scale
                return True
            frames.pop()
            answers.pop()
        return False

    def _open(self, faces: tuple[Any, ...], weights: tuple[int, ...], total: int) -> Any:
        if len(self.frames) >= self.most or not faces:
            raise _Unexplored
        self.scale *= total
        self.frames.append([faces, weights, 0, self.weight, self.scale])
        self.weight *= weights[0]
        found = faces[0]
        self.answers.append(found)
        return found

    def _kernel(self, kernel: Kernel) -> Any:
        self.chose = self.chose or kernel.chose
        self.paths |= kernel.paths
        for raw in kernel.asked:
            self.asked[raw if raw[4] else (*raw[:4], self.clauses)] = None
        return self._open(tuple(kernel.results), tuple(kernel.results.values()), kernel.total)

    def roll(self, die: Die, read: Read = face, *, label: str) -> Any:
        at = self.at
        self.at = at + 1
        if at < len(self.answers):
            return self.answers[at]
        self.asked["roll", label, die, read, self.clauses] = None
        shown = seen(die, read)
        return self._open(shown.faces, shown.weights, shown.total)

    def pool(self, count: int, die: Die, read: Read = face, *, label: str) -> Tally:
        check_count(count, label)
        if not count:
            return Tally()
        at = self.at
        self.at = at + 1
        if at < len(self.answers):
            known: Tally = self.answers[at]
            return known
        self.asked["pool", label, die, read, self.clauses] = None
        if pool_size(count, die, read) > self.reader.budget.states:
            raise _Unexplored
        shown = pool_die(count, die, read)
        opened: Tally = self._open(shown.faces, shown.weights, shown.total)
        return opened

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        fixed = check_cuts(cuts, label)
        if len(fixed) < 2:
            return 0
        at = self.at
        self.at = at + 1
        if at < len(self.answers):
            known: int = self.answers[at]
            return known
        self.asked["direction", label, None, face, self.clauses] = None
        weights, total = arcs(fixed)
        arc: int = self._open(tuple(range(len(fixed))), weights, total)
        return arc

    def choose(self, options: Sequence[Any], *, by: str, label: str) -> Any:
        if len(options) == 1:
            return options[0]
        self.chose = True
        ask = Ask("choose", label, options=tuple(options), by=by, clauses=self.clauses)
        self.asked["choose", label, None, face, self.clauses] = None
        chosen = self.reader.policy(ask)
        if chosen not in ask.options:
            raise BattletapeError(f"the policy chose {chosen!r} at {label}, which offers {ask.domain}")
        return chosen

    def call(self, rule: Rule, *args: Any) -> Any:
        at = self.at
        self.at = at + 1
        return self.answers[at] if at < len(self.answers) else self._kernel(self.reader.outcomes(rule, *args))

    def each(self, step: Rule, state: S, items: Iterable[Hashable]) -> S:
        at = self.at
        self.at = at + 1
        if at < len(self.answers):
            known: S = self.answers[at]
            return known
        after: S = self._kernel(self.reader.chain(step, state, tuple(items)))
        return after


def pool_size(count: int, die: Die, read: Read) -> int:
    """How many tallies a pool has, counted several times where their weights are long numbers."""
    shown = seen(die, read)
    return comb(count + len(shown.faces) - 1, count) * (1 + count * shown.total.bit_length() // 20_000)


@lru_cache(512)
def pool_die(count: int, die: Die, read: Read) -> Die:
    """A pool as one die whose faces are tallies."""
    shown = seen(die, read)
    if len(shown.faces) == 2:
        (a, b), (x, y) = shown.faces, (weight // gcd(*shown.weights) for weight in shown.weights)
        counts: dict[Tally, int] = {}
        ways = x**count
        for k in range(count + 1):  # each from the one before: whole binomials would take minutes for a huge pool
            counts[Tally({m: n for m, n in ((a, count - k), (b, k)) if n})] = ways
            ways = ways * (count - k) * y // ((k + 1) * x)
        return Die(f"{count} x {shown.name}", counts)
    weights: dict[tuple[int, ...], int] = {(): 1}
    left: dict[tuple[int, ...], int] = {(): count}
    for at, weight in enumerate(shown.weights):
        last = at == len(shown.weights) - 1
        grown: dict[tuple[int, ...], int] = {}
        rest: dict[tuple[int, ...], int] = {}
        for split, ways in weights.items():
            free = left[split]
            for number in range(free if last else 0, free + 1):
                wider = (*split, number)
                grown[wider] = ways * comb(free, number) * weight**number
                rest[wider] = free - number
        weights, left = grown, rest
    faces = {
        Tally({m: n for m, n in zip(shown.faces, split, strict=True) if n}): ways for split, ways in weights.items()
    }
    return Die(f"{count} x {shown.name}", faces)


@lru_cache(1024)
def arcs(cuts: tuple[float, ...]) -> tuple[tuple[int, ...], int]:
    """The arcs between cuts as whole-number weights; fractions stay exact, floats go to 2^-32 of a degree."""
    exact = [
        Fraction(cut) if isinstance(cut, (int, Fraction)) else Fraction(round(cut * BEARING_PARTS), BEARING_PARTS)
        for cut in cuts
    ]
    scale = lcm(*(cut.denominator for cut in exact))
    at = [int(cut * scale) for cut in exact]
    turn = 360 * scale
    return (at[0] + turn - at[-1], *(b - a for a, b in zip(at, at[1:], strict=False))), turn


def _spread(now: dict[Any, int], kernels: Sequence[Kernel], total: int) -> tuple[dict[Any, int], int]:
    """One stage for every state: weights on a common scale, equal results merged."""
    common = lcm(*(kernel.total for kernel in kernels))
    after: dict[Any, int] = {}
    for weight, kernel in zip(now.values(), kernels, strict=True):
        factor = weight * (common // kernel.total)
        for value, ways in kernel.results.items():
            after[value] = after.get(value, 0) + factor * ways
    return after, total * common


def _runs(items: tuple[Hashable, ...]) -> Iterable[tuple[Hashable, int]]:
    """Equal neighbours with how many there are."""
    at = 0
    while at < len(items):
        end = at + 1
        while end < len(items) and items[end] == items[at]:
            end += 1
        yield items[at], end - at
        at = end


def _policy_words(policy: Policy) -> str:
    return f"choices by {getattr(policy, '__name__', 'policy').replace('_', ' ')}"
