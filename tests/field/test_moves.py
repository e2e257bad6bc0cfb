"""Paths, the terrain on them, what bars them, and room at their end: as brute force by small steps finds them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from battletape.errors import Refused, UnknownName
from battletape.field import contact, moves, setup
from battletape.field.state import Battlefield, Objective, Position, TerrainPiece
from battletape.rulebook import replace
from battletape.table.areas import is_inside, rectangle
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.distances import gap, is_coherent, is_within, overlaps
from battletape.table.hulls import Hull, in_frame, on_table
from battletape.table.paths import driven_through
from battletape.table.points import Point, apart, step, towards
from tests.field.fields import FIELD, SQUAD, TANK, UNITS, WALL, WOODS, field_of, placed, position_of
from tests.table.shapes import BASES, HEADINGS, HULLS, POINTS, numbers

STEP = 0.05  # inches of brute force
SWAMP = TerrainPiece("Swamp", "difficult", rectangle(18, 7, 20, 9).outline)


def inside(footprint: Base | Hull) -> list[Point]:
    """Points all over a footprint."""
    shares = [at / 8 for at in range(-8, 9)]
    if isinstance(footprint, Base):
        middle, radius = footprint.centre, 0.999 * footprint.radius
        grid = (
            Point(middle.x + radius * x, middle.y + radius * y)
            for x, y in product(shares, shares)
            if x * x + y * y <= 1
        )
        return list(grid)
    long, wide = 0.4995 * footprint.length, 0.4995 * footprint.width
    return [on_table(footprint, long * x, wide * y) for x, y in product(shares, shares)]


def holds(footprint: Base | Hull, point: Point) -> bool:
    """Return whether a point lies well inside a footprint."""
    if isinstance(footprint, Base):
        return apart(footprint.centre, point) < footprint.radius - 1e-6
    ahead, right = in_frame(footprint, point)
    return abs(ahead) < footprint.length / 2 - 1e-6 and abs(right) < footprint.width / 2 - 1e-6


# --- paths ------------------------------------------------------------------------------------------------------------


def test_a_formation_goes_side_by_side():
    paths = moves.in_formation(SQUAD.bases, (Point(19, 8), Point(20, 8)))
    assert [path[-1] for path in paths] == [Point(20, 8), Point(21.5, 8), Point(23, 8)]
    assert moves.longest(paths) == 4
    ends = moves.ends_of(SQUAD.bases, paths, 3.5)
    assert ends[0].centre == Point(19.5, 8)


def test_the_first_model_of_a_formation_arrives_exactly_where_it_is_to_go():
    base = Base(Point(0.1, 1.1), 0.5)
    assert base.centre.y + (7.05 - base.centre.y) != 7.05
    assert moves.in_formation((base,), (Point(0.1, 7.05),)) == ((base.centre, Point(0.1, 7.05)),)


@given(UNITS, HEADINGS, numbers(0, 8), POINTS)
def test_no_path_is_longer_than_it_was_asked_to_be(unit, heading, inches, goal):
    for paths in (
        moves.straight_paths(unit, heading, inches),
        moves.paths_to(unit, goal, inches),
        moves.paths_away(unit, goal, inches),
    ):
        assert moves.longest(paths) <= inches + 1e-9
        ends = moves.ends_of(tuple(unit), tuple(paths))
        assert [end.centre for end in ends] == [path[-1] for path in paths]


@given(st.lists(BASES, min_size=1, max_size=4).map(tuple), UNITS, numbers(0, 20))
def test_going_towards_others_ends_nearer_and_never_in_them(unit, others, inches):
    before = min(gap(a, b) for a in unit for b in others)
    ends = moves.ends_of(unit, moves.paths_towards(unit, others, inches))
    after = min(gap(a, b) for a in ends for b in others)
    if before > 0.01:
        assert after <= before + 1e-6
        nearest = min(unit, key=lambda base: min(gap(base, other) for other in others))
        moved = replace(nearest, centre=ends[unit.index(nearest)].centre)
        assert min(gap(moved, other) for other in others) == pytest.approx(max(0.0, before - inches), abs=1e-6)


def test_the_way_away_from_a_place_leads_straight_from_it():
    (path,) = moves.paths_away(SQUAD.bases[:1], Point(19, 1), 4)
    assert path[-1] == Point(19, 9)
    (north,) = moves.paths_away(SQUAD.bases[:1], SQUAD.bases[0].centre, 4)
    assert north[-1] == Point(19, 9)


# --- terrain on the way -----------------------------------------------------------------------------------------------


@given(st.lists(BASES, min_size=1, max_size=3).map(tuple), HEADINGS, numbers(0.5, 12), WOODS)
def test_crossings_agree_with_small_steps(unit, heading, inches, wood):
    field = field_of(terrain=(wood,))
    paths = moves.straight_paths(unit, heading, inches)
    for by in ("middles", "bases"):
        found = moves.crossings(field, unit, paths, by)
        spans = found[0].spans if found else ((),) * len(unit)
        for base, stretches in zip(unit, spans, strict=True):
            told = sum(end - start for start, end in stretches)
            steps = [step(base.centre, heading, at * STEP) for at in range(int(inches / STEP) + 1)]
            there = [
                is_inside(wood.shape, point) if by == "middles" else overlaps(replace(base, centre=point), wood.shape)
                for point in steps
            ]
            assert told == pytest.approx(STEP * sum(there), abs=3 * STEP)


def test_a_crossing_tells_which_models_go_through_it():
    field = field_of(SQUAD, terrain=(SWAMP,))
    paths = moves.straight_paths(SQUAD.bases, 0, 6)
    (crossing,) = moves.crossings(field, SQUAD.bases, paths, "middles")
    assert (crossing.crossed_by, crossing.inches) == ((0,), 2)
    assert (crossing.starts, crossing.ends) == ((False,) * 3, (False,) * 3)
    (wider,) = moves.crossings(field, SQUAD.bases, paths, "bases")
    assert wider.crossed_by == (0,)
    assert wider.inches == pytest.approx(3)
    assert moves.crossings(field, SQUAD.bases, moves.straight_paths(SQUAD.bases, 180, 4), "bases") == ()


# --- what bars the way ------------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(BASES, HEADINGS, numbers(0.5, 12), UNITS, st.sampled_from([0.0, 1.0]))
def test_enemies_bar_a_way_as_small_steps_find_it(base, heading, inches, others, clear):
    assume(min(gap(base, other) for other in others) >= clear + 1e-6)
    field = field_of(position_of("Us", "South", (base,)), position_of("Them", "North", others))
    paths = moves.straight_paths((base,), heading, inches)
    nearest = min(
        gap(replace(base, centre=step(base.centre, heading, at * STEP)), other)
        for other in others
        for at in range(int(inches / STEP) + 1)
    )
    found = moves.barred(field, (base,), paths, "South", "Us", clear=clear)
    if found is not None:
        assert (found.by, found.name, found.at) == ("enemy", "Them", 0)
        assert nearest < clear + STEP
    elif clear:
        assert nearest >= clear - 1e-6
    else:  # a way through a model is seen from its middle
        path = [step(base.centre, heading, at * STEP) for at in range(int(inches / STEP) + 1)]
        assert not any(holds(other, point) for other in others for point in path)


def test_friends_and_fliers_are_passed_and_hulls_are_not():
    paths = moves.straight_paths(SQUAD.bases, 0, 16)
    near = placed("Near", "South", (19, 8))

    def found(other: Position, clear: float | None = 1.0) -> moves.Obstacle | None:
        return moves.barred(field_of(SQUAD, other), SQUAD.bases, paths, "South", "Squad", clear=clear)

    assert found(near) is None
    assert found(replace(TANK, side="South")) == moves.Obstacle("model", "Tank")
    assert found(replace(near, side="North")) == moves.Obstacle("enemy", "Near")
    assert found(replace(near, side="North"), clear=None) is None
    assert moves.barred(FIELD, SQUAD.bases, paths, "South", "Squad", "Tank", by="bases") == moves.Obstacle(
        "terrain", "Wall"
    )


def test_a_unit_may_leave_an_enemy_that_is_too_near_but_not_pass_through_it():
    foes = placed("Foes", "North", (19, 6.2))
    field = field_of(SQUAD, foes)
    assert moves.barred(field, SQUAD.bases, moves.straight_paths(SQUAD.bases, 180, 4), "South", "Squad") is None
    assert moves.barred(field, SQUAD.bases, moves.straight_paths(SQUAD.bases, 0, 4), "South", "Squad") is not None


def test_a_hull_turns_into_its_way_and_meets_what_is_there():
    hull = Hull(Point(0, 0), 0.0, 4, 3)
    field = field_of(position_of("Car", "South", (hull,)), placed("Foes", "North", (0, 10)))
    assert moves.barred(field, (hull,), ((hull.centre, Point(0, 12)),), "South", "Car") is not None
    assert moves.barred(field, (hull,), ((hull.centre, Point(12, 0)),), "South", "Car") is None


def test_a_hull_that_turns_is_in_the_terrain_that_any_part_of_it_touches():
    hull = Hull(Point(0, 0), 0.0, 6, 2)
    beside = TerrainPiece("Beside", "difficult", rectangle(2, -1, 4, 1).outline)
    field = field_of(position_of("Car", "South", (hull,)), terrain=(beside,))
    assert moves.crossings(field, (hull,), ((hull.centre, Point(0, 6)),), "bases") == ()
    aside = ((hull.centre, Point(-1.5, 0)),)
    assert moves.crossings(field, (hull,), aside, "middles") == ()
    (crossing,) = moves.crossings(field, (hull,), aside, "bases")  # as it turns into its way
    assert (crossing.starts, crossing.ends, crossing.inches) == ((False,), (False,), 1)
    (crossing,) = moves.crossings(field, (hull,), ((hull.centre, Point(1.5, 0)),), "bases")
    assert (crossing.starts, crossing.ends, crossing.inches) == ((False,), (True,), 1.5)


@given(HULLS, POINTS, st.lists(UNITS, min_size=1, max_size=4))
def test_a_drive_runs_into_every_unit_that_lies_on_it(hull, goal, units):
    field = field_of(*(position_of(str(at), "North", unit) for at, unit in enumerate(units)))
    met = {position.name for position in moves.run_into(field, (hull,), ((hull.centre, goal),))}
    assert met == {str(at) for at, unit in enumerate(units) if driven_through(hull, (goal,), unit)}


# --- room -------------------------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(UNITS, UNITS, WOODS)
def test_there_is_room_where_no_point_is_taken(unit, others, wood):
    field = Battlefield[TerrainPiece](
        sides=("South", "North"), positions=(position_of("Them", "South", others),), terrain=(wood,)
    )
    found = moves.room(field, unit, "South", own=False)
    taken = [
        at
        for at, each in enumerate(unit)
        if any(
            is_inside(wood.shape, point, rim=False) or any(holds(other, point) for other in others)
            for point in inside(each)
        )
    ]
    if taken:
        assert found is not None
        assert found.at <= taken[0]
    if found is None:
        assert all(gap(each, other) >= 0 and not overlaps(each, other) for each in unit for other in others)
    elif found.by == "terrain":
        assert gap(unit[found.at], wood.shape) == 0
    else:
        assert min(gap(unit[found.at], other) for other in others) == 0


@pytest.mark.parametrize(
    "spots, more, by, name",
    [
        (((20, 5),), {}, "model", "Squad"),
        (((0.2, 30),), {}, "edge", ""),
        (((20, 12.5),), {}, "terrain", "Wall"),
        (((40, 40), (40.4, 40)), {}, "own", ""),
        (((20.5, 22.8),), {}, "enemy", "Tank"),
        (((40, 40), (48, 40)), {"coherency": 2.0}, "coherency", ""),
        (((20.5, 22.8),), {"foes": ("Tank",)}, None, ""),
        (((40, 40), (40.4, 40)), {"own": False}, None, ""),
    ],
)
def test_what_takes_the_room_is_named(spots, more, by, name):
    bases = placed("New", "South", *spots).bases
    found = moves.room(FIELD, bases, "South", "New", **more)
    assert (found and found.by, found.name if found else "") == (by, name)


@given(st.integers(1, 8), numbers(0.25, 0.8), UNITS)
def test_the_nearest_room_is_room_for_all_in_coherency(count, radius, others):
    field = field_of(position_of("Them", "North", others))
    places = moves.nearest_room(field, Point(0, 0), count, radius, "South")
    assert len(places) == count
    assert is_coherent(places, 2.0)
    assert moves.room(field, places, "South") is None


@given(BASES, UNITS, WOODS)
def test_what_is_solid_is_where_there_is_no_room(base, others, wood):
    field = replace(field_of(position_of("Them", "South", others), terrain=(wood,)), board=Board(12, 12))
    solid = moves.solid_shapes(field, "Us")
    assert any(overlaps(base, shape) for shape in solid) == (moves.room(field, (base,), "South") is not None)


def test_room_beside_a_transport_is_within_reach_of_it_and_not_found_in_a_corner():
    places = moves.nearest_room(FIELD, TANK.hulls[0].centre, 5, 0.5, "North", near=TANK.hulls)
    assert len(places) == 5
    assert all(is_within(base, TANK.hulls[0], 2) for base in places)
    tiny = replace(FIELD, board=Board(2, 2), positions=())
    assert moves.nearest_room(tiny, Point(1, 1), 5, 0.5, "North") == ()


# --- how far ----------------------------------------------------------------------------------------------------------


def test_a_unit_goes_towards_a_goal_until_something_bars_it():
    assert moves.reachable(FIELD, "Squad", Point(19.0, 11.0), 6) == 6
    assert moves.reachable(FIELD, "Squad", Point(19.0, 40.0), 40) == pytest.approx(6.5)  # its base touches the wall
    assert moves.reachable(FIELD.with_place("Squad"), "Squad", Point(19.0, 40.0), 40) == 0
    assert moves.leaves_table(FIELD, SQUAD.bases, moves.straight_paths(SQUAD.bases, 180, 6))


@given(POINTS, UNITS, numbers(0, 15))
def test_what_is_reachable_is_neither_barred_nor_without_room(goal, others, inches):
    unit = placed("Us", "South", (0, 0), (1.5, 0))
    field = field_of(unit, position_of("Them", "North", others))
    far = moves.reachable(field, "Us", goal, inches)
    assert far <= inches
    if far:
        paths = moves.paths_to(unit.bases, goal, far)
        assert moves.barred(field, unit.bases, paths, "South", "Us") is None
        assert moves.room(field, moves.ends_of(unit.bases, paths), "South", "Us") is None


def test_the_farthest_way_is_shortened_grain_by_grain():
    assert moves.farthest(5.7, lambda inches: inches > 4.2) == 4
    assert moves.farthest(5.7, lambda inches: False) == 5.7
    assert moves.farthest(5.7, lambda inches: True) == 0


def test_a_unit_falls_back_straight_then_aside_then_in_a_crowd_and_not_if_hemmed_in():
    models = placed("Us", "South", (0, 0), (1, 0)).bases
    straight = moves.retreat(field_of(), models, "South", heading=180, inches=6)
    assert [path[-1] for path in straight] == [Point(0, -6), Point(1, -6)]
    friends = placed("Friends", "South", (0, -6))
    aside = moves.retreat(field_of(friends), models, "South", heading=180, inches=6)
    assert aside
    assert aside != straight
    assert moves.longest(aside) == pytest.approx(6)
    ring = TerrainPiece("Pit", "impassable", (Point(0, 0),), 5.0)
    assert moves.retreat(field_of(terrain=(ring,)), models, "South", heading=180, inches=6) == ()


def test_models_that_cannot_fall_back_side_by_side_crowd_together():
    models = placed("Us", "South", (0, 0), (40, 0)).bases
    wall = TerrainPiece("Wall", "impassable", rectangle(36, -9, 44, -0.6).outline)
    crowd = moves.retreat(field_of(terrain=(wall,)), models, "South", heading=180, inches=6)
    assert [path[-1] for path in crowd] == [Point(0, -6), Point(0, -5)]


# --- into contact -----------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.lists(numbers(-4, 4), min_size=1, max_size=5), numbers(3, 8), numbers(1, 9))
def test_a_charge_ends_in_contact_with_no_model_on_another(offsets, north, inches):
    chargers = tuple(Base(Point(at * 1.5 + 0.1 * offset, 0)) for at, offset in enumerate(sorted(offsets)))
    enemies = tuple(Base(Point(x, north)) for x in (0.0, 1.5, 3.0))

    field = field_of(position_of("Them", "North", enemies))

    def refuse(at: int, end: Point) -> str | None:
        there = (replace(chargers[at], centre=end),)
        if apart(chargers[at].centre, end) > inches:
            return "too far"
        return None if moves.room(field, there, "South", foes=("Them",)) is None else "no room"

    assume(not any(overlaps(a, b) for at, a in enumerate(chargers) for b in chargers[:at]))
    paths = contact.into_contact(chargers, enemies, inches, refuse)
    if isinstance(paths, str):
        assert paths in ("too far", "no room")
        assert paths == "no room" or min(gap(charger, enemy) for charger in chargers for enemy in enemies) > inches
        return
    ends = moves.ends_of(chargers, paths)
    assert moves.longest(paths) <= inches + 1e-6
    assert any(is_within(end, enemy, contact.TOUCH + 1e-9) for end in ends for enemy in enemies)
    bodies = [*ends, *enemies]
    assert not any(overlaps(one, other) for at, one in enumerate(bodies) for other in bodies[:at])


def test_chargers_side_by_side_stop_when_the_first_touches():
    paths = contact.formation_into_contact(SQUAD.bases, TANK.hulls)
    ends = moves.ends_of(SQUAD.bases, paths)
    assert min(gap(end, TANK.hulls[0]) for end in ends) == pytest.approx(0, abs=1e-6)
    assert {round(apart(*path), 6) for path in paths} == {12.5}
    touching = (Base(towards(SQUAD.bases[0].centre, Point(19, 6), 1)),)
    assert contact.formation_into_contact(touching, touching)[0][0] == touching[0].centre


def test_terrain_that_bars_stops_a_charge_with_its_reason():
    def refuse(at: int, end: Point) -> moves.Obstacle | None:
        paths = moves.separate_paths(SQUAD.bases[at : at + 1], (end,))
        return moves.barred(FIELD, SQUAD.bases[at : at + 1], paths, "South", "Squad", "Tank", by="bases")

    assert contact.into_contact(SQUAD.bases, TANK.hulls, 20, refuse) == moves.Obstacle("terrain", "Wall", 0)
    assert WALL.is_impassable


# --- destinations -----------------------------------------------------------------------------------------------------

WELL = Objective("Well", Point(20, 30))
LAID = replace(FIELD, terrain=(WALL, SWAMP, TerrainPiece("Fog")), objectives=(WELL,))


@pytest.mark.parametrize("name", ["tank", "TANK", "Tank "])
def test_a_move_towards_a_unit_ends_where_the_two_touch(name):
    there = moves.destination(LAID, name)
    assert there.shapes == TANK.hulls
    far = there.inches_from(SQUAD.bases)
    assert far == min(gap(base, TANK.hulls[0]) for base in SQUAD.bases)
    ends = moves.ends_of(SQUAD.bases, there.paths_from(SQUAD.bases, 99))
    assert min(gap(base, TANK.hulls[0]) for base in ends) == pytest.approx(0, abs=1e-9)
    assert moves.longest(there.paths_from(SQUAD.bases, 2)) == pytest.approx(2)


def test_a_move_into_terrain_and_to_an_objective_ends_in_its_middle():
    for name, middle in (("Swamp", Point(19, 8)), ("Well", WELL.at)):
        there = moves.destination(LAID, name)
        assert there.middle == middle
        far = there.inches_from(SQUAD.bases)
        ends = moves.ends_of(SQUAD.bases, there.paths_from(SQUAD.bases, 99))
        assert apart(moves.middle_of(ends), middle) == pytest.approx(0, abs=1e-9)
        half = moves.ends_of(SQUAD.bases, there.paths_from(SQUAD.bases, far / 2))
        assert there.inches_from(half) == pytest.approx(far / 2)
    assert moves.longest(there.paths_from((Base(WELL.at),), 6)) == 0


@given(UNITS, st.sampled_from([WALL.shape, Base(Point(0, 0), 3.0)]))
def test_a_move_towards_impassable_terrain_ends_at_its_rim(unit, shape):
    corners = (shape.centre,) if isinstance(shape, Base) else shape.outline
    rock = TerrainPiece("Rock", "impassable", corners, shape.radius if isinstance(shape, Base) else 0.0)
    there = moves.destination(field_of(position_of("Squad", "South", unit), terrain=(rock,)), "rock")
    assert there.middle is None
    far = there.inches_from(unit)
    ends = moves.ends_of(unit, there.paths_from(unit, 1000))
    assert far == min(gap(each, shape) for each in unit)
    assert min(gap(each, shape) for each in ends) <= far + 1e-9
    if all(isinstance(each, Base) for each in unit):
        assert min(gap(each, shape) for each in ends) == pytest.approx(0, abs=1e-6)


def test_a_destination_must_be_known_and_on_the_table():
    with pytest.raises(UnknownName, match="Did you mean 'Tank'"):
        moves.destination(LAID, "Tnak")
    with pytest.raises(Refused, match="Fog has no place on the table"):
        moves.destination(LAID, "Fog", "X-1")
    with pytest.raises(Refused, match="Tank has no place on the table"):
        moves.destination(LAID.off_table("Tank"), "Tank")
    assert moves.destination(LAID.off_table("Tank", "aboard", "Squad"), "Tank").shapes == SQUAD.bases


@pytest.mark.parametrize("side", ["South", "North"])
def test_units_are_set_up_at_home_where_there_is_room_and_in_their_zone(side):
    zones = setup.edge_zones(("South", "North"), Board(), 4)
    field = replace(FIELD, zones=zones, positions=(*FIELD.positions, placed("Guard", "South", (36, 3), radius=3)))
    heading = {"South": 0, "North": 180}[side]
    free = list(moves.home_placements(field, side, 7, 0.5))
    assert free
    for placement in free:
        bases = setup.arranged(placement, 7, 0.5)
        assert placement.heading == heading
        assert moves.room(field, bases, side, clear=0) is None
        assert setup.is_deployed(field, Position("New", side, bases))
    assert list(moves.home_placements(replace(field, board=None), side, 7, 0.5)) == []
