"""A dice calculator: `4d6 drop lowest`, `2d10+5 >= 12`, `8d6 5+`; what is typed becomes a question like any other.

    question = sum [ compare sum ]                              2d10+5 >= 12      d6+4 > d6+3
    compare  = ">=" | "<=" | ">" | "<" | "=" | "!="
    sum      = product { ( "+" | "-" ) product }                2d6 + d4 - 1
    product  = part { "*" NUMBER }                              d6*10
    part     = NUMBER | dice | "(" sum ")"
             | ( "max" | "min" ) "(" sum { "," sum } ")"        max(d20, d20)
    dice     = [ COUNT ] "d" SIDES [ again ] [ kept | hits ]    3d6  d%  2D10  d66: two D6 read as tens and ones
    again    = "reroll" FACE { "," FACE }                       8d6 reroll 1: such a die is rolled again, once
    kept     = ( "drop" | "keep" ) ( "lowest" | "highest" ) [ COUNT ]
    hits     = NUMBER "+"                                       8d6 5+: how many dice show 5 or more

Capitals and spaces make no difference. A comparison asks how likely it is; anything else asks what comes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer, Roll, ask, roll
from battletape.dice import D66, NOT_ADDED, Die, at_least, dice, die_called, special
from battletape.errors import BadInput, echo
from battletape.inputs import Nothing
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.system import Measure, Question, Ruleset
from battletape.tape import Tape
from battletape.tape.path import Path

MOST_DICE = 1_000
MOST_KEPT = 100
"""How many dice may be rolled where some are kept: their sums are followed one by one."""
MOST_AGAIN = 100
"""How many sides a die may have that is rolled again."""
MOST_LETTERS = 200
COMPARED: dict[str, tuple[Callable[[int, int], bool], str]] = {
    ">=": (operator.ge, "at least"),
    "<=": (operator.le, "at most"),
    "!=": (operator.ne, "not"),
    ">": (operator.gt, "more than"),
    "<": (operator.lt, "less than"),
    "=": (operator.eq, "exactly"),
}
OTHER_SIGNS = {"==": "=", "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<="}
HOW = "Write dice as 4d6 drop lowest, 2d10+5 >= 12, 8d6 5+ or max(d20, d20)"


def calculate(text: str) -> Answer:
    """The exact odds of what is typed: `calculate("4d6 drop lowest").odds().mean`."""
    return ask(CARD, question_of(text), {})


def throw(text: str, *, seed: int | str | None = None, tape: Path | None = None) -> Roll:
    """One result, rolled with a seed or read from any tape of one path."""
    return roll(CARD, question_of(text), {}, seed=seed, tape=tape)


# --- what is typed ----------------------------------------------------------------------------------------------------


class Number(Struct, frozen=True):
    """A number that is not rolled."""

    value: int


class Dice(Struct, frozen=True):
    """Dice that are thrown together: summed up, some of them kept, or those counted that show enough."""

    count: int
    sides: int
    again: tuple[int, ...] = ()  # faces that are rolled again
    kept: tuple[int, int] | None = None  # how many of the highest are left out, how many of the rest count
    hits: int | None = None
    name: str = ""

    @property
    def die(self) -> Die:
        """One of the dice."""
        die = die_called(self.sides)
        if not self.again:
            return die
        faces = die.faces
        shown = [face for first in faces for face in (faces if first in self.again else [first] * len(faces))]
        return special(f"D{self.sides} reroll {','.join(map(str, self.again))}", sorted(shown), die.note)


class Sum(Struct, frozen=True):
    """Parts with their factors, added up."""

    parts: tuple[tuple[int, Any], ...]


class Pick(Struct, frozen=True):
    """The greatest or the least of several sums."""

    greatest: bool
    sums: tuple[Sum, ...]


class Asked(Struct, frozen=True):
    """A whole question: a sum, and what it is compared with."""

    left: Sum
    compare: str = ""
    right: Sum = Sum(())


class Kept(Struct, frozen=True):
    """The sum of the dice that are kept, once the highest ones have been left out."""

    skip: int
    keep: int

    @property
    def start(self) -> tuple[int, int, int]:
        """Dice still to leave out, dice still to keep, their sum so far."""
        return self.skip, self.keep, 0

    @property
    def text(self) -> str:
        """Nothing is needed: the name of the dice says which are kept."""
        return ""

    def add(self, known: tuple[int, int, int], face: int, number: int) -> tuple[int, int, int]:
        """Leave out as many of these dice as are too many, and keep as many as still count."""
        skip, left, total = known
        out = min(number, skip)
        kept = min(number - out, left)
        return skip - out, left - kept, total + kept * face

    def end(self, known: tuple[int, int, int]) -> int:
        """The sum."""
        return known[2]

    def name(self, meaning: int) -> str:
        """The sum."""
        return str(meaning)


class _Reader:
    """Reads a text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.at = 0
        self.names: dict[str, int] = {}

    def take(self, pattern: str) -> re.Match[str] | None:
        """What stands here, if it fits."""
        match = re.compile(rf"\s*(?:{pattern})", re.IGNORECASE).match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def wrong(self, wanted: str) -> BadInput:
        """What would do here."""
        rest = self.text[self.at :].strip()
        came = f"got {echo(rest)}" if rest else "got nothing"
        before = self.text[: self.at].strip()
        where = f" after {echo(before)}" if before else ""
        return BadInput(f"expected {wanted}{where}; {came}. {HOW}.", field="dice")

    def asked(self) -> Asked:
        """The whole text."""
        left = self.sum()
        compared = self.take(r">=|<=|!=|==|=>|=<|≥|≤|>|<|=")
        if compared is not None:
            sign = compared[0].strip()
            asked = Asked(left, OTHER_SIGNS.get(sign, sign), self.sum())
        else:
            asked = Asked(left)
        if self.text[self.at :].strip():
            raise self.wrong("+, -, a comparison such as >= 12, or the end")
        return asked

    def sum(self) -> Sum:
        """Parts with + and - between them."""
        first = self.take(r"[+-]")
        parts = self.product(-1 if first and first[0].strip() == "-" else 1)
        while sign := self.take(r"[+-]"):
            parts += self.product(-1 if sign[0].strip() == "-" else 1)
        return Sum(tuple(parts))

    def product(self, factor: int) -> list[tuple[int, Any]]:
        """A part and the numbers it is multiplied by."""
        part = self.part()
        while self.take(r"[*×]"):
            times = self.take(r"(\d{1,6})(?!\s*d)")
            if times is None:
                raise self.wrong("a number")
            factor *= int(times[1])
        return [(factor, part)]

    def part(self) -> Any:
        """A number, dice, or something in brackets."""
        if self.take(r"\("):
            inner = self.sum()
            self.close()
            return inner
        if picked := self.take(r"(max|min)\s*\("):
            sums = [self.sum()]
            while self.take(","):
                sums.append(self.sum())
            self.close()
            return Pick(picked[1].lower() == "max", tuple(sums))
        if found := self.take(r"(\d*)\s*d\s*(\d+|%)"):
            return self.dice(int(found[1] or 1), 100 if found[2] == "%" else int(found[2]))
        if number := self.take(r"\d{1,9}(?!\d)"):
            return Number(int(number[0]))
        raise self.wrong("dice, or a number of 9 digits or fewer" if self.take(r"(?=\d)") else "dice or a number")

    def close(self) -> None:
        """The end of a bracket."""
        if not self.take(r"\)"):
            raise self.wrong("a closing bracket")

    def dice(self, count: int, sides: int) -> Dice:
        """What follows the dice: which are rolled again, which are kept, which are counted."""
        began = self.at
        die = die_called(sides)  # refuses what no die has
        if not 1 <= count <= MOST_DICE:
            raise BadInput(f"dice must be 1 to {MOST_DICE:,} at once; got {count:,}.", field="dice")
        again: tuple[int, ...] = ()
        if said := self.take(r"(?:re-?roll(?:ing)?|r)\s*(\d{1,4}s?(?:\s*(?:,|and)\s*\d{1,4}s?)*)"):
            again = tuple(sorted({int(face) for face in re.findall(r"\d+", said[1])}))
            if sides > MOST_AGAIN or not set(again) <= set(die.faces) or len(again) == len(die.faces):
                wanted = f"reroll must name some faces of a die of {MOST_AGAIN} sides or fewer"
                raise BadInput(f"{wanted}; got {', '.join(map(str, again))} of a D{sides}.", field="dice")
        kept, hits = self.kept(count), None
        if kept is None and (said := self.take(r"(\d{1,6})\s*\+")):
            hits = int(said[1])
        if kept is not None and count > MOST_KEPT:
            raise BadInput(f"dice must be {MOST_KEPT} or fewer where some are kept; got {count}.", field="dice")
        if die is D66 and count > 1 and hits is None and (kept is None or kept[1] > 1):
            ways = f"{count}d66 51+ counts those that show 51 or more, {count}d66 keep highest takes the best"
            raise BadInput(f"{NOT_ADDED}; got {count}. One is d66; {ways}.", field="dice")
        more = " ".join(self.text[began : self.at].lower().split())
        name = f"{count if count > 1 else ''}D{sides}{f' {more}' if more else ''}"
        self.names[name] = self.names.get(name, 0) + 1
        place = f" ({self.names[name]})" if self.names[name] > 1 else ""  # a question needs a name of its own
        return Dice(count, sides, again, kept, hits, name + place)

    def kept(self, count: int) -> tuple[int, int] | None:
        """How many of the highest are left out and how many of the rest are kept, if that is said."""
        said = self.take(r"(drop|keep)(?:ing)?\s*(?:the\s*)?(low(?:est)?|worst|high(?:est)?|best)\s*(\d{1,4})?")
        short = None if said else self.take(r"([dk])([lh])\s*(\d{1,4})?") or self.take(r"(k)(h?)\s*(\d{1,4})")
        match = said or short
        if match is None:
            return None
        number = int(match[3] or 1)
        keeps, high = match[1][0].lower() == "k", match[2][:1].lower() in ("h", "b", "")
        if not 1 <= number <= count or (not keeps and number == count):
            what = "keep" if keeps else "drop"
            least = f"1 to {count}" if keeps else f"1 to {count - 1}"
            raise BadInput(f"{what} must be {least} of {count} dice; got {number}.", field="dice")
        left = number if keeps else count - number
        return (0 if keeps == high else count - left), left


