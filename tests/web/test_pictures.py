"""Pictures that are the input: what is drawn is what the rules say, and what a tap sets can be asked."""

from __future__ import annotations

from fractions import Fraction
from urllib.parse import urlencode

import pytest

import battletape as bt
from battletape import registry
from battletape.errors import BattletapeError
from battletape.odds import percent
from battletape.system import Measure, Rung
from battletape.table.outlines import SPOTS
from battletape.views.answer import ladder_of, measure_view
from battletape.views.outlines import BodyView, VehicleView, draw_outline, outline_views
from battletape.views.whatif import figure, parse_alternative
from tests.web.page import Page

GUNS = "guns=weapon%3DLascannon+models%3D3+facing%3Dside&guns=weapon%3DLascannon"


def view_of(ruleset, question, **given):
    card = registry.ruleset(ruleset)
    asked = card.question(question)
    views = outline_views(card, asked, *card.split(asked, given))
    return views[0] if views else None


def said(page):
    """The picture in words."""
    (words,) = [one["aria-label"] for one in page.all("svg", role="img") if one["aria-label"].startswith("The vehicle")]
    return words


def arcs(page):
    return {one["data-set"]: "on" in one["class"].split() for one in page.all("path") if "data-set" in one}


def test_every_side_of_a_vehicle_has_its_armour_and_the_answer_from_there(client):
    response = client.get(f"/vehicles5/shoot?front=13&{GUNS}")
    page = Page(response.text)
    chosen = arcs(page)
    assert list(chosen.values()) == [False, True, True], "of two guns each fires at a side of its own"
    assert "armour front 13, side 11, rear 10; front and side chosen" in said(page)
    keys = list(dict.fromkeys(one["data-if"] for one in page.all("text") if "data-if" in one))
    assert {*keys} == {*chosen}
    query = urlencode([("_if", key) for key in keys])
    told = client.get(f"/vehicles5/shoot/whatif?front=13&{GUNS}&{query}").json()
    for key in keys:
        changes = parse_alternative(key)
        guns = [
            {"weapon": "Lascannon", "models": models, "facing": changes[f"guns.{at}.facing"]}
            for at, models in enumerate((3, 1))
        ]
        assert told[key]["text"] == figure(bt.ruleset("vehicles5").ask("shoot", front=13, guns=guns))[0]


@pytest.mark.parametrize(
    "address, armour",
    [
        ("/vehicles5/kill_time?rear=11", "rear 11"),
        ("/vehicles5/ram?target_rear=11", "rear 11"),
        ("/vehicles5/assault?assault_facing=contact&front=14", "front 14"),
        ("/diceless40k/shoot_vehicle?vehicle=Predator", "front 13"),
        ("/diceless40k/ram?target=Predator", "front 13"),
    ],
)
def test_other_questions_about_the_side_of_a_vehicle_have_the_picture_too(client, address, armour):
    page = Page(client.get(address).text)
    assert armour in said(page)
    keys = [("_if", one["data-if"]) for one in page.all("text") if "data-if" in one]
    path, _, query = address.partition("?")
    told = client.get(f"{path}/whatif?{query}&{urlencode(keys)}").json()
    assert all(figure["text"] for figure in told.values())
    assert len(told) == 3


def test_there_is_no_picture_where_the_side_makes_no_difference(client):
    assert "figure" not in client.get("/vehicles5/assault?_blank=1").text.partition("<main")[2].partition("</form>")[0]
    assert view_of("diceless40k", "shoot_vehicle") is None


def test_the_side_that_is_met_brings_its_armour_with_it_every_time(client):
    # each tap sends the question as the page shows it, with another side
    address = "/diceless40k/shoot_vehicle?vehicle=Predator"
    for facing, armour in (("side", "11"), ("rear", "10"), ("front", "13")):
        response = client.get(f"{address}&facing={facing}", headers={"HX-Request": "true"})
        address = response.headers["HX-Replace-Url"].replace(f"&facing={facing}", "")
        assert "av=" not in address
        (shown,) = [
            one["value"] for one in Page(response.text).all("input") if one.get("name") == "av" and "checked" in one
        ] or [one["value"] for one in Page(response.text).all("input", name="av")]
        assert shown == armour


def test_a_body_shows_armour_cover_and_how_likely_each_place_is_hit(client):
    given = {"mode": "full", "bs": 48, "cover": "Sandbags", "hidden": "body, right_leg"}
    view = view_of("deathwatch", "shoot", **given)
    assert isinstance(view, BodyView)
    places = {place.spot: place for place in view.places}
    assert (places["body"].armour, places["right_leg"].armour, places["left_leg"].armour) == ("10 + 8", "8 + 8", "8")
    assert {spot for spot in SPOTS if places[spot].covered} == {"body", "right_leg"}
    answer = bt.ruleset("deathwatch").ask("shoot", measures=["head_hits", "body_hits"], **given)
    for spot in ("head", "body"):
        assert places[spot].chance == percent(answer.odds(f"{spot}_hits").at_least(1))
    page = Page(client.get(f"/deathwatch/shoot?{urlencode(given)}").text)
    assert page.all("figure", class_="picture body", data_hidden="") == []
    drawn = {one["data-place"]: one["class"].split() for one in page.all("g") if "data-place" in one}
    assert {spot for spot, states in drawn.items() if "covered" in states} == {"body", "right_leg"}
    assert "Sandbags" in page.text("body")


