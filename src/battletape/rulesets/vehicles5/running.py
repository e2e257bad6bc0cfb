"""Moves of a die's length in a battle: running, consolidating, and falling back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.damage import suffer
from battletape.rulesets.vehicles5.driving import Crossing, hull_after, look_ahead
from battletape.rulesets.vehicles5.field import Field, Machine, Squad, things_of
from battletape.rulesets.vehicles5.marching import (
    Stride,
    brave,
    fall_back,
    is_walker,
    look_down,
    refuse_goals,
)
from battletape.rulesets.vehicles5.orders import (
    Heading,
    OneUnit,
    about,
    borders,
    chronicle,
    mine,
    refuse_squad,
    refuse_turn,
    squad_of,
    tidy,
)
from battletape.rulesets.vehicles5.ruin import clear_ruins
from battletape.rulesets.vehicles5.terrain import roll_tests
from battletape.rulesets.vehicles5.troops import APART
from battletape.rulesets.vehicles5.walker_fight import roll_consolidation
from battletape.rulesets.vehicles5.walkers import refuse_walker, roll_run
from battletape.system import Action
from battletape.table.hulls import driven, turned
from battletape.table.points import TOLERANCE, Point, step
from battletape.table.sweeps import free_distance
from battletape.tape import Tape

MOST = 6.0  # of a die


class Run(Inputs, frozen=True):
    """A squad or a walker moves straight on, as far as its die and its wish go."""

    unit: str = ""
    heading: Heading = 0.0
    inches: Annotated[Stride, Meta(title="No farther than")] = MOST


class Running(Struct, frozen=True, cache_hash=True):
    """A move of a die's length about to be made."""

    field: Field
    unit: str
    heading: float
    inches: float


def begin_run(field: Field, order: Run) -> Running:
    """Ready to go."""
    return Running(field, field.find(order.unit).name, order.heading, order.inches)


@clause("V5-WALK-1", "V5-WALK-4", "V5-CORE-16")
def refuse_run(field: Field, order: Run) -> Refused | None:
    """Why a unit may not run."""
    refused = refuse_turn(field, order.unit, "shooting")
    if refused is not None:
        return refused
    unit = field.find(order.unit)
    if unit.ran:
        return Refused(f"{unit.name}: ran already in this turn", "V5-WALK-1", "ran")
    if isinstance(unit, Squad):
        refused = refuse_squad(field, unit)
        if refused is None and unit.fired_at:
            return Refused(f"{unit.name}: fired already; running is in place of shooting", "V5-WALK-1", "fired")
        return refused
    if not is_walker(unit):
        return Refused(f"{unit.name} does not run; walkers and squads do", "V5-WALK-1", "type")
    if unit.locked_with:
        return Refused(f"{unit.name}: locked in a fight with {unit.locked_with[0]}", "V5-WALK-8", "locked")
    state = field.condition(unit).state
    return refuse_walker("run", fired=bool(unit.fired_at), state=state, rules=field.rules)


@clause("V5-WALK-14", "V5-CORE-16")
def refuse_consolidation(field: Field, order: Run) -> Refused | None:
    """Why a unit may not consolidate: it has won no fight just now."""
    unit = field.find(order.unit)
    if field.phase != "assault" or not unit.consolidates or unit.is_gone:
        return Refused(f"{unit.name}: no fight just won", "V5-CORE-16", "consolidation")
    if isinstance(unit, Squad):
        return None
    return refuse_walker("consolidate", state=field.condition(unit).state, rules=field.rules)


@clause("V5-WALK-1")
def run(tape: Tape, work: Running) -> Running:
    """Roll and run."""
    return _go(tape, work, tape.call(roll_run), ran=True)


@clause("V5-WALK-14", "V5-CORE-16")
def consolidate(tape: Tape, work: Running) -> Running:
    """Roll and gather oneself."""
    return _go(tape, work, tape.call(roll_consolidation), consolidates=False)


def _go(tape: Tape, work: Running, die: int, **flags: Any) -> Running:
    field, unit, way = work.field, work.field.find(work.unit), min(float(die), work.inches)
    if isinstance(unit, Machine):
        return replace(work, field=_stride(tape, field, unit, work.heading, way, flags))
    while way > TOLERANCE:
        goals = [step(one.centre, work.heading, way) for one in unit.models]
        if _may_stand(field, unit, goals):
            risks = look_down(field, unit, goals).risks
            ends = tuple(replace(one, centre=goal) for one, goal in zip(unit.models, goals, strict=True))
            unit = tape.call(brave, replace(unit, models=ends), risks)
            break
        way = ceil(way) - 1.0  # something is in the way: an inch less
    return replace(work, field=field.changed(replace(unit, **flags)))


