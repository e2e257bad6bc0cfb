"""Vehicles in a battle: driving, terrain, rams, tank shock, transports, the end of them, and repairs."""

from __future__ import annotations

import pytest

from tests.diceless40k.battles import battle, do, end, hp, refused, unit


@pytest.mark.clause("DL-57.1", "DL-57.2")
def test_terrain_hurts_the_rear_by_the_inch():
    one = battle(
        vigil_vehicles=[unit("Rhino")],
        grounds=[{"name": "Wood"}, {"name": "Reef", "strength": 9, "vehicle_dmg_per_inch": 5}],
    )
    do(one, "drive", unit="Rhino", inches=6, terrain="Wood", inside=3)
    assert one.state.vehicle("Rhino").damage.lines == (0, 0, 0, 0, 30, 0)
    end(one, 6)
    assert one.state.vehicle("Rhino").damage.immobilised
    do(one, "self_repair", "E", unit="Rhino")
    assert one.state.vehicle("Rhino").damage.lines[4] == 24


@pytest.mark.clause("DL-60.2")
def test_speed_is_what_the_last_movement_phase_saw():
    one = battle(vigil_vehicles=[unit("Rhino")])
    do(one, "drive", unit="Rhino", inches=12)
    assert one.state.vehicle("Rhino").speed == "cruising"
    end(one, 6)
    assert one.state.vehicle("Rhino").speed == "cruising"
    end(one)
    assert one.state.vehicle("Rhino").speed == "immobile"


@pytest.mark.clause("DL-69.1", "DL-71.1")
def test_a_ram_hurts_both():
    one = battle(vigil_vehicles=[unit("Land Raider")], horde_vehicles=[unit("Battlewagon"), unit("Trukk")])
    refused(one, "ram", "DL-69.1", "12 inches at most", unit="Land Raider", target="Battlewagon", inches=13)
    do(one, "ram", unit="Land Raider", target="Battlewagon", inches=12, facing="side")
    assert sum(one.state.vehicle("Battlewagon").damage.lines) == 20
    end(one, 3)
    refused(one, "ram", "DL-69.1", "only a tank", unit="Trukk", target="Land Raider", inches=6)


@pytest.mark.clause("DL-8.1")
def test_tank_shock_is_a_morale_test_and_heroes_may_stand():
    one = battle(vigil_vehicles=[unit("Rhino")], horde=[unit("Tankbustas")])
    log = do(one, "tank_shock", "Tankbustas", unit="Rhino", target="Tankbustas", inches=6)
    assert "Tankbustas, tank shock on Ld 7: 0 + 25 = 25 OP against 117 (table 2): passed" in log
    assert sum(one.state.vehicle("Rhino").damage.lines) == 20


@pytest.mark.clause("DL-67.1", "DL-67.2", "DL-70.1")
def test_an_explosion_hurts_passengers_who_then_test():
    riders = unit("Combat squad", models=10, groups=[], aboard="Rhino")
    one = battle([riders], vigil_vehicles=[unit("Rhino", capacity=12)])
    log = do(one, "mark_line", unit="Rhino", line="F", dmg=36)
    assert one.state.vehicle("Rhino").damage.destroyed == "explodes"
    assert hp(one, "Combat squad") == 360  # 120 DMG, 3+: 33 + 7 = 40 HP
    squad = one.state.squad("Combat squad")
    assert (one.state.where(squad), squad.op, squad.count) == ("table", 25, 9)
    assert any("Combat squad, pinning test on Ld 8: 0 + 25 = 25 OP" in line for line in log)


@pytest.mark.clause("DL-67.1")
def test_bystanders_suffer_on_a_board():
    squad = unit("Combat squad", x=30, y=20)
    for ruling, lost in (("four_inches", True), ("none", False)):
        one = battle([squad], horde_vehicles=[unit("Trukk", x=34, y=20)], rulings={"bystanders": ruling})
        do(one, "mark_line", unit="Trukk", line="F", dmg=36)
        assert (hp(one, "Combat squad") < 200) is lost


