"""What the book leaves open, as the players agree on it."""

from __future__ import annotations

from typing import Annotated, Literal

from battletape.cards import Inputs
from battletape.rulebook import Meta

AGAIN = {"always": "every 3 is rolled again", "once": "only the first die may be rolled again"}
NERVE = {"any": "after any loss", "last": "only when one wound is left"}


class Rulings(Inputs, frozen=True):
    """The rulings of the toy."""

    again: Annotated[
        Literal["always", "once"],
        Meta(title="Threes are rolled again", extra={"clause": "TOY-7", "alternatives": AGAIN}),
    ] = "always"
    nerve_test: Annotated[
        Literal["any", "last"],
        Meta(title="When nerve is tested", extra={"clause": "TOY-8", "alternatives": NERVE}),
    ] = "any"
