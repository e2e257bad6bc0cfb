"""Properties of any question: monotone in Power, Defence, AP, attacks and cover; totals one; means as they must.

The catalogue says it of the printed chart. It holds for the formula as well (see test_formula), for both kinds of
dice and for every modifier policy, and not only for means: the whole distribution moves one way.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from battletape.answer import Answer
from battletape.inputs import fields
from battletape.odds import Odds
from battletape.rulesets.attack_dice.rules.requirement import find_requirement
from battletape.rulesets.attack_dice.rulings import Rulings
from tests.attack_dice import twin
from tests.attack_dice.odds import expected
from tests.properties import alike

SYSTEM = ruleset("attack_dice")
MEASURES = ("casualties", "hp_lost", "damage", "wiped_out")
SAVES = st.sampled_from([None, 2, 3, 4, 5, 6])
RULINGS = st.fixed_dictionaries(
    {
        "dice": st.sampled_from(["dual", "d10", "d6"]),
        "method": st.sampled_from(["chart", "formula"]),
        "chart_errata": st.sampled_from(["printed", "corrected"]),
        "modifier_policy": st.sampled_from(["strict", "natural_max", "spill"]),
        "multiplier": st.sampled_from(["as_written", "attacks", "hp_loss"]),
        "spill": st.sampled_from(["spills", "lost"]),
        "power_zero": st.sampled_from(["formula", "diagonal"]),
        "most_applicable": st.sampled_from(["specific", "favourable"]),
        "formula_caps": st.sampled_from(["capped", "uncapped"]),
        "saves": st.sampled_from(["both", "one"]),
    }
)
INPUTS = st.fixed_dictionaries(
    {
        "attacks": st.integers(1, 5),
        "power": st.integers(0, 22),
        "defence": st.integers(0, 17),
        "armour": SAVES,
        "aegis": SAVES,
        "ap": SAVES,
        "modifier": st.integers(-3, 3),
        "models": st.integers(1, 3),
        "hp": st.integers(1, 3),
    }
)


def odds(rulings: dict[str, Any], inputs: dict[str, Any]) -> dict[str, Odds[int]]:
    answer = SYSTEM.ask("attack", **inputs, **rulings)
    return {measure: answer.odds(measure) for measure in MEASURES}


def assert_never_less(less: dict[str, Odds[int]], more: dict[str, Odds[int]]) -> None:
    """For every amount, the chance of that much or more does not fall."""
    for measure in MEASURES:
        assert less[measure].mean <= more[measure].mean, measure
        for amount in less[measure].weights:
            assert less[measure].at_least(amount) <= more[measure].at_least(amount), (measure, amount)


@pytest.mark.clause("AD-14", "AD-26", "AD-27", "AD-42", "AD-43")
@pytest.mark.parametrize("method", ["chart", "formula"])
@pytest.mark.parametrize("dice", ["d10", "d6"])
def test_every_entry_is_monotone_under_all_rulings(method: Any, dice: Any):
    choices = {one.name: one.choices for one in fields(Rulings)}
    names = ("chart_errata", "power_zero", "most_applicable", "formula_caps", "zero_against_zero", "d6_triple")
    for values in product(*(choices[name] for name in names)):
        rules = Rulings(method=method, dice=dice, **dict(zip(names, values, strict=True)))
        if rules.power_zero == "forbidden":
            continue
        worth = [[expected(find_requirement(p, d, rules), rules) for d in range(18)] for p in range(23)]
        for row in worth:
            assert row == sorted(row, reverse=True), rules
        for column in zip(*worth, strict=True):
            assert list(column) == sorted(column), rules


@pytest.mark.clause("AD-14", "AD-27")
@settings(max_examples=60, deadline=None)
@given(RULINGS, INPUTS)
def test_more_power_never_does_less(rulings: dict[str, Any], inputs: dict[str, Any]):
    assert_never_less(odds(rulings, inputs), odds(rulings, {**inputs, "power": inputs["power"] + 1}))


@pytest.mark.clause("AD-14", "AD-27")
@settings(max_examples=60, deadline=None)
@given(RULINGS, INPUTS)
def test_more_defence_never_suffers_more(rulings: dict[str, Any], inputs: dict[str, Any]):
    assert_never_less(odds(rulings, {**inputs, "defence": inputs["defence"] + 1}), odds(rulings, inputs))


@pytest.mark.clause("AD-51")
@settings(max_examples=60, deadline=None)
@given(RULINGS, INPUTS)
def test_a_better_modifier_never_does_less(rulings: dict[str, Any], inputs: dict[str, Any]):
    assert_never_less(odds(rulings, inputs), odds(rulings, {**inputs, "modifier": inputs["modifier"] + 1}))


@pytest.mark.clause("AD-74")
@settings(max_examples=40, deadline=None)
@given(RULINGS, INPUTS)
def test_better_ap_never_helps_the_target(rulings: dict[str, Any], inputs: dict[str, Any]):
    steps = [odds(rulings, {**inputs, "ap": ap}) for ap in (None, 6, 5, 4, 3, 2)]
    for worse, better in pairwise(steps):
        assert_never_less(worse, better)


@pytest.mark.clause("AD-75", "AD-76")
@settings(max_examples=40, deadline=None)
@given(RULINGS, INPUTS, st.sampled_from(["armour", "aegis"]))
def test_a_better_save_never_harms_the_target(rulings: dict[str, Any], inputs: dict[str, Any], save: str):
    steps = [odds(rulings, {**inputs, save: number}) for number in (2, 3, 4, 5, 6, None)]
    for safer, barer in pairwise(steps):
        assert_never_less(safer, barer)


@pytest.mark.clause("AD-70")
@settings(max_examples=40, deadline=None)
@given(RULINGS, INPUTS)
def test_more_attacks_never_mean_fewer_casualties(rulings: dict[str, Any], inputs: dict[str, Any]):
    assert_never_less(odds(rulings, inputs), odds(rulings, {**inputs, "attacks": inputs["attacks"] + 1}))


@pytest.mark.clause("AD-58")
@settings(max_examples=40, deadline=None)
@given(RULINGS, INPUTS, st.sampled_from(["defence", "armour"]), st.integers(0, 4))
def test_more_cover_never_harms_the_target(rulings: dict[str, Any], inputs: dict[str, Any], stat: str, cover: int):
    less, more = ({**inputs, "cover_stat": stat, "cover": amount} for amount in (cover, cover + 1))
    assert_never_less(odds(rulings, more), odds(rulings, less))


@pytest.mark.clause("AD-80", "AD-81")
@settings(max_examples=60, deadline=None)
@given(RULINGS, INPUTS)
def test_totals_are_one_and_no_unit_loses_more_than_it_has(rulings: dict[str, Any], inputs: dict[str, Any]):
    found = odds(rulings, inputs)
    for one in found.values():
        assert sum(one.fractions().values()) == 1
        assert one.is_exact
    assert max(found["casualties"].values()) <= inputs["models"]
    assert max(found["hp_lost"].values()) <= inputs["models"] * inputs["hp"]
    assert found["hp_lost"].mean <= found["damage"].mean
    assert found["wiped_out"].chance(1) == found["casualties"].chance(inputs["models"])


@pytest.mark.clause("AD-85")
@settings(max_examples=60, deadline=None)
@given(RULINGS, INPUTS)
def test_mean_damage_is_the_product_of_four_numbers(rulings: dict[str, Any], inputs: dict[str, Any]):
    plain = {
        **rulings,
        "power_zero": "formula",
        "most_applicable": "specific",
        "formula_caps": "capped",
        "saves": "both",
    }
    sides = {"dual": (10, 6), "d10": (10, 10), "d6": (6, 6)}[rulings["dice"]]
    corrected = rulings["chart_errata"] == "corrected"
    game = twin.Game(*sides, rulings["method"], corrected, rulings["modifier_policy"])
    entry = twin.find_entry(inputs["power"], inputs["defence"], game)
    hit = twin.hit_chance(entry, inputs["modifier"], game)
    times = entry[1] if entry[0] == "auto" else 1
    through = twin.unsaved(inputs["armour"], inputs["aegis"], inputs["ap"], game.save_sides)
    assert odds(plain, inputs)["damage"].mean == Fraction(inputs["attacks"]) * hit * times * through


WEAPON = ("attacks", "power", "ap")
SECOND = st.fixed_dictionaries({"attacks": st.integers(1, 5), "power": st.integers(0, 22), "ap": SAVES})


def volley(rulings: dict[str, Any], inputs: dict[str, Any], *weapons: dict[str, Any]) -> Answer:
    """Return the odds of a volley of these weapons at the target of the inputs."""
    target = {name: value for name, value in inputs.items() if name not in WEAPON}
    return SYSTEM.ask("volley", weapons=weapons, **target, **rulings)


@pytest.mark.clause("AD-70", "AD-71")
@settings(max_examples=40, deadline=None)
@given(RULINGS, INPUTS, st.integers(1, 3))
def test_a_volley_in_two_entries_is_the_volley_in_one(rulings: dict[str, Any], inputs: dict[str, Any], more: int):
    weapon = {name: inputs[name] for name in WEAPON}
    whole = volley(rulings, inputs, {**weapon, "attacks": weapon["attacks"] + more})
    assert alike(whole, volley(rulings, inputs, weapon, {**weapon, "attacks": more}), MEASURES)


@pytest.mark.clause("AD-66", "AD-82")
@settings(max_examples=40, deadline=None)
@given(RULINGS, INPUTS, SECOND)
def test_the_order_of_weapons_does_not_matter_where_hp_loss_spills(
    rulings: dict[str, Any], inputs: dict[str, Any], second: dict[str, Any]
):
    first, spilling = {name: inputs[name] for name in WEAPON}, {**rulings, "spill": "spills"}
    assert alike(volley(spilling, inputs, first, second), volley(spilling, inputs, second, first), MEASURES)


@pytest.mark.clause("AD-66", "AD-81")
@settings(max_examples=40, deadline=None)
@given(RULINGS, INPUTS, SECOND, st.integers(1, 3))
def test_the_order_of_equal_weapons_does_not_matter(
    rulings: dict[str, Any], inputs: dict[str, Any], second: dict[str, Any], attacks: int
):
    first = {name: inputs[name] for name in WEAPON}
    equal = {**first, "attacks": attacks}
    assert alike(volley(rulings, inputs, first, equal, second), volley(rulings, inputs, equal, first, second), MEASURES)
