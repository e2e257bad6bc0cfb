"""Every question of every ruleset answers: as a page, as a part for htmx, and from its own form."""

from __future__ import annotations

import re

import pytest

from battletape import registry
from battletape.answer import ask
from battletape.odds import percent
from battletape.system import Ruleset
from battletape.tape.exact import Memo
from battletape.tape.limits import Budget
from battletape.views.answer_summary import answer_summary, leading_measure
from battletape.views.front_page import tile_view
from battletape.views.profile_choices import profile_choices
from battletape.views.short_inputs import short_given
from battletape.web.forms import write_address, write_query
from battletape.web.jobs import Job, load, run
from tests.web.conftest import QUESTIONS
from tests.web.page import Page

HTMX = {"HX-Request": "true"}


def example_address(ruleset: str, question: str) -> str:
    card = registry.ruleset(ruleset)
    one = card.question(question)
    return write_address(ruleset, question, short_given(card, one, *card.split(one, one.example)))


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_a_question_answers_as_a_page_and_as_a_part(client, ruleset, question):
    address = example_address(ruleset, question)
    card = registry.ruleset(ruleset)
    headline = ask(card, card.question(question), card.question(question).example).headline
    whole = client.get(address)
    assert whole.status_code == 200
    page = Page(whole.text)
    (answer,) = [one for one in page.all("section") if "data-said" in one]
    assert answer["data-said"] == headline
    assert answer["data-address"] == address
    part = client.get(address, headers=HTMX)
    assert part.status_code == 200
    assert part.headers["HX-Replace-Url"] == address
    assert part.headers["Cache-Control"] == "no-store"
    assert "<html" not in part.text
    assert headline in [one["data-said"] for one in Page(part.text).all("section") if "data-said" in one]


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_the_form_sent_as_it_stands_asks_the_same(client, ruleset, question):
    address = example_address(ruleset, question)
    form = Page(client.get(address).text)
    sent = client.get(address.split("?")[0], params=form.pairs)
    assert sent.status_code == 303
    assert sent.headers["Location"] == address


@pytest.mark.parametrize("ruleset, question", QUESTIONS[::3])
def test_every_measure_can_be_looked_at(client, ruleset, question):
    for measure in registry.ruleset(ruleset).question(question).measures:
        response = client.get(f"/{ruleset}/{question}?_measure={measure.name}", headers=HTMX)
        assert response.status_code == 200
        assert measure.title in Page(response.text).text("measured")


@pytest.mark.parametrize("ruleset, question", QUESTIONS[::3])
def test_every_control_has_a_name_that_can_be_read_aloud(client, ruleset, question):
    page = Page(client.get(f"/{ruleset}/{question}?_blank=1").text)
    labelled = {one["for"] for one in page.all("label") if "for" in one}
    for one in [*page.all("input", type="number"), *page.all("input", type="text"), *page.all("select")]:
        assert one.get("aria-label") or one["id"] in labelled
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))


def test_every_ruling_can_be_switched(client):
    for name in registry.names():
        card = registry.ruleset(name)
        page = Page(client.get(f"/{name}/{card.questions[0].name}?_blank=1").text)
        selects = {one.get("name") for one in [*page.all("select"), *page.all("input")]}
        assert set(card.rulings.__struct_fields__) <= selects
    response = client.get("/attack_dice/attack?dice=d6", headers=HTMX)
    assert "Dice of the game: <b>d6</b>" in response.text
    assert "provisional" in response.text


def test_presets_bring_their_rulings(client):
    response = client.get("/attack_dice/attack?preset=dual&_was.preset=sheet&dice=d10&_form=1")
    assert response.headers["Location"] == "/attack_dice/attack?preset=dual"


def test_home_leads_to_every_system_and_it_to_every_question_with_an_address_that_answers(client):
    home = {one["href"] for one in Page(client.get("/").text).all("a")}
    systems = {name: Page(client.get(f"/{name}").text).all("a") for name, _ in QUESTIONS}
    for ruleset, question in QUESTIONS:
        assert f"/{ruleset}" in home
        assert example_address(ruleset, question) in {one["href"] for one in systems[ruleset]}


