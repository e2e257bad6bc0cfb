"""Qualities of weapons, each in one row: what they turn before the dice are thrown."""

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
    with_keywords,
    without_luck,
)
from battletape.rulesets.deathwatch.rules import damage, traits, wounds
from battletape.rulesets.deathwatch.rules.attack.records import NEVER, AttackDraft, Defender, Spec, note_attack
from battletape.rulesets.deathwatch.rules.quality_effects import (
    apply_poison,
    apply_shock,
    burn_within,
    catch_fire,
    concuss,
    ensnare,
    poison,
    shock,
)
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

ACCURATE_BONUS, TWIN_BONUS, DEFENSIVE_PENALTY = 10, 20, -10
OVERHEAT_FROM = 91
STUN_DEGREES = 6
"""Degrees after which a concussive hit cannot be harder to withstand: -10 each, -60 at most."""


@clause("DW-QUAL-ACCURATE")
def _accurate(draft: AttackDraft) -> AttackDraft:
    if not draft.aimed:
        return draft
    alone = draft.mode == "single" and draft.kind == "Basic" and not draft.two_weapons and not draft.melee
    draft = replace(draft, accurate=alone and draft.rules.accurate_dice)
    return _added(draft, "accurate weapon, aimed", ACCURATE_BONUS, "ACCURATE")


def _added(draft: AttackDraft, source: str, value: int, of: str) -> AttackDraft:
    return replace(draft, modifiers=(*draft.modifiers, traits.Modifier(source, value, f"DW-QUAL-{of}")))


def _turned(**dials: int) -> Dial:
    """Return what turns these dials on."""
    return lambda draft: replace(draft, **dials)


def _tail(name: str) -> Dial:
    """Return what adds something that an attack does beyond its target; its number is asked for there."""
    return lambda draft, *_: replace(draft, extra_effects=(*draft.extra_effects, name))


def _acting(effect: Callable[..., Any], *brings: str, luck: Callable[..., int] | None = None) -> Dial:
    """Return what adds an effect after each hit that hurts: damage first, then conditions."""
    act = damage.HitEffect(effect, luck, bool(brings))
    return lambda draft: replace(
        draft, acts=(*draft.acts, act) if brings else (act, *draft.acts), inflicts=(*draft.inflicts, *brings)
    )


def _following(follow: wounds.Follow, *brings: str) -> Dial:
    """Return what adds an effect once after all hits."""
    return lambda draft: replace(draft, follows=(*draft.follows, follow), inflicts=(*draft.inflicts, *brings))


@clause("DW-QUAL-BLAST")
def _blast(draft: AttackDraft, metres: int) -> AttackDraft:
    return replace(draft, extra_effects=(*draft.extra_effects, "blast"), blast=metres)


@clause("DW-QUAL-CONCUSSIVE")
def _concussive(draft: AttackDraft) -> AttackDraft:
    draft = _following(concuss, "stunned", "prone")(draft)
    return replace(draft, degrees_kept=STUN_DEGREES, counts=max(draft.counts, draft.defender.sb + 1))


@clause("DW-QUAL-DEFENSIVE")
def _defensive(draft: AttackDraft) -> AttackDraft:
    return _added(draft, "defensive weapon", DEFENSIVE_PENALTY, "DEFENSIVE")


@clause("DW-QUAL-FELLING")
def _felling(draft: AttackDraft, levels: int) -> AttackDraft:
    return replace(draft, felling=levels)


@clause("DW-QUAL-FLAME")
def _flame(draft: AttackDraft) -> AttackDraft:
    follows, brings = (catch_fire, *draft.follows), (*draft.inflicts, "on_fire")
    return replace(draft, flame=True, follows=follows, inflicts=brings, counts=max(draft.counts, 1))


@clause("DW-QUAL-OVERHEATS")
def _overheats(draft: AttackDraft) -> AttackDraft:
    return replace(draft, overheat_from=OVERHEAT_FROM, jam_from=NEVER)


@clause("DW-QUAL-SCATTER")
def _scatter(draft: AttackDraft) -> AttackDraft:
    if draft.band == "point_blank":
        return replace(draft, per_two=draft.mode == "single" or draft.rules.scatter_with_burst == "additive")
    return replace(draft, doublings=draft.doublings + 1) if draft.band in ("long", "extreme") else draft


