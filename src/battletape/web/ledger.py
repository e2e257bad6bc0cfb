"""The ledger: how much work was done for whom lately, so that those who had little come first."""

from __future__ import annotations

from time import monotonic

GREEDY = 1.5
"""Whoever has had so many seconds of work done lately has had much."""
HALF = 4.0
"""Seconds after which half of it is forgotten."""
CLIENTS = 1_000
"""Of about so many clients it is remembered."""


class Ledger:
    """Seconds of work for each client, fading with time."""

    def __init__(self) -> None:
        self.used: dict[str, tuple[float, float]] = {}  # seconds, and when that was counted

    def lately(self, client: str) -> float:
        """The seconds of work that were done for a client lately."""
        seconds, when = self.used.get(client, (0.0, 0.0))
        return seconds and seconds * 0.5 ** ((monotonic() - when) / HALF)

    def charge(self, client: str, seconds: float) -> None:
        """Count work that was done."""
        if len(self.used) > CLIENTS:
            for idle in [idle for idle in self.used if self.lately(idle) < 0.01]:
                del self.used[idle]
        self.used[client] = (self.lately(client) + seconds, monotonic())

    def is_greedy(self, client: str) -> bool:
        """Whether a client has had much done lately."""
        return self.lately(client) > GREEDY
