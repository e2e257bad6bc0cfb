"""Delays in a battle: `delay` keeps a Half Action for later, `act_delayed` takes it; two at once test who is first."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import OneUnit, fighter_to, refuse_begun
from battletape.rulesets.deathwatch.battle.actions.care import Attempt, attempt_card
from battletape.rulesets.deathwatch.battle.attack.prepare import target_of
from battletape.rulesets.deathwatch.battle.outcome import spend
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.rules.tests import Contestant, opposed
from battletape.system import at_once
from battletape.tape import Tape
from battletape.words import labelled


class Acting(Inputs, frozen=True):
    """A fighter acts on its delay."""

    unit: Annotated[str, Meta(title="Who has delayed", extra={"role": "delayed fighter"})] = ""
    against: Annotated[
        str, Meta(title="Another who acts on a delay at the same moment", extra={"clause": "DW-ACT-DELAY"})
    ] = ""


@clause("DW-ACT-DELAY", "DW-TEST-6")
def be_first(tape: Tape, tried: Attempt) -> Attempt:
    """Two who act on a delay at once: Agility against Agility."""
    if not tried.other.label:
        return replace(tried, done=True)
    first = Contestant(tried.target, tried.strength, labelled(tried.name, "agility"))
    return replace(tried, done=opposed(tape, first, tried.other, tried.rules) == "one")


FIRST = Procedure("delay", (be_first,))


@clause("DW-ACT-DELAY")
def refuse_delay(state: State, order: OneUnit) -> Refused | None:
    """Why a fighter cannot delay."""
    if state.interrupt:
        return Refused(f"{state.interrupt} acts on a delay already", "DW-ACT-DELAY", "delay")
    who = fighter_to(state, order.unit, "Delay", "delay")
    return who if isinstance(who, Refused) else None


def delay(state: State, order: OneUnit) -> State:
    """A Half Action is kept for later."""
    name = state.find(order.unit).name
    state = spend(state, name, "Delay")
    return state.changed(replace(state.fighter(name), delayed=True))


@clause("DW-ACT-DELAY", "DW-STUN-1")
def refuse_act_delayed(state: State, order: Acting) -> Refused | None:
    """Why a fighter cannot act on a delay now."""
    refused = refuse_begun(state)
    if refused is not None:
        return refused
    if state.interrupt:
        return Refused(f"{state.interrupt} acts on a delay already; let that end first", "DW-ACT-DELAY", "delay")
    for name in (order.unit, *([order.against] if order.against.strip() else [])):
        who = state.find(name)
        if not isinstance(who, Fighter) or not who.delayed:
            return Refused(f"{who.name} has not delayed; use delay in its turn first", "DW-ACT-DELAY", "delay")
        if who.is_out or who.conditions.stunned:
            return Refused(f"{who.name} cannot act: it is stunned or out", "DW-STUN-1", "condition")
        if who.name == state.active:
            return Refused(f"it is the turn of {who.name} already", "DW-ACT-DELAY", "turn")
    return None


def begin_act_delayed(state: State, order: Acting) -> Attempt:
    """Alone there is no test; two at once go by Agility."""
    who = state.fighter(order.unit)
    own = target_of(state, who, "ag", who.profile.agility)
    tried = Attempt(who.name, own, "agility", state.rules, who.ab)
    if not order.against.strip():
        return tried
    other = state.fighter(order.against)
    theirs = target_of(state, other, "ag", other.profile.agility)
    return replace(tried, other=Contestant(theirs, other.ab, f"{other.name}: agility"))


def finish_act_delayed(state: State, order: Acting, tried: Attempt) -> State:
    """The winner has one Half Action now; the other may act afterwards."""
    first = state.fighter(order.unit if tried.done or not order.against.strip() else order.against)
    state = state.changed(replace(first, delayed=False))
    return replace(state, interrupt=first.name)


DELAY = at_once("delay", "Delay", OneUnit, refuse_delay, delay, "DW-ACT-DELAY")
ACT_DELAYED = attempt_card(
    "act_delayed",
    "Act on a delay",
    Acting,
    refuse_act_delayed,
    begin_act_delayed,
    FIRST,
    finish_act_delayed,
    "DW-ACT-DELAY",
)
