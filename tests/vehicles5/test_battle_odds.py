"""The battle: the odds of an action forget what nobody measures, and are those of the action itself."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.inputs import parse_inputs
from battletape.tape.exact import Exact
from battletape.tape.limits import Budget
from battletape.tape.rolled import Rolled
from battletape.tape.script import Script
from tests.vehicles5.battles import battle, box, squad, to_phase, vehicle

CRATE = vehicle("Crate", "Hay wain", 20, 20, 90)


def in_full(one: Battle, action: str, **params: Any) -> dict[str, Any]:
    """Every measure of an action, worked out without forgetting anything."""
    card = one.rules.action(action)
    order = parse_inputs(card.inputs, params, "")
    work = one.rules.plan(card, one.state, order).begin.on(Script())
    odds = Exact().run(card.procedure(work).stages, work)
    return {measure.name: odds.project(measure.of).fractions() for measure in card.measures}


def told(one: Battle, action: str, **params: Any) -> dict[str, Any]:
    """The same, as a player is told before acting."""
    answer = one.odds(action, params)
    return {measure.name: answer.odds(measure.name).fractions() for measure in answer.question.measures}


@pytest.mark.clause("V5-RAM-7", "V5-RAM-3", "V5-DMG-6")
def test_the_odds_of_a_ram_are_those_of_the_ram():
    men = squad("Men", "Furnace gunners", 0, 0, models=1, aboard="Crate")
    one = battle([vehicle("Bull", "Bull ram", 20, 10)], [CRATE, men, squad("Watch", "Harbour watch", 20, 25, models=1)])
    order = {"unit": "Bull", "target": "Crate"}
    assert told(one, "ram", **order) == in_full(one, "ram", **order)


@pytest.mark.clause("V5-TANK-5", "V5-DOG-3", "V5-TERR-3")
def test_the_odds_of_a_tank_shock_are_those_of_the_tank_shock():
    bog = {"name": "Bog", "kind": "dangerous", "corners": box(10, 19, 30, 22)}
    north = [squad("Watch", "Harbour watch", 20, 16, 180, models=2), CRATE | {"y": 40}]
    one = battle([vehicle("Bull", "Bull ram", 20, 10)], north, [bog])
    order = {"unit": "Bull", "heading": 0.0, "inches": 10.0}
    assert told(one, "tank_shock", **order) == in_full(one, "tank_shock", **order)


@pytest.mark.clause("V5-DMG-6", "V5-CORE-3", "V5-ASLT-6")
def test_the_odds_of_shots_and_blows_follow_the_units_they_measure():
    men = squad("Men", "Furnace company", 20, 17.5, models=2)
    one = battle(
        [vehicle("Tank", "Anvil battle tank", 20, 4), men], [CRATE, squad("Watch", "Harbour watch", 25, 20, models=1)]
    )
    one.push("end_phase")
    cannon = {"guns": [{"gun": "Battle cannon"}]}
    for target in ("Crate", "Watch"):
        order = {"unit": "Tank", "target": target, **cannon}
        assert told(one, "fire", **order) == in_full(one, "fire", **order)
    one.push("end_phase")
    blows = {"unit": "Men", "target": "Crate", "grenade": "Krak grenade"}
    found = told(one, "assault", **blows)
    assert found == in_full(one, "assault", **blows)
    assert 0 < found["own_gone"][1] < found["target_gone"][1]  # its crew may take the attackers along


@pytest.mark.clause("V5-RAM-6", "V5-DMG-6")
def test_a_ram_of_a_loaded_transport_among_squads_stays_small():
    north = [
        vehicle("Carrier", "Barrow carrier", 10, 22, 90),
        squad("Company", "Furnace company", 0, 0, aboard="Carrier"),
        squad("Watch", "Harbour watch", 10, 28, 180),
    ]
    one = battle([vehicle("Bull", "Bull ram", 10, 10), squad("Blades", "Furnace blades", 16, 22)], north)
    answer = one.odds("ram", unit="Bull", target="Carrier")
    assert answer.odds("target_destroyed").chance(1) == answer.odds("target_destroyed").mean
    assert answer.states.total == sum(answer.states.weights.values())  # nothing was left out
    assert sum(count.states for count in answer.counts) < 5_000


@pytest.mark.clause("V5-RAM-7", "V5-DMG-6", "V5-TRAN-7")
def test_who_stands_in_the_way_of_passengers_counts_for_the_ram_that_goes_on():
    north = [
        CRATE,
        squad("Men", "Furnace gunners", 0, 0, models=1, aboard="Crate"),
        squad("Beside", "Harbour watch", 23.5, 20, models=1),
        vehicle("Behind", "Hay wain", 20, 27, 90),
        squad("Watch", "Harbour watch", 20, 23.5, models=1),
    ]
    one = battle([vehicle("Bull", "Bull ram", 20, 10), squad("Far", "Furnace blades", 40, 40, models=1)], north)
    order = {"unit": "Bull", "target": "Crate", "heading": 0}
    found = told(one, "ram", **order)
    assert found == in_full(one, "ram", **order)
    assert len(found["moved"]) > 3  # stopped before it, at it, and beyond


@pytest.mark.clause("V5-WALK-8", "V5-CORE-20", "V5-DMG-6")
def test_the_odds_of_a_fight_are_those_of_the_fight():
    south = [squad("Blades", "Furnace blades", 20, 4, models=3), squad("Watchers", "Harbour watch", 25, 5, models=1)]
    one = battle(south, [vehicle("Strider", "Warden strider", 20, 9, 180), CRATE | {"y": 40}])
    one.push("end_phase")
    one.push("end_phase")
    order = {"unit": "Blades", "target": "Strider", "grenade": "Krak grenade"}
    found = told(one, "assault", **order)
    assert found == in_full(one, "assault", **order)
    assert 0 < found["own_gone"][1] < 1
    one.push("assault", **order, tape=Rolled(2))
    assert one.state.squad("Blades").locked_with == ("Strider",)
    for _ in range(3):
        one.push("end_phase")
    assert one.state.phase == "assault"
    assert told(one, "fight", unit="Blades") == in_full(one, "fight", unit="Blades")


def crowd() -> Battle:
    """A squad on the line of a ram, passengers in its target, and a second vehicle behind that."""
    north = [
        vehicle("Dest", "Barrow carrier", 24, 24, 90),
        squad("Blades", "Furnace blades", 24, 17, 180),
        squad("Inside", "Long rifles", 0, 0, aboard="Dest"),
        vehicle("Behind", "Kingfisher", 24, 29, 90),
    ]
    return battle([vehicle("Bull", "Bull ram", 24, 10)], north)


@pytest.mark.clause("V5-RAM-7")
def test_the_odds_of_a_ram_into_a_crowd_keep_to_their_budget():
    answer = crowd().odds("ram", unit="Bull", target="Dest", heading=0, budget=Budget(branches=6000))
    odds = answer.odds("target_destroyed")
    assert odds.unexplored < 0.02
    assert 0.08 < odds.chance(1) <= 0.12


@pytest.mark.clause("V5-RAM-7")
def test_the_odds_of_an_action_have_a_budget_of_their_own(monkeypatch):
    monkeypatch.setattr("battletape.battle.preview.PREVIEW_SECONDS", 0.0)
    found = crowd().odds("ram", unit="Bull", target="Dest", heading=0)
    assert found.odds("moved").unexplored > 0


@pytest.mark.clause("V5-VOLLEY-2")
def test_a_blast_may_still_blow_up_what_the_same_volley_has_wrecked():
    def exploded(order: str, *guns: str) -> Fraction:
        barge, wain = vehicle("Barge", "Lantern barge", 20, 10), vehicle("Wain", "Hay wain", 20, 26, 90)
        one = to_phase(battle([barge], [wain], rulings={"volley_order": order}), "shooting")
        fired = {"unit": "Barge", "target": "Wain", "guns": [{"gun": gun} for gun in guns]}
        assert told(one, "fire", **fired) == in_full(one, "fire", **fired)
        return one.odds("fire", fired).odds("exploded").chance(1)

    lance, cannon = exploded("batch", "Left lance"), exploded("batch", "Plasma cannon")
    assert (lance, float(cannon)) == (Fraction(1, 9), pytest.approx(0.079380, abs=1e-6))
    assert exploded("batch", "Left lance", "Right lance") == 1 - (1 - lance) ** 2 == Fraction(17, 81)
    assert exploded("batch", "Left lance", "Plasma cannon") == 1 - (1 - lance) * (1 - cannon)
    assert exploded("batch", "Plasma cannon", "Left lance") == 1 - (1 - lance) * (1 - cannon)
    assert exploded("sequential", "Left lance", "Plasma cannon") < 1 - (1 - lance) * (1 - cannon)
    assert exploded("sequential", "Left lance") == lance


@pytest.mark.clause("V5-VOLLEY-2")
def test_a_blast_does_not_blow_up_a_wreck_of_an_earlier_volley():
    barges = [vehicle("First", "Lantern barge", 16, 10), vehicle("Second", "Lantern barge", 24, 10)]
    north = [vehicle("Wain", "Hay wain", 20, 26, 90), vehicle("Other", "Hay wain", 20, 29, 90)]
    one = to_phase(battle(barges, north, rulings={"volley_order": "batch"}), "shooting")
    guns = [{"gun": "Left lance"}, {"gun": "Right lance"}]
    seed = 0
    while one.state.vehicle("Wain").condition.status != "wrecked":
        if seed:
            one.pop()
        one.push("fire", {"unit": "First", "target": "Wain", "guns": guns}, tape=seed)
        seed += 1
    for seed in range(40):
        one.push("fire", {"unit": "Second", "target": "Other", "guns": [{"gun": "Plasma cannon"}]}, tape=seed)
        assert one.state.vehicle("Wain").condition.status == "wrecked"
        one.pop()
