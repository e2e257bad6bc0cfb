"""Fields that several tests look at, and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from battletape.field.state import Battlefield, Position, TerrainPiece
from battletape.table.areas import rectangle
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.hulls import Hull
from battletape.table.points import Point
from tests.table.shapes import BASES, HULLS, numbers

SIDES = ("South", "North")
WALL = TerrainPiece("Wall", "impassable", rectangle(10, 12, 30, 13).outline, top=5.0, cover=3)
SQUAD = Position("Squad", "South", tuple(Base(Point(x, 5.0)) for x in (19.0, 20.5, 22.0)))
TANK = Position("Tank", "North", hulls=(Hull(Point(20.5, 20.0), 180.0),), top=2.0, cover=4)
FIELD = Battlefield[TerrainPiece](sides=SIDES, positions=(SQUAD, TANK), terrain=(WALL,), board=Board())
"""A squad in the south and a tank in the north, with a high wall between them."""
BARE = Battlefield[TerrainPiece](sides=SIDES, positions=(Position("Squad", "South"), Position("Tank", "North")))
"""The same units where no place is known."""


def placed(name: str, side: str, *spots: tuple[float, float], radius: float = 0.5) -> Position:
    """Return a unit with a model at each of these places."""
    return Position(name, side, tuple(Base(Point(x, y), radius) for x, y in spots))


def field_of(*positions: Position, terrain: tuple[TerrainPiece, ...] = ()) -> Battlefield[TerrainPiece]:
    """Return a field without edges."""
    return Battlefield[TerrainPiece](sides=SIDES, positions=positions, terrain=terrain)


FOOTPRINTS = st.one_of(BASES, HULLS)
UNITS = st.one_of(st.lists(BASES, min_size=1, max_size=4).map(tuple), HULLS.map(lambda hull: (hull,)))
WOODS = st.builds(
    lambda x, y, radius: TerrainPiece("Wood", "impassable", (Point(x, y),), radius),
    numbers(-15, 15),
    numbers(-15, 15),
    numbers(0.5, 4),
)


def position_of(name: str, side: str, footprints: tuple[Base | Hull, ...]) -> Position:
    """Return a unit with these bases or hulls."""
    bases = tuple(each for each in footprints if isinstance(each, Base))
    return Position(name, side, bases, tuple(each for each in footprints if isinstance(each, Hull)))
