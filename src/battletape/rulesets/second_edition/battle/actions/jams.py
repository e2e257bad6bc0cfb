"""Instead of shooting: `clear_jam` of a weapon, and `hold_fire`."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import refusing_at_once as at_once
from battletape.rulebook import Refused, clause, replace
from battletape.rulesets.second_edition.battle.actions._orders import Handling, acting
from battletape.rulesets.second_edition.battle.state import State
from battletape.rulesets.second_edition.battle.turn import refuse_by_fire, refuse_second, refuse_turn
from battletape.rulesets.second_edition.rules.sustained import clear_jam, refuse_clearing


@clause("SE-109", "SE-110")
def refuse_clear(state: State, order: Handling) -> Refused | None:
    """Why no jam is cleared now: there is none, or whoever mans the weapon has done something else."""
    fighter = state.fighter(order.unit)
    arm = fighter.arm(order.weapon)
    return (
        refuse_turn(state, fighter, "shooting")
        or refuse_by_fire(state, fighter, "shoot")
        or refuse_clearing(arm.state, arm.name)
        or refuse_second(fighter, arm)
    )


def _clear(state: State, order: Handling) -> State:
    fighter = state.fighter(order.unit)
    arm = fighter.arm(order.weapon)
    return state.changed(fighter.with_arm(replace(arm, state=clear_jam(arm.state), used="cleared")))


@clause("SE-109", "SE-110")
def refuse_hold(state: State, order: Handling) -> Refused | None:
    """Why a model does not hold its fire now: it has done something already."""
    fighter = state.fighter(order.unit)
    return refuse_turn(state, fighter, "shooting") or refuse_second(fighter, fighter.arm(order.weapon))


def _hold(state: State, order: Handling) -> State:
    fighter = state.fighter(order.unit)
    return state.changed(fighter.with_arm(replace(fighter.arm(order.weapon), used="held")))


def _weapons(state: State) -> Iterator[Handling]:
    for fighter in acting(state, "shooting"):
        yield from (Handling(unit=fighter.name, weapon=arm.name) for arm in fighter.arms)


CLEAR_JAM = at_once(
    "clear_jam", "Clear a jam instead of shooting", Handling, refuse_clear, _clear, "SE-109", "SE-110", options=_weapons
)
HOLD_FIRE = at_once("hold_fire", "Hold fire", Handling, refuse_hold, _hold, "SE-109", options=_weapons)
