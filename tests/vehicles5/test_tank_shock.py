"""Tank shock, death or glory, and the question tank_shock."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.errors import Refused, UnknownName
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import tank_shock
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.tank_shock import (
    TANK_SHOCK,
    Drive,
    GloryWeapon,
    RoughGround,
    ShockedUnit,
    ThingOnLine,
    glory_shots,
    resolve_glory_attack,
    straight_drive,
)
from battletape.rulesets.vehicles5.rules.traits import DamageRow, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.hulls import Hull
from battletape.table.points import Point, apart
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES, chance_of
from tests.vehicles5.battles import FAR, battle, box, path, vehicle

TANK = Traits(tank=True)
NEW = Condition(weapons=("weapon",))
FIST = GloryWeapon("fist", 8)
HULL = Hull(Point(-2.0, 0.0), 90.0, 4.0, 3.0)
WEAPON_GOES_ON = Rulings(dog_weapon_destroyed_stops=False)


def moved(declared: float, *path: ThingOnLine, traits: Traits = TANK, **more: Any) -> tank_shock.StraightDrive:
    found = straight_drive(traits, Condition(), declared, path, **more)
    assert not isinstance(found, Refused), found
    return found


def refused(
    declared: float, *path: ThingOnLine, traits: Traits = TANK, state: Condition = Condition(), **more: Any
) -> str:
    found = straight_drive(traits, state, declared, path, **more)
    assert isinstance(found, Refused)
    return found.clause


def ends(*units: ShockedUnit | RoughGround, **more: Any) -> dict[Drive, Fraction]:
    given = {"start": NEW, "tank": NEW, "front": 13, "declared": 10.0, "stop_at": 10.0, **more}
    return Exact().run(TANK_SHOCK.stages, Drive(units=units, **given)).fractions()


def chance(found: dict[Drive, Fraction], test: Any) -> Fraction:
    return sum((part for drive, part in found.items() if test(drive)), Fraction(0))


# --- the line -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-TANK-4", "V5-TANK-3")
def test_what_stops_a_tank() -> None:
    unit, friend = ThingOnLine("enemy_unit", 3, "A"), ThingOnLine("friendly", 5)
    stopped = moved(10, unit, friend, ThingOnLine("enemy_unit", 7, "B"))
    assert (stopped.moved, stopped.shocked, stopped.stopped_by) == (5, ("A",), "friend")
    short = moved(10, ThingOnLine("enemy_vehicle", 7))
    assert (short.moved, short.stopped_by) == (6, "enemy_vehicle")
    assert moved(6, ThingOnLine("enemy_vehicle", 6.5)).moved == 5.5
    assert moved(10, ThingOnLine("edge", 8)).stopped_by == "edge"
    assert moved(10, ThingOnLine("impassable", 8)).moved == 8
    assert moved(10, ThingOnLine("impassable", 8), traits=Traits(tank=True, skimmer=True)).moved == 10
    assert moved(10, ThingOnLine("friendly", 10.5)).stopped_by == ""


@pytest.mark.clause("V5-TANK-3")
def test_units_are_hit_once_in_order_of_contact() -> None:
    path = [ThingOnLine("enemy_unit", at, name) for at, name in ((9, "B"), (3, "A"), (4, "A"), (11, "C"))]
    assert moved(10, *path).shocked == ("A", "B")


@pytest.mark.clause("V5-TANK-1", "V5-TANK-2")
def test_who_may_and_how_far() -> None:
    assert refused(6, traits=Traits()) == "V5-TANK-1"
    assert refused(0) == "V5-TANK-2"
    assert refused(13) == "V5-MOVE-3"
    assert refused(6, state=Condition(immobilised=True)) == "V5-DMG-4"
    assert refused(6, state=Condition(stunned=True)) == "V5-DMG-2"
    assert moved(18, on_road=True).moved == 18
    assert moved(18, traits=Traits(tank=True, fast=True)).moved == 18


@pytest.mark.clause("V5-TANK-2")
def test_the_shortest_tank_shock_by_ruling() -> None:
    assert moved(3).moved == 3
    assert refused(3, rulings=Rulings(tank_shock_least="six_inches")) == "V5-TANK-2"
    assert moved(6, rulings=Rulings(tank_shock_least="six_inches")).moved == 6


@pytest.mark.clause("V5-TANK-1")
def test_engaged_units_by_ruling() -> None:
    engaged = ThingOnLine("enemy_unit_engaged", 7)
    assert (moved(10, engaged).moved, moved(10, engaged).stopped_by) == (6, "engaged")
    assert refused(10, engaged, rulings=Rulings(engaged_on_the_line="not_allowed")) == "V5-TANK-1"
    assert moved(6, engaged, rulings=Rulings(engaged_on_the_line="not_allowed")).moved == 6


@pytest.mark.clause("V5-TANK-3", "V5-TANK-4")
def test_the_lane_on_the_table() -> None:
    """A tank 3 wide drives 8 inches: a base of half an inch at 1.9 beside the axis is hit, at 2.1 it is not."""
    near, far = Base(Point(5.0, 1.9), 0.5), Base(Point(5.0, 2.1), 0.5)
    behind = Base(Point(6.0, 0.0), 0.5)
    found = tank_shock.things_ahead(
        HULL,
        8,
        {"missed": [far], "hit": [behind, near]},
        [
            ("enemy_vehicle", "wagon", [Hull(Point(9.5, 0.0), 90.0, 4.0, 3.0)]),
            ("friendly", "pal", [Base(Point(7.2, -1.0), 0.5)]),
            ("enemy_unit_engaged", "busy", [Base(Point(30.0, 0.0), 0.5)]),
        ],
    )
    assert [(one.kind, one.name) for one in found] == [
        ("enemy_unit", "hit"),
        ("friendly", "pal"),
        ("enemy_vehicle", "wagon"),
    ]
    assert found[0].at == pytest.approx(4.7)
    assert found[1].at == pytest.approx(6.7)
    assert found[2].at == pytest.approx(7.5)
    stopped = straight_drive(TANK, Condition(), 8, found)
    assert isinstance(stopped, tank_shock.StraightDrive)
    assert stopped.moved == pytest.approx(6.5)
    assert stopped.shocked == ("hit",)


@pytest.mark.clause("V5-TANK-3", "V5-TANK-4")
def test_engaged_units_on_the_table_are_kept_an_inch_away() -> None:
    found = tank_shock.things_ahead(HULL, 8, {}, [("enemy_unit_engaged", "busy", [Base(Point(6.0, 0.0), 0.5)])])
    assert moved(8, *found).moved == pytest.approx(4.5)


@pytest.mark.clause("V5-TANK-7")
def test_models_under_the_tank_step_aside_by_the_shortest_way() -> None:
    hull, model = Hull(Point(2.0, 0.0), 90.0, 4.0, 3.0), Base(Point(3.8, 0.2), 0.5)
    (way,) = tank_shock.ways_aside(hull, model)
    assert (way.x, way.y) == pytest.approx((5.5, 0.2))
    comrade = Base(Point(5.5, 0.2), 0.5)
    for other in tank_shock.ways_aside(hull, model, (comrade,)):
        assert apart(other, model.centre) > 1.7
        assert 0 <= gap(Base(other, 0.5), comrade) <= 2
        assert gap(Base(other, 0.5), hull) >= 1 - 1e-9


@pytest.mark.clause("V5-TANK-7")
def test_their_owner_picks_among_ways_of_the_same_length() -> None:
    hull, model = Hull(Point(0.0, 0.0), 90.0, 8.0, 3.0), Base(Point(0.0, 0.0), 0.5)
    ways = tank_shock.ways_aside(hull, model)
    assert sorted(way.y for way in ways) == pytest.approx([-3.0, 3.0])
    picked = tank_shock.step_aside(Script(f"({ways[1].x:.2f}, {ways[1].y:.2f})"), ways, "defender")
    assert picked == ways[1]
    assert tank_shock.step_aside(Script(), ways[:1], "defender") == ways[0]
    assert tank_shock.step_aside(Script(), (), "defender") is None


# --- death or glory -------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-DOG-1")
def test_who_may_try() -> None:
    """Only a unit that holds, with a model in the tank's path; the others are not even asked."""
    brave = ShockedUnit("watch", 2.0, 8, glory=(GloryWeapon("krak", 6),))
    for unit, dice in ((brave, (9,)), (replace(brave, falling_back=True), ()), (replace(brave, glory=()), (2,))):
        tape = Script(*dice)
        drive = tank_shock.advance(tape, Drive(start=NEW, tank=NEW, front=12, stop_at=6.0, units=(unit,)))
        assert (drive.killed, drive.stopped_by, tape.used_up) == ((), "", True)


