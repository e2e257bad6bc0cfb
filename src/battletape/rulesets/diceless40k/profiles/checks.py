"""Checks of profiles against each other: a sentence for each misfit, in files of players too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from battletape.cards import ProfileBook
from battletape.rulebook import clause, keyword_faults, nearest
from battletape.rulesets.diceless40k.profiles.types import UnitProfile, VehicleProfile, VehicleType, WeaponProfile
from battletape.rulesets.diceless40k.rules.attacks import needs_no_strength
from battletape.rulesets.diceless40k.rules.characteristics import (
    MODEL_RULES,
    POWERS,
    PREFERRED_ENEMY,
    PSYKER,
    VEHICLE_RULES,
)
from battletape.rulesets.diceless40k.rules.keywords import KEYWORDS
from battletape.rulesets.diceless40k.rules.weapons import PSYCHIC

TYPES: tuple[str, ...] = get_args(VehicleType)
FIGHTS = ("ws", "strength", "initiative", "attacks")


@clause("DL-6.4")
def check(found: ProfileBook) -> list[str]:
    """Return a sentence for everything that does not fit."""
    weapons: dict[str, WeaponProfile] = {weapon.name.lower(): weapon for weapon in found.entries["weapon"].values()}
    modes = {weapon.mode_of.lower(): weapon for weapon in weapons.values() if weapon.mode_of}
    known = {**modes, **weapons}
    errors: list[str] = []
    for weapon in weapons.values():
        errors += (found.fault_of("weapon", weapon.name, why) for why in _weapon(weapon))
    for unit in found.entries["unit"].values():
        errors += (found.fault_of("unit", unit.name, why) for why in _unit(unit, known))
    for vehicle in found.entries["vehicle"].values():
        errors += (found.fault_of("vehicle", vehicle.name, why) for why in _vehicle(vehicle, known))
    return errors


def _weapon(weapon: WeaponProfile) -> Iterator[str]:
    faults = tuple(keyword_faults(weapon.rules, KEYWORDS))
    yield from (f"names a rule that does not fit: {why}" for why in faults)
    if weapon.strength is None and weapon.type != "melee" and not faults and not needs_no_strength(weapon.rules):
        yield "must have a strength; only melee, sniper and poisoned weapons go without"
    if weapon.type in ("melee", "grenade"):
        if weapon.range or weapon.ap is not None or weapon.marker != "none":
            yield "is for close combat and must have no range, AP or marker"
    elif not weapon.range and weapon.marker != "template":
        yield "must have a range, unless it is a template"
    if weapon.type == "ordnance" and weapon.marker != "large_blast":
        yield "is ordnance and must have a large blast"


def _unit(unit: UnitProfile, known: dict[str, WeaponProfile]) -> Iterator[str]:
    carried = dict.fromkeys((*unit.weapons, *(weapon for group in unit.groups for weapon in group.weapons)))
    rules = dict.fromkeys((*unit.rules, *(rule for group in unit.groups for rule in group.rules)))
    yield from _words("rule", rules, MODEL_RULES)
    yield from _words("power", unit.powers, POWERS)
    yield from _words("weapon", carried, [weapon.name for weapon in known.values()], known)
    if unit.prefers and PREFERRED_ENEMY not in rules:
        yield f"names preferred enemies and must have the rule {PREFERRED_ENEMY!r}"
    if (unit.type == "artillery") != bool(unit.guns):
        yield "must have guns if it is artillery, and none if it is not"
    if unit.type == "walker":
        yield "is a walker; walkers are vehicles here"
    names = [group.name for group in unit.groups]
    if "" in names or len({unit.name, *names}) <= len(names):
        yield "must give each of its groups a name of its own"
    psychic = unit.powers or any(PSYCHIC in known[name.lower()].rules for name in carried if name.lower() in known)
    if psychic and PSYKER not in rules:
        yield f"has psychic powers and must have the rule {PSYKER!r}"


def _vehicle(vehicle: VehicleProfile, known: dict[str, WeaponProfile]) -> Iterator[str]:
    yield from _words("type", vehicle.types, TYPES)
    yield from _words("rule", vehicle.rules, VEHICLE_RULES)
    yield from _words("weapon", vehicle.weapons, [weapon.name for weapon in known.values()], known)
    has = [name for name in FIGHTS if getattr(vehicle, name) is not None]
    if has and "walker" not in vehicle.types:
        yield f"is no walker and must have no {', '.join(has)}"
    if len(has) < len(FIGHTS) and "walker" in vehicle.types:
        yield f"is a walker and must have {', '.join(FIGHTS)}"


def _words(kind: str, given: Iterable[str], names: Iterable[str], known: Iterable[str] | None = None) -> Iterator[str]:
    """Yield a sentence for each word that is not known; `known` are the lower-case names where case does not matter."""
    options = tuple(names)
    for word in given:
        if word.lower() in known if known is not None else word in options:
            continue
        like = nearest(word, options)
        hint = f"did you mean {like!r}?" if like else f"known are {', '.join(options)}"
        yield f"has the {kind} {word!r}, which is not known; {hint}"
