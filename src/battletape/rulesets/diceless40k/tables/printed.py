"""The tables that a player may look at, with the cell in use marked where something is asked."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.cards import Table
from battletape.rulebook import clause
from battletape.rulesets.diceless40k.profiles.book import book
from battletape.rulesets.diceless40k.rules.characteristics import groups_of
from battletape.rulesets.diceless40k.rules.leadership import order_points_at_start, threshold
from battletape.rulesets.diceless40k.rules.saves import HUNDRED, LADDER, Column, look_up
from battletape.rulesets.diceless40k.rules.weapons import POISONED
from battletape.rulesets.diceless40k.tables import sheet

EXCERPT = 10
SAMPLES = ("Ork Boyz", "Space Marines")


@clause("DL-T1")
def saves_table() -> Table:
    """Show Table 1, all of it."""
    rows = tuple((str(row), *(str(look_up(row, save)) for save in sheet.COLUMNS)) for row in range(1, HUNDRED + 1))
    head = ("DMG", *(f"{save}+" for save in sheet.COLUMNS))
    return Table("Table 1: HP lost, by DMG and save; over 100 the row for 100 and the rest", head, rows, "DL-T1")


@clause("DL-T1", "DL-20.4")
def saves_in_use(looked_up: Iterable[tuple[int, Column]]) -> Table | None:
    """Return the rows of Table 1 in use, with the cells; over 100 the row for 100 and that for the rest."""
    cells = set()
    for dmg, column in looked_up:
        hundreds, rest = divmod(dmg, HUNDRED)
        if column != "none":
            at = max(1, LADDER.index(column))  # half of the 2+ column is read off that column
            cells |= {(row, at) for row in (HUNDRED if hundreds else 0, rest) if row}
    whole, used = saves_table(), sorted({row for row, _ in cells})
    if not used:
        return None
    first, *also = sorted((used.index(row), at) for row, at in cells)
    title = "Table 1: HP lost, by DMG and save; the rows in use"
    return Table(title, whole.head, tuple(whole.rows[row - 1] for row in used), "DL-T1", first, tuple(also))


@clause("DL-20.2")
def excerpt_table() -> Table:
    """Show the first rows of Table 1, as the paragraph on saves prints them."""
    whole = saves_table()
    return Table("The first rows of Table 1", whole.head, whole.rows[:EXCERPT], "DL-20.2")


@clause("DL-T2", "DL-T3")
def leadership_table(ld: int | None = None, reroll: bool = False) -> Table:
    """Show Tables 2 and 3, with the threshold of a Ld."""
    lds = tuple(sheet.THRESHOLDS)
    rows = (
        ("table 2", *(str(threshold(column)) for column in lds)),
        ("table 3, with a re-roll", *(str(threshold(column, reroll=True)) for column in lds)),
    )
    mark = (int(reroll), lds.index(min(ld, lds[-1])) + 1) if ld is not None and ld >= lds[0] else None
    title = "Tables 2 and 3: a test fails with more order points than this"
    return Table(title, ("Ld", *map(str, lds)), rows, "DL-T3" if reroll else "DL-T2", mark)


@clause("DL-T4")
def vehicle_table(used: Iterable[str | None] = ()) -> Table:
    """Show Table 4: where hits come on each line, with the lines in use."""
    rows = tuple(
        (name, f"{av_s}" if av_s > 1 else "under 2", thresholds.replace(" ", ", "))
        for name, av_s, thresholds in sheet.VEHICLE_LINES
    )
    lines = [name for name, _, _ in sheet.VEHICLE_LINES]
    cells = [(lines.index(line), 2) for line in dict.fromkeys(used) if line in lines]
    title = f"Table 4: DMG at which vehicles are hit (G glancing, P penetrating); a line holds {sheet.LINE_HOLDS}"
    return Table(title, ("line", "AV-S", "hits"), rows, "DL-T4", cells[0] if cells else None, tuple(cells[1:]))


@clause("DL-6.4")
def sample_table() -> Table:
    """Show the two sample profiles of the document, with their hit points and order points."""
    rows = []
    for name in SAMPLES:
        unit = book().find("unit", name)
        *_, model = groups_of(unit)
        body = (model.strength, model.toughness, unit.wounds)
        stats = (model.ws, model.bs, *body, model.initiative, model.attacks, model.ld)
        rows.append((name, *map(str, stats), f"{model.armour}+", str(model.hp), str(order_points_at_start())))
    head = ("model", "WS", "BS", "S", "T", "W", "I", "A", "Ld", "save", "HP", "OP")
    return Table("Sample profiles", head, tuple(rows), "DL-6.4")


@clause("DL-0.3")
def printed_tables() -> tuple[Table, ...]:
    """Return every table of the document, and what else is handy at the table."""
    poison = (("DMG", *(f"factor × (T{add:+d})" if add else "factor × T" for add in sheet.POISON.values())),)
    return (
        sample_table(),
        excerpt_table(),
        saves_table(),
        leadership_table(),
        vehicle_table(),
        Table("Close combat factor", ("the target's WS", "factor"), _rows(dict(sheet.FACTORS)), "DL-T5"),
        Table("Poisoned attacks", (POISONED, *(f"{number}+" for number in sheet.POISON)), poison, "DL-T6"),
        Table("BS against vehicles", ("", "BS"), _bs_rows(), "DL-T7"),
        Table("Templates and blasts", ("hits × S ×", ""), _rows(sheet.AREA), "DL-29.2"),
    )


def _rows(entries: dict[str, int]) -> tuple[tuple[str, str], ...]:
    return tuple((name.replace("_", " "), str(number)) for name, number in entries.items())


def _bs_rows() -> tuple[tuple[str, str], ...]:
    """Return every modifier of BS against vehicles."""
    rows = [(f"angle {zone}, heavy weapons", add) for zone, add in sheet.ANGLE.items()]
    rows += [(f"target {speed.replace('_', ' ')}", add) for speed, add in sheet.SPEED.items()]
    rows += [(f"AP{'-' if ap is None else ap}", add) for ap, add in sheet.ARMOUR_PIERCING.items()]
    rows += [("twin-linked or a re-roll to hit", 1), ("tank hunters", 1)]
    more = ("heavy weapons, every 12 inches under their range", "+1")
    return (*((name, f"{add:+d}" if add else "0") for name, add in rows), more)
