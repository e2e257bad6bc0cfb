"""What can stand on paper: the contract between rulesets, which say what is printed, and templates, which draw it.

A ruleset has a tuple of `Sheet`. Each of them gives a part of a document, from nothing, from profiles, from a battle or
from a question:

- `Cards`: one card for each unit, vehicle or character, made of blocks such as numbers, tables, boxes and squares;
- `Reference`: printed tables with the ids of their clauses;
- `Tokens`: counters to cut out;
- `Shapes`: markers, templates and range sticks in their true size.

No ruleset draws anything, and no template knows a ruleset. There is one template for each kind of part, `cards.typ`
and so on; `typeset` turns a document into PDF, PNG or SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil, pi, sin
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from battletape.profiles import ProfileBook

INCH = 25.4
"""Millimetres."""
Paper: TypeAlias = Literal["a4", "letter"]
PAPERS: tuple[Paper, ...] = ("a4", "letter")

# --- the blocks of a card --------------------------------------------------------------------------------------------


class Stats(Struct, frozen=True, tag="stats"):
    """Numbers in a row, each below its name."""

    stats: tuple[tuple[str, str], ...]


class Grid(Struct, frozen=True, tag="grid"):
    """A small table; `write` are the columns that players write into, which are drawn as open boxes."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    clause: str = ""
    write: tuple[int, ...] = ()


class Box(Struct, frozen=True):
    """A box to tick, with the words below it."""

    words: str = ""
    ticked: bool = False


class Boxes(Struct, frozen=True, tag="boxes"):
    """A row of boxes that are ticked one after the other."""

    title: str
    boxes: tuple[Box, ...]
    clause: str = ""


class Ticks(Struct, frozen=True, tag="ticks"):
    """Small boxes to tick, in groups such as the HP of each model; the first ones are ticked."""

    title: str
    groups: tuple[int, ...]  # how many boxes each group has
    ticked: int = 0
    note: str = ""


class Square(Struct, frozen=True):
    """A big square to write numbers into, and what stands in it already."""

    title: str
    note: str = ""
    value: str = ""


class Squares(Struct, frozen=True, tag="squares"):
    """Big squares side by side."""

    squares: tuple[Square, ...]


class Notes(Struct, frozen=True, tag="notes"):
    """Lines of text below a title."""

    title: str
    lines: tuple[str, ...]


class Ruled(Struct, frozen=True, tag="ruled"):
    """Empty lines to write on."""

    title: str
    count: int = 2


Spot: TypeAlias = Literal["head", "body", "right_arm", "left_arm", "right_leg", "left_leg"]


class Place(Struct, frozen=True):
    """A place of the body: what is rolled for it, its armour, and what has happened to it."""

    spot: Spot
    name: str
    roll: str
    armour: str = ""
    note: str = ""


class Body(Struct, frozen=True, tag="body"):
    """The body as a figure that looks at the reader, with its places."""

    places: tuple[Place, ...]


class Arc(Struct, frozen=True):
    """A weapon on a hull: its letter, where it is mounted and which bearings it reaches, clockwise from ahead."""

    letter: str
    ahead: float
    right: float
    lo: float
    hi: float
    gone: bool = False


class Plan(Struct, frozen=True, tag="plan"):
    """A hull from above, its front upwards: sizes in inches, the armour of its facings, its weapons and its doors."""

    length: float
    width: float
    front: str
    side: str
    rear: str
    border: float  # degrees from straight ahead at which the front quarter ends
    rear_border: float
    arcs: tuple[Arc, ...] = ()
    doors: tuple[tuple[float, float], ...] = ()  # inches ahead of the middle and to its right


class Beside(Struct, frozen=True, tag="beside"):
    """Blocks on the left and on the right; `share` is the part of the width that the left ones have, in per cent."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]
    share: int = 50


Block: TypeAlias = Stats | Grid | Boxes | Ticks | Squares | Notes | Ruled | Body | Plan | Beside


class Card(Struct, frozen=True):
    """The card of one unit, vehicle or character; without a title there is a line to write its name on."""

    title: str
    blocks: tuple[Block, ...]
    kind: str = ""  # what it is, below the title
    side: str = ""
    gone: bool = False  # out of the battle


# --- the parts of a document ------------------------------------------------------------------------------------------


class Cards(Struct, frozen=True, tag="cards"):
    """Cards one below the other; `share` of them fill a page, and one that needs more room takes it."""

    title: str
    cards: tuple[Card, ...]
    share: int = 0


class Printed(Struct, frozen=True):
    """A table as it is printed, with the clause it comes from; `fold` sets long tables in so many columns."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    clause: str = ""
    fold: int = 1


class Reference(Struct, frozen=True, tag="reference"):
    """Tables to look things up in: a page for each of them, or as many as fit on a page."""

    title: str
    tables: tuple[Printed, ...]
    page_each: bool = False


class Token(Struct, frozen=True):
    """A counter: its name, its picture, how many there are, and what it is for."""

    name: str
    sign: Literal["arrow", "flame", "star"]
    count: int
    about: str = ""


class Tokens(Struct, frozen=True, tag="tokens"):
    """Counters to cut out, squares of so many millimetres that share their cut lines."""

    title: str
    tokens: tuple[Token, ...]
    size: float = 25.0


class Disc(Struct, frozen=True, tag="disc"):
    """A round marker with a hole in its middle, and rings inside it; all are diameters in millimetres."""

    name: str
    diameter: float
    hole: float = 3.0
    rings: tuple[float, ...] = ()


class Drop(Struct, frozen=True, tag="drop"):
    """A teardrop template: its whole length and the diameter of its round end in millimetres."""

    name: str
    length: float
    diameter: float


