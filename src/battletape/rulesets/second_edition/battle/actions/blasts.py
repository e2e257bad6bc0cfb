"""Markers on their way: `blast` at a model, `grenade` at a model, and `ground` with either at a spot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from battletape.cards import Inputs, Line
from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Refused, Stage, capital, clause, inches, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle.actions._orders import (
    FAR,
    Inches,
    Shot,
    Where,
    acting,
    foes,
    kind_of,
    refuse_kind,
    refuse_target,
    shots,
    situations,
)
from battletape.rulesets.second_edition.battle.state import (
    NOWHERE,
    Arm,
    Fighter,
    Lying,
    State,
    after_toll,
    aim_of,
    distance_of,
    duel,
    figure_of,
    figures_near,
    fired,
)
from battletape.rulesets.second_edition.battle.turn import refuse_shooter
from battletape.rulesets.second_edition.rules import blasts, ground
from battletape.rulesets.second_edition.rules.attack import hit_of
from battletape.rulesets.second_edition.rules.blasts import BLAST, Blast, Shell, aimed, find_figure
from battletape.rulesets.second_edition.rules.clouds import left_behind
from battletape.rulesets.second_edition.rules.grenades import grenades_left
from battletape.rulesets.second_edition.rules.ground import GROUND, aimed_at
from battletape.rulesets.second_edition.rules.measures import AREAS, FATE, GRENADES_LEFT, shown
from battletape.table.bases import Base
from battletape.table.board import is_on_board
from battletape.table.points import Point

SCATTERS = 10.0
"""No marker scatters farther, in inches."""

# --- at a model ------------------------------------------------------------------------------------------------------


@clause("SE-34", "SE-35", "SE-48")
def refuse_blast(state: State, order: Shot) -> Refused | None:
    """Why this blast is not allowed now; out of range it is, and is spent."""
    return _refuse(state, order, "blast")


@clause("SE-55", "SE-57", "SE-58")
def refuse_grenade(state: State, order: Shot) -> Refused | None:
    """Why this grenade is not thrown now; too far away it may be, and is lost."""
    return _refuse(state, order, "grenade")


def _refuse(state: State, order: Shot, kind: str) -> Refused | None:
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    arm = fighter.arm(order.weapon)
    return (
        refuse_kind(arm, kind)
        or refuse_shooter(state, fighter, arm)
        or refuse_target(state, fighter, target, order.distance)
    )


def _shell(arm: Arm, aim: Any) -> Shell:
    weapon = arm.weapon
    assert weapon.blast is not None
    stays = weapon.remains != "none"
    return Shell(weapon.blast, hit_of(weapon), aim, weapon.grenade, weapon.remains, stays, arm.left or 1)


@clause("SE-33", "SE-34", "SE-40", "SE-55")
def begin_blast(state: State, order: Shot) -> Blast:
    """Everybody whom the marker may reach, and the shot before the first die."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    arm = fighter.arm(order.weapon)
    distance = distance_of(state, fighter, target, order.distance)
    assert distance is not None
    shell = _shell(arm, aim_of(fighter, arm, distance, situations(order.cover), order.modifier))
    if fighter.base is None or target.base is None:
        figures = duel(fighter, target, distance, state.rules)
    else:
        figures = figures_near(state, fighter, target.base.centre, SCATTERS + shell.marker)
    shooter = next(figure.base for figure in figures if figure.side == "shooter")
    return aimed(Blast(shell, figures, shooter, target.name, rules=state.rules), find_figure(figures, target.name))


@clause("SE-46", "SE-48", "SE-58", "SE-66")
def finish_blast(state: State, order: Any, blast: Blast) -> State:
    """Everybody as the blast left them; the weapon may be destroyed, and a marker may stay."""
    fighter = state.fighter(order.unit)
    arm = fighter.arm(order.weapon)
    state = fired(after_toll(state, blast.toll), fighter, arm)
    fighter = state.fighter(order.unit)
    used = fighter.arm(order.weapon)
    if arm.left is not None:
        used = replace(used, left=grenades_left(arm.left, blast.fate))
    elif blast.fate == "on_shooter":
        used = replace(used, state=replace(used.state, destroyed=True))
    return _leave(state.changed(fighter.with_arm(used)), fighter, order, blast)


@clause("SE-66", "SE-75")
def _leave(state: State, fighter: Fighter, order: Any, blast: Blast) -> State:
    """The marker stays in play, if the weapon leaves one; it is tested for the first time in the next turn."""
    if blast.centre is None:
        return state
    marker = left_behind(blast.shell.remains, blast.shell.marker, blast.shell.hit, blast.centre)
    if marker is None:
        return state
    number = state.made + 1
    name = f"{'Cloud' if marker.kind == 'cloud' else 'Plasma ball'} {number}"
    lying = Lying(name, marker, fighter.side, state.turn, placed=fighter.place is not None and _is_placed(state, order))
    return replace(state, markers=(*state.markers, lying), made=number)


def _is_placed(state: State, order: Any) -> bool:
    return not isinstance(order, Shot) or state.fighter(order.target).place is not None


# --- at the ground ---------------------------------------------------------------------------------------------------


