"""Properties of any attack, in exact odds: more armour never more harm, more skill and attacks never less."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from battletape.answer import Answer
from tests.properties import alike, never_less

DW = ruleset("deathwatch")
HARM = ("dead", "hurt")
"""Not `damage`: the dead are not attacked again, so a target that dies of the first hit may take less."""
GUN = st.fixed_dictionaries(
    {
        "damage": st.sampled_from(["1d10+3", "1d10+9", "2d10+2", "1d5+6"]),
        "pen": st.integers(0, 8),
        "qualities": st.sampled_from([(), ("Tearing",), ("Razor Sharp",), ("Felling (1)",), ("Storm",)]),
        "mode": st.sampled_from(["single", "semi", "full"]),
        "to_hit": st.integers(5, 90),
        "fury": st.sampled_from(["none", "confirm"]),
    }
)
TARGET = st.fixed_dictionaries(
    {
        **{place: st.integers(0, 10) for place in ("head", "arm", "body", "leg")},
        "tb": st.integers(2, 5),
        "unnatural_toughness": st.integers(1, 2),
        "wounds": st.integers(4, 14),
        "dodge": st.sampled_from([30, 50]),
        "reaction": st.sampled_from(["none", "dodge"]),
        "minion": st.just(True),  # a row of the critical tables may be milder in one thing than the row before it
    }
)
RULINGS = st.fixed_dictionaries(
    {
        "degrees": st.sampled_from(["complete_tens", "plus_one"]),
        "hit_location": st.sampled_from(["reversed", "fresh", "unpadded"]),
        "multi_dodge": st.sampled_from(["one_plus_dos", "one_hit"]),
        "tearing": st.sampled_from(["extra_die_drop_lowest", "each_die_best_of_two"]),
        "felling": st.sampled_from(["one_step_each", "whole_trait"]),
    }
)
HORDE = st.fixed_dictionaries(
    {
        "magnitude": st.integers(5, 35),
        "horde_ap": st.integers(0, 6),
        "horde_tb": st.integers(2, 5),
        "mode": st.sampled_from(["single", "semi", "full"]),
        "to_hit": st.integers(5, 90),
        "pen": st.integers(0, 5),
        "qualities": st.sampled_from([(), ("Tearing",), ("Blast (3)",), ("Devastating (1)",)]),
        "damage_type": st.sampled_from(["I", "X"]),
    }
)
Given = dict[str, Any]
quickly = settings(max_examples=15)


def shoot(*given: Given) -> Answer:
    """Return the odds of an attack, by inputs and rulings of which the last count."""
    merged = {name: value for part in given for name, value in part.items()}
    return DW.ask("shoot", **merged, measures=(*HARM, "damage"))


def fire_at_horde(*given: Given) -> Answer:
    """Return the odds of fire on a horde."""
    return DW.ask("horde", **{name: value for part in given for name, value in part.items()}, measures=["lost"])


@pytest.mark.clause("DW-DMG-1", "DW-ARM-1")
@quickly
@given(TARGET, GUN, RULINGS, st.sampled_from(["head", "arm", "body", "leg", "tb"]), st.integers(1, 4))
def test_more_armour_never_means_more_harm(target: Given, gun: Given, rulings: Given, place: str, more: int):
    tougher = shoot(target, gun, rulings, {place: target[place] + more})
    assert never_less(tougher, shoot(target, gun, rulings), *HARM)


@pytest.mark.clause("DW-DMG-1", "DW-ARM-1")
@quickly
@given(TARGET, GUN, RULINGS, st.booleans(), st.sampled_from([("pen", -1), ("body", 1), ("leg", 2), ("tb", 1)]))
def test_more_armour_never_means_more_damage_of_a_single_shot(
    target: Given, gun: Given, rulings: Given, minion: bool, change: tuple[str, int]
):
    number, step = change
    single = {
        **gun,
        "minion": minion,
        "mode": "single",
        "qualities": [name for name in gun["qualities"] if name != "Storm"],
    }
    now = {**target, **gun}[number]
    if now + step >= 0:
        weaker = shoot(target, single, rulings, {number: now + step})
        assert never_less(weaker, shoot(target, single, rulings), "damage", *HARM)


@pytest.mark.clause("DW-DMG-2")
@quickly
@given(TARGET, GUN, RULINGS)
def test_more_wounds_never_make_death_likelier(target: Given, gun: Given, rulings: Given):
    answers = [shoot(target, gun, rulings, {"wounds": target["wounds"] + more}) for more in (3, 1, 0)]
    assert all(never_less(healthier, weaker, "dead") for healthier, weaker in pairwise(answers))


@pytest.mark.clause("DW-PIPE-1")
@quickly
@given(TARGET, GUN, RULINGS, st.sampled_from([("pen", 2), ("to_hit", 1), ("to_hit", 10), ("shots", 1)]))
def test_a_better_attack_never_does_less(target: Given, gun: Given, rulings: Given, change: tuple[str, int]):
    number, step = change
    now = {"shots": 1, **gun}[number]
    assert never_less(shoot(target, gun, rulings), shoot(target, gun, rulings, {number: now + step}), *HARM)


@pytest.mark.clause("DW-EVA-2")
@quickly
@given(TARGET, GUN, RULINGS)
def test_a_dodge_never_harms_the_dodger_and_a_better_one_helps_more(target: Given, gun: Given, rulings: Given):
    dodges = [{"reaction": "dodge", "dodge": dodge} for dodge in (80, 50, 20)]
    answers = [shoot(target, gun, rulings, dodge) for dodge in (*dodges, {"reaction": "none"})]
    assert all(never_less(safer, barer, *HARM) for safer, barer in pairwise(answers))


@pytest.mark.clause("DW-HORDE-4", "DW-HORDE-5")
@quickly
@given(HORDE, st.sampled_from([("horde_ap", -1), ("horde_tb", -1), ("to_hit", 10), ("pen", 2), ("turns", 1)]))
def test_a_better_attack_never_takes_less_from_a_horde(horde: Given, change: tuple[str, int]):
    number, step = change
    now = {"turns": 1, **horde}[number]
    if now + step >= 0:
        assert never_less(fire_at_horde(horde), fire_at_horde(horde, {number: now + step}), "lost")


@pytest.mark.clause("DW-HORDE-2")
@quickly
@given(HORDE)
def test_a_horde_never_loses_more_than_it_is(horde: Given):
    lost = fire_at_horde(horde, {"turns": 2}).odds("lost")
    assert sum(lost.fractions().values()) == 1
    assert 0 <= min(lost.values()) <= max(lost.values()) <= horde["magnitude"]


QUALITIES = ["Tearing", "Razor Sharp", "Felling (1)", "Primitive", "Storm", "Toxic", "Shocking"]
DUELLIST = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["melee", "single"]),
        "skill": st.integers(20, 70),
        "damage": st.sampled_from(["1d10+3", "1d10+9", "1d5+6"]),
        "pen": st.integers(0, 6),
        "body": st.integers(0, 8),
        "tb": st.integers(2, 5),
        "wounds": st.integers(4, 14),
    }
)


@pytest.mark.clause("DW-PIPE-1")
@quickly
@given(TARGET, GUN, RULINGS, st.permutations(QUALITIES), st.integers(2, 4))
def test_the_order_of_qualities_does_not_matter(
    target: Given, gun: Given, rulings: Given, shuffled: list[str], number: int
):
    chosen = [name for name in QUALITIES if name in shuffled[:number]]
    first, second = (shoot(target, gun, rulings, {"qualities": names}) for names in (chosen, shuffled[:number]))
    assert alike(first, second)


@pytest.mark.clause("DW-ECON-1")
@quickly
@given(DUELLIST, DUELLIST, st.sampled_from(["a", "b"]))
def test_a_duel_seen_from_the_other_side_is_the_same_duel(one: Given, other: Given, first: str):
    """The order in which two fighters are named does not matter, but for who attacks first."""

    def duel(a: Given, b: Given, begins: str) -> Answer:
        given = {f"{side}_{name}": value for side, who in (("a", a), ("b", b)) for name, value in who.items()}
        return DW.ask("duel", **given, first=begins, rounds=2)

    here, there = duel(one, other, first), duel(other, one, "b" if first == "a" else "a")
    for measure in ("dead", "wounds", "jammed"):
        for side, opposite in ("ab", "ba"):
            seen = there.odds(f"{opposite}_{measure}").fractions()
            assert here.odds(f"{side}_{measure}").fractions() == seen, measure
