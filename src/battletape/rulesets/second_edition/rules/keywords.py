"""Special rules of weapons, each in one place: a row of `KEYWORDS` with its clauses and what it does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from battletape.rulebook import (
    Keyword,
    Line,
    Procedure,
    Stage,
    Tape,
    clause,
    find_keywords,
    keywords_in_words,
    replace,
    with_keywords,
    without_luck,
)
from battletape.rulesets.second_edition.profiles.types import WeaponProfile
from battletape.rulesets.second_edition.rules.attack import (
    HIT,
    Condition,
    Hit,
    HitDraft,
    Model,
    PreparedHit,
    Victim,
    note_hit,
)
from battletape.rulesets.second_edition.rules.damage import wound_line
from battletape.rulesets.second_edition.rules.guns import Gun, note_gun
from battletape.rulesets.second_edition.rules.saves import save_lines
from battletape.rulesets.second_edition.rules.to_hit import Aim, to_hit_line
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings

INCENDIARY = "incendiary"
FORCE = "force"
LINKED = "linked"
RECHARGES = "recharges"


@clause("SE-86")
def _incendiary(draft: HitDraft) -> HitDraft:
    """Let survivors of the hit catch fire."""
    return replace(draft, burns=True)


@clause("SE-115", "SE-116")
def _force(draft: HitDraft) -> HitDraft:
    """Wound daemons without a roll, and set auras aside; only in hand-to-hand combat."""
    model = draft.model
    if not draft.hit.hand_to_hand:
        return draft
    if model.is_daemon:
        wounds = Line("A force weapon wounds a daemon without a roll", ("SE-115",), needed="automatic")
        draft = replace(draft, automatic=wounds)
    if model.aura is None:
        return draft
    note = Line(f"The daemonic aura of {model.aura}+ does not help against a force weapon", ("SE-116",))
    return replace(draft, model=replace(model, aura=None), save_notes=(*draft.save_notes, note))


@clause("SE-111")
def _linked(gun: Gun) -> Gun:
    """Roll the dice of two weapons."""
    return replace(gun, weapons=2)


@clause("SE-111")
def _recharges(gun: Gun) -> Gun:
    """Fire every other turn."""
    return replace(gun, recharges=True)


KEYWORDS = (
    Keyword(INCENDIARY, ("SE-86",), before={note_hit: _incendiary}),
    # other rules also ask for this name: which models may strike with it, and how hard
    Keyword(FORCE, ("SE-115", "SE-116"), before={note_hit: _force}),
    Keyword(LINKED, ("SE-111",), before={note_gun: _linked}),
    Keyword(RECHARGES, ("SE-111",), before={note_gun: _recharges}),
)
WEAPON_RULES = keywords_in_words(KEYWORDS)
READY = Procedure("ready", (note_hit,))
GUN = Procedure("gun", (note_gun,))


def rules_of(weapon: Any) -> tuple[str, ...]:
    """Return the special rules of a weapon, or of the inputs about one: named, or said yes to one by one."""
    said = (name for name in WEAPON_RULES if getattr(weapon, name, None) is True)
    return _as_written((*weapon.rules, *said))


@lru_cache(1024)
def _as_written(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(keyword.written for keyword in find_keywords(names, KEYWORDS))


def is_force_weapon(weapon: Any) -> bool:
    """Return whether psykers strike with it, by the rules of force weapons."""
    return FORCE in rules_of(weapon)


def gun_of(weapon: Any) -> Gun:
    """Return the Sustained Fire of a weapon, or of the inputs about one, with its special rules."""
    return _gun_with(Gun(weapon.sustained or 1, weapon.explodes_on), rules_of(weapon))


@lru_cache(256)
def _gun_with(gun: Gun, rules: tuple[str, ...]) -> Gun:
    changed: Gun = without_luck(with_keywords(GUN, find_keywords(rules, KEYWORDS)), gun)
    return changed


@clause("SE-117")
def hit_of(weapon: WeaponProfile) -> Hit:
    """Return the hit of a weapon as its profile has it."""
    area = weapon.blast is not None or weapon.template is not None
    rules, name = rules_of(weapon), weapon.name or "the weapon"
    return Hit(weapon.strength, weapon.damage, weapon.save_modifier, area, rules, weapon=name)


def draft_hit(hit: Hit, model: Model, rulings: Rulings = DEFAULT) -> HitDraft:
    """Return a hit on a model, with the special rules of its weapon."""
    procedure = with_keywords(READY, find_keywords(hit.rules, KEYWORDS))
    draft: HitDraft = without_luck(procedure, HitDraft(hit, model, rulings))
    return draft


@clause("SE-23", "SE-96", "SE-115")
@lru_cache(4096)
def prepare_hit(hit: Hit, model: Model, rulings: Rulings = DEFAULT) -> PreparedHit:
    """Prepare one hit on one model: the score to wound, the saves against it, the Damage, and whether it may burn."""
    draft = draft_hit(hit, model, rulings)
    return PreparedHit(
        draft.wound_on,
        draft.saves,
        draft.hit.damage,
        hit if draft.burns else None,
        draft.model.is_vehicle,
        automatic=draft.automatic is not None,
        saves_first=rulings.save_order == "before_wound",
        second_fire=rulings.second_fire,
        rules=hit.rules,
    )


@clause("SE-23", "SE-25", "SE-32", "SE-105")
def take_hit(tape: Tape, condition: Condition, prepared_hit: PreparedHit) -> Condition:
    """Play one hit on one model, in order: wound, save, damage, casualty, fire."""
    victim = Victim(condition, prepared_hit)
    for stage in _hit_stages(prepared_hit.rules):
        if victim.condition.is_dead:
            break
        victim = tape.call(stage, victim)
    return victim.condition


@lru_cache(256)
def _hit_stages(rules: tuple[str, ...]) -> tuple[Stage, ...]:
    return with_keywords(HIT, find_keywords(rules, KEYWORDS)).stages


def sets_on_fire(hit: Hit, *models: Model) -> bool:
    """Return whether any of these models may catch fire by a hit, or any model at all if none is named."""
    return any(prepare_hit(hit, model).flame is not None for model in models or (Model(),))


# --- what is told ----------------------------------------------------------------------------------------------------


def wound_and_save_lines(hit: Hit, model: Model, rulings: Rulings) -> Iterator[Line]:
    """Say which score wounds a model, and what its armour needs."""
    draft = draft_hit(hit, model, rulings)
    yield wound_line(draft)
    yield from save_lines(draft)


def needs_lines(aim: Aim | None, hit: Hit, model: Model, rulings: Rulings) -> Iterator[Line]:
    """Say everything that is worked out before the first die: To Hit, to wound, to save."""
    if aim is None:
        yield Line("Hits without a roll To Hit", ("SE-23",), needed="-")
    else:
        yield to_hit_line(aim, rulings)
    yield from wound_and_save_lines(hit, model, rulings)
