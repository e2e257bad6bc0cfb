"""Before the first turn of a game with deployment zones: `place` a unit in the zone of its side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar

from battletape.cards import Action, Plan
from battletape.field import moves, setup
from battletape.field.state import Position
from battletape.rulebook import MissingInput, Tape, clause, need, raise_if_refused
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.actions.move import UnitOrder, refused_by
from battletape.rulesets.second_edition.battle.state import State
from battletape.table.bases import Base


class PlaceOrder(UnitOrder, setup.Placement, frozen=True):
    """A unit on the table, in a formation or with a place for each model."""

    unwritten: ClassVar = setup.Placement.unwritten


@clause("SE-117", "SE-10")
def plan_place(state: State, order: PlaceOrder) -> Plan:
    """Refuse units that have a place, and places where there is no room, or out of the zone."""
    squad = [fighter for fighter in turn.find_squad(state, order.unit) if not fighter.is_gone]
    turn.need_due(state, "place", turn.find_squad(state, order.unit)[0].unit)
    bases = setup.arranged(order, len(squad), squad[0].radius)
    if not bases:
        raise MissingInput("place", ("x", "y"))
    unit, side = squad[0].unit, squad[0].side
    obstacle = moves.room(state.field, bases, side, clear=0)
    raise_if_refused(None if obstacle is None else refused_by(state, squad[obstacle.at], obstacle))
    is_deployed = setup.is_deployed(state.field, Position(unit, side, bases))
    need(is_deployed, f"{unit} must stand in the deployment zone of {side}", "SE-117", "zone")
    return Plan(place, state, [fighter.name for fighter in squad], bases, unit)


@clause("SE-117")
def place(tape: Tape, state: State, names: Sequence[str], bases: Sequence[Base], unit: str) -> State:
    """Put the models of a unit on the table."""
    tape.tell("{} is set up at {:.1f}, {:.1f}", unit, bases[0].centre.x, bases[0].centre.y)
    return state.with_places(*zip(names, bases, strict=True))


def propose_places(state: State) -> Iterator[PlaceOrder]:
    """Propose a place with room for each unit that has none."""
    for kind, unit in turn.due_now(state):
        if kind == "place":
            squad = [fighter for fighter in state.squad(unit) if not fighter.is_gone]
            placements = moves.home_placements(state.field, squad[0].side, len(squad), squad[0].radius)
            for free in islice(placements, 1):
                yield PlaceOrder(unit=unit, x=free.x, y=free.y, heading=free.heading)


PLACE = Action(
    "place",
    "Set a unit up in its zone",
    PlaceOrder,
    plan_place,
    options=propose_places,
    clauses=("SE-117",),
    closed=turn.closed_but_in("start"),
)
