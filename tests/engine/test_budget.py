"""The budget: every reader stops in bounded work, and what it left out is reported, never dropped."""

from __future__ import annotations

import ast
import itertools
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.dice import D6, BestOf, at_least, d, face
from battletape.errors import BattletapeError, BudgetSpent
from battletape.memory import Kept
from battletape.tape import chain, folds, limits, walk
from battletape.tape.best import Best
from battletape.tape.ends import Continuation, Lines
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import Budget, Spent
from battletape.tape.sampled import sampled
from tests.engine.programs import Program, programs


def explode(tape: Any, total: int) -> int:
    """Sixes are rolled again, without end."""
    while (face := tape.roll(D6, label="die")) == 6:
        total += 6
    return total + int(face)


def explode_again(tape: Any, total: int) -> int:
    """The same, each further die being a sub-rule."""
    face = tape.roll(D6, label="die")
    return int(tape.call(explode_again, total + 6)) if face == 6 else total + int(face)


def add_up(odds: Any) -> None:
    """Nothing is dropped: what was explored and what was not make the whole."""
    assert sum(odds.weights.values()) + odds.unexplored_weight == odds.total
    assert sum(odds.fractions().values()) + odds.unexplored == 1


@pytest.mark.parametrize("rule, deep", [(explode, 96), (explode_again, 60)])
def test_an_open_ended_die_reports_the_tiny_rest(rule, deep):
    odds = Exact().run((rule,), 0)
    add_up(odds)
    assert odds.unexplored == Fraction(1, 6) ** deep
    assert not odds.is_exact
    assert odds.chance(8) == Fraction(1, 36)
    assert float(odds.mean) == pytest.approx(4.2)
    assert "unexplored" in repr(odds)


def test_a_rule_that_always_goes_on_is_all_unexplored():
    def forever(tape, state):
        while True:
            tape.roll(D6, label="die")

    odds = Exact(budget=Budget(branches=1_000)).run((forever,), 0)
    add_up(odds)
    assert odds.unexplored == 1
    assert len(odds) == 0


def test_a_sub_rule_without_end_is_all_unexplored():
    def down(tape, state):
        return tape.call(down, state + 1)

    odds = Exact().run((down,), 0)
    assert odds.unexplored == 1


def test_too_many_branches_stop_and_are_reported():
    def many(tape, state):
        return sum(tape.roll(D6, label=f"die {at}") for at in range(6))

    reader = Exact(budget=Budget(branches=500))
    odds = reader.run((many,), 0)
    add_up(odds)
    assert odds.how.branches <= 501
    assert odds.unexplored == 1 - Fraction(501, 6**6)
    assert reader.spent.over


def test_the_short_branches_of_an_open_loop_come_first():
    def until_a_six(tape, state):
        rolls = 1
        while tape.roll(D6, label=f"roll {rolls}") != 6:
            rolls += 1
        return rolls

    odds = Exact(budget=Budget(branches=20_000)).run((until_a_six,), 0)
    add_up(odds)
    for rolls in range(1, 5):
        assert odds.chance(rolls) == Fraction(5, 6) ** (rolls - 1) / 6
    assert odds.unexplored == Fraction(5, 6) ** max(odds.weights)


def test_an_open_loop_that_widens_little_is_followed_deep():
    def three_then_explode(tape, state):
        total = sum(tape.roll(D6, label=f"die {at}") for at in range(3))
        while tape.roll(D6, label="more") == 6:
            total += 1
        return total

    assert Exact().run((three_then_explode,), 0).unexplored < Fraction(1, 10**20)


def test_a_long_rule_that_ends_is_followed_to_its_end():
    def coins(tape, state):
        return sum(tape.roll(d(2), label=f"coin {at}") for at in range(14))

    odds = Exact().run((coins,), 0)
    assert not odds.unexplored
    assert odds.how.branches == 2**14
    few = Exact(budget=Budget(branches=2**13)).run((coins,), 0)
    add_up(few)
    assert 0 < few.unexplored < 1


