"""Walkers: what they may do, and what they are worth in a fight."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import assault, walkers
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.firing import fire_mode
from battletape.rulesets.vehicles5.rules.geometry import facing_from
from battletape.rulesets.vehicles5.rules.legality import refuse_deed
from battletape.rulesets.vehicles5.rules.movement import Situation, refuse_move
from battletape.rulesets.vehicles5.rules.smoke import refuse_smoke
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.points import Point
from tests.vehicles5.battles import close_quarters

STUNNED, STUCK, SHAKEN = Condition(stunned=True), Condition(immobilised=True), Condition(shaken=True)
BOTH = Condition(stunned=True, immobilised=True)
EVERY: tuple[walkers.Deed, ...] = ("run", "assault", "pile_in", "sweeping_advance", "consolidate")


@pytest.mark.clause("V5-WALK-1", "V5-WALK-4", "V5-WALK-5", "V5-WALK-6", "V5-WALK-7", "V5-WALK-13", "V5-WALK-14")
@pytest.mark.parametrize(
    ("action", "given", "by"),
    [
        ("assault", {"fired": True}, None),
        ("assault", {"fired": True, "target_is_fired_unit": False}, "V5-WALK-7"),
        ("assault", {"target_is_fired_unit": False}, None),
        ("assault", {"ran": True}, "V5-WALK-4"),
        ("assault", {"state": STUNNED}, "V5-DMG-2"),
        ("assault", {"state": STUCK}, "V5-WALK-1"),
        ("assault", {"state": SHAKEN}, None),
        ("assault", {"state": Condition(status="wrecked")}, "V5-DMG-5"),
        ("assault", {"state": Condition(status="exploded")}, "V5-DMG-6"),
        ("run", {"state": STUNNED}, "V5-DMG-2"),
        ("run", {"state": STUCK}, "V5-WALK-1"),
        ("run", {}, None),
        ("pivot_when_firing", {}, None),
        ("pivot_when_firing", {"state": STUCK}, "V5-WALK-5"),
        ("pivot_when_firing", {"ran": True}, "V5-WALK-4"),
        ("fight", {"state": BOTH}, None),
        ("pile_in", {"state": STUCK}, "V5-WALK-14"),
        ("sweeping_advance", {"state": STUNNED}, "V5-WALK-14"),
        ("consolidate", {"state": SHAKEN}, None),
        ("morale_test", {}, "V5-WALK-13"),
    ],
)
def test_what_a_walker_may_do(action: walkers.Deed, given: dict[str, Any], by: str | None) -> None:
    refused = walkers.refuse_walker(action, **given)
    assert (refused.clause if refused else None) == by


@pytest.mark.clause("V5-WALK-4", "V5-WALK-3", "V5-DMG-1", "V5-DMG-2")
@pytest.mark.parametrize(
    ("given", "by"),
    [
        ({"ran": True}, "V5-WALK-4"),
        ({"condition": Condition(shaken=True)}, "V5-DMG-1"),
        ({"condition": Condition(stunned=True)}, "V5-DMG-2"),
        ({"condition": Condition(immobilised=True)}, None),
    ],
)
def test_when_a_walker_may_fire(given: dict[str, Any], by: str | None) -> None:
    why = fire_mode(Situation(Traits(walker=True), band="combat", **{"condition": Condition(), **given})).why
    assert (why.clause if why else None) == by


@pytest.mark.clause("V5-WALK-4")
def test_when_a_walker_may_use_its_smoke() -> None:
    strict = Rulings(walker_smoke_time="move_only")
    ran = Situation(Traits(walker=True), Condition(), ran=True, smoke_launchers=True)
    assert refuse_smoke(ran) is None
    late = refuse_smoke(replace(ran, rules=strict))
    assert late is not None
    assert late.clause == "V5-WALK-4"
    battered = Condition(stunned=True, immobilised=True)
    assert refuse_smoke(replace(ran, ran=False, condition=battered, stands=True, rules=strict)) is None


@pytest.mark.clause("V5-WALK-1")
def test_an_immobilised_walker_does_not_move() -> None:
    assert refuse_move("move", Traits(walker=True), STUCK) is not None
    assert refuse_move("move", Traits(walker=True), Condition()) is None


@pytest.mark.clause("V5-WALK-1", "V5-WALK-14")
def test_an_undamaged_walker_may_do_everything() -> None:
    assert [walkers.refuse_walker(action) for action in EVERY] == [None] * len(EVERY)
    assert walkers.refuse_walker("sweeping_advance", state=SHAKEN) is None
    assert walkers.refuse_walker("sweeping_advance", state=STUCK) is not None


@pytest.mark.clause("V5-WALK-1")
def test_a_run_is_once_in_a_turn_and_in_place_of_shooting() -> None:
    strider = Situation(Traits(walker=True), Condition(), name="Strider")
    said = [refuse_deed("run", now) for now in (strider, replace(strider, ran=True), replace(strider, fired=True))]
    told = [refused and (refused.reason, refused.clause) for refused in said]
    ran, fired = "Strider has run this turn", "Strider has fired, and running is in place of shooting"
    assert told == [None, (ran, "V5-WALK-1"), (fired, "V5-WALK-1")]


@pytest.mark.clause("V5-WALK-1")
def test_a_run_is_one_die() -> None:
    odds = odds_of(walkers.roll_run)
    assert odds.mean * 2 == 7
    assert sorted(odds.fractions()) == [1, 2, 3, 4, 5, 6]


@pytest.mark.clause("V5-WALK-5", "V5-WALK-17")
def test_turning_to_shoot_shows_the_side_to_others() -> None:
    battle = close_quarters()
    battle.push("end_phase")
    battle.push("pivot_to_fire", unit="Ogre", heading=270)
    ogre = battle.state.machine("Ogre")
    north, west, east = (Point(ogre.hull.centre.x + x, ogre.hull.centre.y + y) for x, y in ((0, 20), (-20, 0), (20, 0)))
    assert [facing_from(ogre.hull, point) for point in (north, west, east)] == ["side", "front", "rear"]
    assert (ogre.band, ogre.moved) == ("stationary", False)
    battle.push("end_turn")
    assert battle.state.machine("Ogre").hull.heading == 270


@pytest.mark.clause("V5-WALK-11", "V5-WALK-16")
@pytest.mark.parametrize(
    ("a", "dccw", "charged", "state", "number", "each"),
    [
        (2, 1, False, Condition(), 2, 2),
        (2, 0, True, Condition(), 3, 3),
        (2, 2, True, Condition(), 4, 4),
        (2, 1, False, STUNNED, 1, 1),
        (2, 1, False, SHAKEN, 2, 2),
        (1, 1, False, STUNNED, 1, 1),
        (3, 1, False, BOTH, 2, 1),
        (1, 2, True, BOTH, 2, 1),
        (1, 1, False, BOTH, 1, 1),
    ],
)
def test_attacks_of_a_walker(a: int, dccw: int, charged: bool, state: Condition, number: int, each: int) -> None:
    assert walkers.attacks(a, dccw, charged, state) == number
    assert walkers.attacks(a, dccw, charged, state, Rulings(walker_penalty="each")) == each


@pytest.mark.clause("V5-WALK-16", "V5-CORE-23")
def test_a_close_combat_weapon_doubles_strength() -> None:
    assert [walkers.strength(s, 1) for s in (3, 5, 6)] == [6, 10, 10]
    assert walkers.strength(6, 0) == 6


@pytest.mark.clause("V5-WALK-8", "V5-WALK-10", "V5-CORE-10")
def test_blows_and_grenades_against_a_walker() -> None:
    assert [walkers.to_hit(*pair) for pair in ((4, 4), (5, 4), (2, 4), (2, 5))] == [4, 3, 4, 5]
    assert walkers.to_hit(4, 4, grenade=True) == 6
    assert walkers.to_hit(4, 4, grenade=True, state=SHAKEN) == 6
    assert walkers.to_hit(5, 4, grenade=True, state=STUCK) == 3
    strict = Rulings(grenades_on_helpless_walker="six")
    assert walkers.to_hit(5, 4, grenade=True, state=STUNNED, rules=strict) == 6
    assert walkers.to_hit(5, 4, state=STUNNED, rules=strict) == 3


@pytest.mark.clause("V5-WALK-8", "V5-WALK-9")
def test_only_walkers_are_locked_and_struck_on_the_front() -> None:
    assert "fight" in walkers.in_a_fight(Traits(walker=True))
    assert not walkers.in_a_fight(Traits(tank=True))
    assert assault.facing(Traits(walker=True), "rear") == "front"
    assert assault.facing(Traits(), "side", Rulings(assault_facing="contact")) == "side"
