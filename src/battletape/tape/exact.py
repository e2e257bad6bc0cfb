"""Exact: walks every branch of a rule and merges equal results; whole numbers only, nothing is rounded.

A rule is run again and again. Each run follows an odometer over the questions the rule asked: the last question
takes its next answer, and when it has no more, the one before it does. Sub-rules (`call`) and folds (`each`) are
worked out once for each argument and then count as one die.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count, groupby
from math import gcd, lcm, log
from operator import is_
from typing import Any
from weakref import ref

from battletape.memory import Kept
from battletape.odds import How, Odds
from battletape.tape import Forget, Rule, limits
from battletape.tape.ends import ClosedRule, Continuation, DeferredRule, End, Race, Then
from battletape.tape.folds import after, chain_from, is_short, settled
from battletape.tape.kernel import LAST, AskedQuestions, Kernel, StageCount, reduced
from battletape.tape.limits import Budget, Spent
from battletape.tape.parts import PartStates, part_of
from battletape.tape.question import Ask, check_stages, frozen_states
from battletape.tape.races import race
from battletape.tape.walk import UNEXPLORED, Unexplored, Walk

Policy = Callable[[Ask], Any]


NO_TYPES: frozenset[type] = frozenset()
AS_IT_IS = nullcontext()


def first_option(ask: Ask) -> Any:
    """Return the policy that takes the first option."""
    return ask.options[0]


class Marks(dict[Rule, int]):
    """The marks under which a reader keeps the results of rules."""


class Memo(Kept[Any, Kernel]):
    """Kernels by rule and arguments, and whole procedures; forgets everything when it holds too many."""

    def __init__(self, most: int = limits.MEMO_RESULTS) -> None:
        super().__init__(most)
        self.times: dict[Any, int] = {}  # how often work on many states was asked for
        self.whole: Kept[Any, tuple[Kernel, tuple[StageCount, ...]]] = Kept(
            limits.MEMO_PROCEDURES
        )  # procedures run from start to end
        self.led: Kept[Any, Any] = Kept(limits.MEMO_BEST_PLAYS)  # procedures followed by best play
        self.trees: Kept[Any, Any] = Kept(limits.MEMO_TREES)  # sub-rules with choices, for best play
        self.ends: dict[Any, dict[Any, Any]] = {}  # the result for a rest, by the answer to its question
        self.marks: dict[Any, int] = {}  # known ways of reading
        self.fresh = count()  # no mark is given twice, because readers keep theirs
        self.met: dict[Rule, frozenset[type] | None] = {}  # types that a rule has met; None: any
        self.by_rule: dict[int, Marks] = {}  # by the mark of a reader, the marks it keeps rules under

    def clear(self) -> None:
        """Forget everything."""
        super().clear()
        self.times.clear()
        self.whole.clear()
        self.led.clear()
        self.trees.clear()
        self.ends.clear()
        self.met.clear()
        self.marks.clear()
        readers = {mark: ref(rules) for mark, rules in self.by_rule.items()}
        self.by_rule.clear()
        for mark, found in readers.items():
            if (rules := found()) is not None:  # a reader uses them just now
                rules.clear()
                self.by_rule[mark] = rules

    def learn(self, rule: Rule, met: frozenset[type] | None) -> None:
        """Note which types a rule has met: its results serve every lens that treats these types alike."""
        before = self.met.get(rule, NO_TYPES)
        if before is None or (met is not None and met <= before and rule in self.met):
            return
        self.met[rule] = None if met is None else before | met
        for marks in self.by_rule.values():
            marks.pop(rule, None)

    def comes_again(self, work: Any) -> bool:
        """Return whether this has been asked often enough to be worth keeping."""
        if len(self.times) >= self.most:
            self.times.clear()
        times = self.times[work] = self.times.get(work, 0) + 1
        return times > limits.KEEP_PER_STATE_AFTER

    def mark(self, policy: Policy, floats: bool, forget: Any) -> int:
        """Return a number for a way of reading; results of different ways are kept apart."""
        way = (policy, floats, forget)
        mark = self.marks.get(way)
        if mark is None:
            if len(self.marks) >= limits.READINGS:
                self.clear()
            mark = self.marks[way] = next(self.fresh)
        return mark

    def closed(self, then: Then, rest: Any, mark: int) -> dict[Any, Any]:
        """Return the known results of closing something, by the answer it was closed with."""
        if len(self.ends) >= self.most:
            self.ends.clear()
        return self.ends.setdefault((then, rest, mark), {})


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
        forget: Forget = (),
    ) -> None:
        self.memo = Memo() if memo is None else memo
        self.cut_short = Memo()  # kernels the budget cut short stay with this reader: a larger budget finds more
        self.budget = budget or Budget()
        self.policy = policy
        self.floats = floats
        self.progress = progress
        self.spent = Spent(self.budget)
        self.lenses = self._lenses(forget) if forget else {}  # by type; also for what holds other values
        self.mark = self.memo.mark(policy, floats, forget)
        self.marks = self.memo.by_rule.setdefault(self.mark, Marks())
        self.forget = forget
        self.unused: Walk | None = None  # a walk that was not needed, for the next rule
        self.soon = min(limits.USUAL_DEPTH, self.budget.depth)
        self.spares = (
            False  # each step of a fold gets only its share: better a part of the whole than all of the beginning
        )
        self.depth = 0
        self.scales: dict[Rule, int] = {}  # the scale of the last branch of a rule
        self.why = ""  # what the budget left out last

    def run(self, stages: Collection[Rule], state: Hashable) -> Odds[Any]:
        """Return the odds of the state after all stages."""
        check_stages(stages)
        with frozen_states():
            kernel, counts = self.stages(stages, state)
        return self.odds(kernel, counts)

    def odds(self, kernel: Kernel, counts: Sequence[StageCount] = ()) -> Odds[Any]:
        """Return a kernel as odds that say how they were computed."""
        how = How(
            "floats" if "floats" in kernel.paths else "exact",
            path=", ".join(sorted(kernel.paths - {"floats"})),
            branches=kernel.branches,
            states=sum(count.states for count in counts) or len(kernel.results),
            policy=_policy_words(self.policy) if kernel.chose else "",
            left_out=(limits.SECONDS_SPENT if self.why == limits.BRANCHES_SPENT and self.spent.is_late else self.why)
            if kernel.lost
            else "",
        )
        return Odds(kernel.results, kernel.total, how)

    def stages(
        self, stages: Collection[Rule], state: Hashable, *, to_choice: bool = False
    ) -> tuple[Kernel, tuple[StageCount, ...]]:
        """Return stage by stage, equal states merging between them; with branches and states counted for each.

        With `to_choice` it stops after the first stage with a choice.
        """
        key = (tuple(stages), state, self.mark)
        known = self.memo.whole.get(key)
        if known is None:
            self.spent = Spent(self.budget)
            self.why = self.why if self.cut_short else ""
            known = self._stages(stages, state, to_choice=to_choice)
            for shares in limits.RESTART_SHARES:  # shares that some stages did not need go to those that need more
                if not known[0].lost or self.why != limits.BRANCHES_SPENT or self.spent.is_gone:
                    break
                self.cut_short.clear()
                known = _fuller_of(known, self._stages(stages, state, shares, to_choice=to_choice))
            if not known[0].lost and not (to_choice and known[0].chose):  # a larger budget would find more
                self.memo.whole.keep(key, known)
        return known

    def _stages(
        self, stages: Collection[Rule], state: Hashable, shares: int = 1, *, to_choice: bool = False
    ) -> tuple[Kernel, tuple[StageCount, ...]]:
        now = Kernel({self.coarse(state): 1}, 1, branches=0)
        counts: list[StageCount] = []
        for part, run in groupby(stages, part_of):
            apart = PartStates(self, now, part)
            for stage in run:
                self.spent.share(max((len(stages) - len(counts)) // shares, 1))
                counts.append(apart.run(stage))
                if self.progress is not None:
                    self.progress(len(counts), len(stages))
                if to_choice and apart.chose:
                    break
            now = apart.joined()
            if to_choice and now.chose:
                break
        return now, tuple(counts)

    def after(self, rule: Rule, before: Kernel, *args: Hashable, at: int) -> Kernel:
        """Return every state of a kernel after a rule, which is one of several in a row."""
        return after(self, rule, before, *args, at=at)

    def raced(self, work: Race) -> Kernel:
        """Return how a race ends."""
        return race(self, work.lines, work.starts, work.turns)

    def coarse(self, value: Any) -> Any:
        """Return a value without what no measure needs; also inside ends and continuations."""
        lens = self.lenses.get(type(value))
        return value if lens is None else lens(value)

    def _lenses(self, forget: Forget) -> dict[type, Callable[[Any], Any]]:
        """Return how to forget, for each type: as the lens says, and for ends, in what they hold."""
        coarse, types = self.coarse, {Continuation, DeferredRule, ClosedRule, Race, End, *dict(forget)}

        def all_coarse(values: tuple[Any, ...]) -> tuple[Any, ...]:
            if types.isdisjoint(map(type, values)):
                return values
            coarser = tuple(map(coarse, values))
            return values if all(map(is_, coarser, values)) else coarser

        def asked(work: Any) -> Any:
            args = all_coarse(work.args)
            return work if args is work.args else work._replace(args=args)

        def racing(work: Race) -> Race:
            first, second = work.starts
            return work._replace(starts=(coarse(first), coarse(second)))

        def continuation(work: Continuation[Any]) -> Continuation[Any]:
            items, rest = all_coarse(work.items), coarse(work.rest)
            return (
                work
                if items is work.items and rest is work.rest
                else Continuation(work.step, items, work.then, rest, work.tell)
            )

        def end(value: End) -> End:
            work, inner = coarse(value.work), coarse(value.inner)
            return value if work is value.work and inner is value.inner else End(work, inner)

        return {
            **dict(forget),
            Continuation: continuation,
            DeferredRule: asked,
            ClosedRule: asked,
            Race: racing,
            End: end,
        }

    def outcomes(self, rule: Rule, *args: Hashable) -> Kernel:
        """Return every result of a rule with its weight."""
        kernel = self.explored(rule, *args)
        if not kernel.open:
            return kernel
        return self._settled((settled, rule, args, self.mark), rule, kernel)

    def upon(self, rule: Rule, end: End) -> Kernel:
        """Return the results of a single end."""
        return self._settled((rule, end, self.mark), rule, Kernel({end: 1}, 1, branches=0, open=True))

    def knows_upon(self, rule: Rule, end: End) -> bool:
        """Return whether the results of an end are known already."""
        return self._known((rule, end, self.mark)) is not None

    def knows_chain(self, step: Rule, state: Hashable, items: tuple[Hashable, ...]) -> bool:
        """Return whether the results of a fold are known already."""
        return self._known((step, state, items, self._mark_of(step))) is not None

    def _mark_of(self, rule: Rule) -> int:
        """Return the mark that a rule's results are kept under: that of the part of the lens that affects it."""
        mark = self.marks.get(rule)
        if mark is None:
            met = self.memo.met.get(rule)
            part = (
                self.forget if met is None else tuple(forgetting for forgetting in self.forget if forgetting[0] in met)
            )
            mark = self.marks[rule] = self.memo.mark(self.policy, self.floats, part)
        return mark

    def keep_chain(self, step: Rule, state: Hashable, items: tuple[Hashable, ...], kernel: Kernel) -> None:
        """Remember a fold that was worked out with others."""
        kernel.bytes = {}
        kernel.lost = kernel.total - sum(kernel.results.values())
        self.memo.learn(step, kernel.met)
        self._keep((step, state, items, self._mark_of(step)), reduced(kernel))

    def _settled(self, key: Any, rule: Rule, kernel: Kernel) -> Kernel:
        known = self._known(key)
        if known is not None:
            return known
        if self.depth >= self.budget.nesting:
            self.left_out(f"sub-rules nested deeper than nesting={self.budget.nesting:,}")
            return Kernel({}, 1, 1)
        self.depth += 1
        try:
            known = reduced(settled(self, rule, kernel))
        finally:
            self.depth -= 1
        self._keep(key, known)
        return known

    def explored(self, rule: Rule, *args: Hashable) -> Kernel:
        """Return the results of a rule, with ends that are not worked out yet."""
        mark = self.marks.get(rule)
        if mark is None:
            mark = self._mark_of(rule)
        key = (rule, args, mark)
        known = self.memo.get(key)
        if known is None and self.cut_short:
            known = self.cut_short.get(key)
        if known is not None:
            return known
        if self.spent.over or self.depth >= self.budget.nesting:
            self.left_out(
                limits.BRANCHES_SPENT
                if self.spent.over
                else f"sub-rules nested deeper than nesting={self.budget.nesting:,}"
            )
            return Kernel({}, 1, 1)
        self.depth += 1
        try:
            walk = self.unused or Walk(self)
            self.unused = None
            walk.clauses, walk.most = getattr(rule, "__clauses__", ())[:1], self.soon
            try:
                value = rule(walk, *args)
            except Unexplored:
                value = UNEXPLORED
            if not walk.asked and not walk.frames and value is not UNEXPLORED:
                walk.idle, self.unused = 0, walk
                return self._at_once(rule, args, value)  # much bookkeeping, and many rules only return an end
            kernel = self._explore(rule, args, walk, value)
            self.memo.learn(rule, kernel.met)
            if self.marks.get(rule) != mark:
                key = (rule, args, self._mark_of(rule))
            self._keep(key, kernel)
            return kernel
        finally:
            self.depth -= 1

    def _at_once(self, rule: Rule, args: tuple[Hashable, ...], value: Any) -> Kernel:
        """Return the result of a rule that asked nothing, or only said what it ends in."""
        self.spent.spend_steps()
        kind = type(value)
        lens = self.lenses.get(kind)
        if lens is not None:
            value = lens(value)
        if kind is not End:
            return Kernel({value: 1}, 1, met=frozenset((kind,)))
        if len(args) < 2 or type(value.work) is not ClosedRule:
            return Kernel({value: 1}, 1, open=True)
        kernel = self._closed(rule, value.work, value.inner)  # a step: nothing else ends like this
        self.memo.learn(rule, kernel.met)
        self._keep((rule, args, self._mark_of(rule)), kernel)
        return kernel

    def _closed(self, rule: Rule, work: ClosedRule, rest: Any) -> Kernel:
        """Return the results of a rule that asks one thing and closes it, without a walk."""
        luck, results = self.outcomes(work.rule, *work.args), dict[Any, int]()
        close = self.closing(work.then, rest)
        for result, ways in luck.results.items():
            value = close(result)
            results[value] = results.get(value, 0) + ways
        questions = AskedQuestions()
        questions.merge(luck.asked, (LAST, 0), getattr(rule, "__clauses__", ())[:1])
        return Kernel(results, luck.total, luck.lost, questions.asked, luck.chose, len(luck.results), luck.paths)

    def closing(self, then: Then, rest: Any) -> Callable[[Any], Any]:
        """Return how a rule ends that closes an answer, as this reader sees it; each answer is closed once."""
        known, coarse = self.memo.closed(then, rest, self.mark), self.coarse

        def close(result: Any) -> Any:
            value = known.get(result)
            if value is None:
                value = known[result] = coarse(then(rest, result))
            return value

        return close

    def chain(self, step: Rule, state: Hashable, items: tuple[Hashable, ...]) -> Kernel:
        """Fold a step over items; runs of equal items share their kernels."""
        known = self._known((step, state, items, self._mark_of(step)))
        if known is not None:
            return known
        if is_short(items) and not self.floats:
            before = _start(state)
            if len(items) > 1:
                with self.sparing(1 - 1 / len(items)):
                    before = self.chain(step, state, items[:-1])
            kernel = after(self, step, before, items[-1], at=len(items) - 1)
        else:
            kernel = chain_from(self, step, _start(state), items)
        kernel.lost = kernel.total - sum(kernel.results.values())
        self.memo.learn(step, kernel.met)
        self._keep((step, state, items, self._mark_of(step)), kernel)
        return kernel

    def sparing(self, share: float) -> AbstractContextManager[None]:
        """Spend only a share of what is left within this block, because the fold is too large."""
        return self.spent.part(share) if self.spares else AS_IT_IS

    def _known(self, key: Any) -> Kernel | None:
        known = self.memo.get(key)
        return self.cut_short.get(key) if known is None and self.cut_short else known

    def _keep(self, key: Any, kernel: Kernel) -> None:
        if not self.spent.over:
            (self.cut_short if kernel.lost else self.memo).keep(key, kernel)

    def _explore(self, rule: Rule, args: tuple[Hashable, ...], walk: Walk, value: Any) -> Kernel:
        """Return every branch.

        If a rule may go on for ever, the short branches first, because they are the likely ones.
        """
        most = self.budget.depth
        kernel = self._walk(rule, args, walk, value, give_up=most > limits.USUAL_DEPTH)
        if not walk.cut or most <= limits.USUAL_DEPTH:
            return kernel
        best, reached, wide, growth = Kernel({}, 1, 1), 0, 0.0, 0.0  # wide: branches, as a logarithm
        for depth in (*(shallow for shallow in limits.DEPTHS if shallow < most), most):
            wider = wide + growth * (depth - reached)  # if it goes on widening as it did
            to_the_end = wider > log(max(self.spent.left // 2, 1))
            walk = Walk(self, walk.clauses, most if to_the_end else depth)
            try:
                value = rule(walk, *args)
            except Unexplored:
                value = UNEXPLORED
            kernel = self._walk(rule, args, walk, value, give_up=to_the_end and bool(best.results))
            best = _fuller(best, kernel)
            if to_the_end or not walk.cut or self.spent.over:
                break
            growth = (log(kernel.branches) - wide) / (depth - reached)
            wide, reached = log(kernel.branches), depth
        return best

    def _walk(self, rule: Rule, args: tuple[Hashable, ...], walk: Walk, value: Any, *, give_up: bool = False) -> Kernel:
        """Return all branches of a walk that has begun; `give_up` stops at the first that goes too deep."""
        answers, frames = walk.answers, walk.frames
        results: dict[Any, int] = {}
        branches, total = 0, self.scales.get(rule, 1)  # most walks of a rule end on the same scale
        spent, deep = self.spent, walk.most >= limits.LONG_BRANCH_QUESTIONS
        limit, timed = spent.limit, spent.stop is not None
        while True:
            branches += 1
            if value is not UNEXPLORED:
                weight, scale = walk.weight, walk.scale
                if scale != total:
                    if total % scale:  # finer than any branch so far: move earlier results onto that scale
                        finer = lcm(total, scale) // total
                        total *= finer
                        for other in results:
                            results[other] *= finer
                    weight *= total // scale
                results[value] = results.get(value, 0) + weight
            elif walk.cut and give_up:
                break
            while frames:  # turn the odometer; written out here, because a call for every branch would be slow
                left, weight, scale = frames[-1]
                turned = next(left, None)
                if turned is not None:
                    answers[-1], ways = turned
                    walk.weight, walk.scale = weight * ways, scale
                    break
                frames.pop()
                answers.pop()
            else:
                break
            spent.steps = steps = spent.steps + (1 + len(frames) // limits.LONG_BRANCH_QUESTIONS if deep else 1)
            if (timed or steps > limit) and spent.spend_steps(0):
                self.left_out(limits.BRANCHES_SPENT)
                break
            walk.idle, walk.replay = 0, iter(answers)
            try:
                value = rule(walk, *args)
            except Unexplored:
                value = UNEXPLORED
        self.scales[rule] = walk.scale
        if walk.cut and not give_up:
            self.left_out(f"branches of more questions than depth={walk.most:,}")
        kinds = (walk.met or NO_TYPES).union(map(type, results))
        is_open = End in kinds
        met = None if is_open or walk.met is None else kinds
        if lenses := self.lenses:
            unseen, results = results, {}
            for value, weight in unseen.items():
                lens = lenses.get(type(value))
                value = value if lens is None else lens(value)
                results[value] = results.get(value, 0) + weight
        shared = gcd(total, *results.values())
        if shared > 1:
            results = {value: weight // shared for value, weight in results.items()}
            total //= shared
        lost = total - sum(results.values())
        return Kernel(results, total, lost, walk.asked.asked, walk.chose, branches, walk.paths, is_open, met=met)

    def left_out(self, why: str) -> None:
        """Note what the budget left out; the answer gives the first reason."""
        self.why = self.why or why

    def prune(self, now: dict[Any, int]) -> dict[Any, int]:
        """Keep only the likeliest states past the budget of states; the rest counts as unexplored."""
        most = self.budget.states
        if len(now) <= most:
            return now
        self.left_out(f"{len(now):,} states, of which states={most:,} are kept")
        kept = sorted(now, key=now.__getitem__, reverse=True)[:most]
        return {value: now[value] for value in kept}


def _start(state: Hashable) -> Kernel:
    """Return a fold that is about to begin."""
    return Kernel({state: 1}, 1, branches=0, met=NO_TYPES)


def _fuller_of(a: tuple[Kernel, Any], b: tuple[Kernel, Any]) -> tuple[Kernel, Any]:
    """Return the one of two runs of a procedure that left out less."""
    return a if _fuller(a[0], b[0]) is a[0] else b


def _fuller(a: Kernel, b: Kernel) -> Kernel:
    """Return the one of two walks of a rule that left out less."""
    return a if a.lost * b.total < b.lost * a.total else b


def _policy_words(policy: Policy) -> str:
    return f"choices by {getattr(policy, '__name__', 'policy').replace('_', ' ')}"
