"""Force weapons: psykers, Strength, daemons and their auras."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from battletape import ruleset
from battletape.rulesets.second_edition.rules.force_weapons import force_strength
from tests.second_edition import by_hand

SYSTEM = ruleset("second_edition")


@pytest.mark.clause("SE-113", "SE-114", "SE-21")
def test_the_higher_of_both_strengths_counts():
    for user, mastery, own in product(range(1, 11), range(1, 5), (None, *range(1, 11))):
        expected = min(max(user + mastery, own or 0), 10)
        assert force_strength(user, mastery, own) == expected


@pytest.mark.clause("SE-113")
def test_mastery_adds_nothing_to_shots():
    daemon = {"types": ["daemon"], "aura": 4, "toughness": 4}
    shot = SYSTEM.ask("force_weapon", user_strength=4, mastery=3, phase="shooting", **daemon)
    assert shot.start.setup.hit.strength == 4
    assert shot.odds("casualties").chance(1) == Fraction(1, 2) * Fraction(1, 2)
    assert "Mastery adds nothing to shots, and daemons keep their aura against them" in shot.warnings


@pytest.mark.clause("SE-114")
@pytest.mark.parametrize(
    ("strength", "mastery", "own", "toughness", "chance"), [(3, 2, 6, 4, "5/6"), (4, 4, 6, 8, "1/2")]
)
def test_the_examples(strength: int, mastery: int, own: int, toughness: int, chance: str):
    blow = {"user_strength": strength, "mastery": mastery, "strength": own, "toughness": toughness}
    assert SYSTEM.ask("force_weapon", **blow).odds("casualties").chance(1) == Fraction(chance)


@pytest.mark.clause("SE-115", "SE-116")
def test_daemons_are_wounded_without_a_roll_and_their_aura_does_not_help():
    daemon = {"types": ["daemon"], "aura": 4, "toughness": 10, "user_strength": 3, "mastery": 1}
    bare = SYSTEM.ask("force_weapon", **daemon)
    assert bare.odds("casualties").chance(1) == 1
    armoured = SYSTEM.ask("force_weapon", **daemon, save=3)
    assert armoured.odds("casualties").chance(1) == Fraction(1, 3)
    assert [step.title for step in armoured.steps if step.chance] == ["Armour save on a D6"]


@pytest.mark.clause("SE-115", "SE-116")
def test_mortals_are_wounded_as_usual_and_keep_every_save():
    mortal = {"toughness": 4, "save": 3, "aura": 4, "user_strength": 4, "mastery": 2, "save_modifier": -1}
    # an aura is only set aside by the weapon; who is no daemon is rolled to wound
    through = by_hand.wound_chance(6, 4) * (1 - by_hand.save_chance(3, -1))
    assert SYSTEM.ask("force_weapon", **mortal).odds("casualties").chance(1) == through


@pytest.mark.clause("SE-113", "SE-114")
def test_a_wielder_and_a_weapon_by_name():
    asked = SYSTEM.ask("force_weapon", wielder="the iron matron", weapon="force axe", unit="Bell wardens", hits=2)
    assert asked.inputs.wielder == "The Iron Matron"
    assert asked.start.setup.hit.strength == 7
    assert "Force axe: strength and save modifier are ours, not from a source" in asked.warnings
