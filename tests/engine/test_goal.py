"""Choices that come before any luck are made for a goal: each option is followed to its end, and the best is taken."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from battletape.dice import D6, at_least
from battletape.tape.best import follow, weigh
from battletape.tape.budget import Budget
from battletape.tape.exact import Exact

State = tuple[int, ...]


def choose_dice(tape: Any, state: State) -> State:
    return (tape.choose((1, 3, 2), by="attacker", label="dice"),)


def choose_need(tape: Any, state: State) -> State:
    return (*state, tape.choose((3, 5), by="defender", label="need"))


def throw(tape: Any, state: State) -> State:
    dice, need = state
    return (tape.pool(dice, D6, at_least(need), label="throw")[True],)


STAGES = (choose_dice, choose_need, throw)


def reader(policy: Any, budget: Budget) -> Exact:
    return Exact(budget=budget, policy=policy)


def test_every_option_is_followed_and_the_best_is_taken():
    most, least = weigh(STAGES, (), _hits, {"attacker": "max", "defender": "min"}, Budget(), reader)
    assert (most.label, most.by, [one.value for one in most.options]) == (
        "dice",
        "attacker",
        [Fraction(n, 3) for n in (1, 3, 2)],
    )
    assert most.taken.option == 3
    assert [one.value for one in least.options] == [2, 1]
    assert least.taken.option == 5
    odds, counts, _ = follow(STAGES, (), (("dice", 3), ("need", 5)), Budget(), reader)
    assert odds.project(_hits).mean == 1
    assert [count.stage for count in counts] == list(STAGES)


def test_others_take_their_first_option():
    (choice,) = weigh(STAGES, (), _hits, {"attacker": "max"}, Budget(), reader)
    assert [one.value for one in choice.options] == [Fraction(2 * n, 3) for n in (1, 3, 2)]


def test_a_choice_after_luck_is_not_weighed():
    assert weigh((_luck_first,), (), _hits, {"attacker": "max"}, Budget(), reader) == ()
    odds, _, _ = follow((_luck_first,), (), (), Budget(), reader)
    assert odds.project(_hits).mean == Fraction(1, 2)


def test_an_option_in_the_stage_of_its_dice():
    (choice,) = weigh((_both,), (), _hits, {"attacker": "max"}, Budget(), reader)
    assert [one.value for one in choice.options] == [Fraction(1, 2), Fraction(5, 6)]


def test_what_the_budget_leaves_out_is_told_and_not_preferred():
    (choice,) = weigh((choose_dice, _deep), (), _hits, {"attacker": "max"}, Budget(branches=30), reader)
    assert [bool(one.unexplored) for one in choice.options] == [False, True, True]


def _hits(state: State) -> int:
    return state[0]


def _luck_first(tape: Any, state: State) -> State:
    good = tape.roll(D6, at_least(4), label="luck")
    return (int(good) * tape.choose((1, 2), by="attacker", label="stake"),)


def _both(tape: Any, state: State) -> State:
    need = tape.choose((4, 2), by="attacker", label="need")
    return (int(tape.roll(D6, at_least(need), label="throw")),)


def _deep(tape: Any, state: State) -> State:
    return (sum(tape.roll(D6, label=f"die {at}") for at in range(state[0])),)
