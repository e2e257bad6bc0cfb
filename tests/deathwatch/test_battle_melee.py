"""The battle: blows, reactions, power fields, two weapons, feints, knock-downs, pushes and holds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.deathwatch.battles import battle, crowd, do, fighter, mob, pass_to, refused, state, who

TEODOR = fighter("Brother Teodor")
SWORD, PISTOL, AXE = "Astartes Chainsword", "Astartes Bolt Pistol", "Astartes Power Axe"
GHARN = fighter("Warlord Gharn", 0, 1)


def hit_chance(one, **order) -> Fraction:
    found: Fraction = one.odds("strike", target="Warlord Gharn", **order).odds("hits").at_least(1)
    return found


@pytest.mark.clause("DW-ACT-STANDARD-ATTACK", "DW-COND-ENGAGED", "DW-PIN-3")
def test_a_blow_engages_both_and_distance_is_refused():
    one = battle([TEODOR], [GHARN, fighter("Raider", 0, 9, name="Skarr")])
    refused(one, "strike", "DW-COND-ENGAGED", "9 m away", target="Skarr")
    refused(one, "strike", "DW-MWEP-00", "is a gun", target="Warlord Gharn", weapon=PISTOL)
    do(one, "strike", 99, target="Warlord Gharn")
    assert (who(one, "Brother Teodor").engaged_with, who(one, "Warlord Gharn").engaged_with) == (
        ("Warlord Gharn",),
        ("Brother Teodor",),
    )


@pytest.mark.clause("DW-EVA-1", "DW-EVA-3", "DW-QUAL-POWER-FIELD", "DW-ACT-PARRY")
def test_a_parry_with_a_power_field_may_break_the_weapon_and_uses_the_reaction():
    one = battle([TEODOR], [GHARN])
    told = do(one, "strike", 20, "parry", 48, 75, target="Warlord Gharn")
    assert any("needs 48 or less" in text for text in told)  # an unbalanced axe
    assert who(one, "Brother Teodor").carries(SWORD).destroyed
    assert who(one, "Warlord Gharn").reactions_used == 1
    pass_to(one, "Brother Teodor")
    refused(one, "strike", "DW-QUAL-POWER-FIELD", "destroyed", target="Warlord Gharn", weapon=SWORD)
    assert who(one, "Warlord Gharn").reactions_used == 0


@pytest.mark.clause("DW-EVA-1", "DW-ACT-MULTIPLE-ATTACKS", "DW-ACT-DEFENSIVE-STANCE")
def test_there_is_one_reaction_a_round_and_two_in_a_defensive_stance():
    one = battle([TEODOR], [GHARN])
    # the first blow is dodged; the second cannot be
    do(one, "strike", 20, "dodge", 36, 20, 1, 1, target="Warlord Gharn", how="swift")
    assert who(one, "Warlord Gharn").reactions_used == 1
    pass_to(one, "Warlord Gharn")
    do(one, "defend")
    pass_to(one, "Brother Teodor")
    assert who(one, "Warlord Gharn").defensive
    assert hit_chance(one) == Fraction(55 - 20, 100)
    do(one, "strike", 20, "dodge", 36, 21, "dodge", 99, 1, 1, target="Warlord Gharn", how="swift")
    assert who(one, "Warlord Gharn").reactions_used == 2
    pass_to(one, "Warlord Gharn")
    assert not who(one, "Warlord Gharn").defensive


@pytest.mark.clause("DW-ACT-ALL-OUT-ATTACK", "DW-ACT-GUARDED-ATTACK")
def test_all_out_and_guarded_attacks_change_what_comes_after():
    one = battle([TEODOR], [GHARN])
    assert hit_chance(one, how="all_out") - hit_chance(one) == Fraction(20, 100)
    assert hit_chance(one) - hit_chance(one, how="guarded") == Fraction(10, 100)
    do(one, "strike", 99, target="Warlord Gharn", how="all_out")
    pass_to(one, "Warlord Gharn")
    do(one, "strike", 10, 1, target="Brother Teodor", weapon=AXE)  # no reaction is offered
    pass_to(one, "Brother Teodor")
    assert not who(one, "Brother Teodor").no_evasion
    do(one, "strike", 99, target="Warlord Gharn", how="guarded")
    pass_to(one, "Warlord Gharn")
    told = do(one, "strike", 10, "dodge", 65, target="Brother Teodor", weapon=AXE)
    assert any("needs 65 or less" in text for text in told)


@pytest.mark.clause("DW-ACT-CHARGE", "DW-COND-PRONE", "DW-ACT-DISENGAGE")
def test_a_charge_runs_up_in_a_line_and_strikes():
    one = battle([TEODOR], [fighter("Warlord Gharn", 0, 13), fighter("Raider", 0, 4, name="Skarr")])
    refused(one, "strike", "DW-ACT-CHARGE", "at least 4 m, got 3 m", target="Skarr", how="charge")
    assert hit_chance(one, how="charge") == Fraction(55 + 10, 100)
    do(one, "strike", 99, target="Warlord Gharn", how="charge")
    assert (who(one, "Brother Teodor").x, who(one, "Brother Teodor").y) == (0, 12)
    pass_to(one, "Brother Teodor")
    refused(one, "strike", "DW-ACT-DISENGAGE", "in melee", target="Skarr", how="charge")
    two = battle([fighter("Brother Teodor", prone=True)], [fighter("Warlord Gharn", 0, 13)])
    refused(two, "strike", "DW-COND-PRONE", "stand first", target="Warlord Gharn", how="charge")


@pytest.mark.clause("DW-ACT-STUN", "DW-STUN-1")
def test_a_blow_to_stun_takes_turns_and_makes_others_bold():
    one = battle([TEODOR], [fighter("Raider", 0, 1, name="Skarr", wounds=10)])
    # 35 to hit; d10 + 8 against 3 + head 4: 10 + 8 - 7 = 11 rounds
    do(one, "strike", 10, 10, target="Skarr", how="stun")
    assert who(one, "Skarr").conditions.stunned == 11
    pass_to(one, "Skarr")
    refused(one, "move", "DW-STUN-1", "stunned for 11 rounds", x=1, y=1)
    refused(one, "drop", "DW-STUN-1", "can do nothing")
    pass_to(one, "Brother Teodor")
    assert who(one, "Skarr").conditions.stunned == 10
    assert one.odds("strike", target="Skarr").odds("hits").at_least(1) == Fraction(55 + 20, 100)


@pytest.mark.clause("DW-ACT-FEINT", "DW-EVA-1")
def test_a_feint_that_works_cannot_be_met_and_is_used_up():
    one = battle([TEODOR], [GHARN])
    do(one, "contest", 5, 99, target="Warlord Gharn", what="feint")
    assert who(one, "Brother Teodor").feinted == "Warlord Gharn"
    do(one, "strike", 10, 1, 1, target="Warlord Gharn")  # no reaction is offered
    assert who(one, "Brother Teodor").feinted == ""
    two = battle([TEODOR], [GHARN])
    do(two, "contest", 5, 99, target="Warlord Gharn", what="feint")
    for left in ("Warlord Gharn", ""):
        pass_to(two, "Brother Teodor")
        if left:
            assert who(two, "Brother Teodor").feinted == left
    assert who(two, "Brother Teodor").feinted == ""


@pytest.mark.clause("DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-UNARM-2", "DW-FAT-1")
def test_knock_downs_and_pushes():
    one = battle([TEODOR], [GHARN])
    do(one, "contest", 1, 99, 5, target="Warlord Gharn", what="knock_down")  # four degrees: a blow and fatigue
    gharn = who(one, "Warlord Gharn").conditions
    assert (gharn.prone, gharn.fatigue) == (True, 1)
    do(one, "contest", 5, 99, target="Warlord Gharn", what="manoeuvre", direction=90, follow=True)
    assert (who(one, "Warlord Gharn").x, who(one, "Brother Teodor").x) == (1, 1)
    two = battle([TEODOR], [GHARN])
    do(two, "contest", 99, 99, target="Warlord Gharn", what="knock_down")
    assert who(two, "Brother Teodor").conditions.prone


@pytest.mark.clause("DW-ACT-MANOEUVRE", "DW-COND-ENGAGED")
@pytest.mark.parametrize(("direction", "engaged"), [(0, ()), (180, ("Warlord Gharn",))])
def test_a_fighter_pushed_out_of_reach_is_out_of_the_melee(direction: int, engaged: tuple[str, ...]):
    teodor, gharn = fighter("Brother Teodor"), fighter("Warlord Gharn", 0, 1.5)
    pushed = battle([teodor], [gharn])
    do(pushed, "contest", 5, 99, target="Warlord Gharn", what="manoeuvre", direction=direction)
    assert who(pushed, "Brother Teodor").engaged_with == engaged


@pytest.mark.clause("DW-TWOW-2", "DW-TWOW-1", "DW-ACT-MULTIPLE-ATTACKS")
def test_both_weapons_strike_once_each_and_need_the_talent():
    one = battle([TEODOR], [GHARN])
    order = {"target": "Warlord Gharn", "how": "two_weapons", "weapon": SWORD, "weapon2": PISTOL}
    refused(one, "strike", "DW-TWOW-2", "needs weapon2", **{**order, "weapon2": ""})
    told = do(one, "strike", 99, 90, **order)
    assert sum("Both weapons -10" in text for text in told) == 2
    assert who(one, "Brother Teodor").carries(PISTOL).clip == who(one, "Brother Teodor").carries(PISTOL).weapon.clip - 1
    pass_to(one, "Warlord Gharn")
    refused(
        one,
        "strike",
        "DW-TWOW-2",
        "talent",
        target="Brother Teodor",
        how="two_weapons",
        weapon=AXE,
        weapon2="Autopistol",
    )


@pytest.mark.clause("DW-UNARM-1", "DW-UNARM-2", "DW-UNARM-3", "DW-ACT-GRAPPLE")
def test_fists_tire_and_a_hold_leaves_nothing_but_the_hold():
    one = battle([TEODOR], [fighter("Raider", 0, 1, name="Skarr", wounds=30, kind="character")])
    # 55 - 10 against an armed man; d5 of 5 and SB 8 are 10, less flak 4 twice... and TB 3
    told = do(one, "strike", 11, 5, target="Skarr", how="grapple")
    assert "Skarr is in a grapple with Brother Teodor." in told
    pass_to(one, "Skarr")
    refused(one, "move", "DW-ACT-GRAPPLE", "in a grapple", x=4, y=4)
    refused(one, "grapple", "DW-ACT-GRAPPLE", "only try to escape", what="damage")
    do(one, "grapple", 99, 1, what="escape")
    pass_to(one, "Brother Teodor")
    do(one, "grapple", 1, 99, what="throw_down")
    assert who(one, "Skarr").conditions.prone
    pass_to(one, "Brother Teodor")
    do(one, "grapple", 1, 99, 5, what="damage")
    assert who(one, "Skarr").conditions.fatigue >= 1
    pass_to(one, "Skarr")
    do(one, "grapple", 1, 99, what="escape")
    assert not who(one, "Brother Teodor").grappled_with


@pytest.mark.clause("DW-COND-HELPLESS")
def test_melee_finds_the_helpless_surely():
    one = battle([fighter("Brother Cato", weapons=["Net"], arsenal=[NET]), TEODOR], [GHARN])
    do(one, "shoot", 11, "none", 1, 99, target="Warlord Gharn")
    pass_to(one, "Brother Teodor")
    assert hit_chance(one) == 1


NET = {
    "name": "Net",
    "kind": "Pistol",
    "range": 30,
    "damage": "1d10",
    "damage_type": "I",
    "clip": 3,
    "qualities": ["Snare"],
}


@pytest.mark.clause("DW-HORDE-10", "DW-HORDE-15", "DW-HORDE-16", "DW-HORDE-14")
def test_a_mob_is_struck_strikes_back_and_breaks():
    one = battle([TEODOR], [mob(y=1, magnitude=20), fighter("Raider", 30, 30, name="Skarr")])
    refused(one, "strike", "DW-HPIPE-1", "no places", target="Raider mob", how="called", called="head")
    refused(one, "strike", "DW-HORDE-1", "is a horde", target="Raider mob", how="stun")
    # 55 + 20 = 75: 05 gives seven degrees, three hits
    do(one, "strike", 5, 9, 9, 9, 9, 9, 9, target="Raider mob")
    assert crowd(one).magnitude == 17
    one.push("end_turn")
    refused(one, "shoot", "DW-HORDE-15", "is a horde", target="Brother Teodor")
    told = do(one, "horde_strikes", 10, 5, 5)  # a d10 more for ten of them; nobody evades
    assert "Raider mob attacks Brother Teodor with Improvised" in told


@pytest.mark.clause("DW-HORDE-16")
def test_a_mob_below_a_quarter_breaks_without_a_test_and_a_quarter_lost_needs_one():
    one = battle([TEODOR], [mob(y=1, magnitude=20, lost=14), fighter("Raider", 30, 30, name="Skarr")])
    do(one, "strike", 5, 9, 9, 9, 9, target="Raider mob")  # 55: five degrees, two hits
    told = do(one, "end_turn")
    assert "Raider mob breaks and runs." in told
    assert state(one).active == "Skarr"
    assert who(one, "Brother Teodor").engaged_with == ()
    two = battle([TEODOR], [mob(y=1, magnitude=12), fighter("Raider", 30, 30, name="Skarr")])
    do(two, "strike", 1, *((9, 9) * 3), target="Raider mob")
    told = do(two, "end_turn", 28)  # Willpower 28, more than half is left
    assert any("needs 28 or less" in text for text in told)
    assert not crowd(two).broken
    assert crowd(two).lost_since == 0
