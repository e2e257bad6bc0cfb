"""Vectors of deathwatch, chapter by chapter: a function for each question, and the words they all share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from battletape import Battle, Odds, Refused, ruleset
from battletape.answer import Answer, Roll
from battletape.tape.path import Path
from battletape.tape.question import Ask
from tests.vectors.given import Given, known

SYSTEM = ruleset("deathwatch")
HALE = 500
"""Wounds that no attack takes, so that nobody dies before all is told."""
BRIEF: dict[str, Any] = {}
FURY = {"none": "none", "confirm": "confirm", "auto": "sure"}
SPOTS = {"arm": "right_arm", "leg": "right_leg"} | {
    spot: spot for spot in ("head", "right_arm", "left_arm", "body", "right_leg", "left_leg")
}
BARE = {"head": 0, "arm": 0, "body": 0, "leg": 0, "tb": 0, "unnatural_toughness": 1}
SURE = 200
"""A target number that no roll misses."""
OWN = ("to hit", "jam check", "dodge", "parry", "power field", "location", "damage", "confirm", "righteous fury")
"""The dice of an attack itself."""


def text(chance: Fraction | int) -> str:
    """A chance as the vectors write it: 1/2, 0/1."""
    exact = Fraction(chance)
    return f"{exact.numerator}/{exact.denominator}"


def texts(odds: Odds[Any]) -> dict[str, str]:
    """A distribution as the vectors write it."""
    return {str(value): text(chance) for value, chance in odds.fractions().items()}


def at_least(odds: Odds[Any], numbers: Sequence[int | str]) -> dict[str, str]:
    """The chances of so much or more."""
    return {str(number): text(odds.at_least(int(number))) for number in numbers}


def only(odds: Odds[Any]) -> Any:
    """The one value that there is."""
    (value,) = odds.fractions()
    return value


def options(given: Given) -> dict[str, Any]:
    """The rulings that a vector asks for."""
    return {**given.get("options", {})}


def ask(given: Given, question: str, *, measures: Sequence[str] = (), **inputs: Any) -> Answer:
    """The exact odds of a question, with the vector's rulings."""
    found: Answer = SYSTEM.ask(question, measures=measures, **{**options(given), **inputs})
    return found


def among(answer: Answer, measure: str, **held: Any) -> Odds[Any]:
    """The odds of a measure among the results in which other measures have these values."""
    found = {name: answer.question.measure(name).of for name in held}
    states = answer.states.given(lambda state: all(found[name](state) == value for name, value in held.items()))
    return states.project(answer.question.measure(measure).of)


def may(call: Callable[[], Any]) -> bool:
    """Whether the rules do not refuse."""
    try:
        call()
    except Refused:
        return False
    return True


class Dice(Path):
    """The dice of a vector in the order they are thrown, then the lowest of each; nobody reacts unless it is said."""

    def __init__(self, *dice: int, own: Sequence[str] = (), said: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.dice, self.used, self.own, self.said = list(dice), 0, own, said or {}

    def answer(self, ask: Ask) -> Any:
        """The next die of the list, or the lowest where the list is done or this die is none of its own."""
        if ask.kind == "choose":
            usual = "none" if "none" in ask.options else ask.options[0]
            return self.said.get(_bare(ask.label), usual)
        found = [self._next(ask) for _ in range(ask.count)]
        return tuple(found) if ask.kind == "pool" else found[0]

    def _next(self, ask: Ask) -> Any:
        label = _bare(ask.label)
        if self.dice and label not in self.said and (not self.own or label in self.own):
            self.used += 1
            return self.dice.pop(0)
        assert ask.die is not None
        return self.said.get(label, ask.die.faces[0])


def _bare(label: str) -> str:
    """A label without the name before it."""
    return label.rpartition(": ")[2]


def roll(given: Given, question: str, tape: Path, **inputs: Any) -> Roll:
    """A question played once with these dice, with the vector's rulings."""
    found: Roll = SYSTEM.roll(question, tape=tape, **{**options(given), **inputs})
    return found


def printed(title: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a printed table, by the first words of its title."""
    return next(table.rows for table in SYSTEM.tables() if table.title.startswith(title))


def row_of(title: str, name: str) -> tuple[str, ...]:
    """The row of a printed table that begins so, in small or capital letters."""
    return known({row[0].lower(): row for row in printed(title)}, title, name.lower())


def row_at(title: str, number: int) -> tuple[str, ...]:
    """The row of a printed table whose first cell holds a number: 01-10, 7, 80 or more."""
    return next(row for row in printed(title) if number in _span(row[0]))


def _span(cell: str) -> range:
    low, _, high = cell.removesuffix(" or more").partition("-")
    last = 10**6 if cell.endswith("more") else int(high or low) or 100
    return range(int(low), last + 1)


# --- battles ----------------------------------------------------------------------------------------------------------


def gun(name: str = "gun", **numbers: Any) -> dict[str, Any]:
    """A gun of a vector's own for a battle."""
    plain = {"kind": "Pistol", "range": 100, "damage": "1d10", "clip": 100, "single": True}
    return {"name": name, **plain, **numbers}


BLADE = {"name": "blade", "kind": "Melee", "melee": True, "damage": "1d10", "damage_type": "R"}


def fighter(
    name: str, x: float = 0, y: float = 0, arsenal: Sequence[Mapping[str, Any]] = (), **more: Any
) -> dict[str, Any]:
    """A fighter with numbers of his own."""
    return {
        "name": name,
        "x": x,
        "y": y,
        "wounds": HALE,
        "arsenal": list(arsenal),
        "weapons": [one["name"] for one in arsenal],
        **more,
    }


def battle(given: Given, ours: Sequence[dict[str, Any]], theirs: Sequence[dict[str, Any]], **more: Any) -> Battle:
    """A battle in which everybody acts in the order in which he is named, with the vector's rulings."""
    sides, rank = [], 40
    for name, units in (("ours", ours), ("theirs", theirs)):
        entries: dict[str, list[Any]] = {"fighters": [], "mobs": []}
        for unit in units:
            rank -= 1
            entries["mobs" if "magnitude" in unit else "fighters"].append({"initiative": rank, **unit})
        sides.append({"name": name, **entries, **more})
    return Battle.new(SYSTEM, {"sides": sides, "most_rounds": 1000}, options(given))


def until(fight: Battle, name: str) -> None:
    """Turns end until it is this one's."""
    fight.push("end_turn", tape=Dice())
    while fight.state.active != name:
        fight.push("end_turn", tape=Dice())


def asked(fight: Battle, what: str) -> int:
    """How often something was asked in the last move."""
    return sum(entry.label.endswith(what) for entry in fight.moves[-1].entries)
