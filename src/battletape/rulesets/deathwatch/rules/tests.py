"""Tests with a d100: what adds to them, how many degrees they give, and two against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from battletape.rulebook import D100, BadInput, Reading, State, Tape, at_most, clause, plural
from battletape.rulesets.deathwatch.rules.traits import Degrees, Modifier
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import DIFFICULTIES, find_name

M = TypeVar("M")
Side: TypeAlias = Literal["one", "other", "nobody"]
"""Who wins an opposed test."""


@clause("DW-TEST-2")
def difficulty(name: str) -> int:
    """The modifier of a difficulty, in small or capital letters."""
    return DIFFICULTIES[find_name("difficulty", name, DIFFICULTIES)]


def bonus(characteristic: int, multiplier: int = 1, flat: int = 0) -> int:
    """The bonus of a characteristic: its tens, times an unnatural multiplier, and what a suit adds."""
    return characteristic // 10 * multiplier + flat


@lru_cache(256)
def only(rules: Rulings, *names: str) -> Rulings:
    """Only the rulings of these names, so that states alike in these are equal."""
    return Rulings(**{name: getattr(rules, name) for name in names})


@clause("DW-TEST-4")
def total(modifiers: Sequence[Modifier | int], rules: Rulings = DEFAULT) -> tuple[int, int]:
    """The sum of all modifiers, and what of it counts."""
    added = sum(modifier if isinstance(modifier, int) else modifier.value for modifier in modifiers)
    return added, max(-rules.modifier_cap, min(rules.modifier_cap, added))


@clause("DW-TEST-1", "DW-TEST-4")
def target(characteristic: int, modifiers: Sequence[Modifier | int] = (), rules: Rulings = DEFAULT) -> int:
    """What a test must roll or less: the characteristic and the limited sum of the modifiers."""
    return characteristic + total(modifiers, rules)[1]


@clause("DW-TEST-3", "DW-TEST-5")
def degrees_of(target: int, roll: int, rules: Rulings = DEFAULT) -> Degrees:
    """How a test with this roll went."""
    if type(roll) is not int or not 1 <= roll <= 100:
        raise BadInput(f"a d100 shows 1-100, 00 for 100; got {roll!r}", field="roll", clause="DW-TEST-1")
    success = succeeds(target, roll, rules)
    by = target - roll if success else roll - target
    return Degrees(success, max(0, by) // 10 + (success and rules.degrees == "plus_one"))


@clause("DW-TEST-1", "DW-TEST-5")
def succeeds(target: int, roll: int, rules: Rulings = DEFAULT) -> bool:
    """Whether a roll meets its target."""
    if rules.auto_results == "01_and_00" and roll in (1, 100):
        return roll == 1
    return roll <= target


def reading(target: int, rules: Rulings = DEFAULT) -> Reading:
    """A d100 read as success and degrees; equal questions share one reading."""
    return _reading(target, only(rules, "auto_results", "degrees"))


@lru_cache(4096)
def _reading(target: int, rules: Rulings) -> Reading:
    return on_d100(partial(degrees_of, target, rules=rules), f"{target} or less", words_of, lambda test: test.success)


def on_d100(
    meaning: Callable[[int], M],
    text: str,
    words: Callable[[M], str],
    good: Callable[[M], object] | None = None,
    passing: Iterable[int] | None = None,
) -> Reading:
    """A d100 read by a rule that is worked out once for each face: what it means in words, and whether that is good."""
    by_roll = {roll: meaning(roll) for roll in D100.faces}
    names = {value: words(value) for value in dict.fromkeys(by_roll.values())}
    kept = None if good is None else filter(good, names)
    return Reading(by_roll.__getitem__, text, names, good=kept, passing=passing)


@lru_cache(4096)
def with_roll(read: Reading, is_kept: bool = True) -> Reading:
    """The same reading of a d100 with the roll itself, where something asks for it."""
    passes, words = (read.good or frozenset()).__contains__, read.name
    return on_d100(
        lambda roll: (read(roll), roll * is_kept), read.text, lambda kept: words(kept[0]), lambda kept: passes(kept[0])
    )


def words_of(result: Degrees) -> str:
    """A result in words: success, 2 degrees."""
    count = f", {plural(result.degrees, 'degree')}" if result.degrees else ""
    return f"{'success' if result.success else 'failure'}{count}"


@clause("DW-TEST-1")
def chance(target: int, rules: Rulings = DEFAULT) -> Fraction:
    """How likely a test is to succeed."""
    return Fraction(sum(succeeds(target, roll, rules) for roll in D100.faces), len(D100.faces))


@clause("DW-TEST-1", "DW-TEST-3")
def test(tape: Tape, target: int, label: str, rules: Rulings = DEFAULT) -> Degrees:  # noqa: PT028
    """One test: passed or not, and by how many degrees."""
    result: Degrees = tape.roll(D100, reading(target, rules), label=label)
    return result


@clause("DW-TEST-1", "DW-TEST-5")
def check(tape: Tape, target: int, label: str, rules: Rulings = DEFAULT, by: str = "") -> bool:
    """One test of which only passed or failed counts; none is rolled where it cannot go both ways."""
    needs = target if rules.auto_results == "none" else min(max(target, 1), 99)
    if not 1 <= needs < 100:
        return needs >= 100
    return bool(tape.roll(D100, at_most(needs), label=label, by=by))


class Contestant(State, frozen=True):
    """One side of an opposed test."""

    target: int
    bonus: int = 0
    label: str = ""


class Contest(NamedTuple):
    """Who won, by how many degrees more, and by how many degrees the first side failed."""

    winner: Side
    by: int = 0
    failed: int = 0


@clause("DW-TEST-6")
def contest(tape: Tape, one: Contestant, other: Contestant, rules: Rulings = DEFAULT, felt: int = 2) -> Contest:
    """Two tests against each other: who wins, and the degrees as far as they are felt."""
    by_roll = rules.opposed_ties != "nobody" and one.bonus == other.bonus
    face_too = with_roll(reading(one.target, rules), by_roll)  # where a tie may ask for it
    first: tuple[Degrees, int] = tape.roll(D100, face_too, label=one.label or "first test")
    against = _against(first, one.bonus, other.target, other.bonus, felt, rules)
    result: Contest = tape.roll(D100, against, label=other.label or "second test", by="defender")
    return result


@clause("DW-TEST-6")
def winner(mine: tuple[Degrees, int], bonus: int, yours: tuple[Degrees, int], other_bonus: int, rules: Rulings) -> Side:
    """Who wins with these degrees, bonuses and rolls."""
    (success, degrees), (theirs, their_degrees) = mine[0], yours[0]
    if success != theirs:
        return "one" if success else "other"
    if not success and rules.opposed_failures == "stalemate":
        return "nobody"
    if degrees != their_degrees:
        return "one" if (degrees > their_degrees) == success else "other"
    if rules.opposed_ties == "nobody":
        return "nobody"
    if bonus != other_bonus:
        return "one" if bonus > other_bonus else "other"
    return "nobody" if mine[1] == yours[1] else "one" if mine[1] < yours[1] else "other"


@lru_cache(16384)
def _against(
    first: tuple[Degrees, int], bonus: int, target: int, other_bonus: int, felt: int, rules: Rulings
) -> Reading:
    """The second die of a contest, read as the outcome of the whole."""
    read = reading(target, rules)

    def outcome(roll: int) -> Contest:
        second: Degrees = read(roll)
        side = winner(first, bonus, (second, roll), other_bonus, rules)
        better, worse = (first[0], second) if side == "one" else (second, first[0])
        by = better.degrees - worse.degrees * worse.success if side != "nobody" and better.success else 0
        failed = 0 if first[0].success else first[0].degrees
        return Contest(side, min(felt, max(0, by)), min(felt, failed))

    passing = (roll for roll in D100.faces if succeeds(target, roll, rules))
    return on_d100(outcome, f"{target} or less", lambda contest: _SIDES[contest.winner], passing=passing)


_SIDES = {"one": "the first wins", "other": "the second wins", "nobody": "nobody wins"}