# --- the question -----------------------------------------------------------------------------------------------------


class Total(Struct, frozen=True):
    """What has come so far, on both sides of a comparison."""

    left: int = 0
    right: int = 0


CARD = Ruleset(
    name="dice",
    title="Dice",
    summary="Any dice: sums, the best of them, those that hit, and comparisons.",
    package="battletape",
    rulings=Nothing,
    questions=(),
)


@lru_cache(256)
def question_of(text: str) -> Question:
    """What is typed as a question; what cannot be read is refused with what would do."""
    if len(text) > MOST_LETTERS:
        raise BadInput(f"dice must be written in {MOST_LETTERS} letters or fewer; got {len(text)}.", field="dice")
    asked = _Reader(text).asked()
    written = " ".join(text.split())
    stages = Procedure("dice", (*_stages(asked.left, "left"), *_stages(asked.right, "right")))
    return Question(
        "dice",
        written,
        Nothing,
        begin=lambda inputs, rules: Total(),
        procedure=stages,
        measures=_measures(asked, written),
        headline=lambda answer: _headline(asked, written, answer),
        warn=lambda inputs, rules: _doubts(asked),
        again=lambda: question_of(text),
    )


def _measures(asked: Asked, written: str) -> tuple[Measure, ...]:
    if not asked.compare:
        return (Measure("total", written, lambda total: total.left),)
    fits = COMPARED[asked.compare][0]
    holds = Measure("holds", written, lambda total: fits(total.left, total.right))
    if _is_number(asked.right):
        return holds, Measure("total", re.split("[<>=!≥≤]", written)[0].strip(), lambda total: total.left)
    return holds, Measure("margin", "By how much the first is more", lambda total: total.left - total.right)


