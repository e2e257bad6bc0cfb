"""The questions damage, line_of_fire, transport and pinning, the tables behind answers, and units that fled."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape import ruleset
from battletape.answer import Answer
from battletape.errors import BadInput, Refused
from battletape.rulesets.vehicles5.rules.damage import Condition, row_of_value
from battletape.rulesets.vehicles5.rules.geometry import facing_at
from battletape.tape.script import Script
from tests.vehicles5.battles import battle, machine, squad
from tests.vehicles5.by_hand import apply_results

RULES = ruleset("vehicles5")


def only(answer: Answer, measure: str) -> Any:
    (value,) = answer.odds(measure).fractions()
    return value


def rows(answer: Answer) -> list[tuple[str, ...]]:
    assert answer.table is not None
    return list(answer.table.rows)


# --- damage ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-MARK-3", "V5-PEN-4", "V5-DMGMOD-1", "V5-DMGMOD-5", "V5-VOLLEY-2")
@pytest.mark.parametrize("order", ["sequential", "batch"])
def test_damage_rolls_counted_over_all_faces(order: Any) -> None:
    hits = [{"hit": "glance", "count": 2}, {"hit": "penetrate", "ap": 1}]
    answer = RULES.ask("damage", weapons=1, types=["open_topped"], hits=hits, volley_order=order)
    ends = [
        apply_results(
            Condition(weapons=("weapon",)), [row_of_value(a - 1), row_of_value(b - 1), row_of_value(c + 2)], order
        )
        for a, b, c in product(range(1, 7), repeat=3)
    ]
    for measure, is_so in (
        ("destroyed", lambda end: end.is_destroyed),
        ("exploded", lambda end: end.status == "exploded"),
        ("immobilised_or_worse", lambda end: end.is_destroyed or end.immobilised),
    ):
        assert answer.odds(measure).chance(1) == Fraction(sum(map(is_so, ends)), 216), measure
    assert rows(answer)[0] == ("1", "0: shaken", "3: weapon destroyed")


@pytest.mark.clause("V5-DMG-3", "V5-MARK-3")
def test_damage_is_rolled_with_dice_of_ones_own_and_the_attacker_picks() -> None:
    names = ["cannon", "stubber"]
    found = RULES.roll("damage", tape=Script(3, "stubber"), weapon_names=names, hits=[{"count": 1}])
    assert found.state.now.weapons == ("cannon",)
    wreck = RULES.roll("damage", tape=Script(5), weapon_names=names, hits=[{"count": 3}])  # a wreck is not rolled for
    assert (wreck.state.now.status, wreck.results["weapons_lost"]) == ("wrecked", 2)


@pytest.mark.clause("V5-SKIM-7", "V5-FAST-1")
def test_damage_knows_who_crashes_and_who_cannot_be_so_fast() -> None:
    fast = RULES.ask("damage", types=["fast", "skimmer"], band="flat_out")
    assert fast.odds("wrecked").chance(1) == Fraction(2, 6)
    with pytest.raises(Refused, match="flat_out is more"):
        RULES.ask("damage", types=["skimmer"], band="flat_out")


# --- line of fire ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-SHOT-4", "V5-SHOT-5", "V5-WALK-17")
@pytest.mark.parametrize("heading", [0, 90, -135])
def test_sides_by_bearings(heading: int) -> None:
    bearings = range(0, 360, 15)
    answer = RULES.ask("line_of_fire", heading=heading, firers=[{"bearing": one} for one in bearings])
    seen = [facing_at((one - heading) % 360) for one in bearings]
    assert [only(answer, side) for side in ("front", "side", "rear")] == [
        seen.count(side) for side in ("front", "side", "rear")
    ]


@pytest.mark.clause("V5-SHOT-1", "V5-SHOT-2")
def test_who_sees_only_a_barrel_does_not_count() -> None:
    firers = [{"hidden": 0.6}, {"hidden": 0.6}, {"sees": "gun_barrel"}, {"sees": "antenna", "bearing": 90}]
    answer = RULES.ask("line_of_fire", firers=firers)
    assert [only(answer, name) for name in ("seeing", "front", "side", "cover")] == [2, 2, 0, 1]
    half = [{"hidden": 0.5}, {"hidden": 0.0}]
    assert only(RULES.ask("line_of_fire", firers=half), "cover") == 0
    assert only(RULES.ask("line_of_fire", firers=half, cover_majority="at_least_half"), "cover") == 1


@pytest.mark.clause("V5-LOS-1", "V5-LOS-3", "V5-LOS-4", "V5-LOS-6")
def test_which_weapons_bear() -> None:
    ahead = RULES.ask("line_of_fire", vehicle="Anvil battle tank")
    left = RULES.ask("line_of_fire", vehicle="Anvil battle tank", aim_bearing=-90)
    assert "right bolter" in only(ahead, "bears").split(", ")
    assert "right bolter" not in only(left, "bears").split(", ")
    assert "left bolter" in only(left, "bears").split(", ")
    assert only(RULES.ask("line_of_fire", elevation=46), "bears") == "none"
    hull = [{"name": "gun", "mount": "hull"}]
    assert only(RULES.ask("line_of_fire", guns=hull, aim_bearing=40), "bears") == "none"
    assert only(RULES.ask("line_of_fire", guns=hull, aim_bearing=40, hull_arc_degrees=90), "bears") == "gun"
    with pytest.raises(BadInput, match="arc must be two bearings"):
        RULES.ask("line_of_fire", guns=[{"arc": [10]}])


# --- transport and pinning ------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "V5-TRAN-4", "V5-TRAN-5", "V5-TRAN-6", "V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-2", "V5-OPEN-3", "V5-FAST-5"
)
@pytest.mark.parametrize(
    ("given", "allowed", "then", "drives"),
    [
        ({}, 1, "ride", 1),
        ({"band": "combat"}, 1, "ride", 0),
        ({"at_access": 9}, 0, "-", 1),
        ({"at_access": 0, "at_hull": 10, "types": ["open_topped"]}, 1, "ride", 1),
        ({"unit_type": "bike"}, 0, "-", 1),
        ({"got_out": True}, 0, "-", 1),
        ({"phase": "shooting"}, 0, "-", 0),
        ({"way": "out"}, 1, "move, shoot, assault", 1),
        ({"way": "out", "band": "combat"}, 1, "shoot", 0),
        ({"way": "out", "band": "combat", "types": ["open_topped"]}, 1, "shoot, assault", 0),
        ({"way": "out", "room": "emergency"}, 1, "nothing", 1),
        ({"way": "out", "room": "none"}, 0, "-", 0),
        ({"way": "out", "boarded": True}, 0, "-", 0),
        ({"way": "out", "types": ["fast"], "then": "flat_out"}, 1, "move, shoot, assault", 1),
        ({"way": "out", "types": ["fast"], "then": "flat_out", "flat_out_symmetric": True}, 0, "-", 0),
    ],
)
def test_in_and_out(given: dict[str, Any], allowed: int, then: str, drives: int) -> None:
    answer = RULES.ask("transport", **given)
    assert [only(answer, name) for name in ("allowed", "unit_then", "vehicle_may_move")] == [allowed, then, drives]
    assert ("may not" in answer.headline) == (not allowed)


@pytest.mark.clause("V5-CORE-6", "V5-ORD-5")
@pytest.mark.parametrize("ld", range(2, 11))
def test_pinning_counted_over_all_faces(ld: int) -> None:
    throws = [sum(pair) for pair in product(range(1, 7), repeat=2)]
    for barrage in (False, True):
        answer = RULES.ask("pinning", ld=ld, barrage=barrage)
        assert answer.odds("pinned").chance(1) == Fraction(sum(throw > ld - barrage for throw in throws), 36)
        assert only(answer, "ld_that_counts") == ld - barrage


# --- more of what there was -----------------------------------------------------------------------------------------


@pytest.mark.clause("V5-WALK-10")
def test_grenades_of_a_profile_need_a_six_against_walkers() -> None:
    plain = {"types": ["walker"], "front": 12, "weapons": 1}
    named = RULES.ask("assault", attacks=6, grenade="Krak grenade", **plain)
    assert named.odds("expected_hits").mean == 1
    assert named.odds("unchanged").chance(1) == Fraction(35, 36) ** 6  # a 6 to hit, then a 6 to glance at armour 12
    for same in (
        RULES.ask("assault", attacks=6, grenade="krak", **plain),
        RULES.ask("assault", attackers=[{"models": 6, "grenade": "Krak grenade"}], **plain),
    ):
        assert [same.odds(one.name) for one in same.question.measures] == [
            named.odds(one.name) for one in named.question.measures
        ]
    stunned = RULES.ask("assault", attacks=6, grenade="Krak grenade", stunned=True, **plain)
    assert stunned.odds("expected_hits").mean == 3  # by WS 4 against 4


@pytest.mark.clause("V5-ASLT-2", "V5-ASLT-3")
def test_who_strikes_by_where_they_stand() -> None:
    places = [{"gap": 0}, {"gap": 1, "friend": 2}, {"gap": 1, "friend": 2.5}, {"gap": 3}]
    answer = RULES.ask("assault", attackers=[{"places": places, "attacks": 2, "charged": False}])
    assert rows(answer) == [("attackers", "4", "4", "4+", "rear 10")]
    with pytest.raises(BadInput, match="only one of in_reach"):
        RULES.ask("assault", attackers=[{"places": places, "in_reach": 2}])


@pytest.mark.clause("V5-WALK-11", "V5-WALK-16", "V5-WALK-10")
def test_the_first_round_of_a_fight_in_a_table() -> None:
    answer = RULES.ask("walker_fight", rounds=1, foe_models=3, grenade="krak", charges="foe", dccw=["a", "b"])
    assert rows(answer) == [("walker", "3", "10", "4+"), ("krak", "3", "6", "6+")]
    other = RULES.ask("walker_fight", rounds=1, foe_is_walker=True, charges="walker")
    assert rows(other) == [("walker", "3", "10", "4+"), ("other walker", "1", "8", "4+")]


@pytest.mark.clause("V5-SHOT-7", "V5-SHOT-8", "V5-SHOT-9")
def test_where_the_hole_lies_in_a_table() -> None:
    answer = RULES.ask("ordnance", strength=9, firer_bearing=180, barrage=True)
    assert rows(answer) == [
        ("on the hull", "side", "11", "9"),
        ("off it, at the front", "front", "12", "4"),
        ("off it, at the side", "side", "11", "4"),
        ("off it, at the rear", "rear", "10", "4"),
    ]


@pytest.mark.clause("V5-SHOT-6", "V5-SHOT-9")
def test_rims_and_templates_in_a_volley() -> None:
    rim = RULES.ask("shoot", front=10, guns=[{"auto": True, "strength": 9, "rim": True}])
    whole = RULES.ask("shoot", front=10, guns=[{"auto": True, "strength": 4}])
    assert rim.odds("result") == whole.odds("result")
    assert rows(rim) == [("gun 1", "front", "4")]
    assert whole.table is None
    with pytest.raises(Refused, match="V5-SHOT-6"):
        RULES.ask("shoot", guns=[{"rules": ["template"], "touches_friend": True}])


@pytest.mark.clause("V5-RAM-2")
def test_a_ram_below_top_speed_is_refused() -> None:
    assert only(RULES.ask("ram", speed="cruising"), "declared") == 12
    with pytest.raises(Refused, match="V5-RAM-2"):
        RULES.ask("ram", speed="combat")


@pytest.mark.clause("V5-DMG-5", "V5-TRAN-7")
def test_how_passengers_leave_a_wreck() -> None:
    answer = RULES.ask("explosion", wrecked=True, passengers=10, room_at_access=4, room_within=7)
    told = {name: only(answer, name) for name in ("survivors", "passengers_lost", "emergency", "pinning_test")}
    assert told == {"survivors": 7, "passengers_lost": 3, "emergency": 1, "pinning_test": 1}


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


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"in_the_way": ["fog"]}, "thing in the way"),
        ({"together": ["gun 1"], "as_barrage": ["gun 2"]}, "weapon that fires"),
        ({"stands": True, "band": "combat"}, "V5-MOVE-1"),
        ({"phase": "movement", "fired": True}, "V5-CORE-16"),
        ({"distance": 5, "displacement": 6}, "V5-MOVE-7"),
    ],
)
def test_a_story_that_cannot_be_is_refused(given: dict[str, Any], why: str) -> None:
    with pytest.raises((BadInput, Refused), match=why):
        RULES.ask("what_may_it_do", **given)


# --- those who fled -------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-CORE-20")
def test_a_unit_that_fled_is_told_as_fled_and_not_as_lost() -> None:
    fight = battle(
        [machine("Anvil", "Anvil battle tank", 24, 30)],
        [squad("Watch", "Harbour watch", 24, 45, 180, models=4), machine("Siege", "Gatebreaker siege tank", 8, 40)],
    )
    move = fight.push("tank_shock", unit="Anvil", heading=0, inches=12, tape=Script(12, 12))  # morale; then the run
    watch = fight.state.squad("Watch")
    assert (watch.is_gone, watch.is_lost, watch.fled) == (True, False, 4)
    told = [line.text for line in fight.tell(move.number).lines]
    assert "Watch: fled off the table, 4 models." in told
    assert not any("lost" in line for line in told)
    squads = fight.tables[1]
    assert squads.rows[0][squads.head.index("notes")] == "fled off the table, 4 models"
    fight.push("end_turn")
    refused = fight.refusal("move_unit", unit="Watch", heading=0, inches=1)
    assert refused is not None
    assert (refused.clause, refused.kind) == ("V5-CORE-20", "fled")
