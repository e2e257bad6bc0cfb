"""Words that several questions share: the order of the shooting steps, and small turns of phrase."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.clauses import cites, clause
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings

SHOOTING_STEPS = ("target", "facing_and_to_hit", "note_av", "penetration", "cover_save", "damage")
"""The steps of shooting at a vehicle, in order."""
cites("V5-SHOT-10", where=f"{__name__}.SHOOTING_STEPS")


@clause("V5-SHOT-10")
def shooting_steps(rules: Rulings = DEFAULT) -> tuple[str, ...]:
    """The steps in the order in which the dice are thrown; cover may come right after the hit by a ruling."""
    if rules.cover_step == "after_penetration":
        return SHOOTING_STEPS
    rest = [step for step in SHOOTING_STEPS if step != "cover_save"]
    at = rest.index("facing_and_to_hit") + 1
    return (*rest[:at], "cover_save", *rest[at:])


def plain(word: str) -> str:
    """A word of the rules as people write it: flat_out becomes “flat out”."""
    return word.replace("_", " ")


def capital(text: str) -> str:
    """The same with a capital letter, for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def listed(words: Sequence[str], last: str = "and") -> str:
    """One, two and three."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def plural(number: int, word: str) -> str:
    """One weapon, two weapons."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def inches(number: float) -> str:
    """A distance: 6 inches, 1 inch, 4.5 inches."""
    return f"{number:g} inch" if number == 1 else f"{number:g} inches"
