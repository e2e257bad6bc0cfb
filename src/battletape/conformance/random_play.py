"""Battles played at random: for any ruleset, from what it says is legal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from battletape.battle import Battle
from battletape.tape.question import Ask
from battletape.tape.rolled import Rolled


class AnyOption(Rolled):
    """Rolls, and decides by luck too."""

    def answer(self, ask: Ask) -> Any:
        """A random option where a player decides."""
        return self.luck.choice(ask.options) if ask.kind == "choose" else super().answer(ask)


def play_at_random(battle: Battle, steps: Sequence[int]) -> None:
    """For each number, used as a seed: undo, redo or a random legal action."""
    for step in steps:
        luck = random.Random(step)
        peek, way = battle.peek(), luck.randrange(6)
        if way == 0 and peek.undo:
            battle.pop()
        elif way in (1, 2) and peek.redo:
            battle.redo()
        else:
            free = [option for option in battle.legal() if option.refused is None]
            if free:
                option = luck.choice(free)
                battle.push(option.action.name, option.params, tape=AnyOption(step))
