"""Moving on foot: `move`, `run`, `fall_back`, `regroup`, and `go_to_ground`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from battletape.cards import refusing as Action
from battletape.rulebook import Line, Meta, Procedure, Refused, Tape, clause, replace
from battletape.rulebook import inches as told_inches
from battletape.rulesets.diceless40k.battle.actions._orders import ENEMY_TROOP, OWN_TROOP, OWN_UNIT, OneTroop, at_once
from battletape.rulesets.diceless40k.battle.actions.drive import suffer_ground
from battletape.rulesets.diceless40k.battle.board import (
    ROUNDED,
    MoveOrder,
    moved_by,
    refuse_room,
    refuse_through,
    way_of,
)
from battletape.rulesets.diceless40k.battle.deed import (
    FAILED,
    HP,
    REMOVED,
    Deed,
    Walk,
    begin_deed,
    finish_deed,
    go_to_ground,
    headline,
    merged,
    subject,
)
from battletape.rulesets.diceless40k.battle.ground import flee, hurt_by_terrain, spring_mines_on
from battletape.rulesets.diceless40k.battle.start import Distance, Spot
from battletape.rulesets.diceless40k.battle.state import Machine, State, Troop
from battletape.rulesets.diceless40k.battle.turn import refuse_over, refuse_troop, refuse_turn
from battletape.rulesets.diceless40k.rules.damage_rows import refuse_drive
from battletape.rulesets.diceless40k.rules.morale import (
    REGROUP_MOVE,
    Regrouped,
    best_ld,
    lds_of,
    may_reroll_ld,
    refuse_regroup,
    regroup,
)
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


class Move(MoveOrder, frozen=True):
    """A unit moves, in formation where it stands on a board."""

    unit: str = OWN_TROOP
    boost: Annotated[bool, Meta(title="Turbo-boost")] = False


class Run(MoveOrder, frozen=True):
    """A unit or a walker runs instead of firing."""

    unit: str = OWN_UNIT


# --- moving ----------------------------------------------------------------------------------------------------------


@clause("DL-14.1", "DL-75.3", "DL-SM-73.1")
def refuse_move(state: State, order: Move) -> Refused | None:
    """Why a unit may not move like this."""
    refused = refuse_turn(state, order.unit, "movement")
    if refused is not None:
        return refused
    unit = state.troop(order.unit)
    refused = refuse_troop(state, unit)
    if refused is not None:
        return refused
    if unit.moved:
        return Refused(f"{unit.name} has moved in this turn", "DL-0.1", "moved")
    members = state.company(unit)
    kind: Literal["turbo_boost", "move"] = "turbo_boost" if order.boost else "move"
    less = tremor_inches() if any(member.tremor for member in members) else 0
    most = min(allowance(member.type, kind, less) for member in members)
    if order.boost and not most:
        return Refused(f"{unit.name} cannot turbo-boost; bikes and jetbikes can", "DL-0.1", "boost")
    return _refuse_way(state, unit, order, most)


def _refuse_way(state: State, unit: Troop, order: MoveOrder, most: float, slowed: bool = True) -> Refused | None:
    """Why a way is too long, or ends where nobody may stand."""
    way = way_of(state, unit, order)
    if isinstance(way, Refused):
        return way
    members = state.company(unit)
    slow = slowed and any(is_slowed(member.type) for member in members)
    refused = refuse_path(way.pieces, most, slow, moves_through_cover(merged(members)), state.rulings)
    if refused is not None or not way.points:
        return refused
    there = [replace(member, models=moved_by(member.models, way)) for member in members]
    return refuse_room(state, there) or refuse_through(state, members, way)


def begin_move(state: State, order: Move | Run | Regroup) -> Walk:
    """A move before the first step."""
    way = way_of(state, state.find(order.unit), order)
    if isinstance(way, Refused):
        raise way
    return Walk(state, order, way=way)


@clause("DL-14.2", "DL-14.3", "DL-14.4", "DL-76.1")
def cross_terrain(tape: Tape, deed: Walk) -> Walk:
    """Dangerous terrain on the way hurts every model that comes through it."""
    return hurt_by_terrain(tape, deed, deed.order.unit, deed.way)


@clause("DL-14.1")
def walk(tape: Tape, deed: Walk) -> Walk:
    """Everybody who is left stands at the end of the way."""
    way, members = deed.way, deed.state.company(deed.state.troop(deed.order.unit))
    boosted = getattr(deed.order, "boost", False)
    return deed.with_units(
        *(
            replace(member, models=moved_by(member.models, way), moved=member.moved or way.inches > 0, boosted=boosted)
            for member in members
        )
    )


@clause("DL-SM-67.1")
def spring_a_trap(tape: Tape, deed: Walk) -> Walk:
    """Cluster mines in the terrain it has entered go off once it has moved."""
    return spring_mines_on(tape, deed, deed.order.unit, deed.way)


@clause("DL-14.1")
def set_out(tape: Tape, deed: Walk) -> Walk:
    """Say which unit moves, and how far, before what lies on its way."""
    members = deed.state.company(deed.state.troop(deed.order.unit))
    one, many = ("turbo-boosts", "turbo-boost") if deed.order.boost else ("moves", "move")
    tape.tell("{} {} {}", *subject(members, one, many), told_inches(round(deed.way.inches, 1)))
    return deed


MOVING = Procedure("move", (set_out, cross_terrain, walk, spring_a_trap))


def _moves(state: State) -> Iterator[Move]:
    """Some ways that a unit on the board might go; without a board a few inches."""
    for unit in state.troops:
        if unit.side != state.active or unit.is_gone or unit.where != "table":
            continue
        if not unit.models:
            yield from (Move(unit=unit.name, inches=inches) for inches in (3.0, 6.0))
            continue
        for bearing in range(0, 360, 45):
            for inches in (3.0, allowance(unit.type)):
                goal = step(unit.models[0].centre, bearing, inches - ROUNDING)
                if abs(goal.x) <= 240 and abs(goal.y) <= 240:
                    yield Move(unit=unit.name, path=(Spot(x=round(goal.x, 2), y=round(goal.y, 2)),))


MOVE = Action(
    "move",
    "Move a unit",
    Move,
    refuse_move,
    begin_move,
    MOVING,
    finish_deed,
    _moves,
    measures=(HP, REMOVED),
    headline=headline,
    clauses=("DL-14.1", "DL-14.2"),
)


# --- running ---------------------------------------------------------------------------------------------------------


@clause("DL-16.1")
def refuse_run(state: State, order: Run) -> Refused | None:
    """Why a unit may not run."""
    refused = refuse_turn(state, order.unit, "shooting")
    if refused is not None:
        return refused
    unit = state.find(order.unit)
    if isinstance(unit, Machine):
        return _refuse_walker(state, unit, order)
    refused = refuse_troop(state, unit)
    if refused is not None:
        return refused
    if unit.fired_at or unit.cast:
        return Refused(f"{unit.name} has fired or used a power; it does not run as well", "DL-16.1", "fired")
    if unit.mended:
        return Refused(f"{unit.name} has repaired {unit.mended} and does not run as well", "DL-SM-71.1", "fired")
    if unit.ran or unit.type == "artillery" or unit.boosted:
        why = "has run" if unit.ran else "cannot run"
        return Refused(f"{unit.name} {why}", "DL-16.1", "ran")
    return _refuse_way(state, unit, order, run_distance(), slowed=False)


@clause("DL-16.1")
def _refuse_walker(state: State, machine: Machine, order: Run) -> Refused | None:
    """Of vehicles only a walker runs, if it can move and has not fired."""
    if not machine.is_walker:
        return Refused(f"{machine.name} is no walker and does not run", "DL-16.1", "type")
    if machine.fired_at or machine.ran or machine.combat:
        return Refused(f"{machine.name} has fired, run, or is in combat", "DL-16.1", "ran")
    refused = refuse_drive(machine.damage)
    if refused is not None:
        return refused
    way = way_of(state, machine, order)
    if isinstance(way, Refused):
        return way
    hull = machine.hull
    refused = refuse_path(way.pieces, run_distance(), slowed=False)
    if refused is not None or hull is None or not way.points:
        return refused
    there = replace(machine, hull=replace(hull, centre=way.points[-1]))
    return refuse_room(state, (there,)) or refuse_through(state, (machine,), way)


@clause("DL-16.1")
def stride(tape: Tape, deed: Walk) -> Walk:
    """A walker runs; its speed stays what the Movement phase saw."""
    machine = deed.state.machine(deed.order.unit)
    hull = machine.hull
    if hull is not None and deed.way.points:
        hull = replace(hull, centre=deed.way.points[-1])
    tape.tell("{} runs {} instead of firing", machine.name, told_inches(round(deed.way.inches, 1)))
    return deed.with_units(replace(machine, hull=hull, ran=True))


@clause("DL-16.1")
def start_to_run(tape: Tape, deed: Walk) -> Walk:
    """Mark a unit that runs: it neither fires nor, unless it is fleet, assaults."""
    members = deed.state.company(deed.state.troop(deed.order.unit))
    inches = told_inches(round(deed.way.inches, 1))
    tape.tell("{} {} {} instead of firing", *subject(members, "runs", "run"), inches)
    return deed.with_units(*(replace(member, ran=True) for member in members))


ON_FOOT = Procedure("run", (start_to_run, cross_terrain, walk, spring_a_trap))
STRIDING = Procedure("run", (stride, suffer_ground))


def running(deed: Walk) -> Procedure:
    """Troops and walkers run through what lies on their way, each as it hurts them."""
    return STRIDING if isinstance(deed.state.find(deed.order.unit), Machine) else ON_FOOT


RUN = Action(
    "run",
    "Run instead of firing",
    Run,
    refuse_run,
    begin_move,
    running,
    finish_deed,
    measures=(HP, REMOVED),
    headline=headline,
    clauses=("DL-16.1",),
)


# --- falling back and regrouping -------------------------------------------------------------------------------------


class Retreat(OneTroop, frozen=True):
    """A unit falls back; without a board its player says when it has come to the edge."""

    leaves: Annotated[bool, Meta(title="It has come to the edge of the table")] = False


@clause("DL-45.1", "DL-46.1")
def refuse_fall_back(state: State, order: Retreat) -> Refused | None:
    """Only who is on the run falls back, once a turn, and only if it cannot or could not regroup."""
    refused = refuse_turn(state, order.unit, "movement")
    if refused is not None:
        return refused
    unit = state.troop(order.unit)
    if not unit.falling_back:
        return Refused(f"{unit.name} is not falling back", "DL-45.1", "falling_back")
    if unit.joined or unit.moved:
        return Refused(f"{unit.name} has fallen back in this turn", "DL-45.1", "moved")
    near = state.nearest_enemy(unit)
    if near is not None and _refuse_order(unit, near, True) is None:  # without places nobody knows
        return Refused(f"{unit.name} can regroup and has to try first", "DL-46.1", "regroup")
    return None


@clause("DL-45.1", "DL-52.1", "DL-53.1", "DL-54.1")
def run_on(tape: Tape, deed: Deed) -> Deed:
    """A unit falls back on towards its edge, and beyond it leaves the game."""
    deed = flee(tape, deed, deed.order.unit)
    if not deed.order.leaves:
        return deed
    unit = deed.state.troop(deed.order.unit)
    gone = [replace(member, where="removed", models=()) for member in deed.state.company(unit)]
    for member in gone:
        tape.tell("{} has come to the edge of the table and is gone", member.name)
    return deed.with_units(*gone)


FALL_BACK = Action(
    "fall_back",
    "Fall back",
    Retreat,
    refuse_fall_back,
    begin_deed,
    Procedure("fall back", (run_on,)),
    finish_deed,
    clauses=("DL-45.1",),
)


class Regroup(MoveOrder, frozen=True):
    """A unit on the run tries to regroup, and then moves a little; without a board the enemy's distance is said."""

    unit: str = OWN_TROOP
    enemy: Distance = None
    coherent: bool = True


