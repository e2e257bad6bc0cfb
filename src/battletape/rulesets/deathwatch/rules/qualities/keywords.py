"""Qualities of weapons, each in one place: what they turn before the dice are thrown, and what else asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal

from battletape.rulebook import BadInput, Keyword, UnknownName, cites, clause, nearest, replace
from battletape.rulesets.deathwatch.rules import damage, traits, wounds
from battletape.rulesets.deathwatch.rules.attack.records import NEVER, AttackDraft, Guard, Spec, note_attack
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

Turn = Callable[[AttackDraft, int], AttackDraft]
"""What a quality does to the draft of an attack; the number is the one in brackets."""
ACCURATE_BONUS, TWIN_BONUS, DEFENSIVE_PENALTY = 10, 20, -10
OVERHEAT_FROM = 91
STUN_DEGREES = 6
"""Degrees after which a concussive hit cannot be harder to withstand: -10 each, -60 at most."""


@clause("DW-QUAL-ACCURATE")
def _accurate(draft: AttackDraft, _: int) -> AttackDraft:
    if not draft.aimed:
        return draft
    alone = draft.mode == "single" and draft.kind == "Basic" and not draft.two_weapons and not draft.melee
    draft = replace(draft, accurate=alone and draft.rules.accurate_dice)
    return _added(draft, "accurate weapon, aimed", ACCURATE_BONUS, "ACCURATE")


def _added(draft: AttackDraft, source: str, value: int, of: str) -> AttackDraft:
    return replace(draft, modifiers=(*draft.modifiers, traits.Modifier(source, value, f"DW-QUAL-{of}")))


@clause("DW-QUAL-BALANCED", "DW-QUAL-UNBALANCED", "DW-QUAL-UNWIELDY", "DW-QUAL-RECHARGE", "DW-QUAL-GYRO")
def _elsewhere(draft: AttackDraft, _: int) -> AttackDraft:
    """No dial is turned: parries, blasts, hordes, clips, bands and bracing ask for this quality themselves."""
    return draft


def _tail(name: str) -> Turn:
    """A quality that does something beyond the target."""
    return lambda draft, _: replace(draft, tail=(*draft.tail, name))


def _turned(**dials: int) -> Turn:
    """A quality that turns dials on."""
    return lambda draft, _: replace(draft, **dials)


def _acting(effect: Callable[..., Any], *brings: str, luck: Callable[..., int] | None = None) -> Turn:
    """A quality that does something after each hit that hurts: damage first, then conditions."""
    act = damage.Act(effect, luck, bool(brings))
    return lambda draft, _: replace(
        draft, acts=(*draft.acts, act) if brings else (act, *draft.acts), brings=(*draft.brings, *brings)
    )


def _following(follow: wounds.Follow, *brings: str) -> Turn:
    """A quality that does something once after all hits."""
    return lambda draft, _: replace(draft, follows=(*draft.follows, follow), brings=(*draft.brings, *brings))


@clause("DW-QUAL-BLAST")
def _blast(draft: AttackDraft, metres: int) -> AttackDraft:
    return replace(draft, tail=(*draft.tail, "blast"), blast=metres)


@clause("DW-QUAL-CONCUSSIVE")
def _concussive(draft: AttackDraft, _: int) -> AttackDraft:
    draft = _following(effects.shake, "stunned", "prone")(draft, 0)
    return replace(draft, degrees_kept=STUN_DEGREES, counts=max(draft.counts, draft.guard.sb + 1))


@clause("DW-QUAL-DEFENSIVE")
def _defensive(draft: AttackDraft, _: int) -> AttackDraft:
    return _added(draft, "defensive weapon", DEFENSIVE_PENALTY, "DEFENSIVE")


@clause("DW-QUAL-FLAME")
def _flame(draft: AttackDraft, _: int) -> AttackDraft:
    follows, brings = (effects.catch_fire, *draft.follows), (*draft.brings, "on_fire")
    return replace(draft, flame=True, follows=follows, brings=brings, counts=max(draft.counts, 1))


@clause("DW-QUAL-SCATTER")
def _scatter(draft: AttackDraft, _: int) -> AttackDraft:
    if draft.band == "point_blank":
        return replace(draft, per_two=draft.mode == "single" or draft.rules.scatter_with_burst == "additive")
    return replace(draft, doublings=draft.doublings + 1) if draft.band in ("long", "extreme") else draft


@clause("DW-QUAL-STORM")
def _storm(draft: AttackDraft, _: int) -> AttackDraft:
    if draft.mode == "single" and draft.rules.storm == "bursts_only":
        return draft
    return replace(draft, times=2)


@clause("DW-QUAL-TEARING")
def _tearing(draft: AttackDraft, _: int) -> AttackDraft:
    if draft.rules.tearing == "each_die_best_of_two":
        return replace(draft, best_each=True)
    return replace(draft, extra_dice=draft.extra_dice + 1)


@clause("DW-QUAL-TWIN")
def _twin_linked(draft: AttackDraft, _: int) -> AttackDraft:
    return _added(replace(draft, twin=True), "twin-linked", TWIN_BONUS, "TWIN")


@clause("DW-QUAL-SPECIAL")
def _special(draft: AttackDraft, _: int) -> AttackDraft:
    """Claws cut deeper with every degree, a pair twice; a psyker's force weapon by the rating, and it burns within."""
    if draft.special == "claws":
        return replace(draft, per_degree=2 if draft.pair else 1)
    if draft.special == "force" and draft.psy_rating:
        draft = replace(draft, flat=draft.flat + draft.psy_rating, pen=draft.pen + draft.psy_rating)
        if draft.willpower:
            follows = (*draft.follows, effects.burn_within)
            return replace(draft, follows=follows, counts=max(draft.counts, 1), counts_always=True)
    return draft


