"""What the exact reader keeps about a rule: its results with weights, and the questions it asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple

from msgspec import Struct, field

from battletape.dice import Die, Face, Meaning, seen

RawAsk = tuple[str, str, Die | None, Callable[[Face], Meaning], tuple[str, ...], str]
"""An `AskedRoll` as a plain tuple, because the walk makes one at every question."""
Rank = tuple[int, ...]
"""Where in a rule a question may first come up: after how many others, then where in the sub-rule asked there, and so
on. It depends on the rules alone, so the steps of an answer have one order, in whichever order they were found."""
Asks = tuple[tuple[RawAsk, Rank], ...]
"""Questions, each with the first place it has."""
LAST = 1 << 30
"""The rank of what a rule ends in: after all that it asks itself."""


class AskedRoll(NamedTuple):
    """A question that came up somewhere in the branches."""

    kind: str
    label: str
    die: Die | None
    read: Callable[[Face], Meaning]
    clauses: tuple[str, ...]
    by: str = ""

    @property
    def needed(self) -> str:
        """What the rule looks for."""
        return getattr(self.read, "text", "") or ""

    @property
    def why(self) -> str:
        """Why that much is needed, if the rule tells it: the end of `needed`."""
        return getattr(self.read, "why", "")

    @property
    def sort_key(self) -> tuple[Any, ...]:
        """Everything about it, to put equal places in order: the likelier first, then by words."""
        die = self.die.name if self.die is not None else ""
        return self.label, -(self.chance or 0), self.needed, die, self.clauses, self.kind, self.why

    @property
    def chance(self) -> Fraction | None:
        """The chance that one die passes, if the reading is pass or fail."""
        if self.die is None:
            return None
        shown = seen(self.die, self.read)
        good = getattr(self.read, "good", None)
        if good is None and not all(isinstance(meaning, bool) for meaning in shown.faces):
            return None
        weighed = zip(shown.faces, shown.weights, strict=True)
        return Fraction(sum(w for m, w in weighed if (m if good is None else m in good)), shown.total)


class Kernel(Struct):
    """Results with whole-number weights; `lost` is the weight left unexplored."""

    results: dict[Any, int]
    total: int
    lost: int = 0
    asked: Asks = ()
    chose: bool = False
    branches: int = 1
    paths: frozenset[str] = frozenset()
    open: bool = False  # whether some of its results are ends
    lanes: tuple[int, int] | None = None  # several kernels side by side: how many, and bytes for each weight
    bytes: dict[Any, bytes] = field(default_factory=dict)
    met: frozenset[type] | None = None  # types of all results so far, which a lens may affect; None: any
    by_lane: tuple[Asks, ...] | None = None  # what was asked in each lane, if they are to be kept apart


class AskedQuestions(dict[RawAsk, Rank]):
    """Questions that come together from several kernels, in any order."""

    def merge(self, asked: Asks, under: Rank = (), clauses: tuple[str, ...] = ()) -> None:
        """Add questions that come up at a place; one without clauses takes those of the rule that asks there."""
        for raw, rank in asked:
            raw, rank = raw if raw[4] else (*raw[:4], clauses, raw[5]), (*under, *rank)
            known = self.get(raw)
            if known is None or rank < known:
                self[raw] = rank

    def note(self, raw: RawAsk, rank: Rank) -> None:
        """Add one question."""
        known = self.get(raw)
        if known is None or rank < known:
            self[raw] = rank

    @property
    def asked(self) -> Asks:
        """All of them."""
        return tuple(self.items())


def in_order(asked: Iterable[tuple[RawAsk, Rank]]) -> tuple[AskedRoll, ...]:
    """Return questions in the order in which they come up; of those in one place, by their words."""
    ranked = [(rank, AskedRoll(*raw)) for raw, rank in asked]
    return tuple(question for _, question in sorted(ranked, key=lambda place: (place[0], *place[1].sort_key)))


def reduced(kernel: Kernel) -> Kernel:
    """Return the kernel on the smallest possible scale."""
    shared = gcd(kernel.total, *kernel.results.values())
    if shared > 1:
        kernel.total //= shared
        kernel.lost //= shared
        kernel.results = {value: weight // shared for value, weight in kernel.results.items()}
    return kernel


def all_met(kernels: Iterable[Kernel]) -> frozenset[type] | None:
    """Return the types that any of several kernels has met."""
    met: set[frozenset[type] | None] = {kernel.met for kernel in kernels}
    known = [types for types in met if types is not None]
    return frozenset().union(*known) if len(known) == len(met) else None


class StageCount(NamedTuple):
    """The work of one stage: branches walked, states after merging, questions, and the state if there is only one."""

    stage: Callable[..., Any]
    branches: int
    states: int
    asked: tuple[AskedRoll, ...]
    only: Any
