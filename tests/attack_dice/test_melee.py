"""Melees: range, sight, cover, modifiers for shooting in and out, transports, and the optional facing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import ruleset
from battletape.errors import Refused
from battletape.rulesets.attack_dice.rules.keywords import keywords_of, modifier_of
from battletape.rulesets.attack_dice.rules.melee import Situation, cover_bonus, facing_bonus, refuse_target
from battletape.rulesets.attack_dice.rules.saves import armour_in_cover
from battletape.rulesets.attack_dice.rulings import Rulings

SYSTEM = ruleset("attack_dice")
ENGAGED: dict[str, Any] = {"attacker_melee": "M1", "target_melee": "M1"}
TABLE = [  # attacker, target, friend with target, and the modifier of another, a battle and a heavy weapon
    ("", "", False, 0, 0, 0),
    ("", "M1", False, 0, 0, 0),
    ("", "M1", True, -1, -1, -1),
    ("M1", "M1", False, 0, -1, -2),
    ("M1", "M1", True, 0, -1, -2),
    ("M1", "", False, -1, -2, -3),
    ("M1", "M2", False, -1, -2, -3),
    ("M1", "M2", True, -2, -3, -4),
]


def chance(**given: Any) -> Any:
    return SYSTEM.ask("chart", **given).odds("successes").at_least(1)


def modifier(weapon_class: str, **where: Any) -> int:
    return modifier_of(weapon_class, Situation(**where))


@pytest.mark.clause("AD-64")
@pytest.mark.parametrize(("attacker", "target", "friend", "other", "battle", "heavy"), TABLE)
def test_every_combination(attacker: str, target: str, friend: bool, other: int, battle: int, heavy: int):
    where: dict[str, Any] = {"attacker_melee": attacker, "target_melee": target, "friend_in_target_melee": friend}
    assert [modifier(one, **where) for one in ("side", "battle", "heavy")] == [other, battle, heavy]
    free = bool(attacker) and attacker == target
    assert (refuse_target(Situation(distance=7, **where), 6) is None) == free
    assert (refuse_target(Situation(line_of_sight=False, **where), 6) is None) == free
    assert (cover_bonus(Situation(cover=1, **where), "defence") == 0) == free


@pytest.mark.clause("AD-56", "AD-57")
def test_engaged_enemies_are_always_in_range_and_in_sight():
    assert refuse_target(Situation(distance=20, line_of_sight=False, **ENGAGED), 6) is None
    outside = refuse_target(Situation(distance=20, attacker_melee="M1"), 6)
    assert outside is not None
    assert outside.kind == "range"
    answer = SYSTEM.ask("attack", attacks=1, range=6, distance=20, line_of_sight=False, **ENGAGED)
    assert answer.odds("damage").mean == Fraction(1, 2)
    two = Situation(distance=20, attacker_melee="M1", target_melee="M2", line_of_sight=False)
    assert refuse_target(two, 30) is not None


@pytest.mark.clause("AD-58")
def test_cover_adds_to_defence_unless_engaged():
    assert chance(power=4, defence=4, cover=1) == Fraction(2, 5)
    assert chance(power=4, defence=4, cover=1, **ENGAGED) == Fraction(1, 2)
    assert chance(power=4, defence=4, cover=1, cover_stat="armour") == Fraction(1, 2)
    assert cover_bonus(Situation(cover=2), "defence") == 2
    assert cover_bonus(Situation(cover=2), "armour") == 0


@pytest.mark.clause("AD-58")
def test_cover_may_improve_armour_instead():
    assert [armour_in_cover(5, bonus) for bonus in range(5)] == [5, 4, 3, 2, 2]
    assert [armour_in_cover(None, bonus) for bonus in range(3)] == [None, 6, 5]
    shot = {"attacks": 1, "power": 7, "defence": 1, "armour": 5, "models": 1, "cover": 1, "cover_stat": "armour"}
    assert SYSTEM.ask("attack", **shot).odds("damage").mean == Fraction(1, 2)
    assert SYSTEM.ask("attack", **shot, **ENGAGED).odds("damage").mean == Fraction(7, 10)
    assert SYSTEM.ask("attack", **shot, ap=5).odds("damage").mean == Fraction(1, 2)
    assert SYSTEM.ask("attack", **shot, ap=4).odds("damage").mean == 1


@pytest.mark.clause("AD-59")
def test_a_heavy_weapon_in_a_melee_suffers_two():
    assert chance(power=6, defence=4) == Fraction(7, 10)
    assert chance(power=6, defence=4, weapon_class="heavy", **ENGAGED) == Fraction(1, 2)
    assert chance(power=6, defence=4, weapon_class="Heavy ", attacker_melee="M1") == Fraction(4, 10)
    assert chance(power=6, defence=4, weapon_class="heavy") == Fraction(7, 10)


@pytest.mark.clause("AD-60")
def test_a_battle_weapon_in_a_melee_suffers_one_and_other_classes_nothing():
    assert chance(power=4, defence=4, weapon_class="battle", **ENGAGED) == Fraction(2, 5)
    for free_text in ("side", "melee", "", "anything at all"):
        assert chance(power=4, defence=4, weapon_class=free_text, **ENGAGED) == Fraction(1, 2)
        assert keywords_of(free_text) == ()


@pytest.mark.clause("AD-61")
def test_shooting_into_a_melee_with_a_friend_costs_one():
    into = {"target_melee": "M1", "friend_in_target_melee": True}
    assert chance(power=3, defence=5, **into) == Fraction(1, 5)
    assert chance(power=3, defence=5, target_melee="M1") == Fraction(3, 10)
    assert chance(power=3, defence=5, cover=1, **into) == Fraction(1, 10)
    refused = refuse_target(Situation(distance=9, target_melee="M1", friend_in_target_melee=True), 6)
    assert refused is not None


@pytest.mark.clause("AD-62")
def test_in_the_same_melee_friends_do_not_matter():
    assert modifier("side", **ENGAGED, friend_in_target_melee=True) == 0
    assert modifier("heavy", **ENGAGED, friend_in_target_melee=True) == -2


@pytest.mark.clause("AD-63")
def test_shooting_out_of_a_melee_costs_one():
    assert modifier("battle", attacker_melee="M1") == -2
    assert modifier("side", attacker_melee="M1", target_melee="M2") == -1
    told = SYSTEM.roll("attack", power=4, defence=4, weapon_class="battle", attacker_melee="M1", seed=1).log[2]
    assert told.text == "Dice Modifiers: battle in melee -1, out of melee -1"
    assert told.clauses == ("AD-60", "AD-63")


@pytest.mark.clause("AD-65")
def test_those_aboard_count_as_in_the_melee_but_are_not_clumsy():
    aboard: dict[str, Any] = {"embarked": True, "attacker_melee": "M1"}
    assert modifier("heavy", **aboard, target_melee="M2", friend_in_target_melee=True) == -2
    assert modifier("heavy", **aboard, target_melee="M1") == 0
    assert modifier("battle", **aboard) == -1
    assert refuse_target(Situation(**aboard, target_melee="M1", distance=7), 6) is None


@pytest.mark.clause("AD-68")
def test_range_is_checked_before_sight_and_equal_is_in_range():
    assert refuse_target(Situation(distance=20), 20) is None
    assert refuse_target(Situation(distance=500), None) is None
    assert refuse_target(Situation(), 6) is None
    with pytest.raises(Refused) as far:
        SYSTEM.ask("attack", range=20, distance=21, line_of_sight=False)
    assert str(far.value) == 'the target is 21" away and the weapon reaches 20"; pick another target (AD-68)'
    assert far.value.kind == "range"
    with pytest.raises(Refused) as hidden:
        SYSTEM.ask("attack", range=20, distance=20, line_of_sight=False)
    assert str(hidden.value) == "there is no line of sight to the target; pick another one (AD-68)"
    assert (hidden.value.clause, hidden.value.kind) == ("AD-68", "line_of_sight")


@pytest.mark.clause("AD-92")
def test_facing_changes_the_defence_of_a_single_model():
    with_facing = {"power": 4, "defence": 4, "facing_rule": "on"}
    assert chance(**with_facing, facing="rear") == Fraction(3, 5)
    assert chance(**with_facing, facing="side") == Fraction(1, 2)
    assert chance(**with_facing, facing="front") == Fraction(2, 5)
    assert chance(**with_facing) == Fraction(1, 2)
    assert chance(**with_facing, facing="front", **ENGAGED) == Fraction(3, 5)
    assert chance(**with_facing, facing="front", target_melee="M1") == Fraction(3, 5)
    assert chance(**with_facing, facing="front", attacker_melee="M1") == Fraction(3, 10)
    on = Rulings(facing_rule="on")
    assert [facing_bonus(Situation(facing=side), on) for side in ("none", "front", "side", "rear")] == [0, 1, 0, -1]
    units = {"attacks": 1, "power": 4, "defence": 4, "facing": "rear", "facing_rule": "on"}
    assert SYSTEM.ask("attack", **units, models=2).odds("damage").mean == Fraction(1, 2)
    assert SYSTEM.ask("attack", **units, models=1).odds("damage").mean == Fraction(3, 5)


@pytest.mark.clause("AD-92")
def test_the_last_model_of_several_has_no_facing_in_any_question():
    rear = {"hp": 1, "defence": 3, "facing": "rear", "facing_rule": "on"}
    weapons = [{"attacks": 1, "power": 9}, {"attacks": 1, "power": 3}]
    volley = SYSTEM.ask("volley", models=2, weapons=weapons, **rear).odds("casualties")
    worn = SYSTEM.ask("attack", models=2, lost=1, attacks=1, power=3, **rear).odds("casualties")
    assert volley == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert worn == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert SYSTEM.ask("attack", others="1", models=1, attacks=1, power=3, **rear).odds("damage").mean == Fraction(1, 2)
    alone = {"models": 1, "hp": 2, "lost": 1, "defence": 3, "facing": "rear", "facing_rule": "on"}
    assert SYSTEM.ask("attack", attacks=1, power=3, **alone).odds("damage").mean == Fraction(3, 5)
    assert SYSTEM.ask("volley", weapons=weapons[1:], **alone).odds("damage").mean == Fraction(3, 5)


@pytest.mark.clause("AD-92", "AD-61", "AD-58")
def test_an_input_that_changes_nothing_is_remarked_on():
    off = "Facing rear changes nothing: facing_rule is off (AD-92)"
    for question in ("attack", "volley", "chart"):
        assert SYSTEM.ask(question, facing="rear").warnings == (off,)
        assert SYSTEM.ask(question).warnings == ()
    assert SYSTEM.ask("chart", facing="rear", facing_rule="on").warnings == ()
    assert SYSTEM.ask("attack", facing="front", facing_rule="on", models=1).warnings == ()
    many = SYSTEM.ask("attack", facing="front", facing_rule="on", models=2, hp=1, lost=1)
    assert many.warnings == ("Facing front changes nothing: the unit began with more than one model (AD-92)",)
    friend = SYSTEM.ask("chart", friend_in_target_melee=True)
    assert friend.warnings == ("A friend in the target's Melee changes nothing: no target_melee is named (AD-61)",)
    cover = SYSTEM.ask("volley", cover_stat="armour")
    assert cover.warnings == ("What cover improves (armour) changes nothing: cover is 0 (AD-58)",)
    assert SYSTEM.ask("volley", cover_stat="armour", cover=1).warnings == ()


@pytest.mark.clause("AD-92", "AD-11")
def test_facing_comes_before_the_cap():
    asked = SYSTEM.ask("chart", power=20, defence=16, facing="rear", facing_rule="on")
    assert str(asked) == "Power 20 against Defence 15 needs 1+: 90 % of Attacks succeed."
    assert SYSTEM.ask("chart", power=4, defence=0, facing="rear", facing_rule="on").odds("successes") == {1: 1}
