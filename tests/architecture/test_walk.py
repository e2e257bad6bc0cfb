"""How many files of a ruleset one roll and one action pass: a reader of the rule has to open these and no others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from battletape import ruleset
from battletape.battle import Battle
from battletape.battle.reading import read_battle
from battletape.battle.replay import replay_move
from battletape.errors import Refused
from tests.vehicles5.battles import battle, box, machine, squad, to_phase

TESTS = Path(__file__).parents[1]
SHORT = ("attack_dice", "vehicles5")
IN_A_ROLL = 12
IN_AN_ACTION = 16
SAPPERS = {"unit": "Ninth Bridge sappers", "at": 3, "tries": "always", "fearless": True}
ON_THE_WAY = [SAPPERS, {"kind": "terrain", "at": 5}, {"unit": "Furnace company", "at": 7, "tries": "always"}]
ROUND_IT = [{"unit": "Harbour watch", "distance": 2}, {"unit": "Vault wardens", "distance": 4}]
OGRE = {"target": "Warden strider", "target_struck": "front", "reaction": "glory"}
ATTACKERS = [{"unit": "Ninth Bridge sappers", "grenade": "Melta bomb"}, {"unit": "Furnace blades"}]
NAMED = [
    ("vehicles5", "shoot", {"vehicle": "Anvil battle tank", "guns": "4 x Lascannon ; 2 x Heavy flamer", "smoke": True}),
    ("vehicles5", "shoot", {"vehicle": "Kingfisher", "band": "flat_out", "guns": "9 x Autocannon", "terrain_cover": 5}),
    ("vehicles5", "kill_time", {"vehicle": "Bull ram", "volleys": "4 x Lascannon", "repeat": 4, "spread": "turns"}),
    ("vehicles5", "ordnance", {"vehicle": "Lantern barge", "weapon": "Siege howitzer", "barrage": True, "smoke": True}),
    ("vehicles5", "assault", {"vehicle": "Warden strider", "attackers": ATTACKERS}),
    ("vehicles5", "assault", {"vehicle": "Hay wain", "attackers": ATTACKERS}),
    ("vehicles5", "explosion", {"vehicle": "Hay wain", "models": ROUND_IT, "passenger_unit": "Furnace company"}),
    ("vehicles5", "explosion", {"vehicle": "Hay wain", "wrecked": True, "passenger_unit": "Furnace company"}),
    ("vehicles5", "walker_fight", {"walker": "Twin-fisted ogre", "foe": "Furnace company", "grenade": "krak"}),
    ("vehicles5", "walker_fight", {"walker": "Twin-fisted ogre", "foe_walker": "Warden strider", "charges": "foe"}),
    ("vehicles5", "tank_shock", {"vehicle": "Bull ram", "declared": 12, "units": ON_THE_WAY}),
    ("vehicles5", "ram", {"rammer": "Bull ram", "distance": 9, "units": ON_THE_WAY, **OGRE}),
    ("vehicles5", "ram", {"rammer": "Bull ram", "target": "Kingfisher", "distance": 9, "units": ON_THE_WAY}),
    ("vehicles5", "dangerous_terrain", {"vehicle": "Stilt scout", "grounds": ["wreck", "crater"], "vehicles": 3}),
    ("vehicles5", "what_may_it_do", {"vehicle": "Twin-fisted ogre", "ran": True}),
    ("vehicles5", "what_may_it_do", {"vehicle": "Hay wain", "band": "combat", "in_the_way": ["enemy"]}),
    ("vehicles5", "damage", {"vehicle": "Anvil battle tank", "hits": [{"count": 6}]}),
    ("vehicles5", "line_of_fire", {"vehicle": "Anvil battle tank", "target": "Barrow carrier", "aim_bearing": 60}),
    ("vehicles5", "transport", {"vehicle": "Hay wain", "unit": "Furnace company", "way": "out", "band": "combat"}),
    ("vehicles5", "pinning", {"unit": "Harbour watch", "barrage": True}),
]
ORDERS = [
    ("drive", {"unit": "Hammer", "path": [{"x": 17, "y": 8}, {"x": 17, "y": 12}], "heading": 90}),
    ("tank_shock", {"unit": "Bull", "heading": 0, "inches": 12}),
    ("ram", {"unit": "Bull", "target": "Wain", "heading": 0}),
    ("ram", {"unit": "Hammer", "target": "Strider", "heading": 0}),
    ("move_unit", {"unit": "Sappers", "heading": 0, "inches": 5}),
    ("fire", {"unit": "Hammer", "target": "Wain", "guns": [{"gun": "Battle cannon"}]}),
    ("fire", {"unit": "Hammer", "target": "Watch", "guns": [{"gun": "Battle cannon"}]}),
    ("fire", {"unit": "Hammer", "target": "Strider", "guns": [{"gun": "Lascannon"}, {"gun": "Heavy stubber"}]}),
    ("shoot_unit", {"unit": "Sappers", "target": "Wain"}),
    ("shoot_unit", {"unit": "Company", "target": "Guard"}),
    ("run", {"unit": "Ogre", "heading": 0}),
    ("assault", {"unit": "Sappers", "target": "Wain", "grenade": "Melta bomb"}),
    ("assault", {"unit": "Sappers", "target": "Strider", "grenade": "Krak grenade"}),
    ("assault", {"unit": "Ogre", "target": "Strider"}),
    ("assault", {"unit": "Ogre", "target": "Guard"}),
]
PHASES = {"fire": "shooting", "shoot_unit": "shooting", "run": "shooting", "assault": "assault"}


def walk(name: str, run: Callable[[], Any]) -> list[str]:
    """The files of a ruleset whose functions a run calls, in the order in which it first comes to them."""
    package = f"battletape.rulesets.{name}"
    home = str(Path(sys.modules[package].__path__[0]))
    for module in [module for known, module in sys.modules.items() if known.startswith(package)]:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):  # what was worked out before would hide the files it came from
                value.cache_clear()
    passed: dict[str, None] = {}

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(home):
            passed[frame.f_code.co_filename[len(home) + 1 :]] = None

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return list(passed)


def crowd(phase: str) -> Battle:
    """Transports with passengers, walkers, tanks and squads close together, with a bog between them."""
    south = [
        machine("Bull", "Bull ram", 10, 8),
        machine("Hammer", "Anvil battle tank", 22, 8),
        machine("Ogre", "Twin-fisted ogre", 28, 14),
        machine("Wagon", "Barrow carrier", 36, 8),
        squad("Company", "Furnace company", 0, 0, aboard="Wagon"),
        squad("Sappers", "Ninth Bridge sappers", 17, 19, models=4, abreast=2),
    ]
    north = [
        machine("Wain", "Hay wain", 10, 20, 90),
        squad("Riders", "Furnace gunners", 0, 0, models=2, aboard="Wain"),
        machine("Strider", "Warden strider", 22, 18, 180),
        machine("Stilts", "Stilt scout", 10, 27, 180),
        squad("Watch", "Harbour watch", 10, 13, 180),
        squad("Mob", "Scrapyard mob", 5, 23, 180, models=6),
        squad("Guard", "Vault wardens", 30, 18, 180),
    ]
    bog = {"kind": "dangerous", "corners": box(4, 16.5, 16, 17.5)}
    return to_phase(battle(south, north, [bog]), phase)


@pytest.mark.parametrize("name", SHORT)
def test_a_roll_passes_few_files(name: str) -> None:
    card = ruleset(name)
    for question in card.questions:
        files = walk(name, partial(card.roll, question.name, seed=1, **question.example))
        assert len(files) <= IN_A_ROLL, f"{question.name} passes {', '.join(files)}"


@pytest.mark.parametrize(("name", "question", "given"), NAMED)
def test_a_roll_with_named_profiles_passes_few_files(name: str, question: str, given: dict[str, Any]) -> None:
    for seed in range(8):
        files = walk(name, lambda seed=seed: ruleset(name).roll(question, seed=seed, **given).log)
        assert len(files) <= IN_A_ROLL, f"{question} passes {', '.join(files)}"


@pytest.mark.parametrize(("action", "order"), ORDERS)
def test_an_action_in_a_crowd_passes_few_files(action: str, order: dict[str, Any]) -> None:
    for seed in range(8):
        one = crowd(PHASES.get(action, "movement"))
        files = walk("vehicles5", lambda one=one, seed=seed: one.push(action, order, tape=seed))
        assert len(files) <= IN_AN_ACTION, f"{action} passes {', '.join(files)}"


@pytest.mark.parametrize("smoked", [False, True])
def test_a_shot_out_of_a_transport_into_another_passes_few_files(smoked: bool) -> None:
    south = [machine("Wagon", "Hay wain", 22, 8), squad("Company", "Furnace company", 0, 0, aboard="Wagon")]
    target = machine("Target", "Barrow carrier", 22, 15, 90) if smoked else machine("Target", "Hay wain", 22, 14, 90)
    riders = squad("Riders", "Furnace gunners", 0, 0, models=2, aboard="Target")
    scene = battle(south, [target, riders, squad("Mob", "Scrapyard mob", 16, 23, 180, models=6)])
    scene.push("end_turn")
    if smoked:
        scene.push("stand", {"unit": "Target"})
        scene.push("smoke", {"unit": "Target"})
    scene.push("end_turn")
    to_phase(scene, "shooting")
    arms = [{"weapon": "Frag missile"}, {"weapon": "Meltagun"}]
    order = {"unit": "Company", "target": "Target", "weapons": arms}
    ends = set()
    for seed in range(40):
        files = walk("vehicles5", lambda seed=seed: scene.push("shoot_unit", order, tape=seed))
        assert len(files) <= IN_AN_ACTION, f"shoot_unit with seed {seed} passes {', '.join(files)}"
        ends.add(scene.state.machine("Target").condition.status)
        scene.pop()
    assert ends == {"ok", "wrecked", "exploded"}


def _pardon(refused: Refused) -> None:
    """The battles are of earlier versions, which may have allowed what is refused today."""


@pytest.mark.parametrize("name", SHORT)
def test_an_action_passes_few_files(name: str) -> None:
    for path in sorted((TESTS / name / "golden").glob("*.battle")):
        battle = read_battle(path.read_text(encoding="utf-8"), path.name, ruleset(name))
        for move in battle.moves:
            files = walk(name, partial(replay_move, battle.rules, move, battle.reach(move.follows), pardon=_pardon))
            assert len(files) <= IN_AN_ACTION, f"{path.stem}, {move.action} passes {', '.join(files)}"
