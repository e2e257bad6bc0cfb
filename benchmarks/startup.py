"""Topic startup: the command as a process, beside a bare interpreter."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from benchmarks.attack import INPUTS
from benchmarks.race import Differs, Pace
from benchmarks.table import Table
from benchmarks.web_server import first_page

OPTIONS = [part for name, value in INPUTS.items() for part in (f"--{name}", str(value))]
FIRST = f"import battletape; battletape.ruleset('attack_dice').ask('attack', **{INPUTS!r})"
ODDS = "battletape odds attack_dice attack …"
HELP = "battletape --help"
IMPORT = "import battletape"
API = "import, find the ruleset, ask"
BARE = "python -c pass"
PAGE = "./run until the first page is answered"
COMMANDS: dict[str, Sequence[str]] = {
    BARE: ("-c", "pass"),
    IMPORT: ("-c", IMPORT),
    API: ("-c", FIRST),
    HELP: ("-m", "battletape", "--help"),
    ODDS: ("-m", "battletape", "odds", "attack_dice", "attack", *OPTIONS),
}


class Start(NamedTuple):
    """One start: seconds by the clock on the wall, and those of them that the processor worked for it."""

    wall: float
    work: float


def run(pace: Pace) -> Table:
    """Start each command in turn; the middle time of each counts."""
    table = Table("startup", "processes, the middle one of several starts", "part of the time allowed")
    with tempfile.TemporaryDirectory() as compiled:
        every = starts(COMMANDS, pace.processes, compiled)
        pages = first_pages(max(1, pace.processes // 3), compiled) if sys.platform == "linux" else []
    times = {name: median(start.wall for start in found) for name, found in every.items()}
    work = {name: median(start.work for start in found) for name, found in every.items()}
    table.within(ODDS, "200 ms", times[ODDS], 0.200)
    table.within(HELP, "120 ms", times[HELP], 0.120)
    table.within(f"{IMPORT}, beyond bare", "60 ms", max(times[IMPORT] - times[BARE], 0), 0.060)
    table.within(f"{API}, beyond bare", "60 ms", times[API] - times[BARE], 0.060, None)
    if pages:
        table.within(PAGE, "3 s of the processor", median(pages), 3.0)
    table.notes += [
        f"A bare interpreter takes {times[BARE] * 1000:.0f} ms, which is part of the first two rows.",
        "The processor's part: " + ", ".join(f"{name} {part * 1000:.0f} ms" for name, part in work.items()) + ".",
        "Where a row is far above that, the machine was busy with something else.",
    ]
    return table


def starts(commands: Mapping[str, Sequence[str]], rounds: int, compiled: str) -> dict[str, list[Start]]:
    """Every start of each command, all in turn; the first of each, which only compiles and warms up, is left out."""
    own = _installed(compiled)
    found: dict[str, list[Start]] = {name: [] for name in commands}
    for done in range(rounds + 1):
        for name, arguments in commands.items():
            began, worked = perf_counter(), _children()
            ended = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, env=own)
            start = Start(perf_counter() - began, _children() - worked)
            if ended.returncode:
                raise Differs(f"{name} ends with {ended.returncode}: {ended.stderr.strip()[-300:]}")
            if done:
                found[name].append(start)
    return found


def first_pages(rounds: int, compiled: str) -> list[float]:
    """What each start of `./run` works until the first page is answered; the first, which compiles, is left out."""
    command = [str(Path(__file__).parents[1] / "run"), "--quiet", "--host", "127.0.0.1", "--port"]
    return [first_page(command, _installed(compiled)) for _ in range(rounds + 1)][1:]


def _installed(compiled: str) -> dict[str, str]:
    """The surroundings as after an installation: compiled modules are kept, whatever they say."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**own, "PYTHONPYCACHEPREFIX": compiled}


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
