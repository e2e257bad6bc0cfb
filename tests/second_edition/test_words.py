"""Sentences: who is in danger besides the enemy, and refusals that help."""

from __future__ import annotations

from typing import Any

import pytest

from battletape import ruleset
from battletape.tape.script import Script

SYSTEM = ruleset("second_edition")


FOE, PAL = {"name": "foe", "y": 20.0}, {"name": "pal", "y": 17.0, "side": "friend"}


@pytest.mark.parametrize(
    ("question", "given", "whom"),
    [
        ("blast", {"models": [FOE], "target": "foe"}, "the shooter"),
        ("blast", {"models": [FOE, PAL], "target": "foe"}, "a friend or the shooter"),
        ("grenade", {"models": [{**FOE, "y": 5.0}], "target": "foe"}, "the shooter"),
        ("template", {"models": [{**FOE, "y": 5.0}, {**PAL, "y": 3.0}]}, "a friend"),  # never on the shooter
    ],
)
def test_a_headline_says_whether_the_shooter_is_in_danger(question: str, given: dict[str, Any], whom: str):
    asked = SYSTEM.ask(question, **given)
    assert str(asked).endswith(f" % that {whom} is hit.")
    if whom == "the shooter":
        told = SYSTEM.ask(question, **given, measures=["shooter_hit", "friends_hit"])
        assert told.odds("shooter_hit").at_least(1) == told.odds("friends_hit").at_least(1)


def test_a_roll_tells_the_shooter_and_friends_apart():
    models = [FOE, {"name": "pal", "x": 1.0, "side": "friend"}]
    on_the_shooter = (1, "hit", "misfire", 6, 6)
    rolled = SYSTEM.roll("blast", models=models, target="foe", distance=20, tape=Script(*on_the_shooter))
    assert rolled.headline == "2 models hit: shooter and pal killed; the shooter and 1 friend among them."
    alone = SYSTEM.roll("blast", models=[FOE], target="foe", distance=20, tape=Script(*on_the_shooter[:4]))
    assert alone.headline == "1 model hit: shooter killed; the shooter among them."


def test_a_log_shows_the_arithmetic_and_the_rule():
    shot = {"weapon": "Boltgun", "bs": 3, "distance": 10, "cover": "hard", "unit": "Grey Lantern brothers", "models": 2}
    made = SYSTEM.roll("shoot", **shot, shots=2, tape=Script(5, 2, 6, 1))
    assert [(line.text, line.clauses) for line in made.log] == [
        ("To Hit with Ballistic Skill 3, +1 short range, -2 hard cover", ("SE-13", "SE-11", "SE-17")),
        ("Strength 4 against Toughness 4", ("SE-19", "SE-18")),
        ("Armour of 3+, -1 by the weapon", ("SE-27",)),
        ("To hit (needs 5+): 5 2 → 1 of 2", ("SE-13",)),
        ("To wound (needs 4+): 6 → pass", ("SE-18",)),
        ("Armour save (needs 4+): 1 → fail", ("SE-26",)),
        ("1 model falls", ("SE-24",)),
    ]


def test_a_log_says_what_became_of_a_single_model_by_its_name():
    hit = {"automatic": True, "strength": 4, "toughness": 4}
    assert SYSTEM.roll("shoot", **hit, tape=Script(3)).log[-1].text == "The target is not hurt"
    assert SYSTEM.roll("shoot", **hit, tape=Script(4)).log[-1].text == "The target falls"
    assert SYSTEM.roll("shoot", **hit, wounds=2, tape=Script(4)).log[-1].text == "The target loses 1 wound, 1 left"


def test_a_log_says_what_became_of_a_squad_when_it_is_hurt_and_when_no_model_is_left():
    hits = {"automatic": True, "strength": 4, "toughness": 4, "models": 2, "shots": 2}
    assert SYSTEM.roll("shoot", **hits, tape=Script(3, 3)).log[-1].text == "Nobody is hurt"
    assert SYSTEM.roll("shoot", **hits, tape=Script(4, 3)).log[-1].text == "1 model falls"
    assert SYSTEM.roll("shoot", **hits, tape=Script(4, 4)).log[-1].text == "2 models fall, and nobody is left"
    assert SYSTEM.roll("shoot", **hits, wounds=2, tape=Script(4, 3)).log[-1].text == "1 wound lost"


@pytest.mark.clause("SE-49", "SE-55")
@pytest.mark.parametrize(
    ("question", "dice", "why"),
    [
        ("blast", (1, "arrow", 8, 0), "5 of 8 inches: no farther than half the distance"),
        ("grenade", (1, "arrow", 8, 0), "4 of 8 inches: grenades scatter half as far"),
        ("blast", (1, "arrow", 2, 1), None),
    ],
)
def test_a_log_says_why_a_marker_scatters_less_far_than_the_die(question: str, dice: tuple[Any, ...], why: str | None):
    far = {"models": [{"name": "foe", "y": 10.0}], "target": "foe", "distance": 10.0 if question == "blast" else 6.0}
    log = [line.text for line in SYSTEM.roll(question, **far, tape=Script(*dice)).log]
    told = [text for text in log if " inches: " in text]
    assert told == ([] if why is None else [why])


def test_each_die_is_followed_by_what_it_did_to_whom():
    models = [{"name": "Ann", "y": 20.0}, {"name": "Bob", "x": 1.0, "y": 20.0}]
    rolled = SYSTEM.roll("blast", models=models, target="Ann", distance=20, tape=Script(6, 1, 6))
    assert [line.text for line in rolled.log][-5:] == [
        "Under the marker: Ann entirely, Bob entirely",
        "Ann: to wound (needs 3+): 1 → fail",
        "Ann is not hurt",
        "Bob: to wound (needs 3+): 6 → pass",
        "Bob falls",
    ]
