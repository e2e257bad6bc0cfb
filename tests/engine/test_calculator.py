"""The dice calculator: every form of its grammar against brute force over faces, and what it refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape.calculator import calculate, throw
from battletape.dice import SIXES
from battletape.errors import BadInput
from battletape.tape.script import Script
from battletape.tape.typed import Typed


def faces(*sides: int) -> Iterable[tuple[int, ...]]:
    return product(*(range(1, number + 1) for number in sides))


def again(sides: int, once: set[int]) -> Counter[int]:
    """A die whose faces in `once` are rolled again, by its two rolls."""
    return Counter(second if first in once else first for first, second in faces(sides, sides))


FORMS: dict[str, tuple[Iterable[Any], Callable[[Any], Any]]] = {
    "3d6": (faces(6, 6, 6), sum),
    "d%": (faces(100), sum),
    "d66": (faces(6, 6), lambda roll: 10 * roll[0] + roll[1]),
    "1D66 >= 43": (faces(6, 6), lambda roll: 10 * roll[0] + roll[1] >= 43),
    "2d66 keep highest": (faces(6, 6, 6, 6), lambda roll: max(10 * roll[0] + roll[1], 10 * roll[2] + roll[3])),
    "2d66 51+": (faces(6, 6, 6, 6), lambda roll: (roll[0] >= 5) + (roll[2] >= 5)),
    "D 10 + 5": (faces(10), lambda roll: roll[0] + 5),
    "-d4 + 2": (faces(4), lambda roll: 2 - roll[0]),
    "2d6 + d4 - 1": (faces(6, 6, 4), lambda roll: sum(roll) - 1),
    "d6*10 + d6": (faces(6, 6), lambda roll: 10 * roll[0] + roll[1]),
    "(d6 + d4) * 2": (faces(6, 4), lambda roll: 2 * sum(roll)),
    "4d6 drop lowest": (faces(6, 6, 6, 6), lambda roll: sum(sorted(roll)[1:])),
    "4d6 drop the highest 2": (faces(6, 6, 6, 6), lambda roll: sum(sorted(roll)[:2])),
    "4d6 keep highest 3": (faces(6, 6, 6, 6), lambda roll: sum(sorted(roll)[1:])),
    "3d6kl1": (faces(6, 6, 6), min),
    "3D6 keep worst": (faces(6, 6, 6), min),
    "3d6k1": (faces(6, 6, 6), max),
    "3d6dl": (faces(6, 6, 6), lambda roll: sum(sorted(roll)[1:])),
    "4d6 5+": (faces(6, 6, 6, 6), lambda roll: sum(face >= 5 for face in roll)),
    "2d6 4+ + 2d4 4+": (faces(6, 6, 4, 4), lambda roll: sum(face >= 4 for face in roll)),
    "max(d20, d20)": (faces(20, 20), max),
    "min(d6, d8, 4) + 1": (faces(6, 8), lambda roll: min(*roll, 4) + 1),
    "max(d6 - 3, 0)": (faces(6), lambda roll: max(roll[0] - 3, 0)),
    "2d10+5 >= 12": (faces(10, 10), lambda roll: sum(roll) + 5 >= 12),
    "d6+4 > d6+3": (faces(6, 6), lambda roll: roll[0] + 4 > roll[1] + 3),
    "2d6 = 7": (faces(6, 6), lambda roll: sum(roll) == 7),
    "2d6 != 7": (faces(6, 6), lambda roll: sum(roll) != 7),
    "d100 ≤ 45": (faces(100), lambda roll: roll[0] <= 45),
    "3d6 5+ < 1": (faces(6, 6, 6), lambda roll: max(roll) < 5),
}


@pytest.mark.parametrize("text", FORMS)
def test_it_agrees_with_counting_faces(text):
    rolls, worth = FORMS[text]
    came = Counter(worth(roll) for roll in rolls)
    whole = sum(came.values())
    assert calculate(text).odds().fractions() == {value: Fraction(ways, whole) for value, ways in came.items()}


@pytest.mark.parametrize(("text", "once"), [("3d6 reroll 1", {1}), ("3D6 rerolling 1s and 2", {1, 2})])
def test_dice_that_are_rolled_again(text, once):
    came: Counter[int] = Counter()
    die = again(6, once)
    for roll in product(die, repeat=3):
        came[sum(roll)] += die[roll[0]] * die[roll[1]] * die[roll[2]]
    assert calculate(text).odds().fractions() == {value: Fraction(ways, 36**3) for value, ways in came.items()}
    hits = sum(ways for face, ways in die.items() if face >= 4)
    assert calculate(f"{text} 4+").odds().mean == 3 * Fraction(hits, 36)


def test_a_d66_that_is_rolled_again():
    odds = calculate("d66 reroll 11, 12").odds()
    assert odds.chance(11) == odds.chance(12) == Fraction(2, 36 * 36)
    assert odds.chance(66) == Fraction(1, 36) + Fraction(2, 36 * 36)


def test_what_is_said():
    assert calculate("d66").headline == "d66: 11 to 66, each of the 36 results equally likely."
    assert calculate("4d6 drop lowest").headline == "4d6 drop lowest: 12.24 on average, mostly 8 to 16."
    assert calculate("2d10+5 >= 12").headline == "2d10+5 >= 12: 85 %."
    assert calculate("7").headline == "7 is always 7."
    (doubt,) = calculate("3d6 >= 4").warnings
    assert doubt == "This is about the sum; how many of the dice show 4 or more is 3d6 4+"
    assert not calculate("3d6 >= 7").warnings


def test_dice_are_rolled_and_typed_in():
    assert throw("4d6 drop lowest", seed=7).log == throw("4d6 drop lowest", seed=7).log
    done = throw("4d6 drop lowest + d4", tape=Script(6, 1, 3, 3, 2))
    assert done.results == {"total": 14}
    assert [line.text for line in done.log] == ["4D6 drop lowest: 6 1 3 3 → 12", "D4: 2"]
    for typed in ("43", "4 3", "4,3"):
        assert throw("d66 + 1", tape=Typed([typed])).results == {"total": 44}
    assert {throw("d66", seed=seed).results["total"] for seed in range(400)} == set(SIXES)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected dice or a number; got nothing. Write dice as 4d6 drop lowest, "),
        ("hello", "expected dice or a number; got 'hello'."),
        ("d6+", "expected dice or a number after 'd6+'; got nothing."),
        ("2d6 2d6", "or the end after '2d6'; got '2d6'."),
        ("(d6", "expected a closing bracket after '(d6'"),
        ("d6 * d6", "expected a number after 'd6 *'; got 'd6'."),
        ("d0", "a die needs 1 to 1,000 sides, got 0"),
        ("1001d6", "dice must be 1 to 1,000 at once; got 1,001."),
        ("0d6", "dice must be 1 to 1,000 at once; got 0."),
        ("101d6 keep highest", "dice must be 100 or fewer where some are kept; got 101."),
        ("4d6 drop lowest 4", "drop must be 1 to 3 of 4 dice; got 4."),
        ("4d6 keep highest 5", "keep must be 1 to 4 of 4 dice; got 5."),
        ("d6 reroll 7", "got 7 of a D6."),
        ("900d900", "at most 3,000"),
        ("2d66", "two D6 read as tens and ones, and several are not added up; got 2. One is d66; 2d66 51+ counts"),
        ("3d66 keep highest 2", "several are not added up; got 3."),
        ("2d66 reroll 11", "several are not added up; got 2."),
        ("d66 reroll 17", "got 17 of a D66."),
        ("1" * 201, "200 letters or fewer; got 201."),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_would_do(text, told):
    with pytest.raises(BadInput) as refused:
        calculate(text)
    assert told in str(refused.value)
