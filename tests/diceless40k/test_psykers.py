"""Psykers: tests on their own track, warp tokens, perils of the warp."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.procedure import fold
from battletape.rulesets.diceless40k.rules import psykers
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.best import Best
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors

LIBRARIAN = Group("Librarian", 1, 80, armour=3, ld=10)


def after_test(*answers: Any, psyker: Group = LIBRARIAN, **known: Any) -> psykers.PsychicTest:
    tape = Script(*answers)
    after: psykers.PsychicTest = fold(psykers.PSYCHIC_TEST, tape, psykers.psychic_test(psyker, "Hill", "Dale", **known))
    assert tape.used_up
    return after


@pytest.mark.clause("DL-50.1", "DL-50.2", "DL-SM-56.1")
@pytest.mark.parametrize(("given", "expect"), vectors("psychic_test"))
def test_the_psychic_tests_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    psyker = Group("Librarian", 1, 80, ld=given["ld"])
    after = after_test(psyker=psyker, op=given["psyker_op"], unit_op=given.get("unit_op", 0), hood=given["hood_in_24"])
    assert after.test_result is not None
    seen = {"op_total": after.test_result.op, "passed": after.works, "op_after": after.op}
    if "unit_op_after" in expect:
        seen["unit_op_after"] = after.unit_op
    assert seen == expect


@pytest.mark.clause("DL-50.5", "DL-50.6")
@pytest.mark.parametrize(("given", "expect"), vectors("warp_token"))
def test_the_warp_tokens_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    psyker = Group(
        "Librarian",
        1,
        given["hp_left"],
        armour=given["armour"],
        invulnerable=given["invulnerable"],
        ld=given["ld"],
    )
    answers = ["play" if given["token_used"] else "keep"]
    if given["token_used"]:
        answers.append("push on" if given["push_through"] else "accept")
    after = after_test(*answers, psyker=psyker, op=given["psyker_op"], warp_tokens=given["tokens_held"])
    assert {
        "tokens_left": after.warp_tokens,
        "perils_dmg": after.victim.losses.dmg,
        "hp_left": after.victim.groups[0].front_hp,
        "test_taken": after.test_result is not None,
        "passed": after.test_result.passed if after.test_result else None,
        "op_after": after.op,
    } == expect


@pytest.mark.clause("DL-50.1", "DL-50.2")
def test_ld_10_passes_seven_powers_and_the_eighth_is_a_fresh_start():
    op, passed = 0, []
    for _ in range(9):
        after = after_test(op=op)
        op = after.op
        passed.append(after.works)
    assert (passed, op) == ([True] * 7 + [False, True], 25)
    assert psykers.powers_in_a_row(0, 10) == 7


@pytest.mark.clause("DL-50.1")
def test_a_reroll_uses_the_other_table():
    after = after_test(op=170, reroll=True)
    assert after.test_result is not None
    assert (after.test_result.threshold, after.works) == (199, True)
    assert not after_test(op=170).works


@pytest.mark.clause("DL-50.2")
@pytest.mark.parametrize(("op", "passed", "left"), [(142, True, 167), (143, False, 0)])
def test_the_order_points_of_a_failed_test_go_back_to_nought(op: int, passed: bool, left: int):
    after = after_test(op=op, psyker=Group("Seer", 1, 60, ld=9))
    assert (after.works, after.op) == (passed, left)


@pytest.mark.clause("DL-SM-56.1")
def test_a_hood_adds_50():
    assert (psykers.psychic_points(), psykers.psychic_points(hood=True)) == (25, 50)
    assert psykers.powers_in_a_row(0, 10, hood=True) == 3
    assert after_test(op=150, hood=True).op == 0


@pytest.mark.clause("DL-50.5")
def test_an_accepted_token_cancels_the_power_without_order_points():
    after = after_test("play", "accept", op=50, warp_tokens=2)
    assert (after.cancelled, after.works, after.op, after.warp_tokens, after.token_used) == (True, False, 50, 1, True)
    assert after.test_result is None
    ruled = after_test("play", "accept", op=50, warp_tokens=2, rulings=Rulings(cancelled_test="op"))
    assert (ruled.test_result, ruled.op) == (None, 75)


@pytest.mark.clause("DL-50.5")
def test_one_token_in_a_player_turn():
    assert psykers.refuse_warp_token(1, False) is None
    none, second = psykers.refuse_warp_token(0, False), psykers.refuse_warp_token(2, True)
    assert str(none) == "no warp token is held, so none can be played; the test is taken as usual (DL-50.5)"
    assert second is not None
    assert second.clause == "DL-50.5"
    assert second.reason.startswith("one warp token may be played in a player turn, and it has been; the next one")
    assert after_test(warp_tokens=2, token_used=True).works  # nothing is asked


@pytest.mark.clause("DL-50.6")
@pytest.mark.parametrize(("invulnerable", "hp"), [(None, 50), (4, 25), (5, 33)])
def test_perils_cost_50_and_only_an_invulnerable_save_helps(invulnerable: int | None, hp: int):
    psyker = Group("Seer", 1, 80, armour=2, invulnerable=invulnerable, ld=10, rules=("feel_no_pain",))
    after = after_test("play", "push on", psyker=psyker, warp_tokens=1)
    assert after.victim.losses.hp == hp
    assert (after.warp_tokens, after.token_used, after.works) == (1, True, True)


@pytest.mark.clause("DL-50.6", "DL-SM-57.2")
def test_perils_in_a_null_zone():
    psyker = Group("Seer", 1, 80, invulnerable=5, ld=10)
    assert after_test("play", "push on", psyker=psyker, warp_tokens=1, null_zone=True).victim.losses.hp == 42


@pytest.mark.clause("DL-50.6")
def test_a_psyker_who_dies_takes_no_test_and_the_token_goes_back():
    after = after_test("play", "push on", psyker=Group("Seer", 1, 50, ld=10), warp_tokens=1, op=25)
    assert (after.victim.models, after.test_result) == (0, None)
    assert [measure.of(after) for measure in psykers.MEASURES] == [0, 25, 50, 1]


@pytest.mark.clause("DL-50.5", "DL-50.6")
def test_both_sides_can_be_advised():
    start = psykers.psychic_test(LIBRARIAN, "Hill", "Dale", warp_tokens=1)
    advice = Best(lambda after: after.works, {"Hill": "max", "Dale": "min"}).run(psykers.PSYCHIC_TEST.stages, start)
    assert (advice.value, advice.sides) == (Fraction(1), ("Dale", "Hill"))  # pushing on always works
