"""The question `ground`: smoke, blind and other markers sent to a spot on the ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from battletape.cards import Goal, Lead, Measure, ProfileBook, Question, Table, asked, percent
from battletape.rulebook import BadInput, Meta, clause
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.profiles.types import WeaponProfile
from battletape.rulesets.second_edition.questions import _board, _pictures
from battletape.rulesets.second_edition.questions import blast as blast_question
from battletape.rulesets.second_edition.questions._inputs import hit_of_inputs, warnings
from battletape.rulesets.second_edition.rules import blasts, ground, measures
from battletape.rulesets.second_edition.rules.blasts import Blast, BlastShot, chances_of_models
from battletape.rulesets.second_edition.rules.clouds import remaining_marker
from battletape.rulesets.second_edition.rules.grenades import throw_range
from battletape.rulesets.second_edition.rules.ground import GROUND
from battletape.rulesets.second_edition.rules.to_hit import Aim
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.points import Point

if TYPE_CHECKING:
    from battletape.answer import Answer

Spot = Annotated[float, Meta(ge=-240, le=240)]


class GroundInputs(_board.TableInputs, frozen=True):
    """A marker sent to a spot, its shooter, and all models near."""

    blast: _board.Marker = 2.0
    remains: _board.Leaves = "none"
    thrown: bool = asked(False, "Thrown by hand, as a grenade", "SE-65", group="weapon")
    throw_strength: int = asked(3, "Strength of the thrower", "SE-57", group="attacker", ge=1, le=10)
    long_range: float = asked(48.0, "Range", "SE-65", group="weapon", unit="inches", ge=0, le=500)
    distance: float | None = asked(
        None, "Distance, where it was measured", "SE-65", group="circumstances", unit="inches", ge=0, le=500
    )
    x: Spot | None = asked(
        None, "Aimed at", "SE-59", about=": inches east (none: the best spot)", group="circumstances", unit="inches"
    )
    y: Spot | None = asked(None, "Aimed at", "SE-59", about=": inches north", group="circumstances", unit="inches")
    wanted: Literal["hit", "killed", "screened"] = asked(
        "hit",
        "What the shooter plays for",
        "SE-59",
        group="attacker",
        note="enemies hit or killed, less friends; or friends hidden by the marker",
    )


@clause("SE-59", "SE-63", "SE-65")
def begin_ground(inputs: GroundInputs, rulings: Rulings) -> Blast:
    """Put the models in place, and return the marker before the first die."""
    figures = _board.figures_of(inputs)
    if (inputs.x is None) != (inputs.y is None):
        raise BadInput(
            "the spot needs x and y together; got one of them only.",
            field="x" if inputs.x is None else "y",
            clause="SE-59",
        )
    if inputs.x is None and len(figures) < 2:
        raise BadInput(
            "the spot needs x and y where no model stands to aim at; got neither.", field="x", clause="SE-59"
        )
    spot = None if inputs.x is None or inputs.y is None else Point(inputs.x, inputs.y)
    reach = throw_range(inputs.throw_strength) if inputs.thrown else inputs.long_range
    aim = Aim(distance=inputs.distance, short_range=reach, long_range=reach)
    shell = BlastShot(inputs.blast, hit_of_inputs(inputs, area=True), aim, inputs.thrown, inputs.remains)
    return Blast(shell, figures, _board.shooter_of(inputs), spot=spot, goal=inputs.wanted, rulings=rulings)


def fits(weapon: WeaponProfile) -> str:
    """Say why a weapon is not asked about here."""
    return "" if weapon.blast is not None else "has a blast marker (SE-59)"


def fill_ground(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named profiles; a grenade is thrown."""
    filled = _board.fill_with(given, profiles, GroundInputs, fits)
    if given.get("weapon") and profiles.find("weapon", str(given["weapon"])).grenade:
        filled.setdefault("thrown", True)
    return filled


def ground_headline(answer: Answer) -> str:
    """Say where the marker lands, and how many models it hits."""
    start: Blast = answer.start
    fate = answer.odds("fate")
    if fate.chance("no_effect") == 1:
        return "The spot is out of range: the shot has no effect."
    best = "" if start.spot is not None else f"Aim at {answer.choices[0].taken.option if answer.choices else 'it'}: "
    covers = answer.odds("spot_covered").chance(1)
    text = f"the marker covers the spot {percent(covers)} of the time and is a dud {percent(fate.chance('dud'))}"
    opening = f"{best}{text}" if best else f"The{text[3:]}"
    return f"{opening}; {words.hits_and_kills_text(answer)}{words.friendly_risk_text(answer)}."


def chances(start: Blast) -> Table:
    """Return each model's chance to be hit and to die by a marker sent to the spot."""
    return _board.chances_table(chances_of_models(start, GROUND), "A marker on the spot", "SE-64")


@clause("SE-64")
def table(inputs: GroundInputs, rulings: Rulings) -> Table | None:
    """Return each model's chance, if the spot is named."""
    start = begin_ground(inputs, rulings)
    return chances(ground.with_spot(start, start.spot)) if start.spot is not None else None


def chosen_table(answer: Answer) -> Table:
    """Return each model's chance, for the spot that was chosen."""
    start: Blast = answer.start
    return chances(ground.with_spot(start, ground.named_spots(start)[answer.choices[0].taken.option]))


def _leaves(blast: Blast) -> str:
    marker = remaining_marker(blast.shot.remains, blast.shot.marker, blast.shot.hit)
    return (
        "nothing"
        if marker is None or blast.fate in ("dud", "no_effect")
        else f"a {marker.kind} of {marker.radius:g} inches"
    )


GROUND_QUESTION = Question(
    "ground",
    "Where does a marker land that is aimed at the ground?",
    GroundInputs,
    begin_ground,
    GROUND,
    (
        measures.happens("spot_covered", "The marker covers the very spot", lambda blast: blast.covers_spot),
        measures.happens(
            "marker_placed", "A marker is placed at all", lambda blast: blast.fate not in ("dud", "no_effect")
        ),
        measures.HITS,
        measures.KILLED,
        *_board.RESULT_MEASURES,
        measures.FATE,
        _board.INCHES,
        Measure("leaves", "What it leaves behind", _leaves, usual=lambda blast: blast.shot.remains != "none"),
        _board.GAIN,
    ),
    ground_headline,
    fill=fill_ground,
    table=table,
    warn=warnings,
    stops=lambda start: words.save_lines(start.shot.hit, start.figures, start.rulings),
    lens=blasts.lens,
    branches=blasts.max_branches,
    goal=Goal(("gain",), table=chosen_table, span=blast_question.span),
    picture=_pictures.ground_picture,
    landed=_pictures.landed_picture,
    aims=("x", "y"),
    rulings=("measuring", "ground_range", "beyond_chart", "save_order", "save_of_one"),
    result=words.toll_result,
    example={
        "weapon": "Battle cannon",
        "unit": "Mud clan",
        "x": 0.0,
        "y": 18.0,
        "models": ["ring 6 at 0,18 spacing 1 name=Mud"],
    },
    small={"x": 0.0, "y": 18.0, "models": ["ring 6 at 0,18 spacing 1 name=Ork"], "save": 6},
    lead=(Lead("spot_covered", "of the time the marker covers the spot"), words.TOLL_LEAD),
)
