"""What machines do with their move: `drive`, `turn_on_spot`, `stand` and `smoke`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.battle.actions._orders import OneUnit, about, at_once, machine_of, mine, tidy
from battletape.rulesets.vehicles5.battle.destruction import clear_ruins
from battletape.rulesets.vehicles5.battle.log import chronicle
from battletape.rulesets.vehicles5.battle.start import Heading, Spot
from battletape.rulesets.vehicles5.battle.state import Field, Machine, Marker, things_of
from battletape.rulesets.vehicles5.battle.table import (
    close_to,
    crosses,
    grounds_about,
    half_diagonal,
    on_road,
    points,
    spots,
    stands_on,
)
from battletape.rulesets.vehicles5.battle.turn import refuse_flat_out, refuse_moving, refuse_turn
from battletape.rulesets.vehicles5.profiles.book import has_smoke
from battletape.rulesets.vehicles5.rules import terrain
from battletape.rulesets.vehicles5.rules.damage import suffer
from battletape.rulesets.vehicles5.rules.movement import InTheWay, assault_band, band, limit, refuse_move, refuse_path
from battletape.rulesets.vehicles5.rules.smoke import refuse_smoke
from battletape.rulesets.vehicles5.rules.terrain import roll_difficult, roll_tests, stop
from battletape.rulesets.vehicles5.rules.traits import Relation
from battletape.rulesets.vehicles5.rules.troops import APART, refuse_closeness
from battletape.system import Action, Measure
from battletape.table.board import is_on_board
from battletape.table.distances import overlaps
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import arrived, driven_through, hull_spans_along, legs, path_length
from battletape.table.points import TOLERANCE, Point, apart, step, wrap
from battletape.tape import Forget, Tape


class Drive(Inputs, frozen=True):
    """A machine drives from point to point."""

    unit: str = ""
    path: Annotated[tuple[Spot, ...], Meta(title="Where the middle of the hull goes")] = ()
    heading: Annotated[Heading | None, Meta(title="How it turns at the end")] = None
    reverse: bool = False


class Crossing(Struct, frozen=True, cache_hash=True):
    """A drive about to be made: its goals, and the dice that the ground asks for."""

    field: Field
    unit: str
    goals: tuple[Point, ...]
    heading: float | None = None
    reverse: bool = False
    on_road: bool = False
    tests: int = 0
    inside: bool = False  # whether it starts in ground that has to be tested for
    enters: float | None = None  # after how many inches it comes to such ground
    slowed: bool = False


@clause("V5-MOVE-2", "V5-TERR-4", "V5-CORE-19", "V5-SKIM-4")
def refuse_drive(field: Field, order: Drive) -> Refused | None:
    """Why a machine may not drive like this."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "drive; squads use move_unit", "V5-MOVE-2")
    if isinstance(machine, Refused):
        return machine
    refused = refuse_move("move", machine.traits, field.condition(machine).state, field.rules)
    refused = refused or refuse_moving(field, machine)
    return refused or _refuse_way(field, machine, order)


def _refuse_way(field: Field, machine: Machine, order: Drive) -> Refused | None:
    goals, traits = points(order.path), machine.traits
    path = (machine.hull.centre, *goals)
    way = path_length(path)
    if way <= TOLERANCE:
        return Refused("a drive wants a path of some inches; to stay where it is, use stand", "V5-MOVE-1", "distance")
    speed = band(way, traits, on_road(field, path), field.rules)
    if isinstance(speed, Refused):
        return speed
    refused = refuse_flat_out(field, machine, speed)
    if refused is not None:
        return refused
    end = arrived(machine.hull, goals, order.heading, reverse=order.reverse)
    if not all(is_on_board(field.board, one) for one in (*_corners(machine.hull, goals, order.reverse), end)):
        return Refused(f"{machine.name} would reach over the edge of the table", "V5-TANK-4", "edge")
    crossed = [one.kind for one in grounds_about(field, machine.hull, way) if crosses(machine.hull, goals, one)]
    refused = terrain.refuse_ground(traits, crossed)
    refused = refused or refuse_path(
        traits, _met(field, machine, goals), stands_on(end, field.bodies(machine.name)), "normal"
    )
    foes = close_to(end.centre, half_diagonal(end) + APART, field.bodies(side=field.other_side(machine.side)))
    return refused or refuse_closeness(replace(machine, hull=end).thing, foes)


def _met(field: Field, machine: Machine, goals: Sequence[Point]) -> list[InTheWay]:
    """Whom a drive runs into."""
    found: list[InTheWay] = []
    reach = path_length((machine.hull.centre, *goals)) + half_diagonal(machine.hull)
    for one in field.on_table(machine.name):
        near = close_to(machine.hull.centre, reach, things_of(one))
        if near and driven_through(machine.hull, goals, near):
            vehicle: InTheWay = "enemy_vehicle" if isinstance(one, Machine) else "enemy"
            found.append("friendly" if one.side == machine.side else vehicle)
    return found


