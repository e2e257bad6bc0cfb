"""Moves on foot: `move_unit`, and those of a die's length, `run`, `consolidate` and `fall_back`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Annotated, Any, ClassVar

from battletape.cards import Action, Inputs, Measure, Plan, asked, unchanged
from battletape.field import moves
from battletape.field.setup import Heading, Spot, inward, points_of
from battletape.field.state import Footprint
from battletape.rulebook import Meta, Procedure, Refused, Tape, clause, need, plural, raise_if_refused, replace
from battletape.rulebook import inches as in_words
from battletape.rulesets.vehicles5.battle import losses, turn, words
from battletape.rulesets.vehicles5.battle.actions._orders import UnitOrder, mine
from battletape.rulesets.vehicles5.battle.actions.drive import GRAIN, crossing_of, drive_along
from battletape.rulesets.vehicles5.battle.state import PendingAction, Squad, State, Vehicle, did
from battletape.rulesets.vehicles5.rules import terrain, troops, walkers
from battletape.rulesets.vehicles5.rules.troops import COHERENCY, ENEMY_GAP, remove_models
from battletape.table import sweeps
from battletape.table.hulls import Hull, driven, turned
from battletape.table.points import TOLERANCE, Point, apart, step

MOVE_INCHES = 6.0  # inches of a move on foot
MoveInches = Annotated[float, Meta(ge=0, le=24, extra={"unit": "inches", "clause": "V5-MOVE-2"})]


class MoveOrder(Inputs, frozen=True):
    """A squad moves: every model to a place of its own, or all of them the same way or towards the same goal.

    Towards something it goes as far as it can, or no farther than the inches it names.
    """

    unwritten: ClassVar[tuple[str, ...]] = ("towards",)

    unit: str = ""
    places: tuple[Spot, ...] = asked((), "Where each model goes")
    heading: Heading = asked(0.0, "Direction all of them go in")
    inches: MoveInches = asked(0.0, "How far all of them go")
    towards: str = asked("", "Towards this unit, terrain or objective")


class PendingMove(PendingAction, frozen=True):
    """A squad on its way, and what the ground calls for."""

    goals: tuple[Point, ...]
    slowed: bool = False
    risks: tuple[int, ...] = ()  # models that cross dangerous ground


def goals_of(state: State, squad: Squad, order: MoveOrder) -> tuple[Point, ...]:
    """Return where every model is to go."""
    if order.places:
        return points_of(order.places)
    if order.towards:
        return _goals_towards(state, squad, order.towards, order.inches or MOVE_INCHES)
    return tuple(step(model.centre, order.heading, order.inches) for model in state.bases(squad.name))


@clause("V5-CORE-9")
def _goals_towards(state: State, squad: Squad, name: str, inches: float) -> tuple[Point, ...]:
    """Return where a squad goes that walks straight at a unit, terrain or an objective, as far as there is room."""
    there, models = moves.destination(state.field, name, "V5-CORE-9"), state.bases(squad.name)
    left = there.inches_from(models)
    need(left > TOLERANCE, f"{squad.name} is at {there.name} already", "V5-CORE-9", "near")

    def goals_after(way: float) -> tuple[Point, ...]:
        return tuple(path[-1] for path in there.paths_from(models, way))

    most = min(left, inches)
    way = moves.farthest(most, lambda far: refuse_goals(state, squad, goals_after(far), MOVE_INCHES), GRAIN)
    return goals_after(way or most)


@clause("V5-CORE-9", "V5-CORE-17", "V5-CORE-19")
def plan_march(state: State, order: MoveOrder) -> Plan:
    """Refuse squads that are not free or have moved, and places where a model cannot go."""
    squad = turn.acting_as(Squad, state, order.unit, "march; vehicles drive", "V5-MOVE-2", "movement")
    turn.need_free(state, squad, "move")
    need(not squad.done.moved, f"{squad.name}: moved already in this turn", "V5-CORE-9", "moved")
    goals = goals_of(state, squad, order)
    raise_if_refused(refuse_goals(state, squad, goals, MOVE_INCHES))
    return Plan(set_off, survey_paths(state, squad, goals))


@clause("V5-CORE-9")
def set_off(tape: Tape, work: PendingMove) -> PendingMove:
    """Begin a move, and say what the ground on the way does to it."""
    if work.slowed:
        tape.tell("{}: difficult ground on the way", work.unit)
    if work.risks:
        tape.tell("{}: dangerous ground in the way of {}", work.unit, plural(len(work.risks), "model"))
    return work


@clause("V5-CORE-17", "V5-CORE-19", "V5-TERR-4")
def refuse_goals(
    state: State, squad: Squad, goals: Sequence[Point], most: float, assaults: bool = False
) -> Refused | None:
    """Refuse a place where the models of a squad may not go."""
    models = state.bases(squad.name)
    if len(goals) != len(models):
        reason = f"places must be one for each of the {len(models)} models of {squad.name}; got {len(goals)}"
        return Refused(reason, "V5-CORE-17", "places")
    for model, goal in zip(models, goals, strict=True):
        if apart(model.centre, goal) > most + TOLERANCE:
            distance_words = in_words(round(apart(model.centre, goal), 2))
            return Refused(
                f"{distance_words} is more than the {most:g} that a soldier may move", "V5-CORE-9", "distance"
            )
    paths = moves.separate_paths(models, goals)
    refused = refuse_ends(state, squad, moves.ends_of(models, paths, most + TOLERANCE), assaults)
    if refused is not None:
        return refused
    barred = moves.barred(state.field, models, paths, squad.side, squad.name, clear=None, by="bases")
    if barred is None:
        return None
    return Refused(f"{barred.name} is in the way of {squad.name}", "V5-TERR-4", "way")


def refuse_ends(state: State, squad: Squad, ends: Sequence[Footprint], assaults: bool = False) -> Refused | None:
    """Refuse a place where models may not stop."""
    clear = 0.0 if assaults else ENEMY_GAP
    obstacle = moves.room(state.field, ends, squad.side, squad.name, clear=clear, coherency=COHERENCY)
    if obstacle is None:
        return None
    if obstacle.by == "enemy":
        return troops.refuse_enemies_near(obstacle.count)
    if obstacle.by == "coherency":
        return troops.refuse_straggler()
    spots = {"edge": "beyond the edge of the table", "own": "on another of its unit"}
    there = spots.get(obstacle.by, f"on {obstacle.name}")
    return Refused(f"model {obstacle.at + 1} of {squad.name} would stand {there}", "V5-TERR-4", "place")


@clause("V5-CORE-9")
def survey_paths(state: State, squad: Squad, goals: Sequence[Point]) -> PendingMove:
    """Return what the ground on each model's way calls for."""
    models = state.bases(squad.name)
    crossed = [
        (crossing.terrain.kind, crossing.crossed_by)
        for crossing in moves.crossings(state.field, models, moves.separate_paths(models, goals), "bases")
        if crossing.crossed_by
    ]
    slowed = terrain.is_slowed(None, [kind for kind, _ in crossed])
    risks = {model for kind, models in crossed if terrain.needs_test(None, kind) for model in models}
    return PendingMove(state, squad.name, tuple(goals), slowed, tuple(sorted(risks)))


