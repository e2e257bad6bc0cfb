"""The printed tables as a player sees them."""

from __future__ import annotations

from math import ceil

import pytest

from battletape.rulesets.diceless40k.rules.saves import Column
from battletape.rulesets.diceless40k.tables import printed, sheet


@pytest.mark.clause("DL-T1", "DL-20.2")
def test_table_1_and_its_excerpt():
    table = printed.saves_table()
    assert (len(table.rows), table.head) == (100, ("DMG", "2+", "3+", "4+", "5+", "6+"))
    assert table.rows[31] == ("32", "5", "11", "16", "21", "27")
    assert printed.excerpt_table().rows == table.rows[:10]


@pytest.mark.clause("DL-T1")
@pytest.mark.parametrize(
    ("dmg", "column", "cell"),
    [(32, "3+", "11"), (128, "3+", "9 33"), (200, "2+", "17"), (60, "2+ halved", "10"), (1, "6+", "1")],
)
def test_the_cells_in_use_are_marked(dmg: int, column: Column, cell: str):
    table = printed.saves_in_use([(dmg, column)])
    assert table is not None
    assert table.mark is not None
    marked = [table.rows[row][at] for row, at in (table.mark, *table.also)]
    assert marked == cell.split()
    assert len(table.rows) == len(marked)


@pytest.mark.clause("DL-T1")
def test_nothing_is_marked_without_a_save():
    assert printed.saves_in_use([(32, "none")]) is None
    assert printed.saves_table().mark is None


@pytest.mark.clause("DL-T2", "DL-T3")
def test_tables_2_and_3():
    table = printed.leadership_table()
    assert table.rows[0] == ("table 2", "6", "17", "33", "56", "83", "117", "144", "167", "183")
    assert table.rows[1][1:] == ("11", "32", "61", "96", "132", "165", "185", "194", "199")
    for ld, reroll, cell in ((8, False, "144"), (12, True, "199"), (2, True, "11")):
        marked = printed.leadership_table(ld, reroll)
        assert marked.mark is not None
        assert marked.rows[marked.mark[0]][marked.mark[1]] == cell
    assert printed.leadership_table(1).mark is None


@pytest.mark.clause("DL-T4")
def test_all_21_thresholds_of_table_4_are_parts_of_36():
    for number, (_, _, cells) in enumerate(sheet.VEHICLE_LINES, start=1):
        hits = [f"{ceil(36 * hit / number)}{'G' if hit == 1 else 'P'}" for hit in range(1, number + 1)]
        assert cells.split() == hits
    assert [(name, av_s) for name, av_s, _ in sheet.VEHICLE_LINES] == list(
        zip("ABCDEF", (6, 5, 4, 3, 2, 1), strict=True)
    )
    table = printed.vehicle_table(["E", None, "E"])
    assert table.mark == (4, 2)
    assert table.rows[4] == ("E", "2", "8G, 15P, 22P, 29P, 36P")
    assert table.rows[5][1] == "under 2"
    assert printed.vehicle_table(["G"]).mark is None


@pytest.mark.clause("DL-6.4")
def test_the_sample_profiles():
    assert printed.sample_table().rows == (
        ("Ork Boyz", "4", "2", "3", "4", "1", "2", "2", "7", "6+", "40", "0"),
        ("Space Marines", "4", "4", "4", "4", "1", "4", "1", "8", "3+", "40", "0"),
    )


@pytest.mark.clause("DL-T5", "DL-T6", "DL-T7", "DL-0.3")
def test_every_table_is_printed():
    tables = {table.clause: table for table in printed.printed_tables()}
    assert list(tables) == [
        "DL-6.4",
        "DL-20.2",
        "DL-T1",
        "DL-T2",
        "DL-T4",
        "DL-T5",
        "DL-T6",
        "DL-T7",
        "DL-29.2",
    ]
    assert [row[1] for row in tables["DL-T5"].rows] == ["6", "5", "4", "3"]
    assert tables["DL-T6"].rows == (
        ("DMG", "factor × (T-2)", "factor × (T-1)", "factor × T", "factor × (T+1)", "factor × (T+2)"),
    )
    assert dict(tables["DL-T7"].rows) == {
        "angle red, heavy weapons": "+1",
        "angle orange, heavy weapons": "0",
        "angle yellow, heavy weapons": "-1",
        "target immobile": "+2",
        "target combat": "+1",
        "target cruising": "0",
        "target flat out": "-1",
        "AP1": "+1",
        "AP-": "-1",
        "twin-linked or a re-roll to hit": "+1",
        "tank hunters": "+1",
        "heavy weapons, every 12 inches under their range": "+1",
    }
    assert all(len(row) == len(table.head) for table in tables.values() for row in table.rows)
