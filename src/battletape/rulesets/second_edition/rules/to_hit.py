"""To Hit: ranges, modifiers, the score that is needed, and the roll."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from battletape.rulebook import D6, Line, State, Tape, at_least, clause, inches
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.rulesets.second_edition.tables.page import SECOND_DIE, SITUATIONS

Band = Literal["short", "long", "out"]
Modifier = tuple[str, int, str]
"""A To Hit modifier: what it is for, how much, and its clause."""


class Aim(State, frozen=True):
    """A shot before it is rolled: Ballistic Skill, distance, ranges and circumstances."""

    bs: int = 3
    distance: float | None = None
    short_range: float = 12.0
    long_range: float = 24.0
    to_hit_short: int = 0
    to_hit_long: int = 0
    situations: tuple[str, ...] = ()  # by the names of the table; one that is there twice counts twice
    modifier: int = 0
    need: int | None = None  # where a player knows the score already


@clause("SE-16", "SE-11")
def range_band(distance: float, short_range: float, long_range: float) -> Band:
    """Return short range, long range or out of range; the limit itself still belongs to the nearer band."""
    if distance <= short_range:
        return "short"
    return "long" if distance <= long_range else "out"


def band_of(aim: Aim) -> Band | None:
    """Return the range band of a shot; None if no distance is given."""
    return None if aim.distance is None else range_band(aim.distance, aim.short_range, aim.long_range)


@clause("SE-11", "SE-12", "SE-17")
def modifiers(aim: Aim) -> tuple[Modifier, ...]:
    """Return all To Hit modifiers of a shot: those of the range, of the circumstances, and others as given."""
    band = band_of(aim)
    values = {"short": aim.to_hit_short, "long": aim.to_hit_long}
    parts = [(f"{band} range", values[band], "SE-11")] if band in values else []
    worth = dict(SITUATIONS)
    parts += [(name, worth[name], "SE-17") for name in aim.situations]
    return (*parts, *([("other", aim.modifier, "SE-12")] if aim.modifier else ()))


@clause("SE-12")
def total_modifier(aim: Aim) -> int:
    """Return what all modifiers add up to: positive helps, negative hinders."""
    return sum(amount for _, amount, _ in modifiers(aim))


@clause("SE-13")
def score_needed(bs: int, modifier: int) -> int:
    """Return the score that hits: 7 less the Ballistic Skill and the modifiers."""
    return 7 - bs - modifier


@clause("SE-13", "SE-104")
@lru_cache(4096)
def to_hit_score(aim: Aim) -> int:
    """Return the score that a shot needs, before any limit."""
    return score_needed(aim.bs, total_modifier(aim)) if aim.need is None else aim.need


@clause("SE-15", "SE-16")
def can_hit(aim: Aim, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a shot can hit at all: in range, and a score that dice can show."""
    highest = 6 if rulings.above_six == "never" else max(SECOND_DIE)
    return band_of(aim) != "out" and to_hit_score(aim) <= highest


@clause("SE-13", "SE-14", "SE-15")
def roll_to_hit(tape: Tape, shots: int, need: int) -> int:
    """Roll some shots at once: a 1 always misses; above 6 each 6 is rolled again."""
    if need <= 6:
        return tape.pool(shots, D6, at_least(max(need, 2)), label="to hit")[True]
    sixes = tape.pool(shots, D6, at_least(6), label="to hit")[True]
    return tape.call(roll_second_die, sixes, need) if sixes else 0


@clause("SE-15")
def roll_second_die(tape: Tape, sixes: int, need: int) -> int:
    """Roll the second die of shots that need more than 6."""
    return tape.pool(sixes, D6, at_least(SECOND_DIE[need]), label="second die to hit")[True]


# --- what is told ----------------------------------------------------------------------------------------------------


def to_hit_line(aim: Aim, rulings: Rulings) -> Line:
    """Say which score hits, and what it is made of."""
    if band_of(aim) == "out":
        assert aim.distance is not None
        reach = f"the weapon reaches {inches(aim.long_range)}"
        return Line(f"Out of range: {inches(aim.distance)} away, and {reach}", ("SE-16",), needed="-")
    need = to_hit_score(aim)
    parts = [f"{amount:+d} {name}" for name, amount, _ in modifiers(aim)]
    text = "To Hit as given" if aim.need is not None else ", ".join([f"To Hit with Ballistic Skill {aim.bs}", *parts])
    clauses = dict.fromkeys(("SE-13", *(by for _, _, by in modifiers(aim))))
    if not can_hit(aim, rulings):
        return Line(f"{text}: no dice can show {need}", (*clauses, "SE-15"), needed=f"{need}+")
    if need < 2:
        return Line(f"{text}: a 1 still misses", (*clauses, "SE-14"), needed=f"{need}+")
    return Line(text, (*clauses, "SE-15") if need > 6 else tuple(clauses), needed=f"{need}+")
