"""Saves: on one die and two, with modifiers, penetrated, and those that no modifier touches."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import ruleset
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model
from battletape.rulesets.second_edition.rules.keywords import prepare_hit, take_hit
from battletape.tape.script import Script
from tests.second_edition import by_hand

SYSTEM = ruleset("second_edition")
SURE = {"automatic": True, "strength": 10, "toughness": 1}


def unsaved(**given: Any) -> Fraction:
    """The chance that a hit which wounds gets through."""
    fallen: Fraction = SYSTEM.ask("shoot", **SURE, **given).odds("casualties").chance(1)
    return fallen / Fraction(5, 6)


@pytest.mark.clause("SE-25", "SE-26", "SE-27", "SE-29")
@pytest.mark.parametrize("save", range(2, 7))
def test_every_save_on_one_die_with_every_modifier(save: int):
    for modifier in range(-7, 1):
        assert unsaved(save=save, save_modifier=modifier) == 1 - by_hand.save_chance(save, modifier), modifier


@pytest.mark.clause("SE-30", "SE-29")
@pytest.mark.parametrize("save", range(2, 7))
def test_every_save_on_two_dice_with_every_modifier(save: int):
    for modifier in range(-11, 3):
        found = unsaved(save=save, save_dice="2d6", save_modifier=modifier)
        assert found == 1 - by_hand.save_chance(save, modifier, dice=2), modifier


@pytest.mark.clause("SE-28")
def test_the_example_of_the_page():
    asked = SYSTEM.ask("shoot", weapon="Boltgun", armour="Mesh", **SURE)
    [save] = [step for step in asked.steps if step.title.startswith("Armour save")]
    assert (save.needed, save.chance) == ("6+", Fraction(1, 6))


@pytest.mark.clause("SE-29")
def test_penetrated_armour_rolls_no_save_and_says_why():
    asked = SYSTEM.ask("shoot", **SURE, save=5, save_modifier=-2)
    assert "Armour of 5+, -2 by the weapon: penetrated without a roll" in [step.title for step in asked.steps]
    assert not any(step.title.startswith("Armour save") for step in asked.steps)


@pytest.mark.clause("SE-30")
def test_two_dice_that_cannot_fail_are_not_rolled():
    asked = SYSTEM.ask("shoot", **SURE, save=3, save_dice="2d6", save_modifier=1)
    assert asked.odds("casualties").chance(0) == 1
    assert any("cannot fail" in step.title for step in asked.steps)


@pytest.mark.clause("SE-31")
def test_a_one_fails_even_with_a_modifier_that_helps():
    assert unsaved(save=2, save_modifier=1) == Fraction(1, 6)
    assert unsaved(save=3, save_modifier=1) == Fraction(1, 6)


@pytest.mark.clause("SE-31")
def test_fields_and_auras_come_first_and_no_modifier_touches_them():
    given = {**SURE, "aura": 4, "field_save": 5, "save": 3, "save_modifier": -6}
    asked = SYSTEM.ask("shoot", **given)
    assert [step.title for step in asked.steps if step.chance][1:] == ["Aura save on a D6", "Field save on a D6"]
    assert asked.odds("casualties").chance(1) == Fraction(5, 6) * Fraction(1, 2) * Fraction(2, 3)
    tape = Script(6, 3, 4, 2)  # wound; aura and field fail; armour 3+ unmodified fails
    made = SYSTEM.roll("shoot", **{**given, "save_modifier": 0}, tape=tape)
    assert made.results["casualties"] == 1
    assert [line.question for line in made.log if line.question] == [
        "to wound",
        "aura save",
        "field save",
        "armour save",
    ]


@pytest.mark.clause("SE-31", "SE-117")
def test_flak_is_better_against_blasts_and_templates():
    flak = Model(toughness=1, save=6, area_save=5)
    shot, blast = Hit(10), Hit(10, area=True)
    assert [save.score for save in prepare_hit(shot, flak).saves] == [6]
    assert [save.score for save in prepare_hit(blast, flak).saves] == [5]
    assert take_hit(Script(6, 5), Condition(1), prepare_hit(blast, flak)) == Condition(1)
    assert take_hit(Script(6, 5), Condition(1), prepare_hit(shot, flak)).is_dead


@pytest.mark.clause("SE-32")
def test_three_hits_are_saved_one_by_one():
    given = {"automatic": True, "shots": 3, "strength": 4, "toughness": 4, "save": 3, "save_modifier": -1, "wounds": 2}
    left = SYSTEM.ask("shoot", **given, measures=["wounds_left"]).odds("wounds_left").fractions()
    assert left == {2: Fraction(27, 64), 1: Fraction(27, 64), 0: Fraction(5, 32)}
    assert left == by_hand.after_hits(2, 3, Fraction(1, 4), "1")


@pytest.mark.clause("SE-32")
def test_a_hit_of_much_damage_is_saved_once():
    tape = Script(6, 3)
    made = SYSTEM.roll("shoot", **SURE, save=3, wounds=9, damage="2D6", tape=tape)
    assert made.results["wounds_lost"] == 0
    assert tape.used_up


@pytest.mark.clause("SE-117")
@pytest.mark.parametrize(
    ("armour", "chance"),
    [
        ("Flak", "1/6"),
        ("Mesh", "1/3"),
        ("Carapace", "1/2"),
        ("Power", "2/3"),
        ("Exo", "11/12"),
        ("Terminator", "35/36"),
    ],
)
def test_armour_by_name(armour: str, chance: str):
    assert unsaved(armour=armour) == 1 - Fraction(chance)
