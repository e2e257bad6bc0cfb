"""One hit on one model, in the order of the rules; shots at one model and at a squad by a second way."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from battletape.rulesets.second_edition.profiles.types import WeaponProfile
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model, fire_that_stays
from battletape.rulesets.second_edition.rules.keywords import INCENDIARY, hit_of, prepare_hit, take_hit
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.tape.script import Script
from tests.second_edition import by_hand

SYSTEM = ruleset("second_edition")
FLAMER = Hit(4, save_modifier=-2, area=True, rules=(INCENDIARY,))


@pytest.mark.clause("SE-23", "SE-25")
def test_the_order_to_hit_to_wound_save_damage_casualty_fire():
    shot = {"bs": 4, "strength": 4, "toughness": 4, "save": 3, "wounds": 3, "damage": "D6", "incendiary": True}
    tape = Script(3, 4, 2, 2, 4)
    made = SYSTEM.roll("shoot", **shot, tape=tape)
    assert [line.question for line in made.log if line.question] == [
        "to hit",
        "to wound",
        "armour save",
        "damage",
        "catches fire",
    ]
    assert (made.results["wounds_lost"], made.results["on_fire"]) == (2, 1)


@pytest.mark.clause("SE-25")
def test_a_save_that_passes_stops_all_damage():
    assert take_hit(Script(6, 3), Condition(5), prepare_hit(Hit(4, "2D6"), Model(4, 5, save=3))) == Condition(5)


@pytest.mark.clause("SE-23", "SE-32")
@pytest.mark.parametrize("shots", [1, 2, 5])
def test_shots_at_one_model_agree_with_plain_loops(shots: int):
    shot = {"bs": 3, "strength": 5, "toughness": 4, "save": 4, "save_modifier": -1, "wounds": 3, "damage": "D3"}
    through = by_hand.hit_chance(4) * by_hand.wound_chance(5, 4) * (1 - by_hand.save_chance(4, -1))
    left = SYSTEM.ask("shoot", **shot, shots=shots, measures=["wounds_left"]).odds("wounds_left")
    assert left.fractions() == by_hand.after_hits(3, shots, through, "D3")


@pytest.mark.clause("SE-23", "SE-24")
def test_shots_at_a_squad_of_one_wound_each_are_binomial_until_nobody_is_left():
    shot = {"bs": 4, "strength": 4, "toughness": 3, "save": 6, "save_modifier": -1}
    p = by_hand.hit_chance(3) * by_hand.wound_chance(4, 3)
    fallen = SYSTEM.ask("shoot", **shot, shots=6, models=4).odds("casualties").fractions()
    plain = by_hand.binomial(6, p)
    assert fallen == {0: plain[0], 1: plain[1], 2: plain[2], 3: plain[3], 4: plain[4] + plain[5] + plain[6]}


@pytest.mark.clause("SE-86", "SE-98")
def test_whoever_survives_an_incendiary_hit_may_burn():
    blow = prepare_hit(FLAMER, Model(3, 1, save=6))
    assert take_hit(Script(1, 4), Condition(1), blow).on_fire == FLAMER
    assert take_hit(Script(1, 3), Condition(1), blow).on_fire is None
    assert take_hit(Script(6), Condition(1), blow) == Condition(0)
    odds = SYSTEM.ask("shoot", automatic=True, strength=4, toughness=4, save=3, save_modifier=-2, incendiary=True)
    assert odds.odds("casualties").chance(1) == Fraction(1, 3)
    assert odds.odds("on_fire").chance(1) == Fraction(1, 3)


@pytest.mark.clause("SE-98")
def test_a_burning_model_keeps_the_stronger_fire_without_a_roll():
    hotter, piercing = (Hit(strength, save_modifier=-3, rules=(INCENDIARY,)) for strength in (5, 4))
    burning = Condition(1, FLAMER)
    model = Model(10, 1)
    assert take_hit(Script(), burning, prepare_hit(hotter, model)).on_fire == hotter
    assert take_hit(Script(), burning, prepare_hit(piercing, model)).on_fire == piercing
    assert take_hit(Script(), Condition(1, hotter), prepare_hit(FLAMER, model)).on_fire == hotter
    harder = Hit(4, damage="D6", save_modifier=-2, area=True, rules=(INCENDIARY,))
    assert (
        fire_that_stays(FLAMER, harder) == FLAMER != harder
    )  # they differ in Damage alone: equal heat, the first stays


@pytest.mark.clause("SE-96")
def test_hits_on_a_vehicle_are_counted_for_armour_penetration():
    made = SYSTEM.roll("shoot", unit="Mule carrier", bs=4, strength=9, shots=3, tape=Script(3, 1, 5))
    assert made.results["vehicle_hits"] == 2
    assert take_hit(Script(4), Condition(1), prepare_hit(FLAMER, Model(None))) == Condition(1, FLAMER, 1, just_lit=True)


@pytest.mark.clause("SE-117")
def test_the_hit_of_a_profile():
    weapon = WeaponProfile(name="Flamer", strength=4, save_modifier=-2, template="medium", incendiary=True)
    assert hit_of(weapon) == Hit(4, "1", -2, True, (INCENDIARY,), False, "Flamer")


@pytest.mark.clause("SE-23")
def test_saves_before_wounds_give_the_same_odds():
    blow = prepare_hit(Hit(4), Model(4, 1, save=4), Rulings(save_order="before_wound"))
    assert take_hit(Script(3, 4), Condition(1), blow).is_dead  # the save first, then the wound
    shot = {"bs": 3, "strength": 4, "toughness": 4, "save": 4, "wounds": 2, "damage": "D3", "shots": 3}
    usual, other = (
        SYSTEM.ask("shoot", **shot, save_order=order).odds("wounds_lost").fractions()
        for order in ("after_wound", "before_wound")
    )
    assert usual == other


@pytest.mark.clause("SE-13", "SE-19", "SE-22", "SE-27", "SE-30")
@settings(max_examples=150, deadline=None)
@given(
    need=st.integers(-1, 11),
    strength=st.integers(1, 10),
    toughness=st.integers(1, 10),
    save=st.none() | st.integers(2, 6),
    modifier=st.integers(-8, 1),
    dice=st.sampled_from((1, 2)),
    wounds=st.integers(1, 5),
    damage=st.sampled_from(("1", "2", "D3", "D6", "2D6")),
    shots=st.integers(1, 6),
)
def test_any_shots_agree_with_plain_loops(
    need: int,
    strength: int,
    toughness: int,
    save: int | None,
    modifier: int,
    dice: int,
    wounds: int,
    damage: str,
    shots: int,
):
    through = by_hand.hit_chance(need) * by_hand.wound_chance(strength, toughness)
    through *= 1 - by_hand.save_chance(save, modifier, dice)
    armour = {"save": save, "save_dice": f"{dice}d6", "save_modifier": modifier}
    target = {"strength": strength, "toughness": toughness, "wounds": wounds, "damage": damage, **armour}
    left = SYSTEM.ask("shoot", need=need, shots=shots, measures=["wounds_left"], **target).odds("wounds_left")
    assert left.fractions() == by_hand.after_hits(wounds, shots, through, damage)
