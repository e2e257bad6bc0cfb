"""The question `force_weapon`: what hits of a force weapon do, to mortals and to daemons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Measure, ProfileBook, Question, asked
from battletape.rulebook import Caution, clause, raise_if_refused
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.questions import _inputs
from battletape.rulesets.second_edition.rules.attack import Hit
from battletape.rulesets.second_edition.rules.force_weapons import (
    FORCE_ATTACK,
    Phase,
    Wielder,
    force_hits,
    refuse_weapon,
    refuse_wielder,
)
from battletape.rulesets.second_edition.rules.keywords import is_force_weapon, rules_of
from battletape.rulesets.second_edition.rules.shooting import Volley
from battletape.rulesets.second_edition.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class ForceWeaponInputs(_inputs.TargetInputs, frozen=True):
    """Hits that a force weapon has scored in hand-to-hand combat."""

    wielder: str = asked("", "Unit profile of the wielder", group="attacker", profile="unit")
    user_strength: int = asked(4, "Strength of the wielder", "SE-113", group="attacker", ge=1, le=10)
    mastery: int = asked(1, "Mastery Level", "SE-112", about="(0: no psyker)", group="attacker", ge=0, le=4)
    weapon: _inputs.WeaponName = ""
    strength: int | None = asked(None, "Strength of the weapon itself", "SE-114", group="weapon", ge=1, le=10)
    damage: _inputs.Damage = "1"
    save_modifier: _inputs.SaveModifier = 0
    rules: _inputs.WeaponRules = ()
    hits: int = asked(1, "Hits scored", "SE-113", group="attacker", ge=1, le=50)
    phase: Phase = asked("hand_to_hand", "Where it is used", "SE-113", group="circumstances")
    lost: int = asked(0, "Wounds that the target has lost", "SE-24", group="target", ge=0, le=99)


@clause("SE-112", "SE-113", "SE-115", "SE-116")
def begin_force_weapon(inputs: ForceWeaponInputs, rulings: Rulings) -> Volley:
    """Return the blows, ready to be rolled; refuse a wielder that is no psyker."""
    raise_if_refused(refuse_wielder(inputs.mastery, inputs.wielder or "the wielder"))
    name, damage, model = (
        inputs.weapon or "the force weapon",
        _inputs.checked_damage(inputs.damage),
        _inputs.model_of(inputs),
    )
    own = Hit(inputs.strength, damage, inputs.save_modifier, rules=rules_of(inputs), weapon=name)
    wielder = Wielder(inputs.user_strength, inputs.mastery)
    return force_hits(
        wielder, own, model, inputs.hits, _inputs.model_counts(model, 1, inputs.lost), inputs.phase, rulings
    )


def fill_force_weapon(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of the target, of the weapon and of the wielder."""
    if given.get("weapon"):
        weapon = profiles.find("weapon", str(given["weapon"]))
        raise_if_refused(refuse_weapon(is_force_weapon(weapon), weapon.name))
    filled = _inputs.fill_profiles(given, profiles, ForceWeaponInputs)
    if not given.get("wielder"):
        return filled
    wielder = profiles.find("unit", str(given["wielder"]))
    own = {"user_strength": wielder.strength, "mastery": wielder.mastery, "wielder": wielder.name}
    return {**own, **filled, "wielder": wielder.name}


MEASURES = (
    Measure("casualties", "The target falls", lambda volley: volley.fallen),
    Measure("wounds_lost", "Wounds lost", lambda volley: volley.lost, "wounds"),
)


def force_weapon_headline(answer: Answer) -> str:
    """Return what the blows do, in a sentence."""
    start: Volley = answer.start
    model = start.setup.model
    if model.is_vehicle:
        return f"Strength {start.setup.hit.strength}; armour penetration does the rest."
    return f"With Strength {start.setup.hit.strength} {words.falls(answer, model.name)}."


def warn_force_weapon(inputs: ForceWeaponInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Return what counts differently from what was given."""
    yield from _inputs.warnings(inputs, rulings)
    if inputs.phase == "shooting":
        yield "Mastery adds nothing to shots, and daemons keep their aura against them"


FORCE_WEAPON = Question(
    "force_weapon",
    "What does a force weapon do?",
    ForceWeaponInputs,
    begin_force_weapon,
    FORCE_ATTACK,
    MEASURES,
    force_weapon_headline,
    fill=fill_force_weapon,
    warn=warn_force_weapon,
    example={
        "wielder": "The Iron Matron",
        "weapon": "Force sword",
        "unit": "Grey Lantern brothers",
        "mastery": 2,
        "hits": 3,
    },
    small={"user_strength": 4, "mastery": 2, "toughness": 4, "wounds": 2, "hits": 3, "save": 4},
    rulings=("beyond_chart", "save_order", "save_of_one", "own_strength"),
    lead=words.SHOTS_LEAD[1:],
)
