"""The turn: which units may act now, when the battle is over, what ends with a turn, and what follows from actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battletape.cards import last_side
from battletape.field.score import standings, verdict
from battletape.rulebook import Refused, Tape, clause, need, raise_if_refused, replace
from battletape.rulesets.vehicles5.battle.state import BattleUnit, PendingAction, Squad, State, U, Vehicle
from battletape.rulesets.vehicles5.rules import movement, traits, transports
from battletape.table.hulls import Hull, turned


def points(state: State) -> Mapping[str, int]:
    """Return the victory points of each side now; none without a mission."""
    return standings(state.field, state.mission, state.units)


def battle_end(state: State) -> str | None:
    """Say how the battle has ended, and with a mission which side has won by its points; None while it goes on."""
    ended = last_side(state)
    if ended is None and state.is_out_of_time:
        ended = f"The battle ends after {state.max_turns} player turns"
    return f"{ended}; {verdict(points(state))}" if ended is not None and state.mission else ended


@clause("V5-CORE-16")
def need_phase(state: State, *phases: traits.Phase, action: str = "this is done") -> None:
    """Refuse anything after the battle, or in another phase."""
    ended = battle_end(state)
    need(not ended, f"the battle is over: {ended}", "V5-CORE-16", "over", at_all=True)
    if phases:
        raise_if_refused(movement.refuse_phase(action, state.phase, *phases), at_all=True)


@clause("V5-CORE-16")
def acting_unit(state: State, name: str, *phases: traits.Phase) -> BattleUnit:
    """Return the unit of this name; refuse it unless it may act now."""
    need_phase(state, *phases)
    unit = state.find(name)
    of_turn = f"it is the turn of {state.active}; {unit.name} belongs to {unit.side}"
    need(unit.side == state.active, of_turn, "V5-CORE-16", "turn")
    need_there(unit)
    return unit


def acting_as(kind: type[U], state: State, name: str, what: str, by: str, *phases: traits.Phase) -> U:
    """Return the vehicle or the squad of this name; refuse the other kind, and units that may not act now."""
    return unit_of_kind(kind, acting_unit(state, name, *phases), what, by)


def unit_of_kind(kind: type[U], unit: BattleUnit, what: str, by: str) -> U:
    """Return the unit if it is of this kind; refuse it otherwise."""
    if isinstance(unit, kind):
        return unit
    other = "a squad; only vehicles" if isinstance(unit, Squad) else "a vehicle; only squads"
    raise Refused(f"{unit.name} is {other} {what}", by, "type")


@clause("V5-DMG-5", "V5-DMG-6", "V5-CORE-8", "V5-CORE-20")
def need_there(unit: BattleUnit) -> None:
    """Refuse a unit that is gone."""
    if isinstance(unit, Squad):
        need(not unit.fled or not unit.is_gone, f"{unit.name}: fled off the table", "V5-CORE-20", "fled")
        need(not unit.is_gone, f"nobody is left of {unit.name}", "V5-CORE-8", "gone")
    else:
        need(not unit.is_gone, f"{unit.name} is {unit.condition.status}", unit.condition.ended_by, "gone")


@clause("V5-TERR-4", "V5-MOVE-1")
def need_room(state: State, vehicle: Vehicle, heading: float) -> None:
    """Refuse a vehicle without room to turn; one on a round base always has it."""
    if vehicle.profile.base is None:
        after = turned(state.hull(vehicle.name), heading)
        raise_if_refused(movement.refuse_turn(vehicle.name, state.stands_on_model(vehicle, after)))
        need_board(state, vehicle, after, when=" as it turns")


@clause("V5-TANK-4")
def need_board(state: State, vehicle: Vehicle, *places: Hull, when: str = "") -> None:
    """Refuse places where a part of a vehicle is beyond the edge of the table."""
    inside = all(state.field.is_on_board(vehicle.footprint_at(place)) for place in places)
    need(inside, f"{vehicle.name} would reach over the edge of the table{when}", "V5-TANK-4", "edge")


@clause("V5-CORE-6", "V5-CORE-20", "V5-TRAN-2", "V5-WALK-8")
def need_free(state: State, squad: Squad, action: str = "", aboard: bool = False) -> None:
    """Refuse a squad that something holds back from acting, or from such an action."""
    need(squad.pinned_until < state.turn, f"{squad.name}: pinned, and loses this turn", "V5-CORE-6", "pinned")
    on_the_run = f"{squad.name}: falling back, and can do nothing else"
    need(not squad.falling_back, on_the_run, "V5-CORE-20", "falling_back")
    if squad.locked_with:
        raise_if_refused(movement.refuse_locked(squad.name, squad.locked_with[0]))
    transport = state.transport_of(squad.name)
    inside = f"{squad.name} is aboard {transport} and has to get out first"
    need(aboard or not transport, inside, "V5-TRAN-2", "aboard")
    if action:
        raise_if_refused(transports.refuse_after_exit(action, squad.name, exit_this_turn(state, squad)))


def exit_this_turn(state: State, squad: Squad) -> transports.Exit | None:
    """Return how a squad got out this turn, if it did."""
    if not squad.done.exit_kind:
        return None
    situation = state.situation(state.vehicle(squad.done.exit_from))
    return transports.exit_from(situation, squad.done.exit_kind == "after_move", squad.done.exit_kind == "emergency")


@clause("V5-DMG-1", "V5-DMG-2", "V5-CORE-6")
def recover(unit: BattleUnit, turn: int) -> BattleUnit:
    """Return a unit at the end of a player turn: what lasted until then is over."""
    ends = ("shaken_until", "stunned_until") if isinstance(unit, Vehicle) else ("pinned_until",)
    over = {name: 0 for name in ends if getattr(unit, name) <= turn}
    return replace(unit, **over, fought=False, consolidates=False)


@clause("V5-SMOKE-3")
def clear_smoke(tape: Tape, state: State) -> State:
    """Take away smoke that has blown away; the launchers stay empty."""
    for vehicle in state.vehicles:
        if vehicle.smoke_turn and not state.in_smoke(vehicle):
            tape.tell("The smoke about {} is gone", vehicle.name)
            state = state.with_units(replace(vehicle, smoke_turn=0))
    return state


@clause("V5-WALK-8", "V5-CORE-16")
def apply_consequences(tape: Tape, state: State) -> State:
    """Release units from combat with units that are destroyed or fall back."""
    free = {unit.name for unit in state.units if unit.is_gone or getattr(unit, "falling_back", False)}
    for unit in state.units:
        left = tuple(name for name in unit.locked_with if not free & {unit.name, name})
        if left == unit.locked_with:
            continue
        if not unit.is_gone and not left:
            tape.tell("{}: no longer locked in a fight", unit.name)
        state = state.with_units(replace(unit, locked_with=left))
    return state


def is_stuck(work: PendingAction) -> int:
    """Return 1 if the vehicle that acts can no longer move, or is destroyed."""
    return int(work.vehicle.condition.is_stuck)


def state_of(work: Any) -> State:
    """Return the battle as the stages of an action leave it."""
    return work.state if isinstance(work, PendingAction) else work
