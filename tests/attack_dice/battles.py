"""Battles that several tests start from."""

from __future__ import annotations

from typing import Any

from battletape.battle import Battle
from battletape.tape.script import Script

CARBINE = {"name": "Carbine", "models": 3, "attacks": 2, "power": 4, "range": 24, "weapon_class": "battle"}
CANNON = {"name": "Cannon", "models": 1, "attacks": 1, "power": 16, "ap": 2, "range": 36, "weapon_class": "heavy"}
KNIFE = {"name": "Knife", "models": 9, "power": 7, "range": 1}


def unit(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "models": 3, "hp": 2, "defence": 4, **more}


def skirmish(**rulings: str) -> Battle:
    """North: wardens with carbines and a cannon, and a wagon. South: raiders and wolves."""
    north = [unit("Wardens", armour=5, weapons=[CARBINE, CANNON]), unit("Wagon", models=1, hp=8, weapons=[CANNON])]
    south = [unit("Raiders", weapons=[KNIFE]), unit("Wolves", models=4, hp=1, defence=1, weapons=[KNIFE])]
    start = {"sides": [{"name": "North", "units": north}, {"name": "South", "units": south}]}
    return Battle.new("attack_dice", start, rulings)


def started(**rulings: str) -> Battle:
    battle = skirmish(**rulings)
    battle.push("start")
    return battle


def attack(battle: Battle, unit: str, weapon: str, target: str, *faces: object, **more: Any) -> None:
    """An attack with typed dice, all of which must be used; guns fire at 12 inches if nothing else is said."""
    tape = Script(*faces)
    given = {"distance": None if weapon == "Knife" else 12, **more}
    battle.push("attack", unit=unit, weapon=weapon, target=target, tape=tape, **given)
    assert tape.used_up


def refusal(battle: Battle, action: str, **params: Any) -> str:
    """Return why something is refused now."""
    refused = battle.refusal(action, **params)
    assert refused is not None
    return str(refused)


def ford() -> Battle:
    """A short battle with typed dice that uses every action, an undone attack among them."""
    battle = skirmish(dice="d10")
    battle.title = "The ford at dusk"
    battle.push("agree", ruling="saves", value="one")
    battle.push("agree", ruling="saves", value="both")
    battle.push("start")
    battle.push("cover", unit="Raiders", stat="defence", amount=1)
    also = [{"target": "Wolves", "models": 1, "distance": 18}]
    attack(battle, "Wardens", "Carbine", "Raiders", 9, 6, 5, 0, 6, 9, models=2, also=also)
    attack(battle, "Wardens", "Cannon", "Wolves")
    battle.pop()
    attack(battle, "Wardens", "Cannon", "Raiders", distance=36)
    battle.push("done", unit="Wardens")
    battle.push("engage", unit="Wolves", target="Wardens")
    attack(battle, "Wolves", "Knife", "Wardens", 2, 9, 7, 1)
    battle.pop()
    battle.redo()
    battle.push("done", unit="Wolves")
    battle.push("leave", unit="Wolves")
    battle.push("engage", unit="Wardens", target="Wolves")
    battle.push("lose_hp", unit="Wardens", hp=1)
    battle.push("restore_hp", unit="Wardens", hp=1)
    attack(battle, "Wagon", "Cannon", "Wolves", modifier=1)
    battle.push("done", unit="Wagon")
    battle.push("done", unit="Raiders")
    battle.push("embark", unit="Wardens", target="Wagon")
    battle.push("disembark", unit="Wardens")
    attack(battle, "Wardens", "Cannon", "Raiders")
    return battle
