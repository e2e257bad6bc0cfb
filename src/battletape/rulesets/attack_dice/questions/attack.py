"""The question `attack`: one weapon profile against one unit."""

from __future__ import annotations

from battletape.cards import Question
from battletape.rulebook import clause, raise_if_refused
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.profiles.book import fill_unit, fill_weapon
from battletape.rulesets.attack_dice.questions._inputs import (
    Aimed,
    Ap,
    AttackDice,
    Bearers,
    Power,
    PowerBonus,
    Range,
    WeaponClass,
    WeaponName,
    situation,
    strike_of,
    warnings,
)
from battletape.rulesets.attack_dice.rules.attack import MEASURES, Strike
from battletape.rulesets.attack_dice.rules.keywords import sequence
from battletape.rulesets.attack_dice.rules.melee import refuse_target
from battletape.rulesets.attack_dice.rulings import Rulings


class Attack(Aimed, frozen=True):
    """One weapon profile against one unit."""

    weapon: WeaponName = ""
    attacks: AttackDice = 10
    bearers: Bearers = 1
    power: Power = 4
    power_bonus: PowerBonus = 0
    ap: Ap = None
    weapon_class: WeaponClass = ""
    range: Range = None


@clause("AD-68")
def begin_attack(inputs: Attack, rules: Rulings) -> Strike:
    """The attack made ready; a target that may not be attacked is refused with the reason."""
    raise_if_refused(refuse_target(situation(inputs), inputs.range))
    return strike_of(inputs, (inputs,), rules)


ATTACK = Question(
    "attack",
    "What will an attack do?",
    Attack,
    begin_attack,
    sequence,
    MEASURES,
    words.casualties_headline,
    fill=lambda given, profiles: fill_unit(fill_weapon(given, profiles), profiles),
    warn=lambda inputs, rules: warnings(inputs, (inputs,), rules),
    stops=words.stops,
    result=words.attack_result,
    example={"weapon": "Storm carbine", "attacks": 12, "unit": "Hill raiders"},
    small={"attacks": 12, "power": 6, "defence": 4, "armour": 5, "models": 5, "hp": 2},
    lead=words.CASUALTIES_LEAD,
)
