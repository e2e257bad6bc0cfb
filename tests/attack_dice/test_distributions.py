"""Distributions: closed forms, the worked sequences, and icepool for the large ones."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from tests.attack_dice import twin

SYSTEM = ruleset("attack_dice")


def binomial(count: int, share: Fraction, each: int = 1) -> dict[int, Fraction]:
    return {
        each * one: comb(count, one) * share**one * (1 - share) ** (count - one)
        for one in range(count + 1)
        if share not in (0, 1) or one == count * share
    }


@pytest.mark.clause("AD-85")
@settings(deadline=None)
@given(
    st.integers(1, 8),
    st.integers(0, 20),
    st.integers(0, 15),
    st.sampled_from([None, 2, 3, 4, 5, 6]),
    st.sampled_from([None, 3, 6]),
    st.sampled_from(["chart", "formula"]),
    st.integers(-3, 2),
)
def test_the_loss_of_a_pool_is_binomial(
    attacks: int, power: int, defence: int, armour: int | None, aegis: int | None, method: str, modifier: int
):
    game = twin.Game(method=method)
    entry = twin.find_entry(power, defence, game)
    through = twin.unsaved(armour, aegis, None, game.save_sides)
    if entry[0] != "auto":
        wanted, mean = binomial(attacks, twin.hit_chance(entry, modifier, game) * through), None
    elif method == "chart":
        wanted, mean = binomial(attacks * entry[1], through), attacks * entry[1] * through
    else:
        wanted, mean = binomial(attacks, through, entry[1]), attacks * entry[1] * through
    inputs = {"attacks": attacks, "power": power, "defence": defence, "armour": armour, "aegis": aegis, "hp": 5}
    damage = SYSTEM.ask("attack", **inputs, models=1, method=method, modifier=modifier).odds("damage")
    assert damage == wanted
    if mean is not None:
        assert damage.mean == mean
    fell = SYSTEM.ask("attack", **inputs, models=1, method=method, modifier=modifier).odds("wiped_out").chance(1)
    assert fell == sum(share for loss, share in wanted.items() if loss >= 5)


@pytest.mark.clause("AD-86")
def test_first_worked_sequence():
    answer = SYSTEM.ask("attack", attacks=3, power=4, defence=4, armour=4, models=1, hp=2)
    assert answer.odds("damage") == {
        0: Fraction(27, 64), 1: Fraction(27, 64), 2: Fraction(9, 64), 3: Fraction(1, 64),
    }  # fmt: skip
    assert answer.odds("damage").mean == Fraction(3, 4)
    assert answer.odds("wiped_out").chance(1) == Fraction(5, 32)


@pytest.mark.clause("AD-86", "AD-74")
def test_second_worked_sequence():
    answer = SYSTEM.ask("attack", attacks=3, power=4, defence=4, armour=4, ap=4, models=1, hp=2)
    assert answer.odds("damage") == {
        0: Fraction(1, 8), 1: Fraction(3, 8), 2: Fraction(3, 8), 3: Fraction(1, 8),
    }  # fmt: skip
    assert answer.odds("wiped_out").chance(1) == Fraction(1, 2)


@pytest.mark.clause("AD-86", "AD-59")
def test_third_worked_sequence():
    engaged = {"weapon_class": "heavy", "attacker_melee": "M1", "target_melee": "M1"}
    given_ = {"attacks": 4, "power": 6, "defence": 4, "armour": 5, "models": 1, "hp": 2, "dice": "d10"}
    answer = SYSTEM.ask("attack", **given_, **engaged)
    assert answer.odds("damage") == {
        0: Fraction(28561, 160000),
        1: Fraction(15379, 40000),
        2: Fraction(24843, 80000),
        3: Fraction(4459, 40000),
        4: Fraction(2401, 160000),
    }
    assert answer.odds("damage").mean == Fraction(7, 5)
    assert answer.odds("wiped_out").chance(1) == Fraction(69923, 160000)


@pytest.mark.clause("AD-86", "AD-46")
def test_fourth_worked_sequence():
    shot = {"attacks": 2, "power": 7, "defence": 2, "armour": 4, "models": 1, "hp": 9, "dice": "d10"}
    by_chart = SYSTEM.ask("attack", **shot).odds("damage")
    assert by_chart == {0: Fraction(121, 400), 1: Fraction(99, 200), 2: Fraction(81, 400)}
    by_formula = SYSTEM.ask("attack", **shot, method="formula").odds("damage")
    assert by_formula == {0: Fraction(1, 4), 3: Fraction(1, 2), 6: Fraction(1, 4)}


@pytest.mark.clause("AD-86", "AD-20")
def test_fifth_worked_sequence():
    answer = SYSTEM.ask("attack", attacks=4, power=1, defence=15, models=1, hp=1)
    assert answer.odds("damage").at_least(1) == Fraction(3940399, 100000000)


TWO_WEAPONS: dict[str, Any] = {
    "weapons": [{"attacks": 3, "power": 4}, {"attacks": 1, "power": 9, "ap": 3}],
    "defence": 4,
    "armour": 4,
    "models": 1,
}


@pytest.mark.clause("AD-87")
def test_losses_of_several_weapons_add_up():
    answer = SYSTEM.ask("volley", **TWO_WEAPONS, hp=3)
    assert answer.odds("damage") == {
        0: Fraction(27, 640),
        1: Fraction(27, 64),
        2: Fraction(63, 160),
        3: Fraction(41, 320),
        4: Fraction(9, 640),
    }
    assert answer.odds("damage").mean == Fraction(33, 20)
    assert answer.odds("wiped_out").chance(1) == Fraction(91, 640)
    alone = [
        SYSTEM.ask("attack", **one, defence=4, armour=4, models=1, hp=3).odds("damage")
        for one in TWO_WEAPONS["weapons"]
    ]
    assert alone[0] + alone[1] == answer.odds("damage")


@pytest.mark.clause("AD-87", "AD-29")
def test_the_multiplier_of_one_weapon_does_not_stick_to_the_next():
    weapons = [{"attacks": 1, "power": 10}, {"attacks": 2, "power": 4}]
    answer = SYSTEM.ask("volley", weapons=weapons, defence=4, models=1, hp=9, method="formula")
    assert answer.odds("damage") == {2: Fraction(1, 4), 3: Fraction(1, 2), 4: Fraction(1, 4)}


@pytest.mark.clause("AD-87")
def test_the_order_of_weapons_does_not_change_the_chance_of_death():
    there = SYSTEM.ask("volley", **TWO_WEAPONS, hp=3)
    back = SYSTEM.ask("volley", **{**TWO_WEAPONS, "weapons": TWO_WEAPONS["weapons"][::-1]}, hp=3)
    assert there.odds("wiped_out") == back.odds("wiped_out")
    assert there.odds("damage") == back.odds("damage")


# --- icepool ------------------------------------------------------------------------------------------------------


def pool(count: int, share: Fraction) -> Any:
    return count @ icepool.coin(share.numerator, share.denominator)


def again(die: Any, share: Fraction) -> Any:
    """So many of what came up pass a further test."""
    return die.map(lambda count: pool(count, share) if count else icepool.Die([0]))


def fractions(die: Any) -> dict[int, Fraction]:
    return {value: Fraction(weight, die.denominator()) for value, weight in die.items() if weight}


@pytest.mark.clause("AD-85", "AD-77", "AD-81")
@pytest.mark.parametrize(("attacks", "lost"), [(20, 0), (20, 3), (40, 1)])
def test_twenty_dice_two_saves_and_five_models_by_icepool(attacks: int, lost: int):
    loss = again(again(pool(attacks, Fraction(7, 10)), Fraction(7, 10)), Fraction(9, 10))
    fallen = loss.map(lambda one: min((one + lost) // 2, 5) - lost // 2)
    given_ = {"attacks": attacks, "power": 6, "defence": 4, "armour": 5, "aegis": 6, "models": 5, "hp": 2}
    answer = SYSTEM.ask("attack", **given_, lost=lost)
    assert answer.odds("damage") == fractions(loss)
    assert answer.odds("casualties") == fractions(fallen)
    assert answer.odds("hp_lost") == fractions(loss.map(lambda one: min(one, 10 - lost)))


@pytest.mark.clause("AD-85", "AD-10")
def test_sixty_two_stage_dice_by_icepool():
    loss = again(again(pool(60, Fraction(1, 10)), Fraction(7, 10)), Fraction(1, 2))
    answer = SYSTEM.ask("attack", attacks=60, power=2, defence=9, armour=4, models=6, hp=1, dice="d10")
    assert answer.odds("damage") == fractions(loss)
    assert answer.odds("casualties") == fractions(loss.map(lambda one: min(one, 6)))


@pytest.mark.clause("AD-87")
def test_a_volley_of_three_profiles_by_icepool():
    loss = (
        again(pool(12, Fraction(1, 2)), Fraction(7, 10))
        + pool(10, Fraction(9, 10))
        + again(icepool.Die([8]), Fraction(7, 10))
    )
    weapons = [
        {"attacks": 6, "bearers": 2, "power": 4},
        {"attacks": 5, "bearers": 2, "power": 8, "ap": 5},
        {"attacks": 2, "power": 16},
    ]
    answer = SYSTEM.ask("volley", weapons=weapons, defence=4, armour=5, models=4, hp=3)
    assert answer.odds("damage") == fractions(loss)
    assert answer.odds("casualties") == fractions(loss.map(lambda one: min(one // 3, 4)))
