"""Explosions and wrecks: passengers, bystanders, pinning, the tank commander."""

from __future__ import annotations

import pytest

from battletape.errors import BadInput
from battletape.procedure import fold
from battletape.rulesets.diceless40k.rules import passengers
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import Point
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors

MARINES = Group("Marines", 10, 40, armour=3)
BOYZ = Group("Boyz", 12, 40, armour=6, ld=7)


def ends(end: passengers.VehicleDestruction) -> passengers.VehicleDestruction:
    after: passengers.VehicleDestruction = fold(passengers.VEHICLE_END, Script(), end)
    return after


@pytest.mark.clause("DL-67.1", "DL-67.2", "DL-70.1")
@pytest.mark.parametrize("given, expect", vectors("explosion_passengers"))
def test_vectors_of_passengers(given, expect):
    packet = passengers.passenger_packet(given["passengers"], given["open_topped"])
    assert (packet.dmg, packet.ap) == (expect["dmg"], expect["ap"])
    group = Group("Inside", given["passengers"], 40, armour=given["save"])
    after = ends(passengers.VehicleDestruction("explodes", given["open_topped"], Target((group,))))
    assert after.passengers is not None
    assert after.passengers.losses.hp == expect["hp_lost"]
    assert (after.test is not None) == expect["pinning_test"]


@pytest.mark.clause("DL-67.1")
@pytest.mark.parametrize("given, expect", vectors("explosion_bystanders"))
def test_vectors_of_bystanders(given, expect):
    near = passengers.Bystanders(Target((Group("Near", 10, 40, armour=given["save"]),)), (given["models_within_4"],))
    after = ends(passengers.VehicleDestruction("explodes", bystanders=(near,))).bystanders[0].target
    assert (after.losses.dmg, after.losses.hp) == (expect["dmg"], expect["hp_lost"])


@pytest.mark.clause("DL-SM-89.1")
@pytest.mark.parametrize("given, expect", vectors("chronus"))
def test_vectors_of_the_tank_commander(given, expect):
    assert (passengers.chronus_hp(given["result"]), passengers.CHRONUS_MAX_HP) == (expect["hp"], expect["max_hp"])


@pytest.mark.clause("DL-SM-89.1")
def test_the_tank_commander_survives():
    assert [passengers.chronus_hp(result) for result in ("wrecked", "explodes", "immobilised", "none")] == [
        30,
        30,
        40,
        40,
    ]
    assert passengers.chronus_hp("wrecked", 25) == 25


@pytest.mark.clause("DL-67.1", "DL-67.2")
def test_ten_marines_in_a_rhino():
    after = ends(passengers.VehicleDestruction("explodes", passengers=Target((MARINES,)), op=100))
    assert after.passengers is not None
    assert after.test is not None
    assert after.passengers.losses.hp == 40
    assert (after.passengers.removed, after.passengers.models) == (1, 9)
    assert (after.test.op, after.test.passed, after.pinned) == (125, True, False)


@pytest.mark.clause("DL-70.1")
def test_twelve_boyz_in_a_trukk():
    after = ends(passengers.VehicleDestruction("explodes", True, Target((BOYZ,)), op=100))
    assert after.passengers is not None
    toll = after.passengers.losses
    assert (toll.dmg, toll.hp, toll.removed, after.passengers.groups[0].recorded) == (108, 90, 2, 10)
    assert after.pinned  # 125 against 117


@pytest.mark.clause("DL-67.2")
def test_a_wreck_hurts_nobody_but_pins():
    after = ends(
        passengers.VehicleDestruction(
            "wrecked", passengers=Target((BOYZ,)), bystanders=(passengers.Bystanders(Target((BOYZ,)), (5,)),)
        )
    )
    assert after.passengers is not None
    assert after.test is not None
    assert after.passengers == after.bystanders[0].target == Target((BOYZ,))
    assert after.test.op == 25
    brave = Group("Brave", 3, 40, rules=("fearless",))
    assert ends(passengers.VehicleDestruction("wrecked", passengers=Target((brave,)))).test is None
    assert ends(passengers.VehicleDestruction("explodes")).test is None
    dead = Group("Weak", 1, 10)
    assert ends(passengers.VehicleDestruction("explodes", passengers=Target((dead,)))).test is None


@pytest.mark.clause("DL-67.1")
def test_cover_does_not_help_inside():
    shelter = Target((Group("Inside", 5, 40),), cover=4)
    after = ends(passengers.VehicleDestruction("explodes", passengers=shelter)).passengers
    assert after is not None
    assert after.losses.hp == 60


@pytest.mark.clause("DL-67.1")
@pytest.mark.parametrize("ruling, dmg", [("four_inches", 27), ("none", 0)])
def test_bystanders_by_ruling(ruling, dmg):
    rules = Rulings(bystanders=ruling)
    assert passengers.bystander_packet(3, rules).dmg == dmg
    near = passengers.Bystanders(Target((BOYZ, MARINES), rules), (3, 0))
    after = ends(passengers.VehicleDestruction("explodes", bystanders=(near,), rulings=rules))
    boyz, marines = after.bystanders[0].target.groups
    assert (after.bystanders[0].target.losses.dmg, marines) == (dmg, MARINES)
    assert (boyz == BOYZ) is (dmg == 0)


@pytest.mark.clause("DL-67.1")
def test_bad_numbers():
    with pytest.raises(BadInput, match="passengers are 0 or more"):
        passengers.passenger_packet(-1)
    with pytest.raises(BadInput, match="0 or more"):
        passengers.bystander_packet(-1)
    with pytest.raises(BadInput, match="Boyz has 12 models; got 13"):
        ends(passengers.VehicleDestruction("explodes", bystanders=(passengers.Bystanders(Target((BOYZ,)), (13,)),)))
    with pytest.raises(BadInput, match="1 groups stand there; got 2"):
        ends(passengers.VehicleDestruction("explodes", bystanders=(passengers.Bystanders(Target((BOYZ,)), (1, 1)),)))


@pytest.mark.clause("DL-67.1")
def test_who_is_in_reach_on_the_table():
    hull = Hull(Point(0, 0), 0, 4, 3)
    models = (Base(Point(0, 6.5)), Base(Point(0, 6.6)), Base(Point(-3, 0)))
    assert passengers.in_reach(hull, models) == (0, 2)
