"""The board in a browser: moved by mouse, finger and arrow keys, and the answer follows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.web.browser.room import OPEN, amiss

ORDNANCE = "/vehicles5/ordnance?weapon=Battle+cannon"
TOKENS = "/diceless40k/tokens?figures=at+24,24&figures=at+27,24&figures=at+25,20+friend=yes"
BLAST = "/second_edition/blast?models=Ork+1+at+-2,18&models=Ork+2+at+0,18&models=Ork+3+at+2,18&target=Ork+2"
INCH = "() => document.querySelector('svg.board').getScreenCTM().a * 100"
MIDDLE = """(name) => {
  const box = document.querySelector(`svg.board [data-input-x="${name}"]`).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
SETTLED = """() => [...document.querySelectorAll("svg.board [data-input-x]")].every((one) => {
  const [x, y] = [one.dataset.inputX, one.dataset.inputY].map((name) => document.forms.ask.elements[name].value);
  return Number(one.dataset.x) === Number(x) && Number(one.dataset.y) === Number(y) && !one.hasAttribute("transform");
})"""


def thing(page: Page, name: str) -> Locator:
    """What an input moves."""
    return page.locator(f'svg.board [data-input-x="{name}"]')


def middle(page: Page, name: str) -> tuple[float, float]:
    """Where it is on the screen."""
    x, y = page.evaluate(MIDDLE, name)
    return x, y


def settled(page: Page) -> None:
    """The drawing comes to show what the form says."""
    page.wait_for_function(SETTLED)


def test_a_mouse_moves_the_aim_and_the_answer_follows(open_page, size):
    page = open_page(ORDNANCE, size)
    before = page.locator(".answer").get_attribute("data-said")
    x, y = middle(page, "aim_right")
    inch = page.evaluate(INCH)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + inch, y - 0.5 * inch, steps=6)
    expect(page.locator("#f-aim-right")).to_have_value("1")
    expect(page.locator("#f-aim-ahead")).to_have_value("0.5")
    expect(page.locator(".answer")).not_to_have_attribute("data-said", before or "")
    now = middle(page, "aim_right")
    assert now == pytest.approx((x + inch, y - 0.5 * inch), abs=3), "it stays in hand while the answer comes"
    page.mouse.up()
    expect(page).to_have_url(re.compile("aim_ahead=0.5&aim_right=1"))
    settled(page)


def test_a_mouse_moves_an_ork_out_of_a_blast(open_page, size):
    page = open_page(BLAST, size)
    said = page.locator(".answer").get_attribute("data-said") or ""
    assert "Ork 2 is hit" in said
    chance = thing(page, "models.2.x").text_content()
    x, y = middle(page, "models.2.x")
    inch = page.evaluate(INCH)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3 * inch, y, steps=6)
    expect(page.locator("#f-models-2-x")).to_have_value("5")
    expect(page.locator(".answer")).not_to_have_attribute("data-said", said)
    page.mouse.up()
    expect(page).to_have_url(re.compile("models=Ork.3.at.5,18"))
    settled(page)
    assert thing(page, "models.2.x").text_content() != chance, "its own chance is told anew"


def test_arrow_keys_move_the_shooter_and_an_ork(open_page, size):
    page = open_page(BLAST, size)
    said = page.locator(".answer").get_attribute("data-said") or ""
    ork = thing(page, "models.0.x")
    ork.focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#f-models-0-x")).to_have_value("-5")
    expect(page.locator(".answer")).not_to_have_attribute("data-said", said)
    expect(page).to_have_url(re.compile("models=Ork.1.at.-5,18"))  # the answer to the last of the three moves
    settled(page)
    said = page.locator(".answer").get_attribute("data-said") or ""
    thing(page, "shooter_x").focus()
    for _ in range(7):
        page.keyboard.press("Shift+ArrowUp")
    expect(page.locator("#f-shooter-y")).to_have_value("7")
    expect(page.locator(".answer")).not_to_have_attribute("data-said", said)  # now at short range
    expect(page).to_have_url(re.compile("shooter_y=7"))
    settled(page)


def test_a_base_pushed_into_another_is_refused_with_the_clause(open_page):
    page = open_page(BLAST, "phone")
    thing(page, "models.2.x").focus()
    for _ in range(2):
        page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#trouble")).to_contain_text("must not stand in each other")
    expect(page.locator("#trouble").get_by_role("link", name="Rule SE-10")).to_be_visible()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Shift+ArrowUp")
    expect(page.locator("#trouble")).to_be_empty()
    settled(page)


