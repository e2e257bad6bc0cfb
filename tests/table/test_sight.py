"""Lines of sight, hidden faces and cover."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.table.areas import rectangle, spans
from battletape.table.bases import Base
from battletape.table.hulls import Hull, corners
from battletape.table.points import Point, between
from battletape.table.sight import (
    Eye,
    Face,
    Wall,
    can_see,
    can_see_vehicle,
    claims_cover,
    faces,
    hidden_facing,
    hidden_fraction,
    round_face,
    walls_of,
)
from tests.table.shapes import AREAS, HEADINGS, POINTS, mirrored, numbers, rotated

EYE = Eye(Point(0, 0))
FACE = Face(Point(-2, 10), Point(2, 10))


def line_is_clear(start, end, grounds):
    """Whether a line of sight crosses none of these; it may run along a rim."""
    return not any(spans(start, end, ground, rim=False) for ground in grounds)


@pytest.mark.clause("V5-SHOT-2")
def test_half_a_face_behind_a_wall():
    assert hidden_fraction(EYE, FACE, []) == 0
    assert hidden_fraction(EYE, FACE, [Wall((Point(0, 5), Point(9, 5)))]) == pytest.approx(0.5)
    assert hidden_fraction(EYE, FACE, [Wall((Point(-0.5, 5), Point(0.5, 5)))]) == pytest.approx(0.5)
    assert hidden_fraction(EYE, FACE, [Wall((Point(-5, 5), Point(5, 5)))]) == 1
    assert hidden_fraction(EYE, FACE, [Wall((Point(-5, 11), Point(5, 11)))]) == 0  # behind the face
    assert hidden_fraction(EYE, FACE, [Wall((Point(-5, -5), Point(5, -5)))]) == 0  # behind the eye
    assert hidden_fraction(EYE, FACE, [Wall((Point(0, 3), Point(0, 9)))]) == 0  # end-on
    assert hidden_fraction(EYE, FACE, [Wall((Point(0, 5), Point(5, 0)))]) == pytest.approx(
        0.5
    )  # from abreast of the eye


def test_two_walls_that_overlap_hide_once():
    walls = [Wall((Point(-0.5, 5), Point(0.5, 5))), Wall((Point(0, 4), Point(9, 4)))]
    assert hidden_fraction(EYE, FACE, walls) == pytest.approx(0.75)


@pytest.mark.clause("V5-SHOT-2")
def test_a_low_wall_hides_the_lower_part():
    low = Wall((Point(-9, 5), Point(9, 5)), top=0.25)  # half-way: its shadow is twice as high
    assert hidden_fraction(EYE, FACE, [low]) == pytest.approx(0.5)
    assert hidden_fraction(Eye(EYE.at, 0.25), FACE, [low]) == pytest.approx(0.25)
    assert hidden_fraction(Eye(EYE.at, 1), FACE, [low]) == 0
    house = walls_of(EYE, [rectangle(-9, 5, 9, 8)], top=0.25)
    assert hidden_fraction(EYE, FACE, house) == pytest.approx(0.5)  # its near side counts for a low eye
    assert hidden_fraction(Eye(EYE.at, 1), FACE, walls_of(EYE, [rectangle(-9, 5, 9, 8)], top=0.5)) == pytest.approx(
        0.375
    )


def test_a_slanting_shadow():
    slope = Wall((Point(-2, 10 / 3), Point(2, 10)), top=0.5)  # from a third of the way up to the face
    # tan of the left look: the wall stands where y = 20/3 + 5/3 x; the shadow is 0.5 * (far / near) high
    marks = 4000
    total = 0.0
    for at in range(marks):
        x = -2 + 4 * (at + 0.5) / marks
        near = (20 / 3) / (10 - 5 / 3 * x)
        inside = -2 <= near * x <= 2 and near < 1
        total += min(1.0, 0.5 / near) / marks if inside else 0
    assert hidden_fraction(EYE, FACE, [slope]) == pytest.approx(total, abs=1e-3)


def test_a_face_edge_on_is_hidden():
    assert hidden_fraction(EYE, Face(Point(0, 4), Point(0, 8)), []) == 1
    with pytest.raises(BadInput, match="its top above its bottom, got 2 to 2"):
        Face(Point(0, 0), Point(1, 0), 2, 2)


def test_bases_hide_just_their_width():
    face = Face(Point(-5, 10), Point(5, 10))
    hidden = hidden_fraction(EYE, face, walls_of(EYE, [Base(Point(0, 5), 1)]))
    assert hidden == pytest.approx(2 * 10 * (1 / 24**0.5) / 10)  # tan of asin 1/5, on both sides
    assert walls_of(EYE, [Base(Point(0, 0), 1), rectangle(-1, -1, 1, 1), Hull(Point(0, 0))]) == ()


@pytest.mark.clause("V5-SHOT-1")
def test_hull_or_turret_in_sight():
    tank = Hull(Point(0, 10), 0, 6, 3)
    fence = Wall((Point(-9, 5), Point(9, 5)), top=0.75)
    assert can_see_vehicle(EYE, tank, [])
    assert not can_see_vehicle(EYE, tank, [fence])
    assert can_see_vehicle(EYE, tank, [fence], turret=Base(Point(0, 10), 1))
    assert not can_see_vehicle(EYE, tank, [Wall((Point(-9, 6), Point(9, 6)))], turret=Base(Point(0, 10), 1))
    assert can_see_vehicle(Eye(Point(0, 10)), tank, [fence])
    assert can_see(EYE, [FACE], [])
    assert not can_see(EYE, [], [])
    with pytest.raises(BadInput, match="an eye outside"):
        round_face(EYE, Base(Point(0, 0)), 0, 1)


@pytest.mark.clause("V5-SHOT-2")
def test_the_hidden_part_of_the_facing_shot_at():
    tank = Hull(Point(0, 10), 180, 4, 4)  # front towards the eye, at y = 8
    wall = Wall((Point(0, 4), Point(-9, 4)))
    assert hidden_facing(EYE, tank, [wall]) == pytest.approx(0.5)
    assert set(faces(tank)) == {"front", "right", "rear", "left"}
    assert faces(tank)["front"] == Face(*corners(tank)[:2])


@pytest.mark.clause("V5-SHOT-2")
@pytest.mark.parametrize(
    "hidden, expected",
    [
        ([0.49], False),
        ([0.5], True),
        ([0.6, 0.6, 0.1], True),
        ([1.0, 0.2, 0.2], False),
        ([0.6, 0.55, 0.5, 0.2, 0], True),
        ([0.6, 0.6, 0.1, 0.1], False),
        ([], False),
    ],
)
def test_cover_needs_most_of_the_firers(hidden, expected):
    assert claims_cover(hidden) == expected


@settings(max_examples=40, deadline=None)
@given(POINTS, st.tuples(POINTS, POINTS), st.lists(AREAS, max_size=2))
def test_the_hidden_part_agrees_with_many_looks(eye, ends, areas):
    look = Eye(eye)
    walls = walls_of(look, areas)
    kept = [area for area in areas if walls_of(look, [area])]
    face = Face(*ends)
    hidden = hidden_fraction(look, face, walls)
    if abs((ends[1].x - ends[0].x) * (eye.y - ends[0].y) - (ends[1].y - ends[0].y) * (eye.x - ends[0].x)) < 0.5:
        return
    looks = 150
    blocked = sum(not line_is_clear(eye, between(ends[0], ends[1], (at + 0.5) / looks), kept) for at in range(looks))
    assert hidden == pytest.approx(blocked / looks, abs=0.04)


@settings(deadline=None)
@given(POINTS, st.tuples(POINTS, POINTS), st.tuples(POINTS, POINTS), numbers(0.1, 2), numbers(0, 2), HEADINGS)
def test_hiding_stays_when_the_table_is_turned_or_mirrored(eye, ends, fence, top, height, angle):
    area = (ends[1].x - ends[0].x) * (eye.y - ends[0].y) - (ends[1].y - ends[0].y) * (eye.x - ends[0].x)
    depth = (fence[1].x - fence[0].x) * (eye.y - fence[0].y) - (fence[1].y - fence[0].y) * (eye.x - fence[0].x)
    if abs(area) < 0.5 or abs(depth) < 0.5:
        return

    def hidden(turn):
        wall = Wall(tuple(turn(end) for end in fence), top)
        return hidden_fraction(Eye(turn(eye), height), Face(*(turn(end) for end in ends)), [wall])

    here = hidden(lambda point: point)
    assert 0 <= here <= 1
    assert hidden(lambda point: rotated(point, angle)) == pytest.approx(here, abs=1e-6)
    assert hidden(mirrored) == pytest.approx(here, abs=1e-6)