@pytest.mark.clause("DL-SM-89.1")
def test_a_tank_commander_survives_with_30_hp():
    one = battle(vigil_vehicles=[unit("Predator of Sergeant Chronel", "Tank")])
    name = "Commander of Tank"
    refused(one, "move", "DL-0.1", "commands a tank", unit=name, inches=3)
    log = do(one, "mark_line", unit="Tank", line="F", dmg=36)
    assert f"{name} gets out with 30 of 40 HP" in log
    commander = one.state.squad(name)
    assert (one.state.where(commander), commander.hp, commander.groups[0].recorded) == ("table", 30, 10)


@pytest.mark.clause("DL-60.19", "DL-60.17")
def test_a_shaken_crew_recovers_at_the_end_of_its_own_turn_and_the_box_stays():
    one = battle(vigil_vehicles=[unit("Predator")], horde=[unit("Ork Boyz")])
    do(one, "mark_line", unit="Predator", line="A", dmg=36)
    end(one)
    shot = {"unit": "Predator", "target": "Ork Boyz", "distance": 20}
    refused(one, "shoot", "DL-60.17", "shaken crew", **shot)
    end(one, 8)
    damage = one.state.vehicle("Predator").damage
    assert (damage.shaken, damage.glancing) == (False, (0,))


def test_a_vehicle_fires_what_its_speed_allows():
    one = battle(vigil_vehicles=[unit("Predator")], horde=[unit("Ork Boyz")])
    do(one, "drive", unit="Predator", inches=6)
    end(one)
    log = do(one, "shoot", unit="Predator", target="Ork Boyz", distance=20)
    assert sum(" DMG, AP" in line for line in log) < 4


def test_units_get_in_and_out():
    one = battle([unit("Combat squad", aboard="Rhino")], vigil_vehicles=[unit("Rhino")])
    refused(one, "move", "DL-0.1", "disembark first", unit="Combat squad", inches=3)
    do(one, "disembark", unit="Combat squad")
    assert one.state.field.position("Combat squad").where == "table"
    end(one, 6)
    do(one, "embark", unit="Combat squad", machine="Rhino", distance=1)
    assert one.state.field.position("Combat squad").aboard == "Rhino"
    refused(one, "embark", "DL-0.1", "carries|disembark", unit="Far Vigil", machine="Rhino", distance=1)


@pytest.mark.clause("DL-60.6")
def test_smoke_hides_once():
    one = battle([unit("Lootas")], vigil_vehicles=[unit("Rhino")])
    do(one, "smoke", unit="Rhino")
    assert one.state.vehicle("Rhino").in_smoke
    end(one, 6)
    assert not one.state.vehicle("Rhino").in_smoke


@pytest.mark.clause("DL-60.13", "DL-60.17")
def test_what_is_written_by_hand_tells_the_boxes_it_ticks():
    one = battle(vigil_vehicles=[unit("Predator")])
    log = do(one, "mark_line", "Autocannon", unit="Predator", line="e", dmg=22)
    assert [line for line in log if line.startswith("Predator: ")] == [  # the weapon is chosen between them
        "Predator: 22 DMG on line E: E8G E15P E22P; the sheet has E22",
        "Predator: Glancing hit E8G: crew shaken",
        "Predator: Penetrating hit E15P: crew stunned",
        "Predator: Penetrating hit E22P: weapon destroyed (Autocannon)",
    ]
    assert do(one, "mark_line", unit="Predator", line="E", dmg=2) == [
        "Predator: 2 DMG on line E: no hit; the sheet has E24"
    ]


