"""What an order leaves open is filled in, and what cannot be done is refused for the true reason."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.cli.battle.options import find_params
from battletape.errors import MissingInput
from tests.diceless40k.battles import battle, do, end, unit


def waiting() -> Battle:
    """Vigil's first turn in which a squad is due from reserve."""
    one = battle([unit("Combat squad", reserve=True)], [unit("Ork Boyz")])
    while one.refusal("reserves") is not None:
        end(one)
    return one


@pytest.mark.clause("DL-94.1", "DL-94.2")
def test_reserves_without_inputs_are_called_as_they_are_offered():
    one = waiting()
    assert "reserves" in {option.action.name for option in one.legal()}
    assert find_params(one, "reserves", ()) == {}
    do(one, "reserves", **find_params(one, "reserves", ()))
    assert one.state.reserves_called


@pytest.mark.clause("DL-94.2")
def test_an_order_to_arrive_without_a_name_arrives_with_the_only_unit_that_was_called():
    one = waiting()
    do(one, "reserves")
    do(one, "arrive")
    made: Any = one.moves[-1].params
    assert made.unit == "Combat squad"
    assert one.state.field.position("Combat squad").where == "table"


@pytest.mark.clause("DL-24.1", "DL-6.1")
def test_the_only_group_of_a_unit_need_not_be_named_and_is_written_into_the_file():
    one = battle([unit("Combat squad")], [unit("Ork Boyz", "Mob", models=9, groups=[])])
    (group,) = one.state.squad("Mob").groups
    do(one, "lose_hp", unit="mob", hp=1)
    made: Any = one.moves[-1].params
    assert made.group == group.name
    assert one.state.squad("Mob").groups[0].hp_left == group.hp_left - 1
    do(one, "change_body", unit="Mob", wounds=2, toughness=3)
    assert f"group={group.name}" in one.text.splitlines()[-2]
    with pytest.raises(MissingInput, match="lose_hp needs group"):
        do(one, "lose_hp", unit="Combat squad", hp=1)
