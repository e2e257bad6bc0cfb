"""The golden battle: every action and every condition, and it replays to the letter."""

from __future__ import annotations

import pytest

from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.turn import ACTIONS
from tests.deathwatch.vesper import FILE, play


@pytest.fixture(scope="module")
def vesper() -> Battle:
    return read_battle(FILE.read_text(encoding="utf-8"), str(FILE), RULESET)


def told(one: Battle) -> list[str]:
    return [line.text for number in range(1, len(one.moves) + 1) for line in one.tell(number).lines]


def test_it_uses_every_action_replays_and_is_written_as_it_was_read(vesper):
    assert {move.action for move in vesper.moves} == {action.name for action in ACTIONS}
    assert vesper.check().moves == len(vesper.moves)
    assert write_battle(vesper, checkpoint=False) == FILE.read_text(encoding="utf-8")


def test_it_is_what_the_script_plays(vesper):
    again = play(RULESET)
    assert again.state == vesper.state
    assert again.journal == vesper.journal


@pytest.mark.clause(
    *("DW-JAM-1", "DW-JAM-2", "DW-ACT-RELOAD", "DW-ACT-AIM", "DW-ACT-BRACE-HEAVY-WEAPON", "DW-OVER-2", "DW-PIN-1"),
    *("DW-STUN-1", "DW-COND-PRONE", "DW-COND-FIRE", "DW-BLOOD-2", "DW-FAT-1", "DW-DMG-2", "DW-HORDE-3", "DW-HORDE-16"),
    *("DW-QUAL-POWER-FIELD", "DW-ACT-FEINT", "DW-ACT-DELAY", "DW-QUAL-SNARE", "DW-ACT-GRAPPLE"),
)
def test_every_condition_comes_up(vesper):
    lines = told(vesper)
    for text in (
        "Brother Cato's Astartes Bolter (Godwyn) is jammed.",
        "Brother Cato's Astartes Bolter (Godwyn) is clear again.",
        "Brother Cato's Astartes Bolter (Godwyn): 28 of 28 rounds.",
        "Brother Rurik takes a full aim.",
        "Brother Ilario's Astartes Heavy Bolter is braced.",
        "Murn is in the kill zone of Brother Ilario.",
        "Brother Ilario ends overwatch.",
        "Skarr is pinned.",
        "Skarr is pinned no more.",
        "Warlord Gharn is stunned for 2 rounds.",
        "Warlord Gharn is stunned no more.",
        "Warlord Gharn is prone.",
        "Warlord Gharn stands.",
        "Dagg is on fire.",
        "Dagg may only run.",
        "Dagg burns no more.",
        "Brother Cato bleeds no more.",
        "Dagg: fatigue 2.",
        "Dagg: critical damage 1.",
        "Rabble loses 7 Magnitude; 5 left.",
        "Rabble breaks and runs.",
        "Dagg's Improvised is destroyed.",
        "Brother Teodor has fooled Warlord Gharn.",
        "Brother Anselm acts on the delay.",
        "Brother Rurik is held fast.",
        "Brother Rurik is free.",
        "Dagg is in a grapple with Brother Anselm.",
        "Warlord Gharn cannot evade until his next turn.",
    ):
        assert text in lines
