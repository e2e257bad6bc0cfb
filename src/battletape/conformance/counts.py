"""The counts of a ruleset: branches and merged states of each stage, for the example of each question.

A count that changes says that a rule branches or merges differently: pin it anew only when that was meant, and say so
in the changelog where odds change with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import unified_diff

from battletape.conformance.cases import Case, examples
from battletape.system import Ruleset
from battletape.tape.exact import Exact

HEAD = """\
# Branches and merged states of each stage, for the example of each question.
# Rewrite with the option --write-counts of the conformance tests.
"""


def count(case: Case) -> str:
    """The counts of one question, a line for each stage."""
    kernel, counts = Exact(forget=case.forget).stages(case.stages, case.start)
    lines = [f"\n{case.ruleset.name} {case.question.name}"]
    lines += [f"    {count.stage.__name__:<24} {count.branches:>9,} {count.states:>9,}" for count in counts]
    lines.append(f"    {'in all':<24} {kernel.branches:>9,} {len(kernel.results):>9,}")
    return "\n".join(lines) + "\n"


def counts_now(rulesets: Iterable[Ruleset]) -> str:
    """The counts of every question."""
    return HEAD + "".join(count(case) for ruleset in rulesets for case in examples(ruleset))


def differences(pinned: str, now: str) -> str:
    """What differs from the pinned counts; nothing where all is as it was."""
    return "\n".join(unified_diff(pinned.splitlines(), now.splitlines(), "pinned", "now", lineterm="", n=30))
