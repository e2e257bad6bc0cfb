"""Best: the value of a decision equals hand-worked numbers, every strategy tried out, and the naive game tree."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from battletape.conformance.brute_force import TooMany, brute_force, game_value
from battletape.dice import D6, at_least, d
from battletape.errors import BattletapeError, BudgetSpent, UnknownName
from battletape.tape.best import Best
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import Budget
from battletape.tape.question import Ask
from tests.engine.programs import programs


def same(state: Any) -> Any:
    return state


def first_throw(tape: Any, _: Any) -> int:
    return int(tape.roll(D6, label="first"))


def keep_or_throw(tape: Any, came: int) -> int:
    """Keep the die or throw it once more."""
    if tape.choose(("keep", "again"), by="us", label="keep") == "keep":
        return came
    return int(tape.roll(D6, label="again"))


def test_keep_a_four_or_better():
    advice = Best(same).run((first_throw, keep_or_throw), None)
    assert advice.value == Fraction(17, 4)
    assert {decision.state: decision.best for decision in advice.decisions} == {
        1: "again",
        2: "again",
        3: "again",
        4: "keep",
        5: "keep",
        6: "keep",
    }
    three = next(decision for decision in advice.decisions if decision.state == 3)
    assert three.options == (("keep", Fraction(3)), ("again", Fraction(7, 2)))
    assert (three.stage, three.label, three.by) == (keep_or_throw, "keep", "us")
    assert three.reached == Fraction(1, 6)


def test_two_throws_more_are_worth_more():
    advice = Best(same).run((first_throw, keep_or_throw, keep_or_throw), None)
    # with two left one keeps 5 or 6 only, else goes on with 4 1/4
    assert advice.value == Fraction(5 + 6, 6) + Fraction(4, 6) * Fraction(17, 4)


def test_the_best_strategy_is_the_best_of_all_strategies():
    """Every way to decide at each face, tried out by the twin."""
    values = []
    for plan in product(("keep", "again"), repeat=6):

        def planned(tape, came, plan=plan):
            return came if plan[came - 1] == "keep" else tape.roll(D6, label="again")

        chances = brute_force((first_throw, planned), None)
        values.append(sum(value * chance for value, chance in chances.items()))
    for play, best in (("max", max(values)), ("min", min(values))):
        assert Best(same, {"us": play}).run((first_throw, keep_or_throw), None).value == best


def test_both_sides_play_well():
    def hide(tape, _):
        return tape.choose(("wood", "hill"), by="them", label="hide")

    def hunt(tape, place):
        with_hounds = tape.choose((True, False), by="us", label="hounds")
        needed = {("wood", True): 3, ("wood", False): 5, ("hill", True): 4, ("hill", False): 2}[place, with_hounds]
        return tape.roll(D6, at_least(needed), label="find")

    advice = Best(int, {"us": "max", "them": "min"}).run((hide, hunt), None)
    assert advice.value == Fraction(4, 6)
    hidden = advice.decisions[0]
    assert (hidden.by, hidden.best) == ("them", "wood")
    assert dict(hidden.options) == {"wood": Fraction(4, 6), "hill": Fraction(5, 6)}
    assert [(one.label, one.state, one.best) for one in advice.decisions[1:]] == [("hounds", "wood", True)]
    assert Best(int, {"us": "max", "them": "max"}).run((hide, hunt), None).value == Fraction(5, 6)
    assert Best(int, {"us": "min", "them": "min"}).run((hide, hunt), None).value == Fraction(2, 6)
    assert Best(int).run((hide, hunt), None).value == Fraction(5, 6)  # who is not named plays for the goal


def test_a_side_may_follow_a_policy():
    stages = (first_throw, keep_or_throw)
    assert Best(same, {"us": "first"}).run(stages, None).value == Fraction(7, 2)
    assert Best(same, {"us": "last"}).run(stages, None).value == Fraction(7, 2)
    asked: list[Ask] = []

    def always_again(ask: Ask) -> str:
        asked.append(ask)
        return "again"

    advice = Best(lambda state: state == 6, {"us": always_again}).run(stages, None)
    assert advice.value == Fraction(1, 6)
    assert {decision.best for decision in advice.decisions} == {"again"}
    assert asked[0].options == ("keep", "again")


def test_a_policy_equals_the_exact_reader_with_it():
    stages = (first_throw, keep_or_throw)
    for name, index in (("first", 0), ("last", -1)):

        def policy(ask: Ask, index: int = index) -> Any:
            return ask.options[index]

        exact = Exact(policy=policy).run(stages, None)
        assert Best(same, {"us": name}).run(stages, None).value == exact.mean


def test_an_unknown_way_to_play_is_refused():
    with pytest.raises(UnknownName, match=r"there is no way to play for us 'maxx'\. Did you mean 'max'\?"):
        Best(same, {"us": "maxx"})


def test_a_policy_must_keep_to_the_options():
    with pytest.raises(BattletapeError, match=r"the policy of us chose 'flee' at keep, which offers keep \| again"):
        Best(same, {"us": lambda ask: "flee"}).run((first_throw, keep_or_throw), None)


def test_choices_inside_sub_rules_and_folds():
    def bet(tape, purse, _):
        if not purse or tape.choose(("stop", "bet"), by="us", label="bet") == "stop":
            return purse
        return purse + (2 if tape.roll(D6, at_least(4), label="coin") else -1)

    def evening(tape, purse):
        return tape.call(by_fold, purse)

    def by_fold(tape, purse):
        return tape.each(bet, purse, range(3))

    advice = Best(same).run((evening,), 1)
    assert advice.value == game_value((evening,), 1, same, {"us": max})
    # 1 -> 3 or 0; 3 -> 5 or 2; then a last bet is worth another 1/2
    assert advice.value == Fraction(1, 2) * (Fraction(1, 2) * Fraction(11, 2) + Fraction(1, 2) * Fraction(5, 2))
    assert {decision.best for decision in advice.decisions} == {"bet"}


def test_sub_rules_and_folds_without_choices_count_as_one_die():
    def wear(tape, left, _):
        return left - tape.roll(D6, at_least(4), label="wear")

    def spin(tape):
        return tape.roll(d(20), label="spin") % 2

    def stage(tape, left):
        left = tape.each(wear, left, range(40))
        sign = tape.call(spin)
        return left if tape.choose((True, False), by="us", label="stay") else sign

    best = Best(same)
    assert best.run((stage,), 0).value == Fraction(1, 2)
    assert best.spent.steps < 500  # 2^40 ways to wear, but 41 results


def test_pools_and_bearings_are_luck_too():
    def stage(tape, _):
        hits = tape.pool(3, D6, at_least(5), label="hits")[True] + tape.pool(0, D6, label="none")[True]
        arc = tape.direction((0, 90), label="way") + tape.direction((), label="none")
        return hits if tape.choose(("hits", "arc"), by="us", label="count") == "hits" else arc

    advice = Best(same).run((stage,), None)
    assert advice.value == game_value((stage,), None, same, {"us": max})
    none_and_far = Fraction(8, 27) * Fraction(1, 4)
    assert advice.value == 1 + none_and_far


@pytest.mark.parametrize("play", ["max", "min"])
def test_choices_in_a_row_come_to_the_same_at_once_as_one_by_one(play):
    def share(tape, coins):
        """Each coin into one of two heaps; the second never holds more."""
        heaps = (0, 0)
        for coin in range(coins):
            options = ("left", "right") if heaps[0] > heaps[1] else ("left",)
            left = tape.choose(options, by="us", label=f"coin {coin}") == "left"
            heaps = (heaps[0] + left, heaps[1] + (not left))
        return heaps

    def throw(tape, _):
        return int(tape.roll(D6, label="coins"))

    def put(tape, coins):
        return tape.call(share, coins, then=closed, rest=coins)

    def closed(coins, heaps):
        return coins, heaps

    def steal(tape, state):
        coins, (left, right) = state
        gone = tape.roll(D6, at_least(4), label="thief")
        return coins, (0, 3 * right) if gone else (left, right)

    def worth(state):
        return sum(state[1])

    stages = (throw, put, steal)
    best, memo = Best(worth, {"us": play}), Memo()
    led, advice = Best(worth, {"us": play}, memo=memo).led(stages, None), best.run(stages, None)
    assert (
        led.odds.project(worth).mean
        == advice.value
        == game_value(stages, None, worth, {"us": max if play == "max" else min})
    )
    assert Best(worth, {"us": play}, memo=memo).led(stages, None)[1:] == led[1:]  # a tree that is known costs as much
    for decision in advice.decisions:
        chosen = led.orders[1][decision.state]
        assert decision.best in chosen.values()
    assert led.orders[1][3] == {(): "left", ("left",): "left" if play == "min" else "right"}


@given(st.lists(programs(choices=True, most=2), min_size=1, max_size=2).map(tuple), st.sampled_from(["max", "min"]))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_any_game_equals_its_whole_tree(stages, them):
    try:
        brute_force(stages, 1, most=200)
    except TooMany:
        assume(False)
    sides = {"us": max, "them": {"max": max, "min": min}[them]}
    advice = Best(same, {"us": "max", "them": them}).run(stages, 1)
    assert advice.value == game_value(stages, 1, same, sides)
    if not advice.decisions:
        assert advice.value == Exact().run(stages, 1).mean
    for decision in advice.decisions:
        pick = max if decision.by == "us" else sides["them"]
        assert dict(decision.options)[decision.best] == pick(value for _, value in decision.options)
        assert 0 < decision.reached <= 1


def test_a_stage_is_worked_out_once_for_each_state():
    calls: list[int] = []

    def forget(tape, _):
        return tape.roll(d(20), label="far") % 2

    def decide(tape, state):
        calls.append(state)
        return tape.choose((state, 1 - state), by="us", label="turn")

    assert Best(same).run((forget, decide), None).value == 1
    assert sorted(calls) == [0] * 2 + [1] * 2  # for each of its two answers


def test_no_stages_are_worth_the_state():
    advice = Best(lambda state: state * 2).run((), 21)
    assert advice.value == 42
    assert advice.decisions == ()


@pytest.mark.parametrize(
    "rule, budget, said",
    [
        (
            lambda tape, _: [tape.choose((1, 2, 3), by="us", label=f"turn {at}") for at in range(9)],
            Budget(branches=200),
            "the choices are too many for the budget; ask about a smaller situation or a larger budget",
        ),
        (
            lambda tape, _: [tape.choose((1, 2), by="us", label=f"turn {at}") for at in range(9)],
            Budget(depth=5),
            "the choices are too many for the budget; ask about a smaller situation or a larger budget",
        ),
        (
            lambda tape, _: tape.call(_endless, 0),
            None,
            "a sub-rule is too large for the budget; ask about a smaller situation or a larger budget",
        ),
        (
            lambda tape, _: tape.pool(1_000, D6, label="all"),
            None,
            "all: a pool of 1,000 dice counts as 8,459,043,543,951 states; states=100000 are allowed, "
            "8459043543951 would do; ask about a smaller one",
        ),
    ],
)
def test_too_much_is_refused_not_guessed(rule, budget, said):
    with pytest.raises(BudgetSpent) as error:
        Best(lambda state: 0, budget=budget).run((rule,), None)
    assert str(error.value) == said


def _endless(tape: Any, total: int) -> int:
    return int(tape.call(_endless, total + 1)) if tape.roll(D6, at_least(6), label="six") else total