@clause("V5-CORE-9")
def walk(tape: Tape, work: PendingMove) -> PendingMove:
    """Move a squad as far as the ground allows, at its own risk."""
    squad = work.state.squad(work.unit)
    most = float(tape.call(terrain.roll_difficult)) if work.slowed else MOVE_INCHES
    after = moved_towards(work.state, squad, work.goals, most)
    tape.tell(words.squad_moved, squad.name, work.state.bases(squad.name), after.bases(squad.name))
    after = after.with_units(did(squad, moved=True))
    return replace(work, state=tape.call(dangerous_terrain_tests, after, squad.name, work.risks))


@clause("V5-CORE-9")
def dangerous_terrain_tests(tape: Tape, state: State, name: str, risks: tuple[int, ...]) -> State:
    """Roll a die for each model of a squad in dangerous ground."""
    wounds: int = tape.call(terrain.roll_dangerous_on_foot, len(risks)) if risks else 0
    if not wounds:
        return state
    squad = state.squad(name)
    loss = remove_models(squad.model_group(len(risks)), wounds, wounds_lost=squad.wounds_lost)
    tape.tell(troops.losses_line, name, squad.models, loss, squad.wounds_lost)
    return state.with_losses(squad, loss, risks)


def moved_towards(state: State, squad: Squad, goals: Sequence[Point], most: float) -> State:
    """Return the battle with a squad moved so many inches; if it cannot stand there, it stays."""
    models = state.bases(squad.name)
    ends = moves.ends_of(models, moves.separate_paths(models, goals), most)
    cut = any(apart(end.centre, goal) > TOLERANCE for end, goal in zip(ends, goals, strict=True))
    return state if cut and refuse_ends(state, squad, ends) else state.with_place(squad.name, *ends)


