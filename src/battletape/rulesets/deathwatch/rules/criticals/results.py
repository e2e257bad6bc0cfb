"""Critical damage: which table and row, what the row does, and whether it kills."""

from __future__ import annotations

from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import d, dice
from battletape.errors import BadInput
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, NOTHING, Body, Conditions, resists, stun, tire
from battletape.rulesets.deathwatch.rules.criticals.codes import Effect, parse_effects
from battletape.rulesets.deathwatch.rules.criticals.rows import COLUMNS, ROWS, TABLES
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.traits import place_of
from battletape.rulesets.deathwatch.tables.sheet import find_name
from battletape.tape import Tape

LAST_ROW = 10
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
    return key in _SURE or (key in _TESTED and not resists(tape, toughness, "toughness"))


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
            passed = resists(tape, target, effect.test, body.auto)
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
