"""Dangerous ground by its faces, every number counted by hand over all dice, and the question dangerous_terrain."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape import ruleset
from battletape.errors import Refused
from battletape.odds import Odds
from battletape.rulesets.vehicles5.questions.dangerous_terrain import DANGEROUS_TERRAIN
from battletape.rulesets.vehicles5.rules import terrain
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.terrain import Stop, Terrain, crossing_of_areas
from battletape.rulesets.vehicles5.rules.traits import DamageRow, Relation, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES

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
    assert dice_for(traits, grounds, relation, DEFAULT) == dice
    assert dice_for(traits, grounds, relation, PER_AREA) == per_area


def dice_for(traits: Traits, grounds: list[Terrain], relation: Relation, rulings: Rulings) -> int:
    return len(crossing_of_areas(traits, 6.0, [(ground, relation, 2.0) for ground in grounds], rulings).edges)


@pytest.mark.clause("V5-CORE-18")
def test_a_wreck_is_both_difficult_and_dangerous_and_gives_cover() -> None:
    assert set(terrain.TERRAIN_EFFECTS["wreck"]) == {"difficult", "dangerous"}
    assert terrain.WRECK_COVER == 4


@pytest.mark.clause("V5-SKIM-3")
def test_skimmers_in_merely_dangerous_ground_are_a_ruling() -> None:
    without = Rulings(skimmer_dangerous_test=False)
    assert dice_for(SKIMMER, ["dangerous"], "landing", DEFAULT) == 1
    assert dice_for(SKIMMER, ["dangerous"], "landing", without) == 0
    assert dice_for(SKIMMER, ["wreck"], "landing", without) == 1
    assert dice_for(ORDINARY, ["dangerous"], "into", without) == 1


@pytest.mark.clause("V5-TERR-2", "V5-TERR-3")
@pytest.mark.parametrize("count", range(4))
def test_a_one_on_any_die_fails(count: int) -> None:
    by_faces = Counter(1 not in faces for faces in product(range(1, 7), repeat=count))
    odds = odds_of(terrain.roll_tests, tuple(float(edge) for edge in range(count)))
    assert odds.chance(None) == Fraction(by_faces[True], 6**count) == Fraction(5, 6) ** count
    assert all(odds.chance(edge) == Fraction(5, 6) ** edge * Fraction(1, 6) for edge in range(count))


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
def test_what_a_failed_test_does(traits: Traits, relation: Any, band: Any, crash_on: Any, row: DamageRow) -> None:
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
    relation: Relation,
    edge: float,
    face: int,
    rulings: Rulings = DEFAULT,
    on_road: bool = False,
) -> Stop | None:
    crossing = crossing_of_areas(traits, far, [("dangerous", relation, edge)], rulings, on_road=on_road)
    return terrain.test_first_vehicle(Script(face), terrain.roll_allowed_inches(Script(), crossing)).end


@pytest.mark.clause("V5-TERR-3", "V5-SKIM-3", "V5-SKIM-7")
@pytest.mark.parametrize(
    ("traits", "declared", "relation", "edge", "face", "wanted"),
    [
        (ORDINARY, 10, "through", 5, 1, Stop(5, "combat", STUCK)),
        (ORDINARY, 10, "through", 5, 2, Stop(10, "cruising")),
        (ORDINARY, 10, "starting", 0, 1, Stop(0, "stationary", STUCK)),
        (ORDINARY, 10, "into", 8.5, 1, Stop(8.5, "cruising", STUCK)),
        (ORDINARY, 10, "into", 0, 1, Stop(0, "stationary", STUCK)),
        (WALKER, 4, "into", 2, 1, Stop(2, "combat", STUCK)),
        (FAST_SKIMMER, 20, "starting", 0, 1, Stop(0, "stationary", STUCK)),
        (FAST_SKIMMER, 20, "landing", 18, 1, Stop(20, "flat_out", Condition(status="wrecked"))),
        (FAST_SKIMMER, 11, "landing", 9, 1, Stop(11, "cruising", STUCK)),
        (ORDINARY, 10, "into", 10, 6, Stop(10, "cruising")),
    ],
)
def test_where_a_move_ends(
    traits: Traits, declared: float, relation: Relation, edge: float, face: int, wanted: Stop
) -> None:
    assert halt(traits, declared, relation, edge, face) == wanted


@pytest.mark.clause("V5-SKIM-7", "V5-TERR-3")
def test_a_failed_landing_crashes_by_ruling_and_a_move_too_far_is_refused() -> None:
    landed = halt(FAST_SKIMMER, 20, "landing", 18, 1, Rulings(crash_on="row_only"))
    assert landed == Stop(20, "flat_out", STUCK)
    with pytest.raises(Refused, match="13 inches is more than the 12"):
        halt(ORDINARY, 13, "into", 12, 6)
    assert halt(ORDINARY, 13, "into", 12, 6, on_road=True) == Stop(13, "cruising")


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


@pytest.mark.clause("V5-TERR-2", "V5-TERR-3")
def test_a_wood_half_way() -> None:
    answer = RULES.ask("dangerous_terrain", **DANGEROUS_TERRAIN.example)
    assert answer.odds("immobilised").chance(1) == Fraction(1, 6)
    assert dict(answer.odds("moved").fractions()) == {5.0: Fraction(1, 6), 10.0: Fraction(5, 6)}
    assert answer.odds("band_after").chance("combat") == Fraction(1, 6)
    assert answer.headline == "Immobilised 17 %, unharmed 83 %."
    failed = RULES.roll("dangerous_terrain", tape=Script(1), **DANGEROUS_TERRAIN.example)
    assert failed.log[-1].text == "It moves 5 inches, combat, and is immobilised"
    assert failed.log[-1].clauses == ("V5-TERR-3",)


def on_ground(measure: str, **given: Any) -> dict[Any, Fraction]:
    return dict(RULES.ask("dangerous_terrain", **given).odds(measure).fractions())


@pytest.mark.clause("V5-TERR-2")
def test_three_vehicles_by_counting_faces() -> None:
    faces = [sum(die == 1 for die in dice) for dice in product(range(1, 7), repeat=3)]
    assert on_ground("failed", vehicles=3) == {n: Fraction(faces.count(n), 216) for n in range(4)}
    answer = RULES.ask("dangerous_terrain", vehicles=3)
    assert answer.headline == "All 3 get through 58 %; 0.5 fail on average."
    assert answer.odds("unharmed").mean == Fraction(5, 2)


@pytest.mark.clause("V5-SKIM-2", "V5-SKIM-3", "V5-SKIM-7")
def test_skimmers() -> None:
    assert on_ground("failed", types="skimmer", relation="over") == {0: 1}
    assert on_ground("immobilised", types="skimmer", relation="landing") == {0: Fraction(5, 6), 1: Fraction(1, 6)}
    crash = {"types": "fast, skimmer", "relation": "landing", "distance": 20}
    assert on_ground("wrecked", **crash) == {0: Fraction(5, 6), 1: Fraction(1, 6)}
    assert on_ground("wrecked", crash_on="row_only", **crash) == {0: 1}
    assert on_ground("wrecked", vehicles=2, **crash)[2] == Fraction(1, 36)
    assert RULES.ask("dangerous_terrain", **crash).headline == "Wrecked 17 %, unharmed 83 %."
    taking_off = {"vehicle": "Kingfisher", "relation": "starting", "distance": 20}
    assert on_ground("moved", **taking_off) == {0.0: Fraction(1, 6), 20.0: Fraction(5, 6)}
    assert on_ground("wrecked", **taking_off) == {0: 1}
    dangerous = {"types": "skimmer", "relation": "landing", "grounds": "dangerous"}
    assert on_ground("failed", **dangerous)[1] == Fraction(1, 6)
    assert on_ground("failed", skimmer_dangerous_test=False, **dangerous) == {0: 1}


@pytest.mark.clause("V5-WALK-2", "V5-CORE-9")
def test_walkers_by_counting_faces() -> None:
    highest = [max(pair) for pair in product(range(1, 7), repeat=2)]
    assert on_ground("moved", types="walker") == {float(n): Fraction(highest.count(n), 36) for n in range(1, 7)}
    mixed = {"types": "walker", "grounds": "difficult, dangerous", "enters_at": 3}
    faces = [
        (3.0, 1) if far >= 3 and die == 1 else (float(far), 0) for far in highest for die in range(1, 7)
    ]  # one that comes short of the ground needs no test
    assert on_ground("failed", **mixed)[1] == Fraction(sum(failed for _, failed in faces), 216)
    assert on_ground("moved", **mixed)[3.0] == Fraction(sum(far == 3.0 for far, _ in faces), 216)
    both = on_ground("failed", vehicles=2, **mixed)
    assert both[2] == on_ground("failed", **mixed)[1] ** 2
    assert RULES.ask("dangerous_terrain", types="walker").headline == "No test is needed; 4.5 inches on average."


@pytest.mark.clause("V5-TERR-1", "V5-TERR-2", "V5-CORE-18")
def test_several_areas_roads_and_short_moves() -> None:
    two = {"grounds": "difficult, wreck"}
    assert on_ground("failed", **two)[1] == Fraction(1, 6)
    assert on_ground("failed", terrain_tests="one_per_area", **two)[1] == Fraction(11, 36)
    assert on_ground("failed", grounds="road") == {0: 1}
    short = RULES.ask("dangerous_terrain", enters_at=9)
    assert short.headline == "No test is needed."
    assert short.warnings == ("the ground begins after 9 inches, further than it means to drive",)
    turning = RULES.ask("dangerous_terrain", distance=0)
    assert turning.odds("failed").chance(0) == 1
    assert "V5-TERR-2" in turning.warnings[0]
    assert on_ground("moved", types="walker", enters_at=6, distance=4) == {4.0: 1}
