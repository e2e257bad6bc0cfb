"""Real dice in an address: what was typed, what the computer rolled, and a tape that reads both.

`_answers=5 3~2 6;14 pass, 6 fail;duck` answers three questions, with “;” between them: of the first, two dice were
typed and two rolled (they stand behind “~”); the second was counted; the third was decided. An empty answer is rolled.
Pools that are thrown together have “|” between them: `7 9 2|10 4~4` is the damage of two hits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from random import SystemRandom
from typing import Any, Literal

from msgspec.structs import replace

from battletape.answer import Roll
from battletape.dice import d
from battletape.errors import BadInput
from battletape.inputs import Inputs
from battletape.log import play_on
from battletape.system import Question, Ruleset
from battletape.tape.path import Path
from battletape.tape.question import Ask, NeedAnswer, Tally, has_long_names
from battletape.tape.rolled import Rolled
from battletape.tape.together import MAX_DICE, Hand, as_throw, key_of, split_pools
from battletape.views.dice import MOST_ADDED, ONE_BY_ONE, Throw

MOST_ANSWERS = 500
Rest = Literal["", "dice", "all"]
"""What the computer does if an answer is missing: nothing, roll until a decision, or go on to the end."""


class Table(Path):
    """The dice on the table: typed answers, and the computer's dice for the rest."""

    def __init__(self, answers: Sequence[str], rest: Rest = "", luck: Rolled | None = None) -> None:
        super().__init__()
        self.answers = answers
        self.rest = rest
        self.luck = luck or fresh_luck()
        self.throws: list[Throw] = []
        self.texts: list[str] = []
        """The answers as the address holds them; dice that were thrown together are one."""
        self.of: list[int] = []
        """For each throw, the number of the answer that it came with."""
        self.hand = Hand()
        self.is_told = True
        """Whether the answers say everything, so that the same address shows the same again."""

    def answer(self, ask: Ask) -> Any:
        """Return the answer typed or rolled before; otherwise a roll, if allowed, or NeedAnswer."""
        key = key_of(ask, self.stage)
        if self.hand.holds(key):
            throw, at = self.hand.take(key)
            return self._thrown(replace(throw, ask=ask), at)
        at = len(self.texts)
        if at < len(self.answers):
            text = self.answers[at]
        elif self.rest == "all" or (self.rest == "dice" and ask.kind != "choose"):
            text = ""
        else:
            raise NeedAnswer(ask, self.entries)
        if not text.strip():
            self.is_told = False
            text = roll_one(ask, self.luck)
        throw, *others = read_throws(ask, text)
        self.hand.keep(key, ((other, at) for other in others))
        self.texts.append(write_throws([throw, *others]))
        return self._thrown(throw, at)

    def _thrown(self, throw: Throw, at: int) -> Any:
        self.throws.append(throw)
        self.of.append(at)
        return throw.answer

    def finish(self) -> None:
        """Raise an error if an answer was not used."""
        left = "; ".join(answer for answer in self.answers[len(self.texts) :] if answer.strip())
        if left:
            raise BadInput(f"{len(self.texts)} answers were needed, got {len(self.answers)}; left over: {left[:200]}")

    @property
    def text(self) -> str:
        """All answers as an address holds them."""
        return ";".join(self.texts)

    def before(self, at: int) -> str:
        """Return the answers before this throw, as an address holds them."""
        return ";".join(self.texts[: self.of[at]])


def roll_on(
    ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs, tape: Path
) -> tuple[Roll, Ask | None]:
    """Play as far as the answers go; returns what happened, and the question that waits."""
    start = question.begin(inputs, rulings)
    played, need = play_on(question.procedure(start).stages, tape, start)
    if need is None:
        tape.finish()
    return Roll(ruleset, question, inputs, rulings, played), need.ask if need else None


def split_answers(text: str) -> list[str]:
    """Return the answers of an address."""
    answers = text.split(";") if text else []
    if len(answers) > MOST_ANSWERS:
        raise BadInput.of("_answers", f"may have at most {MOST_ANSWERS} answers; got {len(answers):,}.")
    return answers


def read_throw(ask: Ask, text: str) -> Throw:
    """Return an answer of an address; raises BadInput if it does not fit the question."""
    typed, tilde, rolled = text.partition("~")
    if ask.kind == "pool" and tilde:
        first, then = read_faces(ask, typed), read_faces(ask, rolled)
        if len(first) + len(then) != ask.count:
            raise BadInput.of(ask.label, f"needs {ask.count} dice; got {len(first) + len(then)}.")
        return Throw(ask, (*first, *then), len(then))
    if ask.kind == "pool":
        return Throw(ask, ask.parse(_spread(ask, typed)))
    answer = ask.parse(f"{typed} {rolled}")
    parts = re.findall(r"\d+", f"{typed} {rolled}") if ask.die is not None and ask.die.added else []
    if ask.die is None or ask.die.added is None or len(parts) != ask.die.added[0]:
        return Throw(ask, answer, 1 if tilde else 0)
    return Throw(ask, answer, len(re.findall(r"\d+", rolled)), tuple(map(int, parts)))


