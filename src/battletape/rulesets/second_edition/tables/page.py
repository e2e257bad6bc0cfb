"""The tables of the page, written as they are printed."""

from __future__ import annotations

from battletape.rulebook import cites

WOUND_CHART = """
S/T  1 2 3 4 5 6 7 8 9 10
1    4 5 6 6 - - - - - -
2    3 4 5 6 6 - - - - -
3    2 3 4 5 6 6 - - - -
4    2 2 3 4 5 6 6 - - -
5    2 2 2 3 4 5 6 6 - -
6    2 2 2 2 3 4 5 6 6 -
7    2 2 2 2 2 3 4 5 6 6
8    2 2 2 2 2 2 3 4 5 6
9    2 2 2 2 2 2 2 3 4 5
10   2 2 2 2 2 2 2 2 3 4
"""
"""Row: Strength of the hit; column: Toughness of the target; a dash cannot wound."""

CHART: dict[tuple[int, int], int | None] = {
    (strength, toughness): None if cell == "-" else int(cell)
    for strength, row in enumerate(WOUND_CHART.strip().split("\n")[1:], 1)
    for toughness, cell in enumerate(row.split()[1:], 1)
}

SECOND_DIE = {7: 4, 8: 5, 9: 6}
"""To Hit scores above 6: a 6, and then this on a second die."""

THROWS = ((1, 4), (2, 6), (3, 8), (4, 10), (5, 12))
"""How far a grenade is thrown: Strength, inches; stronger arms throw no farther."""

SITUATIONS = (
    ("soft cover", -1),
    ("hard cover", -2),
    ("target appears or disappears", -1),
    ("fast target", -1),
    ("charging target", -1),
    ("small target", -1),
    ("large target", 1),
)
"""To Hit modifiers of the base game."""

cites("SE-19", where=f"{__name__}.WOUND_CHART")
cites("SE-15", where=f"{__name__}.SECOND_DIE")
cites("SE-57", where=f"{__name__}.THROWS")
cites("SE-17", where=f"{__name__}.SITUATIONS")
