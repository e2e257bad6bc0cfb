"""Safe headers on every response, and the log of requests: what was asked and how long it took, without the client."""

from __future__ import annotations

import logging
from time import perf_counter

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from battletape.web import error_replies
from battletape.web.error_log import RateLimitedLog
from battletape.web.jobs import Reply, ReplyForm
from battletape.web.limits import LIMITS
from battletape.web.pages.asking import GONE

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "manifest-src 'self'",
    )
)
"""Nothing but our own files; no script or style in a page itself."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
log = logging.getLogger("battletape.web")
sparing = RateLimitedLog(log)


class SafetyMiddleware:
    """Adds the headers, and logs method, path, status and milliseconds; no address of a client, no query.

    HEAD is answered like GET, without the body; an unexpected error gets a sentence with the same headers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, _in_short(send))
            return
        began, status = perf_counter(), 0
        bare = scope["method"] == "HEAD"

        async def safely(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *_RAW]
            elif bare and "body" in message:
                message = {**message, "body": b""}
            await send(message)

        try:
            if _is_too_large(scope):
                sentence = f"a request may have at most {LIMITS.head:,} bytes of headers in {LIMITS.head_lines} lines."
                await _send(error_replies.error_reply(431, sentence, _reply_form(scope)), scope, receive, safely)
            else:
                await self.app({**scope, "method": "GET"} if bare else scope, receive, safely)
        except ClientDisconnect:
            status = status or GONE
        except Exception as error:
            kind = f"{type(error).__name__} /{scope['path'][1:].partition('/')[0]}"
            sparing.say(f"{scope['method']} {_loggable(scope['path'])} failed", kind=kind, error=error)
            if status:
                raise  # the reply has begun, and all that is left is to cut it off
            await _send(error_replies.our_fault(_reply_form(scope)), scope, receive, safely)
        finally:
            took = (perf_counter() - began) * 1000
            log.info("%s %s %d %.1f ms", scope["method"], _loggable(scope["path"]), status, took)


async def _send(reply: Reply, scope: Scope, receive: Receive, send: Send) -> None:
    await Response(reply.body, reply.status, reply.headers, reply.type)(scope, receive, send)


def _reply_form(scope: Scope) -> ReplyForm:
    """Return the form of the reply that the address asks for."""
    return "api" if scope["path"].startswith("/api/") else "page"


def _is_too_large(scope: Scope) -> bool:
    """Return whether the head of a request is too large."""
    lines = scope["headers"]
    return len(lines) > LIMITS.head_lines or sum(len(name) + len(value) for name, value in lines) > LIMITS.head


def _in_short(send: Send) -> Send:
    """Leave out the traceback if the start fails with a sentence."""

    async def sending(message: Message) -> None:
        if message["type"] == "lifespan.startup.failed":
            last = message.get("message", "").strip().rpartition("\n")[2]
            message = {**message, "message": last.partition(": ")[2] or last}
        await send(message)

    return sending


def _loggable(path: str) -> str:
    """Return a path cut to one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in path[:120])
