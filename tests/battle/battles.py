"""Battles of the toy that several tests start from."""

from __future__ import annotations

import re

from battletape.battle import Battle
from battletape.tape.script import Script
from tests.toy import RULESET

ASH_AT_CROW = ("snap", 2, 4, 3, 217.5, "stand", 2, 1)


def skirmish() -> Battle:
    """A few moves, an undone one that can be redone no more, and one that can."""
    battle = Battle.new(RULESET, title="The ford at dusk")
    battle.push("shoot", unit="Ash", target="Crow", tape=Script(*ASH_AT_CROW))
    battle.push("move", unit="Old Birch", to=4)
    battle.pop()
    battle.push("move", unit="Old Birch", to=3)
    battle.push("end_turn")
    battle.push("shoot", unit="Crow", target="Ash", tape=Script("aim", 6, 1, "duck", 2, 2))
    battle.pop()
    return battle


def plain_end(text: str) -> str:
    """The text of a battle without the checksum on its last line, as people write it."""
    return re.sub(r"(?m)^--- end [0-9a-f]{8}$", "--- end", text)


def long_battle(moves: int) -> Battle:
    """So many moves of two who never come within reach of each other."""
    start = {"turns": 1000, "fighters": [{"name": "Ash"}, {"name": "Crow", "side": "blue", "at": 24}]}
    battle = Battle.new(RULESET, start, {"again": "once"})
    for at in range(moves):
        if at % 3:
            battle.push("end_turn")
        else:
            battle.push("move", unit="Ash", to=4 if at % 6 == 0 else 0)
    return battle
