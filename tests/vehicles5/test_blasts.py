"""Blasts that scatter, what they do where they come down, and the question ordnance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import acos, degrees
from typing import Any

import pytest
from msgspec.structs import replace

from battletape import ruleset
from battletape.procedure import fold, odds_of
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.rules import blasts
from battletape.rulesets.vehicles5.rules.blasts import (
    ORDNANCE,
    Blast,
    BlastState,
    BlastTarget,
    roll_scatter,
    shot_of_blast,
)
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.shooting import Shot, ShotDraft, TargetArmour
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table.facings import Facing
from battletape.table.hulls import Hull
from battletape.table.markers import HullBlast
from battletape.table.points import Point
from battletape.tape.exact import Exact
from battletape.tape.rolled import Rolled
from tests.vehicles5.asking import RULES, chance_of, rows
from tests.vehicles5.odds import results_of

TANK = Hull(Point(0.0, 0.0), 0.0, 4.0, 3.0)
NEW = Condition(weapons=("weapon",))
FACINGS: tuple[Facing, ...] = ("front", "side", "rear")
AIM = ShotDraft("gun", strength=8, ap=3)


def shelling(hull: Hull = TANK, rulings: Rulings = DEFAULT, gun: ShotDraft = AIM, **more: Any) -> BlastState:
    shell = Blast(gun, **{"aim": Point(0.0, 0.0), "keywords": ("ordnance",), "bs": 3, **more})
    return BlastState(shell, (BlastTarget(NEW, NEW, hull, TargetArmour(14, 12, 10), "front"),), rulings=rulings)


def hits(start: BlastState) -> list[Shot]:
    """The hit of the hole on the hull, and of the rim at the front, the side and the rear."""
    edges = [HullBlast("edge", facing) for facing in FACINGS]
    (vehicle,) = start.vehicles
    places = (HullBlast("hole"), *edges)
    found = [shot_of_blast(start.blast, vehicle.armour, vehicle.seen_facing, lies, start.rulings) for lies in places]
    return [shot for shot in found if shot is not None]


def scatter_twin(bs: int, sees: bool) -> dict[int, Fraction]:
    """By hand: six faces of the scatter die and thirty-six of two dice."""
    found: dict[int, Fraction] = {}
    for face, one, two in product(range(6), range(1, 7), range(1, 7)):
        inches = 0 if face < 2 else max(0, one + two - (bs if sees else 0))
        found[inches] = found.get(inches, Fraction(0)) + Fraction(1, 216)
    return found


@pytest.mark.clause("V5-CORE-3", "V5-ORD-2")
@pytest.mark.parametrize("bs, sees", [(3, True), (4, True), (0, True), (10, True), (4, False)])
def test_scatter_by_faces(bs: int, sees: bool) -> None:
    assert odds_of(roll_scatter, bs, sees).fractions() == scatter_twin(bs, sees)


@pytest.mark.clause("V5-CORE-3")
@pytest.mark.parametrize(
    "bs, sees, radius, chance",
    [(3, True, 0, Fraction(7, 18)), (4, True, 2, Fraction(11, 18)), (4, False, 4, Fraction(4, 9))],
)
def test_moved_at_most(bs: int, sees: bool, radius: int, chance: Fraction) -> None:
    assert odds_of(roll_scatter, bs, sees).chance(lambda inches: inches <= radius) == chance


@pytest.mark.clause("V5-SHOT-7", "V5-SHOT-8", "V5-SHOT-9", "V5-ORD-2")
def test_the_hit_for_each_way_it_lies() -> None:
    direct = hits(shelling())
    assert [shot.armour_gap for shot in direct] == [14 - 8, 14 - 4, 12 - 4, 10 - 4]
    assert {shot.dice for shot in direct} == {"higher_of_two"}
    assert {shot.hits_on for shot in direct} == {0}
    assert [shot.armour_gap for shot in hits(shelling(barrage=True))] == [12 - 8, 14 - 4, 12 - 4, 10 - 4]
    by_ruling = hits(shelling(barrage=True, rulings=Rulings(barrage_off_hull="side")))
    assert [shot.armour_gap for shot in by_ruling[1:]] == [12 - 4] * 3


@pytest.mark.clause("V5-SHOT-9")
def test_half_of_s8_and_s9_glances_av10_only() -> None:
    for strength in (8, 9):
        edge = hits(shelling(gun=ShotDraft("gun", strength=strength, ap=3)))[3]
        odds = results_of(edge)
        assert edge.armour_gap == 6
        assert 1 - odds.chance("none") == Fraction(11, 36)
        assert odds.chance("wrecked") == odds.chance("exploded") == 0


def chances(start: BlastState) -> dict[str, Fraction]:
    return Exact().run(ORDNANCE.stages, start).project(lambda one: one.vehicles[0].landing).fractions()


@pytest.mark.clause("V5-SHOT-7", "V5-CORE-3")
def test_the_hole_stays_on_a_square_hull_by_closed_form() -> None:
    """A 4 by 4 hull: 2 inches stay on it whatever the arrow says; r inches leave it over each side within acos(2/r)."""
    square = Hull(Point(0.0, 0.0), 0.0, 4.0, 4.0)
    inches = scatter_twin(3, True)
    wanted = 0.0
    for far, chance in inches.items():
        off = 0.0 if far <= 2 else min(1.0, 4 * 2 * degrees(acos(2 / far)) / 360)
        wanted += float(chance) * (1 - off)
    found = chances(shelling(hull=square))
    assert float(found["hole"]) == pytest.approx(wanted, abs=1e-8)
    assert sum(found.values()) == 1


@pytest.mark.clause("V5-SHOT-9", "V5-SHOT-7")
def test_rolled_dice_agree_with_the_odds() -> None:
    start = shelling(aim=Point(1.0, 1.5))
    wanted = chances(start)
    count = 1500
    seen = {"hole": 0, "edge": 0, "clear": 0}
    for seed in range(count):
        seen[fold(ORDNANCE, Rolled(seed), start).vehicles[0].landing] += 1
    for part, number in seen.items():
        chance = float(wanted[part])
        assert abs(number - count * chance) < 4 * (count * chance * (1 - chance)) ** 0.5, part


@pytest.mark.clause("V5-SHOT-4", "V5-SHOT-9")
def test_facings_by_corners_move_hits_between_sides() -> None:
    def seen(rulings: Rulings) -> dict[int, Fraction]:
        states = Exact().run(ORDNANCE.stages[:2], shelling(rulings=rulings))
        return states.project(
            lambda one: one.vehicles[0].hit.armour_gap if one.vehicles[0].landing == "edge" else 0
        ).fractions()

    quarters, corner = seen(DEFAULT), seen(Rulings(facing_model="corner"))
    assert quarters[8] < corner[8]
    assert quarters[0] == corner[0]


@pytest.mark.clause("V5-ORD-3", "V5-SHOT-7")
def test_what_may_not_be_aimed() -> None:
    ask = ruleset("vehicles5").ask
    assert ask("ordnance", line_of_sight=False, barrage=True).odds("hole_on_hull").chance(1) > 0


@pytest.mark.clause("V5-ORD-2")
def test_a_marker_clear_of_the_hull_does_nothing() -> None:
    gone = replace(shelling(), vehicles=tuple(replace(tank, landing="clear") for tank in shelling().vehicles))
    assert Exact().run((blasts.hit_vehicles,), gone).project(lambda one: one.vehicles[0].now).fractions() == {NEW: 1}


@pytest.mark.clause("V5-PEN-2")
def test_the_steps_speak_of_two_dice() -> None:
    titles = {step.title: step.needed for step in ruleset("vehicles5").ask("ordnance").steps}
    assert titles["Blast: penetration on a pair of D6"].startswith("higher one: ")
    assert "Blast: penetration on a D6" not in titles


@pytest.mark.clause("V5-SHOT-7", "V5-SHOT-8", "V5-SHOT-9")
def test_where_the_hole_lies_in_a_table() -> None:
    answer = RULES.ask("ordnance", strength=9, firer_bearing=180, barrage=True)
    assert rows(answer) == [
        ("on the hull", "side", "11", "9"),
        ("off it, at the front", "front", "12", "4"),
        ("off it, at the side", "side", "11", "4"),
        ("off it, at the rear", "rear", "10", "4"),
    ]


def on_hull(start: BlastState) -> Shot:
    """The hit of a marker whose hole stays on the hull."""
    (vehicle,) = start.vehicles
    hit = shot_of_blast(start.blast, vehicle.armour, vehicle.seen_facing, HullBlast("hole"), start.rulings)
    assert hit is not None
    return hit


@pytest.mark.clause("V5-SHOT-7", "V5-SHOT-9", "V5-ORD-2")
def test_ordnance_with_profiles() -> None:
    answer = RULES.ask("ordnance", weapon="Battle cannon", vehicle="Anvil battle tank", bs=4)
    parts = [answer.odds(name).chance(1) for name in ("hole_on_hull", "only_edge_on_hull", "missed")]
    assert sum(parts) == 1
    assert parts[0] > Fraction(1, 3)
    assert on_hull(answer.start).dice == "higher_of_two"
    assert answer.start.vehicles[0].hull.length == book().find("vehicle", "Anvil battle tank").length


@pytest.mark.clause("V5-SHOT-7")
def test_a_marker_that_cannot_leave_the_hull_is_as_good_as_a_sure_hit() -> None:
    """BS 10: two inches at most, and a hull of six by six around the aim."""
    given = {"length": 6, "width": 6, "bs": 10, "front": 12, "ap": 3, "strength": 8}
    assert chance_of("ordnance", "hole_on_hull", **given) == 1
    glance, through = Fraction(7, 36), Fraction(20, 36)  # higher of two dice: 4, and 5 or 6
    assert chance_of("ordnance", "destroyed", **given) == through / 3
    assert chance_of("ordnance", "immobilised_or_worse", **given) == through / 2 + glance / 6
    assert chance_of("ordnance", "destroyed", **given, cover=4) == through / 6


@pytest.mark.clause("V5-SHOT-8", "V5-SHOT-4")
def test_barrages_strike_the_side_and_shots_the_firers_facing() -> None:
    given = {"length": 6, "width": 6, "bs": 10, "front": 14, "side": 12, "rear": 10}
    gaps = {
        (bearing, barrage): on_hull(
            RULES.ask("ordnance", firer_bearing=bearing, barrage=barrage, **given).start
        ).armour_gap
        for bearing in (0, 90, 180)
        for barrage in (False, True)
    }
    assert [gaps[bearing, False] for bearing in (0, 90, 180)] == [6, 4, 2]
    assert {gaps[bearing, True] for bearing in (0, 90, 180)} == {4}


@pytest.mark.clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-3")
def test_a_mortar_is_always_a_barrage_here_as_in_battles() -> None:
    given = {"vehicle": "Longwatch destroyer", "weapon": "Mortar", "line_of_sight": False}
    assert (
        on_hull(RULES.ask("ordnance", **given).start).armour_gap == 7
    )  # S4 against its side of 11: see test_battle_shooting
