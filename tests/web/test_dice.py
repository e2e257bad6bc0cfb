"""My dice: typed box by box, counted or in a line; half typed, half rolled; every state is an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import registry
from battletape.answer import Roll, ask, roll
from battletape.dice import D6, D100, at_least, bands, d, dice, special
from battletape.errors import BadInput
from battletape.odds import Odds
from battletape.system import Ruleset
from battletape.tape.question import Ask, Tally
from battletape.tape.rolled import Rolled
from battletape.tape.typed import Typed
from battletape.views.boxes import boxes_view
from battletape.views.luck import luck_view
from battletape.web.pages.answers import Table, read_throw, roll_one, write_throw
from battletape.web.pages.dice import answer_of
from tests.toy import RULESET
from tests.web.conftest import QUESTIONS
from tests.web.page import Page

HTMX = {"HX-Request": "true"}
TABLE = "/attack_dice/attack/dice"
HIT = Ask("pool", "to hit", die=D6, count=4, read=at_least(4))
TEST = Ask("roll", "test", die=D100, read=at_least(50))
MORALE = Ask("roll", "morale", die=dice("2d6"))


@pytest.fixture
def toy() -> Iterator[Ruleset]:
    before = registry._known.get("toy")
    yield registry.register(RULESET)
    registry._known.pop("toy")
    if before is not None:
        registry.register(before)


def told(address: str) -> list[str]:
    return parse_qs(urlsplit(address).query, keep_blank_values=True).get("_answers", [""])[0].split(";")


def again_odds(done: Roll) -> Odds[Any]:
    return ask(done.ruleset, done.question, {}).odds()


def outcome(html: str) -> dict[str, str]:
    (found,) = [one for one in Page(html).all("section") if "data-rolled" in one]
    return found


# --- boxes ------------------------------------------------------------------------------------------------------------


def test_a_pool_waits_with_a_box_for_each_die(client):
    page = Page(client.get(f"{TABLE}?attacks=5&power=6").text)
    boxes = [one for one in page.all("input") if re.fullmatch(r"_d\d+", one.get("name", ""))]
    assert [one["aria-label"] for one in boxes] == [f"Attack dice, die {at} of 5" for at in range(1, 6)]
    assert all(one["inputmode"] == "numeric" for one in boxes)
    assert "needs 3+" in page.text("what")
    assert ("attacks", "5") in page.pairs
    assert ("power", "6") in page.pairs


def test_boxes_know_when_they_are_full():
    assert (boxes_view(HIT).wide, boxes_view(HIT).boxes) == (1, 4)
    many = boxes_view(Ask("pool", "tests", die=D100, count=2, read=at_least(50)))
    assert (many.kind, many.wide, many.longest) == ("dice", 2, 3)
    assert {"07", "00", "7", "50"} <= set(many.known)
    assert "00" in many.ok
    assert "07" in many.no
    tens = boxes_view(Ask("pool", "damage", die=d(10), count=2))
    assert (tens.wide, tens.longest, tens.hint) == (1, 2, "0 is ten.")
    assert boxes_view(Ask("pool", "x", die=d(20), count=2)).wide == 2


def test_single_dice_are_picked_by_their_face():
    view = boxes_view(Ask("roll", "to hit", die=D6, read=at_least(4)))
    assert view.kind == "faces"
    assert [(one.value, one.said, one.die.mark) for one in view.faces][2:4] == [
        ("3", "3, fail", "no"),
        ("4", "4, pass", "ok"),
    ]
    scatter = boxes_view(Ask("roll", "scatter", die=special("scatter die", ("hit", "arrow"))))
    assert [one.value for one in scatter.faces] == ["hit", "arrow"]


def test_counts_are_asked_with_successes_first():
    assert boxes_view(HIT).words == ((1, "pass"), (0, "fail"))
    wounds = Ask("pool", "to wound", die=D6, count=3, read=bands(pierced=6, wound=3))
    assert [word for _, word in boxes_view(wounds).words] == ["wound", "pierced", "none"]
    assert boxes_view(Ask("pool", "pips", die=D6, count=3)).words == ()


def test_very_many_dice_are_counted():
    view = boxes_view(Ask("pool", "to hit", die=D6, count=500, read=at_least(4)))
    assert (view.kind, view.boxes, len(view.words)) == ("line", 0, 2)


# --- what the boxes say -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask, sent, text",
    [
        (HIT, {"d0": "5", "d1": "3", "d2": "6", "d3": "1"}, "5 3 6 1"),
        (HIT, {"line": "5 3 6 1"}, "5 3 6 1"),
        (HIT, {"line": "5361"}, "5 3 6 1"),
        (HIT, {"line": "3 hits"}, "1 fail, 3 pass"),
        (HIT, {"c1": "3"}, "1 fail, 3 pass"),
        (HIT, {"c0": "4", "c1": "0"}, "4 fail"),
        (TEST, {"d0": "07"}, "7"),
        (TEST, {"d0": "00"}, "100"),
        (MORALE, {"d0": "3", "d1": "4"}, "3 4"),
        (MORALE, {"total": "7"}, "7"),
        (Ask("roll", "to hit", die=D6), {"pick": "4"}, "4"),
        (Ask("direction", "scatter", cuts=(10.0, 90.0)), {"bearing": "45.5"}, "45.5"),
        (Ask("choose", "grit", options=("spend", "bleed"), by="red"), {"pick": "bleed"}, "bleed"),
    ],
)
def test_every_way_to_answer(ask, sent, text):
    assert answer_of(ask, sent, roll=False) == text
    assert write_throw(read_throw(ask, text)) == text


@pytest.mark.parametrize(
    "ask, sent, sentence",
    [
        (HIT, {"d0": "5", "d2": "7"}, "to hit 3/4 wants 1-6, got 7"),
        (HIT, {"d0": "5", "d1": "3"}, "to hit wants 4 dice; got 2: type the others, or let the page roll them."),
        (HIT, {}, "to hit wants 4 dice; nothing came."),
        (HIT, {"d0": "5", "c0": "2"}, "to hit wants one way to answer; got counts and dice."),
        (HIT, {"c0": "2", "c1": "3"}, "to hit wants counts that make 4 dice, got 5"),
        (HIT, {"c0": "two"}, "to hit wants a count such as 3; got 'two'."),
        (TEST, {"d0": "101"}, "test wants 1-100 (00 for 100), got 101"),
        (MORALE, {"d0": "3"}, "morale wants 2 dice; got 1."),
        (Ask("direction", "scatter", cuts=(1.0, 2.0)), {"bearing": "400"}, "from 0 to 360 degrees"),
        (
            Ask("direction", "scatter", cuts=(1.0, 2.0)),
            {},
            "scatter wants a bearing from 0 to 360 degrees; nothing came.",
        ),
        (Ask("choose", "grit", options=("a", "b"), by="red"), {"pick": "c"}, "grit wants one of a | b, got 'c'"),
    ],
)
def test_what_does_not_fit_says_what_would_do(ask, sent, sentence):
    with pytest.raises(BadInput, match=re.escape(sentence)):
        answer_of(ask, sent, roll=False)


def test_the_missing_dice_are_rolled_and_marked():
    text = answer_of(HIT, {"d0": "5", "d3": "1"}, roll=True)
    assert re.fullmatch(r"5 1~[1-6] [1-6]", text)
    throw = read_throw(HIT, text)
    assert (throw.answer[:2], throw.rolled) == ((5, 1), 2)
    assert re.fullmatch(r"~[1-6] [1-6] [1-6] [1-6]", answer_of(HIT, {}, roll=True))
    half = answer_of(MORALE, {"d1": "4"}, roll=True)
    assert re.fullmatch(r"4~[1-6]", half)
    assert read_throw(MORALE, half).answer == sum(map(int, re.findall(r"\d", half)))


ASKS = [HIT, TEST, MORALE, Ask("pool", "many", die=D6, count=300), Ask("direction", "x", cuts=(1.0, 2.0))]
ASKS += [
    Ask("choose", "x", options=("a;b", "c~d", "e"), by="red"),
    Ask("pool", "p", die=special("s", ("hit", "long one")), count=3),
]


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: f"{ask.kind} {ask.label}")
@pytest.mark.parametrize("seed", range(5))
def test_what_was_rolled_can_be_written_and_read_again(ask, seed):
    text = roll_one(ask, Rolled(seed))
    assert ";" not in text
    throw = read_throw(ask, text)
    assert write_throw(throw) == text
    assert ask.meaning(throw.answer) is not None
    assert len(text) < 120


def test_the_last_option_of_a_decision_can_be_told_whatever_it_is_called():
    ask = Ask("choose", "x", options=("a;b", "c~d", "e"), by="red")
    for option in ask.options:
        assert read_throw(ask, answer_of(ask, {"pick": option}, roll=False)).answer == option


# --- the table as a page ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_every_question_can_be_played_to_its_end_and_told_again(client, ruleset, question):
    got = client.get(f"/{ruleset}/{question}/dice?_rest=all")
    if got.status_code == 303:
        got = client.get(got.headers["Location"])
    assert got.status_code == 200
    found = outcome(got.text)
    assert "data-typed" in found
    card = registry.ruleset(ruleset)
    texts = [one.replace("~", " ").strip() for one in told(found["data-address"]) if one]
    if not any("x" in one for one in texts):
        again = roll(card, card.question(question), {}, tape=Typed(texts))
        first = again.question.measures[0]
        assert found["data-result"] == luck_view(first, again.results[first.name], again_odds(again)).text
    assert outcome(client.get(found["data-address"]).text)["data-result"] == found["data-result"]


def test_typed_dice_lead_from_question_to_question(client):
    start = f"{TABLE}?attacks=3&power=6&armour=5"
    form = dict(Page(client.get(start).text).pairs) | {"_d0": "7", "_d1": "3", "_d2": "0"}
    first = client.get(TABLE, params=form)
    assert first.status_code == 303
    assert told(first.headers["Location"]) == ["7 3 0"]
    waits = client.get(first.headers["Location"])
    page = Page(waits.text)
    assert page.text("waits-h") == "Armour saves"
    assert "Attack dice (needs 3+): 7 3 0 → 2 of 3" in [one.get("aria-label") for one in page.all("span")]
    last = client.get(TABLE, params=dict(page.pairs) | {"_c1": "1"})
    done = client.get(last.headers["Location"])
    assert told(last.headers["Location"]) == ["7 3 0", "1 fail, 1 pass"]
    card = registry.ruleset("attack_dice")
    same = roll(card, card.question("attack"), {"attacks": 3, "power": 6, "armour": 5}, tape=Typed(["7 3 0", "1 pass"]))
    assert outcome(done.text)["data-result"] == str(same.results["casualties"])


@pytest.mark.parametrize("shown, face", [("07", "7"), ("00", "100"), ("40", "40")])
def test_a_d100_is_typed_as_it_shows(client, shown, face):
    got = client.get("/deathwatch/test/dice", params={"_go": "1", "_d0": shown})
    assert told(got.headers["Location"]) == [face]
    drawn = Page(client.get(got.headers["Location"]).text)
    assert [one for one in drawn.all("svg") if "d100" in one.get("class", "").split()]


def test_htmx_gets_the_next_question_at_once_with_its_address(client):
    got = client.get(f"{TABLE}?attacks=2&power=6&armour=5&_go=1&_d0=7&_d1=8", headers=HTMX)
    assert got.status_code == 200
    assert told(got.headers["HX-Replace-Url"]) == ["7 8"]
    assert "<html" not in got.text
    assert Page(got.text).text("waits-h") == "Armour saves"


def test_a_misfit_keeps_what_was_typed(client):
    got = client.get(f"{TABLE}?attacks=3&power=6&_go=1&_d0=7&_d1=x&_d2=")
    assert got.status_code == 422
    page = Page(got.text)
    assert "Attack dice 2/3 wants 0-9, got x" in page.text("trouble")
    assert ("_d0", "7") in page.pairs
    assert ("_d1", "x") in page.pairs
    part = client.get(f"{TABLE}?attacks=3&power=6&_go=1&_d0=7&_d1=x&_d2=", headers=HTMX)
    assert part.status_code == 422
    assert part.headers["HX-Retarget"] == "#trouble"
    assert "wants 0-9, got x" in part.text


def test_half_typed_half_rolled_shows_which_is_which(client):
    got = client.get(f"{TABLE}?attacks=3&power=6&_go=1&_d0=7&_rest=this")
    (answer,) = told(got.headers["Location"])
    assert re.fullmatch(r"7~\d \d", answer)
    page = Page(client.get(got.headers["Location"]).text)
    marked = [one for one in page.all("svg") if "byus" in one.get("class", "").split()]
    assert len(marked) == 2
    assert "dashed: rolled for you" in page.text("throwbody")


def test_the_rest_is_rolled_up_to_a_decision_or_to_the_end(client, toy):
    begun = client.get("/toy/shoot/dice?dice=6&wounds=12&_answers=snap;6 6 6 6 6 6&_rest=dice")
    assert begun.status_code == 200 or told(begun.headers["Location"]) == ["snap", "6 6 6 6 6 6"]
    page = Page(client.get("/toy/shoot/dice?dice=6&wounds=12&_answers=snap;6 6 6 6 6 6").text)
    assert page.text("waits-h") == "Stand or duck"
    assert page.text("what").startswith("Defender decides")
    picks = [one["value"] for one in page.all("button", name="_pick")]
    assert picks == ["stand", "duck"]
    ended = client.get("/toy/shoot/dice?dice=6&wounds=12&_answers=snap;6 6 6 6 6 6&_rest=1")
    assert told(ended.headers["Location"])[2] == "~stand"
    assert "data-typed" in outcome(client.get(ended.headers["Location"]).text)


def test_decisions_are_taken_by_name_and_can_be_taken_back(client, toy):
    chosen = client.get("/toy/shoot/dice?_go=1&_pick=aim")
    assert told(chosen.headers["Location"]) == ["aim"]
    page = Page(client.get(chosen.headers["Location"]).text)
    back = [one["href"] for one in page.all("a") if "back" in one.get("class", "")]
    assert back == ["/toy/shoot/dice"]


def test_a_roll_lets_its_decisions_be_changed(client, toy):
    page = Page(client.get("/toy/shoot/roll?dice=6&_seed=3").text)
    links = [one["href"] for one in page.all("a") if one.get("aria-label", "").startswith("Decide otherwise")]
    assert links[0] == "/toy/shoot/dice?dice=6"
    assert all(one.startswith("~") for one in told(links[1]))
    assert Page(client.get(links[1]).text).text("waits-h") == "Stand or duck"


def test_bearings_are_typed_on_a_dial(client, toy):
    start = "/toy/shoot/dice?keywords=Smoke&_answers=snap;6 6 6"
    page = Page(client.get(start).text)
    assert [one["name"] for one in page.all("input", type="text")] == ["_bearing"]
    assert len([one for one in page.all("path") if one.get("class") == "cut"]) == 2
    sent = client.get("/toy/shoot/dice", params=dict(page.pairs) | {"_bearing": "271.5"})
    assert told(sent.headers["Location"])[2] == "271.5"


@pytest.mark.parametrize(
    "query, words",
    [
        ("_answers=1;2;3;4;5;6;7;8;9", "wants"),
        ("attacks=3&_answers=1 2 3;;;;;zzz", "left over: zzz|wants"),
        ("attacks=3&_answers=1 2", "attack dice wants 3 dice"),
        ("attacks=3&_answers=99999999x1", "attack dice wants 3 dice; got 99,999,999 or more"),
        ("attacks=3&_answers=1~2", "attack dice wants 3 dice; got 2"),
        ("_rest=nope", "_rest wants one of this, dice, all; got"),
        ("_answers=" + ";" * 501, "_answers wants 500 answers or fewer; got 502"),
    ],
)
def test_addresses_that_do_not_fit_are_sentences(client, query, words):
    for headers in ({}, HTMX):
        got = client.get(f"{TABLE}?{query}", headers=headers)
        assert got.status_code == 422
        assert re.search(words, Page(got.text).all("p") and re.sub(r"<[^>]+>", "", got.text))


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(max_size=40),
    rest=st.sampled_from(["", "this", "dice", "all", "1"]),
    name=st.sampled_from(["answers", "line", "d0", "c0", "pick", "total"]),
)
def test_whatever_is_typed_is_answered_or_refused_in_words(client, text, rest, name):
    got = client.get(TABLE, params={"attacks": "3", f"_{name}": text, "_rest": rest})
    assert got.status_code in (200, 303, 422)
    if got.status_code == 303:
        assert client.get(got.headers["Location"]).status_code == 200


def test_typed_texts_are_escaped(client):
    attack = '"><script>alert(1)</script>'
    for name in ("_d0", "_line", "_answers", "_pick", "_c0"):
        got = client.get(TABLE, params={"attacks": "3", name: attack, "_go": "1"})
        assert got.status_code == 422
        assert "<script>alert" not in got.text


def test_a_table_tells_all_it_was_told():
    tape = Table(["5 3~2 6", ""], luck=Rolled(1))
    assert tape.answer(HIT) == (5, 3, 2, 6)
    assert tape.is_told
    assert tape.answer(HIT)
    assert not tape.is_told
    assert tape.told.startswith("5 3~2 6;~")
    counted = read_throw(HIT, "3 pass")
    assert counted.answer == Tally({True: 3, False: 1})
