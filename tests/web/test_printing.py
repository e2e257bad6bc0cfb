"""Print on the page and by the API: the sheets there are, PDF from units, a list, a question, a battle."""

from __future__ import annotations

import json
from html import unescape

import pytest

from battletape import registry
from battletape.battle import Battle
from tests.sheets.paper import RULESETS, Paper
from tests.web.page import Page

PDF = "application/pdf"
LADS = '[[unit]]\nname = "Lads of the Lower Quay"\nmodels = 7\nweapons = ["Yew bow"]\n'


def paper(got) -> Paper:
    """A PDF that came as a reply."""
    assert got.status_code == 200, got.text[:500]
    assert got.headers["Content-Type"] == PDF
    return Paper(got.content)


@pytest.mark.parametrize("name", RULESETS)
def test_the_print_page_offers_every_sheet_and_every_profile_that_has_one(client, name):
    html = client.get(f"/{name}/print").text
    page, card = Page(html), registry.ruleset(name)
    assert [box["value"] for box in page.all("input", name="sheet")] == [sheet.name for sheet in card.sheets]
    kinds = dict.fromkeys(kind for sheet in card.sheets for kind in sheet.kinds)
    names = [known for kind in kinds for known in card.book.entries[kind]]
    assert [unescape(box["value"]) for box in page.all("input", name="profile")] == names
    assert f'href="/{name}/print"' in client.get(f"/{name}/units").text
    assert f'href="/{name}/print"' in client.get(f"/{name}/rules").text


def test_chosen_sheets_come_as_pdf(client):
    response = client.get("/attack_dice/print.pdf?sheet=unit_cards&profile=Hill+raiders&paper=letter")
    made = paper(response)
    assert "Hill raiders" in made.text()
    assert made.document[0].get_width() == pytest.approx(612, abs=0.2)
    assert response.headers["Content-Disposition"] == 'inline; filename="attack_dice-unit_cards.pdf"'
    assert "Hill raiders" in paper(client.get("/attack_dice/print.pdf?profile=Hill+raiders")).text()
    assert "name" in paper(client.get("/attack_dice/print.pdf?sheet=unit_cards")).text()
    several = "profile=Marsh+hobs&profile=2+x+Hill+raiders%0D%0ASteam+wagon%0D%0A"
    text = paper(client.get(f"/attack_dice/print.pdf?sheet=unit_cards&{several}")).text()
    assert [text.count(name) for name in ("Marsh hobs", "Hill raiders", "Steam wagon")] == [1, 2, 1]


@pytest.mark.parametrize("name", RULESETS)
def test_the_tables_page_prints_all_its_tables(client, name):
    html = unescape(client.get(f"/{name}/tables").text)
    address = html.partition(f'href="/{name}/print.pdf?')[2].partition('"')[0]
    text = "".join(paper(client.get(f"/{name}/print.pdf?{address}")).text().split())
    for table in registry.ruleset(name).tables():
        if table.clause not in ("DL-20.2", "DL-T2"):  # a part of Table 1, and two tables that are printed apart
            assert "".join(table.title.split()) in text


def test_ones_own_list_prints_a_card_for_each_entry(client):
    html = client.post("/attack_dice/units", data={"toml": LADS}, headers={"HX-Request": "true"}).text
    assert 'action="/attack_dice/print.pdf"' in html
    text = paper(client.post("/attack_dice/print.pdf", data={"toml": LADS})).text()
    assert "Lads of the Lower Quay" in text
    assert "Hill raiders" not in text
    assert "your list is empty" in client.post("/attack_dice/print.pdf", data={"toml": " "}).text
    wrong = client.post("/attack_dice/print.pdf", data={"toml": LADS.replace("Yew", "Yaw")})
    assert wrong.status_code == 422
    assert "Yew bow" in wrong.text


def test_a_question_with_something_to_print_has_a_button(client):
    html = unescape(client.get("/attack_dice/attack?unit=Hill+raiders&lost=3").text)
    address = html.partition("/attack_dice/attack/print.pdf")[2].partition('"')[0]
    text = paper(client.get(f"/attack_dice/attack/print.pdf{address}")).text()
    assert "Hill raiders" in text
    assert "3 of 10 lost" in text
    assert "/print.pdf" not in client.get("/deathwatch/test?_blank=1").text


def test_a_battle_is_printed_from_its_text(client):
    page = client.get("/vehicles5/print").text
    assert 'action="/vehicles5/print.pdf"' in page.partition('aria-label="Print a battle"')[0]
    text = Battle.new("vehicles5").text
    made = paper(client.post("/vehicles5/print.pdf", data={"battle": text.replace("\n", "\r\n"), "paper": "letter"}))
    assert "Anvil" in made.text()
    assert made.document[0].get_width() == pytest.approx(612, abs=0.2)
    for battle, said in (("", "there is no battle yet"), ("rubbish", "a battle file begins with")):
        wrong = client.post("/vehicles5/print.pdf", data={"battle": battle})
        assert wrong.status_code == 422
        assert said in unescape(wrong.text)
    other = unescape(client.post("/attack_dice/print.pdf", data={"battle": text}).text)
    assert "this battle is one of vehicles5, not of attack_dice" in other


