"""Weapon arcs and sectors."""

from __future__ import annotations

from math import radians, tan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.table.areas import rectangle
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.hulls import Hull
from battletape.table.mounts import (
    Mount,
    bears_on,
    elevation,
    hull_mount,
    in_arc,
    in_sweep,
    muzzle,
    pintle,
    reach_in_arc,
    sector_gap,
    sponson,
    turret,
)
from battletape.table.points import Point
from tests.table.shapes import BASES, HEADINGS, HULLS, POINTS, mirrored, numbers, rotated

TANK = Hull(Point(0, 0), 0, 6, 3)


@pytest.mark.clause("V5-LOS-2", "V5-LOS-3", "V5-LOS-4", "V5-LOS-5", "V5-LOS-6")
@pytest.mark.parametrize(
    "mount, relative, raised, expected",
    [
        (turret(), 179, 0, True),
        (hull_mount(), 20, 0, True),
        (hull_mount(), 22.5, 0, True),
        (hull_mount(), 23, 0, False),
        (hull_mount(), -22, 0, True),
        (hull_mount(180), -170, 0, True),
        (hull_mount(width=90), 45, 0, True),
        (sponson(0, 180), -10, 0, False),
        (sponson(0, 180), 180, 0, True),
        (sponson(-180, 0), -180, 0, True),
        (pintle(turret()), 170, 0, True),
        (pintle(hull_mount()), 170, 0, False),
        (turret(), 0, 45, True),
        (turret(), 0, 46, False),
        (turret(), 0, -50, False),
    ],
)
def test_arcs(mount, relative, raised, expected):
    assert in_arc(mount, relative, raised) == expected


@pytest.mark.clause("V5-LOS-3")
def test_a_hull_gun_reaches_little_to_the_side():
    gun = hull_mount(ahead=2)
    aside = 10 * tan(radians(22.5))
    assert aside == pytest.approx(4.142, abs=1e-3)
    assert bears_on(TANK, gun, Point(aside, 12))
    assert not bears_on(TANK, gun, Point(aside + 0.01, 12))
    assert muzzle(TANK, gun) == Point(0, 2)


def test_any_part_of_the_target_will_do():
    gun = hull_mount()
    assert reach_in_arc(TANK, gun, Base(Point(0, 10), 0.5)) == 9.5
    assert reach_in_arc(TANK, gun, Base(Point(9, 10), 0.5)) is None
    clipped = reach_in_arc(TANK, gun, Base(Point(4.6, 10), 0.5))
    assert clipped is not None
    assert clipped > gap(Point(0, 0), Base(Point(4.6, 10), 0.5))
    assert reach_in_arc(TANK, gun, Hull(Point(20, 10), 0, 2, 40)) == pytest.approx(9)
    corner = reach_in_arc(TANK, gun, rectangle(4, 5, 9, 9.7))
    assert corner == pytest.approx(4 / tan(radians(22.5)) / 0.92388, abs=1e-4)
    assert reach_in_arc(TANK, gun, rectangle(-1, -9, 1, -5)) is None
    assert reach_in_arc(TANK, gun, Base(Point(0, 0), 1)) == 0
    assert reach_in_arc(TANK, gun, Base(Point(0, -10), 0.5)) is None


@pytest.mark.clause("V5-LOS-6")
def test_a_target_too_high_cannot_be_fired_at():
    assert elevation(3, 3) == 45
    assert elevation(-5, 0) == -90
    assert bears_on(TANK, turret(), Point(0, 8), rise=8)
    assert not bears_on(TANK, turret(), Point(0, 8), rise=8.1)
    assert bears_on(TANK, turret(), Point(0, 8), rise=8.1, limit=60)


def test_an_arc_runs_from_low_to_high():
    with pytest.raises(BadInput, match="got 90 to 0"):
        Mount(90, 0)
    assert in_sweep(350, -20, 20)
    assert in_sweep(-20, 340, 380)
    assert not in_sweep(21, -20, 20)


@settings(deadline=None)
@given(POINTS, HEADINGS, numbers(1, 170), st.one_of(BASES, HULLS), HEADINGS)
def test_sectors_turn_with_the_table(apex, lo, width, target, angle):
    found = sector_gap(apex, lo, lo + width, target)
    turned = sector_gap(rotated(apex, angle), lo + angle, lo + width + angle, rotated(target, angle))
    mirror = sector_gap(mirrored(apex), -lo - width, -lo, mirrored(target))
    for other in (turned, mirror):
        if found is not None and other is not None:
            assert other == pytest.approx(found, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(POINTS, HEADINGS, numbers(1, 300), st.one_of(BASES, HULLS))
def test_a_sector_agrees_with_many_rays(apex, lo, width, target):
    found = sector_gap(apex, lo, lo + width, target)
    rays = [sector_gap(apex, heading, heading, target) for heading in (lo + width * at / 60 for at in range(61))]
    seen = [ray for ray in rays if ray is not None]
    if seen:
        assert found is not None
        assert found <= min(seen) + 1e-6
        assert found >= gap(apex, target) - 1e-9
        if width < 60 and min(seen) > 0.5:
            assert found >= min(seen) - 0.5 - 0.2 * min(seen)
    elif found is not None:
        assert found > 0  # it slips between two rays
    if found == 0:
        assert gap(apex, target) < 1e-9
