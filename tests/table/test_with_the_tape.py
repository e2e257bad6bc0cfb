"""Cuts of the compass as the tape reads them: exact odds, typed bearings."""

from __future__ import annotations

from fractions import Fraction
from math import acos, pi

import pytest

from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.markers import LARGE_BLAST
from battletape.table.points import Point
from battletape.table.scatter import base_arcs
from battletape.tape import Tape
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.table.shapes import hull_arcs

AIM = Point(0, 0)


def scatter_near_a_model(tape: Tape, scatter: int) -> str:
    """The marker comes down so far away from the aim; what becomes of a model 2 inches to the north?"""
    found = base_arcs(AIM, scatter, 1.5, [Base(Point(0, 2))])
    return found.statuses[tape.direction(found.cuts, label="scatter")][0]


def scatter_off_a_hull(tape: Tape, scatter: int) -> str:
    """Where do hole and edge of a large marker end up?"""
    found = hull_arcs(AIM, scatter, LARGE_BLAST, Hull(AIM, 0, 6, 3))
    blast = found.statuses[tape.direction(found.cuts, label="scatter")]
    return f"{blast.part} {blast.facing}"


@pytest.mark.clause("SE-51")
def test_exact_odds_of_a_scatter():
    odds = Exact().run((scatter_near_a_model,), 2)
    assert odds.chance(lambda status: status == "missed") == Fraction(2, 3)
    assert float(odds.chance(lambda status: status == "entirely")) == pytest.approx(acos(7 / 8) / pi, abs=1e-11)
    assert Exact().run((scatter_near_a_model,), 4).chance(lambda status: status == "missed") == 1


@pytest.mark.clause("V5-SHOT-9")
def test_exact_odds_off_a_hull():
    odds = Exact().run((scatter_off_a_hull,), 4)
    assert odds.chance(lambda status: status == "edge side") == Fraction(1, 2)
    assert odds.chance(lambda status: status == "edge front") == Fraction(1, 4)


@pytest.mark.parametrize("bearing, expected", [(0, "entirely"), (45, "partially"), (90, "missed"), (330, "partially")])
def test_a_bearing_typed_in(bearing, expected):
    tape = Script(bearing)
    assert scatter_near_a_model(tape, 2) == expected
    assert tape.used_up
