"""`battletape serve`: where it is, and what it says when it cannot be there."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import io
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count, islice
from time import sleep
from typing import Any, ClassVar

import pytest

from battletape.errors import BattletapeError
from battletape.web import error_log, http_connections, resources, serve
from battletape.web.app import create_app, end_work
from battletape.web.clients import MAX_ADDRESSES, NO_PROXIES, Proxies, ProxyMiddleware, caller, parse_proxies
from battletape.web.error_log import BackgroundHandler
from battletape.web.jobs import Job, Reply
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
            serve.open_socket("127.0.0.1", port)


def test_an_address_that_is_not_ours_is_a_sentence():
    with pytest.raises(BattletapeError, match=r"192\.0\.2\.77 port 8000 cannot be used"):
        serve.open_socket("192.0.2.77", 8000)


def test_the_system_buffers_little_for_a_client_that_does_not_read():
    with serve.open_socket("127.0.0.1", 0) as listener:
        held = listener.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        assert held in (serve.SENT, 2 * serve.SENT)  # Linux counts its own needs, too


def test_replies_are_sent_at_once():
    async def go():
        taken: list[asyncio.StreamWriter] = []
        with serve.open_socket("127.0.0.1", 0) as listener:
            async with await asyncio.start_server(lambda _, out: taken.append(out), sock=listener):
                _, line = await asyncio.open_connection(*listener.getsockname())
                while not taken:
                    await asyncio.sleep(0)
                (out,) = taken
                assert out.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                for stream in (line, out):
                    stream.close()
                    await stream.wait_closed()

    asyncio.run(go())


BROKEN = "import sys; print('y' * 200_000, file=sys.stderr); sys.exit('it is broken')"


def test_why_the_server_ended_is_written_where_it_can_be_read(monkeypatch, tmp_path):
    """No worker starts, and what they said has filled the error stream, which nobody reads."""
    code = "from battletape.web import serve, worker_lanes; import sys; "
    code += f"worker_lanes.WORKER = (sys.executable, '-c', {BROKEN!r}); serve.serve('127.0.0.1', 0, 1)"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pipesize=SMALL
    ) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        process.communicate()
    assert process.returncode == 3
    assert said.startswith("Battletape has ended: no worker process starts: it ended; it may have said more above")


def test_the_last_error_is_kept_and_whether_it_was_read(caplog):
    reads, writes = os.pipe()
    book = BackgroundHandler(writes)
    log = logging.getLogger("battletape.web.last")
    log.addHandler(book)
    try:
        log.warning("this was nothing")
        log.error("no worker starts\nand so on")
        log.error("Application startup failed. Exiting.")
        assert book.error == "no worker starts"
        log.error("the server has failed", exc_info=OSError("no room"))
        assert book.error == "the server has failed: OSError: no room"
        book.close()
        assert book.is_read
    finally:
        log.removeHandler(book)
        os.close(reads)
        os.close(writes)


def test_it_says_where_it_is(monkeypatch):
    monkeypatch.setattr(serve, "_nearby", lambda: "192.168.1.23")
    out = io.StringIO()
    serve.announce("0.0.0.0", 8000, out)
    text = out.getvalue()
    assert "http://localhost:8000/" in text
    assert "http://192.168.1.23:8000/" in text
    assert "It listens on the network, for everybody there; --host 127.0.0.1 keeps it private." in text
    assert text.count("█") > 100
    out = io.StringIO()
    serve.announce("::1", 8000, out)
    assert "http://[::1]:8000/" in out.getvalue()
    assert "phone" not in out.getvalue()
    assert "network" not in out.getvalue()


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
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pipesize=SMALL
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            assert f"http://127.0.0.1:{port}/" in process.stdout.readline()
            assert "Ctrl-C" in process.stdout.readline()
            for _ in range(1_000):
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as got:
                        assert got.status == 200
                    break
                except OSError:
                    continue
            with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
                for _ in range(5):  # more lines than the pipe of the log takes, and nobody reads them
                    line.sendall(WHOLE * 40)
                    got = b""
                    while got.count(b"HTTP/1.1 200") < 40:
                        got += line.recv(65_536)
            with (
                socket.create_connection(("127.0.0.1", port)) as half,
                socket.create_connection(half.getpeername()) as fresh,
            ):
                half.sendall(HALF)
                fresh.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
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
    assert "has ended" not in log


def heard(line: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    while more := line.recv(65_536):
        found += more
    return found


@asynccontextmanager
async def served(proxies: Proxies = NO_PROXIES, executor: Any = None, **limits: Any) -> AsyncIterator[tuple[str, int]]:
    """A server in this process with small limits."""
    small = Limits(**limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_connections, "FIRST_BYTE_SECONDS", 0.05)
        patch.setattr(http_connections, "TICKS", 1)
        ready = asyncio.Event()
        app = create_app(small, proxies=proxies)
        app.state.executor = executor or app.state.executor
        server = http_connections.GracefulServer(
            http_connections.settings(app, small, proxies), ready.set, lambda: end_work(app)
        )
        listener = serve.open_socket("127.0.0.1", 0)
        running = asyncio.create_task(server.serve([listener]))
        RUNNING.append(server)
        await ready.wait()
        try:
            yield listener.getsockname()
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


HALF = b"POST /attack_dice/units HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\na"
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
ASK = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
FORWARDED = b"127.0.0.1\r\nX-Forwarded-For: %s\r\n"
SMALL = 4_096


RUNNING: list[http_connections.GracefulServer] = []


def here() -> list[http_connections.Connection]:
    """The connections of the server in this process."""
    return RUNNING[-1]._connections()


@pytest.mark.parametrize(
    "text, status",
    [(b"", 408), (WHOLE[:-3], 408), (HALF, 408), (WHOLE + HALF, 408), (b"GARBAGE\r\n\r\n", 400)],
)
def test_a_connection_without_a_request_is_closed(text, status, caplog):
    async def go():
        async with served(head_wait=0.2, body_wait=0.2) as where:
            last = (await sent(where, text)).rpartition(b"HTTP/1.1 ")[2]
            assert last.startswith(str(status).encode())
            assert b"Content-Security-Policy" in last

    asyncio.run(go())
    assert "Traceback" not in caplog.text


def test_no_client_takes_all_connections():
    async def go():
        async with served(connections_each=3) as where:
            held = [await asyncio.open_connection(*where) for _ in range(3)]
            assert (await sent(where, ASK)).startswith(b"HTTP/1.1 429")
            assert await sent(where, b"") == b""
            other = await asyncio.open_connection(*where, local_addr=("127.0.0.2", 0))
            other[1].write(ASK)
            assert (await other[0].read()).startswith(b"HTTP/1.1 200")
            for _, writer in (*held, other):
                writer.close()

    asyncio.run(go())


async def until(happens: Any, most: float = 10.0) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(most):
        while not happens():
            await asyncio.sleep(0.02)


class Deaf:
    """A client that asks for much and reads nothing."""

    def __init__(self, where: tuple[str, int], home: str = "127.0.0.1") -> None:
        self.line = socket.socket()
        self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        self.line.bind((home, 0))
        self.line.connect(where)
        self.line.setblocking(False)
        self.line.send(b"GET /static/x/vendor/htmx.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200)


def test_connections_that_do_not_read_are_closed_but_for_a_few_of_an_address(caplog, monkeypatch):
    monkeypatch.setattr(http_connections, "LAG_SECONDS", 0.3)

    async def go():
        async with served(send_wait=2.5, lagging_each=2, connections=60) as where:
            deaf = [Deaf(where) for _ in range(5)] + [Deaf(where, "127.0.0.2")]
            await until(lambda: len(here()) == 6 and all(line.lagging for line in here()))
            assert (await sent(where, ASK)).startswith(b"HTTP/1.1 200")
            await until(lambda: len(here()) == 3)
            assert sorted(line.peer for line in here()) == ["127.0.0.1", "127.0.0.1", "127.0.0.2"]
            await until(lambda: not here())
            for client in deaf:
                client.line.close()

    asyncio.run(go())
    assert "a client was cut off: it did not read what it had asked for" in caplog.text


class Late:
    """A connection whose client has not read on for so long."""

    def __init__(self, address: str, lag: float) -> None:
        self.address, self.lag, self.is_cut_off = address, lag, False
        self.transport = self

    def note_lag(self, now: float) -> float:
        return self.lag

    def abort(self) -> None:
        self.is_cut_off = True


def test_the_longest_wait_ends_first_and_all_have_less_time_when_many_are_here():
    limits = Limits(send_wait=20.0, lagging_each=2, connections=12)
    late: list[Any] = [Late("a", lag) for lag in (3.0, 9.0, 6.0, 2.0)] + [Late("b", 19.0)]
    assert http_connections.close_stalled(late, limits, 0.0) == 2
    assert [line.lag for line in late if line.is_cut_off] == [9.0, 6.0]
    few, many = ([Late(str(at), 5.0) for at in range(count)] for count in (6, 7))
    assert (http_connections.close_stalled(few, limits, 0.0), http_connections.close_stalled(many, limits, 0.0)) == (
        0,
        7,
    )  # type: ignore[arg-type]


def test_a_client_that_reads_slowly_but_steadily_is_not_cut_off(monkeypatch):
    monkeypatch.setattr(http_connections, "LAG_SECONDS", 0.1)

    async def go():
        async with served(send_wait=1.0) as where:
            slow = Deaf(where)
            await until(lambda: len(here()) == 1 and here()[0].lagging)
            (line,) = here()
            for _ in range(15):  # longer than anybody may keep it waiting, and there is more to read than that
                left, begun = 200_000, line.loop.time()
                while left > 0:
                    left -= len(await line.loop.sock_recv(slow.line, left))
                await asyncio.sleep(max(0.0, begun + 0.1 - line.loop.time()))
            assert here() == [line]
            slow.line.close()

    asyncio.run(go())


def test_a_client_that_does_not_read_makes_room_for_others():
    async def go():
        async with served(send_wait=60.0, connections=4) as where:
            deaf = [Deaf(where) for _ in range(4)]
            await until(lambda: len(here()) == 4 and all(line.lagging for line in here()))
            other = await asyncio.open_connection(*where, local_addr=("127.0.0.2", 0))
            other[1].write(ASK)
            assert (await other[0].read()).startswith(b"HTTP/1.1 200")
            other[1].close()
            for client in deaf:
                client.line.close()

    asyncio.run(go())


def test_when_all_connections_are_taken_idle_ones_make_room():
    async def go():
        async with served(connections=4) as where:
            held = [await asyncio.open_connection(*where) for _ in range(4)]
            other = await asyncio.open_connection(*where, local_addr=("127.0.0.2", 0))
            other[1].write(ASK)
            assert (await other[0].read()).startswith(b"HTTP/1.1 200")
            await until(lambda: len(here()) == 3)
            held.append(await asyncio.open_connection(*where))
            await until(lambda: len(here()) == 4)
            for line in here():
                line.has_completed = True  # they have asked before, and may go on
            more = [await asyncio.open_connection(*where) for _ in range(2)]  # of the address that has most
            more[1][1].write(ASK)
            assert (await more[1][0].read()).startswith(b"HTTP/1.1 503")
            for _, writer in (*held, *more, other):
                writer.close()

    asyncio.run(go())


def test_among_equals_the_oldest_that_never_asked_makes_room():
    async def go():
        async with served(connections=4) as where:
            asked = await asyncio.open_connection(*where, local_addr=("127.0.0.2", 0))
            asked[1].write(WHOLE)
            await asked[0].readuntil(b"\r\n\r\n")
            silent = [await asyncio.open_connection(*where, local_addr=(f"127.0.0.{at}", 0)) for at in (3, 4, 5)]
            for at in (6, 7, 8):  # each from an address that has no more than any other
                other = await asyncio.open_connection(*where, local_addr=(f"127.0.0.{at}", 0))
                other[1].write(WHOLE)
                assert (await other[0].readline()).startswith(b"HTTP/1.1 200")
                gone = silent.pop(0)
                with suppress(ConnectionResetError):
                    assert await gone[0].read() == b""
                gone[1].close()
                asked[1].write(WHOLE)  # it has asked before, and was there first
                await asked[0].readuntil(b"\r\n\r\n")
                held.append(other)
            assert (await sent(where, ASK)).startswith(b"HTTP/1.1 503")  # nobody is left who never asked
            for _, writer in (asked, *held):
                writer.close()

    held: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    asyncio.run(go())


def test_a_new_connection_does_not_look_at_all_others(monkeypatch):
    looks: list[str] = []

    def look(address: str) -> str:
        looks.append(address)
        return caller(address)

    monkeypatch.setattr(http_connections, "caller", look)

    async def go():
        async with served(connections=100, connections_each=90, head_wait=60.0) as where:
            RUNNING[-1].on_tick = never  # type: ignore[method-assign]
            costs = []
            for _ in range(80):
                looks.clear()
                held.append(await asyncio.open_connection(*where))
                await until(lambda: len(here()) == len(held))
                costs.append(len(looks))
            assert set(costs) == {costs[0]}
            assert [*here()[0].connections_by_address.by_address] == ["127.0.0.1"]
            for _, writer in held:
                writer.close()
            await until(lambda: not here())
            assert not RUNNING[-1].config.http.connections_by_address.by_address  # type: ignore[union-attr]

    async def never(counter: int) -> bool:
        return RUNNING[-1].should_exit

    held: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
    asyncio.run(go())


@pytest.mark.parametrize(
    "head", [b"POST /api/v1/attack_dice/questions/attack", b"POST /attack_dice/units", b"POST /nowhere/at/all"]
)
def test_a_client_that_sends_too_much_reads_why_it_was_refused(head):
    async def go():
        async with served() as where:
            body = b"x" * 8_000_000
            text = head + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
            reader, writer = await asyncio.open_connection(*where)
            writer.write(text + body)
            await writer.drain()  # it sends all before it reads
            got = await reader.read()
            writer.close()
            assert got.startswith(b"HTTP/1.1 413" if b"nowhere" not in head else b"HTTP/1.1 40")

    asyncio.run(go())


def test_out_of_descriptors_it_says_so_once_a_second_and_goes_on(caplog, monkeypatch):
    accept, tries = socket.socket.accept, []

    def none_left(listener):
        tries.append(listener)
        raise OSError(errno.EMFILE, "Too many open files")

    async def go():
        async with served() as where:
            monkeypatch.setattr(socket.socket, "accept", none_left)
            reader, writer = await asyncio.open_connection(*where)
            await until(lambda: tries)
            await asyncio.sleep(0.1)
            monkeypatch.setattr(socket.socket, "accept", accept)
            said = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
            assert said == ["no more connections can be taken just now: Too many open files"]
            writer.write(ASK)
            assert (await reader.read()).startswith(b"HTTP/1.1 200")
            writer.close()

    asyncio.run(go())
    assert "Traceback" not in caplog.text


class Noting:
    """Hands that do nothing but note who asks."""

    broken: ClassVar[dict[str, str]] = {}

    def __init__(self, gate: asyncio.Event | None = None) -> None:
        self.clients: list[str] = []
        self.gate = gate

    async def start(self) -> None:
        """Nothing to start."""

    async def stop(self) -> None:
        """Nothing to stop."""

    async def do(self, job: Job, client: str) -> Reply:
        """Note it, and wait at the gate."""
        self.clients.append(client)
        if self.gate is not None:
            await self.gate.wait()
        return Reply(b"done")


@pytest.mark.parametrize(
    "proxies, passed_on, client",
    [
        ((), "203.0.113.7", "127.0.0.1"),
        (("10.0.0.1",), "203.0.113.7", "127.0.0.1"),
        (("127.0.0.1",), "203.0.113.7", "203.0.113.7"),
        (("127.0.0.1",), "198.51.100.9, 203.0.113.7", "203.0.113.7"),  # what a client writes itself stands before
        (("127.0.0.0/8", "10.0.0.0/8"), "198.51.100.9, 203.0.113.7, 10.1.1.1", "203.0.113.7"),
        (("127.0.0.1",), "198.51.100.9, nonsense", "127.0.0.1"),
        (("127.0.0.1",), "203.0.113.7:4711", "203.0.113.7"),
        (("127.0.0.1",), "[2001:db8:1:2:3::4]:4711", "2001:db8:1:2::/64"),
        (("127.0.0.1",), "::ffff:203.0.113.7", "203.0.113.7"),
        (("127.0.0.1",), "", "127.0.0.1"),
    ],
)
def test_forwarded_addresses_are_believed_only_of_a_named_proxy(proxies, passed_on, client):
    async def go():
        executor = Noting()
        async with served(parse_proxies(proxies), executor) as where:
            await sent(
                where, ASK.replace(b"/healthz", b"/").replace(b"127.0.0.1\r\n", FORWARDED % passed_on.encode(), 1)
            )
        assert executor.clients == [client]

    asyncio.run(go())


def test_nothing_is_believed_of_others():
    passed_on = [(b"x-forwarded-for", b"203.0.113.7"), (b"x-forwarded-proto", b"https")]
    believed, seen = parse_proxies(["10.0.0.1"]), []

    async def app(scope, receive, send):
        seen.append((scope["client"][0], scope["scheme"]))

    async def go():
        for peer in ("10.0.0.1", "10.0.0.2"):
            scope = {"type": "http", "client": (peer, 4711), "scheme": "http", "path": "/", "headers": passed_on}
            await ProxyMiddleware(app, believed)(scope, None, None)  # type: ignore[arg-type]

    asyncio.run(go())
    assert seen == [("203.0.113.7", "https"), ("10.0.0.2", "http")]
    assert believed.behind("10.0.0.2", passed_on) == "10.0.0.2"


def test_of_a_long_row_of_addresses_only_the_last_ones_are_read():
    row = ", ".join(["203.0.113.7", *["10.0.0.1"] * (MAX_ADDRESSES + 5)])
    assert parse_proxies(["10.0.0.1"]).behind("10.0.0.1", [(b"x-forwarded-for", row.encode())]) == "10.0.0.1"


def test_a_proxy_may_have_more_connections_than_a_client():
    async def go():
        for believed, status in ((("127.0.0.1",), b"200"), ((), b"429")):
            async with served(parse_proxies(believed), connections_each=2) as where:
                held = [await asyncio.open_connection(*where) for _ in range(4)]
                assert (await sent(where, ASK)).startswith(b"HTTP/1.1 " + status)
                for _, writer in held:
                    writer.close()

    asyncio.run(go())


def test_behind_a_proxy_limits_apply_to_each_client():
    async def go():
        gate = asyncio.Event()
        executor = Noting(gate)
        async with served(parse_proxies(["127.0.0.1"]), executor, connections_each=2) as where:
            ask = ASK.replace(b"/healthz", b"/").replace(b"127.0.0.1\r\n", FORWARDED, 1)
            first = [asyncio.create_task(sent(where, ask % b"203.0.113.7")) for _ in range(2)]
            await until(lambda: len(executor.clients) == 2)
            assert (await sent(where, ask % b"203.0.113.7")).startswith(b"HTTP/1.1 429")
            other = asyncio.create_task(sent(where, ask % b"203.0.113.8"))
            await until(lambda: len(executor.clients) == 3)
            assert sorted(line.address for line in here()) == ["203.0.113.7", "203.0.113.7", "203.0.113.8"]
            gate.set()
            for got in await asyncio.gather(*first, other):
                assert got.startswith(b"HTTP/1.1 200")

    asyncio.run(go())


def test_a_proxy_that_is_no_address_is_a_sentence():
    with pytest.raises(BattletapeError, match=r"--proxy takes the address of a proxy, such as .*; got 'my-proxy'\."):
        serve.serve("127.0.0.1", 8000, proxies=["my-proxy"])


def test_a_log_that_is_not_read_delays_no_request():
    reads, writes = os.pipe()
    fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, SMALL)
    book = BackgroundHandler(writes, most=100)
    record = logging.LogRecord("x", logging.INFO, "x", 1, "%s", ("a line that nobody reads " * 4,), None)
    for _ in range(3_000):
        book.emit(record)
    assert 2_500 < book.dropped < 2_950
    book.close()  # it does not wait for the reader either
    with os.fdopen(reads, "rb") as log:
        found = b""
        while b"left out" not in found:
            found += log.readline()
        assert re.search(rb"\(2,\d\d\d lines were left out here: nobody read the log in time\)$", found.strip())
    os.close(writes)


def test_a_log_that_is_read_again_says_what_is_missing_where_it_is_missing():
    reads, writes = os.pipe()
    size = fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, SMALL)
    os.set_blocking(writes, False)  # as a program that shares the stream may have left it
    os.write(writes, b"x" * size)
    book = BackgroundHandler(writes, most=10)
    lines = (logging.LogRecord("x", logging.INFO, "x", 1, "line %d", (number,), None) for number in count())
    book.emit(next(lines))
    while book.lines.qsize():  # until the writer has it, and finds that nobody reads
        sleep(0.01)
    for line in islice(lines, 50):
        book.emit(line)
    assert book.dropped == 40
    with os.fdopen(reads, "rb") as log:
        log.read(size)
        assert [log.readline().split()[-1] for _ in range(11)] == [b"%d" % number for number in range(11)]
        book.emit(next(lines))
        assert log.readline() == b"(40 lines were left out here: nobody read the log in time)\n"
        assert log.readline().endswith(b"line 51\n")
        book.close()
    os.close(writes)


def test_what_happens_again_is_counted_and_said_once_a_second(caplog, monkeypatch):
    monkeypatch.setattr(error_log, "monotonic", iter((0.0, 0.1, 1.1, 1.2, 1.3, 2.2)).__next__)
    sparing = error_log.RateLimitedLog(logging.getLogger("battletape.web"))
    for _ in range(6):
        sparing.say("ouch")
    assert caplog.messages == ["ouch", "ouch (and once more since)", "ouch (and 2 times more since)"]


def test_no_more_connections_than_there_are_descriptors(monkeypatch):
    limits = Limits(connections=1_000, connections_each=64)
    for soft, hard, connections, each in ((256, 1_024, 321, 64), (1_024, 1 << 20, 1_000, 64), (64, 64, 8, 4)):
        raised: list[tuple[int, int]] = []
        monkeypatch.setattr("resource.getrlimit", lambda kind, now=(soft, hard): now)
        monkeypatch.setattr("resource.setrlimit", lambda kind, to, into=raised: into.append(to))
        fitted = resources.fit_descriptors(limits, workers=2)
        assert (fitted.connections, fitted.connections_each) == (connections, each)
        assert raised == ([] if soft == hard else [(min(hard, 3_060), hard)])


@pytest.mark.parametrize(
    "memory, processors, asked, workers",
    [(0, 4, None, 4), (1 << 30, 4, None, 1), (1 << 31, 8, None, 2), (1 << 33, 64, None, 8), (1 << 31, 2, 8, 8)],
)
def test_the_memory_of_all_workers_fits_the_machine(memory, processors, asked, workers):
    limits, quick = resources.fit_workers(Limits(), resources.Resources(memory, processors), asked)
    assert quick == workers
    assert limits.memory <= limits.memory_most
    if memory > 1 << 30 and asked is None:
        assert (quick + 2) * limits.memory_most + resources.MEMORY_ASIDE <= memory
    assert limits.memory_most >= resources.MIN_WORKER_MEMORY


@pytest.mark.parametrize(
    "told, bounds",
    [
        ({"": "0::/a/b\n", "memory.max": "max", "a/memory.max": "3000", "a/b/memory.max": "5000"}, [5000, 3000]),
        ({"": "4:memory:/x\n0::/\n", "memory/memory.limit_in_bytes": "9000", "memory/x/other": "1"}, [9000]),
        ({}, []),
    ],
)
def test_a_machine_is_as_large_as_its_group_may_be(tmp_path, monkeypatch, told, bounds):
    monkeypatch.setattr(resources, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(resources, "OWN_GROUP", tmp_path / "own")
    for name, text in told.items():
        place = tmp_path / "groups" / name if name else tmp_path / "own"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    assert list(resources._group_bounds()) == bounds


def test_no_host_is_every_host(monkeypatch):
    opened = []

    def no_door(host, port):
        opened.append(host)
        raise serve.Busy("taken")

    monkeypatch.setattr(serve, "open_socket", no_door)
    with pytest.raises(serve.Busy):
        serve.serve("")
    assert opened == ["0.0.0.0"]


def test_the_command_line_does_not_import_the_server():
    code = "import sys, battletape.cli.app; print([m for m in sys.modules if m in ('fastapi', 'jinja2', 'starlette')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout.strip() == "[]"