def test_of_one_shot_every_place_is_hit_as_often_as_the_first_hit_lands_there():
    view = view_of("deathwatch", "shoot", mode="single", bs=63)
    assert isinstance(view, BodyView)
    first = bt.ruleset("deathwatch").ask("shoot", measures=["first_place"], mode="single", bs=63).odds("first_place")
    for place in view.places:
        assert place.chance == percent(first.chance(place.title.lower()))
    assert {place.title.lower() for place in view.places} == {*first.values()} - {"nowhere"}


def test_a_place_that_is_aimed_at_is_marked_and_another_tap_takes_the_aim_away(client):
    view = view_of("deathwatch", "shoot", mode="single", called="head")
    assert isinstance(view, BodyView)
    assert {place.spot: place.aim for place in view.places if place.aimed} == {"head": "called=none"}
    assert next(place.aim for place in view.places if place.spot == "body") == "called=body;mode=single"
    query = urlencode([("_if", place.aim) for place in view.places])
    told = client.get(f"/deathwatch/shoot/whatif?mode=single&called=head&_measure=damage&{query}").json()
    for place in view.places:
        aimed = {} if place.aimed else {"called": place.spot}
        answer = bt.ruleset("deathwatch").ask("shoot", mode="single", **aimed)
        assert told[place.aim]["text"] == figure(answer, "damage")[0]


def test_the_picture_stays_when_an_answer_cannot_come_and_comes_with_every_answer(client):
    assert arcs(Page(client.get("/vehicles5/shoot?weapons=x").text))
    part = client.get("/vehicles5/shoot?rear=11", headers={"HX-Request": "true"}).text
    assert 'id="outlines" hx-swap-oob="true"' in part
    assert (
        "figure" not in client.get("/attack_dice/attack?_blank=1").text.partition("<form id")[2].partition("</form>")[0]
    )


# --- the ladder -------------------------------------------------------------------------------------------------------


def test_the_ladder_of_damage_is_the_odds_of_its_results_from_the_worst_down(client):
    answer = bt.ruleset("vehicles5").ask("shoot")
    view = measure_view(answer.question.measures[0], answer.odds())
    rungs = {rung.title: rung for rung in view.ladder}
    odds = {name: answer.odds(name).chance(1) for name in ("exploded", "wrecked", "destroyed", "immobilised_or_worse")}
    assert rungs["Explodes"].exactly.fraction == str(odds["exploded"])
    assert rungs["Wrecked"].exactly.fraction == str(odds["wrecked"])
    assert rungs["Wrecked"].or_worse.fraction == str(odds["destroyed"])
    assert rungs["Immobilised"].or_worse.fraction == str(odds["immobilised_or_worse"])
    assert view.ladder[-1].or_worse.fraction == "1"
    page = client.get("/vehicles5/shoot?_blank=1").text
    ladder = page[page.index('<ol class="ladder">') :]
    at = [ladder.index(f">{title}<") for title in rungs]
    assert at == sorted(at)
    assert f'<li class="heading"><span>Destroyed</span> <span>{percent(odds["destroyed"])}</span></li>' in page


def test_how_badly_a_target_is_hurt_is_a_ladder_too():
    answer = bt.ruleset("deathwatch").ask("shoot", health=5)
    rungs = measure_view(answer.question.measure("fate"), answer.odds("fate")).ladder
    assert rungs[0].exactly.fraction == str(answer.odds("dead").chance(1))
    rows = answer.odds("critical_row")
    alive = sum((Fraction(rung.exactly.fraction) for rung in rungs[1:4]), Fraction(0))
    assert alive == rows.at_least(1) - answer.odds("dead").chance(1)
    assert rungs[4].or_worse.fraction == str(answer.odds("hurt").chance(1))


def test_a_value_without_a_rung_is_said():
    short = Measure("short", "Short", lambda state: state, ladder=(Rung("One", (1).__eq__),))
    with pytest.raises(BattletapeError, match="no rung of the ladder of short holds 0"):
        ladder_of(short, bt.Odds({0: 1, 1: 1}))


def test_the_shape_of_a_vehicle_follows_its_types():
    shapes = []
    for types in ("tank", "walker", "skimmer, fast"):
        view = view_of("vehicles5", "shoot", types=types)
        assert isinstance(view, VehicleView)
        shapes.append(view.shape)
    assert shapes == ["tank", "walker", "skimmer"]


@pytest.mark.parametrize(
    "ruleset, question, given, arrows",
    [
        ("diceless40k", "shoot_vehicle", {"vehicle": "Rhino", "guns": "weapon=Lascannon"}, 1),
        ("diceless40k", "shoot_vehicle", {"vehicle": "Rhino", "guns": "weapon=Lascannon weapons=2"}, 2),
        ("vehicles5", "shoot", {"guns": "weapon=Lascannon facing=side"}, 1),
        ("vehicles5", "shoot", {"guns": "weapon=Lascannon models=3 facing=side"}, 3),
        ("vehicles5", "shoot", {"guns": "weapon=Lascannon models=9 facing=side"}, 3),
    ],
)
def test_one_gun_is_one_arrow(ruleset, question, given, arrows):
    assert draw_outline(view_of(ruleset, question, **given)).count('class="tip"') == arrows
