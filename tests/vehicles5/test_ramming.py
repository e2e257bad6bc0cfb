"""Rams: strength, dodging, bracing, the collision, going on, and the question ram."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.errors import Refused
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.rules import ramming, tank_shock
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.ramming import (
    RAM,
    RamState,
    can_drive_on,
    declared_distance,
    impact_hits,
    ram_strength,
)
from battletape.rulesets.vehicles5.rules.tank_shock import Drive, GloryWeapon, ShockedUnit, straight_drive
from battletape.rulesets.vehicles5.rules.traits import Band, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, PRESETS, Rulings
from battletape.table.facings import Facing
from battletape.table.hulls import Hull
from battletape.table.points import Point
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES, ask, chance_of, only

TANK, PLAIN = Traits(tank=True), Traits()
NEW = Condition(weapons=("weapon",))
TWO = Condition(weapons=("weapon", "weapon"))


def ram(
    own: tuple[int, Traits],
    other: tuple[int, Traits],
    distance: float,
    rulings: Rulings = DEFAULT,
    target: Condition = NEW,
    rear: int | None = None,
    units: tuple[ShockedUnit, ...] = (),
    **more: Any,
) -> dict[RamState, Fraction]:
    drive = Drive(
        start=NEW,
        tank=NEW,
        front=own[0],
        traits=own[1],
        declared=12.0,
        stop_at=distance,
        ram=True,
        units=units,
        rulings=rulings,
    )
    start = RamState(
        drive=drive,
        start=target,
        target=target,
        hits=impact_hits(own, other, distance, rulings),
        rear_hits=None if rear is None else impact_hits(own, (rear, other[1]), distance, rulings),
        **more,
    )
    return Exact().run(RAM.stages, start).fractions()


def chance(found: dict[RamState, Fraction], test: Any) -> Fraction:
    return sum((part for one, part in found.items() if test(one)), Fraction(0))


@pytest.mark.clause("V5-RAM-5")
@pytest.mark.parametrize(
    "av, tank, distance, expected",
    [
        (14, True, 12, 9),
        (10, False, 12, 4),
        (14, True, 2.9, 5),
        (13, True, 8.9, 6),
        (10, True, 3, 2),
        (14, True, 24, 10),
    ],
)
def test_strength_of_a_ram(av: int, tank: bool, distance: float, expected: int) -> None:
    assert ram_strength(av, tank, distance) == expected


@pytest.mark.clause("V5-RAM-5")
def test_the_cap_by_ruling() -> None:
    assert ram_strength(14, True, 24, Rulings(ram_strength_cap=None)) == 13
    assert ram_strength(14, True, 24, Rulings(ram_strength_cap=12)) == 12


@pytest.mark.clause("V5-RAM-5")
def test_inches_that_are_whole_but_for_rounding_count() -> None:
    assert ram_strength(10, False, 0.1 + 0.2 + 2.7) == 1
    assert ram_strength(10, False, 9 - 1e-12) == 3


@pytest.mark.clause("V5-RAM-2", "V5-RAM-1", "V5-SKIM-5")
@pytest.mark.parametrize(
    "traits, speed, road, expected",
    [
        (TANK, "cruising", False, 12),
        (TANK, "cruising", True, 18),
        (Traits(tank=True, fast=True), "flat_out", False, 18),
        (Traits(tank=True, fast=True), "flat_out", True, 24),
        (Traits(tank=True, fast=True, skimmer=True), "flat_out", False, 24),
    ],
)
def test_a_ram_is_as_fast_as_can_be(traits: Traits, speed: Band, road: bool, expected: float) -> None:
    assert declared_distance(traits, speed, road) == expected


@pytest.mark.clause("V5-RAM-1", "V5-RAM-2")
@pytest.mark.parametrize(
    "traits, speed, state, clause",
    [
        (PLAIN, "cruising", Condition(), "V5-RAM-1"),
        (TANK, "combat", Condition(), "V5-RAM-2"),
        (Traits(tank=True, fast=True), "cruising", Condition(), "V5-RAM-2"),
        (TANK, "cruising", Condition(immobilised=True), "V5-DMG-4"),
    ],
)
def test_who_may_not_ram(traits: Traits, speed: Band, state: Condition, clause: str) -> None:
    far = declared_distance(traits, speed)
    found = far if isinstance(far, Refused) else straight_drive(traits, state, far, (), target_at=far)
    assert isinstance(found, Refused)
    assert found.clause == clause


@pytest.mark.clause("V5-RAM-2")
def test_a_target_out_of_reach() -> None:
    assert ramming.refuse_distance(12, 12) is None
    refused = ramming.refuse_distance(12.5, 12)
    assert refused is not None
    assert "12 or less" in str(refused)
    assert "Cart is not within 12 inches straight ahead" in str(ramming.refuse_distance(None, 12, "Cart"))


def by_faces(strength: int, av: int, bonus: int = 0) -> dict[int, Fraction]:
    """By hand: the rows of one hit, 0 for none."""
    found: dict[int, Fraction] = {}
    for die, damage in product(range(1, 7), repeat=2):
        total = strength + die
        row = 0 if total < av else min(6, max(1, damage + bonus - (2 if total == av else 0)))
        found[row] = found.get(row, Fraction(0)) + Fraction(1, 36)
    return found


@pytest.mark.clause("V5-RAM-4", "V5-RAM-5", "V5-RAM-6")
@pytest.mark.parametrize("own", [11, 12, 14])
@pytest.mark.parametrize("other", [10, 12, 14])
@pytest.mark.parametrize("open_topped", [False, True])
def test_both_vehicles_by_faces(own: int, other: int, open_topped: bool) -> None:
    found = ram((own, TANK), (other, Traits(tank=True, open_topped=open_topped)), 12)
    dealt = by_faces(ram_strength(own, True, 12), other, int(open_topped))
    taken = by_faces(ram_strength(other, True, 12), own)
    assert chance(found, lambda one: one.target.status == "exploded") == dealt.get(6, 0)
    assert chance(found, lambda one: one.target.is_destroyed) == dealt.get(5, 0) + dealt.get(6, 0)
    assert chance(found, lambda one: one.rammer.is_destroyed) == taken.get(5, 0) + taken.get(6, 0)
    assert chance(found, lambda one: one.rammer == NEW) == taken.get(0, 0)
    unhurt = sum(taken.get(row, Fraction(0)) for row in (0, 1, 3))
    assert chance(found, lambda ram: ram.drives_on) == dealt.get(6, 0) * unhurt


@pytest.mark.clause("V5-RAM-6", "V5-RAM-7")
def test_av14_into_av10_after_12_inches() -> None:
    found = ram((14, TANK), (10, PLAIN), 12)
    assert chance(found, lambda one: one.target.is_destroyed) == Fraction(5, 18)
    assert chance(found, lambda ram: ram.drives_on) == Fraction(5, 36)
    assert chance(found, lambda one: one.rammer == NEW) == 1


@pytest.mark.clause("V5-RAM-6")
def test_a_ram_has_no_ap_but_for_a_ruling() -> None:
    found = ram((14, TANK), (10, PLAIN), 12, Rulings(ap_none_modifier=-1))
    assert chance(found, lambda one: one.target.status == "exploded") == 0


@pytest.mark.clause("V5-RAM-6")
def test_the_enemy_of_each_vehicle_chooses_the_weapon_it_loses() -> None:
    own, other = impact_hits((12, TANK), (12, TANK), 6)
    assert (own.by, other.by) == ("defender", "attacker")
    assert (own.cover, other.cover) == (0, 0)


@pytest.mark.clause("V5-RAM-7")
@pytest.mark.parametrize(
    "target, rammer, expected",
    [
        ("exploded", Condition(weapons=("a",)), True),
        ("exploded", Condition(shaken=True), True),
        ("exploded", Condition(stunned=True), False),
        ("exploded", Condition(immobilised=True), False),
        ("exploded", Condition(status="wrecked"), False),
        ("wrecked", Condition(), False),
        ("ok", Condition(), False),
    ],
)
def test_whether_the_rammer_goes_on(target: Any, rammer: Condition, expected: bool) -> None:
    assert can_drive_on(Condition(status=target), rammer) is expected


@pytest.mark.clause("V5-RAM-7")
def test_a_stunned_rammer_goes_on_by_ruling() -> None:
    rules = Rulings(ram_on_while_stunned=True)
    assert can_drive_on(Condition(status="exploded"), Condition(stunned=True), rules)
    assert not can_drive_on(Condition(status="exploded"), Condition(stunned=True, immobilised=True), rules)


@pytest.mark.clause("V5-RAM-7")
def test_the_rest_of_the_way() -> None:
    assert tank_shock.inches_rammer_drives_on(12, 9, True) == 3
    assert tank_shock.inches_rammer_drives_on(12, 9, False) == 0


# --- dodging --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-SKIM-8")
def test_who_may_dodge() -> None:
    skimmer, stuck = Traits(skimmer=True), Condition(immobilised=True)
    assert ramming.refuse_dodge(skimmer, TANK) is None
    assert ramming.refuse_dodge(PLAIN, TANK) is not None
    assert ramming.refuse_dodge(skimmer, Traits(tank=True, skimmer=True)) is not None
    core5 = Rulings(**PRESETS["core5"])
    for state in (stuck, Condition(stunned=True)):
        assert ramming.refuse_dodge(skimmer, TANK, state) is None
        refused = ramming.refuse_dodge(skimmer, TANK, state, core5)
        assert refused is not None
        assert refused.clause == "V5-SKIM-8"


@pytest.mark.clause("V5-SKIM-8")
def test_a_dodge_needs_three() -> None:
    before = replace(next(iter(ram((14, TANK), (12, Traits(skimmer=True)), 10, dodge="always"))), outcome="")
    assert [die for die in range(1, 7) if ramming.dodge(Script(die), before).outcome] == [3, 4, 5, 6]


@pytest.mark.clause("V5-SKIM-8", "V5-SKIM-9")
def test_av14_after_10_inches_into_a_skimmer_that_dodges() -> None:
    found = ram((14, TANK), (12, Traits(skimmer=True)), 10, target=TWO, dodge="always")
    assert chance(found, lambda one: one.outcome == "collided") == Fraction(1, 3)
    assert chance(found, lambda one: one.target.is_destroyed) == Fraction(1, 27)
    assert chance(found, lambda one: one.target == TWO) == Fraction(5, 6)
    dodged = [one for one in found if one.outcome == "dodged"]
    assert all(one.target == TWO and one.rammer == NEW and not one.drives_on for one in dodged)


@pytest.mark.clause("V5-SKIM-8")
def test_the_owner_may_stay() -> None:
    start = next(iter(ram((14, TANK), (12, Traits(skimmer=True)), 10, dodge="never")))
    asked = RamState(
        **{name: getattr(start, name) for name in start.__struct_fields__} | {"dodge": "choose", "outcome": ""}
    )
    assert ramming.dodge(Script("stay"), asked).outcome == ""
    assert ramming.dodge(Script("dodge", 2), asked).outcome == ""
    assert ramming.dodge(Script("dodge", 3), asked).outcome == "dodged"


# --- walkers and units in between -----------------------------------------------------------------------------------


@pytest.mark.clause("V5-WALK-15", "V5-DOG-2", "V5-DOG-3")
def test_a_walker_that_braces_or_strikes_first() -> None:
    walker, blow = Traits(walker=True), (GloryWeapon("blow", 10),)
    brace = ram((11, TANK), (12, walker), 12, target=TWO, rear=10, glory=blow, reaction="brace")
    dares = ram((11, TANK), (12, walker), 12, target=TWO, rear=10, glory=blow, reaction="glory")
    assert chance(brace, lambda one: one.target.is_destroyed) == 0
    assert chance(dares, lambda one: one.outcome == "stopped_by_glory") == Fraction(7, 9)
    assert chance(dares, lambda one: one.target.is_destroyed) == Fraction(2, 81)
    stopped = [one for one in dares if one.outcome == "stopped_by_glory"]
    assert all(one.target == TWO for one in stopped)


@pytest.mark.clause("V5-WALK-15")
def test_glory_only_for_walkers_and_not_from_behind() -> None:
    sides: tuple[Facing, ...] = ("front", "side", "rear")
    refused = [ramming.refuse_walker_glory(Traits(walker=True), side) for side in sides]
    assert [one is None for one in refused] == [True, True, False]
    assert ramming.refuse_walker_glory(PLAIN, "front") is not None


@pytest.mark.clause("V5-WALK-15")
def test_the_walkers_owner_chooses() -> None:
    walker, arms = Traits(walker=True), (GloryWeapon("blow", 10), GloryWeapon("flame", 4))
    start = next(iter(ram((11, TANK), (12, walker), 12, target=TWO, rear=10, glory=arms, reaction="brace")))
    asked = RamState(
        **{name: getattr(start, name) for name in start.__struct_fields__} | {"reaction": "choose", "outcome": ""}
    )
    assert ramming.brace_or_glory(Script("brace"), asked).hits[1].armour_gap == 12 - 6
    failed = ramming.brace_or_glory(Script("death or glory", "flame", 6), asked)
    assert (failed.outcome, failed.hits[1].armour_gap, failed.hits[0].armour_gap) == ("", 10 - 6, 11 - 4)


@pytest.mark.clause("V5-RAM-3", "V5-DOG-3")
def test_a_unit_in_between_may_stop_the_ram() -> None:
    unit = ShockedUnit("A", 3.0, 8, glory=(GloryWeapon("melta", 8, 1, "2d6"),), tries="always")
    found = ram((12, TANK), (10, PLAIN), 9, units=(unit,))
    assert chance(found, lambda one: one.outcome == "stopped_before") == Fraction(52, 81)
    assert chance(found, lambda one: one.outcome == "collided") == Fraction(29, 81)
    assert all(one.target == NEW for one in found if one.outcome == "stopped_before")


@pytest.mark.clause("V5-SKIM-7", "V5-RAM-2")
def test_a_fast_skimmer_that_rams_may_crash() -> None:
    found = ram((12, Traits(tank=True, fast=True, skimmer=True)), (14, TANK), 12)
    rows = by_faces(9, 12)
    assert chance(found, lambda one: one.rammer.is_destroyed) == rows[4] + rows[5] + rows[6]


# --- on the table ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-RAM-4", "V5-SHOT-4")
def test_facings_at_the_impact() -> None:
    tank = Hull(Point(0.0, 0.0), 0.0, 4.0, 3.0)
    across = Hull(Point(0.0, 9.5), 90.0, 4.0, 3.0)
    met = ramming.impact_facings(tank, across, 12)
    assert met is not None
    assert (met[0].inches, met[1], met[2]) == (pytest.approx(6.0), "front", "side")
    away = ramming.impact_facings(tank, Hull(Point(0.0, 9.5), 0.0, 4.0, 3.0), 12)
    assert away is not None
    assert away[2] == "rear"
    assert ramming.impact_facings(tank, across, 5.9) is None


@pytest.mark.clause("V5-RAM-4")
def test_the_rammers_own_side_by_ruling() -> None:
    """A glancing touch at the very corner of a short, wide hull lies in its side quarter."""
    wide = Hull(Point(0.0, 0.0), 0.0, 2.0, 6.0)
    aside = Hull(Point(4.0, 8.0), 0.0, 2.0, 3.0)
    usual = ramming.impact_facings(wide, aside, 12)
    contact = ramming.impact_facings(wide, aside, 12, Rulings(rammer_facing="contact"))
    assert usual is not None
    assert contact is not None
    assert (usual[1], contact[1]) == ("front", "side")


@pytest.mark.clause("V5-RAM-2")
def test_a_ram_below_top_speed_is_refused() -> None:
    assert only(RULES.ask("ram", speed="cruising"), "declared") == 12


@pytest.mark.clause("V5-RAM-4", "V5-RAM-5", "V5-RAM-6", "V5-RAM-7")
def test_a_ram_by_numbers() -> None:
    given = {"rammer_front": 14, "target_side": 10, "distance": 12}
    assert chance_of("ram", "target_destroyed", **given) == Fraction(5, 18)
    assert chance_of("ram", "rammer_unharmed", **given) == 1
    assert chance_of("ram", "rammer_continues", **given) == Fraction(5, 36)
    answer = RULES.ask("ram", **given)
    assert answer.table is not None
    assert answer.table.rows == (("rammer", "14", "9"), ("target", "10", "4"))
    assert answer.warnings


@pytest.mark.clause("V5-RAM-4")
def test_the_side_of_the_rammer_counts_only_by_ruling() -> None:
    given = {"rammer_front": 14, "rammer_side": 10, "rammer_struck": "side", "target_types": "tank", "distance": 12}
    assert chance_of("ram", "rammer_unharmed", **given) == 1
    assert chance_of("ram", "rammer_unharmed", **given, rammer_facing="contact") < 1


@pytest.mark.clause("V5-WALK-15", "V5-SKIM-8")
def test_rams_of_named_vehicles() -> None:
    dodges = RULES.ask("ram", rammer="Bull ram", target="Kingfisher", distance=6)
    assert dodges.odds("dodged").chance(1) == Fraction(2, 3)
    walker = RULES.ask(
        "ram", rammer="Bull ram", target="Warden strider", distance=6, glory="Multi-melta", reaction="glory"
    )
    assert 0 < walker.odds("rammer_stopped").chance(1) < 1
    assert walker.inputs.target_types == book().find("vehicle", "Warden strider").types


F = Fraction


@pytest.mark.clause("V5-WALK-15", "V5-DOG-2")
def test_a_walker_that_tries_glory_strikes_with_what_it_has() -> None:
    given = {"rammer_front": 12, "target_types": "walker", "reaction": "glory"}
    bare = ask("ram", **given, target_strength=8)
    assert bare.odds("rammer_stopped").chance(1) == F(1, 6) * F(3, 6) + F(2, 6) * F(5, 6)
    assert bare.odds("rammer_stopped") == ask("ram", **given, glory=[{"strength": 8}]).odds("rammer_stopped")
    named = ask("ram", target="Warden strider", reaction="glory")
    assert {one.name for one in named.start.glory} >= {"Dreadnought close combat weapon"}
    assert named.start.glory[0].strength >= 8
    assert ask("ram", target="Warden strider").start.reaction == "choose"
    assert chance_of("ram", "rammer_stopped", target="Warden strider") == 0  # it braces unless it is told otherwise


@pytest.mark.clause("V5-RAM-5", "V5-RAM-7", "V5-WALK-15")
def test_the_ram_headline_and_the_impact_say_what_is_so() -> None:
    used_up = ask("ram", rammer_front=14, target_side=10, distance=12)
    assert used_up.headline.endswith("the rammer drives on 0 %.")
    assert "cannot drive on" in used_up.warnings[0]
    assert ask("ram", rammer_front=14, target_side=10, distance=9).headline.endswith("the rammer drives on 11 %.")
    table = ask("ram", target_types="walker", reaction="glory", target_rear=10).table
    assert table is not None
    assert table.rows[2] == ("target, if its death or glory fails", "10", "4")
    braced = ask("ram", target_types="walker", reaction="brace").table
    assert braced is not None
    assert len(braced.rows) == 2
