"""The rows of boxes: ticking, +1 hits, weapons again, wrecks, open-topped vehicles, a vehicle curse."""

from __future__ import annotations

import pytest

from battletape.errors import BattletapeError, Refused
from battletape.rulesets.diceless40k.rules import damage_rows
from battletape.rulesets.diceless40k.rulings import DEFAULT, PRESETS, Rulings
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

SHEET = Rulings(rows="sheet")
IMMOBILISED, WEAPON = "immobilised", "weapon_destroyed"


def guns(number: int) -> tuple[str, ...]:
    return tuple(f"gun {at}" for at in range(1, number + 1))


def tick(damage: damage_rows.DamageSheet, kinds: str, *answers: str, rulings: Rulings = DEFAULT, bonus: int = 0):
    """Hits of these kinds, one after the other; the answers must be used up."""
    tape, results = Script(*answers), []
    for kind in kinds:
        damage, ticked = damage_rows.take_hit(tape, damage, damage_rows.Hit(kind, bonus=bonus), "attacker", rulings)
        results.append(ticked.result)
    assert tape.used_up
    return damage, results


@pytest.mark.clause("DL-60.15", "DL-60.16", "DL-60.17", "DL-60.18", "DL-60.19", "DL-60.20", "DL-60.21", "DL-60.22")
@pytest.mark.clause("DL-60.23", "DL-70.2", "DL-SM-57.1")
@pytest.mark.parametrize("given, expect", vectors("damage_track"))
def test_vectors_of_the_damage_rows(given, expect):
    preset = next(name for name, rows in damage_rows.ROWS.items() if list(rows["P"]) == given["penetrating_track"])
    assert list(damage_rows.ROWS[preset]["G"]) == given["glancing_track"]
    rules = Rulings(rows=preset)
    damage = damage_rows.new_sheet(guns(given["weapons"]), given["open_topped"], rules)
    damage = damage_rows.DamageSheet(
        weapons=damage.weapons,
        glancing=tuple(sorted({*damage.glancing, *given["glancing_checked"]})),
        penetrating=tuple(given["penetrating_checked"]),
        immobilised=given["immobilised"],
    )
    results = []
    for hit in given["hits"]:
        tape = WishedOptions(hit.get("choice", IMMOBILISED))
        damage, ticked = damage_rows.take_hit(
            tape, damage, damage_rows.Hit(hit["kind"], bonus=hit.get("bonus", 0)), "attacker", rules
        )
        results.append(ticked.result)
    assert results == expect["results"]
    assert list(damage.glancing) == expect["glancing_checked"]
    assert list(damage.penetrating) == expect["penetrating_checked"]
    assert len(damage.weapons_left) == expect["weapons_left"]
    assert damage.immobilised == expect["immobilised"]
    assert (damage.destroyed or None) == expect["destroyed"]


@pytest.mark.clause("DL-60.16")
def test_rows_by_preset():
    lengths = {preset: [len(row) for row in rows.values()] for preset, rows in damage_rows.ROWS.items()}
    assert lengths == {"text": [7, 5], "sheet": [5, 6]}
    assert PRESETS["sheet"] == {"rows": "sheet"}
    assert DEFAULT.rows == "text"


@pytest.mark.clause("DL-60.17", "DL-60.15")
def test_the_trukk_of_the_document():
    damage, results = tick(damage_rows.new_sheet(guns(1)), "GGPP")
    assert results == ["crew_shaken", "crew_shaken", "crew_stunned", WEAPON]
    assert (damage.glancing, damage.penetrating) == ((0, 1), (0, 1))
    assert damage.weapons_left == ()


@pytest.mark.clause("DL-70.2")
def test_an_open_topped_vehicle_has_its_first_box_ticked():
    trukk = damage_rows.new_sheet(guns(2), open_topped=True)
    assert (trukk.glancing, trukk.shaken) == ((0,), False)
    assert tick(trukk, "GGG")[1] == ["crew_shaken", "crew_shaken", "crew_stunned"]
    assert tick(damage_rows.new_sheet(guns(2), True, SHEET), "G", rulings=SHEET)[1] == ["crew_stunned"]


