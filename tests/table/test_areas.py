"""Polygons: inside, stretches of a way, shared ground."""

from __future__ import annotations

from math import acos, pi, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.table.areas import (
    Area,
    clip,
    edges,
    is_inside,
    join,
    rectangle,
    rim_gap,
    shared_size,
    size,
    size_in_disc,
    spans,
)
from battletape.table.bases import Base, base_radius
from battletape.table.hulls import corners
from battletape.table.points import Point, apart, between
from tests.table.shapes import AREAS, BASES, HULLS, POINTS

SQUARE = rectangle(0, 0, 4, 4)
HORSESHOE = Area(tuple(Point(x, y) for x, y in [(0, 0), (6, 0), (6, 4), (4, 4), (4, 2), (2, 2), (2, 4), (0, 4)]))


def test_the_radius_of_a_base_in_millimetres():
    assert str(base_radius(25)) == "125/254"
    assert str(base_radius(50.8)) == "1"
    with pytest.raises(BadInput, match="base diameter must be 0 inches or more, got -25"):
        base_radius(-25)
    with pytest.raises(BadInput, match="radius"):
        Base(Point(0, 0), -1)


def test_an_area_wants_ground():
    with pytest.raises(BadInput, match="three or more corners"):
        Area((Point(0, 0), Point(1, 1)))
    with pytest.raises(BadInput, match="some ground"):
        Area((Point(0, 0), Point(1, 1), Point(2, 2)))


def test_inside_and_on_the_rim():
    assert is_inside(HORSESHOE, Point(1, 3))
    assert not is_inside(HORSESHOE, Point(3, 3))
    assert is_inside(HORSESHOE, Point(2, 3))
    assert not is_inside(HORSESHOE, Point(2, 3), rim=False)
    assert is_inside(Base(Point(0, 0), 1), Point(0, 1))
    assert not is_inside(Base(Point(0, 0), 1), Point(0, 1), rim=False)
    assert rim_gap(SQUARE.outline, Point(1, 2)) == 1
    assert size(HORSESHOE.outline) == 20


def test_stretches_of_a_way():
    assert spans(Point(-1, 3), Point(7, 3), HORSESHOE) == ((1, 3), (5, 7))
    assert spans(Point(-1, 1), Point(3, 1), HORSESHOE) == ((1, 4),)
    assert spans(Point(-1, 9), Point(7, 9), HORSESHOE) == ()
    assert spans(Point(1, 1), Point(1, 1), HORSESHOE) == ()


def test_a_way_along_a_rim_is_inside_only_if_rims_count():
    assert spans(Point(-1, 0), Point(9, 0), HORSESHOE) == ((1, 7),)
    assert spans(Point(-1, 0), Point(9, 0), HORSESHOE, rim=False) == ()


def test_stretches_over_a_disc():
    assert spans(Point(-5, 3), Point(5, 3), Base(Point(0, 0), 5)) == ((1, 9),)
    assert spans(Point(0, 0), Point(9, 0), Base(Point(0, 0), 5)) == ((0, 5),)
    assert spans(Point(-5, 5), Point(5, 5), Base(Point(0, 0), 5)) == ()
    assert spans(Point(6, 0), Point(9, 0), Base(Point(0, 0), 5)) == ()


def test_stretches_that_meet_are_joined():
    assert join([(4, 6), (1, 2), (2, 3), (5, 5.5)]) == ((1, 3), (4, 6))


def test_clipping_keeps_the_left():
    kept = clip(SQUARE.outline, Point(1, 0), Point(1, 9))
    assert size(kept) == 4
    assert all(corner.x <= 1 for corner in kept)


def test_shared_ground():
    assert shared_size(SQUARE.outline, rectangle(3, 1, 9, 3).outline) == 2
    assert shared_size(SQUARE.outline, rectangle(3, 1, 9, 3).outline[::-1]) == 2
    assert shared_size(SQUARE.outline, rectangle(5, 1, 9, 3).outline) == 0


def test_ground_under_a_disc():
    half = rectangle(0, -5, 5, 5).outline
    assert size_in_disc(half, Base(Point(0, 0), 2)) == pytest.approx(2 * pi)
    assert size_in_disc(SQUARE.outline, Base(Point(2, 2), 9)) == pytest.approx(16)
    segment = 4 * acos(1 / 2) - 1 * sqrt(4 - 1)  # beyond a line 1 from the centre of a disc of radius 2
    assert size_in_disc(rectangle(1, -5, 5, 5).outline, Base(Point(0, 0), 2)) == pytest.approx(segment)
    assert size_in_disc(SQUARE.outline, Base(Point(9, 9), 2)) == pytest.approx(0, abs=1e-12)
    assert size_in_disc((), Base(Point(0, 0), 2)) == 0


@settings(deadline=None)
@given(POINTS, POINTS, st.one_of(AREAS, BASES), st.floats(0, 1))
def test_stretches_agree_with_a_look_at_every_spot(start, end, ground, share):
    way = apart(start, end)
    spot = between(start, end, share)
    close = (
        rim_gap(ground.outline, spot) if isinstance(ground, Area) else abs(apart(spot, ground.centre) - ground.radius)
    )
    if way > 0.01 and close > 1e-6:
        inside = any(low <= share * way <= high for low, high in spans(start, end, ground))
        assert inside == is_inside(ground, spot)


@settings(max_examples=40, deadline=None)
@given(HULLS, BASES)
def test_ground_under_a_disc_agrees_with_many_slices(hull, disc):
    spots = 100
    total = 0.0
    for at in range(spots):  # strips of the disc, by their middle
        x = disc.centre.x + disc.radius * (2 * (at + 0.5) / spots - 1)
        half = sqrt(disc.radius**2 - (x - disc.centre.x) ** 2)
        ends = Point(x, disc.centre.y - half), Point(x, disc.centre.y + half)
        total += sum(high - low for low, high in spans(*ends, Area(corners(hull)))) * 2 * disc.radius / spots
    assert size_in_disc(corners(hull), disc) == pytest.approx(total, abs=0.05 * disc.radius**2 + 1e-3)


@settings(deadline=None)
@given(HULLS, HULLS)
def test_shared_ground_is_the_same_both_ways(one, other):
    shared = shared_size(corners(one), corners(other))
    assert shared == pytest.approx(shared_size(corners(other), corners(one)), abs=1e-7)
    assert shared <= size(corners(one)) + 1e-9
    assert len(edges(corners(one))) == 4
