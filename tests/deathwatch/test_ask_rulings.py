"""Every question says which rulings can change its answer; no other one does."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.inputs import fields
from battletape.rulesets.deathwatch import RULESET

KNOWN = {given.name: given for given in fields(RULESET.rulings)}
NUMBERS = {"modifier_cap": 10, "point_blank": 3, "blood_loss_percent": 25}
GUN = {"weapon": "Autogun", "bs": 70, "target": "Raider"}
RICH: list[tuple[str, dict[str, Any]]] = [
    ("test", {"characteristic": 40, "fatigue": 2, "situations": ["long_range", "melee_vs_prone"]}),
    ("shoot", {**GUN, "mode": "single", "qualities": "Twin-linked, Reliable", "modifier": 60, "fatigue": 2}),
    (
        "shoot",
        {**GUN, "mode": "semi", "qualities": "Scatter, Primitive", "distance": 2.5, "cover": "4", "hidden": "body"},
    ),
    ("shoot", {**GUN, "mode": "single", "qualities": "Overheats, Felling (1), Shocking", "unnatural_toughness": 2}),
    ("fight", {"weapon": "Astartes Power Fist", "target": "Raider", "parry": 40, "reaction": "parry", "fatigue": 2}),
    ("fight", {"weapon": "Astartes Combat Knife", "target": "Raider", "action": "knock_down"}),
    ("fight", {"target": "Raider", "action": "unarmed", "sb": 9}),
    ("horde", {"weapon": "Astartes Power Fist", "ws": 60, "horde": "Raider mob", "magnitude": 14}),
    (
        "horde",
        {"attack": "psychic", "psy_rating": 3, "own_willpower": 40, "damage": "1d10", "area": True, "fatigue": 2},
    ),
    ("horde_attacks", {"horde": "Raider mob", "attack": "melee", "target": "Raider"}),
    ("suppress", {"weapon": "Autogun", "bs": 90, "fire": "full", "on_overwatch": True, "fatigue": 2, "distance": 2.5}),
    (
        "duel",
        {"a_weapon": "Autogun", "a_mode": "semi", "a_skill": 60, "b_profile": "Raider", "rounds": 1, "first": "a"},
    ),
    ("movement", {"agility": 45, "distance": 10}),
]
ASKED = [*((question.name, dict(question.example)) for question in RULESET.questions), *RICH]


@pytest.mark.parametrize("question", RULESET.questions, ids=lambda after: after.name)
def test_every_question_names_its_rulings_once(question: Any) -> None:
    assert question.rulings
    assert len(set(question.rulings)) == len(question.rulings)
    assert set(question.rulings) <= set(KNOWN)


@pytest.mark.parametrize("name, given", ASKED, ids=lambda after: after if isinstance(after, str) else "")
def test_rulings_that_are_not_shown_change_nothing(name: str, given: dict[str, Any]) -> None:
    question = RULESET.question(name)
    plain = RULESET.ask(name, **given)
    for other in set(KNOWN) - set(question.rulings or ()):
        for value in _other_values(other):
            answer = RULESET.ask(name, **given, **{other: value})
            assert answer.headline == plain.headline, (other, value)
            for measure in plain.measures:
                assert answer.odds(measure.name) == plain.odds(measure.name), (other, value)


def test_every_ruling_that_dice_can_feel_belongs_to_a_question() -> None:
    shown = {one for question in RULESET.questions for one in question.rulings or ()}
    in_battles_only = {"overwatch", "arc_of_45", "half_actions"}
    with_one_value = {one.name for one in KNOWN.values() if len(one.choices) == 1}
    assert set(KNOWN) - shown == in_battles_only | with_one_value


def _other_values(name: str) -> list[Any]:
    one = KNOWN[name]
    if one.kind == "yes_no":
        return [not one.default]
    return [NUMBERS[name]] if name in NUMBERS else [value for value in one.choices if value != one.default]