@pytest.mark.clause("DL-60.18")
def test_plus_one_takes_the_second_open_box():
    damage, results = tick(damage_rows.new_sheet(guns(1)), "P", bonus=1)
    assert results == [WEAPON]
    assert tick(damage, "P")[1] == ["crew_stunned"]
    assert tick(damage_rows.DamageSheet(penetrating=(0, 1, 2)), "P", bonus=1)[1] == ["explodes"]


@pytest.mark.clause("DL-60.18")
def test_plus_one_with_a_single_open_box():
    last = damage_rows.DamageSheet(penetrating=(0, 1, 2, 3), immobilised=True)
    assert tick(last, "P", bonus=1)[1] == ["explodes"]
    assert tick(last, "P", bonus=1, rulings=Rulings(plus_one_short="none"))[1] == ["none"]
    glance = damage_rows.DamageSheet(weapons=guns(1), glancing=(0, 1, 2, 3, 4, 5), immobilised=True)
    damage, results = tick(glance, "G", bonus=1)
    assert (results, damage.glancing) == ([WEAPON], (0, 1, 2, 3, 4, 5))  # it may not wreck yet
    assert tick(glance, "G", bonus=1, rulings=Rulings(plus_one_short="none"))[1] == ["none"]


@pytest.mark.clause("DL-60.18", "DL-60.22")
def test_plus_one_never_jumps_to_a_glancing_wreck():
    damage = damage_rows.DamageSheet(weapons=guns(1), glancing=(0, 1, 2), immobilised=False)
    assert damage_rows.box_due(damage, damage_rows.Hit("G", bonus=1), SHEET) == 3
    assert tick(damage, "G", IMMOBILISED, bonus=1, rulings=SHEET)[1] == [IMMOBILISED]


@pytest.mark.clause("DL-60.20")
def test_weapons_again_until_none_is_left():
    damage, results = tick(damage_rows.new_sheet(guns(3)), "PPPP", "gun 2", WEAPON, "gun 1", IMMOBILISED)
    assert results == ["crew_stunned", WEAPON, WEAPON, IMMOBILISED]
    assert damage.weapons_left == ("gun 3",)
    assert damage.penetrating == (0, 1, 2)


@pytest.mark.clause("DL-60.20", "DL-60.21")
def test_an_immobilised_vehicle_loses_a_weapon_either_way():
    damage = damage_rows.DamageSheet(weapons=guns(3), penetrating=(0, 1), immobilised=True)
    assert damage_rows.takes_weapons(damage, "P")
    after, results = tick(damage, "P", WEAPON, "gun 1")
    assert (results, after.penetrating) == ([WEAPON], (0, 1))  # ticks nothing
    after, results = tick(damage, "P", IMMOBILISED, "gun 1")
    assert (results, after.penetrating) == ([WEAPON], (0, 1, 2))  # ticks the box


@pytest.mark.clause("DL-60.21")
def test_the_chain_of_weapon_immobilised_wrecked():
    assert damage_rows.effective_result(damage_rows.DamageSheet(guns(1)), WEAPON) == WEAPON
    assert damage_rows.effective_result(damage_rows.DamageSheet(), WEAPON) == IMMOBILISED
    assert damage_rows.effective_result(damage_rows.DamageSheet(immobilised=True), WEAPON) == "wrecked"
    assert damage_rows.effective_result(damage_rows.DamageSheet(guns(1), immobilised=True), IMMOBILISED) == WEAPON
    assert damage_rows.effective_result(damage_rows.DamageSheet(immobilised=True), IMMOBILISED) == "wrecked"
    damage, results = tick(damage_rows.new_sheet(), "PPP")
    assert results == ["crew_stunned", IMMOBILISED, "wrecked"]
    assert damage.penetrating == (0, 1, 2, 3)


