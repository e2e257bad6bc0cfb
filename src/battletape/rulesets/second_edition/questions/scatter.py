"""The question `scatter`: where a marker may come down, by the dice or after a known distance, and what it covers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import ProfileBook, Question, Table, asked, percent
from battletape.rulebook import Procedure, clause, inches
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.questions import _board, _pictures
from battletape.rulesets.second_edition.questions._inputs import WeaponInputs, hit_of_inputs, warnings
from battletape.rulesets.second_edition.rules import blasts, measures
from battletape.rulesets.second_edition.rules.blasts import Blast, BlastShot, scatter
from battletape.rulesets.second_edition.rules.to_hit import Aim
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.bases import Base, base_radius
from battletape.table.bearings import reach_angle, reach_cosine
from battletape.table.markers import marker_reach
from battletape.table.points import TOLERANCE, Point, apart, bearing, exact, step

if TYPE_CHECKING:
    from battletape.answer import Answer

Kind = Literal["shot", "grenade", "ground", "ground_grenade"]
AIM = Point(0.0, 0.0)


class ScatterInputs(WeaponInputs, frozen=True):
    """A marker, how far it went or how it was sent, and the models around its aim at 0, 0."""

    blast: _board.Marker = 2.0
    kind: Kind = asked("shot", "How it was sent", "SE-42", group="weapon")
    scattered: float | None = asked(
        None,
        "Inches scattered, if that is known",
        "SE-43",
        about="(none: roll for it)",
        group="circumstances",
        unit="inches",
        ge=0,
        le=40,
    )
    far: float = asked(24.0, "Distance to the target", "SE-49", group="circumstances", unit="inches", ge=0, le=500)
    away: float = asked(2.0, "A model so far off the aim", "SE-51", group="target", unit="inches", ge=0, le=60)
    bearing: float = asked(0.0, "On this bearing from the aim", "SE-51", group="target", unit="degrees", ge=0, le=360)
    base: float = asked(25.0, "Its base", "SE-10", group="target", unit="mm", ge=0, le=300)
    radius: float | None = asked(
        None, "The radius of its base, where it is known in inches", "SE-10", group="target", unit="inches", ge=0, le=12
    )
    models: tuple[_board.ModelAt, ...] = asked(
        (), "Or several models, with the aim at 0, 0", "SE-52", group="target", short="model"
    )


def placed(inputs: ScatterInputs) -> tuple[_board.ModelAt, ...]:
    """Return the models around the aim: those of the list, or the one that is described by its distance and bearing."""
    if inputs.models:
        return inputs.models
    spot = step(AIM, inputs.bearing, inputs.away)
    return (_board.ModelAt(name="model", x=spot.x, y=spot.y, base=inputs.base, radius=inputs.radius),)


@clause("SE-42", "SE-50", "SE-51", "SE-52")
def begin_scatter(inputs: ScatterInputs, rulings: Rulings) -> Blast:
    """Return the marker over its aim, and all models around it."""
    figures = _board.figures_of(inputs, with_shooter=False, models=placed(inputs))
    thrown = inputs.kind.endswith("grenade")
    shell = BlastShot(inputs.blast, hit_of_inputs(inputs, area=True), Aim(), thrown)
    shooter = Base(step(AIM, 180, inputs.far), 0.0)
    known = inputs.scattered
    return Blast(
        shell,
        figures,
        shooter,
        target="" if inputs.kind.startswith("ground") else "the aim",
        spot=AIM,
        distance=inputs.far,
        fate="" if known is None else "moves",
        inches=known or 0.0,
        rulings=rulings,
    )


def fill_scatter(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named profiles."""
    return _board.fill_with(
        given, profiles, ScatterInputs, lambda weapon: "" if weapon.blast is not None else "has a blast marker (SE-33)"
    )