@pytest.mark.clause("V5-DOG-3", "V5-DOG-4")
def test_what_stops_it() -> None:
    rows: tuple[DamageRow, ...] = (
        "none",
        "shaken",
        "stunned",
        "weapon_destroyed",
        "immobilised",
        "wrecked",
        "exploded",
    )
    assert [row for row in rows if tank_shock.stops_tank(row)] == list(rows[2:])
    assert [row for row in rows if tank_shock.stops_tank(row, weapon_stops=False)] == ["stunned", *rows[4:]]


def stand(
    attack: GloryWeapon, front: int, rulings: Rulings = DEFAULT, tank: Condition = NEW, open_topped: bool = False
) -> Any:
    shots = glory_shots(attack, front, open_topped, rulings)
    return odds_of(resolve_glory_attack, tank, shots, rulings.dog_weapon_destroyed_stops)


def by_faces(strength: int, front: int, modifier: int = 0) -> tuple[Fraction, Fraction]:
    """By hand, over both dice: how often the tank is stopped, and destroyed."""
    stopped = destroyed = 0
    for die, damage in product(range(1, 7), repeat=2):
        total = strength + die
        if total < front:
            continue
        row = min(6, max(1, damage + modifier - (2 if total == front else 0)))
        stopped += row >= 2
        destroyed += row >= 5
    return Fraction(stopped, 36), Fraction(destroyed, 36)


