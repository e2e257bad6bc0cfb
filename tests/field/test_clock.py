"""The clock: every phase of every player turn comes once, and what ends is told."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battletape.field.clock import Clock

CLOCK = Clock(("South", "North"), ("movement", "shooting"), turns=1)


def test_the_clock_tells_what_ends():
    told = []
    clock = CLOCK
    while not clock.over:
        clock, ended = clock.next()
        told.append((clock.active, clock.phase, ended[-1]))
    assert told == [
        ("South", "shooting", "phase"),
        ("North", "movement", "player turn"),
        ("North", "shooting", "phase"),
        ("North", "shooting", "game"),
    ]


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 5))
def test_the_clock_visits_every_phase_once(sides, phases, turns):
    clock = Clock(tuple(map(str, range(sides))), tuple(map(str, range(phases))), turns)
    visited = []
    ends: Counter[str] = Counter()
    while not clock.over:
        visited.append((clock.turn, clock.active, clock.phase))
        assert clock.player_turn == (len(visited) - 1) // phases + 1
        clock, ended = clock.next()
        ends.update(ended)
    assert visited == [
        (turn, str(side), str(phase))
        for turn in range(1, turns + 1)
        for side in range(sides)
        for phase in range(phases)
    ]
    assert ends == {
        "phase": turns * sides * phases,
        "player turn": turns * sides,
        "turn": turns,
        "game": 1,
    }


@pytest.mark.parametrize("phases", [1, 2])
def test_a_player_turn_can_be_cut_short(phases):
    clock, _ = CLOCK.next() if phases == 2 else (CLOCK, ())
    after, ended = clock.next_player()
    assert (after.active, after.phase, ended) == ("North", "movement", ("phase", "player turn"))
    assert after.where == {"turn": "1", "phase": "movement", "side": "North"}
