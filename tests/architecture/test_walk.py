"""How many files of a ruleset one roll and one action pass: a reader of the rule has to open these and no others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from battletape import ruleset
from battletape.battle.reading import read_battle
from battletape.battle.replay import replay_move

TESTS = Path(__file__).parents[1]
SHORT = ("attack_dice", "vehicles5")
IN_A_ROLL = 12
IN_AN_ACTION = 16


def walk(name: str, run: Callable[[], Any]) -> list[str]:
    """The files of a ruleset whose functions a run calls, in the order in which it first comes to them."""
    package = f"battletape.rulesets.{name}"
    home = str(Path(sys.modules[package].__path__[0]))
    for module in [module for known, module in sys.modules.items() if known.startswith(package)]:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):  # what was worked out before would hide the files it came from
                value.cache_clear()
    passed: dict[str, None] = {}

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(home):
            passed[frame.f_code.co_filename[len(home) + 1 :]] = None

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return list(passed)


@pytest.mark.parametrize("name", SHORT)
def test_a_roll_passes_few_files(name: str) -> None:
    card = ruleset(name)
    for question in card.questions:
        files = walk(name, partial(card.roll, question.name, seed=1, **question.example))
        assert len(files) <= IN_A_ROLL, f"{question.name} passes {', '.join(files)}"


@pytest.mark.parametrize("name", SHORT)
def test_an_action_passes_few_files(name: str) -> None:
    for path in sorted((TESTS / name / "golden").glob("*.battle")):
        battle = read_battle(path.read_text(encoding="utf-8"), path.name, ruleset(name))
        for move in battle.moves:
            files = walk(name, partial(replay_move, battle.rules, move, battle.reach(move.follows)))
            assert len(files) <= IN_AN_ACTION, f"{path.stem}, {move.action} passes {', '.join(files)}"
