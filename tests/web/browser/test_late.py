"""A server that is slow, gone or in trouble: no old answer stands unmarked beside a new form, and all mends itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browser.conftest import free_port, serving
from tests.web.pages import ATTACK

ASKS = re.compile(r"/attack_dice/attack\?")
BEFORE, AFTER = "59 % for three or more", "33 % for four or more"
BLAST = "/second_edition/blast?models=two+ranks+6+at+0,18+spacing+0.6+name=Mud&target=Mud+1"
PROXY = "<html><body><h1>Bad gateway</h1></body></html>"


def refuse(route: Route) -> None:
    """As if nobody were there."""
    route.abort("connectionrefused")


def hang(route: Route) -> None:
    """As if the server never came to it."""


def marked(page: Page) -> bool:
    """Whether the answer is grey and out of use."""
    found = page.locator("#answer > section").evaluate_all(
        "(all) => all.every((one) => one.inert && Number(getComputedStyle(one).opacity) < 0.5)"
    )
    return bool(found)


def expect_marked(page: Page, words: str, size: str) -> None:
    """The answer is grey and says what it is the answer to, also in the bar of a phone."""
    expect(page.locator(".waits-for")).to_have_text(words)
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('#answer .headline').parentElement).opacity < 0.5"
    )
    assert marked(page)
    expect(page.locator(".headline p")).to_contain_text(BEFORE)
    if size == "phone":
        expect(page.locator(".sticky span")).to_have_text(words)
    assert page.locator(".sticky .btn").evaluate_all("(all) => all.every((one) => one.inert)")


def expect_right(page: Page, words: str = AFTER) -> None:
    """The answer is that of the form, and nothing marks it."""
    expect(page.locator(".headline p")).to_contain_text(words)
    expect(page.locator(".waits-for")).to_have_count(0)
    expect(page.locator(".late")).to_have_count(0)
    assert not page.locator("#answer > section").evaluate_all("(all) => all.some((one) => one.inert)")


def test_a_late_answer_leaves_the_old_one_grey(open_page, size):
    page = open_page(ATTACK, size, fresh=True)  # with a clock of its own
    page.clock.install()
    page.goto(page.url)
    held: list[Route] = []
    page.route(ASKS, lambda route: held.append(route))
    page.clock.pause_at("2100-01-01")
    page.get_by_label("more: Power").click()
    page.clock.run_for(250)
    expect(page.locator(".late")).to_have_count(0)
    page.clock.run_for(100)
    expect(page.locator("#answer.late")).to_have_count(1)
    expect(page.locator(".waits-for")).to_have_count(0)
    page.clock.run_for(1_000)
    expect_marked(page, "Still waiting: this is the answer to Power 6.", size)
    page.get_by_label("more: Power").click()
    page.clock.run_for(100)
    while "power=8" not in held[-1].request.url:
        page.wait_for_timeout(10)
    held[-1].continue_()
    expect_right(page, "52 % for four or more")
    expect(page).to_have_url(re.compile("power=8"))


def test_the_focus_stays_while_a_late_answer_comes(open_page):
    """What is grey is out of use and loses the focus: it comes back with the answer."""
    page = open_page("/", "desk")
    held: list[Route] = []
    page.route(re.compile("turn="), lambda route: held.append(route))
    page.locator("#turn-more").click()
    page.wait_for_function("() => document.querySelector('.late') && document.activeElement === document.body")
    held[0].continue_()
    expect(page.locator("#live-h")).to_contain_text("13 dice")
    expect(page.locator("#turn-more")).to_be_focused()


def test_without_a_connection_the_answer_says_so_and_comes_by_itself_later(open_page, size):
    page = open_page(ATTACK, size)
    page.route(ASKS, refuse)
    page.get_by_label("more: Power").click()
    expect_marked(page, "No connection: this is the answer to Power 6. Trying again.", size)
    page.locator('[data-row="armour"] label', has_text="3+").click()
    both = "No connection: this is the answer to Power 6, Armour Save 5+. Trying again."
    expect_marked(page, both, size)
    expect(page.locator("#said")).to_have_text(both)
    page.locator('[data-row="armour"] label', has_text="5+").click()
    expect_marked(page, "No connection: this is the answer to Power 6. Trying again.", size)
    page.unroute(ASKS)
    expect_right(page)
    expect(page).to_have_url(re.compile("power=7"))


def test_a_server_that_never_answers_is_no_connection(open_page, size):
    page = open_page(ATTACK, size)
    page.evaluate("htmx.config.timeout = 600")
    page.route(ASKS, hang)
    page.get_by_label("more: Power").click()
    expect_marked(page, "No connection: this is the answer to Power 6. Trying again.", size)
    page.unroute(ASKS)
    expect_right(page)


@pytest.mark.parametrize(
    "status, body, why",
    [
        (502, PROXY, "The server cannot answer now"),
        (503, '<p class="says">Battletape is ending just now.</p>', "Battletape is ending just now"),
        (429, '<p class="says">Too many questions came at once.</p>', "Too many questions came at once"),
    ],
)
def test_a_server_in_trouble_leaves_no_wrong_answer(open_page, status, body, why):
    page = open_page(ATTACK, "phone")
    page.route(ASKS, lambda route: route.fulfill(status=status, body=body, content_type="text/html"))
    page.get_by_label("more: Power").click()
    expect_marked(page, f"{why}: this is the answer to Power 6. Trying again.", "phone")
    assert "Bad gateway" not in page.locator("body").inner_text()
    page.unroute(ASKS)
    expect_right(page)


def test_a_server_that_stops_and_comes_back(open_page, tmp_path: Path):
    port = free_port()
    with serving(port, tmp_path / "first"):
        page = open_page("/", "phone")
        page.goto(f"http://127.0.0.1:{port}{ATTACK}")
        expect_right(page, BEFORE)
    for _ in range(3):
        page.get_by_label("more: Power").click()
    expect(page.locator("#f-power")).to_have_value("9")
    expect_marked(page, "No connection: this is the answer to Power 6. Trying again.", "phone")
    with serving(port, tmp_path / "second"):
        expect_right(page, "52 % for four or more")
        expect(page).to_have_url(re.compile("power=9"))
        page.close()


def test_a_profile_and_an_entry_picked_without_a_connection_are_there_afterwards(open_page):
    asks = re.compile(r"/vehicles5/shoot\?")
    page = open_page("/vehicles5/shoot?_blank=1")
    page.route(asks, refuse)
    page.locator("#f-guns-0-weapon").select_option("Meltagun")
    expect(page.locator(".waits-for")).to_have_text(
        "No connection: this is the answer to Weapon own numbers. Trying again."
    )
    page.unroute(asks)
    expect(page).to_have_url(re.compile(r"\?guns=weapon=Meltagun$"))
    expect_right(page, "Destroyed")
    expect(page.locator("#f-guns-0-ap")).to_have_value("1")
    page.route(asks, refuse)
    page.get_by_role("button", name="Add a gun").click()
    expect(page.locator(".waits-for")).to_have_text("No connection: this is the answer from before. Trying again.")
    page.unroute(asks)
    expect(page.locator(".entry")).to_have_count(2)
    expect_right(page, "Destroyed")


def test_a_comparison_waits_for_its_variant(open_page):
    asks = re.compile("/attack/compare")
    page = open_page("/attack_dice/attack/compare?power=6")
    page.locator("#vary").select_option("power")
    page.locator("input#f--to").fill("8")
    page.route(asks, refuse)
    page.get_by_role("button", name="Add", exact=True).last.click()
    expect(page.locator(".waits-for")).to_have_text("No connection: this is from before. Trying again.")
    assert page.locator("#compared > section").evaluate_all("(all) => all.every((one) => one.inert)")
    page.unroute(asks)
    expect(page.locator(".variants li")).to_have_count(2)
    expect(page.locator(".waits-for, .late")).to_have_count(0)


def test_a_roll_and_a_rule_say_that_there_is_no_connection(open_page):
    page = open_page("/attack_dice/attack/roll?attacks=3&_seed=7")
    first = page.url
    page.route("**/rules/**", refuse)
    page.locator(".log .clause").first.click()
    expect(page.locator("#beside")).to_contain_text("No connection")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#beside")).to_be_hidden()
    page.route(re.compile("/attack/roll"), refuse)
    page.locator("#again").click()
    expect(page.locator(".waits-for")).to_have_text("No connection: this is from before. Trying again.")
    page.unroute(re.compile("/attack/roll"))
    expect(page.locator(".waits-for, .late")).to_have_count(0)
    expect(page).not_to_have_url(first)


def test_what_ifs_and_the_best_aim_come_by_themselves_later(open_page, size):
    """Though the server is in trouble, or had no time for some of them: the page asks again for what is missing."""
    page = open_page("/attack_dice/attack", size, fresh=True)
    asked: list[int] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url.count("_if="))
        if len(asked) == 1:
            route.fulfill(status=503, body="busy")
        elif len(asked) == 2:
            route.fulfill(body="{}", content_type="application/json")  # it had no time for any
        elif len(asked) == 3:
            told = route.fetch().json()
            first = next(iter(told))
            route.fulfill(json={first: told[first]})
        else:
            route.continue_()

    page.route("**/second_edition/blast/whatif?*", answer)  # not those of the page before
    page.goto(page.url.split("/attack_dice")[0] + BLAST)
    expect(page.locator("svg.board .best")).to_have_text(re.compile(r"^best aim: \d"))
    expect(page.locator("ul.chips .then").last).not_to_be_empty()
    assert asked[0] == asked[1] == asked[2] > asked[3] > 0
