"""The dice calculator on the page and for programs: the line, its keys, the answer, rolls and typed dice."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from battletape.calculator import EXAMPLES, FORMS, calculate, read_text
from battletape.odds import percent
from battletape.views.calculator import figure_of, keys_view, press
from tests.web.page import Page

HTMX = {"HX-Request": "true"}


def asked(client, text: str, more: str = "", **headers: str) -> str:
    return str(client.get(f"/dice?dice={quote(text)}{more}", headers=headers).text)


# --- the answer -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*EXAMPLES, "2 * d6", "d6 * d6", "D6 + D6", "d66", "7", "8d6! 5+"])
def test_the_page_says_what_the_engine_says(client, text):
    answer = calculate(text)
    html = unescape(asked(client, text))
    assert f'value="{text}"' in html
    if len(answer.odds("total")) > 1 and text != "d66":
        assert f'<b class="big">{figure_of(answer)}</b>' in html
    else:
        assert answer.headline in html
    total = answer.odds("total")
    value = total.mode
    row = next(row for row in re.findall(r"<tr>.*?</tr>", html) if f">{value}</th>" in row) if len(total) > 1 else ""
    if row:
        chances = (total.chance(value), total.at_least(value), total.at_most(value))
        assert [percent(chance) for chance in chances] == re.findall(r'<td class="n">(.*?)</td>', row)


def test_fractions_are_exact(client):
    html = asked(client, "2d6", "&_fractions=1")
    assert '<td class="n">1/6</td><td class="n">7/12</td><td class="n">7/12</td>' in html
    assert "Percentages" in html


def test_without_dice_there_is_an_example_and_with_an_empty_line_there_is_none(client):
    assert f'value="{EXAMPLES[0]}"' in client.get("/dice").text
    empty = client.get("/dice?dice=")
    assert empty.status_code == 200
    assert 'class="card answer"' not in empty.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3d6 explod 6", "after '3d6'; got 'explod 6'."),
        ("d6 +", "expected dice or a number after 'd6 +'; got nothing."),
        ("<script>", "got '<script>'"),
        ("1001d6", "dice must be 1 to 1,000 at once; got 1,001."),
        ("x" * 201, "200 letters or fewer; got 201."),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_cannot_be_read_is_a_sentence_that_says_where(client, text, told, headers):
    reply = client.get("/dice", params={"dice": text}, headers=headers)
    assert reply.status_code == 422
    assert told in unescape(reply.text)
    assert "<script>" not in reply.text.replace("&lt;script&gt;", "").replace("<script src", "").replace(
        "<script type", ""
    )
    assert 'value="die:6"' in reply.text  # a key writes it anew


def test_what_takes_too_long_says_how_much_was_left_out(hasty):
    html = unescape(hasty.get("/dice", params={"dice": "max(30d100, 30d100) * d1000"}).text)
    assert "was explored" in html or "too large to be worked out" in html


# --- keys -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "after"),
    [
        ("", "die:6", "d6"),
        ("rubbish", "die:20", "d20"),
        ("8d6", "die:10", "8d10"),
        ("8d6 5+", "die:10", "8d10 5+"),
        ("8d10 9+", "die:6", "8d6 5+"),
        ("3d10 reroll 1 explode 10", "die:6", "3d6 reroll 1 explode 6"),
        ("3d6 explode 6", "die:F", "3dF"),
        ("8d6 reroll 1 5+", "count:9", "9d6 reroll 1 5+"),
        ("4d6 drop lowest", "count:6", "6d6 keep highest 5"),
        ("2d20 keep highest", "count:3", "3d20 keep highest"),
        ("8d6", "hits:5", "8d6 5+"),
        ("8d6 5+", "hits:4", "8d6 4+"),
        ("8d6 reroll 1 5+", "sum", "8d6 reroll 1"),
        ("4d6 keep lowest 2", "sum", "4d6"),
        ("8d6", "reroll", "8d6 reroll 1"),
        ("8d6 reroll 1", "reroll", "8d6"),
        ("4d6", "keep", "4d6 keep highest 3"),
        ("d20", "keep", "2d20 keep highest"),
        ("4d6 drop lowest", "keep", "4d6"),
        ("3d6", "explode", "3d6 explode 6"),
        ("3d6!", "explode", "3d6"),
        ("2d6", "more", "2d6 + d6"),
        ("2d10 + 5 >= 12", "more", "2d10 + 5 + d10 >= 12"),
        ("2d6", "target:7", "2d6 >= 7"),
        ("2d6 >= 7", "target:8", "2d6 >= 8"),
        ("2d6 >= 7", "target", "2d6"),
        ("d20 + 4d6", "count:5", "d20 + 5d6"),
        ("8d6 reroll 1 5+", "back", "8d6 reroll 1"),
        ("2d10+5", "back", "2d10+"),
        ("2d10+", "back", "2d10"),
        ("2d10", "back", ""),
        ("2d6 >= 7", "back", "2d6 >="),
        ("", "back", ""),
        ("2d6", "no such key", "2d6"),
        ("2d6", "count:0", "2d6"),
        ("2d6", "count:x", "2d6"),
        ("4dF", "explode", "4dF"),
    ],
)
def test_a_key_changes_the_dice_that_were_typed_last(text, key, after):
    assert press(text, key) == after


def test_every_key_of_every_example_leads_to_something_that_can_be_read(client):
    for text in (*EXAMPLES, *(one for form, _ in FORMS for one in form.split("  "))):
        view = keys_view(text)
        keys = [*view.kinds, *view.chips]
        turns = [turn for stepper in view.steppers for turn in (stepper.fewer, stepper.more) if turn]
        for does in (*(key.does for key in keys), *turns):
            read_text(press(text, does))
        assert view.read
        for one in view.beside:
            assert one.figure == figure_of(calculate(one.text))
        for chip in (chip for chip in view.chips if chip.then):
            assert chip.then == figure_of(calculate(press(text, chip.does)))
            assert not chip.on


def test_keys_work_without_scripts(client):
    html = asked(client, "8d6 5+")
    names = {(button.get("name"), button.get("value")) for button in Page(html).all("button")}
    assert {("_do", "die:20"), ("_do", "hits:4"), ("_do", "count:9"), ("_do", "back")} <= names
    reply = client.get("/dice", params={"dice": "8d6 5+", "_do": "count:9", "_fractions": "1"})
    assert reply.status_code == 303
    assert dict(parse_qsl(urlsplit(reply.headers["location"]).query)) == {"dice": "9d6 5+", "_fractions": "1"}
    first = re.search(r"<form class=\"card keyed\".*?<button[^>]*>", html, re.DOTALL)
    assert first is not None
    assert "name=" not in first[0].rpartition("<button")[2]  # Enter works it out, and presses no key


def test_htmx_gets_the_answer_and_the_keys_and_the_line_only_if_a_key_changed_it(client):
    typed = client.get("/dice", params={"dice": "3d6"}, headers=HTMX)
    assert "<html" not in typed.text
    assert 'id="dicekeys" hx-swap-oob' in typed.text
    assert 'id="dice"' not in typed.text
    assert typed.headers["hx-replace-url"] == "/dice?dice=3d6"
    pressed = client.get("/dice", params={"dice": "3d6", "_do": "count:4"}, headers=HTMX)
    assert 'value="4d6"' in pressed.text
    assert pressed.headers["hx-replace-url"] == "/dice?dice=4d6"


# --- rolls and dice of one's own --------------------------------------------------------------------------------------


def test_dice_are_rolled_and_the_address_holds_the_roll(client):
    reply = client.get("/dice/roll?dice=3d6!")
    assert reply.status_code == 303
    assert reply.headers["location"].startswith("/dice/roll?dice=3d6%21&_seed=")
    first, again = (client.get("/dice/roll?dice=8d6+5%2B&_seed=7").text for _ in range(2))
    assert first == again
    assert "How lucky was that?" in first
    assert "attacker" not in first
    assert 'href="/dice?dice=8d6+5%2B"' in first


def test_dice_of_ones_own_are_typed_in(client):
    boxes = client.get("/dice/mine?dice=d20+%2B+4d6+drop+lowest").text
    assert 'action="/dice/mine"' in boxes
    assert "The attacker rolls" not in boxes
    reply = client.get("/dice/mine?dice=d20+%2B+4d6+drop+lowest&_answers=11;6+1+3+3")
    assert "d20 + 4d6 drop lowest: 23." in reply.text
    many = client.get("/dice/mine", params={"dice": "3d6!", "_line": "6 6 2 1 5", "_go": "1"})
    assert unescape(client.get(many.headers["location"]).text).count("3d6!: 20.") > 0
    assert client.get("/dice/mine?dice=3d6!&_answers=999").status_code == 422


def test_nothing_else_is_taken_for_the_calculator(client):
    assert client.get("/dice/nope").status_code == 404
    assert client.get("/dice/").status_code == 308


def test_the_way_there_is_on_every_page(client):
    for address in ("/", "/attack_dice", "/search", "/api", "/vehicles5/rules"):
        assert any(link.get("href") == "/dice" for link in Page(client.get(address).text).all("a")), address
    assert 'action="/dice"' in client.get("/").text


# --- for programs -----------------------------------------------------------------------------------------------------


def test_programs_ask_the_same(client):
    reply = client.post("/api/v1/dice", json={"dice": "2d6 >= 7"}).json()
    assert (reply["kind"], reply["address"]) == ("odds", "/dice?dice=2d6+%3E=+7")
    assert reply["answer"]["headline"] == calculate("2d6 >= 7").headline
    assert reply["answer"]["measures"][0]["chance"]["fraction"] == "7/12"
    rolled = client.post("/api/v1/dice?read=roll&seed=7", json={"dice": "3d6!"}).json()
    assert rolled == client.post("/api/v1/dice?read=roll&seed=7", json={"dice": "3d6!"}).json()
    typed = client.post("/api/v1/dice?read=roll&answer=6+5&rest=ask", json={"dice": "2d6 + d4"}).json()
    assert (typed["kind"], typed["need"]["label"]) == ("need", "D4")
    shape = client.get("/api/v1/dice").json()
    assert [form["dice"] for form in shape["forms"]] == [form for form, _ in FORMS]


@pytest.mark.parametrize(
    ("query", "body", "status", "told"),
    [
        ("", {"dice": "2x6"}, 422, "after '2'; got 'x6'."),
        ("", {}, 422, "expected dice or a number; got nothing."),
        ("", {"dies": "2d6"}, 422, "the body must be such as"),
        ("", {"dice": 6}, 422, "the body must be such as"),
        ("", [1], 400, "the body must be a JSON object"),
        ("?read=advice", {"dice": "2d6"}, 422, "read must be one of odds, roll for dice; got 'advice'."),
        ("?measure=wounds", {"dice": "2d6"}, 422, "wounds"),
    ],
)
def test_what_programs_cannot_ask_is_a_problem(client, query, body, status, told):
    reply = client.post(f"/api/v1/dice{query}", json=body)
    assert reply.status_code == status
    assert told in reply.json()["detail"]
