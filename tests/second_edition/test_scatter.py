"""Scatter: the two dice, the limit, and the arcs that cover each model."""

from __future__ import annotations

import random
from fractions import Fraction
from math import acos, cos, hypot, pi, sin, sqrt

import pytest

from battletape.procedure import odds_of
from battletape.registry import ruleset
from battletape.rulesets.second_edition.rules.scatter import Landing, land_marker, marker_place
from battletape.table.bases import Base
from battletape.table.points import Point
from battletape.tape.script import Script
from tests.second_edition.tables import table_rows

SYSTEM = ruleset("second_edition")
NINTH = Fraction(1, 9)


def share(away, moved, limit):
    """The part of the circle on which a point moved so far comes within the limit: SE-51 by acos."""
    if limit < 0:
        return 0.0
    return acos(min(1.0, max(-1.0, (away**2 + moved**2 - limit**2) / (2 * away * moved)))) / pi


@pytest.mark.clause("SE-4", "SE-5", "SE-42", "SE-47")
def test_the_outcomes_of_both_dice():
    asked = SYSTEM.ask("scatter", far=40, away=60, strength="none")
    assert asked.odds("fate").fractions() == {
        "moves": Fraction(5, 9),
        "stays": Fraction(5, 18),
        "dud": NINTH,
        "on_shooter": Fraction(1, 18),
    }
    assert all(asked.odds("inches").chance(inches) == NINTH for inches in (2, 4, 6, 8, 10))


@pytest.mark.clause("SE-43", "SE-44", "SE-45", "SE-46", "SE-47", "SE-48")
@pytest.mark.parametrize(
    "dice, fate, inches",
    [
        (("arrow", 6), "moves", 6),
        (("hit", 6), "stays", 0),
        (("arrow", "misfire"), "dud", 0),
        (("hit", "misfire"), "on_shooter", 0),
    ],
)
def test_the_chart_of_both_dice(dice, fate, inches):
    made = SYSTEM.roll("scatter", far=40, away=60, tape=Script(*dice))
    assert (made.results["fate"], made.results["inches"]) == (fate, inches)
    assert made.results["weapon_destroyed"] == (fate == "on_shooter")
    assert made.results["marker_placed"] == (fate != "dud")


@pytest.mark.clause("SE-49", "SE-47")
@pytest.mark.parametrize(
    "far, expected",
    [
        (6, {2: NINTH, 3: 4 * NINTH}),
        (10, {2: NINTH, 4: NINTH, 5: 3 * NINTH}),
        (14, {2: NINTH, 4: NINTH, 6: NINTH, 7: 2 * NINTH}),
        (20, dict.fromkeys((2, 4, 6, 8, 10), NINTH)),
    ],
)
def test_a_marker_goes_half_the_distance_at_most(far, expected):
    inches = SYSTEM.ask("scatter", far=far, away=60).odds("inches").fractions()
    assert {moved: chance for moved, chance in inches.items() if moved} == expected


@pytest.mark.clause("SE-50")
@pytest.mark.parametrize("moved, hit", [(1, 1), (1.5, 1), (2, Fraction(1, 2)), (2.5, 0), (4, 0)])
def test_the_aimed_model_after_a_scatter(moved, hit):
    asked = SYSTEM.ask("scatter", scattered=moved, away=0, radius=0.5, strength="none")
    assert asked.odds("hits").at_least(1) == hit


@pytest.mark.clause("SE-51", "SE-54")
@pytest.mark.parametrize("away", [0.3, 1, 1.5, 2, 3, 4, 8])
@pytest.mark.parametrize("moved", [0.5, 1, 2, 3.5, 4, 10])
@pytest.mark.parametrize("blast, radius", [(2, 0.5), (1.5, 0.5), (3, 1), (1, 1.5), (0.5, 0.5)])
def test_any_other_model_by_the_closed_form_to_a_million_millionth(away, moved, blast, radius):
    asked = SYSTEM.ask("scatter", scattered=moved, away=away, blast=blast, radius=radius, strength="none")
    entirely, touched = share(away, moved, blast - radius), share(away, moved, blast + radius)
    covered = asked.odds("covered")
    assert float(covered.chance("model entirely")) == pytest.approx(entirely, abs=1e-12)
    assert float(covered.chance("model partially")) == pytest.approx(touched - entirely, abs=1e-12)
    assert float(asked.odds("hits").at_least(1)) == pytest.approx((entirely + touched) / 2, abs=1e-12)


@pytest.mark.clause("SE-51")
def test_a_base_larger_than_the_marker_is_never_covered_entirely():
    asked = SYSTEM.ask("scatter", scattered=1, away=1, blast=1, radius=2.5)
    assert asked.odds("covered").chance("model entirely") == 0
    assert table_rows(asked)[0][-2] == "none"


@pytest.mark.clause("SE-51")
def test_the_bearings_of_a_model_are_told():
    asked = SYSTEM.ask("scatter", scattered=2, away=2, bearing=30, blast=1.5, radius=0.5)
    row = table_rows(asked)[0]
    assert row[4:6] == ("7/8", "1/2")
    assert row[6:] == ("1.044975628 to 58.955024372", "-30.000000000 to 90.000000000")


@pytest.mark.clause("SE-52")
def test_two_models_at_once():
    models = [{"name": "B", "x": 2.0, "radius": 0.5}, {"name": "C", "y": 2.0, "radius": 0.5}]
    asked = SYSTEM.ask("scatter", scattered=2, models=models, strength="none")
    touched = asked.odds("touched")
    assert float(touched.chance(2)) == pytest.approx(acos(7 / 32) / pi - 1 / 4, abs=1e-12)
    assert touched.chance(1) == Fraction(1, 2)
    assert asked.odds("covered").chance("B entirely, C entirely") == 0