def scatter_headline(answer: Answer) -> str:
    """Say how likely a model lies under the marker."""
    hits, start = answer.odds("hits"), answer.start
    moved = f"after {inches(start.inches)}" if start.fate else "by the dice"
    if len(start.figures) == 1:
        name = start.figures[0].name
        whom = "the model" if name == "model" else name
        return f"Scattering {moved}, the marker hits {whom} {percent(hits.at_least(1))} of the time."
    return f"Scattering {moved}, the marker hits {float(hits.mean):.1f} of {len(start.figures)} models on average."


@clause("SE-39", "SE-50", "SE-51", "SE-8")
def table(inputs: ScatterInputs, rulings: Rulings) -> Table:
    """Return for each model where it may stand to be covered or touched, and on which bearings a scatter does it."""
    rows = []
    for number, model in enumerate(placed(inputs), 1):
        radius = base_radius(model.base) if model.radius is None else exact(model.radius)
        whole, touched = marker_reach(exact(inputs.blast), radius)
        row = [model.name or f"{model.side} {number}", str(radius), str(whole), str(touched)]
        rows.append((*row, *_arcs(inputs, model, float(whole), float(touched))))
    head = ("model", "base radius", "entirely within", "touched within")
    more = ("cosine entirely", "cosine touched", "entirely on bearings", "touched on bearings")
    return Table("The marker and each base", (*head, *more), tuple(rows), "SE-51")


def _arcs(inputs: ScatterInputs, model: _board.ModelAt, whole: float, touched: float) -> tuple[str, str, str, str]:
    """Return the cosines of SE-51 and the bearings they mean; dashes where no direction is needed."""
    spot, moved = Point(model.x, model.y), inputs.scattered
    away = inputs.away if not inputs.models else apart(AIM, spot)
    if not moved or away <= TOLERANCE:
        return "-", "-", "-", "-"
    middle = inputs.bearing if not inputs.models else bearing(AIM, spot)
    ranges = []
    for limit in (whole, touched):
        half = reach_angle(away, moved, limit)
        ranges.append(f"{middle - half:.9f} to {middle + half:.9f}" if 0 < half < 180 else "all" if half else "none")
    entirely, touch = (str(reach_cosine(away, moved, limit)) for limit in (whole, touched))
    return entirely, touch, ranges[0], ranges[1]


SCATTER = Question(
    "scatter",
    "Where may a marker come down, and whom does it cover?",
    ScatterInputs,
    begin_scatter,
    Procedure("scatter", (scatter, blasts.land, blasts.hit_models_under)),
    (
        measures.HITS,
        measures.KILLED,
        *(measure for measure in _board.RESULT_MEASURES if measure.name not in ("covered", "touched")),
        measures.always_shown(_board.COVERED),
        measures.always_shown(_board.TOUCHED),
        measures.FATE,
        measures.always_shown(_board.INCHES),
        measures.happens(
            "marker_placed", "A marker is placed at all", lambda blast: blast.fate != "dud", usual=measures.not_shown
        ),
        measures.happens(
            "spot_covered", "The marker covers the very aim", lambda blast: blast.covers_spot, usual=measures.not_shown
        ),
        measures.happens(
            "weapon_destroyed",
            "The weapon is destroyed",
            lambda blast: blast.fate == "on_shooter",
            usual=measures.not_shown,
        ),
    ),
    scatter_headline,
    fill=fill_scatter,
    table=table,
    warn=warnings,
    stops=lambda start: words.save_lines(start.shot.hit, start.figures, start.rulings),
    lens=blasts.lens,
    picture=_pictures.scatter_picture,
    landed=_pictures.landed_picture,
    rulings=("beyond_chart", "save_order", "save_of_one"),
    result=words.toll_result,
    example={
        "weapon": "Missile launcher, frag",
        "unit": "Mud clan",
        "scattered": 4.0,
        "models": ["cluster 5 at 0,3 spacing 0.5 name=Mud"],
    },
    small={"scattered": 4.0, "models": ["cluster 5 at 0,3 spacing 0.5 name=Ork"]},
    lead=(words.TOLL_LEAD,),
)
