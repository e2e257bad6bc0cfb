"""Printed sheets: characters with the body as a figure, horde cards, critical tables, and every table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from battletape import sheets
from battletape.cards import ProfileBook, part_of
from battletape.rulebook import capital, plain, replace, texts_that_hold
from battletape.rulesets.deathwatch.profiles.book import ammunition_of, strength_of, toughness_of, worn_together
from battletape.rulesets.deathwatch.profiles.types import Character, Horde, WeaponProfile
from battletape.rulesets.deathwatch.questions._inputs import QuestionFighter
from battletape.rulesets.deathwatch.rules import blasts, d100_tests, movement, wounds
from battletape.rulesets.deathwatch.rules.attack.fighters import armour_of
from battletape.rulesets.deathwatch.rules.conditions import NOTHING, Conditions
from battletape.rulesets.deathwatch.rules.traits import SPOTS, place_of
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables import printed, sheet
from battletape.rulesets.deathwatch.tables.criticals import COLUMNS, LAST_ROW, TABLES, WORDS
from battletape.rulesets.deathwatch.words import DAMAGE_WORDS, metres, reload_words

if TYPE_CHECKING:
    from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State

Row = tuple[str, ...]
CHARACTERS, HORDES = "Character sheets", "Horde cards"
CHARACTERISTICS = {
    **{"WS": "ws", "BS": "bs", "S": "strength", "T": "toughness", "Ag": "agility", "Int": "intelligence"},
    **{"Per": "perception", "WP": "willpower", "Fel": "fellowship"},
}
CONDITIONS = ("stunned", "prone", "pinned", "on_fire", "blood_loss", "unconscious")
MOST_BOXES = 120


# --- characters ------------------------------------------------------------------------------------------------------


def blank_characters(rulings: Rulings) -> sheets.Cards:
    """Return a character sheet to fill in with a pencil."""
    bonuses = sheets.blank_stats(("SB", "TB", "AB", *movement.GAITS))
    hurt = sheets.Ticks("wounds", (30,), note="tick what is lost")
    blocks = (
        sheets.blank_stats(CHARACTERISTICS),
        _body(_figure((), ()), bonuses, hurt, sheets.Ticks("fatigue", (10,))),
        sheets.blank_grid(printed.GUNS, 5, len(printed.GUNS) - 2),
        _deaths(),
        sheets.Ruled("armour, talents and notes", 2),
    )
    return sheets.Cards(CHARACTERS, (sheets.Card("", blocks),), share=1)


def _profile(character: Character, book: ProfileBook, asked: Any = None) -> sheets.Card:
    """Return the sheet of a profile, with the inputs of a question in place of its own numbers."""
    suit = worn_together([book.find("armour", name) for name in character.armour])
    now: dict[str, Any] = {
        "sb": strength_of(character),
        "toughness_tens": d100_tests.bonus(character.toughness),
        "health": character.wounds,
    }
    if asked is not None:
        now |= part_of(asked, target_sb="sb", tb="toughness_tens") | (
            {} if asked.health is None else {"health": asked.health}
        )
        now["conditions"] = Conditions(**part_of(asked, "stunned", "prone"))
        tough = {"unnatural_toughness": 1, "toughness_bonus": 0}
        character = replace(character, **tough | part_of(asked, "unnatural_toughness", more_tb="toughness_bonus"))
    worn_now = asked if hasattr(asked, "head") else suit
    fighter = QuestionFighter(
        profile=character, armour=tuple(int(getattr(worn_now, place_of(spot))) for spot in SPOTS), **now
    )
    return sheets.Card(
        character.name,
        (*_character(fighter, _carried(character, book)), sheets.Ruled("notes", 1)),
        _about(character, suit.name),
    )


def _fighter(state: State, fighter: Fighter) -> sheets.Card:
    from battletape.rulesets.deathwatch.battle.show import conditions_of, notes_of

    blocks = _character(fighter, [_in_hand(carried) for carried in fighter.weapons])
    words = sheets.notes("now", (*conditions_of(fighter), *notes_of(state, fighter)))
    about = _about(fighter.profile, ", ".join(fighter.profile.armour))
    return sheets.Card(fighter.name, (*blocks, *words, sheets.Ruled("notes", 0)), about, fighter.side, fighter.is_dead)


def question_characters(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the sheets of target and attacker of a question, with the numbers given."""
    target, attacker = (sheets.named(inputs, name, "character", book) for name in ("target", "attacker"))
    cards = []
    if target is not None:
        given = ("strength", "toughness", "agility", "willpower", "wounds", "true_grit", "armour")
        hurt = hasattr(inputs, "health")
        asked = replace(target, **part_of(inputs, *given)) if hurt else target
        cards.append(_profile(asked, book, inputs if hurt else None))
    if attacker is not None and attacker != target:
        cards.append(_profile(attacker, book))
    return sheets.Cards(CHARACTERS, tuple(cards), share=1) if cards else None


