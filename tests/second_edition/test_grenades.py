"""Grenades: how far they go, how they scatter, and what a misfire costs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.registry import ruleset
from battletape.tape.script import Script

SYSTEM = ruleset("second_edition")
TARGET = [{"name": "target", "y": 8.0, "radius": 0.5}]


@pytest.mark.clause("SE-55", "SE-56")
def test_a_grenade_scatters_half_the_number_and_has_no_limit():
    inches = SYSTEM.ask("scatter", kind="grenade", far=2, away=60).odds("inches").fractions()
    assert {far: chance for far, chance in inches.items() if far} == dict.fromkeys(range(1, 6), Fraction(1, 9))
    made = SYSTEM.roll("scatter", kind="grenade", far=2, away=60, tape=Script("arrow", 10))
    assert made.results["inches"] == 5


@pytest.mark.clause("SE-57")
@pytest.mark.parametrize("strength, far", [(1, 4), (2, 6), (3, 8), (4, 10), (5, 12), (6, 12), (10, 12)])
def test_stronger_arms_throw_farther(strength, far):
    asked = SYSTEM.ask("grenade", throw_strength=strength, measures=["throw_range"])
    assert asked.odds("throw_range").mean == far
    out = SYSTEM.ask("grenade", models=[{"name": "far", "y": far + 0.1}], distance=far + 0.1, throw_strength=strength)
    assert out.odds("fate").chance("no_effect") == 1
    within = SYSTEM.ask("grenade", models=[{"name": "far", "y": far}], distance=far, throw_strength=strength)
    assert within.odds("fate").chance("no_effect") == 0


@pytest.mark.clause("SE-58", "SE-55", "SE-46")
@pytest.mark.parametrize(
    "bs, blast, expected", [(3, 2, Fraction(13, 18)), (4, 2, Fraction(22, 27)), (3, 1.5, Fraction(25, 36))]
)
def test_a_whole_throw_at_a_model(bs, blast, expected):
    given = {"models": TARGET, "target": "target", "bs": bs, "distance": 8, "blast": blast, "shooter_base": 0}
    asked = SYSTEM.ask("grenade", strength="none", **given)
    assert asked.odds("target_hit").chance(1) == expected


@pytest.mark.clause("SE-58", "SE-48")
def test_a_grenade_that_goes_off_in_the_hand_takes_the_others_with_it():
    given = {"models": TARGET, "target": "target", "carried": 4, "distance": 8, "strength": "none"}
    assert SYSTEM.roll("grenade", tape=Script(1, "hit", "misfire"), **given).results["grenades_left"] == 0
    assert SYSTEM.roll("grenade", tape=Script(1, "arrow", "misfire"), **given).results["grenades_left"] == 3
    assert SYSTEM.ask("grenade", measures=["grenades_left", "fate"], **given).odds("grenades_left").chance(
        0
    ) == Fraction(1, 36)


@pytest.mark.clause("SE-58")
def test_a_profile_is_written_out():
    asked = SYSTEM.ask("grenade", weapon="Frag grenade", target="enemy 2")
    assert asked.inputs.blast == 2.0