@pytest.mark.clause("DL-SM-71.1")
def test_who_repairs_does_not_fire_or_run_but_may_charge():
    one = battle([unit("Forge team")], [unit("Ork Boyz")], vigil_vehicles=[unit("Predator")])
    do(one, "mark_line", unit="Predator", line="C", dmg=36)
    end(one)
    do(one, "repair", unit="Forge team", machine="Predator")
    again = "has made a repair in this turn"
    refused(one, "repair", "DL-SM-71.1", again, unit="Forge team", machine="Predator", line="C")
    instead = "Forge team has repaired Predator"
    refused(
        one, "shoot", "DL-SM-71.1", f"{instead} instead of firing", unit="Forge team", target="Ork Boyz", distance=9
    )
    refused(one, "run", "DL-SM-71.1", f"{instead} and does not run", unit="Forge team")
    end(one)
    do(one, "charge", unit="Forge team", target="Ork Boyz", distance=5)
    assert one.state.squad("Ork Boyz").combat


@pytest.mark.clause("DL-SM-71.2", "DL-60.17", "DL-60.19")
@pytest.mark.parametrize("line, dmg, result", [("A", 36, "shaken"), ("C", 24, "stunned")])
def test_a_repair_ends_what_a_crew_still_suffers(line, dmg, result):
    one = battle([unit("Forge team")], [unit("Ork Boyz")], vigil_vehicles=[unit("Predator")])
    do(one, "mark_line", unit="Predator", line=line, dmg=dmg)
    end(one)
    shot = {"unit": "Predator", "target": "Ork Boyz", "distance": 20}
    refused(one, "shoot", "DL-60.17", f"a {result} crew", **shot)
    log = do(one, "repair", line=line, unit="Forge team", machine="Predator")
    assert f"Predator: Undone: crew {result}" in log
    assert "Predator: the crew has recovered" in log
    damage = one.state.vehicle("Predator").damage
    assert (damage.shaken, damage.stunned) == (False, False)
    do(one, "shoot", **shot)


@pytest.mark.clause("DL-SM-71.1", "DL-SM-71.2", "DL-SM-71.3", "DL-SM-71.4")
def test_a_techmarine_repairs_with_servitors_and_harness():
    one = battle([unit("Forge team")], vigil_vehicles=[unit("Predator")])
    do(one, "mark_line", unit="Predator", line="C", dmg=36)
    end(one)
    far = {"unit": "Forge team", "machine": "Predator"}
    refused(one, "repair", "DL-SM-71.1", "in contact", distance=5, **far)
    refused(one, "repair", "DL-SM-71.1", "holds no damage", line="A", **far)
    log = do(one, "repair", line="C", **far)
    assert "Predator: Line C: 36 - 30 → 6 DMG, which undoes C12G C24P C36P" in log
    assert one.state.vehicle("Predator").damage.history == ()


@pytest.mark.clause("DL-SM-72.1")
def test_servitors_alone_work_for_one_turn():
    one = battle([unit("Forge team")], [unit("Ork Boyz")])
    do(one, "lose_hp", unit="Forge team", group="Forge team", hp=40)
    end(one)
    fire = {"unit": "Forge team", "target": "Ork Boyz", "distance": 20, "weapons": ["Heavy bolter"]}
    do(one, "shoot", **fire)
    end(one, 6)
    assert one.state.squad("Forge team").turns_without == 1
    do(one, "shoot", **fire)
    end(one, 6)
    refused(one, "shoot", "DL-SM-72.1", "mindlocked", **fire)


# --- squadrons ------------------------------------------------------------------------------------------------------


def speeders(number: int = 2, **more: object) -> list[dict[str, object]]:
    """Land speeders of one squadron."""
    return [unit("Land Speeder", f"Speeder {at}", squadron="Wing", **more) for at in range(1, number + 1)]


