"""What questions share: profiles written out, the target, the guns that fire at it, and what may come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput, Refused, UnknownName
from battletape.inputs import Inputs, fields, meta, parse_pairs, split_entries
from battletape.profiles import ProfileBook
from battletape.rulesets.vehicles5.profiles import book
from battletape.rulesets.vehicles5.profiles.types import Armour, Stat, Unit, Vehicle, Weapon
from battletape.rulesets.vehicles5.rules.assault import Blow, aimed
from battletape.rulesets.vehicles5.rules.damage import Condition, condition_with, crash_of, halved, wear, worst
from battletape.rulesets.vehicles5.rules.geometry import template_hit
from battletape.rulesets.vehicles5.rules.movement import refuse_band
from battletape.rulesets.vehicles5.rules.shooting import Aim, Mark, Shot, best_cover, hit_needs
from battletape.rulesets.vehicles5.rules.special_rules import shot_at
from battletape.rulesets.vehicles5.rules.traits import Ap, Band, PenDice
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import GRENADES
from battletape.system import Measure
from battletape.table.facings import Facing

MOST_SHOTS = 2_000
TYPES = "fast, tank, skimmer, walker, open_topped"
Save = Annotated[int, Meta(ge=2, le=6, extra={"form": "save", "clause": "V5-CORE-4"})]
"""A cover save."""


class Target(Inputs, frozen=True):
    """A vehicle, what it has suffered and how it moved."""

    vehicle: Annotated[str, meta("target", "Vehicle profile")] = ""
    front: Annotated[Armour, meta("target", "Front armour")] = 12
    side: Annotated[Armour, meta("target", "Side armour")] = 11
    rear: Annotated[Armour, meta("target", "Rear armour")] = 10
    types: Annotated[tuple[str, ...], meta("target", f"Types: {TYPES}", "V5-FAST-1")] = ()
    weapons: Annotated[int, meta("target", "Intact weapons", "V5-DMG-3", ge=0, le=12)] = 1
    weapon_names: Annotated[tuple[str, ...], meta("target", "Intact weapons by name", "V5-DMG-3")] = ()
    melee_weapons: Annotated[tuple[str, ...], meta("target", "Those of them for close combat", "V5-DMG-3")] = ()
    shaken: Annotated[bool, meta("target", "Crew shaken", "V5-DMG-1")] = False
    stunned: Annotated[bool, meta("target", "Crew stunned", "V5-DMG-2")] = False
    immobilised: Annotated[bool, meta("target", "Immobilised", "V5-DMG-4")] = False
    band: Annotated[Band, meta("circumstances", "Speed of its last move", "V5-MOVE-7")] = "combat"
    smoke: Annotated[bool, meta("circumstances", "Smoke hangs about it", "V5-SMOKE-3")] = False
    terrain_cover: Annotated[Save | None, meta("circumstances", "Cover save from terrain", "V5-SHOT-2")] = None


class Gun(Inputs, frozen=True):
    """One kind of gun and all its shots at one facing."""

    weapon: Annotated[str, meta("attacker", "Weapon profile")] = ""
    shots: Annotated[int, meta("attacker", "Shots of one gun", ge=1, le=60)] = 1
    models: Annotated[int, meta("attacker", "Guns that fire", ge=1, le=100)] = 1
    bs: Annotated[int, meta("attacker", "BS", "V5-CORE-1", ge=0, le=10)] = 4
    auto: Annotated[bool, meta("attacker", "Hits without a roll")] = False
    strength: Annotated[Stat, meta("attacker", "Strength")] = 8
    ap: Annotated[Ap | None, meta("attacker", "AP: 1 to 6, -, or none", "V5-DMGMOD-2")] = None
    dice: Annotated[PenDice, meta("attacker", "Penetration dice", "V5-PEN-1")] = "d6"
    bonus: Annotated[int, meta("attacker", "Bonus to penetration", "V5-PEN-1", ge=-10, le=10)] = 0
    extra: Annotated[int, meta("attacker", "Further damage modifiers", "V5-DMGMOD-5", ge=-10, le=10)] = 0
    facing: Annotated[Facing, meta("circumstances", "Facing shot at", "V5-SHOT-4")] = "front"
    half_range: Annotated[bool, meta("circumstances", "Within half its range", "V5-CORE-11")] = False
    ignores_cover: Annotated[bool, meta("circumstances", "No cover against it", "V5-CORE-4")] = False
    rim: Annotated[bool, meta("circumstances", "Only the rim of its marker is on the hull", "V5-SHOT-9")] = False
    touches_friend: Annotated[bool, meta("circumstances", "Its template touches a friend", "V5-SHOT-6")] = False
    rules: Annotated[tuple[str, ...], meta("attacker", "Special rules")] = ()


FOUR_LASCANNONS = (Gun(shots=4, strength=9, ap=2),)
Guns = Annotated[tuple[Gun, ...], meta("attacker", "Guns, in firing order", "V5-VOLLEY-1")]
Cover = Annotated[Save | None, meta("circumstances", "Cover save, whatever else there is", "V5-CORE-4")]


def condition_of(target: Any, rules: Rulings = DEFAULT) -> Condition:
    """The vehicle as it stands before anything happens to it, by the fields that a Target has for it."""
    names = target.weapon_names or ("weapon",) * target.weapons
    for name in target.melee_weapons:
        if name not in names:
            raise UnknownName("weapon", name, dict.fromkeys(names), source="melee_weapons", clause="V5-DMG-3")
    state = Condition(target.shaken, target.stunned, target.immobilised)
    condition = condition_with(names, target.melee_weapons, state, rules)
    return replace(condition, crash=crash_of(book.traits_of(target.types), target.band, rules))


def refuse_target(target: Any) -> Refused | None:
    """Why a vehicle cannot be in the state that was given."""
    return refuse_band(target.band, book.traits_of(target.types))


def sound_condition(target: Any, rules: Rulings) -> Condition:
    """The vehicle as it stands; raises Refused where it cannot be in such a state."""
    refused = refuse_target(target)
    if refused is not None:
        raise refused
    return condition_of(target, rules)


def mark_of(target: Target, cover: int | None, rules: Rulings = DEFAULT) -> Mark:
    """The target as it is aimed at, with this cover save or with that of terrain, speed and smoke."""
    traits = book.traits_of(target.types)
    if cover is None:
        state = Condition(immobilised=target.immobilised)
        cover = best_cover(traits, target.band, state, target.smoke, target.terrain_cover, rules)
    return Mark(target.front, target.side, target.rear, cover or 0, traits.open_topped)


def shots_of(gun: Gun, mark: Mark, rules: Rulings = DEFAULT) -> tuple[Shot, ...]:
    """Every shot of a gun, ready to be fired."""
    facing, strength = lies_on(gun)
    needs = 0 if gun.auto else hit_needs(gun.bs)
    same = {name: getattr(gun, name) for name in ("ap", "dice", "bonus", "extra", "half_range")}
    aim = Aim(gun.weapon or "gun", needs, strength, **same)
    mark = replace(mark, cover=0) if gun.ignores_cover else mark
    return (shot_at(aim, mark, facing, gun.rules, rules),) * (gun.shots * gun.models)


@clause("V5-SHOT-6", "V5-SHOT-9")
def lies_on(gun: Gun) -> tuple[Facing, int]:
    """The facing and strength of a gun's hits: half of it by the rim of a marker; raises Refused for a bad template."""
    hit = template_hit(halved(gun.strength) if gun.rim else gun.strength, gun.facing, gun.touches_friend)
    if isinstance(hit, Refused):
        raise hit
    return hit


