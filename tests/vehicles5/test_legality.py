"""What a vehicle may do: both legality tables of the catalogue, every reason, and the question what_may_it_do."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.rulesets.vehicles5.questions.what_may_it_do import (
    WHAT_MAY_IT_DO,
    Permission,
    find_permission,
    permissions_in,
)
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.firing import main_weapons, refuse_fire
from battletape.rulesets.vehicles5.rules.movement import Situation, WeaponUse, inches_left
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings
from battletape.rulesets.vehicles5.tables.worked_out import (
    condition_table,
    penetration_table,
    printed_tables,
    speed_table,
)
from tests.vehicles5.asking import RULES, ask, only

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
    assert {one.action: one.detail for one in found} == {
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
        "close combat": "nothing follows an assault on it: no result, no morale, no unit is locked",
        "go to ground": "a vehicle never goes to ground; troops may",
    }
    assert [one.action for one in found if not one.allowed] == ["close combat", "go to ground"]


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
            {"condition": Condition(stunned=True), "rulings": Rulings(stunned_may_pivot=False)},
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
        "up to 24 inches; then it fires nothing (V5-FAST-4); no unit gets in or out after it (V5-FAST-5); "
        "a cover save of 4+ (V5-SKIM-6)"
    )
    on_road = permissions_in(Situation(Traits(fast=True), ARMED, on_road=True))
    assert [(one.action, one.detail[:15], one.clause) for one in on_road if "drive" in one.action] == [
        ("drive at combat speed", "up to 6 inches;", "V5-MOVE-2"),
        ("drive at cruising speed", "up to 18 inches", "V5-MOVE-4"),
        ("drive flat out", "up to 24 inches", "V5-MOVE-6"),
    ]
    assert inches_left(Situation(TANK, ARMED, on_road=True)) == 18
    assert inches_left(Situation(TANK, ARMED, unit_left=True)) == 0


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
    late = said("set off smoke", walker, smoke_launchers=True, ran=True, rulings=Rulings(walker_smoke_time="move_only"))
    assert (late.allowed, late.clause) == (False, "V5-WALK-4")


@pytest.mark.clause("V5-FIRE-5", "V5-ORD-1", "V5-ORD-4", "V5-DEF-1", "V5-DMG-3")
def test_weapons_together() -> None:
    krak, frag = WeaponUse("launcher, krak", 8, mount="launcher"), WeaponUse("launcher, frag", 4, mount="launcher")
    howitzer, bolter = WeaponUse("howitzer", 9, True, can_barrage=True), WeaponUse("bolter", 5)
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
    agreed = said("drive flat out", **fast, rulings=Rulings(flat_out_symmetric=True))
    assert (agreed.allowed, agreed.clause) == (False, "V5-FAST-5")


@pytest.mark.clause(
    "V5-MOVE-7", "V5-SMOKE-1", "V5-TERR-4", "V5-SKIM-4", "V5-FIRE-0", "V5-ORD-4", "V5-WALK-7", "V5-SHOT-3"
)
@pytest.mark.parametrize(
    ("measure", "value", "given"),
    [
        ("assault_band", "stationary", {"distance": 12, "displacement": 0}),
        ("smoke_now", 0, {"smoke_launchers": True}),
        ("smoke_now", 1, {"smoke_launchers": True, "stands": True}),
        ("smoke_now", 1, {"smoke_launchers": True, "band": "combat"}),
        ("smoke", 0, {"smoke_launchers": True, "phase": "shooting"}),
        ("may_move", 0, {"stands": True}),
        ("fire_mode", "none", {"phase": "assault"}),
        ("way", 0, {"in_the_way": ["friendly"], "types": ["tank"]}),
        ("way", 1, {"in_the_way": ["enemy"], "types": ["tank"]}),
        ("way", 1, {"in_the_way": ["enemy", "friendly"], "types": ["skimmer"]}),
        ("way", 0, {"ends_on_model": True, "types": ["skimmer"]}),
        ("together", 0, {"guns": [{"name": "a"}, {"name": "b"}], "together": ["a", "b"], "fire_at": ["x", "y"]}),
        ("together", 0, {"guns": [{"name": "a"}], "together": ["a"], "as_barrage": ["a"]}),
        ("assault", 0, {"types": ["walker"], "fired": True, "other_target": True}),
        ("assault", 1, {"types": ["walker"], "fired": True}),
        ("go_to_ground", 0, {"types": ["walker"]}),
    ],
)
def test_what_else_it_may_do(measure: str, value: Any, given: dict[str, Any]) -> None:
    assert only(RULES.ask("what_may_it_do", **given), measure) == value


@pytest.mark.clause("V5-FIRE-2", "V5-SMOKE-1", "V5-MOVE-7")
def test_the_example_of_what_it_may_do() -> None:
    answer = RULES.ask("what_may_it_do", **WHAT_MAY_IT_DO.example)
    fires = "fires one main weapon and all defensive ones, or one ordnance weapon alone"
    assert answer.headline == f"Has moved at combat speed; {fires}; smoke is ready."
    titles = [(step.title, step.clauses) for step in answer.steps]
    assert ("Drive: no, it has moved already, and all its inches count as one move", ("V5-MOVE-7",)) in titles
    assert len(set(titles)) == len(titles)
    assert answer.table is None  # the steps say it all, once
    assert [step.title for step in answer.steps][:1] == ["Turn on the spot: yes, as often as it likes"]
    assert all(step.clauses for step in answer.steps)
    told = str(RULES.roll("what_may_it_do", **WHAT_MAY_IT_DO.example)).splitlines()
    assert told == [answer.headline, *(step.title for step in answer.steps)]


def may(**given: Any) -> dict[str, Any]:
    """Each measure's only value."""
    answer = RULES.ask("what_may_it_do", **given)
    found = {}
    for measure in WHAT_MAY_IT_DO.measures:
        (found[measure.name],) = answer.odds(measure.name).fractions()
    return found


