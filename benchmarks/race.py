"""A race: several ways to the same result, timed side by side."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

Way = Callable[[], Any]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a race may take: at least so many rounds, and more while the seconds last."""

    rounds: int = 7
    seconds: float = 4.0
    samples: int = 100_000
    processes: int = 15


CALM = Pace()
QUICK = Pace(rounds=3, seconds=0.6, samples=10_000, processes=5)
TURN = 0.02  # a quick way runs again and again for this long before the next one has its turn
MOST_RUNS = 40


class Differs(Exception):
    """Two ways to the same result have come to different ones."""


def race(
    ways: Mapping[str, Way], pace: Pace, *, before: Way = lambda: None, clock: Clock = process_time
) -> dict[str, float]:
    """The best time of each way in seconds; they take turns, so that a slow spell of the machine hits them all.

    `before` prepares each run and is not timed. The clock counts this process's own work: by the clock on the wall a
    busy machine would interrupt a long run and spare a short one.
    """

    def once(way: Way) -> float:
        before()
        began = clock()
        way()
        return max(clock() - began, 1e-9)

    runs = {name: min(MOST_RUNS, max(1, int(TURN / once(way)))) for name, way in ways.items()}  # warms up, too
    best = dict.fromkeys(ways, float("inf"))
    began, done = perf_counter(), 0
    was_on = gc.isenabled()
    try:
        while done < pace.rounds or perf_counter() - began < pace.seconds:
            for name, way in ways.items():
                gc.collect()
                gc.disable()
                best[name] = min(best[name], *(once(way) for _ in range(runs[name])))
            done += 1
    finally:
        if was_on:
            gc.enable()
    return best
