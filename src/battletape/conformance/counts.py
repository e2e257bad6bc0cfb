"""The counts of a ruleset: branches and merged states of each stage, for the example of each question.

A changed count means that a rule branches or merges differently. Pin it again only if that was intended, and say so in
the changelog if odds change with it.
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
    """Return the counts of one question, a line for each stage below its name."""
    kernel, counts = Exact(forget=case.forget).stages(case.stages, case.start)
    lines = [f"{case.ruleset.name} {case.question.name}"]
    lines += [f"    {count.stage.__name__:<24} {count.branches:>9,} {count.states:>9,}" for count in counts]
    lines.append(f"    {'in all':<24} {kernel.branches:>9,} {len(kernel.results):>9,}")
    return "\n".join(lines)


def counts_now(rulesets: Iterable[Ruleset]) -> list[str]:
    """Return the counts of every question."""
    return [count(case) for ruleset in rulesets for case in examples(ruleset)]


def read_counts(text: str) -> list[str]:
    """Return the counts in a file, of each question."""
    return [section.rstrip() for section in text.split("\n\n")[1:]]


def write_counts(counts: Iterable[str]) -> str:
    """Return the counts as a file."""
    return HEAD + "".join(f"\n{section}\n" for section in counts)


def ruleset_of(section: str) -> str:
    """Return the name of the case that a section counts."""
    return section.partition(" ")[0]


def differences(pinned: Iterable[str], now: Iterable[str]) -> str:
    """Return what differs from the pinned counts."""
    before, after = write_counts(pinned).splitlines(), write_counts(now).splitlines()
    return "\n".join(unified_diff(before, after, "pinned", "now", lineterm="", n=30))
