"""The wire: slow connections are closed, nobody may take all of them, and the server stops in good order."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from types import FrameType

import h11
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from battletape.web.limits import LIMITS
from battletape.web.security import HEADERS

LAST = 1.0
"""How long replies may take to be sent when the server stops."""
HEARD = 1.0
"""How long one connection too many may take to send something."""
WAITS = {h11.IDLE: LIMITS.head_wait, h11.SEND_BODY: LIMITS.body_wait}
"""How long a connection may take, by what it has to send: the head of a request, or its body."""


class Wire(H11Protocol):
    """A connection: if it is too slow, unreadable or one too many, it gets a sentence and is closed."""

    timer: asyncio.TimerHandle | None = None
    owed: object = None
    denial: tuple[int, str] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client connects."""
        super().connection_made(transport)
        own = sum(
            isinstance(connection, Wire) and connection.address == self.address for connection in self.connections
        )
        if own > LIMITS.connections_each:
            self.denial = 429, "Too many connections are open from your address; wait a moment and ask again."
        elif len(self.connections) > LIMITS.connections:
            self.denial = 503, "Too many are here at once; wait a moment and ask again."
        if self.denial is None:
            self._watch()
        elif len(self.connections) > 2 * LIMITS.connections:
            transport.abort()
        else:  # a client can read the sentence only after it has sent something
            self.timer = self.loop.call_later(HEARD, transport.abort)

    def data_received(self, data: bytes) -> None:
        """Something was sent."""
        if self.transport.is_closing():
            return
        if self.denial is not None:
            self.refuse(*self.denial)
            return
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """A client is gone."""
        self._forget()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """A reply was sent, and the next request may have come already."""
        super().on_response_complete()
        if self.is_owing:
            self._watch()

    def refuse(self, status: int, sentence: str) -> None:
        """Close the connection, with a sentence if no reply has begun."""
        if self.transport.is_closing():
            return
        replied = self.cycle is not None and self.cycle.response_started
        if not replied or (self.cycle.response_complete and not self.is_owing):
            head = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", f"Content-Length: {len(sentence.encode())}"]
            head += ["Content-Type: text/plain; charset=utf-8", "Connection: close", "Retry-After: 2"]
            head += [f"{name}: {value}" for name, value in HEADERS.items()]
            self.transport.write("\r\n".join([*head, "", sentence]).encode())
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not a request."""
        self.refuse(400, "This cannot be read as a request.")

    @property
    def address(self) -> str:
        """Whose connection it is."""
        return self.client[0] if self.client else ""

    @property
    def is_owing(self) -> bool:
        """Whether the rest of a request has not come yet."""
        return self.conn.their_state is h11.SEND_BODY

    def _watch(self) -> None:
        """Wait for what has to come next, but no longer than allowed."""
        owed = self.conn.their_state
        if owed is self.owed:
            return
        self._forget()
        if owed in WAITS and not self.transport.is_closing():
            self.owed = owed
            self.timer = self.loop.call_later(WAITS[owed], self._late)

    def _forget(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.timer = self.owed = None

    def _late(self) -> None:
        self._forget()
        self.refuse(408, "The request did not come in time.")


class Ending(Server):
    """A server that prints its address once it can be reached, and answers everybody who waits before it stops."""

    def __init__(
        self, config: Config, ready: Callable[[], None], ends: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        super().__init__(config)
        self.ready, self.ends = ready, ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin."""
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: refuse new connections, end all work, and cut off clients that do not take the last reply."""
        for server in self.servers:
            server.close()
        for wire in self._wires():
            if wire.is_owing:
                wire.refuse(503, "Battletape is ending just now; ask again when it is back.")
        if self.ends is not None:
            await self.ends()
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=LAST)
        if self.server_state.tasks:
            for wire in self._wires():
                wire.transport.abort()
            await asyncio.wait(self.server_state.tasks, timeout=LAST)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop once; a second signal changes nothing, because stopping takes a few seconds at most."""
        super().handle_exit(sig, frame)
        self.force_exit = False

    def _wires(self) -> list[Wire]:
        return [connection for connection in self.server_state.connections if isinstance(connection, Wire)]
