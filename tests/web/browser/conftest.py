"""A real server with worker processes, and Chromium in the sizes of a phone and a desk, with fonts made by the tests.

Both end with the last test of this folder: while Playwright runs, no other test of its process can run an event loop.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from battletape.web.limits import LIMITS
from tests.web.browser.fonts import environment, make_font

ROOT = Path(__file__).parents[3]
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--renderer-process-limit=1",
)
"""Of our Chromium: it can find no other machine, and one process draws all pages of a phone, or of a desk."""
ANCHOR = "/healthz"
"""What a page shows that stays open, so that this process stays, too: it takes a third of the time of a visit."""
FORGET = "localStorage.clear(); addEventListener('pagehide', () => localStorage.clear())"
"""A page that is left may still keep something."""
QUIET = ("htmx:afterRequest", "htmx:sendAbort", "htmx:sendError", "htmx:timeout", "Response Status Error Code")
PATIENCE = 120_000
"""How many milliseconds anything may take: a busy machine takes its time, and what is late comes by itself."""
expect.set_options(timeout=PATIENCE)
USUAL = 16
"""The text size of a browser that nobody has set, in pixels."""
SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1280, "height": 900}}


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    port = free_port()
    with serving(port, tmp_path_factory.mktemp("site") / "log"):
        yield f"http://127.0.0.1:{port}"


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def serving(port: int, log: Path) -> Iterator[None]:
    """A server; it must end when told so, and have had no trouble."""
    command = [sys.executable, "-m", "tests.web.browser.idle_worker", "serve", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--quiet", "--workers", "1"]
    with (
        log.open("w") as told,
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=told, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            assert "http://127.0.0.1" in process.stdout.readline()
            _wait_for(port)
            before = _open_files(process.pid)
            yield
            assert _open_files(process.pid) < before + LIMITS.connections_each  # after all these tests
        finally:
            process.terminate()
            process.wait(20)
    assert "Traceback" not in log.read_text()


def _open_files(process: int) -> int:
    """How many descriptors a process has open; 0 where the system does not say."""
    told = Path(f"/proc/{process}/fd")
    return len(list(told.iterdir())) if told.exists() else 0


def _wait_for(port: int) -> None:
    """The address is printed a moment before the door opens."""
    for _ in range(100_000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError("the server did not open its door")


class Browsers:
    """Debian's Chromium, or the one that CHROMIUM names, once for each font; it can find no other machine."""

    def __init__(self, playwright: Playwright, fonts: Path) -> None:
        self.playwright, self.fonts = playwright, fonts
        self.started: dict[str, Browser] = {}

    def with_font(self, font: str) -> Browser:
        """A browser that has this font and no other; without a name, those of the machine."""
        if font not in self.started:
            names = (
                os.environ.get("CHROMIUM", "chromium-headless-shell"),
                "chromium",
                "chromium-browser",
                "google-chrome",
            )
            found = next(filter(None, map(shutil.which, names)), None)
            assert found, "the tests of the page need Chromium: apt-get install chromium"
            env = environment(make_font(font, self.fonts / font)) if font else None
            self.started[font] = self.playwright.chromium.launch(executable_path=found, args=FLAGS, env=env)
        return self.started[font]


@pytest.fixture(scope="package")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsers]:
    """Browsers, started when they are wanted."""
    with sync_playwright() as playwright:
        made = Browsers(playwright, tmp_path_factory.mktemp("fonts"))
        yield made
        for browser in made.started.values():
            browser.close()


Open = Callable[..., Page]


def set_text(page: Page, size: int) -> None:
    """The text size that a reader chose; what a session sets ends with it, so this one stays as long as the page."""
    hand = page.context.new_cdp_session(page)
    hand.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size * 13 // USUAL}})


class Desk:
    """The browsers as a phone or a desk; between tests each keeps the static files, and nothing else."""

    def __init__(self, browsers: Browsers, site: str) -> None:
        self.browsers, self.site = browsers, site
        self.faults: list[str] = []
        self.contexts: dict[tuple[str, bool, bool, str], BrowserContext] = {}
        self.anchors: list[Page] = []

    def context(self, size: str, scripts: bool, font: str) -> BrowserContext:
        """A new one; it notes what fails in a script, and whatever would leave this machine."""
        made = self.browsers.with_font(font).new_context(
            viewport=SIZES[size],  # type: ignore[arg-type]
            has_touch=size == "phone",
            is_mobile=size == "phone",
            java_script_enabled=scripts,
        )
        made.set_default_timeout(PATIENCE)
        made.on("weberror", lambda error: self.faults.append(f"script: {error.error}"))
        made.on("console", lambda said: self._hear(said.type, said.text))
        made.on("request", lambda one: self._see(one.url))
        return made

    def open(
        self,
        address: str,
        size: str = "desk",
        *,
        scripts: bool = True,
        fresh: bool = False,
        font: str = "wide",
        text: int = USUAL,
    ) -> Page:
        """Open an address; `fresh` where a test changes more than its pages, `text` the size that a reader chose."""
        key = (size, scripts, fresh, font)
        if key not in self.contexts:
            self.contexts[key] = self.context(size, scripts, font)
            if not fresh:
                self.anchors.append(self.contexts[key].new_page())
                self.anchors[-1].goto(self.site + ANCHOR)
        page = self.contexts[key].new_page()
        if text != USUAL:
            set_text(page, text)
        page.goto(self.site + address)
        if scripts:
            page.wait_for_selector("[data-more]", state="detached")  # a heat map comes cell by cell
        return page

    def tidy(self) -> None:
        """Close every page, and forget what they kept on the device."""
        for key, context in list(self.contexts.items()):
            if key[2]:
                context.close()
                del self.contexts[key]
                continue
            for page in context.pages:
                if page in self.anchors:
                    continue
                if key[1]:
                    page.evaluate(FORGET)
                page.close()

    def _hear(self, kind: str, text: str) -> None:
        """A browser complains of every 4xx and htmx of what nobody waits for any more; other errors are ours."""
        if kind == "error" and not text.startswith(("Failed to load resource", *QUIET)):
            self.faults.append(text)

    def _see(self, address: str) -> None:
        if urlsplit(address).hostname != urlsplit(self.site).hostname and not address.startswith("blob:"):
            self.faults.append(f"left this machine: {address}")


@pytest.fixture(scope="package")
def desk(browsers: Browsers, site: str) -> Desk:
    """The browsers at our site."""
    return Desk(browsers, site)


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