@clause("DW-QUAL-STORM")
def _storm(draft: AttackDraft) -> AttackDraft:
    if draft.mode == "single" and draft.rules.storm == "bursts_only":
        return draft
    return replace(draft, times=2)


@clause("DW-QUAL-TEARING")
def _tearing(draft: AttackDraft) -> AttackDraft:
    if draft.rules.tearing == "each_die_best_of_two":
        return replace(draft, best_each=True)
    return replace(draft, extra_dice=draft.extra_dice + 1)


@clause("DW-QUAL-TWIN")
def _twin_linked(draft: AttackDraft) -> AttackDraft:
    return _added(replace(draft, twin=True), "twin-linked", TWIN_BONUS, "TWIN")


@clause("DW-QUAL-SPECIAL")
def _special(draft: AttackDraft) -> AttackDraft:
    """Claws cut deeper with every degree, a pair twice; a psyker's force weapon by the rating, and it burns within."""
    if draft.special == "claws":
        return replace(draft, per_degree=2 if draft.pair else 1)
    if draft.special == "force" and draft.psy_rating:
        draft = replace(draft, flat=draft.flat + draft.psy_rating, pen=draft.pen + draft.psy_rating)
        if draft.willpower:
            follows = (*draft.follows, burn_within)
            return replace(draft, follows=follows, counts=max(draft.counts, 1), counts_always=True)
    return draft


def special_of(group: str) -> Literal["", "claws", "force"]:
    """What “Special” means for a melee weapon of this group."""
    return {"Power": "claws", "Force": "force"}.get(group, "")  # type: ignore[return-value]


KEYWORDS = (
    Keyword("Accurate", ("DW-QUAL-ACCURATE",), before={note_attack: _accurate}),
    Keyword("Balanced", ("DW-QUAL-BALANCED",)),  # parries ask for it
    Keyword("Blast", ("DW-QUAL-BLAST",), before={note_attack: _blast}, numbered=True),
    Keyword("Concussive", ("DW-QUAL-CONCUSSIVE",), before={note_attack: _concussive}),
    Keyword("Defensive", ("DW-QUAL-DEFENSIVE",), before={note_attack: _defensive}),
    Keyword("Devastating", ("DW-QUAL-DEVASTATING",), before={note_attack: _tail("cohesion")}, numbered=True),
    Keyword("Felling", ("DW-QUAL-FELLING",), before={note_attack: _felling}, numbered=True),
    Keyword("Flame", ("DW-QUAL-FLAME",), before={note_attack: _flame}),
    Keyword("Gyro-Stabilised", ("DW-QUAL-GYRO",)),  # range bands and bracing ask for it
    Keyword("Haywire", ("DW-QUAL-HAYWIRE",), before={note_attack: _tail("haywire")}, numbered=True),
    Keyword("Overheats", ("DW-QUAL-OVERHEATS",), before={note_attack: _overheats}),
    Keyword("Power Field", ("DW-QUAL-POWER-FIELD",), before={note_attack: _turned(power_field=True)}),
    Keyword("Primitive", ("DW-QUAL-PRIMITIVE",), before={note_attack: _turned(primitive=True)}),
    Keyword("Razor Sharp", ("DW-QUAL-RAZOR",), before={note_attack: _turned(razor=True)}),
    Keyword("Recharge", ("DW-QUAL-RECHARGE",)),  # fire over several turns asks for it
    Keyword("Reliable", ("DW-QUAL-RELIABLE",), before={note_attack: _turned(jam_check=True)}),
    Keyword("Sanctified", ("DW-QUAL-SANCTIFIED",), before={note_attack: _turned(holy=True)}),
    Keyword("Scatter", ("DW-QUAL-SCATTER",), before={note_attack: _scatter}),
    Keyword("Shocking", ("DW-QUAL-SHOCKING",), before={note_attack: _acting(apply_shock, "stunned", luck=shock)}),
    Keyword("Smoke", ("DW-QUAL-SMOKE",), before={note_attack: _tail("smoke")}),
    Keyword("Snare", ("DW-QUAL-SNARE",), before={note_attack: _following(ensnare, "held")}),
    Keyword("Storm", ("DW-QUAL-STORM",), before={note_attack: _storm}),
    Keyword("Tearing", ("DW-QUAL-TEARING",), before={note_attack: _tearing}),
    Keyword("Toxic", ("DW-QUAL-TOXIC",), before={note_attack: _acting(apply_poison, luck=poison)}),
    Keyword("Twin-linked", ("DW-QUAL-TWIN",), before={note_attack: _twin_linked}),
    Keyword("Unbalanced", ("DW-QUAL-UNBALANCED",)),  # parries ask for it
    Keyword("Unwieldy", ("DW-QUAL-UNWIELDY",)),  # parries ask for it
    Keyword("Volatile", ("DW-QUAL-VOLATILE",), before={note_attack: _turned(volatile=True)}),
    Keyword("Special", ("DW-QUAL-SPECIAL",), before={note_attack: _special}),
)
cites(*(clause_id for keyword in KEYWORDS for clause_id in keyword.clauses), where=f"{__name__}.KEYWORDS")
AMBIGUOUS_NAMES = ("Special",)  # words that others use as well; the book's list of 28 does not hold them
LISTED = tuple(keyword for keyword in KEYWORDS if keyword.name not in AMBIGUOUS_NAMES)
"""The qualities of the book's list."""
READY = Procedure("ready", (note_attack,))
MAX_NUMBER = 50
_BY_NAME = {keyword.name.lower(): keyword for keyword in KEYWORDS}
_QUALITY = re.compile(r"\s*(.*?)\s*(?:\(\s*([^()]*?)\s*\))?\s*")


