"""Markers, and the cuts of the compass for a marker that scatters."""

from __future__ import annotations

from fractions import Fraction
from math import acos, degrees, pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.table.bases import Base, base_radius
from battletape.table.bearings import Arcs, arc_cosine, arcs, circle_cuts, line_cuts, reach_angle, reach_cosine
from battletape.table.hulls import Hull, corners, in_frame
from battletape.table.markers import (
    BLAST,
    LARGE_BLAST,
    HullBlast,
    base_coverage,
    bases_touched,
    coverage,
    hull_blast,
    marker_reach,
)
from battletape.table.points import Point, apart, step
from battletape.table.scatter import Landing, base_arcs, landing, landing_arcs
from tests.table.shapes import BASES, HEADINGS, HULLS, POINTS, hull_arcs, mirrored, numbers, rotated

AIM = Point(0, 0)
HALF = Fraction(1, 2)
BEARINGS = [at / 10 for at in range(3600)]


@pytest.mark.clause("SE-39", "SE-37", "SE-38")
@pytest.mark.parametrize(
    "marker, radius, away, expected",
    [
        (2, 0.5, 0, "entirely"),
        (2, 0.5, 1.5, "entirely"),
        (2, 0.5, 1.6, "partially"),
        (2, 0.5, 2.5, "missed"),
        (1, 1.5, 0.25, "partially"),
        (1, 0.5, 1.5, "missed"),
        (3, 0.5, 2.5, "entirely"),
        (2, base_radius(25), Fraction(383, 254), "entirely"),
        (2, base_radius(25), 1.51, "partially"),
        (2, 0, 2, "entirely"),
    ],
)
def test_coverage(marker, radius, away, expected):
    assert coverage(away, radius, marker) == expected


@pytest.mark.clause("SE-10", "SE-39")
@pytest.mark.parametrize(
    "base, reaches",
    [(30, (2.0906, 2.5906, 3.0906)), (40, (2.2874, 2.7874, 3.2874)), (50, (2.4843, 2.9843, 3.4843))],
)
def test_the_published_reach_of_markers_of_three_four_and_five_inches(base, reaches):
    for inches, published in zip((3, 4, 5), reaches, strict=True):
        radius, marker = base_radius(base), Fraction(inches, 2)
        within, touched = marker_reach(marker, radius)
        assert f"{float(touched):.4f}" == f"{published:.4f}"
        assert coverage(touched, radius, marker) == "missed"
        assert coverage(touched - Fraction(1, 10**6), radius, marker) == "partially"
        assert coverage(within, radius, marker) == "entirely"


@pytest.mark.clause("SE-51", "SE-54")
@settings(max_examples=100, deadline=None)
@given(
    numbers(0.1, 12), st.sampled_from([1, 2, 3, 4, 5, 6, 8, 10]), st.sampled_from([0.5, 1, 1.5, 2, 3]), numbers(0, 1)
)
def test_arcs_are_the_closed_forms_to_a_million_millionth(away, moved, marker, radius):
    """The second way: acos of the cosine, with no cuts and no sorting."""
    found = base_arcs(AIM, moved, marker, [Base(Point(0, away), radius)])

    def share(limit: float) -> float:
        if limit < 0:
            return 0.0
        return acos(min(1, max(-1, (away**2 + moved**2 - limit**2) / (2 * away * moved)))) / pi

    entirely = found.degrees(lambda status: status == ("entirely",)) / 360
    touched = found.degrees(lambda status: status != ("missed",)) / 360
    near = abs(abs(away - moved) - marker - radius) < 1e-6 or abs(away + moved - marker - radius) < 1e-6
    assert (
        entirely == pytest.approx(share(marker - radius), abs=1e-12) or abs(abs(away - moved) - marker + radius) < 1e-6
    )
    assert touched == pytest.approx(share(marker + radius), abs=1e-12) or near


