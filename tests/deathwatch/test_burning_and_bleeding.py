"""Fire and blood, round by round: exact chances of the catalogue, and twins that walk the faces."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from battletape.answer import ask, roll
from battletape.errors import BadInput
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.profiles.book import book
from battletape.rulesets.deathwatch.questions.bleeding import BLEEDING, warn_bleeding
from battletape.rulesets.deathwatch.questions.burning import BURNING, warn_burning
from battletape.rulesets.deathwatch.rules import burning_and_bleeding
from battletape.rulesets.deathwatch.rules.burning_and_bleeding import BurningState, HazardResult
from battletape.rulesets.deathwatch.rules.conditions import Conditions
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import PRESETS, Rulings
from battletape.system import Ruleset
from battletape.tape.script import Script
from tests.deathwatch.exactly import odds_of

CARD = Ruleset(
    "deathwatch",
    "Deathwatch",
    "fire and blood",
    "battletape.rulesets.deathwatch",
    Rulings,
    (BURNING, BLEEDING),
    PRESETS,
    profiles=book,
)
AUTO = Rulings(auto_results="01_and_00")


def burning(**given):
    return ask(CARD, BURNING, given)


def bleeding(**given):
    return ask(CARD, BLEEDING, given)


# --- fire -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-COND-FIRE")
@pytest.mark.parametrize("tb", [0, 3, 8, 9, 10, 12])
def test_a_round_on_fire(tb: int):
    expected = Counter(max(0, face - tb) for face in range(1, 11))
    assert odds_of(burning_and_bleeding.roll_fire_damage, tb).fractions() == {
        net: Fraction(ways, 10) for net, ways in expected.items()
    }


@pytest.mark.clause("DW-COND-FIRE")
def test_a_round_on_fire_of_a_marine():
    odds = burning(tb=8, rounds=1, puts_out=False)
    assert odds.odds("damage").fractions() == {0: Fraction(4, 5), 1: Fraction(1, 10), 2: Fraction(1, 10)}
    assert odds.odds("fatigue").fractions() == {1: 1}


@pytest.mark.clause("DW-COND-FIRE")
def test_three_rounds_on_fire():
    sums = [sum(max(0, face - 3) for face in faces) for faces in product(range(1, 11), repeat=3)]
    odds = burning(tb=3, rounds=3, wounds=500, puts_out=False).odds("damage")
    assert odds.at_least(10) == Fraction(sum(one >= 10 for one in sums), 1000) == Fraction(197, 500)


@pytest.mark.clause("DW-TEST-5", "DW-BLOOD-2")
def test_a_test_that_only_01_passes_says_so():
    steps = RULESET.ask("bleeding", rounds=1, medicae=1, auto_results="01_and_00").steps
    assert [(step.needed, step.chance) for step in steps if "Medicae" in step.title] == [
        ("1 or less", Fraction(1, 100))
    ]


@pytest.mark.clause("DW-COND-FIRE")
def test_putting_it_out():
    assert burning_and_bleeding.put_out_target(40) == 20
    assert burning_and_bleeding.put_out_target(40, (Modifier("fatigue", -10),)) == 10


@pytest.mark.clause("DW-COND-FIRE")
def test_keeping_his_head():
    assert odds_of(burning_and_bleeding.keeps_calm, 35).chance(True) == Fraction(7, 20)
    assert odds_of(burning_and_bleeding.keeps_calm, 35, True).chance(True) == 1
    assert burning_and_bleeding.keeps_calm(Script(25), 35, False, (Modifier("fatigue", -10),))
    assert not burning_and_bleeding.keeps_calm(Script(26), 35, False, (Modifier("fatigue", -10),))


@pytest.mark.clause("DW-COND-FIRE", "DW-FAT-1")
@pytest.mark.parametrize(("ruling", "penalties"), [("flat", (10, 10, 10)), ("per_level", (10, 20, 30))])
def test_when_the_fire_is_out(ruling: str, penalties: tuple[int, ...]):
    odds = burning(tb=8, rounds=3, agility=60, willpower=50, fatigue_penalty=ruling).odds("out_in")
    still, expected = Fraction(1), {}
    for number, tired in enumerate(penalties, 1):
        chance = Fraction(50 - tired, 100) * Fraction(40 - tired, 100)
        expected[number] = still * chance
        still *= 1 - chance
    assert odds.fractions() == {**expected, 0: still}


@pytest.mark.clause("DW-COND-FIRE")
def test_sealed_armour_needs_no_willpower():
    odds = burning(tb=8, rounds=1, agility=60, willpower=0, sealed=True).odds("out_in")
    assert odds.chance(1) == Fraction(3, 10)
    assert burning(tb=8, rounds=1, agility=60, willpower=0).odds("out_in").chance(1) == 0


@pytest.mark.clause("DW-COND-FIRE", "DW-FAT-1")
def test_fatigue_of_the_fire_fells_him_and_then_he_burns_on():
    answer = burning(tb=2, rounds=4, wounds=500, agility=100, willpower=0)
    assert answer.odds("unconscious").chance(True) == 1
    assert answer.odds("fatigue").fractions() == {3: 1}
    assert answer.odds("damage").mean == 4 * Fraction(sum(max(0, face - 2) for face in range(1, 11)), 10)


@pytest.mark.clause("DW-COND-FIRE", "DW-DMG-4", "DW-CRIT-2")
def test_fire_kills_by_critical_rows():
    # one wound left, TB 0: an energy row on the body at 9 or 10, which a single d10 with one wound left reaches at 10
    assert burning(tb=0, wounds=5, health=1, rounds=1).odds("dead").chance(True) == Fraction(1, 10)
    assert burning(tb=0, wounds=5, health=0, rounds=1).odds("dead").chance(True) == Fraction(2, 10)
    assert burning(tb=0, wounds=5, health=-8, rounds=1).odds("dead").chance(True) == 1
    assert burning(tb=0, wounds=5, health=1, rounds=1, minion=True).odds("dead").chance(True) == Fraction(9, 10)
    # a marine halves it: row 5 at most
    assert burning(tb=0, wounds=5, health=0, rounds=1, true_grit=True).odds("dead").chance(True) == 0


@pytest.mark.clause("DW-COND-FIRE", "DW-CRIT-2", "DW-STUN-1")
def test_a_critical_wound_of_the_fire_may_stun_him():
    # no wounds left, TB 4: nets 1 to 6 are the energy rows of the body; row 3 stuns, row 6 for d10 rounds
    odds = burning(tb=4, wounds=5, health=0, rounds=1, sealed=True, agility=100, fatigue=0).odds("out_in")
    # row 1 leaves a Half Action; rows 4 (d10) and 5 (d5) leave him conscious with four levels of fatigue or fewer
    row_4 = Fraction(sum(1 + face <= 4 for face in range(1, 11)), 10)
    row_5 = Fraction(sum(1 + face <= 4 for face in range(1, 6)), 5)
    acts = Fraction(4, 10) + (1 + row_4 + row_5) / 10  # faces 1 to 4 do nothing; row 2 is a level of fatigue
    assert odds.chance(1) == acts * Fraction(70, 100)


@pytest.mark.clause("DW-COND-FIRE", "DW-CRIT-2")
def test_halved_agility_makes_it_harder():
    hurt = Conditions(fatigue=1, on_fire=True, penalties=(("ag", 0, 99),))
    blaze = BurningState(5, hurt, 8, 70, 40, True, True, round=1)
    assert odds_of(burning_and_bleeding.fight_the_flames, blaze).chance(lambda after: after.out_in) == Fraction(
        35 - 30, 100
    )


@pytest.mark.clause("DW-COND-FIRE")
def test_a_profile_burns():
    answer = ask(CARD, BURNING, {"target": "Brother Cato", "rounds": 1})
    assert (answer.inputs.tb, answer.inputs.wounds, answer.inputs.sealed) == (8, 21, True)
    assert "damage on average in 1 round; put out" in answer.headline


def test_bad_input_of_burning():
    with pytest.raises(BadInput, match=r"health must be the wounds left, 5 at most; got 6 \(DW-DMG-1\)"):
        burning(wounds=5, health=6)
    with pytest.raises(BadInput, match=r"rounds must be a whole number from 1 to 20; got 21 \(DW-COND-FIRE\)"):
        burning(rounds=21)
    with pytest.raises(BadInput, match="Did you mean 'Brother Cato'"):
        burning(target="Brother Kato")


def test_warnings():
    through, lost = map(str, warn_burning(BURNING.inputs(tb=12, agility=20), Rulings()))
    assert through.startswith("a d10 cannot get through a Toughness bonus of 12")
    assert lost.startswith("the fire cannot be put out: Agility 20 at -20 and -10 for fatigue")
    assert list(warn_burning(BURNING.inputs(), Rulings())) == []
    (medic,) = warn_bleeding(BLEEDING.inputs(medicae=5), Rulings())
    assert str(medic) == "a Medicae of 5 at -10 cannot help (DW-BLOOD-2)"
    assert "blood_loss_percent 0" in str(warn_bleeding(BLEEDING.inputs(), Rulings(blood_loss_percent=0))[0])
    assert warn_bleeding(BLEEDING.inputs(medicae=50), Rulings()) == []


def test_fire_as_it_is_told():
    played = roll(CARD, BURNING, {"tb": 4, "rounds": 2, "puts_out": True, "agility": 60}, tape=Script(10, 30, 30))
    assert played.results == {"damage": 6, "out_in": 1, "dead": False, "fatigue": 1, "unconscious": False}
    assert [line.text for line in played.log] == [
        "Fire: 10",
        "Round 1: 6 damage, fatigue 1",
        "Willpower (fire) (needs 30 or less): 30 → pass",
        "Agility (flames) (needs 30 or less): 30 → pass",
        "The fire is out in round 1",
    ]
    dead = roll(CARD, BURNING, {"tb": 0, "rounds": 1, "wounds": 1, "minion": True}, tape=Script(7))
    assert dead.log[-1].text == "Burns to death"
    faint = roll(CARD, BURNING, {"tb": 0, "rounds": 1, "wounds": 9, "sealed": True}, tape=Script(7))
    assert faint.log[-1].text == "Falls unconscious"


# --- blood ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-BLOOD-1")
@pytest.mark.parametrize("percent", [0, 1, 10, 50, 100])
def test_blood_loss(percent: int):
    answer = bleeding(rounds=5, blood_loss_percent=percent)
    lives = Fraction(100 - percent, 100)
    assert answer.odds("alive").chance(True) == lives**5
    for number in range(1, 6):
        assert answer.odds("dies_in").chance(number) == lives ** (number - 1) * (1 - lives)


@pytest.mark.clause("DW-BLOOD-1")
def test_blood_loss_of_the_sheet():
    assert bleeding(rounds=5).odds("alive").chance(True) == Fraction(59049, 100000)
    assert bleeding(rounds=10).odds("alive").chance(True) == Fraction(9, 10) ** 10
    assert bleeding(rounds=4).odds("dies_in").chance(4) == Fraction(729, 10000)


@pytest.mark.clause("DW-BLOOD-1", "DW-BLOOD-2")
@pytest.mark.parametrize("rounds", [1, 3, 40])
def test_the_mean_of_the_rounds_he_bleeds_does_not_end_with_the_question(rounds):
    assert bleeding(rounds=rounds).odds("bled").mean == 10
    assert bleeding(rounds=rounds, blood_loss_percent=15).odds("bled").mean == Fraction(20, 3)
    ends = 1 - Fraction(9, 10) * Fraction(3, 5)  # dead, or treated at 40
    assert bleeding(rounds=rounds, medicae=50).odds("bled").mean == 1 / ends
    assert bleeding(rounds=rounds, blood_loss_percent=0).odds("bled").fractions() == {rounds: 1}


@pytest.mark.clause("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def test_a_medic():
    assert burning_and_bleeding.treat_target(50) == 40
    assert bleeding(rounds=3, medicae=50).odds("treated").chance(True) == Fraction(41211, 62500)
    lives, helped, expected = Fraction(9, 10), Fraction(2, 5), Fraction(0)
    for number in range(1, 4):
        expected += (lives * (1 - helped)) ** (number - 1) * lives * helped
        assert bleeding(rounds=number, medicae=50).odds("treated").chance(True) == expected
    assert bleeding(rounds=2, medicae=10).odds("treated").chance(True) == 0
    auto = bleeding(rounds=1, medicae=10, auto_results="01_and_00")
    assert auto.odds("treated").chance(True) == Fraction(9, 10) / 100


def test_headlines_and_logs_of_bleeding():
    assert bleeding(rounds=5).headline == "Alive after 5 rounds 59 %."
    assert bleeding(rounds=1, medicae=50).headline == "Alive after 1 round 90 %; treated 36 %."
    played = roll(CARD, BLEEDING, {"rounds": 3, "medicae": 50}, tape=Script(80, 41, 11, 40))
    assert [line.text for line in played.log][-1] == "The bleeding is stopped in round 2"
    dead = roll(CARD, BLEEDING, {"rounds": 3}, tape=Script(80, 10))
    assert dead.log[-1].text == "Dies of blood loss in round 2"
    assert dead.results == {"alive": False, "dies_in": 2, "treated_in": 0, "treated": False, "bled": 2}


# --- wounds that tear open --------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-CRIT-2")
def test_broken_ribs_and_open_wounds():
    assert burning_and_bleeding.face_hazard(Script("lie still"), "ribs") == HazardResult(lies_still=True)
    assert burning_and_bleeding.face_hazard(Script("act", 20), "ribs") == HazardResult(dead=True)
    assert burning_and_bleeding.face_hazard(Script("act", 21), "ribs") == HazardResult()
    assert burning_and_bleeding.face_hazard(Script("hold the wound"), "wound") == HazardResult(holds_wound=True)
    assert burning_and_bleeding.face_hazard(Script("let go", 20, 13), "wound") == HazardResult(damage=13)
    assert burning_and_bleeding.face_hazard(Script("let go", 90), "wound") == HazardResult()
    assert burning_and_bleeding.face_hazard(Script(), "") == HazardResult()
