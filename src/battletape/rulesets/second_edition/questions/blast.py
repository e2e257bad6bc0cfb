"""The question `blast`: a blast weapon at a model, with all models near, and each one's chance to be hit and to die."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Goal, ProfileBook, Question, Table, percent
from battletape.rulebook import capital, clause, raise_if_refused
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.profiles.types import WeaponProfile
from battletape.rulesets.second_edition.questions import _board, _pictures
from battletape.rulesets.second_edition.questions._inputs import aim_of, hit_of_inputs, warnings
from battletape.rulesets.second_edition.rules import blasts, measures
from battletape.rulesets.second_edition.rules.blasts import BLAST, Blast, BlastShot, chances_of_models, find_figure
from battletape.rulesets.second_edition.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer

RULINGS = ("measuring", "above_six", "stays_put", "beyond_chart", "save_order", "save_of_one")


class BlastInputs(_board.AimedMarkerInputs, frozen=True):
    """A blast weapon, its shooter, its target and all models near."""


@clause("SE-33", "SE-34", "SE-40")
def begin_blast(inputs: Any, rulings: Rulings, *, thrown: bool = False) -> Blast:
    """Put the models in place, and return the shot before the first die."""
    figures = _board.figures_of(inputs)
    names = _board.enemies(figures)
    named = find_figure(figures, inputs.target) if inputs.target else None
    if named is not None:
        raise_if_refused(blasts.refuse_aim(named, names))
    target = named.name if named else names[0] if len(names) == 1 else ""
    shell = BlastShot(inputs.blast, hit_of_inputs(inputs, area=True), aim_of(inputs), thrown)
    blast = Blast(shell, figures, _board.shooter_of(inputs), target, goal=inputs.wanted, rulings=rulings)
    return blasts.with_target(blast, find_figure(figures, target)) if target else blast


def fits(weapon: WeaponProfile) -> str:
    """Say why a weapon is not asked about here."""
    if weapon.grenade:
        return "is fired (ask grenade about a grenade, SE-55)"
    return "" if weapon.blast is not None else "has a blast marker (SE-33)"


def fill_blast(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named profiles."""
    return _board.fill_with(given, profiles, BlastInputs, fits)


def blast_headline(answer: Answer) -> str:
    """Say how likely the target is hit and killed, and how many models are hit."""
    start: Blast = answer.start
    target = start.target or answer.choices[0].taken.option
    if answer.odds("fate").chance("no_effect") == 1:
        return f"{capital(target)} is out of range: the shot has no effect."
    best = "" if start.target else f"Aim at {target}: "
    hit, dies = answer.odds("target_hit").chance(1), answer.odds("target_killed").chance(1)
    text = f"{target} is hit {percent(hit)} and killed {percent(dies)} of the time; {words.hits_and_kills_text(answer)}"
    return f"{best}{text if best else capital(text)}{words.friendly_risk_text(answer)}."


@clause("SE-53")
def table(inputs: Any, rulings: Rulings) -> Table | None:
    """Return each model's chance, if the target is named."""
    start = begin_blast(inputs, rulings)
    return chances(start) if start.target else None


def chances(start: Blast) -> Table:
    """Return each model's chance to be hit and to die by a shot at the target."""
    return _board.chances_table(chances_of_models(start, BLAST), f"A blast at {start.target}", "SE-53")


def chosen_table(answer: Answer) -> Table:
    """Return each model's chance, for the target that was chosen."""
    start: Blast = answer.start
    return chances(blasts.with_target(start, find_figure(start.figures, answer.choices[0].taken.option)))


def span(start: Blast) -> tuple[int, int]:
    """Return the least and the most that a shot can come to: all friends, or all enemies."""
    foes = sum(figure.side == "enemy" for figure in start.figures)
    return foes - len(start.figures), foes


BLAST_QUESTION = Question(
    "blast",
    "Whom will a blast hit, wherever it comes down?",
    BlastInputs,
    begin_blast,
    BLAST,
    (
        measures.HITS,
        measures.KILLED,
        *_board.TARGET_MEASURES,
        *_board.RESULT_MEASURES,
        measures.FATE,
        _board.INCHES,
        _board.GAIN,
    ),
    blast_headline,
    fill=fill_blast,
    table=table,
    warn=warnings,
    stops=lambda start: words.save_lines(start.shot.hit, start.figures, start.rulings),
    lens=blasts.lens,
    branches=blasts.max_branches,
    goal=Goal(("gain",), table=chosen_table, span=span),
    picture=_pictures.shot_picture,
    landed=_pictures.landed_picture,
    aims=("target",),
    rulings=RULINGS,
    result=words.toll_result,
    example={
        "shooter": "Grey Lantern gunners",
        "weapon": "Missile launcher, frag",
        "unit": "Mud clan",
        "models": ["two ranks 6 at 0,18 spacing 0.6 name=Mud", "Scout at 3,13 side=friend"],
        "target": "Mud 2",
    },
    small={
        "bs": 4,
        "models": ["two ranks 6 at 0,18 spacing 0.6 name=Ork", "Scout at 3,13 side=friend"],
        "target": "Ork 2",
        "save": 6,
        "save_modifier": -1,
    },
    lead=(words.TOLL_LEAD,),
)
