"""The tables that a player may look at: what is needed to hit, to wound and to save, and what the special dice do."""

from __future__ import annotations

from fractions import Fraction

from battletape.cards import Table
from battletape.rulebook import clause, odds_of
from battletape.rulesets.second_edition.profiles.types import SaveDice
from battletape.rulesets.second_edition.rules.clouds import CLOUD_CHART, PLASMA_CHART
from battletape.rulesets.second_edition.rules.damage import to_wound_score
from battletape.rulesets.second_edition.rules.dice import ARROW, HIT, MISFIRE
from battletape.rulesets.second_edition.rules.saves import SaveRoll, is_penetrated, roll_save, save_score
from battletape.rulesets.second_edition.rules.scatter import FATES, Fate, roll_scatter
from battletape.rulesets.second_edition.rules.sustained import roll_sustained
from battletape.rulesets.second_edition.rules.to_hit import roll_to_hit, score_needed
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.rulesets.second_edition.tables.page import SECOND_DIE, SITUATIONS, THROWS

FAR = 100.0
"""So far away that nothing limits a scatter."""


@clause("SE-19")
def wound_chart(rulings: Rulings = DEFAULT, mark: tuple[int, int] | None = None) -> Table:
    """Return the wound chart: Strength down, Toughness across; a dash cannot wound."""
    sides = range(1, 11)
    rows = tuple(
        (str(s), *("-" if (need := to_wound_score(s, t, rulings)) is None else str(need) for t in sides)) for s in sides
    )
    cell = (mark[0] - 1, mark[1]) if mark else None
    return Table("To wound: Strength down, Toughness across", ("S \\ T", *map(str, sides)), rows, "SE-19", cell)


@clause("SE-13", "SE-15")
def to_hit_table() -> Table:
    """Return the score that each Ballistic Skill needs, and what it is worth."""
    needs = {bs: score_needed(bs, 0) for bs in range(1, 11)}
    rows = tuple((str(bs), str(need), str(_hit(need))) for bs, need in needs.items())
    further = tuple((f"(score {need})", f"6, then {second}+", str(_hit(need))) for need, second in SECOND_DIE.items())
    return Table("To Hit without modifiers", ("Ballistic Skill", "needs", "chance"), (*rows, *further), "SE-13")


def _hit(need: int) -> Fraction:
    return odds_of(roll_to_hit, 1, need).chance(1)


@clause("SE-26", "SE-29", "SE-30")
def save_table() -> Table:
    """Return what each armour still saves against each save modifier, on one die and on two."""
    modifiers = (0, -1, -2, -3, -4, -5, -6)
    armours: tuple[tuple[int, SaveDice], ...] = (
        (6, "1d6"),
        (5, "1d6"),
        (4, "1d6"),
        (3, "1d6"),
        (2, "1d6"),
        (4, "2d6"),
        (3, "2d6"),
    )
    rows = []
    for save, dice in armours:
        needs = (save_score(save, modifier) for modifier in modifiers)
        cells = ("-" if is_penetrated(need, dice) else str(_save(need, dice)) for need in needs)
        rows.append((f"{save}+ on {dice.upper()}", *cells))
    return Table("Chance to save", ("armour", *map(str, modifiers)), tuple(rows), "SE-27")


def _save(need: int, dice: SaveDice) -> Fraction:
    return odds_of(roll_save, SaveRoll("armour save", need, dice)).chance(True)


@clause("SE-2", "SE-47")
def scatter_chart() -> Table:
    """Return the four results of the two dice, with what they are worth for a shot."""
    odds = odds_of(roll_scatter, FAR).project(lambda fall: fall.fate)
    faces: dict[Fate, tuple[str, str]] = {
        "moves": (ARROW, "number"),
        "stays": (HIT, "number"),
        "dud": (ARROW, MISFIRE),
        "on_shooter": (HIT, MISFIRE),
    }
    rows = tuple((*dice, FATES[fate], str(odds.chance(fate))) for fate, dice in faces.items())
    return Table("Scatter roll", ("Scatter", "Artillery", "the marker", "chance"), rows, "SE-47")


@clause("SE-102")
def sustained_table() -> Table:
    """Return hits and jams of one to four Sustained Fire dice."""
    rows = []
    for dice in range(1, 5):
        odds = odds_of(roll_sustained, dice)
        hits, jams = odds.project(lambda burst: burst[0]), odds.project(lambda burst: burst[1])
        rows.append((str(dice), str(hits.mean), str(hits.chance(0)), str(max(hits.fractions())), str(jams.at_least(1))))
    head = ("dice", "hits on average", "no hit", "most hits", "at least one jam")
    return Table("Sustained Fire dice", head, tuple(rows), "SE-102")


def printed_tables() -> tuple[Table, ...]:
    """Return every table of the system."""
    throws = tuple((f"{strength}" + ("+" if strength == 5 else ""), str(far)) for strength, far in THROWS)
    return (
        to_hit_table(),
        Table("To Hit modifiers", ("for", "modifier"), tuple((name, f"{by:+d}") for name, by in SITUATIONS), "SE-17"),
        wound_chart(),
        save_table(),
        scatter_chart(),
        Table("Throwing range", ("Strength", "inches"), throws, "SE-57"),
        Table("Blast cloud", ("D6", "the cloud"), _rows(CLOUD_CHART), "SE-68"),
        Table("Plasma ball", ("D6", "the ball"), _rows(PLASMA_CHART), "SE-75"),
        sustained_table(),
    )


def _rows(chart: tuple[tuple[int, int, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((f"{low}" if low == high else f"{low}-{high}", what) for low, high, what in chart)