def _may_stand(field: Field, squad: Squad, goals: Sequence[Point]) -> bool:
    return refuse_goals(field, squad, goals, MOST) is None


@clause("V5-WALK-2")
def _stride(tape: Tape, field: Field, walker: Machine, heading: float, way: float, flags: dict[str, Any]) -> Field:
    """A walker goes straight on until something is in its way; dangerous ground may keep it there for good."""
    hull = turned(walker.hull, heading)
    solid = [*field.bodies(walker.name, side=walker.side), *(one.ground for one in field.kinds("impassable"))]
    foes = list(field.bodies(side=field.other_side(walker.side)))
    free = min(free_distance(hull, way, [*solid, *borders(field)]), free_distance(hull, way, foes, APART))
    if free <= TOLERANCE:
        return field.changed(replace(walker, **flags))
    goal = step(hull.centre, heading, free)
    ground = look_ahead(Crossing(field, walker.name, (goal,)), replace(walker, hull=hull), driven(hull, free))
    condition = field.fresh(walker)
    if ground.tests and not tape.call(roll_tests, ground.tests):
        free = 0.0 if ground.inside else min(free, ground.enters or 0.0)
        condition = tape.call(suffer, condition, "immobilised")
    after = hull_after(hull, (goal,), free)
    return field.changed(replace(field.damaged(walker, condition), hull=after, **flags))


@clause("V5-CORE-20")
def refuse_falling_back(field: Field, order: OneUnit) -> Refused | None:
    """Why a squad does not fall back now."""
    refused = refuse_turn(field, order.unit, "movement")
    if refused is not None:
        return refused
    squad = squad_of(field, order.unit, "fall back", "V5-CORE-20")
    if isinstance(squad, Refused):
        return squad
    if not squad.falling_back:
        return Refused(f"{squad.name}: not falling back", "V5-CORE-20", "steady")
    return Refused(f"{squad.name}: fell back already in this turn", "V5-CORE-20", "done") if squad.fell_back else None


class Flight(Struct, frozen=True, cache_hash=True):
    """A squad on the run."""

    field: Field
    unit: str


@clause("V5-CORE-20")
def run_away(tape: Tape, work: Flight) -> Flight:
    """Roll and run for the edge."""
    return replace(work, field=tape.call(fall_back, work.field, work.unit))


def _runs(field: Field) -> Iterator[Run]:
    for one in mine(field, "shooting"):
        if (isinstance(one, Squad) and not one.aboard) or is_walker(one):
            heading = one.hull.heading if isinstance(one, Machine) else 0.0 if one.side == field.sides[0] else 180.0
            yield Run(unit=one.name, heading=heading)


def _gathers(field: Field) -> Iterator[Run]:
    for one in field.units:
        if one.consolidates and not one.is_gone and things_of(one):
            yield Run(unit=one.name, heading=0.0)
            yield Run(unit=one.name, heading=180.0)


def _flights(field: Field) -> Iterator[OneUnit]:
    for one in mine(field, "movement"):
        if isinstance(one, Squad) and one.falling_back:
            yield OneUnit(unit=one.name)


def _action(name: str, title: str, refuse: Any, stage: Any, options: Any, *clauses: str) -> Action:
    procedure = Procedure(name, (stage, clear_ruins))
    return Action(
        name,
        title,
        Run,
        refuse,
        begin_run,
        procedure,
        lambda field, order, work: tidy(work.field),
        options,
        about=about,
        tell=chronicle,
        clauses=clauses,
    )


RUN = _action("run", "Run with a walker or a squad", refuse_run, run, _runs, "V5-WALK-1", "V5-WALK-4")
CONSOLIDATE = _action(
    "consolidate", "Gather oneself after a fight", refuse_consolidation, consolidate, _gathers, "V5-WALK-14"
)
FALLING = Procedure("fall back", (run_away,))
FALL_BACK = Action(
    "fall_back",
    "Run for the edge of the table",
    OneUnit,
    refuse_falling_back,
    lambda field, order: Flight(field, field.squad(order.unit).name),
    FALLING,
    lambda field, order, work: tidy(work.field),
    _flights,
    about=about,
    tell=chronicle,
    clauses=("V5-CORE-20",),
)
