"""The question hit, the target number that may be given, and attack rolls that are followed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape import Battle
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules.attack.stages import (
    places_of_hits,
    read_attack_roll,
    reversed_digits,
    spot_of,
)
from battletape.rulesets.deathwatch.tables import sheet
from battletape.tape.script import Script

F = Fraction
BARE = {"body": 0, "tb": 0, "unnatural_toughness": 1, "pen": 0, "qualities": ()}


OF_HIT_ROLL = ("degrees", "location", "first_place", "places", "arm_hits")


def hit(**given):
    return RULESET.ask("hit", **{**BARE, **given})


# --- one hit ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-DMG-3", "DW-QUAL-TEARING")
def test_a_hit_by_its_faces():
    found = hit(damage="2d10+5", qualities=("Tearing",), body=8, tb=4, pen=5)
    counts = Counter(max(0, sum(sorted(dice)[1:]) + 5 - 7) for dice in product(range(1, 11), repeat=3))
    assert found.odds("through").fractions() == {value: F(number, 1000) for value, number in sorted(counts.items())}
    assert found.odds("ten").chance(1) == F(271, 1000)


@pytest.mark.clause("DW-DMG-3", "DW-PIPE-1")
@pytest.mark.parametrize("place", ["head", "left_arm", "body", "right_leg"])
def test_a_hit_agrees_with_the_shot_that_scores_it(place):
    body = {"head": 3, "arm": 5, "body": 9, "leg": 6, "tb": 3, "unnatural_toughness": 1, "cover": "4", "hidden": "legs"}
    weapon = {"damage": "2d10+3", "pen": 4, "qualities": ("Tearing",), "fury": "confirm", "to_hit": 60}
    alone = RULESET.ask("hit", place=place, **body, **weapon)
    shot = RULESET.ask("shoot", called=place, mode="single", wounds=300, **body, **weapon)
    scored = shot.states.given(lambda attack: attack.hits).project(lambda attack: 300 - attack.victim.health)
    for number in range(1, 60):
        assert alone.odds("through").at_least(number) == scored.at_least(number)


@pytest.mark.clause("DW-QUAL-TOXIC", "DW-QUAL-SHOCKING", "DW-QUAL-CONCUSSIVE")
def test_qualities_act_on_a_victim_that_is_hurt():
    given = {"damage": "1d10", "qualities": ("Toxic", "Shocking", "Concussive"), "toughness": 40, "target_sb": 3}
    tape = Script(6, 100, 7, 90, 5)  # damage, poison, how much, shock, and the concussion is withstood
    found = RULESET.roll("hit", tape=tape, **{**BARE, **given})
    assert tape.used_up
    told = {name: found.results[name] for name in ("through", "poison", "stunned", "prone")}
    assert told == {"through": 6, "poison": 7, "stunned": 3, "prone": 1}
    said = {line.clauses[0]: line.result for line in found.log if line.text.endswith((" at 10", " at 40"))}
    assert said == {"DW-QUAL-TOXIC": "10", "DW-QUAL-SHOCKING": "40", "DW-QUAL-CONCUSSIVE": "40"}


@pytest.mark.clause("DW-RF-1")
@pytest.mark.parametrize("most", [1, 5, 12, 30, 100])
def test_the_average_does_not_depend_on_how_far_fury_is_followed(most):
    found = hit(damage="1d10+2", fury="confirm", to_hit=60, most=most)
    assert found.odds("average").mean == F(11, 2) + 2 + F(1, 10) * F(3, 5) * F(55, 9)
    assert bool(found.warnings) == (most <= 12)


@pytest.mark.clause("DW-QUAL-SMOKE")
def test_smoke_by_its_dice():
    found = hit(qualities=("Smoke",))
    across = Counter(map(sum, product(range(1, 11), repeat=3)))
    assert found.odds("smoke_across").fractions() == {metres: F(ways, 1000) for metres, ways in sorted(across.items())}
    assert found.odds("smoke_rounds").mean == 11
    assert hit().odds("smoke_rounds").fractions() == {0: 1}


@pytest.mark.clause("DW-QUAL-ACCURATE", "DW-QUAL-RAZOR", "DW-QUAL-SPECIAL")
def test_degrees_count_where_a_weapon_says_so():
    def dice(degrees, **given):
        return hit(success_degrees=degrees, damage="1d10", **given).start.hit

    assert [dice(degrees, aim="half", qualities=("Accurate",)).dice for degrees in (0, 2, 3, 4, 9)] == [1, 2, 2, 3, 3]
    assert [dice(degrees, qualities=("Razor Sharp",), body=9, pen=4).reduction for degrees in (1, 2)] == [5, 1]
    claws = {"special": "claws", "qualities": ("Special",), "melee": True}
    assert [dice(3, pair=pair, **claws).flat for pair in (False, True)] == [3, 6]


@pytest.mark.clause("DW-MWEP-00")
def test_profiles_are_written_out():
    found = RULESET.ask("hit", weapon="Astartes Chainsword", sb=8, target="Raider", place="head")
    assert found.inputs.damage == "1d10+3"
    assert found.start.spec.melee
    assert found.headline.endswith(".")


# --- target numbers and followed rolls --------------------------------------------------------------------------------


@pytest.mark.clause("DW-TEST-1")
@pytest.mark.parametrize(
    "question, more",
    [
        ("shoot", {"mode": "full", "band": "short"}),
        ("fight", {"action": "all_out"}),
        ("horde", {"mode": "full"}),
        ("horde_attacks", {}),
        ("suppress", {}),
    ],
)
def test_a_target_number_is_taken_as_it_is(question, more):
    start = RULESET.ask(question, to_hit=37, **more).start
    spec = start.fight.attack.spec(30) if question == "horde" else start.spec
    assert (spec.target, spec.modifiers, spec.total) == (37, (), 0)


@pytest.mark.clause("DW-LOC-2", "DW-TEST-3", "DW-MULTI-1")
def test_a_followed_roll_tells_degrees_and_places():
    given = {"to_hit": 65, "mode": "full", "full": 5}
    found = RULESET.ask("shoot", measures=OF_HIT_ROLL, **given)
    spec = found.start.spec
    by_faces: dict[str, Counter[Any]] = {
        name: Counter() for name in ("degrees", "location", "first_place", "places", "arm_hits")
    }
    for roll in range(1, 101):
        _, degrees, hits = read_attack_roll(spec, roll)
        number = reversed_digits(roll)
        places = places_of_hits(spot_of(number), hits) if hits else ()
        by_faces["degrees"][degrees] += 1
        by_faces["location"][number] += 1
        by_faces["first_place"][spot_of(number).replace("_", " ") if hits else "nowhere"] += 1
        by_faces["places"][", ".join(places) or "nowhere"] += 1
        by_faces["arm_hits"][places.count("arm")] += 1
    for name, counts in by_faces.items():
        assert found.odds(name).fractions() == {value: F(counts[value], 100) for value in found.odds(name).values()}
        assert set(found.odds(name).values()) == set(counts)
    plain = RULESET.ask("shoot", **given)
    for name in ("damage", "hits", "landed", "dead", "critical_row", "jammed"):
        assert plain.odds(name) == found.odds(name)


@pytest.mark.clause("DW-LOC-1")
def test_a_place_with_a_roll_of_its_own_is_followed_as_well():
    given = {"to_hit": 200, "mode": "single", "hit_location": "fresh", "jam_roll": "may_hit"}
    found = RULESET.ask("shoot", measures=("first_place",), **given).odds("first_place")
    wide = {spot.replace("_", " "): F(len(numbers), 100) for numbers, spot in sheet.LOCATIONS}
    assert found.fractions() == wide | {name: wide[name] for name in found.values()}


# --- rest -------------------------------------------------------------------------------------------------------------


def tired(**more):
    who = {"name": "A", "toughness": 40, **more}
    sides = [{"name": "ours", "fighters": [who]}, {"name": "theirs", "fighters": [{"name": "B", "y": 20}]}]
    return Battle.new(RULESET, {"sides": sides}).state.fighter("A").conditions


@pytest.mark.clause("DW-FAT-2")
def test_a_fighter_wakes_with_fatigue_of_its_toughness_bonus():
    asleep, awake = tired(fatigue=6), tired(fatigue=6, woken=True)
    assert (asleep.unconscious, asleep.prone) == (6, True)
    assert (awake.unconscious, awake.fatigue, awake.prone) == (0, 4, False)
    assert tired(fatigue=3, woken=True) == tired(fatigue=3)


@pytest.mark.clause("DW-FAT-3")
@pytest.mark.parametrize(
    "fatigue, hours, left", [(4, 0, 4), (4, 1, 3), (4, 7, 0), (2, 5, 0), (12, 7, 5), (12, 8, 0), (6, 1, 3)]
)
def test_rest_takes_a_level_an_hour_and_all_of_it_in_eight(fatigue, hours, left):
    tough = {"toughness": 40} if fatigue < 10 else {"toughness": 150}  # the last of them has slept and woken
    assert tired(fatigue=fatigue, rested=hours, **tough).fatigue == left