def _character(fighter: Fighter, weapons: Sequence[Row]) -> tuple[sheets.Block, ...]:
    profile, now, tb = fighter.profile, fighter.conditions, fighter.tb
    bonuses = (("SB", str(fighter.sb)), ("TB", str(tb)), ("AB", str(fighter.ab)))
    gaits = movement.moves(fighter.ab, profile.size)._asdict()
    taken, critical = wounds.damage_taken(fighter.health, profile.wounds), wounds.critical_total(fighter.health)
    lost = f"{min(taken, profile.wounds)} of {profile.wounds} lost" if taken else f"{profile.wounds}; tick what is lost"
    derived = sheets.Stats((*bonuses, *((gait, metres(far)) for gait, far in gaits.items())))
    hurt = sheets.Ticks(
        "wounds", (profile.wounds,) if profile.wounds <= MOST_BOXES else (), min(taken, profile.wounds), lost
    )
    tired = sheets.Ticks("fatigue", (max(1, tb),), now.fatigue, f"out with more than {tb}")
    skills = (("Dodge", profile.dodge), ("Medicae", profile.medicae), ("Psy Rating", profile.psy_rating))
    gifts = (("Righteous Fury", profile.fury), ("True Grit", profile.true_grit))
    trained = (f"{name} {value}" for name, value in skills if value)
    also = sheets.notes("also", (*profile.talents, *trained, *(name for name, has in gifts if has)))
    rows: tuple[sheets.Block, ...] = (_row_now(critical), *also) if critical else (sheets.Beside((_deaths(),), also),)
    body = _body(_figure(armour_of(fighter), _hurts(now)), derived, hurt, tired, critical, now)
    return (sheets.Stats(_numbers(profile)), body, *sheets.grid(printed.GUNS, weapons), *rows)


def _numbers(profile: Character | Horde) -> tuple[tuple[str, str], ...]:
    return tuple(
        (short, str(getattr(profile, name))) for short, name in CHARACTERISTICS.items() if hasattr(profile, name)
    )


def _body(
    figure: sheets.Body,
    bonuses: sheets.Stats,
    hurt: sheets.Ticks,
    tired: sheets.Ticks,
    critical: int = 0,
    now: Conditions = NOTHING,
) -> sheets.Beside:
    """Return the body, and beside it what is ticked off: wounds, rows of critical damage, fatigue and conditions."""
    rows = tuple(sheets.Box(str(row), row <= critical) for row in range(1, LAST_ROW + 1))
    states = tuple(sheets.Box(plain(name), bool(getattr(now, name))) for name in CONDITIONS)
    tracks = (
        bonuses,
        hurt,
        sheets.Boxes("critical damage", rows, "DW-DMG-2"),
        tired,
        sheets.Boxes("conditions", states),
    )
    return sheets.Beside((figure,), tracks, 42)


def _figure(armour: Sequence[int], hurts: Sequence[str]) -> sheets.Body:
    places = []
    for numbers, spot in sheet.LOCATIONS:
        where, roll = SPOTS.index(spot), f"{numbers[0]:02d}–{numbers[-1] % 100:02d}"
        now = (str(armour[where]), hurts[where]) if armour else ()
        places.append(sheets.Place(spot, capital(plain(spot)), roll, *now))
    return sheets.Body(tuple(places))


