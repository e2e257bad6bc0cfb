"""Vehicle and squad cards: armour, arcs and condition from a profile and from a battle."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.battle import Battle
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.sheets import Boxes, Grid, Plan, Sector, Ticks
from battletape.views.sheets import Source, from_battle, from_names, make_document
from tests.sheets.cards import blocks, cards_of

CARD = registry.ruleset("vehicles5")
cards = partial(cards_of, CARD)


@pytest.mark.clause("V5-LOS-3")
def test_a_vehicle_has_its_armour_its_arcs_and_the_damage_table():
    vehicle = CARD.book.find("vehicle", "Tollgate wagon")
    (card,) = cards("vehicle_cards", from_names(CARD, ["Tollgate wagon"]))
    (plan,) = blocks(card, Plan)
    assert (plan.front, plan.side, plan.rear) == (str(vehicle.front), str(vehicle.side), str(vehicle.rear))
    assert plan.border == 45
    assert [(arc.letter, arc.lo, arc.hi) for arc in plan.arcs] == [("A", -22.5, 22.5), ("B", -22.5, 22.5)]
    guns, damage, modifiers = blocks(card, Grid)
    assert [row[1] for row in guns.rows] == ["Autocannon", "Heavy stubber"]
    assert damage.rows[-1] == ("6 or more", "exploded")
    assert modifiers.clause == "V5-DMGMOD-5"


@pytest.mark.parametrize("degrees", [45, 90])
def test_arcs_follow_the_rulings(degrees):
    source = from_names(CARD, ["Tollgate wagon"], {"hull_arc_degrees": degrees, "facing_model": "corner"})
    (card,) = cards("vehicle_cards", source)
    (plan,) = blocks(card, Plan)
    assert plan.arcs[0].hi - plan.arcs[0].lo == degrees
    assert plan.border == pytest.approx(29.05, abs=0.01)  # the corner of a hull of 4.5 by 2.5
    (part,) = make_document(CARD, ("markers",), Source(rulings=Rulings(hull_arc_degrees=degrees))).parts
    arcs = [shape.degrees for shape in part.shapes if isinstance(shape, Sector)]  # type: ignore[union-attr]
    assert arcs == [90, degrees]


@pytest.mark.clause("V5-DMG-3", "V5-DMG-4")
def test_a_battle_ticks_what_a_vehicle_has_suffered():
    battle = Battle.new("vehicles5")
    state = battle.state
    vehicle = next(vehicle for vehicle in state.vehicles if len(vehicle.condition.weapons) > 1)
    lost = vehicle.condition.weapons[0]
    hurt = replace(vehicle.condition, immobilised=True, weapons=vehicle.condition.weapons[1:])
    battle._after[0] = state.with_units(replace(vehicle, condition=hurt, stunned_until=state.turn))
    card = next(card for card in cards("vehicle_cards", from_battle(battle)) if card.title == vehicle.name)
    (condition,) = blocks(card, Boxes)
    assert [box.words for box in condition.boxes if box.ticked] == ["stunned", "immobilised"]
    guns = blocks(card, Grid)[0]
    assert next(row[-1] for row in guns.rows if row[1].startswith(lost)) == "×"
    (plan,) = blocks(card, Plan)
    assert [arc.gone for arc in plan.arcs].count(True) == 1


def test_a_battle_ticks_the_wounds_of_squads():
    battle = Battle.new("vehicles5")
    squad = battle.state.squads[0]
    battle._after[0] = battle.state.with_units(replace(squad, models=squad.models - 2))
    card = next(card for card in cards("squad_cards", from_battle(battle)) if card.title == squad.name)
    assert blocks(card, Ticks)[0].ticked == 2 * squad.profile.wounds
