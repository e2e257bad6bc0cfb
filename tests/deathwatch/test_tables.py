"""The printed tables: their widths, every row, and their look-ups."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from battletape.errors import BadInput, UnknownName
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.modifiers import Situation, attack_modifiers, row_value
from battletape.rulesets.deathwatch.rules.movement import moves
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables import sheet
from battletape.rulesets.deathwatch.tables.sheet import Craft, Moves

CORRECTED = Rulings(combat_table="corrected")
SUMMARY = """
surprised_or_unaware +30 +30
shoot_massive +30 +30
point_blank +30 +30
stunned +20 +20
shoot_enormous +20 +20
melee_outnumber_2to1 +20 +20
melee_vs_prone +10 +10
higher_ground +10 +10
shoot_hulking +10 +10
short_range +10 +10
standard_attack +0 +0
fatigued +0 -10
mud_or_heavy_rain +0 -10
long_range -10 -10
shoot_prone -10 -10
shoot_scrawny -10 -10
shoot_into_melee -10 -20
dodge_while_prone -10 -20
unarmed_vs_armed -10 -20
melee_in_darkness -20 -20
shoot_in_fog_mist_shadow_smoke -20 -20
shoot_puny -20 -20
weapon_without_talent -20 -20
deep_snow -20 -20
heavy_weapon_unbraced -30 -30
extreme_range -30 -30
shoot_completely_concealed -30 -30
shoot_in_darkness -30 -30
"""
ROWS = [line.split() for line in SUMMARY.strip().splitlines()]


@pytest.mark.clause("DW-TEST-2")
def test_thirteen_difficulties_in_steps_of_ten():
    assert list(sheet.DIFFICULTIES.values()) == list(range(60, -61, -10))
    assert len(sheet.DIFFICULTIES) == 13
    assert (sheet.DIFFICULTIES["Routine"], sheet.DIFFICULTIES["Arduous"]) == (20, -40)


@pytest.mark.clause("DW-LOC-1")
def test_the_location_table_has_its_widths_and_no_gap():
    widths = {spot: len(numbers) for numbers, spot in sheet.LOCATIONS}
    assert widths == {"head": 10, "right_arm": 10, "left_arm": 10, "body": 40, "right_leg": 15, "left_leg": 15}
    assert [number for numbers, _ in sheet.LOCATIONS for number in numbers] == list(range(1, 101))
    assert Counter(map(stages.spot_of, range(1, 101))) == widths
    assert [stages.spot_of(n) for n in (1, 10, 11, 30, 31, 70, 71, 85, 86, 100)] == [
        *("head", "head", "right_arm", "left_arm", "body", "body", "right_leg", "right_leg", "left_leg", "left_leg")
    ]


@pytest.mark.parametrize("number", [0, 101])
def test_a_location_off_the_table_is_refused(number):
    with pytest.raises(BadInput, match=rf"a number from 1 to 100, 00 for 100; got {number} \(DW-LOC-1\)"):
        stages.spot_of(number)


@pytest.mark.clause("DW-MULTI-1")
def test_the_multiple_hits_table_is_the_printed_one():
    assert sheet.MULTIPLE_HITS == {
        "head": ("head", "arm", "body", "arm", "body"),
        "arm": ("arm", "body", "head", "body", "arm"),
        "body": ("body", "arm", "head", "arm", "body"),
        "leg": ("leg", "body", "arm", "head", "body"),
    }


@pytest.mark.clause("DW-COVER-2")
def test_cover_by_material():
    by_ap = {ap: [one for one, value in sheet.COVER.items() if value == ap] for ap in (4, 8, 16, 32)}
    assert by_ap == {
        4: ["Light Wood", "Armour-glas", "Light Metal"],
        8: ["Heavy Wood", "Flakboard", "Sandbags", "Ice"],
        16: ["Rockcrete", "Thick Iron", "Stone"],
        32: ["Plasteel", "Armaplas"],
    }
    assert sheet.parse_cover("sandbags", ("head",)) == (8, ("head",))
    with pytest.raises(UnknownName, match="Did you mean 'Rockcrete'"):
        sheet.parse_cover("rokcrete", ())


@pytest.mark.clause("DW-RANGE-2")
def test_sizes_change_shooting_only():
    def added(size, melee=False, hidden=False):
        return sum(one.value for one in attack_modifiers(Situation(size=size, size_hidden=hidden), melee))

    assert list(map(added, sheet.SIZES)) == [-30, -20, -10, 0, 10, 20, 30, 40, 50, 60]
    assert {added(size, melee=True) for size in sheet.SIZES} == {0}
    assert (added("Hulking", hidden=True), added("Puny", hidden=True)) == (0, -20)


@pytest.mark.clause("DW-RANGE-2")
def test_the_summary_and_the_size_table_agree():
    rows = {size: sheet.SITUATIONS.get(f"shoot_{size.lower()}") for size in sheet.SIZES}
    printed = {size: sheet.DIFFICULTIES[row.printed] for size, row in rows.items() if row}
    assert len(printed) == 5
    assert printed == {size: sheet.SIZES[size][0] for size in printed}


@pytest.mark.clause("DW-CRAFT-POOR", "DW-CRAFT-COMMON", "DW-CRAFT-GOOD", "DW-CRAFT-BEST")
def test_craftsmanship():
    assert [sheet.GRADE_TABLE[grade] for grade in ("poor", "common", "good", "best")] == [
        Craft(-10, 0, True),
        Craft(0, 0, False),
        Craft(5, 0, False),
        Craft(10, 1, False),
    ]


@pytest.mark.clause("DW-REN-1")
def test_renown_ranks_begin_every_twenty():
    assert [(least, rank) for least, rank in sheet.RENOWN] == [
        (0, "Initiated"),
        (20, "Respected"),
        (40, "Distinguished"),
        (60, "Famed"),
        (80, "Hero"),
    ]


@pytest.mark.clause("DW-MOVE-1")
def test_the_movement_table_follows_its_formula_but_for_nought():
    assert moves(0) == Moves(Fraction(1, 2), 1, 2, 3)
    for ab in range(1, 21):
        assert moves(ab) == (ab, 2 * ab, 3 * ab, 6 * ab)
    assert list(sheet.MOVEMENT) == list(range(11))
    assert moves(-1) == moves(0)


@pytest.mark.clause(
    "DW-SUMM-00",
    "DW-SUMM-SURPRISED_OR_UNAWARE",
    "DW-SUMM-SHOOT_MASSIVE",
    "DW-SUMM-POINT_BLANK",
    "DW-SUMM-STUNNED",
    "DW-SUMM-SHOOT_ENORMOUS",
    "DW-SUMM-MELEE_OUTNUMBER_2TO1",
    "DW-SUMM-MELEE_VS_PRONE",
    "DW-SUMM-HIGHER_GROUND",
    "DW-SUMM-SHOOT_HULKING",
    "DW-SUMM-SHORT_RANGE",
    "DW-SUMM-STANDARD_ATTACK",
    "DW-SUMM-FATIGUED",
    "DW-SUMM-MUD_OR_HEAVY_RAIN",
    "DW-SUMM-LONG_RANGE",
    "DW-SUMM-SHOOT_PRONE",
    "DW-SUMM-SHOOT_SCRAWNY",
    "DW-SUMM-SHOOT_INTO_MELEE",
    "DW-SUMM-DODGE_WHILE_PRONE",
    "DW-SUMM-UNARMED_VS_ARMED",
    "DW-SUMM-MELEE_IN_DARKNESS",
    "DW-SUMM-SHOOT_IN_FOG_MIST_SHADOW_SMOKE",
    "DW-SUMM-SHOOT_PUNY",
    "DW-SUMM-WEAPON_WITHOUT_TALENT",
    "DW-SUMM-DEEP_SNOW",
    "DW-SUMM-HEAVY_WEAPON_UNBRACED",
    "DW-SUMM-EXTREME_RANGE",
    "DW-SUMM-SHOOT_COMPLETELY_CONCEALED",
    "DW-SUMM-SHOOT_IN_DARKNESS",
)
@pytest.mark.parametrize(("key", "printed", "corrected"), ROWS, ids=[row[0] for row in ROWS])
def test_every_row_of_the_summary_in_both_readings(key, printed, corrected):
    assert row_value(key) == int(printed)
    assert row_value(key, CORRECTED) == int(corrected)


def test_the_summary_has_these_rows_in_this_order():
    assert list(sheet.SITUATIONS) == [key for key, _, _ in ROWS]


def test_a_situation_may_be_written_as_people_write_it():
    assert sheet.situation_key("Short range") == "short_range"
    assert sheet.situation_key("shoot-into melee") == "shoot_into_melee"
    with pytest.raises(UnknownName, match="Did you mean 'short_range'"):
        sheet.situation_key("shot range")