@pytest.mark.clause("V5-DOG-2", "V5-DOG-3", "V5-DOG-4")
@pytest.mark.parametrize("strength", [4, 6, 8, 9, 10])
@pytest.mark.parametrize("front", [10, 11, 12, 13, 14])
@pytest.mark.parametrize("ap, modifier", [(None, 0), (1, 1), ("-", -1)])
def test_one_attack_by_faces(strength: int, front: int, ap: Any, modifier: int) -> None:
    odds = stand(GloryWeapon("it", strength, ap), front)
    stopped, destroyed = by_faces(strength, front, modifier)
    assert odds.chance(lambda one: one[1]) == stopped
    assert odds.chance(lambda one: one[0].is_destroyed) == destroyed


@pytest.mark.clause("V5-DOG-4", "V5-DOG-3")
def test_a_fist_against_av13() -> None:
    odds = stand(FIST, 13)
    assert odds.chance(lambda one: one[1]) == Fraction(2, 9)
    assert odds.chance(lambda one: one[0].is_destroyed) == Fraction(1, 18)
    assert odds.chance(lambda one: not one[1] and one[0].shaken) == Fraction(1, 9)
    assert stand(FIST, 13, WEAPON_GOES_ON).chance(lambda one: one[1]) == Fraction(1, 6)


@pytest.mark.clause("V5-DOG-3")
def test_a_lost_weapon_that_was_none_is_a_stop_in_any_case() -> None:
    unarmed = stand(FIST, 13, WEAPON_GOES_ON, Condition())
    assert unarmed.chance(lambda one: one[1]) == Fraction(2, 9)


@pytest.mark.clause("V5-DOG-2")
def test_melta_and_several_shots_by_ruling() -> None:
    melta = GloryWeapon("meltagun", 8, 1, rules=("melta",))
    assert stand(melta, 12).chance(lambda one: one[1]) == Fraction(8, 9)
    far = stand(melta, 12, Rulings(death_or_glory_melta="full_range"))
    assert far.chance(lambda one: one[1]) == by_faces(8, 12, 1)[0]
    four = GloryWeapon("cannon", 8, hits=4)
    one = stand(four, 13).chance(lambda stood: stood[1])
    every = stand(four, 13, Rulings(death_or_glory_hits="all_shots")).chance(lambda stood: stood[1])
    assert one == Fraction(2, 9)
    assert every > 1 - (1 - Fraction(2, 9)) ** 4 - Fraction(1, 1000)


