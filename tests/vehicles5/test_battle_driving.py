"""The battle: vehicles turn, drive over all sorts of ground, and set off smoke."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape._version import VERSION
from battletape.battle import BattleFault
from battletape.battle.reading import read_battle
from battletape.tape.recorded import Recorded
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES
from tests.vehicles5.battles import FAR, battle, box, path, refused, squad, vehicle


@pytest.mark.clause("V5-MOVE-1", "V5-TERR-4", "V5-DMG-4")
def test_a_machine_turns_on_the_spot_and_counts_as_stationary():
    one = battle(
        [vehicle("Tank", "Anvil battle tank", 10, 10), squad("Men", "Furnace company", 12.6, 10, models=3, abreast=1)],
        [FAR],
    )
    one.push("turn_on_spot", unit="Tank", heading=180)
    assert (one.state.hull("Tank").heading, one.state.vehicle("Tank").done.band) == (180, "stationary")
    refused(one, "turn_on_spot", "V5-TERR-4", unit="Tank", heading=90)
    refused(one, "turn_on_spot", "V5-MOVE-1", unit="Men", heading=90)
    one.push("stand", unit="Tank")
    refused(one, "drive", "V5-MOVE-1", unit="Tank", path=path((10, 12)))


@pytest.mark.clause("V5-MOVE-2", "V5-MOVE-3", "V5-MOVE-7")
def test_a_drive_there_and_back_is_fast_for_shooting_and_slow_for_assaults():
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [FAR])
    one.push("drive", unit="Tank", path=path((10, 16), (10, 10)))
    done = one.state.vehicle("Tank").done
    assert (done.band, done.assault_band, done.path, done.displacement) == (
        "cruising",
        "stationary",
        12,
        0,
    )
    assert "already" in refused(one, "drive", "V5-MOVE-7", unit="Tank", path=path((10, 12))).reason


@pytest.mark.clause("V5-MOVE-4")
def test_a_road_lets_a_tank_cruise_for_18_inches():
    road = [{"kind": "road", "corners": box(8, 0, 12, 48)}]
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [FAR], road)
    one.push("drive", unit="Tank", path=path((10, 28)))
    assert (one.state.vehicle("Tank").done.band, one.state.vehicle("Tank").done.on_road) == ("cruising", True)


WOOD = [{"name": "Wood", "kind": "difficult", "corners": box(0, 17.5, 48, 20)}]


@pytest.mark.clause("V5-TERR-2", "V5-TERR-3")
def test_a_failed_test_stops_a_tank_just_outside_the_wood():
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [FAR], WOOD)
    one.push("drive", unit="Tank", path=path((10, 20)), tape=Script(1))
    tank = one.state.vehicle("Tank")
    assert (one.state.hull("Tank").centre.y, tank.done.band, tank.condition.immobilised) == (15, "combat", True)
    one.push("end_turn")
    one.push("end_turn")
    assert one.state.vehicle("Tank").done.band == "stationary"
    refused(one, "drive", "V5-DMG-4", unit="Tank", path=path((10, 12)))
    refused(one, "turn_on_spot", "V5-DMG-4", unit="Tank", heading=90)


@pytest.mark.clause("V5-TERR-2")
def test_the_odds_of_a_drive_through_a_wood_are_five_to_one():
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [FAR], WOOD)
    odds = one.odds("drive", unit="Tank", path=path((10, 20)))
    assert str(odds.odds("immobilised").chance(1)) == "1/6"


@pytest.mark.clause("V5-WALK-2", "V5-CORE-9")
def test_difficult_ground_slows_a_walker_and_does_not_harm_it():
    one = battle([vehicle("Strider", "Warden strider", 10, 16)], [FAR], WOOD)
    one.push("drive", unit="Strider", path=path((10, 22)), tape=Script(2, 4))
    strider = one.state.vehicle("Strider")
    assert (one.state.hull("Strider").centre.y, strider.condition.immobilised) == (20, False)


@pytest.mark.clause("V5-SKIM-1", "V5-SKIM-2", "V5-SKIM-3", "V5-SKIM-4", "V5-SKIM-7")
def test_a_skimmer_flies_over_everything_and_crashes_where_it_lands_badly():
    wall = [{"kind": "impassable", "corners": box(0, 20, 48, 22)}, {"kind": "dangerous", "corners": box(0, 30, 48, 36)}]
    one = battle([vehicle("Bird", "Kingfisher", 10, 10), squad("Men", "Furnace company", 10, 16)], [FAR], wall)
    refused(one, "drive", "V5-SKIM-4", unit="Bird", path=path((10, 16)))
    one.push("drive", unit="Bird", path=path((10, 32)), tape=Script(1))
    assert one.state.vehicle("Bird").condition.status == "wrecked"
    assert [ground.name for ground in one.state.field.terrain][-1] == "wreck of Bird"


@pytest.mark.clause("V5-SMOKE-1", "V5-SMOKE-2", "V5-SMOKE-3")
def test_smoke_works_once_hangs_through_the_enemys_shooting_and_silences_the_guns():
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [vehicle("Foe", "Anvil battle tank", 10, 40, 180)])
    refused(one, "smoke", "V5-SMOKE-1", unit="Tank")
    one.push("drive", unit="Tank", path=path((10, 13)))
    one.push("smoke", unit="Tank")
    refused(one, "smoke", "V5-SMOKE-1", unit="Tank")
    one.push("end_phase")
    refused(one, "fire", "V5-SMOKE-2", unit="Tank", target="Foe", guns=[{"gun": "Lascannon"}])
    one.push("end_turn")
    hanging = []
    for _ in range(3):
        hanging.append(one.state.in_smoke(one.state.vehicle("Tank")))
        one.push("end_phase")
    assert hanging == [True, True, False]
    assert (one.state.vehicle("Tank").smoke_turn, one.state.vehicle("Tank").smoke_used) == (0, True)


@pytest.mark.clause("V5-SMOKE-3", "V5-CORE-4")
def test_a_hit_in_smoke_may_be_saved():
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [vehicle("Foe", "Longwatch destroyer", 10, 40, 180)])
    one.push("stand", unit="Tank")
    one.push("smoke", unit="Tank")
    one.push("end_turn")
    one.push("end_phase")
    move = one.push("fire", unit="Foe", target="Tank", guns=[{"gun": "left lascannon"}], tape=Script(3, 6, 4))
    assert [str(entry) for entry in move.entries][-1] == "roll Lascannon: cover save [1-6] = 4"
    assert len(one.state.vehicle("Tank").condition.weapons) == 5


GUNS = (squad("Battery", "Harbour battery", 40, 10), vehicle("Anvil", "Anvil battle tank", 30, 8, 22))
FOES = (vehicle("Destroyer", "Longwatch destroyer", 40, 34, 180), squad("Watch", "Harbour watch", 10, 42, 180))


def test_standing_still_is_told():
    one = battle(GUNS, FOES)
    one.push("stand", unit="Anvil")
    assert [line.text for line in one.move_record(1).lines] == ["Anvil stays where it is"]


TWO_BOGS = [{"kind": "dangerous", "corners": box(0, south, 48, south + 1)} for south in (15.5, 19.5)]


@pytest.mark.clause("V5-TERR-2", "V5-TERR-3")
@pytest.mark.parametrize(("ruling", "chances"), [("one_per_move", (6, 0, 30)), ("one_per_area", (6, 5, 25))])
def test_each_area_that_is_tested_for_holds_a_vehicle_at_its_own_edge(ruling: str, chances: tuple[int, int, int]):
    wanted = {inches: Fraction(chance, 36) for inches, chance in zip((3, 7, 10), chances, strict=True) if chance}
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [FAR], TWO_BOGS, {"terrain_tests": ruling})
    driven = one.odds("drive", unit="Tank", path=path((10, 20))).odds("moved")
    pushed = one.odds("tank_shock", unit="Tank", heading=0, inches=10).odds("moved")
    bogs = [{"kind": "terrain", "at": 3}, {"kind": "terrain", "at": 7}]
    asked = RULES.ask("tank_shock", declared=10, units=bogs, terrain_tests=ruling).odds("moved")
    two = {"grounds": ["dangerous"] * 2, "distance": 10, "enters_at": 3, "further_at": [7]}
    crossed = RULES.ask("dangerous_terrain", **two, terrain_tests=ruling).odds("moved")
    for odds in (driven, pushed, asked, crossed):
        assert {round(inches, 6): chance for inches, chance in odds.fractions().items()} == wanted


@pytest.mark.clause("V5-SKIM-3", "V5-TERR-2")
def test_a_skimmer_tests_once_for_an_area_in_which_it_starts_and_lands():
    marsh = [{"kind": "dangerous", "corners": box(0, 0, 48, 48)}]
    one = battle([vehicle("Bird", "Kingfisher", 10, 10)], [FAR], marsh, {"terrain_tests": "one_per_area"})
    odds = one.odds("drive", unit="Bird", path=path((10, 16)))
    assert odds.odds("immobilised").chance(1) == Fraction(1, 6)


@pytest.mark.clause("V5-MOVE-1", "V5-TERR-4")
def test_nobody_turns_onto_a_model_and_the_question_says_so_too():
    beside = squad("Men", "Furnace company", 12.6, 10, models=3, abreast=1)
    one = battle([vehicle("It", "Anvil battle tank", 10, 10), beside], [FAR])
    asked = RULES.roll("what_may_it_do", types=["tank"], ends_on_model=True, seed=1).log
    (line,) = [line for line in asked if line.text.startswith("Turn that way: no")]
    for action in ({"action": "turn_on_spot"}, {"action": "tank_shock", "inches": 6.0}):
        refusal = refused(one, **action, clause="V5-TERR-4", unit="It", heading=90)
        assert (f"Turn that way: no, {refusal.reason}", (refusal.clause,)) == (
            line.text.replace("it w", "It w"),
            line.clauses,
        )


@pytest.mark.clause("V5-CORE-22", "V5-WALK-5")
def test_a_walker_on_a_round_base_has_room_to_turn_anywhere():
    one = battle(
        [vehicle("Legs", "Warden strider", 10, 10), squad("Men", "Furnace company", 11.75, 10, models=1)], [FAR]
    )
    for heading in range(0, 360, 45):
        assert one.refusal("turn_on_spot", {"unit": "Legs", "heading": heading}) is None


@pytest.mark.parametrize(("asked", "thrown"), [(["4", "5"], "4 5"), (["4", "1"], "4 1"), (["1"], "1 6")])
def test_dice_that_an_older_battle_threw_together_are_read_one_by_one(asked: list[str], thrown: str):
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [FAR], TWO_BOGS, {"terrain_tests": "one_per_area"})
    entries = [f"pool dangerous terrain [1 x 1-6] = {face}" for face in asked]
    one.push("drive", unit="Tank", path=path((10, 20)), tape=Recorded(entries))
    alone = "\n".join(f"   {entry}" for entry in entries)
    assert alone in one.text
    older = one.text.replace(alone, f"   pool dangerous terrain [2 x 1-6] = {thrown}").replace(VERSION, "0.2.0.dev0")
    assert read_battle(older, "older.battle", one.ruleset).state == one.state
    with pytest.raises(BattleFault, match="the rule asks pool dangerous terrain"):
        read_battle(older.replace("0.2.0.dev0", VERSION), "older.battle", one.ruleset)
