"""Facings, arcs, sight, cover, markers and templates as these rules read the table; the question line_of_fire."""

from __future__ import annotations

from math import radians, tan

import pytest

from battletape.errors import Refused
from battletape.field.sight import Cover, Screen, best_screen
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.profiles.types import Fitting
from battletape.rulesets.vehicles5.rules import blasts, geometry, shooting
from battletape.rulesets.vehicles5.rules.shooting import ShotDraft, facing_at
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.hulls import Hull
from battletape.table.markers import hull_blast
from battletape.table.points import Point
from battletape.table.sight import Eye, Wall, can_see_vehicle
from battletape.table.teardrops import Flame, flame_coverage
from tests.vehicles5.asking import RULES, only

CORNER = Rulings(facing_model="corner")
LAND = Hull(Point(0.0, 0.0), 0.0, 6.0, 3.0)
TURRET = Fitting(weapon="Battle cannon", mount="turret")
HULL_GUN = Fitting(weapon="Lascannon", mount="hull")
LEFT = Fitting(label="left", mount="sponson", arc=(-180, 0))
RIGHT = Fitting(label="right", mount="sponson", arc=(0, 180))


@pytest.mark.clause("V5-SHOT-4")
@pytest.mark.parametrize("rulings, expected", [(DEFAULT, "front"), (CORNER, "side")])
def test_a_firer_at_35_degrees_of_a_long_hull(rulings: Rulings, expected: str) -> None:
    assert shooting.facing_at(35, rulings, 6, 3) == expected
    at = Point(10 * tan(radians(35)), 10.0)
    assert shooting.facing_from(LAND, at, rulings) == expected


@pytest.mark.clause("V5-SHOT-4")
@pytest.mark.parametrize(
    "bearing, expected",
    [(45, "front"), (-45, "front"), (45.1, "side"), (134.9, "side"), (135, "rear"), (-135, "rear"), (180, "rear")],
)
def test_the_lines_belong_to_front_and_rear(bearing: float, expected: str) -> None:
    assert shooting.facing_at(bearing) == expected


@pytest.mark.clause("V5-SHOT-5", "V5-SHOT-4")
def test_firers_in_different_quarters_are_grouped() -> None:
    assert shooting.facing_groups([10, 30, 50, 60, -20]) == {"front": (0, 1, 4), "side": (2, 3), "rear": ()}
    assert shooting.facing_groups([27, 26], CORNER, 6, 3) == {"front": (1,), "side": (0,), "rear": ()}


@pytest.mark.clause("V5-WALK-5", "V5-WALK-17")
def test_a_walker_that_has_turned_shows_another_side() -> None:
    sides = {0: "front", -90: "side", 90: "side", 180: "rear", 360: "front"}
    for heading, wanted in sides.items():
        assert [side for side, seen in shooting.facing_groups([0], heading=heading).items() if seen] == [wanted]


@pytest.mark.clause("V5-LOS-2", "V5-LOS-3", "V5-LOS-4", "V5-LOS-5")
def test_arcs_of_the_mounts() -> None:
    assert all(geometry.bears(TURRET, bearing) for bearing in range(-180, 181, 15))
    assert geometry.bears(HULL_GUN, 22.5)
    assert geometry.bears(HULL_GUN, -22.5)
    assert not geometry.bears(HULL_GUN, 22.6)
    assert geometry.bears(RIGHT, 90)
    assert not geometry.bears(RIGHT, -10)
    assert geometry.bears(Fitting(mount="pintle", on="turret"), 170)
    assert not geometry.bears(Fitting(mount="pintle", on="hull"), 30)


@pytest.mark.clause("V5-LOS-3")
def test_a_hull_arc_may_be_wider_by_ruling() -> None:
    assert not geometry.bears(HULL_GUN, 44)
    assert geometry.bears(HULL_GUN, 44, rulings=Rulings(hull_arc_degrees=90))


@pytest.mark.clause("V5-LOS-3", "V5-LOS-1")
def test_a_hull_gun_reaches_four_inches_aside_at_ten() -> None:
    """The arc starts at the mounting point, not at the middle of the hull."""
    front = Fitting(weapon="Lascannon", mount="hull", y=3.0)
    edge = 10 * tan(radians(22.5))
    assert geometry.refuse_arc(LAND, front, Point(edge - 0.01, 13.0)) is None
    refused = geometry.refuse_arc(LAND, front, Point(edge + 0.01, 13.0))
    assert refused is not None
    assert refused.clause == "V5-LOS-3"
    assert "22.5 degrees left to 22.5 degrees right" in str(refused)
    assert geometry.eye_of(LAND, front).at == Point(0.0, 3.0)


