"""What questions share: profiles written out, the target, the guns that fire at it, measures of damage, and words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from types import SimpleNamespace
from typing import Annotated, Any

from battletape.cards import (
    Answer,
    Inputs,
    Lead,
    Measure,
    ProfileBook,
    Roll,
    Rung,
    asked,
    described,
    fill_from,
    named_entry,
    parse_pairs,
    split_entries,
)
from battletape.rulebook import (
    BadInput,
    Caution,
    Meta,
    State,
    UnknownName,
    capital,
    clause,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.vehicles5.profiles import book
from battletape.rulesets.vehicles5.profiles.types import Armour, Seats, Stat, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.rules import assault, blasts, damage, geometry, keywords, movement, shooting, troops
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.keywords import WEAPON_RULES
from battletape.rulesets.vehicles5.rules.shooting import Shot
from battletape.rulesets.vehicles5.rules.traits import Ap, Band, PenDice, Relation, Status
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.facings import Facing

MAX_SHOTS = 2_000
TYPES = ("fast", "tank", "skimmer", "walker", "open_topped")

# What several questions take, described once; a base class cannot be shared, because of the order of the fields.
Names = tuple[str, ...]
VehicleName = Annotated[str, described("Vehicle profile", group="target", profile="vehicle")]
Types = Annotated[Names, described("Types", "V5-FAST-1", group="target", known=TYPES)]
Weapons = Annotated[int, described("Intact weapons", "V5-DMG-3", group="target", ge=0, le=12, short="Weapons")]
WeaponNames = Annotated[Names, described("Intact weapons by name", "V5-DMG-3", group="target", profile="weapon")]
MeleeWeapons = Annotated[
    Names,
    described("Close-combat weapons among them", "V5-DMG-3", group="target", among=lambda inputs: inputs.weapon_names),
]
Shaken = Annotated[bool, described("Crew shaken", "V5-DMG-1", group="target")]
Stunned = Annotated[bool, described("Crew stunned", "V5-DMG-2", group="target")]
Immobilised = Annotated[bool, described("Immobilised", "V5-DMG-4", group="target")]
Destroyed = Annotated[Status, described("Wrecked or exploded", "V5-DMG-5", group="target")]
Capacity = Annotated[Seats, described("Models it can carry", "V5-TRAN-1", group="target")]
UnitName = Annotated[str, described("Unit profile", group="target", profile="unit")]
OwnUnit = Annotated[str, described("Unit profile", group="attacker", profile="unit")]
WeaponName = Annotated[str, described("Weapon profile", group="attacker", profile="weapon")]
Strength = Annotated[Stat, described("Strength", group="attacker", short="S")]
WeaponAp = Annotated[
    Ap | None,
    Meta(description="– is the dash of a profile; none is for what has no AP at all, such as a blow or a grenade"),
    described("AP", "V5-DMGMOD-2", group="attacker", short="AP"),
]
Dice = Annotated[PenDice, described("Penetration dice", "V5-PEN-1", group="attacker")]
Extra = Annotated[int, described("Further damage modifiers", "V5-DMGMOD-5", group="attacker", ge=-10, le=10)]
SpecialRules = Annotated[Names, described("Special rules", group="attacker", known=WEAPON_RULES)]
OnRoad = Annotated[bool, described("The whole move is on a road", "V5-MOVE-4", group="circumstances")]
Save = Annotated[int, Meta(ge=2, le=6, extra={"form": "save", "clause": "V5-CORE-4"})]
"""A cover save."""
_RELATIONS = "starting in it, going into it or through it; skimmers: flying over it or landing in it"
OnGround = Annotated[Relation, Meta(description=_RELATIONS, extra={"clause": "V5-TERR-2"})]
"""How a move meets bad ground."""


class TargetInputs(Inputs, frozen=True):
    """A vehicle, what it has suffered and how it moved."""

    vehicle: VehicleName = ""
    front: Armour = asked(12, "Front armour", group="target", short="Front")
    side: Armour = asked(11, "Side armour", group="target", short="Side")
    rear: Armour = asked(10, "Rear armour", group="target", short="Rear")
    types: Types = ()
    weapons: Weapons = 1
    weapon_names: WeaponNames = ()
    melee_weapons: MeleeWeapons = ()
    shaken: Shaken = False
    stunned: Stunned = False
    immobilised: Immobilised = False
    band: Band = asked(
        "combat", "Speed of its last move", "V5-MOVE-7", group="circumstances", form="circumstance", short="Speed"
    )
    smoke: bool = asked(
        False, "Smoke hangs about it", "V5-SMOKE-3", group="circumstances", form="circumstance", short="Smoke"
    )
    terrain_cover: Save | None = asked(
        None, "Cover save from terrain", "V5-SHOT-2", group="circumstances", form="circumstance", short="In cover"
    )


class Gun(Inputs, count="models", frozen=True):
    """One kind of gun and all its shots at one facing."""

    weapon: WeaponName = ""
    shots: int = asked(1, "Shots of one gun", group="attacker", short="Shots", ge=1, le=60)
    models: int = asked(1, "Guns that fire", group="attacker", form="count", ge=1, le=100)
    bs: int = asked(4, "BS", "V5-CORE-1", group="attacker", short="BS", ge=0, le=10)
    auto: bool = asked(False, "Hits without a roll", group="attacker")
    strength: Strength = 8
    ap: WeaponAp = None
    dice: Dice = "d6"
    bonus: int = asked(0, "Bonus to penetration", "V5-PEN-1", group="attacker", ge=-10, le=10)
    extra: Extra = 0
    facing: Facing = asked("front", "Facing shot at", "V5-SHOT-4", group="circumstances", form="facing", short="Facing")
    half_range: bool = asked(
        False, "Within half its range", "V5-CORE-11", group="circumstances", form="circumstance", short="Half range"
    )
    ignores_cover: bool = asked(False, "No cover against it", "V5-CORE-4", group="circumstances")
    rim: bool = asked(False, "Only the rim of its marker is on the hull", "V5-SHOT-9", group="circumstances")
    touches_friend: bool = asked(False, "Its template touches a friend", "V5-SHOT-6", group="circumstances")
    rules: SpecialRules = ()


FOUR_LASCANNONS = (Gun(shots=4, strength=9, ap=2),)
Guns = Annotated[
    tuple[Gun, ...], described("Guns", "V5-VOLLEY-1", about=", in firing order", group="attacker", short="gun")
]
Cover = Annotated[Save | None, described("Set the save myself", "V5-CORE-4", group="circumstances")]


def part_of(inputs: Inputs, prefix: str) -> Any:
    """Return the inputs whose names begin with a prefix, without it."""
    names = [name for name in inputs.__struct_fields__ if name.startswith(prefix)]
    return SimpleNamespace(**{name.removeprefix(prefix): getattr(inputs, name) for name in names})


def condition_from_inputs(given: Any, weapons: tuple[str, ...] = ()) -> Condition:
    """Return the condition that the inputs of a vehicle describe, with these weapons intact."""
    status: Status = getattr(given, "status", "ok")
    return Condition(given.shaken, given.stunned, given.immobilised, weapons, status)


def condition_of(target: Any, rulings: Rulings) -> Condition:
    """Return a vehicle's condition at the start, by the fields of a Target."""
    names = target.weapon_names or ("weapon",) * target.weapons
    melee = getattr(target, "melee_weapons", ())
    for name in melee:
        if name not in names:
            raise UnknownName("weapon", name, dict.fromkeys(names), source="melee_weapons", clause="V5-DMG-3")
    condition = damage.condition_with(names, melee, condition_from_inputs(target), rulings)
    band: Band = getattr(target, "band", "stationary")
    return replace(condition, crash=damage.crash_of(book.traits_of(target.types), band, rulings))


