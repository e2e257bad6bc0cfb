"""Pictures in a browser: a tap on a side or a place is the input, and every choice says what would become of it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

SHOOT = "/vehicles5/shoot?front=13&guns=weapon%3DLascannon+models%3D3"
BURST = "/deathwatch/shoot?health=12"


def tap(page: Page, part: str) -> None:
    """A tap in the middle of a part of the picture, where no other part lies on top."""
    page.locator(part).first.scroll_into_view_if_needed()
    page.locator(part).first.dispatch_event("click")


def test_a_tap_on_a_side_asks_about_that_side_and_all_sides_say_their_answers(open_page):
    page = open_page(SHOOT, "phone")
    figures = page.locator(".vehicle [data-if]")
    expect(figures).to_have_text(["21 %", "39 %", "39 %", "47 %"])
    page.locator(".vehicle .arc").first.scroll_into_view_if_needed()
    side = page.locator('.vehicle .arc[data-set="guns.0.facing=side"]').first.bounding_box()
    assert side is not None
    page.mouse.click(side["x"] + 14, side["y"] + side["height"] / 2)
    expect(page).to_have_url(re.compile("facing=side"))
    expect(page.locator("#answer .big")).to_have_text("39 %")
    expect(page.locator(".arc.on").first).to_have_attribute("data-set", "guns.0.facing=side")
    expect(page.locator('input[name="guns.0.facing"][value="side"]')).to_be_checked()
    expect(figures).to_have_text(["21 %", "39 %", "39 %", "47 %"])
    expect(page.locator(".vehicle .stale")).to_have_count(0)
    page.locator('input[name="guns.0.facing"][value="side"]').press("ArrowRight")  # the same by keyboard
    expect(page.locator("#answer .big")).to_have_text("47 %")
    expect(page.locator(".arc.on").first).to_have_attribute("data-set", "guns.0.facing=rear")


def test_a_tap_on_a_place_puts_it_behind_cover_or_aims_at_it(open_page):
    page = open_page(BURST, "desk")
    bare = page.locator("#answer .big").text_content()
    tap(page, '[data-place="body"]')
    expect(page).to_have_url(re.compile("cover=Sandbags&hidden=body$"))
    expect(page.locator("#answer .big")).not_to_have_text(bare or "")
    expect(page.locator('[data-place="body"]')).to_have_class(re.compile("covered"))
    tap(page, '[data-place="head"]')
    expect(page).to_have_url(re.compile(r"hidden=head,\+body$"))
    expect(page.locator('input[name="hidden"]:checked')).to_have_count(2)
    tap(page, '[data-place="body"]')
    expect(page).to_have_url(re.compile("hidden=head$"))
    tap(page, '[data-place="head"]')
    expect(page).to_have_url(re.compile(r"shoot\?health=12$"))
    expect(page.locator("#answer .big")).to_have_text(bare or "")
    page.get_by_role("button", name="Tap to aim").click()
    expect(page.locator(".body [data-if]").first).to_have_text(re.compile("%"))
    tap(page, '[data-place="head"]')
    expect(page).to_have_url(re.compile("mode=single&called=head$"))
    expect(page.locator('[data-place="head"]')).to_have_class(re.compile("aimed"))
    expect(page.locator('.body [data-if="called=body;mode=single"]')).to_have_text(re.compile(r"\d"))
