"""Weapons, vehicles and troops: ours in profiles/*.toml and the players' own; and what the rules read off them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from battletape.clauses import clause
from battletape.errors import BadInput, UnknownName
from battletape.inputs import Inputs, fields, parse_pairs, split_entries
from battletape.profiles import ProfileBook, read_book
from battletape.rulesets.vehicles5 import special_rules
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.shapes import (
    KINDS,
    Armour,
    Carried,
    Degrees,
    Door,
    Fitting,
    Stat,
    Unit,
    Vehicle,
    Weapon,
)
from battletape.rulesets.vehicles5.traits import Traits
from battletape.table import mounts

__all__ = [
    "Armour",
    "Carried",
    "Degrees",
    "Door",
    "Fitting",
    "KINDS",
    "Stat",
    "TYPES",
    "Unit",
    "Vehicle",
    "Weapon",
    "book",
    "doors",
    "fill_gun",
    "fill_many",
    "fill_target",
    "fill_unit",
    "fill_walker",
    "find_fitting",
    "fitting_mount",
    "has_smoke",
    "heavy_strikers",
    "is_barrage",
    "is_fearless",
    "is_one_shot",
    "is_template",
    "is_walker_weapon",
    "label_of",
    "labels",
    "modes",
    "rules_of",
    "traits",
    "traits_of",
    "walker_weapons",
]

TYPES = Traits.__struct_fields__
Fill: TypeAlias = Callable[[Mapping[str, Any]], Any]
"""From the inputs a player gave to the same with the numbers of a profile."""


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Our profiles and those of the players' own files."""
    return read_book(__package__, KINDS, files, _check)


def _check(found: ProfileBook) -> list[str]:
    """What does not fit together, once all profiles are read."""
    from battletape.rulesets.vehicles5.profile_checks import check  # here: only reading files needs it

    return check(found)


def traits(vehicle: Vehicle) -> Traits:
    """The flags of a vehicle's types."""
    return traits_of(vehicle.types)


def traits_of(types: Sequence[str]) -> Traits:
    """The flags that these type words name; an unknown one is refused with the nearest."""
    for one in types:
        if one not in TYPES:
            raise UnknownName("vehicle type", one, TYPES)
    return Traits(**dict.fromkeys(types, True))


def has_smoke(vehicle: Vehicle) -> bool:
    """Whether a vehicle carries smoke launchers."""
    return "smoke_launchers" in vehicle.upgrades


def modes(found: ProfileBook, weapon: str) -> tuple[Weapon, ...]:
    """The ways to fire a weapon: itself, or the missiles of a launcher."""
    wanted = weapon.strip().lower()
    ways = tuple(one for one in found.entries["weapon"].values() if one.mode_of.lower() == wanted and wanted)
    return ways or (found.find("weapon", weapon, "V5-CORE-21"),)


def labels(vehicle: Vehicle, rules: Rulings = DEFAULT) -> tuple[str, ...]:
    """The weapons a vehicle can lose, as its condition holds them."""
    kept = rules.melee_weapon_can_be_destroyed
    return tuple(label_of(one) for one in vehicle.mounts if kept or one.mount != "arm")


def label_of(fitting: Fitting) -> str:
    """What a weapon on a vehicle is called."""
    return fitting.label or fitting.weapon


def find_fitting(vehicle: Vehicle, label: str) -> Fitting:
    """The weapon of this name on a vehicle; raises UnknownName with those it has."""
    for one in vehicle.mounts:
        if label_of(one).lower() == label.strip().lower():
            return one
    raise UnknownName(
        "weapon", label, [label_of(one) for one in vehicle.mounts], source=vehicle.name, clause="V5-DMG-3"
    )


@clause("V5-LOS-1", "V5-LOS-2", "V5-LOS-3", "V5-LOS-4", "V5-LOS-5")
def fitting_mount(fitting: Fitting, rules: Rulings = DEFAULT) -> mounts.Mount:
    """Where a weapon stands on the hull and the bearings it reaches; limits of its own win over those of its place."""
    at = {"ahead": fitting.y, "right": fitting.x, "height": fitting.z}
    if fitting.arc:
        return mounts.sponson(*fitting.arc, **at)
    on_hull = fitting.mount == "hull" or (fitting.mount == "pintle" and fitting.on == "hull")
    place = mounts.hull_mount(fitting.direction, rules.hull_arc_degrees) if on_hull else mounts.turret()
    return mounts.pintle(place, **at)


def doors(vehicle: Vehicle) -> tuple[tuple[float, float], ...]:
    """The access points as inches ahead of the hull's middle and to its right."""
    return tuple((one.y, one.x) for one in vehicle.access)


def rules_of(weapon: Weapon) -> tuple[str, ...]:
    """The special rules of a weapon, with those that come with its type."""
    return (*weapon.rules, special_rules.ORDNANCE) if weapon.type == "ordnance" else weapon.rules


def is_barrage(weapon: Weapon) -> bool:
    """Whether it may be fired as a barrage."""
    return special_rules.BARRAGE in weapon.rules


def is_template(weapon: Weapon) -> bool:
    """Whether it uses the flame template."""
    return special_rules.TEMPLATE in weapon.rules


def is_one_shot(weapon: Weapon) -> bool:
    """Whether it is spent after one shot."""
    return special_rules.ONE_SHOT in weapon.rules


def is_walker_weapon(weapon: Weapon) -> bool:
    """Whether it is the close combat weapon of a walker."""
    return special_rules.DREADNOUGHT_WEAPON in weapon.rules


def is_fearless(unit: Unit) -> bool:
    """Whether a unit never tests morale."""
    return special_rules.FEARLESS in unit.rules


