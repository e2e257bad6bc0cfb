"""A whole game of each system, as its page in docs/games shows it, is played to its end without a slip."""

from __future__ import annotations

from pathlib import Path

import pytest

from battletape.battle.store import open_battle
from battletape.registry import OURS
from tests.docs.games import GAMES, play
from tests.docs.pages import blocks
from tests.docs.session import reading

WRITTEN = sorted(path for path in GAMES.glob("*.md") if path.stem != "index")


def test_every_system_has_the_page_of_a_whole_game():
    assert {path.stem for path in WRITTEN} == set(OURS)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: path.stem)
def test_the_lines_of_a_page_play_a_game_to_its_end(page: Path, tmp_path: Path):
    with reading(tmp_path) as session:
        for block in blocks(page.read_text(encoding="utf-8")):
            shown = session.play(block)
    battle = open_battle(tmp_path / "game.bt").battle
    assert battle.ruleset.name == page.stem
    assert battle.over
    assert battle.check().moves == len(battle.record.moves)
    assert not any(word in shown[-1].got for word in ("there is no ", "Nothing was done", "Traceback", "(by default)"))


def test_a_newcomer_says_the_same_again():
    said, battle = play("attack_dice")
    again, other = play("attack_dice")
    assert said == again
    assert battle == other
    assert battle.over