def checked_condition(target: Any, rulings: Rulings) -> Condition:
    """Return a vehicle's condition at the start; raise Refused if it cannot go so fast."""
    raise_if_refused(movement.refuse_band(target.band, book.traits_of(target.types)))
    return condition_of(target, rulings)


def target_armour_of(target: TargetInputs, cover: int | None, rulings: Rulings) -> shooting.TargetArmour:
    """Return the armour and cover of a target, with this cover save or its own."""
    traits = book.traits_of(target.types)
    if cover is None:
        condition = condition_from_inputs(target)
        cover = shooting.best_cover(traits, target.band, condition, target.smoke, target.terrain_cover, rulings)
    return shooting.TargetArmour(target.front, target.side, target.rear, cover or 0, traits.open_topped)


@clause("V5-SHOT-6", "V5-SHOT-9")
def facing_and_strength(gun: Gun) -> tuple[Facing, int]:
    """Return the facing and strength of a gun's hits; raise Refused for a bad template."""
    raise_if_refused(geometry.refuse_flame(gun.touches_friend))
    return blasts.blast_hit(gun.strength, not gun.rim, gun.facing, gun.facing)


def volley_of(guns: tuple[Gun, ...], target: TargetInputs, cover: int | None, rulings: Rulings) -> tuple[Shot, ...]:
    """Return every shot of a volley in the order fired."""
    if not guns:
        such = "such as “weapon=Lascannon”; got none."
        raise BadInput.of("guns", f"must name one gun or more, {such}", clause="V5-VOLLEY-1")
    count = sum(gun.shots * gun.models for gun in guns)
    if count > MAX_SHOTS:
        raise BadInput.of("guns", f"must fire {MAX_SHOTS:,} shots or fewer in all; got {count:,}.")
    armour = target_armour_of(target, cover, rulings)
    shots: list[Shot] = []
    for number, gun in enumerate(guns, 1):
        facing, strength = facing_and_strength(gun)
        draft = shooting.ShotDraft(
            gun.weapon or (f"gun {number}" if len(guns) > 1 else "gun"),
            0 if gun.auto else shooting.bs_to_hit(gun.bs),
            strength,
            ap=gun.ap,
            dice=gun.dice,
            bonus=gun.bonus,
            extra=gun.extra,
            half_range=gun.half_range,
        )
        armour_seen = replace(armour, cover=0) if gun.ignores_cover else armour
        shot = keywords.shot_at(draft, armour_seen, facing, gun.rules, rulings)
        shots += [shot] * (gun.models * keywords.max_hits(gun.rules, gun.shots))
    return tuple(shots)


