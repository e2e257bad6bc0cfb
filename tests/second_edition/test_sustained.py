"""Sustained fire: dice, allocation, jams, turns of fire, and the best number of dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from battletape import Refused, Typed, ruleset
from battletape.answer import sample
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model
from battletape.rulesets.second_edition.rules.guns import Gun
from battletape.rulesets.second_edition.rules.keywords import prepare_hit
from battletape.rulesets.second_edition.rules.sustained import (
    Neighbour,
    WeaponState,
    after_burst,
    allocate_hits,
    clear_jam,
    refuse_clearing,
    refuse_fire,
    refuse_neighbour,
)
from battletape.tape.script import Script
from tests.second_edition import by_hand

SYSTEM = ruleset("second_edition")
HIT = {"automatic": True}
DEADLY = {"strength": 10, "toughness": 1}  # wounds on 2+


def cited(refused: Refused | None) -> str | None:
    """The clause that a refusal names."""
    return None if refused is None else refused.clause


@pytest.mark.clause("SE-7", "SE-101", "SE-102", "SE-106", "SE-107")
@pytest.mark.parametrize("dice", range(1, 5))
def test_hits_and_jams_of_some_dice_face_by_face(dice: int):
    asked = SYSTEM.ask("sustained", **HIT, sustained=4, dice=dice, measures=["burst"])
    assert asked.odds("burst").fractions() == by_hand.bursts(dice)
    assert asked.odds("hits").mean == Fraction(3, 2) * dice
    assert asked.odds("jams").fractions() == by_hand.binomial(dice, Fraction(1, 6))


@pytest.mark.clause("SE-99")
def test_no_special_dice_without_a_hit():
    tape = Script(2)
    made = SYSTEM.roll("sustained", bs=4, dice=2, tape=tape)
    assert made.results["hits"] == made.results["jams"] == 0
    assert made.log[-1].text == "No hit"
    assert made.log[-1].clauses == ("SE-99",)


@pytest.mark.clause("SE-100")
@pytest.mark.parametrize("dice", [1, 2])
def test_from_one_die_to_as_many_as_the_weapon_has(dice: int):
    assert SYSTEM.ask("sustained", sustained=2, dice=dice)


@pytest.mark.clause("SE-101", "SE-105")
def test_all_dice_may_jam_and_then_nothing_is_hit():
    made = SYSTEM.roll("sustained", **HIT, dice=2, tape=Typed(["jam jam"]))
    assert (made.results["hits"], made.results["jams"], made.results["jammed"]) == (0, 2, 1)


@pytest.mark.clause("SE-105", "SE-32")
def test_every_hit_wounds_and_is_saved_by_itself():
    given = {"bs": 4, "modifier": 1, "sustained": 1, "strength": 4, "toughness": 4, "save": 3, "save_modifier": -1}
    asked = SYSTEM.ask("sustained", **given)
    assert asked.odds("casualties").chance(1) == Fraction(625, 2304)
    tape = Script(2, 3, 4, 4, 3, 4, 2)  # hit; 3 hits: wound and save, no wound, wound and no save
    made = SYSTEM.roll("sustained", **given, tape=tape)
    assert made.results["casualties"] == 1
    assert tape.used_up


@pytest.mark.clause("SE-99", "SE-101", "SE-105")
def test_a_burst_at_one_model_agrees_with_plain_loops():
    through = by_hand.wound_chance(8, 4) * (1 - by_hand.save_chance(3, -3, dice=2))
    dead = sum(p * (1 - (1 - through) ** hits) for (hits, _), p in by_hand.bursts(3).items())
    given = {"bs": 4, "sustained": 3, "dice": 3, "strength": 8, "toughness": 4, "save": 3, "save_modifier": -3}
    asked = SYSTEM.ask("sustained", **given, save_dice="2d6", damage="D10")
    assert asked.odds("casualties").chance(1) == by_hand.hit_chance(3) * dead


@pytest.mark.clause("SE-103", "SE-104")
@pytest.mark.parametrize(
    ("hits", "others", "allocation", "expected"),
    [
        (1, 3, "spread", (1,)),
        (3, 3, "spread", (1, 1, 1)),
        (6, 2, "spread", (4, 1, 1)),
        (4, 3, "target", (4,)),
        (2, 0, "spread", (2,)),
    ],
)
def test_the_first_hit_and_what_is_left_over_go_to_the_target(
    hits: int, others: int, allocation: Any, expected: tuple[int, ...]
):
    line = ((Condition(1), others + 1),)
    shares = allocate_hits(Script(), hits, line, others, allocation, prepare_hit(Hit(), Model()))
    assert tuple(taken for _, taken in shares) == expected


@pytest.mark.clause("SE-103", "SE-104", "SE-105")
def test_a_burst_spread_over_a_unit_agrees_with_plain_loops():
    fallen: dict[int, Fraction] = defaultdict(Fraction)
    wound = Fraction(5, 6)
    for (hits, _), chance in by_hand.bursts(2).items():
        taken = (max(hits - 2, 1), 1, 1)[:hits]
        odds = {0: Fraction(1)}
        for count in taken:
            dies = 1 - (1 - wound) ** count
            now: dict[int, Fraction] = defaultdict(Fraction)
            for dead, share in odds.items():
                now[dead] += share * (1 - dies)
                now[dead + 1] += share * dies
            odds = now
        for dead, share in odds.items():
            fallen[dead] += chance * share
    asked = SYSTEM.ask("sustained", **HIT, **DEADLY, dice=2, models=3, allocation="spread")
    assert asked.odds("casualties").fractions() == {dead: share for dead, share in fallen.items() if share}


@pytest.mark.clause("SE-104")
@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (Neighbour(True, 4.0, 4), None),
        (Neighbour(True, 4.1, 4), "distance"),
        (Neighbour(False, 2.0, 4), "unit"),
        (Neighbour(True, 2.0, 5), "need"),
        (Neighbour(True, 2.0, 2), None),
    ],
)
def test_who_may_take_a_further_hit(other: Neighbour, kind: str | None):
    refused = refuse_neighbour(other, 4, 6)
    assert (refused and refused.kind) == kind
    assert refused is None or refused.clause == "SE-104"


@pytest.mark.clause("SE-104")
def test_the_answer_says_who_of_the_neighbours_may_be_hit():
    asked = SYSTEM.ask("sustained", need=4, apart="name=Ada distance=3 ; name=Bo distance=5 ; name=Cy harder=1")
    assert [step.title for step in asked.steps if step.clauses == ("SE-104",)] == [
        "Ada may take further hits",
        "No further hits: Bo is 5 inches from the target; 4 inches would do",
        "No further hits: Cy needs 5 to be hit; the target needs 4",
    ]
    assert max(asked.odds("models_hit").fractions()) == 2


@pytest.mark.clause("SE-106", "SE-108", "SE-109")
def test_a_jam_stops_the_weapon_until_it_is_cleared():
    gun = Gun(dice=2)
    jammed = after_burst(gun, WeaponState(), 2)
    assert jammed == WeaponState(2)
    refused = refuse_fire(jammed, "Storm bolter")
    assert refused is not None
    assert str(refused) == "Storm bolter has 2 jams; clear them first, one in each Shooting phase (SE-108)"
    assert refuse_fire(clear_jam(clear_jam(jammed))) is None


@pytest.mark.clause("SE-109", "SE-48")
def test_there_must_be_a_jam_to_clear_and_a_weapon_that_is_left():
    assert refuse_clearing(WeaponState(1)) is None
    nothing, lost = refuse_clearing(WeaponState()), refuse_clearing(WeaponState(1, destroyed=True))
    assert cited(nothing) == "SE-109"
    assert cited(lost) == "SE-48"
    assert cited(refuse_fire(WeaponState(destroyed=True))) == "SE-48"


@pytest.mark.clause("SE-107", "SE-109", "SE-110")
def test_turn_after_turn_a_jam_is_cleared_before_the_weapon_fires_again():
    tape = Typed(["jam 1", "5", "2 3", "5", "5", "5", "5", "5"])
    made = SYSTEM.roll("sustained", **HIT, toughness=4, models=9, dice=2, allocation="spread", turns=3, tape=tape)
    told = [line.text for line in made.log if not line.question]
    assert told[-6:] == [
        "The weapon has 1 jam",
        "1 model falls",
        "A jam is cleared, 0 jams left",
        "5 hits",
        "Hits: 1 on the target, 1 on each of 4 others",
        "5 models fall",
    ]
    assert made.results["waits"] == 1
    assert made.results["jammed"] == 0


@pytest.mark.clause("SE-109")
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_a_burst_costs_a_sixth_of_a_phase_for_each_die(dice: int):
    asked = SYSTEM.ask("sustained", **HIT, sustained=3, dice=dice)
    assert asked.odds("jams").mean == Fraction(dice, 6)
    assert asked.odds("jammed").chance(1) == 1 - Fraction(5, 6) ** dice


@pytest.mark.clause("SE-106", "SE-108", "SE-109")
@pytest.mark.parametrize("dice", [1, 2])
def test_turns_of_fire_agree_with_plain_loops(dice: int):
    hit, turns = Fraction(2, 3), 3
    odds: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}  # jams on the weapon, hits so far
    for _ in range(turns):
        now: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (jams, hits), chance in odds.items():
            if jams:
                now[jams - 1, hits] += chance
                continue
            now[0, hits] += chance * (1 - hit)
            for (more, new), share in by_hand.bursts(dice).items():
                now[new, hits + more] += chance * hit * share
        odds = now
    asked = SYSTEM.ask("sustained", bs=4, dice=dice, strength="none", turns=turns, goal="hits")
    expected: dict[int, Fraction] = defaultdict(Fraction)
    for (_, hits), chance in odds.items():
        expected[hits] += chance
    assert asked.odds("hits").fractions() == expected
    assert asked.odds("jammed").chance(1) == sum(chance for (jams, _), chance in odds.items() if jams)


@pytest.mark.clause("SE-111")
def test_the_further_rules_of_weapons():
    assert after_burst(Gun(explodes_on=3), WeaponState(), 3).destroyed
    assert not after_burst(Gun(explodes_on=3), WeaponState(), 2).destroyed
    assert after_burst(Gun(recharges=True), WeaponState(), 0).cooling
    assert cited(refuse_fire(WeaponState(cooling=True))) == "SE-111"
    linked = SYSTEM.ask("sustained", **HIT, dice=1, linked=True, measures=["burst"])
    assert linked.odds("burst").fractions() == by_hand.bursts(2)


@pytest.mark.clause("SE-111")
def test_a_weapon_that_recharges_fires_every_other_turn():
    asked = SYSTEM.ask(
        "sustained", **HIT, weapon="Plasma gun", toughness="none", turns=3, goal="hits", measures=["waits"]
    )
    assert asked.odds("waits").chance(1) == 1  # it recharges while a jam is cleared
    assert asked.odds("hits").mean == Fraction(3, 2) * 2


@pytest.mark.clause("SE-96", "SE-101")
def test_hits_on_a_vehicle_are_what_counts():
    asked = SYSTEM.ask("sustained", weapon="Heavy bolter", bs=4, unit="Mule carrier", turns=2)
    assert str(asked).startswith("Take 2 dice: 3.6 hits for armour penetration in 2 turns")
    assert asked.odds("hits").mean == 2 + 2 * (1 - Fraction(2, 3) * Fraction(11, 36))


@pytest.mark.clause("SE-108")
def test_who_begins_with_a_jam_does_in_two_turns_what_others_do_in_one():
    jammed = SYSTEM.ask("sustained", bs=4, models=3, turns=2, jams=1)
    clear = SYSTEM.ask("sustained", bs=4, models=3, turns=1)
    for measure in ("casualties", "jammed"):
        assert jammed.odds(measure).fractions() == clear.odds(measure).fractions()


@pytest.mark.clause("SE-111")
def test_three_jams_of_an_assault_cannon():
    asked = SYSTEM.ask("sustained", **HIT, weapon="Assault cannon", dice=3)
    assert asked.odds("exploded").chance(1) == Fraction(1, 216)
    made = SYSTEM.roll("sustained", **HIT, weapon="Assault cannon", dice=3, tape=Typed(["jam jam jam"]))
    assert made.log[-1].text == "The weapon explodes and is lost"


@pytest.mark.clause("SE-100")
def test_the_best_number_of_dice_is_no_worse_than_any_other():
    given = {"weapon": "Heavy bolter", "shooter": "Grey Lantern brothers", "unit": "Harbour levy", "distance": 15}
    for goal, measure in (
        ("casualties", "casualties"),
        ("kill", "wiped_out"),
        ("hits", "hits"),
        ("wounds", "wounds_lost"),
    ):
        best = SYSTEM.ask("sustained", **given, turns=2, goal=goal, measures=[measure])
        for dice in (1, 2):
            for allocation in ("target", "spread"):
                fixed = {"dice": dice, "allocation": allocation, "turns": 2, "goal": goal}
                other = SYSTEM.ask("sustained", **given, **fixed, measures=[measure])
                assert other.odds(measure).mean <= best.odds(measure).mean


@pytest.mark.clause("SE-100", "SE-108")
def test_a_jam_that_costs_much_makes_one_die_best():
    given = {"weapon": "Heavy bolter", "unit": "Grey Lantern brothers", "models": 1}
    bold, careful = SYSTEM.ask("sustained", **given), SYSTEM.ask("sustained", **given, jam_weight=5)
    assert str(bold).startswith("Take 2 dice: ")
    assert str(careful).startswith("Take 1 die: ")
    assert careful.table is not None
    assert careful.table.mark == (0, 1)


# --- hit by hit -----------------------------------------------------------------------------------------------------

UNIT = {"need": 2, "strength": 10, "toughness": 1, "sustained": 2, "dice": 2}
HITS, WOUND = Fraction(5, 6), Fraction(5, 6)


Worth = Callable[[tuple[int, ...], int], Fraction]
"""What is left of a unit and how many jams, to what that is worth."""


def after_hits(wounds: int, hits: int) -> dict[int, Fraction]:
    """A model's wounds after some hits that each take one on a 2+."""
    odds: dict[int, Fraction] = defaultdict(Fraction)
    for through in range(hits + 1):
        odds[max(wounds - through, 0)] += comb(hits, through) * WOUND**through * (1 - WOUND) ** (hits - through)
    return odds


