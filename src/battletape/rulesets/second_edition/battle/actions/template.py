"""The action `template`: a flamer's template over a target, with the heading that the shooter likes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from battletape.cards import Inputs, Line
from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Refused, Stage, clause, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle.actions._orders import Inches, refuse_kind, refuse_target, shots
from battletape.rulesets.second_edition.battle.state import (
    State,
    after_toll,
    distance_of,
    duel,
    figures_near,
    fired,
)
from battletape.rulesets.second_edition.battle.turn import refuse_shooter
from battletape.rulesets.second_edition.rules import blasts, templates
from battletape.rulesets.second_edition.rules.attack import hit_of
from battletape.rulesets.second_edition.rules.measures import AREAS
from battletape.rulesets.second_edition.rules.templates import TEMPLATE, Burst, shape_of


class TemplateOrder(Inputs, frozen=True):
    """A model lays a template over another; without a heading the shooter is asked."""

    unit: Annotated[str, Meta(title="Model that fires")] = ""
    weapon: str = ""
    target: Annotated[str, Meta(title="Model under the round end")] = ""
    heading: Annotated[
        Annotated[float, Meta(ge=0, le=360)] | None,
        Meta(title="Heading of the template (none: asked when it is laid)", extra={"unit": "degrees"}),
    ] = None
    distance: Inches = None


@clause("SE-81", "SE-82")
def refuse_template(state: State, order: TemplateOrder) -> Refused | None:
    """Why a template is not laid like this: it does not reach the target."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    arm = fighter.arm(order.weapon)
    refused = (
        refuse_kind(arm, "template")
        or refuse_shooter(state, fighter, arm)
        or refuse_target(state, fighter, target, order.distance)
    )
    if refused is not None:
        return refused
    burst = begin_template(state, order)
    pair = tuple(figure for figure in burst.figures if figure.side == "shooter" or figure.name == target.name)
    return templates.refuse_burst(replace(burst, figures=pair))  # who else lies under it matters to nobody yet


@clause("SE-9", "SE-81", "SE-82")
def begin_template(state: State, order: TemplateOrder) -> Burst:
    """Everybody whom the template may reach; without places the two models alone."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    arm = fighter.arm(order.weapon)
    assert arm.template is not None
    distance = distance_of(state, fighter, target, order.distance)
    if fighter.base is None or target.base is None:
        assert distance is not None
        figures = duel(fighter, target, distance, state.rules)
    else:
        figures = figures_near(state, fighter, fighter.base.centre, arm.template.length + fighter.radius)
        if target.name not in (figure.name for figure in figures):
            figures = (*figures, blasts.Figure(target.name, "enemy", target.base, target.model, target.state))
    shooter = next(figure.base for figure in figures if figure.side == "shooter")
    shape, hit = shape_of(arm.template), hit_of(arm.weapon)
    return Burst(shape, hit, figures, shooter, target.name, order.heading, rules=state.rules)


def finish_template(state: State, order: TemplateOrder, burst: Burst) -> State:
    """Everybody as the template left them."""
    fighter = state.fighter(order.unit)
    return fired(after_toll(state, burst.toll), fighter, fighter.arm(order.weapon))


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """How the template lies, and who is under it."""
    burst: Burst = after
    if stage is templates.lay and burst.laid is not None:
        told = words.told(burst.covered)
        yield Line(f"The template, {burst.laid}: {told}", ("SE-82", "SE-83"), result=told)


TEMPLATE_ACTION = Action(
    *("template", "Fire a template weapon", TemplateOrder, refuse_template, begin_template, TEMPLATE, finish_template),
    options=lambda state: (
        TemplateOrder(unit=shot.unit, weapon=shot.weapon, target=shot.target, distance=_near(shot.distance))
        for shot in shots(state, "template")
    ),
    measures=AREAS,
    narrate=narrate,
    headline=words.toll,
    lens=blasts.lens,
    clauses=("SE-81", "SE-82"),
)


def _near(distance: float | None) -> float | None:
    return None if distance is None else 5.0
