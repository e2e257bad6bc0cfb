"""What must hold for any damage, as there are no dice: more armour never more harm, and order does not matter."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from battletape.answer import Answer
from tests.properties import alike, never_less

DL = ruleset("diceless40k")
HARM = ("dmg", "hp_lost", "removed")
VEHICLE_HARM = ("dmg", "glancing", "penetrating", "destroyed")
GUN = st.fixed_dictionaries(
    {
        "models": st.integers(1, 8),
        "bs": st.integers(1, 6),
        "strength": st.integers(2, 9),
        "ap": st.sampled_from([None, 2, 3, 4, 5, 6]),
        "shots": st.integers(1, 3),
    }
)
TARGET = st.fixed_dictionaries(
    {
        "models": st.integers(1, 12),
        "toughness": st.integers(2, 7),
        "wounds": st.integers(1, 3),
        "armour": st.sampled_from([None, 2, 3, 4, 5, 6]),
        "invulnerable": st.sampled_from([None, 4, 5, 6]),
        "cover": st.sampled_from([None, 3, 4, 5]),
        "recorded": st.integers(0, 9),
    }
)
VEHICLE_GUN = st.fixed_dictionaries(
    {
        "weapons": st.integers(1, 3),
        "bs": st.integers(1, 6),
        "strength": st.integers(4, 9),
        "ap": st.sampled_from([None, 1, 2, 4]),
        "shots": st.integers(1, 3),
    }
)
VEHICLE = st.fixed_dictionaries(
    {
        "av": st.integers(10, 13),
        "vehicle_weapons": st.sampled_from([("cannon",), ("cannon", "flamer")]),
        "cover": st.sampled_from([None, 4, 5]),
        "line_c": st.integers(0, 20),
        "line_e": st.integers(0, 20),
    }
)
Given = dict[str, Any]
quickly = settings(max_examples=40)


def shoot(target: Given, *guns: Given, **rulings: Any) -> Answer:
    """Return what shots do to a unit."""
    return DL.ask("shoot", **target, guns=guns, measures=HARM, **rulings)


def shoot_vehicle(vehicle: Given, *guns: Given, **rulings: Any) -> Answer:
    """Return what shots do to a vehicle."""
    return DL.ask("shoot_vehicle", **vehicle, guns=guns, measures=VEHICLE_HARM, **rulings)


@pytest.mark.clause("DL-20.1")
@quickly
@given(TARGET, GUN, st.sampled_from(["armour", "invulnerable", "cover"]))
def test_a_better_save_never_harms_the_target(target: Given, gun: Given, save: str):
    answers = [shoot({**target, save: number}, gun) for number in (2, 3, 4, 5, 6, None)]
    assert all(never_less(safer, barer, *HARM) for safer, barer in pairwise(answers))


@pytest.mark.clause("DL-19.1")
@quickly
@given(TARGET, GUN, st.sampled_from([("models", 1), ("bs", 1), ("strength", 1), ("shots", 1)]))
def test_more_damage_points_never_mean_fewer_casualties(target: Given, gun: Given, change: tuple[str, int]):
    number, step = change
    assert never_less(shoot(target, gun), shoot(target, {**gun, number: gun[number] + step}), *HARM)


@pytest.mark.clause("DL-24.1")
@quickly
@given(TARGET, st.integers(0, 900), st.sampled_from([None, 2, 4, 6]))
def test_a_larger_packet_never_means_fewer_casualties(target: Given, dmg: int, ap: Any):
    fewer, more = (DL.ask("casualties", **target, dmg=points, ap=ap) for points in (dmg, dmg + 1))
    assert never_less(fewer, more, "hp_lost", "removed")


@pytest.mark.clause("DL-19.2")
@quickly
@given(TARGET, GUN, st.integers(1, 8))
def test_a_volley_in_two_entries_is_the_volley_in_one(target: Given, gun: Given, more: int):
    whole, part = {**gun, "models": gun["models"] + more}, {**gun, "models": more}
    assert alike(shoot(target, whole), shoot(target, gun, part), HARM)


@pytest.mark.clause("DL-19.2", "DL-25.2")
@quickly
@given(TARGET, GUN, GUN)
def test_the_order_of_guns_does_not_matter(target: Given, gun: Given, other: Given):
    assert alike(shoot(target, gun, other), shoot(target, other, gun), HARM)


@pytest.mark.clause("DL-60.1")
@quickly
@given(VEHICLE, VEHICLE_GUN)
def test_more_armour_never_means_more_harm(vehicle: Given, gun: Given):
    thicker = {**vehicle, "av": vehicle["av"] + 1}
    assert never_less(shoot_vehicle(thicker, gun), shoot_vehicle(vehicle, gun), "destroyed", "dmg")


@pytest.mark.clause("DL-60.1")
@quickly
@given(VEHICLE, VEHICLE_GUN, st.sampled_from(["weapons", "bs", "strength", "shots"]))
def test_a_stronger_volley_never_does_less_to_a_vehicle(vehicle: Given, gun: Given, number: str):
    stronger = shoot_vehicle(vehicle, {**gun, number: gun[number] + 1})
    assert never_less(shoot_vehicle(vehicle, gun), stronger, "dmg", "destroyed")


@pytest.mark.clause("DL-60.12")
@quickly
@given(VEHICLE, VEHICLE_GUN, st.integers(1, 3))
def test_a_volley_at_a_vehicle_in_two_entries_is_the_volley_in_one(vehicle: Given, gun: Given, more: int):
    whole, part = {**gun, "weapons": gun["weapons"] + more}, {**gun, "weapons": more}
    assert alike(shoot_vehicle(vehicle, whole), shoot_vehicle(vehicle, gun, part), VEHICLE_HARM)


@pytest.mark.clause("DL-60.12")
@quickly
@given(VEHICLE, VEHICLE_GUN, st.integers(1, 3))
def test_the_order_of_equal_guns_at_a_vehicle_does_not_matter(vehicle: Given, gun: Given, more: int):
    equal = {**gun, "weapons": more}
    assert alike(shoot_vehicle(vehicle, gun, equal), shoot_vehicle(vehicle, equal, gun), VEHICLE_HARM)


@pytest.mark.clause("DL-19.1")
@quickly
@given(TARGET, GUN, st.permutations(["rending", "poisoned_4", "twin_linked", "ignores_cover"]), st.integers(2, 4))
def test_the_order_of_special_rules_does_not_matter(target: Given, gun: Given, shuffled: list[str], number: int):
    chosen = sorted(shuffled[:number])
    first, second = (shoot(target, {**gun, "rules": rules}) for rules in (chosen, shuffled[:number]))
    assert alike(first, second, HARM)
