"""Units and weapons of one's own: their page, and their use in every question."""

from __future__ import annotations

import json
import re
import tomllib
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from battletape import registry
from battletape.answer import ask
from battletape.views.own_profiles import used_list, with_own
from battletape.views.own_text import write_entry
from battletape.web.limits import LIMITS
from tests.web.page import Page

HTMX = {"HX-Request": "true"}
NAMES = [name for name in registry.names() if name != "toy" and registry.ruleset(name).profiles]
PIPE = '[[weapon]]\nname = "Thunder pipe"\nattacks = 4\npower = 9\n'
LADS = '[[unit]]\nname = "Lads"\nmodels = 7\nweapons = ["3 x Thunder pipe", { name = "Yew bow", models = 2 }]\n'
LIST = "# my list\n" + PIPE + "\n# the crew\n" + LADS


def text_of(html: str) -> str:
    """The list in the text field."""
    inside = html.partition('name="toml"')[2].partition(">")[2].partition("</textarea>")[0]
    return unescape(inside).removeprefix("\n")


def change(client, ruleset: str, toml: str, **sent: str):
    return client.post(f"/{ruleset}/units", data={"toml": toml, **sent}, headers=HTMX)


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_page_shows_every_profile_of_the_book_and_a_button_for_each_kind(client, name):
    html = client.get(f"/{name}/units").text
    page = Page(html)
    book = registry.ruleset(name).book
    rows = [one for one in page.all("button") if one.get("value", "").startswith("like:")]
    assert len(rows) == sum(map(len, book.entries.values()))
    for kind in book.kinds:
        assert page.all("button", value=f"new:{kind}")
        got = change(client, name, "", _do=f"new:{kind}")
        assert got.status_code == 200
        assert Page(got.text).all("input", name="e.name")


def test_the_heads_of_the_book_are_those_of_a_stat_line(client):
    html = client.get("/vehicles5/units").text
    assert {'data-label="WS"', 'data-label="Toughness"', 'data-label="Two weapons"'} <= set(
        re.findall(r'data-label="[^"]*"', html)
    )
    assert not re.search(r'data-label="[a-z]', html)


@pytest.mark.parametrize("name", NAMES)
def test_every_profile_can_be_copied_and_kept(client, name):
    for kind, entries in registry.ruleset(name).book.entries.items():
        first = next(iter(entries))
        got = change(client, name, "", _do=f"like:{kind}:{first}")
        form = [(key, value) for key, value in Page(got.text).pairs if key not in ("toml", "_do")]
        sent = client.post(f"/{name}/units", data=_as_data([*form, ("toml", ""), ("_do", "save")]), headers=HTMX)
        assert sent.status_code == 200, unescape(sent.text)
        assert tomllib.loads(text_of(sent.text))[kind][0]["name"] == f"My {first}"


def _as_data(pairs):
    data: dict[str, list[str]] = {}
    for key, value in pairs:
        data.setdefault(key, []).append(value)
    return data


def test_an_entry_is_added_changed_copied_removed_and_put_back(client):
    added = change(client, "attack_dice", "", _do="save", kind="weapon", at="", **{"e.name": "Gun", "e.power": "7"})
    assert text_of(added.text) == '[[weapon]]\nname = "Gun"\npower = 7\n'
    assert "Saved: Gun." in added.text
    text = text_of(added.text)
    editing = Page(change(client, "attack_dice", text, _do="edit:weapon:0:Gun").text)
    assert editing.all("input", name="e.power")[0]["value"] == "7"
    changed = change(
        client, "attack_dice", text, _do="save", kind="weapon", at="0", **{"e.name": "Gun", "e.power": "8"}
    )
    assert text_of(changed.text) == '[[weapon]]\nname = "Gun"\npower = 8\n'
    copying = Page(change(client, "attack_dice", text, _do="copy:weapon:0:Gun").text)
    assert copying.all("input", name="e.name")[0]["value"] == "Gun 2"
    assert copying.all("input", name="at")[0]["value"] == ""
    gone = change(client, "attack_dice", text, _do="drop:weapon:0:Gun")
    assert text_of(gone.text).strip() == ""
    back = change(client, "attack_dice", "", _do="undo", before=text)
    assert text_of(back.text) == text


def test_the_entry_of_this_name_is_meant_even_if_it_has_moved(client):
    text = '[[weapon]]\nname = "A"\n[[weapon]]\nname = "B"\n'
    gone = change(client, "attack_dice", text, _do="drop:weapon:0:B")
    assert [one["name"] for one in tomllib.loads(text_of(gone.text))["weapon"]] == ["A"]
    missing = change(client, "attack_dice", text, _do="drop:weapon:7:C")
    assert text_of(missing.text) == text
    assert "there is no weapon" in unescape(missing.text)


