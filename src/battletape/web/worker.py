"""A worker: reads jobs from its standard input, writes replies to its standard output, ends when its input does."""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import traceback
from collections.abc import Iterator
from time import process_time
from typing import BinaryIO

from battletape import registry
from battletape.memory import forget
from battletape.views.front_page import tile_view
from battletape.web import jobs
from battletape.web.jobs import Job, Reply
from battletape.web.limits import LIMITS
from battletape.web.resources import limit_memory

SIZE = 4
"""How many bytes hold the length in front of each message."""
CHORE_SECONDS = 0.4
"""The budget of a question that no client asked, in seconds."""
TIDY_AFTER_OBJECTS = 50_000
"""After this many new objects, tidy up when no job waits; after ten times as many, at once."""


def main(idle_bytes: str = str(LIMITS.memory), max_bytes: str = str(LIMITS.memory_most)) -> None:
    """Work until the input ends; with so many bytes of memory between two jobs, and so many at all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes our input
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing printed may get between the replies
    requests = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nor may another package read or close what is for us
    limit_memory(int(max_bytes))
    gc.set_threshold(
        20 * TIDY_AFTER_OBJECTS, 20, 1_000
    )  # not in the middle of a job: `_tidy` does it between two of them
    jobs.load()
    registry.announce_to(lambda mark: write_message(replies, jobs.encode(mark)))
    write_message(replies, jobs.encode(registry.broken()))
    chores = _chores()
    is_warm = _warm_up(chores, requests)
    while (begun := begin_job(requests, replies, is_warm=is_warm)) is not None:
        before = process_time()
        end_job(replies, jobs.run(*begun), process_time() - before)
        if not stay_within(int(idle_bytes)):
            return  # the pool starts a new one
        is_warm = is_warm or _warm_up(chores, requests)
        new = gc.get_count()[0]
        if new > 10 * TIDY_AFTER_OBJECTS or (new > TIDY_AFTER_OBJECTS and not _is_waiting(requests)):
            _tidy()


def read_message(stream: BinaryIO) -> bytes | None:
    """Return the next message; None if the input has ended."""
    size = stream.read(SIZE)
    return stream.read(int.from_bytes(size, "big")) if len(size) == SIZE else None


def begin_job(requests: BinaryIO, replies: BinaryIO, *, is_warm: bool = True) -> tuple[Job, float] | None:
    """Return the next job and its budget; tells the pool that it begins, because its time counts from here."""
    message = read_message(requests)
    if message is None:
        return None
    write_message(replies, jobs.BEGUN if is_warm else jobs.COLD)
    return jobs.decode_job(message)


def end_job(replies: BinaryIO, reply: Reply, used: float) -> None:
    """Send a reply and its seconds of processor time, which do not depend on how busy the machine is."""
    write_message(replies, jobs.encode((reply, used)))


def write_message(stream: BinaryIO, message: bytes) -> None:
    """Send a message at once."""
    stream.write(len(message).to_bytes(SIZE, "big") + message)
    stream.flush()


def _chores() -> Iterator[None]:
    """Work for idle times: every question once, so that no player waits for tables and imports.

    What the first page shows of each system comes first, because a player most likely begins there.
    """
    for name in registry.names():
        card = registry.ruleset(name)
        card.memo.most = LIMITS.memo
        tile_view(card)
        yield
    for question in jobs.first_questions():
        jobs.run(question, CHORE_SECONDS)
        yield
    _tidy()


def _warm_up(chores: Iterator[None], requests: BinaryIO) -> bool:
    """Do chores until a request waits; returns whether all are done.

    The buffer is empty when a request waits, because the pool sends one at a time.
    """
    try:
        while not _is_waiting(requests):
            if next(chores, True):
                return True
    except Exception:  # a chore, for which no client waits; it was the last one
        traceback.print_exc()
        return True
    return False


def _is_waiting(requests: BinaryIO) -> bool:
    try:
        return bool(select.select([requests], [], [], 0)[0])
    except (OSError, ValueError):  # not every system can tell
        return True


def _tidy() -> None:
    """Collect garbage among new objects only; kept ones are frozen, or it would take longer each time."""
    gc.collect()
    gc.freeze()


def stay_within(idle_bytes: int) -> bool:
    """Forget what was worked out before if it is too much; False if that does not help.

    Blocks count too, and sooner: Python seldom gives freed memory back, so a worker stays as large as it once was, and
    what it remembers must have a bound, however large single results are.
    """
    if _memory() <= idle_bytes and sys.getallocatedblocks() <= LIMITS.blocks:
        return True
    return _forget() <= idle_bytes


def _memory() -> int:
    """Return the memory of this process in bytes; 0 if the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


def _forget() -> int:
    """Forget what was worked out before; returns the bytes still in use."""
    forget()
    gc.unfreeze()  # what was kept may be garbage now
    gc.collect()
    return _memory()


if __name__ == "__main__":
    main(*sys.argv[1:])
