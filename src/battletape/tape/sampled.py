"""Sampled: many rolled runs; an estimate with its error, used to check the exact reader."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from battletape.errors import BadInput
from battletape.odds import How, Odds
from battletape.tape import Rule
from battletape.tape.exact import Policy, first_option
from battletape.tape.question import Ask, check_stages, frozen_states
from battletape.tape.rolled import Rolled


class Quick(Rolled):
    """Rolls without keeping a recording."""

    def run(self, stage: Rule, state: Any) -> Any:
        """Return the state after a stage."""
        return stage(self, state)

    def _ask(self, ask: Ask) -> Any:
        self.idle = 0
        return ask.meaning(self.answer(ask))

    def tell(self, sentence: Any, /, *args: Any, clause: Any = (), **named: Any) -> None:
        """Ignore it: many rolls are not told."""


def sampled(
    stages: Sequence[Rule],
    state: Hashable,
    times: int,
    seed: int | str | None = None,
    *,
    policy: Policy = first_option,
    progress: Callable[[int, int], None] | None = None,
) -> Odds[Any]:
    """Return the odds, estimated from a number of rolls."""
    if not isinstance(times, int) or times < 1:
        raise BadInput(f"sampling needs one run or more, got {times!r}")
    check_stages(stages)
    tape = Quick(seed, policy)
    counts: dict[Any, int] = {}
    with frozen_states():
        for done in range(times):
            now: Any = state
            tape.idle = 0
            for at, stage in enumerate(stages):
                tape.begin(at, now)
                now = stage(tape, now)
            counts[now] = counts.get(now, 0) + 1
            if progress is not None and done % 1000 == 999:
                progress(done + 1, times)
    return Odds(counts, times, How("sampled", branches=times, states=len(counts)))
