"""Tests with a d100: targets, degrees, and two against each other, beside a count over all faces."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.odds import Odds
from battletape.rulesets.deathwatch.rules import d100_tests
from battletape.rulesets.deathwatch.rules.d100_tests import Contest, Contestant
from battletape.rulesets.deathwatch.rules.traits import Degrees, Modifier
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.tape.script import Script
from battletape.tape.typed import Typed
from tests.deathwatch.exactly import odds_of

AUTO = Rulings(auto_results="01_and_00")
PLUS = Rulings(degrees="plus_one")
ROLLS = range(1, 101)


def passed(odds):
    return odds.chance(lambda found: found.success)


# --- one test ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-TEST-1")
@pytest.mark.parametrize(
    ("characteristic", "modifiers", "target", "chance"),
    [(50, [20, 10], 80, "4/5"), (35, [-30, -20, -20], -25, "0"), (40, [60, 10], 100, "1"), (50, [], 50, "1/2")],
)
def test_a_target_and_its_chance(characteristic, modifiers, target, chance):
    assert d100_tests.target(characteristic, modifiers) == target
    assert passed(odds_of(d100_tests.roll_degrees, target, "test")) == Fraction(chance)


@pytest.mark.clause("DW-TEST-2")
@pytest.mark.parametrize(
    ("name", "chance"),
    [
        ("Trivial", "1"),
        ("Elementary", "1"),
        ("Simple", "9/10"),
        ("Easy", "4/5"),
        ("Routine", "7/10"),
        ("Ordinary", "3/5"),
        ("Challenging", "1/2"),
        ("Difficult", "2/5"),
        ("Hard", "3/10"),
        ("very hard", "1/5"),
        ("ARDUOUS", "1/10"),
        ("Punishing", "0"),
        ("Hellish", "0"),
    ],
)
def test_each_difficulty_for_a_characteristic_of_50(name, chance):
    assert passed(
        odds_of(d100_tests.roll_degrees, d100_tests.target(50, [d100_tests.difficulty(name)]), "test")
    ) == Fraction(chance)


def test_an_unknown_difficulty_is_refused_with_the_nearest():
    with pytest.raises(BadInput, match="Did you mean 'Hard'"):
        d100_tests.difficulty("Hart")


@pytest.mark.clause("DW-TEST-4")
def test_modifiers_are_added_first_and_limited_once():
    some = [Modifier("point blank", 30), Modifier("surprised", 30), Modifier("full aim", 20)]
    assert d100_tests.total(some) == (80, 60)
    assert d100_tests.total([*some, Modifier("darkness", -30)]) == (50, 50)
    assert d100_tests.total([-30, -30, -20]) == (-80, -60)
    assert d100_tests.total(some, Rulings(modifier_cap=40)) == (80, 40)
    assert d100_tests.total([-5, 10], Rulings(modifier_cap=0)) == (5, 0)


@pytest.mark.clause("DW-TEST-3")
def test_degrees_are_complete_tens():
    at_50 = {50: (True, 0), 41: (True, 0), 40: (True, 1), 31: (True, 1), 1: (True, 4)}
    failed = {51: (False, 0), 59: (False, 0), 60: (False, 1), 100: (False, 5)}
    for roll, found in {**at_50, **failed}.items():
        assert d100_tests.degrees_of(50, roll) == found


@pytest.mark.clause("DW-TEST-3")
def test_the_degrees_of_47():
    odds = odds_of(d100_tests.roll_degrees, 47, "test")
    tenth = Fraction(1, 10)
    assert [odds.chance(Degrees(True, n)) for n in range(6)] == [tenth] * 4 + [Fraction(7, 100), 0]
    assert [odds.chance(Degrees(False, n)) for n in range(6)] == [Fraction(9, 100)] + [tenth] * 4 + [Fraction(4, 100)]


def test_later_games_count_one_degree_more():
    assert d100_tests.degrees_of(50, 50, PLUS) == (True, 1)
    assert d100_tests.degrees_of(50, 1, PLUS) == (True, 5)
    assert d100_tests.degrees_of(50, 60, PLUS) == (False, 1)
    assert odds_of(d100_tests.roll_degrees, 47, "test", PLUS).chance(Degrees(True, 5)) == Fraction(7, 100)


@pytest.mark.clause("DW-TEST-5")
@pytest.mark.parametrize(("target", "plain", "auto"), [(0, "0", "1/100"), (115, "1", "99/100"), (37, "37/100", None)])
def test_automatic_results_are_a_ruling(target, plain, auto):
    assert passed(odds_of(d100_tests.roll_degrees, target, "test")) == Fraction(plain)
    assert passed(odds_of(d100_tests.roll_degrees, target, "test", AUTO)) == Fraction(auto or plain)


@pytest.mark.clause("DW-TEST-5")
def test_an_automatic_result_has_no_degrees_of_its_own():
    assert d100_tests.degrees_of(-25, 1, AUTO) == (True, 0)
    assert d100_tests.degrees_of(130, 100, AUTO) == (False, 0)
    assert d100_tests.degrees_of(50, 1, AUTO) == (True, 4)
    assert d100_tests.degrees_of(50, 100, AUTO) == (False, 5)


@pytest.mark.parametrize("roll", [0, 101, -3, True, "7"])
def test_a_roll_that_no_d100_shows_is_refused(roll):
    with pytest.raises(BadInput, match=re.escape(f"a d100 shows 1-100, 00 for 100; got {roll!r} (DW-TEST-1)")):
        d100_tests.degrees_of(50, roll)


@settings(max_examples=40, deadline=None)
@given(target=st.integers(-70, 220), auto=st.booleans(), plus=st.booleans())
def test_a_test_beside_a_count_over_the_faces(target, auto, plus):
    counted: Counter[tuple[bool, int]] = Counter()
    for roll in ROLLS:
        success = roll == 1 if auto and roll in (1, 100) else roll <= target
        gap = (target - roll) if success else (roll - target)
        counted[success, max(gap, 0) // 10 + (1 if plus and success else 0)] += 1
    rules = Rulings(auto_results="01_and_00" if auto else "none", degrees="plus_one" if plus else "complete_tens")
    odds = odds_of(d100_tests.roll_degrees, target, "test", rules)
    assert odds.fractions() == {Degrees(*key): Fraction(number, 100) for key, number in counted.items()}
    yes = Fraction(sum(number for (success, _), number in counted.items() if success), 100)
    assert odds_of(d100_tests.roll_success, target, "test", rules).chance(True) == yes


def test_a_check_that_cannot_go_both_ways_asks_for_no_die():
    for target, passes in ((0, False), (100, True), (-25, False), (140, True)):
        tape = Script()
        assert d100_tests.roll_success(tape, target, "test") is passes
    tape = Script(1)
    assert d100_tests.roll_success(tape, 0, "test", AUTO)


def test_typed_dice_take_00_for_100():
    tape = Typed(["00", "07"])
    assert d100_tests.roll_degrees(tape, 60, "test") == (False, 4)
    assert d100_tests.roll_degrees(tape, 60, "test") == (True, 5)


@pytest.mark.parametrize("typed", ["0", "101"])
def test_what_no_d100_shows_cannot_be_typed(typed):
    with pytest.raises(BadInput, match=r"test .*1-100"):
        d100_tests.roll_degrees(Typed([typed]), 60, "test")


def test_equal_questions_share_a_reading():
    assert d100_tests.reading(50) is d100_tests.reading(50, Rulings(blood_loss_percent=20))


def test_bonus_is_the_tens():
    assert [d100_tests.bonus(one) for one in (0, 9, 10, 47)] == [0, 0, 1, 4]
    assert d100_tests.bonus(45, 2) == 8
    assert d100_tests.bonus(45, 2, 2) == 10


# --- opposed ----------------------------------------------------------------------------------------------------------


def winners(one: Contestant, other: Contestant, rulings: Rulings = Rulings()) -> Odds[str]:
    return odds_of(d100_tests.contest, one, other, rulings).project(lambda trial: trial.winner)


def faced(one, other, rulings=None):
    """Return the winner by a count over all pairs of faces that shares no code."""
    rulings = rulings or {}
    counted: Counter[str] = Counter()
    for mine, yours in product(ROLLS, ROLLS):
        (t1, b1), (t2, b2) = one, other
        ok1, ok2 = mine <= t1, yours <= t2
        d1, d2 = abs(t1 - mine) // 10, abs(t2 - yours) // 10
        if ok1 != ok2:
            counted["one" if ok1 else "other"] += 1
            continue
        if not ok1 and rulings.get("opposed_failures") != "fewer_degrees":
            counted["nobody"] += 1
            continue
        if not ok1:
            d1, d2 = -d1, -d2
        ranks: tuple[tuple[int, ...], tuple[int, ...]] = ((d1, b1, -mine), (d2, b2, -yours))
        if rulings.get("opposed_ties") == "nobody":
            ranks = ((d1,), (d2,))
        counted["one" if ranks[0] > ranks[1] else "other" if ranks[1] > ranks[0] else "nobody"] += 1
    return {side: Fraction(number, 10_000) for side, number in counted.items()}


@pytest.mark.clause("DW-TEST-6")
@pytest.mark.parametrize(
    ("one", "other", "wins", "loses", "nobody"),
    [((50, 5), (40, 4), "11/25", "13/50", "3/10"), ((45, 4), (45, 4), "693/2000", "693/2000", "307/1000")],
)
def test_the_examples_of_the_book(one, other, wins, loses, nobody):
    odds = winners(Contestant(*one), Contestant(*other))
    assert [odds.chance(side) for side in ("one", "other", "nobody")] == [
        Fraction(text) for text in (wins, loses, nobody)
    ]


@pytest.mark.clause("DW-TEST-6")
@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"opposed_ties": "nobody"},
        {"opposed_failures": "fewer_degrees"},
        {"opposed_ties": "nobody", "opposed_failures": "fewer_degrees"},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("one", "other"), [((50, 5), (43, 5)), ((60, 6), (45, 8)), ((3, 0), (110, 11)), ((0, 4), (98, 4))]
)
def test_every_ruling_beside_a_count_over_all_pairs(one, other, rules):
    odds = winners(Contestant(*one), Contestant(*other), Rulings(**rules))
    assert odds.fractions() == faced(one, other, rules)


def won(one: Contestant, roll: int, other: Contestant, other_roll: int, rulings: Rulings = Rulings()) -> str:
    return d100_tests.contest(Script(roll, other_roll), one, other, rulings).winner


@pytest.mark.clause("DW-TEST-6")
def test_two_fixed_rolls():
    one, other = Contestant(50, 4), Contestant(50, 4)
    assert won(one, 30, other, 31) == "one"  # two degrees against one
    assert won(one, 35, other, 33) == "other"  # lower roll
    assert won(one, 33, other, 33) == "nobody"
    assert won(one, 60, other, 70) == "nobody"
    assert won(one, 60, other, 70, Rulings(opposed_failures="fewer_degrees")) == "one"
    assert won(Contestant(50, 5), 35, other, 33) == "one"  # higher bonus
    assert won(Contestant(50, 5), 35, other, 33, Rulings(opposed_ties="nobody")) == "nobody"


@pytest.mark.clause("DW-TEST-6")
@pytest.mark.parametrize(
    ("dice", "found"),
    [
        ((5, 60), Contest("one", 2, 0)),  # by four degrees, of which two are felt
        ((35, 60), Contest("one", 1, 0)),
        ((25, 35), Contest("one", 1, 0)),
        ((75, 20), Contest("other", 2, 2)),
        ((60, 41), Contest("other", 0, 1)),
        ((99, 99), Contest("nobody", 0, 2)),
    ],
)
def test_by_how_much_a_contest_is_won_and_lost(dice, found):
    tape = Script(*dice)
    assert d100_tests.contest(tape, Contestant(50, 5, "Strength"), Contestant(45, 4, "Strength")) == found


def test_later_games_degrees_hold_in_opposed_tests_too():
    one, other = Contestant(50, 5), Contestant(40, 4)
    assert winners(one, other, PLUS) == winners(one, other)
    assert winners(one, other, AUTO).chance("nobody") == Fraction(50 * 60, 10_000)
