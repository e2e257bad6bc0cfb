"""Sampled: many rolled runs, which agree with the exact odds and tell their error."""

from __future__ import annotations

import pytest

from battletape.dice import D6, D10, at_least, special
from battletape.errors import BadInput
from battletape.tape.exact import Exact
from battletape.tape.sampled import sampled


def volley(tape, dice):
    hits = tape.pool(dice, D10, at_least(4), label="to hit")[True]
    wounds = tape.pool(hits, D6, at_least(3), label="to wound")[True]
    if tape.choose(("flinch", "stand"), by="them", label="nerve") == "flinch" and tape.direction((0, 120), label="way"):
        wounds -= tape.roll(special("luck", (0, 0, 0, 1)), label="luck") if wounds else 0
    return wounds


@pytest.mark.parametrize("times, seed", [(2_000, 1), (20_000, "two"), (1, 3)])
def test_it_agrees_with_the_exact_odds(times, seed):
    exact = Exact().run((volley,), 6)
    odds = sampled((volley,), 6, times, seed)
    assert abs(odds.mean - exact.mean) <= 4.5 * (exact.variance / times) ** 0.5
    for value, chance in exact.fractions().items():
        assert abs(odds.chance(value) - chance) <= 4.5 * (chance * (1 - chance) / times) ** 0.5 + 1 / times
    assert set(odds.weights) <= set(exact.weights)


def test_sampled_odds_name_their_method():
    odds = sampled((volley,), 6, 500, seed=1)
    assert (odds.how.method, odds.how.branches, odds.how.states) == ("sampled", 500, len(odds))
    assert not odds.is_exact
    assert odds.error == pytest.approx((float(odds.variance) / 500) ** 0.5)


def test_the_same_seed_gives_the_same_sample():
    assert sampled((volley,), 6, 300, seed=9) == sampled((volley,), 6, 300, seed=9)
    assert sampled((volley,), 6, 300, seed=9) != sampled((volley,), 6, 300, seed=10)


def test_progress_is_reported_every_thousand_runs():
    told: list[tuple[int, int]] = []
    sampled((volley,), 1, 2_500, 1, progress=lambda done, of: told.append((done, of)))
    assert told == [(1_000, 2_500), (2_000, 2_500)]


@pytest.mark.parametrize("times", [0, -5])
def test_no_runs_are_refused(times):
    with pytest.raises(BadInput, match=f"sampling needs one run or more, got {times}"):
        sampled((volley,), 1, times)
