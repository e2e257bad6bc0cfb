"""Reserves: the number that comes on each turn, delays, outflanking."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battletape.errors import BadInput, Refused
from battletape.procedure import fold
from battletape.rulesets.diceless40k.rules import reserves as reserve_rules
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.best import Best
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

FIVE = ("Ash", "Birch", "Cedar", "Dogwood", "Elm")


@pytest.mark.clause("DL-94.1", "DL-94.2", "DL-94.3", "DL-94.4", "DL-94.7")
@pytest.mark.parametrize(("given", "expect"), vectors("reserve_quota"))
def test_the_quota_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert reserve_rules.quota(given["in_reserve"], given["turn"], given["bonus"]) == expect["arrive"]


@pytest.mark.clause("DL-94.4", "DL-94.5")
@pytest.mark.parametrize(("given", "expect"), vectors("reserve_schedule"))
def test_the_schedules_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert list(reserve_rules.schedule(given["units"])) == expect["arrivals_turn_1_to_5"]


@pytest.mark.clause("DL-94.6")
@pytest.mark.parametrize(("given", "expect"), vectors("reserve_turns"))
def test_the_delays_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    delays = {int(turn): units for turn, units in given["delays"].items()}
    assert list(reserve_rules.schedule(given["units"], delays)) == expect["arrivals_turn_1_to_5"]


@pytest.mark.clause("DL-94.6")
@pytest.mark.parametrize(("given", "expect"), vectors("reserve_delay_allowed"))
def test_a_unit_is_delayed_once(given: dict[str, Any], expect: dict[str, Any]):
    assert (reserve_rules.refuse_delay(2, given["already_delayed"]) is None) == expect["allowed"]


@pytest.mark.clause("DL-94.1", "DL-94.2", "DL-94.3", "DL-94.4")
@pytest.mark.parametrize(
    ("in_reserve", "turn", "arrive"),
    [(5, 1, 0), (5, 2, 2), (1, 2, 0), (6, 2, 3), (3, 3, 2), (1, 3, 1), (7, 4, 4), (9, 5, 9), (2, 6, 2), (0, 3, 0)],
)
def test_half_of_them_rounded_down_then_up_then_all(in_reserve: int, turn: int, arrive: int):
    assert reserve_rules.quota(in_reserve, turn) == arrive


@pytest.mark.clause("DL-94.7")
@pytest.mark.parametrize(
    ("in_reserve", "turn", "modifier", "reroll", "arrive"),
    [
        (6, 2, 1, False, 4),
        (6, 2, -1, False, 2),
        (6, 2, 1, True, 5),
        (1, 2, -1, False, 0),
        (6, 1, 3, True, 0),
        (6, 5, -2, False, 6),
    ],
)
def test_a_bonus_brings_one_more_and_never_on_the_first_or_fifth_turn(
    in_reserve: int, turn: int, modifier: int, reroll: bool, arrive: int
):
    assert reserve_rules.quota(in_reserve, turn, reserve_rules.reserve_bonus(modifier, reroll)) == arrive


@pytest.mark.clause("DL-94.4", "DL-94.5")
@pytest.mark.parametrize(
    ("units", "turns"),
    [
        (1, (0, 0, 1, 0, 0)),
        (2, (0, 1, 1, 0, 0)),
        (5, (0, 2, 2, 1, 0)),
        (7, (0, 3, 2, 1, 1)),
        (8, (0, 4, 2, 1, 1)),
        (10, (0, 5, 3, 1, 1)),
    ],
)
def test_the_schedules_of_the_document(units: int, turns: tuple[int, ...]):
    assert reserve_rules.schedule(units) == turns


@pytest.mark.clause("DL-94.6")
def test_delayed_units_come_on_top_or_within_the_next_number():
    assert reserve_rules.schedule(5, {2: 1}) == (0, 1, 3, 1, 0)
    assert reserve_rules.schedule(5, {2: 1}, rulings=Rulings(reserve_delay="within")) == (0, 1, 2, 1, 1)
    assert reserve_rules.due(3, 1, 3) == 2
    assert (
        reserve_rules.due(3, 1, 3, rulings=Rulings(reserve_delay="within")) == 1
    )  # half of four is two, one of them was delayed
    assert (
        reserve_rules.due(1, 3, 2, rulings=Rulings(reserve_delay="within")) == 0
    )  # those who were put off come in any case


@pytest.mark.clause("DL-94.7")
def test_a_schedule_takes_bonuses_by_turn():
    assert reserve_rules.schedule(6, bonuses={2: 1, 3: -1}) == (0, 4, 0, 1, 1)


@pytest.mark.clause("DL-94.6")
def test_what_cannot_be_delayed_is_refused():
    with pytest.raises(Refused, match=r"2 units are picked on turn 2, so 3 cannot be delayed \(DL-94.6\)"):
        reserve_rules.schedule(5, {2: 3})
    with pytest.raises(Refused, match="from turn 5 on all reserves come"):
        reserve_rules.schedule(10, {5: 1})
    with pytest.raises(BadInput, match="got turn 7"):
        reserve_rules.schedule(5, {7: 1})
    with pytest.raises(BadInput, match="got -1 units on turn 2"):
        reserve_rules.quota(-1, 2)


def next_turn(reserves: reserve_rules.Reserves, returned: tuple[str, ...] = ()) -> reserve_rules.Reserves:
    """The reserves one turn later; who was delayed, or sent back by a mishap, comes then."""
    return reserve_rules.Reserves(reserves.side, reserves.turn + 1, reserves.waiting, (*reserves.delayed, *returned))


@pytest.mark.clause("DL-94.2", "DL-94.6")
def test_the_owner_picks_and_delays():
    tape = Script("waits", "comes", "comes", "now", "next turn")
    after = fold(reserve_rules.ARRIVAL, tape, reserve_rules.Reserves("Hill", 2, FIVE))
    assert tape.used_up
    assert (after.arriving, after.delayed, after.waiting) == (("Birch",), ("Cedar",), ("Ash", "Dogwood", "Elm"))
    tape = Script("comes", "comes", "now", "now")
    following = fold(reserve_rules.ARRIVAL, tape, next_turn(after))
    assert tape.used_up
    assert (following.arriving, following.waiting) == (("Cedar", "Ash", "Dogwood"), ("Elm",))


@pytest.mark.clause("DL-94.2", "DL-94.3")
def test_the_last_ones_are_no_choice():
    tape = Script("waits", "waits", "waits", "now", "now")
    after = fold(reserve_rules.ARRIVAL, tape, reserve_rules.Reserves("Hill", 2, FIVE))
    assert (after.arriving, tape.used_up) == (("Dogwood", "Elm"), True)


@pytest.mark.clause("DL-94.4", "DL-94.6")
def test_on_turn_five_all_come_and_nothing_is_asked():
    after = fold(reserve_rules.ARRIVAL, Script(), reserve_rules.Reserves("Hill", 5, FIVE, held=("Fir",)))
    assert (after.arriving, after.waiting, after.delayed) == (("Fir", *FIVE), (), ())


@pytest.mark.clause("DL-94.6", "DL-95.3")
def test_a_unit_sent_back_by_a_mishap_comes_on_the_next_turn_even_after_the_fifth():
    last = fold(reserve_rules.ARRIVAL, Script(), reserve_rules.Reserves("Hill", 5, ("Ash",)))
    after = fold(reserve_rules.ARRIVAL, Script(), next_turn(last, returned=("Ash",)))
    assert (after.turn, after.arriving) == (6, ("Ash",))


@pytest.mark.clause("DL-94.1")
def test_nobody_comes_on_the_first_turn():
    after = fold(reserve_rules.ARRIVAL, Script(), reserve_rules.Reserves("Hill", 1, FIVE, bonus=2))
    assert (after.arriving, after.waiting) == ((), FIVE)


@pytest.mark.clause("DL-94.2")
def test_every_pick_of_two_can_be_made():
    picked = {after.picked for after in _ends(reserve_rules.Reserves("Hill", 2, FIVE))}
    assert len(picked) == 10


def _ends(reserves: reserve_rules.Reserves) -> set[reserve_rules.Reserves]:
    ends: set[reserve_rules.Reserves] = set()

    def goal(state: reserve_rules.Reserves) -> int:
        ends.add(state)
        return 0

    Best(goal).run(reserve_rules.ARRIVAL.stages[:2], reserves)
    return ends


@pytest.mark.clause("DL-94.8", "DL-94.9")
@pytest.mark.parametrize(("given", "expect"), vectors("outflank"))
def test_the_outflanking_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    outflank = reserve_rules.Outflank("Ash", "Hill", ("left", "right") if given["can_deploy"] else ())
    tape = Script(*([given["choice"]] if given["can_deploy"] else []))
    after = fold(reserve_rules.OUTFLANK, tape, outflank)
    assert {"edge": after.edge, "removed": after.removed} == expect


@pytest.mark.clause("DL-94.8", "DL-94.9")
def test_who_outflanks_chooses_among_the_edges_with_room():
    assert fold(reserve_rules.OUTFLANK, Script("right"), reserve_rules.Outflank("Ash", "Hill")).edge == "right"
    assert fold(reserve_rules.OUTFLANK, Script(), reserve_rules.Outflank("Ash", "Hill", ("right",))).edge == "right"
    gone = fold(reserve_rules.OUTFLANK, Script(), reserve_rules.Outflank("Ash", "Hill", ()))
    assert (gone.edge, gone.removed) == (None, True)


@pytest.mark.clause("DL-94.4", "DL-94.6")
@given(st.integers(0, 20), st.lists(st.integers(0, 20), min_size=3, max_size=3), st.sampled_from(["on_top", "within"]))
def test_everybody_comes_once_whatever_is_delayed(units: int, wishes: list[int], how: Any):
    rules = Rulings(reserve_delay=how)
    waiting, held, delays = units, 0, {}
    for turn, wish in enumerate(wishes, 2):
        picked = reserve_rules.due(waiting, held, turn, rulings=rules)
        delays[turn] = min(wish, picked)
        waiting, held = waiting - picked, delays[turn]
    assert sum(reserve_rules.schedule(units, delays, rulings=rules)) == units


@pytest.mark.clause("DL-94.2", "DL-94.6")
@given(st.integers(0, 8), st.integers(1, 6), st.integers(-2, 2))
def test_the_stages_bring_as_many_as_the_schedule_says(units: int, turn: int, bonus: int):
    names = tuple(f"unit {at}" for at in range(units))
    after = fold(reserve_rules.ARRIVAL, WishedOptions(), reserve_rules.Reserves("Hill", turn, names, bonus=bonus))
    assert len(after.arriving) == reserve_rules.quota(units, turn, bonus)
    assert sorted(after.arriving + after.waiting) == sorted(names)
