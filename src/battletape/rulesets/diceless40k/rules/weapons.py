"""Weapons in use: the stages of a shot and of a hit on armour that special rules attach to, and names of rules.

The special rules themselves are in `keywords.py`; `attacks.py` attaches them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from battletape.rulebook import Refused, State, Tape, clause, replace
from battletape.rulesets.diceless40k.profiles.types import WeaponProfile
from battletape.rulesets.diceless40k.rules.shooting import Aim
from battletape.rulesets.diceless40k.tables.sheet import POISON

# special rules that other rules ask for by name, or that share their name with a question
BARRAGE = "barrage"
GETS_HOT = "gets_hot"
LIGHTNING_CLAW = "lightning_claw"
MOONFANG = "moonfang"
MULTIPLE_BARRAGE = "multiple_barrage"
ONE_SHOT = "one_shot"
ORBITAL = "orbital"
ORDNANCE_BARRAGE = "ordnance_barrage"
POWER_FIST = "power_fist"
PSYCHIC = "psychic"
POISONED = "poisoned"
RENDING = "rending"
SUBTERRANEAN = "subterranean"

Extra: TypeAlias = Literal["d6", "d3", "d6_and_d3"]
"""The dice that a weapon adds to armour penetration in the base game."""
SNIPER_STRENGTH = 3
TEMPLATE_RANGE = 8  # inches that a template reaches


@clause("DL-42.2")
def note_weapon(tape: Tape, aim: Aim) -> Aim:
    """Return a weapon as it is fired at troops, with what poison makes of its Strength."""
    if aim.poison is None:
        return aim
    return replace(aim, counted_strength=max(0, aim.toughness + POISON[aim.poison]), poison=None)


class Piercing(State, frozen=True):
    """A hit of a weapon on a vehicle: its Strength, the dice it adds to penetration, and if it is a lance."""

    strength: int
    extra: Extra | None = None
    lance: bool = False
    rerolls_to_hit: int = 0
    twin_template: bool = False
    damage_bonus: bool = False
    ignores_cover: bool = False
    # known of the attack, or changed by special rules; forgotten by `note_armour_hit`
    assault: bool = False
    half_range: bool = False
    d6: bool = False
    rending: bool = False


@clause("DL-60.9", "DL-60.10")
def note_armour_hit(tape: Tape, hit: Piercing) -> Piercing:
    """Return a weapon as it hits armour, a blow after `note_blow`, with the dice that it adds."""
    return replace(hit, extra=extra_dice(hit.d6, hit.rending), assault=False, half_range=False, d6=False, rending=False)


@clause("DL-60.9", "DL-60.10")
def extra_dice(d6: bool, d3: bool) -> Extra | None:
    """Return the dice that are added to penetration: a D6, a D3, both or none."""
    if d6:
        return "d6_and_d3" if d3 else "d6"
    return "d3" if d3 else None


@clause("DL-29.1", "DL-29.2")
def reach_of(weapon: WeaponProfile) -> int:
    """Return how many inches a weapon reaches; a template as far as it is long."""
    return TEMPLATE_RANGE if weapon.marker == "template" else weapon.range


@clause("DL-50.1", "DL-SM-52.1", "DL-19.1")
def refuse_unasked(weapon: WeaponProfile) -> Refused | None:
    """Refuse to fire an unnamed weapon that is a power, called from orbit, or for close combat."""
    if PSYCHIC in weapon.rules:
        return Refused(f"{weapon.name} is a psychic power; use it with cast", "DL-50.1", "weapon")
    if ORBITAL in weapon.rules:
        return Refused(f"{weapon.name} has to be called by its name", "DL-SM-52.1", "weapon")
    if weapon.type in ("melee", "grenade"):
        return Refused("a close combat weapon is not fired", "DL-19.1", "weapon")
    return None
