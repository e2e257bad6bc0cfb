"""Rules that end in a question: the odds, dice and recordings of the same rules written without ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from battletape.conformance.brute_force import TooMany, brute_force
from battletape.dice import D3, D6, at_least
from battletape.errors import BudgetSpent
from battletape.odds import Odds
from battletape.tape import Continuation, Tape
from battletape.tape.best import Best
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import Budget
from battletape.tape.script import Script
from tests.engine.paths import assert_same_paths
from tests.engine.programs import Program, programs

SMALL = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
ITEMS = (0, 2, 1, 1)


# --- any rule ---------------------------------------------------------------------------------------------------------


def joined(rest: int, inner: int) -> int:
    return (rest + 5 * inner) % 30


@dataclass(frozen=True)
class Ending:
    """A rule that ends in a question about a part of its state; with `plain` the same rule without an end."""

    first: Program
    how: str
    luck: Program
    step: Any
    items: tuple[int, ...]
    plain: bool = False

    def __call__(self, tape: Tape, state: int, item: int = 0) -> Any:
        state = self.first(tape, state, item)
        rest, inner = state % 5, state // 5
        step = self.step.plainly() if self.plain and isinstance(self.step, Ending) else self.step
        if self.plain:
            if self.how == "call":
                return joined(rest, tape.call(self.luck, inner))
            deed = (
                Continuation(step, self.items, joined, rest) if self.how == "each" else tape.call(self.deed, rest, step)
            )
            return joined(deed.rest, tape.each(step, inner, deed.items))
        if self.how == "call":
            return tape.call(self.luck, inner, then=joined, rest=rest)
        if self.how == "each":
            return tape.each(step, inner, self.items, then=joined, rest=rest)
        return tape.call(self.deed, rest, step, onto=inner)

    def deed(self, tape: Tape, rest: int, step: Any) -> Continuation[Any]:
        """What luck does, whatever it is done to."""
        came = self.luck(tape, rest)
        return Continuation(step, self.items[: came % 4], joined, (rest + came) % 7)

    def plainly(self) -> Ending:
        return Ending(self.first, self.how, self.luck, self.step, self.items, plain=True)


def endings(step: st.SearchStrategy[Any], choices: bool = False) -> st.SearchStrategy[Ending]:
    small = programs(choices, most=1)
    items = st.lists(st.integers(0, 2), max_size=3).map(tuple)
    return st.builds(Ending, small, st.sampled_from(("call", "each", "onto")), small, step, items)


def any_ending(choices: bool = False) -> st.SearchStrategy[Ending]:
    """Rules whose steps may end in a question themselves."""
    steps = programs(choices, most=1)
    return endings(st.one_of(steps, steps, endings(steps, choices)), choices)


def chances_by_twin(stages: Any, state: Any) -> dict[Any, Fraction]:
    try:
        return brute_force(stages, state, most=4_000)
    except TooMany:
        assume(False)
        raise


@SMALL
@given(st.lists(any_ending(), min_size=1, max_size=3).map(tuple), st.integers(0, 29))
def test_they_equal_the_twin_and_the_plain_rule(stages, state):
    plain = tuple(stage.plainly() for stage in stages)
    odds = Exact().run(stages, state)
    assert odds == chances_by_twin(plain, state)
    assert odds == Exact().run(plain, state)
    assert odds == brute_force(stages, state, most=4_000)


@SMALL
@given(any_ending(), st.integers(0, 29))
def test_a_sub_rule_and_a_step_may_end_so(rule, state):
    def outer(tape: Tape, now: int) -> int:
        found = tape.call(rule, now) + tape.roll(D3, label="after it")
        return int(tape.each(rule, found % 30, (1, 2)))

    def plainly(tape: Tape, now: int) -> int:
        found = tape.call(rule.plainly(), now) + tape.roll(D3, label="after it")
        return int(tape.each(rule.plainly(), found % 30, (1, 2)))

    assert Exact().run((outer,), state) == Exact().run((plainly,), state)


@SMALL
@given(st.lists(any_ending(choices=True), min_size=1, max_size=2).map(tuple), st.integers(0, 29))
def test_other_readers_do_the_same(stages, state):
    plain = tuple(stage.plainly() for stage in stages)
    assert_same_paths(stages, plain, state)
    try:
        best, same = (
            Best(lambda now: now, {"them": "min"}, budget=Budget(branches=2_000)).run(rules, state).value
            for rules in (stages, plain)
        )
    except BudgetSpent:
        assume(False)
        raise
    assert best == same


@SMALL
@given(st.lists(any_ending(), min_size=1, max_size=3).map(tuple), st.integers(0, 29), st.integers(1, 60))
def test_a_budget_leaves_out_and_invents_nothing(stages, state, branches):
    memo = Memo()
    few, whole = Exact(memo, Budget(branches=branches)).run(stages, state), Exact().run(stages, state)
    assert sum(few.weights.values()) + few.unexplored_weight == few.total
    assert all(few.chance(now) <= whole.chance(now) for now in few.weights)
    assert bool(few.unexplored) == bool(few.how.left_out)
    assert Exact(memo).run(stages, state) == whole  # nothing half-explored was kept


# --- a volley: what ends are for --------------------------------------------------------------------------------------

Fire = tuple[int, bool, int]  # wounds left, jammed, hits so far
START: Fire = (5, False, 0)


def roll(tape: Tape) -> tuple[str, ...]:
    """Which of the shots hit how hard, or that the gun jams."""
    came = tape.roll(D6, label="to hit")
    return ("jam",) if came == 1 else ("soft", "hard", "soft")[: min(3, came // 2)]


def strike(tape: Tape, wounds: int, hit: str) -> int:
    if not wounds:
        return 0
    if hit == "hard":
        return max(0, wounds - int(tape.roll(D3, label="harm")))
    return wounds - bool(tape.roll(D6, at_least(4), label="save"))


def plain(tape: Tape, fire: Fire) -> Fire:
    wounds, jammed, hits = fire
    if not wounds:
        return fire
    if jammed:
        return wounds, not tape.roll(D6, at_least(3), label="clear"), hits
    came = tape.call(roll)
    if came == ("jam",):
        return wounds, True, hits
    return tape.each(strike, wounds, came), False, hits + len(came)


def burst(tape: Tape, fire: Fire) -> Any:
    wounds, jammed, hits = fire
    if not wounds:
        return fire
    if jammed:
        return wounds, not tape.roll(D6, at_least(3), label="clear"), hits
    return tape.call(salvo, hits, onto=wounds)


def salvo(tape: Tape, hits: int) -> Continuation[Any]:
    came = tape.call(roll)
    jams = came == ("jam",)
    return Continuation(strike, () if jams else came, taken, (jams, hits if jams else hits + len(came)))


def taken(shot: tuple[bool, int], wounds: int) -> Fire:
    return (wounds, *shot)


@pytest.mark.parametrize("turns", [1, 2, 3, 5])
def test_a_volley_has_the_odds_states_and_questions_of_the_plain_one(turns):
    (found, counts), (expected, plainly) = (Exact().stages((stage,) * turns, START) for stage in (burst, plain))
    assert Odds(found.results, found.total) == Odds(expected.results, expected.total)
    asked = [[{one.label for one in count.asked} for count in some] for some in (counts, plainly)]
    assert asked[0] == asked[1]
    assert [count.states for count in counts] == [count.states for count in plainly]


def test_luck_is_worked_out_once_for_all_it_is_done_to():
    asked = []

    def counted(tape: Tape, hits: int) -> Continuation[Any]:
        asked.append(hits)
        return salvo(tape, hits)

    def stage(tape: Tape, fire: Fire) -> Any:
        wounds, jammed, hits = fire
        return fire if jammed or not wounds else tape.call(counted, hits, onto=wounds)

    Exact().run((stage,), START)
    once = len(asked)
    asked.clear()

    def spread(tape: Tape, fire: Fire) -> Fire:
        return (int(tape.roll(D6, label="wounds")), *fire[1:])

    Exact().run((spread, stage), START)
    assert len(asked) == once  # six states, one salvo


def test_typed_dice_come_in_the_order_of_play():
    tape = Script(4, 5, 2)
    assert burst(tape, START) == (2, False, 2)
    tape.finish()


def place(tape: Tape, armour: int) -> int:
    return armour + int(tape.roll(D3, label="place"))


def wound(tape: Tape, wounds: int, needed: int) -> int:
    return max(0, wounds - bool(tape.roll(D6, at_least(needed), label="wound")))


def hail(tape: Tape, wounds: int) -> int:
    return tape.each(wound, wounds, (1, 2, 1, 1), drawn=place, then=joined, rest=3)


def hail_plainly(tape: Tape, wounds: int) -> int:
    needed = [tape.call(place, armour) for armour in (1, 2, 1, 1)]
    return joined(3, tape.each(wound, wounds, needed))


def test_items_that_are_drawn_are_all_thrown_for_before_the_first_step():
    expected = brute_force((hail_plainly,), 5, 6**8)
    assert brute_force((hail,), 5, 6**8) == Exact().run((hail,), 5).fractions() == expected
    assert_same_paths((hail,), (hail_plainly,), 5)
    mean = sum(chance * state for state, chance in expected.items())
    assert Best(lambda state: state).run((hail,), 5).value == mean
    tape = Script(1, 2, 3, 1, 6, 6, 6, 1)
    assert hail(tape, 5) == joined(3, 2)
    tape.finish()


def test_no_row_of_drawn_items_is_ever_held():
    def long_hail(tape: Tape, wounds: int) -> int:
        return tape.each(wound, wounds, (1,) * 40, drawn=place)

    assert Exact(budget=Budget(branches=2_000)).run((long_hail,), 30).is_exact  # of 3^40 rows


def test_a_fold_goes_on_from_where_a_shorter_one_ended():
    asked: list[tuple[int, int]] = []

    def step(tape: Tape, state: int, item: int) -> int:
        asked.append((state, item))
        return min(9, state + bool(tape.roll(D6, at_least(item), label="hit")))

    def fold(tape: Tape, items: tuple[int, ...]) -> int:
        return int(tape.each(step, 0, items))

    reader = Exact()
    short = reader.outcomes(fold, (2, 3, 4))
    before = len(asked)
    longer = reader.outcomes(fold, (2, 3, 4, 5))
    assert {item for _, item in asked[before:]} == {5}
    assert Odds(short.results, short.total).mean == Fraction(5 + 4 + 3, 6)
    assert Odds(longer.results, longer.total).mean == Fraction(5 + 4 + 3 + 2, 6)


def test_a_sub_rule_left_out_leaves_its_share_out():
    def endless(tape: Tape, at: int) -> int:
        return at if tape.roll(D6, at_least(4), label="on") else int(tape.call(endless, at + 1))

    def at_most_two(rest: None, found: int) -> int:
        return min(found, 2)

    def rule(tape: Tape, state: int) -> Any:
        return tape.call(endless, state, then=at_most_two)

    odds = Exact(budget=Budget(nesting=12)).run((rule,), 0)
    assert 0 < odds.unexplored < 0.01
    assert odds.chance(0) == 0.5


def test_a_rule_may_end_in_itself_as_deep_as_the_budget_goes():
    def same(rest: None, found: int) -> int:
        return found

    def climb(tape: Tape, at: int) -> Any:
        return at if tape.roll(D6, at_least(4), label="on") else tape.call(climb, at + 1, then=same)

    odds = Exact(budget=Budget(nesting=20)).run((climb,), 0)
    assert 0 < odds.unexplored < Fraction(1, 500)
    assert odds.chance(3) == Fraction(1, 16)


def test_a_single_result_of_a_cut_search_is_not_certain():
    """Of a sub-rule with one result left, the others are lost, not impossible."""

    def poison(tape: Tape, wounds: int) -> int:
        return wounds - 1 if tape.roll(D6, at_least(4), label="poison") else int(tape.call(later, wounds))

    def later(tape: Tape, wounds: int) -> int:
        return wounds - 2 if tape.roll(D6, at_least(4), label="later") else wounds

    def step(tape: Tape, wounds: int, item: int) -> Any:
        if wounds <= 0 or not tape.roll(D6, at_least(item), label="hit"):
            return wounds
        return tape.call(poison, wounds, then=kept)

    def kept(rest: None, wounds: int) -> int:
        return wounds

    def stage(tape: Tape, wounds: int) -> Any:
        return tape.each(step, wounds, (3, 3, 5), then=kept)

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


def test_weights_may_be_longer_than_any_float():
    def half(tape: Tape, state: int) -> int:
        return (state + int(tape.roll(D3, label="drift"))) % 7

    turns = 700  # of thirds: the total has more than 300 digits
    odds = Exact().run((*(half,) * turns, burst_of_drift), 0)
    assert odds.is_exact
    assert odds.total > 10**308
    assert odds == Exact().run((*(half,) * turns, plain_drift), 0)


def drift(tape: Tape, state: int, needs: int) -> int:
    return state + bool(tape.roll(D6, at_least(needs), label="more"))


def drift_luck(tape: Tape, odd: int) -> Continuation[Any]:
    return Continuation(drift, (2, 5)[: 1 + odd] if tape.roll(D6, at_least(3), label="luck") else (4,), joined, odd)


def burst_of_drift(tape: Tape, state: int) -> Any:
    return tape.call(drift_luck, state % 2, onto=state)


def plain_drift(tape: Tape, state: int) -> int:
    deed = tape.call(drift_luck, state % 2)
    return joined(deed.rest, tape.each(drift, state, deed.items))


def test_a_rule_that_reads_an_end_is_refused_with_return_it():
    def looks(tape: Tape, fire: Fire) -> Any:
        return tape.call(salvo, 0, onto=fire[0]).wounds

    with pytest.raises(AttributeError, match="return what it gives"):
        Exact().run((looks,), START)


# --- the lens ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Beast:
    life: int
    scar: str = ""  # where it was hit last, which nobody asks


@dataclass(frozen=True)
class Hunt:
    beast: Beast
    landed: int = 0


def maul(tape: Tape, beast: Beast, hit: str) -> Beast:
    if beast.life <= 0:
        return beast
    return Beast(max(0, beast.life - int(tape.roll(D3, label="harm"))), hit)


def hunt_on(tape: Tape, hunt: Hunt) -> Any:
    return tape.call(throw, Hunt(Beast(0), hunt.landed), onto=hunt.beast)


def throw(tape: Tape, hunt: Hunt) -> Continuation[Any]:
    hits = ("fin", "back", "tail", "head")[: tape.roll(D6, label="spears") // 2]
    return Continuation(maul, hits, wounded, Hunt(Beast(0), hunt.landed + len(hits)))


def wounded(hunt: Hunt, beast: Beast) -> Hunt:
    return Hunt(beast, hunt.landed)


def no_scar(beast: Beast) -> Beast:
    return Beast(beast.life)


def life_alone(hunt: Hunt) -> Hunt:
    return Hunt(no_scar(hunt.beast))


def test_a_lens_changes_no_measure_that_factors_through_it():
    memo, stages, start = Memo(), (hunt_on,) * 3, Hunt(Beast(9))
    whole = Exact(memo).run(stages, start)
    for forget in (((Beast, no_scar),), ((Beast, no_scar), (Hunt, life_alone))):
        coarse = Exact(memo, forget=forget).run(stages, start)
        assert coarse.project(lambda hunt: hunt.beast.life) == whole.project(lambda hunt: hunt.beast.life)
        assert len(coarse.weights) < len(whole.weights)
        assert all(not hunt.beast.scar for hunt in coarse.weights) or len(forget) == 1
    assert Exact(memo).run(stages, start) == whole  # what is found with a lens is kept apart
