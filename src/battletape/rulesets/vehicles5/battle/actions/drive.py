"""What machines do with their move: `drive`, `turn_on_spot`, `stand` and `smoke`."""

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
from battletape.rulesets.vehicles5.battle.actions._orders import OneMachine, mine
from battletape.rulesets.vehicles5.battle.start import Heading, Spot, points
from battletape.rulesets.vehicles5.battle.state import Machine, PendingAction, State, footprints, near_hull
from battletape.rulesets.vehicles5.rules import movement, terrain, troops
from battletape.rulesets.vehicles5.rules.movement import Blocker, band, limit, refuse_flat_out, refuse_path
from battletape.rulesets.vehicles5.rules.terrain import Crossing, Stop
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import arrived, driven_through, legs, path_length
from battletape.table.points import TOLERANCE, Point, apart, nearer, step, wrap


class Drive(Inputs, frozen=True):
    """A machine drives from point to point."""

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
def plan_drive(state: State, order: Drive) -> Plan:
    """Refuse a drive without the speed, the room and the ground for it."""
    machine = turn.acting_as(Machine, state, order.unit, "drive; squads use move_unit", "V5-MOVE-2", "movement")
    now, traits = state.situation(machine), machine.traits
    raise_if_refused(movement.refuse_now("move", now))
    goals = points(order.path)
    path = (machine.hull.centre, *goals)
    way = path_length(path)
    stays = "a drive needs a path of some inches; to stay where it is, use stand"
    need(way > TOLERANCE, stays, "V5-MOVE-1", "distance")
    raise_if_refused(refuse_flat_out(now, granted(band(way, traits, state.on_road(path), state.rules))))
    end = arrived(machine.hull, goals, order.heading, reverse=order.reverse)
    turns = [end]  # between two of them it stays on the table
    for first, way_on in legs(machine.hull, goals, reverse=order.reverse):
        turns += first, driven(first, -way_on if order.reverse else way_on)
    turn.need_board(state, machine, *turns)
    areas = state.areas_on(machine, goals, end)
    raise_if_refused(terrain.refuse_ground(traits, [kind for kind, _, _ in areas]))
    after = replace(machine, hull=end)
    raise_if_refused(refuse_path(traits, _met(state, machine, goals), state.stands_on_model(after), drives=True))
    raise_if_refused(
        troops.refuse_closeness(after.footprint, near_hull(end, troops.APART, state.enemy_footprints(machine)))
    )
    crossing = crossing_of(state, machine, goals, areas)
    return Plan(set_off, PendingDrive(state, machine.name, goals, crossing, order.heading, order.reverse))


@clause("V5-TERR-2")
def set_off(tape: Tape, work: PendingDrive) -> PendingDrive:
    """Begin a drive, and name the tests that the ground on its way calls for."""
    if work.crossing.edges:
        tape.tell(tests_ahead, work.unit, work.crossing)
    return work


def tests_ahead(name: str, crossing: Crossing) -> str:
    """Say where a machine is tested for bad ground."""
    places = listed([f"after {inches(round(edge, 2))}" if edge else "at once" for edge in crossing.edges])
    return f"{name} comes to bad ground: a test {places}"


def _met(state: State, machine: Machine, goals: Sequence[Point]) -> list[Blocker]:
    """Return what a drive runs into."""
    met: list[Blocker] = []
    reach = path_length((machine.hull.centre, *goals))
    for unit in state.on_table(machine.name):
        near = near_hull(machine.hull, reach, footprints(unit))
        if near and driven_through(machine.footprint, goals, near):
            foe: Blocker = "enemy_vehicle" if isinstance(unit, Machine) else "enemy"
            met.append("friendly" if unit.side == machine.side else foe)
    return met


@clause("V5-TERR-2", "V5-TERR-1", "V5-SKIM-2", "V5-SKIM-3", "V5-WALK-2")
def crossing_of(state: State, machine: Machine, goals: Sequence[Point], areas: Sequence[terrain.Area]) -> Crossing:
    """Return a move with the dice that the ground on its way calls for."""
    path = (machine.hull.centre, *goals)
    return terrain.survey(
        machine.traits,
        path_length(path),
        areas,
        state.rules,
        on_road=state.on_road(path),
        vehicle=state.condition_before_turn(machine),
        name=machine.name,
    )


@clause("V5-TERR-3", "V5-TERR-2", "V5-WALK-2")
def drive_along(
    tape: Tape, state: State, machine: Machine, goals: Sequence[Point], crossing: Crossing, reverse: bool = False
) -> tuple[Machine, Stop]:
    """Move a machine on its way, with the tests of the ground; a failed one stops it for good."""
    end = terrain.cross(tape, terrain.find_the_way(tape, crossing)).end
    assert end is not None
    hull = _hull_after(machine.hull, goals, end.moved, reverse)
    return replace(state.damaged(machine, end.vehicle), hull=hull), end


@clause("V5-TERR-3", "V5-MOVE-7")
def cross(tape: Tape, work: PendingDrive) -> PendingDrive:
    """Drive a machine, with the tests that the ground calls for."""
    machine = work.machine
    after, end = drive_along(tape, work.state, machine, work.goals, work.crossing, work.reverse)
    hull = after.hull
    if work.heading is not None and end.moved >= work.crossing.declared - TOLERANCE:
        hull = turned(hull, work.heading)
    way = apart(machine.hull.centre, hull.centre)
    moved = after.having_moved(hull, end.band, end.moved, way, work.crossing.on_road)
    tape.tell(words.machine_place, moved, clause="V5-MOVE-2")
    return work.with_units(moved)


