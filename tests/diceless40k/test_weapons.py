"""Special rules of weapons: sniper, rending, melta, poison, and weapons by their profiles."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battletape.errors import Refused, UnknownName
from battletape.rulesets.diceless40k.profiles.types import WeaponProfile
from battletape.rulesets.diceless40k.rules.attacks import aim_with, piercing_of, with_special_rules
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.shooting import Aim, damage_of, packet_of
from battletape.rulesets.diceless40k.rules.weapons import RENDING, Piercing
from battletape.rulesets.diceless40k.rulings import Rulings
from tests.diceless40k.vectors import vectors


@pytest.mark.clause("DL-31.10")
@pytest.mark.parametrize(("given", "expect"), vectors("sniper_damage"))
def test_snipers_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    aim = Aim("sniper rifle", given["bs"], 3, models=given["models"], shots=given["shots"], toughness=given["target_t"])
    assert damage_of(with_special_rules(aim, ("sniper",))) == expect["dmg"]


@pytest.mark.clause("DL-31.10")
def test_snipers_rend_or_not_by_a_ruling():
    rifle = Aim("sniper rifle", 4, 3)
    assert packet_of(with_special_rules(rifle, ("sniper",))).rending
    assert not packet_of(with_special_rules(replace(rifle, rulings=Rulings(sniper_rends="no")), ("sniper",))).rending


@pytest.mark.clause("DL-31.10", "DL-19.1")
def test_a_sniper_hurts_whatever_the_toughness():
    rifle = Aim("sniper rifle", 4, 3, toughness=8, rulings=Rulings(cannot_wound="base_table"))
    assert damage_of(with_special_rules(rifle, ("sniper",))) == 32


@pytest.mark.clause("DL-31.7")
def test_a_rending_weapon_makes_a_rending_packet():
    assert packet_of(with_special_rules(Aim("assault cannon", 4, 6, shots=4, ap=4), (RENDING,))).rending


@pytest.mark.clause("DL-42.2")
def test_poisoned_shots_look_at_the_toughness():
    shots = [
        damage_of(with_special_rules(Aim("needle", 4, 1, toughness=4), (name,)))
        for name in (f"poisoned_{number}" for number in range(2, 7))
    ]
    assert shots == [24, 20, 16, 12, 8]


@pytest.mark.clause("DL-20.1")
def test_a_weapon_that_ignores_cover():
    assert packet_of(with_special_rules(Aim("mortar", 4, 5, marker="large_blast"), ("ignores_cover",))).ignores_cover


@pytest.mark.clause("DL-31.11", "DL-31.9")
def test_snipers_and_rending_on_vehicles():
    assert piercing_of(4, ("sniper",)) == Piercing(3, "d3")
    assert piercing_of(6, (RENDING,)) == Piercing(6, "d3")
    assert piercing_of(4, ()) == Piercing(4)
    assert piercing_of(5, ("ignores_cover",)) == Piercing(5, ignores_cover=True)


@pytest.mark.clause("DL-32.3")
def test_melta_adds_a_die_within_half_range():
    assert piercing_of(8, ("melta",), 24, 12).extra == "d6"
    assert piercing_of(8, ("melta",), 24, 12.5).extra is None
    assert piercing_of(8, ("chainfist",), assault=True).extra == "d6"
    assert piercing_of(8, ("chainfist",)).extra is None


@pytest.mark.clause("DL-32.3", "DL-31.9")
def test_what_else_a_vehicle_is_told():
    assert piercing_of(8, ("lance", "twin_linked")) == Piercing(
        8, None, lance=True, rerolls_to_hit=1, twin_template=True
    )
    assert piercing_of(10, ("plus_one_damage", "reroll_to_hit")) == Piercing(10, rerolls_to_hit=1, damage_bonus=True)
    with pytest.raises(UnknownName, match="melta"):
        piercing_of(8, ("meltaa",))


@pytest.mark.clause("DL-19.2", "DL-25.1")
def test_a_weapon_of_a_profile_is_aimed():
    marines = Group("marines", 5, 40, bs=4)
    boyz = Target((Group("boyz", 10, 40, toughness=4),))
    bolter = WeaponProfile(name="bolter", type="rapid_fire", strength=4, ap=5, range=24)
    aim = aim_with(bolter, marines, boyz, distance=12)
    assert isinstance(aim, Aim)
    assert (aim.models, aim.shots, damage_of(aim)) == (5, 2, 160)
    flamer = WeaponProfile(name="flamer", type="assault", strength=4, ap=5, marker="template")
    aim = aim_with(flamer, marines, boyz, models=1, distance=5, hits=(3,), firer=2)
    assert isinstance(aim, Aim)
    assert (damage_of(aim), aim.firer) == (48, 2)
    assert isinstance(aim_with(flamer, marines, boyz, distance=9, hits=(1,)), Refused)
    rifle = WeaponProfile(name="sniper rifle", type="heavy", range=36, rules=("sniper",))
    aim = aim_with(rifle, marines, boyz, models=2, distance=36)
    assert isinstance(aim, Aim)
    assert damage_of(aim) == 32


@pytest.mark.clause("DL-19.2", "DL-0.1")
def test_a_weapon_that_cannot_be_aimed_is_refused():
    marines, boyz = Group("marines", 5, 40), Target((Group("boyz", 10, 40),))
    gun = WeaponProfile(name="gun", type="heavy", strength=5, range=36, shots=3)
    for refused, clause in (
        (aim_with(gun, marines, boyz, models=6), "DL-19.2"),
        (aim_with(gun, marines, boyz, distance=40), "DL-29.1"),
        (aim_with(gun, marines, boyz, distance=10, moved=True), "DL-0.1"),
    ):
        assert isinstance(refused, Refused)
        assert refused.clause == clause
