"""The board in letters, for a terminal: the picture of `views.board`, and a list of what stands where."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, hypot
from typing import TypeGuard

from msgspec.structs import replace

from battletape.table.areas import Area, is_inside
from battletape.table.bases import Base
from battletape.table.distances import inner_point
from battletape.table.hulls import is_on_hull, on_table
from battletape.table.picture import Arc, Arrow, Figure, Ground, Machine, Marker, Picture, Ring, Template, Thing
from battletape.table.points import Point, step
from battletape.table.teardrops import disc
from battletape.views.board import between, joined, thing_line
from battletape.views.board_frame import whole_of

STEPS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 6.0)
"""How many inches a letter may stand for; a line is twice as high as a letter is wide."""
MOST_LINES = 26
KEYS = "123456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
GROUND, REACH, DISC, HOLE, GHOST, WAY, FLAME, ZONE = ":", ".", "o", "+", "x", "'", "~", "_"


class _Sheet:
    """A picture of letters."""

    def __init__(self, picture: Picture, width: int) -> None:
        self.picture = picture
        self.west, self.south, self.east, self.north = whole_of(picture)
        wide, tall = self.east - self.west, self.north - self.south
        fits = [step for step in STEPS if wide / step <= width - 2 and tall / step / 2 <= MOST_LINES]
        self.step = fits[0] if fits else float(ceil(max(wide / (width - 2), tall / 2 / MOST_LINES)))
        self.columns, self.lines = ceil(wide / self.step), ceil(tall / self.step / 2)
        self.cells = [[" "] * self.columns for _ in range(self.lines)]

    def middle(self, column: int, line: int) -> Point:
        """Return the middle of a letter on the table."""
        return Point(self.west + (column + 0.5) * self.step, self.north - (line + 0.5) * 2 * self.step)

    def put(self, point: Point, letter: str, *, over: bool = True) -> None:
        """Draw a letter at a place, unless it is off the sheet."""
        column, line = floor((point.x - self.west) / self.step), floor((self.north - point.y) / self.step / 2)
        inside = 0 <= column < self.columns and 0 <= line < self.lines
        if inside and (over or self.cells[line][column] == " "):
            self.cells[line][column] = letter

    def round(self, base: Base, letter: str) -> None:
        """Draw a circle."""
        count = max(24, ceil(base.radius * 16 / self.step))
        for at in range(count):
            self.put(step(base.centre, 360 * at / count, base.radius), letter, over=False)

    def fill(self, ground: Ground, letter: str) -> None:
        """Draw a piece of ground."""
        shape = Area(ground.corners) if len(ground.corners) > 2 else Base(ground.corners[0], ground.radius)
        for line in range(self.lines):
            for column in range(self.columns):
                if is_inside(shape, self.middle(column, line)):
                    self.cells[line][column] = letter

    def ground(self, ground: Ground, key: str) -> None:
        """Draw a piece of ground with its key in the middle; of a zone only its rim, where it is not the table's."""
        if ground.tone != "plain":
            self.fill(ground, GROUND)
            if key:
                middle = inner_point(Area(ground.corners)) if len(ground.corners) > 2 else ground.corners[0]
                self.put(middle, key)
            return
        for start, end in pairwise((*ground.corners, ground.corners[0])):
            middle = between(start, end, 0.5)
            if self.west < middle.x < self.east and self.south < middle.y < self.north:
                self.along(start, end, ZONE)

    def along(self, start: Point, end: Point, letter: str) -> None:
        """Draw a line."""
        count = max(1, ceil(hypot(end.x - start.x, end.y - start.y) / self.step))
        for at in range(count + 1):
            self.put(between(start, end, at / count), letter, over=False)

    def hull(self, machine: Machine, key: str) -> None:
        """Draw a hull: its key all over it, and which way it looks."""
        hull = machine.hull
        for line in range(self.lines):
            for column in range(self.columns):
                if is_on_hull(hull, self.middle(column, line)):
                    self.cells[line][column] = key
        self.put(hull.centre, key)
        nose = on_table(hull, hull.length / 2 - min(self.step, hull.length / 2), 0)
        self.put(nose, "^>v<"[round(hull.heading / 90) % 4])


