"""HP loss and casualties: the wounded model first, then the next; never below nought."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from battletape.rulesets.attack_dice.damage import (
    all_hp,
    all_models,
    apply_losses,
    casualties,
    lose,
    make_ranks,
    next_model_hp,
    standing,
)
from battletape.rulesets.attack_dice.field import weapons_left
from tests.attack_dice import twin

SYSTEM = ruleset("attack_dice")


@pytest.mark.clause("AD-80")
@pytest.mark.parametrize(
    ("hp", "loss", "left", "fell", "excess"), [(3, 2, 1, 0, 0), (3, 3, 0, 1, 0), (3, 5, 0, 1, 2), (1, 0, 1, 0, 0)]
)
def test_a_single_model_loses_hp_and_falls_at_nought(hp: int, loss: int, left: int, fell: int, excess: int):
    after = apply_losses(make_ranks(1, hp), 0, [1] * loss)
    assert (after.remaining_hp, after.casualties, after.unit_casualty, after.excess) == (left, fell, fell == 1, excess)


@pytest.mark.clause("AD-80")
def test_hp_lost_stops_at_nought_and_damage_counts_overkill():
    answer = SYSTEM.ask("attack", attacks=5, power=7, defence=1, models=1, hp=3)
    assert answer.odds("hp_lost") == {3: 1}
    assert answer.odds("damage") == {5: 1}
    assert answer.odds("wiped_out") == {1: 1}
    assert str(answer) == "The target falls 100 % of the time; 3.0 HP lost on average."


@pytest.mark.clause("AD-81")
def test_the_wounded_model_loses_first():
    after = apply_losses(make_ranks(5, 2), 1, [1] * 3)
    assert (after.remaining_hp, after.casualties, after.models_left, after.next_model_hp) == (6, 2, 3, 2)
    untouched = apply_losses(make_ranks(4, 3), 2, [])
    assert (untouched.remaining_hp, untouched.models_left, untouched.next_model_hp) == (10, 4, 1)
    gone = apply_losses(make_ranks(5, 1), 0, [1] * 7)
    assert (gone.remaining_hp, gone.models_left, gone.next_model_hp, gone.unit_casualty) == (0, 0, 0, True)


@pytest.mark.clause("AD-81")
def test_models_left_are_the_hp_left_divided_and_rounded_up():
    for lost in range(11):
        left = apply_losses(make_ranks(5, 2), 0, [1] * lost).models_left
        assert left == -((lost - 10) // 2)


@pytest.mark.clause("AD-81")
def test_a_blow_of_three_spills_to_the_next_model_or_is_lost():
    ranks = make_ranks(3, 2)
    spilt, lost = apply_losses(ranks, 0, [3]), apply_losses(ranks, 0, [3], "lost")
    assert (spilt.casualties, spilt.remaining_hp, spilt.next_model_hp) == (1, 3, 1)
    assert (lost.casualties, lost.remaining_hp, lost.next_model_hp, lost.excess) == (1, 4, 2, 1)


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
    assert standing(ranks, 3) == (((1, 3), (1, 2)), 1)
    assert standing(ranks, 7) == ((), 0)
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
    ranks = make_ranks(1, hp[0], tuple(hp[1:]))
    models = tuple(hp)
    for blow in blows:
        models = twin.strike(models, blow, spill)
    after = apply_losses(ranks, 0, blows, "spills" if spill else "lost")
    assert after.remaining_hp == sum(models)
    assert after.casualties == sum(one == 0 for one in models)
    assert after.next_model_hp == next((one for one in models if one), 0)
    assert after.excess == sum(blows) - after.lost
    assert after.unit_casualty == (not any(models))


@pytest.mark.clause("AD-81")
@settings(deadline=None)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 12), st.integers(1, 5))
def test_many_equal_blows_are_the_same_as_one_by_one(models: int, hp: int, blows: int, each: int):
    ranks = make_ranks(models, hp)
    for spill in ("spills", "lost"):
        assert lose(ranks, 0, blows, each, spill) == apply_losses(ranks, 0, [each] * blows, spill).lost


@pytest.mark.clause("AD-82")
def test_a_used_profile_is_not_available_again():
    assert weapons_left(["rifle", "pistol", "cannon"], ["rifle"]) == ["pistol", "cannon"]
    assert weapons_left(["rifle"], ["rifle"]) == []


@pytest.mark.clause("AD-82", "AD-87")
def test_casualties_of_one_weapon_are_off_before_the_next_one_fires():
    """A carbine hits seven times in ten and wounds; the lance then fells the wounded model or a fresh one, not two."""
    weapons = [{"attacks": 1, "power": 2}, {"attacks": 1, "power": 14}]
    rules = {"method": "formula", "spill": "lost", "defence": 1, "models": 3, "hp": 2}
    answer = SYSTEM.ask("volley", weapons=weapons, **rules)
    assert answer.odds("damage") == {14: Fraction(3, 10), 15: Fraction(7, 10)}
    assert answer.odds("casualties") == {1: 1}
    assert answer.odds("hp_lost") == {2: 1}
