"""Driving straight ahead, paths, terrain, roads and the edge of the table."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.table.areas import Area, rectangle
from battletape.table.bases import Base
from battletape.table.board import Board, board_distance, is_on_board
from battletape.table.distances import gap, overlaps
from battletape.table.facings import facing
from battletape.table.hulls import Hull, driven
from battletape.table.paths import (
    arrived,
    base_spans_along,
    driven_through,
    hull_spans_along,
    inches_inside,
    is_wholly_on,
    legs,
    path_length,
    spans_along,
    stood_on,
)
from battletape.table.points import Point, apart, between
from battletape.table.sweeps import Contact, Impact, Obstacle, contact_spans, free_distance, impact, swept
from tests.table.shapes import AREAS, BASES, HEADINGS, HULLS, POINTS, mirrored, numbers, rotated

EAST = Hull(Point(-2, 0), 90, 4, 3)  # its front edge at x = 0


@pytest.mark.clause("V5-TANK-3")
@pytest.mark.parametrize(
    "x, y, expected", [(5, 1.9, True), (5, 2.1, False), (5, 2, True), (8.3, 0, True), (8.6, 0, False), (-2, 2, False)]
)
def test_models_under_the_tank(x, y, expected):
    assert bool(swept(EAST, 8, [Base(Point(x, y))])) == expected


@pytest.mark.clause("V5-TANK-3")
def test_models_in_order_of_contact():
    models = [Base(Point(7, 0)), Base(Point(3, -1.8)), Base(Point(3, 1)), Base(Point(3, 9)), Base(Point(0.2, 0))]
    found = swept(EAST, 8, models)
    assert [contact.model for contact in found] == [4, 2, 1, 0]
    assert found[0] == Contact(4, 0)
    assert found[1] == Contact(2, 2.5)
    assert found[2].inches == pytest.approx(3 - sqrt(0.25 - 0.09))
    assert found[3] == Contact(0, 6.5)
    with pytest.raises(BadInput, match="distance must be 0 inches or more, got -1"):
        swept(EAST, -1, models)


@pytest.mark.clause("V5-TANK-4")
def test_what_stops_a_tank():
    friend, enemy = Base(Point(5.5, 0)), Hull(Point(9, 0), 0, 6, 4)
    assert free_distance(EAST, 10, [friend]) == 5
    assert free_distance(EAST, 10, [enemy]) == 7
    assert free_distance(EAST, 10, [enemy], margin=1) == pytest.approx(6)
    assert free_distance(EAST, 4, [friend, enemy]) == 4
    assert free_distance(EAST, 10, [Base(Point(5, 2))]) == 10  # it slides past
    assert free_distance(EAST, 10, [rectangle(6, 1.5, 9, 9)]) == 10
    assert free_distance(EAST, 10, [rectangle(6, 1.4, 9, 9)]) == 6


@pytest.mark.clause("V5-TANK-4")
def test_one_inch_short_of_a_corner():
    enemy = Hull(Point(5, 3.2), 90, 2, 2)  # its corner at (4, 2.2), 0.7 beside the lane
    stop = free_distance(EAST, 10, [enemy], margin=1)
    assert stop == pytest.approx(4 - sqrt(1 - 0.49))
    assert gap(driven(EAST, stop), enemy) == pytest.approx(1)


def test_who_starts_too_close_may_still_drive_away():
    behind = Hull(Point(-5.5, 0), 0, 2, 2)
    assert gap(EAST, behind) == 0.5
    assert free_distance(EAST, 10, [behind], margin=1) == 10


@pytest.mark.clause("V5-RAM-4")
def test_where_a_ram_strikes():
    flat = Hull(Point(9, 1), 0, 6, 4)
    assert impact(EAST, 12, flat) == Impact(7, Point(7, 0))
    half = Hull(Point(9, 4), 0, 6, 4)
    assert impact(EAST, 12, half) == Impact(7, Point(7, 1.25))  # the shared stretch runs from y 1 to 1.5
    turned = Hull(Point(9, 0), 45, 4, 4)
    struck = impact(EAST, 12, turned)
    assert struck is not None
    assert struck.inches == pytest.approx(9 - sqrt(8))
    assert struck.at.y == pytest.approx(0)
    assert facing(flat, Point(7, 0)) == "side"
    assert impact(EAST, 6, flat) is None
    assert impact(EAST, 12, Base(Point(5, 1), 1)) == Impact(4, Point(4, 1))
    grazed = 5 - sqrt(0.75)  # the corner of the hull meets a base that stands half beside the lane
    assert impact(EAST, 12, Base(Point(5, 2), 1)) == Impact(grazed, Point(grazed, 1.5))


def test_stretches_of_contact():
    assert contact_spans(EAST, 20, rectangle(5, -9, 7, 9)) == ((5, 11),)
    assert contact_spans(EAST, 20, Base(Point(6, 0), 1)) == ((5, 11),)
    horseshoe = Area(
        tuple(Point(x, y) for x, y in [(5, -9), (20, -9), (20, 9), (18, 9), (18, -7), (6, -7), (6, 9), (5, 9)])
    )
    assert contact_spans(EAST, 30, horseshoe) == ((5, 10), (18, 24))


def test_the_length_of_a_path():
    there_and_back = [Point(0, 0), Point(0, 6), Point(0, 0)]
    assert path_length(there_and_back) == 12
    assert path_length([]) == 0


@pytest.mark.clause("V5-MOVE-2")
def test_the_legs_of_a_hull():
    tank = Hull(Point(0, 0), 0, 4, 3)
    drives = legs(tank, [Point(0, 6), Point(0, 6), Point(5, 6)])
    assert [(hull.heading, inches) for hull, inches in drives] == [(0, 6), (90, 5)]
    assert arrived(tank, [Point(0, 6), Point(5, 6)]) == Hull(Point(5, 6), 90, 4, 3)
    assert arrived(tank, [Point(0, 6), Point(5, 6)], 200).heading == 200
    assert arrived(tank, []) == tank
    assert arrived(tank, [Point(0, -6)], reverse=True) == Hull(Point(0, -6), 0, 4, 3)


@pytest.mark.clause("V5-TERR-2", "V5-TERR-3")
def test_terrain_along_a_path():
    wood, crater = rectangle(5, -9, 7, 9), Base(Point(12, 0), 2)
    path = [Point(0, 0), Point(6, 0), Point(14, 0)]
    assert spans_along(path, [wood, crater]) == ((5, 7), (10, 14))
    assert inches_inside(spans_along(path, [wood, crater])) == 6
    assert spans_along(path[:1], [wood]) == ()
    assert hull_spans_along(EAST, [Point(8, 0)], [wood]) == ((5, 10),)
    assert base_spans_along(Base(Point(0, 0)), [Point(9, 0)], [wood]) == ((4.5, 7.5),)
    assert base_spans_along(Base(Point(0, 0)), [Point(20, 0)], [crater]) == ((9.5, 14.5),)


def test_a_base_that_passes_a_corner_of_the_wood():
    wood = rectangle(5, 0.3, 7, 9)
    half = sqrt(0.25 - 0.09)
    (stretch,) = base_spans_along(Base(Point(0, 0)), [Point(9, 0)], [wood])
    assert stretch == pytest.approx((5 - half, 7 + half))


@pytest.mark.clause("V5-MOVE-4", "V5-MOVE-6")
def test_a_whole_move_on_a_road():
    street = (Base(Point(10, 0), 1.5), rectangle(0, -1.5, 10, 1.5), rectangle(8.5, 0, 11.5, 10))  # with a round bend
    assert is_wholly_on([Point(0, 0), Point(10, 0), Point(10, 8)], street)
    assert is_wholly_on([Point(0, 1), Point(11, 1), Point(11, 8)], street)
    assert is_wholly_on([Point(0, 0), Point(10.9, -0.9), Point(10, 9)], street)  # around the outside of the bend
    assert not is_wholly_on([Point(0, 0), Point(10, 0), Point(10, 12)], street)
    assert not is_wholly_on([Point(0, 0), Point(10, 10)], street)


@pytest.mark.clause("V5-TERR-4", "V5-SKIM-4")
def test_models_on_the_way_and_under_the_end():
    models: list[Obstacle] = [
        Base(Point(5, 0)),
        Base(Point(5, 5)),
        Hull(Point(8.5, 0), 0, 2, 2),
        Base(Point(-2, 2), 0.5),
    ]
    assert driven_through(EAST, [Point(6, 0)], models) == (0, 2)
    assert driven_through(EAST, [Point(-2, 9)], models) == (3,)  # it turns north on the spot, over the fourth
    assert stood_on(arrived(EAST, [Point(6, 0)]), models) == (0, 2)
    assert stood_on(Base(Point(9, 0.5)), models) == (2,)


def test_the_edge_of_the_table():
    board = Board(48, 36)
    tank = Hull(Point(40, 10), 90, 6, 3)
    assert is_on_board(board, tank)
    assert board_distance(board, tank) == 5
    assert is_on_board(board, driven(tank, 5))
    assert not is_on_board(board, driven(tank, 5.1))
    assert board_distance(board, Hull(Point(10, 10), 225, 2, 2)) == pytest.approx((10 - sqrt(2)) * sqrt(2))
    assert is_on_board(board, Base(Point(0.5, 0.5)))
    assert not is_on_board(board, Base(Point(0.4, 5)))
    assert is_on_board(board, Point(48, 36))
    assert board_distance(board, Hull(Point(60, 10), 90, 2, 2)) == 0
    with pytest.raises(BadInput, match="depth"):
        Board(1, -1)


@settings(deadline=None)
@given(HULLS, numbers(0.5, 15), st.one_of(BASES, HULLS, AREAS), st.floats(0, 1), st.sampled_from([0, 1, 0.3]))
def test_contact_agrees_with_a_look_at_every_spot(hull, distance, thing, share, margin):
    at = share * distance
    there = driven(hull, at)
    away = gap(there, thing)
    met = contact_spans(hull, distance, thing, margin)
    inside = any(low <= at <= high for low, high in met)
    if all(abs(at - end) > 1e-6 for span in met for end in span) and abs(away - margin) > 1e-6:
        assert inside == (overlaps(there, thing) if margin == 0 else away < margin)


@settings(deadline=None)
@given(HULLS, numbers(0.5, 15), st.lists(BASES, max_size=4), HEADINGS)
def test_sweeps_turn_with_the_table(hull, distance, bases, angle):
    here = swept(hull, distance, bases)
    turned = swept(rotated(hull, angle), distance, [rotated(base, angle) for base in bases])
    mirror = swept(mirrored(hull), distance, [mirrored(base) for base in bases])
    for other in (turned, mirror):
        if len(other) == len(here):
            assert [one.inches for one in other] == pytest.approx([one.inches for one in here], abs=1e-3)
        else:
            assert abs(len(other) - len(here)) == 1  # a bare touch


@settings(deadline=None)
@given(BASES, POINTS, st.one_of(BASES, AREAS), st.floats(0, 1))
def test_a_base_on_its_way_agrees_with_a_look_at_every_spot(base, goal, ground, share):
    way = apart(base.centre, goal)
    if way < 0.01:
        return
    met = base_spans_along(base, [goal], [ground])
    at = share * way
    if all(abs(at - end) > 1e-6 for span in met for end in span):
        there = Base(between(base.centre, goal, share), base.radius)
        if gap(there, ground) > 1e-6 or overlaps(Base(there.centre, there.radius - 1e-6), ground):
            assert any(low <= at <= high for low, high in met) == overlaps(there, ground)


def test_a_base_that_goes_away_from_contact_runs_into_nothing():
    base, wall = Base(Point(0, 0), 1.0), Hull(Point(0, -2), 90.0, 6.0, 2.0)
    things = (wall, Base(Point(2, 0), 1.0), rectangle(-4, 3, 4, 5))
    assert driven_through(base, [Point(-3, 0)], things) == ()  # along the wall, which it touches
    assert driven_through(base, [Point(-3, 1.5)], things) == ()
    assert driven_through(base, [Point(0, -0.5)], things) == (0,)
    assert driven_through(base, [Point(0.5, 0), Point(0, 2.5)], things) == (1, 2)