def volley_of(guns: tuple[Gun, ...], target: Target, cover: int | None, rules: Rulings = DEFAULT) -> tuple[Shot, ...]:
    """Every shot of a volley in the order fired; guns without a name are numbered."""
    if not guns:
        raise BadInput("guns want at least one gun, such as “weapon=Lascannon”; got none (V5-VOLLEY-1).", field="guns")
    count = sum(gun.shots * gun.models for gun in guns)
    if count > MOST_SHOTS:
        raise BadInput(f"guns want {MOST_SHOTS:,} shots or fewer in all; got {count:,}.", field="guns")
    mark = mark_of(target, cover, rules)
    if len(guns) > 1:
        guns = tuple(gun if gun.weapon else replace(gun, weapon=f"gun {at}") for at, gun in enumerate(guns, 1))
    return tuple(shot for gun in guns for shot in shots_of(gun, mark, rules))


# --- profiles written out -------------------------------------------------------------------------------------------
Fill: TypeAlias = Callable[[Mapping[str, Any]], Any]
"""From the inputs a player gave to the same with the numbers of a profile."""


def fill_gun(given: Mapping[str, Any], profiles: ProfileBook, inputs: type[Inputs] | None = None) -> dict[str, Any]:
    """Numbers of the named weapon, where the player gave none of his own."""
    if not given.get("weapon"):
        return dict(given)
    ways = book.modes(profiles, str(given["weapon"]))
    if len(ways) > 1:
        names = " or ".join(way.name for way in ways)
        raise BadInput(f"weapon wants one way to fire a {given['weapon']}: {names}", field="weapon")
    weapon = ways[0]
    if weapon.strength is None:
        reason = f"weapon wants one that can be fired; got {weapon.name!r}, which is for striking (V5-CORE-21)."
        raise BadInput(reason, field="weapon")
    numbers = {key: getattr(weapon, key) for key in ("strength", "ap", "shots")}
    more = given.get("rules") or ()
    own = more.split(",") if isinstance(more, str) else more
    rules = dict.fromkeys((*book.rules_of(weapon), *(str(rule).strip() for rule in own)))
    return _filled({**given, "rules": tuple(rules)}, "weapon", weapon.name, numbers, inputs)


