"""Stages that work on one part of a state, such as the attack within an action: what is left waits meanwhile.

Readers of one path take the part out, run the stage and put it back. The exact reader takes a run of such stages
together: it works them out on the parts alone, and puts each result back once, after the last of them. So a roll to hit
is worked out once, however many ways there are to stand before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from math import lcm
from typing import TYPE_CHECKING, Any

from battletape.tape.ends import Then
from battletape.tape.folds import after, close
from battletape.tape.kernel import AskedQuestions, Kernel, StageCount, in_order, reduced
from battletape.tape.limits import RESULTS_PER_BRANCH

if TYPE_CHECKING:
    from battletape.tape.exact import Exact

Take = Callable[[Any], tuple[Any, Any] | None]
"""state -> the part and the rest, or None if the state has no such part."""


class Within:
    """A stage of a part as a stage of the whole; states without such a part pass it by."""

    def __init__(self, stage: Callable[..., Any], take: Take, put: Then) -> None:
        update_wrapper(self, stage)
        self.stage, self.take, self.put = stage, take, put

    def __call__(self, tape: Any, state: Any) -> Any:
        taken = self.take(state)
        if taken is None:
            return state
        part, rest = taken
        return tape.call(self.stage, part, then=self.put, rest=rest)


@lru_cache(1024)
def within(stage: Callable[..., Any], take: Take, put: Then) -> Callable[..., Any]:
    """Return the stage of a part as a stage of the whole; equal ones are one object, so that results merge."""
    return Within(stage, take, put)


def part_of(stage: Callable[..., Any]) -> tuple[Take, Then] | None:
    """Return which part a stage works on; None: the whole state."""
    return (stage.take, stage.put) if isinstance(stage, Within) else None


class PartStates:
    """The states that a run of stages begins with: their parts, each with everything that waits for it."""

    def __init__(self, reader: Exact, now: Kernel, part: tuple[Take, Then] | None) -> None:
        self.reader, self.before, self.put = reader, now, part and part[1]
        self.chose, self.paths, self.branches = now.chose, now.paths, now.branches
        self.passing: dict[Any, int] = {}  # states without such a part
        self.waiting: list[dict[Any, int]] = []
        if part is None:
            self.parts = [Kernel(now.results, now.total, branches=0)]
            return
        take, waits = part[0], dict[Any, dict[Any, int]]()
        for state, weight in now.results.items():
            taken = take(state)
            if taken is None:
                self.passing[state] = weight
                continue
            part_taken, rest = taken
            rests = waits.setdefault(reader.coarse(part_taken), {})
            rests[rest] = rests.get(rest, 0) + weight  # a lens may make parts equal
        self.parts = [Kernel({inner: 1}, 1, branches=0) for inner in waits]
        self.waiting = list(waits.values())

    def run(self, stage: Callable[..., Any]) -> StageCount:
        """Return every part after one more stage; with the work that it took."""
        rule: Callable[..., Any] = stage.stage if isinstance(stage, Within) else stage
        heard, branches = AskedQuestions(), len(self.passing)
        for at, part in enumerate(self.parts):
            kernel = self._after(rule, part)
            heard.merge(kernel.asked)
            self.chose, self.paths = self.chose or kernel.chose, self.paths | kernel.paths
            branches += kernel.branches
            kernel = reduced(kernel)
            self.parts[at] = Kernel(kernel.results, kernel.total, branches=0)
        self.branches += branches
        states = len(self.passing) + sum(len(part.results) for part in self.parts)
        return StageCount(stage, branches, states, in_order(heard.asked), self._only())

    def _after(self, rule: Callable[..., Any], start: Kernel) -> Kernel:
        """Return every state after a rule; if there is too little budget for that, at least some of them."""
        reader = self.reader
        kernel = after(reader, rule, start)
        for spares in (False, True):  # half of what is left may be enough, or enough for a part
            if kernel.results or not start.results or not reader.spent.over:
                break
            reader.cut_short.clear()
            reader.spent.share(2)
            reader.spares = spares
            kernel = after(reader, rule, start)
        reader.spares = False
        return kernel

    def _only(self) -> Any:
        """Return the state, if there is only one."""
        rests = len(self.passing) + sum(map(len, self.waiting))
        if rests > 1 or sum(len(part.results) for part in self.parts) > 1:
            return None
        return next(iter(self.joined().results), None)

    def joined(self) -> Kernel:
        """Return the states after the stages so far: each part with what waited for it."""
        if self.put is None:
            results, total = self.parts[0].results, self.parts[0].total
        else:
            common = lcm(*(part.total for part in self.parts))
            total = self.before.total * common
            results = {state: weight * common for state, weight in self.passing.items()}
            for part, rests in zip(self.parts, self.waiting, strict=True):
                for rest, weight in rests.items():
                    close(self.reader, self.put, rest, part.results, weight * (common // part.total), results)
                self.reader.spent.spend_steps(len(rests) * len(part.results) // RESULTS_PER_BRANCH)
            results = self.reader.prune(results)
        kernel = Kernel(results, total, 0, (), self.chose, self.branches, self.paths)
        kernel.lost = total - sum(results.values())
        return reduced(kernel)
