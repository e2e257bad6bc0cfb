"""The Shooting phase and hand-to-hand: shots, volleys, bursts, jams, blasts, grenades, templates, force weapons."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from battletape import ruleset
from battletape.battle import Battle
from battletape.rulesets.second_edition.rules.templates import Placement, placements
from battletape.tape.script import Script
from tests.second_edition.battles import RIFLE, at, do, fight, labels, phase, refused, unit


def shooting(south: list[Any], north: list[Any] | None = None, rulings: Any = None, **more: Any) -> Battle:
    """A battle in the first Shooting phase."""
    return phase(fight(south, north, rulings, **more), "shooting")


def next_turn(battle: Battle) -> Battle:
    """The next Shooting phase of South."""
    battle.push("end_turn")
    return phase(battle, "shooting")


# --- ordinary shots --------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-13", "SE-18", "SE-24", "SE-10")
def test_a_shot_measured_on_the_table():
    battle = shooting([unit("Man", "Rifle", **at(20, 10))], [unit("Foe", **at(20, 20)), unit("Other", **at(40, 40))])
    shot = {"unit": "Man", "weapon": "Rifle", "target": "Foe"}
    assert battle.odds("shoot", **shot).odds("casualties").chance(1) == Fraction(2, 3) * Fraction(2, 3)
    do(battle, "shoot", 3, 3, **shot)
    assert battle.state.fighter("Foe").is_gone
    assert refused(battle, "shoot", "SE-109", **shot | {"target": "Other"}).kind == "shot"


@pytest.mark.clause("SE-10", "SE-11")
def test_without_places_the_distance_is_named():
    battle = shooting([unit("Man", "Rifle")], [unit("Foe")])
    shot = {"unit": "Man", "weapon": "Rifle", "target": "Foe"}
    hits = {far: battle.odds("shoot", **shot, distance=far).odds("hits").chance(1) for far in (12, 13)}
    assert hits == {12: Fraction(2, 3), 13: Fraction(1, 2)}


@pytest.mark.clause("SE-35", "SE-16")
def test_out_of_range_the_shot_is_spent_and_nothing_is_rolled():
    battle = shooting([unit("Man", "Rifle", "Mortar", "Repeater", models=3)], [unit("Foe")])
    for at_, (action, weapon) in enumerate((("shoot", "Rifle"), ("blast", "Mortar"), ("burst", "Repeater")), 1):
        do(battle, action, unit=f"Man {at_}", weapon=weapon, target="Foe", distance=50)
        assert battle.state.fighter(f"Man {at_}").use_of(weapon) == "fired"
    assert not battle.state.fighter("Foe").is_gone


@pytest.mark.clause("SE-11", "SE-23")
def test_a_volley_rolls_each_range_band_by_itself():
    south = unit("Men", "Rifle", models=3, spots=[at(20, 10), at(22, 10), at(24, 2)])
    battle = shooting([south], [unit("Foes", models=3, wounds=1, **at(22, 20))])
    order = {"unit": "Men", "weapon": "Rifle", "target": "Foes"}
    do(battle, "volley", 3, 3, 3, 2, 4, 2, **order)
    assert labels(battle) == ["to hit", "to wound", "to wound", "to hit", "to wound"]
    assert [foe.is_gone for foe in battle.state.squad("Foes")] == [True, False, False]
    assert refused(battle, "volley", "SE-109", **order).kind == "shot"


@pytest.mark.clause("SE-24")
def test_a_volley_keeps_the_books_of_models_with_wounds():
    battle = shooting([unit("Men", "Rifle", models=3)], [unit("Foes", models=2, wounds=2)])
    do(battle, "volley", 6, 6, 6, 6, 6, 6, unit="Men", weapon="Rifle", target="Foes", distance=9)
    assert sorted(foe.condition.wounds for foe in battle.state.squad("Foes")) == [0, 1]


# --- bursts and jams -------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-99", "SE-100", "SE-101", "SE-103", "SE-104", "SE-105")
def test_dice_are_chosen_after_the_hit_and_hits_one_by_one():
    foes = unit("Foes", models=3, spots=[at(20, 20), at(22, 20), at(30, 20)])
    battle = shooting([unit("Man", "Repeater", **at(20, 10))], [foes])
    shares = ("Foes 2", "Foes 2", "Foes 1", "Foes 1")  # the first hit is the target's; the third is out of reach
    do(battle, "burst", 4, 2, 2, 3, *shares, 1, 1, 1, 5, **BURST | {"target": "Foes 1"})
    assert [foe.is_gone for foe in battle.state.squad("Foes")] == [False, True, False]
    do(next_turn(battle), "burst", 3, **BURST | {"target": "Foes 1"})


BURST = {"unit": "Man", "weapon": "Repeater", "target": "Foe"}


@pytest.mark.clause("SE-103", "SE-104")
def test_a_burst_that_the_program_rolls_is_shared_out_as_sustained_plans_it():
    for wounds in (2, 1):
        foes = unit("Foes", models=4, wounds=wounds, spots=[at(20 + 1.2 * x, 20) for x in range(4)])
        battle = shooting([unit("Man", "Repeater", **at(20, 10))], [foes])
        arm, order = battle.state.fighter("Man").weapon("Repeater").weapon, BURST | {"target": "Foes 2"}
        numbers = {name: getattr(arm, name) for name in ("strength", "damage", "save_modifier", "sustained")}
        reach = {name: getattr(arm, name) for name in ("short_range", "long_range", "to_hit_short", "to_hit_long")}
        asked = ruleset("second_edition").ask(
            "sustained", **numbers, **reach, bs=battle.state.fighter("Man").bs, distance=9, models=4, wounds=wounds
        )
        told = battle.odds("burst", **order).odds("casualties")
        assert told.mean == asked.odds("casualties").mean
        assert told.at_least(2) > 0
    spread = 0
    for seed in range(40):
        branch = battle.fork()
        hits = {entry.value for entry in branch.push("burst", order, tape=seed).entries if "target of" in entry.label}
        spread += bool(hits - {"Foes 2"})
    assert spread > 10


@pytest.mark.clause("SE-104")
def test_hits_shared_out_otherwise_are_planned_anew():
    foes = unit("Foes", models=3, spots=[at(20, 20), at(21.5, 20), at(23, 20)])
    battle = shooting([unit("Man", "Repeater", **at(20, 10))], [foes])
    asked = []

    class Asked(Script):
        def answer(self, ask):
            asked.append((ask.label, ask.options))
            return super().answer(ask)

    order = BURST | {"target": "Foes 1"}
    battle.push("burst", order, tape=Asked(4, 2, 2, 2, "Foes 3", "Foes 3", "Foes 2", 1, 1, 1, 1))
    hits = [options for label, options in asked if label.startswith("target of")]
    assert hits == [
        ("Foes 1", "Foes 2", "Foes 3"),  # two on the first, one on each of the others
        ("Foes 1", "Foes 2", "Foes 3"),
        ("Foes 2", "Foes 1", "Foes 3"),  # two on the third by now
    ]


@pytest.mark.clause("SE-82", "SE-83", "SE-85")
def test_a_template_whose_heading_is_left_open_is_laid_as_the_question_lays_it():
    spots, friend = ((20, 15), (21.4, 16.2), (18.6, 16.2), (21.2, 18.5)), (22.4, 14.0)
    foes = unit("Foes", models=4, spots=[at(*spot) for spot in spots])
    battle = shooting([unit("Man", "Flamer", **at(20, 10)), unit("Mate", **at(*friend))], [foes])
    models = [{"name": f"Foes {n}", "x": x, "y": y, "base": 25.4} for n, (x, y) in enumerate(spots, 1)]
    models.append({"name": "Mate", "x": friend[0], "y": friend[1], "side": "friend", "base": 25.4})
    sizes = {"length": 8.5, "end_radius": 1.25, "strength": 4, "save_modifier": -2, "incendiary": True}
    here = {"models": models, "shooter_x": 20, "shooter_y": 10, "shooter_base": 25.4}
    for target in ("Foes 1", "Foes 2", "Foes 3", "Foes 4"):
        told = battle.odds("template", unit="Man", weapon="Flamer", target=target)
        asked = ruleset("second_edition").ask("template", **here, **sizes, target=target)
        for measure in ("hits", "killed", "friends_hit", "on_fire"):
            assert told.odds(measure).fractions() == asked.odds(measure).fractions(), (target, measure)
        laid = battle.fork().push("template", unit="Man", weapon="Flamer", target=target, tape=1).entries[0].value
        assert laid == str(asked.choices[0].taken.option)


@pytest.mark.clause("SE-82")
def test_no_template_is_laid_over_a_friend_where_another_way_does_as_well():
    luck, spared, ties = random.Random(5), 0, 0
    for _ in range(30):
        spots = [(20 + dx, 13.5 + dy) for dx in (-2.2, 0, 2.2) for dy in (0, 2.2)]
        spots = [(x + luck.uniform(-0.5, 0.5), y + luck.uniform(-0.5, 0.5)) for x, y in spots]
        luck.shuffle(spots)
        foes = unit("Foes", models=4, spots=[at(*spot) for spot in spots[:4]])
        mates = unit("Mates", models=2, spots=[at(*spot) for spot in spots[4:]])
        battle = shooting([unit("Man", "Flamer", **at(20, 10)), mates], [foes])
        laid, *others = placements(battle.odds("template", unit="Man", weapon="Flamer", target="Foes 1").start)
        under = {way: [under_it(way, side) for side in ("enemy", "friend")] for way in (laid, *others)}
        gains = {way: enemies - friends for way, (enemies, friends) in under.items()}
        assert gains[laid] == max(gains.values())
        alike = [way for way in others if gains[way] == gains[laid]]
        assert all(under[laid][1] <= under[way][1] for way in alike)
        spared += under[laid][1] == 0
        ties += any(under[laid][1] < under[way][1] for way in alike)
    assert spared > 20
    assert ties


def under_it(way: Placement, side: str) -> Fraction:
    """How many models of a side a template hits on average: the shooter first, then two friends and four enemies."""
    chances = {"entirely": Fraction(1), "partially": Fraction(1, 2), "missed": Fraction(0)}
    return sum((chances[cover] for cover in (way.covered[1:3] if side == "friend" else way.covered[3:])), Fraction(0))


@pytest.mark.clause("SE-14", "SE-99")
def test_a_burst_that_needs_nothing_hits_on_a_two():
    battle = shooting([unit("Man", "Repeater", bs=8)], [unit("Foe")])
    answer = battle.odds("burst", **BURST, distance=9)
    assert str(answer).startswith("With ")  # the choices that were made
    odds = answer.odds("hits")
    assert 1 - odds.chance(0) == Fraction(5, 6) * Fraction(215, 216)


@pytest.mark.clause("SE-104")
def test_other_units_take_hits_only_where_it_is_ruled_so():
    for ruling, options in (("by_need", 1), ("near", 2)):
        north = [unit("Foe", **at(20, 20)), unit("Other", **at(22, 20))]
        battle = shooting([unit("Man", "Repeater", **at(20, 10))], north, {"further_hits": ruling})
        dice = [4, 1, 2, *(["Other"] if options == 2 else []), 1, 1]
        do(battle, "burst", *dice, **BURST)


@pytest.mark.clause("SE-106", "SE-108", "SE-109")
def test_a_jammed_weapon_is_cleared_one_jam_in_each_phase():
    battle = shooting([unit("Man", "Repeater", "Rifle")], [unit("Foe")])
    shot = {**BURST, "distance": 9}
    do(battle, "burst", 6, 2, "jam", "jam", **shot)
    assert battle.state.fighter("Man").weapon("Repeater").state.jams == 2
    next_turn(battle)
    battle.push("clear_jam", unit="Man", weapon="Repeater")
    next_turn(battle)
    do(battle, "shoot", 1, **shot | {"weapon": "Rifle"})
    next_turn(battle).push("clear_jam", unit="Man", weapon="Repeater")
    do(next_turn(battle), "burst", 1, **shot)


@pytest.mark.clause("SE-111")
def test_a_weapon_that_recharges_waits_for_a_turn():
    cannon = {**RIFLE, "name": "Cannon", "recharges": True}
    man = unit("Man", weapons=[{"name": "Cannon"}], arsenal=[cannon])
    battle = shooting([man], [unit("Foe", wounds=9)])
    shot = {"unit": "Man", "weapon": "Cannon", "target": "Foe", "distance": 9}
    do(battle, "shoot", 1, **shot)
    next_turn(battle)
    do(next_turn(battle), "shoot", 1, **shot)


# --- blasts, grenades, the ground ------------------------------------------------------------------------------------


@pytest.mark.clause("SE-36", "SE-37", "SE-38", "SE-40", "SE-41")
def test_a_blast_hits_everybody_under_its_marker():
    foes = unit("Foes", models=3, spots=[at(20, 20), at(21.2, 20), at(22.2, 20)])
    battle = shooting([unit("Man", "Mortar", **at(20, 5)), unit("Spy", **at(20, 21.2))], [foes])
    do(battle, "blast", 4, 3, 3, 3, 4, 1, unit="Man", weapon="Mortar", target="Foes 1")
    assert labels(battle) == ["to hit", "to wound", "to wound", "to wound", "Foes 3: partly covered", "to wound"]
    assert battle.state.fighter("Spy").is_gone
    assert not battle.state.fighter("Foes 3").is_gone


@pytest.mark.clause("SE-46", "SE-48")
def test_a_misfire_destroys_the_weapon_for_good():
    battle = shooting([unit("Man", "Mortar", wounds=2, **at(20, 5))], [unit("Foe", **at(20, 30))])
    shot = {"unit": "Man", "weapon": "Mortar", "target": "Foe"}
    do(battle, "blast", 1, "hit", "misfire", 3, **shot)
    assert battle.state.fighter("Man").condition.wounds == 1
    assert "destroyed" in refused(next_turn(battle), "blast", "SE-48", **shot).reason
    refused(battle, "clear_jam", "SE-48", unit="Man", weapon="Mortar")


@pytest.mark.clause("SE-43", "SE-49")
def test_a_marker_scatters_half_the_distance_at_most():
    battle = shooting([unit("Man", "Mortar")], [unit("Foe")])
    shot = {"unit": "Man", "weapon": "Mortar", "target": "Foe", "distance": 6}
    odds = battle.odds("blast", **shot)
    assert odds.odds("fate").chance("moves") == Fraction(1, 2) * Fraction(5, 9)
    assert odds.odds("enemies_killed").mean == odds.odds("killed").mean - odds.odds("friends_killed").mean


@pytest.mark.clause("SE-55", "SE-57", "SE-58")
def test_grenades_are_counted_and_lost_in_the_hand():
    battle = shooting([unit("Man", "Frag", wounds=3, each=4)], [unit("Foe", wounds=9)])
    shot = {"unit": "Man", "weapon": "Frag", "target": "Foe"}
    do(battle, "grenade", **shot, distance=9)
    assert battle.state.fighter("Man").weapon("Frag").grenades_left == 3
    do(next_turn(battle), "grenade", 1, "hit", "misfire", 1, **shot, distance=8)
    assert battle.state.fighter("Man").weapon("Frag").grenades_left == 0
    assert "no Frag is left" in refused(next_turn(battle), "grenade", "SE-58", **shot, distance=8).reason


@pytest.mark.clause("SE-59", "SE-60", "SE-62", "SE-66", "SE-75")
def test_smoke_on_the_ground_stays():
    battle = shooting([unit("Man", "Smoker", "Plasma", models=2, spots=[at(20, 5), at(22, 5)])])
    do(battle, "ground", 6, unit="Man 1", weapon="Smoker", x=20, y=20)
    do(battle, "ground", 2, "arrow", 4, 90.4, unit="Man 2", weapon="Plasma", x=20, y=15)
    smoke, ball = battle.state.markers
    assert (smoke.name, smoke.kind, smoke.radius, smoke.owner) == ("Cloud 1", "cloud", 2.0, "South")
    assert (ball.name, ball.kind, ball.radius) == ("Plasma ball 2", "plasma", 1.5)
    assert (round(ball.marker.centre.x, 6), round(ball.marker.centre.y, 6)) == (24.0, 15.0)
    battle.push("end_turn")
    assert battle.where["phase"] == "start of the turn"


@pytest.mark.clause("SE-59", "SE-65")
def test_smoke_is_laid_on_a_spot_or_at_a_distance():
    battle = shooting([unit("Man", "Smoker", **at(20, 5)), unit("Boy", "Smoker")])
    do(battle, "ground", unit="Boy", weapon="Smoker", distance=50)
    do(battle, "ground", unit="Man", weapon="Smoker", x=20, y=46)
    assert battle.state.markers == ()


# --- templates -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-81", "SE-82", "SE-83", "SE-86")
def test_a_template_with_its_heading():
    foes = unit("Foes", models=2, wounds=2, spots=[at(20, 17), at(21.5, 17)])
    battle = shooting([unit("Man", "Flamer", **at(20, 10))], [foes])
    order = {"unit": "Man", "weapon": "Flamer", "target": "Foes 1"}
    do(battle, "template", 3, 4, 2, heading=0, **order)
    assert labels(battle) == ["to wound", "catches fire", "Foes 2: partly covered"]
    burning = battle.state.fighter("Foes 1")
    assert burning.is_burning
    assert burning.condition.wounds == 1


# --- force weapons ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-112", "SE-113", "SE-114", "SE-117")
def test_a_psyker_strikes_base_to_base():
    sage = unit("Sage", "Staff", "Rifle", strength=4, mastery=2, **at(20, 20))
    battle = fight([sage, unit("Man", "Staff", **at(30, 20))], [unit("Foe", toughness=6, wounds=3, **at(20, 21))])
    phase(battle, "hand to hand")
    blow = {"unit": "Sage", "weapon": "Staff", "target": "Foe", "hits": 2}
    assert battle.odds("strike", **blow).odds("wounds_lost").chance(2) == Fraction(1, 4)
    do(battle, "strike", 4, 3, **blow)
    assert battle.state.fighter("Foe").condition.wounds == 2
    assert refused(battle, "strike", "SE-117", **blow).kind == "fought"
