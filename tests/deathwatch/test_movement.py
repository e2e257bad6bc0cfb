"""Movement: how far a unit goes, what a charge needs, and free blows at one that leaves."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.rulesets.deathwatch.rules import movement
from battletape.rulesets.deathwatch.rules.attack.modifiers import Situation, attack_modifiers
from battletape.rulesets.deathwatch.tables.sheet import SIZES, Moves

FOUR = movement.moves(4)


@pytest.mark.clause("DW-MOVE-1", "DW-ACT-MOVE")
def test_moves_by_agility_bonus():
    assert movement.moves(0) == Moves(Fraction(1, 2), 1, 2, 3)
    assert movement.moves(5)[:2] == (5, 10)
    assert movement.moves(12) == (12, 24, 36, 72)


@pytest.mark.clause("DW-MOVE-1")
def test_size_changes_the_base_by_up_to_three():
    bases = {size: movement.moves(5, size).half for size in SIZES}
    assert list(bases.values()) == [2, 3, 4, 5, 6, 7, 8, 8, 8, 8]
    assert movement.moves(1, "Minuscule") == movement.moves(0)


def test_wounds_and_haywire_slow_down():
    assert movement.moves(5, halved=True) == (Fraction(5, 2), 5, 8, 15)
    assert movement.moves(5, less=3) == movement.moves(2)
    assert movement.moves(1, less=3) == movement.moves(0)


@pytest.mark.clause("DW-ACT-MOVE", "DW-ACT-RUN")
def test_too_far_says_what_would_do():
    assert movement.refuse_move(4, "half", FOUR) is None
    assert movement.refuse_move(24, "run", FOUR) is None
    said = {
        ("half", 5): "a half move reaches 4 m, not 5 m; a full move would do (DW-ACT-MOVE)",
        ("full", 9.5): "a full move reaches 8 m, not 9.5 m; a run would do (DW-ACT-MOVE)",
        ("run", 25): "a run reaches 24 m, not 25 m (DW-ACT-RUN)",
    }
    for (gait, far), text in said.items():
        assert str(movement.refuse_move(far, gait, FOUR)) == text


@pytest.mark.clause("DW-ACT-CHARGE")
def test_a_charge_goes_four_metres_at_least_and_its_distance_at_most():
    assert [movement.refuse_charge(far, FOUR) is None for far in (3.9, 4, 12, 12.1)] == [False, True, True, False]
    assert str(movement.refuse_charge(3, FOUR)) == "a charge must be at least 4 m, got 3 m (DW-ACT-CHARGE)"
    assert str(movement.refuse_charge(13, FOUR)) == "a charge reaches 12 m, not 13 m; a run would do (DW-ACT-CHARGE)"
    for ab, reach in ((0, 2), (1, 3)):
        refused = movement.refuse_charge(4, movement.moves(ab))
        assert str(refused) == f"a charge must be at least 4 m, and this one reaches only {reach} m (DW-ACT-CHARGE)"


@pytest.mark.clause("DW-ACT-CHARGE")
def test_a_charge_strikes_at_ten_more():
    assert movement.charge_target(45) == 55


@pytest.mark.clause("DW-ACT-RUN")
def test_a_runner_is_harder_to_shoot_and_easier_to_strike():
    runs = Situation(running=True)
    assert [modifier.value for modifier in attack_modifiers(runs, melee=False)] == [-20]
    assert [modifier.value for modifier in attack_modifiers(runs, melee=True)] == [20]


@pytest.mark.clause("DW-ACT-TACTICAL-ADVANCE")
def test_a_tactical_advance_goes_from_cover_to_cover():
    assert movement.refuse_advance(8, FOUR, leaves_cover=True, reaches_cover=True) is None
    assert "reaches a full move of 8 m, not 9 m" in str(movement.refuse_advance(9, FOUR, True, True))
    assert "this one starts in the open" in str(movement.refuse_advance(3, FOUR, False, True))
    assert "this one ends in the open (DW-ACT-TACTICAL-ADVANCE)" in str(movement.refuse_advance(3, FOUR, True, False))


@pytest.mark.clause("DW-ACT-DISENGAGE")
def test_a_disengaging_fighter_is_not_struck():
    assert movement.refuse_disengage(4, FOUR, engaged=True) is None
    assert str(movement.refuse_disengage(5, FOUR, True)) == (
        "disengaging is a half move of 4 m, not 5 m (DW-ACT-DISENGAGE)"
    )
    assert "a plain move would do" in str(movement.refuse_disengage(2, FOUR, engaged=False))


@pytest.mark.clause("DW-MOVE-1")
@pytest.mark.parametrize(("distance", "metres", "turns"), [(0, 8, 0), (8, 8, 1), (8.1, 8, 2), (1, Fraction(1, 2), 2)])
def test_turns_for_a_distance(distance, metres, turns):
    assert movement.turns(distance, metres) == turns
