"""The board drawn: one picture of a table as SVG for the page and for files; `views.board_letters` draws it in letters.

A picture (`battletape.table.picture`) says what stands where; everything about how it looks is in here. An SVG has a
hundred units to the inch, north is up. Its colours are classes: on the page the style sheet fills them in, in a file
`STYLE` and the colours below stand in the drawing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import asin, ceil, degrees, floor, hypot, radians, sin
from typing import Literal, NamedTuple

from msgspec import Struct

from battletape.odds import percent
from battletape.table.bases import Base
from battletape.table.hulls import corners, is_on_hull, on_table
from battletape.table.picture import (
    Arc,
    Arrow,
    Bounds,
    Figure,
    Ground,
    Machine,
    Marker,
    Picture,
    Ring,
    Share,
    Template,
    Thing,
    Tone,
    lies,
    solid_bounds,
)
from battletape.table.points import Point, apart, bearing, step
from battletape.table.teardrops import Flame, disc
from battletape.views.board_frame import Frame, view_of
from battletape.views.chances import short_share

UNITS_PER_INCH = 100
"""Units of the drawing to an inch."""
LETTER_SHARE = 0.033
"""The height of letters as a share of the width: readable on a phone."""
MIN_LETTER_SHARE = 0.7
"""How much smaller a number may get to fit on its base."""
DARK_FROM = 0.75
"""A chance above this is drawn dark, with a light number on it."""
COLOURS = {
    "light": {
        "card": "#fffdf7",
        "ink": "#1e2026",
        "soft": "#625d50",
        "rule": "#d9d0bc",
        "edge": "#948a75",
        "attack": "#a63a22",
        "on-attack": "#fffaf2",
        "defend": "#1f6670",
        "brass-ink": "#80560f",
    },
    "dark": {
        "card": "#1c1f25",
        "ink": "#ece7db",
        "soft": "#aaa392",
        "rule": "#383c45",
        "edge": "#757a86",
        "attack": "#ec7a5f",
        "on-attack": "#201311",
        "defend": "#63bcc4",
        "brass-ink": "#dcae58",
    },
}
"""The colours of the page, for files."""
STYLE = """\
.board { --tone: var(--ink); }
.board text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-weight: 600; }
.board text { fill: var(--ink); text-anchor: middle; font-variant-numeric: tabular-nums; pointer-events: none; }
.board path, .board circle, .board rect { vector-effect: non-scaling-stroke; }
.board .t-acts { --tone: var(--attack); }
.board .t-target { --tone: var(--defend); }
.board .t-around { --tone: var(--brass-ink); }
.board .back { fill: var(--card); }
.board .grid { fill: none; stroke: var(--rule); stroke-width: 1; opacity: .7; }
.board .edge { fill: none; stroke: var(--edge); stroke-width: 3; }
.board .land { fill: var(--tone); fill-opacity: .1; stroke: var(--tone); stroke-width: 2; stroke-dasharray: 2 4; }
.board .reach, .board .slice { fill: none; stroke: var(--tone); stroke-width: 1.5; stroke-dasharray: 3 5; }
.board .slice { fill: var(--tone); fill-opacity: .06; }
.board .line { fill: none; stroke: var(--tone); stroke-width: 2; }
.board .dots { stroke-dasharray: 2 6; }
.board .head, .board .nose { fill: var(--tone); }
.board .disc { fill: var(--tone); fill-opacity: .1; stroke: var(--tone); stroke-width: 2.5; }
.board .ghost .disc { fill: none; stroke: var(--ink); stroke-dasharray: 8 5; opacity: .65; }
.board .cross { stroke: var(--tone); stroke-width: 3.5; }
.board .halo { stroke: var(--card); stroke-width: 7; stroke-linecap: round; }
.board .rim { fill: none; stroke: var(--tone); stroke-width: 2.5; }
.board .thin { stroke-width: 1; }
.board .heat { fill: var(--attack); }
.board .spoke { stroke: var(--tone); stroke-width: 1.2; stroke-dasharray: 5 4; }
.board text.on { fill: var(--on-attack); }
.board .name, .board .face, .board .length { stroke: var(--card); stroke-width: .34em; paint-order: stroke; }
.board text.name, .board text.face, .board text.length { stroke-linejoin: round; fill: var(--tone); }
.board text.face { font-weight: 700; }
.board text.key { text-anchor: start; font-weight: 500; fill: var(--soft); }
.board .bar { fill: none; stroke: var(--soft); stroke-width: 2; }
.board text.length { fill: var(--soft); }
"""
Look = Literal["auto", "light", "dark"]


# --- in words ---------------------------------------------------------------------------------------------------------


def place_text(point: Point) -> str:
    """Return a place as people write it: 3, 4.5."""
    return f"{round(point.x, 2) + 0.0:g}, {round(point.y, 2) + 0.0:g}"


def share_text(share: Share) -> str:
    """Return a chance as people say it."""
    return percent(Fraction(share))


def described(picture: Picture) -> str:
    """Return a picture in a sentence, for readers who cannot see it."""
    if picture.about:
        return picture.about
    groups: dict[str, int] = {}
    for thing in picture.things:
        if isinstance(thing, (Figure, Machine)):
            name = thing.kind or thing.name or thing.side or "model"
            groups[name] = groups.get(name, 0) + 1
        elif isinstance(thing, (Marker, Template)) and thing.name:
            groups[thing.name] = groups.get(thing.name, 0) + 1
    west, south, east, north = view_of(picture)
    there = ", ".join(f"{count} × {name}" if count > 1 else name for name, count in groups.items())
    size = f"{east - west:g} by {north - south:g} {picture.unit}"
    return f"{picture.title}, {size}: {there}." if there else f"{picture.title}, {size}."


def thing_line(thing: Thing, says: str) -> str:
    """Return one thing in a line: its name and side, its place and its chance."""
    name = (
        thing.name
        or getattr(thing, "side", "")
        or {"Figure": "model", "Machine": "vehicle"}.get(type(thing).__name__, type(thing).__name__.lower())
    )
    side = getattr(thing, "side", "")
    parts = [name + (f" ({side})" if side and side != name else "")]
    spot = _spot(thing)
    if spot is not None:
        parts.append(f"at {place_text(spot)}")
    if isinstance(thing, Machine):
        parts.append(f"heading {thing.hull.heading:g}°")
        parts += [f"{face.facing} {face_text(face.label, face.chance)}" for face in thing.faces]
    share = getattr(thing, "chance", None)
    if share is not None:
        parts.append(f"{share_text(share)} {says}".strip())
    parts += [part for part in (getattr(thing, "label", ""), getattr(thing, "about", "")) if part]
    return ", ".join(parts)


def _spot(thing: Thing) -> Point | None:
    if isinstance(thing, Figure):
        return thing.base.centre
    if isinstance(thing, Machine):
        return thing.hull.centre
    if isinstance(thing, (Marker, Ring, Arc)):
        return thing.disc.centre
    if isinstance(thing, Template):
        return thing.flame.apex
    return thing.corners[0] if isinstance(thing, Ground) and len(thing.corners) < 3 else None


def face_text(label: str, share: Share | None) -> str:
    """Return what counts at a facing: its armour, its chance, or both."""
    return " ".join(part for part in (label, "" if share is None else share_text(share)) if part)


class KeyView(Struct, frozen=True):
    """A line of the key: the sign, its tone and what it means."""

    sign: str  # ring, square, diamond, disc, dash, ghost, box, hatch
    tone: str
    text: str


_SIGNS = {"acts": "square", "target": "ring", "around": "diamond", "plain": "ring"}
_ROLES = {"acts": "friends", "target": "target", "around": "others", "plain": "models"}


def key_views(picture: Picture) -> tuple[KeyView, ...]:
    """Return what the signs of a picture mean, each once."""
    lines: dict[KeyView, None] = {}
    sides: set[tuple[Tone, str]] = set()
    chances = [thing for thing in picture.things if isinstance(thing, (Figure, Machine)) and thing.chance is not None]
    likeliest = max(chances, key=lambda thing: thing.chance or 0, default=None)
    signed = [thing for thing in chances if likeliest and thing.tone == likeliest.tone] if picture.says else []
    for thing in picture.things:
        if isinstance(thing, (Figure, Machine)):
            sign = _SIGNS[thing.tone] if isinstance(thing, Figure) else "box"
            text = thing.side or (_ROLES[thing.tone] if isinstance(thing, Figure) else thing.name or "vehicle")
            has_numbers = bool(signed) and thing is signed[0]  # told of those that the numbers are about
            if (thing.tone, text) in sides and not has_numbers:
                continue
            sides.add((thing.tone, text))
            lines[KeyView(sign, thing.tone, f"{text}, {picture.says} in %" if has_numbers else text)] = None
        elif isinstance(thing, Marker) and thing.name:
            tone = "plain" if thing.ghost else thing.tone
            lines[KeyView("ghost" if thing.ghost else "disc", tone, thing.name)] = None
        elif isinstance(thing, Arc) and thing.name:
            lines[KeyView("dash", thing.tone, thing.name)] = None
        elif isinstance(thing, Ground):
            lines[KeyView("hatch", thing.tone, thing.about or thing.name or "ground")] = None
    rings = [thing for thing in picture.things if isinstance(thing, Ring) and thing.name]
    return (*lines, KeyView("dash", rings[0].tone, _ring_text(rings))) if rings else tuple(lines)


def _ring_text(rings: Sequence[Ring]) -> str:
    """Return what rings tell, said once where they tell the same: “may scatter: 2″, 4″”."""
    rings = list({(ring.tone, ring.about, ring.name): ring for ring in rings}.values())
    abouts = {ring.about for ring in rings}
    names = [ring.name for ring in rings]
    if len(abouts) == 1:
        return f"{rings[0].about} {joined(names)}".strip()
    return joined([f"{ring.about}: {ring.name}" if ring.about else ring.name for ring in rings])


def joined(names: Sequence[str]) -> str:
    """Return some names, or the first and the last of many."""
    return names[0] if len(names) == 1 else ", ".join(names) if len(names) <= 4 else f"{names[0]} to {names[-1]}"


# --- as a drawing -----------------------------------------------------------------------------------------------------


class _Box(NamedTuple):
    """A rectangle of the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        """Return whether two rectangles overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def draw_svg(picture: Picture, *, page: bool = False, look: Look = "auto", frame: Frame | None = None) -> str:
    """Return a picture as SVG: for a page that has a style sheet, or as a file that needs nothing else."""
    return _Drawing(picture, frame).svg(page, look)


class _Drawing:
    """A drawing in the making: shapes below, names above, and the room that is taken."""

    def __init__(self, picture: Picture, frame: Frame | None = None) -> None:
        self.picture = picture
        self.west, self.south, self.east, self.north = view_of(picture, frame)
        self.width, self.height = (self.east - self.west) * UNITS_PER_INCH, (self.north - self.south) * UNITS_PER_INCH
        self.letter = max(self.width, self.height * 0.8) * LETTER_SHARE
        self.shapes: list[str] = []
        self.names: list[str] = []
        self.taken: list[_Box] = []
        self.frame = _Box(0, 0, self.width, self.height)

    def svg(self, page: bool, look: Look) -> str:
        """Return the whole of it."""
        self.board()
        for thing in self.picture.things:
            if isinstance(thing, (Figure, Machine)):
                self.taken.append(self.box(solid_bounds(thing)))
            elif isinstance(thing, Marker) and thing.hole:
                x, y = self.spot(thing.disc.centre)
                self.taken.append(_Box(x - self.letter, y - self.letter, x + self.letter, y + self.letter))
        for thing in self.picture.things:
            self.draw(thing)
        self.scale()
        for thing in self.picture.things:
            self.call(thing)
        self.call_groups()
        height = self.height if page else self.height + self.key_height()
        origin = f'data-west="{_n(self.west)}" data-north="{_n(self.north)}" data-inch="{UNITS_PER_INCH}"'
        ids = "board-title board-about"
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {_n(self.width)} {_n(height)}" '
            f'role="img" aria-labelledby="{ids}" font-size="{_n(self.letter)}" {origin}'
        )
        if not page:
            pixels = 900 if self.width >= height else 900 * self.width / height
            head += f' width="{_n(pixels)}" height="{_n(pixels * height / self.width)}"'
        parts = [
            head + ">",
            f'<title id="board-title">{_text(self.picture.title)}</title>',
            f'<desc id="board-about">{_text(described(self.picture))}</desc>',
        ]
        if not page:
            parts.append(f"<style>{_colours(look)}{STYLE}</style>")
            parts.append(f'<rect class="back" width="{_n(self.width)}" height="{_n(height)}"/>')
        clip = '<clipPath id="board-clip"><rect width="{}" height="{}"/></clipPath>'
        parts.append("<defs>" + clip.format(_n(self.width), _n(self.height)) + "</defs>")
        parts += ['<g class="sheet" clip-path="url(#board-clip)">', *self.shapes, *self.names, "</g>"]
        if not page:
            parts += self.key()
        return "\n".join([*parts, "</svg>"]) + "\n"

    # where things are

    def spot(self, point: Point) -> tuple[float, float]:
        """Return a place on the table as a place of the drawing."""
        return (point.x - self.west) * UNITS_PER_INCH, (self.north - point.y) * UNITS_PER_INCH

    def box(self, bounds: Bounds) -> _Box:
        """Return inches as a rectangle of the drawing."""
        west, south, east, north = bounds
        left, top = self.spot(Point(west, north))
        right, bottom = self.spot(Point(east, south))
        return _Box(left, top, right, bottom)

    # shapes

    def board(self) -> None:
        """Draw the ground, its grid and its edges."""
        self.shapes.append(f'<rect class="back" width="{_n(self.width)}" height="{_n(self.height)}"/>')
        every = _round_length((self.east - self.west) / 30, self.picture)
        lines = [
            f"M{_n((x - self.west) * UNITS_PER_INCH)} 0V{_n(self.height)}"
            for x in range(ceil(self.west), floor(self.east) + 1)
            if x % every == 0 and self.west < x < self.east
        ]
        lines += [
            f"M0 {_n((self.north - y) * UNITS_PER_INCH)}H{_n(self.width)}"
            for y in range(ceil(self.south), floor(self.north) + 1)
            if y % every == 0 and self.south < y < self.north
        ]
        self.shapes.append(f'<path class="grid" d="{"".join(lines)}"/>')
        if self.picture.board is not None:
            left, top, right, bottom = self.box((0, 0, self.picture.board.width, self.picture.board.depth))
            size = f'width="{_n(right - left)}" height="{_n(bottom - top)}"'
            self.shapes.append(f'<rect class="edge" x="{_n(left)}" y="{_n(top)}" {size}/>')

    def scale(self) -> None:
        """Draw a bar of one inch, and of six where there is room."""
        unit = "″" if self.picture.unit == "inches" else " m"
        inches = _round_length((self.east - self.west) / 9, self.picture, finer=(2, 3))
        right, low = self.width - 0.6 * self.letter, self.height - 0.7 * self.letter
        left, tick = right - inches * UNITS_PER_INCH, 0.3 * self.letter
        way = f"M{_n(left)} {_n(low - tick)}V{_n(low)}H{_n(right)}V{_n(low - tick)}"
        if inches == 6:
            way += f"M{_n(left + UNITS_PER_INCH)} {_n(low)}V{_n(low - tick)}"
        name = f"{inches} {self.picture.unit}" if inches > 1 else f"1 {_SINGLE[self.picture.unit]}"
        self.names.append(f'<g><title>{name}</title><path class="bar" d="{way}"/>')
        high = low - 0.35 * self.letter
        self.names.append(f'<text class="length" x="{_n((left + right) / 2)}" y="{_n(high)}">{inches}{unit}</text></g>')
        self.taken.append(_Box(left, high - self.letter, right, self.height))

    def draw(self, thing: Thing) -> None:
        """Draw the shape of one thing, with what it says when it is pointed at."""
        tone = getattr(thing, "tone", "plain")
        kind = type(thing).__name__.lower()
        ghost = " ghost" if getattr(thing, "ghost", False) else ""
        place = lies(thing)
        at = f' data-lies="{" ".join(_n(part, 3) for part in place)}"' if place else ""
        self.shapes.append(f'<g class="thing {kind} t-{tone}{ghost}"{at}{self.handle(thing)}>')
        self.shapes.append(f"<title>{_text(thing_line(thing, self.picture.says))}</title>")
        if isinstance(thing, Figure):
            self.figure(thing)
        elif isinstance(thing, Machine):
            self.machine(thing)
        elif isinstance(thing, Marker):
            self.marker(thing)
        elif isinstance(thing, Template):
            self.shapes.append(f'<path class="disc" d="{self.teardrop(thing.flame)}"/>')
        elif isinstance(thing, Ground):
            self.shapes.append(self.ground(thing))
        elif isinstance(thing, Ring):
            self.shapes.append(self.circle("reach", thing.disc))
        elif isinstance(thing, Arc):
            self.shapes.append(f'<path class="slice" d="{self.slice(thing)}"/>')
        else:
            self.arrow(thing)
        self.shapes.append("</g>")

    def handle(self, thing: Thing) -> str:
        """Return what a script needs to know to move a thing."""
        drag, spot = getattr(thing, "drag", None), _spot(thing)
        if drag is None or spot is None:
            return ""
        size = solid_bounds(thing)
        radius = min(size[2] - size[0], size[3] - size[1]) / 2
        inputs = f' data-input-x="{_text(drag[0])}" data-input-y="{_text(drag[1])}"'
        tap = f' data-tap-sets="{_text(thing.tap)}"' if isinstance(thing, Figure) and thing.tap else ""
        return f'{inputs} data-x="{_n(spot.x, 3)}" data-y="{_n(spot.y, 3)}" data-radius="{_n(radius, 2)}"{tap}'

    def circle(self, name: str, base: Base, more: str = "") -> str:
        x, y = self.spot(base.centre)
        return f'<circle class="{name}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(base.radius * UNITS_PER_INCH)}"{more}/>'

    def heat(self, share: Share | None) -> str:
        """Return how dark a chance is; no shade lies between, on which neither dark nor light letters can be read."""
        if share is None:
            return ""
        chance = min(1.0, float(share))
        dark = 0.05 + 0.55 * chance / DARK_FROM if chance <= DARK_FROM else 0.95 - 0.11 * (1 - chance) / (1 - DARK_FROM)
        return f' fill-opacity="{_n(dark, 2)}"'

    def figure(self, figure: Figure) -> None:
        """Draw a base: round, in a square for the active unit, in a diamond for bystanders, with its number on it."""
        base = Base(figure.base.centre, max(figure.base.radius, 0.25 * self.letter / UNITS_PER_INCH))
        x, y = self.spot(base.centre)
        radius = base.radius * UNITS_PER_INCH
        self.shapes.append(self.circle("back", base))
        if figure.chance is not None:
            self.shapes.append(self.circle("heat", base, self.heat(figure.chance)))
        if figure.tone == "acts":
            self.shapes.append(self.circle("rim thin", base))
            corner = f'x="{_n(x - radius)}" y="{_n(y - radius)}" width="{_n(2 * radius)}" height="{_n(2 * radius)}"'
            self.shapes.append(f'<rect class="rim" {corner} rx="{_n(radius * 0.08)}"/>')
        elif figure.tone == "around":
            self.shapes.append(self.circle("rim thin", base))
            out = radius * 1.3
            way = f"M{_n(x)} {_n(y - out)}L{_n(x + out)} {_n(y)}L{_n(x)} {_n(y + out)}L{_n(x - out)} {_n(y)}Z"
            self.shapes.append(f'<path class="rim" d="{way}"/>')
        else:
            self.shapes.append(self.circle("rim", base))
        text = figure.label if figure.chance is None else short_share(float(figure.chance))
        wide = max(2, len(text)) * 0.64  # of a letter; the corners of the number keep off the ring
        self.inside(text, x, y, 1.62 * radius * wide / hypot(wide, 0.72), figure.chance)

    def inside(self, text: str, x: float, y: float, room: float, share: Share | None) -> None:
        """Draw a number on a base, if there is room for it."""
        if not text:
            return
        size = min(1.0, room / (max(2, len(text)) * 0.64 * self.letter), room / (1.15 * self.letter))
        if size < MIN_LETTER_SHARE:
            return
        on = ' class="on"' if share is not None and float(share) > DARK_FROM else ""
        big = "" if size == 1 else f' font-size="{_n(size, 2)}em"'
        place = f'x="{_n(x)}" y="{_n(y + 0.36 * size * self.letter)}"'
        self.shapes.append(f"<text{on} {place}{big}>{_text(text)}</text>")

    def machine(self, machine: Machine) -> None:
        """Draw a hull, its nose, and where its facings end."""
        hull = machine.hull
        ring = self.path(corners(hull)) + "Z"
        if machine.border is not None:
            far = hypot(hull.length, hull.width) / 2 + 1.6
            spokes = [
                self.path((hull.centre, step(hull.centre, hull.heading + side, far)))
                for side in _spokes(machine.border)
            ]
            self.shapes.append(f'<path class="spoke" d="{"".join(spokes)}"/>')
        self.shapes.append(f'<path class="back" d="{ring}"/>')
        if machine.chance is not None:
            self.shapes.append(f'<path class="heat" d="{ring}"{self.heat(machine.chance)}/>')
        self.shapes.append(f'<path class="rim" d="{ring}"/>')
        long, wide = hull.length / 2, hull.width / 2
        nose = min(long * 0.4, wide * 0.7)
        tip = (
            on_table(hull, long, 0),
            on_table(hull, long - nose, nose * 0.8),
            on_table(hull, long - nose, -nose * 0.8),
        )
        self.shapes.append(f'<path class="nose" d="{self.path(tip)}Z"/>')
        text = machine.label if machine.chance is None else short_share(float(machine.chance))
        holes = [thing.disc.centre for thing in self.picture.things if isinstance(thing, Marker) and thing.hole]
        covered = any(is_on_hull(hull, hole) for hole in holes)
        x, y = self.spot(on_table(hull, -0.55 * long if covered else 0, 0))
        self.inside(text, x, y, min(hull.length, hull.width) * UNITS_PER_INCH, machine.chance)

    def marker(self, marker: Marker) -> None:
        """Draw a round marker, with a cross where its middle counts, above everything."""
        self.shapes.append(self.circle("disc", marker.disc))
        if marker.hole:
            x, y = self.spot(marker.disc.centre)
            near = max([0.35 * self.letter, *(base.radius * UNITS_PER_INCH for base in self.under(marker))])
            far = near + 0.65 * self.letter
            way = "".join(
                f"M{_n(x + a * near)} {_n(y + b * near)}L{_n(x + a * far)} {_n(y + b * far)}"
                for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))
            )
            cross = f'<path class="halo" d="{way}"/><path class="cross" d="{way}"/>'
            self.names.append(f'<g class="t-{marker.tone}"{follows(marker)}>{cross}</g>')

    def under(self, marker: Marker) -> list[Base]:
        """Return the bases right below the middle of a marker."""
        bases = [thing.base for thing in self.picture.things if isinstance(thing, Figure)]
        return [base for base in bases if apart(base.centre, marker.disc.centre) < base.radius / 2]

    def ground(self, ground: Ground) -> str:
        if len(ground.corners) < 3:
            return self.circle("land", Base(ground.corners[0], ground.radius))
        return f'<path class="land" d="{self.path(ground.corners)}Z"/>'

    def path(self, points: Sequence[Point]) -> str:
        """Return a way from point to point."""
        return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in map(self.spot, points))

    def teardrop(self, flame: Flame) -> str:
        """Return the outline of a template: two straight edges and a round end."""
        end, long = disc(flame), flame.template.to_disc
        along = 90 - degrees(asin(flame.template.radius / long))
        sides = [step(end.centre, flame.heading + turn * (180 - along), end.radius) for turn in (-1, 1)]
        (ax, ay), (lx, ly), (rx, ry) = (self.spot(point) for point in (flame.apex, *sides))
        radius = _n(end.radius * UNITS_PER_INCH)
        return f"M{_n(ax)} {_n(ay)}L{_n(lx)} {_n(ly)}A{radius} {radius} 0 1 1 {_n(rx)} {_n(ry)}Z"

    def slice(self, arc: Arc) -> str:
        """Return a slice of a disc."""
        width = (arc.end - arc.start) % 360
        centre, radius = arc.disc.centre, _n(arc.disc.radius * UNITS_PER_INCH)
        (cx, cy), (sx, sy), (ex, ey) = map(
            self.spot, (centre, step(centre, arc.start, arc.disc.radius), step(centre, arc.end, arc.disc.radius))
        )
        large = int(width > 180)
        return f"M{_n(cx)} {_n(cy)}L{_n(sx)} {_n(sy)}A{radius} {radius} 0 {large} 1 {_n(ex)} {_n(ey)}Z"

    def arrow(self, arrow: Arrow) -> None:
        """Draw a line with a head at its end."""
        dots = " dots" if arrow.dashed else ""
        self.shapes.append(f'<path class="line{dots}" d="{self.path((arrow.start, arrow.end))}"/>')
        if arrow.start == arrow.end:
            return
        back = bearing(arrow.end, arrow.start)
        size = 0.6 * self.letter / UNITS_PER_INCH
        head = (arrow.end, step(arrow.end, back - 25, size), step(arrow.end, back + 25, size))
        self.shapes.append(f'<path class="head" d="{self.path(head)}Z"/>')

    # names

    def call(self, thing: Thing) -> None:
        """Write the name of a thing, wherever there is room for it."""
        if isinstance(thing, Machine):
            self.faces(thing)
            box = self.box(solid_bounds(thing))
            self.write(thing.name, thing.tone, self.around(box), of=thing)
        elif isinstance(thing, (Marker, Template)):
            tone: Tone = "plain" if isinstance(thing, Marker) and thing.ghost else thing.tone
            self.write(thing.name, tone, self.beside(thing), of=thing)
        elif isinstance(thing, (Ring, Arc)):
            spots = [step(thing.disc.centre, turn, thing.disc.radius) for turn in _turns(thing)]
            self.write(thing.name, thing.tone, [self.spot(spot) for spot in spots])
        elif isinstance(thing, Ground):
            left, top, right, bottom = self.box(solid_bounds(thing))
            middle = (left + right) / 2
            down = [top + (bottom - top) * part for part in (0.5, 0.25, 0.75)]
            if (right - left) > len(thing.name) * 0.4 * self.letter:
                self.write(thing.name, thing.tone, [(middle, y) for y in down])
        elif isinstance(thing, Arrow) and thing.name:
            self.call_arrow(thing)

    def call_arrow(self, arrow: Arrow) -> None:
        """Draw the name of a line at its middle, or where it leaves the picture, with the way it goes."""
        shown = [point for part in range(41) if self.holds(point := between(arrow.start, arrow.end, part / 40))]
        if not shown:
            return
        leaves, name = shown[0] if not self.holds(arrow.start) else None, arrow.name
        if leaves is None:
            points = [shown[len(shown) // 2]]
        else:
            points = shown[: len(shown) // 2 + 1]
            name = f"{self.named_at(arrow.start, name)} {_pointing(bearing(arrow.end, arrow.start))}"
        side = 0.5 * len(name) * 0.56 * self.letter + self.letter
        rows = [(x, y, b) for x, y in map(self.spot, points) for b in (0, -1, 1, -2, 2)]
        spots = [(x + a * side, y + b * self.letter) for x, y, b in rows for a in (1, -1, 0)]
        self.write(name, arrow.tone, spots, inward=True)

    def named_at(self, place: Point, name: str) -> str:
        """Return the name of a line with that of the unit at its beginning."""
        figures = [thing for thing in self.picture.things if isinstance(thing, Figure) and thing.base.centre == place]
        return ", ".join([figure.name for figure in figures if figure.name] + [name])

    def holds(self, point: Point) -> bool:
        """Return whether a point is in the picture."""
        return self.west <= point.x <= self.east and self.south <= point.y <= self.north

    def faces(self, machine: Machine) -> None:
        """Draw what counts at each facing, beyond the hull."""
        hull = machine.hull
        for face in machine.faces:
            text = face_text(face.label, face.chance)
            turns = {"front": (0,), "side": (90, 270), "rear": (180,)}[face.facing]
            for turn in turns:
                half = (hull.length if turn in (0, 180) else hull.width) / 2
                flat = abs(sin(radians(hull.heading + turn)))
                off = (0.7 + flat * 0.3 * len(text)) * self.letter / UNITS_PER_INCH
                x, y = self.spot(step(hull.centre, hull.heading + turn, half + off))
                wide = 0.28 * len(text) * self.letter
                x = min(max(x, wide), self.width - wide)
                self.put(text, "plain", x, y, "face", machine)

    def call_groups(self) -> None:
        """Draw names of models: each by itself where they are few, else once for all of a kind."""
        figures = [thing for thing in self.picture.things if isinstance(thing, Figure) and thing.name]
        groups: dict[tuple[str, Tone], list[Figure]] = {}
        for figure in figures:
            groups.setdefault((figure.kind or figure.name, figure.tone), []).append(figure)
        for (name, tone), members in groups.items():
            if name == "model":
                continue  # that says nothing
            alone = len(members) == 1
            boxes = [self.box(solid_bounds(figure)) for figure in members]
            whole = _Box(
                min(box.left for box in boxes),
                min(box.top for box in boxes),
                max(box.right for box in boxes),
                max(box.bottom for box in boxes),
            )
            spots = [*self.around(whole), *(spot for box in boxes for spot in self.around(box))]
            self.write(members[0].name if alone else name, tone, spots, of=members[0] if alone else None)

    def around(self, box: _Box) -> list[tuple[float, float]]:
        """Return where the name of something may stand: above, below, beside."""
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        gap = 0.75 * self.letter
        return [(x, box.top - gap), (x, box.bottom + gap), (box.right + gap, y), (box.left - gap, y)]

    def beside(self, thing: Marker | Template) -> list[tuple[float, float]]:
        """Return where the name of a marker may stand: on its rim."""
        left, top, right, bottom = self.box(solid_bounds(thing))
        x, y = (left + right) / 2, (top + bottom) / 2
        lean = 0.7071
        wide, tall = (right - left) / 2, (bottom - top) / 2
        diagonal = [(x + a * lean * wide, y + b * lean * tall) for b in (1, -1) for a in (1, -1)]
        return [
            (x, bottom),
            (x, top),
            *diagonal,
            (right, y),
            (left, y),
            (x, bottom + self.letter),
            (x, top - self.letter),
        ]

    def write(
        self,
        text: str,
        tone: Tone,
        spots: Iterable[tuple[float, float]],
        *,
        of: Thing | None = None,
        inward: bool = False,
    ) -> None:
        """Draw a name at the first of these places where it overlaps nothing; left out if there is none."""
        wide, tall = len(text) * 0.56 * self.letter, 1.05 * self.letter
        for x, y in spots if text else ():
            if inward:
                x, y = min(max(x, wide / 2), self.width - wide / 2), min(max(y, tall / 2), self.height - tall / 2)
            box = _Box(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
            fits = box.left >= 0 and box.top >= 0 and box.right <= self.width and box.bottom <= self.height
            if fits and not any(box.meets(other) for other in self.taken):
                self.put(text, tone, x, y, "name", of)
                return

    def put(self, text: str, tone: Tone, x: float, y: float, kind: str, of: Thing | None) -> None:
        """Draw a name at a place, whatever is there."""
        wide, tall = len(text) * 0.56 * self.letter, 1.05 * self.letter
        self.taken.append(_Box(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2))
        place = f'x="{_n(x)}" y="{_n(y + 0.35 * self.letter)}"'
        shown = f'<text class="{kind}" {place} font-size=".92em">{_text(text)}</text>'
        self.names.append(f'<g class="t-{tone}"{follows(of)}>{shown}</g>')

    # the key of a file

    def key_lines(self) -> list[list[KeyView]]:
        """Return the key in lines that are no wider than the picture."""
        lines: list[list[KeyView]] = [[]]
        room = self.width
        for entry in key_views(self.picture):
            wide = (len(entry.text) * 0.54 + 2.6) * self.letter
            if wide > room and lines[-1]:
                lines.append([])
                room = self.width
            lines[-1].append(entry)
            room -= wide
        return [line for line in lines if line]

    def key_height(self) -> float:
        """Return how much room the key takes below the picture, with the title in front."""
        return (len(self.key_lines()) * 1.6 + 2.2) * self.letter

    def key(self) -> list[str]:
        """Return the key below the picture."""
        letter, y = self.letter, self.height + 1.4 * self.letter
        title = f'<tspan font-weight="700">{_text(self.picture.title)}</tspan>'
        parts = [f'<text class="key" x="{_n(0.6 * letter)}" y="{_n(y)}">{title}</text>']
        for line in self.key_lines():
            x, y = 0.6 * letter, y + 1.6 * letter
            for entry in line:
                parts.append(f'<g class="t-{entry.tone}">{_sign(entry.sign, x, y - 0.36 * letter, 0.45 * letter)}</g>')
                place = f'x="{_n(x + 1.3 * letter)}" y="{_n(y)}"'
                parts.append(f'<text class="key" {place} font-size=".92em">{_text(entry.text)}</text>')
                x += (len(entry.text) * 0.54 + 2.6) * letter
        return parts


def follows(thing: Thing | None) -> str:
    """Return what moves along when a thing is moved."""
    drag = getattr(thing, "drag", None)
    return "" if drag is None else f' data-follows="{_text(drag[0])}"'


def _sign(sign: str, x: float, y: float, size: float) -> str:
    """Return a small sign of the key."""
    middle = x + size
    if sign in ("square", "box"):
        tall = size if sign == "square" else size * 0.7
        box = f'x="{_n(x)}" y="{_n(y - tall)}" width="{_n(2 * size)}" height="{_n(2 * tall)}"'
        return f'<rect class="rim" {box}/>'
    if sign == "diamond":
        way = f"M{_n(middle)} {_n(y - size)}L{_n(middle + size)} {_n(y)}L{_n(middle)} {_n(y + size)}L{_n(x)} {_n(y)}Z"
        return f'<path class="rim" d="{way}"/>'
    if sign == "hatch":
        box = f'x="{_n(x)}" y="{_n(y - size)}" width="{_n(2 * size)}" height="{_n(2 * size)}"'
        return f'<rect class="land" {box}/>'
    kind = {"ring": "rim", "disc": "disc", "dash": "reach", "ghost": "rim dots"}[sign]
    return f'<circle class="{kind}" cx="{_n(middle)}" cy="{_n(y)}" r="{_n(size)}"/>'


_SINGLE = {"inches": "inch", "metres": "metre"}


def _round_length(least: float, picture: Picture, finer: tuple[int, ...] = ()) -> int:
    """Return a round length of at least so much; in inches some may be finer than the grid."""
    known = (1, *finer, 6, 12, 24, 60) if picture.unit == "inches" else (1, 5, 10, 20, 50, 100, 200, 500, 1000)
    return next((length for length in known if length >= least), ceil(least))


def _spokes(border: float) -> tuple[float, ...]:
    return border, 180 - border, 180 + border, 360 - border


def _turns(thing: Ring | Arc) -> Iterable[float]:
    """Return where on a circle its name may stand."""
    if isinstance(thing, Ring):
        return (225, 315, 135, 45, 180, 0, 90, 270, 200, 250, 110, 160, 20, 70, 290, 340)
    width = (thing.end - thing.start) % 360 or 360
    return [thing.start + width * part for part in (0.5, 0.3, 0.7, 0.15, 0.85)]


def between(start: Point, end: Point, share: float) -> Point:
    """Return a point on the way from one to another."""
    return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)


def _pointing(turn: float) -> str:
    """Return an arrow that points this way."""
    return "↑↗→↘↓↙←↖"[round(turn / 45) % 8]


def _colours(look: Look) -> str:
    """Return the colours of a file: light, dark, or as the reader's screen has it."""

    def named(name: str) -> str:
        return "".join(f"--{key}: {value}; " for key, value in COLOURS[name].items())

    if look != "auto":
        return f".board {{ {named(look)}}}\n"
    dark = f"@media screen and (prefers-color-scheme: dark) {{ .board {{ {named('dark')}}} }}"
    return f".board {{ {named('light')}}}\n{dark}\n"


def _n(number: float, digits: int = 1) -> str:
    """Return a number of the drawing, as short as it may be."""
    return f"{round(number, digits) + 0.0:.{digits}f}".rstrip("0").rstrip(".") if number % 1 else str(int(number))


_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def _text(text: str) -> str:
    return _clean(text).translate(_MARKUP)


def _clean(text: str) -> str:
    """Return a text without what XML cannot hold."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")


def draw_text(picture: Picture, width: int = 80) -> tuple[str, ...]:
    """Return a picture as lines of letters, with a list of what stands where."""
    from battletape.views.board_letters import draw_letters

    return draw_letters(picture, width)
