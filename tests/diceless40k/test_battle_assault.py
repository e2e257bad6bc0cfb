"""Close combat in a battle: charges, rounds, who loses, vehicles, and what comes after."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape.rulesets.diceless40k.battle.assault import arm_unit, fighter_of
from battletape.rulesets.diceless40k.rules.blows import begin_fight, blows_at
from tests.diceless40k.battles import battle, do, end, hp, refused, unit
from tests.diceless40k.wished_options import WishedOptions

MARINES = {
    "models": 5,
    "groups": [],
    "weapons": ["Close combat weapon"],
    "arsenal": [{"name": "Close combat weapon", "type": "melee"}],
}
BOYZ = {"models": 10, "groups": [], "strength": 4, "attacks": 3}


@pytest.mark.clause("DL-6.2")
def test_who_is_left_of_a_fight_follows_nobody_who_fell_in_it():
    captain = unit("Captain Aldous Varn", "Varn", joined="Squad", toughness=9, wounds=9, strength=10, attacks=9)
    weak = unit("Combat squad", "Squad", models=1, groups=[], armour=None)
    one = battle([weak, captain], [unit("Grots", "Mob", models=1, groups=[], initiative=9, attacks=10, strength=9)])
    end(one, 2)
    do(one, "charge", unit="Squad", target="Mob", distance=3)
    do(one, "fight", unit="Squad")
    state = one.state
    assert [state.is_gone(state.squad(name)) for name in ("Squad", "Mob")] == [True, True]
    assert not state.is_gone(state.squad("Varn"))
    assert (state.squad("Varn").joined, state.squad("Varn").combat) == ("", 0)


@pytest.mark.clause("DL-38.1", "DL-19.2")
def test_a_packet_is_told_after_all_the_blows_that_it_is_made_of():
    one = battle([unit("Assault Marines")], [unit("Shoota Boyz")])
    end(one, 2)
    do(one, "charge", unit="Assault Marines", target="Shoota Boyz", distance=5)
    log = do(one, "fight", unit="Assault Marines")
    blows = [at for at, line in enumerate(log) if " of Shoota Boyz with blows, " in line]
    packets = [at for at, line in enumerate(log) if line.startswith("Shoota Boyz on ") and " DMG → " in line]
    dealt = sum(int(log[at].split(" = ")[1].removesuffix(" DMG")) for at in blows)
    taken = sum(int(log[at].split(" DMG ")[0].rpartition(" ")[2]) for at in packets)
    assert len(blows) == 2
    assert max(blows) < min(packets)
    assert dealt == taken


@pytest.mark.clause("DL-38.1", "DL-44.1", "DL-40.1", "DL-8.1")
def test_five_marines_charged_by_ten_boyz_as_in_the_catalogue():
    one = battle([unit("Combat squad", "Marines", **MARINES)], [unit("Ork Boyz", "Boyz", **BOYZ, weapons=["Choppa"])])
    end(one, 5)
    do(one, "charge", unit="Boyz", target="Marines", distance=6)
    log = do(one, "fight", unit="Boyz")
    assert "Initiative 4: 5 of Marines with Close combat weapon, 5 attacks × 16 (factor 4) = 80 DMG" in log
    assert "Initiative 2: 9 of Boyz with Choppa, 36 attacks × 16 (factor 4) = 576 DMG" in log
    assert "Horde lost 67 HP, Vigil 190 HP: Vigil lost by 123 HP" in [_sorted(line) for line in log]
    assert one.state.is_gone(one.state.squad("Marines"))  # 148 OP against 144; Initiative 4 against 18
    assert one.state.squad("Boyz").may_consolidate


def _sorted(line: str) -> str:
    """The result with the sides in the order of the alphabet."""
    if " lost " not in line or "HP, " not in line:
        return line
    lost, result = line.split(": ", 1)
    first, second = lost.split(", ")
    name, points = second.rsplit(" ", 2)[0], second.split(" ", 1)[1]
    one, other = sorted([first, f"{name} lost {points}" if "lost" not in second else second])
    return f"{one}, {other.replace(' lost', '')}: {result}"


@pytest.mark.clause("DL-14.1")
def test_a_charge_through_terrain_costs_twice_and_strikes_last():
    one = battle([unit("Combat squad")], [unit("Lootas")], grounds=[{"name": "Wood"}])
    end(one, 2)
    through = {"unit": "Combat squad", "target": "Lootas", "terrain": "Wood"}
    refused(one, "charge", "DL-14.1", "count twice", distance=5, inside=2, **through)
    do(one, "charge", distance=4, inside=2, **through)
    assert one.state.squad("Combat squad").slowed


@pytest.mark.clause("DL-0.1")
def test_who_fired_slow_weapons_or_at_another_does_not_charge():
    one = battle([unit("Combat squad"), unit("Assault Marines")], [unit("Ork Boyz"), unit("Lootas")])
    end(one)
    do(one, "shoot", unit="Combat squad", target="Ork Boyz", distance=10)
    do(one, "shoot", unit="Assault Marines", target="Ork Boyz", distance=5)
    end(one)
    refused(one, "charge", "DL-0.1", "no unit assaults", unit="Combat squad", target="Ork Boyz", distance=3)
    refused(one, "charge", "DL-0.1", "fired at Ork Boyz", unit="Assault Marines", target="Lootas", distance=3)
    do(one, "charge", unit="Assault Marines", target="Ork Boyz", distance=5)
    refused(one, "end_phase", "DL-38.1", "fight it first")


@pytest.mark.clause("DL-44.4")
def test_the_fearless_take_the_difference_as_damage():
    one = battle([unit("Combat squad")], [unit("Snotling swarm", models=20)])
    end(one, 2)
    do(one, "charge", unit="Combat squad", target="Snotling swarm", distance=4)
    log = do(one, "fight", unit="Combat squad")
    assert "Snotling swarm does not retreat and suffers the difference" in log
    assert one.state.squad("Snotling swarm").op == 0
    assert any("no retreat on Snotling swarm" in line for line in log)


@pytest.mark.clause("DL-8.3", "DL-44.1")
def test_a_character_fights_with_his_unit_and_leads_its_test():
    captain = unit("Captain Aldous Varn", "Varn", joined="Squad")
    one = battle([unit("Combat squad", "Squad", models=10), captain], [unit("Nobz", models=9)])
    end(one, 5)
    do(one, "charge", unit="Nobz", target="Squad", distance=4)
    assert one.state.squad("Varn").combat == one.state.squad("Squad").combat == 1
    do(one, "fight", unit="Nobz")
    squad, varn = one.state.squad("Squad"), one.state.squad("Varn")
    assert (squad.op, varn.op) == (25 + 151, 25)  # 324 HP lost to furious chargers, 173 taken


@pytest.mark.clause("DL-75.2")
def test_hit_and_run_leaves_a_fight():
    one = battle([unit("Outriders")], [unit("Nobz")])
    end(one, 2)
    refused(one, "hit_and_run", "DL-75.2", "once it has been fought", unit="Outriders")
    do(one, "charge", unit="Outriders", target="Nobz", distance=4)
    do(one, "fight", unit="Outriders")
    assert one.state.squad("Outriders").combat == 1
    do(one, "hit_and_run", unit="Outriders")
    assert one.state.squad("Outriders").combat == one.state.squad("Nobz").combat == 0


@pytest.mark.clause("DL-40.2")
def test_who_has_won_consolidates_4_inches():
    one = battle([unit("Terminators")], [unit("Lootas", models=1)])
    end(one, 2)
    do(one, "charge", unit="Terminators", target="Lootas", distance=4)
    do(one, "fight", unit="Terminators")
    refused(one, "consolidate", "DL-40.2", "consolidates 4 inches; got 5", unit="Terminators", inches=5)
    do(one, "consolidate", unit="Terminators", inches=4)
    refused(one, "consolidate", "DL-40.2", "no fight", unit="Terminators", inches=1)


@pytest.mark.clause("DL-63.1", "DL-63.4", "DL-63.5", "DL-63.6")
def test_grenades_and_blows_meet_the_rear_of_a_vehicle():
    one = battle([unit("Combat squad")], horde_vehicles=[unit("Trukk")])
    end(one, 2)
    log = do(one, "assault_vehicle", 3, 1, unit="Combat squad", target="Trukk", distance=5)
    assert "Trukk: Combat squad: blows: krak grenades: 60 DMG at S6" in log
    assert one.state.vehicle("Trukk").damage.lines[2] == 36
    refused(one, "assault_vehicle", "DL-60.23", "it has exploded", unit="Far Vigil", target="Trukk", distance=1)


@pytest.mark.clause("DL-63.4", "DL-38.1")
def test_walkers_are_charged_and_fought():
    one = battle([unit("Assault Marines")], horde_vehicles=[unit("Deff Dread")])
    end(one, 2)
    refused(one, "assault_vehicle", "DL-63.4", "walker", unit="Assault Marines", target="Deff Dread", distance=4)
    do(one, "charge", unit="Assault Marines", target="Deff Dread", distance=4)
    log = do(one, "fight", 4, 1, unit="Deff Dread")
    assert "Deff Dread: Assault Marines: Close combat weapon: krak grenades: 80 DMG at S6" in log
    assert hp(one, "Assault Marines") < 200


def blades(models: int, **more: int) -> dict[str, object]:
    """Ten-a-penny swordsmen without grenades."""
    return unit("Combat squad", "Swords", **{**MARINES, "models": models, **more})


@pytest.mark.clause("DL-38.1", "DL-63.1", "DL-63.4")
@pytest.mark.parametrize(("initiative", "strikers"), [(5, 5), (4, 5), (3, 3)])
def test_blows_at_a_walker_are_struck_on_their_own_initiative(initiative, strikers):
    walker = unit("Dreadnought", "Walker", initiative=4, attacks=6, strength=10, front=10, weapons=[])
    one = battle([blades(5, initiative=initiative)], horde_vehicles=[walker])
    end(one, 2)
    do(one, "charge", unit="Swords", target="Walker", distance=4)
    log = do(one, "fight", unit="Walker")
    assert f"Initiative {initiative}: Swords at Walker" in log
    # the walker's 6 attacks of 40 DMG: 240 on 3+ are 79 HP, which remove one of 40 HP and by instant death another
    assert (
        f"Walker: Swords: Close combat weapon: 6 (immobile target +2) × {2 * strikers} = {12 * strikers} DMG at S4"
        in log
    )
    assert one.state.squad("Swords").count == 3


@pytest.mark.clause("DL-38.1", "DL-60.23")
def test_a_walker_that_is_destroyed_before_its_step_does_not_strike():
    for initiative, lost in ((5, False), (4, True)):
        walker = unit("Dreadnought", "Walker", initiative=4, front=10, weapons=[])
        one = battle([blades(20, initiative=initiative, strength=10)], horde_vehicles=[walker])
        end(one, 2)
        do(one, "charge", unit="Swords", target="Walker", distance=4)
        do(one, "fight", unit="Walker")
        assert one.state.vehicle("Walker").damage.destroyed == "explodes"
        assert (hp(one, "Swords") < 800) is lost  # on the same step it strikes all the same
        assert one.state.squad("Swords").combat == 0


@pytest.mark.clause("DL-40.2")
def test_a_walker_that_has_won_consolidates_too():
    one = battle((), [unit("Lootas", models=1, x=30, y=26)], [unit("Dreadnought", x=30, y=20)])
    end(one, 2)
    do(one, "charge", unit="Dreadnought", target="Lootas")
    do(one, "fight", unit="Dreadnought")
    assert one.state.is_gone(one.state.squad("Lootas"))
    refused(one, "consolidate", "DL-40.2", "consolidates 4 inches", unit="Dreadnought", path=[{"x": 30, "y": 40}])
    centre = one.state.field.position("Dreadnought").hulls[0].centre
    do(one, "consolidate", unit="Dreadnought", path=[{"x": centre.x, "y": centre.y + 4}])
    assert one.state.field.position("Dreadnought").hulls[0].centre.y == centre.y + 4
    refused(one, "consolidate", "DL-40.2", "no fight", unit="Dreadnought", path=[{"x": 30, "y": 30}])


@pytest.mark.clause("DL-40.1", "DL-0.1")
@pytest.mark.parametrize(
    ("initiative", "hurt", "end_of_it"),
    [
        (4, 0, "Initiative 3 against 4: caught and destroyed"),
        (3, 0, "Initiative 3 against 3: caught and destroyed"),
        (2, 0, "Initiative 3 against 2: breaks off"),
        (4, 24, "Initiative 3 against 0: breaks off"),
    ],
)
def test_a_walker_runs_down_who_flees_by_its_initiative(initiative, hurt, end_of_it):
    walker = unit("Dreadnought", "Walker", initiative=initiative, front=14, attacks=1)
    one = battle((), [blades(5, initiative=1, ld=2)], [walker])
    end(one, 2)
    do(one, "charge", unit="Walker", target="Swords", distance=4)
    if hurt:
        do(one, "mark_line", unit="Walker", line="C", dmg=hurt)
        assert one.state.vehicle("Walker").damage.stunned
    log = do(one, "fight", unit="Walker")
    assert f"Swords: {end_of_it}" in log, log


@pytest.mark.clause("DL-40.1", "DL-0.1")
def test_a_walker_that_is_stunned_in_the_round_runs_nobody_down():
    walker = unit("Dreadnought", "Walker", initiative=4, front=10, attacks=1)
    one = battle((), [blades(5, initiative=5, strength=6, ld=2)], [walker])
    end(one, 2)
    do(one, "charge", unit="Walker", target="Swords", distance=4)
    log = do(one, "fight", unit="Walker")
    assert one.state.vehicle("Walker").damage.stunned
    assert "Swords: Initiative 15 against 0: breaks off" in log


@pytest.mark.clause("DL-63.1", "DL-38.1")
def test_walkers_fight_walkers():
    one = battle(vigil_vehicles=[unit("Dreadnought")], horde_vehicles=[unit("Deff Dread")])
    end(one, 2)
    do(one, "charge", unit="Dreadnought", target="Deff Dread", distance=4)
    log = do(one, "fight", unit="Dreadnought")
    steps = [line for line in log if line.startswith("Initiative")]
    assert steps[0] == "Initiative 4: Dreadnought at Deff Dread"
    assert sum(one.state.vehicle("Deff Dread").damage.lines) > 0


@pytest.mark.clause("DL-38.1")
def test_who_fights_a_walker_and_troops_picks_whom_to_strike():
    one = battle([blades(30, ld=10)], [unit("Ork Boyz")], horde_vehicles=[unit("Deff Dread")])
    end(one, 2)
    do(one, "charge", unit="Swords", target="Deff Dread", distance=4)
    do(one, "fight", unit="Swords")
    end(one, 3)
    do(one, "charge", unit="Ork Boyz", target="Swords", distance=4)
    log = do(one, "fight", "Deff Dread", unit="Swords")
    asked = {entry.label: entry for entry in one.moves[-1].entries}
    assert asked["Swords: target of Swords"].value == "Deff Dread"
    assert any(line.startswith("Initiative 4: Swords at Deff Dread") for line in log)


@pytest.mark.clause("DL-42.6", "DL-50.1", "DL-75.5")
def test_force_weapons_take_a_psychic_test_in_the_fight():
    one = battle([unit("Librarian Osric Vale", "Vale")], [unit("Warboss Skargut", "Boss")])
    end(one, 2)
    do(one, "charge", unit="Vale", target="Boss", distance=4)
    log = do(one, "fight", "Boss", unit="Vale")
    assert "Vale, psychic test on Ld 10: 0 + 25 = 25 OP against 183 (table 2): passed" in log
    assert one.state.squad("Vale").op == 25
    assert one.state.is_gone(one.state.squad("Boss"))


@pytest.mark.clause("DL-45.1", "DL-46.1", "DL-52.1")
def test_units_fall_back_towards_their_edge_and_off_it():
    one = battle([unit("Assault Marines", x=30, y=8)], [unit("Ork Boyz", x=30, y=40)])
    state = one.state
    one.trust(0, state.with_units(replace(state.squad("Assault Marines"), falling_back=True, op=999)))
    refused(one, "end_phase", "DL-45.1", "fall back or to regroup")
    refused(one, "fall_back", "DL-46.1", "has to try first", unit="Assault Marines")
    do(one, "regroup", unit="Assault Marines")
    assert one.state.field.position("Assault Marines").where == "off"


@pytest.mark.clause("DL-46.1")
def test_a_failed_regroup_keeps_what_it_took_off():
    one = battle([unit("Combat squad")])
    state = one.state
    one.trust(0, state.with_units(replace(state.squad("Combat squad"), falling_back=True, op=300)))
    log = do(one, "regroup", unit="Combat squad", enemy=20)
    assert log[0] == "Combat squad: 300 OP - 41 → 259 against 167: falls back on"
    assert one.state.squad("Combat squad").op == 259


@pytest.mark.clause("DL-75.5")
@pytest.mark.parametrize(
    ("prefers", "factor"),
    [(["Orks"], 5), (["Rabble"], 5), (["horde"], 5), (["Space Marines"], 4), ([], 5)],
)
def test_preferred_enemy_counts_against_the_army_side_or_unit_that_it_names(prefers: list[str], factor: int):
    hunters = unit("Veterans", "Hunters", groups=[], rules=["preferred_enemy"], prefers=prefers)
    one = battle([hunters], [unit("Ork Boyz", "Rabble", groups=[], army="Orks")])
    end(one, 2)
    do(one, "charge", unit="Hunters", target="Rabble", distance=2)
    log = do(one, "fight", unit="Hunters")
    assert (
        f"Initiative 4: 4 of Hunters with blows, 12 attacks × {4 * factor} (factor {factor}) = {48 * factor} DMG" in log
    )


@pytest.mark.clause("DL-75.5")
def test_in_one_fight_only_the_preferred_enemy_is_struck_better():
    hunters = unit("Veterans", "Hunters", groups=[], rules=["preferred_enemy"], prefers=["Orks"])
    foes = [unit("Ork Boyz", "Rabble", groups=[]), unit("Veterans", "Renegades", groups=[])]
    one = battle([hunters], foes)
    end(one, 2)
    do(one, "charge", unit="Hunters", target="Rabble", distance=2)
    state = one.state.with_units(replace(one.state.squad("Renegades"), combat=1))
    fighters = [fighter_of(state, foe, arm_unit(WishedOptions(), foe)) for foe in state.in_combat(1)]
    fight = begin_fight(fighters, state.rulings)
    mine = fight.unit("Hunters")
    factors = [blows_at(fight, mine, mine.strikes[0], 1, enemy).damage.factor for enemy in ("Rabble", "Renegades")]
    assert factors == [5, 4]
