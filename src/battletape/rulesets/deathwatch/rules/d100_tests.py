"""Tests with a d100: their modifiers, their degrees, and tests of one against the other."""

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
"""The winner of an opposed test."""


@clause("DW-TEST-2")
def difficulty(name: str) -> int:
    """Return the modifier of a difficulty, in small or capital letters."""
    return DIFFICULTIES[find_name("difficulty", name, DIFFICULTIES)]


def bonus(characteristic: int, multiplier: int = 1, flat: int = 0) -> int:
    """Return the bonus of a characteristic: its tens, times an unnatural multiplier, and what a suit adds."""
    return characteristic // 10 * multiplier + flat


@lru_cache(256)
def only_rulings(rulings: Rulings, *names: str) -> Rulings:
    """Return only the rulings of these names, so that states alike in these are equal."""
    return Rulings(**{name: getattr(rulings, name) for name in names})


@clause("DW-TEST-4")
def total(modifiers: Sequence[Modifier | int], rulings: Rulings = DEFAULT) -> tuple[int, int]:
    """Return the sum of all modifiers, and what of it counts."""
    added = sum(modifier if isinstance(modifier, int) else modifier.value for modifier in modifiers)
    return added, max(-rulings.modifier_cap, min(rulings.modifier_cap, added))


@clause("DW-TEST-1", "DW-TEST-4")
def target(characteristic: int, modifiers: Sequence[Modifier | int] = (), rulings: Rulings = DEFAULT) -> int:
    """Return the target number of a test: the characteristic and the limited sum of the modifiers."""
    return characteristic + total(modifiers, rulings)[1]


