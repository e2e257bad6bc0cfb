"""The printed tables as people read them: those of the sheet, the critical tables, and the weapons and suits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from battletape.rulesets.deathwatch.profiles.book import book, is_launcher
from battletape.rulesets.deathwatch.profiles.types import Armour, Weapon
from battletape.rulesets.deathwatch.rules.actions import ACTIONS
from battletape.rulesets.deathwatch.rules.blasts import SCATTER
from battletape.rulesets.deathwatch.rules.criticals.results import LAST_ROW, may_kill, sure_death
from battletape.rulesets.deathwatch.rules.criticals.rows import COLUMNS, ROWS, TABLES
from battletape.rulesets.deathwatch.rules.criticals.words import row_words
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rules.traits import DamageType
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables import sheet
from battletape.rulesets.deathwatch.words import DAMAGE_WORDS, reload, signed
from battletape.system import Table
from battletape.words import capital, plain

Rows = tuple[tuple[str, ...], ...]


def printed_tables(rules: Rulings = DEFAULT) -> tuple[Table, ...]:
    """Every table of the system."""
    return (
        *_of_tests(rules),
        _actions(),
        *_of_places(),
        *(critical_table(letter) for letter in TABLES),
        deaths_table(),
        *_of_gear(),
        _haywire(),
        _movement(),
        _renown(),
    )


def _of_tests(rules: Rulings) -> tuple[Table, ...]:
    corrected = rules.combat_table == "corrected"
    return (
        Table("Difficulty", ("difficulty", "modifier"), _signed(sheet.DIFFICULTIES.items()), "DW-TEST-2"),
        Table(
            "Combat difficulty summary" + (", as the core book has it" if corrected else ""),
            ("situation", "difficulty", "modifier"),
            tuple(
                (capital(row.words), row.corrected if corrected else row.printed, signed(sheet.situation(key, rules)))
                for key, row in sheet.SITUATIONS.items()
            ),
            "DW-SUMM-00",
        ),
        Table(
            "Range",
            ("band", "distance", "to hit"),
            tuple(
                (capital(plain(band)), _BANDS[band].format(rules.point_blank), signed(by))
                for band, by in sheet.RANGES.items()
            ),
            "DW-RANGE-1",
        ),
        Table(
            "Size of the target",
            ("size", "shooting at it", "its Agility bonus for movement"),
            tuple((size, signed(by), signed(agility)) for size, (by, agility) in sheet.SIZES.items()),
            "DW-RANGE-2",
        ),
        Table(
            "Craftsmanship",
            ("weapon", "to hit", "damage", "jams on any miss"),
            tuple(
                (capital(grade), signed(craft.to_hit), signed(craft.damage), _yes(craft.jam_on_any_miss))
                for grade, craft in sheet.GRADE_TABLE.items()
            ),
            "DW-CRAFT-POOR",
        ),
    )


def _actions() -> Table:
    rows = tuple((row.name, row.cost, ", ".join(row.subtypes), plain(row.played_by)) for row in ACTIONS)
    return Table("Combat actions", ("action", "costs", "kind", "in a battle"), rows, "DW-ACT-00")


_BANDS = {
    "point_blank": "{} m or less, not in melee",
    "short": "less than half the range",
    "normal": "up to twice the range",
    "long": "more than twice the range",
    "extreme": "more than three times the range, four times at most",
}


def _of_places() -> tuple[Table, ...]:
    return (
        Table(
            "Hit locations",
            ("d100", "location"),
            tuple((_span(numbers), capital(plain(spot))) for numbers, spot in sheet.LOCATIONS),
            "DW-LOC-1",
        ),
        Table(
            "Multiple hits",
            ("first", "second", "third", "fourth", "fifth", "each further"),
            tuple((capital(first), *map(capital, rest)) for first, rest in sheet.MULTIPLE_HITS.items()),
            "DW-MULTI-1",
        ),
        Table(
            "Scatter: where a missed blast lands, seen by the one who fired it",
            ("d10", "direction"),
            tuple((_faces(faces), capital(plain(direction))) for faces, direction in SCATTER),
            "DW-SCAT-1",
        ),
        Table("Cover", ("material", "AP"), tuple((name, str(ap)) for name, ap in sheet.COVER.items()), "DW-COVER-2"),
    )


def critical_table(letter: DamageType) -> Table:
    """One of the four critical tables, in words."""
    name, pages = TABLES[letter]
    rows = tuple((str(row), *(row_words(letter, place, row) for place in COLUMNS)) for row in range(1, LAST_ROW + 1))
    head = ("critical damage", *COLUMNS)
    return Table(f"Critical effects: {name.lower()} (core pages {pages})", head, rows, "DW-CRIT-2")


def deaths_table() -> Table:
    """The first row of each critical table that kills for certain, and that kills who fails a Toughness test."""
    rows = tuple(
        (capital(DAMAGE_WORDS[letter]), *(_first_deaths(letter, place) for place in COLUMNS)) for letter in ROWS
    )
    head = ("damage", *(f"{place}: surely, by a Toughness test" for place in COLUMNS))
    return Table("Critical rows that kill", head, rows, "DW-CRIT-2")


def _first_deaths(letter: str, place: str) -> str:
    every = range(1, LAST_ROW + 1)
    tested = next((str(row) for row in every if may_kill(letter, place, row)), "-")
    return f"{next(row for row in every if sure_death(letter, place, row))}, {tested}"


def _of_gear() -> tuple[Table, ...]:
    profiles = book()
    weapons: list[Weapon] = list(profiles.entries["weapon"].values())
    suits: list[Armour] = list(profiles.entries["armour"].values())
    guns = (weapon for weapon in weapons if weapon.number.startswith("DW-RWEP"))
    blades = (weapon for weapon in weapons if weapon.number.startswith("DW-MWEP"))
    gun_head = ("weapon", "class", "range", "RoF", "damage", "Pen", "clip", "reload", "qualities")
    return (
        Table("Ranged weapons", gun_head, tuple(map(_gun, guns)), "DW-RWEP-00"),
        Table(
            "Melee weapons",
            ("weapon", "group", "damage", "Pen", "qualities"),
            tuple((blade.name, blade.group, _damage(blade), str(blade.pen), _qualities(blade)) for blade in blades),
            "DW-MWEP-00",
        ),
        Table(
            "Armour",
            ("armour", "head", "arms", "body", "legs", "note"),
            tuple(
                (suit.name, str(suit.head), str(suit.arm), str(suit.body), str(suit.leg), suit.note) for suit in suits
            ),
            "DW-ARM-1",
        ),
    )


def _gun(gun: Weapon) -> tuple[str, ...]:
    modes = "/".join(("S" if gun.single else "-", str(gun.semi or "-"), str(gun.full or "-")))
    varies = is_launcher(gun)
    return (
        gun.name,
        gun.kind,
        f"{gun.range} m",
        modes,
        "by ammunition" if varies else _damage(gun),
        "-" if varies else str(gun.pen),
        str(gun.clip),
        reload(gun.reload),
        "by ammunition" if varies else _qualities(gun),
    )


def _damage(weapon: Weapon) -> str:
    return f"{weapon.damage} {weapon.damage_type}" + (", strength bonus doubled" if weapon.doubles_sb else "")


def _qualities(weapon: Weapon) -> str:
    return ", ".join(weapon.qualities) or "-"


def _haywire() -> Table:
    rows = tuple(
        (
            _span(field.numbers),
            capital(plain(name)),
            "stops" if field.stops else signed(field.to_technology) if field.to_technology else "-",
            "-" if field.stops or not field.movement else f"{field.movement} m",
            _yes(field.blunts),
        )
        for name, field in effects.FIELDS.items()
    )
    head = ("d100", "field", "technology", "power armour moves", "powered blades are primitive")
    return Table("Haywire fields: a step weaker every round", head, rows, "DW-QUAL-HAYWIRE")


def _movement() -> Table:
    rows = tuple(
        (str(ab), str(moves.half), str(moves.full), str(moves.charge), str(moves.run))
        for ab, moves in sheet.MOVEMENT.items()
    )
    return Table("Movement: metres a round", ("Agility bonus", "half", "full", "charge", "run"), rows, "DW-MOVE-1")


def _renown() -> Table:
    limits = [least for least, _ in sheet.RENOWN[1:]]
    spans = [*(f"{low}-{high - 1}" for (low, _), high in zip(sheet.RENOWN, limits, strict=False))]
    spans.append(f"{sheet.RENOWN[-1][0]} or more")
    rows = tuple((span, rank) for span, (_, rank) in zip(spans, sheet.RENOWN, strict=True))
    return Table("Renown", ("renown", "rank"), rows, "DW-REN-1")


def _signed(pairs: Iterable[tuple[str, int]]) -> Rows:
    return tuple((name, signed(number)) for name, number in pairs)


def _span(numbers: range) -> str:
    return f"{numbers[0]:02d}-{numbers[-1] % 100:02d}"


def _faces(faces: Sequence[int]) -> str:
    return str(faces[0]) if len(faces) == 1 else f"{faces[0]}-{faces[-1]}"


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
