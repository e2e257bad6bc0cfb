"""The first page, the search over all systems, the page of one system, and how a page is shared."""

from __future__ import annotations

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient
from msgspec.structs import replace

from battletape import registry
from battletape.battle import Battle
from battletape.battle.store import new_file
from battletape.views import front_page
from battletape.views.answer_summary import answer_summary
from battletape.views.front_page import live_view, tile_view
from battletape.views.rules import clauses_of
from battletape.views.search import result_inputs, search, search_rules
from battletape.web.app import create_app
from battletape.web.pages import home
from battletape.web.pages.share import Reach, qr_code
from battletape.web.serve import nearby_address
from tests.web.page import Page

HTMX = {"HX-Request": "true"}
CARDS = [registry.ruleset(name) for name in registry.OURS]


def found(words: str) -> dict[str, list[str]]:
    """What a search finds of each kind: system and name, the best first."""
    return {kind: [f"{find.ruleset} {find.name}" for find in finds] for kind, finds in search(CARDS, words).groups}


# --- tiles ------------------------------------------------------------------------------------------------------------


def test_every_system_is_a_tile_with_its_players_its_dice_and_three_questions(client):
    html = client.get("/").text
    for card in CARDS:
        tile = tile_view(card)
        assert len(tile.first) == 3
        assert tile.dice_words
        assert tile.drawing.startswith("<svg")
        assert not re.search(r"style=|<script|href=", tile.drawing)
        assert f'<a href="/{card.name}">{card.title}</a>' in html
        assert tile.players in unescape(html)
        assert all(question.title in html for question in tile.first)


def test_questions_begin_with_an_example_worth_seeing(client):
    duel = client.get(next(link for link in links_of(client, "/deathwatch") if "/duel" in link)).text
    assert "nobody always" not in duel
    assert re.search(r"A wins <b>[1-9]\d %</b>", duel)


def links_of(client: TestClient, address: str) -> list[str]:
    return [unescape(link["href"]) for link in Page(client.get(address).text).all("a") if "href" in link]


def test_a_system_that_says_nothing_of_itself_has_a_tile_too():
    from tests.toy import RULESET

    tile = tile_view(RULESET)
    assert tile.players == RULESET.summary.rstrip(".")
    assert [question.name for question in tile.first] == [question.name for question in RULESET.questions[:3]]
    assert tile.drawing == ""


# --- the page of a system ---------------------------------------------------------------------------------------------


def test_every_question_stands_in_one_group_of_its_card():
    from tests.toy import RULESET

    for card in (*CARDS, RULESET):
        named = [name for names in card.groups.values() for name in names]
        assert sorted(named) == sorted(question.name for question in card.questions), card.name
        assert [title for title, _ in card.grouped] == list(card.groups)


def test_every_question_is_shown_once_whatever_the_groups_name():
    card = registry.ruleset("attack_dice")
    bare = replace(card, groups={})
    assert [(title, len(questions)) for title, questions in bare.grouped] == [("Questions", 3)]
    some = replace(card, groups={"First": ("chart",)})
    assert [(title, [one.name for one in questions]) for title, questions in some.grouped] == [
        ("First", ["chart"]),
        ("More", ["attack", "volley"]),
    ]
    twice = replace(card, groups={"First": ("chart", "nope"), "Then": ("chart",)})
    assert [title for title, _ in twice.grouped] == ["First", "More"]


@pytest.mark.parametrize("system", ["attack_dice", "vehicles5", "second_edition"])
def test_the_answer_of_its_example_stands_beside_every_question(client, system):
    card = registry.ruleset(system)
    html = unescape(client.get(f"/{system}", headers=HTMX).text)
    assert "<html" not in html
    for title, questions in card.grouped:
        assert re.search(rf'<h2 id="group-\d+">{title}</h2>', html)
        for question in questions:
            said = answer_summary(card.ask(question.name, **question.example)).headline
            row = next(row for row in re.findall(r"<li>.*?</li>", html) if f"<b>{question.title}</b>" in row)
            assert f"/{system}/{question.name}?" in row
            assert f'<span class="v">{said.number} ' in row if said.number else said.short in row
    whole = client.get(f"/{system}").text  # they are kept now
    assert whole.count('<span class="v"></span>') == 0
    assert "hx-trigger" not in whole.partition('class="groups"')[2].partition(">")[0]


def test_answers_that_take_longer_follow_and_the_page_is_of_use_without_them(monkeypatch):
    monkeypatch.setattr(front_page, "_leads", {})
    monkeypatch.setattr(home, "AT_ONCE_SECONDS", 0.0)
    with TestClient(create_app()) as fresh:
        html = fresh.get("/attack_dice").text
    assert html.count('<span class="v"></span>') == 3
    assert 'class="groups" hx-get="/attack_dice" hx-trigger="load"' in html
    assert all(question.title in unescape(html) for question in registry.ruleset("attack_dice").questions)


