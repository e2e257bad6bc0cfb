"""The question `volley`: several weapon profiles against one unit, in firing order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battletape.cards import Question, asked, named_entry, split_entries
from battletape.rulebook import BadInput, clause
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.profiles.book import fill_unit, fill_weapon
from battletape.rulesets.attack_dice.questions._inputs import TargetInputs, WeaponInputs, pending_attack_of, warnings
from battletape.rulesets.attack_dice.rules.attack import MEASURES, PendingAttack
from battletape.rulesets.attack_dice.rules.keywords import attack_procedure
from battletape.rulesets.attack_dice.rulings import Rulings


class VolleyInputs(TargetInputs, frozen=True):
    """Several weapon profiles against one unit, in order."""

    weapons: tuple[WeaponInputs, ...] = asked(
        (WeaponInputs(attacks=10),), "Weapon profiles", about=", in firing order", group="attacker", short="weapon"
    )


@clause("AD-87")
def begin_volley(inputs: VolleyInputs, rulings: Rulings) -> PendingAttack:
    """Make the volley ready; profiles out of range will not fire."""
    if not inputs.weapons:
        raise BadInput.of("weapons", "needs one profile or more; got none.")
    return pending_attack_of(inputs, inputs.weapons, rulings)


def fill_volley(given: Mapping[str, Any], profiles: Any) -> Mapping[str, Any]:
    """Fill in the numbers of the named unit and of every named weapon; a bare name will do for a weapon."""
    weapons = given.get("weapons")
    if isinstance(weapons, str) and weapons.strip().lower() not in ("", "-", "none"):
        weapons = split_entries(weapons)
    if isinstance(weapons, (list, tuple)):
        given = {**given, "weapons": [_fill_profile(weapon, profiles) for weapon in weapons]}
    return fill_unit(given, profiles)


def _fill_profile(entry: Any, profiles: Any) -> Any:
    if isinstance(entry, str) and not entry.strip():
        raise BadInput.of("weapons", "needs the name of a weapon or its numbers; got nothing.")
    entry = named_entry(entry, "weapon", "bearers", profiles.entries["weapon"], "weapons")
    return fill_weapon(entry, profiles) if isinstance(entry, Mapping) else entry


VOLLEY = Question(
    "volley",
    "What will a whole volley do?",
    VolleyInputs,
    begin_volley,
    attack_procedure,
    MEASURES,
    words.casualties_headline,
    fill=fill_volley,
    warn=lambda inputs, rulings: warnings(inputs, inputs.weapons, rulings),
    stops=words.denied_save_lines,
    result=words.attack_result,
    example={
        "unit": "Hill raiders",
        "weapons": [{"weapon": "Storm carbine", "attacks": 6}, {"weapon": "Crescent ballista"}],
    },
    small={
        "weapons": [{"attacks": 3, "power": 4}, {"attacks": 1, "power": 9, "ap": 3}],
        "defence": 4,
        "armour": 4,
        "models": 1,
        "hp": 3,
    },
    lead=words.CASUALTIES_LEAD,
)