def best_of(
    models: tuple[int, ...], turns: int, jams: int, worth: Callable[[tuple[int, ...], int], Fraction]
) -> Fraction:
    """The best that can be had, every way to share out every burst tried, model by model."""
    if not turns:
        return worth(models, jams)
    if jams or not models:
        return best_of(models, turns - 1, max(jams - 1, 0), worth)
    value = (1 - HITS) * best_of(models, turns - 1, 0, worth)
    for (hits, jammed), chance in by_hand.bursts(2).items():
        splits = product(range(hits + 1), repeat=len(models))
        ways = [split for split in splits if sum(split) == hits and (split[0] or not hits)]
        value += HITS * chance * max(mean_of(models, way, turns - 1, jammed, worth) for way in ways)
    return value


def mean_of(models: tuple[int, ...], way: tuple[int, ...], turns: int, jams: int, worth: Worth) -> Fraction:
    """What one way to share out a burst is worth on average."""
    lines: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for wounds, hits in zip(models, way, strict=True):
        now: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for line, chance in lines.items():
            for left, share in after_hits(wounds, hits).items():
                now[(*line, left)] += chance * share
        lines = now
    merged: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for line, chance in lines.items():
        merged[tuple(sorted(wounds for wounds in line if wounds))] += chance
    return sum((chance * best_of(line, turns, jams, worth) for line, chance in merged.items()), Fraction(0))


