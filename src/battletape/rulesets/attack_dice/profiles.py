"""Weapons and units: the shapes of a profile, ours in profiles/*.toml and the players' own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from battletape.clauses import clause
from battletape.errors import nearest
from battletape.inputs import Inputs
from battletape.profiles import ProfileBook, read_book
from battletape.rulesets.attack_dice import tables
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings

Save = Annotated[int, Meta(ge=2, le=6, extra={"form": "save"})]


class Weapon(Inputs, frozen=True):
    """A weapon profile."""

    name: str = ""
    weapon_class: Annotated[str, Meta(title="Class")] = ""
    range: Annotated[int, Meta(ge=0, le=500, extra={"unit": "inches"})] | None = None
    attacks: Annotated[int, Meta(title="Attacks of one model", ge=1, le=1000)] = 1
    power: Annotated[int, Meta(ge=0, le=100)] = 4
    ap: Annotated[Save | None, Meta(title="AP")] = None


class Carried(Inputs, frozen=True):
    """A weapon that a unit carries, and how many models carry it."""

    name: str = ""
    models: Annotated[int, Meta(ge=1, le=1000)] = 1


class Unit(Inputs, frozen=True):
    """A unit profile; saves are D6 numbers."""

    name: str = ""
    models: Annotated[int, Meta(ge=1, le=1000)] = 5
    hp: Annotated[int, Meta(title="HP of each model", ge=1, le=1000)] = 1
    others: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=1000)], ...], Meta(title="HP of further models, lost last")
    ] = ()
    defence: Annotated[int, Meta(ge=0, le=100)] = 3
    armour: Save | None = None
    aegis: Annotated[Save | None, Meta(title="AEGIS")] = None
    move: Annotated[int, Meta(ge=0, le=100, extra={"unit": "inches"})] = 6
    dash: Annotated[int, Meta(ge=0, le=100, extra={"unit": "inches"})] = 3
    weapons: tuple[Carried, ...] = ()


KINDS = (("weapon", Weapon), ("unit", Unit))


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Our profiles and those of the players' own files."""
    return read_book(__package__, KINDS, files, _check)


def _check(found: ProfileBook) -> list[str]:
    """Every weapon a unit carries must exist."""
    weapons = {name.lower() for name in found.entries["weapon"]}
    errors = []
    for unit in found.entries["unit"].values():
        for carried in unit.weapons:
            if carried.name.lower() not in weapons:
                like = nearest(carried.name, found.entries["weapon"])
                hint = f" Did you mean {like!r}?" if like else ""
                place = found.places["unit", unit.name].get("weapons", "")
                errors.append(f"{place}: weapons: there is no weapon {carried.name!r}.{hint}")
    return errors


def fill_weapon(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Numbers of the named weapon, where the player gave none of his own."""
    if not given.get("weapon"):
        return dict(given)
    weapon = found.find("weapon", str(given["weapon"]))
    numbers = {key: getattr(weapon, key) for key in ("weapon_class", "range", "attacks", "power", "ap")}
    return {**numbers, **given, "weapon": weapon.name}


def fill_unit(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Numbers of the named unit, where the player gave none of his own."""
    if not given.get("unit"):
        return dict(given)
    unit = found.find("unit", str(given["unit"]))
    numbers = {key: getattr(unit, key) for key in ("models", "hp", "others", "defence", "armour", "aegis")}
    return {**numbers, **given, "unit": unit.name}


@clause("AD-93", "AD-90")
def unusual(powers: Iterable[int], defence: int, hp: int, rules: Rulings = DEFAULT) -> list[str]:
    """What lies outside the usual ranges; a warning, never a refusal."""
    capped = rules.method == "chart" or rules.formula_caps == "capped"
    over = [power for power in powers if capped and power > tables.MAX_POWER]
    warnings = [f"Power {power} counts as {tables.MAX_POWER}" for power in dict.fromkeys(over)]
    if capped and defence > tables.MAX_DEFENCE:
        warnings.append(f"Defence {defence} counts as {tables.MAX_DEFENCE}")
    elif defence >= tables.USUAL_DEFENCE[-1][0]:
        low, high, whose = tables.USUAL_DEFENCE[-2]
        warnings.append(f"Defence {defence} is extreme; {whose} have {low} or {high}")
    if hp > tables.USUAL_HP[-1][1]:
        warnings.append(f"{hp} HP is more than even large things usually have")
    if rules.dice == "d6":
        warnings.append("The D6 numbers are our own derivation and provisional; the printed D6 sheet may differ")
    return warnings
