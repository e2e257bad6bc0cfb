"""`battletape serve`: run the page on this machine, and say where it is, for this browser and for phones nearby."""

from __future__ import annotations

import errno
import io
import logging
import os
import socket
import sys
from typing import TextIO

from battletape.errors import BattletapeError

HOST, PORT = "0.0.0.0", 8000
TRIES = 50


class Busy(BattletapeError):
    """The port is taken; the sentence names the next one that is free."""


def serve(host: str = HOST, port: int = PORT, workers: int | None = None, *, quiet: bool = False) -> None:
    """Serve until somebody ends it."""
    check_port(host, port)
    print("Starting…", file=sys.stderr, flush=True)

    import uvicorn

    from battletape.web.app import create_app

    crew = workers if workers is not None else max(2, min(os.cpu_count() or 2, 8))
    _log(quiet)
    uvicorn.run(
        create_app(workers=crew, ready=lambda: announce(host, port)),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
        limit_concurrency=500,
    )


def check_port(host: str, port: int) -> None:
    """Raise Busy, with the next free port, if this one is taken; BattletapeError if the address is not ours."""
    trouble = _trouble(host, port)
    if trouble is None:
        return
    if trouble.errno not in (errno.EADDRINUSE, errno.EACCES):
        raise BattletapeError(f"{host} port {port} cannot be used: {trouble.strerror or trouble}")
    begin = port + 1 if trouble.errno == errno.EADDRINUSE else max(port, PORT)
    free = next((one for one in range(begin, min(begin + TRIES, 65_536)) if _trouble(host, one) is None), None)
    why = "is in use by another program" if trouble.errno == errno.EADDRINUSE else "is kept for the system"
    hint = f" The next free one is {free}: start with --port {free}" if free else ""
    raise Busy(f"port {port} {why}.{hint}")


def _trouble(host: str, port: int) -> OSError | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


def announce(host: str, port: int, out: TextIO | None = None) -> None:
    """Print the address, and for phones on the same network another one with its QR code."""
    out = out or sys.stdout
    here = "localhost" if host in ("0.0.0.0", "::") else host
    print(f"Battletape is at http://{_shown(here)}:{port}/", file=out)
    there = _nearby() if host in ("0.0.0.0", "::") else None
    if there:
        address = f"http://{_shown(there)}:{port}/"
        print(f"On a phone in the same network: {address}\n", file=out)
        qr_code(address, out)
    print("Ctrl-C ends it.", file=out, flush=True)


def qr_code(address: str, out: TextIO) -> None:
    """An address as a QR code in letters."""
    import segno

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, border=2, compact=True)
    on, off = ("\x1b[97;40m", "\x1b[0m") if out.isatty() else ("", "")  # white on black, whatever the terminal has
    try:
        print("\n".join(f"{on}{line}{off}" for line in drawn.getvalue().splitlines()), file=out)
    except UnicodeEncodeError:  # a terminal without block letters
        return


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _nearby() -> str | None:
    """Our address in the local network; no packet is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route to it is looked up
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") else found


def _log(quiet: bool) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    log = logging.getLogger("battletape.web")
    log.handlers = [handler]
    log.setLevel(logging.WARNING if quiet else logging.INFO)
    log.propagate = False
