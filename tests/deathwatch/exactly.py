"""The exact odds of a single rule, for tests of one clause."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Any

from battletape.odds import Odds
from battletape.rulesets.deathwatch.rules.lenses import lens
from battletape.tape import Rule
from battletape.tape.exact import Exact, Memo


def odds_of(rule: Callable[..., Any], *args: Hashable, memo: Memo | None = None) -> Odds[Any]:
    """Every result of a rule with its chance."""
    reader = Exact(memo)
    return reader.odds(reader.outcomes(rule, *args))


CONDITIONS = frozenset({"stunned", "prone", "on_fire", "bleeding", "fatigue", "held"})
HARM = frozenset({"damage", "hits", "landed", "critical"})


def run(stages: Collection[Rule], start: Hashable, asked: frozenset[str] = HARM) -> Odds[Any]:
    """The odds of a procedure as a question has them of which these measures are asked."""
    return Exact(forget=lens(asked)).run(stages, start)
