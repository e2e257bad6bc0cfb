"""The flamer template."""

from __future__ import annotations

from math import acos, asin, degrees, pi, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.table.areas import spans
from battletape.table.bases import Base
from battletape.table.hulls import Hull, footprint
from battletape.table.points import Point, apart, step, unit
from battletape.table.teardrops import (
    FLAMER,
    Flame,
    Teardrop,
    aimed_flame,
    covered_size,
    disc,
    flame_arcs,
    flame_coverage,
    flame_hull_arcs,
    flame_touches_hull,
    fullest_flame,
    held_flame,
    signed_distance,
    swing_arcs,
    teardrop,
    teardrop_coverage,
    turn_limit,
)
from tests.table.shapes import BASES, HEADINGS, HULLS, POINTS, mirrored, numbers, rotated

APEX = Point(0, 0)
BEARINGS = [at / 10 for at in range(3600)]
TEARDROPS = st.builds(lambda far, share: Teardrop(far, round(far * share, 2)), numbers(2, 9), numbers(0.1, 0.8))


@pytest.mark.clause("SE-84", "SE-83")
@pytest.mark.parametrize(
    "x, y, away, part, covered",
    [
        (6.25, 0, -1.75, "arc", "entirely"),
        (6.25, 1, -0.75, "arc", "entirely"),
        (6.25, 1.25, -0.5, "arc", "entirely"),
        (6.25, 1.3, -0.45, "arc", "partially"),
        (6.25, 2, 0.25, "arc", "partially"),
        (6.25, 2.5, 0.75, "arc", "missed"),
        (8, 0, 0, "arc", "partially"),
        (8.5, 0, 0.5, "arc", "missed"),
        (9, 0, 1, "arc", "missed"),
        (1, 0, -0.28, "edge", "partially"),
        (2, 0, -0.56, "edge", "entirely"),
        (3, 0, -0.84, "edge", "entirely"),
        (3, 1, 0.12, "edge", "partially"),
        (3, -2, 1.08, "edge", "missed"),
        (-0.25, 0, 0.25, "apex", "partially"),
    ],
)
def test_the_catalogue_of_places(x, y, away, part, covered):
    found, nearest = signed_distance(FLAMER, x, y)
    assert found == pytest.approx(away)
    assert nearest == part
    assert teardrop_coverage(FLAMER, x, y, 0.5) == covered
    east = Flame(FLAMER, APEX, 90)
    assert flame_coverage(east, Base(Point(x, y))) == covered


@pytest.mark.clause("SE-9")
def test_a_teardrop_by_length_and_width():
    assert teardrop(8, 1.75) == FLAMER
    assert disc(Flame(FLAMER, APEX, 0)) == Base(Point(0, 6.25), 1.75)
    with pytest.raises(BadInput, match="0 < radius < 2, got 3"):
        Teardrop(2, 3)


@pytest.mark.clause("SE-82")
def test_placing_it():
    firer = Base(APEX, 0.5)
    flame = aimed_flame(FLAMER, firer, Base(Point(7.5, 0)))
    assert (flame.apex, flame.heading) == (Point(0.5, 0), 90)
    assert flame_coverage(flame, Base(Point(7.5, 0))) == "entirely"
    assert flame_coverage(flame, firer) == "missed"


@pytest.mark.clause("SE-84")
def test_the_angles_at_which_a_base_becomes_touched():
    slope = degrees(0.2837941092)  # asin 7/25
    assert turn_limit(FLAMER, 3, 0) == pytest.approx(slope)
    assert turn_limit(FLAMER, 1, 0.5) == pytest.approx(slope + 30)
    assert turn_limit(FLAMER, 2, -0.5) == pytest.approx(slope - 14.4775, abs=1e-3)
    assert turn_limit(FLAMER, 1, -0.5) == 0
    assert turn_limit(FLAMER, 8.5, 0.5) == pytest.approx(0, abs=1e-5)
    assert turn_limit(FLAMER, 9, 0.5) == 0
    assert turn_limit(FLAMER, 0.3, 0.5) == 180
    assert turn_limit(FLAMER, 0.5, 0.5) == pytest.approx(slope + 90)
    assert turn_limit(FLAMER, 0, 0) == 0
    assert turn_limit(FLAMER, 6.25, -2) == 0
    assert turn_limit(FLAMER, 6.25, 0.25) == pytest.approx(degrees(2 * 0.160691), abs=1e-2)