@lru_cache(1024)
def parse_quality(text: str) -> tuple[str, int]:
    """A quality as written, such as Blast (5): its name and its number, 0 where it has none."""
    if not isinstance(text, str):
        raise BadInput(f"a quality must be a name such as Tearing or Blast (5), got {text!r}", field="qualities")
    written = _QUALITY.fullmatch(text)
    wanted, number = (written[1], written[2]) if written else (text, None)
    keyword = _BY_NAME.get(wanted.lower())
    if keyword is None:
        near = nearest(wanted, [known.name for known in KEYWORDS])
        clause_id = _BY_NAME[near.lower()].clauses[0] if near else "DW-RWEP-00"
        raise UnknownName("quality", wanted, [known.name for known in LISTED], clause=clause_id)
    name, clause_id = keyword.name, keyword.clauses[0]
    if not keyword.numbered:
        if number is not None:
            raise BadInput(
                f"{name} has no number, write just {name}; got {text!r}", field="qualities", clause=clause_id
            )
        return name, 0
    if number is None or not number.isdecimal() or not 1 <= int(number) <= MAX_NUMBER:
        needs = f"{name} needs a number from 1 to {MAX_NUMBER} in brackets, such as {name} (3)"
        raise BadInput(f"{needs}; got {text!r}", field="qualities", clause=clause_id)
    return name, int(number)


def parse_qualities(names: Iterable[str]) -> tuple[Keyword, ...]:
    """Qualities as written, in the order of the book; the same one counts once, with its highest number."""
    return _parsed(tuple(names))


@lru_cache(1024)
def _parsed(names: tuple[str, ...]) -> tuple[Keyword, ...]:
    numbers: dict[str, int] = {}
    for name, number in map(parse_quality, names):
        numbers[name] = max(number, numbers.get(name, 0))
    found = find_keywords(tuple(numbers), KEYWORDS)
    return tuple(keyword.with_number(numbers[keyword.name]) if keyword.numbered else keyword for keyword in found)


def values(names: Iterable[str]) -> traits.Qualities:
    """Return the flags and numbers of those qualities that other rules ask for by name."""
    return _values(parse_qualities(names))


@lru_cache(1024)
def _values(keywords: tuple[Keyword, ...]) -> traits.Qualities:
    numbers = {re.sub(r"\W", "_", keyword.name.lower()): keyword.number or True for keyword in keywords}
    asked = {name: numbers[name] for name in traits.Qualities.__struct_fields__ if name in numbers}
    return traits.Qualities(**asked)  # type: ignore[arg-type]


@clause("DW-PIPE-1")
def ready(
    draft: AttackDraft, names: Iterable[str] = (), guard: Defender | None = None, rules: Rulings = DEFAULT
) -> Spec:
    """An attack ready to be rolled: the qualities of these names have turned their dials."""
    draft = replace(draft, defender=guard or draft.defender, rules=rules)
    spec: Spec = without_luck(with_keywords(READY, parse_qualities(names)), draft)
    return spec
