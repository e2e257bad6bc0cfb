"""The machine: how much memory, how many processors and how many descriptors there are, and limits that fit them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from battletape.web.limits import Limits

GROUPS = Path("/sys/fs/cgroup")
OWN_GROUP = Path("/proc/self/cgroup")
MEMORY_SHARE = 0.8
"""How much of the machine's memory we take at most."""
MEMORY_ASIDE = 500_000_000
"""Memory for the server itself and for the process that draws pictures."""
MIN_WORKER_MEMORY = 250_000_000
"""A worker with less memory than this cannot answer large questions."""
FILES_ASIDE = 40
"""Descriptors for files, and for what Python itself opens."""
PIPES_PER_WORKER = 4
"""Descriptors for each worker."""
FILES_PER_CONNECTION = 3
"""Descriptors for each connection: its own, one that is being refused, and one that is just being taken."""
MIN_CONNECTIONS = 8
"""So many connections are taken even where there are hardly any descriptors."""


class Resources(Struct, frozen=True):
    """What there is: bytes of memory (0 if the system does not say), and processors."""

    memory: int
    processors: int


def this_machine() -> Resources:
    """Return the machine we run on, or the part of it that we may use (a container, a cgroup)."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not every system can tell
        memory = 0
    bounds = [bound for bound in (memory, *_group_bounds()) if bound > 0]
    return Resources(min(bounds, default=0), _processors())


def fit_workers(limits: Limits, machine: Resources, quick: int | None = None) -> tuple[Limits, int]:
    """Limits and a number of quick workers that fit: all of them full, with a spare and a patient one, stay in memory.

    A number that was asked for stays; each worker then gets less memory.
    """
    fewest, quick = quick or 1, quick or max(2, min(machine.processors, 8))
    if not machine.memory:
        return limits, quick
    room = int(MEMORY_SHARE * machine.memory) - MEMORY_ASIDE
    while quick > fewest and room // (quick + 2) < MIN_WORKER_MEMORY:
        quick -= 1
    most = min(limits.memory_most, max(room // (quick + 2), MIN_WORKER_MEMORY))
    return replace(limits, memory_most=most, memory=min(limits.memory, most // 2)), quick


def fit_descriptors(limits: Limits, workers: int) -> Limits:
    """Raise the number of descriptors as far as we need, and take no more connections than they are enough for."""
    aside = FILES_ASIDE + PIPES_PER_WORKER * (workers + 3)
    descriptors = _raise_descriptors(aside + FILES_PER_CONNECTION * limits.connections)
    if not descriptors:
        return limits
    connections = max(MIN_CONNECTIONS, min(limits.connections, (descriptors - aside) // FILES_PER_CONNECTION))
    return replace(limits, connections=connections, connections_each=min(limits.connections_each, connections // 2))


def limit_memory(most: int) -> None:
    """Ask the system to refuse this process more than so many bytes."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, ValueError, OSError):  # not every system can
        return


def _raise_descriptors(wanted: int) -> int:
    """Raise the soft limit to what is wanted, if the hard one allows it; the number we have then, 0 if unknown."""
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    except (ImportError, ValueError, OSError):  # not every system can
        return 0
    if soft == resource.RLIM_INFINITY:
        return wanted
    more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if more > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        except (ValueError, OSError):
            return soft
    return max(soft, more)


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system can tell
        return os.cpu_count() or 1


def _group_bounds() -> Iterator[int]:
    """Yield the memory that our control group and those above it may use."""
    try:
        lines = OWN_GROUP.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, place = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        home = GROUPS if not controllers else GROUPS / "memory"
        name = "memory.max" if not controllers else "memory.limit_in_bytes"
        own = home / place.lstrip("/")
        for folder in (own, *own.parents):
            try:
                text = (folder / name).read_text(encoding="ascii").strip()
            except OSError:
                text = ""
            if text.isdigit():
                yield int(text)
            if folder == home:
                break
