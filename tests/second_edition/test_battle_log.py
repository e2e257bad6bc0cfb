"""The log of a battle: in the order of play, with names as they are written there, and something for every move."""

from __future__ import annotations

import random

import pytest

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.conformance.random_play import AnyOption
from battletape.tape.script import Script
from tests.second_edition.battles import at, do, fight, on_fire, phase, unit


def told(battle: Battle) -> list[str]:
    """The lines of the last move."""
    return [line.text for line in battle.move_record(battle.moves[-1].number).lines]


def test_losses_stand_between_the_dice_of_one_model_and_the_next():
    foes = unit("Foes", models=2, wounds=2, spots=[at(20, 20), at(21.5, 20)])
    battle = phase(fight([unit("Man", "Repeater", **at(20, 10))], [foes]), "shooting")
    order = {"unit": "Man", "weapon": "Repeater", "target": "Foes 1"}
    battle.push("burst", order, tape=Script(4, 1, 2, "Foes 2", 5, 1))
    assert told(battle)[-4:] == [
        "Foes 1: to wound (needs 3+): 5 → pass",
        "Foes 1 loses 1 wound, 1 left",
        "Foes 2: to wound (needs 3+): 1 → fail",
        "Foes 2 is not hurt",
    ]


def test_a_burning_model_is_named_and_its_run_is_told_where_it_runs():
    battle = fight([unit("Man", wounds=3, wear=[on_fire()], **at(20, 20))])
    do(battle, "fire_test", 5, 3, 90, unit="man")
    assert told(battle) == [
        "Fire test (needs 6+): 5 → fail",
        "To wound (needs 3+): 3 → pass",
        "Man loses 1 wound, 2 left",
        "Man burns on and runs about",
        "Runs: 90 → arc 90",
        "Man runs 4 inches to 24.0, 20.0",
        "Movement phase",
    ]


def test_helpers_move_before_the_die():
    friends = unit("Friends", models=2, spots=[at(20, 15), at(22, 15)])
    battle = fight([unit("Man", wounds=3, wear=[on_fire()], **at(20, 20)), friends])
    do(battle, "fire_test", 2, 1, 180, unit="Man")
    do(battle, "beat_out", 5, unit="Man", helpers=["Friends 1", "Friends 2"])
    lines = told(battle)
    assert [text.split()[2] for text in lines if text.startswith("Friends")] == ["helps,", "moves", "helps,"]
    assert lines[-2:] == ["Beating out the flames (needs 5+): 5 → pass", "2 helpers: the fire is out"]


def test_a_marker_that_is_moved_under_is_named():
    gas = {"name": "Gas", "radius": 2.0, "strength": 4, **at(20, 20)}
    man = unit("Man", wounds=2, **at(20, 24))
    battle = fight([man], rulings={"marker_harm": "and_on_entry"}, markers=[gas])
    do(battle, "test_marker", 2, marker="gas")
    assert told(battle)[1] == "Gas stays as it is, radius 2 inches"
    do(battle, "move", 3, unit="Man", x=20, y=20)
    assert told(battle) == [
        "Man moves 4 inches to 20.0, 20.0",
        "Under Gas: Man entirely",
        "Man: to wound (needs 3+): 3 → pass",
        "Man loses 1 wound, 1 left",
    ]


def test_a_volley_names_the_models_that_fall_and_no_other():
    battle = phase(fight([unit("Men", "Rifle", models=3)], [unit("Foes", models=2, wounds=2)]), "shooting")
    do(battle, "volley", 6, 6, 6, 6, 6, 6, unit="Men", weapon="Rifle", target="Foes", distance=9)
    assert told(battle)[-3:] == ["1 model falls", "Foes 2 loses 1 wound, 1 left", "Foes 1 falls"]


@pytest.mark.parametrize("seed", range(4))
def test_every_move_of_a_random_battle_says_something_and_cites_a_rule(seed: int):
    battle = Battle.new("second_edition")
    for step in range(60):
        by_action: dict[str, list[Option]] = {}
        for option in battle.legal():
            by_action.setdefault(option.action.name, []).append(option)
        if not by_action:
            break
        luck = random.Random(f"{seed} {step}")
        option = luck.choice(by_action[luck.choice(sorted(by_action))])
        move = battle.push(option, tape=AnyOption(f"{seed} {step}"))
        lines = battle.move_record(move.number).lines
        assert lines, move
        assert all(line.clauses for line in lines), lines
