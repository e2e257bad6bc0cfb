"""Every ruling says what it decides, and every value of it can be typed, is asked and played, and has a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from battletape.conformance.cases import Case, examples, rulings_looked_at
from battletape.conformance.plugin import fail_if
from battletape.conformance.sources import files_of, parse, strings_in
from battletape.conformance.subjects import Subject
from battletape.errors import BattletapeError, UnknownName
from battletape.inputs import Field, fields
from battletape.tape.rolled import Rolled


def test_a_ruling_says_what_each_of_its_values_means(subject: Subject, ruling: Field) -> None:
    meanings = dict(ruling.alternatives)
    values = [ruling.show(value) for value in ruling.every]
    problems = [f"say what {value} means" for value in values if not meanings.get(value)]
    problems += [f"{value} means {words}, as another value does" for value, words in repeated(meanings)]
    if ruling.title == ruling.name:
        problems.append("say what it decides")
    if ruling.choices and ruling.default not in (None, ruling.choices[0]):
        problems.append(f"let its default {ruling.show(ruling.default)} stand first")
    if ruling.kind == "whole" and not is_within(ruling, ruling.default):
        problems.append(f"its default {ruling.default} is outside of {ruling.low} to {ruling.high}")
    fail_if(f"The ruling {ruling.name} of {subject}: {problem}." for problem in problems)


def test_every_value_of_a_ruling_can_be_typed_and_an_answer_tells_it(subject: Subject, ruling: Field) -> None:
    card = subject.ruleset
    for value in values_of(ruling):
        typed, given = (card.parse_rulings({ruling.name: said}) for said in (ruling.show(value), value))
        assert typed == given
        assert hash(typed) == hash(given)
        assert getattr(typed, ruling.name) == value
    case = next(iter(examples(card)), None)
    if case is not None:
        shown = case.answer().rulings_used[ruling.name]
        assert shown == (ruling.show(getattr(case.rulings, ruling.name)), is_default(case, ruling), ruling.clause)


def test_every_value_of_a_ruling_is_played(subject: Subject, ruling: Field) -> None:
    """In the first question whose example comes to it; what a value does is for the ruleset's own tests to say."""
    reading = (example for example in examples(subject.ruleset) if ruling.name in read_by(example))
    for example in islice(reading, 1):
        for case in (example.changed(("rulings", ruling.name, value)) for value in values_of(ruling)):
            if can_be_asked(case):
                odds = case.exact()
                assert sum(odds.fractions().values()) == 1, case
                assert measured(case, *rolled(case)) <= measured(case, *odds.weights), case


def test_a_ruling_that_leaves_a_choice_is_read_by_the_rules(subject: Subject, ruling: Field) -> None:
    read = {name for path in files_of(subject.ruleset) for name in names_in(path)}
    if len(values_of(ruling)) > 1 and ruling.name not in read:
        fail_if([f"No code of {subject} reads the ruling {ruling.name}; use it, or delete it."])


def test_every_value_of_a_ruling_has_a_test(subject: Subject, ruling: Field) -> None:
    """A file of tests names the ruling and the value; the default is what all other tests are about."""
    if not subject.tests:
        pytest.skip("no folder of tests was given (--tests)")
    if len(values_of(ruling)) == 1:
        return
    naming = [words for words in words_of(subject.tests) if ruling.name in words]
    if not naming:
        fail_if([f"No test names the ruling {ruling.name} of {subject}."])
    fail_if(
        f"No test that names the ruling {ruling.name} of {subject} tries its value {value}."
        for value in ruling.every
        if value != ruling.default and not any(str(value) in words for words in naming)
    )


def test_every_preset_can_be_played(subject: Subject) -> None:
    card = subject.ruleset
    for preset, changed in card.presets.items():
        assert card.parse_rulings({"preset": preset}) == card.parse_rulings(changed)
    with pytest.raises(UnknownName):
        card.parse_rulings({"preset": "no such preset"})


def test_rulings_and_inputs_have_names_of_their_own(subject: Subject) -> None:
    rulings = {ruling.name for ruling in fields(subject.ruleset.rulings)} | {"preset"}
    fail_if(
        f"{question.name} has the input {given.name}, and so is a ruling called; rename one."
        for question in subject.ruleset.questions
        for given in fields(question.inputs)
        if given.name in rulings
    )


def repeated(meanings: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the values that mean what an earlier one means."""
    words = list(meanings.values())
    yield from ((value, text) for at, (value, text) in enumerate(meanings.items()) if text in words[:at])


def is_within(ruling: Field, value: Any) -> bool:
    """Return whether a number lies within its limits."""
    low, high = ruling.low, ruling.high
    return value is None or ((low is None or value >= low) and (high is None or value <= high))


def is_default(case: Case, ruling: Field) -> bool:
    """Return whether a case keeps to the default of a ruling."""
    return bool(getattr(case.rulings, ruling.name) == ruling.default)


def values_of(ruling: Field) -> tuple[Any, ...]:
    """Return every value of a choice, and of a number the default and its limits."""
    ends = (ruling.low, ruling.high) if ruling.kind == "whole" and not ruling.choices else ruling.every
    return tuple(dict.fromkeys((ruling.default, *(end for end in ends if end is not None))))


@lru_cache(None)
def read_by(example: Case) -> frozenset[str]:
    """Return the rulings that the rules come to in an example."""
    return frozenset(rulings_looked_at(example))


def can_be_asked(case: Case) -> bool:
    """Return whether the question takes these rulings."""
    try:
        case.ruleset.split(case.question, case.given)
        case.play(Rolled(0))
    except BattletapeError:
        return False
    return True


def rolled(case: Case) -> list[Any]:
    """Return the states after some rolls."""
    return [case.play(Rolled(seed)).state for seed in range(5)]


def measured(case: Case, *ends: Any) -> set[tuple[Any, ...]]:
    """Return what these states come to, by the measures of a case."""
    return {tuple(measure.of(end) for measure in case.measures) for end in ends}


@lru_cache(None)
def names_in(path: Path) -> frozenset[str]:
    """Return the attributes that a file reads, and its texts, by which it may read some."""
    attributes = {node.attr for node in ast.walk(parse(path)) if isinstance(node, ast.Attribute)}
    return frozenset(attributes | strings_in(path))


@lru_cache(None)
def words_of(folders: tuple[Path, ...]) -> tuple[frozenset[str], ...]:
    """Return the words in each file of tests."""
    files = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    return tuple(frozenset(re.findall(r"-?\w[\w+-]*", path.read_text(encoding="utf-8"))) for path in files)
