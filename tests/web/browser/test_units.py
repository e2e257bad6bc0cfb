"""One's own units and weapons in a browser: kept on the device, used in questions, sent along by a link."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from battletape import registry

PIPE = '[[weapon]]\nname = "Thunder pipe"\nattacks = 4\npower = 9\n'


def kept(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        page.evaluate("localStorage.getItem('battletape.1.profiles.attack_dice')") or "{}"
    )
    return found


def add_pipe(page: Page) -> None:
    page.get_by_role("button", name="Add a weapon").click()
    expect(page.locator("[name='e.name']")).to_be_focused()
    page.keyboard.type("Thunder pipe")
    page.fill("[name='e.attacks']", "4")
    page.fill("[name='e.power']", "9")
    page.keyboard.press("Enter")
    expect(page.locator(".profile h3")).to_contain_text("Thunder pipe")


def test_add_one_use_it_and_find_it_again(open_page, size):
    page = open_page("/attack_dice/units", size)
    add_pipe(page)
    expect(page.locator("#said")).to_have_text("Saved: Thunder pipe.")
    assert kept(page)["toml"] == PIPE
    page.goto(page.url.replace("/units", "/attack"))
    page.select_option("select[name=weapon]", "Thunder pipe")
    expect(page.locator("[name=power]")).to_have_value("9")
    expect(page).to_have_url(re.compile("weapon=Thunder\\+pipe.*&_own="))
    headline = page.locator("#answer .headline").inner_text()
    page.select_option("select[name=weapon]", "Yew bow")
    expect(page).to_have_url(re.compile("weapon=Yew\\+bow&attacks=12$"))
    page.select_option("select[name=weapon]", "Thunder pipe")
    expect(page).to_have_url(re.compile("weapon=Thunder\\+pipe.*&_own="))
    expect(page.locator("#answer .headline")).to_have_text(headline, use_inner_text=True)
    page.reload()
    expect(page.locator("#answer .headline")).to_have_text(headline, use_inner_text=True)
    page.goto(page.url.split("/attack?")[0] + "/units")
    expect(page.locator(".profile h3")).to_contain_text("Thunder pipe")


def test_one_of_ones_own_is_compared(open_page, size):
    page = open_page("/attack_dice/units", size)
    add_pipe(page)
    page.goto(page.url.replace("/units", "/attack/compare"))
    page.select_option("#add select[name=_to]", "Thunder pipe")  # what is picked is added at once
    expect(page.locator(".variants .vname")).to_have_count(2)
    expect(page.locator(".variants .vname").nth(1)).to_have_text("Thunder pipe")
    page.select_option("#add select[name=_to]", "Thunder pipe")
    expect(page.locator(".variants .vname").nth(2)).to_have_text("Thunder pipe (3)")
    page.locator("#change-1").click()
    expect(page.locator("#add-h")).to_contain_text("Change B")
    page.reload()
    expect(page.locator(".variants .vname").nth(1)).to_contain_text("Thunder pipe")


def test_remove_and_put_back(open_page):
    page = open_page("/attack_dice/units")
    add_pipe(page)
    page.get_by_role("button", name="Remove Thunder pipe").click()
    expect(page.locator(".profile")).to_have_count(0)
    assert kept(page)["entries"] == []
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".profile")).to_have_count(1)
    assert kept(page)["toml"] == PIPE


def test_a_file_comes_in_and_goes_out_and_a_wrong_line_is_shown(open_page, size):
    page = open_page("/attack_dice/units", size)
    add_pipe(page)
    page.locator(".astext summary").click()
    wrong = b'[[weapon]]\nname = "Wrong"\npower = 999\n'
    page.set_input_files("[data-import]", {"name": "x.toml", "mimeType": "text/plain", "buffer": wrong})
    expect(page.locator(".trouble.card")).to_contain_text("Your list line 8, weapon 2 ('Wrong'): power must be")
    page.get_by_role("button", name="Show line 8").click()
    marked = "(() => { const t = document.activeElement; return t.value.slice(t.selectionStart, t.selectionEnd); })()"
    assert page.evaluate(marked) == "power = 999"
    page.fill("#toml", PIPE + wrong.decode().replace("999", "3"))
    page.get_by_role("button", name="Check and save").click()
    expect(page.locator(".trouble.card")).to_have_count(0)
    expect(page.locator(".profile")).to_have_count(2)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export a file").click()
    assert saved.value.suggested_filename == "attack_dice.toml"
    assert saved.value.path().read_text() == kept(page)["toml"]
    page.get_by_role("button", name="Copy Wrong").click()
    expect(page.locator("[name='e.name']")).to_have_value("Wrong 2")


def test_profiles_that_a_link_carries_can_be_kept(open_page):
    page = open_page("/attack_dice/units")
    store = "(toml) => localStorage.setItem('battletape.1.profiles.attack_dice', JSON.stringify({ toml, entries: [] }))"
    page.evaluate(store, '[[unit]]\nname = "Lads"\n')
    page.goto(page.url.replace("units", "attack") + "?" + urlencode({"weapon": "Thunder pipe", "_own": PIPE}))
    page.get_by_role("link", name="Look at them or keep them").click()
    expect(page.locator(".told")).to_contain_text("This came with a link: Thunder pipe.")
    assert "Thunder" not in kept(page)["toml"]
    page.get_by_role("button", name="Save on this device").click()
    expect(page.locator(".profile")).to_have_count(2)
    assert [one["name"] for one in kept(page)["entries"]] == ["Thunder pipe", "Lads"]


def test_a_weapon_added_to_a_unit_has_the_focus(open_page, size):
    page = open_page("/attack_dice/units", size)
    add_pipe(page)
    page.get_by_role("button", name="Add a unit").click()
    page.fill("[name='e.name']", "Lads")
    for at in range(2):
        page.get_by_role("button", name="Add a weapon").first.click()
        expect(page.locator(f"[name='e.weapons.{at}.name']")).to_be_focused()
    page.select_option("[name='e.weapons.0.name']", "Thunder pipe")
    page.select_option("[name='e.weapons.1.name']", "Yew bow")
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator(".profile").last).to_contain_text("1 x Thunder pipe; 1 x Yew bow")


def test_two_tabs_keep_each_others_entries(open_page):
    first = open_page("/attack_dice/units")
    second = first.context.new_page()
    second.goto(first.url)
    add_pipe(first)
    expect(second.locator(".profile h3")).to_contain_text("Thunder pipe")
    second.get_by_role("button", name="Add a unit").click()
    second.fill("[name='e.name']", "Lads")
    second.get_by_role("button", name="Save", exact=True).last.click()
    expect(second.locator(".profile")).to_have_count(2)
    expect(first.locator(".profile")).to_have_count(2)


def test_without_scripts_the_list_lives_in_the_text_field(open_page):
    page = open_page("/attack_dice/units", "phone", scripts=False)
    page.get_by_role("button", name="Add a weapon").click()
    page.fill("[name='e.name']", "Thunder pipe")
    page.fill("[name='e.power']", "9")
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator(".profile h3")).to_contain_text("Thunder pipe")
    page.locator(".uses a").first.click()
    expect(page.locator("[name=power]")).to_have_value("9")
    page.fill("[name=models]", "3")
    page.locator(".formfoot").get_by_role("button", name="Answer").click()
    expect(page.locator("[name=power]")).to_have_value("9")
    assert "_own=" in page.url


@pytest.mark.parametrize("ruleset", registry.names())
def test_the_book_does_not_scroll_sideways_on_a_desk(open_page, ruleset):
    page = open_page(f"/{ruleset}/units", "desk")
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.ariaLabel)"
    assert page.locator(".ours .scroll").evaluate_all(wide) == []
    assert page.locator(".ours summary").count() > 1