# --- profiles written out -------------------------------------------------------------------------------------------


def fill_unit(
    given: Mapping[str, Any], profiles: ProfileBook, inputs: type[Inputs], key: str = "unit", prefix: str = ""
) -> dict[str, Any]:
    """Fill in the numbers of a named unit, as far as the inputs have such fields."""
    names = [name for name in UnitProfile.__struct_fields__ if name not in ("name", "type", "weapons")]
    read: dict[str, Callable[[Any], Any]] = {name: attrgetter(name) for name in names}
    read = dict(
        read,
        fearless=lambda unit: keywords.FEARLESS in unit.rules,
        heavy=lambda unit: book.heavy_strikers(unit, profiles),
    )
    known = {prefix + name: value_of for name, value_of in read.items() if prefix + name in inputs.__struct_fields__}
    return fill_from(given, "unit", profiles, key=key, **known)


def fill_targeted(given: Mapping[str, Any], profiles: ProfileBook, inputs: type[Inputs]) -> dict[str, Any]:
    """Fill in the numbers of a named vehicle; weapons that it does not have are refused."""
    raise_if_refused(refuse_contradiction(given))
    known = [name for name in VehicleProfile.__struct_fields__ if name in inputs.__struct_fields__]
    filled = fill_from(given, "vehicle", profiles, *known)
    if not filled.get("vehicle"):
        return filled
    vehicle: VehicleProfile = profiles.find("vehicle", filled["vehicle"])
    if "weapons" not in given:
        names = _names_in(given.get("weapon_names", book.labels(vehicle)))
        filled["weapon_names"] = tuple(book.label_of(book.find_fitting(vehicle, name)) for name in names)
        filled["weapons"] = len(filled["weapon_names"])
    left = filled.get("weapon_names") or ()
    filled.setdefault("melee_weapons", tuple(name for name in book.labels(vehicle, "arm") if name in left))
    return filled


