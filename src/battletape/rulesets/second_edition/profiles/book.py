"""The book of weapons, armour, units and templates: ours, and those of the players' own files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battletape.cards import ProfileBook, read_book
from battletape.rulesets.second_edition.profiles.checks import check_book
from battletape.rulesets.second_edition.profiles.types import KINDS, Armour, UnitProfile, WeaponProfile


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Return our profiles and those of the players' own files."""
    return read_book(__package__, KINDS, files, check_book)


def weapon_numbers(weapon: WeaponProfile) -> dict[str, Any]:
    """Return the numbers of a weapon profile."""
    return {name: getattr(weapon, name) for name in weapon.__struct_fields__ if name not in ("name", "ours")} | {
        "weapon": weapon.name
    }


def armour_numbers(armour: Armour) -> dict[str, Any]:
    """Return the numbers of an armour."""
    return {name: getattr(armour, name) for name in ("save", "save_dice", "area_save", "types")} | {
        "armour": armour.name
    }


def unit_numbers(unit: UnitProfile, profiles: ProfileBook) -> dict[str, Any]:
    """Return the numbers of a unit as a target, with those of the armour that it wears."""
    names = ("models", "toughness", "wounds", "armour", "field_save", "aura", "base", "move")
    worn = armour_numbers(profiles.find("armour", unit.armour)) if unit.armour else {}
    types = (*unit.types, *worn.get("types", ()))
    return {name: getattr(unit, name) for name in names} | worn | {"types": types, "unit": unit.name}
