"""The field of a battle: places, sight and cover by terrain, moves towards something, what falls and what stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from battletape.battle import Battle
from battletape.battle.intents import intended, parse_intent
from battletape.battle.notation import CHECKPOINT
from battletape.battle.store import open_battle
from battletape.errors import BadInput
from battletape.field.setup import is_deployed
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.state import State
from tests.deathwatch.battles import FOE, SQUAD, battle, crowd, do, fighter, mob, place, refused, state, unit_named

SAMPLE = "Kill-team Vesper"
OLD = sorted((Path(__file__).parents[1] / "battle" / "old").glob("**/deathwatch*.battle"))


def as_then(state: State) -> dict[str, Any]:
    """Return what earlier versions kept beside the sheets: places and clouds."""
    places = {unit.name: (state.at(unit).x, state.at(unit).y) for unit in state.units}
    clouds = [
        (piece.kind, piece.corners[0].x, piece.corners[0].y, piece.radius, piece.rounds) for piece in state.clouds
    ]
    done = {unit.name: unit.done for unit in state.units}
    turn = {name: getattr(state, name) for name in ("round", "active", "most_rounds")} | {"order": state.clock.order}
    return {"places": places, "clouds": clouds, "done": done, "turn": turn}


@pytest.mark.parametrize("path", OLD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_old_battle_ends_with_everything_where_it_was(path):
    then = json.loads(path.read_text(encoding="utf-8").partition(CHECKPOINT)[2].split("\n")[1])
    now = as_then(open_battle(path).battle.state)
    assert now["turn"] == {name: then[name] for name in now["turn"]} | {"order": tuple(then["order"])}
    units = (*then["fighters"], *then["mobs"])
    assert now["places"] == {unit["name"]: (unit["x"], unit["y"]) for unit in units}
    for unit in units:
        known = {**unit, "actions": unit["actions_used"]} if "actions_used" in unit else unit
        done = json.loads(msgspec.json.encode(now["done"][unit["name"]]))
        assert {name: value for name, value in done.items() if known.get(name, value) != value} == {}
    assert now["clouds"] == [
        (cloud["kind"], cloud["x"], cloud["y"], cloud["radius"], cloud["rounds"]) for cloud in then["clouds"]
    ]


# --- terrain between two ----------------------------------------------------------------------------------------------

BOLTER = "Astartes Bolter (Godwyn)"


def wall(y: float = 10.5, **more: Any) -> dict[str, Any]:
    """A wall from west to east."""
    corners = [{"x": -8, "y": y}, {"x": 8, "y": y}, {"x": 8, "y": y + 0.5}, {"x": -8, "y": y + 0.5}]
    return {"name": "Wall", "corners": corners, "top": 1.2, "cover": "Sandbags", "hidden": ["body", "legs"], **more}


def across(wall_between: dict[str, Any], rulings: Any = None, **target: Any) -> Any:
    """Brother Cato and Skarr 12 m from each other, with this between them, close before Skarr."""
    skarr = fighter("Raider", 0, 12, name="Skarr", **target)
    return battle([fighter("Brother Cato")], [skarr], rulings, terrain=[wall_between])


def shoot(game: Any, *dice: Any, **more: Any) -> list[str]:
    return do(game, "shoot", *dice, weapon=BOLTER, target="Skarr", mode="single", **more)


@pytest.mark.clause("DW-COVER-1", "DW-COVER-2")
def test_terrain_covers_the_places_it_hides_with_its_ap():
    game = across(wall())
    told = shoot(game, 31, 9, 9, 2)  # 13: the right arm, over the wall
    assert "Skarr is behind Wall, AP 8" in told
    assert not any("cover 8" in line for line in told)
    game = across(wall())
    told = shoot(game, 34, 9, 9, 2)  # 43: the body
    assert any("cover 8" in line for line in told), told


@pytest.mark.clause("DW-COVER-1")
def test_what_players_say_of_cover_goes_before_terrain_and_blows_go_over_it():
    game = across(wall(), cover="16", hidden=["head"])
    told = shoot(game, 34, 9, 9, 2)
    assert not any("Wall" in line or "cover" in line for line in told)
    skarr = fighter("Raider", 0, 11.5, name="Skarr")
    game = battle([fighter("Brother Teodor", y=9.8)], [skarr], terrain=[wall()])
    told = do(game, "strike", 34, 5, 5, weapon="Astartes Chainsword", target="Skarr")
    assert not any("Wall" in line or "cover" in line for line in told)


@pytest.mark.clause("DW-COVER-1")
def test_terrain_wears_down_by_a_hit_above_its_ap_if_cover_does():
    for rulings, left in (({"cover_degrades": "yes"}, 7), (None, 8)):
        game = across(wall(), rulings)
        shoot(game, 34, 9, 9, 2)
        assert state(game).field.terrain_piece("Wall").cover == left
        assert unit_named(game, "Skarr").cover_ap == 0


@pytest.mark.clause("DW-COVER-1", "DW-HORDE-3")
def test_the_cover_of_a_horde_wears_down_in_a_battle():
    for rulings, left in (({"cover_degrades": "yes"}, 7), (None, 8)):
        game = battle([fighter("Brother Cato")], [mob(y=20, cover="8")], rulings)
        do(game, "shoot", 34, 9, 9, 2, 1, 1, 1, weapon=BOLTER, target="Raider mob", mode="single")
        assert crowd(game).cover_ap == left


@pytest.mark.clause("DW-SUMM-SHOOT_COMPLETELY_CONCEALED")
def test_what_terrain_hides_wholly_is_fired_at_as_concealed_or_not_at_all():
    game = across(wall(top=5, cover="Stone"))
    order = {"weapon": BOLTER, "target": "Skarr", "mode": "single"}
    refused(game, "shoot", "DW-SUMM-SHOOT_COMPLETELY_CONCEALED", "Brother Cato does not see Skarr", **order)
    assert all(option.action.name != "shoot" for option in game.legal())
    told = do(game, "shoot", 31, **order, situations=["shoot_completely_concealed"])
    assert any("needs 28 or less" in line for line in told), told
    assert game.refusal("shoot", **order, situations=["shoot_in_fog_mist_shadow_smoke"]) is not None
    beside = battle([fighter("Brother Cato", x=20)], [fighter("Raider", 20, 20, name="Skarr")], terrain=[wall(top=5)])
    assert beside.refusal("shoot", **order) is None


# --- moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-ACT-MOVE", "DW-MOVE-1")
def test_a_move_goes_towards_a_unit_terrain_or_an_objective_as_far_as_it_may():
    cache = {"name": "Cache", "x": 3, "y": 4, "reach": 2}
    for ends, order in (((0, 5), {"towards": "Skarr"}), ((0, 2), {"towards": "skarr", "metres": 2})):
        game = battle([fighter("Brother Cato")], [fighter("Raider", 0, 20, name="Skarr")])
        do(game, "move", **order, pace="half")
        assert place(game, "Brother Cato") == ends
    game = battle([fighter("Brother Cato")], [fighter("Raider", 0, 20, name="Skarr")], objectives=[cache])
    refused(game, "move", "DW-ACT-MOVE", "reaches 5 m, not 6 m", towards="Skarr", metres=6, pace="half")
    do(game, "move", towards="Cache", pace="half")
    assert place(game, "Brother Cato") == (3, 4)
    assert game.holders == {"Cache": SQUAD}
    again = battle([fighter("Brother Cato", 3, 4)], [fighter("Raider", 0, 20, name="Skarr")], objectives=[cache])
    refused(again, "move", "DW-MOVE-1", "is there already", towards="Cache", pace="half")
    assert "towards=Cache" in game.text
    assert "metres=" not in game.text


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("3 towards Skarr", {"towards": "Skarr", "metres": 3.0}),
        ("4m into the wall", {"towards": "Wall", "metres": 4.0}),
        ("towards skarr", {"towards": "Skarr"}),
        ("2 north", {"x": 0.0, "y": 2.0}),
    ],
)
def test_a_move_as_players_say_it_is_an_order_in_metres(said, order):
    game, intent = across(wall()), parse_intent(said)
    assert intent is not None
    meant = intended(game.rules, game.rules.action("move"), game.state, "Brother Cato", intent)
    assert meant == {"unit": "Brother Cato", **order}
    assert game.refusal("move", **meant) is None


@pytest.mark.clause("DW-ACT-MOVE")
def test_a_move_towards_a_unit_ends_where_it_can_be_struck():
    for foe in (fighter("Raider", 0, 7, name="Skarr"), mob(y=7)):
        game = battle([fighter("Brother Teodor")], [foe])
        name = "Skarr" if "name" in foe else "Raider mob"
        do(game, "move", towards=name, pace="full")
        assert state(game).is_adjacent(unit_named(game, "Brother Teodor"), state(game).find(name))


@pytest.mark.clause("DW-MOVE-1")
def test_edges_and_impassable_terrain_bar_a_move_and_a_charge():
    rock = wall(4, impassable=True, cover="", top=0)
    game = battle(
        [fighter("Brother Cato", 5, 1)], [fighter("Raider", 5, 9, name="Skarr")], terrain=[rock], width=30, depth=30
    )
    refused(game, "move", "DW-MOVE-1", "into Wall, which is impassable", x=5, y=6, pace="full")
    refused(game, "move", "DW-MOVE-1", "beyond the edge", x=5, y=0, pace="half")
    refused(game, "strike", "DW-MOVE-1", "into Wall", target="Skarr", how="charge", weapon="fists")
    do(game, "move", towards="Skarr", pace="half")
    assert 3 <= place(game, "Brother Cato")[1] <= 3.5  # as near as there is room
    refused(game, "place", "DW-MOVE-1", "which is impassable", unit="Skarr", x=5, y=4.5)
    do(game, "place", unit="Skarr", x=20, y=20)
    assert place(game, "Skarr") == (20, 20)


def test_a_start_beyond_the_edge_or_in_a_rock_is_refused():
    for more in ({"width": 30, "depth": 30}, {"terrain": [wall(-0.5, impassable=True)]}):
        with pytest.raises(BadInput, match="Brother Cato"):
            battle([fighter("Brother Cato")], [fighter("Raider", 5, 20)], **more)


# --- who falls, and what is held --------------------------------------------------------------------------------------


@pytest.mark.clause("DW-DMG-4", "DW-CRIT-2")
def test_the_dead_lie_where_they_fell_and_bar_nothing():
    game = across(wall())
    do(game, "wound", unit="Skarr", damage="99", place="head")
    assert state(game).field.position("Skarr").bases == ()
    assert place(game, "Skarr") == (0, 12)
    assert [piece.kind for piece in state(game).field.terrain] == ["", "fallen"]
    do(game, "wound", unit="Skarr", damage="1", within="30", spares=True, place="body")
    assert unit_named(game, "Brother Cato").health == 20


def test_points_are_counted_by_the_mission_and_decide_the_battle():
    cache = {"name": "Cache", "x": 0, "y": 20, "reach": 3}
    ours, theirs = [fighter("Brother Cato")], [fighter("Raider", 0, 20, name="Skarr")]
    game = battle(ours, theirs, mission="king of the hill", objectives=[cache], turns=1)
    assert (game.points, game.holders) == ({SQUAD: 0, FOE: 1}, {"Cache": FOE})
    asleep = battle(ours, theirs, mission="king of the hill", objectives=[cache])
    do(asleep, "condition", unit="Skarr", what="fatigue", rounds=20)
    assert asleep.holders == {"Cache": ""}
    game.push("end_turn", tape=1)
    game.push("end_turn", tape=1)
    assert game.over == f"{FOE} won by 1 to 0 points"
    assert battle(ours, theirs).points == {}


def test_a_mission_without_anything_to_hold_is_refused():
    with pytest.raises(BadInput, match="king of the hill needs objectives, or a table"):
        battle([fighter("Brother Cato")], [fighter("Raider", 0, 20)], mission="king of the hill")
    assert battle([fighter("Brother Cato")], [fighter("Raider", 0, 20)], mission="annihilation").points


def test_the_sample_is_a_game_on_a_table_with_an_objective():
    game = Battle.new(RULESET)
    assert (game.points, game.holders) == ({SAMPLE: 0, FOE: 0}, {"Vox relay": ""})
    assert all(is_deployed(game.state.field, position) for position in game.state.field.positions)
