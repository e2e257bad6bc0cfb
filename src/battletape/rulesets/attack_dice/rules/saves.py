"""Armour and AEGIS Saves, and what AP does to them."""

from __future__ import annotations

from battletape.rulebook import D6, Die, Reading, at_least, because, clause
from battletape.rulesets.attack_dice.rules.modifiers import failing_face, ten_sided
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.tables import sheet


@clause("AD-3", "AD-84")
def save_die(rulings: Rulings = DEFAULT) -> Die:
    """Return the die for saves: as the game says, unless ruled by itself."""
    on_d10 = rulings.save_dice == "d10" or (rulings.save_dice == "as_game" and rulings.dice == "d10")
    return ten_sided(rulings) if on_d10 else D6


@clause("AD-83")
def save_number(number: int, rulings: Rulings = DEFAULT) -> int:
    """Translate a profile's D6 number into the number rolled in this game."""
    return number if save_die(rulings) is D6 else sheet.SAVE_ON_D10[number]


@clause("AD-75", "AD-76", "AD-83")
def save_reading(number: int, rulings: Rulings = DEFAULT) -> Reading:
    """Read a die as a save on this number or more; the failing face never is."""
    rolled = save_number(number, rulings)
    read = at_least(rolled, never=(failing_face(save_die(rulings)),))
    return read if rolled == number else because(read, f"to match {number}+ on a D6")


@clause("AD-74")
def armour_is_denied(armour: int, ap: int | None) -> bool:
    """Return whether AP is equal to or better than Armour, so that no Armour Save is rolled."""
    return ap is not None and ap <= armour


@clause("AD-58")
def armour_in_cover(armour: int | None, bonus: int) -> int | None:
    """Return Armour with a cover bonus: each point is one better, from 7+ without Armour to 2+."""
    if not bonus:
        return armour
    better = max((7 if armour is None else armour) - bonus, 2)
    return better if better <= 6 else None
