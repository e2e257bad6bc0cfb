"""What questions share: the target, the weapon, how it is aimed, and the numbers of named profiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from battletape.cards import Field, Inputs, ProfileBook, asked, described, fields
from battletape.rulebook import (
    BadInput,
    Caution,
    InputName,
    Meta,
    Refused,
    UnknownName,
    clause,
    listed,
    plain,
    raise_if_refused,
)
from battletape.rulesets.second_edition.profiles.book import (
    armour_numbers,
    book,
    unit_numbers,
    weapon_numbers,
)
from battletape.rulesets.second_edition.profiles.types import TYPES, Save, SaveDice, WeaponProfile
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model
from battletape.rulesets.second_edition.rules.damage import within_chart
from battletape.rulesets.second_edition.rules.dice import damage_dice
from battletape.rulesets.second_edition.rules.keywords import WEAPON_RULES, is_force_weapon, rules_of
from battletape.rulesets.second_edition.rules.squads import ModelCounts, with_model
from battletape.rulesets.second_edition.rules.sustained import refuse_profile
from battletape.rulesets.second_edition.rules.to_hit import Aim
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.formations import FORMATIONS

# What several questions take, described once.
WeaponName = Annotated[str, described("Weapon profile", group="weapon", profile="weapon")]
UnitName = Annotated[str, described("Unit profile of the target", group="target", profile="unit")]
ShooterName = Annotated[str, described("Unit profile of the attacker", group="attacker", profile="unit")]
ArmourName = Annotated[str, described("Armour worn", group="target", profile="armour", worn=True)]
Strength = Annotated[
    Annotated[int, Meta(ge=0, le=30)] | None,
    described("Strength of a hit", "SE-18", about="(none: it does no harm)", group="weapon", short="S"),
]
Toughness = Annotated[
    Annotated[int, Meta(ge=0, le=30)] | None,
    described("Toughness", "SE-18", about="(none: a vehicle)", group="target", short="T"),
]
Damage = Annotated[str, described("Damage, a number or dice such as D4", "SE-22", group="weapon", short="Damage")]
SaveModifier = Annotated[int, described("Save modifier", "SE-27", group="weapon", ge=-12, le=6, short="Save mod")]
WeaponRules = Annotated[tuple[str, ...], described("Special rules", group="weapon", known=WEAPON_RULES)]
Models = Annotated[int, described("Models", "SE-24", group="target", ge=1, le=50, form="count")]


class TargetInputs(Inputs, frozen=True):
    """The target: the numbers that decide what a hit does."""

    unit: UnitName = ""
    toughness: Toughness = 3
    wounds: int = asked(1, "Wounds of each model", "SE-22", group="target", short="W", ge=1, le=100)
    armour: ArmourName = ""
    save: Save | None = asked(None, "Armour save", "SE-26", group="target", short="Save")
    save_dice: SaveDice = asked("1d6", "Dice of the armour save", "SE-30", group="target")
    area_save: Save | None = asked(None, "Armour save against blasts and templates", "SE-117", group="target")
    field_save: Save | None = asked(None, "Field save, which no modifier touches", "SE-31", group="target")
    aura: Save | None = asked(None, "Daemonic aura", "SE-116", group="target")
    types: tuple[str, ...] = asked((), "What it is", "SE-95", group="target", known=TYPES)


class WeaponInputs(TargetInputs, frozen=True):
    """A weapon against a target."""

    weapon: WeaponName = ""
    strength: Strength = 4
    damage: Damage = "1"
    save_modifier: SaveModifier = 0
    incendiary: bool = asked(False, "Sets survivors on fire", "SE-86", group="weapon")
    rules: WeaponRules = ()


class AimedInputs(WeaponInputs, frozen=True):
    """A weapon that is aimed with Ballistic Skill."""

    shooter: ShooterName = ""
    bs: int = asked(3, "Ballistic Skill", "SE-13", group="attacker", short="BS", ge=0, le=10)
    distance: float | None = asked(
        None, "Distance", "SE-16", group="circumstances", unit="inches", form="circumstance", ge=0, le=500
    )
    short_range: float = asked(
        12.0, "Short range up to", "SE-16", group="weapon", unit="inches", short="Short", ge=0, le=500
    )
    long_range: float = asked(
        24.0, "Long range up to", "SE-16", group="weapon", unit="inches", short="Long", ge=0, le=500
    )
    to_hit_short: int = asked(0, "To Hit at short range", "SE-11", group="weapon", ge=-6, le=6)
    to_hit_long: int = asked(0, "To Hit at long range", "SE-11", group="weapon", ge=-6, le=6)
    cover: Literal["none", "soft", "hard"] = asked(
        "none", "Cover of the target", "SE-17", group="circumstances", form="circumstance", short="Cover"
    )
    size: Literal["normal", "small", "large"] = asked(
        "normal", "Size of the target", "SE-17", group="circumstances", form="circumstance", short="Size"
    )
    appearing: bool = asked(
        False, "The target appears or disappears", "SE-17", group="circumstances", form="circumstance", short="Appears"
    )
    fast: int = asked(0, "Steps of fast movement, -1 each", "SE-17", group="circumstances", ge=0, le=4)
    charging: bool = asked(
        False, "The target charges", "SE-17", group="circumstances", form="circumstance", short="Charging"
    )
    modifier: int = asked(0, "Other To Hit modifiers", "SE-12", group="circumstances", ge=-20, le=20)
    need: int | None = asked(
        None, "Score needed To Hit, if you know it already", "SE-13", group="circumstances", ge=-20, le=30
    )


# --- from inputs to the records of the rules ------------------------------------------------------------------------


@clause("SE-117")
def model_of(inputs: TargetInputs) -> Model:
    """Return the model that is hit."""
    for name in inputs.types:
        if name not in TYPES:
            raise UnknownName("type", name, TYPES)
    return Model(
        inputs.toughness,
        inputs.wounds,
        inputs.save,
        inputs.save_dice,
        inputs.area_save,
        inputs.field_save,
        inputs.aura,
        inputs.types,
        target_name(inputs.unit),
    )


def target_name(unit: str) -> str:
    """Return what a single model of this profile is called: its name if it is the only one, otherwise the target."""
    by_lower = {name.lower(): profile for name, profile in book().entries["unit"].items()} if unit else {}
    profile = by_lower.get(unit.strip().lower())
    return unit if profile is not None and profile.models == 1 else "the target"


def hit_of_inputs(inputs: WeaponInputs, *, area: bool = False) -> Hit:
    """Return a hit of the weapon."""
    name = inputs.weapon or "the weapon"
    damage = checked_damage(inputs.damage)
    return Hit(inputs.strength, damage, inputs.save_modifier, area, rules_of(inputs), weapon=name)


@clause("SE-3", "SE-22")
def checked_damage(text: str) -> str:
    """Return the Damage if it is a number or dice; refuse anything else."""
    try:
        damage_dice(text)
    except BadInput as error:
        raise BadInput.of("damage", f"must be a number or dice such as D4 or 2D6; got {text!r}.") from error
    return text


@clause("SE-17")
def aim_of(inputs: AimedInputs) -> Aim:
    """Return the shot as it is aimed, with its circumstances by name."""
    if inputs.long_range < inputs.short_range:
        ranges = f", {inputs.short_range:g}; got {inputs.long_range:g}."
        raise BadInput.of("long_range", ("must be no shorter than ", InputName("short_range"), ranges))
    named = [f"{inputs.cover} cover"] * (inputs.cover != "none")
    named += ["target appears or disappears"] * inputs.appearing
    named += ["fast target"] * inputs.fast
    named += ["charging target"] * inputs.charging
    named += [f"{inputs.size} target"] * (inputs.size != "normal")
    return Aim(
        inputs.bs,
        inputs.distance,
        inputs.short_range,
        inputs.long_range,
        inputs.to_hit_short,
        inputs.to_hit_long,
        tuple(named),
        inputs.modifier,
        inputs.need,
    )


def model_counts(model: Model, models: int, lost: int = 0) -> ModelCounts:
    """Return equal models, the first of them with some wounds lost."""
    if not 0 <= lost < model.wounds:
        raise BadInput.of("lost", f"must be fewer than the model's {model.wounds} wounds; got {lost}.")
    return with_model(with_model((), Condition(model.wounds), models - 1), Condition(model.wounds - lost))


# --- from names of profiles to numbers ------------------------------------------------------------------------------


def fill_profiles(given: Mapping[str, Any], profiles: ProfileBook, inputs: type[Inputs]) -> dict[str, Any]:
    """Fill in the numbers of named profiles, as far as the question takes them; given values go first."""
    takes = {field.name: field for field in fields(inputs)}
    found: dict[str, Any] = {}
    if given.get("unit") and "unit" in takes:
        found |= unit_numbers(profiles.find("unit", str(given["unit"])), profiles)
    if given.get("shooter") and "shooter" in takes:
        shooter = profiles.find("unit", str(given["shooter"]))
        own = unit_numbers(shooter, profiles)  # for what falls on the shooter, and on friends
        found |= {"shooter": shooter.name, "bs": shooter.bs}
        found |= {f"friend_{name}": own[name] for name in FRIEND_NUMBERS if name in own}
    if given.get("armour") and "armour" in takes:
        types = found.get("types", ())
        found |= armour_numbers(profiles.find("armour", str(given["armour"])))
        found["types"] = (*types, *found["types"])
    if given.get("weapon") and "weapon" in takes:
        weapon = profiles.find("weapon", str(given["weapon"]))
        raise_if_refused(refuse_profile(weapon.name, weapon.blast, weapon.sustained))
        found |= weapon_numbers(weapon)
    types = tuple(dict.fromkeys((*found.get("types", ()), *_names(given.get("types", ())))))
    fitting = {name: value for name, value in found.items() if name in takes and _fits(takes[name], value)}
    names = {name: found[name] for name in NAMES if name in found and name in takes}
    return fitting | dict(given) | names | ({"types": types} if types and "types" in takes else {})


FRIEND_NUMBERS = ("toughness", "wounds", "save", "save_dice", "area_save", "field_save")
"""The numbers of a named shooter that count for a marker which falls on its own side."""
NAMES = ("unit", "shooter", "armour", "weapon")
"""Inputs that name a profile; they come back as the profile spells them."""


def _fits(field: Field, value: Any) -> bool:
    return value is not None or field.optional


def _names(given: Any) -> tuple[str, ...]:
    parts = given.split(",") if isinstance(given, str) else given or ()
    return tuple(part.strip() for part in parts if str(part).strip())


def find_weapon(name: str) -> WeaponProfile | None:
    """Return our profile of this name, if there is one."""
    by_lower = {own.lower(): weapon for own, weapon in book().entries["weapon"].items()}
    return by_lower.get(name.strip().lower())


def refuse_kind(name: str, *kinds: str) -> Refused | None:
    """Refuse a weapon of our book that has a question of its own."""
    weapon = find_weapon(name)
    if weapon is None:
        return None
    found = (
        ("grenade", weapon.grenade, "is thrown by hand", "SE-55"),
        ("blast", weapon.blast is not None, "uses a blast marker", "SE-33"),
        ("template", weapon.template is not None, "uses a flamer template", "SE-81"),
        ("sustained", weapon.sustained is not None, "has Sustained Fire", "SE-99"),
        ("force_weapon", is_force_weapon(weapon), "is a force weapon", "SE-113"),
    )
    for kind, fits, what, clause_id in found:
        if fits and kind not in kinds:
            return Refused(f"{weapon.name} {what}; ask the question {kind} about it", clause_id, "weapon")
    return None


# --- what is unusual ------------------------------------------------------------------------------------------------


@clause("SE-21", "SE-1")
def warnings(inputs: Any, rulings: Rulings) -> Iterable[str | Caution]:
    """Return what counts differently from what was given, and which numbers of a profile are ours."""
    strength, toughness = getattr(inputs, "strength", None), getattr(inputs, "toughness", None)
    if rulings.beyond_chart == "as_ten":
        for name, value in (("Strength", strength), ("Toughness", toughness)):
            if value is not None and within_chart(value) != value:
                yield f"{name} {value} counts as {within_chart(value)}, where the chart ends"
    yield from _lonely_names(getattr(inputs, "models", ()))
    weapon = find_weapon(getattr(inputs, "weapon", ""))
    if weapon is not None and weapon.ours:
        guessed = [name for name in weapon.ours if getattr(inputs, name, None) == getattr(weapon, name)]
        if guessed:
            names = listed([plain(name) for name in guessed])
            yield f"{weapon.name}: {names} {'is' if len(guessed) == 1 else 'are'} ours, not from a source"


def _lonely_names(models: Any) -> Iterable[str]:
    """Find single models whose name ends in a number: perhaps a formation that was mistyped."""
    names = [model.name.strip() for model in models] if isinstance(models, tuple) else []
    stems = Counter(name.rstrip("0123456789").strip().lower() for name in names)
    for name in names:
        stem = name.rstrip("0123456789")
        if stem.endswith(" ") and int(name[len(stem) :] or 0) > 1 and stems[stem.strip().lower()] == 1:
            yield f"{name} is one model of that name; formations are {', '.join(FORMATIONS)}"
