"""The D6 flavour: its legend, formula, chart and modifiers, all derived and provisional."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape import ruleset
from battletape.rulesets.attack_dice.rules.requirement import chart, deviations, find_requirement, parse_requirement
from battletape.rulesets.attack_dice.rulings import Rulings
from tests.attack_dice import twin
from tests.attack_dice.odds import chance

SYSTEM = ruleset("attack_dice")
D6_GAME = Rulings(dice="d6")
D6_FORMULA = Rulings(dice="d6", method="formula")


@pytest.mark.clause("AD-88")
def test_the_legend_on_a_d6():
    assert chance(parse_requirement("6/4"), 0, D6_GAME) == Fraction(1, 12)
    for need in range(2, 7):
        assert chance(parse_requirement(f"{need}+"), 0, D6_GAME) == Fraction(7 - need, 6)
        assert chance(parse_requirement(f"6/{need}"), 0, D6_GAME) == Fraction(7 - need, 36)
    assert chance(parse_requirement("Ax8"), 0, D6_GAME) == 1


@pytest.mark.clause("AD-10", "AD-88")
def test_six_three_on_a_d6_is_one_in_nine():
    assert chance(parse_requirement("6/3"), 0, D6_GAME) == Fraction(1, 9)


@pytest.mark.clause("AD-89")
@pytest.mark.parametrize(
    ("power", "defence", "line", "entry", "share"),
    [
        (6, 4, "F2", "2+", "5/6"),
        (5, 4, "F3", "3+", "2/3"),
        (4, 4, "F4", "4+", "1/2"),
        (4, 5, "F5", "5+", "1/3"),
        (4, 7, "F6", "6+", "1/6"),
        (3, 6, "F7", "6/3+", "1/9"),
        (3, 9, "F8", "6/5+", "1/18"),
        (3, 12, "F9", "6/6+", "1/36"),
        (7, 2, "F1", "Ax3", "1"),
        (9, 0, "F10", "Ax9", "1"),
        (0, 4, "F11", "-", "0"),
    ],
)
def test_the_formula_on_a_d6(power: int, defence: int, line: str, entry: str, share: str):
    found = find_requirement(power, defence, D6_FORMULA)
    assert (found.line, found.show(6)) == (line, entry)
    asked = SYSTEM.ask("chart", power=power, defence=defence, dice="d6", method="formula")
    assert asked.odds("successes").at_least(1) == Fraction(share)


@pytest.mark.clause("AD-89")
def test_the_second_numbers_are_the_nearest_to_those_of_the_d10():
    for on_d10, on_d6 in ((3, 3), (6, 5), (9, 6)):
        wanted = Fraction(10 - on_d10, 10)
        assert min(range(2, 7), key=lambda second: abs(Fraction(7 - second, 6) - wanted)) == on_d6


@pytest.mark.clause("AD-90")
def test_the_chart_on_a_d6_is_as_its_rule_says():
    game = twin.Game(6)
    for (power, defence), printed in chart("d6").items():
        assert printed == twin.shown(twin.by_chart(power, defence, 6), game), (power, defence)
    assert len(chart("d6")) == 320
    assert [one[:2] for one in deviations("d6")] == [(power, 0) for power in range(1, 6)]
    assert max(entry for entry in chart("d6").values() if entry.startswith("Ax")) == "Ax8"
    assert chart("d6", "corrected") == chart("d6")


@pytest.mark.clause("AD-90", "AD-93")
def test_it_is_never_called_official():
    asked = SYSTEM.ask("chart", dice="d6")
    assert asked.table is not None
    assert asked.table.title == "Attack Dice chart, Power down, Defence across (D6, derived and provisional)"
    assert asked.table.clause == "AD-90"
    wanted = ("The D6 numbers are our own derivation and provisional; the printed D6 sheet may differ",)
    assert asked.warnings == SYSTEM.ask("attack", dice="d6").warnings == wanted
    assert SYSTEM.ask("chart").warnings == ()


@pytest.mark.clause("AD-91")
def test_modifiers_on_a_d6():
    six = parse_requirement("6")
    shares = [chance(six, -1, Rulings(dice="d6", modifier_policy=one)) for one in ("strict", "natural_max", "spill")]
    assert shares == [0, Fraction(1, 6), Fraction(5, 36)]
    assert chance(parse_requirement("4+"), -1, D6_GAME) == Fraction(1, 3)
    assert chance(parse_requirement("2+"), -2, D6_GAME) == Fraction(1, 2)
    assert chance(parse_requirement("6/6"), -1, Rulings(dice="d6", modifier_policy="spill")) == Fraction(1, 36)


@pytest.mark.clause("AD-88", "AD-3")
def test_a_whole_attack_on_d6():
    answer = SYSTEM.ask("attack", attacks=4, power=4, defence=6, armour=5, ap=6, models=1, dice="d6")
    ninth = Fraction(1, 6) * Fraction(2, 3)
    assert answer.odds("damage").at_least(1) == 1 - (1 - ninth) ** 4 == Fraction(2465, 6561)
    assert [step.title for step in answer.steps if step.chance] == ["Attack dice on a D6", "Armour saves on a D6"]
