"""Objectives, their holders, and victory points."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battletape.errors import UnknownName
from battletape.field import score
from battletape.field.setup import edge_zones
from battletape.field.state import Battlefield, Objective, TerrainPiece
from battletape.rulebook import replace
from battletape.table.board import Board
from battletape.table.distances import gap
from battletape.table.points import Point
from tests.field.fields import SIDES, UNITS, placed, position_of

WELL = Objective("Well", Point(0, 0), 3.0, 2)


def field(*positions, objectives=(WELL,)):
    return Battlefield[TerrainPiece](sides=SIDES, positions=positions, objectives=objectives, board=Board())


@given(st.lists(st.tuples(st.sampled_from(SIDES), UNITS), max_size=5))
def test_an_objective_is_held_by_the_only_side_near_it(units):
    positions = [position_of(str(at), side, unit) for at, (side, unit) in enumerate(units)]
    near = {side for side, unit in units if min(gap(each, WELL.at) for each in unit) <= WELL.reach + 1e-9}
    held = score.holder(field(*positions), WELL)
    assert held == (next(iter(near)) if len(near) == 1 else "")


def test_units_that_do_not_score_hold_nothing():
    squad, crew = placed("Squad", "South", (1, 0)), placed("Crew", "North", (2, 2))
    assert score.holder(field(squad, crew), WELL) == ""
    assert score.holder(field(squad, crew), WELL, lambda position: position.name != "Crew") == "South"


def test_points_count_objectives_losses_and_breakthroughs():
    zones = edge_zones(SIDES, Board(), 12)
    there = replace(field(placed("Squad", "South", (1, 0)), placed("Scouts", "South", (30, 40))), zones=zones)
    mission = score.Mission("all", held=3, destroyed=1, breakthrough=2)
    points = score.points(there, mission, {"South": 1, "North": 0})
    assert points == {"South": 8, "North": 1}
    assert score.leader(points) == "South"
    assert score.leader({"South": 1, "North": 1}) == ""
    assert score.breakthroughs(there, "North") == ()


@pytest.mark.parametrize("mission", score.MISSIONS, ids=lambda mission: mission.name)
def test_every_mission_counts_something_and_its_objectives_lie_on_the_table(mission):
    assert score.mission(mission.name.upper()) is mission
    assert mission.held or mission.destroyed or mission.breakthrough
    assert bool(mission.held) == bool(mission.objectives)
    board = Board(48, 36)
    for objective in score.objectives_of(mission, board):
        assert 0 < objective.at.x < board.width
        assert 0 < objective.at.y < board.depth


def test_an_unknown_mission_is_refused():
    with pytest.raises(UnknownName, match="annihilation"):
        score.mission("anihilation")


def test_the_end_says_who_has_won_by_how_many_points():
    assert score.verdict({"South": 2, "North": 5, "East": 1}) == "North won by 5 to 2 to 1 points"
    assert score.verdict({"South": 2, "North": 2}) == "A draw at 2 to 2 points"


def test_the_standings_go_by_the_sheets_that_are_gone():
    sheets = [SimpleNamespace(side=side, is_gone=gone) for side, gone in (("South", True), ("North", False))]
    there = field(placed("Squad", "North", (1, 0)))
    assert score.standings(there, "annihilation", sheets) == {"South": 0, "North": 1}
    assert score.standings(there, "take and hold", sheets) == {"South": 0, "North": 2}
    assert score.standings(there, "", sheets) == {}


def test_a_mission_says_what_counts():
    assert score.mission_words("Take and hold") == "take and hold; at the end 1 point for each objective held"
    breakthrough = score.mission_words("breakthrough")
    assert breakthrough.endswith("1 point for each enemy unit lost and 2 points for each unit in the zone of an enemy")
    assert score.mission_words("recon") == "recon"
