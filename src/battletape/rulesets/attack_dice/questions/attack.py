"""The question `attack`: one weapon profile against one unit."""

from __future__ import annotations

from battletape.cards import Question
from battletape.rulebook import clause, raise_if_refused
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.profiles.book import fill_unit, fill_weapon
from battletape.rulesets.attack_dice.questions import _inputs
from battletape.rulesets.attack_dice.rules.attack import MEASURES, PendingAttack
from battletape.rulesets.attack_dice.rules.keywords import attack_procedure
from battletape.rulesets.attack_dice.rules.melee import refuse_target
from battletape.rulesets.attack_dice.rulings import Rulings


class AttackInputs(_inputs.TargetInputs, frozen=True):
    """One weapon profile against one unit."""

    weapon: _inputs.WeaponName = ""
    attacks: _inputs.AttackDice = 10
    bearers: _inputs.Bearers = 1
    power: _inputs.Power = 4
    power_bonus: _inputs.PowerBonus = 0
    ap: _inputs.Ap = None
    weapon_class: _inputs.WeaponClass = ""
    range: _inputs.Range = None


@clause("AD-68")
def begin_attack(inputs: AttackInputs, rulings: Rulings) -> PendingAttack:
    """Make the attack ready; refuse a target out of range or sight."""
    raise_if_refused(refuse_target(_inputs.situation_of(inputs), inputs.range))
    return _inputs.pending_attack_of(inputs, (inputs,), rulings)


ATTACK = Question(
    "attack",
    "What will an attack do?",
    AttackInputs,
    begin_attack,
    attack_procedure,
    MEASURES,
    words.casualties_headline,
    fill=lambda given, profiles: fill_unit(fill_weapon(given, profiles), profiles),
    warn=lambda inputs, rulings: _inputs.warnings(inputs, (inputs,), rulings),
    stops=words.denied_save_lines,
    result=words.attack_result,
    example={"weapon": "Storm carbine", "attacks": 12, "unit": "Hill raiders"},
    small={"attacks": 12, "power": 6, "defence": 4, "armour": 5, "models": 5, "hp": 2},
    lead=words.CASUALTIES_LEAD,
)
