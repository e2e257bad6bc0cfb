"""The Attack Dice Chart: its 320 cells, the pattern behind them, caps, and Power 0."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from battletape import ruleset
from battletape.errors import BadInput
from battletape.rulesets.attack_dice.rules.requirement import (
    capped_stats,
    chart,
    deviations,
    find_requirement,
    parse_requirement,
)
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.tables import sheet
from tests.attack_dice import twin
from tests.attack_dice.odds import expected

SYSTEM = ruleset("attack_dice")
POWERS, DEFENCES = range(1, 21), range(16)
ROW_11 = ["Ax3", "Ax3", "Ax2", "Ax2", "A", "A", "1+", "1+", "2+", "3+", "4+", "5+", "6+", "7+", "8+", "9"]
CENSUS = {
    "A": 34, "Ax2": 25, "Ax3": 21, "Ax4": 17, "Ax5": 13, "Ax6": 9, "Ax7": 5, "Ax8": 1,
    "1+": 29, "2+": 16, "3+": 15, "4+": 15, "5+": 15, "6+": 14, "7+": 13, "8+": 12, "9": 11,
    "9/1": 10, "9/2": 9, "9/3": 8, "9/4": 7, "9/5": 6, "9/6": 5, "9/7": 4, "9/8": 3, "9/9": 3,
}  # fmt: skip


def worth(**rulings: Any) -> dict[tuple[int, int], Fraction]:
    """Return the mean successes of one Attack in every cell."""
    rules = Rulings(**rulings)
    pairs = ((power, defence) for power in POWERS for defence in DEFENCES)
    return {pair: expected(find_requirement(*pair, rules), rules) for pair in pairs}


def entry(power: int, defence: int, **rulings: Any) -> str:
    return str(find_requirement(power, defence, Rulings(**rulings)))


def chance(power: int, defence: int, **rulings: Any) -> Any:
    return SYSTEM.ask("chart", power=power, defence=defence, **rulings).odds("successes").at_least(1)


# --- the data -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-2", "AD-12")
@pytest.mark.parametrize("text", [sheet.CHART_D10, sheet.CHART_D6])
def test_a_chart_is_twenty_rows_of_sixteen_entries_and_nothing_else(text: str):
    head, *rows = [line.split() for line in text.strip("\n").split("\n")]
    assert head == ["P", *map(str, DEFENCES)]
    assert [row[0] for row in rows] == [str(power) for power in POWERS]
    assert all(len(row) == 17 for row in rows)
    assert all(str(parse_requirement(one)) for row in rows for one in row[1:])
    assert set(text) <= set("P Ax0123456789+/\n")


@pytest.mark.clause("AD-13")
def test_every_cell_is_as_the_pattern_says_and_the_census_adds_up():
    game = twin.Game()
    for (power, defence), printed in chart().items():
        assert printed == twin.shown(twin.by_chart(power, defence), game), (power, defence)
    assert len(chart()) == 320
    assert dict(Counter(chart().values())) == CENSUS
    assert sum(CENSUS.values()) == 320
    assert [entry(11, defence) for defence in DEFENCES] == ROW_11


@pytest.mark.clause("AD-13", "AD-25")
def test_the_checksum_is_the_sum_of_chance_times_multiplier():
    by_hand = {"A": Fraction(1), "9": Fraction(1, 10)}
    by_hand |= {f"Ax{times}": Fraction(times) for times in range(2, 9)}
    by_hand |= {f"{need}+": Fraction(10 - need, 10) for need in range(1, 9)}
    by_hand |= {f"9/{second}": Fraction(10 - second, 100) for second in range(1, 10)}
    assert sum(by_hand[one] * count for one, count in CENSUS.items()) == Fraction(45921, 100)
    assert sum(worth().values()) == Fraction(45921, 100)
    assert sum(worth(chart_errata="corrected").values()) == Fraction(45921, 100) + Fraction(1, 10)


@pytest.mark.clause("AD-12")
def test_the_row_is_power_and_the_column_is_defence():
    assert entry(5, 9) == "9"
    assert entry(9, 5) == "1+"
    assert str(SYSTEM.ask("chart", power=5, defence=9)) == "Power 5 against Defence 9 needs 9: 10 % of Attacks succeed."


@pytest.mark.clause("AD-8", "AD-9", "AD-10", "AD-18")
def test_entries_read_as_printed_and_print_as_read():
    for text in CENSUS:
        assert str(parse_requirement(text)) == text
    assert [parse_requirement(text).rolls for text in ("-", "A", "Ax3", "5+", "9", "9/3")] == [0, 0, 0, 1, 1, 2]
    assert [parse_requirement(text).times for text in ("-", "A", "Ax3", "5+")] == [0, 1, 3, 1]
    assert parse_requirement("9") == parse_requirement("9+")
    assert parse_requirement("9/3") == parse_requirement("9/3+")
    with pytest.raises(BadInput, match=r"^a chart entry must have a form such as A, Ax3, 5\+, 9, 9/3 or -; got 'B'$"):
        parse_requirement("B")


# --- the pattern --------------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-14")
def test_the_difference_rule_fails_in_exactly_six_cells():
    assert deviations() == [
        (1, 0, "A", "4+"),
        (2, 0, "A", "3+"),
        (3, 0, "A", "2+"),
        (4, 0, "A", "1+"),
        (5, 0, "A", "1+"),
        (19, 15, "2+", "1+"),
    ]
    assert [one[:2] for one in deviations(errata="corrected")] == [(power, 0) for power in range(1, 6)]
    assert entry(12, 5) == "A"
    assert entry(2, 9) == "9/3"
    [shown] = [one for one in SYSTEM.tables() if one.clause == "AD-14"]
    cells = [("D10", *cell) for cell in deviations()] + [("D6", *cell) for cell in deviations("d6")]
    assert shown.rows == tuple(tuple(map(str, cell)) for cell in cells)


@pytest.mark.clause("AD-14")
@pytest.mark.parametrize("errata", ["printed", "corrected"])
@pytest.mark.parametrize("dice", ["d10", "d6"])
def test_the_chart_is_monotone(errata: Any, dice: Any):
    found = worth(chart_errata=errata, dice=dice)
    for defence in DEFENCES:
        assert all(found[low, defence] <= found[high, defence] for low, high in pairwise(POWERS))
    for power in POWERS:
        assert all(found[power, low] >= found[power, high] for low, high in pairwise(DEFENCES))


@pytest.mark.clause("AD-15")
def test_from_six_on_two_more_of_difference_are_one_more_of_multiplier():
    ladder = {6: 1, 7: 1, 8: 2, 9: 2, 10: 3, 11: 3, 12: 4, 13: 4, 14: 5, 15: 5, 16: 6, 17: 6, 18: 7, 19: 7, 20: 8}
    for gap, times in ladder.items():
        for defence in range(min(15, 20 - gap) + 1):
            assert entry(defence + gap, defence) == ("A" if times == 1 else f"Ax{times}")
    assert [at for at, one in chart().items() if one == "Ax8"] == [(20, 0)]


@pytest.mark.clause("AD-16", "AD-24")
def test_differences_of_four_and_five_share_one_plus():
    assert entry(6, 2) == entry(6, 1) == "1+"
    assert list(chart().values()).count("1+") == 29
    assert list(chart(errata="corrected").values()).count("1+") == 30
    assert chance(6, 2) == chance(6, 2, numbering="1-10") == Fraction(9, 10)


@pytest.mark.clause("AD-17")
def test_single_numbers_are_five_less_the_difference():
    needs = {3: 2, 2: 3, 1: 4, 0: 5, -1: 6, -2: 7, -3: 8}
    for gap, need in needs.items():
        for defence in range(max(1, 1 - gap), 16):
            if (defence + gap, defence) != (19, 15) and 1 <= defence + gap <= 20:
                assert entry(defence + gap, defence) == f"{need}+"
                assert chance(defence + gap, defence) == Fraction(10 - need, 10)
    assert entry(10, 10) == "5+"
    assert chance(10, 10) == Fraction(1, 2)


@pytest.mark.clause("AD-18")
def test_four_below_needs_the_top_face():
    assert [entry(power, power + 4) for power in range(1, 12)] == ["9"] * 11
    assert chance(1, 5) == Fraction(1, 10)


@pytest.mark.clause("AD-19")
def test_five_and_more_below_takes_two_rolls():
    assert [entry(1, defence) for defence in range(6, 15)] == [f"9/{second}" for second in range(1, 10)]
    assert entry(2, 8) == "9/2"
    assert chance(2, 8) == Fraction(2, 25)


@pytest.mark.clause("AD-20")
def test_nothing_is_harder_than_nine_nine_and_nothing_is_impossible():
    assert entry(1, 14) == entry(1, 15) == "9/9"
    assert chance(1, 15) == Fraction(1, 100)
    assert min(worth().values()) == Fraction(1, 100)


@pytest.mark.clause("AD-21")
def test_no_defence_is_always_automatic():
    wanted = ["A"] * 7 + [f"Ax{times}" for times in (2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8)]
    assert [entry(power, 0) for power in POWERS] == wanted


@pytest.mark.clause("AD-22")
def test_the_irregular_cell_is_printed_or_corrected():
    assert entry(19, 15) == "2+"
    assert entry(19, 15, chart_errata="corrected") == "1+"
    assert entry(20, 15) == entry(20, 15, chart_errata="corrected") == "1+"
    different = [at for at, one in chart(errata="corrected").items() if one != chart()[at]]
    assert different == [(19, 15)]
    shot = {"attacks": 2, "power": 19, "defence": 15, "armour": 3, "models": 1, "save_dice": "d6"}
    assert SYSTEM.ask("attack", **shot).odds("damage").at_least(1) == 1 - Fraction(11, 15) ** 2 == Fraction(104, 225)
    corrected = SYSTEM.ask("attack", **shot, chart_errata="corrected")
    assert corrected.odds("damage").at_least(1) == 1 - Fraction(7, 10) ** 2 == Fraction(51, 100)


@pytest.mark.clause("AD-11", "AD-23")
def test_power_stops_at_twenty_and_defence_at_fifteen():
    assert capped_stats(35, 3) == (20, 3)
    assert entry(35, 3) == "Ax6"
    assert capped_stats(1, 16) == (1, 15)
    assert entry(1, 16) == "9/9"
    assert entry(40, 40) == entry(20, 15) == "1+"
    assert capped_stats(-3, -1) == (0, 0)


@pytest.mark.clause("AD-11", "AD-69")
def test_bonuses_come_before_the_caps():
    asked = SYSTEM.ask("chart", power=19, power_bonus=3, defence=14, defence_bonus=2)
    assert str(asked) == "Power 20 against Defence 15 needs 1+: 90 % of Attacks succeed."
    assert asked.table is not None
    assert asked.table.mark == (19, 16)
    assert asked.table.rows[19][16] == "1+"


@pytest.mark.clause("AD-26")
def test_power_zero_borrows_the_formula():
    assert entry(0, 3) == "-"
    assert entry(0, 0) == "5+"
    assert SYSTEM.ask("attack", attacks=5, power=0, defence=3).odds("damage") == {0: 1}
    assert chance(0, 0) == Fraction(1, 2)
    assert chance(0, 0, dice="d6") == Fraction(1, 2)
