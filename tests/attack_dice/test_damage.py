"""HP loss and casualties: the wounded model first, then the next; never below nought."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import Battle, Typed, ruleset
from battletape.rulesets.attack_dice.rules.damage import (
    all_hp,
    all_models,
    casualties,
    hp_lost_after,
    make_ranks,
    models_left,
    next_model_hp,
)
from tests.attack_dice import twin

SYSTEM = ruleset("attack_dice")


def struck(models: int, hp: int, blows: list[int], spill: str = "spills", lost: int = 0, others: Any = ()) -> Any:
    """Return what blows of so many HP each do to a unit without Defence."""
    weapons = [{"attacks": 1, "power": blow} for blow in blows] or [{"attacks": 1, "power": 0}]
    rules = {"method": "formula", "zero_against_zero": "no_damage", "spill": spill}
    target = {"models": models, "hp": hp, "others": others, "lost": lost, "defence": 0}
    return SYSTEM.roll("volley", weapons=weapons, **target, **rules, tape=Typed()).results


@pytest.mark.clause("AD-80")
@pytest.mark.parametrize(
    ("hp", "loss", "left", "fell", "excess"), [(3, 2, 1, 0, 0), (3, 3, 0, 1, 0), (3, 5, 0, 1, 2), (1, 0, 1, 0, 0)]
)
def test_a_single_model_loses_hp_and_falls_at_nought(hp: int, loss: int, left: int, fell: int, excess: int):
    after = struck(1, hp, [1] * loss)
    assert (hp - after["hp_lost"], after["casualties"], after["wiped_out"]) == (left, fell, fell)
    assert after["damage"] - after["hp_lost"] == excess


@pytest.mark.clause("AD-80")
def test_hp_lost_stops_at_nought_and_damage_counts_overkill():
    answer = SYSTEM.ask("attack", attacks=5, power=7, defence=1, models=1, hp=3)
    assert answer.odds("hp_lost") == {3: 1}
    assert answer.odds("damage") == {5: 1}
    assert answer.odds("wiped_out") == {1: 1}
    assert str(answer) == "The target falls 100 % of the time; 3.0 HP lost on average."


@pytest.mark.clause("AD-81")
def test_the_wounded_model_loses_first():
    after = struck(5, 2, [1] * 3, lost=1)
    assert after == {"casualties": 2, "hp_lost": 3, "damage": 3, "wiped_out": 0}
    assert struck(4, 3, [], lost=2) == {"casualties": 0, "hp_lost": 0, "damage": 0, "wiped_out": 0}
    assert struck(5, 1, [1] * 7) == {"casualties": 5, "hp_lost": 5, "damage": 7, "wiped_out": 1}


@pytest.mark.clause("AD-81")
def test_a_battle_shows_the_wounded_model():
    sides = [{"name": "A", "units": [{"name": "Ten"}]}, {"name": "B", "units": [{"name": "Five", "hp": 3}]}]
    battle = Battle.new(SYSTEM, {"sides": sides})
    battle.push("lose_hp", unit="Five", hp=5)
    assert battle.tables[1].rows[0][1:3] == ("4/5", "10/15")
    assert battle.tables[1].rows[0][6] == "one model with 1 HP"
    battle.push("lose_hp", unit="Five", hp=1)
    assert battle.tables[1].rows[0][1:3] == ("3/5", "9/15")
    assert battle.tables[1].rows[0][6] == ""


@pytest.mark.clause("AD-81")
def test_models_left_are_the_hp_left_divided_and_rounded_up():
    for lost in range(11):
        assert 5 - struck(5, 2, [1] * lost)["casualties"] == -((lost - 10) // 2)


@pytest.mark.clause("AD-81")
def test_a_blow_of_three_spills_to_the_next_model_or_is_lost():
    assert struck(3, 2, [3]) == {"casualties": 1, "hp_lost": 3, "damage": 3, "wiped_out": 0}
    assert struck(3, 2, [3], "lost") == {"casualties": 1, "hp_lost": 2, "damage": 3, "wiped_out": 0}


@pytest.mark.clause("AD-81")
def test_wounds_of_before_are_counted_once():
    shot = {"attacks": 3, "power": 7, "defence": 1, "models": 5, "hp": 2}
    fresh, hurt = SYSTEM.ask("attack", **shot), SYSTEM.ask("attack", **shot, lost=1)
    assert fresh.odds("casualties") == {1: 1}
    assert hurt.odds("casualties") == {2: 1}
    assert fresh.odds("hp_lost") == hurt.odds("hp_lost") == {3: 1}
    worn = SYSTEM.ask("attack", **shot, lost=8)
    assert worn.odds("hp_lost") == {2: 1}
    assert worn.odds("wiped_out") == {1: 1}


@pytest.mark.clause("AD-81")
def test_models_of_other_hp_fall_last_in_their_order():
    ranks = make_ranks(2, 1, (3, 2))
    assert (all_models(ranks), all_hp(ranks)) == (4, 7)
    assert [casualties(ranks, lost) for lost in range(8)] == [0, 1, 2, 2, 2, 3, 3, 4]
    assert [next_model_hp(ranks, lost) for lost in range(8)] == [1, 1, 3, 2, 1, 2, 1, 0]
    assert models_left(ranks, 3) == (((1, 3), (1, 2)), 1)
    assert models_left(ranks, 7) == ((), 0)
    assert make_ranks(0, 1, (4,)) == ((1, 4),)
    answer = SYSTEM.ask("attack", attacks=3, power=7, defence=1, models=2, hp=1, others=[3, 2])
    assert answer.odds("casualties") == {2: 1}


@pytest.mark.clause("AD-80", "AD-81")
@settings(deadline=None)
@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=6),
    st.lists(st.integers(1, 9), max_size=8),
    st.booleans(),
)
def test_losses_are_those_of_models_taken_one_by_one(hp: list[int], blows: list[int], spill: bool):
    models = tuple(hp)
    for blow in blows:
        models = twin.strike(models, blow, spill)
    after = struck(1, hp[0], blows, "spills" if spill else "lost", others=hp[1:])
    assert sum(hp) - after["hp_lost"] == sum(models)
    assert after["casualties"] == sum(one == 0 for one in models)
    assert after["damage"] == sum(blows)
    assert after["wiped_out"] == (not any(models))
    ranks = make_ranks(1, hp[0], tuple(hp[1:]))
    assert next_model_hp(ranks, after["hp_lost"]) == next((one for one in models if one), 0)


@pytest.mark.clause("AD-81")
@settings(deadline=None)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 12), st.integers(1, 5))
def test_many_equal_blows_are_the_same_as_one_by_one(models: int, hp: int, blows: int, each: int):
    ranks = make_ranks(models, hp)
    for spill in ("spills", "lost"):
        one_by_one = 0
        for _ in range(blows):
            one_by_one = hp_lost_after(ranks, one_by_one, 1, each, spill)
        assert hp_lost_after(ranks, 0, blows, each, spill) == one_by_one


@pytest.mark.clause("AD-82")
def test_a_used_profile_is_not_available_again():
    ours = {"name": "Ours", "models": 1, "weapons": [{"name": name, "power": 0} for name in ("rifle", "pistol")]}
    sides = [{"name": "A", "units": [ours]}, {"name": "B", "units": [{"name": "Theirs"}]}]
    battle = Battle.new(SYSTEM, {"sides": sides})
    battle.push("start")
    for left in (["rifle", "pistol"], ["pistol"], []):
        allowed = [one.params for one in battle.legal() if one.action.name == "attack"]
        assert [order.weapon for order in allowed] == left
        if left:
            battle.push("attack", unit="Ours", weapon=left[0], target="Theirs")


@pytest.mark.clause("AD-82", "AD-87")
def test_casualties_of_one_weapon_are_off_before_the_next_one_fires():
    """A carbine hits seven times in ten and wounds; the lance then fells the wounded model or a fresh one, not two."""
    weapons = [{"attacks": 1, "power": 2}, {"attacks": 1, "power": 14}]
    rules = {"method": "formula", "spill": "lost", "defence": 1, "models": 3, "hp": 2}
    answer = SYSTEM.ask("volley", weapons=weapons, **rules)
    assert answer.odds("damage") == {14: Fraction(3, 10), 15: Fraction(7, 10)}
    assert answer.odds("casualties") == {1: 1}
    assert answer.odds("hp_lost") == {2: 1}
