"""What vehicles do with their move: `drive`, `turn_on_spot`, `stand` and `smoke`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battletape.cards import Action, Inputs, Measure, Plan, asked
from battletape.rulebook import (
    Procedure,
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
from battletape.rulesets.vehicles5.battle.start import Heading, Spot, points
from battletape.rulesets.vehicles5.battle.state import PendingAction, State, Vehicle, footprints, near_hull
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


class DriveOrder(Inputs, frozen=True):
    """A vehicle drives from point to point."""

    unit: str = ""
    path: tuple[Spot, ...] = asked((), "Where the middle of the hull goes")
    heading: Heading | None = asked(None, "How it turns at the end")
    reverse: bool = False


class PendingDrive(PendingAction, frozen=True):
    """A drive about to be made: its goals, and the dice that the ground calls for."""

    goals: tuple[Point, ...]
    crossing: Crossing
    heading: float | None = None
    reverse: bool = False


@clause("V5-MOVE-2", "V5-TERR-4", "V5-CORE-19", "V5-SKIM-4")
def plan_drive(state: State, order: DriveOrder) -> Plan:
    """Refuse a drive without the speed, the room and the ground for it."""
    vehicle = turn.acting_as(Vehicle, state, order.unit, "drive; squads use move_unit", "V5-MOVE-2", "movement")
    situation, traits = state.situation(vehicle), vehicle.traits
    raise_if_refused(movement.refuse_move_now("move", situation))
    goals = points(order.path)
    path = (vehicle.hull.centre, *goals)
    distance = path_length(path)
    stays = "a drive needs a path of some inches; to stay where it is, use stand"
    need(distance > TOLERANCE, stays, "V5-MOVE-1", "distance")
    raise_if_refused(
        refuse_flat_out(situation, granted(band_of_distance(distance, traits, state.on_road(path), state.rules)))
    )
    end = arrived(vehicle.hull, goals, order.heading, reverse=order.reverse)
    turns = [end]  # between two of them it stays on the table
    for first, way_on in legs(vehicle.hull, goals, reverse=order.reverse):
        turns += first, driven(first, -way_on if order.reverse else way_on)
    turn.need_board(state, vehicle, *turns)
    areas = state.areas_on(vehicle, goals, end)
    raise_if_refused(terrain.refuse_ground(traits, [kind for kind, _, _ in areas]))
    after = replace(vehicle, hull=end)
    raise_if_refused(refuse_path(traits, _blockers(state, vehicle, goals), state.stands_on_model(after), drives=True))
    raise_if_refused(
        troops.refuse_closeness(after.footprint, near_hull(end, troops.ENEMY_GAP, state.enemy_footprints(vehicle)))
    )
    crossing = crossing_of(state, vehicle, goals, areas)
    return Plan(set_off, PendingDrive(state, vehicle.name, goals, crossing, order.heading, order.reverse))


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


def _blockers(state: State, vehicle: Vehicle, goals: Sequence[Point]) -> list[Blocker]:
    """Return what a drive runs into."""
    blockers: list[Blocker] = []
    reach = path_length((vehicle.hull.centre, *goals))
    for unit in state.on_table(vehicle.name):
        near = near_hull(vehicle.hull, reach, footprints(unit))
        if near and driven_through(vehicle.footprint, goals, near):
            enemy: Blocker = "enemy_vehicle" if isinstance(unit, Vehicle) else "enemy"
            blockers.append("friendly" if unit.side == vehicle.side else enemy)
    return blockers


@clause("V5-TERR-2", "V5-TERR-1", "V5-SKIM-2", "V5-SKIM-3", "V5-WALK-2")
def crossing_of(state: State, vehicle: Vehicle, goals: Sequence[Point], areas: Sequence[terrain.Area]) -> Crossing:
    """Return a move with the dice that the ground on its way calls for."""
    path = (vehicle.hull.centre, *goals)
    return terrain.crossing_of_areas(
        vehicle.traits,
        path_length(path),
        areas,
        state.rules,
        on_road=state.on_road(path),
        vehicle=state.condition_before_turn(vehicle),
        name=vehicle.name,
    )


@clause("V5-TERR-3", "V5-TERR-2", "V5-WALK-2")
def drive_along(
    tape: Tape, state: State, vehicle: Vehicle, goals: Sequence[Point], crossing: Crossing, reverse: bool = False
) -> tuple[Vehicle, Stop]:
    """Move a vehicle on its way, with the tests of the ground; a failed one stops it for good."""
    end = terrain.test_first_vehicle(tape, terrain.roll_allowed_inches(tape, crossing)).end
    assert end is not None
    hull = _hull_after(vehicle.hull, goals, end.moved, reverse)
    return replace(state.with_damage(vehicle, end.vehicle), hull=hull), end


@clause("V5-TERR-3", "V5-MOVE-7")
def cross(tape: Tape, work: PendingDrive) -> PendingDrive:
    """Drive a vehicle, with the tests that the ground calls for."""
    vehicle = work.vehicle
    after, end = drive_along(tape, work.state, vehicle, work.goals, work.crossing, work.reverse)
    hull = after.hull
    if work.heading is not None and end.moved >= work.crossing.declared - TOLERANCE:
        hull = turned(hull, work.heading)
    distance = apart(vehicle.hull.centre, hull.centre)
    moved = after.with_move(hull, end.band, end.moved, distance, work.crossing.on_road)
    tape.tell(words.vehicle_place, moved, clause="V5-MOVE-2")
    return work.with_units(moved)


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
        top, hull = max_inches(unit.traits, rulings=state.rules), unit.hull
        for way in dict.fromkeys((3.0, 6.0, 12.0, top)):
            for turned_by in (0, -45, 45):
                goal = nearer(hull.centre, step(hull.centre, wrap(hull.heading + turned_by), way))
                if way <= top and -240 <= goal.x <= 240 and -240 <= goal.y <= 240:
                    yield DriveOrder(unit=unit.name, path=(Spot(x=goal.x, y=goal.y),))
        back = nearer(hull.centre, step(hull.centre, wrap(hull.heading + 180), 4))
        yield DriveOrder(unit=unit.name, path=(Spot(x=back.x, y=back.y),), reverse=True)


def forget_all_but_driver(work: PendingDrive) -> PendingDrive:
    """Forget all but the vehicle: once the ground has been looked at, a drive is up to it alone."""
    alone = replace(work.state, vehicles=(work.vehicle,), squads=(), terrain_pieces=())
    return replace(work, state=alone)


DRIVE = Action(
    "drive",
    "Drive a vehicle",
    DriveOrder,
    plan_drive,
    Procedure("drive", (cross, losses.replace_destroyed)),
    propose_drives,
    measures=(
        Measure("moved", "Inches covered", lambda work: work.vehicle.path, "inches"),
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
    after = replace(vehicle, hull=turned(vehicle.hull, heading), pivoted=True)
    tape.tell(words.vehicle_turned, after)
    return state.with_units(after)


def propose_turns(state: State) -> Iterator[TurnOrder]:
    """Propose quarter turns and a turn about."""
    for unit in mine(state, Vehicle):
        if not unit.pivoted:
            yield from (TurnOrder(unit=unit.name, heading=wrap(unit.hull.heading + by)) for by in (-90, 90, 180))


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
    return state.with_units(replace(vehicle, finished_move=True))


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
    return state.with_units(replace(vehicle, smoke_used=True, smoke_turn=state.turn, finished_move=True))


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
