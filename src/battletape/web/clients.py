"""Clients: the address behind a request, so that limits apply to it and not to proxies between.

An address in `X-Forwarded-For` is believed only if the connection comes from a proxy that was named at the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from msgspec import Struct
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from battletape.errors import BattletapeError, echo
from battletape.web import error_replies
from battletape.web.fair_queue import sender_of
from battletape.web.limits import LIMITS, Limits

MAX_ADDRESSES = 20
"""Of a longer row of addresses only the last ones are read."""
Headers = Iterable[tuple[bytes, bytes]]


caller = lru_cache(maxsize=4_000)(sender_of)
"""The name under which limits count an address; it is looked up for every connection."""


class Proxies(Struct, frozen=True):
    """The proxies that are believed."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    def __contains__(self, address: str) -> bool:
        place = _parsed(address) if self.networks else None
        return place is not None and any(place in network for network in self.networks)

    def behind(self, peer: str, headers: Headers) -> str:
        """Return the client: the last address in the row that is not a proxy."""
        found = peer
        for address in _row(headers) if peer in self else ():
            place = _parsed(address)
            if place is None:  # what stands before it cannot be trusted
                return found
            found = str(place)
            if found not in self:
                return found
        return found


NO_PROXIES = Proxies()


def parse_proxies(given: Iterable[str]) -> Proxies:
    """Return proxies by address or network, such as 127.0.0.1 or 10.0.0.0/8."""
    networks = []
    for text in given:
        try:
            networks.append(ip_network(text.strip(), strict=False))
        except ValueError:
            raise BattletapeError(
                f"--proxy takes the address of a proxy, such as 127.0.0.1, or a network, such as 10.0.0.0/8; "
                f"got {echo(text)}."
            ) from None
    return Proxies(tuple(networks))


class ProxyMiddleware:
    """Puts the client behind a proxy in place of the proxy, and lets no client have too many requests under way."""

    def __init__(self, app: ASGIApp, proxies: Proxies, limits: Limits = LIMITS) -> None:
        self.app, self.proxies, self.limits = app, proxies, limits
        self.under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        peer = scope["client"][0] if scope["type"] == "http" and scope.get("client") else ""
        if peer not in self.proxies:
            await self.app(scope, receive, send)
            return
        client = self.proxies.behind(peer, scope["headers"])
        scope = {**scope, "client": (client, 0)}
        if _values(scope["headers"], b"x-forwarded-proto")[-1:] == ["https"]:
            scope["scheme"] = "https"
        caller_key = caller(client)
        if self.under_way[caller_key] >= self.limits.connections_each:
            reply = error_replies.too_many("api" if scope["path"].startswith("/api/") else "page")
            await Response(reply.body, reply.status, reply.headers, reply.type)(scope, receive, send)
            return
        self.under_way[caller_key] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.under_way[caller_key] -= 1
            if not self.under_way[caller_key]:
                del self.under_way[caller_key]


def _row(headers: Headers) -> Iterator[str]:
    """Return the addresses that were passed on, the last one first."""
    values = _values(headers, b"x-forwarded-for")
    return reversed([address for value in values for address in value.split(",")][-MAX_ADDRESSES:])


def _values(headers: Headers, wanted: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for name, value in headers if name == wanted]


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Return an address as proxies write it: alone, with a port, or in brackets."""
    text = address.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        place = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(place, "ipv4_mapped", None) or place