def fill_from(
    given: Mapping[str, Any],
    key: str,
    kind: str,
    profiles: ProfileBook,
    numbers: Callable[[Any], Mapping[str, Any]],
    inputs: type[Inputs] | None = None,
) -> dict[str, Any]:
    """Numbers of the profile named by a key, where the player gave none; with `inputs`, those it has fields for."""
    if not given.get(key):
        return dict(given)
    profile = profiles.find(kind, str(given[key]))
    return _filled(given, key, profile.name, numbers(profile), inputs)


def _filled(
    given: Mapping[str, Any], key: str, name: str, numbers: Mapping[str, Any], inputs: type[Inputs] | None
) -> dict[str, Any]:
    known = numbers if inputs is None else {field.name for field in fields(inputs)}
    return {**{key: value for key, value in numbers.items() if key in known}, **given, key: name}


def fill_walker(given: Mapping[str, Any], profiles: ProfileBook, inputs: type[Inputs] | None = None) -> dict[str, Any]:
    """Numbers of the named walker, where the player gave none of his own."""

    def numbers(walker: Vehicle) -> dict[str, Any]:
        if not book.traits(walker).walker:
            names = ", ".join(name for name, other in profiles.entries["vehicle"].items() if book.traits(other).walker)
            reason = f"walker wants a walker; got {walker.name!r}, which is none. Walkers: {names}."
            raise BadInput(reason, field="walker")
        own = {
            "weapon_names": book.labels(walker),
            "dccw": book.walker_weapons(walker, profiles),
            "types": walker.types,
        }
        keys = ("ws", "strength", "initiative", "attacks", "front", "side", "rear")
        return own | {key: getattr(walker, key) for key in keys}

    return fill_from(given, "walker", "vehicle", profiles, numbers, inputs)


def fill_unit(
    given: Mapping[str, Any], profiles: ProfileBook, inputs: type[Inputs] | None = None, key: str = "unit"
) -> dict[str, Any]:
    """Numbers of the named troops, where the player gave none of his own."""

    def numbers(unit: Unit) -> dict[str, Any]:
        names = [name for name in Unit.__struct_fields__ if name not in ("name", "type", "weapons")]
        own = {name: getattr(unit, name) for name in names}
        return dict(own, fearless=book.is_fearless(unit), heavy=book.heavy_strikers(unit, profiles))

    return fill_from(given, key, "unit", profiles, numbers, inputs)


