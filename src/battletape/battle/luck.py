"""Luck: what was due from each move and what came of it, by exact odds where that is cheap, by many rolls elsewhere.

The odds are those from the state before the move, decisions as usual. What is compared is the first measure of the
action that is a number, was open and is not all but impossible; the luck of a move is the share of all results that
would have been worse for the side that made it, with half of those as good.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from battletape._version import VERSION
from battletape.battle.battle import Battle, MoveRecord
from battletape.battle.intents import takes_place
from battletape.battle.journal import UndoMark
from battletape.battle.preview import question_of
from battletape.battle.replay import Earlier
from battletape.battle.sides import side_of
from battletape.errors import BattletapeError
from battletape.log import play
from battletape.odds import Odds, measured
from battletape.procedure import chosen
from battletape.system import Measure, Question
from battletape.tape.exact import Exact
from battletape.tape.limits import Budget
from battletape.tape.question import frozen_states
from battletape.tape.recorded import Recorded
from battletape.tape.sampled import sampled

BRANCHES = 10_000
"""How much the exact odds of one move may explore."""
LIKELY = 0.05
"""What is expected of a measure that tells much of an action: less than this hardly ever happens."""
ROLLS = 300
"""How many rolls estimate the others."""


class MoveLuck(Struct, frozen=True):
    """A move with dice: what was due on average, what came, and how lucky that was for the side that made it."""

    move: int
    action: str
    unit: str
    side: str
    measure: str
    title: str
    due: Fraction
    came: Fraction
    luck: Fraction  # 0 is the worst that could happen, 1 the best, 1/2 what is to be expected
    rolls: int = 0  # how many rolls estimate what was due; 0 if it is exact

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "move": self.move,
            "action": self.action,
            "unit": self.unit,
            "side": self.side,
            "measure": self.measure,
            "due": round(float(self.due), 4),
            "came": round(float(self.came), 4),
            "luck": round(float(self.luck), 4),
            "by": f"{self.rolls} rolls" if self.rolls else "exact odds",
        }


class SideLuck(Struct, frozen=True):
    """All moves of one side with dice: how many, and how lucky they were on average."""

    side: str
    moves: int
    luck: Fraction


def move_lucks(battle: Battle) -> Iterator[MoveLuck]:
    """Yield the luck of each move that counts and had dice in it, in order."""
    for record in battle.move_records():
        if not isinstance(record, UndoMark) and not record.undone:
            found = luck_of(battle, record)
            if found is not None:
                yield found


def side_lucks(lucks: list[MoveLuck]) -> tuple[SideLuck, ...]:
    """Return the luck of each side so far."""
    sides = dict.fromkeys(luck.side for luck in lucks)
    own = {side: [luck.luck for luck in lucks if luck.side == side] for side in sides}
    return tuple(SideLuck(side, len(shares), sum(shares, Fraction(0)) / len(shares)) for side, shares in own.items())


def luck_of(battle: Battle, record: MoveRecord) -> MoveLuck | None:
    """Return the luck of one move; None where nothing was left to luck, or nothing that the mover did is a number."""
    move = record.move
    card = battle.rules.action(move.action)
    about = card.about(record.before, move.params)
    if all(entry.kind == "choose" for entry in move.entries) or card.goes_on or card.aside:
        return None
    if takes_place(card) and not about.get("target"):  # what befalls a unit on its way is not its doing
        return None
    try:
        question = question_of(battle.ruleset, move.action, record.before, move.params)
        if not question.measures:
            return None
        work = question.begin(move.params, battle.agreed)
        stages = chosen(question.procedure, work, move.action).stages
        tape = Recorded(move.entries) if battle.version == VERSION else Earlier(move.entries)
        ended = play(stages, tape, work).state
        rare: MoveLuck | None = None
        for measure in question.measures:
            odds, rolls = odds_of(battle, question, measure, stages, work)
            if measure.words is None and is_open(odds):
                luck = weighed(battle, record, measure, odds, rolls, Fraction(measure.of(ended)))
                if luck.due >= LIKELY:
                    return luck
                rare = rare or luck
    except (BattletapeError, TypeError, ValueError):
        return None
    return rare


def is_open(odds: Odds[Any]) -> bool:
    """Return whether a measure is a number that could come out in several ways."""
    return len(odds.weights) > 1 and all(isinstance(value, int | float | Fraction) for value in odds.weights)


def odds_of(battle: Battle, question: Question, measure: Measure, stages: Any, work: Any) -> tuple[Odds[Any], int]:
    """Return the odds of a measure as far as a small budget goes; otherwise those of many rolls, and how many."""
    forget = question.lens(frozenset({measure.name}))
    reader = Exact(battle.ruleset.memo, Budget(branches=BRANCHES), forget=forget)
    with frozen_states():
        kernel, counts = reader.stages(stages, work)
    if not kernel.lost:
        return measured(reader.odds(kernel, counts), measure.of, measure.words, measure.values), 0
    rolled = sampled(stages, work, ROLLS, seed=0)
    return measured(rolled, measure.of, measure.words, measure.values), ROLLS


def weighed(
    battle: Battle, record: MoveRecord, measure: Measure, odds: Odds[Any], rolls: int, came: Fraction
) -> MoveLuck:
    """Return a move with its luck: the share of all results that are worse for the side that made it, and half of
    the same.
    """
    card = battle.rules.action(record.move.action)
    unit = card.about(record.before, record.move.params).get("unit", "")
    side = side_of(record.before, unit) or battle.rules.where(record.before).get("side", "")
    less = odds.chance(lambda value: value < came)
    same = odds.chance(lambda value: value == came)
    luck = less + same / 2
    if "attacker" in measure.low_for:
        luck = 1 - luck
    due = Fraction(odds.mean)
    return MoveLuck(
        record.move.number, card.name, unit, side, measure.name, measure.title, due, came, Fraction(luck), rolls
    )