@pytest.mark.clause("DL-60.21")
@pytest.mark.parametrize("ruling, boxes", [("both", (0, 1, 2)), ("due", (0, 1))])
def test_which_boxes_an_unarmed_vehicle_ticks(ruling, boxes):
    rules = Rulings(chain_ticks=ruling)
    damage, results = tick(damage_rows.new_sheet(), "PP", rulings=rules)
    assert (results, damage.penetrating) == (["crew_stunned", IMMOBILISED], boxes)
    damage, results = tick(damage, "P", rulings=rules)
    assert (results, damage.penetrating) == (["wrecked"], (*boxes, len(boxes)))


@pytest.mark.clause("DL-60.21")
@pytest.mark.parametrize("ruling, result, destroyed", [("weapon", "wrecked", "wrecked"), ("nothing", "none", "")])
def test_a_vehicle_that_is_immobilised_again(ruling, result, destroyed):
    rules = Rulings(immobilised_again=ruling)
    stuck = damage_rows.DamageSheet(penetrating=(0, 1), immobilised=True)
    damage, results = tick(stuck, "P", rulings=rules)
    assert (results, damage.penetrating, damage.destroyed) == ([result], (0, 1, 2), destroyed)
    armed = damage_rows.DamageSheet(guns(1), penetrating=(0,), glancing=(0, 1, 2, 3, 4), immobilised=True)
    damage, _ = tick(armed, "G", IMMOBILISED, rulings=rules)
    assert (len(damage.weapons_left), damage.glancing) == (int(ruling == "nothing"), (0, 1, 2, 3, 4, 5))


@pytest.mark.clause("DL-60.20")
@pytest.mark.parametrize("ruling, may", [("own_row", False), ("either_row", True)])
def test_whose_weapon_box_lets_the_attacker_take_a_further_weapon(ruling, may):
    rules = Rulings(weapons_again=ruling)
    damage = damage_rows.DamageSheet(guns(2), glancing=(0, 1, 2, 3, 4), penetrating=(0,))
    assert damage_rows.takes_weapons(damage, "P", rules) is may
    assert damage_rows.takes_weapons(damage, "G", rules)
    skipped = damage_rows.DamageSheet(guns(3), glancing=(4,), penetrating=(0,), destroyed_weapons=(0,))
    hit = damage_rows.Hit("P", bonus=1)  # the second open box is that of an immobilised vehicle
    after, ticked = damage_rows.take_hit(WishedOptions(WEAPON), skipped, hit, "attacker", rules)
    assert (ticked.result, len(after.weapons_left)) == ((WEAPON, 1) if may else (IMMOBILISED, 2))


@pytest.mark.clause("DL-60.22")
def test_glances_wreck_only_what_has_nothing_left():
    assert not damage_rows.may_wreck(damage_rows.DamageSheet(guns(1), immobilised=True))
    assert not damage_rows.may_wreck(damage_rows.DamageSheet())
    assert damage_rows.may_wreck(damage_rows.DamageSheet(immobilised=True))
    damage, results = tick(damage_rows.new_sheet(guns(2), rulings=SHEET), "GGGGGG", "gun 1", IMMOBILISED, rulings=SHEET)
    assert results == ["crew_shaken", "crew_stunned", WEAPON, IMMOBILISED, WEAPON, "wrecked"]
    assert damage.destroyed == "wrecked"
    unarmed = damage_rows.DamageSheet(glancing=(0, 1, 2, 3, 4, 5))
    after, results = tick(unarmed, "G")
    assert (results, after.immobilised, after.glancing) == ([IMMOBILISED], True, unarmed.glancing)


@pytest.mark.clause("DL-60.23")
def test_penetrating_hits_need_no_condition_and_the_worst_result_stands():
    damage, results = tick(damage_rows.new_sheet(guns(2)), "PPPPP", "gun 1", IMMOBILISED)
    assert results == ["crew_stunned", WEAPON, IMMOBILISED, "wrecked", "explodes"]
    assert damage.destroyed == "explodes"
    assert damage_rows.worse_fate("explodes", "wrecked") == "explodes"
    assert damage_rows.worse_fate("", "wrecked") == "wrecked"


