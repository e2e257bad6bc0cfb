"""Intents: a move as players say it, “6 north” or “6 towards Boyz”, as the inputs of whatever action takes a place.

An action takes a place by the names of its inputs: a `path`, a `heading` with `inches` or `far`, or `x` and `y`.
Where things stand is the battle's to say (`BattleRules.place`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from battletape.errors import BadInput, UnknownName
from battletape.inputs import fields
from battletape.system import Action, BattleRules
from battletape.table.points import Point, apart, bearing, nearer, step
from battletape.words import matching_names

DIRECTIONS = {"north": 0, "east": 90, "south": 180, "west": 270}
DIRECTIONS |= {"northeast": 45, "southeast": 135, "southwest": 225, "northwest": 315}
SHORT = {"n": 0, "e": 90, "s": 180, "w": 270, "ne": 45, "se": 135, "sw": 225, "nw": 315}
TINY = 0.05
"""Nearer than this is the same place, to a player."""
LENGTHS = ("inches", "far")
UNITS = '(?:"|″|in|inch|inches|m|metres?|meters?)?'
INTENT = re.compile(
    rf"(?P<far>\d+(?:\.\d+)?)\s*{UNITS}\s+(?:(?P<toward>towards?|to|at|away from)\s+)?(?P<where>.+)", re.I
)


class Intent(NamedTuple):
    """How far to go, and which way: a bearing, or a name that it goes towards or away from."""

    far: float
    heading: float | None = None
    towards: str = ""
    away: bool = False


def parse_intent(text: str) -> Intent | None:
    """Return a move as players say it; None if the text is something else.

    >>> parse_intent("6 north"), parse_intent('4.5" towards Boyz').towards, parse_intent("fire at Boyz")
    (Intent(far=6.0, heading=0.0, towards='', away=False), 'Boyz', None)
    """
    match = INTENT.fullmatch(text.strip())
    if match is None:
        return None
    far, where = float(match["far"]), match["where"].strip()
    plain = re.sub(r"[\s-]", "", where.lower())
    named = {**DIRECTIONS, **SHORT}.get(plain)
    if named is not None and not match["toward"]:
        return Intent(far, float(named))
    degrees = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s*(?:°|deg|degrees)?", where)
    if degrees and float(degrees[1]) <= 360:
        return Intent(far, float(degrees[1]) % 360)
    if match["toward"]:
        return Intent(far, None, where, match["toward"].lower().startswith("away"))
    return None


def way_words(start: Point, goal: Point) -> str:
    """Return how far a place is and which way, as a player says it.

    >>> way_words(Point(20, 8), Point(20, 11)), way_words(Point(0, 0), Point(3, 3))
    ('3 north', '4.2 northeast')
    """
    far = apart(start, goal)
    if far < TINY:
        return "here"
    return f"{far:.1f}".removesuffix(".0") + f" {heading_word(bearing(start, goal))}"


def heading_word(heading: float) -> str:
    """Return the direction nearest to a heading: 80° is east."""
    nearest = round(heading / 45) * 45 % 360
    return next(name for name, degrees in DIRECTIONS.items() if degrees == nearest)


def takes_place(card: Action) -> bool:
    """Return whether an action takes a place to go to."""
    names = {field.name for field in fields(card.inputs)}
    return bool("path" in names or {"x", "y"} <= names or ("heading" in names and names & set(LENGTHS)))


def intended(rules: BattleRules, card: Action, state: Any, unit: str, intent: Intent) -> dict[str, Any]:
    """Return the inputs that make an action go where it is meant to."""
    names = {field.name for field in fields(card.inputs)}
    heading = intent.heading if intent.heading is not None else _bearing(rules, state, unit, intent)
    length = next((name for name in LENGTHS if name in names), "")
    if "path" not in names and "heading" in names and length:
        return {"unit": unit, "heading": round(heading, 2) % 360, length: intent.far}
    start = place(rules, state, unit)
    goal = nearer(start, step(start, heading, intent.far))
    if "path" in names:
        return {"unit": unit, "path": [{"x": goal.x, "y": goal.y}]}
    return {"unit": unit, "x": goal.x, "y": goal.y}


def place(rules: BattleRules, state: Any, unit: str) -> Point:
    """Return where a unit stands; BadInput if its place is not known."""
    at = rules.place(state, unit)
    if at is None:
        raise BadInput(f"nobody has said where {unit} stands; name the inputs of the action instead", field="place")
    return Point(float(at.x), float(at.y))


def _bearing(rules: BattleRules, state: Any, unit: str, intent: Intent) -> float:
    """Return the bearing of what it goes towards, or the opposite one."""
    known: Sequence[str] = [other.name for other in getattr(state, "units", ()) if other.name != unit]
    found = matching_names(intent.towards, known)
    if len(found) != 1:
        raise UnknownName("unit", intent.towards, known)
    way = bearing(place(rules, state, unit), place(rules, state, found[0]))
    return (way + 180) % 360 if intent.away else way
