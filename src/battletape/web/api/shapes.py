"""What the API gives back: each reply says in `kind` what it is."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from battletape.views.advice import AdviceView
from battletape.views.answer import AnswerView
from battletape.views.catalogue import FieldView
from battletape.views.pending_question import NeedView
from battletape.views.roll import RollView
from battletape.views.whatif import WhatIf


class Odds(Struct, frozen=True, tag_field="kind", tag="odds"):
    """A question worked out; `address` is its page."""

    address: str
    answer: AnswerView


class Roll(Struct, frozen=True, tag_field="kind", tag="roll"):
    """One result; `answers` are the texts that give it again."""

    address: str
    roll: RollView
    answers: tuple[str, ...]


class Need(Struct, frozen=True, tag_field="kind", tag="need"):
    """The rules ask for dice or a decision: send the request again with one more `answer`."""

    address: str
    need: NeedView
    answers: tuple[str, ...]


class Advice(Struct, frozen=True, tag_field="kind", tag="advice"):
    """The best decisions for a goal."""

    address: str
    advice: AdviceView


class Figures(Struct, frozen=True, tag_field="kind", tag="whatif"):
    """What the answer would become with each alternative; without text or reason there was no time for it."""

    address: str
    figures: tuple[WhatIf, ...]


class MeasureShape(Struct, frozen=True):
    """What is measured."""

    name: str
    title: str
    unit: str


class QuestionShape(Struct, frozen=True):
    """A question: what it takes, what it measures, an example, and the JSON Schema of its inputs."""

    ruleset: str
    name: str
    title: str
    measures: tuple[MeasureShape, ...]
    inputs: tuple[FieldView, ...]
    rulings: tuple[FieldView, ...]
    presets: tuple[str, ...]
    example: dict[str, Any]
    schema: dict[str, Any]
    address: str


class DiceForm(Struct, frozen=True):
    """A way to write dice, and what it means."""

    dice: str
    means: str


class DiceShape(Struct, frozen=True):
    """What dice may be asked about; `address` is the page of the calculator."""

    address: str
    forms: tuple[DiceForm, ...]
    examples: tuple[str, ...]


class Problem(Struct, frozen=True, omit_defaults=True):
    """What was asked, what came and what would do, in a sentence; `field` names the input it is about."""

    type: str
    title: str
    status: int
    detail: str
    field: str = ""
    nearest: str = ""
    clause: str = ""


Reply = Odds | Roll | Need | Advice | Figures
