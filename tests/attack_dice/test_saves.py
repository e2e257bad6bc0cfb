"""Armour and AEGIS Saves, AP, and the numbers on a D10."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape import ruleset
from battletape.rulesets.attack_dice.rules.saves import (
    armour_is_denied,
    save_die,
    save_number,
    save_reading,
)
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.tables import sheet
from battletape.tape.script import Script
from tests.attack_dice import twin

SYSTEM = ruleset("attack_dice")
ON_D6, ON_D10 = Rulings(save_dice="d6"), Rulings(save_dice="d10")
SURE = {"attacks": 1, "power": 7, "defence": 1, "models": 1}  # one automatic success


def through(**given: Any) -> Any:
    """The chance that one automatic success gets through saves, on a D6 unless told otherwise."""
    return SYSTEM.ask("attack", **SURE, **{"dice": "dual", **given}).odds("damage").chance(1)


@pytest.mark.clause("AD-73")
def test_the_target_saves_once_for_each_success_after_all_attack_dice():
    tape = Script(9, 9, 2, 9, 6, 1, 1)
    rolled = SYSTEM.roll("attack", attacks=4, power=4, defence=4, armour=4, models=5, dice="dual", tape=tape)
    assert [str(entry) for entry in rolled.entries] == [
        "pool attack dice [4 x 0-9] = 9 9 2 9",
        "pool armour saves [3 x 1-6] = 6 1 1",
    ]
    assert rolled.results["damage"] == 2
    chart = SYSTEM.roll("attack", attacks=2, power=10, defence=2, armour=4, models=9, tape=Script(6, 6, 6, 1))
    assert [entry.domain for entry in chart.entries] == ["4 x 0-9"]
    assert chart.results["damage"] == 1
    formula = {"attacks": 2, "power": 10, "defence": 5, "armour": 4, "models": 9, "method": "formula"}
    after = SYSTEM.roll("attack", **formula, tape=Script(6, 1))
    assert [entry.domain for entry in after.entries] == ["2 x 0-9"]
    assert after.results["damage"] == 2


@pytest.mark.clause("AD-74")
def test_ap_equal_or_better_denies_armour():
    assert [armour_is_denied(4, ap) for ap in (None, 6, 5, 4, 3, 2)] == [False, False, False, True, True, True]
    assert [through(armour=4, ap=ap) for ap in (None, 5, 4, 3)] == [Fraction(1, 2), Fraction(1, 2), 1, 1]
    assert through(aegis=5, ap=2) == Fraction(2, 3)


@pytest.mark.clause("AD-74")
def test_comparing_before_or_after_translation_is_the_same():
    for armour, ap in product(range(2, 7), repeat=2):
        assert armour_is_denied(armour, ap) == (save_number(ap, ON_D10) <= save_number(armour, ON_D10))


@pytest.mark.clause("AD-75")
@pytest.mark.parametrize(
    ("number", "on_d6", "on_d10"),
    [(2, "5/6", "9/10"), (3, "2/3", "7/10"), (4, "1/2", "1/2"), (5, "1/3", "3/10"), (6, "1/6", "1/10")],
)
def test_armour_prevents_on_its_number_or_more(number: int, on_d6: str, on_d10: str):
    assert through(armour=number, save_dice="d6") == 1 - Fraction(on_d6)
    assert through(armour=number, save_dice="d10") == 1 - Fraction(on_d10)
    assert through(armour=None) == 1


@pytest.mark.clause("AD-75", "AD-5", "AD-6")
def test_the_failing_face_fails_a_save():
    assert not save_reading(2, ON_D6)(1)
    assert not save_reading(2, ON_D10)(0)
    one_to_ten = Rulings(save_dice="d10", numbering="1-10")
    assert not save_reading(2, one_to_ten)(10)
    for dice in ("d10", "d6", "dual"):
        assert save_die(Rulings(save_dice="d10", numbering="1-10", dice=dice)).domain == "1-10"
        assert save_die(Rulings(save_dice="d10", dice=dice)).domain == "0-9"
        assert save_die(Rulings(save_dice="d6", dice=dice)).domain == "1-6"


@pytest.mark.clause("AD-76")
def test_aegis_is_a_second_save_that_ap_does_not_touch():
    assert [through(aegis=number) for number in (2, 6)] == [Fraction(1, 6), Fraction(5, 6)]
    assert [through(armour=3, aegis=6, ap=ap) for ap in (None, 2)] == [Fraction(5, 18), Fraction(5, 6)]


@pytest.mark.clause("AD-77")
def test_both_saves_are_rolled_aegis_for_what_is_left():
    assert through(armour=4, aegis=5) == Fraction(1, 2) * Fraction(2, 3) == Fraction(1, 3)
    assert through(armour=4, aegis=5, ap=4) == Fraction(2, 3)
    shot = {"attacks": 4, "power": 7, "defence": 1, "armour": 4, "aegis": 5, "models": 5, "dice": "dual"}
    rolled = SYSTEM.roll("attack", **shot, tape=Script(4, 4, 1, 1, 5, 4))
    assert [str(entry) for entry in rolled.entries] == [
        "pool armour saves [4 x 1-6] = 4 4 1 1",
        "pool aegis saves [2 x 1-6] = 5 4",
    ]
    assert rolled.results["damage"] == 1


@pytest.mark.clause("AD-74", "AD-75", "AD-76", "AD-77")
@pytest.mark.parametrize(("dice", "sides"), [("d6", 6), ("d10", 10)])
def test_every_pair_of_saves_face_by_face(dice: Any, sides: int):
    numbers = (None, 2, 3, 4, 5, 6)
    for armour, aegis, ap in product(numbers, repeat=3):
        wanted = twin.unsaved(armour, aegis, ap, sides)
        assert through(armour=armour, aegis=aegis, ap=ap, save_dice=dice) == wanted


@pytest.mark.clause("AD-78")
def test_saves_of_one_pool_are_one_batch_and_of_two_profiles_two():
    weapons = [{"attacks": 2, "power": 7}, {"attacks": 1, "power": 7}]
    tape = Script(1, 6, 1)
    rolled = SYSTEM.roll("volley", weapons=weapons, defence=1, armour=4, models=5, tape=tape)
    assert [entry.domain for entry in rolled.entries] == ["2 x 0-9", "1 x 0-9"]
    together = SYSTEM.ask("attack", attacks=3, power=7, defence=1, armour=4, models=5).odds("damage")
    assert SYSTEM.ask("volley", weapons=weapons, defence=1, armour=4, models=5).odds("damage") == together


@pytest.mark.clause("AD-79")
def test_each_unsaved_success_costs_one_hp_or_the_multiplier_of_the_formula():
    assert SYSTEM.ask("attack", attacks=3, power=7, defence=1, models=1, hp=9).odds("hp_lost") == {3: 1}
    times_two = SYSTEM.ask("attack", attacks=3, power=10, defence=5, models=1, hp=9, method="formula")
    assert times_two.odds("hp_lost") == {6: 1}


@pytest.mark.clause("AD-83")
def test_profile_numbers_are_translated_for_a_d10():
    assert {number: 2 * number - 3 for number in range(2, 7)} == sheet.SAVE_ON_D10
    assert [save_number(number, ON_D10) for number in range(2, 7)] == [1, 3, 5, 7, 9]
    assert [save_number(number, ON_D6) for number in range(2, 7)] == [2, 3, 4, 5, 6]
    answer = SYSTEM.ask("attack", **SURE, armour=5, dice="d10")
    assert [(step.needed, step.chance) for step in answer.steps if step.chance] == [
        ("7+ to match 5+ on a D6", Fraction(3, 10))
    ]


@pytest.mark.clause("AD-84")
def test_dual_dice_leave_saves_on_a_d6():
    assert through(armour=4, aegis=6, dice="dual") == Fraction(5, 12)
    assert through(armour=4, aegis=6, dice="d10") == Fraction(9, 20)
    hit = SYSTEM.ask("attack", attacks=1, power=4, defence=4, armour=4, aegis=6, models=1, dice="dual")
    assert hit.odds("damage").at_least(1) == Fraction(5, 24)


def test_the_log_says_when_ap_denies():
    rolled = SYSTEM.roll("attack", **SURE, armour=4, ap=3, tape=Script())
    assert [line.text for line in rolled.log][3:] == [
        "Armour 4+ is denied by AP 3+",
        "1 HP lost: 1 model of the target falls, and the unit is gone",
    ]
