"""The questions assault, explosion and walker_fight as a player asks them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.answer import Answer
from battletape.errors import BadInput, Refused, UnknownName
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.questions.assault import ASSAULT
from battletape.rulesets.vehicles5.questions.explosion import EXPLOSION
from battletape.rulesets.vehicles5.questions.walker_fight import WALKER_FIGHT
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings
from battletape.system import Ruleset

F = Fraction
QUESTIONS = (ASSAULT, EXPLOSION, WALKER_FIGHT)
CARD = Ruleset(
    "vehicles5",
    "Vehicles",
    "",
    "battletape.rulesets.vehicles5",
    Rulings,
    QUESTIONS,
    presets=PRESETS,
    profiles=book,
)


def ask(question: str, **given: Any) -> Answer:
    return CARD.ask(question, **given)


def chance(answer: Answer, measure: str, value: Any = 1) -> Fraction:
    return answer.odds(measure).chance(value)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_every_example_is_answered_rolled_and_told(question: Any) -> None:
    answer = CARD.ask(question.name, **question.example)
    assert answer.headline.endswith(".")
    assert sum(answer.states.fractions().values()) == 1
    assert all(step.title for step in answer.steps)
    for seed in range(6):
        roll = CARD.roll(question.name, seed=seed, **question.example)
        assert {one.name for one in question.measures} == set(roll.results)
        assert all(line.text and line.clauses for line in roll.log)


@pytest.mark.clause("V5-ASLT-6", "V5-GREN-2", "V5-ASLT-4")
def test_assault_in_plain_numbers_and_in_detail() -> None:
    plain = ask("assault", attacks=5, grenade="krak", rear=10, assault_band="combat")
    detail = ask("assault", rear=10, band="combat", attackers=[{"models": 5, "attacks": 3, "grenade": "Krak grenade"}])
    for answer in (plain, detail):
        assert chance(answer, "destroyed") == F(3825755, 15116544)
        assert chance(answer, "unchanged") == F(243, 1024)
    assert plain.headline == "Destroyed 25 %, immobilised or worse 41 %; 2.5 hits expected."


@pytest.mark.clause("V5-ASLT-3", "V5-ASLT-5")
def test_attackers_by_profile() -> None:
    charge = ask("assault", vehicle="Tollgate wagon", attackers="Furnace blades", assault_band="stationary")
    assert len(charge.start.volleys[0]) == 9 * 3 + 1 * 2
    assert charge.odds("expected_hits").mean == 29
    fists = {"unit": "Furnace blades", "models": 1, "weapon": "Power fist", "charged": False}
    answer = ask("assault", vehicle="Tollgate wagon", attackers=[fists], assault_band="stationary")
    assert {blow.gap for blow in answer.start.volleys[0]} == {10 - 8}
    few = ask("assault", attackers=[{"models": 10, "in_reach": 6, "two_weapons": 10}])
    assert len(few.start.volleys[0]) == 18


@pytest.mark.clause("V5-ASLT-7")
def test_the_side_that_is_touched_counts_by_ruling() -> None:
    given = {"front": 13, "side": 12, "rear": 10, "contact": "side", "strength": 8}
    assert ask("assault", **given).start.volleys[0][0].gap == 2
    assert ask("assault", **given, assault_facing="contact").start.volleys[0][0].gap == 4


@pytest.mark.clause("V5-WALK-8", "V5-WALK-9", "V5-WALK-10", "V5-WALK-12")
def test_assault_on_a_walker() -> None:
    given = {"vehicle": "Twin-fisted ogre", "attacks": 5, "ws": 4, "band": "combat"}
    answer = ask("assault", **given, grenade="melta_bomb")
    shot = answer.start.volleys[0][0]
    assert (shot.needs, shot.gap, shot.dice) == (6, 5, "2d6")
    assert answer.odds("combat_wounds").mean == 5 * F(1, 6) * F(30, 36)
    assert "wounds for the result" in answer.headline
    helpless = ask("assault", **given, grenade="Melta bomb", stunned=True)
    assert helpless.start.volleys[0][0].needs == 4
    assert helpless.start.volleys[0][0].dice == "2d6"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"attackers": [{"unit": "Harbour watch", "grenade": "melta_bomb"}]}, "Frag grenade"),
        ({"attackers": [{"unit": "Harbour watch", "weapon": "Lascannon"}]}, "close combat"),
        ({"rear": 9}, "10 to 14"),
        ({"rear": 15}, "10 to 14"),
        ({"attacks": -1}, "0 to 1,000"),
        ({"attackers": [{"models": 100, "attacks": 10}] * 3}, "2,000 attacks"),
    ],
)
def test_bad_inputs_of_an_assault(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        ask("assault", **given)


def test_unknown_names_and_impossible_speeds() -> None:
    with pytest.raises(UnknownName, match="Krak grenade"):
        ask("assault", grenade="Crack grenade")
    with pytest.raises(UnknownName, match="grenade"):
        ask("assault", grenade="Lascannon")
    with pytest.raises(Refused, match="V5-WALK-1"):
        ask("assault", types=["walker"], band="cruising")


def test_warnings_of_an_assault() -> None:
    answer = ask("assault", rear=11, strength=4, smoke=True)
    assert len(answer.warnings) == 2
    assert "cannot harm" in answer.warnings[0]
    assert "V5-CORE-4" in answer.warnings[1]
    detailed = ask("assault", rear=10, attackers=[{"models": 5, "grenade": "krak"}], strength=10, grenade="melta_bomb")
    assert any("beside them count for nothing" in one for one in detailed.warnings)
    assert not ask("assault", rear=10, attackers=[{"models": 5, "grenade": "krak"}]).warnings


@pytest.mark.clause("V5-DMG-6", "V5-OPEN-4")
def test_explosion_by_profiles() -> None:
    answer = ask(
        "explosion", passenger_unit="Harbour watch", models=[{"unit": "Furnace company", "models": 1, "distance": 2}]
    )
    assert answer.start.passengers.models == 10
    assert (answer.start.ld, answer.start.groups[0].save) == (7, 3)
    assert chance(answer, "reached") == F(5, 6)
    assert chance(answer, "casualties") == F(5, 54)
    assert chance(answer, "no_casualty") == F(5, 9) ** 10
    assert ask("explosion").headline == "Nobody is near it or inside."


@pytest.mark.clause("V5-DMG-6")
def test_many_groups_stay_small() -> None:
    models = [{"models": 5, "distance": one / 2, "toughness": 3 + one % 2} for one in range(12)]
    answer = ask("explosion", models=models)
    assert answer.odds("casualties").mean == sum(
        F(5 * (7 - max(1, -(-one // 2))), 6) * (F(1, 2) if one % 2 == 0 else F(1, 3)) for one in range(12)
    )


@pytest.mark.clause("V5-DMG-5", "V5-TRAN-7")
def test_a_wreck_is_left() -> None:
    answer = ask("explosion", wrecked=True, passengers=10, ld=8, room_at_access=4, room_within=7)
    assert chance(answer, "passengers_lost", 3) == 1
    assert chance(answer, "pinned") == F(5, 18)
    assert "V5-TRAN-7" in answer.warnings[0]
    lost = ask("explosion", wrecked=True, passengers=3, room_at_access=1, room_within=2, no_room_in_a_wreck="unit_lost")
    assert chance(lost, "all_dead") == 1
    assert "V5-DMG-6" in ask("explosion", wrecked=True, models=[{}]).warnings[0]


@pytest.mark.clause("V5-WALK-8", "V5-WALK-16")
def test_walker_fight_by_profiles() -> None:
    answer = ask("walker_fight", walker="Twin-fisted ogre", foe="Furnace company", grenade="krak", rounds=2)
    start = answer.start
    assert (len(start.one.dccw), start.models, start.foe.grenade.strength) == (2, 10, 6)
    assert start.walker.weapons[:2] == start.one.dccw
    assert sum(answer.odds("over").fractions().values()) == 1
    assert answer.odds("foe_lost").at_least(1) > F(9, 10)
    assert answer.headline.startswith("In 2 rounds the foe is destroyed")


@pytest.mark.clause("V5-WALK-8")
def test_walker_against_walker() -> None:
    answer = ask("walker_fight", walker="Twin-fisted ogre", foe_walker="Twin-fisted ogre", charges="nobody", rounds=2)
    over = answer.odds("over")
    assert over.chance("walker destroyed") == over.chance("foe destroyed") > 0
    assert over.chance("both destroyed") > 0
    assert chance(answer, "foe_lost") == over.chance("foe destroyed") + over.chance("both destroyed")
    assert answer.odds("won_by").chance("walker") == answer.odds("won_by").chance("foe")


@pytest.mark.clause("V5-WALK-1", "V5-DMG-2")
def test_a_walker_that_cannot_charge() -> None:
    with pytest.raises(Refused, match="V5-DMG-2"):
        ask("walker_fight", stunned=True, charges="walker")
    assert ask("walker_fight", stunned=True, charges="foe").odds("over").chance("goes on") > 0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"foe": "Harbour watch", "grenade": "melta_bomb"}, "Frag grenade"),
        ({"foe": "Harbour watch", "foe_walker": "Twin-fisted ogre"}, "only one of foe"),
        ({"walker": "Tollgate wagon"}, "walker"),
        ({"dccw": ["fist", "fist"]}, "name of its own"),
        ({"rounds": 13}, "1 to 12"),
    ],
)
def test_bad_inputs_of_a_fight(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        ask("walker_fight", **given)


@pytest.mark.clause("V5-DMG-3", "V5-WALK-16")
def test_close_combat_weapons_that_cannot_be_destroyed() -> None:
    answer = ask("walker_fight", melee_weapon_can_be_destroyed=False)
    assert answer.start.walker.weapons == ("gun",)
    assert answer.start.one.dccw == ("fist",)


@pytest.mark.clause("V5-WALK-12")
def test_the_log_of_an_assault_on_a_walker_counts_wounds() -> None:
    given: dict[str, Any] = {
        "types": ["walker"],
        "front": 10,
        "attacks": 2,
        "strength": 10,
        "needs": 2,
        "volley_order": "batch",
    }
    lines = [CARD.roll("assault", seed=seed, **given).log[-1] for seed in range(4)]
    assert all(line.clauses == ("V5-WALK-12",) for line in lines)
    assert any("2 wounds" in line.text for line in lines)


@pytest.mark.clause("V5-OPEN-4")
def test_the_vehicle_that_explodes_may_be_named() -> None:
    answer = ask("explosion", vehicle="Hay wain", passengers=1, passenger_toughness=3)
    assert answer.start.strength == 3
    assert chance(answer, "passengers_lost") == F(1, 2)
    assert answer.headline == "0.5 of 1 passengers are lost."
