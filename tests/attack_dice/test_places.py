"""Places on the table: distances, sight and cover by the board, moves, transports and losses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import Battle
from battletape.battle.reading import read_battle
from battletape.battle.report import log_text
from battletape.conformance.random_play import play_at_random
from battletape.errors import BadInput, MissingInput
from battletape.field import score
from battletape.field.setup import is_deployed
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.picture import Figure, Ground
from battletape.table.points import Point
from battletape.views.table_talk import table_talk
from tests.attack_dice.battles import RUINS, on_a_table, refusal, skirmish, started, unit

FIRE: dict[str, Any] = {"unit": "Wardens", "weapon": "Carbine", "target": "Raiders"}


def bases(battle: Battle, name: str) -> Any:
    return battle.state.field.position(name).bases


def in_range(battle: Battle) -> Any:
    """The odds of the carbines at the raiders."""
    return battle.odds("attack", **FIRE).odds("damage").mean


# --- distance, sight and cover ----------------------------------------------------------------------------------------


@pytest.mark.clause("AD-68")
def test_the_board_tells_the_distance_and_players_may_not_contradict_it():
    battle = on_a_table()
    assert battle.refusal("attack", **FIRE) is None
    assert battle.refusal("attack", **FIRE, distance=19) is None
    assert "Raiders is 19 inches from Wardens on the board, not 12 inches" in refusal(
        battle, "attack", **FIRE, distance=12
    )
    battle.push("move", unit="Raiders", x=24, y=34)
    assert refusal(battle, "attack", **FIRE).startswith('the target is 27" away and the weapon reaches 24"')


@pytest.mark.clause("AD-58")
def test_terrain_covers_units_behind_it_and_in_it_unless_players_say_so():
    battle = on_a_table()
    behind = in_range(battle)  # +1 Defence by the ruin
    battle.push("cover", unit="Raiders", amount=2)
    assert in_range(battle) < behind
    battle.push("cover", unit="Raiders", amount=0)
    assert in_range(battle) == behind
    battle.push("place", unit="Raiders", x=12, y=23)  # in the wood: +2 Armour
    wooded = in_range(battle)
    battle.push("place", unit="Raiders", x=26, y=12)  # before the ruin
    assert in_range(battle) > max(behind, wooded)


@pytest.mark.clause("AD-68")
def test_a_high_tower_hides_a_unit_and_players_may_hide_one_as_well():
    battle = on_a_table()
    battle.push("place", unit="Wardens", x=40, y=10, abreast=1)
    battle.push("place", unit="Raiders", x=40, y=28, abreast=1)
    assert refusal(battle, "attack", **FIRE).startswith("there is no line of sight to the target")
    battle.push("place", unit="Raiders", x=26, y=12)
    assert battle.refusal("attack", **FIRE) is None
    assert "no line of sight" in refusal(battle, "attack", **FIRE, line_of_sight=False)


def test_the_log_tells_what_the_board_shows():
    battle = on_a_table()
    battle.push("attack", **FIRE, tape=1)
    assert 'Raiders: 19" away, in cover: +1 Defence by Ruin' in log_text(battle)
    bare = started()
    bare.push("attack", **FIRE, distance=12, tape=1)
    assert "away" not in log_text(bare)


# --- placing and moving -----------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-68")
@pytest.mark.parametrize(
    ("x", "y", "there"),
    [
        (24, 26, "on Raiders"),
        (24, 0, "beyond the edge of the table"),
        (40, 20, "in Tower, which is impassable"),
    ],
)
def test_units_are_not_put_where_no_model_can_stand(x: int, y: int, there: str):
    battle = on_a_table()
    said = f"models of Wardens would stand {there}; choose another place"
    assert refusal(battle, "place", unit="Wardens", x=x, y=y).startswith(said)
    assert refusal(battle, "move", unit="Wardens", x=x, y=y).startswith(said)


@pytest.mark.clause("AD-68")
def test_a_unit_moves_in_formation_to_a_place_or_as_far_as_it_may():
    battle = on_a_table()
    before = bases(battle, "Wardens")
    battle.push("move", unit="Wardens", x=before[0].centre.x, y=20, inches=5)
    assert [base.centre for base in bases(battle, "Wardens")] == [Point(base.centre.x, 11) for base in before]


@pytest.mark.clause("AD-68")
def test_a_unit_moves_towards_another_until_they_touch_or_there_is_no_room():
    battle = on_a_table()
    battle.push("move", unit="Wardens", towards="Raiders", inches=6)
    assert bases(battle, "Wardens")[0].centre.y == pytest.approx(12)
    battle.push("move", unit="wardens", towards="raiders")
    nearest = min(gap(a, b) for a in bases(battle, "Wardens") for b in bases(battle, "Raiders"))
    assert nearest == pytest.approx(0, abs=1e-6)
    assert "touches Raiders already" in refusal(battle, "move", unit="Wardens", towards="Raiders")
    assert "cannot move towards itself" in refusal(battle, "move", unit="Wardens", towards="Wardens")
    hidden = on_a_table()
    hidden.push("place", unit="Wardens", x=40, y=14, abreast=1)
    hidden.push("place", unit="Raiders", x=40, y=28, abreast=1)
    hidden.push("move", unit="Wardens", towards="Raiders", inches=6)  # the tower is in the way
    assert bases(hidden, "Wardens")[0].centre.y == pytest.approx(16.5, abs=0.25)
    assert "in Tower, which is impassable" in refusal(hidden, "move", unit="Wardens", towards="Raiders", inches=0.25)


def test_without_a_place_a_unit_cannot_move_and_placing_asks_for_one():
    battle = started()
    assert "Wardens has no place on the table; place it first" in refusal(battle, "move", unit="Wardens", x=1, y=1)
    with pytest.raises(MissingInput, match="place needs x, y"):
        battle.push("place", unit="Wardens")
    with pytest.raises(MissingInput, match="move needs x, y"):
        on_a_table().push("move", unit="Wardens")
    battle.push("place", unit="Wardens", x=10, y=10)
    assert len(bases(battle, "Wardens")) == 3


def test_every_model_may_be_placed_by_itself():
    battle = on_a_table()
    battle.push("place", unit="Wardens", spots="x=4 y=4 ; x=6 y=4 ; x=8 y=5")
    assert [base.centre for base in bases(battle, "Wardens")] == [Point(4, 4), Point(6, 4), Point(8, 5)]
    with pytest.raises(BadInput, match="there are 3, and 1 spots"):
        battle.push("place", unit="Wardens", spots="x=4 y=4")


# --- losses and transports --------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-80")
def test_casualties_leave_the_table_and_models_that_come_back_stand_beside_the_others():
    battle = on_a_table()
    whole = bases(battle, "Wolves")
    battle.push("lose_hp", unit="Wolves", hp=2)
    assert bases(battle, "Wolves") == whole[:2]
    battle.push("restore_hp", unit="Wolves", hp=1)
    assert bases(battle, "Wolves")[:2] == whole[:2]
    assert len(bases(battle, "Wolves")) == battle.state.unit("Wolves").models == 3
    battle.push("lose_hp", unit="Wolves", hp=3)
    assert bases(battle, "Wolves") == ()


@pytest.mark.clause("AD-65", "AD-68")
def test_passengers_are_measured_from_their_transport_and_get_out_beside_it():
    battle = on_a_table()
    battle.push("embark", unit="Wardens", target="Wagon")
    assert "Wardens is aboard Wagon" in refusal(battle, "move", unit="Wardens", x=20, y=20)
    assert "Wardens is aboard Wagon" in refusal(battle, "place", unit="Wardens", x=20, y=20)
    battle.push("move", unit="Wagon", x=24, y=24)
    assert battle.refusal("attack", **FIRE, distance=1) is None
    battle.push("disembark", unit="Wardens")
    (wagon,) = bases(battle, "Wagon")
    assert len(bases(battle, "Wardens")) == 3
    assert all(gap(base, wagon) <= 2 for base in bases(battle, "Wardens"))


@pytest.mark.clause("AD-65", "AD-80")
def test_passengers_of_a_lost_transport_have_no_place_until_they_are_placed():
    battle = on_a_table()
    battle.push("embark", unit="Wardens", target="Wagon")
    battle.push("lose_hp", unit="Wagon", hp=8)
    assert bases(battle, "Wardens") == ()
    assert "name the distance to Raiders" in refusal(battle, "attack", **FIRE)
    assert "place" in {option.action.name for option in battle.legal()}


@settings(max_examples=25)
@given(st.lists(st.integers(0, 10**6), max_size=30))
def test_random_battles_on_a_table_replay_and_keep_bases_and_sheets_together(steps: list[int]):
    battle = on_a_table()
    play_at_random(battle, steps)
    assert read_battle(battle.text).state == battle.state
    for position in battle.state.field.positions:
        assert len(position.bases) in (0, battle.state.unit(position.name).models)
        assert position.where == "table" or not position.bases
    if battle.state.phase == "running" and battle.over is None:
        assert "done" in {option.action.name for option in battle.legal()}


# --- what is shown and written ----------------------------------------------------------------------------------------


def test_a_battle_without_places_has_no_picture_and_offers_no_moves():
    battle = started()
    assert battle.picture is None
    assert {"place", "move"} & {option.action.name for option in battle.options()} == set()
    assert "x = " not in battle.text
    assert "terrain" not in battle.text


def test_the_map_shows_units_and_terrain():
    battle = on_a_table()
    picture = battle.picture
    assert picture is not None
    drawn = [thing.name for thing in picture.things if isinstance(thing, Figure)]
    assert {name: drawn.count(name) for name in drawn} == {"Wardens": 3, "Wagon": 1, "Raiders": 3, "Wolves": 4}
    about = {thing.name: thing.about for thing in picture.things if isinstance(thing, Ground)}
    assert about == {"Ruin": "cover +1 defence", "Wood": "cover +2 armour", "Tower": "impassable"}


def test_places_come_back_from_a_file():
    battle = on_a_table()
    battle.push("move", unit="Wolves", x=12, y=20)
    assert read_battle(battle.text).state == battle.state
    assert skirmish().state.field.board == on_a_table(width=72, depth=48).state.field.board


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"width": 24}, "Wardens does not stand wholly on the table"),
        (
            {"terrain": [{"name": "Pit", "corners": [{"x": 24, "y": 6}], "radius": 1, "impassable": True}]},
            "stands in Pit",
        ),
        ({"terrain": [{"name": "Line", "corners": [{"x": 1, "y": 1}]}]}, "three corners or more, or one and a radius"),
        ({"terrain": [{"corners": [{"x": 1, "y": 1}], "radius": 1, "name": "A"}] * 2}, "'A' is used twice"),
    ],
)
def test_a_start_that_cannot_be_set_up_is_refused(changes: dict[str, Any], said: str):
    with pytest.raises(BadInput, match=said):
        Battle.new("attack_dice", {**RUINS, **changes})


def test_units_on_one_another_are_refused():
    units = [unit("Wardens", x=10, y=10), unit("Wagon", x=10, y=10)]
    sides = [{"name": "North", "units": units}, {"name": "South", "units": [unit("Raiders")]}]
    with pytest.raises(BadInput, match="Wardens and Wagon stand on the same ground"):
        Battle.new("attack_dice", {"sides": sides})


# --- missions ---------------------------------------------------------------------------------------------------------

HILL: dict[str, Any] = {"mission": "king of the hill", "turns": 2}


def pass_turn(battle: Battle) -> None:
    """Let every unit that may still act do nothing."""
    turn = battle.state.turn
    while battle.over is None and battle.state.turn == turn:
        done = next(option for option in battle.legal() if option.action.name == "done")
        battle.push(done)


def test_a_mission_is_scored_and_decides_after_its_last_turn():
    battle = on_a_table(**HILL)
    assert battle.points == {"North": 0, "South": 0}
    battle.push("move", unit="Wardens", towards="objective 1")
    assert (battle.points, battle.holders) == ({"North": 1, "South": 0}, {"Objective 1": "North"})
    pass_turn(battle)
    assert battle.over is None
    pass_turn(battle)
    assert battle.state.phase == "over"
    assert battle.over == score.verdict({"North": 1, "South": 0})
    assert "the battle is over: " in refusal(battle, "attack", **FIRE)
    assert table_talk(battle).waiting == ()
    assert read_battle(battle.text).over == battle.over
    assert f"Over: {battle.over}." in log_text(battle)
    assert "Points: North 1, South 0; North holds Objective 1." in log_text(battle)


def test_a_side_alone_on_the_table_wins_whatever_the_points():
    battle = on_a_table(**HILL)
    battle.push("move", unit="Raiders", towards="objective 1")
    for name, hp in (("Raiders", 6), ("Wolves", 4)):
        battle.push("lose_hp", unit=name, hp=hp)
    assert battle.over == "North holds the field"


def test_a_mission_lasts_five_turns_and_a_game_without_one_has_no_last_turn():
    assert on_a_table(mission="annihilation").state.turns == 5
    assert on_a_table().state.turns == 0
    assert on_a_table().points == {}
    timed = on_a_table(turns=1)
    pass_turn(timed)
    assert timed.over == "Time is up"


def test_units_are_deployed_in_their_zones_before_the_game_and_anywhere_in_it():
    battle = Battle.new("attack_dice", {**RUINS, "zone": 12})
    away = {"unit": "Wardens", "x": 24, "y": 20}
    assert "Wardens must stand in the deployment zone of North" in refusal(battle, "place", **away)
    battle.push("place", unit="Wardens", x=30, y=6)
    assert not any(option.action.name == "move" for option in battle.legal())
    battle.push("start")
    battle.push("place", **away)
    with pytest.raises(BadInput, match="Wardens stands outside the deployment zone of North"):
        Battle.new("attack_dice", {**RUINS, "zone": 4})


def test_units_without_a_place_are_offered_one_each_in_a_game_with_zones():
    sides = [{"name": side, "units": [unit(f"{side} {at}", models=6) for at in range(3)]} for side in ("A", "B")]
    battle = Battle.new("attack_dice", {"sides": sides, "zone": 9})
    for _ in range(6):
        battle.push(next(option for option in battle.legal() if option.action.name == "place"))
    field = battle.state.field
    assert all(is_deployed(field, position) for position in field.positions)
    assert len(list(field.on_table())) == 6


@pytest.mark.clause("AD-68")
def test_a_unit_moves_into_terrain_and_each_model_to_a_place_of_its_own():
    battle = on_a_table()
    battle.push("move", unit="Wardens", towards="ruin")
    middle = [sum(getattr(base.centre, axis) for base in bases(battle, "Wardens")) / 3 for axis in "xy"]
    assert middle == pytest.approx([25, 15.5])
    assert "is in the middle of Ruin already" in refusal(battle, "move", unit="Wardens", towards="ruin")
    battle.push("move", unit="Wagon", towards="TOWER")
    assert gap(bases(battle, "Wagon")[0], Base(Point(40, 20), 3)) == pytest.approx(0, abs=0.3)
    battle.push("move", unit="Wolves", spots="4,20; 6,20; 8,20; 10,20")
    assert [base.centre.x for base in bases(battle, "Wolves")] == [4, 6, 8, 10]
    assert read_battle(battle.text).state == battle.state


def test_before_the_game_another_place_in_the_zone_is_listed():
    battle = Battle.new("attack_dice")
    places = {option.params.unit: option for option in battle.legal() if option.action.name == "place"}
    assert places.keys() == {unit.name for unit in battle.state.units}
    battle.push(places["Storm wardens"])
    assert battle.state.phase == "before"
    battle.push("start")
    assert not any(option.action.name == "place" for option in battle.legal())