def special_of(group: str) -> Literal["", "claws", "force"]:
    """What “Special” means for a melee weapon of this group."""
    return {"Power": "claws", "Force": "force"}.get(group, "")  # type: ignore[return-value]


ROWS: tuple[tuple[str, str, Turn, str], ...] = (
    # name, the field of Qualities if anything else asks for it, what it turns, clause
    ("Accurate", "", _accurate, "ACCURATE"),
    ("Balanced", "balanced", _elsewhere, "BALANCED"),
    ("Blast", "blast", _blast, "BLAST"),
    ("Concussive", "", _concussive, "CONCUSSIVE"),
    ("Defensive", "defensive", _defensive, "DEFENSIVE"),
    ("Devastating", "devastating", _tail("cohesion"), "DEVASTATING"),
    ("Felling", "", lambda draft, levels: replace(draft, felling=levels), "FELLING"),
    ("Flame", "flame", _flame, "FLAME"),
    ("Gyro-Stabilised", "gyro", _elsewhere, "GYRO"),
    ("Haywire", "haywire", _tail("haywire"), "HAYWIRE"),
    ("Overheats", "overheats", _turned(overheat_from=OVERHEAT_FROM, jam_from=NEVER), "OVERHEATS"),
    ("Power Field", "power_field", _turned(power_field=True), "POWER-FIELD"),
    ("Primitive", "primitive", _turned(primitive=True), "PRIMITIVE"),
    ("Razor Sharp", "", _turned(razor=True), "RAZOR"),
    ("Recharge", "recharge", _elsewhere, "RECHARGE"),
    ("Reliable", "", _turned(jam_check=True), "RELIABLE"),
    ("Sanctified", "", _turned(holy=True), "SANCTIFIED"),
    ("Scatter", "", _scatter, "SCATTER"),
    ("Shocking", "", _acting(effects.jolt, "stunned", luck=effects.shock), "SHOCKING"),
    ("Smoke", "smoke", _tail("smoke"), "SMOKE"),
    ("Snare", "", _following(effects.ensnare, "held"), "SNARE"),
    ("Storm", "", _storm, "STORM"),
    ("Tearing", "", _tearing, "TEARING"),
    ("Toxic", "", _acting(effects.sicken, luck=effects.poison), "TOXIC"),
    ("Twin-linked", "twin", _twin_linked, "TWIN"),
    ("Unbalanced", "unbalanced", _elsewhere, "UNBALANCED"),
    ("Unwieldy", "unwieldy", _elsewhere, "UNWIELDY"),
    ("Volatile", "", _turned(volatile=True), "VOLATILE"),
    ("Special", "special", _special, "SPECIAL"),
)
cites(*(f"DW-QUAL-{row[3]}" for row in ROWS), where=f"{__name__}.ROWS")
NUMBERED = ("Blast", "Devastating", "Felling", "Haywire")  # Blast (5)
MOST = 50
NAMES = tuple(name for name, *_ in ROWS)
ALSO_OTHER_WORDS = ("Special",)  # which others use as well, and the book's list of 28 does not hold
LISTED = tuple(name for name in NAMES if name not in ALSO_OTHER_WORDS)
KEYWORDS = tuple(Keyword(name, clauses=(f"DW-QUAL-{of}",)) for name, _, _, of in ROWS if name in LISTED)
"""Each quality with its clause; what it does is its row."""
_QUALITY = re.compile(r"\s*(.*?)\s*(?:\(\s*([^()]*?)\s*\))?\s*")


