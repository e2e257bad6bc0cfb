"""Critical damage: the codes of its tables read into effects; what a row does, whether it kills, and its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Literal, TypeVar, cast

from battletape.rulebook import BadInput, BattletapeError, Struct, Tape, clause, d, dice, listed, replace
from battletape.rulesets.deathwatch.rules import damage, traits
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, ROUNDS, Conditions, tire
from battletape.rulesets.deathwatch.rules.tests import check
from battletape.rulesets.deathwatch.tables import criticals, sheet
from battletape.toml import read_tables

K = TypeVar("K", str, tuple[str, int])

# --- codes: an unknown one is refused when the table is loaded --------------------------------------------------------


class Effect(Struct, frozen=True, cache_hash=True):
    """One thing a critical row does; a row is a tuple of these."""

    kind: str  # one of those in codes.toml; test, chance, or nearby: what those around feel
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
DESTROYED = 99
"""Armour points lost where the armour is gone."""


class Codes(Struct, frozen=True, forbid_unknown_fields=True):
    """How the codes of critical rows are written and said."""

    codes: tuple[tuple[str, str, str, dict[str, str]], ...]  # as written, kind, in words, and what else is known of it
    names: dict[str, str]
    nearby: dict[str, str]


SPELT = read_tables("battletape.rulesets.deathwatch.tables", "codes", Codes)


def parse_effects(code: str) -> tuple[Effect, ...]:
    """The effects of a row as it is written in the table."""
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
    return (*effects, Effect("nearby", note_words(around), what=around)) if around else tuple(effects)


def _parts(text: str) -> tuple[Effect, ...]:
    return tuple(_part(part) for part in text.split(", ") if part)


def _part(text: str) -> Effect:
    plain = text.removesuffix(" if bare")
    chance = re.fullmatch(rf"{_DICE}: (.*)", plain)
    if chance:
        return _chance(_dice(chance["amount"]), chance[2])
    for form, kind, words, known in SPELT.codes:
        match = re.fullmatch(form.replace("{dice}", _DICE).replace("{time}", _TIME), plain)
        if match:
            read: dict[str, Any] = {name: _dice(text.strip()) for name, text in (known | match.groupdict()).items()}
            names = listed([SPELT.names.get(word, word) for word in read.get("what", "").split()])
            rounds, time = (_rounds(read.get(name, "")) for name in ("amount", "time"))
            said = words.format(**read | {"names": names, "rounds": rounds, "time": time})
            bare = plain != text
            return Effect(kind, said + " if no armour is there" * bare, bare=bare, **read)
    raise BattletapeError(f"a critical row needs codes such as Fd5, Stun1, HM d5r or T? DEAD / BL; got {text!r}")


def _dice(text: str) -> str:
    """Dice or rounds as they are kept: 1d5 for d5 and d5r."""
    text = re.sub(r"(\d)r$", r"\1", text.removeprefix("for "))
    return f"1{text}" if re.match(r"d\d", text) else text


def _chance(die: str, outcomes: str) -> Effect:
    """Outcomes by the faces of a die: 1-3 eye lost / 4-10 nose lost & Fel halved."""
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
    """Effects in words, one after the other, as a sentence without a full stop."""
    own = ", ".join(effect.words for effect in effects if effect.kind != "nearby")
    return own + "".join(f"; {effect.words}" for effect in effects if effect.kind == "nearby")


def note_words(note: str) -> str:
    """A note of a fighter's state in words."""
    for stored, said in SPELT.nearby.items():
        note = note.replace(stored, said)
    return note


# --- what a row does --------------------------------------------------------------------------------------------------


State = Conditions | Literal["dead"]
EFFECTS: dict[tuple[str, str, int], tuple[Effect, ...]] = {
    (letter, place, row): parse_effects(code)
    for letter, table in criticals.ROWS.items()
    for row, line in enumerate(table, 1)
    for place, code in zip(criticals.COLUMNS, line, strict=True)
}
"""What each of the 160 rows does."""


@clause("DW-CRIT-1")
def table_of(letter: str) -> tuple[str, str]:
    """The critical table of a damage letter, and its pages in the core book."""
    return criticals.TABLES[sheet.find_name("damage type", letter, criticals.TABLES)]


