"""The rule book in a browser: found as one types, with and without scripts, by keyboard alone."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PAGES = ["rules", "rules?words=walker", "rules/V5-PEN-3", "tables", "sources", "units", "shoot/take"]


def test_rules_are_found_as_somebody_types(open_page, size):
    page = open_page("/vehicles5/rules", size)
    page.keyboard.press("/")
    expect(page.locator("#words")).to_be_focused()
    page.keyboard.type("fire point")
    expect(page.locator(".rule").first).to_contain_text("Fire points")
    expect(page).to_have_url(re.compile(r"words=fire\+point$"))
    expect(page.locator("#said")).to_contain_text("of 162 rules hold “fire point”")
    expect(page.locator("mark").first).to_have_text(re.compile("fire", re.IGNORECASE))
    page.locator(".rule h3 a").first.click()
    expect(page.locator("h1")).to_contain_text("Fire points")
    page.go_back()
    expect(page.locator("#words")).to_have_value("fire point")


def test_from_a_clause_to_its_source_its_question_and_back(open_page, size):
    page = open_page("/vehicles5/rules/V5-PEN-4", size)
    page.locator(".from a").click()
    expect(page.locator("tr:target th")).to_have_text("sheet, line 113")
    page.locator("tr:target a").first.click()
    page.locator(".chip").first.click()
    expect(page.locator("#answer .headline")).to_be_visible()


def test_the_book_works_without_scripts(open_page):
    page = open_page("/vehicles5/rules", "phone", scripts=False)
    page.fill("#words", "smoke")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".rule").first).to_contain_text("smoke", ignore_case=True)
    page.get_by_role("link", name="Tables").first.click()
    assert page.locator("table.print").count() == 15


def test_no_page_is_wider_than_a_phone(open_page):
    for one in PAGES:
        page = open_page(f"/vehicles5/{one}", "phone")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, one


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(open_page, size, scheme):
    for one in PAGES:
        page = open_page(f"/vehicles5/{one}", size, scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert [
            (one, each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")
        ] == []


@pytest.mark.parametrize("address", PAGES)
def test_every_control_is_large_enough_for_a_thumb(open_page, address):
    page = open_page(f"/vehicles5/{address}", "phone")
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, select, .btn, .chip, summary, nav a, input[type=search]")]
        .filter((one) => one.checkVisibility() && !one.classList.contains("sr"))
        .filter((one) => one.getBoundingClientRect().height < 43.5)
        .map((one) => one.outerHTML.slice(0, 90))"""
    )
    assert small == []
