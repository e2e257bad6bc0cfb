"""The book of profiles, ours and the players' own, and what the rules read off them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from battletape.cards import ProfileBook, read_book
from battletape.rulebook import UnknownName, clause, matching_names
from battletape.rulesets.vehicles5.profiles.types import KINDS, Fitting, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.rules import keywords
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table import mounts

TYPES = Traits.__struct_fields__
T = TypeVar("T")


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Return our profiles and those of the players' own files."""
    return read_book(__package__, KINDS, files, _check)


def _check(profiles: ProfileBook) -> list[str]:
    from battletape.rulesets.vehicles5.profiles.checks import check  # here: only reading files needs it

    return check(profiles)


def traits_of(types: Sequence[str]) -> Traits:
    """Return the flags that these type words name."""
    for word in types:
        if word not in TYPES:
            raise UnknownName("vehicle type", word, TYPES)
    return Traits(**dict.fromkeys(types, True))


def has_smoke(vehicle: VehicleProfile) -> bool:
    """Return whether a vehicle carries smoke launchers."""
    return "smoke_launchers" in vehicle.upgrades


def modes(profiles: ProfileBook, weapon: str) -> tuple[WeaponProfile, ...]:
    """Return the ways to fire a weapon: itself, or the missiles of a launcher."""
    missiles = missiles_of(weapon, profiles.entries["weapon"].values())
    return missiles or (profiles.find("weapon", weapon, "V5-CORE-21"),)


def missiles_of(launcher: str, weapons: Iterable[WeaponProfile]) -> tuple[WeaponProfile, ...]:
    """Return the weapons among these that a launcher fires."""
    wanted = launcher.strip().lower()
    return tuple(weapon for weapon in weapons if weapon.mode_of.lower() == wanted and wanted)


def ways_to_fire(name: str, arsenal: Sequence[WeaponProfile], source: str = "") -> tuple[WeaponProfile, ...]:
    """Return the ways to fire a weapon of one unit: itself, or the missiles of a launcher."""
    missiles = missiles_of(name, arsenal)
    return missiles or (find_named("weapon", name, arsenal, lambda weapon: weapon.name, source=source),)


def labels(vehicle: VehicleProfile, mount: str = "") -> tuple[str, ...]:
    """Return the weapons of a vehicle, or those on such a mount."""
    return tuple(label_of(fitting) for fitting in vehicle.mounts if mount in ("", fitting.mount))


def label_of(fitting: Fitting) -> str:
    """Return the name that a weapon has on its vehicle."""
    return fitting.label or fitting.weapon


def find_fitting(vehicle: VehicleProfile, label: str) -> Fitting:
    """Return the weapon of this name on a vehicle."""
    return find_named("weapon", label, vehicle.mounts, label_of, "V5-DMG-3", vehicle.name)


def find_named(
    kind: str, wanted: str, items: Sequence[T], name: Callable[[T], str] = str, clause: str = "", source: str = ""
) -> T:
    """Return the thing of this name, however it is written; raises UnknownName with the names there are."""
    fits = matching_names(wanted, [name(item) for item in items])
    if len(fits) == 1:
        return next(item for item in items if name(item) == fits[0])
    raise UnknownName(kind, wanted, [name(item) for item in items], source=source, clause=clause)


@clause("V5-LOS-1", "V5-LOS-2", "V5-LOS-3", "V5-LOS-4", "V5-LOS-5")
def fitting_mount(fitting: Fitting, rulings: Rulings = DEFAULT) -> mounts.Mount:
    """Return where a weapon stands on the hull, and the bearings it reaches."""
    at = {"ahead": fitting.y, "right": fitting.x, "height": fitting.z}
    if fitting.arc:
        return mounts.sponson(*fitting.arc, **at)
    on_hull = fitting.mount == "hull" or (fitting.mount == "pintle" and fitting.on == "hull")
    place = mounts.hull_mount(fitting.direction, rulings.hull_arc_degrees) if on_hull else mounts.turret()
    return mounts.pintle(place, **at)


def doors(vehicle: VehicleProfile) -> tuple[tuple[float, float], ...]:
    """Return the access points as inches ahead of the hull's middle and to its right."""
    return tuple((door.y, door.x) for door in vehicle.access)


def rules_of(weapon: WeaponProfile) -> tuple[str, ...]:
    """Return the special rules of a weapon, with those that come with its type."""
    return (*weapon.rules, keywords.ORDNANCE) if weapon.type == "ordnance" else weapon.rules


@clause("V5-ASLT-3", "V5-ASLT-6")
def heavy_strikers(unit: UnitProfile, profiles: ProfileBook) -> int:
    """Return how many models of a unit strike with a weapon that doubles their strength."""
    carried = ((weapon.models, modes(profiles, weapon.name)[0]) for weapon in unit.weapons)
    heavy = sum(models for models, weapon in carried if weapon.type == "melee" and weapon.times > 1)
    return min(heavy, unit.models)


def walker_weapons(vehicle: VehicleProfile, profiles: ProfileBook) -> tuple[str, ...]:
    """Return the labels of a walker's close combat weapons."""
    fittings = (fitting for fitting in vehicle.mounts if fitting.mount == "arm")
    named = ((label_of(fitting), modes(profiles, fitting.weapon)[0]) for fitting in fittings)
    return tuple(label for label, weapon in named if keywords.DREADNOUGHT_WEAPON in weapon.rules)
