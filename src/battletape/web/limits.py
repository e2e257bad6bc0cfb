"""Limits: how large a request may be and how long its answer may take, so that no client can stall the others."""

from __future__ import annotations

from msgspec import Struct


class Limits(Struct, frozen=True):
    """The limits of one server; all sizes in bytes, all times in seconds."""

    query: int = 16_000
    """The longest query string of an address."""
    body: int = 64_000
    """The largest body of a request to the API."""
    upload: int = 256_000
    """The largest file of profiles."""
    head: int = 32_000
    """The largest head of a request: its address and its headers."""
    head_lines: int = 100
    """The most headers of a request."""
    head_wait: float = 10.0
    """How long a connection may take to send the head of a request."""
    body_wait: float = 30.0
    """How long it may take to send the body."""
    send_wait: float = 20.0
    """How long a client may take to read on when a reply waits for it; a quarter of that when many are here."""
    lagging_each: int = 8
    """How many clients of one address may be behind with reading."""
    connections: int = 1_000
    """How many connections may be open, where the machine has descriptors for so many."""
    connections_each: int = 64
    """How many connections of one address may be open; behind a proxy, how many requests may be under way."""
    quick: float = 0.4
    """The budget of the first try of a question, in the quick lane."""
    patient: float = 3.0
    """The budget of the second try, where the first had to leave something out."""
    second: float = 8.0
    """How long a client waits for the second try; then it gets what the first one found."""
    grace: float = 1.0
    """How much longer than its budget a worker may take before it is ended; twice that in the patient lane."""
    queue: float = 20.0
    """How long a request may wait for a worker."""
    waiting: int = 200
    """How many requests may wait for a worker."""
    waiting_each: int = 64
    """How many requests of one client may wait."""
    memory: int = 400_000_000
    """How much memory a worker may keep between two jobs, where the machine has enough."""
    memory_most: int = 3_200_000_000
    """How much memory a worker may have at all, where the machine has enough."""
    memo: int = 5_000
    """How many sub-results of each ruleset a worker keeps (20,000 save 8 % of the time, for 100 MB more)."""
    blocks: int = 1_000_000
    """How many blocks of memory, of some 90 bytes each, a worker may hold before it forgets its sub-results."""
    kept: int = 24_000_000
    """How many bytes of finished replies are kept."""
    begun: int = 8_000_000
    """How many bytes are kept of heat maps that are not finished."""


LIMITS = Limits()
