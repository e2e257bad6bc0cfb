"""Hit points, and the groups of identical models that a profile makes."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.errors import BadInput
from battletape.rulesets.diceless40k.profiles.book import book
from battletape.rulesets.diceless40k.profiles.types import GroupProfile, UnitProfile
from battletape.rulesets.diceless40k.rules import characteristics
from battletape.rulesets.diceless40k.rules.leadership import order_points_at_start
from battletape.rulesets.diceless40k.rulings import Rulings
from tests.diceless40k.vectors import vectors


@pytest.mark.clause("DL-6.1")
@pytest.mark.parametrize(("given", "expect"), vectors("hit_points"))
def test_the_hit_points_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert characteristics.hit_points(given["W"], given["T"]) == expect["HP"]


@pytest.mark.clause("DL-6.1", "DL-6.3", "DL-6.4")
@pytest.mark.parametrize(
    ("name", "numbers"),
    [("Ork Boyz", (4, 2, 3, 4, 2, 2, 7, 6, 40)), ("Space Marines", (4, 4, 4, 4, 4, 1, 8, 3, 40))],
)
def test_the_sample_profiles_of_the_document(name: str, numbers: tuple[int, ...]):
    *_, group = characteristics.groups_of(book().find("unit", name))
    shown = (group.ws, group.bs, group.strength, group.toughness, group.initiative, group.attacks, group.ld)
    assert (*shown, group.armour, group.hp) == numbers
    assert order_points_at_start() == 0


@pytest.mark.clause("DL-6.1")
@pytest.mark.parametrize(("wounds", "toughness"), [(0, 4), (1, 0), (-1, 4)])
def test_a_model_without_wounds_or_toughness_is_refused(wounds: int, toughness: int):
    with pytest.raises(BadInput, match=r"DL-6\.1"):
        characteristics.hit_points(wounds, toughness)


@pytest.mark.clause("DL-6.1")
def test_a_bracketed_toughness_counts_for_hit_points_or_not():
    bikers = UnitProfile(name="bikers", type="bike", toughness=4, toughness_bonus=1)
    (group,) = characteristics.groups_of(bikers)
    assert (group.hp, group.toughness, group.own_toughness) == (50, 5, 4)
    (group,) = characteristics.groups_of(bikers, Rulings(bracketed_hp="lower"))
    assert group.hp == 40


@pytest.mark.clause("DL-25.1")
def test_groups_of_a_complex_unit():
    squad = UnitProfile(
        name="squad",
        models=2,
        armour=3,
        weapons=("bolter",),
        rules=(characteristics.STUBBORN,),
        groups=(
            GroupProfile(name="sergeant", attacks=2, ld=9, rules=(characteristics.FEARLESS,)),
            GroupProfile(name="launchers", models=2, weapons=("missile launcher",)),
        ),
    )
    sergeant, launchers, others = characteristics.groups_of(squad)
    assert [group.hp_left for group in (sergeant, launchers, others)] == [40, 80, 80]
    assert (sergeant.name, sergeant.attacks, sergeant.ld, sergeant.weapons) == ("sergeant", 2, 9, ("bolter",))
    assert (sergeant.rules, launchers.rules) == ((characteristics.FEARLESS,), (characteristics.STUBBORN,))
    assert (launchers.weapons, others.name, others.weapons) == (("missile launcher",), "squad", ("bolter",))


@pytest.mark.clause("DL-31.10", "DL-38.1")
def test_what_most_models_have_counts_and_the_higher_of_two():
    unit = (
        characteristics.Group("a", 2, 40, toughness=3),
        characteristics.Group("b", 3, 40, toughness=4),
        characteristics.Group("gone", 0, 40, toughness=9),
    )
    assert characteristics.majority(unit, lambda group: group.toughness) == 4
    assert characteristics.majority(unit[:1] * 2 + unit[1:], lambda group: group.toughness) == 3
    assert (
        characteristics.majority(
            (characteristics.Group("a", 2, 40, ws=3), characteristics.Group("b", 2, 40, ws=4)), lambda group: group.ws
        )
        == 4
    )
    assert characteristics.majority((), lambda group: group.ws) == 0
