"""The course of a battle: phases, reserves, deep strike, outflanking, psykers, terrain, mines, and who is with whom."""

from __future__ import annotations

import pytest

from battletape.battle import Battle
from battletape.rulesets.diceless40k import RULESET
from battletape.rulesets.diceless40k.battle.actions import ACTIONS
from tests.diceless40k.battles import battle, do, end, hp, refused, unit

DROP = {"reserve": True, "arrives": "deep_strike"}


@pytest.mark.clause("DL-PREP.8")
def test_phases_and_turns_follow_each_other_until_the_agreed_end():
    one = battle(rulings={"turns": 5})
    seen = []
    for _ in range(7):
        seen.append(tuple(one.where.values()))
        end(one)
    phases = ("movement", "shooting", "assault")
    first = [("1", phase, side) for side in ("Vigil", "Horde") for phase in phases]
    assert seen == [*first, ("2", "movement", "Vigil")]
    end(one, 23)
    assert one.over == "A draw: after 5 turns Vigil has lost 0 units and Horde 0"
    refused(one, "end_phase", "DL-0.1", "the battle is over")


def test_every_action_cites_clauses_of_the_book():
    for action in ACTIONS:
        assert action.clauses
        assert all(clause in RULESET.clauses.by_id for clause in action.clauses)


@pytest.mark.clause("DL-94.1", "DL-94.2", "DL-94.3", "DL-94.5", "DL-94.6")
def test_five_reserves_come_2_2_1_and_one_may_be_put_off():
    waiting = [unit("Combat squad", f"Squad {number}", reserve=True) for number in range(5)]
    one = battle(waiting)
    refused(one, "reserves", "DL-94.1", "turn 1")
    for bonus in (5, -1):
        refused(one, "reserves", "DL-94.7", f"on turn 1 nobody comes .* got .{abs(bonus)}", bonus=bonus)
    end(one, 6)
    refused(one, "end_phase", "DL-94.2", "reserves are due")
    do(one, "reserves", "next turn")
    assert arriving(one) == []  # both were put off
    end(one, 6)
    do(one, "reserves")
    assert arriving(one) == ["Squad 0", "Squad 1", "Squad 2", "Squad 3"]
    refused(one, "end_phase", "DL-94.2", "set it up first")
    for name in arriving(one):
        do(one, "arrive", unit=name)
    end(one, 6)
    do(one, "reserves")
    assert arriving(one) == ["Squad 4"]


def arriving(one: Battle) -> list[str]:
    return [troop.name for troop in one.state.squads if one.state.where(troop) == "arriving"]


@pytest.mark.clause("DL-94.8", "DL-94.9")
def test_outflankers_choose_an_edge_or_are_lost():
    one = battle(
        [unit("Outriders", reserve=True, arrives="outflank"), unit("Scout snipers", reserve=True, arrives="outflank")]
    )
    end(one, 6)
    do(one, "reserves")
    log = do(one, "outflank", "right", unit="Outriders")
    assert "Outriders comes on from the right edge" in log
    end(one, 6)
    do(one, "reserves")
    do(one, "outflank", unit="Scout snipers", blocked=["left", "right"])
    assert one.state.field.position("Scout snipers").where == "off"


@pytest.mark.clause("DL-95.2", "DL-95.3", "DL-95.4", "DL-95.5", "DL-95.6")
@pytest.mark.parametrize(("zone", "most", "where"), [("own", 2, "held"), ("neutral", 4, "table"), ("enemy", 6, "off")])
def test_a_mishap_depends_on_the_zone(zone, most, where):
    drops = [unit("Assault Marines", f"Drop {number}", **DROP) for number in range(4)]
    one = battle(drops)
    assert one.state.player("Horde").tokens.scatter == 8
    end(one, 6)
    do(one, "reserves")
    strike = {"unit": "Drop 0", "zone": zone, "hazard": 2.0}
    refused(one, "deep_strike", "DL-95.2", f"0 to {most} tokens", tokens=most + 1, **strike)
    refused(one, "deep_strike", "DL-95.5", "say where it is aimed", unit="Drop 0")
    do(one, "deep_strike", "mishap", tokens=1, **strike)
    assert one.state.field.position("Drop 0").where == where
    assert one.state.player("Horde").tokens.scatter == 7


@pytest.mark.clause("DL-95.7", "DL-SM-75.1")
def test_beacons_forbid_tokens_and_jammers_double_them():
    drops = [unit("Assault Marines", f"Drop {number}", **DROP) for number in range(4)]
    one = battle(drops)
    end(one, 6)
    do(one, "reserves")
    refused(one, "deep_strike", "DL-95.7", "does not scatter", unit="Drop 0", zone="neutral", beacon=True, tokens=1)
    do(one, "deep_strike", "clear", unit="Drop 1", zone="own", jammed=True, hazard=9, tokens=4)
    assert one.state.player("Horde").tokens.scatter == 4


@pytest.mark.clause("DL-95.2", "DL-95.4")
def test_on_a_board_a_unit_is_pushed_into_the_enemy_and_misplaced():
    one = battle(
        [unit("Assault Marines", "Drop", **DROP), unit("Assault Marines", "Other", **DROP)],
        [unit("Ork Boyz", x=36, y=24)],
    )
    end(one, 6)
    do(one, "reserves")
    log = do(one, "deep_strike", 2, "mishap", "north-west", unit="Drop", x=36, y=18)
    assert any("is set up by the opponent" in line for line in log)
    assert one.state.field.position("Drop").bases[0].centre.x == 4.0


