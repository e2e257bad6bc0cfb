"""Topic sheets: a first sheet as a process, and an army of twenty pages."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from battletape import ruleset
from battletape.sheets import Document
from battletape.sheets.typeset import count_pages, pdf
from battletape.views.sheets import from_names, make_document
from benchmarks.race import Differs, Pace, race
from benchmarks.startup import BARE, starts
from benchmarks.table import Table

FIRST, ARMY_LIMIT = 0.5, 2.0
PAGES = 20
SHEET = "battletape print diceless40k vehicle_sheets --profile Rhino"
REFERENCE = "battletape print attack_dice reference"


def run(pace: Pace) -> Table:
    """Start the command in turn with a bare interpreter; draw an army of twenty pages, and the same again."""
    table = Table("sheets", "PDF from data: the command as a process, and an army", "part of the time allowed")
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder, "sheet.pdf"))
        commands = {
            BARE: ("-c", "pass"),
            SHEET: ("-m", *SHEET.split(), "-o", place, "--force"),
            REFERENCE: ("-m", *REFERENCE.split(), "-o", place, "--force"),
        }
        every = starts(commands, pace.processes, folder)
    for name in (SHEET, REFERENCE):
        table.within(name, "0.5 s", median(start.wall for start in every[name]), FIRST)
    document = army()
    made = pdf(document)
    if count_pages(made) < PAGES or pdf(army()) != made:
        raise Differs(f"an army of {PAGES} pages has {count_pages(made)}, or other bytes the second time")
    times = race({"army": lambda: pdf(army())}, pace, clock=perf_counter)
    table.within(f"an army of {count_pages(made)} pages, {len(made) // 1000} kB", "2 s", times["army"], ARMY_LIMIT)
    work = {name: median(start.work for start in found) for name, found in every.items()}
    table.notes.append(
        "The processor's part: " + ", ".join(f"{name} {part * 1000:.0f} ms" for name, part in work.items())
    )
    return table


def army() -> Document:
    """Units and vehicles of Diceless 40k that fill twenty pages, with their tokens."""
    card = ruleset("diceless40k")
    names = [
        *list(card.book.entries["unit"])[:24],
        *(f"2 x {name}" for name in list(card.book.entries["vehicle"])[:16]),
    ]
    return make_document(card, ("unit_sheets", "vehicle_sheets", "tokens", "token_slip"), from_names(card, names))
