"""Rolling and typing dice as a player does: by touch, by keyboard alone, without scripts, in two tabs."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.pages import DICE, ROLL

ATTACK = DICE.replace("/dice", "")


def seed(page: Page) -> str:
    found = re.search(r"_seed=(\d+)", page.url)
    assert found, page.url
    return found[1]


def test_roll_it_and_again_and_back(open_page, size):
    page = open_page(ATTACK, size)
    page.get_by_role("link", name="Roll", exact=True).first.click()
    page.locator("[data-rolled]").wait_for()
    assert page.locator(".throw .die").count() >= 3
    first = seed(page)
    page.wait_for_load_state("networkidle")
    again = page.locator("#again")
    again.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("before => !location.href.includes(before)", arg=f"_seed={first}")
    expect(page.locator("[data-rolled]")).to_have_attribute("data-address", re.compile(f"_seed={seed(page)}$"))
    expect(page.locator("#again")).to_be_focused()
    assert page.locator("#said").text_content().strip() == page.locator(".sentence").text_content()
    assert page.locator("#rolls li").count() == 2
    expect(page.locator("#rolls [aria-current]")).to_have_attribute("href", re.compile(seed(page)))
    page.go_back()
    page.wait_for_function("before => location.href.includes(before)", arg=f"_seed={first}")
    expect(page.locator("[data-rolled]")).to_have_attribute("data-address", re.compile(first))
    assert page.locator("#rolls li").count() == 2  # shown again, not rolled again


def test_the_damage_of_all_hits_is_typed_without_going_on_in_between(open_page, size):
    cato = "attacker=Brother+Cato&mode=full&target=Raider&_answers=15"
    page = open_page(f"/deathwatch/shoot/dice?{cato}", size)
    pools = page.locator(".pool")
    expect(pools).to_have_count(4)
    expect(page.locator(".waits .what")).to_contain_text("4 times 3 × D10")
    page.keyboard.type("35728411699")  # the focus jumps from hit to hit
    expect(page.locator("[data-progress]")).to_have_text("11 of 12 typed")
    page.keyboard.type("2")  # the last face: it goes on by itself
    expect(page.locator("[data-rolled]")).to_be_visible()
    expect(page.locator(".throwhead", has_text="Damage")).to_have_count(4)


def test_rolls_of_two_tabs_are_all_kept_and_can_be_forgotten(open_page, site):
    one = open_page(ROLL + "&_seed=1")
    two = one.context.new_page()
    two.goto(site + ROLL + "&_seed=2")
    two.locator("#rolls li").nth(1).wait_for()
    one.locator("#rolls li").nth(1).wait_for()
    assert seed(one) == "1"
    assert "2 rolls of this question" in two.locator("[data-summary]").text_content()
    two.get_by_role("button", name="Forget them").click()
    expect(two.locator("#rolls")).to_be_hidden()
    expect(one.locator("#rolls")).to_be_hidden()


def test_a_roll_that_was_asked_otherwise_says_how(open_page, site):
    page = open_page("/attack_dice/attack/roll?attacks=12&_seed=1")
    page.goto(site + "/attack_dice/attack/roll?attacks=9&_seed=2")
    rolls = page.locator("#rolls li")
    expect(rolls).to_have_count(2)
    expect(rolls.nth(0)).not_to_contain_text("Attacks 9")  # as the page says beside it
    expect(rolls.nth(1)).to_contain_text("Attacks 12")


def test_dice_are_typed_with_the_focus_jumping_on(open_page, size):
    page = open_page(DICE, size)
    boxes = page.locator("[data-boxes] input")
    expect(boxes.first).to_be_focused()
    page.keyboard.type("73")
    assert [box.input_value() for box in boxes.all()] == ["7", "3", ""]
    assert page.locator(".box.ok").count() == 2
    assert page.locator("[data-progress]").text_content() == "2 of 3 typed · 2 succeed"
    page.keyboard.type("0")
    expect(page.locator("#waits-h")).to_have_text("Armour saves")
    expect(page.locator("[data-boxes] input").first).to_be_focused()
    assert "_answers=7+3+0" in page.url
    page.keyboard.type("71")
    page.keyboard.press("Enter")
    expect(page.locator("[data-rolled]")).to_have_attribute("data-typed", "")
    saved = "Armour saves (needs 7+ to match 5+ on a D6): 7 1 → 1 of 2 (D10: 0 to 9, 0 fails)"
    expect(page.locator(".throw .dice").nth(1)).to_have_attribute("aria-label", saved)
    page.go_back()
    expect(page.locator("#waits-h")).to_have_text("Armour saves")


def test_boxes_go_back_and_take_what_is_pasted(open_page):
    page = open_page(DICE)
    boxes = page.locator("[data-boxes] input")
    page.keyboard.type("7")
    expect(boxes.nth(1)).to_be_focused()
    page.keyboard.press("Backspace")
    expect(boxes.nth(0)).to_be_focused()
    page.evaluate(
        """() => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", "9, 8 1");
          const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
          document.activeElement.dispatchEvent(paste);
        }"""
    )
    page.wait_for_url(re.compile(r"_answers=9\+8\+1"))


def test_a_hundred_typed_in_full_is_no_ten(open_page):
    page = open_page("/deathwatch/test/dice")
    page.locator("[data-boxes] input").first.click()
    page.keyboard.type("100")
    page.wait_for_url(re.compile("_answers=100"))


def test_a_d100_is_full_after_two_digits(open_page):
    page = open_page("/deathwatch/test/dice")
    page.keyboard.type("0")
    expect(page.locator("[data-boxes] input")).to_be_focused()
    page.keyboard.type("7")
    expect(page.locator(".throw .d100 text").first).to_have_text("0")
    expect(page.locator(".throw .d100 text").last).to_have_text("7")


def test_a_misfit_is_said_and_nothing_is_lost(open_page):
    page = open_page(DICE)
    page.locator("[data-boxes] input").first.fill("7")
    page.locator("[data-go]").click()
    expect(page.locator("#trouble")).to_contain_text("Attack dice needs 3 dice; got 1")
    assert page.locator("[data-boxes] input").first.input_value() == "7"
    page.get_by_role("button", name="Roll the missing ones").click()
    expect(page.locator("#waits-h, [data-rolled]").first).not_to_have_text("Attack dice")
    assert re.search(r"_answers=7~\d\+\d", page.url)
    assert page.locator(".die.byus").count() == 2


def test_a_count_will_do(open_page, size):
    page = open_page(DICE, size)
    page.get_by_label("pass", exact=True).fill("2")
    page.keyboard.press("Enter")
    expect(page.locator("#waits-h")).to_have_text("Armour saves")
    expect(page.locator(".throw .got").first).to_have_text("2 of 3")


def test_faces_are_picked_by_touch_or_key(open_page):
    page = open_page("/vehicles5/shoot/dice?guns=shots=1", "phone")
    page.locator(".face").nth(3).tap()
    expect(page.locator("#waits-h")).to_have_text("Gun: penetration")
    assert "_answers=4" in page.url
    page.keyboard.press("6")
    expect(page.locator("#waits-h")).to_have_text("Gun: damage")
    page.get_by_role("link", name="Undo the last").click()
    expect(page.locator("#waits-h")).to_have_text("Gun: penetration")


def test_faces_of_one_throw_are_tapped_one_after_the_other(open_page):
    page = open_page("/vehicles5/shoot/dice?guns=shots=3", "phone")
    boxes = page.locator("[data-boxes] input")
    for face in (4, 6):
        page.locator(".face").nth(face - 1).tap()
    page.locator("[data-unface]").tap()
    assert [box.input_value() for box in boxes.all()] == ["4", "", ""]
    for face in (1, 6):
        page.locator(".face").nth(face - 1).tap()
    expect(page.locator("#waits-h")).to_have_text("Gun: penetration")
    page.get_by_role("link", name="Undo the last").click()  # the dice come back, to correct one of them
    expect(page.locator("#waits-h")).to_have_text("Gun: to hit")
    assert [box.input_value() for box in boxes.all()] == ["4", "1", "6"]
    page.locator("[data-unface]").tap()
    page.locator(".face").nth(4).tap()
    expect(page.locator("#waits-h")).to_have_text("Gun: penetration")
    expect(boxes).to_have_count(2)
    assert "_answers=4+1+5" in page.url


def test_a_bearing_is_touched_on_the_dial(open_page):
    page = open_page("/vehicles5/ordnance/dice?_answers=arrow;3+3")
    box = page.locator("[data-dial] svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    assert page.locator("[data-bearing]").input_value() == "90"
    page.locator("[data-go]").click()
    expect(page.locator("[data-rolled], #waits-h").first).to_be_visible()
    assert "90" in page.locator(".throw.direction .got").text_content()


def test_everything_works_without_scripts(open_page, size):
    page = open_page(DICE, size, scripts=False)
    for at, face in enumerate("730"):
        page.locator(f'[name="_d{at}"]').fill(face)
    page.get_by_role("button", name="Go on").last.click()
    expect(page.locator("#waits-h")).to_have_text("Armour saves")
    page.locator('[name="_d0"]').fill("x")
    page.get_by_role("button", name="Go on").last.click()
    expect(page.locator("#trouble")).to_contain_text("Armour saves 1/2 must be 0-9, got x")
    page.locator('[name="_d0"]').fill("5")
    page.get_by_role("button", name="Roll the missing ones").click()
    expect(page.locator("[data-rolled] .sentence")).to_be_visible()
    page.get_by_role("link", name="Roll", exact=True).click()
    expect(page.get_by_role("link", name="Roll again").first).to_be_visible()
    expect(page.locator("#rolls")).to_be_hidden()
