"""Pictures that are the input: a vehicle from above with its sides, a body from the front with its places.

A ruleset gives the data (`table.outlines`). Every part of a picture knows what choosing it means, as an alternative of
`views.whatif`: the page sets those inputs when the part is tapped, and writes into it what the answer would become.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import hypot
from typing import Any

from msgspec import Struct

from battletape.errors import BattletapeError
from battletape.inputs import Inputs
from battletape.odds import percent
from battletape.system import Question, Ruleset
from battletape.table.facings import Facing
from battletape.table.outlines import SPOTS, Arcs, Body, Shape, Spot
from battletape.views.changed import value_at
from battletape.views.whatif import format_alternative


class ArcView(Struct, frozen=True):
    """One side of a vehicle: its armour, what tapping it sets, and whether it is what the question asks about."""

    facing: Facing
    title: str
    armour: str
    key: str
    chosen: bool
    attacks: int = 1  # guns that fire at it, or blows


class VehicleView(Struct, frozen=True, tag="vehicle"):
    """A vehicle from above; `about` says all of it in words."""

    shape: Shape
    arcs: tuple[ArcView, ...]
    about: str
    inputs: tuple[str, ...]  # the inputs that it sets


class PlaceView(Struct, frozen=True):
    """A place of a body: its armour, the cover in front of it, its chance to be hit, and what aiming at it sets."""

    spot: Spot
    title: str
    armour: str  # 8, or 8 + 16 behind cover
    covered: bool
    chance: str
    heat: float  # from 0 to 1
    aimed: bool
    aim: str  # what aiming at it sets, or what no longer aiming at it does


class BodyView(Struct, frozen=True, tag="body"):
    """A body from the front; `hidden`, `material` and `aimed` are the inputs that tapping a place may set."""

    places: tuple[PlaceView, ...]
    about: str
    hidden: str
    material: str
    usual: str
    aimed: str
    cover: str  # what the cover is, in words
    has_chances: bool


OutlineView = VehicleView | BodyView


def outline_views(ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs) -> tuple[OutlineView, ...]:
    """Return the pictures of a question, as it is asked; one that the rules refuse is left out."""
    views: list[OutlineView | None] = []
    for outline in question.outlines:
        try:
            if isinstance(outline, Arcs):
                views.append(_vehicle(outline, inputs, outline.armour(inputs, rulings, ruleset.book)))
            else:
                views.append(_body(outline, inputs, rulings))
        except BattletapeError:
            continue  # the answer says what is wrong
    return tuple(view for view in views if view is not None)


# --- a vehicle from above ---------------------------------------------------------------------------------------------

FACINGS: tuple[Facing, ...] = ("front", "side", "rear")


def _vehicle(arcs: Arcs, inputs: Inputs, armour: Mapping[Facing, int] | None) -> VehicleView | None:
    names = tuple(_names(inputs, arcs.facing))
    if armour is None or not names:
        return None
    now = {value_at(inputs, name) for name in names}
    views = tuple(
        ArcView(
            facing,
            facing.capitalize(),
            str(armour[facing]),
            format_alternative(dict.fromkeys(names, facing)),
            facing in now,
            arcs.attacks(inputs, facing),
        )
        for facing in FACINGS
    )
    facings = ", ".join(f"{view.facing} {view.armour}" for view in views)
    met = " and ".join(view.facing for view in views if view.chosen)
    return VehicleView(arcs.shape(inputs), views, f"The vehicle from above: armour {facings}; {met} chosen", names)


def _names(values: Any, path: Sequence[str], above: str = "") -> Iterator[str]:
    """Yield the name of an input in every entry of the lists above it: guns.0.facing, guns.1.facing."""
    name, *rest = path
    if not rest:
        yield above + name
        return
    for at, entry in enumerate(getattr(values, name)):
        yield from _names(entry, rest, f"{above}{name}.{at}.")


# --- a body from the front --------------------------------------------------------------------------------------------


def _body(body: Body, inputs: Inputs, rulings: Inputs) -> BodyView:
    armour, cover = body.armour(inputs, rulings), body.cover(inputs, rulings)
    try:
        chances = body.chances(inputs, rulings)
    except BattletapeError:  # the attack is refused, and the answer says why; the body stays
        chances = {}
    most = max(chances.values(), default=Fraction(0)) or Fraction(1)
    aimed = value_at(inputs, body.aimed) if body.aimed else None
    places = tuple(
        PlaceView(
            spot,
            spot.replace("_", " ").capitalize(),
            f"{armour[spot]} + {cover[spot]}" if cover.get(spot) else str(armour[spot]),
            bool(cover.get(spot)),
            percent(chances[spot]) if spot in chances else "",
            float(chances.get(spot, 0) / most),
            spot == aimed,
            _aim(body, spot, aimed),
        )
        for spot in SPOTS
        if spot in armour
    )
    return BodyView(
        places=places,
        about="The target from the front: " + "; ".join(map(_place_text, places)),
        hidden=body.hidden,
        material=body.material,
        usual=body.usual,
        aimed=body.aimed,
        cover=str(value_at(inputs, body.material) or "") if body.material and any(cover.values()) else "",
        has_chances=bool(chances),
    )


def _aim(body: Body, spot: Spot, aimed: Spot | None) -> str:
    if not body.aimed:
        return ""
    if spot == aimed:
        return format_alternative({body.aimed: "none"})
    return format_alternative({body.aimed: spot, **body.aimed_with})


def _place_text(place: PlaceView) -> str:
    hit = f", {place.chance} to be hit" if place.chance else ""
    return f"{place.title} armour {place.armour}{hit}{', aimed at' if place.aimed else ''}"


# --- drawing them -----------------------------------------------------------------------------------------------------


def draw_outline(view: OutlineView) -> str:
    """Return a picture as SVG; its colours come from the style of the page."""
    return _draw_vehicle(view) if isinstance(view, VehicleView) else _draw_body(view)


FRONT = "M134 101 91.2 36.9A160 160 0 0 1 268.8 36.9L226 101Z"
REAR = "M134 239 91.2 303.1A160 160 0 0 0 268.8 303.1L226 239Z"
LEFT = "M134 101 91.2 36.9A160 160 0 0 0 91.2 303.1L134 239Z"
RIGHT = "M226 101 268.8 36.9A160 160 0 0 1 268.8 303.1L226 239Z"
ARCS: Mapping[Facing, tuple[str, ...]] = {"front": (FRONT,), "side": (LEFT, RIGHT), "rear": (REAR,)}
MARKS: Mapping[Facing, tuple[tuple[int, int, bool], ...]] = {  # x, y, and whether its lines stand one below the other
    "front": ((180, 33, False),),
    "side": ((72, 146, True), (288, 112, True)),
    "rear": ((180, 285, False),),
}
Line = tuple[int, int, int, int]
SHOTS: Mapping[Facing, tuple[Line, ...]] = {  # on their way, from the side that is chosen, beside its words
    "front": ((264, 46, 230, 94), (253, 38, 220, 85)),
    "side": ((330, 276, 242, 216), (338, 262, 244, 200), (344, 246, 246, 184)),
    "rear": ((264, 294, 230, 246), (253, 302, 220, 255)),
}
TIP, TIP_WIDTH = 12, 5


def _tread(x: int) -> str:
    links = "".join(f"M{x + 1} {y}h17" for y in range(108, 240, 8))
    return f'<rect x="{x}" y="101" width="19" height="138" rx="6"/><path class="fine" d="{links}"/>'


GUN = '<path class="gun" d="M176 134V82H173V70H187V82H184V134Z"/>'
HATCHES = (
    '<circle cx="169" cy="172" r="8"/><circle cx="192" cy="186" r="7"/><path class="fine" d="M163 172h12M186 186h12"/>'
)
DRAWN: Mapping[Shape, str] = {
    "tank": _tread(134)
    + _tread(207)
    + '<path d="M151 112 157 101H203L209 112V230L203 239H157L151 230Z"/>'
    + '<path d="M157 136 166 122H194L203 136V196L196 204H164L157 196Z"/>'
    + GUN
    + '<path d="M170 134Q180 126 190 134V146H170Z"/>'
    + HATCHES
    + '<path class="fine" d="M160 212H200M160 218H200M160 224H200M160 230H200"/>',
    "skimmer": '<path d="M180 92 216 130 226 214 204 240H156L134 214 144 130Z"/>'
    + '<path class="fine" d="M144 130 134 214M216 130 226 214M150 222h60"/>'
    + '<circle cx="152" cy="206" r="12"/><circle cx="208" cy="206" r="12"/>'
    + '<path class="fine" d="M143 206h18M199 206h18M152 197v18M208 197v18"/>'
    + '<path d="M164 146 180 128 196 146V180H164Z"/>'
    + GUN
    + '<path d="M170 134Q180 126 190 134V146H170Z"/>',
    "walker": '<path d="M146 176h20v52l-4 12h-14l-6-12zM194 176h20l4 52-6 12h-14l-4-12z"/>'
    + '<path class="fine" d="M146 214h18M196 214h18"/>'
    + '<path d="M134 128h18v60h-18zM208 128h18v60h-18z"/>'
    + '<path class="gun" d="M139 128V92h8v36zM213 128V92h8v36z"/>'
    + '<path d="M152 140 164 120H196L208 140V184L196 200H164L152 184Z"/>'
    + '<path d="M168 138Q180 128 192 138V154H168Z"/><path class="fine" d="M160 186h40"/>',
}


def _draw_vehicle(view: VehicleView) -> str:
    parts = [
        f'<path class="arc{" on" if arc.chosen else ""}" d="{path}" data-set="{arc.key}"/>'
        for arc in sorted(view.arcs, key=lambda arc: arc.chosen)  # the edge of the chosen one lies on top
        for path in ARCS[arc.facing]
    ]
    parts.append(f'<g class="tank">{DRAWN[view.shape]}</g>')
    parts += [_shot(*line) for arc in view.arcs if arc.chosen for line in _arrows(arc)]
    parts += [_arc_marks(arc, *mark) for arc in view.arcs for mark in MARKS[arc.facing]]
    return _svg("8 4 344 332", view.about, parts)


def _arrows(arc: ArcView) -> Sequence[tuple[int, int, int, int]]:
    """Return as many arrows as guns, and no more than there is room for: those in the middle."""
    lines = SHOTS[arc.facing]
    count = min(max(arc.attacks, 1), len(lines))
    first = (len(lines) - count) // 2
    return lines[first : first + count]


def _shot(x1: int, y1: int, x2: int, y2: int) -> str:
    """Return a dashed line with a tip."""
    far = hypot(x2 - x1, y2 - y1)
    along, across = (x2 - x1) / far, (y2 - y1) / far
    x, y = x2 - TIP * along, y2 - TIP * across
    right, down = TIP_WIDTH * across, TIP_WIDTH * along
    base = f"{x - right:.1f} {y + down:.1f} {x + right:.1f} {y - down:.1f}"
    return f'<path class="shots" d="M{x1} {y1} {x:.1f} {y:.1f}"/><path class="tip" d="M{x2} {y2} {base}Z"/>'


def _arc_marks(arc: ArcView, x: int, y: int, is_tall: bool) -> str:
    figure = f'<text class="pc" data-if="{arc.key}" x="{x}" '
    if is_tall:
        words = f'<text class="w" x="{x}" y="{y}">{arc.title}</text>'
        armour = f'<text class="av" x="{x}" y="{y + 28}">{arc.armour}</text>'
        return f'<g class="marks">{words}{armour}{figure}y="{y + 52}"></text></g>'
    words = f'<tspan class="w">{arc.title} </tspan><tspan class="av">{arc.armour}</tspan>'
    return f'<g class="marks"><text x="{x}" y="{y}">{words}</text>{figure}y="{y + 23}"></text></g>'


HEAD = "M159 50q-1-30 21-30t21 30l-2 16q-2 9-9 13v11h-20v-11q-7-4-9-13z"
TRUNK = "M150 92h60q13 3 14 17l-7 66q-2 18-8 32l5 29h-68l5-29q-6-14-8-32l-7-66q1-14 14-17z"
ARM = "M152 91q-36-3-43 31l-8 48-9 45q-4 20 5 25 11 3 15-13l12-49 12-42 16-26z"
LEG = "M145 241h33l-1 60-5 40 1 54q0 13-12 13h-22q-8-1-3-10l9-9-4-46-2-48z"
LIMBS: Mapping[Spot, tuple[str, bool]] = {  # what is drawn last lies on top; a left limb is a right one mirrored
    "right_leg": (LEG, False),
    "left_leg": (LEG, True),
    "right_arm": (ARM, False),
    "left_arm": (ARM, True),
    "body": (TRUNK, False),
    "head": (HEAD, False),
}
LABELS: Mapping[Spot, tuple[int, int, str]] = {  # the middle and top of its words, and the line from there to it
    "body": (50, 48, "M94 68L147 118"),
    "head": (310, 48, "M266 68L203 58"),
    "right_arm": (46, 164, "M90 184L103 170"),
    "left_arm": (314, 164, "M270 184L257 170"),
    "right_leg": (52, 292, "M96 312L142 300"),
    "left_leg": (308, 292, "M264 312L218 300"),
}
TRIM = (
    "M164 48l16 4 16-4M165 55l15 3 15-3M180 58v20M173 68v7M187 68v7M118 100q14-2 22 14M242 100q-14-2-22 14M180 104v96"
    "M152 206h56M158 136q22 14 44 0M103 166l20 4M257 166l-20 4M145 300h31M215 300h-31M148 344h24M212 344h-24"
)
BAGS = tuple((x, 398) for x in (30, 74, 118, 200, 244, 288)) + tuple((x, 380) for x in (52, 96, 222, 266))
PALEST, WARMEST = 0.06, 0.66
"""How strong the colour is of the place that is hit least, and of the one that is hit most."""
HATCH = (
    '<defs><pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path class="hatching" d="M0 0V9"/></pattern></defs>'
)
MIDDLES: Mapping[Spot, tuple[int, int]] = {
    "head": (180, 50),
    "body": (180, 160),
    "right_arm": (112, 160),
    "left_arm": (248, 160),
    "right_leg": (160, 300),
    "left_leg": (200, 300),
}


def _draw_body(view: BodyView) -> str:
    by_spot = {place.spot: place for place in view.places}
    drawn = [by_spot[spot] for spot in LIMBS if spot in by_spot]
    parts = [HATCH, '<path class="ground" d="M20 409H340"/>', *map(_place, drawn)]
    parts.append(f'<path class="trim" d="{TRIM}"/>')
    parts += [_cross(*MIDDLES[place.spot]) for place in view.places if place.aimed]
    if view.cover:
        bags = "".join(f'<rect x="{x}" y="{y}" width="42" height="20" rx="9"/>' for x, y in BAGS)
        parts.append(f'<g class="bags">{bags}</g>')
    parts += [_place_marks(place) for place in view.places]
    return _svg("0 8 360 416", view.about, parts)


def _place(place: PlaceView) -> str:
    path, mirrored = LIMBS[place.spot]
    heat = f' fill-opacity="{PALEST + place.heat * (WARMEST - PALEST):.2f}"' if place.chance else ' fill-opacity="0"'
    layers = [f'<path class="skin" d="{path}"/>', f'<path class="heat" d="{path}"{heat}/>']
    if place.covered:
        layers.append(f'<path class="covered" d="{path}"/>')
    layers.append(f'<path class="edge" d="{path}"/>')
    inner = "".join(layers)
    if mirrored:
        inner = f'<g transform="matrix(-1 0 0 1 360 0)">{inner}</g>'
    states = (" covered" if place.covered else "") + (" aimed" if place.aimed else "")
    return f'<g class="place{states}" data-place="{place.spot}" data-aim="{place.aim}">{inner}</g>'


def _cross(x: int, y: int) -> str:
    """Return the sign for what is aimed at."""
    return f'<path class="cross" d="M{x - 22} {y}h14m16 0h14M{x} {y - 22}v14m0 16v14"/>'


def _place_marks(place: PlaceView) -> str:
    x, y, line = LABELS[place.spot]
    lines = [
        f'<path class="leader" d="{line}"/>',
        f'<text class="w" x="{x}" y="{y}">{place.title}</text>',
        f'<text class="av" x="{x}" y="{y + 23}">{place.armour}</text>',
        f'<text class="pc hit" x="{x}" y="{y + 44}">{place.chance}</text>',
    ]
    if place.aim:
        lines.append(f'<g class="unseen aims"><text class="pc" data-if="{place.aim}" x="{x}" y="{y + 44}"></text></g>')
    return f'<g class="marks">{"".join(lines)}</g>'


def _svg(box: str, about: str, parts: Iterable[str]) -> str:
    return f'<svg viewBox="{box}" role="img" aria-label="{about}">{"".join(parts)}</svg>'
