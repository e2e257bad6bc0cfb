"""What vehicles do with their move: `drive`, `turn_on_spot`, `stand` and `smoke`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from battletape.cards import Action, Inputs, Measure, Plan, asked
from battletape.field import moves
from battletape.field.boxes import box_of
from battletape.field.setup import Heading, Spot, points_of
from battletape.rulebook import (
    Procedure,
    Refused,
    Tape,
    clause,
    granted,
    inches,
    listed,
    need,
    raise_if_refused,
    replace,
)
from battletape.rulesets.vehicles5.battle import losses, turn, words
from battletape.rulesets.vehicles5.battle.actions._orders import VehicleOrder, mine
from battletape.rulesets.vehicles5.battle.state import PendingAction, State, Vehicle, did
from battletape.rulesets.vehicles5.rules import movement, terrain, troops
from battletape.rulesets.vehicles5.rules.movement import (
    Blocker,
    band_of_distance,
    max_inches,
    refuse_flat_out,
    refuse_path,
)
from battletape.rulesets.vehicles5.rules.terrain import Crossing, Stop
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import arrived, driven_through, legs, path_length
from battletape.table.points import TOLERANCE, Point, apart, nearer, step, wrap

GRAIN = 0.5  # inches by which a move towards something is shortened where there is no room


class DriveOrder(Inputs, frozen=True):
    """A vehicle drives from point to point, or straight towards a unit, terrain or an objective as far as it can."""

    unwritten: ClassVar[tuple[str, ...]] = ("towards", "inches")

    unit: str = ""
    path: tuple[Spot, ...] = asked((), "Where the middle of the hull goes")
    heading: Heading | None = asked(None, "How it turns at the end")
    reverse: bool = False
    towards: str = asked("", "Towards this unit, terrain or objective")
    inches: float | None = asked(None, "No farther than", unit="inches", ge=0, le=240)


class PendingDrive(PendingAction, frozen=True):
    """A drive about to be made: its goals, and the dice that the ground calls for."""

    goals: tuple[Point, ...]
    crossing: Crossing
    heading: float | None = None
    reverse: bool = False


@clause("V5-MOVE-2", "V5-CORE-16")
def plan_drive(state: State, order: DriveOrder) -> Plan:
    """Refuse vehicles that may not move, and drives without the speed, the room and the ground for them."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "drive; squads use move_unit", "V5-MOVE-2", "movement")
    raise_if_refused(movement.refuse_move_now("move", state.situation(vehicle)))
    if order.towards and not order.path:
        return _plan_approach(state, vehicle, order)
    return _plan_path(state, vehicle, points_of(order.path), order.heading, order.reverse)


@clause("V5-MOVE-2")
def _plan_approach(state: State, vehicle: Vehicle, order: DriveOrder) -> Plan:
    """Plan the longest drive straight at something that is not refused, else name what refuses the whole way."""
    there, hull = moves.destination(state.field, order.towards, "V5-MOVE-2"), state.hull(vehicle.name)
    left = there.inches_from((hull,))
    need(left > TOLERANCE, f"{vehicle.name} is at {there.name} already", "V5-MOVE-1", "near")
    most = movement.max_inches(vehicle.traits, rulings=state.rulings) if order.inches is None else order.inches

    def plan_after(inches: float) -> Plan:
        (path,) = there.paths_from((hull,), inches)
        return _plan_path(state, vehicle, path[1:], order.heading, order.reverse)

    def refused(inches: float) -> Refused | None:
        try:
            plan_after(inches)
        except Refused as reason:
            return reason
        return None

    most = min(left, most)
    return plan_after(moves.farthest(most, refused, GRAIN) or most)


@clause("V5-MOVE-2", "V5-TERR-4", "V5-CORE-19", "V5-SKIM-4")
def _plan_path(
    state: State, vehicle: Vehicle, goals: tuple[Point, ...], heading: float | None = None, reverse: bool = False
) -> Plan:
    """Plan a drive from goal to goal; refuse one without the speed, the room and the ground for it."""
    situation, traits, hull = state.situation(vehicle), vehicle.traits, state.hull(vehicle.name)
    path = (hull.centre, *goals)
    distance = path_length(path)
    stays = "a drive needs a path of some inches; to stay where it is, use stand"
    need(distance > TOLERANCE, stays, "V5-MOVE-1", "distance")
    raise_if_refused(
        refuse_flat_out(situation, granted(band_of_distance(distance, traits, state.on_road(path), state.rulings)))
    )
    end = arrived(hull, goals, heading, reverse=reverse)
    turns = [end]  # between two of them it stays on the table
    for first, way_on in legs(hull, goals, reverse=reverse):
        turns += first, driven(first, -way_on if reverse else way_on)
    turn.need_board(state, vehicle, *turns)
    areas = state.terrain_on_way(traits, hull, goals, end)
    raise_if_refused(terrain.refuse_ground(traits, [kind for kind, _, _ in areas]))
    on_model = state.stands_on_model(vehicle, end)
    raise_if_refused(refuse_path(traits, _blockers(state, vehicle, hull, goals), on_model, drives=True))
    footprint = vehicle.footprint_at(end)
    near = state.near(box_of((footprint,)), troops.ENEMY_GAP)
    enemies = [other for position in near if position.side != vehicle.side for other in position.footprints]
    raise_if_refused(troops.refuse_closeness(footprint, enemies))
    crossing = crossing_of(state, vehicle, path, areas)
    return Plan(set_off, PendingDrive(state, vehicle.name, goals, crossing, heading, reverse))


