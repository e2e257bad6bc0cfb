"""What a battle carries from one phase and turn to the next: crews, ground, servitors, riders, and who is pinned."""

from __future__ import annotations

import pytest

from tests.diceless40k.battles import battle, do, end, hp, refused, unit

DROP = {"reserve": True, "arrives": "deep_strike"}
LAVA = {"name": "Lava", "difficult": False, "dangerous": True}


@pytest.mark.clause("DL-60.17", "DL-60.19")
def test_a_stunned_crew_recovers_in_time_even_if_it_is_shaken_anew():
    one = battle(vigil_vehicles=[unit("Predator")])
    end(one, 3)
    do(one, "mark_line", unit="Predator", line="F", dmg=12)  # 6G and 12P: shaken and stunned
    end(one, 3)
    do(one, "mark_line", unit="Predator", line="A", dmg=36)  # 36G in its own turn: shaken again
    end(one, 3)
    damage = one.state.vehicle("Predator").damage
    assert (damage.shaken, damage.stunned) == (True, False)
    end(one, 6)
    assert not one.state.vehicle("Predator").damage.shaken
    assert one.state.vehicle("Predator").damage.glancing == (0, 1)


@pytest.mark.clause("DL-67.2")
def test_who_is_pinned_in_his_own_turn_does_nothing_in_the_next_one():
    riders = unit("Combat squad", "Squad", ld=3, groups=[], aboard="Rhino")
    one = battle([riders], vigil_vehicles=[unit("Rhino")])
    do(one, "mark_line", unit="Rhino", line="F", dmg=30)  # 6G, then 12P to 30P: stunned, weapon, immobilised, wrecked
    assert (one.state.vehicle("Rhino").damage.destroyed, one.state.squad("Squad").op) == ("wrecked", 25)
    end(one, 6)
    refused(one, "move", "DL-0.1", "gone to ground", unit="Squad", inches=3)
    end(one, 6)
    assert not one.state.squad("Squad").gone_to_ground


@pytest.mark.clause("DL-67.2", "DL-8.3")
def test_a_character_leads_the_pinning_test_of_those_who_get_out():
    squad, varn = unit("Combat squad", "Squad", aboard="Rhino"), unit("Captain Aldous Varn", "Varn", aboard="Rhino")
    one = battle([squad, {**varn, "joined": "Squad"}], vigil_vehicles=[unit("Rhino")])
    do(one, "mark_line", unit="Rhino", line="F", dmg=36)
    assert [one.state.squad(name).op for name in ("Squad", "Varn")] == [25, 25]


@pytest.mark.clause("DL-95.5")
def test_who_rides_in_a_pod_that_is_lost_is_lost_with_it():
    one = battle([unit("Combat squad", "Squad", aboard="Pod")], vigil_vehicles=[unit("Landing pod", "Pod", **DROP)])
    end(one, 12)
    do(one, "reserves")
    do(one, "deep_strike", unit="Pod", zone="enemy", hazard=0)
    assert (one.state.field.position("Pod").where, one.state.field.position("Squad").where) == ("off", "off")


@pytest.mark.clause("DL-SM-72.1")
def test_servitors_who_begin_alone_have_one_turn_whoever_plays_first():
    team = unit("Forge team", "Servitors", rules=["servitor"], groups=[])
    for first, phases in (("Vigil", 1), ("Horde", 4)):
        one = battle([team], [unit("Ork Boyz")], first=first)
        end(one, phases)
        fire = {"unit": "Servitors", "target": "Ork Boyz", "distance": 8}
        assert one.state.squad("Servitors").turns_without == 1
        do(one, "shoot", **fire)
        end(one, 6)
        refused(one, "shoot", "DL-SM-72.1", "mindlocked", **fire)


# --- ground -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-57.1")
@pytest.mark.parametrize(
    ("ends", "dmg"), [({}, 0), ({"ends": True}, 10), ({"starts": True}, 10), ({"starts": True, "ends": True}, 20)]
)
def test_a_skimmer_counts_an_inch_for_each_end_in_terrain(ends, dmg):
    one = battle(vigil_vehicles=[unit("Land Speeder")], grounds=[{"name": "Wood"}])
    do(one, "drive", unit="Land Speeder", inches=12, inside=5, terrain="Wood", **ends)
    assert sum(one.state.vehicle("Land Speeder").damage.lines) == dmg