class SpotOrder(Inputs, frozen=True):
    """A model sends a marker to a spot on the ground."""

    unit: Annotated[str, Meta(title="Model that shoots or throws")] = ""
    weapon: str = ""
    x: Annotated[Where | None, Meta(title="Inches east")] = None
    y: Annotated[Where | None, Meta(title="Inches north")] = None
    distance: Inches = None


@clause("SE-59", "SE-65")
def refuse_ground(state: State, order: SpotOrder) -> Refused | None:
    """Why no marker is sent there now: not on the table, or nobody knows where; out of range it is spent."""
    fighter = state.fighter(order.unit)
    arm = fighter.arm(order.weapon)
    refused = refuse_kind(arm, "blast", "grenade") or refuse_shooter(state, fighter, arm)
    if refused is not None:
        return refused
    spot = _spot(fighter, order)
    if spot is None:
        reason = "a shot at the ground needs x and y of the spot, or for a model without a place the distance"
        return Refused(reason, "SE-59", "spot")
    if fighter.place is not None and not is_on_board(state.board, spot):
        table = f"{state.board.width:g} by {state.board.depth:g} inches"
        return Refused(f"({spot.x:g}, {spot.y:g}) is off the table, which is {table}", "SE-59", "board")
    return None


def _spot(fighter: Fighter, order: SpotOrder) -> Point | None:
    if fighter.place is None:
        return None if order.distance is None else Point(0.0, order.distance + fighter.radius)
    return None if order.x is None or order.y is None else Point(order.x, order.y)


@clause("SE-59", "SE-63", "SE-65")
def begin_ground(state: State, order: SpotOrder) -> Blast:
    """Everybody whom the marker may reach, and the spot that it is sent to."""
    fighter = state.fighter(order.unit)
    arm, spot = fighter.arm(order.weapon), _spot(fighter, order)
    assert spot is not None
    shell = _shell(arm, replace(aim_of(fighter, arm, order.distance)))
    base = fighter.base or Base(NOWHERE, fighter.radius)
    if fighter.base is None:
        figures: tuple[blasts.Figure, ...] = (figure_of(fighter, base, "shooter"),)
    else:
        figures = figures_near(state, fighter, spot, SCATTERS + shell.marker)
    return aimed_at(Blast(shell, figures, base, spot=spot, rules=state.rules), spot)


def _grounds(state: State) -> Iterator[SpotOrder]:
    """Between the shooter and each enemy, and on top of each enemy."""
    for fighter in acting(state, "shooting"):
        for arm in fighter.arms:
            if kind_of(arm.weapon) not in ("blast", "grenade"):
                continue
            if fighter.place is None:
                yield SpotOrder(unit=fighter.name, weapon=arm.name, distance=FAR / 2)
                continue
            for target in foes(state):
                if target.place is not None:
                    x, y = round(target.place.x, 2), round(target.place.y, 2)
                    yield SpotOrder(unit=fighter.name, weapon=arm.name, x=x, y=y)


# --- the log ---------------------------------------------------------------------------------------------------------


def narrate(stage: Stage, before: Blast, after: Blast) -> Iterable[Line]:
    """Who is aimed at, what is needed, and what becomes of the marker."""
    if stage in (blasts.nominate, ground.pick_spot):
        assert after.spot is not None
        whom = after.target or f"the ground at {after.spot.x:.2f}, {after.spot.y:.2f}"
        told = f"{capital(after.shell.hit.weapon)} at {whom}, {inches(round(after.distance, 2))} away"
        yield Line(told, ("SE-34" if after.target else "SE-59",), result=whom)
        if after.target:
            yield words.to_hit_line(after.shell.aim, after.rules)
    elif after.fate and not before.fate:
        yield from words.fate_line(before, after)
    elif stage is blasts.land and after.fate not in ("dud", "no_effect"):
        told = words.told(after.covered)
        yield Line(f"Under the marker: {told}", ("SE-37", "SE-38"), result=told)


BLAST_ACTION = Action(
    *("blast", "Fire a blast weapon at a model", Shot, refuse_blast, begin_blast, BLAST, finish_blast),
    options=lambda state: shots(state, "blast"),
    measures=(*AREAS, FATE),
    narrate=narrate,
    headline=words.toll,
    lens=blasts.lens,
    clauses=("SE-33", "SE-34"),
)
GRENADE = Action(
    *("grenade", "Throw a grenade at a model", Shot, refuse_grenade, begin_blast, BLAST, finish_blast),
    options=lambda state: shots(state, "grenade"),
    measures=(*AREAS, FATE, shown(GRENADES_LEFT)),
    narrate=narrate,
    headline=words.toll,
    lens=blasts.lens,
    clauses=("SE-55", "SE-56"),
)
GROUND_ACTION = Action(
    *("ground", "Send a marker to a spot", SpotOrder, refuse_ground, begin_ground, GROUND, finish_blast),
    options=_grounds,
    measures=(*AREAS, FATE),
    narrate=narrate,
    headline=words.toll,
    lens=blasts.lens,
    clauses=("SE-59", "SE-60"),
)
