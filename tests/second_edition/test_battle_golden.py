"""The golden battle: four turns of the sample, with everything in them that lasts from turn to turn."""

from __future__ import annotations

import pytest

from battletape.battle.reading import read_battle
from battletape.battle.report import log_text
from tests.battle.battles import plain_end
from tests.second_edition.causeway import FILE, as_file, causeway


def test_the_golden_battle_stays_as_it_is():
    golden = FILE.read_text(encoding="utf-8")
    assert plain_end(as_file()) == plain_end(golden)
    battle = read_battle(golden)
    assert battle.notes == ()
    assert battle.state == causeway().state


@pytest.mark.clause("SE-48", "SE-71", "SE-78", "SE-81", "SE-93", "SE-109", "SE-113")
def test_everything_that_lasts_comes_up_in_it():
    told = log_text(causeway())
    for said in (
        "Heavy bolter of Gunners 1 has 1 jam  [SE-106]",
        "Heavy bolter of Gunners 1: a jam is cleared, it works again from the next turn  [SE-109]",
        "Missile launcher, frag of Gunners 2 is destroyed  [SE-48]",
        "Cloud 2 drifts to 9.3, 10.3, radius 2 inches  [SE-71]",
        "Plasma ball 1 swells until the end of this turn, radius 4.5 inches  [SE-78]",
        "Gang 4 is on fire by Flamer  [SE-86]",
        "2 helpers: the fire is out  [SE-93]",
        "The template lies over Gang 4, heading 4°  [SE-82]",
        "Under the template: Gang 4 entirely, Gang 5 partially  [SE-83]",
        "Gang 4 runs 4 inches to 15.3, 21.8  [SE-89]",
        "The blow has Strength 7  [SE-113, SE-114]",
        "Cloud 2 is removed  [SE-68]",
    ):
        assert said in told
    assert causeway().where == {"turn": "5", "phase": "movement", "side": "Harbour"}


def test_every_move_of_it_says_something_and_cites_a_rule():
    battle = causeway()
    for move in battle.moves:
        lines = battle.move_record(move.number).lines
        assert lines, move
        assert all(line.clauses for line in lines), lines
