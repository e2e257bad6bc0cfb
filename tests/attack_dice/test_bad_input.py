"""Bad input through the library: what was asked, what came and what would do, word for word."""

from __future__ import annotations

from typing import Any

import pytest

from battletape import BadInput, ruleset
from battletape.errors import BattletapeError, UnknownName

SYSTEM = ruleset("attack_dice")


def said(question: str = "attack", **given: Any) -> str:
    with pytest.raises(BattletapeError) as bad:
        SYSTEM.ask(question, **given)
    return str(bad.value)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"armour": 9}, "armour must be a save from 2+ to 6+, or none; got 9."),
        ({"armour": "9+"}, "armour must be a save from 2+ to 6+, or none; got '9+'."),
        ({"aegis": 1}, "aegis must be a save from 2+ to 6+, or none; got 1."),
        ({"ap": 7}, "ap must be a save from 2+ to 6+, or none; got 7."),
        ({"attacks": 0}, "attacks must be a whole number from 1 to 1,000; got 0."),
        ({"attacks": 1_000_000}, "attacks must be a whole number from 1 to 1,000; got 1000000."),
        (
            {"attacks": 1_000, "bearers": 1_000},
            "attacks times bearers must make 1,000 dice or fewer in one pool, got 1,000,000.",
        ),
        ({"power": -1}, "power must be a whole number from 0 to 100; got -1."),
        ({"power": "six"}, "power must be a whole number from 0 to 100; got 'six'."),
        ({"defence": 2.5}, "defence must be a whole number from 0 to 100; got 2.5."),
        ({"models": True}, "models must be a whole number from 1 to 1,000; got True."),
        ({"hp": None}, "hp must be a whole number from 1 to 1,000; got nothing."),
        ({"others": [2, 0]}, "others must be whole numbers from 1 to 1,000 with commas between them; got [2, 0]."),
        ({"lost": 5}, "lost must be fewer than the unit's 5 HP; got 5."),
        ({"cover": -1}, "cover must be a whole number from 0 to 15; got -1."),
        ({"modifier": 21}, "modifier must be a whole number from -20 to 20; got 21."),
        ({"distance": -3}, "distance must be a whole number from 0 to 1,000, or none; got -3."),
        ({"line_of_sight": "perhaps"}, "line_of_sight must be yes or no; got 'perhaps'."),
        ({"facing": "up"}, "facing must be one of none, front, side, rear; got 'up'."),
        ({"dice": "d12"}, "dice must be one of d10, dual, d6; got 'd12' (AD-3)."),
        ({"method": 3}, "method must be one of chart, formula; got 3 (AD-4)."),
    ],
)
def test_a_value_that_does_not_fit(given: dict[str, Any], sentence: str):
    assert said(**given) == sentence


def test_an_unknown_input_gets_the_nearest_one_or_a_few():
    assert said(atacks=3) == "attack has no input 'atacks'. Did you mean attacks?"
    assert said(modifier_polcy="spill") == "attack has no input 'modifier_polcy'. Did you mean modifier_policy?"
    assert said("chart", attacks=3).startswith("chart has no input 'attacks'.")
    assert said(zzzz=1).startswith("attack has no input 'zzzz'. It takes ")


def test_an_unknown_question_or_measure_gets_the_nearest_one():
    assert said("atack") == (
        "attack_dice: there is no question 'atack'. Did you mean 'attack'? Known: attack, volley, chart."
    )
    with pytest.raises(
        UnknownName, match=r"^attack: there is no measure 'casualty'. Did you mean 'casualties'\? Known: "
    ):
        SYSTEM.ask("attack").odds("casualty")


def test_a_bad_weapon_of_a_volley_is_told_by_its_number():
    assert said("volley", weapons=[]) == "weapons needs one profile or more; got none."
    assert said("volley", weapons="none") == "weapons needs one profile or more; got none."
    assert said("volley", weapons=[{"power": 4}, {"powr": 4}]) == (
        "weapons 2: there is no input 'powr' here. Did you mean power?"
    )
    assert said("volley", weapons="power=4; ap=1") == "weapons 2: ap must be a save from 2+ to 6+, or none; got '1'."
    assert said("volley", weapons="power=4 7") == "weapons: an entry needs name=value pairs; got 'power=4 7'"
    assert said("volley", weapons=["0 x Yew bow"]) == (
        "weapons 1: bearers must be a whole number from 1 to 1,000; got 0."
    )
    assert said("volley", weapons=[3]).startswith(
        "weapons must be “4 x NAME” for four of a weapon profile, or entries such as “"
    )
    assert said("volley", weapons=[{"attacks": 1_000, "bearers": 3}]) == (
        "attacks times bearers must make 1,000 dice or fewer in one pool, got 3,000."
    )


def test_the_error_names_its_field():
    with pytest.raises(BadInput) as bad:
        SYSTEM.ask("attack", armour=9)
    assert bad.value.field == "armour"


def test_texts_of_a_form_are_understood():
    typed = SYSTEM.ask("attack", attacks="1,0", power=" 6 ", armour="5+", aegis="none", line_of_sight="yes", dice="D10")
    assert typed.inputs.attacks == 10
    assert (typed.inputs.power, typed.inputs.armour, typed.inputs.aegis) == (6, 5, None)
    assert typed.rulings.dice == "d10"


def test_the_largest_question_that_is_allowed_is_answered():
    answer = SYSTEM.ask("attack", attacks=500, bearers=2, power=4, defence=4, models=1_000, hp=1)
    assert answer.odds("damage").mean == 500
    assert sum(answer.odds("casualties").fractions().values()) == 1
