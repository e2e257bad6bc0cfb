"""A name that is matched loosely is told at every door: to programs, in the terminal, on the page and in JSON."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import battletape as bt
from battletape.answer import ask, roll
from battletape.errors import BattletapeError
from battletape.inputs import fields
from battletape.registry import OURS
from battletape.system import Question, Ruleset
from battletape.views.answer import answer_view
from battletape.views.short_inputs import understood

QUESTIONS = [(bt.ruleset(name), question) for name in OURS for question in bt.ruleset(name).questions]


def loosely(card: Ruleset, question: Question) -> tuple[dict[str, Any], str, str] | None:
    """The example with the last letter of a name left out, that name, and what it still means."""
    given = dict(question.example)
    for field in fields(question.inputs):
        name = given.get(field.name)
        if field.takes_profile and isinstance(name, str) and len(name) > 5:
            typed = name.rstrip(")")[:-1]
            said = {**given, field.name: typed}
            try:
                inputs, _ = card.split(question, said)
            except BattletapeError:
                continue
            if getattr(inputs, field.name) == name:
                return said, typed, name
    return None


FOUND = [(card, question, found) for card, question in QUESTIONS if (found := loosely(card, question))]


def test_there_are_such_names_in_every_ruleset_with_profiles_in_its_questions():
    assert {card.name for card, _, _ in FOUND} >= {"deathwatch", "second_edition", "vehicles5", "attack_dice"}


@pytest.mark.parametrize(("card", "question", "found"), FOUND, ids=[f"{c.name}-{q.name}" for c, q, _ in FOUND])
def test_a_name_that_is_matched_loosely_is_noted(card: Ruleset, question: Question, found: Any):
    given, typed, name = found
    told = f"“{typed}” is read as {name}."
    answer = ask(card, question, given, budget=bt.Budget(branches=20_000))
    assert told in answer.understood
    assert str(answer).startswith(told)
    assert told in answer.to_dict()["understood"]
    assert told in answer._repr_html_()
    assert told in answer_view(answer).understood
    assert told in understood(card, question, given)
    assert pickle.loads(pickle.dumps(answer)).understood == answer.understood
    rolled = roll(card, question, given, seed=1)
    assert told in rolled.understood
    assert str(rolled).startswith(told)


def test_names_as_they_are_written_and_other_capitals_are_no_news():
    card = bt.ruleset("deathwatch")
    for name in ("Astartes Flamer", "astartes flamer"):
        answer = card.ask("shoot", weapon=name, distance=10)
        assert answer.understood == ()
        assert str(answer) == answer.headline


def test_an_empty_name_is_not_noted():
    answer = bt.ruleset("deathwatch").ask("horde", attack="melee", weapon="")
    assert answer.understood == ()
