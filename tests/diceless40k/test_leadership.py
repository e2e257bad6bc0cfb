"""Order points and leadership tests."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import floor
from typing import Any

import pytest

from battletape.errors import BadInput
from battletape.rulesets.diceless40k.rules.leadership import (
    order_points_at_start,
    passes_in_a_row,
    take_test,
    take_test_led,
    threshold,
)
from battletape.rulesets.diceless40k.rulings import Rulings
from tests.diceless40k.vectors import vectors


@pytest.mark.clause("DL-6.3")
@pytest.mark.parametrize(("given", "expect"), vectors("initial_op"))
def test_the_first_order_points_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert order_points_at_start(**given) == expect["OP"] == 0


@pytest.mark.clause("DL-T2", "DL-T3")
@pytest.mark.parametrize(("given", "expect"), vectors("leadership_threshold"))
def test_the_thresholds_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert threshold(given["ld"], given["reroll"]) == expect["threshold"]


@pytest.mark.clause("DL-T2", "DL-T3")
@pytest.mark.parametrize("ld", range(2, 11))
def test_all_18_cells_are_200_times_the_chance_of_two_dice(ld: int):
    chance = Fraction(sum(a + b <= ld for a, b in product(range(1, 7), repeat=2)), 36)
    assert threshold(ld) == floor(200 * chance + Fraction(1, 2))
    assert threshold(ld, reroll=True) == floor(200 * (1 - (1 - chance) ** 2) + Fraction(1, 2))


@pytest.mark.clause("DL-8.2")
def test_a_ld_outside_the_table():
    assert [threshold(ld) for ld in (-1, 0, 1, 11, 12)] == [0, 0, 0, 183, 183]
    assert [threshold(ld, True) for ld in (1, 12)] == [0, 199]


@pytest.mark.clause("DL-8.1", "DL-8.2")
@pytest.mark.parametrize(("given", "expect"), vectors("leadership_test"))
def test_the_tests_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    test = take_test(given["op_before"], given["ld"], given["reroll"], given.get("ld_modifier", 0))
    assert (test.op, test.threshold, test.passed) == (expect["op_after"], expect["threshold"], expect["passed"])


@pytest.mark.clause("DL-8.1")
def test_only_more_than_the_threshold_fails():
    assert take_test(119, 8).passed
    assert not take_test(120, 8).passed
    assert not take_test(0, 3).passed


@pytest.mark.clause("DL-8.2")
def test_modifiers_and_rerolls():
    assert take_test(92, 10, modifier=-3).passed
    assert not take_test(100, 8, modifier=-1).passed
    assert take_test(100, 7, reroll=True).passed


@pytest.mark.clause("DL-8.1", "DL-8.2")
@pytest.mark.parametrize(("given", "expect"), vectors("tests_before_failure"))
def test_the_passes_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert passes_in_a_row(given["op_before"], given["ld"], given["reroll"]) == expect["passes"]


@pytest.mark.clause("DL-8.1")
def test_passes_in_a_row_are_those_of_tests_taken():
    assert [passes_in_a_row(0, ld) for ld in range(2, 11)] == [0, 0, 1, 2, 3, 4, 5, 6, 7]
    assert [passes_in_a_row(0, ld, True) for ld in range(2, 11)] == [0, 1, 2, 3, 5, 6, 7, 7, 7]
    for op, ld, reroll in product(range(0, 230, 7), range(1, 12), (False, True)):
        passes, now = 0, take_test(op, ld, reroll)
        while now.passed:
            passes, now = passes + 1, take_test(now.op, ld, reroll)
        assert passes_in_a_row(op, ld, reroll) == passes


@pytest.mark.clause("DL-8.3")
@pytest.mark.parametrize(("given", "expect"), vectors("leadership_test_ic"))
def test_a_character_leads_by_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    test = take_test_led(given["unit_op"], given["ic_op"], given["ld"], given["reroll"])
    assert (test.op, test.leader_op, test.passed) == (
        expect["unit_op_after"],
        expect["ic_op_after"],
        expect["passed"],
    )


@pytest.mark.clause("DL-8.3")
def test_whose_order_points_a_character_compares():
    assert take_test_led(125, 25, 9).passed
    assert not take_test_led(150, 0, 9).passed
    assert take_test_led(150, 0, 9, rulings=Rulings(character_compares="own")).passed


@pytest.mark.clause("DL-6.3")
def test_order_points_below_zero_are_refused():
    with pytest.raises(BadInput, match="0 or more; got -5"):
        take_test(-5, 8)
