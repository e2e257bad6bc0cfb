"""Assaults: the printed chances of grenades, who strikes, blows by all faces, and the question assault."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec import Struct

from battletape.errors import Refused, UnknownName
from battletape.odds import Odds
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import assault, troops, walkers
from battletape.rulesets.vehicles5.rules.assault import Blow, Melee, WalkerDamage, grenade_blow, shots_of_blow
from battletape.rulesets.vehicles5.rules.damage import Condition, penetration_result, row_of_value
from battletape.rulesets.vehicles5.rules.shooting import Shot, expected
from battletape.rulesets.vehicles5.rules.traits import DamageRow, Traits
from battletape.rulesets.vehicles5.rules.walkers import SquadFighter, squad_blows
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import Point
from battletape.tape.exact import Exact
from tests.vehicles5.asking import RULES, ask, chance, rows
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
    found = expected(shots_of_blow(grenade_blow(name, 1), needs, av))
    glance, through = PRINTED[name][av]
    assert (found.hits, found.glancing, found.penetrating) == (hits, hits * glance, hits * through)


@pytest.mark.clause("V5-GREN-1")
def test_an_unknown_grenade_names_those_there_are() -> None:
    with pytest.raises(UnknownName, match="krak"):
        grenade_blow("crack", 1)


@pytest.mark.clause("V5-ASLT-3", "V5-ASLT-4")
def test_number_of_attacks() -> None:
    assert assault.attack_count(6, 1, two_weapons=True, charged=True) == 18
    assert assault.attack_count(5, 1, two_weapons=False, charged=False) == 5
    foot = SquadFighter(attacks=2, two_weapons=5, grenade=grenade_blow("krak", 1))
    assert [blow.attacks for blow in squad_blows(foot, 5, charged=True)] == [5]


@pytest.mark.clause("V5-ASLT-5")
def test_speed_decides_what_hits() -> None:
    found = [assault.vehicle_to_hit(band) for band in ("stationary", "combat", "cruising", "flat_out")]
    assert found == [0, 4, 6, 6]
    assert assault.vehicle_to_hit("flat_out", immobilised=True) == 0


@pytest.mark.clause("V5-ASLT-7", "V5-WALK-9")
def test_which_armour() -> None:
    contact = Rulings(assault_facing="contact")
    assert assault.facing_struck(Traits(), "front") == "rear"
    assert assault.facing_struck(Traits(), "side", contact) == "side"
    assert [assault.facing_struck(WALKER, "rear", rules) for rules in (Rulings(), contact)] == ["front", "front"]


@pytest.mark.clause("V5-ASLT-2", "V5-ASLT-3")
def test_who_strikes_by_gaps_and_on_the_table() -> None:
    assert assault.count_strikers([(0, None), (1.0, 2.0), (3.0, 2.1), (0.5, None)]) == 2
    hull = Hull(Point(0, 0), 0.0, 4.0, 3.0)
    unit = [Base(Point(2.0, 0), 0.5), Base(Point(5.0, 0), 0.5), Base(Point(8.0, 0), 0.5)]
    assert assault.count_strikers(assault.gaps_to(hull, unit)) == 2
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
    refused = [
        assault.refuse_assault(True),
        assault.refuse_reach(6.1),
        assault.refuse_assault(False, Condition(status="wrecked")),
        assault.refuse_assault(False, Condition(status="exploded")),
    ]
    assert [one and one.clause for one in refused] == ["V5-ASLT-1", "V5-CORE-16", "V5-DMG-5", "V5-DMG-6"]


@pytest.mark.clause("V5-ASLT-8", "V5-WALK-8", "V5-WALK-13")
def test_nothing_follows_but_walkers_fight_on() -> None:
    assert walkers.fight_actions(Traits(tank=True)) == ()
    assert walkers.fight_actions(WALKER) == ("fight", "pile_in", "sweeping_advance", "consolidate")
    assert walkers.fight_actions(WALKER, Condition(immobilised=True)) == ("fight",)


def by_faces(blows: int, needs: int, gap: int, order: str) -> dict[tuple[Condition, int], Fraction]:
    """Conditions and damage rolls of blows, over all faces of the dice to hit, to penetrate and of damage."""
    one: Counter[DamageRow | None] = Counter()
    for hit, penetration, damage in product(range(1, 7), repeat=3):
        found = penetration_result(gap, penetration) if hit >= needs else "none"
        one[None if found == "none" else row_of_value(damage - 2 * (found == "glance"))] += 1
    counts: Counter[tuple[Condition, int]] = Counter()
    for results in product(one, repeat=blows):
        ways = 1
        for row in results:
            ways *= one[row]
        made = [row for row in results if row is not None]
        after = apply_results(GUN, made, order)  # type: ignore[arg-type]
        kept = Condition(status=after.status) if after.is_destroyed else after
        counts[kept, len(made)] += ways
    return {key: Fraction(ways, 6 ** (3 * blows)) for key, ways in counts.items()}


def struck(traits: Traits, start: Condition, blow: Shot, rulings: Rulings) -> Odds[Melee]:
    ready, blows = ruled(start, rulings), (blow,) * 3
    melee = Melee(ready, ready, (blows,), expected(blows), walker=traits.walker)
    return Exact().run(assault.ASSAULT, melee)


@pytest.mark.clause("V5-WALK-12", "V5-ASLT-6", "V5-WALK-8")
@pytest.mark.parametrize("rulings", [Rulings(), BATCH])
@pytest.mark.parametrize("strength", [8, 10])
def test_blows_at_a_walker_by_all_faces(rulings: Rulings, strength: int) -> None:
    blow, *_ = shots_of_blow(Blow("fist", 3, strength), 4, 12, rulings=rulings, walker=True)
    run = struck(WALKER, GUN, blow, rulings)
    found = run.project(lambda melee: (plain(melee.now), melee.wounds)).fractions()
    assert found == by_faces(3, 4, 12 - strength, rulings.volley_order)


@pytest.mark.clause("V5-ASLT-6", "V5-ASLT-5")
@pytest.mark.parametrize("rulings", [Rulings(), BATCH])
def test_blows_at_a_vehicle_by_all_faces(rulings: Rulings) -> None:
    blow, *_ = shots_of_blow(Blow("fist", 3, 8), 6, 10, rulings=rulings)
    run = struck(Traits(), GUN, blow, rulings)
    wanted: Counter[Condition] = Counter()
    for (after, _), share in by_faces(3, 6, 2, rulings.volley_order).items():
        wanted[after] += share  # type: ignore[assignment]
    assert run.project(lambda melee: plain(melee.now)).fractions() == wanted


@pytest.mark.clause("V5-WALK-12")
def test_a_worked_example_three_blows_of_strength_eight() -> None:
    blows = shots_of_blow(Blow("fist", 3, 8), 4, 12, walker=True)
    wounds = odds_of(assault.resolve_blows_at_walker, GUN, blows).project(lambda struck: struck.wounds)
    assert (wounds.mean, wounds.chance(0)) == (F(3, 4), F(27, 64))


@pytest.mark.clause("V5-WALK-12")
def test_a_damage_roll_without_effect_still_counts() -> None:
    nothing = Rulings(damage_range="nothing")
    (blow,) = shots_of_blow(grenade_blow("krak", 1), 0, 12, rulings=nothing, walker=True)
    odds = odds_of(assault.resolve_blow_at_walker, WalkerDamage(GUN), blow)
    assert odds.chance(WalkerDamage(GUN, 1)) == F(1, 6) * F(1, 3)


@pytest.mark.clause("V5-ASLT-6", "V5-OPEN-5", "V5-CORE-14")
def test_blows_have_no_ap_and_special_rules_turn_them() -> None:
    assert shots_of_blow(Blow("fist", 1, 8), 4, 12)[0].modifier == 0
    assert shots_of_blow(Blow("fist", 1, 8), 4, 12, rulings=Rulings(ap_none_modifier=-1))[0].modifier == -1
    assert shots_of_blow(Blow("fist", 1, 8), 4, 12, open_topped=True)[0].modifier == 1
    assert shots_of_blow(Blow("fist", 1, 8, rules=("tank_hunters",)), 4, 12)[0].armour_gap == 3
    assert shots_of_blow(Blow("bomb", 1, 8, rules=("melta",)), 4, 12)[0].dice == "2d6"


def test_who_is_destroyed_already_is_not_struck() -> None:
    wreck = Condition(status="wrecked")
    blow, *_ = shots_of_blow(Blow("fist", 3, 8), 0, 10)
    for traits, rules in product((Traits(), WALKER), (Rulings(), BATCH)):
        run = struck(traits, wreck, blow, rules)
        assert run.project(lambda melee: (plain(melee.now), melee.wounds)).fractions() == {(wreck, 0): 1}


@pytest.mark.clause("V5-ASLT-6", "V5-GREN-2", "V5-ASLT-4")
def test_assault_in_plain_numbers_and_in_detail() -> None:
    plain = ask("assault", attacks=5, grenade="krak", rear=10, assault_band="combat")
    detail = ask("assault", rear=10, band="combat", attackers=[{"models": 5, "attacks": 3, "grenade": "Krak grenade"}])
    for answer in (plain, detail):
        assert chance(answer, "destroyed") == F(3825755, 15116544)
        assert chance(answer, "unchanged") == F(243, 1024)
    assert plain.headline == "Destroyed 25 %, immobilised or worse 41 %; 2.5 hits expected."


@pytest.mark.clause("V5-ASLT-3", "V5-ASLT-5")
def test_attackers_by_profile() -> None:
    charge = ask("assault", vehicle="Tollgate wagon", attackers="Furnace blades", assault_band="stationary")
    assert len(charge.start.volleys[0]) == 9 * 3 + 1 * 2
    assert charge.odds("expected_hits").mean == 29
    fists = {"unit": "Furnace blades", "models": 1, "weapon": "Power fist", "charged": False}
    answer = ask("assault", vehicle="Tollgate wagon", attackers=[fists], assault_band="stationary")
    assert {blow.armour_gap for blow in answer.start.volleys[0]} == {10 - 8}
    few = ask("assault", attackers=[{"models": 10, "in_reach": 6, "two_weapons": 10}])
    assert len(few.start.volleys[0]) == 18


@pytest.mark.clause("V5-ASLT-7")
def test_the_side_that_is_touched_counts_by_ruling() -> None:
    given = {"front": 13, "side": 12, "rear": 10, "contact": "side", "strength": 8}
    assert ask("assault", **given).start.volleys[0][0].armour_gap == 2
    assert ask("assault", **given, assault_facing="contact").start.volleys[0][0].armour_gap == 4


@pytest.mark.clause("V5-WALK-8", "V5-WALK-9", "V5-WALK-10", "V5-WALK-12")
def test_assault_on_a_walker() -> None:
    given = {"vehicle": "Twin-fisted ogre", "attacks": 5, "ws": 4, "band": "combat"}
    answer = ask("assault", **given, grenade="melta_bomb")
    shot = answer.start.volleys[0][0]
    assert (shot.hits_on, shot.armour_gap, shot.dice) == (6, 5, "2d6")
    assert answer.odds("combat_wounds").mean == 5 * F(1, 6) * F(30, 36)
    assert "wounds for the result" in answer.headline
    helpless = ask("assault", **given, grenade="Melta bomb", stunned=True)
    assert helpless.start.volleys[0][0].hits_on == 4
    assert helpless.start.volleys[0][0].dice == "2d6"


def test_warnings_of_an_assault() -> None:
    answer = ask("assault", rear=11, strength=4, smoke=True)
    assert len(answer.warnings) == 2
    assert "cannot harm" in answer.warnings[0]
    assert "V5-CORE-4" in answer.warnings[1]
    detailed = ask("assault", rear=10, attackers=[{"models": 5, "grenade": "krak"}], strength=10, grenade="melta_bomb")
    assert any("attackers are given in detail" in one for one in detailed.warnings)
    assert not ask("assault", rear=10, attackers=[{"models": 5, "grenade": "krak"}]).warnings


@pytest.mark.clause("V5-WALK-12")
def test_the_log_of_an_assault_on_a_walker_counts_wounds() -> None:
    given: dict[str, Any] = {
        "types": ["walker"],
        "front": 10,
        "attacks": 2,
        "strength": 10,
        "needs": 2,
        "volley_order": "batch",
    }
    lines = [RULES.roll("assault", seed=seed, **given).log[-1] for seed in range(4)]
    assert all(line.clauses == ("V5-WALK-12",) for line in lines)
    assert any("2 wounds" in line.text for line in lines)


@pytest.mark.clause("V5-WALK-10")
def test_grenades_of_a_profile_need_a_six_against_walkers() -> None:
    plain = {"types": ["walker"], "front": 12, "weapons": 1}
    named = RULES.ask("assault", attacks=6, grenade="Krak grenade", **plain)
    assert named.odds("expected_hits").mean == 1
    assert named.odds("unchanged").chance(1) == Fraction(35, 36) ** 6  # a 6 to hit, then a 6 to glance at armour 12
    for same in (
        RULES.ask("assault", attacks=6, grenade="krak", **plain),
        RULES.ask("assault", attackers=[{"models": 6, "grenade": "Krak grenade"}], **plain),
    ):
        assert [same.odds(one.name) for one in same.question.measures] == [
            named.odds(one.name) for one in named.question.measures
        ]
    stunned = RULES.ask("assault", attacks=6, grenade="Krak grenade", stunned=True, **plain)
    assert stunned.odds("expected_hits").mean == 3  # by WS 4 against 4


@pytest.mark.clause("V5-ASLT-2", "V5-ASLT-3")
def test_who_strikes_by_where_they_stand() -> None:
    places = [{"gap": 0}, {"gap": 1, "friend": 2}, {"gap": 1, "friend": 2.5}, {"gap": 3}]
    answer = RULES.ask("assault", attackers=[{"places": places, "attacks": 2, "charged": False}])
    assert rows(answer) == [("attackers", "4", "4", "4+", "rear 10")]


FISTS = "unit='Vault wardens'"


@pytest.mark.clause("V5-ASLT-3", "V5-ASLT-6")
def test_the_fists_of_a_unit_count_in_an_assault() -> None:
    of_profile = ask("assault", rear=12, band="stationary", attackers=FISTS)
    named = ask("assault", rear=12, band="stationary", attackers=f"{FISTS} weapon='Power fist'")
    by_hand = ask("assault", rear=12, band="stationary", attacks=15, strength=8)
    assert of_profile.odds("destroyed") == named.odds("destroyed") == by_hand.odds("destroyed")
    assert of_profile.odds("destroyed").chance(1) > F(9, 10)
    assert of_profile.warnings == ()


@pytest.mark.clause("V5-ASLT-3", "V5-ASLT-6")
def test_one_fist_among_ten_blades_strikes_alone() -> None:
    answer = ask("assault", rear=12, band="stationary", attackers="unit='Furnace blades'")
    by_hand = [{"models": 1, "strength": 4, "times": 2}, {"models": 9, "two_weapons": 9, "strength": 4}]
    assert answer.odds("destroyed") == ask("assault", rear=12, band="stationary", attackers=by_hand).odds("destroyed")
    assert answer.start.volleys[0][0].armour_gap == 12 - 8
    assert (len(answer.start.volleys[0]), answer.start.volleys[0][-1].armour_gap) == (2 + 27, 12 - 4)
    few = ask("assault", rear=12, band="stationary", attackers="unit='Furnace blades' in_reach=1")
    assert [blow.armour_gap for blow in few.start.volleys[0]] == [4, 4]  # the fist is in reach first
    assert "Furnace blades cannot harm" in ask("assault", rear=12, attackers="unit='Furnace blades'").warnings[0]
