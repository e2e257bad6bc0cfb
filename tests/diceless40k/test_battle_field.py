"""The battlefield of a battle: formations, moves towards something, sight and cover, wrecks, missions and points."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.errors import BadInput, UnknownName
from battletape.rulesets.diceless40k import RULESET
from battletape.rulesets.diceless40k.battle.markers import ShotOrder, max_bases_under
from battletape.rulesets.diceless40k.battle.shooting import measured
from battletape.table.distances import gap, is_coherent
from battletape.table.points import Point
from tests.diceless40k.battles import battle, do, end, hp, refused, unit

SPREAD: dict[str, Any] = {"spacing": 2, "formation": "block", "abreast": 3}


def places(one: Battle, name: str) -> tuple[Point, ...]:
    """Where the models of a unit, or the middle of its hull, stand."""
    return tuple(each.centre for each in one.state.field.position(name).footprints)


# --- formations and single places -------------------------------------------------------------------------------------


@pytest.mark.clause("DL-0.1", "DL-30.8")
def test_units_are_set_up_spread_out_in_ranks_or_at_a_place_for_each_model():
    squad = unit("Combat squad", x=30, y=20)
    close = battle([squad])
    wide = battle([{**squad, **SPREAD}])
    bases = wide.state.field.position("Combat squad").bases
    assert [(base.centre.x, base.centre.y) for base in bases] == [(27, 20), (30, 20), (33, 20), (28.5, 17), (31.5, 17)]
    assert gap(bases[0], bases[1]) == pytest.approx(2)
    assert places(close, "Combat squad")[0] == Point(30, 20)
    spots = [{"x": 20 + 3 * at, "y": 10} for at in range(5)]
    assert places(battle([unit("Combat squad", spots=spots)]), "Combat squad")[4] == Point(32, 10)


@pytest.mark.clause("DL-0.1")
@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"x": 30, "y": 20, "formation": "line", "spacing": 2.5}, "more than 2 inches from the others"),
        ({"spots": [{"x": 20, "y": 10}]}, "a place for every model: there are 5, and 1 spots"),
        ({"spots": [{"x": 20 + 4 * at, "y": 10} for at in range(5)]}, "more than 2 inches from the others"),
    ],
)
def test_a_start_out_of_coherency_is_refused(wrong, match):
    with pytest.raises(BadInput, match=match):
        battle([unit("Combat squad", **wrong)])


@pytest.mark.clause("DL-30.8", "DL-30.4")
def test_a_marker_covers_fewer_models_that_are_spread_out():
    hits = {}
    for name, formation in (("close", {}), ("wide", {"formation": "block", "spacing": 2, "abreast": 4})):
        one = battle([], [unit("Ork Boyz", "Boyz", x=30, y=30, **formation)])
        hits[name] = max_bases_under(1.5, one.state.field.position("Boyz").bases)
    assert hits == {
        "close": 10,
        "wide": 2,
    }  # two 3 inches apart lie within 2 of the hole, of four in a square no three do


@pytest.mark.clause("DL-0.1")
def test_a_unit_is_put_in_formation_or_moves_model_by_model():
    one = battle([unit("Combat squad", "Sq", x=30, y=20)])
    do(one, "place", unit="Sq", x=30, y=20, **SPREAD)
    assert places(one, "Sq")[1] == Point(30, 20)
    refused(
        one, "place", "DL-0.1", "more than 2 inches", unit="Sq", spots=[{"x": 8 * at, "y": 9} for at in range(1, 6)]
    )
    goals = [{"x": place.x, "y": place.y + 2 + at / 4} for at, place in enumerate(places(one, "Sq"))]
    do(one, "move", unit="Sq", spots=goals)
    assert [(place.x, place.y) for place in places(one, "Sq")] == [(goal["x"], goal["y"]) for goal in goals]
    assert is_coherent(one.state.field.position("Sq").bases)


@pytest.mark.clause("DL-0.1", "DL-14.1")
@pytest.mark.parametrize(
    ("goals", "match"),
    [
        ([(30, 22)], "5 models of Sq and 1 place"),
        ([(30, 22)] * 5, "stand on each other"),
        ([(30, 22), (31, 22), (32, 22), (33, 22), (37, 22)], "more than 2 inches from the others"),
        ([(30, 27), (31, 27), (32, 27), (33, 27), (34, 27)], "6 inches are allowed"),
    ],
)
def test_models_that_move_one_by_one_stay_together_and_go_as_far_as_they_may(goals, match):
    one = battle([unit("Combat squad", "Sq", x=30, y=20)])
    refused(
        one,
        "move",
        "DL-14.1" if "allowed" in match else "DL-0.1",
        match,
        unit="Sq",
        spots=[{"x": x, "y": y} for x, y in goals],
    )


# --- towards something ------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-14.1", "DL-0.1")
def test_a_unit_moves_towards_an_enemy_terrain_or_an_objective_as_far_as_it_may():
    wood = {"name": "Wood", "corners": [{"x": 44, "y": 20}], "radius": 3}
    objectives = [{"name": "Well", "x": 30, "y": 25}]
    start: dict[str, Any] = {"grounds": [wood], "objectives": objectives}
    one = battle([unit("Warboss Skargut", "Boss", x=30, y=20)], [unit("Ork Boyz", "Boyz", x=30, y=32)], **start)
    do(one, "move", unit="Boss", towards="well")
    assert places(one, "Boss") == (Point(30, 25),)
    end(one, 6)
    do(one, "move", unit="Boss", towards="Boyz")
    near = min(gap(one.state.field.position("Boss").bases[0], base) for base in one.state.field.position("Boyz").bases)
    assert 1 <= near < 1.25 + 1e-9
    end(one)
    do(one, "run", unit="Boss", towards="Wood", inches=2.5)


@pytest.mark.clause("DL-14.1", "DL-0.1", "DL-60.2")
def test_a_move_towards_something_ends_where_terrain_halves_it_and_where_it_is_barred():
    wood = {"name": "Wood", "corners": [{"x": 30, "y": 26}], "radius": 4}
    one = battle(
        [unit("Warboss Skargut", "Boss", x=30, y=20)], grounds=[wood], vigil_vehicles=[unit("Rhino", x=20, y=10)]
    )
    do(one, "move", unit="Boss", towards="Wood")
    assert places(one, "Boss")[0] == Point(30, 24)  # two inches in the open and two that count twice
    refused(one, "drive", "DL-0.1", "cannot move towards itself", unit="Rhino", towards="Rhino")
    with pytest.raises(UnknownName):
        one.push("drive", {"unit": "Rhino", "towards": "Mordheim"})
    do(one, "drive", unit="Rhino", towards="Boss")
    assert one.state.vehicle("Rhino").inches == pytest.approx(12)
    unplaced = battle([unit("Combat squad", "Sq")])
    refused(unplaced, "move", "DL-0.1", "say inches=… instead of towards", unit="Sq", towards="Far Horde")


# --- sight and cover --------------------------------------------------------------------------------------------------


def shot(top: float = 0.0, rulings: dict[str, Any] | None = None, trukk: bool = False, **wall: Any) -> Battle:
    """A squad about to fire at Boyz behind a wall, or behind a vehicle of their own."""
    between = {"name": "Wall", "difficult": False, "top": top, **wall}
    between["corners"] = [{"x": 20, "y": 20}, {"x": 40, "y": 20}, {"x": 40, "y": 21}, {"x": 20, "y": 21}]
    one = battle(
        [unit("Warboss Skargut", "Boss", x=30, y=10), unit("Combat squad", "Sq", x=30, y=12)],
        [unit("Grots", "Boyz", x=30, y=28, models=1, toughness=4, wounds=2, groups=[])],
        horde_vehicles=[unit("Trukk", x=30, y=24, heading=90)] if trukk else [],
        grounds=[] if trukk else [between],
        rulings=rulings,
    )
    end(one)
    return one


def shown(one: Battle) -> tuple[bool, int]:
    """Whether the target is in sight, and its cover."""
    state = one.state
    seen = measured(state, state.find("Sq"), state.find("Boyz"), ShotOrder())
    return seen.sees, seen.cover


@pytest.mark.clause("DL-20.1", "DL-32.1")
@pytest.mark.parametrize(("top", "sees", "cover"), [(0.0, True, 0), (0.8, True, 4), (5.0, False, 4)])
def test_flat_terrain_hides_nothing_and_high_terrain_gives_cover_or_hides(top, sees, cover):
    one = shot(top, cover=4)
    assert shown(one) == (sees, cover)
    before = hp(one, "Boyz")
    if sees:
        do(one, "shoot", unit="Sq", target="Boyz", weapons=["Bolter"])
        assert hp(one, "Boyz") < before
    else:
        refused(one, "shoot", "DL-32.1", "does not fire at what is out of sight", unit="Sq", target="Boyz")


@pytest.mark.clause("DL-20.1")
def test_cover_by_what_stands_between_counts_and_players_may_say_another():
    """One Boy without armour: 4+ cover, or the 2+ that his player sees, lets less of the damage through."""
    left = {}
    for cover, said in ((0, None), (4, None), (4, 2)):
        one = shot(0.8, cover=cover or None)
        do(one, "shoot", unit="Sq", target="Boyz", weapons=["Bolter"], **({} if said is None else {"cover": said}))
        left[cover, said] = hp(one, "Boyz")
    assert left[0, None] < left[4, None] < left[4, 2]


@pytest.mark.clause("DL-0.1", "DL-20.1")
@pytest.mark.parametrize(("ruling", "seen"), [("no", (True, 0)), ("yes", (False, 4))])
def test_vehicles_hide_who_stands_behind_them_by_a_ruling(ruling, seen):
    assert shown(shot(rulings={"vehicles_hide": ruling}, trukk=True)) == seen


# --- wrecks and craters -----------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-0.1", "DL-60.23", "DL-67.1")
@pytest.mark.parametrize(("ruling", "cost"), [("ground", 8), ("none", 6)])
@pytest.mark.parametrize(("dmg", "kind"), [(30, "wreck"), (36, "crater")])
def test_a_destroyed_vehicle_leaves_ground_by_a_ruling(ruling, cost, dmg, kind):
    walker = unit("Ork Boyz", "Boyz", x=40, y=20, models=1, groups=[])
    one = battle([walker], horde_vehicles=[unit("Trukk", x=46, y=20)], rulings={"wrecks": ruling, "bystanders": "none"})
    log = do(one, "mark_line", unit="Trukk", line="F", dmg=dmg)
    piece = one.state.field.terrain_piece(f"{kind} of Trukk")
    counts = ruling == "ground"
    assert (f"{kind.capitalize()} of Trukk is left on the table" in log) is counts
    assert (piece.kind, piece.difficult, piece.dangerous) == (kind, counts, counts and kind == "wreck")
    assert (piece.top, piece.cover) == ((2.0, 4) if counts and kind == "wreck" else (0.0, 0))
    assert one.state.field.position("Trukk").footprints == ()
    tables = {table.title: table.rows for table in one.rules.show(one.state)}
    assert tables["Vehicles"][0][-2] == "46.0, 20.0"
    assert ("Terrain" in tables) is counts
    path = [{"x": 46, "y": 20}]
    if counts:
        width = one.state.vehicle("Trukk").profile.width
        inside = f"{width / 2:.4g} inches in difficult terrain count twice"
        refused(one, "move", "DL-14.1", inside, unit="Boyz", path=path)
    else:
        do(one, "move", unit="Boyz", path=path)
        assert hp(one, "Boyz") == one.reach(0).squad("Boyz").hp


@pytest.mark.clause("DL-0.1")
def test_a_file_that_names_no_ruling_about_wrecks_counts_none():
    text = write_battle(battle(), checkpoint=False)
    older = "\n".join(line for line in text.split("\n") if not line.startswith(("ruling wrecks", "ruling missions")))
    older = older[: older.index("--- end")] + "--- end\n"
    rulings = read_battle(older, "older", RULESET).rulings
    assert (rulings.wrecks, rulings.missions, rulings.vehicles_hide) == ("none", "noted", "no")  # type: ignore[attr-defined]


# --- outflanking ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-94.8", "DL-94.9")
@pytest.mark.parametrize(("side", "west"), [("Vigil", "left"), ("Horde", "right")])
def test_who_outflanks_on_a_board_gets_a_place_and_left_is_as_its_owner_sees_it(side, west):
    flankers = [unit("Kommandos", "Flank", reserve=True, arrives="outflank"), unit("Grots", "Later", reserve=True)]
    here = [unit("Grots", "Here", x=36, y=24)]
    one = battle(flankers if side == "Vigil" else here, here if side == "Vigil" else flankers)
    end(one, 6 if side == "Vigil" else 9)
    do(one, "reserves", "Flank")
    log = do(one, "outflank", west, unit="Flank")
    assert f"Flank comes on from the {west} edge" in log
    assert places(one, "Flank")[0] == Point(4, 24)


@pytest.mark.clause("DL-94.8")
def test_who_outflanks_without_a_board_has_no_place():
    one = battle([unit("Kommandos", "Flank", reserve=True, arrives="outflank"), unit("Grots", "Later", reserve=True)])
    end(one, 6)
    do(one, "reserves", "Flank")
    do(one, "outflank", unit="Flank")
    assert (one.state.field.position("Flank").where, places(one, "Flank")) == ("table", ())


# --- missions ---------------------------------------------------------------------------------------------------------


def game(mission: str, rulings: dict[str, Any] | None = None, **horde: Any) -> Battle:
    """Two squads on a table, and a tank in the middle of it."""
    sides = [
        {"name": "Vigil", "units": [unit("Combat squad", "Sq", x=36, y=10)], "vehicles": [unit("Rhino", x=50, y=8)]},
        {"name": "Horde", "units": [unit("Ork Boyz", "Boyz", **({"x": 36, "y": 40} | horde))]},
    ]
    return Battle.new(RULESET, {"sides": sides, "mission": mission, "turns": 1}, rulings or {})


@pytest.mark.clause("DL-PREP.8")
def test_units_of_a_game_with_a_mission_begin_in_their_zones():
    with pytest.raises(BadInput, match="Boyz stands outside the deployment zone of Horde"):
        game("annihilation", y=24)
    with pytest.raises(UnknownName, match="take and hold"):
        game("take und hold")
    assert game("annihilation", {"missions": "noted"}, y=24).state.field.objectives == ()
    assert game("Seize the marsh", {"missions": "noted"}).state.mission == "Seize the marsh"


@pytest.mark.clause("DL-PREP.8", "DL-0.1", "DL-45.1")
@pytest.mark.parametrize(("ruling", "points"), [("scored", {"Vigil": 1, "Horde": 0}), ("noted", {})])
def test_a_mission_is_scored_and_decides_by_a_ruling(ruling, points):
    one = game("king of the hill", {"missions": ruling})
    do(one, "place", unit="Sq", x=36, y=24)
    assert one.rules.points(one.state) == points
    do(one, "place", unit="Rhino", x=36, y=28.6)  # a vehicle holds nothing, nor does it dispute anything
    assert one.rules.points(one.state) == points
    end(one, 6)
    wins = {
        "scored": "Vigil won by 1 to 0 points",
        "noted": "A draw: after 1 turns Vigil has lost 0 units and Horde 0",
    }
    assert one.over == wins[ruling]


@pytest.mark.clause("DL-PREP.8", "DL-45.1")
def test_who_falls_back_holds_nothing_and_lost_units_count():
    one = game("king of the hill")
    do(one, "place", unit="Sq", x=36, y=24)
    do(one, "test_nerve", unit="Sq", modifier=-10)
    do(one, "place", unit="Sq", x=36, y=24)
    assert one.rules.points(one.state) == {"Vigil": 0, "Horde": 0}
    one = game("annihilation")
    do(one, "mark_line", unit="Rhino", line="F", dmg=36)
    assert one.rules.points(one.state) == {"Vigil": 0, "Horde": 1}
    end(one, 6)
    assert one.over == "Horde wins: after 1 turns Vigil has lost 1 units and Horde 0"


# --- what the map shows -----------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-14.1", "DL-19.1", "DL-60.2")
def test_the_map_shows_how_far_units_move_and_fire():
    one = game("annihilation")
    reach = {
        name: [(each.name, each.inches) for each in one.rules.reaches(one.state, name)] for name in ("Sq", "Rhino")
    }
    assert reach == {"Sq": [("moves 6″", 6)], "Rhino": [("moves 12″", 12)]}
    do(one, "move", unit="Sq", towards="Boyz")
    assert one.rules.reaches(one.state, "Sq") == ()
    end(one)
    assert ("Lascannon 48″", 48) in [(each.name, each.inches) for each in one.rules.reaches(one.state, "Sq")]
    end(one)
    assert [each.name for each in one.rules.reaches(one.state, "Sq")] == ["assaults 6″"]
    assert one.rules.about(one.state)["Rhino"] == "stood still"
    assert one.rules.about(shot(0.9, cover=4).state)["Wall"] == "open, 0.9″ high"
