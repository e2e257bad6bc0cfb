"""The tables that players look at, against the page and against plain loops."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape import ruleset
from tests.second_edition import by_hand

TABLES = {table.title: table for table in ruleset("second_edition").tables()}
PAGE = """
4 5 6 6 - - - - - -
3 4 5 6 6 - - - - -
2 3 4 5 6 6 - - - -
2 2 3 4 5 6 6 - - -
2 2 2 3 4 5 6 6 - -
2 2 2 2 3 4 5 6 6 -
2 2 2 2 2 3 4 5 6 6
2 2 2 2 2 2 3 4 5 6
2 2 2 2 2 2 2 3 4 5
2 2 2 2 2 2 2 2 3 4
"""


@pytest.mark.clause("SE-19")
def test_the_wound_chart_as_printed():
    shown = [list(row[1:]) for row in TABLES["To wound: Strength down, Toughness across"].rows]
    assert shown == [line.split() for line in PAGE.strip().split("\n")]


@pytest.mark.clause("SE-13", "SE-15")
def test_chances_to_hit():
    for _, need, chance in TABLES["To Hit without modifiers"].rows[:10]:
        assert Fraction(chance) == by_hand.hit_chance(int(need))
    assert [row[2] for row in TABLES["To Hit without modifiers"].rows[10:]] == ["1/12", "1/18", "1/36"]


@pytest.mark.clause("SE-26", "SE-29", "SE-30")
def test_chances_to_save():
    table = TABLES["Chance to save"]
    for armour, *cells in table.rows:
        save, dice = int(armour[0]), int(armour[6])
        for modifier, cell in zip(table.head[1:], cells, strict=True):
            assert Fraction(cell.replace("-", "0")) == by_hand.save_chance(save, int(modifier), dice)


@pytest.mark.clause("SE-2", "SE-47")
def test_the_scatter_chart_has_four_rows_that_sum_to_one():
    rows = TABLES["Scatter roll"].rows
    assert [row[:2] for row in rows] == [
        ("arrow", "number"),
        ("hit", "number"),
        ("arrow", "misfire"),
        ("hit", "misfire"),
    ]
    assert [row[3] for row in rows] == ["5/9", "5/18", "1/9", "1/18"]
    assert sum(Fraction(row[3]) for row in rows) == 1


@pytest.mark.clause("SE-57")
def test_throwing_ranges():
    assert TABLES["Throwing range"].rows == (("1", "4"), ("2", "6"), ("3", "8"), ("4", "10"), ("5+", "12"))


@pytest.mark.clause("SE-102")
def test_odds_of_sustained_fire_dice():
    for dice, mean, none, most, jam in TABLES["Sustained Fire dice"].rows:
        bursts = by_hand.bursts(int(dice))
        assert Fraction(mean) == sum(hits * chance for (hits, _), chance in bursts.items())
        assert Fraction(none) == sum(chance for (hits, _), chance in bursts.items() if not hits)
        assert int(most) == max(hits for hits, _ in bursts)
        assert Fraction(jam) == sum(chance for (_, jams), chance in bursts.items() if jams)
