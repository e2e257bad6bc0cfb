"""What lies on a table, as a picture shows it: a ruleset says what stands where, and draws nothing.

    Picture(
        "Where the marker may come down",
        (
            Ring(Base(aim, 6.0), "scatters up to 6″"),
            Marker(Base(aim, 1.5), "frag missile", drag=("x", "y")),
            Figure(Base(Point(1, 2), 0.5), "Ork 1", chance=Fraction(1, 3), drag=("near.0.x", "near.0.y")),
        ),
        says="chance to be hit",
    )

Things are drawn in the order given, so that ground comes first and what must be seen comes last. The tone says what a
thing is to the question: it acts, it is the target, or it is a circumstance. `drag` names the two inputs (inches east
and north) that change when a player moves the thing, as a form names them: ("near.0.x", "near.0.y") for the first entry
of the list `near`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct

from battletape.table.areas import Area
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.facings import Facing
from battletape.table.hulls import Hull, corners
from battletape.table.points import Point, step
from battletape.table.teardrops import Flame, disc

Tone: TypeAlias = Literal["acts", "target", "around", "plain"]
"""The role of a thing: it acts, it is the target, it stands around, or none of these."""
Share: TypeAlias = Fraction | float
"""A chance, from 0 to 1."""
Drag: TypeAlias = tuple[str, str]
"""The inputs for inches east and inches north."""


class Figure(Struct, frozen=True):
    """A model on a round base."""

    base: Base
    name: str = ""
    side: str = ""
    tone: Tone = "target"
    chance: Share | None = None
    label: str = ""  # what is written on it where there is no chance; its number in the list if empty
    about: str = ""  # more about it, in a few words
    drag: Drag | None = None
    tap: str = ""  # the input that a tap on it sets, and to what: target=Ork 3
    kind: str = ""  # what it is one of, such as Ork: a kind of many is named once; empty: its name


class Face(Struct, frozen=True):
    """One side of a hull, and what counts there: its armour, or its chance."""

    facing: Facing
    label: str = ""
    chance: Share | None = None


class Machine(Struct, frozen=True):
    """A hull with a heading; its front is marked."""

    hull: Hull
    name: str = ""
    side: str = ""
    tone: Tone = "target"
    chance: Share | None = None
    label: str = ""
    about: str = ""
    faces: tuple[Face, ...] = ()
    border: float | None = None  # degrees off the heading at which the front ends; with it, facings are drawn
    drag: Drag | None = None
    kind: str = ""  # what it is one of; empty: its name


class Marker(Struct, frozen=True):
    """A round marker: where a blast is aimed, a cloud; a ghost is one that might lie there."""

    disc: Base
    name: str = ""
    tone: Tone = "acts"
    chance: Share | None = None
    about: str = ""
    ghost: bool = False
    hole: bool = False  # its middle counts, and is marked with a cross
    drag: Drag | None = None


class Template(Struct, frozen=True):
    """A teardrop laid on the table."""

    flame: Flame
    name: str = ""
    tone: Tone = "acts"
    chance: Share | None = None
    about: str = ""


class Ground(Struct, frozen=True):
    """A piece of ground: three corners or more, or one point and a radius."""

    corners: tuple[Point, ...]
    radius: float = 0.0
    name: str = ""
    tone: Tone = "around"
    about: str = ""


class Ring(Struct, frozen=True):
    """A circle of equal distance: how far something reaches, or where a marker may fall."""

    disc: Base
    name: str = ""
    tone: Tone = "around"
    chance: Share | None = None
    whole: bool = False  # the picture must hold all of it
    about: str = ""  # what it tells, for the key


class Arc(Struct, frozen=True):
    """A field of fire: a slice of a disc from one bearing clockwise to another."""

    disc: Base
    start: float
    end: float
    name: str = ""
    tone: Tone = "acts"
    chance: Share | None = None


class Arrow(Struct, frozen=True):
    """A way or a line from one place to another."""

    start: Point
    end: Point
    name: str = ""
    tone: Tone = "acts"
    dashed: bool = False
    about: str = ""


Thing: TypeAlias = Figure | Machine | Marker | Template | Ground | Ring | Arc | Arrow
Lies: TypeAlias = tuple[float, float, float]
"""A place in inches, east and north, and a heading in degrees."""


class Picture(Struct, frozen=True):
    """Everything on the table that a player should see."""

    title: str
    things: tuple[Thing, ...]
    board: Board | None = None  # the edges of the table
    whole: bool = False  # show all of the board; otherwise the picture ends where nothing stands any more
    says: str = ""  # what the chances are: “chance to be hit”
    unit: Literal["inches", "metres"] = "inches"
    about: str = ""  # the picture in a sentence or two, for readers who cannot see it


def came_down(
    aim: Point, bearing: float | None, inches: float, radius: float, name: str = "marker"
) -> tuple[Thing, ...]:
    """Return a marker where it came down: its aim as a ghost, the way it went, and itself.

    Without a bearing, because every direction comes to the same, there is only how far it went.
    """
    if not inches:
        return (Marker(Base(aim, radius), name, hole=True),)
    if bearing is None:
        return (
            Marker(Base(aim, radius), "aim", ghost=True),
            Ring(Base(aim, inches), f"{round(inches, 1):g}″ away", about="scattered, in any direction", whole=True),
        )
    spot = step(aim, bearing, inches)
    return (
        Marker(Base(aim, radius), "aim", ghost=True),
        Arrow(aim, spot, f"{round(inches, 1):g}″", about="scattered"),
        Marker(Base(spot, radius), name, hole=True),
    )


def standing(
    name: str, side: str, things: Iterable[Base | Hull], tone: Tone = "target", about: str = ""
) -> Iterator[Figure | Machine]:
    """Yield a unit as it stands on the table: its models, or its hull."""
    for thing in things:
        if isinstance(thing, Base):
            yield Figure(thing, name, side, tone, about=about)
        else:
            yield Machine(thing, name, side, tone, about=about)


def lying(name: str, shape: Area | Base, about: str = "") -> Ground:
    """Return a piece of ground as it lies on the table."""
    if isinstance(shape, Base):
        return Ground((shape.centre,), shape.radius, name, about=about)
    return Ground(shape.outline, name=name, about=about)


Bounds: TypeAlias = tuple[float, float, float, float]
"""West, south, east, north."""


def solid_bounds(thing: Thing) -> Bounds:
    """Return the ground that a thing takes up."""
    if isinstance(thing, Figure):
        return _disc_bounds(thing.base)
    if isinstance(thing, (Marker, Ring)):
        return _disc_bounds(thing.disc)
    if isinstance(thing, Ground) and len(thing.corners) < 3:
        return _disc_bounds(Base(thing.corners[0], thing.radius))
    return _points_bounds(list(_points(thing)))


def _points(thing: Machine | Template | Ground | Arc | Arrow) -> Iterator[Point]:
    if isinstance(thing, Machine):
        yield from corners(thing.hull)
    elif isinstance(thing, Template):
        yield thing.flame.apex
        end = disc(thing.flame)
        yield from (step(end.centre, heading, end.radius) for heading in range(0, 360, 15))
    elif isinstance(thing, Ground):
        yield from thing.corners
    elif isinstance(thing, Arrow):
        yield from (thing.start, thing.end)
    else:
        yield thing.disc.centre
        width = (thing.end - thing.start) % 360 or 360.0
        yield from (step(thing.disc.centre, thing.start + width * part / 24, thing.disc.radius) for part in range(25))


def _disc_bounds(base: Base) -> Bounds:
    x, y, radius = base.centre.x, base.centre.y, base.radius
    return x - radius, y - radius, x + radius, y + radius


def _points_bounds(points: list[Point]) -> Bounds:
    xs, ys = [point.x for point in points], [point.y for point in points]
    return min(xs), min(ys), max(xs), max(ys)


def picture_bounds(picture: Picture) -> Bounds:
    """Return what a picture shows: the whole table, or all that stands on it; rings, arcs and arrows reach beyond."""
    if picture.board is not None and picture.whole:
        return 0.0, 0.0, picture.board.width, picture.board.depth
    solid = [
        solid_bounds(thing)
        for thing in picture.things
        if not isinstance(thing, (Ring, Arc, Arrow)) or (isinstance(thing, Ring) and thing.whole)
    ]
    bounds = solid or [solid_bounds(thing) for thing in picture.things] or [(-3.0, -3.0, 3.0, 3.0)]
    wests, souths, easts, norths = zip(*bounds, strict=True)
    return min(wests), min(souths), max(easts), max(norths)


def lies(thing: Thing) -> Lies | None:
    """Return where a marker or template lies: its middle, or its point and heading.

    Nothing of a ghost, or of other things.
    """
    if isinstance(thing, Marker) and not thing.ghost:
        return thing.disc.centre.x, thing.disc.centre.y, 0.0
    if isinstance(thing, Template):
        return thing.flame.apex.x, thing.flame.apex.y, thing.flame.heading
    return None
