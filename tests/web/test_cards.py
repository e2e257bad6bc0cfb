"""The form of a question as cards: what decides the game is in sight, and everything else in two drawers."""

from __future__ import annotations

import re
from typing import Any

import pytest

from battletape import registry
from battletape.errors import BadInput
from battletape.inputs import PARTS, Inputs, fields
from battletape.views.controls import ControlView
from battletape.views.form import FormView, form_view
from battletape.views.profile_choices import stat_lines
from tests.web.conftest import QUESTIONS
from tests.web.page import Page

HTMX = {"HX-Request": "true"}
LASCANNONS = "/vehicles5/shoot?vehicle=Anvil+battle+tank&guns=weapon=Lascannon+models=3+facing=side"
MAIN = [("attack_dice", "attack"), ("vehicles5", "shoot"), ("deathwatch", "shoot"), ("diceless40k", "shoot_vehicle")]


def form_of(ruleset: str, question: str, **given: object) -> FormView:
    card = registry.ruleset(ruleset)
    asked = card.question(question)
    return form_view(card, asked, *card.split(asked, given))


def on_cards(form: FormView) -> list[ControlView]:
    """Every control that stands on a card."""
    found = [control for card in form.cards for control in (*card.picks, *card.shown, *card.chips)]
    for control in found:
        found += [inner for entry in control.entries for inner in entry.shown]
    return found


def test_a_gun_and_a_tank_as_cards_with_stat_lines_and_the_side_at_the_target():
    form = form_of("vehicles5", "shoot", vehicle="Anvil battle tank", guns="weapon=Lascannon models=3 facing=side")
    attacker, target, around = form.cards
    assert [card.title for card in form.cards] == ["Attacker", "Target", "Circumstances"]
    (gun,) = attacker.shown[0].entries
    assert [(stat.short, stat.text) for stat in gun.stats] == [("Shots", "1"), ("BS", "4"), ("S", "9"), ("AP", "2")]
    assert [control.name for control in gun.shown] == ["guns.0.weapon", "guns.0.models"]
    assert [(stat.short, stat.text) for stat in target.stats][:3] == [("Front", "14"), ("Side", "13"), ("Rear", "10")]
    assert [control.name for control in target.shown] == ["guns.0.facing"]
    assert [chip.name for chip in around.chips] == ["smoke", "guns.0.half_range"]
    assert [control.name for control in around.shown] == ["band", "terrain_cover"]


def test_each_of_several_guns_has_a_side_of_its_own():
    form = form_of("vehicles5", "shoot", guns=["weapon=Lascannon", "weapon=Meltagun facing=rear"])
    guns = form.cards[0].shown[0].entries
    assert [[control.name for control in gun.shown if control.part == "facing"] for gun in guns] == [
        ["guns.0.facing"],
        ["guns.1.facing"],
    ]


def test_an_entry_can_be_removed_unless_it_is_the_only_one_of_a_list_that_needs_one(client):
    assert "drop:guns.0" not in client.get("/vehicles5/shoot?_blank=1").text
    assert "drop:guns.0" in client.get("/vehicles5/shoot?guns=weapon=Lascannon&guns=weapon=Meltagun").text
    assert "drop:others.0" in client.get("/diceless40k/shoot?others=name=sergeant").text


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_every_input_stands_in_one_place_and_what_decides_is_in_no_drawer(ruleset, question):
    form = form_of(ruleset, question)
    seen = [control.name for control in on_cards(form)]
    drawer = [control for part in form.numbers for control in part.controls]
    assert not [control.name for control in drawer if control.part]
    names = [*seen, *(control.name for control in drawer)]
    assert len(names) == len(set(names))
    assert set(registry.ruleset(ruleset).question(question).inputs.__struct_fields__) <= set(names)


def parts_of(inputs: type[Inputs]) -> set[str]:
    inner = [parts_of(field.item) for field in fields(inputs) if field.item]
    return {field.part for field in fields(inputs) if field.part}.union(*inner)


def test_the_parts_that_rulesets_name_are_known_and_each_is_used():
    used = [parts_of(registry.ruleset(ruleset).question(question).inputs) for ruleset, question in QUESTIONS]
    assert set().union(*used) == set(PARTS)


def test_a_chip_that_does_not_hold_asks_what_would_be(client):
    page = client.get(LASCANNONS).text
    assert 'data-if="smoke=yes"' in page
    assert 'data-if="guns.0.facing=rear"' in page
    keys = ("smoke=yes", "guns.0.facing=rear", "terrain_cover=4")
    figures = client.get(LASCANNONS.replace("?", "/whatif?") + "".join(f"&_if={key}" for key in keys)).json()
    assert [figures[key]["text"] for key in keys] == ["11 %", "46 %", "11 %"]
    smoke = client.get(
        f"{LASCANNONS}&smoke=no&smoke=yes", headers=HTMX
    )  # as a form without scripts sends a ticked chip
    assert re.search(r'class="big">11 %', smoke.text)
    assert "smoke=yes" in smoke.headers["HX-Replace-Url"]