def propose_marches(state: State) -> Iterator[MoveOrder]:
    """Propose a full move in each direction, and a short one ahead."""
    ahead = float(inward(state.field.home_edge(state.active)))
    for unit in mine(state, Squad):
        if not state.transport_of(unit.name):
            for heading in (0.0, 90.0, 180.0, 270.0):
                yield MoveOrder(unit=unit.name, heading=heading, inches=MOVE_INCHES)
            for objective in state.field.objectives:
                yield MoveOrder(unit=unit.name, towards=objective.name)
            yield MoveOrder(unit=unit.name, heading=ahead, inches=2.0)


MOVE_UNIT = Action(
    "move_unit",
    "Move a squad",
    MoveOrder,
    plan_march,
    Procedure("move", (walk,)),
    propose_marches,
    measures=(Measure("models", "Models left", lambda work: work.state.squad(work.unit).models, "models"),),
    clauses=("V5-CORE-9", "V5-CORE-17", "V5-CORE-19"),
)


MAX_ROLL_INCHES = 6.0  # of a die


class RunOrder(Inputs, frozen=True):
    """A squad or a walker moves straight on, as far as its die allows and its player likes."""

    unit: str = ""
    heading: Heading = 0.0
    inches: MoveInches = asked(MAX_ROLL_INCHES, "No farther than")


class PendingRun(PendingAction, frozen=True):
    """A move of a die's length about to be made."""

    heading: float = 0.0
    inches: float = 0.0
    rolled: int = 0


@clause("V5-WALK-1", "V5-WALK-4", "V5-CORE-16")
def plan_run(state: State, order: RunOrder) -> Plan:
    """Refuse a run of units that have run or fired, or are neither walker nor squad."""
    unit = turn.acting_unit(state, order.unit, "shooting")
    if isinstance(unit, Vehicle):
        need(unit.traits.walker, f"{unit.name} does not run; walkers and squads do", "V5-WALK-1", "type")
        raise_if_refused(walkers.refuse_action_now("run", state.situation(unit)))
    else:
        turn.need_free(state, unit, "shoot")  # a run takes the place of it
        raise_if_refused(walkers.refuse_run(unit.name, unit.done.ran, bool(unit.done.fired_at)))
    return Plan(declare_run, PendingRun(state, unit.name, order.heading, order.inches))


@clause("V5-WALK-1", "V5-CORE-16")
def declare_run(tape: Tape, work: PendingRun) -> PendingRun:
    """Declare which way a unit runs."""
    tape.tell("{}: runs, heading {:.0f}", work.unit, work.heading)
    return work


@clause("V5-WALK-14", "V5-CORE-16")
def plan_consolidation(state: State, order: RunOrder) -> Plan:
    """Refuse units that have not just won a fight."""
    unit = state.find(order.unit)
    won = state.phase == "assault" and unit.consolidates and not unit.is_gone
    need(won, f"{unit.name} has not just won a fight", "V5-CORE-16", "consolidation")
    if isinstance(unit, Vehicle):
        raise_if_refused(walkers.refuse_action_now("consolidate", state.situation(unit)))
    return Plan(declare_consolidation, PendingRun(state, unit.name, order.heading, order.inches))


@clause("V5-WALK-14", "V5-CORE-16")
def declare_consolidation(tape: Tape, work: PendingRun) -> PendingRun:
    """Declare which way a unit consolidates."""
    tape.tell("{}: consolidates, heading {:.0f}", work.unit, work.heading)
    return work


@clause("V5-WALK-1")
def run(tape: Tape, work: PendingRun) -> PendingRun:
    """Roll and run."""
    after = _move_rolled_inches(tape, work, tape.call(walkers.roll_run))
    return after.with_units(did(after.state.find(work.unit), ran=True))


@clause("V5-WALK-14", "V5-CORE-16")
def consolidate(tape: Tape, work: PendingRun) -> PendingRun:
    """Roll and consolidate."""
    after = _move_rolled_inches(tape, work, tape.call(walkers.roll_consolidation))
    return after.with_units(replace(after.state.find(work.unit), consolidates=False))


def _move_rolled_inches(tape: Tape, work: PendingRun, die: int) -> PendingRun:
    state = work.state
    unit = state.find(work.unit)
    distance = min(float(die), work.inches)
    if isinstance(unit, Vehicle):
        return replace(work, state=_move_walker(tape, state, unit, work.heading, distance), rolled=die)
    models, before = state.bases(unit.name), state
    while distance > TOLERANCE:
        goals = [step(model.centre, work.heading, distance) for model in models]
        if refuse_goals(state, unit, goals, MAX_ROLL_INCHES) is None:
            risks = survey_paths(state, unit, goals).risks
            ends = moves.ends_of(models, moves.separate_paths(models, goals))
            tape.tell(words.squad_moved, unit.name, models, ends)
            state = tape.call(dangerous_terrain_tests, state.with_place(unit.name, *ends), unit.name, risks)
            break
        distance = ceil(distance) - 1.0  # something is in the way: an inch less
    if state is before:
        tape.tell("{}: stays where it is, for something is in the way", unit.name)
    return replace(work, state=state, rolled=die)


