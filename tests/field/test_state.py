"""The field and copies of it with changes: places, losses, units off the table, terrain that comes and goes."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battletape.errors import UnknownName
from battletape.field.state import ABOARD, OFF, RESERVE, Battlefield, Position, TerrainPiece
from battletape.rulebook import replace
from battletape.table.areas import rectangle
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import Point
from tests.field.fields import BARE, FIELD, SQUAD, TANK, UNITS, field_of, placed, position_of


class Ruin(TerrainPiece, frozen=True):
    """Terrain of a system, with a number of its own."""

    floors: int = 0


def test_a_unit_is_found_by_its_name_in_any_case():
    assert FIELD.position("squad") is SQUAD
    with pytest.raises(UnknownName, match="Tank"):
        FIELD.position("Tanc")


@given(st.lists(UNITS, max_size=4), st.integers(0, 5), st.integers(0, 3))
def test_losses_keep_the_count_and_the_first_models(units, count, which):
    field = Battlefield[TerrainPiece](
        sides=("A",), positions=tuple(position_of(str(at), "A", unit) for at, unit in enumerate(units))
    )
    for at, unit in enumerate(units):
        left = field.with_models(str(at), count).position(str(at))
        before = field.position(str(at))
        assert left.bases == before.bases[: min(count, len(before.bases))]
        assert left.hulls == before.hulls[: min(count, len(before.hulls))]
        without = field.without_models(str(at), {which}).position(str(at))
        assert len(without.footprints) == len(before.footprints) - (which < len(before.footprints))
        assert field.with_models(str(at), len(unit)) is field


def test_other_units_stay_where_they_are():
    moved = FIELD.with_place("Squad", *placed("Squad", "South", (1, 1)).bases)
    assert moved.position("Tank") is TANK
    assert FIELD.position("Squad") is SQUAD


def test_base_and_hull_of_a_walker_keep_together():
    base, hull = Base(Point(4, 4), 1.2), Hull(Point(4, 4), 90.0, 2, 2)
    walker = Position("Walker", "South", (base,), (hull,))
    field = field_of(walker)
    there = Point(9, 5)
    moved = field.with_place("Walker", replace(base, centre=there)).position("Walker")
    assert (moved.bases, moved.hulls) == ((Base(there, 1.2),), (Hull(there, 90.0, 2, 2),))
    turned = field.with_place("Walker", Hull(there, 180.0, 2, 2)).position("Walker")
    assert (turned.bases, turned.hulls) == ((Base(there, 1.2),), (Hull(there, 180.0, 2, 2),))
    assert field.with_place("Walker").position("Walker").footprints == ()


def test_a_unit_off_the_table_has_no_footprints_and_passengers_measure_from_their_transport():
    aboard = FIELD.off_table("Squad", ABOARD, "Tank")
    assert aboard.position("Squad").footprints == ()
    assert aboard.passengers("Tank") == (aboard.position("Squad"),)
    assert aboard.measured_from("Squad") is aboard.position("Tank")
    assert [each.name for each in aboard.on_table()] == ["Tank"]
    back = aboard.with_place("Squad", *SQUAD.bases)
    assert back == FIELD
    assert FIELD.off_table("Squad", RESERVE).waiting("South") == (Position("Squad", "South", where=RESERVE),)
    assert FIELD.off_table("Squad").position("Squad").where == OFF


def test_a_piece_of_terrain_takes_the_place_of_one_with_its_name():
    wreck = TerrainPiece("wreck of Tank", "wreck", rectangle(19, 18, 22, 22).outline, top=2.0, cover=4)
    after = FIELD.off_table("Tank").with_terrain(wreck)
    assert [piece.name for piece in after.terrain] == ["Wall", "wreck of Tank"]
    flat = msgspec.structs.replace(wreck, top=0.0)
    assert after.with_terrain(flat).terrain == (FIELD.terrain[0], flat)
    assert after.without_terrain("wreck of Tank", "Wall").terrain == ()


def test_without_places_it_tells_sides_and_units_only():
    far = FIELD.with_place("Tank").with_models("Squad", 1)
    assert FIELD.without_places == far.without_places == BARE
    assert FIELD.off_table("Squad", ABOARD, "Tank").without_places != BARE


def test_a_field_comes_back_from_json_with_the_terrain_of_its_system():
    field = Battlefield[Ruin](sides=("A", "B"), positions=(SQUAD, TANK), terrain=(Ruin("Tower", floors=3),))
    assert msgspec.json.decode(msgspec.json.encode(field), type=Battlefield[Ruin]) == field
    assert hash(field) == hash(msgspec.structs.replace(field))


def test_home_edges_follow_the_order_of_play():
    field = Battlefield[TerrainPiece](sides=("A", "B", "C", "D", "E"))
    assert [field.home_edge(side) for side in field.sides] == ["south", "north", "west", "east", "south"]
