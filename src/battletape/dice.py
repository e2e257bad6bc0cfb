"""Dice, and the readings that say what a rule needs to know of a face."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from battletape.errors import BadInput

Face: TypeAlias = Any
Meaning: TypeAlias = Any
MAX_SIDES = 1_000
MAX_PIPS = 3_000


class Die:
    """Faces with whole-number weights; make one with `d`, `dice` or `special`, so that equal dice are one object."""

    __slots__ = ("domain", "faces", "name", "total", "weights")

    def __init__(self, name: str, weights: Mapping[Face, int]) -> None:
        self.name = name
        self.faces = tuple(weights)
        self.weights = tuple(weights.values())
        self.total = sum(self.weights)
        self.domain = _domain(self.faces)
        """The faces in the shortest text a person would write: 1-6, or the names one by one."""

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return (_die, (self.name, tuple(zip(self.faces, self.weights, strict=True))))

    def face(self, text: str) -> Face:
        """The face a person means by this text; raises ValueError if the die has none such."""
        for face in self.faces:
            if str(face) == text.strip():
                return face
        if re.fullmatch(r"\s*[0-9]{1,9}\s*", text) and int(text) in self.faces:
            return int(text)
        raise ValueError(text)


def _domain(faces: tuple[Face, ...]) -> str:
    numbers = [face for face in faces if isinstance(face, int)]
    in_a_row = bool(numbers) and len(numbers) == len(faces) and all(b == a + 1 for a, b in pairwise(numbers))
    return f"{numbers[0]}-{numbers[-1]}" if in_a_row else ",".join(map(str, faces))


@lru_cache(1024)
def _die(name: str, weights: tuple[tuple[Face, int], ...]) -> Die:
    return Die(name, dict(weights))


@lru_cache(1024)
def d(sides: int) -> Die:
    """A fair die numbered from 1."""
    if not 1 <= sides <= MAX_SIDES:
        raise BadInput(f"a die wants 1 to {MAX_SIDES:,} sides, got {sides}")
    return _die(f"D{sides}", tuple((face, 1) for face in range(1, sides + 1)))


def special(name: str, faces: Iterable[Hashable]) -> Die:
    """A die with faces of its own, such as a scatter die; a face that comes twice weighs twice."""
    weights: dict[Hashable, int] = {}
    for face in faces:
        weights[face] = weights.get(face, 0) + 1
    return _die(name, tuple(weights.items()))


_TERM = re.compile(r"([+-]?)\s*(?:(\d*)\s*[dD]\s*(\d+)|(\d+))\s*")


@lru_cache(1024)
def dice(text: str) -> Die:
    """A sum of dice as one die: `dice("2d10+5")`."""
    totals, at, pips = {0: 1}, 0, 0
    stripped = text.strip()
    while at < len(stripped):
        term = _TERM.match(stripped, at)
        if term is None or (at and not term[1]):
            raise BadInput(f"dice want a form such as 2d10+5, got {text!r}")
        at, sign = term.end(), -1 if term[1] == "-" else 1
        if term[4]:
            totals = {total + sign * int(term[4]): ways for total, ways in totals.items()}
            continue
        die, count = d(int(term[3])), int(term[2] or 1)
        pips += count * die.total
        if pips > MAX_PIPS:
            raise BadInput(f"dice want at most {MAX_PIPS:,} pips in all, got {text!r}")
        for _ in range(count):
            totals = _add(totals, die, sign)
    if not stripped:
        raise BadInput(f"dice want a form such as 2d10+5, got {text!r}")
    return _die(stripped.upper().replace(" ", ""), tuple(sorted(totals.items())))


def _add(totals: dict[int, int], die: Die, sign: int) -> dict[int, int]:
    after: dict[int, int] = {}
    for total, ways in totals.items():
        for face in die.faces:
            after[total + sign * face] = after.get(total + sign * face, 0) + ways
    return after


D3, D6, D10, D100 = d(3), d(6), d(10), d(100)
D10_ZERO = _die("D10", tuple((face, 1) for face in range(10)))
"""A D10 numbered 0 to 9."""


class Reading:
    """What a rule needs to know of a face, with the words for it; make one with the functions below."""

    __slots__ = ("names", "text", "work")

    def __init__(self, work: Callable[[Face], Meaning], text: str, names: Mapping[Meaning, str] | None = None) -> None:
        self.work = work
        self.text = text
        self.names = dict(names or {})

    def __call__(self, face: Face) -> Meaning:
        return self.work(face)

    def __repr__(self) -> str:
        return f"<read {self.text or 'face'}>"

    def name(self, meaning: Meaning) -> str:
        """The word for a meaning: pass, fail, or the meaning itself."""
        return self.names.get(meaning, str(meaning))


PASS_FAIL = {True: "pass", False: "fail"}
face = Reading(lambda value: value, "")


@lru_cache(1024)
def at_least(number: int, *, never: tuple[Face, ...] = (), always: tuple[Face, ...] = (), plus: int = 0) -> Reading:
    """This number or more; `plus` is added to the roll, `never` and `always` are natural faces that fail or pass."""

    def work(value: Face) -> bool:
        return value in always or (value not in never and value + plus >= number)

    return Reading(work, f"{number}+" + (f" with {plus:+d}" if plus else ""), PASS_FAIL)


@lru_cache(1024)
def at_most(number: int) -> Reading:
    """This number or less."""
    return Reading(lambda value: value <= number, f"{number} or less", PASS_FAIL)


def bands(otherwise: str = "none", **least: int) -> Reading:
    """The first band whose number the face reaches: `bands(pierced=6, wound=3)`."""
    return _bands(otherwise, tuple(least.items()))


@lru_cache(1024)
def _bands(otherwise: str, least: tuple[tuple[str, int], ...]) -> Reading:
    def work(value: Face) -> str:
        return next((name for name, number in least if value >= number), otherwise)

    return Reading(work, ", ".join(f"{name} {number}+" for name, number in least))


@lru_cache(1024)
def degrees(target: int) -> Reading:
    """A roll-under test: (passed, whole tens by which it passed or failed)."""

    def work(value: Face) -> tuple[bool, int]:
        return (value <= target, abs(target - value) // 10)

    return Reading(work, f"{target} or less, by tens")


Rows: TypeAlias = tuple[tuple[Sequence[int], Meaning], ...]


@lru_cache(1024)
def row_of(rows: Rows, text: str = "table") -> Reading:
    """The row of a printed table: `row_of(((range(1, 4), "shaken"), (range(4, 7), "wrecked")))`."""
    return Reading(lambda value: look_up(rows, value), text)


def look_up(rows: Rows, value: int) -> Meaning:
    """What a printed table says for a number."""
    for numbers, row in rows:
        if value in numbers:
            return row
    raise BadInput(f"the table has no row for {value}")


@lru_cache(8192)
def meanings(die: Die, read: Callable[[Face], Meaning]) -> dict[Face, Meaning]:
    """What each face of the die means to the rule."""
    return {value: read(value) for value in die.faces}


@lru_cache(8192)
def seen(die: Die, read: Callable[[Face], Meaning]) -> Die:
    """The die as the rule sees it: meanings instead of faces."""
    if read is face:
        return die
    weights: dict[Meaning, int] = {}
    for value, weight in zip(die.faces, die.weights, strict=True):
        meaning = read(value)
        weights[meaning] = weights.get(meaning, 0) + weight
    return Die(f"{die.name} read {getattr(read, 'text', '')}", weights)