def test_each_stage_has_its_share_so_a_large_one_leaves_some_for_the_next():
    def many(tape, state):
        return state + sum(tape.roll(D6, label=f"die {at}") for at in range(5))

    def one(tape, state):
        return state + tape.roll(D6, label="one")

    odds = Exact(budget=Budget(branches=1_000)).run((many, one), 0)
    add_up(odds)
    assert 0 < odds.unexplored < 1
    assert odds.unexplored == 1 - Fraction(odds.how.branches - 6 * 17, 6**5)  # 17 sums were met in the first stage


def test_the_heaviest_states_go_on():
    def wide(tape, state):
        return state + tape.pool(10, D6, at_least(4), label="wide")[True]

    odds = Exact(budget=Budget(states=10)).run((wide,), 0)
    add_up(odds)
    assert len(odds) == 0  # a pool of eleven tallies is past ten states

    def far(tape, state):
        return 20 * state + tape.roll(d(20), label="far")

    odds = Exact(budget=Budget(states=30)).run((far, far), 0)
    add_up(odds)
    assert len(odds) == 30
    assert odds.chance(lambda value: True) == Fraction(30, 400)

    def two_dice(tape, state):
        return tape.roll(D6, label="one") + tape.roll(D6, label="two")

    odds = Exact(budget=Budget(states=3)).run((two_dice,), 0)
    assert odds == {6: Fraction(5, 36), 7: Fraction(6, 36), 8: Fraction(5, 36)}


def test_a_fold_keeps_within_the_states():
    def spread(tape, state, width):
        return (*state, tape.roll(d(width), label="spread"))

    def stage(tape, state):
        return tape.each(spread, state, (6, 5, 4, 3))

    odds = Exact(budget=Budget(states=50)).run((stage,), ())
    add_up(odds)
    assert 0 < len(odds) <= 50
    assert odds.unexplored > 0
    assert Exact().run((stage,), ()).is_exact


@pytest.mark.parametrize("floats", [False, True])
def test_states_past_the_budget_of_a_fold_are_left_out_not_left_behind(floats):
    def grow(tape, state, _):
        return (*state, tape.roll(d(3), label="grow"))

    def stage(tape, state):
        return tape.each(grow, state, (None,) * 5)

    odds = Exact(budget=Budget(states=20), floats=floats).run((stage,), ())
    add_up(odds)
    assert odds.unexplored > 0
    assert all(len(state) == 5 for state in odds.weights)


def test_a_fold_that_grows_without_end_stops():
    def grow(tape, state, _):
        return (*state, tape.roll(D6, label="grow"))

    def stage(tape, state):
        return tape.each(grow, state, (None,) * 1_000)

    reader = Exact(budget=Budget(branches=2_000, states=300))
    odds = reader.run((stage,), ())
    add_up(odds)
    assert odds.unexplored == 1
    assert reader.spent.steps < 10_000


def test_a_fold_over_too_many_items_stops(monkeypatch):
    def turn(tape, state, _):
        return (state + tape.roll(D6, at_least(4), label="turn")) % 3

    def stage(tape, state):
        return tape.each(turn, state, (None,) * 10_000)

    for floats in (False, True):
        odds = Exact(budget=Budget(branches=5_000), floats=floats).run((stage,), 0)
        add_up(odds)
    monkeypatch.setattr(chain, "MAX_MATRIX_STATES", 0)  # without a matrix, pass by pass
    for floats in (False, True):
        assert Exact(budget=Budget(branches=5_000), floats=floats).run((stage,), 0).unexplored == 1


def test_long_numbers_count_for_more_work():
    def turn(tape, state, _):
        return (state + tape.roll(D6, at_least(3), label="turn")) % 3

    def stage(tape, state):
        return tape.each(turn, state, (None,) * 12_000)

    reader = Exact()
    assert reader.run((stage,), 0).is_exact
    assert reader.spent.steps > 1.2 * 3 * 12_000


