"""Text for a terminal: its width, its colours, its characters; bars, tables and paragraphs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, TextIO

import click

from battletape.cli import OUR_COMMANDS, as_called

NARROW, WIDE = 40, 110
NARROW_PAGE = 60
"""Up to this width long words are broken."""
NOTHING = ("", "-")
"""Cells that say nothing, and need not be said where they would stand below their row."""
UNSAID = ("", "rule", "notes")
"""Heads of columns that need not be said where a column stands below its row."""
NARROWEST = 12
"""How narrow a column of text may get."""

# Colours mean something: red is what happens, cyan “at least”, yellow every rule and circumstance. Never colour alone.
STYLES = {
    "": "",
    "strong": "1",
    "soft": "2",
    "happens": "31",
    "best": "1;31",
    "least": "36",
    "rule": "33",
    "warn": "1;33",
    "head": "1",
    "wrong": "31",
}
PLAIN = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "−": "-",
        "…": "...",
        "→": "->",
        "·": "|",
        "×": "x",
        "“": '"',
        "”": '"',
        "’": "'",
        "‘": "'",
        "≈": "~",
        "±": "+/-",
        "≥": ">=",
        "≤": "<=",
        "°": " deg",
        "″": '"',
        "•": "*",
        "─": "-",
        "é": "e",
    }
)


class Column(NamedTuple):
    """A column of a table: its head, which way it leans, its style, and whether its text may wrap."""

    head: str = ""
    right: bool = False
    style: str = ""
    wraps: bool = False


Cell = str | tuple[str, str]
"""A text, or a text with its style."""


class Page:
    """Lines of text that know how wide the terminal is, and whether it shows colours and drawn bars."""

    def __init__(self, width: int = 80, *, colour: bool = False, drawn: bool = True) -> None:
        self.width = max(NARROW, min(width, WIDE))
        self.colour = colour
        self.drawn = drawn
        self.lines: list[str] = []

    def paint(self, text: str, style: str = "") -> str:
        """Return the text in a style."""
        code = STYLES[style]
        return f"\033[{code}m{text}\033[0m" if self.colour and code and text else text

    def gap(self) -> None:
        """Print an empty line, unless there is one already."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def line(self, *parts: Cell) -> None:
        """Print one line of parts, as it is."""
        self.lines.append("".join(self._cell(part) for part in parts).rstrip())

    def heading(self, text: str, soft: str = "") -> None:
        """Print a heading after an empty line."""
        self.gap()
        if size(text) + 2 + size(soft) <= self.width - 1:
            self.line((text, "head"), (f"  {soft}" if soft else "", "soft"))
        else:
            self.text(text, "head")
            self.text(soft, "soft", indent=2)

    def text(self, text: str, style: str = "", indent: int = 0, hang: int | None = None) -> None:
        """Print a paragraph, wrapped to the width; `hang` indents the lines after the first."""
        first, rest = " " * indent, " " * (indent if hang is None else hang)
        for line in wrap(_whole_commands(text), self.width - 1, first, rest):
            margin = len(line) - len(line.lstrip())
            self.lines.append(line[:margin] + self.paint(line[margin:], style))

    def named(self, name: str, text: str, style: str = "", width: int = 10) -> None:
        """Print a name in the margin and a paragraph beside it."""
        lines = wrap(text, self.width - 1 - width - 2)
        for at, line in enumerate(lines or [""]):
            margin = (name if at == 0 else "").ljust(width)
            self.lines.append(f"{self.paint(margin, 'soft')}  {self.paint(line, style)}")

    def table(
        self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], indent: int = 2, notes: Sequence[Cell] = ()
    ) -> None:
        """Print rows under heads: text wraps where a column may, what is still too wide goes below in parts.

        `notes` stand below each row.
        """
        widths = _widths(columns, rows)
        least = sum(widths) + len(widths) - 1
        gap = 2 if indent + least + len(widths) - 1 <= self.width - 1 else 1
        wraps = any(column.wraps for column in columns)
        indent = indent if wraps or indent + least <= self.width - 1 else 0
        if wraps:
            tight = [
                min(wide, max(NARROWEST, size(column.head))) if column.wraps else wide
                for wide, column in zip(widths, columns, strict=True)
            ]
            apart = sum(tight) + 2 * (len(tight) - 1)
            if apart <= self.width - 1 < indent + apart:  # rather no margin than columns that touch
                indent = 0
            gap = 2 if indent + apart <= self.width - 1 else 1
            if indent + sum(tight) + gap * (len(tight) - 1) <= self.width - 1:
                self._table(columns, rows, indent, gap, notes)
                return
            if len(columns) > 1 and not all(column.right for column in columns[1:]):
                self._stacked(columns, rows, tight, indent, notes)
                return
            widths = tight
        bodies = _widths([Column(max(column.head.split(), key=size, default="")) for column in columns], rows)
        if sum(widths) > sum(bodies) and sum(bodies) + gap * (len(bodies) - 1) <= self.width - 1 - indent:
            widths = bodies  # heads of several words wrap
        for at, part in enumerate(_parts(widths, self.width - 1 - indent, gap)):
            if at:
                self.gap()
            under = notes if at == 0 else ()
            self._table(
                [columns[place] for place in part], [[row[place] for place in part] for row in rows], indent, gap, under
            )

    def _stacked(
        self,
        columns: Sequence[Column],
        rows: Sequence[Sequence[Cell]],
        tight: Sequence[int],
        indent: int,
        notes: Sequence[Cell],
    ) -> None:
        """Print a table for a narrow page: the columns for which there is no room stand below each row."""
        kept = len(columns)
        while kept > 1 and indent + sum(tight[:kept]) + kept - 1 > self.width - 1:
            kept -= 1
        below: list[Cell] = []
        for at, row in enumerate(rows):
            cells = [(column.head, _plain(cell)) for column, cell in zip(columns[kept:], row[kept:], strict=True)]
            parts = [cell if head in UNSAID else f"{head} {cell}" for head, cell in cells if cell not in NOTHING]
            own = [_plain(notes[at])] if notes and _plain(notes[at]) else []
            below.append(" · ".join([*parts, *own]))
        self.table(columns[:kept], [row[:kept] for row in rows], indent, below)

    def _table(
        self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], indent: int, gap: int, notes: Sequence[Cell]
    ) -> None:
        widths = _widths(columns, rows)
        over = indent + sum(widths) + gap * (len(widths) - 1) - (self.width - 1)
        least = [self._least(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
        while over > 0 and (wide := [at for at in range(len(columns)) if columns[at].wraps and widths[at] > least[at]]):
            widths[max(wide, key=lambda at: widths[at])] -= 1
            over -= 1
        if over > 0:  # heads of several words may wrap as well
            bodies = _widths([Column()] * len(columns), rows)
            for at, column in enumerate(columns):
                word = max(map(size, column.head.split()), default=0)
                widths[at] = min(widths[at], max(bodies[at], word)) if not column.wraps else widths[at]
        margin = " " * indent, " " * gap
        if any(column.head for column in columns):
            self._row([(column.head, "soft") for column in columns], columns, widths, margin)
        for at, row in enumerate(rows):
            self._row(row, columns, widths, margin)
            if notes and _plain(notes[at]):
                self.text(_plain(notes[at]), "soft", indent=indent + 4)

    def _least(self, column: Column, cells: Sequence[Cell]) -> int:
        """Return how narrow a column may get; on a page of some width no word is broken."""
        words = (word for cell in cells for word in _plain(cell).split() if self.width > NARROW_PAGE)
        return max(NARROWEST, size(column.head), *map(size, words))

    def _row(
        self, row: Sequence[Cell], columns: Sequence[Column], widths: Sequence[int], margin: tuple[str, str]
    ) -> None:
        cells = [
            cell if isinstance(cell, tuple) else (cell, column.style) for cell, column in zip(row, columns, strict=True)
        ]
        wrapped = [
            _broken(text, widths[at], self.width) if size(text) > widths[at] else [text]
            for at, (text, _) in enumerate(cells)
        ]
        for deep in range(max(map(len, wrapped))):
            parts = []
            for at, (_, style) in enumerate(cells):
                text = wrapped[at][deep] if deep < len(wrapped[at]) else ""
                space = " " * max(widths[at] - size(text), 0)
                shown = self.paint(text, style)
                parts.append(space + shown if columns[at].right else shown + space)
            self.lines.append((margin[0] + margin[1].join(parts)).rstrip())

    def bar(self, share: float, width: int) -> str:
        """Return a bar of a share of the width; a share above nothing shows at least a sliver."""
        if not self.drawn:
            whole = round(share * width)
            return "#" * whole if whole or not share else "."
        eighths = max(round(share * width * 8), 1 if share else 0)
        return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()

    def show(self, out: TextIO | None = None) -> None:
        """Write the page."""
        echo(as_called("\n".join(self.lines)), out, drawn=self.drawn)
        self.lines.clear()

    def _cell(self, part: Cell) -> str:
        return self.paint(*part) if isinstance(part, tuple) else part


def page(out: TextIO | None = None) -> Page:
    """Return a page for where the output goes; NO_COLOR and FORCE_COLOR are heeded, BATTLETAPE_ASCII draws with #."""
    stream = out or sys.stdout
    return Page(terminal_width(stream), colour=has_colour(stream), drawn=can_draw(stream))


def terminal_width(stream: Any) -> int:
    """Return how many columns there are: what COLUMNS says, else the terminal, else 80."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (AttributeError, OSError, ValueError):
        return 80


def has_colour(stream: Any) -> bool:
    """Return whether to colour what goes to this stream."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or bool(stream.isatty())


def can_draw(stream: Any) -> bool:
    """Return whether this stream takes more than ASCII."""
    encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "")
    return encoding.startswith(("utf", "cp65001")) and not os.environ.get("BATTLETAPE_ASCII")


def echo(text: str, out: TextIO | None = None, *, drawn: bool = True, newline: bool = True) -> None:
    """Write text as it is, or with plain characters where the stream takes no others."""
    if not drawn:
        text = text.translate(PLAIN).encode("ascii", "replace").decode("ascii")
    click.echo(text, file=out, nl=newline, color=True)


def echo_json(data: Any) -> None:
    """Write plain data as JSON, in UTF-8 wherever it goes."""
    import msgspec

    try:
        click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2))
    except UnicodeEncodeError:  # stray bytes, which JSON can spell out
        import json

        click.echo(json.dumps(msgspec.to_builtins(data), indent=2))


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Return lines of whole words; a line break in the text stays, a word too long for a line is left whole."""
    lines: list[str] = []
    for paragraph in text.replace(" %", "\xa0%").split("\n"):
        now = first if not lines else rest
        empty = True
        for word in filter(None, paragraph.split(" ")):
            if not empty and size(now) + 1 + size(word) > width:
                lines.append(now)
                now, empty = rest, True
            now += word if empty else " " + word
            empty = False
        lines.append(now)
    return [line.replace("\xa0", " ") for line in lines]


def _broken(text: str, width: int, page: int) -> list[str]:
    """Return the lines of a cell; on a narrow page a word that is wider than its column is broken as well."""
    lines = wrap(text, width)
    if page > NARROW_PAGE:
        return lines
    return [line[at : at + width] for line in lines for at in range(0, max(len(line), 1), max(width, 1))]


def _whole_commands(text: str) -> str:
    """Return a text whose commands stay on one line, so that they can be copied."""
    found = re.compile(
        r"(?:(?<=: )|(?<=with )|(?<=\n  ))" + OUR_COMMANDS.pattern + r"\S+(?: (?:'[^']*'|\"[^\"]*\"|[^\s;])+)*"
    )
    return found.sub(lambda match: match[0].replace(" ", "\xa0"), text)


def size(text: str) -> int:
    """Return how many columns a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _parts(widths: Sequence[int], room: int, gap: int) -> list[list[int]]:
    """Return which columns stand side by side; the first one leads each part, and the parts are about equal."""
    each = max((room - widths[0]) // (max(widths[1:], default=1) + gap), 1)
    if sum(widths) + gap * (len(widths) - 1) <= room:
        each = len(widths)
    others = range(1, len(widths))
    count = -(-len(others) // each) or 1
    size_of_part = -(-len(others) // count)
    return [[0, *others[at : at + size_of_part]] for at in range(0, max(len(others), 1), max(size_of_part, 1))]


def _widths(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> list[int]:
    return [max(size(column.head), *(size(_plain(row[at])) for row in rows), 0) for at, column in enumerate(columns)]


def _plain(cell: Cell) -> str:
    return cell[0] if isinstance(cell, tuple) else cell