@clause("V5-WALK-2")
def _move_walker(tape: Tape, state: State, walker: Vehicle, heading: float, way: float) -> State:
    """Move a walker straight on until something is in its way."""
    hull = turned(state.hull(walker.name), heading)
    free = _free_distance(state, walker, hull, way)
    if free <= TOLERANCE:
        tape.tell("{} stays where it is: something is in its way", walker.name)
        return state
    goals = (step(hull.centre, heading, free),)
    areas = state.terrain_on_way(walker.traits, hull, goals, driven(hull, free))
    crossing = replace(crossing_of(state, walker, (hull.centre, *goals), areas), slowed=False)
    after, _ = drive_along(tape, state.with_place(walker.name, hull), walker, goals, crossing)
    tape.tell(words.vehicle_place, walker.name, after.hull(walker.name))
    return after


def _free_distance(state: State, walker: Vehicle, hull: Hull, way: float) -> float:
    """Return how far a walker goes straight on from there, at most so many inches, until something is in its way."""
    free = sweeps.free_distance(hull, way, state.obstacles(walker.name, side=walker.side))
    return min(free, sweeps.free_distance(hull, way, state.enemy_footprints(walker.side), ENEMY_GAP))


@clause("V5-CORE-20")
def plan_falling_back(state: State, order: UnitOrder) -> Plan:
    """Refuse squads that are not falling back, or have done so in this turn."""
    squad = turn.acting_as(Squad, state, order.unit, "fall back", "V5-CORE-20", "movement")
    need(squad.falling_back, f"{squad.name}: not falling back", "V5-CORE-20", "steady")
    need(not squad.done.fell_back, f"{squad.name}: fell back already in this turn", "V5-CORE-20", "done")
    return Plan(unchanged, PendingRun(state, squad.name))


@clause("V5-CORE-20")
def fall_back_move(tape: Tape, work: PendingRun) -> PendingRun:
    """Roll and run for the edge."""
    return replace(work, state=tape.call(losses.fall_back, work.state, work.unit))


def propose_runs(state: State) -> Iterator[RunOrder]:
    """Propose to run straight ahead where there is an inch of room at least."""
    ahead = float(inward(state.field.home_edge(state.active)))
    for vehicle in mine(state, Vehicle):
        if vehicle.traits.walker:
            hull = state.hull(vehicle.name)
            if _free_distance(state, vehicle, hull, 1.0) > 1 - TOLERANCE:
                yield RunOrder(unit=vehicle.name, heading=hull.heading)
    for squad in mine(state, Squad):
        if not state.transport_of(squad.name):
            goals = [step(model.centre, ahead, 1.0) for model in state.bases(squad.name)]
            if refuse_goals(state, squad, goals, MAX_ROLL_INCHES) is None:
                yield RunOrder(unit=squad.name, heading=ahead)


def propose_consolidations(state: State) -> Iterator[RunOrder]:
    """Propose to go on towards either edge."""
    for unit in state.on_table():
        if unit.consolidates:
            yield from (RunOrder(unit=unit.name, heading=heading) for heading in (0.0, 180.0))


def _action(name: str, title: str, plan: Any, stage: Any, options: Any, *clauses: str) -> Action:
    rolled = Measure("rolled", "Inches that its die allows", lambda work: work.rolled, "inches")
    procedure = Procedure(name, (stage, losses.replace_destroyed))
    return Action(name, title, RunOrder, plan, procedure, options, (rolled,), clauses=clauses)


RUN = _action("run", "Run with a walker or a squad", plan_run, run, propose_runs, "V5-WALK-1", "V5-WALK-4")
CONSOLIDATE = _action(
    "consolidate", "Consolidate after a fight", plan_consolidation, consolidate, propose_consolidations, "V5-WALK-14"
)
FALL_BACK = Action(
    "fall_back",
    "Run for the edge of the table",
    UnitOrder,
    plan_falling_back,
    Procedure("fall back", (fall_back_move,)),
    clauses=("V5-CORE-20",),
    roles={"unit": "squad"},
)
