"""Fatigue, stun and the other conditions: what they cost, and how they pass."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape.rulesets.deathwatch.rules import conditions
from battletape.rulesets.deathwatch.rules.attack.modifiers import fatigue_modifier
from battletape.rulesets.deathwatch.rules.attack.records import body_of
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, NOTHING, Conditions
from battletape.rulesets.deathwatch.rules.d100_tests import roll_success
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.tape.script import Script

PER_LEVEL = Rulings(fatigue_penalty="per_level")


@pytest.mark.clause("DW-FAT-1")
@pytest.mark.parametrize(
    ("tb", "fatigue", "minutes"), [(4, 0, 0), (4, 1, 0), (4, 4, 0), (4, 5, 6), (8, 9, 2), (12, 13, 0), (0, 1, 10)]
)
def test_too_much_fatigue_is_sleep(tb: int, fatigue: int, minutes: int):
    assert conditions.add_fatigue(NOTHING, fatigue, tb).unconscious == minutes


@pytest.mark.clause("DW-FAT-1")
def test_fatigue_by_level_is_a_ruling():
    assert [fatigue_modifier(levels, PER_LEVEL) for levels in range(4)] == [0, -10, -20, -30]
    assert [fatigue_modifier(levels) for levels in range(4)] == [0, -10, -10, -10]


@pytest.mark.clause("DW-FAT-1", "DW-FAT-2")
def test_too_much_fatigue_fells_him_and_he_wakes_with_his_bonus():
    tired = conditions.add_fatigue(NOTHING, 4, 4)
    assert tired == Conditions(fatigue=4)
    out = conditions.add_fatigue(tired, 1, 4)
    assert out == Conditions(fatigue=5, unconscious=6, prone=True) == conditions.add_fatigue(NOTHING, 20, 4)
    assert conditions.wake(out, 4) == Conditions(fatigue=4, prone=True)
    assert conditions.wake(Conditions(fatigue=2), 4) == Conditions(fatigue=2)
    assert conditions.add_fatigue(tired, 0, 4) is tired
    # nobody of a bonus of 10 or more sleeps, but he drops and loses his next turn
    assert conditions.add_fatigue(NOTHING, 13, 12) == Conditions(fatigue=12, prone=True, stunned=1)


@pytest.mark.clause("DW-FAT-3")
def test_rest():
    assert [conditions.fatigue_after_rest(12, hours) for hours in (0, 0.9, 1, 7, 7.5, 8, 20)] == [
        12,
        12,
        11,
        5,
        5,
        0,
        0,
    ]
    assert conditions.fatigue_after_rest(2, 5) == 0


@pytest.mark.clause("DW-STUN-1")
def test_the_longer_stun_counts_and_passes_at_the_end_of_his_turns():
    stunned = conditions.stun(conditions.stun(NOTHING, 3), 2)
    assert stunned.stunned == 3
    allowed = conditions.turn_allowance(stunned)
    assert allowed[:3] == (False, 0, "")
    assert (allowed.clause, allowed.reason) == ("DW-STUN-1", "it is stunned for 3 rounds and has no actions")
    for left in (2, 1, 0, 0):
        stunned = conditions.end_turn(stunned)
        assert stunned.stunned == left
    assert conditions.turn_allowance(stunned) == conditions.TurnAllowance(True, 2)


@pytest.mark.clause("DW-COND-HELPLESS")
def test_the_helpless():
    for one in (Conditions(immobilised=True), Conditions(unconscious=6)):
        assert conditions.is_helpless(one)
    for one in (NOTHING, Conditions(stunned=3, prone=True)):
        assert not conditions.is_helpless(one)


@pytest.mark.clause("DW-COND-HELPLESS", "DW-PIN-1")
def test_what_a_turn_holds():
    assert conditions.turn_allowance(Conditions(immobilised=True))[:3] == (True, 0, "escape")
    assert conditions.turn_allowance(Conditions(unconscious=2))[:3] == (False, 0, "")
    assert conditions.turn_allowance(Conditions(pinned=True))[:3] == (False, 1, "")
    assert conditions.turn_allowance(Conditions(half_actions=1))[:3] == (False, 1, "")
    assert conditions.turn_allowance(Conditions(on_fire=True), screaming=True)[:3] == (True, 0, "run")
    assert conditions.turn_allowance(Conditions(on_fire=True))[:3] == (True, 2, "")
    clauses = {conditions.turn_allowance(one).clause for one in (Conditions(pinned=True), Conditions(unconscious=1))}
    assert clauses == {"DW-PIN-1", "DW-FAT-1"}


@pytest.mark.clause("DW-COND-BLIND")
def test_the_blind_cannot_shoot():
    refused = conditions.refuse_sight(Conditions(blind=2))
    assert refused is not None
    assert str(refused) == "it is blind for 2 rounds: tests by sight and Ballistic Skill fail (DW-COND-BLIND)"
    assert "blind for good" in str(conditions.refuse_sight(Conditions(blind=FOR_GOOD)))
    assert conditions.refuse_sight(conditions.end_turn(conditions.end_turn(Conditions(blind=2)))) is None


@pytest.mark.clause("DW-CRIT-2")
def test_penalties_of_critical_wounds():
    wounds = Conditions(penalties=(("ag", -20, 3), ("all_but_t", -10, 1), ("right_arm", -30, 1), ("ws", 0, 2)))
    assert conditions.modifiers_of(wounds, "ws") == (Modifier("critical wound", -10, "DW-CRIT-2"),)
    assert sum(modifier.value for modifier in conditions.modifiers_of(wounds, "ws", "right_arm")) == -40
    assert sum(modifier.value for modifier in conditions.modifiers_of(wounds, "ag")) == -30
    assert conditions.modifiers_of(wounds, "t") == ()
    assert conditions.characteristic(wounds, "ws", 45) == 22
    assert conditions.characteristic(wounds, "bs", 45) == 45
    later = conditions.end_turn(wounds)
    assert later.penalties == (("ag", -20, 2), ("ws", 0, 1))
    assert conditions.end_turn(later).penalties == (("ag", -20, 1),)


@pytest.mark.clause("DW-CRIT-2")
def test_limbs_that_no_longer_serve():
    hurt = Conditions(lost=("left_hand",), useless=(("right_leg", 2),))
    assert not conditions.can_use(hurt, "left_arm")
    assert conditions.can_use(hurt, "right_arm")
    assert not conditions.can_use(hurt, "right_leg")
    assert conditions.is_slowed(hurt)
    assert not conditions.is_slowed(conditions.end_turn(conditions.end_turn(hurt)))
    assert conditions.is_slowed(Conditions(lost=("right_foot",)))
    assert conditions.is_slowed(Conditions(slowed=1))
    assert not conditions.can_use(Conditions(lost=("arm",)), "arm")


def test_what_does_not_pass_stays():
    lasting = Conditions(blind=FOR_GOOD, slowed=FOR_GOOD, useless=(("left_arm", FOR_GOOD),), deaf=FOR_GOOD, prone=True)
    assert conditions.end_turn(lasting) == lasting
    assert conditions.end_turn(NOTHING) is NOTHING


def test_a_bare_test_rolls_only_where_it_can_go_both_ways():
    auto = Rulings(auto_results="01_and_00")
    assert roll_success(Script(45), 45, "toughness")
    assert not roll_success(Script(46), 45, "toughness")
    assert roll_success(Script(), 100, "toughness")
    assert not roll_success(Script(), 0, "toughness")
    assert not roll_success(Script(100), 150, "toughness", auto)
    assert roll_success(Script(1), -20, "toughness", auto)


def test_the_rulings_of_a_body():
    rules = Rulings(modifier_cap=30, auto_results="01_and_00", shocking_rounds="half_down")
    assert body_of(8, 45, 40, True, replace(rules, degrees="plus_one")) == conditions.BodyNumbers(
        8, 45, 40, True, rules
    )
    assert body_of(8, 45) == conditions.BodyNumbers(8, 45)
