"""Places on the table: `place` a unit, and `move` it to a place or towards another unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from battletape.cards import Action, Plan, asked
from battletape.field import moves, setup
from battletape.field.state import Footprint, Position
from battletape.rulebook import Meta, MissingInput, Refused, clause, need, raise_if_refused
from battletape.rulesets.attack_dice.battle import positions
from battletape.rulesets.attack_dice.battle.actions._orders import UnitOrder
from battletape.rulesets.attack_dice.battle.actions.positions import need_out
from battletape.rulesets.attack_dice.battle.state import BASE_RADIUS, State, living_unit
from battletape.table.distances import gap
from battletape.table.points import TOLERANCE, Point, apart

PROPOSED = 6.0
"""Inches of the moves that are proposed, and from the home edge of the places."""
GRAIN = 0.25  # inches by which a move is shortened where there is no room


class PlaceOrder(UnitOrder, setup.Placement, frozen=True):
    """A unit on the table, in a formation about a point."""


class MoveOrder(UnitOrder, frozen=True):
    """A move in formation: x and y are where the first model goes."""

    x: setup.Place | None = asked(None, "East", unit="inches")
    y: setup.Place | None = asked(None, "North", unit="inches")
    towards: str = asked("", "Towards this unit")
    inches: Annotated[float, Meta(ge=0, le=240)] | None = asked(None, "At most (or all the way)", unit="inches")


@clause("AD-68")
def plan_place(state: State, order: PlaceOrder) -> Plan:
    """Refuse units that are gone or aboard, and places beyond the edge, on other models or in impassable terrain."""
    unit = living_unit(state, order.unit)
    need_out(state, unit)
    bases = setup.arranged(order, unit.models, BASE_RADIUS)
    if not bases:
        raise MissingInput("place", ("x", "y"))
    raise_if_refused(refuse_obstacle(unit.name, moves.room(state.field, bases, unit.side, unit.name, clear=0)))
    return Plan(positions.place, state, unit.name, setup.point_of(order) or bases[0].centre, bases)


@clause("AD-68")
def refuse_obstacle(name: str, obstacle: moves.Obstacle | None) -> Refused | None:
    """Refuse a place that is taken, and say by what."""
    if obstacle is None:
        return None
    spots = {"edge": "beyond the edge of the table", "terrain": f"in {obstacle.name}, which is impassable"}
    there = spots.get(obstacle.by, f"on {obstacle.name or 'each other'}")
    return Refused(f"models of {name} would stand {there}; choose another place", "AD-68", obstacle.by)


def propose_places(state: State) -> Iterator[PlaceOrder]:
    """Propose a place at the home edge for units without one, in a battle that uses the table."""
    field = state.field
    board = field.board
    if board is None or not (field.terrain or any(field.on_table())):
        return
    for unit in state.units:
        position = field.position(unit.name)
        if not (unit.is_gone or position.footprints or position.aboard):
            edge = field.home_edge(unit.side)
            middle = (board.width if edge in ("south", "north") else board.depth) / 2
            at = setup.point_at_edge(board, edge, middle, PROPOSED)
            yield PlaceOrder(unit=unit.name, x=at.x, y=at.y, heading=float(setup.inward(edge)))


@clause("AD-68")
def plan_move(state: State, order: MoveOrder) -> Plan:
    """Refuse units without a place, and moves that end where there is no room.

    A move towards a unit ends where it touches it, or before that where there is room.
    """
    unit = living_unit(state, order.unit)
    need_out(state, unit)
    position = _on_table(state, unit.name)
    if order.towards:
        return _plan_approach(state, position, order)
    if order.x is None or order.y is None:
        raise MissingInput("move", ("x", "y"))
    goal = Point(order.x, order.y)
    way = apart(position.bases[0].centre, goal)
    far = way if order.inches is None else min(way, order.inches)
    ends = moves.ends_of(position.bases, moves.paths_to(position.bases, goal, far))
    raise_if_refused(refuse_obstacle(unit.name, _obstacle(state, position, ends)))
    return Plan(positions.move, state, unit.name, far, f"to {_at(ends[0])}", ends)


def _plan_approach(state: State, position: Position, order: MoveOrder) -> Plan:
    """Plan a move straight at another unit."""
    target = _on_table(state, order.towards)
    need(target.name != position.name, f"{position.name} cannot move towards itself", "AD-68", "target")
    near = min(gap(base, other) for base in position.bases for other in target.footprints)
    need(near > TOLERANCE, f"{position.name} touches {target.name} already", "AD-68", "near")
    most = near if order.inches is None else min(near, order.inches)

    def ends_after(inches: float) -> tuple[Footprint, ...]:
        return moves.ends_of(position.bases, moves.paths_towards(position.bases, target.footprints, inches))

    far = moves.farthest(most, lambda inches: _obstacle(state, position, ends_after(inches)), GRAIN)
    if not far:
        raise_if_refused(refuse_obstacle(position.name, _obstacle(state, position, ends_after(most))))
    ends = ends_after(far)
    return Plan(positions.move, state, position.name, far, f"towards {target.name}, to {_at(ends[0])}", ends)


def _on_table(state: State, name: str) -> Position:
    """Return the position of a unit; refuse one without a place."""
    position = state.field.position(name)
    need(position.footprints, f"{position.name} has no place on the table; place it first", "AD-68", "place")
    return position


def _obstacle(state: State, position: Position, ends: tuple[Footprint, ...]) -> moves.Obstacle | None:
    return moves.room(state.field, ends, position.side, position.name, clear=0)


def _at(footprint: Footprint) -> str:
    return f"{round(footprint.centre.x, 2):g}, {round(footprint.centre.y, 2):g}"


def propose_moves(state: State) -> Iterator[MoveOrder]:
    """Propose a move of each unit of the active side towards each enemy on the table."""
    for position in state.field.on_table(side=state.active_side):
        for enemy in state.field.enemies_of(state.active_side):
            yield MoveOrder(unit=position.name, towards=enemy.name, inches=PROPOSED)


PLACE = Action("place", "Place a unit on the table", PlaceOrder, plan_place, options=propose_places, clauses=("AD-68",))
MOVE = Action("move", "Move a unit", MoveOrder, plan_move, options=propose_moves, clauses=("AD-68",))
