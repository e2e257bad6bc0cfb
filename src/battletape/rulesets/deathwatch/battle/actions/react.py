"""Reactions, `dodge` and `parry`: they are chosen when an attack hits; as actions they only say whether one is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.battle.acting import fighter_of, refuse_begun
from battletape.rulesets.deathwatch.battle.attack.prepare import parrying, reacting
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.rules.attack.stages import (
    NO_QUALITIES,
    reactions,
    refuse_dodge,
    refuse_parry,
)
from battletape.system import at_once
from battletape.words import plural


class Reaction(Inputs, frozen=True):
    """A fighter that would dodge or parry."""

    unit: Annotated[str, Meta(title="Who would react; the one whose turn it is if left out")] = ""


@clause("DW-EVA-1", "DW-EVA-2", "DW-ACT-DODGE")
def refuse_dodging(state: State, order: Reaction) -> Refused:
    """Why nobody dodges out of turn: it is not allowed now, or a dodge is chosen when an attack hits."""
    who = _reacts(state, order, "dodge")
    if isinstance(who, Refused):
        return who
    refused = refuse_dodge(reacting(who))
    if refused is None and not who.profile.dodge:
        refused = Refused(f"{who.name} has no Dodge", "DW-EVA-2", "reaction")
    return refused or _later(who, "dodge", "DW-ACT-DODGE")


@clause("DW-EVA-1", "DW-EVA-3", "DW-ACT-PARRY")
def refuse_parrying(state: State, order: Reaction) -> Refused:
    """Why nobody parries out of turn: it is not allowed now, or a parry is chosen when a blow hits."""
    who = _reacts(state, order, "parry")
    if isinstance(who, Refused):
        return who
    blade = parrying(who) or next(iter(who.blades), None)
    qualities = NO_QUALITIES if blade is None else blade.qualities
    refused = refuse_parry(reacting(who), armed=blade is not None, qualities=qualities)
    return refused or _later(who, "parry", "DW-ACT-PARRY")


def _reacts(state: State, order: Reaction, what: str) -> Fighter | Refused:
    refused = refuse_begun(state)
    if refused is not None:
        return refused
    who = fighter_of(state, order.unit, what)
    if isinstance(who, Fighter) and who.is_dead:
        return Refused(f"{who.name} is dead", "DW-DMG-4", "gone")
    return who


def _later(who: Fighter, what: str, by: str) -> Refused:
    left = plural(reactions(who.defensive) - who.reactions_used, "Reaction")
    when = "a blow" if what == "parry" else "an attack"
    reason = f"a {what} is a Reaction: it is chosen within the attack, when {when} hits (the question “reaction”)"
    return Refused(f"{reason}; {who.name} has {left} left this round", by, "reaction")


def _never(state: State, order: Any) -> State:
    return state


def _nobody(state: State) -> Iterator[Reaction]:
    return iter(())


DODGE = at_once(
    "dodge", "Dodge an attack", Reaction, refuse_dodging, _never, "DW-ACT-DODGE", "DW-EVA-1", options=_nobody
)
PARRY = at_once("parry", "Parry a blow", Reaction, refuse_parrying, _never, "DW-ACT-PARRY", "DW-EVA-1", options=_nobody)
