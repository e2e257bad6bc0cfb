"""The chart and the formula as a whole: counts, checksums, and how far apart they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.attack_dice.modifiers import chance
from battletape.rulesets.attack_dice.requirement import Requirement, chart, find_requirement, formula_line
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings
from battletape.rulesets.attack_dice.tables import MAX_DEFENCE, MAX_POWER


@clause("AD-13")
def census(rules: Rulings = DEFAULT) -> dict[str, int]:
    """How often each entry stands on the chart."""
    return dict(Counter(chart(rules.dice, rules.chart_errata).values()))


@clause("AD-13", "AD-44")
def checksum(rules: Rulings = DEFAULT) -> Fraction:
    """The sum of expected successes over Power 1 to 20 and Defence 0 to 15."""
    return sum((expected(found, rules) for _, found in cells(rules)), Fraction(0))


@clause("AD-27", "AD-44")
def line_counts(rules: Rulings = DEFAULT) -> dict[str, int]:
    """How often each line of the formula decides, Power 0 included."""
    columns = range(MAX_DEFENCE + 1)
    return dict(Counter(formula_line(power, d, rules) for power in range(MAX_POWER + 1) for d in columns))


@clause("AD-47")
def compare_methods(rules: Rulings = DEFAULT) -> dict[str, int]:
    """In how many cells the chart or the formula gives more expected successes."""
    by_chart, by_formula = replace(rules, method="chart"), replace(rules, method="formula")
    higher = Counter({"chart_higher": 0, "formula_higher": 0, "equal": 0})
    for (_, one), (_, other) in zip(cells(by_chart), cells(by_formula), strict=True):
        gap = expected(one, rules) - expected(other, rules)
        higher["equal" if not gap else "chart_higher" if gap > 0 else "formula_higher"] += 1
    return {**higher, "differ": higher["chart_higher"] + higher["formula_higher"]}


@clause("AD-85")
def expected(found: Requirement, rules: Rulings = DEFAULT) -> Fraction:
    """Expected successes of one attack: its chance times its multiplier."""
    return chance(found, 0, rules) * found.times


def cells(rules: Rulings = DEFAULT) -> Iterator[tuple[tuple[int, int], Requirement]]:
    """Every entry by the game's method, Power 1 to 20 and Defence 0 to 15."""
    for power in range(1, MAX_POWER + 1):
        for defence in range(MAX_DEFENCE + 1):
            yield (power, defence), find_requirement(power, defence, rules)