@pytest.mark.clause("DL-60.17")
def test_a_full_row_gives_no_result():
    full = damage_rows.DamageSheet(penetrating=(0, 1, 2, 3, 4), destroyed="explodes")
    after, ticked = damage_rows.take_hit(Script(), full, damage_rows.Hit("P"), "attacker")
    assert (after, ticked.result, ticked.boxes) == (full, "none", ())


@pytest.mark.clause("DL-60.17")
def test_weapons_of_one_name_are_one_choice():
    damage = damage_rows.DamageSheet(("bolter", "bolter"))
    after, ticked = damage_rows.take_hit(Script(), damage, damage_rows.Hit("P", bonus=1), "attacker")
    assert (after.weapons_left, ticked.weapon) == (("bolter",), "bolter")


@pytest.mark.clause("DL-60.19", "DL-60.17")
def test_ticks_stay_when_the_crew_has_recovered():
    damage, _ = tick(damage_rows.new_sheet(guns(1)), "GP")
    assert damage.shaken
    assert damage.stunned
    rested = damage_rows.recover_crew(damage)
    assert not rested.shaken
    assert not rested.stunned
    assert (rested.glancing, rested.penetrating) == ((0,), (0,))


@pytest.mark.clause("DL-SM-57.1")
def test_a_machine_curse_ticks_without_damage():
    damage, ticked = damage_rows.take_glancing_hit(
        Script(), damage_rows.DamageSheet(guns(1), glancing=(0, 1, 2)), "attacker"
    )
    assert ticked.result == "crew_stunned"
    assert damage.lines == (0,) * 6
    assert ticked.hit.name == "G"


@pytest.mark.clause("DL-60.17", "DL-60.23")
def test_what_a_sheet_forbids():
    assert damage_rows.refuse_target(damage_rows.DamageSheet()) is None
    assert "no target" in str(damage_rows.refuse_target(damage_rows.DamageSheet(destroyed="wrecked")))
    assert "exploded" in str(damage_rows.refuse_target(damage_rows.DamageSheet(destroyed="explodes")))
    sheet = damage_rows.DamageSheet(("flamer", "bolter"), destroyed_weapons=(0,))
    assert damage_rows.refuse_weapon(sheet, "bolter") is None
    refused = damage_rows.refuse_weapon(sheet, "flamer")
    assert refused is not None
    assert refused.clause == "DL-60.17"
    assert str(refused) == "the flamer is destroyed; this vehicle may fire bolter (DL-60.17)"
    assert "it has no laser" in str(damage_rows.refuse_weapon(sheet, "laser"))
    assert "shaken" in str(damage_rows.refuse_weapon(damage_rows.DamageSheet(("bolter",), shaken=True), "bolter"))
    assert "stunned" in str(damage_rows.refuse_weapon(damage_rows.DamageSheet(("bolter",), stunned=True), "bolter"))
    assert "wreck" in str(
        damage_rows.refuse_weapon(damage_rows.DamageSheet(("bolter",), destroyed="wrecked"), "bolter")
    )
    assert damage_rows.refuse_drive(damage_rows.DamageSheet(shaken=True)) is None
    for damage in (
        damage_rows.DamageSheet(stunned=True),
        damage_rows.DamageSheet(immobilised=True),
        damage_rows.DamageSheet(destroyed="wrecked"),
    ):
        assert isinstance(damage_rows.refuse_drive(damage), Refused)


@pytest.mark.clause("DL-60.7")
def test_there_is_no_line_g():
    assert damage_rows.line_at("F") == 5
    with pytest.raises(Refused, match="lines A to F; got G"):
        damage_rows.line_at("G")
    with pytest.raises(BattletapeError, match="got AB"):
        damage_rows.line_at("AB")
