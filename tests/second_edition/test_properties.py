"""What must hold for any shot, in exact odds: better saves never more harm, more dice never fewer casualties."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from battletape.answer import Answer
from tests.properties import alike, never_less

SE = ruleset("second_edition")
HARM = ("casualties", "wounds_lost", "wiped_out")
SAVE = st.sampled_from([None, 3, 4, 5, 6])
SHOT = st.fixed_dictionaries(
    {
        "need": st.integers(2, 8),
        "strength": st.integers(2, 10),
        "damage": st.sampled_from(["1", "2", "d3"]),
        "save_modifier": st.integers(-3, 0),
        "shots": st.integers(1, 3),
    }
)
TARGET = st.fixed_dictionaries(
    {
        "toughness": st.integers(2, 8),
        "wounds": st.integers(1, 3),
        "models": st.integers(1, 3),
        "save": SAVE,
        "save_dice": st.sampled_from(["1d6", "2d6"]),
        "field_save": SAVE,
    }
)
RULINGS = st.fixed_dictionaries(
    {
        "above_six": st.sampled_from(["second_die", "never"]),
        "beyond_chart": st.sampled_from(["as_ten", "by_difference"]),
        "save_of_one": st.sampled_from(["fails", "counts"]),
    }
)
Given = dict[str, Any]
quickly = settings(max_examples=20)


def shoot(*given: Given) -> Answer:
    """Return the odds of shots, by inputs and rulings of which the last count."""
    return SE.ask("shoot", **{name: value for part in given for name, value in part.items()}, measures=HARM)


@pytest.mark.clause("SE-18", "SE-21")
@quickly
@given(TARGET, SHOT, RULINGS)
def test_more_toughness_never_means_more_harm(target: Given, shot: Given, rulings: Given):
    tougher = shoot(target, shot, rulings, {"toughness": target["toughness"] + 1})
    assert never_less(tougher, shoot(target, shot, rulings), *HARM)


@pytest.mark.clause("SE-18", "SE-27")
@quickly
@given(TARGET, SHOT, RULINGS, st.sampled_from([("strength", 1), ("shots", 1), ("save_modifier", -1), ("need", -1)]))
def test_a_stronger_attack_never_does_less(target: Given, shot: Given, rulings: Given, change: tuple[str, int]):
    number, step = change
    if shot["need"] + step >= 1:
        stronger = shoot(target, shot, rulings, {number: shot[number] + step})
        assert never_less(shoot(target, shot, rulings), stronger, *HARM)


@pytest.mark.clause("SE-26", "SE-30")
@quickly
@given(TARGET, SHOT, RULINGS, st.sampled_from(["save", "field_save", "area_save", "aura"]))
def test_a_better_save_never_harms_the_target(target: Given, shot: Given, rulings: Given, save: str):
    answers = [shoot(target, shot, rulings, {save: number}) for number in (2, 3, 4, 5, 6, None)]
    assert all(never_less(safer, barer, *HARM) for safer, barer in pairwise(answers))


@pytest.mark.clause("SE-23")
@quickly
@given(TARGET, SHOT, RULINGS)
def test_saves_before_or_after_the_wound_have_the_same_odds(target: Given, shot: Given, rulings: Given):
    after, before = (shoot(target, shot, rulings, {"save_order": order}) for order in ("after_wound", "before_wound"))
    assert alike(after, before)


@pytest.mark.clause("SE-24")
@quickly
@given(TARGET, SHOT, RULINGS, st.integers(1, 3))
def test_a_volley_in_two_entries_is_the_volley_in_one(target: Given, shot: Given, rulings: Given, more: int):
    """Models of one wound fall one by one, so the casualties of two volleys add up until nobody is left."""
    single = {**target, "wounds": 1, "models": 8}
    first, second = (shoot(single, shot, rulings, {"shots": shots}) for shots in (shot["shots"], more))
    whole = shoot(single, shot, rulings, {"shots": shot["shots"] + more})
    sums: dict[int, Fraction] = {}
    for fallen, chance in first.odds("casualties").fractions().items():
        for further, of_them in second.odds("casualties").fractions().items():
            sums[fallen + further] = sums.get(fallen + further, Fraction(0)) + chance * of_them
    assert whole.odds("casualties").fractions() == {number: chance for number, chance in sorted(sums.items()) if chance}


@pytest.mark.clause("SE-104")
@quickly
@given(st.integers(2, 7), st.integers(2, 8), SAVE, st.permutations([("Ada", 0), ("Bo", 1), ("Cy", 2)]))
def test_the_order_of_models_close_by_changes_no_casualties_of_a_burst(
    need: int, toughness: int, save: Any, close: Any
):
    def burst(models: Any) -> Answer:
        apart = [{"name": name, "harder": harder} for name, harder in models]
        given = {"need": need, "toughness": toughness, "save": save, "sustained": 1, "apart": apart}
        return SE.ask("sustained", **given, allocation="spread", measures=["casualties", "hits"])

    assert alike(burst(close), burst(sorted(close)), ("casualties", "hits"))


@pytest.mark.clause("SE-102")
@quickly
@given(st.integers(2, 7), st.integers(2, 8), SAVE, st.integers(1, 3))
def test_more_sustained_fire_dice_never_mean_fewer_casualties(need: int, toughness: int, save: Any, dice: int):
    given = {"need": need, "toughness": toughness, "save": save, "sustained": 4, "models": 5, "allocation": "target"}
    fewer, more = (SE.ask("sustained", **given, dice=number, measures=["casualties"]) for number in (dice, dice + 1))
    assert never_less(fewer, more, "casualties")


@pytest.mark.clause("SE-24")
@quickly
@given(TARGET, SHOT, RULINGS, st.integers(1, 3), st.integers(1, 3))
def test_more_dice_never_mean_fewer_casualties_of_models_with_wounds(
    target: Given, shot: Given, rulings: Given, shots: int, more: int
):
    crowd = {**target, "models": 6}
    answers = [shoot(crowd, shot, rulings, {"shots": number}) for number in (shots, shots + more)]
    assert never_less(*answers, *HARM)


@pytest.mark.clause("SE-86", "SE-111")
@quickly
@given(st.integers(2, 7), st.integers(2, 8), st.permutations(["incendiary", "linked", "recharges"]), st.integers(2, 3))
def test_the_order_of_special_rules_does_not_matter(need: int, toughness: int, shuffled: list[str], number: int):
    def burst(rules: list[str]) -> Answer:
        measures = ["casualties", "on_fire", "jammed"]
        given = {"need": need, "toughness": toughness, "sustained": 1, "turns": 2, "rules": rules}
        return SE.ask("sustained", **given, measures=measures)

    assert alike(burst(sorted(shuffled[:number])), burst(shuffled[:number]))
