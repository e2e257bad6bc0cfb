"""Every question of every ruleset keeps the same promises, with no code per ruleset."""

from __future__ import annotations

import random
from dataclasses import is_dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from numbers import Number
from typing import Any

import msgspec
import pytest

from battletape.odds import Odds
from battletape.tape.best import Best
from battletape.tape.exact import Exact
from battletape.tape.question import Entry
from battletape.tape.recorded import Recorded
from battletape.tape.rolled import Rolled
from battletape.tape.sampled import sampled
from battletape.tape.typed import Typed
from tests.conformance.cases import Case, dice_thrown, examples, rulesets, small, variants

SIGMAS = 4.5
# With this scope all tests of one case run one after another, so that what they share is worked out once.
every_example = pytest.mark.parametrize("case", examples(), ids=str, scope="module")
every_case = pytest.mark.parametrize("case", (*examples(), *variants()), ids=str, scope="module")


@lru_cache(2)
def exact(case: Case) -> Odds[Any]:
    return case.exact()


@every_case
def test_odds_sum_to_one(case):
    odds = exact(case)
    assert sum(odds.weights.values()) == odds.total
    assert odds.is_exact
    for measure in case.measures:
        assert sum(odds.project(measure.of).fractions().values()) == 1


@every_case
def test_exact_odds_equal_every_face_tried_out(case):
    few, chances = small(case)  # without a lens
    odds = exact(few)
    for measure in few.measures:
        by_faces: dict[Any, Fraction] = {}
        for state, chance in chances.items():
            by_faces[measure.of(state)] = by_faces.get(measure.of(state), Fraction(0)) + chance
        assert odds.project(measure.of).fractions() == by_faces, measure.name


@every_example
def test_the_small_case_is_still_a_matter_of_luck(case):
    _, chances = small(case)
    assert len(chances) > 1 or dice_thrown(case) == 0


@every_case
def test_sampling_agrees(case):
    times = 1_500 if case.change else 6_000
    odds, rolled = exact(case), sampled(case.stages, case.start, times, seed=str(case))
    for measure in case.measures:
        whole, sample = odds.project(measure.of), rolled.project(measure.of)
        assert set(sample.weights) <= set(whole.weights)
        if all(isinstance(value, Number) for value in whole.weights):
            assert abs(sample.mean - whole.mean) <= SIGMAS * (float(whole.variance) / times) ** 0.5, measure.name
        for value, chance in whole.fractions().items():
            spread = float(times * chance * (1 - chance))
            if spread >= 10:
                assert abs(sample.chance(value) - chance) * times <= SIGMAS * spread**0.5, (measure.name, value)


@every_case
def test_a_recorded_roll_replays_to_the_same_log(case):
    odds = exact(case)
    for seed in range(4):
        played = case.play(Rolled(seed))
        for measure in case.measures:
            assert odds.project(measure.of).chance(measure.of(played.state)) > 0
        lines = [str(entry) for entry in played.entries]
        assert all("\n" not in line for line in lines)
        entries = [Entry.parse(line) for line in lines]
        assert tuple(entries) == played.entries
        tape = Recorded(entries)
        again = case.play(tape)
        tape.finish()
        assert again == played
        assert case.play(Typed([entry.value for entry in entries])) == played


@every_case
def test_the_exact_reader_draws_no_random_number_and_repeats_itself(case, monkeypatch):
    once = exact(case)

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the exact reader drew a random number")

    for name in ("random", "getrandbits", "choices", "choice", "randrange", "shuffle", "__init__"):
        monkeypatch.setattr(random.Random, name, refuse)
    again = exact(case)
    assert (again.weights, again.total, again.how) == (once.weights, once.total, once.how)
    assert list(again.weights) == list(once.weights)


@every_case
def test_states_are_frozen_and_hashable(case):
    done: set[int] = set()
    for state in states_on_the_way(case):
        hash(state)
        check_frozen(state, str(case), done)


@every_case
def test_a_label_names_one_question_of_a_stage(case):
    _, counts = Exact(forget=case.forget).stages(case.stages, case.start)
    for count in counts:
        asked: dict[str, tuple[Any, ...]] = {}
        for one in count.asked:
            question = (one.kind, one.die, one.clauses)
            assert asked.setdefault(one.label, question) == question, f"{count.stage.__name__} asks {one.label!r} twice"
            assert one.label == one.label.strip()
            assert one.label
            assert "[" not in one.label  # it stands before the domain in a recording


