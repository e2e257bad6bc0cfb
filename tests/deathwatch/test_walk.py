"""The walk of one attack: how many files a shot passes, rolled or in a battle, and that both pass the same stages."""

from __future__ import annotations

import sys
from functools import partial
from types import FrameType
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules.attack import results, stages
from battletape.rulesets.deathwatch.rules.wounds import strike
from tests.architecture.test_walk import walk

IN_A_ROLL = 15
IN_AN_ACTION = 20
SHOT = {"weapon": "Astartes Bolter (Godwyn)", "bs": 50, "mode": "semi", "target": "Raider", "dodge": 30}


def battle() -> Battle:
    """Two fighters with guns, the first to act."""
    gun = {"name": "gun", "kind": "Pistol", "range": 50, "damage": "1d10+9", "clip": 9, "semi": 2}
    who = {"name": "A", "initiative": 9, "bs": 80, "weapons": ["gun"], "arsenal": [gun]}
    foe = {"name": "B", "initiative": 8, "y": 20, "wounds": 30, "dodge": 40}
    return Battle.new(RULESET, {"sides": [{"name": "ours", "fighters": [who]}, {"name": "theirs", "fighters": [foe]}]})


def fire(one: Battle, seed: int) -> Any:
    """A burst, with the log that tells it."""
    return one.tell(one.push("shoot", target="B", mode="semi", tape=seed).number)


def called(run: Any) -> set[Any]:
    """The code of every function that a run calls."""
    passed = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            passed.add(frame.f_code)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return passed


@pytest.mark.clause("DW-PIPE-1")
def test_a_rolled_shot_passes_few_files():
    for seed in range(6):  # another distance is read anew
        shot = partial(RULESET.roll, "shoot", seed=seed, distance=31 + seed, reaction="dodge", **SHOT)
        files = walk("deathwatch", lambda shot=shot: shot().log)
        assert len(files) <= IN_A_ROLL, f"with seed {seed} it passes {', '.join(files)}"


@pytest.mark.clause("DW-PIPE-1")
def test_a_shot_in_a_battle_passes_few_files():
    for seed in range(6):
        files = walk("deathwatch", partial(fire, battle(), seed))
        assert len(files) <= IN_AN_ACTION, f"with seed {seed} it passes {', '.join(files)}"


@pytest.mark.clause("DW-PIPE-1")
def test_both_pass_the_same_stages():
    asked = (*stages.ROLL, stages.evade, stages.set_places, strike)
    rolled = called(lambda: [RULESET.roll("shoot", seed=seed, reaction="dodge", **SHOT) for seed in range(6)])
    played = called(lambda: [fire(battle(), seed) for seed in range(6)])
    for stage in asked:
        assert stage.__code__ in rolled, stage
        assert stage.__code__ in played, stage


@pytest.mark.clause("DW-PIPE-1", "DW-HPIPE-1", "DW-SUPP-2")
def test_the_stages_of_an_attack_are_told_in_one_place():
    assert {tell.__module__ for tell in results.TOLD.values()} == {results.__name__}
    names = ("shoot", "fight", "horde", "horde_attacks", "suppress", "fire_mode")
    homes = {name: RULESET.question(name).narrate for name in names}
    assert homes["shoot"] is homes["fight"] is results.NARRATE
    assert homes["horde"] is homes["horde_attacks"] is results.narrate
    rolled = RULESET.roll("suppress", seed=1).log
    assert {line.stage for line in rolled} == {
        "Add modifiers",
        "Roll to hit",
        "Check jam",
        "Land hits",
        "Keep heads down",
    }
