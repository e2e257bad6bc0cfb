"""A drawer opens where it was pressed: the page of a phone stays where the thumb left it, on a desk the drawer does."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

QUESTIONS = (
    "/vehicles5/shoot",
    "/deathwatch/shoot",
    "/second_edition/blast",
    "/diceless40k/tokens",
    "/attack_dice/attack/roll?_seed=7",
    "/vehicles5/shoot/targets",
    "/attack_dice/rules",
)
HEIGHTS = (0.2, 0.45, 0.7)
"""Where the summary stands when it is tapped, as a part of the screen."""
PLACED = """(summary, height) => {
  summary.closest("details").open = false;
  scrollBy(0, summary.getBoundingClientRect().top - innerHeight * height);
  return [summary.getBoundingClientRect().top, scrollY];
}"""
DRAWN = """(summary) => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
  () => done([summary.getBoundingClientRect().top, scrollY]))))"""


@pytest.mark.parametrize("address", QUESTIONS)
def test_a_drawer_opens_where_it_was_tapped(open_page, address):
    page = open_page(address, "phone")
    page.wait_for_load_state("networkidle")
    opened = 0
    for summary in page.locator("main details > summary").all():
        if not summary.is_visible():
            continue  # it lies in a drawer that is closed
        for height in HEIGHTS:
            before = summary.evaluate(PLACED, height)
            summary.tap()
            expect(summary.locator("xpath=..")).to_have_attribute("open", "")
            after = summary.evaluate(DRAWN)
            moved = [abs(one - two) for one, two in zip(before, after, strict=True)]
            assert max(moved) < 2, f"{summary.inner_text()!r} at {height}"
            opened += 1
        summary.evaluate("summary => { summary.closest('details').open = false; }")
    assert opened >= len(HEIGHTS)


BESIDE = ("/deathwatch/horde", "/diceless40k/focus", "/diceless40k/shoot")
"""Where a drawer makes the shorter column the longer one."""


@pytest.mark.parametrize("address", BESIDE)
def test_a_drawer_beside_a_longer_column_stays_where_it_was_pressed(open_page, address):
    page = open_page(address, "desk")
    page.wait_for_load_state("networkidle")
    for name in ("All numbers", "Rulings", "as a table"):
        summary = page.locator("main details > summary").filter(has_text=name).first
        for height in HEIGHTS:
            summary.evaluate(PLACED, height)
            summary.scroll_into_view_if_needed()
            before = summary.bounding_box()["y"]
            summary.press("Enter")
            expect(summary.locator("xpath=..")).to_have_attribute("open", "")
            summary.evaluate(DRAWN)
            assert abs(summary.bounding_box()["y"] - before) < 2, f"{name} at {height}"
            summary.evaluate("summary => { summary.closest('details').open = false; }")