@lru_cache(1024)
def parse_quality(text: str) -> tuple[str, int]:
    """A quality as written, such as Blast (5): its name and its number, 0 where it has none."""
    if not isinstance(text, str):
        raise BadInput(f"a quality must be a name such as Tearing or Blast (5), got {text!r}", field="qualities")
    written = _QUALITY.fullmatch(text)
    wanted, number = (written[1], written[2]) if written else (text, None)
    name = next((known for known in NAMES if known.lower() == wanted.lower()), None)
    if name is None:
        raise UnknownName("quality", wanted, LISTED, clause=_id(nearest(wanted, NAMES) or ""))
    if name not in NUMBERED:
        if number is not None:
            raise BadInput(f"{name} has no number, write just {name}; got {text!r} ({_id(name)})", field="qualities")
        return name, 0
    if number is None or not number.isdecimal() or not 1 <= int(number) <= MOST:
        needs = f"{name} needs a number from 1 to {MOST} in brackets, such as {name} (3)"
        raise BadInput(f"{needs}; got {text!r} ({_id(name)})", field="qualities")
    return name, int(number)


def parse_qualities(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Qualities as written, in the order of the book; the same one counts once, with its highest number."""
    numbers: dict[str, int] = {}
    for name, number in map(parse_quality, names):
        numbers[name] = max(number, numbers.get(name, 0))
    return tuple((name, numbers[name]) for name in NAMES if name in numbers)


def values(names: Iterable[str]) -> traits.Qualities:
    """What a list of qualities means, as flags and numbers."""
    return _values(parse_qualities(names))


@lru_cache(1024)
def _values(named: tuple[tuple[str, int], ...]) -> traits.Qualities:
    numbers = {name: number if name in NUMBERED else True for name, number in named}
    dials: dict[str, Any] = {field: numbers[name] for name, field, _, _ in ROWS if field and name in numbers}
    return traits.Qualities(**dials)


def _id(name: str) -> str:
    return next((f"DW-QUAL-{row[3]}" for row in ROWS if row[0] == name), "DW-RWEP-00")


@clause("DW-PIPE-1")
def ready(draft: AttackDraft, names: Sequence[str] = (), guard: Guard | None = None, rules: Rulings = DEFAULT) -> Spec:
    """An attack ready to be rolled: the qualities of these names have turned their dials."""
    return note_attack(turned(replace(draft, guard=guard or draft.guard, rules=rules), names))


def turned(draft: AttackDraft, names: Sequence[str]) -> AttackDraft:
    """An attack whose dials the qualities of these names have turned."""
    for name, number in parse_qualities(names):
        draft = _TURNS[name](draft, number)
    return draft


_TURNS: dict[str, Turn] = {name: turn for name, _, turn, _ in ROWS}
