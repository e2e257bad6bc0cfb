"""Input at its limits: texts of a form, the largest question, and errors that name their field."""

from __future__ import annotations

import pytest

from battletape import BadInput, ruleset
from battletape.errors import UnknownName

SYSTEM = ruleset("attack_dice")


def test_an_unknown_measure_gets_the_nearest_one():
    with pytest.raises(
        UnknownName, match=r"^attack: there is no measure 'casualty'. Did you mean 'casualties'\? Known: "
    ):
        SYSTEM.ask("attack").odds("casualty")


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
