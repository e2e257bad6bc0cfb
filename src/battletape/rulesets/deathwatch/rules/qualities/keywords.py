"""Qualities of weapons, each in one place: what they turn before the dice are thrown, and what else asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput, UnknownName, nearest
from battletape.procedure import Keyword
from battletape.rulesets.deathwatch.rules.attack.aiming import note_attack
from battletape.rulesets.deathwatch.rules.attack.records import NEVER, Aim, Guard, Spec
from battletape.rulesets.deathwatch.rules.traits import Modifier, Qualities
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

Turn = Callable[[Aim, int], Aim]
"""What a quality does to an aim; the number is the one in brackets."""
ACCURATE_BONUS, TWIN_BONUS, DEFENSIVE_PENALTY = 10, 20, -10
OVERHEAT_FROM = 91
STUN_DEGREES = 6
"""Degrees after which a concussive hit cannot be harder to withstand: -10 each, -60 at most."""


@clause("DW-QUAL-ACCURATE")
def _accurate(aim: Aim, _: int) -> Aim:
    if not aim.aimed:
        return aim
    bonus = Modifier("accurate weapon, aimed", ACCURATE_BONUS, "DW-QUAL-ACCURATE")
    return replace(aim, modifiers=(*aim.modifiers, bonus), accurate=takes_accurate_dice(aim))


@clause("DW-QUAL-ACCURATE")
def takes_accurate_dice(aim: Aim) -> bool:
    """Dice more are for an aimed single shot of one basic weapon only."""
    alone = not aim.two_weapons and not aim.melee
    return bool(aim.aimed and aim.mode == "single" and aim.kind == "Basic" and alone and aim.rules.accurate_dice)


@clause("DW-QUAL-BALANCED", "DW-QUAL-UNBALANCED", "DW-QUAL-UNWIELDY", "DW-QUAL-RECHARGE")
def _elsewhere(aim: Aim, _: int) -> Aim:
    """Nothing before the dice of an attack: parries, blasts, hordes and clips ask for it where they are."""
    return aim


def _tail(name: str) -> Turn:
    def turn(aim: Aim, _: int) -> Aim:
        return replace(aim, tail=(*aim.tail, name))

    return turn


@clause("DW-QUAL-BLAST")
def _blast(aim: Aim, metres: int) -> Aim:
    return replace(aim, tail=(*aim.tail, "blast"), blast=metres)


@clause("DW-QUAL-CONCUSSIVE")
def _concussive(aim: Aim, _: int) -> Aim:
    return replace(aim, tail=(*aim.tail, "concussive"), degrees_kept=STUN_DEGREES)


@clause("DW-QUAL-DEFENSIVE")
def _defensive(aim: Aim, _: int) -> Aim:
    penalty = Modifier("defensive weapon", DEFENSIVE_PENALTY, "DW-QUAL-DEFENSIVE")
    return replace(aim, modifiers=(*aim.modifiers, penalty))


@clause("DW-QUAL-FELLING")
def _felling(aim: Aim, levels: int) -> Aim:
    return replace(aim, felling=aim.felling + levels)


@clause("DW-QUAL-FLAME")
def _flame(aim: Aim, _: int) -> Aim:
    return replace(aim, flame=True)


@clause("DW-QUAL-GYRO")
def _gyro(aim: Aim, _: int) -> Aim:
    """Its modifiers are added up without the penalty; here only the band is long."""
    return replace(aim, band="long") if aim.band == "extreme" else aim


@clause("DW-QUAL-OVERHEATS")
def _overheats(aim: Aim, _: int) -> Aim:
    return replace(aim, overheat_from=OVERHEAT_FROM, jam_from=NEVER)


@clause("DW-QUAL-POWER-FIELD")
def _power_field(aim: Aim, _: int) -> Aim:
    return replace(aim, power_field=True)


@clause("DW-QUAL-PRIMITIVE")
def _primitive(aim: Aim, _: int) -> Aim:
    return replace(aim, primitive=True)


@clause("DW-QUAL-RAZOR")
def _razor(aim: Aim, _: int) -> Aim:
    return replace(aim, razor=True)


@clause("DW-QUAL-RELIABLE")
def _reliable(aim: Aim, _: int) -> Aim:
    return replace(aim, jam_check=True)


@clause("DW-QUAL-SANCTIFIED")
def _sanctified(aim: Aim, _: int) -> Aim:
    return replace(aim, holy=True)


@clause("DW-QUAL-SCATTER")
def _scatter(aim: Aim, _: int) -> Aim:
    if aim.band == "point_blank":
        return replace(aim, per_two=aim.mode == "single" or aim.rules.scatter_with_burst == "additive")
    return replace(aim, doublings=aim.doublings + 1) if aim.band in ("long", "extreme") else aim


@clause("DW-QUAL-SHOCKING")
def _shocking(aim: Aim, _: int) -> Aim:
    return replace(aim, shocking=True)


@clause("DW-QUAL-STORM")
def _storm(aim: Aim, _: int) -> Aim:
    if aim.mode == "single" and aim.rules.storm == "bursts_only":
        return aim
    return replace(aim, times=2, rounds=2 * aim.rounds)


@clause("DW-QUAL-TEARING")
def _tearing(aim: Aim, _: int) -> Aim:
    if aim.rules.tearing == "each_die_best_of_two":
        return replace(aim, best_each=True)
    return replace(aim, extra_dice=aim.extra_dice + 1)


@clause("DW-QUAL-TOXIC")
def _toxic(aim: Aim, _: int) -> Aim:
    return replace(aim, toxic=True)


@clause("DW-QUAL-TWIN")
def _twin_linked(aim: Aim, _: int) -> Aim:
    bonus = Modifier("twin-linked", TWIN_BONUS, "DW-QUAL-TWIN")
    rounds = aim.rounds if aim.times > 1 else 2 * aim.rounds  # both together double it once
    return replace(aim, modifiers=(*aim.modifiers, bonus), twin=True, rounds=rounds, reload=2 * aim.reload)


@clause("DW-QUAL-VOLATILE")
def _volatile(aim: Aim, _: int) -> Aim:
    return replace(aim, volatile=True)


@clause("DW-QUAL-SPECIAL")
def _special(aim: Aim, _: int) -> Aim:
    """Claws cut deeper with every degree; a psyker's force weapon with his rating, and it burns from within."""
    if aim.special == "claws":
        return replace(aim, per_degree=claw_damage(1, aim.pair))
    if aim.special == "force" and aim.psy_rating:
        tail = (*aim.tail, "force") if aim.willpower else aim.tail
        return replace(aim, flat=aim.flat + aim.psy_rating, pen=aim.pen + aim.psy_rating, tail=tail)
    return aim


