"""What does not fit, a thumb that only scrolls, and where the focus goes: nobody is left with an old answer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.pages import ATTACK

MISFIT = "“Attack dice of one model” must be a whole number from 1 to 1,000; got '{}'."


def swipe(page: Page, x: float, y: float, by: tuple[float, float]) -> None:
    """Draw a finger over the screen."""
    hand = page.context.new_cdp_session(page)
    spots = [{"x": x + by[0] * at / 8, "y": y + by[1] * at / 8} for at in range(9)]
    for at, spot in enumerate(spots):
        kind = "touchMove" if at else "touchStart"
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [spot]})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("place", ['button[aria-label="more: Power"]', 'input[type="range"][data-for="f-power"]'])
def test_a_thumb_that_scrolls_changes_nothing(open_page, place):
    page = open_page(ATTACK, "phone")
    slider = page.locator('input[type="range"][data-for="f-power"]')
    box = page.locator(place).bounding_box()
    swipe(page, box["x"] + 8, box["y"] + box["height"] / 2, (3, -150))
    page.wait_for_function("() => scrollY > 50")
    expect(slider).to_have_value("6")
    expect(page.locator("#f-power")).to_have_value("6")


def test_a_thumb_that_moves_sideways_means_the_slider(open_page):
    page = open_page(ATTACK, "phone")
    slider = page.locator('input[type="range"][data-for="f-power"]')
    box = slider.bounding_box()
    swipe(page, box["x"] + box["width"] / 3, box["y"] + box["height"] / 2, (50, 3))
    expect(page.locator("#f-power")).not_to_have_value("6")
    expect(page).not_to_have_url(re.compile("power=6"))


def test_a_button_held_down_goes_on_and_a_tap_is_one_step(open_page, size):
    page = open_page(ATTACK, size)
    more = page.get_by_label("more: Power")
    more.click()
    expect(page.locator("#f-power")).to_have_value("7")
    box = more.bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    expect(page.locator("#f-power")).to_have_value(re.compile(r"^(9|\d\d)$"))
    page.mouse.up()
    value = page.locator("#f-power").input_value()
    more.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#f-power")).to_have_value(str(int(value) + 1))


def test_a_value_that_does_not_fit_is_told_and_the_old_answer_is_out_of_use(open_page, size):
    page = open_page(ATTACK, size)
    field, row = page.locator("#f-attacks"), page.locator('[data-row="attacks"]')
    for value in ("9999999", "0", "", "2.5"):
        field.fill(value)
        expect(row.locator(".misfit")).to_have_text(MISFIT.format(value))
        expect(page.locator("#trouble[role=alert]")).to_contain_text(f"got '{value}'")
        expect(page).to_have_url(re.compile(f"attacks={value}(&|$)"))
    expect(field).to_have_attribute("aria-describedby", "misfit")
    assert page.locator('input[data-for="f-attacks"]').get_attribute("max") == "25"
    assert page.locator("#answer > section").evaluate_all("(all) => all.every((one) => one.inert)")
    if size == "phone":
        expect(page.locator(".sticky")).to_have_count(1)
        expect(page.locator(".sticky")).to_contain_text("got '2.5'")
        expect(page.locator(".sticky .btn")).to_have_count(0)
        page.locator(".sticky a").click()
        expect(page.locator("#trouble h2")).to_be_in_viewport()
    page.reload()
    expect(field).to_have_value("2.5")
    field.fill("12")
    expect(page.locator(".headline p")).to_contain_text("59 % for three or more")
    expect(page.locator(".misfit")).to_have_count(0)
    if size == "phone":
        expect(page.locator(".sticky .btn")).to_be_visible()


def test_the_form_lives_on_while_something_does_not_fit(open_page, size):
    page = open_page("/vehicles5/shoot?_blank=1", size)
    page.locator("#f-guns-0-shots").fill("999")
    expect(page.locator('[data-row="guns.0.shots"] .misfit')).to_contain_text("got '999'")
    page.get_by_role("button", name="Add a gun").click()
    expect(page.locator(".entry")).to_have_count(2)
    page.locator("#f-guns-1-weapon").select_option("Meltagun")
    expect(page.locator("#f-guns-1-ap")).to_have_value("1")
    expect(page).to_have_url(re.compile("guns.1.weapon=Meltagun"))
    page.reload()
    expect(page.locator("#f-guns-0-shots")).to_have_value("999")
    expect(page.locator("#f-guns-1-weapon")).to_have_value("Meltagun")
    page.locator("#f-guns-0-shots").fill("2")
    expect(page.locator("#trouble")).to_be_empty()
    expect(page).to_have_url(re.compile(r"guns=shots=2.*&guns=weapon=Meltagun$"))


def test_the_focus_follows_an_entry_that_is_added_copied_or_removed(open_page, size):
    page = open_page("/vehicles5/shoot?_blank=1", size)
    said = page.locator("#said")
    page.get_by_role("button", name="Add a gun").click()
    expect(page.locator("#f-guns-1-weapon-pick")).to_be_focused()
    expect(said).to_contain_text("Gun 2 is new. Destroyed")
    page.get_by_role("button", name="Copy").last.click()
    expect(page.locator("#f-guns-2-weapon-pick")).to_be_focused()
    page.get_by_role("button", name="Remove Gun 1").click()
    expect(page.get_by_role("button", name="Add a gun")).to_be_focused()
    expect(said).to_contain_text("Gun 1 is removed. Destroyed")


def test_a_change_is_kept_though_the_page_is_left_at_once(open_page):
    page = open_page(ATTACK, fresh=True)  # with a clock of its own, which stands still
    page.clock.install()
    page.goto(page.url)
    page.clock.pause_at("2100-01-01")
    page.locator('[data-row="armour"] label', has_text="3+").click()
    page.clock.run_for(100)
    expect(page).to_have_url(re.compile("armour=3"))
    page.goto(page.url.split("/attack_dice")[0] + "/")
    expect(page.locator("#recent li a").first).to_have_attribute("href", re.compile("armour=3"))


def test_a_field_says_what_does_not_fit_without_the_sign_of_its_rule(open_page):
    page = open_page("/deathwatch/shoot?distance=-5")
    told = page.locator('[data-row="distance"] .misfit')
    expect(told).to_have_text("“Distance” must be a number from 0 to 10,000; got '-5'.")
    expect(page.locator("#trouble").get_by_role("link", name="Rule DW-RANGE-1")).to_be_visible()
