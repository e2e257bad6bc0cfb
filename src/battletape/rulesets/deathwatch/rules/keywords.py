"""Qualities of weapons, a row each: the dials they turn before the dice are thrown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Literal

from battletape.rulebook import (
    BadInput,
    Dial,
    Keyword,
    Procedure,
    UnknownName,
    cites,
    clause,
    find_keywords,
    nearest,
    replace,
    split_number,
    with_keywords,
    without_luck,
)
from battletape.rulesets.deathwatch.rules import damage, quality_effects, traits, wounds
from battletape.rulesets.deathwatch.rules.attack.records import (
    NEVER,
    AttackDraft,
    Defender,
    PreparedAttack,
    specify_attack,
)
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

ACCURATE_BONUS, TWIN_BONUS, DEFENSIVE_PENALTY = 10, 20, -10
OVERHEAT_FROM = 91
STUN_DEGREES = 6
"""Degrees after which a concussive hit cannot be harder to withstand: -10 each, -60 at most."""


@clause("DW-QUAL-ACCURATE")
def _accurate(draft: AttackDraft) -> AttackDraft:
    if not draft.aim_bonus:
        return draft
    alone = draft.mode == "single" and draft.kind == "Basic" and not draft.two_weapons and not draft.melee
    draft = replace(draft, accurate=alone and draft.rulings.accurate_dice)
    return _with_modifier(draft, "accurate weapon, aimed", ACCURATE_BONUS, "ACCURATE")


def _with_modifier(draft: AttackDraft, source: str, value: int, quality: str) -> AttackDraft:
    return replace(draft, modifiers=(*draft.modifiers, traits.Modifier(source, value, f"DW-QUAL-{quality}")))


def _set_dials(**dials: int) -> Dial:
    """Return a dial that sets these fields of the draft."""
    return lambda draft: replace(draft, **dials)


def _extra_effect(name: str) -> Dial:
    """Return a dial that adds an effect beyond the target of the attack; its number is read there."""
    return lambda draft, *_: replace(draft, extra_effects=(*draft.extra_effects, name))


def _hit_effect(effect: Callable[..., Any], *inflicts: str, roll: Callable[..., int] | None = None) -> Dial:
    """Return a dial that adds an effect after each hit that hurts: damage first, then conditions."""
    added = damage.HitEffect(effect, roll, bool(inflicts))
    return lambda draft: replace(
        draft,
        hit_effects=(*draft.hit_effects, added) if inflicts else (added, *draft.hit_effects),
        inflicts=(*draft.inflicts, *inflicts),
    )


def _attack_effect(effect: wounds.AttackEffect, *inflicts: str) -> Dial:
    """Return a dial that adds an effect once after all hits."""
    return lambda draft: replace(
        draft, attack_effects=(*draft.attack_effects, effect), inflicts=(*draft.inflicts, *inflicts)
    )


@clause("DW-QUAL-BLAST")
def _blast(draft: AttackDraft, metres: int) -> AttackDraft:
    return replace(draft, extra_effects=(*draft.extra_effects, "blast"), blast=metres)


@clause("DW-QUAL-CONCUSSIVE")
def _concussive(draft: AttackDraft) -> AttackDraft:
    draft = _attack_effect(quality_effects.concuss, "stunned", "prone")(draft)
    return replace(draft, degrees_kept=STUN_DEGREES, net_limit=max(draft.net_limit, draft.defender.sb + 1))


@clause("DW-QUAL-DEFENSIVE")
def _defensive(draft: AttackDraft) -> AttackDraft:
    return _with_modifier(draft, "defensive weapon", DEFENSIVE_PENALTY, "DEFENSIVE")


@clause("DW-QUAL-FELLING")
def _felling(draft: AttackDraft, levels: int) -> AttackDraft:
    return replace(draft, felling=levels)


@clause("DW-QUAL-FLAME", "DW-UNTR-2")
def _flame(draft: AttackDraft) -> AttackDraft:
    effects, inflicts = (quality_effects.catch_fire, *draft.attack_effects), (*draft.inflicts, "on_fire")
    return replace(draft, flame=True, attack_effects=effects, inflicts=inflicts, net_limit=max(draft.net_limit, 1))


@clause("DW-QUAL-OVERHEATS")
def _overheats(draft: AttackDraft) -> AttackDraft:
    return replace(draft, overheat_from=OVERHEAT_FROM, jam_from=NEVER)


@clause("DW-QUAL-SCATTER")
def _scatter(draft: AttackDraft) -> AttackDraft:
    if draft.band == "point_blank":
        return replace(
            draft, hit_per_two_degrees=draft.mode == "single" or draft.rulings.scatter_with_burst == "additive"
        )
    return replace(draft, armour_doublings=draft.armour_doublings + 1) if draft.band in ("long", "extreme") else draft


@clause("DW-QUAL-STORM")
def _storm(draft: AttackDraft) -> AttackDraft:
    if draft.mode == "single" and draft.rulings.storm == "bursts_only":
        return draft
    return replace(draft, hit_multiplier=2)


@clause("DW-QUAL-TEARING")
def _tearing(draft: AttackDraft) -> AttackDraft:
    if draft.rulings.tearing == "each_die_best_of_two":
        return replace(draft, better_of_two=True)
    return replace(draft, extra_dice=draft.extra_dice + 1)


@clause("DW-QUAL-TWIN")
def _twin_linked(draft: AttackDraft) -> AttackDraft:
    return _with_modifier(replace(draft, twin_linked=True), "twin-linked", TWIN_BONUS, "TWIN")


@clause("DW-QUAL-SPECIAL")
def _special(draft: AttackDraft) -> AttackDraft:
    """Turn the dials of claws, by degrees, or of a psyker's force weapon, by the rating."""
    if draft.special == "claws":
        return replace(draft, damage_per_degree=2 if draft.claw_pair else 1)
    if draft.special == "force" and draft.psy_rating:
        draft = replace(draft, flat=draft.flat + draft.psy_rating, pen=draft.pen + draft.psy_rating)
        if draft.willpower:
            effects = (*draft.attack_effects, quality_effects.burn_within)
            return replace(draft, attack_effects=effects, net_limit=max(draft.net_limit, 1), always_counts_net=True)
    return draft


