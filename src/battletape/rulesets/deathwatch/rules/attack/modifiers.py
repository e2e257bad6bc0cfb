"""Modifiers of attacks, dodges and parries, each with source and clause; and training with weapons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from battletape.rulebook import Refused, State, clause
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules.traits import Aim, Band, Grade, Modifier, Qualities, Size
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables import sheet

Action: TypeAlias = Literal[
    "", "standard", "semi", "full", "called", "suppressing", "all_out", "charge", "guarded", "stun", "multiple"
]
"""An action with an attack; the empty word adds no modifier, as standard and multiple attacks do not."""
TestAction: TypeAlias = Literal[
    Action, "swift", "lightning", "two_weapons", "unarmed", "grapple", "feint_and_attack", "knock_down", "manoeuvre"
]
"""Actions with those of melee that add no modifier."""

ACTION_MODIFIERS: Mapping[str, Modifier] = {
    "semi": Modifier("semi-auto burst", +10, "DW-ACT-SEMI-AUTO-BURST"),
    "full": Modifier("full auto burst", +20, "DW-ACT-FULL-AUTO-BURST"),
    "called": Modifier("called shot", -20, "DW-ACT-CALLED-SHOT"),
    "suppressing": Modifier("suppressing fire", -20, "DW-SUPP-2"),
    "all_out": Modifier("all out attack", +20, "DW-ACT-ALL-OUT-ATTACK"),
    "charge": Modifier("charge", +10, "DW-ACT-CHARGE"),
    "guarded": Modifier("guarded attack", -10, "DW-ACT-GUARDED-ATTACK"),
    "stun": Modifier("stun", -20, "DW-ACT-STUN"),
}
GUARDED = Modifier("guarded attack", +10, "DW-ACT-GUARDED-ATTACK")
"""For dodges and parries after one."""
AIM_BONUS: Mapping[str, int] = {"none": 0, "half": 10, "full": 20}
BAND_KEYS: Mapping[str, Band] = {
    "point_blank": "point_blank",
    "short_range": "short",
    "long_range": "long",
    "extreme_range": "extreme",
}
SIZES_WITH_ROWS: tuple[Size, ...] = ("Puny", "Scrawny", "Hulking", "Enormous", "Massive")
SIZE_KEYS: Mapping[str, Size] = {f"shoot_{size.lower()}": size for size in SIZES_WITH_ROWS}
COUNT_ONCE = (*BAND_KEYS, *SIZE_KEYS)
"""Rows of the summary for bands and sizes, of which one counts."""
GYRO_UNBRACED = -20
UNTRAINED, UNTRAINED_CORE, UNTRAINED_UNBRACED = 30, 20, 30  # of flames
MAX_RANGES = 4  # times the range


# --- range ------------------------------------------------------------------------------------------------------------


@clause("DW-RANGE-1")
def band(range_m: float, distance_m: float, rulings: Rulings = DEFAULT) -> Band | None:
    """Return the range band of a distance; None is out of reach."""
    if distance_m > MAX_RANGES * range_m:
        return None
    if distance_m <= rulings.point_blank:
        return "point_blank"
    if 2 * distance_m < range_m:
        return "short"
    if distance_m <= 2 * range_m:
        return "normal"
    return "long" if distance_m <= 3 * range_m else "extreme"


@clause("DW-RANGE-1", "DW-QUAL-FLAME")
def refuse_range(name: str, range_m: float, distance_m: float, flame: bool = False) -> Refused | None:
    """Refuse targets out of reach: beyond four times the range, for flames beyond the range."""
    farthest = range_m if flame else MAX_RANGES * range_m
    if distance_m > farthest:
        reach = f"{farthest:g} m" + ("" if flame else f", four times its range of {range_m:g} m")
        reason = f"{name} cannot reach {distance_m:g} m; it reaches {reach}"
        return Refused(reason, "DW-QUAL-FLAME" if flame else "DW-RANGE-1", "range")
    return None


# --- the situation ----------------------------------------------------------------------------------------------------


class Situation(State, frozen=True):
    """Everything that may modify a test: `own` flags are about the testing fighter, others about the target."""

    # what the attacker does, and with what
    action: TestAction = ""
    overwatch: bool = False
    aim: Aim = "none"
    grade: Grade = "common"
    untrained: bool = False
    heavy: bool = False  # a heavy weapon, which needs bracing
    braced: bool = True
    gyro: bool = False
    # the fighter that tests
    fatigue: int = 0  # levels
    pinned: bool = False
    own_prone: bool = False
    blind: bool = False
    guarded: bool = False  # after a guarded attack
    # the target
    size: Size = "Average"
    size_hidden: bool = False
    surprised: bool = False
    stunned: bool = False
    prone: bool = False
    running: bool = False
    defensive_stance: bool = False
    grappled: bool = False
    in_melee: bool = False  # shots at it are shots into melee
    # between the two
    band: Band | None = None
    engaged: bool = False  # the shooter is in melee with the target
    outnumber: bool = False
    unarmed_vs_armed: bool = False
    fog: bool = False
    situations: tuple[str, ...] = ()  # further rows of the summary, by their keys
    other: tuple[Modifier, ...] = ()


@clause("DW-SUMM-00")
def refuse_situations(s: Situation, melee: bool) -> Refused | None:
    """Refuse named rows that do not fit the attack: of the other kind, or two bands or sizes at once."""
    keys = [sheet.situation_key(key) for key in s.situations]
    kind, other = ("melee", "ranged") if melee else ("ranged", "melee")
    for key in keys:
        if sheet.SITUATIONS[key].applies in (other, "dodge"):
            reason = f"{key} does not change a {kind} attack; it is for {KINDS_IN_WORDS[sheet.SITUATIONS[key].applies]}"
            return Refused(reason, f"DW-SUMM-{key.upper()}", "situation")
    bands = dict.fromkeys([*filter(None, [s.band]), *(BAND_KEYS[key] for key in keys if key in BAND_KEYS)])
    if len(bands) > 1:
        return Refused(f"only one range band counts, got {' and '.join(bands)}", "DW-SUMM-00", "situation")
    own = [] if s.size == "Average" else [s.size]
    sizes = dict.fromkeys([*own, *(SIZE_KEYS[key] for key in keys if key in SIZE_KEYS)])
    if len(sizes) > 1:
        return Refused(f"a target has one size, got {' and '.join(sizes)}", "DW-SUMM-00", "situation")
    return None


KINDS_IN_WORDS = {"ranged": "shooting", "melee": "melee", "dodge": "dodging"}


@clause("DW-SUMM-00", "DW-COND-PRONE", "DW-COND-SURPRISED", "DW-COND-ENGAGED", "DW-PIN-1", "DW-UNTR-1", "DW-RANGE-1")
def attack_modifiers(s: Situation, melee: bool, rulings: Rulings = DEFAULT) -> tuple[Modifier, ...]:
    """Return everything that adds to an attack, in the order of the book."""
    keys, to_hit = rows_that_hold(s, melee), sheet.GRADE_TABLE[s.grade].to_hit
    return (
        *filter(None, [ACTION_MODIFIERS.get(s.action)]),
        *active_modifiers(
            (s.overwatch and s.action != "suppressing", Modifier("overwatch", -20, "DW-OVER-2")),  # not -20 twice
            (s.aim != "none", Modifier(f"{s.aim} aim", AIM_BONUS[s.aim], "DW-ACT-AIM")),
            (to_hit, Modifier(f"{s.grade} weapon", to_hit, f"DW-CRAFT-{s.grade.upper()}")),
        ),
        *(() if melee else range_and_size_modifiers(s, keys)),
        *active_modifiers(
            (s.running, Modifier("target runs", +20 if melee else -20, "DW-ACT-RUN")),
            (s.defensive_stance and melee, Modifier("target in defensive stance", -20, "DW-ACT-DEFENSIVE-STANCE")),
            (s.grappled, Modifier("target grappled", +20, "DW-ACT-GRAPPLE")),
        ),
        *row_modifiers(s, (key for key in keys if key not in COUNT_ONCE), rulings),
        *active_modifiers(
            (s.pinned and not melee, Modifier("pinned", -20, "DW-PIN-1")),
            (s.blind and melee, Modifier("blind", -30, "DW-COND-BLIND")),
        ),
        *s.other,
    )


def active_modifiers(*modifiers: tuple[object, Modifier]) -> tuple[Modifier, ...]:
    """Return each modifier with a condition that holds."""
    return tuple(modifier for holds, modifier in modifiers if holds)


@clause(*(f"DW-SUMM-{key.upper()}" for key in sheet.SITUATIONS if key not in (*COUNT_ONCE, "dodge_while_prone")))
def rows_that_hold(s: Situation, melee: bool) -> dict[str, None]:
    """Return the rows of the summary that hold, named or known from the state; none twice."""
    known = {
        "surprised_or_unaware": s.surprised,
        "stunned": s.stunned,
        "melee_outnumber_2to1": s.outnumber,
        "melee_vs_prone": s.prone,
        "fatigued": s.fatigue > 0,
        "shoot_prone": s.prone,
        "shoot_into_melee": s.in_melee,
        "unarmed_vs_armed": s.unarmed_vs_armed,
        "shoot_in_fog_mist_shadow_smoke": s.fog,
        "weapon_without_talent": s.untrained,
        "heavy_weapon_unbraced": s.heavy and not s.braced,
    }
    named = {sheet.situation_key(key) for key in s.situations}
    never = ("dodge", "ranged" if melee else "melee")
    return {
        key: None
        for key, row in sheet.SITUATIONS.items()
        if (key in named or known.get(key)) and row.applies not in never
    }


@clause("DW-RANGE-1", "DW-QUAL-GYRO")
def band_of(s: Situation) -> Band | None:
    """Return the range band that counts; a stabilised weapon has long for extreme range."""
    named = (BAND_KEYS[key] for key in map(sheet.situation_key, s.situations) if key in BAND_KEYS)
    band = s.band or next(named, None)
    return "long" if band == "extreme" and s.gyro else band


@clause(*(f"DW-SUMM-{key.upper()}" for key in COUNT_ONCE), "DW-RANGE-1", "DW-RANGE-2")
def range_and_size_modifiers(s: Situation, keys: Mapping[str, None]) -> Iterator[Modifier]:
    """Return range band and size, of which each counts once."""
    band = band_of(s)
    by_band = sheet.RANGES[band] if band else 0
    if band and by_band and not (by_band > 0 and s.engaged):  # no bonus for shots fired in melee
        words = "point blank" if band == "point_blank" else f"{band} range"
        yield Modifier(words, by_band, "DW-RANGE-1")
    size = s.size if s.size != "Average" else next((SIZE_KEYS[key] for key in keys if key in SIZE_KEYS), s.size)
    by_size = min(0, sheet.SIZES[size][0]) if s.size_hidden else sheet.SIZES[size][0]
    if by_size:
        yield Modifier(f"{size.lower()} target", by_size, "DW-RANGE-2")


ROWS_WITH_SECTIONS: Mapping[str, tuple[int, str]] = {
    "stunned": (+20, "DW-STUN-1"),
    "fatigued": (-10, "DW-FAT-1"),
    "weapon_without_talent": (-20, "DW-UNTR-1"),
}
"""Rows of the summary that have a section of their own as well, which counts in their place."""


@clause("DW-SUMM-00")
def row_value(key: str, rulings: Rulings = DEFAULT) -> int:
    """Return the modifier of a situation of the summary, as printed or as the core book has it."""
    row = sheet.SITUATIONS[key]
    return sheet.DIFFICULTIES[row.printed if rulings.combat_table == "literal" else row.corrected]


def row_modifiers(s: Situation, keys: Iterable[str], rulings: Rulings = DEFAULT) -> Iterator[Modifier]:
    """Return rows of the summary, those with a section of their own twice or once by the ruling."""
    for key in keys:
        value, words = row_value(key, rulings), sheet.SITUATIONS[key].words
        if key in ROWS_WITH_SECTIONS:
            own, cited = ROWS_WITH_SECTIONS[key]
            yield Modifier(words, fatigue_modifier(max(1, s.fatigue), rulings) if key == "fatigued" else own, cited)
            if rulings.same_condition == "once":
                continue
        if key == "heavy_weapon_unbraced" and s.gyro:
            value = GYRO_UNBRACED
        if value:
            yield Modifier(words, value, f"DW-SUMM-{key.upper()}")


# --- other tests ------------------------------------------------------------------------------------------------------


@clause("DW-FAT-1")
def fatigue_modifier(levels: int, rulings: Rulings = DEFAULT) -> int:
    """Return what fatigue takes from every test."""
    return -10 * (levels if rulings.fatigue_penalty == "per_level" else min(1, levels))


@clause("DW-EVA-1", "DW-COND-PRONE", "DW-SUMM-DODGE_WHILE_PRONE")
def dodge_modifiers(s: Situation, rulings: Rulings = DEFAULT) -> tuple[Modifier, ...]:
    """Return what modifies a dodge; rows named with an attack are not about the dodging fighter."""
    rows = [key for key, holds in (("fatigued", s.fatigue), ("dodge_while_prone", s.own_prone)) if holds]
    return (*row_modifiers(s, rows, rulings), *active_modifiers((s.guarded, GUARDED)))


@clause("DW-ACT-PARRY", "DW-EVA-3")
def parry_modifiers(qualities: Qualities, guarded: bool = False, rulings: Rulings = DEFAULT) -> tuple[Modifier, ...]:
    """Return what a weapon and a guarded attack add to a parry."""
    return active_modifiers(
        (qualities.balanced, Modifier("balanced weapon", +10, "DW-QUAL-BALANCED")),
        (qualities.defensive, Modifier("defensive weapon", +15, "DW-QUAL-DEFENSIVE")),
        (qualities.unbalanced, Modifier("unbalanced weapon", -10, "DW-QUAL-UNBALANCED")),
        (guarded, GUARDED),
    )


# --- bare hands and training ------------------------------------------------------------------------------------------


BARE_HANDS = ("fists", "bare hands", "bare fists")
"""Words for bare hands in place of a weapon's name; the first is their name."""


