"""Checks of profiles against each other; a sentence for each misfit, with the file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battletape.cards import ProfileBook
from battletape.rulebook import BadInput, nearest
from battletape.rulesets.deathwatch.profiles.types import Character, Horde, WeaponProfile
from battletape.rulesets.deathwatch.rules import damage, guns, hordes, talents
from battletape.rulesets.deathwatch.rules.keywords import qualities_named

Misfit = tuple[str, str, str]
"""The key that is wrong, why, and the clause."""


def check(book: ProfileBook) -> list[str]:
    """Return a sentence for everything that does not fit."""
    errors: list[str] = []
    for kind, look in (("weapon", _weapon), ("character", _character), ("horde", _horde)):
        for profile in book.entries[kind].values():
            errors += (
                book.fault(kind, profile.name, why, key, (cites,) if cites else ())
                for key, why, cites in look(profile, book)
            )
    return errors


def _weapon(weapon: WeaponProfile, book: ProfileBook) -> Iterator[Misfit]:
    for name in weapon.qualities:
        try:
            qualities_named((name,))
        except BadInput as error:
            yield "qualities", error.uncited, error.clause
    yield from _names("ammunition", weapon.ammunition, _named(book, True), "ammunition")
    if weapon.ammunition and weapon.damage:
        yield "damage", "a launcher must have no damage of its own; its ammunition says it", "DW-RWEP-24"
    elif not weapon.damage and not weapon.ammunition:
        yield "damage", "a weapon needs damage such as 2d10+5, or the ammunition it fires; got none", "DW-RWEP-00"
    elif not weapon.ammunition:
        try:
            damage.parse_damage(weapon.damage)
        except BadInput as error:
            yield "damage", error.uncited, error.clause
    if weapon.melee and weapon.kind not in ("Melee", "Mounted"):
        yield "kind", f'a melee weapon needs kind = "Melee" or "Mounted"; got {weapon.kind!r}', "DW-MWEP-00"
    if weapon.kind == "Melee" and not weapon.melee:
        yield "kind", 'kind = "Melee" needs melee = true beside it', "DW-MWEP-00"
    if weapon.melee or weapon.kind == "Ammunition":
        for key in ("range", "semi", "full", "clip"):
            if getattr(weapon, key):
                yield key, f"{key} is for guns only; leave it out", "DW-RWEP-00"
        return
    for key, what in (("range", "a range in metres"), ("clip", "a clip")):
        if not getattr(weapon, key):
            yield key, f"a gun needs {what}; got none", "DW-RWEP-00"
    if not guns.modes_of(weapon):
        yield "single", "a gun needs a fire mode: single = true, semi or full; got none", "DW-RWEP-00"
    if weapon.doubles_sb:
        yield "doubles_sb", "doubles_sb is for melee weapons only; leave it out", "DW-MWEP-00"


def _character(character: Character, book: ProfileBook) -> Iterator[Misfit]:
    yield from _names("weapons", character.weapons, _named(book), "weapon")
    yield from _names("armour", character.armour, book.entries["armour"], "armour")
    yield from (("talents", slip.uncited, slip.clause) for slip in talents.unknown_talents(character.talents, book))
    for key in ("tags", "fury_sure_against"):
        yield from ((key, slip.uncited, slip.clause) for slip in talents.misspelt_tags(getattr(character, key)))
    if character.fury_sure_against and not character.fury:
        yield "fury_sure_against", "righteous fury against a target needs fury = true", "DW-RF-3"


def _horde(horde: Horde, book: ProfileBook) -> Iterator[Misfit]:
    yield from _names("weapons", horde.weapons, _named(book), "weapon")
    yield from _names("leaders", horde.leaders, book.entries["character"], "character")
    yield from _names("traits", horde.traits, hordes.TRAITS, "trait of a horde", "DW-HORDE-17")
    yield from (("tags", slip.uncited, slip.clause) for slip in talents.misspelt_tags(horde.tags))


def _named(book: ProfileBook, ammunition: bool = False) -> Iterable[str]:
    """Return the weapons there are, or what launchers fire."""
    weapons = book.entries["weapon"].values()
    return (weapon.name for weapon in weapons if (weapon.kind == "Ammunition") == ammunition)


def _names(key: str, given: Iterable[str], known: Iterable[str], kind: str, clause: str = "") -> Iterator[Misfit]:
    names = list(known)
    lower = {name.lower() for name in names}
    for name in given:
        if name.strip().lower() not in lower:
            like = nearest(name, names)
            hint = f". Did you mean {like!r}?" if like else ""
            yield key, f"there is no {kind} {name!r}{hint}", clause
