"""A wrong option beside a named profile is told in a sentence, at the terminal as in the library."""

from __future__ import annotations

from typing import Any

import click
import pytest

from battletape import registry
from battletape.cli.asking import QuestionCommand, Verb, common_options
from battletape.conformance.wrong_values import DUNDER, WORDS, no_text_as_a_name, trouble, wrong
from battletape.system import Question, Ruleset


def taken(ruleset: Ruleset, question: Question, given: dict[str, Any], own: dict[str, Any]) -> None:
    """What every command does first with what was typed."""
    inputs, rulings = ruleset.split(question, given)
    question.begin(inputs, rulings)


READING = Verb(lambda ruleset, question: common_options(ruleset), taken)


@pytest.mark.parametrize("ruleset", [registry.ruleset(name) for name in registry.OURS], ids=registry.OURS)
def test_every_wrong_option_beside_a_profile_is_told_in_a_sentence(ruleset: Ruleset, capsys) -> None:
    problems, tried = [], 0
    with no_text_as_a_name(*DUNDER):
        for question in ruleset.questions:
            command = QuestionCommand(ruleset, question, READING, click.Context(click.Command("odds")))
            for case in wrong(ruleset, question, WORDS, each=1, choices=2, names=1):
                assert case.texts is not None
                options = [f"--{name.replace('_', '-')}={text}" for name, text in case.texts.items()]
                tried += 1

                def asked(command: click.Command = command, options: list[str] = options) -> str:
                    try:
                        command.main(options, standalone_mode=False)
                    except click.ClickException as error:
                        return error.format_message()
                    return capsys.readouterr().err or "it is read"

                if told := trouble(asked):
                    problems.append(f"{case}: {told}")
    assert problems == []
    assert tried > 50
