"""The action `burst`: sustained fire at a model, and at others near it if the shooter likes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from battletape.cards import Action, Plan, percent
from battletape.rulebook import Tape, clause, plural, replace
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.actions import _orders as orders
from battletape.rulesets.second_edition.battle.actions._orders import Shot, ShotOrder
from battletape.rulesets.second_edition.battle.state import CarriedWeapon, Fighter, State, after_firing, distance_of
from battletape.rulesets.second_edition.rules import bursts
from battletape.rulesets.second_edition.rules.bursts import BURST, BurstState, BurstTarget
from battletape.rulesets.second_edition.rules.keywords import hit_of
from battletape.rulesets.second_edition.rules.measures import BURST_MEASURES
from battletape.rulesets.second_edition.rules.sustained import Neighbour, after_burst
from battletape.rulesets.second_edition.rules.to_hit import to_hit_score
from battletape.words import mean_text

if TYPE_CHECKING:
    from battletape.answer import Answer


@clause("SE-99", "SE-108", "SE-109")
def plan_burst(state: State, order: ShotOrder) -> Plan:
    """Refuse a burst that is not allowed now; out of range it is, and is spent."""
    shot = orders.shot_at(state, order, "burst")
    return Plan(begin_burst, state, shot, order).then(end_burst, state, shot.fighter, shot.weapon)


@clause("SE-99", "SE-104")
def begin_burst(tape: Tape, state: State, shot: Shot, order: ShotOrder) -> BurstState:
    """Find the models that may take further hits beside the target."""
    target, weapon = shot.target, shot.weapon
    orders.tell_cover(tape, target.name, shot.shown)
    marks, claim = [BurstTarget(target.name, target.model, target.condition)], orders.claim_of(order)
    for other in _others(state, target):
        shown = orders.measured(state, shot.fighter, other, replace(claim, distance=None), shot.shown.distance)
        need = to_hit_score(orders.aim_at(order, shot.fighter, weapon, shown))
        near = Neighbour(other.unit == target.unit, distance_of(state, target, other), need, other.name)
        marks.append(BurstTarget(other.name, other.model, other.condition, near))
    return BurstState(weapon.gun, shot.aim, hit_of(weapon.weapon), tuple(marks), rulings=state.rulings)


@clause("SE-104")
def _others(state: State, target: Fighter) -> Iterator[Fighter]:
    """Return other models on the target's side; of another unit only where the table can tell that they are near."""
    for other in state.standing():
        same = other.unit == target.unit
        if other.name != target.name and other.side == target.side and (same or state.field.footprints(other.name)):
            yield other


@clause("SE-106", "SE-111")
def end_burst(tape: Tape, salvo: BurstState, state: State, fighter: Fighter, weapon: CarriedWeapon) -> State:
    """Keep what became of the models that were hit, and the jams of the weapon."""
    state = state.with_models(*(replace(state.fighter(name), condition=now) for name, now in salvo.results.conditions))
    state = after_firing(state, fighter, weapon)
    jammed = after_burst(weapon.gun, weapon.state, salvo.jams)
    if jammed.destroyed:
        tape.tell("{} of {} explodes and is lost", weapon.name, fighter.name, clause="SE-111")
    elif salvo.jams:
        tape.tell(jams_of, weapon.name, fighter.name, jammed.jams)
    fighter = state.fighter(fighter.name)
    return state.with_models(fighter.with_weapon(replace(fighter.weapon(weapon.name), state=jammed)))


def jams_of(weapon: str, name: str, jams: int) -> str:
    """Say how many jams the weapon of a model has."""
    return f"{weapon} of {name} has {plural(jams, 'jam')}"


def headline(answer: Answer) -> str:
    """Say what is chosen, how many models fall, and how often the weapon jams."""
    salvo: BurstState = answer.start
    dice = f"With all {salvo.gun.dice} dice" if salvo.gun.dice > 1 else "With 1 die"
    target = ", each hit where it does most," if len(salvo.targets) > 1 else ""
    fallen, jams = answer.odds("casualties"), answer.odds("jams")
    fall = f"{mean_text(float(fallen.mean))} models fall on average"
    return f"{dice}{target} {fall}; the weapon jams {percent(jams.at_least(1))} of the time."


BURST_ACTION = Action(
    "burst",
    "Fire a burst of sustained fire",
    ShotOrder,
    plan_burst,
    BURST,
    options=orders.propose_shots("burst"),
    measures=BURST_MEASURES,
    lens=bursts.lens,
    headline=headline,
    clauses=("SE-99", "SE-100", "SE-104"),
    closed=turn.closed_but_in("shooting"),
)
