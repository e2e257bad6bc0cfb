"""Places, paths, lists and targets: one way to say them in all systems, and what ends asks first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.battle.store import open_battle
from battletape.cli import deciding
from battletape.errors import BadInput
from battletape.inputs import fields


@pytest.mark.parametrize("path", ["20,11; 20,14", "20,11 20,14", "x=20 y=11 ; x=20 y=14", "20, 11; x=20 y=14"])
def test_a_path_may_be_said_in_several_ways(path):
    order = Battle.new("vehicles5").plan("drive", unit="Anvil", path=path).order
    path_of: Any = order
    assert [(spot.x, spot.y) for spot in path_of.path] == [(20, 11), (20, 14)]
    (field,) = (field for field in fields(type(order)) if field.name == "path")
    assert field.show(path_of.path) == "20,11; 20,14"


def test_a_place_may_be_said_in_one_word():
    battle = Battle.new("second_edition")
    order: Any = battle.plan("move", unit="Levy 1", at="9.9, 13").order
    assert (order.x, order.y) == (9.9, 13)
    with pytest.raises(BadInput, match="at must be a place such as 14,16; got 'here'"):
        battle.plan("move", unit="Levy 1", at="here")


def test_a_place_is_a_path_of_one_leg_and_do_takes_it_bare(bt):
    for said in ({"x": 20, "y": 11}, {"at": "20,11"}):
        order: Any = Battle.new("vehicles5").plan("drive", unit="Anvil", **said).order
        assert [(spot.x, spot.y) for spot in order.path] == [(20, 11)]
    bt("battle", "new", "vehicles5")
    bt("battle", "do", "drive", "unit=Anvil", "20,11")
    params: Any = open_battle("battle.bt").battle.moves[-1].params
    assert [(spot.x, spot.y) for spot in params.path] == [(20, 11)]


@pytest.mark.parametrize("system", ["vehicles5", "diceless40k"])
def test_what_is_boarded_is_a_target_by_both_names(system):
    battle = Battle.new(system)
    card = battle.rules.action("embark")
    assert "target" in card.inputs.__struct_fields__
    for word in ("target", "machine"):
        refused = battle.refusal("embark", {"unit": battle.state.units[0].name, word: battle.state.units[0].name})
        assert refused is not None


def test_guns_may_be_all_and_are_printed_by_name(bt):
    bt("battle", "new", "vehicles5")
    bt("battle", "do", "end_phase")
    done = bt("battle", "do", "fire", "unit=Anvil", "target=Watch", "guns=Heavy stubber, right bolter", "--seed", "1")
    assert "guns='Heavy stubber ; right bolter'" in done.stdout
    bt("battle", "undo")
    bt("battle", "do", "fire", "unit=Anvil", "target=Watch", "guns=all", "--seed", "1")
    params: Any = open_battle("battle.bt").battle.moves[-1].params
    assert len(params.guns) > 1
    assert "gun=" not in bt("battle", "do", "--all").stdout


def test_a_phase_ends_only_if_the_player_is_sure(bt, monkeypatch):
    monkeypatch.setattr(deciding, "in_terminal", lambda: True)
    monkeypatch.setattr("battletape.cli.battle.act.in_terminal", lambda: True)
    bt("battle", "new", "vehicles5")
    before = Path("battle.bt").read_bytes()
    told = bt("battle", "do", "end_turn", input="n\n").stderr
    assert "Anvil, Barrow, Company, Sappers may still act. End the player turn all the same?" in told
    assert Path("battle.bt").read_bytes() == before
    bt("battle", "do", "end_turn", input="y\n")
    assert len(open_battle("battle.bt").battle.moves) == 1


def test_after_the_end_a_move_says_so(bt):
    bt("battle", "new", "attack_dice")
    for unit, hp in (("Hill raiders", 10), ("Bramble mammoth", 12)):
        bt("battle", "do", "lose_hp", f"unit={unit}", f"hp={hp}")
    assert (
        "The battle was over already: North holds the field."
        in bt("battle", "do", "lose_hp", "unit=Storm wardens", "hp=1").stdout
    )
