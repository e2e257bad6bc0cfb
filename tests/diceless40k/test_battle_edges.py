"""What happens seldom in a battle: vehicles from reserve, mines under them, leaders who test, markers on guns."""

from __future__ import annotations

import pytest

from tests.diceless40k.battles import battle, do, end, unit


@pytest.mark.clause("DL-94.2", "DL-94.3")
def test_vehicles_come_on_from_their_own_edge():
    one = battle([unit("Combat squad")], vigil_vehicles=[unit("Rhino", reserve=True), unit("Predator", reserve=True)])
    end(one, 6)
    do(one, "reserves")
    (called,) = [vehicle.name for vehicle in one.state.vehicles if one.state.where(vehicle) == "arriving"]
    do(one, "arrive", unit=called, x=30, y=12)
    position = one.state.field.position(called)
    assert (position.where, one.state.vehicle(called).moved, position.hulls[0].centre.y) == ("table", True, 12)


@pytest.mark.clause("DL-94.2")
def test_troops_on_foot_come_on_within_6_inches_of_their_edge():
    one = battle([unit("Combat squad", reserve=True), unit("Combat squad", "Second", reserve=True)])
    end(one, 6)
    do(one, "reserves")
    (called,) = [troop.name for troop in one.state.squads if one.state.where(troop) == "arriving"]
    do(one, "arrive", unit=called, x=30, y=3)
    assert one.state.field.position(called).bases[0].centre.y == 3


@pytest.mark.clause("DL-SM-67.1")
def test_mines_under_a_vehicle_are_sprung_once():
    one = battle(
        [unit("Scout bikers")],
        horde_vehicles=[unit("Trukk"), unit("Battlewagon")],
        mines="Pass",
        grounds=[{"name": "Pass", "difficult": False}],
    )
    end(one, 3)
    log = do(one, "drive", unit="Trukk", inches=6, terrain="Pass", inside=2)
    assert any("23 DMG at S4" in line for line in log)
    assert one.state.vehicle("Trukk").damage.lines == (23, 0, 0, 0, 0, 0)  # rear armour 10 less 4 is line A
    do(one, "drive", unit="Battlewagon", inches=6, terrain="Pass", inside=2)
    assert not any(one.state.vehicle("Battlewagon").damage.lines)


@pytest.mark.clause("DL-SM-67.1")
def test_by_a_ruling_mines_do_nothing_to_vehicles():
    one = battle(
        [unit("Scout bikers")],
        horde_vehicles=[unit("Trukk")],
        mines="Pass",
        grounds=[{"name": "Pass", "difficult": False}],
        rulings={"mines_on_vehicles": 0},
    )
    end(one, 3)
    do(one, "drive", unit="Trukk", inches=6, terrain="Pass", inside=2)
    assert not any(one.state.vehicle("Trukk").damage.lines)


@pytest.mark.clause("DL-8.3")
def test_a_character_who_leads_gets_the_order_points_of_the_unit_s_tests():
    captain = unit("Captain Aldous Varn", joined="Combat squad")
    one = battle([unit("Combat squad"), captain], [unit("Shoota Boyz", "Left"), unit("Shoota Boyz", "Right")])
    end(one, 4)
    do(one, "shoot", unit="Left", target="Combat squad", distance=12)
    do(one, "shoot", unit="Right", target="Combat squad", distance=12)
    end(one)
    assert one.state.squad("Combat squad").count == 1
    assert one.state.squad("Combat squad").op == 25
    assert one.state.squad("Captain Aldous Varn").op == 25


@pytest.mark.clause("DL-55.1")
def test_a_marker_hits_the_guns_and_the_crew_that_it_covers():
    one = battle([unit("Thunder battery")], [unit("Kannon battery", guns=2)])
    end(one)
    shot = {"target": "Kannon battery", "distance": 30, "weapons": ["Surface detonation"]}
    log = do(one, "shoot", unit="Thunder battery", hits=[2, 0, 0, 0], gun_hits=1, **shot)
    assert (
        "Kannon battery: Surface detonation on Kannon battery: 36 DMG → no save → 36 HP" in log
    )  # 2 hits × S6 × 3, no split
    battery = one.state.squad("Kannon battery")
    assert battery.count == 2  # 20 HP each, and S6 kills T2 outright
    assert battery.gun_lines == (0, 0, 3, 0, 0, 0)  # 1 hit × 3 on line C, armour 10 less 6
    assert len(battery.guns) == 2


@pytest.mark.clause("DL-45.1")
def test_a_unit_that_falls_back_over_its_edge_leaves_the_game():
    one = battle(
        [unit("Shoota Boyz", "Gunners")], [unit("Levies", models=30) | {"profile": "", "toughness": 3, "ld": 2}]
    )
    end(one)
    do(one, "shoot", unit="Gunners", target="Levies", distance=12)
    end(one)
    assert one.state.squad("Levies").falling_back
    end(one)
    do(one, "fall_back", unit="Levies", leaves=True)
    assert one.state.is_gone(one.state.squad("Levies"))
