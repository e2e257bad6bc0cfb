"""Checks of profiles: unknown names, Damage that is no dice, and rules that do not go together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battletape.cards import ProfileBook
from battletape.rulebook import BadInput, clause, keyword_faults, nearest
from battletape.rulesets.second_edition.profiles.types import TYPES, UnitProfile, WeaponProfile
from battletape.rulesets.second_edition.rules.dice import damage_dice
from battletape.rulesets.second_edition.rules.keywords import KEYWORDS
from battletape.rulesets.second_edition.rules.sustained import refuse_profile


def check_book(book: ProfileBook) -> list[str]:
    """Return a sentence for each profile that cannot be used, and for each unknown name in one."""
    errors: list[str] = []
    for weapon in book.entries["weapon"].values():
        errors += [book.fault("weapon", weapon.name, wrong) for wrong in check_weapon(weapon)]
    for unit in book.entries["unit"].values():
        errors += [book.fault("unit", unit.name, wrong) for wrong in check_unit(unit, book)]
    return errors


@clause("SE-111", "SE-3")
def check_weapon(weapon: WeaponProfile) -> Iterator[str]:
    """Return what is wrong with a weapon."""
    refused = refuse_profile(weapon.name, weapon.blast, weapon.sustained)
    if refused:
        yield str(refused)
    if weapon.long_range < weapon.short_range:
        yield f"long_range must be no shorter than short_range, {weapon.short_range:g}; got {weapon.long_range:g}"
    if weapon.remains != "none" and weapon.blast is None:
        yield f"remains = {weapon.remains!r} needs a blast radius; got none"
    try:
        damage_dice(weapon.damage)
    except BadInput:
        yield f"damage must be a number or dice such as D4 or 2D6; got {weapon.damage!r}"
    yield from keyword_faults(weapon.rules, KEYWORDS)
    for name in weapon.ours:
        if name not in weapon.__struct_fields__:
            yield f"ours: a weapon has no {name!r}"


@clause("SE-96")
def check_unit(unit: UnitProfile, book: ProfileBook) -> Iterator[str]:
    """Return what a unit names and nothing has, and a Toughness that only vehicles do without."""
    if unit.toughness is None and not {"vehicle", "dreadnought"} & set(unit.types):
        yield 'toughness must be a whole number from 1 to 10, or types must say "vehicle"; got none (SE-96)'
    yield from _unknown("weapon", [carried.name for carried in unit.weapons], book.entries["weapon"])
    yield from _unknown("weapon", unit.grenades, book.entries["weapon"])
    yield from _unknown("armour", [unit.armour] if unit.armour else [], book.entries["armour"])
    yield from _unknown("type", unit.types, TYPES)


def _unknown(kind: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    lower = {name.lower() for name in known}
    for name in names:
        if name.lower() not in lower:
            like = nearest(name, known)
            yield f"there is no {kind} {name!r}." + (f" Did you mean {like!r}?" if like else "")
