"""A soak: users ask questions of all rulesets for a long while, and the server must not grow (Linux only).

`python -m benchmarks.soak --minutes 30` starts a server with its workers and users in processes of their own, who ask
over HTTP as people at the page and as programs do. All the while it samples the resident memory and the descriptors of
the server and of its workers. After a warm-up, in which caches fill, all of it has to stay as it is: the line through
the samples may rise only by what `Bounds` allow, no descriptor may be left over, no worker may have been lost, and no
request may have failed. The exit code is 0 if that is so, and 1 if not. With `--library` there is no server: one
process asks random questions, and what it keeps must stay within the bound of `battletape.memory`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from benchmarks.race import Differs
from benchmarks.web_server import Server, serving

MB = 1_000_000
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
WARM_UP = 0.5
"""This part of the time is the warm-up: what workers remember and the kept replies fill up to their limits."""
SAMPLES = 240
LINES = 12
"""How many samples are printed."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the processes hold at a moment; the first of them is the server."""

    seconds: float
    memory: tuple[int, ...]  # resident bytes of each process
    descriptors: tuple[int, ...]
    pids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much the line through the samples after the warm-up may rise from its beginning to its end."""

    server: float = 12 * MB
    worker: float = 25 * MB  # each
    descriptors: float = 2.0


SHORT, FILLING = 600.0, Bounds(server=30 * MB, worker=60 * MB)
"""In less time than this, what is kept is still filling up; so much may be added meanwhile."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through samples: where it begins, how much it rises, and the highest sample."""

    name: str
    begin: float
    rise: float
    most: float
    bound: float

    @property
    def is_flat(self) -> bool:
        """Whether it rises no more than it may."""
        return self.rise <= self.bound


def look(server: Server, began: float) -> Sample:
    """A sample of all processes; one that ends meanwhile is left out."""
    found: list[tuple[int, int, int]] = []
    for pid in server.processes:
        try:
            memory = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_SIZE
            found.append((pid, memory, len(os.listdir(f"/proc/{pid}/fd"))))
        except OSError:
            continue
    pids, memory_of_each, descriptors = zip(*found, strict=True)
    return Sample(monotonic() - began, memory_of_each, descriptors, pids)


def lines(samples: Sequence[Sample], bounds: Bounds) -> Iterator[Line]:
    """The lines that must be flat, by least squares over the samples after the warm-up."""
    late = [sample for sample in samples if sample.seconds >= WARM_UP * samples[-1].seconds]
    workers = max(len(sample.pids) for sample in late) - 1
    told: list[tuple[str, Callable[[Sample], float], float]] = [
        ("memory of the server", lambda sample: sample.memory[0], bounds.server),
        ("memory of all workers", lambda sample: sum(sample.memory[1:]), bounds.worker * workers),
        ("descriptors of the server", lambda sample: sample.descriptors[0], bounds.descriptors),
        ("descriptors of all workers", lambda sample: sum(sample.descriptors[1:]), bounds.descriptors),
    ]
    for name, of, bound in told:
        values = [of(sample) for sample in late]
        begin, rise = _fit([sample.seconds for sample in late], values)
        yield Line(name, begin, rise, max(values), bound)


