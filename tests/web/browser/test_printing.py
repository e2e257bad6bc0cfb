"""Print in a browser: sheets chosen by hand, a battle, one's own list, a question; each opens as a PDF."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from battletape.battle import Battle

LADS = '[[unit]]\nname = "Lads of the Lower Quay"\nmodels = 7\n'


def sent(page: Page, button: str, role: str = "button", within: str = "main") -> tuple[int, str]:
    """Status and type of what a button brings; the browser's own viewer of PDF is kept out of it."""
    came: list[tuple[int, str]] = []

    def look(route: Route) -> None:
        reply = route.fetch()
        came.append((reply.status, reply.headers["content-type"]))
        route.fulfill(status=200, content_type="text/plain", body="seen")

    page.context.route("**/print.pdf*", look)
    with page.expect_popup() as opened:
        page.locator(within).get_by_role(role, name=button, exact=True).click()  # type: ignore[arg-type]
    expect(opened.value.get_by_text("seen")).to_be_visible()
    return came[0]


def test_sheets_are_chosen_and_come_as_pdf_and_so_does_a_battle(open_page):
    page = open_page("/diceless40k/print", fresh=True)
    page.get_by_label("Vehicle sheets").check()
    page.get_by_text("Vehicle 1", exact=False).first.click()
    page.get_by_label("Rhino", exact=True).check()
    page.get_by_role("form", name="What to print").get_by_label("Letter").check()
    assert sent(page, "Make the PDF") == (200, "application/pdf")
    text = Battle.new("diceless40k").text
    page.set_input_files("[data-battle]", {"name": "x.bt", "mimeType": "text/plain", "buffer": text.encode()})
    expect(page.locator("#battle")).to_have_value(text)
    assert sent(page, "Print the battle") == (200, "application/pdf")


def test_ones_own_list_is_printed(open_page):
    page = open_page("/attack_dice/units", fresh=True)
    page.locator("details.astext summary").click()
    page.fill("#toml", LADS)
    page.get_by_role("button", name="Check and save").click()
    expect(page.locator(".profile h3")).to_contain_text("Lads of the Lower Quay")
    assert sent(page, "Print your own") == (200, "application/pdf")


def test_an_answer_is_printed(open_page):
    page = open_page("/attack_dice/attack?unit=Hill+raiders", fresh=True)
    page.locator(".moreacts > summary").click()
    page.evaluate("window.print = () => { window.printed = true; }")
    page.locator(".menu").get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed"), "what was asked, the answer and the steps, as the page has them"
    assert sent(page, "Print cards", "link", ".menu") == (200, "application/pdf")


def test_a_rule_book_is_printed_with_its_texts(open_page):
    page = open_page("/attack_dice/rules", "desk")
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#AD-7 .ruletext p").first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".chapter[open]")).to_have_count(0)


def test_paper_says_what_was_asked_and_not_what_could_not_be(open_page):
    page = open_page("/deathwatch/shoot?weapon=Autogun&target=Raider", "desk")
    expect(page.locator(".whynot").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".onpaper")).to_have_text("Autogun · Raider · full")
    for gone in (".whynot", ".part-places", ".drawer", ".sticky"):
        expect(page.locator(gone).first).to_be_hidden()


def test_a_heat_map_has_all_its_columns_on_paper(open_page):
    page = open_page("/vehicles5/shoot/targets", "phone")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 700, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    assert page.locator(".heat thead th").last.evaluate("one => one.getBoundingClientRect().right") <= 700