def special_of(group: str) -> Literal["", "claws", "force"]:
    """Return what “Special” means for a melee weapon of this group."""
    return {"Power": "claws", "Force": "force"}.get(group, "")  # type: ignore[return-value]


KEYWORDS = (
    Keyword("Accurate", ("DW-QUAL-ACCURATE",), before={specify_attack: _accurate}),
    Keyword("Balanced", ("DW-QUAL-BALANCED",)),  # parries ask for it
    Keyword("Blast", ("DW-QUAL-BLAST",), before={specify_attack: _blast}, numbered=True),
    Keyword("Concussive", ("DW-QUAL-CONCUSSIVE",), before={specify_attack: _concussive}),
    Keyword("Defensive", ("DW-QUAL-DEFENSIVE",), before={specify_attack: _defensive}),
    Keyword("Devastating", ("DW-QUAL-DEVASTATING",), before={specify_attack: _extra_effect("cohesion")}, numbered=True),
    Keyword("Felling", ("DW-QUAL-FELLING",), before={specify_attack: _felling}, numbered=True),
    Keyword("Flame", ("DW-QUAL-FLAME",), before={specify_attack: _flame}),
    Keyword("Gyro-Stabilised", ("DW-QUAL-GYRO",)),  # range bands and bracing ask for it
    Keyword("Haywire", ("DW-QUAL-HAYWIRE",), before={specify_attack: _extra_effect("haywire")}, numbered=True),
    Keyword("Overheats", ("DW-QUAL-OVERHEATS",), before={specify_attack: _overheats}),
    Keyword("Power Field", ("DW-QUAL-POWER-FIELD",), before={specify_attack: _set_dials(power_field=True)}),
    Keyword("Primitive", ("DW-QUAL-PRIMITIVE",), before={specify_attack: _set_dials(primitive=True)}),
    Keyword("Razor Sharp", ("DW-QUAL-RAZOR",), before={specify_attack: _set_dials(razor=True)}),
    Keyword("Recharge", ("DW-QUAL-RECHARGE",)),  # fire over several turns asks for it
    Keyword("Reliable", ("DW-QUAL-RELIABLE",), before={specify_attack: _set_dials(jam_check=True)}),
    Keyword("Sanctified", ("DW-QUAL-SANCTIFIED",), before={specify_attack: _set_dials(holy=True)}),
    Keyword("Scatter", ("DW-QUAL-SCATTER",), before={specify_attack: _scatter}),
    Keyword(
        "Shocking",
        ("DW-QUAL-SHOCKING",),
        before={specify_attack: _hit_effect(quality_effects.apply_shock, "stunned", roll=quality_effects.shock)},
    ),
    Keyword("Smoke", ("DW-QUAL-SMOKE",), before={specify_attack: _extra_effect("smoke")}),
    Keyword("Snare", ("DW-QUAL-SNARE",), before={specify_attack: _attack_effect(quality_effects.ensnare, "held")}),
    Keyword("Storm", ("DW-QUAL-STORM",), before={specify_attack: _storm}),
    Keyword("Tearing", ("DW-QUAL-TEARING",), before={specify_attack: _tearing}),
    Keyword(
        "Toxic",
        ("DW-QUAL-TOXIC",),
        before={specify_attack: _hit_effect(quality_effects.apply_poison, roll=quality_effects.poison)},
    ),
    Keyword("Twin-linked", ("DW-QUAL-TWIN",), before={specify_attack: _twin_linked}),
    Keyword("Unbalanced", ("DW-QUAL-UNBALANCED",)),  # parries ask for it
    Keyword("Unwieldy", ("DW-QUAL-UNWIELDY",)),  # parries ask for it
    Keyword("Volatile", ("DW-QUAL-VOLATILE",), before={specify_attack: _set_dials(volatile=True)}),
    Keyword("Special", ("DW-QUAL-SPECIAL",), before={specify_attack: _special}),
)
cites(*(clause_id for keyword in KEYWORDS for clause_id in keyword.clauses), where=f"{__name__}.KEYWORDS")
AMBIGUOUS_NAMES = ("Special",)  # words that others use as well; the book's list of 28 does not hold them
LISTED = tuple(keyword for keyword in KEYWORDS if keyword.name not in AMBIGUOUS_NAMES)
"""The qualities of the book's list."""
READY = Procedure("ready", (specify_attack,))
_BY_NAME = {keyword.name.lower(): keyword for keyword in KEYWORDS}


