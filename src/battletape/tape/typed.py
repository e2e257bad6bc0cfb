"""Typed: answers of a person, as text; a missing one raises NeedAnswer with the whole question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battletape.tape.path import Path
from battletape.tape.question import Ask, NeedAnswer


class Typed(Path):
    """Uses the answers typed in so far; run the rule again with one more when the next question is answered."""

    def __init__(self, answers: Sequence[str] = (), then: Path | None = None) -> None:
        super().__init__()
        self.answers = tuple(answers)
        self.then = then

    def answer(self, ask: Ask) -> Any:
        """The next typed answer, else one from the tape that follows, else NeedAnswer."""
        at = len(self.trail)
        if at < len(self.answers):
            return ask.parse(self.answers[at])
        if self.then is not None:
            return self.then.answer(ask)
        raise NeedAnswer(ask, self.entries)