@clause("DL-46.1")
def refuse_regrouping(state: State, order: Regroup) -> Refused | None:
    """Why a unit may not try to regroup."""
    refused = refuse_turn(state, order.unit, "movement")
    if refused is not None:
        return refused
    unit = state.troop(order.unit)
    if not unit.falling_back:
        return Refused(f"{unit.name} is not falling back", "DL-46.1", "falling_back")
    if unit.moved or unit.joined:
        return Refused(f"{unit.name} has fallen back in this turn; it regroups before it moves", "DL-46.1", "moved")
    near = _enemy_inches(state, unit, order)
    if isinstance(near, Refused):
        return near
    refused = _refuse_order(unit, near, order.coherent)
    return refused if refused is not None else _refuse_way(state, unit, order, REGROUP_MOVE, slowed=False)


@clause("DL-46.1")
def _enemy_inches(state: State, unit: Troop, order: Regroup) -> float | Refused | None:
    """How far away the nearest enemy is, by the board and by what is said; somebody has to say it, if there is one."""
    near = state.nearest_enemy(unit)
    if near is None and order.enemy is None:
        if not any(state.on_table(state.other(unit.side))):
            return None
        return Refused("nobody has said how far away the nearest enemy is; say enemy=…", "DL-46.1", "distance")
    if near is None or order.enemy is None or order.enemy <= near:  # somebody whom the board does not show may be near
        return near if order.enemy is None else order.enemy
    if order.enemy <= near + ROUNDED:
        return near
    reason = f"an enemy is {told_inches(near)} from {unit.name} on the board, not {told_inches(order.enemy)}"
    return Refused(reason, "DL-46.1", "distance")


