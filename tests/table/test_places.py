"""Ways out from under a tank, access points, room to get out."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings

from battletape.table.areas import rectangle
from battletape.table.bases import Base
from battletape.table.distances import gap, is_coherent, overlaps
from battletape.table.hulls import Hull
from battletape.table.places import (
    KeepOff,
    Near,
    access_points,
    find_room,
    is_at_access,
    is_place,
    shortest_ways,
)
from battletape.table.points import Point, apart, step
from tests.table.shapes import BASES, HEADINGS, HULLS, mirrored, rotated

TANK = Hull(Point(2, 0), 90, 4, 3)  # x 0 to 4, y -1.5 to 1.5


def ways_out(hull, base, clear=1.0):
    """The shortest ways from under a hull until so many inches clear of it."""
    return shortest_ways(base, (KeepOff(hull, clear),))


def ends(ways):
    return [(round(way.x, 9), round(way.y, 9)) for way in ways]


@pytest.mark.clause("V5-TANK-7")
@pytest.mark.parametrize(
    "x, y, expected", [(3.8, 0.2, [(5.5, 0.2)]), (2, 1, [(2, 3)]), (1, -1.2, [(1, -3)]), (2, 0, [(2, 3), (2, -3)])]
)
def test_the_shortest_way_out_from_under_a_tank(x, y, expected):
    assert ends(ways_out(TANK, Base(Point(x, y)))) == expected


@pytest.mark.clause("V5-TANK-7")
def test_a_model_too_close_steps_straight_away():
    assert ends(ways_out(TANK, Base(Point(2, 2.2)))) == [(2, 3)]
    assert ends(ways_out(TANK, Base(Point(4.3, 1.9)))) == [(4 + 0.9, 1.5 + 1.2)]  # 3-4-5 away from the corner (4, 1.5)
    assert ways_out(TANK, Base(Point(9, 0))) == (Point(9, 0),)  # already clear
    assert ends(ways_out(TANK, Base(Point(3.8, 0.2)), 0)) == [(4.5, 0.2)]


@pytest.mark.clause("V5-TANK-7", "V5-CORE-17")
def test_the_way_out_heeds_other_models_and_coherency():
    model = Base(Point(3.8, 0.2))
    rules = [KeepOff(TANK, 1), KeepOff(Base(Point(5.5, 0.2)))]
    ways = shortest_ways(model, rules)
    assert len(ways) == 2  # above or below the other model: both just touch it, 1 inch off the tank
    assert ends(ways) == [(5.5, 1.2), (5.5, -0.8)]
    comrade = Near((Base(Point(2, 6)),), 2)
    (way,) = shortest_ways(model, [KeepOff(TANK, 1)], [comrade])
    assert gap(Base(way), comrade.any_of[0]) == pytest.approx(2)
    assert is_place(Base(way), [KeepOff(TANK, 1)], [comrade])
    assert shortest_ways(model, [KeepOff(TANK, 1)], [Near((Point(2, 0),), 0.1)]) == ()


def test_from_the_very_middle_of_a_marker():
    ways = shortest_ways(Base(Point(0, 0)), [KeepOff(Base(Point(0, 0), 2))])
    assert ways == (Point(0, 2.5), Point(2.5, 0), Point(0, -2.5), Point(-2.5, 0))


def test_impassable_ground_blocks_a_way():
    (way,) = shortest_ways(Base(Point(3.8, 0.2)), [KeepOff(TANK, 1), KeepOff(rectangle(4, -9, 9, 9))])
    assert (way.x, way.y) == pytest.approx((3.5, 3)) or apart(way, Point(3.8, 0.2)) < 3


@pytest.mark.clause("V5-TRAN-5")
def test_access_points():
    hatches = access_points(TANK, [(-2, 0), (0, 1.5)])
    assert hatches == (Point(0, 0), Point(2, -1.5))
    assert is_at_access(Base(Point(-2.5, 0)), hatches)
    assert not is_at_access(Base(Point(-2.6, 0)), hatches)
    assert is_at_access(Base(Point(-2.5, 1.5)), [TANK])  # open-topped: anywhere at the hull


@pytest.mark.clause("V5-TRAN-6", "V5-CORE-19")
def test_room_at_a_hatch():
    hatch = access_points(TANK, [(-2, 0)])
    enemy = Base(Point(-3, 1.5))
    rules = [KeepOff(TANK), KeepOff(enemy, 1)]
    placed = find_room(5, 0.5, hatch, rules)
    assert len(placed) == 5
    for model in placed:
        assert is_at_access(model, hatch)
        assert gap(model, enemy) >= 1 - 1e-9
        assert not overlaps(model, TANK)
    assert is_coherent(placed, chain=True)
    assert not any(overlaps(a, b) for a, b in combinations(placed, 2))


@pytest.mark.clause("V5-TRAN-7", "V5-OPEN-2")
def test_more_room_around_the_whole_hull():
    hatch = access_points(TANK, [(-2, 0)])
    rules = [KeepOff(TANK), KeepOff(rectangle(-9, -9, 0, 9))]  # the back is against a cliff
    assert 0 < len(find_room(10, 0.5, hatch, rules)) < 10  # only around the two rear corners
    assert find_room(10, 0.5, hatch, [KeepOff(TANK, 3)]) == ()
    assert find_room(10, 0.5, []) == ()
    assert len(find_room(10, 0.5, [TANK], rules)) == 10
    assert len(find_room(2, 0.5, [Base(Point(20, 0), 1)], [KeepOff(Base(Point(20, 0), 1))])) == 2
    yard = rectangle(30, 30, 34, 34)
    assert len(find_room(2, 0.5, [yard], [KeepOff(yard)])) == 2


@settings(max_examples=50, deadline=None)
@given(HULLS, BASES, BASES, HEADINGS)
def test_no_place_on_a_ring_is_nearer(hull, model, other, angle):
    rules = [KeepOff(hull, 1), KeepOff(other)]
    ways = shortest_ways(model, rules)
    assert ways
    far = apart(model.centre, ways[0])
    for way in ways:
        assert is_place(Base(way, model.radius), rules)
        assert apart(model.centre, way) == pytest.approx(far, abs=1e-8)
    for share in (0.3, 0.9, 0.999):
        for bearing in range(0, 360, 5):
            assert far < 1e-6 or not is_place(Base(step(model.centre, bearing, far * share), model.radius), rules)
    turned = shortest_ways(rotated(model, angle), [KeepOff(rotated(hull, angle), 1), KeepOff(rotated(other, angle))])
    mirror = shortest_ways(mirrored(model), [KeepOff(mirrored(hull), 1), KeepOff(mirrored(other))])
    assert apart(rotated(model, angle).centre, turned[0]) == pytest.approx(far, abs=1e-6)
    assert apart(mirrored(model).centre, mirror[0]) == pytest.approx(far, abs=1e-6)
