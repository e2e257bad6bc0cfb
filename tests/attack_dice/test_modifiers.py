"""Dice Modifiers: what they do to each kind of entry under the three policies."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape import ruleset
from battletape.errors import BadInput
from battletape.rulesets.attack_dice.rules.modifiers import shift_entry, total_modifier
from battletape.rulesets.attack_dice.rules.requirement import parse_requirement
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.tape.script import Script
from tests.attack_dice import twin
from tests.attack_dice.odds import chance, chances
from tests.attack_dice.test_dice import successes

SYSTEM = ruleset("attack_dice")
POLICIES = ("strict", "natural_max", "spill")


def share(entry: str, modifier: int, policy: Any = "strict", dice: Any = "d10") -> Fraction:
    return chance(parse_requirement(entry), modifier, Rulings(modifier_policy=policy, dice=dice))


@pytest.mark.clause("AD-48", "AD-49")
def test_a_modifier_is_added_to_the_value_rolled():
    tape = Script(6, 7, 8, 9)
    rolled = SYSTEM.roll("attack", attacks=4, power=4, defence=4, models=9, modifier=-2, tape=tape)
    assert rolled.results["damage"] == 3
    assert "Dice Modifiers: other -2" in str(rolled)
    assert share("5+", -2) == Fraction(3, 10)


@pytest.mark.clause("AD-49")
def test_single_numbers_count_the_faces_that_still_reach():
    assert successes("5+", list(range(10)), modifier=-2) == [False] * 7 + [True] * 3
    assert share("8+", -1) == Fraction(1, 10)
    assert share("8+", -2) == 0
    assert share("5+", 9) == Fraction(9, 10)


@pytest.mark.clause("AD-50")
def test_one_plus_is_hurt_but_never_certain():
    assert [share("1+", modifier) for modifier in (-2, -1, 0, 1)] == [
        Fraction(7, 10), Fraction(8, 10), Fraction(9, 10), Fraction(9, 10),
    ]  # fmt: skip


@pytest.mark.clause("AD-51")
def test_the_top_face_and_two_stages_depend_on_the_policy():
    assert [share("9", -1, policy) for policy in POLICIES] == [0, Fraction(1, 10), Fraction(9, 100)]
    assert [share("9/3", -2, policy) for policy in POLICIES] == [0, Fraction(1, 20), Fraction(1, 20)]
    assert share("9/1", 1) == Fraction(2, 10) * Fraction(9, 10) == Fraction(9, 50)
    assert share("9/1", 1, "spill") == Fraction(1, 10)
    assert chances("9/9", modifier=-1, modifier_policy="natural_max") == [Fraction(1, 10), Fraction(1, 10)]


@pytest.mark.clause("AD-51")
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("modifier", range(-4, 5))
def test_a_harder_entry_is_never_easier(policy: str, modifier: int):
    ladder = [f"{need}+" for need in range(1, 9)] + ["9"] + [f"9/{second}" for second in range(1, 10)]
    shares = [share(entry, modifier, policy) for entry in ladder]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.clause("AD-52")
@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_not_rolled_is_not_modified(policy: Any):
    rules = Rulings(modifier_policy=policy)
    for entry in ("A", "Ax2", "Ax8", "-"):
        need = parse_requirement(entry)
        assert shift_entry(need, -4, rules) == (need, 0)
        assert chance(need, -4, rules) == (0 if entry == "-" else 1)
    heavy = {"weapon_class": "heavy", "attacker_melee": "M1", "target_melee": "M1", "power": 9, "defence": 1}
    answer = SYSTEM.ask("attack", attacks=3, models=9, modifier_policy=policy, **heavy)
    assert answer.odds("damage") == {6: 1}
    assert "Dice Modifiers: heavy in melee -2; nothing is rolled, so they change nothing" in [
        step.title for step in answer.steps
    ]


@pytest.mark.clause("AD-53")
def test_a_natural_nought_fails_and_a_natural_nine_is_nothing_special():
    assert successes("2+", [0, 1, 2], modifier=3) == [False, True, True]
    assert share("2+", 3) == Fraction(9, 10)
    assert successes("9", [9], modifier=-1) == [False]
    assert successes("9", [9, 0], modifier=-1, modifier_policy="natural_max") == [True, False]


@pytest.mark.clause("AD-54")
def test_all_modifiers_add_up():
    parts = (("heavy_in_melee", -2, "AD-59"), ("out_of_melee", -1, "AD-63"), ("into_friendly_melee", -1, "AD-61"))
    assert total_modifier(parts) == -4
    answer = SYSTEM.ask(
        "chart",
        power=4,
        defence=4,
        weapon_class="heavy",
        attacker_melee="M1",
        target_melee="M2",
        friend_in_target_melee=True,
    )
    assert answer.odds("successes").at_least(1) == Fraction(1, 10)
    assert str(answer) == "Power 4 against Defence 4 needs 5+ with -4: 10 % of Attacks succeed."


@pytest.mark.clause("AD-55")
@pytest.mark.parametrize(
    ("entry", "modifier", "shares"),
    [
        ("1+", -1, ("4/5", "4/5", "4/5")),
        ("5+", -2, ("3/10", "3/10", "3/10")),
        ("8+", -1, ("1/10", "1/10", "1/10")),
        ("8+", -2, ("0", "1/10", "9/100")),
        ("9", -1, ("0", "1/10", "9/100")),
        ("9/1", -1, ("0", "2/25", "2/25")),
        ("9/3", -2, ("0", "1/20", "1/20")),
        ("9/9", -1, ("0", "1/100", "1/100")),
    ],
)
def test_the_table_of_policies(entry: str, modifier: int, shares: tuple[str, ...]):
    assert [share(entry, modifier, policy) for policy in POLICIES] == [Fraction(one) for one in shares]


@pytest.mark.clause("AD-49", "AD-51", "AD-91")
@pytest.mark.parametrize(("sides", "dice"), [(10, "d10"), (6, "d6")])
def test_every_entry_and_modifier_face_by_face(sides: int, dice: str):
    low, top = (1, 9) if sides == 10 else (2, 6)
    entries = [("roll", need) for need in range(low, top + 1)] + [("roll", top, one) for one in range(low, top + 1)]
    for entry, modifier, policy in product(entries, range(-5, 6), POLICIES):
        game = twin.Game(sides, policy=policy)
        assert share(twin.shown(entry, game), modifier, policy, dice) == twin.hit_chance(entry, modifier, game)


@pytest.mark.clause("AD-51")
def test_spill_stays_on_the_ladder_and_wants_an_entry_of_it():
    rules = Rulings(modifier_policy="spill")
    moved = {("1+", 3): "1+", ("9/9", -4): "9/9", ("8+", -1): "9", ("9", -1): "9/1", ("9/1", 1): "9", ("9/2", 4): "7+"}
    for (entry, modifier), wanted in moved.items():
        assert str(shift_entry(parse_requirement(entry), modifier, rules)[0]) == wanted
    with pytest.raises(BadInput, match=r"^only an entry of the ladder 1\+ to 9/9 can move along it; got 6/2$"):
        shift_entry(parse_requirement("6/2"), -1, rules)


@pytest.mark.clause("AD-51")
def test_the_log_says_what_an_entry_has_become():
    shot = {"attacks": 2, "power": 4, "defence": 8, "modifier": -1, "models": 3, "modifier_policy": "spill"}
    rolled = SYSTEM.roll("attack", **shot, tape=Script(9, 8, 1))
    assert "Dice Modifiers: other -1; 9 becomes 9/1" in str(rolled)
    assert rolled.results["damage"] == 1
    chart = SYSTEM.ask("chart", power=4, defence=8, modifier=-1, modifier_policy="spill")
    assert str(chart) == "Power 4 against Defence 8 needs 9 with -1, which makes 9/1: 9.0 % of Attacks succeed."
