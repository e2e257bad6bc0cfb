"""What profiles must agree on, ours and the players' own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battletape.cards import ProfileBook
from battletape.rulebook import keyword_faults, nearest
from battletape.rulesets.vehicles5.profiles.book import TYPES, label_of
from battletape.rulesets.vehicles5.profiles.types import Fitting, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.rules.keywords import BARRAGE, OF_WEAPONS, UNIT_RULES

UPGRADES = ("smoke_launchers",)


def check(profiles: ProfileBook) -> list[str]:
    """Check that profiles fit each other; return a sentence for each that does not."""
    weapons: dict[str, WeaponProfile] = {weapon.name.lower(): weapon for weapon in profiles.entries["weapon"].values()}
    launchers = {way.mode_of.lower(): way for way in weapons.values() if way.mode_of}
    known = {**launchers, **weapons}
    errors: list[str] = []
    for weapon in weapons.values():
        errors += (profiles.fault_of("weapon", weapon.name, why) for why in _weapon(weapon))
    for vehicle in profiles.entries["vehicle"].values():
        errors += (profiles.fault_of("vehicle", vehicle.name, why) for why in _vehicle(vehicle, known))
    for unit in profiles.entries["unit"].values():
        errors += (profiles.fault_of("unit", unit.name, why) for why in _unit(unit, known))
    return errors


def _weapon(weapon: WeaponProfile) -> Iterator[str]:
    yield from (f"names a rule that does not fit: {why}" for why in keyword_faults(weapon.rules, OF_WEAPONS))
    if (weapon.type == "melee") != (weapon.strength is None):
        yield "must have a strength, unless its type is melee: then it has none"
    if (weapon.type in ("melee", "grenade")) != (weapon.ap is None):
        yield 'must have an ap from 1 to 6 or "-"; only melee weapons and grenades go without'
    if weapon.type == "ordnance" and weapon.blast != "large":
        yield "is ordnance and must have a large blast"
    if weapon.least and BARRAGE not in weapon.rules:
        yield "has a minimum range (least), which only a barrage has"


def _vehicle(vehicle: VehicleProfile, known: dict[str, WeaponProfile]) -> Iterator[str]:
    yield from _words("type", vehicle.types, TYPES)
    yield from _words("upgrade", vehicle.upgrades, UPGRADES)
    own = (vehicle.ws, vehicle.strength, vehicle.initiative, vehicle.attacks)
    is_walker = "walker" in vehicle.types
    is_open = "open_topped" in vehicle.types
    if (is_walker and None in own) or (not is_walker and any(own)):
        yield "must have ws, strength, initiative and attacks if it is a walker, and none of them if it is not"
    if bool(vehicle.access) != (vehicle.capacity > 0 and not is_open):
        yield "must have access points if it is a closed transport, and none if it is open-topped or carries no unit"
    if vehicle.fire_points and (is_open or not vehicle.capacity):
        yield "has fire points, which only a closed transport has"
    for door in vehicle.access:
        if abs(door.x) > vehicle.width / 2 or abs(door.y) > vehicle.length / 2:
            yield f"has an access point outside its hull (x {door.x:g}, y {door.y:g})"
    names = [label_of(fitting).lower() for fitting in vehicle.mounts]
    for twice in sorted({name for name in names if names.count(name) > 1}):
        yield f"has two weapons called {twice!r}; give each a label"
    for fitting in vehicle.mounts:
        yield from (f"has a weapon {label_of(fitting)!r} that {why}" for why in _fit(fitting, vehicle, known))


def _fit(fitting: Fitting, vehicle: VehicleProfile, known: dict[str, WeaponProfile]) -> Iterator[str]:
    weapon = known.get(fitting.weapon.lower())
    if weapon is None:
        yield f"is not among the weapons{_hint(fitting.weapon, [other.name for other in known.values()])}"
    elif (weapon.type == "melee") != (fitting.mount == "arm"):
        yield "must have the mount arm if it is a close combat weapon, and another one if it is not"
    if fitting.arc and (len(fitting.arc) != 2 or fitting.arc[0] >= fitting.arc[1]):
        yield f"must have an arc of two bearings, the smaller one first; got {list(fitting.arc)}"
    if fitting.mount == "sponson" and not fitting.arc:
        yield "is on a sponson and needs an arc"
    if fitting.mount == "pintle" and not fitting.arc and fitting.on is None:
        yield 'is on a pintle and needs on = "turret", on = "hull" or an arc'
    if abs(fitting.x) > vehicle.width / 2 or abs(fitting.y) > vehicle.length / 2 or fitting.z > vehicle.height:
        yield "is mounted outside or above the hull"


def _unit(unit: UnitProfile, known: dict[str, WeaponProfile]) -> Iterator[str]:
    yield from _words("rule", unit.rules, UNIT_RULES)
    if unit.two_weapons > unit.models:
        yield f"has {unit.two_weapons} models with two weapons, but {unit.models} models in all"
    for carried in unit.weapons:
        if carried.name.lower() not in known:
            yield f"carries {carried.name!r}, which is no weapon{_hint(carried.name, [w.name for w in known.values()])}"
        if carried.models > unit.models:
            yield f"has {carried.models} models with {carried.name!r}, but {unit.models} models in all"
    grenades = [weapon.name for weapon in known.values() if weapon.type == "grenade"]
    for name in unit.grenades:
        if name.lower() not in (grenade.lower() for grenade in grenades):
            yield f"carries {name!r}, which is no grenade{_hint(name, grenades)}"


def _words(kind: str, given: Iterable[str], known: tuple[str, ...]) -> Iterator[str]:
    for word in given:
        if word not in known:
            yield f"has the {kind} {word!r}, which is unknown{_hint(word, known) or '. Known: ' + ', '.join(known)}"


def _hint(name: str, known: Iterable[str]) -> str:
    like = nearest(name, known)
    return f". Did you mean {like!r}?" if like else ""