def _refuse_order(unit: Troop, near: float | None, coherent: bool) -> Refused | None:
    return refuse_regroup(unit.count, unit.starting, near, coherent and is_coherent(unit.models))


@clause("DL-46.1")
def come_to_order(tape: Tape, deed: Walk) -> Walk:
    """The Ld of every model, characters with it too, comes off its order points for good, and they are compared."""
    unit = deed.state.troop(deed.order.unit)
    groups = merged(deed.state.company(unit))
    done = regroup(unit.op, lds_of(groups), best_ld(groups), may_reroll_ld(groups), deed.state.rulings)
    tape.tell(regroup_line, unit.name, done)
    deed = deed.counted(failed=not done.passed)
    deed = deed.with_units(replace(unit, op=done.op))
    if not done.passed:
        return flee(tape, deed, unit.name)
    members = deed.state.company(deed.state.troop(unit.name))
    deed = deed.with_units(*(replace(member, falling_back=False, moved=True, exit=True) for member in members))
    return spring_a_trap(tape, walk(tape, cross_terrain(tape, deed)))


def regroup_line(unit: str, regrouped: Regrouped) -> Line:
    """Show an attempt to regroup: order points less the Ld of every model, against the threshold."""
    passed = "regroups" if regrouped.passed else "falls back on"
    text = f"{unit}: {regrouped.op_before} OP - {regrouped.subtracted} → {regrouped.op} against {regrouped.threshold}"
    return Line(f"{text}: {passed}", ("DL-46.1",), result=passed)