@pytest.mark.parametrize(
    "sent, words",
    [
        ({"e.name": "Gun", "e.power": "900"}, "power must be a whole number from 0 to 100; got '900'."),
        ({"e.name": " ", "e.power": "3"}, "A weapon needs a name."),
        ({"e.name": "Thunder pipe"}, "needs a name of its own"),
        ({"e.name": "yew bow"}, "there is already a weapon 'Yew bow' in the book; choose another name."),
        ({"e.name": "x" * 81}, "A name may have at most 80 characters; got 81."),
    ],
)
def test_a_form_that_does_not_fit_says_so_and_changes_nothing(client, sent, words):
    got = change(client, "attack_dice", LIST, _do="save", kind="weapon", at="", **sent)
    assert got.status_code == 422
    assert words in unescape(got.text)
    assert text_of(got.text) == LIST
    assert Page(got.text).all("input", name="e.name")[0]["value"].strip() == sent["e.name"].strip()


def test_weapons_of_a_unit_can_be_added_and_are_picked_from_both_lists(client):
    got = change(client, "attack_dice", PIPE, _do="add:e.weapons", kind="unit", at="", **{"e.name": "Lads"})
    page = Page(got.text)
    assert page.all("input", name="e.name")[0]["value"] == "Lads"
    assert page.all("select", name="e.weapons.0.name")
    options = [one["value"] for one in page.all("option")]
    assert "Thunder pipe" in options
    assert "Yew bow" in options


def test_the_list_of_a_file_is_added(client):
    got = change(client, "attack_dice", PIPE, _do="merge", more="\ufeff" + LADS.replace("\n", "\r\n"))
    assert got.status_code == 200
    assert list(tomllib.loads(text_of(got.text))) == ["weapon", "unit"]
    bad = change(client, "attack_dice", PIPE, _do="merge", more="[[unit]")
    assert "The other list line 1: this is not TOML" in unescape(bad.text)
    assert text_of(bad.text) == PIPE


def test_a_name_of_the_book_is_refused_and_cannot_be_picked(client):
    text = '[[weapon]]\nname = "Yew bow"\npower = 9\n'
    for got in (
        change(client, "attack_dice", PIPE, _do="merge", more=text),
        change(client, "attack_dice", PIPE + text, _do="check"),
    ):
        assert got.status_code == 422
        assert "weapon 2 ('Yew bow'): there is already a weapon 'Yew bow' in the book" in unescape(got.text)
        kept = json.loads(Page(got.text).all("form", id="list")[0]["data-kept"])
        assert [one["name"] for one in kept] == ["Thunder pipe"]
    changed = change(client, "attack_dice", PIPE, _do="save", kind="weapon", at="0", **{"e.name": "Yew bow"})
    assert changed.status_code == 422
    assert text_of(changed.text) == PIPE


def test_the_device_is_told_what_to_keep(client):
    form = Page(change(client, "attack_dice", LIST, _do="check").text).all("form", id="list")[0]
    kept = json.loads(form["data-kept"])
    assert [(one["kind"], one["name"], one["fits"]) for one in kept] == [
        ("weapon", "Thunder pipe", ["attack:weapon", "volley:weapons.weapon"]),
        ("unit", "Lads", ["attack:unit", "volley:unit"]),
    ]


def test_the_list_goes_out_as_a_file(client):
    response = client.post("/attack_dice/units/file", data={"toml": LIST})
    assert response.text == LIST
    assert response.headers["Content-Disposition"] == 'attachment; filename="attack_dice.toml"'


def test_sizes_have_an_end(client):
    large = client.post("/attack_dice/units", data={"toml": "#" * (LIMITS.upload + 1)}, headers=HTMX)
    assert large.status_code == 413
    assert large.headers["HX-Retarget"] == "#trouble"
    assert client.post("/attack_dice/units", content=b"toml=" + b"x" * 5 * LIMITS.upload).status_code == 413
    many = client.post("/attack_dice/units", content=b"a=1&" * 4000)
    assert many.status_code == 413
    crowd = change(client, "attack_dice", "".join(f'[[weapon]]\nname = "{at}"\n' for at in range(201)), _do="check")
    assert crowd.status_code == 422
    assert "at most 200 entries; got 201" in crowd.text


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "1" * 5000,
        "x = " + "[" * 5000,
        "\x00",
        "weapon = 3",
        "[weapon]\nname = 1",
        "a." * 60_000 + "b = 1",
        "".join(f"k{at} = 1\n" for at in range(9_000)),
        "[[weapon]]\n" + "".join(f"k{at} = 1\n" for at in range(9_000)),
        f'[[weapon]]\nname = "{"x" * 200_000}"',
        "".join("[[weapon]]\n" + "".join(f"k{at} = 1\n" for at in range(90)) for _ in range(200)),
    ],
    ids=range(10),
)
def test_no_list_breaks_the_page(client, text):
    got = change(client, "attack_dice", text, _do="check")
    assert got.status_code == 422
    assert "Your list" in got.text
    assert len(got.text) < 2 * len(text) + 60_000