@pytest.mark.clause("SE-53")
@pytest.mark.parametrize(
    "bs, far, blast, expected",
    [
        (3, 30, 2, Fraction(2, 3)),
        (4, 30, 2, Fraction(7, 9)),
        (4, 3, 2, Fraction(17, 18)),
        (4, 30, 1.5, Fraction(41, 54)),
    ],
)
def test_a_whole_shot_at_a_model(bs, far, blast, expected):
    models = [{"name": "target", "y": float(far), "radius": 0.5}]
    given = {"models": models, "target": "target", "bs": bs, "distance": far, "long_range": 100, "blast": blast}
    asked = SYSTEM.ask("blast", shooter_base=0, **given)
    assert asked.odds("target_hit").chance(1) == expected
    hit = Fraction(bs - 0, 6)
    assert asked.odds("fate").chance("on_shooter") == (1 - hit) * Fraction(1, 18)


@pytest.mark.clause("SE-46", "SE-53")
def test_a_target_close_to_the_shooter_is_also_hit_by_a_misfire():
    models = [{"name": "target", "y": 2.0, "radius": 0.5}]
    given = {"models": models, "target": "target", "bs": 3, "distance": 2, "shooter_base": 0, "strength": "none"}
    near = SYSTEM.ask("blast", **given).odds("target_hit").chance(1)
    # a scatter of 1 inch at most covers it entirely: 1/2 + 1/2 (5/18 + 5/9), and 1/72 by the misfire
    assert near == Fraction(1, 2) + Fraction(1, 2) * (Fraction(5, 18) + Fraction(5, 9)) + Fraction(1, 72)


@pytest.mark.clause("SE-51", "SE-53")
def test_a_bystander_by_the_closed_form():
    models = [{"name": name, "x": x, "y": 40.0, "radius": 0.5} for name, x in (("target", 0.0), ("bystander", 2.0))]
    given = {"models": models, "target": "target", "bs": 4, "distance": 40, "long_range": 72, "strength": "none"}
    asked = SYSTEM.ask("blast", measures=["who"], **given)
    told = asked.odds("who").chance(lambda names: "bystander" in names)
    scattered = sum((share(2, s, 1.5) + share(2, s, 2.5)) / 2 / 9 for s in (2, 4, 6, 8, 10))
    assert float(told) == pytest.approx(2 / 3 * 0.5 + 1 / 3 * (5 / 18 * 0.5 + scattered), abs=1e-12)


def thrown_about(rng, spots, radius, blast, need, far):
    """A shot by plain dice and plain geometry: who is hit. Written from the page alone, for comparison."""
    if rng.randint(1, 6) >= need:
        x = y = 0.0
        sure = 0
    else:
        arrow, number = rng.randint(1, 6) <= 4, rng.choice((2, 4, 6, 8, 10, None))
        if number is None and arrow:
            return ()
        sure, x, y = (-1, 0.0, -far) if number is None else (0, 0.0, 0.0)
        if number is not None and arrow:
            angle, moved = rng.uniform(0, 2 * pi), min(number, far / 2)
            sure, x, y = -1, moved * cos(angle), moved * sin(angle)
    hit = []
    for at, spot in enumerate(spots):
        away = hypot(spot[0] - x, spot[1] - y)
        if at == sure or away + radius <= blast or (away < blast + radius and rng.random() < 0.5):
            hit.append(at)
    return tuple(hit)


@pytest.mark.clause("SE-54", "SE-52", "SE-53")
def test_shots_by_plain_dice_agree_with_the_exact_joint_odds():
    """20,000 shots here; `./bench second_edition` compares a million."""
    spots = ((0.0, 0.0), (1.5, 0.5), (-2.0, 1.0), (0.5, -2.5), (3.0, 3.0))
    models = [{"name": str(at), "x": x, "y": y, "radius": 0.5} for at, (x, y) in enumerate(spots)]
    asked = SYSTEM.ask(
        "blast",
        models=models,
        target="0",
        bs=3,
        shooter_y=-12.0,
        shooter_base=0,
        distance=12,
        strength="none",
        measures=["who"],
    )
    exact: dict[tuple[int, ...], Fraction] = {}
    for names, chance in asked.odds("who").fractions().items():
        key = tuple(int(name) for name in names.split(", ") if name not in ("nobody", "shooter"))
        exact[key] = exact.get(key, Fraction(0)) + chance
    rng, shots = random.Random(54), 20_000
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(shots):
        who = thrown_about(rng, spots, 0.5, 2.0, 4, 12.0)
        seen[who] = seen.get(who, 0) + 1
    assert set(seen) <= set(exact)
    for who, chance in exact.items():
        sigma = sqrt(shots * float(chance) * (1 - float(chance)))
        assert abs(seen.get(who, 0) - shots * float(chance)) <= 4.5 * sigma + 1


@pytest.mark.clause("SE-43", "SE-54")
def test_a_place_to_the_whole_degree_changes_no_odds():
    """In a battle the marker's place is written down; who lies under it is cut as finely as ever."""
    bases = (Base(Point(1.5, 0.5), 0.5), Base(Point(-2.0, 1.0), 0.5))
    coarse, fine = (odds_of(land_marker, Point(0.0, 0.0), 4.0, 2.0, bases, placed) for placed in (False, True))
    assert {landing.bearing for landing in fine.weights} == set(range(360))
    for landing, chance in coarse.fractions().items():
        told = fine.chance(lambda there, here=landing: there.bases == here.bases)
        assert float(told) == pytest.approx(float(chance), abs=1e-12)
    assert marker_place(Point(0.0, 0.0), 4.0, Landing((), 90)) == Point(4.0, 0.0)
