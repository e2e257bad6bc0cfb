"""Turns of a battle: `begin_battle`, `end_turn`, `delay`, `act_delayed`; `defend`; reactions, `dodge` and `parry`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from battletape.answer import Answer
from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.log import Happened, Line, Narrator
from battletape.odds import percent
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import (
    Attempt,
    Nothing,
    OneUnit,
    by_fighter,
    chance_of,
    fighter_of,
    is_done,
    refuse_begun,
)
from battletape.rulesets.deathwatch.battle.attack.prepare import target_of
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.battle.turn import begin_turn, finish_turn, roll_initiative
from battletape.rulesets.deathwatch.rules.attack.fighters import in_turn, reacting
from battletape.rulesets.deathwatch.rules.attack.results import rows_in, tell_row
from battletape.rulesets.deathwatch.rules.attack.stages import NO_QUALITIES, reactions, refuse_dodge, refuse_parry
from battletape.rulesets.deathwatch.rules.tests import Contestant, contest
from battletape.system import Action, Measure, at_once
from battletape.tape import Tape
from battletape.words import labelled, plural

# --- one turn after the other -----------------------------------------------------------------------------------------


@clause("DW-ECON-1")
def refuse_begin(state: State, order: Nothing) -> Refused | None:
    """Why initiative is not rolled: it was."""
    return Refused("initiative has been rolled", "DW-ECON-1", "initiative") if state.round else None


@clause("DW-ECON-1")
def refuse_end(state: State, order: Nothing) -> Refused | None:
    """Why a turn cannot end: the battle has not begun, or is over."""
    return refuse_begun(state)


def tell_turn(happened: Happened) -> Iterator[Line]:
    """The critical rows that fire or a torn wound reached as a turn began."""
    if happened.trail:
        yield from (tell_row(hit, row) for hit, row in rows_in(happened))


def next_headline(answer: Answer) -> str:
    """Whose turn is next, and whether somebody dies as it begins."""
    risk = answer.odds("dead").at_least(FALLEN.of(answer.start) + 1)
    return f"Somebody dies as the next turn begins {percent(risk)}." if risk else "The next turn begins."


def fallen(state: State) -> int:
    """How many are dead or destroyed."""
    return sum(unit.is_dead for unit in state.units)


FALLEN = Measure("dead", "How many are dead or destroyed", fallen, "units")
FLOW: dict[str, Any] = {"begin": lambda state, order: state, "finish": lambda state, order, after: after}
"""What is worked out is the state of the battle itself."""
BEGIN_BATTLE = Action(
    "begin_battle",
    "Roll initiative",
    Nothing,
    refuse_begin,
    procedure=Procedure("initiative", (roll_initiative, begin_turn)),
    headline=lambda answer: "A d10 and the Agility bonus for everybody.",
    narrate=Narrator(tell_turn),
    clauses=("DW-ECON-1",),
    **FLOW,
)
END_TURN = Action(
    "end_turn",
    "End the turn",
    Nothing,
    refuse_end,
    procedure=Procedure("end of turn", (finish_turn,)),
    measures=(FALLEN,),
    headline=next_headline,
    narrate=Narrator(tell_turn),
    clauses=("DW-ECON-1", "DW-PIN-2", "DW-STUN-1", "DW-BLOOD-1", "DW-COND-FIRE", "DW-HORDE-16"),
    **FLOW,
)

# --- delays -----------------------------------------------------------------------------------------------------------


class Acting(Inputs, frozen=True):
    """A fighter acts on its delay."""

    unit: Annotated[str, Meta(title="Who has delayed", extra={"role": "delayed fighter"})] = ""
    against: Annotated[
        str, Meta(title="Another who acts on a delay at the same moment", extra={"clause": "DW-ACT-DELAY"})
    ] = ""


@clause("DW-ACT-DELAY")
def refuse_delay(state: State, order: OneUnit) -> Refused | None:
    """Why a fighter cannot delay: somebody acts on a delay, or the turn has no room for it."""
    if state.interrupt:
        return Refused(f"{state.interrupt} acts on a delay already", "DW-ACT-DELAY", "delay")
    return _DELAY.refuse(state, order)


@clause("DW-ACT-DELAY", "DW-TEST-6")
def be_first(tape: Tape, tried: Attempt) -> Attempt:
    """Two who act on a delay at once: Agility against Agility."""
    if not tried.other.label:
        return replace(tried, done=True)
    first = Contestant(tried.target, tried.strength, labelled(tried.name, "agility"))
    return replace(tried, done=contest(tape, first, tried.other, tried.rules, 0).winner == "one")


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
    return replace(state.changed(replace(first, delayed=False)), interrupt=first.name)


def delay(state: State, who: Fighter, order: OneUnit) -> State:
    """A Half Action is kept for later."""
    return state.changed(replace(who, delayed=True))


_DELAY = by_fighter("delay", "Delay", OneUnit, ("Delay", "delay"), delay, "DW-ACT-DELAY")
DELAY = replace(_DELAY, refuse=refuse_delay)
ACT_DELAYED = Action(
    "act_delayed",
    "Act on a delay",
    Acting,
    refuse_act_delayed,
    begin_act_delayed,
    Procedure("delay", (be_first,)),
    finish_act_delayed,
    measures=(Measure("done", "It succeeds", is_done),),
    headline=chance_of("done", "Succeeds"),
    clauses=("DW-ACT-DELAY",),
)

# --- reactions: chosen when an attack hits; as actions they only say whether one is left ------------------------------


class Reaction(Inputs, frozen=True):
    """A fighter that would dodge or parry."""

    unit: Annotated[str, Meta(title="Who would react; the one whose turn it is if left out")] = ""


@clause("DW-EVA-1", "DW-EVA-2", "DW-ACT-DODGE")
def refuse_dodging(state: State, order: Reaction) -> Refused:
    """Why nobody dodges out of turn: it is not allowed now, or a dodge is chosen when an attack hits."""
    who = _reacts(state, order, "dodge")
    if isinstance(who, Refused):
        return who
    untrained = None if who.profile.dodge else Refused(f"{who.name} has no Dodge", "DW-EVA-2", "reaction")
    return refuse_dodge(reacting(who)) or untrained or _later(who, "dodge", "DW-ACT-DODGE")


@clause("DW-EVA-1", "DW-EVA-3", "DW-ACT-PARRY")
def refuse_parrying(state: State, order: Reaction) -> Refused:
    """Why nobody parries out of turn: it is not allowed now, or a parry is chosen when a blow hits."""
    who = _reacts(state, order, "parry")
    if isinstance(who, Refused):
        return who
    blade = next(iter((*in_turn(who), *who.blades)), None)
    qualities = NO_QUALITIES if blade is None else blade.qualities
    refused = refuse_parry(reacting(who), armed=blade is not None, qualities=qualities)
    return refused or _later(who, "parry", "DW-ACT-PARRY")


def _reacts(state: State, order: Reaction, what: str) -> Fighter | Refused:
    who = refuse_begun(state) or fighter_of(state, order.unit, what)
    if isinstance(who, Fighter) and who.is_dead:
        return Refused(f"{who.name} is dead", "DW-DMG-4", "gone")
    return who


def _later(who: Fighter, what: str, by: str) -> Refused:
    left = plural(reactions(who.defensive) - who.reactions_used, "Reaction")
    when = "a blow" if what == "parry" else "an attack"
    reason = f"a {what} is a Reaction: it is chosen within the attack, when {when} hits (the question “reaction”)"
    return Refused(f"{reason}; {who.name} has {left} left this round", by, "reaction")


@clause("DW-ACT-DEFENSIVE-STANCE")
def defend(state: State, who: Fighter, order: OneUnit) -> State:
    """One Reaction more, and harder to hit until the next turn."""
    return state.changed(replace(who, defensive=True))


def _never(state: State, order: Reaction) -> State:
    return state


def _nobody(state: State) -> Iterator[Reaction]:
    return iter(())


DODGE = at_once(
    "dodge", "Dodge an attack", Reaction, refuse_dodging, _never, "DW-ACT-DODGE", "DW-EVA-1", options=_nobody
)
PARRY = at_once("parry", "Parry a blow", Reaction, refuse_parrying, _never, "DW-ACT-PARRY", "DW-EVA-1", options=_nobody)
STANCE = ("Defensive Stance", "take a stance")
DEFEND = by_fighter("defend", "Defensive stance", OneUnit, STANCE, defend, "DW-ACT-DEFENSIVE-STANCE")
