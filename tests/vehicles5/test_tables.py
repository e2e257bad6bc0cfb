"""The printed tables against the formulae of the catalogue."""

from __future__ import annotations

import itertools

import pytest

from battletape.clauses import CITED, read_clauses
from battletape.rulesets.vehicles5.rules.traits import BANDS
from battletape.rulesets.vehicles5.tables import printed


@pytest.mark.clause("V5-CORE-7")
@pytest.mark.parametrize("strength", range(1, 11))
def test_to_wound_is_four_and_the_difference(strength: int) -> None:
    for toughness in range(1, 11):
        lead = toughness - strength
        wanted = printed.NEVER if lead >= 4 else min(6, max(2, 4 + lead))
        assert printed.TO_WOUND[strength, toughness] == wanted


@pytest.mark.clause("V5-CORE-10")
@pytest.mark.parametrize("own", range(1, 11))
def test_to_hit_in_close_combat(own: int) -> None:
    for other in range(1, 11):
        wanted = 3 if own > other else 5 if other > 2 * own else 4
        assert printed.WS_TO_HIT[own, other] == wanted


@pytest.mark.clause("V5-CORE-1")
def test_to_hit_with_shooting_is_seven_less_bs() -> None:
    assert {bs: printed.BS_TO_HIT[bs] for bs in range(1, 11)} == {bs: max(2, 7 - bs) for bs in range(1, 11)}
    assert printed.BS_TO_HIT[0] == printed.NEVER


@pytest.mark.clause("V5-DMG-1", "V5-DMG-2", "V5-DMG-3", "V5-DMG-4", "V5-DMG-5", "V5-DMG-6")
def test_the_damage_table_has_the_rows_of_its_clauses() -> None:
    book = read_clauses("battletape.rulesets.vehicles5")
    words = {"shaken": "shaken", "exploded": "explodes", "weapon_destroyed": "weapon destroyed"}
    for die, row in printed.DAMAGE_TABLE.items():
        assert words.get(row, row) in book[f"V5-DMG-{die}"].title.lower()


@pytest.mark.clause("V5-DMGMOD-1", "V5-DMGMOD-2", "V5-DMGMOD-3", "V5-DMGMOD-4")
def test_damage_modifiers() -> None:
    assert printed.DAMAGE_MODIFIERS == {"glance": -2, "ap_dash": -1, "ap_1": 1, "open_topped": 1}


@pytest.mark.clause("V5-ASLT-5", "V5-GREN-1", "V5-GREN-2", "V5-GREN-3")
def test_assaults_and_grenades() -> None:
    assert [printed.ASSAULT_TO_HIT[band] for band in BANDS] == [0, 4, 6, 6]
    assert printed.GRENADES["defensive"] == printed.GRENADES["assault"] == (4, "d6")
    assert printed.GRENADES["krak"] == (6, "d6")
    assert printed.GRENADES["melta_bomb"] == (8, "2d6")


@pytest.mark.clause("V5-MOVE-7", "V5-FIRE-5")
def test_each_speed_is_above_the_one_before_and_no_road_is_slower() -> None:
    for slow, quick in itertools.pairwise(BANDS):
        assert all(a < b for a, b in zip(printed.SPEEDS[slow], printed.SPEEDS[quick], strict=True))
    assert all(off <= on for off, on in printed.SPEEDS.values())
    assert list(printed.WEAPONS_TO_SHOOT) == list(BANDS)


def test_printed_tables_are_whole_and_cite_clauses_that_exist() -> None:
    book = read_clauses("battletape.rulesets.vehicles5")
    shown = printed.printed_tables()
    assert len({table.title for table in shown}) == len(shown) == 11
    for table in shown:
        assert table.clause in book.by_id
        assert table.rows
        assert all(len(row) == len(table.head) for row in table.rows)
        assert all(isinstance(cell, str) and cell for row in table.rows for cell in row)
    wound = next(table for table in shown if table.title.startswith("To wound"))
    assert wound.rows[2] == ("3", "2+", "3+", "4+", "5+", "6+", "6+", "-", "-", "-", "-")


def test_what_the_tables_cite_is_in_the_book() -> None:
    here = {one for one, places in CITED.items() if any(printed.__name__ in place for place in places)}
    assert {"V5-DMG-6", "V5-DMGMOD-4", "V5-GREN-3", "V5-CORE-10"} <= here
    assert here <= set(read_clauses("battletape.rulesets.vehicles5").by_id)