@pytest.mark.parametrize(
    "did", ["new:nope", "edit:weapon:x", "drop:", "like:weapon:nope", "save", "add:e.x", "?", "drop:e."]
)
def test_no_button_breaks_the_page(client, did):
    got = change(client, "attack_dice", PIPE, _do=did)
    assert got.status_code in (200, 422)
    assert text_of(got.text) == PIPE


def test_whatever_stands_in_a_list_goes_out_escaped(client):
    evil = '</textarea><script>alert(1)</script>"onx='
    text = write_entry("weapon", {"name": evil}) + f"# {evil}\n"
    got = change(client, "attack_dice", text, _do="check")
    assert "<script>alert" not in got.text
    assert text_of(got.text) == text
    asked = client.get(
        "/attack_dice/attack?_blank=1", params={"weapon": evil, "_own": write_entry("weapon", {"name": evil})}
    )
    assert asked.status_code == 200
    assert "<script>alert" not in asked.text


# --- in a question ----------------------------------------------------------------------------------------------------


def test_a_link_carries_the_profiles_it_uses_and_no_others(client):
    response = client.get("/attack_dice/attack?_blank=1", params={"weapon": "thunder PIPE", "_own": LIST})
    assert response.status_code == 200
    answer = next(one for one in Page(response.text).all("section") if "data-address" in one)
    said = parse_qs(urlsplit(answer["data-address"]).query)
    assert said["weapon"] == ["Thunder pipe"]
    assert tomllib.loads(said["_own"][0]) == tomllib.loads(PIPE)
    card = registry.ruleset("attack_dice")
    assert answer["data-said"] == ask(card, card.question("attack"), {"attacks": 4, "power": 9}).headline
    again = client.get(answer["data-address"])
    assert answer["data-said"] in unescape(again.text)
    form = Page(response.text)
    assert ("_own", said["_own"][0]) in form.pairs
    assert client.get("/attack_dice/attack?_blank=1", params=form.pairs).headers["Location"] == answer["data-address"]


def test_a_question_that_names_none_of_them_forgets_them(client):
    response = client.get("/attack_dice/attack?_blank=1", params={"weapon": "Yew bow", "_own": LIST}, headers=HTMX)
    assert response.headers["HX-Replace-Url"] == "/attack_dice/attack?weapon=Yew+bow"


@pytest.mark.parametrize("ending", ["", "/take", "/answer.json", "/answer.txt", "/roll?_seed=7"])
def test_every_page_of_a_question_takes_them(client, ending):
    path, _, query = ending.partition("?")
    params = {"weapon": "Thunder pipe", "_own": PIPE, **dict(part.split("=") for part in query.split("&") if part)}
    response = client.get("/attack_dice/attack?_blank=1" + path, params=params)
    assert response.status_code == 200
    assert "Thunder" in response.text


def test_profiles_that_do_not_fit_are_a_sentence_and_the_form_is_there(client):
    response = client.get(
        "/attack_dice/attack?_blank=1", params={"weapon": "Gun", "_own": '[[weapon]]\nname = "Gun"\npower = 900\n'}
    )
    assert response.status_code == 422
    assert "Your list line 3, weapon 1 ('Gun'): power must be a whole number" in unescape(response.text)
    assert Page(response.text).all("form", id="ask")


def test_a_mistake_elsewhere_does_not_lose_them(client):
    response = client.get(
        "/attack_dice/attack?_blank=1", params={"weapon": "Thunder pipe", "_own": PIPE, "models": "x"}
    )
    assert response.status_code == 422
    assert ("_own", PIPE.strip()) in Page(response.text).pairs


def test_what_is_used_is_found_through_what_it_refers_to():
    card = with_own(registry.ruleset("attack_dice"), LIST)
    inputs, _ = card.split(card.question("attack"), {"unit": "Lads"})
    assert list(tomllib.loads(used_list(LIST, inputs))) == ["weapon", "unit"]


def test_the_list_of_a_link_can_be_looked_at(client):
    response = client.get("/attack_dice/units", params={"_own": PIPE})
    assert response.status_code == 200
    assert "This came with a link: Thunder pipe." in response.text
    assert Page(response.text).all("form", id="list")[0].get("data-link") == ""