@pytest.mark.clause("DL-SM-73.2", "DL-57.1")
@pytest.mark.parametrize(("ruling", "dmg"), [("whole_move", 60), ("terrain_only", 20)])
def test_no_inch_of_shaken_ground_counts_twice(ruling, dmg):
    """Six inches over shaken ground, two of them in a wood, are 60 DMG."""
    one = battle(
        [unit("Thunder battery")],
        horde_vehicles=[unit("Battlewagon")],
        grounds=[{"name": "Wood"}],
        rulings={"tremor_vehicle": ruling},
    )
    end(one)
    do(one, "shoot", unit="Thunder battery", target="Battlewagon", distance=20, weapons=["Tremor shell"], hits=[1] * 4)
    before = sum(one.state.vehicle("Battlewagon").damage.lines)
    end(one, 2)
    do(one, "drive", unit="Battlewagon", inches=6, inside=2, terrain="Wood")
    assert sum(one.state.vehicle("Battlewagon").damage.lines) == before + dmg


@pytest.mark.clause("DL-57.1")
def test_a_walker_suffers_dangerous_ground_when_it_runs_and_charges():
    one = battle(
        horde=[unit("Ork Boyz")], vigil_vehicles=[unit("Dreadnought"), unit("Ironclad Dreadnought")], grounds=[LAVA]
    )
    end(one)
    do(one, "run", unit="Dreadnought", inches=3, inside=1, terrain="Lava")
    assert one.state.vehicle("Dreadnought").damage.lines == (0, 0, 0, 0, 10, 0)
    end(one)
    do(one, "charge", unit="Ironclad Dreadnought", target="Ork Boyz", distance=4, inside=1, terrain="Lava")
    assert one.state.vehicle("Ironclad Dreadnought").damage.lines == (0, 0, 0, 0, 10, 0)


@pytest.mark.clause("DL-SM-67.1")
def test_a_charge_springs_mines_too():
    one = battle([unit("Scout bikers")], [unit("Ork Boyz")], mines="Wood", grounds=[{"name": "Wood"}])
    end(one, 5)
    before = hp(one, "Ork Boyz")
    do(one, "charge", unit="Ork Boyz", target="Scout bikers", distance=4, inside=1, terrain="Wood")
    assert one.state.field.terrain_piece("Wood").mined_by == ""
    assert hp(one, "Ork Boyz") < before


# --- arrivals and departures ------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-95.5", "DL-95.3")
@pytest.mark.parametrize(("ruling", "where"), [("aimed", "table"), ("landed", "held")])
def test_the_zone_of_a_mishap_is_that_of_the_aim_or_of_the_landing(ruling, where):
    """Aimed two inches north of the own zone, and pushed into a friend in it: misplaced, or back to reserve."""
    drops = [unit("Assault Marines", f"Drop {number}", **DROP) for number in range(2)]
    one = battle([*drops, unit("Ork Boyz", "Friends", x=36, y=11)], rulings={"zone_of": ruling})
    end(one, 6)
    do(one, "reserves")
    do(one, "deep_strike", unit="Drop 0", x=36, y=15.5, bearings=[180, 180])
    assert one.state.field.position("Drop 0").where == where


@pytest.mark.clause("DL-95.5", "DL-95.2")
def test_where_a_mishap_goes_by_the_landing_the_opponent_says_in_which_zone():
    """Friends stand on both sides of the border of the own zone; tokens without bearings reach both."""
    drops = [unit("Assault Marines", f"Drop {number}", **DROP) for number in range(2)]
    friends = [unit("Ork Boyz", "South", x=36, y=9), unit("Ork Boyz", "North", x=36, y=21)]
    for zone, where in (("own", "held"), ("neutral", "table")):
        one = battle([*drops, *friends], rulings={"zone_of": "landed"})
        end(one, 6)
        do(one, "reserves")
        log = do(one, "deep_strike", zone, unit="Drop 0", x=36, y=15, tokens=4)
        assert f"Zone of the mishap of Drop 0 by Horde: {zone}" in log
        assert one.state.field.position("Drop 0").where == where


