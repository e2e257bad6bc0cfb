"""The golden battle: four turns of the sample, with everything in them that lasts from turn to turn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battletape.battle.notation import CHECKPOINT
from battletape.battle.reading import read_battle
from battletape.battle.report import log_text
from tests.battle.battles import plain_end
from tests.second_edition.causeway import FILE, as_file, causeway

BEFORE = Path(__file__).parents[1] / "battle" / "old" / "0.4.0.dev0" / "second_edition.battle"
"""A random battle of the version before places were kept in a field."""


def test_the_golden_battle_stays_as_it_is():
    golden, now = FILE.read_text(encoding="utf-8"), plain_end(as_file())
    journal = plain_end(golden).partition("--- moves")[2]
    assert journal == now.partition("--- moves")[2]
    battle = read_battle(golden)
    assert battle.notes == ()
    assert (battle.start, battle.rulings) == (causeway().start, causeway().rulings)
    assert battle.state == causeway().state


def test_a_battle_of_before_the_field_ends_with_everything_where_it_was():
    text = BEFORE.read_text(encoding="utf-8")
    then, battle = json.loads(text.partition(CHECKPOINT)[2].split("\n")[1]), read_battle(text)
    assert battle.opened == "replay"
    field = battle.state.field
    stood = {model["name"]: model["place"] for model in then["fighters"] if not model["gone"]}
    alive = {name: at for name, at in stood.items() if not battle.state.fighter(name).is_gone}
    assert alive
    assert alive == {
        name: {"x": base.centre.x, "y": base.centre.y} for name in alive for base in field.position(name).bases
    }
    assert all(not field.footprints(name) for name in stood.keys() - alive.keys())
    lay = {marker["name"]: marker["marker"] for marker in then["markers"]}
    assert lay.keys() == {marker.name for marker in battle.state.markers}
    for marker in battle.state.markers:
        was = lay[marker.name]
        assert (marker.radius, marker.status, marker.grown) == (was["radius"], was["status"], was["grown"])
        assert [(at.x, at.y) for at in marker.corners] == [(was["centre"]["x"], was["centre"]["y"])]
    assert (then["turn"], then["phase"], then["active"]) == (
        battle.state.clock.turn,
        battle.state.clock.phase,
        battle.state.active,
    )


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
