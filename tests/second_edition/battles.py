"""Battles that several tests start from."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import Refused
from battletape.table.points import Point
from battletape.tape.script import Script

FLAMER = {"name": "Flamer", "template": "medium", "strength": 4, "save_modifier": -2, "incendiary": True}
RIFLE = {"name": "Rifle", "short_range": 12.0, "long_range": 24.0, "to_hit_short": 1, "strength": 4}
REPEATER = {"name": "Repeater", "short_range": 12.0, "long_range": 24.0, "strength": 4, "sustained": 3}
MORTAR = {"name": "Mortar", "short_range": 20.0, "long_range": 40.0, "strength": 4, "blast": 2.0}
SMOKER = {"name": "Smoker", "short_range": 20.0, "long_range": 40.0, "blast": 2.0, "remains": "cloud"}
PLASMA = {"name": "Plasma", "short_range": 20.0, "long_range": 40.0, "strength": 5, "blast": 1.5, "remains": "plasma"}
FRAG = {"name": "Frag", "strength": 3, "blast": 2.0, "grenade": True}
STAFF = {"name": "Staff", "force": True}
MEDIUM = {"name": "medium", "length": 8.5, "radius": 1.25}
WEAPONS = (FLAMER, RIFLE, REPEATER, MORTAR, SMOKER, PLASMA, FRAG, STAFF)


def unit(name: str, *weapons: str, **more: Any) -> dict[str, Any]:
    """A unit with weapons of ours, one model of Toughness 3 and one wound if nothing else is said."""
    grenades = [weapon for weapon in weapons if weapon == "Frag"]
    carried = [{"name": weapon, "models": more.get("models", 1)} for weapon in weapons if weapon != "Frag"]
    given = {"name": name, "models": 1, "toughness": 3, "wounds": 1, "base": 25.4, "weapons": carried}
    return {**given, "grenades": grenades, "arsenal": list(WEAPONS), "templates": [MEDIUM], **more}


def at(x: float, y: float) -> dict[str, float]:
    """A place."""
    return {"x": x, "y": y}


def on_fire(model: int = 1, **more: Any) -> dict[str, Any]:
    """A model that burns by the flamer from the start."""
    return {"model": model, "on_fire": "Flamer", **more}


def fight(south: list[Any], north: list[Any] | None = None, rulings: Any = None, **more: Any) -> Battle:
    """A battle between South, which begins, and North."""
    sides = [{"name": "South", "units": south}, {"name": "North", "units": north or [unit("Foe", **at(40, 40))]}]
    return Battle.new("second_edition", {"sides": sides, **more}, rulings)


def do(battle: Battle, action: str, *dice: Any, **params: Any) -> None:
    """An action with typed dice, all of which must be used."""
    tape = Script(*dice)
    battle.push(action, tape=tape, **params)
    assert tape.used_up


def phase(battle: Battle, name: str, side: str = "South") -> Battle:
    """The battle in a phase of a side."""
    while (battle.where["phase"], battle.where["side"]) != (name, side):
        battle.push("end_phase")
    return battle


def refused(battle: Battle, action: str, clause: str, **params: Any) -> Refused:
    """The refusal of an action, which names this clause, and changes nothing."""
    before = battle.text
    with pytest.raises(Refused) as caught:
        battle.push(action, tape=Script(), **params)
    assert caught.value.clause == clause, str(caught.value)
    assert battle.text == before
    return caught.value


def place(battle: Battle, name: str) -> Point:
    """Where a model stands."""
    at: Point = battle.state.field.position(name).bases[0].centre
    return at


def notes(battle: Battle, name: str) -> str:
    """What the table says of a model."""
    return next(row[6] for table in battle.tables for row in table.rows if row[0] == name)


def labels(battle: Battle) -> list[str]:
    """What was asked in the last move."""
    return [entry.label for entry in battle.moves[-1].entries]
