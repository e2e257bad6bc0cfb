"""Tables as they are printed: every one is square, has its clause, and says what the rules do."""

from __future__ import annotations

import pytest

from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.printed import critical_table, deaths_table, printed_tables

TABLES = {table.title.partition(":")[0].partition(",")[0]: table for table in printed_tables()}


@pytest.mark.clause("DW-SUMM-00")
def test_the_summary_by_ruling():
    literal = {row[0]: row[2] for row in TABLES["Combat difficulty summary"].rows}
    core = next(one for one in printed_tables(Rulings(combat_table="corrected")) if one.clause == "DW-SUMM-00")
    corrected = {row[0]: row[2] for row in core.rows}
    assert {name for name in literal if literal[name] != corrected[name]} == {
        "Fatigued",
        "Mud or heavy rain",
        "Target in melee",
        "Dodges while prone",
        "Unarmed against an armed enemy",
    }


@pytest.mark.clause("DW-CRIT-1", "DW-CRIT-2")
def test_the_critical_tables():
    for letter, name in (("E", "energy"), ("X", "explosive"), ("I", "impact"), ("R", "rending")):
        table = critical_table(letter)
        assert name in table.title
        assert [row[0] for row in table.rows] == [str(row) for row in range(1, 11)]
        assert all("dead" in cell for cell in table.rows[-1][1:])
    assert critical_table("R").title.endswith("(core pages 258-259)")
    assert deaths_table().rows == (
        ("Energy", "10, 9", "9, -", "8, -", "10, 9"),
        ("Explosive", "8, 7", "8, -", "6, -", "8, 7"),
        ("Impact", "9, 8", "9, -", "8, -", "9, 8"),
        ("Rending", "9, 8", "9, 8", "8, -", "9, 8"),
    )


def test_the_gear():
    assert len(TABLES["Ranged weapons"].rows) == 25
    assert len(TABLES["Melee weapons"].rows) == 15
    bolter = next(row for row in TABLES["Ranged weapons"].rows if row[0] == "Astartes Bolter (Godwyn)")
    assert bolter == ("Astartes Bolter (Godwyn)", "Basic", "100 m", "S/2/4", "2d10+5 X", "5", "28", "Full", "Tearing")
    assert TABLES["Armour"].rows[0][:5] == ("Astartes Power Armour", "8", "8", "10", "8")


def test_spans_as_players_write_them():
    assert [row[0] for row in TABLES["Hit locations"].rows] == ["01-10", "11-20", "21-30", "31-70", "71-85", "86-00"]
    assert TABLES["Renown"].rows[0] == ("0-19", "Initiated")
    assert TABLES["Renown"].rows[-1] == ("80 or more", "Hero")
    far = next(one for one in printed_tables(Rulings(point_blank=3)) if one.clause == "DW-RANGE-1")
    assert far.rows[0][1] == "3 m or less, not in melee"
