"""What a page shows: forms, pick lists, headlines and charts, for every question alike."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from battletape import registry
from battletape.answer import ask
from battletape.inputs import fields
from battletape.odds import Odds
from battletape.system import Measure
from battletape.views.answer import measure_view
from battletape.views.answer_summary import answer_summary
from battletape.views.controls import make_control
from battletape.views.form import form_view
from battletape.views.profile_choices import profile_choices
from battletape.views.question_text import question_line
from battletape.views.short_inputs import FEW_NAMES
from battletape.web.charts import NARROW, WIDE, chart
from tests.web.conftest import QUESTIONS

COUNT = Measure("fallen", "Models fallen", lambda state: state, "models")


def names_of(group):
    for control in (*group.shown, *group.more):
        yield control.name


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_a_form_holds_every_input_once(ruleset, question):
    card = registry.ruleset(ruleset)
    one = card.question(question)
    form = form_view(card, one, *card.split(one, one.example))
    held = [name for group in form.groups for name in names_of(group)]
    assert sorted(held) == sorted(one.inputs.__struct_fields__)
    rulings = [control.name for control in (*form.rulings, *form.other_rulings)]
    assert sorted({*rulings, *held}) == sorted({*card.rulings.__struct_fields__, *held})


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_what_the_example_names_is_shown_at_once(ruleset, question):
    card = registry.ruleset(ruleset)
    one = card.question(question)
    form = form_view(card, one, *card.split(one, one.example))
    shown = {control.name for group in form.groups for control in group.shown}
    shown |= {control.name for group in form.groups for control in group.more if control.short}  # in a stat line
    assert set(one.example) - {"preset", *card.rulings.__struct_fields__} <= shown


@pytest.mark.parametrize(
    "ruleset, question, given, told",
    [
        ("deathwatch", "shoot", {"attacker": "cato"}, "Brother Cato · Astartes Bolter (Godwyn) · full"),
        (
            "deathwatch",
            "duel",
            {"a_profile": "cato", "b_profile": "raider"},
            "Brother Cato · Astartes Combat Knife · Raider · Improvised · melee · melee",
        ),
        ("diceless40k", "fight", {"first": ["Nobz"], "second": ["Militia"]}, "Nobz, Choppa · Militia"),
    ],
)
def test_what_was_asked_names_the_weapon_that_a_profile_brings(ruleset, question, given, told):
    card = registry.ruleset(ruleset)
    asked = card.question(question)
    assert question_line(card, asked, *card.split(asked, given)) == told


@pytest.mark.parametrize(
    "ruleset, question, given, told",
    [
        ("deathwatch", "shoot", {"attacker": "cato", "aim": "full", "mode": "semi"}, "Aim full · semi"),
        ("deathwatch", "shoot", {"attacker": "cato", "aim": "half", "mode": "semi"}, "half · semi"),
        ("vehicles5", "ram", {"speed": "combat", "target_band": "flat_out"}, "Speed flat out"),
        ("vehicles5", "ram", {"speed": "cruising"}, "Speed declared: cruising"),
        ("deathwatch", "duel", {"b_reaction": "dodge"}, "B: Reaction: dodge"),
    ],
)
def test_a_word_that_could_be_meant_of_another_input_says_of_which(ruleset, question, given, told):
    card = registry.ruleset(ruleset)
    asked = card.question(question)
    assert told in question_line(card, asked, *card.split(asked, given))


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_every_input_that_takes_a_profile_declares_its_kind(ruleset, question):
    card = registry.ruleset(ruleset)
    one = card.question(question)
    for path, pick in profile_choices(card, one).items():
        inputs: Any = one.inputs
        for name in path[:-1]:
            inputs = next(field.item for field in fields(inputs) if field.name == name)
        assert (path, {field.name: field.profile for field in fields(inputs)}[path[-1]]) == (path, pick.kind)


def test_every_profile_can_be_picked_where_it_fits():
    card = registry.ruleset("vehicles5")
    found = profile_choices(card, card.question("walker_fight"))
    assert found[("walker",)].kind == "vehicle"
    assert all("walker" in card.book.entries["vehicle"][name].types for name in found[("walker",)].names)
    nested = profile_choices(card, card.question("kill_time"))
    assert nested[("volleys", "guns", "weapon")].kind == "weapon"
    assert "strength" in nested[("volleys", "guns", "weapon")].fills
    assert not profile_choices(registry.ruleset("attack_dice"), registry.ruleset("attack_dice").question("chart"))


@pytest.mark.parametrize(
    "name, kind, choices",
    [
        ("armour", "segments", "–|2+|3+|4+|5+|6+"),
        ("embarked", "segments", "no|yes"),
        ("cover_stat", "segments", "defence|armour"),
        ("power", "stepper", ""),
        ("weapon_class", "known", "none|side|battle|heavy|melee|effect"),
        ("others", "text", ""),
    ],
)
def test_each_input_gets_the_control_that_fits(name, kind, choices):
    question = registry.ruleset("attack_dice").question("attack")
    field = next(one for one in fields(question.inputs) if one.name == name)
    control = make_control(field, name, field.default, field.default, None)
    assert control.kind == kind
    assert "|".join(choice.text for choice in control.choices) == choices
    assert not control.changed


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_names_are_ticked_where_few_are_known_and_added_from_a_list_where_many_are(ruleset, question):
    for field in fields(registry.ruleset(ruleset).question(question).inputs):
        control = make_control(field, field.name, field.default, field.default, None)
        if field.kind == "names" and field.known:
            few = len(field.known) <= FEW_NAMES and field.form != "ordered"  # which is made by adding
            assert control.kind == ("toggles" if few else "names")
            assert {name for name, _ in field.known} <= {choice.value for choice in control.choices}
            assert all(name in field.wants for name, _ in field.known)


def test_what_a_profile_gives_for_good_stands_apart_from_what_is_added():
    card = registry.ruleset("deathwatch")
    one = card.question("shoot")
    given = {"weapon": "Astartes Plasma Pistol", "qualities": "Tearing", "attacker": "Brother Cato"}
    form = form_view(card, one, *card.split(one, given))
    controls = {control.name: control for group in form.groups for control in (*group.shown, *group.more)}
    assert (controls["qualities"].fixed, controls["qualities"].value) == ("Volatile", "Tearing")
    assert controls["qualities"].changed
    assert (controls["talents"].fixed, controls["talents"].value) == ("", "Bolt training, Traditional training")


def test_a_slider_goes_as_far_as_a_thumb_can_aim():
    question = registry.ruleset("attack_dice").question("attack")
    by_name = {one.name: one for one in fields(question.inputs)}
    assert make_control(by_name["attacks"], "attacks", 12, 10, None).slide == (1, 25)
    assert make_control(by_name["attacks"], "attacks", 600, 10, None).slide == (1, 1000)
    assert make_control(by_name["modifier"], "modifier", 0, 0, None).slide == (-6, 6)
    assert make_control(by_name["distance"], "distance", 3, None, None).slide is None


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_every_question_declares_what_the_table_asks_first(ruleset, question):
    assert registry.ruleset(ruleset).question(question).lead


@pytest.mark.parametrize(
    "ruleset, question, given, number, short",
    [
        ("attack_dice", "attack", {"attacks": 12, "power": 6}, "5.0", "of 5 models fall on average"),
        ("attack_dice", "attack", {"models": 1, "power": 1, "defence": 9}, "46 %", "of the time the target falls"),
        ("diceless40k", "shoot", {"guns": "shots=1", "unit": "Terminators"}, "3", "HP lost; nobody falls"),
        ("diceless40k", "shoot_vehicle", {"vehicle": "Rhino", "guns": "weapon=Lascannon"}, "4", "DMG, but no hit"),
        ("diceless40k", "regroup", {"unit": "Ork Boyz", "op": 184}, "Yes", "it regroups"),
        ("deathwatch", "fight", {"action": "stun"}, "9.0 %", "stunned"),
        ("deathwatch", "fire_mode", {"goal": "hits"}, "4.3", "Full auto without an aim: hits in 2 turns"),
        ("vehicles5", "shoot", {"front": 14, "guns": "strength=7"}, "100 %", "unharmed"),
        ("vehicles5", "pinning", {"ld": 7}, "42 %", "pinned"),
    ],
)
def test_the_bar_says_what_the_table_asks(ruleset, question, given, number, short):
    headline = answer_summary(registry.ruleset(ruleset).ask(question, **given)).headline
    assert (headline.number, headline.short) == (number, short)


@pytest.mark.parametrize(
    "ruleset, question, said",
    [
        ("diceless40k", "shoot", "7 of 10 models fall"),
        ("deathwatch", "fire_mode", "67 % Full auto without an aim: to kill in 1 turn"),
        ("deathwatch", "horde", "67 % breaks in 3 turns"),
        ("vehicles5", "shoot", "21 % destroyed; 34 % immobilised or worse"),
    ],
)
def test_the_bar_of_an_example_says_the_number_of_the_table(ruleset, question, said):
    card = registry.ruleset(ruleset)
    headline = answer_summary(card.ask(question, **card.question(question).example)).headline
    assert f"{headline.number} {headline.short}" == said


@pytest.mark.parametrize(
    "question, given",
    [
        ("shoot", {"shooters": "Space Marines", "unit": "Ork Boyz", "distance": 12}),
        ("shoot", {"guns": "shots=1", "unit": "Terminators"}),
        ("shoot", {"guns": "strength=10 ap=1 shots=60", "unit": "Ork Boyz"}),
        ("casualties", {"unit": "Space Marines", "dmg": 322, "ap": 5}),
        ("blast", {"weapon": "Frag missile", "unit": "Ork Boyz", "tokens": 3, "held": 9, "hits": 4}),
    ],
)
def test_the_picture_of_models_has_as_many_standing_and_fallen_as_the_measures_say(question, given):
    answer = registry.ruleset("diceless40k").ask(question, **given)
    ranks = answer_summary(answer).ranks
    assert sum(rank.left for rank in ranks) == answer.odds("models_left").mean
    assert sum(rank.fallen for rank in ranks) == answer.odds("removed").mean
    assert given["unit"] in [rank.name for rank in ranks]
    (state,) = answer.states.weights
    target = state.shooting.target if question == "blast" else state.target
    hurt = {group.name: f"{group.hp - group.recorded} of {group.hp} HP" for group in target.groups if group.recorded}
    assert {rank.name: rank.wounded for rank in ranks if rank.wounded} == hurt


@pytest.mark.parametrize(
    "question, left",
    [
        ("fight", ("first_left", "second_left")),
        ("vehicle_end", ("models_left",)),
        ("shoot_artillery", ("crew_left", "guns_left")),
    ],
)
def test_fights_passengers_and_batteries_have_pictures_of_their_models(question, left):
    ruleset = registry.ruleset("diceless40k")
    answer = ruleset.ask(question, **ruleset.question(question).example)
    ranks = answer_summary(answer).ranks
    assert sum(rank.left for rank in ranks) == sum(answer.odds(measure).mean for measure in left)
    assert any(rank.fallen for rank in ranks)


def test_a_glance_shows_few_measures_and_the_chosen_one():
    card = registry.ruleset("vehicles5")
    question = card.question("shoot")
    glance = answer_summary(ask(card, question, question.example), "expected_hits")
    assert glance.measure.name == "expected_hits"
    assert "expected_hits" in [one.name for one in glance.measures]
    assert len(glance.measures) == 7
    assert len(glance.measures) + len(glance.others) == len(question.measures)


def bell(count: int) -> Odds[int]:
    odds = Odds({0: 1, 1: 1})
    whole = odds
    for _ in range(count - 1):
        whole = whole + odds
    return whole


@pytest.mark.parametrize("count", [1, 2, 5, 11, 23, 60, 400])
def test_labels_never_overlap(count):
    drawn = chart(measure_view(COUNT, bell(count), 24))
    letters = max(len(text) for column in drawn.columns for text in (column.label, column.exactly, column.summed))
    for room, places in ((NARROW, ("both", "narrow")), (WIDE, ("both", "wide"))):
        shown = [column.middle / 100 * room for column in drawn.columns if column.shown in places]
        assert shown
        assert all(right - left >= letters * 7 for left, right in pairwise(shown))


def test_bars_and_line_share_one_scale():
    drawn = chart(measure_view(COUNT, Odds({0: 1, 1: 2, 2: 1}), 24))
    assert drawn.kind == "columns"
    assert [column.bar_height for column in drawn.columns] == [25, 50, 25]
    assert [column.dot for column in drawn.columns] == [0, 25, 75]
    assert [column.words for column in drawn.columns] == [
        "Exactly 0: 25\u00a0%",
        "Exactly 1: 50\u00a0% · 1 or more: 75\u00a0%",
        "Exactly 2: 25\u00a0% · 2 or more: 25\u00a0%",
    ]
    assert drawn.read == 1


def test_names_yes_and_no_and_certainties_have_charts_of_their_own():
    names = Measure("worst", "Worst", lambda state: state)
    assert chart(measure_view(names, Odds({"shaken": 1, "stunned": 1}))).kind == "rows"
    assert chart(measure_view(names, Odds({True: 1, False: 1}))).kind == "yes_no"
    assert chart(measure_view(COUNT, Odds({3: 1}))).kind == "single"


def test_what_is_nearly_certain_is_not_told_as_certain(client):
    page = client.get("/attack_dice/attack?attacks=120&models=60&power=6").text
    assert "nearly always" in page
    assert "nothing is left to luck" not in page


def test_a_long_distribution_says_what_it_leaves_out():
    drawn = chart(measure_view(COUNT, bell(400), 24))
    assert len(drawn.columns) <= 24
    assert "values to a bar" in drawn.note