@clause("V5-GREN-1", "V5-GREN-2", "V5-GREN-3", "V5-ASLT-4")
def grenade_numbers(name: str, profiles: ProfileBook, unit: str = "") -> dict[str, Any]:
    """Name, strength and dice of a grenade, by its printed kind or its profile; a named unit must carry such a one."""
    kind = name.strip().lower().replace(" ", "_")
    if kind in GRENADES:
        (strength, dice), kept = GRENADES[kind], kind
    else:
        weapon: Weapon = profiles.find("weapon", name)
        if weapon.type != "grenade":
            known = [name for name, weapon in profiles.entries["weapon"].items() if weapon.type == "grenade"]
            raise UnknownName("grenade", name, [*GRENADES, *known])
        kept, strength = weapon.name, weapon.strength or 1
        dice = aimed(Blow("", 1, 1, rules=weapon.rules), 0, 10)[0].dice  # at arm's length
    carried = profiles.find("unit", unit).grenades if unit else ()
    if unit and strength not in {profiles.find("weapon", grenade).strength for grenade in carried}:
        has = ", ".join(carried) or "none"
        raise BadInput(f"grenade wants one that {unit} carry ({has}); got {name!r}.", field="grenade")
    return {"grenade": kept, "strength": strength, "dice": dice}


def fill_many(given: Mapping[str, Any], key: str, fill: Fill, name: str) -> dict[str, Any]:
    """Fill every entry of a list; a bare name, or “2 x name”, will do for one."""
    entries = given.get(key)
    if isinstance(entries, str) and entries.strip().lower() not in ("", "-", "none"):
        entries = split_entries(entries)
    if not isinstance(entries, (list, tuple)):
        return dict(given)
    return {**given, key: [_entry(entry, key, fill, name) for entry in entries]}


def _entry(entry: Any, key: str, fill: Fill, name: str) -> Any:
    if isinstance(entry, str) and not entry.strip():
        raise BadInput(f"{key} want a name, or numbers such as “strength=9”, for each of them; got ''.", field=key)
    if isinstance(entry, str) and "=" in entry:
        return fill(parse_pairs(entry, key))
    if isinstance(entry, str):
        count, _, named = entry.partition(" x ")
        return fill({name: named, "models": count} if named else {name: entry})
    return fill(entry) if isinstance(entry, Mapping) else entry


def fill_targeted(given: Mapping[str, Any], profiles: ProfileBook, inputs: type[Inputs]) -> dict[str, Any]:
    """Numbers of the named vehicle, where the player gave none; weapons that it does not have are refused."""
    refuse_contradiction(given)
    if not given.get("vehicle"):
        return dict(given)
    vehicle: Vehicle = profiles.find("vehicle", str(given["vehicle"]))
    numbers: dict[str, Any] = {key: getattr(vehicle, key) for key in Vehicle.__struct_fields__}
    numbers |= {"smoke_launchers": book.has_smoke(vehicle), "weapon_names": book.labels(vehicle)}
    counted = {"weapon_names"} if "weapons" in given else set()
    numbers = {key: value for key, value in numbers.items() if key not in {"name", "mounts", "access"} | counted}
    filled = _filled(given, "vehicle", vehicle.name, numbers, inputs)
    every, ranged = book.labels(vehicle), book.labels(vehicle, Rulings(melee_weapon_can_be_destroyed=False))
    if "weapons" not in given:
        names = _names_in(filled["weapon_names"])
        filled["weapon_names"] = tuple(book.label_of(book.find_fitting(vehicle, name)) for name in names)
        filled["weapons"] = len(filled["weapon_names"])
    left = filled.get("weapon_names", ()) or ()
    filled.setdefault("melee_weapons", tuple(name for name in every if name not in ranged and name in left))
    return filled


