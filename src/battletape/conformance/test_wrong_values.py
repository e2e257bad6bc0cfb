"""A wrong value beside the name of a profile is told in a sentence, in any input of any question."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice

from battletape.conformance.plugin import fail_if
from battletape.conformance.subjects import Subject
from battletape.conformance.wrong_values import DUNDER, VALUES, Wrong, no_text_as_a_name, trouble, wrong
from battletape.inputs import fields
from battletape.log import play
from battletape.procedure import chosen
from battletape.system import Ruleset
from battletape.tape.rolled import Rolled

EACH = 7
"""How many of the wrong values an input is given that is no choice."""
MAX_TOLD = 12
"""How many troubles are told."""


def test_every_wrong_value_beside_a_profile_is_told_in_a_sentence(subject: Subject) -> None:
    with no_text_as_a_name(*DUNDER):
        fail_if(islice(inputs_taken_ill(subject.ruleset), MAX_TOLD))


def test_every_wrong_ruling_is_told_in_a_sentence(subject: Subject) -> None:
    with no_text_as_a_name(*DUNDER):
        fail_if(islice(rulings_taken_ill(subject.ruleset), MAX_TOLD))


def inputs_taken_ill(ruleset: Ruleset) -> Iterator[str]:
    """Yield what is wrong with how the questions of a ruleset take wrong inputs."""
    for question in ruleset.questions:
        yield from _taken_ill(wrong(ruleset, question, each=EACH, choices=len(VALUES)))


def rulings_taken_ill(ruleset: Ruleset) -> Iterator[str]:
    """Yield what is wrong with how a ruleset takes wrong rulings."""
    names = (*(field.name for field in fields(ruleset.rulings)), "preset")
    yield from _taken_ill(
        Wrong(ruleset, ruleset.questions[0], (), (name,), value) for name in names for value in VALUES
    )


def _taken_ill(cases: Iterator[Wrong]) -> Iterator[str]:
    """Yield the cases that do not end in a sentence; what is accepted after all is played once, if it is new."""
    played: set[Hashable] = set()

    def taken(case: Wrong) -> None:
        question = case.question
        inputs, rulings = case.ruleset.split(question, case.given)
        start = question.begin(inputs, rulings)
        stages = chosen(question.procedure, start, question.name).stages
        if (stages, start) not in played:
            played.add((stages, start))
            play(stages, Rolled(0), start)
            _ = [*question.warn(inputs, rulings)] if question.warn else []
            _ = question.table(inputs, rulings) if question.table else None

    for case in cases:
        if sentence := trouble(lambda case=case: taken(case)):  # type: ignore[misc]
            yield f"{case}: {sentence}."