@pytest.mark.clause("V5-DOG-2")
def test_an_open_topped_tank_is_easier_to_stop() -> None:
    assert stand(FIST, 13, open_topped=True).chance(lambda one: one[1]) == by_faces(8, 13, 1)[0]


# --- the drive ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-TANK-5", "V5-DOG-1", "V5-DOG-3", "V5-DOG-4")
def test_ld8_with_a_fist_in_the_way_of_av13() -> None:
    found = ends(ShockedUnit("A", 3.0, 8, glory=(FIST,), tries="always"))
    assert chance(found, lambda one: one.fled) == Fraction(5, 18)
    assert chance(found, lambda one: one.stopped_by == "glory") == Fraction(13, 81)
    assert chance(found, lambda one: one.killed) == Fraction(91, 162)
    assert chance(found, lambda one: one.moved == 10) == 1 - Fraction(13, 81)


@pytest.mark.clause("V5-TANK-5")
@pytest.mark.parametrize("ld, holds", [(6, Fraction(5, 12)), (8, Fraction(13, 18)), (10, Fraction(11, 12))])
def test_a_unit_that_does_not_dare_is_not_harmed(ld: int, holds: Fraction) -> None:
    found = ends(ShockedUnit("A", 3.0, ld, glory=(FIST,), tries="never"))
    assert chance(found, lambda one: not one.fled) == holds
    assert all(one.tank == NEW and not one.killed and one.moved == 10 for one in found)


@pytest.mark.clause("V5-TANK-5", "V5-CORE-5")
def test_runaways_and_the_fearless_do_not_roll() -> None:
    found = ends(ShockedUnit("A", 3.0, 8, falling_back=True), ShockedUnit("B", 5.0, 2, fearless=True))
    ((drive, sure),) = found.items()
    assert sure == 1
    assert (drive.fled, drive.met) == (("A",), ("A", "B"))


@pytest.mark.clause("V5-TANK-5", "V5-TANK-3")
def test_two_units_in_order_and_none_behind_a_stop() -> None:
    one, two = ShockedUnit("A", 3.0, 8, glory=(FIST,), tries="always"), ShockedUnit("B", 6.0, 7)
    found = ends(two, one)
    assert chance(found, lambda drive: "B" not in drive.met) == Fraction(13, 81)
    assert all(drive.moved == 3 for drive in found if drive.stopped_by)
    apart_found = ends(ShockedUnit("A", 3.0, 8), ShockedUnit("B", 6.0, 7))
    assert chance(apart_found, lambda drive: len(drive.fled) == 1) == Fraction(25, 54)
    assert chance(apart_found, lambda drive: len(drive.fled) == 2) == Fraction(25, 216)


@pytest.mark.clause("V5-TANK-4")
def test_units_behind_the_end_of_the_line_are_not_met() -> None:
    ((drive, sure),) = ends(ShockedUnit("A", 7.0, 2), stop_at=5.0, end="friend").items()
    assert sure == 1
    assert (drive.met, drive.moved, drive.stopped_by) == ((), 5, "friend")


@pytest.mark.clause("V5-TANK-4", "V5-TERR-3")
def test_bad_ground_on_the_line() -> None:
    found = ends(RoughGround(4.0), ShockedUnit("A", 6.0, 8))
    stuck = [drive for drive in found if drive.stopped_by == "terrain"]
    assert chance(found, lambda drive: drive.stopped_by == "terrain") == Fraction(1, 6)
    assert all(drive.moved == 4 and drive.tank.immobilised and not drive.met for drive in stuck)
    skimmer = Traits(tank=True, fast=True, skimmer=True)
    crashed = ends(RoughGround(14.0), traits=skimmer, declared=20.0, stop_at=20.0)
    assert chance(crashed, lambda drive: drive.tank.status == "wrecked") == Fraction(1, 6)


