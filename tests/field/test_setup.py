"""Formations, zones, edges and what a start has to keep to; old starts give the places they always gave."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.field import setup
from battletape.field.setup import Placement, Spot, arranged
from battletape.field.state import Battlefield, Position, TerrainPiece
from battletape.rulebook import replace
from battletape.table.areas import rectangle
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import gap, is_coherent, overlaps
from battletape.table.formations import FORMATIONS
from battletape.table.hulls import Hull
from battletape.table.points import Point, step
from tests.field.fields import FIELD, FOOTPRINTS, SIDES, SQUAD, TANK, WALL
from tests.second_edition import causeway
from tests.table.shapes import HEADINGS, numbers

BOARD = Board(20, 10)


@given(
    st.sampled_from(("block", "rings", *FORMATIONS)),
    st.integers(1, 20),
    HEADINGS,
    numbers(0.25, 1.5),
    numbers(0, 2),
    st.integers(1, 8),
)
def test_models_of_a_formation_stand_apart_and_in_coherency(shape, count, heading, radius, spacing, abreast):
    placement = Placement(x=10.0, y=10.0, heading=heading, formation=shape, spacing=spacing, abreast=abreast)
    models = arranged(placement, count, radius)
    assert len(models) == count
    assert not any(overlaps(one, other) for at, one in enumerate(models) for other in models[:at])
    assert is_coherent(models, max(spacing, 0.015) * 2 + 2 * radius + 0.05)


def test_a_placement_without_a_place_arranges_nothing():
    assert arranged(Placement(x=3.0), 5, 0.5) == ()
    assert arranged(Placement(x=3.0, y=4.0), 0, 0.5) == ()


@given(st.integers(1, 12), st.integers(1, 7), st.sampled_from([0, 37, 90, 180, 271]))
def test_a_block_is_how_vehicles5_sets_up(models, abreast, heading):
    squad = {"name": "A", "models": models, "abreast": abreast, "x": 30, "y": 20, "heading": heading, "base": 0.5}
    weapon = {"name": "Gun", "models": models}
    squad |= {"weapons": [weapon], "arsenal": [{"name": "Gun"}]}
    sides = [{"name": side, "squads": [squad] if side == "S" else [], "machines": []} for side in "SN"]
    battle = Battle.new("vehicles5", {"sides": sides})
    placement = Placement(x=30.0, y=20.0, heading=float(heading), abreast=abreast)
    assert battle.state.bases("A") == arranged(placement, models, 0.5)


@given(st.integers(1, 25), numbers(0.25, 1))
def test_rings_are_how_diceless_sets_up(models, radius):
    """Six around the first, twelve around these, and so on, each ring begun in the north and as full as it can be."""
    spots, ring = [Point(30, 20)], 0
    while len(spots) < models:
        ring += 1
        left = min(6 * ring, models - len(spots))
        spots += [step(Point(30, 20), 360 * at / (6 * ring), 2 * radius * ring) for at in range(left)]
    assert setup.rings(Point(30, 20), models, radius) == tuple(Base(spot, radius) for spot in spots)


def test_a_block_is_how_second_edition_sets_up():
    battle = Battle.new("second_edition", causeway.START)
    gang = battle.state.squad("Gang")
    placement = Placement(x=14.0, y=19.0, heading=180.0)
    bases = arranged(placement, len(gang), gang[0].radius)
    assert battle.state.field.footprints(*(fighter.name for fighter in gang)) == bases


def test_single_places_need_one_for_each_model():
    spots = (Spot(x=1.0, y=2.0), Spot(x=3.0, y=2.0))
    assert [base.centre for base in arranged(Placement(spots=spots), 2, 0.5)] == [Point(1, 2), Point(3, 2)]
    with pytest.raises(BadInput, match="there are 3, and 2 spots"):
        setup.single_places(spots, 3, 0.5)


# --- what a start keeps to --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names, most, said",
    [
        (("A",), None, "two sides or more; got 1"),
        (("A", "B", "C"), 2, "two sides; got 3"),
        (("A", ""), None, "needs a name"),
        (("A", "a"), None, "'a' is used twice"),
    ],
)
def test_sides_need_names_of_their_own(names, most, said):
    with pytest.raises(BadInput, match=said):
        setup.check_sides(names, most)


@pytest.mark.parametrize(
    "corners, radius, needed, fine",
    [
        (3, 0, True, True),
        (1, 2, True, True),
        (0, 0, False, True),
        (0, 0, True, False),
        (1, 0, False, False),
        (2, 1, True, False),
    ],
)
def test_terrain_needs_an_outline_around_some_ground(corners, radius, needed, fine):
    points = (Point(0, 0), Point(1, 0), Point(0, 1))[:corners]
    if fine:
        setup.check_outline(points, radius, needed)
    else:
        with pytest.raises(BadInput, match="three corners or more, or one and a radius"):
            setup.check_outline(points, radius, needed)


@pytest.mark.parametrize(
    "moved, said",
    [
        (Position("Squad", "South", hulls=(Hull(Point(71, 5)),)), "Squad does not stand wholly on the table"),
        (Position("Squad", "South", hulls=(Hull(Point(20.5, 20)),)), "Squad and Tank stand on the same ground"),
        (Position("Squad", "South", hulls=(Hull(Point(20, 11)),)), "Squad stands in Wall, which is impassable"),
        (Position("Squad", "South", hulls=(Hull(Point(5, 30)),)), "Squad stands outside the deployment zone of South"),
    ],
)
def test_a_start_with_units_in_wrong_places_is_refused(moved, said):
    zones = setup.edge_zones(SIDES, Board(), 31)
    field = Battlefield[TerrainPiece](sides=SIDES, positions=(SQUAD, TANK), terrain=(WALL,), board=Board(), zones=zones)
    setup.check_places(field)
    with pytest.raises(BadInput, match=said) as refused:
        setup.check_places(field.with_positions(moved), cites="X-1")
    assert refused.value.clause == "X-1"


def test_units_may_start_in_impassable_terrain_where_a_system_says_so():
    skimmer = Position("Squad", "South", hulls=(Hull(Point(20, 11)),))
    field = Battlefield[TerrainPiece](sides=SIDES, positions=(skimmer,), terrain=(WALL,), board=Board())
    setup.check_places(field, impassable=False)
    with pytest.raises(BadInput, match="impassable"):
        setup.check_places(field)


@given(FOOTPRINTS)
def test_standing_wholly_in_an_area_is_standing_on_a_board_of_its_size(footprint):
    area = rectangle(0, 0, BOARD.width, BOARD.depth)
    field = Battlefield[TerrainPiece](sides=SIDES, board=BOARD)
    assert setup.is_wholly_in(footprint, area) == field.is_on_board(footprint)


# --- edges ------------------------------------------------------------------------------------------------------------


def test_left_and_right_are_seen_from_the_seat_of_the_side():
    field: Battlefield[Any] = replace(FIELD, sides=("South", "North", "Third"))
    assert [setup.edge_seen(field, "South", seen) for seen in ("own", "left", "right", "far")] == [
        "south",
        "west",
        "east",
        "north",
    ]
    assert setup.edge_seen(field, "North", "left") == "east"
    assert [setup.edge_seen(field, "Third", seen) for seen in ("own", "left", "right")] == ["west", "north", "south"]


@given(st.sampled_from(["south", "north", "west", "east"]), numbers(0, 10), numbers(0, 10))
def test_a_point_at_an_edge_is_as_far_from_it_as_was_said(edge, along, inches):
    point = setup.point_at_edge(BOARD, edge, along, inches)
    assert setup.inches_from_edge(BOARD, edge, point) == pytest.approx(inches)
    assert gap(point, point) == 0


# --- tables and missions of a start -----------------------------------------------------------------------------------


def test_a_start_that_says_nothing_lays_out_a_bare_table():
    field = setup.lay_out(setup.TableStart(), SIDES, (SQUAD,), (WALL,))
    assert (field.board, field.zones, field.objectives) == (Board(72, 48), (), ())
    assert (field.positions, field.terrain) == ((SQUAD,), (WALL,))
    assert set(setup.TableStart.unwritten) == set(setup.TableStart.__struct_fields__)


def test_zones_lie_along_the_home_edges_and_end_at_the_table():
    north: Battlefield[Any] = setup.lay_out(setup.TableStart(zone=12, depth=36.0), (*SIDES, "West", "East"), (), ())
    assert {zone.side: zone.area for zone in north.zones} == {
        "South": rectangle(0, 0, 72, 12),
        "North": rectangle(0, 24, 72, 36),
        "West": rectangle(0, 0, 12, 36),
        "East": rectangle(60, 0, 72, 36),
    }
    (zone, _) = setup.edge_zones(SIDES, Board(20, 10), 30)
    assert max(corner.y for corner in zone.area.outline) == 10


def test_objectives_are_those_of_the_start_or_else_those_of_its_mission():
    table = setup.TableStart(mission="King of the Hill")
    (hill,) = setup.lay_out(table, SIDES, (), ()).objectives
    assert (hill.name, hill.at) == ("Objective 1", Point(36, 24))
    own = replace(table, objectives=(setup.ObjectiveStart("Well", 4, 5), setup.ObjectiveStart(x=9.0, worth=2)))
    assert [(each.name, each.at, each.worth) for each in setup.lay_out(own, SIDES, (), ()).objectives] == [
        ("Well", Point(4, 5), 1),
        ("Objective 2", Point(9, 0), 2),
    ]
    assert setup.start_objectives(table, None) == ()


@pytest.mark.parametrize(
    "start, said",
    [
        (setup.TableStart(mission="hill"), "there is no mission 'hill'"),
        (setup.TableStart(objectives=(setup.ObjectiveStart("Far", 80, 4),)), "Far does not lie on the table"),
        (setup.TableStart(objectives=(setup.ObjectiveStart("A"), setup.ObjectiveStart("a"))), "'a' is used twice"),
    ],
)
def test_a_start_with_a_wrong_mission_or_objective_is_refused(start, said):
    with pytest.raises(BadInput, match=said):
        setup.lay_out(start, SIDES, (), ())
