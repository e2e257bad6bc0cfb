"""Pictures: how much room things take up."""

from __future__ import annotations

import pytest

from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.hulls import Hull
from battletape.table.picture import (
    Arc,
    Arrow,
    Figure,
    Ground,
    Machine,
    Marker,
    Picture,
    Ring,
    Template,
    Thing,
    picture_bounds,
    solid_bounds,
)
from battletape.table.points import Point
from battletape.table.teardrops import FLAMER, Flame

AT = Point(2.0, 3.0)


@pytest.mark.parametrize(
    ("thing", "bounds"),
    [
        (Figure(Base(AT, 0.5)), (1.5, 2.5, 2.5, 3.5)),
        (Machine(Hull(AT, 0.0, 4.0, 3.0)), (0.5, 1.0, 3.5, 5.0)),
        (Machine(Hull(AT, 90.0, 4.0, 3.0)), (0.0, 1.5, 4.0, 4.5)),
        (Marker(Base(AT, 1.5)), (0.5, 1.5, 3.5, 4.5)),
        (Ring(Base(AT, 6.0)), (-4.0, -3.0, 8.0, 9.0)),
        (Ground((AT,), 2.0), (0.0, 1.0, 4.0, 5.0)),
        (Ground((AT, Point(4, 3), Point(4, 9))), (2.0, 3.0, 4.0, 9.0)),
        (Arrow(AT, Point(0, 0)), (0.0, 0.0, 2.0, 3.0)),
        (Arc(Base(AT, 6.0), 0.0, 90.0), (2.0, 3.0, 8.0, 9.0)),
        (Arc(Base(AT, 6.0), 270.0, 90.0), (-4.0, 3.0, 8.0, 9.0)),
        (Template(Flame(FLAMER, AT, 0.0)), (0.25, 3.0, 3.75, 11.0)),
    ],
)
def test_the_room_a_thing_takes_up(thing: Thing, bounds: tuple[float, ...]) -> None:
    assert solid_bounds(thing) == pytest.approx(bounds)


def test_a_picture_shows_everything_but_how_far_things_reach() -> None:
    figure, ring, shot = Figure(Base(AT, 0.5)), Ring(Base(AT, 6.0)), Arrow(Point(0, -24), AT)
    assert picture_bounds(Picture("", (figure, ring, shot))) == solid_bounds(figure)
    assert picture_bounds(Picture("", (ring,))) == solid_bounds(ring)
    assert picture_bounds(Picture("", ())) == (-3, -3, 3, 3)


def test_a_picture_of_a_table_shows_all_of_it() -> None:
    figure = Figure(Base(AT, 0.5))
    assert picture_bounds(Picture("", (figure,), Board(72, 48), whole=True)) == (0, 0, 72, 48)
    assert picture_bounds(Picture("", (figure,), Board(72, 48))) == solid_bounds(figure)
