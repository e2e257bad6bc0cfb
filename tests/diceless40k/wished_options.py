"""A tape on which every choice takes its first option, or a wish where it is one; unwished tokens are kept."""

from __future__ import annotations

from typing import Any

from battletape.tape.path import Path
from battletape.tape.question import Ask


class WishedOptions(Path):
    """Each choice takes the first of the wishes that is among its options, or else its first option.

    Tokens that nobody wishes to play are kept, so that a test of something else need not speak of them.
    """

    def __init__(self, *wishes: Any) -> None:
        super().__init__()
        self.wishes = wishes

    def answer(self, ask: Ask) -> Any:
        """The option taken."""
        options = tuple(ask.options)
        kept = (0, "keep") if "token" in ask.label else ()
        return next((wish for wish in (*self.wishes, *kept) if wish in options), options[0])
