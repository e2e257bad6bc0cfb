"""What a rule may end in, as values: readers of one path do it at once, the exact reader groups equal ends."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from msgspec import Struct

R = TypeVar("R")
NOTHING: Any = object()
"""Nothing was given."""
Then = Callable[[Any, Any], Any]
"""(rest, answer to the last question) -> the result of the rule.

It asks nothing, and it is a named function: ends are equal only if their functions are the same one."""
Turn = tuple[int, Hashable]
"""Which of the two lines of a race moves, 0 or 1, and the item of its step."""
Ended = tuple[Any, Any, int | None]
"""What is kept of both lines of a race, and the turn that ended it, counted from 0; None if no turn did."""


class Continuation(Struct, Generic[R], frozen=True, cache_hash=True, gc=False):
    """Work to be done on something that is not known yet: a step for each item, then `then`.

    A rule that returns a continuation is run by `tape.call(rule, *args, onto=something)`. It is worked out once,
    whatever it is done to, so give it as little as possible: `rest` is what it knows, and `then(rest, state after the
    steps)` is the result.
    """

    step: Callable[..., Any]
    items: tuple[Hashable, ...]
    then: Callable[[Any, Any], R]
    rest: Hashable = None
    tell: Any = None  # a sentence of `rest` and the state after the steps, said after the last of them


class Lines(NamedTuple):
    """How the two lines of a race run: a step of one of them, when it is over, and what is kept of it at the end."""

    step: Callable[..., Any]  # (tape, state, item) -> state
    is_over: Callable[[Any], bool]
    kept: Callable[[Any], Hashable]


class DeferredRule(NamedTuple):
    """A rule that returns a continuation, and its arguments."""

    rule: Callable[..., Any]
    args: tuple[Hashable, ...]


class ClosedRule(NamedTuple):
    """A rule whose result is closed: `then(rest, result)`."""

    rule: Callable[..., Any]
    args: tuple[Hashable, ...]
    then: Then


class Race(NamedTuple):
    """A race whose ending is then closed: `then(rest, ending)`."""

    lines: Lines
    starts: tuple[Hashable, Hashable]
    turns: tuple[Turn, ...]
    then: Then


@lru_cache(256)
def drawing(drawn: Callable[..., Any], step: Callable[..., Any]) -> Callable[..., Any]:
    """Return a step that draws its own item, for readers that ignore the order of dice.

    Equal rules give the same step.
    """

    def draw_and_take(tape: Any, state: Any, item: Hashable) -> Any:
        return tape.call(step, state, tape.call(drawn, item))

    return draw_and_take


class End(Struct, frozen=True, cache_hash=True, gc=False):
    """What a rule returns in place of a result: the last work to do, and on which state; equal ends are done once."""

    work: Continuation[Any] | DeferredRule | ClosedRule | Race
    inner: Hashable

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"a rule looked at {name!r} of what tape.call(…, then=…) or tape.each(…, then=…) gave; such a question is "
            "the end of a rule: return what it gives, and let others ask that rule by tape.call"
        )