def _corners(hull: Hull, goals: Sequence[Point], reverse: bool) -> Iterator[Hull]:
    """The hull wherever it turns on its way; between two places on the table it stays on it."""
    for start, way in legs(hull, goals, reverse=reverse):
        yield from (start, driven(start, -way if reverse else way))


@clause("V5-TERR-2", "V5-TERR-1", "V5-SKIM-2", "V5-SKIM-3", "V5-WALK-2")
def begin_drive(field: Field, order: Drive) -> Crossing:
    """Look at the ground on the way: what has to be tested for, and where it begins."""
    machine, goals = field.machine(order.unit), points(order.path)
    end = arrived(machine.hull, goals, order.heading, reverse=order.reverse)
    road = on_road(field, (machine.hull.centre, *goals))
    work = Crossing(field, machine.name, goals, order.heading, order.reverse, road)
    return look_ahead(work, machine, end)


def look_ahead(work: Crossing, machine: Machine, end: Hull) -> Crossing:
    """The dice that the ground on the way asks for."""
    field, traits = work.field, machine.traits
    near = grounds_about(field, machine.hull, path_length((machine.hull.centre, *work.goals)))
    feared = [one for one in near if _is_feared(field, machine, one)]
    starts = [one for one in feared if overlaps(machine.hull, one.ground)]
    if traits.skimmer:
        lands = [one for one in feared if overlaps(end, one.ground)]
        count = _tests(field, machine, starts, "starting") + _tests(field, machine, lands, "landing")
        count = min(count, 1) if field.rules.terrain_tests == "one_per_move" else count
        return replace(work, tests=count, inside=bool(starts))
    crossed = [(one, hull_spans_along(machine.hull, work.goals, (one.ground,))) for one in feared]
    met = [one for one, spans in crossed if spans]
    enters = min((spans[0][0] for _, spans in crossed if spans), default=None)
    slow = [one.kind for one in near if crosses(machine.hull, work.goals, one)]
    return replace(
        work,
        tests=_tests(field, machine, met, "through"),
        inside=bool(starts),
        enters=enters,
        slowed=terrain.is_slowed(traits, slow),
    )


def _is_feared(field: Field, machine: Machine, marker: Marker) -> bool:
    return _tests(field, machine, [marker], "landing" if machine.traits.skimmer else "through") > 0


def _tests(field: Field, machine: Machine, markers: Sequence[Marker], relation: Relation) -> int:
    return terrain.tests(machine.traits, [one.kind for one in markers], relation, field.rules)


@clause("V5-TERR-3", "V5-TERR-2", "V5-MOVE-7", "V5-WALK-2")
def cross(tape: Tape, work: Crossing) -> Crossing:
    """Drive, with the tests that the ground asks for; a failed one stops the machine for good."""
    field, machine = work.field, work.field.machine(work.unit)
    declared = path_length((machine.hull.centre, *work.goals))
    inches = min(declared, float(tape.call(roll_difficult))) if work.slowed else declared
    reached = work.tests and (work.inside or work.enters is None or work.enters < inches)
    failed = bool(reached) and not tape.call(roll_tests, work.tests)
    halt = stop(machine.traits, inches, work.inside, work.enters, failed, field.rules, work.on_road)
    hull = hull_after(machine.hull, work.goals, halt.moved, work.reverse)
    if work.heading is not None and halt.moved >= declared - TOLERANCE:
        hull = turned(hull, work.heading)
    way = apart(machine.hull.centre, hull.centre)
    condition = field.fresh(machine)
    if halt.row != "none":
        condition = tape.call(suffer, replace(condition, crash="no"), halt.row)
    after = replace(
        field.damaged(machine, condition),
        hull=hull,
        band=halt.band,
        assault_band=assault_band(way, machine.traits),
        path=halt.moved,
        displacement=way,
        on_road=work.on_road,
        moved=True,
        finished_move=True,
    )
    return replace(work, field=field.changed(after))


def hull_after(hull: Hull, goals: Sequence[Point], inches: float, reverse: bool = False) -> Hull:
    """The hull after so many inches of its path."""
    for start, way in legs(hull, goals, reverse=reverse):
        here = min(inches, way)
        hull = driven(start, -here if reverse else here)
        inches -= here
        if inches <= TOLERANCE:
            break
    return hull


DRIVING = Procedure("drive", (cross, clear_ruins))


def _drives(field: Field) -> Iterator[Drive]:
    for one in mine(field, "movement"):
        if isinstance(one, Machine):
            top = limit(one.traits, rules=field.rules)
            for way in dict.fromkeys((3.0, 6.0, 12.0, top)):
                for turn in (0, -45, 45):
                    goal = step(one.hull.centre, wrap(one.hull.heading + turn), way)
                    if way <= top and -240 <= goal.x <= 240 and -240 <= goal.y <= 240:
                        yield Drive(unit=one.name, path=spots([goal]))
            back = step(one.hull.centre, wrap(one.hull.heading + 180), 4)
            yield Drive(unit=one.name, path=spots([back]), reverse=True)


def driver_alone(work: Crossing) -> Crossing:
    """Where a drive ends, and how, is up to the machine itself once the ground has been looked at."""
    field, machine = work.field, work.field.machine(work.unit)
    return replace(work, field=replace(field, machines=(machine,), squads=(), grounds=()))


