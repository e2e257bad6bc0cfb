"""Processes: whether one that is waited for is hung, or only held up by a busy machine."""

from __future__ import annotations

import os
from pathlib import Path

LOOK_SECONDS = 0.5
"""How often to look at a process that is waited for, in seconds."""
SLOW_FACTOR, WORKED = 12, 0.5
"""A process that has worked for less than this share of its time has so many times as long."""
STOPPED, ASLEEP = "Tt", "SI"
"""The states of a stopped process and of a waiting one."""


class Stopped(TimeoutError):
    """A process was stopped from outside, and will not go on by itself."""


class Watch:
    """A process that has to say something in so many seconds; in more of them if a busy machine does not let it work.

    One that must not sleep has so many seconds since it was last seen at work, or ready for it.
    """

    def __init__(self, pid: int, seconds: float, *, may_sleep: bool = True) -> None:
        self.pid, self.seconds, self.may_sleep = pid, seconds, may_sleep
        self.before = self.last = processor_seconds(pid)
        self.is_stopped = False
        self.awake, self.until = 0.0, seconds

    def wait(self, elapsed: float) -> float:
        """Return how long to wait until the next look, after so many seconds."""
        return max(0.0, min(LOOK_SECONDS, self.until - elapsed))

    def look(self, elapsed: float) -> None:
        """See how it gets on after so many seconds; raises Stopped, or TimeoutError if it is hung."""
        state, worked = process_state(self.pid), processor_seconds(self.pid)
        was_stopped, self.is_stopped = self.is_stopped, bool(state) and state in STOPPED
        if self.is_stopped and was_stopped:
            raise Stopped
        if worked != self.last or state not in ASLEEP:
            self.awake, self.last = elapsed, worked
        if not self.may_sleep and elapsed - self.awake >= self.seconds:
            raise TimeoutError
        if elapsed < self.until:
            return
        self.until += self.seconds
        is_over = self.until > SLOW_FACTOR * self.seconds
        if is_over or self.before is None or worked is None or worked - self.before >= WORKED * self.seconds:
            raise TimeoutError


def processor_seconds(pid: int) -> float | None:
    """Return how long a process has worked, however busy the machine is; None if the system does not say."""
    try:
        fields = _process_stat(pid)
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def process_state(pid: int) -> str:
    """Return the state of a process in one letter, such as R for one that works; empty if the system does not say."""
    try:
        return _process_stat(pid)[0]
    except (OSError, IndexError):
        return ""


def _process_stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