def test_fractions_come_on_request(client):
    assert "7/10" not in client.get("/attack_dice/attack?power=6", headers=HTMX).text
    assert "7/10" in client.get("/attack_dice/attack?power=6&_fractions=1", headers=HTMX).text


def test_a_clause_opens_beside_the_answer_or_as_a_page(client):
    part = client.get("/attack_dice/rules/AD-7", headers=HTMX)
    assert "<html" not in part.text
    assert "When a die succeeds" in part.text
    whole = client.get("/attack_dice/rules/ad-7")
    assert example_address("attack_dice", "attack") in {one.get("href") for one in Page(whole.text).all("a")}
    assert client.get("/attack_dice/rules/AD-999").status_code == 404


def test_the_address_of_a_part_is_pushed_or_replaced_as_the_page_asks(client):
    pushed = client.get("/attack_dice/attack?power=6", headers={**HTMX, "Battletape-History": "push"})
    assert pushed.headers["HX-Push-Url"] == "/attack_dice/attack?power=6"
    assert "HX-Replace-Url" not in pushed.headers


def test_the_form_comes_along_where_a_profile_changes_it(client):
    query = write_query({"weapon": "Yew bow"})
    response = client.get(f"/attack_dice/attack?{query}", headers={**HTMX, "Battletape-Form": "1"})
    (form,) = [one for one in Page(response.text).all("form") if one.get("id") == "ask"]
    assert form["hx-swap-oob"] == "true"
    assert 'id="ask"' not in client.get(f"/attack_dice/attack?{query}", headers=HTMX).text


@pytest.mark.parametrize(
    "address, field, kept",
    [
        ("/attack_dice/attack?weapon=Yew+bow&attacks=x&models=3", "attacks", ("models", "3")),
        (
            "/vehicles5/explosion?vehicle=Anvil+battle+tank&passengers=10",
            "passengers",
            ("vehicle", "Anvil battle tank"),
        ),
        ("/vehicles5/shoot?guns.count=2&guns.1.weapon=Nix&guns.0.shots=3", "guns.1.weapon", ("guns.0.shots", "3")),
        ("/vehicles5/shoot?guns=shots=x+bs=3&front=11", "guns.0.shots", ("guns.0.bs", "3")),
        ("/vehicles5/shoot?nope=1&front=11", "nope", ("front", "11")),
        ("/deathwatch/shoot?mode=semi&semi=0&bs=44", "mode", ("bs", "44")),
    ],
)
def test_a_misfit_leaves_the_form_with_all_that_was_typed_and_its_address(client, address, field, kept):
    response = client.get(address, headers={**HTMX, "Battletape-Form": "1"})
    assert response.status_code == 422
    page = Page(response.text)
    assert [one["data-field"] for one in page.all("div") if "data-field" in one] == [field]
    assert page.all("form", id="ask")[0]["hx-swap-oob"] == "true"
    assert page.all("div", id="foot")
    assert kept in page.pairs
    again = client.get(response.headers["HX-Replace-Url"])
    assert again.status_code == 422
    assert page.text("says") == Page(again.text).text("says")
    assert kept in Page(again.text).pairs
    assert 'id="ask"' not in client.get(address, headers=HTMX).text


@pytest.mark.parametrize("ending", ["", "/roll"])
def test_errors_name_inputs_as_the_page_does(client, ending):
    got = client.get(f"/vehicles5/what_may_it_do{ending}?smoke_this_turn=yes&_seed=1").text
    assert "it needs “Has smoke launchers”" in got
    assert "needs smoke_launchers" not in got


def test_an_unknown_input_is_told_without_the_names_of_all_others(client):
    said = client.get("/deathwatch/shoot/roll?seed=3").text
    assert "shoot has no input" in said
    assert "It takes" not in said


