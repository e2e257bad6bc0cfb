"""Roll it: the same seed rolls the same, every die is drawn and cited, and the luck is that of the exact odds."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import count
from random import Random

import pytest
from fastapi.testclient import TestClient

from battletape import registry
from battletape.answer import ask, quick_policy, roll
from battletape.dice import D6, D100, at_least, bands, d, dice, special
from battletape.log import thrown_lines
from battletape.odds import percent
from battletape.tape import limits, plans
from battletape.tape.limits import SEEDED_ROLL_BRANCHES
from battletape.tape.question import Ask, Tally
from battletape.views.dice import Throw, dice_views, die_name, die_view, form_of, split_sum, typed_faces
from battletape.views.luck import luck_view, verdict_of
from battletape.web.app import create_app
from battletape.web.forms import write_query
from battletape.web.limits import Limits
from tests.web.conftest import QUESTIONS
from tests.web.page import Page

HTMX = {"HX-Request": "true"}
ATTACK = "/attack_dice/attack/roll?hp=2&armour=5&attacks=12&power=6"


def outcome(html: str) -> dict[str, str]:
    (found,) = [one for one in Page(html).all("section") if "data-rolled" in one]
    return found


@pytest.mark.parametrize("ruleset, question", QUESTIONS[::3])
def test_every_question_rolls_what_its_seed_rolls_everywhere(client, ruleset, question):
    card = registry.ruleset(ruleset)
    one = card.question(question)
    response = client.get(f"/{ruleset}/{question}/roll?_seed=7")
    assert response.status_code == 200
    same = roll(card, one, {}, seed=7)
    page = Page(response.text)
    shown = dice_of(page)
    labels = {asked.label for asked, _ in same.played.trail if asked.die is not None}
    told = [line.text.partition(" (D10:")[0] for line in thrown_lines(same.played) if line.question in labels]
    assert [said.partition(" (D10:")[0] for said in shown] == told
    assert outcome(response.text)["data-result"] == outcome(response.text)["data-said"] == same.headline
    assert page.text("sentence") == re.sub(r"\s+", " ", same.headline)
    assert "data-typed" not in outcome(response.text)
    part = client.get(f"/{ruleset}/{question}/roll?_seed=7", headers=HTMX).text
    assert (
        outcome(part)["data-address"] == outcome(response.text)["data-address"] == f"/{ruleset}/{question}/roll?_seed=7"
    )
    assert dice_of(Page(part)) == shown


def dice_of(page: Page) -> list[str]:
    return [one["aria-label"] for one in page.all("span") if one.get("class", "").split()[:1] == ["dice"]]


def test_dice_of_one_throw_stand_together_in_the_colour_of_their_side(client):
    guns = "guns=weapon%3DLascannon+models%3D3+facing%3Dside&smoke=yes&vehicle=Anvil+battle+tank"
    page = Page(client.get(f"/vehicles5/shoot/roll?{guns}&_seed=3").text)
    rows = {one["aria-label"]: one["class"] for one in page.all("span") if "dice" in one.get("class", "").split()}
    assert rows == {
        "Lascannon: to hit (needs 3+): 2 4 4 → 2 of 3": "dice a",
        "Lascannon: penetration (needs glance 4, penetrate 5+ against armour 13): 3 4 → 1 x none, 1 x glance": "dice a",
        "Lascannon: cover save (needs 4+): 1 → fail": "dice d",
        "Lascannon: damage (needs damage table, −2): 1 → shaken": "dice a",
    }
    assert page.text("sentence") == "Shaken: 2 hits, 1 glance."
    assert page.text("asks") == "Anvil battle tank · Smoke · 3 × Lascannon, side"
    assert "models=" not in re.sub(r"<[^>]+>", "", client.get(f"/vehicles5/shoot/roll?{guns}&_seed=3").text)


def test_of_the_best_dice_the_others_are_dropped(client):
    page = Page(client.get("/deathwatch/hit/roll?weapon=Astartes+Bolter+%28Godwyn%29&target=Raider&_seed=7").text)
    marks = [one["class"].split()[2] for one in page.all("svg") if one.get("class", "").startswith("die d10")]
    assert sorted(marks) == ["drop", "ok", "ok"]


HUGE = {
    "weapon": "Astartes Bolter (Godwyn)",
    "turns": "4",
    "fury": "confirm",
    "wounds": "60",
    "reaction": "dodge",
    "dodge": "40",
    "qualities": "Tearing, Toxic, Shocking, Concussive",
}
"""More than any budget of a request can weigh."""


@pytest.mark.parametrize(
    "address", ["/deathwatch/fire_mode/roll?", "/api/v1/deathwatch/questions/fire_mode?read=roll&"]
)
def test_a_seed_is_a_roll_however_slow_the_machine_is_and_whatever_is_known(hasty, monkeypatch, address):
    def rolled() -> list[str]:
        if address.startswith("/api"):
            body = HUGE | {name: int(HUGE[name]) for name in ("turns", "wounds", "dodge")}
            answers: list[str] = hasty.post(f"{address}seed=7", json=body).json()["answers"]
            return answers
        page = Page(hasty.get(address + write_query({**HUGE, "_seed": "7"})).text)
        return dice_of(page)

    memo = registry.ruleset("deathwatch").memo
    memo.clear()
    first = rolled()
    assert len(first) > 2
    assert rolled() == first  # with what is known from before
    memo.clear()
    looks = count(0, 3600)
    monkeypatch.setattr(limits, "monotonic", lambda: next(looks))  # an hour goes by between any two looks
    assert rolled() == first


def test_the_choices_of_a_huge_roll_are_weighed_within_their_branches(monkeypatch):
    question, spent = registry.ruleset("deathwatch").question("fire_mode"), []
    weigh = plans._weigh

    def weighed(*given):
        found = weigh(*given)
        spent.append(found.spent)
        return found

    monkeypatch.setattr(plans, "_weigh", weighed)
    for given in (HUGE, {}):
        assert quick_policy(question, *registry.ruleset("deathwatch").split(question, given)) is not None
    assert spent[-1] < SEEDED_ROLL_BRANCHES / 2
    assert SEEDED_ROLL_BRANCHES < max(spent) < SEEDED_ROLL_BRANCHES * 1.1


def test_without_a_seed_a_new_one_is_rolled_and_the_address_tells_it(client):
    first, second = client.get(ATTACK), client.get(ATTACK)
    assert first.status_code == second.status_code == 303
    assert first.headers["Location"] != second.headers["Location"]
    assert re.fullmatch(re.escape(ATTACK) + r"&_seed=\d{1,9}", first.headers["Location"])
    assert first.headers["Cache-Control"] == "no-store"
    part = client.get(ATTACK, headers={**HTMX, "Battletape-History": "push"})
    assert part.status_code == 200
    assert part.headers["HX-Push-Url"] == outcome(part.text)["data-address"]
    assert "<html" not in part.text


def test_the_answer_leads_to_the_roll_and_back(client):
    page = Page(client.get("/attack_dice/attack?attacks=12&_measure=hp_lost").text)
    links = {one["href"] for one in page.all("a")}
    assert "/attack_dice/attack/roll?attacks=12&_measure=hp_lost" in links
    assert "/attack_dice/attack/dice?attacks=12&_measure=hp_lost" in links
    back = Page(client.get("/attack_dice/attack/roll?attacks=12&_measure=hp_lost&_seed=7").text)
    assert "/attack_dice/attack?attacks=12&_measure=hp_lost" in {one["href"] for one in back.all("a")}
    assert "HP lost: " in back.text("outcome")


def test_the_log_cites_every_clause(client):
    html = client.get(ATTACK + "&_seed=7").text
    card = registry.ruleset("attack_dice")
    done = roll(card, card.question("attack"), {"attacks": 12, "power": 6, "armour": 5, "hp": 2}, seed=7)
    cited = [one["aria-label"] for one in Page(html).all("a", **{"class": "clause sec"})]
    assert set(cited) == {
        f"{'Rule' if len(line.clauses) == 1 else 'Rules'} {', '.join(line.clauses)}"
        for line in done.log
        if line.clauses
    }


def test_the_luck_is_that_of_the_odds(client):
    html = client.get(ATTACK + "&_seed=7").text
    card = registry.ruleset("attack_dice")
    given = {"attacks": 12, "power": 6, "armour": 5, "hp": 2}
    odds = ask(card, card.question("attack"), given).odds("casualties")
    value = roll(card, card.question("attack"), given, seed=7).results["casualties"]
    same = odds.chance(value)
    less, more = odds.at_most(value) - same, odds.at_least(value) - same
    words = f"less {percent(less)} the same {percent(same)} more {percent(more)}"
    assert Page(html).text("luck") == words


@pytest.mark.parametrize(
    "low, high, words",
    [
        ((1, 1), (1, 1), "It could not be otherwise."),
        ((1, 2), (3, 4), "About what to expect."),
        ((1, 5), (9, 10), "On the low side."),
        ((19, 20), (1, 8), "On the high side."),
        ((1, 20), (1, 1), "Low: 1 roll in 20 is as low."),
        ((1, 1), (1, 50), "Very high: 1 roll in 50 is as high."),
        ((1, 1296), (1, 1), "Rare: 1 roll in 1,296 is as low."),
    ],
)
def test_luck_in_words(low, high, words):
    assert verdict_of(Fraction(*low), Fraction(*high)) == words


def test_less_the_same_and_more_make_all():
    card = registry.ruleset("attack_dice")
    question = card.question("attack")
    answer = ask(card, question, {"attacks": 3})
    odds = answer.odds("casualties")
    for value in odds.values():
        view = luck_view(question.measures[0], value, odds)
        parts = [Fraction(one.fraction) for one in (view.less, view.same, view.more) if one is not None]
        assert (len(parts), sum(parts)) == (3, 1)
        assert view.rank == pytest.approx(float(parts[0] + parts[1] / 2))
    unknown = luck_view(question.measures[0], 2, None)
    assert (unknown.text, unknown.verdict, unknown.rank) == ("2", "", None)


FROM_ZERO = special("D10", range(10), "0 to 9, 0 fails")
FORMS = {"d6": (D6, d(3)), "d10": (d(10), FROM_ZERO), "d4": (d(4),), "d8": (d(8),), "d12": (d(12),), "d20": (d(20),)}
FORMS |= {"d100": (D100,), "tile": (d(7),), "coin": (d(2),), "named": (special("scatter", ("hit", "arrow")),)}


@pytest.mark.parametrize("die, form", [(die, form) for form, kinds in FORMS.items() for die in kinds])
def test_dice_have_the_form_of_their_kind(die, form):
    assert form_of(die.faces) == form


def test_dice_are_called_as_at_the_table():
    assert [die_name(die) for die in (D6, special("pair of D6", D6.faces))] == ["D6", "D6"]
    assert die_name(FROM_ZERO) == "D10 (0 to 9, 0 fails)"
    assert die_name(special("D6 best of two", (face for face in range(1, 7) for _ in range(2 * face - 1)))) == (
        "D6 best of two"
    )
    assert die_name(dice("2d6")) == "2D6"


def test_dice_show_what_they_print_and_whether_they_succeed():
    test = Ask("roll", "test", die=D100, read=at_least(50))
    assert (die_view(test, 7).text, die_view(test, 7).mark) == ("07", "no")
    assert (die_view(test, 100).text, die_view(test, 100).mark) == ("00", "ok")
    first = Ask("roll", "who begins", die=D6, read=bands("red", blue=4))
    assert die_view(first, 5).mark == ""
    wound = Ask("roll", "to wound", die=D6, read=bands(pierced=6, wound=3))
    assert [die_view(wound, face).mark for face in (1, 3, 6)] == ["no", "ok", "ok"]
    plain = Ask("roll", "radius", die=D6)
    assert die_view(plain, 3).mark == ""
    assert typed_faces(D100)["00"] == 100
    assert typed_faces(d(10))["0"] == 10
    assert "0" not in typed_faces(D6)


def test_many_dice_are_drawn_once_for_each_face():
    hits = Ask("pool", "to hit", die=D6, count=100, read=at_least(4))
    shown = dice_views(Throw(hits, (1,) * 60 + (6,) * 40))
    assert [(one.text, one.count, one.mark) for one in shown] == [("1", 60, "no"), ("6", 40, "ok")]
    counted = dice_views(Throw(hits, Tally({True: 70, False: 30})))
    assert {(one.text, one.count, one.mark) for one in counted} == {("pass", 70, "ok"), ("fail", 30, "no")}


def test_a_sum_is_split_into_dice_as_likely_as_at_the_table():
    luck = Random(1)
    came = [split_sum(dice("2d6+1"), 5, luck) for _ in range(3000)]
    assert set(came) == {(1, 3), (2, 2), (3, 1)}
    assert all(abs(came.count(one) - 1000) < 4 * (3000 * 2 / 9) ** 0.5 for one in set(came))
    assert split_sum(dice("3d6"), 18, luck) == (6, 6, 6)
    assert split_sum(D6, 4, luck) == ()


def test_a_large_roll_is_bounded(client):
    response = client.get("/attack_dice/attack/roll?attacks=1000&_seed=1")
    assert response.status_code == 200
    assert len(response.content) < 60_000
    assert "×" in Page(response.text).text("dice")


@pytest.mark.parametrize("query", ["attacks=x", "_seed=" + "7" * 61, "_measure=nope&_seed=7", "nope=1"])
def test_what_does_not_fit_is_a_sentence(client, query):
    for headers in ({}, HTMX):
        response = client.get(f"/attack_dice/attack/roll?{query}", headers=headers)
        assert response.status_code == 422
        assert re.search("must|needs|may have|has no input|there is no", response.text)


def test_there_is_no_roll_of_nothing(client):
    assert client.get("/attack_dice/nope/roll").status_code == 404
    assert client.get("/nope/attack/roll").status_code == 404


@pytest.mark.parametrize("text", ['"><script>alert(1)</script>', "'onmouseover='alert(1)", "{{ 7*7 }}"])
def test_a_seed_is_escaped(client, text):
    query = write_query({}, {"seed": text})
    response = client.get(f"/attack_dice/attack/roll?{query}")
    assert response.status_code == 200
    assert "<script>alert" not in response.text
    assert not [one for _, one in Page(response.text).elements if any(key.startswith("on") for key in one)]
    assert text in Page(response.text).text("fineprint")


def test_the_page_holds_no_code_or_style(client):
    for address in (ATTACK + "&_seed=7", "/attack_dice/attack/dice", "/vehicles5/ordnance/roll?_seed=6"):
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", client.get(address).text)


def test_luck_that_takes_too_long_is_left_to_a_click():
    small = Limits(quick=0.0, patient=0.0)
    with TestClient(create_app(small), follow_redirects=False) as hurried:
        got = hurried.get("/attack_dice/attack/roll?attacks=900&models=300&hp=3&armour=5&aegis=6&_seed=3")
    assert got.status_code == 200
    page = Page(got.text)
    assert "take a moment to work out" in page.text("note")
    assert outcome(got.text)["data-verdict"] == ""
    assert [one["href"] for one in page.all("a") if "_luck=1" in one.get("href", "")]


def test_a_roll_tells_what_armour_and_toughness_did(client):
    """The page hands the dice to the ruleset's narrator as the log does."""
    address = "/deathwatch/shoot/roll?weapon=Astartes+Bolter+%28Godwyn%29&target=Raider&_seed=3"
    page = client.get(address).text
    assert "13 + 5 = 18 on the body, less 3 (AP 4, penetration 5, TB 3): 15 through" in page


def test_what_is_played_without_dice_is_not_called_rolled(client):
    played = client.get("/diceless40k/shoot/roll?_seed=3").text
    assert "Play again" in played
    assert "What happened" in played
    assert "Roll again" not in played
    assert "My dice" not in played
    rolled = client.get("/attack_dice/attack/roll?_seed=3").text
    assert "Roll again" in rolled
    assert "What was rolled" in rolled


def test_what_was_asked_names_the_fire_mode_even_where_it_is_the_default(client):
    page = Page(client.get("/deathwatch/shoot/roll?attacker=Brother+Cato&target=Raider&distance=40&_seed=7").text)
    assert page.text("asks") == "Brother Cato · Astartes Bolter (Godwyn) · Raider · Distance 40 metres · full"
