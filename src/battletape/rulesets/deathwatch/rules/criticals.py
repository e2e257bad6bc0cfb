"""Critical damage: the codes of its tables read into effects; what a row does, whether it kills, and its words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import d, dice
from battletape.errors import BadInput, BattletapeError
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, NOTHING, Body, Conditions, stun, tire
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.tests import check
from battletape.rulesets.deathwatch.rules.traits import place_of
from battletape.rulesets.deathwatch.tables.criticals import COLUMNS, LAST_ROW, ROWS, TABLES
from battletape.rulesets.deathwatch.tables.sheet import find_name
from battletape.tape import Tape
from battletape.words import listed

# --- codes: an unknown one is refused when the table is loaded --------------------------------------------------------


class Effect(Struct, frozen=True, cache_hash=True):
    """One thing a critical row does; a row is a tuple of these."""

    kind: str  # one of those in CODES; test, chance, or nearby: what those around feel
    amount: str = ""  # dice text or a number
    time: str = ""  # rounds as dice text; treated, good or hours for what does not pass by itself
    what: str = ""  # characteristics, hand, foot, eye, or our own words
    test: str = ""  # toughness, agility
    failed: tuple[Effect, ...] = ()
    passed: tuple[Effect, ...] = ()
    faces: tuple[tuple[int, tuple[Effect, ...]], ...] = ()  # of a chance: the highest face of each outcome
    bare: bool = False  # only where no armour is


_DICE = r"(\d*d\d+|\d+)"
_TIME = r"(\d*d?\d+r|treated|hours|for good)"
_TESTS = {"T?": "toughness", "Ag?": "agility"}


def _dice(text: str) -> str:
    return f"1{text}" if text.startswith("d") else text


def _time(text: str) -> str:
    return _dice(text[:-1]) if text.endswith("r") else text.removeprefix("for ")


CODES: tuple[tuple[str, Callable[[re.Match[str]], Effect]], ...] = (
    (r"DEAD", lambda m: Effect("dead")),
    (rf"F{_DICE}", lambda m: Effect("fatigue", _dice(m[1]))),
    (rf"Stun ?{_DICE}", lambda m: Effect("stun", _dice(m[1]))),
    (r"Prone", lambda m: Effect("prone")),
    (r"full to stand", lambda m: Effect("prone", what="full")),
    (r"BL", lambda m: Effect("blood_loss")),
    (r"fire", lambda m: Effect("fire")),
    (r"Half", lambda m: Effect("half_action", time="1")),
    (r"Half hours", lambda m: Effect("half_action", time="hours")),
    (rf"HM {_TIME}", lambda m: Effect("halved_move", time=_time(m[1]))),
    (rf"Blind {_TIME}", lambda m: Effect("blind", time=_time(m[1]))),
    (rf"deaf {_TIME}", lambda m: Effect("deaf", time=_time(m[1]))),
    (rf"useless {_TIME}", lambda m: Effect("useless", time=_time(m[1]))),
    (r"(arm|leg) broken", lambda m: Effect("useless", time="treated", what=m[1])),
    (r"(arm|leg|hand|foot|eye|ear|nose) lost", lambda m: Effect("lost", what=m[1])),
    (rf"{_DICE} fingers lost", lambda m: Effect("lost", _dice(m[1]), what="fingers")),
    (r"Drop", lambda m: Effect("drop")),
    (r"item destroyed", lambda m: Effect("drop", what="what the hand held is destroyed")),
    (rf"thrown {_DICE} F(\d)", lambda m: Effect("thrown", _dice(m[1]), what=m[2])),
    (rf"-(\d+) (arm|WS BS|Ag) {_TIME}", lambda m: Effect("penalty", f"-{m[1]}", _time(m[3]), m[2])),
    (rf"-(\d+) all but T {_TIME}", lambda m: Effect("penalty", f"-{m[1]}", _time(m[2]), "all_but_t")),
    (
        rf"((?:(?:WS|BS|S|T|Ag|Fel) )+)halved(?: {_TIME})?",
        lambda m: Effect("halved", "", _time(m[2] or "for good"), m[1].strip()),
    ),
    (rf"(T|Fel) -{_DICE}", lambda m: Effect("characteristic", _dice(m[2]), "good", m[1])),
    (rf"(Fel) ={_DICE}", lambda m: Effect("characteristic", _dice(m[2]), "set", m[1])),
    (r"armour destroyed", lambda m: Effect("armour", "99")),
    (r"armour -(\d)", lambda m: Effect("armour", m[1])),
    (r"hazard (ribs|wound)", lambda m: Effect("hazard", what=m[1])),
)


def parse_effects(code: str) -> tuple[Effect, ...]:
    """The effects of a row as it is written in the table."""
    own, _, around = code.partition("; ")
    effects: list[Effect] = []
    parts = own.split(", ")
    for at, part in enumerate(parts):
        sign = part.partition(" ")[0]
        if sign in _TESTS:
            rest = ", ".join((part.removeprefix(sign).strip(), *parts[at + 1 :]))
            failed, _, passed = rest.partition(" / ")
            effects.append(Effect("test", test=_TESTS[sign], failed=_parts(failed), passed=_parts(passed)))
            break
        effects.append(_part(part))
    return (*effects, Effect("nearby", what=around)) if around else tuple(effects)


def _parts(text: str) -> tuple[Effect, ...]:
    return tuple(_part(part) for part in text.split(", ") if part)


def _part(text: str) -> Effect:
    plain = text.removesuffix(" if bare")
    chance = re.fullmatch(rf"{_DICE}: (.*)", plain)
    if chance:
        return Effect("chance", _dice(chance[1]), what="what is lost", faces=_faces(chance[2]))
    for form, read in CODES:
        match = re.fullmatch(form, plain)
        if match:
            return replace(read(match), bare=plain != text)
    raise BattletapeError(f"a critical row needs codes such as Fd5, Stun1, HM d5r or T? DEAD / BL; got {text!r}")


def _faces(text: str) -> tuple[tuple[int, tuple[Effect, ...]], ...]:
    """Outcomes by the faces of a die: 1-3 eye lost / 4-10 nose lost & Fel halved."""
    effects = []
    for part in text.split(" / "):
        faces, _, then = part.partition(" ")
        effects.append((int(faces.partition("-")[2]), _parts(then.replace(" & ", ", "))))
    return tuple(effects)


# --- what a row does --------------------------------------------------------------------------------------------------


DESTROYED = 99
"""Armour points lost where the armour is gone."""
State = Conditions | Literal["dead"]
EFFECTS: dict[tuple[str, str, int], tuple[Effect, ...]] = {
    (letter, place, row): parse_effects(code)
    for letter, table in ROWS.items()
    for row, line in enumerate(table, 1)
    for place, code in zip(COLUMNS, line, strict=True)
}
"""What each of the 160 rows does."""


class Struck(Struct, frozen=True, cache_hash=True):
    """Whom a row strikes, and where."""

    spot: str
    armoured: bool
    body: Body


@clause("DW-CRIT-1")
def table_of(letter: str) -> tuple[str, str]:
    """The critical table of a damage letter, and its pages in the core book."""
    return TABLES[find_name("damage type", letter, TABLES)]


@clause("DW-CRIT-2")
def effects(damage_type: str, place: str, row: int) -> tuple[Effect, ...]:
    """What a row of a table does to a place."""
    row_effects = EFFECTS.get((damage_type, place_of(place), row))
    if row_effects is None:
        table_of(damage_type)
        raise BadInput(f"a critical table has the rows 1 to {LAST_ROW}; got {row} (DW-CRIT-2)", field="row")
    return row_effects


@clause("DW-CRIT-2")
def sure_death(damage_type: str, place: str, row: int) -> bool:
    """Whether a row kills whatever the dice say."""
    return any(effect.kind == "dead" for effect in effects(damage_type, place, row))


@clause("DW-CRIT-2")
def may_kill(damage_type: str, place: str, row: int) -> bool:
    """Whether a row kills whoever fails a Toughness test."""
    return any(effect.kind == "dead" for test in effects(damage_type, place, row) for effect in test.failed)


ARMOUR_LOST: dict[tuple[str, str, int], int] = {
    key: int(effect.amount) for key, row_effects in EFFECTS.items() for effect in row_effects if effect.kind == "armour"
}
"""Rows that take armour off the place they strike, and how many points of it."""


TAKE_ARMOUR = {key[:2] for key in ARMOUR_LOST}
"""Tables and places of which some row takes armour off the place."""
FRAIL = {place for _, place, _ in ARMOUR_LOST}
"""Places whose armour some row takes."""
_SURE, _TESTED = (frozenset(key for key in EFFECTS if deadly(*key)) for deadly in (sure_death, may_kill))


@clause("DW-CRIT-2")
def kills(tape: Tape, damage_type: str, place: str, row: int, toughness: int) -> bool:
    """Whether a row kills at once; dice only where a Toughness test decides."""
    key = (damage_type, place_of(place), row)
    return key in _SURE or (key in _TESTED and not check(tape, toughness, "toughness"))


@clause("DW-CRIT-2", "DW-CRIT-1")
def suffer(tape: Tape, conditions: Conditions, hit: Hit, row: int) -> State:
    """What a row does, one effect after the other; tests are made as they stood before the attack."""
    befalling = effects(hit.damage_type, hit.spot, row)
    if (hit.damage_type, place_of(hit.spot), row) in _SURE:
        return "dead"
    bare = dict(conditions.armour_lost).get(hit.spot, 0) >= DESTROYED  # points lost before the attack its AP lacks
    struck = Struck(hit.spot, hit.armoured and not bare, hit.body)
    blow: State = tape.call(befall, befalling, struck, conditions.on_fire)
    return "dead" if isinstance(blow, str) else together(conditions, blow, hit.body.tb)


@clause("DW-CRIT-2")
def befall(tape: Tape, befalling: tuple[Effect, ...], struck: Struck, on_fire: bool) -> State:
    """What effects do to an unhurt victim that no fatigue fells: worked out once for all."""
    tireless = replace(struck, body=replace(struck.body, tb=FOR_GOOD))
    after = tape.each(undergo, Conditions(on_fire=on_fire), tuple((effect, tireless) for effect in befalling))
    if isinstance(after, str) or after.fatigue <= struck.body.tb:
        return cast(State, after)
    return replace(after, fatigue=struck.body.tb + 1)


def together(conditions: Conditions, blow: Conditions, tb: int) -> Conditions:
    """Conditions from before and those that a hit adds: of two durations the longer counts."""
    both = replace(
        conditions,
        stunned=max(conditions.stunned, blow.stunned),
        prone=conditions.prone or blow.prone,
        on_fire=conditions.on_fire or blow.on_fire,
        blood_loss=conditions.blood_loss or blow.blood_loss,
        stand_is_full=conditions.stand_is_full or blow.stand_is_full,
    )
    rest = replace(blow, fatigue=0, stunned=0, prone=False, on_fire=False, blood_loss=False, stand_is_full=False)
    return tire(both if rest == NOTHING else with_wounds(both, rest), blow.fatigue, tb)


def with_wounds(conditions: Conditions, blow: Conditions) -> Conditions:
    """The same of what lasts, is lost, or is noted; what is halved is halved once."""
    armour = dict(conditions.armour_lost)
    for spot, points in blow.armour_lost:
        armour[spot] = min(DESTROYED, armour.get(spot, 0) + points)
    useless = dict(conditions.useless)
    for spot, rounds in blow.useless:
        useless[spot] = max(useless.get(spot, 0), rounds)
    penalties = {(what, by): left for what, by, left in conditions.penalties}
    for what, by, left in blow.penalties:
        penalties[what, by] = max(penalties.get((what, by), 0), left)
    both_eyes = "eye" in conditions.lost and "eye" in blow.lost
    return replace(
        conditions,
        blind=FOR_GOOD if both_eyes else max(conditions.blind, blow.blind),
        deaf=max(conditions.deaf, blow.deaf),
        half_actions=max(conditions.half_actions, blow.half_actions),
        slowed=max(conditions.slowed, blow.slowed),
        useless=tuple(sorted(useless.items())),
        lost=tuple(sorted({*conditions.lost, *blow.lost})),
        penalties=tuple(sorted((what, by, left) for (what, by), left in penalties.items())),
        dropped=conditions.dropped or blow.dropped,
        hazard=blow.hazard or conditions.hazard,
        armour_lost=tuple(sorted(armour.items())),
        notes=(*conditions.notes, *(note for note in blow.notes if note not in conditions.notes)),
    )


_CATCHES_FIRE = (Effect("fire"),)


@clause("DW-CRIT-2")
def undergo(tape: Tape, state: State, item: tuple[Effect, Struck]) -> State:
    """One effect of a row."""
    effect, struck = item
    if isinstance(state, str) or (effect.bare and struck.armoured):
        return state
    body = struck.body
    match effect.kind:
        case "dead":
            return "dead"
        case "test":
            if state.on_fire and effect.failed == _CATCHES_FIRE:
                return state
            target = body.toughness if effect.test == "toughness" else body.agility
            passed = check(tape, target, effect.test, body.rules)
            return _all(tape, state, effect.passed if passed else effect.failed, struck)
        case "chance":
            face = roll(tape, effect.amount, effect.what)
            return _all(tape, state, next(then for most, then in effect.faces if face <= most), struck)
        case "fatigue":
            return tire(state, roll(tape, effect.amount, "fatigue"), body.tb)
        case "stun":
            return stun(state, roll(tape, effect.amount, "stunned"))
        case "thrown":
            metres = roll(tape, effect.amount, "thrown, metres")
            return tire(note(state, f"thrown {metres} m"), metres * int(effect.what), body.tb)
        case "blood_loss":
            return state if body.immune_blood_loss else replace(state, blood_loss=True)
        case "prone":
            return replace(state, prone=True, stand_is_full=state.stand_is_full or effect.what == "full")
        case "fire":
            return replace(state, on_fire=True)
        case "nearby":
            return note(state, effect.what)
        case "hazard":
            return replace(state, hazard=effect.what)
        case "drop":
            return replace(note(state, effect.what) if effect.what else state, dropped=True)
        case "armour":
            lost = ((struck.spot, int(effect.amount)),)
            return with_wounds(state, Conditions(armour_lost=lost)) if struck.armoured else state
        case "characteristic":
            return _characteristic(tape, state, effect)
        case "lost":
            return _lost(tape, state, struck, effect)
        case _:
            return _for_a_time(tape, state, struck, effect)


def _all(tape: Tape, state: State, befalling: tuple[Effect, ...], struck: Struck) -> State:
    for effect in befalling:
        state = undergo(tape, state, (effect, struck))
    return state


def roll(tape: Tape, amount: str, label: str) -> int:
    """A number of a row: as it stands, or rolled."""
    if "d" not in amount:
        return int(amount)
    other = "" if amount == "1d10" else f" ({amount.removeprefix('1')})"
    die = d(int(amount[2:])) if amount.startswith("1d") else dice(amount)
    return int(tape.roll(die, label=f"critical: {label}{other}"))


def note(state: Conditions, text: str) -> Conditions:
    """Something for players to remember; no dice depend on it."""
    return with_wounds(state, Conditions(notes=(text,)))


def _penalise(state: Conditions, what: str, amount: int, rounds: int) -> Conditions:
    return with_wounds(state, Conditions(penalties=((what, amount, rounds),)))


def _characteristic(tape: Tape, state: Conditions, effect: Effect) -> Conditions:
    """A characteristic that is lower from now on; nobody's dice feel Fellowship, so that is a note."""
    number = roll(tape, effect.amount, effect.what)
    if effect.what == "Fel":
        return note(state, f"Fellowship {'is ' if effect.time == 'set' else '-'}{number}")
    return _penalise(state, effect.what.lower(), -number, FOR_GOOD)


