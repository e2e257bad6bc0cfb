"""`battletape serve`: where it is, and what it says when it cannot be there."""

from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from battletape.errors import BattletapeError
from battletape.web import serve


def test_a_busy_port_is_a_sentence_with_the_next_free_one():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            serve.Busy,
            match=rf"port {port} is in use by another program\. The next free one is (\d+): start with --port \1$",
        ):
            serve.check_port("127.0.0.1", port)


def test_an_address_that_is_not_ours_is_a_sentence():
    with pytest.raises(BattletapeError, match=r"192\.0\.2\.77 port 8000 cannot be used"):
        serve.check_port("192.0.2.77", 8000)


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
            process.send_signal(signal.SIGINT)
            _, log = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode in (0, -signal.SIGINT, 130)
    assert "GET /healthz 200" in log
    assert "Traceback" not in log


def test_the_command_line_does_not_import_the_server():
    code = "import sys, battletape.cli.app; print([m for m in sys.modules if m in ('fastapi', 'jinja2', 'starlette')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout.strip() == "[]"
