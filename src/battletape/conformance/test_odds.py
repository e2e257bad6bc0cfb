"""Every question keeps the same promises: all readers give the same result."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from numbers import Number
from typing import Any

import msgspec
import pytest
from msgspec import structs

from battletape.answer import ask
from battletape.conformance.cases import Case, dice_thrown, examples, small, variants
from battletape.conformance.plugin import fail_if
from battletape.conformance.subjects import Subject
from battletape.errors import BattletapeError
from battletape.odds import Odds
from battletape.system import Goal, Measure
from battletape.tape.best import Best
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import Budget
from battletape.tape.question import Entry
from battletape.tape.recorded import Recorded
from battletape.tape.rolled import Rolled
from battletape.tape.sampled import sampled
from battletape.tape.typed import Typed
from battletape.views.answer_summary import headline_view, leading_measure

SIGMAS = 4.5
ROUNDING = 1e-9
WITHOUT_LUCK = 20  # plays of a case without dice, which all end alike
LUCK = ("random", "getrandbits", "choices", "choice", "randrange", "shuffle", "__init__")
"""Names of whatever draws a random number."""


@lru_cache(2)
def exact(case: Case) -> Odds[Any]:
    """Return the odds of a case, kept for its other tests."""
    return case.exact()


def test_odds_sum_to_one(case: Case) -> None:
    odds = exact(case)
    problems = []
    if not odds.is_exact:
        problems.append(f"The odds leave {float(odds.unexplored):.2%} unexplored; make the example smaller.")
    elif sum(odds.weights.values()) != odds.total:
        problems.append("The chances of all results do not sum to one.")
    for measure in case.measures:
        if sum(odds.project(measure.of).fractions().values()) + odds.unexplored != 1:
            problems.append(f"The chances of {measure.name} do not sum to one.")
    fail_if(problems)


def test_every_value_of_a_ladder_stands_on_a_rung(case: Case) -> None:
    problems = []
    for measure in case.measures:
        values = exact(case).project(measure.of).weights if measure.ladder else ()
        lost = [value for value in values if not any(rung.holds(value) for rung in measure.ladder)]
        if lost:
            problems.append(f"{measure.name}: no rung of its ladder holds {', '.join(map(repr, lost))}.")
    fail_if(problems)


def test_every_value_of_a_measure_is_one_that_it_names(case: Case) -> None:
    problems = []
    for measure in case.measures:
        values = exact(case).project(measure.of).weights if measure.values else ()
        lost = [value for value in values if value not in measure.values]
        if lost:
            problems.append(f"{measure.name}: its values lack {', '.join(map(repr, lost))}.")
    fail_if(problems)


def test_exact_odds_equal_every_face_tried_out(case: Case) -> None:
    few, chances = small(case)  # without a lens
    odds = exact(few)
    problems = []
    for measure in few.measures:
        by_faces: dict[Any, Fraction] = {}
        for state, chance in chances.items():
            by_faces[measure.of(state)] = by_faces.get(measure.of(state), Fraction(0)) + chance
        computed = odds.project(measure.of).fractions()
        if computed != by_faces:
            problems.append(
                f"{measure.name}: the odds are {shown(computed)}, and every face of every die tried out gives "
                f"{shown(by_faces)}. A rule asks something besides its tape, or the lens forgets too much. "
                f"Inputs: {few.inputs}"
            )
    fail_if(problems)


def test_the_small_case_is_still_a_matter_of_luck(example: Case) -> None:
    _, chances = small(example)
    if len(chances) < 2 and dice_thrown(example):
        fail_if([f"{example}: with small numbers it has one result only; choose another example."])


def test_sampling_agrees(case: Case, plays: int) -> None:
    odds, times = exact(case), max(plays, 500 if case.change else 2_500)
    if len(odds.weights) == 1 and not has_luck(case):
        times = WITHOUT_LUCK
    rolled = sampled(case.stages, case.start, times, seed=str(case))
    fail_if(text for measure in case.measures for text in off(odds, rolled, measure, times))


def has_luck(case: Case) -> bool:
    """Return whether any branch of the rules asks for dice, and not only for decisions."""
    _, counts = Exact(forget=case.forget).stages(case.stages, case.start)
    return any(asked.kind != "choose" for count in counts for asked in count.asked)


def off(odds: Odds[Any], rolls: Odds[Any], measure: Measure, times: int) -> Iterator[str]:
    """Yield where a number of rolls is further from the odds than luck explains: the value that is furthest off."""
    whole, sample, name = odds.project(measure.of), rolls.project(measure.of), measure.name
    never = [value for value in sample.weights if value not in whole.weights]
    if never:
        yield f"{name}: {never[0]} came up in {times:,} rolls, and the odds say never."
    elif all(isinstance(value, Number) for value in whole.weights):
        rolled, exact = float(sample.mean), float(whole.mean)
        if abs(rolled - exact) > SIGMAS * (float(whole.variance) / times) ** 0.5 + ROUNDING:
            yield f"{name}: {times:,} rolls give {rolled:.4f} on average, and the odds say {exact:.4f}."
    apart = []
    for value, chance in whole.fractions().items():
        spread, sampled = float(times * chance * (1 - chance)), sample.chance(value)
        if spread >= 10 and abs(sampled - chance) * times > SIGMAS * spread**0.5:
            text = f"{value} came up in {float(sampled):.2%} of {times:,} rolls, and the odds say {float(chance):.2%}"
            apart.append((abs(sampled - chance), text))
    if apart:
        yield f"{name}: {max(apart)[1]}. A rule asks something besides its tape, or the lens forgets too much."


def test_a_recorded_roll_replays_to_the_same_log(case: Case) -> None:
    fail_if(text for seed in range(4) for text in replayed_otherwise(case, seed))


def replayed_otherwise(case: Case, seed: int) -> Iterator[str]:
    """Yield what goes wrong when a roll is written down, read and played again."""
    played = case.play(Rolled(seed))
    for measure in case.measures:
        value = measure.of(played.state)
        if not exact(case).project(measure.of).chance(value):
            yield f"{measure.name}: seed {seed} rolls {value}, and the odds say never."
    lines = [str(entry) for entry in played.entries]
    broken = [line for line in lines if "\n" in line]
    if broken:
        yield f"An answer is written on more than one line: {broken[0]!r}. Labels and options have no line breaks."
        return
    entries = [Entry.parse(line) for line in lines]
    if tuple(entries) != played.entries:
        yield f"Seed {seed}: an answer is not read as it was written; options should differ in their text."
        return
    tape = Recorded(entries)
    try:
        again, typed = case.play(tape), case.play(Typed([entry.answer for entry in entries]))
        tape.finish()
    except BattletapeError as error:
        yield f"Seed {seed}: the same dice lead to another question ({error}). A rule asks something besides its tape."
        return
    if not again == typed == played:
        yield f"Seed {seed}: the same dice give another result or log. A rule asks something besides its tape."


def test_the_exact_reader_draws_no_random_number_and_repeats_itself(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Drawn(Exception):
        """A random number was drawn."""

    def refuse(*_: Any, **__: Any) -> None:
        raise Drawn

    once, before = exact(case), random.getstate()
    with monkeypatch.context() as patched:
        for name in LUCK:
            patched.setattr(random.Random, name, refuse)
        try:
            again = case.exact()
        except Drawn:
            again = None
    if again is None or random.getstate() != before:  # by a generator of its own, or by that of the module
        fail_if(["A rule draws a random number of its own; let it ask the tape."])
    elif (list(again.weights.items()), again.total, again.how) != (list(once.weights.items()), once.total, once.how):
        fail_if(["Asked twice, the odds differ. A rule asks something besides its tape, or orders what has no order."])


def test_states_are_frozen_and_hashable(case: Case) -> None:
    done: set[int] = set()
    problems: list[str] = []
    for state in states_on_the_way(case):
        hash(state)
        problems += changeable(state, type(state).__name__, done)
    fail_if(problems)


def test_a_label_names_one_question_of_a_stage(case: Case) -> None:
    _, counts = Exact(forget=case.forget).stages(case.stages, case.start)
    problems = []
    for count in counts:
        stage = count.stage.__name__
        met: dict[str, tuple[Any, ...]] = {}
        for asked in count.asked:
            question = (asked.kind, asked.die, asked.clauses)
            if met.setdefault(asked.label, question) != question:
                problems.append(f"{stage} asks two different questions under the label {asked.label!r}.")
            if not asked.label or asked.label != asked.label.strip() or "[" in asked.label:
                # it stands before the domain in a recording
                problems.append(f"{stage}: {asked.label!r} is no label; it needs words, without [ and outer spaces.")
    fail_if(problems)


def test_every_clause_cited_is_in_the_book(case: Case) -> None:
    answer = case.answer()
    cited = {clause for stage in case.stages for clause in getattr(stage, "__clauses__", ())}
    cited |= {clause for step in answer.steps for clause in step.clauses}
    cited |= {clause for count in answer.counts for asked in count.asked for clause in asked.clauses}
    for seed in range(4):
        cited |= {clause for line in case.play(Rolled(seed)).log for clause in line.clauses}
    unknown = sorted(cited - set(case.ruleset.clauses.by_id))
    fail_if(f"{clause} is cited, and clauses.toml has no such clause." for clause in unknown)


def test_the_answer_reads_well(case: Case) -> None:
    fail_if(wording_faults(case))


def wording_faults(case: Case) -> Iterator[str]:
    """Yield what is wrong with the words of an answer and of a roll."""
    answer, odds = case.answer(), exact(case)
    if case.question.goal is None:
        if answer.states != odds:
            yield "The answer has other odds than the stages; `begin` and `procedure` should go by their input alone."
    else:
        yield from advice_faults(case, case.question.goal)
    headline = answer.headline
    if headline != headline.strip() or not headline.endswith((".", "!", "?")):
        yield f"The headline is no sentence: {headline!r}."
    if not (headline[:1].isupper() or headline[:1].isdigit()):
        yield f"The headline should begin with a capital or a number: {headline!r}."
    if not answer.steps:
        yield "The answer has no steps: no stage asks anything under a clause."
    for step in answer.steps:
        if not step.title.strip():
            yield "A step has no title."
        if not step.clauses:
            yield f'The step {step.title!r} cites no clause; put @clause("…") on the function that asks.'
        if step.chance is not None and not 0 <= step.chance <= 1:
            yield f"The step {step.title!r} has the chance {step.chance}."
    if not all(line.text.strip() and line.stage for line in case.play(Rolled(1)).log):
        yield "A line of the log is empty, or belongs to no stage."


def test_the_lead_says_what_its_measure_comes_to(case: Case) -> None:
    fail_if(led_badly(case))


def led_badly(case: Case) -> Iterator[str]:
    """Yield what is wrong with the number or word that leads an answer: it is worked out anew, from the weights."""
    unknown = {lead.measure for lead in case.question.lead} - {measure.name for measure in case.question.measures}
    if unknown:
        yield f"The lead names {', '.join(sorted(unknown))}, and no measure is called so."
        return
    answer = case.answer()
    lead, shown = leading_measure(answer), headline_view(answer)
    measure, weights = case.question.measure(lead.measure), answer.odds(lead.measure).weights
    if not shown.number.strip() or not shown.short.strip():
        yield f"The answer is led by {shown.number!r} {shown.short!r}; a number or word and what it is would do."
    if not led_to(shown.number, measure, weights, lead.holds or bool):
        yield f"The lead says {shown.number!r}, and {lead.measure} comes to {dict(weights)!r}."


def led_to(told: str, measure: Measure, weights: Mapping[Any, int], holds: Callable[[Any], bool]) -> bool:
    """Return whether a chance, a mean or a word is what the weights of a measure come to."""
    total = sum(weights.values())
    if told.endswith(" %"):
        share = 100 * sum(weight for value, weight in weights.items() if holds(value)) / total
        if told[0] in "<>":
            return 0 < share < 0.1 if told[0] == "<" else 99.9 < share < 100
        return abs(share - float(told.removesuffix(" %"))) <= 0.5
    likeliest = max(weights, key=weights.__getitem__)
    words = measure.words(likeliest) if measure.words is not None else str(likeliest)
    if isinstance(likeliest, bool) or likeliest in (0, 1):
        words = f"{words} {'yes' if likeliest else 'no'}"
    if told.lower() in (words.lower(), *words.lower().split()):
        return len(weights) == 1
    try:
        mean = sum(value * weight for value, weight in weights.items()) / total
        return bool(abs(mean - float(told.replace(",", ""))) <= 0.05 + ROUNDING)
    except (TypeError, ValueError):
        return told.lower() == words.lower()


def advice_faults(case: Case, goal: Goal) -> Iterator[str]:
    """Yield where a side would do better by its first options, the others playing as well as they can against them."""
    wanted = case.question.measure(goal.measures[0])
    worth = case.answer(wanted.name).odds(wanted.name).mean
    for side, play in goal.sides.items():
        others = {other: theirs for other, theirs in goal.sides.items() if other != side}
        careless = structs.replace(case.question, goal=structs.replace(goal, sides=others))
        first = replace(case, question=careless).answer(wanted.name).odds(wanted.name).mean
        if worth < first if play == "max" else worth > first:
            yield f"The advice gives {side} {worth} {wanted.name}, and the first option of every choice {first}."


def test_an_answer_does_not_depend_on_what_was_asked_before(subject: Subject) -> None:
    cases = (*examples(subject.ruleset), *variants(subject.ruleset))
    fresh = [whole_answer(case, Memo()) for case in cases]
    problems: dict[str, None] = {}
    for order in (slice(None), slice(None, None, -1)):
        memo = Memo()
        for case, alone in zip(cases[order], fresh[order], strict=True):
            after = whole_answer(case, memo)
            if after != alone:
                parts = ", ".join(part for part in alone if after[part] != alone[part])
                problems[f"{case}: after other questions it has another answer: {parts}."] = None
    fail_if(problems)


def whole_answer(case: Case, memo: Memo) -> dict[str, Any]:
    """Return all that is told of a case, by what is remembered; the clock has no say in it."""
    answer = ask(case.ruleset, case.question, case.given, memo=memo, budget=Budget())
    return {**answer.to_dict(), "states": answer.states}


def test_good_play_is_no_worse_than_the_first_option(example: Case) -> None:
    few, _ = small(example)
    odds, sides = exact(few), sides_that_decide(few)
    problems = []
    for measure in few.measures:
        whole = odds.project(measure.of)
        if all(isinstance(value, Number) for value in whole.weights):
            lowest, first, highest = (
                Best(measure.of, dict.fromkeys(sides, play), forget=few.forget).run(few.stages, few.start).value
                for play in ("min", "first", "max")
            )
            if not lowest <= first == whole.mean <= highest:
                problems.append(
                    f"{measure.name}: {float(lowest):.4f} at least, {float(highest):.4f} at most by good play, "
                    f"{float(first):.4f} by first options, and the odds say {float(whole.mean):.4f}. "
                    "A choice gives the same options in the same order whenever it is asked."
                )
    fail_if(problems)


def test_the_card_is_complete(subject: Subject) -> None:
    fail_if(missing(subject))


def missing(subject: Subject) -> Iterator[str]:
    """Yield what is missing from a card."""
    ruleset = subject.ruleset
    if not (ruleset.title and ruleset.summary):
        yield "The card needs a title and a summary."
    if "memo=" in repr(ruleset):
        yield "The card shows the memory of what was worked out."
    if not ruleset.questions:
        yield "The card has no question."
    names = [question.name for question in ruleset.questions]
    yield from (f"Two questions are named {name}." for name in sorted(set(names)) if names.count(name) > 1)
    for question in ruleset.questions:
        if not question.title.endswith("?"):
            yield f"The title of {question.name} should be a question, with a question mark: {question.title!r}."
        if not question.measures:
            yield f"{question.name} measures nothing."
        measures = [measure.name for measure in question.measures]
        yield from (
            f"{question.name}: two measures are named {name}." for name in sorted(set(measures))
            if measures.count(name) > 1
        )  # fmt: skip
        yield from (
            f"{question.name}: the measure {measure.name} has no title." for measure in question.measures
            if not measure.title
        )  # fmt: skip
    for name, values in ruleset.presets.items():
        try:
            ruleset.parse_rulings(values)
        except BattletapeError as error:
            yield f"The preset {name}: {error}"


def shown(chances: dict[Any, Fraction]) -> str:
    """Return a few chances in a line."""
    parts = [f"{value}: {chance}" for value, chance in sorted(chances.items(), key=lambda both: str(both[0]))]
    return "{" + ", ".join(parts[:8]) + (", …}" if len(parts) > 8 else "}")


def sides_that_decide(case: Case) -> set[str]:
    """Return the sides that decide, in some rolls and along first options, which rolls may miss."""
    tapes = [Rolled(seed) for seed in range(20)]
    for tape in tapes:
        case.play(tape)
    rolled = {ask.by for tape in tapes for ask, _ in tape.trail if ask.kind == "choose"}
    first = Best(lambda state: 0, forget=case.forget).run(case.stages, case.start)
    return rolled | {decision.by for decision in first.decisions}


def states_on_the_way(case: Case) -> list[Any]:
    """Return every state before, between and after the stages."""
    reader = Exact(forget=case.forget)
    met, now = [case.start], [case.start]
    for stage in case.stages:
        now = list(dict.fromkeys(value for state in now for value in reader.outcomes(stage, state).results))
        met.extend(now)
    return met


def changeable(value: Any, where: str, done: set[int]) -> Iterator[str]:
    """Yield what can be changed in a state, at any depth; states share most of their parts."""
    if id(value) in done:
        return
    done.add(id(value))
    if isinstance(value, msgspec.Struct):
        if not value.__struct_config__.frozen:
            yield f"{where}: {type(value).__name__} is not frozen; say frozen=True."
        for name in value.__struct_fields__:
            yield from changeable(getattr(value, name), f"{where}.{name}", done)
    elif isinstance(value, (tuple, frozenset)):
        for at, part in enumerate(value):
            yield from changeable(part, f"{where}[{at}]", done)
    elif is_dataclass(value):
        if not type(value).__dict__["__dataclass_params__"].frozen:
            yield f"{where}: {type(value).__name__} is not frozen; say frozen=True."
        for name in value.__dataclass_fields__:
            yield from changeable(getattr(value, name), f"{where}.{name}", done)
    elif not isinstance(value, (int, str, bool, float, Fraction, bytes, Enum, type(None))):
        yield f"{where} holds a {type(value).__name__}, which can be changed; use tuples, frozensets and frozen types."
