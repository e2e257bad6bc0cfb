"""An answer to export: as a table for a spreadsheet, and as a few lines of plain text for a chat."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from msgspec import Struct

from battletape.answer import Answer
from battletape.system import Table
from battletape.views.answer import MeasureView, answer_view, measure_view
from battletape.views.chances import Row
from battletape.views.question_text import input_texts

HEAD = ("measure", "title", "unit", "value", "exactly", "at_least", "at_most", "exactly_fraction")
BARS, WIDTH = 14, 10
"""How many bars a text has at most, and how long; a chat on a phone breaks longer lines."""
FIGURE_SPACE = "\u2007"
"""As wide as a digit in any font, so that numbers line up even in a chat."""
LEFT_OUT = "left out"
"""The row of what could not be explored in time."""


def answer_csv(answer: Answer) -> str:
    """Return every measure of an answer, a row for each value."""
    view = answer_view(answer)
    rows: list[Sequence[object]] = []
    for measure in view.measures:
        about = (measure.name, measure.title, measure.unit)
        for row in measure.rows:
            sums = [chance.value if chance else "" for chance in (row.at_least, row.at_most)]
            rows.append((*about, row.label, row.exactly.value, *sums, row.exactly.fraction))
        if view.how.unexplored.value:
            rows.append((*about, LEFT_OUT, view.how.unexplored.value, "", "", view.how.unexplored.fraction))
    return _csv(HEAD, rows)


class Grid(Struct, frozen=True):
    """A table of figures: a comparison or a heat map, with the sentence and what was asked."""

    sentence: str
    about: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shares: tuple[tuple[float, ...], ...] = ()  # how strong each figure is coloured, from 0 to 1; none: not at all


def grid_csv(grid: Grid) -> str:
    """Return a table of figures for a spreadsheet."""
    return _csv(grid.head, grid.rows)


def table_csv(table: Table) -> str:
    """Return a table for a spreadsheet."""
    return _csv(table.head, table.rows)


def question_words(answer: Answer) -> tuple[str, ...]:
    """Return what was asked besides the question itself, as a player would say it: “3 × Lascannon, side”."""
    return tuple(text.words for text in input_texts(answer.ruleset, answer.question, answer.inputs, answer.rulings))


def text_block(answer: Answer, measure: str | None = None, link: str = "") -> str:
    """Return an answer for a chat: the question, the sentence, the bars of one measure, what was asked, and a link."""
    question = answer.question
    chosen = question.measure(measure)
    view = measure_view(chosen, answer.odds(chosen.name), BARS)
    words = question_words(answer)
    parts = [
        [f"{question.title} ({answer.ruleset.title})", *words],
        [answer.headline],
        [_measured(view), *_bars(view)] if len(view.rows) > 1 else [],
        [link] if link else [],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _measured(view: MeasureView) -> str:
    if view.mean is None:
        return view.title
    return f"{view.title}: {view.mean.text} on average"


def _bars(view: MeasureView) -> list[str]:
    highest = max(row.exactly.value for row in view.rows)
    labels = [row.label.replace("_", " ") for row in view.rows]
    wide = max(map(len, labels)) if view.kind == "number" else 0
    lines = [
        f"{label.rjust(wide, FIGURE_SPACE)} {_bar(row.exactly.value / highest)} {_chances(row)}"
        for label, row in zip(labels, view.rows, strict=True)
    ]
    rest = view.cut.below.value + view.cut.above.value if view.cut else 0
    return [*lines, f"(the rest: {rest:.1%})".replace("%", " %")] if rest >= 0.0005 else lines


def _chances(row: Row) -> str:
    summed = row.at_least or row.at_most
    if summed is None or summed.fraction == row.exactly.fraction or summed.fraction == "1":
        return row.exactly.percent
    return f"{row.exactly.percent} ({summed.percent} {'by then' if row.at_most else 'or more'})"


def _bar(share: float) -> str:
    return "█" * round(share * WIDTH) or "▏"


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([_cell(cell) for cell in head])
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """Return a value for a spreadsheet: a text that it would take for a formula gets a quote in front."""
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return value
    return value if _is_number(value) else "'" + value


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "").replace("–", ""))
    except ValueError:
        return False
    return True
