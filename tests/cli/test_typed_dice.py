"""Typed dice: what is too much is refused by name, and what comes in between is announced."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_roll import BURST

SHOT = ("roll", "attack_dice", "attack", "--attacks", "4", "--power", "6", "--armour", "5+")


def test_surplus_dice_are_refused_by_name(bt):
    told = bt("roll", "deathwatch", "test", "--answers", "23 99 4", code=2).stderr
    assert "99 and 4 were not asked for" in told
    assert "4 was not asked for" in bt("roll", "deathwatch", "test", "--answers", "23 4", code=2).stderr
    typed = bt("roll", "deathwatch", "test", "--typed", input="23 99 4\n", code=2).stderr
    assert "99 and 4 were not asked for" in typed


def test_initiative_is_one_throw(bt):
    bt("battle", "new", "deathwatch")
    done = bt("battle", "do", "begin_battle", "--typed", input="1 2 3 4 5 6 7 8 9\n")
    assert "Initiative: 9 x 1-10" in done.stderr
    assert "Brother Cato, Brother Ilario" in done.stderr
    assert "Raider mob: initiative: 9 " in done.stdout
    bt("battle", "undo")
    before = Path("battle.bt").read_bytes()
    told = bt("battle", "do", "begin_battle", "--answers", "1 2 3 4 5 6 7 8 9 10", code=2).stderr
    assert "10 was not asked for" in told
    assert Path("battle.bt").read_bytes() == before


def test_an_answer_may_say_what_it_is_for(bt):
    assert "2 saved" in bt(*SHOT, "--answers", "attack dice: 9 4 3 1; Armour saves: 2 saves").stdout
    told = bt(*SHOT, "--answers", "9 4 3 1; aegis saves: 2 saves", code=2).stderr
    assert "the next question is “armour saves”" in told
    assert "for another (AD-75)" in told


@pytest.mark.parametrize("answers", ["15; 3 5 7 | 2 9 4", "15; 3 5 7; 2 9 4"])
def test_dice_of_a_throw_may_come_at_once_or_one_by_one(bt, answers):
    shot = ("roll", "deathwatch", "shoot", "--attacker", "cato", "--weapon", "bolter", "--mode", "semi")
    assert "2 hits" in bt(*shot, "--target", "Raider", "--answers", answers).stdout


def test_what_comes_in_between_is_announced(bt):
    typed = "15\n3 5 7 2 10 4\n1 1 6 | 9 9 2\n12\n4\n"
    told = bt("roll", "deathwatch", "shoot", *BURST, "--typed", input=typed).stderr
    assert told.index("In between, while 2 dice typed before wait:") < told.index("Confirm")
