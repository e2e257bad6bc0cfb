"""The ground under every kind of move: mines, dangerous terrain, and the way of those who fall back."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.table.points import Point, step
from tests.diceless40k.battles import battle, do, end, hp, unit

BIKES = unit("Scout bikers", "Bikes", x=4, y=4)
MINED = 23  # HP: 90 DMG on a save of 4+, and half of it by feel no pain
WOOD: dict[str, Any] = {"name": "Wood", "difficult": False}


def area(west: float, south: float, east: float, north: float, **more: Any) -> dict[str, Any]:
    """A piece of terrain with four corners."""
    corners = [{"x": x, "y": y} for x, y in ((west, south), (east, south), (east, north), (west, north))]
    return {**WOOD, "corners": corners, **more}


# --- mines -----------------------------------------------------------------------------------------------------------


def won(grounds: list[dict[str, Any]], **winner: Any) -> Battle:
    """The Horde's Boyz have won a fight in their enemy's turn and may consolidate."""
    one = battle(
        [BIKES, unit("Grots", "Prey", x=30, y=20)],
        [unit("Nobz", "Boyz", groups=[], x=30, y=26, **winner)],
        mines="Wood",
        grounds=grounds,
    )
    end(one, 2)
    do(one, "charge", unit="Prey", target="Boyz")
    do(one, "fight", unit="Prey")
    assert one.state.squad("Boyz").may_consolidate
    return one


@pytest.mark.clause("DL-SM-67.1", "DL-40.2")
def test_who_consolidates_into_mined_terrain_springs_the_mines_but_no_terrain_hurts_it():
    one = won([area(20, 28, 40, 40, dangerous=True)])
    boyz, start = hp(one, "Boyz"), one.state.field.position("Boyz").bases[0].centre
    log = do(one, "consolidate", unit="Boyz", path=[{"x": start.x, "y": start.y + 4}])
    assert "Cluster mines on Boyz: 90 DMG → 4+ (armour) → 45 HP → feel no pain 23 HP" in log
    assert hp(one, "Boyz") == boyz - MINED
    assert not any("terrain" in line for line in log)
    assert one.state.field.terrain_piece("Wood").mined_by == ""


@pytest.mark.clause("DL-SM-67.1", "DL-40.2")
def test_mines_spring_once_and_never_where_nobody_goes():
    one = won([area(60, 28, 70, 40)])
    start = one.state.field.position("Boyz").bases[0].centre
    assert do(one, "consolidate", unit="Boyz", path=[{"x": start.x, "y": start.y + 4}]) == [
        "Boyz consolidates 4 inches"
    ]
    assert one.state.field.terrain_piece("Wood").mined_by == "Vigil"


@pytest.mark.clause("DL-SM-67.1", "DL-40.2")
def test_without_a_board_a_player_names_the_mined_terrain_of_a_consolidation():
    one = battle([BIKES, unit("Grots", "Prey")], [unit("Nobz", "Boyz", groups=[])], mines="Wood", grounds=[WOOD])
    end(one, 2)
    do(one, "charge", unit="Prey", target="Boyz", distance=3)
    do(one, "fight", unit="Prey")
    boyz = hp(one, "Boyz")
    do(one, "consolidate", unit="Boyz", inches=4, terrain="Wood", inside=2)
    assert hp(one, "Boyz") == boyz - MINED


@pytest.mark.clause("DL-SM-67.1", "DL-40.2")
def test_a_walker_that_consolidates_over_mines_meets_them_with_its_rear_armour():
    one = battle(
        [BIKES, unit("Grots", "Prey", x=30, y=20)],
        [],
        [],
        [unit("Deff Dread", "Dread", x=30, y=26, heading=180)],
        mines="Wood",
        grounds=[area(20, 24.5, 40, 40)],
    )
    end(one, 2)
    do(one, "charge", unit="Prey", target="Dread")
    do(one, "fight", unit="Prey")
    assert one.state.vehicle("Dread").may_consolidate
    do(one, "consolidate", unit="Dread", path=[{"x": 30, "y": 29}])
    assert sum(one.state.vehicle("Dread").damage.lines) == 23
    assert one.state.field.terrain_piece("Wood").mined_by == ""


@pytest.mark.clause("DL-SM-67.1", "DL-45.1", "DL-75.2")
@pytest.mark.parametrize("how", ["fall back", "hit and run"])
def test_who_leaves_a_fight_or_falls_back_springs_mines_as_well(how: str):
    grounds = [area(20, 30, 40, 46)]
    prey = unit("Outriders" if how == "hit and run" else "Lootas", "O", x=30, y=25.5)
    one = battle([BIKES, unit("Grots", "G", x=30, y=19)], [prey], mines="Wood", grounds=grounds)
    if how == "hit and run":
        end(one, 2)
        do(one, "charge", unit="G", target="O")
        do(one, "fight", unit="G")
        before = hp(one, "O")
        log = do(one, "hit_and_run", unit="O", bearing=0)
    else:
        before = hp(one, "O")
        log = do(one, "test_nerve", unit="O", modifier=-10)
    assert any("Cluster mines on O: 90 DMG" in line for line in log)
    assert hp(one, "O") < before
    assert one.state.field.terrain_piece("Wood").mined_by == ""


@pytest.mark.clause("DL-SM-67.1", "DL-46.1")
def test_who_regroups_into_mined_terrain_springs_the_mines():
    one = battle([BIKES], [unit("Lootas", "O", x=30, y=27)], mines="Wood", grounds=[area(20, 35.5, 40, 46)])
    end(one, 3)
    do(one, "test_nerve", unit="O", modifier=-10)
    end(one, 6)
    assert one.state.field.position("O").bases[0].centre.y == 34
    log = do(one, "regroup", unit="O", enemy=20, path=[{"x": 30, "y": 37}])
    assert not one.state.squad("O").falling_back
    assert "Cluster mines on O: 90 DMG → 6+ (armour) → 75 HP" in log


# --- dangerous terrain -----------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-14.2", "DL-45.1")
def test_dangerous_terrain_hurts_who_falls_back_through_it_but_does_not_slow_them():
    one = battle(
        [BIKES], [unit("Lootas", "O", x=30, y=27)], grounds=[area(20, 30, 40, 31, dangerous=True, difficult=True)]
    )
    count = one.state.squad("O").count
    before = hp(one, "O")
    log = do(one, "test_nerve", unit="O", modifier=-10)
    assert f"Dangerous terrain on O: {10 * count} DMG → no save → {10 * count} HP" in log
    assert hp(one, "O") == before - 10 * count
    assert {round(model.centre.y - 27, 6) for model in one.state.field.position("O").bases[:1]} == {7}


@pytest.mark.clause("DL-14.2", "DL-75.2")
def test_dangerous_terrain_hurts_who_hits_and_runs_through_it():
    one = battle(
        [unit("Grots", "G", x=30, y=19)],
        [unit("Outriders", "O", x=30, y=25.5)],
        grounds=[area(20, 28, 40, 30, dangerous=True)],
    )
    end(one, 2)
    do(one, "charge", unit="G", target="O")
    do(one, "fight", unit="G")
    before = hp(one, "O")
    log = do(one, "hit_and_run", unit="O", bearing=0)
    assert any(line.startswith("Dangerous terrain on O") for line in log)
    assert hp(one, "O") < before


# --- falling back ----------------------------------------------------------------------------------------------------


def hemmed_in(rulings: dict[str, Any] | None = None) -> Battle:
    """A hero with his back to a wall that is as wide as the table."""
    wall = area(0, 30, 72, 48, name="Wall", impassable=True)
    return battle([BIKES], [unit("Warboss Skargut", "Boss", x=30, y=29)], rulings=rulings, grounds=[wall])


@pytest.mark.clause("DL-45.1", "DL-0.1")
def test_who_is_hemmed_in_is_destroyed_and_the_log_says_so():
    one = hemmed_in()
    log = do(one, "test_nerve", unit="Boss", modifier=-10)
    assert "Boss is hemmed in and cannot fall back: it is destroyed" in log
    assert not any("falls back" in line for line in log)
    assert one.state.field.position("Boss").where == "off"


@pytest.mark.clause("DL-45.1", "DL-0.1")
def test_players_may_let_who_is_hemmed_in_stay():
    one = hemmed_in({"hemmed_in": "stays"})
    place = one.state.field.position("Boss").bases
    log = do(one, "test_nerve", unit="Boss", modifier=-10)
    assert "Boss is hemmed in and cannot fall back: it stays where it is" in log
    boss = one.state.field.position("Boss")
    assert (boss.bases, one.state.squad("Boss").falling_back, boss.where) == (place, True, "table")


@pytest.mark.clause("DL-45.1", "DL-0.1")
def test_who_finds_no_room_in_formation_falls_back_in_a_crowd():
    """Wherever its first model may go, a post stands where the second would; so they stand round it as they can."""
    ends = [step(Point(30, 29), turn, 7) for turn in range(-80, 90, 10)]
    posts = [unit("Grots", f"Post {at}", x=end.x, y=end.y + 1, groups=[], models=1) for at, end in enumerate(ends)]
    boss = unit("Warboss Skargut", "Boss", joined="O")  # whose place is not known
    one = battle([BIKES], [unit("Lootas", "O", x=30, y=29), boss, *posts])
    log = do(one, "test_nerve", unit="O", modifier=-10)
    troop, bases = one.state.squad("O"), one.state.field.position("O").bases
    assert "O falls back 7 inches" in log
    assert (troop.falling_back, troop.count) == (True, len(bases))
    assert min(base.centre.y for base in bases) > 31


@pytest.mark.clause("DL-45.1")
def test_the_log_says_who_falls_back_off_the_table():
    one = battle([BIKES], [unit("Lootas", "O", x=30, y=44)])
    log = do(one, "test_nerve", unit="O", modifier=-10)
    assert "O falls back 7 inches, beyond the edge of the table, and is gone" in log
    assert one.state.field.position("O").where == "off"


# --- losses by hand --------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-8.1", "DL-24.1")
@pytest.mark.parametrize(("models", "tests"), [(1, False), (2, True)])
def test_losses_written_by_hand_count_towards_a_quarter_of_a_unit(models: int, tests: bool):
    one = battle([unit("Lootas", "O", models=8)])
    do(one, "lose_hp", unit="O", group="O", hp=models * 40)
    log = do(one, "end_phase")
    assert any("a quarter lost" in line for line in log) is tests
    assert one.state.squad("O").op == 25 * tests


@pytest.mark.clause("DL-8.1")
def test_losses_written_by_hand_in_a_fight_are_those_of_blows():
    one = battle([unit("Lootas", "O", models=8)], [unit("Grots", "G")])
    end(one, 2)
    do(one, "charge", unit="O", target="G", distance=2)
    do(one, "lose_hp", unit="O", group="O", hp=120)
    assert one.state.squad("O").lost_in_phase == 0


# --- setting foot ----------------------------------------------------------------------------------------------------

DROP = {"reserve": True, "arrives": "deep_strike"}


def second_turn(mine: list[dict[str, Any]], grounds: list[dict[str, Any]], mines: str = "") -> Battle:
    """The second turn of the Horde, whose first reserve arrives."""
    waiting = [*mine, unit("Grots", "Later", reserve=True)]
    one = battle([BIKES], waiting, grounds=grounds, mines=mines)
    end(one, 9)
    do(one, "reserves", mine[0]["name"])
    return one


@pytest.mark.clause("DL-14.2", "DL-95.2")
@pytest.mark.parametrize("dangerous", [True, False])
def test_who_comes_down_in_terrain_has_entered_it(dangerous: bool):
    """Jump troops treat difficult terrain as dangerous where they land; who lands beside it is not hurt."""
    bog = area(29, 20, 29.9, 30, dangerous=dangerous, difficult=True)
    one = second_turn([unit("Stormboyz", "Drop", **DROP)], [bog])
    troop = one.state.squad("Drop")
    log = do(one, "deep_strike", 0, unit="Drop", x=30, y=25)
    inside = sum(29 <= model.centre.x <= 29.9 for model in one.state.field.position("Drop").bases)
    assert 0 < inside < troop.count
    assert one.state.squad("Drop").hp == troop.hp - 10 * inside
    assert any(line.startswith("Dangerous terrain on Drop") for line in log)


@pytest.mark.clause("DL-SM-67.1", "DL-95.2", "DL-94.2")
@pytest.mark.parametrize("how", ["deep_strike", "arrive"])
def test_who_is_set_up_where_mines_lie_springs_them(how: str):
    mine = unit("Stormboyz", "New", **(DROP if how == "deep_strike" else {"reserve": True}))
    one = second_turn([mine], [area(20, 20, 40, 48)], mines="Wood")
    log = do(one, how, 0, unit="New", x=30, y=25 if how == "deep_strike" else 44)
    assert any("Cluster mines on New: 90 DMG" in line for line in log)
    assert one.state.field.terrain_piece("Wood").mined_by == ""


@pytest.mark.clause("DL-SM-67.1", "DL-0.1")
def test_who_gets_out_where_mines_lie_springs_them():
    one = battle(
        [BIKES],
        [unit("Lootas", "O", aboard="Trukk")],
        horde_vehicles=[unit("Trukk", x=30, y=30)],
        grounds=[area(20, 31.5, 40, 48)],
        mines="Wood",
    )
    end(one, 3)
    log = do(one, "disembark", unit="O", x=30, y=33)
    assert any("Cluster mines on O: 90 DMG" in line for line in log)


@pytest.mark.clause("DL-45.1", "DL-44.1")
def test_the_log_of_a_fight_says_what_became_of_who_had_to_fall_back():
    """A mob with its back to a wall as wide as the table loses and breaks off, but cannot go anywhere."""
    wall = area(0, 26.4, 72, 48, name="Wall", impassable=True)
    mob = unit("Ork Boyz", "Mob", x=30, y=25, models=2, groups=[], wounds=6, initiative=10, ld=2)
    one = battle([unit("Space Marines", "Sq", x=30, y=20, models=3, groups=[])], [mob], grounds=[wall])
    end(one, 2)
    do(one, "charge", unit="Sq", target="Mob")
    log = do(one, "fight", unit="Sq")
    told = [line for line in log if "fall back" in line or "falls back" in line]
    assert told == ["Mob has to fall back 7 inches", "Mob is hemmed in and cannot fall back: it is destroyed"]
    assert one.state.field.position("Mob").where == "off"