@pytest.mark.clause("SE-39", "SE-40")
def test_a_marker_over_several_models():
    marker = Base(Point(0, 0), 2)
    models = [Base(Point(1, 0)), Base(Point(0, 2)), Base(Point(5, 0)), Base(Point(2.5, 0))]
    assert [base_coverage(marker, model) for model in models] == ["entirely", "partially", "missed", "missed"]
    assert bases_touched(marker, models) == (0, 1, 3)  # where a bare touch of the rim counts


@pytest.mark.clause("V5-SHOT-7", "V5-SHOT-9")
def test_the_hole_on_a_hull():
    tank = Hull(Point(0, 0), 0, 6, 3)
    assert hull_blast(Base(Point(1.5, 3), BLAST), tank) == HullBlast("hole")
    assert hull_blast(Base(Point(3, 0), BLAST), tank) == HullBlast("edge", "side")
    assert hull_blast(Base(Point(0, 5.5), LARGE_BLAST), tank) == HullBlast("edge", "front")
    assert hull_blast(Base(Point(0, -5.6), LARGE_BLAST), tank) == HullBlast("clear")
    assert hull_blast(Base(Point(2, 2.5), LARGE_BLAST), tank) == HullBlast("edge", "front")
    assert hull_blast(Base(Point(2, 2.5), LARGE_BLAST), tank, model="corner") == HullBlast("edge", "side")
    assert hull_blast(Base(Point(0, 3.1), BLAST), tank) == HullBlast("edge", "front")


@pytest.mark.clause("SE-50", "SE-51")
@pytest.mark.parametrize(
    "away, moved, marker, full, touch",
    [
        (2, 2, 1.5, "7/8", "1/2"),
        (2, 2, 2, "23/32", "7/32"),
        (4, 2, 2, "71/64", "55/64"),
        (3, 4, 2, "91/96", "25/32"),
        (1, 2, 2, "11/16", "-5/16"),
        (1.5, 4, 3, "1", "1/2"),
        (8, 10, 3, "631/640", "607/640"),
        (1, 0.5, 2, "-1", "-5"),
        (3, 5, 6.5, "-1/15", "-1/2"),
        (2, 4, 1.5, "19/16", "1"),
    ],
)
def test_cosines_of_the_catalogue_are_exact(away, moved, marker, full, touch):
    assert reach_cosine(away, moved, marker - 0.5) == Fraction(full)
    assert reach_cosine(away, moved, marker + 0.5) == Fraction(touch)


@pytest.mark.clause("SE-51")
def test_half_angles():
    assert reach_angle(2, 2, 2) == 60
    assert reach_angle(2, 2, 1) == pytest.approx(28.955, abs=1e-3)
    assert reach_angle(2, 4, 2) == 0
    assert reach_angle(1, HALF, 1.5) == 180
    assert reach_angle(2, 2, -1) == 0
    assert reach_angle(0, 1.5, 1.5) == 180
    assert reach_angle(0, 1.6, 1.5) == 0
    assert reach_angle(1, 0, 1.5) == 180
    with pytest.raises(BadInput, match="move must be 0 inches or more, got -1"):
        reach_angle(1, -1, 2)
    assert [arc_cosine(Fraction(at, 2)) for at in (-3, -2, -1, 0, 1, 2, 3)] == [180, 180, 120, 90, 60, 0, 0]


@pytest.mark.clause("SE-50")
@pytest.mark.parametrize(
    "moved, expected", [(1, "entirely"), (1.5, "entirely"), (2, "partially"), (2.5, "missed"), (4, "missed")]
)
def test_the_aimed_model_needs_no_direction(moved, expected):
    assert base_arcs(AIM, moved, 2, [Base(AIM)]) == Arcs((), ((expected,),))


@pytest.mark.clause("SE-51")
def test_cuts_around_one_model():
    model = Base(Point(1, 3**0.5))  # 2 inches away, bearing 30
    found = base_arcs(AIM, 2, 1.5, [model])
    assert found.cuts == pytest.approx((1.044975628, 58.955024372, 90, 330))
    assert found.statuses == (("partially",), ("entirely",), ("partially",), ("missed",))
    assert found.degrees(lambda status: status == ("missed",)) / 360 == pytest.approx(2 / 3)


