"""Positions of units: `engage` and `leave` a Melee, `cover`, `embark` and `disembark` from a transport."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from battletape.cards import Action, Inputs, Plan, asked
from battletape.rulebook import clause, need
from battletape.rulesets.attack_dice.battle import positions, turn
from battletape.rulesets.attack_dice.battle.actions._orders import ANY_UNIT, UnitAndTargetOrder, UnitOrder
from battletape.rulesets.attack_dice.battle.state import BattleUnit, State, living_unit


class CoverOrder(Inputs, frozen=True):
    """The cover a unit has."""

    unit: str = ANY_UNIT
    stat: Literal["defence", "armour"] = "defence"
    amount: int = asked(1, form="count", ge=0, le=15)


@clause("AD-56")
def plan_engagement(state: State, order: UnitAndTargetOrder) -> Plan:
    """Refuse a Melee of units that are gone, friends, aboard a transport, or in two Melees already."""
    unit, target = state.unit(order.unit), state.unit(order.target)
    need(not (unit.is_gone or target.is_gone), "both units need a model left", "AD-80")
    need(unit.side != target.side, f"{unit.name} and {target.name} are on the same side", "AD-56")
    for inside in (unit, target):
        need_out(state, inside)
    both = unit.melee and target.melee
    need(not both or unit.melee != target.melee, f"they are already in Melee {unit.melee}", "AD-56")
    need(not both, f"{unit.name} is in Melee {unit.melee}; it must leave that one first", "AD-56")
    return Plan(positions.engage, state, unit, target)


def propose_engagements(state: State) -> Iterator[UnitAndTargetOrder]:
    """Propose each living unit of the active side with each living enemy."""
    living = [unit for unit in state.units if not unit.is_gone]
    for unit in living:
        if unit.side == state.active_side:
            yield from (UnitAndTargetOrder(unit.name, target.name) for target in living if target.side != unit.side)


@clause("AD-56")
def plan_leaving(state: State, order: UnitOrder) -> Plan:
    """Refuse a unit that is in no Melee."""
    unit = state.unit(order.unit)
    need(unit.melee, f"{unit.name} is in no Melee", "AD-56")
    return Plan(positions.leave_melee, state, unit.name)


@clause("AD-58")
def plan_cover(state: State, order: CoverOrder) -> Plan:
    """Refuse cover for a unit that is gone."""
    return Plan(positions.set_cover, state, living_unit(state, order.unit), order.stat, order.amount)


def propose_covers(state: State) -> Iterator[CoverOrder]:
    """Propose the least cover for each living unit without any, and none for the others."""
    return (CoverOrder(unit.name, amount=0 if unit.cover else 1) for unit in state.units if not unit.is_gone)


@clause("AD-65")
def need_out(state: State, unit: BattleUnit) -> None:
    """Refuse a unit that is aboard a transport."""
    transport = state.transport_of(unit.name)
    need(not transport, f"{unit.name} is aboard {transport}; it must leave the transport first", "AD-65")


@clause("AD-65")
def plan_boarding(state: State, order: UnitAndTargetOrder) -> Plan:
    """Refuse a transport of another side, and units that are gone, in a Melee, or aboard already."""
    unit, transport = state.unit(order.unit), state.unit(order.target)
    carries = unit.name != transport.name and unit.side == transport.side
    need(carries, f"{transport.name} cannot carry {unit.name}", "AD-65")
    need(not (unit.is_gone or transport.is_gone), "both units need a model left", "AD-80")
    need(not unit.melee, f"{unit.name} is in Melee {unit.melee}; it must leave that one first", "AD-65")
    for inside in (unit, transport):
        carrier = state.transport_of(inside.name)
        need(not carrier, f"{inside.name} is itself aboard {carrier}", "AD-65")
    for passenger in state.passengers(unit.name)[:1]:
        need(False, f"{unit.name} carries {passenger.name} itself", "AD-65")
    return Plan(positions.embark, state, unit.name, transport.name)


def propose_boardings(state: State) -> Iterator[UnitAndTargetOrder]:
    """Propose the transports of the active side that carry a unit already, for each other unit.

    No profile says what is a transport, so a first passenger is for the players to name.
    """
    own = [unit for unit in state.units if unit.side == state.active_side]
    for transport in own:
        if state.passengers(transport.name):
            yield from (UnitAndTargetOrder(unit.name, transport.name) for unit in own if unit.name != transport.name)


@clause("AD-65")
def plan_exit(state: State, order: UnitOrder) -> Plan:
    """Refuse a unit that is aboard no transport."""
    unit = state.unit(order.unit)
    need(state.transport_of(unit.name), f"{unit.name} is not aboard anything", "AD-65")
    return Plan(positions.disembark, state, unit.name)


def propose_own_units(state: State) -> Iterator[UnitOrder]:
    """Propose each unit of the active side."""
    return (UnitOrder(unit.name) for unit in state.units if unit.side == state.active_side)


ENGAGE = Action(
    "engage",
    "Lock two units in a Melee",
    UnitAndTargetOrder,
    plan_engagement,
    options=propose_engagements,
    clauses=("AD-56",),
    aside=True,
    closed=turn.refuse_after_end,
)
LEAVE = Action(
    "leave",
    "Leave a Melee",
    UnitOrder,
    plan_leaving,
    options=propose_own_units,
    clauses=("AD-56",),
    closed=turn.refuse_after_end,
)
COVER = Action(
    "cover",
    "Set a unit's cover",
    CoverOrder,
    plan_cover,
    options=propose_covers,
    clauses=("AD-58",),
    aside=True,
    closed=turn.refuse_after_end,
)
EMBARK = Action(
    "embark",
    "Go aboard a transport",
    UnitAndTargetOrder,
    plan_boarding,
    options=propose_boardings,
    clauses=("AD-65",),
    closed=turn.refuse_after_end,
)
DISEMBARK = Action(
    "disembark",
    "Leave a transport",
    UnitOrder,
    plan_exit,
    options=propose_own_units,
    clauses=("AD-65",),
    closed=turn.refuse_after_end,
)
