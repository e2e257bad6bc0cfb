"""Errors in the words of a page, which calls an input by its title, not by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battletape import registry
from battletape.errors import BattletapeError, Called, UnknownName, own_name
from battletape.inputs import fields
from battletape.system import Question, Ruleset


def titles_for(given: Mapping[str, Any]) -> Called:
    """Return how a page calls the inputs of the question that a job names, if it names one."""
    try:
        card = registry.ruleset(given["ruleset"])
        return titles(card, card.question(given["question"]))
    except (KeyError, UnknownName):
        return own_name


def in_titles(error: BattletapeError, card: Ruleset, question: Question) -> str:
    """Return an error about a question, with titles in place of the names of its inputs and rulings."""
    return error.sentence(titles(card, question))


def titles(card: Ruleset, question: Question) -> Called:
    """Return how a page calls an input or a ruling: by its title; what has none keeps its name."""

    def called(lists: tuple[str, ...], name: str) -> str:
        homes = [question.inputs, card.rulings]
        for above in lists:
            homes = [field.item for home in homes for field in fields(home) if field.name == above and field.item]
        field = next((field for home in homes for field in fields(home) if field.name == name), None)
        return f"“{field.heading}”" if field is not None else name

    return called
