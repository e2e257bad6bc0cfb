"""What a player may point at names inputs that the question has, and knows its sides and places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battletape.conformance.plugin import fail_if
from battletape.conformance.subjects import Subject
from battletape.inputs import Inputs, fields
from battletape.system import Question, Ruleset
from battletape.table.outlines import SPOTS, Arcs


def test_outlines_name_inputs_of_their_question(subject: Subject) -> None:
    fail_if(text for question in subject.ruleset.questions for text in _strangers(question))


def test_outlines_know_every_side_and_place_of_the_example(subject: Subject) -> None:
    fail_if(text for question in subject.ruleset.questions for text in _gaps(subject.ruleset, question))


def _gaps(ruleset: Ruleset, question: Question) -> Iterator[str]:
    inputs, rulings = ruleset.split(question, question.example)
    for outline in question.outlines:
        if isinstance(outline, Arcs):
            armour = outline.armour(inputs, rulings, ruleset.book)
            if armour is not None and {*armour} != {"front", "side", "rear"}:
                yield f"{question.name}: a vehicle has the armour of front, side and rear; got {', '.join(armour)}."
            continue
        places = {*outline.armour(inputs, rulings)}
        told = {*outline.cover(inputs, rulings), *outline.chances(inputs, rulings)}
        if places - {*SPOTS} or told - places:
            yield f"{question.name}: a body has the places {', '.join(SPOTS)}; got {', '.join(sorted(places | told))}."


def _strangers(question: Question) -> Iterator[str]:
    for outline in question.outlines:
        if isinstance(outline, Arcs):
            paths = [tuple(outline.facing)]
        else:
            named = (outline.hidden, outline.material, outline.aimed, *outline.aimed_with)
            paths = [(name,) for name in named if name]
        for path in paths:
            if not _has(question.inputs, path):
                yield f"{question.name}: an outline names the input {'.'.join(path)}, which the question does not have."


def _has(inputs: type[Inputs], path: Sequence[str]) -> bool:
    name, *rest = path
    found = next((field for field in fields(inputs) if field.name == name), None)
    if found is None or not rest:
        return found is not None
    return found.item is not None and _has(found.item, rest)