# --- the example to turn ----------------------------------------------------------------------------------------------


def test_the_example_is_turned_and_answered_with_and_without_scripts(client):
    card = registry.ruleset("attack_dice")
    given = {"attacks": 13, "power": 6, "defence": 4, "armour": 5, "models": 5, "hp": 2}
    mean = float(card.ask("attack", **given).odds("casualties").mean)
    for html in (client.get("/?turn=13").text, client.get("/?turn=13", headers=HTMX).text):
        assert "13 dice at 5 models" in html
        assert f'<p class="big">{mean:.1f}</p>' in html
        assert 'name="turn" value="12"' in html
        assert 'name="turn" value="14"' in html
        assert "/attack_dice/attack/roll?" in html
    assert "<html" not in client.get("/?turn=13", headers=HTMX).text
    live = live_view(CARDS, 13)
    assert live is not None
    assert sum(live.figures) == pytest.approx(5 - mean)
    assert live.dice.count(True) == round(13 * 0.7)


def test_the_example_stays_within_its_bounds():
    few, many = live_view(CARDS, 0), live_view(CARDS, 999)
    assert few is not None
    assert many is not None
    assert (few.value, few.fewer, few.more) == (1, None, 2)
    assert (many.value, many.fewer, many.more) == (40, 39, None)
    assert live_view([registry.ruleset("vehicles5")]) is None


def test_battles_in_the_folder_of_the_server_can_go_on(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "./run battle new" in client.get("/").text
    new_file("ford.bt", Battle.new(registry.ruleset("attack_dice"), None, {}, title="The ford at dusk"))
    (tmp_path / "notes.bt").write_text("no battle at all")
    html = client.get("/").text
    assert "The ford at dusk" in html
    assert "Attack dice · 0 moves" in html
    assert "./run battle show --file ford.bt" in html
    assert "notes.bt" not in html


# --- search -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, kind, expected",
    [
        ("side armor", "rule", "vehicles5 V5-SHOT-4"),
        ("tank shok", "rule", "vehicles5 V5-TANK-1"),
        ("tank shok", "question", "vehicles5 tank_shock"),
        ("obscured", "rule", "vehicles5 V5-SHOT-2"),
        ("flank", "rule", "vehicles5 V5-SHOT-4"),
        ("flank", "question", "vehicles5 line_of_fire"),
        ("cover save tank", "rule", "vehicles5 V5-CORE-4"),
        ("hull down", "rule", "vehicles5 V5-CORE-4"),
        ("deep strike", "question", "diceless40k arrival"),
        ("hull down", "rule", "vehicles5 V5-SHOT-2"),
        ("lascanon", "profile", "vehicles5 Lascannon"),
        ("Lascannons", "profile", "second_edition Lascannon"),
        ("v5-pen-4", "rule", "vehicles5 V5-PEN-4"),
        ("hrode", "question", "deathwatch horde"),
        ("gets hot!", "rule", "diceless40k DL-31.1"),
        ("full auto", "rule", "deathwatch DW-AUTO-2"),
        ("grenades", "table", "vehicles5 table-6"),
    ],
)
def test_what_players_say_finds_what_the_book_says(words, kind, expected):
    assert expected in found(words)[kind][:4]


