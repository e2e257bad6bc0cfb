"""Where models stand and how they come there: room for all, ways past others, distances that the board knows."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.rulesets.diceless40k.battle.turn import apply_consequences
from battletape.table.board import is_on_board
from battletape.table.distances import is_coherent, is_within, overlaps
from battletape.table.points import TOLERANCE, apart
from battletape.tape.script import Script
from tests.diceless40k.battles import battle, do, end, refused, unit

DROP = {"reserve": True, "arrives": "deep_strike"}
GATE: dict[str, Any] = {"unit": "Corven", "power": "gate_of_infinity", "warp_token": "keep"}


def stand_well(one: Battle) -> bool:
    """Whether everybody stands on the table and nobody on anybody."""
    things = [thing for each in one.state.on_table() for thing in one.state.footprints(each)]
    assert one.state.field.board is not None
    on_table = all(is_on_board(one.state.field.board, thing) for thing in things)
    return on_table and not any(overlaps(a, b) for a, b in combinations(things, 2))


def turn_two(one: Battle, who: str) -> None:
    """The second turn, in which somebody arrives."""
    end(one, 6)
    do(one, "reserves", who)


# --- room ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-94.2", "DL-0.1")
def test_a_character_who_comes_on_with_his_unit_stays_on_the_table():
    squad = [unit("Shoota Boyz", "Sh", reserve=True), unit("Warboss Skargut", "Boss", joined="Sh", reserve=True)]
    one = battle([*squad, unit("Grots", "Later", reserve=True)], [unit("Grots", "G", x=44, y=20)])
    turn_two(one, "Sh")
    refused(one, "arrive", "DL-0.1", "would leave the table", unit="Sh", x=71, y=4)
    do(one, "arrive", unit="Sh", x=69, y=4)
    assert stand_well(one)
    assert one.state.distance(one.state.squad("Sh"), one.state.squad("Boss")) == pytest.approx(0, abs=0.1)


@pytest.mark.clause("DL-95.2", "DL-95.4")
@pytest.mark.parametrize(("x", "lands"), [(40, True), (42, False), (71.5, False)])
def test_who_comes_down_with_a_character_has_room_for_him_or_meets_a_mishap(x: float, lands: bool):
    drop = [unit("Assault Marines", "J", **DROP), unit("Captain Aldous Varn", "Varn", joined="J")]
    one = battle([*drop, unit("Grots", "Later", reserve=True)], [unit("Warboss Skargut", "Boss", x=44, y=24)])
    turn_two(one, "J")
    log = do(one, "deep_strike", 0, unit="J", x=x, y=24)
    assert ("J lands as it was meant to" in log) is lands
    assert stand_well(one)
    assert {one.state.field.position(name).where for name in ("J", "Varn")} == {"table"}


@pytest.mark.clause("DL-95.4")
@pytest.mark.parametrize(("x", "y", "match"), [(80, 5, "leave the table"), (30, 26, "stand on Boyz")])
def test_the_opponent_sets_up_a_misplaced_unit_where_there_is_room(x: float, y: float, match: str):
    one = battle(
        [unit("Assault Marines", "J", **DROP), unit("Grots", "Later", reserve=True)],
        [unit("Ork Boyz", "Boyz", x=30, y=26)],
    )
    turn_two(one, "J")
    strike = {"unit": "J", "x": 30, "y": 20, "tokens": 2}
    refused(one, "deep_strike", "DL-95.4", match, **strike, misplaced_x=x, misplaced_y=y)
    do(one, "deep_strike", "mishap", **strike, misplaced_x=60, misplaced_y=40)
    assert one.state.field.position("J").bases[0].centre.x == 60


@pytest.mark.clause("DL-95.4", "DL-95.6")
def test_a_unit_that_no_token_can_push_clear_meets_a_mishap():
    """The Boyz stand all around the point; whichever way one token pushes the squad, it comes down among them."""
    ring = [unit("Grots", f"G{x}{y}", x=x, y=y) for x in (27, 33) for y in (21, 27)]
    one = battle([unit("Assault Marines", "J", **DROP), unit("Grots", "Later", reserve=True)], ring)
    turn_two(one, "J")
    log = do(one, "deep_strike", unit="J", x=30, y=24, tokens=1)
    assert "J is set up by the opponent" in log
    assert one.state.field.position("J").bases[0].centre.x == 4
    assert stand_well(one)


@pytest.mark.clause("DL-94.8", "DL-94.9")
def test_an_outflanker_for_whom_there_is_room_elsewhere_is_not_lost():
    one = battle([unit("Outriders", reserve=True, arrives="outflank"), unit("Grots", "Later", reserve=True)])
    turn_two(one, "Outriders")
    refused(one, "outflank", "DL-94.9", "no room at y=80 on an edge; there is at y=", unit="Outriders", y=80)
    do(one, "outflank", unit="Outriders", y=20)
    assert stand_well(one)


@pytest.mark.clause("DL-SM-57.4")
def test_no_psyker_takes_itself_or_somebody_far_away_through_the_gate():
    squads = [unit("Combat squad", "Near", x=33, y=10), unit("Combat squad", "Far", x=66, y=4)]
    one = battle([unit("Gate-walker Corven", "Corven", x=30, y=10), *squads], [unit("Ork Boyz", "Boyz", x=30, y=40)])
    refused(one, "cast", "DL-SM-57.4", "goes through the gate in any case", take="Corven", x=30, y=24, **GATE)
    refused(one, "cast", "DL-SM-57.4", "Far is .* inches away", take="Far", x=30, y=24, **GATE)
    do(one, "cast", 0, take="Near", x=30, y=24, **GATE)
    assert one.state.squad("Corven").joined == "Near"
    assert stand_well(one)


@pytest.mark.clause("DL-SM-57.3", "DL-SM-57.4")
@pytest.mark.parametrize("x", [61.5, 63, 71])
def test_who_goes_through_the_gate_with_others_has_room_for_all_or_meets_a_mishap(x: float):
    one = battle(
        [unit("Gate-walker Corven", "Corven", x=30, y=20), unit("Combat squad", "Sq", x=33, y=20)],
        [unit("Ork Boyz", "Boyz", x=66, y=24)],
    )
    do(one, "cast", 0, take="Sq", x=x, y=24, **GATE)
    assert stand_well(one)
    assert one.state.squad("Corven").joined == "Sq"
    assert (one.state.field.position("Sq").bases[0].centre.x == x) is (x == 61.5)


@pytest.mark.clause("DL-SM-57.3", "DL-95.3")
def test_whom_the_gate_sends_back_to_reserve_comes_in_the_next_turn():
    squads = [unit("Combat squad", "Sq", x=33, y=10), unit("Grots", "There", x=50, y=6)]
    one = battle([unit("Gate-walker Corven", "Corven", x=30, y=10), *squads])
    do(one, "cast", take="Sq", x=50, y=6, **GATE)
    assert {one.state.field.position(name).where for name in ("Corven", "Sq")} == {"held"}
    refused(one, "reserves", "DL-94.2", "have been called")
    end(one, 6)
    do(one, "reserves")
    do(one, "arrive", unit="Sq", x=30, y=4)
    assert {one.state.field.position(name).where for name in ("Corven", "Sq")} == {"table"}
    assert stand_well(one)


@pytest.mark.clause("DL-0.1")
def test_who_gets_out_stands_within_2_inches_of_the_hull():
    one = battle(
        [unit("Space Marines", "Sq", aboard="Rhino")], [unit("Grots", "G", x=60, y=44)], [unit("Rhino", x=10, y=10)]
    )
    refused(one, "disembark", "DL-0.1", "within 2", unit="Sq", x=60, y=38)
    refused(one, "disembark", "DL-0.1", "stand on Rhino", unit="Sq", x=10, y=9)
    for place in ({}, {"x": 13, "y": 10}):
        do(one, "disembark", unit="Sq", **place)
        hull = one.state.field.position("Rhino").hulls[0]
        assert hull is not None
        assert all(is_within(model, hull, 2) for model in one.state.field.position("Sq").bases)
        assert stand_well(one)
        one.pop()


@pytest.mark.clause("DL-95.2", "DL-0.1")
def test_passengers_get_out_of_a_pod_that_has_landed():
    pod = [unit("Landing pod", "Pod", **DROP), unit("Rhino", "Later", reserve=True)]
    one = battle([unit("Combat squad", "Sq", aboard="Pod")], [unit("Grots", "G", x=30, y=34)], pod)
    refused(one, "disembark", "DL-0.1", "Pod is not on the table", unit="Sq")
    turn_two(one, "Pod")
    do(one, "deep_strike", unit="Pod", x=30, y=24)
    do(one, "disembark", unit="Sq")
    assert one.state.field.position("Sq").where == "table"
    assert stand_well(one)
    end(one, 2)
    refused(one, "charge", "DL-0.1", "got out", unit="Sq", target="G")


# --- fights ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-75.2")
def test_who_hits_and_runs_stays_on_the_table_and_off_his_friends():
    one = battle([unit("Grots", "G", x=30, y=40)], [unit("Outriders", "Out", x=30, y=45.5)])
    end(one, 2)
    do(one, "charge", unit="G", target="Out")
    do(one, "fight", unit="G")
    refused(one, "hit_and_run", "DL-75.2", "leave the table; say another bearing", unit="Out", bearing=0)
    do(one, "hit_and_run", unit="Out")
    assert one.state.field.position("Out").where == "table"
    assert stand_well(one)

    wall = [unit("Outriders", "Out", x=30, y=25.5), unit("Grots", "Wall", x=30, y=35.5)]
    one = battle([unit("Grots", "G", x=30, y=20)], wall)
    end(one, 2)
    do(one, "charge", unit="G", target="Out")
    do(one, "fight", unit="G")
    refused(one, "hit_and_run", "DL-75.2", "stand on Wall", unit="Out", bearing=0)
    do(one, "hit_and_run", unit="Out")
    assert stand_well(one)


@pytest.mark.clause("DL-14.1", "DL-38.1")
def test_chargers_reach_their_foe_past_others_by_another_model_if_they_can():
    """Straight at the nearest of the Boyz the squad would come too near to the Boss; to another of them it does not."""
    foes = [unit("Ork Boyz", "Boyz", x=30, y=17), unit("Warboss Skargut", "Boss", x=31, y=14)]
    one = battle([unit("Combat squad", "Sq", x=26, y=11)], foes)
    end(one, 2)
    do(one, "charge", unit="Sq", target="Boyz")
    squad, boss = one.state.squad("Sq"), one.state.squad("Boss")
    assert (squad.combat, boss.combat) == (1, 0)
    assert (one.state.distance(squad, boss) or 0) >= 1
    assert stand_well(one)


@pytest.mark.clause("DL-14.1", "DL-38.1")
def test_every_charger_comes_into_contact_if_it_can_reach_an_enemy():
    """As a block, only one or two of the five would touch anybody."""
    mine = [unit("Space Marines", "Sq", x=30, y=20, models=5, groups=[])]
    foes = [unit("Ork Boyz", "Boyz", x=30.7, y=25.4, models=5, groups=[])]
    one = battle(mine, foes)
    end(one, 2)
    before = one.state.field.position("Sq").bases
    do(one, "charge", unit="Sq", target="Boyz")
    after, boyz = one.state.field.position("Sq").bases, one.state.field.position("Boyz").bases
    touching = sum(any(is_within(model, boy, 0.02) for boy in boyz) for model in after)
    reached = sum(any(is_within(boy, model, 0.02) for model in after) for boy in boyz)
    assert touching >= 4
    assert reached >= 2
    assert all(apart(a.centre, b.centre) <= 6 + TOLERANCE for a, b in zip(before, after, strict=True))
    assert is_coherent(after, chain=True)
    assert stand_well(one)


@pytest.mark.clause("DL-14.1", "DL-14.2")
def test_each_charger_has_its_own_way_through_terrain():
    """A bog lies before the eastern half of the squad only: who does not go through it is not hurt."""
    bog = {"name": "Bog", "difficult": False, "dangerous": True}
    bog["corners"] = [{"x": x, "y": y} for x, y in ((30.6, 22.2), (40, 22.2), (40, 23), (30.6, 23))]
    one = battle(
        [unit("Space Marines", "Sq", x=30, y=20, models=5, groups=[])],
        [unit("Ork Boyz", "Boyz", x=29, y=25, models=3, groups=[])],
        grounds=[bog],
    )
    end(one, 2)
    before = one.state.squad("Sq")
    do(one, "charge", unit="Sq", target="Boyz")
    lost = before.hp - one.state.squad("Sq").hp
    assert 0 < lost < 10 * before.count
    assert lost % 10 == 0


@pytest.mark.clause("DL-14.1", "DL-38.1")
@pytest.mark.parametrize("x", [26, 28, 30, 33, 36])
def test_a_crowd_that_charges_stands_well_and_nobody_goes_too_far(x: float):
    foes = [unit("Grots", "G", x=30, y=24), unit("Warboss Skargut", "Boss", x=36, y=27)]
    one = battle([unit("Ork Boyz", "Mob", x=x, y=18, models=18, groups=[])], foes)
    end(one, 2)
    before = one.state.field.position("Mob").bases
    do(one, "charge", unit="Mob", target="G")
    after = one.state.field.position("Mob").bases
    assert all(apart(a.centre, b.centre) <= 6 + TOLERANCE for a, b in zip(before, after, strict=True))
    boss = one.state.squad("Boss")
    assert (one.state.distance(one.state.squad("Mob"), boss) or 0) >= 1
    assert stand_well(one)


@pytest.mark.clause("DL-14.1", "DL-63.4")
def test_chargers_come_round_a_walker():
    one = battle(
        [unit("Space Marines", "Sq", x=30, y=18, models=5, groups=[])],
        [],
        [],
        [unit("Deff Dread", "Dread", x=30, y=24)],
    )
    end(one, 2)
    do(one, "charge", unit="Sq", target="Dread")
    hull = one.state.field.position("Dread").hulls[0]
    assert hull is not None
    assert sum(is_within(model, hull, 0.02) for model in one.state.field.position("Sq").bases) >= 3
    assert stand_well(one)


@pytest.mark.clause("DL-8.3", "DL-44.1")
def test_a_character_whose_unit_has_died_around_him_is_on_his_own_at_once():
    one = battle(
        [unit("Grots", "G", x=30, y=10), unit("Warboss Skargut", "Boss", x=33, y=10, joined="G")],
        [unit("Militia", "M", x=30, y=16)],
    )
    end(one, 2)
    do(one, "charge", unit="G", target="M")
    state = one.state
    for name in ("G", "M"):
        fallen = state.squad(name)
        groups = tuple(replace(group, models=0, recorded=0) for group in fallen.groups)
        state = state.with_losses(replace(fallen, groups=groups), range(fallen.count))
    boss = apply_consequences(Script(), state).squad("Boss")
    assert (boss.joined, boss.combat) == ("", 0)


# --- ways and distances ----------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-0.1", "DL-14.1")
def test_jump_infantry_goes_over_an_enemy():
    boss = unit("Warboss Skargut", "Boss", x=50, y=13)
    one = battle([unit("Assault Marines", "Jump", x=54, y=10)], [boss])
    do(one, "move", unit="Jump", path=[{"x": 48, "y": 19}])


@pytest.mark.clause("DL-0.1", "DL-60.2")
@pytest.mark.parametrize(("x", "y", "barred"), [(40, 10, True), (37, 17, True), (30, 20, False), (20, 10, False)])
def test_a_vehicle_turns_away_from_whom_it_touches_but_not_over_him(x: float, y: float, barred: bool):
    one = battle([], [unit("Warboss Skargut", "Boss", x=32.05, y=10)], [unit("Rhino", x=30, y=10)])
    way = {"unit": "Rhino", "path": [{"x": x, "y": y}]}
    if barred:
        refused(one, "drive", "DL-0.1", "within an inch of Boss", **way)
    else:
        do(one, "drive", **way)
        assert stand_well(one)


@pytest.mark.clause("DL-0.1", "DL-14.1")
def test_models_walk_past_friends_on_foot():
    friends = [unit("Captain Aldous Varn", "Varn", x=50, y=10), unit("Librarian Osric Vale", "Osric", x=46, y=12)]
    one = battle(friends, [], [unit("Rhino", x=50, y=13, heading=90)])
    do(one, "move", unit="Varn", path=[{"x": 45, "y": 12}])


@pytest.mark.clause("DL-0.1", "DL-63.1")
def test_a_unit_that_stands_at_an_enemys_hull_may_go_away_from_it():
    one = battle([unit("Combat squad", "Sq", x=30, y=10)], [], [], [unit("Battlewagon", x=30, y=17, heading=90)])
    end(one, 2)
    do(one, "assault_vehicle", 0, unit="Sq", target="Battlewagon")  # grenades would wreck it
    end(one, 4)
    at = one.state.field.position("Sq").bases[0].centre
    refused(one, "move", "DL-0.1", None, unit="Sq", path=[{"x": at.x, "y": at.y + 6}])
    do(one, "move", unit="Sq", path=[{"x": at.x, "y": at.y - 6}])


@pytest.mark.clause("DL-69.1", "DL-8.1", "DL-14.1")
def test_a_ram_as_far_as_the_board_shows_is_refused_beyond_12_inches():
    one = battle([], [unit("Grots", "G", x=20, y=40)], [unit("Rhino", x=44, y=8)], [unit("Trukk", x=24, y=40)])
    trukk = one.state.distance(one.state.vehicle("Rhino"), one.state.vehicle("Trukk"))
    assert trukk is not None
    refused(one, "ram", "DL-69.1", "drives 12 inches at most", unit="Rhino", target="Trukk", inches=trukk)


@pytest.mark.clause("DL-69.1", "DL-8.1")
def test_rams_and_tank_shocks_end_before_whom_they_meet():
    one = battle([], [unit("Grots", "G", x=44, y=20)], [unit("Rhino", x=44, y=8)], [unit("Trukk", x=52, y=10)])
    for action, target in (("ram", "Trukk"), ("tank_shock", "G")):
        do(one, action, unit="Rhino", target=target)
        rhino = one.state.vehicle("Rhino")
        assert one.state.distance(rhino, one.state.find(target)) == pytest.approx(0.1, abs=0.02)
        assert stand_well(one)
        one.pop()


@pytest.mark.clause("DL-46.1")
def test_who_regroups_goes_by_the_board_or_somebody_says_where_the_enemy_is():
    one = battle([unit("Ork Boyz", "Fl", x=60, y=20)], [unit("Grots", "G", x=60, y=34)])
    do(one, "test_nerve", unit="Fl", modifier=-10)
    end(one, 3)
    do(one, "place", unit="G", x=60, y=19.5)
    end(one, 3)
    refused(
        one, "regroup", "DL-46.1", r"an enemy is 2\.5 inches from Fl on the board, not 24 inches", unit="Fl", enemy=24
    )

    one = battle([unit("Combat squad", "Sq")], [unit("Ork Boyz")])
    do(one, "test_nerve", unit="Sq", modifier=-10)
    end(one, 6)
    refused(one, "regroup", "DL-46.1", "the distance to the nearest enemy is not known", unit="Sq")
    do(one, "regroup", unit="Sq", enemy=12)
    assert not one.state.squad("Sq").falling_back


@pytest.mark.clause("DL-45.1", "DL-8.3")
def test_a_character_flees_from_the_table_with_his_unit():
    squad = [unit("Combat squad", "Sq", x=30, y=6), unit("Captain Aldous Varn", "Varn", x=30, y=9.6, joined="Sq")]
    one = battle(squad, [unit("Ork Boyz", "Boyz", x=30, y=40)])
    do(one, "test_nerve", unit="Sq", modifier=-10)
    assert {one.state.field.position(name).where for name in ("Sq", "Varn")} == {"off"}


@pytest.mark.clause("DL-45.1")
def test_who_falls_back_goes_round_his_friends():
    squads = [unit("Combat squad", "Sq", x=30, y=20), unit("Grots", "Behind", x=30, y=13)]
    one = battle(squads, [unit("Ork Boyz", "Boyz", x=30, y=40)])
    do(one, "test_nerve", unit="Sq", modifier=-10)
    squad = one.state.squad("Sq")
    assert squad.falling_back
    assert 13 < one.state.field.position("Sq").bases[0].centre.y < 20
    assert stand_well(one)


@pytest.mark.clause("DL-29.1")
def test_shots_go_as_far_as_the_board_shows():
    one = battle([unit("Combat squad", "Sq", x=30, y=10)], [unit("Ork Boyz", "Boyz", x=30, y=40)])
    end(one)
    refused(
        one, "shoot", "DL-29.1", "27 inches from Sq on the board, not 12 inches", unit="Sq", target="Boyz", distance=12
    )
    do(one, "shoot", unit="Sq", target="Boyz", distance=27, weapons=["Lascannon"])
