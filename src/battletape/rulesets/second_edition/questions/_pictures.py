"""Pictures of a table for the questions about markers and templates: who stands where, and each one's chance."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from battletape.rulesets.second_edition.rules import blasts, ground
from battletape.rulesets.second_edition.rules.blasts import BLAST, Blast, each_chance, find_figure
from battletape.rulesets.second_edition.rules.ground import GROUND
from battletape.rulesets.second_edition.rules.templates import Burst, placements
from battletape.table.bases import Base
from battletape.table.picture import Arrow, Figure, Marker, Picture, Ring, Template, Thing
from battletape.table.points import Point, towards

if TYPE_CHECKING:
    from battletape.answer import Answer

TO_BE_HIT = "chance to be hit"
TONES = {"enemy": "target", "friend": "around", "shooter": "acts"}


def everybody(figures: tuple[blasts.Figure, ...], chances: Mapping[str, Fraction]) -> tuple[Figure, ...]:
    """The models with their chances; each can be dragged to another place."""
    own = [figure for figure in figures if figure.side != "shooter"]
    drags = {figure.name: (f"models.{at}.x", f"models.{at}.y") for at, figure in enumerate(own)}
    return tuple(
        Figure(
            figure.base,
            figure.name,
            figure.side,
            TONES[figure.side],  # type: ignore[arg-type]
            chances.get(figure.name),
            drag=drags.get(figure.name, ("shooter_x", "shooter_y")),
        )
        for figure in figures
    )


def shot_picture(inputs: Any, answer: Answer) -> Picture:
    """A shot or throw at a model: the marker over it, how far it may scatter, and the chance of each to be hit."""
    start: Blast = answer.start
    if not start.target:
        start = blasts.aimed(start, find_figure(start.figures, answer.choices[0].taken.option))
    assert start.spot is not None
    return _marker_picture(
        start, {chance.name: chance.hit for chance in each_chance(start, BLAST)}, inputs.weapon, None
    )


def ground_picture(inputs: Any, answer: Answer) -> Picture:
    """A marker on a spot, how far it may scatter, and each one's chance to be hit."""
    start: Blast = answer.start
    named = start.spot
    spot = ground.places(start)[answer.choices[0].taken.option] if named is None and answer.choices else named
    start = ground.aimed_at(start, spot or next(iter(ground.places(start).values())))
    chances = {chance.name: chance.hit for chance in each_chance(start, GROUND)}
    return _marker_picture(start, chances, inputs.weapon, None if named is None else ("x", "y"))


def _marker_picture(start: Blast, chances: Mapping[str, Fraction], name: str, drag: tuple[str, str] | None) -> Picture:
    assert start.spot is not None
    spot, marker, shooter = start.spot, start.shell.marker, start.shooter.centre
    farthest = 5.0 if start.shell.thrown else min(10.0, start.distance / 2)
    things: list[Thing] = [Ring(Base(spot, farthest), f"scatters up to {farthest:g}″")] if farthest else []
    things += [
        Arrow(shooter, towards(spot, shooter, marker), dashed=True),
        Marker(Base(spot, marker), name or "marker", hole=True, drag=drag),
        *everybody(start.figures, chances),
    ]
    return Picture("Where the marker may come down", tuple(things), says=TO_BE_HIT)


def template_picture(inputs: Any, answer: Answer) -> Picture:
    """The template as it is laid, and each one's chance to be hit."""
    start: Burst = answer.start
    ways = placements(start)
    chosen = str(answer.choices[0].taken.option) if answer.choices else str(ways[0])
    laid = next(way for way in ways if str(way) == chosen)
    shares = {"entirely": Fraction(1), "partially": Fraction(1, 2), "missed": Fraction(0)}
    chances = {
        figure.name: Fraction(0) if figure.side == "shooter" else shares[cover]
        for figure, cover in zip(start.figures, laid.covered, strict=True)
    }
    flame = Template(laid.flame, inputs.weapon or f"{inputs.template} template")
    return Picture("How the template is laid", (flame, *everybody(start.figures, chances)), says=TO_BE_HIT)


def scatter_picture(inputs: Any, answer: Answer) -> Picture:
    """The marker over its aim, how far it went or may go, and whoever stands around."""
    start: Blast = answer.start
    aim, marker = Point(0.0, 0.0), start.shell.marker
    far = start.inches if start.fate else (5.0 if start.shell.thrown else min(10.0, start.distance / 2))
    ring = (Ring(Base(aim, far), f"{'scattered' if start.fate else 'scatters up to'} {far:g}″"),) if far else ()
    alone = {start.figures[0].name: answer.odds("hits").at_least(1)} if len(start.figures) == 1 else {}
    figures = (
        everybody(start.figures, alone)
        if inputs.models
        else tuple(
            Figure(figure.base, figure.name, figure.side, "target", alone.get(figure.name)) for figure in start.figures
        )
    )
    return Picture("Around the aim", (*ring, Marker(Base(aim, marker), "marker", hole=True), *figures), says=TO_BE_HIT)


def lingering_picture(inputs: Any, answer: Answer) -> Picture:
    """The marker that stays, and whoever stands around it."""
    start = answer.start
    marker = Marker(Base(start.marker.centre, start.marker.radius), start.marker.kind)
    alone = {start.figures[0].name: answer.odds("hits").at_least(1)} if len(start.figures) == 1 else {}
    figures = (
        everybody(start.figures, alone)
        if inputs.models
        else tuple(
            Figure(figure.base, figure.name, figure.side, "target", alone.get(figure.name)) for figure in start.figures
        )
    )
    return Picture("The marker", (marker, *figures), says=TO_BE_HIT if alone else "")
