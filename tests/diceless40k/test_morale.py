"""Morale: lost assaults, no retreat, falling back, regrouping."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.errors import BadInput, UnknownName
from battletape.rulesets.diceless40k.rules import morale
from battletape.rulesets.diceless40k.rules.casualties import Target, resolve
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.leadership import threshold
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors

MARINE = Group("Marines", 5, 40, armour=3)


@pytest.mark.clause("DL-8.1")
@pytest.mark.parametrize(("before", "removed", "tests"), [(10, 2, False), (10, 3, True), (4, 1, True), (5, 0, False)])
def test_a_quarter_lost_in_a_phase_wants_a_test(before: int, removed: int, tests: bool):
    assert morale.must_check(before, removed) == tests


@pytest.mark.clause("DL-8.2")
def test_below_half_the_ld_is_one_lower_but_for_the_stubborn():
    assert [morale.ld_modifier(left, 10) for left in (10, 5, 4)] == [0, 0, -1]
    assert morale.ld_modifier(4, 10, stubborn=True) == 0


@pytest.mark.clause("DL-8.2", "DL-44.4")
def test_what_a_unit_has_left_counts():
    sergeant = Group("Sergeant", 1, 40, ld=9, rules=("reroll_leadership",))
    mad = Group("Mad", 3, 40, rules=("fearless",))
    assert morale.best_ld((sergeant, MARINE)) == 9
    assert morale.best_ld((replace(sergeant, models=0), MARINE)) == 8
    assert morale.may_reroll_ld((sergeant, MARINE))
    assert not morale.may_reroll_ld((replace(sergeant, models=0), MARINE))
    assert morale.is_fearless((mad, replace(MARINE, models=0)))
    assert not morale.is_fearless((mad, MARINE))


@pytest.mark.clause("DL-44.1")
@pytest.mark.parametrize(("given", "expect"), vectors("assault_result"))
def test_the_results_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    outcome = morale.assault_result((given["hp_lost_a"], given["hp_lost_b"]))
    assert {"loser": None if outcome.loser is None else "AB"[outcome.loser], "difference": outcome.difference} == expect


@pytest.mark.clause("DL-44.1")
def test_equal_losses_have_no_loser():
    assert morale.assault_result((30, 30)) == morale.AssaultOutcome(None, 0)


@pytest.mark.clause("DL-44.1", "DL-44.2", "DL-44.3")
@pytest.mark.parametrize(("given", "expect"), vectors("lost_assault_test"))
def test_the_lost_assaults_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    extra = morale.extra_wounds(given.get("winner_extra_wounds", 0), given.get("loser_average_toughness", 0))
    outcome = morale.assault_result((given["hp_lost_by_loser"], given["hp_lost_by_winner"]), (0, extra))
    tested = morale.take_lost_assault_test(given["op_before"], given["ld"], outcome.difference, given["reroll"])
    assert {"difference": outcome.difference, "op_after": tested.op, "passed": tested.passed} == expect


@pytest.mark.clause("DL-44.1")
@pytest.mark.parametrize(
    ("op", "difference", "after", "passed"), [(0, 40, 65, True), (50, 69, 144, True), (50, 70, 145, False)]
)
def test_25_and_the_difference(op: int, difference: int, after: int, passed: bool):
    tested = morale.take_lost_assault_test(op, 8, difference)
    assert (tested.op, tested.passed) == (after, passed)


@pytest.mark.clause("DL-44.1")
def test_the_difference_alone_by_ruling():
    tested = morale.take_lost_assault_test(50, 8, 70, rulings=Rulings(lost_assault="difference"))
    assert (tested.op, tested.passed) == (120, True)


@pytest.mark.clause("DL-44.1", "DL-8.3")
def test_a_leader_adds_25_to_his_own_track():
    tested = morale.take_lost_assault_test(60, 10, 64, leader_op=30)
    assert (tested.op, tested.leader_op, tested.passed) == (149, 55, True)
    own = Rulings(character_compares="own")
    assert morale.take_lost_assault_test(150, 10, 64, leader_op=30, rulings=own).passed
    assert not morale.take_lost_assault_test(150, 10, 64, leader_op=30).passed


@pytest.mark.clause("DL-44.3")
def test_a_wound_is_ten_times_the_average_toughness():
    assert morale.extra_wounds(2, 4) == 80
    assert morale.extra_wounds(1, Fraction(9, 2)) == 45
    assert morale.extra_wounds(1, Fraction(425, 100)) == 43  # 42.5, half up
    mixed = (Group("a", 3, 40, toughness=4), Group("b", 1, 50, toughness=5))
    assert morale.average_toughness(mixed) == Fraction(17, 4)
    assert morale.average_toughness(()) == 0
    each, majority = Rulings(combat_wounds="each"), Rulings(combat_wounds="majority")
    assert [morale.extra_wounds(3, Fraction(17, 4), rules) for rules in (Rulings(), each)] == [
        128,
        129,
    ]  # 127.5, and 3 × 43
    assert morale.average_toughness(mixed, majority) == 4


@pytest.mark.clause("DL-44.4")
@pytest.mark.parametrize(("given", "expect"), vectors("no_retreat"))
def test_no_retreat_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group("Mad", 1, 1000, armour=given["armour"], invulnerable=given["invulnerable"])
    packet = morale.no_retreat(given["difference"])
    kinds = [given[kind] for kind in ("armour", "invulnerable") if given[kind] is not None]
    tape = Script(*(["invulnerable"] if len(kinds) == 2 else []))
    after = resolve(tape, Target((group,), cover=given["cover"]), packet)
    assert tape.used_up
    assert {"dmg": packet.dmg, "hp_lost": after.losses.hp} == expect


@pytest.mark.clause("DL-44.4")
@pytest.mark.parametrize(("difference", "armour", "hp"), [(22, 3, 7), (110, 6, 91), (40, None, 40)])
def test_armour_always_helps_who_cannot_retreat(difference: int, armour: int | None, hp: int):
    group = Group("Mad", 9, 40, armour=armour)
    assert resolve(Script(), Target((group,)), morale.no_retreat(difference)).losses.hp == hp


@pytest.mark.clause("DL-45.1", "DL-52.1", "DL-53.1", "DL-54.1")
@pytest.mark.parametrize(("given", "expect"), vectors("fall_back_distance"))
def test_the_falls_back_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert morale.fall_back_inches(given["unit_type"]) == expect["inches"]


@pytest.mark.clause("DL-45.1", "DL-52.1", "DL-53.1", "DL-54.1")
@pytest.mark.parametrize(
    ("unit_type", "inches"),
    [
        ("infantry", 7),
        ("monstrous_creature", 7),
        ("artillery", 7),
        ("jump_infantry", 10),
        ("bike", 10),
        ("jetbike", 10),
        ("beast", 10),
        ("cavalry", 10),
    ],
)
def test_faster_types_fall_back_10_inches(unit_type: str, inches: int):
    assert morale.fall_back_inches(unit_type) == inches


@pytest.mark.clause("DL-45.1")
def test_walkers_do_not_fall_back():
    with pytest.raises(UnknownName, match="no type of unit that falls back 'walker'"):
        morale.fall_back_inches("walker")


@pytest.mark.clause("DL-46.1")
@pytest.mark.parametrize(("given", "expect"), vectors("regroup"))
def test_the_regroupings_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    after = morale.regroup(given["op_before"], given["model_lds"], given["test_ld"], given["reroll"])
    assert {
        "subtracted": after.subtracted,
        "op_after": after.op,
        "threshold": after.threshold,
        "passed": after.passed,
    } == expect


@pytest.mark.clause("DL-46.1")
@pytest.mark.parametrize(
    ("op", "lds", "ld", "reroll", "after", "passed"),
    [
        (150, (8,) * 5, 8, False, 110, True),
        (184, (8,) * 5, 8, False, 144, True),
        (185, (8,) * 5, 8, False, 145, False),
        (30, (8,) * 5, 8, False, 0, True),
        (193, (10,), 10, False, 183, True),
        (235, (7,) * 10, 7, True, 165, True),
    ],
)
def test_regrouping_takes_the_ld_of_every_model_off(op, lds, ld, reroll, after, passed):
    result = morale.regroup(op, lds, ld, reroll)
    assert (result.op, result.passed, result.threshold) == (after, passed, threshold(ld, reroll))


@pytest.mark.clause("DL-46.1")
def test_the_25_of_a_regrouping_by_ruling():
    rules = Rulings(regroup="plus_25")
    assert morale.regroup(159, (8,) * 5, 8, rulings=rules).op == 144
    assert morale.regroup(159, (8,) * 5, 8, rulings=rules).passed
    assert not morale.regroup(160, (8,) * 5, 8, rulings=rules).passed
    assert morale.regroup(10, (8,) * 5, 8, rulings=rules).op == 25


@pytest.mark.clause("DL-46.1")
def test_the_subtraction_stays_when_the_attempt_fails():
    first = morale.regroup(230, morale.lds_of((MARINE,)), 8)
    assert (first.op, first.passed) == (190, False)
    second = morale.regroup(first.op, morale.lds_of((MARINE,)), 8)
    assert (second.op, second.passed) == (150, False)
    assert morale.regroup(second.op, morale.lds_of((MARINE,)), 8).passed


@pytest.mark.clause("DL-46.1")
def test_who_may_not_regroup_is_told_why():
    assert morale.refuse_regroup(5, 10, 7) is None
    assert morale.refuse_regroup(5, 10) is None
    assert str(morale.refuse_regroup(4, 10, 20)) == "half of the unit must be left to regroup: 4 of 10 are (DL-46.1)"
    assert str(morale.refuse_regroup(5, 10, 6)) == (
        'an enemy stands 6" away; a unit regroups with no enemy within 6" (DL-46.1)'
    )
    assert str(morale.refuse_regroup(5, 10, 20, coherent=False)) == "a unit regroups only in coherency (DL-46.1)"
    assert str(morale.refuse_regroup(0, 10)) == "nobody is left to regroup (DL-46.1)"
    with pytest.raises(BadInput, match="order points are 0 or more; got -1"):
        morale.regroup(-1, (8,), 8)
