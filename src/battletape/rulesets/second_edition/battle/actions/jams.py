"""Instead of shooting: `clear_jam` of a weapon, and `hold_fire`."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import Action, Plan
from battletape.rulebook import Tape, clause, plural, raise_if_refused, replace
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.actions._orders import WeaponOrder, own_models
from battletape.rulesets.second_edition.battle.state import CarriedWeapon, Fighter, State
from battletape.rulesets.second_edition.rules import sustained


@clause("SE-109", "SE-110")
def plan_clearing(state: State, order: WeaponOrder) -> Plan:
    """Refuse a weapon without a jam, and a model or gunner that has done something else."""
    fighter = turn.acting_model(state, order.unit)
    weapon = fighter.weapon(order.weapon)
    raise_if_refused(
        turn.refuse_by_fire(state, fighter, "shoot"),
        sustained.refuse_clearing(weapon.state, weapon.name),
        turn.refuse_second_action(fighter, weapon),
    )
    return Plan(clear_jam, state, fighter, weapon)


@clause("SE-109", "SE-110")
def clear_jam(tape: Tape, state: State, fighter: Fighter, weapon: CarriedWeapon) -> State:
    """Clear one jam of a weapon instead of shooting."""
    cleared = replace(weapon, state=sustained.clear_jam(weapon.state))
    tape.tell(jam_cleared, fighter.name, cleared)
    return state.with_models(fighter.with_weapon(cleared).with_use(weapon.name, "cleared"))


def jam_cleared(name: str, weapon: CarriedWeapon) -> str:
    """Say that a jam is cleared, and how many are left."""
    jams = weapon.state.jams
    left = f"{plural(jams, 'jam')} left" if jams else "it works again from the next turn"
    return f"{weapon.name} of {name}: a jam is cleared, {left}"


@clause("SE-109", "SE-110")
def plan_holding(state: State, order: WeaponOrder) -> Plan:
    """Refuse a model or gunner that has done something in this phase."""
    fighter = turn.acting_model(state, order.unit)
    weapon = fighter.weapon(order.weapon)
    raise_if_refused(turn.refuse_second_action(fighter, weapon))
    return Plan(hold_fire, state, fighter, weapon)


@clause("SE-109", "SE-110")
def hold_fire(tape: Tape, state: State, fighter: Fighter, weapon: CarriedWeapon) -> State:
    """Hold fire: a model, or on a vehicle the gunner of a weapon."""
    tape.tell("{} holds fire", f"the gunner of {weapon.name}" if fighter.model.is_vehicle else fighter.name)
    return state.with_models(fighter.with_use(weapon.name, "held"))


def propose_weapons(state: State) -> Iterator[WeaponOrder]:
    """Propose each weapon of the active side."""
    for fighter in own_models(state):
        yield from (WeaponOrder(unit=fighter.name, weapon=weapon.name) for weapon in fighter.weapons)


CLEAR_JAM = Action(
    "clear_jam",
    "Clear a jam instead of shooting",
    WeaponOrder,
    plan_clearing,
    options=propose_weapons,
    clauses=("SE-109", "SE-110"),
    closed=turn.closed_but_in("shooting"),
)
HOLD_FIRE = Action(
    "hold_fire",
    "Hold fire",
    WeaponOrder,
    plan_holding,
    options=propose_weapons,
    clauses=("SE-109",),
    closed=turn.closed_but_in("shooting"),
)