@pytest.mark.clause("DL-50.1", "DL-50.2", "DL-SM-56.1")
def test_a_hood_makes_the_fourth_power_fail():
    one = battle([unit("Gate-walker Corven", "Hood")], [unit("Weirdboy Zagnit", "Brat", ld=10)])
    passed = []
    for _ in range(4):
        end(one, 4)
        cast = {"unit": "Brat", "power": "Frazzle", "target": "Far Vigil", "distance": 20, "hits": [1]}
        do(one, "cast", warp_token="keep", tokens=[0], **cast)
        passed.append(one.state.squad("Brat").op)
        end(one, 2)
    assert passed == [50, 100, 150, 0]


@pytest.mark.clause("DL-SM-57.2")
def test_a_null_zone_worsens_invulnerable_saves_until_the_next_turn():
    one = battle([unit("Librarian Osric Vale", "Vale"), unit("Combat squad")], [unit("Warboss Skargut", "Boss")])
    end(one)
    do(one, "cast", unit="Vale", power="null_zone")
    log = do(one, "shoot", unit="Combat squad", target="Boss", distance=20, weapons=["Lascannon"])
    assert any("→ 6+ (invulnerable)" in line for line in log)
    end(one, 5)
    assert not one.state.squad("Vale").null_zone


@pytest.mark.clause("DL-SM-57.3", "DL-SM-57.4")
def test_the_gate_takes_a_unit_along_and_hurts_it():
    one = battle([unit("Gate-walker Corven", "Corven"), unit("Combat squad", "Squad")])
    gate = {"unit": "Corven", "power": "gate_of_infinity", "gate_zone": "neutral"}
    do(one, "cast", 0, take="Squad", **gate)
    assert hp(one, "Squad") == 190
    assert one.state.squad("Corven").joined == "Squad"


@pytest.mark.clause("DL-14.1", "DL-14.2", "DL-14.3", "DL-14.4", "DL-76.1")
def test_terrain_slows_and_hurts():
    grounds = [{"name": "Wood"}, {"name": "Lava", "difficult": False, "dangerous": True, "dmg_per_inch": 5}]
    one = battle([unit("Combat squad", "Squad"), unit("Outriders"), unit("Terminators")], grounds=grounds)
    refused(one, "move", "DL-14.1", "count twice", unit="Squad", inches=5, inside=2, terrain="Wood")
    do(one, "move", unit="Squad", inches=4, inside=2, terrain="Wood")
    assert hp(one, "Squad") == 200
    do(one, "move", unit="Terminators", inches=6, inside=3, terrain="Lava")
    assert hp(one, "Terminators") == 200 - 10 - 10 - 30  # 15 DMG each on 5+: 10, 10 and 45 on 5+ is 30
    do(one, "move", unit="Outriders", inches=12, inside=6, terrain="Wood")
    assert hp(one, "Outriders") == 150 - 15  # skilled riders take 5 each


@pytest.mark.clause("DL-SM-67.1")
def test_the_first_enemy_in_mined_terrain_springs_the_trap():
    one = battle([unit("Scout bikers")], [unit("Ork Boyz")], mines="Wood", grounds=[{"name": "Wood"}])
    do(one, "move", unit="Scout bikers", inches=6)
    end(one, 3)
    log = do(one, "move", unit="Ork Boyz", inches=4, inside=1, terrain="Wood")
    assert any("Cluster mines" in line for line in log)
    assert one.state.field.terrain_piece("Wood").mined_by == ""


@pytest.mark.clause("DL-8.3")
def test_characters_join_and_leave():
    one = battle([unit("Captain Aldous Varn", "Varn"), unit("Combat squad", "Squad")], [unit("Ork Boyz")])
    refused(one, "join", "DL-8.3", "within 2", unit="Varn", target="Squad", distance=3)
    do(one, "join", unit="Varn", target="Squad", distance=1)
    refused(one, "move", "DL-0.1", "acts with Squad", unit="Varn", inches=3)
    end(one, 4)
    refused(one, "shoot", "DL-0.1", "fire at Squad", unit="Ork Boyz", target="Varn", distance=9)
    end(one, 2)
    do(one, "leave", unit="Varn")
    assert one.state.squad("Varn").joined == ""


def test_a_unit_moves_in_formation_and_keeps_away_from_enemies():
    one = battle([unit("Combat squad", x=30, y=10)], [unit("Ork Boyz", x=30, y=16)])
    refused(one, "move", "DL-0.1", "within an inch of Ork Boyz", unit="Combat squad", path=[{"x": 30, "y": 12.8}])
    refused(one, "move", "DL-0.1", "path=", unit="Combat squad", inches=3)
    do(one, "move", unit="Combat squad", path=[{"x": 26, "y": 10}])
    assert one.state.field.position("Combat squad").bases[0].centre.x == 26
    do(one, "place", unit="Combat squad", x=20, y=5)
    assert one.state.field.position("Combat squad").bases[0].centre.x == 20
