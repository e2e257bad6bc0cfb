"""`python -m tests.battle.record`: random battles of this version, so that later ones can show that they open them."""

from __future__ import annotations

import random
from pathlib import Path

from battletape import registry
from battletape._version import VERSION
from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.battle.notation import write_battle
from battletape.conformance.random_play import AnyOption

OLD = Path(__file__).parent / "old"
MOVES = 30
LESS = 9  # every so many moves one is taken back, and sometimes made again


def play(name: str, moves: int = MOVES, seed: int = 7) -> Battle:
    """A battle of the sample sides in which every action has its turn."""
    battle, luck = Battle.new(name, title="Of an earlier version"), random.Random(seed)
    while len(battle.record.moves) < moves and not battle.over:
        by_action: dict[str, list[Option]] = {}
        for option in battle.legal():
            by_action.setdefault(option.action.name, []).append(option)
        if not by_action:
            break
        battle.push(luck.choice(by_action[luck.choice(sorted(by_action))]), tape=AnyOption(luck.randrange(10**9)))
        if len(battle.record.moves) % LESS == 0:
            battle.pop()
            if luck.random() < 0.5:
                battle.redo()
    return battle


def main() -> None:
    """Write a battle of each ruleset, with a checkpoint."""
    folder = OLD / VERSION
    folder.mkdir(exist_ok=True)
    for name in registry.names():
        text = write_battle(play(name), checkpoint=True)
        (folder / f"{name}.battle").write_text(text, encoding="utf-8")
        print(f"{folder.name}/{name}.battle: {len(text):,} characters")


if __name__ == "__main__":
    main()
