"""Ordinary dice and the three special ones."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from battletape import ruleset
from battletape.rulesets.second_edition.rules.dice import ARROW, ARTILLERY, HIT, JAM, MISFIRE, SCATTER, SUSTAINED
from tests.second_edition import by_hand

SYSTEM = ruleset("second_edition")
SURE = {"automatic": True, "strength": 10, "toughness": 1, "wounds": 100}


@pytest.mark.clause("SE-3")
@pytest.mark.parametrize("damage", ["1", "3", "D3", "D4", "D6", "D10", "D12", "2D6", "2D12"])
def test_damage_is_a_number_or_the_sum_of_dice(damage: str):
    lost = SYSTEM.ask("shoot", **SURE, damage=damage).odds("wounds_lost")
    expected = {0: Fraction(1, 6)}
    for wounds, share in by_hand.damage_odds(damage).items():
        expected[wounds] = share * Fraction(5, 6)
    assert lost.fractions() == expected


@pytest.mark.clause("SE-3")
def test_a_d3_is_a_d6_halved_and_rounded_up():
    halved = Counter((face + 1) // 2 for face in range(1, 7))
    assert {face: Fraction(number, 6) for face, number in halved.items()} == by_hand.damage_odds("D3")


@pytest.mark.clause("SE-4", "SE-5", "SE-7")
def test_the_faces_of_the_special_dice():
    assert dict(zip(ARTILLERY.faces, ARTILLERY.weights, strict=True)) == dict.fromkeys((2, 4, 6, 8, 10, MISFIRE), 1)
    assert dict(zip(SCATTER.faces, SCATTER.weights, strict=True)) == {ARROW: 4, HIT: 2}
    assert dict(zip(SUSTAINED.faces, SUSTAINED.weights, strict=True)) == {1: 2, 2: 2, 3: 1, JAM: 1}
