"""Whole battles at random, from set-up to the end, as `python -m benchmarks.whole_battles` plays many of them."""

from __future__ import annotations

import pytest

from battletape.battle import Battle
from battletape.errors import Refused
from battletape.registry import OURS
from benchmarks import whole_battles


@pytest.mark.parametrize("system", OURS)
def test_a_battle_of_each_system_is_played_to_its_end_without_trouble(system):
    battle, troubles = whole_battles.play(system, 1)
    assert troubles == []
    assert battle.over
    assert len(battle.moves) > 10


def test_what_is_offered_and_refused_is_found(monkeypatch):
    def refuse(self, option, **_):
        raise Refused("not today", "AD-67")

    monkeypatch.setattr(Battle, "push", refuse)
    _, troubles = whole_battles.play("attack_dice", 1)
    assert [trouble.partition(" is ")[2] for trouble in troubles] == ["offered, but: not today (AD-67)"]


def test_a_move_that_changes_nothing_and_a_dead_end_are_found(monkeypatch):
    monkeypatch.setattr(Battle, "push", lambda self, option, **_: None)
    monkeypatch.setattr(whole_battles, "MOST_MOVES", 2)
    _, troubles = whole_battles.play("attack_dice", 1)
    assert [trouble.partition(" is ")[2] for trouble in troubles] == ["offered, but changes nothing"] * 2
    monkeypatch.setattr(whole_battles, "chosen", lambda battle, luck: None)
    _, troubles = whole_battles.play("attack_dice", 1)
    assert troubles == ["after move 0 nothing can be done, and it is not over"]


def test_moves_that_cannot_be_made_again_are_found(monkeypatch):
    battle, troubles = whole_battles.play("attack_dice", 1)
    assert troubles == []
    monkeypatch.setattr(Battle, "redo", lambda self: None)
    assert list(whole_battles.back_and_forth(battle)) == ["with every move made again it is not as it was"]
