"""Assaults: the printed chances of grenades, who strikes, and blows by all faces."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec import Struct

from battletape.errors import Refused, UnknownName
from battletape.odds import Odds
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import assault, troops, walkers
from battletape.rulesets.vehicles5.rules.assault import Blow, Melee, Struck, aimed, begin_melee, grenade_blow
from battletape.rulesets.vehicles5.rules.damage import Condition, hit_of, row_of_value
from battletape.rulesets.vehicles5.rules.shooting import Shot, expected
from battletape.rulesets.vehicles5.rules.traits import Row, Traits
from battletape.rulesets.vehicles5.rules.walkers import Foot, foot_blows
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import Point
from battletape.tape.exact import Exact
from tests.vehicles5.by_hand import apply_results
from tests.vehicles5.odds import plain, ruled

F = Fraction
GUN = Condition(weapons=("gun",))
BATCH = Rulings(volley_order="batch")
WALKER = Traits(walker=True)
MELTA = {10: (F(1, 36), F(35, 36)), 11: (F(1, 18), F(11, 12)), 12: (F(1, 12), F(5, 6)), 13: (F(1, 9), F(13, 18))}
PRINTED = {  # glance and penetration of a hit
    "assault": {10: (F(1, 6), F(0)), 11: (F(0), F(0)), 14: (F(0), F(0))},
    "defensive": {10: (F(1, 6), F(0)), 11: (F(0), F(0))},
    "krak": {10: (F(1, 6), F(1, 3)), 11: (F(1, 6), F(1, 6)), 12: (F(1, 6), F(0)), 13: (F(0), F(0))},
    "melta_bomb": {**MELTA, 14: (F(5, 36), F(7, 12))},
}


class Exit(Struct, frozen=True):
    may_assault: bool


@pytest.mark.clause("V5-GREN-1", "V5-GREN-2", "V5-GREN-3", "V5-ASLT-4", "V5-ASLT-5", "V5-ASLT-6")
@pytest.mark.parametrize(("needs", "hits"), [(0, F(1)), (4, F(1, 2)), (6, F(1, 6))])
@pytest.mark.parametrize(("name", "av"), [(name, av) for name, row in PRINTED.items() for av in row])
def test_table_of_grenades(name: str, av: int, needs: int, hits: Fraction) -> None:
    found = expected(aimed(grenade_blow(name, 1), needs, av))
    glance, through = PRINTED[name][av]
    assert (found.hits, found.glancing, found.penetrating) == (hits, hits * glance, hits * through)


@pytest.mark.clause("V5-GREN-1")
def test_an_unknown_grenade_names_those_there_are() -> None:
    with pytest.raises(UnknownName, match="krak"):
        grenade_blow("crack", 1)


@pytest.mark.clause("V5-ASLT-3", "V5-ASLT-4")
def test_number_of_attacks() -> None:
    assert assault.attacks(6, 1, two_weapons=True, charged=True) == 18
    assert assault.attacks(5, 1, two_weapons=False, charged=False) == 5
    foot = Foot(attacks=2, two_weapons=5, grenade=grenade_blow("krak", 1))
    assert [blow.attacks for blow in foot_blows(foot, 5, charged=True)] == [5]


@pytest.mark.clause("V5-ASLT-5")
def test_speed_decides_what_hits() -> None:
    found = [assault.to_hit(band) for band in ("stationary", "combat", "cruising", "flat_out")]
    assert found == [0, 4, 6, 6]
    assert assault.to_hit("flat_out", immobilised=True) == 0


@pytest.mark.clause("V5-ASLT-7", "V5-WALK-9")
def test_which_armour() -> None:
    contact = Rulings(assault_facing="contact")
    assert assault.facing(Traits(), "front") == "rear"
    assert assault.facing(Traits(), "side", contact) == "side"
    assert [assault.facing(WALKER, "rear", rules) for rules in (Rulings(), contact)] == ["front", "front"]


@pytest.mark.clause("V5-ASLT-2", "V5-ASLT-3")
def test_who_strikes_by_gaps_and_on_the_table() -> None:
    assert assault.strikers([(0, None), (1.0, 2.0), (3.0, 2.1), (0.5, None)]) == 2
    hull = Hull(Point(0, 0), 0.0, 4.0, 3.0)
    unit = [Base(Point(2.0, 0), 0.5), Base(Point(5.0, 0), 0.5), Base(Point(8.0, 0), 0.5)]
    assert assault.strikers(assault.gaps_to(hull, unit)) == 2
    assert assault.refuse_contact(unit, [hull]) is None
    assert troops.refuse_standing(unit, [hull], ()) is None
    torn = troops.refuse_standing([unit[0], unit[2]], [hull], ())
    away = assault.refuse_contact(unit[1:], [hull])
    assert isinstance(torn, Refused)
    assert isinstance(away, Refused)
    assert (torn.clause, away.clause) == ("V5-CORE-17", "V5-ASLT-2")


@pytest.mark.clause("V5-ASLT-2", "V5-CORE-16")
def test_a_charge_reaches_six_or_the_higher_of_two_dice() -> None:
    assert odds_of(assault.roll_reach).fractions() == {6: 1}
    through = odds_of(assault.roll_reach, True)
    assert (through.mean, through.at_least(4)) == (F(161, 36), F(3, 4))


@pytest.mark.clause("V5-ASLT-1")
def test_whom_a_unit_may_assault() -> None:
    assert assault.refuse_assault(False) is None
    assert assault.refuse_reach(6.0) is None
    assert assault.refuse_assault(False, may_after_exit=True) is None
    refused = [
        assault.refuse_assault(True),
        assault.refuse_reach(6.1),
        assault.refuse_assault(False, may_after_exit=False),
        assault.refuse_assault(False, target_destroyed=True),
    ]
    assert [one and one.clause for one in refused] == ["V5-ASLT-1", "V5-CORE-16", "V5-TRAN-8", "V5-DMG-5"]


@pytest.mark.clause("V5-ASLT-8", "V5-WALK-8", "V5-WALK-13")
def test_nothing_follows_but_walkers_fight_on() -> None:
    assert walkers.in_a_fight(Traits(tank=True)) == ()
    assert walkers.in_a_fight(WALKER) == ("fight", "pile_in", "sweeping_advance", "consolidate")
    assert walkers.in_a_fight(WALKER, Condition(immobilised=True)) == ("fight",)


def by_faces(blows: int, needs: int, gap: int, order: str) -> dict[tuple[Condition, int], Fraction]:
    """Conditions and damage rolls of blows, over all faces of the dice to hit, to penetrate and of damage."""
    one: Counter[Row | None] = Counter()
    for hit, penetration, damage in product(range(1, 7), repeat=3):
        found = hit_of(gap, penetration) if hit >= needs else "none"
        one[None if found == "none" else row_of_value(damage - 2 * (found == "glance"))] += 1
    counts: Counter[tuple[Condition, int]] = Counter()
    for rows in product(one, repeat=blows):
        ways = 1
        for row in rows:
            ways *= one[row]
        made = [row for row in rows if row is not None]
        after = apply_results(GUN, made, order)  # type: ignore[arg-type]
        kept = Condition(status=after.status) if after.is_destroyed else after
        counts[kept, len(made)] += ways
    return {key: Fraction(ways, 6 ** (3 * blows)) for key, ways in counts.items()}


def struck(traits: Traits, start: Condition, blow: Shot, rules: Rulings) -> Odds[Melee]:
    melee = begin_melee(ruled(start, rules), (blow,) * 3, traits.walker)
    return Exact().run(assault.ASSAULT, melee)


@pytest.mark.clause("V5-WALK-12", "V5-ASLT-6", "V5-WALK-8")
@pytest.mark.parametrize("rules", [Rulings(), BATCH])
@pytest.mark.parametrize("strength", [8, 10])
def test_blows_at_a_walker_by_all_faces(rules: Rulings, strength: int) -> None:
    blow, *_ = aimed(Blow("fist", 3, strength), 4, 12, rules=rules, walker=True)
    run = struck(WALKER, GUN, blow, rules)
    found = run.project(lambda melee: (plain(melee.now), melee.wounds)).fractions()
    assert found == by_faces(3, 4, 12 - strength, rules.volley_order)


@pytest.mark.clause("V5-ASLT-6", "V5-ASLT-5")
@pytest.mark.parametrize("rules", [Rulings(), BATCH])
def test_blows_at_a_vehicle_by_all_faces(rules: Rulings) -> None:
    blow, *_ = aimed(Blow("fist", 3, 8), 6, 10, rules=rules)
    run = struck(Traits(), GUN, blow, rules)
    wanted: Counter[Condition] = Counter()
    for (after, _), chance in by_faces(3, 6, 2, rules.volley_order).items():
        wanted[after] += chance  # type: ignore[assignment]
    assert run.project(lambda melee: plain(melee.now)).fractions() == wanted


@pytest.mark.clause("V5-WALK-12")
def test_a_worked_example_three_blows_of_strength_eight() -> None:
    blows = aimed(Blow("fist", 3, 8), 4, 12, walker=True)
    wounds = odds_of(assault.rain_on, GUN, blows).project(lambda struck: struck.wounds)
    assert (wounds.mean, wounds.chance(0)) == (F(3, 4), F(27, 64))


@pytest.mark.clause("V5-WALK-12")
def test_a_damage_roll_without_effect_still_counts() -> None:
    nothing = Rulings(damage_range="nothing")
    (blow,) = aimed(grenade_blow("krak", 1), 0, 12, rules=nothing, walker=True)
    odds = odds_of(assault.count_blow, Struck(GUN), blow)
    assert odds.chance(Struck(GUN, 1)) == F(1, 6) * F(1, 3)


@pytest.mark.clause("V5-ASLT-6", "V5-OPEN-5", "V5-CORE-14")
def test_blows_have_no_ap_and_special_rules_turn_them() -> None:
    assert aimed(Blow("fist", 1, 8), 4, 12)[0].modifier == 0
    assert aimed(Blow("fist", 1, 8), 4, 12, rules=Rulings(ap_none_modifier=-1))[0].modifier == -1
    assert aimed(Blow("fist", 1, 8), 4, 12, open_topped=True)[0].modifier == 1
    assert aimed(Blow("fist", 1, 8, rules=("tank_hunters",)), 4, 12)[0].gap == 3
    assert aimed(Blow("bomb", 1, 8, rules=("melta",)), 4, 12)[0].dice == "2d6"


def test_who_is_destroyed_already_is_not_struck() -> None:
    wreck = Condition(status="wrecked")
    blow, *_ = aimed(Blow("fist", 3, 8), 0, 10)
    for traits, rules in product((Traits(), WALKER), (Rulings(), BATCH)):
        run = struck(traits, wreck, blow, rules)
        assert run.project(lambda melee: (plain(melee.now), melee.wounds)).fractions() == {(wreck, 0): 1}
