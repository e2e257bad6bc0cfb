"""Attack Dice: how they are numbered, which face fails, and what counts as a success."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape import NeedAnswer, Typed, ruleset
from battletape.errors import BadInput
from battletape.rulesets.attack_dice.rules.modifiers import (
    attack_die,
    failing_face,
    ten_sided,
)
from battletape.rulesets.attack_dice.rules.requirement import parse_requirement
from battletape.rulesets.attack_dice.rules.saves import save_die
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.tape.script import Script
from battletape.views.boxes import boxes_view
from battletape.views.pending_question import need_view
from tests.attack_dice.odds import chance, chances

SYSTEM = ruleset("attack_dice")
D6_GAME = Rulings(dice="d6")
ONE_TO_TEN = Rulings(numbering="1-10")
CHANCES = {
    "A": Fraction(1), "Ax2": Fraction(1), "Ax8": Fraction(1), "-": Fraction(0),
    "1+": Fraction(9, 10), "2+": Fraction(4, 5), "3+": Fraction(7, 10), "4+": Fraction(3, 5), "5+": Fraction(1, 2),
    "6+": Fraction(2, 5), "7+": Fraction(3, 10), "8+": Fraction(1, 5), "9": Fraction(1, 10), "9+": Fraction(1, 10),
    "9/1": Fraction(9, 100), "9/2": Fraction(2, 25), "9/3": Fraction(7, 100), "9/4": Fraction(3, 50),
    "9/5": Fraction(1, 20), "9/6": Fraction(1, 25), "9/7": Fraction(3, 100), "9/8": Fraction(1, 50),
    "9/9": Fraction(1, 100),
}  # fmt: skip


def successes(entry: str, faces: list[int], **given: Any) -> list[bool]:
    """Return whether each face succeeds, typed in one by one."""
    rolls = (SYSTEM.roll("chart", entry=entry, tape=Typed([str(face)]), **given) for face in faces)
    return [bool(rolled.results["successes"]) for rolled in rolls]


@pytest.mark.clause("AD-3")
def test_the_heading_of_the_sheet_counts():
    assert Rulings().dice == "d10"
    for preset in ("sheet", "d10"):
        assert SYSTEM.parse_rulings({"preset": preset}) == Rulings()
    assert SYSTEM.parse_rulings({"preset": "dual"}) == Rulings(dice="dual")


@pytest.mark.clause("AD-3", "AD-72", "AD-84")
@pytest.mark.parametrize(
    ("dice", "attack", "save"), [("d10", "0-9", "0-9"), ("d6", "1-6", "1-6"), ("dual", "0-9", "1-6")]
)
def test_a_flavour_says_which_dice_are_rolled(dice: Any, attack: str, save: str):
    rules = Rulings(dice=dice)
    assert (attack_die(rules).domain, save_die(rules).domain) == (attack, save)
    tape = Script(9 if attack == "0-9" else 6, 1)
    rolled = SYSTEM.roll("attack", attacks=1, power=4, defence=4, armour=4, dice=dice, tape=tape)
    assert [entry.domain for entry in rolled.entries] == [f"1 x {attack}", f"1 x {save}"]


@pytest.mark.clause("AD-3")
def test_dual_dice_attack_on_a_d10_and_save_on_a_d6():
    answer = SYSTEM.ask("attack", attacks=1, power=4, defence=4, armour=4, dice="dual")
    assert [(step.title, step.needed, step.chance) for step in answer.steps[2:]] == [
        ("Attack dice on a D10 (0 to 9, 0 fails)", "5+", Fraction(1, 2)),
        ("Armour saves on a D6", "4+", Fraction(1, 2)),
    ]


@pytest.mark.clause("AD-5", "AD-24")
def test_a_ten_is_read_as_nought_and_fails():
    assert successes("1+", [10, 1, 9], numbering="1-10") == [False, True, True]
    assert successes("1+", [0, 1, 9]) == [False, True, True]
    assert successes("9", [10, 9, 8], numbering="1-10", modifier=1) == [False, True, True]
    assert failing_face(ten_sided(ONE_TO_TEN)) == 10
    for text, share in CHANCES.items():
        assert chance(parse_requirement(text), 0, ONE_TO_TEN) == share


@pytest.mark.clause("AD-5")
def test_a_face_that_the_die_does_not_have_is_refused():
    with pytest.raises(BadInput, match=r"^attack dice 1/1 must be 0-9, got 10 \(AD-7\)$"):
        successes("5+", [10])
    assert successes("5+", [0], numbering="1-10") == [False], "many dice print their 10 as a 0"
    with pytest.raises(BadInput, match=r"^attack dice 1/1 must be 1-6, got 7 \(AD-7\)$"):
        successes("5+", [7], dice="d6")


@pytest.mark.clause("AD-5")
@pytest.mark.parametrize(("numbering", "told"), [("0-9", "0 to 9, 0 fails"), ("1-10", "1 to 10, 10 fails")])
def test_wherever_a_d10_is_shown_it_is_said_how_it_reads(numbering: str, told: str):
    given = {"attacks": 2, "power": 4, "defence": 4, "armour": 4, "numbering": numbering}
    assert [step.title for step in SYSTEM.ask("attack", **given).steps][2:] == [
        f"Attack dice on a D10 ({told})",
        f"Armour saves on a D10 ({told})",
    ]
    log = str(SYSTEM.roll("attack", **given, tape=Typed(["1 9", "1"])))
    assert f"Attack dice (needs 5+): 1 9 → 1 of 2 (D10: {told})" in log
    with pytest.raises(NeedAnswer) as waiting:
        SYSTEM.roll("attack", **given, tape=Typed())
    assert need_view(waiting.value.ask).note == told
    assert boxes_view(waiting.value.ask).die == f"D10 ({told})"
    chart = SYSTEM.ask("chart", numbering=numbering).table
    assert chart is not None
    assert chart.title == f"Attack Dice chart, Power down, Defence across (D10 of {told})"


@pytest.mark.clause("AD-6")
def test_a_one_on_a_d6_always_fails():
    assert chance(parse_requirement("2+"), 3, D6_GAME) == Fraction(5, 6)
    assert successes("2+", [1, 2, 3, 4, 5, 6], dice="d6", modifier=3) == [False, True, True, True, True, True]


@pytest.mark.clause("AD-7")
def test_equal_or_above_succeeds_and_nothing_is_gained_by_more():
    assert successes("5+", [4, 5, 6, 9, 0]) == [False, True, True, True, False]
    rolled = SYSTEM.roll("attack", attacks=3, power=4, defence=4, models=5, tape=Script(4, 5, 9))
    assert rolled.results == {"casualties": 2, "hp_lost": 2, "damage": 2, "wiped_out": 0}


@pytest.mark.clause("AD-8")
def test_automatic_entries_need_no_dice_but_are_saved():
    sure = SYSTEM.ask("attack", attacks=4, power=7, defence=1, models=9)
    assert sure.odds("damage") == {4: 1}
    tape = Script(6, 1, 1, 1)
    saved = SYSTEM.roll("attack", attacks=4, power=7, defence=1, models=9, armour=4, tape=tape)
    assert [entry.label for entry in saved.entries] == ["armour saves"]
    assert saved.results["damage"] == 3
    assert tape.used_up


@pytest.mark.clause("AD-9")
def test_a_multiplied_entry_makes_more_attacks_each_saved_by_itself():
    answer = SYSTEM.ask("attack", attacks=3, power=10, defence=2, armour=4, models=1, hp=9)
    ways = [1, 6, 15, 20, 15, 6, 1]
    assert answer.odds("damage") == {hits: Fraction(one, 64) for hits, one in enumerate(ways)}
    assert answer.odds("damage").mean == 3
    assert [step.title for step in answer.steps][1:3] == [
        "Power 10 against Defence 2: automatic, times 2",
        "6 automatic successes",
    ]


@pytest.mark.clause("AD-10")
def test_a_two_stage_entry_rolls_a_second_die_only_after_the_top_face():
    rolls = {("9", "3"): 1, ("9", "2"): 0, ("9", "0"): 0, ("8",): 0}
    for faces, success in rolls.items():
        assert SYSTEM.roll("chart", entry="9/3", tape=Typed(faces)).results == {"successes": success}
    assert chances("9/3") == [Fraction(1, 10), Fraction(7, 10)]
    with pytest.raises(NeedAnswer, match=r"^second attack dice "):
        SYSTEM.roll("chart", entry="9/3", tape=Typed(["9"]))
    with pytest.raises(BadInput, match=r"^1 answer was needed, got 2; left over: 3$"):
        SYSTEM.roll("chart", entry="9/3", tape=Typed(["8", "3"]))
    tape = Script(9, 8, 9, 0, 9, 3, 2, 0)
    rolled = SYSTEM.roll("attack", attacks=5, power=2, defence=9, models=5, tape=tape)
    assert [str(entry) for entry in rolled.entries] == [
        "pool attack dice [5 x 0-9] = 9 8 9 0 9",
        "pool second attack dice [3 x 0-9] = 3 2 0",
    ]
    assert rolled.results["damage"] == 1
    assert tape.used_up


@pytest.mark.clause("AD-25", "AD-10", "AD-18", "AD-24")
@pytest.mark.parametrize("text", CHANCES)
def test_the_chance_of_every_entry(text: str):
    assert chance(parse_requirement(text)) == CHANCES[text]


@pytest.mark.clause("AD-25", "AD-12")
@pytest.mark.parametrize("text", CHANCES)
def test_an_entry_can_be_asked_by_name(text: str):
    answer = SYSTEM.ask("chart", entry=text)
    assert answer.odds("successes").at_least(1) == CHANCES[text]
    assert str(answer).startswith(f"An entry of {text.replace('9+', '9')}")
    assert answer.table is not None
    assert answer.table.mark is None
    assert answer.warnings == ()


def test_what_an_entry_makes_idle_is_said():
    answer = SYSTEM.ask("chart", entry="5+", power=9, cover=2)
    assert answer.warnings == ("The entry is named, so this changes nothing: Cover bonus, Power (AD-12)",)
    assert answer.odds("successes").at_least(1) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("dice", "entry"), [("d10", "10+"), ("d10", "0+"), ("d10", "8/3"), ("d10", "6/3"), ("d6", "9"), ("d6", "6/1")]
)
def test_an_entry_that_the_dice_cannot_roll_is_refused(dice: str, entry: str):
    with pytest.raises(BadInput, match=r"^an entry that is rolled must be .* in this game; got '.*'$") as wrong:
        SYSTEM.ask("chart", entry=entry, dice=dice)
    assert wrong.value.field == "entry"
