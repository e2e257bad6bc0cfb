"""Damage: Strength against Toughness, the wound roll, and the wounds that are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from battletape.rulebook import D3, D6, Line, Tape, at_least, clause, replace
from battletape.rulesets.second_edition.rules.dice import damage_dice, half_wounds_up_to, wounds_up_to
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.rulesets.second_edition.tables.page import CHART

if TYPE_CHECKING:
    from battletape.rulesets.second_edition.rules.attack import Condition, HitDraft


@clause("SE-18", "SE-19", "SE-20", "SE-21")
def to_wound_score(strength: int, toughness: int, rulings: Rulings = DEFAULT) -> int | None:
    """Return the score that wounds, by the chart; None if the hit is too weak to wound at all."""
    if rulings.beyond_chart == "by_difference":
        return by_difference(max(strength, 1), max(toughness, 1))
    return CHART[within_chart(strength), within_chart(toughness)]


@clause("SE-21")
def within_chart(number: int) -> int:
    """Return a Strength or Toughness as the chart reads it: from 1 to 10."""
    return min(max(number, 1), 10)


@clause("SE-19")
def by_difference(strength: int, toughness: int) -> int | None:
    """Return the score by the rule behind the chart: 4 if both are equal, one harder for each Toughness more."""
    need = 4 + toughness - strength
    return None if need >= 8 else min(max(need, 2), 6)


@clause("SE-18", "SE-20")
def roll_to_wound(tape: Tape, need: int | None) -> bool:
    """Roll whether a hit wounds; a hit that is too weak is not rolled for."""
    return need is not None and bool(tape.roll(D6, at_least(need), label="to wound"))


@clause("SE-22", "SE-3")
def roll_damage(tape: Tape, damage: str, wounds: int) -> int:
    """Roll the wounds that an unsaved wound takes, as many as the model has at most; a plain number is not rolled.

    A D3 is a D6 halved, and that is the die that is thrown.
    """
    die = damage_dice(damage)
    if len(die.faces) == 1 or min(die.faces) >= wounds:
        return int(min(die.faces[0], wounds))
    if die == D3:
        return int(tape.roll(D6, half_wounds_up_to(wounds), label="damage"))
    return int(tape.roll(die, wounds_up_to(wounds), label="damage"))


@clause("SE-24")
def lose_wounds(condition: Condition, lost: int) -> Condition:
    """Take wounds off, never below 0; nothing spills to another model."""
    return replace(condition, wounds=max(condition.wounds - lost, 0))


# --- what is told ----------------------------------------------------------------------------------------------------


def wound_line(draft: HitDraft) -> Line:
    """Compare Strength with Toughness, and say which score wounds."""
    hit, model, rulings = draft.hit, draft.model, draft.rulings
    if model.toughness is None:
        return Line("A vehicle has no Toughness: its armour is penetrated by the rules of the base game", ("SE-96",))
    if draft.automatic is not None:
        return draft.automatic
    if hit.strength is None:
        return Line("The weapon does no harm", ("SE-18",), needed="-")
    versus = f"{_counted('Strength', hit.strength, rulings)} against {_counted('Toughness', model.toughness, rulings)}"
    need = draft.wound_on
    if need is None:
        return Line(f"{versus} cannot wound", ("SE-20", "SE-19"), needed="-")
    return Line(versus, ("SE-19", "SE-18"), needed=f"{need}+")


def _counted(name: str, number: int, rulings: Rulings) -> str:
    counts = within_chart(number) if rulings.beyond_chart == "as_ten" else number
    return f"{name} {number}" if counts == number else f"{name} {number} (counts as {counts})"
