"""The dice calculator: every form of its grammar against brute force over faces, and what it refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any, cast

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.calculator import COMPARED, EXAMPLES, FORMS, calculate, read_back, throw
from battletape.dice import D6, D10, D66, SIXES, Die, d, dice, exploding, longest_run, special
from battletape.errors import BadInput
from battletape.tape.script import Script
from battletape.tape.typed import Typed


def faces(*sides: int) -> Iterable[tuple[int, ...]]:
    return product(*(range(1, number + 1) for number in sides))


def again(sides: int, once: set[int]) -> Counter[int]:
    """A die whose faces in `once` are rolled again, by its two rolls."""
    return Counter(second if first in once else first for first, second in faces(sides, sides))


COUNTED: dict[str, tuple[Iterable[Any], Callable[[Any], Any]]] = {
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
    "2 * d6": (faces(6), lambda roll: 2 * roll[0]),
    "d6 * d6": (faces(6, 6), lambda roll: roll[0] * roll[1]),
    "D6 + D6": (faces(6, 6), sum),
    "(d6 + 1) * (d4 - 2) * 3": (faces(6, 4), lambda roll: (roll[0] + 1) * (roll[1] - 2) * 3),
    "10 - 2 * d6 * d4 + d8": (faces(6, 4, 8), lambda roll: 10 - 2 * roll[0] * roll[1] + roll[2]),
    "4dF": (product((-1, 0, 1), repeat=4), sum),
    "d6 + 2dF >= 5": (product(range(1, 7), (-1, 0, 1), (-1, 0, 1)), lambda roll: sum(roll) >= 5),
    "4dF keep highest 2": (product((-1, 0, 1), repeat=4), lambda roll: sum(sorted(roll)[2:])),
    "d6 * d6 > d4 * d8": (faces(6, 6, 4, 8), lambda roll: roll[0] * roll[1] > roll[2] * roll[3]),
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
    "max(d6 reroll 1, 4)": (faces(6, 6), lambda roll: max(roll[1] if roll[0] == 1 else roll[0], 4)),
    "((d6))": (faces(6), sum),
    "max(d6 - 3, 0)": (faces(6), lambda roll: max(roll[0] - 3, 0)),
    "2d10+5 >= 12": (faces(10, 10), lambda roll: sum(roll) + 5 >= 12),
    "d6+4 > d6+3": (faces(6, 6), lambda roll: roll[0] + 4 > roll[1] + 3),
    "2d6 = 7": (faces(6, 6), lambda roll: sum(roll) == 7),
    "2d6 != 7": (faces(6, 6), lambda roll: sum(roll) != 7),
    "d100 ≤ 45": (faces(100), lambda roll: roll[0] <= 45),
    "3d6 5+ < 1": (faces(6, 6, 6), lambda roll: max(roll) < 5),
}


@pytest.mark.parametrize("text", COUNTED)
def test_it_agrees_with_counting_faces(text):
    rolls, worth = COUNTED[text]
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


def test_an_expression_gets_this_sentence():
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
        ("d6 *", "expected dice or a number after 'd6 *'; got nothing."),
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
        ("max(d6, d8", "expected a comma or a closing bracket after 'max(d6, d8'; got nothing."),
        ("-(" * 13 + "d6" + ")" * 13, "brackets may stand 12 deep in each other; got more."),
        ("dF!", "explode needs dice numbered from 1, such as 3d6 explode 6; got a DF."),
        ("d1!", "explode must name faces that come half of the time or less; got 1 of a D1"),
        ("21d6!", "dice that explode may come to 1,600 at most; got 21: 20 or fewer of these do"),
        ("9d6! keep highest", "dice must be 8 or fewer where they explode and some of them are kept; got 9."),
        ("1" * 201, "200 letters or fewer; got 201."),
    ],
)
def test_an_unreadable_expression_is_refused_with_an_example(text, told):
    with pytest.raises(BadInput) as refused:
        calculate(text)
    assert told in str(refused.value)


# --- a second way: icepool --------------------------------------------------------------------------------------------


def fractions_of(pool: Any) -> dict[Any, Fraction]:
    die = icepool.Die(pool)
    return {value: Fraction(ways, die.denominator()) for value, ways in die.items()}


def burst(sides: int, again: tuple[int, ...], once: tuple[int, ...] = ()) -> Any:
    """One die that explodes as often as ours does."""
    die = icepool.d(sides).reroll(list(once), depth=1) if once else icepool.d(sides)
    ours = special("x", [second if first in once else first for first, second in faces(sides, sides)])
    return die.explode(list(again), depth=longest_run(ours, again))


EXPLODED: dict[str, Callable[[], Any]] = {
    "d6 explode 6": lambda: burst(6, (6,)),
    "d6!": lambda: burst(6, (6,)),
    "3d6 explode 6": lambda: 3 @ burst(6, (6,)),
    "3D6 exploding on 5, 6": lambda: 3 @ burst(6, (5, 6)),
    "3d6 explode 5+": lambda: 3 @ burst(6, (5, 6)),
    "2d6 explode 1": lambda: 2 @ burst(6, (1,)),
    "2d4! + d6 - 1": lambda: 2 @ burst(4, (4,)) + icepool.d6 - 1,
    "d2 explode": lambda: burst(2, (2,)),
    "2d10 reroll 1 explode 10": lambda: 2 @ burst(10, (10,), (1,)),
    "3d6! keep highest 2": lambda: burst(6, (6,)).highest(3, 2),
    "3d6 explode 6 drop highest": lambda: burst(6, (6,)).lowest(3, 2),
    "d6! >= 8": lambda: burst(6, (6,)) >= 8,
    "d6! > d8!": lambda: burst(6, (6,)) > burst(8, (8,)),
    "d6! * 2": lambda: burst(6, (6,)) * 2,
}


@pytest.mark.parametrize("text", EXPLODED)
def test_dice_that_explode_agree_with_icepool(text):
    assert calculate(text).odds().fractions() == fractions_of(EXPLODED[text]())


@pytest.mark.parametrize(("sides", "again", "hits"), [(6, (6,), 5), (6, (5, 6), 4), (6, (1,), 6), (10, (10,), 7)])
def test_hits_of_dice_that_explode_are_counted(sides, again, hits):
    """Each die is a chain: hit or not, and with the faces that explode another chain."""
    die = exploding(1, d(sides), again)
    runs = longest_run(d(sides), again)
    odds = {0: Fraction(1)}
    for left in range(runs + 1):
        after: Counter[int] = Counter()
        for face in range(1, sides + 1):
            for more, chance in (odds if left and face in again else {0: Fraction(1)}).items():
                after[(face >= hits) + more] += chance / sides
        odds = dict(after)
    told = ",".join(map(str, again))
    assert calculate(f"d{sides} explode {told} {hits}+").odds().fractions() == odds
    assert calculate(f"3d{sides} explode {told} {hits}+").odds().mean == 3 * sum(n * p for n, p in odds.items())
    assert die.face(" ".join(map(str, (again[0], again[0], 2 if 2 not in again else 3)))) == 2 * again[0] + 2


def test_an_open_ended_die_stops_below_a_billionth_and_warns():
    (told,) = calculate("3d6! + d6!").warnings[:1]
    assert told.startswith("Each D6 of 3D6 explode 6 is rolled again 12 times at most: a longer run ")
    for text, sides in (("d6!", 6), ("d2!", 2), ("d100!", 100)):
        runs = longest_run(d(sides), (sides,))
        odds = calculate(text).odds()
        assert odds.unexplored == 0
        assert Fraction(1, sides) ** runs <= Fraction(1, 10**9) < Fraction(1, sides) ** (runs - 1)
        assert odds.chance(sides * (runs + 1)) == Fraction(1, sides) ** (runs + 1)  # what more would be added to
        assert float(odds.mean) == pytest.approx((sides + 1) / 2 * sides / (sides - 1), rel=1e-6)  # without end
    assert not calculate("3d6 reroll 1").warnings


def test_dice_that_explode_are_rolled_and_typed_in():
    for seed in range(50):
        assert throw("3d6!", seed=seed).results["total"] in exploding(3, D6, (6,)).faces
    for typed in ("20", "6 6 2 1 5", "6,1 6,2 5"):
        assert throw("3d6!", tape=Typed([typed])).results == {"total": 20}
    assert throw("3d6! 5+", tape=Typed(["6 5 1 2"])).results == {"total": 2}
    with pytest.raises(BadInput) as refused:
        throw("3d6!", tape=Typed(["6 6 2"]))
    assert "or every die one by one (1-6; 6 and one more for it), got 6 6 2" in str(refused.value)
    for typed, worth in (("+", 1), ("-", -1), ("blank", 0), ("0", 0)):
        assert throw("dF", tape=Typed([typed])).results == {"total": worth}


Pair = tuple[str, Any]
SMALL = st.sampled_from((2, 3, 4, 6, 8, 10))


@st.composite
def throws(draw: st.DrawFn) -> Pair:
    """Dice as they are typed, and as icepool has them."""
    sides, count = draw(SMALL), draw(st.integers(1, 3))
    die, more = icepool.d(sides), ""
    if draw(st.booleans()):
        die, more = die.reroll([1], depth=1), " reroll 1"
    name = f"{draw(st.sampled_from(('', ' '))) + str(count)}d{sides}{more}"
    kind = draw(st.sampled_from(("sum", "keep", "hits", "sum")))
    if kind == "keep":
        kept = draw(st.integers(1, count))
        return f"{name} keep lowest {kept}", die.lowest(count, kept)
    if kind == "hits":
        needed = draw(st.integers(1, sides))
        return f"{name} {needed}+", count @ icepool.map(lambda face: int(face >= needed), die)
    return name, count @ die


def _plus(parts: list[Pair]) -> Pair:
    return " + ".join(text for text, _ in parts), sum((die for _, die in parts[1:]), parts[0][1])


def _minus(parts: list[Pair]) -> Pair:
    text, die = _plus(parts[1:])
    return f"{parts[0][0]} - ({text})", parts[0][1] - die


def _times(parts: list[Pair]) -> Pair:
    worth = parts[0][1]
    for _, die in parts[1:]:
        worth = worth * die
    return " * ".join(f"({text})" for text, _ in parts), worth


def _greatest(parts: list[Pair]) -> Pair:
    return f"max({', '.join(text for text, _ in parts)})", icepool.map(
        lambda *came: max(came), *(die for _, die in parts)
    )


NUMBERS = st.integers(0, 12).map(lambda number: (str(number), icepool.Die([number])))
SUMS = st.recursive(
    throws() | NUMBERS,
    lambda inner: st.builds(
        lambda way, parts: way(parts),
        st.sampled_from((_plus, _minus, _times, _greatest)),
        st.lists(inner, min_size=2, max_size=3),
    ),
    max_leaves=4,
)


@settings(max_examples=60, deadline=None)
@given(SUMS)
def test_any_expression_agrees_with_icepool(pair):
    text, die = pair
    if len(text) <= 200:
        assert calculate(text).odds().fractions() == fractions_of(die)


@settings(max_examples=30, deadline=None)
@given(throws(), st.sampled_from(sorted(COMPARED)), throws())
def test_any_comparison_agrees_with_icepool(first, sign, second):
    fits = COMPARED[sign][0]
    expected = fractions_of(icepool.map(lambda a, b: bool(fits(a, b)), first[1], second[1]))
    assert calculate(f"{first[0]} {sign} {second[0]}").odds().fractions() == expected


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789dDfF%+-*×()<>=!,. maxinkephgstrolwv", max_size=24))
def test_any_text_is_worked_out_or_refused_in_a_sentence(text):
    refused = ""
    try:
        read_back(text)
    except BadInput as error:
        refused = str(error)
    assert len(refused) > 20 or throw(text, seed=1).results


# --- the same dice in Python ------------------------------------------------------------------------------------------


BUILT: dict[str, Callable[[], Die]] = {
    "d6 + d6": lambda: D6 + D6,
    "2 * d6": lambda: 2 * D6,
    "d6 * 2": lambda: D6 * 2,
    "d6 + 3": lambda: D6 + 3,
    "3 - d6": lambda: 3 - D6,
    "-d6": lambda: -D6,
    "d6 - d10": lambda: D6 - D10,
    "d6 * d10": lambda: D6 * D10,
    "(d6 + d6 + 1) * 2 - d10": lambda: (D6 + D6 + 1) * 2 - D10,
    "d6 - (2 * d10 - 1)": lambda: D6 - (2 * D10 - 1),
    "d66 + 1": lambda: D66 + 1,
    "4dF + d6": lambda: dice("4dF") + D6,
}


@pytest.mark.parametrize("text", BUILT)
def test_dice_add_and_multiply_in_python_as_in_the_calculator(text):
    die = BUILT[text]()
    assert die.odds == calculate(text).odds()
    assert die.odds == calculate(die.name).odds()  # its name is what one would type
    assert die is BUILT[text]()  # equal dice are one object


@pytest.mark.parametrize("sign", [">=", "<=", ">", "<"])
def test_comparisons_of_dice_give_their_odds(sign):
    fits = COMPARED[sign][0]
    assert fits(D6 + D6, 7) == calculate(f"2d6 {sign} 7").odds()
    assert fits(D6, D10 * 2) == calculate(f"d6 {sign} d10 * 2").odds()
    assert fits(4, D6) == calculate(f"4 {sign} d6").odds()


def test_a_sum_of_equal_dice_is_one_die_and_takes_its_dice_one_by_one():
    assert D6 + D6 is dice("2d6")
    assert 3 + D6 + D6 is dice("2D6+3")
    assert (D6 + D6 + 3).face("4 5") == 12
    assert D6 == d(6) != D10  # a plain yes or no
    assert D6 - D6 is not dice("2d6")


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (lambda: D6 + cast(Any, 1.5), "D6 + 1.5 needs dice with numbers or whole numbers, got 1.5"),
        (lambda: cast(Any, "2") * D6, "2 * D6 needs dice with numbers or whole numbers, got '2'"),
        (lambda: special("Scatter", ["hit", "miss"]) + 1, "Scatter + 1 needs dice with numbers"),
        (lambda: D66 + D66, "several are not added up; got '2D66'"),
        (lambda: cast(Any, None) <= D6, "D6 >= None needs dice with numbers or whole numbers, got None"),
        (lambda: dice("3d1000") * dice("3d1000"), "has 8,988,004 pairs of faces; at most 4,000,000 do"),
        (lambda: exploding(1, D6, (1, 2, 3, 4)), "half of the time or less; got 1, 2, 3, 4 of a D6"),
        (lambda: exploding(21, D6, (6,)), "may come to 1,600 at most; got 21: 20 or fewer of these do"),
    ],
)
def test_an_impossible_expression_is_refused_with_an_example(work, told):
    with pytest.raises(BadInput) as refused:
        work()
    assert told in str(refused.value)


def test_every_expression_of_the_help_can_be_asked():
    for text in EXAMPLES:
        assert calculate(text).headline
    for texts, _ in FORMS:
        for text in texts.split("  "):
            assert calculate(text).headline


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("8d6 reroll 1 5+", "8 D6, 1s rolled again once: how many show 5 or more."),
        ("2d6 >= 7", "How likely it is that 2 D6 come to at least 7."),
        ("max(d20, d20) * 2 - 1", "The greatest of a D20 and a D20 times 2 minus 1."),
        ("3d6!", "3 D6, another die for each 6."),
        ("4d6 drop lowest", "4 D6, the highest 3 kept."),
    ],
)
def test_an_answer_repeats_the_expression_as_it_was_read(text, told):
    assert read_back(text) == told