@pytest.mark.clause("V5-SKIM-7", "V5-DOG-3")
def test_a_skimmer_that_is_stopped_flat_out_crashes() -> None:
    skimmer = Traits(tank=True, fast=True, skimmer=True)
    unit = ShockedUnit("A", 14.0, 8, fearless=True, glory=(FIST,), tries="always")
    fast = ends(unit, traits=skimmer, declared=20.0, stop_at=20.0)
    slow = ends(ShockedUnit("A", 5.0, 8, fearless=True, glory=(FIST,), tries="always"), traits=skimmer)
    assert chance(slow, lambda drive: drive.tank.is_destroyed) == Fraction(1, 18)
    assert chance(fast, lambda drive: drive.tank.is_destroyed) == Fraction(1, 9)
    assert all(drive.tank.crash == "no" for drive in (*fast, *slow))


@pytest.mark.clause("V5-DOG-1", "V5-DOG-2")
def test_the_owner_decides_whether_and_with_what() -> None:
    unit = ShockedUnit("A", 3.0, 8, glory=(FIST, GloryWeapon("pistol", 4)))
    drive = Drive(start=NEW, tank=NEW, front=13, declared=10.0, stop_at=10.0, units=(unit,))
    passed = tank_shock.meet_thing(Script(8, "stand aside"), drive, unit)
    assert (passed.tank, passed.killed) == (NEW, ())
    failed = tank_shock.meet_thing(Script(8, "death or glory", "pistol", 6), drive, unit)
    assert failed.killed == ("A",)


@pytest.mark.clause("V5-TANK-6")
def test_the_distance_covered_decides_what_may_fire() -> None:
    short = Drive(start=NEW, tank=NEW, front=13, declared=10.0, stop_at=5.0, moved=5.0)
    assert tank_shock.band_at(short, short.moved) == "combat"


MELTA = {"strength": 8, "ap": 1, "dice": "2d6"}


@pytest.mark.clause("V5-TANK-5", "V5-DOG-1", "V5-DOG-3")
def test_a_meltagun_in_the_way_of_av12() -> None:
    given = {"front": 12, "units": [{"ld": 8, "tries": "always", "glory": [MELTA]}]}
    assert chance_of("tank_shock", "falls_back", **given) == Fraction(5, 18)
    assert chance_of("tank_shock", "tank_stops", **given) == Fraction(52, 81)
    assert chance_of("tank_shock", "model_destroyed", **given) == Fraction(13, 162)
    assert chance_of("tank_shock", "tank_completes_move", **given) == Fraction(29, 81)


@pytest.mark.clause("V5-DOG-3")
def test_rulings_are_read_with_the_inputs() -> None:
    given = {"front": 13, "units": [{"fearless": True, "tries": "always", "glory": [{"strength": 8}]}]}
    assert chance_of("tank_shock", "tank_stops", **given) == Fraction(2, 9)
    assert chance_of("tank_shock", "tank_stops", **given, preset="core5") == Fraction(1, 6)


@pytest.mark.clause("V5-DOG-2")
def test_weapons_of_a_unit_come_from_its_profile_the_best_first() -> None:
    answer = RULES.ask("tank_shock", vehicle="Bull ram", units="unit='Furnace company' at=3")
    (unit,) = answer.start.units
    assert unit.glory[0].name == "Meltagun"
    assert {"Krak missile", "Bolter"} <= {one.name for one in unit.glory}
    fists = RULES.ask("tank_shock", units="unit='Vault wardens' at=3").start.units[0].glory
    assert next(one.strength for one in fists if one.name == "Power fist") == 8


@pytest.mark.clause("V5-DOG-2")
def test_named_weapons_blows_and_grenades() -> None:
    def strengths(glory: str) -> list[tuple[str, int, str]]:
        arms = RULES.ask("tank_shock", units=f'at=3 strength=4 glory="{glory}"').start.units[0].glory
        return [(one.name, one.strength, one.dice) for one in arms]

    assert strengths("Power fist") == [("Power fist", 8, "d6")]
    assert strengths("krak") == [("krak", 6, "d6")]
    assert strengths("Melta bomb") == [("Melta bomb", 8, "2d6")]
    with pytest.raises(UnknownName, match="Meltagun"):
        strengths("Mellttaguun")


