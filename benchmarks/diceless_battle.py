"""Battles of Diceless 40k for the topic diceless: a file of 500 actions, and a Shooting phase of ten units."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from battletape.battle import Battle
from battletape.rulesets.diceless40k.battle.start import sample
from battletape.rulesets.diceless40k.battle.state import BattleUnit, State, Vehicle
from battletape.table.points import step
from battletape.tape.rolled import Rolled
from benchmarks.attack import forget
from benchmarks.battle import time_file
from benchmarks.race import Pace, race
from benchmarks.table import Table

ACTIONS = 500
FILE_LIMIT, PHASE_LIMIT = 0.2, 0.020
SHOOTERS = 10
WIDTH = 72


def add_rows(table: Table, pace: Pace) -> None:
    """Open the file of a long battle, and let ten units fire."""
    played = play(ACTIONS)
    for name, seconds in time_file(played, pace, partial(forget, "diceless40k")).items():
        if name != "written":
            table.within(f"a battle of {len(played.moves)} actions {name}", "0.2 s", seconds, FILE_LIMIT)
    phase = before_a_shooting_phase()
    seconds = race({"": partial(shoot_all, phase)}, pace)[""]
    table.within(f"a Shooting phase of {SHOOTERS} units", "20 ms", seconds, PHASE_LIMIT)


def play(actions: int) -> Battle:
    """A battle of so many legal actions between two armies of twice the sample: moves, shots, runs and charges."""
    battle, luck = Battle.new("diceless40k", armies(2), {"turns": 20}, title="Benchmark"), random.Random(500)
    while len(battle.moves) < actions:
        for action, params in wishes(battle, luck):
            if len(battle.moves) < actions - 1 and battle.refusal(action, params) is None:
                battle.push(action, params, tape=Rolled(len(battle.moves)))
        battle.push("end_phase")
    return battle


def wishes(battle: Battle, luck: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the side whose turn it is would like to do in this phase; not all of it is allowed."""
    state = battle.state
    own, enemies = [list(state.on_table(side)) for side in (state.active, state.enemy_of(state.active))]
    if state.phase == "movement":
        yield "reserves", {}
        for unit in state.units:
            x, y = luck.uniform(6, 2 * WIDTH - 6), luck.uniform(16, 32)
            yield "deep_strike", {"unit": unit.name, "x": x, "y": y}
            yield "outflank", {"unit": unit.name, "y": y}
            for need in ("self_repair",) if isinstance(unit, Vehicle) else ("regroup", "fall_back"):
                yield need, {"unit": unit.name}
    for unit in own:
        target = luck.choice(enemies).name if enemies else ""
        if state.phase == "movement":
            for path in paths(state, unit, luck, luck.uniform(2, 6)):
                yield "drive" if isinstance(unit, Vehicle) else "move", {"unit": unit.name, "path": path}
        elif state.phase == "shooting":
            yield "shoot", {"unit": unit.name, "target": target}
            for path in paths(state, unit, luck, 3):
                yield "run", {"unit": unit.name, "path": path}
        else:
            for enemy in enemies:
                hull = isinstance(enemy, Vehicle) and not enemy.is_walker
                yield "assault_vehicle" if hull else "charge", {"unit": unit.name, "target": enemy.name}
            yield "fight", {"unit": unit.name}


def paths(state: State, unit: BattleUnit, luck: random.Random, inches: float) -> Iterator[list[dict[str, float]]]:
    """A way of so many inches for who stands on the board."""
    for thing in state.footprints(unit)[:1]:
        goal = step(thing.centre, luck.uniform(0, 360), inches)
        yield [{"x": min(240.0, max(0.0, goal.x)), "y": min(48.0, max(0.0, goal.y))}]


def armies(times: int) -> dict[str, Any]:
    """The sample with every unit so many times, side by side on a wider board."""
    start = sample()

    def copied(units: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**unit, "name": f"{unit['name']} {number + 1}"}
            | ({"x": unit["x"] + number * WIDTH} if "x" in unit else {})
            for number in range(times)
            for unit in units
        ]

    sides = [{**side, "units": copied(side["units"]), "vehicles": copied(side["vehicles"])} for side in start["sides"]]
    return {**start, "sides": sides, "width": times * WIDTH}


def before_a_shooting_phase() -> Battle:
    """Ten squads and their enemies, about to fire."""
    squads = [{"name": f"Squad {at}", "profile": "Space Marines"} for at in range(SHOOTERS)]
    mobs = [{"name": f"Mob {at}", "profile": "Ork Boyz"} for at in range(SHOOTERS)]
    battle = Battle.new(
        "diceless40k", {"sides": [{"name": "Vigil", "units": squads}, {"name": "Horde", "units": mobs}]}
    )
    battle.push("end_phase")
    return battle


def shoot_all(phase: Battle) -> Battle:
    """All ten fire, each at an enemy of its own."""
    battle = phase.fork()
    for at in range(SHOOTERS):
        battle.push("shoot", unit=f"Squad {at}", target=f"Mob {at}", distance=12)
    return battle
