"""The question `template`: a flamer's template, laid to catch most enemies and fewest friends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Goal, Measure, ProfileBook, Question, Table, asked, percent
from battletape.rulebook import capital, clause, raise_if_refused
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.profiles.types import Template, TemplateName, WeaponProfile
from battletape.rulesets.second_edition.questions import _board, _pictures
from battletape.rulesets.second_edition.questions import blast as blast_question
from battletape.rulesets.second_edition.questions._inputs import hit_of_inputs, warnings
from battletape.rulesets.second_edition.rules import blasts, measures
from battletape.rulesets.second_edition.rules.blasts import find_figure
from battletape.rulesets.second_edition.rules.keywords import INCENDIARY
from battletape.rulesets.second_edition.rules.templates import (
    TEMPLATE,
    TemplateAttack,
    placements,
    refuse_template,
    teardrop_of,
)
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.table.teardrops import on_axis, signed_distance

if TYPE_CHECKING:
    from battletape.answer import Answer

NEAR = tuple(_board.ModelAt(x=x, y=y) for x, y in ((-1.5, 5.0), (0.0, 5.0), (1.5, 5.0), (0.0, 7.0)))
"""Four models, three of them side by side."""


class TemplateInputs(_board.TableInputs, frozen=True):
    """A template weapon, its shooter, and all models near."""

    models: _board.Models = NEAR
    template: TemplateName = asked("medium", "Template", "SE-9", group="weapon")
    length: float = asked(8.5, "Length of the template", "SE-9", group="weapon", unit="inches", ge=-24, le=24)
    end_radius: float = asked(1.25, "Radius of its round end", "SE-9", group="weapon", unit="inches", ge=-12, le=12)
    target: str = asked("", "Model aimed at", "SE-82", group="target", among=_board.aims)
    heading: float | None = asked(
        None,
        "Heading of the template",
        "SE-82",
        about="(none: the best one)",
        group="circumstances",
        unit="degrees",
        ge=0,
        le=360,
    )
    wanted: _board.ShooterGoal = "hit"


@clause("SE-9", "SE-81", "SE-82")
def begin_template(inputs: TemplateInputs, rulings: Rulings) -> TemplateAttack:
    """Put the models in place; refuse a template that reaches no enemy."""
    figures = _board.figures_of(inputs)
    _board.enemies(figures)
    target = find_figure(figures, inputs.target).name if inputs.target else ""
    shape = teardrop_of(Template(name=inputs.template, length=inputs.length, radius=inputs.end_radius))
    hit = hit_of_inputs(inputs, area=True)
    attack = TemplateAttack(
        shape, hit, figures, _board.shooter_of(inputs), target, inputs.heading, goal=inputs.wanted, rulings=rulings
    )
    raise_if_refused(refuse_template(attack))
    return attack


def fits(weapon: WeaponProfile) -> str:
    """Say why a weapon is not asked about here."""
    return "" if weapon.template is not None else "uses a flamer template (SE-81)"


def fill_template(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named profiles, and the size of the named template."""
    filled = _board.fill_with(given, profiles, TemplateInputs, fits)
    usual = TemplateInputs()
    named = profiles.find("template", str(filled.get("template") or usual.template))
    sizes = {"length": named.length, "end_radius": named.radius}
    return {**{name: size for name, size in sizes.items() if size != getattr(usual, name)}, **filled}


def template_headline(answer: Answer) -> str:
    """Return how to lay it, and what it does."""
    start: TemplateAttack = answer.start
    ways = placements(start)
    best = str(answer.choices[0].taken.option) if answer.choices else str(ways[0])
    laid = next(way for way in ways if str(way) == best)
    fires = f", {percent(answer.odds('on_fire').at_least(1))} that a model burns" if measures.may_burn(start) else ""
    return f"{capital(laid.description)}: {words.hits_and_kills_text(answer)}{fires}{words.friendly_risk_text(answer)}."


@clause("SE-84")
def table(inputs: TemplateInputs, rulings: Rulings) -> Table:
    """List each model under the template as it is laid first: how far from its rim, and how covered."""
    return laid_table(begin_template(inputs, rulings), 0)


def laid_table(attack: TemplateAttack, index: int) -> Table:
    """List each model under a template: how far inside (negative) or outside its rim, and how covered."""
    laid, rows = placements(attack)[index], []
    for figure, cover in zip(attack.figures, laid.covered, strict=True):
        if figure.side != "shooter":
            away, part = signed_distance(attack.template, *on_axis(laid.flame, figure.base.centre))
            rows.append((figure.name, figure.side, f"{away:.9g}", part, cover))
    return Table(
        f"The template {laid.description}",
        ("model", "side", "from the rim", "nearest part", "covered"),
        tuple(rows),
        "SE-84",
    )


def chosen_table(answer: Answer) -> Table:
    """Return each model under the template as it was chosen."""
    start: TemplateAttack = answer.start
    names = [str(way) for way in placements(start)]
    return laid_table(start, names.index(str(answer.choices[0].taken.option)))


TEMPLATE_QUESTION = Question(
    "template",
    "How is a template laid best, and what does it do?",
    TemplateInputs,
    begin_template,
    TEMPLATE,
    (
        measures.HITS,
        measures.KILLED,
        *_board.RESULT_MEASURES,
        Measure("placement", "How it is laid", lambda attack: str(attack.placement), usual=measures.not_shown),
        _board.GAIN,
    ),
    template_headline,
    fill=fill_template,
    table=table,
    warn=warnings,
    stops=lambda attack: words.save_lines(attack.hit, attack.figures, attack.rulings),
    lens=blasts.lens,
    branches=blasts.max_branches,
    goal=Goal(("gain",), table=chosen_table, span=blast_question.span),
    picture=_pictures.template_picture,
    aims=("target", "heading"),
    rulings=("template_tip", "beyond_chart", "save_order", "save_of_one"),
    result=words.toll_result,
    example={
        "weapon": "Flamer",
        "unit": "Mud clan",
        "models": ["two ranks 8 at 0,6 spacing 0.5 name=Mud", "Scout at 2,3 side=friend"],
        "target": "Mud 8",
    },
    small={
        "models": ["cluster 6 at 0,6 spacing 0.4 name=Ork", "Scout at 2,5 side=friend"],
        "save": 6,
        "save_modifier": -2,
        INCENDIARY: True,
    },
    lead=(words.TOLL_LEAD,),
)
