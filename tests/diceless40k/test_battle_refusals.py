"""What a battle refuses: the reason, the clause and what would do; the state stays as it was."""

from __future__ import annotations

import re

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.rulesets.diceless40k import RULESET
from tests.diceless40k.battles import battle, do, end, hp, refused, unit


def test_a_save_of_1_is_refused():
    one = battle([unit("Combat squad")], [unit("Ork Boyz")])
    end(one)
    before = one.text
    with pytest.raises(BadInput, match=r"a save from 2\+ to 6\+, or none"):
        do(one, "shoot", unit="Combat squad", target="Ork Boyz", distance=18, cover=1)
    assert one.text == before


@pytest.mark.clause("DL-30.8", "DL-29.2", "DL-55.1", "DL-60.4")
def test_hits_are_counted_for_each_marker_and_are_no_more_than_there_is():
    one = battle(
        [unit("Lobba battery"), unit("Kannon battery", guns=1)],
        [unit("Ork Boyz", models=9, groups=[]), unit("Kannon battery", "Guns")],
        horde_vehicles=[unit("Trukk")],
    )
    end(one)
    shot = {"unit": "Lobba battery", "target": "Ork Boyz", "distance": 30}
    for hits in ([3], [3, 3], [3, 3, 3, 3]):
        said = f"laid: 3, each with hits of its own; got {len(hits)} number"
        refused(one, "shoot", "DL-30.8", said, hits=hits, **shot)
    refused(one, "shoot", "DL-30.8", "200 hits under one .*; 9 is the most", hits=[3, 200, 1], **shot)
    refused(
        one, "shoot", "DL-30.8", "2 hits under one .*; 1 is the most", hits=[1, 2, 1], **{**shot, "target": "Trukk"}
    )
    many = {**shot, "target": "Guns", "hits": [1, 0, 0], "gun_hits": 20}
    refused(one, "shoot", "DL-55.1", "can be hit; got 20", **many)
    do(one, "shoot", hits=[9, 0, 9], tokens=[0, 0, 0], **shot)
    solid = {"unit": "Kannon battery", "target": "Ork Boyz", "distance": 30, "weapons": ["Kannon shell"]}
    refused(one, "shoot", "DL-30.8", "no template or marker is laid", hits=[1], **solid)


@pytest.mark.clause("DL-30.5", "DL-95.9")
def test_a_seventh_token_is_refused_by_day_and_used_by_night():
    lobbas = [unit("Lobba battery", f"Lobbas {number}") for number in range(2)]
    shot = {"unit": "Lobbas 0", "target": "Combat squad", "distance": 17, "hits": [2, 2, 2]}
    for night in (False, True):
        one = battle([unit("Combat squad")], lobbas, night=night)
        end(one, 4)
        if not night:
            refused(one, "shoot", "DL-30.5", "6 is the most by day", tokens=[7], **shot)
        else:
            do(one, "shoot", tokens=[7], **shot)
            assert one.state.player("Vigil").tokens.scatter == 12 - 7


@pytest.mark.clause("DL-30.5")
def test_a_token_that_is_not_held_is_refused():
    one = battle([unit("Combat squad")], [unit("Kannon battery", guns=1)])
    end(one, 4)
    shot = {"unit": "Kannon battery", "target": "Combat squad", "distance": 20, "weapons": ["Kannon frag"], "hits": [3]}
    refused(one, "shoot", "DL-30.5", "3 scatter tokens are used, and 2 are held", tokens=[3], **shot)


@pytest.mark.clause("DL-46.1")
def test_a_regroup_with_enemies_within_6_inches_is_refused():
    one = battle([unit("Combat squad")], [unit("Ork Boyz")])
    run_down(one)
    refused(one, "regroup", "DL-46.1", 'no enemy within 6"', unit="Ork Boyz", enemy=6)
    do(one, "regroup", unit="Ork Boyz", enemy=6.1)
    assert not one.state.squad("Ork Boyz").falling_back


def run_down(one: Battle) -> None:
    """The Boyz fall back: many tests in a row, then the Horde's own turn."""
    from msgspec.structs import replace

    state = one.state
    one.trust(0, state.with_units(replace(state.squad("Ork Boyz"), falling_back=True, op=150)))
    end(one, 3)


@pytest.mark.clause("DL-50.5")
def test_a_second_warp_token_in_one_player_turn_is_not_offered():
    powers = [unit("Librarian Osric Vale"), unit("Gate-walker Corven")]
    one = battle(powers, [unit("Ork Boyz"), unit("Weirdboy Zagnit", "One"), unit("Weirdboy Zagnit", "Two")])
    assert one.state.player("Horde").tokens.warp == 2
    end(one)
    do(one, "cast", "play", "accept", unit="Librarian Osric Vale", power="Smite", target="Ork Boyz", distance=6)
    second = {"unit": "Gate-walker Corven", "power": "Vortex", "target": "Ork Boyz", "distance": 6, "hits": [3]}
    reason = "one warp token may be played in a player turn, and it has been"
    refused(one, "cast", "DL-50.5", reason, warp_token="play", **second)
    log = do(one, "cast", "play", **second)
    assert not any(line.startswith("Warp token") for line in log)
    assert one.state.player("Horde").tokens.warp == 1