def _lost(tape: Tape, state: Conditions, struck: Struck, effect: Effect) -> Conditions:
    if effect.what == "fingers":
        return note(state, f"loses {roll(tape, effect.amount, 'fingers')} fingers")
    if effect.what in ("nose", "ear"):
        return note(state, f"loses {'an ear' if effect.what == 'ear' else 'the nose'}")
    side = "" if effect.what == "eye" else struck.spot.rpartition("_")[0]
    gone = f"{side}_{effect.what}" if side else effect.what
    return with_wounds(state, Conditions(lost=(gone,), dropped=effect.what in ("arm", "hand")))


def _for_a_time(tape: Tape, state: Conditions, struck: Struck, effect: Effect) -> Conditions:
    rounds = roll(tape, effect.time, f"rounds {_WORDS[effect.kind]}") if effect.time[-1].isdigit() else FOR_GOOD
    if effect.kind in _FIELDS:
        return with_wounds(state, Conditions(**cast("dict[str, Any]", {_FIELDS[effect.kind]: rounds})))
    if effect.kind == "useless":
        return with_wounds(state, Conditions(useless=((struck.spot, rounds),)))
    for what in effect.what.lower().split():
        if what == "fel":
            state = note(state, "Fellowship is halved")
        else:
            state = _penalise(state, struck.spot if what == "arm" else what, int(effect.amount or 0), rounds)
    return state


