"""The question `grenade`: a grenade thrown at a model, and all models near it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Goal, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import clause, inches, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.profiles.types import WeaponProfile
from battletape.rulesets.second_edition.questions import _board, _pictures
from battletape.rulesets.second_edition.questions import blast as blast_question
from battletape.rulesets.second_edition.questions._inputs import warnings
from battletape.rulesets.second_edition.rules import blasts, measures
from battletape.rulesets.second_edition.rules.blasts import BLAST, Blast, find_figure
from battletape.rulesets.second_edition.rules.grenades import throw_bands, throw_range
from battletape.rulesets.second_edition.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer

NEAR = tuple(_board.ModelAt(x=x, y=6.0) for x in (-2.0, 0.0, 2.0))
"""Three models side by side, 6 inches ahead."""


class GrenadeInputs(_board.AimedMarkerInputs, frozen=True):
    """A grenade, its thrower, its target, and all models near."""

    models: _board.Models = NEAR
    throw_strength: int = asked(3, "Strength of the thrower", "SE-57", group="attacker", ge=1, le=10)
    carried: int = asked(1, "Grenades of the kind that the thrower has", "SE-58", group="attacker", ge=1, le=20)
    short_range: float = asked(
        0.0, "Short range up to", "SE-16", group="weapon", unit="inches", short="Short", ge=0, le=500
    )
    long_range: float = asked(
        0.0,
        "Longest throw",
        "SE-57",
        about="(0: as far as the Strength allows)",
        group="weapon",
        unit="inches",
        ge=0,
        le=500,
    )


@clause("SE-55", "SE-57", "SE-58")
def begin_grenade(inputs: GrenadeInputs, rulings: Rulings) -> Blast:
    """Put the models in place, and return the grenade before the first die."""
    short, far = throw_bands(inputs.throw_strength, inputs.short_range, inputs.long_range)
    blast = blast_question.begin_blast(replace(inputs, short_range=short, long_range=far), rulings, thrown=True)
    return replace(blast, shot=replace(blast.shot, carried=inputs.carried))


def fits(weapon: WeaponProfile) -> str:
    """Say why a weapon is not asked about here."""
    return "" if weapon.grenade and weapon.blast is not None else "is thrown and has a blast marker (SE-55)"


def fill_grenade(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named profiles; the Strength of the thrower is that of the unit."""
    filled = _board.fill_with(given, profiles, GrenadeInputs, fits)
    if given.get("shooter") and "throw_strength" not in given:
        filled["throw_strength"] = profiles.find("unit", str(given["shooter"])).strength
    return filled


@clause("SE-57")
def throws(inputs: GrenadeInputs, rulings: Rulings) -> Table:
    """Return each model's chance for a named target; else how far each Strength throws."""
    start = begin_grenade(inputs, rulings)
    if start.target:
        return blast_question.chances(start)
    rows = tuple((str(strength), inches(throw_range(strength))) for strength in range(1, 11))
    return Table(
        "How far a grenade is thrown", ("Strength", "range"), rows, "SE-57", mark=(inputs.throw_strength - 1, 1)
    )


def chosen_table(answer: Answer) -> Table:
    """Return each model's chance, for the target that was chosen."""
    start: Blast = answer.start
    return blast_question.chances(blasts.with_target(start, find_figure(start.figures, answer.choices[0].taken.option)))


GRENADE = Question(
    "grenade",
    "Whom will a grenade hit, wherever it comes down?",
    GrenadeInputs,
    begin_grenade,
    BLAST,
    (
        measures.HITS,
        measures.KILLED,
        *_board.TARGET_MEASURES,
        *_board.RESULT_MEASURES,
        measures.FATE,
        _board.INCHES,
        measures.GRENADES_LEFT,
        Measure(
            "throw_range",
            "Longest throw",
            lambda thrown: thrown.shot.aim.long_range,
            "inches",
            usual=measures.not_shown,
        ),
        _board.GAIN,
    ),
    blast_question.blast_headline,
    fill=fill_grenade,
    table=throws,
    warn=warnings,
    stops=lambda start: words.save_lines(start.shot.hit, start.figures, start.rulings),
    lens=blasts.lens,
    branches=blasts.max_branches,
    goal=Goal(("gain",), table=chosen_table, span=blast_question.span),
    picture=_pictures.shot_picture,
    landed=_pictures.landed_picture,
    aims=("target",),
    rulings=blast_question.RULINGS,
    result=words.toll_result,
    example={
        "shooter": "Grey Lantern brothers",
        "weapon": "Frag grenade",
        "unit": "Mud clan",
        "models": ["ring 4 at 0,7 spacing 1 name=Mud", "Scout at 3,3 side=friend"],
        "target": "Mud 3",
    },
    small={
        "bs": 4,
        "models": ["ring 4 at 0,7 spacing 1.2 name=Ork", "Scout at 3,3 side=friend"],
        "target": "Ork 3",
        "strength": 3,
        "save": 6,
    },
    lead=(words.TOLL_LEAD,),
)
