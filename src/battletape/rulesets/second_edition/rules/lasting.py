"""How long a thing lasts that is tested again and again: the ends it may come to, and the tests until then."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct

from battletape.clauses import clause
from battletape.procedure import odds_of
from battletape.tape import Tape

S = TypeVar("S", bound=Hashable)


class Ends(Struct, frozen=True):
    """How it ends: the chance of each end, and the mean number of tests made."""

    chances: dict[str, Fraction]
    tests: Fraction


@clause("SE-73", "SE-79", "SE-97")
def how_it_ends(
    test: Callable[[Tape, S], S], start: S, end_of: Callable[[S], str], counts: Callable[[S], bool]
) -> Ends:
    """Follow test after test to the very end; exact, because a thing stays as it is or comes nearer to its end.

    `test` is the rule of one round. `end_of` names the end that a state is, or is empty while it goes on; `counts` says
    whether the round from this state is one of the tests that are counted.
    """
    known: dict[S, Ends] = {}

    def ends(state: S) -> Ends:
        if end := end_of(state):
            return Ends({end: Fraction(1)}, Fraction(0))
        if state not in known:
            known[state] = solved(state)
        return known[state]

    def solved(state: S) -> Ends:
        ways = odds_of(test, state)
        stays = ways.chance(state)
        chances: dict[str, Fraction] = {}
        tests = Fraction(int(counts(state)))
        for after, weight in ways.fractions().items():
            if after != state:
                then = ends(after)
                tests += weight * then.tests
                for end, chance in then.chances.items():
                    chances[end] = chances.get(end, Fraction(0)) + weight * chance
        return Ends({end: chance / (1 - stays) for end, chance in chances.items()}, tests / (1 - stays))

    return ends(start)