@pytest.mark.parametrize("ruleset, question", MAIN)
def test_after_the_answer_come_roll_my_dice_compare_and_more(client, ruleset, question):
    page = client.get(f"/{ruleset}/{question}?_blank=1").text
    acts = page[page.index('<div class="acts">') :]
    dice = ["Roll", "My dice"] if ruleset != "diceless40k" else []
    buttons = re.findall(r'class="btn[^"]*"[^>]*>([^<]+)<', acts[: acts.index("</details>")])
    found = dict.fromkeys(buttons)  # Share is a link without scripts, and a button with them
    assert [title for title in found if title not in ("Play it", "Decide", "Print cards")][: len(dice) + 6] == [
        *dice,
        *("Compare", "Share", "More", "Print", "Export", "Heat map"),
    ]
    for word in ("branches", "More: ", "Take away", "Roll it", "Add: "):
        assert word not in page


def test_a_question_without_dice_offers_none(client):
    page = client.get("/vehicles5/what_may_it_do?types=tank&band=combat").text
    assert "/what_may_it_do/roll" not in page
    assert ">Compare<" in page


def every_control(form: FormView) -> list[ControlView]:
    """Every control of a form, with those of the entries of its lists."""
    found = [control for group in form.groups for control in (*group.shown, *group.more)]
    for control in found:
        found += [inner for entry in control.entries for inner in (*entry.shown, *entry.more)]
    return found


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_no_unit_or_weapon_is_a_free_text_and_every_stat_leads_to_its_input(ruleset, question):
    form = form_of(ruleset, question, **registry.ruleset(ruleset).question(question).example)
    controls = {control.name: control for control in every_control(form)}
    for control in controls.values():
        assert control.kind != "text" or not re.search("profile|[Ww]ho carries|one name for each", control.title)
    entries: list[Any] = [entry for control in controls.values() for entry in control.entries]
    for stat in [stat for place in (*form.cards, *entries) for stat in place.stats]:
        assert stat.steps == (controls[stat.name].kind in ("stepper", "segments", "select"))


def test_the_leader_of_a_unit_stands_on_its_card():
    target = next(card for card in form_of("diceless40k", "shoot", unit="Ork Boyz").cards if card.name == "target")
    models = int(next(control.value for control in target.shown if control.name == "models"))
    others = {stat.short: int(stat.text) for stat in target.stats if stat.name.startswith("others.")}
    assert (models, others) == (9, {"Nob": 1})


def test_a_stat_set_by_the_player_stays_in_its_box():
    form = form_of("vehicles5", "shoot", guns="weapon=Lascannon bs=3")
    (gun,) = form.cards[0].shown[0].entries
    (skill,) = [stat for stat in gun.stats if stat.short == "BS"]
    assert (skill.text, skill.usual, skill.steps) == ("3", "4", True)
    assert "guns.0.bs" not in [control.name for control in gun.shown]


def test_profiles_are_picked_by_their_stat_lines(client):
    assert stat_lines(registry.ruleset("vehicles5"), "weapon")["Lascannon"] == "S 9 · AP 2 · Range 48″ · Shots 1"
    page = client.get(LASCANNONS).text
    assert '<option value="Lascannon" data-about="S 9 · AP 2 · Range 48″ · Shots 1" selected>' in page


def test_what_is_known_by_name_is_a_list_in_the_form_the_help_and_the_errors(client):
    page = client.get("/deathwatch/shoot?_blank=1").text
    assert '<option value="Sandbags">Sandbags, 8 AP</option>' in page
    assert 'data-add="f-qualities"' in page
    shape = {field.name: field for field in fields(registry.ruleset("deathwatch").question("shoot").inputs)}
    assert "Sandbags" in shape["cover"].wants
    assert "left_leg" in shape["hidden"].wants
    free = [name for name, field in shape.items() if field.kind in ("text", "names") and not field.known]
    assert [name for name in free if not shape[name].profile] == ["damage"]
    with pytest.raises(BadInput, match=r"names with commas between them, of head, right_arm"):
        registry.ruleset("deathwatch").ask("shoot", hidden=7)


