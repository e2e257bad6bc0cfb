"""A dice calculator: `4d6 drop lowest`, `2d10+5 >= 12`, `8d6 5+`; what is typed becomes a question like any other.

    question = sum [ compare sum ]                              2d10+5 >= 12      d6+4 > d6+3
    compare  = ">=" | "<=" | ">" | "<" | "=" | "!="
    sum      = product { ( "+" | "-" ) product }                2d6 + d4 - 1      D6 + D6
    product  = part { "*" part }                                2 * d6: one roll that counts double   d6 * d6
    part     = NUMBER | dice | "(" sum ")"
             | ( "max" | "min" ) "(" sum { "," sum } ")"        max(d20, d20)
    dice     = [ COUNT ] "d" SIDES [ again ] [ explode ] [ kept | hits ]
                                                                3d6  d%  2D10  4dF  d66: two D6 read as tens and ones
    again    = "reroll" FACE { "," FACE }                       8d6 reroll 1: such a die is rolled again, once
    explode  = "!" | "explode" [ FACE { "," FACE } ]            3d6 explode 6: another die for each 6, and all is added
    kept     = ( "drop" | "keep" ) ( "lowest" | "highest" ) [ COUNT ]
    hits     = NUMBER "+"                                       8d6 5+: how many dice show 5 or more

Capitals and spaces make no difference. A comparison asks how likely it is; anything else asks what comes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from battletape.answer import Answer, Roll, ask, roll
from battletape.dice import (
    D66,
    FUDGE,
    NOT_ADDED,
    RARE,
    Die,
    at_least,
    dice,
    die_called,
    exploding,
    longest_run,
    special,
)
from battletape.errors import BadInput, echo
from battletape.inputs import Nothing
from battletape.odds import percent
from battletape.procedure import Procedure
from battletape.system import Measure, Question, Ruleset
from battletape.tape import Tape
from battletape.tape.limits import Budget
from battletape.tape.path import Path
from battletape.words import listed, plural

MOST_DICE = 1_000
MOST_KEPT = 100
"""How many dice may be rolled where some are kept: their sums are followed one by one."""
MOST_KEPT_BURSTS = 8
"""How many of them may explode as well."""
MOST_AGAIN = 100
"""How many sides a die may have that is rolled again."""
MOST_LETTERS = 200
DEEPEST = 12
"""How many brackets may stand in each other."""
Join = Callable[[int, int], int]
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
FORMS = (
    ("3d6  d%  4dF", "dice; their sum counts"),
    ("2d6 + d4 - 1", "sums; so D6 + D6 is 2d6"),
    ("2 * d6  d6 * d6", "one roll that counts double; two rolls multiplied"),
    ("4d6 drop lowest", "or drop highest 2, keep highest 3, keep lowest; 4d6kh3"),
    ("8d6 5+", "how many of the dice show 5 or more"),
    ("8d6 reroll 1", "ones are rolled again, once"),
    ("3d6 explode 6", "another die for each 6, and all is added; 3d6! explodes on its highest face"),
    ("max(d20, d20)", "the greatest of several, or the least: min"),
    ("2d10+5 >= 12", "how likely that is; also <=  >  <  =  !=, and dice on both sides"),
    ("d66", "two D6 read as tens and ones: 11 to 66, 36 results"),
)
"""What may be written, with what it means: the same on the page, in the terminal and for programs."""
EXAMPLES = ("8d6 reroll 1 5+", "4d6 drop lowest", "2d6 >= 7", "3d6 explode 6", "4dF", "max(d20, d20)")


def calculate(text: str, *, budget: Budget | None = None) -> Answer:
    """Return the exact odds of what is typed: `calculate("4d6 drop lowest").odds().mean`."""
    return ask(CARD, question_of(text), {}, budget=budget)


def throw(text: str, *, seed: int | str | None = None, tape: Path | None = None) -> Roll:
    """Return one result, rolled with a seed or read from any tape of one path."""
    return roll(CARD, question_of(text), {}, seed=seed, tape=tape)


# --- what is typed ----------------------------------------------------------------------------------------------------


class Number(Struct, frozen=True):
    """A number that is not rolled."""

    value: int


class Dice(Struct, frozen=True):
    """Dice that are thrown together: summed up, some of them kept, or those counted that show enough."""

    count: int
    sides: str  # 6, 66, F
    again: tuple[int, ...] = ()  # faces that are rolled again
    bursts: tuple[int, ...] = ()  # faces that explode
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

    @property
    def burst(self) -> Die:
        """Dice that explode, as one die: all of them added up or counted; one of them, where some are kept."""
        return exploding(1 if self.kept else self.count, self.die, self.bursts, self.hits)

    @property
    def text(self) -> str:
        """The dice as one would type them."""
        parts = [f"{self.count if self.count > 1 else ''}d{self.sides}"]
        if self.again:
            parts.append(f"reroll {' and '.join(map(str, self.again))}")
        if self.bursts:
            parts.append(f"explode {' and '.join(map(str, self.bursts))}")
        if self.kept is not None:
            skip, keep = self.kept
            parts.append(f"keep {'highest' if skip == 0 else 'lowest'}{f' {keep}' if keep > 1 else ''}")
        if self.hits is not None:
            parts.append(f"{self.hits}+")
        return " ".join(parts)

    @property
    def words(self) -> str:
        """The dice as a player would say it."""
        parts = [f"{self.count} D{self.sides}" if self.count > 1 else f"a D{self.sides}"]
        if self.again:
            parts.append(f"{listed([f'{face}s' for face in self.again])} rolled again once")
        if self.bursts:
            parts.append(f"another die for each {listed([str(face) for face in self.bursts], 'or')}")
        if self.kept is not None:
            skip, keep = self.kept
            which = "highest" if skip == 0 else "lowest" if skip + keep == self.count else "middle"
            parts.append(f"the {which} {keep} kept" if keep > 1 else f"the {which} kept")
        joined = ", ".join(parts)
        return joined if self.hits is None else f"{joined}: how many show {self.hits} or more"


class Sum(Struct, frozen=True):
    """Products with their signs, added up."""

    parts: tuple[tuple[int, Product], ...]

    @property
    def alone(self) -> Any:
        """The only part, if it is one that nothing is added to, taken from or multiplied with; otherwise None."""
        (sign, product), *others = self.parts
        return product.parts[0] if sign > 0 and not others and len(product.parts) == 1 else None

    @property
    def is_number(self) -> bool:
        """Whether nothing of it is rolled."""
        return all(isinstance(part, Number) for _, product in self.parts for part in product.parts)


class Product(Struct, frozen=True):
    """Parts that are multiplied."""

    parts: tuple[Any, ...]


class Pick(Struct, frozen=True):
    """The greatest or the least of several sums."""

    greatest: bool
    sums: tuple[Sum, ...]


class AskedDice(Struct, frozen=True):
    """A whole question: a sum, and what it is compared with."""

    left: Sum
    compare: str = ""
    right: Sum | None = None

    @property
    def is_looked_up(self) -> bool:
        """Whether it is a D66, whose results are looked up in a table: an average says nothing."""
        first = self.left.alone
        return self.right is None and isinstance(first, Dice) and first.die is D66 and not first.kept


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
        """Return the sum."""
        return known[2]

    def name(self, meaning: int) -> str:
        """Return the sum."""
        return str(meaning)


def _thousands(digits: str) -> str:
    return f"{int(digits[:12]):,}" + ("…" if len(digits) > 12 else "")


class Last(Struct, frozen=True):
    """The dice that were typed last, and where they stand in the text."""

    dice: Dice
    start: int
    end: int


class Typed(Struct, frozen=True):
    """A text that can be read: what it asks, its last dice, and where its comparison begins, if it has one."""

    text: str
    asked: AskedDice
    last: Last | None
    sign_at: int | None


def read_text(text: str) -> Typed:
    """Return a text with what it asks; raises BadInput if it cannot be read."""
    if len(text) > MOST_LETTERS:
        raise BadInput.of("dice", f"must be written in {MOST_LETTERS} letters or fewer; got {len(text)}.")
    reader = _Reader(text)
    asked = reader.asked()
    return Typed(reader.text, asked, reader.last, reader.sign_at)


class _Reader:
    """Reads a text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.at = 0
        self.names: dict[str, int] = {}
        self.open: list[str] = []  # the brackets that are not closed yet
        self.last: Last | None = None
        self.sign_at: int | None = None  # where a comparison begins

    def take(self, pattern: str) -> re.Match[str] | None:
        """Return what stands here, if it fits."""
        match = re.compile(rf"\s*(?:{pattern})", re.IGNORECASE).match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def wrong(self, wanted: str) -> BadInput:
        """Return what would do here."""
        rest = self.text[self.at :].strip()
        found = f"got {echo(rest)}" if rest else "got nothing"
        before = self.text[: self.at].strip()
        where = f" after {echo(before)}" if before else ""
        return BadInput(f"expected {wanted}{where}; {found}. {HOW}.", field="dice")

    def asked(self) -> AskedDice:
        """Return the whole text."""
        left = self.sum()
        self.sign_at = self.at
        compared = self.take(r">=|<=|!=|==|=>|=<|≥|≤|>|<|=")
        if compared is not None:
            sign = compared[0].strip()
            asked = AskedDice(left, OTHER_SIGNS.get(sign, sign), self.sum())
        else:
            asked, self.sign_at = AskedDice(left), None
        if self.text[self.at :].strip():
            raise self.wrong("+, -, a comparison such as >= 12, or the end")
        return asked

    def sum(self) -> Sum:
        """Return products with + and - between them."""
        first = self.take(r"[+-]")
        parts = [(-1 if first and first[0].strip() == "-" else 1, self.product())]
        while sign := self.take(r"[+-]"):
            parts.append((-1 if sign[0].strip() == "-" else 1, self.product()))
        return Sum(tuple(parts))

    def product(self) -> Product:
        """Return parts with * between them."""
        parts = [self.part()]
        while self.take(r"[*×]"):
            parts.append(self.part())
        return Product(tuple(parts))

    def part(self) -> Any:
        """Return a number, dice, or something in brackets."""
        if opened := self.take(r"(max|min)?\s*\("):
            return self.bracket((opened[1] or "").lower())
        if found := self.take(r"(\d*)\s*d\s*(\d+|%|f)"):
            thrown = self.dice(found[1] or "1", found[2].upper())
            self.last = Last(thrown, found.start(1), self.at)
            return thrown
        if number := self.take(r"\d{1,9}(?!\d)"):
            return Number(int(number[0]))
        raise self.wrong("dice, or a number of 9 digits or fewer" if self.take(r"(?=\d)") else "dice or a number")

    def bracket(self, name: str) -> Any:
        """Return what stands in a bracket; behind max or min, several sums with commas between them."""
        self.open.append(name)
        if len(self.open) > DEEPEST:
            raise BadInput(f"brackets may stand {DEEPEST} deep in each other; got more.", field="dice")
        sums = [self.sum()]
        while name and self.take(","):
            sums.append(self.sum())
        if not self.take(r"\)"):
            raise self.wrong("a comma or a closing bracket" if name else "a closing bracket")
        self.open.pop()
        if name:
            return Pick(name == "max", tuple(sums))
        return sums[0] if sums[0].alone is None else sums[0].alone

    @property
    def faces(self) -> str:
        """Faces one after another; within max and min a comma is the end of them."""
        between = "and" if "max" in self.open or "min" in self.open else ",|and"
        return rf"\d{{1,4}}s?(?:\s*(?:{between})\s*\d{{1,4}}s?)*"

    def dice(self, number: str, called: str) -> Dice:
        """Return what follows the dice: which are rolled again, which explode, which are kept, which are counted."""
        began = self.at
        if len(number) > 6 or not 1 <= int(number) <= MOST_DICE:
            raise BadInput.of("dice", f"must be 1 to {MOST_DICE:,} at once; got {_thousands(number)}.")
        die = die_called(called[:9])  # refuses what no die has
        count, sides = int(number), die.name.removeprefix("D")
        again = self.again(die)
        bursts = self.bursts(die, again)
        kept, hits = self.kept(count), None
        if kept is None and (said := self.take(r"(\d{1,6})\s*\+")):
            hits = int(said[1])
        most = MOST_KEPT_BURSTS if bursts else MOST_KEPT
        if kept is not None and count > most:
            which = "they explode and some of them are kept" if bursts else "some are kept"
            raise BadInput.of("dice", f"must be {most} or fewer where {which}; got {count}.")
        if die is D66 and count > 1 and hits is None and (kept is None or kept[1] > 1):
            ways = f"{count}d66 51+ counts those that show 51 or more, {count}d66 keep highest takes the best"
            raise BadInput(f"{NOT_ADDED}; got {count}. One is d66; {ways}.", field="dice")
        more = " ".join(self.text[began : self.at].lower().split())
        if bursts:
            more = re.sub(r"!\d*\+?", f" explode {','.join(map(str, bursts))}", more).strip().replace("  ", " ")
        name = f"{count if count > 1 else ''}{die.name}{f' {more}' if more else ''}"
        self.names[name] = self.names.get(name, 0) + 1
        place = f" ({self.names[name]})" if self.names[name] > 1 else ""  # a question needs a name of its own
        thrown = Dice(count, sides, again, bursts, kept, hits, name + place)
        if bursts:
            thrown.burst  # noqa: B018  refuses what comes to too much
        return thrown

    def again(self, die: Die) -> tuple[int, ...]:
        """Return the faces that are rolled again, once."""
        match = self.take(rf"(?:re-?roll(?:ing)?|r)\s*({self.faces})")
        if match is None:
            return ()
        again = tuple(sorted({int(face) for face in re.findall(r"\d+", match[1])}))
        if len(die.faces) > MOST_AGAIN or not set(again) <= set(die.faces) or len(again) == len(die.faces):
            wanted = f"reroll must name some faces of a die of {MOST_AGAIN} sides or fewer"
            raise BadInput(f"{wanted}; got {', '.join(map(str, again))} of a {die}.", field="dice")
        return again

    def bursts(self, die: Die, again: tuple[int, ...]) -> tuple[int, ...]:
        """Return the faces that explode, if any do: the highest one, those that are named, or 5 and more by
        `explode 5+`.
        """
        more = r"\d{1,4}\+(?=\s|$|[)<>=!,*])"  # not the + of a sum
        match = self.take(rf"!(?!=)({more}|{self.faces})?") or self.take(
            rf"explod(?:e|es|ing)(?:\s*on)?\s*({more}|{self.faces})?"
        )
        if match is None:
            return ()
        if die in (D66, FUDGE):
            raise BadInput(f"explode needs dice numbered from 1, such as 3d6 explode 6; got a {die}.", field="dice")
        faces = tuple(sorted({int(face) for face in re.findall(r"\d+", match[1] or "")})) or (die.faces[-1],)
        if match[1] and match[1].endswith("+"):
            faces = tuple(face for face in die.faces if face >= faces[0]) or faces
        longest_run(Dice(1, die.name.removeprefix("D"), again).die, faces)  # refuses what would go on for ever
        return faces

    def kept(self, count: int) -> tuple[int, int] | None:
        """Return how many of the highest are left out and how many of the rest are kept, if that is said."""
        found = self.take(r"(drop|keep)(?:ing)?\s*(?:the\s*)?(low(?:est)?|worst|high(?:est)?|best)\s*(\d{1,4})?")
        short = None if found else self.take(r"([dk])([lh])\s*(\d{1,4})?") or self.take(r"(k)(h?)\s*(\d{1,4})")
        match = found or short
        if match is None:
            return None
        number = int(match[3] or 1)
        keeps, high = match[1][0].lower() == "k", match[2][:1].lower() in ("h", "b", "")
        if not 1 <= number <= count or (not keeps and number == count):
            verb = "keep" if keeps else "drop"
            least = f"1 to {count}" if keeps else f"1 to {count - 1}"
            raise BadInput(f"{verb} must be {least} of {count} dice; got {number}.", field="dice")
        left = number if keeps else count - number
        return (0 if keeps == high else count - left), left


