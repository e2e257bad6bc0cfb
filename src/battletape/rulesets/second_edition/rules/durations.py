"""How long a thing lasts that is tested again and again: the ends it may come to, and the tests until then."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TypeVar

from battletape.rulebook import Struct, Tape, clause, odds_of

S = TypeVar("S", bound=Hashable)


class EndChances(Struct, frozen=True):
    """The chance of each end, and the mean number of tests until then."""

    chances: dict[str, Fraction]
    tests: Fraction


@clause("SE-73", "SE-79", "SE-97")
@lru_cache(64)  # the sentence and the table of an answer both ask for it
def end_chances(
    test: Callable[[Tape, S], S], start: S, end_of: Callable[[S], str], counts: Callable[[S], bool]
) -> EndChances:
    """Follow test after test to the very end; exact, because a thing stays as it is or comes nearer to its end.

    `test` is the rule of one round. `end_of` names the end that a state is, or is empty while it goes on; `counts` says
    whether the round from this state is one of the tests that are counted.
    """
    known: dict[S, EndChances] = {}

    def ends(state: S) -> EndChances:
        if end := end_of(state):
            return EndChances({end: Fraction(1)}, Fraction(0))
        if state not in known:
            known[state] = solved(state)
        return known[state]

    def solved(state: S) -> EndChances:
        ways = odds_of(test, state)
        moves = ways.total - ways.weights.get(state, 0)
        thens = [(weight, ends(after)) for after, weight in ways.weights.items() if after != state]
        names = dict.fromkeys(name for _, then in thens for name in then.chances)
        chances = {
            name: _mean([(weight, then.chances[name]) for weight, then in thens if name in then.chances], moves)
            for name in names
        }
        own = Fraction(ways.total * int(counts(state)), moves)
        return EndChances(chances, own + _mean([(weight, then.tests) for weight, then in thens], moves))

    return ends(start)


def _mean(weighed: Sequence[tuple[int, Fraction]], total: int) -> Fraction:
    """Return a weighted mean, summed on one common scale: to add up fractions one by one takes long."""
    scale = lcm(*(value.denominator for _, value in weighed))
    return Fraction(
        sum(weight * value.numerator * (scale // value.denominator) for weight, value in weighed), scale * total
    )
