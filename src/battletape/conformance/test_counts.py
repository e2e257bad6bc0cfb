"""The pinned counts hold: nothing branches or merges differently by accident."""

from __future__ import annotations

from pathlib import Path

import pytest

from battletape.conformance.counts import counts_now, differences, read_counts, ruleset_of, write_counts
from battletape.conformance.plugin import fail_if
from battletape.conformance.subjects import Subject


def test_branches_and_states_are_as_pinned(
    subjects: tuple[Subject, ...], pinned: Path, pytestconfig: pytest.Config
) -> None:
    now = counts_now(subject.ruleset for subject in subjects)
    tested = {str(subject) for subject in subjects}
    writing = pytestconfig.getoption("write_counts")
    if not pinned.exists() and not writing:
        fail_if([f"--counts {pinned}: there is no such file; --write-counts makes it."])
    kept = read_counts(pinned.read_text(encoding="utf-8")) if pinned.exists() else []
    if writing:
        others = [section for section in kept if ruleset_of(section) not in tested]
        kept = [*others, *now]
        pinned.write_text(write_counts(kept), encoding="utf-8")
    changed = differences([section for section in kept if ruleset_of(section) in tested], now)
    if changed:
        fail_if([f"{changed}\nRules branch or merge otherwise than in {pinned}. If that was meant: --write-counts."])
