"""Shots at the ground: a place, a 6, and coverage alone."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from battletape.registry import ruleset
from battletape.rulesets.second_edition.rules.blasts import Blast
from battletape.rulesets.second_edition.rules.ground import MAX_SPOTS, best_spots, spot_search
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
    assert asked.start.shot.thrown


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


# --- the best spot ---------------------------------------------------------------------------------------------------


def layout(luck: random.Random) -> dict[str, Any]:
    """A few enemies and two friends, and a marker of some size."""
    enemies, places = luck.randint(1, 6), list[tuple[float, float]]()
    while len(places) < enemies + 2:
        x, y = round(luck.uniform(-6, 6), 2), round(luck.uniform(3, 14), 2)
        if all((x - east) ** 2 + (y - north) ** 2 > 1.1 for east, north in places):
            places.append((x, y))
    sides = ["enemy"] * enemies + ["friend"] * 2
    models = [{"name": f"m{n}", "x": x, "y": y, "side": sides[n]} for n, (x, y) in enumerate(places)]
    thrown = {"thrown": True, "throw_strength": 5} if luck.random() < 0.4 else {"long_range": luck.choice((10, 24))}
    return {"models": models, "blast": luck.choice((1.0, 1.5, 2.0)), "wanted": luck.choice(("hit", "killed")), **thrown}


def started(given: dict[str, Any]) -> Blast:
    """The marker before the first die."""
    question = SYSTEM.question("ground")
    start: Blast = question.begin(*SYSTEM.split(question, given))
    return start


@pytest.mark.clause("SE-59", "SE-64")
@pytest.mark.parametrize("seed", range(8))
def test_no_spot_of_a_fine_grid_is_better_than_the_one_advised(seed: int):
    start = started(layout(random.Random(seed)))
    aiming, best = spot_search(start), best_spots(start)[0]
    grid = max(aiming.worth(x / 5, y / 5)[0] for x in range(-45, 46) for y in range(86))
    assert aiming.worth(best.x, best.y)[0] >= grid - 1e-9
    assert len(best_spots(start)) <= MAX_SPOTS


@pytest.mark.clause("SE-59", "SE-64")
@pytest.mark.parametrize("wanted", ["hit", "killed", "screened"])
def test_what_a_spot_is_worth_is_what_the_dice_make_of_it(wanted: str):
    for seed in range(4):
        given = {**layout(random.Random(seed)), "wanted": wanted, "x": 0.7, "y": 5.3}
        exact = SYSTEM.ask("ground", measures=["gain"], **given).odds("gain").mean
        assert spot_search(started(given)).worth(0.7, 5.3)[0] == pytest.approx(float(exact), abs=1e-9)


@pytest.mark.clause("SE-59")
def test_the_best_spot_may_lie_between_models_and_away_from_a_friend():
    foes = [("A", -3.7, 4.1), ("B", -1.6, 9.0), ("C", 0.8, 4.7)]
    models = [{"name": name, "x": x, "y": y} for name, x, y in foes]
    models.append({"name": "Friend", "x": 3.7, "y": 2.5, "side": "friend"})
    given = {"weapon": "Grenade launcher, frag", "unit": "Mud clan", "wanted": "killed", "models": models}
    asked = SYSTEM.ask("ground", measures=["gain"], **given)
    x, y = map(float, asked.choices[0].taken.option.split(","))
    there = SYSTEM.ask("ground", measures=["gain"], x=x, y=y, **given)
    assert asked.odds("gain").mean == there.odds("gain").mean > Fraction(24, 100)  # over a model it is 0.186 at most
    assert asked.odds("friends_hit").at_least(1) < Fraction(1, 1000)


@pytest.mark.clause("SE-59")
def test_of_spots_that_gain_as_much_the_one_is_advised_that_spares_friends():
    smoke = {"strength": "none", "wanted": "killed"}  # nobody is killed anywhere
    models = [{"name": "Foe", "x": 0.0, "y": 12.0}, {"name": "Friend", "x": 1.2, "y": 12.0, "side": "friend"}]
    start = started({"models": models, **smoke})
    best, *others = best_spots(start)
    dangers = [spot_search(start).worth(spot.x, spot.y)[1] for spot in (best, *others)]
    assert dangers == sorted(dangers)
    assert dangers[0] < dangers[-1]
