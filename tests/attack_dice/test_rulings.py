"""Every ruling with every value: what it changes, in exact numbers, and what it leaves alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from battletape import ruleset
from battletape.answer import advise
from battletape.errors import BadInput, Refused
from battletape.inputs import fields
from battletape.rulesets.attack_dice.rules.modifiers import total_modifier
from battletape.rulesets.attack_dice.rules.requirement import find_requirement, formula_line, lines_that_hold
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.tape.script import Script

SYSTEM = ruleset("attack_dice")
REFUSED = None


@dataclass(frozen=True)
class Case:
    """A ruling; the mean of a measure for each of its values; and a question where the ruling does not matter."""

    ruling: str
    given: dict[str, Any]
    means: dict[str, str | None]
    alike: dict[str, Any]
    measure: str = "damage"


ONE = {"attacks": 1, "models": 1, "hp": 9}
EVEN = {**ONE, "power": 4, "defence": 4}
SURE = {**ONE, "power": 7, "defence": 1}
INTO_AND_OUT = {"attacker_melee": "M1", "target_melee": "M2", "friend_in_target_melee": True}
ENGAGED = {"attacker_melee": "M1", "target_melee": "M1"}
CASES = [
    # 6+ on a D10 (2/5), 5+ on a D6 (1/3); a save of 5+ lets 2/3 through on a D6, 7/10 on a D10
    Case("dice", {**ONE, "power": 4, "defence": 5, "armour": 5}, {"d10": "7/25", "dual": "4/15", "d6": "2/9"}, SURE),
    Case("method", {**ONE, "power": 7, "defence": 2}, {"chart": "9/10", "formula": "3"}, EVEN),
    Case("save_dice", {**SURE, "armour": 5}, {"as_game": "7/10", "d6": "2/3", "d10": "7/10"}, EVEN),
    Case("numbering", {**ONE, "power": 6, "defence": 2}, {"0-9": "9/10", "1-10": "9/10"}, EVEN),
    Case(
        "chart_errata",
        {**ONE, "power": 19, "defence": 15},
        {"printed": "4/5", "corrected": "9/10"},
        {**ONE, "power": 20, "defence": 15},
    ),
    Case(
        "modifier_policy",
        {**ONE, "power": 1, "defence": 5, "modifier": -1},
        {"strict": "0", "natural_max": "1/10", "spill": "9/100"},
        {**EVEN, "modifier": -1},
    ),
    # four dice at 7 or more, or two dice at 5 or more
    Case(
        "modifier_acts_on",
        {**EVEN, "attacks": 4, "modifier": -2},
        {"roll": "6/5", "dice": "1"},
        {**SURE, "modifier": -2},
    ),
    # three penalties of -1: 8 or more, or 6 or more
    Case(
        "stacking",
        {**EVEN, "weapon_class": "battle", **INTO_AND_OUT},
        {"sum": "1/5", "worst": "2/5"},
        {**EVEN, "weapon_class": "battle", **ENGAGED},
    ),
    # -2 for the weapon and -1 for shooting out, or only the latter
    Case(
        "class_penalty",
        {**EVEN, "weapon_class": "heavy", "attacker_melee": "M1"},
        {"in_melee": "1/5", "engaged": "2/5"},
        {**EVEN, "weapon_class": "heavy", **ENGAGED},
    ),
    # the chance of 3 HP or more of B(4, 1/2), or of twice B(2, 1/2)
    Case(
        "multiplier",
        {"attacks": 2, "power": 10, "defence": 2, "armour": 4, "models": 1, "hp": 3},
        {"as_written": "5/16", "attacks": "5/16", "hp_loss": "1/4"},
        {**EVEN, "armour": 4},
        "wiped_out",
    ),
    Case("auto_saves", {**SURE, "armour": 4}, {"rolled": "1/2", "skipped": "1"}, {**EVEN, "armour": 4}),
    Case("saves", {**SURE, "armour": 4, "aegis": 5}, {"both": "7/20", "one": "1/2"}, {**SURE, "armour": 4}),
    Case(
        "spill",
        {"attacks": 1, "power": 7, "defence": 2, "models": 3, "hp": 2, "method": "formula"},
        {"spills": "3", "lost": "2"},
        {"attacks": 1, "power": 10, "defence": 0, "models": 3, "hp": 2},
        "hp_lost",
    ),
    Case(
        "formula_caps",
        {**ONE, "power": 30, "defence": 2, "method": "formula"},
        {"capped": "10", "uncapped": "15"},
        {**ONE, "power": 30, "defence": 2},
    ),
    Case(
        "most_applicable",
        {**ONE, "power": 1, "defence": 5, "method": "formula"},
        {"specific": "1/100", "favourable": "1/10"},
        {**ONE, "power": 7, "defence": 2, "method": "formula"},
    ),
    Case(
        "threshold",
        {**ONE, "power": 5, "defence": 2, "method": "formula"},
        {"own": "2", "either": "2"},
        {**ONE, "power": 4, "defence": 2, "method": "formula"},
    ),
    Case(
        "power_zero",
        {**ONE, "power": 0, "defence": 1},
        {"formula": "0", "diagonal": "2/5", "forbidden": REFUSED},
        {**ONE, "power": 0, "defence": 1, "method": "formula"},
    ),
    Case("zero_against_zero", {**ONE, "power": 0, "defence": 0}, {"equal": "1/2", "no_damage": "0"}, EVEN),
    Case(
        "d6_triple",
        {**ONE, "power": 3, "defence": 9, "dice": "d6", "method": "formula"},
        {"5+": "1/18", "4+": "1/12"},
        {**ONE, "power": 3, "defence": 9, "method": "formula"},
    ),
    Case("facing_rule", {**EVEN, "facing": "rear"}, {"off": "1/2", "on": "3/5"}, EVEN),
]


def mean(case: Case, given: dict[str, Any], value: str) -> Any:
    return SYSTEM.ask("attack", **given, **{case.ruling: value}).odds(case.measure).mean


def test_every_ruling_has_a_case_for_every_value():
    assert len(CASES) == 20
    assert {case.ruling: set(case.means) for case in CASES} == {one.name: set(one.choices) for one in fields(Rulings)}


@pytest.mark.clause(
    "AD-3", "AD-4", "AD-5", "AD-8", "AD-22", "AD-26", "AD-27", "AD-40", "AD-42", "AD-43", "AD-46", "AD-48", "AD-51",
    "AD-54", "AD-59", "AD-77", "AD-81", "AD-84", "AD-89", "AD-92",
)  # fmt: skip
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.ruling)
def test_what_each_value_of_a_ruling_gives(case: Case):
    default = next(one.default for one in fields(Rulings) if one.name == case.ruling)
    unnamed = SYSTEM.ask("attack", **case.given)
    for value, wanted in case.means.items():
        if wanted is REFUSED:
            with pytest.raises(Refused):
                mean(case, case.given, value)
            continue
        assert mean(case, case.given, value) == Fraction(wanted)
        if value == default:
            assert unnamed.odds(case.measure).mean == Fraction(wanted)
    alike = {SYSTEM.ask("attack", **case.alike).odds(case.measure).mean}
    assert {mean(case, case.alike, value) for value in case.means} == alike


def test_presets_are_sets_of_rulings():
    assert SYSTEM.parse_rulings({"preset": "sheet"}) == Rulings()
    assert SYSTEM.parse_rulings({"preset": "d10"}) == Rulings(dice="d10")
    assert SYSTEM.parse_rulings({"preset": "d6", "method": "formula"}) == Rulings(dice="d6", method="formula")
    with pytest.raises(BadInput, match=r"^attack_dice: there is no preset 'd66'. Did you mean 'd6'\? Known: "):
        SYSTEM.ask("attack", preset="d66")


# --- what a mean does not show -------------------------------------------------------------------------------------


@pytest.mark.clause("AD-5")
def test_numbering_changes_what_may_be_typed_and_nothing_else():
    for numbering, worst in (("0-9", 0), ("1-10", 10)):
        rolled = SYSTEM.roll("attack", attacks=2, power=6, defence=2, numbering=numbering, tape=Script(worst, 1))
        assert rolled.entries[0].domain == f"2 x {numbering}"
        assert rolled.results["damage"] == 1


@pytest.mark.clause("AD-84", "AD-83")
def test_save_dice_may_differ_from_the_attack_dice_in_any_game():
    shot = {**SURE, "armour": 5, "aegis": 5}
    assert SYSTEM.ask("attack", **shot, dice="d6", save_dice="d10").odds("damage").mean == Fraction(49, 100)
    assert SYSTEM.ask("attack", **shot, dice="d10", save_dice="d6").odds("damage").mean == Fraction(4, 9)
    assert SYSTEM.ask("attack", **shot, dice="d10").odds("damage").mean == Fraction(49, 100)


@pytest.mark.clause("AD-48")
def test_modifiers_to_the_number_of_dice():
    dice = {"modifier_acts_on": "dice", "power": 4, "defence": 4, "models": 9}
    fewer = SYSTEM.roll("attack", attacks=4, modifier=-2, **dice, tape=Script(5, 4))
    assert fewer.entries[0].domain == "2 x 0-9"
    assert "Dice Modifiers: other -2; 2 Attack Dice in all" in str(fewer)
    assert SYSTEM.ask("attack", attacks=2, modifier=-3, **dice).odds("damage") == {0: 1}
    assert SYSTEM.ask("attack", attacks=2, modifier=2, **dice).odds("damage").mean == 2
    one = SYSTEM.ask("chart", power=4, defence=4, modifier=-3, modifier_acts_on="dice")
    assert str(one) == "Power 4 against Defence 4 needs 5+: 50 % of Attacks succeed."


@pytest.mark.clause("AD-54")
def test_where_the_worst_penalty_counts_bonuses_still_add_up():
    worst = Rulings(stacking="worst")
    parts = (("a", -1, ""), ("b", -2, ""), ("c", 1, ""), ("d", 2, ""))
    assert total_modifier(parts) == 0
    assert total_modifier(parts, worst) == 1
    assert total_modifier((), worst) == 0
    assert total_modifier(parts[2:], worst) == 3


@pytest.mark.clause("AD-46")
def test_the_multiplier_of_the_formula_may_act_before_saves_too():
    shot = {"attacks": 2, "power": 10, "defence": 5, "armour": 4, "models": 1, "hp": 3, "method": "formula"}
    means = {one: SYSTEM.ask("attack", **shot, multiplier=one) for one in ("as_written", "attacks", "hp_loss")}
    fell = {one: answer.odds("wiped_out").chance(1) for one, answer in means.items()}
    assert fell == {"as_written": Fraction(1, 4), "attacks": Fraction(5, 16), "hp_loss": Fraction(1, 4)}
    assert {answer.odds("damage").mean for answer in means.values()} == {Fraction(2)}


@pytest.mark.clause("AD-8")
def test_skipped_saves_are_not_rolled():
    rolled = SYSTEM.roll("attack", **SURE, armour=4, aegis=2, auto_saves="skipped", tape=Script())
    assert rolled.entries == ()
    assert "Automatic damage goes past saves" in str(rolled)


@pytest.mark.clause("AD-77")
@pytest.mark.parametrize(("armour", "aegis"), [(4, 5), (6, 2), (3, 3)])
def test_the_odds_of_one_save_are_those_of_the_better_one(armour: int, aegis: int):
    given = {**SURE, "armour": armour, "aegis": aegis, "saves": "one"}
    best = Fraction(2 * min(armour, aegis) - 3, 10)
    assert SYSTEM.ask("attack", **given).odds("damage").mean == best
    advice = advise(SYSTEM, SYSTEM.question("attack"), given, "damage", {"defender": "min"})
    assert advice.value == best
    assert {decision.by for decision in advice.decisions} == {"defender"}


@pytest.mark.clause("AD-40")
def test_the_two_readings_of_the_threshold_are_the_same():
    """Where a ratio line holds, the larger stat is the one that it names, so "either" adds nothing."""
    either = Rulings(threshold="either", method="formula", formula_caps="uncapped")
    for power in range(31):
        for defence in range(31):
            assert lines_that_hold(power, defence) == lines_that_hold(power, defence, either)


@pytest.mark.clause("AD-27")
def test_the_favourable_reading_never_uses_a_worse_line():
    favourable = Rulings(most_applicable="favourable", method="formula")
    used = {formula_line(power, defence, favourable) for power in range(21) for defence in range(16)}
    assert used == {"F1", "F2", "F3", "F4", "F5", "F6", "F10", "F11"}  # never F7, F8 or F9
    assert formula_line(0, 1, favourable) == "F11"  # no damage is no damage


@pytest.mark.clause("AD-26")
def test_the_other_readings_of_power_zero():
    diagonal = Rulings(power_zero="diagonal")
    assert [str(find_requirement(0, defence, diagonal)) for defence in (0, 1, 4, 5, 15)] == [
        "5+", "6+", "9", "9/1", "9/9",
    ]  # fmt: skip
    with pytest.raises(Refused) as refused:
        SYSTEM.ask("attack", power=0, power_zero="forbidden")
    assert str(refused.value) == "the chart has no row for Power 0, and this game forbids such attacks (AD-26)"
    assert str(find_requirement(0, 6, Rulings(most_applicable="favourable"))) == "-"
    assert str(find_requirement(0, 0, Rulings(zero_against_zero="no_damage"))) == "-"
    assert str(find_requirement(0, 0, Rulings(zero_against_zero="no_damage", power_zero="diagonal"))) == "5+"