@pytest.mark.parametrize("count", [40_000, 1_000_000])
def test_a_pool_too_large_is_unexplored(count):
    odds = Exact().run((lambda tape, n: tape.pool(n, D6, at_least(4), label="to hit")[True],), count)
    add_up(odds)
    assert odds.unexplored == 1


def test_a_large_pool_of_two_meanings_is_exact():
    odds = Exact().run((lambda tape, n: tape.pool(n, D6, at_least(3), label="to hit")[True],), 5_000)
    assert odds.is_exact
    assert odds.mean == Fraction(10_000, 3)
    assert odds.chance(0) == Fraction(1, 3) ** 5_000


def test_a_pool_of_many_meanings_is_unexplored_not_endless():
    odds = Exact().run((lambda tape, n: tape.pool(n, d(20), label="all"),), 30)
    assert odds.unexplored == 1


def test_only_the_branch_that_is_too_large_is_left_out():
    def gamble(tape, _):
        return tape.pool(10**6, D6, at_least(4), label="all")[True] if tape.roll(D6, at_least(6), label="six") else 0

    odds = Exact().run((gamble,), None)
    add_up(odds)
    assert odds == {0: Fraction(5, 6)}
    assert odds.unexplored == Fraction(1, 6)
    assert odds.mean == 0  # of the explored part


def test_seconds_are_kept(monkeypatch):
    now = iter(range(10**9))
    monkeypatch.setattr(limits, "monotonic", lambda: next(now))

    def many(tape, state):
        return sum(tape.roll(D6, label=f"die {at}") for at in range(6))

    odds = Exact(budget=Budget(seconds=3)).run((many,), 0)
    add_up(odds)
    # the clock is looked at as the stage begins, after 16 branches and, because they took long, after 8 and 4 more
    assert odds.how.branches == 16 + 8 + 4
    assert odds.how.left_out == limits.SECONDS_SPENT
    assert 0 < odds.unexplored < 1


