"""Export: every answer as CSV, JSON, SVG, PNG, Vega-Lite and text, and the process that draws them."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from html import unescape

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.answer import ask
from battletape.tape.exact import Memo
from battletape.tape.limits import Budget
from battletape.views.export import _cell, answer_csv, text_block
from tests.web.conftest import QUESTIONS
from tests.web.test_questions import example_address

ENDINGS = ("csv", "json", "txt", "vl.json", "svg", "png")


def file_address(ruleset: str, question: str, ending: str) -> str:
    path, _, query = example_address(ruleset, question).partition("?")
    return f"{path}/answer.{ending}?{query}"


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_the_rows_of_every_measure_sum_to_one(client, ruleset, question):
    response = client.get(file_address(ruleset, question, "csv"))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{ruleset}-{question}.csv"'
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    card = registry.ruleset(ruleset)
    names = [one.name for one in card.ask(question, **card.question(question).example).measures]
    assert list(dict.fromkeys(row["measure"] for row in rows)) == names
    for name in names:
        shares = [row["exactly_fraction"] for row in rows if row["measure"] == name]
        if not any("≈" in share for share in shares):
            assert sum(map(Fraction, shares)) == 1


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_json_and_text_say_the_same_sentence(client, ruleset, question):
    card = registry.ruleset(ruleset)
    headline = ask(card, card.question(question), card.question(question).example).headline
    found = json.loads(client.get(file_address(ruleset, question, "json")).content)
    assert found["kind"] == "odds"
    assert found["answer"]["headline"] == headline
    assert found["address"] == "http://testserver" + example_address(ruleset, question)
    text = client.get(file_address(ruleset, question, "txt")).text
    assert headline in text.splitlines()
    assert text.splitlines()[-1] == found["address"]
    assert text.splitlines()[0] == f"{card.question(question).title} ({card.title})"


@pytest.mark.parametrize("ruleset, question", QUESTIONS[::3])
def test_every_picture_is_drawn_from_its_specification(client, ruleset, question):
    for measure in registry.ruleset(ruleset).question(question).measures[:3]:
        spec = json.loads(client.get(f"/{ruleset}/{question}/answer.vl.json?_measure={measure.name}").content)
        assert spec["$schema"] == "https://vega.github.io/schema/vega-lite/v5.json"
        assert measure.title in spec["title"]["subtitle"][0]
        svg = client.get(f"/{ruleset}/{question}/answer.svg?_measure={measure.name}")
        assert svg.status_code == 200
        assert svg.headers["Content-Type"] == "image/svg+xml"
        assert svg.text.startswith("<svg")
        assert " ".join(spec["title"]["text"][0].split()[:3]) in unescape(svg.text)
        assert not re.search(
            r"<script|<image|<foreignObject|(?<!xmlns)(?<!xlink)=\"https?://(?!www\.w3\.org)", svg.text
        )


def test_a_png_is_a_png_and_drawn_once(client):
    first = client.get("/attack_dice/attack/answer.png?models=7")
    assert first.status_code == 200
    assert first.content.startswith(b"\x89PNG\r\n")
    assert first.headers["Content-Disposition"] == 'attachment; filename="attack_dice-attack-casualties.png"'
    assert client.get("/attack_dice/attack/answer.png?models=7").content == first.content
    dark = client.get("/attack_dice/attack/answer.png?models=7&_look=dark")
    assert dark.content.startswith(b"\x89PNG\r\n")
    assert dark.content != first.content


def test_the_table_of_an_answer_is_a_file_too(client):
    card = registry.ruleset("attack_dice")
    table = ask(card, card.question("chart"), {}).table
    assert table is not None
    response = client.get("/attack_dice/chart/answer.csv?_table=1")
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert rows[0] == list(table.head)
    assert len(rows) == len(table.rows) + 1
    assert client.get("/attack_dice/attack/answer.csv?_table=1").status_code == 404


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "query, status, words",
    [("power=x", 422, "“Power” must be"), ("_measure=nope", 422, "measure"), ("nope=1", 422, "nope")],
)
def test_what_does_not_fit_is_a_sentence(client, ending, query, status, words):
    response = client.get(f"/attack_dice/attack/answer.{ending}?{query}")
    assert response.status_code == status
    assert words in unescape(response.text)


def test_an_unknown_file_or_look_is_refused(client):
    unknown = client.get("/attack_dice/attack/answer.doc")
    assert unknown.status_code == 404
    assert "png, svg, csv" in unknown.text
    assert client.get("/attack_dice/nope/answer.png").status_code == 404
    look = client.get("/attack_dice/attack/answer.svg?_look=pink")
    assert look.status_code == 422
    assert "_look must be light or dark" in look.text
    assert client.get("/attack_dice/attack/answer.svg?weapon=" + "x" * 17_000).status_code == 414


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_the_page_offers_every_file_of_this_very_answer(client, ruleset, question):
    path, _, query = example_address(ruleset, question).partition("?")
    response = client.get(f"{path}/take?{query}")
    assert response.status_code == 200
    for ending in ENDINGS:
        wanted = f"{path}/answer.{ending}" + (f"?{query}" if query else "")
        assert f'href="{wanted}"' in unescape(response.text)
    assert f'value="http://testserver{example_address(ruleset, question)}"' in unescape(response.text)


def test_the_button_stands_on_the_answer(client):
    html = unescape(client.get("/attack_dice/attack?models=7").text)
    assert 'href="/attack_dice/attack/take?models=7"' in html


def test_a_chat_on_a_phone_does_not_break_the_bars():
    card = registry.ruleset("attack_dice")
    answer = ask(card, card.question("attack"), {"attacks": 30, "models": 30, "power": 9})
    text = text_block(answer, link="http://x/y")
    bars = [line for line in text.splitlines() if "█" in line or "▏" in line]
    assert 5 < len(bars) <= 14
    assert max(map(len, bars)) <= 40
    assert "Attacks 30" in text


def test_a_text_is_no_formula_in_a_spreadsheet():
    assert _cell("=HYPERLINK(1)") == "'=HYPERLINK(1)"
    assert _cell("@x") == "'@x"
    assert _cell("-3") == "-3"
    assert _cell("-") == "'-"
    assert _cell("+4") == "+4"
    assert _cell(0.5) == 0.5


def test_what_could_not_be_explored_has_a_row_of_its_own():
    card = replace(registry.ruleset("attack_dice"), memo=Memo())  # nobody has asked it before
    question = card.question("volley")
    answer = ask(card, question, question.example, budget=Budget(branches=20))
    rows = [one for one in csv.DictReader(io.StringIO(answer_csv(answer))) if one["value"] == "left out"]
    assert [row["measure"] for row in rows] == [one.name for one in question.measures]
    assert answer.states.unexplored > 0
    assert {row["exactly_fraction"] for row in rows} == {str(answer.states.unexplored)}


@pytest.mark.parametrize("kind", ["answer", "compare", "targets"])
@pytest.mark.parametrize("asked", ["/second_edition/ground", "/vehicles5/shoot"])
def test_a_file_that_there_is_not_is_refused_before_anything_is_worked_out(kind, asked, client, monkeypatch):
    def never(*given, **named):
        raise AssertionError("nothing may be worked out")

    for place in ("asking.work_out", "compare.worked_out", "targets.heat.axes", "targets._worked_out"):
        monkeypatch.setattr(f"battletape.web.pages.{place}", never)
    response = client.get(f"{asked}/{kind}.xlsx")
    assert response.status_code == 404
    assert "can be exported as" in response.text
    assert client.get(f"{asked}/{kind}.csv").status_code == 500  # so it would have been seen
