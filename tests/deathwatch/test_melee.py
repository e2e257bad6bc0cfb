"""Melee: actions, strength, several attacks, two weapons, bare fists, and one against the other."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from battletape.errors import UnknownName
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.profiles import book
from battletape.rulesets.deathwatch.profiles.types import Character
from battletape.rulesets.deathwatch.rules import melee
from battletape.rulesets.deathwatch.rules.attack.fighters import (
    AttackSetting,
    CarriedWeapon,
    Fighter,
    draft_of,
    fists_of,
    strength_bonus_of,
)
from battletape.rulesets.deathwatch.rules.attack.stages import reactions_per_round
from battletape.rulesets.deathwatch.rules.d100_tests import Contestant
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape.script import Script
from tests.deathwatch.exactly import odds_of

BOOK = book.book()
FIST, SWORD, BOLTER, PISTOL = (
    BOOK.find("weapon", name)
    for name in ("Astartes Power Fist", "Astartes Chainsword", "Astartes Bolter (Godwyn)", "Astartes Bolt Pistol")
)
CORRECTED = Rulings(combat_table="corrected")


@pytest.mark.clause("DW-ACT-ALL-OUT-ATTACK", "DW-ACT-GUARDED-ATTACK", "DW-ACT-CALLED-SHOT", "DW-ACT-CHARGE")
@pytest.mark.parametrize(
    "action, adds", [("standard", 0), ("all_out", 20), ("charge", 10), ("guarded", -10), ("called", -20), ("stun", -20)]
)
def test_what_an_action_adds(action, adds):
    called = {"called": "head"} if action == "called" else {}
    assert RULESET.ask("fight", action=action, qualities=(), **called, **BRIEF).start.spec.total == adds


BRIEF: dict[str, str] = {}


@pytest.mark.clause("DW-ACT-DEFENSIVE-STANCE")
def test_a_defensive_stance_gives_a_reaction_more_and_is_harder_to_hit():
    assert (reactions_per_round(), reactions_per_round(True)) == (1, 2)
    assert RULESET.ask("fight", ws=50, defensive_stance=True, **BRIEF).start.spec.target == 30


@pytest.mark.clause("DW-MWEP-00", "DW-MWEP-05")
@pytest.mark.parametrize(
    "base, multiplier, flat, rules, added",
    [
        (4, 1, 0, DEFAULT, 8),
        (4, 2, 0, DEFAULT, 16),
        (4, 2, 2, DEFAULT, 20),
        (4, 1, 0, Rulings(power_fist="multiplier_plus_one"), 8),
        (4, 2, 0, Rulings(power_fist="multiplier_plus_one"), 12),
        (4, 2, 2, Rulings(power_fist="multiplier_plus_one"), 14),
    ],
)
def test_fists_of_power_double_strength(base, multiplier, flat, rules, added):
    own = Character(strength=10 * base, unnatural_strength=multiplier, strength_bonus=flat)
    who = Fighter(name="", side="", profile=own)
    assert strength_bonus_of(who, CarriedWeapon(FIST), rules) == added
    assert strength_bonus_of(who, CarriedWeapon(SWORD), rules) == base * multiplier + flat


@pytest.mark.clause("DW-MWEP-00", "DW-MWEP-15")
@pytest.mark.parametrize(
    "weapon, strength, span",
    [
        ("Astartes Chainsword", {"sb": 8}, (8, 12, 21)),
        ("Improvised", {}, (0, 0, 8)),
        ("Astartes Power Fist", {"sb": 8, "times_sb": 2}, (16, 18, 36)),
    ],
)
def test_the_span_of_damage(weapon, strength, span):
    found = RULESET.ask("hit", weapon=weapon, **strength)
    least, *_, most = found.odds("damage").values()
    (added,) = found.odds("strength").values()
    assert (added, least, most) == span


# --- several attacks and two weapons ----------------------------------------------------------------------------------


@pytest.mark.clause("DW-ACT-MULTIPLE-ATTACKS")
def test_talents_for_several_attacks_replace_each_other():
    assert melee.attacks_of([]) == 1
    assert melee.attacks_of(["Swift Attack"]) == 2
    assert melee.attacks_of(["lightning attack", "Swift Attack"]) == 3


@pytest.mark.clause("DW-ACT-MULTIPLE-ATTACKS")
@pytest.mark.parametrize(
    "action, talent, attacks", [("swift", "Swift Attack", 2), ("lightning", "Lightning Attack", 3)]
)
def test_every_attack_is_rolled_by_itself(action, talent, attacks):
    odds = RULESET.ask("fight", action=action, talents=[talent], to_hit=40, wounds=90, **BRIEF).odds("hits")
    twin: dict[int, Fraction] = {}
    for rolls in product((True, False), repeat=attacks):
        chance = Fraction(1)
        for hit in rolls:
            chance *= Fraction(40 if hit else 60, 100)
        twin[sum(rolls)] = twin.get(sum(rolls), Fraction(0)) + chance
    assert odds.fractions() == twin


@pytest.mark.clause("DW-TWOW-1")
def test_two_weapons_need_one_hand_each():
    assert melee.refuse_two_weapons((SWORD, PISTOL)) is None
    assert melee.refuse_two_weapons((BOOK.find("weapon", "Astartes Chainfist"), PISTOL)) is None
    assert "needs both hands (Basic)" in str(melee.refuse_two_weapons((BOLTER, PISTOL)))


@pytest.mark.clause("DW-TWOW-1", "DW-TWOW-2")
def test_what_two_weapons_take_from_a_roll():
    def took(hand, both, ambidextrous=False, rulings=DEFAULT):
        talents = ["Ambidextrous"] if ambidextrous else []
        return sum(modifier.value for modifier in melee.hand_modifiers(hand, both, talents, rulings))

    assert [took("main", False), took("off", False), took("off", False, True)] == [0, -20, 0]
    assert [took("main", True), took("off", True)] == [-20, -20]
    assert [took("main", True, True), took("off", True, True)] == [-10, -10]
    adds = Rulings(two_weapons_off_hand="adds")
    assert [took("main", True, rulings=adds), took("off", True, rulings=adds)] == [-20, -40]
    assert [took("main", True, True, adds), took("off", True, True, adds)] == [-10, -10]


@pytest.mark.clause("DW-TWOW-2")
@pytest.mark.parametrize(
    "talents, chances", [((), ("49/100", "21/50", "9/100")), (("Ambidextrous",), ("9/25", "12/25", "4/25"))]
)
def test_an_attack_with_both_weapons(talents, chances):
    given = {"action": "two_weapons", "ws": 50, "talents": ["Two Weapon Wielder", *talents], "wounds": 90}
    odds = RULESET.ask("fight", **given, **BRIEF).odds("hits").fractions()
    assert odds == dict(enumerate(map(Fraction, chances)))


@pytest.mark.clause("DW-TWOW-2")
def test_both_weapons_need_the_talent_for_their_kind():
    assert melee.refuse_both((SWORD, PISTOL), ["Two Weapon Wielder"]) is None
    assert melee.refuse_both((SWORD, SWORD), ["Two Weapon Wielder (Melee)"]) is None
    assert "the talent Two Weapon Wielder (Ballistic) (DW-TWOW-2)" in str(
        melee.refuse_both((SWORD, PISTOL), ["Two Weapon Wielder (Melee)"])
    )
    assert "Two Weapon Wielder (DW-TWOW-2)" in str(melee.refuse_both((), ["Ambidextrous"]))


@pytest.mark.clause("DW-TWOW-3")
def test_two_guns_fire_at_neighbours():
    assert [melee.refuse_two_targets(metres) is None for metres in (0, 10, 10.5, 11)] == [True, True, False, False]
    assert "these are 11 m apart (DW-TWOW-3)" in str(melee.refuse_two_targets(11))


# --- bare fists -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-UNARM-1", "DW-SUMM-UNARMED_VS_ARMED")
def test_fists_against_an_armed_enemy():
    def target(**given):
        return RULESET.ask("fight", action="unarmed", ws=45, **given, **BRIEF).start.spec.target

    assert target() == 35
    assert target(armed=False) == 45
    assert target(combat_table="corrected") == 25
    assert target(modifier=10) == 45


@pytest.mark.clause("DW-UNARM-2")
def test_damage_of_fists():
    assert fists(0, 0, 0).project(lambda got: got[0]).fractions() == {
        0: Fraction(3, 5),
        1: Fraction(1, 5),
        2: Fraction(1, 5),
    }
    assert melee.fist().damage == "1d5-3"
    assert melee.fist(["Unarmed Warrior"]).damage == "1d10-3"
    assert melee.fist(["unarmed master", "Unarmed Warrior"]).damage == "1d10"
    for talents, doublings in (((), 1), (("Unarmed Master",), 0)):
        who = Fighter(name="", side="", profile=Character(talents=talents))
        assert draft_of(who, fists_of(who), who, AttackSetting()).armour_doublings == doublings
    assert (melee.fist().damage_type, melee.fist().pen, melee.fist().melee) == ("I", 0, True)


@pytest.mark.clause("DW-UNARM-2", "DW-UNARM-3")
@pytest.mark.parametrize("sb, ap, tb", [(8, 0, 3), (8, 4, 4), (10, 0, 3), (4, 0, 3), (8, 0, 8), (9, 2, 3), (3, 0, 0)])
@pytest.mark.parametrize("ruling", ["net", "raw"])
def test_fists_by_faces(sb, ap, tb, ruling):
    twin: dict[tuple[int, bool], Fraction] = {}
    for face in range(1, 6):
        raw = max(0, face - 3 + sb)
        through = max(0, raw - 2 * ap - tb)
        felt = raw if ruling == "raw" else through
        key = (through, felt > 0 and felt >= tb)
        twin[key] = twin.get(key, Fraction(0)) + Fraction(1, 5)
    assert fists(sb, ap, tb, unarmed_fatigue=ruling).fractions() == twin


@pytest.mark.clause("DW-UNARM-3")
def test_fists_tire_by_the_damage_that_gets_through():
    def tiring(sb, tb, **rulings):
        return fists(sb, 0, tb, **rulings).chance(lambda got: got[1])

    assert [tiring(8, 3), tiring(4, 3), tiring(8, 8)] == [1, Fraction(1, 5), 0]
    assert tiring(8, 8, unarmed_fatigue="raw") == Fraction(3, 5)
    blow = {"action": "unarmed", "to_hit": 25, "sb": 8, "tb": 3, "unnatural_toughness": 1, **BRIEF}
    assert RULESET.ask("fight", **blow, head=0, arm=0, body=0, leg=0).odds("tired").chance(1) == Fraction(1, 4)


def fists(sb, ap, tb, **rulings):
    """Damage that gets through of a fist that hits, and whether it tires."""
    body = {"head": ap, "arm": ap, "body": ap, "leg": ap, "tb": tb, "unnatural_toughness": 1, "wounds": 90}
    found = RULESET.ask("fight", action="unarmed", sb=sb, **body, **BRIEF, **rulings)
    hits = found.states.given(lambda bout: bout.hits)
    return hits.project(lambda bout: (90 - bout.victim.health, bout.gains_fatigue))


# --- stunning and one against the other -------------------------------------------------------------------------------


@pytest.mark.clause("DW-ACT-STUN")
def test_a_blow_to_stun():
    def rounds(tb, head):
        body = {"tb": tb, "unnatural_toughness": 1, "head": head}
        return RULESET.ask("fight", action="stun", ws=50, sb=8, **body, **BRIEF).odds("stunned_rounds")

    assert rounds(8, 8).fractions() == {0: Fraction(91, 100), 1: Fraction(3, 50), 2: Fraction(3, 100)}
    assert rounds(4, 4).at_least(1) == Fraction(3, 10)
    assert melee.stun_rounds(Script(8), 8, 8, 8) == 1  # equal is a round as well
    assert melee.stun_rounds(Script(7), 8, 8, 8) == 0


@pytest.mark.clause("DW-ACT-FEINT", "DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE")
@pytest.mark.parametrize("one, other, chance", [((50, 5), (45, 4), "21/50"), ((45, 4), (35, 3), "81/200")])
def test_one_against_the_other(one, other, chance):
    odds = odds_of(melee.roll_trial, "feint", Contestant(*one), Contestant(*other))
    assert odds.chance(lambda found: found[0]) == Fraction(chance)


def knocked(one, other):
    """A knock-down by both rolls, written down anew."""
    twin: dict[tuple[bool, bool, bool], Fraction] = {}
    for mine, yours in product(range(1, 101), repeat=2):
        hit, held = mine <= one[0], yours <= other[0]
        by, against = (one[0] - mine) // 10, (other[0] - yours) // 10
        won = hit and (not held or by > against or (by == against and one[1] > other[1]))
        ahead = by - (against if held else 0)
        key = (won, won and ahead >= 2, not won and not hit and (mine - one[0]) // 10 >= 2)
        twin[key] = twin.get(key, Fraction(0)) + Fraction(1, 10_000)
    return twin


@pytest.mark.clause("DW-ACT-KNOCK-DOWN")
@pytest.mark.parametrize("one, other", [((60, 6), (45, 4)), ((30, 3), (55, 5))])
def test_a_knock_down_by_faces(one, other):
    odds = odds_of(melee.roll_trial, "knock_down", Contestant(*one), Contestant(*other)).fractions()
    assert {tuple(fall): chance for (_, fall), chance in odds.items()} == knocked(one, other)


@pytest.mark.clause("DW-ACT-KNOCK-DOWN")
def test_a_knock_down_of_the_book():
    odds = odds_of(melee.roll_trial, "knock_down", Contestant(60, 6), Contestant(45, 4))
    assert odds.chance(lambda found: found[0] and found[1].target_prone) == Fraction(13, 25)


@pytest.mark.clause("DW-ACT-GRAPPLE")
def test_uses_of_a_grapple_are_refused_to_the_held_one():
    assert "start with a hit by bare hands" in str(
        melee.refuse_grapple("damage", "Gharn", grappled=False, controls=False)
    )
    assert melee.refuse_grapple("throw_down", "Gharn", grappled=True, controls=True) is None
    assert melee.refuse_grapple("escape", "Gharn", grappled=True, controls=False) is None
    assert "nothing to escape from" in str(melee.refuse_grapple("escape", "Gharn", grappled=True, controls=True))
    assert "can only try to escape" in str(melee.refuse_grapple("damage", "Gharn", grappled=True, controls=False))
    with pytest.raises(UnknownName, match="Did you mean 'throw_down'"):
        melee.refuse_grapple("throw_dow", "Gharn", grappled=True, controls=True)
