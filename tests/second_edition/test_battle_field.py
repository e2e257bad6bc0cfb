"""Battles on a table with terrain, zones and a mission: sight, cover, moves, deployment, points and the end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.battle.reading import read_battle
from battletape.field.maps import Reach
from battletape.tape.script import Script
from tests.second_edition.battles import SMOKER, at, do, fight, labels, phase, place, refused, unit

WALL = {"name": "Wall", "corners": [at(10, 14), at(30, 14), at(30, 15), at(10, 15)]}
HEDGE = {**WALL, "name": "Hedge", "top": 0.85, "cover": "soft"}
RUIN = {"name": "Ruin", "corners": [at(16, 18), at(24, 18), at(24, 22), at(16, 22)], "top": 1.5, "cover": "hard"}
ROCK = {"name": "Rock", "corners": [at(20, 13)], "radius": 1.0, "top": 3, "impassable": True}
SHOT = {"unit": "Man", "weapon": "Rifle", "target": "Foe"}


def across(*terrain: dict[str, Any], target: Any = None, **more: Any) -> Battle:
    """A rifleman at 20, 10 and a target at 20, 20 with terrain, in the Shooting phase."""
    foe = unit("Foe", **at(20, 20)) if target is None else target
    return phase(fight([unit("Man", "Rifle", **at(20, 10))], [foe], terrain=list(terrain), **more), "shooting")


def told(battle: Battle) -> str:
    """The log of the last move."""
    return "\n".join(line.text for line in battle.move_record(battle.moves[-1].number).lines)


# --- sight and cover -------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-17", "SE-117")
@pytest.mark.parametrize(
    ("terrain", "cover", "hits"),
    [
        ((), "none", Fraction(2, 3)),  # BS 3 and +1 at short range need 3
        ((HEDGE,), "none", Fraction(1, 2)),
        ((RUIN,), "none", Fraction(1, 3)),
        ((HEDGE, RUIN), "none", Fraction(1, 3)),  # the better cover counts
        ((RUIN,), "open", Fraction(2, 3)),
        ((RUIN,), "soft", Fraction(1, 2)),
        ((), "hard", Fraction(1, 3)),
    ],
)
def test_terrain_covers_unless_the_players_say_otherwise(terrain, cover, hits):
    battle = across(*terrain)
    answer = battle.odds("shoot", measures=["hits"], **SHOT, cover=cover)
    assert answer.odds("hits").at_least(1) == hits


@pytest.mark.clause("SE-17")
def test_the_log_says_what_covers_a_target():
    battle = across(RUIN)
    do(battle, "shoot", 4, **SHOT)
    assert "Foe is in hard cover by Ruin" in told(battle)
    squad = unit("Foe", models=3, **at(20, 20))
    volley = phase(fight([unit("Man", "Rifle", models=2, **at(20, 10))], [squad], terrain=[RUIN]), "shooting")
    do(volley, "volley", 4, 4, unit="Man", weapon="Rifle", target="Foe")
    assert told(volley).count("Foe is in hard cover by Ruin") == 1


@pytest.mark.clause("SE-117", "SE-34")
def test_what_is_out_of_sight_is_no_target_unless_the_players_see_it():
    battle = across({**WALL, "top": 3})
    refusal = refused(battle, "shoot", "SE-117", **SHOT)
    assert (refusal.kind, "in_sight=yes" in refusal.reason) == ("sight", True)
    assert not [option for option in battle.legal() if option.action.name == "shoot"]
    do(battle, "shoot", 1, **SHOT, in_sight=True)


@pytest.mark.clause("SE-117")
def test_in_a_volley_each_model_fires_at_the_nearest_that_it_sees():
    wall = {"name": "Wall", "corners": [at(17.5, 14), at(22.5, 14), at(22.5, 15), at(17.5, 15)], "top": 3}
    foes = unit("Foes", models=2, spots=[at(20, 20), at(31, 20)])
    battle = phase(fight([unit("Man", "Rifle", **at(20, 10))], [foes], terrain=[wall]), "shooting")
    assert battle.refusal("shoot", unit="Man", weapon="Rifle", target="Foes 1") is not None
    do(battle, "volley", 1, unit="Man", weapon="Rifle", target="Foes")
    assert "long range" in told(battle)  # the nearer one would be at short range
    behind = across({**WALL, "top": 3})
    assert refused(behind, "volley", "SE-117", unit="Man", weapon="Rifle", target="Foe").kind == "sight"


@pytest.mark.clause("SE-10")
def test_a_distance_that_contradicts_the_table_is_refused():
    battle = across()
    refusal = refused(battle, "shoot", "SE-10", **SHOT, distance=12)
    assert refusal.reason == "Foe is 9 inches from Man on the board, not 12 inches"
    assert battle.refusal("shoot", **SHOT, distance=9.4) is None


@pytest.mark.clause("SE-10")
def test_middles_are_measured_where_that_is_ruled():
    far = unit("Foe", **at(20, 22.5))
    assert "short range" in _shot(across(target=far))
    assert "long range" in _shot(across(target=far, rulings={"measuring": "centres"}))


def _shot(battle: Battle) -> str:
    do(battle, "shoot", 1, **SHOT)
    return told(battle)


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-117")
def test_a_model_moves_towards_others_into_terrain_and_to_objectives():
    hill = {"name": "Hill", "x": 20.0, "y": 16.0}
    battle = fight(
        [unit("Man", move=6, **at(20, 14)), unit("Boy", move=6, **at(30, 14)), unit("Lad", move=6, **at(14, 14))],
        [unit("Foe", **at(20, 30)), unit("Near", **at(30, 19))],
        terrain=[{**RUIN, "top": 0}],
        objectives=[hill],
    )
    do(battle, "move", unit="Man", towards="hill")
    assert place(battle, "Man") == place(battle, "Man").__class__(20, 16)
    do(battle, "move", unit="Boy", towards="Near")
    assert place(battle, "Boy").y == pytest.approx(18)  # base to base
    do(battle, "move", unit="Lad", towards="Ruin", inches=3)
    assert place(battle, "Lad").x == pytest.approx(14 + 3 * 6 / (6**2 + 6**2) ** 0.5)
    assert read_battle(battle.text).state == battle.state


@pytest.mark.clause("SE-117")
def test_impassable_terrain_bars_the_way_and_stops_a_model_that_runs():
    men = [unit("Man", wounds=5, **at(20, 10), wear=[{"model": 1, "on_fire": "Flamer"}]), unit("Boy", **at(19, 10.5))]
    battle = fight(men, terrain=[ROCK])
    do(battle, "fire_test", 1, 1, 0, unit="Man")
    assert 11.3 <= place(battle, "Man").y <= 11.5
    refusal = refused(battle, "move", "SE-117", unit="Boy", x=20.2, y=14.2)
    assert refusal.reason == "Rock is impassable, and Boy would go into it; go round it"
    assert refused(battle, "move", "SE-117", unit="Boy", x=20, y=13).kind == "terrain"


@pytest.mark.clause("SE-117", "SE-10")
def test_a_unit_goes_into_another_formation_or_to_single_places():
    men = unit("Men", models=3, abreast=3, **at(20, 20))
    battle = fight([men, unit("Boys", models=2, **at(30, 20))])
    do(battle, "move_unit", unit="Men", x=20, y=22, formation="line", spacing=2)
    assert [round(place(battle, f"Men {number}").x, 2) for number in (1, 2, 3)] == [17.0, 20.0, 23.0]
    spots = [at(29.5, 21), at(30.2, 21)]
    assert refused(battle, "move_unit", "SE-10", unit="Boys", spots=spots).kind == "base"
    far = [at(29, 21), at(31, 24.5)]
    assert "Boys 2 moves 4 inches at most" in str(refused(battle, "move_unit", "SE-117", unit="Boys", spots=far))
    do(battle, "move_unit", unit="Boys", spots=[at(29, 21), at(31.5, 22)])
    assert (place(battle, "Boys 2").x, place(battle, "Boys 2").y) == (31.5, 22)
    assert "formation" not in battle.text.partition("--- moves")[2].splitlines()[2]


@pytest.mark.clause("SE-117")
def test_a_unit_goes_towards_another_until_the_first_model_is_in_contact():
    battle = fight([unit("Men", models=3, move=6, abreast=3, **at(20, 20))], [unit("Foes", models=2, **at(20, 25))])
    do(battle, "move_unit", unit="Men", towards="Foes", far=6)
    assert place(battle, "Men 2").y > 23
    gaps = battle.refusal("move_unit", unit="Men", towards="Foes")
    assert gaps is not None
    assert gaps.kind == "moved"
    stuck = fight([unit("Man", **at(20, 20))], [unit("Foe", **at(20, 21))])
    assert refused(stuck, "move", "SE-117", unit="Man", towards="Foe").kind == "near"


# --- deployment, missions, the end -----------------------------------------------------------------------------------


GAME: dict[str, Any] = {"width": 40.0, "depth": 30.0, "zone": 8.0, "mission": "take and hold", "turns": 1}


@pytest.mark.clause("SE-117")
def test_units_are_set_up_in_their_zones_before_the_first_turn():
    battle = fight([unit("Men", "Rifle", models=6)], [unit("Foe", **at(20, 26))], **GAME)
    assert battle.where["phase"] == "start of the turn"
    assert {option.action.name for option in battle.legal()} == {"place"}
    assert "first comes: place of Men" in str(refused(battle, "end_phase", "SE-118"))
    assert refused(battle, "place", "SE-117", unit="Men", x=20, y=12).kind == "zone"
    assert refused(battle, "place", "SE-118", unit="Foe", x=20, y=25).kind == "done"
    assert refused(battle, "place", "SE-10", unit="Men", x=0.2, y=5).kind == "board"
    do(battle, "place", unit="Men", x=10, y=5, formation="ranks", spacing=1)
    assert battle.where["phase"] == "movement"
    assert len(battle.state.field.footprints(*(man.name for man in battle.state.squad("Men")))) == 6


def test_the_proposed_places_end_in_a_game_that_begins():
    battle = fight([unit("Men", models=9), unit("Boys", models=9)], [unit("Foes", models=9)], **GAME)
    while battle.where["phase"] != "movement":
        battle.push(battle.legal()[0], tape=1)
    assert len(list(battle.state.field.on_table())) == 27


@pytest.mark.clause("SE-117")
def test_a_game_ends_after_its_turns_and_its_mission_says_who_has_won():
    south = [unit("Man", "Rifle", wounds=3, **at(20, 7)), unit("Boy", **at(30, 7))]
    battle = fight(south, [unit("Foe", **at(10, 23))], **GAME)
    assert battle.points == {"South": 0, "North": 0}
    near = battle.fork()
    do(near, "move", unit="Boy", towards="Objective 3")
    assert (near.holders["Objective 3"], near.points) == ("", {"South": 0, "North": 0})  # 4 inches short of it
    done = fight([unit("Man", move=8, **at(20, 7))], [unit("Foe", **at(10, 23))], **GAME)
    do(done, "move", unit="Man", towards="Objective 2")
    assert done.points == {"South": 1, "North": 0}
    for _ in range(2):
        assert done.over is None
        done.push("end_turn")
    assert done.over == "South won by 1 to 0 points"
    assert told(done) == "The last turn is over"
    assert "South won by 1 to 0 points" in str(refused(done, "end_turn", "SE-117"))
    assert done.legal() == ()


@pytest.mark.clause("SE-117", "SE-24")
def test_whole_units_count_as_lost_and_the_fallen_leave_the_table():
    foes = unit("Foes", models=2, **at(20, 26))
    battle = fight([unit("Man", **at(20, 7))], [foes, unit("Cart", **at(30, 26))], **GAME | {"mission": "annihilation"})
    do(battle, "remove", unit="Foes 1")
    assert battle.state.field.footprints("Foes 1") == ()
    assert battle.points == {"South": 0, "North": 0}
    do(battle, "remove", unit="Foes 2")
    assert battle.points == {"South": 1, "North": 0}
    assert next(row[3] for table in battle.tables for row in table.rows if row[0] == "Foes 2") == "-"
    do(battle, "remove", unit="Cart")
    assert battle.over == "South holds the field"


def test_without_a_mission_nothing_ends_but_by_the_last_model():
    battle = fight([unit("Man", **at(20, 7))], [unit("Foe", **at(20, 20))])
    for _ in range(40):
        battle.push("end_turn")
    assert (battle.over, battle.points, battle.where["turn"]) == (None, {}, "21")


# --- markers and the map ---------------------------------------------------------------------------------------------


@pytest.mark.clause("SE-66", "SE-71")
def test_a_cloud_is_terrain_that_drifts_and_takes_no_name_that_is_used():
    named = {**WALL, "name": "Cloud 1"}
    battle = fight([unit("Man", "Smoker", **at(20, 5))], [unit("Foe", **at(20, 20))], terrain=[named])
    phase(battle, "shooting")
    do(battle, "ground", 6, unit="Man", weapon="Smoker", x=30, y=20)
    (cloud,) = battle.state.markers
    assert (cloud.name, cloud.shape.centre.x, cloud.radius, SMOKER["blast"]) == ("Cloud 2", 30, 2.0, 2.0)
    assert [piece.name for piece in battle.state.field.laid_terrain] == ["Cloud 1", "Cloud 2"]
    phase(battle, "hand to hand")
    battle.push("end_phase")
    do(battle, "test_marker", 6, 4, 90, marker="Cloud 2")
    assert battle.state.marker("Cloud 2").corners[0].x == pytest.approx(34)
    assert labels(battle)[-1] == "drift direction"


@pytest.mark.clause("SE-17", "SE-96")
def test_a_vehicle_may_leave_a_wreck_that_covers_those_behind_it():
    cart = unit("Cart", toughness="none", types=["vehicle"], base=80, **at(20, 16))
    battle = fight([unit("Man", "Rifle", **at(20, 10))], [cart, unit("Foe", **at(20, 18.2))])
    assert phase(battle.fork(), "shooting").odds("shoot", measures=["hits"], **SHOT).odds("hits").mean == Fraction(2, 3)
    do(battle, "remove", unit="Cart", wreck=True)
    assert "Wreck of Cart lies there, and is hard cover" in told(battle)
    assert battle.rules.about(battle.state)["Wreck of Cart"] == "wreck, hard cover"
    covered = phase(battle, "shooting").odds("shoot", measures=["hits"], **SHOT)
    assert covered.odds("hits").mean == Fraction(1, 3)
    bare = fight([unit("Man")], [unit("Cart", toughness="none", types=["vehicle"]), unit("Foe")])
    do(bare, "remove", unit="Cart", wreck=True)
    assert bare.state.field.terrain == ()


def test_the_map_says_what_a_model_reaches_and_what_lies_where():
    battle = across(RUIN)
    assert battle.rules.reaches(battle.state, "Man") == (Reach("Rifle 24″", 24.0),)
    do(battle, "shoot", 1, **SHOT)
    assert battle.rules.reaches(battle.state, "Man") == ()
    track = {"name": "Track", "corners": RUIN["corners"]}
    moving = fight([unit("Man", **at(20, 20))], terrain=[ROCK, HEDGE, track])
    assert moving.rules.reaches(moving.state, "Man") == (Reach("move 4″", 4.0),)
    about = moving.rules.about(moving.state)
    assert (about["Rock"], about["Hedge"], about["Track"]) == ("impassable, no cover", "soft cover", "no cover")
    assert [table.title for table in moving.tables][-1] == "Terrain"


def test_new_inputs_stand_in_a_file_only_where_they_are_used():
    battle = fight([unit("Man", **at(20, 20))], [unit("Foe", **at(20, 30))])
    battle.push("move", unit="Man", x=20, y=22, tape=Script())
    plain = battle.text
    for name in ("mission", "objectives", "zone", "terrain", "formation", "spacing", "towards", "turns"):
        assert f"{name} =" not in plain
        assert f"{name}=" not in plain
    game = fight([unit("Man", **at(20, 5))], [unit("Foe", **at(20, 26))], **GAME)
    assert 'mission = "take and hold"' in game.text
    assert read_battle(game.text).state == game.state
