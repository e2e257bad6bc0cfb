"""Pictures of a table for the questions about markers and templates: who stands where, and each one's chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from battletape.procedure import Stage, odds_of
from battletape.rulesets.second_edition.rules import blasts, ground
from battletape.rulesets.second_edition.rules.blasts import (
    BLAST,
    Blast,
    Side,
    each_chance,
    find_figure,
    fold_all,
    models_under,
    strike_one,
)
from battletape.rulesets.second_edition.rules.clouds import Lingering, cloud_course, plasma_course
from battletape.rulesets.second_edition.rules.dice import ARTILLERY
from battletape.rulesets.second_edition.rules.ground import GROUND
from battletape.rulesets.second_edition.rules.scatter import scattered
from battletape.rulesets.second_edition.rules.templates import Burst, placements
from battletape.table.bases import Base
from battletape.table.picture import Arrow, Figure, Marker, Picture, Ring, Template, Thing, Tone
from battletape.table.points import apart, towards

if TYPE_CHECKING:
    from battletape.answer import Answer

TO_BE_HIT = "chance to be hit"
TONES: dict[Side, Tone] = {"enemy": "target", "friend": "around", "shooter": "acts"}
INCHES = tuple(sorted(face for face in ARTILLERY.faces if isinstance(face, int)))
"""The inches that the Artillery die shows."""


def everybody(
    figures: Sequence[blasts.Figure], chances: Mapping[str, Fraction], *, aimed: bool = False
) -> tuple[Figure, ...]:
    """The models with their chances; each can be dragged to another place, and an enemy may be `aimed` at by a tap."""
    own = [figure for figure in figures if figure.side != "shooter"]
    drags = {figure.name: (f"models.{at}.x", f"models.{at}.y") for at, figure in enumerate(own)}
    return tuple(
        Figure(
            figure.base,
            figure.name,
            figure.side,
            TONES[figure.side],
            chances.get(figure.name),
            drag=drags.get(figure.name, ("shooter_x", "shooter_y")),
            tap=f"target={figure.name}" if aimed and figure.side == "enemy" else "",
        )
        for figure in figures
    )


def shot_picture(inputs: Any, answer: Answer) -> Picture:
    """A shot or throw at a model: the marker over it, how far it may scatter, and the chance of each to be hit."""
    start: Blast = answer.start
    if not start.target:
        start = blasts.aimed(start, find_figure(start.figures, answer.choices[0].taken.option))
    assert start.spot is not None
    chances = {chance.name: chance.hit for chance in each_chance(start, BLAST)}
    return _marker_picture(start, chances, inputs.weapon, None)


def ground_picture(inputs: Any, answer: Answer) -> Picture:
    """A marker on a spot, how far it may scatter, and each one's chance to be hit."""
    start: Blast = answer.start
    named = start.spot
    spot = ground.places(start)[answer.choices[0].taken.option] if named is None and answer.choices else named
    start = ground.aimed_at(start, spot or next(iter(ground.places(start).values())))
    chances = {chance.name: chance.hit for chance in each_chance(start, GROUND)}
    return _marker_picture(start, chances, inputs.weapon, ("x", "y"))


def _marker_picture(start: Blast, chances: Mapping[str, Fraction], name: str, drag: tuple[str, str] | None) -> Picture:
    assert start.spot is not None
    spot, shooter = start.spot, start.shooter.centre
    over = any(apart(spot, figure.base.centre) <= figure.base.radius for figure in start.figures)
    things: list[Thing] = [
        *_reach(start),
        Arrow(shooter, towards(spot, shooter, start.shell.marker), f"{round(start.distance, 1):g}″", dashed=True),
        Marker(Base(spot, start.shell.marker), name or "marker", hole=not over, drag=drag),
        *everybody(start.figures, chances, aimed=drag is None),
    ]
    return Picture("Where the marker may come down", tuple(things), says=TO_BE_HIT)


def _reach(start: Blast) -> tuple[Ring, ...]:
    """How far the marker has scattered, or how far it may: a ring for every number of the Artillery die."""
    if start.spot is None:
        return ()
    spot = start.spot
    if start.fate:
        return (Ring(Base(spot, start.inches), f"scattered {_inches(start.inches)}"),) if start.inches else ()
    reach = dict.fromkeys(scattered(inches, start.distance, start.shell.thrown) for inches in INCHES)
    return tuple(Ring(Base(spot, inches), _inches(inches), about="may scatter") for inches in reach if inches)


def _inches(inches: float) -> str:
    return f"{round(inches, 1):g}″"


def template_picture(inputs: Any, answer: Answer) -> Picture:
    """The template as it is laid, and each one's chance to be hit."""
    start: Burst = answer.start
    ways = placements(start)
    chosen = str(answer.choices[0].taken.option) if answer.choices else str(ways[0])
    laid = next(way for way in ways if str(way) == chosen)
    under = models_under(start.figures, laid.covered, start.hit, laid.target, rules=start.rules)
    chances = {figure.name: Fraction(0) for figure in start.figures} | {
        model.name: odds_of(strike_one, model).chance(lambda struck: struck is not None)
        for model in under
        if model.role != "shooter"
    }
    flame = Template(laid.flame, inputs.weapon or f"{inputs.template} template")
    return Picture("How the template is laid", (flame, *everybody(start.figures, chances)), says=TO_BE_HIT)


def scatter_picture(inputs: Any, answer: Answer) -> Picture:
    """The marker over its aim, how far it went or may go, and the chance of everybody around to be hit."""
    start: Blast = answer.start
    assert start.spot is not None
    chances = alone(start, (blasts.scatter, blasts.land, blasts.strike), lambda after: bool(after.toll.struck))
    marker = Marker(Base(start.spot, start.shell.marker), inputs.weapon or "marker", hole=True)
    around = _around(inputs, start.figures, chances)
    return Picture("Around the aim", (*_reach(start), marker, *around), says=TO_BE_HIT)


def lingering_picture(inputs: Any, answer: Answer) -> Picture:
    """The marker that stays, and the chance of everybody around to be hit before the last of its tests."""
    start: Lingering = answer.start
    course = cloud_course(1) if start.marker.kind == "cloud" else plasma_course(start.course)  # a cloud may drift off
    harmless = replace(start, marker=replace(start.marker, hit=replace(start.marker.hit, strength=None)))
    chances = alone(harmless, course.stages, lambda after: after.hits > 0)  # what a hit does makes no difference
    name = inputs.weapon or ("cloud" if start.marker.kind == "cloud" else "plasma ball")
    marker = Marker(Base(start.marker.centre, start.marker.radius), name)
    return Picture("The marker", (marker, *_around(inputs, start.figures, chances)), says=TO_BE_HIT if chances else "")


def alone(start: Any, stages: tuple[Stage, ...], is_hit: Callable[[Any], bool]) -> dict[str, Fraction]:
    """Each model's chance to be hit: the same stages with nobody else near, since others make no difference to it."""
    return {
        figure.name: odds_of(fold_all, replace(start, figures=(figure,)), stages).chance(is_hit)
        for figure in start.figures
    }


def _around(inputs: Any, figures: Sequence[blasts.Figure], chances: Mapping[str, Fraction]) -> tuple[Figure, ...]:
    """The models of the list, which can be dragged, or the one that is described by its distance."""
    if inputs.models:
        return everybody(figures, chances)
    return tuple(Figure(figure.base, figure.name, figure.side, chance=chances[figure.name]) for figure in figures)
