"""Asking a question in a browser: by touch, mouse and keyboard, with and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web.pages import ATTACK

ROW = "dialog.picker li > button"
SAID = "of 5 models fall on average; 59 % for three or more."


def pick(page: Page, name: str, value: str) -> None:
    """Pick a profile from its sheet, by its whole name."""
    page.locator(f"#f-{name}-pick").click()
    page.locator(ROW, has=page.locator("b", has_text=re.compile(f"^{re.escape(value)}$"))).click()
    expect(page.locator("dialog.picker")).to_be_hidden()


def all_numbers(page: Page) -> None:
    """Open the drawer with everything that stands on no card."""
    page.locator("#numbers > summary").click()


def test_a_stepper_a_slider_and_a_choice_redraw_the_answer(open_page, size):
    page = open_page(ATTACK, size)
    expect(page.locator(".headline p")).to_have_text(SAID)
    page.get_by_label("more: Power").click()
    expect(page.locator(".headline p")).to_have_text("of 5 models fall on average; 33 % for four or more.")
    expect(page).to_have_url(re.compile(r"power=7"))
    assert page.locator("#f-power").input_value() == "7"
    slider = page.locator('input[type="range"][data-for="f-power"]')
    box = slider.bounding_box()
    page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(r"power=0"))
    page.locator('[data-row="armour"] label', has_text="2+").click()
    expect(page).to_have_url(re.compile(r"armour=2"))


def test_a_profile_brings_its_numbers_and_each_can_be_changed(open_page, size):
    page = open_page("/attack_dice/attack?_blank=1", size)
    pick(page, "weapon", "Yew bow")
    expect(page).to_have_url(re.compile(r"\?weapon=Yew\+bow$"))
    expect(page.locator("#f-weapon-pick")).to_be_focused()
    expect(page.locator(".who.a .stats")).to_have_text(re.compile(r"Attacks\s*1\s*Power\s*3\s*AP\s*–\s*Range\s*20″"))
    all_numbers(page)
    before = page.locator("#f-power").input_value()
    page.get_by_label("more: Power").click()
    expect(page).to_have_url(re.compile(r"weapon=Yew\+bow&power=" + str(int(before) + 1)))
    pick(page, "weapon", "Own numbers")
    expect(page).to_have_url(re.compile(r"attack\?attacks=1&weapon_class=battle"))
    expect(page.locator("#f-power")).to_have_value(str(int(before) + 1))


def test_the_form_shows_what_the_answer_is_about(open_page, size):
    """An input that fills in others redraws them, and what somebody sets counts even if it is the usual value."""
    page = open_page("/deathwatch/horde?_blank=1", size)
    page.locator('label:has(input[name="attack"][value="melee"])').click()
    expect(page.locator("#f-weapon")).to_have_value("Astartes Chainsword")
    expect(page).to_have_url(re.compile("weapon=Astartes"))
    page.goto(page.url.split("/deathwatch")[0] + "/deathwatch/shoot?full=0")
    expect(page.locator('label:has(input[name="mode"][value="full"])')).to_have_class(re.compile("grey"))
    expect(page.locator('[data-row="mode"]')).to_contain_text("no full auto")


def test_the_same_profiles_in_any_order_give_one_answer_and_tell_what_they_change(open_page, size):
    wanted = {"attacker": "Brother Cato", "weapon": "Astartes Heavy Bolter"}
    answers = []
    for order in (list(wanted), list(wanted)[::-1]):
        page = open_page("/deathwatch/shoot?_blank=1", size)
        for name in order:
            pick(page, name, wanted[name])
            expect(page).to_have_url(re.compile(f"{name}=" + wanted[name].replace(" ", r"\+")))
            told = page.locator(f'[data-row="{name}"] .brought')
            expect(told).to_contain_text("Also changed: ")
            expect(page.locator("#said")).to_contain_text(told.inner_text())
        expect(page.locator("#f-weapon")).to_have_value(wanted["weapon"])
        answers.append((page.url, page.locator(".headline").inner_text()))
    assert answers[0] == answers[1]
    assert answers[0][0].endswith("?attacker=Brother+Cato&weapon=Astartes+Heavy+Bolter")


@pytest.mark.parametrize("name, value", [("weapon", "Astartes Heavy Bolter"), ("target", "Raider")])
def test_a_profile_leaves_everything_where_it_is(open_page, size, name, value):
    page = open_page("/deathwatch/shoot?_blank=1", size)
    all_numbers(page)
    door = page.locator(f"#f-{name}-pick")
    door.scroll_into_view_if_needed()
    before = door.bounding_box()["y"], page.evaluate("scrollY")
    pick(page, name, value)
    expect(page.locator(f'[data-row="{name}"] .brought')).to_be_visible()
    page.wait_for_timeout(300)  # an anchor pulls the page a moment later
    after = door.bounding_box()["y"], page.evaluate("scrollY")
    assert [abs(one - two) < 3 for one, two in zip(before, after, strict=True)] == [True, True], (before, after)
    expect(door).to_be_focused()
    expect(page.locator("#numbers")).to_have_attribute("open", "")


SHOWN = """const shown = (one) => one.closest(".segrow")?.checkVisibility({ opacityProperty: true }) !== false;"""
"""A row that waits for the keyboard is not in sight of a thumb."""
BENEATH = (
    f"""() => {{ {SHOWN} """
    + """
  const found = [];
  for (const one of document.querySelectorAll(
    ".row .slider, #ask button, .row select, .row .segments label, .seg label, .chip")) {
    if (!one.checkVisibility() || one.matches(".sr, .sheeted") || !shown(one)) continue;
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const box = one.getBoundingClientRect();
    for (const [x, y] of [[.5, .08], [.5, .92], [.06, .5], [.94, .5], [.2, .2], [.8, .2]]) {
      const top = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      if (top === one || one.contains(top)) continue;
      found.push(`${one.dataset.for ?? one.id} lies under ${top?.outerHTML.slice(0, 60)}`);
    }
  }
  return found;
}"""
)
THUMBS = (
    f"""() => {{ {SHOWN} """
    + """
  return [...document.querySelectorAll("#ask .sec, #ask button, #ask .chip, #ask .seg label")]
  .filter((one) => one.checkVisibility() && !one.matches(".sr") && shown(one)).filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width < 43 || height < 43;
  }).map((one) => one.outerHTML.slice(0, 80));
}"""
)


@pytest.mark.parametrize("address", ["/deathwatch/shoot?_blank=1", "/vehicles5/shoot?_blank=1"])
def test_no_rule_lies_over_a_control_and_both_are_large_enough(open_page, size, address):
    page = open_page(address, size)
    all_numbers(page)
    assert page.evaluate(BENEATH) == []
    assert page.evaluate(THUMBS) == []
    heights = page.locator(".row .slider").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
    assert heights
    assert min(heights) >= 24


def test_the_upper_half_of_a_slider_moves_it(open_page, size):
    page = open_page("/deathwatch/shoot?_blank=1", size)
    slider = page.locator('input[type="range"][data-for="f-bs"]')
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.click(box["x"] + 12, box["y"] + 3)
    expect(page.locator("#f-bs")).not_to_have_value("50")
    expect(page.locator("#beside")).to_be_hidden()


def test_guns_are_added_copied_and_removed(open_page, size):
    page = open_page("/vehicles5/shoot?_blank=1", size)
    page.get_by_role("button", name="Add a gun").click()
    expect(page.locator(".entry")).to_have_count(2)
    pick(page, "guns-1-weapon", "Meltagun")
    expect(page).to_have_url(re.compile("guns=weapon=Meltagun"))
    page.get_by_role("button", name="Copy").last.click()
    expect(page.locator(".entry")).to_have_count(3)
    page.get_by_role("button", name="Remove Gun 1").click()
    expect(page).to_have_url(re.compile(r"\?guns=weapon=Meltagun&guns=weapon=Meltagun$"))


def test_another_measure_is_looked_at(open_page, size):
    page = open_page(ATTACK, size)
    page.locator("label", has=page.locator("#m-hp_lost")).click()
    expect(page.locator(".measured")).to_contain_text("HP lost")
    expect(page).to_have_url(re.compile("_measure=hp_lost"))
    page.get_by_label("more: Power").click()
    expect(page).to_have_url(re.compile("power=7&_measure=hp_lost"))


def test_the_chart_is_read_off_by_mouse_touch_and_keys(open_page, size):
    page = open_page(ATTACK, size)
    plot = page.locator(".plot")
    expect(page.locator(".readout")).to_have_text("Exactly 3: 41\u00a0% · 3 or more: 59\u00a0%")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    x, y = box["x"] + box["width"] * 0.58 - box["width"] / 6, box["y"] + box["height"] / 2
    page.touchscreen.tap(x, y) if size == "phone" else page.mouse.move(x, y)
    expect(page.locator(".readout")).to_contain_text("Exactly 2")
    plot.focus()
    page.keyboard.press("End")
    expect(page.locator(".readout")).to_contain_text("Exactly 5")
    page.keyboard.press("ArrowLeft")
    expect(plot).to_have_attribute("aria-valuetext", re.compile("Exactly 4"))


def test_a_rule_opens_beside_the_answer_and_closes(open_page, size):
    page = open_page(ATTACK, size)
    link = page.locator('.steps .clause[title*="AD-13"]').first
    link.click()
    expect(page.locator("#beside")).to_contain_text("AD-13")
    expect(page.locator("#beside")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("attacks=12"))
    page.keyboard.press("Escape")
    expect(page.locator("#beside")).to_be_hidden()
    expect(link).to_be_focused()


def test_a_ruling_is_switched_and_the_answer_says_so(open_page, size):
    page = open_page(ATTACK, size)
    page.get_by_text("Change them").click()
    page.locator("#f-method").select_option("formula")
    expect(page.locator(".fine")).to_contain_text("How Power meets Defence: formula")


def test_fractions_come_on_request(open_page, size):
    page = open_page(ATTACK, size)
    expect(page.locator(".steps")).to_contain_text("70 %")
    page.get_by_label("Fractions").check()
    expect(page.locator(".steps")).to_contain_text("7/10")
    expect(page).to_have_url(re.compile("_fractions=1"))
    expect(page.locator("table.numbers td").first).to_have_text(re.compile(r"^\d+/\d+$"))


def test_what_does_not_fit_is_said_where_it_is(open_page, size):
    page = open_page("/attack_dice/attack?attacks=600", size)
    page.locator("#f-bearers").fill("9")
    expect(page.locator("#trouble")).to_contain_text("1,000 dice or fewer")
    expect(page.locator('[data-row="attacks"]')).to_have_class(re.compile("wrong"))
    page.locator("#f-bearers").fill("1")
    expect(page.locator("#trouble")).to_be_empty()


def test_back_and_forward_restore_the_question(open_page, size):
    page = open_page(ATTACK, size)
    first = page.url
    page.locator('[data-row="armour"] label', has_text="3+").click()
    expect(page).to_have_url(re.compile("armour=3"))
    page.wait_for_timeout(1_300)  # so that the next change is a step of its own
    page.locator('[data-row="armour"] label', has_text="6+").click()
    expect(page).to_have_url(re.compile("armour=6"))
    page.go_back()
    expect(page).to_have_url(re.compile("armour=3"))
    expect(page.locator('input[name="armour"]:checked')).to_have_value("3")
    page.go_back()
    expect(page).to_have_url(first)
    expect(page.locator(".headline p")).to_have_text(SAID)
    page.go_forward()
    expect(page.locator('input[name="armour"]:checked')).to_have_value("3")


def test_a_step_back_before_the_scripts_are_there_is_not_lost(open_page):
    page = open_page(ATTACK)
    first = page.url
    page.locator('[data-row="armour"] label', has_text="3+").click()
    expect(page).to_have_url(re.compile("armour=3"))
    page.wait_for_timeout(1_300)
    page.locator('[data-row="armour"] label', has_text="6+").click()
    expect(page).to_have_url(re.compile("armour=6"))
    held: list[Route] = []
    waits = True
    page.route("**/*.js*", lambda route: held.append(route) if waits else route.continue_())
    page.evaluate("history.back()")
    expect(page.locator('input[name="armour"]:checked')).to_have_value("3")
    page.evaluate("history.back()")
    expect(page).to_have_url(first)
    waits = False
    for route in held:
        route.continue_()
    expect(page.locator(".headline p")).to_have_text(SAID)
    expect(page.locator('input[name="armour"]:checked')).to_have_value("5")


def test_two_tabs_do_not_disturb_each_other(open_page):
    one = open_page(ATTACK)
    two = one.context.new_page()
    two.goto(one.url)
    two.get_by_label("more: Power").click()
    expect(two).to_have_url(re.compile("power=7"))
    one.get_by_label("less: Power").click()
    expect(one).to_have_url(re.compile("power=5"))
    expect(two.locator("#f-power")).to_have_value("7")


def tab_to(page: Page, place: Locator) -> None:
    """Press Tab until the focus is there: a player without a mouse has no other way."""
    for _ in range(150):
        if place.evaluate("(one) => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {place}")


def test_a_question_is_asked_by_keyboard_alone(open_page, size):
    page = open_page("/", size)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    tab_to(page, page.get_by_role("link", name="What will an attack do?"))
    page.keyboard.press("Enter")
    expect(page.locator(".headline p")).to_have_text(SAID)
    tab_to(page, page.locator("#f-attacks"))
    page.keyboard.press("ArrowUp")
    expect(page).to_have_url(re.compile("attacks=13"))
    tab_to(page, page.locator("#numbers > summary"))
    page.keyboard.press("Enter")
    tab_to(page, page.locator('input[name="armour"]:checked'))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("armour=4"))
    tab_to(page, page.locator(".plot"))
    page.keyboard.press("End")
    expect(page.locator(".readout")).to_contain_text("Exactly 5")
    tab_to(page, page.locator("#m-casualties"))
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("_measure=hp_lost"))
    expect(page.locator("#m-hp_lost")).to_be_focused()
    tab_to(page, page.locator(".steps .clause").first)
    page.keyboard.press("Enter")
    expect(page.locator("#beside h2")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".steps .clause").first).to_be_focused()


def test_without_scripts_the_form_still_answers(open_page, size):
    page = open_page(ATTACK, size, scripts=False)
    expect(page.get_by_label("more: Power")).to_be_hidden()
    page.locator("#f-power").fill("7")
    page.locator("#f-weapon").select_option("Yew bow")
    page.locator(".formfoot").get_by_role("button", name="Answer").click()
    expect(page).to_have_url(re.compile(r"attack\?weapon=Yew\+bow&hp=2&armour=5$"))
    all_numbers(page)
    page.locator("#f-power").fill("9")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"power=9$"))
    page.goto(page.url.split("/attack_dice")[0] + "/vehicles5/shoot?_blank=1")
    page.get_by_role("button", name="Add a gun").click()
    expect(page.locator(".entry")).to_have_count(2)
    page.locator(".steps .clause").first.click()
    expect(page).to_have_url(re.compile("/rules/V5-"))


def test_the_sentence_is_said_aloud(open_page):
    page = open_page(ATTACK)
    page.get_by_label("more: Power").click()
    expect(page.locator("#said")).to_have_text("3.1 of 5 models fall on average; 33 % for four or more.")


def test_weapons_of_a_tank_are_ticked_off_one_after_the_other(open_page, size):
    page = open_page("/vehicles5/shoot?vehicle=Anvil+battle+tank&guns=weapon=Lascannon+models=3+facing=side", size)
    page.locator("#numbers > summary").click()
    for name in ("Battle cannon", "Lascannon"):
        page.locator("[data-row=weapon_names] label", has_text=re.compile(f"^{name}$")).click()
    expect(page).to_have_url(re.compile(r"tank&weapon_names=left\+bolter,\+right\+bolter,\+Heavy\+stubber&guns="))
    expect(page.locator("#trouble .trouble")).to_have_count(0)


def test_circumstances_stand_two_in_a_row_on_a_small_phone(open_page):
    page = open_page("/deathwatch/shoot", "phone")
    chips = page.locator("ul.chips > li", has=page.locator(".then"))
    expect(chips.last.locator(".then")).to_have_text(re.compile(r"\d\s%"))
    tops = chips.evaluate_all("all => all.map(one => Math.round(one.getBoundingClientRect().top))")
    assert len(tops) >= 6
    assert len(set(tops)) <= (len(tops) + 1) // 2
