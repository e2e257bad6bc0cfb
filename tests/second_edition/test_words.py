"""Sentences: who is in danger besides the enemy, and refusals that help."""

from __future__ import annotations

from typing import Any

import pytest

from battletape import BadInput, ruleset
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


@pytest.mark.parametrize(
    ("question", "given", "told"),
    [
        ("shoot", {"toughness": 31}, "toughness must be a whole number from 0 to 30, or none; got 31"),
        ("shoot", {"shots": 0}, "shots must be a whole number from 1 to 200; got 0"),
        ("shoot", {"save": 1}, r"save must be a save from 2\+ to 6\+, or none; got 1"),
        ("shoot", {"lost": 2, "wounds": 2}, "lost must be fewer than the model's 2 wounds; got 2"),
        ("shoot", {"weapon": "Bulgun"}, "Did you mean 'Boltgun'"),
        ("shoot", {"armour": "Mehs"}, "Did you mean 'Mesh'"),
        ("sustained", {"sustained": 0}, "sustained must be a whole number from 1 to 10; got 0"),
        ("force_weapon", {"mastery": 5}, "mastery must be a whole number from 0 to 4; got 5"),
    ],
)
def test_what_does_not_fit_is_a_sentence(question: str, given: dict[str, Any], told: str):
    with pytest.raises(BadInput, match=told):
        SYSTEM.ask(question, **given)
