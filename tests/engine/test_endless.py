"""Rules without end, budgets that make no sense, and what is said of what was left out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.dice import D6, at_least, highest
from battletape.errors import BadInput, BattletapeError, BudgetSpent
from battletape.log import play
from battletape.tape import best as bests
from battletape.tape import path as paths
from battletape.tape import question as questions
from battletape.tape import walk as walks
from battletape.tape.best import Best
from battletape.tape.exact import Exact
from battletape.tape.limits import Budget
from battletape.tape.recorded import Recorded
from battletape.tape.rolled import Rolled
from battletape.tape.sampled import sampled
from battletape.tape.typed import Typed

# --- questions with one answer ----------------------------------------------------------------------------------------


@pytest.fixture
def soon(monkeypatch):
    """A rule is taken for endless soon."""
    for module in (walks, paths, bests, questions):
        monkeypatch.setattr(module, "MAX_FORCED_ANSWERS", 500)


ENDLESS = {
    "choose": lambda tape: tape.choose(("a",), by="x", label="x"),
    "pool": lambda tape: tape.pool(0, D6, label="x"),
    "whole pool": lambda tape: tape.pool(0, D6, label="x", whole=highest),
    "direction": lambda tape: tape.direction((), label="x"),
    "one cut": lambda tape: tape.direction((90,), label="x"),
}
SAID = "x: the rule asked 500 questions in a row that have one answer; it must come to an end"


def _ask_on(question):
    def rule(tape, state):
        while True:
            question(tape)

    return rule


@pytest.mark.parametrize("question", ENDLESS)
def test_endless_questions_with_one_answer_are_left_out(soon, question):
    odds = Exact(budget=Budget(seconds=60)).run((_ask_on(ENDLESS[question]),), 0)
    assert odds.unexplored == 1
    with pytest.raises(BattletapeError) as error:
        odds.mean  # noqa: B018
    assert str(error.value) == f"the budget left every branch unexplored ({SAID}); ask with a larger one"


@pytest.mark.parametrize("question", ENDLESS)
@pytest.mark.parametrize("tape", [lambda: Rolled(1), lambda: Typed(["3"]), lambda: Recorded([])])
def test_endless_questions_with_one_answer_end_on_a_path(soon, question, tape):
    with pytest.raises(BattletapeError) as error:
        _ask_on(ENDLESS[question])(tape(), 0)
    assert str(error.value) == SAID


@pytest.mark.parametrize("question", ENDLESS)
def test_endless_questions_with_one_answer_end_where_advice_is_sought(soon, question):
    with pytest.raises(BudgetSpent) as error:
        Best(lambda state: 0).run((_ask_on(ENDLESS[question]),), 0)
    assert str(error.value) == SAID


def test_endless_choices_that_a_policy_answers_are_left_out(soon):
    odds = Exact().run((_ask_on(lambda tape: tape.choose(("a", "b"), by="x", label="x")),), 0)
    assert odds.unexplored == 1


def test_only_the_branch_that_goes_on_for_ever_is_left_out(soon):
    def rule(tape, state):
        rolled = tape.roll(D6, label="first")
        while rolled == 6:
            tape.pool(0, D6, label="x")
        return rolled

    odds = Exact().run((rule,), 0)
    assert odds.unexplored == Fraction(1, 6)
    assert odds.chance(5) == Fraction(1, 6)


def test_many_short_rules_with_one_answer_each_are_not_endless(soon):
    def rule(tape, state):
        for _ in range(3):
            tape.pool(0, D6, label="none")
        return min(state + int(tape.roll(D6, at_least(4), label="x")), 2)

    def no_luck(tape, state):
        for _ in range(400):
            tape.pool(0, D6, label="none")
        return state

    assert sampled((no_luck, rule), 0, 20, seed=1).unexplored == 0
    assert (
        Exact().run((no_luck, lambda tape, state: tape.each(lambda t, s, _: rule(t, s), state, range(300))), 0).is_exact
    )
    tape = Rolled(1)
    for _ in range(400):
        rule(tape, 0)
    for _ in range(3):
        play((no_luck,), tape, 0)


def test_a_path_of_rules_that_call_themselves_ends_with_a_sentence():
    def again(tape, state):
        return tape.call(again, state)

    def fold(tape, state, item=None):
        return tape.each(fold, state, (1,))

    for rule, name in ((again, "again"), (fold, "fold")):
        for reader in (lambda rule: rule(Rolled(1), 0), lambda rule: sampled((rule,), 0, 2)):
            with pytest.raises(BattletapeError) as error:
                reader(rule)
            assert str(error.value) == (
                f"{name} calls itself, or rules that call it, without end; a rule must come to an end"
            )


def test_advice_on_a_rule_with_a_choice_that_calls_itself_ends_with_a_sentence():
    def again(tape, state):
        tape.choose(("a", "b"), by="x", label="x")
        return tape.call(again, state)

    with pytest.raises(BudgetSpent) as error:
        Best(lambda state: 0).run((again,), 0)
    assert str(error.value) == "a rule with a choice calls itself without end; it must come to an end"


def test_advice_is_as_deep_as_the_budget_on_every_python():
    depths = []

    def again(tape, depth):
        depths.append(depth)
        goes_on = tape.choose(("on", "stop"), by="x", label="x") == "on"
        return tape.call(again, depth + 1) if goes_on and depth < 20 else depth

    assert Best(lambda state: state, budget=Budget(nesting=30)).run((again,), 0).value == 20
    depths.clear()
    with pytest.raises(BudgetSpent):
        Best(lambda state: state, budget=Budget(nesting=5)).run((again,), 0)
    assert max(depths) < 20


@pytest.mark.parametrize("read", ["run", "led", "outcomes"])
def test_advice_on_a_rule_that_calls_itself_past_the_tape_ends_with_a_sentence(read):
    def again(tape, state):
        return again(tape, state)

    with pytest.raises(BudgetSpent) as error:
        getattr(Best(lambda state: 0), read)((again,), 0)
    assert str(error.value) == "a rule with a choice calls itself without end; it must come to an end"


# --- what a budget is -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given, said",
    [
        ({"seconds": float("nan")}, "seconds of a budget must be a number of 0 or more, or None, got nan"),
        ({"seconds": -1}, "seconds of a budget must be a number of 0 or more, or None, got -1"),
        ({"seconds": "1"}, "seconds of a budget must be a number of 0 or more, or None, got '1'"),
        ({"seconds": True}, "seconds of a budget must be a number of 0 or more, or None, got True"),
        ({"branches": 0}, "branches of a budget must be a whole number of 1 or more, got 0"),
        ({"branches": "many"}, "branches of a budget must be a whole number of 1 or more, got 'many'"),
        ({"branches": None}, "branches of a budget must be a whole number of 1 or more, got None"),
        ({"states": -1}, "states of a budget must be a whole number of 0 or more, got -1"),
        ({"depth": 1.5}, "depth of a budget must be a whole number of 0 or more, got 1.5"),
        ({"nesting": -2}, "nesting of a budget must be a whole number of 0 or more, got -2"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(given, said):
    with pytest.raises(BadInput) as error:
        Budget(**given)
    assert (str(error.value), error.value.field) == (said, next(iter(given)))


def test_a_pool_too_wide_for_the_budget_names_one_that_would_do():
    def rule(tape, state):
        return tape.pool(100, D6, at_least(4), label="all")[True]

    few = Exact(budget=Budget(states=100)).run((rule,), 0)
    with pytest.raises(BattletapeError) as error:
        few.mean  # noqa: B018
    why = "all: a pool of 100 dice counts as 101 states; states=100 are allowed, 101 would do"
    assert str(error.value) == f"the budget left every branch unexplored ({why}); ask with a larger one"
    assert Exact(budget=Budget(states=101)).run((rule,), 0).mean == 50
    assert (
        Exact()
        .run((lambda tape, state: tape.pool(10**6, D6, label="x"),), 0)
        .how.left_out.startswith("x: a pool of 1,000,000 dice counts as ")
    )


def test_the_reason_is_that_of_the_question_asked():
    reader = Exact(budget=Budget(depth=1, branches=1))
    assert reader.run((lambda tape, state: state,), 0).how.left_out == ""
    assert (
        Exact(budget=Budget(nesting=0)).run((lambda tape, state: state,), 0).how.left_out
        == "sub-rules nested deeper than nesting=0"
    )
