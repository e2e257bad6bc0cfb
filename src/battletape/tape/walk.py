"""The tape that the exact reader hands to a rule: an odometer over the questions asked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, gcd, lcm
from typing import TYPE_CHECKING, Any

from battletape.dice import Die, Whole, face, seen
from battletape.errors import BattletapeError
from battletape.memory import Kept, lasting
from battletape.tape import Read, Rule, question
from battletape.tape.ends import NOTHING, ClosedRule, Continuation, DeferredRule, End, Lines, Race, Then, Turn, drawing
from battletape.tape.kernel import AskedQuestions, Asks, Kernel, RawAsk
from battletape.tape.limits import BRANCHES_SPENT, HEAVY_TALLY_BITS, MAX_FORCED_ANSWERS, MEMO_POOLS, Spent
from battletape.tape.question import Ask, Tally

if TYPE_CHECKING:
    from battletape.tape.exact import Exact

BEARING_PARTS = 2**32
Face = tuple[Any, int]
"""An answer and its weight."""

UNEXPLORED: Any = object()
"""In place of a result: this branch was not followed."""


class Unexplored(Exception):
    """This branch is too deep or too wide to follow: a signal to the reader, not an error."""


class Walk:
    """One walk: answers so far, and the frames of the odometer."""

    __slots__ = (
        "answers",
        "asked",
        "chose",
        "clauses",
        "cut",
        "frames",
        "idle",
        "met",
        "most",
        "noted",
        "paths",
        "reader",
        "replay",
        "scale",
        "weight",
    )

    def __init__(self, reader: Exact, clauses: tuple[str, ...] = (), most: int = 0) -> None:
        self.reader, self.clauses = reader, clauses
        self.answers: list[Any] = []
        self.frames: list[tuple[Iterator[Face], int, int]] = []  # faces left, weight before, scale after
        self.weight = self.scale = 1
        self.asked = AskedQuestions()
        self.noted: dict[tuple[int, int], Asks] = {}  # what sub-rules asked, by identity and place: most ask the same
        self.paths: frozenset[str] = frozenset()
        self.chose = False
        self.met: frozenset[type] | None = frozenset()  # types of the results of sub-rules; None: any
        self.replay: Iterator[Any] = iter(
            ()
        )  # what is left of the answers that this branch has in common with the last
        self.idle = 0  # questions of this branch with one answer
        self.most, self.cut = most, False  # questions a branch may have, and whether one has more

    def _open(self, faces: Iterable[Face], total: int) -> Any:
        frames = self.frames
        if len(frames) >= self.most:
            self.cut = True
            raise Unexplored
        left, weight = iter(faces), self.weight
        for answer, ways in left:
            self.scale = scale = self.scale * total
            frames.append((left, weight, scale))
            self.weight = weight * ways
            self.answers.append(answer)
            return answer
        raise Unexplored

    def _pass(self, label: str) -> None:
        """Count a question with one answer; a branch with endlessly many of them is not followed."""
        self.idle += 1
        if self.idle > MAX_FORCED_ANSWERS:
            self.reader.spent.spend_steps(MAX_FORCED_ANSWERS // 4)
            self.reader.left_out(question.endless(label))
            raise Unexplored

    def _note(self, kernel: Kernel) -> None:
        """Remember what a sub-rule asked."""
        met = kernel.met
        if met is None:
            self.met = None
        elif self.met is not None and not met <= self.met:
            self.met |= met
        self.chose = self.chose or kernel.chose
        if kernel.paths:
            self.paths |= kernel.paths
        place = (id(kernel.asked), len(self.frames))
        if kernel.asked and place not in self.noted:
            self.noted[place] = kernel.asked
            self.asked.merge(kernel.asked, (len(self.frames), 1), self.clauses)

    def _kernel(self, kernel: Kernel) -> Any:
        self._note(kernel)
        return self._open(kernel.results.items(), kernel.total)

    def roll(self, die: Die, read: Read = face, *, label: str, by: str = "") -> Any:
        for answer in self.replay:
            return answer
        raw_ask, faces, total = a_roll(label, die, read, self.clauses, by)
        self.asked.note(raw_ask, (len(self.frames), 1))
        return self._open(faces, total)

    def pool(
        self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole | None = None, by: str = ""
    ) -> Any:
        question.check_count(count, label)
        if not count:
            self._pass(label)
            return Tally() if whole is None else whole.end(whole.start)
        for answer in self.replay:
            return answer
        self.asked.note(("pool", label, die, read, self.clauses, by), (len(self.frames), 1))
        wide = pool_size(count, die, read, whole)
        if wide > self.reader.budget.states:
            self.reader.left_out(too_wide(count, wide, self.reader.budget.states, label))
            raise Unexplored
        shown = pool_as_die(count, die, read, whole, self.reader.spent)
        if shown is None:
            self.reader.left_out(BRANCHES_SPENT)
            raise Unexplored
        return self._open(zip(shown.faces, shown.weights, strict=True), shown.total)

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        fixed = question.check_cuts(cuts, label)
        if len(fixed) < 2:
            self._pass(label)
            return 0
        known: int
        for known in self.replay:
            return known
        self.asked.note(("direction", label, None, face, self.clauses, ""), (len(self.frames), 1))
        weights, total = arcs(fixed)
        arc: int = self._open(enumerate(weights), total)
        return arc

    def choose(self, options: Sequence[Any], *, by: str, label: str, unit: str = "") -> Any:
        fixed = question.check_options(options, label)
        self._pass(label)
        if len(fixed) == 1:
            return fixed[0]
        self.chose = True
        ask = Ask.labelled("choose", label, options=fixed, by=by, clauses=self.clauses, unit=unit)
        self.asked.note(("choose", label, None, face, self.clauses, by), (len(self.frames), 0, self.idle))
        chosen = self.reader.policy(ask)
        if chosen not in ask.options:
            raise BattletapeError(f"the policy chose {chosen!r} at {label}, which offers {ask.domain}")
        return chosen

    def tell(self, sentence: Any, /, *args: Any, clause: Any = (), **named: Any) -> None:
        pass  # odds are not told

    def call(
        self,
        rule: Rule,
        *args: Any,
        onto: Any = NOTHING,
        then: Then | None = None,
        rest: Any = None,
        tell: Any = None,
        about: str = "",
    ) -> Any:
        if onto is not NOTHING:
            return End(DeferredRule(rule, args), onto)
        if then is not None:
            return End(ClosedRule(rule, args, then), rest)
        for answer in self.replay:
            return answer
        return self._kernel(self.reader.outcomes(rule, *args))

    def each(
        self,
        step: Rule,
        state: Any,
        items: Iterable[Hashable],
        *,
        drawn: Rule | None = None,
        then: Then | None = None,
        rest: Any = None,
        tell: Any = None,
    ) -> Any:
        if then is None:
            for answer in self.replay:
                return answer
        if drawn is not None:
            step = drawing(drawn, step)
        if then is not None:
            return End(Continuation(step, tuple(items), then, rest), state)
        return self._kernel(self.reader.chain(step, state, tuple(items)))

    def race(
        self,
        lines: Lines,
        starts: tuple[Any, Any],
        turns: Iterable[Turn],
        *,
        then: Then,
        rest: Any = None,
        tell: Any = None,
    ) -> Any:
        return End(Race(lines, starts, tuple(turns), then), rest)


@lru_cache(8192)
def a_roll(label: str, die: Die, read: Read, clauses: tuple[str, ...], by: str) -> tuple[RawAsk, tuple[Face, ...], int]:
    """Return the question for a die, as it is noted, with the answers it may have; equal questions are one object."""
    question.check_label(label)
    shown = seen(die, read)
    return ("roll", label, die, read, clauses, by), tuple(zip(shown.faces, shown.weights, strict=True)), shown.total


def too_wide(count: int, wide: int, most: int, label: str) -> str:
    """Return why a pool was left out, and which budget would be enough."""
    return f"{label}: a pool of {count:,} dice counts as {wide:,} states; states={most} are allowed, {wide} would do"


def pool_size(count: int, die: Die, read: Read, whole: Whole | None = None) -> int:
    """Return how many tallies a pool has; tallies with long weights count several times."""
    shown = seen(die, read)
    if whole is not None:  # tallies merge as they are counted
        return count**3 * len(shown.faces) // 4
    return comb(count + len(shown.faces) - 1, count) * (1 + count * shown.total.bit_length() // HEAVY_TALLY_BITS)


_pools: Kept[tuple[int, Die, Read, Whole | None], Die] = lasting(Kept(MEMO_POOLS))


def pool_as_die(count: int, die: Die, read: Read, whole: Whole | None, spent: Spent) -> Die | None:
    """Return a pool as one die: its faces are tallies, or what the whole is read as.

    None if there is no time for that.
    """
    key = (count, die, read, whole)
    known = _pools.get(key)
    if known is None:
        weights = _tallies(count, die, read, spent) if whole is None else _wholes(count, die, read, whole, spent)
        if weights is None:
            return None
        known = _pools.keep(key, Die(f"{count} x {seen(die, read).name}", weights))
    return known


def _tallies(count: int, die: Die, read: Read, spent: Spent) -> dict[Tally, int] | None:
    """Return the tallies of a pool with their weights."""
    shown = seen(die, read)
    if len(shown.faces) == 2:
        (a, b), (x, y) = shown.faces, (weight // gcd(*shown.weights) for weight in shown.weights)
        counts: dict[Tally, int] = {}
        ways = x**count
        for k in range(count + 1):  # each from the one before: whole binomials would take minutes for a huge pool
            counts[Tally({m: n for m, n in ((a, count - k), (b, k)) if n})] = ways
            ways = ways * (count - k) * y // ((k + 1) * x)
            if spent.is_over():
                return None
        return counts
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
                if spent.is_over():
                    return None
        weights, left = grown, rest
    return {
        Tally({m: n for m, n in zip(shown.faces, split, strict=True) if n}): ways for split, ways in weights.items()
    }


def _wholes(count: int, die: Die, read: Read, whole: Whole, spent: Spent) -> dict[Any, int] | None:
    """Return what a pool is read as, with weights: worked out face by face, merging what is known."""
    shown = seen(die, read)
    now: dict[tuple[int, Any], int] = {(count, whole.start): 1}
    first, weight = shown.faces[0], shown.weights[0]
    for value, ways in zip(reversed(shown.faces[1:]), reversed(shown.weights[1:]), strict=True):
        after: dict[tuple[int, Any], int] = {}
        for (left, known), before in now.items():
            for number in range(left + 1):
                key = (left - number, whole.add(known, value, number) if number else known)
                after[key] = after.get(key, 0) + before * comb(left, number) * ways**number
            if spent.is_over(left + 1):
                return None
        now = after
    results: dict[Any, int] = {}
    for (left, known), before in now.items():
        meaning = whole.end(whole.add(known, first, left) if left else known)
        results[meaning] = results.get(meaning, 0) + before * weight**left
        if spent.is_over():
            return None
    return results


@lru_cache(1024)
def arcs(cuts: tuple[float, ...]) -> tuple[tuple[int, ...], int]:
    """Return the arcs between cuts as whole-number weights; fractions stay exact, floats go to 2^-32 of a degree."""
    exact = [
        Fraction(cut) if isinstance(cut, (int, Fraction)) else Fraction(round(cut * BEARING_PARTS), BEARING_PARTS)
        for cut in cuts
    ]
    scale = lcm(*(cut.denominator for cut in exact))
    at = [int(cut * scale) for cut in exact]
    turn = 360 * scale
    return (at[0] + turn - at[-1], *(b - a for a, b in pairwise(at))), turn
