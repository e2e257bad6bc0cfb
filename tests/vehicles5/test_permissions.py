"""What a vehicle may do: both legality tables of the catalogue, and every reason with its clause."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.legality import (
    Permission,
    find_permission,
    main_weapons,
    may_drive,
    permissions_in,
    refuse_fire,
)
from battletape.rulesets.vehicles5.rules.movement import Situation, WeaponUse
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings
from battletape.rulesets.vehicles5.tables.worked_out import (
    condition_table,
    penetration_table,
    printed_tables,
    speed_table,
)

TANK = Traits(tank=True)
ARMED = Condition(weapons=("cannon", "gun", "stubber"))
GUNS = (WeaponUse("cannon", 9), WeaponUse("gun", 7), WeaponUse("stubber", 4))


def said(thing: str, traits: Traits = TANK, condition: Condition = ARMED, **given: Any) -> Permission:
    found = find_permission(permissions_in(Situation(traits, condition, weapons=GUNS, **given)), thing)
    assert found is not None
    return found


@pytest.mark.clause("V5-MOVE-1", "V5-MOVE-2", "V5-MOVE-3", "V5-FIRE-1", "V5-FIRE-2", "V5-FIRE-3", "V5-DEF-1")
def test_a_tank_that_has_done_nothing_yet() -> None:
    found = permissions_in(Situation(TANK, ARMED, weapons=GUNS, smoke_launchers=True, passengers=6, fire_points=2))
    assert {one.thing: one.detail for one in found} == {
        "turn on the spot": "as often as it likes",
        "drive at combat speed": "up to 6 inches; then it fires one main weapon and all defensive ones",
        "drive at cruising speed": "up to 12 inches; then it fires nothing (V5-FIRE-3)",
        "tank shock": "straight ahead, up to 12 inches",
        "ram": "straight ahead at top speed, 12 inches; then it fires nothing",
        "set off smoke": "once its move is over; then it fires nothing this turn (V5-SMOKE-2)",
        "fire": "all weapons",
        "fire the cannon": "S9, a main weapon",
        "fire the gun": "S7, a main weapon",
        "fire the stubber": "S4, a defensive weapon",
        "passengers shoot": "2 models",
        "passengers get out": "and may move, shoot and assault",
        "close combat": "nothing follows an assault on it: no result, no morale, nobody is locked",
        "go to ground": "a vehicle never goes to ground; troops may",
    }
    assert [one.thing for one in found if not one.allowed] == ["close combat", "go to ground"]


@pytest.mark.clause("V5-DMG-1", "V5-DMG-2", "V5-DMG-3", "V5-DMG-4", "V5-DMG-5", "V5-DMG-6", "V5-SMOKE-1", "V5-SMOKE-2")
@pytest.mark.clause(
    "V5-RAM-2", "V5-TANK-1", "V5-TANK-2", "V5-MOVE-7", "V5-TRAN-3", "V5-FAST-5", "V5-WALK-4", "V5-WALK-1"
)
@pytest.mark.parametrize(
    ("thing", "given", "clause"),
    [
        ("drive", {"condition": Condition(stunned=True)}, "V5-DMG-2"),
        ("drive", {"condition": Condition(immobilised=True)}, "V5-DMG-4"),
        ("drive", {"condition": Condition(status="wrecked")}, "V5-DMG-5"),
        ("drive", {"condition": Condition(status="exploded")}, "V5-DMG-6"),
        ("drive", {"band": "combat"}, "V5-MOVE-7"),
        ("drive", {"has_moved": True}, "V5-MOVE-7"),
        ("drive", {"smoke_this_turn": True}, "V5-SMOKE-1"),
        ("tank shock", {"condition": Condition(stunned=True)}, "V5-DMG-2"),
        ("ram", {"condition": Condition(immobilised=True)}, "V5-DMG-4"),
        ("turn on the spot", {"condition": Condition(immobilised=True)}, "V5-DMG-4"),
        ("turn on the spot", {"band": "combat", "declared": "tank_shock"}, "V5-TANK-2"),
        ("turn on the spot", {"band": "cruising", "declared": "ram"}, "V5-TANK-2"),
        (
            "turn on the spot",
            {"condition": Condition(stunned=True), "rules": Rulings(stunned_may_pivot=False)},
            "V5-MOVE-1",
        ),
        ("fire", {"condition": Condition(shaken=True)}, "V5-DMG-1"),
        ("fire", {"smoke_this_turn": True}, "V5-SMOKE-2"),
        ("fire", {"declared": "ram", "band": "cruising"}, "V5-RAM-2"),
        ("fire", {"traits": Traits(walker=True), "ran": True}, "V5-WALK-4"),
        ("fire the gun", {"condition": Condition(weapons=("cannon",))}, "V5-DMG-3"),
        ("set off smoke", {}, "V5-SMOKE-1"),
        ("set off smoke", {"smoke_launchers": True, "smoke_used": True}, "V5-SMOKE-1"),
        ("set off smoke", {"smoke_launchers": True, "smoke_this_turn": True}, "V5-SMOKE-1"),
        ("passengers shoot", {"passengers": 5}, "V5-TRAN-3"),
        ("passengers shoot", {"passengers": 5, "fire_points": 1, "condition": Condition(shaken=True)}, "V5-DMG-1"),
        ("passengers get out", {"passengers": 5, "traits": Traits(fast=True), "band": "flat_out"}, "V5-FAST-5"),
        ("run", {"traits": Traits(walker=True), "fired": True}, "V5-WALK-1"),
        ("run", {"traits": Traits(walker=True), "ran": True}, "V5-WALK-1"),
        ("run", {"traits": Traits(walker=True), "condition": Condition(stunned=True)}, "V5-DMG-2"),
        ("assault", {"traits": Traits(walker=True), "ran": True}, "V5-WALK-4"),
        ("turn to fire", {"traits": Traits(walker=True), "condition": Condition(immobilised=True)}, "V5-WALK-5"),
        ("turn to fire", {"traits": Traits(walker=True), "smoke_this_turn": True}, "V5-SMOKE-2"),
        ("turn to fire", {"traits": Traits(walker=True), "fired": True}, "V5-WALK-5"),  # as in test_battle_shooting
    ],
)
def test_what_is_forbidden_and_by_which_clause(thing: str, given: dict[str, Any], clause: str) -> None:
    found = said(thing, **given)
    assert (found.allowed, found.clause) == (False, clause)
    assert found.detail


@pytest.mark.clause("V5-FAST-1", "V5-FAST-2", "V5-FAST-3", "V5-FAST-4", "V5-WALK-3", "V5-SKIM-5", "V5-SKIM-6")
@pytest.mark.parametrize(
    ("traits", "band", "clause"),
    [
        (TANK, "stationary", "V5-FIRE-1"),
        (TANK, "combat", "V5-FIRE-2"),
        (TANK, "cruising", "V5-FIRE-3"),
        (Traits(fast=True), "combat", "V5-FAST-2"),
        (Traits(fast=True), "cruising", "V5-FAST-3"),
        (Traits(fast=True), "flat_out", "V5-FAST-4"),
        (Traits(walker=True), "combat", "V5-WALK-3"),
    ],
)
def test_fire_names_the_clause_of_its_speed(traits: Traits, band: Any, clause: str) -> None:
    assert said("fire", traits, band=band).clause == clause


@pytest.mark.clause("V5-SKIM-5", "V5-SKIM-6", "V5-MOVE-4", "V5-MOVE-6", "V5-FAST-5")
def test_how_far_on_roads_and_in_the_air() -> None:
    flat_out = said("drive flat out", Traits(fast=True, skimmer=True))
    assert flat_out.clause == "V5-SKIM-5"
    assert flat_out.detail == (
        "up to 24 inches; then it fires nothing (V5-FAST-4); nobody gets in or out after it (V5-FAST-5); "
        "a cover save of 4+ (V5-SKIM-6)"
    )
    on_road = permissions_in(Situation(Traits(fast=True), ARMED, on_road=True))
    assert [(one.thing, one.detail[:15], one.clause) for one in on_road if "drive" in one.thing] == [
        ("drive at combat speed", "up to 6 inches;", "V5-MOVE-2"),
        ("drive at cruising speed", "up to 18 inches", "V5-MOVE-4"),
        ("drive flat out", "up to 24 inches", "V5-MOVE-6"),
    ]
    assert may_drive(Situation(TANK, ARMED, on_road=True)) == 18
    assert may_drive(Situation(TANK, ARMED, unit_left=True)) == 0


@pytest.mark.clause("V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-1", "V5-OPEN-3")
def test_passengers() -> None:
    moved = {"band": "combat", "passengers": 8, "fire_points": 2}
    assert said("passengers shoot", **moved).detail == "2 models, counting as moving"
    out = said("passengers get out", **moved)
    assert (out.detail, out.clause) == ("and may shoot; the vehicle then neither moves nor turns", "V5-TRAN-8")
    open_topped = said("passengers get out", Traits(open_topped=True), **moved)
    assert open_topped.detail.startswith("and may shoot and assault")
    assert open_topped.clause == "V5-OPEN-3"
    assert said("passengers shoot", Traits(open_topped=True), **moved).detail == "8 models, counting as moving"
    left = permissions_in(Situation(TANK, ARMED, "combat", unit_left=True))
    assert [one.clause for one in left[:2]] == ["V5-TRAN-8", "V5-TRAN-8"]
    boarded = permissions_in(Situation(TANK, ARMED, passengers=5, boarded=True))
    assert find_permission(boarded, "passengers get out") == Permission(
        "passengers get out", False, "a unit that boarded this turn may not get out as well", "V5-TRAN-4"
    )


@pytest.mark.clause("V5-WALK-1", "V5-WALK-5", "V5-WALK-6", "V5-WALK-7")
def test_walkers_run_turn_and_assault() -> None:
    walker = Traits(walker=True)
    assert said("run", walker).allowed
    assert said("turn to fire", walker).clause == "V5-WALK-5"
    assert said("assault", walker).detail == "any enemy in reach"
    assert said("assault", walker, fired=True).clause == "V5-WALK-7"
    assert find_permission(permissions_in(Situation(TANK, ARMED)), "run") is None
    smoke = said("set off smoke", walker, smoke_launchers=True, ran=True)
    assert smoke.detail.startswith("after its run")
    late = said("set off smoke", walker, smoke_launchers=True, ran=True, rules=Rulings(walker_smoke_time="move_only"))
    assert (late.allowed, late.clause) == (False, "V5-WALK-4")


@pytest.mark.clause("V5-FIRE-5", "V5-ORD-1", "V5-ORD-4", "V5-DEF-1", "V5-DMG-3")
def test_weapons_together() -> None:
    krak, frag = WeaponUse("launcher, krak", 8, mount="launcher"), WeaponUse("launcher, frag", 4, mount="launcher")
    howitzer, bolter = WeaponUse("howitzer", 9, True, lobs=True), WeaponUse("bolter", 5)
    intact = Condition(weapons=("launcher", "howitzer", "bolter"))
    still = Situation(TANK, intact, weapons=(krak, frag, howitzer, bolter))
    rolling = Situation(TANK, intact, "combat", weapons=still.weapons)
    said = [
        refuse_fire(still, (krak, bolter)),
        refuse_fire(still, (krak, frag)),
        refuse_fire(still, (howitzer, bolter)),
        refuse_fire(rolling, (krak, bolter)),
        refuse_fire(rolling, (frag, bolter)),
    ]
    assert [one and one.clause for one in said] == [None, "V5-DEF-1", "V5-ORD-1", "V5-FIRE-2", None]
    assert (main_weapons(still), main_weapons(rolling)) == (2, 1)
    lobbed = [find_permission(permissions_in(one), "fire the howitzer as a barrage") for one in (still, rolling)]
    assert [one and (one.allowed, one.clause) for one in lobbed] == [(True, "V5-ORD-4"), (False, "V5-ORD-4")]


@pytest.mark.clause("V5-FIRE-5", "V5-MOVE-7", "V5-SKIM-6", "V5-ASLT-5", "V5-TRAN-3", "V5-FAST-5")
def test_the_table_of_kinds_and_speeds() -> None:
    rows = {(row[0], row[1]): row[2:] for row in speed_table().rows}
    assert len(rows) == 16
    one = "one main and all defensive, or one ordnance"
    assert rows["ordinary, tank", "stationary"] == (
        *("0", "0", "all, or one ordnance", "yes", "yes", "and assault", "automatic", "-"),
    )
    assert rows["ordinary, tank", "combat"][2:6] == (one, "no", "as moving", "assault if open-topped")
    assert rows["skimmer", "cruising"][:4] == ("12", "12", "none", "no")
    assert rows["fast", "combat"][2:4] == ("all, or one ordnance", "yes")
    assert rows["fast", "cruising"] == (*("12", "18", one, "no", "as moving", "assault if open-topped", "6+", "-"),)
    assert rows["fast", "flat_out".replace("_", " ")] == (*("18", "24", "none", "no", "as moving", "no", "6+", "-"),)
    assert rows["fast skimmer", "flat out"] == (*("24", "24", "none", "no", "as moving", "no", "6+", "4+"),)
    assert rows["walker", "combat"] == (*("6", "6", "all, or one ordnance", "yes", "-", "-", "by WS", "-"),)
    by_core5 = {(row[0], row[1]): row[6] for row in speed_table(Rulings(**PRESETS["core5"])).rows}
    assert (by_core5["fast", "combat"], by_core5["fast", "cruising"]) == ("as moving", "no")


@pytest.mark.clause("V5-DMG-1", "V5-DMG-2", "V5-DMG-4", "V5-SMOKE-2", "V5-TANK-6", "V5-RAM-2", "V5-TRAN-8")
def test_the_table_of_conditions() -> None:
    rows = {row[0]: row[1:] for row in condition_table().rows}
    one = "one main and all defensive, or one ordnance"
    assert rows == {
        "unharmed": ("yes", "yes", "all, or one ordnance", "yes", "yes", "yes", "yes"),
        "shaken": ("yes", "yes", "none", "yes", "yes", "no", "yes"),
        "stunned": ("no", "yes", "none", "yes", "no", "no", "yes"),
        "immobilised": ("no", "no", "all, or one ordnance", "yes", "no", "yes", "yes"),
        "smoke this turn": ("no", "no", "none", "no", "no", "yes", "yes"),
        "tank shock this turn": ("no", "no", one, "yes", "no", "yes", "yes"),
        "ram this turn": ("no", "no", "none", "yes", "no", "yes", "yes"),
        "a unit got out after its move": ("no", "no", one, "yes", "no", "-", "-"),
        "wrecked": ("no", "no", "none", "no", "no", "no", "forced"),
        "exploded": ("no", "no", "none", "no", "no", "no", "forced"),
    }


@pytest.mark.clause("V5-PEN-3", "V5-PEN-2", "V5-CORE-11", "V5-CORE-12")
def test_the_table_of_penetration() -> None:
    rows = {row[0]: row[1:] for row in penetration_table().rows}
    assert rows["3"] == ("1/6, 1/2", "5/36, 3/4", "1/18, 11/12", "1/6, 1/2")
    assert rows["7"] == ("0, 0", "0, 0", "1/6, 5/12", "1/18, 1/9")
    assert rows["12"] == ("0, 0", "0, 0", "1/36, 0", "0, 0")


def test_printed_tables_are_whole() -> None:
    every = printed_tables()
    assert len({one.title for one in every}) == len(every) == 15
    assert all(len(row) == len(one.head) for one in every for row in one.rows)


@pytest.mark.clause("V5-FAST-5")
def test_a_vehicle_that_was_boarded_may_not_go_flat_out_where_players_agreed_so() -> None:
    fast = {"traits": Traits(fast=True), "boarded": True, "passengers": 5}
    assert said("drive flat out", **fast).allowed
    agreed = said("drive flat out", **fast, rules=Rulings(flat_out_symmetric=True))
    assert (agreed.allowed, agreed.clause) == (False, "V5-FAST-5")
