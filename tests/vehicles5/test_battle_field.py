"""The field of a battle: formations, zones, moves towards something, missions and their points, what the map says."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.battle.reading import read_battle
from battletape.errors import BadInput, Refused, UnknownName
from battletape.field.state import OFF
from battletape.table.distances import gap
from battletape.table.points import Point, apart
from battletape.tape.script import Script
from tests.vehicles5.battles import FAR, RULESET, battle, box, path, squad, to_phase, told, vehicle

TANK = vehicle("Tank", "Anvil battle tank", 20, 10)
FOE = vehicle("Foe", "Ember cart", 20, 27)
MEN = squad("Men", "Harbour watch", 10, 10, models=4)


def middles(one: Battle, name: str) -> list[Point]:
    """Where the models of a squad stand."""
    return [base.centre for base in one.state.bases(name)]


# --- set-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spacing", [0, 0.5, 1, 2])
def test_a_squad_may_be_spread(spacing: float):
    one = battle([{**MEN, "spacing": spacing, "abreast": 2}], [FAR])
    first, second, *_ = one.state.bases("Men")
    assert gap(first, second) == pytest.approx(spacing, abs=1e-4)
    assert f"spacing = {spacing}" in one.text or spacing == 0.5  # the usual spacing is not written


def test_models_may_be_set_up_one_by_one_or_in_a_ring():
    spots = [(10, 10), (11.5, 10), (10, 12), (12, 12)]
    one = battle([{**MEN, "spots": [{"x": x, "y": y} for x, y in spots]}], [FAR])
    assert middles(one, "Men") == [Point(x, y) for x, y in spots]
    assert read_battle(one.text, "", RULESET).state == one.state
    ring = battle([{**MEN, "formation": "ring"}], [FAR])
    centre = Point(10, 10)
    assert len({round(apart(middle, centre), 6) for middle in middles(ring, "Men")}) == 1


def test_a_start_without_options_of_formations_is_written_as_before():
    text = battle([MEN], [FAR]).text
    for name in ("formation", "spacing", "spots", "zone", "mission", "objectives", "turns ="):
        assert f"\n{name}" not in text
    assert "abreast = 5" in text


@pytest.mark.clause("V5-CORE-16")
@pytest.mark.parametrize(
    ("south", "more", "says"),
    [
        ({**MEN, "y": 13}, {"zone": 12}, "Men stands outside the deployment zone of South"),
        ({**MEN, "x": None}, {}, "Men needs a place"),
        ({**MEN, "spots": [{"x": 1, "y": 1}]}, {}, "there are 4, and 1 spots"),
    ],
)
def test_a_start_out_of_place_is_refused(south: Any, more: Any, says: str):
    with pytest.raises(BadInput, match=says):
        battle([south], [FAR], **more)


def test_a_skimmer_may_begin_in_impassable_terrain():
    rock = {"name": "Rock", "kind": "impassable", "corners": box(18, 8, 22, 12)}
    one = battle([vehicle("Heron", "Heron carrier", 20, 10)], [FAR], [rock])
    assert one.state.hull("Heron").centre == Point(20, 10)


# --- moves towards something ------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-CORE-9", "V5-CORE-19")
def test_a_squad_moves_towards_a_unit_as_far_as_it_may():
    one = battle([squad("Men", "Harbour watch", 20, 20, models=1)], [FOE])  # the front of the cart is at 25
    one.push("move_unit", unit="Men", towards="foe")
    between = one.state.field.footprints("Foe")[0]
    assert gap(one.state.bases("Men")[0], between) >= 1
    assert gap(one.state.bases("Men")[0], between) < 1.5 + 1e-9
    far = battle([squad("Men", "Harbour watch", 20, 10, models=1)], [FOE])
    far.push("move_unit", unit="Men", towards="Foe", inches=4)
    assert middles(far, "Men") == [Point(20, 14)]


@pytest.mark.clause("V5-CORE-9")
def test_a_squad_moves_into_terrain_and_onto_an_objective():
    wood = {"name": "Wood", "kind": "difficult", "corners": box(8, 12, 12, 16)}
    alone = squad("Men", "Harbour watch", 10, 10, models=1)
    one = battle([alone], [FAR], [wood], objectives=[{"name": "Well", "x": 12, "y": 10}])
    into = one.fork()
    into.push("move_unit", unit="Men", towards="wood", tape=Script(6, 2))
    assert middles(into, "Men") == [Point(10, 14)]
    one.push("move_unit", unit="Men", towards="Well")
    assert middles(one, "Men") == [Point(12, 10)]


@pytest.mark.clause("V5-MOVE-2", "V5-TERR-4", "V5-CORE-19")
def test_a_vehicle_drives_towards_a_unit_until_it_is_an_inch_away():
    one, short = battle([TANK], [FOE]), battle([TANK], [FOE])
    one.push("drive", unit="Tank", towards="Foe")
    assert 1 <= gap(one.state.hull("Tank"), one.state.hull("Foe")) < 1.5 + 1e-9
    short.push("drive", unit="Tank", towards="Foe", inches=3)
    assert (short.state.hull("Tank").centre.y, short.state.vehicle("Tank").done.band) == (13, "combat")


@pytest.mark.clause("V5-MOVE-1", "V5-CORE-9", "V5-TRAN-2")
def test_a_move_towards_what_is_here_or_unknown_is_refused():
    carrier = vehicle("Carrier", "Barrow carrier", 30, 10)
    inside = squad("Inside", "Harbour watch", 0, 0, models=4, aboard="Carrier")
    one = battle([TANK, carrier, inside], [FOE], objectives=[{"name": "Well", "x": 20, "y": 10}])
    for name, reason in (("Well", "Tank is at Well already"), ("Tank", "Tank is at Tank already")):
        with pytest.raises(Refused, match=reason):
            one.push("drive", unit="Tank", towards=name)
    with pytest.raises(UnknownName, match="Nowhere"):
        one.push("drive", unit="Tank", towards="Nowhere")
    assert one.state.hull("Tank").centre == Point(20, 10)


# --- missions ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-CORE-16")
def test_an_objective_is_held_and_a_loss_counts_and_the_mission_says_who_has_won():
    men = squad("Men", "Harbour watch", 12, 22, models=4)
    one = battle([men, TANK], [{**FOE, "y": 40}, FAR], mission="take and hold", turns=1)
    assert [objective.at for objective in one.state.field.objectives] == [Point(12, 24), Point(24, 24), Point(36, 24)]
    assert one.rules.points(one.state) == {"South": 1, "North": 0}
    for _ in range(2):
        one.push("end_turn")
    assert one.rules.over(one.state) == "The battle ends after 2 player turns; South won by 1 to 0 points"
    assert one.refusal("end_turn") is not None
    lost = to_phase(battle([TANK], [FOE, FAR], mission="annihilation"), "shooting")
    lost.push("fire", unit="Tank", target="Foe", guns=[{"gun": "Lascannon"}], tape=Script(6, 6, 6, 1))
    assert lost.rules.points(lost.state) == {"South": 1, "North": 0}
    assert lost.rules.over(lost.state) is None


@pytest.mark.clause("V5-CORE-16")
@pytest.mark.parametrize("most_turns", [1, 2, 3])
def test_a_battle_ends_after_its_last_player_turn_even_in_the_middle_of_a_turn(most_turns: int):
    one = battle([TANK], [FOE], most_turns=most_turns)
    for number in range(1, most_turns + 1):
        assert (one.rules.over(one.state), one.state.turn) == (None, number)
        one.push("end_turn")
    assert told(one) == [f"Player turn {most_turns} was the last"]
    assert one.rules.over(one.state) == f"The battle ends after {most_turns} player turns"
    assert "the battle is over" in str(one.refusal("end_phase"))


@pytest.mark.clause("V5-MOVE-2")
def test_a_vehicle_may_back_towards_something():
    one = battle([TANK], [FOE], objectives=[{"name": "Well", "x": 20, "y": 6}])
    one.push("drive", unit="Tank", towards="Well", reverse=True)
    assert (one.state.hull("Tank").centre, one.state.hull("Tank").heading) == (Point(20, 6), 0)


def test_a_battle_without_a_mission_has_no_points():
    one = battle([TANK], [FOE])
    assert one.rules.points(one.state) == {}
    assert one.state.max_turns == 12


def test_the_sample_is_a_game_with_zones_and_objectives():
    field = Battle.new("vehicles5").state.field
    assert [zone.side for zone in field.zones] == ["South", "North"]
    assert len(field.objectives) == 3
    assert {piece.kind for piece in field.terrain} == {"difficult", "crater", "road"}


# --- the field and the map ------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-CORE-8", "V5-CORE-20")
def test_a_unit_that_is_gone_has_no_place():
    one = to_phase(battle([TANK], [FOE, FAR]), "shooting")
    one.push("fire", unit="Tank", target="Foe", guns=[{"gun": "Lascannon"}], tape=Script(6, 6, 6, 1))
    position = one.state.field.position("Foe")
    assert (position.footprints, position.where) == ((), OFF)
    assert one.state.field.terrain[-1].name == "crater of Foe"
    assert [row[2] for row in one.tables[0].rows] == ["20.0, 10.0", "-", "44.0, 44.0"]


@pytest.mark.clause("V5-MOVE-2", "V5-CORE-9", "V5-LOS-1")
def test_the_map_shows_what_a_unit_reaches_in_its_phase():
    one = battle([TANK, MEN], [FOE])
    assert [(reach.name, reach.inches) for reach in one.rules.reaches(one.state, "Tank")] == [("moves 12″", 12)]
    assert [reach.inches for reach in one.rules.reaches(one.state, "Men")] == [6]
    one.push("drive", unit="Tank", path=path((20, 13)))
    assert one.rules.reaches(one.state, "Tank") == ()
    to_phase(one, "shooting")
    one.push("fire", unit="Tank", target="Foe", tape=Script(1, 1, 1, *[1] * 9))
    guns = one.rules.reaches(one.state, "Tank")
    assert [reach.name for reach in guns] == [
        f"{gun.label} {gun.weapons[0].range}″" for gun in one.state.vehicle("Tank").guns
    ]
    assert all(reach.mount is not None for reach in guns)
    assert one.rules.about(one.state) == {"Tank": "in order; fired at Foe", "Men": "", "Foe": "in order"}
