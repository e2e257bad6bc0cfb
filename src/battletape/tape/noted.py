"""A stage played once more from its answers, to see what happened inside it: every call and every step of a fold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from battletape.tape import Rule
from battletape.tape.path import Path
from battletape.tape.question import Ask, NeedAnswer


class Event(NamedTuple):
    """A rule that was called, or a step of a fold with its state and item: the result and the dice."""

    rule: Rule
    args: tuple[Any, ...]
    result: Any
    dice: tuple[tuple[Ask, Any], ...]


class Noted(Path):
    """A tape of known answers that notes what is done with them; for logs, never for odds or live dice."""

    def __init__(self, trail: Sequence[tuple[Ask, Any]]) -> None:
        super().__init__()
        self.left = [answer for _, answer in trail]
        self.events: list[Event] = []

    def answer(self, ask: Ask) -> Any:
        """The next answer."""
        if not self.left:
            raise NeedAnswer(ask, self.entries)
        return self.left.pop(0)

    def each(
        self,
        step: Rule,
        state: Any,
        items: Iterable[Any],
        *,
        drawn: Rule | None = None,
        then: Any = None,
        rest: Any = None,
        tell: Any = None,
    ) -> Any:
        """A step for each item, every one noted."""
        for item in items if drawn is None else [self.call(drawn, item) for item in items]:
            before, start = state, len(self.trail)
            state = super().each(step, state, (item,))
            self.events.append(Event(step, (before, item), state, tuple(self.trail[start:])))
        return state if then is None else then(rest, state)

    def call(self, rule: Rule, *args: Any, **end: Any) -> Any:
        """A sub-rule, noted."""
        start = len(self.trail)
        result = super().call(rule, *args, **end)
        self.events.append(Event(rule, args, result, tuple(self.trail[start:])))
        return result


def events_of(stage: Rule, state: Any, trail: Sequence[tuple[Ask, Any]]) -> tuple[Event, ...]:
    """What happened inside a stage, in order; nothing if answers are missing."""
    tape = Noted(trail)
    tape.enter(stage)
    try:
        stage(tape, state)
    except NeedAnswer:
        return ()
    return tuple(tape.events)