FIRST = [
    ("tank shock", "vehicles5", "question", "tank_shock"),
    ("ramming", "vehicles5", "rule", "V5-RAM-1"),
    ("death or glory", "vehicles5", "rule", "V5-DOG-1"),
    ("melta", "vehicles5", "rule", "V5-CORE-11"),
    ("rending", "vehicles5", "rule", "V5-CORE-12"),
    ("pinning", "vehicles5", "rule", "V5-CORE-6"),
    ("walker", "vehicles5", "question", "walker_fight"),
    ("line of fire", "vehicles5", "question", "line_of_fire"),
    ("twin-linked", "vehicles5", "rule", "V5-CORE-2"),
    ("boarding", "vehicles5", "rule", "V5-TRAN-5"),
    ("embark", "vehicles5", "rule", "V5-TRAN-5"),
    ("immobilised", "vehicles5", "rule", "V5-DMG-4"),
    ("ordnance", "vehicles5", "question", "ordnance"),
    ("cover saves of vehicles", "vehicles5", "rule", "V5-CORE-4"),
    ("hull down", "vehicles5", "rule", "V5-SHOT-2"),
    ("ramming", "diceless40k", "rule", "DL-69.1"),
    ("gets hot", "diceless40k", "rule", "DL-31.1"),
    ("order points", "diceless40k", "rule", "DL-6.3"),
    ("tokens", "diceless40k", "rule", "DL-SHEET.3"),
    ("deep strike", "diceless40k", "rule", "DL-95.1"),
    ("difficult terrain", "diceless40k", "rule", "DL-14.1"),
    ("melta", "diceless40k", "rule", "DL-32.3"),
    ("rending", "diceless40k", "question", "rending"),
    ("leadership", "diceless40k", "question", "leadership"),
    ("warp tokens", "diceless40k", "rule", "DL-50.4"),
    ("reserves", "diceless40k", "question", "reserves"),
    ("regroup", "diceless40k", "question", "regroup"),
    ("assault vehicle", "diceless40k", "question", "assault_vehicle"),
    ("psychic test", "diceless40k", "rule", "DL-50.1"),
    ("repair", "diceless40k", "question", "repair"),
    ("sustained fire", "second_edition", "question", "sustained"),
    ("scatter", "second_edition", "question", "scatter"),
    ("plasma", "second_edition", "question", "plasma"),
    ("flamer", "second_edition", "profile", "Flamer"),
    ("grenade", "second_edition", "question", "grenade"),
    ("blast markers", "second_edition", "rule", "SE-8"),
    ("jams", "second_edition", "rule", "SE-106"),
    ("smoke", "second_edition", "profile", "Smoke grenade"),
    ("force weapon", "second_edition", "question", "force_weapon"),
    ("cloud", "second_edition", "question", "cloud"),
    ("burning", "second_edition", "question", "burning"),
    ("righteous fury", "deathwatch", "rule", "DW-RF-1"),
    ("jams", "deathwatch", "rule", "DW-JAM-1"),
    ("horde", "deathwatch", "question", "horde"),
    ("suppressing fire", "deathwatch", "rule", "DW-ACT-SUPPRESSING-FIRE"),
    ("called shot", "deathwatch", "rule", "DW-ACT-CALLED-SHOT"),
    ("dodge", "deathwatch", "rule", "DW-ACT-DODGE"),
    ("parry", "deathwatch", "rule", "DW-ACT-PARRY"),
    ("semi-auto", "deathwatch", "rule", "DW-AUTO-1"),
    ("full auto", "deathwatch", "rule", "DW-AUTO-2"),
    ("overwatch", "deathwatch", "rule", "DW-ACT-OVERWATCH"),
    ("fire mode", "deathwatch", "question", "fire_mode"),
    ("duel", "deathwatch", "question", "duel"),
    ("critical damage", "deathwatch", "rule", "DW-DMG-1"),
    ("hit locations", "deathwatch", "table", "table-7"),
    ("stunned", "deathwatch", "rule", "DW-STUN-1"),
    ("storm", "deathwatch", "rule", "DW-QUAL-STORM"),
    ("aegis", "attack_dice", "rule", "AD-76"),
    ("aegis save", "attack_dice", "rule", "AD-76"),
    ("armour save", "attack_dice", "rule", "AD-75"),
    ("volley", "attack_dice", "question", "volley"),
    ("chart", "attack_dice", "question", "chart"),
    ("cover in a melee", "attack_dice", "rule", "AD-58"),
    ("attack", "attack_dice", "question", "attack"),
]
"""What players type, in which system, and the one thing that is called so or that they mean."""


@pytest.mark.parametrize("words, system, kind, name", FIRST)
def test_what_is_called_so_comes_first(words, system, kind, name):
    (first_kind, finds), *_ = search([registry.ruleset(system)], words).groups
    assert (first_kind, finds[0].name) == (kind, name)


@pytest.mark.parametrize("words, system, kind, name", [row for row in FIRST if row[2] == "rule"])
def test_rules_are_found_in_the_same_order_by_themselves(words, system, kind, name):
    assert search_rules(registry.ruleset(system), words).ids[0] == name


@pytest.mark.parametrize(
    "words, question",
    [
        ("gets hot", "diceless40k shoot"),
        ("righteous fury", "deathwatch shoot"),
        ("death or glory", "vehicles5 tank_shock"),
        ("order points", "diceless40k leadership"),
        ("embark", "vehicles5 transport"),
        ("a jam", "second_edition sustained"),
        ("aegis", "attack_dice attack"),
        ("difficult terrain", "diceless40k move"),
    ],
)
def test_a_rule_brings_the_questions_that_work_with_it(words, question):
    system, name = question.split()
    card = registry.ruleset(system)
    assert question in found(words)["question"]
    rule = next(find for kind, finds in search([card], words).groups if kind == "rule" for find in finds)
    assert rule.name in clauses_of(card, card.question(name))