@clause("V5-TERR-2")
def set_off(tape: Tape, work: PendingDrive) -> PendingDrive:
    """Begin a drive, and name the tests that the ground on its way calls for."""
    if work.crossing.edges:
        tape.tell(tests_ahead, work.unit, work.crossing)
    return work


def tests_ahead(name: str, crossing: Crossing) -> str:
    """Say where a vehicle is tested for bad ground."""
    places = listed([f"after {inches(round(edge, 2))}" if edge else "at once" for edge in crossing.edges])
    return f"{name} comes to bad ground: a test {places}"


def _blockers(state: State, vehicle: Vehicle, hull: Hull, goals: Sequence[Point]) -> list[Blocker]:
    """Return what a drive runs into."""
    blockers: list[Blocker] = []
    footprint = vehicle.footprint_at(hull)
    around = moves.box_of_paths((footprint,), ((hull.centre, *goals),))
    for position in state.near(around, 0, vehicle.name):
        if driven_through(footprint, goals, position.footprints):
            enemy: Blocker = "enemy_vehicle" if position.hulls else "enemy"
            blockers.append("friendly" if position.side == vehicle.side else enemy)
    return blockers


@clause("V5-TERR-2", "V5-TERR-1", "V5-SKIM-2", "V5-SKIM-3", "V5-WALK-2")
def crossing_of(state: State, vehicle: Vehicle, path: Sequence[Point], areas: Sequence[terrain.Area]) -> Crossing:
    """Return a move with the dice that the ground on its way calls for."""
    return terrain.crossing_of_areas(
        vehicle.traits,
        path_length(path),
        areas,
        state.rulings,
        on_road=state.on_road(path),
        vehicle=state.condition_before_turn(vehicle),
        name=vehicle.name,
    )


@clause("V5-TERR-3", "V5-TERR-2", "V5-WALK-2")
def drive_along(
    tape: Tape, state: State, vehicle: Vehicle, goals: Sequence[Point], crossing: Crossing, reverse: bool = False
) -> tuple[State, Stop]:
    """Move a vehicle on its way, with the tests of the ground; a failed one stops it for good."""
    end = terrain.test_first_vehicle(tape, terrain.roll_allowed_inches(tape, crossing)).end
    assert end is not None
    hull = _hull_after(state.hull(vehicle.name), goals, end.moved, reverse)
    return state.with_place(vehicle.name, hull).with_units(state.with_damage(vehicle, end.vehicle)), end


@clause("V5-TERR-3", "V5-MOVE-7")
def cross(tape: Tape, work: PendingDrive) -> PendingDrive:
    """Drive a vehicle, with the tests that the ground calls for."""
    state, end = drive_along(tape, work.state, work.vehicle, work.goals, work.crossing, work.reverse)
    hull = state.hull(work.unit)
    if work.heading is not None and end.moved >= work.crossing.declared - TOLERANCE:
        hull = turned(hull, work.heading)
    distance = apart(work.hull.centre, hull.centre)
    moved = state.vehicle(work.unit).with_move(end.band, end.moved, distance, work.crossing.on_road)
    tape.tell(words.vehicle_place, work.unit, hull, clause="V5-MOVE-2")
    return replace(work, state=state.with_place(work.unit, hull).with_units(moved))


def _hull_after(hull: Hull, goals: Sequence[Point], inches: float, reverse: bool) -> Hull:
    for start, way in legs(hull, goals, reverse=reverse):
        here = min(inches, way)
        hull = driven(start, -here if reverse else here)
        inches -= here
        if inches <= TOLERANCE:
            break
    return hull


