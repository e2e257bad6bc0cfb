"""The Attack Dice Formula: one line for every pair, against the whole table written out."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from battletape import ruleset
from battletape.rulesets.attack_dice.rules.attack import formula_less_chart
from battletape.rulesets.attack_dice.rules.requirement import (
    find_requirement,
    formula_line,
    lines_that_hold,
    multiplier,
)
from battletape.rulesets.attack_dice.rulings import Rulings
from tests.attack_dice import twin
from tests.attack_dice.odds import expected

SYSTEM = ruleset("attack_dice")
FORMULA = Rulings(method="formula")
TABLE = """
 0    5+   -    -    -    -    -    -    -    -    -    -    -    -    -    -    -
 1    A    5+   7+   9+   9+   9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+
 2    Ax2  3+   5+   7+   9+   9/3+ 9/6+ 9/6+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+ 9/9+
 3    Ax3  1+   3+   5+   7+   9+   9/3+ 9/3+ 9/3+ 9/6+ 9/6+ 9/6+ 9/9+ 9/9+ 9/9+ 9/9+
 4    Ax4  1+   1+   3+   5+   7+   9+   9+   9/3+ 9/3+ 9/3+ 9/3+ 9/6+ 9/6+ 9/6+ 9/6+
 5    Ax5  Ax5  Ax2  1+   3+   5+   7+   9+   9+   9+   9/3+ 9/3+ 9/3+ 9/3+ 9/3+ 9/6+
 6    Ax6  Ax6  Ax3  Ax2  1+   3+   5+   7+   9+   9+   9+   9+   9/3+ 9/3+ 9/3+ 9/3+
 7    Ax7  Ax7  Ax3  Ax2  1+   1+   3+   5+   7+   9+   9+   9+   9+   9+   9/3+ 9/3+
 8    Ax8  Ax8  Ax4  Ax2  Ax2  1+   1+   3+   5+   7+   9+   9+   9+   9+   9+   9+
 9    Ax9  Ax9  Ax4  Ax3  Ax2  1+   1+   1+   3+   5+   7+   9+   9+   9+   9+   9+
 10   Ax10 Ax10 Ax5  Ax3  Ax2  Ax2  1+   1+   1+   3+   5+   7+   9+   9+   9+   9+
 11   Ax11 Ax11 Ax5  Ax3  Ax2  Ax2  1+   1+   1+   1+   3+   5+   7+   9+   9+   9+
 12   Ax12 Ax12 Ax6  Ax4  Ax3  Ax2  Ax2  1+   1+   1+   1+   3+   5+   7+   9+   9+
 13   Ax13 Ax13 Ax6  Ax4  Ax3  Ax2  Ax2  1+   1+   1+   1+   1+   3+   5+   7+   9+
 14   Ax14 Ax14 Ax7  Ax4  Ax3  Ax2  Ax2  Ax2  1+   1+   1+   1+   1+   3+   5+   7+
 15   Ax15 Ax15 Ax7  Ax5  Ax3  Ax3  Ax2  Ax2  1+   1+   1+   1+   1+   1+   3+   5+
 16   Ax16 Ax16 Ax8  Ax5  Ax4  Ax3  Ax2  Ax2  Ax2  1+   1+   1+   1+   1+   1+   3+
 17   Ax17 Ax17 Ax8  Ax5  Ax4  Ax3  Ax2  Ax2  Ax2  1+   1+   1+   1+   1+   1+   1+
 18   Ax18 Ax18 Ax9  Ax6  Ax4  Ax3  Ax3  Ax2  Ax2  Ax2  1+   1+   1+   1+   1+   1+
 19   Ax19 Ax19 Ax9  Ax6  Ax4  Ax3  Ax3  Ax2  Ax2  Ax2  1+   1+   1+   1+   1+   1+
 20   Ax20 Ax20 Ax10 Ax6  Ax5  Ax4  Ax3  Ax2  Ax2  Ax2  Ax2  1+   1+   1+   1+   1+
