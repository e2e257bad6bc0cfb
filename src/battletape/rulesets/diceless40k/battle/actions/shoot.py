"""The action `shoot`: a unit, a vehicle or its passengers fire at an enemy, with all weapons or with those named."""

from __future__ import annotations

from battletape.cards import Action, Plan
from battletape.rulebook import clause, need
from battletape.rulesets.diceless40k.battle import turn
from battletape.rulesets.diceless40k.battle.actions._orders import ENEMY, OWN_UNIT
from battletape.rulesets.diceless40k.battle.markers import ShotOrder
from battletape.rulesets.diceless40k.battle.pending import ATTACK_MEASURES, headline
from battletape.rulesets.diceless40k.battle.shooting import begin_volley, prepare_volley, volley_stages
from battletape.rulesets.diceless40k.battle.state import Squad, State


class ShootOrder(ShotOrder, frozen=True):
    """An order to shoot: the unit, its target, and what cannot be read off the board."""

    unit: str = OWN_UNIT
    target: str = ENEMY


@clause("DL-16.1", "DL-19.1", "DL-60.4")
def plan_shooting(state: State, order: ShootOrder) -> Plan:
    """Refuse units that are not free, or have fired, run, cast or repaired instead, and shots that may not be fired."""
    unit = turn.acting_unit(state, order.unit, aboard=True)
    if isinstance(unit, Squad):
        turn.need_free(state, unit)
    turn.need_unlocked(unit)
    need(not unit.fired_at, f"{unit.name} has fired at {unit.fired_at} in this phase", "DL-19.1", "fired")
    mended = unit.repaired if isinstance(unit, Squad) else ""
    need(not mended, f"{unit.name} has repaired {mended} instead of firing", "DL-SM-71.1", "fired")
    need(not unit.ran, f"{unit.name} has run instead of firing", "DL-16.1", "ran")
    if isinstance(unit, Squad) and (unit.cast or unit.boosted):
        why = "used a power" if unit.cast else "turbo-boosted"
        need(False, f"{unit.name} has {why} this turn and does not fire", "DL-0.1", "fired")
    return Plan(begin_volley, prepare_volley(state, unit, order, state.find(order.target), order))


SHOOT = Action(
    "shoot",
    "Shoot",
    ShootOrder,
    plan_shooting,
    volley_stages,
    measures=ATTACK_MEASURES,
    headline=headline,
    closed=turn.closed_but_in("shooting"),
    clauses=("DL-19.1", "DL-60.4"),
    earlier={"psykers_fire": True},
)
