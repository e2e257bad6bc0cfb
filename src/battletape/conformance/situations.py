"""What players might do in battles of a ruleset: actions whose odds are compared with the play.

The battles are the sample of the card, and the starts and played battles that its author gives. The sample and the
starts are played at random for a while, after the first moves of a start. For each battle and action the liveliest
situation is kept: the one whose measures differ most between a few plays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

import pytest

from battletape.answer import Answer
from battletape.battle import Battle
from battletape.battle.reading import read_battle
from battletape.conformance.random_play import AnyOption
from battletape.conformance.subjects import Subject
from battletape.errors import BattletapeError, file_trouble
from battletape.inputs import Inputs
from battletape.system import Action
from battletape.tape.limits import Budget
from battletape.tape.rolled import Rolled
from battletape.tape.sampled import Quick
from battletape.tape.script import Script

MOVES = 30  # of each battle that is played at random
LOOKED_AT = 30  # options of an action in one state
MAX_OPTIONS = 100  # options of an action in one battle that are played once, besides those that were done
TRIED = 8  # of them, those with most dice, that are played a few times
PLAYS = 16  # to see how lively each of these is
DECIDED = 8  # plays in which luck decides what players would
BUDGET = Budget(branches=200_000)  # a fifteenth of what a player has: the odds should be quick


@dataclass(frozen=True, eq=False)
class Situation:
    """An action that may be taken at some point of a battle."""

    name: str  # of the battle
    battle: Battle
    at: int  # after this move
    action: Action
    params: Inputs

    def __str__(self) -> str:
        given = {field: getattr(self.params, field) for field in self.params.__struct_fields__}
        params = ", ".join(f"{name}={value}" for name, value in given.items() if value not in ("", (), 0, None, False))
        return f"{self.battle.ruleset.name} {self.name}@{self.at} {self.action.name}({params})"

    @property
    def state(self) -> Any:
        """The battle before the action."""
        return self.battle.reach(self.at)

    def work(self) -> Any:
        """Return the working state that the action begins with when it is played."""
        return self.battle.rules.plan(self.action, self.state, self.params).begin.on(Script())

    def stages(self) -> Sequence[Any]:
        """Return the stages that are played."""
        return self.action.procedure(self.work()).stages

    def odds(self) -> Answer:
        """Return the odds that a player sees, worked out for this action alone."""
        self.battle.ruleset.memo.clear()
        return self.battle.fork(self.at).odds(self.action.name, self.params, budget=BUDGET)

    def plays(self, tape: Quick) -> Iterator[Any]:
        """Yield the working state after each of endless plays."""
        work, stages = self.work(), self.stages()
        while True:
            now = work
            tape.idle = 0
            for stage in stages:
                now = tape.run(stage, now)
            yield now

    @property
    def dice(self) -> int:
        """How many questions one play asks."""
        tape, now = Rolled("dice"), self.work()
        for stage in self.stages():
            now = stage(tape, now)
        return len(tape.trail)

    @property
    def has_luck(self) -> bool:
        """Whether some play asks for dice, and not only for decisions."""
        return any(ask.kind != "choose" for tape, _ in self._decided() for ask, _ in tape.trail)

    @cached_property
    def few(self) -> tuple[tuple[Any, ...], ...]:
        """The measures of a few plays."""
        return tuple(islice(self.results(Quick("lively")), PLAYS))

    def decided(self) -> Iterator[tuple[Any, ...]]:
        """Yield the measures of a few plays in which luck decides what players would."""
        for _, end in self._decided():
            yield tuple(measure.of(end) for measure in self.action.measures)

    def _decided(self) -> Iterator[tuple[AnyOption, Any]]:
        for number in range(DECIDED):
            tape, now = AnyOption(f"{self} {number}"), self.work()
            for stage in self.stages():
                now = stage(tape, now)
            yield tape, now

    @property
    def differing(self) -> set[str]:
        """The measures that differ between a few plays."""
        names = (measure.name for measure in self.action.measures)
        return {name for name, *values in zip(names, *self.few, strict=True) if len(set(values)) > 1}

    @property
    def liveliness(self) -> tuple[int, int]:
        """How many measures differ between a few plays, and how many different results there are."""
        return len(self.differing), len(set(self.few))

    def results(self, tape: Quick) -> Iterator[tuple[Any, ...]]:
        """Yield the measures of each of endless plays."""
        for end in self.plays(tape):
            yield tuple(measure.of(end) for measure in self.action.measures)


@lru_cache(None)
def battles(subject: Subject) -> dict[str, Battle]:
    """Return the battles of a ruleset, played."""
    begun = {"sample": Battle.new(subject.ruleset)}
    for name, given in subject.starts.items():
        number = 0
        try:
            begun[name] = Battle.new(subject.ruleset, given.start, given.rulings)
            for number, move in enumerate(given.moves, 1):
                params = dict(move)
                begun[name].push(params.pop("action"), params, tape=f"{name} move {number - 1}")
        except BattletapeError as error:
            pytest.fail(f"The start [{name}]{f', move {number}' if number else ''}: {error}", pytrace=False)
    for name, battle in begun.items():
        play_evenly(battle, name)
    for path in subject.played:
        try:
            begun[path.stem] = read_battle(path.read_text(encoding="utf-8"), str(path), subject.ruleset)
        except (OSError, UnicodeDecodeError) as error:
            pytest.fail(f"{path}: {file_trouble(error)}.", pytrace=False)
        except BattletapeError as error:
            pytest.fail(str(error), pytrace=False)
    return begun


def play_evenly(battle: Battle, name: str) -> None:
    """Play at random, each action as likely as any other that may be taken."""
    for step in range(MOVES):
        luck = random.Random(f"{name} {step}")
        actions = list(battle.actions)
        luck.shuffle(actions)
        allowed = ((action, params) for action in actions for params in _allowed(battle, action, battle.state, luck))
        action, params = next(allowed, (None, None))
        if action is None:
            break
        battle.push(action.name, params, tape=AnyOption(f"{name} {step}"))


def _allowed(
    battle: Battle, action: Action, state: Any, luck: random.Random, most: int | None = None
) -> Iterator[Inputs]:
    """Return the allowed options of an action, in random order; only the first few are looked at."""
    options = list(battle.rules.options(action, state))
    luck.shuffle(options)
    return (params for params in options[:most] if battle.rules.why_not(action, state, params) is None)


@lru_cache(None)
def situations(subject: Subject, action: Action) -> tuple[Situation, ...]:
    """Return the liveliest situation of each battle for an action, and the one with most dice.

    Also those where a measure varies that did not vary in any before.
    """
    chosen: list[Situation] = []
    met: set[str] = set()
    for name, battle in battles(subject).items():
        done = list(_done(name, battle, action))
        ones = sorted([*done, *_possible(name, battle, action)], key=lambda situation: -situation.dice)
        if ones:
            tried = [*ones[:TRIED], *done]
            liveliest = max(tried, key=lambda situation: situation.liveliness)
            for situation in (liveliest, *tried):
                if situation in (liveliest, ones[0]) or not situation.differing <= met:
                    chosen.append(situation)
                    met |= situation.differing
    return tuple(dict.fromkeys(chosen))


def taken(subject: Subject, action: Action) -> Iterator[Situation]:
    """Yield every point of every battle where an action was taken."""
    for name, battle in battles(subject).items():
        yield from _done(name, battle, action)


def _done(name: str, battle: Battle, action: Action) -> Iterator[Situation]:
    """Yield where an action was taken in a battle."""
    for move in battle.record.moves:
        if move.action == action.name:
            yield Situation(name, battle, move.follows, action, move.params)


def _possible(name: str, battle: Battle, action: Action) -> Iterator[Situation]:
    """Yield some of the points where it could have been taken."""
    luck = random.Random(f"{name} {action.name}")
    numbers = list(range(len(battle.record.moves) + 1))
    luck.shuffle(numbers)
    free = (
        Situation(name, battle, at, action, params)
        for at in numbers
        for params in _allowed(battle, action, battle.reach(at), luck, LOOKED_AT)
    )
    yield from islice(free, MAX_OPTIONS)
