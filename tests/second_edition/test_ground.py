"""Shots at the ground: a place, a 6, and coverage alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.errors import BadInput
from battletape.registry import ruleset
from battletape.tape.script import Script

SYSTEM = ruleset("second_edition")
SPOT = {"x": 0.0, "y": 24.0, "models": []}


@pytest.mark.clause("SE-60", "SE-61", "SE-62", "SE-64")
def test_the_odds_of_a_ground_shot():
    asked = SYSTEM.ask("ground", measures=["inches"], **SPOT)
    assert asked.odds("fate").fractions() == {
        "hit": Fraction(1, 6),
        "stays": Fraction(5, 6) * Fraction(5, 18),
        "moves": Fraction(5, 6) * Fraction(5, 9),
        "dud": Fraction(5, 36),
    }
    assert asked.odds("inches").chance(4) == Fraction(5, 54)
    assert asked.odds("marker_placed").chance(1) == Fraction(31, 36)


@pytest.mark.clause("SE-62")
def test_a_hit_with_a_misfire_is_a_dud():
    made = SYSTEM.roll("ground", tape=Script(1, "hit", "misfire"), **SPOT)
    assert made.results["fate"] == "dud"
    assert made.results["hits"] == 0


@pytest.mark.clause("SE-59", "SE-64", "SE-65")
def test_smoke_over_a_spot():
    asked = SYSTEM.ask("ground", weapon="Smoke grenade", x=0, y=8, models=[], throw_strength=4)
    assert asked.odds("spot_covered").chance(1) == Fraction(7, 12)
    assert asked.start.shell.thrown


@pytest.mark.clause("SE-63")
def test_nobody_is_hit_but_by_coverage():
    large = [{"name": "Dread", "y": 24.0, "radius": 3.0}]
    made = SYSTEM.roll("ground", **{**SPOT, "models": large}, strength="none", tape=Script(6, 3))
    assert made.results["hits"] == 0  # partly covered, and the die shows a 3


@pytest.mark.clause("SE-65", "SE-49", "SE-35")
def test_range_and_limit_go_by_the_edge_of_the_shooters_base():
    given = {"models": [], "x": 0.0, "y": 6.5, "shooter_base": 25.4}
    made = SYSTEM.roll("ground", tape=Script(1, "arrow", 8), **given)
    assert made.results["inches"] == 3
    out = {**given, "y": 25.0, "long_range": 24}
    assert SYSTEM.ask("ground", **out).odds("fate").chance("no_effect") == 1
    assert SYSTEM.ask("ground", **out, ground_range="any").odds("fate").chance("hit") == Fraction(1, 6)
    centres = SYSTEM.roll("ground", tape=Script(1, "arrow", 8), measuring="centres", **given)
    assert centres.results["inches"] == 3.25


@pytest.mark.clause("SE-66", "SE-75")
def test_what_a_blast_leaves_behind():
    for remains, told in (("cloud", "a cloud of 2 inches"), ("plasma", "a plasma of 2 inches"), ("none", "nothing")):
        asked = SYSTEM.ask("ground", remains=remains, measures=["leaves"], **SPOT)
        placed = Fraction(31, 36) if remains != "none" else 1
        assert asked.odds("leaves").chance(told) == placed


@pytest.mark.clause("SE-59")
def test_the_best_spot_covers_most():
    models = [{"name": name, "x": x, "y": 18.0, "radius": 0.5} for name, x in (("A", 0.0), ("B", 3.0))]
    asked = SYSTEM.ask("ground", models=models)
    assert asked.choices[0].taken.option == "1.50, 18.00"  # between them, both entirely
    screened = {"models": [{**models[0], "side": "friend"}, models[1]], "wanted": "screened", "strength": "none"}
    smoke = SYSTEM.ask("ground", **screened)
    assert smoke.choices[0].taken.option == "0.00, 0.00"  # at one's own feet it cannot scatter
    on_the_friend = SYSTEM.ask("ground", x=0.0, y=18.0, **screened)
    assert smoke.odds("friends_hit").mean > on_the_friend.odds("friends_hit").mean > 0


@pytest.mark.clause("SE-59")
def test_a_spot_has_two_coordinates():
    with pytest.raises(BadInput, match="x and y name the spot together"):
        SYSTEM.ask("ground", x=3.0)
    with pytest.raises(BadInput, match="where nobody stands to aim at"):
        SYSTEM.ask("ground", models=[])