BAD = [
    ("/attack_dice/print.pdf", 422, "name a sheet"),
    (
        "/attack_dice/print.pdf?sheet=unit_cards&profile=0+x+Marsh+hobs",
        422,
        "at least one of each; got '0 x Marsh hobs'",
    ),
    ("/attack_dice/print.pdf?sheet=unit_card", 422, "unit_cards"),
    ("/attack_dice/print.pdf?sheet=unit_cards&profile=Nobody", 422, "there is no unit"),
    ("/attack_dice/print.pdf?sheet=unit_cards&profile=10000+x+Marsh+hobs", 422, "at most 300 cards; got 10,000"),
    ("/attack_dice/print.pdf?sheet=unit_cards&profile=200+x+Marsh+hobs", 422, "at most 40 cards; got 200"),
    ("/attack_dice/print.pdf?sheet=unit_cards&paper=a5", 422, "paper must be a4 or letter"),
    ("/nothing/print", 404, "nothing"),
    ("/attack_dice/nothing/print.pdf", 404, "nothing"),
]


@pytest.mark.parametrize("address, status, said", BAD, ids=[address for address, _, _ in BAD])
def test_what_does_not_fit_gets_a_sentence(client, address, status, said):
    response = client.get(address)
    assert response.status_code == status
    assert said in unescape(response.text)


# --- the API ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULESETS)
def test_the_api_lists_sheets_and_gives_each_of_them(client, name):
    card = registry.ruleset(name)
    found = client.get(f"/api/v1/{name}/sheets").json()
    assert [(view["name"], view["title"]) for view in found] == [(sheet.name, sheet.title) for sheet in card.sheets]
    for view in found:
        made = paper(client.get(f"/api/v1/{name}/sheets/{view['name']}?paper=letter"))
        assert view["title"] in made.text(0)


@pytest.mark.parametrize("name", RULESETS)
def test_the_api_prints_a_battle_as_it_stands(client, name):
    battle, card = Battle.new(name), registry.ruleset(name)
    body = json.dumps({"battle": battle.text})
    sheet = next(sheet for sheet in card.sheets if sheet.of_battle)
    text = paper(client.post(f"/api/v1/{name}/sheets/{sheet.name}", content=body)).text()
    assert battle.state.units[0].name in text


def test_the_api_prints_profiles_a_list_a_question_and_pictures(client):
    root = "/api/v1/diceless40k/sheets"
    by_name = {"profiles": ["2 x Rhino"], "rulings": {"preset": "sheet"}}
    text = paper(client.post(f"{root}/vehicle_sheets", json=by_name)).text()
    assert "Rhino 2" in text
    assert text.count("shaken") == 4
    asked = {"question": "army_tokens", "inputs": {"units": ["Devastators"]}}
    assert "scatter" in paper(client.post(f"{root}/tokens", json=asked)).text()
    own = {"own": LADS}
    assert "Lads of" in paper(client.post("/api/v1/attack_dice/sheets/unit_cards", json=own)).text()
    picture = client.get(f"{root}/tables?format=png&page=2")
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert client.post(f"{root}/tables", json={"format": "svg"}).headers["Content-Type"] == "image/svg+xml"


REFUSED = [
    ({"profiles": ["Rhino"], "question": "move"}, 422, "printed from one thing"),
    ({"profile": ["Rhino"]}, 422, "profile"),
    ({"paper": "a5"}, 422, "paper must be a4 or letter; got 'a5'"),
    ({"format": "gif"}, 422, "format must be pdf, png or svg; got 'gif'"),
    ({"page": 0}, 422, "page must be a whole number from 1 to 1,000; got '0'"),
    ({"battle": Battle.new("attack_dice").text}, 422, "this battle is one of attack_dice, not of diceless40k"),
    ({"battle": "x", "rulings": {"rows": "sheet"}}, 422, "a battle has its own units and rulings; leave rulings out"),
    ({"battle": "nothing of the kind"}, 422, "battle"),
    ({"question": "nothing"}, 404, "nothing"),
    ({"question": "army_tokens", "inputs": {"units": [["x"]]}}, 422, "units"),
    ({"profiles": ["10000 x Rhino"]}, 422, "at most 300 cards"),
    ({"format": "png", "page": 99}, 422, "page must be a number from 1 to"),
]


@pytest.mark.parametrize("order, status, said", REFUSED, ids=lambda one: str(one)[:40])
def test_the_api_says_what_is_wrong_with_an_order(client, order, status, said):
    response = client.post("/api/v1/diceless40k/sheets/vehicle_sheets", json=order)
    assert response.status_code == status
    assert said in response.json()["detail"]


def test_the_api_knows_no_other_sheet_or_option(client):
    response = client.get("/api/v1/diceless40k/sheets/vehicle_shets")
    assert response.status_code == 404
    assert "vehicle_sheets" in response.json()["detail"]
    assert "Known: profile, paper" in client.get("/api/v1/diceless40k/sheets/tables?colour=red").json()["detail"]
    assert client.post("/api/v1/diceless40k/sheets/tables", content=b"x" * 300_000).status_code == 413
    assert client.post("/api/v1/diceless40k/sheets/tables", content=b"[").status_code == 400