@pytest.mark.clause("DL-95.5")
def test_without_a_board_somebody_says_where_it_comes_down_if_that_counts():
    drops = [unit("Assault Marines", f"Drop {number}", **DROP) for number in range(2)]
    strike = {"unit": "Drop 0", "zone": "neutral", "hazard": 3, "tokens": 2}
    one = battle(drops, rulings={"zone_of": "landed"})
    end(one, 6)
    do(one, "reserves")
    refused(one, "deep_strike", "DL-95.5", "say landed=own, neutral or enemy", **strike)
    do(one, "deep_strike", "mishap", **strike, landed="enemy")
    assert one.state.field.position("Drop 0").where == "off"
    usual = battle(drops)
    end(usual, 6)
    do(usual, "reserves")
    do(usual, "deep_strike", "mishap", **strike)
    assert usual.state.field.position("Drop 0").where == "table"


@pytest.mark.clause("DL-94.2", "DL-95.1")
def test_a_character_counts_and_comes_with_the_unit_that_he_has_joined():
    """Three units, not four, so one of them comes on turn 2; and one deep striker, not two, gives tokens."""
    squads = [
        unit("Terminators", "Elders", **DROP),
        *(unit("Combat squad", f"Squad {at}", reserve=True) for at in (1, 2)),
    ]
    one = battle([*squads, unit("Captain Aldous Varn", "Varn", joined="Elders")])
    assert one.state.player("Horde").tokens.scatter == 2
    assert one.state.field.position("Varn").where == "reserve"
    end(one, 6)
    do(one, "reserves")
    assert [troop.name for troop in one.state.squads if one.state.where(troop) == "arriving"] == ["Elders", "Varn"]
    refused(one, "deep_strike", "DL-94.2", "comes with Elders", unit="Varn", zone="own")
    do(one, "deep_strike", 0, unit="Elders", x=36, y=20)
    assert [one.state.field.position(name).where for name in ("Elders", "Varn")] == ["table", "table"]
    end(one)


@pytest.mark.clause("DL-95.7")
def test_friends_with_a_beacon_guide_who_arrives_near_them():
    drops = [unit("Assault Marines", f"Drop {number}", **DROP) for number in range(2)]
    one = battle([*drops, unit("Scout bikers", x=30, y=10)])
    end(one, 6)
    do(one, "reserves")
    refused(one, "deep_strike", "DL-95.7", "does not scatter", unit="Drop 0", x=30, y=16, bearings=[90])
    do(one, "deep_strike", unit="Drop 0", x=30, y=20, bearings=[90])
    assert one.state.field.position("Drop 0").bases[0].centre.x == pytest.approx(32)


@pytest.mark.clause("DL-75.2")
def test_riders_hit_and_run_in_the_enemys_assault_phase_as_well():
    one = battle([unit("Outriders")], [unit("Grots", "Runts")])
    end(one, 5)
    do(one, "charge", unit="Runts", target="Outriders", distance=3)
    do(one, "fight", unit="Runts")
    assert one.state.squad("Outriders").combat
    do(one, "hit_and_run", unit="Outriders")
    assert one.state.squad("Outriders").combat == 0


@pytest.mark.clause("DL-29.1", "DL-55.1")
def test_heavy_weapons_are_better_at_short_range_against_guns_too():
    """BS 2 + 3 at 12 of 48 inches: 350 DMG on troops, 116 by the 3+ column; 50 on a vehicle, 33 by the 5+ column."""
    one = battle([unit("Lootas", groups=[], models=5)], [unit("Lobba battery")])
    end(one)
    log = do(one, "shoot", unit="Lootas", target="Lobba battery", distance=12)
    assert "Lobba battery: Deffgun: 350 DMG → column 3+ → 116 DMG on the crew" in log
    assert any(line.endswith("= 50 DMG at S7 → column 5+ → 33 DMG on the guns") for line in log)


@pytest.mark.clause("DL-95.8", "DL-75.4")
def test_night_falls_and_ends_when_the_players_say_so():
    """Marines see 18 inches at night, so that a target 20 inches away is out of sight until dawn."""
    one = battle([unit("Combat squad")], [unit("Ork Boyz")], night=True)
    end(one)
    shot = {"unit": "Combat squad", "target": "Ork Boyz", "distance": 20}
    refused(one, "shoot", "DL-95.8", "18 inches at night", **shot)
    refused(one, "night", "DL-95.8", "night already", falls=True)
    assert do(one, "night", falls=False) == ["The night is over"]
    do(one, "shoot", **shot)
    do(one, "night", falls=True)
    assert one.state.night


