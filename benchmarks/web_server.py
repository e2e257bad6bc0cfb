"""A server to measure: started for it, watched from outside, and ended again; Linux tells what its processes use."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from benchmarks.race import Differs

PAGE = ("-m", "battletape", "serve", "--quiet", "--host", "127.0.0.1", "--port")
ROLLS = ("-m", "benchmarks.web_rolls")
TICK = os.sysconf("SC_CLK_TCK")
FILE = re.compile(r'(?:href|src)="(/static/[^"]+)"')
IMPORT = re.compile(r'import\s[^"]*"\./([^"]+)"')


class Server:
    """A server of this machine."""

    def __init__(self, process: subprocess.Popen[Any], port: int) -> None:
        self.process, self.port = process, port

    @property
    def processes(self) -> list[int]:
        """The server and its workers."""
        one = self.process.pid
        return [one, *map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())]

    @property
    def work(self) -> float:
        """The seconds the processor has worked for it."""
        return sum(map(_work, self.processes))

    @property
    def memory(self) -> list[int]:
        """The bytes each of its processes holds."""
        return [
            int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            for process in self.processes
        ]

    def settle(self, most: float = 60.0) -> None:
        """Wait until it has asked itself every question once, as its workers do after the first page was answered."""
        self.first_page()
        until, quiet = monotonic() + most, 0
        while monotonic() < until and quiet < 3:
            before = self.work
            sleep(0.4)
            quiet = quiet + 1 if self.work - before < 0.05 else 0

    def first_page(self) -> int:
        """Ask for the first page, as soon as anybody answers; its status."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        line.request("GET", "/")
        status = line.getresponse().status
        line.close()
        return status

    def get(self, path: str) -> tuple[bytes, int]:
        """A page or file, and the bytes of it that were sent."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        line.request("GET", path, headers={"Accept-Encoding": "gzip"})
        got = line.getresponse()
        body = got.read()
        line.close()
        if got.status == 303:  # a question opens on its example
            return self.get(got.headers["Location"])
        if got.status != 200:
            raise Differs(f"{path} answers {got.status}")
        packed = got.headers.get("Content-Encoding") == "gzip"
        return (gzip.decompress(body) if packed else body), len(body)

    def weight(self, path: str) -> int:
        """The bytes of a page with all its styles and scripts, as they are sent."""
        html, size = self.get(path)
        left, seen = FILE.findall(html.decode()), set[str]()
        while left:
            one = left.pop()
            if one in seen:
                continue
            seen.add(one)
            text, sent = self.get(one)
            size += sent
            if one.endswith(".js"):
                left += [one.rpartition("/")[0] + "/" + name for name in IMPORT.findall(text.decode())]
        return size

    def users(self, *arguments: str) -> dict[str, Any]:
        """What users saw who were here for a while."""
        command = [sys.executable, "-m", "benchmarks.web_users", str(self.port), *arguments]
        found: dict[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        return found


@contextmanager
def serving(arguments: Sequence[str] = PAGE) -> Iterator[Server]:
    """A server that has settled."""
    port = free_port()
    command = [sys.executable, *arguments, str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            if not process.stdout.readline():
                raise Differs("the server did not start")
            made = Server(process, port)
            made.settle()
            yield made
        finally:
            end(process)


def first_page(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """The seconds that the processor works from a command that serves, with its port to come, to the first page."""
    port = free_port()
    with subprocess.Popen([*command, str(port)], stdout=subprocess.DEVNULL, env=environment) as process:
        try:
            made = Server(process, port)
            while process.poll() is None:
                try:
                    status = made.first_page()
                except ConnectionRefusedError:  # it does not listen yet
                    sleep(0.02)
                    continue
                worked = made.work
                if status != 200:
                    raise Differs(f"the first page answers {status}")
                return worked
            raise Differs(f"the server ended with {process.returncode}")
        finally:
            end(process)


def end(process: subprocess.Popen[Any]) -> None:
    """End a server in order, or at once if that takes too long."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _work(process: int) -> float:
    """What a process has worked, with those of its own that have ended."""
    found = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, found[11:15])) / TICK
