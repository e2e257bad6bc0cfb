"""The last question of a rule, said as such: the same odds, dice and recordings as without."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.dice import D6, at_least
from battletape.tape import Tape
from battletape.tape.best import Best
from battletape.tape.budget import Budget
from battletape.tape.exact import Exact
from battletape.tape.folds import in_two
from battletape.tape.script import Script
from battletape.tape.tails import last_call, last_each
from tests.engine.paths import assert_same_paths

START = (0, 6)


def hits(tape: Tape, dice: int) -> int:
    return int(tape.pool(dice, D6, at_least(4), label="to hit")[True])


def step(tape: Tape, wounds: int, needs: int) -> int:
    return wounds - bool(wounds) * bool(tape.roll(D6, at_least(needs), label="save"))


def volley(tape: Tape, state: tuple[int, int]) -> tuple[int, int]:
    turn, wounds = state
    dice = tape.roll(D6, label="shots")
    return turn + 1, max(0, wounds - tape.call(hits, dice))


def volley_last(tape: Tape, state: tuple[int, int]) -> tuple[int, int]:
    turn, wounds = state
    dice = tape.roll(D6, label="shots")
    return last_call(tape, lambda one: (turn + 1, max(0, wounds - one)), hits, dice)


def saves(tape: Tape, state: tuple[int, int]) -> tuple[int, int]:
    turn, wounds = state
    if turn % 2:
        return turn + 1, tape.each(step, wounds, (3, 3, 5, 2))
    return turn + 1, wounds


def saves_last(tape: Tape, state: tuple[int, int]) -> tuple[int, int]:
    turn, wounds = state
    if turn % 2:
        return last_each(tape, lambda left: (turn + 1, left), step, wounds, (3, 3, 5, 2))
    return turn + 1, wounds


PLAIN = (volley, saves, volley, saves)
LAST = (volley_last, saves_last, volley_last, saves_last)


def test_the_odds_are_the_same():
    assert Exact().run(LAST, START).fractions() == Exact().run(PLAIN, START).fractions()


def test_what_was_asked_is_the_same():
    plain, last = (Exact().stages(stages, START)[1] for stages in (PLAIN, LAST))
    assert [[one[:2] for one in count.asked] for count in last] == [[one[:2] for one in count.asked] for count in plain]
    assert [count.states for count in last] == [count.states for count in plain]
    assert [count.branches for count in last] == [count.branches for count in plain]


def test_every_reader_of_one_path_does_the_same():
    assert_same_paths(LAST, PLAIN, START)
    assert volley_last(Script(2, 4, 1), START) == (1, 5)


def test_the_best_choice_is_the_same():
    found = [Best(lambda state: state[1]).run(stages, START).value for stages in (PLAIN, LAST)]
    assert found[0] == found[1]


@pytest.mark.parametrize("branches", [1, 2, 5, 11])
def test_a_budget_cuts_it_short_and_says_so(branches):
    odds = Exact(budget=Budget(branches=branches)).run(LAST, START)
    full = Exact().run(PLAIN, START)
    assert 0 < odds.unexplored <= 1
    assert all(odds.chance(state) <= full.chance(state) for state in odds.weights)


def test_a_sub_rule_left_out_leaves_its_share_out():
    def endless(tape: Tape, at: int) -> int:
        return at if tape.roll(D6, at_least(4), label="on") else int(tape.call(endless, at + 1))

    def rule(tape: Tape, state: int) -> int:
        return last_call(tape, lambda one: int(min(one, 2)), endless, state)

    odds = Exact(budget=Budget(nesting=12)).run((rule,), 0)
    assert 0 < odds.unexplored < 0.01
    assert odds.chance(0) == 0.5


def test_a_step_in_two_may_end_so():
    def work(tape: Tape, state: int, came: int, item: int) -> int:
        return last_call(tape, lambda one: int(max(0, state - came + one)), hits, item)

    def plain(tape: Tape, state: int, item: int) -> int:
        came: int = tape.call(shots, item)
        return max(0, state - came + int(tape.call(hits, item)))

    def shots(tape: Tape, item: int) -> int:
        return int(tape.roll(D6, label="shots"))

    parts = in_two(shots, lambda item: item, lambda state: False)(work)

    def fold(step: Any) -> Any:
        def stage(tape: Tape, state: int) -> int:
            return tape.each(step, state, (1, 2, 2))

        return stage

    assert Exact().run((fold(parts),), 9).fractions() == Exact().run((fold(plain),), 9).fractions()
