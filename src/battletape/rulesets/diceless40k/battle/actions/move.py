"""Moving on foot: `move`, `run`, `fall_back`, `regroup`, and `go_to_ground`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from battletape.cards import Action, Plan, asked
from battletape.field.measure import ROUNDING as MEASURED_ROUGHLY
from battletape.field.setup import Spot
from battletape.field.state import OFF
from battletape.rulebook import Line, Procedure, Refused, Tape, clause, need, raise_if_refused, replace
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.battle import moves, pending, turn
from battletape.rulesets.diceless40k.battle.actions._orders import ENEMY_SQUAD, OWN_SQUAD, OWN_UNIT, SquadOrder
from battletape.rulesets.diceless40k.battle.actions.drive import terrain_damage_to_vehicle
from battletape.rulesets.diceless40k.battle.ground import fall_back, hurt_by_terrain, spring_mines_on
from battletape.rulesets.diceless40k.battle.moves import MoveOrder, MovePath, places_at_end
from battletape.rulesets.diceless40k.battle.start import Distance
from battletape.rulesets.diceless40k.battle.state import Squad, State, Vehicle
from battletape.rulesets.diceless40k.rules import morale
from battletape.rulesets.diceless40k.rules.damage_rows import refuse_drive
from battletape.rulesets.diceless40k.rules.movement import (
    allowance,
    is_slowed,
    moves_through_cover,
    refuse_path,
    run_distance,
)
from battletape.rulesets.diceless40k.rules.space_marines import tremor_inches
from battletape.table.distances import is_coherent
from battletape.table.points import step

ROUNDING = 0.02  # inches, so that a goal in hundredths is never too far


class MoveSquadOrder(MoveOrder, frozen=True):
    """A unit moves, in formation where it stands on a board."""

    unit: str = OWN_SQUAD
    boost: bool = asked(False, "Turbo-boost")


class RunOrder(MoveOrder, frozen=True):
    """A unit or a walker runs instead of firing."""

    unit: str = OWN_UNIT


# --- moving -----------------------------------------------------------------------------------------------------------


@clause("DL-14.1", "DL-75.3", "DL-SM-73.1")
def plan_move(state: State, order: MoveSquadOrder) -> Plan:
    """Refuse units that are not free or have moved, and paths that are too long, barred, or end without room."""
    unit = turn.acting_squad(state, order.unit, otherwise="it uses drive")
    turn.need_free(state, unit)
    need(not unit.moved, f"{unit.name} has moved in this turn", "DL-0.1", "moved")
    members = state.joined_units(unit)
    kind: Literal["turbo_boost", "move"] = "turbo_boost" if order.boost else "move"
    less = tremor_inches() if any(member.on_shaken_ground for member in members) else 0
    most = min(allowance(member.type, kind, less) for member in members)
    slow_type = f"{unit.name} cannot turbo-boost; bikes and jetbikes can"
    need(most or not order.boost, slow_type, "DL-0.1", "boost")
    return Plan(pending.begin_move, state, order, free_path(state, unit, order, most))


def free_path(state: State, unit: Squad, order: MoveOrder, most: float, slowed: bool = True) -> MovePath:
    """Return the path of a unit and its characters; refuse one that is too long, barred, or ends without room."""
    members = state.joined_units(unit)
    slow = slowed and any(is_slowed(member.type) for member in members)
    through_cover = moves_through_cover(pending.combined_groups(members))

    def refuse(path: MovePath) -> Refused | None:
        too_far = refuse_path(path.pieces, most, slow, through_cover, state.rulings)
        return too_far or moves.refuse_path_taken(state, members, path)

    return moves.free_path(state, unit, order, most, refuse)


@clause("DL-14.2", "DL-14.3", "DL-14.4", "DL-76.1")
def cross_terrain(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Hurt every model that comes through dangerous terrain on the path."""
    return hurt_by_terrain(tape, work, work.order.unit, work.path)