def _fit(times: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Where the line of least squares begins, and how much it rises until the end."""
    middle, mean = sum(times) / len(times), sum(values) / len(values)
    spread = sum((time - middle) ** 2 for time in times)
    slope = sum((time - middle) * (value - mean) for time, value in zip(times, values, strict=True)) / (spread or 1.0)
    return mean + slope * (times[0] - middle), slope * (times[-1] - times[0])


def troubles(samples: Sequence[Sample], bounds: Bounds, seen: Sequence[dict[str, Any]]) -> list[str]:
    """What is not as it should be."""
    found = [f"{line.name} rose by {_told(line, line.rise)}" for line in lines(samples, bounds) if not line.is_flat]
    last = samples[-1]
    for name, values in (("memory", last.memory), ("descriptors", last.descriptors)):
        if len(values) < len(samples[0].pids):
            found.append(f"{name}: {len(values)} processes are left of {len(samples[0].pids)}")
            break
    errors: dict[str, int] = {}
    for users in seen:
        for what, count in users["errors"].items():
            errors[what] = errors.get(what, 0) + count
    found += [f"{count} times {what}" for what, count in sorted(errors.items())]
    return found


def soak(seconds: float, users: int, workers: int, bounds: Bounds) -> list[str]:
    """Let users ask for so long, print the figures, and return what is not as it should be."""
    run = ("-m", "battletape", "serve", "--quiet", "--host", "127.0.0.1", "--workers", str(workers), "--port")
    asking = (sys.executable, "-m", "benchmarks.web_users", "--seconds", str(seconds))
    with serving(run) as server, TemporaryDirectory() as folder:
        people, told = [], []
        for door, many, first in (("page", users, 0), ("api", max(1, users // 3), users)):
            told.append(Path(folder, door))
            command = [*asking, str(server.port), "--door", door, "--users", str(many), "--first", str(first)]
            with told[-1].open("w") as out:  # a pipe would fill up, and nobody reads it before the end
                people.append(subprocess.Popen(command, stdout=out))
        try:
            samples = list(_watch(server, people, seconds))
            seen = [json.loads(file.read_text()) for file in told]
        finally:
            for crowd in people:
                crowd.kill()
    _show(samples, seen, bounds)
    return troubles(samples, bounds, seen)


def _watch(server: Server, people: Sequence[subprocess.Popen[bytes]], seconds: float) -> Iterator[Sample]:
    """Samples until all users have gone."""
    began, told = monotonic(), 0
    gap = max(0.25, seconds / SAMPLES)
    while any(crowd.poll() is None for crowd in people):
        if monotonic() - began > seconds + 120:
            raise Differs("the users did not come to an end")
        sample = look(server, began)
        yield sample
        if sample.seconds >= told * seconds / LINES:
            told += 1
            print(_row(sample), flush=True)
        sleep(gap)


def _row(sample: Sample) -> str:
    workers = sample.memory[1:] or (0,)
    return (
        f"{sample.seconds:7.0f} s   server {sample.memory[0] / MB:6.1f} MB, {sample.descriptors[0]:3} descriptors   "
        f"{len(sample.pids) - 1} workers {sum(workers) / MB:7.1f} MB, the largest {max(workers) / MB:6.1f} MB, "
        f"{sum(sample.descriptors[1:])} descriptors"
    )


def _show(samples: Sequence[Sample], seen: Sequence[dict[str, Any]], bounds: Bounds) -> None:
    print(f"\n{len(samples)} samples; after {WARM_UP:.0%} of the time, by least squares:")
    for line in lines(samples, bounds):
        begin, most = _told(line, line.begin), _told(line, line.most)
        said = f"rise {_told(line, line.rise)}, at most {_told(line, line.bound)}, highest {most}"
        print(f"  {line.name:27} {begin:>12}   {said}   {'flat' if line.is_flat else 'NOT FLAT'}")
    for door, users in zip(("page", "API"), seen, strict=True):
        steps = sorted(took for times in users["steps"].values() for took in times)
        middle = f"{1000 * median(steps):.0f} ms in the middle" if steps else "none"
        print(
            f"  {door}: {len(steps) + len(users['pages']):,} requests to {len(users['steps'])} questions, {middle}; "
            f"{users['refused']:,} kindly refused, {users['given_up']:,} given up, {users['bytes'] / MB:.0f} MB sent"
        )


def _told(line: Line, value: float) -> str:
    return f"{value / MB:.1f} MB" if line.name.startswith("memory") else f"{value:.1f}"


def main() -> None:
    """Soak, and tell."""
    parser = argparse.ArgumentParser(description="Let users ask for a long while; the server must not grow.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--users", type=int, default=12, help="so many at the page, and a third as many programs")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--library", action="store_true", help="no server: one process asks random questions")
    asked = parser.parse_args()
    seconds = 60 * asked.minutes
    if asked.library:
        from benchmarks.library_soak import library_soak, told

        grown = told(library_soak(seconds))
        print("\n".join(grown or ["It stays within its bound."]))
        sys.exit(1 if grown else 0)
    found = soak(seconds, asked.users, asked.workers, Bounds() if seconds >= SHORT else FILLING)
    print("\n".join(["", *found]) if found else "\nNothing grows, and nothing failed.")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
