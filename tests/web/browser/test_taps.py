"""How many taps the usual tasks take on a phone from the first page on, counted as a thumb does them."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from battletape.calculator import calculate
from battletape.views.calculator import figure_of
from battletape.web.pages.share import qr_code
from battletape.web.rendering import render
from tests.web.browser.conftest import Open
from tests.web.browser.test_asking import ROW


class Thumb:
    """A thumb on a phone: it counts its taps, and can reach only what is in sight or can be scrolled to."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, place: Locator | str, has_text: str | None = None) -> None:
        """One tap."""
        found = self.page.locator(place, has_text=has_text) if isinstance(place, str) else place
        found.first.tap()
        self.taps += 1


def at_home(open_page: Open) -> Thumb:
    """A thumb on the first page; addresses are for those who know them."""
    return Thumb(open_page("/", "phone"))


def test_thirteen_attacks_at_a_unit(open_page):
    thumb = at_home(open_page)
    page = thumb.page
    thumb.tap(".tile a", "What will an attack do?")
    thumb.tap(page.get_by_label("more: Attack dice of one model"))
    expect(page).to_have_url(re.compile("attacks=13"))
    expect(page.locator("#foot")).to_contain_text("fall on average")
    assert thumb.taps == 2


def test_three_lascannons_at_a_side_in_smoke(open_page):
    thumb = at_home(open_page)
    page = thumb.page
    thumb.tap(".tile a", "What will a volley do to a vehicle?")
    thumb.tap("#numbers > summary")
    thumb.tap(page.get_by_role("link", name="Own numbers only"))
    thumb.tap("#f-guns-0-weapon-pick")
    thumb.tap(ROW, "Lascannon")
    expect(page).to_have_url(re.compile("guns=weapon=Lascannon$"))
    for _ in range(2):
        thumb.tap(page.get_by_label("more: Guns that fire"))
    thumb.tap('label:has(input[name="guns.0.facing"][value="side"])')
    expect(page).to_have_url(re.compile(r"models=3\+facing=side"))
    smoke = page.locator(".chip", has_text="Smoke")
    expect(smoke.locator(".then")).to_have_text("21 %")
    fast = page.locator('input[name="band"][value="flat_out"]')
    expect(fast).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".segrow", has=fast).locator(".whynot")).to_have_text("Flat out is too fast for this vehicle.")
    fast.dispatch_event("click")
    expect(fast).not_to_be_checked()
    expect(page.locator("#f-guns-0-half-range + span + .then")).to_have_text("no change")
    thumb.tap(smoke)
    expect(page.locator("#foot b")).to_have_text("21\u00a0%")
    expect(page).to_have_url(re.compile(r"smoke=yes&guns=weapon=Lascannon\+models=3\+facing=side"))
    assert thumb.taps <= 9


def test_two_weapons_are_compared(open_page):
    thumb = at_home(open_page)
    page = thumb.page
    thumb.tap(".tile a", "What will a volley do to a vehicle?")
    thumb.tap("#f-guns-0-weapon-pick")
    thumb.tap(page.get_by_role("link", name="Compare with Meltagun", exact=True))
    expect(page.locator("#compared")).to_contain_text("Meltagun")
    assert thumb.taps <= 3


def test_a_burst_at_a_target_in_cover_with_typed_dice(open_page):
    thumb = at_home(open_page)
    page = thumb.page
    thumb.tap(".tile a", "What will a shot or burst do to its target?")
    thumb.tap("#f-weapon-pick")
    thumb.tap(ROW, "Autogun")
    expect(page).to_have_url(re.compile("weapon=Autogun"))
    modes = page.locator(".part-mode .seg label")
    expect(modes.last.locator(".risk")).to_have_text("7.0 %")  # each fire mode with its odds and its risk
    expect(modes.last.locator("small").first).to_have_text(re.compile(r"\d\s%"))
    for place in ("body", "left_leg"):
        thumb.tap(f'figure.body [data-place="{place}"] .heat')
    expect(page).to_have_url(re.compile("cover=Sandbags.*hidden=body,\\+left_leg"))  # a place behind cover has one
    thumb.tap(".acts a", "My dice")
    expect(page).to_have_url(re.compile("/shoot/dice"))
    expect(page.locator("main")).to_contain_text("To hit")
    assert thumb.taps <= 8


def test_dice_from_the_first_page(open_page):
    thumb = at_home(open_page)
    page = thumb.page
    thumb.tap("header a", "Dice")
    thumb.tap("#key-d10")
    expect(page.locator("#dice")).to_have_value("8d10 reroll 1 5+")
    thumb.tap(page.get_by_role("button", name="one more").first)
    expect(page.locator("#dice")).to_have_value("9d10 reroll 1 5+")
    expect(page).to_have_url(re.compile(r"dice=9d10"))
    expect(page.locator("#answer .big")).to_have_text(figure_of(calculate("9d10 reroll 1 5+")))
    thumb.tap(page.locator(".sticky a", has_text="Roll"))
    expect(page.locator("#rolled h2").first).to_contain_text("9d10 reroll 1 5+: ")
    assert thumb.taps == 4


def test_a_question_is_shared_with_its_code_in_one_tap(open_page):
    thumb = Thumb(open_page("/attack_dice/attack?attacks=12&power=6", "phone"))
    page = thumb.page
    link = "http://192.0.2.7:8000/attack_dice/attack?attacks=12&power=6"
    near = render("share_part.html", link=link, path="/", only_here=False, code=qr_code(link))
    page.route("**/share?*", lambda route: route.fulfill(body=near, content_type="text/html"))  # as in a network
    thumb.tap(page.locator("#answer .acts > button", has_text="Share"))
    code = page.locator("dialog#share .qr")
    expect(code).to_be_in_viewport(ratio=1)
    assert thumb.taps == 1


def test_from_a_rule_to_its_question(open_page):
    thumb = at_home(open_page)
    page = thumb.page
    thumb.tap(page.get_by_role("link", name="Vehicles, 5th edition"))
    thumb.tap(page.get_by_role("link", name="Rules", exact=True))
    chapter = page.locator(".chapter", has=page.get_by_role("heading", name="Smoke", exact=True))
    thumb.tap(chapter.locator("> summary"))
    rule = chapter.locator(".rule").first
    thumb.tap(rule.locator("summary"))
    thumb.tap(rule.locator(".asks a"))
    expect(page.locator("#answer .headline")).to_be_visible()
    assert thumb.taps <= 5
