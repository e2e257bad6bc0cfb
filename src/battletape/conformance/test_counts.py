"""The pinned counts hold: nothing branches or merges differently by accident."""

from __future__ import annotations

from pathlib import Path

import pytest

from battletape.conformance.counts import counts_now, differences
from battletape.conformance.plugin import fail_if
from battletape.conformance.subjects import Subject


def test_branches_and_states_are_as_pinned(
    subjects: tuple[Subject, ...], pinned: Path, pytestconfig: pytest.Config
) -> None:
    now = counts_now(subject.ruleset for subject in subjects)
    if pytestconfig.getoption("write_counts"):
        pinned.write_text(now, encoding="utf-8")
    before = pinned.read_text(encoding="utf-8") if pinned.exists() else ""
    changed = differences(before, now)
    fail_if(
        [f"{changed}\nRules branch or merge otherwise than in {pinned}. If that was meant: run with --write-counts."]
        if changed
        else []
    )