@clause("DW-CRIT-2")
def effects(damage_type: str, place: str, row: int) -> tuple[Effect, ...]:
    """What a row of a table does to a place."""
    row_effects = EFFECTS.get((damage_type, traits.place_of(place), row))
    if row_effects is None:
        table_of(damage_type)
        raise BadInput(f"a critical table has the rows 1 to {criticals.LAST_ROW}; got {row} (DW-CRIT-2)", field="row")
    return row_effects


def row_words(damage_type: str, place: str, row: int) -> str:
    """What a row does, as a sentence without a full stop."""
    return in_words(effects(damage_type, place, row))


ARMOUR_LOST: dict[tuple[str, str, int], int] = {
    key: int(effect.amount) for key, row_effects in EFFECTS.items() for effect in row_effects if effect.kind == "armour"
}
"""Rows that take armour off the place they strike, and how many points of it."""
TAKE_ARMOUR = {key[:2] for key in ARMOUR_LOST}
"""Tables and places of which some row takes armour off the place."""
FRAIL = {place for _, place, _ in ARMOUR_LOST}
"""Places whose armour some row takes."""
SURE = {key for key, row in EFFECTS.items() for effect in row if effect.kind == "dead"}
"""Rows that kill whatever the dice say."""
TESTED = {key for key, row in EFFECTS.items() for test in row for effect in test.failed if effect.kind == "dead"}
"""Rows that kill whoever fails a Toughness test."""


@clause("DW-CRIT-2", "DW-CRIT-1")
def suffer(tape: Tape, conditions: Conditions, hit: damage.Hit, row: int) -> State:
    """What a row does, one effect after the other; tests are made as they stood before the attack."""
    befalling = effects(hit.damage_type, hit.spot, row)
    if (hit.damage_type, traits.place_of(hit.spot), row) in SURE:
        return "dead"
    bare = dict(conditions.armour_lost).get(hit.spot, 0) >= DESTROYED  # points lost before the attack its AP lacks
    struck = damage.Hit(hit.spot, armoured=hit.armoured and not bare, body=hit.body)
    blow: State = tape.call(befall, struck, befalling, conditions.on_fire)
    return "dead" if isinstance(blow, str) else together(conditions, blow, hit.body.tb)


@clause("DW-CRIT-2")
def befall(tape: Tape, struck: damage.Hit, befalling: tuple[Effect, ...], on_fire: bool) -> State:
    """What effects do to an unhurt victim that no fatigue fells: worked out once for all."""
    tireless = replace(struck, body=replace(struck.body, tb=FOR_GOOD))
    after = tape.each(undergo, Conditions(on_fire=on_fire), tuple((effect, tireless) for effect in befalling))
    if isinstance(after, str) or after.fatigue <= struck.body.tb:
        return cast(State, after)
    return replace(after, fatigue=struck.body.tb + 1)


def together(conditions: Conditions, blow: Conditions, tb: int) -> Conditions:
    """Conditions from before and those that a hit adds: of two durations the longer counts, halved is halved once."""
    if lasting := _lasting(blow):
        conditions = replace(conditions, **{name: max(getattr(conditions, name), felt) for name, felt in lasting})
    if blow.notes or blow.useless or blow.penalties or blow.lost or blow.armour_lost or blow.hazard:
        both_eyes = "eye" in conditions.lost and "eye" in blow.lost
        mine, more = ([((what, by), left) for what, by, left in each.penalties] for each in (conditions, blow))
        conditions = replace(
            conditions,
            blind=FOR_GOOD if both_eyes else conditions.blind,
            useless=_joined(conditions.useless, blow.useless, max),
            lost=tuple(sorted({*conditions.lost, *blow.lost})),
            penalties=tuple((what, by, left) for (what, by), left in _joined(mine, more, max)),
            hazard=blow.hazard or conditions.hazard,
            armour_lost=_joined(
                conditions.armour_lost, blow.armour_lost, lambda gone, more: min(DESTROYED, gone + more)
            ),
            notes=(*conditions.notes, *(note for note in blow.notes if note not in conditions.notes)),
        )
    return tire(conditions, blow.fatigue, tb)


@lru_cache(4096)
def _lasting(blow: Conditions) -> tuple[tuple[str, int], ...]:
    """What of a blow lasts for rounds, or is so from now on."""
    states = (*ROUNDS, "prone", "on_fire", "blood_loss", "stand_is_full", "dropped")
    return tuple((name, felt) for name in states if (felt := getattr(blow, name)))


