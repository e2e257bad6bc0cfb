"""Battles: Melees, cover, transports and HP by hand, and why each is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import Battle
from battletape.rulesets.attack_dice.battle.state import situation_of
from tests.attack_dice.battles import attack, refusal, started, unit

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
    assert refusal(battle, "engage", unit="Wardens", target="Wolves") == (
        "Wardens is in Melee M1; it must leave that one first (AD-56)"
    )
    assert refusal(battle, "engage", unit="Raiders", target="Wardens") == "they are already in Melee M1 (AD-56)"
    assert refusal(battle, "engage", unit="Wardens", target="Wagon") == (
        "Wardens and Wagon are on the same side (AD-56)"
    )
    assert situation_of(battle.state, battle.state.unit("Wardens"), battle.state.unit("Wolves")).friend_in_target_melee


@pytest.mark.clause("AD-80")
def test_the_fallen_leave_their_melee_and_a_lonely_melee_ends():
    battle = started()
    battle.push("engage", unit="Wardens", target="Raiders")
    attack(battle, "Wardens", "Cannon", "Raiders")
    assert battle.state.unit("Raiders").lost == 4
    battle.push("lose_hp", unit="Raiders", hp=2)
    assert {one.melee for one in battle.state.units} == {""}
    assert refusal(battle, "engage", unit="Wardens", target="Raiders") == "both units need a model left (AD-80)"
    assert refusal(battle, "leave", unit="Wardens") == "Wardens is in no Melee (AD-56)"
    assert refusal(battle, "cover", unit="Raiders") == "Raiders has no model left (AD-80)"
    assert refusal(battle, "done", unit="Raiders") == "Raiders has no model left (AD-80)"


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
    assert refusal(battle, "engage", unit="Wardens", target="Wolves") == (
        "Wardens is aboard Wagon; it must leave the transport first (AD-65)"
    )
    battle.push("disembark", unit="Wardens")
    assert battle.odds("attack", **FIRE).odds("damage").mean == 6 * Fraction(4, 10)
    assert refusal(battle, "disembark", unit="Wardens") == "Wardens is not aboard anything (AD-65)"


@pytest.mark.clause("AD-65")
@pytest.mark.parametrize(
    ("who", "whom", "reason"),
    [
        ("Wardens", "Raiders", "Raiders cannot carry Wardens (AD-65)"),
        ("Wagon", "Wagon", "Wagon cannot carry Wagon (AD-65)"),
        ("Wagon", "Wardens", "Wardens is itself aboard Wagon (AD-65)"),
        ("Wardens", "Wagon", "Wardens is itself aboard Wagon (AD-65)"),
    ],
)
def test_why_nobody_goes_aboard(who: str, whom: str, reason: str):
    battle = started()
    battle.push("embark", unit="Wardens", target="Wagon")
    assert refusal(battle, "embark", unit=who, target=whom) == reason


@pytest.mark.clause("AD-65")
def test_nobody_goes_aboard_out_of_a_melee():
    battle = started()
    battle.push("engage", unit="Wardens", target="Raiders")
    assert refusal(battle, "embark", unit="Wardens", target="Wagon") == (
        "Wardens is in Melee M1; it must leave that one first (AD-65)"
    )


@pytest.mark.clause("AD-65")
def test_transports_do_not_carry_each_other():
    north = [unit("Cart"), unit("Wagon"), unit("Barge")]
    sides = [{"name": "North", "units": north}, {"name": "South", "units": [unit("Raiders")]}]
    battle = Battle.new("attack_dice", {"sides": sides})
    battle.push("embark", unit="Cart", target="Wagon")
    assert refusal(battle, "embark", unit="Wagon", target="Barge") == ("Wagon carries Cart itself (AD-65)")
    assert refusal(battle, "embark", unit="Barge", target="Cart") == "Cart is itself aboard Wagon (AD-65)"


@pytest.mark.clause("AD-65", "AD-80")
def test_those_aboard_get_off_when_the_transport_is_gone():
    battle = started()
    battle.push("embark", unit="Wardens", target="Wagon")
    battle.push("lose_hp", unit="Wagon", hp=8)
    assert battle.state.unit("Wardens").aboard == ""
    assert refusal(battle, "embark", unit="Wardens", target="Wagon") == "both units need a model left (AD-80)"


@pytest.mark.clause("AD-80")
def test_hp_may_be_taken_and_put_back_by_hand():
    battle = started()
    battle.push("lose_hp", unit="Raiders", hp=5)
    assert refusal(battle, "lose_hp", unit="Raiders", hp=2) == "Raiders has 1 HP left, 2 were to be taken (AD-80)"
    battle.push("restore_hp", unit="Raiders", hp=4)
    assert battle.state.unit("Raiders").lost == 1
    assert refusal(battle, "restore_hp", unit="Raiders", hp=2) == (
        "Raiders has lost 1 HP, 2 were to be put back (AD-80)"
    )
