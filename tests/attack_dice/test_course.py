"""The course of a battle: setting up, activation in turn, the end, files and random play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import Battle, ruleset
from battletape._version import VERSION
from battletape.battle import BattleFault
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.battle.report import log_text, to_csv
from battletape.conformance.random_play import play_at_random
from battletape.inputs import fields
from battletape.rulesets.attack_dice.rulings import Rulings
from tests.attack_dice.battles import KNIFE, attack, ford, refusal, ruins, skirmish, started, unit
from tests.battle.battles import plain_end

GOLDEN = Path(__file__).parent / "golden"


# --- setting up -------------------------------------------------------------------------------------------------------


def test_units_come_from_profiles_and_are_written_out():
    sides = [
        {"name": "A", "units": ["storm wardens", {"profile": "Hill raiders", "name": "Foes", "hp": 3}]},
        {"name": "B", "units": ["name=Clerks models=2", unit("Guards", weapons=["Yew bow", "name=Stick power=2"])]},
    ]
    battle = Battle.new("attack_dice", {"sides": sides})
    state = battle.state
    assert [one.name for one in state.units] == ["Storm wardens", "Foes", "Clerks", "Guards"]
    assert state.unit("Storm wardens").ranks == ((6, 2), (1, 4))
    assert state.unit("Foes").ranks == ((5, 3),)
    carbine, *_ = state.unit("Storm wardens").weapons
    assert (carbine.name, carbine.models, carbine.attacks, carbine.power) == ("Storm carbine", 6, 2, 6)
    bow, stick = state.unit("Guards").weapons
    assert (bow.power, bow.range, stick.power) == (3, 20, 2)
    assert 'name = "Storm carbine"' in battle.text
    assert read_battle(battle.text).state == state


# --- turns ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("AD-82")
def test_sides_take_turns_unit_by_unit_and_a_new_turn_begins_when_all_have_acted():
    battle = started()
    order = []
    for name in ("Wardens", "Raiders", "Wagon", "Wolves"):
        order.append((battle.where["turn"], battle.where["side"]))
        battle.push("done", unit=name)
    assert order == [("1", "North"), ("1", "South"), ("1", "North"), ("1", "South")]
    assert battle.where == {"turn": "2", "phase": "activation", "side": "North"}
    assert not any(unit.done.activated or unit.done.fired for unit in battle.state.units)


@pytest.mark.clause("AD-82")
def test_another_unit_waits_until_an_activation_ends():
    battle = started()
    attack(battle, "Wardens", "Cannon", "Raiders")
    assert battle.where["phase"] == "Wardens acts"
    assert refusal(battle, "done", unit="Wagon") == "Wardens is acting; end its activation first (AD-82)"


@pytest.mark.clause("AD-82")
def test_a_side_with_fewer_units_waits_while_the_other_goes_on():
    battle = started()
    battle.push("lose_hp", unit="Wolves", hp=4)
    for name in ("Wardens", "Raiders"):
        battle.push("done", unit=name)
    assert battle.where["side"] == "North"
    battle.push("done", unit="Wagon")
    assert battle.where == {"turn": "2", "phase": "activation", "side": "North"}


@pytest.mark.clause("AD-80", "AD-82")
def test_a_side_that_cannot_act_any_more_passes_the_turn_on():
    battle = started()
    attack(battle, "Wagon", "Cannon", "Raiders")
    battle.push("done", unit="Wagon")
    battle.push("done", unit="Raiders")
    attack(battle, "Wardens", "Cannon", "Raiders")
    battle.push("lose_hp", unit="Wardens", hp=6)
    assert battle.where == {"turn": "1", "phase": "activation", "side": "South"}
    assert refusal(battle, "done", unit="Wagon") == "it is the turn of South; Wagon belongs to North (AD-82)"
    battle.push("done", unit="Wolves")
    assert battle.where == {"turn": "2", "phase": "activation", "side": "North"}


@pytest.mark.clause("AD-82")
def test_a_side_that_is_gone_before_the_start_does_not_begin():
    sides = [{"name": name, "units": [unit(f"{name} unit", weapons=[KNIFE])]} for name in ("A", "B", "C")]
    battle = Battle.new("attack_dice", {"sides": sides})
    battle.push("lose_hp", unit="A unit", hp=6)
    assert battle.where["side"] == "A"
    battle.push("start")
    assert battle.where["side"] == "B"
    assert battle.over is None
    assert battle.where["turn"] == "1"


@pytest.mark.clause("AD-80")
def test_the_battle_is_over_when_one_side_is_left():
    battle = started()
    assert battle.over is None
    for name, hp in (("Raiders", 6), ("Wolves", 4)):
        battle.push("lose_hp", unit=name, hp=hp)
    assert battle.over == "North holds the field"
    for name, hp in (("Wardens", 6), ("Wagon", 8)):
        battle.push("lose_hp", unit=name, hp=hp)
    assert battle.over == "Nobody is left"


def test_the_tables_show_how_the_sides_stand():
    battle = started()
    battle.push("engage", unit="Wardens", target="Raiders")
    battle.push("cover", unit="Wolves", stat="armour", amount=2)
    attack(battle, "Wardens", "Cannon", "Raiders")
    north, south = battle.tables
    assert (north.title, south.title) == ("North (to act)", "South")
    assert north.rows[0] == (
        "Wardens", "3/3", "6/6", "4", "5+", "-", "Melee M1, acting", "3 x Carbine, 1 x Cannon",
    )  # fmt: skip
    assert [row[1:3] + row[6:7] for row in south.rows] == [
        ("1/3", "2/6", "Melee M1"),
        ("4/4", "4/4", "cover +2 armour"),
    ]
    battle.push("leave", unit="Wardens")
    battle.push("done", unit="Wardens")
    battle.push("lose_hp", unit="Raiders", hp=2)
    battle.push("embark", unit="Wardens", target="Wagon")
    assert [row[6] for table in battle.tables for row in table.rows] == [
        "aboard Wagon, done", "", "gone", "cover +2 armour",
    ]  # fmt: skip


def test_the_sample_is_a_battle_that_can_be_played():
    battle = Battle.new("attack_dice")
    battle.push("start")
    options = [one for one in battle.legal() if one.action.name == "attack"]
    assert options
    for one in options:
        assert sum(battle.odds("attack", one.params).odds().fractions().values()) == 1


# --- files and luck ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "of"), [("ford.battle", lambda one: plain_end(one.text)), ("ford.log", log_text), ("ford.csv", to_csv)]
)
def test_the_golden_battle_stays_as_it_is(name: str, of: Any):
    golden = (GOLDEN / name).read_text(encoding="utf-8").replace("VERSION", VERSION)
    assert of(ford()) == golden
    assert of(read_battle(ford().text)) == golden


@pytest.mark.clause("AD-3")
def test_a_battle_from_the_time_of_other_default_dice_replays_as_it_was():
    """The file was written when dual was the default; as every file does, it states each ruling."""
    text = (GOLDEN / "dual.battle").read_text(encoding="utf-8").replace("VERSION", VERSION)
    battle = read_battle(text)
    assert battle.check().moves == len(battle.moves) == 4
    assert plain_end(battle.text) == text
    assert battle.agreed == battle.rulings == Rulings(dice="dual")
    assert "armour saves [4 x 1-6] = 2 4 4 5" in text
    assert battle.state.unit("Raiders").hp_lost == 1
    stated = [line.split(":")[0] for line in text.splitlines() if line.startswith("ruling ")]
    assert stated == [f"ruling {one.name}" for one in fields(Rulings)]


@pytest.mark.clause("AD-68")
def test_an_attack_of_an_earlier_version_without_a_distance_stays_made_and_a_note_says_so():
    text = (GOLDEN / "dual.battle").read_text(encoding="utf-8").replace("distance=12", "distance=none")
    battle = read_battle(text.replace("VERSION", "0.3.0"))
    assert battle.state.unit("Raiders").hp_lost == 1
    assert battle.notes == (
        'move 3 (attack) would be refused today: Carbine reaches 24", so name the distance to Raiders, '
        "such as distance=24 (AD-68)",
    )
    assert read_battle(battle.text) == battle
    with pytest.raises(BattleFault, match="name the distance to Raiders"):
        read_battle(text.replace("VERSION", VERSION))


def test_the_golden_battle_file_plays_eleven_actions_and_replays():
    text = (GOLDEN / "ford.battle").read_text(encoding="utf-8").replace("VERSION", VERSION)
    battle = read_battle(text)
    assert battle.opened == "replay"
    assert battle.state == ford().state
    assert battle.check().moves == len(battle.record.moves)
    assert plain_end(battle.text) == text
    assert len({move.action for move in battle.record.moves}) == 11
    assert battle.over == "North holds the field"


def test_the_golden_battle_on_a_table_replays_and_uses_its_actions():
    text = (GOLDEN / "ruins.battle").read_text(encoding="utf-8").replace("VERSION", VERSION)
    battle = read_battle(text)
    assert battle.state == ruins().state
    assert plain_end(battle.text) == text
    assert {"place", "move"} < {move.action for move in battle.record.moves}


STEPS = st.lists(st.integers(0, 10**6), max_size=25)
RULINGS = st.fixed_dictionaries(
    {one.name: st.sampled_from(one.choices) for one in fields(ruleset("attack_dice").rulings)}
)


@settings(max_examples=50, deadline=None)
@given(STEPS, RULINGS, st.booleans())
def test_random_battles_replay_undo_and_redo(steps: list[int], rulings: dict[str, str], small: bool):
    battle = skirmish(**rulings) if small else Battle.new("attack_dice", None, rulings)
    begin = battle.state
    battle.push("start")
    play_at_random(battle, steps)
    battle.check()
    for text in (battle.text, write_battle(battle, checkpoint=True)):
        again = read_battle(text)
        assert again == battle
        assert again.state == battle.state
        assert again.text == battle.text
    now, moves = battle.state, battle.moves
    for _ in moves:
        battle.pop()
    assert battle.state == begin
    for move in moves:
        assert battle.redo() == move
    assert battle.state == now


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 10**6), max_size=40))
def test_a_running_battle_always_has_a_unit_that_can_act(steps: list[int]):
    battle = started()
    play_at_random(battle, steps)
    state = battle.state
    for one in state.units:
        assert 0 <= one.hp_lost <= sum(models * hp for models, hp in one.ranks)
        assert not (one.is_gone and (one.melee or state.transport_of(one.name)))
        assert not one.melee or sum(other.melee == one.melee for other in state.units) >= 2
    if state.phase == "running" and battle.over is None:
        free = battle.legal()
        assert "done" in {option.action.name for option in free}


def test_after_the_end_nothing_is_left_to_do_but_corrections_by_hand():
    battle = started()
    for name, hp in (("Raiders", 6), ("Wolves", 4)):
        battle.push("lose_hp", unit=name, hp=hp)
    assert battle.over == "North holds the field"
    for action in battle.actions:
        if action.name not in ("lose_hp", "restore_hp", "agree"):
            named = {"unit": "Wardens"} if "unit" in action.inputs.__struct_fields__ else {}
            assert "the battle is over: North holds the field" in refusal(battle, action.name, **named)
    assert {option.action.name for option in battle.legal()} == {"lose_hp", "restore_hp"}
