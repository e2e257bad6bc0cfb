"""Leaps and stances in a battle: `leap`, `stand`, `drop_prone` and `defend`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import (
    OneUnit,
    chance_of,
    fighter_to,
    mine,
)
from battletape.rulesets.deathwatch.battle.actions.move import Walk, ends, far_of, walked
from battletape.rulesets.deathwatch.battle.attack.prepare import target_of
from battletape.rulesets.deathwatch.battle.outcome import spend
from battletape.rulesets.deathwatch.battle.state import Fighter, State, Unit, moves_of
from battletape.rulesets.deathwatch.rules.tests import check
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.system import Action, Measure, at_once
from battletape.tape import Tape
from battletape.words import labelled


class Leap(Walk, frozen=True):
    """A leap to a place."""

    by: Annotated[Literal["agility", "strength"], Meta(title="By which test")] = "agility"
    modifier: Annotated[int, Meta(title="How hard it is", ge=-60, le=60, extra={"clause": "DW-TEST-2"})] = 0


class Jump(Struct, frozen=True, cache_hash=True):
    """A leap as far as it has got."""

    target: int
    name: str
    rules: Rulings
    done: bool = False


@clause("DW-ACT-JUMP-OR-LEAP")
def refuse_leap(state: State, order: Leap) -> Refused | None:
    """Why a fighter cannot leap there."""
    who = fighter_to(state, order.unit, "Jump or Leap", "leap")
    if isinstance(who, Refused):
        return who
    if who.conditions.prone:
        return Refused(f"{who.name} is prone; stand first", "DW-COND-PRONE", "prone")
    most, far = moves_of(state, who).full, far_of(who, order)
    if far > most:
        return Refused(f"a leap goes no farther than a full move of {most} m, not {far:g} m", "DW-ACT-JUMP-OR-LEAP")
    return None


def begin_leap(state: State, order: Leap) -> Jump:
    """The test of it."""
    who = state.fighter(order.unit)
    what, value = ("ag", who.profile.agility) if order.by == "agility" else ("s", who.profile.strength)
    target = target_of(state, who, what, value) + order.modifier
    return Jump(target, who.name, state.rules)


@clause("DW-ACT-JUMP-OR-LEAP")
def leap(tape: Tape, jump: Jump) -> Jump:
    """All the way, or not at all."""
    return replace(jump, done=check(tape, jump.target, labelled(jump.name, "leap"), jump.rules))


def finish_leap(state: State, order: Leap, jump: Jump) -> State:
    """Where the leap ends."""
    after = spend(state, jump.name, "Jump or Leap")
    return walked(after, replace(order, unit=jump.name)) if jump.done else after


# --- up and down ------------------------------------------------------------------------------------------------------


def stand_action(who: Unit) -> str:
    """Getting up is a Half Action, after some critical wounds a Full one."""
    return "Stand/Mount (full)" if isinstance(who, Fighter) and who.conditions.stand_is_full else "Stand/Mount"


@clause("DW-ACT-STAND-MOUNT", "DW-COND-PRONE")
def refuse_stand(state: State, order: OneUnit) -> Refused | None:
    """Why a fighter cannot get up."""
    action = stand_action(state.find(order.unit)) if state.round else "Stand/Mount"
    who = fighter_to(state, order.unit, action, "get up")
    if isinstance(who, Refused):
        return who
    return None if who.conditions.prone else Refused(f"{who.name} is not prone", "DW-ACT-STAND-MOUNT", "prone")


def stand(state: State, order: OneUnit) -> State:
    """The fighter gets up."""
    who = state.fighter(order.unit)
    state = spend(state, who.name, stand_action(who))
    now = state.fighter(who.name)
    return state.changed(replace(now, conditions=replace(now.conditions, prone=False, stand_is_full=False)))


@clause("DW-COND-PRONE", "DW-PIN-1")
def refuse_prone(state: State, order: OneUnit) -> Refused | None:
    """Why a fighter cannot drop prone."""
    who = fighter_to(state, order.unit, "Drop Prone", "drop prone")
    if isinstance(who, Refused):
        return who
    return Refused(f"{who.name} is prone already", "DW-COND-PRONE", "prone") if who.conditions.prone else None


def drop_prone(state: State, order: OneUnit) -> State:
    """The fighter drops prone."""
    who = state.fighter(order.unit)
    state = spend(state, who.name, "Drop Prone")
    now = state.fighter(who.name)
    return state.changed(replace(now, conditions=replace(now.conditions, prone=True)))


def _leaps(state: State) -> Iterator[Leap]:
    return (Leap(unit=name, x=x, y=y) for name, x, y in list(ends(state, "half"))[:1] if mine(state))


LEAPING = Procedure("leap", (leap,))
LEAP = Action(
    "leap",
    "Leap",
    Leap,
    refuse_leap,
    begin_leap,
    LEAPING,
    finish_leap,
    _leaps,
    measures=(Measure("done", "The leap succeeds", lambda jump: int(jump.done)),),
    headline=chance_of("done", "The leap succeeds"),
    clauses=("DW-ACT-JUMP-OR-LEAP",),
)
STAND = at_once("stand", "Get up", OneUnit, refuse_stand, stand, "DW-ACT-STAND-MOUNT")
DROP_PRONE = at_once("drop_prone", "Drop prone", OneUnit, refuse_prone, drop_prone, "DW-COND-PRONE", "DW-PIN-1")


@clause("DW-ACT-DEFENSIVE-STANCE")
def refuse_defend(state: State, order: OneUnit) -> Refused | None:
    """Why a fighter cannot take a defensive stance."""
    who = fighter_to(state, order.unit, "Defensive Stance", "take a stance")
    return who if isinstance(who, Refused) else None


def defend(state: State, order: OneUnit) -> State:
    """One Reaction more, and harder to hit until the next turn."""
    name = state.find(order.unit).name
    state = spend(state, name, "Defensive Stance")
    return state.changed(replace(state.fighter(name), defensive=True))


DEFEND = at_once("defend", "Defensive stance", OneUnit, refuse_defend, defend, "DW-ACT-DEFENSIVE-STANCE")
