"""What players might do in battles of every ruleset: actions at which the odds are held against the play.

The battles are the sample of each card, the starts in tests/<ruleset>/starts.toml and the golden battles. All but the
last are played at random for a while, after the moves that a start brings along. Of what may be done on the way, the
liveliest is kept for each battle and action: that whose measures differ most between a few plays. No ruleset is known
by name here.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from battletape.answer import Answer
from battletape.battle import Battle
from battletape.battle.reading import read_battle
from battletape.inputs import Inputs
from battletape.system import Action, Ruleset
from battletape.tape.budget import Budget
from battletape.tape.rolled import Rolled
from battletape.tape.sampled import Quick
from tests.battle.random_play import AnyOption
from tests.conformance.cases import rulesets

TESTS = Path(__file__).parents[1]
MOVES = 30  # of each battle that is played at random
LOOKED_AT = 30  # options of an action in one state
FOUND = 100  # options of an action in one battle that are played once, besides those that were done
TRIED = 8  # of them, those with most dice, that are played a few times
PLAYS = 16  # to see how lively each of these is
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
        given = {one: getattr(self.params, one) for one in self.params.__struct_fields__}
        said = ", ".join(f"{one}={value}" for one, value in given.items() if value not in ("", (), 0, None, False))
        return f"{self.battle.ruleset.name} {self.name}@{self.at} {self.action.name}({said})"

    @property
    def state(self) -> Any:
        """The battle before the action."""
        return self.battle.reach(self.at)

    def work(self) -> Any:
        """The working state that the action begins with when it is played."""
        return self.action.begin(self.state, self.params)

    def stages(self) -> Sequence[Any]:
        """The stages that are played."""
        return self.action.procedure(self.work()).stages

    def odds(self) -> Answer:
        """The odds that a player is told, worked out for this action alone."""
        self.battle.ruleset.memo.clear()
        return self.battle.fork(self.at).odds(self.action.name, self.params, budget=BUDGET)

    def plays(self, times: int, seed: str) -> Iterator[Any]:
        """The working state after each of so many plays."""
        work, stages, tape = self.work(), self.stages(), Quick(seed)
        for _ in range(times):
            now = work
            tape.idle = 0
            for stage in stages:
                now = stage(tape, now)
            yield now

    @property
    def dice(self) -> int:
        """How many questions one play asks."""
        tape, now = Rolled("dice"), self.work()
        for stage in self.stages():
            now = stage(tape, now)
        return len(tape.trail)

    @cached_property
    def few(self) -> tuple[tuple[Any, ...], ...]:
        """The measures of a few plays."""
        return tuple(self.results(PLAYS, "lively"))

    @property
    def differing(self) -> set[str]:
        """The measures that differ between a few plays."""
        names = (measure.name for measure in self.action.measures)
        return {name for name, *values in zip(names, *self.few, strict=True) if len(set(values)) > 1}

    @property
    def liveliness(self) -> tuple[int, int]:
        """How many measures differ between a few plays, and how many different results there are."""
        return len(self.differing), len(set(self.few))

    def results(self, times: int, seed: str) -> Iterator[tuple[Any, ...]]:
        """The measures of each of so many plays."""
        for end in self.plays(times, seed):
            yield tuple(measure.of(end) for measure in self.action.measures)


def cards() -> list[Ruleset]:
    """The rulesets with battles."""
    return [card for card in rulesets() if card.battle is not None]


def actions() -> list[tuple[Ruleset, Action]]:
    """Every action of every battle that has something to measure."""
    return [(card, action) for card in cards() if card.battle for action in card.battle.actions if action.measures]


@lru_cache
def battles(card: Ruleset) -> dict[str, Battle]:
    """The battles of a ruleset, as far as they are played."""
    found = {"sample": Battle.new(card)}
    for path in sorted(TESTS.glob("*/starts.toml")):
        if path.parent.name == card.name:
            for name, given in tomllib.loads(path.read_text(encoding="utf-8")).items():
                found[name] = Battle.new(card, given["start"], given.get("rulings"))
                for number, params in enumerate(given.get("moves", ())):
                    action = params.pop("action")
                    found[name].push(action, params, tape=f"{name} move {number}")
    for name, battle in found.items():
        play_evenly(battle, name)
    for path in sorted(TESTS.glob("*/golden/*.battle")):
        text = path.read_text(encoding="utf-8")
        if card.name in (path.parts[-3], _ruleset_named(text)):
            found[path.stem] = read_battle(text, str(path), card)
    return found


def _ruleset_named(text: str) -> str:
    return next(line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("ruleset:"))


def play_evenly(battle: Battle, name: str) -> None:
    """Play at random, each action as likely as any other that may be taken."""
    for step in range(MOVES):
        luck = random.Random(f"{name} {step}")
        actions = list(battle.actions)
        luck.shuffle(actions)
        found = ((action, params) for action in actions for params in _allowed(action, battle.state, luck))
        action, params = next(found, (None, None))
        if action is None:
            break
        battle.push(action.name, params, tape=AnyOption(f"{name} {step}"))


def _allowed(action: Action, state: Any, luck: random.Random, most: int | None = None) -> Iterator[Inputs]:
    """What may be done of an action, in an order of luck; at most so many options are looked at."""
    options = list(action.options(state))
    luck.shuffle(options)
    return (params for params in options[:most] if action.refuse(state, params) is None)


@lru_cache
def situations(card: Ruleset, action: str) -> tuple[Situation, ...]:
    """For an action, of each battle in which it can be taken, the liveliest situation and the one with most dice.

    And those in which a measure differs between plays that does not in any before.
    """
    assert card.battle is not None
    found: list[Situation] = []
    met: set[str] = set()
    for name, battle in battles(card).items():
        done = list(_done(name, battle, card.battle.action(action)))
        ones = sorted([*done, *_possible(name, battle, card.battle.action(action))], key=lambda one: -one.dice)
        if ones:
            tried = [*ones[:TRIED], *done]
            liveliest = max(tried, key=lambda one: one.liveliness)
            for situation in (liveliest, *tried):
                if situation in (liveliest, ones[0]) or not situation.differing <= met:
                    found.append(situation)
                    met |= situation.differing
    return tuple(dict.fromkeys(found))


def _done(name: str, battle: Battle, action: Action) -> Iterator[Situation]:
    """Where an action was taken in a battle."""
    for move in battle.record.moves:
        if move.action == action.name:
            yield Situation(name, battle, move.follows, action, move.params)


def _possible(name: str, battle: Battle, action: Action) -> Iterator[Situation]:
    """Some of where it could have been taken."""
    luck = random.Random(f"{name} {action.name}")
    numbers = list(range(len(battle.record.moves) + 1))
    luck.shuffle(numbers)
    free = (
        Situation(name, battle, at, action, params)
        for at in numbers
        for params in _allowed(action, battle.reach(at), luck, LOOKED_AT)
    )
    yield from islice(free, FOUND)
