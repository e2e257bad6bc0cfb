"""Questions as several tests ask them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from battletape import ruleset
from battletape.answer import Answer

RULES = ruleset("vehicles5")


def ask(question: str, **given: Any) -> Answer:
    """The answer to a question."""
    answer: Answer = RULES.ask(question, **given)
    return answer


def chance(answer: Answer, measure: str, value: Any = 1) -> Fraction:
    """The chance of a value of a measure."""
    return answer.odds(measure).chance(value)


def chance_of(question: str, measure: str, **given: Any) -> Fraction:
    """The chance that what a measure asks for happens."""
    return chance(ask(question, **given), measure)


def only(answer: Answer, measure: str) -> Any:
    """The value of a measure that has only one."""
    (value,) = answer.odds(measure).fractions()
    return value


def rows(answer: Answer) -> list[tuple[str, ...]]:
    """The rows of the table behind an answer."""
    assert answer.table is not None
    return list(answer.table.rows)
