"""Folds that say more of themselves, so that their odds are worked out faster; the odds are the same.

`in_two` makes a step of luck that knows only the item, and of what the luck does to the state: the exact reader works
out the first once for each item and the second once for each state. `folding` makes a stage that is one fold: the
reader then folds all its states together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from battletape.tape import Rule, Tape
from battletape.tape.budget import CHUNK, GATHERED, MANY, OVER
from battletape.tape.chain import repeat
from battletape.tape.kernel import Done, Kernel, RawAsk, Tail
from battletape.tape.walk import Unexplored, Walk

if TYPE_CHECKING:
    from battletape.tape.exact import Exact

Opened = tuple[Hashable, Hashable, tuple[Hashable, ...]]
"""What stays as it is, what the step works on, and the items."""
FEW = 8  # questions that what is done may ask
SHORT, RUN = 24, 6  # a fold over no more items than this, and no more equal ones in a row, goes on from a shorter one


class Parts(NamedTuple):
    """A step in two: the luck of an item, what it does to a state, and which states it spares."""

    luck: Rule  # (tape, item) -> what came of it
    done: Rule  # (tape, state, what came, what of the item matters) -> state
    of_item: Callable[[Any], Hashable]
    spares: Callable[[Any], bool]


class Fold(NamedTuple):
    """A stage that is one fold."""

    step: Rule
    opened: Callable[[Any], Opened]
    closed: Callable[[Any, Any], Any]  # (what stays as it is, what the step made) -> state


def in_two(luck: Rule, of_item: Callable[[Any], Hashable], spares: Callable[[Any], bool]) -> Callable[[Rule], Rule]:
    """A step from what luck does to a state: first `luck`, which knows the item only; a spared state asks nothing."""

    def make(done: Rule) -> Rule:
        @wraps(done)
        def step(tape: Tape, state: Any, item: Any) -> Any:
            return state if spares(state) else done(tape, state, tape.call(luck, item), of_item(item))

        step.__parts__ = Parts(luck, done, of_item, spares)  # type: ignore[attr-defined]
        return step

    return make


def folding(step: Rule, opened: Callable[[Any], Opened]) -> Callable[[Callable[[Any, Any], Any]], Rule]:
    """A stage that folds a step over items, from what becomes of the rest when it is done."""

    def make(closed: Callable[[Any, Any], Any]) -> Rule:
        @wraps(closed)
        def stage(tape: Tape, state: Any) -> Any:
            rest, inner, items = opened(state)
            return closed(rest, tape.each(step, inner, items))

        stage.__fold__ = Fold(step, opened, closed)  # type: ignore[attr-defined]
        return stage

    return make


def kernels(reader: Exact, step: Rule, item: Hashable) -> Callable[[Any], Kernel]:
    """What a step with this item makes of a state, each state worked out once."""
    parts: Parts | None = getattr(step, "__parts__", None)
    if parts is None:
        return lambda state: reader.outcomes(step, state, item)
    luck, of_item = reader.outcomes(parts.luck, item), parts.of_item(item)
    known: dict[Any, Kernel] = reader.memo.done.setdefault((step, item, reader.policy), {})
    done: dict[Any, dict[Any, Done]] = reader.memo.done.setdefault((parts.done, of_item, reader.policy), {})
    clauses = getattr(step, "__clauses__", ())[:1]
    luck = replace(luck, asked=tuple(cited(luck.asked, clauses)))

    def find(state: Any) -> Kernel:
        kernel = known.get(state)
        if kernel is None:
            if parts.spares(state):
                kernel = Kernel({state: 1}, 1)
            else:
                results = done.get(state)
                if results is None:
                    results = done[state] = {}
                kernel = _in_two(reader, parts, luck, results, clauses, state, of_item)
            kernel = kernel or reader.outcomes(step, state, item)
            reader.spent.one_more(kernel.branches)
            if not kernel.lost:  # a larger budget would find more
                known[state] = kernel
        return kernel

    return find


def _in_two(
    reader: Exact,
    parts: Parts,
    luck: Kernel,
    known: dict[Any, Done],
    clauses: tuple[str, ...],
    state: Any,
    of_item: Any,
) -> Kernel | None:
    """The results of a step in two; None where what luck does to this state was not worked out to its end."""
    results: dict[Any, int] = {}
    asked, chose, paths = luck.asked, luck.chose, luck.paths
    more: list[tuple[int, Kernel]] = []  # where what luck does to the state is itself a matter of luck
    for came, weight in luck.results.items():
        done = known.get(came)
        if done is None:
            done = _done(reader, parts, clauses, state, came, of_item)
            if done[0] is not LUCK:
                same = reader.memo.done.setdefault(parts, {})  # equal states as one object are quicker to find again
                done = known[came] = (same.setdefault(done[0], done[0]), *done[1:])
        after, also, chooses = done
        if after is LUCK:
            kernel = reader.outcomes(parts.done, state, came, of_item)
            if kernel.lost:
                return None
            more.append((weight, kernel))
            also, chooses, paths = tuple(cited(kernel.asked, clauses)), kernel.chose, paths | kernel.paths
        else:
            results[after] = results.get(after, 0) + weight
        if also:
            asked, chose = (*asked, *(one for one in also if one not in asked)), chose or chooses
    scale = lcm(*{kernel.total for _, kernel in more})
    if scale > 1:
        results = {after: weight * scale for after, weight in results.items()}
    for weight, kernel in more:
        factor = weight * (scale // kernel.total)
        for after, ways in kernel.results.items():
            results[after] = results.get(after, 0) + factor * ways
    branches = len(luck.results) + sum(kernel.branches - 1 for _, kernel in more)
    return Kernel(results, luck.total * scale, luck.lost * scale, asked, chose, branches, paths)


LUCK: Any = object()
"""In place of a state: what luck does is itself a matter of luck."""


def _done(reader: Exact, parts: Parts, clauses: tuple[str, ...], state: Any, came: Any, of_item: Any) -> Done:
    """The state after it, what was asked and whether anybody chose."""
    walk, reader.idle = reader.idle or Walk(reader, clauses, FEW), None
    walk.clauses, walk.idle = clauses, 0
    try:
        after = parts.done(walk, state, came, of_item)
    except Unexplored:
        return LUCK, (), False
    if isinstance(after, Tail):
        return LUCK, (), False
    if not walk.at and not walk.asked:  # it was asked nothing, so that it will do for the next state as well
        reader.idle = walk
        return after, (), False
    if walk.weight != walk.scale:  # several results, or one of which the budget left out the others
        return LUCK, (), False
    return after, tuple(walk.asked), walk.chose


def fold_together(
    reader: Exact, stage: Rule, fold: Fold, now: dict[Any, int], total: int
) -> list[tuple[Kernel, dict[Any, int]]]:
    """A stage that is one fold, for all states at once: a kernel for each part that stays as it is, and its states."""
    groups: dict[tuple[Any, Any], dict[Any, int]] = {}
    for state, weight in now.items():
        rest, inner, items = fold.opened(state)
        group = groups.setdefault((rest, items), {})
        group[inner] = group.get(inner, 0) + weight
    clauses = getattr(stage, "__clauses__", ())[:1]
    found = []
    for (rest, items), group in groups.items():
        if len(group) == 1 and is_short(items):  # what folds over fewer of these items have found is of use
            ((inner, weight),) = group.items()
            shared = reader.chain(fold.step, inner, items)
            results = {state: weight * ways for state, ways in shared.results.items()}
            kernel = replace(shared, results=results, total=total * shared.total)
        else:
            kernel = chain_from(reader, fold.step, Kernel(group, total, branches=0), items)
        kernel.asked = tuple(cited(kernel.asked, clauses))
        after: dict[Any, int] = {}
        for inner, weight in kernel.results.items():
            state = fold.closed(rest, inner)
            after[state] = after.get(state, 0) + weight
        kernel.branches = len(kernel.results)
        found.append((kernel, after))
    return found


def chain_from(reader: Exact, step: Rule, kernel: Kernel, items: tuple[Hashable, ...]) -> Kernel:
    """Fold a step over items from every state of a kernel; runs of equal items share their kernels."""
    for item, times in runs(items):
        if times == 1 and not reader.floats:
            kernel = one_more(reader, step, kernel, item)
            continue
        kernel = repeat(reader, kernels(reader, step, item), kernel, times)
        kernel.results = reader.prune(kernel.results)
    return kernel


def is_short(items: tuple[Hashable, ...]) -> bool:
    """Whether items are few and differ, so that it pays to go on from where a fold over fewer of them ended."""
    return 1 < len(items) <= SHORT and all(times <= RUN for _, times in runs(items))


def one_more(reader: Exact, step: Rule, before: Kernel, item: Hashable) -> Kernel:
    """Take one step more from every state of a kernel, as far as the budget goes."""
    find, spent = kernels(reader, step, item), reader.spent
    now = before.results
    if len(now) > MANY:  # the likeliest first
        now = dict(sorted(now.items(), key=lambda one: one[1], reverse=True))
    found: list[Kernel] = []
    for state in now:
        if spent.over:
            reader.left_out(OVER)
            break
        found.append(find(state))
    common = lcm(*(kernel.total for kernel in found))
    results: dict[Any, int] = {}
    asked, last, work = dict.fromkeys(before.asked), before.asked, 0
    for weight, kernel in zip(now.values(), found, strict=False):
        factor = weight * (common // kernel.total)
        for state, ways in kernel.results.items():
            results[state] = results.get(state, 0) + factor * ways
        if kernel.asked != last:  # most states ask the same
            last = kernel.asked
            asked.update(dict.fromkeys(last))
        work += len(kernel.results)
        if work > CHUNK:
            if spent.one_more(work // GATHERED):
                reader.left_out(OVER)
                break
            work = 0
    spent.one_more(work // GATHERED)
    total, results = before.total * common, reader.prune(results)
    chose = before.chose or any(kernel.chose for kernel in found)
    branches = before.branches + sum(kernel.branches for kernel in found)
    paths = before.paths.union(*(kernel.paths for kernel in found))
    return Kernel(results, total, total - sum(results.values()), tuple(asked), chose, branches, paths)


def runs(items: tuple[Hashable, ...]) -> Iterable[tuple[Hashable, int]]:
    """Equal neighbours with how many there are."""
    at = 0
    while at < len(items):
        end = at + 1
        while end < len(items) and items[end] == items[at]:
            end += 1
        yield items[at], end - at
        at = end


def cited(asked: Iterable[RawAsk], clauses: tuple[str, ...]) -> Iterable[RawAsk]:
    """Questions with their clauses; one that has none has those of the rule that asked it."""
    return (raw if raw[4] else (*raw[:4], clauses) for raw in asked)
