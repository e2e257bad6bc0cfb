"""To Hit: bands, modifiers, the score, and the rolls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import ruleset
from battletape.tape.script import Script
from tests.second_edition import by_hand

SYSTEM = ruleset("second_edition")
HARMLESS = {"strength": "none"}


def chance(**given: Any) -> Fraction:
    """The chance of one shot to hit."""
    found: Fraction = SYSTEM.ask("shoot", **HARMLESS, **given).odds("hits").at_least(1)
    return found


def told(**given: Any) -> Any:
    """The step that says what is needed."""
    return SYSTEM.ask("shoot", **HARMLESS, **given).steps[0]


@pytest.mark.clause("SE-12", "SE-13", "SE-14", "SE-15")
@pytest.mark.parametrize("bs", range(1, 11))
def test_every_skill_with_every_modifier(bs: int):
    for modifier in range(-12, 7):
        need = 7 - bs - modifier
        assert chance(bs=bs, modifier=modifier) == by_hand.hit_chance(need), modifier
        assert told(bs=bs, modifier=modifier).needed == f"{need}+"


@pytest.mark.clause("SE-14")
def test_a_one_misses_however_low_the_score():
    made = SYSTEM.roll("shoot", **HARMLESS, bs=10, shots=3, tape=Script(1, 2, 1))
    assert made.results["hits"] == 1


@pytest.mark.clause("SE-15")
def test_sixes_are_rolled_again_where_more_than_six_is_needed():
    # BS 2, hard cover, long range -1: 8 is needed
    shot = {"bs": 2, "cover": "hard", "distance": 20, "to_hit_long": -1, "shots": 4}
    tape = Script(6, 5, 6, 6, 5, 4, 6)
    made = SYSTEM.roll("shoot", **HARMLESS, **shot, tape=tape)
    assert made.results["hits"] == 2
    assert tape.used_up
    assert [line.clauses for line in made.log if line.question.startswith(("to hit", "second"))] == [
        ("SE-13",),
        ("SE-15",),
    ]


@pytest.mark.clause("SE-15")
def test_a_score_of_ten_is_not_rolled():
    asked = SYSTEM.ask("shoot", **HARMLESS, bs=1, modifier=-4)
    assert asked.odds("hits").chance(0) == 1
    assert not any(step.chance for step in asked.steps)
    assert "no dice can show 10" in asked.steps[0].title


@pytest.mark.clause("SE-11", "SE-16")
@pytest.mark.parametrize(
    ("distance", "expected"),
    [(0, "2/3"), (12, "2/3"), (12.1, "1/3"), (24, "1/3"), (24.001, "0")],
)
def test_the_limit_still_belongs_to_the_nearer_band(distance: float, expected: str):
    weapon = {"short_range": 12, "long_range": 24, "to_hit_short": 1, "to_hit_long": -1}
    assert chance(bs=3, distance=distance, **weapon) == Fraction(expected)


@pytest.mark.clause("SE-16")
def test_out_of_range_says_so_and_rolls_nothing():
    asked = SYSTEM.ask("shoot", weapon="Boltgun", distance=25)
    assert str(asked) == "The target falls 0 % of the time."
    assert asked.steps[0].title == "Out of range: 25 inches away, and the weapon reaches 24 inches"
    assert asked.steps[0].clauses == ("SE-16",)
    assert not any(step.chance for step in asked.steps)


@pytest.mark.clause("SE-17", "SE-12")
@pytest.mark.parametrize(
    ("given", "modifier"),
    [
        ({"cover": "soft"}, -1),
        ({"cover": "hard"}, -2),
        ({"appearing": True}, -1),
        ({"fast": 1}, -1),
        ({"fast": 3}, -3),
        ({"charging": True}, -1),
        ({"size": "small"}, -1),
        ({"size": "large"}, 1),
        ({"cover": "hard", "size": "large"}, -1),
        ({"cover": "soft", "charging": True, "modifier": 1}, -1),
    ],
)
def test_circumstances_add_up(given: dict[str, Any], modifier: int):
    assert told(bs=4, **given).needed == f"{3 - modifier}+"
    assert chance(bs=4, **given) == by_hand.hit_chance(3 - modifier)


@pytest.mark.clause("SE-13")
def test_a_player_who_knows_the_score_just_says_it():
    assert chance(need=5) == Fraction(1, 3)
    assert told(need=5).title == "To Hit as given"


@pytest.mark.clause("SE-13", "SE-14", "SE-15")
def test_every_way_the_dice_of_two_shots_can_fall():
    for need in range(2, 10):
        p = by_hand.hit_chance(need)
        hits = SYSTEM.ask("shoot", **HARMLESS, need=need, shots=2).odds("hits")
        assert [hits.chance(n) for n in range(3)] == [(1 - p) ** 2, 2 * p * (1 - p), p * p]