def read_throws(ask: Ask, text: str) -> list[Throw]:
    """Return an answer of an address: one throw, or several dice or pools thrown together for a question that asks
    for one.
    """
    if ask.kind == "pool":
        return [read_throw(ask, pool) for pool in split_pools(text)]
    typed, _, rolled = text.partition("~")
    if key_of(ask, 0) is None:
        return [read_throw(ask, text)]
    first, then = read_faces(ask, typed), read_faces(ask, rolled)
    if len(first) + len(then) < 2:
        return [read_throw(ask, text)]
    if len(first) + len(then) > MAX_DICE:
        raise BadInput.of(ask.label, f"takes at most {MAX_DICE} dice at once; got {len(first) + len(then)}.")
    return [*(Throw(ask, face) for face in first), *(Throw(ask, face, 1) for face in then)]


def write_throws(throws: Sequence[Throw]) -> str:
    """Return an answer as an address holds it: one throw, or several dice or pools of the same question."""
    if len(throws) == 1 or throws[0].ask.kind == "pool":
        return "|".join(map(write_throw, throws))
    faces = tuple(throw.answer for throw in throws)
    return write_throw(Throw(as_throw(throws[0].ask, len(throws)), faces, sum(throw.rolled for throw in throws)))


def write_throw(throw: Throw) -> str:
    """Return an answer as an address holds it; many dice in few letters (120x5)."""
    ask, answer = throw.ask, throw.answer
    mark = "~" if throw.rolled else ""
    if ask.kind == "choose":
        text = str(answer)
        return mark + (str(ask.options.index(answer) + 1) if re.search("[;~]", text) or not text.strip() else text)
    if throw.parts:
        typed = len(throw.parts) - throw.rolled
        return f"{_line(throw.parts[:typed])}{mark}{_line(throw.parts[typed:])}"
    if ask.kind != "pool" or isinstance(answer, Tally):
        return mark + ask.format(answer)
    typed = len(answer) - throw.rolled
    return _short(ask, answer[:typed]) + (f"~{_short(ask, answer[typed:])}" if throw.rolled else "")


def read_faces(ask: Ask, text: str) -> tuple[Any, ...]:
    """Return some of the dice of a pool."""
    assert ask.die is not None
    spread = _spread(ask, text)
    parts = [part.strip() for part in spread.split(",")] if has_long_names(ask.die) else re.split(r"[\s,]+", spread)
    return tuple(read_face(ask, part, at) for at, part in enumerate((part for part in parts if part), 1))


def read_face(ask: Ask, text: str, at: int) -> Any:
    """Return one die of a pool; the error for a misfit names its place."""
    return replace(ask, kind="roll", what=f"{ask.what} {at}/{ask.count}").parse(text)


def roll_one(ask: Ask, luck: Rolled) -> str:
    """Return an answer by the computer's dice, marked as such; for a decision, the first option."""
    if ask.kind == "roll" and ask.die is not None and ask.die.added and ask.die.added[0] <= MOST_ADDED:
        count, sides, _ = ask.die.added
        return "~" + " ".join(map(str, luck.throw(d(sides), count)))
    answer = luck.answer(ask)
    return write_throw(Throw(ask, answer, len(answer) if ask.kind == "pool" else 1))


def fresh_seed() -> int:
    """Return a random seed."""
    return SystemRandom().randrange(1_000_000_000)


def fresh_luck() -> Rolled:
    """Return dice from a random seed."""
    return Rolled(fresh_seed())


def _spread(ask: Ask, text: str) -> str:
    """Return the dice one by one, even if they were written in short."""
    runs = [int(run[:9]) for run in re.findall(r"(?<!\S)(\d+)x(?=\S)", text)]
    if not runs or ask.die is None or has_long_names(ask.die):
        return text
    if sum(runs) > ask.count:
        raise BadInput.of(ask.label, f"needs {ask.count} dice; got {sum(runs):,} or more.")
    return re.sub(r"(?<!\S)(\d+)x(\S+)", lambda run: " ".join([run[2]] * int(run[1])), text)


def _line(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _short(ask: Ask, faces: Sequence[Any]) -> str:
    assert ask.die is not None
    if len(faces) <= ONE_BY_ONE or has_long_names(ask.die):
        return ask.format(tuple(faces))
    counts = Counter(faces)
    return " ".join(f"{counts[face]}x{face}" for face in ask.die.faces if counts[face])
