"""How a battle is set up and where its models stand: names, numbers, places, moves, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput
from tests.second_edition.battles import at, do, fight, notes, place, refused, unit


def bad(south: list[Any], north: list[Any] | None = None, **more: Any) -> str:
    """Why a battle cannot be set up like this."""
    with pytest.raises(BadInput) as caught:
        fight(south, north, **more)
    return str(caught.value)


@pytest.mark.clause("SE-10", "SE-39")
def test_bases_may_touch():
    assert fight([unit("Man", **at(20, 20)), unit("Boy", **at(21, 20))])


@pytest.mark.clause("SE-10")
def test_a_hundred_models_are_enough():
    crowd = unit("Crowd", models=99)
    battle = fight([crowd], [unit("Foe")])
    assert len(battle.state.fighters) == 100


@pytest.mark.clause("SE-117")
def test_profiles_are_written_out_with_armour_weapons_and_grenades():
    sides = [{"name": "A", "units": ["Harbour levy"]}, {"name": "B", "units": ["Bell wardens", "The Iron Matron"]}]
    battle = Battle.new("second_edition", {"sides": sides})
    levy, flamer = battle.state.fighter("Harbour levy 1"), battle.state.fighter("Harbour levy 10")
    assert (levy.model.save, levy.model.area_save, battle.state.field.footprints(levy.name)) == (6, 5, ())
    assert [arm.name for arm in flamer.weapons] == ["Flamer", "Frag grenade"]
    assert flamer.weapon("Flamer").template.name == "medium"
    warden = battle.state.fighter("Bell wardens 1")
    assert (warden.model.save_dice, warden.model.types) == ("2d6", ("terminator",))
    assert [arm.name for arm in battle.state.fighter("the iron matron").weapons] == ["Plasma pistol", "Force sword"]


@pytest.mark.clause("SE-117")
def test_a_model_that_moved_is_noted():
    battle = fight([unit("Man", **at(20, 20)), unit("Boy", **at(22, 20))])
    do(battle, "move", unit="Man", x=21, y=20)
    assert "moved" in notes(battle, "Man")


@pytest.mark.clause("SE-117", "SE-10")
def test_a_unit_moves_together():
    men = unit("Men", models=3, abreast=3, **at(20, 20))
    battle = fight([men, unit("Wall", **at(20, 24.4))])
    do(battle, "move_unit", unit="Men", heading=90, far=2)
    assert [round(place(battle, man.name).x, 3) for man in battle.state.squad("Men")] == [20.5, 22.0, 23.5]
    assert refused(battle, "move_unit", "SE-117", unit="Men", heading=90, far=1).kind == "moved"


def test_what_models_bring_from_earlier():
    wear = [{"model": 2, "lost": 1, "on_fire": "Flamer", "weapon": "Repeater", "jams": 2}]
    battle = fight([unit("Men", "Repeater", models=2, wounds=2, wear=wear)], [unit("Foe")])
    first, second = battle.state.squad("Men")
    assert (first.condition.wounds, first.is_burning, first.weapon("Repeater").state.jams) == (2, False, 0)
    assert (second.condition.wounds, second.is_burning, second.weapon("Repeater").state.jams) == (1, True, 2)
    assert battle.where["phase"] == "start of the turn"


def test_the_table_is_drawn_where_places_are_known():
    cloud = {"x": 30.0, "y": 30.0, "radius": 2.0}
    battle = fight([unit("Man", **at(20, 20)), unit("Boy")], [unit("Foe", **at(25, 20))], markers=[cloud])
    assert battle.picture is not None
    drawn: dict[str, Any] = {thing.name: thing for thing in battle.picture.things}
    assert len(drawn) == 3
    assert (drawn["Man"].tone, drawn["Foe"].tone) == ("acts", "target")
    assert (drawn["Foe"].base.centre.x, drawn["Foe"].side) == (25, battle.state.fighter("Foe").side)
    (marker,) = (thing for name, thing in drawn.items() if name not in ("Man", "Foe"))
    assert (marker.corners[0].x, marker.radius, marker.about) == (30, 2, "cloud")
    assert fight([unit("Man")], [unit("Foe")]).picture is None
