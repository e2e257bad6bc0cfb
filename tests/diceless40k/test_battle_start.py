"""How a battle is set up: sheets, tokens, reserves, what is agreed, and what is refused."""

from __future__ import annotations

import msgspec
import pytest

from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.rulesets.diceless40k import RULESET
from battletape.rulesets.diceless40k.battle.start import sample
from battletape.rulesets.diceless40k.battle.state import State
from battletape.rulesets.diceless40k.rules.preparation import Tokens
from tests.diceless40k.battles import battle, unit


@pytest.mark.clause("DL-6.1", "DL-6.3", "DL-25.1")
def test_units_begin_with_groups_hit_points_and_no_order_points():
    one = battle([unit("Devastators")])
    troop = one.state.squad("Devastators")
    assert [(group.name, group.models, group.hp) for group in troop.groups] == [
        ("Devastator sergeant", 1, 40),
        ("Missile launchers", 2, 40),
        ("Devastators", 2, 40),
    ]
    assert (troop.op, troop.hp, troop.starting) == (0, 200, 5)


@pytest.mark.clause("DL-30.1", "DL-31.1", "DL-50.4", "DL-95.1", "DL-PREP.4", "DL-PREP.5")
def test_each_army_gives_its_opponent_tokens():
    drop = unit("Assault Marines", reserve=True, arrives="deep_strike")
    one = battle([unit("Forge team"), unit("Gate-walker Corven"), drop], [unit("Weirdboy Zagnit")])
    # plasma cannon 2, Vortex 2, gate 2, a deep striker 2; plasma pistol and plasma cannon; one psyker
    assert one.state.player("Horde").tokens == Tokens(8, 2, 1)
    assert one.state.player("Vigil").tokens == Tokens(3, 0, 1)


@pytest.mark.clause("DL-70.2", "DL-PREP.7")
def test_open_topped_vehicles_begin_with_a_ticked_box_and_twins_are_numbered():
    one = battle(vigil_vehicles=[unit("Rhino"), unit("Rhino")], horde_vehicles=[unit("Trukk")])
    assert [vehicle.name for vehicle in one.state.vehicles] == ["Rhino 1", "Rhino 2", "Trukk"]
    assert [vehicle.damage.glancing for vehicle in one.state.vehicles] == [(), (), (0,)]


@pytest.mark.clause("DL-PREP.8", "DL-PREP.10")
def test_the_sample_armies_have_about_500_points_and_a_first_player():
    one = Battle.new(RULESET)
    assert one.state.active == "Vigil"
    for side in sample()["sides"]:
        units = sum(RULESET.book.find("unit", entry["profile"]).points for entry in side["units"])
        vehicles = sum(RULESET.book.find("vehicle", entry["profile"]).points for entry in side["vehicles"])
        assert 450 <= units + vehicles <= 550
    assert battle(first="Horde").state.active == "Horde"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"vigil": [unit("Combat squad", armour=1)]}, "a save from 2[+] to 6[+]"),
        (
            {"vigil": [unit("Combat squad", arrives="outflank", reserve=True)]},
            "no rule that lets it outflank .DL-94.8.",
        ),
        ({"vigil": [unit("Assault Marines", arrives="deep_strike")]}, "begin in reserve"),
        ({"vigil": [unit("Combat squad", "Twin"), unit("Combat squad", "twin")]}, "is used twice"),
        (
            {"vigil": [unit("Combat squad", aboard="Rhino")], "vigil_vehicles": [unit("Rhino", capacity=4)]},
            "has room for 4",
        ),
        ({"vigil": [unit("Combat squad", joined="Far Vigil")]}, "only a character"),
        ({"mines": "Wood", "grounds": [{"name": "Wood"}]}, "no unit that lays cluster mines .DL-SM-67.1."),
        ({"vigil": [unit("Cumbatsqad")]}, "Did you mean 'Combat squad'"),
        ({"vigil": [unit("Devastators"), unit("Librarian Osric Vale", "devastator SERGEANT")]}, "name of its own"),
        ({"vigil": [{"name": "Mob", "groups": [{"name": "Boss"}, {"name": "boss"}]}]}, "every group of Mob .*DL-25.1"),
        ({"first": "Nobody"}, "plays first"),
        ({"grounds": [{"name": "Wood", "corners": [{"x": 1, "y": 1}]}]}, "three corners or more"),
    ],
)
def test_a_bad_start_is_refused_with_a_sentence(given, message):
    with pytest.raises(BadInput, match=message):
        battle(**given)


def test_a_start_of_one_side_is_refused():
    with pytest.raises(BadInput, match="two sides"):
        Battle.new(RULESET, {"sides": [{"name": "Vigil"}]})


def test_a_state_comes_back_from_json():
    state = Battle.new(RULESET).state
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


@pytest.mark.clause("DL-PREP.6", "DL-PREP.7")
def test_the_tables_show_tokens_unit_sheets_and_vehicle_sheets():
    tokens, units, vehicles, terrain = Battle.new(RULESET).tables
    assert tokens.rows == (("Vigil", "3", "0", "1"), ("Horde", "4", "2", "1"))
    assert units.rows[0][3] == "Combat squad sergeant 1 x 40 HP; Lascannon gunner 1 x 40 HP; Tactical squad 3 x 40 HP"
    assert vehicles.rows[1][:10] == ("Trukk", "Horde", "0", "0", "0", "0", "0", "0", "1/7", "0/5")
    assert [row[1] for row in terrain.rows] == ["difficult", "difficult", "open", "difficult and dangerous"]
