"""The printed tables."""

from __future__ import annotations

from battletape.cards import Table
from battletape.rulebook import cites

HIT_ON = (  # paces, number to hit
    (range(0, 4), 3),
    (range(4, 9), 4),
    (range(9, 13), 5),
)
cites("TOY-2", where="tests.toy.tables.HIT_ON")

SMOKE_ARC = 40  # degrees to either side of the shot in which smoke covers the target


def tables() -> tuple[Table, ...]:
    """Every table of the book."""
    rows = tuple((f"{paces[0]}-{paces[-1]}", f"{number}+") for paces, number in HIT_ON)
    return (Table("To hit", ("paces", "needs"), rows, "TOY-2"),)