# --- the question -----------------------------------------------------------------------------------------------------


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
    """Return what is typed as a question; what cannot be read is refused with what would do."""
    asked = read_text(text).asked
    written = " ".join(text.split())
    return Question(
        "dice",
        written,
        Nothing,
        begin=lambda inputs, rules: asked,
        procedure=PROCEDURE,
        measures=_measures(asked, written),
        headline=lambda answer: _headline(asked, written, answer),
        warn=lambda inputs, rules: _doubts(asked),
        again=lambda: question_of(text),
    )


def read_back(text: str) -> str:
    """Return what is typed, as it was understood, in words: 8 D6, 1s rolled again once: how many show 5 or more."""
    asked = read_text(text).asked
    line = _words(asked.left)
    if asked.right is not None:
        line = f"how likely it is that {line} {_is_are(asked.left)} {COMPARED[asked.compare][1]} {_words(asked.right)}"
    return line[:1].upper() + line[1:] + "."


def _is_are(sum: Sum) -> str:
    return "comes to" if isinstance(sum.alone, (Dice, Number)) and getattr(sum.alone, "count", 1) == 1 else "come to"


def _words(part: Any) -> str:
    """Return a part of a question in words."""
    if isinstance(part, Number):
        return f"{part.value:,}"
    if isinstance(part, Dice):
        return part.words
    if isinstance(part, Pick):
        return f"the {'greatest' if part.greatest else 'least'} of {listed([_words(sum) for sum in part.sums])}"
    if isinstance(part, Product):
        return " times ".join(
            f"({_words(factor)})" if isinstance(factor, Sum) else _words(factor) for factor in part.parts
        )
    (sign, first), *others = part.parts
    rest = "".join(f" {'plus' if way > 0 else 'minus'} {_words(product)}" for way, product in others)
    return f"{'' if sign > 0 else 'minus '}{_words(first)}{rest}"


