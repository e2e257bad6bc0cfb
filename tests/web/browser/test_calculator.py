"""The dice calculator in a browser: typing, keys, errors, and all of it without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from battletape.calculator import calculate
from battletape.views.calculator import figure_of


def test_what_is_typed_is_answered_while_the_line_keeps_the_focus(open_page):
    page = open_page("/dice")
    line = page.locator("#dice")
    line.fill("")
    line.press_sequentially("3d6 explode 6 >= 12")
    expect(page.locator("#answer .big")).to_have_text(figure_of(calculate("3d6 explode 6 >= 12")))
    expect(line).to_be_focused()
    expect(line).to_have_value("3d6 explode 6 >= 12")
    expect(page).to_have_url(re.compile(r"/dice\?dice=3d6"))
    expect(page.locator("#diceread")).to_contain_text("another die for each 6")
    line.press_sequentially("x")
    expect(page.locator("#trouble")).to_contain_text("got 'x'")
    line.press("Backspace")
    expect(page.locator("#trouble .trouble")).to_have_count(0)
    line.press("Enter")
    expect(line).to_have_value("3d6 explode 6 >= 12")


def test_keys_write_the_line_and_say_what_they_would_do(open_page):
    page = open_page("/dice?dice=8d6")
    chip = page.locator("#dicekeys .chip", has_text="count 5+")
    expect(chip.locator(".then")).to_have_text(figure_of(calculate("8d6 5+")))
    chip.click()
    expect(page.locator("#dice")).to_have_value("8d6 5+")
    expect(page.locator("#dicekeys .chip", has_text="count 5+")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Delete the last part").click()
    expect(page.locator("#dice")).to_have_value("8d6")
    page.locator("#nearby a").first.click()
    expect(page.locator("#dice")).to_have_value("9d6")


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_it_works_without_scripts(open_page, size):
    page = open_page("/dice?dice=8d6", size, scripts=False)
    page.locator("#key-d10").click()
    expect(page.locator("#dice")).to_have_value("8d10")
    page.locator("#dice").fill("2d6 >= 7")
    page.locator("#dice").press("Enter")
    expect(page.locator("#answer .big")).to_have_text("58 %")
    page.locator("#answer .acts a", has_text="Share").click()
    expect(page.locator("#share-link")).to_have_value(re.compile(r"/dice\?dice=2d6"))
