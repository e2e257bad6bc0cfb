"""The action `burst`: sustained fire at a model, and at others near it if the shooter likes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from battletape.cards import Line, percent
from battletape.cards import refusing as Action
from battletape.rulebook import Refused, Stage, clause, plural, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle.actions._orders import (
    Shot,
    refuse_kind,
    refuse_target,
    shots,
    situations,
)
from battletape.rulesets.second_edition.battle.state import Fighter, State, aim_of, distance_of, fired
from battletape.rulesets.second_edition.battle.turn import refuse_shooter
from battletape.rulesets.second_edition.rules import bursts
from battletape.rulesets.second_edition.rules.attack import hit_of
from battletape.rulesets.second_edition.rules.bursts import BURST, Mark, Salvo
from battletape.rulesets.second_edition.rules.measures import BURSTS
from battletape.rulesets.second_edition.rules.sustained import Neighbour, after_burst
from battletape.rulesets.second_edition.rules.to_hit import need_of

if TYPE_CHECKING:
    from battletape.answer import Answer


@clause("SE-99", "SE-108", "SE-109")
def refuse_burst(state: State, order: Shot) -> Refused | None:
    """Why this burst is not allowed now; out of range it is, and is spent."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    arm = fighter.arm(order.weapon)
    return (
        refuse_kind(arm, "burst")
        or refuse_shooter(state, fighter, arm)
        or refuse_target(state, fighter, target, order.distance)
    )


@clause("SE-99", "SE-104")
def begin_burst(state: State, order: Shot) -> Salvo:
    """The target, and everybody who may take further hits."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    arm = fighter.arm(order.weapon)
    aim = aim_of(
        fighter, arm, distance_of(state, fighter, target, order.distance), situations(order.cover), order.modifier
    )
    marks = [Mark(target.name, target.model, target.state)]
    for other in _others(state, target):
        away = distance_of(state, target, other)
        far = distance_of(state, fighter, other)
        need = need_of(aim if far is None else replace(aim, distance=far))
        near = Neighbour(other.unit == target.unit, 0.0 if away is None else away, need, other.name)
        marks.append(Mark(other.name, other.model, other.state, near))
    return Salvo(arm.gun, aim, hit_of(arm.weapon), tuple(marks), rules=state.rules)


@clause("SE-104")
def _others(state: State, target: Fighter) -> Iterator[Fighter]:
    """Other models on the target's side; of another unit only where the table can tell that they are near."""
    for other in state.standing():
        same = other.unit == target.unit
        if other.name != target.name and other.side == target.side and (same or other.place is not None):
            yield other


@clause("SE-106", "SE-111")
def finish_burst(state: State, order: Shot, salvo: Salvo) -> State:
    """Everybody who was hit as they are now; the weapon with its jams."""
    state = state.changed(*(replace(state.fighter(name), state=now) for name, now in salvo.harm.struck))
    fighter = state.fighter(order.unit)
    arm = fighter.arm(order.weapon)
    state = fired(state, fighter, arm)
    used = state.fighter(order.unit).arm(order.weapon)
    jammed = replace(used, state=after_burst(arm.gun, arm.state, salvo.jams))
    return state.changed(state.fighter(order.unit).with_arm(jammed))


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """What is needed, how many hits there are, and where they go."""
    salvo: Salvo = after
    if stage is bursts.roll_burst_to_hit:
        yield from words.needs(salvo.aim, salvo.hit, salvo.marks[0].model, salvo.rules)
    elif stage is bursts.roll_burst and salvo.dice:
        jams = f", and {plural(salvo.jams, 'jam')}" if salvo.jams else ""
        yield Line(f"{plural(salvo.hits, 'hit')}{jams}", ("SE-101", "SE-106"), result=f"{salvo.hits} hits")
    elif stage is bursts.share_out and salvo.hits:
        told = [f"{mark.name} {hits}" for mark, hits in zip(salvo.marks, salvo.shares, strict=True) if hits]
        yield Line(f"Hits: {', '.join(told)}", ("SE-103", "SE-104"), result=", ".join(told))


def headline(answer: Answer) -> str:
    """What was chosen, who falls, and how often the weapon jams."""
    salvo: Salvo = answer.start
    dice = f"With all {salvo.gun.dice} dice" if salvo.gun.dice > 1 else "With 1 die"
    target = ", each hit where it does most," if len(salvo.marks) > 1 else ""
    fallen, jams = answer.odds("casualties"), answer.odds("jams")
    fall = f"{words.short(float(fallen.mean))} models fall on average"
    return f"{dice}{target} {fall}; the weapon jams {percent(jams.at_least(1))} of the time."


BURST_ACTION = Action(
    *("burst", "Fire a burst of sustained fire", Shot, refuse_burst, begin_burst, BURST, finish_burst),
    options=lambda state: shots(state, "burst"),
    measures=BURSTS,
    lens=bursts.lens,
    narrate=narrate,
    headline=headline,
    clauses=("SE-99", "SE-100", "SE-104"),
)
