"""A real server with worker processes, and Chromium in the sizes of a phone and a desk.

Both end with the last test of this folder: while Playwright runs, no other test of its process can run an event loop.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

FORGET = "localStorage.clear(); addEventListener('pagehide', () => localStorage.clear())"
"""A page that is left may still keep something."""
QUIET = ("htmx:afterRequest", "htmx:sendAbort", "Response Status Error Code")
expect.set_options(timeout=20_000)  # a busy machine takes its time
SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1280, "height": 900}}


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server; it must end when told so, and have had no trouble."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "battletape", "serve", "--host", "127.0.0.1", "--port", port, "--quiet"]
    log = tmp_path_factory.mktemp("site") / "log"
    with (
        log.open("w") as told,
        subprocess.Popen([*command, "--workers", "1"], stdout=subprocess.PIPE, stderr=told, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            assert "http://127.0.0.1" in process.stdout.readline()
            _wait_for(int(port))
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)
    assert "Traceback" not in log.read_text()


def _wait_for(port: int) -> None:
    """The address is printed a moment before the door opens."""
    for _ in range(100_000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError("the server did not open its door")


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, or the one that CHROMIUM names; it can find no other machine."""
    names = (os.environ.get("CHROMIUM", "chromium"), "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "the tests of the page need Chromium: apt-get install chromium"
    args = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=args)
        yield browser
        browser.close()


Open = Callable[..., Page]


class Desk:
    """The browser as a phone or a desk; between tests each keeps the static files, and nothing else."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser, self.site = browser, site
        self.faults: list[str] = []
        self.contexts: dict[tuple[str, bool, bool], BrowserContext] = {}

    def context(self, size: str, scripts: bool) -> BrowserContext:
        """A new one; it notes what fails in a script, and whatever would leave this machine."""
        made = self.browser.new_context(
            viewport=SIZES[size],  # type: ignore[arg-type]
            has_touch=size == "phone",
            is_mobile=size == "phone",
            java_script_enabled=scripts,
        )
        made.on("weberror", lambda error: self.faults.append(f"script: {error.error}"))
        made.on("console", lambda said: self._hear(said.type, said.text))
        made.on("request", lambda one: self._see(one.url))
        return made

    def open(self, address: str, size: str = "desk", *, scripts: bool = True, fresh: bool = False) -> Page:
        """Open an address; `fresh` where a test changes more than the pages it opens."""
        key = (size, scripts, fresh)
        if key not in self.contexts:
            self.contexts[key] = self.context(size, scripts)
        page = self.contexts[key].new_page()
        page.goto(self.site + address)
        return page

    def tidy(self) -> None:
        """Close every page, and forget what they kept on the device."""
        for key, context in list(self.contexts.items()):
            if key[2]:
                context.close()
                del self.contexts[key]
                continue
            for page in context.pages:
                if key[1]:
                    page.evaluate(FORGET)
                page.close()

    def _hear(self, kind: str, text: str) -> None:
        """A browser complains of every 4xx and htmx of what nobody waits for any more; other errors are ours."""
        if kind == "error" and not text.startswith(("Failed to load resource", *QUIET)):
            self.faults.append(text)

    def _see(self, address: str) -> None:
        if urlsplit(address).netloc != urlsplit(self.site).netloc and not address.startswith("blob:"):
            self.faults.append(f"left this machine: {address}")


@pytest.fixture(scope="package")
def desk(chromium: Browser, site: str) -> Desk:
    """The browser at our site."""
    return Desk(chromium, site)


@pytest.fixture
def open_page(desk: Desk) -> Iterator[Open]:
    """Open an address as a phone or a desk; what leaves this machine or fails in a script fails the test."""
    desk.faults.clear()
    yield desk.open
    desk.tidy()
    assert desk.faults == []


@pytest.fixture(params=list(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    """Each size."""
    return str(request.param)
