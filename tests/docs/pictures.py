"""`python -m tests.docs.pictures [NAME…]`: take the pictures of the docs anew, from the page as it is now.

They are taken in Chromium, in the fonts of the machine, and go to docs/pictures; look at them before you keep them.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

import battletape as bt
from tests.docs.pages import DOCS
from tests.web.browser.conftest import Browsers, free_port, serving

PLACE = DOCS / "pictures"
LARGEST = 150_000  # bytes
SIZES = {"desk": (1060, 700), "tall": (980, 830), "phone": (390, 780)}
VOLLEY = "guns=4+x+Lascannon&vehicle=Anvil+battle+tank"
TANK = {"guns": ["4 x Lascannon"], "vehicle": "Anvil battle tank"}
ATTACK = "weapon=Storm+carbine&bearers=6&unit=Hill+raiders"
BURST = "attacker=Brother+Cato&weapon=Astartes+Bolter+%28Godwyn%29&target=Raider&distance=20"


@dataclass(frozen=True)
class Shot:
    """A picture: an address of the page, the window it is seen in, and where the page is scrolled to."""

    address: str
    size: Literal["desk", "tall", "phone"] = "desk"
    scheme: Literal["light", "dark"] = "light"
    to: str = ""  # a selector of what comes into view


def lucky_seed() -> int:
    """The first seed with which the tank is destroyed: a roll worth seeing."""
    vehicles5 = bt.ruleset("vehicles5")
    rolls = ((seed, vehicles5.roll("shoot", seed=seed, **TANK)) for seed in range(1, 100))
    return next(seed for seed, roll in rolls if roll.results["destroyed"])


SHOTS = {
    "page": Shot(f"/vehicles5/shoot?{VOLLEY}", "tall"),
    "home": Shot("/"),
    "phone": Shot(f"/vehicles5/shoot?{VOLLEY}", "phone"),
    "roll": Shot(f"/vehicles5/shoot/roll?{VOLLEY}&_seed={lucky_seed()}", "phone"),
    "dice": Shot(f"/attack_dice/attack/dice?{ATTACK}", "phone"),
    "deathwatch": Shot(f"/deathwatch/shoot?{BURST}", "tall", "dark"),
    "board": Shot("/second_edition/blast"),
    "compare": Shot(f"/attack_dice/attack/compare?{ATTACK}&_variant=power%3D8"),
    "rules": Shot("/vehicles5/rules?words=smoke"),
}
"""What is seen where; `notebook` is made from an answer itself."""
NAMES = (*SHOTS, "notebook")
NOTEBOOK = """<body style="font:14px/1.5 system-ui,sans-serif;margin:16px;width:620px">
<style>td,th{{padding:2px 10px;text-align:left}}table{{border-collapse:collapse}}</style>
<pre style="background:#f5f1e8;padding:8px">answer</pre>{}</body>"""


def take(browser: Browser, site: str, shot: Shot) -> bytes:
    """A picture of a page once nothing moves any more."""
    wide, high = SIZES[shot.size]
    page = browser.new_page(viewport={"width": wide, "height": high}, color_scheme=shot.scheme, reduced_motion="reduce")
    page.goto(site + shot.address)
    page.wait_for_load_state("networkidle")
    assert "does not fit" not in page.inner_text("main"), page.inner_text("main")
    if shot.to:
        page.locator(shot.to).first.scroll_into_view_if_needed()
    return _picture(page)


def notebook(browser: Browser) -> bytes:
    """An answer as a notebook shows it."""
    answer = bt.ruleset("vehicles5").ask("shoot", **TANK)
    page = browser.new_page(viewport={"width": 680, "height": 400})
    page.set_content(NOTEBOOK.format(answer._repr_html_()))
    return _picture(page, whole=True)


def _picture(page: Page, *, whole: bool = False) -> bytes:
    picture = page.screenshot(full_page=whole, animations="disabled")
    page.close()
    return picture


def main(names: list[str]) -> None:
    """Take the pictures of these names, or all of them."""
    PLACE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        port = free_port()
        with chdir(place), serving(port, Path(place) / "log"):  # the page lists the battles of the folder it runs in
            browser = Browsers(playwright, Path(place)).with_font("")
            for name in names or NAMES:
                shot = SHOTS.get(name)
                picture = take(browser, f"http://127.0.0.1:{port}", shot) if shot else notebook(browser)
                (PLACE / f"{name}.png").write_bytes(picture)
                print(f"{name}: {len(picture):,} bytes" + (" (too large)" if len(picture) > LARGEST else ""))
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
