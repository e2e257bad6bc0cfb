"""Connections: slow ones are closed, no client may take all of them, and the server stops in good order."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from http import HTTPStatus
from itertools import count
from types import FrameType
from typing import Any, ClassVar, cast

import h11
from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from battletape.web.clients import NO_PROXIES, Proxies, caller
from battletape.web.error_log import RateLimitedLog
from battletape.web.limits import LIMITS, Limits
from battletape.web.security import HEADERS

BACKLOG = 512
"""How many clients may wait until their connection is taken; so many may be taken at once."""
LAST_REPLIES_SECONDS = 1.0
"""How long replies may take to be sent when the server stops."""
FIRST_BYTE_SECONDS = 1.0
"""How long one connection too many may take to send something."""
LAG_SECONDS = 1.0
"""A client that has read nothing for so many seconds lags behind."""
LINGER_SECONDS = 5.0
"""How long to wait for more of a request that was refused, before the connection is closed."""
MAX_UNREAD_BYTES = 32_000_000
"""How many bytes of such a request are taken, and thrown away."""
TICKS = 10
"""Once in so many ticks of the server, each a tenth of a second, connections are looked after."""
log = logging.getLogger("battletape.web")


class ConnectionsByAddress:
    """All connections by address; they are counted as they come and go, not on request."""

    def __init__(self) -> None:
        self.by_address: dict[str, dict[Connection, None]] = {}

    def put(self, connection: Connection, address: str) -> None:
        """Note a connection, or that it is now another client's."""
        self.by_address.setdefault(address, {})[connection] = None

    def drop(self, connection: Connection, address: str) -> None:
        """Forget a connection that is gone, or another client's."""
        group = self.by_address.get(address, {})
        group.pop(connection, None)
        if not group:
            self.by_address.pop(address, None)

    def count(self, address: str) -> int:
        """Return how many connections of an address there are."""
        return len(self.by_address.get(address, ()))

    def make_room(self, newcomer: Connection) -> bool:
        """End an idle connection of the address that has most, if that is more than the newcomer's.

        Of addresses that have as many as the newcomer's, the oldest connection ends that has never completed a request.
        """
        own = self.count(newcomer.filed)
        for group in sorted(self.by_address.values(), key=len, reverse=True):
            if len(group) <= own:
                break
            rest = [connection for connection in group if connection.is_idle or connection.lagging is not None]
            if rest:
                self._end(max(rest, key=lambda connection: connection.lagging is not None))
                return True
        groups = [group for group in self.by_address.values() if len(group) == own]
        silent = (
            connection
            for group in groups
            for connection in group
            if connection.is_silent and connection is not newcomer
        )
        oldest = min(silent, key=lambda connection: connection.number, default=None)
        if oldest is not None:
            self._end(oldest)
        return oldest is not None

    def _end(self, connection: Connection) -> None:
        """Cut a connection off, and count it no more, so that it makes room only once."""
        self.drop(connection, connection.filed)
        connection.transport.abort()


class ClosingTransport:
    """A connection that is closed in two steps: what was said is sent, and what still comes is taken for a while.

    Otherwise the system resets the connection, and a client that is still sending never reads why it was refused.
    """

    def __init__(self, line: asyncio.Transport, connection: Connection) -> None:
        self.line, self.connection = line, connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self.line, name)

    def is_closing(self) -> bool:
        """Return whether nothing can be sent any more."""
        return self.connection.parting or self.line.is_closing()

    def write(self, data: bytes) -> None:
        """Send something, unless all was said."""
        if not self.connection.parting:
            self.line.write(data)

    def close(self) -> None:
        """Close at once, or after the rest of a request that is still coming."""
        if self.connection.awaits_request_body and not self.is_closing():
            self.connection.close_politely()
        elif not self.connection.parting:
            self.line.close()


