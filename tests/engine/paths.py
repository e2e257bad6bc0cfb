"""Two ways to write a procedure, on tapes of one path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battletape.tape.recorded import Recorded
from battletape.tape.rolled import Rolled


def assert_same_paths(stages: Sequence[Any], others: Sequence[Any], start: Any) -> None:
    """Demand that two ways to write a procedure ask for the same dice in the same order, and come to the same."""

    def played(rules: Sequence[Any], tape: Any) -> tuple[Any, Any]:
        state = start
        for rule in rules:
            state = rule(tape, state)
        return state, tape.entries

    for seed in range(20):
        state, entries = played(stages, Rolled(seed))
        assert (state, entries) == played(others, Rolled(seed))
        assert played(stages, Recorded(entries))[0] == state
