"""The edge of the table."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from battletape.table.bases import Base
from battletape.table.distances import Thing, outline
from battletape.table.hulls import Hull, corners
from battletape.table.points import TOLERANCE, Point, check_length, unit


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """The table itself, with its south-west corner at (0, 0)."""

    width: float = 72.0
    depth: float = 48.0

    def __post_init__(self) -> None:
        check_length("width", self.width)
        check_length("depth", self.depth)


def is_on_board(board: Board, thing: Thing) -> bool:
    """Return whether a thing stands on the table with all its parts."""
    return all(_holds(board, spot, slack) for spot, slack in _extremes(thing))


def board_distance(board: Board, hull: Hull) -> float:
    """Return how far a hull may drive straight ahead until it would leave the table."""
    east, north = unit(hull.heading)
    limits = []
    for spot in corners(hull):
        for pace, at, end in ((east, spot.x, board.width), (north, spot.y, board.depth)):
            if abs(pace) > TOLERANCE:
                limits.append(((end if pace > 0 else 0.0) - at) / pace)
    return max(0.0, min(limits))


def _extremes(thing: Thing) -> Iterable[tuple[Point, float]]:
    if isinstance(thing, Point):
        return ((thing, 0.0),)
    if isinstance(thing, Base):
        return ((thing.centre, thing.radius),)
    return tuple((corner, 0.0) for corner in outline(thing))


def _holds(board: Board, spot: Point, slack: float) -> bool:
    low = slack - TOLERANCE
    return low <= spot.x <= board.width - low and low <= spot.y <= board.depth - low
