"""Errors in the words of a page, which calls an input by its title, not by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from battletape import registry
from battletape.errors import UnknownName
from battletape.inputs import Inputs, fields
from battletape.system import Question, Ruleset

SIDE = 2
"""Titles such as “B: Toughness” begin with a side; in others an example follows the colon."""
NAME = re.compile(r"(?<![\w=./-])[a-z]+\d?(?:_[a-z0-9]+)+(?![\w=])")
"""A name of several words, such as line_of_sight, but not inside an address or an assignment."""
SUBJECT = re.compile(r"(?m)(?:^|(?<=\d: ))[a-z]+\d?(?= (?:must|needs|may|wants) )")
"""A name of one word counts only at the start of a sentence, also after an entry (“guns 2: …”)."""
UNKNOWN = re.compile(r"\w+ has no input ")
"""Such a name came from an address, which uses names and not titles."""
CLAUSE = re.compile(r"[A-Z][A-Z0-9]*-[\w-]+(?:\.\w+)*")
CITED = re.compile(rf" \(({CLAUSE.pattern}[\w.,/ -]*)\)\.?$")
"""Clauses at the end of a sentence."""


def about_job(sentence: str, given: Mapping[str, Any]) -> str:
    """A sentence about the question that a job names, if it names one."""
    try:
        card = registry.ruleset(given["ruleset"])
        return in_titles(sentence, card, card.question(given["question"]))
    except (KeyError, UnknownName):
        return sentence


def in_titles(sentence: str, card: Ruleset, question: Question) -> str:
    """A sentence about a question, with titles in place of the names of its inputs and rulings."""
    if UNKNOWN.search(sentence):
        return sentence.partition(" It takes ")[0]  # the names of all inputs are for programs
    titles = dict((*_titles(card.rulings), *_titles(question.inputs)))

    def title(match: re.Match[str]) -> str:
        return f"“{titles[match[0]]}”" if match[0] in titles else match[0]

    return NAME.sub(title, SUBJECT.sub(title, sentence))


def without_clause(sentence: str) -> tuple[str, tuple[str, ...]]:
    """A sentence without the clauses that it cites at its end, and those: players find them behind a §.

    >>> without_clause("It fires nothing this turn (V5-SMOKE-2).")
    ('It fires nothing this turn', ('V5-SMOKE-2',))
    """
    match = CITED.search(sentence)
    return (sentence[: match.start()], tuple(CLAUSE.findall(match[1]))) if match else (sentence, ())


def _titles(inputs: type[Inputs]) -> Iterator[tuple[str, str]]:
    for field in fields(inputs):
        if field.item is not None:
            yield from _titles(field.item)
        head, _, rest = field.title.partition(":")
        yield field.name, head if len(head) > SIDE else f"{head}:{rest}".rstrip(":")
