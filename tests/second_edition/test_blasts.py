"""Blast weapons: whom a marker covers, and what it does to each of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape.registry import ruleset
from battletape.rulesets.second_edition.rules import blasts
from battletape.rulesets.second_edition.rules.blasts import BLAST, chances_of_models
from battletape.tape.script import Script
from tests.second_edition.tables import table_rows

SYSTEM = ruleset("second_edition")
HALF = Fraction(1, 2)
ROW = [
    {"name": name, "x": x, "y": 20.0, "radius": 0.5} for name, x in (("A", 0.0), ("B", 2.0), ("C", -2.0), ("D", 1.0))
]


def marker(away, radius=0.5, blast=2.0, **more):
    """A marker that lies so far from a model."""
    return SYSTEM.ask("scatter", scattered=0, away=away, radius=radius, blast=blast, **more)


@pytest.mark.clause("SE-37", "SE-38", "SE-39", "SE-8")
@pytest.mark.parametrize(
    "away, radius, blast, hit",
    [
        (0, 0.5, 2, 1),
        (1.5, 0.5, 2, 1),
        (1.6, 0.5, 2, HALF),
        (2.5, 0.5, 2, 0),
        (0.25, 1.5, 1, HALF),
        (2.5, 0.5, 3, 1),
        (3.5, 0.5, 3, 0),
    ],
)
def test_entirely_covered_is_hit_and_partly_covered_on_a_four(away, radius, blast, hit):
    assert marker(away, radius, blast, strength="none").odds("hits").at_least(1) == hit


@pytest.mark.clause("SE-10", "SE-39")
def test_a_base_of_25_millimetres():
    asked = SYSTEM.ask("scatter", scattered=0, away=1.5, base=25)
    assert table_rows(asked)[0][1:4] == ("125/254", "383/254", "633/254")
    assert asked.odds("covered").chance("model entirely") == 1
    assert SYSTEM.ask("scatter", scattered=0, away=1.51, base=25).odds("covered").chance("model partially") == 1


@pytest.mark.clause("SE-41", "SE-38")
def test_each_model_takes_one_hit_of_its_own():
    fired = {"strength": 4, "save_modifier": -1, "toughness": 3, "save": 6}
    assert marker(0, **fired).odds("killed").chance(1) == Fraction(2, 3)
    assert marker(2, **fired).odds("killed").chance(1) == Fraction(1, 3)


@pytest.mark.clause("SE-38")
def test_three_neighbours_each_on_a_die_of_their_own():
    models = [{"y": 2.0, "radius": 0.5}, {"y": -2.0, "radius": 0.5}, {"x": 2.2, "radius": 0.5}]
    hits = SYSTEM.ask("scatter", scattered=0, models=models, strength="none").odds("hits")
    assert hits.fractions() == {0: Fraction(1, 8), 1: Fraction(3, 8), 2: Fraction(3, 8), 3: Fraction(1, 8)}


@pytest.mark.clause("SE-33", "SE-34", "SE-36", "SE-37")
def test_a_hit_lies_on_the_target():
    tape = Script(4, 5, 6, 5)  # to hit; B partly covered; wound of B and of A: T 3 against S 4
    made = SYSTEM.roll("blast", models=ROW[:2], target="A", bs=3, tape=tape, distance=20, save=None)
    assert made.results["fate"] == "hit"
    assert made.results["who"] == "A, B"
    assert made.results["killed"] == 2
    assert tape.used_up


@pytest.mark.clause("SE-36", "SE-44")
def test_the_target_is_hit_even_if_its_base_is_larger_than_the_marker():
    large = [{"name": "Dread", "y": 20.0, "radius": 1.5}]
    given = {"models": large, "target": "Dread", "blast": 1.0, "strength": "none", "distance": 20}
    assert SYSTEM.roll("blast", tape=Script(6), **given).results["target_hit"] == 1
    stays = Script(1, "hit", 8)
    assert SYSTEM.roll("blast", tape=stays, **given).results["target_hit"] == 1
    covered = Script(1, "hit", 8, 3)  # ruled otherwise, it is only partly covered
    assert SYSTEM.roll("blast", tape=covered, stays_put="by_cover", **given).results["target_hit"] == 0
    assert stays.used_up
    assert covered.used_up


@pytest.mark.clause("SE-35", "SE-42")
def test_out_of_range_nothing_is_rolled():
    tape = Script()
    made = SYSTEM.roll("blast", models=[{"name": "far", "y": 80.0}], target="far", long_range=24, tape=tape)
    assert made.results["fate"] == "no_effect"
    assert made.results["hits"] == 0
    asked = SYSTEM.ask("blast", models=[{"name": "far", "y": 80.0}], target="far", long_range=24)
    assert str(asked) == "Far is out of range: the shot has no effect."


@pytest.mark.clause("SE-35", "SE-15", "SE-42")
def test_a_score_that_no_dice_show_is_a_miss_in_range():
    asked = SYSTEM.ask("blast", models=ROW[:1], target="A", need=12, distance=20)
    assert asked.odds("fate").chance("hit") == 0
    assert asked.odds("fate").chance("stays") == Fraction(5, 18)


@pytest.mark.clause("SE-40", "SE-46")
def test_friends_and_the_shooter_are_hit_like_anyone_else():
    models = [{"name": "foe", "y": 20.0}, {"name": "pal", "x": 1.0, "side": "friend"}]
    tape = Script(1, "hit", "misfire", 6, 6)  # on the shooter: the shooter surely, the pal entirely; two wounds
    made = SYSTEM.roll("blast", models=models, target="foe", tape=tape, distance=20)
    assert made.results["who"] == "shooter, pal"
    assert made.results["friends_killed"] == 2
    assert made.results["weapon_destroyed"] == 1


@pytest.mark.clause("SE-52", "SE-41", "SE-49")
def test_joint_odds_are_those_of_every_way_to_fall():
    """The second way: at no distance the marker cannot scatter, so every 4+ and every wound can be enumerated."""
    given = {
        "models": ROW[:3],
        "target": "A",
        "need": 2,
        "distance": 0.0,
        "shooter_y": -30.0,
        "strength": 4,
        "blast": 2.0,
    }
    asked = SYSTEM.ask("blast", **given, measures=["who", "who_dies"])
    on_aim = Fraction(5, 6) + Fraction(1, 6) * (Fraction(5, 18) + Fraction(5, 9))  # hit, stays, or moves by nothing
    wounds = Fraction(2, 3)
    chances: dict[tuple[str, str], Fraction] = {}
    for rolled in product((True, False), repeat=2):  # B and C are partly covered, A entirely
        hit = ["A", *(name for name, comes_up in zip("BC", rolled, strict=True) if comes_up)]
        for fell in product((True, False), repeat=len(hit)):
            dead = ", ".join(name for name, dies in zip(hit, fell, strict=True) if dies) or "nobody"
            share = Fraction(1, 4) * wounds ** sum(fell) * (1 - wounds) ** (len(fell) - sum(fell))
            chances[", ".join(hit), dead] = chances.get((", ".join(hit), dead), Fraction(0)) + on_aim * share
    told = asked.states.project(
        lambda blast: tuple(asked.question.measure(name).of(blast) for name in ("who", "who_dies"))
    )
    for both, chance in chances.items():
        assert told.chance(lambda seen, both=both: seen == both) == chance


@pytest.mark.clause("SE-53")
def test_the_chances_of_each_model_are_those_of_the_whole_table():
    asked = SYSTEM.ask("blast", models=ROW[:3], target="A", bs=3, measures=["who", "who_dies"], save=5)
    for chance in chances_of_models(asked.start, BLAST):
        who, dies = asked.odds("who"), asked.odds("who_dies")
        assert chance.hit == who.chance(lambda names, one=chance: one.name in names.split(", "))
        assert chance.dies == dies.chance(lambda names, one=chance: one.name in names.split(", "))


@pytest.mark.clause("SE-34")
def test_without_a_target_the_best_one_is_chosen():
    models = [
        {"name": name, "x": x, "y": 20.0, "radius": 0.5} for name, x in (("A", 0.0), ("B", 1.2), ("C", 2.4), ("D", 9))
    ]
    best = SYSTEM.ask("blast", models=models, bs=4, wanted="killed")
    assert best.choices[0].taken.option == "B"
    worth = {
        name: SYSTEM.ask("blast", models=models, bs=4, target=name, wanted="killed", measures=["gain"])
        for name in "ABCD"
    }
    means = {name: asked.odds("gain").mean for name, asked in worth.items()}
    assert max(means, key=means.get) == "B"
    assert best.odds("killed").mean == worth["B"].odds("killed").mean
    friend = {"name": "pal", "x": 1.2, "y": 21.2, "side": "friend", "radius": 0.5}
    spared = SYSTEM.ask("blast", models=[*models, friend, {**friend, "name": "mate", "y": 18.8}], bs=4)
    assert spared.choices[0].taken.option in ("A", "C")  # farther from the friends


@pytest.mark.clause("SE-96")
def test_hits_on_a_vehicle_are_handed_on():
    made = SYSTEM.roll("blast", models=ROW[:1], target="A", toughness="none", tape=Script(6), distance=20)
    assert (made.results["vehicle_hits"], made.results["killed"]) == (1, 0)
    assert "A: 1 hit for armour penetration, by the base game" in str(made)


@pytest.mark.clause("SE-117", "SE-25")
def test_armour_that_saves_better_against_blasts():
    worn = marker(0, strength=4, save=6, area_save=5)
    assert worn.odds("killed").chance(1) == Fraction(2, 3) * Fraction(2, 3)


@pytest.mark.clause("SE-53")
def test_odds_by_name_have_a_budget_of_their_own_and_say_what_they_leave_out(monkeypatch: pytest.MonkeyPatch):
    models = ["cluster 8 at 0,18 spacing 0.1 name=Ork"]
    whole = SYSTEM.ask("blast", models=models, target="Ork 2", blast=3, measures=["who_dies"])
    assert not whole.caveat
    monkeypatch.setattr(blasts, "MAX_BRANCHES_BY_NAME", 1_500)
    part = SYSTEM.ask("blast", models=models, target="Ork 2", blast=3.5, measures=["who_dies"])
    assert "was not explored" in part.caveat or "was explored" in part.caveat
    assert not SYSTEM.ask("blast", models=models, target="Ork 2", blast=3.5).caveat


@pytest.mark.clause("SE-46", "SE-40")
@pytest.mark.parametrize(
    ("question", "weapon", "shooter"),
    [
        ("blast", "Missile launcher, frag", "Grey Lantern gunners"),
        ("blast", "Missile launcher, frag", "Mud clan"),
        ("grenade", "Frag grenade", "Grey Lantern brothers"),
    ],
)
def test_a_named_shooter_takes_what_falls_on_it_as_itself(question: str, weapon: str, shooter: str):
    given = {"weapon": weapon, "unit": "Mud clan", "models": [{"name": "Foe", "x": 0.0, "y": 7.0}]}
    asked = SYSTEM.ask(question, shooter=shooter, measures=["friends_killed", "friends_hit", "shooter_hit"], **given)
    hit = asked.odds("shooter_hit").chance(1)
    assert hit > 0
    one = SYSTEM.ask("shoot", weapon="Boltgun", unit=shooter, automatic=True, **blow_of_profile(weapon))
    assert asked.odds("friends_killed").chance(1) == hit * one.odds("casualties").chance(1)
    mine = SYSTEM.ask(question, shooter=shooter, friend_toughness=10, measures=["friends_killed"], **given)
    assert mine.odds("friends_killed").chance(1) < asked.odds("friends_killed").chance(1)


def blow_of_profile(weapon: str) -> dict[str, Any]:
    """The numbers of a hit, for another weapon's shot."""
    profile = SYSTEM.book.find("weapon", weapon)
    hit = {"strength": profile.strength, "damage": profile.damage, "save_modifier": profile.save_modifier}
    return {**hit, "models": 1, "shots": 1}
