"""The error log: lines for the error stream, written by a thread of its own, so that no logging thread ever waits.

If the stream is not read (a pipe that is full, a terminal that is stopped), lines wait up to a number; those beyond
it are counted and left out, and the next line that can be kept is preceded by how many they were.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import sys
from collections import Counter
from contextlib import suppress
from queue import SimpleQueue
from select import select
from threading import Thread
from time import monotonic
from typing import Any

MAX_WAITING_LINES = 2_000
"""How many lines may wait."""
MAX_ENTRY_LETTERS = 10_000
"""How much of an entry is kept, tracebacks included."""
LAST_LINES_SECONDS = 1.0
"""How long the last lines may take to be written."""
OUT = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
"""The system has no more descriptors or buffers."""
SECOND = 1.0


class BackgroundHandler(logging.Handler):
    """Takes lines at once, and writes them to a descriptor when it can."""

    def __init__(self, descriptor: int, most: int = MAX_WAITING_LINES) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        self.descriptor, self.most = descriptor, most
        self.lines: SimpleQueue[bytes | None] = SimpleQueue()
        self.dropped = 0
        self.error = ""  # the first line of the last error
        self.writer = Thread(target=self._write, name="error-log", daemon=True)
        self.writer.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line, or count it if too many wait."""
        if record.levelno >= logging.ERROR:
            self.error = self._in_short(record) or self.error
        if self.lines.qsize() >= self.most:
            self.dropped += 1
            return
        self._tell_dropped()
        try:
            text = self.format(record)
        except Exception as error:  # a record that cannot be put into words must not stop what it tells of
            text = f"a line of the log could not be written: {error}"
        self.lines.put(text[:MAX_ENTRY_LETTERS].encode(errors="backslashreplace") + b"\n")

    def close(self) -> None:
        """Write what waits, as far as it is read, and end."""
        self._tell_dropped()
        self.lines.put(None)
        self.writer.join(LAST_LINES_SECONDS)
        super().close()

    @property
    def is_read(self) -> bool:
        """Whether all was written, once it is closed."""
        return not self.writer.is_alive()

    def _in_short(self, record: logging.LogRecord) -> str:
        """Return what an error says in one line; not that everything ends now, which uvicorn adds after the reason."""
        with suppress(Exception):
            error = record.exc_info[1] if record.exc_info else None
            text = record.getMessage() + (f": {type(error).__name__}: {error}" if error is not None else "")
            line = text.partition("\n")[0][:MAX_ENTRY_LETTERS]
            return "" if line.endswith("failed. Exiting.") else line
        return ""

    def _tell_dropped(self) -> None:
        if self.dropped:
            count, self.dropped = self.dropped, 0
            lines = "1 line was" if count == 1 else f"{count:,} lines were"
            self.lines.put(f"({lines} left out here: nobody read the log in time)\n".encode())

    def _write(self) -> None:
        # By the descriptor, not by sys.stderr: a write that hangs would hold its lock, and Python could not end.
        while (line := self.lines.get()) is not None:
            while line:
                try:
                    line = line[os.write(self.descriptor, line) :]
                except BlockingIOError:  # another process has made the descriptor one that does not wait
                    select([], [self.descriptor], [], SECOND)
                except OSError:  # its reader is gone, or the disk is full
                    break


def open_error_log(quiet: bool) -> BackgroundHandler | None:
    """Send all logs of this process to the error stream; None where there is none."""
    web, root = logging.getLogger("battletape.web"), logging.getLogger()
    web.setLevel(logging.WARNING if quiet else logging.INFO)
    try:
        book = BackgroundHandler(sys.stderr.fileno())
    except (AttributeError, OSError, ValueError):  # started without an error stream
        root.handlers = [logging.NullHandler()]
        return None
    root.handlers = [book]
    return book


class RateLimitedLog:
    """Says the same thing at most once a second, with how often it happened meanwhile."""

    def __init__(self, log: logging.Logger) -> None:
        self.log = log
        self.last: dict[str, float] = {}
        self.silent: Counter[str] = Counter()

    def say(
        self, sentence: str, *, level: int = logging.ERROR, error: BaseException | None = None, kind: str = ""
    ) -> None:
        """Log a sentence, unless it, or another of its kind, was logged within the last second."""
        now, kind = monotonic(), kind or sentence
        if now - self.last.get(kind, -SECOND) < SECOND:
            self.silent[kind] += 1
            return
        if len(self.last) > MAX_WAITING_LINES:
            self.last.clear()
            self.silent.clear()
        self.last[kind] = now
        more = self.silent.pop(kind, 0)
        again = "once" if more == 1 else f"{more:,} times"
        self.log.log(level, "%s%s", sentence, f" (and {again} more since)" if more else "", exc_info=error)

    def trouble(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log what the event loop could not do: in one line where the system is out of descriptors."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in OUT:
            self.say(f"no more connections can be taken just now: {error.strerror}")
        else:
            self.say(str(context.get("message", "something failed")), error=error)
