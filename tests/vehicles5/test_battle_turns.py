"""The battle: setting up, phases and turns, files, random play, and a battle that uses every action."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.conformance.random_play import play_at_random
from battletape.errors import BadInput
from battletape.rulesets.vehicles5.battle.actions import ACTIONS
from battletape.rulesets.vehicles5.battle.state import State
from battletape.tape.script import Script
from tests.battle.battles import plain_end
from tests.vehicles5.battles import FAR, RULESET, battle, box, close_quarters, known, refused, vehicle

__all__ = ["known"]
GOLDEN = Path(__file__).parent / "golden" / "every_action.battle"
STEPS = st.lists(st.integers(0, 10**6), max_size=18)
pytestmark = pytest.mark.usefixtures("known")


@pytest.mark.clause("V5-CORE-16")
def test_phases_and_turns_follow_each_other():
    one = Battle.new(RULESET)
    seen = []
    for _ in range(7):
        seen.append(tuple(one.where.values()))
        one.push("end_phase")
    phases = ("movement", "shooting", "assault")
    assert seen == [
        *(("1", phase, "South") for phase in phases),
        *(("2", phase, "North") for phase in phases),
        ("3", "movement", "South"),
    ]


def test_a_battle_ends_with_its_turns_or_with_a_side():
    one = battle([vehicle("Tank", "Anvil battle tank", 10, 10)], [FAR], most_turns=1)
    one.push("end_turn")
    assert one.over == "The battle ends after 1 player turns"
    refused(one, "end_turn", "V5-CORE-16")
    won = battle([vehicle("Tank", "Longwatch destroyer", 20, 10)], [vehicle("Foe", "Ember cart", 20, 30, 180)])
    won.push("end_phase")
    guns = [{"gun": "Twin-linked lascannon"}]
    won.push("fire", unit="Tank", target="Foe", guns=guns, tape=Script(3, 6, 6, 1))
    assert won.over == "South holds the field"


@pytest.mark.clause("V5-DMG-1", "V5-CUMUL")
@pytest.mark.parametrize(("ruling", "until"), [("later_end", 2), ("adds_up", 4)])
def test_a_second_shaken_only_moves_the_end_unless_players_agree_otherwise(ruling, until):
    south = [vehicle("One", "Longwatch destroyer", 14, 10), vehicle("Two", "Longwatch destroyer", 26, 10)]
    north = [vehicle("Tank", "Anvil battle tank", 20, 34, 180)]
    one = battle(south, north, rulings={"repeated_shaken": ruling})
    one.push("end_phase")
    for name in ("One", "Two"):
        guns = [{"gun": "Twin-linked lascannon"}]
        one.push("fire", unit=name, target="Tank", guns=guns, tape=Script(3, 6, 1))
    assert one.state.vehicle("Tank").shaken_until == until


@pytest.mark.clause("V5-DMG-1")
@pytest.mark.parametrize(("ruling", "until"), [("next_turn", 3), ("this_turn", 1)])
def test_damage_in_ones_own_turn_lasts_by_the_ruling(ruling, until):
    tank = vehicle("Tank", "Ember cart", 20, 10, types=["tank"])
    one = battle(
        [tank], [vehicle("Foe", "Anvil battle tank", 20, 18, 180), FAR], rulings={"shaken_in_own_turn": ruling}
    )
    one.push("ram", unit="Tank", target="Foe", tape=Script(1, 6, 1))
    assert one.state.vehicle("Tank").shaken_until == until


def test_the_tables_show_everything():
    vehicles, squads, ground = Battle.new(RULESET).tables
    assert [row[0] for row in vehicles.rows] == ["Anvil", "Barrow", "Destroyer", "Strider", "Kingfisher"]
    assert vehicles.rows[1][-1] == "carries Sappers"
    assert [row[3] for row in squads.rows] == ["in Barrow", "32.0, 10.0", "37.0, 38.0"]
    assert [row[1] for row in ground.rows] == ["difficult", "difficult", "crater", "road"]


def test_a_state_comes_back_from_json():
    state = close_quarters().state
    assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state


def test_the_golden_battle_plays_nineteen_actions_and_replays():
    text = GOLDEN.read_text(encoding="utf-8")
    one = read_battle(text)
    assert len({move.action for move in one.moves}) == 19
    assert one.check().moves == len(one.moves)
    assert one.notes == ()
    assert plain_end(one.text) == plain_end(text)
    assert {unit.name for unit in one.state.units if unit.is_gone} == {"Thunder", "Kingfisher"}
    told = [line.text for number in range(1, len(one.moves) + 1) for line in one.move_record(number).lines]
    assert "Thunder explodes" in told
    assert "Ogre and Watch: locked in a fight" in told


def test_every_action_cites_clauses_that_exist_and_says_what_it_is_about():
    for action in ACTIONS:
        assert action.clauses
        assert all(one in RULESET.clauses.by_id for one in action.clauses)
    one = close_quarters()
    for option in one.options():
        about = option.action.about(one.state, option.params)
        assert about.get("unit", "") == getattr(option.params, "unit", "")


@settings(deadline=None, max_examples=12)
@given(STEPS)
def test_random_battles_replay_undo_redo_and_come_back_from_their_text(steps):
    one = close_quarters()
    play_at_random(one, steps)
    one.check()
    for text in (one.text, write_battle(one, checkpoint=True)):
        again = read_battle(text)
        assert again == one
        assert again.state == one.state
    before, moves = one.state, one.moves
    for _ in moves:
        one.pop()
    assert one.state == close_quarters().state
    for move in moves:
        assert one.redo() == move
    assert one.state == before
    for option in one.options():
        assert option.refused is None or (option.refused.reason and option.refused.clause in RULESET.clauses.by_id)


TANK = vehicle("Tank", "Anvil battle tank", 20, 10)


def wall(cover: int, top: float = 1.2) -> dict[str, Any]:
    """A wall that hides most of what stands behind it."""
    return {"name": "Wall", "kind": "impassable", "corners": box(15, 26, 25, 26.5), "top": top, "cover": cover}


@pytest.mark.clause("V5-CORE-4")
@pytest.mark.parametrize("cover", [1, 2])
def test_ground_gives_cover_of_three_at_best(cover):
    with pytest.raises(BadInput, match="must be 3 to 6, or 0 for none"):
        battle([TANK], [FAR], [wall(cover)])
