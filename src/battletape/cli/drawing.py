"""Views drawn on a page: bars, steps, rulings, how it was computed, logs and printed tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from battletape.answer import caveat
from battletape.cli.terminal import NARROW_PAGE, NOTHING, Cell, Column, Page, size
from battletape.errors import BadInput, echo
from battletape.system import Table
from battletape.tape.story import Line
from battletape.views.answer import AnswerView, HowView, MeasureView, RulingView, StepView
from battletape.views.chances import Chance, Cut, number_text, value_text

if TYPE_CHECKING:
    from battletape.table.picture import Picture

MAX_BARS = 24
"""How many bars a terminal shows at most."""
MAX_LABEL_LETTERS = 48
"""How long a bar is at most, so that the numbers stay near."""
LONG_FRACTION_LETTERS = 24
"""A fraction of more characters is shown as a number."""


def draw_answer(page: Page, view: AnswerView, *, first: int, fractions: bool, all_rulings: bool) -> None:
    """Draw an answer from the sentence down to the fine print.

    The first measures as bars, the others in a line each.
    """
    page.text(view.headline, "strong")
    for warning in view.warnings:
        page.text(f"Note: {warning}", "warn")
    if view.usual:
        page.text(view.usual, "soft")
    sure = all(is_sure(measure) for measure in view.measures)
    if sure:  # nothing is left to luck, so there are no bars to draw
        draw_steps(page, view.steps, fractions=fractions)
    drawn = [measure for measure in view.measures[:first] if not is_sure(measure)]
    for measure in drawn:
        draw_bars(page, measure, fractions=fractions)
    others = [measure for measure in view.measures if measure not in drawn]
    if others:
        page.gap()
        draw_summaries(page, others, fractions=fractions, sure=sure)
    if view.ranges is not None:
        draw_table(page, view.ranges)
    if view.table is not None:
        draw_table(page, view.table)
    if not sure:
        draw_steps(page, view.steps, fractions=fractions)
    page.gap()
    draw_rulings(page, view.rulings, everything=all_rulings)
    draw_how(page, view.how)


def draw_board(page: Page, picture: Picture) -> None:
    """Draw what lies on the table, in letters."""
    from battletape.views.board import draw_text

    page.heading(picture.title)
    for line in draw_text(picture, page.width - 1):
        page.line(line)


def write_svg(path: str, picture: Picture | None, of: str) -> None:
    """Write the picture of an answer or a battle to a file; only a file that is a drawing already is replaced."""
    from battletape.battle.store import write
    from battletape.views.board import draw_svg

    if picture is None:
        raise BadInput(f"--svg draws a table with models on it; {of} has none.", field="svg")
    if not path.lower().endswith(".svg"):
        raise BadInput(f"--svg must be the name of a file that ends in .svg; got {echo(path)}.", field="svg")
    write(path, draw_svg(picture))


def draw_bars(page: Page, measure: MeasureView, *, fractions: bool = False) -> None:
    """Draw the distribution of a measure: value, bar, exactly, at least."""
    rows = measure.rows
    sums = [row.at_least or row.at_most for row in rows]
    heap = "by then" if any(row.at_most for row in rows) else "at least" if any(sums) else ""
    exactly = [_chance(row.exactly, fractions) for row in rows]
    at_least = [_chance(chance, fractions) if chance else "" for chance in sums]
    unit = f" ({measure.unit})" if measure.unit and measure.unit.lower() not in measure.title.lower() else ""
    heads = (measure.title + unit, "exactly", heap)
    label = max((size(row.label) for row in rows), default=0)
    wide = [max(size(heads[1]), *map(size, exactly)), max(size(heads[2]), *map(size, at_least))]
    room = max(min(page.width - 1 - label - 4 - sum(wide) - 4, MAX_LABEL_LETTERS), 3)
    widest = max((row.exactly.value for row in rows), default=1.0) or 1.0
    page.gap()
    title, before = heads[0], label + 4 + room
    if size(title) > before and size(title) + 2 + sum(wide) + 2 > page.width - 1:
        page.text(title, "head")
        title = ""
    space = " " * max(before + 2 - size(title), 2)
    page.line((title, "head"), space, (f"{heads[1]:>{wide[0]}}", "soft"), "  ", (f"{heads[2]:>{wide[1]}}", "least"))
    for row, left, right in zip(rows, exactly, at_least, strict=True):
        bar = page.bar(row.exactly.value / widest, room)
        style = "best" if row.exactly.value == widest else "happens"
        gap = " " * (room - size(bar) + 2)
        parts: list[Cell] = [f"  {row.label:>{label}}  ", (bar, style), gap, f"{left:>{wide[0]}}  "]
        page.line(*parts, (f"{right:>{wide[1]}}", "least"))
    if measure.cut is not None:
        page.text(cut_words(measure.cut, fractions=fractions), "soft", indent=2)


def cut_words(cut: Cut, *, fractions: bool = False) -> str:
    """Return what the picture leaves out, in words."""
    parts = [f"{cut.values:,} values"]
    below, above = (_chance(chance, fractions) for chance in (cut.below, cut.above))
    if cut.step > 1:
        parts.append(f"in steps of {cut.step:,}")
    if cut.below.value:
        parts.append(f"{below} lies below")
    if cut.above.value:
        parts.append(f"{above} above" if cut.below.value else f"{above} lies outside")
    return ", ".join(parts) + "; --csv or --json lists them all."


def is_sure(measure: MeasureView) -> bool:
    """Return whether a measure is the same in every result, so that there is nothing to draw."""
    return len(measure.rows) == 1 and measure.cut is None and measure.rows[0].exactly.value == 1


def draw_summaries(page: Page, measures: Sequence[MeasureView], *, fractions: bool = False, sure: bool = False) -> None:
    """Draw measures in a line each: the average and the usual range, or the chance; where all is sure, yes or no."""
    columns = [Column(wraps=True), Column(right=True, style="strong"), Column(style="soft")]
    foldable = measures[1:] if sure else measures  # where all is sure, the first is the answer
    nothing = [measure for measure in foldable if is_nothing(measure)]
    if len(nothing) < 2:
        nothing = []
    shown = [measure for measure in measures if measure not in nothing]
    if shown:
        page.table(
            columns, [(measure.title, *summary(measure, fractions=fractions, sure=sure)) for measure in shown], indent=0
        )
    if nothing:
        page.text(f"No or none: {'; '.join(measure.title for measure in nothing)}.", "soft", hang=2)


def is_nothing(measure: MeasureView) -> bool:
    """Return whether a measure is nothing in every result: never, or 0."""
    return is_sure(measure) and measure.rows[0].value in (0, False)


def summary(measure: MeasureView, *, fractions: bool = False, sure: bool = False) -> tuple[str, str]:
    """Return a measure in a few words: what to expect, and how far it varies."""
    if measure.chance is not None and not sure:
        return _chance(measure.chance, fractions), ""
    if is_sure(measure):
        if measure.mean is None:
            return measure.rows[0].label, ""
        return measure.mean.fraction if fractions else measure.mean.text, ""
    if measure.mean is None:
        return value_text(measure.likeliest), "most likely"
    usual = f"{measure.low} to {measure.high}" if measure.low != measure.high else f"{measure.low}"
    mean = (
        measure.mean.fraction
        if fractions and len(measure.mean.fraction) <= LONG_FRACTION_LETTERS
        else measure.mean.text
    )
    return mean, f"on average, mostly {usual}"


def draw_steps(page: Page, steps: Sequence[StepView], *, fractions: bool = False) -> None:
    """Draw the steps with the needed number, the chance and the clause."""
    if not steps:
        return
    page.gap()
    rows: list[list[Cell]] = [
        [
            step.title,
            step.needed.removesuffix(f" {step.why}"),
            _short(step.chance) if step.chance else "",
            step.chance.percent if step.chance and not fractions else "",
            ", ".join(step.clauses),
        ]
        for step in steps
    ]
    if not any(step.needed or step.chance for step in steps):  # a fact that needs no die
        plain: list[list[Cell]] = [[step.title, ", ".join(step.clauses)] for step in steps]
        page.table([Column("Step by step", wraps=True), Column("rule", style="rule", wraps=True)], plain, indent=0)
        return
    if page.width <= NARROW_PAGE:
        needs = [f"needs {step.needed}" if step.needed else "" for step in steps]
        below = [" · ".join(filter(None, (need, *map(str, row[2:])))) for need, row in zip(needs, rows, strict=True)]
        page.table([Column("Step by step", wraps=True)], [row[:1] for row in rows], indent=0, notes=below)
        return
    columns = [
        Column("Step by step", wraps=True),
        Column("needs", right=True, style="strong", wraps=True),
        Column("chance", right=True),
        Column("", right=True),
        Column("rule", style="rule", wraps=True),
    ]
    page.table(columns, rows, indent=0, notes=[step.why for step in steps])


def draw_rulings(page: Page, rulings: Sequence[RulingView], *, everything: bool = False) -> None:
    """Draw the rulings that differ from the default, or all of them."""
    if everything:
        rows: list[list[Cell]] = [
            [
                ruling.name,
                (ruling.value, "strong" if ruling.changed else ""),
                f"not {ruling.default}" if ruling.changed else "",
                ruling.clause,
            ]
            for ruling in rulings
        ]
        columns = [Column("Rulings"), Column("", wraps=True), Column("", style="soft"), Column("", style="rule")]
        page.table(columns, rows, indent=0)
        page.gap()
        return
    changed = [ruling for ruling in rulings if ruling.changed]
    if changed:
        listed_rulings = "; ".join(_ruling(ruling) for ruling in changed)
        page.named("Rulings", f"{listed_rulings}. The rest by default.")
    elif rulings:
        page.named("Rulings", "all by default (--rulings lists them)", "soft")


def _ruling(ruling: RulingView) -> str:
    clause = f", {ruling.clause}" if ruling.clause else ""
    return f"{ruling.name} {ruling.value} (not {ruling.default}{clause})"


def draw_how(page: Page, how: HowView) -> None:
    """Draw how it was computed, in a line."""
    page.named("Computed", " · ".join(how_words(how)), "soft")
    if how.unexplored.value:
        sentence = caveat(how.unexplored.value)  # the sentence at the top says it
        left = "" if sentence else f"The budget left {how.unexplored.percent} of all that can happen unexplored. "
        page.named("", left + "Allow more seconds to explore the rest.", "warn")


def how_words(how: HowView) -> list[str]:
    """Return how it was computed, in a few words each."""
    names = {"exact": "exact", "floats": "floating point, not exact", "sampled": f"{how.branches:,} rolls, an estimate"}
    parts = [names.get(how.method, how.method)]
    if how.method == "exact" and not how.exact:
        parts = ["exact as far as it goes"]
    if how.method != "sampled" and how.branches:
        parts += [count(how.branches, "branch", "branches"), count(how.states, "state")]
    parts += [part for part in (how.path, how.policy) if part]
    return [*parts, f"{number_text(how.milliseconds)} ms"]


def draw_log(page: Page, lines: Iterable[Line], *, indent: int = 0) -> None:
    """Draw a log: a sentence a line, with its clauses beside it."""
    rows = [(line.text, ", ".join(line.clauses)) for line in lines]
    if rows:
        page.table([Column(wraps=True), Column(style="rule", wraps=True)], rows, indent)


def draw_table(page: Page, table: Table, *, first: int = 0) -> None:
    """Draw a printed table, looking like one; the cells that answer the question stand in brackets.

    Where a terminal is too narrow, the column with the longest texts goes below each row. `first` is how wide the
    first column is at least, so that tables below each other stand in line.
    """
    table = without_empty(table)
    page.heading(table.title, table.clause)
    rows: list[list[Cell]] = []
    marked = {*table.also, *([table.mark] if table.mark else [])}
    for at, row in enumerate(table.rows):
        cells: list[Cell] = [row[0].ljust(first), *row[1:]]
        for column in (column for line, column in marked if line == at and column < len(cells)):
            cells[column] = (f"[{row[column]}]", "best")
        rows.append(cells)
    widths = [max(map(size, (head, *(row[at] for row in table.rows)))) for at, head in enumerate(table.head)]
    below = max(range(len(widths)), key=widths.__getitem__, default=0)
    too_wide = 2 + sum(widths) + 2 * (len(widths) - 1) > page.width - 1
    columns = table_columns(table)
    if not too_wide or below == 0 or widths[below] <= LONG_FRACTION_LETTERS:
        page.table(columns, rows)
        return
    named = (
        f"{table.head[below]}: " if table.head[below] and below < len(widths) - 1 else ""
    )  # the last explains itself
    notes = [_named(named, cell) if _has_text(cell) else "" for cell in (row.pop(below) for row in rows)]
    columns.pop(below)
    page.table(columns, rows, notes=notes)


def _has_text(cell: Cell) -> bool:
    """Return whether a cell says anything."""
    return (cell if isinstance(cell, str) else cell[0]) not in NOTHING


def _named(name: str, cell: Cell) -> Cell:
    """Return a cell with the heading of its column in front."""
    return f"{name}{cell}" if isinstance(cell, str) else (f"{name}{cell[0]}", *cell[1:])


def without_empty(table: Table) -> Table:
    """Return the table without columns in which no row says anything."""
    kept = [at for at in range(len(table.head)) if at == 0 or not table.rows or any(row[at] for row in table.rows)]
    if len(kept) == len(table.head) or table.mark or table.also:
        return table
    rows = tuple(tuple(row[at] for at in kept) for row in table.rows)
    return Table(table.title, tuple(table.head[at] for at in kept), rows, table.clause)


def table_columns(table: Table) -> list[Column]:
    """Return columns for a printed table: numbers lean right, text may wrap."""
    columns = []
    for at, head in enumerate(table.head):
        texts = [row[at] for row in table.rows]
        short = max(map(len, texts), default=0) <= 6
        columns.append(Column(head, right=short and at > 0, style="soft" if at == 0 and short else "", wraps=not short))
    return columns


def count(number: int, noun: str, many: str = "") -> str:
    """Return a number of things: 1 branch, 12 branches."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


def _chance(chance: Chance, fractions: bool) -> str:
    return _short(chance) if fractions else chance.percent


def _short(chance: Chance) -> str:
    return chance.fraction if len(chance.fraction) <= LONG_FRACTION_LETTERS else f"{chance.value:.8f}"
