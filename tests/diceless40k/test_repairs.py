"""Repairs: points, lines, and which results are undone."""

from __future__ import annotations

import pytest

from battletape.errors import BadInput, Refused
from battletape.procedure import fold
from battletape.rulesets.diceless40k.rules import damage_rows, repairs
from battletape.rulesets.diceless40k.rules.vehicles import VEHICLE_ATTACK, HullPacket, VehicleAttack
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

GUNS = ("cannon", "flamer")


def struck(
    damage: damage_rows.DamageSheet, *packets: HullPacket, wishes: tuple[str, ...] = (), rulings: Rulings = DEFAULT
) -> damage_rows.DamageSheet:
    attack: VehicleAttack = fold(VEHICLE_ATTACK, WishedOptions(*wishes), VehicleAttack(damage, packets, rulings))
    return attack.damage


def repaired(damage: damage_rows.DamageSheet, points: int, line: str, rulings: Rulings = DEFAULT) -> repairs.Repair:
    after: repairs.Repair = fold(repairs.REPAIR, WishedOptions(line), repairs.Repair(damage, points, rulings=rulings))
    assert after.line == line
    return after


@pytest.mark.clause("DL-SM-71.1", "DL-SM-71.2", "DL-SM-71.3", "DL-SM-71.4")
@pytest.mark.parametrize("given, expect", vectors("repair"))
def test_vectors_of_repairs(given, expect):
    points = repairs.repair_points(given["servitors"], given["servo_harness"])
    damage = damage_rows.DamageSheet(lines=tuple(given["lines"].get(line, 0) for line in damage_rows.LINES))
    after = repaired(damage, points, given["line"])
    assert (points, after.after) == (expect["points"], expect["line_dmg"])
    assert [hit.name for hit in after.undone_hits] == expect["unchecked"]
    assert after.damage.line(given["line"]) == expect["line_dmg"]


@pytest.mark.clause("DL-SM-76.1")
@pytest.mark.parametrize("given, expect", vectors("rhino_repair"))
def test_vectors_of_rhinos(given, expect):
    points = repairs.rhino_points(given["immobilised"])
    damage = damage_rows.DamageSheet(
        lines=tuple(given["lines"].get(line, 0) for line in damage_rows.LINES), immobilised=given["immobilised"]
    )
    after = fold(repairs.REPAIR, WishedOptions(given["line"]), repairs.Repair(damage, points))
    assert (points, after.damage.line(given["line"])) == (expect["points"], expect["line_dmg"])
    assert [hit.name for hit in after.undone_hits] == expect["unchecked"]


@pytest.mark.clause("DL-SM-71.1", "DL-SM-71.2", "DL-SM-71.3", "DL-SM-71.4")
def test_examples_of_the_catalogue():
    assert [repairs.repair_points(), repairs.repair_points(1), repairs.repair_points(2, True)] == [12, 18, 30]
    names = [
        [hit.name for hit in repairs.thresholds_undone(*line)] for line in (("E", 28, 16), ("E", 28, 10), ("F", 18, 6))
    ]
    assert names == [["E22P"], ["E15P", "E22P"], ["F12P", "F18P"]]
    with pytest.raises(BadInput, match="0 or more; got -1"):
        repairs.repair_points(-1)


@pytest.mark.clause("DL-SM-71.2")
def test_a_weapon_and_its_mobility_come_back():
    hurt = struck(damage_rows.new_sheet(GUNS), HullPacket("shots", 29, 8, 10), wishes=("flamer",))
    assert (hurt.weapons_left, hurt.immobilised, hurt.penetrating) == (("cannon",), True, (0, 1, 2))
    after = repaired(hurt, 12, "E")
    assert [ticked.result for ticked in after.undone] == ["immobilised", "weapon_destroyed"]
    assert (after.damage.weapons_left, after.damage.immobilised) == (GUNS, False)
    assert (after.damage.penetrating, after.damage.glancing) == ((0,), (0,))
    assert len(after.damage.history) == 2


@pytest.mark.clause("DL-SM-71.2")
def test_the_result_of_the_repaired_line_is_undone_first():
    hurt = struck(
        damage_rows.new_sheet(GUNS), HullPacket("krak", 15, 8, 10), wishes=("cannon",)
    )  # E: a glance, stunned
    hurt = struck(hurt, HullPacket("lance", 12, 9, 10), wishes=("cannon",))  # F: a glance, a weapon
    assert [ticked.result for ticked in hurt.history] == [
        "crew_shaken",
        "crew_stunned",
        "crew_shaken",
        "weapon_destroyed",
    ]
    after = repaired(hurt, 6, "E")
    assert [ticked.result for ticked in after.undone] == ["crew_stunned"]
    assert after.damage.penetrating == (1,)
    assert after.damage.weapons_left == ("flamer",)


@pytest.mark.clause("DL-SM-71.2")
@pytest.mark.parametrize("ruling, result", [("last_in", "weapon_destroyed"), ("first_in", "crew_stunned")])
def test_the_order_of_repairs(ruling, result):
    rules = Rulings(repair_order=ruling)
    hurt = struck(damage_rows.new_sheet(GUNS), HullPacket("krak", 22, 8, 10))
    after = repaired(hurt, 6, "E", rules)
    assert [ticked.result for ticked in after.undone] == [result]