def _hurts(now: Conditions) -> list[str]:
    """Return what has become of each place."""
    words = {spot: "useless" for spot, _ in now.useless}
    lost: dict[str, list[str]] = {}
    for part in now.lost:
        spot = part.replace("hand", "arm").replace("foot", "leg").replace("eye", "head")
        lost.setdefault(spot, []).append(plain(part))
    words |= {spot: f"lost {', '.join(parts)}" for spot, parts in lost.items()}
    return [words.get(spot, "") for spot in SPOTS]


def _row_now(row: int) -> sheets.Grid:
    """Return what the critical row that has been reached does, for each kind of damage and each place."""
    reached = min(row, LAST_ROW)
    rows = tuple((capital(DAMAGE_WORDS[kind]), *(WORDS[kind, at, reached] for at in COLUMNS)) for kind in TABLES)
    return sheets.Grid(("damage", *COLUMNS), rows, f"critical row {reached}", "DW-CRIT-2")


def _deaths() -> sheets.Grid:
    """Return the critical rows that kill."""
    table = printed.deaths_table()
    return sheets.Grid(("damage", *COLUMNS), table.rows, "critical rows that kill: surely, by a test", table.clause)


def _about(character: Character, armour: str) -> str:
    return " · ".join(filter(None, (capital(character.kind), f"size {character.size}", armour, character.squad)))


# --- weapons ---------------------------------------------------------------------------------------------------------


def _carried(profile: Character | Horde, book: ProfileBook) -> list[Row]:
    """Return a row for each weapon, and for each round that a launcher may fire."""
    rows = []
    for weapon in (book.find("weapon", name) for name in profile.weapons):
        rows.append(_gun(weapon, str(weapon.clip)))
        for round in ammunition_of(weapon, book):
            _, *_, damage, pen, _, _, qualities = _gun(round, "")
            rows.append((f"with {round.name}", "", "", "", damage, pen, "", "", qualities))
    return rows


def _in_hand(carried: CarriedWeapon) -> Row:
    _, *row = _gun(carried.as_fired, f"{carried.clip}/{carried.profile.clip}")
    away = not carried.ready and not carried.dropped_at
    states = (
        (carried.jammed, "jammed"),
        (carried.destroyed, "destroyed"),
        (carried.dropped_at, "dropped"),
        (away, "put away"),
    )
    state, loaded = ", ".join(texts_that_hold(*states)), f" with {carried.loaded}" if carried.loaded else ""
    return (f"{carried.name}{loaded}" + (f" ({state})" if state else ""), *row)


def _gun(weapon: WeaponProfile, clip: str) -> Row:
    damage = f"{weapon.damage} {weapon.damage_type}" if weapon.damage else "by round"
    qualities = ", ".join((*weapon.qualities, *(("doubles SB",) if weapon.doubles_sb else ()))) or "-"
    reach, rate, again = f"{weapon.range} m", printed.rates(weapon), reload_words(weapon.reload)
    reach, rate, clip, again = ("-",) * 4 if weapon.melee else (reach, rate, clip, again)
    return weapon.name, weapon.kind, reach, rate, damage, str(weapon.pen), clip, again, qualities


# --- hordes ----------------------------------------------------------------------------------------------------------


def blank_hordes(rulings: Rulings) -> sheets.Cards:
    """Return horde cards to fill in with a pencil."""
    stats = sheets.blank_stats(("WS", "BS", "S", "T", "Ag", "WP", "SB", "TB", "AP"))
    guns = sheets.blank_grid(printed.GUNS, 2, len(printed.GUNS) - 2)
    return sheets.Cards(
        HORDES,
        (sheets.Card("", (stats, sheets.Ticks("Magnitude", (10,) * 6), guns, sheets.Ruled("notes", 1))),) * 3,
        share=3,
    )


