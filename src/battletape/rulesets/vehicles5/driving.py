"""How machines drive in a battle, over all sorts of ground."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5 import terrain
from battletape.rulesets.vehicles5.damage import suffer
from battletape.rulesets.vehicles5.field import Field, Machine, Marker, things_of
from battletape.rulesets.vehicles5.movement import InTheWay, assault_band, band, limit, refuse_move, refuse_path
from battletape.rulesets.vehicles5.moving import refuse_flat_out, refuse_moving
from battletape.rulesets.vehicles5.orders import (
    Heading,
    Solid,
    Spot,
    about,
    chronicle,
    close_to,
    half_diagonal,
    machine_of,
    mine,
    points,
    refuse_turn,
    spots,
    tidy,
)
from battletape.rulesets.vehicles5.ruin import clear_ruins
from battletape.rulesets.vehicles5.terrain import roll_difficult, roll_tests, stop
from battletape.rulesets.vehicles5.traits import Relation
from battletape.rulesets.vehicles5.troops import APART, refuse_closeness
from battletape.system import Action, Measure
from battletape.table.board import is_on_board
from battletape.table.distances import overlaps
from battletape.table.hulls import Hull, driven, turned
from battletape.table.paths import (
    arrived,
    driven_through,
    hull_spans_along,
    is_wholly_on,
    legs,
    path_length,
    stood_on,
)
from battletape.table.points import TOLERANCE, Point, apart, step, wrap
from battletape.tape import Tape


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


def stands_on(hull: Hull, things: Iterable[Solid]) -> bool:
    """Whether a hull would stand on any of these."""
    return bool(stood_on(hull, close_to(hull.centre, half_diagonal(hull), things)))


def grounds_about(field: Field, hull: Hull, way: float) -> list[Marker]:
    """The ground that a hull may come to on a way of so many inches."""
    reach = way + half_diagonal(hull)
    return [one for one in field.grounds if close_to(hull.centre, reach, (one.ground,))]


def crosses(hull: Hull, goals: Sequence[Point], marker: Marker) -> bool:
    """Whether any part of a hull comes over some ground on its way."""
    return bool(hull_spans_along(hull, goals, (marker.ground,)))


def _corners(hull: Hull, goals: Sequence[Point], reverse: bool) -> Iterator[Hull]:
    """The hull wherever it turns on its way; between two places on the table it stays on it."""
    for start, way in legs(hull, goals, reverse=reverse):
        yield from (start, driven(start, -way if reverse else way))


def on_road(field: Field, path: Sequence[Point]) -> bool:
    """Whether a whole path lies on roads."""
    road = [one.ground for one in field.kinds("road")]
    return bool(road) and is_wholly_on(path, road)


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
DRIVING_FORECAST = Procedure("drive", (cross,))


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
)
