"""Topic before: every question of the page beside an earlier version of the project, in one run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl
from zipfile import ZipFile

from benchmarks.race import Differs, Pace
from benchmarks.table import Table
from benchmarks.web import moves
from benchmarks.web_users import Form, forms

BEFORE = os.environ.get("BENCH_BEFORE", "1ef0c48")
"""The version to measure against: the last one whose rules had several ways to be fast."""
ROOT = Path(__file__).parent.parent
WORKER = Path(__file__).with_name("before_worker.py")
SLOWER = 1 / 1.5
"""No question may take more than one and a half times as long."""
NOTICED = 0.003
"""Below so many seconds nobody can tell, and a page costs more than its answer: told, but no target."""
FASTER: dict[str, tuple[str, str, dict[str, Any]]] = {
    "shoot over four turns": (
        "deathwatch",
        "shoot",
        {"weapon": "Astartes Heavy Bolter", "mode": "full", "bs": 50, "band": "short", "fury": "confirm", "shots": 4},
    ),
    "fire_mode over four turns, bolter": (
        "deathwatch",
        "fire_mode",
        {"weapon": "Astartes Bolter (Godwyn)", "bs": 50, "distance": 60, "turns": 4},
    ),
    "fire_mode over four turns, heavy bolter": (
        "deathwatch",
        "fire_mode",
        {"weapon": "Astartes Heavy Bolter", "bs": 50, "distance": 60, "turns": 4},
    ),
    "walker_fight over six rounds": (
        "vehicles5",
        "walker_fight",
        {"charges": "walker", "foe_models": 4, "foe_save": 3, "grenade": "krak", "rounds": 6},
    ),
}


class Version:
    """A version of the project, answering in a process of its own."""

    def __init__(self, sources: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(sources)},
        )

    def do(self, what: str, **told: Any) -> Any:
        """Have it done."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"do": what, **told}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """End it."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()


def run(pace: Pace) -> Table:
    """Move the sliders of every question in both versions in turn; then, with nothing kept, what must be faster."""
    table = Table(
        "before",
        f"a step of a slider for every question, and what several turns take, beside version {BEFORE}",
        "times as fast as before",
    )
    with both_versions() as versions:
        new: list[str] = []
        for form in forms():
            took = slide(versions, form, 8 if pace.processes > 10 else 3)
            if took is None:
                new.append(form.name)
                continue
            ours, theirs = took
            target = SLOWER if max(ours, theirs) > NOTICED else None
            table.faster(f"{form.name}, a step", BEFORE, ours, theirs, target)
        for what, (name, question, given) in FASTER.items():
            check(versions, name, question, given)
            ours, theirs = cold(versions, name, question, given, pace.rounds)
            table.faster(f"{what}, nothing kept", BEFORE, ours, theirs, 1)
    if new:
        table.notes.append(f"Not asked of {BEFORE}, which does not know them so: {', '.join(new)}.")
    return table


def slide(versions: Sequence[Version], form: Form, steps: int) -> tuple[float, float] | None:
    """The median step of both; None where one of them does not know the question so."""
    asked = {"name": form.ruleset, "question": form.question}
    took: list[list[float]] = [[], []]
    for at, moved in enumerate([{}, *moves(form, steps)]):
        pairs = parse_qsl(form.path(moved).partition("?")[2], keep_blank_values=True)
        replies = [version.do("page", **asked, pairs=pairs) for version in versions]
        if at and all(reply["status"] == 200 for reply in replies):  # the first warms up
            for found, reply in zip(took, replies, strict=True):
                found.append(reply["seconds"])
    return (median(took[0]), median(took[1])) if took[0] else None


def cold(
    versions: Sequence[Version], name: str, question: str, given: Mapping[str, Any], rounds: int
) -> tuple[float, float]:
    """The best time of both with nothing kept."""
    best = [float("inf")] * len(versions)
    for _ in range(rounds):
        for at, version in enumerate(versions):
            best[at] = min(best[at], version.do("cold", name=name, question=question, given=given)["seconds"])
    return best[0], best[1]


def check(versions: Sequence[Version], name: str, question: str, given: Mapping[str, Any]) -> None:
    """Both versions must come to the same fractions, in every measure that both tell to the end."""
    ours, theirs = (version.do("odds", name=name, question=question, given=given) for version in versions)
    if ours["exact"] and theirs["exact"]:
        for measure in ours["measures"].keys() & theirs["measures"].keys():
            if ours["measures"][measure] != theirs["measures"][measure]:
                raise Differs(f"{name} {question} {given}: {measure} is not what it was in {BEFORE}")


@contextmanager
def both_versions() -> Iterator[tuple[Version, Version]]:
    """This version and the one before, each in a process of its own."""
    with TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "-C", str(ROOT), "archive", "--format=zip", BEFORE, "src"], capture_output=True, check=False
        )
        if packed.returncode:
            why = packed.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise Differs(f"version {BEFORE} is not in this clone (git fetch --unshallow brings it): {''.join(why)}")
        ZipFile(BytesIO(packed.stdout)).extractall(folder)
        both = Version(ROOT / "src"), Version(Path(folder) / "src")
        try:
            yield both
        finally:
            for version in both:
                version.close()
