"""Speeds, roads, and who may move; a second way to every band is the pseudocode of the catalogue."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battletape.errors import Refused
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.movement import (
    Move,
    assault_band,
    band_of_distance,
    bands_of_move,
    max_inches,
    refuse_move,
    refuse_path,
    top_band,
)
from battletape.rulesets.vehicles5.rules.traits import BANDS, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings

ORDINARY, FAST, WALKER, SKIMMER = Traits(), Traits(fast=True), Traits(walker=True), Traits(skimmer=True)
TANK, FAST_SKIMMER = Traits(tank=True), Traits(fast=True, skimmer=True)
KINDS = [Traits(fast=f, skimmer=s, walker=w) for f, s, w in product((False, True), repeat=3)]


def by_the_book(distance: Fraction, traits: Traits, on_road: bool) -> str:
    """The pseudocode of V5-MOVE-7, line by line."""
    road = on_road and not traits.skimmer and not traits.walker
    if distance == 0:
        return "stationary"
    if distance <= 6:
        return "combat"
    if traits.walker:
        return "illegal"
    if distance <= (18 if road else 12):
        return "cruising"
    if not traits.fast:
        return "illegal"
    return "flat_out" if distance <= (24 if road or traits.skimmer else 18) else "illegal"


@pytest.mark.clause("V5-MOVE-1", "V5-MOVE-2", "V5-MOVE-3", "V5-MOVE-4", "V5-MOVE-5", "V5-MOVE-6", "V5-MOVE-7")
@pytest.mark.clause("V5-FAST-1", "V5-SKIM-5", "V5-WALK-1")
@pytest.mark.parametrize("traits", KINDS)
@pytest.mark.parametrize("on_road", [False, True])
def test_every_quarter_inch_has_the_speed_of_the_book(traits: Traits, on_road: bool) -> None:
    for quarters in range(4 * 26):
        distance = Fraction(quarters, 4)
        found = band_of_distance(float(distance), traits, on_road)
        assert ("illegal" if isinstance(found, Refused) else found) == by_the_book(distance, traits, on_road)


@pytest.mark.clause("V5-MOVE-2", "V5-WALK-1", "V5-MOVE-3", "V5-MOVE-4", "V5-MOVE-5", "V5-MOVE-6", "V5-SKIM-5")
@pytest.mark.parametrize(
    ("distance", "traits", "on_road", "clause", "words"),
    [
        (7, WALKER, False, "V5-WALK-1", "7 inches is more than the 6 that a walker may move"),
        (7, WALKER, True, "V5-WALK-1", "7 inches is more than the 6 that a walker may move"),
        (
            12.5,
            ORDINARY,
            False,
            "V5-MOVE-3",
            "12.5 inches is more than the 12 that an ordinary vehicle may move",
        ),
        (19, TANK, True, "V5-MOVE-4", "19 inches is more than the 18 that a tank may move on a road"),
        (19, FAST, False, "V5-MOVE-5", "19 inches is more than the 18 that a fast vehicle may move"),
        (25, FAST, True, "V5-MOVE-6", "25 inches is more than the 24 that a fast vehicle may move on a road"),
        (25, FAST_SKIMMER, True, "V5-SKIM-5", "25 inches is more than the 24 that a fast skimmer may move"),
        (-1, FAST, False, "V5-MOVE-2", "-1 inches is no distance; 0 or more would do"),
    ],
)
def test_too_far_is_refused_with_the_limit(
    distance: float, traits: Traits, on_road: bool, clause: str, words: str
) -> None:
    refused = band_of_distance(distance, traits, on_road)
    assert isinstance(refused, Refused)
    assert (refused.clause, refused.reason) == (clause, words)


@pytest.mark.clause("V5-MOVE-4", "V5-MOVE-6")
def test_road_rulings() -> None:
    assert band_of_distance(15, FAST, True) == "cruising"
    assert band_of_distance(15, FAST, True, Rulings(road_band="by_inches")) == "flat_out"
    assert band_of_distance(12, FAST, True, Rulings(road_band="by_inches")) == "cruising"
    assert band_of_distance(15, ORDINARY, True, Rulings(road_band="by_inches")) == "cruising"
    assert isinstance(band_of_distance(15, SKIMMER, True), Refused)
    assert band_of_distance(15, SKIMMER, True, Rulings(road_bonus="skimmers_too")) == "cruising"
    assert isinstance(band_of_distance(15, WALKER, True, Rulings(road_bonus="skimmers_too")), Refused)
    assert isinstance(band_of_distance(15, SKIMMER, False, Rulings(road_bonus="skimmers_too")), Refused)


@pytest.mark.clause("V5-MOVE-2")
def test_a_hair_beyond_the_limit_from_measuring_is_within_it() -> None:
    assert band_of_distance(6 + 1e-12, ORDINARY) == "combat"
    assert band_of_distance(1e-12, ORDINARY) == "stationary"
    assert band_of_distance(6.001, ORDINARY) == "cruising"


@pytest.mark.clause("V5-MOVE-7", "V5-ASLT-5")
def test_two_speeds_of_one_move() -> None:
    assert bands_of_move(12, 0, ORDINARY) == ("cruising", "stationary")
    assert bands_of_move(10, 5, ORDINARY) == ("cruising", "combat")
    assert bands_of_move(20, 11, FAST_SKIMMER) == ("flat_out", "cruising")
    assert bands_of_move(17, 17, ORDINARY, on_road=True) == ("cruising", "cruising")
    assert bands_of_move(17, 17, FAST, on_road=True) == ("cruising", "flat_out")
    assert "13 inches is more than the 12" in str(bands_of_move(13, 2, ORDINARY))
    assert "a path of 4 inches cannot lead 5 inches away" in str(bands_of_move(4, 5, ORDINARY))


@given(st.floats(0, 30, allow_nan=False), st.sampled_from(KINDS))
@pytest.mark.clause("V5-MOVE-7")
def test_a_longer_way_is_never_a_slower_speed(distance: float, traits: Traits) -> None:
    further = assault_band(distance + 1, traits)
    assert BANDS.index(further) >= BANDS.index(assault_band(distance, traits))
    assert further != "flat_out" or traits.fast


@pytest.mark.clause("V5-WALK-1", "V5-FAST-1", "V5-SKIM-5")
def test_limits_of_each_speed() -> None:
    assert [max_inches(WALKER, band=one) for one in BANDS] == [0, 6, 0, 0]
    assert [max_inches(ORDINARY, band=one) for one in BANDS] == [0, 6, 12, 0]
    assert [max_inches(FAST, True, one) for one in BANDS] == [0, 6, 18, 24]
    assert [max_inches(FAST_SKIMMER, True, one) for one in BANDS] == [0, 6, 12, 24]
    assert [max_inches(one) for one in (WALKER, ORDINARY, FAST, FAST_SKIMMER)] == [6, 12, 18, 24]
    assert (top_band(WALKER), top_band(ORDINARY), top_band(FAST)) == ("combat", "cruising", "flat_out")
    assert (top_band(SKIMMER), top_band(Traits(walker=True, fast=True))) == ("cruising", "combat")


MOVES: tuple[Move, ...] = ("move", "pivot", "tank_shock", "ram")
MAY_MOVE: list[tuple[str, Condition, Move, str]] = [
    # condition, action, and the clause that forbids it: table 18.4
    *(("none", Condition(), action, "") for action in MOVES),
    *(("shaken", Condition(shaken=True), action, "") for action in MOVES),
    *(("stunned", Condition(stunned=True), action, "V5-DMG-2") for action in ("move", "tank_shock", "ram")),
    ("stunned", Condition(stunned=True), "pivot", ""),
    *(("immobilised", Condition(immobilised=True), action, "V5-DMG-4") for action in MOVES),
    *(("wrecked", Condition(status="wrecked"), action, "V5-DMG-5") for action in MOVES),
    ("exploded", Condition(status="exploded"), "move", "V5-DMG-6"),
]


@pytest.mark.clause("V5-MOVE-1", "V5-DMG-1", "V5-DMG-2", "V5-DMG-4", "V5-DMG-5", "V5-DMG-6")
@pytest.mark.parametrize(("name", "state", "action", "clause"), MAY_MOVE)
def test_what_a_condition_forbids(name: str, state: Condition, action: Move, clause: str) -> None:
    refused = refuse_move(action, TANK, state)
    assert (refused.clause if refused else "") == clause
    assert refused is None or name in refused.reason


@pytest.mark.clause("V5-MOVE-1", "V5-DMG-2")
def test_turning_while_stunned_is_a_ruling() -> None:
    assert refuse_move("pivot", ORDINARY, Condition(stunned=True), DEFAULT) is None
    refused = refuse_move("pivot", ORDINARY, Condition(stunned=True), Rulings(stunned_may_pivot=False))
    assert refused is not None
    assert "stunned_may_pivot" in refused.reason
    moving = refuse_move("move", ORDINARY, Condition(stunned=True), Rulings(stunned_may_pivot=False))
    assert moving is not None
    assert "turn" not in moving.reason


@pytest.mark.clause("V5-TANK-1", "V5-RAM-1")
@pytest.mark.parametrize(("action", "clause"), [("tank_shock", "V5-TANK-1"), ("ram", "V5-RAM-1")])
def test_only_tanks_shock_and_ram(action: Move, clause: str) -> None:
    refused = refuse_move(action, FAST, Condition())
    assert refused is not None
    assert str(refused).endswith(f"this is a fast vehicle ({clause})")


Way = list[Literal["friendly", "enemy", "enemy_vehicle"]]


@pytest.mark.clause("V5-TERR-4", "V5-SKIM-1", "V5-SKIM-4")
def test_models_in_the_way() -> None:
    ways: list[Way] = [["friendly"], ["enemy"], ["enemy_vehicle"], ["enemy", "friendly"]]
    for way in ways:
        assert refuse_path(SKIMMER, way, False) is None
        refused = refuse_path(SKIMMER, way, True)
        assert refused is not None
        assert refused.clause == "V5-SKIM-4"
        for traits in (ORDINARY, FAST, WALKER):
            stopped = refuse_path(traits, way, False)
            assert stopped is not None
            assert stopped.clause == "V5-TERR-4"
        assert (refuse_path(TANK, way, False) is None) == ("friendly" not in way)
    assert refuse_path(ORDINARY, [], False) is None
    assert refuse_path(ORDINARY, [], True) is not None


@pytest.mark.clause("V5-TERR-4")
def test_a_tank_drives_through_enemies_only_by_saying_so() -> None:
    normal = refuse_path(TANK, ["enemy"], False, drives=True)
    assert normal is not None
    assert "tank shock" in normal.reason
    ramming = refuse_path(TANK, ["enemy_vehicle"], False, drives=True)
    assert ramming is not None
    assert "ramming" in ramming.reason
    assert refuse_path(TANK, ["enemy", "enemy_vehicle"], False) is None
    assert refuse_path(TANK, ["friendly"], False) is not None
    assert refuse_path(Traits(tank=True, skimmer=True), ["friendly"], False, drives=True) is None
