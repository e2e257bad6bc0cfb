"""Dice: ordinary ones, the Artillery dice, the Scatter dice and the Sustained Fire dice."""

from __future__ import annotations

from functools import lru_cache

from battletape.rulebook import BadInput, Die, Reading, cites, clause, dice, special

MISFIRE, ARROW, HIT, JAM = "misfire", "arrow", "hit", "jam"

ARTILLERY = special("Artillery die", (2, 4, 6, 8, 10, MISFIRE))
SCATTER = special("Scatter die", (ARROW, ARROW, ARROW, ARROW, HIT, HIT))
SUSTAINED = special("Sustained Fire die", (1, 1, 2, 2, 3, JAM))

for _die, _clause in (("ARTILLERY", "SE-4"), ("SCATTER", "SE-5"), ("SUSTAINED", "SE-7")):
    cites(_clause, where=f"{__name__}.{_die}")


@clause("SE-3", "SE-22")
def damage_dice(text: str) -> Die:
    """Return the dice of a Damage characteristic: a number, or a sum of dice such as D3, D4 or 2D6."""
    die = dice(text)
    if min(die.faces) < 0:
        raise BadInput.of("damage", f"must be a number or dice such as D4, never below 0; got {text!r}")
    return die


@lru_cache(512)
def wounds_up_to(most: int) -> Reading:
    """Read the number rolled, up to the wounds that are left."""
    return Reading(lambda value: min(value, most), "", made=(wounds_up_to, most))


@lru_cache(512)
def half_wounds_up_to(most: int) -> Reading:
    """Read a D6 as a D3: half of it, rounding up, up to the wounds that are left."""
    return Reading(lambda value: min((value + 1) // 2, most), "", made=(half_wounds_up_to, most))
