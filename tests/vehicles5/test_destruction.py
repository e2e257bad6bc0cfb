"""Explosions and wrecks: reach, losses and pinning, with counts by hand, and the question explosion."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from battletape.odds import Odds
from battletape.rulesets.vehicles5.rules import destruction
from battletape.rulesets.vehicles5.rules.destruction import Explosion, NearbyModels, wreck_exit
from battletape.rulesets.vehicles5.rules.troops import ModelGroup
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table import distances
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import Point
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES, ask, chance, only

F = Fraction


def exploded(explosion: Explosion) -> Odds[Explosion]:
    return Exact().run(destruction.EXPLOSION.stages, explosion)


@pytest.mark.clause("V5-DMG-6")
@pytest.mark.parametrize(
    ("distance", "chance"), [(0, 6), (0.5, 6), (1, 6), (1.5, 5), (3, 4), (5.2, 1), (6, 1), (6.5, 0)]
)
def test_how_far_it_reaches(distance: float, chance: int) -> None:
    odds = exploded(Explosion((NearbyModels(ModelGroup("man", 1, 10), (distance,)),)))
    assert odds.chance(lambda explosion: explosion.models_hit == 1) == F(chance, 6)


@pytest.mark.clause("V5-DMG-6")
def test_reach_on_the_table_counts_from_the_hull_to_the_base() -> None:
    hull = Hull(Point(0, 0), 0.0, 4.0, 3.0)
    men = [Base(Point(0, 2 + gap + 0.5), 0.5) for gap in (0, 3, 3.1)]
    assert NearbyModels(ModelGroup("men", 3, 4), tuple(distances.gap(hull, man) for man in men)).models_within(3) == (
        0,
        1,
    )


@pytest.mark.clause("V5-DMG-6")
def test_one_radius_for_all_and_the_losses_of_every_group() -> None:
    near, far = NearbyModels(ModelGroup("near", 1, 3, 5), (2,)), NearbyModels(ModelGroup("far", 2, 3), (5, 5))
    odds = exploded(Explosion((near, far))).project(lambda explosion: explosion.nearby_lost)
    wanted = dict.fromkeys(range(4), F(0))
    for radius in range(1, 7):
        one = F(1, 3) if radius >= 2 else F(0)
        for second in range(3):
            ways = F(comb(2, second), 4) if radius >= 5 else F(second == 0)
            wanted[second] += ways * (1 - one) / 6
            wanted[second + 1] += ways * one / 6
    assert odds.fractions() == {lost: chance for lost, chance in wanted.items() if chance}
    assert exploded(Explosion((near,))).chance(lambda explosion: explosion.nearby_lost == 1) == F(5, 18)


@pytest.mark.clause("V5-DMG-6", "V5-OPEN-4")
def test_passengers_take_a_hit_each_and_the_living_test_for_pinning() -> None:
    inside = ModelGroup("squad", 10, 4, 3)
    odds = exploded(Explosion((), inside, destruction.strength_inside(open_topped=False), 8))
    assert odds.chance(lambda explosion: explosion.passengers_lost == 0) == F(5, 6) ** 10
    assert odds.project(lambda explosion: explosion.passengers_lost).mean == F(5, 3)
    assert odds.chance(lambda explosion: explosion.pinned) == F(5, 18) * (1 - F(1, 6) ** 10)
    assert [destruction.strength_inside(is_open) for is_open in (False, True)] == [4, 3]


@pytest.mark.clause("V5-DMG-6", "V5-CORE-8")
def test_the_order_of_the_dice_and_models_of_two_wounds() -> None:
    explosion = Explosion((NearbyModels(ModelGroup("near", 2, 4, 4, wounds=2), (1, 1)),), ModelGroup("in", 1, 4), 4, 7)
    tape = Script(3, 5, 5, 2, 3, 6)  # nobody is left to be pinned
    for stage in destruction.EXPLOSION:
        explosion = stage(tape, explosion)
    assert tape.used_up
    assert (explosion.radius, explosion.nearby_lost, explosion.passengers_lost, explosion.pinned) == (3, 1, 1, False)


@pytest.mark.clause("V5-DMG-6")
def test_without_passengers_or_ld_nothing_more_is_asked() -> None:
    assert destruction.hit_passengers(Script(), Explosion(())) == Explosion(())
    assert destruction.test_pinning(Script(), Explosion(())) == Explosion(())
    calm = Explosion((), ModelGroup("in", 3, 4), ld=None)
    assert destruction.test_pinning(Script(), calm) == calm
    assert destruction.leave_wreck(Script(), Explosion(())) == Explosion(())


@pytest.mark.clause("V5-DMG-5", "V5-TRAN-7")
@pytest.mark.parametrize(
    ("access", "within", "models_lost", "unit_lost"),
    [
        (10, 20, (10, False), (10, False)),
        (4, 12, (10, True), (10, True)),
        (4, 7, (7, True), (0, True)),
        (0, 0, (0, True), (0, True)),
    ],
)
def test_leaving_a_wreck(access: int, within: int, models_lost: tuple[int, bool], unit_lost: tuple[int, bool]) -> None:
    assert wreck_exit(10, access, within) == models_lost
    assert wreck_exit(10, access, within, Rulings(no_room_in_a_wreck="unit_lost")) == unit_lost


@pytest.mark.clause("V5-DMG-5", "V5-CORE-6")
def test_those_who_leave_a_wreck_test_for_pinning() -> None:
    squad = Explosion((), ModelGroup("squad", 10, 4), ld=8, room_at_access=4, room_within=7)
    odds = Exact().run(destruction.WRECK.stages, squad)
    assert odds.chance(lambda explosion: explosion.passengers_lost == 3) == 1
    assert odds.chance(lambda explosion: explosion.pinned) == F(5, 18)


@pytest.mark.clause("V5-DMG-6", "V5-OPEN-4")
def test_explosion_by_profiles() -> None:
    answer = ask(
        "explosion", passenger_unit="Harbour watch", models=[{"unit": "Furnace company", "models": 1, "distance": 2}]
    )
    assert answer.start.passengers.models == 10
    assert (answer.start.ld, answer.start.groups[0].group.save) == (7, 3)
    assert chance(answer, "reached") == F(5, 6)
    assert chance(answer, "casualties") == F(5, 54)
    assert chance(answer, "no_casualty") == F(5, 9) ** 10
    assert ask("explosion").headline == "Nobody is near it or inside."


@pytest.mark.clause("V5-DMG-6")
def test_many_groups_stay_small() -> None:
    models = [{"models": 5, "distance": one / 2, "toughness": 3 + one % 2} for one in range(12)]
    answer = ask("explosion", models=models)
    assert answer.odds("casualties").mean == sum(
        F(5 * (7 - max(1, -(-one // 2))), 6) * (F(1, 2) if one % 2 == 0 else F(1, 3)) for one in range(12)
    )


@pytest.mark.clause("V5-DMG-5", "V5-TRAN-7")
def test_a_wreck_is_left() -> None:
    answer = ask("explosion", wrecked=True, passengers=10, ld=8, room_at_access=4, room_within=7)
    assert chance(answer, "passengers_lost", 3) == 1
    assert chance(answer, "pinned") == F(5, 18)
    assert "V5-TRAN-7" in answer.warnings[0]
    lost = ask("explosion", wrecked=True, passengers=3, room_at_access=1, room_within=2, no_room_in_a_wreck="unit_lost")
    assert chance(lost, "all_dead") == 1
    assert "V5-DMG-6" in ask("explosion", wrecked=True, models=[{}]).warnings[0]


@pytest.mark.clause("V5-OPEN-4")
def test_the_vehicle_that_explodes_may_be_named() -> None:
    answer = ask("explosion", vehicle="Hay wain", passengers=1, passenger_toughness=3)
    assert answer.start.strength == 3
    assert chance(answer, "passengers_lost") == F(1, 2)
    assert answer.headline == "0.5 of 1 passengers are lost."


@pytest.mark.clause("V5-DMG-5", "V5-TRAN-7")
def test_how_passengers_leave_a_wreck() -> None:
    answer = RULES.ask("explosion", wrecked=True, passengers=10, room_at_access=4, room_within=7)
    told = {name: only(answer, name) for name in ("survivors", "passengers_lost", "emergency", "pinning_test")}
    assert told == {"survivors": 7, "passengers_lost": 3, "emergency": 1, "pinning_test": 1}


@pytest.mark.clause("V5-DMG-6")
def test_a_unit_near_an_explosion_is_the_whole_unit() -> None:
    answer = ask("explosion", models="unit='Furnace company'")
    assert (
        answer.start.groups[0].group.models
        == ask("explosion", passenger_unit="Furnace company").start.passengers.models
        == 10
    )
    assert answer.odds("casualties").mean == 10 * F(1, 3) * F(1, 3)
