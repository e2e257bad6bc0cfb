"""Preparing a game: tokens for the opponent, sheets, the agreement, advice."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.errors import BadInput
from battletape.rulesets.diceless40k.profiles.book import book, modes
from battletape.rulesets.diceless40k.profiles.types import GroupProfile, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.rules import preparation
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.deep_strike import deep_strike_tokens
from battletape.rulesets.diceless40k.rulings import Rulings
from tests.diceless40k.vectors import vectors

WEAPONS = (
    WeaponProfile("bolter"),
    WeaponProfile("plasma gun", rules=("gets_hot",)),
    WeaponProfile("plasma cannon", "heavy", marker="blast", rules=("gets_hot",)),
    WeaponProfile("krak missile", "heavy", mode_of="missile launcher"),
    WeaponProfile("frag missile", "heavy", marker="blast", mode_of="missile launcher"),
    WeaponProfile("battle cannon", "ordnance", marker="large_blast"),
    WeaponProfile("flamer", "assault", marker="template"),
    WeaponProfile("storm of fire", "assault", marker="blast", rules=("psychic",)),
)
BOOK = book()


def modes_of(name: str) -> tuple[WeaponProfile, ...]:
    return tuple(weapon for weapon in WEAPONS if name in (weapon.mode_of, weapon.name))


def total(
    *units: UnitProfile, vehicles: tuple[VehicleProfile, ...] = (), deep_strikers: int = 0, **rulings: Any
) -> preparation.Tokens:
    return preparation.total_tokens(
        preparation.token_sources(units, vehicles, modes_of, deep_strikers, Rulings(**rulings))
    )


@pytest.mark.clause("DL-30.2", "DL-30.3", "DL-31.1", "DL-50.3", "DL-95.1", "DL-PREP.4", "DL-SM-86.1", "DL-SM-57.3")
@pytest.mark.parametrize(("given", "expect"), vectors("tokens_given"))
def test_the_tokens_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    tokens = preparation.weapon_tokens(["blast"], number=given.get("blast_weapons", 0))
    tokens += preparation.weapon_tokens(["large_blast"], number=given.get("large_blast_weapons", 0))
    tokens += preparation.weapon_tokens([], gets_hot=True, number=given.get("gets_hot_weapons", 0))
    for weapon in given.get("weapons", ()):
        tokens += preparation.weapon_tokens([mode or "none" for mode in weapon["modes"]])
    for psyker in given.get("psykers", ()):
        markers = [psyker.get("template") or "none"]
        gate, all_powers = psyker.get("gate_of_infinity", False), psyker.get("name") == "Varro Tigurius"
        tokens += preparation.psyker_tokens(markers, gate, all_powers)
    tokens += preparation.Tokens(scatter=deep_strike_tokens(given.get("deep_strike_units", 0)))
    assert {"scatter": tokens.scatter, "gets_hot": tokens.gets_hot, "warp": tokens.warp} == expect


@pytest.mark.clause("DL-30.1", "DL-30.2", "DL-PREP.1", "DL-PREP.2")
def test_two_tokens_for_a_blast_and_three_for_a_large_one():
    squad = UnitProfile("Squad", models=3, weapons=("plasma cannon", "flamer"))
    tank = VehicleProfile("Tank", weapons=("battle cannon", "plasma cannon", "plasma cannon"))
    assert total(squad) == preparation.Tokens(scatter=6, gets_hot=3)
    assert total(vehicles=(tank,)) == preparation.Tokens(scatter=7, gets_hot=2)


@pytest.mark.clause("DL-30.3")
def test_the_largest_marker_of_all_modes_counts_once():
    assert total(UnitProfile("Devastators", models=4, weapons=("missile launcher",))) == preparation.Tokens(scatter=8)
    assert preparation.weapon_tokens(["blast", "large_blast"]) == preparation.Tokens(scatter=3)


@pytest.mark.clause("DL-31.1", "DL-PREP.5")
def test_four_plasma_guns_and_two_plasma_cannons():
    squad = UnitProfile(
        "Squad", models=4, weapons=("plasma gun",), groups=(GroupProfile("Heavy", 2, weapons=("plasma cannon",)),)
    )
    assert total(squad) == preparation.Tokens(scatter=4, gets_hot=6)


@pytest.mark.clause("DL-50.3", "DL-50.4", "DL-PREP.3", "DL-PREP.5")
def test_a_psyker_gives_a_warp_token_and_tokens_for_his_blast():
    seer = UnitProfile("Seer", models=1, weapons=("storm of fire",), powers=("null_zone",), rules=("psyker",))
    assert total(seer) == preparation.Tokens(scatter=2, warp=1)
    assert total(UnitProfile("Council", models=3, rules=("psyker",))) == preparation.Tokens(warp=3)
    assert total(UnitProfile("Council", models=3, rules=("psyker",)), warp_tokens="per_unit") == preparation.Tokens(
        warp=1
    )
    warden = GroupProfile("Warden", 1, rules=("psyker",))
    council = UnitProfile("Council", models=2, rules=("psyker",), groups=(warden,))
    assert total(council) == preparation.Tokens(warp=3)
    assert total(council, warp_tokens="per_unit") == preparation.Tokens(warp=1)


@pytest.mark.clause("DL-SM-57.3", "DL-SM-86.1")
def test_the_gate_and_the_master_of_all_powers():
    gate = UnitProfile(
        "Librarian", models=1, weapons=("storm of fire",), powers=("gate_of_infinity",), rules=("psyker",)
    )
    assert total(gate) == preparation.Tokens(scatter=4, warp=1)
    master = UnitProfile(
        "Master", models=1, weapons=("storm of fire",), powers=("gate_of_infinity",), rules=("psyker", "all_powers")
    )
    assert total(master) == preparation.Tokens(scatter=2, warp=1)
    assert total(master, tigurius=4) == preparation.Tokens(scatter=4, warp=1)


@pytest.mark.clause("DL-PREP.4", "DL-95.1")
def test_the_sum_of_an_army():
    tank = VehicleProfile("Tank", weapons=("battle cannon",) * 2)
    squad = UnitProfile("Squad", models=4, weapons=("missile launcher",))
    seer = UnitProfile("Seer", models=1, weapons=("storm of fire",), rules=("psyker",))
    givers = preparation.token_sources((squad, seer), (tank,), modes_of, deep_strikers=3)
    assert [(giver.name, giver.number, giver.tokens.scatter) for giver in givers] == [
        ("missile launcher", 4, 8),
        ("Seer", 1, 2),
        ("battle cannon", 2, 6),
        ("units that deep strike", 3, 6),
    ]
    assert preparation.total_tokens(givers) == preparation.Tokens(scatter=22, warp=1)


@pytest.mark.clause("DL-30.2")
def test_the_guns_of_artillery_count_and_not_their_crew():
    slaver = GroupProfile("Slaver", 1)
    battery = UnitProfile("Battery", "artillery", models=6, guns=2, weapons=("battle cannon",), groups=(slaver,))
    assert total(battery) == preparation.Tokens(scatter=6)


@pytest.mark.clause("DL-PREP.4", "DL-PREP.5", "DL-SM-86.1", "DL-SM-57.3", "DL-50.3")
@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("Space Marines", preparation.Tokens(gets_hot=2)),
        ("Devastators", preparation.Tokens(scatter=4)),
        ("Forge team", preparation.Tokens(scatter=2, gets_hot=2)),
        ("Thunder battery", preparation.Tokens(scatter=2)),
        ("Chapter Master Hadrec", preparation.Tokens(scatter=3)),
        ("Librarian Osric Vale", preparation.Tokens(warp=1)),
        ("Gate-walker Corven", preparation.Tokens(scatter=4, warp=1)),
        ("Seer-lord Tamerin", preparation.Tokens(scatter=2, warp=1)),
        ("Weirdboy Zagnit", preparation.Tokens(scatter=3, warp=1)),
        ("Lobba battery", preparation.Tokens(scatter=6)),
    ],
)
def test_what_our_profiles_give(name: str, tokens: preparation.Tokens):
    unit = BOOK.find("unit", name)
    assert (
        preparation.total_tokens(preparation.token_sources((unit,), (), lambda weapon: modes(BOOK, weapon))) == tokens
    )


@pytest.mark.clause("DL-PREP.6")
def test_a_unit_sheet_has_a_square_for_each_group():
    groups = (Group("Sergeant", 1, 40), Group("Bolters", 4, 40, recorded=7))
    sheet = preparation.unit_sheet("Squad", groups)
    assert (sheet.unit, sheet.op) == ("Squad", 0)
    assert [(square.group, square.models, square.hp, square.damage) for square in sheet.squares] == [
        ("Sergeant", 1, 40, 0),
        ("Bolters", 4, 40, 7),
    ]
    assert preparation.unit_sheet("Squad", groups, 75).op == 75


@pytest.mark.clause("DL-PREP.7")
def test_an_entry_for_each_vehicle():
    assert preparation.vehicle_entries(("Rhino", "Tank", "Rhino")) == ("Rhino 1", "Tank", "Rhino 2")


@pytest.mark.clause("DL-PREP.8", "DL-PREP.9")
def test_players_agree_and_nobody_seizes():
    agreed = preparation.agree(("Hill", "Dale"))
    assert (agreed.first, agreed.turns, agreed.night) == ("Hill", 6, False)
    assert preparation.agree(("Hill", "Dale"), "Dale", "recon", night=True, rulings=Rulings(turns=5)).turns == 5
    with pytest.raises(BadInput, match="one of Hill and Dale plays first; got 'Crow'"):
        preparation.agree(("Hill", "Dale"), "Crow")
    assert (
        str(preparation.refuse_seizing())
        == "the initiative is not seized; the players agree on the first side (DL-PREP.9)"
    )


@pytest.mark.clause("DL-PREP.10", "DL-PREP.11", "DL-PREP.12")
def test_advice_to_beginners():
    small = tuple(map(str, preparation.advice((UnitProfile("Squad", points=100),) * 4)))
    assert len(small) == 1
    assert "concentrate fire" in small[0]
    large = tuple(
        map(str, preparation.advice((UnitProfile("Squad", points=200),) * 3, (VehicleProfile("Tank", points=150),)))
    )
    assert "750 points" in large[0]
    assert "4 units" in large[1]
    riders = tuple(map(str, preparation.advice((UnitProfile("Riders", "bike"),))))
    assert "1 unit;" in riders[0]
