"""The catalogue to show: rulesets, their questions, and what each question takes."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from battletape.inputs import Field, Inputs, fields
from battletape.system import Question, Ruleset

GROUPS = {
    "attacker": "Attacker",
    "weapon": "Weapon",
    "target": "Target",
    "circumstances": "Circumstances",
}


class QuestionView(Struct, frozen=True):
    """A question a player can ask."""

    name: str
    title: str
    measures: tuple[str, ...]
    example: dict[str, Any]


class RulesetView(Struct, frozen=True):
    """A ruleset on its card."""

    name: str
    title: str
    summary: str
    questions: tuple[QuestionView, ...]
    groups: dict[str, tuple[str, ...]]  # moments of play, each with the names of its questions
    presets: tuple[str, ...]
    battles: bool
    clauses: int
    done: int


class FieldView(Struct, frozen=True):
    """One input of a form: its title, the values it accepts (`wants`) and its default."""

    name: str
    title: str
    description: str
    group: str
    kind: str
    wants: str
    default: str
    choices: tuple[str, ...]
    clause: str
    alternatives: dict[str, str]


def ruleset_view(ruleset: Ruleset) -> RulesetView:
    """Return a ruleset to show."""
    book = ruleset.clauses
    return RulesetView(
        name=ruleset.name,
        title=ruleset.title,
        summary=ruleset.summary,
        questions=tuple(question_view(question) for question in ruleset.questions),
        groups={title: tuple(question.name for question in questions) for title, questions in ruleset.grouped},
        presets=tuple(ruleset.presets),
        battles=ruleset.battle is not None,
        clauses=len(book),
        done=sum(clause.status == "done" for clause in book),
    )


def question_view(question: Question) -> QuestionView:
    """Return a question to show."""
    names = tuple(measure.name for measure in question.measures)
    return QuestionView(question.name, question.title, names, plain_example(question))


def plain_example(question: Question) -> dict[str, Any]:
    """Return the example of a question as JSON values, ready to send."""
    plain: dict[str, Any] = msgspec.to_builtins(question.example, enc_hook=str)
    return plain


def field_views(inputs: type[Inputs], group: str = "") -> tuple[FieldView, ...]:
    """Return the inputs of a type to show, in order."""
    return tuple(field_view(field, group) for field in fields(inputs))


def field_view(field: Field, group: str = "") -> FieldView:
    """Return one input to show."""
    return FieldView(
        name=field.name,
        title=field.title,
        description=field.description,
        group=group or group_title(field),
        kind=field.kind,
        wants=field.wants,
        default=field.show(field.default),
        choices=tuple(map(str, field.choices)),
        clause=field.clause,
        alternatives=dict(field.alternatives),
    )


def group_title(field: Field) -> str:
    """Return the heading a field stands under."""
    return GROUPS.get(field.group, field.group.capitalize() or "Inputs")
