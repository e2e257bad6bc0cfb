"""The tape: a rule's only door to luck and will. Read this file first.

A rule is a plain function that asks a tape for dice and decisions. Readers answer it in different ways:

| reader                | answers by                                            | gives                            |
|-----------------------|-------------------------------------------------------|----------------------------------|
| `tape.exact.Exact`    | walking every branch, merging equal states            | `Odds` in whole numbers          |
| `tape.rolled.Rolled`  | seeded dice                                           | one result and its recording     |
| `tape.typed.Typed`    | a person; a missing answer raises `NeedAnswer`        | the sums done, the dice real     |
| `tape.recorded.Recorded` | a stored recording; a misfit raises `TapeMismatch` | replay, undo, what-if            |
| `tape.sampled.sampled`| many rolled runs                                      | an estimate with its error       |
| `tape.best.Best`      | like exact, with the best option at every choice      | advice for a stated goal         |
| `tape.script.Script`  | fixed answers that must be used up                    | tests                            |
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, overload

from battletape.dice import Die, Face, Meaning, Whole, face
from battletape.tape.question import Ask, Entry, NeedAnswer, Tally, TapeMismatch

S = TypeVar("S", bound=Hashable)
Read = Callable[[Face], Meaning]

__all__ = ["Ask", "Entry", "NeedAnswer", "Read", "Rule", "Tally", "Tape", "TapeMismatch", "face"]


class Tape(Protocol):
    """The six questions a rule may ask."""

    def roll(self, die: Die, read: Read = face, *, label: str) -> Any:
        """One die; `read` maps the face to what the rule needs to know."""

    @overload
    def pool(self, count: int, die: Die, read: Read = face, *, label: str) -> Tally: ...

    @overload
    def pool(self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole) -> Any: ...

    def pool(self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole | None = None) -> Any:
        """Many dice at once: how often each meaning came up, never an order; `whole` reads it as one."""

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        """A random bearing in degrees; the answer is how many cuts lie at or before it (the last arc wraps to 0)."""

    def choose(self, options: Sequence[Any], *, by: str, label: str) -> Any:
        """A decision of a player; a single option is no question."""

    def call(self, rule: Rule, *args: Any) -> Any:
        """A sub-rule; its equal results merge."""

    def each(self, step: Rule, state: S, items: Iterable[Hashable]) -> S:
        """Fold a short step over items; equal states merge after each."""


Rule = Callable[..., Any]
"""A rule or stage: its first argument is a `Tape`."""