@clause("DW-UNARM-1")
def is_bare(name: str) -> bool:
    """Return whether the name of a weapon means bare hands; a power fist has another name."""
    return " ".join(name.split()).lower() in BARE_HANDS


class Talent(NamedTuple):
    """A talent that a rule of this sheet asks for."""

    name: str
    clause: str


EVERY_WEAPON = Talent("Astartes Weapon Training", "DW-UNTR-1")
HEAVY = "Heavy"
NO_TRAINING_NEEDED = ("", "other")
"""Groups that need no training: clubs and stones, and weapons of no group."""


def has_talent(talents: Iterable[str], talent: Talent) -> bool:
    """Return whether a list of talents holds this one, in small or capital letters, with hyphens or without."""
    return spelt(talent.name) in map(spelt, talents)


def spelt(talent: str) -> str:
    """Return a talent's name as it is compared."""
    return talent.strip().lower().replace("-", " ")


@clause("DW-UNTR-1")
def is_trained(weapon: WeaponProfile, talents: Sequence[str]) -> bool:
    """Return whether these talents train for a weapon: for its group, and for heavy weapons if it is one."""
    group = weapon.group.strip()
    if group.lower() in NO_TRAINING_NEEDED or has_talent(talents, EVERY_WEAPON):
        return True
    if _has_any(talents, *training_of(weapon.kind, f" ({group})")):
        return True
    return _has_any(talents, *training_of(group)) and (weapon.kind != HEAVY or _has_any(talents, *training_of(HEAVY)))


def _has_any(talents: Sequence[str], *names: str) -> bool:
    return any(has_talent(talents, Talent(name, "DW-UNTR-1")) for name in names)


def training_of(of: str, group: str = "") -> tuple[str, str]:
    """Return the names of the training for a group or a class of weapons."""
    return f"{of} training{group}", f"{of} weapon training{group}"


@clause("DW-UNTR-2")
def untrained_bonus(untrained: bool, heavy_unbraced: bool = False, rulings: Rulings = DEFAULT) -> int:
    """Return the bonus to dodge flames of a wielder without the talent for the weapon."""
    if not untrained:
        return 0
    if rulings.untrained_flame == "core":
        return UNTRAINED_UNBRACED if heavy_unbraced else UNTRAINED_CORE
    return UNTRAINED
