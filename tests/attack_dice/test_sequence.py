"""The attack sequence in its order, with dice typed in."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape import ruleset
from battletape.errors import BadInput, BattletapeError
from battletape.procedure import stage_title
from battletape.rulesets.attack_dice.rules.attack import ATTACK, ATTACK_ONE_SAVE, pool_sizes
from battletape.rulesets.attack_dice.rules.keywords import attack_procedure
from battletape.tape.question import NeedAnswer
from battletape.tape.script import Script
from battletape.tape.typed import Typed

SYSTEM = ruleset("attack_dice")
TOLD = "(D10: 0 to 9, 0 fails)"
TITLES = [
    "Select weapon",
    "Check range",
    "Compare power",
    "Add modifiers",
    "Roll attack dice",
    "Roll second dice",
    "Roll armour saves",
    "Roll aegis saves",
    "Lose hp",
    "Next weapon",
]


@pytest.mark.clause("AD-66")
def test_the_steps_stand_in_the_order_of_the_sheet():
    assert [stage_title(stage) for stage in ATTACK] == TITLES
    assert [stage_title(stage) for stage in ATTACK_ONE_SAVE] == [*TITLES[:6], "Choose save", *TITLES[6:]]
    volley = SYSTEM.question("volley")
    two = {"weapons": [{"weapon_class": "heavy"}, {"weapon_class": "side"}]}
    assert [stage_title(stage) for stage in attack_procedure(volley.begin(*SYSTEM.split(volley, two)))] == TITLES * 2


@pytest.mark.clause("AD-66", "AD-67", "AD-69", "AD-73", "AD-80")
def test_a_whole_attack_with_typed_dice():
    tape = Script(9, 4, 5, 0, 3, 6, 7, 8, 9)
    given = {"attacks": 4, "power": 4, "defence": 4, "armour": 5, "aegis": 6, "modifier": 1, "models": 3, "hp": 1}
    rolled = SYSTEM.roll("attack", **given, tape=tape)
    assert [(line.text, line.clauses) for line in rolled.log] == [
        ("The weapon at the target: 4 Attack Dice", ("AD-67", "AD-70")),
        ("Power 4 against Defence 4 by the chart", ("AD-13",)),
        ("Dice Modifiers: other +1", ("AD-48",)),
        (f"Attack dice (needs 5+ with +1): 9 4 5 0 → 3 of 4 {TOLD}", ("AD-7",)),
        ("Armour saves (needs 7+ to match 5+ on a D6): 3 6 7 → 1 of 3", ("AD-75",)),
        ("Aegis saves (needs 9+ to match 6+ on a D6): 8 9 → 1 of 2", ("AD-76",)),
        ("1 HP lost: 1 model of the target falls", ("AD-79", "AD-80")),
    ]
    assert rolled.results == {"casualties": 1, "hp_lost": 1, "damage": 1, "wiped_out": 0}
    assert tape.used_up


@pytest.mark.clause("AD-10", "AD-71", "AD-73")
def test_a_two_stage_attack_with_both_saves_uses_every_die():
    tape = Script(9, 9, 9, 2, 0, 3, 9, 2, 1, 6, 4)
    given = {"attacks": 5, "power": 1, "defence": 8, "armour": 6, "aegis": 5, "models": 1, "hp": 2, "dice": "dual"}
    rolled = SYSTEM.roll("attack", **given, tape=tape)
    assert [str(entry) for entry in rolled.entries] == [
        "pool attack dice [5 x 0-9] = 9 9 9 2 0",
        "pool second attack dice [3 x 0-9] = 3 9 2",
        "pool armour saves [2 x 1-6] = 1 6",
        "pool aegis saves [1 x 1-6] = 4",
    ]
    assert rolled.results == {"casualties": 0, "hp_lost": 1, "damage": 1, "wiped_out": 0}
    assert str(rolled).endswith("1 HP lost: one model of the target is left with 1 HP")
    assert tape.used_up


@pytest.mark.clause("AD-5")
def test_a_die_numbered_one_to_ten_with_a_ten():
    tape = Script(10, 9, 1, 10, 1)
    given = {"attacks": 3, "power": 6, "defence": 2, "armour": 2, "models": 3, "dice": "d10", "numbering": "1-10"}
    rolled = SYSTEM.roll("attack", **given, tape=tape)
    assert [str(entry) for entry in rolled.entries] == [
        "pool attack dice [3 x 1-10] = 10 9 1",
        "pool armour saves [2 x 1-10] = 10 1",
    ]
    assert rolled.results["damage"] == 1
    assert tape.used_up


@pytest.mark.clause("AD-77")
@pytest.mark.parametrize(("choice", "faces", "damage"), [("armour", (5, 1), 1), ("aegis", (5, 1), 2)])
def test_where_one_save_is_allowed_the_defender_chooses_it(choice: str, faces: tuple[int, ...], damage: int):
    tape = Script(9, 9, choice, *faces)
    given = {"attacks": 2, "power": 4, "defence": 4, "armour": 4, "aegis": 5, "models": 3, "saves": "one"}
    rolled = SYSTEM.roll("attack", **given, tape=tape)
    assert [entry.label for entry in rolled.entries] == ["attack dice", "which save", f"{choice} saves"]
    assert rolled.results["damage"] == damage
    assert tape.used_up
    assert f"Which save by defender: {choice}" in str(rolled)


@pytest.mark.clause("AD-77")
def test_no_save_is_chosen_where_only_one_is_left():
    denied = SYSTEM.roll("attack", attacks=1, power=7, defence=1, armour=4, ap=4, aegis=5, saves="one", tape=Script(5))
    assert [entry.label for entry in denied.entries] == ["aegis saves"]
    missed = SYSTEM.roll("attack", attacks=1, power=4, defence=4, armour=4, aegis=5, saves="one", tape=Script(0))
    assert [entry.label for entry in missed.entries] == ["attack dice"]


def test_a_wrong_face_is_refused_in_a_sentence():
    with pytest.raises(BattletapeError, match=r"^attack dice 2/3 must be 0-9, got 10$"):
        SYSTEM.roll("attack", attacks=3, power=4, defence=4, tape=Script(9, 10, 1))
    with pytest.raises(BattletapeError, match=r"^armour saves 1/1 must be 1-6, got 0$"):
        SYSTEM.roll("attack", attacks=1, power=7, defence=1, armour=4, dice="dual", tape=Script(0))
    with pytest.raises(BattletapeError, match=r"^attack dice 3/3 needs 0-9, but the script has run out$"):
        SYSTEM.roll("attack", attacks=3, power=4, defence=4, tape=Script(9, 1))
    given = {"attacks": 1, "power": 7, "defence": 1, "armour": 4, "aegis": 5, "saves": "one"}
    with pytest.raises(BattletapeError, match=r"^which save must be armour \| aegis, got dodge$"):
        SYSTEM.roll("attack", **given, tape=Script("dodge"))


@pytest.mark.clause("AD-72")
def test_an_open_question_says_what_it_wants():
    with pytest.raises(NeedAnswer) as first:
        SYSTEM.roll("attack", attacks=3, power=4, defence=4, armour=4, tape=Typed())
    assert str(first.value) == "attack dice [3 x 0-9], needs 5+"
    assert first.value.ask.clauses == ("AD-7",)
    with pytest.raises(BadInput, match=r"^attack dice 1/3 must be 0-9, got 11 \(AD-7\)$"):
        first.value.ask.parse("11 2 3")
    with pytest.raises(NeedAnswer) as second:
        SYSTEM.roll("attack", attacks=3, power=4, defence=4, armour=4, tape=Typed(["2 hits"]))
    assert str(second.value) == "armour saves [2 x 0-9], needs 5+ to match 4+ on a D6"
    done = SYSTEM.roll("attack", attacks=3, power=4, defence=4, armour=4, tape=Typed(["2 hits", "1 saved"]))
    assert done.results["damage"] == 1


@pytest.mark.clause("AD-67", "AD-71")
def test_each_profile_and_target_is_a_pool_of_its_own():
    rifles = [("rifle", "T1", 4, 1), ("rifle", "T2", 3, 1), ("cannon", "T1", 1, 2)]
    assert pool_sizes(rifles) == {("rifle", "T1"): 4, ("rifle", "T2"): 3, ("cannon", "T1"): 2}


@pytest.mark.clause("AD-70", "AD-71")
def test_one_die_for_each_attack_of_each_model():
    assert pool_sizes([("rifle", "T1", 4, 3), ("rifle", "T1", 2, 3)]) == {("rifle", "T1"): 18}
    rolled = SYSTEM.roll("attack", attacks=3, bearers=6, power=4, defence=4, seed=1)
    assert rolled.entries[0].domain == "18 x 0-9"
    assert SYSTEM.ask("attack", attacks=3, bearers=6, hp=20, models=1).odds("damage").mean == 9


@pytest.mark.clause("AD-71")
def test_pooling_changes_no_chance():
    split = SYSTEM.ask("volley", weapons=[{"attacks": 1}] * 4, models=3, hp=2, armour=5)
    pooled = SYSTEM.ask("attack", attacks=4, models=3, hp=2, armour=5)
    for measure in ("casualties", "hp_lost", "damage", "wiped_out"):
        assert split.odds(measure) == pooled.odds(measure)


@pytest.mark.clause("AD-68")
def test_a_profile_out_of_range_is_not_fired_and_the_others_are():
    weapons = [{"attacks": 2, "power": 7, "range": 6}, {"attacks": 1, "power": 7, "range": 24}]
    rolled = SYSTEM.roll("volley", weapons=weapons, defence=1, distance=12, models=5, tape=Script())
    assert rolled.results["damage"] == 1
    assert [line.text for line in rolled.log][:3] == [
        "The weapon at the target: 2 Attack Dice",
        'Not fired: the target is 12" away and the weapon reaches 6"; pick another target',
        "No HP lost",
    ]


@pytest.mark.clause("AD-69")
def test_the_requirement_takes_bonuses_cover_caps_and_modifiers_together():
    around = {"cover": 1, "target_melee": "M1", "friend_in_target_melee": True}
    answer = SYSTEM.ask("attack", attacks=1, power=4, power_bonus=1, defence=3, defence_bonus=1, models=1, **around)
    assert answer.odds("damage").mean == Fraction(4, 10)
    assert [(step.title, step.needed) for step in answer.steps][1:4] == [
        ("Power 5 against Defence 5 by the chart", "5+"),
        ("Dice Modifiers: into friendly melee -1", "-1"),
        ("Attack dice on a D10 (0 to 9, 0 fails)", "5+ with -1"),
    ]


@pytest.mark.clause("AD-82")
def test_weapons_fire_one_after_the_other_and_the_log_keeps_them_apart():
    weapons = [{"weapon": "Siege lance"}, {"weapon": "Yew bow", "bearers": 2}]
    rolled = SYSTEM.roll("volley", weapons=weapons, unit="Hill raiders", tape=Script(9, 2, 7))
    assert [line.text for line in rolled.log] == [
        "Siege lance at Hill raiders: 1 Attack Die",
        "Power 16 against Defence 4: automatic, times 4",
        "4 automatic successes",
        "Armour 5+ is denied by AP 2+",
        "4 HP lost: 2 models of Hill raiders fall",
        "Yew bow at Hill raiders: 2 Attack Dice",
        "Power 3 against Defence 4 by the chart",
        f"Attack dice (needs 6+): 9 2 → 1 of 2 {TOLD}",
        "Armour saves (needs 7+ to match 5+ on a D6): 7 → 1 of 1",
        "No HP lost",
    ]