@pytest.mark.clause("DL-25.2", "DL-60.5")
def test_shots_at_a_squadron_go_evenly_to_all_of_it():
    lootas = unit("Lootas", models=5)
    one = battle(vigil_vehicles=speeders(2), horde=[lootas])
    alone = battle(vigil_vehicles=[unit("Land Speeder", "Speeder 1")], horde=[lootas])
    fire = {"unit": "Lootas", "target": "Speeder 1", "distance": 30}
    for game in (one, alone):
        end(game, 4)
        do(game, "shoot", **fire)
    whole = sum(alone.state.vehicle("Speeder 1").damage.lines)
    shares = [sum(one.state.vehicle(f"Speeder {at}").damage.lines) for at in (1, 2)]
    assert sum(shares) == whole
    assert shares == [whole - whole // 2, whole // 2]


@pytest.mark.clause("DL-25.2")
def test_the_owner_of_a_squadron_places_leftover_points():
    one = battle(vigil_vehicles=speeders(2, front=12), horde=[unit("Tankbustas", models=3)])
    end(one, 4)
    do(one, "shoot", 0, unit="Tankbustas", target="Speeder 1", distance=20)  # BS2 +1 tank hunters +2 immobile, 3 shots
    shares = [sum(one.state.vehicle(f"Speeder {at}").damage.lines) for at in (1, 2)]
    assert shares == [7, 8]


@pytest.mark.clause("DL-60.17", "DL-0.1")
def test_in_a_squadron_stunned_is_shaken_and_immobilised_is_wrecked_until_one_is_left():
    one = battle(vigil_vehicles=speeders(2))
    do(one, "mark_line", unit="Speeder 1", line="B", dmg=36)  # one glancing hit, and one penetrating: stunned
    damage = one.state.vehicle("Speeder 1").damage
    assert (damage.stunned, damage.shaken) == (False, True)
    do(one, "mark_line", unit="Speeder 1", line="C", dmg=36)
    assert one.state.vehicle("Speeder 1").damage.destroyed == "wrecked"
    do(one, "mark_line", unit="Speeder 2", line="B", dmg=36)
    assert one.state.vehicle("Speeder 2").damage.stunned


@pytest.mark.clause("DL-0.1")
def test_a_squadron_stays_together():
    wing = [unit("Land Speeder", f"Speeder {at}", squadron="Wing", x=20 + 5 * at, y=10) for at in (1, 2)]
    one = battle(vigil_vehicles=wing)
    do(one, "drive", unit="Speeder 1", path=[{"x": 25, "y": 22}])
    refused(one, "end_phase", "DL-0.1", "from the rest of Wing, which stays within 4 inches; drive Speeder 2 first")
    refused(one, "drive", "DL-0.1", "a squadron stays within 4 inches", unit="Speeder 2", path=[{"x": 40, "y": 10}])
    do(one, "drive", unit="Speeder 2", path=[{"x": 30, "y": 22}])
    end(one)


@pytest.mark.clause("DL-0.1")
def test_who_cannot_come_back_to_its_squadron_comes_nearer_at_least():
    wing = [unit("Land Speeder", f"Speeder {at}", squadron="Wing", x=x, y=10) for at, x in ((1, 4), (2, 60))]
    one = battle(vigil_vehicles=wing)
    do(one, "drive", unit="Speeder 1", path=[{"x": 10, "y": 10}])
    do(one, "drive", unit="Speeder 2", path=[{"x": 48, "y": 10}])
    end(one)
    assert one.state.phase == "shooting"


@pytest.mark.clause("DL-0.1")
def test_the_first_of_a_squadron_does_not_drive_where_the_others_cannot_follow():
    wing = [unit("Land Speeder", squadron="Wing", x=30, y=10), unit("Rhino", squadron="Wing", x=35, y=10)]
    one = battle(vigil_vehicles=wing)
    refused(one, "drive", "DL-0.1", "can follow it 12 inches", unit="Land Speeder", path=[{"x": 7, "y": 10}])
    do(one, "drive", unit="Land Speeder", path=[{"x": 20, "y": 10}])
    do(one, "drive", unit="Rhino", path=[{"x": 26, "y": 10}])
    end(one)
