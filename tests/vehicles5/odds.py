"""The exact odds of a single rule, for tests."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from msgspec.structs import replace

from battletape.odds import Odds
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.tape.exact import Exact


def odds_of(rule: Callable[..., Any], *args: Hashable) -> Odds[Any]:
    """The exact odds of a single rule."""
    reader = Exact()
    return reader.odds(reader.outcomes(rule, *args))


def ruled(condition: Condition, rules: Rulings) -> Condition:
    """A vehicle whose damage is counted by these rulings."""
    return replace(condition, together=rules.volley_order == "batch")


def plain(condition: Condition) -> Condition:
    """A condition, whatever ruling it was counted by."""
    return replace(condition, together=False)
