"""The critical tables: 160 rows in short codes, which `criticals.toml` explains, read into effects and their words."""

from __future__ import annotations

import re
from typing import Any

from battletape.rulebook import BattletapeError, Struct, cites, listed
from battletape.rulesets.deathwatch.rules.traits import DamageType, Place
from battletape.toml import read_tables


class Strike(Struct, frozen=True, forbid_unknown_fields=True):
    """The harm of a critical row to all within some metres, for players to roll: dice of damage, and of metres."""

    row: int
    place: Place
    damage: str
    within: str
    damage_type: DamageType = "I"


class Critical(Struct, frozen=True):
    """The critical table of one kind of damage."""

    name: str
    pages: str
    rows: tuple[tuple[str, str, str, str], ...]
    strikes: tuple[Strike, ...] = ()  # on those around


COLUMNS: tuple[Place, ...] = ("arm", "body", "head", "leg")
PRINTED = read_tables(__package__, "criticals", dict[DamageType, Critical])
TABLES = {letter: (table.name, table.pages) for letter, table in PRINTED.items()}
ROWS = {letter: table.rows for letter, table in PRINTED.items()}
LAST_ROW = 10
"""It kills everywhere."""
cites("DW-CRIT-2", where=f"{__name__}.ROWS")
cites("DW-CRIT-1", where=f"{__name__}.TABLES")

# --- codes: an unknown one is refused when the table is loaded --------------------------------------------------------


class Effect(Struct, frozen=True, cache_hash=True):
    """One thing a critical row does; a row is a tuple of these."""

    kind: str  # one of those in codes.toml; test, chance, or nearby: what strikes those around
    words: str
    amount: str = ""  # dice text or a number
    time: str = ""  # rounds as dice text; treated, good or hours for what does not pass by itself
    what: str = ""  # characteristics, hand, foot, eye, or our own words; of a test, its characteristic
    failed: tuple[Effect, ...] = ()
    passed: tuple[Effect, ...] = ()
    faces: tuple[tuple[int, tuple[Effect, ...]], ...] = ()  # of a chance: the highest face of each outcome
    bare: bool = False  # only where no armour is


_DICE = r"(?P<amount>\d*d\d+|\d+)"
_TIME = r"(?P<time>\d*d?\d+r|treated|hours|for good)"
_TESTS = {"T?": "toughness", "Ag?": "agility"}
ALL_ARMOUR = 99
"""Armour points lost where the armour is gone."""


class Codes(Struct, frozen=True, forbid_unknown_fields=True):
    """How the codes of critical rows are written and said."""

    codes: tuple[tuple[str, str, str, dict[str, str]], ...]  # as written, kind, in words, and what else is known of it
    names: dict[str, str]
    nearby: dict[str, str]


CODES = read_tables(__package__, "codes", Codes)


def parse_effects(code: str) -> tuple[Effect, ...]:
    """Return the effects of a row as it is written in the table."""
    own, _, around = code.partition("; ")
    effects: list[Effect] = []
    parts = own.split(", ")
    for at, part in enumerate(parts):
        sign = part.partition(" ")[0]
        if sign in _TESTS:
            rest = ", ".join((part.removeprefix(sign).strip(), *parts[at + 1 :]))
            failed, passed = (_parts(text) for text in (rest.partition(" / ")[0], rest.partition(" / ")[2]))
            then = f", passed: {in_words(passed)}" if passed else ""
            words = f"{_TESTS[sign].capitalize()} test, failed: {in_words(failed)}{then}"
            effects.append(Effect("test", words, what=_TESTS[sign], failed=failed, passed=passed))
            break
        effects.append(_part(part))
    return (*effects, Effect("nearby", _note(around), what=around)) if around else tuple(effects)


def _parts(text: str) -> tuple[Effect, ...]:
    return tuple(_part(part) for part in text.split(", ") if part)