@pytest.mark.clause("SE-51", "SE-54")
def test_a_third_of_the_circle_is_exactly_a_third():
    found = base_arcs(AIM, 2, 1.5, [Base(Point(0, 2))])
    assert found.cuts[1:3] == (60, 300)
    widths = dict(zip(found.statuses, found.widths(), strict=False))
    assert widths["missed",] == 240
    entirely = found.degrees(lambda status: status == ("entirely",)) / 360
    partially = found.degrees(lambda status: status == ("partially",)) / 360
    assert entirely == pytest.approx(acos(7 / 8) / pi)
    assert entirely + partially == pytest.approx(1 / 3)
    assert entirely + partially / 2 == pytest.approx(0.247097, abs=1e-6)


@pytest.mark.clause("SE-52")
def test_two_models_at_once():
    found = base_arcs(AIM, 2, 2, [Base(Point(2, 0)), Base(Point(0, 2))])

    def share(touched):
        return found.degrees(lambda status: sum(one != "missed" for one in status) == touched) / 360

    assert share(2) == pytest.approx(acos(7 / 32) / pi - 1 / 4)
    assert share(1) == pytest.approx(1 / 2)
    assert share(0) == pytest.approx(0.320197917183)
    assert found.degrees(lambda status: status == ("entirely", "entirely")) == 0


@pytest.mark.clause("SE-49")
def test_a_marker_that_does_not_move():
    assert base_arcs(AIM, 0, 2, [Base(Point(2, 0))]) == Arcs((), (("partially",),))
    assert landing_arcs(AIM, 0, 2, hulls=[Hull(Point(2, 0))]).statuses == (Landing((), (HullBlast("edge", "side"),)),)
    with pytest.raises(BadInput, match="scatter must be 0 inches or more, got -2"):
        landing_arcs(AIM, -2, 2)


@pytest.mark.clause("V5-SHOT-7", "V5-CORE-3")
def test_a_large_marker_that_scatters_off_a_hull():
    tank = Hull(AIM, 0, 6, 3)  # from its middle, 2 inches: on the hull only towards front and rear
    found = hull_arcs(AIM, 2, LARGE_BLAST, tank)
    off = degrees(acos(3 / 4))  # the side is 1.5 away
    assert found.cuts == pytest.approx((90 - off, 90 + off, 270 - off, 270 + off))
    # 2 inches out, the hole is off the hull beyond 48.6 degrees: past the 45 degree line, so always the side
    hole, edge = HullBlast("hole"), HullBlast("edge", "side")
    assert found.statuses == (hole, edge, hole, edge)
    assert found.degrees(lambda status: status.part == "hole") == pytest.approx(360 - 4 * off)


@pytest.mark.clause("V5-SHOT-9")
def test_beyond_the_hull_the_facing_towards_the_hole_counts():
    tank = Hull(AIM, 0, 6, 3)
    found = hull_arcs(AIM, 4, LARGE_BLAST, tank)
    assert [status.facing for status in found.statuses] == ["front", "side", "rear", "side"]
    assert found.cuts == pytest.approx((45, 135, 225, 315))
    far = hull_arcs(AIM, 6, LARGE_BLAST, tank)
    assert HullBlast("clear") in far.statuses
    assert hull_arcs(AIM, 9, LARGE_BLAST, tank) == Arcs((), (HullBlast("clear"),))


def test_cuts_that_change_nothing_are_dropped():
    assert arcs([10, 20, 200], lambda angle: 20 < angle < 200) == Arcs((20, 200), (False, True))
    assert arcs([10, 20], lambda angle: "same") == Arcs((), ("same",))
    assert arcs([10], lambda angle: angle) == Arcs((), (190,))
    assert arcs([], lambda angle: angle) == Arcs((), (0,))
    assert arcs([0, 360, 359.9999999999, 90], lambda angle: angle < 90).cuts == (0, 90)


def test_reading_arcs():
    found = Arcs((20.0, 200.0), ("north", "east"))
    assert found.widths() == (180, 180)
    assert found.middles() == (290, 110)
    assert [found.at(angle) for angle in (0, 20, 199, 200, -170)] == ["north", "east", "east", "north", "east"]
    assert Arcs((), ("all",)).widths() == (360,)
    assert Arcs((), ("all",)).middles() == (0,)
    assert Arcs((), ("all",)).at(77) == "all"