@pytest.mark.clause("DL-SM-57.2", "DL-31.2")
def test_a_null_zone_hinders_firers_whose_weapons_get_hot():
    """40 DMG on a 4+ invulnerable save are 20 HP, and on the 5+ of a null zone 27."""
    guard = unit("Militia", "Guard", models=1, groups=[], weapons=["Plasma gun"], armour=None, invulnerable=4, wounds=2)
    guard["arsenal"] = [
        {"name": "Plasma gun", "type": "rapid_fire", "strength": 7, "ap": 2, "range": 24, "rules": ["gets_hot"]}
    ]
    for zone, left in ((False, 40), (True, 33)):
        one = battle([unit("Librarian Osric Vale", "Vale")], [guard])
        end(one)
        if zone:
            do(one, "cast", unit="Vale", power="null_zone", warp_token="keep")
        end(one, 3)
        do(one, "shoot", 1, unit="Guard", target="Vale", distance=20)
        assert hp(one, "Guard") == left


@pytest.mark.clause("DL-60.2", "DL-94.2")
def test_a_vehicle_that_comes_on_is_as_fast_as_its_way_is_long():
    for y, speed in ((5, "combat"), (11, "cruising")):
        one = battle(vigil_vehicles=[unit("Rhino", f"Rhino {number}", reserve=True) for number in (1, 2)])
        end(one, 6)
        do(one, "reserves")
        do(one, "arrive", unit="Rhino 1", x=30, y=y)
        assert (one.state.vehicle("Rhino 1").speed, one.state.vehicle("Rhino 1").inches) == (speed, y)


@pytest.mark.clause("DL-94.8", "DL-95.2")
def test_outflankers_may_assault_and_deep_strikers_may_not():
    drops = [unit("Assault Marines", "Drop", **DROP), unit("Outriders", reserve=True, arrives="outflank")]
    one = battle(drops, [unit("Ork Boyz")])
    end(one, 6)
    do(one, "reserves")
    arriving = next(troop.name for troop in one.state.squads if one.state.where(troop) == "arriving")
    do(one, "deep_strike", 0, unit=arriving, zone="neutral")
    end(one, 2)
    refused(one, "charge", "DL-0.1", "does not assault", unit="Drop", target="Ork Boyz", distance=3)
    end(one, 4)
    do(one, "reserves")
    do(one, "outflank", unit="Outriders")
    end(one, 2)
    do(one, "charge", unit="Outriders", target="Ork Boyz", distance=3)
    assert one.state.squad("Outriders").combat


@pytest.mark.clause("DL-SM-57.3", "DL-SM-57.4")
def test_who_is_taken_through_the_gate_stands_beside_the_psyker():
    one = battle([unit("Gate-walker Corven", "Corven", x=20, y=8), unit("Combat squad", "Squad", x=23, y=8)])
    do(one, "cast", 0, unit="Corven", power="gate_of_infinity", take="Squad", x=36, y=24, warp_token="keep")
    corven, squad = one.state.squad("Corven"), one.state.squad("Squad")
    centre = one.state.field.position("Squad").bases[0].centre
    assert (centre.x, centre.y) == (36, 24)
    assert (corven.joined, one.state.distance(corven, squad)) == ("Squad", pytest.approx(0, abs=0.01))
    assert len(one.state.field.position("Squad").bases) == one.state.squad("Squad").count


@pytest.mark.clause("DL-32.1", "DL-95.8")
def test_a_barrage_at_night_reaches_what_nobody_sees():
    """Twenty-four inches are out of sight at night, so that lobbas fire there only as at a target that is hidden."""
    one = battle([unit("Lobba battery")], [unit("Ork Boyz")], night=True)
    end(one)
    shot = {"unit": "Lobba battery", "target": "Ork Boyz", "distance": 24, "hits": [2, 2, 2]}
    refused(one, "shoot", "DL-95.8", "18 inches at night", **shot)
    do(one, "shoot", 0, in_sight=False, **shot)
    assert one.state.squad("Ork Boyz").hp < one.reach(0).squad("Ork Boyz").hp
