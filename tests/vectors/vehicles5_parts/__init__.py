"""Vectors of vehicles5, chapter by chapter: a function for each question, and the words they all share.

Everything is asked as a player asks it: `ask` and `roll` of the ruleset, its printed tables, and battles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from battletape.answer import Answer, Roll
from battletape.battle import Battle
from battletape.errors import Refused
from battletape.registry import ruleset
from battletape.steps import Step
from battletape.tape.path import Path
from battletape.tape.question import Ask
from tests.vectors.given import Given, known

Said = dict[str, Any]
RULES = ruleset("vehicles5")
DICE = {"d6": "d6", "ordnance": "higher_of_two", "melta": "2d6", "rending": "six_adds_d3"}
"""What the vectors call the dice of a penetration, and what we do."""
FACES = {"shaken": 1, "stunned": 2, "weapon_destroyed": 3, "immobilised": 4, "wrecked": 5, "exploded": 6}
"""The face that brings about a row of the damage table, where nothing modifies it."""
BANDS = ("stationary", "combat", "cruising", "flat_out")
SIDES = ("front", "side", "rear")
DAMAGE = ("unchanged", "destroyed", "wrecked", "exploded", "immobilised_or_worse")
TYPES = {name: name for name in ("fast", "tank", "skimmer", "walker", "open_topped")}
CREW = ("shaken", "stunned", "immobilised")
PLAYERS = ("First", "Second")
X, Y = 60.0, 60.0
"""The middle of the table, where it has the origin of a vector's own places."""
CANNON = {"name": "Cannon", "type": "heavy", "strength": 10, "ap": 2, "range": 120}


class Hand(Path):
    """Dice in the order in which they are thrown; of every choice the option named, or the first.

    It remembers what was asked.
    """

    def __init__(self, dice: Sequence[int], *choices: str) -> None:
        super().__init__()
        self.dice = [str(die) for die in dice]
        self.choices = choices

    def answer(self, ask: Ask) -> Any:
        """The next dice as a person types them, as many as the question needs."""
        if ask.kind == "choose":
            return next((option for option in ask.options if option in self.choices), ask.options[0])
        added = ask.die.added if ask.die is not None else None
        count = added[0] if added is not None else ask.count
        thrown, self.dice = self.dice[:count], self.dice[count:]
        if len(thrown) < count:
            raise AssertionError(f"{ask.label} needs {count} dice, and only {len(thrown)} are left")
        return ask.parse(" ".join(thrown))

    @property
    def asked(self) -> list[Ask]:
        """Every question so far."""
        return [ask for ask, _ in self.trail]


# --- asking ---------------------------------------------------------------------------------------------------------


def options(given: Given) -> Said:
    """The rulings of a vector, by our own names for them."""
    found: Said = given["options"].plain() if "options" in given else {}
    return found


def ask(given: Given, question: str, **inputs: Any) -> Answer:
    """A question of the ruleset, under the rulings of the vector."""
    return RULES.ask(question, **inputs, **options(given))


def roll(given: Given, question: str, dice: Sequence[int], *choices: str, **inputs: Any) -> Roll:
    """The same with dice that are given."""
    return RULES.roll(question, tape=Hand(dice, *choices), **inputs, **options(given))


def ask_fast(given: Given, question: str, **inputs: Any) -> Answer:
    """A question about a vehicle that is fast if its speed needs that; the vectors do not always say so."""
    try:
        return ask(given, question, **inputs)
    except Refused as reason:
        if reason.kind not in ("band", "distance"):
            raise
    return ask(given, question, **{**inputs, "types": [*inputs["types"], "fast"]})


def refused(given: Given, question: str, *clauses: str, **inputs: Any) -> bool:
    """Whether a question is refused, by one of these clauses."""
    try:
        ask(given, question, **inputs)
    except Refused as reason:
        if reason.clause not in clauses:
            raise
        return True
    return False


