"""Typed: a person's answers, as text; a missing one raises NeedAnswer with the whole question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from battletape.errors import BadInput, echo
from battletape.tape.path import Path
from battletape.tape.question import BY_DEFAULT, Ask, has_long_names
from battletape.tape.together import Hand, as_throw, key_of, split_pools

MOST_LEFT = 5  # how many left-over answers are listed


class Typed(Path):
    """The answers typed so far; once the next question is answered, run the rule again with one more."""

    def __init__(self, answers: Sequence[str] = (), then: Path | None = None) -> None:
        super().__init__()
        if isinstance(answers, str) or not isinstance(answers, Iterable):
            raise BadInput(f"typed answers must be a list with a text for each question, got {answers!r}")
        self.answers = tuple(map(str, answers))
        self.used = 0
        self.then = then
        self.hand = Hand()

    def finish(self) -> None:
        """Raise an error if a typed answer was not used."""
        used = self.used
        if used < len(self.answers):
            left = [answer.strip() for answer in self.answers[used:] if answer.strip()]
            listed = "; ".join(
                [*(echo(answer)[1:-1] for answer in left[:MOST_LEFT]), *(["…"] if left[MOST_LEFT:] else [])]
            )
            wanted = "1 answer was needed" if used == 1 else f"{used} answers were needed"
            leftover = f"; left over: {listed}" if listed else ""
            raise BadInput(f"{wanted}, got {len(self.answers)}{leftover}")

    def answer(self, ask: Ask) -> Any:
        """Return the next typed answer, or one from the next tape; if there is none, NeedAnswer.

        For a single die several may be typed, and for a pool several with “|” between them: they were thrown together,
        and the others wait until they are asked for.
        """
        key = key_of(ask, self.stage)
        if self.hand.holds(key):
            return self.hand.take(key)
        if self.used < len(self.answers):
            text = self.answers[self.used]
            if ask.kind == "choose" and text.endswith(BY_DEFAULT) and text not in map(str, ask.options):
                text, self.by_default = text.removesuffix(BY_DEFAULT), True
            answer, *others = read_dice(ask, text)
            self.used += 1
            self.hand.keep(key, others)
            return answer
        return self.follow(ask, self.then)


def read_dice(ask: Ask, text: str) -> list[Any]:
    """Return the answer that a text gives, or several dice for a question that asks for one, or several pools."""
    if ask.kind == "pool":
        return [ask.parse(pool) for pool in split_pools(text)]
    parts = text.split(",") if ask.die and has_long_names(ask.die) else re.split(r"[\s,]+", text.strip())
    count = len([part for part in parts if part.strip()])
    if count < 2 or key_of(ask, 0) is None:
        return [ask.parse(text)]
    return list(as_throw(ask, count).parse(text))
