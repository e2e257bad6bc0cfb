"""Formations: nobody overlaps, neighbours are as far apart as was said, and the middle is in the middle."""

from __future__ import annotations

from itertools import combinations

import pytest

from battletape.errors import BadInput
from battletape.table.formations import FORMATIONS, formation
from battletape.table.points import Point, apart

EVERY = [(name, count) for name in FORMATIONS for count in (1, 2, 3, 7, 10, 20, 40)]


@pytest.mark.parametrize(("name", "count"), EVERY)
@pytest.mark.parametrize(("spacing", "facing"), [(0.0, 0.0), (1.0, 30.0), (2.0, 90.0)])
def test_no_base_touches_another_and_neighbours_keep_their_distance(
    name: str, count: int, spacing: float, facing: float
) -> None:
    spots = formation(name, count, Point(5, -3), spacing=spacing, facing=facing, base=1.0)
    assert len(spots) == count
    gaps = [apart(spot, other) - 1.0 for spot, other in combinations(spots, 2)]
    assert all(gap >= spacing - 0.015 and gap >= 0 for gap in gaps)
    if gaps:
        assert min(gaps) == pytest.approx(spacing, abs=0.031)


@pytest.mark.parametrize("name", ["line", "ring"])
def test_the_middle_is_in_the_middle(name: str) -> None:
    spots = formation(name, 8, Point(5, -3), facing=20.0)
    assert sum(spot.x for spot in spots) / 8 == pytest.approx(5, abs=0.01)
    assert sum(spot.y for spot in spots) / 8 == pytest.approx(-3, abs=0.01)


def test_a_line_stands_across_its_facing() -> None:
    north = formation("line", 3, Point(0, 0), spacing=1, facing=0, base=1)
    east = formation("line", 3, Point(0, 0), spacing=1, facing=90, base=1)
    assert [(spot.x, spot.y) for spot in north] == [(-2, 0), (0, 0), (2, 0)]
    assert [(spot.x, spot.y) for spot in east] == [(0, 2), (0, 0), (0, -2)]


def test_ranks_have_the_odd_model_in_front() -> None:
    spots = formation("ranks", 5, Point(0, 0), spacing=1, base=1)
    assert [spot.y for spot in spots] == [1, 1, 1, -1, -1]


def test_a_cluster_grows_from_the_middle() -> None:
    spots = formation("cluster", 7, Point(0, 0), spacing=1, base=1)
    assert [round(apart(Point(0, 0), spot), 1) for spot in spots] == [0, 2, 2, 2, 2, 2, 2]


@pytest.mark.parametrize(
    ("name", "count", "spacing", "part"),
    [
        ("wedge", 3, 1.0, "one of line, ranks, cluster, ring; got 'wedge'"),
        ("ring", 0, 1.0, "one model or more; got 0"),
        ("ring", 3, -1.0, "spacing must be 0 inches or more"),
    ],
)
def test_what_is_no_formation(name: str, count: int, spacing: float, part: str) -> None:
    with pytest.raises(BadInput, match=part):
        formation(name, count, Point(0, 0), spacing=spacing)
