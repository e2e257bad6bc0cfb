"""The sentences people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from battletape.cards import percent

if TYPE_CHECKING:
    from battletape.answer import Answer


def headline(answer: Answer) -> str:
    """The answer in one sentence."""
    lost, down = answer.odds("lost"), answer.odds("fallen")
    return f"{float(lost.mean):.1f} wounds are lost on average; {percent(down.chance(True))} that the target falls."
