"""A pool read as a whole: the best dice of it as one number."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from battletape.dice import D6, D10, D100, at_least, best_of, highest
from battletape.errors import BadInput
from battletape.log import play
from battletape.tape.best import Best
from battletape.tape.exact import Exact
from battletape.tape.limits import Budget
from battletape.tape.question import NeedAnswer
from battletape.tape.rolled import Rolled
from battletape.tape.sampled import sampled
from battletape.tape.typed import Typed


def damage(tape, hit):
    """The best of some D10, and whether a 10 is among them."""
    rolled, keep = hit
    return tape.pool(rolled, D10, label="damage", whole=best_of(keep, note=10))


@pytest.mark.parametrize(("rolled", "keep"), [(1, 1), (2, 1), (2, 2), (3, 2), (4, 2), (4, 3), (2, 0)])
def test_odds_of_a_whole_pool_equal_a_count_of_all_faces(rolled, keep):
    found = Exact().run((damage,), (rolled, keep))
    faces = Counter(
        (sum(best), 10 in best)
        for best in (sorted(one)[rolled - keep :] for one in product(range(1, 11), repeat=rolled))
    )
    assert found.fractions() == {value: Fraction(ways, 10**rolled) for value, ways in faces.items()}


@pytest.mark.parametrize(("rolled", "keep", "least"), [(1, 1, 4), (3, 2, 5), (3, 3, 10), (2, 2, 1)])
def test_the_lowest_die_that_counts_may_be_raised(rolled, keep, least):
    def raised(tape, _):
        return tape.pool(rolled, D10, label="damage", whole=best_of(keep, note=10, least=least))

    faces = Counter(
        (sum(best) + max(0, least - best[0]), 10 in best)
        for best in (sorted(dice)[rolled - keep :] for dice in product(range(1, 11), repeat=rolled))
    )
    found = Exact().run((raised,), None)
    assert found.fractions() == {value: Fraction(ways, 10**rolled) for value, ways in faces.items()}


def test_published_means_of_tearing():
    def total(hit):
        return Exact().run((damage,), hit).project(lambda one: one[0]).mean

    assert total((2, 1)) == Fraction(143, 20)
    assert total((3, 2)) == Fraction(539, 40)


def test_a_whole_pool_of_no_dice_is_zero():
    for tape in (Rolled(1), Typed([])):
        assert damage(tape, (0, 2)) == (0, False)
    assert Exact().run((damage,), (0, 2)).fractions() == {(0, False): 1}


def test_readings_come_before_the_whole():
    def passes(tape, state):
        return tape.pool(3, D6, at_least(5), label="dice", whole=best_of(2))

    assert Exact().run((passes,), 0).fractions() == {
        0: Fraction(8, 27),
        1: Fraction(12, 27),
        2: Fraction(7, 27),
    }


def test_typed_dice_are_kept_and_told_as_one():
    tape = Typed(["3 0 7"])
    played = play((damage,), tape, (3, 2))
    assert played.state == (17, True)
    assert str(played.entries[0]) == "pool damage [3 x 1-10] = 3 10 7"
    assert played.log[0].text == "Damage (needs sum of the best 2): 3 10 7 → 17"
    with pytest.raises(NeedAnswer) as question:
        damage(Typed([]), (3, 2))
    assert pickle.loads(pickle.dumps(question.value.ask)).meaning((3, 10, 7)) == (17, True)


def test_samples_agree_and_advice_follows_it():
    exact = Exact().run((damage,), (3, 2)).project(lambda one: one[0])
    rolled = sampled((damage,), (3, 2), 4_000, 5).project(lambda one: one[0])
    assert abs(rolled.mean - exact.mean) < 4 * (float(exact.variance) / 4_000) ** 0.5

    def pick(tape, state):
        keep = tape.choose((1, 2), by="attacker", label="keep")
        return damage(tape, (3, keep))

    advice = Best(lambda one: one[0]).run((pick,), 0)
    assert advice.value == exact.mean
    assert advice.decisions[0].best == 2


def test_the_highest_of_a_pool():
    def higher(tape, dice):
        return tape.pool(dice, D6, label="ground", whole=highest)

    assert Exact().run((higher,), 2).fractions() == {face: Fraction(2 * face - 1, 36) for face in range(1, 7)}
    assert higher(Typed(["3 5"]), 2) == 5
    assert higher(Rolled(1), 0) is None
    assert play((higher,), Typed(["3 5"]), 2).log[0].text == "Ground: 3 5 → 5"


def test_a_pool_too_large_is_left_out_and_warned_of():
    odds = Exact(budget=Budget(states=1_000)).run((damage,), (90, 2))
    assert odds.unexplored == 1


def test_how_many_to_keep_is_a_whole_number():
    for bad in (-1, "two", 1.5):
        with pytest.raises(BadInput, match="best_of needs the number of dice to keep"):
            best_of(bad)


def test_zeros_as_dice_print_them():
    assert D100.face("00") == 100
    assert D100.face("07") == 7
    assert D10.face("0") == 10
    for die, bad in ((D100, "0"), (D100, "101"), (D10, "00"), (D6, "0")):
        with pytest.raises(ValueError, match=bad):
            die.face(bad)
    with pytest.raises(BadInput, match=r"to hit must be 1-100 \(00 for 100\), got 101"):
        Typed(["101"]).roll(D100, label="to hit")
