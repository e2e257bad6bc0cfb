"""Attack Dice: how they are numbered, which face fails, and what counts as a success."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import ruleset
from battletape.errors import BadInput
from battletape.rulesets.attack_dice.modifiers import (
    attack_die,
    chance,
    chances,
    failing_face,
    resolve,
    ten_sided,
    value_shown,
)
from battletape.rulesets.attack_dice.requirement import parse_requirement
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.saves import save_die
from battletape.tape.script import Script

SYSTEM = ruleset("attack_dice")
D6_GAME = Rulings(dice="d6")
ONE_TO_TEN = Rulings(numbering="1-10")
CHANCES = {
    "A": Fraction(1), "Ax2": Fraction(1), "Ax8": Fraction(1), "-": Fraction(0),
    "1+": Fraction(9, 10), "2+": Fraction(4, 5), "3+": Fraction(7, 10), "4+": Fraction(3, 5), "5+": Fraction(1, 2),
    "6+": Fraction(2, 5), "7+": Fraction(3, 10), "8+": Fraction(1, 5), "9": Fraction(1, 10), "9+": Fraction(1, 10),
    "9/1": Fraction(9, 100), "9/2": Fraction(2, 25), "9/3": Fraction(7, 100), "9/4": Fraction(3, 50),
    "9/5": Fraction(1, 20), "9/6": Fraction(1, 25), "9/7": Fraction(3, 100), "9/8": Fraction(1, 50),
    "9/9": Fraction(1, 100),
}  # fmt: skip


@pytest.mark.clause("AD-3", "AD-72", "AD-84")
@pytest.mark.parametrize(
    ("dice", "attack", "save"), [("d10", "0-9", "0-9"), ("d6", "1-6", "1-6"), ("dual", "0-9", "1-6")]
)
def test_a_flavour_says_which_dice_are_rolled(dice: Any, attack: str, save: str):
    rules = Rulings(dice=dice)
    assert (attack_die(rules).domain, save_die(rules).domain) == (attack, save)
    tape = Script(9 if attack == "0-9" else 6, 1)
    rolled = SYSTEM.roll("attack", attacks=1, power=4, defence=4, armour=4, dice=dice, tape=tape)
    assert [entry.domain for entry in rolled.entries] == [f"1 x {attack}", f"1 x {save}"]


@pytest.mark.clause("AD-3")
def test_dual_dice_attack_on_a_d10_and_save_on_a_d6():
    answer = SYSTEM.ask("attack", attacks=1, power=4, defence=4, armour=4, dice="dual")
    assert [(step.title, step.needed, step.chance) for step in answer.steps[2:]] == [
        ("Attack dice on a D10", "5+", Fraction(1, 2)),
        ("Armour saves on a D6", "4+", Fraction(1, 2)),
    ]


@pytest.mark.clause("AD-5", "AD-24")
def test_a_ten_is_read_as_nought_and_fails():
    assert [value_shown(face, ONE_TO_TEN) for face in (1, 9, 10)] == [(1, False), (9, False), (0, True)]
    assert [value_shown(face) for face in (0, 1, 9)] == [(0, True), (1, False), (9, False)]
    assert resolve(parse_requirement("1+"), [10, 1, 9], 0, ONE_TO_TEN) == (False, True, True)
    assert resolve(parse_requirement("1+"), [0, 1, 9]) == (False, True, True)
    assert failing_face(ten_sided(ONE_TO_TEN)) == 10
    for text, share in CHANCES.items():
        assert chance(parse_requirement(text), 0, ONE_TO_TEN) == share


@pytest.mark.clause("AD-5")
def test_a_face_that_the_die_does_not_have_is_refused():
    with pytest.raises(BadInput, match=r"^an Attack Die wants 0-9, got 10$"):
        value_shown(10)
    with pytest.raises(BadInput, match=r"^an Attack Die wants 1-10, got 0$"):
        resolve(parse_requirement("5+"), [0], 0, ONE_TO_TEN)
    with pytest.raises(BadInput, match=r"^an Attack Die wants 1-6, got 7$"):
        value_shown(7, D6_GAME)


@pytest.mark.clause("AD-6")
def test_a_one_on_a_d6_always_fails():
    assert [value_shown(face, D6_GAME) for face in (1, 2, 6)] == [(1, True), (2, False), (6, False)]
    assert chance(parse_requirement("2+"), 3, D6_GAME) == Fraction(5, 6)
    assert resolve(parse_requirement("2+"), [1, 2, 3, 4, 5, 6], 3, D6_GAME) == (False, True, True, True, True, True)


@pytest.mark.clause("AD-7")
def test_equal_or_above_succeeds_and_nothing_is_gained_by_more():
    assert resolve(parse_requirement("5+"), [4, 5, 6, 9, 0]) == (False, True, True, True, False)
    rolled = SYSTEM.roll("attack", attacks=3, power=4, defence=4, models=5, tape=Script(4, 5, 9))
    assert rolled.results == {"casualties": 2, "hp_lost": 2, "damage": 2, "wiped_out": 0}


@pytest.mark.clause("AD-8")
def test_automatic_entries_need_no_dice_but_are_saved():
    sure = SYSTEM.ask("attack", attacks=4, power=7, defence=1, models=9)
    assert sure.odds("damage") == {4: 1}
    tape = Script(6, 1, 1, 1)
    saved = SYSTEM.roll("attack", attacks=4, power=7, defence=1, models=9, armour=4, tape=tape)
    assert [entry.label for entry in saved.entries] == ["armour saves"]
    assert saved.results["damage"] == 3
    assert tape.used_up


@pytest.mark.clause("AD-9")
def test_a_multiplied_entry_makes_more_attacks_each_saved_by_itself():
    answer = SYSTEM.ask("attack", attacks=3, power=10, defence=2, armour=4, models=1, hp=9)
    ways = [1, 6, 15, 20, 15, 6, 1]
    assert answer.odds("damage") == {hits: Fraction(one, 64) for hits, one in enumerate(ways)}
    assert answer.odds("damage").mean == 3
    assert [step.title for step in answer.steps][1:3] == [
        "Power 10 against Defence 2: automatic, times 2",
        "6 automatic successes",
    ]


@pytest.mark.clause("AD-10")
def test_a_two_stage_entry_rolls_a_second_die_only_after_the_top_face():
    need = parse_requirement("9/3")
    assert resolve(need, [(9, 3), (9, 2), (9, 0), (8,), 8, (8, None), (8, 9)]) == (True,) + (False,) * 6
    assert chances(need) == (Fraction(1, 10), Fraction(7, 10))
    with pytest.raises(BadInput, match=r"^9/3 wants 2 faces, got 1$"):
        resolve(need, [9])
    tape = Script(9, 8, 9, 0, 9, 3, 2, 0)
    rolled = SYSTEM.roll("attack", attacks=5, power=2, defence=9, models=5, tape=tape)
    assert [str(entry) for entry in rolled.entries] == [
        "pool attack dice [5 x 0-9] = 9 8 9 0 9",
        "pool second attack dice [3 x 0-9] = 3 2 0",
    ]
    assert rolled.results["damage"] == 1
    assert tape.used_up


@pytest.mark.clause("AD-25", "AD-10", "AD-18", "AD-24")
@pytest.mark.parametrize("text", CHANCES)
def test_the_chance_of_every_entry(text: str):
    assert chance(parse_requirement(text)) == CHANCES[text]


def test_automatic_and_harmless_entries_resolve_without_looking_at_dice():
    assert resolve(parse_requirement("Ax3"), [0, 0]) == (True, True)
    assert resolve(parse_requirement("-"), [9, 9]) == (False, False)
