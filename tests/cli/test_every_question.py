"""Every question of every ruleset, in every form that people and programs read."""

from __future__ import annotations

import csv
import io
import json
import shlex

import pytest

from battletape import registry
from battletape.cli.asking import option_text
from tests.cli.conftest import Bt

EVERY = [f"{name} {one.name}" for name in registry.names() for one in registry.ruleset(name).questions]


def command(asked: str) -> list[str]:
    """Ruleset, question and its own example as options."""
    ruleset, question = asked.split()
    example = registry.ruleset(ruleset).question(question).example
    return [ruleset, question, *shlex.split(option_text(example))]


def names(asked: str) -> list[str]:
    """The usual measures of a question's example."""
    ruleset, question = asked.split()
    card = registry.ruleset(ruleset)
    return [one.name for one in card.ask(question, **card.question(question).example).measures]


@pytest.mark.parametrize("asked", EVERY)
def test_odds_as_json(bt: Bt, asked: str) -> None:
    said = json.loads(bt("odds", *command(asked), "--json").stdout)
    assert f"{said['ruleset']} {said['question']}" == asked
    assert [one["name"] for one in said["measures"]] == names(asked)
    assert all(one["rows"] for one in said["measures"])


@pytest.mark.parametrize("asked", EVERY)
def test_a_roll_as_json(bt: Bt, asked: str) -> None:
    said = json.loads(bt("roll", *command(asked), "--seed", "3", "--json").stdout)
    assert said["seed"] == 3
    told = [one["name"] for one in said["results"]]
    assert [name for name in told if name in names(asked)] == names(asked)
    assert all(one["value"] for one in said["results"] if one["name"] not in names(asked))


@pytest.mark.parametrize("asked", EVERY)
def test_many_rolls_as_json(bt: Bt, asked: str) -> None:
    said = json.loads(bt("roll", *command(asked), "--times", "3", "--seed", "3", "--json").stdout)
    assert said["times"] == 3
    assert [one["name"] for one in said["measures"]] == names(asked)


@pytest.mark.parametrize("asked", EVERY)
def test_every_measure_as_csv(asked: str) -> None:
    ruleset, name = asked.split()
    card = registry.ruleset(ruleset)
    question = card.question(name)
    answer = card.ask(name, measures=[measure.name for measure in question.measures], **question.example)
    for measure in question.measures:
        head, *rows = csv.reader(io.StringIO(answer.odds(measure.name).to_csv(measure.adds_up)))
        assert head == ["value", "exactly", measure.adds_up, "exactly_float", f"{measure.adds_up}_float"]
        assert len(rows) == len(answer.odds(measure.name))


@pytest.mark.parametrize("asked", EVERY)
def test_pages_and_fractions_on_all_of_them(bt: Bt, asked: str) -> None:
    assert bt("odds", *command(asked), "--csv").stdout.startswith("value,exactly,")
    page = bt("odds", *command(asked)).stdout
    fractions = bt("odds", *command(asked), "--fractions").stdout
    start = page.index("\n\n")  # the sentence may say a percentage in both
    if not asked.endswith(" fire_mode"):  # its table is words of the ruleset
        assert " %" not in fractions[start:]
    assert len(fractions) > start


@pytest.mark.parametrize("asked", EVERY)
def test_help_shows_rulings_that_matter(bt: Bt, asked: str) -> None:
    ruleset, name = asked.split()
    card = registry.ruleset(ruleset)
    said = bt("odds", ruleset, name, "--help").stdout
    shown = card.question(name).rulings
    for ruling in card.rulings.__struct_fields__:
        hidden = (
            shown is not None and ruling not in shown and ruling not in card.question(name).inputs.__struct_fields__
        )
        assert (f"--{ruling.replace('_', '-')} " in said) is not hidden
