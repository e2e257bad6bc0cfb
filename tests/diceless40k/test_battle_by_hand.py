"""Tokens and Hit Points by hand, and what refusals in a battle say."""

from __future__ import annotations

import re

import pytest

from battletape.battle import Battle
from battletape.rulesets.diceless40k import RULESET
from tests.diceless40k.battles import battle, do, end, hp, refused, unit


@pytest.mark.clause("DL-30.5", "DL-95.9")
def test_seven_tokens_are_used_by_night():
    lobbas = [unit("Lobba battery", f"Lobbas {number}") for number in range(2)]
    shot = {"unit": "Lobbas 0", "target": "Combat squad", "distance": 17, "hits": [2, 2, 2]}
    one = battle([unit("Combat squad")], lobbas, night=True)
    end(one, 4)
    do(one, "shoot", tokens=[7], **shot)
    assert one.state.player("Vigil").tokens.scatter == 12 - 7


@pytest.mark.clause("DL-46.1")
def test_a_unit_regroups_with_no_enemy_within_6_inches():
    one = battle([unit("Combat squad")], [unit("Ork Boyz")])
    run_down(one)
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


@pytest.mark.clause("DL-6.2", "DL-24.2")
def test_hit_points_are_taken_off_and_put_back_by_hand():
    one = battle([unit("Combat squad")])
    squad = {"unit": "Combat squad", "group": "Lascannon gunner"}
    do(one, "lose_hp", hp=39, **squad)
    assert hp(one, "Combat squad") == 161
    do(one, "lose_hp", hp=-9, **squad)
    assert hp(one, "Combat squad") == 170


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
