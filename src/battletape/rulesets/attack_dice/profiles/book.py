"""The book of weapons and units: ours, in the TOML files here, and those of the players' own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battletape.cards import ProfileBook, read_book
from battletape.rulesets.attack_dice.profiles.checks import check_carried
from battletape.rulesets.attack_dice.profiles.types import KINDS, UnitProfile, WeaponProfile


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Read our profiles and those of the players' own files."""
    return read_book(__package__, KINDS, files, check_carried)


def fill_weapon(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of the named weapon, except where the player gives others."""
    if not given.get("weapon"):
        return dict(given)
    weapon = profiles.find("weapon", str(given["weapon"]))
    return {**weapon_numbers(weapon), **given, "weapon": weapon.name}


def fill_unit(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of the named unit, except where the player gives others."""
    if not given.get("unit"):
        return dict(given)
    unit = profiles.find("unit", str(given["unit"]))
    return {**unit_numbers(unit), **given, "unit": unit.name}


def weapon_numbers(weapon: WeaponProfile) -> dict[str, Any]:
    """Return the numbers of a weapon profile for an attack."""
    return {name: getattr(weapon, name) for name in ("attacks", "power", "ap", "range", "weapon_class")}


def unit_numbers(unit: UnitProfile) -> dict[str, Any]:
    """Return the numbers of a unit profile for a target."""
    return {name: getattr(unit, name) for name in ("models", "hp", "others", "defence", "armour", "aegis")}
