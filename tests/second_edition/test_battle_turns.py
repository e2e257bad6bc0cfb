"""Turns: what comes first at their start, phases, markers that are tested and go, and who may act at all."""

from __future__ import annotations

import pytest

from battletape.battle import Battle
from tests.second_edition.battles import at, do, fight, on_fire, refused, unit

GAS = {"name": "Gas", "radius": 2.0, "strength": 4, **at(20, 20)}
HAZE = {"name": "Haze", "radius": 2.0, **at(5, 5)}


def due(battle: Battle) -> list[str]:
    """What may be done now at the start of a turn."""
    names = ("test_marker", "marker_harm", "fire_test")
    legal = [option for option in battle.legal() if option.action.name in names]
    return [f"{option.action.name} {next(iter(filter(None, _named(option.params))))}" for option in legal]


def _named(params: object) -> list[str]:
    return [getattr(params, name, "") for name in ("marker", "unit")]


@pytest.mark.clause("SE-118", "SE-67", "SE-80", "SE-87")
def test_markers_then_their_harm_then_fires_then_movement():
    man = unit("Man", wear=[on_fire()], wounds=3, **at(20, 20))
    battle = fight([man, unit("Boy", wear=[on_fire()], **at(30, 20))], markers=[GAS, HAZE])
    assert due(battle) == ["test_marker Gas", "test_marker Haze"]
    do(battle, "test_marker", 3, marker="Haze")
    assert due(battle) == ["test_marker Gas"]
    do(battle, "test_marker", 3, marker="Gas")
    assert due(battle) == ["marker_harm Gas"]
    do(battle, "marker_harm", 1, marker="Gas")
    assert due(battle) == ["fire_test Man", "fire_test Boy"]
    do(battle, "fire_test", 6, unit="Boy")
    do(battle, "fire_test", 6, unit="Man")
    assert battle.where["phase"] == "movement"


@pytest.mark.clause("SE-118")
def test_fires_come_first_where_it_is_ruled_so():
    man = unit("Man", wear=[on_fire()], **at(30, 30))
    battle = fight([man], rulings={"turn_start": "fires_first"}, markers=[HAZE])
    assert due(battle) == ["fire_test Man"]
    do(battle, "fire_test", 6, unit="Man")
    assert due(battle) == ["test_marker Haze"]


@pytest.mark.clause("SE-67", "SE-87")
def test_markers_are_tested_in_every_turn_and_fires_in_their_owners_only():
    battle = fight([unit("Man", **at(30, 30))], [unit("Foe", wear=[on_fire()], **at(40, 40))], markers=[HAZE])
    assert due(battle) == ["test_marker Haze"]
    assert refused(battle, "fire_test", "SE-87", unit="Foe").kind == "turn"
    do(battle, "test_marker", 2, marker="Haze")
    battle.push("end_turn")
    do(battle, "test_marker", 4, marker="Haze")
    assert due(battle) == ["fire_test Foe"]


@pytest.mark.clause("SE-68")
def test_a_cloud_that_expires_goes_at_the_end_of_that_turn():
    battle = fight([unit("Man", **at(30, 30))], markers=[HAZE])
    do(battle, "test_marker", 1, marker="Haze")
    assert [lying.status for lying in battle.state.markers] == ["expiring"]
    battle.push("end_turn")
    assert battle.state.markers == ()
    assert battle.where["phase"] == "movement"


@pytest.mark.clause("SE-70", "SE-72", "SE-71")
def test_a_cloud_shrinks_drifts_and_is_gone():
    battle = fight([unit("Man", **at(30, 30))], markers=[HAZE | {"radius": 1.0}])
    do(battle, "test_marker", 6, 4, 90, marker="Haze")
    [haze] = battle.state.markers
    assert (round(haze.marker.centre.x, 9), round(haze.marker.centre.y, 9)) == (9.0, 5.0)
    battle.push("end_turn")
    do(battle, "test_marker", 5, marker="Haze")
    assert battle.state.markers[0].radius == 0.5
    battle.push("end_turn")
    do(battle, "test_marker", 5, marker="Haze")
    assert battle.state.markers == ()


@pytest.mark.clause("SE-75", "SE-76", "SE-77", "SE-78", "SE-80")
def test_a_plasma_ball_swells_hurts_and_goes():
    ball = {"name": "Ball", "kind": "plasma", "radius": 1.5, "strength": 5, **at(20, 20)}
    battle = fight([unit("Man", wounds=2, **at(20, 22)), unit("Boy", **at(20, 28.5))], markers=[ball])
    do(battle, "test_marker", 6, 6, marker="Ball")
    assert battle.state.marker("Ball").radius == 7.5
    do(battle, "marker_harm", 2, marker="Ball")
    assert battle.state.fighter("Man").condition.wounds == 1
    battle.push("end_turn")
    assert battle.state.markers == ()


@pytest.mark.clause("SE-76")
def test_a_plasma_ball_that_vanishes_hurts_nobody():
    ball = {"name": "Ball", "kind": "plasma", "radius": 1.5, "strength": 5, **at(20, 20)}
    battle = fight([unit("Man", **at(20, 20))], markers=[ball])
    do(battle, "test_marker", 1, marker="Ball")
    assert battle.state.markers == ()
    assert battle.where["phase"] == "movement"


@pytest.mark.clause("SE-80")
def test_a_marker_hurts_whoever_moves_under_it_only_where_it_is_ruled_so():
    for ruling, left in (("at_test", 2), ("and_on_entry", 1)):
        battle = fight([unit("Man", wounds=2, **at(20, 24))], rulings={"marker_harm": ruling}, markers=[GAS])
        do(battle, "test_marker", 2, marker="Gas")
        do(battle, "move", *([3] if left == 1 else []), unit="Man", x=20, y=20)
        assert battle.state.fighter("Man").condition.wounds == left


@pytest.mark.clause("SE-80")
def test_who_lies_under_a_marker_without_a_place_is_named():
    gas = {"name": "Gas", "strength": 4}
    battle = fight([unit("Man", models=3)], [unit("Foe")], markers=[gas])
    do(battle, "test_marker", 3, marker="Gas")
    do(battle, "marker_harm", 3, 2, 4, 6, marker="Gas", under=["Man 1"], partly=["Man 2", "Man 3"])
    assert [fighter.is_gone for fighter in battle.state.squad("Man")] == [True, False, True]


@pytest.mark.clause("SE-117", "SE-118")
def test_the_other_side_follows_after_three_phases():
    battle = fight([unit("Man", "Rifle", "Staff", mastery=1, **at(20, 20))], [unit("Foe", "Rifle", **at(20, 28))])
    for _ in range(3):
        battle.push("end_phase")
    assert battle.where == {"turn": "1", "phase": "movement", "side": "North"}
    battle.push("end_turn")
    assert battle.where == {"turn": "2", "phase": "movement", "side": "South"}


@pytest.mark.clause("SE-96", "SE-117")
def test_the_base_game_takes_models_off_and_ends_battles():
    battle = fight([unit("Man", **at(20, 20))], [unit("Cart", toughness="none", types=["vehicle"], **at(20, 30))])
    battle.push("remove", unit="Cart")
    assert battle.over == "South holds the field"