_FIELDS = {"blind": "blind", "deaf": "deaf", "half_action": "half_actions", "halved_move": "slowed"}
_WORDS = {
    "blind": "blind",
    "deaf": "deaf",
    "half_action": "of half actions",
    "halved_move": "of halved movement",
    "useless": "useless",
    "penalty": "of the penalty",
    "halved": "halved",
}


# --- in words: for tables, logs and reports ---------------------------------------------------------------------------


NAMES = {
    "Fel": "Fellowship",
    "T": "Toughness",
    "S": "Strength",
    "Ag": "Agility",
    "all_but_t": "all tests but Toughness",
}
HAZARDS = {
    "ribs": "ribs broken: lie still until treated, or act with a risk of 20 % a turn to die",
    "wound": "torn open: one arm holds the wound, or 20 % a turn for 2d10 damage",
}
NEARBY = (
    ("if an object stops him", "if an object is in the way"),
    ("his ammunition", "its ammunition"),
    ("his friends", "friends"),
)
"""How notes are said today; states keep them as the rows first had them, so that old battles end as they did."""
_PLAIN = {"blood_loss": "blood loss", "fire": "on fire", "dead": "dead"}
_TIMED = {"blind": "blind", "deaf": "deaf", "half_action": "one Half Action a turn", "halved_move": "movement halved"}


