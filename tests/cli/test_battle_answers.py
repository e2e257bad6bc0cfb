"""`battletape battle do`: reactions that are typed where there are none, values to choose from, and every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import battletape

SIDES = """
[[sides]]
name = "Vesper"
fighters = [
    {profile = "Brother Cato", initiative = 20},
    {profile = "Brother Rurik", x = 3, initiative = 19, weapons = ["Astartes Bolter (Godwyn)"]},
]
[[sides]]
name = "Raiders"
fighters = [{profile = "Brother Teodor", y = 20, initiative = 10}]
"""


@pytest.fixture
def begun(bt):
    Path("sides.toml").write_text(SIDES, encoding="utf-8")
    bt("battle", "new", "deathwatch", "--sides", "sides.toml")
    return bt


def test_a_second_dodge_is_refused_with_reason_and_clause(begun):
    shot = ("battle", "do", "shoot", "target=Brother Teodor", "--answers", "12; dodge; 20")
    assert "reaction by Raiders: dodge" in begun(*shot).stdout
    begun("battle", "do", "end_turn")
    told = begun(*shot, code=2).stderr
    assert "got 'dodge'" in told
    assert "A dodge is a Reaction, and there is one Reaction a round: 1 used" in told
    assert "DW-EVA-1" in told
    refused = begun("battle", "do", "dodge", "unit=Brother Teodor", code=2).stderr
    assert "one Reaction a round: 1 used" in refused
    assert "(DW-EVA-1)" in refused


def test_an_answer_that_names_no_action_is_refused_as_ever(begun):
    told = begun("battle", "do", "shoot", "target=Brother Teodor", "--answers", "12; duck; 20", code=2).stderr
    assert "dodge | none" in told
    assert "Reaction" not in told


def test_an_action_alone_lists_the_values_to_choose_from(bt):
    bt("battle", "new", "deathwatch")
    bt("battle", "do", "begin_battle", "--seed", "1")
    told = bt("battle", "do", "shoot", code=2).stderr
    assert "mode: Fire mode: one of single, semi, full (single if left out)" in told
    assert "called: Place aimed at, one of head, right_arm" in told
    assert "keeps no overwatch" in bt("battle", "do", "fire_on_watch", code=2).stderr
    assert "one of feint, knock_down, manoeuvre" in bt("battle", "do", "contest", code=2).stderr


def test_an_action_alone_is_done_where_all_that_it_leaves_open_is_plain(begun):
    done = begun("battle", "do", "shoot", "--answers", "12; none; 5 5 5").stdout
    assert "1. shoot\n   unit='Brother Cato' weapon='Astartes Bolter (Godwyn)'\n   target='Brother Teodor'\n" in done


def test_all_lists_every_command_with_the_reason_why_not(begun, bt_json):
    names = [one["name"] for one in bt_json("battle", "do")]
    short, full = (begun("battle", "do", *more).stdout for more in ((), ("--all",)))
    headed = {line.split("  ")[0] for line in full.splitlines() if line and not line.startswith(" ")}
    assert set(names) <= headed
    assert "clear_jam" not in short
    assert "Everything, and why not: battletape battle do --all" in short
    assert "not now: Astartes Bolter (Godwyn) is not jammed (DW-JAM-2)" in full
    assert "not now: Brother Cato is no horde; use shoot or strike (DW-HORDE-15)" in full


def test_own_dice_of_a_battle_are_asked_for_as_they_are_thrown(bt):
    bt("battle", "new", "deathwatch")
    bt("battle", "do", "begin_battle", "--seed", "3")
    order = ("battle", "do", "shoot", "unit=Murn", "weapon=Autogun", "target=Brother Cato", "mode=full")
    told = bt(*order, "--typed", input="01\nnone\n3 8\n" + "\n" * 20).stderr
    assert "Limb side: 2 x 1-10" in told
    assert "Limb side: 1-10" not in told
    assert re.search(r"Damage, \d times: 1 x 1-10", told)
    assert told.count("Damage") == 1
    assert "moves" in bt("battle", "check").stdout


def test_what_is_looked_ahead_for_is_not_done():
    battle = battletape.Battle.new("attack_dice")
    battle.push("start")
    order = {"unit": "Storm wardens", "weapon": "Storm carbine", "target": "Hill raiders", "distance": 18}
    before = battle.text
    with pytest.raises(battletape.NeedAnswer, match="attack dice"):
        battle.rehearse("attack", order, tape=battletape.Typed())
    battle.rehearse("attack", order, tape=battletape.Rolled(3))
    assert battle.text == before


def test_a_move_is_logged_in_the_order_of_play(bt):
    bt("battle", "new", "vehicles5")
    bt("battle", "do", "end_phase")
    done = ("battle", "do", "fire", "unit=Anvil", "target=Watch", "guns=gun='Heavy stubber'")
    lines = [" ".join(line.split()) for line in bt(*done, "--answers", "4 2 5; 6 2; 4").stdout.splitlines()]
    assert lines[1:6] == [
        "Anvil at Watch: Heavy stubber V5-FIRE-0",
        "Heavy stubber: to hit (needs 4+): 4 2 5 → 2 of 3 V5-CORE-1",
        "Watch: to wound (needs 3+ against Toughness 3): 6 2 → 1 of 2 V5-CORE-7",
        "Watch: armour save (needs 5+): 4 → 0 of 1 V5-CORE-8",
        "Watch: 1 model lost, 9 left V5-CORE-8",
    ]
