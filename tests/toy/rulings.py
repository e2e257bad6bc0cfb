"""What the book leaves open, as the players agree on it; `rulings.toml` tells what each of them means."""

from __future__ import annotations

from typing import Literal

from battletape.cards import Inputs, read_rulings


class Rulings(Inputs, frozen=True, said=read_rulings(__package__)):
    """The rulings of the toy."""

    again: Literal["always", "once"] = "always"
    nerve_test: Literal["any", "last"] = "any"