def row_words(damage_type: str, place: str, row: int) -> str:
    """What a row does, as a sentence without a full stop."""
    return in_words(effects(damage_type, place, row))


def in_words(effects: tuple[Effect, ...]) -> str:
    """Effects in words, one after the other."""
    bare = " if no armour is there"
    own = ", ".join(_words(effect) + bare * effect.bare for effect in effects if effect.kind != "nearby")
    return own + "".join(f"; {note_words(effect.what)}" for effect in effects if effect.kind == "nearby")


def note_words(note: str) -> str:
    """A note of a fighter's state in words."""
    for stored, said in NEARBY:
        note = note.replace(stored, said)
    return note


def _words(effect: Effect) -> str:
    match effect.kind:
        case "fatigue":
            return f"{effect.amount} fatigue"
        case "stun":
            return f"stunned {_rounds(effect.amount)}"
        case "prone":
            return "standing up is a Full Action" if effect.what else "prone"
        case "useless":
            return f"{effect.what} broken" if effect.what else f"arm useless {_rounds(effect.time)}"
        case "lost":
            return f"{effect.amount} {effect.what} lost".strip()
        case "half_action" if effect.time == "1":
            return "one Half Action on the next turn"
        case "drop":
            return effect.what or "drops what the hand holds"
        case "thrown":
            cost = f", {effect.what} fatigue for each" if effect.what != "0" else ""
            return f"thrown {effect.amount} m{cost}"
        case "penalty":
            return f"{effect.amount} to {_names(effect.what)} {_rounds(effect.time)}"
        case "halved":
            return f"{_names(effect.what)} halved {_rounds(effect.time)}"
        case "characteristic":
            name = NAMES[effect.what]
            return f"{name} becomes {effect.amount}" if effect.time == "set" else f"{name} -{effect.amount} for good"
        case "armour":
            return "armour there destroyed" if effect.amount == "99" else f"armour there -{effect.amount} AP"
        case "hazard":
            return HAZARDS[effect.what]
        case "test":
            passed = f", passed: {in_words(effect.passed)}" if effect.passed else ""
            return f"{effect.test.capitalize()} test, failed: {in_words(effect.failed)}{passed}"
        case "chance":
            lows = (1, *(most + 1 for most, _ in effect.faces))
            outcomes = (f"{low}-{most} {in_words(then)}" for low, (most, then) in zip(lows, effect.faces, strict=False))
            return f"{effect.amount}: {' / '.join(outcomes)}"
        case _:
            return _PLAIN.get(effect.kind) or f"{_TIMED[effect.kind]} {_rounds(effect.time)}"


def _rounds(text: str) -> str:
    if not text[-1].isdigit():
        return {"treated": "until treated", "good": "for good", "hours": "for hours"}[text]
    return "1 round" if text == "1" else f"{text} rounds"


def _names(what: str) -> str:
    if what == "arm":
        return "tests with the arm"
    return listed([NAMES.get(word, word) for word in what.split()])
