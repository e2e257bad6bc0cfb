"""Where hits land: reversed digits, the multiple hits table, sides of limbs, hits given away."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.errors import BadInput
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.records import Attack, AttackDraft
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.traits import SPOTS
from battletape.rulesets.deathwatch.rules.wounds import Victim
from battletape.tape.script import Script
from tests.deathwatch import twin
from tests.deathwatch.exactly import odds_of


@pytest.mark.clause("DW-LOC-2")
@pytest.mark.parametrize(
    ("roll", "number", "spot"),
    [
        (23, 32, "body"),
        (5, 50, "body"),
        (30, 3, "head"),
        (10, 1, "head"),
        (1, 10, "head"),
        (68, 86, "left_leg"),
        (100, 100, "left_leg"),
        (12, 21, "left_arm"),
        (99, 99, "left_leg"),
        (90, 9, "head"),
    ],
)
def test_the_digits_of_a_roll_are_turned_round(roll: int, number: int, spot: str):
    assert stages.reversed_digits(roll) == number
    assert stages.spot_of(number) == spot == twin.spot(roll)


@pytest.mark.clause("DW-LOC-2", "DW-LOC-1")
def test_each_roll_has_its_own_number_so_that_the_table_keeps_its_widths():
    numbers = [stages.reversed_digits(roll) for roll in range(1, 101)]
    assert sorted(numbers) == list(range(1, 101))
    spots = [stages.spot_of(number) for number in numbers]
    assert [spots.count(spot) for spot in SPOTS] == [10, 10, 10, 40, 15, 15]
    assert spots == [twin.spot(roll) for roll in range(1, 101)]


@pytest.mark.clause("DW-LOC-2")
def test_without_the_leading_zero_there_are_too_many_heads():
    numbers = [stages.reversed_digits(roll, "unpadded") for roll in range(1, 101)]
    assert stages.reversed_digits(7, "unpadded") == 7
    assert sum(stages.spot_of(number) == "head" for number in numbers) == 19


@pytest.mark.clause("DW-LOC-2")
@pytest.mark.parametrize("roll", [0, 101, -5])
def test_a_roll_that_is_none_is_refused(roll: int):
    with pytest.raises(BadInput, match=rf"must be 1 to 100, 00 for 100; got {roll} \(DW-LOC-2\)"):
        stages.reversed_digits(roll)


@pytest.mark.clause("DW-LOC-1")
def test_a_roll_of_its_own_follows_the_table():
    chances = {"head": 10, "right_arm": 10, "left_arm": 10, "body": 40, "right_leg": 15, "left_leg": 15}
    assert odds_of(stages.roll_spot).fractions() == {spot: Fraction(n, 100) for spot, n in chances.items()}
    by_place = {"head": 10, "arm": 20, "body": 40, "leg": 30}
    assert odds_of(stages.roll_spot, False).fractions() == {one: Fraction(n, 100) for one, n in by_place.items()}


@pytest.mark.clause("DW-MULTI-1", "DW-AUTO-3")
@pytest.mark.parametrize("first", ["head", "arm", "body", "leg", "left_arm", "right_leg"])
def test_further_hits_follow_their_row(first: str):
    for hits in range(12):
        assert list(stages.places_of_hits(first, hits)) == twin.places(first, hits)
    assert stages.places_of_hits("head", 3) == ("head", "head", "arm")
    assert stages.places_of_hits("body", 4) == ("body", "body", "arm", "head")


@pytest.mark.clause("DW-MULTI-1", "DW-AUTO-3")
def test_the_side_of_another_limb_is_thrown_for_and_the_same_limb_stays():
    def spots(tape: Any, first: str, hits: int) -> tuple[str, ...]:
        burst = Attack(
            apply_qualities(AttackDraft(50, by_side=True)), Victim(9), "hit", hits=hits, first_spot=first, landed=hits
        )
        return tuple(hit.spot for hit in stages.set_places(tape, burst).placed_hits)

    tape = Script(5, 6)
    assert spots(tape, "body", 5) == ("body", "body", "right_arm", "head", "left_arm")
    assert tape.used_up
    assert spots(Script(), "left_arm", 6) == ("left_arm", "left_arm", "body", "head", "body", "left_arm")
    assert odds_of(spots, "right_leg", 4).fractions() == {
        ("right_leg", "right_leg", "body", f"{side}_arm"): Fraction(1, 2) for side in ("left", "right")
    }