@pytest.mark.clause("V5-LOS-6")
def test_guns_point_45_degrees_up_and_down() -> None:
    assert geometry.bears(TURRET, 0, 45)
    assert geometry.bears(TURRET, 0, -45)
    assert not geometry.bears(TURRET, 0, 46)
    assert geometry.refuse_arc(LAND, TURRET, Point(0.0, 5.0), rise=5) is None
    refused = geometry.refuse_arc(LAND, TURRET, Point(0.0, 5.0), rise=-6)
    assert refused is not None
    assert refused.clause == "V5-LOS-6"
    assert "50 degrees down" in str(refused)


@pytest.mark.clause("V5-LOS-1")
def test_each_weapon_is_judged_for_itself() -> None:
    guns = (TURRET, HULL_GUN, LEFT, RIGHT)
    assert geometry.weapons_bearing(guns, 60) == ("Battle cannon", "right")
    assert geometry.weapons_bearing(guns, -15) == ("Battle cannon", "Lascannon", "left")


@pytest.mark.clause("V5-LOS-1", "V5-LOS-5")
def test_every_gun_of_our_vehicles_can_point_somewhere() -> None:
    for vehicle in book().entries["vehicle"].values():
        for fitting in vehicle.mounts:
            assert any(geometry.bears(fitting, bearing) for bearing in range(0, 360, 5)), (vehicle.name, fitting)


@pytest.mark.clause("V5-SHOT-1")
def test_sight_to_hull_or_turret() -> None:
    assert [part for part in ("hull", "turret", "gun_barrel", "antenna") if geometry.counts_as_seen(part)] == [
        "hull",
        "turret",
    ]
    eye, wall = Eye(Point(0.0, 20.0), 1.0), Wall((Point(-10.0, 10.0), Point(10.0, 10.0)), 1.2)
    turret = Base(Point(0.0, 0.0), 1.0)
    assert can_see_vehicle(eye, LAND, ())
    assert not can_see_vehicle(eye, LAND, (wall,))
    assert can_see_vehicle(eye, LAND, (wall,), turret=turret, turret_top=2.0)


@pytest.mark.clause("V5-SHOT-2")
@pytest.mark.parametrize(
    "hidden, more, half",
    [
        ([0.6, 0.55, 0.5, 0.2, 0.0], True, True),
        ([0.6, 0.6, 0.1, 0.1], False, True),
        ([0.49], False, False),
        ([], False, False),
    ],
)
def test_cover_wants_a_majority_of_the_firers(hidden: list[float], more: bool, half: bool) -> None:
    assert geometry.claims_cover(hidden) is more
    assert geometry.claims_cover(hidden, Rulings(cover_majority="at_least_half")) is half


def save_behind(*before: tuple[Screen, ...]) -> int:
    """The cover save of a vehicle that faces as many firers, each with these screens before it; 0 for none."""
    eyes = [Eye(Point(0.0, 53.0), 0.5)] * len(before)
    return best_screen(eyes, (LAND,), 1.0, before, geometry.claims_cover).worth


@pytest.mark.clause("V5-SHOT-2")
def test_a_wall_before_half_the_front_is_cover() -> None:
    whole = Screen(Wall((Point(-0.01, 3.5), Point(9.0, 3.5))), Cover(geometry.COVER))
    bit = Screen(Wall((Point(1.0, 3.5), Point(9.0, 3.5))), Cover(geometry.COVER))
    assert save_behind((whole,)) == 4
    assert save_behind((bit,)) == 0
    assert save_behind((whole,), (whole,), ()) == 4
    assert save_behind((whole,), ()) == 0


@pytest.mark.clause("V5-SHOT-2", "V5-CORE-4")
def test_cover_is_as_good_as_what_hides_half_the_front() -> None:
    half, rest = Wall((Point(-9.0, 3.5), Point(0.01, 3.5))), Wall((Point(0.5, 3.5), Point(9.0, 3.5)))
    for saves, save in (((3, 6), 3), ((6, 3), 6), ((0, 3), 0), ((5, 0), 5), ((0, 0), 0)):
        assert save_behind((Screen(half, Cover(saves[0])), Screen(rest, Cover(saves[1])))) == save


@pytest.mark.clause("V5-SHOT-3")
@pytest.mark.parametrize("traits", [Traits(), Traits(walker=True), Traits(tank=True)])
def test_vehicles_do_not_go_to_ground(traits: Traits) -> None:
    assert geometry.refuse_go_to_ground(traits).clause == "V5-SHOT-3"


@pytest.mark.clause("V5-SHOT-7", "V5-SHOT-8", "V5-SHOT-9")
@pytest.mark.parametrize(
    "on_hull, barrage, expected",
    [
        (True, False, ("front", 9)),
        (True, True, ("side", 9)),
        (False, False, ("rear", 4)),
        (False, True, ("rear", 4)),
    ],
)
def test_the_hit_of_a_marker(on_hull: bool, barrage: bool, expected: tuple[str, int]) -> None:
    assert blasts.blast_hit(9, on_hull, "front", "rear", barrage) == expected


