"""Dangerous ground by its faces: every number is counted by hand over all dice as well."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape import ruleset
from battletape.errors import Refused
from battletape.odds import Odds
from battletape.rulesets.vehicles5.rules import terrain
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.terrain import Crossing, Stop, Terrain, stop
from battletape.rulesets.vehicles5.rules.traits import Relation, Row, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.tape.exact import Exact
from battletape.tape.script import Script

ORDINARY, WALKER, SKIMMER = Traits(), Traits(walker=True), Traits(skimmer=True)
FAST_SKIMMER = Traits(fast=True, skimmer=True)
STUCK = Condition(immobilised=True)
PER_AREA = Rulings(terrain_tests="one_per_area")


def odds_of(rule: Any, *args: Any) -> Odds[Any]:
    reader = Exact()
    return reader.odds(reader.outcomes(rule, *args))


@pytest.mark.clause("V5-TERR-1", "V5-TERR-2", "V5-SKIM-2", "V5-SKIM-3", "V5-WALK-2", "V5-CORE-18")
@pytest.mark.parametrize(
    ("traits", "grounds", "relation", "dice", "per_area"),
    [
        (ORDINARY, ["dangerous"], "through", 1, 1),
        (ORDINARY, ["difficult"], "into", 1, 1),
        (ORDINARY, ["difficult", "dangerous"], "through", 1, 2),
        (ORDINARY, ["wreck"], "starting", 1, 1),
        (ORDINARY, ["crater", "wreck", "road"], "through", 1, 2),
        (ORDINARY, ["road"], "through", 0, 0),
        (ORDINARY, [], "through", 0, 0),
        (WALKER, ["difficult"], "into", 0, 0),
        (WALKER, ["crater"], "into", 0, 0),
        (WALKER, ["dangerous"], "into", 1, 1),
        (WALKER, ["wreck"], "into", 1, 1),
        (SKIMMER, ["difficult", "dangerous", "impassable"], "over", 0, 0),
        (SKIMMER, ["dangerous"], "through", 0, 0),
        (SKIMMER, ["difficult"], "starting", 1, 1),
        (SKIMMER, ["impassable"], "landing", 1, 1),
        (SKIMMER, ["dangerous", "difficult"], "landing", 1, 2),
    ],
)
def test_how_many_dice(traits: Traits, grounds: list[Terrain], relation: Relation, dice: int, per_area: int) -> None:
    assert terrain.tests(traits, grounds, relation, DEFAULT) == dice
    assert terrain.tests(traits, grounds, relation, PER_AREA) == per_area


@pytest.mark.clause("V5-CORE-18")
def test_a_wreck_is_both_difficult_and_dangerous_and_gives_cover() -> None:
    assert set(terrain.GROUNDS["wreck"]) == {"difficult", "dangerous"}
    assert terrain.WRECK_COVER == 4


@pytest.mark.clause("V5-SKIM-3")
def test_skimmers_in_merely_dangerous_ground_are_a_ruling() -> None:
    without = Rulings(skimmer_dangerous_test=False)
    assert terrain.tests(SKIMMER, ["dangerous"], "landing", DEFAULT) == 1
    assert terrain.tests(SKIMMER, ["dangerous"], "landing", without) == 0
    assert terrain.tests(SKIMMER, ["wreck"], "landing", without) == 1
    assert terrain.tests(ORDINARY, ["dangerous"], "into", without) == 1


@pytest.mark.clause("V5-TERR-2", "V5-TERR-3")
@pytest.mark.parametrize("count", range(4))
def test_a_one_on_any_die_fails(count: int) -> None:
    by_faces = Counter(1 not in faces for faces in product(range(1, 7), repeat=count))
    odds = odds_of(terrain.roll_tests, count)
    assert odds.chance(True) == Fraction(by_faces[True], 6**count) == Fraction(5, 6) ** count


@pytest.mark.clause("V5-TERR-2")
def test_three_vehicles_cross_a_wood() -> None:
    odds = ruleset("vehicles5").ask("dangerous_terrain", vehicles=3).odds("failed")
    assert odds.chance(0) == Fraction(125, 216)
    assert odds.at_least(1) == Fraction(91, 216)
    by_faces = Counter(faces.count(1) for faces in product(range(1, 7), repeat=3))
    assert odds.fractions() == {failed: Fraction(ways, 216) for failed, ways in by_faces.items()}


@pytest.mark.clause("V5-SKIM-3", "V5-SKIM-7")
@pytest.mark.parametrize(
    ("traits", "relation", "band", "crash_on", "row"),
    [
        (FAST_SKIMMER, "landing", "flat_out", "every_immobilised", "wrecked"),
        (FAST_SKIMMER, "landing", "flat_out", "row_only", "immobilised"),
        (FAST_SKIMMER, "landing", "cruising", "every_immobilised", "immobilised"),
        (FAST_SKIMMER, "starting", "flat_out", "every_immobilised", "immobilised"),
        (Traits(fast=True), "into", "flat_out", "every_immobilised", "immobilised"),
        (WALKER, "into", "combat", "every_immobilised", "immobilised"),
    ],
)
def test_what_a_failed_test_does(traits: Traits, relation: Any, band: Any, crash_on: Any, row: Row) -> None:
    kind = [name for name in traits.__struct_fields__ if getattr(traits, name)]
    inches = {"combat": 6, "cruising": 12, "flat_out": 18}[band]
    answer = ruleset("vehicles5").ask(
        "dangerous_terrain", types=kind, grounds=["dangerous"], relation=relation, distance=inches, crash_on=crash_on
    )
    assert answer.odds(row).chance(1) == Fraction(1, 6)
    assert answer.odds("unharmed").chance(1) == Fraction(5, 6)


def halt(
    traits: Traits,
    far: float,
    inside: bool,
    edge: float | None,
    failed: bool,
    rules: Rulings = Rulings(),
    on_road: bool = False,
) -> Stop:
    return stop(Crossing(traits, far, 1, inside=inside, enters=edge, on_road=on_road, rules=rules), far, failed)


@pytest.mark.clause("V5-TERR-3", "V5-SKIM-3", "V5-SKIM-7")
@pytest.mark.parametrize(
    ("traits", "declared", "inside", "edge", "failed", "wanted"),
    [
        (ORDINARY, 10, False, 5, True, Stop(5, "combat", STUCK)),
        (ORDINARY, 10, False, 5, False, Stop(10, "cruising")),
        (ORDINARY, 10, True, 0, True, Stop(0, "stationary", STUCK)),
        (ORDINARY, 10, False, 8.5, True, Stop(8.5, "cruising", STUCK)),
        (ORDINARY, 10, False, 0, True, Stop(0, "stationary", STUCK)),
        (WALKER, 4, False, 2, True, Stop(2, "combat", STUCK)),
        (FAST_SKIMMER, 20, True, 0, True, Stop(0, "stationary", STUCK)),
        (FAST_SKIMMER, 20, False, 18, True, Stop(20, "flat_out", Condition(status="wrecked"))),
        (FAST_SKIMMER, 11, False, 9, True, Stop(11, "cruising", STUCK)),
        (ORDINARY, 10, False, None, False, Stop(10, "cruising")),
    ],
)
def test_where_a_move_ends(
    traits: Traits, declared: float, inside: bool, edge: float | None, failed: bool, wanted: Stop
) -> None:
    assert halt(traits, declared, inside, edge, failed) == wanted


@pytest.mark.clause("V5-SKIM-7", "V5-TERR-3")
def test_a_failed_landing_crashes_by_ruling_and_a_move_too_far_is_refused() -> None:
    landed = halt(FAST_SKIMMER, 20, False, 18, True, Rulings(crash_on="row_only"))
    assert landed == Stop(20, "flat_out", STUCK)
    with pytest.raises(Refused, match="13 inches is more than the 12"):
        halt(ORDINARY, 13, False, None, False)
    assert halt(ORDINARY, 13, False, None, False, on_road=True).band == "cruising"


@pytest.mark.clause("V5-SKIM-2")
def test_impassable_ground_is_for_skimmers_only() -> None:
    assert terrain.refuse_ground(SKIMMER, ["impassable"]) is None
    assert terrain.refuse_ground(ORDINARY, ["difficult", "wreck"]) is None
    refused = terrain.refuse_ground(WALKER, ["difficult", "impassable"])
    assert refused is not None
    assert refused.clause == "V5-SKIM-2"


@pytest.mark.clause("V5-WALK-2", "V5-CORE-9", "V5-TERR-1", "V5-CORE-18")
def test_difficult_ground_slows_legs_and_nothing_else() -> None:
    assert terrain.is_slowed(WALKER, ["wreck"])
    assert terrain.is_slowed(None, ["road", "difficult"])
    assert not terrain.is_slowed(WALKER, ["dangerous"])
    assert not terrain.is_slowed(ORDINARY, ["difficult", "wreck"])
    assert not terrain.is_slowed(SKIMMER, ["difficult"])


@pytest.mark.clause("V5-WALK-2", "V5-CORE-9")
def test_the_higher_of_two_dice() -> None:
    odds = odds_of(terrain.roll_difficult)
    by_faces = Counter(max(faces) for faces in product(range(1, 7), repeat=2))
    assert odds.fractions() == {inches: Fraction(ways, 36) for inches, ways in by_faces.items()}
    assert odds.mean == Fraction(161, 36)
    for least in range(1, 7):
        assert odds.at_least(least) == 1 - Fraction(least - 1, 6) ** 2
    assert terrain.roll_difficult(Script(2, 5)) == 5


@pytest.mark.clause("V5-CORE-9")
def test_dangerous_ground_wounds_a_sixth_of_the_soldiers() -> None:
    odds = odds_of(terrain.roll_dangerous_on_foot, 5)
    assert odds.mean == Fraction(5, 6)
    assert odds.chance(0) == Fraction(5, 6) ** 5