@every_case
def test_every_clause_cited_is_in_the_book(case):
    book = {one.id for one in case.ruleset.clauses}
    answer = case.answer()
    cited = {one for stage in case.stages for one in getattr(stage, "__clauses__", ())}
    cited |= {one for step in answer.steps for one in step.clauses}
    cited |= {one for count in answer.counts for asked in count.asked for one in asked.clauses}
    for seed in range(4):
        cited |= {one for line in case.play(Rolled(seed)).log for one in line.clauses}
    assert cited <= book


@every_case
def test_the_answer_reads_well(case):
    answer = case.answer()
    if case.question.goal is None:
        assert answer.states == exact(case)
    else:  # the first option is no better
        wanted = case.question.measure(case.question.goal.measures[0])
        assert answer.odds(wanted.name).mean >= exact(case).project(wanted.of).mean
    headline = answer.headline
    assert headline == headline.strip() == str(answer)
    assert headline[:1].isupper() or headline[:1].isdigit()
    assert headline.endswith((".", "!", "?"))
    assert answer.steps
    for step in answer.steps:
        assert step.title.strip()
        assert step.clauses, f"the step {step.title!r} cites no clause"
        assert step.chance is None or 0 <= step.chance <= 1
    for line in case.play(Rolled(1)).log:
        assert line.text.strip()
        assert line.stage


@every_example
def test_good_play_is_no_worse_than_the_first_option(case):
    few, _ = small(case)
    odds, sides = exact(few), sides_that_decide(few)
    for measure in few.measures:
        whole = odds.project(measure.of)
        if all(isinstance(value, Number) for value in whole.weights):
            lowest, first, highest = (
                Best(measure.of, dict.fromkeys(sides, play), forget=few.forget).run(few.stages, few.start).value
                for play in ("min", "first", "max")
            )
            assert lowest <= first == whole.mean <= highest


@pytest.mark.parametrize("ruleset", rulesets(), ids=lambda ruleset: ruleset.name)
def test_the_card_is_complete(ruleset):
    assert ruleset.title
    assert ruleset.summary
    assert "memo=" not in repr(ruleset)  # the memory of what was worked out is not shown
    assert len({question.name for question in ruleset.questions}) == len(ruleset.questions) > 0
    for question in ruleset.questions:
        assert question.title.endswith("?")
        assert question.measures
        assert len({measure.name for measure in question.measures}) == len(question.measures)
        assert all(measure.title for measure in question.measures)
    for values in ruleset.presets.values():
        assert ruleset.parse_rulings(values)


def sides_that_decide(case: Case) -> set[str]:
    """Who is asked for decisions: in some rolls, and, as they may miss a rare one, wherever the first options lead."""
    tapes = [Rolled(seed) for seed in range(20)]
    for tape in tapes:
        case.play(tape)
    rolled = {ask.by for tape in tapes for ask, _ in tape.trail if ask.kind == "choose"}
    return rolled | {one.by for one in Best(lambda state: 0, forget=case.forget).run(case.stages, case.start).decisions}


def states_on_the_way(case: Case) -> list[Any]:
    """Every state before, between and after the stages."""
    reader = Exact(forget=case.forget)
    met, now = [case.start], [case.start]
    for stage in case.stages:
        now = list(dict.fromkeys(value for state in now for value in reader.outcomes(stage, state).results))
        met.extend(now)
    return met


def check_frozen(value: Any, where: str, done: set[int]) -> None:
    """Nothing that can be changed, all the way down; states share most of what they hold."""
    if id(value) in done:
        return
    done.add(id(value))
    if isinstance(value, msgspec.Struct):
        assert value.__struct_config__.frozen, f"{where}: {type(value).__name__} is not frozen"
        for name in value.__struct_fields__:
            check_frozen(getattr(value, name), f"{where}.{name}", done)
    elif isinstance(value, (tuple, frozenset)):
        for at, one in enumerate(value):
            check_frozen(one, f"{where}[{at}]", done)
    elif is_dataclass(value):
        params = type(value).__dict__["__dataclass_params__"]
        assert params.frozen, f"{where}: {type(value).__name__} is not frozen"
        for name in value.__dataclass_fields__:
            check_frozen(getattr(value, name), f"{where}.{name}", done)
    else:
        fixed = (int, str, bool, float, Fraction, bytes, Enum, type(None))
        assert isinstance(value, fixed), f"{where} holds a {type(value).__name__}"
