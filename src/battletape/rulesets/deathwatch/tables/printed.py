"""The printed tables as people read them: those of the sheet, the critical tables, and the weapons and suits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battletape.cards import Table
from battletape.rulebook import capital, plain
from battletape.rulesets.deathwatch.profiles.book import book
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules import blasts, quality_effects, traits
from battletape.rulesets.deathwatch.rules.actions import ACTIONS
from battletape.rulesets.deathwatch.rules.attack.modifiers import row_value
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables import criticals, sheet
from battletape.rulesets.deathwatch.words import DAMAGE_WORDS, reload_words, signed

GUNS = ("weapon", "class", "range", "RoF", "damage", "Pen", "clip", "reload", "qualities")


def printed_tables(rulings: Rulings = DEFAULT) -> tuple[Table, ...]:
    """Return every table of the system."""
    critical = (*map(critical_table, criticals.TABLES), deaths_table())
    return (*_of_tests(rulings), *_of_places(), *critical, *_of_gear(), *_of_movement())


def table(title: str, head: Iterable[str], rows: Iterable[Iterable[object]], clause: str) -> Table:
    """Return a table of anything: yes and no for what holds or not, everything else as it is written."""
    return Table(title, tuple(head), tuple(tuple(map(_cell, row)) for row in rows), clause)


def _cell(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _of_tests(rulings: Rulings) -> Iterator[Table]:
    corrected = rulings.combat_table == "corrected"
    difficulties = ((name, signed(by)) for name, by in sheet.DIFFICULTIES.items())
    yield table("Difficulty", ("difficulty", "modifier"), difficulties, "DW-TEST-2")
    summary = (
        (capital(row.words), row.corrected if corrected else row.printed, signed(row_value(key, rulings)))
        for key, row in sheet.SITUATIONS.items()
    )
    title = "Combat difficulty summary" + (", as the core book has it" if corrected else "")
    yield table(title, ("situation", "difficulty", "modifier"), summary, "DW-SUMM-00")
    away = {band: words.format(rulings.point_blank) for band, words in sheet.SHEET.distances.items()}
    bands = ((capital(plain(band)), away[band], signed(by)) for band, by in sheet.RANGES.items())
    yield table("Range", ("band", "distance", "to hit"), bands, "DW-RANGE-1")
    sizes = ((size, signed(by), signed(agility)) for size, (by, agility) in sheet.SIZES.items())
    head = ("size", "shooting at it", "its Agility bonus for movement")
    yield table("Size of the target", head, sizes, "DW-RANGE-2")
    grades = (
        (capital(grade), signed(craft.to_hit), signed(craft.damage), craft.jam_on_any_miss)
        for grade, craft in sheet.GRADE_TABLE.items()
    )
    yield table("Craftsmanship", ("weapon", "to hit", "damage", "jams on any miss"), grades, "DW-CRAFT-POOR")
    actions = ((row.name, row.cost, ", ".join(row.subtypes), plain(row.played_by)) for row in ACTIONS)
    yield table("Combat actions", ("action", "costs", "kind", "in a battle"), actions, "DW-ACT-00")


def _of_places() -> Iterator[Table]:
    locations = ((_span(numbers), capital(plain(spot))) for numbers, spot in sheet.LOCATIONS)
    yield table("Hit locations", ("d100", "location"), locations, "DW-LOC-1")
    hits = (map(capital, (first, *rest)) for first, rest in sheet.MULTIPLE_HITS.items())
    head = ("first", "second", "third", "fourth", "fifth", "each further")
    yield table("Multiple hits", head, hits, "DW-MULTI-1")
    ways = (
        ("-".join(map(str, dict.fromkeys((faces[0], faces[-1])))), capital(plain(way)))
        for faces, way, _ in blasts.SCATTER
    )
    title = "Scatter: where a missed blast lands, seen by the one who fired it"
    yield table(title, ("d10", "direction"), ways, "DW-SCAT-1")
    yield table("Cover", ("material", "AP"), sheet.COVER.items(), "DW-COVER-2")


def critical_table(letter: traits.DamageType) -> Table:
    """Return one of the four critical tables, in words."""
    name, pages = criticals.TABLES[letter]
    rows = (
        (row, *(criticals.WORDS[letter, place, row] for place in criticals.COLUMNS))
        for row in range(1, criticals.LAST_ROW + 1)
    )
    title = f"Critical effects: {name.lower()} (core pages {pages})"
    return table(title, ("critical damage", *criticals.COLUMNS), rows, "DW-CRIT-2")


def deaths_table() -> Table:
    """Return the first row of each critical table that kills for certain, and that asks for a Toughness test."""
    rows = (
        (capital(DAMAGE_WORDS[letter]), *(_first_deaths(letter, place) for place in criticals.COLUMNS))
        for letter in criticals.ROWS
    )
    head = ("damage", *(f"{place}: surely, by a Toughness test" for place in criticals.COLUMNS))
    return table("Critical rows that kill", head, rows, "DW-CRIT-2")


def _first_deaths(letter: str, place: str) -> str:
    every = range(1, criticals.LAST_ROW + 1)
    tested = next((str(row) for row in every if (letter, place, row) in criticals.TESTED_DEATHS), "-")
    return f"{next(row for row in every if (letter, place, row) in criticals.SURE_DEATHS)}, {tested}"


def _of_gear() -> Iterator[Table]:
    weapons, suits = (tuple(book().entries[kind].values()) for kind in ("weapon", "armour"))
    guns = (_gun(weapon) for weapon in weapons if weapon.number.startswith("DW-RWEP"))
    yield table("Ranged weapons", GUNS, guns, "DW-RWEP-00")
    blades = (
        (blade.name, blade.group, _damage(blade), blade.pen, _qualities(blade))
        for blade in weapons
        if blade.number.startswith("DW-MWEP")
    )
    yield table("Melee weapons", ("weapon", "group", "damage", "Pen", "qualities"), blades, "DW-MWEP-00")
    pieces = ((suit.name, suit.head, suit.arm, suit.body, suit.leg, suit.note) for suit in suits)
    yield table("Armour", ("armour", "head", "arms", "body", "legs", "note"), pieces, "DW-ARM-1")


def _gun(gun: WeaponProfile) -> tuple[object, ...]:
    does = ("by ammunition", "-", "by ammunition") if gun.ammunition else (_damage(gun), gun.pen, _qualities(gun))
    damage, pen, qualities = does
    return gun.name, gun.kind, f"{gun.range} m", rates(gun), damage, pen, gun.clip, reload_words(gun.reload), qualities


def rates(gun: WeaponProfile) -> str:
    """Return the rate of fire as profiles print it: S/3/-."""
    return "/".join(("S" if gun.single else "-", str(gun.semi or "-"), str(gun.full or "-")))


def _damage(weapon: WeaponProfile) -> str:
    return f"{weapon.damage} {weapon.damage_type}" + (", strength bonus doubled" if weapon.doubles_sb else "")


def _qualities(weapon: WeaponProfile) -> str:
    return ", ".join(weapon.qualities) or "-"


def _of_movement() -> Iterator[Table]:
    fields = (
        (
            _span(field.numbers),
            capital(plain(name)),
            "stops" if field.stops else signed(field.to_technology) if field.to_technology else "-",
            "-" if field.stops or not field.movement else f"{field.movement} m",
            field.unpowers,
        )
        for name, field in quality_effects.FIELDS.items()
    )
    head = ("d100", "field", "technology", "power armour moves", "powered blades are primitive")
    yield table("Haywire fields: a step weaker every round", head, fields, "DW-QUAL-HAYWIRE")
    gaits = ((ab, *moves) for ab, moves in sheet.MOVEMENT.items())
    yield table("Movement: metres a round", ("Agility bonus", "half", "full", "charge", "run"), gaits, "DW-MOVE-1")
    limits = [*(f"-{least - 1}" for least, _ in sheet.RENOWN[1:]), " or more"]
    ranks = ((f"{least}{upto}", rank) for (least, rank), upto in zip(sheet.RENOWN, limits, strict=True))
    yield table("Renown", ("renown", "rank"), ranks, "DW-REN-1")


def _span(numbers: range) -> str:
    return f"{numbers[0]:02d}-{numbers[-1] % 100:02d}"