def _part(text: str) -> Effect:
    plain = text.removesuffix(" if bare")
    chance = re.fullmatch(rf"{_DICE}: (.*)", plain)
    if chance:
        return _chance(_dice(chance["amount"]), chance[2])
    for form, kind, words, known in CODES.codes:
        match = re.fullmatch(form.replace("{dice}", _DICE).replace("{time}", _TIME), plain)
        if match:
            read: dict[str, Any] = {name: _dice(text.strip()) for name, text in (known | match.groupdict()).items()}
            names = listed([CODES.names.get(word, word) for word in read.get("what", "").split()])
            rounds, time = (_rounds(read.get(name, "")) for name in ("amount", "time"))
            text_of_code = words.format(**read | {"names": names, "rounds": rounds, "time": time})
            bare = plain != text
            return Effect(kind, text_of_code + " if no armour is there" * bare, bare=bare, **read)
    raise BattletapeError(f"a critical row needs codes such as Fd5, Stun1, HM d5r or T? DEAD / BL; got {text!r}")


def _dice(text: str) -> str:
    """Return dice or rounds as they are kept: 1d5 for d5 and d5r."""
    text = re.sub(r"(\d)r$", r"\1", text.removeprefix("for "))
    return f"1{text}" if re.match(r"d\d", text) else text


def _chance(die: str, outcomes: str) -> Effect:
    """Return outcomes by the faces of a die: 1-3 eye lost / 4-10 nose lost & Fel halved."""
    faces, words = [], []
    for part in outcomes.split(" / "):
        which, _, then = part.partition(" ")
        effects = _parts(then.replace(" & ", ", "))
        faces.append((int(which.partition("-")[2]), effects))
        words.append(f"{which} {in_words(effects)}")
    return Effect("chance", f"{die}: {' / '.join(words)}", die, what="what is lost", faces=tuple(faces))


def _rounds(text: str) -> str:
    if not text[-1:].isdigit():
        return {"treated": "until treated", "good": "for good", "hours": "for hours"}.get(text, "")
    return "1 round" if text == "1" else f"{text} rounds"


def in_words(effects: tuple[Effect, ...]) -> str:
    """Return effects in words, one after the other, as a sentence without a full stop."""
    own = ", ".join(effect.words for effect in effects if effect.kind != "nearby")
    return own + "".join(f"; {effect.words}" for effect in effects if effect.kind == "nearby")


def _note(note: str) -> str:
    for stored, words in CODES.nearby.items():
        note = note.replace(stored, words)
    return note


# --- the rows ---------------------------------------------------------------------------------------------------------

EFFECTS: dict[tuple[str, str, int], tuple[Effect, ...]] = {
    (letter, place, row): parse_effects(code)
    for letter, table in ROWS.items()
    for row, line in enumerate(table, 1)
    for place, code in zip(COLUMNS, line, strict=True)
}
"""The effects of each of the 160 rows."""
WORDS = {key: in_words(row_effects) for key, row_effects in EFFECTS.items()}
"""The effects of each row in words, without a full stop."""
BYSTANDER_STRIKES: dict[tuple[str, str, int], tuple[Strike, ...]] = {
    (letter, place, row): tuple(strike for strike in table.strikes if (strike.place, strike.row) == (place, row))
    for letter, table in PRINTED.items()
    for place, row in dict.fromkeys((strike.place, strike.row) for strike in table.strikes)
}
"""Rows that hurt those around."""
NOTES = {effect.what: effect.words for row in EFFECTS.values() for effect in row if effect.kind == "nearby"}
"""Notes about those nearby, as states keep them and as they are said."""
ARMOUR_LOST: dict[tuple[str, str, int], int] = {
    key: int(effect.amount) for key, row_effects in EFFECTS.items() for effect in row_effects if effect.kind == "armour"
}
"""Rows that take armour off the place they strike, and how many points of it."""
ARMOUR_TAKERS = {key[:2] for key in ARMOUR_LOST}
"""Tables and places of which some row takes armour off the place."""
PLACES_THAT_LOSE_ARMOUR = {place for _, place, _ in ARMOUR_LOST}
"""Places that lose armour to some row."""
SURE_DEATHS = {key for key, row in EFFECTS.items() for effect in row if effect.kind == "dead"}
"""Rows that kill for certain."""
TESTED_DEATHS = {key for key, row in EFFECTS.items() for test in row for effect in test.failed if effect.kind == "dead"}
"""Rows that kill after a failed Toughness test."""
CATCHES_FIRE = _parts("fire")
