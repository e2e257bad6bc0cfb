"""Rulings: every decision of the catalogue is a field, and the presets are those of the vectors."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from battletape.clauses import read_clauses
from battletape.errors import BadInput
from battletape.inputs import fields, parse_inputs
from battletape.rulesets.vehicles5.rulings import DEFAULT, PRESETS, Rulings

PACKAGE = "battletape.rulesets.vehicles5"
FIELDS = {one.name: one for one in fields(Rulings)}
# the options of the vectors, and their values under the preset that follows the full rule book
CORE5 = {
    "volley_order": "sequential",
    "assault_facing": "rear",
    "ap_none_modifier": 0,
    "ram_strength_cap": 10,
    "dog_weapon_destroyed_stops": False,
    "stunned_may_pivot": True,
    "dodge_requires_mobile": True,
    "flat_out_symmetric": True,
    "passenger_fire_max_band": "combat",
    "facing_model": "corner",
    "hull_arc_degrees": 45,
    "one_unit_per_transport": True,
}
SHEET = {
    **CORE5,
    "dog_weapon_destroyed_stops": True,
    "dodge_requires_mobile": False,
    "flat_out_symmetric": False,
    "passenger_fire_max_band": None,
    "facing_model": "quarters",
}


def test_the_notes_of_the_clauses_name_every_ruling_and_no_id_that_a_player_cannot_look_up() -> None:
    notes = " ".join(clause.note for clause in read_clauses(PACKAGE))
    assert set(FIELDS) - set(re.findall(r"\w+", notes)) == {"squadrons"}  # which are in no clause
    assert re.findall(r"\bD-[A-Z]+", notes) == []


def test_a_ruling_for_each_decision_two_for_roads_and_three_of_our_own() -> None:
    text = (files(PACKAGE) / "README.md").read_text(encoding="utf-8")
    assert len(set(re.findall(r"\| (D-[A-Z0-9]+) \|", text))) == 38
    assert len(FIELDS) == 38 + 1 + 3


@pytest.mark.parametrize(("preset", "values"), [("sheet", SHEET), ("core5", CORE5)])
def test_presets(preset: str, values: dict[str, object]) -> None:
    rules = parse_inputs(Rulings, PRESETS[preset])
    assert {name: getattr(rules, name) for name in values} == values
    assert rules.combat_morale == ("plain" if preset == "sheet" else "minus_difference")
    assert rules.shooting_morale == ("none" if preset == "sheet" else "quarter")


def test_the_sheet_is_the_default() -> None:
    assert parse_inputs(Rulings, PRESETS["sheet"]) == DEFAULT
    changed = {name for name in FIELDS if getattr(Rulings(**PRESETS["core5"]), name) != getattr(DEFAULT, name)}
    assert changed == set(PRESETS["core5"])


def test_rulings_are_read_from_texts_and_misfits_are_refused() -> None:
    assert parse_inputs(Rulings, {"ram_strength_cap": "none"}).ram_strength_cap is None
    assert parse_inputs(Rulings, {"passenger_fire_max_band": "cruising"}).passenger_fire_max_band == "cruising"
    with pytest.raises(BadInput, match="facing_model must be one of quarters, corner; got 'corners'"):
        parse_inputs(Rulings, {"facing_model": "corners"})
    with pytest.raises(BadInput, match="Did you mean crash_on"):
        parse_inputs(Rulings, {"crashon": "row_only"})
    with pytest.raises(BadInput, match="ram_strength_cap must be a whole number from 1 to 20, or none; got 0"):
        parse_inputs(Rulings, {"ram_strength_cap": 0})