FORGOTTEN: Forget = ((Crossing, driver_alone),)


def drive_lens(asked: frozenset[str]) -> Forget:
    """Every measure is about the machine that drives."""
    return FORGOTTEN


DRIVE = Action(
    "drive",
    "Drive a machine",
    Drive,
    refuse_drive,
    begin_drive,
    DRIVING,
    lambda field, order, work: tidy(work.field),
    _drives,
    measures=(
        Measure("moved", "Inches covered", lambda work: work.field.machine(work.unit).path, "inches"),
        Measure(
            "immobilised",
            "Immobilised or wrecked",
            lambda work: int(
                work.field.machine(work.unit).condition.immobilised or work.field.machine(work.unit).is_gone
            ),
        ),
    ),
    about=about,
    tell=chronicle,
    clauses=("V5-MOVE-2", "V5-MOVE-7", "V5-TERR-3"),
    lens=drive_lens,
)


class Turn(Inputs, frozen=True):
    """A machine turns on the spot."""

    unit: str = ""
    heading: Heading = 0.0


# --- turning and standing -------------------------------------------------------------------------------------------


@clause("V5-MOVE-1", "V5-TERR-4")
def refuse_turning(field: Field, order: Turn) -> Refused | None:
    """Why a machine may not turn on the spot."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "turn on the spot", "V5-MOVE-1")
    if isinstance(machine, Refused):
        return machine
    refused = refuse_move("pivot", machine.traits, field.condition(machine).state, field.rules)
    if refused is not None:
        return refused
    if machine.locked_with or machine.exit_after_move:
        return refuse_moving(field, machine)
    if machine.smoke_turn == field.turn:
        reason = f"{machine.name} has set off its smoke, which ends its move; it turns before that"
        return Refused(reason, "V5-SMOKE-1", "smoke")
    if machine.declared != "normal":
        return Refused(f"{machine.name} turns before it charges straight on, not after", "V5-TANK-2", "declared")
    after = turned(machine.hull, order.heading)
    if stands_on(after, field.bodies(machine.name)):
        return Refused(f"{machine.name} would stand on a model", "V5-TERR-4", "model")
    if not is_on_board(field.board, after):
        return Refused(f"{machine.name} would reach over the edge of the table", "V5-TANK-4", "edge")
    return None


def _turn(field: Field, order: Turn) -> Field:
    machine = field.machine(order.unit)
    return field.changed(replace(machine, hull=turned(machine.hull, order.heading), pivoted=True))


@clause("V5-MOVE-1")
def refuse_standing(field: Field, order: OneUnit) -> Refused | None:
    """Why a machine cannot be declared stationary."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "are declared stationary", "V5-MOVE-1")
    return machine if isinstance(machine, Refused) else refuse_moving(field, machine)


def _stand(field: Field, order: OneUnit) -> Field:
    return field.changed(replace(field.machine(order.unit), finished_move=True))


# --- smoke ----------------------------------------------------------------------------------------------------------


@clause("V5-SMOKE-1", "V5-WALK-4")
def refuse_smoking(field: Field, order: OneUnit) -> Refused | None:
    """Why a machine may not set off its smoke."""
    refused = refuse_turn(field, order.unit)
    if refused is not None:
        return refused
    machine = machine_of(field, order.unit, "have smoke launchers", "V5-SMOKE-1")
    if isinstance(machine, Refused):
        return machine
    if machine.fired_at:
        return Refused(f"{machine.name} has fired this turn", "V5-SMOKE-2", "fired")
    return refuse_smoke(
        machine.traits,
        has_smoke(machine.profile),
        machine.smoke_used,
        field.phase,
        machine.moved,
        machine.finished_move,
        machine.ran,
        field.rules,
        field.condition(machine).state,
    )


def _smoke(field: Field, order: OneUnit) -> Field:
    machine = field.machine(order.unit)
    return field.changed(replace(machine, smoke_used=True, smoke_turn=field.turn, finished_move=True))


# --- the cards ------------------------------------------------------------------------------------------------------


def _turns(field: Field) -> Iterator[Turn]:
    for one in mine(field, "movement"):
        if isinstance(one, Machine) and not one.pivoted:
            yield from (Turn(unit=one.name, heading=wrap(one.hull.heading + by)) for by in (-90, 90, 180))


def each_machine(field: Field) -> Iterable[OneUnit]:
    """Every machine of the active side."""
    return (OneUnit(unit=one.name) for one in mine(field) if isinstance(one, Machine))


TURN = at_once(
    "turn_on_spot", "Turn a machine on the spot", Turn, refuse_turning, _turn, _turns, "V5-MOVE-1", "V5-TERR-4"
)
STAND = at_once("stand", "Declare a machine stationary", OneUnit, refuse_standing, _stand, each_machine, "V5-MOVE-1")
SMOKE = at_once("smoke", "Set off smoke", OneUnit, refuse_smoking, _smoke, each_machine, "V5-SMOKE-1", "V5-SMOKE-3")
