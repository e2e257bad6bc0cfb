"""`battletape serve`: run the page on this machine, and say where it is, for this browser and for phones nearby."""

from __future__ import annotations

import errno
import io
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from select import select
from typing import TextIO

from battletape.errors import BattletapeError
from battletape.web.limits import LIMITS

HOST, PORT = "0.0.0.0", 8000
TRIES = 50
PIPE = 4_096
"""So many bytes are written to a pipe at once, or not at all."""
SENT = 128_000
"""How many bytes the system holds for a client that does not read; it might take millions."""


class Busy(BattletapeError):
    """The port is taken; the sentence names the next one that is free."""


def serve(
    host: str = HOST,
    port: int = PORT,
    workers: int | None = None,
    *,
    quiet: bool = False,
    proxies: Sequence[str] = (),
    names: Sequence[str] = (),
) -> None:
    """Serve until it is stopped, under these names too; `proxies` are trusted to tell the addresses of clients."""
    from battletape.web.clients import parse_proxies
    from battletape.web.hosts import parse_hosts

    host, believed = host or HOST, parse_proxies(proxies)
    hosts = parse_hosts(names, host)
    listener = open_socket(host, port)  # the port is ours now; early clients wait until we are ready
    print("Starting…", file=sys.stderr, flush=True)

    from battletape.web.app import create_app, end_work
    from battletape.web.error_log import open_error_log
    from battletape.web.http_connections import GracefulServer, settings
    from battletape.web.pages.share import Reach
    from battletape.web.resources import fit_descriptors, fit_workers, this_machine
    from battletape.web.worker_lanes import WORKER

    limits, processes = fit_workers(LIMITS, this_machine(), workers)
    limits = fit_descriptors(limits, processes)
    error_log = open_error_log(quiet)
    command = (*WORKER, str(limits.memory), str(limits.memory_most))
    app = create_app(limits, processes, command=command, proxies=believed, hosts=hosts)
    there = nearby_address(host, port)
    app.state.reach = Reach(there.rstrip("/") if there else "", is_known=True)
    server = GracefulServer(settings(app, limits, believed), lambda: announce(host, port), lambda: end_work(app))
    try:
        server.run([listener])
    except KeyboardInterrupt:  # it has ended in order by now
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except Exception:
        server.sparing.say("the server has failed", error=sys.exc_info()[1])
        raise
    finally:
        listener.close()
        if error_log is not None:
            error_log.close()
            if not server.is_told and not error_log.is_read:
                say_last(error_log.error)


def say_last(why: str, out: int = 1) -> None:
    """Say on another stream why the server has ended, if its log is not read."""
    line = f"Battletape has ended: {why or 'its log does not say why'} (nobody reads its error stream)\n"
    with suppress(OSError, ValueError):
        if select([], [out], [], 0)[1]:
            os.write(out, line.encode(errors="replace")[:PIPE])


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises Busy, with the next free port, or BattletapeError if the address is not ours.
    """
    try:
        return _listen(host, port)
    except OSError as error:
        trouble = error
    if trouble.errno not in (errno.EADDRINUSE, errno.EACCES):
        raise BattletapeError(f"{host} port {port} cannot be used: {trouble.strerror or trouble}")
    begin = port + 1 if trouble.errno == errno.EADDRINUSE else max(port, PORT)
    free = next(
        (candidate for candidate in range(begin, min(begin + TRIES, 65_536)) if _is_free(host, candidate)), None
    )
    why = "is in use by another program" if trouble.errno == errno.EADDRINUSE else "is kept for the system"
    hint = f" The next free one is {free}: start with --port {free}" if free else ""
    raise Busy(f"port {port} {why}.{hint}")


def _listen(host: str, port: int) -> socket.socket:
    # Where TCP is named, asyncio sends at once; otherwise the second half of a reply waits 40 ms on a kept connection.
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT)
        listener.bind((host, port))
        listener.listen()  # only this tells two servers apart that start at the same time
    except BaseException:
        listener.close()
        raise
    return listener


def _is_free(host: str, port: int) -> bool:
    try:
        _listen(host, port).close()
    except OSError:
        return False
    return True


def announce(host: str, port: int, out: TextIO | None = None) -> None:
    """Print the address, and for phones on the same network another one with its QR code."""
    out = out or sys.stdout
    here = "localhost" if host in ("0.0.0.0", "::") else host
    print(f"Battletape is at http://{_shown(here)}:{port}/", file=out)
    address = nearby_address(host, port)
    if address:
        print(f"On a phone in the same network: {address}\n", file=out)
        qr_code(address, out)
    if not _is_local(host):
        print("It listens on the network, for everybody there; --host 127.0.0.1 keeps it private.", file=out)
    print("Ctrl-C ends it.", file=out, flush=True)


def nearby_address(host: str, port: int) -> str:
    """Return the address for other devices in the same network; empty if the server does not listen there."""
    there = _nearby() if host in ("0.0.0.0", "::") else (None if _is_local(host) else host)
    return f"http://{_shown(there)}:{port}/" if there else ""


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def qr_code(address: str, out: TextIO) -> None:
    """Return an address as a QR code in text."""
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
    """Return our address in the local network; no packet is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route to it is looked up
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address
