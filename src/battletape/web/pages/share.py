"""Share: the link to a page as it is reached from other devices, and its QR code."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from battletape.web.jobs import Reply
from battletape.web.limits import LIMITS
from battletape.web.pages.asking import reply_form_of, respond
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)
LOCAL = {"localhost", "127.0.0.1", "::1"}
"""Names that lead every device to itself."""
SCANNABLE = 1_200
"""A longer link makes a QR code that no phone reads off a screen."""


class Reach(Struct, frozen=True):
    """How a server is reached from other devices: its address in the network, if it listens there."""

    network: str = ""  # http://192.168.1.7:8000
    is_known: bool = False


@router.get("/share")
async def share(request: Request, to: str = "/") -> Response:
    """Reply with the link to an address of ours, and its QR code."""
    reach: Reach = getattr(request.app.state, "reach", Reach())
    path = to if _is_ours(to) and len(to) <= LIMITS.query else "/"
    is_local = (request.url.hostname or "") in LOCAL
    base = reach.network if is_local and reach.network else f"{request.url.scheme}://{request.url.netloc}"
    link = base + path
    shown = {
        "link": link,
        "path": path,
        "only_here": is_local and reach.is_known and not reach.network,
        "code": qr_code(link),
    }
    template = "share_part.html" if reply_form_of(request) == "part" else "share.html"
    return respond(request, Reply(render(template, **shown)))


class Code(Struct, frozen=True):
    """A QR code to draw: how many modules it is wide with its margin, and the dark ones as a path."""

    size: int
    path: str


def qr_code(link: str) -> Code | None:
    """Return a link as a QR code; None if it is too long."""
    if len(link) > SCANNABLE:
        return None
    import segno

    rows = list(segno.make(link, micro=False, error="l").matrix_iter(border=4))
    marks = (f"M{at} {down}h1v1h-1z" for down, row in enumerate(rows) for at, dark in enumerate(row) if dark)
    return Code(len(rows), "".join(marks))


def _is_ours(address: str) -> bool:
    """Return whether an address is a path of this server, not the address of another one."""
    place = urlsplit(address)
    return address.startswith("/") and not address.startswith(("//", "/\\")) and not place.netloc and not place.scheme
