"""Force weapons: who may wield them, how hard they strike, and what they do to daemons."""

from __future__ import annotations

from typing import Literal

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.second_edition.rules.damage import on_chart
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings

Phase = Literal["hand_to_hand", "shooting"]


@clause("SE-112")
def refuse_wielder(mastery: int, name: str = "the wielder") -> Refused | None:
    """Why a model may not wield a force weapon: it is no psyker."""
    if mastery >= 1:
        return None
    reason = f"{name} is no psyker, and only a psyker of Mastery Level 1 to 4 may wield a force weapon"
    return Refused(reason, "SE-112", "psyker")


@clause("SE-113", "SE-114", "SE-21")
def force_strength(
    strength: int, mastery: int, own: int | None = None, phase: Phase = "hand_to_hand", rules: Rulings = DEFAULT
) -> int:
    """The Strength of a blow: the wielder's with the Mastery Level, or the weapon's own if that is higher."""
    if phase != "hand_to_hand":
        return strength
    if own is not None and rules.own_strength == "added":
        best = max(strength, own) + mastery
    else:
        best = max(strength + mastery, own or 0)
    return best if rules.beyond_chart == "by_difference" else on_chart(best)
