"""The question fight: every action of melee, reactions, power fields, two weapons and bare fists."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest

from battletape.answer import sample
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.questions._inputs import MeleeAction
from battletape.tape.script import Script

F = Fraction
TALENTS = ["Lightning Attack", "Swift Attack", "Two Weapon Wielder"]
EVERY = get_args(MeleeAction)


def ask(**given):
    return RULESET.ask("fight", **given)


def hits(**given):
    return ask(**given).odds("hits").fractions()


@pytest.mark.clause("DW-ACT-ALL-OUT-ATTACK", "DW-ACT-CHARGE", "DW-ACT-GUARDED-ATTACK", "DW-ACT-CALLED-SHOT")
@pytest.mark.parametrize(
    "action, aim", [("standard", 45), ("all_out", 65), ("charge", 55), ("guarded", 35), ("called", 25)]
)
def test_what_each_action_needs(action, aim):
    called = "head" if action == "called" else None
    answer = ask(action=action, ws=45, called=called)
    assert answer.start.spec.target == aim
    assert answer.odds("hits").chance(1) == F(aim, 100)
    assert answer.odds("jammed").chance(1) == 0


@pytest.mark.clause("DW-CRAFT-BEST", "DW-MWEP-01")
def test_the_best_chainsword():
    answer = ask(ws=45, grade="best", head=0, arm=0, body=0, leg=0, tb=0, wounds=40)
    assert answer.start.spec.target == 55
    damage = answer.odds("damage")
    assert damage.at_least(20) / damage.at_least(1) == F(51, 100)
    assert damage.chance(22) / damage.at_least(1) == F(19, 100)


@pytest.mark.clause("DW-MWEP-00", "DW-MWEP-05")
@pytest.mark.parametrize("ruling, least, most", [("literal_double", 18, 36), ("multiplier_plus_one", 14, 32)])
def test_a_power_fist(ruling, least, most):
    bare = dict.fromkeys(("head", "arm", "body", "leg", "tb"), 0)
    odds = ask(weapon="Astartes Power Fist", sb=8, wounds=40, power_fist=ruling, **bare).odds("damage")
    assert (min(odds.values()), max(odds.values())) == (0, most)
    assert sorted(odds.values())[1] == least


@pytest.mark.clause("DW-QUAL-SPECIAL", "DW-MWEP-03")
def test_lightning_claws_cut_deeper_with_every_degree():
    bare = dict.fromkeys(("head", "arm", "body", "leg", "tb"), 0)
    given = {"weapon": "Astartes Lightning Claw", "ws": 50, "wounds": 60, **bare}
    assert max(ask(**given).odds("damage").values()) == 24 + 4
    assert max(ask(**given, pair=True).odds("damage").values()) == 24 + 8


# --- reactions --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-EVA-3", "DW-ACT-PARRY")
def test_a_parry_undoes_the_hit():
    answer = ask(ws=60, parry=55, reaction="parry")
    assert answer.odds("landed").chance(1) == F(27, 100)
    assert answer.odds("hits").chance(1) == F(3, 5)
    assert ask(ws=60, parry=45, parry_with="Astartes Chainsword", reaction="parry").odds("landed").chance(1) == F(
        27, 100
    )
    assert ask(ws=60, parry=45, guarded=True, reaction="parry").odds("landed").chance(1) == F(27, 100)


@pytest.mark.clause("DW-QUAL-POWER-FIELD")
def test_a_power_field_breaks_what_it_parries():
    given = {"ws": 100, "parry": 50, "parry_with": "Astartes Power Sword", "reaction": "parry"}
    assert ask(**given).odds("weapon_destroyed").chance(1) == F(3, 5) * F(3, 4)
    assert ask(**given, weapon="Astartes Power Axe").odds("weapon_destroyed").chance(1) == 0
    fists = ask(**{**given, "ws": 110}, action="unarmed")
    assert (fists.odds("landed").chance(0), fists.odds("weapon_destroyed").chance(1)) == (F(3, 5), 0)


@pytest.mark.clause("DW-QUAL-POWER-FIELD")
@pytest.mark.parametrize("ruling, chance", [("own_parry", 0), ("any_clash", F(9, 20))])
def test_the_ruling_lets_a_parried_power_field_break_too(ruling, chance):
    given = {"ws": 100, "parry": 60, "reaction": "parry", "weapon": "Astartes Power Axe", "power_field": ruling}
    assert ask(**given).odds("parry_destroyed").chance(1) == chance


@pytest.mark.clause("DW-QUAL-UNWIELDY")
def test_a_defender_with_an_unwieldy_weapon_dodges():
    choosing = ask(parry=50, parry_with="Astartes Power Fist", dodge=30, reaction="choose", ws=100)
    assert choosing.odds("landed").chance(1) == F(7, 10)


@pytest.mark.clause("DW-ACT-GRAPPLE", "DW-EVA-1")
def test_a_grappled_target_is_hit_20_more_easily():
    assert ask(grappled=True).start.spec.target == ask().start.spec.target + 20


@pytest.mark.clause("DW-EVA-1", "DW-ACT-MULTIPLE-ATTACKS")
def test_one_reaction_meets_one_of_several_attacks():
    given = {"action": "swift", "talents": TALENTS, "ws": 50, "parry": 40, "reaction": "parry"}
    twin = {0: F(0), 1: F(0), 2: F(0)}
    for first in (True, False):
        for second in (True, False):
            for parried in (True, False):
                chance = F(1, 4) * F(2 if parried else 3, 5)
                landed = first + second - (parried and (first or second))
                twin[landed] += chance
    assert ask(**given).odds("landed").fractions() == twin
    both = ask(**given, defensive_stance=True, modifier=20)  # the stance is -20, and gives a second reaction
    lands = F(1, 2) * F(3, 5)
    assert both.odds("landed").chance(2) == lands**2
    assert both.odds("landed").chance(0) == (1 - lands) ** 2


@pytest.mark.clause("DW-ACT-MULTIPLE-ATTACKS")
def test_swift_and_lightning_attacks():
    assert hits(action="swift", talents=TALENTS) == {0: F(1, 4), 1: F(1, 2), 2: F(1, 4)}
    assert hits(action="lightning", talents=TALENTS)[3] == F(1, 8)


@pytest.mark.clause("DW-QUAL-POWER-FIELD", "DW-ACT-MULTIPLE-ATTACKS")
def test_a_broken_weapon_strikes_no_more():
    given = {"action": "swift", "talents": TALENTS, "parry": 80, "parry_with": "Astartes Power Sword"}
    tape = Script(30, 50, 70)  # to hit, parry, power field: the second attack is not made
    roll = RULESET.roll("fight", tape=tape, reaction="parry", **given)
    assert (roll.results["weapon_destroyed"], roll.results["hits"], tape.used_up) == (1, 1, True)


@pytest.mark.clause("DW-ACT-FEINT")
def test_a_feint_that_works_cannot_be_met():
    given = {"action": "feint_and_attack", "ws": 50, "target_ws": 45, "parry": 100, "reaction": "parry"}
    answer = ask(**given)
    assert answer.odds("won").chance(1) == F(21, 50)
    assert answer.odds("landed").chance(1) == F(21, 50) * F(1, 2)
    assert "The feint works 42 %" in answer.headline


# --- two weapons ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-TWOW-2")
@pytest.mark.parametrize("talents, aims", [(TALENTS, (30, 30)), ([*TALENTS, "Ambidextrous"], (40, 40))])
def test_an_attack_with_both_weapons(talents, aims):
    found = hits(action="two_weapons", talents=talents)
    one, two = (F(aim, 100) for aim in aims)
    assert found == {0: (1 - one) * (1 - two), 1: one + two - 2 * one * two, 2: one * two}


@pytest.mark.clause("DW-TWOW-2", "DW-JAM-1")
def test_the_second_weapon_may_be_a_pistol_and_jam():
    answer = ask(action="two_weapons", attacker="Brother Teodor", weapon2="Astartes Bolt Pistol", target="Raider")
    assert [spec.target for spec in (answer.start.spec, answer.start.later_attacks[1].spec)] == [45, 30]
    assert answer.odds("jammed").chance(1) > F(0)
    assert answer.start.later_attacks[1].spec.melee is False


@pytest.mark.clause("DW-TWOW-1")
def test_the_off_hand_alone():
    assert hits(ws=45, off_hand=True)[1] == F(1, 4)
    assert hits(ws=45, off_hand=True, talents=["Ambidextrous"])[1] == F(9, 20)


# --- fists, stunning and strength -------------------------------------------------------------------------------------


@pytest.mark.clause("DW-UNARM-1", "DW-UNARM-2", "DW-UNARM-3")
def test_bare_fists():
    bare = {"head": 0, "arm": 0, "body": 0, "leg": 0, "tb": 3, "unnatural_toughness": 1}
    answer = ask(action="unarmed", ws=45, sb=8, **bare)
    assert answer.start.spec.target == 35
    assert answer.odds("tired").chance(1) == F(35, 100)
    assert answer.odds("damage").fractions() == {0: F(65, 100), **dict.fromkeys(range(3, 8), F(7, 100))}
    assert ask(action="unarmed", ws=45, armed=False, **bare).start.spec.target == 45
    plated = ask(action="unarmed", ws=60, sb=8, **{**bare, "body": 4, "head": 4, "arm": 4, "leg": 4})
    assert plated.odds("damage").fractions() == {0: 1}
    master = ask(action="unarmed", ws=60, sb=8, talents=["Unarmed Master"], **{**bare, "body": 4})
    assert max(master.odds("damage").values()) == 10 + 8 - 3


@pytest.mark.clause("DW-UNARM-3")
@pytest.mark.parametrize("ruling, chance", [("net", 0), ("raw", F(3, 5))])
def test_the_ruling_of_fatigue_by_fists(ruling, chance):
    bare = {"head": 0, "arm": 0, "body": 0, "leg": 0, "tb": 8, "unnatural_toughness": 1}
    assert ask(action="unarmed", ws=110, sb=8, unarmed_fatigue=ruling, **bare).odds("tired").chance(1) == chance


@pytest.mark.clause("DW-ACT-STUN")
def test_a_blow_to_stun():
    answer = ask(action="stun", ws=50, sb=8, tb=4, unnatural_toughness=2, head=8)
    assert answer.odds("stunned_rounds").fractions() == {0: F(91, 100), 1: F(3, 50), 2: F(3, 100)}
    assert answer.odds("damage").fractions() == {0: 1}
    assert answer.headline == "Stuns 9.0 % of the time."


@pytest.mark.clause("DW-ACT-KNOCK-DOWN")
def test_a_knock_down():
    answer = ask(action="knock_down", own_strength=60, sb=6, strength=45, target_sb=4)
    assert answer.odds("thrown_down").chance(1) == answer.odds("won").chance(1) == F(13, 25)
    assert 0 < answer.odds("tired").chance(1) < F(13, 25)
    assert answer.odds("attacker_prone").chance(1) == F(21, 100)  # rolls of 80 and more


@pytest.mark.clause("DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE")
def test_a_push_and_a_hold():
    assert ask(action="manoeuvre", ws=45, target_ws=35).odds("won").chance(1) == F(81, 200)
    held = ask(action="grapple", own_strength=45, sb=4, strength=35, target_sb=3)
    assert held.odds("tired").chance(1) == held.odds("won").chance(1) == F(81, 200)


@pytest.mark.clause("DW-QUAL-CONCUSSIVE", "DW-MWEP-07")
def test_a_thunder_hammer_stuns():
    answer = ask(weapon="Astartes Thunder Hammer", ws=50, toughness=45, wounds=60)
    twin = sum((F(10, 100) * F(100 - (45 - 10 * degrees), 100) for degrees in range(5)), F(0))
    assert answer.odds("stunned").at_least(1) == twin


# --- the rest ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", EVERY)
def test_every_action_is_answered_and_rolled(action):
    given = {"action": action, "talents": TALENTS, "dodge": 40, "parry": 45, "reaction": "choose"}
    given["called"] = "body" if action == "called" else None
    answer = ask(**given)
    assert answer.headline.endswith(".")
    assert answer.steps
    assert sum(answer.odds("damage").fractions().values()) == 1
    assert RULESET.roll("fight", seed=5, **given).log
    rolled = sample(RULESET, RULESET.question("fight"), given, 300, seed=8)
    for measure in ("damage", "landed", "won", "stunned_rounds"):
        apart = abs(float(rolled.odds(measure).mean - answer.odds(measure).mean))
        assert apart < 5 * max(rolled.odds(measure).error, 0.02)


def test_the_log_tells_what_happened():
    text = str(RULESET.roll("fight", tape=Script(23, 60, 9, 3), dodge=30, reaction="dodge"))
    assert "Hits on: body" in text
    assert "15 of 21 wounds left" in text  # 9 + 3 + 8, less 6 and 8
    stunned = str(RULESET.roll("fight", action="stun", tape=Script(23, 10)))
    assert "Stunned for 2 rounds" in stunned
    pushed = str(RULESET.roll("fight", action="knock_down", tape=Script(95, 10)))
    assert "The knock-down does not work" in pushed
    assert "The attacker has failed by two degrees or more, and falls" in pushed
