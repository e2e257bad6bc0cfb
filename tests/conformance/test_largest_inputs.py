"""The largest inputs that each question accepts: its budget of seconds is kept, and what is cut is told."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from battletape import registry
from battletape.answer import NOTHING, Answer, ask
from battletape.errors import BadInput, BattletapeError, Refused
from battletape.inputs import MOST_ENTRIES, Field, fields
from battletape.rulesets.diceless40k.questions.focus import _after
from battletape.system import Question, Ruleset
from battletape.tape import limits, plans
from battletape.tape.limits import Budget
from battletape.views.answer import answer_view
from battletape.web.charts import BARS

SECONDS = 0.05
SLACK = 0.2
"""How much later than its budget an answer may be there, with its sentence, its JSON and its HTML."""
TRIES = 3
"""A machine whose processors are shared may be slow for a moment, even by the time of the process."""
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
    if answer.states.unexplored >= limits.NEGLIGIBLE:
        assert answer.is_cut
        assert answer.caveat in view.headline


@pytest.mark.parametrize(
    ("card", "question"), QUESTIONS, ids=[f"{card.name}-{asked.name}" for card, asked in QUESTIONS]
)
def test_the_largest_inputs_keep_the_budget(card, question, monkeypatch):
    count_processor_time(monkeypatch)
    told(ask(card, question, question.example))  # imports and tables are no part of it
    for given in corners(card, question):
        tries = (seconds_of(card, question, given) for _ in range(TRIES))
        assert any(took <= SECONDS + SLACK for took in tries), given


HARD = {
    ("attack_dice", "attack"): {  # so many dice that every weight has ten thousand digits
        "attacks": 1_000, "others": [1_000] * 6, "models": 7, "unit": "Hill raiders", "weapon": "Storm carbine",
        "ap": 6, "aegis": 2, "bearers": 1, "power_bonus": 100,
    },
    ("diceless40k", "focus"): {  # 4,096 plans, of which the table shows the best
        "shooters": [{"name": f"Squad {at}", "models": 10} for at in range(12)],
        "targets": [{"name": "Near", "av": 14, "weapons": 12}, {"name": "Far", "models": 200}],
    },
}  # fmt: skip
"""What was found to overrun its budget where the corners did not."""


@pytest.mark.parametrize("seconds", [SECONDS, 0.2, 0.4])
@pytest.mark.parametrize(("ruleset", "name"), HARD)
def test_the_largest_inputs_that_overran_once_stop_within_the_budget(ruleset, name, seconds, monkeypatch):
    card = registry.ruleset(ruleset)
    question = card.question(name)
    count_processor_time(monkeypatch)
    told(ask(card, question, question.example))
    tries = (seconds_of(card, question, HARD[ruleset, name], seconds) for _ in range(TRIES))
    assert any(took <= seconds + SLACK for took in tries)


def count_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the time of this process, for the budget as for the test, so that a busy machine makes no difference."""
    for module in (limits, plans):
        monkeypatch.setattr(module, "monotonic", time.process_time)
    monkeypatch.setattr("battletape.answer.perf_counter", time.process_time)


def seconds_of(card: Ruleset, question: Question, given: dict[str, Any], seconds: float = SECONDS) -> float:
    """How long an answer takes in all, with nothing known before."""
    card.memo.clear()
    _after.cache_clear()
    began = time.process_time()
    with suppress(BadInput, Refused):  # some refusals are the rules' own
        told(ask(card, question, given, budget=Budget(seconds=seconds, states=20_000)))
    return time.process_time() - began
