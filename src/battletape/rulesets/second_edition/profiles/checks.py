"""What is wrong with profiles."""

from __future__ import annotations

from battletape.profiles import ProfileBook


def check_book(book: ProfileBook) -> list[str]:
    """Every weapon, grenade and armour that a unit has must exist."""
    return []
