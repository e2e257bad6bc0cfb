"""Topic sheets: a first sheet and an army of twenty pages, each as a process that has drawn nothing before."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from battletape import ruleset
from battletape.sheets.typeset import count_pages
from benchmarks.race import Differs, Pace
from benchmarks.startup import BARE, starts
from benchmarks.table import Table

FIRST, ARMY = 0.5, 2.0
PAGES = 20
SHEET = "battletape print diceless40k vehicle_sheets --profile Rhino"
REFERENCE = "battletape print attack_dice reference"
SHEETS = ("unit_sheets", "vehicle_sheets", "tokens", "token_slip")


def run(pace: Pace) -> Table:
    """Start each command in turn; the middle time of each counts."""
    table = Table("sheets", "the command as a process, from its start to the PDF", "part of the time allowed")
    with tempfile.TemporaryDirectory() as folder:
        first, whole = Path(folder, "first.pdf"), Path(folder, "army.pdf")
        army = f"an army of {PAGES} pages or more"
        commands: dict[str, Sequence[str]] = {
            BARE: ("-c", "pass"),
            SHEET: ("-m", *SHEET.split(), "-o", str(first), "--force"),
            REFERENCE: ("-m", *REFERENCE.split(), "-o", str(first), "--force"),
            army: ("-m", "battletape", "print", "diceless40k", *SHEETS, *names(), "-o", str(whole), "--force"),
        }
        every = starts(commands, pace.processes, folder)
        pages = count_pages(whole.read_bytes())
    if pages < PAGES:
        raise Differs(f"the army must have {PAGES} pages; it has {pages}")
    walls = {name: median(start.wall for start in found) for name, found in every.items()}
    table.within(SHEET, "0.5 s", walls[SHEET], FIRST)
    table.within(REFERENCE, "0.5 s", walls[REFERENCE], FIRST)
    table.within(f"an army of {pages} pages", "2 s", walls[army], ARMY)
    work = {name: median(start.work for start in found) for name, found in every.items()}
    table.notes.append(
        "The processor's part: " + ", ".join(f"{name} {part * 1000:.0f} ms" for name, part in work.items())
    )
    return table


def names() -> list[str]:
    """The units and vehicles of an army that fills the pages, as options of the command."""
    book = ruleset("diceless40k").book.entries
    army = [*list(book["unit"])[:24], *(f"2 x {name}" for name in list(book["vehicle"])[:16])]
    return [word for name in army for word in ("--profile", name)]
