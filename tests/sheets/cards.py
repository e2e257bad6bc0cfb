"""What stands on the cards of a sheet: the blocks of a kind, those beside each other too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battletape.sheets import Beside, Card, Cards
from battletape.system import Ruleset
from battletape.views.sheets import Source, make_document


def cards_of(ruleset: Ruleset, sheet: str, source: Source) -> tuple[Card, ...]:
    """Return the cards of a sheet that is printed from a source."""
    (part,) = make_document(ruleset, (sheet,), source).parts
    assert isinstance(part, Cards)
    return part.cards


def every_block(card: Card) -> Iterator[Any]:
    """Yield the blocks of a card, and those beside each other one by one."""
    for block in card.blocks:
        yield from (*block.left, *block.right) if isinstance(block, Beside) else (block,)


def blocks(card: Card, kind: type) -> list[Any]:
    """Return the blocks of a kind."""
    return [block for block in every_block(card) if isinstance(block, kind)]
