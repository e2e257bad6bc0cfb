"""Troops clause by clause, through what players use: the catalogue's numbers where rules meet each other."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.registry import ruleset
from tests.diceless40k.battles import battle, do, end, hp, refused, unit

RULES = ruleset("diceless40k")
FISTS = {"weapons": ["Fists"], "arsenal": [{"name": "Fists", "type": "melee"}], "groups": []}


def asked(question: str, measure: str, **inputs: Any) -> Any:
    """What a measure comes to."""
    (value,) = RULES.ask(question, **inputs).odds(measure).fractions()
    return value


def lines(one: Battle, action: str, *wishes: Any, **params: Any) -> str:
    return "\n".join(do(one, action, *wishes, **params))


# --- saves and casualties -------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-20.6")
@pytest.mark.parametrize(("save", "column", "hp_lost"), [(2, "3+", 20), (4, "5+", 40), (6, "none", 60)])
def test_any_save_that_must_be_rolled_again_is_one_worse(save: int, column: str, hp_lost: int):
    for kind in ("armour", "cover", "invulnerable"):
        given = {"dmg": 60, "armour": None, kind: save, "reroll_successful": True}
        assert asked("save_table", "column", **given) == column
        assert asked("save_table", "hp_lost", **given) == hp_lost
        given = {"dmg": 60, "hp": 100, "armour": None, kind: save, "model_rules": ["reroll_successful_saves"]}
        assert asked("casualties", "hp_lost", **given) == hp_lost


@pytest.mark.clause("DL-20.6", "DL-SM-57.2")
def test_the_null_zone_is_a_malus_of_its_own_and_a_reroll_cancels_one():
    sixty = {"dmg": 60, "armour": None, "invulnerable": 3, "null_zone": True}
    assert asked("save_table", "hp_lost", **sixty) == 30
    assert asked("save_table", "hp_lost", reroll_successful=True, **sixty) == 40
    assert asked("save_table", "hp_lost", reroll_failed=True, **sixty) == 20
    assert asked("save_table", "hp_lost", reroll_failed=True, reroll_successful=True, **sixty) == 30
    assert asked("save_table", "hp_lost", reroll_failed=True, **{**sixty, "invulnerable": 6}) == 50
    assert asked("save_table", "hp_lost", **{**sixty, "armour": 3}) == 20  # armour is not touched


@pytest.mark.clause("DL-26.1")
def test_whether_an_attack_could_kill_outright_is_said_without_a_loss():
    assert asked("casualties", "instant_death", dmg=0, strength=8, toughness=4) == 1
    assert asked("casualties", "instant_death", dmg=500, strength=7, toughness=4) == 0


@pytest.mark.clause("DL-31.10", "DL-26.1")
def test_a_sniper_weapon_has_no_strength_that_could_kill_outright():
    sniper = {"rules": ["sniper"], "models": 5, "strength": 8}
    shot = {"guns": [sniper], "toughness": 2, "wounds": 4, "models": 3, "armour": None}
    assert asked("shoot", "dmg", **shot) == 40
    assert asked("shoot", "removed", **shot) == 0  # 7 and 33 HP of 80


@pytest.mark.clause("DL-6.1", "DL-6.2", "DL-26.1")
def test_toughness_that_changes_in_play_changes_hp_and_leaves_the_damage():
    one = battle([unit("Combat squad", "M", groups=[], models=5)], [unit("Ork Boyz")])
    do(one, "lose_hp", unit="M", group="M", hp=35)
    assert do(one, "change_body", unit="M", group="M", toughness=5)[0] == "M: T5, 50 HP each, 35 recorded, 5 models"
    assert one.state.squad("M").groups[0].own_toughness == 4
    do(one, "change_body", unit="M", group="M", toughness=3)
    group = one.state.squad("M").groups[0]
    assert (group.models, group.hp, group.recorded, group.own_toughness) == (4, 30, 0, 4)
    do(one, "lose_hp", unit="M", group="M", hp=120)
    refused(one, "change_body", "DL-6.2", "nobody is left", unit="M", group="M")


# --- close combat ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-38.1")
def test_the_attack_for_charging_is_for_the_player_turn_of_the_charge_alone():
    one = battle([unit("Combat squad", "M", models=5, **FISTS)], [unit("Ork Boyz", "B", models=3, armour=2, **FISTS)])
    end(one, 2)
    do(one, "charge", unit="M", target="B", distance=3)
    assert "5 of M with Fists, 10 attacks" in lines(one, "fight", unit="M")
    end(one, 3)  # the Horde's Assault phase
    assert "5 of M with Fists, 5 attacks" in lines(one, "fight", unit="M")


@pytest.mark.clause("DL-38.1")
def test_who_charged_through_terrain_strikes_last_in_that_player_turn_alone():
    marines = unit("Combat squad", "M", models=5, **FISTS)
    one = battle([marines], [unit("Ork Boyz", "B", models=3, armour=2, **FISTS)], grounds=[{"name": "Wood"}])
    end(one, 2)
    do(one, "charge", unit="M", target="B", distance=4, terrain="Wood", inside=1)
    assert "Initiative 1: 5 of M" in lines(one, "fight", unit="M")
    end(one, 3)
    assert "Initiative 4: 5 of M" in lines(one, "fight", unit="M")


@pytest.mark.clause("DL-44.1")
def test_where_both_sides_die_the_one_that_lost_more_has_lost():
    first = {"models": 1, "strength": 8, "attacks": 5, "hp": 60, "armour": None}
    second = {**first, "hp": 40}
    assert asked("fight", "loser", first=[first], second=[second]) == "first"
    assert asked("fight", "difference", first=[first], second=[second]) == 20
    assert asked("fight", "loser", first=[first], second=[first]) == "nobody"


@pytest.mark.clause("DL-25.1", "DL-38.1")
def test_a_named_unit_fights_with_all_its_groups():
    nobody = {"models": 5, "attacks": 0, "armour": None, "hp": 1000}
    given = {"first": [nobody], "second": "Ork Boyz"}
    assert asked("fight", "second_dmg", **given) == 9 * 3 * 12 + 3 * 4 * 8  # nine boyz, and the nob's klaw
    assert asked("fight", "second_left", **given) == 10
    struck = {**nobody, "models": 1, "attacks": 10, "initiative": 5, "strength": 3}
    assert asked("fight", "second_hp_lost", first=[struck], second="Ork Boyz") == 6 + 90  # 12 on 4+, 108 on 6+


# --- order points ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-8.1", "DL-8.2")
def test_a_test_that_the_program_does_not_see_coming_is_taken_by_hand():
    one = battle([unit("Combat squad", "M", groups=[])], [unit("Ork Boyz", "B", groups=[]), unit("Snotling swarm")])
    for op in (25, 50, 75, 100):  # on Ld 7 with -1: 83
        do(one, "test_nerve", unit="B", test="other", modifier=-1)
        assert (one.state.squad("B").op, one.state.squad("B").falling_back) == (op, False)
    do(one, "test_nerve", unit="B", test="pinned")
    assert one.state.squad("B").gone_to_ground  # 125 against 117
    do(one, "test_nerve", unit="B")
    assert one.state.squad("B").falling_back
    refused(one, "test_nerve", "DL-8.1", "fails without a test", unit="B")
    refused(one, "test_nerve", "DL-8.1", "knows no fear", unit="Snotling swarm")
    do(one, "test_nerve", unit="M")
    assert one.state.squad("M").op == 25


@pytest.mark.clause("DL-46.1")
def test_a_character_with_the_unit_is_among_the_models_whose_ld_comes_off():
    captain = unit("Captain Aldous Varn", "Varn", joined="M")
    one = battle([unit("Combat squad", "M", models=5, groups=[]), captain], [unit("Ork Boyz")])
    troop = one.state.squad("M")
    before = [member.ld for member in (*troop.groups, *one.state.squad("Varn").groups)]
    assert before == [8, 10]
    put_to_flight(one, "M", 150)
    do(one, "regroup", unit="M", enemy=12)
    assert one.state.squad("M").op == 150 - 5 * 8 - 10
    assert not one.state.squad("Varn").falling_back


def put_to_flight(one: Battle, name: str, op: int) -> None:
    """A unit and who is with it are on the run as the battle begins."""
    state = one.state
    company = [replace(member, falling_back=True) for member in state.joined_units(state.squad(name))]
    one.trust(0, state.with_units(*(replace(member, op=op) if member.name == name else member for member in company)))


@pytest.mark.clause("DL-46.1")
def test_who_has_regrouped_moves_up_to_three_inches():
    one = battle([unit("Combat squad", "M", x=30, y=10)], [unit("Ork Boyz", x=30, y=40)])
    put_to_flight(one, "M", 100)
    refused(one, "regroup", "DL-14.1", "3 inches are allowed", unit="M", path=[{"x": 30, "y": 14}])
    do(one, "regroup", unit="M", path=[{"x": 30, "y": 13}])
    assert (one.state.squad("M").falling_back, one.state.field.position("M").bases[0].centre.y) == (False, 13)
    refused(one, "move", "DL-0.1", "has moved", unit="M", path=[{"x": 30, "y": 14}])


@pytest.mark.clause("DL-44.3")
def test_extra_wounds_are_said_with_the_fight():
    idle = {"models": 5, "attacks": 0, "toughness": 4, **FISTS}
    one = battle([unit("Combat squad", "M", **idle)], [unit("Ork Boyz", "B", **idle)])
    end(one, 2)
    do(one, "charge", unit="M", target="B", distance=3)
    log = lines(one, "fight", unit="M", enemy_extra_wounds=6, extra_wounds=2)
    hurt = one.state.squad("B").groups[0].recorded  # five blows for the charge: 80 DMG on 6+
    assert hurt == 67 - 40
    assert f"M tests on Ld 8: 0 + {25 + 240 - 80 - 67}" in log


@pytest.mark.clause("DL-45.1", "DL-54.1")
def test_a_unit_falls_back_together_as_fast_as_its_slowest():
    seer = unit("Seer of the Seventh Path", "Seer", joined="Hounds", x=30, y=20)
    one = battle([unit("Squig hounds", "Hounds", x=30, y=22), seer], [unit("Ork Boyz")])
    put_to_flight(one, "Hounds", 0)
    before = {name: one.state.field.position(name).bases[0].centre.y for name in ("Hounds", "Seer")}
    do(one, "fall_back", unit="Hounds")
    assert [before[name] - one.state.field.position(name).bases[0].centre.y for name in before] == [7, 7]


@pytest.mark.clause("DL-8.1", "DL-8.2")
def test_half_strength_is_for_morale_tests_and_not_for_pinning():
    one = battle([unit("Scout snipers", "Snipers", groups=[])], [unit("Ork Boyz", "Boyz", models=9, groups=[])])
    do(one, "lose_hp", unit="Boyz", group="Boyz", hp=200)
    end(one)
    assert "Ld 7" in lines(one, "shoot", unit="Snipers", target="Boyz", distance=30)


@pytest.mark.clause("DL-8.3", "DL-67.2")
def test_a_character_who_leads_those_in_a_wreck_gets_order_points_too():
    squad, captain = unit("Combat squad", "M", aboard="Rhino"), unit("Captain Aldous Varn", "Varn", joined="M")
    one = battle([squad, {**captain, "aboard": "Rhino"}], [unit("Ork Boyz")], [unit("Rhino")])
    do(one, "mark_line", unit="Rhino", line="F", dmg=30)
    assert one.state.vehicle("Rhino").damage.destroyed
    assert (one.state.squad("M").op, one.state.squad("Varn").op) == (25, 25)


@pytest.mark.clause("DL-8.1", "DL-8.2", "DL-44.4")
def test_focus_breaks_nobody_who_takes_no_test_and_reads_the_right_table():
    gun = {"models": 10, "shots": 2, "type": "assault", "ap": None}
    target = {"models": 5, "armour": None, "op": 110, "ld": 8}

    def shaken(**more: Any) -> tuple[int, int]:
        given = {"shooters": [gun], "targets": [{**target, **more}], "wanted": "order_points"}
        return asked("focus", "order_points", **given), asked("focus", "broken", **given)

    assert shaken(models=9) == (25, 1)  # 320 DMG kill eight of nine: one is left, on Ld 7 with 135 OP against 117
    assert shaken(models=9, op=90) == (25, 0)  # 115 against 117
    assert shaken(models=9, model_rules=["reroll_leadership"]) == (25, 0)  # 135 against 165
    assert shaken(models=9, model_rules=["fearless"]) == (0, 0)
    assert shaken(models=9, model_rules=["stubborn"]) == (25, 0)  # 135 against 144


@pytest.mark.clause("DL-75.1", "DL-25.1", "DL-70.2")
def test_focus_knows_the_groups_and_rules_of_a_named_target():
    gun = {"models": 10, "shots": 2, "type": "assault", "ap": None}
    given = {"shooters": [gun], "targets": [{"unit": "Nobz"}]}
    assert asked("focus", "hp", **given) == 80  # 320 DMG: 64 on the painboy, 256 on four nobz; 4+, and no pain
    answer = RULES.ask("focus", shooters=[gun], targets=[{"unit": "Trukk"}])
    assert answer.inputs.targets[0].open_topped


# --- psykers --------------------------------------------------------------------------------------------------------

COVEN = {
    "models": 5,
    "ld": 7,
    "weapons": ["Bolter"],
    "groups": [{"name": "Warlock", "ld": 10, "wounds": 2, "weapons": ["Smite"], "rules": ["psyker"]}],
    "arsenal": [
        {"name": "Bolter", "type": "rapid_fire", "strength": 4, "ap": 5, "range": 24},
        {"name": "Smite", "type": "assault", "strength": 4, "ap": 2, "range": 12, "shots": 4, "rules": ["psychic"]},
    ],
}


@pytest.mark.clause("DL-50.1", "DL-50.2", "DL-6.3")
def test_a_psyker_among_others_has_a_track_of_his_own():
    one = battle([{"name": "Coven", **COVEN}], [unit("Ork Boyz", models=30, groups=[])])
    for op in (25, 50, 75, 100, 125, 150):
        end(one, 1)
        do(one, "cast", unit="Coven", power="Smite", target="Ork Boyz", distance=6)
        assert (one.state.squad("Coven").psyker_op, one.state.squad("Coven").op) == (op, 0)
        if op < 150:
            end(one, 5)


@pytest.mark.clause("DL-50.1", "DL-19.2")
def test_a_psyker_whose_power_was_his_shot_does_not_fire_with_his_unit():
    osric = unit("Librarian Osric Vale", "Osric", joined="M")
    one = battle([unit("Combat squad", "M", groups=[]), osric], [unit("Ork Boyz", models=30, groups=[])])
    end(one)
    do(one, "cast", unit="Osric", power="Smite", target="Ork Boyz", distance=6)
    log = lines(one, "shoot", unit="M", target="Ork Boyz", distance=6)
    assert "Bolter" in log
    assert "Bolt pistol" not in log


# --- blasts and tokens ----------------------------------------------------------------------------------------------

CANNON = {
    "name": "Cannon",
    "type": "heavy",
    "strength": 7,
    "ap": 2,
    "range": 36,
    "marker": "blast",
    "rules": ["gets_hot"],
}
GUNNERS = {"models": 2, "toughness": 3, "armour": None, "weapons": ["Cannon"], "arsenal": [CANNON]}


def tokens(one: Battle, side: str) -> tuple[int, int]:
    held = one.state.player(side).tokens
    return held.scatter, held.gets_hot


@pytest.mark.clause("DL-31.3", "DL-30.4")
def test_the_marker_of_a_firer_whom_his_cannon_kills_is_not_laid():
    crowd = unit("Ork Boyz", "Boyz", x=30, y=30, models=10, groups=[])
    for played, markers, left in ((0, 2, (4, 2)), (1, 1, (4, 1)), (2, 0, (4, 0))):
        one = battle([{"name": "Gunners", **GUNNERS, "x": 30, "y": 10}], [crowd])
        end(one)
        log = do(one, "shoot", *([played] if played else []), unit="Gunners", target="Boyz", tokens=[0, 0])
        assert sum("under the marker" in line for line in log) == markers
        assert tokens(one, "Horde") == left
        assert one.state.squad("Gunners").count == 2 - played


@pytest.mark.clause("DL-31.3", "DL-60.4")
def test_a_lost_blast_does_not_hit_a_vehicle_either():
    for played, glancing in ((0, True), (2, False)):
        one = battle([{"name": "Gunners", **GUNNERS}], [unit("Ork Boyz")], (), [unit("Trukk")])
        end(one)
        do(one, "shoot", *([played] if played else []), unit="Gunners", target="Trukk", distance=20, hits=[1, 1])
        assert any(one.state.vehicle("Trukk").damage.lines) is glancing


@pytest.mark.clause("DL-30.4", "DL-30.6")
def test_tokens_that_are_said_are_used_on_a_board_too():
    crowd = unit("Ork Boyz", "Boyz", x=30, y=30, models=10, groups=[])
    one = battle([{"name": "Gunners", **GUNNERS, "x": 30, "y": 10}], [crowd])
    end(one)
    do(one, "shoot", unit="Gunners", target="Boyz", tokens=[3, 1])
    assert tokens(one, "Horde") == (0, 2)


@pytest.mark.clause("DL-30.4", "DL-30.6")
def test_bearings_are_those_of_the_tokens_on_each_marker():
    crowd = unit("Ork Boyz", "Boyz", x=30, y=30, models=10, groups=[])
    one = battle([{"name": "Gunners", **GUNNERS, "x": 30, "y": 10}], [crowd])
    end(one)
    shot = {"unit": "Gunners", "target": "Boyz"}
    refused(one, "shoot", "DL-30.4", "need a bearing each", tokens=[3, 1], bearings=[0, 0, 90], **shot)
    do(one, "shoot", tokens=[1, 2], bearings=[0, 90, 90], **shot)
    assert tokens(one, "Horde") == (1, 2)
    alone = battle([{"name": "Gunners", **GUNNERS, "x": 30, "y": 10}], [crowd])
    end(alone)
    do(alone, "shoot", bearings=[0, 0], **shot)  # on the first marker
    assert tokens(alone, "Horde") == (2, 2)


@pytest.mark.clause("DL-32.2")
def test_a_token_for_each_further_marker_of_a_barrage_where_hits_are_counted():
    one = battle([unit("Ork Boyz", "Boyz", models=20, groups=[])], [unit("Lobba battery", "Lobbas")])
    end(one, 4)
    shot = {"unit": "Lobbas", "target": "Boyz", "distance": 30, "hits": [3, 2, 1]}
    assert tokens(one, "Vigil") == (6, 0)
    refused(one, "shoot", "DL-32.2", "one for each; got 2", tokens=[1, 2], **shot)
    refused(one, "shoot", "DL-30.4", "3 markers laid", tokens=[1, 1, 1, 1], **shot)
    refused(one, "shoot", "DL-30.5", "7 tokens", tokens=[7], **shot)
    refused(one, "shoot", "DL-30.5", "1 scatter token is used, and 0 are held", tokens=[6, 1], **shot)
    do(one, "shoot", tokens=[2, 1, 1], **shot)
    assert tokens(one, "Vigil") == (2, 0)


@pytest.mark.clause("DL-8.1", "DL-30.8")
def test_whoever_lies_under_a_marker_that_pins_takes_the_test():
    lobbas = unit("Lobba battery", "Lobbas", x=30, y=46, guns=1)
    boyz = [unit("Ork Boyz", name, x=30, y=y, models=4, groups=[]) for name, y in (("Near", 20), ("Beside", 21.2))]
    one = battle(boyz, [lobbas])
    end(one, 4)
    do(one, "shoot", unit="Lobbas", target="Near", aim=[{"x": 30, "y": 20}], tokens=[0])
    assert [one.state.squad(name).op for name in ("Near", "Beside")] == [25, 25]


@pytest.mark.clause("DL-30.8", "DL-25.2")
def test_a_character_under_a_marker_is_hit_as_one_of_his_unit():
    squad = unit("Combat squad", "M", x=30, y=20, models=1, groups=[])
    captain = unit("Captain Aldous Varn", "Varn", x=30, y=21.2, joined="M")
    one = battle(
        [squad, captain, unit("Militia", x=30, y=18.8, models=1, groups=[])],
        [unit("Kannon battery", "Kannons", guns=1)],
    )
    end(one, 4)
    shot = {"unit": "Kannons", "target": "Militia", "weapons": ["Kannon frag"], "distance": 20}
    log = lines(one, "shoot", aim=[{"x": 30, "y": 18.8}], tokens=[0], **shot)
    assert "Kannon frag on M: 6 DMG" in log  # one hit of S4 on the squad, spread over it and its captain
    assert "Kannon frag on Varn: 6 DMG" in log


# --- terrain --------------------------------------------------------------------------------------------------------

SWAMP = {"name": "Swamp", "difficult": False, "dangerous": True, "corners": [{"x": 32, "y": 14}], "radius": 1.2}
BOG = {"name": "Bog", "dangerous": True}


@pytest.mark.clause("DL-14.2")
def test_each_model_of_a_formation_meets_the_terrain_on_its_own_way():
    one = battle([unit("Ork Boyz", "Boyz", x=30, y=10, models=8, groups=[])], [unit("Grots")], grounds=[SWAMP])
    places = [base.centre for base in one.state.field.position("Boyz").bases]
    through = [place for place in places if abs(place.x - 32) < 1.2]
    assert 0 < len(through) < 8
    assert places[0] not in through
    before = hp(one, "Boyz")
    do(one, "move", unit="Boyz", path=[{"x": 30, "y": 16}])
    assert before - hp(one, "Boyz") == 10 * len(through)


@pytest.mark.clause("DL-14.1")
def test_difficult_terrain_under_any_model_slows_the_formation():
    wood = {"name": "Wood", "corners": [{"x": 32, "y": 14}], "radius": 1.2}
    one = battle([unit("Ork Boyz", "Boyz", x=30, y=10, models=8, groups=[])], [unit("Grots")], grounds=[wood])
    refused(one, "move", "DL-14.1", "count twice", unit="Boyz", path=[{"x": 30, "y": 16}])
    do(one, "move", unit="Boyz", path=[{"x": 30, "y": 12}])


@pytest.mark.clause("DL-14.2")
@pytest.mark.parametrize(
    ("ruling", "ends", "lost"), [("move", False, 80), ("crossing", False, 160), ("crossing", True, 80)]
)
def test_dangerous_terrain_by_move_or_by_crossing(ruling: str, ends: bool, lost: int):
    given = {"grounds": [BOG], "rulings": {"dangerous_per": ruling}}
    one = battle([unit("Ork Boyz", "Boyz", models=8, groups=[])], [unit("Grots")], **given)
    before = hp(one, "Boyz")
    do(one, "move", unit="Boyz", inches=5, terrain="Bog", inside=1, ends=ends)
    assert before - hp(one, "Boyz") == lost


@pytest.mark.clause("DL-14.2", "DL-57.1")
def test_difficult_terrain_hurts_guns_and_not_their_crew():
    one = battle([unit("Kannon battery", "Kannons")], [unit("Grots")], grounds=[{"name": "Wood"}])
    before = hp(one, "Kannons")
    assert len(one.state.squad("Kannons").guns) == 2
    do(one, "move", unit="Kannons", inches=1, terrain="Wood", inside=0.5)
    assert hp(one, "Kannons") == before
    assert len(one.state.squad("Kannons").guns) == 1  # 2 x 5 DMG on line E: one glancing hit at 8