def _headline(asked: Asked, written: str, answer: Answer) -> str:
    if asked.compare:
        return f"{written}: {percent(answer.odds('holds').chance(True))}."
    odds = answer.odds("total")
    if len(odds) == 1:
        return f"{written} is always {odds.values()[0]}."
    (_, first), *others = asked.left.parts
    if isinstance(first, Dice) and first.die is D66 and not others and len(odds) == len(D66.faces) and not first.kept:
        return f"{written}: {odds.values()[0]} to {odds.values()[-1]}, each of the {len(odds)} results equally likely."
    low, high = odds.quantile(0.1), odds.quantile(0.9)
    return f"{written}: {float(odds.mean):.4g} on average, mostly {low} to {high}."


def _doubts(asked: Asked) -> Sequence[str]:
    """Say how a comparison is read that players may mean in another way."""
    first, right = asked.left.parts[0][1], asked.right.parts
    alone = len(asked.left.parts) == 1 and isinstance(first, Dice) and first.kept is None and first.hits is None
    if asked.compare == ">=" and alone and first.count > 1 and len(right) == 1 and isinstance(right[0][1], Number):
        number = right[0][1].value
        if number <= first.sides:
            count = f"{first.count}d{first.sides} {number}+"
            return [f"This is about the sum; how many of the dice show {number} or more is {count}"]
    return ()


def _is_number(sum: Sum) -> bool:
    return all(isinstance(part, Number) for _, part in sum.parts)


def _stages(sum: Sum, side: str) -> Sequence[Stage]:
    return [_stage(factor, part, side) for factor, part in sum.parts]


def _stage(factor: int, part: Any, side: str) -> Stage:
    """A stage that adds a part of a sum to one side."""

    def add(tape: Tape, total: Total) -> Total:
        return replace(total, **{side: getattr(total, side) + factor * worth(tape, part)})

    return add


def worth(tape: Tape, part: Any) -> int:
    """What a part comes to."""
    if isinstance(part, Number):
        return part.value
    if isinstance(part, Sum):
        return sum(factor * worth(tape, inner) for factor, inner in part.parts)
    if isinstance(part, Pick):
        return (max if part.greatest else min)(worth(tape, inner) for inner in part.sums)
    if part.hits is not None:
        return int(tape.pool(part.count, part.die, at_least(part.hits), label=part.name)[True])
    if part.kept is not None:
        return int(tape.pool(part.count, part.die, label=part.name, whole=Kept(*part.kept)))
    if part.count == 1:
        return int(tape.roll(part.die, label=part.name))
    if part.again:
        return int(tape.pool(part.count, part.die, label=part.name, whole=Kept(0, part.count)))
    return int(tape.roll(dice(f"{part.count}d{part.sides}"), label=part.name))
