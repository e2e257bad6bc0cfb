"""What the book of the Space Marines adds."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battletape.rulesets.diceless40k.rules import space_marines
from battletape.rulesets.diceless40k.rules.attacks import blow_of
from battletape.rulesets.diceless40k.rules.blows import Fighter, Strike, begin_fight, strike_in_order
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target, rending_split, resolve
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.movement import allowance
from battletape.rulesets.diceless40k.rules.saves import column_of, look_up, read_column
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors

MARINES = Group("Marines", 10, 40, armour=3)


@pytest.mark.clause("DL-SM-52.1")
def test_a_bombardment_comes_once_and_instead_of_firing():
    assert space_marines.refuse_bombardment(used=False) is None
    assert "once in a game" in str(space_marines.refuse_bombardment(used=True))
    assert "fires nothing else" in str(space_marines.refuse_bombardment(used=False, fires=True))


@pytest.mark.clause("DL-SM-56.1")
def test_a_hood_reaches_24_inches():
    assert space_marines.hood_reaches(24)
    assert not space_marines.hood_reaches(24.5)


@pytest.mark.clause("DL-SM-57.2")
@pytest.mark.parametrize(("given", "expect"), vectors("null_zone"))
def test_the_null_zones_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    column = column_of(given["invulnerable"], reroll_successful=True)
    assert {"column": column, "hp_lost": read_column(given["dmg"], column)} == expect
    group = Group("Guard", 1, 500, invulnerable=given["invulnerable"])
    target = resolve(Script(), Target((group,), null_zone=True), Packet("fire", given["dmg"], 4))
    assert target.losses.hp == expect["hp_lost"]


@pytest.mark.clause("DL-SM-57.2")
@pytest.mark.parametrize(("invulnerable", "hp"), [(4, 40), (3, 30), (6, 60), (None, 60)])
def test_a_null_zone_makes_invulnerable_saves_worse_and_no_others(invulnerable: int | None, hp: int):
    group = Group("Guard", 1, 500, invulnerable=invulnerable)
    assert resolve(Script(), Target((group,), null_zone=True), Packet("fire", 60, 4)).losses.hp == hp
    armoured = replace(group, armour=3, invulnerable=None)
    assert resolve(Script(), Target((armoured,), null_zone=True), Packet("fire", 60, 4)).losses.hp == 20
    assert space_marines.null_zone_reaches(24)
    assert not space_marines.null_zone_reaches(25)


@pytest.mark.clause("DL-SM-57.2")
def test_a_reroll_of_its_own_cancels_the_null_zone():
    group = Group("Guard", 1, 500, invulnerable=4, rules=("reroll_failed_saves",))
    assert resolve(Script(), Target((group,), null_zone=True), Packet("fire", 60, 4)).losses.hp == 30


@pytest.mark.clause("DL-SM-57.3")
def test_a_gate_gives_two_tokens():
    assert space_marines.gate_tokens(1) == 2


@pytest.mark.clause("DL-SM-57.4")
@pytest.mark.parametrize(("given", "expect"), vectors("gate_of_infinity"))
def test_the_gates_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group("Squad", 5, 40, armour=given.get("armour"), invulnerable=given.get("invulnerable"))
    after = space_marines.pass_gate(Script(), Target((group,) if given["unit_taken"] else ()))
    assert after.losses.hp == expect["hp_lost"]


@pytest.mark.clause("DL-SM-57.4")
def test_the_gate_hurts_the_unit_once_or_each_model():
    squad = replace(MARINES, models=5, armour=2, rules=("feel_no_pain",))
    assert space_marines.pass_gate(Script(), Target((squad,))).losses.hp == 10
    assert space_marines.pass_gate(Script(), Target((squad,), Rulings(gate_damage="model"))).losses.hp == 50


@pytest.mark.clause("DL-SM-57.4")
def test_the_owner_says_who_takes_the_damage_of_the_gate():
    groups = (Group("Sergeant", 1, 40), Group("Marines", 3, 40))
    tape = Script("Marines")
    after = space_marines.pass_gate(tape, Target(groups, by="Hill"))
    assert (after.groups[1].recorded, after.groups[0].recorded, tape.used_up) == (10, 0, True)


@pytest.mark.clause("DL-SM-67.1")
@pytest.mark.parametrize(("given", "expect"), vectors("cluster_mines"))
def test_the_mines_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group("Squad", 9, 40, armour=given["armour"], invulnerable=given["invulnerable"])
    after = space_marines.spring_mines(Script(), Target((group,), cover=given["cover"]))
    assert {"dmg": space_marines.MINES.dmg, "hp_lost": after.losses.hp} == expect


@pytest.mark.clause("DL-SM-67.1")
@pytest.mark.parametrize(("armour", "hp"), [(3, 30), (4, 45), (6, 75), (None, 90)])
def test_mines_cost_90_and_armour_helps(armour: int | None, hp: int):
    group = Group("Squad", 9, 40, armour=armour)
    assert space_marines.spring_mines(Script(), Target((group,), cover=2, gone_to_ground=True)).losses.hp == hp


@pytest.mark.clause("DL-SM-67.1")
def test_mines_under_a_vehicle_by_ruling():
    assert space_marines.mines_on_vehicle() == (23, 4)
    assert space_marines.mines_on_vehicle(Rulings(mines_on_vehicles=0)) == (0, 4)


@pytest.mark.clause("DL-SM-72.1")
@pytest.mark.parametrize(("given", "expect"), vectors("mindlock"))
def test_the_mindlocks_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert space_marines.servitors_function(given["turns_without"], given["techmarine_present"]) == expect["functions"]


@pytest.mark.clause("DL-SM-72.1")
def test_servitors_work_one_turn_alone():
    assert [space_marines.servitors_function(turns, False) for turns in (0, 1, 2)] == [True, True, False]
    assert [space_marines.servitors_function(turns, True) for turns in (0, 5)] == [True, True]
    stern = Rulings(mindlock="none_free")
    assert [space_marines.servitors_function(turns, False, stern) for turns in (0, 1)] == [True, False]
    assert [space_marines.turns_without(1, False), space_marines.turns_without(1, True)] == [2, 0]


@pytest.mark.clause("DL-SM-73.1")
@pytest.mark.parametrize(("given", "expect"), [(g, e) for g, e in vectors("tremor") if not g["vehicle"]])
def test_the_tremors_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert given["allowance"] == allowance("infantry")
    assert allowance("infantry", less=space_marines.tremor_inches()) == expect["allowance"]


@pytest.mark.clause("DL-SM-75.1")
def test_a_beacon_doubles_the_limit_within_6_inches():
    assert [space_marines.jammed_limit(most) for most in (2, 4, 6)] == [4, 8, 12]
    assert space_marines.is_near_beacon(6)
    assert not space_marines.is_near_beacon(6.1)


# --- Moonfang --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-SM-94.1")
@pytest.mark.parametrize(("given", "expect"), vectors("moonfang"))
def test_the_moonfangs_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    ap2, _ = rending_split(given["dmg"])
    left = look_up(ap2, given["invulnerable"])
    assert {
        "ap2": ap2,
        "ap2_after_invulnerable": left,
        "instant_death": space_marines.moonfang_slays(ap2, left),
    } == expect


@pytest.mark.clause("DL-SM-94.1")
@pytest.mark.parametrize(("dmg", "invulnerable", "slain"), [(60, None, 1), (57, None, 1), (56, None, 0), (100, 4, 0)])
def test_moonfang_slays_a_model_outright(dmg: int, invulnerable: int | None, slain: int):
    champion = Group("Champion", 1, 240, toughness=6, invulnerable=invulnerable)
    after = space_marines.resolve_moonfang(
        Script(), Target((champion,)), Packet("Moonfang", dmg, 4, rending=True, assault=True)
    )
    assert 1 - after.models == slain
    if slain:
        assert after.hp_removed == 240


@pytest.mark.clause("DL-SM-94.1")
def test_moonfang_before_the_save_by_ruling():
    assert not space_marines.moonfang_slays(17, 9)
    assert space_marines.moonfang_slays(17, 9, Rulings(moonfang="before_save"))


@pytest.mark.clause("DL-SM-94.1")
def test_moonfang_among_many_removes_one_and_the_rest_is_worked_out_as_usual():
    packet = Packet("Moonfang", 60, 4, rending=True, assault=True)
    after = space_marines.resolve_moonfang(Script(), Target((MARINES,)), packet)
    # AP2 part 10: one marine goes; 50 on 3+ are 17, recorded on the next
    assert (after.models, after.groups[0].recorded, after.hp_removed) == (9, 17, 57)
    weaker = space_marines.resolve_moonfang(Script(), Target((MARINES,)), replace(packet, dmg=56))
    assert (weaker.models, weaker.groups[0].recorded) == (10, 9 + 16)
    strong = space_marines.resolve_moonfang(Script(), Target((MARINES,)), replace(packet, dmg=360))
    # AP2 part 61 is more than a marine has: 61 + 100 HP as usual
    assert strong.hp_removed == 61 + look_up(300 - 1, 3)


@pytest.mark.clause("DL-SM-94.1")
def test_moonfang_among_groups_removes_one_model_in_all():
    """120 DMG on two champions of 240 HP, 60 each: the AP2 part of each is 10, and one of them goes."""
    champions = tuple(Group(name, 1, 240, toughness=6) for name in ("Hale", "Hearty"))
    packet = Packet("Moonfang", 120, 4, rending=True, assault=True)
    after = space_marines.resolve_moonfang(Script(), Target(champions, picks_save=False), packet)
    assert [group.models for group in after.groups] == [0, 1]


@pytest.mark.clause("DL-SM-94.1", "DL-26.1")
def test_an_eternal_warrior_survives_moonfang():
    hero = Group("Hero", 1, 120, rules=("eternal_warrior",))
    after = space_marines.resolve_moonfang(
        Script(), Target((hero,)), Packet("Moonfang", 60, 4, rending=True, assault=True)
    )
    assert (after.models, after.hp_removed) == (1, 60)


@pytest.mark.clause("DL-SM-94.1", "DL-42.4")
def test_moonfang_in_a_fight():
    khan = Group("Khan", 1, 120, ws=6, attacks=4, initiative=5)
    blow = blow_of(khan, "Moonfang", ("moonfang",))
    champion = Group("Champion", 1, 240, toughness=6, ws=5)
    units = (
        Fighter("Khan", "Hill", (khan,), (Strike("Khan", blow),)),
        Fighter("Champion", "Dale", (champion,), (Strike("Champion", blow_of(champion)),)),
    )
    after = strike_in_order(Script(), begin_fight(units))
    assert (after.blow_records[0].damage.dmg, after.unit("Champion").models) == (80, 0)
    assert len(after.blow_records) == 1
