"""One door for distance, facing, sight and cover: by the board, or as players claim."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battletape.errors import Refused, pardoning
from battletape.field.measure import ASLANT, Claim, distance, look_from, measure
from battletape.field.sight import eyes_of, hidden_cover, is_in_sight, screens, sees, terrain_cover
from battletape.field.state import ABOARD, Battlefield, TerrainPiece
from battletape.rulebook import replace
from battletape.table.areas import rectangle
from battletape.table.bases import Base
from battletape.table.hulls import Hull, corners
from battletape.table.points import Point, between
from battletape.table.sight import Eye
from tests.field.fields import BARE, FIELD, TANK, UNITS, field_of, placed, position_of

HILL = TerrainPiece("Hill", "difficult", rectangle(-3, -3, 3, 3).outline, cover=4)
RUIN = TerrainPiece("Ruin", "difficult", rectangle(-3, -3, 3, 3).outline, cover=2)


def test_board_and_players_give_the_same_numbers():
    shown = measure(FIELD, "Squad", "Tank")
    assert (shown.distance, shown.facing, shown.sees, shown.by) == (12.5, "front", False, "board")
    claimed = measure(BARE, "Squad", "Tank", Claim(distance=12.5))
    assert (claimed.distance, claimed.facing, claimed.angle) == (12.5, "front", ASLANT)
    assert (claimed.sees, claimed.cover, claimed.by) == (True, 0, "players")


def test_players_overrule_the_board_in_sight_and_cover():
    claimed = measure(FIELD, "Squad", "Tank", Claim(sees=True, cover=5))
    assert (claimed.sees, claimed.cover, claimed.covered_by) == (True, 5, "")


@pytest.mark.parametrize(
    "field, claim, reason",
    [
        (BARE, Claim(), "say distance=…"),
        (FIELD, Claim(distance=20), "Tank is 12.5 inches from Squad on the board, not 20 inches"),
        (FIELD, Claim(facing="rear"), "Squad looks at the front of Tank, not at the rear"),
    ],
)
def test_what_contradicts_the_board_is_refused(field, claim, reason):
    with pytest.raises(Refused, match=reason) as refused:
        measure(field, "Squad", "Tank", claim, {"distance": "X-1", "facing": "X-1"})
    assert refused.value.clause == "X-1"


def test_a_distance_may_be_rounded_and_the_board_keeps_its_number():
    assert measure(FIELD, "Squad", "Tank", Claim(distance=13)).distance == 12.5
    assert measure(BARE, "Squad", "Tank", unstated=7).distance == 7


def test_characters_count_as_part_of_the_unit():
    hero = placed("Hero", "South", (20.5, 15))
    field = field_of(*FIELD.positions, hero)
    assert measure(field, "Squad", "Tank", company=(("Hero",), ())).distance == 2.5


def test_a_contradiction_that_an_earlier_version_allowed_is_measured_as_the_players_said():
    with pardoning() as pardoned:
        shown = measure(FIELD, "Squad", "Tank", Claim(distance=20))
    assert (shown.distance, [refused.kind for refused in pardoned]) == (20, ["distance"])


def test_a_passenger_measures_from_its_transport():
    field = field_of(*FIELD.positions, placed("Raiders", "North", (40, 20)))
    assert distance(field.off_table("Squad", ABOARD, "Tank"), "Squad", "Raiders") == distance(field, "Tank", "Raiders")
    assert distance(field.off_table("Raiders"), "Squad", "Raiders") is None


def test_a_field_may_measure_between_middles_and_rounds_as_places_are_written():
    apart = (placed("A", "South", (0.1, 0), radius=3), placed("B", "North", (0.1, 0.3), (0.1, 2.1), radius=0.5))
    field = replace(field_of(*apart), between="middles")
    assert distance(field, "A", "B") == measure(field, "A", "B").distance == 0.3
    assert distance(field_of(*apart), "A", "B") == 0
    assert field.without_places.between == "middles"


@given(UNITS, UNITS)
def test_distance_is_symmetric_and_agrees_with_points_on_the_rims(unit, other):
    field = field_of(position_of("A", "South", unit), position_of("B", "North", other))
    there, back = distance(field, "A", "B"), distance(field, "B", "A")
    assert there is not None
    assert there == pytest.approx(back, abs=1e-9)
    sampled = min(
        ((p.x - q.x) ** 2 + (p.y - q.y) ** 2) ** 0.5
        for one in unit
        for another in other
        for p in rim(one)
        for q in rim(another)
    )
    assert there <= sampled + 1e-9
    if there > 0:  # one that stands in the other has its rim elsewhere
        assert sampled <= there + 0.5


def rim(footprint: Base | Hull) -> list[Point]:
    """Points on the rim, at most half an inch apart."""
    if isinstance(footprint, Base):
        middle, radius = footprint.centre, footprint.radius
        turns = [2 * pi * at / 30 for at in range(30)]
        return [Point(middle.x + radius * sin(turn), middle.y + radius * cos(turn)) for turn in turns]
    around = [*corners(footprint), corners(footprint)[0]]
    return [between(a, b, at / 28) for a, b in pairwise(around) for at in range(28)]


# --- sight and cover --------------------------------------------------------------------------------------------------


def test_a_wall_hides_a_tank_and_covers_it_if_it_is_low():
    squad, tank = FIELD.position("Squad"), FIELD.position("Tank")
    assert not is_in_sight(FIELD, squad, tank)
    low = FIELD.with_terrain(TerrainPiece("Wall", "", rectangle(10, 12, 30, 13).outline, top=1.5, cover=3))
    assert is_in_sight(low, squad, tank)
    assert measure(low, "Squad", "Tank").covered_by == "Wall"
    assert measure(low, "Squad", "Tank").cover == 3


def test_a_single_eye_sees_what_no_wall_hides_from_it():
    eye, aside = Eye(Point(20.5, 5), 1.0), Eye(Point(50, 16), 1.0)
    assert not sees(FIELD, eye, "Squad", "Tank")
    assert sees(FIELD, aside, "Squad", "Tank")
    assert sees(FIELD, Eye(Point(20.5, 5), 20.0), "Squad", "Tank")
    assert [screen.cover for screen in screens(FIELD, eye, "Squad", "Tank")] == [(3, "Wall")]
    assert screens(FIELD, aside, "Squad", "Tank")  # the box around eye and target holds the wall
    assert is_in_sight(FIELD, placed("Squad", "South", (50, 16)), TANK)


@given(st.sampled_from(["save", "bonus"]), st.permutations([HILL, RUIN]))
def test_the_best_cover_is_the_lowest_save_or_the_highest_bonus(cover_is, terrain):
    squad = placed("Squad", "South", (0, 0), (1, 0), (9, 9))
    field = Battlefield[TerrainPiece](sides=("South",), positions=(squad,), terrain=tuple(terrain), cover_is=cover_is)
    assert terrain_cover(field, squad) == ((2, "Ruin") if cover_is == "save" else (4, "Hill"))


def test_terrain_covers_a_unit_if_most_of_it_stands_there():
    half = placed("Squad", "South", (0, 0), (9, 9))
    assert terrain_cover(field_of(half, terrain=(HILL,)), half) == (0, "")
    edge = placed("Squad", "South", (3.2, 0))
    assert terrain_cover(field_of(edge, terrain=(HILL,)), edge).worth == 4
    assert terrain_cover(field_of(edge, terrain=(HILL,)), edge, "middles").worth == 0


def test_a_hull_hides_others_only_if_it_gives_cover():
    far = placed("Far", "North", (20.5, 30))
    field = field_of(FIELD.position("Squad"), TANK, far)
    eyes = eyes_of(field.position("Squad"))
    assert hidden_cover(field, eyes, "Squad", "Far") == (4, "Tank")
    bare = field.with_positions(TANK.__class__("Tank", "North", hulls=TANK.hulls, top=2.0))
    assert hidden_cover(bare, eyes, "Squad", "Far") == (0, "")


def test_a_hull_is_looked_at_at_an_angle():
    tank = Hull(Point(0, 0), 0, length=6, width=4)
    assert look_from(Point(0, 10), tank) == ("front", 0)
    assert look_from(Point(-10, 0), tank) == ("side", 0)
    assert look_from(Point(0, -10), tank) == ("rear", 0)
    face, angle = look_from(Point(7, 10), tank)
    assert (face, angle) == ("front", pytest.approx(45))  # seven inches aside of the middle of its face, seven away
