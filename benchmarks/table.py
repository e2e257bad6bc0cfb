"""Tables of ratios: what was measured, beside what, and whether the target is reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Sense = Literal["at least", "at most", ""]
HEAD = ("what", "beside", "ratio", "target", "reached", "ours", "theirs")


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison; a ratio without a target is there to be known."""

    what: str
    beside: str
    ratio: float
    sense: Sense
    target: float
    ours: float
    theirs: float
    unit: str = "s"

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None where there is none."""
        if not self.sense:
            return None
        return self.ratio >= self.target if self.sense == "at least" else self.ratio <= self.target

    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of HEAD."""
        sign = {"at least": "≥ ", "at most": "≤ ", "": ""}[self.sense]
        return (
            self.what,
            self.beside,
            f"{self.ratio:.2f} x",
            f"{sign}{self.target:g} x" if self.sense else "-",
            {True: "yes", False: "NO", None: "-"}[self.reached],
            show(self.ours, self.unit),
            show(self.theirs, self.unit),
        )

    def plain(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "what": self.what,
            "beside": self.beside,
            "ratio": self.ratio,
            "target": {"sense": self.sense, "ratio": self.target} if self.sense else None,
            "reached": self.reached,
            "ours": self.ours,
            "theirs": self.theirs,
            "unit": self.unit,
        }


@dataclass
class Table:
    """The rows of one topic, with how its ratio is meant and what else there is to say."""

    topic: str
    title: str
    ratio: str
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def faster(self, what: str, beside: str, ours: float, theirs: float, least: float | None) -> None:
        """How many times as fast as a peer."""
        self.rows.append(Row(what, beside, theirs / ours, "at least" if least else "", least or 0, ours, theirs))

    def within(self, what: str, beside: str, ours: float, theirs: float, most: float | None = 1) -> None:
        """How many times the time of a peer, or which part of a limit."""
        self.rows.append(Row(what, beside, ours / theirs, "at most" if most else "", most or 0, ours, theirs))

    def rate(self, what: str, beside: str, ours: float, wanted: float, *, binding: bool = True) -> None:
        """How many times the rate that is wanted."""
        self.rows.append(Row(what, beside, ours / wanted, "at least" if binding else "", 1, ours, wanted, "/s"))

    def text(self) -> str:
        """The table for a terminal or a file: columns aligned, numbers to the right."""
        lines = [HEAD, *(row.cells() for row in self.rows)]
        widths = [max(len(line[at]) for line in lines) for at in range(len(HEAD))]
        shown = ["  ".join(_pad(cell, at, widths[at]) for at, cell in enumerate(line)).rstrip() for line in lines]
        shown.insert(1, "  ".join("-" * width for width in widths))
        head = f"{self.topic}: {self.title}\n(ratio: {self.ratio})\n"
        return "\n".join([head, *shown, *([""] if self.notes else []), *self.notes])

    def plain(self) -> dict[str, Any]:
        """The table as plain data."""
        rows = [row.plain() for row in self.rows]
        return {"topic": self.topic, "title": self.title, "ratio": self.ratio, "rows": rows, "notes": self.notes}


def show(value: float, unit: str) -> str:
    """A time or a rate as people read it."""
    if unit == "/s":
        return f"{value:,.0f} /s"
    if unit == "s":
        return f"{value * 1000:.3f} ms" if value < 0.01 else f"{value * 1000:,.1f} ms"
    return f"{value:.4g} {unit}".rstrip()


def _pad(cell: str, at: int, width: int) -> str:
    return cell.rjust(width) if HEAD[at] in ("ratio", "target", "ours", "theirs") else cell.ljust(width)
