"""A real server with worker processes, and Chromium in the sizes of a phone and a desk."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

SCREENSHOTS = Path("screenshots")
"""Git ignores it; look at them."""
SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1280, "height": 900}}


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of a running server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "battletape", "serve", "--host", "127.0.0.1", "--port", port, "--quiet"]
    with subprocess.Popen([*command, "--workers", "1"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert "http://127.0.0.1" in process.stdout.readline()
            _wait_for(int(port))
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


def _wait_for(port: int) -> None:
    """The address is printed a moment before the door opens."""
    for _ in range(100_000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError("the server did not open its door")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert found, "the browser tests want Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


Open = Callable[..., Page]


@pytest.fixture
def open_page(chromium: Browser, site: str) -> Iterator[Open]:
    """Open an address as a phone or a desk; what leaves this machine or fails in a script fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def go(address: str, size: str = "desk", *, scripts: bool = True, scheme: str = "light") -> Page:
        context = chromium.new_context(
            viewport=SIZES[size],  # type: ignore[arg-type]
            has_touch=size == "phone",
            is_mobile=size == "phone",
            java_script_enabled=scripts,
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"script: {error}"))
        page.on("console", lambda said: faults.append(said.text) if "Content Security" in said.text else None)
        page.on("request", lambda one: None if one.url.startswith(site) else faults.append(f"left: {one.url}"))
        page.goto(site + address)
        return page

    yield go
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture(params=list(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    """Each size."""
    return str(request.param)
