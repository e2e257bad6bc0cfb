"""Hulls, distances, coherency and facings."""

from __future__ import annotations

from math import atan2, degrees, hypot

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.table.areas import Area, edges, is_inside, rectangle, rim_gap
from battletape.table.bases import Base
from battletape.table.distances import (
    closer_than,
    gap,
    inner_point,
    is_coherent,
    is_within,
    nearest_point,
    outline,
    overlaps,
    touches,
    within,
)
from battletape.table.facings import (
    angle_off,
    face_towards,
    facing,
    facing_at,
    facing_border,
    flank,
    flank_at,
)
from battletape.table.hulls import (
    Hull,
    corners,
    driven,
    footprint,
    hull_gap,
    in_frame,
    is_on_hull,
    on_table,
    open_flanks,
    turned,
)
from battletape.table.points import Point, apart, step
from tests.table.shapes import AREAS, HEADINGS, HULLS, POINTS, THINGS, mirrored, rotated

TANK = Hull(Point(10, 10), 90, 6, 3)  # heading east


def test_the_frame_of_a_hull():
    assert in_frame(TANK, Point(14, 9)) == (4, 1)
    assert on_table(TANK, 4, 1) == Point(14, 9)
    assert corners(TANK) == (Point(13, 11.5), Point(13, 8.5), Point(7, 8.5), Point(7, 11.5))
    assert footprint(TANK) == Area(corners(TANK))
    assert driven(TANK, 2.5).centre == Point(12.5, 10)
    assert driven(TANK, -1).centre == Point(9, 10)
    assert turned(TANK, 180).heading == 180


def test_a_hull_wants_real_sizes():
    with pytest.raises(BadInput, match="length must be 0 inches or more, got -1"):
        Hull(Point(0, 0), 0, -1, 2)


def test_a_hull_reads_from_json_and_back():
    text = msgspec.json.encode(TANK)
    assert msgspec.json.decode(text, type=Hull) == TANK
    with pytest.raises(msgspec.ValidationError, match="lenght"):
        msgspec.json.decode(b'{"centre": {"x": 1, "y": 2}, "lenght": 3}', type=Hull)


def test_on_the_hull():
    assert is_on_hull(TANK, Point(13, 8.5))
    assert not is_on_hull(TANK, Point(13.001, 10))
    assert hull_gap(TANK, Point(10, 10.5)) == 0
    assert hull_gap(TANK, Point(16, 15.5)) == 5
    assert open_flanks(TANK, Point(16, 15.5)) == ("front", "left")
    assert open_flanks(TANK, Point(10, 10)) == ()


@pytest.mark.clause("V5-CORE-22", "SE-10")
def test_gaps_from_edge_to_edge():
    assert gap(Base(Point(0, 0), 0.5), Base(Point(3, 4), 0.5)) == 4
    assert gap(Base(Point(0, 0), 3), Base(Point(3, 4), 3)) == 0
    assert gap(Point(0, 0), Base(Point(3, 4), 0.5)) == 4.5
    assert gap(TANK, Base(Point(16, 15.5), 0.5)) == 4.5
    assert gap(TANK, Hull(Point(10, 20), 0, 4, 2)) == 6.5
    assert gap(TANK, rectangle(0, 0, 4, 30)) == 3
    assert gap(TANK, rectangle(9, 9, 11, 11)) == 0
    assert gap(rectangle(9, 9, 11, 11), TANK) == 0
    assert gap(rectangle(0, 0, 1, 1), Point(4, 5)) == 5


def test_contact_shares_no_ground():
    beside = Hull(Point(10, 13), 90, 6, 3)
    assert touches(TANK, beside)
    assert not overlaps(TANK, beside)
    assert overlaps(TANK, Hull(Point(10, 12.9), 90, 6, 3))
    assert overlaps(TANK, TANK)
    assert overlaps(TANK, Hull(Point(10, 10), 0, 1, 1))
    assert overlaps(TANK, Point(10, 10))
    assert not overlaps(TANK, Base(Point(10, 12), 0.5))
    assert overlaps(Base(Point(10, 12), 0.6), TANK)


def test_who_is_near():
    models = [Base(Point(10, 12 + at), 0.5) for at in (0, 1.5, 3, 4.5)]
    assert within(TANK, models, 3) == (0, 1, 2)
    assert closer_than(TANK, models, 3) == (0, 1)
    assert is_within(TANK, models[0], 0)


@pytest.mark.clause("V5-CORE-17")
def test_coherency():
    pairs = [Base(Point(x, 0), 0.5) for x in (0, 3, 10, 13)]
    assert is_coherent(pairs)
    assert not is_coherent(pairs, chain=True)
    assert is_coherent(pairs[:2], chain=True)
    assert not is_coherent(pairs[:3])
    assert is_coherent(pairs[:1])


def test_the_nearest_part():
    assert nearest_point(Point(0, 5), Base(Point(0, 0), 2)) == Point(0, 2)
    assert nearest_point(Point(0, 1), Base(Point(0, 0), 2)) == Point(0, 1)
    assert nearest_point(Point(3, 3), Point(1, 1)) == Point(1, 1)
    assert nearest_point(Point(16, 15.5), TANK) == Point(13, 11.5)
    assert nearest_point(Point(10, 10), TANK) == Point(10, 10)


