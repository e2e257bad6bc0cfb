"""Weapons for death or glory, as the questions tank_shock and ram take them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput
from battletape.inputs import Inputs
from battletape.profiles import ProfileBook
from battletape.rulesets.vehicles5.blows import Blow, aimed
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.glory import Glory, chance_to_stop, glory_shots
from battletape.rulesets.vehicles5.profiles import Unit, Vehicle, Weapon, fill_gun, fill_many, label_of, modes
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.shapes import Stat
from battletape.rulesets.vehicles5.tables import GRENADES
from battletape.rulesets.vehicles5.targets import meta
from battletape.rulesets.vehicles5.traits import Ap, PenDice, Traits
from battletape.rulesets.vehicles5.troops import capped


class Attack(Inputs, frozen=True):
    """A weapon for death or glory: a shot, a blow or a grenade."""

    weapon: Annotated[str, meta("target", "Weapon profile")] = ""
    strength: Annotated[Stat, meta("target", "Strength")] = 8
    ap: Annotated[Ap | None, meta("target", "AP: 1 to 6, -, or none", "V5-DMGMOD-2")] = None
    dice: Annotated[PenDice, meta("target", "Penetration dice", "V5-PEN-1")] = "d6"
    shots: Annotated[int, meta("target", "Shots, of which one counts by the sheet", "V5-DOG-2", ge=1, le=60)] = 1
    rules: Annotated[tuple[str, ...], meta("target", "Special rules")] = ()


@clause("V5-DOG-2", "V5-CORE-14")
def glories(
    attacks: Sequence[Attack], front: int, tank: Condition, traits: Traits, rules: Rulings, own: Sequence[str] = ()
) -> tuple[Glory, ...]:
    """Weapons to choose from, the one that stops the tank most often first; `own` are rules of whoever has them."""
    named = [
        Glory(
            one.weapon or f"weapon {at}",
            one.strength,
            one.ap,
            one.dice,
            one.shots,
            tuple(dict.fromkeys((*one.rules, *own))),
        )
        for at, one in enumerate(attacks, 1)
    ]
    if len(named) == 1:
        return tuple(one if attacks[0].weapon else replace(one, name="glory") for one in named)

    def chance(one: Glory) -> Any:
        shots = glory_shots(one, front, traits.open_topped, rules)
        return chance_to_stop(tank, shots, rules)

    return tuple(sorted(named, key=chance, reverse=True))


def arms_of(unit: Unit, found: ProfileBook) -> Iterable[str]:
    """Everything a unit can strike or fire with."""
    for carried in (*(one.name for one in unit.weapons), *unit.grenades):
        yield from (one.name for one in modes(found, carried) if one.strength is not None or one.type == "melee")


def walker_arms(vehicle: Vehicle, intact: Collection[str], found: ProfileBook) -> list[dict[str, str]]:
    """Everything a walker with these weapons left can strike or fire with, each kind of it once."""
    kept = [one.weapon for one in vehicle.mounts if label_of(one) in intact]
    return [{"weapon": way.name} for one in dict.fromkeys(kept) for way in modes(found, one)]


@clause("V5-WALK-15", "V5-DOG-2")
def walker_attacks(given: tuple[Attack, ...], strength: int) -> tuple[Attack, ...]:
    """What a walker can strike with first: what was given, or a blow with its own strength."""
    return given or (Attack(weapon="blow", strength=strength),)


def fill_glory(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """The named weapons of `glory` written out; blows have the strength of the striker."""
    own = given.get("strength", 4)
    return fill_many(given, "glory", lambda one: _fill_attack(one, found, own), "weapon")


def _fill_attack(given: Mapping[str, Any], found: ProfileBook, own: Any) -> dict[str, Any]:
    name = str(given.get("weapon") or "")
    plain = name.strip().lower().replace(" ", "_")
    if plain in GRENADES:
        strength, dice = GRENADES[plain]
        return {"strength": strength, "dice": dice, **given}
    if not name:
        return dict(given)
    ways = modes(found, name)
    weapon: Weapon = ways[0]
    if len(ways) == 1 and weapon.type == "melee":
        if not str(own).strip().isdigit():
            raise BadInput(f"strength wants a whole number from 1 to 10; got {own!r}.", field="strength")
        return {"strength": capped(int(own) * weapon.times), "rules": weapon.rules, **given, "weapon": weapon.name}
    if len(ways) == 1 and weapon.type == "grenade":  # at arm's length, whatever a ruling says of shots
        dice = aimed(Blow("", 1, 1, rules=weapon.rules), 0, 10).dice
        return {"strength": weapon.strength, "dice": dice, **given, "weapon": weapon.name}
    return fill_gun(given, found, Attack)
