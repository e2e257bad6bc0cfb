"""Attacks with their special rules attached: weapons as they are fired at troops, strike, or hit armour."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.rulebook import (
    Procedure,
    Refused,
    clause,
    find_keywords,
    replace,
    with_keywords,
    without_luck,
)
from battletape.rulesets.diceless40k.profiles.types import VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.rules import blows
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.characteristics import FURIOUS_CHARGE, Group, majority
from battletape.rulesets.diceless40k.rules.keywords import KEYWORDS
from battletape.rulesets.diceless40k.rules.shooting import Aim, shots_at
from battletape.rulesets.diceless40k.rules.weapons import Piercing, note_armour_hit, note_weapon, reach_of

READY_WEAPON = Procedure("ready weapon", (note_weapon,))
READY_BLOW = Procedure("ready blow", (blows.note_blow,))
READY_ARMOUR_HIT = Procedure("ready armour hit", (note_armour_hit,))


# --- fired at troops --------------------------------------------------------------------------------------------------


@clause("DL-19.2", "DL-25.1")
def aim_with(
    weapon: WeaponProfile,
    group: Group,
    target: Target,
    models: int = 0,
    distance: float = 0,
    moved: bool = False,
    hits: tuple[int, ...] = (),
    firer: int = 0,
) -> Aim | Refused:
    """Return a weapon of a group as it is fired at a target, or why it may not be; without a number all fire."""
    number = models or group.models
    if number > group.models:
        return Refused(f"{group.name} has {group.models} models; got {number} that fire", "DL-19.2", "models")
    shots = shots_at(weapon.type, weapon.shots, reach_of(weapon), distance, moved, group.type)
    if isinstance(shots, Refused):
        return shots
    aim = aim_of(weapon, group.bs, target, number, shots, distance, hits)
    return replace(aim, firer=firer)


@clause("DL-19.2")
def aim_of(
    weapon: WeaponProfile,
    bs: int,
    target: Target,
    models: int = 1,
    shots: int = 1,
    distance: float = 0,
    hits: tuple[int, ...] = (),
) -> Aim:
    """Return a weapon of so many models, or of a vehicle, on a target, with its special rules applied."""
    aim = Aim(
        name=weapon.name,
        bs=bs,
        strength=weapon.strength or 0,
        models=models,
        shots=shots,
        ap=weapon.ap,
        type=weapon.type,
        marker=weapon.marker,
        range=weapon.range,
        distance=distance,
        hits=hits,
        rulings=target.rulings,
        toughness=majority(target.groups, lambda group: group.toughness),
    )
    return with_special_rules(aim, weapon.rules)


def with_special_rules(aim: Aim, names: Iterable[str] = ()) -> Aim:
    """Return a weapon as it is fired at troops, with the special rules of these names applied."""
    found: Aim = without_luck(with_keywords(READY_WEAPON, find_keywords(tuple(names), KEYWORDS)), aim)
    return found


@clause("DL-31.10", "DL-42.2")
def needs_no_strength(names: Iterable[str]) -> bool:
    """Return whether a weapon looks at the victim's Toughness instead of a Strength of its own."""
    return with_special_rules(Aim("weapon", 0, 0), names).counted_strength is not None


# --- blows ------------------------------------------------------------------------------------------------------------


@clause("DL-38.1")
def blow_of(
    group: Group,
    weapon: str = "blows",
    rules: Iterable[str] = (),
    *,
    strength: int | None = None,
    charging: bool = False,
    two_weapons: bool = False,
    slowed: bool = False,
) -> blows.Blow:
    """Return the blow of a group with a weapon of these rules, at this Strength or its own.

    A group is `slowed` that charged through difficult terrain without assault grenades, and strikes last.
    """
    blow = blows.Blow(
        name=weapon,
        ws=group.ws,
        strength=group.strength if strength is None else strength,
        attacks=blows.attacks_of(group.attacks, two_weapons=two_weapons),
        initiative=blows.LAST_STEP if slowed else max(blows.LAST_STEP, group.initiative),
        furious=FURIOUS_CHARGE in group.rules,
        strikes_last=slowed,
    )
    blow = without_luck(with_keywords(READY_BLOW, find_keywords(tuple(rules), KEYWORDS)), blow)
    return blows.with_charge_bonus(blow) if charging else blow


@clause("DL-38.1")
def walker_blow(
    walker: VehicleProfile, weapon: str = "blows", rules: Iterable[str] = (), *, charging: bool = False
) -> blows.Blow:
    """Return the blow of a walker at models; no weapon makes it slower."""
    blow = blow_of(blows.walker_group(walker), weapon, rules, charging=charging)
    return replace(blow, initiative=max(blows.LAST_STEP, walker.initiative or 0))


# --- turned on armour -------------------------------------------------------------------------------------------------


@clause("DL-32.3", "DL-60.9", "DL-60.10")
def piercing_of(
    strength: int,
    names: Iterable[str],
    weapon_range: int = 0,
    distance: float = 0,
    assault: bool = False,
    monstrous: bool = False,
) -> Piercing:
    """Return a weapon's hit on armour; in an assault a monstrous creature adds a D6 with any weapon."""
    half_range = 2 * distance <= weapon_range
    hit = Piercing(strength, assault=assault, half_range=half_range, d6=assault and monstrous)
    found: Piercing = without_luck(with_keywords(READY_ARMOUR_HIT, find_keywords(tuple(names), KEYWORDS)), hit)
    return found