def _hull_after(hull: Hull, goals: Sequence[Point], inches: float, reverse: bool) -> Hull:
    for start, way in legs(hull, goals, reverse=reverse):
        here = min(inches, way)
        hull = driven(start, -here if reverse else here)
        inches -= here
        if inches <= TOLERANCE:
            break
    return hull


def propose_drives(state: State) -> Iterator[Drive]:
    """Propose drives of a few lengths, straight on, to both sides and back."""
    for unit in mine(state, Machine):
        top, hull = limit(unit.traits, rules=state.rules), unit.hull
        for way in dict.fromkeys((3.0, 6.0, 12.0, top)):
            for turned_by in (0, -45, 45):
                goal = nearer(hull.centre, step(hull.centre, wrap(hull.heading + turned_by), way))
                if way <= top and -240 <= goal.x <= 240 and -240 <= goal.y <= 240:
                    yield Drive(unit=unit.name, path=(Spot(x=goal.x, y=goal.y),))
        back = nearer(hull.centre, step(hull.centre, wrap(hull.heading + 180), 4))
        yield Drive(unit=unit.name, path=(Spot(x=back.x, y=back.y),), reverse=True)


def forget_all_but_driver(work: PendingDrive) -> PendingDrive:
    """Forget all but the machine: once the ground has been looked at, a drive is up to it alone."""
    alone = replace(work.state, machines=(work.machine,), squads=(), grounds=())
    return replace(work, state=alone)


DRIVE = Action(
    "drive",
    "Drive a machine",
    Drive,
    plan_drive,
    Procedure("drive", (cross, losses.replace_destroyed)),
    propose_drives,
    measures=(
        Measure("moved", "Inches covered", lambda work: work.machine.path, "inches"),
        Measure("immobilised", "Immobilised or wrecked", turn.is_stuck),
    ),
    clauses=("V5-MOVE-2", "V5-MOVE-7", "V5-TERR-3"),
    lens=lambda asked: ((PendingDrive, forget_all_but_driver),),
)


class Turn(Inputs, frozen=True):
    """A machine turns on the spot."""

    unit: str = ""
    heading: Heading = 0.0


@clause("V5-MOVE-1", "V5-TERR-4")
def plan_turn(state: State, order: Turn) -> Plan:
    """Refuse a turn on the spot of a machine without room for it."""
    machine = turn.acting_as(Machine, state, order.unit, "turn on the spot", "V5-MOVE-1", "movement")
    raise_if_refused(movement.refuse_now("pivot", state.situation(machine)))
    turn.need_room(state, machine, order.heading)
    return Plan(turn_on_spot, state, machine, order.heading)


@clause("V5-MOVE-1")
def turn_on_spot(tape: Tape, state: State, machine: Machine, heading: float) -> State:
    """Turn a machine on the spot."""
    after = replace(machine, hull=turned(machine.hull, heading), pivoted=True)
    tape.tell(words.machine_turned, after)
    return state.with_units(after)


def propose_turns(state: State) -> Iterator[Turn]:
    """Propose quarter turns and a turn about."""
    for unit in mine(state, Machine):
        if not unit.pivoted:
            yield from (Turn(unit=unit.name, heading=wrap(unit.hull.heading + by)) for by in (-90, 90, 180))


@clause("V5-MOVE-1")
def plan_standing(state: State, order: OneMachine) -> Plan:
    """Refuse to declare a machine stationary that has moved or stands already."""
    machine = turn.acting_as(Machine, state, order.unit, "are declared stationary", "V5-MOVE-1", "movement")
    raise_if_refused(movement.refuse_more("move", state.situation(machine)))
    return Plan(stand_still, state, machine)


@clause("V5-MOVE-1")
def stand_still(tape: Tape, state: State, machine: Machine) -> State:
    """Declare a machine stationary."""
    tape.tell("{} stays where it is", machine.name)
    return state.with_units(replace(machine, finished_move=True))


@clause("V5-SMOKE-1", "V5-SMOKE-3", "V5-WALK-4")
def plan_smoke(state: State, order: OneMachine) -> Plan:
    """Refuse smoke to machines without launchers or before the end of their move."""
    machine = turn.acting_as(Machine, state, order.unit, "have smoke launchers", "V5-SMOKE-1")
    raise_if_refused(movement.refuse_smoke(state.situation(machine)))
    return Plan(set_off_smoke, state, machine)


@clause("V5-SMOKE-1", "V5-SMOKE-3")
def set_off_smoke(tape: Tape, state: State, machine: Machine) -> State:
    """Set off the smoke of a machine; that ends its move."""
    tape.tell("Smoke hangs about {}", machine.name)
    return state.with_units(replace(machine, smoke_used=True, smoke_turn=state.turn, finished_move=True))


TURN = Action(
    "turn_on_spot",
    "Turn a machine on the spot",
    Turn,
    plan_turn,
    options=propose_turns,
    clauses=("V5-MOVE-1", "V5-TERR-4"),
)
STAND = Action("stand", "Declare a machine stationary", OneMachine, plan_standing, clauses=("V5-MOVE-1",))
SMOKE = Action("smoke", "Set off smoke", OneMachine, plan_smoke, clauses=("V5-SMOKE-1", "V5-SMOKE-3"))