def touch(hand: CDPSession, kind: str, *spot: float) -> None:
    points = [{"x": spot[0], "y": spot[1]}] if spot else []
    hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_finger_moves_a_base_and_not_the_page(open_page):
    page = open_page(TOKENS, "phone")
    x, y = middle(page, "figures.1.x")
    inch, scrolled = page.evaluate(INCH), page.evaluate("scrollY")
    hand = page.context.new_cdp_session(page)
    touch(hand, "touchStart", x + 4, y + 4)
    for part in range(1, 9):
        touch(hand, "touchMove", x + 4, y + 4 + part * inch / 4)
    touch(hand, "touchEnd")
    expect(page.locator("#f-figures-1-y")).to_have_value("22")
    expect(page).to_have_url(re.compile("figures=at.27,22"))
    assert page.evaluate("scrollY") == scrolled
    settled(page)


def test_a_finger_beside_every_base_scrolls_the_page(open_page):
    page = open_page(TOKENS, "phone")
    box = page.locator("svg.board").bounding_box()
    assert box
    hand = page.context.new_cdp_session(page)
    touch(hand, "touchStart", box["x"] + 12, box["y"] + box["height"] - 12)
    for part in range(1, 9):
        touch(hand, "touchMove", box["x"] + 12, box["y"] + box["height"] - 12 - 20 * part)
    touch(hand, "touchEnd")
    page.wait_for_function("scrollY > 20")
    assert "?figures=at+24,24&figures=at+27,24&" in page.url


def test_arrow_keys_move_a_base_and_keep_the_focus(open_page, size):
    page = open_page(ORDNANCE, size)
    before = page.locator(".answer").get_attribute("data-said")
    aim = thing(page, "aim_right")
    expect(aim).to_have_attribute("role", "button")
    expect(aim).to_have_attribute("aria-label", "Battle cannon, at 0, 0")
    aim.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    expect(page.locator("#f-aim-right")).to_have_value("0.5")
    expect(page.locator("#f-aim-ahead")).to_have_value("1")
    expect(page.locator(".answer")).not_to_have_attribute("data-said", before or "")
    expect(page).to_have_url(re.compile("aim_ahead=1&aim_right=0.5"))
    expect(aim).to_be_focused()
    expect(aim).to_have_attribute("aria-label", "Battle cannon, at 0.5, 1")
    settled(page)


def test_what_was_moved_too_far_can_be_moved_back(open_page, size):
    page = open_page(ORDNANCE, size)
    thing(page, "aim_right").focus()
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("#trouble")).to_contain_text("off it")
    expect(page.locator("#trouble").get_by_role("link", name="Rule V5-SHOT-7")).to_be_visible()
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#trouble")).to_be_empty()
    expect(page).to_have_url(re.compile("aim_right=1$"))
    settled(page)


def test_the_numbers_of_the_form_move_the_picture(open_page, size):
    page = open_page(TOKENS, size)
    page.get_by_text("The models as a list").click()
    page.locator("#f-figures-1-x").fill("29.5")
    expect(thing(page, "figures.1.x")).to_have_attribute("data-x", "29.5")
    page.get_by_role("button", name="Remove Model 2").click()
    expect(page.locator("svg.board [data-input-x^=figures]")).to_have_count(2)


def test_a_formation_at_a_tap(open_page, size):
    page = open_page("/diceless40k/tokens?_blank=1", size)
    page.get_by_role("spinbutton", name="Models", exact=True).fill("7")
    page.get_by_role("button", name="Cluster").click()
    expect(page.locator("svg.board [data-input-x^=figures]")).to_have_count(7)
    expect(page).to_have_url(re.compile(r"figures=at\+24,24&"))
    settled(page)


def test_without_scripts_the_list_of_places_works(open_page):
    page = open_page(TOKENS, "phone", scripts=False)
    expect(page.locator("svg.board")).to_be_visible()
    expect(page.locator(".hint")).to_be_hidden()
    page.get_by_text("The models as a list").click()
    page.locator("#f-figures-1-x").fill("29")
    page.get_by_role("button", name="Answer").last.click()
    expect(page).to_have_url(re.compile("figures=at.29,24"))
    expect(thing(page, "figures.1.x")).to_have_attribute("data-x", "29")


