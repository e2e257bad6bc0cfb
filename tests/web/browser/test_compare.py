"""Comparing as a player does: pins on this device, variants by form and keyboard, without scripts, in two tabs."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from playwright.sync_api import Page, Route, expect

ATTACK = "/attack_dice/attack?hp=2&armour=5&attacks=12&power=6"
COMPARE = ATTACK.replace("attack?", "attack/compare?")


def pin(page: Page) -> None:
    if not page.locator("[data-pin]").is_visible():
        page.locator(".moreacts > summary").click()
    page.locator("[data-pin]").click()
    expect(page.locator("[data-pin]")).to_have_text("Pinned")


def test_pin_two_and_compare_them(open_page, size):
    page = open_page(ATTACK, size)
    pin(page)
    expect(page.locator("[data-pins] li")).to_have_count(1)
    page.locator("#f-power").fill("8")
    expect(page.locator("[data-pin]")).to_have_text("Pin to compare")
    pin(page)
    page.get_by_role("link", name="Compare the 2 pinned").click()
    expect(page.locator(".vname")).to_have_text(["power 6", "power 8"])
    expect(page.locator(".versus .headline")).to_contain_text("most with power 8")
    page.go_back()
    page.locator("[data-pins] button").first.click()
    expect(page.locator("[data-pins] li")).to_have_count(1)


def test_the_fifth_pin_is_refused_and_other_questions_keep_theirs(open_page):
    page = open_page(ATTACK)
    for power in ("2", "7", "8", "9"):
        page.locator("#f-power").fill(power)
        expect(page.locator("#answer .answer")).to_have_attribute("data-address", re.compile(f"power={power}"))
        pin(page)
    page.locator("#f-power").fill("5")
    expect(page.locator("#answer .answer")).to_have_attribute("data-address", re.compile("power=5"))
    page.locator("[data-pin]").click()
    expect(page.locator("#said")).to_have_text("Four are pinned already: unpin one first.")
    expect(page.locator("[data-pins] li")).to_have_count(4)
    page.goto(page.url.split("/attack_dice")[0] + "/attack_dice/chart?_blank=1")
    expect(page.locator("[data-pins]")).to_be_hidden()


def test_a_pin_shows_in_another_tab(open_page):
    one = open_page(ATTACK)
    two = one.context.new_page()
    two.goto(one.url)
    pin(one)
    expect(two.locator("[data-pins] li")).to_have_count(1)


def test_add_change_and_remove_with_the_keyboard_alone(open_page):
    page = open_page(COMPARE)
    page.locator("#vary").focus()
    page.locator("#vary").select_option("power")
    value = page.locator("#f--to")
    expect(value).to_have_attribute("type", "number")
    value.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(page.locator(".vname")).to_have_text(["power 6", "power 9"])
    assert "_variant=power%3D9" in page.url
    expect(page.locator("#said")).to_contain_text("most with power 9")
    page.locator(".overlay .plot").focus()
    page.keyboard.press("End")
    expect(page.locator(".readout")).to_contain_text("5 or more: A")
    page.locator("#remove-1").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".vname")).to_have_count(1)
    page.go_back()
    expect(page.locator(".vname")).to_have_text(["power 6", "power 9"])


def test_a_wrong_value_says_so_beside_the_form(open_page):
    page = open_page(COMPARE + "&_vary=others")
    page.locator("#f--to").fill("x")
    page.locator("#add .btn.main").click()
    expect(page.locator("#add #trouble")).to_contain_text("must be")
    expect(page.locator(".vname")).to_have_count(1)


def test_without_scripts_a_variant_is_added_in_two_steps(open_page, size):
    page = open_page(COMPARE, size, scripts=False)
    page.locator("#vary").select_option("power")
    page.get_by_role("button", name="Show its values").click()
    page.locator("#f--to").fill("9")
    page.locator("#add .btn.main").click()
    expect(page.locator(".vname")).to_have_text(["power 6", "power 9"])
    page.get_by_role("link", name="Unit wiped out").click()
    expect(page.locator(".measured")).to_have_text("Unit wiped out")
    page.get_by_role("link", name="Remove B, power 9").click()
    expect(page.locator(".vname")).to_have_count(1)


def test_a_cell_of_the_heat_map_opens_its_question(open_page, size):
    page = open_page("/attack_dice/attack/targets?attacks=12", size)
    cell = page.locator("tr", has_text="Hill raiders").locator("td a").first
    cell.click()
    expect(page.locator("#f-unit")).to_have_value("Hill raiders")


DUEL = "/deathwatch/duel/targets?a_profile=Brother+Cato&b_profile=Warlord+Gharn&rounds=6&_rows=b_profile&_cols=a_weapon"
NAMES = ("Brother Cato", "Brother Ilario", "Brother Teodor", "Warlord Gharn")
WEAPONS = ("Astartes Bolter (Godwyn)", "Astartes Storm Bolter", "Astartes Heavy Bolter", "Astartes Chainsword")


def test_a_heat_map_comes_by_itself_though_the_server_fails_in_between(desk, open_page, size):
    """It says how far it is, keeps its place and the focus, and its verdict comes when all of it is there."""
    page = desk.context(size, True, "wide").new_page()
    address = DUEL + "&" + urlencode([("_row", name) for name in NAMES] + [("_col", name) for name in WEAPONS])
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) in (2, 3):
            route.fulfill(status=503, body="busy")
        else:
            route.continue_()

    page.route("**/targets/more*", answer)
    page.goto(f"{desk.site}{address}&_new={size}")  # not worked out for the other size before
    expect(page.locator("#heatmap .headline")).to_contain_text("most with")
    expect(page.locator("#heatmap td a")).to_have_count(len(NAMES) * len(WEAPONS))
    expect(page.locator("#heatmap progress")).to_have_count(0)
    assert len(asked) > 3
    page.context.close()


def test_own_units_stand_in_the_lists_of_the_heat_map(open_page):
    page = open_page("/attack_dice/units")
    mine = '[[unit]]\nname = "My wall"\nmodels = 3\nhp = 9\ndefence = 4\nmove = 1\ndash = 1\nweapons = []\n'
    kept = {"entries": [{"kind": "unit", "name": "My wall", "toml": mine, "fits": ["attack:unit"]}]}
    page.evaluate("kept => localStorage.setItem('battletape.1.profiles.attack_dice', JSON.stringify(kept))", kept)
    page.goto(page.url.replace("/units", "/attack/targets?_cols=measures&_row=Hill+raiders"))
    page.locator("details.lists summary").first.click()
    page.get_by_label("My wall").check()
    expect(page.locator(".heat tbody th")).to_have_text(["My wall", "Hill raiders"])


def test_a_goal_can_be_chosen(open_page, size):
    page = open_page(ATTACK.replace("attack?", "attack/decide?") + "&aegis=4&saves=one", size)
    expect(page.locator(".advice")).to_contain_text("Take aegis")
    page.get_by_label("Defender plays").select_option("max")
    page.get_by_role("button", name="Advise me").click()
    expect(page.locator(".advice")).to_contain_text("Take armour")
    page.locator(".choice .clause").first.click()
    expect(page.locator("#beside h2")).to_be_visible()


def test_a_variant_that_was_late_comes_by_itself(open_page, size):
    page = open_page(ATTACK, size)
    address = COMPARE + "&" + urlencode({"_variant": "power=8"})
    replies: list[str] = []

    def late(route: Route) -> None:
        reply = route.fetch()
        replies.append(reply.text())
        body = replies[-1]
        if len(replies) == 1:
            waits = f'id="versus" data-more="{address}" data-also="variants" data-done="1"'
            body = body.replace('id="versus"', waits).replace("most with", "no time yet for").replace("vname", "gone")
        route.fulfill(response=reply, body=body)

    page.route(re.compile("attack/compare"), late)
    page.goto(page.url.partition("/attack_dice")[0] + address)
    expect(page.locator(".versus .headline")).to_contain_text("most with power 8")
    expect(page.locator(".vname")).to_have_count(2)
    assert len(replies) == 2
