"""The book of weapons and units: ours, in the TOML files here, and those of the players' own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battletape.profiles import ProfileBook, read_book
from battletape.rulesets.attack_dice.profiles.checks import check_carried
from battletape.rulesets.attack_dice.profiles.types import KINDS


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Our profiles and those of the players' own files."""
    return read_book(__package__, KINDS, files, check_carried)


def fill_weapon(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Numbers of the named weapon, where the player gave none of his own."""
    if not given.get("weapon"):
        return dict(given)
    weapon = found.find("weapon", str(given["weapon"]))
    numbers = {key: getattr(weapon, key) for key in ("weapon_class", "range", "attacks", "power", "ap")}
    return {**numbers, **given, "weapon": weapon.name}


def fill_unit(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Numbers of the named unit, where the player gave none of his own."""
    if not given.get("unit"):
        return dict(given)
    unit = found.find("unit", str(given["unit"]))
    numbers = {key: getattr(unit, key) for key in ("models", "hp", "others", "defence", "armour", "aegis")}
    return {**numbers, **given, "unit": unit.name}
