"""The first page in a browser: turn the example, find something, go to a question, find it again; share and print."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.pages import ATTACK


def test_the_example_turns_a_system_opens_and_what_was_asked_is_there_with_its_answer(open_page, size):
    page = open_page("/", size)
    expect(page.locator("#recent")).to_contain_text("They stay on this device")
    page.get_by_label("one more").click()
    expect(page.locator("#live-h")).to_contain_text("13 dice")
    expect(page.get_by_label("one more")).to_be_focused()  # as before
    page.keyboard.press("Enter")
    expect(page.locator("#live-h")).to_contain_text("14 dice")
    page.get_by_label("one fewer").click()
    expect(page.locator("#live .big")).to_have_text("2.9")
    expect(page.locator(".tile:not(.past)")).to_have_count(5)
    page.locator(".tile .more").first.click()
    page.get_by_role("link", name="What will an attack do?").click()
    expect(page.locator("#answer .big")).to_have_text("2.7")
    page.get_by_role("link", name="Battletape", exact=True).click()
    expect(page.locator("#recent li")).to_have_count(1)
    expect(page.locator("#recent li")).to_have_text(re.compile("of 5 models fall on average.*just now.*2.7"))
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator("#recent li")).to_have_count(0)
    page.reload()
    expect(page.locator("#recent")).to_contain_text("They stay on this device")


def test_from_a_word_to_a_rule_to_its_question_in_two_taps(open_page, size):
    page = open_page("/", size)
    page.keyboard.press("/")
    page.keyboard.type("tank shok")
    expect(page.locator("#said")).to_contain_text("taken as “tank shock”")
    page.locator("#found").get_by_role("link", name="Tank shock: who may").click()  # one
    expect(page.locator("h1")).to_contain_text("Tank shock")
    page.get_by_role("link", name="What happens when a tank drives through units?").click()  # two
    expect(page.locator("#answer .headline")).to_be_visible()


def test_home_and_search_work_without_scripts(open_page):
    page = open_page("/", "phone", scripts=False)
    page.get_by_label("one fewer").click()
    expect(page.locator("#live-h")).to_contain_text("11 dice")
    expect(page.locator("#recent")).to_be_hidden()
    page.fill("#words", "hull down")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="When a vehicle is in cover").click()
    expect(page.locator(".lawtext")).to_be_visible()


INSECURE = "delete Navigator.prototype.clipboard; delete Navigator.prototype.share"
"""What a browser takes away on an address that is not safe."""


def test_a_page_is_shared_without_a_safe_address(open_page, size):
    page = open_page(ATTACK, size, fresh=True)
    page.add_init_script(INSECURE)
    page.reload()
    page.get_by_role("button", name="Share this page").click()
    sheet = page.locator("dialog#share")
    expect(sheet.locator("#share-link")).to_have_value(re.compile(r"/attack_dice/attack\?"))
    expect(sheet.get_by_role("button", name="Copy the link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet.locator("[data-copy]")).to_have_text("Copied")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_paper_holds_what_was_asked_in_ink_on_white(open_page):
    page = open_page(ATTACK + "&models=7")
    page.emulate_media(media="print", color_scheme="dark")
    ink = r"one => { const [r, g, b] = getComputedStyle(one).color.match(/\d+/g).map(Number); return r + g + b; }"
    assert page.locator("h1").evaluate(ink) < 200
    expect(page.locator(".onpaper").first).to_contain_text("Models 7")
    expect(page.locator("#ask .who").first).to_be_visible()
    for hidden in (".top nav", "#answer .acts", "#answer input[type=radio]", ".sec", "#numbers"):
        expect(page.locator(hidden).first).to_be_hidden()