@clause("DW-TEST-3", "DW-TEST-5")
def degrees_of(target: int, roll: int, rulings: Rulings = DEFAULT) -> Degrees:
    """Return how a test with this roll went."""
    if type(roll) is not int or not 1 <= roll <= 100:
        raise BadInput(f"a d100 shows 1-100, 00 for 100; got {roll!r}", field="roll", clause="DW-TEST-1")
    success = succeeds(target, roll, rulings)
    by = target - roll if success else roll - target
    return Degrees(success, max(0, by) // 10 + (success and rulings.degrees == "plus_one"))


@clause("DW-TEST-1", "DW-TEST-5")
def succeeds(target: int, roll: int, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a roll meets its target."""
    if rulings.auto_results == "01_and_00" and roll in (1, 100):
        return roll == 1
    return roll <= target


def reading(target: int, rulings: Rulings = DEFAULT) -> Reading:
    """Return a d100 read as success and degrees; equal questions share one reading."""
    return _reading(target, only_rulings(rulings, "auto_results", "degrees"))


@lru_cache(4096)
def _reading(target: int, rulings: Rulings) -> Reading:
    return on_d100(
        partial(degrees_of, target, rulings=rulings), f"{target} or less", words_of, lambda test: test.success
    )


def on_d100(
    meaning: Callable[[int], M],
    text: str,
    words: Callable[[M], str],
    good: Callable[[M], object] | None = None,
    passing: Iterable[int] | None = None,
) -> Reading:
    """Return a reading of a d100 by a rule, which is worked out once for each face."""
    by_roll = {roll: meaning(roll) for roll in D100.faces}
    names = {value: words(value) for value in dict.fromkeys(by_roll.values())}
    kept = None if good is None else filter(good, names)
    return Reading(by_roll.__getitem__, text, names, good=kept, passing=passing)


@lru_cache(4096)
def with_roll(read: Reading, is_kept: bool = True) -> Reading:
    """Return a reading of a d100 together with the roll itself."""
    passes, words = (read.good or frozenset()).__contains__, read.name
    return on_d100(
        lambda roll: (read(roll), roll * is_kept), read.text, lambda kept: words(kept[0]), lambda kept: passes(kept[0])
    )


def words_of(result: Degrees) -> str:
    """Return a result in words: success, 2 degrees."""
    count = f", {plural(result.degrees, 'degree')}" if result.degrees else ""
    return f"{'success' if result.success else 'failure'}{count}"


@clause("DW-TEST-1")
def chance(target: int, rulings: Rulings = DEFAULT) -> Fraction:
    """Return how likely a test is to succeed."""
    return Fraction(len(_passing_rolls(target, only_rulings(rulings, "auto_results"))), len(D100.faces))


@lru_cache(4096)
def _passing_rolls(target: int, rulings: Rulings) -> tuple[int, ...]:
    return tuple(roll for roll in D100.faces if succeeds(target, roll, rulings))


@clause("DW-TEST-1", "DW-TEST-3")
def roll_degrees(tape: Tape, target: int, label: str, rulings: Rulings = DEFAULT) -> Degrees:
    """Make one test: passed or not, and by how many degrees."""
    result: Degrees = tape.roll(D100, reading(target, rulings), label=label)
    return result


@clause("DW-TEST-1", "DW-TEST-5")
def roll_success(tape: Tape, target: int, label: str, rulings: Rulings = DEFAULT, by: str = "") -> bool:
    """Make one test of which only the success counts; none is rolled where it cannot go both ways."""
    needs = target if rulings.auto_results == "none" else min(max(target, 1), 99)
    if not 1 <= needs < 100:
        return needs >= 100
    return bool(tape.roll(D100, at_most(needs), label=label, by=by))


class Contestant(State, frozen=True):
    """One side of an opposed test."""

    target: int
    bonus: int = 0
    label: str = ""


class Contest(NamedTuple):
    """The winner of an opposed test, by how many degrees more, and by how many the first side failed."""

    winner: Side
    by: int = 0
    failed: int = 0


@clause("DW-TEST-6")
def contest(
    tape: Tape, first: Contestant, second: Contestant, rulings: Rulings = DEFAULT, max_degrees: int = 2
) -> Contest:
    """Roll two tests against each other: the winner, and the degrees up to `max_degrees`."""
    needs_roll = rulings.opposed_ties != "nobody" and first.bonus == second.bonus
    first_reading = with_roll(reading(first.target, rulings), needs_roll)  # where a tie may ask for it
    first_roll: tuple[Degrees, int] = tape.roll(D100, first_reading, label=first.label or "first test")
    second_reading = _contest_reading(first_roll, first.bonus, second.target, second.bonus, max_degrees, rulings)
    outcome: Contest = tape.roll(D100, second_reading, label=second.label or "second test", by="defender")
    return outcome


@clause("DW-TEST-6")
def winner(
    first: tuple[Degrees, int], first_bonus: int, second: tuple[Degrees, int], second_bonus: int, rulings: Rulings
) -> Side:
    """Return the winner by these degrees, bonuses and rolls."""
    (success, degrees), (second_success, second_degrees) = first[0], second[0]
    if success != second_success:
        return "one" if success else "other"
    if not success and rulings.opposed_failures == "stalemate":
        return "nobody"
    if degrees != second_degrees:
        return "one" if (degrees > second_degrees) == success else "other"
    if rulings.opposed_ties == "nobody":
        return "nobody"
    if first_bonus != second_bonus:
        return "one" if first_bonus > second_bonus else "other"
    return "nobody" if first[1] == second[1] else "one" if first[1] < second[1] else "other"


@lru_cache(16384)
def _contest_reading(
    first: tuple[Degrees, int], bonus: int, target: int, other_bonus: int, max_degrees: int, rulings: Rulings
) -> Reading:
    """Read the second die of a contest as the outcome of the whole."""
    read = reading(target, rulings)

    def outcome(roll: int) -> Contest:
        second: Degrees = read(roll)
        side = winner(first, bonus, (second, roll), other_bonus, rulings)
        better, worse = (first[0], second) if side == "one" else (second, first[0])
        by = better.degrees - worse.degrees * worse.success if side != "nobody" and better.success else 0
        failed = 0 if first[0].success else first[0].degrees
        return Contest(side, min(max_degrees, max(0, by)), min(max_degrees, failed))

    passing = _passing_rolls(target, only_rulings(rulings, "auto_results"))
    return on_d100(outcome, f"{target} or less", lambda contest: _SIDES[contest.winner], passing=passing)


_SIDES = {"one": "the first wins", "other": "the second wins", "nobody": "nobody wins"}
