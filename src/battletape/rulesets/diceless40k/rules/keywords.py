"""Special rules of weapons, each in one row: what they change in a shot, a blow and a hit on armour."""

from __future__ import annotations

from typing import Any

from battletape.rulebook import Keyword, clause, keywords_in_words, replace
from battletape.rulesets.diceless40k.rules import weapons
from battletape.rulesets.diceless40k.rules.blows import HIGHEST, LAST_STEP, Blow, note_blow
from battletape.rulesets.diceless40k.rules.shooting import Aim
from battletape.rulesets.diceless40k.rules.weapons import note_armour_hit, note_weapon

EVERY_USE = (note_weapon, note_blow, note_armour_hit)
WITCHBLADE_POISON, WITCHBLADE_STRENGTH = 2, 9


# --- in every use, or in two of them ----------------------------------------------------------------------------------


@clause("DL-42.2")
def _poisoned(attack: Any, number: int) -> Any:
    return replace(attack, poison=number)


@clause("DL-31.5", "DL-31.6")
def _twin_linked(attack: Any) -> Any:
    return replace(attack, rerolls_to_hit=attack.rerolls_to_hit + 1, twin_template=True)


@clause("DL-19.3", "DL-75.5")
def _reroll_to_hit(attack: Any) -> Any:
    return replace(attack, rerolls_to_hit=attack.rerolls_to_hit + 1)


@clause("DL-19.4", "DL-42.1")
def _reroll_to_wound(attack: Any) -> Any:
    return replace(attack, rerolls_to_wound=attack.rerolls_to_wound + 1)


@clause("DL-31.7", "DL-31.9", "DL-42.4")
def _rending(attack: Any) -> Any:
    return replace(attack, rending=True)


@clause("DL-20.1")
def _ignores_cover(attack: Any) -> Any:
    return replace(attack, ignores_cover=True)


# --- shots ------------------------------------------------------------------------------------------------------------


@clause("DL-31.10")
def _sniper(aim: Aim) -> Aim:
    rends = aim.rending or aim.rulings.sniper_rends == "yes"
    return replace(aim, strength=0, counted_strength=aim.toughness, rending=rends)  # nothing that could kill outright


@clause("DL-31.1")
def _gets_hot(aim: Aim) -> Aim:
    return replace(aim, gets_hot=True)


@clause("DL-8.1")
def _pinning(aim: Aim) -> Aim:
    return replace(aim, pinning=True)


# --- blows ------------------------------------------------------------------------------------------------------------


@clause("DL-42.1")
def _lightning_claw(blow: Blow) -> Blow:
    return replace(blow, rerolls_to_wound=blow.rerolls_to_wound + 1, ignores_armour=True)


@clause("DL-42.5")
def _witchblade(blow: Blow) -> Blow:
    return replace(blow, poison=WITCHBLADE_POISON)


@clause("DL-SM-94.1")
def _moonfang(blow: Blow) -> Blow:
    return replace(blow, rending=True, moonfang=True)


@clause("DL-38.1")
def _power_weapon(blow: Blow) -> Blow:
    return replace(blow, ignores_armour=True)


@clause("DL-50.1")
def _force_weapon(blow: Blow) -> Blow:
    return replace(blow, ignores_armour=True, force=True)


@clause("DL-38.1")
def _power_fist(blow: Blow) -> Blow:
    doubled = min(HIGHEST, 2 * blow.strength)
    return replace(blow, strength=doubled, initiative=LAST_STEP, strikes_last=True, ignores_armour=True)


# --- hits on armour ---------------------------------------------------------------------------------------------------


@clause("DL-31.11")
def _sniper_on_armour(hit: weapons.Piercing) -> weapons.Piercing:
    return replace(hit, strength=weapons.SNIPER_STRENGTH, rending=True)


@clause("DL-60.9")
def _chainfist(hit: weapons.Piercing) -> weapons.Piercing:
    return replace(hit, d6=hit.d6 or hit.assault)


