"""What holds for several questions: examples, words, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.inputs import fields
from battletape.rulesets.vehicles5.questions import QUESTIONS
from battletape.words import capital, inches, listed, plain, plural
from tests.vehicles5.asking import RULES


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_example_is_answered_rolled_and_told(question: Any) -> None:
    answer = RULES.ask(question.name, **question.example)
    assert answer.headline.endswith(".")
    assert sum(answer.states.fractions().values()) == 1
    assert all(step.title and step.clauses for step in answer.steps)
    for seed in range(6):
        roll = RULES.roll(question.name, seed=seed, **question.example)
        assert {measure.name for measure in question.measures} == set(roll.results)
        assert roll.state in answer.states.fractions()
        assert all(line.text and line.clauses for line in roll.log)


def test_small_turns_of_phrase() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert (plural(1, "model"), plural(2, "model")) == ("1 model", "2 models")
    assert (inches(1), inches(4.5)) == ("1 inch", "4.5 inches")
    assert (plain("flat_out"), capital("flat out")) == ("flat out", "Flat out")


def test_names_keep_their_capitals() -> None:
    said = str(RULES.roll("tank_shock", units=[{"unit": "Ninth Bridge sappers", "tries": "always"}], seed=2))
    assert "Ninth Bridge sappers: " in said
    assert "Ninth bridge" not in said
    assert "sappers falls" not in said
    assert "sappers loses" not in said


@pytest.mark.parametrize("question", RULES.questions, ids=lambda one: one.name)
def test_rulings_that_are_not_shown_change_nothing(question: Any) -> None:
    assert question.rulings is not None
    known = {one.name: one for one in fields(RULES.rulings)}
    assert set(question.rulings) <= set(known)
    plain = RULES.ask(question.name, **question.example)
    for name in set(known) - set(question.rulings):
        for value in (value for value, _ in known[name].alternatives):
            other = RULES.ask(question.name, **question.example, **{name: value})
            for measure in question.measures:
                assert other.odds(measure.name) == plain.odds(measure.name), (name, value)
