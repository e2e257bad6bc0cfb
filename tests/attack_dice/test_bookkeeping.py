"""Battles: Melees, cover, transports and HP by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.rulesets.attack_dice.battle.state import measured, situation_of
from tests.attack_dice.battles import attack, started

FIRE: dict[str, Any] = {"unit": "Wardens", "weapon": "Carbine", "target": "Raiders", "distance": 12}


@pytest.mark.clause("AD-56", "AD-59", "AD-63")
def test_engaging_puts_both_units_into_one_melee():
    battle = started()
    battle.push("engage", unit="Wardens", target="Raiders")
    assert {battle.state.unit(name).melee for name in ("Wardens", "Raiders")} == {"M1"}
    within = battle.odds("attack", **{**FIRE, "distance": 99}, line_of_sight=False)
    assert within.odds("damage").mean == 6 * Fraction(4, 10)
    out = battle.odds("attack", **{**FIRE, "target": "Wolves"})
    assert out.odds("damage").mean == 6 * Fraction(6, 10)
    into = battle.odds("attack", unit="Wagon", weapon="Cannon", target="Raiders", distance=12)
    assert "Dice Modifiers: into friendly melee -1" in " ".join(step.title for step in into.steps)
    battle.push("engage", unit="Wolves", target="Wardens")
    assert battle.state.unit("Wolves").melee == "M1"
    battle.push("leave", unit="Wardens")
    assert {one.melee for one in battle.state.units} == {"", "M1"}
    battle.push("leave", unit="Wolves")
    assert {one.melee for one in battle.state.units} == {""}


@pytest.mark.clause("AD-56")
def test_a_second_melee_gets_a_name_of_its_own():
    battle = started()
    battle.push("engage", unit="Wardens", target="Raiders")
    battle.push("engage", unit="Wagon", target="Wolves")
    assert battle.state.unit("Wagon").melee == "M2"
    units = battle.state.unit("Wardens"), battle.state.unit("Wolves")
    assert situation_of(battle.state, *units, measured(battle.state, *units)).friend_in_target_melee


@pytest.mark.clause("AD-80")
def test_the_fallen_leave_their_melee_and_a_lonely_melee_ends():
    battle = started()
    battle.push("engage", unit="Wardens", target="Raiders")
    attack(battle, "Wardens", "Cannon", "Raiders")
    assert battle.state.unit("Raiders").hp_lost == 4
    battle.push("lose_hp", unit="Raiders", hp=2)
    assert {one.melee for one in battle.state.units} == {""}


@pytest.mark.clause("AD-58")
def test_cover_is_kept_with_the_unit_and_ignored_in_a_melee():
    battle = started()
    battle.push("cover", unit="Raiders", stat="defence", amount=2)
    assert battle.odds("attack", **FIRE).odds("damage").mean == 6 * Fraction(3, 10)
    battle.push("engage", unit="Wagon", target="Raiders")
    assert battle.odds("attack", unit="Wagon", weapon="Cannon", target="Raiders").odds("hp_lost") == {4: 1}
    battle.push("leave", unit="Wagon")
    battle.push("cover", unit="Raiders", stat="armour", amount=1)
    assert battle.odds("attack", **FIRE).odds("damage").mean == 6 * Fraction(1, 2) * Fraction(9, 10)
    battle.push("cover", unit="Raiders", amount=0)
    assert battle.odds("attack", **FIRE).odds("damage").mean == 3


@pytest.mark.clause("AD-65")
def test_a_unit_aboard_fires_from_the_melee_of_its_transport():
    battle = started()
    battle.push("embark", unit="Wardens", target="Wagon")
    battle.push("engage", unit="Wagon", target="Raiders")
    assert battle.odds("attack", **{**FIRE, "distance": 99}).odds("damage").mean == 3
    out = battle.odds("attack", **{**FIRE, "target": "Wolves"})
    assert out.odds("damage").mean == 6 * Fraction(7, 10)
    battle.push("disembark", unit="Wardens")
    assert battle.odds("attack", **FIRE).odds("damage").mean == 6 * Fraction(4, 10)


@pytest.mark.clause("AD-65", "AD-80")
def test_those_aboard_get_off_when_the_transport_is_gone():
    battle = started()
    battle.push("embark", unit="Wardens", target="Wagon")
    battle.push("lose_hp", unit="Wagon", hp=8)
    assert battle.state.transport_of("Wardens") == ""


@pytest.mark.clause("AD-80")
def test_hp_may_be_taken_and_put_back_by_hand():
    battle = started()
    battle.push("lose_hp", unit="Raiders", hp=5)
    battle.push("restore_hp", unit="Raiders", hp=4)
    assert battle.state.unit("Raiders").hp_lost == 1
