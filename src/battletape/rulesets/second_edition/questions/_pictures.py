"""Pictures of a table for the questions about markers and templates: the models, each with its chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from battletape.rulebook import Stage, odds_of, odds_of_each, replace, without_number
from battletape.rulesets.second_edition.rules import blasts, ground
from battletape.rulesets.second_edition.rules.clouds import MarkerTest, cloud_tests, plasma_tests
from battletape.rulesets.second_edition.rules.dice import ARTILLERY
from battletape.rulesets.second_edition.rules.ground import GROUND
from battletape.rulesets.second_edition.rules.scatter import scatter_inches
from battletape.rulesets.second_edition.rules.templates import TemplateAttack, placements
from battletape.table import picture
from battletape.table.bases import Base
from battletape.table.points import apart, towards

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll

TO_BE_HIT = "chance to be hit"
Chances = Mapping[str, Fraction | None]
"""The chance of each model, by its name; None where there was no time for it."""
TONES: dict[blasts.Side, picture.Tone] = {"enemy": "target", "friend": "around", "shooter": "acts"}
INCHES = tuple(sorted(face for face in ARTILLERY.faces if isinstance(face, int)))
"""The inches that the Artillery die shows."""


def drawn_models(
    figures: Sequence[blasts.Figure], chances: Chances, *, also: str | None = None
) -> tuple[picture.Figure, ...]:
    """Draw the models with their chances; each can be dragged to another place.

    Where `also` is given, a tap on an enemy aims at it, and sets that too.
    """
    own = [figure for figure in figures if figure.side != "shooter"]
    drags = {figure.name: (f"models.{index}.x", f"models.{index}.y") for index, figure in enumerate(own)}
    return tuple(
        picture.Figure(
            figure.base,
            figure.name,
            figure.side,
            TONES[figure.side],
            chances.get(figure.name),
            drag=drags.get(figure.name, ("shooter_x", "shooter_y")),
            tap=f"target={figure.name}{also}" if also is not None and figure.side == "enemy" else "",
            kind=without_number(figure.name),
        )
        for figure in figures
    )


def shot_picture(inputs: Any, answer: Answer) -> picture.Picture:
    """Draw a shot or throw at a model: the marker over it, its scatter, and each model's chance to be hit."""
    start: blasts.Blast = answer.start
    if not start.target:
        start = blasts.with_target(start, blasts.find_figure(start.figures, answer.choices[0].taken.option))
    assert start.spot is not None
    chances = {chance.name: chance.hit for chance in blasts.chances_of_models(start, blasts.BLAST)}
    return _marker_picture(start, chances, inputs.weapon, None)


def ground_picture(inputs: Any, answer: Answer) -> picture.Picture:
    """Draw a marker on a spot, how far it may scatter, and each model's chance to be hit."""
    start: blasts.Blast = answer.start
    named = start.spot
    spot = ground.named_spots(start)[answer.choices[0].taken.option] if named is None and answer.choices else named
    start = ground.with_spot(start, spot or next(iter(ground.named_spots(start).values())))
    chances = {chance.name: chance.hit for chance in blasts.chances_of_models(start, GROUND)}
    return _marker_picture(start, chances, inputs.weapon, ("x", "y"))


def _marker_picture(start: blasts.Blast, chances: Chances, name: str, drag: tuple[str, str] | None) -> picture.Picture:
    assert start.spot is not None
    spot, shooter = start.spot, start.shooter.centre
    covered = any(apart(spot, figure.base.centre) <= figure.base.radius for figure in start.figures)
    shapes: list[picture.Thing] = [
        *_reach(start),
        picture.Arrow(
            shooter, towards(spot, shooter, start.shot.marker), f"{round(start.distance, 1):g}″", dashed=True
        ),
        picture.Marker(Base(spot, start.shot.marker), name or "marker", hole=not covered, drag=drag),
        *drawn_models(start.figures, chances, also="" if drag is None else None),
    ]
    return picture.Picture("Where the marker may come down", tuple(shapes), says=TO_BE_HIT)


def landed_picture(roll: Roll) -> picture.Picture | None:
    """Draw the marker where the roll put it, and the models that it hit."""
    blast: blasts.Blast = roll.state
    if blast.spot is None or blast.fate in ("dud", "no_effect"):
        return None
    struck = {struck.name: "killed" if struck.dead else "hit" for struck in blast.results.records}
    shapes = picture.came_down(
        blast.spot, roll.bearing, blast.inches, blast.shot.marker, roll.inputs.weapon or "marker"
    )
    figures = (
        picture.Figure(
            figure.base,
            figure.name,
            figure.side,
            TONES[figure.side],
            label={"killed": "✕", "hit": "hit"}.get(struck.get(figure.name, ""), ""),
            about=struck.get(figure.name, ""),
            kind=without_number(figure.name),
        )
        for figure in roll.played.stages[0][1].figures  # the models that stood there when it began
        if figure.side != "shooter" or figure.name in struck
    )
    return picture.Picture("Where the marker came down", (*shapes, *figures))


