"""Dice, and the readings that say what a rule needs to know about a face."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from msgspec import Struct

from battletape.errors import BadInput, BattletapeError, echo

Face: TypeAlias = Any
Meaning: TypeAlias = Any
MAX_SIDES = 1_000
MAX_PIPS = 3_000
MAX_BURST = 1_600
"""What dice that explode may come to at most."""
MOST_LISTED = 20
"""So many faces are told one by one."""
MAX_PAIRS = 4_000_000
"""So many pairs of faces are multiplied or compared at most."""
if TYPE_CHECKING:  # lru_cache would hide the signatures of public functions from type checkers
    from battletape.odds import Odds

    F = TypeVar("F", bound=Callable[..., Any])

    def once(make: F) -> F: ...

else:

    def once(make):
        """Equal arguments, one object, as long as anything holds it; the latest are held here."""
        alive = WeakValueDictionary()

        @wraps(make)
        def find(*args, **named):
            key = (args, tuple(sorted(named.items())))
            known = alive.get(key)
            if known is None:
                alive[key] = known = make(*args, **named)
            return known

        return lru_cache(1024)(find)


SIXES = tuple(10 * tens + ones for tens in range(1, 7) for ones in range(1, 7))
"""The results of a D66."""
ZEROS = {"D10": "0", "D100": "00"}  # how such dice print their highest face


class Die:
    """Faces with whole-number weights; make one with `d`, `dice` or `special`, so that equal dice are one object.

    `D6 + D6`, `D6 + 3`, `2 * D6` and `D6 * D6` are dice too: two rolls added, one roll that counts double, two rolls
    multiplied. `D6 + D6 >= 7` gives the odds of True, `(D6 + D6).odds` those of the faces. `==` says whether two dice
    are the same.
    """

    __slots__ = ("__weakref__", "domain", "faces", "name", "note", "total", "weights")

    def __init__(self, name: str, weights: Mapping[Face, int], note: str = "") -> None:
        if not isinstance(name, str) or not isinstance(weights, Mapping):
            raise BadInput(f"a die needs a name and faces with their weights, got {name!r} and {weights!r}")
        self.name = name
        self.note = note  # how to read it, if players might misread it: “0 to 9, 0 fails”
        self.faces = tuple(weights)
        self.weights = tuple(weights.values())
        try:
            self.total = sum(self.weights)
            fits = type(self.total) is int and self.total > 0 <= min(self.weights)
        except TypeError:
            fits = False
        if not fits:
            raise BadInput(f"the die {name} needs faces with whole-number weights, got {dict(weights)!r:.80}")
        self.domain = _domain(self.faces)
        """The faces in the shortest text a person would write: 1-6, or the names one by one."""

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return (_die, (self.name, tuple(zip(self.faces, self.weights, strict=True)), self.note))

    @property
    def description(self) -> str:
        """How players see it: its name, and how to read it."""
        return f"{self.name} ({self.note})" if self.note else self.name

    def face(self, text: str) -> Face:
        """Return the face a person means by this text; raises ValueError if the die has no such face."""
        for face in self.faces:
            if str(face) == text.strip():
                return face
        if re.fullmatch(r"\s*[0-9]{1,9}\s*", text) and int(text) in self.faces:
            return int(text)
        if ZEROS.get(self.name) == text.strip() and 0 not in self.faces:
            return self.faces[-1]
        if self.name == FUDGE.name and text.strip().lower() in SIGNS:
            return SIGNS[text.strip().lower()]
        two = re.fullmatch(r"\s*([1-6])[\s,]+([1-6])\s*", text) if self.faces == SIXES else None
        return int(two[1] + two[2]) if two else self._sum(text)

    @property
    def added(self) -> tuple[int, int, int] | None:
        """For a sum such as 2D6+1: how many dice, their sides, and what is added; None for any other die."""
        match = re.fullmatch(r"([0-9]{1,4})D([0-9]{1,4})([+-][0-9]{1,6})?", self.name)
        if match is None or int(match[1]) < 2:
            return None
        return int(match[1]), int(match[2]), int(match[3] or 0)

    @property
    def burst(self) -> Burst | None:
        """For dice that are rolled again and added, such as 3D6 explode 6: how they are thrown; None for any other."""
        match = re.fullmatch(r"([0-9]{0,4})D([0-9]{1,4}) explode ([0-9,]+)(?: ([0-9]{1,6})\+)?", self.name)
        if match is None:
            return None
        again = tuple(map(int, match[3].split(",")))
        return Burst(int(match[1] or 1), int(match[2]), again, int(match[4]) if match[4] else None)

    @property
    def is_several(self) -> bool:
        """Whether players throw several dice for it, which may be given one by one: a sum, a D66, dice that explode."""
        return self.faces == SIXES or self.added is not None or self.burst is not None

    def _sum(self, text: str) -> Face:
        """Return the face of a sum whose dice were given one by one; raises ValueError if they do not fit."""
        parts = re.split(r"[\s,+]+", text.strip())
        if self.burst is not None and all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts):
            total = self.burst.worth([int(part) for part in parts])
            if total not in self.faces:
                raise ValueError(text)
            return total
        if self.added is None or not all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts):
            raise ValueError(text)
        count, sides, plus = self.added
        if len(parts) != count or not all(1 <= int(part) <= sides for part in parts):
            raise ValueError(text)
        total = sum(map(int, parts)) + plus
        if total not in self.faces:
            raise ValueError(text)
        return total

    @property
    def odds(self) -> Odds[Face]:
        """The exact odds of its faces."""
        from battletape.odds import Odds

        return Odds(dict(zip(self.faces, self.weights, strict=True)))

    def __add__(self, other: Die | int) -> Die:
        return _joined(self, "+", other)

    def __radd__(self, other: int) -> Die:
        return _joined(other, "+", self)

    def __sub__(self, other: Die | int) -> Die:
        return _joined(self, "-", other)

    def __rsub__(self, other: int) -> Die:
        return _joined(other, "-", self)

    def __mul__(self, other: Die | int) -> Die:
        return _joined(self, "*", other)

    def __rmul__(self, other: int) -> Die:
        return _joined(other, "*", self)

    def __neg__(self) -> Die:
        return _joined(0, "-", self)

    def __lt__(self, other: Die | int) -> Odds[bool]:
        _check_numbers(self, "<", other)
        return self.odds < _odds(other)

    def __le__(self, other: Die | int) -> Odds[bool]:
        _check_numbers(self, "<=", other)
        return self.odds <= _odds(other)

    def __gt__(self, other: Die | int) -> Odds[bool]:
        _check_numbers(self, ">", other)
        return self.odds > _odds(other)

    def __ge__(self, other: Die | int) -> Odds[bool]:
        _check_numbers(self, ">=", other)
        return self.odds >= _odds(other)


class Burst(Struct, frozen=True):
    """Dice that explode: how many, their sides, the faces that are rolled again, and what counts as a hit, if any."""

    count: int
    sides: int
    again: tuple[int, ...]
    hits: int | None = None

    def worth(self, faces: Sequence[int]) -> int:
        """Return what the dice come to, given one by one; raises ValueError if they are too many or too few."""
        more = sum(face in self.again for face in faces)
        if len(faces) != self.count + more or not all(1 <= face <= self.sides for face in faces):
            raise ValueError(" ".join(map(str, faces)))
        return sum(faces) if self.hits is None else sum(face >= self.hits for face in faces)


def _domain(faces: tuple[Face, ...]) -> str:
    if faces == SIXES:
        return f"{faces[0]}-{faces[-1]} with digits 1-6"
    numbers = [face for face in faces if isinstance(face, int)]
    in_a_row = bool(numbers) and len(numbers) == len(faces) and all(b == a + 1 for a, b in pairwise(numbers))
    if len(numbers) == len(faces) > MOST_LISTED and not in_a_row:
        return f"{numbers[0]}-{numbers[-1]}, not every number"
    return f"{numbers[0]}-{numbers[-1]}" if in_a_row else ",".join(map(str, faces))


@once
def _die(name: str, weights: tuple[tuple[Face, int], ...], note: str) -> Die:
    return Die(name, dict(weights), note)


@once
def d(sides: int) -> Die:
    """Return a fair die numbered from 1."""
    if type(sides) is not int or not 1 <= sides <= MAX_SIDES:
        raise BadInput(f"a die needs 1 to {MAX_SIDES:,} sides, got {sides!r}")
    return _die(f"D{sides}", tuple((face, 1) for face in range(1, sides + 1)), "")


def special(name: str, faces: Iterable[Hashable], note: str = "") -> Die:
    """Return a die with faces of its own, such as a scatter die; a face that is listed twice weighs twice.

    The note tells players how to read the die if they might misread it.
    """
    weights: dict[Hashable, int] = {}
    try:
        for face in faces:
            weights[face] = weights.get(face, 0) + 1
    except TypeError:
        raise BadInput(f"a special die needs faces such as numbers or names, got {faces!r}") from None
    return _die(name, tuple(weights.items()), note)


D66 = special("D66", SIXES, note="two D6, the first for the tens")
NOT_ADDED = "a D66 is two D6 read as tens and ones, and several are not added up"


FUDGE = special("DF", (-1, 0, 1), note="two sides each of −, blank and +: −1, 0 and 1")
SIGNS = {"+": 1, "-": -1, "−": -1, "blank": 0}
"""How a Fudge die prints its faces."""


def die_called(sides: int | str) -> Die:
    """Return the die that players mean by its sides: a D66 has 36 results, a dF three, a d% a hundred, any other so
    many.
    """
    named = {"66": D66, "F": FUDGE, "%": D100}.get(str(sides).upper())
    return named or d(int(sides))


_TERM = re.compile(r"([+-]?)\s*(?:(\d*)\s*[dD]\s*(\d+|[fF%])|(\d+))\s*")


@once
def dice(text: str) -> Die:
    """Return a sum of dice as one die: `dice("2d10+5")`; `dice("d66")` is two D6 read as tens and ones."""
    totals, at, pips = {0: 1}, 0, 0
    stripped = text.strip()
    if stripped.upper() == D66.name:
        return D66
    while at < len(stripped):
        term = _TERM.match(stripped, at)
        if term is None or (at and not term[1]):
            raise BadInput(f"dice must have a form such as 2d10+5, got {echo(text)}")
        at, sign = term.end(), -1 if term[1] == "-" else 1
        if term[4]:
            totals = {total + sign * int(term[4]): ways for total, ways in totals.items()}
            continue
        die, count = die_called(term[3]), int(term[2] or 1)
        if die is D66 and count > 1:
            raise BadInput(f"{NOT_ADDED}; got {echo(text)}")
        pips += count * die.total
        if pips > MAX_PIPS:
            raise BadInput(f"the sides of all the dice may add up to at most {MAX_PIPS:,}, got {echo(text)}")
        for _ in range(count):
            totals = _add(totals, die, sign)
    if not stripped:
        raise BadInput(f"dice must have a form such as 2d10+5, got {echo(text)}")
    name = re.sub(r"\s", "", stripped.upper()).replace("%", "100")
    return _die(name, tuple(sorted(totals.items())), FUDGE.note if name == FUDGE.name else "")


def _add(totals: dict[int, int], die: Die, sign: int) -> dict[int, int]:
    """Return the totals after one more die."""
    if set(die.weights) == {1} and die.faces[-1] - die.faces[0] == len(die.faces) - 1:
        return _slide(totals, *sorted((sign * die.faces[0], sign * die.faces[-1])))
    after: dict[int, int] = {}
    for face, weight in zip(die.faces, die.weights, strict=True):
        step = sign * face
        for total, ways in totals.items():
            at = total + step
            after[at] = after.get(at, 0) + ways * weight
    return after


def _slide(totals: dict[int, int], lowest: int, highest: int) -> dict[int, int]:
    """Return the totals after a die whose numbers come equally often, from the lowest to the highest: a window
    slides by.
    """
    after: dict[int, int] = {}
    ways = 0
    for total in range(min(totals) + lowest, max(totals) + highest + 1):
        ways += totals.get(total - lowest, 0) - totals.get(total - highest - 1, 0)
        if ways:
            after[total] = ways
    return after


D3, D6, D10, D100 = d(3), d(6), d(10), d(100)


# --- sums and products ------------------------------------------------------------------------------------------------


JOINS: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def _joined(left: Die | int, sign: str, right: Die | int) -> Die:
    """Return two dice, or a die and a number, added or multiplied; a sum of plain dice is the die that `dice` gives."""
    _check_numbers(left, sign, right)
    if sign != "*" and _is_sum(left) and _is_sum(right):
        return dice(_sum_text(left, sign, right))
    odds = JOINS[sign](_odds(left), _odds(right))
    return _die(_name(left, sign, right), tuple(sorted(odds.weights.items())), "")


def _odds(value: Die | int) -> Odds[int]:
    from battletape.odds import Odds

    return value.odds if isinstance(value, Die) else Odds({value: 1})


def _check_numbers(left: Die | int, sign: str, right: Die | int) -> None:
    for value in (left, right):
        faces = value.faces if isinstance(value, Die) else (value,)
        odd = [face for face in faces if type(face) is not int]
        if odd:
            raise BadInput(f"{left} {sign} {right} needs dice with numbers or whole numbers, got {odd[0]!r}")
    pairs = [len(value.faces) for value in (left, right) if isinstance(value, Die)]
    if len(pairs) == 2 and pairs[0] * pairs[1] > MAX_PAIRS:
        raise BadInput(f"{left} {sign} {right} has {pairs[0] * pairs[1]:,} pairs of faces; at most {MAX_PAIRS:,} do")


def _is_sum(value: Die | int) -> bool:
    return not isinstance(value, Die) or bool(re.fullmatch(rf"(?:{_TERM.pattern})+", value.name))


def _sum_text(left: Die | int, sign: str, right: Die | int) -> str:
    """Return a sum as players write it, equal dice together: D6 + D6 is 2D6."""
    counts: dict[tuple[int, str], int] = {}
    plus = 0
    for value, side in ((left, 1), (right, -1 if sign == "-" else 1)):
        for term in _TERM.finditer(str(value)):
            way = side * (-1 if term[1] == "-" else 1)
            if term[4]:
                plus += way * int(term[4])
            else:
                key = way, term[3]
                counts[key] = counts.get(key, 0) + int(term[2] or 1)
    parts = [f"{'-' if way < 0 else '+'}{count if count > 1 else ''}D{sides}" for (way, sides), count in counts.items()]
    return "".join((*parts, f"{plus:+d}" if plus or not parts else "")).removeprefix("+")


def _name(left: Die | int, sign: str, right: Die | int) -> str:
    """Return two dice and what is done with them, as the calculator reads it: (D6+3)*2."""
    first, second = str(left), str(right)
    if sign == "*" and re.search(r"[+-]", first):
        first = f"({first})"
    if sign != "+" and re.search(r"[+-]", second):
        second = f"({second})"
    return f"{first}{sign}{second}"


# --- dice that explode ------------------------------------------------------------------------------------------------

RARE = 10**9
"""A die that explodes is rolled again as often as that happens to one of so many dice."""


def longest_run(die: Die, again: tuple[Face, ...]) -> int:
    """Return how often a die that explodes is rolled again at most.

    More would happen to one die of a thousand million.
    """
    ways = sum(weight for face, weight in zip(die.faces, die.weights, strict=True) if face in again)
    if not again or not set(again) <= set(die.faces) or 2 * ways > die.total:
        listed = ", ".join(map(str, again)) or "none"
        raise BadInput(
            f"explode must name faces that come half of the time or less; got {listed} of a {die}", field="dice"
        )
    runs, rest = 0, die.total
    while rest * ways**runs * RARE > die.total ** (runs + 1):
        runs += 1
    return runs


@once
def exploding(count: int, die: Die, again: tuple[Face, ...], hits: int | None = None) -> Die:
    """Return dice of which each is rolled again when it shows one of these faces, and all is added up, as one die.

    With `hits`, those dice are counted that show so many or more. The longest runs are cut off (`longest_run`).
    """
    runs = longest_run(die, again)
    faces = [
        (face, face if hits is None else int(face >= hits), weight)
        for face, weight in zip(die.faces, die.weights, strict=True)
    ]
    highest = (runs + 1) * max(worth for _, worth, _ in faces)
    if count * highest > MAX_BURST:
        most = MAX_BURST // highest
        would = f"{most} or fewer of these do" if most else "such a die has too many sides"
        raise BadInput(f"dice that explode may come to {MAX_BURST:,} at most; got {count}: {would}", field="dice")
    each: dict[int, int] = {0: 1}
    for left in range(runs + 1):
        after: dict[int, int] = {}
        for face, worth, weight in faces:
            goes_on = each if left and face in again else {0: die.total**left}
            for total, ways in goes_on.items():
                after[worth + total] = after.get(worth + total, 0) + weight * ways
        each = after
    single = Die(die.name, each)
    totals = {0: 1}
    for _ in range(count):
        totals = _add(totals, single, 1)
    name = f"{count if count > 1 else ''}{die.name} explode {','.join(map(str, again))}"
    note = f"rolled again on {' or '.join(map(str, again))}, all of it added"
    if hits is not None:
        name, note = f"{name} {hits}+", f"rolled again on {' or '.join(map(str, again))}, every {hits} or more counted"
    return _die(name, tuple(sorted(totals.items())), note)


class Reading:
    """What a rule needs to know about a face, with the words for it; make one with the functions below."""

    __slots__ = ("__weakref__", "good", "made", "names", "needs", "passing", "text", "why", "work")

    def __init__(
        self,
        work: Callable[[Face], Meaning],
        text: str,
        names: Mapping[Meaning, str] | None = None,
        made: tuple[Any, ...] | None = None,
        good: Iterable[Meaning] | None = None,
        why: str = "",
        passing: Iterable[Face] | None = None,
    ) -> None:
        self.work = work
        self.needs = text  # what it looks for, without the reason
        self.text = f"{text} {why}".rstrip()
        self.why = why  # the reason, told after the number
        self.names = dict(names or {})
        self.made = made  # the function that makes this reading, and its arguments
        self.good = None if good is None else frozenset(good)  # the meanings that are a pass
        self.passing = None if passing is None else frozenset(passing)  # the faces, where no meaning says it

    def __call__(self, face: Face) -> Meaning:
        return self.work(face)

    def __repr__(self) -> str:
        return f"<read {self.text or 'face'}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        if self.made is not None:
            return (self.made[0], self.made[1:])
        if self is face:
            return "face"
        return (Reading, (self.work, self.needs, self.names, None, self.good, self.why, self.passing))

    def __copy__(self) -> Reading:
        return self

    def __deepcopy__(self, memo: Any) -> Reading:
        return self

    def name(self, meaning: Meaning) -> str:
        """Return the word for a meaning: pass, fail, or the meaning itself."""
        return self.names.get(meaning, str(meaning))


def portable(die: Die | None, read: Callable[[Face], Meaning]) -> Callable[[Face], Meaning]:
    """Return a reading that can be pickled: a table of what each face of this die means."""
    if (
        die is None
        or read is face
        or getattr(read, "made", None)
        or isinstance(getattr(read, "work", None), MeaningTable)
    ):
        return read
    attributes = ("needs", "names", "good", "why", "passing")
    needs, names, good, why, passing = (getattr(read, name, None) for name in attributes)
    return Reading(MeaningTable(meanings(die, read)), needs or "", names, good=good, why=why or "", passing=passing)


class MeaningTable(dict[Face, Meaning]):
    """What each face means, as a table that is called like a function."""

    __call__ = dict.__getitem__


PASS_FAIL = {True: "pass", False: "fail"}
NO_BAND = "none"
face = Reading(lambda value: value, "")


@once
def at_least(number: int, *, never: tuple[Face, ...] = (), always: tuple[Face, ...] = (), plus: int = 0) -> Reading:
    """Read this number or more; `plus` is added to the roll; `never` and `always` are natural faces."""
    return _at_least(number, tuple(never), tuple(always), plus)


@once
def _at_least(number: int, never: tuple[Face, ...], always: tuple[Face, ...], plus: int) -> Reading:
    _check_number(number, "at_least")

    def work(value: Face) -> bool:
        return value in always or (value not in never and value + plus >= number)

    text = f"{number}+" + (f" with {plus:+d}" if plus else "")
    return Reading(work, text, PASS_FAIL, (_at_least, number, never, always, plus))


@once
def because(read: Reading, why: str) -> Reading:
    """Return the reading with a reason for what it needs: 4+ against Toughness 4."""
    made = (because, read, why) if read.made else None
    return Reading(read.work, read.text, read.names, made, read.good, why, read.passing)


@once
def at_most(number: int) -> Reading:
    """Read this number or less."""
    _check_number(number, "at_most")
    return Reading(lambda value: value <= number, f"{number} or less", PASS_FAIL, (at_most, number))


class Whole(Protocol):
    """What a rule needs to know about a whole pool; its faces are counted from the highest to the lowest."""

    @property
    def start(self) -> Any:
        """What is known before any die is looked at."""

    @property
    def text(self) -> str:
        """What the rule looks for, in words."""

    def add(self, known: Any, face: Face, number: int) -> Any:
        """Return what is known after counting a number of dice with this face."""

    def end(self, known: Any) -> Meaning:
        """Return the result for the rule."""

    def name(self, meaning: Meaning) -> str:
        """Return the word for the result."""

    def __hash__(self) -> int: ...


class BestOf(Struct, frozen=True):
    """The sum of the highest dice of a pool; with `note`, also whether one of those shows that face.

    With `least`, the lowest of them counts as that number if it shows less.
    """

    keep: int
    note: Face = None
    least: int = 0

    @property
    def start(self) -> tuple[int, int, bool]:
        """Dice still to keep, their sum so far, and whether the noted face was seen."""
        return self.keep, 0, False

    @property
    def text(self) -> str:
        """What the rule looks for, in words."""
        if self.least:
            return f"sum of the best {self.keep}, one of them at least {self.least}"
        return f"sum of the best {self.keep}" if self.keep > 1 else "the best one"

    def add(self, known: tuple[int, int, bool], face: Face, number: int) -> tuple[int, int, bool]:
        """Keep as many of these dice as are still needed; the last one kept is the lowest."""
        left, total, noted = known
        kept = min(number, left)
        raised = self.least - face if self.least > face and 0 < left <= number else 0
        return left - kept, total + kept * face + raised, noted or (kept > 0 and face == self.note)

    def end(self, known: tuple[int, int, bool]) -> int | tuple[int, bool]:
        """Return the sum, or the sum and whether the noted face is among them."""
        _, total, noted = known
        return total if self.note is None else (total, noted)

    def name(self, meaning: Meaning) -> str:
        """Return the sum."""
        return str(meaning if self.note is None else meaning[0])


class Highest(Struct, frozen=True):
    """The best die of a pool: what its highest face means to the rule."""

    start: None = None
    text: str = ""

    def add(self, known: Any, face: Face, number: int) -> Any:
        """Keep the first face met, which is the highest."""
        return (face,) if known is None else known

    def end(self, known: Any) -> Meaning:
        """Return what the highest face means; None if there are no dice."""
        return known and known[0]

    def name(self, meaning: Meaning) -> str:
        """Return the meaning itself."""
        return str(meaning)


highest = Highest()
"""Read a pool as its best die: `tape.pool(2, D6, label="difficult terrain", whole=highest)`."""


def best_of(keep: int, note: Face = None, least: int = 0) -> BestOf:
    """Read a pool as the sum of its best dice: `tape.pool(3, D10, label="damage", whole=best_of(2, note=10))`."""
    if type(keep) is not int or keep < 0:
        raise BadInput(f"best_of needs the number of dice to keep, got {keep!r}")
    return BestOf(keep, note, least)


def bands(otherwise: str = NO_BAND, **least: int) -> Reading:
    """Return the first band whose number the face reaches: `bands(pierced=6, wound=3)`."""
    return _bands(otherwise, tuple(least.items()))


@once
def _bands(otherwise: str, least: tuple[tuple[str, int], ...]) -> Reading:
    for name, number in least:
        _check_number(number, f"the band {name}")

    def work(value: Face) -> str:
        return next((name for name, number in least if value >= number), otherwise)

    text = ", ".join(f"{name} {number}+" for name, number in least)
    good = [name for name, _ in least] if otherwise == NO_BAND else None  # a rest with a name of its own is no failure
    return Reading(work, text, made=(_bands, otherwise, least), good=good)


@once
def degrees(target: int) -> Reading:
    """Return a roll-under test: (passed, whole tens by which it passed or failed)."""
    _check_number(target, "degrees")

    def work(value: Face) -> tuple[bool, int]:
        return (value <= target, abs(target - value) // 10)

    good = ((True, tens) for tens in range(int(target) // 10 + 1))
    return Reading(work, f"{target} or less, by tens", made=(degrees, target), good=good)


def _check_number(number: Any, subject: str) -> None:
    if isinstance(number, str) or not hasattr(number, "__le__") or number is None:
        raise BadInput(f"{subject} needs a number such as 4, got {number!r}")


Rows: TypeAlias = tuple[tuple[Sequence[int], Meaning], ...]


@once
def row_of(rows: Rows, text: str = "table") -> Reading:
    """Return the row of a printed table: `row_of(((range(1, 4), "shaken"), (range(4, 7), "wrecked")))`."""
    return _row_of(rows, text)


@once
def _row_of(rows: Rows, text: str) -> Reading:
    return Reading(lambda value: look_up(rows, value), text, made=(_row_of, rows, text))


def look_up(rows: Rows, value: int) -> Meaning:
    """Return what a printed table says for a number."""
    for numbers, row in rows:
        if value in numbers:
            return row
    raise BadInput(f"the table has no row for {value}")


@lru_cache(8192)
def meanings(die: Die, read: Callable[[Face], Meaning]) -> dict[Face, Meaning]:
    """Return what each face of the die means to the rule."""
    check_reading(die, read)
    return {value: read(value) for value in die.faces}


@lru_cache(8192)
def passing(die: Die, read: Callable[[Face], Meaning]) -> frozenset[Face] | None:
    """Return the faces that pass; None if the reading does not say which do."""
    known: frozenset[Face] | None = getattr(read, "passing", None)
    if known is not None:
        return known & {*die.faces}
    table, good = meanings(die, read), getattr(read, "good", None)
    if good is not None:
        return frozenset(value for value, meaning in table.items() if meaning in good)
    first = {
        value: meaning[0] if isinstance(meaning, tuple) and meaning else meaning for value, meaning in table.items()
    }
    if not all(isinstance(meaning, bool) for meaning in first.values()):
        return None
    return frozenset(value for value, passed in first.items() if passed)


@lru_cache(8192)
def seen(die: Die, read: Callable[[Face], Meaning]) -> Die:
    """Return the die as the rule sees it: meanings instead of faces."""
    check_reading(die, read)
    if read is face:
        return die
    weights: dict[Meaning, int] = {}
    for value, weight in zip(die.faces, die.weights, strict=True):
        meaning = read(value)
        weights[meaning] = weights.get(meaning, 0) + weight
    return Die(f"{die.name} read {getattr(read, 'text', '')}", weights)


def check_reading(die: Die, read: Callable[[Face], Meaning]) -> None:
    """Refuse anything but a die and a function to read it with."""
    if not isinstance(die, Die):
        raise BattletapeError(f"a rule rolls dice such as D6 or d(8), got {die!r}")
    if not callable(read):
        raise BattletapeError(f"a die is read with a function such as at_least(4), got {read!r}")
