"""The map of a field: everything on it once, and what a chosen unit reaches."""

from __future__ import annotations

from fractions import Fraction

from battletape.field.maps import Chosen, Reach, draw_map
from battletape.field.score import mission as mission_named
from battletape.field.score import objectives_of
from battletape.field.setup import edge_zones
from battletape.rulebook import replace
from battletape.table.board import Board
from battletape.table.mounts import hull_mount
from battletape.table.picture import Arc, Figure, Ground, Machine, Marker, Ring
from tests.field.fields import BARE, FIELD, SIDES, SQUAD


def test_the_map_shows_everything_that_has_a_place():
    board = Board()
    objectives = objectives_of(mission_named("take and hold"), board)
    field = replace(FIELD, zones=edge_zones(SIDES, board, 12), objectives=objectives)
    picture = draw_map(field, "South", about={"Tank": "shaken", "Wall": "6 high"})
    assert picture is not None
    kinds = [type(thing).__name__ for thing in picture.things]
    assert {kind: kinds.count(kind) for kind in kinds} == {"Ground": 3, "Marker": 3, "Figure": 3, "Machine": 1}
    tones = {thing.name: thing.tone for thing in picture.things if isinstance(thing, (Figure, Machine))}
    assert tones == {"Squad": "acts", "Tank": "target"}
    about = {thing.name: thing.about for thing in picture.things if isinstance(thing, (Ground, Machine))}
    assert (about["Tank"], about["Wall"]) == ("shaken", "6 high")
    assert picture.whole
    assert all(thing.drag is None for thing in picture.things if isinstance(thing, Figure))


def test_a_field_without_places_has_no_map():
    assert draw_map(BARE, "South") is None
    assert draw_map(FIELD.without_places, "South") is None


def test_the_map_shows_what_the_chosen_unit_reaches_and_its_odds():
    chosen = Chosen("Squad", (Reach("moves 6″", 6.0),), (("Tank", Fraction(1, 3)),), "chance to be destroyed")
    picture = draw_map(FIELD, "South", chosen)
    assert picture is not None
    assert picture.says == "chance to be destroyed"
    assert [thing.chance for thing in picture.things if isinstance(thing, Machine)] == [Fraction(1, 3)]
    assert all(thing.drag == ("x", "y") for thing in picture.things if isinstance(thing, Figure))
    rings = [thing for thing in picture.things if isinstance(thing, Ring)]
    assert [(ring.disc.centre, ring.disc.radius) for ring in rings] == [(SQUAD.bases[0].centre, 6.0)]


def test_a_mounted_weapon_has_an_arc_and_targets_can_be_tapped():
    chosen = Chosen("Tank", (Reach("Lascannon 48″", 48.0, hull_mount(width=90)),))
    picture = draw_map(FIELD, "North", chosen)
    assert picture is not None
    (arc,) = (thing for thing in picture.things if isinstance(thing, Arc))
    assert (arc.start, arc.end, arc.disc.radius) == (135.0, 225.0, 48.0)
    assert {thing.tap for thing in picture.things if isinstance(thing, Figure)} == {"target=Squad"}


def test_several_units_that_are_chosen_together_have_odds_and_no_reach():
    picture = draw_map(FIELD, "South", Chosen("All squads", (), (("Tank", Fraction(1, 3)),)))
    assert picture is not None
    assert [thing.chance for thing in picture.things if isinstance(thing, Machine)] == [Fraction(1, 3)]


def test_an_objective_says_which_side_holds_it():
    (middle,) = objectives_of(mission_named("king of the hill"), Board(41, 10))
    picture = draw_map(replace(FIELD, objectives=(middle,)), "South")
    assert picture is not None
    assert [thing.about for thing in picture.things if isinstance(thing, Marker)] == ["held by South"]
