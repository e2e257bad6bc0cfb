"""Long folds: the plain and the held way give the same integers; floats are close and say what they are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.conformance.brute_force import brute_force
from battletape.dice import D3, D6, at_least, d
from battletape.tape import chain
from battletape.tape.exact import Exact
from battletape.tape.limits import CHAIN_RUN_LENGTH, MAX_MATRIX_STATES, Budget

NEVER_LONG, ALWAYS_LONG = 10**9, 0


def wound(tape: Any, left: int, on: int) -> int:
    """A model loses a wound on this number or more; the dead stay dead."""
    if not left:
        return 0
    return left - 1 if tape.roll(D6, at_least(on), label="wound") else left


def hurt(tape: Any, squad: tuple[int, int], _: Any) -> tuple[int, int]:
    """D3 damage on a 4+ to models of three wounds each, nothing spilling."""
    models, wounds = squad
    if not models or not tape.roll(D6, at_least(4), label="hit"):
        return squad
    left = wounds - tape.roll(D3, label="damage")
    return (models, left) if left > 0 else (models - 1, 3 if models > 1 else 0)


def tire(tape: Any, strength: int, _: Any) -> int:
    """The weaker, the likelier to weaken: states stay put unequally often."""
    return max(strength - 1, 0) if tape.roll(d(10), at_least(strength + 1), label="tire") else strength


def turn_about(tape: Any, facing: int, _: Any) -> int:
    """Facings go round in a circle."""
    return (facing + 1) % 4 if tape.roll(D6, at_least(5), label="turn") else facing


def fold(step: Any, items: tuple[Any, ...]) -> Any:
    def stage(tape, state):
        return tape.each(step, state, items)

    return stage


def run(step: Any, state: Any, items: tuple[Any, ...], **options: Any) -> Any:
    return Exact(**options).run((fold(step, items),), state)


def test_a_long_chain_is_worked_out_by_held_steps_and_named_so():
    odds = run(wound, 5, (4,) * 40)
    assert odds.how.path == "held steps"
    assert "held steps" in str(odds.how)
    assert odds.is_exact


@pytest.mark.parametrize("items", [(4,) * 30, (3,) * 7, (4, 4, 4, 6, 6, 6, 6, 6, 6, 6, 6, 6), (1,) * 9])
@pytest.mark.parametrize("state", [0, 1, 3, 6])
def test_held_and_plain_give_the_very_same_integers(monkeypatch, state, items):
    found = []
    for long in (NEVER_LONG, ALWAYS_LONG, 2):
        monkeypatch.setattr(chain, "LONG_RUN_FACTOR", long)
        kernel = Exact().chain(wound, state, items)
        found.append((kernel.results, kernel.total, kernel.lost))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("attacks", [1, 2, 5, 9, 40, 200])
def test_held_and_plain_agree_on_a_squad(monkeypatch, attacks):
    kernels = []
    for long in (NEVER_LONG, ALWAYS_LONG):
        monkeypatch.setattr(chain, "LONG_RUN_FACTOR", long)
        kernels.append(Exact().chain(hurt, (4, 3), (None,) * attacks))
    held = {"held steps"} if attacks > CHAIN_RUN_LENGTH else ()  # a few are followed one by one
    assert [kernel.paths for kernel in kernels] == [frozenset(), frozenset(held)]
    assert kernels[0].results == kernels[1].results
    assert kernels[0].total == kernels[1].total


@given(st.integers(0, 4), st.lists(st.integers(1, 7), max_size=3), st.sampled_from([wound, tire, turn_about]))
@settings(max_examples=60, deadline=None)
def test_a_fold_equals_the_twin(state, items, step):
    stage = fold(step, tuple(items))
    assert Exact().run((stage,), state) == brute_force((stage,), state)


@pytest.mark.parametrize("long", [NEVER_LONG, ALWAYS_LONG])
def test_a_squad_equals_the_twin(monkeypatch, long):
    monkeypatch.setattr(chain, "LONG_RUN_FACTOR", long)
    assert run(hurt, (2, 3), (None,) * 4) == brute_force((fold(hurt, (None,) * 4),), (2, 3))


@pytest.mark.parametrize("step", [tire, turn_about])
def test_chains_with_uneven_holds_or_circles_are_worked_out_plainly(monkeypatch, step):
    monkeypatch.setattr(chain, "LONG_RUN_FACTOR", ALWAYS_LONG)
    odds = run(step, 3, (None,) * 50)
    assert odds.how.path == ""
    assert odds.is_exact
    assert sum(odds.weights.values()) == odds.total


def test_a_circle_of_four_by_hand():
    odds = run(turn_about, 0, (None,) * 2)
    assert odds == {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}


def test_a_chain_without_items_changes_nothing():
    assert run(wound, 3, ()) == {3: 1}


def test_a_state_that_never_changes_stays():
    assert run(lambda tape, state, item: state, "rock", (None,) * 50) == {"rock": 1}


def test_each_step_has_its_item_and_its_place():
    def spell(tape, text, letter):
        return text + (letter if tape.roll(d(2), at_least(2), label="letter") else "")

    odds = run(spell, "", tuple("abca"))
    assert odds.chance("abca") == Fraction(1, 16)
    assert odds.chance("aba") == Fraction(1, 16)
    assert odds.chance("aa") == Fraction(1, 16)
    assert odds.chance("a") == Fraction(2, 16)


def test_a_chain_of_chains_names_the_method_of_the_inner_one():
    def battle(tape, state, _):
        return tape.each(wound, state, (4,) * 30)

    assert run(battle, 3, (None, None)).how.path == "held steps"


@pytest.mark.parametrize(
    "step, state, items",
    [
        (wound, 6, (4,) * 30),
        (hurt, (5, 3), (None,) * 100),
        (tire, 5, (None,) * 12),
        (turn_about, 1, (None,) * 33),
        (wound, 6, (4, 4, 5, 5, 5, 2)),
    ],
)
def test_floats_are_close_and_marked(monkeypatch, step, state, items):
    exact = run(step, state, items).floats()
    for dense in (MAX_MATRIX_STATES, 0):
        monkeypatch.setattr(chain, "MAX_MATRIX_STATES", dense)
        odds = run(step, state, items, floats=True)
        assert odds.how.method == "floats"
        assert not odds.is_exact
        assert odds.unexplored == 0
        assert set(odds.weights) <= set(exact)
        assert all(odds.floats().get(value, 0) == pytest.approx(chance, abs=1e-12) for value, chance in exact.items())


def test_floats_do_not_hide_what_a_budget_left_out(monkeypatch):
    def spread(tape, state, width):
        return state + tape.roll(d(width), label="spread") if width else state % 5

    for dense in (MAX_MATRIX_STATES, 0):
        monkeypatch.setattr(chain, "MAX_MATRIX_STATES", dense)
        for items in ((20, 19, 0, 0, 0), (20, 19, 1, 1), (20, 0)):
            odds = run(spread, 0, items, floats=True, budget=Budget(states=10))
            exact = run(spread, 0, items, budget=Budget(states=10))
            assert exact.unexplored >= Fraction(1, 2)
            assert float(odds.unexplored) == pytest.approx(float(exact.unexplored), abs=1e-12)


def test_floats_without_a_fold_are_exact():
    odds = Exact(floats=True).run((lambda tape, s: tape.roll(D6, label="die"),), None)
    assert odds.is_exact


def test_floats_without_any_state_allowed_explore_nothing():
    def lose(tape, state, item):
        return state + tape.roll(d(20), label="lose")

    odds = run(lose, 0, (1, 2), floats=True, budget=Budget(states=0))
    assert odds.unexplored == 1
