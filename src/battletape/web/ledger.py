"""The ledger: how much time each client used lately, so that those who used little come first."""

from __future__ import annotations

from time import monotonic

GREEDY = 1.5
"""A client that used this many seconds lately counts as greedy."""
HALF = 4.0
"""After this many seconds half of it is forgotten."""
CLIENTS = 1_000
"""About how many clients are remembered."""


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
