"""The 31 actions, what each costs, and what a turn holds."""

from __future__ import annotations

import pytest

from battletape.errors import BadInput
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.actions import ACTIONS as PLAYED
from battletape.rulesets.deathwatch.rules import actions
from battletape.rulesets.deathwatch.rules.actions import ACTIONS, cost_of, find_action
from battletape.rulesets.deathwatch.rules.conditions import Conditions, turn_allowance
from battletape.rulesets.deathwatch.rulings import Rulings


@pytest.mark.clause("DW-ACT-00")
def test_there_are_31_actions_each_with_a_clause_and_a_way_to_play_it():
    assert len(ACTIONS) == 31
    names = {one.name for one in PLAYED}
    for row in ACTIONS:
        assert row.clause in RULESET.clauses.by_id, row
        assert row.played_by == "within attacks" if row.cost == "Reaction" else row.played_by in names, row
    assert [row.name for row in ACTIONS] == sorted((row.name for row in ACTIONS), key=str.lower)


@pytest.mark.clause("DW-ACT-00")
def test_the_actions_are_a_printed_table():
    (table,) = (one for one in RULESET.tables() if one.title == "Combat actions")
    assert len(table.rows) == 31
    assert table.rows[4] == ("Charge", "Full", "Attack, Melee, Movement", "strike")


@pytest.mark.clause("DW-ACT-00", "DW-ACT-FOCUS-POWER")
@pytest.mark.parametrize(
    "written, cost",
    [
        ("Aim (half)", "Half"),
        ("Aim (full)", "Full"),
        ("aim", "Half"),
        ("Dodge", "Reaction"),
        ("Reload", "Full"),
        ("Focus Power", "Half"),
        ("Focus Power (full)", "Full"),
        ("Use a Skill (half)", "Half"),
        ("Clear a Jam", "Full"),
        ("Stand/Mount", "Half"),
        ("Stand/Mount (full)", "Full"),
        ("Standard Attack", "Half"),
        ("Run", "Full"),
    ],
)
def test_an_action_costs_what_the_table_says_or_what_its_use_does(written, cost):
    assert cost_of(written) == cost


@pytest.mark.clause("DW-ACT-00")
def test_an_unknown_action_is_refused_with_the_nearest_name():
    with pytest.raises(BadInput, match=r"DW-ACT-00.*Charge"):
        find_action("Chargge")


@pytest.mark.clause("DW-ECON-1", "DW-ECON-2")
@pytest.mark.parametrize(
    "turn, reason",
    [
        (["Feint", "Standard Attack"], None),
        (["Aim (half)", "Standard Attack"], None),
        (["Move (half)", "Dodge", "Standard Attack"], None),
        (["All Out Attack"], None),
        (["Standard Attack", "Standard Attack"], "same Half Action twice"),
        (["Move (half)", "move (half)"], "same Half Action twice"),
        (["Full Auto Burst", "Move (half)"], "more than one Full Action worth"),
        (["Aim (half)", "Move (half)", "Ready"], "more than one Full Action worth"),
        (["Charge", "Run"], "more than one Full Action worth"),
    ],
)
def test_a_turn_holds_one_full_action_or_two_different_half_ones(turn, reason):
    found = actions.refuse_turn(turn)
    assert (found.reason if found else None) == reason


@pytest.mark.clause("DW-ECON-2")
def test_a_ruling_allows_one_attack_a_turn():
    turn = ["Feint", "Standard Attack"]
    assert actions.refuse_turn(turn, Rulings(half_actions="all_different")) is None
    found = actions.refuse_turn(turn, Rulings(half_actions="one_attack"))
    assert found is not None
    assert found.reason == "more than one Attack action"
    assert actions.refuse_turn(["Aim (half)", "Standard Attack"], Rulings(half_actions="one_attack")) is None


@pytest.mark.clause("DW-PIN-1", "DW-STUN-1", "DW-ECON-1")
def test_conditions_take_actions_away_and_say_so():
    pinned, stunned = turn_allowance(Conditions(pinned=True)), turn_allowance(Conditions(stunned=2))
    found = actions.refuse_cost("Cato", (), "Run", pinned)
    assert found is not None
    assert found.clause == "DW-PIN-1"
    assert "Half Action" in found.reason
    assert actions.refuse_cost("Cato", (), "Move (half)", pinned) is None
    again = actions.refuse_cost("Cato", ("Aim (half)",), "Move (half)", pinned)
    assert again is not None
    assert again.clause == "DW-PIN-1"
    nothing = actions.refuse_cost("Cato", (), "Ready (free)", stunned)
    assert nothing is not None
    assert nothing.clause == "DW-STUN-1"
    assert "2 rounds" in nothing.reason


def test_extra_actions_are_in_no_row():
    assert not set(actions.COST_OUTSIDE_TABLE) & {row.name for row in ACTIONS}
