"""The action `place`: put a unit somewhere on the table."""

from __future__ import annotations

from battletape.cards import Action, Plan
from battletape.field import moves, setup
from battletape.rulebook import MissingInput, Refused, clause, need, raise_if_refused
from battletape.rulesets.attack_dice.battle import positions
from battletape.rulesets.attack_dice.battle.actions._orders import ANY_UNIT
from battletape.rulesets.attack_dice.battle.state import BASE_RADIUS, State, living_unit
from battletape.table.points import Point


class PlaceOrder(setup.Placement, frozen=True):
    """A unit on the table, in a formation about a point."""

    unit: str = ANY_UNIT


@clause("AD-68")
def plan_place(state: State, order: PlaceOrder) -> Plan:
    """Refuse units that are gone or aboard, and places beyond the edge or on another model."""
    unit = living_unit(state, order.unit)
    transport = state.transport_of(unit.name)
    need(not transport, f"{unit.name} is aboard {transport}; it must leave the transport first", "AD-65")
    if order.x is None or order.y is None:
        raise MissingInput("place", ("x", "y"))
    bases = setup.arranged(order, unit.models, BASE_RADIUS)
    obstacle = moves.room(state.field, bases, unit.side, unit.name, clear=0)
    raise_if_refused(refuse_room(unit.name, obstacle))
    return Plan(positions.place, state, unit.name, Point(order.x, order.y), bases)


def refuse_room(name: str, obstacle: moves.Obstacle | None) -> Refused | None:
    """Say what a unit would stand on."""
    if obstacle is None:
        return None
    there = "beyond the edge of the table" if obstacle.by == "edge" else f"on {obstacle.name or 'each other'}"
    return Refused(f"models of {name} would stand {there}; choose another place", "AD-68", obstacle.by)


PLACE = Action(
    "place", "Place a unit on the table", PlaceOrder, plan_place, options=lambda state: (), clauses=("AD-68",)
)
