"""The last question of a rule, said as such, so that its odds are worked out faster; the odds are the same.

Where nothing is asked after a sub-rule or a fold, the exact reader does not come back to the rule for each of its
results: it gathers what `closed` makes of them. Only a rule that is a stage or that is asked by `call` may end so, as
its caller must not look at what it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from battletape.tape import Rule, Tape
from battletape.tape.walk import Walk

R = TypeVar("R")


def last_call(tape: Tape, closed: Callable[[Any], R], rule: Rule, *args: Hashable) -> R:
    """What `closed` makes of the result of a sub-rule."""
    if isinstance(tape, Walk):
        gathered: Any = tape.tail(closed, tape.reader.outcomes(rule, *args))
        return gathered  # type: ignore[no-any-return]
    return closed(tape.call(rule, *args))


def last_each(tape: Tape, closed: Callable[[Any], R], step: Rule, state: Hashable, items: Iterable[Hashable]) -> R:
    """What `closed` makes of a state that a step was folded over items from."""
    if isinstance(tape, Walk):
        gathered: Any = tape.tail(closed, tape.reader.chain(step, state, tuple(items)))
        return gathered  # type: ignore[no-any-return]
    return closed(tape.each(step, state, items))
