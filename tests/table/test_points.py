"""Points, bearings, steps and segments."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given, settings

from battletape.errors import BadInput
from battletape.table.points import (
    Point,
    apart,
    apart_squared,
    bearing,
    between,
    check_length,
    cross,
    exact,
    exact_root,
    line_crossing,
    nearer,
    nearest_on_segment,
    relative_bearing,
    segment_gap,
    signed,
    step,
    towards,
    unit,
    wrap,
)
from tests.table.shapes import HEADINGS, POINTS, mirrored, numbers, rotated

ORIGIN = Point(0, 0)


def test_a_written_decimal_is_exact():
    assert exact(0.1) == Fraction(1, 10)
    assert exact(3) == 3
    assert exact(Fraction(125, 254)) == Fraction(125, 254)
    assert apart_squared(Point(0.1, 0.2), Point(0.4, 0.6)) == Fraction(1, 4)


def test_a_root_is_a_fraction_where_it_can_be():
    assert exact_root(Fraction(9, 4)) == Fraction(3, 2)
    assert isinstance(exact_root(Fraction(9, 4)), Fraction)
    assert exact_root(Fraction(2)) == 2**0.5


@pytest.mark.parametrize("angle, full, half", [(0, 0, 0), (360, 0, 0), (-90, 270, -90), (-180, 180, 180)])
def test_angles_wrap(angle, full, half):
    assert wrap(angle) == full
    assert signed(angle) == half


def test_a_hair_west_of_north_does_not_wrap_to_360():
    assert wrap(-1e-20) == 0


@pytest.mark.parametrize("x, y, angle", [(0, 3, 0), (2, 2, 45), (5, 0, 90), (0, -1, 180), (-4, 0, 270), (-1, 1, 315)])
def test_bearings_run_clockwise_from_north(x, y, angle):
    assert bearing(ORIGIN, Point(x, y)) == angle


def test_one_point_has_no_bearing():
    with pytest.raises(BadInput, match="two different points, got \\(1, 2\\) twice"):
        bearing(Point(1, 2), Point(1, 2))
    assert relative_bearing(Point(1, 2), 77, Point(1, 2)) == 0


def test_right_is_positive():
    assert relative_bearing(ORIGIN, 90, Point(0, -1)) == 90
    assert relative_bearing(ORIGIN, 90, Point(0, 1)) == -90


def test_steps_along_the_axes_are_exact():
    assert unit(270) == (-1, 0)
    assert step(Point(1, 1), 90, 3) == Point(4, 1)
    assert step(Point(1, 1), 450, Fraction(1, 2)) == Point(1.5, 1)


def test_towards_stops_at_the_goal():
    assert towards(ORIGIN, Point(3, 4), 2.5) == Point(1.5, 2)
    assert towards(ORIGIN, Point(3, 4), 9) == Point(3, 4)
    assert between(ORIGIN, Point(4, 8), 0.25) == Point(1, 2)


def test_a_goal_in_round_numbers_is_no_farther_away():
    for heading in range(0, 360, 7):
        start = Point(20.0, 8.25)
        goal = step(start, heading, 6)
        round_goal = nearer(start, goal)
        assert (round(round_goal.x, 2), round(round_goal.y, 2)) == (round_goal.x, round_goal.y)
        assert 6 - 0.02 < apart(start, round_goal) <= 6 + 1e-9
    assert nearer(Point(20, 8), Point(20, 14.000000000000002)) == Point(20, 14)


def test_left_of_a_line_is_positive():
    assert cross(ORIGIN, Point(0, 2), Point(-3, 5)) == 6


def test_nearest_on_a_segment():
    assert nearest_on_segment(Point(1, 5), ORIGIN, Point(4, 0)) == Point(1, 0)
    assert nearest_on_segment(Point(9, 5), ORIGIN, Point(4, 0)) == Point(4, 0)
    assert nearest_on_segment(Point(9, 5), Point(1, 1), Point(1, 1)) == Point(1, 1)


def test_lines_cross_at_a_share_of_each():
    assert line_crossing(ORIGIN, Point(4, 0), Point(1, -1), Point(1, 3)) == (0.25, 0.25)
    assert line_crossing(ORIGIN, Point(4, 0), Point(1, 1), Point(3, 1)) is None


def test_the_gap_of_segments():
    assert segment_gap(ORIGIN, Point(4, 0), Point(1, -1), Point(1, 3)) == 0
    assert segment_gap(ORIGIN, Point(4, 0), Point(1, 2), Point(3, 2)) == 2
    assert segment_gap(ORIGIN, Point(4, 0), Point(7, 4), Point(9, 9)) == 5


@pytest.mark.parametrize("value", [nan, inf, -1])
def test_no_ruler_shows_that(value):
    with pytest.raises(BadInput, match="depth must be 0 inches or more"):
        check_length("depth", value)
    with pytest.raises(BadInput, match="x must be a number"):
        Point(nan, 0)


@settings(deadline=None)
@given(POINTS, POINTS, HEADINGS)
def test_turning_the_table_turns_every_bearing(a, b, angle):
    if apart(a, b) > 0.01:
        turned = bearing(rotated(a, angle), rotated(b, angle))
        assert abs(signed(turned - bearing(a, b) - angle)) < 1e-7
        assert abs(signed(bearing(mirrored(a), mirrored(b)) + bearing(a, b))) < 1e-7


@settings(deadline=None)
@given(POINTS, HEADINGS, numbers(0.1, 20))
def test_a_step_leads_where_it_says(start, heading, inches):
    end = step(start, heading, inches)
    assert apart(start, end) == pytest.approx(inches)
    assert abs(signed(bearing(start, end) - heading)) < 1e-7
    assert towards(end, start, inches * 2) == start