def _measures(asked: AskedDice, written: str) -> tuple[Measure, ...]:
    if asked.right is None:
        return (Measure("total", written, lambda came: came[0]),)
    fits = COMPARED[asked.compare][0]
    holds = Measure("holds", written, lambda came: fits(*came))
    if asked.right.is_number:
        return holds, Measure("total", re.split("[<>=!≥≤]", written)[0].strip(), lambda came: came[0])
    return holds, Measure("margin", "By how much the first is more", lambda came: came[0] - came[1])


def _headline(asked: AskedDice, written: str, answer: Answer) -> str:
    if asked.compare:
        return f"{written}: {percent(answer.odds('holds').chance(True))}."
    odds = answer.odds("total")
    if len(odds) == 1:
        return f"{written} is always {odds.values()[0]}."
    if asked.is_looked_up and len(odds) == len(D66.faces):
        return f"{written}: {odds.values()[0]} to {odds.values()[-1]}, each of the {len(odds)} results equally likely."
    low, high = odds.quantile(0.1), odds.quantile(0.9)
    return f"{written}: {float(odds.mean):.4g} on average, mostly {low} to {high}."


def _doubts(asked: AskedDice) -> Sequence[str]:
    """Say how a comparison is read that players may mean in another way, and where runs of dice are cut off."""
    return [*_sum_or_count(asked), *_cut_off(asked)]