def draw_letters(picture: Picture, width: int = 80) -> tuple[str, ...]:
    """Return a picture as lines of letters, with a list of what stands where."""
    picture = _with_outer_rings(picture)
    sheet, listed = _Sheet(picture, max(width, 24)), _keys(picture)
    for thing in picture.things:
        if isinstance(thing, Ground):
            sheet.ground(thing, listed.get(thing.name, ""))
    for thing in picture.things:
        if _is_place(thing) and isinstance(thing, Marker):
            sheet.put(thing.disc.centre, listed[thing.name])
    for thing in picture.things:
        if isinstance(thing, Machine):
            sheet.hull(thing, listed[_name_of(thing)])
    for thing in picture.things:
        if isinstance(thing, Figure):
            sheet.put(thing.base.centre, listed[_name_of(thing)])
    for thing in picture.things:
        if isinstance(thing, Marker) and thing.ghost:
            sheet.put(thing.disc.centre, GHOST, over=False)
        elif isinstance(thing, Marker):
            sheet.round(thing.disc, DISC)
            if thing.hole:
                sheet.put(thing.disc.centre, HOLE, over=False)
        elif isinstance(thing, Template):
            end = disc(thing.flame)
            sheet.round(end, FLAME)
            sheet.along(thing.flame.apex, end.centre, FLAME)
    for thing in picture.things:
        if isinstance(thing, Ring):
            sheet.round(thing.disc, REACH)
        elif isinstance(thing, Arc):
            for turn in (thing.start, thing.end):
                sheet.along(thing.disc.centre, step(thing.disc.centre, turn, thing.disc.radius), WAY)
        elif isinstance(thing, Arrow):
            sheet.along(thing.start, thing.end, WAY)
    edge = "+" + "-" * sheet.columns + "+"
    unit = "″" if picture.unit == "inches" else " m"
    scale = f"A letter is {sheet.step:g}{unit} wide and {2 * sheet.step:g}{unit} high; north is up."
    rows = [edge, *(f"|{''.join(cells)}|" for cells in sheet.cells), edge]
    return (*rows, *_wrapped(scale, width, ""), *_list(picture, listed, width))


def _with_outer_rings(picture: Picture) -> Picture:
    """Return a picture with one ring in place of several that tell the same: letters are too coarse for those
    within.
    """
    outer: dict[tuple[Point, str], Ring] = {}
    for thing in picture.things:
        if isinstance(thing, Ring) and thing.about:
            known = outer.setdefault((thing.disc.centre, thing.about), thing)
            outer[thing.disc.centre, thing.about] = max(thing, known, key=lambda ring: ring.disc.radius)
    things = (thing for thing in picture.things if not isinstance(thing, Ring) or not thing.about)
    rings = (replace(ring, name=f"{ring.about} up to {ring.name}") for ring in outer.values())
    return replace(picture, things=(*things, *rings))


def _name_of(thing: Figure | Machine) -> str:
    return thing.name or thing.side or "model"


def _keys(picture: Picture) -> dict[str, str]:
    """Return a letter for each name, units first; after the last one they begin again."""
    names = dict.fromkeys(_name_of(thing) for thing in picture.things if isinstance(thing, (Figure, Machine)))
    names |= dict.fromkeys(thing.name for thing in picture.things if _is_place(thing))
    return {name: KEYS[at % len(KEYS)] for at, name in enumerate(names)}


def _is_place(thing: Thing) -> TypeGuard[Ground | Marker]:
    """Return whether a thing is a place with a name: terrain, or an objective."""
    lies = isinstance(thing, Ground) or (isinstance(thing, Marker) and thing.hole)
    return lies and thing.tone == "around" and bool(thing.name)


def _list(picture: Picture, keys: dict[str, str], width: int) -> list[str]:
    """List the things on the board with their places, and the meaning of the signs."""
    lines: list[str] = []
    told_of: set[str] = set()
    for thing in picture.things:
        if isinstance(thing, (Figure, Machine)):
            name = _name_of(thing)
            many = sum(isinstance(other, Figure) and _name_of(other) == name for other in picture.things)
            if name in told_of:
                continue
            told_of.add(name)
            line = thing_line(thing, "")
            line = line if many < 2 else f"{many} × {line.replace(', at ', ', from ', 1)}"
            lines += _wrapped(f"{keys[name]} {line}", width, "  ")
    for thing in picture.things:
        if _is_place(thing):
            lines += _wrapped(f"{keys[thing.name]} {thing_line(thing, '')}", width, "  ")
    if picture.says and any(getattr(thing, "chance", None) is not None for thing in picture.things):
        lines += _wrapped(f"% {picture.says}", width, "  ")
    for sign, names in _signs(picture).items():
        lines += _wrapped(f"{sign} {joined(list(dict.fromkeys(names)))}", width, "  ")
    return lines


def _signs(picture: Picture) -> dict[str, list[str]]:
    """Return the signs of a picture of letters, and what each stands for."""
    signs: dict[str, list[str]] = {}
    for thing in picture.things:
        if _is_place(thing):
            continue
        if isinstance(thing, Marker):
            signs.setdefault(GHOST if thing.ghost else DISC, []).append(thing.name or "marker")
        elif isinstance(thing, Template):
            signs.setdefault(FLAME, []).append(thing.name or "template")
        elif isinstance(thing, Ring):
            signs.setdefault(REACH, []).append(thing.name or "reach")
        elif isinstance(thing, (Arc, Arrow)):
            signs.setdefault(WAY, []).append(thing.name or "line")
        elif isinstance(thing, Ground):
            signs.setdefault(ZONE if thing.tone == "plain" else GROUND, []).append(thing.name or "ground")
    return signs


def _wrapped(text: str, width: int, hang: str) -> list[str]:
    import textwrap

    held = text.replace(" %", "\xa0%")
    lines = textwrap.wrap(held, width, subsequent_indent=hang, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]
