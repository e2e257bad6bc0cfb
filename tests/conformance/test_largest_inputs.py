"""The largest inputs that each question accepts: its budget of seconds is kept, and what is cut is told."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from battletape import registry
from battletape.answer import NOTHING, Answer, ask
from battletape.errors import BadInput, BattletapeError, Refused
from battletape.inputs import MOST_ENTRIES, Field, fields
from battletape.system import Question, Ruleset
from battletape.tape import budget as budgets
from battletape.tape import plans
from battletape.tape.budget import Budget
from battletape.views.answer import answer_view
from battletape.web.charts import BARS

SECONDS = 0.05
SLACK = 0.2
"""How much later than its budget an answer may be there, with its sentence, its JSON and its HTML."""
CALL = 1e-7
"""A call of a function, or its return, counts as so many seconds, which is about what it takes."""
CORNERS = ((1.0, 12), (1.0, MOST_ENTRIES), (0.6, 12), (0.3, MOST_ENTRIES))
"""How large a share of the inputs is as large as can be, and how many entries their lists have."""
ENTRIES = 1_000
"""Lists in lists have no more entries together than this, or reading them would be what takes the time."""
DICE = ("9d10+9", "40d6", "2d100")
"""Dice that are text, from which the largest that fits is taken."""
QUESTIONS = [(card, question) for card in map(registry.ruleset, registry.names()) for question in card.questions]


def largest(field: Field, card: Ruleset, luck: random.Random, many: int) -> Iterator[Any]:
    """Values of an input that mean most work, the largest first."""
    if field.kind in ("whole", "number"):
        yield from (value for value in (field.high, field.low) if value is not None)
    elif field.kind in ("choice", "yes_no"):
        options = list(field.choices) or [True, False]
        luck.shuffle(options)
        yield from options
    elif field.kind == "whole_list":
        yield [field.high or 1] * many
    elif field.item is not None:
        inside = min(many, ENTRIES // many)
        entry = {inner.name: next(largest(inner, card, luck, inside), inner.default) for inner in fields(field.item)}
        yield [entry] * many
        yield [entry] * 2
    else:
        names = [name for name, _ in field.known]
        names += sorted(
            card.book.entries.get(field.profile, {}), key=lambda name: -heaviness(card, field.profile, name)
        )
        if "damage" in field.name:
            yield from DICE
        elif field.kind == "names":
            yield from (names, names[:2])
        else:
            yield from names[:3]


def heaviness(card: Ruleset, kind: str, name: str) -> int:
    """How much is written in a profile."""
    return len(repr(card.book.entries[kind][name]))


def corners(card: Ruleset, question: Question) -> Iterator[dict[str, Any]]:
    """The example with all inputs as large as they are accepted together; and with only some of them so."""
    for share, many in CORNERS:
        luck = random.Random(f"{question.name} {share}")
        given = dict(question.example)
        chosen = [field for field in fields(question.inputs) if luck.random() < share]
        luck.shuffle(chosen)
        for field in chosen:
            for value in largest(field, card, luck, many):
                if is_accepted(card, question, {**given, field.name: value}):
                    given[field.name] = value
                    break
        yield given


def is_accepted(card: Ruleset, question: Question, given: dict[str, Any]) -> bool:
    try:
        question.begin(*card.split(question, given))
    except BattletapeError:
        return False
    return True


def told(answer: Answer) -> None:
    """Everything that is worked out after the odds to show them: sentences, steps, table, bars, text and HTML."""
    if not answer.states.weights:
        assert answer.is_cut
        assert str(answer) == NOTHING
        return
    view = answer_view(answer, most=BARS)
    assert view.headline == str(answer)
    assert view.steps or not answer.steps
    assert answer._repr_html_()
    if answer.states.unexplored >= budgets.NEGLIGIBLE:
        assert answer.is_cut
        assert answer.caveat in view.headline


@pytest.mark.parametrize(
    ("card", "question"), QUESTIONS, ids=[f"{card.name}-{asked.name}" for card, asked in QUESTIONS]
)
def test_the_largest_inputs_keep_the_budget(card, question, monkeypatch):
    clock = WorkClock()
    for module in (budgets, plans):
        monkeypatch.setattr(module, "monotonic", clock.now)
    monkeypatch.setattr("battletape.answer.perf_counter", clock.now)
    told(ask(card, question, question.example))  # imports and tables are no part of it
    for given in corners(card, question):
        card.memo.clear()
        began = clock.now()
        with clock, suppress(BadInput, Refused):  # some refusals are the rules' own
            told(ask(card, question, given, budget=Budget(seconds=SECONDS, states=20_000)))
        assert clock.now() - began <= SECONDS + SLACK, given


class WorkClock:
    """A clock that goes by the work that is done while it runs, so that no machine is too slow or too busy for it."""

    def __init__(self) -> None:
        self.calls = 0

    def now(self) -> float:
        """The seconds that the work would have taken."""
        return self.calls * CALL

    def _tick(self, _frame: object, _event: str, _arg: object) -> None:
        self.calls += 1

    def __enter__(self) -> None:
        sys.setprofile(self._tick)

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)
