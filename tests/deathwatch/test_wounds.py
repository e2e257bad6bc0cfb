"""Wounds: how damage lands, critical totals, death, and folds of several hits against the twin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.errors import BadInput
from battletape.rulesets.deathwatch.rules import wounds
from battletape.rulesets.deathwatch.rules.conditions import BodyNumbers, Conditions
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rules.wounds import Victim
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.deathwatch import twin


@pytest.mark.clause("DW-DMG-1", "DW-DMG-2")
def test_damage_past_the_wounds_is_critical():
    assert wounds.health_after(20, 12) == (8, 0)
    assert wounds.health_after(8, 10) == (-2, 2)
    assert wounds.health_after(-2, 3) == (-5, 5)
    assert wounds.health_after(8, 8) == (0, 0)
    assert wounds.health_after(-4, 0) == (-4, 0)
    assert wounds.health_after(10, 25) == (-15, 10)


@pytest.mark.clause("DW-DMG-2")
def test_health_tells_damage_and_critical_total():
    assert [wounds.damage_taken(health, 20) for health in (20, 8, 0, -3, DEAD - 8)] == [0, 12, 20, 20, 20]
    assert [wounds.critical_total(health) for health in (20, 0, -3, DEAD - 8)] == [0, 0, 3, 8]
    assert [wounds.row_of(Victim(-total)) for total in (0, 7, 10, 14)] == [0, 7, 10, 10]


@pytest.mark.clause("DW-DMG-1")
def test_true_grit_halves_each_critical_amount_upwards():
    assert wounds.health_after(3, 8, true_grit=True) == (-3, 3)
    assert wounds.health_after(-3, 4, true_grit=True) == (-5, 5)
    assert wounds.health_after(5, 5, true_grit=True) == (0, 0)


@pytest.mark.clause("DW-DMG-4")
def test_minions_die_of_any_critical_damage():
    hit = Hit("leg", flat=0, dice=1, damage_type="I", sudden_death=True)
    assert wounds.take_hit_part(Script(3), Victim(2), hit) == Victim(DEAD - 1, "leg")
    assert wounds.take_hit_part(Script(2), Victim(2), hit) == Victim(0)


@pytest.mark.clause("DW-LIGHT-1", "DW-HEAVY-1")
def test_categories_of_damage():
    assert [wounds.category(damage, 4) for damage in (0, 1, 8, 9)] == ["undamaged", "lightly", "lightly", "heavily"]
    assert [wounds.category(damage, 8) for damage in (16, 17)] == ["lightly", "heavily"]
    assert wounds.category(20, 8, 3) == "critical"
    with pytest.raises(BadInput, match=r"must be 0 or more; got -1 \(DW-LIGHT-1\)"):
        wounds.category(-1, 4)


@pytest.mark.clause("DW-DMG-2", "DW-DMG-4")
def test_a_row_that_asks_for_toughness_may_kill():
    hit = Hit("arm", dice=1, damage_type="X", body=BodyNumbers(toughness=45))
    assert wounds.take_hit_part(Script(7, 45), Victim(0), hit) == Victim(-7, "arm")
    assert wounds.take_hit_part(Script(7, 46), Victim(0), hit) == Victim(DEAD - 7, "arm")
    assert wounds.take_hit_part(Script(), Victim(DEAD - 7), hit) == Victim(DEAD - 7)
    found = Exact().chain(wounds.take_hit_part, Victim(0), (hit,))
    assert Fraction(sum(w for one, w in found.results.items() if one.is_dead), found.total) == Fraction(
        3 * 100 + 55, 1000
    )


@pytest.mark.clause("DW-DMG-2")
def test_strike_notes_the_place_of_the_last_row():
    hit = Hit("right_leg", dice=1, damage_type="I")
    assert wounds.take_hit_part(Script(4), Victim(10), hit) == Victim(6)
    assert wounds.take_hit_part(Script(4), Victim(1, "head"), hit) == Victim(-3, "right_leg")
    assert wounds.take_hit_part(Script(), Victim(DEAD - 9, "body"), hit) == Victim(DEAD - 9, "body")


@pytest.mark.clause("DW-DMG-2")
def test_critical_damage_may_be_counted_place_by_place():
    start = Victim(0, by_spot=(0, 0, 0, 0, 0, 0))
    arm, leg = Hit("left_arm", dice=1, damage_type="I"), Hit("right_leg", dice=1, damage_type="I")
    after = wounds.take_hit_part(Script(4), start, arm)
    assert after == Victim(-4, "left_arm", (0, 0, 4, 0, 0, 0), row=4)
    after = wounds.take_hit_part(Script(7), after, leg)
    assert after == Victim(-11, "right_leg", (0, 0, 4, 0, 7, 0), row=7)
    dead = wounds.take_hit_part(Script(5), after, arm)
    assert (dead.health, dead.spot, dead.row, dead.by_spot) == (DEAD - 16, "left_arm", 9, (0,) * 6)
    assert [wounds.row_of(one) for one in (start, after, dead)] == [0, 7, 9]
    only_arms = Hit("head", dice=1, damage_type="I", spots_kept=(False, True, True, False, False, False))
    assert wounds.take_hit_part(Script(1), after, only_arms) == Victim(-12, "head", (0, 0, 4, 0, 0, 0), row=1)


@pytest.mark.clause("DW-DMG-2")
def test_conditions_come_from_the_row_and_the_dead_have_none():
    start = Victim(0, conditions=Conditions())
    stunned = wounds.take_hit_part(Script(3), start, Hit("body", dice=1, damage_type="I"))
    assert stunned.conditions is not None
    assert (stunned.health, stunned.conditions.stunned, stunned.conditions.fatigue) == (-3, 1, 2)
    dead = wounds.take_hit_part(Script(9), stunned, Hit("body", dice=1, damage_type="I"))
    assert (dead.health, dead.conditions) == (DEAD - 10, Conditions())


@pytest.mark.clause("DW-COVER-1")
def test_cover_that_wears_down_loses_a_point_for_each_hit_above_it():
    hit = Hit("body", dice=1, flat=2, reduction=4, by_cover_lost=(4, 3, 2, 1, 0), cover=4)
    victim, got = wounds.damage_through_cover(Victim(10), wounds.damage_before_cover(Script(5), hit), hit)
    assert (victim.cover_lost, got) == (1, 3)
    assert wounds.damage_through_cover(Victim(10), 4, hit) == (Victim(10), 0)
    assert wounds.damage_through_cover(Victim(10, cover_lost=1), 4, hit) == (Victim(10, cover_lost=2), 1)
    assert wounds.damage_through_cover(Victim(10, cover_lost=4), 9, hit) == (Victim(10, cover_lost=4), 9)
    bare = Hit("head", dice=1, reduction=3)
    assert wounds.damage_through_cover(Victim(10, cover_lost=2), 8, bare) == (Victim(10, cover_lost=2), 5)


def health_of(state: twin.State, wounds: int) -> int:
    taken, critical, _, dead, _ = state
    return DEAD - critical if dead else wounds - taken - critical


@given(
    places=st.lists(st.sampled_from(["head", "arm", "body", "leg"]), min_size=1, max_size=3),
    kind=st.sampled_from("EXIR"),
    left=st.integers(1, 12),
    toughness=st.integers(5, 95),
    flat=st.integers(0, 4),
)
@settings(max_examples=25, deadline=None)
def test_folds_of_hits_equal_the_twin(places: list[str], kind: Any, left: int, toughness: int, flat: int):
    items = tuple(
        Hit(
            one,
            dice=1,
            flat=flat,
            reduction=2,
            damage_type=kind,
            body=BodyNumbers(toughness=toughness),
            max_damage=left + 10,
        )
        for one in places
    )
    states: twin.Dist = {twin.FRESH: Fraction(1)}
    for one in places:
        states = twin.fold(states, twin.net(twin.damage(1, 0, flat, Fraction(0), 99), 2), one, left, kind, toughness)
    by_health: twin.Dist = {}
    by_spot: twin.Dist = {}
    for state, chance in states.items():
        health = health_of(state, left)
        twin.add(by_health, health, chance)
        twin.add(by_spot, (health, state[2]), chance)
    reader = Exact()
    found = reader.odds(reader.chain(wounds.take_hit_part, Victim(left), items))
    assert found.project(lambda victim: victim.health).fractions() == by_health
    assert found.project(lambda victim: (victim.health, victim.spot)).fractions() == by_spot
