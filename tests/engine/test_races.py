"""Two lines that end together: followed each for itself, they have the odds of both followed at once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest

from battletape.dice import D3, D6, at_least
from battletape.tape import Ended, Lines, Tape, Turn
from battletape.tape.best import Best
from battletape.tape.exact import Exact
from battletape.tape.limits import Budget
from battletape.tape.script import Script
from tests.engine.paths import assert_same_paths

State = tuple[int, bool]  # what is left of the other, and whether the gun is jammed


def fire(tape: Tape, state: State, needs: int) -> State:
    left, jammed = state
    if jammed:
        return left, not tape.roll(D6, at_least(4), label="clear")
    came = tape.roll(D6, label="hit")
    if came == 1:
        return left, True
    return (left - tape.roll(D3, label="harm") if came >= needs else left), False


def is_over(state: State) -> bool:
    return state[0] <= 0


LINES = Lines(fire, is_over, lambda state: state)
LEFT = Lines(fire, is_over, lambda state: max(state[0], 0))
STARTS: tuple[Hashable, Hashable] = ((4, False), (3, False))


def as_it_ended(rest: Any, ended: Ended) -> Ended:
    return ended


def race(lines: Lines, turns: tuple[Turn, ...]) -> Any:
    def stage(tape: Tape, state: Any) -> Any:
        return tape.race(lines, STARTS, turns, then=as_it_ended, rest=state)

    return stage


def together(tape: Tape, state: Ended, turn: tuple[int, int, int]) -> Ended:
    """The same with both in one state, as a rule would be written without lines."""
    one, two, ended = state
    at, side, needs = turn
    if ended is not None:
        return state
    after = fire(tape, two if side else one, needs)
    over = at if is_over(after) else None
    return (one, after, over) if side else (after, two, over)


def plain(turns: tuple[Turn, ...]) -> Any:
    def stage(tape: Tape, state: Any) -> Any:
        return tape.each(together, (*STARTS, None), [(at, *turn) for at, turn in enumerate(turns)])

    return stage


ORDERS: list[tuple[Turn, ...]] = [
    (),
    ((0, 3),),
    ((1, 3), (0, 5)) * 3,
    ((0, 2), (0, 6), (1, 4)) * 2,
    ((1, 2),) * 6,
    ((0, 2), (1, 2)) * 5,
]


@pytest.mark.parametrize("turns", ORDERS)
def test_a_race_has_the_odds_of_both_lines_rolled_turn_by_turn(turns):
    found, expected = Exact().run((race(LINES, turns),), 0), Exact().run((plain(turns),), 0)
    assert found.fractions() == expected.fractions()
    assert found.is_exact


def test_a_race_keeps_wounds_of_both_sides_and_its_end():
    found = Exact().run((race(LEFT, ORDERS[2]),), 0)
    expected = Exact().run((plain(ORDERS[2]),), 0)
    kept = expected.project(lambda ended: (max(ended[0][0], 0), max(ended[1][0], 0), ended[2]))
    assert found.fractions() == kept.fractions()


def test_one_path_asks_the_same_in_the_same_order():
    assert_same_paths((race(LINES, ORDERS[5]),), (plain(ORDERS[5]),), 0)
    assert race(LINES, ORDERS[5])(Script(5, 3, 1, 5, 3), 0) == ((-2, False), (3, True), 2)


def test_the_best_reader_follows_a_race_and_keeps_its_questions():
    assert (
        Best(lambda ended: ended[0][0]).run((race(LINES, ORDERS[2]),), 0).value
        == Exact().run((plain(ORDERS[2]),), 0).project(lambda ended: ended[0][0]).mean
    )
    (count,) = Exact().stages((race(LINES, ORDERS[2]),), 0)[1]
    assert {one.label for one in count.asked} == {"hit", "harm", "clear"}


@pytest.mark.parametrize("budget", [Budget(branches=40), Budget(branches=90), Budget(states=3), Budget(branches=5)])
def test_a_budget_leaves_out_and_invents_nothing(budget):
    found, expected = (Exact(budget=one).run((race(LINES, ORDERS[5]),), 0) for one in (budget, Budget()))
    assert 0 < found.unexplored <= 1
    assert found.how.left_out
    assert all(found.chance(ended) <= expected.chance(ended) for ended in found.weights)
