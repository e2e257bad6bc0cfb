"""Tests that fighters make in a battle: what they must roll, and what the cards of an action that is a test share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.odds import percent
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import Attempt
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.rules.attack.fighters import target_of
from battletape.rulesets.deathwatch.rules.tests import check
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.system import Measure
from battletape.tape import Tape
from battletape.words import labelled

if TYPE_CHECKING:
    from battletape.answer import Answer

LOWERED_WITH = {
    "agility": "ag",
    "bs": "bs",
    "medicae": "int",
    "strength": "s",
    "toughness": "t",
    "willpower": "wp",
    "ws": "ws",
}
"""The characteristic whose wounds lower a number of a profile."""


def needed(state: State, who: Fighter, of: str, *added: Modifier) -> int:
    """What a fighter's test of a number of its profile must roll or less, with fatigue and wounds."""
    return target_of(who, LOWERED_WITH[of], getattr(who.profile, of), added, state.rules)


def begin_test(of: str, label: str, *added: Modifier) -> Callable[[State, Fighter, Any], Attempt]:
    """An action begins with a test of this number."""
    return lambda state, who, order: Attempt(who.name, needed(state, who, of, *added), label, state.rules)


@clause("DW-ACT-USE-A-SKILL", "DW-BLOOD-2", "DW-COND-FIRE")
def attempt(tape: Tape, tried: Attempt) -> Attempt:
    """One test."""
    return replace(tried, done=check(tape, tried.target, labelled(tried.name, tried.what), tried.rules))


ATTEMPT = Procedure("test", (attempt,))


def chance_of(name: str, words: str) -> Callable[[Answer], str]:
    """A headline: how often it works."""
    return lambda answer: f"{words} {percent(answer.odds(name).chance(1))}."


def a_test(
    procedure: Procedure = ATTEMPT, words: str = "It succeeds", headline: str = "Succeeds", measure: str = "done"
) -> dict[str, Any]:
    """What all cards of one test have."""
    measures = (Measure(measure, words, lambda tried: int(tried.done)),)
    return {"procedure": procedure, "measures": measures, "headline": chance_of(measure, headline)}
