"""`./bench [TOPIC…] [--json FILE] [--quick]`: measure, and print a table of ratios for each topic."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from pathlib import Path

from benchmarks.race import CALM, QUICK, Differs, Pace
from benchmarks.table import Table

TOPICS = (
    "chain",
    "growth",
    "attack",
    "rolled",
    "vehicles",
    "deathwatch",
    "diceless",
    "second_edition",
    "startup",
    "battle",
    "sheets",
    "web",
    "before",
)
PEERS = ("icepool", "dyce")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the topics asked for; 1 if two ways to a result differ, else 0, however long anything took."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    unknown = [topic for topic in asked.topics if topic not in TOPICS]
    if unknown:
        parser.error(f"the topics are {', '.join(TOPICS)}; got {', '.join(unknown)}")
    print(f"{machine()}\n", flush=True)
    tables: list[Table] = []
    wrong: list[str] = []
    for topic in asked.topics or TOPICS:
        run: Callable[[Pace], Table] = import_module(f"benchmarks.{topic}").run
        try:
            table = run(QUICK if asked.quick else CALM)
        except Differs as difference:
            wrong.append(f"{topic}: {difference}")
            continue
        tables.append(table)
        print(f"{table.text()}\n", flush=True)
    print(summary(tables))
    for one in wrong:
        print(f"WRONG RESULT in {one}")
    if asked.json is not None:
        report = {"machine": machine(), "wrong": wrong, "tables": [table.plain() for table in tables]}
        asked.json.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if wrong else 0


def machine() -> str:
    """What it was measured with."""
    peers = ", ".join(f"{name} {metadata.version(name)}" for name in PEERS)
    return f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}; {peers}"


def summary(tables: Sequence[Table]) -> str:
    """How many targets are reached, and which are not."""
    rows = [(table.topic, row) for table in tables for row in table.rows if row.reached is not None]
    missed = [f"  missed: {topic}: {row.what} beside {row.beside}" for topic, row in rows if not row.reached]
    return "\n".join([f"{len(rows) - len(missed)} of {len(rows)} targets reached", *missed])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description="Measure Battletape beside its peers.")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"any of {', '.join(TOPICS)} (default: all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a rough idea in a few seconds")
    return parser


if __name__ == "__main__":
    sys.exit(main())
