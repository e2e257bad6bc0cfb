"""Errors in the words of a page: there an input is known by its title, not by the name that programs use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from battletape import registry
from battletape.errors import UnknownName
from battletape.inputs import Inputs, fields
from battletape.system import Question, Ruleset

SIDE = 2
"""Titles such as “B: Toughness” begin with whose it is; others go on after a colon with an example."""
NAME = re.compile(r"(?<![\w=./-])[a-z]+\d?(?:_[a-z0-9]+)+(?![\w=])")
"""A word of several, as names of inputs are; one that is part of an address or an assignment stays as it is."""
SUBJECT = re.compile(r"(?m)(?:^|(?<=\d: ))[a-z]+\d?(?= (?:must|needs|may|wants) )")
"""A name of one word may be any word, but not where a sentence or one about an entry (“guns 2: …”) begins with it."""
UNKNOWN = re.compile(r"\w+ has no input ")
"""Such a name came with an address, where the names count and not the titles."""


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
        return sentence
    titles = dict((*_titles(card.rulings), *_titles(question.inputs)))

    def title(match: re.Match[str]) -> str:
        return f"“{titles[match[0]]}”" if match[0] in titles else match[0]

    return NAME.sub(title, SUBJECT.sub(title, sentence))


def _titles(inputs: type[Inputs]) -> Iterator[tuple[str, str]]:
    for field in fields(inputs):
        if field.item is not None:
            yield from _titles(field.item)
        head, _, rest = field.title.partition(":")
        yield field.name, head if len(head) > SIDE else f"{head}:{rest}".rstrip(":")