@clause("V5-DMG-3")
def refuse_contradiction(given: Mapping[str, Any]) -> BadInput | None:
    """Refuse a number of weapons that is not that of their names."""
    count = given.get("weapons")
    names = _names_in(given.get("weapon_names") or ())
    if count is not None and names and str(count).strip() != str(len(names)):
        given_values = f"got {count} and {', '.join(map(str, names))}"
        reason = f"weapons and weapon_names must be the same weapons; {given_values}"
        return BadInput(f"{reason}. Give one of them only.", field="weapons", clause="V5-DMG-3")
    return None


def _names_in(names: Any) -> list[Any]:
    if not isinstance(names, str):
        return list(names)
    return [name.strip() for name in names.split(",") if name.strip().lower() not in ("", "none", "-")]


def fill_many(
    given: Mapping[str, Any],
    key: str,
    fill: Callable[[Mapping[str, Any]], Any],
    name: str,
    known: Iterable[str] = (),
) -> dict[str, Any]:
    """Fill every entry of a list; a bare name, or “2 x name”, will do for one. `known` are the names it may have."""
    entries = given.get(key)
    if isinstance(entries, str) and entries.strip().lower() not in ("", "-", "none"):
        entries = split_entries(entries)
    if not isinstance(entries, (list, tuple)):
        return dict(given)
    filled = []
    for entry in entries:
        if isinstance(entry, str) and not entry.strip():
            raise BadInput.of(key, "need a name, or numbers such as “strength=9”, for each of them; got ''.")
        if isinstance(entry, str) and name == "guns":
            entry = parse_pairs(entry, key, name)
        entry = named_entry(entry, name, known=known, source=key)
        filled.append(fill(entry) if isinstance(entry, Mapping) else entry)
    return {**given, key: filled}


def fill_gun(given: Mapping[str, Any], profiles: ProfileBook, inputs: type[Inputs]) -> dict[str, Any]:
    """Fill in the numbers of a named weapon that the player did not give."""
    if not given.get("weapon"):
        return dict(given)
    ways = book.modes(profiles, str(given["weapon"]))
    if len(ways) > 1:
        names = " or ".join(way.name for way in ways)
        raise BadInput.of("weapon", f"must be one way to fire a {given['weapon']}: {names}")
    weapon = need_ranged(ways[0])
    known = [key for key in inputs.__struct_fields__ if key in ("strength", "ap", "shots")]
    numbers = {key: getattr(weapon, key) for key in known}
    more = given.get("rules") or ()
    own = more.split(",") if isinstance(more, str) else more
    rules = dict.fromkeys((*book.rules_of(weapon), *(str(rule).strip() for rule in own)))
    return {**numbers, **given, "rules": tuple(rules), "weapon": weapon.name}


@clause("V5-CORE-21", "V5-ASLT-4")
def need_ranged(weapon: WeaponProfile) -> WeaponProfile:
    """Return a weapon that can be fired; raise BadInput for one that is for close combat."""
    if troops.refuse_close_combat_weapon(weapon) is None:
        return weapon
    what = "which is for striking (V5-CORE-21)"
    if weapon.type == "grenade":
        what = f"a grenade, which is used in an assault: ask assault with grenade={weapon.name!r} (V5-ASLT-4)"
    raise BadInput.of("weapon", f"must be one that can be fired; got {weapon.name!r}, {what}.")


