"""A battle, action by action: what each does, and what odds it has."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import Battle
from tests.attack_dice.battles import attack, refusal, skirmish, started, unit

FIRE: dict[str, Any] = {"unit": "Wardens", "weapon": "Carbine", "target": "Raiders", "distance": 12}


# --- attack -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-66", "AD-67", "AD-70", "AD-80")
def test_an_attack_takes_hp_off_and_marks_the_weapon_as_used():
    battle = started()
    attack(battle, "Wardens", "Carbine", "Raiders", 5, 9, 4, 7, 0, 2)
    raiders, wardens = battle.state.unit("Raiders"), battle.state.unit("Wardens")
    assert (raiders.hp_lost, raiders.models) == (3, 2)
    assert wardens.done.fired == (("Carbine", 3),)
    assert battle.state.active_unit == "Wardens"
    attack(battle, "Wardens", "Cannon", "Raiders")
    assert battle.state.unit("Raiders").is_gone


@pytest.mark.clause("AD-81")
def test_the_next_attack_meets_the_models_that_are_left():
    battle = started()
    battle.push("lose_hp", unit="Raiders", hp=3)
    odds = battle.odds("attack", **{**FIRE, "weapon": "Cannon"})
    assert odds.odds("hp_lost") == {3: 1}
    assert odds.odds("casualties") == {2: 1}
    assert odds.odds("wiped_out") == {1: 1}
    assert str(odds) == "All 2 models fall."


@pytest.mark.clause("AD-67", "AD-71")
def test_models_may_be_split_over_several_targets():
    battle = started()
    also = [{"target": "Wolves", "models": 1, "distance": 9}]
    attack(battle, "Wardens", "Carbine", "Raiders", 9, 9, 0, 0, 9, 9, models=2, also=also)
    assert [battle.state.unit(name).hp_lost for name in ("Raiders", "Wolves")] == [2, 2]
    assert [entry.domain for entry in battle.moves[-1].entries] == ["4 x 0-9", "2 x 0-9"]
    assert battle.state.unit("Wardens").done.fired == (("Carbine", 3),)


@pytest.mark.clause("AD-67", "AD-71")
def test_the_same_target_named_twice_is_one_pool():
    battle = started()
    attack(battle, "Wardens", "Carbine", "Raiders", *[9] * 6, models=1, also=[{"target": "raiders", "models": 2}])
    assert [entry.domain for entry in battle.moves[-1].entries] == ["6 x 0-9"]


@pytest.mark.clause("AD-67")
def test_the_odds_of_split_fire_count_all_targets():
    battle = started()
    split = {**FIRE, "models": 2, "also": [{"target": "Wolves", "models": 1, "distance": 9}]}
    odds = battle.odds("attack", **split)
    # 4 dice at 5+ on Raiders of 2 HP, 2 dice at 2+ on Wolves of 1 HP
    assert odds.odds("damage").mean == 4 * Fraction(1, 2) + 2 * Fraction(4, 5)
    assert odds.odds("wiped_out") == {0: 1}
    assert odds.odds("casualties").mean == Fraction(3, 4) + Fraction(8, 5)
    assert str(odds).startswith("2.4 of 7 models fall on average; ")
    battle.push("lose_hp", unit="Raiders", hp=5)
    battle.push("lose_hp", unit="Wolves", hp=3)
    both = battle.odds("attack", **split).odds("wiped_out")
    assert both.chance(1) == (1 - Fraction(1, 16)) * (1 - Fraction(1, 25))


@pytest.mark.clause("AD-82")
def test_models_left_over_may_fire_later_in_the_activation():
    battle = started()
    attack(battle, "Wardens", "Carbine", "Raiders", 0, 0, models=1)
    assert refusal(battle, "attack", **FIRE, models=3) == (
        "2 models of Wardens can fire Carbine, 3 were asked for (AD-70)"
    )
    attack(battle, "Wardens", "Carbine", "Wolves", 0, 0, 0, 0)
    assert refusal(battle, "attack", **FIRE) == ("Wardens has no model left to fire Carbine in this activation (AD-82)")


@pytest.mark.clause("AD-70")
def test_fallen_models_do_not_fire():
    battle = started()
    battle.push("lose_hp", unit="Wardens", hp=2)
    assert refusal(battle, "attack", **FIRE, models=3) == (
        "2 models of Wardens can fire Carbine, 3 were asked for (AD-70)"
    )
    attack(battle, "Wardens", "Carbine", "Raiders", 0, 0, 0, 0)


@pytest.mark.clause("AD-68", "AD-56")
def test_a_weapon_with_a_range_wants_the_distance_to_each_target():
    battle = started()
    bare = {key: value for key, value in FIRE.items() if key != "distance"}
    attacks = [option for option in battle.options() if option.action.name == "attack"]
    assert {(option.params.weapon, option.params.distance) for option in attacks} == {("Carbine", 24), ("Cannon", 36)}
    assert not any(option.refused for option in attacks)
    battle.push("engage", unit="Wardens", target="Raiders")
    assert battle.refusal("attack", **bare) is None  # engaged enemies are in range of everything
    near = [option.params for option in battle.options() if option.action.name == "attack"]
    assert {order.distance for order in near if (order.unit, order.target) == ("Wardens", "Raiders")} == {None}
    stick = unit("Clerks", weapons=[{"name": "Curse", "power": 9}])
    sides = [{"name": "A", "units": [stick]}, {"name": "B", "units": [unit("Crows")]}]
    free = Battle.new("attack_dice", {"sides": sides})
    free.push("start")
    assert free.refusal("attack", unit="Clerks", weapon="Curse", target="Crows") is None  # it has no range


@pytest.mark.clause("AD-26")
def test_power_0_is_forbidden_on_the_chart_and_not_by_the_formula():
    harmless = unit("Clerks", weapons=[{"name": "Horn", "power": 0}])
    sides = [{"name": "A", "units": [harmless]}, {"name": "B", "units": [unit("Crows")]}]
    by_formula = Battle.new("attack_dice", {"sides": sides}, {"power_zero": "forbidden", "method": "formula"})
    by_formula.push("start")
    assert by_formula.refusal("attack", unit="Clerks", weapon="Horn", target="Crows") is None


@pytest.mark.clause("AD-68", "AD-92")
def test_distance_sight_and_facing_come_with_the_order():
    battle = started(facing_rule="on")
    battle.push("lose_hp", unit="Raiders", hp=4)
    worn = battle.odds("attack", **{**FIRE, "facing": "rear", "distance": 24})
    assert [step.title for step in worn.steps][1] == "Power 4 against Defence 4 by the chart"
    also = [{"target": "Raiders", "facing": "front"}]
    assert battle.odds("attack", **FIRE, models=2, also=also).odds("damage").mean == Fraction(6, 2)
    battle.push("done", unit="Wardens")
    battle.push("lose_hp", unit="Wagon", hp=3)
    rear = battle.odds("attack", unit="Raiders", weapon="Knife", target="Wagon", facing="rear", distance=1)
    assert [step.title for step in rear.steps][1] == "Power 7 against Defence 3 by the chart"


# --- agreements -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-3", "AD-4")
def test_settings_are_agreed_before_the_game_and_hold_until_it_ends():
    battle = skirmish()
    battle.push("agree", ruling="method", value="formula")
    battle.push("agree", ruling="Zero-against-zero", value="no_damage")
    assert (battle.state.rulings.method, battle.state.rulings.zero_against_zero) == ("formula", "no_damage")
    battle.push("start")
    assert battle.state.rulings.method == "formula"
    step = battle.odds("attack", **FIRE).steps[1]
    assert (step.title, step.needed) == ("Power 4 against Defence 4 by the formula (F4: Power and Defence equal)", "5+")
