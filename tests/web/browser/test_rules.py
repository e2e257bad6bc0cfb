"""The rule book in a browser: found as one types, with and without scripts, by keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import expect


def test_rules_are_found_while_typing(open_page, size):
    page = open_page("/vehicles5/rules", size)
    page.keyboard.press("/")
    expect(page.locator("#words")).to_be_focused()
    page.keyboard.type("fire point")
    expect(page.locator(".rule").first).to_contain_text("Fire points")
    expect(page).to_have_url(re.compile(r"words=fire\+point$"))
    expect(page.locator("#said")).to_contain_text("of 162 rules fit “fire point”")
    expect(page.locator("mark").first).to_have_text(re.compile("fire", re.IGNORECASE))
    expect(page.locator(".rule .ruletext").first).to_be_visible()
    expect(page.locator(".rule .ruletext").nth(1)).to_be_hidden()
    page.locator(".rule .from a").first.click()
    expect(page.locator("h1")).to_contain_text("Fire points")
    page.go_back()
    expect(page.locator("#words")).to_have_value("fire point")


def test_from_a_clause_to_its_source_its_question_and_back(open_page, size):
    page = open_page("/vehicles5/rules/V5-PEN-4", size)
    page.locator(".from a").click()
    expect(page.locator("tr:target th")).to_have_text("sheet, line 113")
    page.locator("tr:target a").first.click()
    page.locator(".asks a").first.click()
    expect(page.locator("#answer .headline")).to_be_visible()


def test_a_book_is_short_and_opens_chapter_by_chapter(open_page, size):
    page = open_page("/vehicles5/rules", size)
    assert page.evaluate("document.documentElement.scrollHeight") < 2_500
    page.locator(".chapter > summary", has_text="Tank shock").click()
    page.locator(".rule > details > summary", has_text="Straight ahead").click()
    expect(page.locator("#V5-TANK-3 .ruletext")).to_be_visible()
    page.locator("#V5-TANK-3 .asks a").first.click()
    expect(page.locator("#answer .headline")).to_be_visible()


def test_the_book_works_without_scripts(open_page):
    page = open_page("/vehicles5/rules", "phone", scripts=False)
    page.fill("#words", "smoke")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".rule").first).to_contain_text("smoke", ignore_case=True)
    page.get_by_role("link", name="Tables").first.click()
    assert page.locator("table.print").count() == 15


def test_a_rule_found_in_the_book_leads_back_to_the_question_as_it_was_asked(open_page):
    asked = "/vehicles5/shoot?vehicle=Anvil+battle+tank&guns=weapon%3DMeltagun+models%3D2+facing%3Drear"
    page = open_page(asked)
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Rules").click()
    page.goto(page.url + "/V5-DMG-3")
    link = page.locator("ul.asks a[href^='/vehicles5/shoot']").first
    expect(link).to_have_attribute("href", re.compile("Meltagun"))
    link.click()
    page.wait_for_url(re.compile("Meltagun"))
