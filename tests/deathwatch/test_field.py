"""The field of a battle: places, sight and cover by terrain, moves towards something, what falls and what stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from battletape.battle.notation import CHECKPOINT
from battletape.battle.store import open_battle
from battletape.rulesets.deathwatch.battle.state import State

OLD = sorted((Path(__file__).parents[1] / "battle" / "old").glob("**/deathwatch*.battle"))


def as_then(state: State) -> dict[str, Any]:
    """Return what earlier versions kept beside the sheets: places and clouds."""
    places = {unit.name: (state.at(unit).x, state.at(unit).y) for unit in state.units}
    clouds = [
        (piece.kind, piece.corners[0].x, piece.corners[0].y, piece.radius, piece.rounds) for piece in state.clouds
    ]
    return {"places": places, "clouds": clouds}


@pytest.mark.parametrize("path", OLD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_old_battle_ends_with_everything_where_it_was(path):
    then = json.loads(path.read_text(encoding="utf-8").partition(CHECKPOINT)[2].split("\n")[1])
    now = as_then(open_battle(path).battle.state)
    assert now["places"] == {unit["name"]: (unit["x"], unit["y"]) for unit in (*then["fighters"], *then["mobs"])}
    assert now["clouds"] == [
        (cloud["kind"], cloud["x"], cloud["y"], cloud["radius"], cloud["rounds"]) for cloud in then["clouds"]
    ]