@pytest.mark.clause("SE-84")
def test_turning_it_over_one_model():
    found = flame_arcs(FLAMER, APEX, [Base(Point(0, 3))])
    slope, swing = 16.2602, 9.5941
    expected = (slope - swing, slope + swing, 360 - slope - swing, 360 - slope + swing)
    assert found.cuts == pytest.approx(expected, abs=1e-3)
    assert found.statuses == (("entirely",), ("partially",), ("missed",), ("partially",))
    assert flame_arcs(FLAMER, APEX, [Base(APEX)]).statuses == (("partially",),)


def test_it_touches_a_hull():
    flame = Flame(FLAMER, APEX, 0)
    assert flame_touches_hull(flame, Hull(Point(0, 9), 0, 4, 3))
    assert not flame_touches_hull(flame, Hull(Point(0, 10), 0, 4, 3))
    assert flame_touches_hull(flame, Hull(Point(0, 3), 90, 20, 0.2))  # across the narrow part
    assert flame_touches_hull(flame, Hull(Point(0.5, 3), 0, 0.2, 0.2))  # wholly under it
    assert flame_touches_hull(flame, Hull(Point(0, 0), 0, 0.5, 0.5))  # under the point
    assert not flame_touches_hull(flame, Hull(Point(2, 1), 0, 1, 1))
    assert not flame_touches_hull(flame, Hull(Point(0, -1), 0, 1, 1))


@pytest.mark.clause("V5-SHOT-6")
def test_how_much_of_a_hull_it_covers():
    whole = 1.75 * 6 + 1.75**2 * (pi / 2 + 0.2837941092)  # two triangles 6 by 1.75, and the rest of the disc
    assert covered_size(Flame(FLAMER, APEX, 30), Hull(APEX, 0, 40, 40)) == pytest.approx(whole)
    assert covered_size(Flame(FLAMER, APEX, 0), Hull(Point(20, 0), 0, 40, 40)) == pytest.approx(whole / 2)
    assert covered_size(Flame(FLAMER, APEX, 0), Hull(Point(0, 30), 0, 4, 4)) == pytest.approx(0)


@pytest.mark.clause("V5-SHOT-6")
def test_the_fullest_way_to_lay_it():
    tank = Hull(Point(0, 6), 90, 4, 3)
    best = fullest_flame(FLAMER, APEX, tank)
    assert best is not None
    sampled = max(covered_size(Flame(FLAMER, APEX, heading), tank) for heading in BEARINGS)
    assert covered_size(best, tank) == pytest.approx(sampled, abs=1e-3)
    assert covered_size(best, tank) >= sampled - 1e-9
    friend = Base(Point(0, 3))
    beside = fullest_flame(FLAMER, APEX, tank, [friend])
    assert beside is not None
    assert flame_coverage(beside, friend) == "missed"
    assert 0 < covered_size(beside, tank) < covered_size(best, tank)
    assert fullest_flame(FLAMER, APEX, Hull(Point(0, 20), 0, 4, 3)) is None
    inside = fullest_flame(FLAMER, APEX, Hull(APEX, 0, 40, 40))
    assert inside is not None


@settings(max_examples=20, deadline=None)
@given(TEARDROPS, POINTS, st.lists(BASES, min_size=1, max_size=3))
def test_cuts_agree_with_3600_headings(template, apex, bases):
    found = flame_arcs(template, apex, bases)
    wrong = 0
    for heading in BEARINGS:
        here = tuple(flame_coverage(Flame(template, apex, heading), base) for base in bases)
        if here != found.at(heading):
            flame = Flame(template, apex, heading)
            aways = [(abs(_away(flame, base.centre)), base.radius) for base in bases]
            wrong += min(abs(away - radius) for away, radius in aways) > 1e-6
    assert wrong == 0


def _away(flame: Flame, point: Point) -> float:
    east, north = unit(flame.heading)
    x, y = point.x - flame.apex.x, point.y - flame.apex.y
    return signed_distance(flame.template, x * east + y * north, x * north - y * east)[0]


