"""Battles that several tests start from."""

from __future__ import annotations

from typing import Any, cast

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


RUINS = {
    "width": 48,
    "depth": 36,
    "sides": [
        {
            "name": "North",
            "units": [
                unit("Wardens", armour=5, weapons=[CARBINE, CANNON], x=24, y=6),
                unit("Wagon", models=1, hp=8, weapons=[CANNON], x=10, y=4),
            ],
        },
        {
            "name": "South",
            "units": [
                unit("Raiders", weapons=[KNIFE], x=24, y=26, heading=180),
                unit("Wolves", models=4, hp=1, defence=1, weapons=[KNIFE], x=12, y=30, formation="line", spacing=1),
            ],
        },
    ],
    "terrain": [
        {"name": "Ruin", "corners": [(20, 14), (30, 14), (30, 17), (20, 17)], "top": 0.8, "cover": 1},
        {"name": "Wood", "corners": [(12, 22)], "radius": 4, "cover": 2, "stat": "armour"},
        {"name": "Tower", "corners": [(40, 20)], "radius": 3, "top": 9, "impassable": True},
    ],
}
RUINS["terrain"] = [
    {**piece, "corners": [{"x": x, "y": y} for x, y in piece["corners"]]} for piece in cast(Any, RUINS["terrain"])
]
"""A table with a low ruin between the sides, a flat wood and a high tower."""


def on_a_table(**changes: Any) -> Battle:
    """North: wardens with carbines and a cannon, and a wagon. South: raiders behind a ruin, and wolves."""
    battle = Battle.new("attack_dice", {**RUINS, **changes})
    battle.push("start")
    return battle


def ruins() -> Battle:
    """A short battle on a table with typed dice, in which units move, are placed, embark and fall."""
    battle = on_a_table()
    attack(battle, "Wardens", "Carbine", "Raiders", 9, 6, 5, 0, 6, 9, distance=None)
    battle.push("done", unit="Wardens")
    battle.push("move", unit="Wolves", x=12, y=24)
    battle.push("move", unit="Raiders", towards="Wardens", inches=6)
    battle.push("done", unit="Wolves")
    battle.push("embark", unit="Wardens", target="Wagon")
    battle.push("move", unit="Wagon", towards="Wolves", inches=12)
    battle.push("disembark", unit="Wardens")
    battle.push("lose_hp", unit="Wolves", hp=2)
    battle.push("restore_hp", unit="Wolves", hp=1)
    battle.push("place", unit="Raiders", x=40, y=30, heading=180, formation="rings", spacing=0.5)
    return battle


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