def _reach(start: blasts.Blast) -> tuple[picture.Ring, ...]:
    """Return how far the marker has scattered, or how far it may: a ring for every number of the Artillery die."""
    if start.spot is None:
        return ()
    spot = start.spot
    if start.fate:
        return (picture.Ring(Base(spot, start.inches), f"scattered {_inches(start.inches)}"),) if start.inches else ()
    reach = dict.fromkeys(scatter_inches(inches, start.distance, start.shot.thrown) for inches in INCHES)
    return tuple(picture.Ring(Base(spot, inches), _inches(inches), about="may scatter") for inches in reach if inches)


def _inches(inches: float) -> str:
    return f"{round(inches, 1):g}″"


def template_picture(inputs: Any, answer: Answer) -> picture.Picture:
    """Draw the template as it is laid, and each model's chance to be hit."""
    start: TemplateAttack = answer.start
    ways = placements(start)
    chosen = str(answer.choices[0].taken.option) if answer.choices else str(ways[0])
    laid = next(way for way in ways if str(way) == chosen)
    under = blasts.models_under(start.figures, laid.covered, start.hit, laid.target, rulings=start.rulings)
    chances = {figure.name: Fraction(0) for figure in start.figures} | {
        model.name: odds_of(blasts.hit_model, model).chance(lambda struck: struck is not None)
        for model in under
        if model.role != "shooter"
    }
    flame = picture.Template(laid.flame, inputs.weapon or f"{inputs.template} template")
    models = drawn_models(start.figures, chances, also=";heading=")
    return picture.Picture("How the template is laid", (flame, *models), says=TO_BE_HIT)


def scatter_picture(inputs: Any, answer: Answer) -> picture.Picture:
    """Draw the marker over its aim, how far it went or may go, and each model's chance to be hit."""
    start: blasts.Blast = answer.start
    assert start.spot is not None
    stages = (blasts.scatter, blasts.land, blasts.hit_models_under)
    chances = alone(answer, start, stages, lambda after: bool(after.results.records))
    marker = picture.Marker(Base(start.spot, start.shot.marker), inputs.weapon or "marker", hole=True)
    around = _around(inputs, start.figures, chances)
    return picture.Picture("Around the aim", (*_reach(start), marker, *around), says=_says(chances))


def lingering_picture(inputs: Any, answer: Answer) -> picture.Picture:
    """Draw the marker that stays, and each model's chance to be hit before the last of its tests."""
    start: MarkerTest = answer.start
    course = (
        cloud_tests(1) if start.marker.kind == "cloud" else plasma_tests(start.tests_ahead)
    )  # a cloud may drift off
    harmless = replace(start, marker=replace(start.marker, hit=replace(start.marker.hit, strength=None)))
    chances = alone(
        answer, harmless, course.stages, lambda after: after.hits > 0
    )  # what a hit does makes no difference
    name = inputs.weapon or ("cloud" if start.marker.kind == "cloud" else "plasma ball")
    marker = picture.Marker(Base(start.marker.centre, start.marker.radius), name)
    return picture.Picture("The marker", (marker, *_around(inputs, start.figures, chances)), says=_says(chances))


def alone(answer: Answer, start: Any, stages: tuple[Stage, ...], is_hit: Callable[[Any], bool]) -> Chances:
    """Return each model's chance to be hit: the same stages with no other near, since others make no difference to it.

    Where there is no time for all of them, some have none.
    """
    calls = [(replace(start, figures=(figure,)), stages) for figure in start.figures]
    every = zip(start.figures, odds_of_each(blasts.play_stages, calls, answer.left), strict=True)
    return {figure.name: None if odds.unexplored_weight else odds.chance(is_hit) for figure, odds in every}


def _says(chances: Chances) -> str:
    """Return what the chances are, and whether some are missing."""
    if not chances:
        return ""
    return f"{TO_BE_HIT} (there was no time for everybody)" if None in chances.values() else TO_BE_HIT


def _around(inputs: Any, figures: Sequence[blasts.Figure], chances: Chances) -> tuple[picture.Figure, ...]:
    """Return the models of the list, which can be dragged, or the one that is described by its distance."""
    if inputs.models:
        return drawn_models(figures, chances)
    return tuple(
        picture.Figure(figure.base, figure.name, figure.side, chance=chances[figure.name]) for figure in figures
    )
