"""Penetration: the tables of the catalogue, every face by hand, published figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules.damage import HIGHEST, hit_of, penetrate
from battletape.rulesets.vehicles5.rules.traits import Hit, PenDice
from battletape.tape.script import Script
from tests.vehicles5.by_hand import total
from tests.vehicles5.closed_forms import penetration

TABLE = """
0    0 1        0 1           0 1          0 1
1    1/6 5/6    1/36 35/36    0 1          1/6 5/6
2    1/6 2/3    1/12 8/9      1/36 35/36   1/6 2/3
3    1/6 1/2    5/36 3/4      1/18 11/12   1/6 1/2
4    1/6 1/3    7/36 5/9      1/12 5/6     1/6 1/3
5    1/6 1/6    1/4 11/36     1/9 13/18    1/6 1/6
6    1/6 0      11/36 0       5/36 7/12    0 1/6
7    0 0        0 0           1/6 5/12     1/18 1/9
8    0 0        0 0           5/36 5/18    1/18 1/18
9    0 0        0 0           1/9 1/6      1/18 0
10   0 0        0 0           1/12 1/12    0 0
11   0 0        0 0           1/18 1/36    0 0
12   0 0        0 0           1/36 0       0 0
13   0 0        0 0           0 0          0 0
"""
DICE: tuple[PenDice, ...] = ("d6", "higher_of_two", "2d6", "six_adds_d3")
CASES = [
    (dice, int(gap), Fraction(cells[2 * at]), Fraction(cells[2 * at + 1]))
    for gap, *cells in (line.split() for line in TABLE.strip().splitlines())
    for at, dice in enumerate(DICE)
]
D6 = range(1, 7)
THROWS: dict[PenDice, list[tuple[int, ...]]] = {
    "d6": [(a,) for a in D6],
    "higher_of_two": list(product(D6, D6)),
    "2d6": list(product(D6, D6)),
    "six_adds_d3": [(a, b) if a == 6 else (a, 0) for a in D6 for b in (1, 2, 3)],
}


@pytest.mark.clause("V5-PEN-1", "V5-PEN-2", "V5-PEN-3", "V5-CORE-11", "V5-CORE-12")
@pytest.mark.parametrize(("dice", "gap", "glance", "through"), CASES)
def test_penetration_by_gap_agrees_with_the_table(dice: PenDice, gap: int, glance: Fraction, through: Fraction) -> None:
    odds = odds_of(penetrate, "gun", dice, gap)
    assert (odds.chance("glance"), odds.chance("penetrate")) == (glance, through)
    assert odds.chance("none") == 1 - glance - through
    assert penetration(dice, gap) == (glance, through)


@pytest.mark.clause("V5-PEN-1", "V5-PEN-2", "V5-PEN-3", "V5-CORE-11", "V5-CORE-12")
@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("gap", range(-3, 15))
def test_penetration_counted_over_all_faces(dice: PenDice, gap: int) -> None:
    throws = THROWS[dice]
    counted = Counter(hit_of(gap, total(dice, rolls)) for rolls in throws)
    odds = odds_of(penetrate, "gun", dice, gap)
    assert odds == {hit: Fraction(count, len(throws)) for hit, count in counted.items()}


@pytest.mark.clause("V5-PEN-2", "V5-CORE-11")
@pytest.mark.parametrize(
    ("dice", "strength", "figures"),
    [
        # chance to penetrate AV 10 to 14 by a demolisher cannon and by a melta gun at close range, as published in
        # “Ordnance Armour Penetration, 2d6 Highest Roll Statistics, and the Melta Gun” on 18 May 2009:
        # http://warpstoneflux.blogspot.com/2009/05/ordnance-armour-penetration-2d6-highest.html
        ("higher_of_two", 10, (1.000, 0.972, 0.889, 0.750, 0.556)),
        ("2d6", 8, (0.972, 0.917, 0.833, 0.722, 0.583)),
    ],
)
def test_published_figures(dice: PenDice, strength: int, figures: tuple[float, ...]) -> None:
    for av, figure in zip(range(10, 15), figures, strict=True):
        chance = odds_of(penetrate, "", dice, av - strength).chance("penetrate")
        assert round(float(chance), 3) == figure


@pytest.mark.clause("V5-PEN-3", "V5-PEN-2", "V5-CORE-12")
@pytest.mark.parametrize(
    ("dice", "gap", "answers", "hit"),
    [
        ("d6", 3, (3,), "glance"),
        ("d6", 3, (4,), "penetrate"),
        ("d6", 3, (2,), "none"),
        ("higher_of_two", 5, (2, 5), "glance"),
        ("higher_of_two", 5, (6, 1), "penetrate"),
        ("higher_of_two", 5, (4, 4), "none"),
        ("2d6", 6, (6,), "glance"),
        ("six_adds_d3", 6, (5,), "none"),
        ("six_adds_d3", 7, (6, 1), "glance"),
        ("six_adds_d3", 7, (6, 2), "penetrate"),
        ("six_adds_d3", 9, (6, 2), "none"),
    ],
)
def test_one_throw(dice: PenDice, gap: int, answers: tuple[int, ...], hit: Hit) -> None:
    tape = Script(*answers)
    assert penetrate(tape, "gun", dice, gap) == hit
    assert tape.used_up


@pytest.mark.parametrize("dice", DICE)
def test_the_highest_throw_still_glances(dice: PenDice) -> None:
    assert odds_of(penetrate, "", dice, HIGHEST[dice]).chance("glance") > 0
    assert odds_of(penetrate, "", dice, HIGHEST[dice] + 1).chance("none") == 1


def test_the_dice_say_what_they_need() -> None:
    tape = Script(6, 3)
    penetrate(tape, "assault cannon", "six_adds_d3", 8)
    assert [ask.label for ask, _ in tape.trail] == ["assault cannon: penetration", "assault cannon: D3 more"]
    assert tape.trail[1][0].needed == "glance 2, penetrate 3+"
