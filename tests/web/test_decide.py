"""Decide: what each option is worth for a goal, the best one, and kindly that there is nothing to decide."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import ClassVar

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.answer import advise, ask
from battletape.errors import BudgetSpent
from battletape.procedure import State
from battletape.tape import Tape
from battletape.tape.best import Decision
from battletape.tape.exact import Memo
from battletape.tape.limits import Budget
from battletape.views.advice import _whens
from battletape.views.choices import leaves_choice
from battletape.web.pages import decide
from tests.web.page import Page

SAVE = "/attack_dice/attack/decide?hp=2&armour=5&aegis=4&attacks=12&power=6&saves=one"
MODE = "/deathwatch/fire_mode/decide?weapon=Lasgun&target=Raider&bs=45&distance=60"


def test_the_options_and_the_best_one(client):
    response = client.get(SAVE)
    assert response.status_code == 200
    page = Page(response.text)
    card = registry.ruleset("attack_dice")
    given = {"hp": 2, "armour": 5, "aegis": 4, "attacks": 12, "power": 6, "saves": "one"}
    advice = advise(card, card.question("attack"), given, "casualties")
    assert page.text("big") == f"{float(advice.value):.2f}"
    assert page.text("advice").startswith("Take aegis: ")
    assert page.text("best").startswith("aegis best")
    assert page.all("a", href="/attack_dice/rules/AD-77")
    assert len(page.all("svg", class_="hbar")) == 2


def test_a_goal_and_sides_of_ones_own(client):
    response = client.get(SAVE + "&_goal=hp_lost&_sides=defender=max")
    page = Page(response.text)
    assert "HP lost" in page.text("headline")
    assert page.text("advice").startswith("Take armour: ")
    assert "if the defender plays to make it as high as possible" in page.text("headline")


def test_the_form_without_scripts_leads_to_the_short_address(client):
    page = Page(client.get(SAVE).text)
    moved = client.get("/attack_dice/attack/decide", params=page.pairs)
    assert moved.status_code == 303
    assert moved.headers["Location"].endswith("_goal=casualties&_sides=defender=min")
    assert client.get(moved.headers["Location"]).status_code == 200


def test_a_chance_as_the_goal(client):
    page = Page(client.get(MODE + "&_goal=dead").text)
    assert page.text("big").endswith("%")
    assert re.search(r"Take .+: [\d.]+ %, [\d.]+ points more than", page.text("advice"))


def test_each_state_has_its_own_words(client):
    """What is inside of a state tells it from others too, and what is not so is not said."""
    response = client.get("/vehicles5/walker_fight/decide?foe_models=2&foe_save=3&grenade=krak&rounds=2&_goal=foe_lost")
    whens = re.findall(r'<th scope="row">([^<]+)</th>', response.text)
    assert len(whens) > 3
    assert len(set(whens)) == len(whens)
    assert any("walker condition stunned" in when for when in whens)
    assert not any(" no," in when for when in whens)


def test_many_states_of_one_choice_are_put_together(client):
    response = client.get("/vehicles5/walker_fight/decide?foe_models=2&foe_save=3&grenade=krak&rounds=1&_goal=foe_lost")
    page = Page(response.text)
    assert response.status_code == 200
    assert len([one for one in page.all("section") if one.get("class") == "card choice"]) == 1
    assert "of the time" in page.text("soft") or "comes up" in response.text


def test_nothing_to_decide_is_said_kindly_with_what_would_leave_something(client):
    response = client.get("/attack_dice/attack/decide?armour=5&aegis=4")
    assert response.status_code == 200
    assert "Nobody has anything to decide" in response.text
    links = [one["href"] for one in Page(response.text).all("a") if "saves=one" in one.get("href", "")]
    assert "which save" in client.get(links[0]).text.lower()


def test_decide_is_offered_only_where_a_side_decides(client):
    with_choice = client.get(SAVE.replace("/decide", ""), headers={"HX-Request": "true"}).text
    without = client.get("/attack_dice/attack?_blank=1", headers={"HX-Request": "true"}).text
    assert ">Decide</a>" in with_choice
    assert ">Decide</a>" not in without


def test_what_does_not_fit_is_a_sentence(client):
    assert "max, min, first, last" in client.get(SAVE + "&_sides=defender=best").text
    for query in ("_goal=nope", "_sides=defender=best", "_sides=defender"):
        assert client.get(f"{SAVE}&{query}").status_code == 422
    words = client.get("/vehicles5/walker_fight/decide?rounds=1&foe_models=2&grenade=krak&_goal=over")
    assert words.status_code == 422
    assert "a goal must give a number" in words.text


def test_too_many_choices_are_refused_in_time(hasty):
    got = hasty.get("/vehicles5/walker_fight/decide?foe_models=4&foe_save=3&grenade=krak&rounds=2")
    assert got.status_code == 422
    assert "too" in got.text
    card = registry.ruleset("vehicles5")
    question = card.question("walker_fight")
    with pytest.raises(BudgetSpent):
        advise(card, question, question.example, "foe_lost", budget=Budget(seconds=0.0))


def test_a_question_that_was_cut_is_not_said_to_leave_nothing(client, monkeypatch):
    def cut(asked, seconds):
        return ask(asked.ruleset, asked.question, asked.said, budget=Budget(branches=200), memo=Memo())

    monkeypatch.setattr(decide, "work_out", cut)
    response = client.get("/attack_dice/attack/decide?attacks=200&power=6&armour=5&models=100")
    assert response.status_code == 200
    assert "There was not enough time to see whether somebody has something to decide" in response.text
    assert "Nobody has anything to decide" not in response.text


def test_what_would_leave_something_is_a_matter_of_rolls_not_of_time():
    """The reactions of a duel take seconds to work out; a few rolls show that there is something to choose."""
    card = registry.ruleset("deathwatch")
    inputs, rulings = card.split(card.question("duel"), card.question("duel").example)
    assert not leaves_choice(card.question("duel"), inputs, rulings)
    assert leaves_choice(card.question("duel"), replace(inputs, a_reaction="choose"), rulings)


def test_a_game_without_dice_is_played_not_rolled(client):
    page = client.get("/diceless40k/shoot/dice?shooters=Space+Marines&unit=Ork+Boyz&distance=12").text
    assert "<h1>Play it</h1>" in page
    assert "My dice" not in page
    assert "roll all dice" not in page
    assert "<h1>My dice</h1>" in client.get("/vehicles5/shoot/dice").text
    done = client.get("/diceless40k/save_table/dice?dmg=128&armour=3").text
    assert "Play it again" in done
    assert "Other dice" not in done


class Crossing(State, frozen=True):
    men_left: int
    paid: bool
    field_words: ClassVar = {"men_left": "soldiers", "paid": "toll paid"}


def ford(tape: Tape, crossing: Crossing) -> Crossing:
    return crossing


def test_states_of_a_decision_differ_in_the_words_that_they_declare():
    states = (Crossing(3, False), Crossing(2, True))
    decisions = [Decision(ford, state, "ford", "red", (("wade", 1),), "wade", Fraction(1)) for state in states]
    assert list(_whens(decisions).values()) == ["soldiers 3", "soldiers 2, toll paid"]