@clause("DL-14.1")
def walk(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Put the models that are left at the end of the path."""
    path, members = work.path, work.state.joined_units(work.state.squad(work.order.unit))
    boosted = getattr(work.order, "boost", False)
    moved = (replace(member, moved=member.moved or path.inches > 0, boosted=boosted) for member in members)
    tape.tell(moves.end_line, work.order.unit, path)
    return work.with_units(*moved).with_places(places_at_end(work.state, members, path))


@clause("DL-SM-67.1")
def trigger_mines(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Set off cluster mines in the terrain that a unit has entered, once it has moved."""
    return spring_mines_on(tape, work, work.order.unit, work.path)


@clause("DL-14.1")
def announce_move(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Say which unit moves, and how far, before what lies on its path."""
    members = work.state.joined_units(work.state.squad(work.order.unit))
    verb, verb_of_several = ("turbo-boosts", "turbo-boost") if work.order.boost else ("moves", "move")
    tape.tell("{} {} {}", *pending.subject(members, verb, verb_of_several), inches_text(round(work.path.inches, 1)))
    return work


MOVING = Procedure("move", (announce_move, cross_terrain, walk, trigger_mines))


def propose_moves(state: State) -> Iterator[MoveSquadOrder]:
    """Propose for each unit on the board what it may go towards, then some ways; without a board a few inches."""
    for unit in state.squads:
        if unit.side != state.active or not state.is_on_table(unit):
            continue
        footprints = state.footprints(unit)
        if not footprints:
            yield from (MoveSquadOrder(unit=unit.name, inches=inches) for inches in (3.0, 6.0))
            continue
        yield from (MoveSquadOrder(unit=unit.name, towards=name) for name in moves.propose_goals(state, unit))
        for bearing in range(0, 360, 45):
            for inches in (3.0, allowance(unit.type)):
                goal = step(footprints[0].centre, bearing, inches - ROUNDING)
                if abs(goal.x) <= 240 and abs(goal.y) <= 240:
                    yield MoveSquadOrder(unit=unit.name, path=(Spot(x=round(goal.x, 2), y=round(goal.y, 2)),))


MOVE = Action(
    "move",
    "Move a unit",
    MoveSquadOrder,
    plan_move,
    MOVING,
    options=propose_moves,
    measures=(pending.HP, pending.REMOVED),
    headline=pending.headline,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-14.1", "DL-14.2"),
)


# --- running ----------------------------------------------------------------------------------------------------------


@clause("DL-16.1")
def plan_run(state: State, order: RunOrder) -> Plan:
    """Refuse units that are not free, have fired or run, and paths that are too long, barred, or end without room."""
    unit = turn.acting_unit(state, order.unit)
    if isinstance(unit, Vehicle):
        return Plan(pending.begin_move, state, order, _walker_path(state, unit, order))
    turn.need_free(state, unit)
    shot = unit.fired_at or unit.cast
    need(not shot, f"{unit.name} has fired or used a power; it does not run as well", "DL-16.1", "fired")
    mended = f"{unit.name} has repaired {unit.repaired} and does not run as well"
    need(not unit.repaired, mended, "DL-SM-71.1", "fired")
    need(not unit.ran, f"{unit.name} has run", "DL-16.1", "ran")
    need(unit.type != "artillery" and not unit.boosted, f"{unit.name} cannot run", "DL-16.1", "ran")
    return Plan(pending.begin_move, state, order, free_path(state, unit, order, run_distance(), slowed=False))


@clause("DL-16.1")
def _walker_path(state: State, walker: Vehicle, order: RunOrder) -> MovePath:
    """Return the path of a walker that runs; refuse other vehicles, and walkers that are stuck, fight or have fired."""
    need(walker.is_walker, f"{walker.name} is no walker and does not run", "DL-16.1", "type")
    done = walker.fired_at or walker.ran or walker.combat
    need(not done, f"{walker.name} has fired, run, or is in combat", "DL-16.1", "ran")
    raise_if_refused(refuse_drive(walker.damage))

    def refuse(path: MovePath) -> Refused | None:
        too_far = refuse_path(path.pieces, run_distance(), slowed=False)
        return too_far or moves.refuse_path_taken(state, (walker,), path)

    return moves.free_path(state, walker, order, run_distance(), refuse)


@clause("DL-16.1")
def run_walker(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Let a walker run; its speed stays what the Movement phase saw."""
    walker = work.state.vehicle(work.order.unit)
    tape.tell("{} runs {} instead of firing", walker.name, inches_text(round(work.path.inches, 1)))
    tape.tell(moves.end_line, walker.name, work.path)
    places = places_at_end(work.state, (walker,), work.path)
    return work.with_units(replace(walker, ran=True)).with_places(places)


@clause("DL-16.1")
def start_to_run(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Mark a unit that runs: it neither fires nor, unless it is fleet, assaults."""
    members = work.state.joined_units(work.state.squad(work.order.unit))
    inches = inches_text(round(work.path.inches, 1))
    tape.tell("{} {} {} instead of firing", *pending.subject(members, "runs", "run"), inches)
    return work.with_units(*(replace(member, ran=True) for member in members))


SQUAD_RUN = Procedure("run", (start_to_run, cross_terrain, walk, trigger_mines))
WALKER_RUN = Procedure("run", (run_walker, terrain_damage_to_vehicle))


def run_stages(work: pending.PendingMove) -> Procedure:
    """Return the stages for models or for a walker; terrain on the path hurts each in another manner."""
    return WALKER_RUN if isinstance(work.state.find(work.order.unit), Vehicle) else SQUAD_RUN


def propose_runs(state: State) -> Iterator[RunOrder]:
    """Propose to run towards objectives and the nearest enemy; without a board as far as a unit runs."""
    for unit in state.units:
        if unit.side == state.active and state.is_on_table(unit):
            if state.footprints(unit):
                yield from (RunOrder(unit=unit.name, towards=name) for name in moves.propose_goals(state, unit))
            else:
                yield RunOrder(unit=unit.name, inches=run_distance())


RUN = Action(
    "run",
    "Run instead of firing",
    RunOrder,
    plan_run,
    run_stages,
    options=propose_runs,
    measures=(pending.HP, pending.REMOVED),
    headline=pending.headline,
    closed=turn.closed_but_in("shooting"),
    clauses=("DL-16.1",),
)


# --- falling back and regrouping --------------------------------------------------------------------------------------


class FallBackOrder(SquadOrder, frozen=True):
    """A unit falls back; `leaves` is for its arrival at the edge where there is no board."""

    leaves: bool = asked(False, "It has come to the edge of the table")


@clause("DL-45.1", "DL-46.1")
def plan_falling_back(state: State, order: FallBackOrder) -> Plan:
    """Refuse units that are not on the run, have fallen back in this turn, or can regroup."""
    unit = fleeing(state, order.unit, "DL-45.1")
    need(not unit.moved, f"{unit.name} has fallen back in this turn", "DL-45.1", "moved")
    nearest = state.nearest_enemy(unit)
    can_regroup = (
        nearest is not None and _refuse_regrouping(state, unit, nearest, True) is None
    )  # unknown without places
    need(not can_regroup, f"{unit.name} can regroup and has to try first", "DL-46.1", "regroup")
    return Plan(pending.begin_action, state, order)


@clause("DL-45.1")
def fleeing(state: State, name: str, clause_id: str) -> Squad:
    """Return the unit of this name; refuse it unless it is falling back, and not with another unit."""
    unit = turn.acting_squad(state, name, otherwise="it never falls back")
    need(unit.falling_back, f"{unit.name} is not falling back", clause_id, "falling_back")
    need(not unit.joined, f"{unit.name} is with {unit.joined} and does as it does", clause_id, "joined")
    return unit


@clause("DL-45.1", "DL-52.1", "DL-53.1", "DL-54.1")
def continue_fall_back(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Let a unit fall back towards its edge; beyond it, the unit leaves the game."""
    work = fall_back(tape, work, work.order.unit)
    if not work.order.leaves:
        return work
    unit = work.state.squad(work.order.unit)
    members = work.state.joined_units(unit)
    for member in members:
        tape.tell("{} has come to the edge of the table and is gone", member.name)
    return replace(work, state=work.state.off_table(members, OFF))


FALL_BACK = Action(
    "fall_back",
    "Fall back",
    FallBackOrder,
    plan_falling_back,
    Procedure("fall back", (continue_fall_back,)),
    closed=turn.closed_but_in("movement"),
    clauses=("DL-45.1",),
)


class RegroupOrder(MoveOrder, frozen=True):
    """A unit that falls back tries to regroup, then moves a little; `enemy` is the distance where there is no board."""

    unit: str = OWN_SQUAD
    enemy: Distance = None
    coherent: bool = True


@clause("DL-46.1")
def plan_regrouping(state: State, order: RegroupOrder) -> Plan:
    """Refuse units that are not on the run, have moved, are too few or scattered, or have enemies near."""
    unit = fleeing(state, order.unit, "DL-46.1")
    moved = f"{unit.name} has fallen back in this turn; it regroups before it moves"
    need(not unit.moved, moved, "DL-46.1", "moved")
    raise_if_refused(_refuse_regrouping(state, unit, _enemy_inches(state, unit, order), order.coherent))
    return Plan(pending.begin_move, state, order, free_path(state, unit, order, morale.REGROUP_MOVE, slowed=False))


@clause("DL-46.1")
def _enemy_inches(state: State, unit: Squad, order: RegroupOrder) -> float | None:
    """Return the inches to the nearest enemy, by the board or the order; None if there is no enemy."""
    nearest = state.nearest_enemy(unit)
    if nearest is None and order.enemy is None:
        unsaid = "the distance to the nearest enemy is not known; say enemy=…"
        need(not any(state.on_table(state.enemy_of(unit.side))), unsaid, "DL-46.1", "distance")
    # an enemy that the board does not show may be nearer
    if nearest is None or order.enemy is None or order.enemy <= nearest:
        return nearest if order.enemy is None else order.enemy
    if order.enemy > nearest + MEASURED_ROUGHLY:
        shown = f"an enemy is {inches_text(nearest)} from {unit.name} on the board, not {inches_text(order.enemy)}"
        need(False, shown, "DL-46.1", "distance")
    return nearest


def _refuse_regrouping(state: State, unit: Squad, near: float | None, coherent: bool) -> Refused | None:
    together = coherent and is_coherent(state.footprints(unit))
    return morale.refuse_regroup(unit.count, unit.starting, near, together)


@clause("DL-46.1")
def attempt_regroup(tape: Tape, work: pending.PendingMove) -> pending.PendingMove:
    """Take the Ld of every model, characters too, off the order points for good, and compare what is left."""
    unit = work.state.squad(work.order.unit)
    groups = pending.combined_groups(work.state.joined_units(unit))
    done = morale.regroup(
        unit.op, morale.lds_of(groups), morale.best_ld(groups), morale.may_reroll_ld(groups), work.state.rulings
    )
    tape.tell(regroup_line, unit.name, done)
    work = work.with_counts(failed=not done.passed)
    work = work.with_units(replace(unit, op=done.op))
    if not done.passed:
        return fall_back(tape, work, unit.name)
    members = work.state.joined_units(work.state.squad(unit.name))
    work = work.with_units(
        *(replace(member, falling_back=False, moved=True, cannot_assault=True) for member in members)
    )
    return trigger_mines(tape, walk(tape, cross_terrain(tape, work)))


def regroup_line(unit: str, regrouped: morale.RegroupResult) -> Line:
    """Show an attempt to regroup: order points less the Ld of every model, against the threshold."""
    passed = "regroups" if regrouped.passed else "falls back on"
    text = f"{unit}: {regrouped.op_before} OP - {regrouped.subtracted} → {regrouped.op} against {regrouped.threshold}"
    return Line(f"{text}: {passed}", ("DL-46.1",), result=passed)


REGROUP = Action(
    "regroup",
    "Regroup",
    RegroupOrder,
    plan_regrouping,
    Procedure("regroup", (attempt_regroup,)),
    measures=(pending.FAILED,),
    headline=pending.headline,
    closed=turn.closed_but_in("movement"),
    clauses=("DL-46.1",),
)


# --- going to ground --------------------------------------------------------------------------------------------------


class GoToGroundOrder(SquadOrder, frozen=True):
    """A unit under fire throws itself down."""

    unit: str = ENEMY_SQUAD


@clause("DL-20.1")
def plan_going_to_ground(state: State, order: GoToGroundOrder) -> Plan:
    """Refuse units that cannot be shot at now, and those that lie on the ground already."""
    wanted = "units go to ground in the enemy's Shooting phase"
    need(state.phase == "shooting", wanted, "DL-20.1", "phase", at_all=True)
    unit = turn.of_kind(Squad, state.find(order.unit), "is a vehicle and does not go to ground")
    need(unit.side != state.active, wanted, "DL-20.1", "turn")
    free = state.is_on_table(unit) and not (unit.combat or unit.joined or unit.falling_back)
    need(free, f"{unit.name} cannot go to ground now", "DL-20.1", "away")
    need(not unit.gone_to_ground, f"{unit.name} has gone to ground", "DL-20.1", "down")
    return Plan(dive_for_cover, state, order)


@clause("DL-20.1")
def dive_for_cover(tape: Tape, state: State, order: GoToGroundOrder) -> State:
    """Let a unit under fire go to ground."""
    return pending.go_to_ground(tape, pending.PendingAction(state, order), order.unit).state


GO_TO_GROUND = Action(
    "go_to_ground", "Go to ground", GoToGroundOrder, plan_going_to_ground, closed=turn.refuse_over, clauses=("DL-20.1",)
)
