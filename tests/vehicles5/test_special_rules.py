"""Special rules: what each one turns before the dice."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from battletape.errors import UnknownName
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules.damage import penetrate
from battletape.rulesets.vehicles5.rules.keywords import KEYWORDS, UNIT_RULES, WEAPON_RULES, shot_with_rules
from battletape.rulesets.vehicles5.rules.shooting import Shot, ShotDraft, roll_shot, roll_to_hit
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.tape.script import Script

AIM = ShotDraft("gun", hits_on=3, strength=8, av=14, ap=1, cover=4)
PLAIN = shot_with_rules(AIM)


def test_a_plain_gun() -> None:
    assert Shot("gun", 3, False, False, armour_gap=6, dice="d6", modifier=1, cover=4, av=14) == PLAIN


@pytest.mark.clause("V5-CORE-11")
def test_melta_counts_two_dice_within_half_range() -> None:
    assert shot_with_rules(AIM, ["melta"]).dice == "d6"
    assert shot_with_rules(replace(AIM, half_range=True), ["melta"]).dice == "2d6"


@pytest.mark.clause("V5-CORE-12", "V5-CORE-15")
def test_rending_and_snipers() -> None:
    assert shot_with_rules(AIM, ["rending"]) == replace(PLAIN, dice="six_adds_d3")
    assert shot_with_rules(AIM, ["sniper"]) == replace(PLAIN, dice="six_adds_d3", armour_gap=11)
    odds = odds_of(penetrate, "", "six_adds_d3", shot_with_rules(replace(AIM, av=10), ["sniper"]).armour_gap)
    assert (odds.chance("glance"), odds.chance("penetrate")) == (Fraction(1, 18), Fraction(1, 9))


@pytest.mark.clause("V5-CORE-13")
@pytest.mark.parametrize(("av", "gap"), [(10, 2), (12, 4), (13, 4), (14, 4)])
def test_lance_sees_no_armour_above_12(av: int, gap: int) -> None:
    assert shot_with_rules(replace(AIM, av=av), ["lance"]).armour_gap == gap


@pytest.mark.clause("V5-CORE-14")
def test_tank_hunters_add_one() -> None:
    assert shot_with_rules(AIM, ["tank_hunters"]).armour_gap == 5
    assert shot_with_rules(replace(AIM, bonus=1), ["lance", "tank_hunters"]).armour_gap == 2


@pytest.mark.clause("V5-ORD-2", "V5-PEN-2")
def test_ordnance_takes_the_higher_die() -> None:
    assert shot_with_rules(AIM, ["ordnance"]).dice == "higher_of_two"


@pytest.mark.clause("V5-SHOT-6", "V5-CORE-4")
def test_templates_hit_and_ignore_cover() -> None:
    assert shot_with_rules(AIM, ["template"]) == replace(PLAIN, hits_on=0, cover=0)


@pytest.mark.clause("V5-CORE-2")
@pytest.mark.parametrize("needs", range(2, 7))
def test_twin_linked_rolls_a_miss_again(needs: int) -> None:
    assert shot_with_rules(AIM, ["twin_linked"]).rerolls_to_hit
    chance = Fraction(7 - needs, 6)
    assert odds_of(roll_to_hit, "", needs, True).chance(True) == 1 - (1 - chance) ** 2


@pytest.mark.clause("V5-CORE-2")
def test_twin_linked_templates_roll_penetration_again() -> None:
    shot = shot_with_rules(replace(AIM, strength=5, av=10), ["twin_linked", "template"])
    assert (shot.rerolls_to_hit, shot.rerolls_penetration, shot.hits_on) == (False, True, 0)
    assert odds_of(roll_shot, shot).chance(None) == Fraction(2, 3) ** 2
    tape = Script(1, 5, 3)
    assert roll_shot(tape, shot) == "stunned"
    assert tape.used_up
    kept = Script(5, 3)
    assert roll_shot(kept, shot) == "stunned"


@pytest.mark.clause("V5-SHOT-10", "V5-SHOT-5")
def test_rulings_go_into_the_shot() -> None:
    rules = Rulings(cover_step="after_hit", damage_range="nothing", ap_none_modifier=-1)
    shot = shot_with_rules(replace(AIM, ap=None, open_topped=True, extra=-1, by="red"), rulings=rules)
    assert (shot.cover_first, shot.below_table, shot.modifier, shot.by) == (True, "nothing", -1, "red")
    assert not shot_with_rules(replace(AIM, cover=0), rulings=rules).cover_first


def test_every_rule_of_the_profiles_is_known() -> None:
    names = {keyword.name for keyword in KEYWORDS}
    assert names >= {*WEAPON_RULES, *UNIT_RULES, "ordnance"}
    for quiet in ("barrage", "one_shot", "power_weapon", "dreadnought_weapon", "fearless"):
        assert shot_with_rules(AIM, [quiet]) == PLAIN
    with pytest.raises(UnknownName, match="Did you mean 'lance'"):
        shot_with_rules(AIM, ["lanze"])