"""
PAIRS = [(power, defence) for power in range(21) for defence in range(16)]


def found(power: int, defence: int) -> tuple[str, str]:
    need = find_requirement(power, defence, FORMULA)
    return need.line, str(need)


def chance(power: int, defence: int) -> Any:
    return SYSTEM.ask("chart", power=power, defence=defence, method="formula").odds("successes").at_least(1)


@pytest.mark.clause("AD-44")
def test_the_formula_worked_out_is_the_whole_table():
    rows = [line.split() for line in TABLE.strip("\n").split("\n")]
    game = twin.Game(method="formula")
    for power, row in enumerate(rows):
        assert row[0] == str(power)
        for defence, wanted in enumerate(row[1:]):
            assert found(power, defence)[1] == wanted, (power, defence)
            assert twin.shown(twin.by_formula(power, defence), game) == wanted
    assert Counter(formula_line(*pair) for pair in PAIRS) == {
        "F1": 96, "F2": 69, "F3": 15, "F4": 16, "F5": 14, "F6": 39, "F7": 19, "F8": 10, "F9": 23, "F10": 20, "F11": 15,
    }  # fmt: skip
    worth = {pair: expected(find_requirement(*pair, FORMULA), FORMULA) for pair in PAIRS}
    assert sum(worth[power, defence] for power, defence in PAIRS if power) == Fraction(19479, 25)
    asked = SYSTEM.ask("chart", method="formula")
    assert asked.table is not None
    assert asked.table.clause == "AD-44"
    assert [list(row[1:]) for row in asked.table.rows] == [row[1:] for row in rows]


@pytest.mark.clause("AD-27")
def test_at_most_two_lines_hold_and_the_most_specific_one_counts():
    special, difference = {"F1", "F7", "F8", "F9", "F10", "F11"}, {"F2", "F3", "F4", "F5", "F6"}
    for power, defence in PAIRS:
        lines = lines_that_hold(power, defence)
        assert 1 <= len(lines) <= 2
        assert len(set(lines) & difference) == 1
        assert len(set(lines) & special) == len(lines) - 1
        assert formula_line(power, defence) == next((one for one in lines if one in special), lines[0])
    assert lines_that_hold(7, 2) == ["F1", "F2"]
    assert found(7, 2) == ("F1", "Ax3")


@pytest.mark.clause("AD-28", "AD-40")
@pytest.mark.parametrize(
    ("power", "defence", "line", "entry"),
    [(5, 2, "F1", "Ax2"), (6, 3, "F1", "Ax2"), (5, 3, "F2", "1+"), (4, 2, "F2", "1+"), (5, 1, "F1", "Ax5")],
)
def test_power_of_five_or_more_and_at_least_twice_defence_is_automatic(power: int, defence: int, line: str, entry: str):
    assert found(power, defence) == (line, entry)


@pytest.mark.clause("AD-29", "AD-45")
def test_the_multiplier_is_how_often_defence_goes_into_power():
    assert multiplier("F1", 7, 2) == 3
    assert found(7, 2) == ("F1", "Ax3")
    loss = SYSTEM.ask("attack", attacks=2, power=7, defence=2, armour=4, models=1, hp=9, method="formula")
    assert loss.odds("damage") == {0: Fraction(1, 4), 3: Fraction(1, 2), 6: Fraction(1, 4)}
    assert loss.odds("damage").mean == 3


@pytest.mark.clause("AD-30", "AD-31", "AD-32", "AD-33", "AD-34")
@pytest.mark.parametrize(
    ("power", "defence", "line", "entry", "share"),
    [
        (15, 8, "F2", "1+", Fraction(9, 10)),
        (3, 2, "F3", "3+", Fraction(7, 10)),
        (2, 1, "F3", "3+", Fraction(7, 10)),
        (6, 6, "F4", "5+", Fraction(1, 2)),
        (4, 5, "F5", "7+", Fraction(3, 10)),
        (8, 15, "F6", "9+", Fraction(1, 10)),
        (1, 4, "F6", "9+", Fraction(1, 10)),
    ],
)
def test_the_lines_of_the_difference(power: int, defence: int, line: str, entry: str, share: Fraction):
    assert found(power, defence) == (line, entry)
    assert chance(power, defence) == share


@pytest.mark.clause("AD-35", "AD-36", "AD-37", "AD-45")
@pytest.mark.parametrize(
    ("power", "defence", "line", "entry", "share"),
    [
        (2, 5, "F7", "9/3+", Fraction(7, 100)),
        (3, 6, "F7", "9/3+", Fraction(7, 100)),
        (3, 7, "F7", "9/3+", Fraction(7, 100)),
        (3, 8, "F7", "9/3+", Fraction(7, 100)),
        (4, 11, "F7", "9/3+", Fraction(7, 100)),
        (2, 6, "F8", "9/6+", Fraction(1, 25)),
        (5, 15, "F8", "9/6+", Fraction(1, 25)),
        (1, 5, "F9", "9/9+", Fraction(1, 100)),
        (3, 12, "F9", "9/9+", Fraction(1, 100)),
    ],
)
def test_the_lines_of_the_ratio(power: int, defence: int, line: str, entry: str, share: Fraction):
    assert found(power, defence) == (line, entry)
    assert chance(power, defence) == share


@pytest.mark.clause("AD-38")
def test_against_no_defence_power_itself_multiplies():
    assert found(9, 0) == ("F10", "Ax9")
    assert found(1, 0) == ("F10", "A")
    assert found(4, 0) == ("F10", "Ax4")
    assert found(25, 0) == ("F10", "Ax20")


@pytest.mark.clause("AD-39")
def test_power_zero_does_nothing_to_a_defence():
    assert found(0, 15) == ("F11", "-")
    answer = SYSTEM.ask("attack", attacks=9, power=0, defence=15, armour=2, method="formula")
    assert answer.odds("damage") == {0: 1}
    assert [step.title for step in answer.steps][1:] == [
        "Power 0 against Defence 15: no damage (F11: Power 0 against Defence 1+)",
        "No HP lost",
    ]


@pytest.mark.clause("AD-40")
def test_five_is_enough_and_four_is_not():
    assert found(5, 1)[1] == "Ax5"
    assert found(4, 1)[1] == "1+"
    assert found(1, 5)[1] == "9/9+"
    assert found(1, 4)[1] == "9+"


@pytest.mark.clause("AD-41", "AD-52")
def test_an_automatic_pass_is_not_rolled_not_modified_and_still_saved():
    shot = {"attacks": 2, "power": 10, "defence": 5, "armour": 4, "models": 1, "hp": 3, "method": "formula"}
    plain = SYSTEM.ask("attack", **shot).odds("damage")
    assert plain == {0: Fraction(1, 4), 2: Fraction(1, 2), 4: Fraction(1, 4)}
    assert SYSTEM.ask("attack", **shot, modifier=-4).odds("damage") == plain


@pytest.mark.clause("AD-42")
def test_power_zero_against_defence_zero_is_equal():
    assert found(0, 0) == ("F4", "5+")
    assert chance(0, 0) == Fraction(1, 2)


@pytest.mark.clause("AD-43")
def test_the_caps_come_before_the_comparison():
    assert found(30, 2) == ("F1", "Ax10")
    assert found(3, 40) == ("F9", "9/9+")


@pytest.mark.clause("AD-46", "AD-9", "AD-29")
def test_the_chart_multiplies_before_saves_and_the_formula_after():
    by_chart = SYSTEM.ask("attack", attacks=2, power=10, defence=2, armour=4, models=1, hp=3)
    by_formula = SYSTEM.ask("attack", attacks=2, power=10, defence=5, armour=4, models=1, hp=3, method="formula")
    sixteenth = Fraction(1, 16)
    assert by_chart.odds("damage") == {
        0: sixteenth, 1: 4 * sixteenth, 2: 6 * sixteenth, 3: 4 * sixteenth, 4: sixteenth,
    }  # fmt: skip
    assert by_formula.odds("damage") == {0: Fraction(1, 4), 2: Fraction(1, 2), 4: Fraction(1, 4)}
    assert by_chart.odds("wiped_out").chance(1) == Fraction(5, 16)
    assert by_formula.odds("wiped_out").chance(1) == Fraction(1, 4)
    assert by_chart.odds("damage").mean == by_formula.odds("damage").mean == 2


@pytest.mark.clause("AD-47")
def test_the_methods_are_different_games():
    [table] = [one for one in SYSTEM.tables() if one.clause == "AD-47"]
    signs = {(int(row[0]), at): sign for row in table.rows for at, sign in enumerate(row[1:])}
    assert len(signs) == 320
    assert Counter(signs.values()) == {"=": 70, "+": 134, "-": 116}
    assert "in 134 cells (+), by the chart in 116 (-)" in table.title
    for at, by_chart, by_formula in (
        ((20, 1), Fraction(7), Fraction(20)),
        ((5, 1), Fraction(9, 10), Fraction(5)),
        ((1, 5), Fraction(1, 10), Fraction(1, 100)),
        ((8, 15), Fraction(7, 100), Fraction(1, 10)),
        ((7, 2), Fraction(9, 10), Fraction(3)),
    ):
        assert formula_less_chart(*at) == by_formula - by_chart
        assert signs[at] == ("+" if by_formula > by_chart else "-")
        for method, wanted in (("chart", by_chart), ("formula", by_formula)):
            asked = SYSTEM.ask("chart", power=at[0], defence=at[1], method=method)
            assert asked.odds("successes").mean == wanted


@pytest.mark.parametrize("dice", ["d10", "d6"])
def test_the_formula_is_monotone_too(dice: Any):
    """The catalogue claims it of the chart only; it holds here as well, so the property tests may rely on it."""
    rules = Rulings(method="formula", dice=dice)
    worth = {at: expected(find_requirement(*at, rules), rules) for at in PAIRS}
    for defence in range(16):
        assert all(worth[low, defence] <= worth[high, defence] for low, high in pairwise(range(21)))
    for power in range(21):
        assert all(worth[power, low] >= worth[power, high] for low, high in pairwise(range(16)))
