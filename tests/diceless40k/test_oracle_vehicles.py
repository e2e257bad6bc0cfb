"""The vectors' calculations of sections 5.12 to 5.18 on random inputs, as a second implementation works them out."""

from __future__ import annotations

from random import Random

import pytest

from tests.diceless40k import oracle_vehicles as oracle
from tests.vectors import diceless40k as glue
from tests.vectors.given import Given

CASES = 100


@pytest.mark.parametrize("calc", oracle.GIVEN)
def test_what_players_ask_equals_a_second_implementation(calc):
    for seed in range(CASES):
        given = oracle.GIVEN[calc](Random(f"{calc} {seed}"))
        expect = getattr(oracle, calc)(given)
        asked = Given(given)
        said = glue.answer({"question": calc, "given": asked})
        assert {name: said[name] for name in expect} == expect, given
        assert not list(asked.unread()), given
