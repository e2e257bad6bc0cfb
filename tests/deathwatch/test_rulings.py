"""Rulings: every switch and decision of the catalogue is a field, with defaults as the vectors have them."""

from __future__ import annotations

import re

import pytest

from battletape.clauses import read_clauses
from battletape.errors import BadInput
from battletape.inputs import Field, fields, parse_inputs
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rulings import DEFAULT, PRESETS, Rulings

PACKAGE = "battletape.rulesets.deathwatch"
FIELDS = {given.name: given for given in fields(Rulings)}
SWITCHES = {  # names and defaults as the vectors have them
    "auto_results": "none",
    "modifier_cap": 60,
    "combat_table": "literal",
    "accurate_dice": True,
    "dos_minimum_die": False,
    "tearing": "extra_die_drop_lowest",
    "righteous_fury": "eligible_only",
    "power_fist": "literal_double",
    "untrained_flame": "sheet",
    "jam_clear_empties_clip": True,
    "cover_degrades": False,
    "scatter_with_burst": "additive",
    "multi_dodge": "one_plus_dos",
    "horde_explosive": "per_attack",
    "horde_melee_minimum": 0,
    "horde_devastating": "extra_hits",
    "scatter_distance": "1d5",
    "blood_loss_percent": 10,
}


@pytest.mark.parametrize("field", FIELDS.values(), ids=list(FIELDS))
def test_the_clause_of_a_ruling_names_it(field: Field) -> None:
    assert field.name in read_clauses(PACKAGE)[field.clause].note


def test_eighteen_switches_and_thirty_one_fields_for_the_other_decisions() -> None:
    assert len(FIELDS) == 18 + 31
    assert {name: getattr(DEFAULT, name) for name in SWITCHES} == SWITCHES


def test_titles_and_words_are_short_enough_for_a_table() -> None:
    assert max(len(field.title) for field in FIELDS.values()) <= 40
    assert max(len(words) for field in FIELDS.values() for _, words in field.alternatives) <= 50


@pytest.mark.clause("DW-QUAL-ACCURATE", "DW-JAM-2", "DW-EVA-2", "DW-RF-3")
def test_the_preset_sheet_does_no_more_than_the_sheet_says() -> None:
    aimed = {"weapon": "Astartes Boltgun (Stalker)", "aim": "full", "measures": ["damage"]}
    letter, usual = (RULESET.ask("shoot", **aimed, preset=preset) for preset in ("sheet", "usual"))
    assert letter.odds("hits").fractions() == usual.odds("hits").fractions()  # +10 in both
    assert (
        letter.odds("damage").fractions()
        == RULESET.ask("shoot", **aimed, accurate_dice=False).odds("damage").fractions()
    )
    assert letter.odds("damage").mean < usual.odds("damage").mean
    shots = {"weapon": "Autogun", "mode": "single", "shots": 3, "bs": 60, "measures": ["rounds"]}
    core = RULESET.ask("shoot", **shots, preset="core").rulings
    assert (core.jam_clear_empties_clip, core.accurate_dice) == (True, True)
    assert not RULESET.ask("shoot", **shots, preset="sheet").rulings.jam_clear_empties_clip
    burst = {"weapon": "Astartes Bolter (Godwyn)", "mode": "full", "to_hit": 100, "dodge": 100, "reaction": "dodge"}
    landed = RULESET.ask("shoot", **burst, preset="sheet")
    assert (
        landed.odds("landed").fractions()
        == RULESET.ask("shoot", **burst, multi_dodge="one_hit").odds("landed").fractions()
    )
    assert RULESET.ask("shoot", weapon="Autogun", fury="sure", preset="sheet").odds("damage").fractions() == (
        RULESET.ask("shoot", weapon="Autogun", fury="none", preset="sheet").odds("damage").fractions()
    )


def test_the_preset_usual_changes_nothing_and_core_only_what_the_core_book_has() -> None:
    assert parse_inputs(Rulings, PRESETS["usual"]) == DEFAULT
    core = parse_inputs(Rulings, PRESETS["core"])
    changed = {name for name in FIELDS if getattr(core, name) != getattr(DEFAULT, name)}
    assert (
        changed
        == set(PRESETS["core"])
        == {
            *("combat_table", "dos_minimum_die", "power_fist", "untrained_flame", "cover_degrades"),
            *("horde_melee_minimum", "horde_devastating"),
        }
    )


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("modifier_cap", 201, "modifier_cap must be a whole number from 0 to 200; got 201 (DW-TEST-4)."),
        ("blood_loss_percent", -1, "blood_loss_percent must be a whole number from 0 to 100; got -1 (DW-BLOOD-1)."),
        (
            "scatter_distance",
            "2d6",
            "scatter_distance must be one of 1d5, 1d10; got '2d6' (DW-SCAT-2).",
        ),
        ("combat_tabel", "literal", "there is no input 'combat_tabel' here. Did you mean combat_table?"),
    ],
)
def test_a_bad_ruling_is_refused_in_a_sentence(name: str, value: object, said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        parse_inputs(Rulings, {name: value})
