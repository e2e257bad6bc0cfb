"""The steps of every question that does harm also say what stops it: armour, cover, toughness."""

from __future__ import annotations

from typing import Any

import pytest

import battletape as bt
from battletape import registry


def _steps(system: str, question: str, **given: Any) -> list[tuple[str, str]]:
    return [(step.title, step.needed) for step in bt.ruleset(system).ask(question, **given).steps]


CATO = {"attacker": "Brother Cato", "weapon": "Astartes Bolter (Godwyn)", "target": "Raider"}
MARINES = {"unit": "Grey Lantern brothers", "models": ["line 2 at 0,7 spacing 1 name=Ash", "Scout at 6,6 side=friend"]}
TOUGH, ARMOUR = "Strength 4 against Toughness 4", "Armour of 3+, -1 by the weapon"


@pytest.mark.parametrize(
    ("system", "question", "given", "step"),
    [
        ("attack_dice", "attack", {"armour": 5}, ("Armour saves on a D10 (0 to 9, 0 fails)", "7+ to match 5+ on a D6")),
        ("attack_dice", "attack", {"armour": 5, "ap": 4}, ("Armour 5+ is denied by AP 4+", "no save")),
        ("vehicles5", "shoot", {"guns": ["Lascannon facing=rear"], "vehicle": "anvil"},
         ("Lascannon: penetration on a D6", "glance 1, penetrate 2+ against armour 10")),
        ("vehicles5", "explosion", {"models": [{"unit": "Harbour watch", "distance": 1}]},
         ("Harbour watch: to wound on a D6", "4+ against Toughness 3")),
        ("deathwatch", "shoot", CATO, ("Taken off each hit: 3 (armour 4 less penetration 5, toughness 3)", "")),
        ("deathwatch", "fire_mode", CATO, ("Taken off each hit: 3 (armour 4 less penetration 5, toughness 3)", "")),
        ("deathwatch", "horde_attacks", {"horde": "Raider mob", "target": "Brother Cato"},
         ("Taken off each hit: head 16, arm 16, body 18, leg 16 (armour 8 to 10, toughness 8)", "")),
        ("deathwatch", "horde", {"weapon": "Astartes Bolter (Godwyn)", "horde": "Raider mob"},
         ("Taken off each hit: 3 (armour 4 less penetration 5, toughness 3)", "")),
        ("deathwatch", "duel", {"b_profile": "Warlord Gharn", "rounds": 1},
         ("Taken off each hit on B: 12 (armour 6 less penetration 4, toughness 10)", "")),
        ("deathwatch", "burning", {"tb": 4}, ("Taken off the fire: 4 (toughness; armour does not help)", "")),
        ("second_edition", "shoot", {"weapon": "Boltgun", "unit": "Grey Lantern brothers"}, (ARMOUR, "4+")),
        ("second_edition", "blast", {"weapon": "Missile launcher, frag", **MARINES}, (TOUGH, "4+")),
        ("second_edition", "blast", {"weapon": "Missile launcher, frag", **MARINES}, (ARMOUR, "4+")),
        ("second_edition", "blast", {"weapon": "Missile launcher, frag", **MARINES},
         ("A friend: Strength 4 against Toughness 3", "3+")),
        ("second_edition", "template", {"weapon": "Flamer", **MARINES}, (TOUGH, "4+")),
        ("second_edition", "burning", {"weapon": "Flamer", "unit": "Mud clan"}, (TOUGH, "4+")),
    ],
)  # fmt: skip
def test_a_step_says_what_stops_it(system: str, question: str, given: dict[str, Any], step: tuple[str, str]) -> None:
    assert step in _steps(system, question, **given)


def test_a_step_is_listed_once() -> None:
    automatic = [title for title, _ in _steps("attack_dice", "attack", power=20, defence=0, armour=5, ap=3)]
    assert automatic.count("Armour 5+ is denied by AP 3+") == 1


def test_log_and_typed_questions_say_why_a_save_needs_more_on_a_d10() -> None:
    rolled = bt.ruleset("attack_dice").roll("attack", attacks=12, power=6, defence=4, armour=5, seed=2)
    assert any("Armour saves (needs 7+ to match 5+ on a D6)" in line.text for line in rolled.log)
    on_d6 = bt.ruleset("attack_dice").roll("attack", attacks=12, power=6, defence=4, armour=5, dice="d6", seed=2)
    assert any("Armour saves (needs 5+):" in line.text for line in on_d6.log)


QUESTIONS = [(system, question.name) for system in registry.names() for question in bt.ruleset(system).questions]


@pytest.mark.parametrize(("system", "question"), QUESTIONS)
def test_no_step_of_an_example_needs_a_bare_number(system: str, question: str) -> None:
    """A die needs 3+, or 68 or less: a number alone says neither."""
    card = bt.ruleset(system)
    steps = card.ask(question, **card.question(question).example).steps
    assert [step for step in steps if step.needed.isdigit()] == []
