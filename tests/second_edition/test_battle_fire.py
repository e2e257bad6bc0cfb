"""Burning models in battle: their tests, running about, those who help, and those who ignore the flames."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.battle import Battle
from tests.second_edition.battles import at, do, fight, labels, notes, on_fire, phase, place, refused, unit


def blaze(rulings: Any = None, **more: Any) -> Battle:
    """A burning man with three wounds and a rifle, and three friends behind."""
    man = unit("Man", "Rifle", "Staff", mastery=1, wounds=3, wear=[on_fire()], **{**at(20, 20), **more})
    friends = unit("Friends", "Rifle", models=3, spots=[at(20, 15), at(22, 15), at(20, 5)])
    return fight([man, friends], [unit("Foe", **at(20, 30))], rulings)


SHOT = {"unit": "Man", "weapon": "Rifle", "target": "Foe"}


@pytest.mark.clause("SE-87", "SE-88", "SE-89")
def test_a_burning_model_takes_a_hit_and_runs():
    battle = blaze()
    do(battle, "fire_test", 5, 3, 90, unit="Man")
    man = battle.state.fighter("Man")
    at_ = place(battle, "Man")
    assert (man.condition.wounds, at_.x, round(at_.y, 6)) == (2, 24.0, 20.0)
    assert "runs about" in notes(battle, "Man")


@pytest.mark.clause("SE-89")
def test_running_stops_at_the_edge_and_at_others():
    west = blaze(x=1, y=20)
    do(west, "fire_test", 1, 1, 270, unit="Man")
    assert 0.5 <= place(west, "Man").x < 0.7
    south = blaze(x=20, y=18)
    do(south, "fire_test", 1, 1, 180, unit="Man")
    assert 16.0 <= place(south, "Man").y < 16.2


@pytest.mark.clause("SE-89")
def test_a_burning_model_acts_where_it_is_ruled_so():
    battle = blaze({"burning_model": "acts"})
    do(battle, "fire_test", 1, 1, 180, unit="Man")
    do(phase(battle, "shooting"), "shoot", 1, **SHOT)


@pytest.mark.clause("SE-91")
def test_a_fire_that_goes_out_costs_the_turn():
    battle = blaze()
    do(battle, "fire_test", 6, unit="Man")
    assert not battle.state.fighter("Man").is_burning
    battle.push("end_turn")
    battle.push("end_turn")
    do(battle, "move", unit="Man", x=20, y=21)


@pytest.mark.clause("SE-92", "SE-93", "SE-94", "SE-91")
def test_friends_come_near_and_beat_out_the_flames():
    battle = blaze()
    order = {"unit": "Man", "helpers": ["Friends 1", "Friends 2"]}
    do(battle, "fire_test", 2, 1, 180, unit="Man")
    assert battle.odds("beat_out", **order).odds("out").chance(1) == Fraction(1, 3)
    do(battle, "beat_out", 5, **order)
    man, first = battle.state.fighter("Man"), battle.state.fighter("Friends 1")
    assert not man.is_burning
    assert first.done.helped


@pytest.mark.clause("SE-92", "SE-93")
def test_flames_that_were_beaten_in_vain_burn_on():
    battle = blaze()
    do(battle, "fire_test", 2, 1, 180, unit="Man")
    do(battle, "beat_out", 5, unit="Man", helpers=["Friends 1"])
    assert refused(battle, "beat_out", "SE-93", unit="Man", helpers=["Friends 2"]).kind == "beaten"
    assert battle.state.fighter("Man").is_burning


@pytest.mark.clause("SE-93")
def test_six_helpers_need_no_die():
    friends = unit("Friends", models=6)
    battle = fight([unit("Man", wounds=3, wear=[on_fire()]), friends], [unit("Foe")])
    do(battle, "fire_test", 2, 1, unit="Man")
    do(battle, "beat_out", unit="Man", helpers=[f"Friends {number}" for number in range(1, 7)])
    assert not battle.state.fighter("Man").is_burning


@pytest.mark.clause("SE-95")
def test_some_models_may_ignore_the_flames():
    battle = blaze(types=["frenzied"])
    do(battle, "fire_test", "ignores them", 3, 3, unit="Man")
    man = battle.state.fighter("Man")
    assert (man.condition.wounds, man.is_burning) == (2, True)
    do(battle, "move", unit="Man", x=20, y=22)
    do(phase(battle, "shooting"), "shoot", 1, **SHOT)
    again = blaze(types=["frenzied"])
    do(again, "fire_test", "runs about", 3, 3, 180, unit="Man")
    refused(again, "move", "SE-89", unit="Man", x=20, y=17)


@pytest.mark.clause("SE-95")
def test_ignored_flames_spare_the_model_where_it_is_ruled_so():
    battle = blaze({"ignored_flames": "no_hits"}, types=["tyranid"])
    do(battle, "fire_test", "ignores them", 3, unit="Man")
    assert labels(battle) == ["the flames", "fire test"]


@pytest.mark.clause("SE-96", "SE-88")
def test_a_burning_vehicle_hands_its_hits_to_the_base_game():
    cart = unit("Cart", toughness="none", types=["vehicle"], wear=[on_fire()])
    battle = fight([cart], [unit("Foe")])
    do(battle, "fire_test", "ignores them", 2, unit="Cart")
    assert battle.state.fighter("Cart").condition.vehicle_hits == 1
    assert "armour penetration" in notes(battle, "Cart")


@pytest.mark.clause("SE-90")
def test_a_burning_model_need_not_keep_to_its_unit():
    pair = {"models": 2, "spots": [at(20, 20), at(26, 20)]}
    assert "strays" in notes(fight([unit("Pair", **pair)]), "Pair 1")
    battle = fight([unit("Pair", wear=[on_fire(1)], wounds=3, **pair)])
    assert "strays" not in notes(battle, "Pair 1")
    assert "strays" in notes(battle, "Pair 2")


@pytest.mark.clause("SE-98")
def test_the_stronger_fire_is_kept():
    hot = {"name": "Furnace", "strength": 5, "incendiary": True, "short_range": 12.0, "long_range": 24.0}
    man = unit("Man", weapons=[{"name": "Furnace"}], arsenal=[hot])
    battle = phase(fight([man], [unit("Foe", wear=[on_fire()], wounds=2)]), "shooting")
    do(battle, "shoot", 4, 1, unit="Man", weapon="Furnace", target="Foe", distance=9)
    assert battle.state.fighter("Foe").condition.on_fire.weapon == "Furnace"
