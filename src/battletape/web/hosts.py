"""Hosts: the names that this server answers to.

A page of another site can make its own name lead to this machine (DNS rebinding), and would then read what the
server answers as its own. Its requests still carry that name in their `Host` header; so only names that are ours are
answered. An address in numbers is not a name, and always will do.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address

from msgspec import Struct
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from battletape.errors import BattletapeError, echo, shortened
from battletape.web import error_replies

HOME = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""What stands behind a machine's name in networks at home; no site on the internet can have such a name."""
ANY = "*"
NAME = re.compile(r"\.?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")


class Hosts(Struct, frozen=True):
    """Names, in small letters; `.example.org` is every name that ends so, and `*` every name."""

    names: frozenset[str] = frozenset()

    def __contains__(self, host: str) -> bool:
        name = bare_name(host)
        if ANY in self.names or name in self.names or _is_numbers(name):
            return True
        return any(known.startswith(".") and name.endswith(known) for known in self.names)


ANYWHERE = Hosts(frozenset({ANY}))


def parse_hosts(given: Iterable[str], host: str = "") -> Hosts:
    """Return the names of this machine, the one that it listens at, and those that were given."""
    names = {"localhost", ".localhost", bare_name(host)} - {""}
    own = bare_name(socket.gethostname())
    if NAME.fullmatch(own):
        names |= {own, *(own.partition(".")[0] + ending for ending in HOME)}
    for text in given:
        name = text.strip().lower().removesuffix(".").removeprefix("*" if text.strip().startswith("*.") else "")
        if name != ANY and not NAME.fullmatch(name):
            raise BattletapeError(
                "--allow-host takes a name that the page is opened by, such as dice.example.org, "
                f".example.org for all names that end so, or * for every name; got {echo(text)}."
            )
        names.add(name)
    return Hosts(frozenset(names))


def bare_name(host: str) -> str:
    """Return the name in a `Host` header, without its port.

    >>> bare_name("Dice.Example.org.:8000"), bare_name("[::1]:8000")
    ('dice.example.org', '::1')
    """
    text = host.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.removesuffix(".") if text.count(":") > 1 else text.partition(":")[0].removesuffix(".")


class KnownHostMiddleware:
    """Answers requests to names that are ours, and tells others what would do."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; one without the header comes from no browser."""
        host = next((value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"host"), None)
        if scope["type"] != "http" or host is None or host in self.hosts:
            await self.app(scope, receive, send)
            return
        name = bare_name(host)
        port = (scope.get("server") or ("", 80))[1]
        sentence = f"This server does not answer to the name {echo(name)}. Open http://localhost:{port}/ on its machine"
        sentence += ", or its address in numbers from elsewhere."
        if NAME.fullmatch(name):
            sentence += f" If the name is right, start the server with --allow-host {shortened(name)}."
        reply = error_replies.error_reply(421, sentence, "api" if scope["path"].startswith("/api/") else "page")
        await Response(reply.body, reply.status, reply.headers, reply.type)(scope, receive, send)


def _is_numbers(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
