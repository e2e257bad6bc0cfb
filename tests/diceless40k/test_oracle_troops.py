"""Thousands of random cases on troops: what players ask, against a second implementation of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.diceless40k.oracle_troops import CASES
from tests.vectors import diceless40k
from tests.vectors.given import Given

NUMBER = 100


@pytest.mark.parametrize("oracle", CASES, ids=lambda oracle: oracle.__name__)
def test_random_cases_agree_with_the_oracle(oracle: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    random = Random(oracle.__name__)
    for _ in range(NUMBER):
        case = CASES[oracle](random)
        given = Given(case)
        said = diceless40k.answer({"question": oracle.__name__, "given": given})
        assert {name: said.get(name) for name in oracle(case)} == oracle(case), case
        assert not list(given.unread()), case