def _joined(
    mine: Iterable[tuple[K, int]], more: Iterable[tuple[K, int]], both: Callable[[int, int], int]
) -> tuple[tuple[K, int], ...]:
    numbers = dict(mine)
    for key, number in more:
        numbers[key] = both(numbers.get(key, 0), number)
    return tuple(sorted(numbers.items()))


_CATCHES_FIRE = _parts("fire")


@clause("DW-CRIT-2")
def undergo(tape: Tape, state: State, item: tuple[Effect, damage.Hit]) -> State:
    """One effect of a row."""
    effect, struck = item
    body = struck.body
    if isinstance(state, str) or (effect.bare and struck.armoured):
        return state
    if effect.kind == "dead":
        return "dead"
    if effect.kind == "test":
        if state.on_fire and effect.failed == _CATCHES_FIRE:
            return state
        passed = check(tape, body.toughness if effect.what == "toughness" else body.agility, effect.what, body.rules)
        then = effect.passed if passed else effect.failed
    elif effect.kind == "chance":
        face = roll(tape, effect.amount, effect.what)
        then = next(then for most, then in effect.faces if face <= most)
    else:
        return together(state, Conditions(**added(tape, effect, struck)), body.tb)
    for caused in then:
        state = undergo(tape, state, (caused, struck))
    return state


def roll(tape: Tape, amount: str, label: str) -> int:
    """A number of a row: as it stands, or rolled."""
    if "d" not in amount:
        return int(amount)
    other = "" if amount == "1d10" else f" ({amount.removeprefix('1')})"
    die = d(int(amount[2:])) if amount.startswith("1d") else dice(amount)
    return int(tape.roll(die, label=f"critical: {label}{other}"))


LASTING = {
    "blind": ("blind", "blind"),
    "deaf": ("deaf", "deaf"),
    "half_action": ("half_actions", "of half actions"),
    "halved_move": ("slowed", "of halved movement"),
    "useless": ("useless", "useless"),
    "penalty": ("penalties", "of the penalty"),
    "halved": ("penalties", "halved"),
}
"""What lasts for rounds: where it is kept, and the rounds in words."""


@clause("DW-CRIT-2")
def added(tape: Tape, effect: Effect, struck: damage.Hit) -> dict[str, Any]:
    """What an effect adds to the conditions of whoever it strikes; what no dice feel is a note for players."""
    what, amount = effect.what, effect.amount
    match effect.kind:
        case "fatigue" | "stun":
            field = "fatigue" if effect.kind == "fatigue" else "stunned"
            return {field: roll(tape, amount, field)}
        case "thrown":
            metres = roll(tape, amount, "thrown, metres")
            return {"notes": (f"thrown {metres} m",), "fatigue": metres * int(what)}
        case "blood_loss":
            return {"blood_loss": not struck.body.immune_blood_loss}
        case "prone":
            return {"prone": True, "stand_is_full": what == "full"}
        case "fire":
            return {"on_fire": True}
        case "nearby":
            return {"notes": (what,)}
        case "hazard":
            return {"hazard": what}
        case "drop":
            return {"dropped": True, "notes": (what,) if what else ()}
        case "armour":
            return {"armour_lost": ((struck.spot, int(amount)),) if struck.armoured else ()}
        case "characteristic":
            number = roll(tape, amount, what)
            if what == "Fel":
                return {"notes": (f"Fellowship {'is ' if effect.time == 'set' else '-'}{number}",)}
            return {"penalties": ((what.lower(), -number, FOR_GOOD),)}
        case "lost" if what == "fingers":
            return {"notes": (f"loses {roll(tape, amount, 'fingers')} fingers",)}
        case "lost" if what in ("nose", "ear"):
            return {"notes": (f"loses {'an ear' if what == 'ear' else 'the nose'}",)}
        case "lost":
            side = "" if what == "eye" else struck.spot.rpartition("_")[0]
            return {"lost": (f"{side}_{what}" if side else what,), "dropped": what in ("arm", "hand")}
    field, words = LASTING[effect.kind]
    rounds = roll(tape, effect.time, f"rounds {words}") if effect.time[-1].isdigit() else FOR_GOOD
    if effect.kind == "useless":
        return {field: ((struck.spot, rounds),)}
    if field != "penalties":
        return {field: rounds}
    tests = [struck.spot if test == "arm" else test for test in what.lower().split()]
    felt = ((test, int(amount or 0), rounds) for test in tests if test != "fel")
    return {field: tuple(felt), "notes": ("Fellowship is halved",) if "fel" in tests else ()}
