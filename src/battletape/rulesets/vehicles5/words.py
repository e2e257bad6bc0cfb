"""What several questions say: headlines, lines of a log, and warnings."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.answer import Answer
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Stage
from battletape.rulesets.vehicles5.rules.damage import HIGHEST, Condition, wear
from battletape.rulesets.vehicles5.rules.shooting import Shot, Volley, next_turn
from battletape.words import capital


def harmless(shots: Iterable[Shot]) -> list[str]:
    """A sentence for each gun that cannot even glance, or cannot hit."""
    said: dict[str, None] = {}
    for shot in shots:
        most = HIGHEST[shot.dice]
        if shot.gap > most:
            said[f"{shot.name} cannot harm this armour: its dice show {most} at most, {shot.gap} glances"] = None
        elif shot.needs > 6:
            said[f"{shot.name} cannot hit with a BS of 0"] = None
    return list(said)


def how_bad(answer: Answer) -> str:
    """How likely the vehicle is destroyed or stuck."""
    destroyed, stuck = (answer.odds(name).chance(1) for name in ("destroyed", "immobilised_or_worse"))
    return f"destroyed {percent(destroyed)}, immobilised or worse {percent(stuck)}"


def damage_headline(answer: Answer) -> str:
    """The numbers people look for first."""
    return f"{capital(how_bad(answer))}; {float(answer.odds('expected_hits').mean):.1f} hits expected."


_WORDS = {"shaken": "V5-DMG-1", "stunned": "V5-DMG-2", "immobilised": "V5-DMG-4"}


def condition_line(before: Condition, after: Condition) -> Line:
    """What a volley did to a vehicle, in a sentence."""
    if after.is_destroyed:
        word = "explodes" if after.status == "exploded" else "is wrecked"
        return Line(f"The vehicle {word}", (after.ended_by,), result=after.status)
    fresh = [(word, by) for word, by in _WORDS.items() if getattr(after, word) and not getattr(before, word)]
    gone = len(before.weapons) - len(after.weapons)
    said = [f"is {', '.join(word for word, _ in fresh)}"] if fresh else []
    if gone:
        fresh.append(("a weapon lost" if gone == 1 else f"{gone} weapons lost", "V5-DMG-3"))
        said.append("loses a weapon" if gone == 1 else f"loses {gone} weapons")
    if not fresh:
        return Line("The vehicle is as before", ("V5-VOLLEY-1",), result="unchanged")
    result = ", ".join(word for word, _ in fresh)
    return Line(f"The vehicle {' and '.join(said)}", tuple(by for _, by in fresh), result=result)


def narrate(stage: Stage, before: Volley, after: Volley) -> Iterable[Line]:
    """What each stage did."""
    if stage is next_turn:
        return (Line("A turn goes by: the crew recovers", ("V5-MARK-5",)),) if wear(before.now) != wear(after.now) else ()
    return () if before.now.is_destroyed else (condition_line(before.now, after.now),)