@pytest.mark.clause("DL-SM-71.2", "DL-SM-57.1")
def test_a_machine_curse_and_the_open_top_are_never_undone():
    trukk = damage_rows.new_sheet(GUNS, open_topped=True)
    cursed, _ = damage_rows.take_glancing_hit(Script(), trukk, "attacker")
    hurt = struck(cursed, HullPacket("shots", 36, 4, 10))
    assert hurt.glancing == (0, 1, 2)
    after = repaired(hurt, 12, "A")
    assert after.damage.glancing == (0, 1)
    again, undone = repairs.undo_result(after.damage, "G", "A")
    assert (again, undone) == (after.damage, None)


@pytest.mark.clause("DL-SM-71.2")
def test_two_boxes_are_unticked_together_and_a_hit_without_box_gives_its_weapon_back():
    unarmed = struck(damage_rows.new_sheet(), HullPacket("krak", 22, 8, 10))
    assert (unarmed.penetrating, unarmed.immobilised) == ((0, 1, 2), True)
    assert repaired(unarmed, 6, "E").damage.penetrating == (0,)
    hurt = damage_rows.DamageSheet(("gun",), glancing=(0, 1, 2, 3, 4, 5), immobilised=True)
    glanced = struck(hurt, HullPacket("shots", 36, 4, 10))
    assert (glanced.weapons_left, glanced.glancing) == ((), hurt.glancing)
    assert repaired(glanced, 12, "A").damage.weapons_left == ("gun",)


@pytest.mark.clause("DL-SM-71.2")
def test_the_same_result_twice_is_undone_once():
    lost = damage_rows.BoxResult(damage_rows.Hit("P", "E", 22), "weapon_destroyed", weapon="gun")
    damage = damage_rows.DamageSheet(("gun", "gun", "gun"), destroyed_weapons=(1, 2), history=(lost, lost))
    again, undone = repairs.undo_result(damage, "P", "E")
    assert (again.history, again.destroyed_weapons, undone) == ((lost,), (1,), lost)


@pytest.mark.clause("DL-SM-71.2", "DL-60.19")
def test_a_crew_recovers_only_if_nothing_else_still_shakes_or_stuns_it():
    shaken = struck(damage_rows.new_sheet(GUNS), HullPacket("shots", 36, 4, 10))
    again = struck(shaken, HullPacket("shots", 18, 5, 10))
    assert repaired(again, 12, "B").damage.shaken  # the first result lasts
    rested = damage_rows.recover_crew(shaken)
    again = struck(rested, HullPacket("shots", 18, 5, 10))
    assert not repaired(again, 12, "B").damage.shaken  # the first is over, though its box stays ticked
    both = struck(shaken, HullPacket("krak", 15, 8, 10), wishes=("cannon",))
    after = repaired(both, 6, "E").damage
    assert (both.stunned, after.stunned, after.shaken) == (True, False, True)
    assert not repaired(after, 12, "E").damage.stunned
    tired = damage_rows.recover_crew(both, shaken=True, stunned=False)
    assert (tired.shaken, tired.stunned) == (False, True)
    assert [ticked.over for ticked in tired.history] == [True, True, False]
    squad = damage_rows.apply_squadron_rule(struck(damage_rows.new_sheet(GUNS), HullPacket("krak", 15, 8, 10)))
    assert (squad.shaken, squad.stunned) == (True, False)
    part = repaired(squad, 6, "E").damage  # what stunned it is undone; what shook it is not
    assert part.shaken
    assert not repaired(part, 12, "E").damage.shaken


@pytest.mark.clause("DL-SM-71.1", "DL-SM-76.1")
def test_the_owner_picks_the_line():
    damage = damage_rows.DamageSheet(lines=(20, 0, 0, 0, 28, 0))
    assert repairs.lines_to_repair(damage, 12) == ("E", "A")
    tape = Script("A")
    after = fold(repairs.REPAIR, tape, repairs.Repair(damage, 12))
    assert tape.used_up
    assert after.damage.lines == (8, 0, 0, 0, 28, 0)
    assert fold(repairs.REPAIR, Script(), repairs.Repair(damage, 12, line="E")).after == 16
    assert fold(repairs.REPAIR, Script(), repairs.Repair(damage, 0)).damage == damage


@pytest.mark.clause("DL-SM-71.1", "DL-SM-76.1")
def test_what_cannot_be_repaired():
    assert repairs.refuse_repair(damage_rows.DamageSheet(lines=(1, 0, 0, 0, 0, 0))) is None
    assert "wrecked" in str(
        repairs.refuse_repair(damage_rows.DamageSheet(lines=(1, 0, 0, 0, 0, 0), destroyed="wrecked"))
    )
    assert "no line" in str(repairs.refuse_repair(damage_rows.DamageSheet(immobilised=True)))
    assert fold(
        repairs.REPAIR, Script(), repairs.Repair(damage_rows.DamageSheet(immobilised=True), 6)
    ).damage.immobilised
    with pytest.raises(Refused, match="got G"):
        fold(repairs.REPAIR, Script(), repairs.Repair(damage_rows.DamageSheet(lines=(1, 0, 0, 0, 0, 0)), 6, line="G"))
