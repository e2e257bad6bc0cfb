"""Markers that stay: the charts of clouds and plasma balls, how long they last, and whom they hurt."""

from __future__ import annotations

from fractions import Fraction
from math import acos, pi

import pytest

from battletape.registry import ruleset
from battletape.tape.script import Script
from tests.second_edition.tables import table_rows

SYSTEM = ruleset("second_edition")
SIXTH = Fraction(1, 6)


def after(kind, radius, *dice, **more):
    """One test with these dice."""
    return SYSTEM.roll(kind, radius=radius, tests=1, tape=Script(*dice), **more).results


def share(away, moved, limit):
    """SE-51 by acos."""
    return acos(min(1.0, max(-1.0, (away**2 + moved**2 - limit**2) / (2 * away * moved)))) / pi


@pytest.mark.clause("SE-68", "SE-69", "SE-70", "SE-71", "SE-67")
def test_the_chart_of_clouds():
    assert (after("cloud", 2, 1)["event"], after("cloud", 2, 1)["standing"]) == (
        "expires",
        "removed at the end of the turn",
    )
    for face in (2, 3, 4):
        assert (after("cloud", 2, face)["event"], after("cloud", 2, face)["size"]) == ("stays", 2)
    assert (after("cloud", 2, 5)["event"], after("cloud", 2, 5)["size"]) == ("shrinks", 1)
    moved = after("cloud", 2, 6, 4)
    assert (moved["event"], moved["inches"], moved["moves"], moved["size"]) == ("moves", 4, 1, 2)


@pytest.mark.clause("SE-70", "SE-72")
@pytest.mark.parametrize("radius, left", [(3, 1.5), (2.5, 1), (2, 1), (1.5, 0.5), (1, 0.5), (0.5, 0)])
def test_markers_shrink_to_half_rounded_down(radius, left):
    assert after("cloud", radius, 5)["size"] == left
    assert after("plasma", radius, 3)["size"] == left
    kept = after("cloud", radius, 5, shrunk_away="stays_small")
    assert kept["size"] == (left or 0.5)


@pytest.mark.clause("SE-76", "SE-77", "SE-78", "SE-75")
def test_the_chart_of_plasma_balls():
    assert after("plasma", 1.5, 1)["standing"] == "gone"
    for face in (2, 3, 4, 5):
        assert after("plasma", 1.5, face)["size"] == 0.5
    grown = after("plasma", 1.5, 6, 4)
    assert (grown["size"], grown["standing"], grown["radius"]) == (5.5, "has swollen", 0)


@pytest.mark.clause("SE-73")
def test_a_cloud_test_by_test():
    assert SYSTEM.ask("cloud", radius=2, tests=1).odds("radius").fractions() == {0: SIXTH, 1: SIXTH, 2: 4 * SIXTH}
    two = SYSTEM.ask("cloud", radius=2, tests=2).odds("radius").fractions()
    assert two == {0: Fraction(11, 36), 0.5: Fraction(1, 36), 1: Fraction(2, 9), 2: Fraction(4, 9)}


@pytest.mark.clause("SE-73", "SE-79")
@pytest.mark.parametrize(
    "kind, radius, mean",
    [
        ("cloud", 0.5, 3),
        ("cloud", 1, "9/2"),
        ("cloud", 1.5, "9/2"),
        ("cloud", 2, "21/4"),
        ("cloud", 3, "21/4"),
        ("plasma", 1.5, "5/3"),
    ],
)
def test_the_mean_number_of_tests(kind, radius, mean):
    rows = dict(table_rows(SYSTEM.ask(kind, radius=radius, tests=1)))
    assert Fraction(rows["tests on average"]) == Fraction(mean)
    if kind == "cloud":  # the second way: half of it by many tests, the tail bounded by the chance to be in play
        long = SYSTEM.ask(kind, radius=radius, tests=12, measures=["tests_made"])
        left = long.odds("radius").chance(lambda size: size > 0)
        assert abs(float(long.odds("tests_made").mean) + float(left) * 5 - float(Fraction(mean))) < 0.2


