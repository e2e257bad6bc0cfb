"""The book of weapons, armour, units and templates: ours, and those of the players' own files."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.profiles import ProfileBook, read_book
from battletape.rulesets.second_edition.profiles.checks import check_book
from battletape.rulesets.second_edition.profiles.types import KINDS


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Our profiles and those of the players' own files."""
    return read_book(__package__, KINDS, files, check_book)
