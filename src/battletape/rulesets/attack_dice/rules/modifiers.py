"""Attack Dice and Dice Modifiers: which faces succeed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from battletape.rulebook import D6, BadInput, Die, Reading, at_least, clause, replace, special
from battletape.rulesets.attack_dice.rules.requirement import Requirement, parse_requirement, top_face
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.tables import sheet

FROM_ZERO = special("D10", range(10), "0 to 9, 0 fails")
FROM_ONE = special("D10", range(1, 11), "1 to 10, 10 fails")


@clause("AD-3", "AD-5", "AD-6", "AD-72")
def attack_die(rulings: Rulings = DEFAULT) -> Die:
    """Return the Attack Die of the game."""
    return D6 if rulings.dice == "d6" else ten_sided(rulings)


@clause("AD-5")
def ten_sided(rulings: Rulings = DEFAULT) -> Die:
    """Return a D10 as the players' own is numbered; either way one face in ten always fails."""
    return FROM_ONE if rulings.numbering == "1-10" else FROM_ZERO


@clause("AD-5", "AD-6", "AD-53")
def failing_face(die: Die) -> int:
    """Return the face that always fails: 0, a 10 where the die has no 0, or 1 on a D6."""
    return {D6: 1, FROM_ONE: 10, FROM_ZERO: 0}[die]


@clause("AD-7", "AD-24", "AD-49", "AD-50", "AD-51", "AD-53", "AD-91")
@lru_cache(1024)
def attack_reading(number: int, modifier: int, rulings: Rulings) -> Reading:
    """Read a die as a success on this number or more after the modifier; the failing face never is."""
    always = (top_face(rulings),) if rulings.modifier_policy == "natural_max" else ()
    return at_least(number, never=(failing_face(attack_die(rulings)),), always=always, plus=modifier)


@clause("AD-51", "AD-52", "AD-55", "AD-91")
def shift_entry(requirement: Requirement, modifier: int, rulings: Rulings) -> tuple[Requirement, int]:
    """Return the entry and modifier to roll with: under `spill` the entry itself moves along the ladder."""
    if requirement.rolls == 0:
        return requirement, 0
    if rulings.modifier_policy != "spill" or not modifier:
        return requirement, modifier
    ladder = sheet.LADDER_D6 if rulings.dice == "d6" else sheet.LADDER_D10
    entry = replace(requirement, line="").show(top_face(rulings))
    if entry not in ladder:
        raise BadInput(f"only an entry of the ladder {ladder[0]} to {ladder[-1]} can move along it; got {entry}")
    at = min(max(ladder.index(entry) - modifier, 0), len(ladder) - 1)
    return parse_requirement(ladder[at], requirement.line), 0


@clause("AD-48", "AD-54")
def total_modifier(modifiers: Sequence[tuple[str, int, str]], rulings: Rulings = DEFAULT) -> int:
    """Add up all modifiers; where only the worst penalty counts, bonuses still add up."""
    amounts = [amount for _, amount, _ in modifiers]
    if rulings.stacking == "worst":
        penalties = (amount for amount in amounts if amount < 0)
        return sum(amount for amount in amounts if amount > 0) + min(penalties, default=0)
    return sum(amounts)
