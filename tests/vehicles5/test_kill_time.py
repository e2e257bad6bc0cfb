"""Several volleys in a row, in one turn or over several."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from battletape.odds import Odds
from battletape.rulesets.vehicles5.rules import shooting
from battletape.rulesets.vehicles5.rules.shooting import Shot, Volley
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.tape.exact import Exact
from tests.vehicles5.odds import ruled
from tests.vehicles5.test_volley import BATCH, LASCANNON, ONE_GUN, WHOLE, fired


def chain(volleys: list[list[Shot]], apart: bool = False, rules: Rulings = Rulings()) -> Odds[Volley]:
    begun = shooting.begin_volleys(ruled(ONE_GUN, rules), volleys, apart)
    odds: Odds[Volley] = Exact().run(shooting.volley_by_volley(begun), begun)
    return odds


@pytest.mark.clause("V5-MARK-5", "V5-VOLLEY-1")
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("rules", [Rulings(), BATCH])
def test_several_turns_are_one_long_volley(apart: bool, rules: Rulings) -> None:
    odds = chain([[LASCANNON] * 2] * 3, apart, rules).project(lambda one: one.now)
    assert odds.chance(WHOLE["destroyed"]) == Fraction(208220489, 387420489)
    assert odds.chance(WHOLE["stuck"]) == Fraction(285020489, 387420489)
    assert odds.chance(WHOLE["destroyed"]) == fired([LASCANNON] * 6).chance(WHOLE["destroyed"])


@pytest.mark.clause("V5-MARK-5")
def test_when_it_is_destroyed() -> None:
    when = chain([[LASCANNON] * 2] * 3).project(lambda one: one.destroyed_in)
    so_far = Fraction(0)
    for number in (1, 2, 3):
        so_far += when.chance(number)
        assert so_far == fired([LASCANNON] * 2 * number).chance(WHOLE["destroyed"])
    assert when.chance(0) == 1 - so_far


@pytest.mark.clause("V5-MARK-5", "V5-DMG-1", "V5-DMG-2")
def test_crews_recover_between_turns() -> None:
    glancing = [replace(LASCANNON, needs=0, gap=6)]
    same, apart = chain([glancing] * 2), chain([glancing] * 2, apart=True)
    assert apart.chance(lambda one: one.now.shaken) == Fraction(1, 6) * Fraction(1, 2)
    assert same.chance(lambda one: one.now.shaken) == 1 - Fraction(11, 12) ** 2
    assert apart.chance(lambda one: one.now.immobilised) == same.chance(lambda one: one.now.immobilised)
