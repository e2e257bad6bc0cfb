"""Reactions asked for by name: they are chosen when an attack hits, so here it is said whether there is one left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.evasion import NO_QUALITIES, refuse_dodge, refuse_parry, refuse_reaction
from battletape.rulesets.deathwatch.field import Field, Fighter, Unit
from battletape.rulesets.deathwatch.matchups import parrying, reacting
from battletape.rulesets.deathwatch.melee import reactions
from battletape.rulesets.deathwatch.orders import at_once, fighter_of, refuse_begun
from battletape.rulesets.deathwatch.words import plural


class Reaction(Inputs, frozen=True):
    """Somebody who would dodge or parry."""

    unit: Annotated[str, Meta(title="Who would react; the one whose turn it is if left out")] = ""


@clause("DW-EVA-1", "DW-EVA-2", "DW-ACT-DODGE")
def refuse_dodging(field: Field, order: Reaction) -> Refused:
    """Why nobody dodges of his own accord: he may not, or the time for it is when an attack hits him."""
    who = _reacts(field, order, "dodge")
    if isinstance(who, Refused):
        return who
    refused = refuse_dodge(reacting(who))
    if refused is None and not who.profile.dodge:
        refused = Refused(f"{who.name} has no Dodge", "DW-EVA-2", "reaction")
    return refused or _later(who, "dodge", "DW-ACT-DODGE")


@clause("DW-EVA-1", "DW-EVA-3", "DW-ACT-PARRY")
def refuse_parrying(field: Field, order: Reaction) -> Refused:
    """Why nobody parries of his own accord: he may not, or the time for it is when a blow hits him."""
    who = _reacts(field, order, "parry")
    if isinstance(who, Refused):
        return who
    blade = parrying(who) or next(iter(who.blades), None)
    qualities = NO_QUALITIES if blade is None else blade.qualities
    refused = refuse_parry(reacting(who), armed=blade is not None, qualities=qualities)
    return refused or _later(who, "parry", "DW-ACT-PARRY")


def _reacts(field: Field, order: Reaction, what: str) -> Fighter | Refused:
    refused = refuse_begun(field)
    if refused is not None:
        return refused
    who = fighter_of(field, order.unit, what)
    if isinstance(who, Fighter) and who.is_dead:
        return Refused(f"{who.name} is dead", "DW-DMG-4", "gone")
    return who


def _later(who: Fighter, what: str, by: str) -> Refused:
    left = plural(reactions(who.defensive) - who.reactions_used, "Reaction")
    when = "a blow" if what == "parry" else "an attack"
    reason = f"a {what} is a Reaction: it is chosen within the attack, when {when} hits (the question “reaction”)"
    return Refused(f"{reason}; {who.name} has {left} left this round", by, "reaction")


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def denied(who: Fighter, foe: Unit, melee: bool) -> tuple[str, str]:
    """Why somebody has no reaction to an attack of this foe, with its clause; nothing where he has one."""
    what = "dodge or parry" if melee else "dodge"
    refused = refuse_reaction(reacting(who, foe), what)
    if refused is not None:
        return refused.reason, refused.clause
    if who.profile.dodge or (melee and parrying(who) is not None):
        return "", ""
    return f"he has no Dodge{' and no weapon that parries' if melee else ''}", "DW-EVA-3" if melee else "DW-EVA-2"


def _never(field: Field, order: Any) -> Field:
    return field


def _nobody(field: Field) -> Iterator[Reaction]:
    return iter(())


DODGE = at_once("dodge", "Dodge an attack", Reaction, refuse_dodging, _never, _nobody, "DW-ACT-DODGE", "DW-EVA-1")
PARRY = at_once("parry", "Parry a blow", Reaction, refuse_parrying, _never, _nobody, "DW-ACT-PARRY", "DW-EVA-1")