class Compass(Struct, frozen=True, tag="compass"):
    """A disc with bearings, to read off where something scatters; `words` stand around it, the first one ahead."""

    name: str
    diameter: float
    words: tuple[str, ...] = ()


class Stick(Struct, frozen=True, tag="stick"):
    """A range stick in inches: pieces that are glued end to end."""

    name: str
    inches: int
    piece: int = 6


class Ring(Struct, frozen=True, tag="ring"):
    """The outline of a round base, in millimetres."""

    name: str
    diameter: float


class Zone(Struct, frozen=True):
    """A zone of a half disc: degrees off its middle line up to which it reaches, its words, and its colour if any."""

    upto: float
    words: str
    colour: str = ""  # such as #fdc57b, light enough for black words; otherwise the further out, the darker grey


class Fan(Struct, frozen=True, tag="fan"):
    """A half disc with zones on both sides of its middle line; its straight edge is laid along a hull."""

    name: str
    radius: float
    zones: tuple[Zone, ...]


class Sector(Struct, frozen=True, tag="sector"):
    """A sector with its point at a weapon, so many degrees wide; `words` stand in it."""

    name: str
    radius: float
    degrees: float
    words: str = ""


Shape: TypeAlias = Disc | Drop | Compass | Stick | Ring | Fan | Sector


class Shapes(Struct, frozen=True, tag="shapes"):
    """Markers, templates and sticks in their true size; the middle of a cut line is the edge."""

    title: str
    shapes: tuple[Shape, ...]


Part: TypeAlias = Cards | Reference | Tokens | Shapes


class Document(Struct, frozen=True):
    """What goes to the printer: the system, the parts in order, the paper, and what of it would have been empty."""

    system: str
    parts: tuple[Part, ...]
    paper: Paper = "a4"
    left_out: str = ""


# --- what a ruleset can print -----------------------------------------------------------------------------------------


class Sheet(Struct, frozen=True, eq=False):
    """Something a ruleset can print, and the part of a document that comes of what it is printed from.

    What is None cannot be. Without `of_question` a question prints the profiles that its inputs name.
    """

    name: str
    title: str
    about: str
    blank: Callable[[Any], Part] | None = None  # (rulings): what is the same for all units
    of_profiles: Callable[[tuple[Any, ...], Any, Any], Part] | None = None  # (profiles, book, rulings)
    kinds: tuple[str, ...] = ()  # of the profiles it takes
    of_battle: Callable[[Any], Part] | None = None  # (state)
    of_question: Callable[[Any, Any, Any], Part | None] | None = None  # (inputs, book, rulings)
    of_book: Callable[[Any, Any], Part] | None = None  # (book, rulings): blank, with what is in a list of one's own


def printed(table: Any, fold: int = 1) -> Printed:
    """Return a table of a system, to be printed."""
    return Printed(table.title, table.head, table.rows, table.clause, fold)


# --- what cards of several systems have -------------------------------------------------------------------------------


def blank_stats(names: Iterable[str]) -> Stats:
    """Return numbers to fill in with a pencil."""
    return Stats(tuple((name, "") for name in names))


def blank_grid(head: tuple[str, ...], rows: int, columns: int | None = None) -> Grid:
    """Return a table to fill in with a pencil: all its columns but the first, or so many of them."""
    return Grid(head, (("",) * len(head),) * rows, write=tuple(range(1, len(head) if columns is None else 1 + columns)))


def grid(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> tuple[Grid, ...]:
    """Return a small table, if it has any rows."""
    known = tuple(rows)
    return (Grid(head, known),) if known else ()


def notes(title: str, lines: Iterable[str]) -> tuple[Notes, ...]:
    """Return lines of text, if there are any."""
    lines_given = tuple(lines)
    return (Notes(title, lines_given),) if lines_given else ()


def named(inputs: Any, name: str, kind: str, book: ProfileBook) -> Any:
    """Return the profile that an input of a question names, if there is such an input and a profile of this name."""
    wanted = str(getattr(inputs, name, "")).lower()
    return next((profile for own, profile in book.entries[kind].items() if own.lower() == wanted), None)


# --- what stands on every table ---------------------------------------------------------------------------------------

BASES = tuple(Ring(f"{size} mm", float(size)) for size in (25, 30, 40, 50))
STICKS = (Stick("6 inches", 6), Stick("12 inches", 12), Stick("24 inches", 24))


def blast(radius: float, name: str) -> Disc:
    """Return a blast marker by its radius in inches, with a ring at every inch from its middle."""
    rings = tuple(2 * INCH * inch for inch in range(1, 20) if inch < radius)
    return Disc(name, 2 * INCH * radius, rings=rings)


WIDEST, LONGEST = 185.0, 230.0
"""Millimetres that a shape may be wide and long on either paper."""


def any_blast(radius: float, name: str) -> Shape:
    """Return a blast marker of any radius: one too wide for a page as a quarter or an eighth of it, or as its
    radius.
    """
    if 2 * INCH * radius <= WIDEST:
        return blast(radius, name)
    for pieces, words in ((4, "a quarter of it"), (8, "an eighth of it")):
        wide = 2 * INCH * radius * sin(pi / pieces)
        if wide <= WIDEST and INCH * radius <= LONGEST:
            return Sector(name, INCH * radius, 360 / pieces, f"{words}: its point goes in the middle")
    return Stick(f"{name}, from its middle", ceil(radius))


def any_drop(length: float, diameter: float, name: str) -> Shape:
    """Return a teardrop template of any size in inches; one that two pages cannot hold is a stick of its length."""
    if INCH * length <= 2 * LONGEST and INCH * diameter <= WIDEST:
        return Drop(name, INCH * length, INCH * diameter)
    return Stick(f"{name}, from its point", min(ceil(length), LONGEST_STICK))


LONGEST_STICK = 48
"""Inches."""
