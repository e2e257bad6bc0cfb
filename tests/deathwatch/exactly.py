"""The exact odds of a single rule, for tests of one clause."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Any

from battletape.odds import Odds
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange, attacks_between_two
from battletape.rulesets.deathwatch.rules.attack.procedures import one_on_one
from battletape.rulesets.deathwatch.rules.attack.records import Attack, PreparedAttack
from battletape.rulesets.deathwatch.rules.attack.stages import NO_VICTIM
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


def unstruck(spec: PreparedAttack) -> Attack:
    """An attack before its roll."""
    return Attack(spec, NO_VICTIM)


def one_attack(spec: PreparedAttack, health: int | None = None) -> Exchange:
    """Return an attack about to be made on an unhurt victim, or on one with so much health left."""
    return attacks_between_two((("", spec),), spec.defender.wounds if health is None else health)


def whole_attack(spec: PreparedAttack, health: int | None = None, asked: frozenset[str] = HARM) -> Odds[Any]:
    """The odds of such an attack from its declaration to the last wound; how its roll went is asked as well."""
    start = one_attack(spec, health)
    return run(one_on_one(start), start, asked | {"hits", "landed", "status"})
