"""Battles and stages played at random: for any ruleset, from what it says is legal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from battletape.battle import Battle
from battletape.procedure import Stage
from battletape.tape.question import Ask
from battletape.tape.rolled import Rolled
from battletape.tape.sampled import Quick


class AnyOption(Rolled):
    """Rolls, and decides by luck too."""

    def answer(self, ask: Ask) -> Any:
        """Return a random option where a player decides."""
        return self.luck.choice(ask.options) if ask.kind == "choose" else super().answer(ask)


def play_at_random(battle: Battle, steps: Sequence[int]) -> None:
    """Undo, redo or do a random legal action for each number, used as a seed."""
    for step in steps:
        luck = random.Random(step)
        peek, way = battle.peek(), luck.randrange(6)
        if way == 0 and peek.undo:
            battle.pop()
        elif way in (1, 2) and peek.redo:
            battle.redo()
        else:
            legal = battle.legal()
            if legal:
                battle.push(luck.choice(legal), tape=AnyOption(step))


class End(NamedTuple):
    """How a stage ends."""

    state: Any


class Recalling(Quick):
    """Rolls, and does not run a stage again that goes the same way from the same state.

    Rules are pure, so equal answers have equal ends; the dice are those that `Quick` throws with the same seed.
    """

    def __init__(self, seed: int | str | None = None) -> None:
        super().__init__(seed)
        self.runs = 0  # how many stages were really run
        self._known: dict[tuple[Stage, Any], dict[tuple[Any, ...], Ask | End]] = {}
        self._way: dict[tuple[Any, ...], Ask | End] = {}  # what comes after these answers, in the stage that runs
        self._given: list[Any] = []  # answers that were rolled before it ran
        self._came: tuple[Any, ...] = ()

    def run(self, stage: Stage, state: Any) -> Any:
        """Return the state after a stage, recalled if it can be."""
        way = self._known.setdefault((stage, state), {})
        answers: tuple[Any, ...] = ()
        while (following := way.get(answers)) is not None:
            if isinstance(following, End):
                return following.state
            answers = (*answers, following.meaning(self.answer(following)))
        self.runs += 1
        self._way, self._given, self._came = way, list(answers), ()
        end = End(stage(self, state))
        way[self._came] = end
        return end.state

    def _ask(self, ask: Ask) -> Any:
        self.idle = 0
        self._way.setdefault(self._came, ask)
        meaning = self._given.pop(0) if self._given else ask.meaning(self.answer(ask))
        self._came = (*self._came, meaning)
        return meaning
