"""The pinned counts: branches and merged states of each stage, for the example of each question.

    python -m tests.conformance.counts            what differs from the pinned counts
    python -m tests.conformance.counts --write    pin the counts as they are now

A count that changes says that a rule branches or merges differently: pin it anew only when that was meant, and say so
in the changelog where odds change with it.
"""

from __future__ import annotations

import sys
from difflib import unified_diff
from pathlib import Path

from battletape.tape.exact import Exact
from tests.conformance.cases import Case, examples

PINNED = Path(__file__).with_name("counts.perft")
HEAD = """\
# Branches and merged states of each stage, for the example of each question.
# Rewrite with: python -m tests.conformance.counts --write
"""


def count(case: Case) -> str:
    """The counts of one question, a line for each stage."""
    kernel, counts = Exact(forget=case.forget).stages(case.stages, case.start)
    lines = [f"\n{case.ruleset.name} {case.question.name}"]
    lines += [f"    {one.stage.__name__:<24} {one.branches:>9,} {one.states:>9,}" for one in counts]
    lines.append(f"    {'in all':<24} {kernel.branches:>9,} {len(kernel.results):>9,}")
    return "\n".join(lines) + "\n"


def counts_now() -> str:
    """The counts of every question of every ruleset."""
    return HEAD + "".join(count(case) for case in examples())


def differences() -> str:
    """What differs from the pinned counts; nothing where all is as it was."""
    pinned = PINNED.read_text(encoding="utf-8") if PINNED.exists() else ""
    lines = unified_diff(pinned.splitlines(), counts_now().splitlines(), "pinned", "now", lineterm="", n=30)
    return "\n".join(lines)


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        PINNED.write_text(counts_now(), encoding="utf-8")
    else:
        print(differences() or "All counts are as pinned.")
