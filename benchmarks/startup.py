"""Topic startup: the command as a process, beside a bare interpreter."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from statistics import median
from time import perf_counter

from benchmarks.attack import INPUTS
from benchmarks.race import Differs, Pace
from benchmarks.table import Table

OPTIONS = [part for name, value in INPUTS.items() for part in (f"--{name}", str(value))]
FIRST = f"import battletape; battletape.ruleset('attack_dice').ask('attack', **{INPUTS!r})"
ODDS = "battletape odds attack_dice attack …"
HELP = "battletape --help"
IMPORT = "import battletape"
API = "import, find the ruleset, ask"
BARE = "python -c pass"
COMMANDS: dict[str, Sequence[str]] = {
    BARE: ("-c", "pass"),
    IMPORT: ("-c", IMPORT),
    API: ("-c", FIRST),
    HELP: ("-m", "battletape", "--help"),
    ODDS: ("-m", "battletape", "odds", "attack_dice", "attack", *OPTIONS),
}


def run(pace: Pace) -> Table:
    """Start each command in turn; the middle time of each counts."""
    table = Table("startup", "processes, the middle one of several starts", "part of the time allowed")
    times = starts(COMMANDS, pace.processes)
    bare = times[BARE]
    table.within(ODDS, "200 ms", times[ODDS], 0.200)
    table.within(HELP, "120 ms", times[HELP], 0.120)
    table.within(f"{IMPORT}, beyond bare", "60 ms", max(times[IMPORT] - bare, 0), 0.060)
    table.within(f"{API}, beyond bare", "60 ms", times[API] - bare, 0.060, None)
    table.notes.append(f"A bare interpreter takes {bare * 1000:.0f} ms; it is part of the first two rows.")
    return table


def starts(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, float]:
    """The median seconds of each command, all started in turn; the first start of each only warms up."""
    found: dict[str, list[float]] = {name: [] for name in commands}
    for done in range(rounds + 1):
        for name, arguments in commands.items():
            began = perf_counter()
            ended = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
            took = perf_counter() - began
            if ended.returncode:
                raise Differs(f"{name} ends with {ended.returncode}: {ended.stderr.strip()[-300:]}")
            if done:
                found[name].append(took)
    return {name: median(times) for name, times in found.items()}