@pytest.mark.parametrize("address", [ORDNANCE, TOKENS, BLAST])
def test_the_board_finds_room_at_any_width(open_page, address):
    page = open_page(address, "desk")
    page.evaluate(OPEN)
    for width in (320, 360, 800, 1000, 1280, 1600):
        assert amiss(page, width) == [], width
        board, form, answer = (page.locator(part).bounding_box() for part in ("svg.board", "#ask", "#answer"))
        assert board, width
        assert form, width
        assert answer, width
        assert board["width"] >= min(290, width - 40), width
        if width < 900:
            assert board["y"] < form["y"] < answer["y"], f"the picture comes first, at {width}"
        if width >= 1280:
            assert board["x"] + board["width"] <= answer["x"], f"the answer stands beside it, at {width}"


RANKS = "/second_edition/blast?models=two+ranks+6+at+0,18+spacing+0.6+name=Mud&target=Mud+1"


def test_a_far_shooter_stands_at_the_edge_until_the_board_is_taken_farther_away(open_page, size):
    page = open_page(RANKS, size)
    board = page.locator("svg.board")
    expect(board.locator("text.name", has_text="shooter")).to_have_text(re.compile(r"^shooter, [\d.]+″ [↓↙↘]$"))
    expect(thing(page, "shooter_x")).to_have_attribute("tabindex", "-1")  # no key leads to what nobody sees
    page.get_by_role("button", name="Farther").press("Enter")
    expect(page).to_have_url(re.compile("_frame="))
    expect(thing(page, "shooter_x")).to_have_attribute("tabindex", "0")
    expect(page.get_by_role("button", name="Farther")).to_be_focused()
    page.get_by_role("button", name="What matters").click()
    expect(page).not_to_have_url(re.compile("_frame="))


def test_a_wheel_with_ctrl_goes_nearer_to_what_it_points_at(open_page):
    page = open_page(RANKS, "desk")
    inch = page.evaluate(INCH)
    page.mouse.move(*middle(page, "models.0.x"))
    page.keyboard.down("Control")
    page.mouse.wheel(0, -150)
    page.keyboard.up("Control")
    expect(page).to_have_url(re.compile("_frame="))
    settled(page)
    assert page.evaluate(INCH) > 1.3 * inch
    assert thing(page, "models.0.x").is_visible()


def test_the_best_aim_is_drawn_with_its_figure_and_a_tap_takes_it(open_page, size):
    page = open_page(RANKS, size)
    ghost = page.locator("svg.board .best")
    expect(ghost).to_have_text(re.compile(r"^best aim: \d"))
    promised = (ghost.text_content() or "").removeprefix("best aim: ")
    ghost.locator(".tag").click()
    expect(page.locator("#f-target")).to_have_value("")
    expect(page.locator("#answer .big")).to_have_text(promised)
    expect(page.locator(".answer")).to_have_attribute("data-said", re.compile("^Aim at Mud"))
    expect(ghost).to_have_count(0)


FLAME = "/second_edition/template?models=two+ranks+8+at+0,6+spacing+0.5+name=Mud&target=Mud+8"


def test_the_best_way_to_lay_a_template_is_drawn_in_its_shape(open_page, size):
    page = open_page(FLAME, size)
    ghost = page.locator("svg.board .best")
    expect(ghost).to_have_text(re.compile(r"^best aim: \d"))
    expect(ghost.locator("path.disc")).to_have_attribute("transform", re.compile("rotate"))
    promised = (ghost.text_content() or "").removeprefix("best aim: ")
    expect(page.locator("#f-shooter_x")).not_to_be_visible()
    ghost.locator(".tag").click()
    expect(page.locator("#f-target")).to_have_value("")
    expect(page.locator("#answer .big")).to_have_text(promised)
    expect(ghost).to_have_count(0)


@pytest.mark.parametrize("board", [RANKS, FLAME])
def test_a_tap_on_a_model_aims_at_it_and_so_does_enter(open_page, size, board):
    page = open_page(board, size)
    x, y = middle(page, "models.1.x")
    page.mouse.click(x, y)
    expect(page.locator("#f-target")).to_have_value("Mud 2")
    settled(page)
    thing(page, "models.2.x").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#f-target")).to_have_value("Mud 3")
