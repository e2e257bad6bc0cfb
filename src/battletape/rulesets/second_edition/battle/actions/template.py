"""The action `template`: a flamer's template over a target, with the heading that the shooter likes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from battletape.cards import Action, Inputs, Plan, asked
from battletape.rulebook import Tape, clause, raise_if_refused, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.actions import _orders as orders
from battletape.rulesets.second_edition.battle.actions._orders import Inches, InSight, Shot
from battletape.rulesets.second_edition.battle.state import (
    CarriedWeapon,
    Fighter,
    State,
    after_firing,
    after_hits,
    figure_of,
    figures_near,
    measured_field,
)
from battletape.rulesets.second_edition.rules import blasts, templates
from battletape.rulesets.second_edition.rules.keywords import hit_of
from battletape.rulesets.second_edition.rules.measures import AREA_MEASURES
from battletape.rulesets.second_edition.rules.templates import TEMPLATE, TemplateAttack, teardrop_of


class TemplateOrder(Inputs, frozen=True):
    """A model lays a template over another; without a heading the shooter is asked."""

    unwritten: ClassVar = ("in_sight",)
    cover: ClassVar = "none"
    modifier: ClassVar = 0  # there is no roll To Hit

    unit: str = asked("", "Model that fires")
    weapon: str = ""
    target: str = asked("", "Model under the round end")
    heading: float | None = asked(
        None, "Heading of the template", about="(none: asked when it is laid)", unit="degrees", ge=0, le=360
    )
    distance: Inches = None
    in_sight: InSight = False


@clause("SE-9", "SE-81", "SE-82")
def plan_template(state: State, order: TemplateOrder) -> Plan:
    """Refuse a template that does not reach the target; other models under it forbid nothing."""
    shot = orders.shot_at(state, order, "template")
    fighter, target, template = shot.fighter, shot.target, shot.weapon.template
    assert template is not None
    field = measured_field(state, fighter, target, shot.shown)
    (own,), (aim,) = (field.position(each.name).bases for each in (fighter, target))
    pair = figure_of(fighter, own, "shooter"), figure_of(target, aim, "enemy")
    shape, hit = teardrop_of(template), hit_of(shot.weapon.weapon)
    attack = TemplateAttack(shape, hit, pair, own, target.name, order.heading, rulings=state.rulings)
    raise_if_refused(templates.refuse_template(attack))
    return Plan(begin_template, state, shot, attack, template.length).then(end_template, state, fighter, shot.weapon)


@clause("SE-9", "SE-81", "SE-82")
def begin_template(tape: Tape, state: State, shot: Shot, attack: TemplateAttack, length: float) -> TemplateAttack:
    """Add every model that the template may reach; where the players measured, there are the two models alone."""
    field = measured_field(state, shot.fighter, shot.target, shot.shown)
    figures = figures_near(state, field, shot.fighter, attack.shooter.centre, length + shot.fighter.radius)
    if shot.target.name not in (figure.name for figure in figures):
        figures = (*figures, attack.figures[1])
    return replace(attack, figures=figures)


def end_template(tape: Tape, attack: TemplateAttack, state: State, fighter: Fighter, weapon: CarriedWeapon) -> State:
    """Keep what became of the models under the template; the shot is used."""
    return after_firing(after_hits(state, attack.results), fighter, weapon)


NEAR = 5.0
"""How far off a template is tried where a model has no place."""


def propose_templates(state: State) -> Iterator[TemplateOrder]:
    """Propose each template weapon of the active side over each enemy."""
    for shot in orders.propose_shots("template")(state):
        distance = None if shot.distance is None else NEAR
        yield TemplateOrder(unit=shot.unit, weapon=shot.weapon, target=shot.target, distance=distance)


TEMPLATE_ACTION = Action(
    "template",
    "Fire a template weapon",
    TemplateOrder,
    plan_template,
    TEMPLATE,
    options=propose_templates,
    measures=AREA_MEASURES,
    headline=words.toll_headline,
    lens=blasts.lens,
    clauses=("SE-81", "SE-82"),
    closed=turn.closed_but_in("shooting"),
)