@clause("DL-60.7")
def _lance(hit: weapons.Piercing) -> weapons.Piercing:
    return replace(hit, lance=True)


@clause("DL-32.3")
def _melta(hit: weapons.Piercing) -> weapons.Piercing:
    return replace(hit, d6=hit.d6 or hit.half_range)


@clause("DL-60.18")
def _plus_one_damage(hit: weapons.Piercing) -> weapons.Piercing:
    return replace(hit, damage_bonus=True)


@clause("DL-42.6")
def _witchblade_on_armour(hit: weapons.Piercing) -> weapons.Piercing:
    return replace(hit, strength=WITCHBLADE_STRENGTH) if hit.assault else hit


# a weapon names all that it is: a chainfist is a power fist as well
KEYWORDS = (
    Keyword("sniper", ("DL-31.10",), before={note_weapon: _sniper, note_armour_hit: _sniper_on_armour}),
    Keyword(
        weapons.POISONED,
        ("DL-42.2",),
        before={note_weapon: _poisoned, note_blow: _poisoned},
        numbered=True,
        numbers=range(2, 7),
    ),
    Keyword("twin_linked", ("DL-31.5",), before={note_weapon: _twin_linked, note_armour_hit: _twin_linked}),
    Keyword("reroll_to_hit", ("DL-19.3",), before=dict.fromkeys(EVERY_USE, _reroll_to_hit)),
    Keyword("reroll_to_wound", ("DL-19.4",), before={note_weapon: _reroll_to_wound, note_blow: _reroll_to_wound}),
    Keyword(weapons.RENDING, ("DL-31.7",), before=dict.fromkeys(EVERY_USE, _rending)),
    Keyword(weapons.GETS_HOT, ("DL-31.1",), before={note_weapon: _gets_hot}),
    Keyword(
        "ignores_cover",
        ("DL-20.1",),
        before={note_weapon: _ignores_cover, note_armour_hit: _ignores_cover},
    ),
    Keyword("pinning", ("DL-8.1",), before={note_weapon: _pinning}),
    Keyword("chainfist", ("DL-60.9",), before={note_armour_hit: _chainfist}),
    Keyword("plus_one_damage", ("DL-60.18",), before={note_armour_hit: _plus_one_damage}),
    Keyword("force_weapon", ("DL-50.1",), before={note_blow: _force_weapon}),
    Keyword("lance", ("DL-60.7",), before={note_armour_hit: _lance}),
    Keyword(weapons.LIGHTNING_CLAW, ("DL-42.1",), before={note_blow: _lightning_claw}),
    Keyword("melta", ("DL-32.3",), before={note_armour_hit: _melta}),
    Keyword(weapons.MOONFANG, ("DL-SM-94.1",), before={note_blow: _moonfang}),
    Keyword(weapons.POWER_FIST, ("DL-63.2",), before={note_blow: _power_fist}),
    Keyword("power_weapon", ("DL-20.3",), before={note_blow: _power_weapon}),
    Keyword("witchblade", ("DL-42.5",), before={note_blow: _witchblade, note_armour_hit: _witchblade_on_armour}),
    # markers ask for these: must the target be seen, how far is it drawn back, how are several laid
    Keyword(weapons.BARRAGE, ("DL-32.1",)),
    Keyword(weapons.MULTIPLE_BARRAGE, ("DL-32.2",)),
    Keyword(weapons.ORDNANCE_BARRAGE, ("DL-58.1",)),
    # what a unit may fire asks for these: once in a game, from orbit, or as a power
    Keyword(weapons.ONE_SHOT, ("DL-0.1",)),
    Keyword(weapons.ORBITAL, ("DL-SM-52.1",)),
    Keyword(weapons.PSYCHIC, ("DL-50.1",)),
    # the ground that a volley leaves behind asks for it
    Keyword(weapons.SUBTERRANEAN, ("DL-SM-73.1",)),
)
WEAPON_RULES = keywords_in_words(KEYWORDS)
"""What a weapon's profile may name."""