@pytest.mark.clause("DL-60.17")
def test_a_destroyed_weapon_does_not_fire():
    one = battle([unit("Combat squad")], horde_vehicles=[unit("Trukk")])
    do(one, "mark_line", unit="Trukk", line="F", dmg=18)
    assert one.state.vehicle("Trukk").damage.weapons_left == ()
    end(one, 4)
    fire = {"unit": "Trukk", "target": "Combat squad", "distance": 12, "weapons": ["Big shoota"]}
    refused(one, "shoot", "DL-60.17", "the Big shoota is destroyed; this vehicle may fire nothing", **fire)


@pytest.mark.clause("DL-60.7")
def test_there_is_no_line_g():
    one = battle(horde_vehicles=[unit("Trukk")])
    refused(one, "mark_line", "DL-60.7", "the lines A to F; got G", unit="Trukk", line="G", dmg=5)


@pytest.mark.clause("DL-6.2", "DL-24.2")
def test_hit_points_do_not_fall_below_0_or_rise_above_the_beginning():
    one = battle([unit("Combat squad")])
    squad = {"unit": "Combat squad", "group": "Lascannon gunner"}
    refused(one, "lose_hp", "DL-6.2", "40 is the most", hp=41, **squad)
    refused(one, "lose_hp", "DL-24.2", "can get back 0 HP", hp=-1, **squad)
    do(one, "lose_hp", hp=39, **squad)
    assert hp(one, "Combat squad") == 161
    do(one, "lose_hp", hp=-9, **squad)
    assert hp(one, "Combat squad") == 170


def test_turn_and_phase_are_kept():
    one = battle([unit("Combat squad")], [unit("Ork Boyz")])
    refused(one, "shoot", "DL-0.1", "it is the movement phase", unit="Combat squad", target="Ork Boyz", distance=9)
    refused(one, "move", "DL-0.1", "the turn of Vigil", unit="Ork Boyz", inches=3)
    end(one)
    refused(one, "shoot", "DL-29.1", "say distance", unit="Combat squad", target="Ork Boyz")
    refused(one, "shoot", "DL-0.1", "same side", unit="Combat squad", target="Far Vigil", distance=9)
    do(one, "shoot", unit="Combat squad", target="Ork Boyz", distance=9)
    refused(one, "shoot", "DL-19.1", "has fired", unit="Combat squad", target="Ork Boyz", distance=9)


def test_every_refusal_of_the_sample_has_a_clause_of_the_book():
    for option in Battle.new(RULESET).options():
        assert option.refused is None or option.refused.clause in RULESET.clauses.by_id


@pytest.mark.parametrize(
    ("phase", "action", "given"),
    [
        (0, "move", {"unit": "Squad", "path": [{"x": 17.9, "y": 17.9}]}),
        (0, "drive", {"unit": "Rhino", "path": [{"x": 45.1, "y": 30.3}]}),
        (0, "ram", {"unit": "Rhino", "target": "Trukk"}),
        (0, "tank_shock", {"unit": "Rhino", "target": "Boyz"}),
        (0, "embark", {"unit": "Squad", "machine": "Rhino"}),
        (0, "join", {"unit": "Osric", "target": "Squad"}),
        (1, "shoot", {"unit": "Rhino", "target": "Boyz"}),
        (1, "cast", {"unit": "Osric", "power": "machine_curse", "target": "Trukk"}),
        (1, "run", {"unit": "Squad", "path": [{"x": 17.9, "y": 17.9}]}),
        (2, "charge", {"unit": "Squad", "target": "Boyz"}),
        (2, "assault_vehicle", {"unit": "Squad", "target": "Trukk"}),
    ],
)
def test_distances_on_a_board_are_told_as_people_measure_them(phase, action, given):
    vigil = [unit("Combat squad", "Squad", x=10.3, y=10.7), unit("Librarian Osric Vale", "Osric", x=14.1, y=12.3)]
    horde = [unit("Ork Boyz", "Boyz", x=33.3, y=41.7)]
    one = battle(vigil, horde, [unit("Rhino", x=25.5, y=8.1)], [unit("Trukk", x=44.4, y=40.1)])
    end(one, phase)
    why = one.refusal(action, **given)
    assert why is not None
    (told,) = re.findall(r"\d+\.\d+", why.reason)
    assert len(told.replace(".", "")) <= 4