# --- reading answers ------------------------------------------------------------------------------------------------


def text(chance: Fraction) -> str:
    """A chance as the vectors write it."""
    return f"{chance.numerator}/{chance.denominator}"


def chance(answer: Answer, measure: str, value: Any = 1) -> str:
    """The chance of a value of a measure."""
    return text(answer.odds(measure).chance(value))


def chances(answer: Answer, *measures: str) -> Said:
    """The chance of each of these measures to be so."""
    return {measure: chance(answer, measure) for measure in measures}


def value(answer: Answer, measure: str) -> Any:
    """The value of a measure without luck in it."""
    (only,) = answer.odds(measure).fractions()
    return only


def is_so(answer: Answer, measure: str) -> bool:
    """Whether a measure without luck in it is so."""
    return {0: False, 1: True}[value(answer, measure)]


def step(answer: Answer, roll_of: str) -> Step | None:
    """The step of an answer in which this is rolled; None where it is not."""
    return next((found for found in answer.steps if f": {roll_of} on a " in found.title), None)


def cell(answer: Answer, row: str, column: str) -> str:
    """A cell of the table of an answer."""
    assert answer.table is not None
    at = answer.table.head.index(column)
    (found,) = (cells[at] for cells in answer.table.rows if cells[0] == row)
    return found


def number(needs: str) -> int:
    """What a table or a step needs, as a number: 4+ is 4."""
    return int(needs.removesuffix("+"))


def struck(answer: Answer) -> Said:
    """What the one blow of an assault needs, and its chance."""
    assert answer.table is not None
    (needs,) = (row[answer.table.head.index("to hit")] for row in answer.table.rows)
    to_hit = "auto" if needs == "automatic" else number(needs)
    return {"to_hit": to_hit, "probability": text(answer.odds("expected_hits").mean)}


# --- words of the vectors -------------------------------------------------------------------------------------------


def types(given: Given, key: str = "vehicle") -> list[str]:
    """The types of a vehicle."""
    flags: Mapping[str, bool] = given[key].plain() if key in given else {}
    return [known(TYPES, "vehicle type", name) for name, is_one in flags.items() if is_one or name not in TYPES]


def crew(given: Given, key: str = "state") -> Said:
    """Shaken, stunned, immobilised; a short state lists only what is true."""
    if key not in given:
        return {}
    state: Given = given[key]
    _alive(state)
    return state.only(*CREW)


def condition(given: Given, key: str = "state") -> Said:
    """The same with the number of weapons, 0 if none is given."""
    weapons = given[key].get("weapons", 0) if key in given else 0
    return {**crew(given, key), "weapons": weapons}


def _alive(state: Given) -> None:
    """A vehicle that nobody asks about any more is nothing that can be asked."""
    if "status" in state:
        state.choice("status", ("ok",))


# --- battles --------------------------------------------------------------------------------------------------------


def vehicle(name: str, x: float, y: float, heading: float = 0, **more: Any) -> Said:
    """A vehicle with a cannon that always penetrates."""
    gun = {"weapon": "Cannon", "mount": "turret", "z": 1.0}
    return {"name": name, "x": x, "y": y, "heading": heading, "mounts": [gun], "arsenal": [CANNON], **more}


def squad(name: str, x: float, y: float, **more: Any) -> Said:
    """A squad of one man."""
    return {"name": name, "x": x, "y": y, "models": 1, **more}


def set_up(given: Given, *units: Sequence[Said], **more: Any) -> Battle:
    """A battle between two sides, of which the first begins; what has mounts is a vehicle."""
    sides = [
        {
            "name": name,
            "machines": [unit for unit in own if "mounts" in unit],
            "squads": [unit for unit in own if "mounts" not in unit],
        }
        for name, own in zip(PLAYERS, units, strict=True)
    ]
    start = {"width": 120, "depth": 120, "most_turns": 1000, "sides": sides, **more}
    return Battle.new(RULES, start, options(given))
