"""Battles that several tests start from."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import Refused
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.state import Fighter, Mob, State
from battletape.tape import Ask
from battletape.tape.rolled import Rolled
from battletape.tape.script import Script

SQUAD, FOE = "Vesper", "Raiders"


class Said(Rolled):
    """Rolls with a seed, but for answers that are given: to questions with a label that ends so, in turn."""

    def __init__(self, seed: int, **said: Any) -> None:
        super().__init__(seed)
        self.said = {
            label.replace("_", " "): list(answers if isinstance(answers, (list, tuple)) else [answers])
            for label, answers in said.items()
        }

    def answer(self, ask: Ask) -> Any:
        for label, left in self.said.items():
            if ask.label.endswith(label) and left:
                return left.pop(0)
        return super().answer(ask)


def fighter(profile: str, x: float = 0, y: float = 0, **more: Any) -> dict[str, Any]:
    """A fighter of a start; his initiative falls in the order he is named unless it is given."""
    return {"profile": profile, "x": x, "y": y, **more}


def mob(profile: str = "Raider mob", x: float = 0, y: float = 0, **more: Any) -> dict[str, Any]:
    """A mob of a start."""
    return {"profile": profile, "x": x, "y": y, "is_mob": True, **more}


def battle(ours: list[Any], theirs: list[Any], rulings: Any = None, cohesion: int = 0, **more: Any) -> Battle:
    """A battle of Vesper against Raiders, with initiative in the order in which they are named."""
    sides, rank = [], 30
    for name, units in ((SQUAD, ours), (FOE, theirs)):
        entries: dict[str, list[Any]] = {"fighters": [], "mobs": []}
        for one in units:
            rank -= 1
            entry = {"initiative": rank, **one}
            entries["mobs" if entry.pop("is_mob", False) else "fighters"].append(entry)
        sides.append({"name": name, "cohesion": cohesion, **entries})
    return Battle.new(RULESET, {"sides": sides, **more}, rulings)


def unit_named(played: Battle, name: str) -> Fighter:
    """A fighter now."""
    return state(played).fighter(name)


def place(played: Battle, name: str) -> tuple[float, float]:
    """Where a unit is now."""
    at = state(played).at(state(played).find(name))
    return at.x, at.y


def crowd(played: Battle, name: str = "Raider mob") -> Mob:
    """A mob now."""
    found = state(played).find(name)
    assert isinstance(found, Mob)
    return found


def state(played: Battle) -> State:
    """The field now."""
    found = played.state
    assert isinstance(found, State)
    return found


def refused(played: Battle, action: str, clause: str, text: str = "", **params: Any) -> Refused:
    """An action is refused by this clause, and the reason says this."""
    found = played.refusal(action, **params)
    assert found is not None, f"{action} {params} is allowed"
    assert found.clause == clause, found
    assert text in found.reason, found.reason
    with pytest.raises(Refused):
        played.push(action, **params)
    return found


def do(played: Battle, action: str, *dice: Any, **params: Any) -> list[str]:
    """Play an action with these dice, all of which are used, and return what the log says of it."""
    tape = Script(*dice)
    move = played.push(action, params, tape=tape)
    assert tape.used_up, tape.left
    return [line.text for line in played.move_record(move.number).lines]


def pass_to(played: Battle, name: str, seed: int = 1) -> None:
    """End turns until this one's has come, all flags of it by luck."""
    for _ in range(20):
        played.push("end_turn", tape=seed)
        if state(played).active == name:
            return
    raise AssertionError(name)
