"""The board on the page, in the API and in the take-away; models in formations without scripts."""

from __future__ import annotations

from html import unescape
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import pytest

from battletape import registry
from battletape.views.board import STYLE, draw_svg
from battletape.web.rendering import static
from tests.web.conftest import QUESTIONS
from tests.web.page import Page
from tests.web.test_questions import example_address

HTMX = {"HX-Request": "true"}
ORDNANCE = "/vehicles5/ordnance?weapon=Battle+cannon"
TOKENS = "/diceless40k/tokens?_blank=1"
DRAWN = [(name, asked) for name, asked in QUESTIONS if registry.ruleset(name).question(asked).picture is not None]


def test_some_questions_have_a_board():
    assert {("vehicles5", "ordnance"), ("diceless40k", "tokens")} <= set(DRAWN)


@pytest.mark.parametrize("ruleset, question", DRAWN)
def test_the_board_stands_on_the_page_with_its_key_and_its_style(client, ruleset, question):
    address = example_address(ruleset, question)
    text = client.get(address).text
    card = registry.ruleset(ruleset)
    answer = card.ask(question, **card.question(question).example)
    assert draw_svg(answer.picture, page=True) in text
    page = Page(text)
    assert page.all("section", id="board")
    assert page.all("figcaption")
    assert any(link.get("href") == static("css/drawing.css") for link in page.all("link"))
    part = client.get(address, headers=HTMX).text
    assert 'hx-swap-oob="true"' in part
    assert draw_svg(answer.picture, page=True) in part


@pytest.mark.parametrize("ruleset, question", DRAWN)
def test_what_can_be_moved_moves_inputs_that_the_form_has(client, ruleset, question):
    page = Page(client.get(example_address(ruleset, question)).text)
    names = {one.get("name") for one in page.all("input")}
    moved = [one for one in page.all("g") if "data-input-x" in one]
    assert moved
    for one in moved:
        assert {one["data-input-x"], one["data-input-y"]} <= names
        (input_x,) = page.all("input", name=one["data-input-x"])
        assert float(input_x["value"]) == float(one["data-x"])
    empty = [one["name"] for one in page.all("input") if "required" in one and not one.get("value")]
    assert not empty, "a form that lacks something waits for it, and the picture with it"


def test_a_question_without_a_board_has_nothing_of_it(client):
    text = client.get("/attack_dice/attack?_blank=1").text
    assert ('id="board"' in text, "drawing.css" in text) == (False, False)


def test_the_style_of_drawings_is_served(client):
    response = client.get(static("css/drawing.css"))
    assert (response.status_code, response.text) == (200, STYLE)
    assert response.headers["Content-Type"].startswith("text/css")
    assert "immutable" in response.headers["Cache-Control"]


def test_where_nothing_can_be_answered_the_board_stays(client):
    off = client.get(ORDNANCE + "&aim_right=9", headers=HTMX)
    assert off.status_code == 422
    assert 'id="board"' not in off.text, "what is drawn is left alone"
    page = client.get(ORDNANCE + "&aim_right=9")
    assert 'id="board"' in page.text, "but there is a place for the next one"
    assert "<svg" not in page.text.split('id="board"')[1].split("</section>")[0]


def test_the_board_as_data(client):
    got = client.post("/api/v1/vehicles5/questions/ordnance", json={"weapon": "Battle cannon"}).json()
    picture = got["answer"]["picture"]
    assert (picture["unit"], picture["says"]) == ("inches", "chance to be hit")
    assert {thing["kind"] for thing in picture["things"]} == {"ring", "hull", "arrow", "marker"}
    assert client.post("/api/v1/attack_dice/questions/attack", json={}).json()["answer"]["picture"] is None


def test_models_come_to_the_api_as_entries_and_as_texts(client):
    entries = [{"x": 24, "y": 24}, {"x": 26, "y": 24, "friend": True}]
    one = client.post("/api/v1/diceless40k/questions/tokens", json={"figures": entries}).json()
    other = client.post("/api/v1/diceless40k/questions/tokens", json={"figures": ["at 24,24", "at 26,24 friend=yes"]})
    assert one["answer"]["inputs"]["figures"] == other.json()["answer"]["inputs"]["figures"]
    ring = client.post("/api/v1/diceless40k/questions/tokens", json={"figures": "ring 6 at 24,24; at 24,24"}).json()
    assert len(ring["answer"]["inputs"]["figures"]) == 7
    assert "figures=at+24,24" in ring["address"]
    bad = client.post("/api/v1/diceless40k/questions/tokens", json={"figures": "ring 0 at 24,24"})
    assert bad.status_code == 422
    assert "a formation of 1 to 100 models" in bad.json()["detail"]


def test_the_board_to_take_away(client):
    page = client.get(ORDNANCE.replace("?", "/take?")).text
    assert "answer.board.svg" in page
    response = client.get(ORDNANCE.replace("?", "/answer.board.svg?"))
    assert response.headers["Content-Type"] == "image/svg+xml"
    assert response.headers["Content-Disposition"] == 'attachment; filename="vehicles5-ordnance.board.svg"'
    assert ElementTree.fromstring(response.text).tag.endswith("svg")
    dark = client.get(ORDNANCE.replace("?", "/answer.board.svg?") + "&_look=dark").text
    assert ("#1c1f25" in dark, "#fffdf7" in dark) == (True, False)
    assert client.get("/attack_dice/attack/answer.board.svg").status_code == 404
    assert "board.svg" not in client.get("/attack_dice/attack/take").text


def formed(client, formation: str, count: str = "5", spacing: str = "1", address: str = TOKENS) -> list[str]:
    """The models after a formation was chosen in a form without scripts."""
    pairs = Page(client.get(address).text).pairs
    kept = [(name, value) for name, value in pairs if not name.startswith("_form.")]
    more = [("_do", f"form:figures.{formation}"), ("_form.figures.count", count), ("_form.figures.spacing", spacing)]
    response = client.get(TOKENS, params=[*kept, *more])
    assert response.status_code == 303, response.text
    return [value for name, value in parse_qsl(urlsplit(response.headers["Location"]).query) if name == "figures"]


def test_a_formation_without_scripts(client):
    assert formed(client, "line") == [], "they stand so already"
    ranks = formed(client, "ranks", "4", "0.5")
    assert ranks == ["at 23.25,24.75", "at 24.75,24.75", "at 23.25,23.25", "at 24.75,23.25"]
    assert len(formed(client, "ring", "9")) == 9
    more = formed(client, "cluster", "2", "1", TOKENS + "&figures=at+24,24&figures=at+10,10+friend=yes")
    assert more[-1] == "at 10,10 friend=yes", "the others stay where they are"
    assert len(more) == 3


@pytest.mark.parametrize(
    ("do", "count", "spacing", "part"),
    [
        ("form:figures.wedge", "5", "1", "a formation must be one of line, ranks, cluster, ring"),
        ("form:hulls.line", "5", "1", "for a list of models"),
        ("form:nothing", "5", "1", "for a list of models"),
        ("form:figures.line", "", "1", "a formation needs a number of models"),
        ("form:figures.line", "0", "1", "a formation needs 1 to 100 models"),
        ("form:figures.line", "5", "wide", "inches between them"),
    ],
)
def test_a_formation_that_does_not_fit_is_a_sentence(client, do, count, spacing, part):
    params = {"_do": do, "_form.figures.count": count, "_form.figures.spacing": spacing}
    response = client.get(TOKENS, params=params, headers=HTMX)
    assert response.status_code == 422
    assert part in unescape(response.text)
