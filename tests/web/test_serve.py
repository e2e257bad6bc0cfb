"""`battletape serve`: where it is, and what it says when it cannot be there."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import h11
import pytest
from uvicorn import Config

from battletape.errors import BattletapeError
from battletape.web import serve, wire
from battletape.web.app import create_app, end_work
from battletape.web.limits import Limits


def test_a_busy_port_is_a_sentence_with_the_next_free_one():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            serve.Busy,
            match=rf"port {port} is in use by another program\. The next free one is (\d+): start with --port \1$",
        ):
            serve.open_door("127.0.0.1", port)


def test_an_address_that_is_not_ours_is_a_sentence():
    with pytest.raises(BattletapeError, match=r"192\.0\.2\.77 port 8000 cannot be used"):
        serve.open_door("192.0.2.77", 8000)


def test_it_says_where_it_is(monkeypatch):
    monkeypatch.setattr(serve, "_nearby", lambda: "192.168.1.23")
    out = io.StringIO()
    serve.announce("0.0.0.0", 8000, out)
    text = out.getvalue()
    assert "http://localhost:8000/" in text
    assert "http://192.168.1.23:8000/" in text
    assert text.count("█") > 100
    out = io.StringIO()
    serve.announce("::1", 8000, out)
    assert "http://[::1]:8000/" in out.getvalue()
    assert "phone" not in out.getvalue()


def test_it_serves_and_ends_when_told_so():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "battletape",
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--workers",
        "1",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert f"http://127.0.0.1:{port}/" in process.stdout.readline()
            assert "Ctrl-C" in process.stdout.readline()
            for _ in range(1_000):
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as got:
                        assert got.status == 200
                    break
                except OSError:
                    continue
            with (
                socket.create_connection(("127.0.0.1", port)) as half,
                socket.create_connection(half.getpeername()) as fresh,
            ):
                half.sendall(HALF)
                fresh.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                assert heard(fresh).startswith(b"HTTP/1.1 200")  # so the other one has been heard, too
                process.send_signal(signal.SIGINT)
                assert heard(half).startswith(b"HTTP/1.1 503")
                process.send_signal(signal.SIGINT)
            _, log = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode in (0, -signal.SIGINT, 130)
    assert "GET /healthz 200" in log
    assert "Traceback" not in log


def heard(line: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    while more := line.recv(65_536):
        found += more
    return found


@asynccontextmanager
async def served(**limits: Any) -> AsyncIterator[tuple[str, int]]:
    """A server in this process with small limits."""
    small = Limits(**limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wire, "LIMITS", small)
        patch.setattr(wire, "WAITS", {h11.IDLE: small.head_wait, h11.SEND_BODY: small.body_wait})
        patch.setattr(wire, "HEARD", 0.05)
        ready = asyncio.Event()
        app = create_app()
        server = wire.Ending(Config(app, http=wire.Wire, log_config=None), ready.set, lambda: end_work(app))
        door = serve.open_door("127.0.0.1", 0)
        running = asyncio.create_task(server.serve([door]))
        await ready.wait()
        try:
            yield door.getsockname()
        finally:
            server.should_exit = True
            await running


async def sent(where: tuple[str, int], text: bytes) -> bytes:
    """What comes back for these bytes until the connection is closed."""
    reader, writer = await asyncio.open_connection(*where)
    writer.write(text)
    got = await reader.read()
    writer.close()
    return got


HALF = b"POST /attack_dice/units HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\na"
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    "text, status",
    [(b"", 408), (WHOLE[:-3], 408), (HALF, 408), (WHOLE + HALF, 408), (b"GARBAGE\r\n\r\n", 400)],
)
def test_who_does_not_send_a_request_is_not_waited_for(text, status, caplog):
    async def go():
        async with served(head_wait=0.2, body_wait=0.2) as where:
            last = (await sent(where, text)).rpartition(b"HTTP/1.1 ")[2]
            assert last.startswith(str(status).encode())
            assert b"Content-Security-Policy" in last

    asyncio.run(go())
    assert "Traceback" not in caplog.text


def test_nobody_takes_all_connections():
    async def go():
        ask = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        async with served(connections_each=3) as where:
            held = [await asyncio.open_connection(*where) for _ in range(3)]
            assert (await sent(where, ask)).startswith(b"HTTP/1.1 429")
            assert await sent(where, b"") == b""
            other = await asyncio.open_connection(*where, local_addr=("127.0.0.2", 0))
            other[1].write(ask)
            assert (await other[0].read()).startswith(b"HTTP/1.1 200")
            for _, writer in (*held, other):
                writer.close()

    asyncio.run(go())


def test_no_host_is_every_host(monkeypatch):
    opened = []

    def no_door(host, port):
        opened.append(host)
        raise serve.Busy("taken")

    monkeypatch.setattr(serve, "open_door", no_door)
    with pytest.raises(serve.Busy):
        serve.serve("")
    assert opened == ["0.0.0.0"]


def test_the_command_line_does_not_import_the_server():
    code = "import sys, battletape.cli.app; print([m for m in sys.modules if m in ('fastapi', 'jinja2', 'starlette')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout.strip() == "[]"
