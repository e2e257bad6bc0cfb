"""Taking an answer away in a browser: the picture, the files, the text and the link."""

from __future__ import annotations

import re

from playwright.sync_api import expect


def test_from_an_answer_to_its_files(open_page, size):
    page = open_page("/attack_dice/attack?models=7", size)
    page.locator(".acts summary").click()
    page.locator(".acts").get_by_role("link", name="Export").click()
    expect(page.locator("h1")).to_have_text("Export")
    picture = page.locator(".frame img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 300
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    assert saved.value.suggested_filename == "attack_dice-attack.csv"
    with page.expect_download() as saved:
        page.get_by_role("link", name="PNG", exact=True).click()
    assert saved.value.suggested_filename == "attack_dice-attack-casualties.png"
    assert "models=7" in page.locator("#link").input_value()
    assert page.locator("#link").input_value() in page.locator("#text").input_value()


def test_another_measure_changes_the_picture_and_the_text(open_page):
    page = open_page("/attack_dice/attack/take?models=7")
    page.select_option("#measure", "hp_lost")
    expect(page.locator("#text")).to_have_value(re.compile("HP lost: "))
    assert "_measure=hp_lost" in page.locator(".frame img").get_attribute("src")


def test_the_text_is_copied_where_the_clipboard_is_not_given(open_page):
    page = open_page("/attack_dice/attack/take?models=7")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy the text").click()
    expect(page.locator("#said")).to_have_text("Copied")


def test_it_works_without_scripts(open_page):
    page = open_page("/attack_dice/attack/take?models=7", "phone", scripts=False)
    page.select_option("#measure", "hp_lost")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#text")).to_contain_text("HP lost: ")
    assert page.get_by_role("button", name="Copy the text").count() == 0