@settings(max_examples=20, deadline=None)
@given(TEARDROPS, POINTS, HULLS)
def test_hull_cuts_agree_with_180_headings(template, apex, hull):
    found = flame_hull_arcs(template, apex, hull)
    for heading in range(180):
        flame = Flame(template, apex, heading * 2)
        touched = flame_touches_hull(flame, hull)
        ground = covered_size(flame, hull)
        assert touched == (ground > 0) or ground < 1e-6
        near = min((abs(heading * 2 - cut) for cut in found.cuts), default=9.0)
        assert found.at(heading * 2)[0] == touched or near < 1e-6


@settings(deadline=None)
@given(TEARDROPS, POINTS, HEADINGS, BASES, HEADINGS)
def test_coverage_turns_with_the_table(template, apex, heading, base, angle):
    flame = Flame(template, apex, heading)
    if abs(abs(_away(flame, base.centre)) - base.radius) > 1e-6:
        here = flame_coverage(flame, base)
        assert flame_coverage(Flame(template, rotated(apex, angle), heading + angle), rotated(base, angle)) == here
        assert flame_coverage(Flame(template, mirrored(apex), -heading), mirrored(base)) == here


@settings(deadline=None)
@given(TEARDROPS, POINTS, HEADINGS, BASES)
def test_the_distance_to_the_rim_is_that_of_sampled_rim_points(template, apex, heading, base):
    flame = Flame(template, apex, heading)
    away = _away(flame, base.centre)
    end = disc(flame)
    rim = [flame.apex]
    touch = sqrt(template.to_disc**2 - template.radius**2)
    for side in (-1, 1):
        edge = heading + side * degrees(asin(template.radius / template.to_disc))
        rim += [step(flame.apex, edge, touch * at / 200) for at in range(201)]
    turned = 90 - degrees(acos(template.radius / template.to_disc))
    rim += [step(end.centre, heading + (90 + turned) * at / 200, end.radius) for at in range(-200, 201)]
    sampled = min(apart(base.centre, spot) for spot in rim)
    assert abs(away) == pytest.approx(sampled, abs=0.08)


@given(TEARDROPS, HEADINGS, HULLS)
@settings(max_examples=20, deadline=None)
def test_covered_ground_agrees_with_strips(template, heading, hull):
    flame = Flame(template, APEX, heading)
    ground, total, strips = footprint(hull), 0.0, 300
    long = template.to_disc + template.radius
    sine = template.radius / template.to_disc
    touch = template.to_disc * (1 - sine**2)
    for at in range(strips):
        along = long * (at + 0.5) / strips
        if along < touch:
            half = along * sine / sqrt(1 - sine**2)
        else:
            half = sqrt(max(0.0, template.radius**2 - (along - template.to_disc) ** 2))
        middle = step(APEX, heading, along)
        ends = step(middle, heading - 90, half), step(middle, heading + 90, half)
        total += sum(high - low for low, high in spans(*ends, ground)) * long / strips
    assert covered_size(flame, hull) == pytest.approx(total, abs=0.15)


@pytest.mark.clause("SE-82", "SE-84")
@settings(max_examples=40, deadline=None)
@given(TEARDROPS, BASES, st.lists(BASES, min_size=1, max_size=3))
def test_swinging_a_template_agrees_with_720_headings(template, firer, bases):
    found = swing_arcs(template, firer, bases)
    assert sum(found.widths()) == pytest.approx(360)
    for heading in BEARINGS[::5]:
        flame = held_flame(template, firer, heading)
        assert apart(flame.apex, firer.centre) == pytest.approx(firer.radius)
        if min(abs(cut - heading) for cut in (*found.cuts, -9)) > 1e-6:
            assert found.at(heading) == tuple(flame_coverage(flame, base) for base in bases)


@pytest.mark.clause("SE-82")
@settings(max_examples=30, deadline=None)
@given(TEARDROPS, st.lists(BASES, min_size=1, max_size=3))
def test_a_template_swung_by_a_mere_point_turns_about_its_own(template, bases):
    swung, turned = swing_arcs(template, Base(APEX, 0), bases), flame_arcs(template, APEX, bases)
    assert swung.cuts == pytest.approx(turned.cuts, abs=1e-5)
    assert swung.statuses == turned.statuses
