"""My dice: typed box by box, counted or in a line; half typed, half rolled; every state is an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import registry
from battletape.answer import roll
from battletape.system import Ruleset
from battletape.tape.typed import Typed
from tests.toy import RULESET
from tests.web.conftest import QUESTIONS
from tests.web.page import Page

HTMX = {"HX-Request": "true"}
TABLE = "/attack_dice/attack/dice"


@pytest.fixture
def toy() -> Iterator[Ruleset]:
    before = registry._known.get("toy")
    yield registry.register(RULESET, replace=True)
    registry._known.pop("toy")
    if before is not None:
        registry.register(before, replace=True)


def told(address: str) -> list[str]:
    return parse_qs(urlsplit(address).query, keep_blank_values=True).get("_answers", [""])[0].split(";")


def outcome(html: str) -> dict[str, str]:
    (found,) = [one for one in Page(html).all("section") if "data-rolled" in one]
    return found


def test_a_pool_waits_with_a_box_for_each_die(client):
    page = Page(client.get(f"{TABLE}?attacks=5&power=6").text)
    boxes = [one for one in page.all("input") if re.fullmatch(r"_d\d+", one.get("name", ""))]
    assert [box["aria-label"] for box in boxes] == [f"Attack dice, die {at} of 5" for at in range(1, 6)]
    assert all(box["inputmode"] == "numeric" for box in boxes)
    assert "needs 3+" in page.text("what")
    assert ("attacks", "5") in page.pairs
    assert ("power", "6") in page.pairs


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_every_question_can_be_played_to_its_end_and_told_again(client, ruleset, question):
    response = client.get(f"/{ruleset}/{question}/dice?_rest=all")
    if response.status_code == 303:
        response = client.get(response.headers["Location"])
    assert response.status_code == 200
    found = outcome(response.text)
    assert "data-typed" in found
    card = registry.ruleset(ruleset)
    texts = [one.replace("~", " ").strip() for one in told(found["data-address"]) if one]
    if not any("x" in one for one in texts):
        assert found["data-result"] == roll(card, card.question(question), {}, tape=Typed(texts)).headline
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
    assert "2 × D10 (0 to 9, 0 fails)" in waits.text
    assert "Read the D10 as 0 to 9, 0 fails; a 0 is zero, not ten." in waits.text
    assert [one["data-face"] for one in page.all("button") if "data-face" in one] == list("0123456789")
    assert page.text("role") == "The target rolls"
    said = [one.get("aria-label") for one in page.all("span")]
    assert "Attack dice (needs 3+): 7 3 0 → 2 of 3 (D10: 0 to 9, 0 fails)" in said
    last = client.get(TABLE, params=dict(page.pairs) | {"_c1": "1"})
    done = client.get(last.headers["Location"])
    assert told(last.headers["Location"]) == ["7 3 0", "1 fail, 1 pass"]
    card = registry.ruleset("attack_dice")
    same = roll(card, card.question("attack"), {"attacks": 3, "power": 6, "armour": 5}, tape=Typed(["7 3 0", "1 pass"]))
    assert outcome(done.text)["data-result"] == same.headline == "2 hits, 1 saved: 1 of 5 models falls, 1 HP lost."


def test_what_players_roll_together_is_asked_together(client):
    guns = {"guns": "weapon=Lascannon models=3 facing=side", "smoke": "yes", "vehicle": "Anvil battle tank"}
    table, steps = "/vehicles5/shoot/dice", []
    page = Page(client.get(table, params=guns).text)
    for dice in ("5 2 4", "6 4", "1 5", "4"):
        boxes = [one for one in page.all("input") if re.fullmatch(r"_d\d+", one.get("name", ""))]
        steps.append((page.text("waits-h"), len(boxes) or 1))
        typed = {f"_d{at}": face for at, face in enumerate(dice.split())} if boxes else {"_pick": dice}
        sent = client.get(table, params=[*page.pairs, *typed.items()])
        address = sent.headers["Location"]
        page = Page(client.get(address).text)
    assert steps == [
        ("Lascannon: to hit", 3),
        ("Lascannon: penetration", 2),
        ("Lascannon: cover save", 2),
        ("Lascannon: damage", 1),
    ]
    assert told(address) == ["5 2 4", "6 4", "1 5", "4"]
    assert outcome(client.get(address).text)["data-result"] == "Immobilised: 2 hits, 1 glance, 1 penetration, 1 saved."
    one_by_one = roll(
        registry.ruleset("vehicles5"),
        registry.ruleset("vehicles5").question("shoot"),
        {**guns, "guns": [guns["guns"]]},
        tape=Typed(["5", "6", "1", "4", "2", "4", "4", "5"]),
    )
    assert one_by_one.headline == outcome(client.get(address).text)["data-result"]
    changed = [one["href"] for one in page.all("a") if one.get("aria-label", "") == "Change: Lascannon: penetration"]
    assert [told(link) for link in changed] == [["5 2 4"]]
    spare = client.get(table, params={**guns, "_answers": "5 3 4;6 6 6;1 1 1;6 6 6"})
    assert "8 dice of yours were not needed" in spare.text


BURST = {
    "attacker": "Brother Cato",
    "fury": "confirm",
    "weapon": "Astartes Bolter (Godwyn)",
    "mode": "full",
    "target": "Raider",
}


def test_the_damage_of_all_hits_is_asked_on_one_page_and_fury_after_it(client):
    table, steps = "/deathwatch/shoot/dice", []
    page = Page(client.get(table, params=BURST).text)
    typed: dict[str, str]
    for typed in (
        {"_d0": "15"},
        {f"_d{at}": face for at, face in enumerate(["3", "5", "7", "2", "10", "4", "1", "1", "6", "9", "9", "2"])},
        {"_d0": "12"},
        {"_pick": "4"},
    ):
        boxes = [one for one in page.all("input") if re.fullmatch(r"_d\d+", one.get("name", ""))]
        steps.append((page.text("waits-h"), len(boxes)))
        sent = client.get(table, params=[*page.pairs, *typed.items()])
        address = sent.headers["Location"]
        page = Page(client.get(address).text)
    assert steps == [("To hit", 1), ("Damage", 12), ("Confirm: body", 1), ("Righteous fury: body", 0)]
    assert told(address) == ["15", "3 5 7|2 10 4|1 1 6|9 9 2", "12", "4"]
    card = registry.ruleset("deathwatch")
    one_by_one = Typed(["15", "3 5 7", "2 10 4", "12", "4", "1 1 6", "9 9 2"])
    same = roll(card, card.question("shoot"), BURST, tape=one_by_one)
    assert outcome(client.get(address).text)["data-result"] == same.headline


def test_the_boxes_of_each_hit_stand_together_and_missing_dice_stay_in_their_hit(client):
    table = "/deathwatch/shoot/dice"
    html = client.get(table, params=BURST | {"_answers": "15"}).text
    page = Page(html)
    boxes = [one for one in page.all("input") if re.fullmatch(r"_d\d+", one.get("name", ""))]
    assert [one["aria-label"] for one in boxes[2:4]] == ["Damage, body, die 3 of 3", "Damage, body, die 1 of 3"]
    assert page.text("what").startswith("4 times 3 × D10")
    assert re.findall(r'<span class="pool"><b aria-hidden="true">([^<]*)', html) == ["body", "body", "arm", "head"]
    typed = {"_d0": "3", "_d1": "5", "_d2": "7", "_d4": "10", "_rest": "this"}
    sent = client.get(table, params=[*page.pairs, *typed.items()])
    assert re.fullmatch(r"3 5 7\|10~\d+ \d+\|~\d+ \d+ \d+\|~\d+ \d+ \d+", told(sent.headers["Location"])[1])
    line = client.get(table, params=[*page.pairs, ("_line", "3 5 7, 2 10 4, 1 1 6, 9 9 2")])
    assert told(line.headers["Location"])[1] == "3 5 7|2 10 4|1 1 6|9 9 2"


@pytest.mark.parametrize(
    "typed, words",
    [
        ({"_d0": "3", "_d1": "5"}, "Damage needs 12 dice; got 2: type the others, or let the page roll them."),
        ({"_d4": "11"}, "Damage 5/12 must be 1-10, got 11"),
        ({"_line": "1 2 3 4 5 6 7 8 9 1 2 3 4"}, "Damage needs 12 dice; got 13."),
        ({"_line": "1 2", "_d0": "1"}, "needs one way to answer"),
    ],
)
def test_dice_of_several_hits_that_do_not_fit_are_sentences(client, typed, words):
    page = Page(client.get("/deathwatch/shoot/dice", params=BURST | {"_answers": "15"}).text)
    sent = client.get("/deathwatch/shoot/dice", params=[*page.pairs, *typed.items()])
    assert sent.status_code == 422
    assert words in sent.text


@pytest.mark.parametrize("shown, face", [("07", "7"), ("00", "100"), ("40", "40")])
def test_a_d100_is_typed_as_it_shows(client, shown, face):
    response = client.get("/deathwatch/test/dice", params={"_go": "1", "_d0": shown})
    assert told(response.headers["Location"]) == [face]
    drawn = Page(client.get(response.headers["Location"]).text)
    assert [one for one in drawn.all("svg") if "d100" in one.get("class", "").split()]


def test_htmx_gets_the_next_question_at_once_with_its_address(client):
    response = client.get(f"{TABLE}?attacks=2&power=6&armour=5&_go=1&_d0=7&_d1=8", headers=HTMX)
    assert response.status_code == 200
    assert told(response.headers["HX-Replace-Url"]) == ["7 8"]
    assert "<html" not in response.text
    assert Page(response.text).text("waits-h") == "Armour saves"


def test_a_misfit_keeps_what_was_typed(client):
    response = client.get(f"{TABLE}?attacks=3&power=6&_go=1&_d0=7&_d1=x&_d2=")
    assert response.status_code == 422
    page = Page(response.text)
    assert "Attack dice 2/3 must be 0-9, got x" in page.text("trouble")
    assert ("_d0", "7") in page.pairs
    assert ("_d1", "x") in page.pairs
    part = client.get(f"{TABLE}?attacks=3&power=6&_go=1&_d0=7&_d1=x&_d2=", headers=HTMX)
    assert part.status_code == 422
    assert part.headers["HX-Retarget"] == "#trouble"
    assert "must be 0-9, got x" in part.text


def test_half_typed_half_rolled_shows_which_is_which(client):
    response = client.get(f"{TABLE}?attacks=3&power=6&_go=1&_d0=7&_rest=this")
    (answer,) = told(response.headers["Location"])
    assert re.fullmatch(r"7~\d \d", answer)
    page = Page(client.get(response.headers["Location"]).text)
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
        ("_answers=1;2;3;4;5;6;7;8;9", "needs"),
        ("attacks=3&_answers=1 2 3;;;;;zzz", "left over: zzz|must|needs"),
        ("attacks=3&_answers=1 2", "attack dice needs 3 dice"),
        ("attacks=3&_answers=99999999x1", "attack dice needs 3 dice; got 99,999,999 or more"),
        ("attacks=3&_answers=1~2", "attack dice needs 3 dice; got 2"),
        ("_rest=nope", "_rest must be one of this, dice, all; got"),
        ("_answers=" + ";" * 501, "_answers may have at most 500 answers; got 502"),
    ],
)
def test_addresses_that_do_not_fit_are_sentences(client, query, words):
    for headers in ({}, HTMX):
        response = client.get(f"{TABLE}?{query}", headers=headers)
        assert response.status_code == 422
        assert re.search(words, Page(response.text).all("p") and re.sub(r"<[^>]+>", "", response.text))


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(max_size=40),
    rest=st.sampled_from(["", "this", "dice", "all", "1"]),
    name=st.sampled_from(["answers", "line", "d0", "c0", "pick", "total"]),
)
def test_whatever_is_typed_is_answered_or_refused_in_words(client, text, rest, name):
    response = client.get(TABLE, params={"attacks": "3", f"_{name}": text, "_rest": rest})
    assert response.status_code in (200, 303, 422)
    if response.status_code == 303:
        assert client.get(response.headers["Location"]).status_code == 200


def test_typed_texts_are_escaped(client):
    attack = '"><script>alert(1)</script>'
    for name in ("_d0", "_line", "_answers", "_pick", "_c0"):
        response = client.get(TABLE, params={"attacks": "3", name: attack, "_go": "1"})
        assert response.status_code == 422
        assert "<script>alert" not in response.text
