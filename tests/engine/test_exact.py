"""The exact reader: it equals the naive twin on any rule, in whole numbers, without drawing a random one."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from battletape.clauses import clause
from battletape.conformance.brute_force import TooMany, brute_force
from battletape.dice import D3, D6, D100, Reading, at_least, at_most, bands, degrees, portable, special
from battletape.errors import BattletapeError
from battletape.tape import Forget, Tape, limits
from battletape.tape.exact import Exact, Memo
from battletape.tape.kernel import AskedRoll
from battletape.tape.limits import Budget, Spent
from battletape.tape.question import Ask, Tally
from battletape.tape.walk import arcs, pool_as_die
from tests.engine.programs import Program, programs

SMALL = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


def chances_by_twin(stages: Any, state: Any) -> dict[Any, Fraction]:
    try:
        return brute_force(stages, state, most=3_000)
    except TooMany:
        assume(False)
        raise


@SMALL
@given(st.lists(programs(), min_size=1, max_size=2).map(tuple), st.integers(0, 5))
@example((Program((("pool", 3, D3, bands(high=3, middle=2)), ("direction", (0, 90, 91)))),), 1)
def test_it_equals_the_twin_on_any_rule(stages, state):
    odds = Exact().run(stages, state)
    assert odds == chances_by_twin(stages, state)
    assert sum(odds.weights.values()) == odds.total
    assert odds.is_exact
    assert odds.unexplored == 0


@SMALL
@given(programs(), programs(), st.integers(0, 5))
def test_stages_sub_rules_and_one_long_rule_are_the_same_odds(first, second, state):
    def at_once(tape, now):
        return second(tape, first(tape, now))

    def by_calls(tape, now):
        return tape.call(second, tape.call(first, now))

    in_stages = Exact().run((first, second), state)
    assert Exact().run((at_once,), state) == in_stages
    assert Exact().run((by_calls,), state) == in_stages


@SMALL
@given(programs(), st.integers(0, 5))
def test_a_warm_memo_changes_nothing(rule, state):
    memo = Memo()
    cold = Exact(memo).run((rule,), state)
    warm = Exact(memo).run((rule,), state)
    assert warm == cold
    assert warm.how == cold.how


def test_it_draws_no_random_number_and_repeats_itself(monkeypatch):
    rule = Program((("pool", 3, D3, at_least(2)), ("direction", (10, 200)), ("roll", D6, at_least(4))))
    once = Exact().run((rule,), 0)

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the exact reader drew a random number")

    for name in ("random", "getrandbits", "choices", "choice", "randrange", "shuffle", "__init__"):
        monkeypatch.setattr(random.Random, name, refuse)
    again = Exact().run((rule,), 0)
    assert (again.weights, again.total, again.how) == (once.weights, once.total, once.how)
    assert list(again.weights) == list(once.weights)


def test_a_pool_branches_on_counts_not_on_faces():
    def hits(tape, dice):
        return tape.pool(dice, D6, at_least(3), label="to hit")[True]

    odds = Exact().run((hits,), 20)
    assert odds.how.branches == 21
    assert odds.chance(20) == Fraction(2, 3) ** 20
    assert odds == {k: comb(20, k) * Fraction(2, 3) ** k * Fraction(1, 3) ** (20 - k) for k in range(21)}


def test_a_roll_branches_on_its_meaning():
    kernel = Exact().outcomes(lambda tape: tape.roll(D6, at_least(4), label="to hit"))
    assert (kernel.results, kernel.total, kernel.branches) == ({False: 1, True: 1}, 2, 2)


def test_one_roll_may_answer_two_questions():
    odds = Exact().run((lambda tape, target: tape.roll(D100, degrees(target), label="test"),), 35)
    assert odds.chance((True, 0)) == Fraction(10, 100)
    assert odds.chance(lambda result: result[0]) == Fraction(35, 100)
    assert odds.chance((False, 6)) == Fraction(6, 100)


def test_weighted_faces_keep_their_weight():
    scatter = special("scatter", ["hit", "hit", "arrow", "arrow", "arrow", "arrow"])
    odds = Exact().run((lambda tape, _: tape.roll(scatter, label="scatter"),), None)
    assert odds == {"hit": Fraction(1, 3), "arrow": Fraction(2, 3)}


def test_equal_states_merge_between_stages():
    def drift(tape, at):
        return at + (1 if tape.roll(D6, at_least(4), label="drift") else -1)

    kernel, counts = Exact().stages((drift,) * 10, 0)
    assert [count.states for count in counts] == list(range(2, 12))
    assert [count.branches for count in counts] == [2 * n for n in range(1, 11)]
    assert kernel.results[0] * 2**10 == kernel.total * comb(10, 5)


def test_a_choice_takes_the_policy_and_the_odds_say_so():
    def pick(tape, _):
        return tape.choose(("left", "right"), by="us", label="way")

    def last(ask: Ask) -> Any:
        return ask.options[-1]

    odds = Exact().run((pick,), None)
    assert odds == {"left": 1}
    assert odds.how.policy == "choices by first option"
    assert "choices by first option" in str(odds.how)
    assert Exact(policy=last).run((pick,), None) == {"right": 1}
    memo = Memo()
    assert [Exact(memo, policy=p).run((pick,), None).mode for p in (last, lambda ask: "left")] == ["right", "left"]


def test_a_policy_must_keep_to_the_options():
    reader = Exact(policy=lambda ask: "home")
    with pytest.raises(BattletapeError, match=r"the policy chose 'home' at way, which offers left \| right"):
        reader.run((lambda tape, _: tape.choose(("left", "right"), by="us", label="way"),), None)


def test_a_single_option_is_no_question():
    kernel = Exact().outcomes(lambda tape: tape.choose(("only",), by="us", label="way"))
    assert (kernel.results, kernel.chose, kernel.asked) == ({"only": 1}, False, ())


def test_none_of_a_pool_and_less_than_two_cuts_are_no_questions():
    def nothing(tape, _):
        return tape.pool(0, D6, label="none"), tape.direction((), label="bearing"), tape.direction((5,), label="one")

    odds = Exact().run((nothing,), None)
    assert odds == {(Tally(), 0, 0): 1}
    assert odds.how.branches == 1


def test_bearings_are_weighed_by_their_arcs():
    odds = Exact().run((lambda tape, _: tape.direction((0, 90, 180), label="scatter"),), None)
    assert odds == {0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)}
    assert arcs((Fraction(1, 3), 100)) == ((781, 299), 1080)
    weights, turn = arcs((0.1, 359.9))
    assert sum(weights) == turn
    assert weights[0] / turn == pytest.approx(0.2 / 360)


@pytest.mark.parametrize("cuts", [(90, 10), (5, 5), (-1, 5), (0, 360)])
def test_cuts_must_rise_within_a_turn(cuts):
    with pytest.raises(BattletapeError, match="scatter: cuts must be rising bearings from 0 to below 360"):
        Exact().run((lambda tape, _: tape.direction(cuts, label="scatter"),), None)


@pytest.mark.parametrize("count", [-1, 1_000_001])
def test_a_pool_of_an_absurd_size_is_refused(count):
    with pytest.raises(BattletapeError, match=f"to hit: a pool needs 0 to 1,000,000 dice, got {count}"):
        Exact().run((lambda tape, n: tape.pool(n, D6, label="to hit"),), count)


@given(st.integers(0, 6), st.sampled_from([(D6, at_least(5)), (D3, bands(high=3, middle=2)), (D6, at_least(1))]))
@settings(deadline=None)
def test_a_pool_as_one_die_weighs_what_its_dice_weigh(count, seen):
    die, read = seen
    by_faces = (
        brute_force((lambda tape, n: tape.pool(n, die, read, label="p"),), count, most=10**6) if count < 5 else {}
    )
    one = pool_as_die(count, die, read, None, Spent(Budget()))
    assert one is not None
    assert all(sum(tally.values()) == count for tally in one.faces)
    if by_faces:
        assert dict(zip(one.faces, (Fraction(w, one.total) for w in one.weights), strict=True)) == by_faces


def test_questions_of_rules_are_kept_with_chance_and_clause():
    @clause("X-2")
    def save(tape):
        return tape.roll(D6, at_least(5), label="save")

    def flinch(tape):
        return tape.roll(D6, at_most(1), label="flinch")

    @clause("X-1")
    def shoot(tape, dice):
        hits = tape.pool(dice, D6, at_least(3), label="to hit")[True]
        return hits - tape.call(save) if hits and not tape.call(flinch) else 0

    _, (count,) = Exact().stages((shoot,), 2)
    asked = {one.label: (one.kind, one.needed, one.chance, one.clauses) for one in count.asked}
    assert asked == {
        "to hit": ("pool", "3+", Fraction(2, 3), ("X-1",)),
        "flinch": ("roll", "1 or less", Fraction(1, 6), ("X-1",)),  # it has no clause of its own
        "save": ("roll", "5+", Fraction(1, 3), ("X-2",)),
    }
    assert (count.stage, count.states, count.only) == (shoot, 3, None)


def test_a_reading_of_degrees_says_what_is_a_pass():
    def test(tape, _):
        return tape.roll(D100, degrees(42), label="test"), tape.roll(D6, label="face")

    _, (count,) = Exact().stages((test,), 0)
    assert {one.label: one.chance for one in count.asked} == {"test": Fraction(42, 100), "face": None}
    read = pickle.loads(pickle.dumps(portable(D6, Reading(lambda face: face // 2, "two or three", good=(2, 3)))))
    assert read.good == {2, 3}
    assert AskedRoll("roll", "", D6, read, ()).chance == Fraction(1, 2)


def test_progress_is_reported_after_each_stage():
    told: list[tuple[int, int]] = []
    Exact(progress=lambda done, of: told.append((done, of))).run((lambda tape, s: s, lambda tape, s: s), 0)
    assert told == [(1, 2), (2, 2)]


def test_a_memo_that_is_full_starts_afresh():
    memo = Memo(most=2)
    for number in range(5):
        Exact(memo).run((lambda tape, s: s,), number)
        assert len(memo) <= 2


def test_whole_answers_are_kept_in_bounds_too(monkeypatch):
    monkeypatch.setattr(limits, "MEMO_PROCEDURES", 2)
    memo = Memo()
    for number in range(5):
        assert Exact(memo).run((lambda tape, s: s + 1,), number) == {number + 1: 1}
        assert len(memo.whole) <= 2
    memo.clear()
    assert not memo.whole


class Foe(NamedTuple):
    """Somebody who is hit."""

    health: int
    note: int = 0


class Fight(NamedTuple):
    """Somebody who is hit, and how often he was."""

    foe: Foe
    hits: int = 0


def hit(tape: Tape, foe: Foe, item: int) -> Foe:
    """A hit, with a note of what was rolled."""
    got: int = tape.roll(D6, label="damage")
    return Foe(foe.health - got // item, foe.note + got)


def strike(tape: Tape, fight: Fight) -> Fight:
    """Two hits."""
    return Fight(tape.each(hit, fight.foe, (2, 3)), fight.hits + tape.roll(D3, label="hits"))


def _unnoted(foe: Foe) -> Foe:
    return Foe(foe.health)


def _uncounted(fight: Fight) -> Fight:
    return Fight(fight.foe)


def test_results_from_a_shared_memo_are_right_for_every_lens():
    lenses: tuple[Forget, ...] = (
        (),
        ((Foe, _unnoted),),
        ((Foe, _unnoted), (Fight, _uncounted)),
        ((Fight, _uncounted),),
    )
    start = Fight(Foe(9))
    alone = [Exact(forget=lens).run((strike, strike), start) for lens in lenses]
    assert len({len(odds.weights) for odds in alone}) == 4
    for order in permutations(range(4)):
        memo = Memo()
        for at in order:
            assert Exact(memo, forget=lenses[at]).run((strike, strike), start) == alone[at]
        hits_known = {key[-1] for key in memo if key[0] is hit}
        assert len(hits_known) == 2  # with notes and without; nobody who is hit knows how often


def test_a_rule_that_returns_a_new_type_under_a_lens_gets_right_results_from_the_memo():
    def either(tape: Tape, number: int) -> Any:
        got: int = tape.roll(D6, label="face")
        return Foe(number, got) if number > 1 else got

    memo, coarse = Memo(), ((Foe, _unnoted),)
    for number in (1, 2, 1, 3):
        for forget in ((), coarse):
            found = Exact(memo, forget=forget).outcomes(either, number)
            assert found.results == Exact(forget=forget).outcomes(either, number).results
    assert len(Exact(memo).outcomes(either, 2).results) == 6
    assert len(Exact(memo, forget=coarse).outcomes(either, 2).results) == 1
