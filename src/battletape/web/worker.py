"""A worker: reads jobs from its standard input, writes replies to its standard output, ends when its input does."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import BinaryIO

from battletape.web import jobs
from battletape.web.limits import LIMITS

SIZE = 4
"""Each message goes with its length in front, in so many bytes."""


def main() -> None:
    """Work until nobody has work any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes our input
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get between the replies
    requests = sys.stdin.buffer
    _limit_memory(4 * LIMITS.memory)
    jobs.load()
    jobs.warm()
    gc.freeze()
    gc.set_threshold(20_000)
    _write(replies, b"ready")
    while (message := _read(requests)) is not None:
        one, seconds = jobs.decode_job(message)
        _write(replies, jobs.encode(jobs.run(one, seconds)))
        if _memory() > LIMITS.memory and _forget() > LIMITS.memory:
            return  # the crew starts a fresh one


def _read(stream: BinaryIO) -> bytes | None:
    size = stream.read(SIZE)
    return stream.read(int.from_bytes(size, "big")) if len(size) == SIZE else None


def _write(stream: BinaryIO, message: bytes) -> None:
    stream.write(len(message).to_bytes(SIZE, "big") + message)
    stream.flush()


def _memory() -> int:
    """The bytes this process keeps; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


def _forget() -> int:
    """Let go of what was worked out before; the bytes that are kept then."""
    from battletape import registry

    for name in registry.names():
        registry.ruleset(name).memo.clear()
    gc.collect()
    return _memory()


def _limit_memory(most: int) -> None:
    """Ask the system to refuse us more than this."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, ValueError, OSError):  # not every system can
        return


if __name__ == "__main__":
    main()
