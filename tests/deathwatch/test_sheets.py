"""Character sheets and horde cards: the body with its armour, wounds, critical rows and clips as they stand."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.battle import Battle
from battletape.rulesets.deathwatch.tables.criticals import WORDS
from battletape.sheets import Body, Boxes, Compass, Grid, Stats, Ticks
from battletape.sheets.typeset import pdf
from battletape.views.sheets import Source, from_battle, from_names, make_document
from tests.sheets.cards import blocks, cards_of
from tests.sheets.paper import Paper, squeezed

CARD = registry.ruleset("deathwatch")
cards = partial(cards_of, CARD)


@pytest.mark.clause("DW-LOC-1", "DW-ARM-1")
def test_the_body_has_the_numbers_and_the_armour_of_its_places():
    (card,) = cards("character_sheets", from_names(CARD, ["Brother Cato"]))
    (body,) = blocks(card, Body)
    assert [(place.spot, place.roll, place.armour) for place in body.places] == [
        ("head", "01–10", "8"),
        ("right_arm", "11–20", "8"),
        ("left_arm", "21–30", "8"),
        ("body", "31–70", "10"),
        ("right_leg", "71–85", "8"),
        ("left_leg", "86–00", "8"),
    ]
    derived = dict(blocks(card, Stats)[1].stats)
    assert (derived["SB"], derived["TB"], derived["AB"], derived["run"]) == ("8", "8", "4", "30 m")
    weapons = blocks(card, Grid)[0]
    assert [row[0] for row in weapons.rows] == ["Astartes Bolter (Godwyn)", "Astartes Combat Knife"]
    assert weapons.rows[0][-1] == "Tearing"


@pytest.mark.clause("DW-CRIT-2", "DW-DMG-2")
def test_a_battle_prints_wounds_critical_rows_conditions_and_clips():
    battle = Battle.new("deathwatch")
    state = battle.state
    fighter = state.fighters[0]
    now = replace(fighter.conditions, stunned=2, lost=("left_hand",), armour_lost=(("body", 3),), fatigue=1)
    gun = replace(fighter.weapons[0], clip=5, jammed=True)
    hurt = replace(fighter, health=-3, conditions=now, weapons=(gun, *fighter.weapons[1:]))
    battle._after[0] = state.with_units(hurt)
    source = from_battle(battle)
    card = next(card for card in cards("character_sheets", source) if card.title == fighter.name)
    wounds, fatigue = blocks(card, Ticks)
    assert wounds.ticked == fighter.profile.wounds
    assert fatigue.ticked == 1
    critical, conditions = blocks(card, Boxes)
    assert [box.words for box in critical.boxes if box.ticked] == ["1", "2", "3"]
    assert [box.words for box in conditions.boxes if box.ticked] == ["stunned"]
    places = {place.spot: place for place in blocks(card, Body)[0].places}
    assert places["body"].armour == str(fighter.armour[3] - 3)
    assert places["left_arm"].note == "lost left hand"
    weapons, rows = blocks(card, Grid)
    assert weapons.rows[0][0] == f"{gun.name} (jammed)"
    assert weapons.rows[0][6] == f"5/{gun.profile.clip}"
    assert rows.rows[0][1] == WORDS["E", "arm", 3]
    text = squeezed(Paper(pdf(make_document(CARD, ("character_sheets",), source))).text())
    assert squeezed(WORDS["R", "leg", 3]) in text
    assert f"5/{gun.profile.clip}" in text


@pytest.mark.clause("DW-HORDE-3")
def test_a_horde_has_its_magnitude_in_boxes():
    (card,) = cards("horde_cards", from_names(CARD, ["Raider mob"]))
    (ticks,) = blocks(card, Ticks)
    assert (sum(ticks.groups), ticks.ticked) == (30, 0)
    battle = Battle.new("deathwatch")
    mob = battle.state.mobs[0]
    battle._after[0] = battle.state.with_units(replace(mob, magnitude=mob.starting - 7))
    card = next(card for card in cards("horde_cards", from_battle(battle)) if card.title == mob.name)
    (ticks,) = blocks(card, Ticks)
    assert (sum(ticks.groups), ticks.ticked) == (mob.starting, 7)


@pytest.mark.clause("DW-SCAT-1")
def test_the_scatter_diagram_has_its_faces_around_it():
    (part,) = make_document(CARD, ("markers",), Source(rulings=CARD.parse_rulings({}))).parts
    compass = next(shape for shape in part.shapes if isinstance(shape, Compass))  # type: ignore[union-attr]
    assert compass.words == ("2", "3", "5", "9–10", "8", "6–7", "4", "1")