@lru_cache(1024)
def parse_quality(text: str) -> Keyword:
    """Return a quality as written, such as Blast (5), with its number if it takes one."""
    if not isinstance(text, str):
        raise BadInput(f"a quality must be a name such as Tearing or Blast (5), got {text!r}", field="qualities")
    wanted, number = (text.strip(), "") if text.strip().lower() in _BY_NAME else split_number(text)
    keyword = _BY_NAME.get(wanted.lower())
    if keyword is None:
        near = nearest(wanted, [known.name for known in KEYWORDS])
        clause_id = _BY_NAME[near.lower()].clauses[0] if near else "DW-RWEP-00"
        raise UnknownName("quality", wanted, [known.name for known in LISTED], clause=clause_id)
    if keyword.numbered:
        return keyword.with_written_number(number, text, "qualities")
    if text.strip().lower() != keyword.name.lower():
        unnumbered = f"{keyword.name} has no number, write just {keyword.name}; got {text!r}"
        raise BadInput(unnumbered, field="qualities", clause=keyword.clauses[0])
    return keyword


def parse_qualities(names: Iterable[str]) -> tuple[Keyword, ...]:
    """Return qualities as written, in the order of the book; the same one counts once, with its highest number."""
    return _parsed(tuple(names))


@lru_cache(1024)
def _parsed(names: tuple[str, ...]) -> tuple[Keyword, ...]:
    return find_keywords([parse_quality(name).written for name in names], KEYWORDS)


def qualities_named(names: Iterable[str]) -> traits.Qualities:
    """Return the flags and numbers of those qualities that other rules ask for by name."""
    return _as_qualities(parse_qualities(names))


@lru_cache(1024)
def _as_qualities(keywords: tuple[Keyword, ...]) -> traits.Qualities:
    numbers = {re.sub(r"\W", "_", keyword.name.lower()): keyword.number or True for keyword in keywords}
    asked = {name: numbers[name] for name in traits.Qualities.__struct_fields__ if name in numbers}
    return traits.Qualities(**asked)  # type: ignore[arg-type]


@clause("DW-PIPE-1")
def apply_qualities(
    draft: AttackDraft, names: Iterable[str] = (), defender: Defender | None = None, rulings: Rulings = DEFAULT
) -> PreparedAttack:
    """Return an attack ready to be rolled: the qualities of these names have turned their dials."""
    draft = replace(draft, defender=defender or draft.defender, rulings=rulings)
    spec: PreparedAttack = without_luck(with_keywords(READY, parse_qualities(names)), draft)
    return spec