@pytest.mark.clause("SE-79")
def test_a_plasma_ball_is_over_after_two_tests():
    asked = SYSTEM.ask("plasma", radius=1.5, tests=2)
    assert asked.odds("standing").fractions() == {"gone": Fraction(13, 18), "has swollen": Fraction(5, 18)}
    assert asked.odds("swells").chance(1) == Fraction(5, 18)


@pytest.mark.clause("SE-74", "SE-6")
def test_whom_a_drifting_cloud_covers():
    asked = SYSTEM.ask(
        "cloud", radius=2, tests=1, away=3, base_radius=0.5, strength="none", measures=["event", "covered"]
    )
    moved = asked.states.given(lambda cloud: cloud.event == "moves")
    covered = moved.project(asked.question.measure("covered").of)
    entirely = sum(share(3, s, 1.5) for s in range(1, 7)) / 6
    touched = sum(share(3, s, 2.5) for s in range(1, 7)) / 6
    assert float(covered.chance("model entirely")) == pytest.approx(entirely, abs=1e-12)
    assert entirely == pytest.approx(0.068438, abs=1e-6)
    hit = moved.project(asked.question.measure("hits").of).at_least(1)
    assert float(hit) == pytest.approx((entirely + touched) / 2, abs=1e-12)


@pytest.mark.clause("SE-6")
def test_a_hit_face_may_be_ruled_to_mean_no_move():
    stays = after("cloud", 2, 6, 4, "hit", random_direction="hit_stays")
    assert (stays["moves"], stays["inches"]) == (0, 0)
    assert after("cloud", 2, 6, 4, "arrow", random_direction="hit_stays")["moves"] == 1


@pytest.mark.clause("SE-74", "SE-80")
def test_one_complete_test_of_a_cloud_that_hurts():
    asked = SYSTEM.ask("cloud", radius=2, tests=1, away=1.5, base_radius=0.5, strength="none")
    moves = sum((share(1.5, s, 1.5) + share(1.5, s, 2.5)) / 2 for s in range(1, 7)) / 6
    assert float(asked.odds("hits").at_least(1)) == pytest.approx(4 / 6 + moves / 6, abs=1e-12)


@pytest.mark.clause("SE-80", "SE-76", "SE-77")
def test_whom_a_plasma_ball_burns():
    at_the_centre = SYSTEM.ask("plasma", radius=1.5, tests=1, away=0, base_radius=0.5, strength="none")
    assert at_the_centre.odds("hits").at_least(1) == Fraction(5, 6)
    away = SYSTEM.ask("plasma", radius=1.5, tests=1, away=2, base_radius=0.5, strength="none")
    grown = Fraction(1, 6) * (Fraction(5, 6) + Fraction(1, 6))  # 2.5 inches just cover it entirely
    assert away.odds("hits").at_least(1) == grown


@pytest.mark.clause("SE-80")
def test_moving_under_a_marker_hurts_only_if_it_is_ruled_so():
    given = {"radius": 2, "tests": 1, "away": 0, "base_radius": 0.5, "strength": "none", "enters": True}
    assert SYSTEM.ask("cloud", **given).odds("hits").chance(2) == 0
    twice = SYSTEM.ask("cloud", **given, marker_harm="and_on_entry").odds("hits")
    once = SYSTEM.ask("cloud", **{**given, "enters": False}).odds("hits")
    assert twice.mean == 1 + once.mean


@pytest.mark.clause("SE-80", "SE-24")
def test_a_plasma_ball_hurts_at_every_test():
    given = {"radius": 3, "tests": 2, "away": 0, "base_radius": 0.5, "wounds": 2, "strength": 10, "toughness": 1}
    tape = Script(2, 6, 2, 6)  # test, wound; test, wound
    assert SYSTEM.roll("plasma", tape=tape, **given).results["killed"] == 1
    assert tape.used_up
    assert SYSTEM.ask("plasma", **given).odds("killed").chance(1) > 0


@pytest.mark.clause("SE-74", "SE-80")
def test_the_sentence_says_which_tests_its_hits_belong_to():
    models = ["ring 5 at 0,0 spacing 1.2"]
    assert "hits on average at its next test." in str(SYSTEM.ask("cloud", tests=3, models=models))
    assert "hits on average at all those tests." in str(SYSTEM.ask("plasma", tests=3, models=models))
