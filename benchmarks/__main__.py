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
LONGEST = 200
"""How much is told of an error."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the topics asked for; 1 if two ways to a result differ, 3 if a topic failed, else 0, however long it took."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    unknown = [topic for topic in asked.topics if topic not in TOPICS]
    if unknown:
        parser.error(f"the topics are {', '.join(TOPICS)}; got {', '.join(unknown)}")
    print(f"{machine()}\n", flush=True)
    tables: list[Table] = []
    wrong: list[str] = []
    failed: list[str] = []
    for topic in asked.topics or TOPICS:
        try:
            run: Callable[[Pace], Table] = import_module(f"benchmarks.{topic}").run
            table = run(QUICK if asked.quick else CALM)
        except Differs as difference:
            wrong.append(f"{topic}: {difference}")
            continue
        except Exception as error:  # such as a browser that takes too long on a busy machine: the others go on
            failed.append(f"{topic}: {in_short(error)}")
            print(f"FAILED {failed[-1]}\n", flush=True)
            continue
        tables.append(table)
        print(f"{table.text()}\n", flush=True)
    print(summary(tables))
    for one in wrong:
        print(f"WRONG RESULT in {one}")
    for one in failed:
        print(f"FAILED {one}")
    if asked.json is not None:
        plain = [table.plain() for table in tables]
        report = {"machine": machine(), "wrong": wrong, "failed": failed, "tables": plain}
        asked.json.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if wrong else 3 if failed else 0


def in_short(error: Exception) -> str:
    """An error in one line: its kind and how its message begins."""
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {first[:LONGEST]}" if first else type(error).__name__


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
