"""Sentences for people: headlines, and how a vehicle stands; what happens is told by the rules themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from battletape.rulebook import BudgetSpent, listed, plural
from battletape.rulesets.diceless40k.rules.damage_rows import DamageSheet

if TYPE_CHECKING:
    from battletape.answer import Answer

# --- vehicles ---------------------------------------------------------------------------------------------------------


def sheet_text(damage: DamageSheet) -> str:
    """Say how a vehicle stands."""
    if damage.destroyed:
        return "it explodes" if damage.destroyed == "explodes" else "it is wrecked"
    words = ["its crew is stunned"] if damage.stunned else ["its crew is shaken"] if damage.shaken else []
    words += ["it is immobilised"] if damage.immobilised else []
    if damage.destroyed_weapons:
        words.append(f"{plural(len(damage.destroyed_weapons), 'weapon')} destroyed")
    return listed(words) if words else "it is as it was"


# --- headlines --------------------------------------------------------------------------------------------------------


def value(answer: Answer, measure: str) -> Any:
    """Return what a measure comes to; nothing is rolled, so there is only one value."""
    (only,) = answer.odds(measure).fractions()
    return only


def open_choices(answer: Answer, **measures: str) -> str:
    """Return what other choices could make of the first measure that they change: “ By other choices: 20 to 40 HP.”"""
    try:
        states = answer.outcomes().states if answer.is_chosen else ()
    except BudgetSpent:
        return ""
    for name, unit in measures.items():
        values = sorted({answer.question.measure(name).of(state) for state in states})
        if len(values) > 1:
            return f" By other choices: {values[0]} to {values[-1]} {unit}."
    return ""
