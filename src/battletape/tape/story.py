"""The story: what rules say while they are played; it is put into words when it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.words import labelled, name_and_what


class Line(Struct, frozen=True):
    """One line of a log: a sentence, and its parts for tables."""

    text: str
    clauses: tuple[str, ...] = ()
    stage: str = ""
    question: str = ""
    needed: str = ""
    rolled: str = ""
    result: str = ""
    cites: tuple[str, ...] = ()  # further clauses, which stand in brackets at the end of the text


Wording: TypeAlias = str | Line | Iterable[Line] | None
Sentence: TypeAlias = str | Line | Callable[..., Wording]
"""A text with places for what is told, “{} of {} hit”; a line; or a function that gives a text or lines, or nothing."""


class StoryEntry(NamedTuple):
    """What a rule said: in which stage, after how many answers, the sentence and what it is made of."""

    stage: int
    at: int
    sentence: Sentence | tuple[Line, ...]
    args: tuple[Any, ...] = ()
    named: Mapping[str, Any] = {}
    clauses: tuple[str, ...] = ()
    about: str = ""

    def lines(self) -> Iterator[Line]:
        """Yield it in words; a line without a clause cites the rule that said it."""
        return (replace(line, text=str(labelled(self.about, line.text))) for line in self.bare_lines())

    def bare_lines(self) -> Iterator[Line]:
        """Yield its lines without the name of what it is about."""
        sentence = self.sentence
        spoken: Wording
        if isinstance(sentence, str):
            spoken = sentence.format(*self.args, **self.named) if self.args or self.named else sentence
        elif isinstance(sentence, Line | tuple):
            spoken = sentence
        else:
            spoken = sentence(*self.args, **self.named)
        if spoken is None:
            return
        for line in (Line(spoken),) if isinstance(spoken, str) else (spoken,) if isinstance(spoken, Line) else spoken:
            name, what = name_and_what(line.text)
            text = what if name == self.about else str(line.text)
            yield replace(line, text=text, clauses=line.clauses or self.clauses)