def propose_drives(state: State) -> Iterator[DriveOrder]:
    """Propose drives of a few lengths, straight on, to both sides and back."""
    for unit in mine(state, Vehicle):
        top, hull = max_inches(unit.traits, rulings=state.rulings), state.hull(unit.name)
        for way in dict.fromkeys((3.0, 6.0, 12.0, top)):
            for turned_by in (0, -45, 45):
                goal = nearer(hull.centre, step(hull.centre, wrap(hull.heading + turned_by), way))
                if way <= top and -240 <= goal.x <= 240 and -240 <= goal.y <= 240:
                    yield DriveOrder(unit=unit.name, path=(Spot(x=goal.x, y=goal.y),))
        for objective in state.field.objectives:
            yield DriveOrder(unit=unit.name, towards=objective.name, inches=6.0)
        back = nearer(hull.centre, step(hull.centre, wrap(hull.heading + 180), 4))
        yield DriveOrder(unit=unit.name, path=(Spot(x=back.x, y=back.y),), reverse=True)


def forget_all_but_driver(work: PendingDrive) -> PendingDrive:
    """Forget all but the vehicle: once the ground has been looked at, a drive is up to it alone."""
    return replace(work, state=work.state.with_only(work.vehicle))


DRIVE = Action(
    "drive",
    "Drive a vehicle",
    DriveOrder,
    plan_drive,
    Procedure("drive", (cross, losses.replace_destroyed)),
    propose_drives,
    measures=(
        Measure("moved", "Inches covered", lambda work: work.vehicle.done.path, "inches"),
        Measure("immobilised", "Immobilised or wrecked", turn.is_stuck),
    ),
    clauses=("V5-MOVE-2", "V5-MOVE-7", "V5-TERR-3"),
    lens=lambda asked: ((PendingDrive, forget_all_but_driver),),
)


class TurnOrder(Inputs, frozen=True):
    """A vehicle turns on the spot."""

    unit: str = ""
    heading: Heading = 0.0


@clause("V5-MOVE-1", "V5-TERR-4")
def plan_turn(state: State, order: TurnOrder) -> Plan:
    """Refuse a turn on the spot of a vehicle without room for it."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "turn on the spot", "V5-MOVE-1", "movement")
    raise_if_refused(movement.refuse_move_now("pivot", state.situation(vehicle)))
    turn.need_room(state, vehicle, order.heading)
    return Plan(turn_on_spot, state, vehicle, order.heading)


@clause("V5-MOVE-1")
def turn_on_spot(tape: Tape, state: State, vehicle: Vehicle, heading: float) -> State:
    """Turn a vehicle on the spot."""
    hull = turned(state.hull(vehicle.name), heading)
    tape.tell(words.vehicle_turned, vehicle.name, hull)
    return state.with_place(vehicle.name, hull).with_units(did(vehicle, pivoted=True))


def propose_turns(state: State) -> Iterator[TurnOrder]:
    """Propose quarter turns and a turn about."""
    for unit in mine(state, Vehicle):
        if not unit.done.pivoted:
            yield from (
                TurnOrder(unit=unit.name, heading=wrap(state.hull(unit.name).heading + by)) for by in (-90, 90, 180)
            )


@clause("V5-MOVE-1")
def plan_standing(state: State, order: VehicleOrder) -> Plan:
    """Refuse to declare a vehicle stationary that has moved or stands already."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "are declared stationary", "V5-MOVE-1", "movement")
    raise_if_refused(movement.refuse_further_move("move", state.situation(vehicle)))
    return Plan(stand_still, state, vehicle)


@clause("V5-MOVE-1")
def stand_still(tape: Tape, state: State, vehicle: Vehicle) -> State:
    """Declare a vehicle stationary."""
    tape.tell("{} stays where it is", vehicle.name)
    return state.with_units(did(vehicle, finished_move=True))


@clause("V5-SMOKE-1", "V5-SMOKE-3", "V5-WALK-4")
def plan_smoke(state: State, order: VehicleOrder) -> Plan:
    """Refuse smoke to vehicles without launchers or before the end of their move."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "have smoke launchers", "V5-SMOKE-1")
    raise_if_refused(movement.refuse_smoke(state.situation(vehicle)))
    return Plan(set_off_smoke, state, vehicle)


@clause("V5-SMOKE-1", "V5-SMOKE-3")
def set_off_smoke(tape: Tape, state: State, vehicle: Vehicle) -> State:
    """Set off the smoke of a vehicle; that ends its move."""
    tape.tell("Smoke hangs about {}", vehicle.name)
    return state.with_units(replace(did(vehicle, finished_move=True), smoke_used=True, smoke_turn=state.turn))


TURN = Action(
    "turn_on_spot",
    "Turn a vehicle on the spot",
    TurnOrder,
    plan_turn,
    options=propose_turns,
    clauses=("V5-MOVE-1", "V5-TERR-4"),
)
STAND = Action("stand", "Declare a vehicle stationary", VehicleOrder, plan_standing, clauses=("V5-MOVE-1",))
SMOKE = Action("smoke", "Set off smoke", VehicleOrder, plan_smoke, clauses=("V5-SMOKE-1", "V5-SMOKE-3"))