@clause("DW-QUAL-SPECIAL")
def claw_damage(degrees: int, pair: bool = False) -> int:
    """What lightning claws add to damage for the degrees of the attack."""
    return degrees * (2 if pair else 1)


def special_of(group: str) -> Literal["", "claws", "force"]:
    """What “Special” means for a melee weapon of this group."""
    return {"Power": "claws", "Force": "force"}.get(group, "")  # type: ignore[return-value]


ROWS: tuple[tuple[str, str, Turn, str], ...] = (
    # name, field, what it turns, clause
    ("Accurate", "accurate", _accurate, "ACCURATE"),
    ("Balanced", "balanced", _elsewhere, "BALANCED"),
    ("Blast", "blast", _blast, "BLAST"),
    ("Concussive", "concussive", _concussive, "CONCUSSIVE"),
    ("Defensive", "defensive", _defensive, "DEFENSIVE"),
    ("Devastating", "devastating", _tail("cohesion"), "DEVASTATING"),
    ("Felling", "felling", _felling, "FELLING"),
    ("Flame", "flame", _flame, "FLAME"),
    ("Gyro-Stabilised", "gyro", _gyro, "GYRO"),
    ("Haywire", "haywire", _tail("haywire"), "HAYWIRE"),
    ("Overheats", "overheats", _overheats, "OVERHEATS"),
    ("Power Field", "power_field", _power_field, "POWER-FIELD"),
    ("Primitive", "primitive", _primitive, "PRIMITIVE"),
    ("Razor Sharp", "razor", _razor, "RAZOR"),
    ("Recharge", "recharge", _elsewhere, "RECHARGE"),
    ("Reliable", "reliable", _reliable, "RELIABLE"),
    ("Sanctified", "sanctified", _sanctified, "SANCTIFIED"),
    ("Scatter", "scatter", _scatter, "SCATTER"),
    ("Shocking", "shocking", _shocking, "SHOCKING"),
    ("Smoke", "smoke", _tail("smoke"), "SMOKE"),
    ("Snare", "snare", _tail("snare"), "SNARE"),
    ("Storm", "storm", _storm, "STORM"),
    ("Tearing", "tearing", _tearing, "TEARING"),
    ("Toxic", "toxic", _toxic, "TOXIC"),
    ("Twin-linked", "twin", _twin_linked, "TWIN"),
    ("Unbalanced", "unbalanced", _elsewhere, "UNBALANCED"),
    ("Unwieldy", "unwieldy", _elsewhere, "UNWIELDY"),
    ("Volatile", "volatile", _volatile, "VOLATILE"),
    ("Special", "special", _special, "SPECIAL"),
)
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
        raise BadInput(f"a quality wants a name such as Tearing or Blast (5), got {text!r}", field="qualities")
    written = _QUALITY.fullmatch(text)
    wanted, number = (written[1], written[2]) if written else (text, None)
    name = next((one for one in NAMES if one.lower() == wanted.lower()), None)
    if name is None:
        raise UnknownName("quality", wanted, LISTED, clause=_id(nearest(wanted, NAMES) or ""))
    if name not in NUMBERED:
        if number is not None:
            raise BadInput(f"{name} has no number, write just {name}; got {text!r} ({_id(name)})", field="qualities")
        return name, 0
    if number is None or not number.isdecimal() or not 1 <= int(number) <= MOST:
        wants = f"{name} wants a number from 1 to {MOST} in brackets, such as {name} (3)"
        raise BadInput(f"{wants}; got {text!r} ({_id(name)})", field="qualities")
    return name, int(number)


