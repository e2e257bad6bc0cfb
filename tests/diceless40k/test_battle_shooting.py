"""Shooting in a battle: the document's own examples, with numbers that are said and with models on a board."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape.rulesets.diceless40k.battle.show import show
from battletape.rulesets.diceless40k.sheets import battle_vehicle_sheets
from tests.diceless40k.battles import battle, do, end, hp, refused, unit

BOLTERS = {"models": 10, "groups": [], "weapons": ["Bolter"]}


@pytest.mark.clause("DL-19.2", "DL-25.2", "DL-25.3", "DL-20.1")
def test_ten_bolters_on_devastators_as_in_the_document():
    one = battle([unit("Space Marines", **BOLTERS)], [unit("Devastators")])
    end(one)
    log = do(one, "shoot", unit="Space Marines", target="Devastators", distance=12)
    assert "Devastators: Bolter on Devastator sergeant: 64 DMG → 3+ (armour) → 21 HP" in log
    groups = one.state.squad("Devastators").groups
    assert [(group.models, group.front_hp) for group in groups] == [(1, 19), (1, 38), (1, 38)]
    assert one.state.squad("Space Marines").fired_slow


@pytest.mark.clause("DL-60.12", "DL-60.13", "DL-60.17")
def test_devastators_on_a_trukk_as_in_the_document():
    shooters = unit(
        "Devastators", models=6, groups=[{"name": "Launchers", "models": 4, "weapons": ["Missile launcher"]}]
    )
    one = battle([shooters], horde_vehicles=[unit("Trukk")])
    state = one.state
    one.trust(0, state.with_units(replace(state.vehicle("Trukk"), speed="cruising", moved=True)))
    end(one)
    # the document's volley is under 12 inches; at exactly 12 the bolters still fire twice and the launchers have +3
    shot = {"unit": "Devastators", "target": "Trukk", "distance": 12, "zone": "orange"}
    do(one, "shoot", weapons=["Bolter", "Krak missile"], **shot)
    damage = one.state.vehicle("Trukk").damage
    assert damage.lines == (36, 12, 0, 0, 28, 0)
    results = sorted(ticked.result for ticked in damage.history)
    assert results == ["crew_shaken", "crew_shaken", "crew_stunned", "weapon_destroyed"]


@pytest.mark.clause("DL-29.1")
def test_range_adds_nothing_to_a_hunter_killer_missile():
    one = battle([], [unit("Ork Boyz")], vigil_vehicles=[unit("Predator")], horde_vehicles=[unit("Trukk")])
    end(one)
    shot = {"unit": "Predator", "weapons": ["Hunter-killer missile"], "distance": 12}
    log = do(one.fork(), "shoot", target="Ork Boyz", **shot)
    assert "Ork Boyz: Hunter-killer missile: BS4 × S8 × 1 shot = 32 DMG, AP3" in log
    do(one, "shoot", target="Trukk", zone="orange", **shot)
    assert one.state.vehicle("Trukk").damage.lines == (0, 0, 0, 0, 6, 0)  # BS4 + 2, for it stands still


@pytest.mark.clause("DL-60.6")
def test_cover_smoke_and_flat_out_protect_vehicles():
    one = battle([unit("Combat squad", models=20, groups=[], weapons=["Bolter"])], horde_vehicles=[unit("Trukk")])
    end(one)
    log = do(one, "shoot", unit="Combat squad", target="Trukk", distance=12, cover=4)
    assert "Trukk: Bolter: 240 DMG → 4+ cover → 120 DMG" in log


@pytest.mark.clause("DL-31.2", "DL-31.3", "DL-31.1")
def test_a_gets_hot_token_kills_its_firer_who_loses_one_shot():
    one = battle([unit("Militia")], [unit("Ork Boyz")])
    do(one, "lose_hp", unit="Militia", group="Militia plasma gunner", hp=3)
    assert one.state.player("Horde").tokens.gets_hot == 1
    end(one)
    shot = {"unit": "Militia", "target": "Ork Boyz", "distance": 10, "weapons": ["Plasma gun"]}
    log = do(one, "shoot", 1, **shot)
    assert "Ork Boyz: Plasma gun: BS3 × S7 × 1 shot (1 of 2 count) = 21 DMG, AP2" in log
    assert one.state.squad("Militia").groups[1].models == 0
    assert one.state.player("Horde").tokens.gets_hot == 0


@pytest.mark.clause("DL-31.1")
def test_vehicles_do_not_get_hot_unless_the_players_allow_it():
    walker = unit("Dreadnought", weapons=["Plasma cannon"], arsenal=[HOT])
    for ruling, spent in (("no", 0), ("yes", 1)):
        one = battle([unit("Militia")], [unit("Ork Boyz")], [walker], rulings={"hot_on_vehicles": ruling})
        held = one.state.player("Horde").tokens.gets_hot
        end(one)
        do(one, "shoot", 1, unit="Dreadnought", target="Ork Boyz", distance=10, hits=[3], tokens=[0])
        assert held - one.state.player("Horde").tokens.gets_hot == spent
        assert len(one.state.vehicle("Dreadnought").damage.glancing) == spent


HOT = {
    "name": "Plasma cannon",
    "type": "heavy",
    "strength": 7,
    "ap": 2,
    "range": 36,
    "marker": "blast",
    "rules": ["gets_hot"],
}


@pytest.mark.clause("DL-29.2", "DL-30.8", "DL-76.3")
def test_templates_and_blasts_want_their_hits_and_hurt_swarms_doubly():
    one = battle([unit("Command squad")], [unit("Snotling swarm")])
    end(one)
    fire = {"unit": "Command squad", "target": "Snotling swarm", "distance": 6, "weapons": ["Flamer"]}
    refused(one, "shoot", "DL-30.8", "say how many models are under the template", **fire)
    log = do(one, "shoot", hits=[3], **fire)
    assert "Snotling swarm: Flamer on Snotling swarm: 48 DMG → no save → 48 HP → doubled 96 HP" in log


@pytest.mark.clause("DL-55.1", "DL-55.2")
def test_artillery_shares_its_hits_between_crew_and_guns():
    one = battle([unit("Space Marines", models=5, groups=[], weapons=["Bolter"])], [unit("Kannon battery")])
    end(one)
    log = do(one, "shoot", unit="Space Marines", target="Kannon battery", distance=12)
    assert "Kannon battery: Bolter: 160 DMG → column 3+ → 53 DMG on the crew" in log
    assert "Kannon battery: Bolter: 4 × 10 = 40 DMG at S4 → column 5+ → 27 DMG on the guns" in log
    assert one.state.squad("Kannon battery").gun_lines[0] == 27


@pytest.mark.clause("DL-55.1")
def test_guns_without_a_crew_are_gone():
    one = battle([unit("Space Marines", models=30, groups=[], weapons=["Bolter"])], [unit("Kannon battery")])
    end(one)
    do(one, "shoot", unit="Space Marines", target="Kannon battery", distance=12)
    assert one.state.is_gone(one.state.squad("Kannon battery"))
    assert one.state.squad("Kannon battery").guns == ()


@pytest.mark.clause("DL-8.1", "DL-31.10")
def test_sniper_rifles_pin_and_pinned_units_do_nothing():
    one = battle([unit("Scout snipers", bs=10)], [unit("Grots", "Runts", models=40, rules=[], groups=[])])
    state = one.state
    one.trust(0, state.with_units(replace(state.squad("Runts"), op=56)))
    end(one)
    log = do(one, "shoot", unit="Scout snipers", target="Runts", distance=30)
    assert "Runts, pinning test on Ld 5: 56 + 25 = 81 OP against 56 (table 2): failed" in log
    end(one, 3)
    refused(one, "shoot", "DL-0.1", "gone to ground", unit="Runts", target="Scout snipers", distance=10)
    end(one, 2)
    assert not one.state.squad("Runts").gone_to_ground


@pytest.mark.clause("DL-8.1")
def test_a_quarter_lost_in_a_phase_is_tested_at_its_end():
    one = battle([unit("Space Marines", **BOLTERS)], [unit("Ork Boyz")])
    end(one)
    do(one, "shoot", unit="Space Marines", target="Ork Boyz", distance=12)
    assert one.state.squad("Ork Boyz").lost_in_phase >= 3
    log = do(one, "end_phase")
    assert log[0].startswith("Ork Boyz, a quarter lost on Ld")


@pytest.mark.clause("DL-30.4", "DL-30.7", "DL-30.8", "DL-32.2")
def test_on_a_board_tokens_push_a_marker_and_hits_are_counted():
    squad = unit("Militia", x=30, y=20)
    one = battle([squad], [unit("Kannon battery", guns=1, x=30, y=40)])
    end(one, 4)
    fire = {"unit": "Kannon battery", "target": "Militia", "weapons": ["Kannon frag"]}
    log = do(one, "shoot", 2, **fire)
    assert any("scatter tokens used" in line for line in log)
    assert one.state.player("Vigil").tokens.scatter == 0
    hits = next(line for line in log if line.startswith("Militia: Kannon frag: "))
    again = battle([squad], [unit("Kannon battery", guns=1, x=30, y=40)])
    end(again, 4)
    plain = do(again, "shoot", 0, **fire)
    assert next(line for line in plain if line.startswith("Militia: Kannon frag: ")) >= hits
    assert hp(again, "Militia") <= hp(one, "Militia")


@pytest.mark.clause("DL-30.4", "DL-30.6", "DL-30.5")
def test_players_may_lay_the_marker_by_hand():
    one = battle([unit("Militia", x=30, y=20)], [unit("Kannon battery", guns=1, x=30, y=40)])
    end(one, 4)
    fire = {"unit": "Kannon battery", "target": "Militia", "weapons": ["Kannon frag"]}
    refused(one, "shoot", "DL-30.5", "3 scatter tokens are used, and 2 are held", bearings=[0, 0, 0], **fire)
    refused(one, "shoot", "DL-30.4", "over a model", aim=[{"x": 50, "y": 20}], **fire)
    do(one, "shoot", bearings=[90, 90], **fire)
    assert hp(one, "Militia") == 300
    assert one.state.player("Vigil").tokens.scatter == 0


@pytest.mark.clause("DL-30.8")
def test_a_marker_hits_whoever_lies_under_it():
    one = battle(
        [unit("Militia", x=30, y=20), unit("Combat squad", x=32.5, y=20)], [unit("Kannon battery", guns=1, x=30, y=40)]
    )
    end(one, 4)
    aim = [{"x": 30.9, "y": 20.5}]
    do(one, "shoot", 0, unit="Kannon battery", target="Militia", weapons=["Kannon frag"], aim=aim)
    assert hp(one, "Combat squad") < 200


@pytest.mark.clause("DL-32.1")
def test_a_barrage_is_fired_at_what_is_out_of_sight():
    one = battle([unit("Combat squad")], [unit("Kannon battery"), unit("Lobba battery")])
    end(one, 4)
    blind = {"target": "Combat squad", "distance": 20, "in_sight": False}
    do(one, "shoot", 0, unit="Lobba battery", hits=[1, 1, 1], **blind)


@pytest.mark.clause("DL-SM-52.1")
def test_the_bombardment_comes_once_and_by_name():
    one = battle([unit("Chapter Master Hadrec")], [unit("Ork Boyz")])
    end(one)
    strike = {"unit": "Chapter Master Hadrec", "target": "Ork Boyz", "distance": 40}
    do(one, "shoot", weapons=["Fire from orbit"], hits=[4], tokens=[0], **strike)
    assert one.state.squad("Chapter Master Hadrec").used == ("Fire from orbit",)
    end(one, 6)
    again = {"weapons": ["Fire from orbit"], "hits": [4]}
    refused(one, "shoot", "DL-SM-52.1", "once in a game", **again, **strike)


@pytest.mark.clause("DL-SM-73.1", "DL-SM-73.2")
def test_shaken_ground_slows_troops_and_hurts_vehicles():
    one = battle([unit("Thunder battery")], [unit("Ork Boyz")], horde_vehicles=[unit("Trukk")])
    end(one)
    fire = {"weapons": ["Tremor shell"], "hits": [1, 1, 1, 1], "tokens": [0, 0, 0, 0]}
    do(one, "shoot", unit="Thunder battery", target="Ork Boyz", distance=30, **fire)
    end(one, 2)
    refused(one, "move", "DL-14.1", "4 inches are allowed", unit="Ork Boyz", inches=5)
    do(one, "move", unit="Ork Boyz", inches=4)
    state = one.state
    one.trust(one.record.live[-1], state.with_units(replace(state.vehicle("Trukk"), on_shaken_ground=True)))
    log = do(one, "drive", unit="Trukk", inches=6)
    assert one.state.vehicle("Trukk").damage.lines == (0, 0, 0, 0, 36, 24)
    assert any("60 DMG at S8" in line for line in log)


@pytest.mark.clause("DL-20.1")
def test_who_goes_to_ground_saves_better():
    one = battle([unit("Combat squad")], [unit("Ork Boyz")])
    end(one)
    do(one, "go_to_ground", unit="Ork Boyz")
    log = do(one, "shoot", unit="Combat squad", target="Ork Boyz", distance=20, cover=5, weapons=["Lascannon"])
    assert any("→ 4+ (cover)" in line for line in log)


# --- passengers -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-0.1", "DL-19.2")
def test_passengers_fire_through_fire_points_from_the_hull_of_their_vehicle():
    squad = unit("Combat squad", aboard="Rhino")
    one = battle([squad], [unit("Ork Boyz", x=30, y=32)], [unit("Rhino", x=30, y=10, heading=0)])
    end(one)
    do(one, "shoot", unit="Rhino", target="Ork Boyz")
    log = do(one, "shoot", unit="Combat squad", target="Ork Boyz")
    fired = [line for line in log if " DMG, AP" in line]
    assert fired == [
        "Ork Boyz: Lascannon: BS6 × S9 × 1 shot (BS4 +2) = 54 DMG, AP2",
        "Ork Boyz: Bolter: BS4 × S4 × 1 shot = 16 DMG, AP5",
    ]  # two fire points; 22 inches less half of the hull, which a lascannon finds 24 inches under its range
    refused(one, "shoot", "DL-19.1", "has fired", unit="Combat squad", target="Ork Boyz")
    end(one)
    refused(one, "charge", "DL-0.1", "disembark first", unit="Combat squad", target="Ork Boyz")


@pytest.mark.clause("DL-0.1")
def test_everybody_fires_out_of_an_open_topped_vehicle():
    one = battle(
        [unit("Combat squad")], [unit("Shoota Boyz", aboard="Trukk", models=9)], horde_vehicles=[unit("Trukk")]
    )
    end(one, 4)
    log = do(one, "shoot", unit="Shoota Boyz", target="Combat squad", distance=10, weapons=["Shoota"])
    number = one.state.squad("Shoota Boyz").groups[-1].models
    assert any(f"Shoota: BS2 × S4 × {2 * number} shots" in line for line in log)


@pytest.mark.clause("DL-0.1")
def test_passengers_of_a_vehicle_that_moved_count_as_moving():
    one = battle([unit("Combat squad", aboard="Rhino")], [unit("Ork Boyz")], [unit("Rhino")])
    do(one, "drive", unit="Rhino", inches=6)
    end(one)
    far = {"unit": "Combat squad", "target": "Ork Boyz"}
    refused(one, "shoot", "DL-0.1", "a unit that has moved", distance=20, weapons=["Bolter"], **far)
    refused(one, "shoot", "DL-0.1", "a unit that has moved", distance=20, weapons=["Lascannon"], **far)
    log = do(one, "shoot", distance=12, weapons=["Bolter"], **far)
    assert any("Bolter: BS4 × S4 × 4 shots = 64 DMG" in line for line in log)


LAUNCHERS = unit("Devastators", models=1, groups=[{"name": "Launchers", "models": 2, "weapons": ["Missile launcher"]}])


@pytest.mark.clause("DL-0.1", "DL-19.2")
def test_models_of_a_group_fire_different_missiles():
    four = unit("Devastators", groups=[{"name": "Launchers", "models": 4, "weapons": ["Missile launcher"]}])
    one = battle([four, unit("Forge team")], [unit("Ork Boyz")])
    end(one)
    shot = {"unit": "Devastators", "target": "Ork Boyz", "distance": 24}
    log = do(one.fork(), "shoot", weapons=["Krak missile", "Frag missile"], hits=[3], **shot)
    assert "Ork Boyz: Krak missile: BS6 × S8 × 3 shots (BS4 +2) = 144 DMG, AP3" in log
    assert "Ork Boyz: Frag missile: 3 hits × S4 × 3 = 36 DMG, AP6" in log
    log = do(one.fork(), "shoot", weapons=["Krak missile", "Frag missile", "Frag missile"], hits=[3, 1], **shot)
    assert "Ork Boyz: Krak missile: BS6 × S8 × 2 shots (BS4 +2) = 96 DMG, AP3" in log
    assert "Ork Boyz: Frag missile: 4 hits × S4 × 3 = 48 DMG, AP6" in log
    both = ["Plasma pistol", "Twin-linked flamer"]
    why = "1 model of Forge team fires Plasma pistol; name Plasma pistol or Twin-linked flamer, not both"
    refused(one, "shoot", "DL-0.1", why, unit="Forge team", target="Ork Boyz", distance=6, weapons=both, hits=[1])


@pytest.mark.clause("DL-19.2", "DL-30.8")
@pytest.mark.parametrize("name", ["Friend", "Carrier"])
def test_markers_of_a_weapon_that_touch_others_add_up_as_on_the_target(name):
    friend = unit("Combat squad", "Friend", models=1, groups=[], x=31, y=20)
    carrier = unit("Rhino", "Carrier", x=33, y=20)
    near = {"Friend": {"vigil": [friend]}, "Carrier": {"vigil_vehicles": [carrier]}}[name]
    sides = {"vigil": [{**LAUNCHERS, "x": 10, "y": 20}, *near.get("vigil", ())]}
    enemy = unit("Ork Boyz", "Enemy", models=1, groups=[], x=30, y=20)
    one = battle(horde=[enemy], **{**near, **sides})
    end(one)
    shot = {"weapons": ["Frag missile"], "aim": [{"x": 30, "y": 20}]}
    log = do(one, "shoot", unit="Devastators", target="Enemy", tokens=[0, 0], **shot)
    if name == "Friend":
        assert "Frag missile on Friend: 24 DMG → 3+ (armour) → 8 HP" in log  # two hits × S4 × 3 in one packet
    else:
        assert sum("Carrier: Frag missile" in line for line in log) == 1


@pytest.mark.clause("DL-50.1", "DL-19.1")
def test_a_psyker_who_has_joined_a_squad_keeps_its_shot_for_a_power():
    one = battle(
        [unit("Librarian Osric Vale", "Vale", joined="Squad"), unit("Combat squad", "Squad")], [unit("Ork Boyz")]
    )
    end(one)
    order = {"unit": "Squad", "target": "Ork Boyz", "distance": 10}
    alone = one.fork()
    do(one, "shoot", **order)
    assert (one.state.squad("Squad").fired_at, one.state.squad("Vale").fired_at) == ("Ork Boyz", "")
    do(one, "cast", unit="Vale", power="Smite", target="Ork Boyz", distance=10)
    assert one.state.squad("Vale").cast
    fires = alone.fork()
    do(fires, "shoot", **order, psykers_fire=True)
    assert fires.state.squad("Vale").fired_at == "Ork Boyz"
    refused(fires, "cast", "DL-50.1", "has fired", unit="Vale", power="Smite", target="Ork Boyz", distance=10)
    pistol = next(name for name in one.state.squad("Vale").groups[0].weapons if "pistol" in name.lower())
    do(alone, "shoot", **order, weapons=[pistol])
    assert alone.state.squad("Vale").fired_at == "Ork Boyz"


@pytest.mark.clause("DL-31.2")
def test_gets_hot_tokens_go_on_the_strongest_weapon_or_on_one_that_is_named():
    plasma = {"type": "rapid_fire", "range": 24, "strength": 7, "ap": 2, "rules": ["gets_hot"]}
    arms = [{"name": "Plasma pistol", **plasma, "type": "pistol", "range": 12}, {"name": "Plasma gun", **plasma}]
    band = {"models": 1, "weapons": ["Plasma pistol"], "name": "Sergeant"}
    squad = unit("Militia", "Hot", models=2, groups=[band], weapons=["Plasma gun"], arsenal=arms)
    one = battle([squad], [unit("Ork Boyz")])
    end(one)
    order = {"unit": "Hot", "target": "Ork Boyz", "distance": 10}
    for more, weapon in (({"hot_tokens": 1}, "Plasma gun"), ({"hot_on": ["plasma pistol"]}, "Plasma pistol")):
        log = do(one.fork(), "shoot", **order, **more)
        assert any(line.startswith(f"Hot: {weapon}") and "gets hot!" in line for line in log), (weapon, log)
    refused(one, "shoot", "DL-31.2", "no weapon that fires and gets hot", **order, hot_on=["Bolter"])
    refused(one, "shoot", "DL-31.2", "one each", **order, hot_on=["Plasma pistol", "Plasma pistol"])
    refused(one, "shoot", "DL-31.2", "hot_tokens says 2", **order, hot_tokens=2, hot_on=["Plasma gun"])


@pytest.mark.clause("DL-0.1")
def test_a_missile_that_has_been_fired_is_shown_as_fired():
    one = battle([], [unit("Ork Boyz")], [unit("Predator")])
    end(one)
    do(one, "shoot", unit="Predator", target="Ork Boyz", distance=20, weapons=["Hunter-killer missile"])
    row = next(row for table in show(one.state) for row in table.rows if row[0] == "Predator")
    assert any("Hunter-killer missile (spent)" in cell for cell in row)
    assert "Hunter-killer missile fired" in str(battle_vehicle_sheets(one.state))
