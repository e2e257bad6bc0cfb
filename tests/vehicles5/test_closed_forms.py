"""The closed forms against the engine: two ways to every number."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.shooting import Shot, begin_volleys, fire
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.tape.exact import Exact
from tests.vehicles5 import closed_forms as forms
from tests.vehicles5.odds import plain, results_of, ruled

SHOTS = st.builds(
    Shot,
    name=st.just("gun"),
    hits_on=st.sampled_from([0, 2, 3, 4, 5, 6, 7]),
    rerolls_to_hit=st.booleans(),
    rerolls_penetration=st.booleans(),
    armour_gap=st.integers(-1, 13),
    dice=st.sampled_from(["d6", "higher_of_two", "2d6", "six_adds_d3"]),
    modifier=st.integers(-2, 2),
    cover=st.sampled_from([0, 2, 3, 4, 5, 6]),
    cover_first=st.just(False),
    below_table=st.sampled_from(["clamp", "nothing"]),
    by=st.just("attacker"),
)


def rows_of(shot: Shot) -> forms.Rows:
    return forms.one_shot(
        shot.dice,
        shot.armour_gap,
        shot.modifier,
        needs=shot.hits_on,
        cover=shot.cover,
        again=shot.rerolls_to_hit,
        again_pen=shot.rerolls_penetration,
        low=shot.below_table,
    )


@pytest.mark.clause("V5-MARK-2")
@settings(max_examples=40, deadline=None)
@given(shot=SHOTS)
def test_one_shot(shot: Shot) -> None:
    odds = results_of(shot)
    assert {row: odds.chance(row) for row in rows_of(shot)} == rows_of(shot)


@pytest.mark.clause("V5-MARK-4", "V5-MARK-3", "V5-VOLLEY-2")
@settings(max_examples=40, deadline=None)
@given(
    shots=st.lists(SHOTS, min_size=1, max_size=6),
    weapons=st.integers(0, 3),
    immobilised=st.booleans(),
    crash=st.booleans(),
    batch=st.booleans(),
)
def test_volleys(shots: list[Shot], weapons: int, immobilised: bool, crash: bool, batch: bool) -> None:
    start = Condition(weapons=("gun",) * weapons, immobilised=immobilised, crash="every" if crash else "no")
    rules = Rulings(volley_order="batch") if batch else Rulings()
    odds = Exact().run((fire,), begin_volleys(ruled(start, rules), [shots])).project(lambda one: plain(one.now))
    rows = [rows_of(shot) for shot in shots]
    assert odds.chance(lambda one: one.is_destroyed) == forms.destroyed(rows, weapons, immobilised, crash)
    stuck = odds.chance(lambda one: one.is_destroyed or one.immobilised)
    assert stuck == forms.immobilised_or_worse(rows, weapons, immobilised)
    assert odds.chance(start) == forms.untouched(rows)
    loud = odds.chance(lambda one: bool(one.weapons) and not one.shaken and not one.stunned)
    assert loud == forms.may_shoot(rows, weapons, immobilised, crash)
    exploded = forms.exploded(rows, weapons, immobilised, crash, rules.volley_order)
    assert odds.chance(lambda one: one.status == "exploded") == exploded


@pytest.mark.clause("V5-MARK-4")
def test_the_worked_example() -> None:
    lascannon = forms.one_shot("d6", 3, needs=3)
    assert lascannon["shaken"] == Fraction(1, 9)
    assert lascannon["stunned"] == lascannon["weapon_destroyed"] == lascannon["immobilised"] == Fraction(2, 27)
    assert lascannon["wrecked"] == lascannon["exploded"] == Fraction(1, 18)
    assert forms.survives([lascannon] * 4, 1) == Fraction(326400, 531441)
    assert forms.destroyed([lascannon] * 4, 1) == Fraction(68347, 177147)
    assert forms.immobilised_or_worse([lascannon] * 4, 1) == Fraction(307441, 531441)
    assert forms.exploded([lascannon] * 4, 1, order="batch") == Fraction(21455, 104976)
    missile = forms.one_shot("d6", 4, needs=3)
    assert forms.destroyed([lascannon, missile], 1) == Fraction(43, 243)


def test_dice_that_reach() -> None:
    assert [forms.reaches(needs) for needs in (0, 2, 6, 7)] == [1, Fraction(5, 6), Fraction(1, 6), 0]
    assert forms.reaches(4, again=True) == Fraction(3, 4)