@pytest.mark.parametrize("how", ["call", "each"])
def test_seconds_are_kept_while_results_are_combined(how, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(limits, "monotonic", lambda: clock[0])

    def slow(rest, inner):
        clock[0] += 0.001
        return rest, inner

    def spread(tape, state):
        return tape.roll(d(300), label="one")

    def late(tape, state):
        if how == "call":
            return tape.call(spread, 0, then=slow, rest=state)
        return tape.each(one_of_many, 0, (0,), then=slow, rest=state)

    def one_of_many(tape, state, item):
        return tape.roll(d(300), label="two")

    odds = Exact(budget=Budget(seconds=2)).run((spread, late), 0)
    add_up(odds)
    assert clock[0] < 2.6  # 90 seconds without a look; a look is taken every 64 of them
    assert 0 < odds.unexplored < 1


def test_the_clock_is_looked_at_between_the_passes_of_held_steps(monkeypatch):
    clock, once = [0.0], chain._pass
    monkeypatch.setattr(limits, "monotonic", lambda: clock[0])

    def slow(*given):
        clock[0] += 1.0
        return once(*given)

    def step(tape, left, item):
        return left - 1 if left and tape.roll(D6, at_least(6), label="attack") else left

    def attacks(tape, left):
        return tape.each(step, left, ("attack",) * 2_000)

    monkeypatch.setattr(chain, "_pass", slow)
    whole = Exact().run((attacks,), 300)
    assert whole.how.path == "held steps"
    assert clock[0] == 300
    clock[0] = 0.0
    late = Exact(budget=Budget(seconds=3)).run((attacks,), 300)
    add_up(late)
    assert clock[0] < 10  # 4 passes, and one for each new beginning
    assert late.unexplored == 1


def test_the_clock_is_looked_at_while_a_race_is_put_together(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(limits, "monotonic", lambda: clock[0])

    class Slow(int):
        """A state that takes long to be written down."""

        def __hash__(self):
            clock[0] += 0.01
            return int.__hash__(self)

    def step(tape, state, item):
        return state + tape.roll(d(300), label="far")

    def running(tape, state):
        lines = Lines(step, lambda state: False, Slow)
        return tape.race(lines, (0, 0), ((0, None), (1, None)), then=lambda rest, ended: int(ended[0]), rest=state)

    odds = Exact(budget=Budget(seconds=20)).run((running,), 0)
    add_up(odds)
    assert 20 < clock[0] < 100  # 1,800 seconds without a look
    assert odds.unexplored > 0


def test_of_a_fold_too_large_a_part_is_explored_to_its_end():
    def widen(tape, state, item):
        return (*state, tape.roll(d(12), label=f"die {item}"))

    def fold(tape, state):
        return tape.each(widen, (), range(8), then=counted)

    def counted(_, state):
        return sum(state)

    def wait(tape, state):
        return state

    odds = Exact(budget=Budget(branches=100_000, states=10**6)).run((fold, *(wait,) * 3), 0)
    add_up(odds)
    assert 0 < odds.unexplored < 1


def test_no_seconds_means_no_clock(monkeypatch):
    monkeypatch.setattr(limits, "monotonic", lambda: pytest.fail("looked at the clock"))
    assert Exact().run((explode,), 0).unexplored < Fraction(1, 10**70)


def test_spent_counts_and_stays_over():
    spent = Spent(Budget(branches=2))
    assert [spent.spend_steps(), spent.spend_steps(), spent.spend_steps(), spent.spend_steps()] == [
        False,
        False,
        True,
        True,
    ]


def test_a_small_budget_does_not_spoil_the_memo_for_a_larger_one():
    def wide(tape, state):
        return state, tape.roll(D6, label="first"), tape.pool(3, D6, at_least(4), label="then")[True]

    fresh = {stages: Exact().run(stages, 0) for stages in ((explode, explode_again), (explode_again,) * 2, (wide,) * 2)}
    memo = Memo()
    for small in (Budget(depth=1), Budget(states=2), Budget(branches=3), Budget(nesting=1)):
        for stages in fresh:
            Exact(memo, small).run(stages, 0)
    assert {stages: Exact(memo).run(stages, 0) for stages in fresh} == fresh


def test_a_warm_memo_may_know_more_than_a_small_budget():
    memo = Memo()
    rule = Program((("pool", 3, D6, at_least(4)),))
    whole = Exact(memo).run((rule,), 0)
    assert Exact(memo, Budget(branches=1)).run((rule,), 0) == whole
    assert Exact(budget=Budget(branches=1)).run((rule,), 0).unexplored > 0


@given(
    st.lists(programs(), min_size=1, max_size=3).map(tuple), st.integers(1, 60), st.integers(1, 6), st.integers(1, 9)
)
@settings(max_examples=80, deadline=None)
def test_all_that_a_budget_drops_counts_as_unexplored(stages, branches, depth, states):
    whole = Exact(budget=Budget(branches=20_000)).run(stages, 0)
    for floats in (False, True):
        reader = Exact(budget=Budget(branches, states, depth, nesting=3), floats=floats)
        odds = reader.run(stages, 0)
        add_up(odds)
        if whole.is_exact and not floats:
            assert all(odds.chance(value) <= whole.chance(value) for value in odds.weights)


def test_odds_of_nothing_explored_have_no_mean_but_a_text():
    odds = Exact(budget=Budget(depth=0)).run((explode,), 0)
    assert odds.unexplored == 1
    for number in ("mean", "variance", "mode", "median"):
        with pytest.raises(BattletapeError) as error:
            getattr(odds, number)
        assert str(error.value) == (
            "the budget left every branch unexplored (branches of more questions than depth=0); ask with a larger one"
        )
    assert repr(odds) == "<Odds {}, exact, unexplored 1>"
    assert odds.to_dict()["rows"] == []
    assert odds.to_csv().count("\n") == 1
    assert odds._repr_html_().startswith("<table>")


def test_sampling_an_open_ended_die_ends():
    assert sampled((explode,), 0, 1_000, seed=1).unexplored == 0


def test_a_budget_after_some_seconds_has_the_rest():
    assert Budget(branches=7, seconds=3.0).after(1.0) == Budget(branches=7, seconds=2.0)
    assert Budget(seconds=3.0).after(5.0) == Budget(seconds=0.0)
    assert Budget(branches=7).after(5.0) == Budget(branches=7)


# --- the numbers that tune it -----------------------------------------------------------------------------------------

PACKAGE = Path(limits.__file__).parent.parent
TUNED = [path for path in sorted((PACKAGE / "tape").glob("*.py")) if path.name != "limits.py"]
TUNED += [PACKAGE / "answer.py", PACKAGE / "battle" / "preview.py"]


@pytest.mark.parametrize("path", TUNED, ids=lambda path: path.stem)
def test_tuning_numbers_stand_in_one_place(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    sizes = {
        number
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "lru_cache"
        for number in call.args
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and node not in sizes:
            assert node.value <= 1_024, f"line {node.lineno}"
            assert not node.value % 1, f"line {node.lineno}"


def test_every_tuning_number_has_a_sentence_of_its_own_and_is_used():
    text = Path(limits.__file__).read_text(encoding="utf-8")
    told = dict(re.findall(r"^([A-Z_]+) = .+?(?:  # |\n\"\"\")(.+)$", text, re.MULTILINE))
    assert set(told) == {name for name in vars(limits) if name.isupper()}
    used = "\n".join(path.read_text(encoding="utf-8") for path in TUNED)
    for name, sentence in told.items():
        assert len(sentence.split()) > 4, name
        assert sentence.split()[0] not in ("but", "unless", "and", "then", "otherwise"), name
        assert re.search(rf"\b{name}\b", used) or len(re.findall(rf"\b{name}\b", text)) > 1, name


def test_a_short_budget_has_a_short_grace(monkeypatch):
    now = 100.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    long, short = Spent(Budget(seconds=4.0)), Spent(Budget(seconds=0.04))
    now = 104.05
    assert not long.spend_past_end(limits.CLOCK_CHECK_STEPS)
    assert long.over
    now = 100.05
    assert not short.spend_past_end(limits.CLOCK_CHECK_STEPS)
    now = 100.07
    assert short.spend_past_end(limits.CLOCK_CHECK_STEPS)


def test_a_large_pool_is_not_counted_when_the_time_is_over():
    class Counted(BestOf, frozen=True):
        def add(self, known, face, number):
            counted.append(face)
            return super().add(known, face, number)

    def rule(tape, dice):
        return tape.pool(dice, d(10), label="damage", whole=Counted(dice))

    counted: list[Any] = []
    odds = Exact(budget=Budget(seconds=0.0)).run((rule,), 20)
    assert odds.unexplored == 1
    assert not counted
    assert "more than its seconds allow" in odds.how.left_out
    assert Exact().run((rule,), 20).chance(200) == Fraction(1, 10**20)
    assert counted


# --- every place where the clock is looked at: work in between takes time, and without a look it would take it all ----


class Clock:
    """Time that passes only where a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def slow(self, function: Any, seconds: float = 0.01) -> Any:
        """The same function, which takes time."""

        def slowly(*given: Any) -> Any:
            self.now += seconds
            return function(*given)

        return slowly


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "monotonic", clock)
    return clock


@pytest.fixture
def slow_state(clock: Clock) -> type[int]:
    class Slow(int):
        """A state that takes a hundredth of a second to be written down."""

        def __hash__(self) -> int:
            clock.now += 0.01
            return int.__hash__(self)

    return Slow


@pytest.mark.parametrize(
    ("count", "die", "read", "counted"), [(4_000, D6, at_least(4), "Tally"), (18, d(5), face, "comb")]
)
def test_the_clock_is_looked_at_while_a_pool_is_counted(count, die, read, counted, clock, monkeypatch):
    monkeypatch.setattr(walk, "_pools", Kept(9))
    monkeypatch.setattr(walk, counted, clock.slow(getattr(walk, counted)))
    rule = lambda tape, number: tape.pool(number, die, read, label="all")  # noqa: E731
    odds = Exact(budget=Budget(seconds=2)).run((rule,), count)
    add_up(odds)
    assert odds.unexplored == 1
    assert odds.how.left_out == limits.SECONDS_SPENT
    assert clock.now < 4  # 40 seconds and more without a look
    clock.now = 0.0
    assert Exact().run((rule,), count).is_exact
    assert clock.now > 20


def test_the_clock_is_looked_at_within_a_pass_over_many_states(clock):
    class Slow(list[tuple[int, int]]):
        """A row that takes a tenth of a second."""

        def __iter__(self):
            clock.now += 0.1
            return super().__iter__()

    reader = Exact(budget=Budget(seconds=2))
    assert chain._pass(reader, [1] * 400, [1] * 400, [Slow([(0, 1)]) for _ in range(400)]) is None
    assert clock.now < 8  # 40 seconds without a look
    again = Exact(budget=Budget(seconds=2))
    assert chain._pass(again, [1, 1], [1, 2], [[(1, 5)], []]) == [1, 7]


@pytest.mark.parametrize(
    ("slow", "start"), [("outcomes", 0), ("_folded", 0), ("_batch", int)], ids=["ends", "folds", "batches"]
)
def test_the_clock_is_looked_at_between_the_ends_of_a_rule(slow, start, clock, monkeypatch):
    place = Exact if slow == "outcomes" else folds

    def spread(tape, state):
        return tape.roll(d(300), label="one")

    def step(tape, state, item):
        return state + item + tape.roll(d(2), label="two")

    def late(tape, state):
        if slow == "outcomes":
            return tape.call(step, 0, int(state), then=lambda rest, inner: (rest, inner), rest=state)
        return tape.each(step, start and start(state), (int(state),), then=lambda rest, inner: inner, rest=state)

    monkeypatch.setattr(place, slow, clock.slow(getattr(place, slow), 0.1))
    odds = Exact(budget=Budget(seconds=2)).run((spread, late), 0)
    add_up(odds)
    assert odds.unexplored > 0
    assert clock.now < 12  # 30 seconds without a look


def test_seconds_are_kept_while_known_steps_are_gathered(clock, slow_state):
    def turn(tape, state, _):
        return slow_state((state + tape.roll(d(60), label="turn")) % 600)

    def turns(number):
        return lambda tape, state: tape.each(turn, state, (None,) * number)

    memo = Memo()
    Exact(memo).run((turns(40),), 0)  # every step is known now
    clock.now = 0.0
    odds = Exact(memo, Budget(seconds=2)).run((turns(41),), 0)
    add_up(odds)
    assert odds.unexplored == 1
    assert clock.now < 60  # 360 seconds without a look


def test_the_clock_is_looked_at_while_folds_are_combined(clock, slow_state):
    def spread(tape, state):
        return tape.roll(d(60), label="one")

    def step(tape, state, item):
        return slow_state(state + tape.roll(d(60), label="two"))

    def late(tape, state):
        return tape.each(step, 0, ("one",), then=lambda rest, inner: (rest, int(inner)), rest=state)

    odds = Exact(budget=Budget(seconds=2)).run((spread, late), 0)
    add_up(odds)
    assert odds.unexplored > 0
    assert clock.now < 8


def test_the_clock_is_looked_at_while_best_play_is_valued(clock):
    def spread(tape, state):
        return tape.roll(d(300), label="one") * tape.choose((1, 2), by="attacker", label="twice")

    def goal(state):
        return state

    class Slow(Best):
        def _value(self, *given: Any) -> Any:
            clock.now += 0.05
            return super()._value(*given)

    reader = Slow(goal, budget=Budget(seconds=2))
    with pytest.raises(BudgetSpent):
        reader.run((spread,), 0)
    assert clock.now < 4  # 900 places, of which each takes a twentieth of a second


def test_the_clock_is_looked_at_while_best_play_is_followed(clock):
    class Slow(list[tuple[int, int]]):
        """Results that take a twentieth of a second."""

        def __iter__(self):
            clock.now += 0.05
            return super().__iter__()

    class Follows(Best):
        def _played(self, *given: Any) -> Any:
            under, results = super()._played(*given)
            return under, Slow(results)

    def spread(tape, state):
        return tape.roll(d(300), label="one")

    def pick(tape, state):
        return state * tape.choose((1, 2), by="attacker", label="twice")

    assert Follows(lambda state: state).led((spread, pick), 0).odds.chance(600) == Fraction(1, 300)
    clock.now = 0.0
    with pytest.raises(BudgetSpent):
        Follows(lambda state: state, budget=Budget(seconds=2)).led((spread, pick), 0)
    assert clock.now < 8  # 15 seconds without a look


def test_the_clock_is_looked_at_while_work_that_comes_often_is_put_together(clock, slow_state):
    def spread(tape, state):
        return tape.roll(d(60), label="one")

    def step(tape, state, item):
        return slow_state(state + item * tape.roll(d(60), label="two"))

    def deeds(tape):
        return Continuation(step, (100,), lambda rest, state: state)

    def late(tape, state):
        return tape.call(deeds, onto=state)

    memo = Memo()
    for before in range(limits.KEEP_PER_STATE_AFTER + 1):
        assert Exact(memo).run((spread, late), before).is_exact  # it is kept for each state now
    clock.now = 0.0
    odds = Exact(memo, Budget(seconds=2)).run((spread, late), "again")
    add_up(odds)
    assert odds.how.left_out == limits.SECONDS_SPENT
    assert clock.now < 8


def test_seconds_are_kept_while_a_pool_is_read_as_a_whole(clock, monkeypatch):
    class Slow(BestOf, frozen=True):
        def add(self, known, face, number):
            clock.now += 0.01
            return super().add(known, face, number)

    monkeypatch.setattr(walk, "_pools", Kept(9))
    odds = Exact(budget=Budget(seconds=2)).run(
        (lambda tape, dice: tape.pool(dice, d(10), label="all", whole=Slow(3)),), 12
    )
    assert odds.unexplored == 1
    assert clock.now < 4  # 20 seconds and more without a look


def test_a_budget_that_ran_out_stays_out(clock):
    spent = Spent(Budget(seconds=1.0))
    clock.now = 1.05
    spent.share(2)
    assert not spent.late  # in the grace what was found is still combined
    clock.now = 1.2
    spent.share(2)
    assert spent.over
    assert spent.late


def test_where_steps_are_slow_the_clock_is_looked_at_more_often(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []

    def look() -> float:
        looks.append(clock.now)
        return clock.now

    monkeypatch.setattr(limits, "monotonic", look)
    spent = Spent(Budget(seconds=2.0))
    for pause in (*(0.0,) * 1_000, *(0.01,) * 300):
        clock.now += pause
        if spent.spend_steps():
            break
    assert clock.now < 2.02
    slow = [later - sooner for sooner, later in itertools.pairwise(looks) if later > sooner]
    assert slow[0] <= 0.01 * limits.CLOCK_CHECK_STEPS
    assert slow[-1] == pytest.approx(0.01)
