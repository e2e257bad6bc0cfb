"""Guns: the Sustained Fire dice of a weapon, as its special rules change them."""

from __future__ import annotations

from battletape.rulebook import State, Tape, clause


class Gun(State, frozen=True):
    """A sustained-fire weapon: its dice, and what else happens when it is fired."""

    dice: int = 1
    explodes_on: int | None = None
    weapons: int = 1  # fired as one, each with its own dice
    recharges: bool = False


@clause("SE-99", "SE-100")
def note_gun(tape: Tape, gun: Gun) -> Gun:
    """Note the dice of a gun."""
    return gun