@settings(deadline=None)
@given(AREAS)
def test_an_inner_point_is_inside(area):
    spot = inner_point(area)
    assert is_inside(area, spot)
    assert rim_gap(area.outline, spot) > 0


@settings(deadline=None)
@given(THINGS, THINGS, HEADINGS)
def test_gaps_are_symmetric_and_stay_when_the_table_turns(one, other, angle):
    away = gap(one, other)
    assert gap(other, one) == pytest.approx(away, abs=1e-9)
    assert gap(rotated(one, angle), rotated(other, angle)) == pytest.approx(away, abs=1e-7)
    assert gap(mirrored(one), mirrored(other)) == pytest.approx(away, abs=1e-9)
    if away > 1e-6:
        assert not overlaps(one, other)


@settings(deadline=None)
@given(THINGS, THINGS)
def test_what_overlaps_touches(one, other):
    if overlaps(one, other):
        assert overlaps(other, one)
        assert touches(one, other)


@settings(deadline=None)
@given(HULLS, POINTS, HEADINGS)
def test_the_nearest_part_of_a_hull_is_as_far_as_the_hull(hull, point, angle):
    assert apart(point, nearest_point(point, hull)) == pytest.approx(hull_gap(hull, point), abs=1e-9)
    assert hull_gap(turned(hull, hull.heading + 180), point) == pytest.approx(hull_gap(hull, point), abs=1e-9)
    ahead, right = in_frame(hull, point)
    assert hypot(ahead, right) == pytest.approx(apart(hull.centre, point), abs=1e-9)
    assert apart(on_table(hull, ahead, right), point) < 1e-9
    assert len(edges(outline(hull))) == 4


@pytest.mark.clause("V5-SHOT-4", "V5-WALK-17")
@pytest.mark.parametrize(
    "angle, expected",
    [
        (0, "front"),
        (45, "front"),
        (46, "side"),
        (134, "side"),
        (135, "rear"),
        (-30, "front"),
        (-100, "side"),
        (315, "front"),
    ],
)
def test_facings_by_quarters(angle, expected):
    assert facing_at(angle) == expected
    assert facing(TANK, step(TANK.centre, 90 + angle, 20)) == expected


@pytest.mark.clause("V5-SHOT-4")
@pytest.mark.parametrize("angle, expected", [(25, "front"), (27, "side"), (35, "side"), (150, "side"), (154, "rear")])
def test_facings_by_corners(angle, expected):
    assert facing_at(angle, model="corner", length=6, width=3) == expected
    assert facing(TANK, step(TANK.centre, 90 + angle, 20), model="corner") == expected
    assert facing_border("corner", 6, 3) == pytest.approx(26.565, abs=1e-3)


def test_a_hull_without_size_has_no_corners_to_look_over():
    with pytest.raises(BadInput, match="facings by corners need a hull with length and width, got 0 by 3"):
        facing_border("corner", 0, 3)


def test_the_line_itself_belongs_to_the_ends_or_to_the_sides():
    assert facing(TANK, Point(13, 13)) == "front"
    assert facing(TANK, Point(13, 13), border="sides") == "side"
    assert facing(TANK, Point(7, 7)) == "rear"
    assert facing(TANK, Point(7, 7), border="sides") == "side"
    assert facing(TANK, Point(13, 8.5), model="corner") == "front"
    assert facing(TANK, Point(13, 8.5), model="corner", border="sides") == "side"
    assert flank(TANK, Point(10, 7)) == "right"
    assert flank_at(-90) == "left"
    assert facing(TANK, TANK.centre) == "front"


def test_the_face_looked_at():
    assert face_towards(TANK, Point(20, 10)) == "front"
    assert face_towards(TANK, on_table(TANK, 2, 1.9)) == "right"  # front quarter, but beside the hull
    assert face_towards(TANK, TANK.centre) == "front"


@pytest.mark.clause("DL-SHEET.2")
def test_degrees_off_the_perpendicular_of_a_face():
    assert angle_off(TANK, "front", Point(20, 10)) == 0
    assert angle_off(TANK, "front", Point(18, 15)) == 45
    assert angle_off(TANK, "left", Point(10, 20)) == 0
    assert angle_off(TANK, "right", Point(10, 0), struck=Point(10, 8.5)) == 0
    assert angle_off(TANK, "rear", Point(4, 13), struck=Point(7, 10)) == 45


@settings(deadline=None)
@given(HULLS, POINTS, HEADINGS, st.sampled_from(["quarters", "corner"]))
def test_facings_turn_with_the_table_and_ignore_the_mirror(hull, point, angle, model):
    border = facing_border(model, hull.length, hull.width)
    ahead, right = in_frame(hull, point)
    off = degrees(atan2(right, ahead))
    if min(abs(abs(off) - border), abs(abs(off) - 180 + border)) > 1e-6:
        found = facing(hull, point, model=model)
        assert facing(rotated(hull, angle), rotated(point, angle), model=model) == found
        assert facing(mirrored(hull), mirrored(point), model=model) == found
        assert facing(hull, point, model=model, border="sides") == found
        swap = {"front": "rear", "rear": "front", "side": "side"}
        if abs(ahead) + abs(right) > 0:
            assert facing(turned(hull, hull.heading + 180), point, model=model) == swap[found]