def _sum_or_count(asked: AskedDice) -> Iterator[str]:
    first, right = asked.left.alone, asked.right.alone if asked.right is not None else None
    is_sum = isinstance(first, Dice) and first.kept is None and first.hits is None and first.count > 1
    if asked.compare == ">=" and is_sum and isinstance(right, Number) and right.value <= first.die.faces[-1]:
        count = f"{first.count}d{first.sides} {right.value}+"
        yield f"This is about the sum; how many of the dice show {right.value} or more is {count}"


def _cut_off(asked: AskedDice) -> Iterator[str]:
    sums = [asked.left] if asked.right is None else [asked.left, asked.right]
    for thrown in (thrown for sum in sums for thrown in _dice(sum) if thrown.bursts):
        runs = longest_run(thrown.die, thrown.bursts)
        sentence = f"Each D{thrown.sides} of {thrown.name} is rolled again {plural(runs, 'time')} at most"
        yield f"{sentence}: a longer run would come to fewer than one die in {RARE:,}"


def _dice(part: Any) -> Iterator[Dice]:
    """Yield all dice in a part."""
    if isinstance(part, Dice):
        yield part
    elif not isinstance(part, Number):
        for _, inner in _joins(part):
            yield from _dice(inner)


# --- how it is worked out: part by part, and equal results of a part merge --------------------------------------------


