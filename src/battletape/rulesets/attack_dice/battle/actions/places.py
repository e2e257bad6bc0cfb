"""Places on the table: `place` a unit, and `move` it to a place or towards a unit, terrain or an objective."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, ClassVar

from battletape.cards import Action, Plan, asked
from battletape.field import moves, setup
from battletape.field.state import Footprint, Position
from battletape.rulebook import Meta, MissingInput, Refused, clause, need, raise_if_refused
from battletape.rulesets.attack_dice.battle import positions, turn
from battletape.rulesets.attack_dice.battle.actions._orders import UnitOrder
from battletape.rulesets.attack_dice.battle.actions.positions import need_out
from battletape.rulesets.attack_dice.battle.state import BASE_RADIUS, State, living_unit
from battletape.table.points import TOLERANCE, Point, apart

PROPOSED = 6.0
"""Inches of the moves that are proposed."""
GRAIN = 0.25  # inches by which a move is shortened where there is no room


class PlaceOrder(UnitOrder, setup.Placement, frozen=True):
    """A unit on the table, in a formation about a point."""

    unwritten: ClassVar = ()


class MoveOrder(UnitOrder, frozen=True):
    """A move in formation, in which x and y are where the first model goes; or with a place for each model."""

    unwritten: ClassVar = ("spots",)

    x: setup.Place | None = asked(None, "East", unit="inches")
    y: setup.Place | None = asked(None, "North", unit="inches")
    towards: str = asked("", "Towards this unit, terrain or objective")
    inches: Annotated[float, Meta(ge=0, le=240)] | None = asked(
        None, "At most; no rule sets a limit (or all the way)", unit="inches"
    )
    spots: tuple[setup.Spot, ...] = asked((), "A place for each model")


@clause("AD-68")
def plan_place(state: State, order: PlaceOrder) -> Plan:
    """Refuse units that are gone or aboard, and places where there is no room or, before the game, outside the zone."""
    unit = living_unit(state, order.unit)
    need_out(state, unit)
    bases = setup.arranged(order, unit.models, BASE_RADIUS)
    if not bases:
        raise MissingInput("place", ("x", "y"))
    raise_if_refused(refuse_obstacle(unit.name, moves.room(state.field, bases, unit.side, unit.name, clear=0)))
    if state.phase == "before":
        deployed = setup.is_deployed(state.field, Position(unit.name, unit.side, bases))
        need(deployed, f"{unit.name} must stand in the deployment zone of {unit.side}", "AD-68", "zone")
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
    """Propose a place at the home edge for units without one, in a battle that uses the table.

    Before the game, units in their deployment zones may stand elsewhere in them.
    """
    field = state.field
    if not (field.terrain or field.zones or any(field.on_table())):
        return
    may_change = state.phase == "before" and bool(field.zones)
    able = [unit for unit in state.units if not (unit.is_gone or field.position(unit.name).aboard)]
    for unit in sorted(able, key=lambda unit: bool(field.position(unit.name).footprints)):  # those without one first
        if may_change or not field.position(unit.name).footprints:
            placements = moves.home_placements(field, unit.side, unit.models, BASE_RADIUS)
            for free in islice(placements, 1):
                yield PlaceOrder(unit=unit.name, x=free.x, y=free.y, heading=free.heading)


@clause("AD-68")
def plan_move(state: State, order: MoveOrder) -> Plan:
    """Refuse units without a place, and moves that end where there is no room.

    A move towards something ends where it touches it or, in terrain and at objectives, in its middle; before that where
    there is no room.
    """
    unit = living_unit(state, order.unit)
    need_out(state, unit)
    position = state.field.position(unit.name)
    need(position.footprints, f"{unit.name} has no place on the table; place it first", "AD-68", "place")
    if order.towards:
        return _plan_approach(state, position, order)
    if order.spots:
        ends: tuple[Footprint, ...] = setup.single_places(order.spots, unit.models, BASE_RADIUS)
        far = max(apart(base.centre, end.centre) for base, end in zip(position.bases, ends, strict=True))
    elif order.x is None or order.y is None:
        raise MissingInput("move", ("x", "y"))
    else:
        goal = Point(order.x, order.y)
        way = apart(position.bases[0].centre, goal)
        far = way if order.inches is None else min(way, order.inches)
        ends = moves.ends_of(position.bases, moves.paths_to(position.bases, goal, far))
    raise_if_refused(refuse_obstacle(unit.name, _obstacle(state, position, ends)))
    return Plan(positions.move, state, unit.name, far, f"to {_at(ends[0])}", ends)


def _plan_approach(state: State, position: Position, order: MoveOrder) -> Plan:
    """Plan a move straight at a unit, a piece of terrain or an objective."""
    there = moves.destination(state.field, order.towards, "AD-68")
    need(there.name != position.name, f"{position.name} cannot move towards itself", "AD-68", "target")
    left = there.inches_from(position.bases)
    is_at = "touches" if there.middle is None else "is in the middle of"
    need(left > TOLERANCE, f"{position.name} {is_at} {there.name} already", "AD-68", "near")
    most = left if order.inches is None else min(left, order.inches)

    def ends_after(inches: float) -> tuple[Footprint, ...]:
        return moves.ends_of(position.bases, there.paths_from(position.bases, inches))

    far = moves.farthest(most, lambda inches: _obstacle(state, position, ends_after(inches)), GRAIN)
    if not far:
        raise_if_refused(refuse_obstacle(position.name, _obstacle(state, position, ends_after(most))))
    ends = ends_after(far)
    return Plan(positions.move, state, position.name, far, f"towards {there.name}, to {_at(ends[0])}", ends)


def _obstacle(state: State, position: Position, ends: tuple[Footprint, ...]) -> moves.Obstacle | None:
    return moves.room(state.field, ends, position.side, position.name, clear=0)


def _at(footprint: Footprint) -> str:
    return f"{round(footprint.centre.x, 2):g}, {round(footprint.centre.y, 2):g}"


def propose_moves(state: State) -> Iterator[MoveOrder]:
    """Propose a move of each unit that may still act towards each enemy on the table and each objective."""
    field, side, able = state.field, state.active_side, turn.waiting(state)
    goals = [*(enemy.name for enemy in field.enemies_of(side)), *(each.name for each in field.objectives)]
    for position in field.on_table(side=side):
        if position.name in able:
            yield from (MoveOrder(unit=position.name, towards=goal, inches=PROPOSED) for goal in goals)


PLACE = Action(
    "place",
    "Place a unit on the table",
    PlaceOrder,
    plan_place,
    options=propose_places,
    clauses=("AD-68",),
    closed=turn.refuse_after_end,
)
MOVE = Action(
    "move", "Move a unit", MoveOrder, plan_move, options=propose_moves, clauses=("AD-68",), closed=turn.refuse_after_end
)