@clause("V5-ASLT-3", "V5-ASLT-6")
def heavy_strikers(unit: Unit, found: ProfileBook) -> int:
    """How many models of a unit strike with a weapon that doubles their strength."""
    carried = ((one.models, modes(found, one.name)[0]) for one in unit.weapons)
    heavy = sum(models for models, weapon in carried if weapon.type == "melee" and weapon.times > 1)
    return min(heavy, unit.models)


def walker_weapons(vehicle: Vehicle, found: ProfileBook) -> tuple[str, ...]:
    """The labels of a walker's close combat weapons."""
    named = ((label_of(one), modes(found, one.weapon)[0]) for one in vehicle.mounts if one.mount == "arm")
    return tuple(label for label, weapon in named if is_walker_weapon(weapon))


def fill_gun(given: Mapping[str, Any], found: ProfileBook, inputs: type[Inputs] | None = None) -> dict[str, Any]:
    """Numbers of the named weapon, where the player gave none of his own."""
    if not given.get("weapon"):
        return dict(given)
    ways = modes(found, str(given["weapon"]))
    if len(ways) > 1:
        names = " or ".join(one.name for one in ways)
        raise BadInput(f"weapon wants one way to fire a {given['weapon']}: {names}", field="weapon")
    weapon = ways[0]
    if weapon.strength is None:
        raise BadInput(
            f"weapon wants one that can be fired; got {weapon.name!r}, which is for striking (V5-CORE-21).",
            field="weapon",
        )
    numbers = {key: getattr(weapon, key) for key in ("strength", "ap", "shots")}
    more = given.get("rules") or ()
    own = more.split(",") if isinstance(more, str) else more
    rules = dict.fromkeys((*rules_of(weapon), *(str(one).strip() for one in own)))
    return _filled({**given, "rules": tuple(rules)}, "weapon", weapon, numbers, inputs)


def fill_target(given: Mapping[str, Any], found: ProfileBook, inputs: type[Inputs] | None = None) -> dict[str, Any]:
    """Numbers of the named vehicle, where the player gave none of his own; with `inputs`, those it has fields for."""
    if not given.get("vehicle"):
        return dict(given)
    vehicle: Vehicle = found.find("vehicle", str(given["vehicle"]))
    keys = ("front", "side", "rear", "types") if inputs is None else Vehicle.__struct_fields__
    numbers: dict[str, Any] = {key: getattr(vehicle, key) for key in keys if key not in ("name", "mounts", "access")}
    if "weapons" not in given:
        numbers["weapon_names"] = labels(vehicle)
    if inputs is not None:
        numbers["smoke_launchers"] = has_smoke(vehicle)
    return _filled(given, "vehicle", vehicle, numbers, inputs)


def fill_walker(given: Mapping[str, Any], found: ProfileBook, inputs: type[Inputs] | None = None) -> dict[str, Any]:
    """Numbers of the named walker, where the player gave none of his own."""
    if not given.get("walker"):
        return dict(given)
    walker: Vehicle = found.find("vehicle", str(given["walker"]))
    if not traits(walker).walker:
        names = ", ".join(name for name, one in found.entries["vehicle"].items() if traits(one).walker)
        raise BadInput(f"walker wants a walker; got {walker.name!r}, which is none. Walkers: {names}.", field="walker")
    keys = ("ws", "strength", "initiative", "attacks", "front", "side", "rear")
    numbers = {key: getattr(walker, key) for key in keys}
    numbers |= {"weapon_names": labels(walker), "dccw": walker_weapons(walker, found), "types": walker.types}
    return _filled(given, "walker", walker, numbers, inputs)


def fill_unit(
    given: Mapping[str, Any], found: ProfileBook, inputs: type[Inputs] | None = None, key: str = "unit"
) -> dict[str, Any]:
    """Numbers of the named troops, where the player gave none of his own."""
    if not given.get(key):
        return dict(given)
    unit: Unit = found.find("unit", str(given[key]))
    numbers = {name: getattr(unit, name) for name in Unit.__struct_fields__ if name not in ("name", "type", "weapons")}
    numbers = dict(numbers, fearless=is_fearless(unit), heavy=heavy_strikers(unit, found))
    return _filled(given, key, unit, numbers, inputs)


def _filled(
    given: Mapping[str, Any], key: str, profile: Any, numbers: dict[str, Any], inputs: type[Inputs] | None
) -> dict[str, Any]:
    known = None if inputs is None else {one.name for one in fields(inputs)}
    wanted = {name: one for name, one in numbers.items() if known is None or name in known}
    return {**wanted, **given, key: profile.name}


def fill_many(given: Mapping[str, Any], key: str, fill: Fill, name: str) -> dict[str, Any]:
    """Fill every entry of a list; a bare name, or “2 x name”, will do for one."""
    entries = given.get(key)
    if isinstance(entries, str) and entries.strip().lower() not in ("", "-", "none"):
        entries = split_entries(entries)
    if not isinstance(entries, (list, tuple)):
        return dict(given)
    return {**given, key: [_entry(one, key, fill, name) for one in entries]}


def _entry(entry: Any, key: str, fill: Fill, name: str) -> Any:
    if isinstance(entry, str) and not entry.strip():
        raise BadInput(f"{key} want a name, or numbers such as “strength=9”, for each of them; got ''.", field=key)
    if isinstance(entry, str) and "=" in entry:
        return fill(parse_pairs(entry, key))
    if isinstance(entry, str):
        count, _, named = entry.partition(" x ")
        return fill({name: named, "models": count} if named else {name: entry})
    return fill(entry) if isinstance(entry, Mapping) else entry
