"""The questions test, opposed and movement, as a player asks them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.rulesets.deathwatch import RULESET
from battletape.tape.script import Script
from battletape.tape.typed import Typed


def texts(steps):
    return [(step.title, step.clauses) for step in steps]


@pytest.mark.clause("DW-TEST-1", "DW-TEST-4")
def test_a_test_tells_every_modifier_with_its_clause():
    answer = RULESET.ask("test", characteristic=45, difficulty="hard", modifiers=[10, -5], situations=["fatigued"])
    assert texts(answer.steps) == [
        ("Hard: -20", ("DW-TEST-2",)),
        ("Modifier 1: +10", ("DW-TEST-1",)),
        ("Modifier 2: -5", ("DW-TEST-1",)),
        ("Fatigued: -10", ("DW-FAT-1",)),
        ("Modifiers: -25", ("DW-TEST-4",)),
        ("Target: 45 -25 = 20", ("DW-TEST-1",)),
        ("20 of 100 rolls succeed", ("DW-TEST-1",)),
        ("Test on a D100", ("DW-TEST-3",)),
    ]
    assert answer.odds().chance(1) == Fraction(1, 5)
    assert answer.headline == "Succeeds 20 %; 1 degree or more 10 %."


@pytest.mark.clause("DW-TEST-4")
def test_the_limit_is_told():
    answer = RULESET.ask("test", characteristic=35, modifiers=[-30, -20, -20])
    assert "Modifiers: -70, of which -60 counts" in [step.title for step in answer.steps]
    assert "Target: 35 -60 = -25" in [step.title for step in answer.steps]
    assert answer.headline == "Succeeds 0 %."


@pytest.mark.clause("DW-TEST-3")
def test_degrees_below_zero_are_those_of_failure():
    odds = RULESET.ask("test", characteristic=47).odds("degrees")
    assert odds.chance(4) == Fraction(7, 100)
    assert odds.chance(-5) == Fraction(4, 100)
    assert odds.chance(0) == Fraction(10 + 9, 100)
    outcome = RULESET.ask("test", characteristic=47).odds("outcome")
    assert outcome.chance("failure") == Fraction(9, 100)
    assert outcome.chance("success, 1 degree") == Fraction(1, 10)


def test_a_headline_says_how_well():
    assert RULESET.ask("test", characteristic=80).headline == "Succeeds 80 %; 3 degrees or more 50 %."


@pytest.mark.clause("DW-TEST-5")
def test_rulings_reach_the_question():
    assert RULESET.ask("test", characteristic=0, auto_results="01_and_00").odds().chance(1) == Fraction(1, 100)
    assert RULESET.ask("test", characteristic=50, degrees="plus_one").odds("degrees").at_least(1) == Fraction(1, 2)
    assert RULESET.ask("test", characteristic=50, modifiers=[60], modifier_cap=20).odds("target").mean == 70
    assert RULESET.ask("test", situations=["mud_or_heavy_rain"], preset="core").odds("target").mean == 30
    assert RULESET.ask("test", fatigue=3, fatigue_penalty="per_level").odds("target").mean == 10


@pytest.mark.clause("DW-TEST-4")
def test_the_sum_of_the_modifiers_and_what_counts_of_it():
    odds = RULESET.ask("test", modifiers=[-30, -20, -20])
    assert (odds.odds("modifier").mean, odds.odds("counted").mean, odds.odds("target").mean) == (-70, -60, -20)


@pytest.mark.clause("DW-TEST-1", "DW-TEST-3")
@pytest.mark.parametrize("tries", [1, 2, 5])
def test_several_tries(tries):
    found = RULESET.ask("test", characteristic=30, tries=tries)
    assert found.odds("success").chance(1) == 1 - Fraction(7, 10) ** tries
    assert found.odds("successes").mean == tries * Fraction(3, 10)
    assert found.odds("degrees").at_least(2) == 1 - Fraction(9, 10) ** tries  # of the best


def test_of_several_tries_the_best_is_told():
    tape = Script(90, 31, 70)
    found = RULESET.roll("test", characteristic=30, tries=3, tape=tape)
    assert (found.results["outcome"], found.results["successes"]) == ("failure", 0)
    assert found.log[-1].text == "The best so far fails"


def test_a_typed_test():
    roll = RULESET.roll("test", characteristic=47, tape=Typed(["07"]))
    assert roll.results == {
        "success": 1,
        "successes": 1,
        "degrees": 4,
        "outcome": "success, 4 degrees",
        "target": 47,
        "modifier": 0,
        "counted": 0,
    }
    assert [line.text for line in roll.log][-2:] == [
        "Test (needs 47 or less): 7 → success, 4 degrees",
        "The test succeeds with 4 degrees",
    ]
    assert RULESET.roll("test", tape=Typed(["00"])).results["degrees"] == -6
    low, high = roll.luck(RULESET.ask("test", characteristic=47).odds("degrees"), "degrees")
    assert (low, high) == (1, Fraction(7, 100))


@pytest.mark.clause("DW-TEST-6")
def test_an_opposed_test():
    answer = RULESET.ask("opposed", one=50, two=40)
    odds = answer.odds("winner")
    assert [odds.chance(side) for side in ("one", "two", "nobody")] == [
        Fraction(11, 25),
        Fraction(13, 50),
        Fraction(3, 10),
    ]
    assert answer.odds("one_wins").mean == Fraction(11, 25)
    assert answer.headline == "One wins 44 %, two 26 %, nobody 30 %."


@pytest.mark.clause("DW-TEST-6")
def test_bonuses_and_modifiers_of_both_sides():
    even = RULESET.ask("opposed", one=45, two=35, two_modifiers=[10], two_bonus=4)
    assert even.odds("one_wins").mean == even.odds("two_wins").mean == Fraction(693, 2000)
    nobody = RULESET.ask("opposed", one=45, two=45, opposed_ties="nobody").odds("winner").chance("nobody")
    assert nobody > Fraction(307, 1000)
    least = RULESET.ask("opposed", one=45, two=45, opposed_failures="fewer_degrees").odds("winner").chance("nobody")
    assert least == Fraction(1, 100)


def test_a_typed_opposed_test():
    roll = RULESET.roll("opposed", one=50, two=45, tape=Typed(["12", "60"]))
    assert roll.results == {"winner": "one", "one_wins": 1, "two_wins": 0, "by": 3}
    assert roll.log[-1].text == "One wins by 3 degrees"


@pytest.mark.clause("DW-MOVE-1")
def test_movement_with_the_row_marked():
    answer = RULESET.ask("movement", agility=45)
    assert [answer.odds(gait).mean for gait in ("half", "full", "charge", "run")] == [4, 8, 12, 24]
    assert answer.headline == "Half 4 m, full 8 m, charge 12 m, run 24 m."
    assert answer.table is not None
    assert answer.table.mark == (4, 0)
    assert answer.table.rows[0] == ("0", "0.5", "1", "2", "3")
    unmarked = RULESET.ask("movement", agility_bonus=12).table
    assert unmarked is not None
    assert unmarked.mark is None


@pytest.mark.clause("DW-MOVE-1", "DW-ACT-CHARGE")
def test_movement_over_a_distance():
    near = RULESET.ask("movement", agility=40, distance=6, ws=45)
    assert near.headline == (
        "Half 4 m, full 8 m, charge 12 m, run 24 m. 6 m: 1 turn at a full move, 1 turn at a run; a charge hits 55 %."
    )
    assert near.odds("may_charge").mean == 1
    far = RULESET.ask("movement", agility=40, distance=100)
    assert [far.odds(one).mean for one in ("turns", "turns_running", "may_charge")] == [13, 5, 0]
    assert ("No charge: a charge reaches 12 m, not 100 m", ("DW-ACT-CHARGE",)) in texts(far.steps)


def test_movement_of_a_giant_and_of_the_wounded():
    giant = RULESET.ask("movement", agility=25, size="Massive")
    assert giant.odds("full").mean == 10
    assert giant.steps[0].title == "Massive: Agility bonus +3 for movement"
    assert giant.table is not None
    assert giant.table.mark == (5, 0)
    wounded = RULESET.ask("movement", agility=50, halved=True)
    assert [wounded.odds(gait).mean for gait in ("half", "full")] == [Fraction(5, 2), 5]
    assert wounded.table is not None
    assert wounded.table.mark is None
