"""The action `shoot`: a unit, a vehicle or its passengers fire at an enemy, with all weapons or with those named."""

from __future__ import annotations

from battletape.cards import refusing as Action
from battletape.rulebook import Refused, clause
from battletape.rulesets.diceless40k.battle.actions._orders import ENEMY, OWN_UNIT
from battletape.rulesets.diceless40k.battle.deed import ATTACK_MEASURES, finish_deed, headline
from battletape.rulesets.diceless40k.battle.markers import ShotOrder, Volley
from battletape.rulesets.diceless40k.battle.shooting import volley_of, volley_stages
from battletape.rulesets.diceless40k.battle.state import State, Troop
from battletape.rulesets.diceless40k.battle.turn import refuse_troop, refuse_turn


class Shoot(ShotOrder, frozen=True):
    """Who fires at whom, and what cannot be read off the board."""

    unit: str = OWN_UNIT
    target: str = ENEMY


@clause("DL-16.1", "DL-19.1", "DL-60.4")
def refuse_shoot(state: State, order: Shoot) -> Refused | None:
    """Why a unit may not fire like this."""
    refused = refuse_turn(state, order.unit, "shooting", aboard=True)
    if refused is not None:
        return refused
    unit = state.find(order.unit)
    if isinstance(unit, Troop) and (refused := refuse_troop(state, unit)) is not None:
        return refused
    if unit.combat:
        return Refused(f"{unit.name} is locked in combat; it can only fight", "DL-0.1", "locked")
    if unit.fired_at:
        return Refused(f"{unit.name} has fired at {unit.fired_at} in this phase", "DL-19.1", "fired")
    if isinstance(unit, Troop) and unit.mended:
        return Refused(f"{unit.name} has repaired {unit.mended} instead of firing", "DL-SM-71.1", "fired")
    if unit.ran:
        return Refused(f"{unit.name} has run instead of firing", "DL-16.1", "ran")
    if isinstance(unit, Troop) and (unit.cast or unit.boosted):
        why = "used a power" if unit.cast else "turbo-boosted"
        return Refused(f"{unit.name} has {why} this turn and does not fire", "DL-0.1", "fired")
    volley = volley_of(state, unit, order, state.find(order.target), order)
    return volley if isinstance(volley, Refused) else None


def begin_shoot(state: State, order: Shoot) -> Volley:
    """The volley before the first shot."""
    volley = volley_of(state, state.find(order.unit), order, state.find(order.target), order)
    if isinstance(volley, Refused):
        raise volley
    return volley


SHOOT = Action(
    "shoot",
    "Shoot",
    Shoot,
    refuse_shoot,
    begin_shoot,
    volley_stages,
    finish_deed,
    measures=ATTACK_MEASURES,
    headline=headline,
    clauses=("DL-19.1", "DL-60.4"),
    earlier={"psykers_fire": True},
)