def test_the_one_number_is_the_one_people_want(client):
    """And the bar of a phone says what it is in a few words."""
    page = client.get("/vehicles5/ram?rammer=Anvil+battle+tank&target=Tollgate+wagon&distance=9").text
    assert '<b class="big">22 %</b>' in page
    bar = "<b>22 %</b><span>the target is destroyed, the rammer 0 %</span>"
    assert bar.replace(" %", "\u00a0%") in page  # it never breaks before its sign


def test_types_are_toggles_wherever_they_are_asked(client):
    for name in ("ram", "tank_shock", "walker_fight", "shoot"):
        toggles = Page(client.get(f"/vehicles5/{name}?_blank=1").text).all("input", type="checkbox")
        assert "open_topped" in [toggle["value"] for toggle in toggles], name


def test_an_initiative_names_the_first_fighter(client):
    assert re.search("[AB] goes first", client.get("/deathwatch/duel/roll?_seed=3").text)


@pytest.mark.parametrize(
    "query, said, row",
    [
        ("b_toughness=abc", "“B: Toughness” must be a whole number", "b_toughness"),
        ("b_damage=zz", "damage must be", "b_damage"),
    ],
)
def test_errors_of_a_duel_say_whose_it_is(client, query, said, row):
    response = client.get(f"/deathwatch/duel?{query}")
    assert said in response.text
    assert f'data-field="{row}"' in response.text


def test_the_big_number_of_a_cut_answer_is_not_how_much_was_explored():
    card = registry.ruleset("deathwatch")
    shoot = card.question("shoot")
    answer = ask(card, shoot, shoot.example, budget=Budget(branches=500), memo=Memo())
    cut = answer_summary(answer).headline
    assert answer.caveat
    assert cut.number == percent(answer.odds("dead").chance(bool))
    assert cut.rest.endswith(answer.caveat)
    assert cut.short.endswith(f"({percent(1 - answer.states.unexplored)} explored)")


@pytest.mark.parametrize(
    ("ruleset", "question"), [("vehicles5", "shoot"), ("diceless40k", "shoot"), ("attack_dice", "attack")]
)
def test_a_bare_address_opens_the_example_and_a_blank_one_the_defaults(client, ruleset, question):
    bare = client.get(f"/{ruleset}/{question}?_measure={registry.ruleset(ruleset).question(question).measures[1].name}")
    assert bare.status_code == 303
    path, _, query = bare.headers["location"].partition("?")
    assert path == f"/{ruleset}/{question}"
    assert "_measure=" in query
    assert query.startswith(example_address(ruleset, question).partition("?")[2])
    assert client.get(bare.headers["location"]).status_code == 200
    blank = client.get(f"/{ruleset}/{question}?_blank=1")
    assert blank.status_code == 200
    assert f'data-address="/{ruleset}/{question}?_blank=1"' in blank.text
    part = client.get(f"/{ruleset}/{question}", headers={"HX-Request": "true"})
    assert part.headers["HX-Replace-Url"] == f"/{ruleset}/{question}?_blank=1"


def test_the_examples_that_home_links_to_name_their_units():
    for name in registry.names():
        card = registry.ruleset(name)
        for asked in tile_view(card).first:
            question = card.question(asked.name)
            wanted = {path[0] for path in profile_choices(card, question) if len(path) == 1} & {
                "unit",
                "vehicle",
                "target",
            }
            assert wanted <= set(asked.said), f"{name} {asked.name}"


@pytest.mark.parametrize("address", ["/nope", "/vehicles5/nope", "/vehicles5/nope/roll"])
def test_a_page_that_is_not_there_names_what_there_is_as_players_do(client, address):
    response = client.get(address)
    text = Page(response.text).text("main")
    assert response.status_code == 404
    assert "_" not in text
    found = [link.get("href") for link in Page(response.text).all("a")]
    assert ("/second_edition" if address == "/nope" else "/vehicles5/kill_time") in found
    assert ("2nd-edition weapons" if address == "/nope" else "How many volleys until a vehicle is destroyed?") in text


def test_a_program_is_told_the_names_by_which_it_asks(client):
    assert "attack_dice" in client.get("/api/v1/nope/clauses").json()["detail"]


