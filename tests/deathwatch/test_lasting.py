"""Lasting effects of critical rows: rows by location, armour lost, characteristics lowered."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.answer import Answer
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle import turn
from battletape.rulesets.deathwatch.questions._inputs import BETWEEN_ATTACKS
from battletape.rulesets.deathwatch.rules import conditions, wounds
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.attack.procedures import one_on_one
from battletape.rulesets.deathwatch.rules.attack.records import (
    AttackDraft,
    Defender,
    share_armour_losses,
    with_armour_loss_at,
)
from battletape.rulesets.deathwatch.rules.attack.stages import later_spots
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, Conditions
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.lenses import lens
from battletape.rulesets.deathwatch.rules.traits import SPOTS
from battletape.rulesets.deathwatch.rules.wounds import Victim
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.deathwatch import twin
from tests.deathwatch.battles import battle, do, fighter, state, unit_named
from tests.deathwatch.exactly import HARM, one_attack, unstruck, whole_attack

NAKED: dict[str, Any] = {"head": 0, "arm": 0, "body": 0, "leg": 0, "tb": 0, "unnatural_toughness": 1, "toughness": 40}
PLATED: dict[str, Any] = {**NAKED, "head": 40, "arm": 40, "body": 10, "leg": 40}
"""Only hits on the body hurt, and with 1d5+8 one in five of them does 3."""


def shoot(**given: Any) -> Answer:
    plain: dict[str, Any] = {"band": "normal", "pen": 0, "qualities": (), "wounds": 10, "health": 0, "clip": 100}
    return RULESET.ask("shoot", **{**plain, "damage": "1d5", "damage_type": "I", **given})


# --- rows by location -------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-DMG-2")
def test_the_row_shown_is_that_of_the_place():
    found = shoot(mode="semi", semi=3, bs=95, critical_track="by_location", **NAKED)
    rows = {
        0: Fraction(7, 100),
        1: Fraction(3883, 31250),
        2: Fraction(4133, 31250),
        3: Fraction(4383, 31250),
        4: Fraction(4633, 31250),
        5: Fraction(4883, 31250),
        6: Fraction(1, 25),
        7: Fraction(4, 125),
        8: Fraction(171, 3125),
        9: Fraction(17, 250),
        10: Fraction(17, 500),
    }
    assert found.odds("critical_row").fractions() == rows
    assert found.odds("critical").chance("I body 10") == Fraction(7, 500)
    assert found.odds("dead").chance(1) == Fraction(1779, 12500)


def by_spot(hits: int) -> twin.Dist:
    """Return hits of 1d5 from the body on, on a naked target without wounds: place, row, damage and death."""
    found: twin.Dist = {}
    places = twin.places("body", hits)
    arms = [at for at, place in enumerate(places) if place == "arm"]
    for sides in product(("right_arm", "left_arm"), repeat=len(arms)):
        spots = [sides[arms.index(at)] if at in arms else place for at, place in enumerate(places)]
        states: twin.Dist = {((), "", 0, False, 0): Fraction(1, 2 ** len(arms))}
        for spot in spots:
            after: twin.Dist = {}
            for (rows, last, row, dead, total), weight in states.items():
                for face in range(1, 6):
                    if dead:
                        twin.add(after, (rows, last, row, dead, total), weight / 5)
                        continue
                    now = dict(rows)
                    reached = now[spot] = min(10, now.get(spot, 0) + face)
                    sure, may = twin.KILLS["I"][twin.place(spot)]
                    dies = Fraction(reached >= sure) or (Fraction(3, 5) if may and reached >= may else Fraction(0))
                    key = (tuple(sorted(now.items())), spot, reached)
                    twin.add(after, (*key, False, sum(now.values())), weight / 5 * (1 - dies))
                    twin.add(after, ((), spot, reached, True, sum(now.values())), weight / 5 * dies)
            states = after
        for (_, last, row, dead, total), weight in states.items():
            twin.add(found, (last, row, dead, total), weight)
    return found


@pytest.mark.clause("DW-DMG-2", "DW-MULTI-1")
@pytest.mark.parametrize("hits", [1, 3, 5, 6])
def test_places_that_no_hit_will_strike_again_are_forgotten(hits: int):
    draft = AttackDraft(200, target=200, mode="full", rof=hits, dice=1, sides=5, called="body")
    spec = apply_qualities(draft, (), Defender(wounds=9, tb=0, toughness=40), Rulings(critical_track="by_location"))
    wanted = {key: chance * Fraction(93, 100) for key, chance in by_spot(hits).items()}
    start = replace(one_attack(spec, 0), last_attack=unstruck(spec))
    rows = tuple(row for row in lens(HARM) if row[0] is not Exchange)
    kept = Exact(forget=rows).run(one_on_one(start), start)
    forgot = whole_attack(spec, 0)
    for odds in (kept, forgot):
        seen = odds.project(
            lambda after: (
                after.victim.spot,
                wounds.row_of(after.victim),
                after.victim.is_dead,
                wounds.critical_total(after.victim.health),
            )
        )
        assert seen.fractions() == {("", 0, False, 0): Fraction(7, 100), **wanted}
    assert len(forgot.weights) <= len(kept.weights)


@pytest.mark.clause("DW-MULTI-1")
def test_the_spots_that_later_hits_may_strike():
    named = {
        at: tuple(spot for spot, may in zip(SPOTS, later_spots("body", at), strict=True) if may) for at in range(8)
    }
    assert named[0] == named[1] == named[2] == ("head", "right_arm", "left_arm", "body")
    assert named[3] == ("right_arm", "left_arm", "body")
    assert named[4] == named[7] == ("body",)
    assert later_spots("left_leg", 0)[4:] == (False, True)
    assert later_spots("left_leg", 1)[4:] == (False, False)


@pytest.mark.clause("DW-DMG-2")
def test_a_burst_of_ten_by_location_is_whole():
    soft = {**NAKED, "tb": 3}
    found = shoot(mode="full", full=10, bs=60, critical_track="by_location", damage="1d10+3", health=10, **soft)
    assert found.odds("dead").unexplored == 0


# --- armour lost ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-CRIT-2", "DW-DMG-2")
@pytest.mark.parametrize("asked", [(), ("stunned", "prone", "bleeding")])
def test_a_burst_finds_the_armour_gone_that_its_first_hit_destroyed(asked: tuple[str, ...]):
    given = {**PLATED, "mode": "semi", "semi": 2, "bs": 150, "modifier": 60, "damage": "1d5+8", "damage_type": "X"}
    # 37 of the 93 rolls that do not jam are on the body, and so is the second hit; it kills with 9 or more
    assert shoot(**given, measures=asked).odds("dead").chance(1) == Fraction(37, 100) / 5
    assert shoot(**{**given, "damage_type": "I"}, measures=asked).odds("dead").chance(1) == 0
    assert shoot(**{**given, "pen": 10}, measures=asked).odds("dead").chance(1) == Fraction(37, 100)


@pytest.mark.clause("DW-CRIT-2")
def test_later_shots_find_it_gone_as_well():
    given = {**PLATED, "mode": "single", "bs": 150, "modifier": 60, "damage": "1d5+8", "damage_type": "X", "shots": 2}
    # 39 of the 95 rolls that do not jam are on the body
    for asked in ((), ("critical",), ("stunned", "prone", "bleeding")):
        assert shoot(**given, measures=asked).odds("dead").chance(1) == Fraction(39, 100) ** 2 / 5


@pytest.mark.clause("DW-CRIT-2", "DW-DMG-3")
@pytest.mark.parametrize("pen, ways", [(0, 108), (3, 216), (4, 324), (6, 324)])
def test_armour_that_one_weapon_pierces_anyway_is_gone_for_the_other(pen: int, ways: int):
    """By hand: of 1d5+2 behind AP 4 row 3 tears the plate off; the second weapon then needs a row that kills."""
    plain: dict[str, Any] = {**PLATED, "body": 4, "toughness": 45, "wounds": 15, "health": 0, "ws": 80, "sb": 0}
    first = {"damage": "1d5+2", "damage_type": "X", "pen": pen, "qualities": (), "special": "none"}
    second = {"damage2": "1d5+2", "damage_type2": "X", "pen2": 0, "qualities2": (), "special2": "none"}
    more: dict[str, Any] = {"action": "two_weapons", "talents": ("Two Weapon Wielder",), "pair": False}
    answer = RULESET.ask("fight", **plain, **first, **second, **more, fury="none")
    assert answer.odds("dead").chance(1) == Fraction(ways, 15625)


@pytest.mark.clause("DW-CRIT-2", "DW-QUAL-RAZOR")
@pytest.mark.parametrize("pen, ways", [(2, 640), (3, 728)])
def test_armour_that_a_razor_edge_pierces_is_gone_for_a_blow_without_it(pen: int, ways: int):
    plain: dict[str, Any] = {**PLATED, "body": 4, "toughness": 45, "wounds": 15, "health": 0, "ws": 60, "sb": 0}
    blade = {"damage": "1d5+2", "damage_type": "X", "pen": pen, "qualities": ("Razor Sharp",), "special": "none"}
    answer = RULESET.ask("fight", **plain, **blade, action="swift", talents=("Swift Attack",), fury="none")
    assert answer.odds("dead").chance(1) == Fraction(ways, 15625)


@pytest.mark.clause("DW-CRIT-2")
def test_a_helmet_torn_off_and_a_breastplate_cut():
    given = {**PLATED, "head": 10, "mode": "single", "bs": 120, "damage": "1d5+8", "damage_type": "R", "shots": 2}
    head = shoot(**given, called="head").odds("dead")
    assert head.chance(1) == Fraction(95, 100) ** 2 / 5
    body = shoot(**given, called="body").odds("damage")
    # 2, and then 4 through one point less; 3 and 3 as before
    assert body.chance(6) == Fraction(95, 100) ** 2 * (Fraction(1, 25) + Fraction(1, 25))
    assert body.chance(7) == 0


@pytest.mark.clause("DW-CRIT-2", "DW-COVER-1")
def test_armour_lost_and_cover_worn_down_are_both_felt():
    rules = Rulings(cover_degrades=True)
    guard = Defender(ap=(4,) * 6, cover=(3,) * 6, tb=1, wounds=9)
    spec = apply_qualities(AttackDraft(100, dice=1, flat=0, pen=2, damage_type="X"), (), guard, rules)
    body = next(hit for hit in spec.hits if hit.spot == "body")
    assert body.armour_may_go
    assert body.by_cover_lost == body.by_armour_lost[0] == (6, 5, 4, 3)
    assert body.by_armour_lost[4] == (2, 1, 1, 1)
    assert wounds.damage_through_cover(Victim(-3, new_armour_loss=(("body", 4),)), 9, body)[1] == 7
    assert wounds.damage_through_cover(Victim(-3, cover_lost=1, new_armour_loss=(("body", 1),)), 9, body)[1] == 5
    assert not any(hit.armour_may_go for hit in spec.hits if hit.spot != "body")


@pytest.mark.clause("DW-CRIT-2", "DW-DMG-2")
def test_the_log_counts_armour_that_a_row_takes_hit_by_hit():
    given = {"head": 8, "arm": 8, "body": 8, "leg": 8, "tb": 0, "wounds": 5, "health": 0, "toughness": 150}
    given |= {"to_hit": 80, "mode": "semi", "semi": 2, "damage": "1d10+5", "pen": 0, "qualities": ()}
    told = RULESET.roll("shoot", tape=Script(44, 6, 6), **given).log  # the body twice
    sums = [line for line in told if not line.question and ("= 11" in line.text or "through" in line.text)]
    assert [(line.text, line.result) for line in sums] == [
        ("6 + 5 = 11 on the body", "11"),
        ("Less 8 (AP 8, TB 0): 3 through", "3"),
        ("6 + 5 = 11 on the body", "11"),
        ("Less 0, 8 fewer than at first: 11 through", "11"),
    ]
    assert [line.result for line in told if ", row " in line.text] == ["3", "14"]


@pytest.mark.clause("DW-CRIT-2")
def test_two_weapons_feel_what_the_other_destroyed():
    guard = Defender(ap=(8,) * 6, tb=0, wounds=9)
    pistol, sword = (apply_qualities(AttackDraft(100, damage_type=letter), (), guard) for letter in ("X", "E"))  # type: ignore[arg-type]
    assert any(hit.armour_may_go for hit in pistol.hits)
    assert not any(hit.armour_may_go for hit in sword.hits)
    first, second = share_armour_losses((pistol, sword))
    assert [hit.spot for hit in second.hits if hit.armour_may_go] == ["body"]  # explosions take no helmet
    body = next(hit for hit in second.hits if hit.spot == "body")
    assert wounds.take_hit_part(Script(5), Victim(-3, new_armour_loss=(("body", 8),)), body).health == -8
    assert wounds.take_hit_part(Script(5), Victim(-3), body).health == -3
    assert share_armour_losses((sword, sword)) == (sword, sword)
    assert not any(hit.armour_may_go for hit in with_armour_loss_at(first, ()).hits)
    assert with_armour_loss_at(sword, ()) == sword
    weak = apply_qualities(AttackDraft(100, damage_type="X"), (), replace(guard, sudden_death=True))
    assert not any(hit.armour_may_go for hit in weak.hits)


@pytest.mark.clause("DW-CRIT-2")
def test_a_row_for_bare_places_strikes_where_the_armour_has_gone():
    hit = Hit("body", dice=1, damage_type="X", ap=1, by_armour_lost=((1,), (0,)), armour_may_go=True, reduction=1)
    start = Victim(-1, conditions=Conditions(), new_armour_loss=(("body", 1),))
    thrown = wounds.take_hit_part(Script(2, 3), start, hit)  # row 3: thrown 3 metres, two levels of fatigue for each
    assert thrown.conditions is not None
    assert thrown.conditions.notes == ("thrown 3 m",)
    armoured = wounds.take_hit_part(Script(3), replace(start, new_armour_loss=()), hit)
    assert armoured.new_armour_loss == (("body", 1),)
    assert armoured.conditions == Conditions(armour_lost=(("body", 99),))


@pytest.mark.clause("DW-CRIT-2")
def test_several_attacks_say_what_they_leave_out():
    given = {**PLATED, "mode": "single", "bs": 50}
    assert BETWEEN_ATTACKS in shoot(**given, shots=2).cautions
    assert BETWEEN_ATTACKS not in shoot(**given).cautions
    assert BETWEEN_ATTACKS not in shoot(**given, shots=2, minion=True).cautions
    assert BETWEEN_ATTACKS in RULESET.ask("fight", action="swift", talents=["Swift Attack"]).cautions
    assert (
        BETWEEN_ATTACKS
        in RULESET.ask("horde_attacks", horde="Raider mob", mode="single", target="Brother Cato").cautions
    )
    assert (
        BETWEEN_ATTACKS
        in RULESET.ask("fire_mode", weapon="Lasgun", bs=45, target="Raider", turns=2, minion=False).cautions
    )
    assert "armour lost" in RULESET.ask("duel", rounds=1).warnings[0]


@pytest.mark.clause("DW-COVER-1", "DW-HORDE-15")
def test_cover_wears_down_under_the_attacks_of_a_horde():
    given: dict[str, Any] = {**NAKED, "mode": "single", "bs": 150, "magnitude": 10, "damage": "1d10", "turns": 2}
    given |= {"cover": "8", "hidden": ["all"], "wounds": 60, "qualities": (), "cover_degrades": True}
    rolls = {-1: Fraction(5, 100)}  # a jam; else a d10 and another for ten of them
    for one, two in product(range(1, 11), repeat=2):
        twin.add(rolls, one + two, Fraction(95, 10_000))
    wanted: twin.Dist = {}
    for (one, first), (two, second) in product(rolls.items(), repeat=2):
        twin.add(wanted, max(0, one - 8) + max(0, two - (7 if one > 8 else 8)), first * second)
    assert RULESET.ask("horde_attacks", **given).odds("damage").fractions() == wanted


# --- the battle -------------------------------------------------------------------------------------------------------

GHARN = fighter("Warlord Gharn", 0, 20, damage_taken=38)


@pytest.mark.clause("DW-CRIT-2", "DW-DMG-2")
def test_in_a_battle_the_second_hit_finds_the_armour_gone():
    game = battle([fighter("Brother Cato")], [GHARN])
    # both on the body: 14 less 11 is row 3, and the same less 10 makes it row 7: stunned 1, fatigue 1
    do(game, "shoot", 23, "none", *(7, 2, 1), *(7, 2, 1), 1, 1, target="Warlord Gharn", mode="semi")
    gharn = unit_named(game, "Warlord Gharn")
    assert gharn.health == -7
    assert gharn.conditions.armour_lost == (("body", 99),)


@pytest.mark.clause("DW-COND-FIRE", "DW-DMG-2")
def test_in_a_battle_fire_counts_at_the_body():
    game = battle([fighter("Brother Cato")], [GHARN], {"critical_track": "by_location"})
    field, gharn = state(game), unit_named(game, "Warlord Gharn")
    burning = replace(gharn, health=-6, by_spot=(5, 0, 0, 1, 0, 0), conditions=Conditions(on_fire=True))
    weak = replace(burning, profile=replace(gharn.profile, toughness=9, unnatural_toughness=1, toughness_bonus=0))
    after = turn.finish_turn(Script(1, 99), field.with_units(weak)).fighter("Warlord Gharn")
    assert (after.health, after.by_spot) == (-7, (5, 0, 0, 2, 0, 0))  # Energy, body, row 2: a level of fatigue
    assert after.conditions.unconscious


@pytest.mark.clause("DW-CRIT-2", "DW-TEST-4")
def test_lower_characteristics_lower_their_bonuses():
    hurt = Conditions(penalties=(("ag", 0, FOR_GOOD), ("s", 0, FOR_GOOD), ("t", -9, FOR_GOOD), ("ws", -10, 3)))
    assert conditions.characteristic(hurt, "ag", 45) == 22
    assert conditions.characteristic(hurt, "t", 45) == 36
    assert conditions.characteristic(hurt, "t", 4) == 0
    assert conditions.characteristic(hurt, "ws", 45) == 45
    assert conditions.modifiers_of(hurt, "t") == ()
    assert [modifier.value for modifier in conditions.modifiers_of(hurt, "ws")] == [-10]
    cato = unit_named(battle([fighter("Brother Cato")], [GHARN]), "Brother Cato")
    own = replace(cato.profile, strength=45, toughness=45, agility=45)
    plain, worse = replace(cato, profile=own), replace(cato, profile=own, conditions=hurt)
    lower = [getattr(plain, name) - getattr(worse, name) for name in ("sb", "tb", "ab")]
    assert lower == [2 * own.unnatural_strength, own.unnatural_toughness, 2]