def fill_guns(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of the weapons named in `guns`."""
    known = profiles.entries["weapon"] if given.get("guns") else ()
    return fill_many(given, "guns", lambda gun: _fill_gun(gun, profiles), "weapon", known)


@clause("V5-CORE-3", "V5-ORD-2")
def _fill_gun(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of a named weapon that does not scatter."""
    filled = fill_gun(given, profiles, Gun)
    if not filled.get("weapon"):
        return filled
    weapon = book.modes(profiles, filled["weapon"])[0]
    if weapon.blast and not is_yes(given.get("auto")):
        by = "V5-ORD-2" if weapon.type == "ordnance" else "V5-CORE-3"
        cause = f"got {weapon.name!r}, whose {weapon.blast} blast scatters instead"
        do = "ask ordnance, or give auto=yes for a sure hit"
        raise BadInput.of("weapon", f"must be one that rolls to hit; {cause}: {do}.", clause=by)
    return filled


def is_yes(given: Any) -> bool:
    """Return whether an input as the player wrote it means yes."""
    return str(given).strip().lower() in ("true", "yes", "on", "1")


@clause("V5-GREN-1", "V5-GREN-2", "V5-GREN-3", "V5-ASLT-4")
def grenade_numbers(name: str, profiles: ProfileBook, unit: str = "") -> dict[str, Any]:
    """Name, strength and dice of a grenade; a named unit must carry such a one."""
    known = profiles.entries["weapon"]
    blow = assault.grenade_blow(name, 1, known.values())
    kept = next((weapon for weapon in known if weapon.lower() == name.strip().lower()), assault.grenade_kind(name))
    carried = profiles.find("unit", unit).grenades if unit else ()
    if unit and blow.strength not in {profiles.find("weapon", grenade).strength for grenade in carried}:
        has = ", ".join(carried) or "none"
        raise BadInput.of("grenade", f"must be one carried by {unit} ({has}); got {name!r}.")
    return {"grenade": kept, "strength": blow.strength, "dice": blow.dice}


# --- what may come of it --------------------------------------------------------------------------------------------


class BeforeAfter(State, frozen=True):
    """A vehicle before and after, as the measures of damage read it."""

    start: Condition
    now: Condition


def yes_no_measure(name: str, title: str, test: Callable[[Any], bool], low_for: str = "defender") -> Measure:
    """Return a measure that is 1 or 0; `low_for` is the side that is better off without it."""
    return Measure(name, title, lambda state: int(test(state)), low_for=(low_for,))


def condition_measure(name: str, title: str, test: Callable[[Condition], bool]) -> Measure:
    """Return a measure that is 1 or 0, of a vehicle's condition afterwards."""
    return yes_no_measure(name, title, lambda state: test(state.now))


def weapons_lost(before: Condition, after: Condition) -> int:
    """Return how many weapons are gone."""
    return len(before.weapons) - len(after.weapons)


def _rung(title: str, value: str, about: str, sign: str, group: str = "") -> Rung:
    return Rung(title, value.__eq__, about, sign, group, grave=bool(group))


LADDER = (
    _rung("Explodes", "exploded", "damage 6", "burst", "Destroyed"),
    _rung("Wrecked", "wrecked", "damage 5", "wreck", "Destroyed"),
    _rung("Immobilised", "immobilised", "damage 4", "track"),
    _rung("Weapon lost", "weapon lost", "damage 3", "gun"),
    _rung("Stunned", "stunned", "damage 2", "stars"),
    _rung("Shaken", "shaken", "damage 1 or less", "shake"),
    _rung("No change", damage.UNCHANGED, "nothing new gets through", "sound"),
)
"""The damage table from its worst row down."""
RESULTS = (damage.UNCHANGED, "shaken", "stunned", "weapon lost", "immobilised", "wrecked", "exploded")
DAMAGE = (
    Measure(
        "worst",
        "The worst that happens",
        lambda state: damage.worst_change(state.start, state.now),
        values=RESULTS,
        ladder=LADDER,
    ),
    condition_measure("destroyed", "Wrecked or exploded", lambda condition: condition.is_destroyed),
    condition_measure("wrecked", "Wrecked", lambda condition: condition.status == "wrecked"),
    condition_measure("exploded", "Exploded", lambda condition: condition.status == "exploded"),
    condition_measure("immobilised_or_worse", "Immobilised, wrecked or exploded", lambda condition: condition.is_stuck),
    condition_measure(
        "cannot_move_next_turn",
        "Cannot move in its next turn",
        lambda condition: condition.stunned or condition.is_stuck,
    ),
    condition_measure("cannot_shoot_next_turn", "Cannot shoot in its next turn", lambda condition: condition.is_silent),
    Measure("weapons_lost", "Weapons lost", lambda state: weapons_lost(state.start, state.now), "weapons"),
    yes_no_measure(
        "weapon_lost_or_destroyed", "A weapon lost, or destroyed", lambda state: state.now.has_lost(state.start)
    ),
    yes_no_measure("unchanged", "Nothing changed", lambda state: state.now == state.start, "attacker"),
    Measure(
        "result", "Condition afterwards", lambda state: damage.condition_summary(state.now, len(state.start.weapons))
    ),
)
"""Read off any state with `start` and `now`, both conditions."""


def own_damage() -> tuple[Measure, ...]:
    """Return the measures of damage for a vehicle of the attacker, which is better off with little."""
    other = {"defender": "attacker", "attacker": "defender"}
    return tuple(replace(measure, low_for=tuple(other[side] for side in measure.low_for)) for measure in DAMAGE)


DAMAGE_RULINGS = ("repeat_damage", "ap_none_modifier", "damage_range", "melee_weapon_can_be_destroyed", "crash_on")
"""Those that can change what a damage roll does."""
VOLLEY_RULINGS = ("volley_order", "cover_step", "smoke_cover", *DAMAGE_RULINGS)
EXPECTED = (
    Measure("expected_hits", "Hits expected", lambda state: state.expected.hits, "hits"),
    Measure("expected_glances", "Glances expected", lambda state: state.expected.glancing, "glances"),
    Measure("expected_penetrations", "Penetrations expected", lambda state: state.expected.penetrating, "penetrations"),
)
"""Read off any state with `expected`; the same in every state, so that the mean is the number."""


# --- in words ---------------------------------------------------------------------------------------------------


def harmless_warnings(shots: Iterable[Shot]) -> list[str | Caution]:
    """Return a sentence for each gun that cannot hit, or cannot even glance."""
    warnings: dict[str, None] = {}
    for shot in shots:
        most = damage.HIGHEST_TOTAL[shot.dice]
        if shot.armour_gap > most:
            why = f"its dice show {most} at most, {shot.armour_gap} glances"
            warnings[f"{shot.name} cannot harm this armour: {why}"] = None
        elif shot.hits_on > 6:
            warnings[f"{shot.name} cannot hit with a BS of 0"] = None
    return list(warnings)


def damage_chances(answer: Answer) -> str:
    """Say how likely the vehicle is destroyed, and how likely it is immobilised or worse."""
    stuck = answer.chance("immobilised_or_worse")
    return f"destroyed {answer.chance('destroyed')}, immobilised or worse {stuck}"


DAMAGE_LEAD = (
    Lead("destroyed", lambda answer: f"destroyed; {answer.chance('immobilised_or_worse')} immobilised or worse"),
    Lead("immobilised_or_worse", "immobilised or worse"),
    Lead("unchanged", "unharmed"),
)
"""The first question at the table: is the vehicle destroyed, else does it still drive."""


def damage_headline(answer: Answer) -> str:
    """Say how likely the vehicle is destroyed, and how many hits are expected."""
    return f"{capital(damage_chances(answer))}; {answer.average('expected_hits')} hits expected."


def damage_result(roll: Roll) -> str:
    """Say what shots or blows did: the worst result, and the hits that led to it."""
    worst, hits = result_words(roll.results["worst"]), hits_summary(roll)
    if worst == UNHARMED:
        return f"{capital(hits)}." if hits == NO_HIT else f"{hits}: {worst}."
    return f"{capital(worst)}: {hits}."


NO_HIT, UNHARMED = "no hit", "unharmed"


def result_words(worst: str) -> str:
    """Write the worst result of a roll in the words of the table."""
    return {damage.UNCHANGED: UNHARMED, "weapon lost": "a weapon lost"}.get(str(worst), str(worst))


def hits_summary(roll: Roll) -> str:
    """Count the hits of a roll, its glances and its penetrations: “3 hits, 1 glance, 1 penetration”."""
    through = roll.came("penetration", "D3 more")
    hits = max(roll.came("to hit", "to hit again")[True], sum(roll.came("penetration").values()))
    parts = [plural(hits, "hit")] if hits else [NO_HIT]
    kinds = (("glance", "glance"), ("penetrate", "penetration"))
    parts += [plural(through[kind], word) for kind, word in kinds if through[kind]]
    saved = roll.came("cover save")[True]
    return ", ".join([*parts, f"{saved} saved"] if saved else parts)
