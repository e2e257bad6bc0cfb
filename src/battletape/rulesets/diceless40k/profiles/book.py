"""The book of profiles: ours in *.toml, and those of the players' own files."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.cards import ProfileBook, read_book
from battletape.rulebook import clause
from battletape.rulesets.diceless40k.profiles.types import KINDS, WeaponProfile


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Return our profiles and those of the players' own files."""
    return read_book(__package__, KINDS, files, _check)


def _check(found: ProfileBook) -> list[str]:
    """Return the misfits between profiles, once all are read."""
    from battletape.rulesets.diceless40k.profiles.checks import check  # here: only reading files needs it

    return check(found)


@clause("DL-30.3")
def modes(found: ProfileBook, weapon: str) -> tuple[WeaponProfile, ...]:
    """Return the ways to fire a weapon: itself, or one for each kind of ammunition."""
    wanted = weapon.strip().lower()
    ways = tuple(way for way in found.entries["weapon"].values() if wanted and way.mode_of.lower() == wanted)
    return ways or (found.find("weapon", weapon),)