def test_what_stops_damage_stands_among_the_steps():
    answer = registry.ruleset("deathwatch").ask(
        "shoot", weapon="Autogun", target="Raider", cover="Sandbags", hidden="body, left_leg"
    )
    last = answer.steps[-1]
    much = "head 7, arms 7, body 15, right leg 7, left leg 15"  # AP 4 and TB 3, and sandbags of 8
    assert last.title == f"Taken off each hit: {much} (armour 4, cover 8, toughness 3)"
    assert last.clauses == ("DW-DMG-3",)


def test_the_chance_to_kill_leads_where_there_is_one(client):
    assert re.search(r'class="big">\d+ %', client.get("/deathwatch/shoot?weapon=Autogun&target=Raider").text)
    harmless = client.get("/deathwatch/shoot?weapon=Autogun&mode=single&head=20&body=20&arm=20&leg=20").text
    assert not re.search(r'class="big">0 %', harmless)


OWN_WORDS = {
    "name": "what somebody is called",
    "damage": "dice",
    "damage2": "dice",
    "a_damage": "dice",
    "b_damage": "dice",
    "arc": "two bearings",
    "mount": "what a weapon is called",
    "fire_at": "units that are nowhere else in the question",
    "attacker_melee": "what a melee is called",
    "target_melee": "what a melee is called",
    "bearers": "who carries it, as the list of the unit calls them",
    "attacker": "refused, with the input that would do",
}
"""Text that nobody can list beforehand; numbers with commas between them are text too."""


def all_controls(controls: list[ControlView]) -> list[ControlView]:
    inner = [other for one in controls for entry in one.entries for other in (*entry.shown, *entry.more)]
    return [*controls, *all_controls(inner)] if inner else controls


@pytest.mark.parametrize("ruleset, question", QUESTIONS)
def test_an_input_of_known_names_is_a_list(ruleset, question):
    asked = registry.ruleset(ruleset).question(question)
    form = form_of(ruleset, question, **asked.example)
    controls = all_controls([control for group in form.groups for control in (*group.shown, *group.more)])
    typed = [
        control for control in controls if control.kind == "text" and control.name.rpartition(".")[2] not in OWN_WORDS
    ]
    assert [one.name for one in typed if "numbers" not in one.wants and one.name != "entry"] == []


def ticks(ruleset: str, question: str, name: str, **given: object) -> list[tuple[str, bool]]:
    form = form_of(ruleset, question, **given)
    (control,) = [one for group in form.groups for one in (*group.shown, *group.more) if one.name == name]
    assert control.kind == "toggles"
    return [(choice.text, choice.on) for choice in control.choices]


def test_the_weapons_of_a_named_vehicle_are_ticked_off_one_by_one():
    given = {"vehicle": "Anvil battle tank", "weapon_names": "Battle cannon, left bolter"}
    intact = ticks("vehicles5", "shoot", "weapon_names", **given)
    assert [name for name, on in intact if on] == ["Battle cannon", "left bolter"]
    assert [name for name, on in intact if not on] == ["Lascannon", "right bolter", "Heavy stubber"]
    assert [name for name, _ in ticks("vehicles5", "shoot", "melee_weapons", **given)] == [
        "Battle cannon",
        "left bolter",
    ]


def test_of_two_weapons_alike_one_may_be_left():
    card = registry.ruleset("diceless40k")
    vehicle = card.question("vehicle_hits").example["vehicle"]
    whole = ticks("diceless40k", "vehicle_hits", "vehicle_weapons", vehicle=vehicle)
    assert [name for name, _ in whole].count("Lascannon") == 2
    left = ticks("diceless40k", "vehicle_hits", "vehicle_weapons", vehicle=vehicle, vehicle_weapons="Lascannon")
    assert [on for name, on in left if name == "Lascannon"] == [True, False]


def test_a_weapon_that_is_ticked_off_is_gone_from_the_address(client):
    page = Page(client.get(LASCANNONS).text)
    boxes = page.all("input", type="checkbox", name="weapon_names")
    assert next(box["value"] for box in boxes if "checked" in box) == "Battle cannon"
    pairs = [pair for pair in page.pairs if pair != ("weapon_names", "Battle cannon") and pair[0] != "weapons"]
    there = client.get("/vehicles5/shoot", params=pairs).headers["location"]
    assert "weapon_names=Lascannon,+left+bolter,+right+bolter,+Heavy+stubber" in there


def test_the_model_aimed_at_is_one_of_those_on_the_table_or_the_best():
    models = ["Ork at 0,18", "at 2,18", "Scout at 4,18 side=friend"]
    form = form_of("second_edition", "blast", models=models, target="Ork")
    (target,) = [one for group in form.groups for one in (*group.shown, *group.more) if one.name == "target"]
    assert [(choice.value, choice.text) for choice in target.choices] == [
        ("", "the best one"),
        ("Ork", "Ork"),
        ("enemy 2", "enemy 2"),
    ]
