"""What is taken over from the base game: speeds, fire, the Strength of a ram."""

from __future__ import annotations

import pytest

from battletape.errors import Refused
from battletape.rulesets.diceless40k.rules import base_vehicles
from battletape.rulesets.diceless40k.rules.damage_rows import DamageSheet


def test_kinds_of_vehicles():
    found = base_vehicles.traits_of(("tank", "fast"))
    assert (found.tank, found.fast, found.skimmer, found.walker, found.open_topped) == (True, True, False, False, False)


@pytest.mark.clause("DL-0.1", "DL-60.2")
def test_speeds():
    assert [base_vehicles.speed_of_move(("tank",), inches) for inches in (0, 6, 12)] == [
        "immobile",
        "combat",
        "cruising",
    ]
    assert base_vehicles.speed_of_move(("fast",), 18) == "flat_out"
    assert [base_vehicles.most_inches(kinds) for kinds in (("tank",), ("fast",), ("fast", "skimmer"), ("walker",))] == [
        12,
        18,
        24,
        6,
    ]
    assert base_vehicles.most_inches(("tank",), on_road=True) == 18
    refused = base_vehicles.speed_of_move(("tank",), 13)
    assert isinstance(refused, Refused)
    assert refused.clause == "DL-0.1"


@pytest.mark.clause("DL-0.1", "DL-60.17")
def test_who_may_move():
    assert base_vehicles.refuse_move(("tank",), DamageSheet(), 12) is None
    assert base_vehicles.refuse_move(("tank",), DamageSheet(immobilised=True), 0) is None
    assert "immobilised" in str(base_vehicles.refuse_move(("tank",), DamageSheet(immobilised=True), 1))
    assert "13 inches" in str(base_vehicles.refuse_move(("tank",), DamageSheet(), 13))


@pytest.mark.clause("DL-0.1", "DL-60.4")
def test_what_may_fire():
    both = ((9, False), (8, False))
    assert base_vehicles.refuse_weapons(("tank",), "immobile", both) is None
    refused = base_vehicles.refuse_weapons(("tank",), "combat", both)
    assert refused is not None
    assert refused.clause == "DL-0.1"
    assert "one main weapon" in refused.reason
    assert base_vehicles.refuse_weapons(("tank",), "combat", ((9, False), (4, False))) is None
    assert "smoke" in str(base_vehicles.refuse_weapons(("tank",), "immobile", both, smoke=True))
    assert "ram" in str(base_vehicles.refuse_weapons(("tank",), "cruising", both, rammed=True))
    assert "alone" in str(base_vehicles.refuse_weapons(("tank",), "immobile", ((8, True), (4, False))))


@pytest.mark.clause("DL-69.1")
def test_strength_of_a_ram():
    assert [
        base_vehicles.ram_strength(14, True, 12),
        base_vehicles.ram_strength(11, False, 12),
        base_vehicles.ram_strength(14, True, 24),
    ] == [9, 5, 10]
