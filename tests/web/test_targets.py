"""The heat map: targets in rows, weapons or measures in columns, a number and a link in every cell."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from battletape import registry
from battletape.answer import ask
from battletape.views.picks import picks
from tests.web.conftest import QUESTIONS
from tests.web.page import Page
from tests.web.test_compare import example_address

SLOW = {("vehicles5", "walker_fight"), ("deathwatch", "duel"), ("deathwatch", "horde_attacks")}
ATTACK = "/attack_dice/attack/targets?attacks=12&power=6"


def cells(page: Page) -> list[str]:
    return [one["class"] for one in page.all("td") if re.fullmatch(r"h[0-5]", one.get("class", ""))]


def row_names(text: str) -> list[str]:
    return re.findall(r'<tr><th scope="row">([^<]+)</th>', text)


@pytest.mark.parametrize("ruleset, question", [one for one in QUESTIONS if one not in SLOW])
def test_every_question_with_profiles_has_one(client, ruleset, question):
    card = registry.ruleset(ruleset)
    address = example_address(ruleset, question, "/targets")
    got = client.get(address)
    assert got.status_code == 200
    offered = "Heat map" in client.get(address.replace("/targets", ""), headers={"HX-Request": "true"}).text
    if not picks(card, card.question(question)):
        assert not offered
        assert "takes no units, vehicles or weapons by their names" in got.text
        return
    assert offered
    page = Page(got.text)
    assert cells(page)
    assert page.all("caption")
    links = [one["href"] for one in page.all("a") if one.get("href", "").startswith(f"/{ruleset}/{question}?")]
    assert client.get(links[-1]).status_code == 200


def test_a_cell_says_what_its_question_says(client):
    query = urlencode({"_row": "Hill raiders", "_col": "Ember thrower"})
    got = client.get(f"{ATTACK}&{query}")
    (link,) = re.findall(r'<td class="h\d"><a href="([^"]+)">', got.text)
    card = registry.ruleset("attack_dice")
    mean = ask(card, card.question("attack"), {"unit": "Hill raiders", "weapon": "Ember thrower"}).odds().mean
    assert f">{float(mean):.2f}</a>" in got.text
    assert f"{float(mean):.2f}" in client.get(link.replace("&amp;", "&")).text


def test_a_cell_opens_on_what_it_shows(client):
    """The measure is the one of the column, or the one that was chosen for all cells."""
    by_measure = client.get("/vehicles5/shoot/targets?_cols=measures&_row=Hay+wain").text
    shown = {one.name for one in registry.ruleset("vehicles5").question("shoot").measures}
    named = re.findall(r'<td class="h\d"><a href="[^"]*_measure=(\w+)"', by_measure)
    assert len(named) > 3
    assert len(set(named)) == len(named)
    assert set(named) <= shown
    by_weapon = client.get(f"{ATTACK}&_row=Hill+raiders&_col=Ember+thrower&_measure=hp_lost").text
    (link,) = re.findall(r'<td class="h\d"><a href="([^"]+)">', by_weapon)
    opened = client.get(link.replace("&amp;", "&")).text
    assert re.search(r'value="hp_lost" id="m-hp_lost" checked', opened)


def test_measures_in_columns_sort_by_link(client):
    address = "/vehicles5/shoot/targets?_cols=measures&_sort="
    down, up = (client.get(address + sort).text for sort in ("destroyed", "-destroyed"))
    assert row_names(down) == row_names(up)[::-1] or row_names(down)[0] == row_names(up)[-1]
    assert 'aria-sort="descending"' in down
    assert 'aria-sort="ascending"' in up
    shown = [float(one.strip("<>% ")) for one in re.findall(r"</th>\s*<td class=\"h\d\"><a[^>]+>([^<]+)</a>", down)]
    assert shown == sorted(shown, reverse=True)
    assert "_sort=-destroyed" in down


def test_the_rows_can_be_chosen(client):
    names = ["Anvil battle tank", "Hay wain"]
    got = client.get(
        "/vehicles5/shoot/targets?" + urlencode([("_cols", "measures"), *(("_row", one) for one in names)])
    )
    assert row_names(got.text) == names
    form = Page(got.text)
    assert [value for name, value in form.pairs if name == "_row"] == names
    again = client.get("/vehicles5/shoot/targets", params=form.pairs)
    assert row_names(again.text) == names


def test_a_cell_that_cannot_be_says_why(client):
    got = client.get(
        "/vehicles5/tank_shock/targets?_rows=vehicle&_cols=measures&_row=Ember+cart&_row=Anvil+battle+tank"
    )
    assert got.status_code == 200
    assert "<sup>1</sup>" in got.text
    assert "only a tank may tank shock" in Page(got.text).text("whys")


def test_own_profiles_stand_in_the_rows(client):
    mine = '[[unit]]\nname = "My wall"\nmodels = 3\nhp = 9\ndefence = 4\nmove = 1\ndash = 1\nweapons = []\n'
    got = client.get(f"{ATTACK}&{urlencode({'_own': mine, '_row': 'My wall', '_cols': 'measures'})}")
    assert row_names(got.text) == ["My wall"]
    link = re.findall(r'<td class="h\d"><a href="([^"]+)">', got.text)[0]
    opened = client.get(link.replace("&amp;", "&"))
    assert opened.status_code == 200
    assert "My wall" in opened.text


def test_what_does_not_fit_is_a_sentence(client):
    for query, said in (("_rows=nope", "nope"), ("_row=Nobody", "Nobody"), ("_cols=nope", "nope")):
        got = client.get(f"{ATTACK}&{query}")
        assert got.status_code == 422
        assert said in got.text


def test_a_hasty_server_shows_what_it_has(hasty):
    got = hasty.get(example_address("deathwatch", "duel", "/targets"))
    assert got.status_code in (200, 422)
    assert "not enough time" in got.text or "none of the" in got.text
