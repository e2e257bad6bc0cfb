"""Transports: getting in and out, shooting from inside, where the models stand, and the question transport."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.errors import Refused
from battletape.rulesets.vehicles5.profiles.book import book, doors, traits_of
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.movement import Situation, inches_left
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rules.transports import (
    BoardingUnit,
    Exit,
    count_in_reach,
    entrances,
    exit_by_choice,
    find_places,
    range_from_inside,
    refuse_embark,
    refuse_passenger_fire,
    refuse_places,
    shooters,
)
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.distances import gap, is_coherent
from battletape.table.hulls import Hull
from battletape.table.points import Point
from tests.vehicles5.asking import RULES, ask, only

CLOSED, OPEN, FAST = Traits(), Traits(open_topped=True), Traits(fast=True)
HULL = Hull(Point(0.0, 0.0), 0.0, 4.0, 3.0)
REAR_DOOR = ((-2.0, 0.0),)


def now(traits: Traits = CLOSED, condition: Condition = Condition(), **given: Any) -> Situation:
    return Situation(traits, condition, **given)


def boarding(kind: str = "infantry", models: int = 10, got_out: bool = False, **given: Any) -> Refused | None:
    capacity, in_reach, then = given.pop("capacity", 10), given.pop("in_reach", 10), given.pop("then_moves", None)
    return refuse_embark(now(**given), BoardingUnit(kind, models, got_out), capacity, in_reach, then)


@pytest.mark.clause("V5-TRAN-1", "V5-TRAN-2", "V5-TRAN-4", "V5-TRAN-5", "V5-FAST-5", "V5-OPEN-2")
@pytest.mark.parametrize(
    ("changed", "clause", "word"),
    [
        ({}, "", ""),
        ({"band": "cruising"}, "", ""),
        ({"condition": Condition(shaken=True, stunned=True, immobilised=True)}, "", ""),
        ({"kind": "jump_infantry"}, "V5-TRAN-1", "jump infantry"),
        ({"kind": "bike"}, "V5-TRAN-1", "bike"),
        ({"capacity": 9}, "V5-TRAN-1", "10 models cannot ride in a vehicle with room for 9"),
        ({"passengers": 1, "capacity": 11}, "V5-TRAN-2", "one at a time"),
        ({"in_reach": 9}, "V5-TRAN-5", "access point; 9 are"),
        ({"in_reach": 9, "traits": OPEN}, "V5-OPEN-2", "its hull; 9 are"),
        ({"got_out": True}, "V5-TRAN-4", "got out this turn"),
        ({"given_phase": "shooting"}, "V5-TRAN-4", "Shooting phase"),
        ({"band": "flat_out", "traits": FAST}, "V5-FAST-5", "flat out"),
        ({"condition": Condition(status="wrecked")}, "V5-DMG-5", "wrecked"),
        ({"condition": Condition(status="exploded")}, "V5-DMG-6", "exploded"),
    ],
)
def test_who_may_board(changed: dict[str, Any], clause: str, word: str) -> None:
    refused = boarding(**changed)
    if not clause:
        assert refused is None
    else:
        assert refused is not None
        assert refused.clause == clause
        assert word in refused.reason


@pytest.mark.clause("V5-TRAN-2", "V5-TRAN-1")
def test_units_may_share_by_a_ruling_up_to_the_capacity() -> None:
    shared = Rulings(one_unit_per_transport=False)
    assert boarding(models=5, passengers=5, rulings=shared) is None
    refused = boarding(models=6, passengers=5, rulings=shared)
    assert refused is not None
    assert refused.reason == "6 models beside the 5 aboard cannot ride in a vehicle with room for 10"


@pytest.mark.clause("V5-FAST-5")
def test_boarding_before_a_flat_out_move_is_a_ruling() -> None:
    assert boarding(traits=FAST, then_moves="flat_out") is None
    refused = boarding(traits=FAST, then_moves="flat_out", rulings=Rulings(flat_out_symmetric=True))
    assert refused is not None
    assert refused.clause == "V5-FAST-5"
    assert boarding(traits=FAST, then_moves="cruising", rulings=Rulings(flat_out_symmetric=True)) is None


@pytest.mark.clause("V5-OPEN-2", "V5-TRAN-5")
def test_the_hull_counts_only_where_it_is_open() -> None:
    for traits, types, at, boards in ((CLOSED, [], Point(0.0, -2.0), False), (OPEN, ["open_topped"], HULL, True)):
        assert entrances(traits, HULL, REAR_DOOR) == (at,)
        unit = {"unit_type": "infantry", "models": 10, "capacity": 10, "at_access": 0, "at_hull": 10}
        assert only(ask("transport", way="in", types=types, **unit), "allowed") == boards


@pytest.mark.clause("V5-TRAN-5", "V5-DMG-4")
def test_driving_off_with_those_who_boarded() -> None:
    assert inches_left(now())
    assert not inches_left(now(has_moved=True))
    assert not inches_left(now(condition=Condition(immobilised=True)))
    assert not inches_left(now(condition=Condition(stunned=True)))
    assert inches_left(now(condition=Condition(shaken=True)))


AFTER = {
    # unit moves, shoots, assaults, counts as moving, vehicle moves, emergency, vehicle turns
    "not moved": Exit(True, True, True, True, True, False, True),
    "moved": Exit(False, True, False, True, False, False, False),
    "moved, open": Exit(False, True, True, True, False, False, False),
    "emergency": Exit(False, False, False, True, True, True, True),
    "emergency, moved": Exit(False, False, False, True, False, True, False),
    "stuck": Exit(True, True, True, True, False, False, False),
    "stunned": Exit(True, True, True, True, False, False, True),
}


@pytest.mark.clause("V5-TRAN-6", "V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-2", "V5-OPEN-3")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((now(),), "not moved"),
        ((now(OPEN),), "not moved"),
        ((now(has_moved=True),), "moved"),
        ((now(band="combat"),), "moved"),
        ((now(FAST, band="cruising"),), "moved"),
        ((now(OPEN, band="combat"),), "moved, open"),
        ((now(OPEN, band="cruising"), "hull"), "moved, open"),
        ((now(), "emergency"), "emergency"),
        ((now(band="combat"), "emergency"), "emergency, moved"),
        ((now(condition=Condition(immobilised=True)),), "stuck"),
        ((now(condition=Condition(stunned=True)),), "stunned"),
        ((now(condition=Condition(shaken=True)),), "not moved"),
    ],
)
def test_what_those_who_get_out_may_do(given: tuple[Any, ...], expected: str) -> None:
    assert exit_by_choice(*given) == AFTER[expected]


@pytest.mark.clause("V5-TRAN-4", "V5-TRAN-6", "V5-TRAN-7", "V5-TRAN-8", "V5-FAST-5", "V5-OPEN-3")
@pytest.mark.parametrize(
    ("changed", "clause", "word"),
    [
        ({"band": "flat_out", "has_moved": True, "traits": FAST}, "V5-FAST-5", "flat out"),
        ({"band": "flat_out", "traits": Traits(fast=True, open_topped=True)}, "V5-FAST-5", "flat out"),
        ({"boarded": True}, "V5-TRAN-4", "boarded this turn"),
        ({"given_phase": "assault"}, "V5-TRAN-4", "Assault phase"),
        ({"placement": "none"}, "V5-TRAN-7", "no room"),
        ({"placement": "hull"}, "V5-TRAN-6", "access points"),
        ({"band": "combat", "then_moves": "combat"}, "V5-TRAN-8", "neither drive on nor turn"),
        ({"condition": Condition(status="wrecked")}, "V5-DMG-5", "wrecked"),
    ],
)
def test_why_nobody_gets_out(changed: dict[str, Any], clause: str, word: str) -> None:
    there, then = changed.pop("placement", "access"), changed.pop("then_moves", None)
    found = exit_by_choice(now(**changed), there, then)
    assert isinstance(found, Refused)
    assert found.clause == clause
    assert word in found.reason


@pytest.mark.clause("V5-FAST-5")
def test_getting_out_before_a_flat_out_move_is_a_ruling() -> None:
    assert exit_by_choice(now(FAST), then_moves="flat_out") == AFTER["not moved"]
    found = exit_by_choice(now(FAST, rulings=Rulings(flat_out_symmetric=True)), then_moves="flat_out")
    assert isinstance(found, Refused)
    assert "flat_out_symmetric" in found.reason


@pytest.mark.clause("V5-TRAN-3", "V5-OPEN-1", "V5-DMG-1", "V5-DMG-2", "V5-SMOKE-2")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((CLOSED, 2, 10, "stationary"), (2, False)),
        ((CLOSED, 2, 10, "combat"), (2, True)),
        ((CLOSED, 2, 1, "stationary"), (1, False)),
        ((CLOSED, 0, 10, "stationary"), (0, False)),
        ((OPEN, 0, 10, "cruising"), (10, True)),
        ((FAST, 2, 10, "flat_out"), (2, True)),
        ((CLOSED, 2, 10, "stationary", Condition(shaken=True)), (0, False)),
        ((OPEN, 0, 10, "stationary", Condition(stunned=True)), (0, False)),
        ((CLOSED, 2, 10, "stationary", Condition(immobilised=True)), (2, False)),
        ((CLOSED, 2, 10, "stationary", Condition(status="wrecked")), (0, False)),
        ((CLOSED, 2, 10, "stationary", Condition(), True), (2, False)),
        ((CLOSED, 2, 10, "stationary", Condition(), True, Rulings(smoke_stops_passengers=True)), (0, False)),
        ((CLOSED, 2, 10, "combat", Condition(), False, Rulings(passenger_fire_max_band="combat")), (2, True)),
        ((CLOSED, 2, 10, "cruising", Condition(), False, Rulings(passenger_fire_max_band="combat")), (0, True)),
        ((CLOSED, 2, 10, "combat", Condition(), False, Rulings(passenger_fire_max_band="stationary")), (0, True)),
        ((FAST, 2, 10, "flat_out", Condition(), False, Rulings(passenger_fire_max_band="cruising")), (0, True)),
    ],
)
def test_how_many_shoot_from_inside(given: tuple[Any, ...], expected: tuple[int, bool]) -> None:
    traits, points, aboard, band, *damage = given
    condition, smoke, rules = (*damage, *(Condition(), False, Rulings())[len(damage) :])
    inside = {"passengers": aboard, "fire_points": points, "band": band}
    assert shooters(now(traits, condition, smoke_this_turn=smoke, rulings=rules, **inside)) == expected


@pytest.mark.clause("V5-TRAN-3")
def test_the_reason_names_the_ruling() -> None:
    ruled = Rulings(passenger_fire_max_band="combat")
    refused = refuse_passenger_fire(now(FAST, fire_points=2, band="flat_out", rulings=ruled))
    assert refused is not None
    assert refused.reason == (
        "passengers shoot at combat speed at most; this one goes flat out, by the ruling passenger_fire_max_band"
    )


@pytest.mark.clause("V5-TRAN-3", "V5-OPEN-1")
def test_range_is_measured_from_the_hull() -> None:
    assert range_from_inside(HULL, Base(Point(0.0, 10.5), 0.5)) == pytest.approx(8.0)


@pytest.mark.clause("V5-TRAN-4", "V5-TRAN-5", "V5-OPEN-2")
def test_doors_and_open_hulls_on_the_table() -> None:
    behind, beside = Base(Point(0.0, -4.5), 0.5), Base(Point(3.9, 0.0), 0.5)
    assert count_in_reach((behind, beside), entrances(CLOSED, HULL, REAR_DOOR)) == 1
    assert count_in_reach((behind, beside), entrances(OPEN, HULL, ())) == 2
    assert count_in_reach((Base(Point(0.0, -4.51), 0.5),), entrances(CLOSED, HULL, REAR_DOOR)) == 0


@pytest.mark.clause("V5-TRAN-6", "V5-CORE-17", "V5-CORE-19")
def test_why_models_may_not_be_set_up_here() -> None:
    at = entrances(CLOSED, HULL, REAR_DOOR)
    pair = (Base(Point(-0.6, -2.6), 0.5), Base(Point(0.6, -2.6), 0.5))
    assert refuse_places(pair, at, (HULL,)) is None
    said = {
        "V5-TRAN-6": refuse_places((*pair, Base(Point(0.0, -5.0), 0.5)), at, (HULL,)),
        "V5-CORE-19": refuse_places(pair, at, (HULL,), enemies=(Base(Point(0.6, -4.5), 0.5),)),
        "V5-CORE-17": refuse_places(
            (Base(Point(-1.8, -2.6), 0.5), Base(Point(1.8, -2.6), 0.5)), at, (HULL,), enemies=()
        ),
    }
    assert {clause: refused.clause for clause, refused in said.items() if refused} == {one: one for one in said}
    assert "2.50 inches from the way out" in str(said["V5-TRAN-6"])
    on_hull = refuse_places((Base(Point(0.0, -2.2), 0.5),), at, (HULL,))
    assert on_hull is not None
    assert "stand on something else" in on_hull.reason
    on_each_other = refuse_places((pair[0], Base(Point(-0.5, -2.6), 0.5)), at, (HULL,))
    assert on_each_other is not None
    assert "stand on something else" in on_each_other.reason


@pytest.mark.clause("V5-TRAN-6", "V5-TRAN-7", "V5-OPEN-2")
def test_room_is_looked_for_at_doors_then_at_the_hull() -> None:
    free = find_places(CLOSED, HULL, REAR_DOOR, 4, 0.5)
    assert free.placement == "access"
    assert refuse_places(free.places, entrances(CLOSED, HULL, REAR_DOOR), (HULL,)) is None
    blocked = tuple(Base(Point(x, -3.0), 1.0) for x in (-2.0, 0.0, 2.0))
    emergency = find_places(CLOSED, HULL, REAR_DOOR, 4, 0.5, in_the_way=blocked, enemies=(Base(Point(0.0, -6.0), 1.0),))
    assert emergency.placement == "emergency"
    assert all(gap(one, HULL) <= 2.0 for one in emergency.places)
    assert is_coherent(emergency.places)
    assert find_places(OPEN, HULL, (), 4, 0.5).placement == "hull"
    ring = tuple(Base(Point(x, y), 3.0) for x, y in ((0, 6), (0, -6), (5.5, 0), (-5.5, 0)))
    assert find_places(CLOSED, HULL, REAR_DOOR, 4, 0.5, enemies=ring).placement == "none"


@pytest.mark.clause("V5-TRAN-5", "V5-OPEN-2")
def test_every_transport_of_the_garage_has_a_way_in() -> None:
    vehicles = [one for one in book().entries["vehicle"].values() if one.capacity]
    assert len(vehicles) >= 3
    for one in vehicles:
        hull = Hull(Point(10.0, 10.0), 30.0, one.length, one.width)
        assert find_places(traits_of(one.types), hull, doors(one), 2, 0.5).placement in ("access", "hull")


@pytest.mark.clause(
    "V5-TRAN-4", "V5-TRAN-5", "V5-TRAN-6", "V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-2", "V5-OPEN-3", "V5-FAST-5"
)
@pytest.mark.parametrize(
    ("given", "allowed", "then", "drives"),
    [
        ({}, 1, "ride", 1),
        ({"band": "combat"}, 1, "ride", 0),
        ({"at_access": 9}, 0, "-", 1),
        ({"at_access": 0, "at_hull": 10, "types": ["open_topped"]}, 1, "ride", 1),
        ({"unit_type": "bike"}, 0, "-", 1),
        ({"got_out": True}, 0, "-", 1),
        ({"phase": "shooting"}, 0, "-", 0),
        ({"way": "out"}, 1, "move, shoot, assault", 1),
        ({"way": "out", "band": "combat"}, 1, "shoot", 0),
        ({"way": "out", "band": "combat", "types": ["open_topped"]}, 1, "shoot, assault", 0),
        ({"way": "out", "room": "emergency"}, 1, "nothing", 1),
        ({"way": "out", "room": "none"}, 0, "-", 0),
        ({"way": "out", "boarded": True}, 0, "-", 0),
        ({"way": "out", "types": ["fast"], "then": "flat_out"}, 1, "move, shoot, assault", 1),
        ({"way": "out", "types": ["fast"], "then": "flat_out", "flat_out_symmetric": True}, 0, "-", 0),
    ],
)
def test_in_and_out(given: dict[str, Any], allowed: int, then: str, drives: int) -> None:
    answer = RULES.ask("transport", **given)
    assert [only(answer, name) for name in ("allowed", "unit_then", "vehicle_may_move")] == [allowed, then, drives]
    assert ("may not" in answer.headline) == (not allowed)