@clause("V5-DMG-3")
def refuse_contradiction(given: Mapping[str, Any]) -> None:
    """Refuse a number of weapons that is not that of their names."""
    names, count = given.get("weapon_names"), given.get("weapons")
    if names is None or count is None:
        return
    listed = _names_in(names)
    if listed and str(count).strip() != str(len(listed)):
        reason = f"weapons and weapon_names want the same weapons; got {count} and {', '.join(map(str, listed))}"
        raise BadInput(f"{reason}. Give one of them only (V5-DMG-3).", field="weapons")


def _names_in(names: Any) -> list[Any]:
    if not isinstance(names, str):
        return list(names)
    return [name.strip() for name in names.split(",") if name.strip().lower() not in ("", "none", "-")]


def fill_guns(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Numbers of the named weapons in `guns`; “4 x lascannon” will do for one of them."""
    return fill_many(given, "guns", lambda gun: _fill_gun(gun, profiles), "weapon")


@clause("V5-CORE-3", "V5-ORD-2")
def _fill_gun(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Numbers of a named weapon; what scatters or is thrown is refused, unless its hit is certain."""
    filled = fill_gun(given, profiles, Gun)
    if not filled.get("weapon"):
        return filled
    weapon = book.modes(profiles, filled["weapon"])[0]
    if weapon.type == "grenade":
        reason = f"weapon wants one that can be fired; got {weapon.name!r}, a grenade, which is used in an assault"
        raise BadInput(f"{reason}: ask assault with grenade={weapon.name!r} (V5-ASLT-4).", field="weapon")
    is_certain = str(given.get("auto", "")).strip().lower() in ("true", "yes", "on", "1")
    if weapon.blast and not is_certain:
        clause = "V5-ORD-2" if weapon.type == "ordnance" else "V5-CORE-3"
        reason = f"weapon wants one that rolls to hit; got {weapon.name!r}, whose {weapon.blast} blast scatters instead"
        raise BadInput(f"{reason}: ask ordnance, or give auto=yes for a sure hit ({clause}).", field="weapon")
    return filled


# --- what may come of it --------------------------------------------------------------------------------------------


class Seen(Struct, frozen=True):
    """A vehicle before and after, as the measures of damage read it."""

    start: Condition
    now: Condition


def _is(name: str, title: str, test: Callable[[Condition, Condition], bool]) -> Measure:
    """1 or 0, so that chances and means both read well."""
    return Measure(name, title, lambda state: int(test(state.start, state.now)))


DAMAGE = (
    Measure("worst", "The worst that happens", lambda state: worst(state.start, state.now)),
    _is("destroyed", "Wrecked or exploded", lambda start, now: now.is_destroyed),
    _is("wrecked", "Wrecked", lambda start, now: now.status == "wrecked"),
    _is("exploded", "Exploded", lambda start, now: now.status == "exploded"),
    _is("immobilised_or_worse", "Immobilised, wrecked or exploded", lambda start, now: now.is_stuck),
    _is("cannot_move_next_turn", "Cannot move in its next turn", lambda start, now: now.stunned or now.is_stuck),
    _is("cannot_shoot_next_turn", "Cannot shoot in its next turn", lambda start, now: now.is_silent),
    Measure("weapons_lost", "Weapons lost", lambda state: len(state.start.weapons) - len(state.now.weapons), "weapons"),
    _is("weapon_lost_or_destroyed", "A weapon lost, or destroyed", lambda start, now: now.has_lost(start)),
    _is("unchanged", "Nothing changed", lambda start, now: now == start),
    Measure("result", "Condition afterwards", lambda state: wear(state.now, len(state.start.weapons))),
)
"""Read off any state with `start` and `now`, both conditions."""
EXPECTED = (
    Measure("expected_hits", "Hits expected", lambda state: state.expected.hits, "hits"),
    Measure("expected_glances", "Glances expected", lambda state: state.expected.glancing, "glances"),
    Measure("expected_penetrations", "Penetrations expected", lambda state: state.expected.penetrating, "penetrations"),
)
"""Read off any state with `expected`; the same in every state, so that the mean is the number."""