WORTH: dict[str, Worth] = {
    "kill": lambda models, jams: Fraction(not models),
    "casualties": lambda models, jams: Fraction(2 - len(models)) - Fraction(jams > 0) / 4,
}


@pytest.mark.clause("SE-103", "SE-104", "SE-109")
@pytest.mark.parametrize(("goal", "turns"), [("kill", 1), ("casualties", 1), ("kill", 2), ("casualties", 2)])
def test_hits_go_where_they_do_most_and_no_way_to_share_them_is_better(goal: str, turns: int):
    given = {**UNIT, "models": 2, "wounds": 2, "turns": turns, "goal": goal}
    asked = SYSTEM.ask("sustained", **given, jam_weight=0 if goal == "kill" else 0.25, measures=["value"])
    assert asked.odds("value").mean == best_of((2, 2), turns, 0, WORTH[goal])
    if (goal, turns) == ("kill", 1):
        assert round(float(asked.odds("wiped_out").chance(1)), 3) == 0.169
        assert "each hit where it does most: 17 % to leave nobody" in str(asked)
    fixed = [SYSTEM.ask("sustained", **given, allocation=way, measures=["value"]) for way in ("target", "spread")]
    assert all(other.odds("value").mean <= asked.odds("value").mean for other in fixed)


@pytest.mark.clause("SE-104")
def test_rolled_dice_follow_the_best_shares_and_typed_dice_come_with_choices():
    given = {**UNIT, "models": 2, "wounds": 2, "goal": "kill"}
    exact = SYSTEM.ask("sustained", **given).odds("wiped_out").chance(1)
    sampled = sample(SYSTEM, SYSTEM.question("sustained"), given, 4_000, seed=3).odds("wiped_out").chance(1)
    assert abs(float(sampled - exact)) < 4 * (float(exact * (1 - exact)) / 4_000) ** 0.5
    rolls = (SYSTEM.roll("sustained", seed=seed, **given) for seed in range(200))
    made = next(made for made in rolls if made.results["hits"] == 4)
    assert "Hits: 2 on the target, 2 on another" in [line.text for line in made.log]
    typed = ["3", "2 2", "the same model", "another with 2 wounds", *("5",) * 4]
    made = SYSTEM.roll("sustained", **given, tape=Typed(typed))
    assert (made.results["casualties"], made.results["models_hit"]) == (2, 2)


