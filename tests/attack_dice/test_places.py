"""Places on the table: distances by the board, transports, losses, and the action `place`."""

from __future__ import annotations

from typing import Any

import pytest

from battletape import Battle
from battletape.battle.reading import read_battle
from battletape.errors import MissingInput
from tests.attack_dice.battles import CANNON, CARBINE, refusal, unit

FIRE: dict[str, Any] = {"unit": "Wardens", "weapon": "Carbine", "target": "Raiders"}


def on_a_board() -> Battle:
    north = [unit("Wardens", x=10, y=10, weapons=[CARBINE]), unit("Wagon", models=1, x=10, y=30, weapons=[CANNON])]
    sides = [{"name": "North", "units": north}, {"name": "South", "units": [unit("Raiders", x=10, y=40)]}]
    battle = Battle.new("attack_dice", {"sides": sides})
    battle.push("start")
    return battle


@pytest.mark.clause("AD-68")
def test_distance_by_the_board_refuses_a_target_out_of_range_until_the_unit_is_placed_nearer():
    battle = on_a_board()
    assert refusal(battle, "attack", **FIRE).startswith('the target is 28" away and the weapon reaches 24"')
    battle.push("place", unit="Wardens", x=10, y=20)
    assert battle.refusal("attack", **FIRE) is None
    assert "on the board, not 3 inches" in refusal(battle, "attack", **FIRE, distance=3)
    assert read_battle(battle.text).state == battle.state


@pytest.mark.clause("AD-65", "AD-68")
def test_passengers_are_measured_from_their_transport_and_disembark_without_a_place():
    battle = on_a_board()
    battle.push("embark", unit="Wardens", target="Wagon")
    assert battle.refusal("attack", **FIRE) is None
    assert refusal(battle, "place", unit="Wardens", x=20, y=20).startswith("Wardens is aboard Wagon")
    battle.push("disembark", unit="Wardens")
    assert battle.state.field.stand("Wardens").footprints == ()
    assert refusal(battle, "attack", **FIRE, distance=25).startswith('the target is 25" away')


@pytest.mark.clause("AD-68")
@pytest.mark.parametrize(("y", "there"), [(40, "on Raiders"), (0, "beyond the edge of the table")])
def test_place_where_no_model_can_stand_is_refused(y: int, there: str):
    assert refusal(on_a_board(), "place", unit="Wardens", x=10, y=y).startswith(
        f"models of Wardens would stand {there}"
    )


def test_place_without_a_point_asks_for_it():
    with pytest.raises(MissingInput, match="place needs x, y"):
        on_a_board().push("place", unit="Wardens")


@pytest.mark.clause("AD-80")
def test_casualties_leave_the_table_and_models_that_come_back_have_no_place():
    battle = on_a_board()
    battle.push("lose_hp", unit="Raiders", hp=2)
    assert len(battle.state.field.stand("Raiders").bases) == battle.state.unit("Raiders").models == 2
    battle.push("restore_hp", unit="Raiders", hp=2)
    assert battle.state.field.stand("Raiders").bases == ()
