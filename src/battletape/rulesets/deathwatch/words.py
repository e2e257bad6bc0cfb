"""Small turns of phrase that several questions share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from battletape.cards import Line
from battletape.rulebook import capital, plural
from battletape.rulesets.deathwatch.rules.traits import Degrees, Modifier

DAMAGE_WORDS = {"E": "energy", "X": "explosive", "I": "impact", "R": "rending"}
MODE_WORDS = {"single": "single shot", "semi": "semi-auto", "full": "full auto"}
AIM_WORDS = {"none": "no aim", "half": "a half aim", "full": "a full aim"}


def metres(number: float | Fraction) -> str:
    """Return a distance: 6 m, 4.5 m."""
    return f"{float(number):g} m"


def signed(number: int) -> str:
    """Return a modifier: +10, -20, +0."""
    return f"{number:+d}"


def reload_words(full_actions: int) -> str:
    """Return a reload as the profiles print it: Full, 2 Full."""
    return "Full" if full_actions == 1 else f"{full_actions} Full"


def test_words(degrees: Degrees) -> str:
    """Return a test in words: succeeds with 2 degrees."""
    word = "succeeds" if degrees.success else "fails"
    return f"{word} with {plural(degrees.degrees, 'degree')}" if degrees.degrees else word


def modifier_lines(characteristic: int, modifiers: Iterable[Modifier], cap: int, what: str = "") -> Iterator[Line]:
    """Return each modifier with its source and clause, their sum, its limit, and the target."""
    known = tuple(modifiers)
    for modifier in known:
        by = (modifier.clause,) if modifier.clause else ()
        yield Line(f"{capital(modifier.source)}: {signed(modifier.value)}", by)
    added = sum(modifier.value for modifier in known)
    applied = max(-cap, min(cap, added))
    limit = f", of which {signed(applied)} counts" if applied != added else ""
    if known:
        yield Line(f"Modifiers: {signed(added)}{limit}", ("DW-TEST-4",), result=str(applied))
    target = characteristic + applied
    name = f"{what} {characteristic}" if what else str(characteristic)
    text = f"Target: {name} {signed(applied)} = {target}" if applied else f"Target: {name}"
    yield Line(text, ("DW-TEST-1",), result=str(target))