def test_a_question_whose_own_words_fit_comes_before_those_of_a_rule():
    assert found("suppressing fire")["question"][0] == "deathwatch suppress"
    assert found("aim")["question"][0] == "deathwatch fire_mode"
    assert found("pinning")["question"][0] == "vehicles5 pinning"


def test_of_the_questions_of_a_rule_the_one_that_is_called_like_it_comes_first():
    questions = found("ramming")["question"]
    assert questions.index("vehicles5 ram") < questions.index("vehicles5 tank_shock")


def test_what_was_understood_is_told(client):
    assert search(CARDS, "tank shok").understood == "tank shock"
    assert search(CARDS, "hull down").understood == "vehicle in cover"
    assert search(CARDS, "plasma gets hot").understood == "gets hot"
    assert search(CARDS, "tank shock").understood == ""
    html = client.get("/search?words=tank+shok").text
    assert "taken as “tank shock”" in html
    assert 'href="/vehicles5/rules/V5-TANK-1"' in html


def test_a_weapon_that_was_found_is_put_into_its_question(client):
    view = search([registry.ruleset("vehicles5")], "lascannon")
    finds = dict(view.groups)["profile"]
    question, said = result_inputs(registry.ruleset("vehicles5"), finds[0])
    assert (finds[0].name, question.name) == ("Lascannon", "shoot")
    assert "weapon=Lascannon" in said["guns"][0]
    html = client.get("/search", params={"words": "lascannon"}, headers=HTMX).text
    assert "<html" not in html
    link = next(link["href"] for link in Page(html).all("a") if link["href"].startswith("/vehicles5/shoot?"))
    assert client.get(unescape(link)).status_code == 200


def test_nothing_found_says_what_would_do_and_goes_out_escaped(client):
    html = client.get("/search", params={"words": "<b>qwertzuiop"}).text
    assert "Nothing found for “&lt;b&gt;qwertzuiop”" in html
    assert "<b>qwertzuiop" not in html
    assert client.get("/search").status_code == 200


# --- share and install ------------------------------------------------------------------------------------------------


def test_a_link_is_shared_as_other_devices_reach_it():
    app = create_app()
    app.state.reach = Reach("http://192.0.2.7:8000", is_known=True)
    with TestClient(app, base_url="http://localhost:8000") as local:
        html = local.get("/share", params={"to": "/attack_dice/attack?attacks=3"}, headers=HTMX).text
        assert 'value="http://192.0.2.7:8000/attack_dice/attack?attacks=3"' in html
        assert 'class="qr"' in html
        for elsewhere in ("//evil.example/x", "https://evil.example/", "/\\evil.example"):
            assert 'value="http://192.0.2.7:8000/"' in local.get("/share", params={"to": elsewhere}).text
        app.state.reach = Reach("", is_known=True)
        assert "on this device only" in local.get("/share?to=/").text
    with TestClient(app, base_url="http://192.0.2.9:8000") as phone:
        assert 'value="http://192.0.2.9:8000/vehicles5"' in phone.get("/share?to=/vehicles5").text


def test_a_qr_code_is_square_and_only_as_long_as_phones_can_read():
    code = qr_code("http://192.0.2.7:8000/")
    assert code is not None
    assert code.size >= 21 + 8
    assert code.path.startswith("M4 4h1v1h-1z")  # the corner of the first mark, behind a margin of four
    assert qr_code("http://192.0.2.7:8000/?" + "x" * 2_000) is None


def test_a_server_of_this_machine_alone_has_no_address_for_others():
    assert nearby_address("127.0.0.1", 8000) == ""
    assert nearby_address("192.0.2.7", 8000) == "http://192.0.2.7:8000/"


def test_the_page_can_be_installed(client):
    html = client.get("/").text
    (link,) = Page(html).all("link", rel="manifest")
    manifest = client.get(link["href"])
    assert manifest.headers["content-type"].startswith("application/json")
    home = link["href"].rsplit("/", 1)[0]
    for icon in manifest.json()["icons"]:
        response = client.get(f"{home}/{icon['src']}")
        assert response.status_code == 200
        assert response.headers["content-type"].startswith(icon["type"])
    assert manifest.json()["start_url"] == "/"


def test_paper_says_what_was_asked(client):
    html = client.get("/vehicles5/shoot?guns=weapon%3DLascannon+models%3D3&smoke=yes").text
    assert re.search(r'<p class="onpaper">[^<]*3 × Lascannon', html)
    style = client.get(Page(html).all("link", rel="stylesheet")[0]["href"]).text
    assert "@media screen and (prefers-color-scheme: dark)" in style
