"""The battle: what strangers found by playing it."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput, Refused
from battletape.rulesets.vehicles5.battle import shooting
from battletape.rulesets.vehicles5.battle.actions import fire
from battletape.rulesets.vehicles5.battle.actions.tank_shock import arms, cleared
from battletape.rulesets.vehicles5.battle.state import Squad
from battletape.rulesets.vehicles5.rules import blasts
from battletape.system import Ruleset
from battletape.table.distances import gap
from battletape.table.hulls import corners, is_on_hull
from battletape.table.points import step
from battletape.table.sweeps import Contact
from battletape.table.teardrops import flame_touches
from battletape.tape.budget import Budget
from battletape.tape.script import Script
from tests.vehicles5.battles import battle, box, machine, squad
from tests.vehicles5.test_battle_details import TANK, to_phase
from tests.vehicles5.test_battle_driving import FAR, refused

DESTROYER = machine("Destroyer", "Longwatch destroyer", 20, 29, 180)


def wall(cover: int, top: float = 1.2) -> dict[str, Any]:
    """A wall that hides most of what stands behind it."""
    return {"name": "Wall", "kind": "impassable", "corners": box(15, 26, 25, 26.5), "top": top, "cover": cover}


# --- cover ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-SHOT-2", "V5-CORE-4")
@pytest.mark.parametrize("cover", [0, 3, 5, 6])
def test_what_hides_a_machine_gives_the_save_that_it_says(cover):
    one = to_phase(battle([squad("Gun", "Furnace gunners", 20, 10)], [DESTROYER], [wall(cover)]), "shooting")
    work = shooting_of(one, "Gun", "Destroyer")
    assert {shot.cover for shot in work.shots} == {cover}


@pytest.mark.clause("V5-CORE-4")
@pytest.mark.parametrize(("cover", "save"), [(0, 0), (3, 3), (6, 6)])
def test_what_hides_a_squad_gives_the_save_that_it_says(cover, save):
    men = squad("Men", "Harbour watch", 20, 28, 180)
    one = to_phase(battle([squad("Gun", "Furnace gunners", 20, 10)], [FAR, men], [wall(cover, 0.8)]), "shooting")
    assert {salvo.cover for salvo in shooting_of(one, "Gun", "Men").salvos} == {save}


@pytest.mark.clause("V5-SHOT-2", "V5-CORE-4", "V5-CORE-18")
def test_another_machine_and_a_wreck_give_the_usual_cover():
    south = [squad("Gun", "Furnace gunners", 20, 10), machine("Kingfisher", "Kingfisher", 20, 27, 90)]
    one = to_phase(battle(south, [machine("Target", "Barrow carrier", 20, 32, 180)]), "shooting")
    assert {shot.cover for shot in shooting_of(one, "Gun", "Target").shots} == {4}
    wreck = battle([TANK], [FAR, machine("Cart", "Ember cart", 20, 30, 180)])
    to_phase(wreck, "shooting")
    guns = [{"gun": "Lascannon"}]
    wreck.push("fire", unit="Tank", target="Cart", guns=guns, tape=Script(6, 6, 5))
    assert (wreck.state.grounds[-1].kind, wreck.state.grounds[-1].cover) == ("wreck", 4)


@pytest.mark.clause("V5-CORE-4")
@pytest.mark.parametrize("cover", [1, 2])
def test_ground_gives_cover_of_three_at_best(cover):
    with pytest.raises(BadInput, match="must be 3 to 6, or 0 for none"):
        battle([TANK], [FAR], [wall(cover)])


def shooting_of(one: Battle, unit: str, target: str) -> shooting.Gunfire:
    """The shots of a squad, before the dice."""
    card = one.rules.action("shoot_unit")
    work = card.begin(one.state, card.inputs(unit=unit, target=target))
    assert isinstance(work, shooting.Gunfire)
    return work


# --- templates ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-SHOT-6")
def test_a_template_is_laid_beside_a_machine_of_ones_own():
    gate = machine("Gate", "Gatebreaker siege tank", 20, 10)
    near = machine("Near", "Barrow carrier", 20.5, 18.4, 90)
    for x, y, left in ((20.8, 15.2, True), (40.0, 5.0, False), (18.5, 15.0, None)):
        field = battle([gate, machine("Own", "Ember cart", x, y, 90)], [near]).state
        order = fire.GunOrder(gun="left flamer")
        muzzle = fire._muzzle(field, field.machine("Gate"), order, field.machine("Near"))
        flame = shooting.lay_flame(field, muzzle, field.machine("Gate"), field.machine("Near"))
        if left is None:  # it stands right in between
            assert isinstance(flame, Refused)
            assert flame.clause == "V5-SHOT-6"
            continue
        assert not isinstance(flame, Refused)
        assert flame_touches(flame, field.machine("Near").hull)
        assert not flame_touches(flame, field.machine("Own").hull)
        assert (flame.heading > 180) is left  # past the left of the friend, or else to the right at the middle


@pytest.mark.clause("V5-SHOT-6", "V5-OPEN-1")
def test_the_transport_of_those_who_fire_is_no_friend_in_the_way():
    south = [machine("Wain", "Hay wain", 20, 10), squad("Men", "Harbour watch", 0, 0, aboard="Wain")]
    one = to_phase(battle(south, [machine("Near", "Barrow carrier", 20, 17, 90)]), "shooting")
    weapons = [{"weapon": "Flamer"}]
    assert one.refusal("shoot_unit", unit="Men", target="Near", weapons=weapons) is None


# --- the end of a machine -------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-DMG-6")
@pytest.mark.parametrize("heading", [180, 143])
def test_survivors_of_an_explosion_stand_inside_the_place_of_their_machine(heading):
    carrier = machine("Hay", "Barrow carrier", 20, 26, heading)
    one = battle([TANK], [carrier, squad("Men", "Harbour watch", 0, 0, aboard="Hay"), FAR])
    to_phase(one, "shooting")
    safe = Script(6, 6, 6, 1, *[1] * 10, 7)
    one.push("fire", unit="Tank", target="Hay", guns=[{"gun": "Lascannon"}], tape=safe)
    hull, models = one.state.machine("Hay").hull, one.state.squad("Men").models
    assert len(models) == 10
    for at, model in enumerate(models):
        rim = (step(model.centre, turn, model.radius - 1e-6) for turn in range(0, 360, 15))
        assert all(is_on_hull(hull, point) for point in rim)
        assert all(gap(model, other) >= 0 for other in models[:at])


@pytest.mark.clause("V5-DMG-6")
def test_those_who_find_no_room_inside_stand_about_it():
    carrier = machine("Hay", "Barrow carrier", 20, 26, 180, length=2.0, width=2.0)
    one = battle([TANK], [carrier, squad("Men", "Harbour watch", 0, 0, aboard="Hay"), FAR])
    to_phase(one, "shooting")
    one.push("fire", unit="Tank", target="Hay", guns=[{"gun": "Lascannon"}], tape=Script(6, 6, 6, 1, *[1] * 10, 7))
    hull, models = one.state.machine("Hay").hull, one.state.squad("Men").models
    assert len(models) == 10
    assert [is_on_hull(hull, model.centre) for model in models[:4]] == [True] * 4
    assert max(gap(hull, model) for model in models) <= 2
    assert len(corners(hull)) == 4


# --- death or glory -------------------------------------------------------------------------------------------------


def blades(one: Battle) -> Squad:
    """The squad with one fist."""
    found: Squad = one.state.squad("Blades")
    return found


@pytest.mark.clause("V5-DOG-1", "V5-DOG-2", "V5-DOG-4")
def test_only_the_bearer_of_the_fist_strikes_with_it_and_it_falls_with_him():
    one = battle([TANK], [FAR, squad("Blades", "Furnace blades", 20, 18, 180)])
    assert dict(blades(one).bearers(melee=True)) == {"Close combat weapon": 9, "Power fist": 1}
    first = arms(blades(one), (Contact(0, 3.0),))
    assert [(arm.name, arm.strength) for arm in first if arm.name in ("blow", "Power fist")] == [("blow", 4)]
    both = {arm.name: arm for arm in arms(blades(one), (Contact(0, 3.0), Contact(9, 4.0)))}
    assert (both["Power fist"].strength, both["Power fist"].model, both["Power fist"].at) == (8, 9, 4.0)
    assert (both["blow"].strength, both["blow"].model) == (4, 0)
    fallen = cleared(blades(one), 9)
    assert dict(fallen.bearers(melee=True)) == {"Close combat weapon": 9}
    assert dict(fallen.bearers()) == {"Bolt pistol": 9}
    plain = cleared(blades(one), 0)
    assert dict(plain.bearers(melee=True)) == {"Close combat weapon": 8, "Power fist": 1}


# --- grenades -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-ASLT-4")
def test_grenadiers_need_a_grenade_and_are_models_of_the_squad():
    one = battle([squad("Blades", "Furnace blades", 20, 10)], [machine("Target", "Longwatch destroyer", 20, 16, 180)])
    to_phase(one, "assault")
    order = {"unit": "Blades", "target": "Target"}
    assert one.refusal("assault", **order, grenade="Krak grenade", grenadiers=10) is None
    many = refused(one, "assault", "V5-ASLT-4", **order, grenade="Krak grenade", grenadiers=11)
    assert many.reason == "Blades: 10 models left, so grenadiers must be 10 at most; got 11"
    none = refused(one, "assault", "V5-ASLT-4", **order, grenadiers=3)
    assert "name it with grenade" in none.reason


# --- odds -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-CORE-3", "V5-VOLLEY-1")
def test_where_a_blast_may_land_is_worked_out_once_for_each_distance():
    one = to_phase(battle([TANK], [FAR, squad("Mob", "Scrapyard mob", 30, 24, 180)]), "shooting")
    blasts._landing_arcs.cache_clear()
    answer = one.odds("fire", unit="Tank", target="Mob", guns=[{"gun": "Battle cannon"}])
    assert answer.odds("casualties").unexplored == 0
    assert blasts._landing_arcs.cache_info().misses <= 12


def crowd() -> Battle:
    """A squad on the line of a ram, passengers in its target, and a second machine behind that."""
    north = [
        machine("Dest", "Barrow carrier", 24, 24, 90),
        squad("Blades", "Furnace blades", 24, 17, 180),
        squad("Inside", "Long rifles", 0, 0, aboard="Dest"),
        machine("Behind", "Kingfisher", 24, 29, 90),
    ]
    return battle([machine("Bull", "Bull ram", 24, 10)], north)


@pytest.mark.clause("V5-RAM-7")
def test_the_odds_of_a_ram_into_a_crowd_keep_to_their_budget():
    answer = crowd().odds("ram", unit="Bull", target="Dest", heading=0, budget=Budget(branches=6000))
    odds = answer.odds("target_destroyed")
    assert odds.unexplored < 0.02
    assert 0.08 < odds.chance(1) <= 0.12


@pytest.mark.clause("V5-RAM-7")
def test_the_odds_of_an_action_have_a_budget_of_their_own(monkeypatch):
    monkeypatch.setattr("battletape.battle.preview.PREVIEWED", 0.0)
    found = crowd().odds("ram", unit="Bull", target="Dest", heading=0)
    assert found.odds("moved").unexplored > 0


# --- what is said ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-TRAN-1")
def test_a_squad_does_not_ride_with_the_enemy():
    men = squad("Men", "Ninth Bridge sappers", 0, 0, aboard="Hay")
    with pytest.raises(BadInput, match=r"Men of South cannot ride: Hay belongs to North .*V5-TRAN-1"):
        battle([TANK, men], [machine("Hay", "Barrow carrier", 40, 40)])


def told(one: Battle) -> list[str]:
    """The log of the last move."""
    return [line.text for line in one.tell(len(one.moves)).lines]


@pytest.mark.clause("V5-TANK-3", "V5-TANK-5")
def test_the_log_tells_the_drive_before_what_it_met_and_fits_names_in_the_plural():
    one = battle([TANK], [FAR, squad("Sappers", "Ninth Bridge sappers", 20, 18, 180)])
    one.push("tank_shock", unit="Tank", heading=0, inches=12, tape=Script(12, 7))
    lines = told(one)
    assert lines[:2] == ["Tank moves 12 inches to (20.0, 22.0), heading 0.", "Tank: cruising speed."]
    assert "morale" in lines[2]
    assert lines[-2:] == ["Sappers: moved up to 7 inches.", "Sappers: falling back."]
    assert len(lines) == len(set(lines))


@pytest.mark.clause("V5-RAM-4", "V5-ASLT-6")
def test_the_log_tells_a_charge_before_its_blows():
    one = battle([squad("Blades", "Furnace blades", 20, 10)], [machine("Target", "Longwatch destroyer", 20, 16, 180)])
    to_phase(one, "assault")
    one.push("assault", unit="Blades", target="Target", grenade="Krak grenade", tape=Script(*[1] * 10))
    assert told(one)[0].startswith("Blades: moved up to ")


@pytest.mark.clause("V5-VOLLEY-1", "V5-WALK-8")
def test_empty_guns_and_a_walker_as_a_unit_are_refused(vehicles5: Ruleset):
    with pytest.raises(BadInput, match="guns need a name"):
        vehicles5.ask("shoot", front=12, guns=[""])
    with pytest.raises(BadInput, match="for Warden strider use foe_walker"):
        vehicles5.ask("walker_fight", foe="warden strider")


@pytest.fixture(name="vehicles5")
def _vehicles5() -> Any:
    """The rules by their name."""
    import battletape as bt

    return bt.ruleset("vehicles5")
