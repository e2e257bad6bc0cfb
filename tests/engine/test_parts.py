"""Stages of a part of the state: the odds, dice and recordings of the same stages written for the whole state."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from battletape.conformance.brute_force import TooMany, brute_force
from battletape.dice import D6, at_least
from battletape.errors import BudgetSpent
from battletape.rulebook import Keyword, Procedure, clause, with_keywords, within
from battletape.tape import Tape
from battletape.tape.best import Best
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import Budget
from tests.engine.paths import assert_same_paths
from tests.engine.programs import Program, programs

SMALL = settings(max_examples=60, deadline=None)
NONE = 4
"""The rest of a state that has no part."""


def take(state: int) -> tuple[int, int] | None:
    return None if state % 5 == NONE else (state // 5, state % 5)


def put(rest: int, part: int) -> int:
    """Return the whole state, of which `take` gives this part and this rest."""
    return rest + 5 * part


@lru_cache(1024)
def plainly(stage: Program) -> Any:
    """The stage of a part as it would be written for the whole state."""

    def whole(tape: Tape, state: int) -> int:
        taken = take(state)
        return state if taken is None else put(taken[1], tape.call(stage, taken[0]))

    return whole


def any_stages(choices: bool = False) -> st.SearchStrategy[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Stages of the whole and of its part in any order; and all of them as stages of the whole."""
    stage = st.tuples(st.booleans(), programs(choices, most=1))
    return st.lists(stage, min_size=1, max_size=4).map(
        lambda stages: (
            tuple(within(rule, take, put) if is_part else rule for is_part, rule in stages),
            tuple(plainly(rule) if is_part else rule for is_part, rule in stages),
        )
    )


@SMALL
@given(any_stages(), st.integers(0, 29))
def test_stages_of_a_part_equal_the_stages_of_the_whole(both, state):
    stages, plain = both
    odds = Exact().run(stages, state)
    assert odds == Exact().run(plain, state)
    try:
        assert odds == brute_force(plain, state, most=4_000)
    except TooMany:
        assume(False)


@SMALL
@given(any_stages(choices=True), st.integers(0, 29))
def test_other_readers_do_the_same(both, state):
    stages, plain = both
    assert_same_paths(stages, plain, state)
    try:
        best, same = (
            Best(lambda now: now, {"them": "min"}, budget=Budget(branches=2_000)).run(rules, state).value
            for rules in both
        )
    except BudgetSpent:
        assume(False)
        raise
    assert best == same


@SMALL
@given(any_stages(choices=True), st.integers(0, 29))
def test_it_stops_after_the_first_stage_with_a_choice(both, state):
    (kernel, counts), (same, others) = (Exact().stages(stages, state, to_choice=True) for stages in both)
    assert len(counts) == len(others)
    assert Exact().odds(kernel) == Exact().odds(same)
    assert [{*count.asked} for count in counts] == [{*count.asked} for count in others]


@SMALL
@given(any_stages(), st.integers(0, 29), st.integers(1, 60))
def test_a_budget_leaves_out_and_invents_nothing(both, state, branches):
    memo, (stages, _) = Memo(), both
    few, whole = Exact(memo, Budget(branches=branches)).run(stages, state), Exact().run(stages, state)
    assert sum(few.weights.values()) + few.unexplored_weight == few.total
    assert all(few.chance(now) <= whole.chance(now) for now in few.weights)
    assert bool(few.unexplored) == bool(few.how.left_out)
    assert Exact(memo).run(stages, state) == whole  # nothing half-explored was kept


@clause("A-1")
def shoot(tape: Tape, dice: int) -> int:
    """Sixes of so many dice."""
    return tape.pool(dice, D6, at_least(6), label="shots")[True]


def guns(state: tuple[int, int]) -> tuple[int, int] | None:
    return (state[1], state[0]) if state[1] else None


def fired(tired: int, sixes: int) -> tuple[int, int]:
    return tired, sixes


def tire(tape: Tape, state: tuple[int, int]) -> tuple[int, int]:
    """Any number of ways to stand before the shots."""
    return tape.pool(20, D6, at_least(4), label="tired")[True], state[1]


def test_a_part_is_counted_once_for_all_states_around_it():
    _, counts = Exact().stages((tire, within(shoot, guns, fired), within(shoot, guns, fired)), (0, 8))
    assert [(count.branches, count.states) for count in counts] == [(21, 21), (9, 9), (45, 9)]
    odds = Exact().run((tire, within(shoot, guns, fired)), (0, 8))
    assert len(odds.weights) == 21 * 9
    assert odds.project(lambda state: state[1]).chance(0) == Fraction(5, 6) ** 8


def test_a_state_without_the_part_passes_by():
    odds = Exact().run((within(shoot, guns, fired),), (3, 0))
    assert odds.weights == {(3, 0): 1}
    assert odds.how.branches == 1


def test_a_stage_of_a_part_keeps_name_and_clauses():
    stage = within(shoot, guns, fired)
    assert stage is within(shoot, guns, fired)
    assert (stage.__name__, stage.__doc__, getattr(stage, "__clauses__", ())) == ("shoot", shoot.__doc__, ("A-1",))
    _, counts = Exact().stages((stage, tire), (3, 1))
    assert [asked.label for count in counts for asked in count.asked] == ["shots", "tired"]
    assert counts[0].asked[0].clauses == ("A-1",)


def test_the_one_state_after_a_stage_is_the_whole_state():
    def count_down(tape: Tape, left: int) -> int:
        return left - 1

    _, counts = Exact().stages((within(count_down, guns, fired), tire, within(count_down, guns, fired)), (3, 2))
    assert [count.only for count in counts] == [(3, 1), None, None]


def test_states_beyond_the_budget_are_left_out_when_parts_are_put_back():
    odds = Exact(budget=Budget(states=50)).run((tire, within(shoot, guns, fired)), (0, 8))
    assert len(odds.weights) == 50
    assert 0 < odds.unexplored < Fraction(1, 10)
    assert "states=50" in odds.how.left_out


class Gun(NamedTuple):
    """A part with something that nobody asks for."""

    dice: int
    colour: int


def test_parts_that_a_lens_makes_equal_are_added_up():
    def paint(tape: Tape, gun: Gun) -> tuple[int, Gun]:
        return 0, Gun(gun.dice, tape.roll(D6, label="colour"))

    def fire(tape: Tape, gun: Gun) -> Gun:
        return Gun(tape.pool(gun.dice, D6, at_least(6), label="shots")[True], gun.colour)

    def gun_of(state: tuple[int, Gun]) -> tuple[Gun, int]:
        return state[1], state[0]

    def armed(rest: int, gun: Gun) -> tuple[int, Gun]:
        return rest, gun

    forget = ((Gun, lambda gun: Gun(gun.dice, 0)),)
    odds = Exact(forget=forget).run((paint, within(fire, gun_of, armed)), Gun(2, 5))
    assert odds.fractions() == {
        (0, Gun(0, 0)): Fraction(25, 36),
        (0, Gun(1, 0)): Fraction(10, 36),
        (0, Gun(2, 0)): Fraction(1, 36),
    }


@pytest.mark.parametrize("dice", [1, 4])
def test_a_dial_turns_the_whole_state_before_a_stage_of_a_part(dice):
    stage = within(shoot, guns, fired)
    more = Keyword("More", before={stage: lambda state: (state[0] + 1, state[1] + 1)})
    odds = Exact().run(with_keywords(Procedure("fire", (stage,)), (more,)).stages, (0, dice))
    assert odds.chance((1, 0)) == Fraction(5, 6) ** (dice + 1)
