"""The README of the system names every question and every ruling as it is, and its examples are true."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from battletape import ruleset
from battletape.inputs import Field, fields
from battletape.rulesets.second_edition.rulings import PRESETS, Rulings

SYSTEM = ruleset("second_edition")
TEXT = (files("battletape.rulesets.second_edition") / "README.md").read_text(encoding="utf-8")
ROWS = {line.split("`")[1]: line for line in TEXT.splitlines() if line.startswith("| `")}


@pytest.mark.parametrize("ruling", fields(Rulings), ids=lambda ruling: ruling.name)
def test_a_ruling_is_told_as_it_is(ruling: Field):
    name, clause, default, others = (cell.strip() for cell in ROWS[ruling.name].strip("|").split(" | "))
    means = dict(ruling.alternatives)
    assert name == f"`{ruling.name}`: {ruling.title}"
    assert clause == ruling.clause
    assert default == f"`{ruling.default}` ({means.pop(ruling.default)})"
    assert others == "; ".join(f"`{value}` ({told})" for value, told in means.items())


def test_every_question_and_every_preset_is_listed():
    assert {question.name for question in SYSTEM.questions} <= set(ROWS)
    assert all(f'`preset="{preset}"`' in TEXT for preset in PRESETS)


def test_the_examples_are_true():
    examples = re.findall(r"^print\((game\.ask.*)\)\n# (.*)$", TEXT, re.MULTILINE)
    assert len(examples) == 3
    for asked, answer in examples:
        assert str(eval(asked, {"game": SYSTEM})) == answer


@pytest.mark.clause("SE-1")
def test_it_says_that_it_is_unofficial():
    assert "Unofficial: nobody who publishes the game made or checked this." in " ".join(TEXT.split())
