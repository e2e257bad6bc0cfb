"""Folds: a rule run for all states at once, and the ends of rules worked out together; the odds stay the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby, islice
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from battletape.tape import Rule, limits
from battletape.tape.chain import repeat
from battletape.tape.ends import ClosedRule, Continuation, DeferredRule, End, Race, Then
from battletape.tape.kernel import LAST, AskedQuestions, Asks, Kernel, Rank, all_met
from battletape.tape.lanes import asked_by_lane, one_lane, side_by_side, wider

if TYPE_CHECKING:
    from battletape.tape.exact import Exact

Items = tuple[Hashable, ...]
Start = frozenset[tuple[Any, int]]
"""States with weights."""
Waiting = tuple[Continuation[Any], int, int]
"""A continuation for some states, the factor for their weights, and the total it refers to."""
Done = tuple[Continuation[Any], Kernel, int, int, int]
"""A continuation with the result of its fold, the lane, the factor for its weights, and the total."""


def after(reader: Exact, rule: Rule, before: Kernel, *args: Hashable, at: int | None = None) -> Kernel:
    """Return every state of a kernel after a rule, as far as the budget goes; equal ends are worked out once.

    `at` is the number of the item, if it is a step of a fold.
    """
    now, spent = before.results, reader.spent
    if len(now) > limits.SORT_STATES_FROM and not before.lanes:  # the likeliest first
        now = dict(sorted(now.items(), key=lambda weighed: weighed[1], reverse=True))
    kernels: list[Kernel] = []
    with reader.sparing(limits.FOLD_STATES_SHARE):
        for state in now:
            if spent.over:
                reader.left_out(limits.BRANCHES_SPENT)
                break
            kernels.append(reader.explored(rule, state, *args))
    kernel = gathered(reader, before, now, kernels)
    if before.lanes:
        kernel = _settled_lanes(reader, rule, kernel) if kernel.open else kernel
        return heard_after(before, kernel, at)
    if kernel.open:
        kernel = settled(reader, rule, kernel)
    kernel = heard_after(before, kernel, at)
    kernel.results = reader.prune(kernel.results)
    kernel.lost = kernel.total - sum(kernel.results.values())
    return kernel


def heard_after(before: Kernel, kernel: Kernel, at: int | None) -> Kernel:
    """Return a kernel that knows what was asked before it, too."""
    if at is not None:
        kernel.asked = _later(before.asked, kernel.asked, at)
        if before.by_lane is not None and kernel.by_lane is not None:
            both = zip(before.by_lane, kernel.by_lane, strict=True)
            kernel.by_lane = tuple(_later(earlier, later, at) for earlier, later in both)
    return kernel


def _later(earlier: Asks, later: Asks, at: int) -> Asks:
    """Return questions of the steps before and of this one."""
    heard = AskedQuestions(earlier)
    heard.merge(later, (at,))
    return earlier if len(heard) == len(earlier) else heard.asked  # in earlier steps they came first


def gathered(reader: Exact, before: Kernel, now: dict[Any, int], kernels: Sequence[Kernel]) -> Kernel:
    """Return the results of all states of a kernel, given the results of each."""
    spent = reader.spent
    common = lcm(*(kernel.total for kernel in kernels))
    if before.lanes:
        before = wider(before, before.total * common)
        now = before.results
    results: dict[Any, int] = {}
    questions, last, work = AskedQuestions(), Asks(), 0
    by_asked: dict[Asks, int] = {}
    chose, branches, paths, is_open = before.chose, before.branches, before.paths, False
    for weight, kernel in zip(now.values(), kernels, strict=False):
        if before.by_lane is not None:
            by_asked[kernel.asked] = by_asked.get(kernel.asked, 0) + weight
        chose, branches, is_open = chose or kernel.chose, branches + kernel.branches, is_open or kernel.open
        if kernel.paths:
            paths |= kernel.paths
        factor = weight * (common // kernel.total)
        long = factor.bit_length() * kernel.total.bit_length() // limits.PRODUCT_BITS_PER_STEP
        for state, ways in _in_time(reader, kernel, long) if long else kernel.results.items():
            results[state] = results.get(state, 0) + factor * ways
        if kernel.asked != last:  # most states ask the same
            last = kernel.asked
            questions.merge(last)
        work += len(kernel.results)
        if work > limits.RESULTS_PER_CHECK:
            if spent.spend_steps(work // limits.RESULTS_PER_BRANCH):
                reader.left_out(limits.BRANCHES_SPENT)
                break
            work = 0
    spent.spend_steps(work // limits.RESULTS_PER_BRANCH)
    met = None if before.met is None or is_open else all_met((before, *kernels))
    total = before.total * common
    after = Kernel(results, total, 0, questions.asked, chose, branches, paths, is_open, before.lanes, met=met)
    if before.by_lane is not None:
        after.by_lane = asked_by_lane(before, by_asked)
    return after


def _in_time(reader: Exact, kernel: Kernel, work: int) -> Iterator[tuple[Any, int]]:
    """Yield the results of a kernel, the likeliest first, each so much work to combine, until there is no time for
    that.
    """
    for result in sorted(kernel.results.items(), key=lambda weighed: weighed[1], reverse=True):
        if reader.spent.spend_past_end(work):
            reader.left_out(limits.BRANCHES_SPENT)
            return
        yield result


def each_apart(reader: Exact, rule: Rule, states: Sequence[Any], *args: Hashable) -> list[Kernel]:
    """Return the results of each of several states, kept apart; equal ends are worked out once."""
    asking: dict[DeferredRule, list[Any]] = {}
    for state in states:
        for value in reader.explored(rule, state, *args).results:
            if type(value) is End and type(value.work) is DeferredRule:
                asking.setdefault(value.work, []).append(value.inner)
    for work, inners in asking.items():
        _fold_apart(reader, inners, work)
    return [reader.outcomes(rule, state, *args) for state in states]


def settled(reader: Exact, rule: Rule, kernel: Kernel) -> Kernel:
    """Return a kernel with its ends worked out: equal work on several states is done for all of them together."""
    own = AskedOnTheWay(kernel, getattr(rule, "__clauses__", ())[:1])
    groups: dict[Any, dict[Any, int]] = {}
    results: dict[Any, int] = {}
    for value, weight in kernel.results.items():
        if type(value) is End:
            group = groups.get(value.work)
            if group is None:
                group = groups[value.work] = {}
            group[value.inner] = weight
        else:
            results[value] = weight
    parts, apart = [(results, kernel.total)], list[tuple[dict[Any, int], int]]()
    starts: dict[Start, dict[Any, int]] = {}  # the order in a set is another in every process
    waiting: dict[tuple[Rule, int, Start], list[Waiting]] = {}  # by step and starting states
    for work, group in groups.items():
        if reader.spent.spend_past_end():
            reader.left_out(limits.BRANCHES_SPENT)
            break
        if type(work) is ClosedRule:
            luck = reader.outcomes(work.rule, *work.args)
            parts.append(_closed(reader, own, luck, work.then, Kernel(group, kernel.total)))
            continue
        if type(work) is Race:
            luck = reader.raced(work)
            parts.append(_closed(reader, own, luck, work.then, Kernel(group, kernel.total)))
            continue
        continuations, total = {work: 1}, 1
        if type(work) is DeferredRule and 1 < len(group) <= limits.FOLD_TOGETHER_FROM and reader.memo.comes_again(work):
            apart.append(_one_by_one(reader, own, rule, work, Kernel(group, kernel.total)))
            continue
        if type(work) is DeferredRule:
            luck = reader.outcomes(work.rule, *work.args)
            own.hear(luck, (LAST, 0))
            continuations, total = luck.results, luck.total
        by_step: dict[Rule, list[tuple[Continuation[Any], int]]] = {}
        steps = 0
        for continuation, ways in continuations.items():
            by_step.setdefault(continuation.step, []).append((continuation, ways))
            steps += len(continuation.items)
        for at, part in enumerate(
            _parts(
                group, max(limits.MIN_STATES_TOGETHER, reader.spent.left // (limits.BRANCHES_PER_STATE * (steps or 1)))
            )
        ):
            times = gcd(*part.values())
            begun = {inner: weight // times for inner, weight in part.items()}
            start = frozenset(begun.items())
            starts.setdefault(start, begun)
            for step, alike in by_step.items():
                waits = waiting.setdefault((step, at, start), [])
                waits += [(continuation, ways * times, total) for continuation, ways in alike]
    batches: dict[tuple[Rule, int, frozenset[Items]], list[tuple[dict[Any, int], list[Waiting]]]] = {}
    for (step, at, start), some in waiting.items():
        alike_items = frozenset(continuation.items for continuation, _, _ in some)
        batches.setdefault((step, at, alike_items), []).append((starts[start], some))
    done: list[Done] = []
    order = list(batches.items())
    if len(order) > 1:  # likeliest first
        order.sort(key=lambda batched: -_share(batched[1], kernel.total))
    for (step, *_), batch in order:
        if reader.spent.spend_past_end():
            reader.left_out(limits.BRANCHES_SPENT)
            break
        done += _batch(reader, own, step, batch, kernel.total)
    if done:
        apart.append(_made(reader, done))
    if apart:
        parts.append(_merged(apart))
    merged, common = _merged(parts)
    branches = kernel.branches + sum(len(weights) for weights, _ in parts[1:])
    lost = common - sum(merged.values())
    return Kernel(merged, common, lost, own.asked.asked, own.chose, branches, own.paths)


def _merged(parts: Sequence[tuple[dict[Any, int], int]]) -> tuple[dict[Any, int], int]:
    """Return several parts of one kernel combined, on a scale that fits them all."""
    parts = [part for part in parts if part[0]] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    common = lcm(*(total for _, total in parts))
    merged: dict[Any, int] = {}
    for weights, total in parts:
        factor = common // total
        for value, weight in weights.items():
            merged[value] = merged.get(value, 0) + weight * factor
    return merged, common


def _parts(group: dict[Any, int], most: int) -> Iterable[dict[Any, int]]:
    """Return a large group in parts, the likeliest states first, in case the budget runs out."""
    if len(group) <= most:
        return (group,)
    order = sorted(group.items(), key=lambda weighed: weighed[1], reverse=True)
    return (dict(order[at : at + most]) for at in range(0, len(order), most))


def _share(batch: Sequence[tuple[dict[Any, int], list[Waiting]]], total: int) -> float:
    """Return how likely a batch is; the likeliest is worked out first."""
    return sum(sum(start.values()) * times / (of * total) for start, some in batch for _, times, of in some)


def _batch(
    reader: Exact, own: AskedOnTheWay, step: Rule, batch: list[tuple[dict[Any, int], list[Waiting]]], total: int
) -> Iterable[Done]:
    """Fold from several starts at once, side by side in one number for each state."""
    starts = [dict(start) for start, _ in batch]
    start = Kernel(starts[0], total, branches=0) if len(starts) == 1 else side_by_side(starts, total)
    folded: dict[Items, Kernel] = {(): start}
    likely: dict[Items, float] = {}
    for _, some in batch:
        for continuation, times, of in some:
            likely[continuation.items] = likely.get(continuation.items, 0.0) + times / (of * total)
    with reader.sparing(1 - limits.FOLD_STATES_SHARE):  # their results still have to be combined
        for items in sorted(likely, key=likely.__getitem__, reverse=True):
            if reader.spent.spend_past_end():
                reader.left_out(limits.BRANCHES_SPENT)
                break
            _folded(reader, step, start, items, folded, len(likely) == 1)
    for lane, (_, some) in enumerate(batch):
        for continuation, times, of in some:
            kernel = folded.get(continuation.items)
            if kernel is None:
                continue
            own.hear(kernel, (LAST, 1))
            yield continuation, kernel, lane, times, kernel.total * of


def _made(reader: Exact, done: Sequence[Done]) -> tuple[dict[Any, int], int]:
    """Return the results of continuations: those with the same rest are combined first, so that each result is made
    once.
    """
    common = lcm(*(total for *_, total in done))
    by_rest: dict[tuple[Then, Any], dict[Any, int]] = {}
    for continuation, kernel, lane, times, total in done:
        factor = times * (common // total)
        states = one_lane(kernel, lane) if kernel.lanes else kernel.results
        made = by_rest.get((continuation.then, continuation.rest))
        if made is None:
            by_rest[continuation.then, continuation.rest] = {inner: weight * factor for inner, weight in states.items()}
        else:
            for inner, weight in states.items():
                made[inner] = made.get(inner, 0) + weight * factor
        if reader.spent.spend_past_end(len(states)):
            reader.left_out(limits.BRANCHES_SPENT)
            break
    results: dict[Any, int] = {}
    for (then, rest), made in by_rest.items():
        close(reader, then, rest, made, 1, results)
        if reader.spent.late:
            break
    return results, common


class AskedOnTheWay:
    """What was asked on the way to a kernel, with the clauses of the rules that asked."""

    def __init__(self, kernel: Kernel, clauses: tuple[str, ...]) -> None:
        self.asked, self.chose, self.paths = AskedQuestions(kernel.asked), kernel.chose, kernel.paths
        self.clauses = clauses
        self.heard: dict[tuple[int, Rank], Asks] = {}  # most kernels ask the same

    def hear(self, kernel: Kernel, under: Rank) -> None:
        """Add what another kernel asked."""
        self.chose = self.chose or kernel.chose
        if kernel.paths:
            self.paths |= kernel.paths
        if (id(kernel.asked), under) not in self.heard:
            self.heard[id(kernel.asked), under] = kernel.asked
            self.asked.merge(kernel.asked, under, self.clauses)


def _one_by_one(
    reader: Exact, own: AskedOnTheWay, rule: Rule, work: DeferredRule, start: Kernel
) -> tuple[dict[Any, int], int]:
    """Work that comes up often: worked out for each state it is done to, all at once, and kept."""
    _fold_apart(reader, [inner for inner in start.results if not reader.knows_upon(rule, End(work, inner))], work)
    kernels = [reader.upon(rule, End(work, inner)) for inner in start.results]
    common = lcm(*(kernel.total for kernel in kernels))
    results: dict[Any, int] = {}
    for weight, kernel in zip(start.results.values(), kernels, strict=True):
        own.hear(kernel, ())
        factor = weight * (common // kernel.total)
        for value, ways in kernel.results.items():
            results[value] = results.get(value, 0) + factor * ways
        if reader.spent.spend_past_end(len(kernel.results)):
            reader.left_out(limits.BRANCHES_SPENT)
            break
    return results, start.total * common


def _fold_apart(reader: Exact, inners: list[Any], work: DeferredRule) -> None:
    """Return the folds of one piece of work from several states: all at once, each in its own lane, and kept."""
    by_step: dict[Rule, dict[Items, None]] = {}
    for continuation in reader.outcomes(work.rule, *work.args).results:
        if is_short(continuation.items):
            by_step.setdefault(continuation.step, {})[continuation.items] = None
    for step, folds in by_step.items():
        fresh = [inner for inner in inners if any(not reader.knows_chain(step, inner, items) for items in folds)]
        if len(fresh) < 2:
            continue
        start = side_by_side([{inner: 1} for inner in fresh], 1)
        start.by_lane = ((),) * len(fresh)
        folded: dict[Items, Kernel] = {(): start}
        for items in folds:
            kernel = _folded(reader, step, start, items, folded)
            if reader.spent.over:
                return
            for lane, inner in enumerate(fresh):
                assert kernel.by_lane is not None
                alone = replace(kernel, results=one_lane(kernel, lane), lanes=None, by_lane=None)
                alone.asked = kernel.by_lane[lane]
                reader.keep_chain(step, inner, items, alone)


def _closed(reader: Exact, own: AskedOnTheWay, luck: Kernel, then: Then, start: Kernel) -> tuple[dict[Any, int], int]:
    """Return the results of everything that waited for the same answer."""
    own.hear(luck, (LAST, 0))
    results: dict[Any, int] = {}
    for rest, weight in start.results.items():
        close(reader, then, rest, luck.results, weight, results)
        if reader.spent.late:
            break
    reader.spent.spend_steps(len(start.results) * len(luck.results) // limits.RESULTS_PER_BRANCH)
    return results, start.total * luck.total


def close(reader: Exact, then: Then, rest: Any, results: dict[Any, int], times: int, into: dict[Any, int]) -> None:
    """Combine the answer to a question with everything that waited for it, as long as there is time."""
    lenses, left = reader.lenses, iter(results.items())
    for _ in range(0, len(results), limits.CLOCK_CHECK_STEPS):
        if reader.spent.spend_past_end(min(len(results), limits.CLOCK_CHECK_STEPS)):
            reader.left_out(limits.BRANCHES_SPENT)
            return
        for inner, weight in islice(left, limits.CLOCK_CHECK_STEPS):
            value = then(rest, inner)
            lens = lenses.get(type(value))
            if lens is not None:
                value = lens(value)
            into[value] = into.get(value, 0) + weight * times


def _folded(
    reader: Exact, step: Rule, start: Kernel, items: Items, folded: dict[Items, Kernel], alone: bool = False
) -> Kernel:
    """Return a fold over items, continued from the longest shorter fold that is known."""
    if items in folded:
        return folded[items]
    if len(start.results) == 1 and not start.lanes and is_short(items):
        ((inner, weight),) = start.results.items()
        known = reader.chain(step, inner, items)
        results = known.results if weight == 1 else {state: weight * ways for state, ways in known.results.items()}
        kernel = Kernel(results, start.total * known.total, 0, known.asked, known.chose, known.branches, known.paths)
    elif not start.lanes and (alone or not is_short(items)):
        kernel = chain_from(reader, step, start, items)
    else:
        with reader.sparing(1 - 1 / len(items)):
            before = _folded(reader, step, start, items[:-1], folded)
        kernel = after(reader, step, before, items[-1], at=len(items) - 1)
    folded[items] = kernel
    return kernel


def _settled_lanes(reader: Exact, rule: Rule, kernel: Kernel) -> Kernel:
    """Work out the ends of several kernels one by one, then put them side by side again."""
    assert kernel.lanes is not None
    asked = kernel.by_lane or (kernel.asked,) * kernel.lanes[0]
    settled_lanes = [
        settled(reader, rule, replace(kernel, results=one_lane(kernel, lane), lanes=None, asked=asked[lane]))
        for lane in range(kernel.lanes[0])
    ]
    total = lcm(*(own.total for own in settled_lanes))
    scaled = [{state: weight * (total // own.total) for state, weight in own.results.items()} for own in settled_lanes]
    packed = side_by_side(scaled, total)
    heard = AskedQuestions()
    for own in settled_lanes:
        heard.merge(own.asked)
    packed.asked = heard.asked
    packed.by_lane = None if kernel.by_lane is None else tuple(own.asked for own in settled_lanes)
    packed.met = None
    packed.chose, packed.paths = (
        any(own.chose for own in settled_lanes),
        kernel.paths.union(*(own.paths for own in settled_lanes)),
    )
    return packed


def chain_from(reader: Exact, step: Rule, kernel: Kernel, items: Items) -> Kernel:
    """Fold a step over items from every state of a kernel; runs of equal items share their kernels."""
    steps, done = list(runs(items)), 0
    for at, (item, times) in enumerate(steps):
        with reader.sparing(1 / (len(steps) - at)):
            if times == 1 and not reader.floats:
                kernel = after(reader, step, kernel, item, at=done)
            else:
                kernel = repeat(reader, partial(_taken, reader, step, item), kernel, times, done)
                kernel.results = reader.prune(kernel.results)
        done += times
    return kernel


def _taken(reader: Exact, step: Rule, item: Hashable, state: Hashable) -> Kernel:
    kernel = reader.explored(step, state, item)
    return reader.outcomes(step, state, item) if kernel.open else kernel


def is_short(items: Items) -> bool:
    """Return whether items are few and differ, so that it pays to continue from a fold over fewer of them."""
    return 0 < len(items) <= limits.CHAIN_RUN_LENGTH or (
        limits.CHAIN_RUN_LENGTH < len(items) <= limits.SHORT_FOLD_ITEMS
        and all(times <= limits.CHAIN_RUN_LENGTH for _, times in runs(items))
    )


def runs(items: tuple[Hashable, ...]) -> Iterable[tuple[Hashable, int]]:
    """Runs of equal items with their lengths."""
    return ((item, len(list(alike))) for item, alike in groupby(items))
