"""Intents: a move as players say it, “6 north”, “6 towards Boyz” or “into the ruin”, as the inputs of an action.

An action takes a place by the names of its inputs: `towards` a name with `inches`, a `path`, a `heading` with `inches`
or `far`, or `x` and `y`. Where things stand is the battle's to say, by its field.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, NamedTuple

from battletape.errors import BadInput, UnknownName
from battletape.field.moves import destination
from battletape.inputs import fields
from battletape.system import Action, BattleRules
from battletape.table.distances import nearest_point
from battletape.table.points import Point, apart, bearing, nearer, step
from battletape.words import matching_names

DIRECTIONS = {"north": 0, "east": 90, "south": 180, "west": 270}
DIRECTIONS |= {"northeast": 45, "southeast": 135, "southwest": 225, "northwest": 315}
SHORT = {"n": 0, "e": 90, "s": 180, "w": 270, "ne": 45, "se": 135, "sw": 225, "nw": 315}
TINY = 0.05
"""Nearer than this is the same place, to a player."""
LENGTHS = ("inches", "metres", "far")
UNITS = '(?:"|″|in|inch|inches|m|metres?|meters?)?'
INTENT = re.compile(
    rf"(?P<far>\d+(?:\.\d+)?)\s*{UNITS}\s+(?:(?P<toward>towards?|into|to|at|away from)\s+)?(?P<where>.+)", re.I
)
ALL_THE_WAY = re.compile(r"(?:towards?|into|to)\s+(?P<where>.+)", re.I)
SPOT = re.compile(
    r"(?:(?P<far>\d+(?:\.\d+)?)\s*\D*?\s+)?(?:(?:towards?|to|at)\s+)?(?P<x>-?[\d.]+)\s*,\s*(?P<y>-?[\d.]+)", re.I
)


class Intent(NamedTuple):
    """How far to go (None: all the way), and which way: a bearing, a place, or towards or away from a name."""

    far: float | None
    heading: float | None = None
    towards: str = ""
    away: bool = False
    spot: Point | None = None


def parse_intent(text: str) -> Intent | None:
    """Return a move as players say it; None if the text is something else.

    >>> parse_intent("6 north"), parse_intent('4.5" towards Boyz').towards, parse_intent("fire at Boyz")
    (Intent(far=6.0, heading=0.0, towards='', away=False, spot=None), 'Boyz', None)
    """
    if (at := SPOT.fullmatch(text.strip())) and all(at[axis].count(".") <= 1 for axis in "xy"):
        far = None if at["far"] is None else float(at["far"])
        return Intent(far, spot=Point(float(at["x"]), float(at["y"])))
    if whole := ALL_THE_WAY.fullmatch(text.strip()):
        return Intent(None, None, _bare(whole["where"]))
    match = INTENT.fullmatch(text.strip())
    if match is None:
        return None
    far, where = float(match["far"]), _bare(match["where"])
    plain = re.sub(r"[\s-]", "", where.lower())
    named = {**DIRECTIONS, **SHORT}.get(plain)
    if named is not None and not match["toward"]:
        return Intent(far, float(named))
    degrees = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s*(?:°|deg|degrees)", where)
    if degrees and float(degrees[1]) <= 360:
        return Intent(far, float(degrees[1]) % 360)
    if match["toward"]:
        return Intent(far, None, where, match["toward"].lower().startswith("away"))
    return None


def _bare(name: str) -> str:
    """Return a name without its article: the ruin is Ruin."""
    return re.sub(r"(?i)^(the|an?)\s+", "", name.strip())


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
    """Return whether an action takes a place to go to; one with a weapon takes a place to aim at."""
    names = {field.name for field in fields(card.inputs)}
    return "weapon" not in names and bool(
        "path" in names or "towards" in names or {"x", "y"} <= names or ("heading" in names and names & set(LENGTHS))
    )


def intended(rules: BattleRules, card: Action, state: Any, unit: str, intent: Intent) -> dict[str, Any]:
    """Return the inputs that make an action go where it is meant to."""
    names = {field.name for field in fields(card.inputs)}
    length = next((name for name in LENGTHS if name in names), "")
    if intent.towards and not intent.away and "towards" in names:
        most = {} if intent.far is None or not length else {length: intent.far}
        return {"unit": unit, "towards": goal_name(rules, state, unit, intent.towards), **most}
    if intent.spot is not None and intent.far is None and names & {"path", "x"}:
        spot = {"x": intent.spot.x, "y": intent.spot.y}
        return {"unit": unit, "path": [spot]} if "path" in names else {"unit": unit, **spot}
    if intent.spot is not None:
        start = place(rules, state, unit)
        far = apart(start, intent.spot)
        intent = Intent(far if intent.far is None else min(far, intent.far), bearing(start, intent.spot))
    if intent.far is None:
        raise BadInput(f"{card.name} needs to know how far, such as: 6 towards {intent.towards}", field=length or "far")
    heading = intent.heading if intent.heading is not None else _bearing(rules, state, unit, intent)
    if "path" not in names and "heading" in names and length:
        return {"unit": unit, "heading": round(heading, 2) % 360, length: intent.far}
    start = place(rules, state, unit)
    goal = nearer(start, step(start, heading, intent.far))
    if "path" in names:
        return {"unit": unit, "path": [{"x": goal.x, "y": goal.y}]}
    return {"unit": unit, "x": goal.x, "y": goal.y}


def known_place(rules: BattleRules, state: Any, unit: str) -> Point | None:
    """Return where the first model of a unit stands, or its transport; None if it is not known."""
    field = rules.field(state)
    if field is None or unit not in {position.name for position in field.positions}:
        return None
    return next((each.centre for each in field.measured_from(unit).footprints), None)


def place(rules: BattleRules, state: Any, unit: str) -> Point:
    """Return where a unit stands; BadInput if its place is not known."""
    at = known_place(rules, state, unit)
    if at is None:
        raise BadInput(f"the place of {unit} is not known; name the inputs of the action instead", field="place")
    return at


def goal_name(rules: BattleRules, state: Any, unit: str, typed: str) -> str:
    """Return the unit, terrain or objective that a typed name means; raise UnknownName with the nearest one."""
    field = rules.field(state)
    places = () if field is None else (*field.positions, *field.laid_terrain, *field.objectives)
    known = [place.name for place in places if place.name != unit]
    found = matching_names(typed, known)
    if len(found) != 1:
        raise UnknownName("unit, terrain or objective", typed, known)
    return found[0]


def nearest_goals(rules: BattleRules, state: Any, unit: str) -> tuple[str, ...]:
    """Return the names of the nearest objective and the nearest enemy, as far as there are any."""
    start, field = known_place(rules, state, unit), rules.field(state)
    if start is None or field is None:
        return ()
    objectives = sorted(field.objectives, key=lambda each: apart(start, each.at))
    enemies = sorted(
        field.enemies_of(field.position(unit).side), key=lambda each: apart(start, each.footprints[0].centre)
    )
    return tuple(each.name for each in (*objectives[:1], *enemies[:1]))


def _bearing(rules: BattleRules, state: Any, unit: str, intent: Intent) -> float:
    """Return the bearing of what it goes towards, or the opposite one."""
    start = place(rules, state, unit)
    there = destination(rules.field(state), goal_name(rules, state, unit, intent.towards))
    goal = there.middle or min((nearest_point(start, shape) for shape in there.shapes), key=partial(apart, start))
    way = bearing(start, goal)
    return (way + 180) % 360 if intent.away else way
