"""What an order leaves open is filled in, and what cannot be done is refused for the true reason."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.cli.battle.options import find_params
from battletape.errors import BattletapeError, MissingInput
from tests.diceless40k.battles import battle, do, end, refused, unit


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
    assert one.state.squad("Combat squad").where == "table"


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


@pytest.mark.parametrize("said", ["boyz", "Ork Boyz", "ork boyz"])
def test_a_unit_of_the_other_side_is_refused_by_its_turn_also_by_a_short_name(said):
    one = battle([unit("Combat squad")], [unit("Ork Boyz")])
    refused(one, "move", "DL-0.1", "it is the turn of Vigil; Ork Boyz belongs to Horde", unit=said, inches=3)


@pytest.mark.parametrize(
    ("action", "clause", "reason", "given"),
    [
        ("move", "DL-0.1", "Rhino is a vehicle; it uses drive", {"unit": "Rhino"}),
        ("drive", "DL-0.1", "Squad is no vehicle; it uses move", {"unit": "Squad"}),
        ("ram", "DL-0.1", "Boyz is no vehicle; tanks drive through it", {"unit": "Rhino", "target": "Boyz"}),
        ("tank_shock", "DL-0.1", "Trukk is a vehicle; tanks ram it", {"unit": "Rhino", "target": "Trukk"}),
        ("embark", "DL-0.1", "Boyz is no vehicle that a unit could get into", {"unit": "Squad", "machine": "Boyz"}),
        ("join", "DL-8.3", "Vigil has no independent character left", {}),
        ("cast", "DL-50.1", "Vigil has no psyker left", {}),
        ("cast", "DL-50.1", "Squad is no psyker", {"unit": "Squad"}),
        ("arrive", "DL-94.2", "no unit of Vigil arrives now", {}),
        ("arrive", "DL-94.2", "Squad does not arrive now", {"unit": "Squad"}),
        ("outflank", "DL-94.2", "no unit of Vigil arrives now", {}),
        ("lose_hp", "DL-0.1", "Rhino is a vehicle; write its damage by mark_line", {"unit": "Rhino"}),
        ("mark_line", "DL-0.1", "Squad is no vehicle; write its damage by lose_hp", {"unit": "Squad"}),
        ("fight", "DL-38.1", "fights are fought in the Assault phase", {}),
        ("go_to_ground", "DL-20.1", "units go to ground in the enemy's Shooting phase", {}),
        ("regroup", "DL-46.1", "Squad is not falling back", {"unit": "Squad"}),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_would_do(action, clause, reason, given):
    squad, boyz = unit("Combat squad", "Squad"), unit("Ork Boyz", "Boyz")
    one = battle([squad], [boyz], [unit("Rhino")], [unit("Trukk")])
    refused(one, action, clause, reason, **given)


@pytest.mark.clause("DL-38.1", "DL-63.1")
def test_in_the_assault_phase_an_order_without_names_is_refused_if_nothing_could_be_named():
    one = battle([unit("Combat squad")], [unit("Ork Boyz")])
    end(one, 2)
    refused(one, "fight", "DL-38.1", "no fight is left to be fought in this phase")
    refused(one, "assault_vehicle", "DL-0.1", "Horde has no vehicle left")


@pytest.mark.clause("DL-38.1", "DL-63.1", "DL-63.4")
def test_a_charge_at_the_wrong_kind_of_vehicle_names_the_right_action_before_the_distance():
    one = battle([unit("Combat squad", "Squad")], horde_vehicles=[unit("Trukk"), unit("Deff Dread", "Dread")])
    end(one, 2)
    refused(one, "charge", "DL-63.1", "Trukk is a vehicle; use assault_vehicle", unit="Squad", target="Trukk")
    refused(one, "assault_vehicle", "DL-63.4", "charge it and fight", unit="Squad", target="Dread")


@pytest.mark.clause("DL-50.1")
def test_a_power_of_another_phase_is_refused_while_others_may_be_used():
    one = battle([unit("Gate-walker Corven", "Corven")], [unit("Ork Boyz", "Boyz")])
    powers = [*one.state.squad("Corven").powers, "Vortex"]
    refused(one, "cast", "DL-0.1", "Vortex belongs to the shooting phase", unit="Corven", power="vortex", target="Boyz")
    end(one)
    gate = {"unit": "Corven", "power": "Gate of Infinity", "gate_zone": "neutral"}
    refused(one, "cast", "DL-0.1", "gate of infinity belongs to the movement phase", **gate)
    with pytest.raises(BattletapeError, match="no power or weapon of Corven 'Doom'"):
        do(one, "cast", unit="Corven", power="Doom")
    assert "gate_of_infinity" in powers


@pytest.mark.clause("DL-45.1", "DL-8.3")
def test_a_character_that_flees_with_a_unit_does_as_the_unit_does():
    from msgspec.structs import replace

    one = battle(
        [unit("Combat squad", "Squad"), unit("Librarian Osric Vale", "Osric", joined="Squad")], [unit("Grots")]
    )
    fled = [replace(one.state.squad(name), falling_back=True) for name in ("Squad", "Osric")]
    one.trust(0, one.state.with_units(*fled))
    for action, clause in (("fall_back", "DL-45.1"), ("regroup", "DL-46.1")):
        refused(one, action, clause, "Osric is with Squad and does as it does", unit="Osric")