@pytest.mark.clause("V5-TANK-1", "V5-RAM-1", "V5-TRAN-3", "V5-SMOKE-1")
def test_a_carrier_from_the_garage() -> None:
    assert may(vehicle="Barrow carrier") == {
        "may_move": 1,
        "may_turn": 1,
        "inches": 12,
        "band": "stationary",
        "assault_band": "stationary",
        "way": "nothing in the way",
        "fire_mode": "all",
        "main_weapons": 0,
        "may_lob": 0,
        "tank_shock": 1,
        "ram": 1,
        "smoke": 1,
        "smoke_now": 0,
        "passengers_shoot": 2,
        "passengers_as_moving": 0,
        "passengers_get_out": 1,
        "run": 0,
        "turn_to_fire": 0,
        "assault": 0,
        "close_combat": "nothing",
        "go_to_ground": 0,
        "together": "none named",
    }
    stunned = may(vehicle="barrow carrier", stunned=True, smoke_used=True)
    assert {name for name, value in stunned.items() if value == 1} == {
        "may_turn",
        "passengers_get_out",
    }
    headline = RULES.ask("what_may_it_do", vehicle="Barrow carrier", stunned=True, smoke_used=True).headline
    assert headline == "May not drive (V5-DMG-2); fires nothing (V5-DMG-2); smoke is spent (V5-SMOKE-1)."


@pytest.mark.clause("V5-DEF-1", "V5-DMG-3", "V5-ORD-4")
def test_launchers_walkers_and_howitzers_from_the_garage() -> None:
    heron = RULES.ask(
        "what_may_it_do", vehicle="Heron carrier", band="cruising", together="Missile launcher (Krak missile)"
    )
    assert "fires one main weapon and all defensive ones" in heron.headline
    assert heron.odds("together").chance(1) == 1
    assert may(vehicle="Far Thunder carriage")["may_lob"] == 1
    assert may(vehicle="Far Thunder carriage", band="combat")["may_lob"] == 0
    walker = may(vehicle="Warden strider", band="combat", fired=True)
    assert (walker["main_weapons"], walker["run"], walker["assault"]) == (0, 0, 1)
    lost = may(vehicle="Strongroom carrier", weapon_names="left las")
    assert lost["main_weapons"] == 1


@pytest.mark.clause("V5-FIRE-5", "V5-FIRE-2", "V5-SMOKE-2", "V5-ORD-1")
def test_weapons_to_fire_together() -> None:
    guns = [{"weapon": "Lascannon", "name": "left"}, {"weapon": "Lascannon", "name": "right"}, "Storm bolter"]
    assert may(guns=guns, together="left, right")["together"] == 1
    assert may(guns=guns, together="left, right", band="combat")["together"] == 0
    assert may(guns=guns, together="left, storm bolter", band="combat")["together"] == 1
    smoke = RULES.ask("what_may_it_do", guns=guns, together="left", smoke_launchers=True, smoke_this_turn=True)
    last = smoke.steps[-1]
    assert last.title == "Fire the left together: no, a vehicle that set off smoke this turn fires no weapon"
    assert last.clauses == ("V5-SMOKE-2",)


@pytest.mark.clause("V5-MOVE-2", "V5-MOVE-4")
def test_inches_stand_for_a_speed() -> None:
    assert may(distance=6)["fire_mode"] == "one_main"
    assert may(distance=6.25)["fire_mode"] == "none"
    assert may(distance=0)["inches"] == 12
    assert may(distance=0, on_road=True)["inches"] == 18


def lines(**given: Any) -> dict[str, tuple[str, tuple[str, ...]]]:
    steps = ask("what_may_it_do", smoke_launchers=True, **given).steps
    said = {step.title.partition(":")[0]: step for step in steps}
    return {thing: (step.title.partition(": ")[2].partition(",")[0], step.clauses) for thing, step in said.items()}


@pytest.mark.clause("V5-CORE-16", "V5-WALK-4")
def test_a_walker_that_ran_neither_drives_nor_turns() -> None:
    found = lines(types="walker", ran=True)
    assert found["Drive"] == found["Turn on the spot"] == ("no", ("V5-CORE-16",))
    assert found["Fire"] == ("no", ("V5-WALK-4",))
    assert found["Set off smoke"][0] == "yes"


@pytest.mark.clause("V5-CORE-16", "V5-SMOKE-1", "V5-FIRE-0", "V5-TRAN-4")
def test_a_vehicle_that_fired_has_its_move_behind_it() -> None:
    found = lines(types="tank", fired=True, capacity=5, passengers=3, fire_points=2)
    for thing in ("Drive", "Turn on the spot", "Tank shock", "Ram"):
        assert found[thing] == ("no", ("V5-CORE-16",)), thing
    assert found["Set off smoke"] == ("no", ("V5-SMOKE-1",))
    assert found["Fire"] == ("no", ("V5-FIRE-0",))
    assert found["Passengers get out"] == ("no", ("V5-TRAN-4",))
    assert found["Passengers shoot"][0] == "yes"
    walker = lines(types="walker", fired=True)
    assert (walker["Run"][0], walker["Assault"][0], walker["Turn to fire"][0]) == ("no", "yes", "no")


@pytest.mark.clause("V5-DMG-2", "V5-DMG-1")
def test_a_crew_that_is_stunned_does_not_fire_and_no_more_is_said() -> None:
    stunned = ask("what_may_it_do", stunned=True)
    assert "Fire: no, a crew that is stunned does not fire" in [step.title for step in stunned.steps]
