"""Stat lines and names of units as inputs: a box is tapped and stepped, a unit is picked from a sheet."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.test_asking import ROW


@pytest.mark.parametrize(
    ("address", "stat", "shown", "said"),
    [
        ("/vehicles5/shoot", "guns.0.bs", "3", r"bs=3"),  # a number of an entry
        ("/deathwatch/shoot", "bs", "47", r"bs=47"),
        ("/diceless40k/shoot", "armour", "5+", r"armour=5"),  # one of a few
        ("/second_edition/shoot", "strength", "3", r"strength=3"),
    ],
)
def test_a_box_of_a_stat_line_is_tapped_and_stepped(open_page, address, stat, shown, said):
    page = open_page(address, "phone")
    box = page.locator(f'[data-stat="{stat}"]')
    before = box.locator("[data-value]").inner_text()
    number = page.locator("#foot b")
    expect(page.locator("#numbers")).not_to_have_attribute("open", "")
    box.tap()
    expect(box).to_have_attribute("aria-expanded", "true")
    page.locator("#stat-less").tap()
    expect(box.locator("[data-value]")).to_have_text(shown)
    expect(page.locator(".statstep output")).to_have_text(shown)
    expect(page).to_have_url(re.compile(said))
    expect(page.locator("#answer .answer")).to_have_attribute("data-address", re.compile(said))
    told = number.inner_text()
    page.reload()  # what was set stays in its box
    expect(box.locator("[data-value]")).to_have_text(shown)
    expect(number).to_have_text(told)
    box.tap()
    page.locator("#stat-more").tap()
    expect(box.locator("[data-value]")).to_have_text(before)
    expect(page).not_to_have_url(re.compile(said))


def test_a_box_that_cannot_be_stepped_leads_to_its_input(open_page):
    page = open_page("/deathwatch/shoot", "phone")
    page.locator('[data-stat="damage"]').tap()
    expect(page.locator("#f-damage")).to_be_focused()
    expect(page.locator("#numbers")).to_have_attribute("open", "")


def test_other_models_of_a_unit_stand_in_its_stat_line(open_page):
    page = open_page("/diceless40k/shoot", "phone")
    expect(page.locator(".who.d .stats")).to_contain_text("Nob")
    page.locator('[data-stat="others.0.models"]').tap()
    page.locator("#stat-more").tap()
    expect(page.locator("#foot")).to_contain_text("of 11 models fall")


def test_units_are_added_from_the_sheet_and_dropped_again(open_page):
    page = open_page("/diceless40k/army_tokens", "phone")
    expect(page.locator("#f-units")).to_be_hidden()
    page.locator("#f-units-add-pick").tap()
    page.locator(ROW, has=page.locator("b", has_text=re.compile("^Devastators$"))).tap()
    expect(page).to_have_url(re.compile(r"units=Space\+Marines,\+Devastators,\+Librarian\+Osric\+Vale,\+Devastators"))
    expect(page.locator("#foot b")).to_have_text("10")
    page.get_by_role("button", name="Drop Devastators").last.tap()
    expect(page.locator("#foot b")).to_have_text("6")
    page = open_page("/diceless40k/army_tokens", "phone", scripts=False)
    expect(page.locator("#f-units")).to_be_visible()


def test_the_carrier_of_a_gun_is_picked_or_named(open_page):
    page = open_page("/diceless40k/shoot", "phone")
    page.locator("#numbers > summary").tap()
    page.locator("#f-guns-2-bearers-pick").tap()
    page.locator(ROW, has=page.locator("b", has_text=re.compile("^Devastators$"))).tap()
    expect(page).to_have_url(re.compile("bearers=Devastators"))
    page.locator("#f-guns-2-bearers-pick").tap()
    page.locator(ROW, has_text="Other…").tap()
    page.locator("input#f-guns-2-bearers").fill("Squad Two")
    expect(page).to_have_url(re.compile(r"Squad"))
