"""The battle: blows, reactions, power fields, two weapons, feints, knock-downs, pushes and holds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.inputs import value_of
from battletape.rulesets.deathwatch import RULESET
from battletape.tape.script import Script
from tests.deathwatch.battles import battle, crowd, do, fighter, mob, pass_to, place, refused, state, unit_named

TEODOR = fighter("Brother Teodor")
SWORD, PISTOL, AXE = "Astartes Chainsword", "Astartes Bolt Pistol", "Astartes Power Axe"
GHARN = fighter("Warlord Gharn", 0, 1)


def hit_chance(one, **order) -> Fraction:
    found: Fraction = one.odds("strike", target="Warlord Gharn", **order).odds("hits").at_least(1)
    return found


@pytest.mark.clause("DW-ACT-STANDARD-ATTACK", "DW-COND-ENGAGED", "DW-PIN-3")
def test_a_blow_engages_both():
    game = battle([TEODOR], [GHARN, fighter("Raider", 0, 9, name="Skarr")])
    do(game, "strike", 99, target="Warlord Gharn")
    assert (unit_named(game, "Brother Teodor").engaged_with, unit_named(game, "Warlord Gharn").engaged_with) == (
        ("Warlord Gharn",),
        ("Brother Teodor",),
    )


@pytest.mark.clause("DW-EVA-1", "DW-EVA-3", "DW-QUAL-POWER-FIELD", "DW-ACT-PARRY")
def test_a_parry_with_a_power_field_may_break_the_weapon_and_uses_the_reaction():
    game = battle([TEODOR], [GHARN])
    told = do(game, "strike", 20, "parry", 48, 75, target="Warlord Gharn")
    assert any("needs 48 or less" in text for text in told)  # an unbalanced axe
    assert unit_named(game, "Brother Teodor").weapon_named(SWORD).destroyed
    assert unit_named(game, "Warlord Gharn").reactions_used == 1
    pass_to(game, "Brother Teodor")
    refused(game, "strike", "DW-QUAL-POWER-FIELD", "destroyed", target="Warlord Gharn", weapon=SWORD)
    assert unit_named(game, "Warlord Gharn").reactions_used == 0


@pytest.mark.clause("DW-EVA-1", "DW-ACT-MULTIPLE-ATTACKS", "DW-ACT-DEFENSIVE-STANCE")
def test_there_is_one_reaction_a_round_and_two_in_a_defensive_stance():
    game = battle([TEODOR], [GHARN])
    # the first blow is dodged; the second cannot be
    do(game, "strike", 20, "dodge", 36, 20, 1, 1, target="Warlord Gharn", how="swift")
    assert unit_named(game, "Warlord Gharn").reactions_used == 1
    pass_to(game, "Warlord Gharn")
    do(game, "defend")
    pass_to(game, "Brother Teodor")
    assert unit_named(game, "Warlord Gharn").done.defensive
    assert hit_chance(game) == Fraction(55 - 20, 100)
    do(game, "strike", 20, "dodge", 36, 21, "dodge", 99, 1, 1, target="Warlord Gharn", how="swift")
    assert unit_named(game, "Warlord Gharn").reactions_used == 2
    pass_to(game, "Warlord Gharn")
    assert not unit_named(game, "Warlord Gharn").done.defensive


@pytest.mark.clause("DW-ACT-ALL-OUT-ATTACK", "DW-ACT-GUARDED-ATTACK")
def test_all_out_and_guarded_attacks_change_what_comes_after():
    game = battle([TEODOR], [GHARN])
    assert hit_chance(game, how="all_out") - hit_chance(game) == Fraction(20, 100)
    assert hit_chance(game) - hit_chance(game, how="guarded") == Fraction(10, 100)
    do(game, "strike", 99, target="Warlord Gharn", how="all_out")
    pass_to(game, "Warlord Gharn")
    do(game, "strike", 10, 1, target="Brother Teodor", weapon=AXE)  # no reaction is offered
    pass_to(game, "Brother Teodor")
    assert not unit_named(game, "Brother Teodor").done.no_evasion
    do(game, "strike", 99, target="Warlord Gharn", how="guarded")
    pass_to(game, "Warlord Gharn")
    told = do(game, "strike", 10, "dodge", 65, target="Brother Teodor", weapon=AXE)
    assert any("needs 65 or less" in text for text in told)


@pytest.mark.clause("DW-ACT-CHARGE", "DW-COND-PRONE", "DW-ACT-DISENGAGE")
def test_a_charge_runs_up_in_a_line_and_strikes():
    game = battle([TEODOR], [fighter("Warlord Gharn", 0, 13), fighter("Raider", 0, 4, name="Skarr")])
    refused(game, "strike", "DW-ACT-CHARGE", "at least 4 m, got 3 m", target="Skarr", how="charge")
    assert hit_chance(game, how="charge") == Fraction(55 + 10, 100)
    do(game, "strike", 99, target="Warlord Gharn", how="charge")
    assert place(game, "Brother Teodor") == (0, 12)
    pass_to(game, "Brother Teodor")
    refused(game, "strike", "DW-ACT-DISENGAGE", "in melee", target="Skarr", how="charge")
    two = battle([fighter("Brother Teodor", prone=True)], [fighter("Warlord Gharn", 0, 13)])
    refused(two, "strike", "DW-COND-PRONE", "stand first", target="Warlord Gharn", how="charge")


@pytest.mark.clause("DW-ACT-STUN", "DW-STUN-1")
def test_a_blow_to_stun_takes_turns_and_makes_others_bold():
    game = battle([TEODOR], [fighter("Raider", 0, 1, name="Skarr", wounds=10)])
    # 35 to hit; d10 + 8 against 3 + head 4: 10 + 8 - 7 = 11 rounds
    do(game, "strike", 10, 10, target="Skarr", how="stun")
    assert unit_named(game, "Skarr").conditions.stunned == 11
    pass_to(game, "Skarr")
    refused(game, "move", "DW-STUN-1", "stunned for 11 rounds", x=1, y=1)
    refused(game, "drop", "DW-STUN-1", "can do nothing")
    pass_to(game, "Brother Teodor")
    assert unit_named(game, "Skarr").conditions.stunned == 10
    assert game.odds("strike", target="Skarr").odds("hits").at_least(1) == Fraction(55 + 20, 100)


@pytest.mark.clause("DW-ACT-FEINT", "DW-EVA-1")
def test_a_feint_that_works_cannot_be_met_and_is_used_up():
    game = battle([TEODOR], [GHARN])
    do(game, "contest", 5, 99, target="Warlord Gharn", what="feint")
    assert unit_named(game, "Brother Teodor").fooled_enemy == "Warlord Gharn"
    do(game, "strike", 10, 1, 1, target="Warlord Gharn")  # no reaction is offered
    assert unit_named(game, "Brother Teodor").fooled_enemy == ""
    two = battle([TEODOR], [GHARN])
    do(two, "contest", 5, 99, target="Warlord Gharn", what="feint")
    for left in ("Warlord Gharn", ""):
        pass_to(two, "Brother Teodor")
        if left:
            assert unit_named(two, "Brother Teodor").fooled_enemy == left
    assert unit_named(two, "Brother Teodor").fooled_enemy == ""


@pytest.mark.clause("DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-UNARM-2", "DW-FAT-1")
def test_knock_downs_and_pushes():
    game = battle([TEODOR], [GHARN])
    do(game, "contest", 1, 99, 5, target="Warlord Gharn", what="knock_down")  # four degrees: a blow and fatigue
    gharn = unit_named(game, "Warlord Gharn").conditions
    assert (gharn.prone, gharn.fatigue) == (True, 1)
    do(game, "contest", 5, 99, target="Warlord Gharn", what="manoeuvre", direction=90, follow=True)
    assert (place(game, "Warlord Gharn")[0], place(game, "Brother Teodor")[0]) == (1, 1)
    two = battle([TEODOR], [GHARN])
    told = do(two, "contest", 99, 99, target="Warlord Gharn", what="knock_down")
    assert told.index("The attacker has failed by two degrees or more, and falls") < told.index(
        "Brother Teodor is prone."
    )
    assert unit_named(two, "Brother Teodor").conditions.prone


@pytest.mark.clause("DW-ACT-MANOEUVRE", "DW-COND-ENGAGED")
@pytest.mark.parametrize(("direction", "engaged"), [(0, ()), (180, ("Warlord Gharn",))])
def test_a_fighter_pushed_out_of_reach_is_out_of_the_melee(direction: int, engaged: tuple[str, ...]):
    teodor, gharn = fighter("Brother Teodor"), fighter("Warlord Gharn", 0, 1.5)
    pushed = battle([teodor], [gharn])
    do(pushed, "contest", 5, 99, target="Warlord Gharn", what="manoeuvre", direction=direction)
    assert unit_named(pushed, "Brother Teodor").engaged_with == engaged


@pytest.mark.clause("DW-TWOW-2", "DW-TWOW-1", "DW-ACT-MULTIPLE-ATTACKS")
def test_both_weapons_strike_once_each_and_need_the_talent():
    game = battle([TEODOR], [GHARN])
    order = {"target": "Warlord Gharn", "how": "two_weapons", "weapon": SWORD, "weapon2": PISTOL}
    refused(game, "strike", "DW-TWOW-2", "needs weapon2", **{**order, "weapon2": ""})
    told = do(game, "strike", 99, 90, **order)
    assert sum("Both weapons -10" in text for text in told) == 2
    assert (
        unit_named(game, "Brother Teodor").weapon_named(PISTOL).clip
        == unit_named(game, "Brother Teodor").weapon_named(PISTOL).profile.clip - 1
    )
    pass_to(game, "Warlord Gharn")
    refused(
        game,
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
    game = battle([TEODOR], [fighter("Raider", 0, 1, name="Skarr", wounds=30, kind="character")])
    # 55 - 10 against an armed man; d5 of 5 and SB 8 are 10, less flak 4 twice... and TB 3
    told = do(game, "strike", 11, 5, target="Skarr", how="grapple")
    assert "Skarr is in a grapple with Brother Teodor." in told
    pass_to(game, "Skarr")
    refused(game, "move", "DW-ACT-GRAPPLE", "in a grapple", x=4, y=4)
    refused(game, "grapple", "DW-ACT-GRAPPLE", "only try to escape", what="damage")
    do(game, "grapple", 99, 1, what="escape")
    pass_to(game, "Brother Teodor")
    do(game, "grapple", 1, 99, what="throw_down")
    assert unit_named(game, "Skarr").conditions.prone
    pass_to(game, "Brother Teodor")
    do(game, "grapple", 1, 99, 5, what="damage")
    assert unit_named(game, "Skarr").conditions.fatigue >= 1
    pass_to(game, "Skarr")
    do(game, "grapple", 1, 99, what="escape")
    assert not unit_named(game, "Brother Teodor").grappled_with


@pytest.mark.clause("DW-COND-HELPLESS")
def test_melee_finds_the_helpless_surely():
    game = battle([fighter("Brother Cato", weapons=["Net"], arsenal=[NET]), TEODOR], [GHARN])
    do(game, "shoot", 11, "none", 1, 99, target="Warlord Gharn")
    pass_to(game, "Brother Teodor")
    assert hit_chance(game) == 1


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
    game = battle([TEODOR], [mob(y=1, magnitude=20), fighter("Raider", 30, 30, name="Skarr")])
    # 55 + 20 = 75: 05 gives seven degrees, three hits
    do(game, "strike", 5, 9, 9, 9, 9, 9, 9, target="Raider mob")
    assert crowd(game).magnitude == 17
    game.push("end_turn")
    told = do(game, "horde_strikes", 10, 5, 5)  # a d10 more for ten of them; nobody evades
    assert "Raider mob attacks Brother Teodor with Improvised" in told


@pytest.mark.clause("DW-UNARM-2", "DW-HORDE-15")
def test_armour_is_doubled_against_the_fists_of_a_mob():
    game = battle([TEODOR], [mob(y=1, magnitude=20, weapons=["Autogun"]), fighter("Raider", 30, 30, name="Skarr")])
    do(game, "strike", 5, 9, 9, 9, 9, 9, 9, target="Raider mob")
    game.push("end_turn")
    told = do(game, "horde_strikes", 10, 10, 10)
    assert "Brother Teodor: 20 on the head, less 24 (AP 8 doubled, TB 8): 0 through" in told


@pytest.mark.clause("DW-HORDE-16")
def test_a_mob_below_a_quarter_breaks_without_a_test_and_a_quarter_lost_needs_one():
    game = battle([TEODOR], [mob(y=1, magnitude=20, lost=14), fighter("Raider", 30, 30, name="Skarr")])
    do(game, "strike", 5, 9, 9, 9, 9, target="Raider mob")  # 55: five degrees, two hits
    told = do(game, "end_turn")
    assert "Raider mob breaks and runs." in told
    assert state(game).active == "Skarr"
    assert unit_named(game, "Brother Teodor").engaged_with == ()
    two = battle([TEODOR], [mob(y=1, magnitude=12), fighter("Raider", 30, 30, name="Skarr")])
    do(two, "strike", 1, *((9, 9) * 3), target="Raider mob")
    told = do(two, "end_turn", 28)  # Willpower 28, more than half is left
    assert any("needs 28 or less" in text for text in told)
    assert not crowd(two).broken
    assert crowd(two).lost_since == 0


@pytest.mark.clause("DW-QUAL-FLAME", "DW-QUAL-BLAST", "DW-SCAT-2", "DW-TWOW-2")
@pytest.mark.parametrize(
    ("quality", "dice", "health"),
    [
        ("Flame", (41, 35, 9, 30), 75),  # the Agility test, the body, damage, and no fire
        ("Blast (3)", (90, 2, 3, 35, 9), 75),  # a miss, three metres on, the body, damage
    ],
)
def test_the_second_weapon_may_throw_flames_or_burst(quality: str, dice: tuple[int, ...], health: int):
    blade = {"name": "blade", "kind": "Melee", "melee": True, "damage": "1d10"}
    pistol = {"name": "pistol", "kind": "Pistol", "range": 20, "damage": "1d10+9", "clip": 9, "qualities": [quality]}
    held = {"weapons": ["blade", "pistol"], "arsenal": [blade, pistol]}
    ours = {"name": "A", "ws": 30, "bs": 30, "talents": ["Two Weapon Wielder"], **held}
    game = battle([ours], [{"name": "B", "y": 1, "wounds": 90, "agility": 40, "dodge": 0}])
    tape = Script(99, *dice)  # the blade misses
    game.push("strike", target="B", how="two_weapons", weapon="blade", weapon2="pistol", tape=tape)
    assert tape.used_up
    assert unit_named(game, "B").health == health


@pytest.mark.clause("DW-QUAL-CONCUSSIVE", "DW-STUN-1", "DW-ACT-STUN")
def test_stunning_by_the_weapon_is_told_and_by_critical_rows_if_it_is_asked():
    hammer = fighter("Brother Teodor", weapons=["Astartes Thunder Hammer"])
    unaware = fighter("Warlord Gharn", 0, 1, surprised=True)
    told = battle([hammer], [unaware]).odds("strike", target="Warlord Gharn", how="all_out")
    asked = RULESET.ask(
        "fight",
        attacker="Brother Teodor",
        weapon="Astartes Thunder Hammer",
        action="all_out",
        target="Warlord Gharn",
        surprised=True,
        measures=["stunned"],
    )
    assert told.odds("stunned").fractions() == asked.odds("stunned").fractions()
    assert told.odds("stunned").at_least(1) > Fraction(1, 5)
    assert f"stunned {told.chance('stunned')}" in told.headline
    game = battle([TEODOR], [fighter("Warlord Gharn", 0, 1, damage_taken=20)])
    plain = game.odds("strike", target="Warlord Gharn", how="all_out")
    assert not plain.includes("stunned")
    assert "stunned" not in plain.headline
    rows = game.odds("strike", target="Warlord Gharn", how="all_out", measures=["stunned"])
    assert rows.odds("stunned").at_least(1) > 0
    assert rows.odds("damage").fractions() == plain.odds("damage").fractions()
    # rounds of stun that were there before are not counted, and the longer of two counts
    dazed = battle([hammer], [fighter("Warlord Gharn", 0, 1, stunned=5)])
    assert dazed.odds("strike", target="Warlord Gharn").odds("stunned").at_least(1) < Fraction(1, 100)


@pytest.mark.clause("DW-ACT-READY", "DW-MWEP-00")
@pytest.mark.parametrize("profile", [found.name for found in RULESET.book.entries["character"].values()])
def test_strike_without_a_weapon_means_the_blade_of_the_question(profile):
    own = RULESET.ask("fight", attacker=profile, target="Raider").inputs.weapon
    game = battle([fighter(profile, name="Own")], [fighter("Raider", 0, 1, name="Foe")])
    reason = game.refusal("strike", target="Foe")
    if reason is None:
        assert value_of(game.push("strike", target="Foe", tape=1).params, "weapon") == own
    else:
        assert str(reason).startswith(f"{own} is not in hand; ready it first")
        do(game, "drop", unit="Own")
        do(game, "ready", unit="Own", weapon=own)
        assert value_of(game.push("strike", target="Foe", tape=1).params, "weapon") == own


@pytest.mark.clause("DW-ACT-READY", "DW-ACT-DISENGAGE")
def test_a_blade_put_away_is_not_struck_with_at_once():
    game = battle([fighter("Brother Cato")], [fighter("Raider", 0, 1, name="Skarr")])
    refused(game, "strike", "DW-ACT-READY", "Combat Knife is not in hand", target="Skarr")
    assert game.refusal("strike", target="Skarr", weapon="fists") is None
    offered = {option.params.weapon for option in game.legal() if option.action.name == "strike"}
    assert offered <= {"fists", ""}