def question_hordes(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the horde of a question with the Magnitude that it was asked with."""
    horde: Horde | None = sheets.named(inputs, "horde", "horde", book)
    if horde is None:
        return None
    whole = max(getattr(inputs, "starting", None) or horde.magnitude, inputs.magnitude)
    own = part_of(inputs, "traits", "willpower", horde_ap="ap") if hasattr(inputs, "horde_ap") else {}
    horde = replace(horde, **{"traits": inputs.traits, "magnitude": whole, **own})
    return sheets.Cards(HORDES, (_horde_card(horde, book, whole - inputs.magnitude),))


def _horde_card(horde: Horde, book: ProfileBook, lost: int = 0) -> sheets.Card:
    blocks = (*_horde(horde, horde.magnitude, lost, _carried(horde, book)), sheets.Ruled("notes", 1))
    return sheets.Card(horde.name, blocks, ", ".join(horde.tags))


def _mob(mob: Mob) -> sheets.Card:
    from battletape.rulesets.deathwatch.battle.show import mob_words

    weapons = [_gun(weapon, str(weapon.clip)) for weapon in mob.arsenal]
    words = sheets.notes("now", (word for word in mob_words(mob) if word != "destroyed"))
    blocks = (*_horde(mob.profile, mob.starting, mob.starting - max(0, mob.magnitude), weapons), *words)
    return sheets.Card(mob.name, blocks, ", ".join(mob.profile.tags), mob.side, mob.is_dead)


def _horde(horde: Horde, whole: int, lost: int, weapons: Sequence[Row]) -> tuple[sheets.Block, ...]:
    derived = (("SB", str(strength_of(horde))), ("TB", str(toughness_of(horde))), ("AP", str(horde.ap)))
    tens = (10,) * (whole // 10) + ((whole % 10,) if whole % 10 else ())
    ticks = sheets.Ticks("Magnitude", tens, lost, f"{whole - lost} of {whole} left" if lost else str(whole))
    also = sheets.notes("also", (*horde.traits, *(f"led by {name}" for name in horde.leaders)))
    return (sheets.Stats((*_numbers(horde), *derived)), ticks, *sheets.grid(printed.GUNS, weapons), *also)


# --- tables ----------------------------------------------------------------------------------------------------------


def criticals(rulings: Rulings) -> sheets.Reference:
    """Return the four critical tables in our own words, a page for each."""
    tables = tuple(sheets.printed(printed.critical_table(letter)) for letter in TABLES)
    return sheets.Reference("Critical effects", tables, page_each=True)


def reference(rulings: Rulings) -> sheets.Reference:
    """Return every other table of the system."""
    own = {printed.critical_table(letter).title for letter in TABLES}
    tables = (sheets.printed(table) for table in printed.printed_tables(rulings) if table.title not in own)
    return sheets.Reference("Quick reference", tuple(tables))


def markers(rulings: Rulings) -> sheets.Shapes:
    """Return the scatter diagram and bases."""
    around = sorted(blasts.SCATTER, key=lambda row: row[2] % 360)
    words = tuple("–".join(map(str, faces)) for faces, *_ in around)
    return sheets.Shapes("Scatter and bases", (sheets.Compass("Scatter, d10", 90.0, words), *sheets.BASES))


SHEETS = (
    sheets.Sheet(
        "character_sheets",
        CHARACTERS,
        "A sheet for each character: the body with its armour, wounds, critical rows, weapons with their qualities.",
        blank_characters,
        lambda characters, book, rules: sheets.Cards(
            CHARACTERS, tuple(_profile(profile, book) for profile in characters), share=1
        ),
        ("character",),
        lambda state: sheets.Cards(CHARACTERS, tuple(_fighter(state, fighter) for fighter in state.fighters), share=1),
        question_characters,
    ),
    sheets.Sheet(
        "horde_cards",
        HORDES,
        "A card for each horde: Magnitude to tick off, numbers, weapons and traits.",
        blank_hordes,
        lambda hordes, book, rules: sheets.Cards(HORDES, tuple(_horde_card(horde, book) for horde in hordes)),
        ("horde",),
        lambda state: sheets.Cards(HORDES, tuple(map(_mob, state.mobs))),
        question_hordes,
    ),
    sheets.Sheet(
        "criticals", "Critical effects", "The four critical tables in our own words, a page for each.", criticals
    ),
    sheets.Sheet("reference", "Quick reference", "Every other table, with the ids of the rules.", reference),
    sheets.Sheet("markers", "Scatter and bases", "A scatter diagram and the outlines of bases, to cut out.", markers),
)
