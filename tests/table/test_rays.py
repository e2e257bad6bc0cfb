"""A marker pushed off its aim by one player and drawn back by the other, against a fine grid of places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.markers import BLAST, LARGE_BLAST, HullBlast
from battletape.table.points import Point, apart, bearing, step
from battletape.table.rays import (
    Cover,
    Push,
    beside_arcs,
    cover,
    pushes,
    ray_breaks,
    ray_curves,
    ray_marks,
    step_bearings,
    steps_from,
)
from tests.table.shapes import numbers

AIM = Point(0, 0)
NEAR = st.builds(Point, numbers(-8, 8), numbers(-8, 8))
MODELS = st.lists(st.builds(Base, NEAR, numbers(0.25, 1)), min_size=1, max_size=4).map(tuple)
TANKS = st.lists(st.builds(Hull, NEAR, numbers(0, 359.99), numbers(2, 6), numbers(1, 4)), max_size=1).map(tuple)
WORTH = st.lists(st.integers(-2, 5), min_size=4, max_size=4)


def reached(angle, inches, pull, marker, bases, hulls=(), parts=60):
    """What can be made of a place, by trying many points of the way back."""
    low = max(0.0, inches - pull)
    spots = [low + (inches - low) * part / parts for part in range(parts + 1)] if pull else [inches]
    return {cover(Base(step(AIM, angle, spot), marker), bases, hulls) for spot in spots}


def worth(lies: Cover, values) -> int:
    """The models under a marker, and a hull under its hole."""
    models: int = sum(values[at] for at in lies.bases)
    return models + sum({"hole": 3, "edge": 1}.get(hull.part, 0) for hull in lies.hulls)


def least(places: tuple[Push, ...], values) -> int:
    """What is left to a second player who wants much, if the first one wants little."""
    return min(max(worth(spot.cover, values) for spot in place.spots) for place in places)


def least_on_grid(steps, pull, marker, bases, hulls, values, pace=0.4, turns=48) -> int:
    """The same by trying a grid of places; it never stands exactly on a rim."""
    lengths = [2.0] if steps == 1 else [pace * at + 0.0137 for at in range(int(2 * steps / pace))] + [2.0 * steps]
    return min(
        max(worth(lies, values) for lies in reached(7.5 * turn + 0.7731, length, pull, marker, bases, hulls, 12))
        for turn in range(turns)
        for length in lengths
    )


@settings(max_examples=25, deadline=None)
@given(MODELS, TANKS, st.sampled_from([0.0, 1.5, 3.0, 4.0]), st.sampled_from([BLAST, LARGE_BLAST]), WORTH)
def test_no_place_of_a_grid_is_better(bases, hulls, pull, marker, values):
    found = pushes(AIM, 3, 2.0, pull, marker, bases, hulls)
    for steps in (1, 3):
        assert least(found[steps], values) <= least_on_grid(steps, pull, marker, bases, hulls, values)


@settings(max_examples=40, deadline=None)
@given(MODELS, TANKS, st.sampled_from([0.0, 3.0, 4.0]), st.sampled_from([BLAST, LARGE_BLAST]))
def test_every_place_is_what_it_says(bases, hulls, pull, marker):
    for steps, places in enumerate(pushes(AIM, 3, 2.0, pull, marker, bases, hulls)):
        for place in places:
            assert place.inches <= 2 * steps + 1e-9
            assert place.spots[0].inches == place.inches
            for spot in place.spots:
                assert place.inches - pull - 1e-9 <= spot.inches <= place.inches
                assert spot.cover == cover(Base(step(AIM, place.bearing, spot.inches), marker), bases, hulls)
            if place.leeway > 0.001:
                told = {spot.cover for spot in place.spots}
                assert reached(place.bearing, place.inches, pull, marker, bases, hulls) <= told


def test_on_a_fine_grid_the_best_place_is_the_same():
    bases = (Base(AIM), Base(Point(1.3, 0.4)), Base(Point(-0.6, 1.7)), Base(Point(2.9, 2.2)), Base(Point(-3.1, -1.2)))
    values = (1, 1, 1, 1, 1)
    found = pushes(AIM, 4, 2.0, 4.0, BLAST, bases)
    by_hand = [least_on_grid(steps, 4.0, BLAST, bases, (), values, 0.1, 96) for steps in (1, 2, 3, 4)]
    assert [least(places, values) for places in found[1:]] == by_hand == [3, 3, 1, 0]


def test_without_steps_the_marker_stays():
    (only,) = pushes(AIM, 0, 2.0, 4.0, BLAST, (Base(AIM), Base(Point(5, 0))))
    assert only == (Push(0.0, 0.0, (only[0].spots[0],)),)
    assert only[0].spots[0].cover == Cover((0,))


def test_one_step_leads_to_a_circle_and_two_cancel_each_other():
    bases = (Base(Point(0, 3.4), 0.5),)
    _, one = pushes(AIM, 1, 2.0, 0.0, BLAST, bases)
    assert {place.inches for place in one} == {2.0}
    assert {spot.cover.bases for place in one for spot in place.spots} == {(), (0,)}
    *_, two = pushes(AIM, 2, 2.0, 4.0, BLAST, (Base(Point(0, 2), 0.5), Base(Point(0, -2), 0.5)))  # only at the aim both
    assert [place.spots[0].cover.bases for place in two if place.inches == 0] == [(0, 1)]


def test_a_bare_touch_at_the_end_of_one_step_counts():
    assert [place.spots[0].cover for place in pushes(AIM, 1, 2.0, 0.0, BLAST, (Base(AIM, 0.5),))[1]] == [Cover((0,))]


def test_models_in_line_with_the_aim_and_around_it():
    row = tuple(Base(Point(0, 2.5 * at), 0.5) for at in range(4))
    values = (1, 1, 1, 1)
    assert [least(places, values) for places in pushes(AIM, 4, 2.0, 3.0, BLAST, row)] == [1, 1, 1, 0, 0]
    assert least_on_grid(3, 3.0, BLAST, row, (), values, 0.1, 96) == 0


def test_a_hull_can_be_spared_its_hole():
    tank = Hull(AIM, 0, 4, 3)
    none, one, two, three = pushes(AIM, 3, 2.0, 0.0, BLAST, (), (tank,))
    assert none[0].spots[0].cover.hulls == (HullBlast("hole"),)
    assert HullBlast("edge", "side") in {place.spots[0].cover.hulls[0] for place in one}
    assert HullBlast("clear") in {place.spots[0].cover.hulls[0] for place in two}
    assert len(three) >= len(two)


def test_breaks_and_marks_of_a_single_base():
    curves = ray_curves(AIM, 1.5, (Base(Point(0, 5), 0.5),))
    assert ray_breaks(curves, 0, 12) == pytest.approx((3, 7))
    assert ray_breaks(curves, 0, 5) == pytest.approx((3,))
    assert ray_breaks(curves, 90, 12) == ()
    marks = sorted(ray_marks(curves, (12.0,), 4.0))
    tangent = bearing(AIM, Point(2, 21**0.5))  # 5 is the hypotenuse
    assert any(mark == pytest.approx(tangent) for mark in marks)


@given(st.integers(2, 7), numbers(0, 359), numbers(0, 14))
def test_steps_add_up(steps, angle, inches):
    length = min(inches, 2.0 * steps)
    bearings = step_bearings(steps, angle, length, 2)
    assert len(bearings) == steps
    assert apart(steps_from(AIM, bearings, 2), step(AIM, angle, length)) < 1e-6


def test_steps_that_cannot_lead_there():
    assert step_bearings(0, 0, 0, 2) == ()
    assert step_bearings(1, 30, 2, 2) == (30,)
    with pytest.raises(BadInput, match="3 steps of 2 inches lead 6 or less"):
        step_bearings(3, 0, 6.5, 2)
    with pytest.raises(BadInput, match="exactly 2"):
        step_bearings(1, 0, 1, 2)
    with pytest.raises(BadInput, match="0 or more"):
        pushes(AIM, -1, 2.0, 0.0, BLAST)


def test_a_marker_laid_against_another():
    first = Base(AIM, BLAST)
    found = beside_arcs(first, (Base(Point(0, 3), 0.5), Base(Point(3, 0), 0.5)), (Hull(Point(0, -3.5), 0, 2, 2),))
    assert found.at(0).bases == (0,)
    assert found.at(90).bases == (1,)
    assert found.at(180) == Cover((), (HullBlast("hole"),))
    assert found.at(270) == Cover((), (HullBlast("clear"),))
    for turn in range(720):
        angle = turn / 2 + 0.123
        assert found.at(angle) == cover(
            Base(step(AIM, angle, 3), BLAST),
            (Base(Point(0, 3), 0.5), Base(Point(3, 0), 0.5)),
            (Hull(Point(0, -3.5), 0, 2, 2),),
        )
