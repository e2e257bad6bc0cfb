"""Steps in two and stages that are one fold: the same odds as the plain ones, whatever happens inside."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.dice import D6, at_least
from battletape.odds import Odds
from battletape.tape import Tape
from battletape.tape.best import Best
from battletape.tape.budget import Budget
from battletape.tape.exact import Exact, Memo, first_option
from battletape.tape.folds import folding, in_two
from battletape.tape.rolled import Rolled
from battletape.tape.script import Script

# a state is (wounds left, cards left); an item (what a die needs, who picks the card)
State = tuple[int, tuple[str, ...]]
Item = tuple[int, str]
START: State = (4, ("a", "b", "c"))
ITEMS: tuple[Item, ...] = ((3, "us"), (3, "us"), (5, "us"), (2, "them"), (2, "them"), (2, "them"))


def luck(tape: Tape, item: Item) -> str:
    if not tape.roll(D6, at_least(item[0]), label="to hit"):
        return "none"
    return "card" if tape.roll(D6, at_least(4), label="harm") else "wound"


def work(tape: Tape, state: State, came: str, by: str) -> State:
    wounds, cards = state
    if came == "card" and cards:
        lost = tape.choose(cards, by=by, label="card lost")
        return wounds, tuple(card for card in cards if card != lost)
    return (wounds - 1, cards) if came in ("card", "wound") else state


def is_over(state: State) -> bool:
    return state[0] <= 0


in_parts = in_two(luck, lambda item: item[1], is_over)(work)


def plain(tape: Tape, state: State, item: Item) -> State:
    return state if is_over(state) else work(tape, state, tape.call(luck, item), item[1])


@folding(in_parts, lambda state: (state[0], state[1], () if is_over(state[1]) else ITEMS))
def fold_all(turn: int, inner: State) -> tuple[int, State]:
    return turn + 1, inner


def all_plain(tape: Tape, state: tuple[int, State]) -> tuple[int, State]:
    turn, inner = state
    return turn + 1, inner if is_over(inner) else tape.each(plain, inner, ITEMS)


def last_option(ask: Any) -> Any:
    return ask.options[-1]


@pytest.mark.parametrize("policy", [first_option, last_option])
def test_a_step_in_two_has_the_odds_of_the_plain_one(policy: Any) -> None:
    one, two = Exact(policy=policy), Exact(policy=policy)
    fast, slow = one.chain(in_parts, START, ITEMS), two.chain(plain, START, ITEMS)
    assert one.odds(fast) == two.odds(slow)
    assert (fast.chose, fast.lost) == (True, 0)
    assert {raw[:2] for raw in fast.asked} == {raw[:2] for raw in slow.asked}


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_stage_of_one_fold_takes_all_states_together(times: int) -> None:
    fast = Exact().run((fold_all,) * times, (0, START))
    slow = Exact().run((all_plain,) * times, (0, START))
    assert fast == slow
    assert sum(fast.fractions().values()) == 1
    assert fast.how.branches <= slow.how.branches
    assert fast.how.policy == slow.how.policy == "choices by first option"


def test_what_is_done_may_itself_be_luck() -> None:
    def done(tape: Tape, state: int, came: str, by: str) -> int:
        return state + (tape.roll(D6, label="how much") if came == "wound" else 0)

    step = in_two(luck, lambda item: item[1], lambda state: state > 8)(done)

    def same(tape: Tape, state: int, item: Item) -> int:
        return state if state > 8 else done(tape, state, tape.call(luck, item), item[1])

    one, two = Exact(), Exact()
    assert one.odds(one.chain(step, 0, ITEMS)) == two.odds(two.chain(same, 0, ITEMS))


def test_a_small_budget_leaves_out_and_a_larger_one_finds_it_with_the_same_memo() -> None:
    memo = Memo()
    few = Exact(memo, Budget(branches=12)).run((fold_all, fold_all), (0, START))
    assert few.unexplored > 0
    assert Exact(memo).run((fold_all, fold_all), (0, START)) == Exact().run((all_plain, all_plain), (0, START))


def test_other_readers_see_an_ordinary_stage() -> None:
    for seed in range(5):
        assert fold_all(Rolled(seed), (0, START)) == all_plain(Rolled(seed), (0, START))
    tape = Script(1, 3, 4, "b", 1, 1, 1, 1)  # to hit; harm; the card that is lost
    assert fold_all(tape, (0, START)) == (1, (4, ("a", "c")))
    goal = lambda state: state[1][0]  # noqa: E731
    assert Best(goal).run((fold_all,), (0, START)).value == Best(goal).run((all_plain,), (0, START)).value


def test_a_spared_state_is_asked_nothing() -> None:
    over: State = (0, ("a", "b"))
    kernel = Exact().chain(in_parts, over, ITEMS)
    assert (kernel.results, kernel.asked) == ({over: 1}, ())
    assert Exact().run((fold_all,), (7, over)) == {(8, over): Fraction(1)}


def test_a_fold_goes_on_from_where_a_shorter_one_ended():
    asked: list[tuple[int, int]] = []

    def step(tape, state, item):
        asked.append((state, item))
        return min(9, state + tape.roll(D6, at_least(item), label="hit"))

    def fold(tape, items):
        return tape.each(step, 0, items)

    reader = Exact()
    short = reader.outcomes(fold, (2, 3, 4))
    before = len(asked)
    longer = reader.outcomes(fold, (2, 3, 4, 5))
    assert {item for _, item in asked[before:]} == {5}
    anew = Exact().outcomes(fold, (2, 3, 4, 5))
    assert Odds(longer.results, longer.total) == Odds(anew.results, anew.total)
    assert Odds(short.results, short.total).mean == Fraction(5 + 4 + 3, 6)
    assert Odds(longer.results, longer.total).mean == Fraction(5 + 4 + 3 + 2, 6)


def test_what_a_budget_cut_short_is_not_taken_for_certain():
    """Of a sub-rule with one result left, the others are lost, not impossible."""

    def poison(tape: Tape, wounds: int) -> int:
        return wounds - 1 if tape.roll(D6, at_least(4), label="poison") else int(tape.call(later, wounds))

    def later(tape: Tape, wounds: int) -> int:
        return wounds - 2 if tape.roll(D6, at_least(4), label="later") else wounds

    def hurt(tape: Tape, wounds: int, came: str, by: str) -> int:
        return int(tape.call(poison, wounds)) if came != "none" else wounds

    step = in_two(luck, lambda item: item[1], lambda wounds: wounds <= 0)(hurt)

    def stage(tape: Tape, wounds: int) -> int:
        return tape.each(step, wounds, ITEMS[:3])

    full, memo = Exact().run((stage,), 6), Memo()
    for nesting in range(6):
        cut = Exact(memo, Budget(nesting=nesting)).run((stage,), 6)
        assert all(cut.chance(wounds) <= full.chance(wounds) for wounds in cut.weights)
    assert Exact(memo).run((stage,), 6).fractions() == full.fractions()


def test_a_stage_too_large_for_its_share_gets_half_of_what_is_left():
    def wait(tape: Tape, state: int) -> int:
        return state

    def many(tape: Tape, state: int) -> int:
        return sum(int(tape.roll(D6, label=f"die {at}")) for at in range(4))

    found = Exact(budget=Budget(branches=6**4 * 3)).run((many, *(wait,) * 30), 0)
    assert found.is_exact
