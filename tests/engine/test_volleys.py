"""Stages that roll and then fold all states together: the odds of the plain rule, whatever it does besides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from battletape.dice import D3, D6, at_least
from battletape.tape import Tape
from battletape.tape.best import Best
from battletape.tape.budget import Budget
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from battletape.tape.volleys import Aimed, Volley, volleying
from tests.engine.paths import assert_same_paths

State = tuple[int, bool, int]  # wounds left, jammed, hits so far
START: State = (5, False, 0)


def roll(tape: Tape, dice: int) -> tuple[str, ...]:
    """Which of the shots hit how hard; None where the gun jams."""
    came = tape.roll(D6, label="to hit")
    if came == 1:
        return ("jam",)
    return ("soft", "hard", "soft")[: min(dice, came // 2)]


def strike(tape: Tape, wounds: int, hit: str) -> int:
    if not wounds:
        return 0
    if hit == "hard":
        return max(0, wounds - int(tape.roll(D3, label="harm")))
    return wounds - bool(tape.roll(D6, at_least(4), label="save"))


def plain(tape: Tape, state: State) -> State:
    wounds, jammed, hits = state
    if not wounds:
        return state
    if jammed:
        return wounds, not tape.roll(D6, at_least(3), label="clear"), hits
    came = tape.call(roll, 3)
    if came == ("jam",):
        return wounds, True, hits
    return tape.each(strike, wounds, came), False, hits + len(came)


def aimed(state: State) -> Aimed | None:
    wounds, jammed, hits = state
    return None if jammed or not wounds else Aimed(hits, wounds, strike, (3,))


def closed(hits: int, came: tuple[str, ...]) -> Callable[[int], State]:
    jams = came == ("jam",)
    return lambda wounds: (wounds, jams, hits if jams else hits + len(came))


@volleying(Volley(aimed, roll, lambda came: () if came == ("jam",) else came, closed))
def burst(tape: Tape, state: State) -> State:
    """A turn of fire."""
    wounds, _, hits = state
    if not wounds:
        return state
    return wounds, not tape.roll(D6, at_least(3), label="clear"), hits


@pytest.mark.parametrize("turns", [1, 2, 3, 5])
def test_the_odds_are_those_of_the_plain_rule(turns):
    found, expected = (Exact().run((stage,) * turns, START) for stage in (burst, plain))
    assert found.fractions() == expected.fractions()
    assert found.is_exact


def test_what_was_asked_is_the_same():
    found, expected = (Exact().stages((stage,) * 3, START)[1] for stage in (burst, plain))
    assert [{one.label for one in count.asked} for count in found] == [
        {one.label for one in count.asked} for count in expected
    ]
    assert [count.states for count in found] == [count.states for count in expected]


def test_every_other_reader_does_the_same():
    assert_same_paths((burst,) * 4, (plain,) * 4, START)
    assert burst(Script(4, 5, 2), START) == (2, False, 2)
    value = Best(lambda state: state[0]).run((burst,) * 2, START).value
    assert value == Exact().run((plain,) * 2, START).project(lambda state: state[0]).mean


@pytest.mark.parametrize("budget", [Budget(branches=4), Budget(branches=30), Budget(branches=120), Budget(states=4)])
def test_a_budget_leaves_out_and_invents_nothing(budget):
    found, expected = (Exact(budget=one).run((burst,) * 4, START) for one in (budget, Budget()))
    assert 0 < found.unexplored <= 1
    assert found.how.left_out
    assert all(found.chance(state) <= expected.chance(state) for state in found.weights)
