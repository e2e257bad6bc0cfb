"""How much of the table a picture shows: what matters, all of it, or the part that a player has chosen.

A firer may stand far off and leave most of a picture empty. If a line leads there, the picture ends without them, and
the line says at the edge which unit it is and how far away.
"""

from __future__ import annotations

import re
from math import ceil, floor

from msgspec import Struct
from msgspec.structs import replace

from battletape.table.picture import Arrow, Bounds, Figure, Machine, Marker, Picture, Thing, picture_bounds
from battletape.table.points import TOLERANCE, Point, apart

MIN_SIZE = (9.0, 7.0)
"""Inches that a picture shows at least, across and up."""
WIDEST, TALLEST = 1.9, 1.05
"""How much wider than tall a picture may be, and how much taller than wide."""
MAX_ENLARGEMENT = 1.4
"""A picture leaves out the end of a line that would make it larger than this many times."""
ZOOM_STEP = 1.5
"""How much nearer one step goes."""
NEAREST, FARTHEST = 3.0, 480.0
"""The inches across that a player may choose."""


class Frame(Struct, frozen=True):
    """The part of a table that a player has chosen: its middle, and how many inches across."""

    x: float
    y: float
    wide: float

    def __str__(self) -> str:
        return f"{self.x:g},{self.y:g},{self.wide:g}"


def parse_frame(text: str) -> Frame | None:
    """Return a frame as an address holds it, “0,18,9”; none if it is none."""
    if not re.fullmatch(r"-?\d{1,4}(\.\d{1,4})?(,-?\d{1,4}(\.\d{1,4})?){2}", text):
        return None
    x, y, wide = map(float, text.split(","))
    return Frame(x, y, min(max(wide, NEAREST), FARTHEST))


def view_of(picture: Picture, frame: Frame | None = None) -> Bounds:
    """Return the inches that a picture shows, in a handy shape: whole ones with some room around what matters there."""
    if frame is not None:
        tall = frame.wide / _shape(view_of(picture))
        return frame.x - frame.wide / 2, frame.y - tall / 2, frame.x + frame.wide / 2, frame.y + tall / 2
    everything = whole_of(picture)
    if picture.board is not None and picture.whole:
        return everything
    far = [thing for thing in picture.things if _is_far_end(thing, picture)]
    near = replace(picture, things=tuple(thing for thing in picture.things if thing not in far))
    if not far or not any(isinstance(thing, (Figure, Machine, Marker)) for thing in near.things):
        return everything
    fit = _shaped(picture_bounds(near))
    return fit if _size(everything) > MAX_ENLARGEMENT * _size(fit) else everything


def whole_of(picture: Picture) -> Bounds:
    """Return the inches that hold all units in a picture, in a handy shape; of a board, all of it."""
    bounds = picture_bounds(picture)
    return bounds if picture.board is not None and picture.whole else _shaped(bounds)


def _shaped(bounds: Bounds) -> Bounds:
    west, south, east, north = bounds
    pad = max(1.0, 0.06 * max(east - west, north - south))
    wide = max(east - west + 2 * pad, MIN_SIZE[0], (north - south + 2 * pad) / TALLEST)
    tall = max(north - south + 2 * pad, MIN_SIZE[1], wide / WIDEST)
    x, y = (west + east) / 2, (south + north) / 2
    return floor(x - wide / 2 + 0.01), floor(y - tall / 2 + 0.01), ceil(x + wide / 2 - 0.01), ceil(y + tall / 2 - 0.01)


def _shape(view: Bounds) -> float:
    west, south, east, north = view
    return (east - west) / (north - south)


def _size(view: Bounds) -> float:
    west, south, east, north = view
    return max(east - west, north - south)


def _is_far_end(thing: Thing, picture: Picture) -> bool:
    """Return whether an acting model stands where a line begins, so that the line can tell of it."""
    if not isinstance(thing, (Figure, Machine)) or thing.tone != "acts":
        return False
    place = thing.base.centre if isinstance(thing, Figure) else thing.hull.centre
    return any(isinstance(line, Arrow) and apart(line.start, place) < TOLERANCE for line in picture.things)


class Steps(Struct, frozen=True):
    """Where the buttons of a board lead: nearer, farther and back to what matters; none if that is no step."""

    nearer: str
    farther: str
    fit: str | None


def steps(picture: Picture, frame: Frame | None) -> Steps:
    """Return one step farther from what matters shows all models, if any stands outside."""
    usual, shown = view_of(picture), view_of(picture, frame)
    whole = _around(whole_of(picture), _shape(usual))
    west, south, east, north = picture_bounds(picture)
    outside = west < usual[0] or south < usual[1] or east > usual[2] or north > usual[3]
    wide, middle = shown[2] - shown[0], Point((shown[0] + shown[2]) / 2, (shown[1] + shown[3]) / 2)
    if frame is None and outside:
        farther = whole
    else:
        farther = Frame(middle.x, middle.y, min(wide * ZOOM_STEP, FARTHEST))
    nearer: Frame | str = Frame(middle.x, middle.y, max(wide / ZOOM_STEP, NEAREST))
    if frame is not None and wide > usual[2] - usual[0]:
        nearer = ""
    return Steps(_rounded(nearer), _rounded(farther), None if frame is None else "")


def _around(view: Bounds, shape: float) -> Frame:
    """Return a frame of this shape that holds all of a view."""
    west, south, east, north = view
    return Frame((west + east) / 2, (south + north) / 2, max(east - west, (north - south) * shape))


def _rounded(frame: Frame | str) -> str:
    if isinstance(frame, str):
        return frame
    return str(Frame(round(frame.x, 2) + 0.0, round(frame.y, 2) + 0.0, round(frame.wide, 2)))
