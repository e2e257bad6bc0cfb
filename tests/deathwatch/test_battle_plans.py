"""Plans: what they fill in and refuse, and the log in the order of play."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict

from tests.deathwatch.battles import Said, battle, do, fighter, mob, pass_to, refused, unit_named

CATO = fighter("Brother Cato")
PISTOL = "Astartes Bolt Pistol"
ARMED = fighter("Brother Cato", weapons=["Astartes Combat Knife", PISTOL])
SKARR = fighter("Raider", 0, 20, name="Skarr", wounds=60)


def written(move: Any) -> dict[str, Any]:
    """The order of a move, as its file has it."""
    return asdict(move.params)


@pytest.mark.clause("DW-JAM-2")
def test_clearing_a_jam_without_a_weapon_finds_the_jammed_one_and_writes_it_out():
    game = battle([ARMED], [SKARR])
    do(game, "shoot", 100, target="Skarr", weapon=PISTOL)
    pass_to(game, "Brother Cato")
    move = game.push("clear_jam", tape=Said(1, **{"clear_the_jam": 1}))
    assert not unit_named(game, "Brother Cato").weapon_named(PISTOL).jammed
    assert written(move) == {"unit": "Brother Cato", "weapon": PISTOL}


@pytest.mark.clause("DW-ACT-RELOAD")
def test_reloading_without_a_weapon_finds_the_gun_that_lacks_rounds():
    game = battle([ARMED], [SKARR])
    held = unit_named(game, "Brother Cato").weapon_named(PISTOL)
    game.push("ammunition", unit="Brother Cato", weapon=PISTOL, rounds=1)
    move = game.push("reload")
    assert unit_named(game, "Brother Cato").weapon_named(PISTOL).clip == held.profile.clip
    assert written(move)["weapon"] == PISTOL


@pytest.mark.clause("DW-ECON-1", "DW-DMG-4")
def test_a_short_name_is_refused_for_the_turn_and_written_in_full():
    game = battle([CATO], [SKARR])
    refused(game, "aim", "DW-ECON-1", "it is the turn of Brother Cato; Skarr has to wait", unit="ska")
    move = game.push("shoot", target="ska", tape=Said(1, to_hit=12))
    assert written(move)["target"] == "Skarr"
    texts = [line.text for line in game.move_record(move.number).lines]
    assert texts[0] == "Brother Cato attacks Skarr with Astartes Bolter (Godwyn)"


@pytest.mark.clause("DW-DMG-3", "DW-AUTO-3")
def test_each_hit_is_told_after_its_own_dice_and_names_its_victim():
    game = battle([CATO], [SKARR, fighter("Raider", 1, 20, name="Murn", wounds=60)])
    shared = {"target_of_hit_2": "Murn", "target_of_hit_3": "Skarr"}
    move = game.push("shoot", target="Skarr", mode="full", others=["Murn"], tape=Said(2, to_hit=52, **shared))
    texts = [line.text for line in game.move_record(move.number).lines]
    hits = [at for at, text in enumerate(texts) if text.endswith(" through")]
    assert len(hits) >= 3
    assert all(texts[at].startswith(("Skarr: ", "Murn: ")) for at in hits)
    assert all(any("damage" in text.lower() for text in texts[at - 4 : at]) for at in hits)


@pytest.mark.clause("DW-HORDE-11", "DW-HORDE-4")
def test_hits_on_a_horde_say_as_how_many_they_count():
    game = battle([CATO], [mob(y=20), SKARR])
    said = do(game, "shoot", 80, 9, 9, 9, 9, 9, 9, target="Raider mob")
    assert "Raider mob: 1 hit, which counts as 2" in said
    assert "Raider mob loses 2 Magnitude; 28 left." in said


@pytest.mark.clause("DW-ECON-1")
def test_every_move_of_a_battle_says_something_and_cites_a_rule():
    game = battle([CATO, fighter("Brother Teodor", 1, 0)], [SKARR, mob(x=3, y=30)])
    for number in range(30):
        options = [option for option in game.legal() if option.refused is None]
        option = options[number * 7 % len(options)]
        move = game.push(option.action.name, option.params, tape=number)
        told = game.move_record(move.number).lines
        assert told, move.action
        assert any(line.clauses for line in told), move.action
        if game.over:
            break