@pytest.mark.clause("V5-SHOT-9")
def test_a_barrage_beside_the_hull_by_ruling() -> None:
    rules = Rulings(barrage_off_hull="side")
    assert blasts.blast_hit(9, False, "front", "rear", True, rules) == ("side", 4)
    assert blasts.blast_hit(9, False, "front", "rear", False, rules) == ("rear", 4)


@pytest.mark.clause("V5-SHOT-7", "V5-SHOT-9")
def test_where_a_marker_lies() -> None:
    assert hull_blast(Base(Point(0.0, 2.9), 2.5), LAND).part == "hole"
    beside = hull_blast(Base(Point(4.0, 0.0), 2.5), LAND)
    assert (beside.part, beside.facing) == ("edge", "side")
    assert hull_blast(Base(Point(0.0, 5.6), 2.5), LAND).part == "clear"
    assert blasts.refuse_blast(blasts.Blast(ShotDraft("shell"), Point(1.5, 3.0)), LAND) is None
    refused = blasts.refuse_blast(blasts.Blast(ShotDraft("shell"), Point(1.6, 0.0)), LAND)
    assert refused is not None
    assert refused.clause == "V5-SHOT-7"


@pytest.mark.clause("V5-SHOT-6")
def test_a_template_is_laid_so_that_it_spares_friends() -> None:
    assert geometry.refuse_flame(False) is None
    refused = geometry.refuse_flame(True)
    assert isinstance(refused, Refused)
    assert refused.clause == "V5-SHOT-6"
    apex, friend = Point(6.0, 0.0), Base(Point(3.5, -0.9), 0.5)
    alone, beside = geometry.lay_template(apex, LAND), geometry.lay_template(apex, LAND, (friend,))
    assert isinstance(alone, Flame)
    assert isinstance(beside, Flame)
    assert flame_coverage(alone, friend) != "missed"
    assert flame_coverage(beside, friend) == "missed"
    too_far = geometry.lay_template(Point(30.0, 0.0), LAND)
    assert isinstance(too_far, Refused)


@pytest.mark.clause("V5-CORE-22")
def test_measuring_to_hull_and_base() -> None:
    firer = Point(0.0, 10.0)
    assert gap(firer, LAND) == 7.0
    assert geometry.range_of(LAND, Fitting(mount="turret", y=3.0), Point(0.0, 15.0)) == 12.0


@pytest.mark.clause("V5-CORE-3")
def test_markers_are_three_and_five_inches_across() -> None:
    assert blasts.MARKERS == {"small": 1.5, "large": 2.5}


@pytest.mark.clause("V5-SHOT-4", "V5-SHOT-5", "V5-WALK-17")
@pytest.mark.parametrize("heading", [0, 90, -135])
def test_sides_by_bearings(heading: int) -> None:
    bearings = range(0, 360, 15)
    answer = RULES.ask("line_of_fire", heading=heading, firers=[{"bearing": one} for one in bearings])
    seen = [facing_at((one - heading) % 360) for one in bearings]
    assert [only(answer, side) for side in ("front", "side", "rear")] == [
        seen.count(side) for side in ("front", "side", "rear")
    ]


@pytest.mark.clause("V5-SHOT-1", "V5-SHOT-2")
def test_who_sees_only_a_barrel_does_not_count() -> None:
    firers = [{"hidden": 0.6}, {"hidden": 0.6}, {"sees": "gun_barrel"}, {"sees": "antenna", "bearing": 90}]
    answer = RULES.ask("line_of_fire", firers=firers)
    assert [only(answer, name) for name in ("seeing", "front", "side", "cover")] == [2, 2, 0, 1]
    half = [{"hidden": 0.5}, {"hidden": 0.0}]
    assert only(RULES.ask("line_of_fire", firers=half), "cover") == 0
    assert only(RULES.ask("line_of_fire", firers=half, cover_majority="at_least_half"), "cover") == 1


@pytest.mark.clause("V5-LOS-1", "V5-LOS-3", "V5-LOS-4", "V5-LOS-6")
def test_which_weapons_bear() -> None:
    ahead = RULES.ask("line_of_fire", vehicle="Anvil battle tank")
    left = RULES.ask("line_of_fire", vehicle="Anvil battle tank", aim_bearing=-90)
    assert "right bolter" in only(ahead, "bears").split(", ")
    assert "right bolter" not in only(left, "bears").split(", ")
    assert "left bolter" in only(left, "bears").split(", ")
    assert only(RULES.ask("line_of_fire", elevation=46), "bears") == "none"
    hull = [{"name": "gun", "mount": "hull"}]
    assert only(RULES.ask("line_of_fire", guns=hull, aim_bearing=40), "bears") == "none"
    assert only(RULES.ask("line_of_fire", guns=hull, aim_bearing=40, hull_arc_degrees=90), "bears") == "gun"