def throw_dice(tape: Tape, asked: AskedDice) -> tuple[int, ...]:
    """Throw the dice of a question from left to right: what comes, on both sides if it is a comparison."""
    left = tape.call(worth, asked.left)
    return (left,) if asked.right is None else (left, tape.call(worth, asked.right))


NONE_YET = "none yet"
"""Stands for the parts before the first one."""
PROCEDURE = Procedure("dice", (throw_dice,))


def worth(tape: Tape, part: Any) -> int:
    """Return what a part comes to."""
    if isinstance(part, Number):
        return part.value
    if isinstance(part, Dice):
        return thrown(tape, part)
    return int(tape.each(join, NONE_YET, tuple(_joins(part))))


def _joins(part: Any) -> Iterator[tuple[Join, Any]]:
    """Yield what is inside a part, each with how it is joined to what came before it."""
    if isinstance(part, Pick):
        yield from ((max if part.greatest else min, sum) for sum in part.sums)
    elif isinstance(part, Product):
        yield from ((operator.mul, inner) for inner in part.parts)
    else:
        yield from ((operator.add if sign > 0 else operator.sub, product) for sign, product in part.parts)


def join(tape: Tape, total: Any, item: tuple[Join, Any]) -> int:
    """Work out the next part, and join it to the others."""
    how, part = item
    return tape.call(worth, part, then=joined, rest=(how, total))


def joined(before: tuple[Join, Any], value: int) -> int:
    """Return the parts so far with the next one; the first has nothing before it but its sign."""
    how, total = before
    if total != NONE_YET:
        return how(total, value)
    return -value if how is operator.sub else value


def thrown(tape: Tape, part: Dice) -> int:
    """Return what a throw of dice comes to."""
    if part.kept is not None:
        die = part.burst if part.bursts else part.die
        return int(tape.pool(part.count, die, label=part.name, whole=Kept(*part.kept)))
    if part.bursts:
        return int(tape.roll(part.burst, label=part.name))
    if part.hits is not None:
        return int(tape.pool(part.count, part.die, at_least(part.hits), label=part.name)[True])
    if part.count == 1:
        return int(tape.roll(part.die, label=part.name))
    if part.again:
        return int(tape.pool(part.count, part.die, label=part.name, whole=Kept(0, part.count)))
    return int(tape.roll(dice(f"{part.count}d{part.sides}"), label=part.name))