@pytest.mark.clause("SE-104")
def test_too_many_ways_to_share_out_hits_are_told():
    few = SYSTEM.ask("sustained", models=3)
    many = SYSTEM.ask("sustained", models=40, wounds=3, turns=2)
    assert not few.warnings
    assert "There are too many ways to share out the hits" in many.warnings[0]
    assert "2 dice, all on the target" in str(many)


@pytest.mark.clause("SE-103", "SE-104")
@pytest.mark.parametrize(
    "given",
    [
        {"models": 4},
        {"models": 3, "wounds": 2},
        {"models": 3, "wounds": 3, "damage": "D4"},
        {"models": 5, "wounds": 2, "lost": 1, "save": 4, "save_modifier": -1},
        {"models": 2, "wounds": 4, "goal": "wounds", "damage": "D3"},
    ],
    ids=str,
)
def test_a_burst_that_is_planned_is_shared_out_as_well_as_if_every_way_is_compared(monkeypatch, given):
    compared = SYSTEM.ask("sustained", strength=5, sustained=3, **given)
    assert "each hit" in compared.choices[0].taken.option
    monkeypatch.setattr("battletape.rulesets.second_edition.questions.sustained.MOST_WAYS", 0)
    planned = SYSTEM.ask("sustained", strength=5, sustained=3, size="normal", **given)  # not the same question
    assert {plan.allocation for plan in planned.start.setup.plans} == {"planned"}
    goal = {"wounds": "wounds_lost"}.get(given.get("goal"), "casualties")
    assert planned.odds(goal).mean == compared.odds(goal).mean > 0
    assert not planned.warnings


@pytest.mark.clause("SE-109")
def test_a_jam_is_cleared_even_if_nobody_is_left_to_fire_at():
    tape = Typed(["jam 1", "5"])
    made = SYSTEM.roll("sustained", **HIT, **DEADLY, dice=2, turns=2, jam_weight=1, tape=tape)
    assert (made.results["wiped_out"], made.results["jammed"], made.results["value"]) == (1, 0, 1)
    assert made.results["waits"] == 0
    assert made.log[-1].text == "A jam is cleared, 0 jams left"


@pytest.mark.clause("SE-13", "SE-99")
@pytest.mark.parametrize("need", [0, -1])
def test_a_burst_that_needs_nothing_still_misses_on_a_one(need: int):
    asked = SYSTEM.ask("sustained", need=need, dice=1)
    assert asked.odds("hits").chance(0) == 1 - Fraction(5, 6) * Fraction(5, 6)


@pytest.mark.clause("SE-99")
def test_a_weapon_without_sustained_fire_is_asked_about_elsewhere():
    assert SYSTEM.ask("sustained", weapon="Boltgun", sustained=1).start.setup.gun.dice == 1
