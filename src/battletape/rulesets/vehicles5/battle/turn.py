"""The turn: who may act now, when the battle is over, what ends with a turn, and what follows from any action."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias, TypeVar

from battletape.cards import last_side
from battletape.rulebook import Refused, clause, replace
from battletape.rulesets.vehicles5.battle.state import Machine, Squad, State, Unitlike, Work
from battletape.rulesets.vehicles5.rules import movement, traits, transports
from battletape.table.board import is_on_board
from battletape.table.hulls import Hull, turned

U = TypeVar("U", Machine, Squad)
Refusal: TypeAlias = Callable[[State, Any], Refused | None]
Judge: TypeAlias = Callable[[State, U, Any], Refused | None]


def over(state: State) -> str | None:
    """How the battle has ended; None while it goes on."""
    out_of_time = state.turn > state.most_turns
    return last_side(state) or (f"The battle ends after {state.most_turns} player turns" if out_of_time else None)


def refuse_over(state: State) -> Refused | None:
    """Why nobody may do anything: the battle is over."""
    ended = over(state)
    return Refused(f"the battle is over: {ended}", "V5-CORE-16", "over") if ended else None


@clause("V5-CORE-16")
def refuse_turn(state: State, name: str, *phases: traits.Phase) -> Refused | None:
    """Why a unit may not act now, whatever it would do."""
    unit = state.find(name)
    ended = refuse_over(state)
    if ended is not None:
        return ended
    if unit.side != state.active:
        return Refused(f"it is the turn of {state.active}; {unit.name} belongs to {unit.side}", "V5-CORE-16", "turn")
    refused = movement.refuse_phase("this is done", state.phase, *phases) if phases else None
    return refused or refuse_gone(unit)


def only(kind: type[U], what: str, by: str, *phases: traits.Phase) -> Callable[[Judge[U]], Refusal]:
    """Refuse units of the other kind, out of turn or phase, or as the function judges."""

    def made(judge: Judge[U]) -> Refusal:
        @wraps(judge)
        def refuse(state: State, order: Any) -> Refused | None:
            unit = refuse_turn(state, order.unit, *phases) or of_kind(state, kind, order.unit, what, by)
            return unit if isinstance(unit, Refused) else judge(state, unit, order)

        return refuse

    return made


def of_kind(state: State, kind: type[U], name: str, what: str, by: str) -> U | Refused:
    """The unit of this name, or why one of the other kind does not do this."""
    unit = state.find(name)
    if isinstance(unit, kind):
        return unit
    other = "a squad; only machines" if isinstance(unit, Squad) else "a machine; only squads"
    return Refused(f"{unit.name} is {other} {what}", by, "type")


@clause("V5-DMG-5", "V5-DMG-6", "V5-CORE-8", "V5-CORE-20")
def refuse_gone(unit: Unitlike) -> Refused | None:
    """Why nothing can be done with a unit: it is gone."""
    if not unit.is_gone:
        return None
    if isinstance(unit, Squad) and unit.fled:
        return Refused(f"{unit.name}: fled off the table", "V5-CORE-20", "fled")
    if isinstance(unit, Squad):
        return Refused(f"nobody is left of {unit.name}", "V5-CORE-8", "gone")
    return Refused(f"{unit.name} is {unit.condition.status}", unit.condition.ended_by, "gone")


@clause("V5-TERR-4", "V5-MOVE-1")
def refuse_heading(state: State, machine: Machine, heading: float) -> Refused | None:
    """Why a machine has no room to turn there; one on a round base always has."""
    if machine.profile.base is not None:
        return None
    after = replace(machine, hull=turned(machine.hull, heading))
    refused = movement.refuse_turned(machine.name, state.stands_on_model(after))
    return refused or refuse_edge(state, machine, after.hull, when=" as it turns")


@clause("V5-TANK-4")
def refuse_edge(state: State, machine: Machine, *places: Hull, when: str = "") -> Refused | None:
    """Why a machine may not go through these places: a part of it would be beyond the edge of the table."""
    if all(is_on_board(state.board, replace(machine, hull=place).thing) for place in places):
        return None
    return Refused(f"{machine.name} would reach over the edge of the table{when}", "V5-TANK-4", "edge")


@clause("V5-CORE-6", "V5-CORE-20", "V5-TRAN-2", "V5-WALK-8")
def refuse_squad(state: State, squad: Squad, deed: str = "", aboard: bool = False) -> Refused | None:
    """Why a squad may not act, or do such a deed."""
    if squad.pinned_until >= state.turn:
        return Refused(f"{squad.name}: pinned, and loses this turn", "V5-CORE-6", "pinned")
    if squad.falling_back:
        return Refused(f"{squad.name}: falling back, and can do nothing else", "V5-CORE-20", "falling_back")
    if squad.locked_with:
        return movement.refuse_locked(squad.name, squad.locked_with[0])
    if squad.aboard and not aboard:
        return Refused(f"{squad.name} is aboard {squad.aboard} and has to get out first", "V5-TRAN-2", "aboard")
    return transports.refuse_after_exit(deed, squad.name, exit_of(state, squad)) if deed else None


def exit_of(state: State, squad: Squad) -> transports.Exit | None:
    """How a squad got out this turn, if it did."""
    if not squad.left:
        return None
    now = state.situation(state.machine(squad.left_from))
    return transports.exit_from(now, squad.left == "after_move", squad.left == "emergency")


@clause("V5-DMG-1", "V5-DMG-2", "V5-CORE-6")
def recovered(unit: Unitlike, turn: int) -> Unitlike:
    """A unit at the end of a player turn: what lasted until then is over."""
    ends = ("shaken_until", "stunned_until") if isinstance(unit, Machine) else ("pinned_until",)
    over = {name: 0 for name in ends if getattr(unit, name) <= turn}
    return replace(unit, **over, fought=False, consolidates=False)


@clause("V5-SMOKE-3")
def clear_smoke(state: State) -> State:
    """Smoke that has blown away is forgotten; the launchers stay empty."""
    gone = [machine for machine in state.machines if machine.smoke_turn and not state.in_smoke(machine)]
    return state.changed(*(replace(machine, smoke_turn=0) for machine in gone)) if gone else state


_OF_ONE_TURN = {
    Machine: (
        *("band", "assault_band", "path", "displacement", "on_road", "moved", "pivoted", "declared", "ran"),
        *("fired_at", "exit_after_move", "finished_move"),
    ),
    Squad: ("boarded", "left", "left_from", "moved", "ran", "fired_at", "fired_slow", "fell_back"),
}


def fresh(unit: Machine | Squad) -> Machine | Squad:
    """A unit at the beginning of its own turn."""
    kind = type(unit)
    at_first = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
    return replace(unit, **{name: at_first[name] for name in _OF_ONE_TURN[kind]})


@clause("V5-WALK-8", "V5-CORE-16")
def settle(state: State) -> State:
    """Nobody is locked in a fight with the dead, or with those who ran."""
    locked = [unit for unit in state.units if unit.locked_with]
    free = {unit.name for unit in state.units if unit.is_gone or getattr(unit, "falling_back", False)}
    for unit in locked:
        left = tuple(name for name in unit.locked_with if not free & {unit.name, name})
        state = state.changed(replace(unit, locked_with=left))
    return state


def is_stuck(work: Work) -> int:
    """1 if the machine that acts can no longer move, or is destroyed."""
    return int(work.machine.condition.is_stuck)


def finish(state: State, order: Any, work: Work) -> State:
    """The battle as the stages of an action leave it."""
    return work.field