class Connection(H11Protocol):
    """A connection: if it is too slow, unreadable or one too many, it gets a sentence and is closed."""

    limits: ClassVar[Limits] = LIMITS
    proxies: ClassVar[Proxies] = NO_PROXIES
    connections_by_address: ClassVar[ConnectionsByAddress] = ConnectionsByAddress()
    numbers: ClassVar[Iterator[int]] = count()
    number = 0  # the later a client came, the higher
    filed = ""  # the address that it counts for
    has_completed = False  # a request of it was answered
    timer: asyncio.TimerHandle | None = None
    pending_request: object = None
    denial: tuple[int, str] | None = None
    lagging: float | None = None  # since when the client has not read on
    parting = False
    taken = 0  # bytes that came after all was said
    until = 0.0  # and how long they are taken

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Note a client that connects."""
        super().connection_made(cast(asyncio.Transport, ClosingTransport(transport, self)))
        self.number = next(self.numbers)
        self._file()
        open_connections = len(self.connections)
        if (
            self.connections_by_address.count(self.filed) > self.limits.connections_each
            and self.peer not in self.proxies
        ):
            self.denial = 429, "Too many connections are open from your address; wait a moment and ask again."
        elif open_connections > self.limits.connections and not self.connections_by_address.make_room(self):
            self.denial = 503, "Too many are here at once; wait a moment and ask again."
        if self.denial is None:
            self._watch()
        elif open_connections > 2 * self.limits.connections:
            transport.abort()
        else:  # a client can read the sentence only after it has sent something
            self.timer = self.loop.call_later(FIRST_BYTE_SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        """Something was sent."""
        if self.parting:
            self.taken += len(data)
            if self.taken > MAX_UNREAD_BYTES:
                self.transport.abort()
            else:
                self._linger()
            return
        if self.transport.is_closing():
            return
        if self.denial is not None:
            self.refuse(*self.denial)
            return
        super().data_received(data)
        self._file()
        self._watch()

    def eof_received(self) -> None:
        """Note that the client has sent everything."""

    def resume_writing(self) -> None:
        """Note that the client has read on."""
        self.lagging = None
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a client that is gone."""
        self._forget()
        self.connections_by_address.drop(self, self.filed)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Go on after a reply, as the next request may have come already."""
        self.has_completed = True
        super().on_response_complete()
        self._file()
        if self.awaits_request_body:
            self._watch()

    def refuse(self, status: int, sentence: str) -> None:
        """Close the connection, with a sentence if no reply has begun."""
        if self.transport.is_closing():
            return
        replied = self.cycle is not None and self.cycle.response_started
        if not replied or (self.cycle.response_complete and not self.awaits_request_body):
            head = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", f"Content-Length: {len(sentence.encode())}"]
            head += ["Content-Type: text/plain; charset=utf-8", "Connection: close", "Retry-After: 2"]
            head += [f"{name}: {value}" for name, value in HEADERS.items()]
            self.transport.write("\r\n".join([*head, "", sentence]).encode())
        self.close_politely()

    def close_politely(self) -> None:
        """Say no more, take what still comes for a while, and close."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        with suppress(OSError):  # the client has gone already, and we shall hear of it
            self.transport.write_eof()
        self.parting = True
        self.until = self.loop.time() + (FIRST_BYTE_SECONDS if self.denial is not None else self.limits.body_wait)
        self.flow.resume_reading()
        self._unset_keepalive_if_required()
        self._linger()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not a request."""
        self.refuse(400, "This cannot be read as a request.")

    @property
    def peer(self) -> str:
        """The address at the other end."""
        return self.client[0] if self.client else ""

    @property
    def address(self) -> str:
        """The address of the client; behind a proxy, the one that the proxy tells."""
        asking = self.peer in self.proxies and self.cycle is not None and not self.cycle.response_complete
        return caller(self.proxies.behind(self.peer, self.cycle.scope["headers"]) if asking else self.peer)

    @property
    def awaits_request_body(self) -> bool:
        """Whether the rest of a request has not come yet."""
        return self.conn.their_state is h11.SEND_BODY

    @property
    def is_idle(self) -> bool:
        """Whether no request is under way, and none was refused."""
        return self.denial is None and (self.cycle is None or self.cycle.response_complete)

    @property
    def is_silent(self) -> bool:
        """Whether it has never completed a request, and none is under way."""
        return self.is_idle and not self.has_completed

    def note_lag(self, now: float) -> float:
        """Return for how long the client has not read what waits for it."""
        if not self.transport.get_write_buffer_size():
            self.lagging = None
            return 0.0
        if self.lagging is None:
            self.lagging = now
        return now - self.lagging

    def _file(self) -> None:
        """Count for the client that asks."""
        address = self.address
        if address != self.filed and self in self.connections:
            self.connections_by_address.drop(self, self.filed)
            self.connections_by_address.put(self, address)
            self.filed = address

    def _watch(self) -> None:
        """Wait for what has to come next, but no longer than allowed."""
        owed = self.conn.their_state
        if owed is self.pending_request or self.parting:
            return
        self._forget()
        waits = {h11.IDLE: self.limits.head_wait, h11.SEND_BODY: self.limits.body_wait}
        if owed in waits and not self.transport.is_closing():
            self.pending_request = owed
            self.timer = self.loop.call_later(waits[owed], self._late)

    def _linger(self) -> None:
        """Take what still comes, until nothing has come for a while."""
        self._forget()
        wait = min(LINGER_SECONDS, self.until - self.loop.time())
        self.timer = self.loop.call_later(max(wait, 0.0), self.transport.abort)

    def _forget(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.timer = self.pending_request = None

    def _late(self) -> None:
        self._forget()
        self.refuse(408, "The request did not come in time.")


def close_stalled(connections: Iterable[Connection], limits: Limits, now: float) -> int:
    """Close the connections of clients that do not read what they asked for; return how many.

    No client may be behind with more than a few connections; the longest wait ends first. When many are here, all have
    less time.
    """
    open_connections = list(connections)
    patience = limits.send_wait / (4 if 2 * len(open_connections) > limits.connections else 1)
    slow = sorted(((connection.note_lag(now), at) for at, connection in enumerate(open_connections)), reverse=True)
    behind = [(lag, open_connections[at]) for lag, at in slow if lag >= min(LAG_SECONDS, patience)]
    surplus = Counter(connection.address for _, connection in behind)
    closed = 0
    for lag, connection in behind:
        address = connection.address
        if lag >= patience or surplus[address] > limits.lagging_each:
            surplus[address] -= 1
            connection.transport.abort()
            closed += 1
    return closed


def settings(app: ASGIApp, limits: Limits = LIMITS, proxies: Proxies = NO_PROXIES) -> Config:
    """Return how the server is run."""
    return Config(
        app,
        http=type(
            "LimitedConnection",
            (Connection,),
            {"limits": limits, "proxies": proxies, "connections_by_address": ConnectionsByAddress()},
        ),
        ws="none",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `Behind` believes only proxies that were named
        backlog=min(BACKLOG, limits.connections),
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=limits.head,
    )


class GracefulServer(Server):
    """A server that prints its address once it can be reached, and answers all that wait before it stops."""

    def __init__(
        self, config: Config, ready: Callable[[], None], ends: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        super().__init__(config)
        self.ready, self.ends = ready, ends
        self.is_told = False  # to stop
        self.sparing = RateLimitedLog(log)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin."""
        asyncio.get_running_loop().set_exception_handler(self._trouble)
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self.ready()

    async def on_tick(self, counter: int) -> bool:
        """Look after the connections from time to time."""
        if counter % TICKS == 0:
            connections = self._connections()
            now = asyncio.get_running_loop().time()
            for _ in range(close_stalled(connections, connections[0].limits, now) if connections else 0):
                self.sparing.say("a client was cut off: it did not read what it had asked for", level=logging.WARNING)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: refuse new connections, end all work, and cut off clients that do not take the last reply."""
        if signal.SIGTERM in self._captured_signals:
            log.warning("it ends, because it was told to by SIGTERM")
        for server in self.servers:
            server.close()
        for connection in self._connections():
            if connection.awaits_request_body:
                connection.refuse(503, "Battletape is ending just now; ask again when it is back.")
        if self.ends is not None:
            await self.ends()
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=LAST_REPLIES_SECONDS)
        if self.server_state.tasks:
            self._cut_off()
            await asyncio.wait(self.server_state.tasks, timeout=LAST_REPLIES_SECONDS)
        asyncio.get_running_loop().call_later(LAST_REPLIES_SECONDS, self._cut_off)
        await super().shutdown(sockets)

    def _trouble(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not (
            self.should_exit and isinstance(context.get("exception"), ValueError)
        ):  # the socket was closed meanwhile
            self.sparing.trouble(loop, context)

    def _cut_off(self) -> None:
        for connection in self._connections():
            connection.transport.abort()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop once; a second signal changes nothing, because stopping takes a few seconds at most."""
        self.is_told = True
        super().handle_exit(sig, frame)
        self.force_exit = False

    def _connections(self) -> list[Connection]:
        return [connection for connection in self.server_state.connections if isinstance(connection, Connection)]
