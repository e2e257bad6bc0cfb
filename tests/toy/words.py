"""The sentences people read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from battletape.cards import Line, percent
from battletape.rulebook import Stage
from tests.toy.attack import Shot

if TYPE_CHECKING:
    from battletape.answer import Answer


def headline(answer: Answer) -> str:
    """The answer in one sentence."""
    lost, down = answer.odds("lost"), answer.odds("fallen")
    return f"{float(lost.mean):.1f} wounds are lost on average; {percent(down.chance(True))} that the target falls."


def narrate(stage: Stage, before: Shot, after: Shot) -> Iterator[Line]:
    """What a stage did beyond its dice."""
    if after.lost > before.lost:
        text = f"Wounds lost: {after.lost - before.lost}, left: {after.wounds}."
        yield Line(text, ("TOY-7",), result=f"{after.wounds} left")
    if after.pinned and not before.pinned:
        yield Line("The target is pinned.", ("TOY-5",), result="pinned")
