"""Errors in the words of a page, which calls an input by its title, not by its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from battletape import registry
from battletape.errors import BattletapeError, Called, UnknownName, own_name
from battletape.inputs import fields
from battletape.system import Question, Ruleset

SIDE = 2
"""Titles such as “B: Toughness” begin with a side; in others an example follows the colon."""
CLAUSE = re.compile(r"[A-Z][A-Z0-9]*-[\w-]+(?:\.\w+)*")
CITED = re.compile(rf" \(({CLAUSE.pattern}[\w.,/ -]*)\)\.?$")
"""Clauses at the end of a sentence."""


def titles_for(given: Mapping[str, Any]) -> Called:
    """How a page calls the inputs of the question that a job names, if it names one."""
    try:
        card = registry.ruleset(given["ruleset"])
        return titles(card, card.question(given["question"]))
    except (KeyError, UnknownName):
        return own_name


def in_titles(error: BattletapeError, card: Ruleset, question: Question) -> str:
    """An error about a question, with titles in place of the names of its inputs and rulings."""
    return error.told(titles(card, question))


def titles(card: Ruleset, question: Question) -> Called:
    """How a page calls an input or a ruling: by its title; what has none keeps its name."""

    def called(lists: tuple[str, ...], name: str) -> str:
        homes = [question.inputs, card.rulings]
        for above in lists:
            homes = [field.item for home in homes for field in fields(home) if field.name == above and field.item]
        field = next((field for home in homes for field in fields(home) if field.name == name), None)
        return f"“{_short(field.title)}”" if field is not None else name

    return called


def without_clause(sentence: str) -> tuple[str, tuple[str, ...]]:
    """A sentence without the clauses that it cites at its end, and those: players find them behind a §.

    >>> without_clause("It fires nothing this turn (V5-SMOKE-2).")
    ('It fires nothing this turn', ('V5-SMOKE-2',))
    """
    match = CITED.search(sentence)
    return (sentence[: match.start()], tuple(CLAUSE.findall(match[1]))) if match else (sentence, ())


def _short(title: str) -> str:
    """A title without the example after its colon; the side in front of one stays."""
    head, _, rest = title.partition(":")
    return head if len(head) > SIDE else f"{head}:{rest}".rstrip(":")
