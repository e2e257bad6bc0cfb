"""Dice, readings and tables."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import memory
from battletape.conformance.brute_force import brute_force
from battletape.dice import (
    D3,
    D6,
    D10,
    D100,
    at_least,
    at_most,
    bands,
    because,
    d,
    degrees,
    dice,
    face,
    look_up,
    meanings,
    row_of,
    seen,
    special,
)
from battletape.errors import BadInput

SCATTER = special("scatter", ["hit", "hit", "arrow", "arrow", "arrow", "arrow"])


def test_equal_dice_are_one_object():
    assert d(6) is D6
    assert dice("d6") is D6
    assert dice("2d6") is dice("2d6")
    assert special("scatter", ["hit", "hit", *["arrow"] * 4]) is SCATTER
    assert pickle.loads(pickle.dumps(SCATTER)) is SCATTER
    assert pickle.loads(pickle.dumps(D6)) is D6


def test_a_die_has_a_note_on_how_it_is_read():
    from_zero = special("D10", range(10), "0 to 9")
    assert (from_zero.name, from_zero.description, D10.description) == ("D10", "D10 (0 to 9)", "D10")
    assert pickle.loads(pickle.dumps(from_zero)) is from_zero is not special("D10", range(10))


ROWS = ((range(1, 4), "shaken"), (range(4, 7), "wrecked"))


@pytest.mark.parametrize(
    "make",
    [
        lambda: at_least(3),
        lambda: at_least(3, never=(1,), always=(6,), plus=-1),
        lambda: at_most(4),
        lambda: degrees(45),
        lambda: bands(pierced=6, wound=3),
        lambda: bands(),
        lambda: row_of(ROWS),
        lambda: row_of(ROWS, "damage"),
        lambda: face,
    ],
)
def test_a_reading_stays_the_same_when_it_is_copied_or_pickled(make):
    read = make()  # here, as only the latest readings are kept
    for again in (pickle.loads(pickle.dumps(read)), copy.copy(read), copy.deepcopy(read)):
        assert again is read


def test_a_reading_is_one_object_however_it_is_asked_for():
    assert at_least(3) is at_least(number=3) is at_least(3, plus=0)
    assert row_of(ROWS) is row_of(ROWS, "table") is row_of(rows=ROWS)


@pytest.mark.parametrize(
    "die, name, domain, total",
    [
        (D3, "D3", "1-3", 3),
        (D100, "D100", "1-100", 100),
        (special("D10", range(10)), "D10", "0-9", 10),
        (SCATTER, "scatter", "hit,arrow", 6),
        (dice("2D10 + 5"), "2D10+5", "7-25", 100),
        (dice("d6-3"), "D6-3", "-2-3", 6),
        (dice("d66"), "D66", "11-66 with digits 1-6", 36),
        (special("even", (2, 4, 6)), "even", "2,4,6", 3),
        (dice("4"), "4", "4-4", 1),
    ],
)
def test_a_die_is_written_with_its_name_and_faces(die, name, domain, total):
    assert (repr(die), die.domain, die.total) == (name, domain, total)


@pytest.mark.parametrize("sides", [0, -1, 1_001])
def test_a_die_of_no_or_too_many_sides_is_refused(sides):
    with pytest.raises(BadInput, match=rf"a die needs 1 to 1,000 sides, got {sides}"):
        d(sides)


@pytest.mark.parametrize("text", ["", "  ", "2d", "d", "six", "2d6+", "2d6 5", "d6d6", "2d6++1", "+", "2x6", "1.5"])
def test_dice_that_cannot_be_read_are_refused(text):
    with pytest.raises(BadInput) as error:
        dice(text)
    assert str(error.value) == f"dice must have a form such as 2d10+5, got {text!r}"


def test_several_d66_are_not_added_up():
    assert sum(dice("D66+d6").weights) == 6**3
    with pytest.raises(
        BadInput, match="a D66 is two D6 read as tens and ones, and several are not added up; got '2d66'"
    ):
        dice("2d66")


@pytest.mark.parametrize("text", ["50000d2", "100d1000", "200d6+900d2+1d1"])
def test_dice_too_many_to_add_up_are_refused(text):
    with pytest.raises(BadInput) as error:
        dice(text)
    assert str(error.value) == f"the sides of all the dice may add up to at most 3,000, got {text!r}"


@given(st.integers(0, 3), st.integers(1, 6), st.integers(-9, 9), st.integers(0, 2))
@settings(deadline=None)
def test_a_sum_of_dice_equals_its_dice_one_by_one(count, sides, plus, less):
    def add(tape, total):
        for at in range(count):
            total += tape.roll(d(sides), label=f"{at}")
        for at in range(less):
            total -= tape.roll(D3, label=f"less {at}")
        return total

    one = dice(f"{count}d{sides}{plus:+d} - {less}D3")
    chances = {value: Fraction(weight, one.total) for value, weight in zip(one.faces, one.weights, strict=True)}
    assert chances == brute_force((add,), plus)
    assert list(one.faces) == sorted(one.faces)


@pytest.mark.parametrize(
    "read, text, passes",
    [
        (at_least(4), "4+", {4, 5, 6}),
        (at_least(4, plus=1), "4+ with +1", {3, 4, 5, 6}),
        (at_least(4, plus=-2), "4+ with -2", {6}),
        (at_least(1, never=(1,)), "1+", {2, 3, 4, 5, 6}),
        (at_least(7, always=(6,)), "7+", {6}),
        (at_least(2, never=(6,), always=(6,)), "2+", {2, 3, 4, 5, 6}),
        (at_most(2), "2 or less", {1, 2}),
    ],
)
def test_pass_or_fail(read, text, passes):
    assert {value for value in D6.faces if read(value)} == passes
    assert all(isinstance(read(value), bool) for value in D6.faces)
    assert (read.text, read.name(True), read.name(False)) == (text, "pass", "fail")
    assert text in repr(read)


def test_equal_readings_are_one_object_so_that_results_merge():
    assert at_least(4) is at_least(4)
    assert at_most(3) is at_most(3)
    assert bands(pierced=6, wound=3) is bands(pierced=6, wound=3)
    assert degrees(35) is degrees(35)


def test_bands_take_the_first_that_fits():
    read = bands(pierced=6, wound=3)
    assert [read(value) for value in D6.faces] == ["none", "none", "wound", "wound", "wound", "pierced"]
    assert (read.text, read.name("wound")) == ("pierced 6+, wound 3+", "wound")
    assert bands("miss", hit=4)(1) == "miss"


def test_degrees_are_whole_tens():
    read = degrees(35)
    assert [read(value) for value in (1, 25, 26, 35, 36, 45, 95)] == [
        (True, 3),
        (True, 1),
        (True, 0),
        (True, 0),
        (False, 0),
        (False, 1),
        (False, 6),
    ]


def test_a_table_is_read_row_by_row():
    rows = ((range(1, 4), "shaken"), (range(4, 6), "stunned"), ((6,), "wrecked"))
    shown = seen(D6, row_of(rows, "damage"))
    assert dict(zip(shown.faces, shown.weights, strict=True)) == {"shaken": 3, "stunned": 2, "wrecked": 1}
    assert row_of(rows, "damage") is row_of(rows, "damage")
    assert look_up(rows, 4) == "stunned"
    with pytest.raises(BadInput, match="the table has no row for 7"):
        look_up(rows, 7)


def test_a_die_is_seen_through_its_reading():
    shown = seen(D10, at_least(3))
    assert (shown.faces, shown.weights, shown.total) == ((False, True), (2, 8), 10)
    assert seen(D10, face) is D10
    assert seen(SCATTER, str.upper).weights == (2, 4)
    assert meanings(D3, at_least(2)) == {1: False, 2: True, 3: True}


@pytest.mark.parametrize("text", ["0", "7", "x", "", "1.0", "²", "--1"])
def test_a_face_the_die_has_not(text):
    with pytest.raises(ValueError):
        D6.face(text)


def test_a_reading_with_its_reason_is_the_same_reading() -> None:
    plain, told = at_least(4), because(at_least(4), "against Toughness 4")
    assert told.text == "4+ against Toughness 4"
    assert seen(D6, told).weights == seen(D6, plain).weights
    assert because(at_least(4), "against Toughness 4") is told
    assert pickle.loads(pickle.dumps(told)) is told


def test_equal_dice_and_readings_stay_one_object_when_caches_forget_or_overflow():
    mine, read = dice("3d6+41"), because(at_least(4), "against Toughness 4")
    for sides in range(1, 1_101):
        assert at_least(sides)
        assert d(sides % 1_000 + 1)
        assert dice(f"d{sides % 99 + 1}+{sides // 99}")
    memory.forget()
    assert dice("3d6+41") is mine
    assert d(6) is D6
    assert D6 + D6 is dice("2d6")
    assert because(at_least(4), "against Toughness 4") is read
    assert pickle.loads(pickle.dumps(read)) is read
    assert pickle.loads(pickle.dumps(mine)) is mine