WITHOUT_LUCK = {
    ("vehicles5", "what_may_it_do"): "the rules allow it or not",
    ("vehicles5", "line_of_fire"): "who sees whom is measured",
    ("vehicles5", "transport"): "the rules allow it or not",
    ("deathwatch", "movement"): "metres by a characteristic",
}
"""Questions without dice, and why; Diceless 40k has none at all."""


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_every_example_begins_with_something_worth_seeing(ruleset, question):
    card = registry.ruleset(ruleset)
    answer = ask(card, card.question(question), card.question(question).example)
    first = answer_summary(answer).headline
    assert first.number not in ("0", "0 %", "100 %", "<0.1 %", ">99.9 %")
    assert not re.search(
        r"(?<![\d.])(0|100) %|(?<![\d.])0 \w+ (hits?|models|guns|tokens)\b|[Nn]obody always", first.text
    )
    odds = answer.odds(leading_measure(answer).measure)
    known = ruleset == "diceless40k" or (ruleset, question) in WITHOUT_LUCK
    assert known == (len(answer.states) == 1)
    assert known or len(odds) > 1


def test_a_note_and_a_step_have_their_rule_behind_a_sign_not_in_their_words(client):
    page = client.get("/diceless40k/army_tokens?units=Space+Marines").text
    note = page.partition('class="note"')[2].partition("</p>")[0]
    assert "(DL-PREP" not in note
    assert 'aria-label="Rule DL-PREP' in note
    steps = client.get("/vehicles5/what_may_it_do?vehicle=Anvil+battle+tank&band=combat").text
    assert "(V5-SMOKE-2)" not in steps
    assert "V5-SMOKE-2" in steps.partition("Set off smoke")[2].partition("</li>")[0]


def test_a_single_number_is_said_as_people_say_it(client):
    focus = "/diceless40k/focus?shooters=name%3DAsh&targets=name%3DCrow+models%3D10+armour%3D6&wanted=models"
    assert not re.search(r"<b>\d+/\d+</b>", client.get(focus).text)
    line = client.get("/vehicles5/line_of_fire?firers=bearing%3D30").text
    assert "<b>1</b> firer." in line


def test_what_is_unknown_is_told_in_full_once_and_in_short_in_the_bar(client):
    page = client.get("/vehicles5/shoot?vehicle=Foo").text
    bar = page.partition('class="sticky misfit"')[2].partition("</div>")[0]
    assert "There is no vehicle" in bar or "there is no vehicle" in bar
    assert "Known" not in bar
    assert "Known: Tollgate wagon" in page


def test_an_error_has_its_rule_behind_a_sign_not_in_its_words(client):
    page = client.get("/deathwatch/shoot?distance=-5").text
    told = page.partition('class="says"')[2].partition("</p>")[0]
    assert "must be a number from 0 to 10,000; got" in told
    assert "(DW-RANGE-1)" not in page
    assert 'aria-label="Rule DW-RANGE-1"' in told


@pytest.mark.parametrize("question", ["fight", "focus", "shoot"])
def test_landmarks_of_a_question_have_names_of_their_own(client, question):
    """Two sides with a list of units each: the units are groups, and no landmarks."""
    sections = Page(client.get(example_address("diceless40k", question)).text).all("section")
    names = [section["aria-label"] for section in sections if "aria-label" in section]
    assert sorted(set(names)) == sorted(names)


def test_a_page_reads_its_question_once_and_its_short_address_once_more(monkeypatch):
    read: list[str] = []
    split = Ruleset.split

    def counted(card, question, given, source=""):
        read.append(question.name)
        return split(card, question, given, source)

    pairs = [("weapon", "Autogun"), ("target", "Raider"), ("distance", "17")]
    given = {"ruleset": "deathwatch", "question": "shoot", "pairs": pairs}
    load()
    assert run(Job("question_page", "page", given), 20.0).status == 200  # finds the pick lists
    monkeypatch.setattr(Ruleset, "split", counted)
    given = {**given, "pairs": [*pairs, ("fatigue", "1")]}
    assert run(Job("question_page", "page", given), 20.0).status == 200
    assert read == ["shoot", "shoot"]
