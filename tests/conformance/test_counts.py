"""The pinned counts hold: nothing branches or merges differently by accident."""

from __future__ import annotations

from tests.conformance.counts import PINNED, differences


def test_branches_and_states_are_as_pinned():
    assert not differences(), (
        f"\n{differences()}\nIf that was meant: python -m tests.conformance.counts --write, and look at {PINNED.name}"
    )
