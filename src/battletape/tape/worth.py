"""Worth: what each option of a decision is worth from where play stands, while dice are rolled.

The stage that asks is walked on from its answers so far, and the stages after it are read by the exact reader (or by
the reader of best play). What is too much for that is estimated by many rolls, and says so. Neither the clock nor
what is known already has a say, so the same decision has the same worth everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import Struct

from battletape.dice import seen
from battletape.errors import BudgetSpent
from battletape.tape import Forget, Rule
from battletape.tape.best import Best, Play
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import (
    OPTION_LATER_BRANCHES,
    OPTION_LATER_STATES,
    OPTION_ROLLS,
    OPTION_RUNS,
    Budget,
    Spent,
)
from battletape.tape.path import Path
from battletape.tape.question import Ask, frozen_states
from battletape.tape.rolled import Rolled
from battletape.tape.walk import arcs, pool_as_die

LATER_STAGES = Budget(branches=OPTION_LATER_BRANCHES, states=OPTION_LATER_STATES)
"""What the stages after the one that asks may take from each of their starts."""


class Position(NamedTuple):
    """Where play stands at a decision: the stages left, the state, and what was answered in this one."""

    stages: tuple[Rule, ...]
    state: Any
    answered: tuple[Any, ...]

    @classmethod
    def of(cls, tape: Path) -> Position:
        """Return the position of a tape that is being played."""
        answered = tuple(ask.meaning(answer) for ask, answer in tape.trail[tape.answers_before :])
        return cls(tape.stages[tape.stage :], tape.state, answered)


class OptionWorth(Struct, frozen=True):
    """An option and its worth: the mean of the goal; `rolls` is how many estimate it, 0 if it is exact."""

    option: Any
    value: Fraction
    rolls: int = 0


class Aim(NamedTuple):
    """What options are measured by: a number for each last state, how each side plays, and what may be forgotten."""

    goal: Callable[[Any], Any]
    plays: Mapping[str, Play] = {}  # how choices after this one are made; empty: as usual
    forget: Forget = ()


class _Open(Exception):
    """The stage has come to a question without an answer."""

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self.ask = ask


class _Walk(Path):
    """Answers that are known, as the rule reads them; the next question is open."""

    def __init__(self, answered: Sequence[Any]) -> None:
        super().__init__()
        self.answered, self.used = answered, 0

    def _ask(self, ask: Ask) -> Any:
        self.idle = 0
        if self.used == len(self.answered):
            raise _Open(ask)
        self.used += 1
        return self.answered[self.used - 1]


class _Sample(Rolled):
    """Answers that are known, and dice of its own after them."""

    def __init__(self, answered: Sequence[Any], seed: int) -> None:
        super().__init__(seed)
        self.answered, self.used = answered, 0

    def _ask(self, ask: Ask) -> Any:
        self.idle = 0
        if self.used < len(self.answered):
            self.used += 1
            return self.answered[self.used - 1]
        return ask.meaning(self.answer(ask))

    def tell(self, sentence: Any, /, *args: Any, clause: Any = (), **named: Any) -> None:
        """Ignore it: many rolls are not told."""


def worths(position: Position, ask: Ask, aim: Aim) -> tuple[OptionWorth, ...]:
    """Return what every option of a decision is worth; empty if its goal is no number."""
    try:
        with frozen_states():
            walker = _Walker(position, aim)
            return tuple(OptionWorth(option, walker.value((*position.answered, option))) for option in ask.options)
    except (BudgetSpent, RecursionError):
        pass
    except (TypeError, ValueError):
        return ()
    try:
        return tuple(OptionWorth(option, _estimate(position, option, aim), OPTION_ROLLS) for option in ask.options)
    except (TypeError, ValueError):
        return ()


def best_of(options: Sequence[OptionWorth], play: Play) -> Any:
    """Return the option worth the most to a side that plays so, the first of several."""
    return (min if play == "min" else max)(options, key=lambda known: known.value).option


class _Walker:
    """Walks the stage that asks through all its dice, and reads from each state after it what the later stages make."""

    def __init__(self, position: Position, aim: Aim) -> None:
        self.position, self.aim = position, aim
        self.stage, *rest = position.stages
        self.rest = tuple(rest)
        self.runs = 0
        self.memo = Memo()
        self.known: dict[Any, Fraction] = {}

    def value(self, answered: tuple[Any, ...]) -> Fraction:
        """Return what the stage is worth after these answers."""
        self.runs += 1
        if self.runs > OPTION_RUNS:
            raise BudgetSpent("there are too many ways to go on")
        try:
            state = self.stage(_Walk(answered), self.position.state)
        except _Open as question:
            ask = question.ask
        else:
            return self._after(state)
        if ask.kind == "choose":
            if not self.aim.plays:
                return self.value((*answered, ask.options[0]))
            values = [self.value((*answered, option)) for option in ask.options]
            return min(values) if self.aim.plays.get(ask.by, "max") == "min" else max(values)
        weighed = _weighed(ask)
        total = sum(weight for _, weight in weighed)
        return sum((self.value((*answered, meaning)) * weight for meaning, weight in weighed), Fraction(0)) / total

    def _after(self, state: Any) -> Fraction:
        """Return what a state after the stage is worth."""
        worth = self.known.get(state)
        if worth is None:
            worth = self.known[state] = self._read(state)
        return worth

    def _read(self, state: Any) -> Fraction:
        if not self.rest:
            return _number(self.aim.goal(state))
        if self.aim.plays:
            reader = Best(self.aim.goal, self.aim.plays, memo=self.memo, budget=LATER_STAGES, forget=self.aim.forget)
            return reader.run(self.rest, state).value
        kernel, _ = Exact(self.memo, LATER_STAGES, forget=self.aim.forget).stages(self.rest, state)
        if kernel.lost or not kernel.results:
            raise BudgetSpent("there are too many ways to go on")
        return sum((_number(self.aim.goal(end)) * w for end, w in kernel.results.items()), Fraction(0)) / kernel.total


def _weighed(ask: Ask) -> list[tuple[Any, int]]:
    """Return what luck may answer, as the rule reads it, with its weights."""
    if ask.kind == "direction":
        weights, _ = arcs(ask.cuts)
        return list(enumerate(weights))
    assert ask.die is not None
    spent = Spent(LATER_STAGES)
    shown = pool_as_die(ask.count, ask.die, ask.read, ask.whole, spent) if ask.kind == "pool" else None
    if ask.kind == "pool" and shown is None:
        raise BudgetSpent("there are too many dice")
    die = shown or seen(ask.die, ask.read)
    return list(zip(die.faces, die.weights, strict=True))


def _estimate(position: Position, option: Any, aim: Aim) -> Fraction:
    """Return what an option is worth by many rolls; the same dice for every option."""
    total = Fraction(0)
    for seed in range(OPTION_ROLLS):
        tape = _Sample((*position.answered, option), seed)
        state = position.state
        for stage in position.stages:
            state = stage(tape, state)
        total += _number(aim.goal(state))
    return total / OPTION_ROLLS


def _number(value: Any) -> Fraction:
    """Return a worth as a fraction; a word is none."""
    if isinstance(value, str):
        raise TypeError(f"{value!r} is no number")
    return Fraction(value)