REGROUP = Action(
    "regroup",
    "Regroup",
    Regroup,
    refuse_regrouping,
    begin_move,
    Procedure("regroup", (come_to_order,)),
    finish_deed,
    measures=(FAILED,),
    headline=headline,
    clauses=("DL-46.1",),
)


# --- going to ground -------------------------------------------------------------------------------------------------


class Down(OneTroop, frozen=True):
    """A unit under fire throws itself down."""

    unit: str = ENEMY_TROOP


@clause("DL-20.1")
def refuse_down(state: State, order: Down) -> Refused | None:
    """Whoever may be shot at throws itself down in the enemy's Shooting phase."""
    refused = refuse_over(state)
    unit = state.troop(order.unit)
    if refused is not None:
        return refused
    if unit.side == state.active or state.phase != "shooting":
        return Refused("units go to ground in the enemy's Shooting phase", "DL-20.1", "phase")
    if unit.where != "table" or unit.is_gone or unit.combat or unit.joined or unit.falling_back:
        return Refused(f"{unit.name} cannot go to ground now", "DL-20.1", "away")
    return Refused(f"{unit.name} has gone to ground", "DL-20.1", "down") if unit.gone_to_ground else None


@clause("DL-20.1")
def dive_for_cover(tape: Tape, state: State, order: Down) -> State:
    """Let a unit under fire go to ground."""
    return go_to_ground(tape, Deed(state, order), order.unit).state


GO_TO_GROUND = at_once("go_to_ground", "Go to ground", Down, refuse_down, dive_for_cover, "DL-20.1")
