"""Every kind of page on a phone and at a desk, light and dark: nobody is shut out, nothing sticks out, thumbs fit.

With PICTURES=1 pictures go to the folder screenshots, which git ignores, in the fonts of the machine: look at them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import SIZES, set_text
from tests.web.browser.fonts import PLAIN, advance
from tests.web.browser.room import OPEN, amiss
from tests.web.pages import ATTACK, PAGES

SCREENSHOTS = Path("screenshots")
HIGHEST = 4_000
"""Pictures show so much of a long page."""
MARK = """() => {
  const numbers = new Map(), known = new Map(), groups = new Map();
  const number = (text) => { if (!numbers.has(text)) numbers.set(text, numbers.size); return numbers.get(text); };
  const named = new Set([...document.querySelectorAll("[aria-labelledby]")]
    .filter((one) => one.disabled || one.ariaDisabled)
    .flatMap((one) => one.getAttribute("aria-labelledby").split(" ")));
  const around = (one) => {
    if (!one) return -1;
    if (!known.has(one)) {
      const style = getComputedStyle(one);
      const flows = ["static", "relative"].includes(style.position) && style.transform === "none";
      known.set(one, number([
        around(one.parentElement), one.tagName, one.getAttribute("class"), one.getAttribute("style"), one.role,
        one.type, one.disabled, one.ariaDisabled, one.inert, one.ariaHidden, one.control?.disabled,
        one.control?.ariaDisabled,
        named.has(one.id), style.color, style.fill, style.backgroundColor, style.backgroundImage, style.opacity,
        style.filter, style.mixBlendMode, style.textShadow, style.fontSize, style.fontWeight, style.visibility,
        flows ? "" : known.size,
      ].join("|")));
    }
    return known.get(one);
  };
  for (const one of document.querySelectorAll("*")) {
    one.removeAttribute("data-look");
    const own = [...one.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data).join("").trim();
    const box = one.getBoundingClientRect();
    const key = [around(one), Math.min(own.length, 2), /[\\p{L}\\d]/u.test(own), one.checkVisibility(),
      box.width > 0 && box.height > 0, box.left >= 0 && box.right <= document.documentElement.clientWidth].join();
    if (groups.has(key)) groups.get(key)[1] = one; else groups.set(key, [one]);
  }
  for (const one of [...groups.values()].flat()) one.setAttribute("data-look", "");
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-look]" }] });
}"""
"""Of all texts that look alike, and whatever they stand in too, axe looks at the colours of the first and the last."""
AXE = """(options) => axe.run(document, { preload: false, resultTypes: ["violations"], ...options })
  .then((found) => found.violations.filter((one) => ["serious", "critical"].includes(one.impact) ||
      ["landmark-unique", "empty-table-header"].includes(one.id))
    .flatMap((one) => one.nodes.slice(0, 3).map((node) => `${one.id}: ${node.target} ${node.failureSummary}`)))"""
SMALL = """() => [...document.querySelectorAll(
    "button, select, summary, textarea, input:not([type=hidden], [type=range]), .btn, .chip, .change, nav a, " +
    ".brand, .crumb a, .system a, .contents a, .versus-table a, .heat a")]
  .filter((one) => one.checkVisibility() && !one.closest(".sr, .sheeted"))
  .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([one, box]) => box.height < 43.5 || (one.matches("button, .btn") && box.width < 43.5))
  .map(([one]) => one.outerHTML.slice(0, 120))"""
CUT = """() => [...document.querySelectorAll(".sticky span")]
  .filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)"""
WIDE = (
    "/vehicles5/what_may_it_do?types=tank&guns=strength=9&guns=strength=4&smoke_launchers=yes&band=combat",
    "/vehicles5/ram",
    "/deathwatch/fight",
    "/deathwatch/shoot",
    "/deathwatch/burning",
)
"""Questions with long names, long words in their answers, and long ids."""
FEWER = """() => {
  const most = { FIELDSET: 8, FORM: 8, DETAILS: 8, DIV: 8 };
  for (const home of document.querySelectorAll(
      "main, section, div, ul, ol, dl, tbody, select, fieldset, form, details")) {
    const seen = {};
    for (const one of [...home.children]) {
      seen[one.tagName] = (seen[one.tagName] ?? 0) + 1;
      if (seen[one.tagName] > (most[home.tagName] ?? 4)) one.remove();
    }
  }
}"""
STILL = """() => Promise.all(document.getAnimations().filter((one) => one.timeline === document.timeline)
  .map((one) => one.finished)).then(() => 0)"""


LOOKED_AT: dict[tuple[str, str], dict[str, Any]] = {
    ("phone", "light"): {},
    ("phone", "dark"): {"runOnly": ["color-contrast"]},
    ("desk", "dark"): {"rules": {"color-contrast": {"enabled": False}}},
}
"""What axe looks at in each state: colours do not change with the size, nor anything else with the light."""


def serious(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """What axe finds that would shut somebody out."""
    page.evaluate(MARK)
    found: list[Any] = page.evaluate(AXE, options or {})
    return found


def states(page: Page) -> Iterator[tuple[str, str]]:
    """The page in each size and in each light; three of four will do."""
    for size, scheme in LOOKED_AT:
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=scheme)
        yield size, scheme


DENSE = ("home", "question", "question with lists", "question with a body", "compare", "heat map", "rule")
"""Where things stand side by side: only there may a narrow font leave too little room, or a desk shut somebody out."""
SIDE_BY_SIDE = (*WIDE, *(PAGES[kind] for kind in DENSE))


@pytest.mark.parametrize("kind", PAGES)
def test_everything_finds_room_fits_thumbs_and_is_accessible(open_page, kind):
    """One visit to a page for all of it, because the way there takes longest."""
    if os.environ.get("PICTURES"):
        take_pictures(open_page(PAGES[kind], "phone", font=""), kind)
    page = open_page(PAGES[kind], "phone")
    finds_room(page)
    for size in SIZES:
        page.set_viewport_size(SIZES[size])
        assert page.evaluate(SMALL) == []
    page.evaluate(FEWER)  # of many alike a few will do: axe takes a minute for a thousand
    page.evaluate(AXE_SCRIPT + "; 0")
    for size, scheme in states(page):
        if size == "phone" or kind in DENSE:
            page.evaluate(STILL)
            assert serious(page, LOOKED_AT[size, scheme]) == [], (size, scheme)


@pytest.mark.parametrize("address", WIDE)
def test_long_names_and_long_words_find_room_and_the_bar_of_a_phone_says_all_it_has_to_say(open_page, address):
    page = open_page(address, "phone")
    assert page.evaluate(CUT) == []
    finds_room(page)


def finds_room(page: Page) -> None:
    """Whether everything has room on phones and at a desk, and on a small phone with large text."""
    page.evaluate(OPEN)
    for text, widths in ((16, (360, 320, 1280)), (24, (320,)), (16, ())):
        set_text(page, text)
        assert page.evaluate("getComputedStyle(document.body).fontSize") == f"{text}px"
        for width in widths:
            assert amiss(page, width) == [], f"at {width} pixels, with text of {text}"


@pytest.mark.parametrize("font", PLAIN)
def test_no_font_of_the_machine_counts(open_page, font):
    page = open_page("/api", font=font)
    for place in ("h1", ".lead", "code"):
        text = "Hamburgefonts, 12 % wide"
        width = "([one, text]) => { one.textContent = text; one.style = 'position: absolute; white-space: nowrap';"
        width += " return one.getBoundingClientRect().width / parseFloat(getComputedStyle(one).fontSize); }"
        found = page.locator(place).first.evaluate(f"(one, text) => ({width})([one, text])", text)
        assert abs(found / advance(font, text) - 1) < 0.06, place


@pytest.mark.parametrize("address", SIDE_BY_SIDE)
def test_a_narrow_font_leaves_room_too(open_page, address):
    page = open_page(address, "phone", font="narrow")
    page.evaluate(OPEN)
    for width in (320, 1280):
        assert amiss(page, width) == [], f"at {width} pixels"


@pytest.mark.parametrize(
    "address",
    [
        "/attack_dice/attack/compare?power=6&_variant=power%3D7&_variant=power%3D8&_variant=power%3D9",
        "/vehicles5/shoot/targets",
    ],
)
def test_a_wide_table_keeps_its_first_column_and_says_that_it_goes_on(open_page, address):
    page = open_page(address, "phone")
    box = page.locator(".wider")
    left = "one => one.querySelector('th[scope=row]').getBoundingClientRect().left"
    shade = "one => Number(getComputedStyle(one, '::after').opacity)"
    assert box.evaluate("one => one.scrollWidth > one.clientWidth")
    expect(page.locator(".sideways")).to_be_visible()
    place = box.evaluate(left)
    assert box.evaluate(shade) > 0
    box.evaluate("one => { one.scrollLeft = one.scrollWidth; }")
    assert abs(box.evaluate(left) - place) <= 2
    page.wait_for_function(f"() => ({shade})(document.querySelector('.wider')) === 0")


def take_pictures(page: Page, kind: str) -> None:
    """A picture for the folder: on a phone by day, at a desk by night."""
    SCREENSHOTS.mkdir(exist_ok=True)
    page.evaluate(STILL)
    for size, scheme in states(page):
        if (size, scheme) != ("phone", "dark"):
            high = min(page.evaluate("document.documentElement.scrollHeight"), HIGHEST)
            picture = SCREENSHOTS / f"{kind.replace(' ', '-')}-{size}-{scheme}.png"
            page.screenshot(path=picture, full_page=True, clip={"x": 0, "y": 0, **SIZES[size], "height": high})


def test_a_page_with_a_rule_open_is_accessible(open_page, size):
    page = open_page(ATTACK, size)
    page.locator(".steps .clause").first.click()
    expect(page.locator("#beside h2")).to_be_visible()
    page.evaluate(AXE_SCRIPT + "; 0")
    assert serious(page) == []