@pytest.mark.clause("V5-TANK-4", "V5-TANK-6")
def test_what_ends_the_drive_and_whether_it_may_fire() -> None:
    units = [{"at": 3, "tries": "never"}, {"kind": "friendly", "at": 5}, {"at": 7}]
    answer = RULES.ask("tank_shock", declared=10, units=units)
    assert answer.odds("moved").fractions() == {5.0: 1}
    assert answer.odds("may_shoot").chance(1) == 1
    assert chance_of("tank_shock", "may_shoot", declared=10, units=[]) == 0


@pytest.mark.clause("V5-TANK-4", "V5-TERR-2")
def test_bad_ground_takes_one_test_or_one_for_each_area() -> None:
    units = [{"kind": "terrain", "at": 8}, {"kind": "terrain", "at": 4}]
    assert chance_of("tank_shock", "tank_immobilised_or_worse", units=units) == Fraction(1, 6)
    every = chance_of("tank_shock", "tank_immobilised_or_worse", units=units, terrain_tests="one_per_area")
    assert every == Fraction(11, 36)
    assert chance_of("tank_shock", "tank_immobilised_or_worse", units=units, types="tank, skimmer") == 0
    side_by_side = [{"kind": "terrain", "at": 4}, {"kind": "terrain", "at": 4}]
    assert chance_of("tank_shock", "tank_immobilised_or_worse", units=side_by_side) == Fraction(1, 6)


F = Fraction


@pytest.mark.clause("V5-CORE-14", "V5-DOG-2")
def test_tank_hunters_count_in_death_or_glory() -> None:
    units = [{"unit": "Ninth Bridge sappers", "tries": "always", "fearless": True, "glory": "Bolter"}]
    hunters = chance_of("tank_shock", "tank_stops", front=10, units=units)
    others = chance_of("tank_shock", "tank_stops", front=10, units=[{**units[0], "rules": []}])
    assert others == F(1, 6) * F(3, 6)  # S4 against 10: a 6 glances
    assert hunters == F(1, 6) * F(3, 6) + F(1, 6) * F(5, 6)  # with 1 more a 5 glances, a 6 goes through
    before = [{**units[0], "at": 3}]
    assert chance_of("ram", "stopped_before", rammer_front=10, units=before, distance=9) == hunters


@pytest.mark.clause("V5-SKIM-3", "V5-TERR-2")
@pytest.mark.parametrize(
    ("ground", "stuck"),
    [
        ({"kind": "impassable", "at": 5.5, "relation": "landing"}, Fraction(1, 6)),
        ({"kind": "impassable", "at": 5.5}, 0),  # merely flown over
        ({"kind": "terrain", "at": 5.5, "relation": "landing"}, Fraction(1, 6)),
        ({"kind": "terrain", "at": 11, "relation": "landing"}, 0),  # out of reach
    ],
)
def test_a_skimmer_tests_for_the_ground_it_lands_on_as_it_does_in_a_battle(ground: dict[str, Any], stuck: Any) -> None:
    given = {"vehicle": "Lantern barge", "declared": 10, "units": [ground]}
    assert chance_of("tank_shock", "tank_immobilised_or_worse", **given) == stuck
    if "relation" in ground and ground["at"] < 10:
        where = {"kind": "impassable", "corners": box(10, 16, 30, 26)}
        one = battle([vehicle("Barge", "Lantern barge", 20, 8)], [FAR], [where])
        orders = {"tank_shock": {"heading": 0, "inches": 10}, "drive": {"path": path((20, 18))}}
        measures = {"tank_shock": "own_immobilised", "drive": "immobilised"}
        for action, order in orders.items():
            assert one.odds(action, {"unit": "Barge", **order}).odds(measures[action]).chance(1) == stuck


@pytest.mark.clause("V5-TANK-4", "V5-SKIM-2")
def test_impassable_ground_stops_a_tank_that_does_not_fly_without_a_test() -> None:
    way = {"declared": 10, "units": [{"kind": "impassable", "at": 5}]}
    assert chance_of("tank_shock", "tank_immobilised_or_worse", **way) == 0
    assert RULES.ask("tank_shock", **way).odds("moved").chance(5) == 1
