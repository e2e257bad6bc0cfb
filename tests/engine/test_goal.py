"""Choices that come before any luck are made for a goal: each option is followed to its end, and the best is taken."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.answer import CUT_BUT_SURE, OPTIONS_CUT, TOO_MANY, ask, caveat, sample
from battletape.dice import D6, at_least
from battletape.errors import BudgetSpent
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.system import Goal, Measure, Question
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import OPTION_COST, Budget
from battletape.tape.plans import Span, follow, weigh
from battletape.views.answer import answer_view
from battletape.views.answer_summary import answer_summary
from tests.toy import RULESET

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
    most, least = weigh(STAGES, (), _hits, {"attacker": "max", "defender": "min"}, Budget(), reader, Span()).choices
    assert (most.label, most.by, [one.value for one in most.options]) == (
        "dice",
        "attacker",
        [Fraction(n, 3) for n in (1, 3, 2)],
    )
    assert most.taken.option == 3
    assert [one.value for one in least.options] == [2, 1]
    assert least.taken.option == 5
    odds, counts, *_ = follow(STAGES, (), (("dice", 3), ("need", 5)), Budget(), reader)
    assert odds.project(_hits).mean == 1
    assert [count.stage for count in counts] == list(STAGES)


def test_the_work_of_weighing_is_counted_in_branches():
    sides = {"attacker": "max", "defender": "min"}
    whole = weigh(STAGES, (), _hits, sides, Budget(), reader, Span())
    opened, branches = 1 + 3 + 3 * 2, 2 * (2 + 4 + 3)  # the start and each option of both; hits of 1, 3 and 2 dice
    assert 0 < whole.spent - opened * OPTION_COST <= branches
    late = weigh(STAGES, (), _hits, sides, Budget(seconds=60), reader, Span())
    assert late == whole


def test_others_take_their_first_option():
    (choice,) = weigh(STAGES, (), _hits, {"attacker": "max"}, Budget(), reader, Span()).choices
    assert [one.value for one in choice.options] == [Fraction(2 * n, 3) for n in (1, 3, 2)]


def test_a_choice_after_luck_is_not_weighed():
    assert weigh((_luck_first,), (), _hits, {"attacker": "max"}, Budget(), reader, Span()) == ((), 0)
    odds, *_ = follow((_luck_first,), (), (), Budget(), reader)
    assert odds.project(_hits).mean == Fraction(1, 2)


def test_an_option_in_the_stage_of_its_dice():
    (choice,) = weigh((_both,), (), _hits, {"attacker": "max"}, Budget(), reader, Span()).choices
    assert [one.value for one in choice.options] == [Fraction(1, 2), Fraction(5, 6)]


def test_an_option_is_not_preferred_for_unexplored_chance():
    (choice,) = weigh((choose_dice, _deep), (), _hits, {"attacker": "max"}, Budget(branches=30), reader, Span()).choices
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


# --- what is sure, and what may be ------------------------------------------------------------------------------------


def _first_of(*labels: str) -> Any:
    def choose(tape: Any, state: State) -> str:
        return str(tape.choose(labels, by="attacker", label="way"))

    return choose


def _long(tape: Any, way: str) -> State:
    """A sure point; or a long way of dice, of which a small budget sees only the first throw; or a loss."""
    if way == "sure":
        return (1,)
    if not tape.roll(D6, at_least(2), label="go on"):
        return (3 if way == "long" else -3,)
    return (3 * int(sum(tape.roll(D6, label=f"die {at}") for at in range(4)) > 14),)


def weigh_ways(*ways: str, play: str = "max", span: Span | None = None, branches: int = 60) -> Any:
    stages, budget = (_first_of(*ways), _long), Budget(branches=branches)
    (choice,) = weigh(stages, (), _hits, {"attacker": play}, budget, reader, span or Span()).choices
    return choice


def test_unexplored_chance_counts_as_zero_of_the_goal():
    choice = weigh_ways("long", "sure")
    long, sure = choice.options
    assert 0 < long.unexplored < 1
    assert long.odds.project(_hits).mean > sure.value == sure.hope == 1
    assert long.value == long.odds.project(_hits).mean * (1 - long.unexplored) < 1
    assert choice.taken is sure
    assert choice.rivals == (long,)


def test_where_a_goal_can_be_negative_it_counts_as_the_worst():
    told, seen = weigh_ways("bad", "sure", span=Span(Fraction(-5), inf)), weigh_ways("bad", "sure")
    for choice, worst in ((told, -5), (seen, -3)):
        bad = choice.options[0]
        assert bad.value == bad.odds.project(_hits).mean * (1 - bad.unexplored) + worst * bad.unexplored
        assert choice.taken.option == "sure"


def test_a_goal_of_the_least_counts_unexplored_chance_as_the_most():
    choice = weigh_ways("bad", "sure", play="min", span=Span(Fraction(-3), Fraction(3)))
    bad, sure = choice.options
    assert bad.odds.project(_hits).mean < 1
    assert bad.hope < sure.value < bad.value
    assert choice.taken is sure
    assert choice.rivals == (bad,)
    assert weigh_ways("bad", "sure", play="min").options[0].value == inf


def test_an_option_that_cannot_be_better_is_no_rival():
    choice = weigh_ways("long", "sure", span=Span(Fraction(0), Fraction(1)))
    long = choice.options[0]
    assert long.hope == long.value + 3 * long.unexplored  # a value was seen that is more than the span says
    assert choice.rivals == (long,)
    every = weigh_ways("long", "sure", branches=3_000_000)
    assert every.taken.option == "long"
    assert every.rivals == ()


def test_an_unbounded_goal_has_no_rivals_if_next_to_nothing_is_unexplored():
    def throw_again(tape: Any, way: str) -> State:
        sixes = 0
        while way == "long" and sixes < 9 and tape.roll(D6, at_least(6), label="again"):
            sixes += 1
        return (sixes if way == "long" else 1,)

    stages, sides, span = (_first_of("long", "sure"), throw_again), {"attacker": "max"}, Span(-inf, inf)
    for depth, bounded in ((5, True), (2, False)):
        (choice,) = weigh(stages, (), _hits, sides, Budget(depth=depth), reader, span).choices
        long = choice.options[0]
        assert 0 < long.unexplored < 1
        assert (long.hope < inf, long.value > -inf) == (bounded, bounded)
        assert bool(choice.rivals) is not bounded


def test_unexplored_chance_of_a_later_choice_is_counted_for_earlier_options():
    def choose(tape: Any, state: State) -> str:
        if tape.choose(("sure", "risk"), by="attacker", label="first") == "sure":
            return "sure"
        return str(tape.choose(("sure", "long"), by="attacker", label="second"))

    (first,) = weigh((choose, _long), (), _hits, {"attacker": "max"}, Budget(branches=60), reader, Span()).choices
    sure, risk = first.options
    assert first.taken is sure
    assert sure.value == risk.value == 1
    assert not risk.unexplored
    assert risk.hope == inf
    assert first.rivals == (risk,)


# --- through the card -------------------------------------------------------------------------------------------------


class Stakes(Inputs, frozen=True):
    """Nothing to put in."""


def _stakes(*ways: str, most: Any = inf, measures: tuple[Measure, ...] = ()) -> Question:
    return Question(
        "stakes",
        "Which way is best?",
        Stakes,
        lambda inputs, rulings: (),
        lambda start: Procedure("stakes", (_first_of(*ways), _long)),
        (Measure("points", "Points", _hits, "points"), *measures),
        lambda answer: f"{answer.choices[0].taken.option}.",
        goal=Goal(("points",), span=lambda start: (Fraction(0), most)),
    )


def test_an_answer_says_that_other_options_may_be_better():
    cut = ask(RULESET, _stakes("sure", "long", "bad"), {}, budget=Budget(branches=60), memo=Memo())
    told = "2 of 3 options were not worked out to the end and may be better."
    assert cut.states.unexplored == 0
    assert cut.caveat == told
    assert cut.is_cut
    for text in (cut.headline, str(cut), repr(cut).removesuffix(">"), answer_view(cut).headline):
        assert text.endswith(f"sure. {told}")
    assert cut.warnings == (OPTIONS_CUT,)
    assert answer_summary(cut).headline.short.endswith("(other options may be better)")
    whole = ask(RULESET, _stakes("sure", "long", "bad"), {}, memo=Memo())
    assert (whole.headline, whole.caveat, whole.warnings, whole.is_cut) == ("long.", "", (), False)


def test_a_goal_cut_by_seconds_is_warned_of():
    late = ask(RULESET, _stakes("sure", "long"), {}, budget=Budget(seconds=0.0), memo=Memo())
    assert late.caveat == "1 of 2 options was not worked out to the end and may be better."
    assert str(late) == f"sure. {late.caveat}"


def test_choices_in_a_row_are_not_all_opened_when_the_time_is_over():
    opened = []

    def share_out(tape, state):
        opened.append(state)
        return sum(tape.choose((0, 1, 2), by="attacker", label=f"share {at}") for at in range(12))

    first, *later = weigh((share_out,), 0, int, {"attacker": "max"}, Budget(seconds=0.0), reader, Span(most=24)).choices
    assert len(opened) < 60  # of 3^12 ways to choose
    assert [len(option.odds.weights) for option in first.options] == [1, 1, 1]
    assert [[len(option.odds.weights) for option in choice.options] for choice in later] == [[1, 0, 0]] * 11
    assert all(len(choice.rivals) == 2 for choice in later)  # and the answer says that they may be better


def test_a_cut_option_that_cannot_be_better_gets_its_own_warning():
    def only_just(tape: Any, way: str) -> State:
        return (1,) if way == "sure" else (int(_long(tape, "long")[0] > 3),)

    question = replace(
        _stakes("sure", "long", most=Fraction(1)),
        procedure=lambda start: Procedure("stakes", (_first_of("sure", "long"), only_just)),
    )
    cut = ask(RULESET, question, {}, budget=Budget(branches=60), memo=Memo())
    assert cut.is_cut
    assert cut.headline == "sure."
    assert cut.warnings == (CUT_BUT_SURE,)


def test_a_cut_of_the_taken_option_is_warned_of_too():
    cut = ask(RULESET, _stakes("long", "bad"), {}, budget=Budget(branches=60), memo=Memo())
    assert cut.choices[0].taken.option == "long"
    assert (
        cut.caveat == f"{caveat(cut.states.unexplored)} 1 of 2 options was not worked out to the end and may be better."
    )
    assert caveat(cut.states.unexplored)


def test_rolls_follow_the_choices_of_the_goal():
    question = _stakes("sure", "long", "bad")
    exact, rolled = ask(RULESET, question, {}), sample(RULESET, question, {}, 4_000, seed=1)
    assert rolled.choices == exact.choices
    assert rolled.headline == exact.headline == "long."
    assert abs(rolled.odds().mean - exact.odds().mean) < 4.5 * (exact.odds().variance / 4_000) ** 0.5
    budget = Budget(branches=60)
    cut = sample(RULESET, question, {}, 10, seed=1, budget=budget, memo=Memo())
    as_asked = ask(RULESET, question, {}, budget=budget, memo=Memo())
    assert (cut.headline, cut.warnings, cut.choices) == (as_asked.headline, as_asked.warnings, as_asked.choices)


def test_rolls_follow_a_choice_in_the_stage_of_its_dice():
    stages: dict[str, tuple[Any, ...]] = {"in it": (_both,), "before it": STAGES, "after it": (_luck_first,)}
    for procedure in (Procedure(name, rules) for name, rules in stages.items()):
        question = replace(_stakes("sure"), procedure=lambda start, own=procedure: own, headline=lambda answer: "So.")
        exact, rolled = ask(RULESET, question, {}, memo=Memo()), sample(RULESET, question, {}, 4_000, seed=1)
        assert rolled.choices == exact.choices
        assert abs(rolled.odds().mean - exact.odds().mean) < 4.5 * (exact.odds().variance / 4_000) ** 0.5


def test_too_many_choices_to_list_are_warned_of():
    def many(tape: Any, state: Any) -> State:
        return (sum(tape.choose((0, 1, 2), by="attacker", label=f"choice {at}") for at in range(8)),)

    question = replace(
        _stakes("sure"), procedure=lambda start: Procedure("many", (many,)), headline=lambda answer: "So.", goal=None
    )
    answer = ask(RULESET, question, {}, memo=Memo())
    assert answer.is_chosen
    assert answer.warnings == (TOO_MANY,)
    assert answer_view(answer).ranges is None
    with pytest.raises(BudgetSpent, match="too many"):
        answer.outcomes()
    listed = ask(RULESET, replace(question, procedure=lambda start: Procedure("few", (choose_dice,))), {}, memo=Memo())
    assert listed.warnings == ()
    assert answer_view(listed).ranges is not None