def parse_qualities(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Qualities as written, in the order of the book; the same one counts once, with its highest number."""
    found: dict[str, int] = {}
    for name, number in map(parse_quality, names):
        found[name] = max(number, found.get(name, 0))
    return tuple((name, found[name]) for name in NAMES if name in found)


def values(names: Iterable[str]) -> Qualities:
    """What a list of qualities means, as flags and numbers."""
    return _values(parse_qualities(names))


@lru_cache(1024)
def _values(named: tuple[tuple[str, int], ...]) -> Qualities:
    fields = {name: field for name, field, _, _ in ROWS}
    found: dict[str, Any] = {fields[name]: number if name in NUMBERED else True for name, number in named}
    return Qualities(**found)


def _id(name: str) -> str:
    return next((f"DW-QUAL-{row[3]}" for row in ROWS if row[0] == name), "DW-RWEP-00")


@clause("DW-PIPE-1")
def ready(aim: Aim, names: Sequence[str] = (), guard: Guard | None = None, rules: Rulings = DEFAULT) -> Spec:
    """An attack ready to be rolled: the qualities of these names have turned their dials."""
    aim = replace(aim, guard=guard or aim.guard, rules=rules)
    for name, number in parse_qualities(names):
        aim = _TURNS[name](aim, number)
    return note_attack(aim)


_TURNS: dict[str, Turn] = {name: turn for name, _, turn, _ in ROWS}
