"""What must hold for any volley at a vehicle, in exact odds: more armour never more harm, and order does not matter."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from battletape.answer import Answer
from tests.properties import alike, never_less

V5 = ruleset("vehicles5")
HARM = ("destroyed", "immobilised_or_worse", "weapon_lost_or_destroyed", "cannot_move_next_turn")
EXPECTED = ("expected_hits", "expected_glances", "expected_penetrations")
GUN = st.fixed_dictionaries(
    {
        "shots": st.integers(1, 3),
        "bs": st.integers(1, 5),
        "strength": st.integers(4, 9),
        "ap": st.sampled_from([None, 1, 2, 4, "-"]),
        "dice": st.sampled_from(["d6", "higher_of_two", "2d6"]),
        "facing": st.sampled_from(["front", "side"]),
    }
)
TARGET = st.fixed_dictionaries(
    {
        "front": st.integers(10, 13),
        "side": st.integers(10, 13),
        "weapons": st.integers(0, 2),
        "types": st.sampled_from([(), ("open_topped",), ("skimmer",)]),
        "immobilised": st.booleans(),
        "cover": st.sampled_from([None, 3, 4, 5]),
    }
)
Given = dict[str, Any]
quickly = settings(max_examples=20)


def shoot(target: Given, *guns: Given, **rulings: Any) -> Answer:
    """Return the odds of a volley."""
    return V5.ask("shoot", **target, guns=guns, measures=(*HARM, *EXPECTED), **rulings)


@pytest.mark.clause("V5-PEN-1")
@quickly
@given(TARGET, GUN)
def test_more_armour_never_means_more_harm(target: Given, gun: Given):
    thicker = {**target, "front": target["front"] + 1, "side": target["side"] + 1}
    assert never_less(shoot(thicker, gun), shoot(target, gun), *HARM, *EXPECTED[:1], *EXPECTED[2:])


@quickly
@given(TARGET, GUN, st.sampled_from(["shots", "strength", "bs"]))
def test_more_shots_strength_or_skill_never_do_less(target: Given, gun: Given, number: str):
    assert never_less(shoot(target, gun), shoot(target, {**gun, number: gun[number] + 1}), *HARM)


@pytest.mark.clause("V5-DMGMOD-2")
@quickly
@given(TARGET, GUN)
def test_better_ap_never_does_less(target: Given, gun: Given):
    answers = [shoot(target, {**gun, "ap": ap}) for ap in ("-", 4, 1)]
    assert all(never_less(worse, better, *HARM) for worse, better in pairwise(answers))


@pytest.mark.clause("V5-SHOT-10")
@quickly
@given(TARGET, GUN)
def test_better_cover_never_harms_the_target(target: Given, gun: Given):
    answers = [shoot({**target, "cover": cover}, gun) for cover in (3, 4, 5, 6, None)]
    assert all(never_less(safer, barer, *HARM) for safer, barer in pairwise(answers))


@quickly
@given(TARGET, GUN, GUN)
def test_the_order_of_guns_changes_no_chance_that_the_vehicle_is_destroyed(target: Given, gun: Given, other: Given):
    assert alike(shoot(target, gun, other), shoot(target, other, gun), ("destroyed", *EXPECTED))


@quickly
@given(TARGET, GUN, GUN, st.integers(1, 3))
def test_the_order_of_equal_guns_does_not_matter(target: Given, gun: Given, other: Given, shots: int):
    equal = {**gun, "shots": shots}
    assert alike(shoot(target, gun, equal, other), shoot(target, equal, gun, other))


@pytest.mark.clause("V5-VOLLEY-2")
@quickly
@given(TARGET, GUN, st.integers(1, 3), st.sampled_from(["sequential", "batch"]))
def test_a_volley_in_two_entries_is_the_volley_in_one(target: Given, gun: Given, more: int, order: str):
    whole = {**gun, "shots": gun["shots"] + more}
    parts = (gun, {**gun, "shots": more})
    assert alike(shoot(target, whole, volley_order=order), shoot(target, *parts, volley_order=order))


@pytest.mark.clause("V5-VOLLEY-2")
@quickly
@given(TARGET, GUN, GUN)
def test_the_order_of_results_changes_no_chance_that_the_vehicle_is_destroyed(target: Given, gun: Given, other: Given):
    first, second = (shoot(target, gun, other, volley_order=order) for order in ("sequential", "batch"))
    assert alike(first, second, ("destroyed", *EXPECTED))


RULES = ["melta", "rending", "lance", "tank_hunters", "twin_linked"]
ATTACKERS = st.fixed_dictionaries(
    {
        "models": st.integers(1, 4),
        "attacks": st.integers(1, 2),
        "strength": st.integers(3, 8),
        "dice": st.sampled_from(["d6", "2d6"]),
    }
)


def assault(target: Given, *attackers: Given) -> Answer:
    """Return the odds of an assault on a vehicle that drove at combat speed."""
    vehicle = {name: value for name, value in target.items() if name != "cover"}
    return V5.ask("assault", **vehicle, band="combat", attackers=attackers, measures=(*HARM, *EXPECTED))


@pytest.mark.clause("V5-PEN-1")
@quickly
@given(TARGET, GUN, st.permutations(RULES), st.integers(2, 4))
def test_the_order_of_special_rules_does_not_matter(target: Given, gun: Given, shuffled: list[str], number: int):
    chosen = sorted(shuffled[:number])
    first, second = (shoot(target, {**gun, "rules": rules}) for rules in (chosen, shuffled[:number]))
    assert alike(first, second)


@pytest.mark.clause("V5-ASLT-3")
@quickly
@given(TARGET, ATTACKERS, st.integers(1, 3))
def test_attackers_in_two_entries_are_the_attackers_in_one(target: Given, group: Given, more: int):
    whole = {**group, "models": group["models"] + more}
    assert alike(assault(target, whole), assault(target, group, {**group, "models": more}))


@pytest.mark.clause("V5-ASLT-3")
@quickly
@given(TARGET, ATTACKERS, st.sampled_from(["models", "attacks", "strength"]))
def test_more_attackers_or_strength_never_do_less(target: Given, group: Given, number: str):
    assert never_less(assault(target, group), assault(target, {**group, number: group[number] + 1}), *HARM)


@pytest.mark.clause("V5-ASLT-3")
@quickly
@given(TARGET, ATTACKERS, ATTACKERS)
def test_the_order_of_attackers_changes_no_chance_that_the_vehicle_is_destroyed(
    target: Given, group: Given, other: Given
):
    assert alike(assault(target, group, other), assault(target, other, group), ("destroyed", *EXPECTED))
