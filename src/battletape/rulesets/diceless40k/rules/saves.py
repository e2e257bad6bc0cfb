"""Saves: Table 1 with hundreds and remainder, which save is used, re-rolls as shifts of the column, feel no pain."""

from __future__ import annotations

from typing import Literal, TypeAlias

from battletape.rulebook import BadInput, clause
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.rulesets.diceless40k.tables.sheet import COLUMNS, SAVES

SaveKind: TypeAlias = Literal["armour", "cover", "invulnerable", "none"]
Column: TypeAlias = Literal["2+ halved", "2+", "3+", "4+", "5+", "6+", "none"]
"""A column of Table 1, or no save at all."""
LADDER: tuple[Column, ...] = ("2+ halved", "2+", "3+", "4+", "5+", "6+", "none")

HUNDRED = 100


def _read(text: str) -> dict[int, dict[int, int]]:
    """Return the printed table by save and DMG; no DMG costs nothing."""
    cells: dict[int, dict[int, int]] = {save: {0: 0} for save in COLUMNS}
    for line in text.strip().splitlines()[1:]:
        for block in line.split("|"):
            dmg, *row = map(int, block.split())
            for save, hp in zip(COLUMNS, row, strict=True):
                cells[save][dmg] = hp
    return cells


TABLE = _read(SAVES)


@clause("DL-20.1", "DL-20.3", "DL-20.4", "DL-T1", "DL-20.2")
def look_up(dmg: int, save: int | None) -> int:
    """Return the HP lost by DMG under a save: the row for 100 as often as it fits, and the row for the rest."""
    if dmg < 0:
        raise BadInput(f"DMG is 0 or more; got {dmg}", clause="DL-20.1")
    if save is None:
        return dmg
    if save not in TABLE:
        raise BadInput(f"a save is one of 2+ to 6+, or none; got {save}+", clause="DL-20.1")
    hundreds, rest = divmod(dmg, HUNDRED)
    column = TABLE[save]
    return hundreds * column[HUNDRED] + column[rest]


@clause("DL-20.5", "DL-20.6")
def column_of(
    save: int | None,
    reroll_failed: bool = False,
    reroll_successful: bool = False,
    worse: int = 0,
    rulings: Rulings = DEFAULT,
) -> Column:
    """Return the column that a save reads: one better or worse for a re-roll, and so many worse for other rules."""
    if save is None:
        return "none"
    if not 2 <= save <= 6:
        raise BadInput(f"a save is one of 2+ to 6+, or none; got {save}+", clause="DL-20.1")
    if reroll_failed and reroll_successful:
        reroll_failed, reroll_successful = False, rulings.save_shifts == "worse"
    number = max(2, save + worse)  # what makes a 2+ better still is a re-roll and nothing else
    if number > 6:
        return "none"
    index = LADDER.index(f"{number}+")
    return LADDER[index - 1 if reroll_failed else index + 1 if reroll_successful else index]


@clause("DL-20.1", "DL-20.5")
def read_column(dmg: int, column: Column) -> int:
    """Return the HP lost by DMG under a column of Table 1; of a 2+ that is rolled again half, rounded up."""
    if column == "none":
        return look_up(dmg, None)
    hp = look_up(dmg, int(column[0]))
    return halved(hp) if column == "2+ halved" else hp


@clause("DL-75.1", "DL-20.5")
def halved(points: int) -> int:
    """Return half of some points, rounded up."""
    return (points + 1) // 2


@clause("DL-20.1")
def cover_of(cover: int | None, gone_to_ground: bool = False) -> int | None:
    """Return the cover save: one better for a unit that has gone to ground, and 6+ for it in the open."""
    if not gone_to_ground:
        return cover
    return 6 if cover is None else max(2, cover - 1)


@clause("DL-20.1")
def allowed_saves(
    ap: int | None,
    armour: int | None,
    cover: int | None = None,
    invulnerable: int | None = None,
    assault: bool = False,
    ignores_armour: bool = False,
    ignores_cover: bool = False,
) -> tuple[tuple[SaveKind, int], ...]:
    """Return the saves that help, the best first: armour unless the AP cancels it, cover from shooting."""
    saves: list[tuple[SaveKind, int]] = []
    if armour is not None and not ignores_armour and (ap is None or ap > armour):
        saves.append(("armour", armour))
    if cover is not None and not assault and not ignores_cover:
        saves.append(("cover", cover))
    if invulnerable is not None:
        saves.append(("invulnerable", invulnerable))
    return tuple(sorted(saves, key=lambda save: save[1]))


@clause("DL-75.1")
def feels_no_pain(ap: int | None, strength: int, toughness: int, ignores_armour: bool = False) -> bool:
    """Return whether feel no pain helps: not against AP1, AP2, twice the Toughness, or weapons that ignore armour."""
    return not (ap in (1, 2) or strength >= 2 * toughness or ignores_armour)
