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

**Ends.** A rule may *end* in a question, and then returns what the tape gives without looking at it:

    return tape.each(step, inner, items, then=close, rest=rest)   # close(rest, inner after the last item)
    return tape.each(step, inner, items, drawn=rule, then=close)  # the step takes what the rule made of each item
    return tape.call(rule, *args, then=close, rest=rest)          # close(rest, result of the rule)
    return tape.call(rule, *args, onto=inner)                     # the rule gives a Deed, which is done to inner
    return tape.race(lines, starts, turns, then=close, rest=rest) # two lines apart

Readers of one path just do it. The exact reader takes all branches and all states of a stage together, groups equal
ends, and works each group out once; that is the one way to be fast here. Five things to know:

- A rule that ends so is a stage, or is asked by `tape.call` or `tape.each`; nobody calls it as a plain function.
- `close` asks nothing and is a named function. A lambda is correct, but groups nothing: no two of them are equal.
- `rest` is the state without inner; something that is always the same stands in its place (`NOBODY`). A rest that
  still holds it is correct, but groups nothing.
- `onto` says before the luck that from here on luck knows only `args`: it is worked out once for all it is done to.
- `drawn` is for dice that are all thrown before the first step is taken (the places of some hits, then the damage of
  each). Such a rule knows its item and nothing else. So the exact reader may draw each item when its step comes, and
  never holds them all: eight hits on six places are eight short steps, not 6^8 rows of places.

**The lens.** What nobody asks about is forgotten by the exact reader, not by rules: a question or an action has a
lens, which says by type what may be left out of a value (`Exact(forget=…)`). Its law, which a conformance test keeps:
with and without it, every measure that is asked has the same odds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, overload

from battletape.dice import Die, Face, Meaning, Whole, face
from battletape.tape.ends import NOTHING, Deed, Ended, Lines, Turn
from battletape.tape.question import Ask, Entry, NeedAnswer, Tally, TapeMismatch

R = TypeVar("R")
S = TypeVar("S", bound=Hashable)
Read = Callable[[Face], Meaning]
Forget = tuple[tuple[type, Callable[[Any], Any]], ...]
"""A lens: by type, what is made of a value where nobody asks for all of it."""

__all__ = [
    "Ask",
    "Deed",
    "Ended",
    "Entry",
    "Forget",
    "Lines",
    "NeedAnswer",
    "Read",
    "Rule",
    "Tally",
    "Tape",
    "TapeMismatch",
    "Turn",
    "face",
]


class Tape(Protocol):
    """The six questions a rule may ask, and the race that it may end in."""

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

    @overload
    def call(self, rule: Rule, *args: Any) -> Any: ...

    @overload
    def call(self, rule: Rule, *args: Any, then: Callable[[Any, Any], R], rest: Any = None) -> R: ...

    @overload
    def call(self, rule: Callable[..., Deed[R]], *args: Any, onto: Any) -> R: ...

    def call(self, rule: Rule, *args: Any, onto: Any = NOTHING, then: Any = None, rest: Any = None) -> Any:
        """A sub-rule; its equal results merge. With `then` or `onto` it is the end of a rule."""

    @overload
    def each(self, step: Rule, state: S, items: Iterable[Hashable], *, drawn: Rule | None = None) -> S: ...

    @overload
    def each(
        self,
        step: Rule,
        state: Any,
        items: Iterable[Hashable],
        *,
        drawn: Rule | None = None,
        then: Callable[[Any, Any], R],
        rest: Any = None,
    ) -> R: ...

    def each(
        self,
        step: Rule,
        state: Any,
        items: Iterable[Hashable],
        *,
        drawn: Rule | None = None,
        then: Any = None,
        rest: Any = None,
    ) -> Any:
        """Fold a short step over items; equal states merge after each. With `then` it is the end of a rule.

        With `drawn` all items are thrown for first: the step takes what that rule made of each.
        """

    def race(
        self,
        lines: Lines,
        starts: tuple[Any, Any],
        turns: Iterable[Turn],
        *,
        then: Callable[[Any, Ended], R],
        rest: Any = None,
    ) -> R:
        """Two lines that know nothing of each other, turn by turn until one is over; always the end of a rule."""


Rule = Callable[..., Any]
"""A rule or stage: its first argument is a `Tape`."""
