"""The tape: a rule's only source of luck and decisions. Read this file first.

A rule is a plain function that asks a tape for dice and decisions. Readers answer it in different ways:

| reader                | answers by                                            | gives                            |
|-----------------------|-------------------------------------------------------|----------------------------------|
| `tape.exact.Exact`    | walking every branch, merging equal states            | `Odds` in whole numbers          |
| `tape.rolled.Rolled`  | seeded dice                                           | one result and its recording     |
| `tape.typed.Typed`    | a person; a missing answer raises `NeedAnswer`        | real dice, with the sums done    |
| `tape.recorded.Recorded` | a stored recording; a misfit raises `TapeMismatch` | replay, undo, what-if            |
| `tape.sampled.sampled`| many rolled runs                                      | an estimate with its error       |
| `tape.best.Best`      | like exact, with the best option at every choice      | advice for a stated goal         |
| `tape.script.Script`  | fixed answers that must be used up                    | tests                            |

**Ends.** A rule may *end* in a question: it returns what the tape gives, without looking at it.

    return tape.each(step, inner, items, then=close, rest=rest)   # close(rest, inner after the last item)
    return tape.each(step, inner, items, drawn=rule, then=close)  # the step takes the rule's result for each item
    return tape.call(rule, *args, then=close, rest=rest)          # close(rest, result of the rule)
    return tape.call(rule, *args, onto=inner)                     # the rule returns a Continuation, to be done to inner
    return tape.race(lines, starts, turns, then=close, rest=rest) # two independent lines

Readers of one path simply answer it. The exact reader collects the ends of all branches and states of a stage, groups
equal ones, and works each group out once. That is the one way to be fast here. Five things to know:

- A rule that ends in a question is a stage, or is run by `tape.call` or `tape.each`; never call it as a function.
- `close` asks nothing and is a named function. A lambda is correct but slow: no two lambdas are equal, so none group.
- `rest` is the state without inner: put a constant such as `GONE` in its place. A rest that still contains inner is
  correct but slow, because ends do not group.
- `onto` promises that the luck depends only on `args`. It is worked out once, whatever it is then done to.
- `drawn` is for dice that are all thrown before the first step (the locations of some hits, then the damage of each).
  Such a rule may look only at its item. So the exact reader can draw each item when its step comes, instead of holding
  them all: eight hits on six locations are eight short steps, not 6^8 combinations.

**The story.** A rule says what has happened where it happens: `tape.tell("{} of {} hit", hits, dice)`, or with a
function that puts it into words, `tape.tell(losses, before, after)`. Readers of one path keep it between the dice, so
the log is the trail; it is put into words only when it is read. The exact reader does nothing. A recording holds
answers only. So a sentence never has a say in what happens, and a state keeps nothing just to be told. Where a rule
ends in a question, `tell=` says what came of it: `tape.each(step, inner, items, then=close, rest=rest, tell=toll)`.

**The subject.** An item of `tape.each` may have a property `subject`: the model, or the place that is hit. Readers of
one path note it with every question of its step, so that a player who types dice is told whose they are. The odds do
not look at it.

**The lens.** Rules keep everything a battle needs; the exact reader forgets what no measure needs. A question or an
action has a lens, which says for each type what may be left out of a value (`Exact(forget=…)`). A conformance test
checks its law: with and without it, every measure that is asked for has the same odds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, overload

from battletape.dice import Die, Face, Meaning, Whole, face
from battletape.tape.ends import NOTHING, Continuation, Ended, Lines, Turn
from battletape.tape.question import Ask, Entry, NeedAnswer, Tally, TapeMismatch
from battletape.tape.story import Sentence

R = TypeVar("R")
S = TypeVar("S", bound=Hashable)
Read = Callable[[Face], Meaning]
Forget = tuple[tuple[type, Callable[[Any], Any]], ...]
"""A lens: for each type, a function that leaves out what no measure needs."""

__all__ = [
    "Ask",
    "Continuation",
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

    def roll(self, die: Die, read: Read = face, *, label: str, by: str = "") -> Any:
        """Roll one die; `read` maps the face to what the rule needs to know; `by` is its side, if not the attacker."""

    @overload
    def pool(self, count: int, die: Die, read: Read = face, *, label: str, by: str = "") -> Tally: ...

    @overload
    def pool(self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole, by: str = "") -> Any: ...

    def pool(
        self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole | None = None, by: str = ""
    ) -> Any:
        """Many dice at once: how often each meaning came up, in no order; `whole` reads the pool as one value."""

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        """Roll a bearing in degrees; the answer is how many cuts lie at or before it (the last arc wraps to 0)."""

    def choose(self, options: Sequence[Any], *, by: str, label: str, unit: str = "") -> Any:
        """Ask a player to decide; a single option is no question; `unit` says what options that are numbers count."""

    def tell(self, sentence: Sentence, /, *args: Any, clause: str | tuple[str, ...] = (), **named: Any) -> None:
        """Tell the log what has happened; it cites the rule that says it, unless another clause is given."""

    @overload
    def call(self, rule: Rule, *args: Any, about: str = "") -> Any: ...

    @overload
    def call(
        self,
        rule: Rule,
        *args: Any,
        then: Callable[[Any, Any], R],
        rest: Any = None,
        tell: Sentence | None = None,
        about: str = "",
    ) -> R: ...

    @overload
    def call(self, rule: Callable[..., Continuation[R]], *args: Any, onto: Any) -> R: ...

    def call(
        self,
        rule: Rule,
        *args: Any,
        onto: Any = NOTHING,
        then: Any = None,
        rest: Any = None,
        tell: Sentence | None = None,
        about: str = "",
    ) -> Any:
        """Return a sub-rule; its equal results merge. With `then` or `onto` it is the end of a rule.

        `about` is the unit it is about: sentences told in it begin with this name.
        """

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
        tell: Sentence | None = None,
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
        tell: Sentence | None = None,
    ) -> Any:
        """Fold a short step over items; equal states merge after each. With `then` it is the end of a rule.

        With `drawn`, that rule is rolled for all items first, and the step takes its results.
        """

    def race(
        self,
        lines: Lines,
        starts: tuple[Any, Any],
        turns: Iterable[Turn],
        *,
        then: Callable[[Any, Ended], R],
        rest: Any = None,
        tell: Sentence | None = None,
    ) -> R:
        """Two independent lines, turn by turn until one is over; always the end of a rule."""


Rule = Callable[..., Any]
"""A rule or stage: its first argument is a `Tape`."""
