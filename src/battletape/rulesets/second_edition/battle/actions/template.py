"""The action `template`: a flamer's template over a target, with the heading that the shooter likes."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import Action, Inputs, Plan, asked
from battletape.rulebook import Tape, clause, raise_if_refused, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle.actions import _orders as orders
from battletape.rulesets.second_edition.battle.actions._orders import Inches
from battletape.rulesets.second_edition.battle.state import (
    CarriedWeapon,
    Fighter,
    State,
    after_firing,
    after_hits,
    figure_of,
    figures_near,
    figures_of_pair,
)
from battletape.rulesets.second_edition.rules import blasts, templates
from battletape.rulesets.second_edition.rules.keywords import hit_of
from battletape.rulesets.second_edition.rules.measures import AREA_MEASURES
from battletape.rulesets.second_edition.rules.templates import TEMPLATE, TemplateAttack, teardrop_of


class TemplateOrder(Inputs, frozen=True):
    """A model lays a template over another; without a heading the shooter is asked."""

    unit: str = asked("", "Model that fires")
    weapon: str = ""
    target: str = asked("", "Model under the round end")
    heading: float | None = asked(
        None, "Heading of the template", about="(none: asked when it is laid)", unit="degrees", ge=0, le=360
    )
    distance: Inches = None


@clause("SE-9", "SE-81", "SE-82")
def plan_template(state: State, order: TemplateOrder) -> Plan:
    """Refuse a template that does not reach the target; other models under it forbid nothing."""
    fighter, weapon = orders.firing_model_and_weapon(state, order, "template")
    target, distance = orders.target_and_distance(state, fighter, order.target, order.distance)
    assert weapon.template is not None
    pair = figures_of_pair(fighter, target, distance, state.rules)
    if fighter.base is not None and target.base is not None:
        pair = figure_of(fighter, fighter.base, "shooter"), figure_of(target, target.base, "enemy")
    shape, hit = teardrop_of(weapon.template), hit_of(weapon.weapon)
    attack = TemplateAttack(shape, hit, pair, pair[0].base, target.name, order.heading, rulings=state.rules)
    raise_if_refused(templates.refuse_template(attack))
    return Plan(begin_template, state, fighter, weapon, target, attack).then(end_template, state, fighter, weapon)


@clause("SE-9", "SE-81", "SE-82")
def begin_template(
    tape: Tape, state: State, fighter: Fighter, weapon: CarriedWeapon, target: Fighter, attack: TemplateAttack
) -> TemplateAttack:
    """Add every model that the template may reach; without places there are the two models alone."""
    if fighter.base is None or target.base is None or weapon.template is None:
        return attack
    figures = figures_near(state, fighter, fighter.base.centre, weapon.template.length + fighter.radius)
    if target.name not in (figure.name for figure in figures):
        figures = (*figures, figure_of(target, target.base, "enemy"))
    return replace(attack, figures=figures)


def end_template(tape: Tape, attack: TemplateAttack, state: State, fighter: Fighter, weapon: CarriedWeapon) -> State:
    """Keep what became of the models under the template; the shot is used."""
    return after_firing(after_hits(state, attack.results), fighter, weapon)


NEAR = 5.0
"""How far off a template is tried where neither model has a place."""


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
)