def test_no_cuts_where_nothing_is_crossed():
    assert circle_cuts(AIM, 2, AIM, 1) == ()
    assert circle_cuts(AIM, 2, Point(9, 0), 1) == ()
    assert circle_cuts(AIM, 2, Point(9, 0), -1) == ()
    assert line_cuts(AIM, 0, 90, Point(1, 0)) == ()
    assert line_cuts(AIM, 2, 90, Point(3, 0)) == ()
    assert line_cuts(AIM, 2, 90, Point(1, 7)) == (30, 150)


def _borders(aim: Point, scatter: float, marker: float, bases: list[Base], hulls: list[Hull], angle: float) -> float:
    """How close a landing is to any change of status, in inches."""
    spot = step(aim, angle, scatter)
    close = [9.0]
    for base in bases:
        away = apart(spot, base.centre)
        close += (abs(away - marker - base.radius), abs(away - marker + base.radius))
    for hull in hulls:
        ahead, right = in_frame(hull, spot)
        over = abs(ahead) - hull.length / 2, abs(right) - hull.width / 2
        close += (abs(over[0]), abs(over[1]), abs(over[0] - marker), abs(over[1] - marker))
        close += (abs(apart(spot, corner) - marker) for corner in corners(hull))
        close.append(abs(abs(ahead) - abs(right)))
        close.append(abs(abs(ahead) * hull.width - abs(right) * hull.length))
    return min(close)


@settings(max_examples=20, deadline=None)
@given(
    POINTS,
    numbers(0, 12),
    st.sampled_from([1.5, 2.5, 2.0]),
    st.lists(BASES, max_size=3),
    st.lists(HULLS, max_size=1),
    st.sampled_from(["quarters", "corner"]),
)
def test_cuts_agree_with_3600_bearings(aim, scatter, marker, bases, hulls, model):
    found = landing_arcs(aim, scatter, marker, bases, hulls, model=model)
    assert len(found.statuses) == max(1, len(found.cuts))
    assert list(found.cuts) == sorted(set(found.cuts))
    assert sum(found.widths()) == pytest.approx(360)
    wrong = 0
    for angle in BEARINGS:
        here = landing(Base(step(aim, angle, scatter), marker), bases, hulls, model=model)
        wrong += here != found.at(angle) and _borders(aim, scatter, marker, bases, hulls, angle) > 1e-7
    assert wrong == 0


@settings(max_examples=60, deadline=None)
@given(POINTS, numbers(0.1, 12), BASES, HULLS, HEADINGS)
def test_odds_stay_when_the_table_is_turned_or_mirrored(aim, scatter, base, hull, angle):
    def shares(aim, base, hull):
        found = landing_arcs(aim, scatter, 2.5, [base], [hull])
        shares: dict[Landing, float] = {}
        for status, width in zip(found.statuses, found.widths(), strict=True):
            shares[status] = shares.get(status, 0) + width
        return shares

    here = shares(aim, base, hull)
    for there in (
        shares(rotated(aim, angle), rotated(base, angle), rotated(hull, angle)),
        shares(mirrored(aim), mirrored(base), mirrored(hull)),
    ):
        for status in here.keys() | there.keys():
            assert here.get(status, 0) == pytest.approx(there.get(status, 0), abs=1e-3)


@settings(deadline=None)
@given(st.floats(0, 360), numbers(0.1, 9), POINTS, numbers(0.1, 9))
def test_a_cut_lies_on_the_rim(angle, moved, centre, reach):
    for cut in circle_cuts(AIM, moved, centre, reach):
        assert apart(step(AIM, cut, moved), centre) == pytest.approx(reach, abs=1e-6)
    for cut in line_cuts(AIM, moved, angle, centre):
        spot = step(AIM, cut, moved)
        assert in_frame(Hull(centre, angle), spot)[0] == pytest.approx(0, abs=1e-6)
