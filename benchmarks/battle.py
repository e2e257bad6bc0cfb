"""Topic battle: opening the file of a long battle, with its checkpoint and without."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.store import open_battle, write
from benchmarks.race import Differs, Pace, Way, race
from benchmarks.table import Table

ACTIONS = 500
LIMIT = 0.5  # “well under a second”
REST = ("done", "restore_hp")


def run(pace: Pace) -> Table:
    """A battle of attack_dice, its file with a checkpoint and without."""
    played = play(ACTIONS)
    answers = sum(len(move.entries) for move in played.moves)
    title = f"the file of a battle of attack_dice: {len(played.moves)} actions, {answers} recorded answers"
    table = Table("battle", title, "part of the time allowed")
    for name, seconds in time_file(played, pace).items():
        table.within(name, "0.5 s", seconds, LIMIT)
    return table


def time_file(played: Battle, pace: Pace, before: Way = lambda: None) -> dict[str, float]:
    """Write one battle twice, open both, compare the states, then race."""
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder, "with.battle"), Path(folder, "without.battle")
        write(short, write_battle(played, checkpoint=True))
        write(long, write_battle(played, checkpoint=False))
        for path, way in ((short, "checkpoint"), (long, "replay")):
            found = open_battle(path).battle
            if found.opened != way or found != played or found.state != played.state:
                raise Differs(f"a battle opened by {way} differs from the one that was played (it says {found.opened})")
        return race(
            {
                "opened by its checkpoint": lambda: _state(short),
                "opened by a replay of all actions": lambda: _state(long),
                "written": lambda: write(short, played.text),
            },
            pace,
            before=before,
            clock=perf_counter,  # waiting for the disk counts
        )


def play(actions: int) -> Battle:
    """A battle of so many legal actions: attacks while there are any, and models put back on their feet."""
    battle, luck = Battle.new("attack_dice", title="Benchmark"), random.Random(500)
    while len(battle.moves) < actions:
        free: dict[str, list[Any]] = {}
        for option in battle.legal():
            free.setdefault(option.action.name, []).append(option.params)
        name = next((one for one in ("start", "attack") if one in free), "") or luck.choice(REST)
        if name in free:
            params = luck.choice(free[name])
            if name == "restore_hp" and not battle.refusal(name, params, hp=4):
                params = replace(params, hp=4)
            battle.push(name, params, tape=len(battle.moves))
    return battle


def _state(path: Path) -> Any:
    return open_battle(path).battle.state
