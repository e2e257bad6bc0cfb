"""The exact odds of a single rule, for tests of one clause."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from battletape.odds import Odds
from battletape.tape.exact import Exact, Memo


def odds_of(rule: Callable[..., Any], *args: Hashable, memo: Memo | None = None) -> Odds[Any]:
    """Every result of a rule with its chance."""
    reader = Exact(memo)
    return reader.odds(reader.outcomes(rule, *args))
