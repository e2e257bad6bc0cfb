"""A picture of a table as plain data for programs; what draws it is in `views.board`.

Few answers have a picture, so nothing of the table is imported before one is there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from battletape.views.chances import Chance, chance

if TYPE_CHECKING:
    from battletape.table.picture import Picture, Thing


class ThingView(Struct, frozen=True, omit_defaults=True):
    """One thing on the table: where it is (inches east and north), how large, and its chance."""

    kind: str  # base, hull, marker, template, ground, ring, arc, arrow
    name: str = ""
    side: str = ""
    tone: str = ""
    x: float | None = None
    y: float | None = None
    radius: float | None = None
    heading: float | None = None
    length: float | None = None
    width: float | None = None
    outline: tuple[tuple[float, float], ...] = ()
    chance: Chance | None = None
    label: str = ""
    about: str = ""
    inputs: tuple[str, ...] = ()  # the inputs that move it


class PictureView(Struct, frozen=True):
    """What lies on a table."""

    title: str
    about: str
    says: str  # what the chances are
    unit: str  # inches or metres
    board: tuple[float, float] | None  # width and depth of the table
    things: tuple[ThingView, ...]


def picture_view(picture: Picture | None) -> PictureView | None:
    """Return a picture as plain data."""
    if picture is None:
        return None
    from battletape.views.board import described

    board = None if picture.board is None else (picture.board.width, picture.board.depth)
    things = tuple(map(_thing_view, picture.things))
    return PictureView(picture.title, described(picture), picture.says, picture.unit, board, things)


def _thing_view(thing: Thing) -> ThingView:
    """Return a thing as plain data."""
    from battletape.table.picture import Arc, Figure, Ground, Machine, Marker, Ring, Template
    from battletape.views.board import face_text

    share = getattr(thing, "chance", None)
    shown = None if share is None else chance(Fraction(share))
    drag = getattr(thing, "drag", None) or ()
    name, tone, about = thing.name, thing.tone, getattr(thing, "about", "")
    if isinstance(thing, Figure):
        x, y, radius = thing.base.centre.x, thing.base.centre.y, thing.base.radius
        return ThingView(
            "base", name, thing.side, tone, x, y, radius, chance=shown, label=thing.label, about=about, inputs=drag
        )
    if isinstance(thing, Machine):
        hull = thing.hull
        faces = ", ".join(f"{face.facing} {face_text(face.label, face.chance)}" for face in thing.faces)
        return ThingView(
            "hull",
            name,
            thing.side,
            tone,
            hull.centre.x,
            hull.centre.y,
            heading=hull.heading,
            length=hull.length,
            width=hull.width,
            chance=shown,
            label=thing.label or faces,
            about=about,
            inputs=drag,
        )
    if isinstance(thing, (Marker, Ring)):
        kind, at = ("marker" if isinstance(thing, Marker) else "ring"), thing.disc
        return ThingView(
            kind, name, "", tone, at.centre.x, at.centre.y, at.radius, chance=shown, about=about, inputs=drag
        )
    if isinstance(thing, Arc):
        at, outline = thing.disc, ((thing.start, 0.0), (thing.end, 0.0))
        return ThingView(
            "arc",
            name,
            "",
            tone,
            at.centre.x,
            at.centre.y,
            at.radius,
            chance=shown,
            label=f"{outline[0][0]:g}° to {outline[1][0]:g}°",
        )
    if isinstance(thing, Template):
        apex, template = thing.flame.apex, thing.flame.template
        length = template.to_disc + template.radius
        return ThingView(
            "template",
            name,
            "",
            tone,
            apex.x,
            apex.y,
            template.radius,
            thing.flame.heading,
            length,
            chance=shown,
            about=about,
        )
    if isinstance(thing, Ground):
        first, many = thing.corners[0], len(thing.corners) > 2
        outline_of = tuple((corner.x, corner.y) for corner in thing.corners) if many else ()
        return ThingView(
            "ground",
            name,
            "",
            tone,
            None if many else first.x,
            None if many else first.y,
            None if many else thing.radius,
            outline=outline_of,
            about=about,
        )
    ends = ((thing.start.x, thing.start.y), (thing.end.x, thing.end.y))
    return ThingView("arrow", name, "", tone, outline=ends, about=about)
