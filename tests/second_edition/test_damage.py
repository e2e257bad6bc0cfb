"""Damage: the wound chart, Damage dice, and what is lost beyond the last wound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import ruleset
from battletape.rulesets.second_edition.rules.damage import by_difference
from battletape.rulesets.second_edition.tables.page import CHART
from battletape.tape.script import Script
from tests.second_edition import by_hand

SYSTEM = ruleset("second_edition")
HIT = {"automatic": True}


@pytest.mark.clause("SE-18", "SE-19", "SE-20")
@pytest.mark.parametrize("strength", range(1, 11))
def test_the_chart_cell_by_cell(strength: int):
    for toughness in range(1, 11):
        asked = SYSTEM.ask("shoot", **HIT, strength=strength, toughness=toughness)
        assert asked.odds("casualties").chance(1) == by_hand.wound_chance(strength, toughness), toughness
        assert CHART[strength, toughness] == by_difference(strength, toughness), toughness


@pytest.mark.clause("SE-20")
def test_a_hit_that_is_too_weak_rolls_neither_wound_nor_save_but_may_burn():
    weak = {**HIT, "strength": 3, "toughness": 7, "save": 3}
    asked = SYSTEM.ask("shoot", **weak)
    assert [step.title for step in asked.steps if step.needed == "-"] == [
        "Hits without a roll To Hit",
        "Strength 3 against Toughness 7 cannot wound",
    ]
    assert not any(step.chance for step in asked.steps)
    made = SYSTEM.roll("shoot", **weak, incendiary=True, tape=Script(4))
    assert made.results["on_fire"] == 1


@pytest.mark.clause("SE-21")
@pytest.mark.parametrize(
    ("strength", "toughness", "chance"), [(14, 4, "5/6"), (12, 10, "1/2"), (8, 15, "1/6"), (0, 1, "1/2"), (1, 0, "1/2")]
)
def test_beyond_the_chart_counts_as_its_nearest_number(strength: int, toughness: int, chance: str):
    asked = SYSTEM.ask("shoot", **HIT, strength=strength, toughness=toughness)
    assert asked.odds("casualties").chance(1) == Fraction(chance)
    assert any(", where the chart ends" in warning for warning in asked.warnings)


@pytest.mark.clause("SE-22")
def test_damage_is_rolled_once_for_each_wound_that_is_not_saved():
    tape = Script(5, 2, 3, 6, 6)  # wound, no save, D4; wound, save
    made = SYSTEM.roll("shoot", **HIT, shots=2, strength=4, toughness=4, save=4, wounds=5, damage="D4", tape=tape)
    assert made.results["wounds_lost"] == 3
    assert tape.used_up
    assert [line.question for line in made.log if line.question] == [
        "to wound",
        "armour save",
        "damage",
        "to wound",
        "armour save",
    ]


@pytest.mark.clause("SE-22")
def test_one_unsaved_wound_of_d4_kills_two_wounds_three_times_in_four():
    asked = SYSTEM.ask("shoot", **HIT, strength=10, toughness=1, damage="D4", wounds=2)
    assert asked.odds("casualties").chance(1) == Fraction(5, 6) * Fraction(3, 4)


@pytest.mark.clause("SE-24")
def test_wounds_end_at_nothing_and_nothing_spills():
    two = {
        **HIT,
        "shots": 2,
        "strength": 8,
        "toughness": 5,
        "save": 4,
        "save_modifier": -6,
        "damage": "D3",
        "wounds": 4,
    }
    left = SYSTEM.ask("shoot", **two, measures=["wounds_left"]).odds("wounds_left")
    assert left.fractions() == {
        0: Fraction(25, 54),
        1: Fraction(20, 81),
        2: Fraction(55, 324),
        3: Fraction(5, 54),
        4: Fraction(1, 36),
    }
    assert left.fractions() == by_hand.after_hits(4, 2, Fraction(5, 6), "D3")
    made = SYSTEM.roll("shoot", **{**two, "shots": 1, "models": 2, "wounds": 1}, tape=Script(6))
    assert made.results["casualties"] == 1  # Damage of a model with one wound is not rolled, and the other one lives


@pytest.mark.clause("SE-24")
@pytest.mark.parametrize("way", ["one_by_one", "spread"])
def test_shots_at_a_squad_finish_the_wounded_first_or_go_round(way: str):
    squad: dict[str, Any] = {**HIT, "shots": 2, "strength": 10, "toughness": 1, "wounds": 2, "models": 2, "way": way}
    made = SYSTEM.roll("shoot", **squad, tape=Script(6, 6))
    assert made.results["casualties"] == (1 if way == "one_by_one" else 0)
    assert made.results["wounds_lost"] == 2
